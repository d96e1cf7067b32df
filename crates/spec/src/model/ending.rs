//! Endings of a game: by rule, by claim and by a fallen flag.

use super::{Anchor, EndingWho, GameSpec, Nested};
use crate::place::At;
use crate::read::{Named, keywords, record, tagged};

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

    /// Where pieces are counted.
    Area {
        /// The file of a square.
        File = "FILE",
        /// The rank of a square.
        Rank = "RANK",
        /// The squares around a square.
        Adjacent = "ADJACENT",
        /// One square.
        Square = "SQUARE",
        /// Runs of such pieces that begin beside a square and end before a piece of the moving player.
        Flanked = "FLANKED",
        /// The pieces that the piece on a square could capture.
        Attacked = "ATTACKED",
        /// The square behind the source, on the line of the move.
        Behind = "BEHIND",
        /// The square ahead of the landing square, on the line of the move.
        Ahead = "AHEAD",
        /// The squares between source and landing square.
        Between = "BETWEEN",
        /// The hands.
        Hand = "HAND",
    }

    /// Lines on the board.
    Along {
        /// Files; on hexagons, all lines.
        File = "FILE",
        /// Ranks.
        Rank = "RANK",
        /// Files and ranks.
        Straight = "STRAIGHT",
        /// Diagonals.
        Diagonal = "DIAGONAL",
        /// Files, ranks and diagonals.
        Any = "ANY",
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
        /// Neutral players.
        Neutral = "NEUTRAL",
    }
}

tagged! {
    /// A condition of a position. The "own" player is the one whose turn it is, whose flag fell or who moves.
    Clause, "A condition of a position", tag "condition" {
        /// The number of pieces on the board. Requires at least one of `min`, `max` and `lost`.
        "COUNT" => Count {
            /// Kinds to count together; by default, all except the leader.
            "piece" => piece: Option<At<Vec<At<String>>>>,
            /// Whose pieces; by default `ANY` in endings and `OWN` in moves.
            "owner" => owner: Option<At<Owner>>,
            /// Counts only pieces on squares that this `POSITION` condition lists for their owner.
            "in" => region: Option<At<String>>,
            /// In moves: counts only pieces in a part of the board that depends on the move.
            "area" => area: Option<At<Area>>,
            /// The square that the area is about; `TARGET` by default.
            "anchor" => anchor: Option<At<Anchor>>,
            /// With `FLANKED`: the directions of runs; `ANY` by default.
            "along" => along: Option<At<Along>>,
            /// With `FLANKED`: the maximum length of a run; unlimited by default.
            "run" => run: Option<At<i32>>,
            /// Minimum; 0 by default.
            "min" => min: Option<At<i32>>,
            /// Maximum; unlimited by default.
            "max" => max: Option<At<i32>>,
            /// Minimum number of pieces lost since the start of the game.
            "lost" => lost: Option<At<i32>>,
        }
        /// The value of counters, or of pieces. Requires at least one of `min`, `max` and `than`.
        "COMPARE" => Compare {
            /// Name of a counter.
            "counter" => counter: Option<At<String>>,
            /// Instead of `counter`: values of pieces on the board, by code; others count nothing.
            "values" => values: Option<At<Named<i32>>>,
            /// Whose; `OWN` by default. The values of several players are added.
            "owner" => owner: Option<At<Owner>>,
            /// Minimum.
            "min" => min: Option<At<i32>>,
            /// Maximum.
            "max" => max: Option<At<i32>>,
            /// More than the value of these players.
            "than" => than: Option<At<Owner>>,
            /// With `than`: by how much at least; 1 by default. Negative numbers allow less.
            "by" => by: Option<At<i32>>,
        }
        /// Two pieces face each other: they stand on one line, with few enough pieces in between.
        "FACING" => Facing {
            /// Kinds of the one piece.
            "piece" => piece: At<Vec<At<String>>>,
            /// Whose it is; `OWN` by default.
            "owner" => owner: Option<At<Owner>>,
            /// Kinds of the other piece; by default, those of `piece`.
            "other" => other: Option<At<Vec<At<String>>>>,
            /// Whose the other piece is; `ENEMY` by default.
            "other_owner" => other_owner: Option<At<Owner>>,
            /// On which lines; `STRAIGHT` by default.
            "along" => along: Option<At<Along>>,
            /// Minimum number of pieces in between; 0 by default.
            "min" => min: Option<At<i32>>,
            /// Maximum number of pieces in between; 0 by default.
            "max" => max: Option<At<i32>>,
        }
        /// A leader of at least one of these players is in check.
        "IN_CHECK" => InCheck {
            /// Which players; `OWN` by default.
            "owner" => owner: Option<At<Owner>>,
        }
        /// The position has occurred at least a given number of times.
        "REPETITION" => Repetition {
            /// Number of occurrences, including this one.
            "times" => times: At<i32>,
            /// Only if each turn of at least one of these players since the first of these occurrences gave check.
            "checks" => checks: Option<At<Owner>>,
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
        /// It is the turn of one of these players, and they have no legal move.
        "STUCK" => Stuck {
            /// Which players; `OWN` by default.
            "owner" => owner: Option<At<Owner>>,
            /// Whether the player must be in check (`true`) or must not (`false`).
            "attacked" => attacked: Option<At<bool>>,
        }
        /// All conditions of a list hold.
        "ALL" => All {
            /// The list.
            "of" => of: At<Clauses>,
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
        Clause::Repetition { times: At::default(), checks: None }
    }
}

impl Clause {
    /// Returns the lists of conditions nested in this one.
    pub fn nested(&self) -> &[At<Clauses>] {
        match self {
            Clause::Any { of } => of.as_slice(),
            Clause::All { of } | Clause::Not { of } => std::slice::from_ref(of),
            Clause::Count { .. }
            | Clause::Compare { .. }
            | Clause::Facing { .. }
            | Clause::InCheck { .. }
            | Clause::Repetition { .. }
            | Clause::Quiet { .. }
            | Clause::CannotWin { .. }
            | Clause::Captive { .. }
            | Clause::Controlled { .. }
            | Clause::Stuck { .. } => &[],
        }
    }
}

/// Conditions of a position, all of which must hold.
pub type Clauses = Nested<Clause>;

impl QuietSpec {
    /// The keyword for captures among codes of pieces.
    pub const CAPTURE: &'static str = "CAPTURE";
}

impl Clause {
    /// Returns this condition, followed by those nested in it.
    pub fn with_nested(&self) -> Vec<&Clause> {
        let nested = self.nested().iter().flat_map(|list| list.iter());
        std::iter::once(self).chain(nested.flat_map(|clause| clause.with_nested())).collect()
    }
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
