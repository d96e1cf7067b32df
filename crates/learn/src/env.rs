//! An environment: many games of one kind, stepped together on all cores.

use std::fmt;
use std::sync::Arc;

use tabiya_engine::{Player, Rules, SplitMix};
use tabiya_notation::State;
use tabiya_tensor::{Compact, Encoding};

use crate::course::Course;
use crate::crew::Crew;
use crate::table::{House, Table};

/// How games are played.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How many at once.
    pub games: usize,
    /// The same seed gives the same games.
    pub seed: u64,
    /// How many cores may work; all, if it is 0.
    pub threads: usize,
    /// Whether an ending that may be claimed is, as soon as it holds.
    pub claims: bool,
    /// After so many moves a game is cut off.
    pub longest: Option<u32>,
    /// Whether a game that is over begins anew at once.
    pub again: bool,
    /// Where games begin; chance takes one. The game's own start, if there are none.
    pub starts: Vec<State>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            games: 1,
            seed: 0,
            threads: 1,
            claims: true,
            longest: None,
            again: true,
            starts: Vec::new(),
        }
    }
}

/// Many games at once.
#[derive(Debug)]
pub struct Env {
    pub(crate) house: House,
    pub(crate) tables: Vec<Table>,
    pub(crate) crew: Crew,
}

/// Why an action was refused; then nothing was done in any game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadAction {
    /// In which game.
    pub game: usize,
    /// Which action.
    pub action: i64,
    /// Why.
    pub why: Why,
}

/// Why an action is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// There are only so many.
    NoAction(usize),
    /// It is no legal move of the position.
    Illegal,
    /// The game is over: its action is -1.
    Over,
    /// There is not one action for each of so many games.
    NotOneEach(usize),
}

impl fmt::Display for BadAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BadAction { game, action, why } = self;
        match why {
            Why::NoAction(count) => {
                write!(f, "game {game}: {action} is no action, they are numbered 0 to {}", count - 1)
            }
            Why::Illegal => write!(f, "game {game}: action {action} is no legal move"),
            Why::Over => {
                write!(f, "game {game} is over: its action must be -1, not {action}, until it is reset")
            }
            Why::NotOneEach(games) => write!(f, "there are {games} games and {action} actions"),
        }
    }
}

impl std::error::Error for BadAction {}

/// More games than one environment holds, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany(pub usize);

impl fmt::Display for TooMany {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an environment holds 1 to {} games, not {}", Env::MOST_GAMES, self.0)
    }
}

impl std::error::Error for TooMany {}

impl Env {
    /// One environment holds no more games.
    pub const MOST_GAMES: usize = 1 << 20;

    /// Games of these rules, all at their start.
    pub fn new(rules: Arc<Rules>, encoding: Arc<Encoding>, settings: &Settings) -> Result<Self, TooMany> {
        let Settings { games, seed, threads, claims, longest, again, starts } = settings;
        if !(1..=Self::MOST_GAMES).contains(games) {
            return Err(TooMany(*games));
        }
        let starts = if starts.is_empty() { vec![State::new(rules.start())] } else { starts.clone() };
        let house = House { rules, encoding, starts, longest: *longest, claims: *claims, again: *again };
        let mut env = Env { house, tables: Vec::new(), crew: Crew::new(*threads) };
        env.tables = seeds(*seed).take(*games).map(|seed| Table::new(&env.house, seed)).collect();
        Ok(env)
    }

    /// Begins all games anew.
    pub fn reset(&mut self, seed: u64) {
        let Env { house, tables, .. } = self;
        for (table, seed) in tables.iter_mut().zip(seeds(seed)) {
            *table = Table::new(house, seed);
        }
    }

    /// Begins all games anew, each where it is told to, without chance.
    ///
    /// # Panics
    /// If there is not one start for each game.
    pub fn reset_at(&mut self, seed: u64, starts: &[State]) {
        let Env { house, tables, .. } = self;
        assert_eq!(starts.len(), tables.len(), "a start for each game");
        for ((table, start), seed) in tables.iter_mut().zip(starts).zip(seeds(seed)) {
            *table = Table::at(house, start, SplitMix::new(seed));
        }
    }

    /// Begins those games anew that are over; how many there were.
    pub fn reset_over(&mut self) -> usize {
        let Env { house, tables, .. } = self;
        let over = tables.iter_mut().filter(|table| table.is_over());
        over.map(|table| table.begin(house)).count()
    }

