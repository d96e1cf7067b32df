//! Figures: a moved piece completes a shape with pieces of its kind that belong to other players.

use tabiya_spec::model::FigureSpec;

use crate::geometry::back;
use crate::make_move::MadeMove;
use crate::{Oracle, Square, State};

impl Oracle<'_> {
    /// Applies, for each entry of the spec, the first complete figure that contains the moved piece.
    pub(crate) fn complete_figures(&self, made: &mut MadeMove, chooser: &str) {
        for figure in self.spec.figures.iter() {
            let Some(spot) = made.mover.filter(|spot| !spot.guest) else { return };
            let Some(squares) = self.figure_at(&made.state, figure, spot.square) else { continue };
            let Some(owner) = made.state.at(spot).map(|piece| piece.player.clone()) else { return };
            let before = made.captured.len();
            for square in squares {
                let Some(piece) = made.state.pieces.get_mut(&square) else { continue };
                if self.same_team(&piece.player, &owner) {
                    piece.player.clone_from(&owner);
                } else {
                    made.capture(square);
                }
            }
            self.capture_leaders(&mut made.state, &made.captured[before..], chooser);
        }
    }

    /// Returns the squares of a complete figure that contains the square. Of several, it is the one in which the square
    /// comes first in the shape.
    fn figure_at(&self, state: &State, figure: &FigureSpec, moved: Square) -> Option<Vec<Square>> {
        let laid =
            |anchor: Square| figure.shape.iter().map(|at| self.beside(anchor, **at)).collect::<Vec<Square>>();
        let may_stand = |anchor: &Square| match &figure.anchors {
            Some(anchors) => anchors.iter().any(|at| self.at(**at) == *anchor),
            None => self.exists(*anchor),
        };
        let anchors = figure.shape.iter().map(|at| self.beside(moved, back(**at))).filter(may_stand);
        anchors.map(laid).find(|squares| is_complete(state, figure, squares))
    }
}

/// Returns whether all squares hold pieces of the right kind, of different players, and none frozen.
fn is_complete(state: &State, figure: &FigureSpec, squares: &[Square]) -> bool {
    let mut owners = Vec::new();
    squares.iter().all(|square| {
        let found = state.pieces.get(square).filter(|piece| piece.kind == **figure.piece);
        found.is_some_and(|piece| {
            let fits = !owners.contains(&&piece.player) && !state.frozen.contains(&piece.player);
            owners.push(&piece.player);
            fits
        })
    })
}
