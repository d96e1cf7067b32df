//! Piece mobility, measured by placing each kind on many squares of empty and crowded boards.

use std::collections::BTreeSet;

use tabiya_engine::mechanics::Lost;
use tabiya_engine::{Kind, Move, Piece, Rules, Setup, Square};

use crate::SplitMix;

/// Sample boards on which mobility is measured.
pub(crate) struct Mobility<'r> {
    pub(crate) rules: &'r Rules,
    /// A turn of the player whose pieces are measured.
    slot: u16,
    /// The squares on which each kind is placed.
    pub(crate) squares: Vec<Square>,
    /// An empty board, then boards with opponents on random squares.
    boards: Vec<Vec<(Square, Piece)>>,
}

impl<'r> Mobility<'r> {
    /// The value of one target square, in centipawns.
    pub(crate) const MOVE_VALUE: usize = 60;
    /// The greatest value of a kind, so that sums stay small on any board.
    const MAX_VALUE: usize = 60_000;
    /// The number of boards with an opponent on about every third square.
    const CROWDED_BOARDS: u64 = 3;
    /// Sampled squares for all kinds together, and the limits for each kind. They bound the time for large games.
    const SQUARES: usize = 1024;
    const SQUARES_PER_KIND: (usize, usize) = (4, 64);
    /// The greatest size of the promotion tables; larger games have none.
    const MAX_PROMOTION_TABLE: usize = 1 << 15;

    pub(crate) fn new(rules: &'r Rules) -> Self {
        let slot = rules.blueprint().start_at();
        let player = rules.turn_of(slot);
        let opponent = rules.order().iter().copied().find(|other| *other != player);
        let soldier = rules.kinds().find(|kind| !rules.is_leader(*kind));
        let (least, most) = Self::SQUARES_PER_KIND;
        let many = (Self::SQUARES / rules.kinds().count()).clamp(least, most);
        let mut dice = SplitMix::new(0);
        let mut squares: Vec<Square> = rules.board().squares().collect();
        let boards = (0..=Self::CROWDED_BOARDS).map(|board| {
            let (Some(player), Some(kind), true) = (opponent, soldier, board > 0) else { return Vec::new() };
            let taken = squares.iter().copied().filter(|_| dice.below(3) == 0);
            taken.map(|square| (square, Piece { player, kind, unmoved: false })).collect()
        });
        let boards = boards.collect();
        dice.shuffle(&mut squares);
        squares.truncate(many);
        Mobility { rules, slot, squares, boards }
    }

    /// Returns the material value of a kind: its mean number of target squares, scaled. A leader cannot be exchanged, unless
    /// only the loss of the last one decides or some players have it as an ordinary piece.
    pub(crate) fn value(&self, kind: Kind) -> i32 {
        let rules = self.rules;
        let is_decisive = rules.mechanics().leadership.lost == Lost::Any;
        if is_decisive && rules.players().all(|player| rules.leaders_of(player).contains(&kind)) {
            return 0;
        }
        let targets: usize = self
            .boards
            .iter()
            .flat_map(|board| self.squares.iter().map(move |square| (board, *square)))
            .map(|(board, square)| self.targets(kind, board, square))
            .sum();
        let tries = (self.boards.len() * self.squares.len()).max(1);
        match (targets * Self::MOVE_VALUE / tries).min(Self::MAX_VALUE) {
            0 => self.value_of_steps(kind),
            value => value as i32,
        }
    }

    /// Returns the material value of a kind from its steps alone. Endings and restrictions can make every sample board
    /// unplayable: there are then no legal moves to count.
    fn value_of_steps(&self, kind: Kind) -> i32 {
        let board = self.rules.board();
        let orientation = self.rules.player(self.rules.turn_of(self.slot)).orientation;
        let mut value = 0;
        for square in &self.squares {
            for plan in &self.rules.kind(kind).moves {
                let step = orientation.turn(plan.step);
                let next = |from: &Square| board.step(*from, step);
                let way = std::iter::successors(board.step(*square, step), next);
                let most = plan.repeat.max.map_or(usize::MAX, |max| max as usize);
                // On a crowded board, two squares of three are empty.
                let chances = std::iter::successors(Some(Self::MOVE_VALUE), |chance| Some(chance * 2 / 3));
                value += way
                    .zip(chances)
                    .take(most)
                    .map(|(_, chance)| chance)
                    // On a board without an edge, a slide goes on forever.
                    .take_while(|chance| *chance > 0)
                    .sum::<usize>();
            }
        }
        (value / self.squares.len().max(1)).min(Self::MAX_VALUE) as i32
    }

    /// Counts the target squares of a piece on a board.
    pub(crate) fn targets(&self, kind: Kind, board: &[(Square, Piece)], square: Square) -> usize {
        let moves = self.moves(self.slot, kind, board, square);
        moves.iter().map(|played| played.to).collect::<BTreeSet<Square>>().len()
    }

    /// Returns the moves of a previously moved piece on a square of a board.
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
        // A player without moves may be eliminated at once; these are then moves of another player.
        moves.retain(|played| played.from == square);
        moves
    }

    /// Returns the gain expected from promotion, by player, kind and square.
    pub(crate) fn promotion_gains(&self, values: &[i32]) -> Vec<Vec<Box<[i32]>>> {
        let promotes =
            |kind: &Kind| self.rules.kind(*kind).moves.iter().any(|plan| !plan.modifiers.is_empty());
        let tables = self.rules.kinds().filter(promotes).count() * self.rules.players().count();
        if tables * self.rules.board().len() > Self::MAX_PROMOTION_TABLE {
            return Vec::new();
        }
        let gains = |slot: Option<u16>, kind: Kind| match slot {
            Some(slot) if promotes(&kind) => self.gains_by_square(slot, kind, values),
            _ => Box::default(),
        };
        let slot_of = |player| self.rules.order().iter().position(|other| *other == player);
        let by_kind = |player| {
            let slot = slot_of(player).map(|slot| slot as u16);
            self.rules.kinds().map(|kind| gains(slot, kind)).collect()
        };
        self.rules.players().map(by_kind).collect()
    }

    /// Returns the expected gain on each square: a small part wherever promotion is reachable on an empty board, and more
    /// the fewer moves it takes.
    fn gains_by_square(&self, slot: u16, kind: Kind, values: &[i32]) -> Box<[i32]> {
        let moves: Vec<Vec<Move>> = (0..self.rules.board().len() as u16)
            .map(Square)
            .map(|square| self.moves(slot, kind, &[], square))
            .collect();
        let options = moves.iter().flatten().filter_map(|played| played.promotion);
        let best = options.map(|kind| values[kind.index()]).max().unwrap_or(0);
        let gain = (best - values[kind.index()]).max(0);
        let expected = |away: u32| gain / 32 + gain.checked_shr(away + 2).unwrap_or(0);
        moves_away(&moves).into_iter().map(|away| away.map_or(0, expected)).collect()
    }
}

/// Returns the number of moves from each square to promotion, given the moves from each square.
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
