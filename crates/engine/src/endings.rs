//! Endings: how a game ends, and who has won.
//!
//! In addition to mate, stalemate and captured leaders, a game lists its own endings, in order: by rule, by claim or
//! by a fallen flag. Repetition, quiet play and insufficient material are typical ones. A position does not know its
//! history, so the caller provides it as a [`Tally`].

mod facing;
mod outcome;
mod tally;

pub use outcome::{Outcome, Termination};
pub use tally::{PastTurn, PerpetualChecks, Tally};

use crate::area::Place;
use crate::blueprint::Placement;
use crate::blueprint::ending::{
    Area, Census, Clause, Comparison, EndingPlan, Measure, Owner, PlayerResult, Stalemate, Trigger,
};
use crate::dead::DeadCheck;
use crate::piece::{Kind, Piece, Player, PlayerSet};
use crate::position::{Position, Spot};
use crate::rules::Rules;
use crate::square::Square;

/// An ending that holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending<'r> {
    /// The name.
    pub code: &'r str,
    /// The winners; empty for a draw.
    pub winners: PlayerSet,
}

impl Rules {
    /// Returns how the game ended, or `None` if it goes on. Listed endings that need a [`Tally`] are not included;
    /// see [`Rules::ending`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let rules = tabiya_spec::library::load("chess").unwrap().rules;
    /// assert_eq!(rules.outcome(&rules.start()), None);
    /// ```
    pub fn outcome(&self, position: &Position) -> Option<Outcome> {
        if let Some(reason) = position.ended() {
            let winners = match reason {
                Termination::NobodyCanMove => PlayerSet::EMPTY,
                Termination::Listed(index) => self.winners_of(position, index),
                Termination::Held => self.seated_of(self.team(self.mover(position))),
                _ => self.last_team(position).unwrap_or_default(),
            };
            return Some(Outcome { winners, reason });
        }
        // If players without a move are skipped, the player to move always has one.
        if self.mechanics().stuck_passes || self.can_move(position) {
            return None;
        }
        let player = self.mover(position);
        let reason = self.reason_for_no_move(position, player);
        let winners = match reason {
            Termination::Checkmate => self.winners(position, PlayerResult::Loss, player),
            _ => self.winners(position, self.blueprint().stalemate.result(), player),
        };
        Some(Outcome { winners, reason })
    }

    /// Returns how the game ended, like [`Rules::outcome`], given the number of quiet turns before the position. Endings
    /// that stop the game after a number of quiet turns are included.
    pub fn outcome_with_quiet(&self, position: &Position, quiet: u32) -> Option<Outcome> {
        self.outcome(position).or_else(|| self.quiet_ending(position, quiet))
    }

    /// Returns the players that an owner refers to, for a player.
    pub(crate) fn owners(&self, position: &Position, own: Player, owner: Owner) -> PlayerSet {
        Evaluation::new(self, position, own).players(owner)
    }

    fn quiet_ending(&self, position: &Position, quiet: u32) -> Option<Outcome> {
        let tally = Tally::new(0, quiet);
        let evaluation = Evaluation { tally, ..Evaluation::new(self, position, self.mover(position)) };
        let mut plans = (0u8..).zip(&self.blueprint().endings).filter(|(_, plan)| plan.stops_quiet_game());
        plans.find_map(|(index, plan)| {
            let own = self.holds_for(plan, &evaluation)?;
            let winners = self.winners(position, plan.result, own);
            Some(Outcome { winners, reason: Termination::Listed(index) })
        })
    }

    /// Returns whether a game may stop within `turns` turns because of quiet ones, if `quiet` turns were quiet before.
    pub fn may_stop_within(&self, quiet: u32, turns: u32) -> bool {
        let mut plans = self.blueprint().endings.iter().filter(|plan| plan.stops_quiet_game());
        plans.any(|plan| fewest_quiet_turns(&plan.when) <= quiet.saturating_add(turns))
    }

