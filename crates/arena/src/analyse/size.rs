//! Estimates of the size of a game, as powers of ten. Each names its method.

use serde::Serialize;
use tabiya_engine::{Kind, Player, Position, Rules};

/// An estimated number, as a power of ten.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SizeEstimate {
    /// The logarithm to the base 10.
    pub log10: f64,
    /// How it was estimated.
    pub method: &'static str,
}

/// Estimates the number of courses of a game from the number of legal moves on all turns of each game.
pub(super) fn game_tree<'s>(games: impl Iterator<Item = &'s [u16]>) -> SizeEstimate {
    let logs: Vec<f64> =
        games.map(|choices| choices.iter().map(|number| f64::from((*number).max(1)).log10()).sum()).collect();
    let log10 = logs.iter().sum::<f64>() / logs.len().max(1) as f64;
    SizeEstimate { log10, method: "mean over the games of the product of legal moves on all turns" }
}

/// Estimates the number of positions: an upper bound for positions without promoted pieces.
pub(super) fn state_space(rules: &Rules, start: &Position) -> SizeEstimate {
    let squares = rules.board().squares().count();
    let number = |player: Player, kind: Kind| {
        start.all_pieces().filter(|(_, piece)| piece.player == player && piece.kind == kind).count()
    };
    let turns = rules.order().len().max(1) as f64;
    let mut log10 = turns.log10();
    for player in rules.players() {
        for kind in rules.kinds() {
            log10 += log10_arrangements(squares, number(player, kind));
        }
    }
    let method = "arrangements of the pieces of the start, on the board or captured, times the turns";
    SizeEstimate { log10, method }
}

/// Returns the logarithm of the number of ways to place up to `pieces` equal pieces on different squares.
fn log10_arrangements(squares: usize, pieces: usize) -> f64 {
    let (mut ways, mut sum) = (1.0_f64, 1.0_f64);
    // Numbers up to 10^308 are exact enough; more pieces than that are estimated by the last term.
    let mut log10 = 0.0;
    for placed in 0..pieces.min(squares) {
        ways *= (squares - placed) as f64 / (placed + 1) as f64;
        sum += ways;
        if sum > 1e200 {
            log10 += 200.0;
            ways /= 1e200;
            sum /= 1e200;
        }
    }
    log10 + sum.log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_chess_agree_with_the_literature() {
        let rules = tabiya_spec::library::load("chess").unwrap().rules;
        let states = state_space(&rules, &rules.start());
        // Shannon's bound for positions without captures is 10^43; with captures and side to move it is near 10^47.
        assert!((45.0..48.0).contains(&states.log10), "{states:?}");
        let tree = game_tree([&[35u16; 80][..]].into_iter());
        assert!((tree.log10 - 123.5).abs() < 0.1, "{tree:?}");
    }

    #[test]
    fn arrangements_are_counted() {
        assert!(log10_arrangements(10, 0).abs() < 1e-12);
        assert!((log10_arrangements(4, 4) - 16.0_f64.log10()).abs() < 1e-12);
        assert!((log10_arrangements(1000, 1000) - 1000.0 * 2.0_f64.log10()).abs() < 1e-6);
    }
}
