//! Answers to whether a player can still win are right: known positions with their reasons, a plain exhaustive search, and a
//! search for checks in positions where a proof says that there are none.
#![allow(clippy::print_stdout, reason = "prints statistics for `cargo xtask prove`")]

use std::collections::HashSet;

use tabiya_engine::{Piece, Player, PlayerSet, Position, Rules, Setup, Square, Winnability};
use tabiya_notation::{fen, parse_state};
use tabiya_oracle::{chesslike_spec, random_spec};
use tabiya_players::SplitMix;
use tabiya_spec::{Game, library};

fn game(name: &str) -> Game {
    library::load(name).expect("a library game")
}

const WHITE: Player = Player(0);
const BLACK: Player = Player(1);

/// Returns whether White and Black are proved unable to win.
fn cannot_win(rules: &Rules, text: &str) -> (bool, bool) {
    let position = parse_state(rules, text).unwrap_or_else(|error| panic!("{text}: {error}")).position;
    let answers = (rules.cannot_win(&position, WHITE), rules.cannot_win(&position, BLACK));
    assert_eq!(rules.is_dead(&position), answers == (true, true), "{text}");
    answers
}

const NEITHER: (bool, bool) = (true, true);
const EITHER: (bool, bool) = (false, false);
const ONLY_WHITE: (bool, bool) = (false, true);
const ONLY_BLACK: (bool, bool) = (true, false);

/// Chess positions, who may still win, and why.
const CHESS: &[(&str, (bool, bool), &str)] = &[
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", EITHER, "the game begins"),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", EITHER, "a middlegame"),
    ("8/8/4k3/8/8/4K3/8/8 w - - 0 1", NEITHER, "kings do not mate"),
    ("4k3/8/8/8/8/8/8/QQQ1K3 w - - 0 1", ONLY_WHITE, "a bare king does not win"),
    ("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", ONLY_WHITE, "a pawn may become a queen"),
    ("8/8/8/8/8/4k3/4n3/4K2N w - - 0 1", EITHER, "knights mate if both sides help"),
    (
        "2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1",
        NEITHER,
        "every way through is guarded by a locked pawn",
    ),
    ("4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 b - - 0 1", NEITHER, "the bishop is enclosed by its own pawns"),
    ("4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/3BK3 w - - 0 1", EITHER, "this bishop takes pawns, or is taken by one"),
    ("4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/1N2K3 w - - 0 1", EITHER, "a knight jumps the wall"),
    ("4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/R3K3 w - - 0 1", EITHER, "a rook goes through the wall"),
    ("4k3/8/8/1p1p1p2/1P1P1P2/8/8/4K3 w - - 0 1", EITHER, "the h-file is open"),
    ("4k3/8/8/1p1p1p2/1P1P1P1p/7P/8/4K3 w - - 0 1", NEITHER, "the king can no longer reach h4"),
    ("4k3/8/8/1p1p1p2/1P1P1P2/7p/7P/4K3 w - - 0 1", EITHER, "Kg3 and Kxh3"),
    ("4k3/8/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/4K3 w - - 0 1", NEITHER, "a wall without a hole"),
    ("4k3/8/8/1p1p1p2/pPpPpPp1/P1P1P1P1/8/4K3 w - - 0 1", NEITHER, "the hole is guarded from both sides"),
    ("4k3/8/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/4K3 b - b3 0 1", EITHER, "a4xb3 in passing opens the wall"),
    (
        "2b1k3/8/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/2B1K3 w - - 0 1",
        NEITHER,
        "bishops on the colour of their pawns",
    ),
    ("3bk3/8/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/2B1K3 w - - 0 1", EITHER, "Black's bishop takes White's pawns"),
    ("4k3/8/8/8/8/p1p1p1p1/P1P1P1P1/4K3 w - - 0 1", NEITHER, "no double step over a pawn"),
    ("4k3/8/8/8/p1p1p1p1/8/P1P1P1P1/4K3 w - - 0 1", EITHER, "the pawns still have moves"),
    ("4k3/8/8/8/8/p1p1p1p1/P1P1P1P1/4K2R w K - 0 1", EITHER, "Rh2 lets a pawn out"),
    ("4k3/8/8/8/8/8/6P1/4K3 w - - 0 1", ONLY_WHITE, "a pawn that is free"),
    ("8/8/8/8/8/8/6q1/k6K w - - 0 1", NEITHER, "Kxg2 is forced, and then only kings are left"),
    ("8/8/8/8/8/5q2/8/k6K w - - 0 1", ONLY_BLACK, "the king need not take"),
    ("8/8/8/8/8/7k/6q1/7K w - - 0 1", ONLY_BLACK, "Black has won"),
    ("8/8/8/8/8/8/5k1P/7K w - - 0 1", ONLY_WHITE, "the pawn may still run"),
    ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", ONLY_WHITE, "a rook"),
    (
        "8/1p6/1P6/p1p1p1p1/P1P1P1P1/8/8/k1K5 w - - 0 1",
        EITHER,
        "Black's king is on the wrong side and takes pawns",
    ),
    ("2k5/6p1/6P1/6PK/6P1/6PR/7P/8 b - - 0 1", NEITHER, "the rook never leaves the h-file"),
    ("8/8/8/8/8/1kB5/1B6/BKB5 w - - 0 1", NEITHER, "bishops of one colour and a bare king"),
    ("8/8/4k3/8/8/4K3/4N3/8 w - - 0 1", NEITHER, "a knight"),
    ("8/8/4k3/8/8/4K3/4NN2/8 w - - 0 1", ONLY_WHITE, "two knights mate if the king helps"),
    ("8/8/4k1q1/8/8/4K3/4N3/8 w - - 0 1", ONLY_BLACK, "a queen cannot be made to stand in its king's way"),
    ("3kb3/8/8/8/8/3KB3/8/8 w - - 0 1", EITHER, "bishops of different colours mate"),
    ("8/8/8/8/8/8/N7/kNK5 b - - 0 1", NEITHER, "Kxa2 is forced and leaves a knight"),
    (
        "1k6/p1p1p1p1/P1P1P1P1/p1p1p1p1/8/8/P1P1P1P1/4K3 w - - 0 1",
        NEITHER,
        "pawns on one file never pass each other",
    ),
    ("8/8/8/1k3p1p/3p1P2/1p1P1PpP/1P4P1/K7 b - - 0 1", NEITHER, "every way in ends in stalemate"),
];

