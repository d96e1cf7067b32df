//! Checks and pins against the leaders of the player to move, computed once per position.
//!
//! A plain move of a piece other than a leader changes two squares. On a slide towards the leader only the first
//! piece matters: a move ends a check by landing on the slide, and opens one by leaving it. So checks become a set of
//! landings, and each pin becomes a set of landings for the pinned piece. Guarded captures depend on more squares.
//! These are *sensitive*: a move from or to one of them is made on a copy.

use smallvec::SmallVec;

use crate::movegen::general::attack_info::AttackInfo;
use crate::movegen::general::bitboard::Bitboard;
use crate::movegen::general::sensitive_squares::sensitive_squares;
use crate::movegen::general::slide::Slide;
use crate::square::Square;

/// Checks and pins against the leaders of one player.
pub(crate) struct CheckInfo<const W: usize> {
    /// Squares on which another piece must land to end all checks; all squares if there is no check.
    pub(crate) evasions: Bitboard<W>,
    pub(crate) pinned: Bitboard<W>,
    /// Pinned pieces, each with the squares on which it still blocks.
    pins: SmallVec<[(Square, Bitboard<W>); 4]>,
    /// Squares whose change requires a trial of the move.
    pub(crate) sensitive: Bitboard<W>,
}

impl<const W: usize> CheckInfo<W> {
    /// Computes the checks and pins for leaders on these squares, given the player's own pieces.
    pub(crate) fn new(attack_info: &AttackInfo<'_, W>, leaders: Bitboard<W>, own: Bitboard<W>) -> Self {
        let mut check_info = CheckInfo {
            evasions: Bitboard::FULL,
            pinned: Bitboard::EMPTY,
            pins: SmallVec::new(),
            sensitive: Bitboard::EMPTY,
        };
        for leader in leaders {
            check_info.add_leaps(attack_info, leader);
            check_info.add_slides(attack_info, leader, own);
            if attack_info.has_guarded() {
                check_info.add_guarded(attack_info, leader);
            }
        }
        check_info
    }

    /// Returns the pinned pieces and their allowed squares.
    pub(crate) fn pins(&self) -> &[(Square, Bitboard<W>)] {
        &self.pins
    }

    /// Adds leapers. A check by a leap ends by capturing the leaper.
    fn add_leaps(&mut self, attack_info: &AttackInfo<'_, W>, leader: Square) {
        let leapers = attack_info.leapers_on(leader);
        if !leapers.is_empty() {
            self.evasions &= leapers;
        }
        if leapers.count() > 1 {
            self.evasions = Bitboard::EMPTY;
        }
    }

    fn add_slides(&mut self, attack_info: &AttackInfo<'_, W>, leader: Square, own: Bitboard<W>) {
        let ray_tables = &attack_info.tables.rays;
        for (attacker, pieces) in attack_info.sliders() {
            if !ray_tables.from(attacker.star, leader).meets(pieces) {
                continue;
            }
            for slide in &attacker.slides {
                let pieces = slide.within(ray_tables, leader, slide.ray(ray_tables, leader) & pieces);
                if !pieces.is_empty() {
                    self.add_slide(attack_info, leader, own, *slide, pieces);
                }
            }
        }
    }

    /// Adds the checks and pins of sliders in one direction.
    fn add_slide(
        &mut self,
        attack_info: &AttackInfo<'_, W>,
        leader: Square,
        own: Bitboard<W>,
        slide: Slide,
        pieces: Bitboard<W>,
    ) {
        let ray_tables = &attack_info.tables.rays;
        let ray = slide.ray(ray_tables, leader);
        let Some(first) = slide.first(ray & attack_info.occupied) else { return };
        let behind = slide.ray(ray_tables, first);
        if pieces.has(first) {
            self.evasions &= ray ^ behind;
        } else if own.has(first)
            && let Some(second) = slide.first(behind & attack_info.occupied)
            && pieces.has(second)
        {
            self.pin(first, ray ^ slide.ray(ray_tables, second));
        }
    }

    /// Adds a pin. A piece may be pinned twice.
    fn pin(&mut self, square: Square, between: Bitboard<W>) {
        self.pinned |= Bitboard::one(square);
        match self.pins.iter_mut().find(|(pinned, _)| *pinned == square) {
            Some((_, allowed)) => *allowed &= between,
            None => self.pins.push((square, between)),
        }
    }

    /// Adds guarded captures. If one is possible now, any move may end the check.
    fn add_guarded(&mut self, attack_info: &AttackInfo<'_, W>, leader: Square) {
        if !attack_info.rules.jumps.is_flat {
            self.sensitive = Bitboard::FULL;
            return;
        }
        for attack in attack_info.guarded_on(leader) {
            // A composite move depends on squares beside its line.
            if attack.pattern.is_composite {
                self.sensitive = Bitboard::FULL;
                return;
            }
            let hits = attack_info.can_capture(&attack, leader);
            let squares =
                if hits { None } else { sensitive_squares(&attack_info.rules.jumps, &attack, leader) };
            self.sensitive |= squares.unwrap_or(Bitboard::FULL);
        }
    }
}
