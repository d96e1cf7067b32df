//! Endings: known chess positions, agreement of engine and oracle for all games, and a search for mates where material
//! says that there are none.
#![allow(clippy::print_stdout, reason = "prints statistics for `cargo xtask prove`")]

use tabiya_engine::ending::Clause;
use tabiya_engine::{Piece, Player, PlayerSet, Position, Rules, Setup, Square, Tally, Trigger};
use tabiya_notation::{fen, parse_state};
use tabiya_oracle::compare::{compare_endings, state_of};
use tabiya_oracle::{Oracle, random_spec};
use tabiya_players::SplitMix;
use tabiya_spec::{Game, library};

const WHITE: Player = Player(0);
const BLACK: Player = Player(1);
const FIRST: Tally = Tally::new(1, 0);

fn game(name: &str) -> Game {
    library::load(name).expect("a library game")
}

fn position(rules: &Rules, text: &str) -> Position {
    parse_state(rules, text).unwrap_or_else(|error| panic!("{text}: {error}")).position
}

fn ended(rules: &Rules, text: &str, tally: Tally, by: Trigger, own: Player) -> Option<String> {
    let ending = rules.ending(&position(rules, text), tally, by, own, None)?;
    assert_eq!(ending.winners, PlayerSet::EMPTY, "{text}");
    Some(ending.code.to_lowercase())
}

#[test]
fn dead_positions_at_chess() {
    let chess = game("chess").rules;
    let dead = Some("dead_position".to_owned());
    for (text, expected) in [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", &dead),
        ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", &dead),
        ("4k3/8/8/8/8/8/8/4KN2 b - - 0 1", &dead),
        ("2b1k3/8/8/8/8/8/8/4KB2 w - - 0 1", &dead),
        ("b1b1k3/8/8/8/8/8/8/4KB1B w - - 0 1", &dead),
        ("5bk1/8/8/8/8/8/8/4KB2 w - - 0 1", &None),
        ("4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", &None),
        ("4k1n1/8/8/8/8/8/8/4KN2 w - - 0 1", &None),
        ("4k3/8/8/8/8/8/8/3NKB2 w - - 0 1", &None),
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", &None),
        ("4k3/8/8/8/8/8/8/4KR2 w - - 0 1", &None),
        ("4k3/8/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/4K3 w - - 0 1", &dead),
        ("4k3/8/8/8/p1p1p1p1/8/P1P1P1P1/4K3 w - - 0 1", &None),
    ] {
        assert_eq!(ended(&chess, text, FIRST, Trigger::Rule, WHITE), *expected, "{text}");
    }
}

#[test]
fn repetition_and_quiet_turns_at_chess() {
    let chess = game("chess").rules;
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let asked = |by, repetitions, quiet| ended(&chess, start, Tally::new(repetitions, quiet), by, WHITE);
    for (by, repetitions, quiet, expected) in [
        (Trigger::Rule, 4, 149, None),
        (Trigger::Rule, 5, 0, Some("fivefold_repetition")),
        (Trigger::Rule, 1, 150, Some("seventy_five_move_rule")),
        (Trigger::Rule, 5, 150, Some("fivefold_repetition")),
        (Trigger::Claim, 2, 99, None),
        (Trigger::Claim, 3, 0, Some("threefold_repetition")),
        (Trigger::Claim, 1, 100, Some("fifty_move_rule")),
        (Trigger::Claim, 9, 999, Some("threefold_repetition")),
    ] {
        assert_eq!(asked(by, repetitions, quiet).as_deref(), expected, "{by:?} {repetitions} {quiet}");
    }
    let tally = Tally::new(3, 100);
    let start = chess.start();
    let claimed = |code| chess.ending(&start, tally, Trigger::Claim, WHITE, Some(code)).map(|it| it.code);
    assert_eq!(claimed("FIFTY_MOVE_RULE"), Some("FIFTY_MOVE_RULE"), "a claim names its reason");
    assert_eq!(claimed("FIVEFOLD_REPETITION"), None, "automatic endings cannot be claimed");
}

