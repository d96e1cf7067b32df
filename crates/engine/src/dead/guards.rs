//! Where a leader can never go: squares that an enemy attacks who never leaves his own. And why leaders do not mate
//! each other.

use crate::dead::future::Future;
use crate::dead::men::{Man, bit, members};
use crate::dead::walk::Landing;
use crate::piece::Player;
use crate::rules::{Act, Change, Jump, Pattern};

impl Future<'_> {
    /// Writes down for every square who attacks it by a single step that nothing can prevent.
    pub(super) fn find_guards(&mut self) {
        for (man, Man { home, player, kind, .. }) in self.men.iter() {
            if (self.men.hunters | self.men.hunted) & bit(man) == 0 {
                continue;
            }
            let patterns = &self.rules.patterns[player.index()][kind.index()];
            for pattern in patterns.iter().filter(|pattern| attacks_at_once(pattern)) {
                if let Some(square) = self.rules.jumps.to(pattern.jump, home) {
                    self.fields[square.index()].guards |= bit(man);
                }
            }
        }
    }

    /// Whether a leader would step into an attack that is there for ever, as far as is known; if so, it waits for the
    /// guard. A move that removes or takes along other men, or changes its own, might end the attack itself.
    pub(super) fn is_guarded(&mut self, landing: &Landing<'_>, act: &Act) -> bool {
        let &Landing { man, to, pattern, .. } = landing;
        let is_plain = pattern.modifiers.is_empty()
            && act.changes.iter().all(|change| matches!(change, Change::SetFlag { .. }));
        if !self.men.is_leader(man) || !is_plain {
            return false;
        }
        let guards = members(self.fields[to.index()].guards & !self.men.side_of(man));
        let mut homes = guards.map(|guard| (guard, self.men.man(guard).home));
        let standing = homes.find(|(guard, home)| self.fields[home.index()].fixture == Some(*guard as u8));
        if let Some((_, home)) = standing {
            self.wait(man, home);
        }
        standing.is_some()
    }

    /// Whether a leader never attacks a leader of the other side after a legal move, because it would stand attacked
    /// itself: all their captures are single steps that the other can always take back.
    pub(super) fn leaders_are_shy(&self) -> bool {
        let Some(leader) = self.rules.leader() else { return false };
        let owner = |side| members(side).next().map(|man| self.men.man(man).player);
        let (Some(first), Some(second)) = (owner(self.men.hunters), owner(self.men.hunted)) else {
            return false;
        };
        let moves = |player: Player| &self.rules.patterns[player.index()][leader.index()];
        let answers = |player: Player, back: Jump| captures(moves(player)).any(|it| it.jump == back);
        let all_answered = |player, other| captures(moves(player)).all(|it| answers(other, it.back));
        [first, second].into_iter().all(|player| moves(player).iter().all(is_shy))
            && all_answered(first, second)
            && all_answered(second, first)
    }

    /// Whether leaders of both sides attack each other now, as shy ones never do after a legal move.
    pub(super) fn leaders_meet(&self) -> bool {
        let prey = self.men.leaders & self.men.hunted;
        members(self.men.leaders & self.men.hunters).any(|man| {
            let Man { home, player, kind, .. } = self.men.man(man);
            captures(&self.rules.patterns[player.index()][kind.index()])
                .filter_map(|pattern| self.rules.jumps.to(pattern.jump, home))
                .any(|square| self.fields[square.index()].visitors & prey != 0)
        })
    }
}

fn captures(patterns: &[Pattern]) -> impl Iterator<Item = &Pattern> {
    patterns.iter().filter(|pattern| pattern.on_enemy.is_some())
}

/// Whether a move of a leader captures by a single step or not at all, removes nobody else, and leaves it a leader.
fn is_shy(pattern: &Pattern) -> bool {
    let acts = [&pattern.on_empty, &pattern.on_enemy, &pattern.on_ally];
    let removes = acts
        .into_iter()
        .flatten()
        .flat_map(|act| &act.changes)
        .any(|change| matches!(change, Change::Capture(_)));
    let steps = pattern.on_enemy.is_none() || pattern.max == 1 && attacks_at_once(pattern);
    steps && !removes && pattern.modifiers.is_empty()
}

/// Whether a pattern captures after one step, whatever else is on the board.
fn attacks_at_once(pattern: &Pattern) -> bool {
    let is_free = |act: &Act| act.captures && act.tests.is_empty() && !act.may_block;
    pattern.min <= 1 && pattern.tests.is_empty() && pattern.on_enemy.as_ref().is_some_and(is_free)
}
