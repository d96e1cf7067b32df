//! Castling: an unmoved piece and its partner go to fixed squares at once.
//!
//! The partner is the first piece beside the castling piece: everything between the two must be empty, so no other piece
//! can be meant. A partner is found on the board, not by an offset, so castling works from every starting array.

use crate::blueprint::{CastleDrop, CastlePlan};
use crate::movegen::walker::Walker;
use crate::moves::Move;
use crate::piece::{Kind, Piece};
use crate::play::Trial;
use crate::play::results::{Legality, Making};
use crate::position::{Mark, Position, Spot};
use crate::rules::Rules;
use crate::square::{Board, Offset, Square};

/// Where the two pieces of a castling move stand and go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Castling {
    /// The square of the piece that castles.
    pub from: Square,
    /// Its target, which may be the same square.
    pub to: Square,
    /// The square of its partner.
    pub partner: Square,
    /// The target of the partner.
    pub partner_to: Square,
}

/// Why a piece cannot castle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastlingFault {
    /// The piece has moved.
    Moved,
    /// There is no partner on that side.
    NoPartner,
    /// The partner, on this square, has moved.
    PartnerMoved(Square),
    /// A piece stands on a square that must be empty, or there is a hole.
    Blocked(Square),
    /// An opponent attacks a square on the way of the piece.
    Attacked(Square),
}

impl Castling {
    /// Returns the squares that must be empty: those that the two pieces cross or enter, without their own.
    pub(crate) fn empty_squares(self, board: &Board) -> impl Iterator<Item = Square> {
        let of_piece = line(board, self.from, self.to);
        let of_partner = line(board, self.partner, self.partner_to);
        of_piece.chain(of_partner).filter(move |square| ![self.from, self.partner].contains(square))
    }

    /// Returns the square on which a piece is dropped at the same time.
    pub(crate) fn left(self, drop: CastleDrop) -> Square {
        if drop.of_partner { self.partner } else { self.from }
    }

    /// Returns the squares that must not be attacked: from the source of the piece to its target.
    pub(crate) fn safe_squares(self, board: &Board) -> impl Iterator<Item = Square> {
        line(board, self.from, self.to)
    }
}

/// Returns the squares from one to another on a line, with both ends. Holes count: their squares have a number.
pub(crate) fn line(board: &Board, from: Square, to: Square) -> impl Iterator<Item = Square> + use<> {
    let ([x, y, z], [to_x, to_y, to_z]) = (board.place(from), board.place(to));
    let (unit, units) = Offset::on_levels(to_x - x, to_y - y, to_z - z).unit();
    let units = if from == to { 0 } else { units as i32 };
    let by = board.index_difference(unit);
    (0..=units).map(move |step| Square((i32::from(from.0) + by * step) as u16))
}

impl CastlePlan {
    /// Returns the direction from a piece to its partner, if the piece stands on the line of the targets.
    pub fn side(&self, board: &Board, from: Square, targets: (Square, Square)) -> Option<Offset> {
        let ((x, y), (to_x, to_y)) = (board.coords(from), board.coords(targets.0));
        let (partner_x, partner_y) = board.coords(targets.1);
        let side = Offset::new(to_x - partner_x, to_y - partner_y).unit().0;
        let is_on_line = if side.dx == 0 { x == to_x } else { y == to_y };
        is_on_line.then_some(side)
    }
}

impl Rules {
    /// Returns where the pieces of a castling move stand and go; `None` for every other move. The move must be legal.
    pub fn castling(&self, position: &Position, played: Move) -> Option<Castling> {
        let kind = played.dropped().is_none().then(|| position.kind_at(played.spot()))?;
        let plan = self.castle_plan(kind, played)?;
        self.walker(position, kind, played.from).find_castling(plan).ok()?
    }

    /// Returns the castling move to which the pattern of a move refers.
    pub(crate) fn castle_plan(&self, kind: Kind, played: Move) -> Option<&CastlePlan> {
        let plan = self.kind(kind);
        plan.castles.get(usize::from(played.pattern).checked_sub(plan.moves.len())?)
    }

    fn walker<'a>(&'a self, position: &'a Position, kind: Kind, from: Square) -> Walker<'a> {
        Walker::for_landing(self, position, self.mover(position), kind, from)
    }
}