    /// Returns the first ending of a trigger that holds for a player: the player to move, or whose flag fell. If
    /// `code` is given, only endings with that name are considered. Endings decided by the board alone are not
    /// considered; [`Rules::outcome`] reports them.
    pub fn ending(
        &self,
        position: &Position,
        tally: Tally,
        by: Trigger,
        own: Player,
        code: Option<&str>,
    ) -> Option<Ending<'_>> {
        self.first_ending(&Evaluation { tally, ..Evaluation::new(self, position, own) }, by, code)
    }

    /// Returns the first ending by rule for the player to move, with this effort to find dead positions.
    pub fn ending_with(&self, position: &Position, tally: Tally, effort: DeadCheck) -> Option<Ending<'_>> {
        let evaluation = Evaluation::new(self, position, self.mover(position));
        self.first_ending(&Evaluation { tally, effort, ..evaluation }, Trigger::Rule, None)
    }

    fn first_ending(
        &self,
        evaluation: &Evaluation<'_>,
        by: Trigger,
        code: Option<&str>,
    ) -> Option<Ending<'_>> {
        let plans = self.blueprint().endings.iter().filter(|plan| !plan.is_on_board());
        let mut fitting = plans.filter(|plan| plan.by == by && code.is_none_or(|code| code == plan.code));
        fitting.find_map(|plan| {
            let own = self.holds_for(plan, evaluation)?;
            Some(Ending { code: &plan.code, winners: self.winners(evaluation.position, plan.result, own) })
        })
    }

    /// Returns the player for whom the clauses of an ending hold.
    fn holds_for(&self, plan: &EndingPlan, evaluation: &Evaluation<'_>) -> Option<Player> {
        if plan.anyone {
            // Counts of teams are the same for all partners.
            let is_of_team = plan.when.iter().all(Clause::is_of_team);
            let mut open = self.alive(evaluation.position);
            while let Some(own) = open.iter().next() {
                if (Evaluation { own, ..*evaluation }).all(&plan.when) {
                    return Some(own);
                }
                open = open.without(if is_of_team { self.team(own) } else { PlayerSet::EMPTY.with(own) });
            }
            None
        } else {
            evaluation.all(&plan.when).then_some(evaluation.own)
        }
    }

    /// Returns the winners of a result. Partners win together.
    fn winners(&self, position: &Position, result: PlayerResult, own: Player) -> PlayerSet {
        match result {
            PlayerResult::Draw => PlayerSet::EMPTY,
            PlayerResult::Win => self.seated_of(self.team(own)),
            PlayerResult::Loss => self.teams_of(self.alive(position).without(self.team(own))),
        }
    }

    /// Returns all players of the teams of these players.
    pub(crate) fn teams_of(&self, players: PlayerSet) -> PlayerSet {
        self.seated_of(players.iter().fold(PlayerSet::EMPTY, |all, player| all.union(self.team(player))))
    }

    /// Returns the index of the first ending that is decided by the board and holds.
    pub(crate) fn board_ending(&self, position: &Position) -> Option<u8> {
        self.find_board_ending(position, false)
    }

    /// Returns the index of the first board ending for a player to move without a legal move.
    pub(crate) fn stuck_ending(&self, position: &Position) -> Option<u8> {
        if self.has_board_endings { self.find_board_ending(position, true) } else { None }
    }

    fn find_board_ending(&self, position: &Position, is_stuck: bool) -> Option<u8> {
        let evaluation = Evaluation { is_stuck, ..Evaluation::new(self, position, self.mover(position)) };
        let plans = (0u8..).zip(&self.blueprint().endings);
        let mut fitting =
            plans.filter(|(_, plan)| plan.is_on_board() && asks_for_stuck(&plan.when) == is_stuck);
        fitting.find(|(_, plan)| self.holds_for(plan, &evaluation).is_some()).map(|(index, _)| index)
    }

    /// Returns the winners of a game that ended by a listed ending.
    pub(crate) fn winners_of(&self, position: &Position, index: u8) -> PlayerSet {
        let Some(plan) = self.blueprint().endings.get(usize::from(index)) else { return PlayerSet::EMPTY };
        let own = self.mover(position);
        let evaluation = Evaluation { is_stuck: true, ..Evaluation::new(self, position, own) };
        self.winners(position, plan.result, self.holds_for(plan, &evaluation).unwrap_or(own))
    }

    /// Returns whether a clause holds for a player, given the source and target of a move for clauses about them.
    pub(crate) fn clause_holds(
        &self,
        position: &Position,
        clause: &Clause,
        own: Player,
        way: Option<(Square, Square)>,
    ) -> bool {
        Evaluation { way, ..Evaluation::new(self, position, own) }.holds(clause)
    }

    /// Returns whether clauses hold after a move of a player, who is still to move in the position.
    pub(crate) fn hold_after(
        &self,
        position: &Position,
        clauses: &[Clause],
        own: Player,
        goes_on: bool,
    ) -> bool {
        Evaluation { after: Some(goes_on), ..Evaluation::new(self, position, own) }.all(clauses)
    }

    fn count_at_start(&self, census: &Census, players: PlayerSet) -> u32 {
        let start = self.blueprint().start.iter();
        let is_included = |placed: &&Placement| {
            players.contains(placed.player)
                && census.kinds.contains(&placed.kind)
                && census.region.is_none_or(|region| self.in_region(region, placed.player, placed.square))
        };
        start.filter(is_included).count() as u32
    }

    /// Returns whether the move from `before` to `after` resets the count of quiet turns (a *zeroing* move).
    pub fn is_zeroing(&self, before: &Position, kind: Kind, after: &Position) -> bool {
        let zeroing = &self.blueprint().zeroing;
        // Neutral pieces come and go without a capture.
        let count = |position: &Position| {
            let neutral = self.mechanics().neutral.iter();
            position.piece_count() - neutral.map(|player| position.pieces_of(player)).sum::<u32>()
        };
        zeroing.kinds.contains(&kind) || zeroing.captures && count(after) < count(before)
    }

    /// Returns whether the termination depends on whose turn came, not on the last move.
    pub fn is_about_turn(&self, termination: Termination) -> bool {
        match termination {
            Termination::Held | Termination::NobodyCanMove => true,
            Termination::Listed(index) => {
                let plan = self.blueprint().endings.get(usize::from(index));
                plan.is_some_and(|plan| plan.when.iter().any(|clause| matches!(clause, Clause::Stuck { .. })))
            }
            _ => false,
        }
    }

    /// Returns the protocol word for a termination.
    pub fn reason(&self, termination: Termination) -> String {
        let code = match termination {
            Termination::Listed(index) => self.endings().get(usize::from(index)).map(|plan| &plan.code),
            Termination::Held => self.mechanics().hold.as_ref().map(|hold| &hold.code),
            _ => None,
        };
        code.map_or_else(|| termination.as_str().to_owned(), |code| code.to_lowercase())
    }

    /// Returns the termination with this protocol word.
    pub fn termination(&self, word: &str) -> Option<Termination> {
        let endings = (0u8..).zip(&self.blueprint().endings).filter(|(_, plan)| plan.is_on_board());
        let listed = endings.map(|(index, _)| Termination::Listed(index));
        let all = Termination::ALL.into_iter().chain([Termination::Held]).chain(listed);
        all.into_iter().find(|termination| self.reason(*termination) == word)
    }
}

