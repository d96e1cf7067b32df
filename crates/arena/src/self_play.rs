//! Self-play games of built-in players, for measuring games and for tuning values.

use std::sync::Arc;

use tabiya_engine::{Move, Position, Rules, SplitMix};
use tabiya_notation::State;
use tabiya_referee::{Action, Dice, Game, action_before_moving};

/// The conditions of self-play games.
#[derive(Clone, Copy, Debug)]
pub struct SelfPlay<'s> {
    /// The rules.
    pub rules: &'s Arc<Rules>,
    /// The start of games.
    pub start: &'s State,
    /// The number of random moves at the start, which make games different.
    pub random_plies: usize,
    /// The number of moves after which a game is left undecided.
    pub max_plies: u32,
}

/// A move that was played.
#[derive(Clone, Copy, Debug)]
pub struct Ply<'p> {
    /// The position before the move.
    pub before: &'p Position,
    /// The move.
    pub played: Move,
    /// The number of moves from which it was chosen.
    pub legal_moves: usize,
    /// Whether it was chosen at random.
    pub is_random: bool,
    /// The position after the move.
    pub after: &'p Position,
}

impl Ply<'_> {
    /// The number of pieces that left the board.
    pub fn captured(&self) -> u32 {
        self.before.piece_count().saturating_sub(self.after.piece_count())
    }
}

impl SelfPlay<'_> {
    /// Sets up a game.
    pub fn game(&self, dice: &mut SplitMix) -> Game {
        Game::resume(self.rules.clone(), self.start.clone(), &[], Dice::seeded(dice.next_u64()))
    }

    /// Plays a game until it ends or has `max_plies` moves. Calls `observe` after every move.
    pub fn play(
        &self,
        game: &mut Game,
        dice: &mut SplitMix,
        mut choose: impl FnMut(&Game) -> Option<Move>,
        mut observe: impl FnMut(Ply<'_>, &mut SplitMix),
    ) {
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
            let is_random = plies < self.random_plies;
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
