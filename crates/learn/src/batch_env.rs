//! A vector environment: many games with the same rules, stepped together on all cores.

use std::sync::Arc;

use tabiya_engine::{Player, Rules, SplitMix};
use tabiya_notation::State;
use tabiya_tensor::{Compact, Encoding};

use crate::episode::Episode;
use crate::slot::{Shared, Slot};
use crate::worker_pool::WorkerPool;

/// The configuration of a [`BatchEnv`].
#[derive(Clone, Debug)]
pub struct BatchConfig {
    /// The number of games.
    pub games: usize,
    /// The random seed. The same seed gives the same games.
    pub seed: u64,
    /// The number of threads; 0 means one per core.
    pub threads: usize,
    /// Whether a claimable ending is claimed as soon as it holds.
    pub claims: bool,
    /// The number of moves after which a game is truncated.
    pub max_plies: Option<u32>,
    /// Whether a finished game restarts at once.
    pub autoreset: bool,
    /// Start states; each game draws one of them. Without any, games start from the start of the rules.
    pub states: Vec<State>,
}

impl Default for BatchConfig {
    fn default() -> Self {
        BatchConfig {
            games: 1,
            seed: 0,
            threads: 1,
            claims: true,
            max_plies: None,
            autoreset: true,
            states: Vec::new(),
        }
    }
}

/// Many games at once.
#[derive(Debug)]
pub struct BatchEnv {
    pub(crate) shared: Shared,
    pub(crate) slots: Vec<Slot>,
    pub(crate) pool: WorkerPool,
}

/// An action that was rejected. No game was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionError {
    /// The index of the game.
    pub game: usize,
    /// The action.
    pub action: i64,
    /// Why it was rejected.
    pub kind: ActionErrorKind,
}

/// Why an action was rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActionErrorKind {
    /// It is not below this number of actions.
    OutOfRange(usize),
    /// It is not a legal move in the position.
    Illegal,
    /// The game is over, and the action is not -1.
    GameOver,
    /// The number of actions differs from this number of games.
    WrongCount(usize),
}

tabiya_engine::error_messages! { ActionError:
    ActionError { game, action, kind: ActionErrorKind::OutOfRange(count) }
        => "game {game}: action {action} is out of range 0 to {}", count - 1;
    ActionError { game, action, kind: ActionErrorKind::Illegal }
        => "game {game}: action {action} is not a legal move";
    ActionError { game, action, kind: ActionErrorKind::GameOver }
        => "game {game} is over: its action must be -1, not {action}, until it is reset";
    ActionError { action, kind: ActionErrorKind::WrongCount(games), .. } => "there are {games} games and {action} actions";
}

/// A number of games that is zero or too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchSizeError(pub usize);

tabiya_engine::error_messages! { BatchSizeError:
    BatchSizeError(games) => "an environment holds 1 to {} games, not {games}", BatchEnv::MAX_GAMES;
}

impl BatchEnv {
    /// The greatest number of games.
    pub const MAX_GAMES: usize = 1 << 20;

    /// Creates an environment with all games at their start.
    ///
    /// # Errors
    /// Returns an error if the number of games is not from 1 to [`BatchEnv::MAX_GAMES`].
    pub fn new(
        rules: Arc<Rules>,
        encoding: Arc<Encoding>,
        config: &BatchConfig,
    ) -> Result<Self, BatchSizeError> {
        let BatchConfig { games, seed, threads, claims, max_plies, autoreset, states } = config;
        if !(1..=Self::MAX_GAMES).contains(games) {
            return Err(BatchSizeError(*games));
        }
        let states = if states.is_empty() { vec![State::new(rules.start())] } else { states.clone() };
        let shared =
            Shared { rules, encoding, states, max_plies: *max_plies, claims: *claims, autoreset: *autoreset };
        let slots = seeds(*seed).take(*games).map(|seed| Slot::new(&shared, seed)).collect();
        Ok(BatchEnv { shared, slots, pool: WorkerPool::new(*threads) })
    }

    /// Restarts all games.
    pub fn reset(&mut self, seed: u64) {
        let BatchEnv { shared, slots, .. } = self;
        for (slot, seed) in slots.iter_mut().zip(seeds(seed)) {
            *slot = Slot::new(shared, seed);
        }
    }

    /// Restarts all games, each from a given state.
    ///
    /// # Panics
    /// If the number of states differs from the number of games.
    pub fn reset_at(&mut self, seed: u64, states: &[State]) {
        let BatchEnv { shared, slots, .. } = self;
        assert_eq!(states.len(), slots.len(), "one state for each game");
        for ((slot, state), seed) in slots.iter_mut().zip(states).zip(seeds(seed)) {
            *slot = Slot::at(shared, state, SplitMix::new(seed));
        }
    }

    /// Restarts the games that are over. Returns their number.
    pub fn reset_over(&mut self) -> usize {
        let BatchEnv { shared, slots, .. } = self;
        let over = slots.iter_mut().filter(|slot| slot.is_over());
        over.map(|slot| slot.reset(shared)).count()
    }

