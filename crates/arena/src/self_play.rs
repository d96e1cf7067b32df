//! Self-play games of built-in players, for measuring games and for tuning values.

use std::sync::Arc;

use tabiya_engine::{Move, Position, Rules, SplitMix};
use tabiya_notation::State;
use tabiya_referee::{Action, Dice, Game, action_before_moving};

/// The conditions of self-play games.
pub(crate) struct SelfPlay<'s> {
    pub(crate) rules: &'s Arc<Rules>,
    pub(crate) start: &'s State,
    /// The number of random moves of each player at the start, which make games different.
    pub(crate) random_moves: usize,
    pub(crate) max_plies: u32,
}

/// A move that was played.
pub(crate) struct Ply<'p> {
    pub(crate) before: &'p Position,
    pub(crate) played: Move,
    pub(crate) legal_moves: usize,
    pub(crate) is_random: bool,
    pub(crate) after: &'p Position,
}

impl Ply<'_> {
    /// The number of pieces that left the board.
    pub(crate) fn captured(&self) -> u32 {
        self.before.piece_count().saturating_sub(self.after.piece_count())
    }
}

impl SelfPlay<'_> {
    /// Sets up a game.
    pub(crate) fn game(&self, dice: &mut SplitMix) -> Game {
        Game::resume(self.rules.clone(), self.start.clone(), &[], Dice::seeded(dice.next_u64()))
    }

    /// Plays a game until it ends or has `max_plies` moves. Calls `observe` after every move.
    pub(crate) fn play(
        &self,
        game: &mut Game,
        dice: &mut SplitMix,
        mut choose: impl FnMut(&Game) -> Option<Move>,
        mut observe: impl FnMut(Ply<'_>, &mut SplitMix),
    ) {
        let random_plies = self.random_moves * self.rules.order().len();
        let mut plies = 0;
        // A turn has at most a few actions that are not moves.
        for _ in 0..self.max_plies.saturating_mul(8) {
            if game.end().is_some() || plies >= self.max_plies as usize {
                return;
            }
            if let Some(act) = action_before_moving(game) {
                if game.submit(&act).is_err() {
                    return;
                }
                continue;
            }
            let before = game.state().position.clone();
            let moves = self.rules.legal_moves(&before);
            let is_random = plies < random_plies;
            let chosen = if is_random && !moves.is_empty() {
                Some(moves[dice.below(moves.len())])
            } else {
                choose(game)
            };
            let Some(chosen) = chosen else { return };
            if game.submit(&Action::Move(chosen)).is_err() {
                return;
            }
            plies += 1;
            let after = &game.state().position;
            observe(
                Ply { before: &before, played: chosen, legal_moves: moves.len(), is_random, after },
                dice,
            );
        }
    }
}