impl Stalemate {
    /// Returns the result for the stalemated player, if that ends the game.
    fn result(self) -> PlayerResult {
        match self {
            Stalemate::Ends | Stalemate::Draws => PlayerResult::Draw,
            Stalemate::Loses => PlayerResult::Loss,
            Stalemate::Wins => PlayerResult::Win,
        }
    }
}

impl EndingPlan {
    /// Returns whether the ending stops the game and is decided by the board alone.
    pub(crate) fn is_on_board(&self) -> bool {
        self.stops && !asks_for_quiet(&self.when)
    }

    /// Returns whether the ending asks who has given check all the time.
    pub(crate) fn asks_for_perpetual_check(&self) -> bool {
        let is_meant = |clause: &Clause| matches!(clause, Clause::PerpetualCheck { .. });
        self.when.iter().any(|clause| clause.mentions(is_meant))
    }

    /// Returns whether the ending stops the game and depends on the number of quiet turns.
    fn stops_quiet_game(&self) -> bool {
        self.stops && asks_for_quiet(&self.when)
    }

    /// Returns whether the ending can begin to hold only when the set of pieces changes. Endings about players
    /// without a move are evaluated separately.
    pub(crate) fn needs_piece_change(&self) -> bool {
        let is_whole = |clause: &Clause| matches!(clause, Clause::Count(census) if census.region.is_none());
        !self.is_on_board() || asks_for_stuck(&self.when) || self.anyone && self.when.iter().all(is_whole)
    }
}

