//! Checks by pieces whose moves are not plain, and the squares that may open or give such a check when a piece leaves or
//! enters them.

use crate::movegen::fast::bits::{Bits, lookup, squares};
use crate::movegen::fast::generate::SlideLookup;
use crate::movegen::fast::lame::LameTable;
use crate::movegen::fast::specials::Hurdle;
use crate::movegen::fast::state::{LEADER, State};
use crate::movegen::fast::tables::FastTables;

/// Checks by such pieces.
pub(crate) struct SpecialChecks<B> {
    /// Pieces that give check.
    pub(crate) checkers: B,
    /// Squares on which a piece stops the last of these checks.
    pub(crate) stops: B,
    /// Pieces that can give check along a line.
    pub(crate) snipers: B,
    /// Own pieces that may open a check by leaving.
    pub(crate) watch_from: B,
    /// Squares on which an arriving piece may give a check.
    pub(crate) watch_to: B,
    /// Whether a check over a hurdle is given.
    pub(crate) over_hurdle: bool,
}

impl<B: Bits> SpecialChecks<B> {
    const NONE: Self = SpecialChecks {
        checkers: B::ZERO,
        stops: B::ZERO,
        snipers: B::ZERO,
        watch_from: B::ZERO,
        watch_to: B::ZERO,
        over_hurdle: false,
    };

    /// Adds the checks by leaps over squares that must be empty.
    #[inline(always)]
    fn add_lame(&mut self, table: &LameTable<B>, leader: usize, pieces: B, (own, occupied): (B, B)) {
        if (lookup(&table.ends, leader) & pieces).is_empty() {
            return;
        }
        for leap in table.at(leader).iter().filter(|leap| !(leap.end & pieces).is_empty()) {
            let blockers = leap.way & occupied;
            if blockers.is_empty() {
                self.checkers |= leap.end;
                self.stops |= leap.way;
            } else if blockers.without_lowest().is_empty() {
                self.watch_from |= blockers & own;
            }
        }
    }

    /// Adds the checks over one piece, given the squares between the leader and an enemy piece.
    #[inline(always)]
    fn add_over_hurdle(&mut self, hurdle: &Hurdle<B>, leader: usize, between: B, (own, occupied): (B, B)) {
        let blockers = between & occupied;
        let count = blockers.count();
        let Some(hop) = &hurdle.hop else {
            match count {
                0 => self.watch_to |= between,
                1 => self.over_hurdle = true,
                2 => self.watch_from |= blockers & own,
                _ => {}
            }
            return;
        };
        let beside = lookup(&hop.beside, leader) & between;
        match ((beside & occupied).is_empty(), count) {
            (true, 0 | 1) => self.watch_to |= beside,
            (false, 1) => self.over_hurdle = true,
            (false, 2) => self.watch_from |= blockers & own,
            _ => {}
        }
    }
}

impl<B: Bits> FastTables<B> {
    /// Finds the checks that the other player's specials give.
    #[inline(always)]
    pub(crate) fn special_checks<L: SlideLookup<B>, const P: usize>(
        &self,
        state: &State<B, P>,
        leader: usize,
        own: B,
        enemy: B,
    ) -> SpecialChecks<B> {
        let them = self.other(state);
        let sets = (own, own | enemy);
        let mut found = SpecialChecks::NONE;
        for special in &them.specials {
            let pieces = state.plane(special.plane) & enemy;
            if pieces.is_empty() {
                continue;
            }
            found.checkers |= lookup(&special.from, leader) & pieces;
            for leaps in special.lame.iter().filter(|leaps| leaps.captures != B::ZERO) {
                found.add_lame(&leaps.from, leader, pieces, sets);
            }
            for slide in &special.slides {
                found.snipers |= L::slide(self, slide.reverse, leader, enemy) & pieces & slide.captures;
            }
            for hurdle in special.hurdles.iter().filter(|hurdle| hurdle.captures != B::ZERO) {
                for piece in squares(L::slide(self, hurdle.reverse, leader, B::ZERO) & pieces) {
                    let between = lookup(&self.between, leader * self.squares + piece);
                    found.add_over_hurdle(hurdle, leader, between, sets);
                }
            }
        }
        if let Some((_, reverse)) = them.facing {
            found.snipers |= L::slide(self, reverse, leader, enemy) & state.planes[LEADER] & enemy;
        }
        found
    }
}
