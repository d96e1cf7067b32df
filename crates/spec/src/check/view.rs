//! Lookups for all checks: the squares of the board, the names that the game defines, and iterators over its lists.

use std::collections::HashMap;

use crate::limits;
use crate::model::{Condition, Effect, GameSpec, GlobalCondition, MoveSpec, PieceSpec};
use crate::place::At;
use crate::read::List;

use super::board::Board;
use super::names::Names;
use super::teams::Teams;

/// A game and its lookup tables.
pub(super) struct View<'g> {
    pub(super) spec: &'g GameSpec,
    /// `None` if its size or its squares are invalid.
    pub(super) board: Option<Board>,
    pub(super) players: Names<'g>,
    pub(super) pieces: Names<'g>,
    pub(super) conditions: Names<'g>,
    pub(super) teams: Teams<'g>,
    by_code: HashMap<&'g str, &'g GlobalCondition>,
}

impl<'g> View<'g> {
    pub(super) fn new(spec: &'g GameSpec) -> Self {
        let whole = spec.players.known().is_some();
        let players = Names::new(spec.players.iter().map(|player| &player.name), whole, limits::PLAYERS);
        let whole = spec.pieces.known().is_some();
        let pieces = Names::new(spec.pieces.iter().map(|piece| &piece.code), whole, limits::PIECES);
        let whole = spec.conditions.known().is_some();
        let codes = spec.conditions.iter().map(|condition| condition.code());
        let conditions = Names::new(codes, whole, limits::GLOBAL_CONDITIONS);
        let by_code =
            spec.conditions.iter().map(|condition| (condition.code().as_str(), &**condition)).collect();
        let (board, teams) = (Board::new(&spec.board), Teams::new(spec));
        View { spec, board, players, pieces, conditions, teams, by_code }
    }

    /// Returns the code of the leader, if there is one and it is defined.
    pub(super) fn leader(&self) -> Option<&'g str> {
        let leader = self.spec.leader.as_ref()?.piece.known()?;
        self.pieces.contains(leader).then_some(leader.as_str())
    }

    /// Returns the global condition with this code.
    pub(super) fn condition(&self, code: &str) -> Option<&'g GlobalCondition> {
        self.by_code.get(code).copied()
    }

    /// Returns every move with its piece.
    pub(super) fn moves(&self) -> impl Iterator<Item = (&'g PieceSpec, &'g MoveSpec)> + use<'g> {
        let pieces: &'g [At<PieceSpec>] = &self.spec.pieces;
        pieces.iter().flat_map(|piece| piece.moves.iter().map(move |each| (&**piece, &**each)))
    }
}

/// Returns every list of conditions of a move: of the move, its actions and its modifiers.
pub(super) fn condition_lists(each: &MoveSpec) -> impl Iterator<Item = &List<Condition>> {
    let actions = each.actions.iter().map(|action| &action.conditions);
    let modifiers = each.modifiers.iter().map(|modifier| &modifier.conditions);
    std::iter::once(&each.conditions).chain(actions).chain(modifiers)
}

/// Returns every list of side effects of a move: of its actions, then of the move, in order of execution.
pub(super) fn effect_lists(each: &MoveSpec) -> impl Iterator<Item = &List<Effect>> {
    each.actions.iter().map(|action| &action.side_effects).chain(std::iter::once(&each.side_effects))
}
