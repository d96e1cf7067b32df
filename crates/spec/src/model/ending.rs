//! How a game says that it ends: by rules, by claims and by fallen flags, each with what must hold for it.

#[cfg(feature = "schema")]
use std::borrow::Cow;
use std::ops::Deref;

use jsonc_parser::ast::{Object, Value as Json};
#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator};

use super::{EndingWho, GameSpec};
use crate::code::Code;
use crate::diagnostic::Faults;
use crate::limits;
use crate::place::{At, Place};
use crate::read::{Read, record, tagged, unknown_word, words};

record! {
    /// A way for a game to end. "Own" is the player whose turn it is, or whose flag fell.
    EndingSpec, "An ending" {
        /// The reason that programs see, there in lower case. Several endings may share one.
        "code" => code: At<String>,
        /// What brings it about; `RULE` if left out.
        "by" => by: Option<At<Trigger>>,
        /// How it ends for the own player; `DRAW` if left out.
        "result" => result: Option<At<EndingResult>>,
        /// For whom the conditions are looked at; `MOVER` if left out.
        "who" => who: Option<At<EndingWho>>,
        /// Whether there are no legal moves any more once they hold; `false` if left out.
        "stops" => stops: Option<At<bool>>,
        /// All must hold.
        "when" => when: At<Clauses>,
    }
}

words! {
    /// What brings an ending about.
    Trigger {
        /// The rule itself, as soon as its conditions hold.
        Rule = "RULE",
        /// A claim of the player whose turn it is.
        Claim = "CLAIM",
        /// The fall of a player's flag, who loses without such an ending.
        Flag = "FLAG",
    }
}

words! {
    /// How a game ends for the own player.
    EndingResult {
        /// Nobody wins.
        Draw = "DRAW",
        /// The player wins.
        Win = "WIN",
        /// All others who are still in the game win.
        Loss = "LOSS",
    }
}

words! {
    /// Whose.
    Owner {
        /// Those of everybody who is still in the game.
        Any = "ANY",
        /// The player's own.
        Own = "OWN",
        /// Those of every player of another team who is still in the game.
        Enemy = "ENEMY",
        /// Those of his partners.
        Partner = "PARTNER",
        /// The player's own and those of his partners.
        Team = "TEAM",
    }
}

tagged! {
    /// Something that must hold for an ending.
    Clause, "A condition of an ending", tag "condition" {
        /// So many pieces are on the board. At least one of `min` and `max` must be there.
        "COUNT" => Count {
            /// Of these kinds, all together; of every kind but the leader if left out.
            "piece" => piece: Option<At<Vec<At<String>>>>,
            /// Of these players; `ANY` if left out.
            "owner" => owner: Option<At<Owner>>,
            /// Only those that stand on a square that this `POSITION` condition lists for their owner.
            "in" => region: Option<At<String>>,
            /// At least so many; 0 if left out.
            "min" => min: Option<At<i32>>,
            /// At most so many; without limit if left out.
            "max" => max: Option<At<i32>>,
        }
        /// The position has been there at least so often.
        "REPETITION" => Repetition {
            /// How often, this time included.
            "times" => times: At<i32>,
        }
        /// At least so many turns have been quiet in a row.
        "QUIET" => Quiet {
            /// How many.
            "turns" => turns: At<i32>,
        }
        /// It is proved that these players cannot win any more, whatever is played.
        "CANNOT_WIN" => CannotWin {
            /// Which; `ANY` if left out.
            "owner" => owner: Option<At<Owner>>,
        }
        /// The leader of some such player is captured.
        "CAPTIVE" => Captive {
            /// Which; `OWN` if left out.
            "owner" => owner: Option<At<Owner>>,
        }
        /// The army of some such player is controlled by another.
        "CONTROLLED" => Controlled {
            /// Which; `OWN` if left out.
            "owner" => owner: Option<At<Owner>>,
        }
        /// The player's turn has come, and he has no legal move.
        "STUCK" => Stuck {
            /// Whether his leader must be attacked, or must not be; not asked if left out.
            "attacked" => attacked: Option<At<bool>>,
        }
        /// At least one of several lists holds.
        "ANY" => Any {
            /// The lists; all of a list must hold.
            "of" => of: At<Vec<At<Clauses>>>,
        }
        /// A list does not hold.
        "NOT" => Not {
            /// The list; it holds if all of it does.
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
    fn other(word: &At<String>, _: &Object<'_>, _: Place, faults: &mut Faults<'_>) -> (Self, bool) {
        unknown_word(word, Self::WORDS, word.place(), faults);
        (Clause::default(), false)
    }
}

/// Conditions of an ending, all of which must hold. Some of them hold lists of their own, so how deep they lie within
/// each other is bounded where they are read: nothing that goes through them can run out of stack.
#[derive(Clone, Debug, Default)]
pub struct Clauses(Vec<At<Clause>>);

impl Deref for Clauses {
    type Target = [At<Clause>];
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl Read for Clauses {
    fn read(json: &Json<'_>, at: Place, faults: &mut Faults<'_>) -> (Self, bool) {
        if faults.places().nesting(at, "of") > limits::NESTING {
            let message = format!("Conditions of endings lie more than {} deep here.", limits::NESTING);
            faults.report_with_help(Code::TooDeep, at, message, "say the same with fewer `ANY` and `NOT`");
            return (Clauses::default(), false);
        }
        let (list, whole) = Read::read(json, at, faults);
        (Clauses(list), whole)
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for Clauses {
    fn schema_name() -> Cow<'static, str> {
        "Clauses".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Vec::<At<Clause>>::json_schema(generator)
    }
}

record! {
    /// What counts as quiet play.
    QuietSpec, "`quiet`" {
        /// What starts the count of quiet turns anew: the word `CAPTURE`, and codes of pieces, for every move of theirs.
        "reset_by" => reset_by: At<Vec<At<String>>>,
    }
}

impl QuietSpec {
    /// The word that stands for captures, among codes of pieces.
    pub const CAPTURE: &'static str = "CAPTURE";
}

impl GameSpec {
    /// Every condition of every ending, each followed by those that lie within it.
    pub fn all_clauses(&self) -> Vec<&At<Clause>> {
        let mut found = Vec::new();
        self.endings.iter().for_each(|ending| gather(&ending.when, &mut found));
        found
    }
}

fn gather<'g>(list: &'g [At<Clause>], found: &mut Vec<&'g At<Clause>>) {
    for clause in list {
        found.push(clause);
        match &**clause {
            Clause::Any { of } => of.iter().for_each(|list| gather(list, found)),
            Clause::Not { of } => gather(of, found),
            Clause::Count { .. }
            | Clause::Repetition { .. }
            | Clause::Quiet { .. }
            | Clause::CannotWin { .. }
            | Clause::Captive { .. }
            | Clause::Controlled { .. }
            | Clause::Stuck { .. } => {}
        }
    }
}
