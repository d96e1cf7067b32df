//! The endings that a game lists: which one holds, if any, read word for word.
//!
//! A position does not know how often it has been there, nor for how long it has been quiet: that is told. So is who is
//! proved unable to win, for a proof is the engine's own affair, and its tests hunt for wins against it.

use tabiya_spec::model::{Clause, EndingResult, EndingSpec, GameSpec, Owner, PieceSpec, QuietSpec, Trigger};
use tabiya_spec::place::At;

use crate::{Oracle, Piece, Ply, Square, State};

/// A position in the course of a game, with a player to judge it for: whose turn it is, or whose flag fell.
#[expect(missing_debug_implementations, reason = "a question that holds a function")]
pub struct Moment<'a> {
    /// The position.
    pub state: &'a State,
    /// How often it has been there, this time included.
    pub repetitions: u32,
    /// Turns since the last one that was not quiet.
    pub quiet: u32,
    /// Name of the player.
    pub own: &'a str,
    /// Whether a player is proved unable to win.
    pub cannot_win: &'a dyn Fn(&str) -> bool,
}

/// An ending that holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Its code.
    pub code: String,
    /// Names of the winners, in the order of the players in the file; empty for a draw.
    pub winners: Vec<String>,
}

impl Oracle<'_> {
    /// The first ending of the file that is brought about in this way and holds; only those of a code, if it is given.
    pub fn ending(&self, moment: &Moment<'_>, by: Trigger, code: Option<&str>) -> Option<Ending> {
        let fits = |ending: &&At<EndingSpec>| {
            let found = ending.by.as_ref().map_or(Trigger::Rule, |by| **by);
            found == by && code.is_none_or(|code| *ending.code == code)
        };
        let mut endings = self.spec.endings.iter().filter(fits);
        let ending = endings.find(|ending| self.all_hold(moment, &ending.when))?;
        let winners = match ending.result.as_ref().map_or(EndingResult::Draw, |result| **result) {
            EndingResult::Draw => Vec::new(),
            EndingResult::Win => vec![moment.own.to_owned()],
            EndingResult::Loss => self.players(moment, Owner::Enemy),
        };
        Some(Ending { code: ending.code.to_string(), winners })
    }

    /// Whether a move starts the count of quiet turns anew.
    pub fn is_loud(&self, before: &State, ply: &Ply, after: &State) -> bool {
        let captures = after.pieces.len() < before.pieces.len();
        let Some(quiet) = &self.spec.quiet else { return captures };
        quiet.reset_by.iter().any(|word| {
            let moves = |piece: &Piece| piece.kind == **word;
            if *word.as_str() == *QuietSpec::CAPTURE {
                captures
            } else {
                before.pieces.get(&ply.from).is_some_and(moves)
            }
        })
    }

    fn all_hold(&self, moment: &Moment<'_>, clauses: &[At<Clause>]) -> bool {
        clauses.iter().all(|clause| self.clause_holds(moment, clause))
    }

    fn clause_holds(&self, moment: &Moment<'_>, clause: &Clause) -> bool {
        match clause {
            Clause::Count { piece, owner, region, min, max } => {
                let owners = self.players(moment, owner.as_ref().map_or(Owner::Any, |owner| **owner));
                let kinds = piece.as_ref().map_or_else(|| kinds_but_the_leader(self.spec), names);
                let counts = |(square, piece): &(&Square, &Piece)| {
                    owners.contains(&piece.player)
                        && kinds.contains(&piece.kind)
                        && region.as_ref().is_none_or(|code| self.lists(code, &piece.player, **square))
                };
                let count = moment.state.pieces.iter().filter(counts).count() as i32;
                min.as_ref().is_none_or(|min| count >= **min) && max.as_ref().is_none_or(|max| count <= **max)
            }
            Clause::Repetition { times } => i64::from(moment.repetitions) >= i64::from(**times),
            Clause::Quiet { turns } => i64::from(moment.quiet) >= i64::from(**turns),
            Clause::CannotWin { owner } => {
                let players = self.players(moment, owner.as_ref().map_or(Owner::Any, |owner| **owner));
                players.iter().all(|player| (moment.cannot_win)(player))
            }
            Clause::Any { of } => of.iter().any(|list| self.all_hold(moment, list)),
            Clause::Not { of } => !self.all_hold(moment, of),
        }
    }

    /// The players who are meant, in the order of the file. Who is out, or has no slot, is nobody's enemy.
    fn players(&self, moment: &Moment<'_>, owner: Owner) -> Vec<String> {
        match owner {
            Owner::Own => vec![moment.own.to_owned()],
            Owner::Enemy => {
                self.alive(moment.state).into_iter().filter(|player| player != moment.own).collect()
            }
            Owner::Any => self.alive(moment.state),
        }
    }
}

fn names(codes: &At<Vec<At<String>>>) -> Vec<String> {
    codes.iter().map(|code| code.to_string()).collect()
}

fn kinds_but_the_leader(spec: &GameSpec) -> Vec<String> {
    let is_leader = |piece: &PieceSpec| spec.leader.as_ref().is_some_and(|leader| **leader == *piece.code);
    spec.pieces.iter().filter(|piece| !is_leader(piece)).map(|piece| piece.code.to_string()).collect()
}
