//! What else a move may do: men that are removed or taken along, and flags.

use crate::dead::future::{Future, Sure};
use crate::dead::men::{MenSet, bit, members};
use crate::dead::walk::Landing;
use crate::rules::{Act, Change, Jump, Pattern, Test};

impl Future<'_> {
    /// One change that goes with a move that may be made.
    pub(super) fn change(&mut self, landing: &Landing<'_>, act: &Act, change: &Change) -> Sure {
        let &Landing { man, from, .. } = landing;
        let at = |jump| self.rules.jumps.to(jump, from);
        match change {
            Change::SetFlag { flag, .. } => {
                let carriers = &mut self.carriers[flag.index()];
                if *carriers & bit(man) == 0 {
                    *carriers |= bit(man);
                    self.alter(man)?;
                }
                Ok(())
            }
            Change::Capture(jump) => {
                let Some(square) = at(*jump) else { return Ok(()) };
                self.wait(man, square);
                self.spend(landing.pattern.tests.len() + act.tests.len())?;
                let victims = self.fields[square.index()].visitors & self.removable(landing, act, *jump);
                self.strike(bit(man), victims)
            }
            Change::Relocate { kind, from, to } => {
                let (Some(from), Some(to)) = (at(*from), at(*to)) else { return Ok(()) };
                self.wait(man, from);
                if self.is_blocked(man, to) {
                    return Ok(());
                }
                let fitting = match kind {
                    Some(kind) => self.of_kinds(&[*kind])?,
                    None => MenSet::MAX,
                };
                let taken = self.fields[from.index()].visitors & self.men.side_of(man) & fitting;
                members(taken).try_for_each(|taken| self.visit(taken, to))
            }
        }
    }

    /// Who can be removed from a square besides the landing. If the move asks for a flag there, only one who carries
    /// it; unless the piece that the move removes may be another than the one it asked about.
    fn removable(&self, landing: &Landing<'_>, act: &Act, jump: Jump) -> MenSet {
        let Pattern { tests, .. } = landing.pattern;
        let is_same = !act.may_block && self.rules.jumps.to(jump, landing.from) != Some(landing.to);
        let asked = tests.iter().chain(&act.tests).filter(|_| is_same).filter_map(|test| match test {
            Test::CheckState(flag, other) if *other == jump => Some(self.carriers[flag.index()]),
            _ => None,
        });
        asked.fold(MenSet::MAX, |set, carriers| set & carriers)
    }
}