#[test]
fn chess_positions_with_known_winners() {
    let chess = game("chess");
    for (text, expected, reason) in CHESS {
        assert_eq!(cannot_win(&chess.rules, text), *expected, "{text}: {reason}");
    }
}

#[test]
fn other_games_have_proofs_too() {
    let cases = [
        ("gardner", "k4/1p1p1/pPpPp/P1P1P/K4 w - - 0 1", NEITHER, "a wall on a small board"),
        ("gardner", "k4/3p1/p1pPp/P1P1P/K4 w - - 0 1", NEITHER, "the hole is guarded from both sides"),
        ("gardner", "k4/3p1/2pPp/2P1P/K4 w - - 0 1", EITHER, "the a-file is open"),
        ("knightmate", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", NEITHER, "leaders that leap do not mate either"),
        ("knightmate", "4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 1", EITHER, "they leap the wall"),
        (
            "knightmate",
            "4k3/8/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/4K3 w - - 0 1",
            NEITHER,
            "every leap is guarded",
        ),
        ("capablanca", "k9/10/10/1p1p1p1p1p/pPpPpPpPpP/P1P1P1P1P1/10/K9 w - - 0 1", NEITHER, "a longer wall"),
    ];
    for (name, text, expected, reason) in cases {
        assert_eq!(cannot_win(&game(name).rules, text), expected, "{name} {text}: {reason}");
    }
}

#[test]
fn there_are_no_proofs_with_more_than_two_players() {
    let rules = game("fourplayer").rules;
    let mut kings = rules.setup(&rules.start());
    kings.pieces.retain(|(_, piece)| Some(piece.kind) == rules.leader());
    let four = rules.position(&kings).expect("a king each");
    assert!(!rules.is_dead(&four), "they go out one by one, and the last one wins");
    kings.eliminated = [Player(1), Player(3)].into_iter().collect();
    let two = rules.position(&kings).expect("two are left");
    assert!(rules.is_dead(&two), "what the others left behind does not attack");
}

/// Most positions have no proof, so finding none must be cheap.
#[test]
fn middlegame_positions_are_cheap() {
    let chess = game("chess").rules;
    let (mut asked, mut steps, mut most) = (0, 0, 0);
    for seed in 0..40 {
        random_play(&chess, seed, 60, |position| {
            for player in [WHITE, BLACK] {
                let proof = chess.prove_no_check(position, player, false);
                assert!(!proof.holds, "both players can still win");
                (asked, steps, most) = (asked + 1, steps + proof.steps, most.max(proof.steps));
            }
        });
    }
    println!("{asked} questions, {} steps on average, at most {most}", steps / asked);
    assert!(asked > 3000 && steps / asked < 150 && most < 2000, "{asked} {steps} {most}");
}

/// Where the quick test finds an attack, the full proof must fail too.
fn check_without_quick_check(rules: &Rules, position: &Position) {
    for player in rules.players() {
        let proof = rules.prove_no_check(position, player, false);
        let quick = rules.prove_no_check(position, player, true);
        assert_eq!(quick.holds, proof.holds, "{player:?} {}", named(rules, position));
    }
}

#[test]
fn the_quick_check_never_hides_a_proof() {
    for name in ["chess", "gardner", "losalamos", "knightmate", "capablanca", "fourplayer"] {
        let rules = game(name).rules;
        let (mut asked, mut dice) = (0, SplitMix::new(11));
        // Long games leave few pieces; locked and thinned boards are tested too.
        for seed in 0..20 {
            random_play(&rules, seed, 400, |position| {
                check_without_quick_check(&rules, position);
                asked += 1;
            });
        }
        for _ in 0..1000 {
            let arranged = [thinned(&rules, &mut dice), locked(&rules, &mut dice)];
            for position in arranged.into_iter().flatten() {
                check_without_quick_check(&rules, &position);
                asked += 1;
            }
        }
        assert!(asked > 2000, "{name}: {asked}");
    }
}

/// Plays random moves. `visit` sees every position on the way.
fn random_play(rules: &Rules, seed: u64, plies: usize, mut visit: impl FnMut(&Position)) {
    let mut dice = SplitMix::new(seed);
    let mut position = rules.start();
    for _ in 0..plies {
        visit(&position);
        let moves = rules.legal_moves(&position);
        if moves.is_empty() {
            break;
        }
        position = rules.play_unchecked(&position, moves[dice.below(moves.len())]);
    }
}

/// Statistics of a search for wins.
#[derive(Debug, Default)]
struct Hunt {
    positions: u64,
    proofs: u64,
    /// Proofs that were worth testing: there were attacking pieces, a leader, and moves.
    lively: u64,
    nodes: u64,
}

impl Hunt {
    /// Finds the players that are proved to give no further check, and tries to give one with all sides helping.
    fn look_at(&mut self, rules: &Rules, position: &Position, nodes: usize) {
        self.positions += 1;
        check_without_quick_check(rules, position);
        let has_proof = |player: &Player| rules.prove_no_check(position, *player, true).holds;
        for player in rules.alive(position).iter().filter(has_proof) {
            self.proofs += 1;
            let visited = self.try_to_win(rules, position, player, nodes);
            self.lively += u64::from(visited >= 20 && has_target(rules, position, player));
            self.nodes += visited;
        }
    }

    /// Searches moves, preferring checks, and returns the number of positions.
    fn try_to_win(&self, rules: &Rules, position: &Position, player: Player, nodes: usize) -> u64 {
        let mut dice = SplitMix::new(self.proofs);
        let mut known = HashSet::from([position.key()]);
        let mut open = vec![position.clone()];
        let mut visited = 0;
        while !open.is_empty() && visited < nodes as u64 {
            visited += 1;
            let place = if visited % 4 == 0 { open.len() - 1 } else { dice.below(open.len()) };
            let at = open.swap_remove(place);
            let story = || format!("{} from {}", named(rules, &at), named(rules, position));
            let won = rules.outcome(&at).is_some_and(|outcome| outcome.winners.contains(player));
            assert!(!won, "{player:?} has won {}", story());
            let victims = rules.alive(&at).iter().filter(|other| *other != player);
            for victim in victims {
                assert!(!rules.in_check(&at, victim), "{player:?} gives check {}", story());
            }
            for played in rules.legal_moves(&at) {
                let next = rules.play_unchecked(&at, played);
                if known.len() < 4 * nodes && known.insert(next.key()) {
                    open.push(next);
                }
            }
        }
        visited
    }
}

/// Returns whether the player has an attacking piece and another player a leader.
fn has_target(rules: &Rules, position: &Position, player: Player) -> bool {
    let leader = rules.leader();
    let is_armed = position.pieces().any(|(_, it)| it.player == player && Some(it.kind) != leader);
    let mut enemies = position.pieces().filter(|(_, it)| it.player != player);
    is_armed && enemies.any(|(_, it)| Some(it.kind) == leader)
}

fn named(rules: &Rules, position: &Position) -> String {
    fen(rules, &tabiya_notation::State::new(position.clone()))
}

/// Draws a locked or nearly locked position: facing pawns, a leader on each side, and some other pieces.
fn locked(rules: &Rules, dice: &mut SplitMix) -> Option<Position> {
    let board = rules.board();
    let (files, ranks) = (i32::from(board.files()), i32::from(board.ranks()));
    let kind = |code: &str| rules.kinds().find(|kind| rules.kind(*kind).code == code);
    let pawn = kind("PAWN")?;
    let mut pieces: Vec<(Square, Piece)> = Vec::new();
    let mut put = |x: i32, y: i32, player, kind| {
        let square = board.square(x, y)?;
        let is_free = pieces.iter().all(|(other, _)| *other != square);
        is_free.then(|| pieces.push((square, Piece { player, kind, unmoved: false })))
    };
    let base = 1 + dice.below((ranks - 4).max(1) as usize) as i32;
    let (gaps, zigzag, noise) = (dice.below(2) == 0, dice.below(3) > 0, dice.below(4) == 0);
    for x in 0..files {
        let is_odd = x % 2 == 1;
        let is_gap = gaps && is_odd || noise && dice.below(8) == 0;
        if !is_gap {
            let y = base + i32::from(zigzag && is_odd) + i32::from(noise && dice.below(8) == 0);
            put(x, y, WHITE, pawn);
            put(x, (y + 1).min(ranks - 1), BLACK, pawn);
        }
    }
    let officers: Vec<_> = ["BISHOP", "BISHOP", "KNIGHT", "ROOK"].into_iter().filter_map(kind).collect();
    for (player, low) in [(WHITE, true), (BLACK, false)] {
        let mut own_side = |kind, dice: &mut SplitMix| {
            let behind = if low { base } else { (ranks - base - 3).max(1) };
            let depth = if dice.below(4) == 0 { ranks } else { behind };
            let y = dice.below(depth as usize) as i32;
            put(dice.below(files as usize) as i32, if low { y } else { ranks - 1 - y }, player, kind)
        };
        while own_side(rules.leader()?, dice).is_none() {}
        for _ in 0..dice.below(3) {
            own_side(officers[dice.below(officers.len())], dice);
        }
    }
    let slot = dice.below(2) as u16;
    rules.position(&Setup { pieces, slot, ..Setup::default() }).ok()
}

#[test]
fn proofs_are_sound_on_locked_boards() {
    for name in ["chess", "gardner", "losalamos", "knightmate", "capablanca"] {
        let rules = game(name).rules;
        let (mut hunt, mut dice) = (Hunt::default(), SplitMix::new(7));
        for _ in 0..800 {
            let position = locked(&rules, &mut dice).expect("a game with pawns and leaders");
            hunt.look_at(&rules, &position, 400);
        }
        println!("{name}: {hunt:?}");
        assert!(hunt.lively > 30, "a hunt without prey proves nothing: {name} {hunt:?}");
    }
}

/// Decides whether a player can win by visiting every position. Gives up after `nodes` positions.
fn exhaustive(rules: &Rules, position: &Position, player: Player, nodes: usize) -> Winnability {
    let mut known = HashSet::from([position.key()]);
    let mut open = vec![position.clone()];
    while let Some(at) = open.pop() {
        if rules.outcome(&at).is_some_and(|outcome| outcome.winners.contains(player)) {
            return Winnability::Possible;
        }
        for played in rules.legal_moves(&at) {
            let next = rules.play_unchecked(&at, played);
            if known.insert(next.key()) {
                open.push(next);
            }
        }
        if known.len() > nodes {
            return Winnability::Unknown;
        }
    }
    Winnability::Impossible
}

/// Returns the number of positions for the exhaustive search; `TABIYA_DEAD_POSITIONS` sets more.
fn positions() -> usize {
    std::env::var("TABIYA_DEAD_POSITIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(300)
}

#[test]
fn answers_equal_an_exhaustive_search() {
    let (mut decided, mut answered, mut impossible) = (0, 0, 0);
    let mut dice = SplitMix::new(3);
    let games = ["chess", "gardner", "losalamos", "knightmate"].map(|name| game(name).rules);
    while decided < positions() {
        let rules = &games[dice.below(games.len())];
        let Some(position) = locked(rules, &mut dice).filter(|position| position.ended().is_none()) else {
            continue;
        };
        for player in [WHITE, BLACK] {
            let expected = exhaustive(rules, &position, player, 3000);
            if expected != Winnability::Unknown {
                let answer = rules.winnability(&position, player);
                let is_right = answer == Winnability::Unknown || answer == expected;
                assert!(is_right, "{player:?}: {answer:?}, not {expected:?} {}", named(rules, &position));
                decided += 1;
                answered += usize::from(answer == expected);
                impossible += usize::from(expected == Winnability::Impossible);
            }
        }
    }
    println!(
        "{decided} decided by exhaustive search ({impossible} without a win), {answered} of them answered alike, none wrongly"
    );
    assert!(impossible > decided / 10 && answered * 100 >= decided * 99, "{decided} {impossible} {answered}");
}

/// Draws a position of any game with some pieces removed, others moved, and all but two players eliminated.
fn thinned(rules: &Rules, dice: &mut SplitMix) -> Option<Position> {
    let mut setup = rules.setup(&rules.start());
    let squares: Vec<Square> = rules.board().squares().collect();
    let kept = 1 + dice.below(4);
    setup.pieces.retain(|(_, piece)| dice.below(5) < kept || Some(piece.kind) == rules.leader());
    for index in 0..setup.pieces.len() {
        let square = squares[dice.below(squares.len())];
        if dice.below(3) == 0 && setup.pieces.iter().all(|(other, _)| *other != square) {
            setup.pieces[index].0 = square;
            setup.pieces[index].1.unmoved = dice.below(2) == 0;
        }
    }
    let mut out: Vec<Player> = rules.players().collect();
    for _ in 0..2 {
        out.swap_remove(dice.below(out.len()));
    }
    setup.eliminated = out.into_iter().collect::<PlayerSet>();
    setup.slot = dice.below(rules.order().len()) as u16;
    rules.position(&setup).ok()
}

/// Returns the number of random specs; `TABIYA_DEAD` sets more.
fn games() -> u64 {
    std::env::var("TABIYA_DEAD").ok().and_then(|text| text.parse().ok()).unwrap_or(6000)
}

type Arrange = fn(&Rules, &mut SplitMix) -> Option<Position>;

fn hunt_in_random_games(spec: fn(u64) -> String, games: u64, arrange: Arrange) -> Hunt {
    let mut hunt = Hunt::default();
    for seed in 0..games {
        let Some(game) = tabiya_spec::load(spec(seed).as_bytes()).game else { continue };
        let mut dice = SplitMix::new(seed);
        for _ in 0..15 {
            if let Some(position) = arrange(&game.rules, &mut dice) {
                hunt.look_at(&game.rules, &position, 150);
            }
        }
    }
    println!("{hunt:?}");
    assert!(hunt.lively > 50, "a hunt without prey proves nothing: {hunt:?}");
    hunt
}

#[test]
fn proofs_are_sound_in_chesslike_specs() {
    hunt_in_random_games(chesslike_spec::spec, games() / 5, locked);
}

#[test]
fn proofs_are_sound_in_random_specs() {
    hunt_in_random_games(random_spec::spec, games(), thinned);
}
