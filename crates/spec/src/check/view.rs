//! What all checks look up: the board as squares, the names that the game defines, and the ways through its lists.

use std::collections::HashMap;

use crate::limits;
use crate::model::{Condition, Effect, GameSpec, GlobalCondition, MoveSpec, PieceSpec};
use crate::place::At;
use crate::read::List;

use super::board::Board;
use super::names::Names;
use super::teams::Sides;

/// A game as the checks see it.
pub(super) struct View<'g> {
    pub(super) spec: &'g GameSpec,
    /// `None` if its size or its squares have been reported already.
    pub(super) board: Option<Board>,
    pub(super) players: Names<'g>,
    pub(super) pieces: Names<'g>,
    pub(super) conditions: Names<'g>,
    pub(super) sides: Sides<'g>,
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
        let (board, sides) = (Board::new(&spec.board), Sides::new(spec));
        View { spec, board, players, pieces, conditions, sides, by_code }
    }

    /// The code of the leader, if the game has one that could be read.
    pub(super) fn leader(&self) -> Option<&'g str> {
        let leader = self.spec.leader.as_ref()?.piece.known()?;
        self.pieces.contains(leader).then_some(leader.as_str())
    }

    /// The global condition of that code.
    pub(super) fn condition(&self, code: &str) -> Option<&'g GlobalCondition> {
        self.by_code.get(code).copied()
    }

    /// Every piece with each of its moves.
    pub(super) fn moves(&self) -> impl Iterator<Item = (&'g PieceSpec, &'g MoveSpec)> + use<'g> {
        let pieces: &'g [At<PieceSpec>] = &self.spec.pieces;
        pieces.iter().flat_map(|piece| piece.moves.iter().map(move |each| (&**piece, &**each)))
    }
}

/// Every list of conditions of a move: its own, those of its actions, those of its modifiers.
pub(super) fn condition_lists(each: &MoveSpec) -> impl Iterator<Item = &List<Condition>> {
    let actions = each.actions.iter().map(|action| &action.conditions);
    let modifiers = each.modifiers.iter().map(|modifier| &modifier.conditions);
    std::iter::once(&each.conditions).chain(actions).chain(modifiers)
}

/// Every list of side effects of a move: those of its actions, then its own, as they are carried out.
pub(super) fn effect_lists(each: &MoveSpec) -> impl Iterator<Item = &List<Effect>> {
    each.actions.iter().map(|action| &action.side_effects).chain(std::iter::once(&each.side_effects))
}
