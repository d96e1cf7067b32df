//! State beyond the pieces on the board: hands and counters.

use super::{Condition, Event, ModifierSpec, TriggerEffect};
use crate::place::At;
use crate::read::{List, Named, keywords, record};

record! {
    /// Pieces in hand.
    HandsSpec, "`hands`" {
        /// Whose hand captured pieces go to; they leave the game by default.
        "captured_to" => captured_to: Option<At<HandOf>>,
        /// Numbers of pieces in hand at the start, by player and code.
        "start" => start: Option<At<Named<Named<i32>>>>,
        /// Which pieces may be dropped where; by default, all pieces on all empty squares.
        "drops" => drops: Option<At<Vec<At<DropSpec>>>>,
    }

    /// Drops of some pieces on empty squares.
    DropSpec, "A drop" {
        /// Codes of the pieces.
        "piece" => piece: At<Vec<At<String>>>,
        /// Conditions that must all hold.
        "conditions" => conditions: List<Condition>,
        /// Promotion: the piece is dropped as another one.
        "modifiers" => modifiers: List<ModifierSpec>,
        /// Whether the dropped piece counts as unmoved; `false` by default.
        "unmoved" => unmoved: Option<At<bool>>,
    }

    /// A number that the game keeps.
    CounterSpec, "A counter" {
        /// Whether each player has one, or the game; `PLAYER` by default.
        "per" => per: Option<At<Per>>,
        /// The first value; 0 by default.
        "start" => start: Option<At<i32>>,
        /// The largest value.
        "max" => max: At<i32>,
        /// Whether positions with different values are different for `REPETITION`; `true` by default.
        "repetition" => repetition: Option<At<bool>>,
    }

    /// What follows from a move.
    TriggerSpec, "A trigger" {
        /// What the move must do.
        "on" => on: At<Event>,
        /// Only with pieces of these kinds: captured, promoted to, dropped or moved.
        "piece" => piece: Option<At<Vec<At<String>>>>,
        /// Further conditions.
        "when" => when: List<Condition>,
        /// What follows, in order.
        "effects" => effects: At<Vec<At<TriggerEffect>>>,
    }
}

keywords! {
    /// Whose hand.
    HandOf {
        /// That of the player who captures.
        Captor = "CAPTOR",
        /// That of the player who loses the piece.
        Owner = "OWNER",
    }

    /// Whose counter.
    Per {
        /// One for each player.
        Player = "PLAYER",
        /// One for the game.
        Game = "GAME",
    }
}
