//! Figures: pieces of one kind and of different players, in a shape that the piece which has just moved completes.

use tabiya_spec::model::FigureSpec;

use crate::making::Made;
use crate::{Oracle, Square, State};

impl Oracle<'_> {
    /// Of each entry of the file, the first figure in which the moved piece stands works for its owner.
    pub(crate) fn complete_figures(&self, made: &mut Made, chooser: &str) {
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
            self.leaders_fall(&mut made.state, &made.captured[before..], chooser);
        }
    }

    /// The squares of a complete figure that contains the square. If there are several, it is the one in which that
    /// square comes first in the shape.
    fn figure_at(&self, state: &State, figure: &FigureSpec, moved: Square) -> Option<Vec<Square>> {
        let laid =
            |(x, y): Square| figure.shape.iter().map(|at| (x + at.x, y + at.y)).collect::<Vec<Square>>();
        let may_stand = |anchor: &Square| match &figure.anchors {
            Some(anchors) => anchors.iter().any(|at| (at.x, at.y) == *anchor),
            None => self.exists(*anchor),
        };
        let anchors = figure.shape.iter().map(|at| (moved.0 - at.x, moved.1 - at.y)).filter(may_stand);
        anchors.map(laid).find(|squares| is_complete(state, figure, squares))
    }
}

/// Whether pieces of the right kind stand on all squares, each of another player, and none frozen.
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