    /// The rules.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.shared.rules
    }

    /// The encoding of positions and actions.
    pub fn encoding(&self) -> &Arc<Encoding> {
        &self.shared.encoding
    }

    /// The number of games.
    pub fn games(&self) -> usize {
        self.slots.len()
    }

    /// The number of players of a game.
    pub fn players(&self) -> usize {
        self.shared.rules.players().len()
    }

    /// Returns a game by its index.
    pub fn episode(&self, game: usize) -> Option<&Episode> {
        self.slots.get(game).map(|slot| &slot.episode)
    }

    /// The number of moves made in each game.
    pub fn plies(&self) -> impl Iterator<Item = u32> + '_ {
        self.slots.iter().map(|slot| slot.plies)
    }

    /// Whether each game is over or truncated. With autoreset, none is.
    pub fn over(&self) -> impl Iterator<Item = bool> + '_ {
        self.slots.iter().map(Slot::is_over)
    }

    /// The player to move in each game.
    pub fn movers(&self) -> impl Iterator<Item = Player> + '_ {
        self.slots.iter().map(|slot| self.shared.rules.mover(slot.episode.position()))
    }

    /// Makes one move in every game. Writes each player's reward, and whether each game terminated or was truncated.
    ///
    /// # Errors
    /// Returns the first invalid action. No game has changed then.
    ///
    /// # Panics
    /// If an output slice does not match the number of games (and players).
    pub fn step(
        &mut self,
        actions: &[i64],
        rewards: &mut [f32],
        terminated: &mut [bool],
        truncated: &mut [bool],
    ) -> Result<(), ActionError> {
        let (games, players) = (self.games(), self.players());
        if actions.len() != games {
            let action = actions.len() as i64;
            return Err(ActionError { game: 0, action, kind: ActionErrorKind::WrongCount(games) });
        }
        assert!(
            rewards.len() == games * players && terminated.len() == games && truncated.len() == games,
            "output for every game"
        );
        let chunk = self.pool.chunk_size(games);
        let BatchEnv { shared, slots, pool } = self;
        let jobs = slots.chunks_mut(chunk).zip(actions.chunks(chunk));
        let errors = pool.map(jobs, |(slots, actions)| {
            let mut games = slots.iter_mut().zip(actions).enumerate();
            games.find_map(|(game, (slot, action))| {
                let kind = slot.choose(shared, *action).err()?;
                Some(ActionError { game, action: *action, kind })
            })
        });
        let mut errors = errors.into_iter().enumerate();
        if let Some(error) = errors.find_map(|(job, error)| {
            error.map(|error| ActionError { game: job * chunk + error.game, ..error })
        }) {
            return Err(error);
        }
        let outputs = rewards
            .chunks_mut(chunk * players)
            .zip(terminated.chunks_mut(chunk))
            .zip(truncated.chunks_mut(chunk));
        pool.map(slots.chunks_mut(chunk).zip(outputs), |(slots, ((rewards, terminated), truncated))| {
            let outputs = rewards.chunks_mut(players).zip(terminated).zip(truncated);
            for (slot, ((rewards, terminated), truncated)) in slots.iter_mut().zip(outputs) {
                (*terminated, *truncated) = slot.step(shared, rewards);
            }
        });
        Ok(())
    }

    /// Writes the observation of the player to move in each game.
    ///
    /// # Panics
    /// If `out` does not have [`Encoding::len`] numbers for each game.
    pub fn observe(&self, out: &mut [f32]) {
        assert_eq!(out.len(), self.games() * self.shared.encoding.len(), "planes of every game");
        self.pool.fill_rows(&self.slots, out, |slot, out| self.shared.write(&slot.episode, out));
    }

    /// Returns the compact observation of the player to move in each game, if the encoding has one.
    pub fn compact(&self) -> Option<Vec<Compact>> {
        let Shared { rules, encoding, .. } = &self.shared;
        let compact = |slot: &Slot| {
            let mover = rules.mover(slot.episode.position());
            encoding.compact(&slot.episode.view(), mover)
        };
        self.slots.iter().map(compact).collect()
    }

    /// Writes which actions are legal in each game.
    ///
    /// # Panics
    /// If `out` does not have [`Encoding::actions`] flags for each game.
    pub fn legal_mask(&self, out: &mut [bool]) {
        assert_eq!(out.len(), self.games() * self.shared.encoding.actions(), "actions of every game");
        self.pool.fill_rows(&self.slots, out, |slot, out| {
            out.fill(false);
            for action in &slot.actions {
                out[*action as usize] = true;
            }
        });
    }

    /// Returns the legal actions of a game, in any order.
    pub fn actions(&self, game: usize) -> &[u32] {
        self.slots.get(game).map_or(&[], |slot| &slot.actions)
    }

    /// Samples a legal action for every game; -1 where it is over.
    pub fn sample(&mut self, out: &mut [i64]) {
        for (slot, out) in self.slots.iter_mut().zip(out) {
            *out = slot.sample();
        }
    }
}

impl Shared {
    /// Writes the observation of the player to move.
    pub(crate) fn write(&self, episode: &Episode, out: &mut [f32]) {
        let mover = self.rules.mover(episode.position());
        self.encoding.write(&self.rules, &episode.view(), mover, out);
    }
}

/// Derives the seeds of many games from one.
fn seeds(seed: u64) -> impl Iterator<Item = u64> {
    let mut rng = SplitMix::new(seed);
    std::iter::repeat_with(move || rng.next_u64())
}
