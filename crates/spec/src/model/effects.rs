//! What triggers do: they change counters, pieces, hands and the turn.

use super::{Along, Anchor, Area, Owner};
use crate::place::At;
use crate::read::tagged;

/// Defines the effects. Those after `selecting` change pieces, and have the keys that select them.
macro_rules! effects {
    ($($(#[doc = $doc:literal])* $word:literal => $variant:ident { $($fields:tt)* })* selecting
     $($(#[doc = $selecting_doc:literal])* $selecting_word:literal => $selecting:ident { $($selecting_fields:tt)* })*) => {
        tagged! {
            /// What a trigger does.
            TriggerEffect, "An effect of a trigger", tag "action" {
                $($(#[doc = $doc])* $word => $variant { $($fields)* })*
                $($(#[doc = $selecting_doc])* $selecting_word => $selecting {
                    $($selecting_fields)*
                    /// Kinds of the pieces; by default, all except the leader.
                    "piece" => piece: Option<At<Vec<At<String>>>>,
                    /// Whose pieces, also of players who are out; `ANY` by default.
                    "owner" => owner: Option<At<Owner>>,
                    /// Only pieces on squares that this `POSITION` condition lists for their owner.
                    "in" => region: Option<At<String>>,
                    /// The part of the board; by default, all of it.
                    "area" => area: Option<At<Area>>,
                    /// The square that the area is about; `TARGET` by default.
                    "anchor" => anchor: Option<At<Anchor>>,
                    /// With `FLANKED`: the directions of runs; `ANY` by default.
                    "along" => along: Option<At<Along>>,
                    /// With `FLANKED`: the maximum length of a run; unlimited by default.
                    "run" => run: Option<At<i32>>,
                })*
            }
        }

        impl TriggerEffect {
            /// Returns the keys that select pieces, if the effect changes pieces.
            pub fn selection(&self) -> Option<Selection<'_>> {
                match self {
                    $(TriggerEffect::$selecting {
                        piece, owner, region, area, anchor, along, run, ..
                    } => Some(Selection {
                        piece: piece.as_ref(),
                        owner: owner.as_ref(),
                        region: region.as_ref(),
                        area: area.as_ref(),
                        anchor: anchor.as_ref(),
                        along: along.as_ref(),
                        run: run.as_ref(),
                    }),)*
                    _ => None,
                }
            }
        }
    };
}

effects! {
    /// Adds to a counter, which stays between 0 and its largest value.
    "ADD" => Add {
        /// Name of the counter.
        "counter" => counter: At<String>,
        /// Whose counters; `OWN` by default.
        "owner" => owner: Option<At<Owner>>,
        /// The number to add; 1 by default.
        "by" => by: Option<At<i32>>,
    }
    /// Sets a counter.
    "SET" => Set {
        /// Name of the counter.
        "counter" => counter: At<String>,
        /// Whose counters; `OWN` by default.
        "owner" => owner: Option<At<Owner>>,
        /// The value.
        "to" => to: At<i32>,
    }
    /// Sets a counter to a number of pieces on the board.
    "COUNT" => Count {
        /// Name of the counter.
        "counter" => counter: At<String>,
        /// Whose counters; `OWN` by default.
        "owner" => owner: Option<At<Owner>>,
        /// Kinds of the pieces; all by default.
        "piece" => piece: Option<At<Vec<At<String>>>>,
        /// Whose pieces; `ANY` by default.
        "of" => of: Option<At<Owner>>,
    }
    /// Puts new pieces on the empty squares of a part of the board.
    "PLACE" => Place {
        /// Code of the pieces.
        "piece" => piece: At<String>,
        /// Whose pieces; `OWN` by default. `ENEMY` is the next opponent in the order.
        "owner" => owner: Option<At<Owner>>,
        /// Only squares that this `POSITION` condition lists for that player.
        "in" => region: Option<At<String>>,
        /// The part of the board; `SQUARE` by default.
        "area" => area: Option<At<Area>>,
        /// The square that the area is about; `TARGET` by default.
        "anchor" => anchor: Option<At<Anchor>>,
    }
    /// Adds pieces to a hand.
    "GIVE" => Give {
        /// Code of the pieces.
        "piece" => piece: At<String>,
        /// Whose hand; `OWN` by default. `ENEMY` is the next opponent in the order.
        "owner" => owner: Option<At<Owner>>,
        /// The number of pieces; 1 by default.
        "by" => by: Option<At<i32>>,
    }
    /// Lets the player move again, in the same slot of the order.
    "EXTRA_TURN" => ExtraTurn {}
    /// Skips the following slots of the same player.
    "END_TURN" => EndTurn {}
    selecting
    /// Removes pieces. This is not a capture.
    "REMOVE" => Remove {}
    /// Captures pieces.
    "CAPTURE" => Capture {}
    /// Replaces pieces by new ones of another kind.
    "TRANSFORM" => Transform {
        /// Code of the new kind.
        "to" => to: At<String>,
    }
    /// Gives pieces to another player. They count as moved.
    "SET_OWNER" => SetOwner {
        /// The new owner: `OWN`, `NEUTRAL` or `ENEMY`, the next opponent in the order.
        "to" => to: At<Owner>,
    }
    /// Moves a piece to a square of the move, unless it is occupied. If several pieces are selected, none moves.
    "MOVE" => Move {
        /// The square: the one that the moving piece left or entered.
        "to" => to: At<Anchor>,
    }
}

impl Default for TriggerEffect {
    fn default() -> Self {
        TriggerEffect::EndTurn {}
    }
}

/// The keys of an effect that select pieces.
#[derive(Clone, Copy, Debug)]
pub struct Selection<'e> {
    /// Kinds of the pieces.
    pub piece: Option<&'e At<Vec<At<String>>>>,
    /// Whose pieces.
    pub owner: Option<&'e At<Owner>>,
    /// Code of the `POSITION` condition that lists the squares.
    pub region: Option<&'e At<String>>,
    /// The part of the board.
    pub area: Option<&'e At<Area>>,
    /// The square that the area is about.
    pub anchor: Option<&'e At<Anchor>>,
    /// The directions of runs.
    pub along: Option<&'e At<Along>>,
    /// The maximum length of a run.
    pub run: Option<&'e At<i32>>,
}
