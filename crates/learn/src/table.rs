//! One of many games: its course, the numbers of its moves, and its own chance.

use std::sync::Arc;

use tabiya_engine::{Move, PlayerSet, Rules, SplitMix};
use tabiya_notation::State;
use tabiya_tensor::Encoding;

use crate::course::Course;
use crate::env::Why;

/// What all games of an environment share.
#[derive(Debug)]
pub(crate) struct House {
    pub(crate) rules: Arc<Rules>,
    pub(crate) encoding: Arc<Encoding>,
    /// Where games begin; chance takes one.
    pub(crate) starts: Vec<State>,
    /// After so many moves a game is cut off.
    pub(crate) longest: Option<u32>,
    pub(crate) claims: bool,
    /// Whether a game that is over begins anew at once.
    pub(crate) again: bool,
}

/// One of many games.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) course: Course,
    /// The numbers of its legal moves, in the same order.
    pub(crate) actions: Vec<u32>,
    pub(crate) plies: u32,
    pub(crate) is_cut: bool,
    dice: SplitMix,
    /// Which of the moves is to be made.
    chosen: Option<Move>,
}

impl Table {
    pub(crate) fn new(house: &House, seed: u64) -> Self {
        let mut dice = SplitMix::new(seed);
        let start = &house.starts[dice.below(house.starts.len())];
        Table::at(house, start, dice)
    }

    /// A game that begins there.
    pub(crate) fn at(house: &House, start: &State, mut dice: SplitMix) -> Self {
        let course = Course::new(&house.rules, start, house.claims, &mut dice);
        let mut table = Table { course, actions: Vec::new(), plies: 0, is_cut: false, dice, chosen: None };
        table.count(house);
        table
    }

    /// A new game at the same table.
    pub(crate) fn begin(&mut self, house: &House) {
        *self = Table::new(house, self.dice.next_u64());
    }

    pub(crate) fn is_over(&self) -> bool {
        self.course.end().is_some() || self.is_cut
    }

    fn count(&mut self, house: &House) {
        let position = self.course.position();
        let moves = self.course.moves().iter();
        self.actions.clear();
        self.actions.extend(moves.map(|played| house.encoding.action(&house.rules, position, *played)));
        if self.is_cut {
            self.actions.clear();
        }
    }

    /// Looks up an action, and keeps it for [`Table::step`].
    pub(crate) fn choose(&mut self, house: &House, action: i64) -> Result<(), Why> {
        self.chosen = None;
        if self.is_over() {
            // Nothing is asked of a game that is over.
            return if action == -1 { Ok(()) } else { Err(Why::Over) };
        }
        let number = u32::try_from(action).ok().filter(|it| (*it as usize) < house.encoding.actions());
        let number = number.ok_or(Why::NoAction(house.encoding.actions()))?;
        let index = self.actions.iter().position(|it| *it == number).ok_or(Why::Illegal)?;
        self.chosen = Some(self.course.moves()[index]);
        Ok(())
    }

    /// Makes the chosen move; what it brings each player, and whether the game is over or cut off.
    pub(crate) fn step(&mut self, house: &House, rewards: &mut [f32]) -> (bool, bool) {
        rewards.fill(0.0);
        let Some(played) = self.chosen.take() else { return (self.course.end().is_some(), self.is_cut) };
        self.course.play(&house.rules, played, &mut self.dice);
        self.plies += 1;
        if let Some(end) = self.course.end() {
            reward(end.winners, rewards);
        } else {
            self.is_cut = house.longest.is_some_and(|longest| self.plies >= longest);
        }
        let over = (self.course.end().is_some(), self.is_cut);
        if self.is_over() && house.again {
            self.begin(house);
        } else {
            self.count(house);
        }
        over
    }

    /// An action by chance: whatever order the moves are in, the same for the same seed.
    pub(crate) fn sample(&mut self) -> i64 {
        if self.actions.is_empty() {
            return -1;
        }
        let index = self.dice.below(self.actions.len());
        let mut actions = self.actions.clone();
        i64::from(*actions.select_nth_unstable(index).1)
    }

    /// A seed for whoever needs one: another one for every move of every game, and the same for the same.
    pub(crate) fn seed(&self) -> u64 {
        let mut mixed = SplitMix::new(self.course.position().key() ^ u64::from(self.plies));
        self.dice.clone().next_u64() ^ mixed.next_u64()
    }
}

/// What an end brings each player: 1 to winners, -1 to all others, nothing if nobody won.
pub(crate) fn reward(winners: PlayerSet, rewards: &mut [f32]) {
    if winners.is_empty() {
        return;
    }
    for (player, reward) in (0u8..).zip(rewards) {
        *reward = if winners.contains(tabiya_engine::Player(player)) { 1.0 } else { -1.0 };
    }
}
