//! How a game ends beside mate, stalemate and captured leaders: by rules, claims and fallen flags that the game itself
//! lists, in their order. Draws by repetition, quiet play and dead material are the first of them.
//!
//! What a position cannot know, how often it has been there and how long it has been quiet, comes in as a [`Tally`].

use crate::blueprint::Placement;
use crate::outcome::Termination;
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
    /// For whom the conditions are looked at: for everybody in turn, instead of the one whose turn it is.
    pub anyone: bool,
    /// Whether it is part of the board: once it holds, there are no legal moves any more.
    pub stops: bool,
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
    /// The leader of one of these players is captured.
    Captive(Owner),
    /// The army of one of these players is controlled by another, to whom he has not handed it.
    Controlled(Owner),
    /// The player's turn has come and he has no legal move; and his leader is attacked, or is not, if that is asked.
    Stuck(Option<bool>),
    /// One of these lists holds.
    Any(Vec<Vec<Clause>>),
    /// This list does not hold.
    Not(Vec<Clause>),
}

/// A count of pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Census {
    /// Of these kinds, each listed once.
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
    /// Those of every player of another team who is still in the game.
    Enemy,
    /// Everybody's.
    Any,
    /// Those of his partners.
    Partner,
    /// The player's own and those of his partners.
    Team,
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
    /// endings of that name are looked at. Endings that are part of the board are outcomes of positions, and not looked
    /// at here.
    pub fn ending(
        &self,
        position: &Position,
        tally: Tally,
        by: Trigger,
        own: Player,
        code: Option<&str>,
    ) -> Option<Ending<'_>> {
        let asked = Asked { rules: self, position, tally, own, is_stuck: false, is_open: false };
        self.first_ending(&asked, by, code)
    }

    /// The same by rule for whoever moves, where it is known that nobody's win is ruled out: that is not proved again.
    pub fn ending_of_open(&self, position: &Position, tally: Tally) -> Option<Ending<'_>> {
        let own = self.mover(position);
        let asked = Asked { rules: self, position, tally, own, is_stuck: false, is_open: true };
        self.first_ending(&asked, Trigger::Rule, None)
    }

    fn first_ending(&self, asked: &Asked<'_>, by: Trigger, code: Option<&str>) -> Option<Ending<'_>> {
        let plans = self.blueprint().endings.iter().filter(|plan| !plan.stops);
        let mut fitting = plans.filter(|plan| plan.by == by && code.is_none_or(|code| code == plan.code));
        fitting.find_map(|plan| {
            let own = self.holds_for(plan, asked)?;
            Some(Ending { code: &plan.code, winners: self.winners(asked.position, plan.result, own) })
        })
    }

    /// For whom the conditions of an ending hold.
    fn holds_for(&self, plan: &EndingPlan, asked: &Asked<'_>) -> Option<Player> {
        if plan.anyone {
            // What is about teams holds for partners alike.
            let is_of_team = plan.when.iter().all(Clause::is_of_team);
            let mut open = self.alive(asked.position);
            while let Some(own) = open.iter().next() {
                if (Asked { own, ..*asked }).all(&plan.when) {
                    return Some(own);
                }
                open = open.without(if is_of_team { self.team(own) } else { PlayerSet::EMPTY.with(own) });
            }
            None
        } else {
            asked.all(&plan.when).then_some(asked.own)
        }
    }

    /// Partners win together.
    fn winners(&self, position: &Position, result: Result, own: Player) -> PlayerSet {
        match result {
            Result::Draw => PlayerSet::EMPTY,
            Result::Win => self.seated_of(self.team(own)),
            Result::Loss => self.teams_of(self.alive(position).without(self.team(own))),
        }
    }

    /// All players of the teams of these players.
    pub(crate) fn teams_of(&self, players: PlayerSet) -> PlayerSet {
        self.seated_of(players.iter().fold(PlayerSet::EMPTY, |all, player| all.union(self.team(player))))
    }

    /// The first ending that is part of the board and holds, by its place in the list.
    pub(crate) fn stopped(&self, position: &Position) -> Option<u8> {
        self.stopping(position, self.mover(position), false).map(|(index, _)| index)
    }

    /// The same for a player whose turn has come and who has no legal move.
    pub(crate) fn stuck_ending(&self, position: &Position) -> Option<u8> {
        let found = self.has_stops.then(|| self.stopping(position, self.mover(position), true)).flatten();
        found.map(|(index, _)| index)
    }

    fn stopping(&self, position: &Position, own: Player, is_stuck: bool) -> Option<(u8, Player)> {
        let tally = Tally { repetitions: 0, quiet: 0 };
        let asked = Asked { rules: self, position, tally, own, is_stuck, is_open: false };
        let plans = (0u8..).zip(&self.blueprint().endings);
        let fitting = plans.filter(|(_, plan)| plan.stops && asks_for_stuck(&plan.when) == is_stuck);
        fitting.into_iter().find_map(|(index, plan)| Some((index, self.holds_for(plan, &asked)?)))
    }

    /// Who has won a game that is over by an ending of its own.
    pub(crate) fn winners_of(&self, position: &Position, index: u8) -> PlayerSet {
        let Some(plan) = self.blueprint().endings.get(usize::from(index)) else { return PlayerSet::EMPTY };
        let tally = Tally { repetitions: 0, quiet: 0 };
        let own = self.mover(position);
        let asked = Asked { rules: self, position, tally, own, is_stuck: true, is_open: false };
        self.winners(position, plan.result, self.holds_for(plan, &asked).unwrap_or(own))
    }

    /// Whether there are so many pieces as a move asks for, and so many fewer than at the start.
    pub(crate) fn counts(&self, position: &Position, census: &Census, lost: u32, own: Player) -> bool {
        let tally = Tally { repetitions: 0, quiet: 0 };
        let asked = Asked { rules: self, position, tally, own, is_stuck: false, is_open: false };
        let enough = if lost == 0 { census.enough() } else { u32::MAX };
        let count = asked.count(census, enough);
        census.admits(count)
            && (lost == 0 || count + lost <= self.count_at_start(census, asked.players(census.owner)))
    }

    fn count_at_start(&self, census: &Census, players: PlayerSet) -> u32 {
        let start = self.blueprint().start.iter();
        let is_meant = |placed: &&Placement| {
            players.contains(placed.player)
                && census.kinds.contains(&placed.kind)
                && census.region.is_none_or(|region| self.in_region(region, placed.player, placed.square))
        };
        start.filter(is_meant).count() as u32
    }

    /// Whether the move from one position to the next starts the count of quiet turns anew.
    pub fn is_loud(&self, before: &Position, kind: Kind, after: &Position) -> bool {
        let loud = &self.blueprint().loud;
        loud.kinds.contains(&kind) || loud.captures && after.piece_count() < before.piece_count()
    }

    /// Whether a game ended so because of whose turn had come, and not by what was done.
    pub fn is_about_turn(&self, termination: Termination) -> bool {
        match termination {
            Termination::Held | Termination::NobodyCanMove => true,
            Termination::Listed(index) => {
                let plan = self.blueprint().endings.get(usize::from(index));
                plan.is_some_and(|plan| plan.when.iter().any(|clause| matches!(clause, Clause::Stuck(_))))
            }
            _ => false,
        }
    }

    /// The word that programs see for the end of a game.
    pub fn reason(&self, termination: Termination) -> String {
        match termination {
            Termination::Listed(index) => {
                let plan = self.blueprint().endings.get(usize::from(index));
                plan.map_or_else(|| termination.as_str().to_owned(), |plan| plan.code.to_lowercase())
            }
            Termination::Held => {
                let hold = self.mechanics().hold.as_ref();
                hold.map_or_else(|| termination.as_str().to_owned(), |hold| hold.code.to_lowercase())
            }
            _ => termination.as_str().to_owned(),
        }
    }

    /// The end of a game that programs call so.
    pub fn termination(&self, word: &str) -> Option<Termination> {
        let endings = (0u8..).zip(&self.blueprint().endings).filter(|(_, plan)| plan.stops);
        let listed = endings.map(|(index, _)| Termination::Listed(index));
        let all = Termination::ALL.into_iter().chain([Termination::Held]).chain(listed);
        all.into_iter().find(|termination| self.reason(*termination) == word)
    }
}

