//! One game of a [`BatchEnv`](crate::BatchEnv): its episode, legal actions and random numbers.

use std::sync::Arc;

use tabiya_engine::{Move, Player, PlayerSet, Rules, SplitMix};
use tabiya_notation::State;
use tabiya_tensor::Encoding;

use crate::batch_env::ActionErrorKind;
use crate::episode::Episode;

/// What all games of an environment share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) rules: Arc<Rules>,
    pub(crate) encoding: Arc<Encoding>,
    /// Start states; each game draws one of them.
    pub(crate) states: Vec<State>,
    pub(crate) max_plies: Option<u32>,
    pub(crate) claims: bool,
    pub(crate) autoreset: bool,
}

/// One game of an environment.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub(crate) episode: Episode,
    /// The actions of the legal moves, in the same order.
    pub(crate) actions: Vec<u32>,
    pub(crate) plies: u32,
    pub(crate) is_truncated: bool,
    rng: SplitMix,
    /// The move that the next step makes.
    chosen: Option<Move>,
}

impl Slot {
    pub(crate) fn new(shared: &Shared, seed: u64) -> Self {
        let mut rng = SplitMix::new(seed);
        let start = &shared.states[rng.below(shared.states.len())];
        Slot::at(shared, start, rng)
    }

    /// Starts a game from a given state.
    pub(crate) fn at(shared: &Shared, start: &State, mut rng: SplitMix) -> Self {
        let episode = Episode::new(&shared.rules, start, shared.claims, &mut rng);
        let mut slot =
            Slot { episode, actions: Vec::new(), plies: 0, is_truncated: false, rng, chosen: None };
        slot.list_actions(shared);
        slot
    }

    /// Replaces the game with a new one.
    pub(crate) fn reset(&mut self, shared: &Shared) {
        *self = Slot::new(shared, self.rng.next_u64());
    }

    pub(crate) fn is_over(&self) -> bool {
        self.episode.end().is_some() || self.is_truncated
    }

    fn list_actions(&mut self, shared: &Shared) {
        let position = self.episode.position();
        let moves = self.episode.moves().iter();
        self.actions.clear();
        self.actions.extend(moves.map(|played| shared.encoding.action(&shared.rules, position, *played)));
        if self.is_truncated {
            self.actions.clear();
        }
    }

    /// Looks up an action and keeps its move for [`Slot::step`].
    pub(crate) fn choose(&mut self, shared: &Shared, action: i64) -> Result<(), ActionErrorKind> {
        self.chosen = None;
        if self.is_over() {
            return if action == -1 { Ok(()) } else { Err(ActionErrorKind::GameOver) };
        }
        let count = shared.encoding.actions();
        let number = u32::try_from(action).ok().filter(|it| (*it as usize) < count);
        let number = number.ok_or(ActionErrorKind::OutOfRange(count))?;
        let index = self.actions.iter().position(|it| *it == number).ok_or(ActionErrorKind::Illegal)?;
        self.chosen = Some(self.episode.moves()[index]);
        Ok(())
    }

    /// Makes the chosen move and writes the players' rewards. Returns whether the game terminated and whether it was
    /// truncated.
    pub(crate) fn step(&mut self, shared: &Shared, rewards: &mut [f32]) -> (bool, bool) {
        rewards.fill(0.0);
        let Some(played) = self.chosen.take() else {
            return (self.episode.end().is_some(), self.is_truncated);
        };
        self.episode.play(&shared.rules, played, &mut self.rng);
        self.plies += 1;
        if let Some(end) = self.episode.end() {
            write_rewards(end.winners, rewards);
        } else {
            self.is_truncated = shared.max_plies.is_some_and(|most| self.plies >= most);
        }
        let over = (self.episode.end().is_some(), self.is_truncated);
        if self.is_over() && shared.autoreset {
            self.reset(shared);
        } else {
            self.list_actions(shared);
        }
        over
    }

    /// Samples a legal action. The result depends on the seed, not on the order of the moves.
    pub(crate) fn sample(&mut self) -> i64 {
        if self.actions.is_empty() {
            return -1;
        }
        let index = self.rng.below(self.actions.len());
        let mut actions = self.actions.clone();
        i64::from(*actions.select_nth_unstable(index).1)
    }

    /// Returns a seed that depends on the game and its current move.
    pub(crate) fn seed(&self) -> u64 {
        let mut mixed = SplitMix::new(self.episode.position().key() ^ u64::from(self.plies));
        self.rng.clone().next_u64() ^ mixed.next_u64()
    }
}

/// Writes each player's reward: 1 for winners, -1 for all others, 0 for everyone if there are no winners.
pub(crate) fn write_rewards(winners: PlayerSet, rewards: &mut [f32]) {
    if winners.is_empty() {
        return;
    }
    for (player, reward) in (0u8..).zip(rewards) {
        *reward = if winners.contains(Player(player)) { 1.0 } else { -1.0 };
    }
}
