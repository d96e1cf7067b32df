//! The endings that a game lists.
//!
//! A state does not contain its repetitions or quiet turns, so callers pass them in. They also pass in which players are
//! proved unable to win: the proofs belong to the engine and are tested separately.

use tabiya_spec::model::{
    Along, Anchor, Area, Clause, EndingResult, EndingSpec, EndingWho, Owner, QuietSpec, Trigger,
};
use tabiya_spec::place::At;

use crate::area::Part;
use crate::piece_count::PieceFilter;
use crate::stopping_endings::stops;
use crate::{Oracle, Piece, Ply, Square, State};

/// A state in the course of a game, with the player for whom endings are judged: the one to move, or the one whose flag
/// fell.
#[expect(missing_debug_implementations, reason = "holds a function")]
pub struct Moment<'a> {
    /// The state.
    pub state: &'a State,
    /// Number of occurrences of the position, including this one.
    pub repetitions: u32,
    /// Returns over how many of the latest occurrences a player has given check all the time; see
    /// [`Oracle::perpetual_check`].
    pub perpetual: &'a dyn Fn(&str) -> u32,
    /// Number of quiet turns.
    pub quiet: u32,
    /// Name of the player.
    pub own: &'a str,
    /// Returns whether a player is proved unable to win.
    pub cannot_win: &'a dyn Fn(&str) -> bool,
    /// Whose pieces are counted by default.
    pub counted: Owner,
    /// Source and target of a move, for conditions about them.
    pub way: Option<(Square, Square)>,
    /// Whether the player to move is known to be without a legal move; `None` if that is to be found out.
    pub is_stuck: Option<bool>,
}

impl<'a> Moment<'a> {
    /// Returns the moment of a state without history, for a player.
    pub fn plain(state: &'a State, own: &'a str) -> Self {
        Moment {
            state,
            repetitions: 0,
            perpetual: &|_| 0,
            quiet: 0,
            own,
            cannot_win: &|_| false,
            counted: Owner::Any,
            way: None,
            is_stuck: Some(true),
        }
    }
}

/// An ending that holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The code.
    pub code: String,
    /// Names of the winners, in the order of the spec; empty for a draw.
    pub winners: Vec<String>,
}

