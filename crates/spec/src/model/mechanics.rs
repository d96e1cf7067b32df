//! Mechanics beyond pieces that move and capture: teams, leaders that may be attacked, armies that freeze and change
//! hands, shared squares, reactions, dice and exchanges.

use jsonc_parser::ast::Value as Json;

use super::Coord;
use crate::diagnostic::Diagnostics;
use crate::place::{At, Place};
use crate::read::{Named, Read, keywords, mistyped, record, schema};

/// The leader: the code of a piece, or an object with the rules about it.
#[derive(Clone, Debug, Default)]
pub struct LeaderSpec {
    /// Codes of the pieces.
    pub pieces: At<Codes>,
    /// Names of the players who have leaders.
    pub players: Option<At<Vec<At<String>>>>,
    /// Whose loss decides.
    pub lost: Option<At<Lost>>,
    /// When a player with several leaders is in check.
    pub check: Option<At<CheckWhen>>,
    /// Whether a player may leave the leader attacked.
    pub exposure: Option<At<Exposure>>,
    /// What a player with an attacked leader must do.
    pub attacked: Option<At<Attacked>>,
    /// What happens to a player whose leader is captured.
    pub captured: Option<At<Captured>>,
    /// When a player is stalemated.
    pub stalemate: Option<At<Stalemate>>,
}

impl Read for LeaderSpec {
    fn read(json: &Json<'_>, at: Place, diags: &mut Diagnostics<'_>) -> (Self, bool) {
        match json {
            Json::StringLit(_) => {
                let pieces = Codes::read_at(json, at, diags);
                let known = pieces.known().is_some();
                (LeaderSpec { pieces, ..LeaderSpec::default() }, known)
            }
            Json::Object(_) => {
                let (object, known) = LeaderObject::read(json, at, diags);
                let LeaderObject { pieces, players, lost, check, exposure, attacked, captured, stalemate } =
                    object;
                (LeaderSpec { pieces, players, lost, check, exposure, attacked, captured, stalemate }, known)
            }
            _ => {
                mistyped(json, at, "the code of a piece, or an object", diags);
                (LeaderSpec::default(), false)
            }
        }
    }
}

schema!(LeaderSpec, inline: false, |generator| {
    let object = generator.subschema_for::<LeaderObject>();
    schemars::json_schema!({
        "description": "The leader: the code of a piece, or an object with the rules about it.",
        "anyOf": [{ "type": "string" }, object],
    })
});

/// The code of a piece, or a list of codes.
#[derive(Clone, Debug, Default)]
pub struct Codes(Vec<At<String>>);

impl std::ops::Deref for Codes {
    type Target = [At<String>];
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl Read for Codes {
    fn read(json: &Json<'_>, at: Place, diags: &mut Diagnostics<'_>) -> (Self, bool) {
        if let Json::Array(_) = json {
            let (list, known) = Read::read(json, at, diags);
            return (Codes(list), known);
        }
        let code = String::read_at(json, at, diags);
        let known = code.known().is_some();
        (Codes(if known { vec![code] } else { Vec::new() }), known)
    }
}

schema!(Codes, inline: true, |_| schemars::json_schema!({
    "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }],
}));

record! {
    /// Players who win and lose together. Their pieces do not capture each other unless a move says so.
    TeamSpec, "A team" {
        /// Name of the team.
        "name" => name: At<String>,
        /// Names of its players.
        "players" => players: At<Vec<At<String>>>,
    }

    /// The leader and the rules about it.
    LeaderObject, "`leader`" {
        /// Code of the piece, or a list of codes.
        "piece" => pieces: At<Codes>,
        /// Names of the players who have leaders; all by default.
        "players" => players: Option<At<Vec<At<String>>>>,
        /// Whose loss decides; `ANY` by default.
        "lost" => lost: Option<At<Lost>>,
        /// When a player is in check; `DECISIVE` by default.
        "check" => check: Option<At<CheckWhen>>,
        /// Whether a player may leave the leader attacked; `ILLEGAL` by default.
        "exposure" => exposure: Option<At<Exposure>>,
        /// What a player with an attacked leader must do; `FREE` by default.
        "attacked" => attacked: Option<At<Attacked>>,
        /// What happens to a player whose leader is captured; `OUT` by default.
        "captured" => captured: Option<At<Captured>>,
        /// When a player whose leader is not attacked is stalemated; `NO_MOVE` by default.
        "stalemate" => stalemate: Option<At<Stalemate>>,
    }

    /// Squares that may hold a leader and one other piece of its team.
    SharingSpec, "`sharing`" {
        /// Code of a `POSITION` condition. The squares of all its lists are shared.
        "in" => region: At<String>,
        /// Whether a piece may join a leader on such a square.
        "join" => join: At<Join>,
    }

    /// A property that some pieces carry permanently.
    TagSpec, "A tag" {
        /// Name of the tag.
        "code" => code: At<String>,
        /// Codes of the pieces that carry it.
        "pieces" => pieces: At<Vec<At<String>>>,
        /// Values, each with the squares on which a new piece receives it.
        "values" => values: At<Named<Vec<At<Coord>>>>,
    }

    /// A leader that reaches certain squares takes control of a partner's army.
    ControlSpec, "`control`" {
        /// Code of a `POSITION` condition that lists the partner's squares.
        "in" => region: At<String>,
        /// Whether this thaws a frozen army.
        "thaws" => thaws: At<bool>,
    }