impl Walker<'_> {
    /// Returns where the pieces stand and go, or `Ok(None)` if the piece does not stand where it could castle.
    pub(crate) fn find_castling(&self, plan: &CastlePlan) -> Result<Option<Castling>, CastlingFault> {
        let board = &self.rules.board;
        let Some(targets) = plan.targets[self.player.index()] else { return Ok(None) };
        let Some(side) = plan.side(board, self.source, targets) else { return Ok(None) };
        let spot = self.spot();
        if !self.position.piece_at(spot).is_some_and(|piece| piece.unmoved) {
            return Err(CastlingFault::Moved);
        }
        let mut beside = std::iter::successors(board.within(self.source, side), |at| board.within(*at, side));
        let partner =
            beside.find(|square| self.position.occupied(*square)).ok_or(CastlingFault::NoPartner)?;
        let fits = |piece: &Piece| piece.player == self.player && plan.partners.contains(&piece.kind);
        let piece = self.position.piece(partner).filter(fits).ok_or(CastlingFault::Blocked(partner))?;
        if let Some(square) = [self.source, partner].into_iter().find(|it| self.position.has_guest(*it)) {
            return Err(CastlingFault::Blocked(square));
        }
        if spot.guest || !piece.unmoved {
            return Err(CastlingFault::PartnerMoved(partner));
        }
        let (to, partner_to) = targets;
        Ok(Some(Castling { from: self.source, to, partner, partner_to }))
    }

    /// Returns a castling move, apart from the safety of the leader afterwards.
    pub(crate) fn try_castling(&self, plan: &CastlePlan) -> Result<Option<Castling>, CastlingFault> {
        let Some(castling) = self.find_castling(plan)? else { return Ok(None) };
        let board = &self.rules.board;
        let is_blocked = |square: &Square| !board.has(*square) || self.position.occupied(*square);
        if let Some(square) = castling.empty_squares(board).find(is_blocked) {
            return Err(CastlingFault::Blocked(square));
        }
        let is_leader = self.rules.is_decisive(self.position, self.player, self.source);
        let is_unsafe = |square: &Square| is_leader && self.would_be_attacked(*square);
        if plan.drop.is_some_and(|drop| !self.can_drop(drop, castling)) {
            return Ok(None);
        }
        match castling.safe_squares(board).find(is_unsafe) {
            Some(square) => Err(CastlingFault::Attacked(square)),
            None => Ok(Some(castling)),
        }
    }

    /// Returns the position after castling, if the leader is safe there.
    pub(crate) fn finish_castling(
        &self,
        plan: &CastlePlan,
        castling: Castling,
        legality: Legality<'_>,
    ) -> Option<Position> {
        let mut trial = Trial::new(self.position);
        castle(&mut trial, castling);
        if let Some(drop) = plan.drop {
            trial.put_from_hand(self.rules, self.player, drop.kind, castling.left(drop));
        }
        let drop = plan.drop.map(|drop| (drop.kind, castling.left(drop)));
        self.finish_trial(trial, legality, Making::Castling { target: castling.to, drop })
    }

    /// Returns whether the piece is in hand and its square stays empty.
    fn can_drop(&self, drop: CastleDrop, castling: Castling) -> bool {
        let square = castling.left(drop);
        self.position.in_hand(self.player, drop.kind) > 0
            && ![castling.to, castling.partner_to].contains(&square)
    }
}

/// Moves both pieces with their flags. Both count as moved, also if one stays where it is.
fn castle(trial: &mut Trial, castling: Castling) {
    let Castling { from, to, partner, partner_to } = castling;
    let position = &mut trial.position;
    let flags: Vec<Mark> = position
        .marks()
        .iter()
        .filter_map(|mark| match mark.square {
            square if square == from => Some(Mark { square: to, ..*mark }),
            square if square == partner => Some(Mark { square: partner_to, ..*mark }),
            _ => None,
        })
        .collect();
    let both = [(from, to), (partner, partner_to)].map(|(from, to)| {
        position.drop_marks(from);
        (to, position.take(Spot::host(from)))
    });
    for (to, (piece, tag)) in both {
        position.put_at(Spot::host(to), Piece { unmoved: false, ..piece }, tag);
    }
    for flag in flags {
        position.mark(flag);
    }
    trial.mover = Some(Spot::host(to));
}
