//! Attacks on a square: whether an opponent could capture a piece that stands there.

use std::ops::ControlFlow;

use crate::blueprint::mechanics::{Exposure, Leadership, Lost};
use crate::compile::pattern::Action;
use crate::movegen::walker::Walker;
use crate::piece::{Kind, Piece, Player};
use crate::position::{Position, Spot};
use crate::rules::Rules;
use crate::square::Square;

impl Rules {
    /// Returns whether an opponent could capture a piece of `victim` on the square.
    pub fn is_attacked(&self, position: &Position, square: Square, victim: Player) -> bool {
        let about = position.piece(square).map(|piece| piece.kind);
        self.attacks_any(position, (victim, about), std::iter::once(square))
    }

    /// Returns whether an opponent could capture a piece of the victim on one of these squares. `about` is its kind, if
    /// known.
    fn attacks_any(
        &self,
        position: &Position,
        (victim, about): (Player, Option<Kind>),
        mut squares: impl Iterator<Item = Square>,
    ) -> bool {
        if self.captures_backfire {
            return squares.any(|square| self.is_safely_captured(position, square, victim));
        }
        self.general.attacks_any(self, position, (victim, about), squares)
    }

    /// Returns whether an opponent could capture a piece on the square without losing a leader to the effects of the
    /// capture.
    fn is_safely_captured(&self, position: &Position, square: Square, victim: Player) -> bool {
        let absent = position.eliminated().union(position.frozen()).union(self.team(victim));
        let captors = position.all_pieces().filter(|(_, piece)| !absent.contains(piece.player));
        captors.into_iter().any(|(spot, piece)| self.captures_on(position, (spot, piece), square))
    }

    /// Returns whether a player is in check: a leader whose loss decides is attacked, or all leaders are, if the rules say
    /// so.
    pub fn in_check(&self, position: &Position, player: Player) -> bool {
        let leaders = self.leaders_of(player);
        let attacked = |kind: Kind, square: Square| {
            self.attacks_any(position, (player, Some(kind)), std::iter::once(square))
        };
        let Leadership { lost, check_all, .. } = self.mechanics().leadership;
        // One of a group decides if it is the last, and all of a group may have to be attacked.
        let in_check = |kinds: &[Kind]| {
            let mut pieces =
                kinds.iter().flat_map(|kind| position.squares_of(player, *kind).map(|at| (*kind, at)));
            let Some(first) = pieces.next() else { return false };
            match pieces.next() {
                None => attacked(first.0, first.1),
                Some(second) => {
                    check_all
                        && [first, second].into_iter().chain(pieces).all(|(kind, at)| attacked(kind, at))
                }
            }
        };
        match lost {
            Lost::Any => leaders.iter().any(|leader| {
                let about = (player, Some(*leader));
                self.attacks_any(position, about, position.squares_of(player, *leader))
            }),
            Lost::Last => in_check(leaders),
            Lost::LastOfKind => leaders.iter().any(|leader| in_check(std::slice::from_ref(leader))),
        }
    }

    /// Returns whether an opponent of the player is in check.
    pub fn gives_check(&self, position: &Position, player: Player) -> bool {
        let opponents = self.alive(position).without(self.team(player)).without(position.frozen());
        opponents.iter().any(|opponent| self.in_check(position, opponent))
    }

    /// Returns whether the loss of the player's leader on a square decides.
    pub(crate) fn is_decisive(&self, position: &Position, player: Player, square: Square) -> bool {
        let leaders = self.leaders_of(player);
        let Some(kind) = leaders.iter().find(|kind| position.is_kind(**kind, square)) else { return false };
        let count = |kinds: &[Kind]| {
            kinds.iter().map(|kind| position.squares_of(player, *kind).count()).sum::<usize>()
        };
        match self.mechanics().leadership.lost {
            Lost::Any => true,
            Lost::Last => count(leaders) == 1,
            Lost::LastOfKind => count(&[*kind]) == 1,
        }
    }

    /// Returns whether a player has lost with the capture of a leader, which is no longer on the board.
    pub(crate) fn has_lost(&self, position: &Position, captured: Piece) -> bool {
        let leaders = self.leaders_of(captured.player);
        let has = |kind: Kind| position.squares_of(captured.player, kind).next().is_some();
        leaders.contains(&captured.kind)
            && match self.mechanics().leadership.lost {
                Lost::Any => true,
                Lost::Last => !leaders.iter().any(|kind| has(*kind)),
                Lost::LastOfKind => !has(captured.kind),
            }
    }

    /// Returns whether a piece could capture what stands on a square, disregarding the safety of its leader. A capture
    /// whose effects remove the leader does not count.
    pub(crate) fn captures_on(
        &self,
        position: &Position,
        (spot, piece): (Spot, Piece),
        square: Square,
    ) -> bool {
        let walker = Walker::for_attack(self, position, piece.player, piece.kind, spot.square);
        walker.patterns().iter().any(|pattern| {
            let mut hits = |to: Square, action: &Action| {
                let is_hit = to == square
                    && action.captures
                    && !(self.captures_backfire && walker.backfires(pattern, action, to));
                if is_hit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            walker.landings(pattern, &mut hits).is_break()
        })
    }

    /// Returns whether leaders may currently be left attacked.
    pub(crate) fn exposure_now(&self, position: &Position) -> Exposure {
        match self.mechanics().leadership.exposure {
            Exposure::AllowedInCheck if self.in_check(position, self.mover(position)) => Exposure::Allowed,
            exposure => exposure,
        }
    }

    /// Returns whether an attacked leader of the player to move can move, and therefore must.
    pub(crate) fn leader_must_move(&self, position: &Position) -> bool {
        self.mechanics().leadership.must_move && self.general.leader_must_move(self, position)
    }

    /// Returns whether a piece would be attacked on another square. The piece is lifted from its own square first, so
    /// that it does not block a line, and replaces the piece on the other square.
    pub(crate) fn would_be_attacked(&self, position: &Position, piece: (Spot, Piece), on: Square) -> bool {
        let (from, piece) = piece;
        if on == from.square {
            return self.is_attacked(position, on, piece.player);
        }
        let is_alone = !self.captures_backfire && !from.guest && !position.has_guest(from.square);
        let plainly = if is_alone {
            self.general.attacks_after(self, position, piece.player, (from.square, on))
        } else {
            None
        };
        plainly.unwrap_or_else(|| {
            let mut imagined = position.clone();
            if imagined.has_guest(on) {
                imagined.take(Spot::guest(on));
            }
            if imagined.occupied(on) {
                imagined.remove(on);
            }
            let (piece, tag) = imagined.take(from);
            imagined.put_at(Spot::host(on), piece, tag);
            if !from.guest {
                imagined.move_marks(from.square, on);
            }
            imagined.settle_guest(from.square);
            self.is_attacked(&imagined, on, piece.player)
        })
    }
}