    /// A change that follows a capture.
    ReactionSpec, "A reaction" {
        /// Codes of the pieces whose capture triggers the reaction.
        "captured" => captured: At<Vec<At<String>>>,
        /// Kind of the pieces that change, in the army of the captured piece.
        "piece" => piece: At<String>,
        /// Only pieces on squares that this `POSITION` condition lists for their owner.
        "in" => region: Option<At<String>>,
        /// Only pieces on squares that this `POSITION` condition lists for any player.
        "in_any" => in_any: Option<At<String>>,
        /// Only pieces on squares that this `POSITION` condition lists for no player.
        "not_in_any" => not_in_any: Option<At<String>>,
        /// Kind that they become.
        "to" => to: At<String>,
    }

    /// An arrangement of pieces of one kind, each of a different player. It captures for the player whose move
    /// completes it.
    FigureSpec, "A figure" {
        /// Code of the pieces.
        "piece" => piece: At<String>,
        /// Squares of the figure, as offsets.
        "shape" => shape: At<Vec<At<Coord>>>,
        /// Squares that the offsets may be relative to; any square by default.
        "at" => anchors: Option<At<Vec<At<Coord>>>>,
    }

    /// A die that is thrown before every move.
    ChanceSpec, "`chance`" {
        /// Number of faces.
        "die" => die: At<i32>,
        /// Groups of pieces by face. The first group with a movable piece determines what may move.
        "allow" => allow: At<Named<Vec<At<AllowSpec>>>>,
        /// Maximum number of throws until a piece can move; 1 by default.
        "throws" => throws: Option<At<i32>>,
        /// Whether the rules about attacked leaders apply; `HOLDS` by default.
        "check" => check: Option<At<DieCheck>>,
    }

    /// Pieces that a face of the die allows to move.
    AllowSpec, "A group of pieces" {
        /// Codes of the pieces.
        "pieces" => pieces: At<Vec<At<String>>>,
    }

    /// The exchange of captured leaders, if both sides agree.
    ExchangeSpec, "`exchange`" {
        /// Code of a `POSITION` condition that lists the squares of return, in order of preference.
        "to" => region: At<String>,
        /// Whose captures count as the player's own; `PLAYER` by default.
        "by" => by: Option<At<Captor>>,
        /// Whether the answering player must have captured the other leader; `false` by default.
        "both_took" => both_took: Option<At<bool>>,
    }

    /// A leader that holds a square for a whole round wins.
    HoldSpec, "`hold`" {
        /// Code of a `POSITION` condition that lists the squares of each player.
        "in" => region: At<String>,
        /// The reason reported to programs, in lower case.
        "code" => code: At<String>,
    }
}

keywords! {
    /// Whose loss decides.
    Lost {
        /// That of any leader.
        Any = "ANY",
        /// That of the player's last leader.
        Last = "LAST",
        /// That of the player's last leader of one kind.
        LastOfKind = "LAST_OF_KIND",
    }

    /// When a player with several leaders is in check.
    CheckWhen {
        /// When a leader is attacked whose loss decides.
        Decisive = "DECISIVE",
        /// Also when all leaders are attacked, or all leaders of one kind with `LAST_OF_KIND`.
        All = "ALL",
    }

    /// Whether a player may leave a leader attacked.
    Exposure {
        /// Never.
        Illegal = "ILLEGAL",
        /// Always.
        Allowed = "ALLOWED",
        /// Other pieces may expose it. The leader may not move into an attack unless it is already attacked.
        AllowedInCheck = "ALLOWED_IN_CHECK",
    }

    /// What a player with an attacked leader must do.
    Attacked {
        /// No obligation.
        Free = "FREE",
        /// The leader must move if it can.
        MustMove = "MUST_MOVE",
    }

    /// What happens to a player whose leader is captured.
    Captured {
        /// The player is out; their pieces can be captured.
        Out = "OUT",
        /// The player's army freezes.
        Freezes = "FREEZES",
    }

    /// When a player whose leader is not attacked is stalemated.
    Stalemate {
        /// When there is no legal move.
        NoMove = "NO_MOVE",
        /// When every move would leave the leader attacked.
        NoSafeMove = "NO_SAFE_MOVE",
    }

    /// What happens to a player without a legal move.
    Stuck {
        /// The game ends, or the player is out.
        Ends = "ENDS",
        /// The turn passes to the next player.
        Passes = "PASSES",
        /// Stalemate loses: the other player wins, or the player is out if more than two players are left.
        Loses = "LOSES",
        /// Stalemate draws the game.
        Draws = "DRAWS",
        /// Stalemate wins the game.
        Wins = "WINS",
    }

    /// Whether a piece may join a leader.
    Join {
        /// A piece may land there by any move to an empty square.
        Allowed = "ALLOWED",
        /// Only pieces that start there share a square.
        Never = "NEVER",
    }

    /// Whether the rules about attacked leaders apply when playing with the die.
    DieCheck {
        /// They apply.
        Holds = "HOLDS",
        /// They do not: leaders may be exposed and need not move, and there is no stalemate for lack of a safe move.
        Waived = "WAIVED",
    }

    /// Whose captures count as the player's own.
    Captor {
        /// Only the player's own.
        Player = "PLAYER",
        /// Those of the player's team.
        Team = "TEAM",
    }

    /// For which players the conditions of an ending are tested.
    EndingWho {
        /// The player whose turn it is.
        Mover = "MOVER",
        /// Every player. The ending applies if the conditions hold for any of them.
        Anyone = "ANYONE",
    }

    /// Whose list of squares, relative to the moving player.
    RegionOf {
        /// The player's own.
        Own = "OWN",
        /// A partner's.
        Partner = "PARTNER",
        /// That of a player of another team.
        Enemy = "ENEMY",
        /// Any player's.
        Any = "ANY",
    }
}
