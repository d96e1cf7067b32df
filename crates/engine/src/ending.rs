//! How a game ends beside mate, stalemate and captured leaders: by rules, claims and fallen flags that the game itself
//! lists, in their order. Draws by repetition, quiet play and dead material are the first of them.
//!
//! What a position cannot know, how often it has been there and how long it has been quiet, comes in as a [`Tally`].

use crate::piece::{Kind, Player, PlayerSet};
use crate::position::Position;
use crate::rules::Rules;

/// A way for a game to end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndingPlan {
    /// Its name; several ways may share one.
    pub code: String,
    /// What brings it about.
    pub by: Trigger,
    /// All must hold.
    pub when: Vec<Clause>,
    /// How it ends for the player whose turn it is, or whose flag fell.
    pub result: Result,
}

/// What brings an ending about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// The rule itself, as soon as its conditions hold.
    Rule,
    /// A claim of the player whose turn it is.
    Claim,
    /// The fall of a player's flag; without such an ending that player loses.
    Flag,
}

/// How a game ends for one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Result {
    /// Nobody wins.
    Draw,
    /// The player wins alone.
    Win,
    /// All others who are still in the game win.
    Loss,
}

/// Something that must hold for an ending. *Own* is the player whose turn it is, or whose flag fell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clause {
    /// So many pieces are on the board.
    Count(Census),
    /// The position has been there so often, this time included.
    Repetition(u32),
    /// So many turns have passed since the last capture or other loud move.
    Quiet(u32),
    /// It is proved that these players cannot win any more; see [`Rules::cannot_win`].
    CannotWin(Owner),
    /// One of these lists holds.
    Any(Vec<Vec<Clause>>),
    /// This list does not hold.
    Not(Vec<Clause>),
}

/// A count of pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Census {
    /// Of these kinds.
    pub kinds: Vec<Kind>,
    /// Of these players.
    pub owner: Owner,
    /// Only those that stand in their owner's part of a region.
    pub region: Option<u16>,
    /// At least so many.
    pub min: u32,
    /// At most so many.
    pub max: Option<u32>,
}

/// Whose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The player's own.
    Own,
    /// Those of every other player who is still in the game.
    Enemy,
    /// Everybody's.
    Any,
}

/// Which moves are loud: they start the count of quiet turns anew.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoudPlan {
    /// Captures.
    pub captures: bool,
    /// All moves of these kinds.
    pub kinds: Vec<Kind>,
}

/// What a position does not know of the game it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    /// How often it has been there, this time included.
    pub repetitions: u32,
    /// Turns since the last loud move.
    pub quiet: u32,
}

/// An ending that holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending<'r> {
    /// Its name.
    pub code: &'r str,
    /// Who wins; nobody, if it is a draw.
    pub winners: PlayerSet,
}

impl Rules {
    /// The first ending of a trigger that holds for a player: whose turn it is, or whose flag fell. With a name, only
    /// endings of that name are looked at.
    pub fn ending(
        &self,
        position: &Position,
        tally: Tally,
        by: Trigger,
        own: Player,
        code: Option<&str>,
    ) -> Option<Ending<'_>> {
        let asked = Asked { rules: self, position, tally, own };
        let plans = self.blueprint().endings.iter();
        let mut fitting = plans.filter(|plan| plan.by == by && code.is_none_or(|code| code == plan.code));
        fitting.find(|plan| asked.all(&plan.when)).map(|plan| {
            let alive = self.alive(position);
            let own = PlayerSet::EMPTY.with(own);
            let winners = match plan.result {
                Result::Draw => PlayerSet::EMPTY,
                Result::Win => own,
                Result::Loss => alive.without(own),
            };
            Ending { code: &plan.code, winners }
        })
    }

    /// Whether the move from one position to the next starts the count of quiet turns anew.
    pub fn is_loud(&self, before: &Position, kind: Kind, after: &Position) -> bool {
        let loud = &self.blueprint().loud;
        loud.kinds.contains(&kind) || loud.captures && after.piece_count() < before.piece_count()
    }
}

/// A question about one position.
struct Asked<'r> {
    rules: &'r Rules,
    position: &'r Position,
    tally: Tally,
    own: Player,
}

impl Asked<'_> {
    fn all(&self, clauses: &[Clause]) -> bool {
        clauses.iter().all(|clause| self.holds(clause))
    }

    fn holds(&self, clause: &Clause) -> bool {
        match clause {
            Clause::Count(census) => {
                let count = self.count(census);
                count >= census.min && census.max.is_none_or(|max| count <= max)
            }
            Clause::Repetition(times) => self.tally.repetitions >= *times,
            Clause::Quiet(turns) => self.tally.quiet >= *turns,
            Clause::CannotWin(owner) => {
                let mut players = self.players(*owner).iter();
                players.all(|player| self.rules.cannot_win(self.position, player))
            }
            Clause::Any(lists) => lists.iter().any(|list| self.all(list)),
            Clause::Not(list) => !self.all(list),
        }
    }

    fn players(&self, owner: Owner) -> PlayerSet {
        let alive = self.rules.alive(self.position);
        let own = PlayerSet::EMPTY.with(self.own);
        match owner {
            Owner::Own => own,
            Owner::Enemy => alive.without(own),
            Owner::Any => alive,
        }
    }

    fn count(&self, census: &Census) -> u32 {
        let mut count = 0;
        for player in self.players(census.owner).iter() {
            let army = self.position.player_plane(player.index());
            let region = census.region.map(|it| &*self.rules.regions[usize::from(it)][player.index()]);
            for kind in &census.kinds {
                let plane = self.position.kind_plane(kind.index());
                for (word, pieces) in plane.iter().enumerate() {
                    let here = region.map_or(u64::MAX, |region| region[word]);
                    count += (pieces & army[word] & here).count_ones();
                }
            }
        }
        count
    }
}
