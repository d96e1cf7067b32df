//! Which strings and keys name something that the file defines.
//!
//! The schema says only that they are strings. A test checks that every string of the schema is listed here or is free text.

use super::symbols::Kind;

/// What a string or a key names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    /// Something that the file, or a game that it extends, defines.
    Symbol(Kind),
    /// A code that an inherited entry may have: the entry changes it.
    Inherited(Kind),
    /// The value of the option that the key names.
    Setting,
    /// A game of the library.
    Game,
    /// A word of Betza notation.
    Betza,
}

use Kind::{Counter, Ending, Flag, Option, Piece, Player, Region, TagValue};
use Named::{Betza, Game, Inherited, Setting, Symbol};

/// Strings, by place.
const VALUES: &[(&str, Named)] = &[
    ("/presets/*/*", Setting),
    ("/extends", Game),
    ("/leader", Symbol(Piece)),
    ("ActionSpec/not_piece", Symbol(Piece)),
    ("ActionSpec/piece", Symbol(Piece)),
    ("AllowSpec/pieces", Symbol(Piece)),
    ("CastleDropSpec/piece", Symbol(Piece)),
    ("CastleSpec/with", Symbol(Piece)),
    ("Clause/counter", Symbol(Counter)),
    ("Clause/in", Symbol(Region)),
    ("Clause/not_piece", Symbol(Piece)),
    ("Clause/other", Symbol(Piece)),
    ("Clause/piece", Symbol(Piece)),
    ("Condition/by", Symbol(Piece)),
    ("Condition/condition", Symbol(Region)),
    ("Condition/counter", Symbol(Counter)),
    ("Condition/in", Symbol(Region)),
    ("Condition/not_piece", Symbol(Piece)),
    ("Condition/other", Symbol(Piece)),
    ("Condition/piece", Symbol(Piece)),
    ("Condition/region", Symbol(Region)),
    ("Condition/state", Symbol(Flag)),
    ("ControlSpec/in", Symbol(Region)),
    ("Effect/piece", Symbol(Piece)),
    ("Effect/state", Symbol(Flag)),
    ("EndingSpec/code", Inherited(Ending)),
    ("EndingSpec/id", Inherited(Ending)),
    ("DropSpec/piece", Symbol(Piece)),
    ("ExchangeSpec/to", Symbol(Region)),
    ("FigureSpec/piece", Symbol(Piece)),
    ("GlobalCondition/code", Inherited(Region)),
    ("HoldSpec/in", Symbol(Region)),
    ("LeaderObject/piece", Symbol(Piece)),
    ("LeaderObject/players", Symbol(Player)),
    ("ModifierSpec/options", Symbol(Piece)),
    ("ModifierSpec/replaces/*", Symbol(Piece)),
    ("MoveSpec/betza", Betza),
    ("OccasionSpec/die/*", Setting),
    ("OccasionSpec/team_play/*", Setting),
    ("OnlyIf/*", Setting),
    ("OptionValue/option", Symbol(Option)),
    ("OverSpec/not_piece", Symbol(Piece)),
    ("OverSpec/piece", Symbol(Piece)),
    ("PieceSpec/betza", Betza),
    ("PieceSpec/castling/with", Symbol(Piece)),
    ("PieceSpec/code", Inherited(Piece)),
    ("PieceSpec/gates/piece", Symbol(Piece)),
    ("PieceSpec/like", Symbol(Piece)),
    ("PieceSpec/promotion/in", Symbol(Region)),
    ("PieceSpec/reverts_to", Symbol(Piece)),
    ("PieceSpec/promotion/to", Symbol(Piece)),
    ("PlayerSpec/name", Inherited(Player)),
    ("QuietSpec/reset_by", Symbol(Piece)),
    ("ReactionSpec/captured", Symbol(Piece)),
    ("ReactionSpec/in", Symbol(Region)),
    ("ReactionSpec/in_any", Symbol(Region)),
    ("ReactionSpec/not_in_any", Symbol(Region)),
    ("ReactionSpec/piece", Symbol(Piece)),
    ("ReactionSpec/to", Symbol(Piece)),
    ("RepeatSpec/until", Symbol(Region)),
    ("SharingSpec/in", Symbol(Region)),
    ("SquareValue/square", Symbol(Option)),
    ("StartSpec/piece", Symbol(Piece)),
    ("StartSpec/tag", Symbol(TagValue)),
    ("TagSpec/pieces", Symbol(Piece)),
    ("TeamSpec/players", Symbol(Player)),
    ("TriggerEffect/counter", Symbol(Counter)),
    ("TriggerEffect/in", Symbol(Region)),
    ("TriggerEffect/piece", Symbol(Piece)),
    ("TriggerEffect/to", Symbol(Piece)),
    ("TriggerSpec/piece", Symbol(Piece)),
    ("TurnsSpec/order", Symbol(Player)),
];

/// Keywords that the schema does not list, by place.
const KEYWORDS: &[(&str, &str, &str)] = &[
    ("QuietSpec/reset_by", "CAPTURE", "Every capture."),
    ("RepeatSpec/until", "NOT_EMPTY", "The slide ends on the first occupied square."),
    ("RepeatSpec/until", "EMPTY", "The slide ends on the first empty square."),
    ("RepeatSpec/until", "ALLY", "The slide ends on the first piece of the same player."),
    ("RepeatSpec/until", "TEAM", "The slide ends on the first piece of a partner."),
    ("RepeatSpec/until", "ENEMY", "The slide ends on the first enemy piece."),
];

/// Keys of maps, by the place of their values.
const KEYS: &[(&str, Kind)] = &[
    ("/presets/*/*", Option),
    ("CastleSpec/to/*", Player),
    ("CastleSpec/with_to/*", Player),
    ("Clause/values/*", Piece),
    ("Condition/values/*", Piece),
    ("GlobalCondition/check/*", Player),
    ("HandsSpec/start/*", Player),
    ("HandsSpec/start/*/*", Piece),
    ("LayoutPlayer/starting_positions/*", Piece),
    ("LayoutSpec/conditions/*", Region),
    ("LayoutSpec/conditions/*/*", Player),
    ("LayoutSpec/players/*", Player),
    ("ModifierSpec/replaces/*", Piece),
    ("OccasionSpec/die/*", Option),
    ("OccasionSpec/team_play/*", Option),
    ("OnlyIf/*", Option),
    ("PieceSpec/letters/*", Player),
    ("PieceSpec/promotion/in/*", Player),
    ("PlayerSpec/starting_positions/*", Piece),
    ("TagSpec/values/*", TagValue),
];

/// Returns what a string at a place names.
pub(super) fn of_value(place: &str) -> std::option::Option<Named> {
    VALUES.iter().find(|(at, _)| *at == place).map(|(_, named)| *named)
}

/// Returns what the keys of a map name, given the place of its values.
pub(super) fn of_key(place: &str) -> std::option::Option<Kind> {
    KEYS.iter().find(|(at, _)| *at == place).map(|(_, kind)| *kind)
}

/// Returns the keywords at a place that the schema does not list, with their meanings.
pub(super) fn keywords(place: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    KEYWORDS.iter().filter(move |(at, ..)| *at == place).map(|(_, word, about)| (*word, *about))
}

/// Returns the places of all strings that name something.
#[cfg(test)]
pub(super) fn places() -> impl Iterator<Item = &'static str> {
    VALUES.iter().map(|(place, _)| *place)
}