/// Returns whether the clauses are about a player without a legal move. Such endings are evaluated only when that
/// happens.
pub(crate) fn asks_for_stuck(clauses: &[Clause]) -> bool {
    clauses.iter().any(|clause| clause.mentions(|it| matches!(it, Clause::Stuck { .. })))
}

/// Returns whether the clauses depend on the number of quiet turns.
fn asks_for_quiet(clauses: &[Clause]) -> bool {
    clauses.iter().any(|clause| clause.mentions(|it| matches!(it, Clause::Quiet(_))))
}

/// Returns a number of quiet turns below which the clauses do not hold.
fn fewest_quiet_turns(clauses: &[Clause]) -> u32 {
    let fewest = |clause: &Clause| match clause {
        Clause::Quiet(turns) => *turns,
        Clause::Any(lists) => lists.iter().map(|list| fewest_quiet_turns(list)).min().unwrap_or(0),
        _ => 0,
    };
    clauses.iter().map(fewest).max().unwrap_or(0)
}

impl Clause {
    /// Returns whether the clause counts pieces in a part of the board that depends on a move.
    pub(crate) fn has_area(&self) -> bool {
        self.mentions(
            |it| matches!(it, Clause::Count(census) if census.area.is_some_and(Area::is_about_move)),
        )
    }

    /// Returns whether the clause is a count that is the same for all players of a team.
    fn is_of_team(&self) -> bool {
        matches!(self, Clause::Count(census) if matches!(census.owner, Owner::Enemy | Owner::Any | Owner::Team))
    }
}

impl Census {
    /// Returns the count above which the exact number does not matter.
    fn enough(&self) -> u32 {
        if self.lost == 0 { self.max.unwrap_or(self.min) } else { u32::MAX }
    }

    fn admits(&self, count: u32) -> bool {
        count >= self.min && self.max.is_none_or(|max| count <= max)
    }
}

/// The evaluation of clauses in one position for one player.
#[derive(Clone, Copy)]
struct Evaluation<'r> {
    rules: &'r Rules,
    position: &'r Position,
    tally: Tally,
    own: Player,
    /// Whether the player to move has no legal move.
    is_stuck: bool,
    /// The effort to prove that players cannot win.
    effort: DeadCheck,
    /// The source and target of a move, for clauses about them.
    way: Option<(Square, Square)>,
    /// After a move, before the turn passes on: whether the game goes on.
    after: Option<bool>,
}

impl<'r> Evaluation<'r> {
    /// Returns an evaluation without history.
    fn new(rules: &'r Rules, position: &'r Position, own: Player) -> Self {
        let tally = Tally::new(0, 0);
        Evaluation {
            rules,
            position,
            tally,
            own,
            is_stuck: false,
            effort: DeadCheck::Full,
            way: None,
            after: None,
        }
    }

    fn all(&self, clauses: &[Clause]) -> bool {
        clauses.iter().all(|clause| self.holds(clause))
    }

