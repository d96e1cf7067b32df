//! Drops: a piece from the hand is placed on an empty square.

use crate::compile::pattern::{DropPattern, Modifier, Test};
use crate::movegen::walker::{Walker, Way};
use crate::piece::{Kind, Piece, Player};
use crate::play::Trial;
use crate::play::results::{Legality, Making};
use crate::position::{Position, Spot};
use crate::rules::Rules;
use crate::square::Square;

impl Walker<'_> {
    /// Returns whether a condition of a drop holds. The source is the target.
    pub(crate) fn holds_drop(&self, test: &Test, target: Square) -> bool {
        self.holds_on(test, &Way { pattern: None, target, steps: 0, made: None })
    }

    /// Returns the first promotion of a drop whose conditions hold.
    pub(crate) fn drop_promotion<'p>(
        &self,
        pattern: &'p DropPattern,
        target: Square,
    ) -> Option<&'p Modifier> {
        let fires = |modifier: &&Modifier| modifier.tests.iter().all(|test| self.holds_drop(test, target));
        pattern.modifiers.iter().find(fires)
    }

    /// Returns the position after a drop, if it is legal. The next turn is not settled yet.
    pub(crate) fn finish_drop(
        &self,
        pattern: &DropPattern,
        target: Square,
        promotion: Option<Kind>,
        legality: Legality<'_>,
    ) -> Option<Position> {
        let mut trial = Trial::new(self.position);
        self.place(&mut trial, pattern, target, promotion);
        self.finish_trial(trial, legality, Making::Drop { pattern, target, promotion })
    }

    /// Makes a drop that is known to be legal, reusing the allocation of the trial.
    pub(crate) fn make_drop<'t>(
        &self,
        trial: &'t mut Trial,
        pattern: &DropPattern,
        target: Square,
        promotion: Option<Kind>,
    ) -> &'t Position {
        trial.begin(self.position);
        self.place(trial, pattern, target, promotion);
        self.apply_consequences(trial, Making::Drop { pattern, target, promotion });
        self.finish_turn(trial);
        &trial.position
    }

    /// Takes the piece from the hand and places it. A dropped piece counts as moved, unless the drop says otherwise.
    fn place(&self, trial: &mut Trial, pattern: &DropPattern, target: Square, promotion: Option<Kind>) {
        trial.changed_pieces = true;
        let left = self.position.in_hand(self.player, self.kind).saturating_sub(1);
        trial.position.set_in_hand(self.player, self.kind, left);
        let kind = promotion.unwrap_or(self.kind);
        let piece = Piece { player: self.player, kind, unmoved: pattern.unmoved };
        let spot = Spot::host(target);
        trial.position.put_at(spot, piece, self.rules.tag_of(kind, target));
        trial.mover = Some(spot);
    }
}

impl Trial {
    /// Takes a piece from the hand and places it together with a move of another piece. It counts as moved.
    pub(crate) fn put_from_hand(&mut self, rules: &Rules, player: Player, kind: Kind, square: Square) {
        self.changed_pieces = true;
        let left = self.position.in_hand(player, kind).saturating_sub(1);
        self.position.set_in_hand(player, kind, left);
        let piece = Piece { player, kind, unmoved: false };
        self.position.put_at(Spot::host(square), piece, rules.tag_of(kind, square));
    }
}
