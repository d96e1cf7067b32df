//! The dialect of a game's messages. Chess has its own, which chess agents expect; all other games share the general one.

use tabiya_engine::Rules;
use tabiya_notation::{parse_state, simplified_fen};

/// The dialect of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Squares as `e4`, pieces as `P` and `p`, named castling rights and en passant square.
    Chess,
    /// The state as `tabiya show --format json` prints it, squares as `[x,y]`.
    General,
}

/// The starting position of chess.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

/// Chess positions with their perft counts. Together they cover castling, en passant and promotion, legal and illegal.
const COUNTS: [(&str, &[u64]); 4] = [
    (START, &[20, 400, 8902]),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", &[48, 2039]),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", &[14, 191, 2812]),
    ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - -", &[24, 496]),
];

impl Dialect {
    /// Returns the dialect of a game. A game is chess if it has the start and the perft counts of chess, no matter what it is
    /// called or how its rules are written.
    pub fn of(rules: &Rules) -> Self {
        let names: Vec<&str> = rules.players().map(|player| rules.player(player).name.as_str()).collect();
        let is_chess = names == ["WHITE", "BLACK"]
            // The only flag is the one for en passant.
            && rules.blueprint().flags().len() == 1
            // Counts of paths do not see counters.
            && rules.mechanics().counters.is_empty()
            && rules.mechanics().hands.is_none()
            // Nor endings on squares that they do not reach.
            && !rules.endings().iter().any(|ending| ending.stops)
            && simplified_fen(rules, &rules.start()) == START
            && COUNTS.iter().all(|(text, counts)| counts_as(rules, text, counts));
        if is_chess { Dialect::Chess } else { Dialect::General }
    }
}

/// Stops at the first wrong count, so that a game with many more moves is rejected quickly.
fn counts_as(rules: &Rules, text: &str, counts: &[u64]) -> bool {
    let Ok(state) = parse_state(rules, text) else { return false };
    (1..).zip(counts).all(|(depth, count)| rules.perft(&state.position, depth) == *count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_chess_is_chess() {
        for entry in tabiya_spec::library::games() {
            let rules = tabiya_spec::load(entry.json.as_bytes()).game.expect("it can be played").rules;
            let expected = if entry.name == "chess" { Dialect::Chess } else { Dialect::General };
            assert_eq!(Dialect::of(&rules), expected, "{}", entry.name);
        }
    }
}
