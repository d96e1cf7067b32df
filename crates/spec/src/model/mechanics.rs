//! What a game may say beyond pieces that move and capture: partners, leaders that may be attacked, armies that freeze
//! and change hands, squares for two, pieces that turn into others, dice and offers.

#[cfg(feature = "schema")]
use std::borrow::Cow;

use jsonc_parser::ast::Value as Json;
#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::Coord;
use crate::diagnostic::Faults;
use crate::place::{At, Place};
use crate::read::{Named, Read, mistyped, record, words};

record! {
    /// Players who win and lose together, and never capture each other.
    TeamSpec, "A team" {
        /// Name of the team.
        "name" => name: At<String>,
        /// Names of its players.
        "players" => players: At<Vec<At<String>>>,
    }
}

/// The leader: the code of a piece, or an object that also says what its danger means.
#[derive(Clone, Debug, Default)]
pub struct LeaderSpec {
    /// Code of the piece.
    pub piece: At<String>,
    /// Whether a player may leave his leader attacked.
    pub exposure: Option<At<Exposure>>,
    /// What an attacked leader must do.
    pub attacked: Option<At<Attacked>>,
    /// What becomes of the army of a captured leader.
    pub captured: Option<At<Captured>>,
    /// When a player has no move.
    pub stalemate: Option<At<Stalemate>>,
}

record! {
    /// A leader and what its danger means.
    LeaderObject, "`leader`" {
        /// Code of the piece.
        "piece" => piece: At<String>,
        /// Whether a player may leave his leader attacked; `ILLEGAL` if left out.
        "exposure" => exposure: Option<At<Exposure>>,
        /// What an attacked leader must do; `FREE` if left out.
        "attacked" => attacked: Option<At<Attacked>>,
        /// What becomes of the army of a captured leader; `OUT` if left out.
        "captured" => captured: Option<At<Captured>>,
        /// When a player whose leader is not attacked has no move; `NO_MOVE` if left out.
        "stalemate" => stalemate: Option<At<Stalemate>>,
    }
}