    /// The rules.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.house.rules
    }

    /// What positions look like, and which number a move has.
    pub fn encoding(&self) -> &Arc<Encoding> {
        &self.house.encoding
    }

    /// How many games there are.
    pub fn games(&self) -> usize {
        self.tables.len()
    }

    /// How many players a game has.
    pub fn players(&self) -> usize {
        self.house.rules.players().len()
    }

    /// One of the games.
    pub fn course(&self, game: usize) -> Option<&Course> {
        self.tables.get(game).map(|table| &table.course)
    }

    /// How many moves were made in each game.
    pub fn plies(&self) -> impl Iterator<Item = u32> + '_ {
        self.tables.iter().map(|table| table.plies)
    }

    /// Whether each game is over or was cut off. Where games begin anew at once, none is.
    pub fn over(&self) -> impl Iterator<Item = bool> + '_ {
        self.tables.iter().map(Table::is_over)
    }

    /// Whose turn it is in each game.
    pub fn movers(&self) -> impl Iterator<Item = Player> + '_ {
        self.tables.iter().map(|table| self.house.rules.mover(table.course.position()))
    }

    /// Makes a move in every game: what it brings each player, whether the game is over, and whether it was cut off. If one
    /// of the actions is none, nothing is done in any game.
    ///
    /// # Panics
    /// If the slices are not of that many games (and players).
    pub fn step(
        &mut self,
        actions: &[i64],
        rewards: &mut [f32],
        ended: &mut [bool],
        cut: &mut [bool],
    ) -> Result<(), BadAction> {
        let (games, players) = (self.games(), self.players());
        if actions.len() != games {
            let action = actions.len() as i64;
            return Err(BadAction { game: 0, action, why: Why::NotOneEach(games) });
        }
        assert!(rewards.len() == games * players && ended.len() == games && cut.len() == games);
        let share = self.share();
        let Env { house, tables, crew } = self;
        let jobs = tables.chunks_mut(share).zip(actions.chunks(share));
        let refused = crew.spread(jobs, |(tables, actions)| {
            let mut games = tables.iter_mut().zip(actions).enumerate();
            games.find_map(|(game, (table, action))| {
                Some((game, *action, table.choose(house, *action).err()?))
            })
        });
        let mut refused = refused.into_iter().enumerate();
        if let Some((game, action, why)) = refused
            .find_map(|(job, refused)| refused.map(|(game, action, why)| (job * share + game, action, why)))
        {
            return Err(BadAction { game, action, why });
        }
        let places =
            rewards.chunks_mut(share * players).zip(ended.chunks_mut(share)).zip(cut.chunks_mut(share));
        crew.spread(tables.chunks_mut(share).zip(places), |(tables, ((rewards, ended), cut))| {
            let places = rewards.chunks_mut(players).zip(ended).zip(cut);
            for (table, ((rewards, ended), cut)) in tables.iter_mut().zip(places) {
                (*ended, *cut) = table.step(house, rewards);
            }
        });
        Ok(())
    }

    /// Writes what whoever moves in each game sees.
    ///
    /// # Panics
    /// If `out` is not as long as that.
    pub fn observe(&self, out: &mut [f32]) {
        let House { rules, encoding, .. } = &self.house;
        assert_eq!(out.len(), self.games() * encoding.len(), "planes of every game");
        let share = self.share();
        let jobs = self.tables.chunks(share).zip(out.chunks_mut(share * encoding.len()));
        self.crew.spread(jobs, |(tables, out)| {
            for (table, out) in tables.iter().zip(out.chunks_mut(encoding.len())) {
                let mover = rules.mover(table.course.position());
                encoding.write(rules, &table.course.sight(), mover, out);
            }
        });
    }

    /// The same as sets of cells, where the encoding has that.
    pub fn compact(&self) -> Option<Vec<Compact>> {
        let House { rules, encoding, .. } = &self.house;
        let compact = |table: &Table| {
            let mover = rules.mover(table.course.position());
            encoding.compact(&table.course.sight(), mover)
        };
        self.tables.iter().map(compact).collect()
    }

    /// Writes which actions are legal in each game.
    ///
    /// # Panics
    /// If `out` is not as long as that.
    pub fn legal(&self, out: &mut [bool]) {
        let actions = self.house.encoding.actions();
        assert_eq!(out.len(), self.games() * actions, "actions of every game");
        let share = self.share();
        let jobs = self.tables.chunks(share).zip(out.chunks_mut(share * actions));
        self.crew.spread(jobs, |(tables, out)| {
            for (table, out) in tables.iter().zip(out.chunks_mut(actions)) {
                out.fill(false);
                for action in &table.actions {
                    out[*action as usize] = true;
                }
            }
        });
    }

    /// The legal actions of a game, in any order.
    pub fn actions(&self, game: usize) -> &[u32] {
        self.tables.get(game).map_or(&[], |table| &table.actions)
    }

    /// An action by chance for every game; -1 where it is over.
    pub fn sample(&mut self, out: &mut [i64]) {
        for (table, out) in self.tables.iter_mut().zip(out) {
            *out = table.sample();
        }
    }

    /// How many games are one job.
    fn share(&self) -> usize {
        self.crew.share(self.games())
    }
}

/// Seeds of many games, from one.
fn seeds(seed: u64) -> impl Iterator<Item = u64> {
    let mut dice = SplitMix::new(seed);
    std::iter::repeat_with(move || dice.next_u64())
}
