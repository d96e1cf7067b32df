//! What a file leaves open: options with their values, presets of them, and layouts of the board. They are resolved
//! before anything else is read (see `choices.rs`); here they are read as they stand, for those who choose.

#[cfg(feature = "schema")]
use std::borrow::Cow;
use std::fmt;

use jsonc_parser::ast::Value as Json;
#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::{Coord, Direction, StartSpec, TurnsSpec};
use crate::diagnostic::Faults;
use crate::place::{At, Place};
use crate::read::{Named, Read, mistyped, record};

record! {
    /// Something about the game that may be chosen before it is played.
    OptionSpec, "An option" {
        /// What it decides, in a sentence.
        "about" => about: Option<At<String>>,
        /// What it may be: texts, or numbers, or `true` and `false`.
        "values" => values: At<Vec<At<Setting>>>,
        /// What it is if nobody chooses.
        "default" => default: At<Setting>,
    }
}

record! {
    /// What options are on occasions that players ask for by themselves, and not by the name of an option.
    OccasionSpec, "The occasions" {
        /// Values of options when somebody wants to play with the die.
        "die" => die: Option<At<Named<Setting>>>,
        /// Values of options when one person plays for each team.
        "team_play" => team_play: Option<At<Named<Setting>>>,
    }
}

record! {
    /// Another way to set up the board.
    LayoutSpec, "A layout" {
        /// What it is, in a sentence.
        "about" => about: Option<At<String>>,
        /// By name of a player, what is different for him.
        "players" => players: Option<At<Named<LayoutPlayer>>>,
        /// The turn order instead of that of the file.
        "turns" => turns: Option<At<TurnsSpec>>,
        /// By code of a `POSITION` condition and by name of a player, the list instead of that of the file.
        "conditions" => conditions: Option<At<Named<Named<Vec<At<Coord>>>>>>,
    }
}

record! {
    /// What a layout changes for one player.
    LayoutPlayer, "A player of a layout" {
        /// The direction instead of that of the file.
        "direction" => direction: Option<At<Direction>>,
        /// The army instead of that of the file.
        "starting_positions" => starting_positions: Option<At<Vec<At<StartSpec>>>>,
    }
}

/// A value of an option.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Setting {
    /// A text.
    Text(String),
    /// A whole number.
    Number(i32),
    /// True or false.
    Truth(bool),
}

impl Default for Setting {
    fn default() -> Self {
        Setting::Truth(false)
    }
}

/// As it is written on a command line.
impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Setting::Text(text) => f.write_str(text),
            Setting::Number(number) => number.fmt(f),
            Setting::Truth(truth) => truth.fmt(f),
        }
    }
}

impl Read for Setting {
    fn read(json: &Json<'_>, at: Place, faults: &mut Faults<'_>) -> (Self, bool) {
        match json {
            Json::StringLit(text) => (Setting::Text(text.value.to_string()), true),
            Json::BooleanLit(literal) => (Setting::Truth(literal.value), true),
            Json::NumberLit(_) => {
                let (number, known) = i32::read(json, at, faults);
                (Setting::Number(number), known)
            }
            _ => {
                mistyped(json, at, "a string, a whole number, true or false", faults);
                (Setting::default(), false)
            }
        }
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for Setting {
    fn schema_name() -> Cow<'static, str> {
        "Setting".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A value of an option.",
            "type": ["string", "integer", "boolean"],
        })
    }
}
