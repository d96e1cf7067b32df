//! Where pieces can be unmoved. Some tables assume it; positions that break the assumption are not supported.

use crate::blueprint::Condition;
use crate::movegen::fast::bits::Bits;
use crate::piece::{Kind, Player};
use crate::position::Position;
use crate::rules::Rules;
use crate::square::Square;

/// Squares on which no piece of a kind can be unmoved, as far as the rules lead.
pub(crate) struct UnmovedGuard<B> {
    player: usize,
    kind: usize,
    impossible: B,
}

impl<B: Bits> UnmovedGuard<B> {
    /// Returns the guards of all kinds whose tables depend on them: those that castle, their partners, and those that are
    /// promoted by a first move.
    pub(crate) fn all(rules: &Rules) -> Vec<Self> {
        let mut kinds: Vec<Kind> = Vec::new();
        for kind in rules.kinds() {
            let plan = rules.kind(kind);
            let starts = plan.moves.iter().filter(|it| it.conditions.contains(&Condition::FirstMove));
            if !plan.castles.is_empty() || starts.into_iter().any(|it| !it.modifiers.is_empty()) {
                kinds.push(kind);
            }
            kinds.extend(plan.castles.iter().flat_map(|castle| &castle.partners));
        }
        kinds.sort();
        kinds.dedup();
        let guard = |player: Player, kind: Kind| {
            let possible: Vec<Square> = rules.unmoved_squares(player, kind);
            let others = rules.board().squares().filter(|square| !possible.contains(square));
            let impossible = others.fold(B::ZERO, |set, square| set | B::bit(square.index()));
            UnmovedGuard { player: player.index(), kind: kind.index(), impossible }
        };
        rules.players().flat_map(|player| kinds.iter().map(move |kind| guard(player, *kind))).collect()
    }

    /// Returns whether the position has an unmoved piece on such a square.
    pub(crate) fn is_broken(&self, position: &Position) -> bool {
        let plane = B::from_words;
        let pieces = plane(position.player_plane(self.player)) & plane(position.kind_plane(self.kind));
        !(pieces & plane(position.unmoved_plane()) & self.impossible).is_empty()
    }
}
