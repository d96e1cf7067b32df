//! What each kind of piece can do, found out by trying it: on many squares, of boards that are empty and of boards with
//! opponents in the way.

use std::collections::BTreeSet;

use tabiya_engine::{Kind, Move, Piece, Rules, Setup, Square};

use crate::SplitMix;

/// A piece among opponents, again and again.
pub(crate) struct Survey<'r> {
    pub(crate) rules: &'r Rules,
    /// A turn of the player whose pieces are counted.
    slot: u16,
    /// The squares on which each kind is put.
    pub(crate) squares: Vec<Square>,
    /// Boards with opponents in the way.
    pub(crate) boards: Vec<Vec<(Square, Piece)>>,
}

impl<'r> Survey<'r> {
    /// What one move more is worth, in hundredths.
    pub(crate) const MOVE: usize = 60;
    /// No kind is worth more, however wide the board: sums of values must stay small numbers.
    const MOST: usize = 60_000;
    /// Boards with opponents on every third square; one more is empty.
    const CROWDED: u64 = 3;
    /// So many squares for all kinds together, between these for each: games with very many kinds or squares must not
    /// take long.
    const SQUARES: usize = 1024;
    const SQUARES_OF_A_KIND: (usize, usize) = (4, 64);
    /// The largest table of nearness: beyond it nobody counts steps.
    const NEARNESS: usize = 1 << 15;

    pub(crate) fn new(rules: &'r Rules) -> Self {
        let slot = rules.blueprint().start_at();
        let player = rules.turn_of(slot);
        let opponent = rules.order().iter().copied().find(|other| *other != player);
        let soldier = rules.kinds().find(|kind| Some(*kind) != rules.leader());
        let (least, most) = Self::SQUARES_OF_A_KIND;
        let many = (Self::SQUARES / rules.kinds().count()).clamp(least, most);
        let mut dice = SplitMix::new(0);
        let mut squares: Vec<Square> = rules.board().squares().collect();
        let boards = (0..=Self::CROWDED).map(|board| {
            let (Some(player), Some(kind), true) = (opponent, soldier, board > 0) else { return Vec::new() };
            let taken = squares.iter().copied().filter(|_| dice.below(3) == 0);
            taken.map(|square| (square, Piece { player, kind, unmoved: false })).collect()
        });
        let boards = boards.collect();
        dice.shuffle(&mut squares);
        squares.truncate(many);
        Survey { rules, slot, squares, boards }
    }

    /// The mean number of squares that a kind can go to, as a value.
    pub(crate) fn worth(&self, kind: Kind) -> i32 {
        if Some(kind) == self.rules.leader() {
            return 0;
        }
        let landings: usize = self
            .boards
            .iter()
            .flat_map(|board| self.squares.iter().map(move |square| (board, *square)))
            .map(|(board, square)| self.landings(kind, board, square))
            .sum();
        let tries = (self.boards.len() * self.squares.len()).max(1);
        (landings * Self::MOVE / tries).min(Self::MOST) as i32
    }

    pub(crate) fn landings(&self, kind: Kind, board: &[(Square, Piece)], square: Square) -> usize {
        let moves = self.moves(self.slot, kind, board, square);
        moves.iter().map(|played| played.to).collect::<BTreeSet<Square>>().len()
    }

    /// The moves of a piece that has moved before, on a square of a board.
    pub(crate) fn moves(
        &self,
        slot: u16,
        kind: Kind,
        board: &[(Square, Piece)],
        square: Square,
    ) -> Vec<Move> {
        let piece = Piece { player: self.rules.turn_of(slot), kind, unmoved: false };
        let others = board.iter().copied().filter(|(taken, _)| *taken != square);
        let setup = Setup { pieces: others.chain([(square, piece)]).collect(), slot, ..Setup::default() };
        let Ok(position) = self.rules.position(&setup) else { return Vec::new() };
        let mut moves = self.rules.legal_moves(&position);
        // Who cannot move may be out at once, and then these are somebody else's.
        moves.retain(|played| played.from == square);
        moves
    }

    pub(crate) fn nearness(&self, worth: &[i32]) -> Vec<Vec<Box<[i32]>>> {
        let promotes =
            |kind: &Kind| self.rules.kind(*kind).moves.iter().any(|plan| !plan.modifiers.is_empty());
        let tables = self.rules.kinds().filter(promotes).count() * self.rules.players().count();
        if tables * self.rules.board().len() > Self::NEARNESS {
            return Vec::new();
        }
        let near = |slot: Option<u16>, kind: Kind| match slot {
            Some(slot) if promotes(&kind) => self.near(slot, kind, worth),
            _ => Box::default(),
        };
        let slot_of = |player| self.rules.order().iter().position(|other| *other == player);
        let by_kind = |player| {
            let slot = slot_of(player).map(|slot| slot as u16);
            self.rules.kinds().map(|kind| near(slot, kind)).collect()
        };
        self.rules.players().map(by_kind).collect()
    }

    /// What the hope of the best promotion adds on each square: a little anywhere from where the way is open on an
    /// empty board, more where it is short.
    fn near(&self, slot: u16, kind: Kind, worth: &[i32]) -> Box<[i32]> {
        let moves: Vec<Vec<Move>> = (0..self.rules.board().len() as u16)
            .map(Square)
            .map(|square| self.moves(slot, kind, &[], square))
            .collect();
        let options = moves.iter().flatten().filter_map(|played| played.promotion);
        let best = options.map(|kind| worth[kind.index()]).max().unwrap_or(0);
        let gain = (best - worth[kind.index()]).max(0);
        let hope = |away: u32| gain / 32 + gain.checked_shr(away + 2).unwrap_or(0);
        moves_away(&moves).into_iter().map(|away| away.map_or(0, hope)).collect()
    }
}

/// How many moves away from a promotion each square is, given the moves from each square.
fn moves_away(moves: &[Vec<Move>]) -> Vec<Option<u32>> {
    let mut away = vec![None; moves.len()];
    for distance in 1.. {
        let leads_on = |played: &Move| match distance {
            1 => played.promotion.is_some(),
            _ => away[played.to.index()] == Some(distance - 1),
        };
        let found: Vec<usize> = (0..moves.len())
            .filter(|square| away[*square].is_none() && moves[*square].iter().any(leads_on))
            .collect();
        if found.is_empty() {
            break;
        }
        for square in found {
            away[square] = Some(distance);
        }
    }
    away
}
