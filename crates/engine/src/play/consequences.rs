//! The consequences of a move for whole armies: players who lost a leader are eliminated or frozen, a leader takes
//! control of a partner's army, figures capture, and captures cause reactions ([`crate::play::reactions`]). Then
//! flags count down.

use smallvec::SmallVec;

use crate::blueprint::mechanics::FigurePlan;
use crate::movegen::walker::Walker;
use crate::piece::{Kind, Player, PlayerSet};
use crate::play::Trial;
use crate::play::results::Making;
use crate::position::{Position, Spot};
use crate::rules::Rules;
use crate::square::{Board, Square};

impl Walker<'_> {
    /// Applies all consequences of the move.
    pub(crate) fn apply_consequences(&self, trial: &mut Trial, making: Making<'_>) {
        if !self.rules.is_plain && !self.rules.mechanics().triggers.is_empty() {
            self.fire_triggers(trial, making);
        }
        if self.rules.has_parts {
            self.go_on(trial, making);
            if trial.goes_on {
                return;
            }
        }
        self.end_move(trial);
    }

    /// Applies the consequences of a whole turn.
    pub(crate) fn end_move(&self, trial: &mut Trial) {
        let lost_leaders = trial.lost_leaders;
        trial.lost_leaders = lost_leaders.without(trial.position.eliminated());
        self.lose_leaders(trial, lost_leaders);
        if !self.rules.is_plain {
            self.apply_mechanics(trial);
        }
        trial.position.count_down();
    }

    /// Applies the consequences that only games with mechanics have.
    fn apply_mechanics(&self, trial: &mut Trial) {
        let mechanics = self.rules.mechanics();
        if mechanics.control.is_some() {
            self.take_control(trial);
        }
        let kind = match trial.mover {
            Some(spot) if trial.changed_pieces => trial.position.kind_at(spot),
            _ => self.kind,
        };
        for figure in mechanics.figures.iter().filter(|figure| figure.kind == kind) {
            let before = trial.lost_leaders;
            self.complete(trial, figure);
            let lost_leaders = trial.lost_leaders.without(before);
            trial.lost_leaders = lost_leaders.without(trial.position.eliminated()).union(before);
            self.lose_leaders(trial, lost_leaders);
        }
        if !trial.captured.is_empty() && !mechanics.reactions.is_empty() {
            self.rules.react(trial);
        }
    }

    /// Eliminates the players who lost a leader, or freezes their armies, and ends all control that they had, also if
    /// they were already out. The captor is the player who chose the capturing move.
    fn lose_leaders(&self, trial: &mut Trial, lost_leaders: PlayerSet) {
        if lost_leaders.is_empty() {
            return;
        }
        let position = &mut trial.position;
        let living = lost_leaders.without(position.eliminated());
        if self.rules.mechanics().leadership.freezes {
            let captor = self.rules.decider(self.position, self.player);
            position.set_frozen(position.frozen().union(living));
            living.iter().for_each(|player| position.set_captor(player, Some(captor)));
        } else {
            position.eliminate(living);
        }
        if self.rules.has_registers {
            lost_leaders.iter().for_each(|player| self.rules.release(position, player));
        }
    }

    /// Gives control of a partner's army to a leader that arrives on the partner's square, and thaws the army if the
    /// rules say so.
    fn take_control(&self, trial: &mut Trial) {
        let Some(control) = self.rules.mechanics().control else { return };
        let Some(Spot { square, .. }) = trial.mover.filter(|_| self.rules.is_leader(self.kind)) else {
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

    /// If the moved piece completes a figure, captures the enemies in it and takes over the partners' pieces.
    fn complete(&self, trial: &mut Trial, figure: &FigurePlan) {
        let Some(mover) = trial.mover.filter(|spot| !spot.guest) else { return };
        if !trial.position.is_kind(figure.kind, mover.square) {
            return;
        }
        let board = &self.rules.board;
        for offset in &figure.shape {
            let anchor = board.within(mover.square, offset.reversed());
            let is_allowed = |anchor: &Square| figure.anchors.as_ref().is_none_or(|all| all.contains(anchor));
            let Some(anchor) = anchor.filter(is_allowed) else { continue };
            if let Some(squares) = standing(&trial.position, figure, board, anchor) {
                self.resolve(trial, mover.square, &squares);
                return;
            }
        }
    }

    fn resolve(&self, trial: &mut Trial, mover: Square, squares: &[Square]) {
        trial.changed_pieces = true;
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
    /// Ends all control of a player over other armies. An army that was handed over permanently is frozen instead, if
    /// armies freeze.
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

    /// Returns the tag value of a new piece on a square.
    pub(crate) fn tag_of(&self, kind: Kind, square: Square) -> Option<u8> {
        let tag = self.mechanics().tag.as_ref().filter(|tag| tag.kinds.contains(&kind))?;
        tag.squares.iter().position(|squares| squares.contains(&square)).map(|value| value as u8)
    }
}

/// Returns the squares of a complete figure: pieces of its kind, each of a different player, none frozen.
fn standing(
    position: &Position,
    figure: &FigurePlan,
    board: &Board,
    anchor: Square,
) -> Option<SmallVec<[Square; 4]>> {
    let mut owners = position.frozen();
    let mut squares = SmallVec::new();
    for offset in &figure.shape {
        let square = board.within(anchor, *offset)?;
        let piece = position.piece(square).filter(|piece| piece.kind == figure.kind)?;
        if owners.contains(piece.player) {
            return None;
        }
        owners = owners.with(piece.player);
        squares.push(square);
    }
    Some(squares)
}
