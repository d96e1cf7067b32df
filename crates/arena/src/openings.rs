//! How games begin, so that two who always play alike do not play the same game again and again. Each opening is played
//! twice, with the seats changed, so that it favours nobody.

mod book;

use tabiya_engine::Rules;
use tabiya_notation::uci;
use tabiya_players::SplitMix;
use tabiya_spec::{ContentHash, library};

use crate::chance;

/// How games begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Openings {
    /// Chess by a small book, every other game by a few moves at random.
    #[default]
    Book,
    /// At the start.
    None,
}

impl Openings {
    /// Every way, by its word.
    pub const WORDS: [(&str, Openings); 2] = [("book", Openings::Book), ("none", Openings::None)];

    /// The word for records and programs.
    pub fn word(self) -> &'static str {
        match self {
            Openings::Book => "book",
            Openings::None => "none",
        }
    }
}

/// The openings of one match.
#[derive(Debug)]
pub(crate) struct Shelf {
    kind: Openings,
    seed: u64,
    /// The lines of the book in the order of this match; empty if the game has none.
    lines: Vec<&'static str>,
}

impl Shelf {
    /// Puts the book into the order of a seed.
    pub(crate) fn new(kind: Openings, is_chess: bool, seed: u64) -> Self {
        let mut lines = Vec::new();
        if kind == Openings::Book && is_chess {
            lines.extend(book::LINES.iter().map(|(_, moves)| *moves));
            SplitMix::new(chance::seed(seed, chance::BOOK, 0)).shuffle(&mut lines);
        }
        Shelf { kind, seed, lines }
    }

    /// The moves before anybody is asked in the pair of games of this number.
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

/// What a game is called in the library, if it is there.
pub(crate) fn name_in_library(hash: ContentHash) -> Option<&'static str> {
    library::games().into_iter().find(|entry| entry.load().hash == hash).map(|entry| entry.name)
}

/// Two to four moves, after which the game is not over.
fn at_random(rules: &Rules, seed: u64, pair: u32) -> Vec<String> {
    /// A game that is over after any moves is played from its start.
    const TRIES: u64 = 20;
    let mut dice = SplitMix::new(chance::seed(seed, chance::BOOK, u64::from(pair)));
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
    fn the_book_has_forty_sound_lines() {
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
            assert!(ends.insert(simplified_fen(&chess.rules, &end)), "{name} leads where another line does");
        }
        assert_eq!(ends.len(), 40);
    }

    #[test]
    fn a_seed_gives_an_order_and_pairs_differ() {
        let chess = game("chess");
        let shelf = |seed| Shelf::new(Openings::Book, true, seed);
        let lines = |seed| (0..40).map(|pair| shelf(seed).opening(&chess.rules, pair)).collect::<Vec<_>>();
        assert_eq!(lines(1), lines(1));
        assert_ne!(lines(1), lines(2));
        assert_eq!(lines(1).into_iter().collect::<BTreeSet<_>>().len(), 40);
        assert!(Shelf::new(Openings::None, true, 1).opening(&chess.rules, 0).is_empty());
    }

    #[test]
    fn other_games_begin_with_a_few_legal_moves() {
        for name in ["knightmate", "fourplayer", "losalamos"] {
            let game = game(name);
            let shelf = Shelf::new(Openings::Book, false, 7);
            let mut openings = BTreeSet::new();
            for pair in 0..20 {
                let opening = shelf.opening(&game.rules, pair);
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