    fn holds(&self, clause: &Clause) -> bool {
        match clause {
            Clause::Count(census) => self.counts(census),
            Clause::Compare(comparison) => self.compares(comparison),
            Clause::Facing(plan) => self.rules.is_facing(self.position, plan, |owner| self.players(owner)),
            Clause::InCheck(owner) => {
                let players = self.players(*owner).without(self.position.frozen());
                players.iter().any(|player| self.rules.in_check(self.position, player))
            }
            Clause::Repetition(times) => self.tally.repetitions >= *times,
            Clause::PerpetualCheck { times, owner } => {
                let enough = (*times).min(u32::from(u8::MAX));
                let is_perpetual = |player| self.tally.checks.occurrences(player) >= enough;
                self.tally.repetitions >= *times && self.players(*owner).iter().any(is_perpetual)
            }
            Clause::Quiet(turns) => self.tally.quiet >= *turns,
            Clause::CannotWin(owner) => {
                self.rules.none_can_win(self.position, self.players(*owner), self.effort)
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
            Clause::Stuck { owner, attacked } => match self.after {
                None => self.is_stuck && self.is_turn_of(self.position, *owner, *attacked),
                Some(goes_on) => goes_on && self.leaves_stuck(*owner, *attacked),
            },
            Clause::Any(lists) => lists.iter().any(|list| self.all(list)),
            Clause::Not(list) => !self.all(list),
        }
    }

    /// Returns whether it is the turn of one of the players, who is in check or not, as wanted.
    fn is_turn_of(&self, position: &Position, owner: Owner, attacked: Option<bool>) -> bool {
        let mover = self.rules.mover(position);
        self.players(owner).contains(mover)
            && attacked.is_none_or(|wanted| self.rules.in_check(position, mover) == wanted)
    }

    /// Returns whether the next player is one of these and has no legal move.
    fn leaves_stuck(&self, owner: Owner, attacked: Option<bool>) -> bool {
        let Some(slot) = self.rules.next_slot(self.position) else { return false };
        let mut next = self.position.clone();
        next.set_slot(slot);
        self.is_turn_of(&next, owner, attacked) && !self.rules.can_move_disregarding_results(&next)
    }

    fn compares(&self, comparison: &Comparison) -> bool {
        let value = self.measure(&comparison.measure, comparison.owner);
        comparison.min.is_none_or(|min| value >= i64::from(min))
            && comparison.max.is_none_or(|max| value <= i64::from(max))
            && comparison.than.is_none_or(|than| {
                value >= self.measure(&comparison.measure, than) + i64::from(comparison.by)
            })
    }

    /// Returns the sum of a counter, or of the values of pieces, over some players.
    fn measure(&self, measure: &Measure, owner: Owner) -> i64 {
        let players = self.players(owner);
        match measure {
            Measure::Counter(counter) => {
                let plan = &self.rules.mechanics().counters[usize::from(*counter)];
                let value = |player| i64::from(self.rules.counter(self.position, *counter, player));
                // A counter of the game counts once.
                players.iter().take(if plan.per_player { usize::MAX } else { 1 }).map(value).sum()
            }
            Measure::Values(values) => {
                let value = |(_, piece): (Spot, Piece)| {
                    let found = values.iter().find(|(kind, _)| *kind == piece.kind);
                    found.filter(|_| players.contains(piece.player)).map_or(0, |(_, value)| i64::from(*value))
                };
                self.position.all_pieces().map(value).sum()
            }
        }
    }

    /// Returns whether a count is in range, and lower than at the start by the number lost.
    fn counts(&self, census: &Census) -> bool {
        let count = self.count(census, census.enough());
        let at_start = || self.rules.count_at_start(census, self.players(census.owner));
        census.admits(count) && (census.lost == 0 || count + census.lost <= at_start())
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
            Owner::Neutral => self.rules.mechanics().neutral,
        }
    }

    /// Counts kind by kind and stops as soon as the count exceeds `enough`.
    fn count(&self, census: &Census, enough: u32) -> u32 {
        let players = self.players(census.owner);
        if let Some(area) = census.area {
            return self.count_in_area(census, area, players);
        }
        let layers = if self.position.has_upper() { &[false, true][..] } else { &[false] };
        let mut count = 0;
        for guests in layers {
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

    /// Counts pieces in a part of the board that depends on a move.
    fn count_in_area(&self, census: &Census, area: Area, players: PlayerSet) -> u32 {
        if area == Area::Hand {
            let in_hand =
                |player| census.kinds.iter().map(move |kind| u32::from(self.position.in_hand(player, *kind)));
            return players.iter().flat_map(in_hand).sum();
        }
        let Some((source, target)) = self.way else { return 0 };
        let (rules, position) = (self.rules, self.position);
        let is_counted = |spot: Spot| {
            position.piece_at(spot).is_some_and(|piece| {
                players.contains(piece.player)
                    && census.kinds.contains(&piece.kind)
                    && census.region.is_none_or(|it| rules.in_region(it, piece.player, spot.square))
            })
        };
        let place = Place { rules, position, player: self.own, source, target };
        let squares = place.squares(area, |square| is_counted(Spot::host(square)));
        let spots = squares.iter().flat_map(|square| [Spot::host(*square), Spot::guest(*square)]);
        spots.filter(|spot| is_counted(*spot)).count() as u32
    }

    /// Returns one word of the players' pieces, each in the player's part of the region, in the layer of guests or of
    /// all other pieces.
    fn armies(&self, players: PlayerSet, region: Option<u16>, word: usize, guests: bool) -> u64 {
        players.iter().fold(0, |all, player| {
            let region = region.map(|it| self.rules.regions[usize::from(it)][player.index()][word]);
            all | self.position.player_word(player, word, guests) & region.unwrap_or(u64::MAX)
        })
    }
}
