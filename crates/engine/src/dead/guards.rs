//! Squares that a leader can never enter because a fixed enemy piece attacks them, and why leaders do not mate each
//! other.

use crate::compile::jump_table::Jump;
use crate::compile::pattern::{Action, Change, Pattern};
use crate::dead::pieces::{ListedPiece, bit, members};
use crate::dead::reachability::Reachability;
use crate::dead::walk::Landing;
use crate::piece::Player;

impl Reachability<'_> {
    /// Records for every square the pieces that attack it by a single step that cannot be prevented.
    pub(super) fn find_guards(&mut self) {
        for (piece, ListedPiece { home, player, kind, .. }) in self.pieces.iter() {
            if (self.pieces.attackers | self.pieces.defenders) & bit(piece) == 0 {
                continue;
            }
            let patterns = &self.rules.patterns[player.index()][kind.index()];
            for pattern in patterns.iter().filter(|pattern| attacks_at_once(pattern)) {
                if let Some(square) = self.rules.jumps.to(pattern.jump, home) {
                    self.squares[square.index()].guards |= bit(piece);
                }
            }
        }
    }

    /// Returns whether a leader would step into a permanent attack. If so, it waits for the guard to move. A move
    /// that also removes, relocates or promotes a piece might end the attack, so it does not count.
    pub(super) fn is_guarded(&mut self, landing: &Landing<'_>, action: &Action) -> bool {
        let &Landing { piece, to, pattern, .. } = landing;
        let is_plain = pattern.modifiers.is_empty()
            && action.changes.iter().all(|change| matches!(change, Change::SetFlag { .. }));
        if !self.pieces.is_leader(piece) || !is_plain {
            return false;
        }
        let guards = members(self.squares[to.index()].guards & !self.pieces.side_of(piece));
        let mut homes = guards.map(|guard| (guard, self.pieces.piece(guard).home));
        let standing = homes.find(|(guard, home)| self.squares[home.index()].fixed == Some(*guard as u8));
        if let Some((_, home)) = standing {
            self.wait(piece, home);
        }
        standing.is_some()
    }

    /// Returns whether a leader can never attack the other leader after a legal move, because it would be attacked
    /// itself: all captures of leaders are single steps that the other leader can reverse.
    pub(super) fn leaders_keep_apart(&self) -> bool {
        let Some(leader) = self.rules.leader() else { return false };
        let owner = |side| members(side).next().map(|piece| self.pieces.piece(piece).player);
        let (Some(first), Some(second)) = (owner(self.pieces.attackers), owner(self.pieces.defenders)) else {
            return false;
        };
        let moves = |player: Player| &self.rules.patterns[player.index()][leader.index()];
        let answers = |player: Player, back: Jump| captures(moves(player)).any(|it| it.jump == back);
        let all_answered = |player, other| captures(moves(player)).all(|it| answers(other, it.back));
        [first, second].into_iter().all(|player| moves(player).iter().all(keeps_apart))
            && all_answered(first, second)
            && all_answered(second, first)
    }

    /// Returns whether the leaders attack each other now. After a legal move, leaders that keep apart never do.
    pub(super) fn leaders_meet(&self) -> bool {
        let targets = self.pieces.leaders & self.pieces.defenders;
        members(self.pieces.leaders & self.pieces.attackers).any(|piece| {
            let ListedPiece { home, player, kind, .. } = self.pieces.piece(piece);
            captures(&self.rules.patterns[player.index()][kind.index()])
                .filter_map(|pattern| self.rules.jumps.to(pattern.jump, home))
                .any(|square| self.squares[square.index()].visitors & targets != 0)
        })
    }
}

fn captures(patterns: &[Pattern]) -> impl Iterator<Item = &Pattern> {
    patterns.iter().filter(|pattern| pattern.on_enemy.is_some())
}

/// Returns whether a leader's move captures by a single step or not, removes no other piece, and does not promote.
fn keeps_apart(pattern: &Pattern) -> bool {
    let actions = [&pattern.on_empty, &pattern.on_enemy, &pattern.on_ally];
    let removes = actions
        .into_iter()
        .flatten()
        .flat_map(|action| &action.changes)
        .any(|change| matches!(change, Change::Capture(_) | Change::CaptureMarked(_)));
    let steps = pattern.on_enemy.is_none() || pattern.max == 1 && attacks_at_once(pattern);
    steps && !removes && pattern.modifiers.is_empty()
}

/// Returns whether a pattern captures after one step without further conditions.
pub(super) fn attacks_at_once(pattern: &Pattern) -> bool {
    let is_free = |action: &Action| action.captures && action.tests.is_empty() && !action.may_block;
    pattern.min <= 1
        && pattern.hurdles.is_none()
        && pattern.tests.is_empty()
        && pattern.on_enemy.as_ref().is_some_and(is_free)
}
