//! Which form the messages of a game take: chess has one of its own, which agents for chess expect; every other game has
//! the general one.

use tabiya_engine::Rules;
use tabiya_notation::{parse_state, simplified_fen};

/// The form of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Squares as `e4`, pieces as `P` and `p`, castling rights and the en-passant square by name.
    Chess,
    /// The state as `tabiya show --format json` prints it, squares as `[x,y]`.
    General,
}

/// The start of chess.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

/// Positions of chess, and how many ways lead one, two … moves on from there. Between them they have castling, captures
/// in passing and promotion, possible and not.
const COUNTS: [(&str, &[u64]); 4] = [
    (START, &[20, 400, 8902]),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", &[48, 2039]),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", &[14, 191, 2812]),
    ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - -", &[24, 496]),
];

impl Form {
    /// The form for a game. A game is chess if it starts as chess does and goes on as chess does, whatever it is called
    /// and however its rules are written; no rule of chess is written here.
    pub fn of(rules: &Rules) -> Self {
        let names: Vec<&str> = rules.players().map(|player| rules.player(player).name.as_str()).collect();
        let is_chess = names == ["WHITE", "BLACK"]
            // The en-passant square is the only thing that a piece can carry.
            && rules.blueprint().flags().len() == 1
            && simplified_fen(rules, &rules.start()) == START
            && COUNTS.iter().all(|(text, counts)| counts_as(rules, text, counts));
        if is_chess { Form::Chess } else { Form::General }
    }
}

/// Each count is made only if the one before was right, so a game with very many moves does not take long.
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
            let rules = entry.load().rules;
            let expected = if entry.name == "chess" { Form::Chess } else { Form::General };
            assert_eq!(Form::of(&rules), expected, "{}", entry.name);
        }
    }
}
