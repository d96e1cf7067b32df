//! How each kind of piece moves, drawn: it is put alone on the board of its game, and then beside one enemy after another.

use std::time::{Duration, Instant};

use tabiya_engine::{Kind, Piece, Player, Rules, Setup, Square};

use crate::view::square;
use crate::wire::Diagram;

/// However large a game is, its drawings are made within this time; the rest is left out.
const PATIENCE: Duration = Duration::from_millis(500);
/// So far away from the piece enemies are tried.
const REACH: i32 = 8;

/// A drawing for each kind that somebody can have.
pub(crate) fn diagrams(rules: &Rules) -> Vec<Diagram> {
    let until = Instant::now() + PATIENCE;
    rules.kinds().take_while(|_| Instant::now() < until).map(|kind| diagram(rules, kind, until)).collect()
}

fn diagram(rules: &Rules, kind: Kind, until: Instant) -> Diagram {
    let start = rules.blueprint().start();
    let player = start.iter().find(|placed| placed.kind == kind).map_or(Player(0), |placed| placed.player);
    let at = middle(rules);
    // A man who has moved and one who has not may go to different squares.
    let lone = |unmoved: bool| (at, Piece { kind, player, unmoved });
    let mut goes: Vec<Square> =
        [true, false].into_iter().flat_map(|unmoved| landings(rules, &[lone(unmoved)], player)).collect();
    goes.sort_unstable();
    goes.dedup();
    let (x, y) = rules.board().coords(at);
    let is_near = |other: &Square| {
        let (other_x, other_y) = rules.board().coords(*other);
        *other != at && (other_x - x).abs() <= REACH && (other_y - y).abs() <= REACH
    };
    let enemy = rules.players().find(|other| !rules.team(player).contains(*other));
    // A leader who can be taken would end the game. Some cannot take each other, so several are tried.
    let victims = || rules.kinds().filter(|other| rules.leader() != Some(*other));
    let takes =
        rules.board().squares().filter(is_near).take_while(|_| Instant::now() < until).filter(|other| {
            let Some(enemy) = enemy else { return false };
            victims().any(|kind| {
                let stranger = (*other, Piece { kind, player: enemy, unmoved: false });
                landings(rules, &[lone(false), stranger], player).contains(other)
            })
        });
    let takes = takes.map(|it| square(rules, it)).collect();
    Diagram {
        kind: kind.index(),
        player: player.index(),
        files: rules.board().files(),
        ranks: rules.board().ranks(),
        at: square(rules, at),
        goes: goes.into_iter().map(|it| square(rules, it)).collect(),
        takes,
    }
}

/// Where the first of some men can go.
fn landings(rules: &Rules, men: &[(Square, Piece)], player: Player) -> Vec<Square> {
    let order = rules.order();
    let slot = order.iter().position(|other| *other == player).unwrap_or_default() as u16;
    let setup = Setup { pieces: men.to_vec(), slot, ..Setup::default() };
    let Ok(position) = rules.position(&setup) else { return Vec::new() };
    let moves = rules.legal_moves(&position).into_iter();
    moves.filter(|played| played.from == men[0].0).map(|played| played.to).collect()
}

/// The square in the middle of the board, or the nearest to it that is there.
fn middle(rules: &Rules) -> Square {
    let board = rules.board();
    let (x, y) = (i32::from(board.files() - 1) / 2, i32::from(board.ranks() - 1) / 2);
    let distance = |other: &Square| {
        let (other_x, other_y) = board.coords(*other);
        (other_x - x).abs().max((other_y - y).abs())
    };
    board.squares().min_by_key(distance).unwrap_or(Square(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pawn_goes_ahead_and_takes_aside() {
        let rules = tabiya_spec::library::load("chess").unwrap().rules;
        let drawn = diagrams(&rules);
        let of =
            |code: &str| drawn.iter().find(|it| rules.kind(Kind(it.kind as u8)).code == code).expect(code);
        let pawn = of("PAWN");
        let at = crate::wire::Square;
        assert_eq!((pawn.at, pawn.goes.as_slice()), (at([3, 3]), &[at([3, 4]), at([3, 5])][..]));
        assert_eq!(pawn.takes, [at([2, 4]), at([4, 4])]);
        assert_eq!(of("KNIGHT").goes.len(), 8);
        assert_eq!(of("KNIGHT").takes.len(), 8);
        assert_eq!(of("QUEEN").goes.len(), 27);
    }
}
