//! What the tests of this room share.
#![allow(dead_code, reason = "no test uses all of it")]

use tabiya_engine::{Die, Move, Outcome, Position, Rules};
use tabiya_notation::{move_text, parse_state};
use tabiya_players::{Chooser, Limits, SplitMix, Thought, by_name};
use tabiya_spec::{Game, library};

/// A game of the library.
pub(crate) fn game(name: &str) -> Game {
    library::load(name).expect("a library game")
}

/// The position of a board text.
pub(crate) fn position(rules: &Rules, text: &str) -> Position {
    parse_state(rules, text).unwrap_or_else(|error| panic!("{text}: {error}")).position
}

/// What a player chooses, as text.
pub(crate) fn choice(rules: &Rules, position: &Position, player: &mut dyn Chooser) -> String {
    let played = player.choose(rules, position).expect("the game is not over");
    move_text(rules, position, played)
}

/// The move of a player under limits, and its last thought.
pub(crate) fn thought(
    rules: &Rules,
    position: &Position,
    player: &mut dyn Chooser,
    limits: Limits<'_>,
) -> (Option<Move>, Option<Thought>) {
    let last = std::cell::RefCell::new(None);
    let watch = |thought: &Thought| *last.borrow_mut() = Some(thought.clone());
    let played = player.choose_within(rules, position, &Limits { watch: Some(&watch), ..limits });
    (played, last.into_inner())
}

/// Plays from the start under limits, everybody as `seats` says, and returns every move and the last position.
pub(crate) fn play_within(
    rules: &Rules,
    seats: &mut [Box<dyn Chooser + Send>],
    most: usize,
    limits: &Limits<'_>,
) -> (Vec<Move>, Position) {
    let mut position = rules.start();
    let mut moves = Vec::new();
    let mut dice = SplitMix::new(most as u64);
    while moves.len() < most {
        while let Some(Die::Awaited(_)) = rules.die(&position) {
            let face = 1 + dice.below(usize::from(rules.faces().expect("a die has faces"))) as u8;
            position = rules.throw(&position, face).expect("the die is awaited");
        }
        let seat = &mut seats[rules.mover(&position).index()];
        let Some(played) = seat.choose_within(rules, &position, limits) else { break };
        position = rules.play(&position, played).expect("players choose legal moves");
        moves.push(played);
    }
    (moves, position)
}

/// How many of some games the first player wins and loses against the second, who has all the other seats. They change
/// seats after each game; a game that is not over after so many moves is not counted.
pub(crate) fn meet(rules: &Rules, names: [&str; 2], games: u64, most: usize) -> (usize, usize) {
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