/// FIDE 6.9: a player whose flag falls loses, unless the opponent cannot checkmate by any series of legal moves.
#[test]
fn flag_falls_at_chess() {
    let chess = game("chess").rules;
    for (text, own, is_draw, reason) in [
        ("4k3/8/8/8/8/8/P7/RNBQK3 w - - 0 1", WHITE, true, "a bare king cannot mate"),
        ("4k3/8/8/8/8/8/P7/RNBQK3 w - - 0 1", BLACK, false, "White mates with all that"),
        ("4k1n1/8/8/8/8/8/8/4K3 w - - 0 1", WHITE, true, "one knight cannot mate"),
        ("4k1n1/8/8/8/8/8/8/Q2QK3 w - - 0 1", WHITE, true, "a queen beside her king takes the knight"),
        ("4k1n1/8/8/8/8/8/8/R3K3 w - - 0 1", WHITE, false, "a rook can stand in its king's way"),
        ("4k1n1/8/8/8/8/8/8/2B1K3 w - - 0 1", WHITE, false, "so can a bishop"),
        ("4k1n1/8/8/8/8/8/8/1N2K3 w - - 0 1", WHITE, false, "and a knight"),
        ("4k1n1/8/8/8/8/8/P7/4K3 w - - 0 1", WHITE, false, "and a pawn"),
        ("1n2k1n1/8/8/8/8/8/8/4K3 w - - 0 1", WHITE, false, "two knights mate a king that helps"),
        ("2b1k1n1/8/8/8/8/8/8/4K3 w - - 0 1", WHITE, false, "bishop and knight mate"),
        ("2b1k3/8/8/8/8/8/8/R2QK3 w - - 0 1", WHITE, true, "rooks and queens help no bishop"),
        ("b1b1k3/8/8/8/8/8/8/4KB2 w - - 0 1", WHITE, true, "bishops on squares of one colour"),
        ("2b1k3/8/8/8/8/8/8/2B1K3 w - - 0 1", WHITE, false, "a bishop on the other colour"),
        ("2b1kb2/8/8/8/8/8/8/4K3 w - - 0 1", WHITE, false, "two bishops mate"),
        ("2b1k3/8/8/8/8/8/8/1N2K3 w - - 0 1", WHITE, false, "a knight stands on the other colour"),
        ("2b1k3/8/8/8/8/8/P7/4K3 w - - 0 1", WHITE, false, "so does a pawn, sooner or later"),
        ("4k3/p7/8/8/8/8/8/4K3 w - - 0 1", WHITE, false, "a pawn may become a queen"),
        ("4k3/8/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/4K3 w - - 0 1", WHITE, true, "a wall without a hole"),
    ] {
        let drawn = ended(&chess, text, FIRST, Trigger::Flag, own);
        assert_eq!(drawn.as_deref(), is_draw.then_some("flag_fall_draw"), "{text}: {reason}");
    }
}

#[test]
fn engine_and_oracle_agree_on_the_endings_of_every_game() {
    let mut held = 0;
    for (seed, entry) in (0..).zip(library::games()) {
        let game = game(entry.name);
        let oracle = Oracle::new(&game.spec);
        let mut dice = SplitMix::new(seed);
        for _ in 0..6 {
            let mut position = game.rules.start();
            for _ in 0..150 {
                let state = state_of(&game.rules, &position);
                held += compare_endings(&oracle, &game.rules, (&position, &state), &mut dice)
                    .unwrap_or_else(|difference| panic!("{}: {difference}", entry.name));
                let moves = game.rules.legal_moves(&position);
                if moves.is_empty() {
                    break;
                }
                position = game.rules.play_unchecked(&position, moves[dice.below(moves.len())]);
            }
        }
        // Most endings concern positions with few pieces.
        for _ in 0..40 {
            let Some(position) = endgame(&game.rules, &mut dice) else { continue };
            let state = state_of(&game.rules, &position);
            held += compare_endings(&oracle, &game.rules, (&position, &state), &mut dice)
                .unwrap_or_else(|difference| panic!("{}: {difference}", entry.name));
        }
    }
    println!("{held} endings held");
    assert!(held > 10_000, "a comparison of nothing proves nothing: {held}");
}

/// Draws a position with a leader for each player and at most three other pieces.
fn endgame(rules: &Rules, dice: &mut SplitMix) -> Option<Position> {
    let squares: Vec<Square> = rules.board().squares().collect();
    let players: Vec<Player> = rules.players().collect();
    let kinds: Vec<_> = rules.kinds().collect();
    let leaders = players.iter().map(|player| (*player, rules.leader()));
    let mut army: Vec<_> = leaders.filter_map(|(player, leader)| Some((player, leader?))).collect();
    for _ in 0..dice.below(4) {
        army.push((players[dice.below(players.len())], kinds[dice.below(kinds.len())]));
    }
    let mut pieces: Vec<(Square, Piece)> = Vec::new();
    for (player, kind) in army {
        let square = squares[dice.below(squares.len())];
        if pieces.iter().all(|(other, _)| *other != square) {
            pieces.push((square, Piece { player, kind, unmoved: false }));
        }
    }
    let slot = dice.below(rules.order().len()) as u16;
    rules.position(&Setup { pieces, slot, ..Setup::default() }).ok()
}

