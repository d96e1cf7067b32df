//! Lookups for all checks: the squares of the board, the names that the game defines, and iterators over its lists.

use std::collections::HashMap;

use crate::limits;
use crate::model::{Clause, Condition, Effect, GameSpec, GlobalCondition, MoveSpec, PieceSpec, with_nested};
use crate::place::At;
use crate::read::List;

use super::board::Board;
use super::names::Names;
use super::teams::Teams;

/// A game and its lookup tables.
pub(super) struct View<'g> {
    pub(super) spec: &'g GameSpec,
    /// `None` if its size or its squares are invalid.
    pub(super) board: Option<Board<'g>>,
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

    /// Returns whether a player is or may be neutral.
    pub(super) fn is_neutral(&self, name: &str) -> bool {
        let mut players = self.spec.players.iter().filter(|player| player.name.as_str() == name);
        players.any(|player| player.neutral.as_ref().is_some_and(|it| it.known() != Some(&false)))
    }

    /// Returns the codes of the leaders that are defined.
    pub(super) fn leaders(&self) -> impl Iterator<Item = &'g str> {
        let known = self.spec.leaders().filter_map(At::known).filter(|code| self.pieces.contains(code));
        known.map(String::as_str)
    }

    /// Returns whether a piece is a leader.
    pub(super) fn is_leader(&self, code: &str) -> bool {
        self.leaders().any(|leader| leader == code)
    }

    /// Returns the global condition with this code.
    pub(super) fn condition(&self, code: &str) -> Option<&'g GlobalCondition> {
        self.by_code.get(code).copied()
    }

    /// Returns the moves of all pieces and of the parts of a turn.
    pub(super) fn every_move(&self) -> impl Iterator<Item = &'g MoveSpec> + use<'g> {
        self.spec.every_move().map(|each| &**each)
    }

    /// Returns every move with its piece.
    pub(super) fn moves(&self) -> impl Iterator<Item = (&'g PieceSpec, &'g MoveSpec)> + use<'g> {
        let pieces: &'g [At<PieceSpec>] = &self.spec.pieces;
        pieces.iter().flat_map(|piece| piece.moves.iter().map(move |each| (&**piece, &**each)))
    }
}

/// Where a condition stands, which decides what it may be about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Situation {
    /// In a move or its actions.
    Move,
    /// In a promotion.
    Promotion,
    /// In `restrictions` or `priority`.
    Game,
    /// In a trigger.
    Trigger,
    /// In a drop: there is no source.
    Drop,
    /// In the promotion of a drop.
    DropPromotion,
}

impl<'g> View<'g> {
    /// Returns every list of conditions, without nested ones.
    pub(super) fn condition_lists(&self) -> Vec<(Situation, &'g [At<Condition>])> {
        let mut lists = Vec::new();
        for each in self.every_move() {
            lists.push((Situation::Move, &***each.conditions));
            lists.extend(each.actions.iter().map(|action| (Situation::Move, &***action.conditions)));
            lists.extend(each.modifiers.iter().map(|it| (Situation::Promotion, &***it.conditions)));
        }
        for part in self.spec.turns.then.iter() {
            lists.push((Situation::Game, &***part.after));
            lists.push((Situation::Game, &***part.only));
        }
        lists.push((Situation::Game, &***self.spec.restrictions));
        lists.extend(self.spec.priority.iter().map(|list| (Situation::Game, &***list)));
        lists.extend(self.spec.triggers.iter().map(|trigger| (Situation::Trigger, &***trigger.when)));
        for drop in self.spec.drops() {
            lists.push((Situation::Drop, &***drop.conditions));
            lists.extend(drop.modifiers.iter().map(|it| (Situation::DropPromotion, &***it.conditions)));
        }
        lists
    }

    /// Returns every condition, each followed by those nested in it.
    pub(super) fn all_conditions(&self) -> Vec<(Situation, &'g At<Condition>)> {
        let lists = self.condition_lists().into_iter();
        lists.flat_map(|(at, list)| with_nested(list).into_iter().map(move |it| (at, it))).collect()
    }

    /// Returns the conditions of positions in moves and the game, each followed by those nested in it.
    pub(super) fn position_conditions(&self) -> Vec<&'g Clause> {
        let mut found = Vec::new();
        for (_, condition) in self.all_conditions() {
            match &**condition {
                Condition::Position(clause) => found.extend(clause.with_nested()),
                Condition::After { of } => found.extend(of.iter().flat_map(|clause| clause.with_nested())),
                _ => {}
            }
        }
        found
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
