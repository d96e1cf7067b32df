//! Whether the pieces can ever form a mate: an attacked square of the leader all of whose neighbours are attacked or
//! blocked. A check is not enough: bishops of one colour, or a lone knight, give check and never mate.

use smallvec::SmallVec;

use crate::compile::pattern::{Action, Pattern};
use crate::dead::guards::attacks_at_once;
use crate::dead::pieces::{PieceSet, bit, members};
use crate::dead::reachability::{Reachability, SCANS_PER_STEP, SquareFacts, Unproven};
use crate::piece::Kind;
use crate::square::Square;

pub(super) type Squares = SmallVec<[Square; 8]>;

/// The squares where the leader may be mated, each with the number of neighbours that the loser must block.
pub(super) type MateSquares = Vec<(Square, u32)>;

/// A square of the loser's leader: its neighbours, and which of them the winner's leader may attack from each square.
pub(super) struct Net {
    pub(super) target: Square,
    pub(super) steps: Squares,
    /// By square of the winner's leader: the attacked neighbours, as bits.
    pub(super) leader: SmallVec<[(Square, u32); 32]>,
}

/// A check: the piece that gives it, its square, and the squares on which any piece ends it.
struct Check {
    piece: usize,
    from: Square,
    between: Squares,
}

impl Reachability<'_> {
    /// Returns the squares on which the loser's leader may be mated. Nothing is missing if the facts are complete and
    /// leaders keep apart.
    pub(super) fn mate_squares(&mut self) -> Result<MateSquares, Unproven> {
        let mut found = MateSquares::new();
        let leader = only(self.pieces.leaders & self.pieces.defenders)?;
        let own = only(self.pieces.leaders & self.pieces.attackers)?;
        for target in self.rules.board.squares() {
            let facts = self.squares[target.index()];
            if facts.visitors & bit(leader) == 0 || facts.captors & self.threats() == 0 {
                continue;
            }
            let net = self.net(leader, own, target)?;
            let attackers = |step: &Square| self.squares[step.index()].captors & self.threats();
            let near =
                net.steps.iter().fold(facts.captors & self.threats(), |set, step| set | attackers(step));
            let blocks = if let Ok(checker) = only(near) {
                self.blocks_with_one(checker, &net)?
            } else {
                let open = net.mask(|step| attackers(&step) == 0);
                self.fewest_blocks(&net, open, None)?
            };
            found.extend(blocks.map(|blocks| (target, blocks)));
        }
        Ok(found)
    }

    pub(super) fn net(&mut self, leader: usize, own: usize, target: Square) -> Result<Net, Unproven> {
        let rules = self.rules;
        let mut net = Net { target, steps: self.steps(leader, target), leader: SmallVec::new() };
        if net.steps.len() > 32 {
            return Err(Unproven);
        }
        self.spend(net.steps.len())?;
        let piece = self.pieces.piece(own);
        let patterns = &rules.patterns[piece.player.index()][piece.kind.index()];
        let captures = || patterns.iter().filter(|pattern| pattern.on_enemy.is_some());
        let places =
            |squares: &[SquareFacts], place: &Square| squares[place.index()].visitors & bit(own) != 0;
        let near =
            net.steps.iter().flat_map(|step| captures().filter_map(|it| rules.jumps.to(it.back, *step)));
        let mut near: SmallVec<[Square; 64]> = near.filter(|place| places(&self.squares, place)).collect();
        near.sort_unstable();
        near.dedup();
        for place in near.into_iter().filter(|place| *place != target) {
            let attacked: Squares = captures().filter_map(|it| rules.jumps.to(it.jump, place)).collect();
            if !attacked.contains(&target) {
                net.leader.push((place, net.mask(|step| attacked.contains(&step))));
            }
        }
        Ok(net)
    }

    /// Returns the squares to which a leader can always step if no own piece stands there and no enemy attacks it.
    pub(super) fn steps(&self, leader: usize, from: Square) -> Squares {
        let piece = self.pieces.piece(leader);
        let patterns = &self.rules.patterns[piece.player.index()][piece.kind.index()];
        let is_free = |pattern: &&Pattern| {
            let enters = pattern.on_empty.as_ref().is_some_and(|it| it.tests.is_empty() && !it.may_block);
            pattern.max == 1 && attacks_at_once(pattern) && enters && pattern.modifiers.is_empty()
        };
        patterns
            .iter()
            .filter(is_free)
            .filter_map(|pattern| self.rules.jumps.to(pattern.jump, from))
            .collect()
    }

    /// Returns how few neighbours the loser must block if a single piece gives check, or `None` if it cannot mate.
    fn blocks_with_one(&mut self, piece: usize, net: &Net) -> Result<Option<u32>, Unproven> {
        let mut best = None;
        for kind in self.kinds_of(piece) {
            for from in self.rules.board.squares() {
                if from == net.target || self.squares[from.index()].visitors & bit(piece) == 0 {
                    continue;
                }
                let attacked = self.attacked_from(piece, kind, from);
                self.spend(attacked.len() / SCANS_PER_STEP + 1)?;
                if !attacked.contains(&net.target) {
                    continue;
                }
                let open = net.mask(|step| step == from || !attacked.contains(&step));
                let between = self.line_of_check(piece, from, net.target);
                let blocks = self.fewest_blocks(net, open, Some(&Check { piece, from, between }))?;
                best = [best, blocks].into_iter().flatten().min();
                if best == Some(0) {
                    return Ok(best);
                }
            }
        }
        Ok(best)
    }

    /// Returns how few of the open neighbours must be blocked if the winner's leader attacks as many as it can, or
    /// `None` if they cannot be blocked.
    fn fewest_blocks(
        &mut self,
        net: &Net,
        open: u32,
        check: Option<&Check>,
    ) -> Result<Option<u32>, Unproven> {
        let mut best = self.blocks(net, open, check, None)?;
        if open == 0 {
            return Ok(best);
        }
        self.spend(net.leader.len() / SCANS_PER_STEP + 1)?;
        for (place, attacked) in &net.leader {
            let is_free = check.is_none_or(|check| check.from != *place);
            if is_free && open & attacked != 0 {
                let blocks = self.blocks(net, open & !attacked, check, Some(*place))?;
                best = [best, blocks].into_iter().flatten().min();
            }
        }
        Ok(best)
    }

    /// Returns the number of open neighbours if the loser can block each with another piece.
    fn blocks(
        &mut self,
        net: &Net,
        open: u32,
        check: Option<&Check>,
        place: Option<Square>,
    ) -> Result<Option<u32>, Unproven> {
        let mut all: PieceSet = 0;
        let candidates = self.pieces.defenders & !self.pieces.leaders;
        if open.count_ones() > candidates.count_ones() {
            return Ok(None);
        }
        for square in net.members(open) {
            let visitors = self.squares[square.index()].visitors & candidates;
            let mut blockers = visitors;
            if let Some(check) = check {
                if check.from == square {
                    return Ok(None);
                }
                self.spend(visitors.count_ones() as usize * (1 + check.between.len()))?;
                let is_useless =
                    |it: &usize| self.surely_answers(*it, square, check, [place, Some(net.target)]);
                blockers &= !members(visitors).filter(is_useless).fold(0, |set, it| set | bit(it));
            }
            if blockers == 0 {
                return Ok(None);
            }
            all |= blockers;
        }
        Ok((open.count_ones() <= all.count_ones()).then_some(open.count_ones()))
    }

    /// Returns whether a piece that blocks a neighbour of its leader can certainly end the check, of any possible kind: it
    /// captures the checking piece or moves between. No other piece can pin it, because only one is near.
    fn surely_answers(&self, piece: usize, at: Square, check: &Check, occupied: [Option<Square>; 2]) -> bool {
        let reaches = |kind, to, captures| {
            self.surely_reaches((piece, kind), at, (check.piece, to), occupied, captures)
        };
        let answers = |kind: Kind| {
            reaches(kind, check.from, true) || check.between.iter().any(|to| reaches(kind, *to, false))
        };
        self.kinds_of(piece).into_iter().all(answers)
    }

    /// Returns the squares on which any piece ends the check, if there is only one line of attack.
    fn line_of_check(&self, checker: usize, from: Square, target: Square) -> Squares {
        let player = self.pieces.piece(checker).player;
        let mut line: Option<Squares> = None;
        for kind in self.kinds_of(checker) {
            for pattern in &self.rules.patterns[player.index()][kind.index()] {
                let (mut at, mut between) = (from, Squares::new());
                while let Some(next) =
                    self.rules.jumps.to(pattern.jump, at).filter(|_| between.len() < pattern.max as usize)
                {
                    if next == target && pattern.on_enemy.is_some() {
                        let is_plain = pattern.stops_at_pieces() && line.is_none();
                        line = Some(if is_plain { between } else { Squares::new() });
                        break;
                    }
                    between.push(next);
                    at = next;
                }
            }
        }
        line.unwrap_or_default()
    }

    /// Returns whether a piece of this kind can certainly capture on a square, or enter it if it is empty: nothing can
    /// stand between, or only pieces that can do the same.
    fn surely_reaches(
        &self,
        (piece, kind): (usize, Kind),
        from: Square,
        (checker, to): (usize, Square),
        occupied: [Option<Square>; 2],
        captures: bool,
    ) -> bool {
        let player = self.pieces.piece(piece).player;
        let others = !(bit(piece) | bit(checker) | self.pieces.leaders);
        let is_lone = self.threats() == bit(checker);
        let is_sure = |pattern: &&Pattern| {
            let is_free = |it: &Action| it.tests.is_empty() && it.changes.is_empty() && !it.may_block;
            let enters = pattern.on_empty.as_ref().is_some_and(is_free);
            attacks_at_once(pattern) && pattern.stops_at_pieces() && (captures || enters)
        };
        let own = self.pieces.leaders & self.pieces.attackers;
        self.rules.patterns[player.index()][kind.index()].iter().filter(is_sure).any(|pattern| {
            let (mut at, mut steps) = (from, 0);
            while let Some(next) = self.rules.jumps.to(pattern.jump, at).filter(|_| steps < pattern.max) {
                if next == to {
                    return true;
                }
                let visitors = self.squares[next.index()].visitors;
                let may_hide = occupied[0].is_none() && visitors & own != 0;
                if may_hide || occupied.contains(&Some(next)) {
                    return false;
                }
                // A piece that stands here instead must be able to go on along the same line.
                let standing = visitors & others;
                let goes_on = |other: usize| {
                    let mover = self.pieces.piece(other);
                    let has_line = |kind: Kind| {
                        let patterns = &self.rules.patterns[mover.player.index()][kind.index()];
                        patterns
                            .iter()
                            .filter(is_sure)
                            .any(|it| it.jump == pattern.jump && it.max >= pattern.max)
                    };
                    self.pieces.defenders & bit(other) != 0 && self.kinds_of(other).into_iter().all(has_line)
                };
                if standing != 0 && !(is_lone && members(standing).all(goes_on)) {
                    return false;
                }
                (at, steps) = (next, steps + 1);
            }
            false
        })
    }

    /// Returns the squares that a piece may attack from a square.
    fn attacked_from(&self, piece: usize, kind: Kind, from: Square) -> SmallVec<[Square; 32]> {
        let player = self.pieces.piece(piece).player;
        let mut attacked = SmallVec::new();
        for pattern in
            self.rules.patterns[player.index()][kind.index()].iter().filter(|it| it.on_enemy.is_some())
        {
            let (mut at, mut steps) = (from, 0);
            while let Some(next) = self.rules.jumps.to(pattern.jump, at).filter(|_| steps < pattern.max) {
                attacked.push(next);
                if self.squares[next.index()].fixed.is_some() && pattern.stops_at_pieces() {
                    break;
                }
                (at, steps) = (next, steps + 1);
            }
        }
        attacked
    }

    pub(super) fn kinds_of(&self, piece: usize) -> SmallVec<[Kind; 8]> {
        let promoted = self.promotions.iter().filter(|(other, _)| *other == piece).map(|(_, kind)| *kind);
        std::iter::once(self.pieces.piece(piece).kind).chain(promoted).collect()
    }
}

impl Net {
    /// Returns the neighbours with a property, as bits.
    pub(super) fn mask(&self, has: impl Fn(Square) -> bool) -> u32 {
        self.steps.iter().enumerate().fold(0, |set, (index, step)| set | u32::from(has(*step)) << index)
    }

    /// Iterates over a set of neighbours.
    pub(super) fn members(&self, set: u32) -> impl Iterator<Item = Square> {
        self.steps.iter().enumerate().filter(move |(index, _)| set >> index & 1 == 1).map(|(_, step)| *step)
    }
}

/// Returns the only piece of a set.
fn only(set: PieceSet) -> Result<usize, Unproven> {
    if set.is_power_of_two() { Ok(set.trailing_zeros() as usize) } else { Err(Unproven) }
}
