//! Options, presets and layouts. They are resolved before the rest is read (see `choices.rs`); these types list them
//! for users to choose from.

use std::fmt;

use jsonc_parser::ast::Value as Json;

use super::{Coord, Direction, StartSpec, TurnsSpec};
use crate::diagnostic::Diagnostics;
use crate::place::{At, Place};
use crate::read::{Named, Read, mistyped, record, schema};

record! {
    /// An option of the game that can be chosen before play.
    OptionSpec, "An option" {
        /// A short description.
        "about" => about: Option<At<String>>,
        /// Possible values: strings, numbers, or `true` and `false`.
        "values" => values: At<Vec<At<Setting>>>,
        /// The default value.
        "default" => default: At<Setting>,
    }

    /// Option values for occasions that players request directly, without naming an option.
    OccasionSpec, "The occasions" {
        /// Option values for playing with the die.
        "die" => die: Option<At<Named<Setting>>>,
        /// Option values for one person per team.
        "team_play" => team_play: Option<At<Named<Setting>>>,
    }

    /// An alternative starting layout.
    LayoutSpec, "A layout" {
        /// A short description.
        "about" => about: Option<At<String>>,
        /// Changes by player name.
        "players" => players: Option<At<Named<LayoutPlayer>>>,
        /// Replaces the turn order.
        "turns" => turns: Option<At<TurnsSpec>>,
        /// Replacement lists of squares, by code of a `POSITION` condition and player name.
        "conditions" => conditions: Option<At<Named<Named<Vec<At<Coord>>>>>>,
    }

    /// Changes to a player in a layout.
    LayoutPlayer, "A player of a layout" {
        /// Replaces the direction.
        "direction" => direction: Option<At<Direction>>,
        /// Replaces the starting pieces.
        "starting_positions" => starting_positions: Option<At<Vec<At<StartSpec>>>>,
    }
}

/// A value of an option.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Setting {
    /// A string.
    Text(String),
    /// An integer.
    Number(i32),
    /// A Boolean.
    Truth(bool),
}

impl Default for Setting {
    fn default() -> Self {
        Setting::Truth(false)
    }
}

/// Formats the value as on the command line.
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
    fn read(json: &Json<'_>, at: Place, diags: &mut Diagnostics<'_>) -> (Self, bool) {
        match json {
            Json::StringLit(text) => (Setting::Text(text.value.to_string()), true),
            Json::BooleanLit(literal) => (Setting::Truth(literal.value), true),
            Json::NumberLit(_) => {
                let (number, known) = i32::read(json, at, diags);
                (Setting::Number(number), known)
            }
            _ => {
                mistyped(json, at, "a string, a whole number, true or false", diags);
                (Setting::default(), false)
            }
        }
    }
}

schema!(Setting, inline: false, |_| schemars::json_schema!({
    "description": "A value of an option.",
    "type": ["string", "integer", "boolean"],
}));
