//! What follows from a move for whole armies, before it is judged: owners of captured leaders are out, or their armies
//! freeze; a leader that arrives on a partner's square takes control; figures capture; captured pieces let others
//! change ([`crate::reactions`]). Then flags count down.

use smallvec::SmallVec;

use crate::landing::Walker;
use crate::mechanics::FigurePlan;
use crate::piece::{Kind, Player, PlayerSet};
use crate::play::Trial;
use crate::position::{Position, Spot};
use crate::rules::Rules;
use crate::square::{Board, Square};

impl Walker<'_> {
    /// What follows from the move.
    pub(crate) fn conclude(&self, trial: &mut Trial) {
        trial.fallen = trial.fallen.without(trial.position.eliminated());
        self.fall(trial, trial.fallen);
        if !self.rules.is_plain {
            self.follow_up(trial);
        }
        trial.position.count_down();
    }

    /// What only follows in games with more than pieces that move and capture.
    fn follow_up(&self, trial: &mut Trial) {
        let mechanics = self.rules.mechanics();
        if mechanics.control.is_some() {
            self.take_control(trial);
        }
        let kind = match trial.mover {
            Some(spot) if trial.is_altered => trial.position.kind_at(spot),
            _ => self.kind,
        };
        for figure in mechanics.figures.iter().filter(|figure| figure.kind == kind) {
            let before = trial.fallen;
            self.complete(trial, figure);
            trial.fallen = trial.fallen.without(trial.position.eliminated()).union(before);
            self.fall(trial, trial.fallen.without(before));
        }
        if !trial.captured.is_empty() {
            self.rules.react(trial);
        }
    }

    /// Those who lost a leader are out, or their armies freeze. They lose all control that they had. Who moved the piece
    /// that took it is the captor of a leader.
    fn fall(&self, trial: &mut Trial, fallen: PlayerSet) {
        if fallen.is_empty() {
            return;
        }
        let position = &mut trial.position;
        if self.rules.mechanics().leadership.freezes {
            let captor = self.rules.decider(self.position, self.player);
            position.set_frozen(position.frozen().union(fallen));
            fallen.iter().for_each(|player| position.set_captor(player, Some(captor)));
        } else {
            position.eliminate(fallen);
        }
        if self.rules.has_registers {
            fallen.iter().for_each(|player| self.rules.release(position, player));
        }
    }

    /// A leader that arrives on a partner's square takes control of his army, and may thaw it.
    fn take_control(&self, trial: &mut Trial) {
        let Some(control) = self.rules.mechanics().control else { return };
        let Some(Spot { square, .. }) = trial.mover.filter(|_| Some(self.kind) == self.rules.leader()) else {
            return;
        };
        let own = PlayerSet::EMPTY.with(self.player);
        for partner in self.rules.team(self.player).without(own).iter() {
            if self.rules.in_region(control.region, partner, square) {
                trial.position.set_controller(partner, Some(self.player));
                if control.thaws {
                    let thawed = PlayerSet::EMPTY.with(partner);
                    trial.position.set_frozen(trial.position.frozen().without(thawed));
                }
            }
        }
    }

    /// If the piece that moved completes a figure, enemies in it are captured, and partners' pieces change sides.
    fn complete(&self, trial: &mut Trial, figure: &FigurePlan) {
        let Some(mover) = trial.mover.filter(|spot| !spot.guest) else { return };
        if !trial.position.is_kind(figure.kind, mover.square) {
            return;
        }
        let board = &self.rules.board;
        for offset in &figure.shape {
            let anchor = board.step(mover.square, offset.reversed());
            let is_allowed = |anchor: &Square| figure.anchors.as_ref().is_none_or(|all| all.contains(anchor));
            let Some(anchor) = anchor.filter(is_allowed) else { continue };
            if let Some(squares) = standing(&trial.position, figure, board, anchor) {
                self.resolve(trial, mover.square, &squares);
                return;
            }
        }
    }

    fn resolve(&self, trial: &mut Trial, mover: Square, squares: &[Square]) {
        trial.is_altered = true;
        for square in squares.iter().filter(|square| **square != mover) {
            let Some(piece) = trial.position.piece(*square) else { continue };
            if self.rules.are_partners(self.player, piece.player) {
                let (piece, tag) = trial.position.take(Spot::host(*square));
                let turned = crate::piece::Piece { player: self.player, ..piece };
                trial.position.put_at(Spot::host(*square), turned, tag);
            } else {
                trial.capture(self.rules, *square);
            }
        }
    }
}

impl Rules {
    /// Ends all control that a player has over others. What was handed to him for good freezes with his own army, if
    /// armies do.
    pub(crate) fn release(&self, position: &mut Position, player: Player) {
        for other in self.players() {
            if position.controller(other) != Some(player) {
                continue;
            }
            if position.has_withdrawn(other) && self.mechanics().leadership.freezes {
                position.set_frozen(position.frozen().with(other));
            } else {
                position.set_controller(other, None);
            }
        }
    }

    /// The value of the game's tag that a new piece gets on a square.
    pub(crate) fn tag_of(&self, kind: Kind, square: Square) -> Option<u8> {
        let tag = self.mechanics().tag.as_ref().filter(|tag| tag.kinds.contains(&kind))?;
        tag.squares.iter().position(|squares| squares.contains(&square)).map(|value| value as u8)
    }
}

/// The squares of a figure that stands there: pieces of its kind, each of another player, none frozen.
fn standing(
    position: &Position,
    figure: &FigurePlan,
    board: &Board,
    anchor: Square,
) -> Option<SmallVec<[Square; 4]>> {
    let mut owners = position.frozen();
    let mut squares = SmallVec::new();
    for offset in &figure.shape {
        let square = board.step(anchor, *offset)?;
        let piece = position.piece(square).filter(|piece| piece.kind == figure.kind)?;
        if owners.contains(piece.player) {
            return None;
        }
        owners = owners.with(piece.player);
        squares.push(square);
    }
    Some(squares)
}
