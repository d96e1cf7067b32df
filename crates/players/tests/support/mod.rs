//! Helpers shared by the tests.
#![allow(dead_code, reason = "each test file uses some of it")]

use tabiya_engine::{Die, Move, Outcome, Position, Rules};
use tabiya_notation::{parse_state, uci};
use tabiya_players::{Chooser, Limits, SearchInfo, SplitMix, by_name};
use tabiya_spec::{Game, library};

/// Loads a library game.
pub(crate) fn game(name: &str) -> Game {
    library::load(name).unwrap_or_else(|error| panic!("{error}"))
}

/// Parses a board text.
pub(crate) fn position(rules: &Rules, text: &str) -> Position {
    parse_state(rules, text).unwrap_or_else(|error| panic!("{text}: {error}")).position
}

/// Returns a player's choice as text.
pub(crate) fn choice(rules: &Rules, position: &Position, player: &mut dyn Chooser) -> String {
    let played = player.choose(rules, position).expect("the game is not over");
    uci(rules, position, played)
}

/// Returns a player's move within limits and its last report.
pub(crate) fn choose_with_info(
    rules: &Rules,
    position: &Position,
    player: &mut dyn Chooser,
    limits: Limits<'_>,
) -> (Option<Move>, Option<SearchInfo>) {
    let last = std::cell::RefCell::new(None);
    let on_info = |info: &SearchInfo| *last.borrow_mut() = Some(info.clone());
    let played = player.choose_within(rules, position, &Limits { on_info: Some(&on_info), ..limits });
    (played, last.into_inner())
}

/// Plays a game within limits and returns its moves and last position.
pub(crate) fn play_within(
    rules: &Rules,
    seats: &mut [Box<dyn Chooser + Send>],
    most: usize,
    limits: &Limits<'_>,
) -> (Vec<Move>, Position) {
    let mut position = rules.start();
    let mut moves = Vec::new();
    let mut rng = SplitMix::new(most as u64);
    while moves.len() < most {
        while let Some(Die::Awaited(_)) = rules.die(&position) {
            let face = 1 + rng.below(usize::from(rules.faces().expect("a die has faces"))) as u8;
            position = rules.throw(&position, face).expect("the die is awaited");
        }
        let seat = &mut seats[rules.mover(&position).index()];
        let Some(played) = seat.choose_within(rules, &position, limits) else { break };
        position = rules.play(&position, played).expect("players choose legal moves");
        moves.push(played);
    }
    (moves, position)
}

/// Returns how many games the first player wins and loses against the second, which has all other seats. Seats rotate
/// after each game; games that take more than `most` moves do not count.
pub(crate) fn play_match(rules: &Rules, names: [&str; 2], games: u64, most: usize) -> (usize, usize) {
    let (mut won, mut lost) = (0, 0);
    for number in 0..games {
        let players: Vec<_> = rules.players().collect();
        let first = players[number as usize % players.len()];
        let mut seats: Vec<_> = players
            .iter()
            .map(|seat| by_name(names[usize::from(*seat != first)], 100 * number + u64::from(seat.0)))
            .map(|player| player.expect("a player of that name"))
            .collect();
        let limits = Limits { nodes: Some(400), ..Limits::default() };
        let (_, end) = play_within(rules, &mut seats, most, &limits);
        match rules.outcome(&end) {
            Some(Outcome { winners, .. }) if winners.contains(first) => won += 1,
            Some(Outcome { winners, .. }) if !winners.is_empty() => lost += 1,
            _ => {}
        }
    }
    (won, lost)
}