impl Read for LeaderSpec {
    fn read(json: &Json<'_>, at: Place, faults: &mut Faults<'_>) -> (Self, bool) {
        match json {
            Json::StringLit(_) => {
                let piece = String::read_at(json, at, faults);
                let known = piece.known().is_some();
                (LeaderSpec { piece, ..LeaderSpec::default() }, known)
            }
            Json::Object(_) => {
                let (object, known) = LeaderObject::read(json, at, faults);
                let LeaderObject { piece, exposure, attacked, captured, stalemate } = object;
                (LeaderSpec { piece, exposure, attacked, captured, stalemate }, known)
            }
            _ => {
                mistyped(json, at, "the code of a piece, or an object", faults);
                (LeaderSpec::default(), false)
            }
        }
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for LeaderSpec {
    fn schema_name() -> Cow<'static, str> {
        "LeaderSpec".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let object = generator.subschema_for::<LeaderObject>();
        json_schema!({
            "description": "The leader: the code of a piece, or an object that also says what its danger means.",
            "anyOf": [{ "type": "string" }, object],
        })
    }
}

words! {
    /// Whether a player may leave a leader of his attacked.
    Exposure {
        /// Never.
        Illegal = "ILLEGAL",
        /// Always.
        Allowed = "ALLOWED",
        /// Other pieces may expose it; it may not step into an attack itself, unless it is attacked already.
        AllowedInCheck = "ALLOWED_IN_CHECK",
    }
}

words! {
    /// What an attacked leader must do.
    Attacked {
        /// Nothing in particular.
        Free = "FREE",
        /// It must move, if it can.
        MustMove = "MUST_MOVE",
    }
}

words! {
    /// What becomes of a player whose leader is captured.
    Captured {
        /// He is out; his pieces can be captured.
        Out = "OUT",
        /// His army is frozen.
        Freezes = "FREEZES",
    }
}

words! {
    /// When a player whose leader is not attacked has no move.
    Stalemate {
        /// If he has none.
        NoMove = "NO_MOVE",
        /// If every one of them would leave his leader attacked.
        NoSafeMove = "NO_SAFE_MOVE",
    }
}

words! {
    /// What happens to a player who has no legal move.
    Stuck {
        /// The game is over, or he is out.
        Ends = "ENDS",
        /// His turn is passed over.
        Passes = "PASSES",
    }
}

record! {
    /// Squares that may hold a leader and one other piece of its team.
    SharingSpec, "`sharing`" {
        /// Code of a `POSITION` condition; the squares of all its lists.
        "in" => region: At<String>,
        /// Whether a piece may join a leader that stands there alone.
        "join" => join: At<Join>,
    }
}

words! {
    /// Whether a piece may join a leader.
    Join {
        /// By any move to an empty square that ends there.
        Allowed = "ALLOWED",
        /// Two share a square only from the start on.
        Never = "NEVER",
    }
}

record! {
    /// Something that pieces of some kinds carry for life.
    TagSpec, "A tag" {
        /// Its name.
        "code" => code: At<String>,
        /// Codes of the pieces that carry it.
        "pieces" => pieces: At<Vec<At<String>>>,
        /// Its values, each with the squares on which a new piece gets it.
        "values" => values: At<Named<Vec<At<Coord>>>>,
    }
}

record! {
    /// A leader that arrives on certain squares takes control of a partner's army.
    ControlSpec, "`control`" {
        /// Code of a `POSITION` condition: the partner's squares.
        "in" => region: At<String>,
        /// Whether that thaws a frozen army.
        "thaws" => thaws: At<bool>,
    }
}

record! {
    /// Something that happens when pieces are captured.
    ReactionSpec, "A reaction" {
        /// Codes of the pieces whose capture sets it off.
        "captured" => captured: At<Vec<At<String>>>,
        /// Of the captured piece's army, pieces of this kind …
        "piece" => piece: At<String>,
        /// … that stand on a square which this `POSITION` condition lists for their owner …
        "in" => region: Option<At<String>>,
        /// … and on one which this one lists for anybody …
        "in_any" => in_any: Option<At<String>>,
        /// … and on none which this one lists for anybody …
        "not_in_any" => not_in_any: Option<At<String>>,
        /// … become this.
        "to" => to: At<String>,
    }
}

record! {
    /// Pieces of one kind and of different players that stand in a figure: it works for the one whose piece completed it.
    FigureSpec, "A figure" {
        /// Code of the pieces.
        "piece" => piece: At<String>,
        /// Squares, counted from one of them.
        "shape" => shape: At<Vec<At<Coord>>>,
        /// Where the figure may stand; anywhere if left out.
        "at" => anchors: Option<At<Vec<At<Coord>>>>,
    }
}

record! {
    /// A die is thrown before every move.
    ChanceSpec, "`chance`" {
        /// How many faces it has.
        "die" => die: At<i32>,
        /// For each face, by its number, groups of pieces: those of the first group of which one can move may be moved.
        "allow" => allow: At<Named<Vec<At<AllowSpec>>>>,
        /// How often it is thrown until a piece can move; 1 if left out.
        "throws" => throws: Option<At<i32>>,
        /// Whether the rules about attacked leaders hold; `HOLDS` if left out.
        "check" => check: Option<At<DieCheck>>,
    }
}

record! {
    /// Pieces that a face of the die allows to move.
    AllowSpec, "A group of pieces" {
        /// Codes of the pieces.
        "pieces" => pieces: At<Vec<At<String>>>,
    }
}

words! {
    /// Whether the rules about attacked leaders hold under the die.
    DieCheck {
        /// They do.
        Holds = "HOLDS",
        /// Leaders may be exposed, need not move, and nobody is in stalemate for their sake.
        Waived = "WAIVED",
    }
}

record! {
    /// Captured leaders may be exchanged, if both sides want that.
    ExchangeSpec, "`exchange`" {
        /// Code of a `POSITION` condition: where each returns, in the order of its list.
        "to" => region: At<String>,
        /// Whose capture counts as one's own; `PLAYER` if left out.
        "by" => by: Option<At<Captor>>,
        /// Whether whoever answers must have taken the other leader himself; `false` if left out.
        "both_took" => both_took: Option<At<bool>>,
    }
}

words! {
    /// Whose capture counts as one's own.
    Captor {
        /// One's own alone.
        Player = "PLAYER",
        /// Those of one's team.
        Team = "TEAM",
    }
}

record! {
    /// A leader that holds a square for a whole round wins.
    HoldSpec, "`hold`" {
        /// Code of a `POSITION` condition: the squares of each player.
        "in" => region: At<String>,
        /// The reason that programs see, there in lower case.
        "code" => code: At<String>,
    }
}

words! {
    /// For which players the conditions of an ending are looked at.
    EndingWho {
        /// The one whose turn it is.
        Mover = "MOVER",
        /// Each one; one is enough.
        Anyone = "ANYONE",
    }
}

words! {
    /// Whose squares, as the mover sees it.
    RegionOf {
        /// His own.
        Own = "OWN",
        /// Those of a partner.
        Partner = "PARTNER",
        /// Those of a player of another team.
        Enemy = "ENEMY",
        /// Anybody's.
        Any = "ANY",
    }
}
