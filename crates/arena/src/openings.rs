//! Openings, which give deterministic players different games. Each opening is played twice with swapped seats, so that
//! it favours neither agent.

mod book;

use tabiya_engine::Rules;
use tabiya_notation::uci;
use tabiya_players::SplitMix;
use tabiya_spec::{ContentHash, library};

use crate::seeds;

/// The source of openings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Openings {
    /// A small book for chess; a few random moves for other games.
    #[default]
    Book,
    /// No opening.
    None,
}

impl Openings {
    /// All sources with their words.
    pub const WORDS: [(&str, Openings); 2] = [("book", Openings::Book), ("none", Openings::None)];

    /// Returns the word on the command line and in records.
    pub fn word(self) -> &'static str {
        match self {
            Openings::Book => "book",
            Openings::None => "none",
        }
    }
}

/// The openings of one match.
#[derive(Debug)]
pub(crate) struct OpeningBook {
    kind: Openings,
    seed: u64,
    /// The lines of the book in the order of this match; empty if the game has no book.
    lines: Vec<&'static str>,
}

impl OpeningBook {
    /// Shuffles the book with a seed.
    pub(crate) fn new(kind: Openings, is_chess: bool, seed: u64) -> Self {
        let mut lines = Vec::new();
        if kind == Openings::Book && is_chess {
            lines.extend(book::LINES.iter().map(|(_, moves)| *moves));
            SplitMix::new(seeds::derive(seed, seeds::OPENINGS, 0)).shuffle(&mut lines);
        }
        OpeningBook { kind, seed, lines }
    }

    /// Returns the opening moves of a pair of games.
    pub(crate) fn opening(&self, rules: &Rules, pair: u32) -> Vec<String> {
        match self.kind {
            Openings::None => Vec::new(),
            Openings::Book if self.lines.is_empty() => at_random(rules, self.seed, pair),
            Openings::Book => {
                let line = self.lines[pair as usize % self.lines.len()];
                line.split(' ').map(str::to_owned).collect()
            }
        }
    }
}

/// Returns the library's name of a game, if it is a library game.
pub(crate) fn name_in_library(hash: ContentHash) -> Option<&'static str> {
    library::games().into_iter().find(|entry| entry.load().hash == hash).map(|entry| entry.name)
}

/// Returns two to four random moves that do not end the game.
fn at_random(rules: &Rules, seed: u64, pair: u32) -> Vec<String> {
    /// After this number of attempts the game starts without an opening.
    const TRIES: u64 = 20;
    let mut dice = SplitMix::new(seeds::derive(seed, seeds::OPENINGS, u64::from(pair)));
    let line = (0..TRIES).find_map(|_| {
        let plies = 2 + dice.below(3);
        let mut position = rules.start();
        let mut texts = Vec::new();
        for _ in 0..plies {
            let moves = rules.legal_moves(&position);
            let played = *moves.get(dice.below(moves.len().max(1)))?;
            texts.push(uci(rules, &position, played));
            position = rules.play_unchecked(&position, played);
        }
        let is_open = rules.outcome(&position).is_none() && position.eliminated().is_empty();
        is_open.then_some(texts)
    });
    line.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use tabiya_notation::{parse_uci, simplified_fen};
    use tabiya_spec::Game;

    use super::*;

    fn game(name: &str) -> Game {
        library::load(name).expect("a library game")
    }

    #[test]
    fn the_book_has_forty_different_legal_lines() {
        let chess = game("chess");
        let mut ends = BTreeSet::new();
        for (name, line) in book::LINES {
            let texts: Vec<&str> = line.split(' ').collect();
            assert!((4..=8).contains(&texts.len()), "{name}");
            let end = texts.iter().fold(chess.rules.start(), |position, text| {
                let played = parse_uci(&chess.rules, &position, text);
                let played = played.unwrap_or_else(|error| panic!("{name}: {error}"));
                assert_eq!(uci(&chess.rules, &position, played), *text, "{name}");
                chess.rules.play_unchecked(&position, played)
            });
            assert!(!chess.rules.in_check(&end, chess.rules.mover(&end)), "{name}");
            assert!(
                ends.insert(simplified_fen(&chess.rules, &end)),
                "{name} leads to the position of another line"
            );
        }
        assert_eq!(ends.len(), 40);
    }

    #[test]
    fn the_seed_determines_the_order_and_pairs_differ() {
        let chess = game("chess");
        let openings = |seed| OpeningBook::new(Openings::Book, true, seed);
        let lines = |seed| (0..40).map(|pair| openings(seed).opening(&chess.rules, pair)).collect::<Vec<_>>();
        assert_eq!(lines(1), lines(1));
        assert_ne!(lines(1), lines(2));
        assert_eq!(lines(1).into_iter().collect::<BTreeSet<_>>().len(), 40);
        assert!(OpeningBook::new(Openings::None, true, 1).opening(&chess.rules, 0).is_empty());
    }

    #[test]
    fn other_games_start_with_a_few_legal_moves() {
        for name in ["knightmate", "fourplayer", "losalamos"] {
            let game = game(name);
            let book = OpeningBook::new(Openings::Book, false, 7);
            let mut openings = BTreeSet::new();
            for pair in 0..20 {
                let opening = book.opening(&game.rules, pair);
                assert!((2..=4).contains(&opening.len()), "{name}: {opening:?}");
                opening.iter().fold(game.rules.start(), |position, text| {
                    let played = parse_uci(&game.rules, &position, text).expect(text);
                    game.rules.play_unchecked(&position, played)
                });
                openings.insert(opening);
            }
            assert!(openings.len() > 10, "{name}");
        }
    }
}
