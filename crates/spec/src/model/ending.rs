//! Endings of a game: by rule, by claim and by a fallen flag.

use std::ops::Deref;

use jsonc_parser::ast::Value as Json;

use super::{EndingWho, GameSpec};
use crate::code::Code;
use crate::diagnostic::Diagnostics;
use crate::limits;
use crate::place::{At, Place};
use crate::read::{Read, keywords, record, schema, tagged};

record! {
    /// A way for a game to end. The "own" player is the one whose turn it is, or whose flag fell.
    EndingSpec, "An ending" {
        /// The reason reported to programs, in lower case. Several endings may share one.
        "code" => code: At<String>,
        /// What triggers the ending; `RULE` by default.
        "by" => by: Option<At<Trigger>>,
        /// The result for the own player; `DRAW` by default.
        "result" => result: Option<At<EndingResult>>,
        /// For which players the conditions are tested; `MOVER` by default.
        "who" => who: Option<At<EndingWho>>,
        /// Whether there are no legal moves once the conditions hold; `false` by default.
        "stops" => stops: Option<At<bool>>,
        /// Conditions that must all hold.
        "when" => when: At<Clauses>,
    }

    /// What counts as quiet play.
    QuietSpec, "`quiet`" {
        /// What resets the count of quiet turns: `CAPTURE`, and codes of pieces whose moves do.
        "reset_by" => reset_by: At<Vec<At<String>>>,
    }
}

keywords! {
    /// What triggers an ending.
    Trigger {
        /// The conditions alone, as soon as they hold.
        Rule = "RULE",
        /// A claim by the player whose turn it is.
        Claim = "CLAIM",
        /// A fallen flag. Without such an ending, the player loses.
        Flag = "FLAG",
    }

    /// The result for the own player.
    EndingResult {
        /// There is no winner.
        Draw = "DRAW",
        /// The player wins.
        Win = "WIN",
        /// All other players still in the game win.
        Loss = "LOSS",
    }

    /// Which players or pieces.
    Owner {
        /// All players still in the game.
        Any = "ANY",
        /// The own player.
        Own = "OWN",
        /// All players of other teams still in the game.
        Enemy = "ENEMY",
        /// The partners of the own player.
        Partner = "PARTNER",
        /// The own player and their partners.
        Team = "TEAM",
    }
}

tagged! {
    /// A condition of an ending.
    Clause, "A condition of an ending", tag "condition" {
        /// The number of pieces on the board. Requires `min`, `max` or both.
        "COUNT" => Count {
            /// Kinds to count together; by default, all except the leader.
            "piece" => piece: Option<At<Vec<At<String>>>>,
            /// Whose pieces; `ANY` by default.
            "owner" => owner: Option<At<Owner>>,
            /// Counts only pieces on squares that this `POSITION` condition lists for their owner.
            "in" => region: Option<At<String>>,
            /// Minimum; 0 by default.
            "min" => min: Option<At<i32>>,
            /// Maximum; unlimited by default.
            "max" => max: Option<At<i32>>,
        }
        /// The position has occurred at least a given number of times.
        "REPETITION" => Repetition {
            /// Number of occurrences, including this one.
            "times" => times: At<i32>,
        }
        /// A number of consecutive quiet turns.
        "QUIET" => Quiet {
            /// Minimum number of turns.
            "turns" => turns: At<i32>,
        }
        /// It is proved that none of these players can win any more.
        "CANNOT_WIN" => CannotWin {
            /// Which players; `ANY` by default.
            "owner" => owner: Option<At<Owner>>,
        }
        /// The leader of at least one of these players is captive.
        "CAPTIVE" => Captive {
            /// Which players; `OWN` by default.
            "owner" => owner: Option<At<Owner>>,
        }
        /// The army of at least one of these players is controlled by another player.
        "CONTROLLED" => Controlled {
            /// Which players; `OWN` by default.
            "owner" => owner: Option<At<Owner>>,
        }
        /// It is the player's turn, and they have no legal move.
        "STUCK" => Stuck {
            /// Whether a leader of the player must be attacked (`true`) or must not (`false`).
            "attacked" => attacked: Option<At<bool>>,
        }
        /// At least one of several lists holds.
        "ANY" => Any {
            /// The lists. A list holds if all its conditions do.
            "of" => of: At<Vec<At<Clauses>>>,
        }
        /// A list of conditions does not hold.
        "NOT" => Not {
            /// The list. It holds if all its conditions do.
            "of" => of: At<Clauses>,
        }
    }
}

impl Default for Clause {
    fn default() -> Self {
        Clause::Repetition { times: At::default() }
    }
}

impl Clause {
    /// Returns the lists of conditions nested in this one.
    pub fn nested(&self) -> &[At<Clauses>] {
        match self {
            Clause::Any { of } => of.as_slice(),
            Clause::Not { of } => std::slice::from_ref(of),
            Clause::Count { .. }
            | Clause::Repetition { .. }
            | Clause::Quiet { .. }
            | Clause::CannotWin { .. }
            | Clause::Captive { .. }
            | Clause::Controlled { .. }
            | Clause::Stuck { .. } => &[],
        }
    }
}

/// Conditions of an ending, all of which must hold. Conditions can be nested; the reader limits the depth, so that
/// recursive functions cannot overflow the stack.
#[derive(Clone, Debug, Default)]
pub struct Clauses(Vec<At<Clause>>);

impl Deref for Clauses {
    type Target = [At<Clause>];
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl Read for Clauses {
    fn read(json: &Json<'_>, at: Place, diags: &mut Diagnostics<'_>) -> (Self, bool) {
        if diags.places().nesting(at, "of") > limits::NESTING {
            let message = format!("Conditions of endings are nested more than {} deep.", limits::NESTING);
            diags.report_with_help(Code::TooDeep, at, message, "use fewer nested `ANY` and `NOT`");
            return (Clauses::default(), false);
        }
        let (list, whole) = Read::read(json, at, diags);
        (Clauses(list), whole)
    }
}

schema!(Clauses, inline: true, |generator| Vec::<At<Clause>>::json_schema(generator));

impl QuietSpec {
    /// The keyword for captures among codes of pieces.
    pub const CAPTURE: &'static str = "CAPTURE";
}

impl GameSpec {
    /// Returns every condition of every ending, each followed by the conditions nested in it.
    pub fn all_clauses(&self) -> Vec<&At<Clause>> {
        let mut found = Vec::new();
        self.endings.iter().for_each(|ending| gather(&ending.when, &mut found));
        found
    }
}

fn gather<'g>(list: &'g [At<Clause>], found: &mut Vec<&'g At<Clause>>) {
    for clause in list {
        found.push(clause);
        clause.nested().iter().for_each(|list| gather(list, found));
    }
}