impl EndingPlan {
    /// Whether it can begin to hold after a turn only if the turn has changed which pieces there are. An ending that asks
    /// for players who are stuck is not looked at then.
    pub(crate) fn is_steady(&self) -> bool {
        let is_whole = |clause: &Clause| matches!(clause, Clause::Count(census) if census.region.is_none());
        !self.stops || asks_for_stuck(&self.when) || self.anyone && self.when.iter().all(is_whole)
    }
}

/// Whether the conditions are about a player who is stuck: then they are asked when that is found, and else never.
fn asks_for_stuck(clauses: &[Clause]) -> bool {
    clauses.iter().any(|clause| match clause {
        Clause::Stuck(_) => true,
        Clause::Any(lists) => lists.iter().any(|list| asks_for_stuck(list)),
        Clause::Not(list) => asks_for_stuck(list),
        _ => false,
    })
}

impl Clause {
    /// Whether it is a count that is the same for every player of a team.
    fn is_of_team(&self) -> bool {
        matches!(self, Clause::Count(census) if matches!(census.owner, Owner::Enemy | Owner::Any | Owner::Team))
    }
}

impl Census {
    /// How many settle it, if there are more.
    fn enough(&self) -> u32 {
        self.max.unwrap_or(self.min)
    }

    fn admits(&self, count: u32) -> bool {
        count >= self.min && self.max.is_none_or(|max| count <= max)
    }
}