impl Oracle<'_> {
    /// Returns the first ending with this trigger (and code, if given) that holds. Endings that stop the game are handled
    /// in [`mod@crate::stopping_endings`].
    pub fn ending(&self, moment: &Moment<'_>, by: Trigger, code: Option<&str>) -> Option<Ending> {
        let fits = |ending: &&At<EndingSpec>| {
            let found = ending.by.as_ref().map_or(Trigger::Rule, |by| **by);
            found == by && !stops(ending) && code.is_none_or(|code| *ending.code == code)
        };
        self.spec.endings.iter().filter(fits).find_map(|ending| self.holding_for(moment, ending))
    }

    /// Returns the ending with its winners, if it holds for the player of the moment (or for any player, if it says so).
    pub(crate) fn holding_for(&self, moment: &Moment<'_>, ending: &EndingSpec) -> Option<Ending> {
        let players = match ending.who.as_ref().map_or(EndingWho::Mover, |who| **who) {
            EndingWho::Mover => vec![moment.own.to_owned()],
            EndingWho::Anyone => self.alive(moment.state),
        };
        let own = players.iter().find(|own| self.all_hold(&Moment { own, ..*moment }, &ending.when))?;
        let winners = match ending.result.as_ref().map_or(EndingResult::Draw, |result| **result) {
            EndingResult::Draw => Vec::new(),
            EndingResult::Win => self.teams_of(&[own.to_owned()]),
            EndingResult::Loss => self.teams_of(&self.owners(moment.state, own, Owner::Enemy)),
        };
        Some(Ending { code: ending.code.to_string(), winners })
    }

    /// Returns whether a move resets the count of quiet turns.
    pub fn is_loud(&self, before: &State, ply: &Ply, after: &State) -> bool {
        // Neutral pieces come and go without a capture.
        let count =
            |state: &State| state.all_pieces().filter(|(_, piece)| !self.is_neutral(&piece.player)).count();
        let captures = count(after) < count(before);
        let Some(quiet) = &self.spec.quiet else { return captures };
        quiet.reset_by.iter().any(|word| {
            let moves = |piece: &Piece| piece.kind == **word;
            if *word.as_str() == *QuietSpec::CAPTURE {
                captures
            } else {
                ply.drop
                    .as_ref()
                    .map_or_else(|| before.at(ply.spot()).is_some_and(moves), |kind| kind == &**word)
            }
        })
    }

    pub(crate) fn all_hold(&self, moment: &Moment<'_>, clauses: &[At<Clause>]) -> bool {
        clauses.iter().all(|clause| self.clause_holds(moment, clause))
    }

    pub(crate) fn clause_holds(&self, moment: &Moment<'_>, clause: &Clause) -> bool {
        let Moment { state, own, .. } = *moment;
        let players = |owner: &Option<At<Owner>>, default| {
            self.owners(state, own, owner.as_ref().map_or(default, |owner| **owner))
        };
        match clause {
            Clause::Count { piece, owner, region, area, anchor, along, run, min, max, lost } => {
                let owner = owner.as_ref().map_or(moment.counted, |owner| **owner);
                let anchor = anchor.as_ref().map_or(Anchor::Target, |anchor| **anchor);
                if area.as_ref().is_some_and(|area| **area == Area::Hand) {
                    let owners = self.owners(state, own, owner);
                    let is_meant = |kind: &String| match piece {
                        Some(kinds) => kinds.iter().any(|wanted| **wanted == *kind),
                        None => !self.is_leader(kind),
                    };
                    let meant = |(player, kind): &(String, String)| owners.contains(player) && is_meant(kind);
                    let count: u32 =
                        state.hands.iter().filter(|(at, _)| meant(at)).map(|(_, count)| count).sum();
                    let count = count as i32;
                    return min.as_ref().is_none_or(|min| count >= **min)
                        && max.as_ref().is_none_or(|max| count <= **max);
                }
                let area = area.as_ref().zip(moment.way).map(|(area, (source, target))| Part {
                    area: **area,
                    anchor,
                    along: along.as_ref().map_or(Along::Any, |along| **along),
                    run: run.as_ref().map(|run| **run),
                    mover: own,
                    source,
                    target,
                });
                let filter = PieceFilter { kinds: piece.as_ref(), owner, region: region.as_ref(), area };
                let count = self.count(state, own, filter);
                min.as_ref().is_none_or(|min| count >= **min)
                    && max.as_ref().is_none_or(|max| count <= **max)
                    && lost.as_ref().is_none_or(|lost| self.lost(state, own, filter) >= **lost)
            }
            Clause::Compare { counter, values, owner, min, max, than, by } => {
                let measure = |owner: Owner| -> i64 {
                    let owners = self.owners(state, own, owner);
                    if let Some(counter) = counter {
                        return self.counter_sum(state, counter, &owners);
                    }
                    let value = |piece: &Piece| {
                        let found = values.as_ref().and_then(|values| values.get(&piece.kind));
                        found.filter(|_| owners.contains(&piece.player)).map_or(0, |value| i64::from(**value))
                    };
                    state.all_pieces().map(|(_, piece)| value(piece)).sum()
                };
                let value = measure(owner.as_ref().map_or(Owner::Own, |owner| **owner));
                min.as_ref().is_none_or(|min| value >= i64::from(**min))
                    && max.as_ref().is_none_or(|max| value <= i64::from(**max))
                    && than.as_ref().is_none_or(|than| {
                        let by = by.as_ref().map_or(1, |by| i64::from(**by));
                        value - measure(**than) >= by
                    })
            }
            Clause::Facing { piece, owner, other, other_owner, along, min, max } => {
                let one = (&***piece, players(owner, Owner::Own));
                let other = (&***other.as_ref().unwrap_or(piece), players(other_owner, Owner::Enemy));
                let along = along.as_ref().map_or(Along::Straight, |along| **along);
                let least = min.as_ref().map_or(0, |min| **min);
                let most = max.as_ref().map_or(least, |max| **max);
                self.is_facing(state, &one, &other, along, (least, most))
            }
            Clause::InCheck { owner } => {
                let in_check =
                    |player: &String| !state.frozen.contains(player) && self.in_check(state, player);
                players(owner, Owner::Own).iter().any(in_check)
            }
            Clause::Repetition { times, checks } => {
                let is_perpetual =
                    |player: &String| i64::from((moment.perpetual)(player)) >= i64::from(**times);
                i64::from(moment.repetitions) >= i64::from(**times)
                    && (checks.is_none() || players(checks, Owner::Own).iter().any(is_perpetual))
            }
            Clause::Quiet { turns } => i64::from(moment.quiet) >= i64::from(**turns),
            Clause::CannotWin { owner } => {
                players(owner, Owner::Any).iter().all(|player| (moment.cannot_win)(player))
            }
            Clause::Captive { owner } => {
                players(owner, Owner::Own).iter().any(|player| state.captives.contains_key(player))
            }
            Clause::Controlled { owner } => {
                let is_seized =
                    |player: &String| state.control.contains_key(player) && !state.withdrawn.contains(player);
                players(owner, Owner::Own).iter().any(is_seized)
            }
            Clause::Stuck { owner, attacked } => {
                let mover = self.to_move(state);
                players(owner, Owner::Own).iter().any(|player| player == mover)
                    && attacked.as_ref().is_none_or(|attacked| self.in_check(state, mover) == **attacked)
                    && moment.is_stuck.unwrap_or_else(|| !self.can_move_disregarding_results(state))
            }
            Clause::All { of } => self.all_hold(moment, of),
            Clause::Any { of } => of.iter().any(|list| self.all_hold(moment, list)),
            Clause::Not { of } => !self.all_hold(moment, of),
        }
    }
}
