//! Players understand hands, counters, compulsory captures and several leaders.

mod support;

use std::sync::Arc;

use support::{play_match, position};
use tabiya_engine::{Kind, Piece, Player, Position, Rules, Setup};
use tabiya_oracle::random_spec;
use tabiya_players::{Chooser, Limits, Mcts, Search, Task, Values, by_name, prove};

const CRAZYHOUSE: &str = include_str!("../../oracle/tests/games/crazyhouse.json");
const MINISHOGI: &str = include_str!("../../oracle/tests/games/minishogi.json");
const ANTICHESS: &str = include_str!("../../oracle/tests/games/antichess.json");
const THREE_CHECKS: &str = include_str!("../../oracle/tests/games/threecheck.json");

/// Loads a game. The message lists what is wrong with it.
fn load(text: &str) -> Arc<Rules> {
    let loaded = tabiya_spec::load(text.as_bytes());
    let problems: Vec<String> = loaded.diagnostics.iter().map(|it| it.message.clone()).collect();
    loaded.game.unwrap_or_else(|| panic!("{problems:?}")).rules
}

fn kind(rules: &Rules, code: &str) -> Kind {
    rules.kinds().find(|kind| rules.kind(*kind).code == code).expect("a kind of the game")
}

#[test]
fn search_beats_random_and_greedy() {
    for (name, text, most) in [
        ("crazyhouse", CRAZYHOUSE, 200),
        ("minishogi", MINISHOGI, 200),
        ("antichess", ANTICHESS, 200),
        ("three checks", THREE_CHECKS, 200),
    ] {
        let rules = load(text);
        for (opponent, games, least) in [("random", 6, 6), ("greedy", 10, 8)] {
            let (won, lost) = play_match(&rules, ["search", opponent], games, most);
            assert!(won >= least && lost <= 1, "{name} against {opponent}: {won} won, {lost} lost");
        }
    }
}

#[test]
fn mcts_beats_random() {
    for (name, text) in [("minishogi", MINISHOGI), ("antichess", ANTICHESS)] {
        let (won, lost) = play_match(&load(text), ["mcts", "random"], 6, 200);
        assert!(won >= 5 && lost <= 1, "{name}: {won} won, {lost} lost");
    }
}

/// Returns a position with two kings and some pieces in the hand of the first player.
fn with_hand(rules: &Rules, hand: &[(&str, u8)]) -> Position {
    let king = kind(rules, "KING");
    let place = |name: &str, player: u8| {
        let piece = Piece { player: Player(player), kind: king, unmoved: false };
        (rules.board().parse(name).expect("a square"), piece)
    };
    let hands = hand.iter().map(|(code, count)| (Player(0), kind(rules, code), *count)).collect();
    let setup = Setup { pieces: vec![place("a1", 0), place("e5", 1)], hands, ..Setup::default() };
    rules.position(&setup).expect("a position")
}

#[test]
fn material_in_hand_counts() {
    for text in [CRAZYHOUSE, MINISHOGI] {
        let rules = load(text);
        let values = Values::of(&rules);
        let of = |hand: &[(&str, u8)]| values.evaluate(&with_hand(&rules, hand), Player(0));
        let none = of(&[]);
        for code in ["PAWN", "BISHOP", "ROOK"] {
            let (on_board, in_hand) = (values.kind(kind(&rules, code)), of(&[(code, 1)]) - none);
            assert!(in_hand >= on_board && in_hand <= on_board * 5 / 4, "{code}: {in_hand} of {on_board}");
            assert_eq!(of(&[(code, 2)]) - none, 2 * in_hand);
        }
    }
}

#[test]
fn kinds_that_only_arise_by_promotion_have_values() {
    for text in [CRAZYHOUSE, MINISHOGI, THREE_CHECKS] {
        let rules = load(text);
        let values = Values::of(&rules);
        for kind in rules.kinds() {
            assert_eq!(values.kind(kind) > 0, !rules.is_leader(kind), "{}", rules.kind(kind).code);
        }
    }
}

#[test]
fn pieces_are_a_burden_where_losing_them_wins() {
    let rules = load(ANTICHESS);
    let values = Values::of(&rules);
    assert!(rules.kinds().all(|kind| values.kind(kind) < 0));
}

#[test]
fn checks_count_where_they_win() {
    let rules = load(THREE_CHECKS);
    let values = Values::of(&rules);
    let with_checks = |checks: u16| {
        let setup = Setup { counters: vec![(0, Player(0), checks)], ..rules.setup(&rules.start()) };
        values.evaluate(&rules.position(&setup).expect("a position"), Player(0))
    };
    let [none, one, two] = [0, 1, 2].map(with_checks);
    assert!(none == 0 && one > 100 && two - one > 2 * one, "{none}, {one}, {two}");
    // The third check wins at once.
    let start = position(&rules, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    let setup = Setup { counters: vec![(0, Player(0), 2)], ..rules.setup(&start) };
    let start = rules.position(&setup).expect("a position");
    let limits = Limits { nodes: Some(500), ..Limits::default() };
    let played = Search::new(1).choose_within(&rules, &start, &limits).expect("a move");
    assert!(rules.outcome(&rules.play_unchecked(&start, played)).is_some());
}

#[test]
fn a_mating_drop_is_found_and_proved() {
    let rules = load(MINISHOGI);
    // The king cannot leave the corner, and a gold in front of it is protected by the pawn.
    let of =
        |code: &str, player: u8| Piece { player: Player(player), kind: kind(&rules, code), unmoved: false };
    let pieces = [("a1", of("KING", 0)), ("e5", of("KING", 1)), ("e3", of("PAWN", 0))];
    let pieces = pieces.map(|(name, piece)| (rules.board().parse(name).expect("a square"), piece));
    let hands = vec![(Player(0), kind(&rules, "GOLD"), 1)];
    let setup = Setup { pieces: pieces.to_vec(), hands, ..Setup::default() };
    let start = rules.position(&setup).expect("a position");
    let limits = Limits { nodes: Some(2000), ..Limits::default() };
    let players: [Box<dyn Chooser>; 2] = [Box::new(Search::new(1)), Box::new(Mcts::new(1))];
    for mut player in players {
        let played = player.choose_within(&rules, &start, &limits).expect("a move");
        assert_eq!(played.dropped(), Some(kind(&rules, "GOLD")));
        assert!(rules.outcome(&rules.play_unchecked(&start, played)).is_some(), "{played:?}");
    }
    let proof = prove(&rules, &start, &Task::new(1)).expect("a question");
    assert!(matches!(proof.answer, tabiya_players::Answer::Won { moves: 1, .. }), "{proof:?}");
}

#[test]
fn random_specs_are_played_by_all_players() {
    let limits = Limits { nodes: Some(60), ..Limits::default() };
    let mut drops = 0;
    for seed in 0..200 {
        let Some(game) = tabiya_spec::load(random_spec::spec(seed).as_bytes()).game else { continue };
        let rules = &game.rules;
        let names = ["search", "greedy", "mcts", "random"];
        let mut players = names.map(|name| by_name(name, seed).expect("a player"));
        let mut position = rules.start();
        for ply in 0..16 {
            let player = &mut players[ply % names.len()];
            let Some(played) = player.choose_within(rules, &position, &limits) else { break };
            drops += usize::from(played.dropped().is_some());
            position = rules.play(&position, played).unwrap_or_else(|error| panic!("seed {seed}: {error:?}"));
        }
    }
    assert!(drops > 20, "{drops} drops");
}
