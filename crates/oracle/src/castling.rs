//! Castling: an unmoved piece and its partner go to their targets at once.

use tabiya_spec::model::{CastleSpec, Coord, Leaver};

use crate::after_move::FinishedMove;
use crate::make_move::MadeMove;
use crate::results::Events;
use crate::{Oracle, Piece, Ply, Spot, Square, State};

impl Oracle<'_> {
    /// Returns the castling move, if it is possible. The safety of leaders afterwards is not tested.
    pub(crate) fn castling(
        &self,
        state: &State,
        spot: Spot,
        piece: &Piece,
        castle: &CastleSpec,
    ) -> Option<(Ply, FinishedMove)> {
        let from = spot.square;
        let (to, with_to) = self.targets(castle, &piece.player)?;
        let partner = self.partner(state, spot, piece, castle)?;
        let way = |from: Square, to: Square| [vec![from], self.straight(from, to), vec![to]].concat();
        let crossed = [way(from, to), way(partner, with_to)].concat();
        let is_free = |square: &Square| {
            [from, partner].contains(square) || self.exists(*square) && !state.pieces.contains_key(square)
        };
        let is_safe =
            |square: &Square| !self.is_leader(&piece.kind) || !self.threatened(state, spot, *square);
        if !crossed.iter().all(is_free) || !way(from, to).iter().all(is_safe) {
            return None;
        }
        let mut made = MadeMove { state: state.clone(), ..MadeMove::default() };
        let own = made.state.pieces.remove(&from)?;
        let other = made.state.pieces.remove(&partner)?;
        made.state.pieces.insert(to, Piece { moved: true, ..own });
        made.state.pieces.insert(with_to, Piece { moved: true, ..other });
        made.mover = Some(Spot { square: to, guest: false });
        if let Some(drop) = &castle.drop {
            let square = if *drop.at == Leaver::Partner { partner } else { from };
            if !self.drop_from_hand(&mut made, state, &piece.player, &drop.piece, square) {
                return None;
            }
        }
        let events = Events { moved: Some(piece.kind.clone()), castled: true, ..Events::default() };
        let finished = self.finished((state, piece, spot, to), made, (None, None), events);
        Some((Ply { from, to, id: *castle.id, ..Ply::default() }, finished))
    }

    /// Returns the square of the partner: the first piece on that side, if it fits.
    fn partner(&self, state: &State, spot: Spot, piece: &Piece, castle: &CastleSpec) -> Option<Square> {
        let squares = self.partner_squares(spot.square, &piece.player, castle)?;
        let found = squares.into_iter().find(|square| state.pieces.contains_key(square))?;
        let is_alone = !spot.guest && ![spot.square, found].iter().any(|it| state.guests.contains_key(it));
        (is_alone && !piece.moved && fits(castle, piece, state.pieces.get(&found)?)).then_some(found)
    }

    /// Returns the squares on which a partner may stand, from the nearest; `None` if the piece is not on the line.
    pub(crate) fn partner_squares(
        &self,
        from: Square,
        player: &str,
        castle: &CastleSpec,
    ) -> Option<Vec<Square>> {
        let (to, with_to) = self.targets(castle, player)?;
        let side = ((to.0 - with_to.0).signum(), (to.1 - with_to.1).signum());
        let is_on_line = if side.0 == 0 { from.0 == to.0 } else { from.1 == to.1 };
        let is_on_level = self.coordinates(from).2 == self.coordinates(to).2;
        let side = Coord::flat(side.0, side.1);
        let step = |at: &Square| Some(self.beside(*at, side)).filter(|at| self.exists(*at));
        (is_on_line && is_on_level).then(|| std::iter::successors(step(&from), step).collect())
    }
}

/// Returns whether a piece is a partner of another, which must be unmoved.
pub(crate) fn fits(castle: &CastleSpec, piece: &Piece, partner: &Piece) -> bool {
    !partner.moved && partner.player == piece.player && castle.with.iter().any(|kind| **kind == partner.kind)
}

impl Oracle<'_> {
    fn targets(&self, castle: &CastleSpec, player: &str) -> Option<(Square, Square)> {
        let to = castle.to.get(player)?.first()?;
        let with_to = castle.with_to.get(player)?.first()?;
        Some((self.at(**to), self.at(**with_to)))
    }
}