/// A question about one position.
#[derive(Clone, Copy)]
struct Asked<'r> {
    rules: &'r Rules,
    position: &'r Position,
    tally: Tally,
    own: Player,
    /// Whether the player whose turn it is has no legal move.
    is_stuck: bool,
    /// Whether it is known that nobody's win is ruled out.
    is_open: bool,
}

impl Asked<'_> {
    fn all(&self, clauses: &[Clause]) -> bool {
        clauses.iter().all(|clause| self.holds(clause))
    }

    fn holds(&self, clause: &Clause) -> bool {
        match clause {
            Clause::Count(census) => census.admits(self.count(census, census.enough())),
            Clause::Repetition(times) => self.tally.repetitions >= *times,
            Clause::Quiet(turns) => self.tally.quiet >= *turns,
            Clause::CannotWin(_) if self.is_open => false,
            Clause::CannotWin(owner) => {
                let players = self.players(*owner);
                !self.rules.somebody_may_win(self.position, players)
                    && players.iter().all(|player| self.rules.cannot_win(self.position, player))
            }
            Clause::Captive(owner) => {
                self.players(*owner).iter().any(|player| self.position.captor(player).is_some())
            }
            Clause::Controlled(owner) => {
                let is_seized = |player: Player| {
                    self.position.controller(player).is_some() && !self.position.has_withdrawn(player)
                };
                self.players(*owner).iter().any(is_seized)
            }
            Clause::Stuck(attacked) => {
                self.is_stuck
                    && self.own == self.rules.mover(self.position)
                    && attacked.is_none_or(|wanted| self.rules.in_check(self.position, self.own) == wanted)
            }
            Clause::Any(lists) => lists.iter().any(|list| self.all(list)),
            Clause::Not(list) => !self.all(list),
        }
    }

    fn players(&self, owner: Owner) -> PlayerSet {
        let alive = self.rules.alive(self.position);
        let own = PlayerSet::EMPTY.with(self.own);
        let team = || self.rules.team(self.own);
        match owner {
            Owner::Own => own,
            Owner::Enemy => alive.without(team()),
            Owner::Any => alive,
            Owner::Partner => alive.intersection(team()).without(own),
            Owner::Team => alive.intersection(team()).union(own),
        }
    }

    /// Counts kind by kind, but no further than is asked: of more than `enough` it does not matter how many there are.
    fn count(&self, census: &Census, enough: u32) -> u32 {
        let players = self.players(census.owner);
        let storeys = if self.position.has_upper() { &[false, true][..] } else { &[false] };
        let mut count = 0;
        for guests in storeys {
            for word in 0..self.position.unmoved_plane().len() {
                let armies = self.armies(players, census.region, word, *guests);
                for kind in &census.kinds {
                    let meant = self.position.kinds_word(&[*kind], word, *guests) & armies;
                    if meant != 0 {
                        count += meant.count_ones();
                        if count > enough {
                            return count;
                        }
                    }
                }
            }
        }
        count
    }

    /// A word of what these players have, each in his part of the region, among guests or among all others.
    fn armies(&self, players: PlayerSet, region: Option<u16>, word: usize, guests: bool) -> u64 {
        players.iter().fold(0, |all, player| {
            let region = region.map(|it| self.rules.regions[usize::from(it)][player.index()][word]);
            all | self.position.player_word(player, word, guests) & region.unwrap_or(u64::MAX)
        })
    }
}