#[test]
fn endings_hold_in_random_specs() {
    let (mut games, mut held) = (0, 0);
    for seed in 0..200 {
        let game = tabiya_spec::load(random_spec::spec(seed).as_bytes()).game.expect("a valid spec");
        if game.rules.endings().is_empty() {
            continue;
        }
        games += 1;
        let walk = tabiya_oracle::compare::compare(&game, 3, 2, seed);
        held += walk.unwrap_or_else(|difference| panic!("seed {seed}: {difference}")).endings;
    }
    assert!(games > 50 && held > 15 * games, "{games} games, {held} endings");
}

/// Returns the number of positions to search; `TABIYA_MATERIAL` sets more.
fn positions() -> u64 {
    std::env::var("TABIYA_MATERIAL").ok().and_then(|text| text.parse().ok()).unwrap_or(20_000)
}

/// Returns whether the ending depends only on the material.
fn is_material(list: &[Clause]) -> bool {
    list.iter().all(|clause| match clause {
        Clause::Count(_) => true,
        Clause::Any(lists) => lists.iter().all(|list| is_material(list)),
        Clause::Not(list) => is_material(list),
        _ => false,
    })
}

/// Searches for mates where material says that there are none: kings at the edge with few pieces around them, where
/// nearly all mates occur.
#[test]
fn insufficient_material_has_no_mates() {
    for entry in library::games() {
        let loaded = game(entry.name);
        if !loaded.rules.endings().iter().any(|ending| !ending.stops && is_material(&ending.when)) {
            continue;
        }
        // Keep only the endings about material.
        let material = loaded.rules.endings().iter().filter(|ending| is_material(&ending.when)).cloned();
        let blueprint = loaded.rules.blueprint().clone().with_endings(material.collect());
        let rules = Rules::compile(blueprint).expect("valid rules");
        let (mut dice, mut held, mut mates) = (SplitMix::new(9), 0, 0);
        for _ in 0..positions() {
            let victim = Player(dice.below(2) as u8);
            let Some(position) = cornered(&rules, victim, &mut dice) else { continue };
            let is_mate = rules.outcome(&position).is_some_and(|outcome| !outcome.winners.is_empty());
            let holds = |by| rules.ending(&position, FIRST, by, victim, None).is_some();
            let says_no = holds(Trigger::Rule) || holds(Trigger::Flag);
            held += u64::from(says_no);
            mates += u64::from(is_mate);
            assert!(
                !(says_no && is_mate) || is_double_check(&rules, &position, victim),
                "{}: mate in {}",
                entry.name,
                fen(&rules, &tabiya_notation::State::new(position.clone()))
            );
        }
        println!("{}: {held} without a mate to be, {mates} mates elsewhere", entry.name);
        assert!(held > positions() / 20 && mates > 0, "{}: {held} {mates}", entry.name);
    }
}

/// Draws a position with a leader at the edge, the other one near, and a few pieces around them; the victim is to move.
fn cornered(rules: &Rules, victim: Player, dice: &mut SplitMix) -> Option<Position> {
    let board = rules.board();
    let (files, ranks) = (i32::from(board.files()), i32::from(board.ranks()));
    let hunter = Player(1 - victim.0);
    let x = dice.below(files as usize) as i32;
    let centre = (x, if dice.below(3) > 0 { 0 } else { dice.below(ranks as usize) as i32 });
    let leader = rules.leader()?;
    let kinds: Vec<_> = rules.kinds().filter(|kind| *kind != leader).collect();
    let mut army = vec![(hunter, leader)];
    let favourite = kinds[dice.below(kinds.len())];
    army.extend((0..dice.below(3)).map(|_| (hunter, favourite)));
    army.extend((0..dice.below(4)).map(|_| (victim, kinds[dice.below(kinds.len())])));
    let mut pieces =
        vec![(board.square(centre.0, centre.1)?, Piece { player: victim, kind: leader, unmoved: false })];
    for (player, kind) in army {
        let mut near = |at: i32| at + dice.below(7) as i32 - 3;
        let square = board.square(near(centre.0), near(centre.1))?;
        if pieces.iter().any(|(other, _)| *other == square) {
            return None;
        }
        pieces.push((square, Piece { player, kind, unmoved: false }));
    }
    rules.position(&Setup { pieces, slot: u16::from(victim.0), ..Setup::default() }).ok()
}

/// Returns whether two pieces of one kind attack the victim. That is impossible, because neither could have moved last
/// without having given check before.
fn is_double_check(rules: &Rules, position: &Position, victim: Player) -> bool {
    let setup = rules.setup(position);
    (0..setup.pieces.len()).filter(|index| setup.pieces[*index].1.player != victim).all(|index| {
        let mut fewer = setup.clone();
        fewer.pieces.remove(index);
        rules.position(&fewer).is_ok_and(|position| rules.in_check(&position, victim))
    })
}
