//! Counts of moves after which the game is drawn, as in the games of South East Asia.
//!
//! A counter of each player holds the number that the player has reached with a lone king, moved so that every count ends at the same
//! value. A count goes on when the other king is left alone, too. Another one counts turns of both players while few pieces are left.

use serde_json::{Map, Value as Json, json};

use super::Writer;
use crate::pieces::{KING, PAWN};
use crate::variant::Counting;

/// The counter of moves against a lone king.
const PIECES_COUNT: &str = "PIECES_COUNT";
/// The counter of turns.
const BOARD_COUNT: &str = "BOARD_COUNT";
/// The value at which a count against a lone king ends, two above the largest limit. It is 0 before the count starts.
const LAST: u32 = 66;

/// How moves are counted.
struct Plan {
    /// Pieces that limit a count against a lone king, with their number, strongest first.
    limits: &'static [(&'static str, u32, u32)],
    /// The limit without any of them. Without it, nothing is counted.
    most: Option<u32>,
    /// Whether the count starts at the number of pieces, not at 0.
    from_pieces: bool,
    board: Option<BoardCount>,
}

/// When turns are counted, and how many are allowed.
enum BoardCount {
    /// Without pawns.
    WithoutPawns(u32),
    /// Once the player to move has few pieces beside the king.
    FewPieces { most: u32, turns: u32 },
}

const MAKRUK: Plan = Plan {
    limits: &[("rook", 2, 8), ("rook", 1, 16), ("silver", 2, 22), ("knight", 2, 32), ("silver", 1, 44)],
    most: Some(64),
    from_pieces: true,
    board: Some(BoardCount::WithoutPawns(128)),
};

const CAMBODIAN: Plan = Plan {
    limits: &[("rook", 2, 7), ("rook", 1, 15), ("silver", 2, 21), ("knight", 2, 31), ("silver", 1, 43)],
    most: Some(63),
    from_pieces: true,
    board: Some(BoardCount::FewPieces { most: 2, turns: 126 }),
};

const ASEAN: Plan = Plan {
    limits: &[("rook", 1, 16), ("silver", 1, 44), ("knight", 1, 64)],
    most: None,
    from_pieces: false,
    board: None,
};

impl Plan {
    fn of(counting: Counting) -> Option<&'static Plan> {
        match counting {
            Counting::None => None,
            Counting::Makruk => Some(&MAKRUK),
            Counting::Cambodian => Some(&CAMBODIAN),
            Counting::Asean => Some(&ASEAN),
        }
    }
}

impl BoardCount {
    /// Returns the value at which the count ends.
    fn last(&self) -> u32 {
        match self {
            BoardCount::WithoutPawns(turns) => turns + 1,
            // The counter is 1 when the count starts.
            BoardCount::FewPieces { turns, .. } => turns + 2,
        }
    }
}

impl Writer<'_> {
    fn counting(&self) -> Option<&'static Plan> {
        Plan::of(self.variant.counting).filter(|_| self.variant.piece(KING).is_some())
    }

    /// Adds the counters and what changes them.
    pub(super) fn count_moves(&self, counters: &mut Map<String, Json>, triggers: &mut Vec<Json>) {
        let Some(plan) = self.counting() else { return };
        let counter = |per: &str, max: u32| json!({ "per": per, "max": max, "repetition": false });
        counters.insert(PIECES_COUNT.into(), counter("PLAYER", LAST));
        if let Some(board) = &plan.board {
            counters.insert(BOARD_COUNT.into(), counter("GAME", board.last()));
            triggers.extend(self.count_turns(board));
        }
        triggers.push(on_move(&[compare(PIECES_COUNT, "min", 1)], &[add(PIECES_COUNT, 1)]));
        let alone = json!({ "condition": "COUNT", "owner": "ENEMY", "max": 0 });
        let after: Vec<Json> = std::iter::once(alone).chain(self.no_pawns()).collect();
        let after = json!({ "condition": "AFTER", "of": after });
        let of_kind = |(key, least, limit): &(&str, u32, u32)| {
            let codes = [self.variant.code(key)];
            (json!({ "condition": "COUNT", "piece": codes, "owner": "OWN", "min": least }), *limit)
        };
        let known = plan.limits.iter().filter(|(key, ..)| self.is_listed(key));
        let any = json!({ "condition": "COUNT", "owner": "OWN", "min": 1 });
        // All conditions are about the position before the move, so the last trigger that fits decides.
        for (strength, limit) in plan.most.map(|most| (any, most)).into_iter().chain(known.map(of_kind).rev())
        {
            let start = LAST - 1 - limit;
            let effects = if plan.from_pieces {
                vec![
                    json!({ "action": "COUNT", "counter": PIECES_COUNT, "owner": "ENEMY" }),
                    json!({ "action": "ADD", "counter": PIECES_COUNT, "owner": "ENEMY", "by": start }),
                ]
            } else {
                vec![json!({ "action": "SET", "counter": PIECES_COUNT, "owner": "ENEMY", "to": start })]
            };
            triggers.push(on_move(&[is_not_counted(), strength, after.clone()], &effects));
        }
    }

    /// Returns the triggers that count turns.
    fn count_turns(&self, board: &BoardCount) -> Vec<Json> {
        let BoardCount::FewPieces { most, .. } = board else {
            let when: Vec<Json> = self.no_pawns().into_iter().collect();
            return vec![on_move(&when, &[add(BOARD_COUNT, 1)])];
        };
        let few = json!({ "condition": "COUNT", "owner": "ENEMY", "min": 1, "max": most });
        let starts = [
            compare(BOARD_COUNT, "max", 0),
            json!({ "condition": "COUNT", "owner": "OWN", "min": 1 }),
            json!({ "condition": "AFTER", "of": [few] }),
        ];
        let goes_on = on_move(&[compare(BOARD_COUNT, "min", 1)], &[add(BOARD_COUNT, 1)]);
        vec![goes_on, on_move(&starts, &[set(BOARD_COUNT, 1)])]
    }

    /// Returns whether the game has a piece.
    fn is_listed(&self, key: &str) -> bool {
        self.variant.piece(key).is_some_and(|piece| self.is_reached(piece))
    }

    /// Returns the condition that there are no pawns.
    fn no_pawns(&self) -> Option<Json> {
        let pawn = self.is_listed(PAWN).then(|| self.variant.code(PAWN));
        pawn.map(|pawn| json!({ "condition": "COUNT", "piece": [pawn], "owner": "ANY", "max": 0 }))
    }

    /// Returns the draws after too many moves.
    pub(super) fn counted_out(&self) -> Vec<Json> {
        let Some(plan) = self.counting() else { return Vec::new() };
        let lone = json!({ "code": "PIECES_COUNTED_OUT", "when": [compare_any("min", LAST)] });
        let board = plan.board.as_ref().map(|board| {
            let when = [is_not_counted(), compare(BOARD_COUNT, "min", board.last())];
            json!({ "code": "BOARD_COUNTED_OUT", "when": when })
        });
        std::iter::once(lone).chain(board).collect()
    }
}

/// Returns the condition that a counter is in a range.
fn compare(counter: &str, bound: &str, number: u32) -> Json {
    json!({ "condition": "COMPARE", "counter": counter, (bound): number })
}

/// Returns the condition that the sum of the players' counts is in a range. Only one of them is ever above 0.
fn compare_any(bound: &str, number: u32) -> Json {
    json!({ "condition": "COMPARE", "counter": PIECES_COUNT, "owner": "ANY", (bound): number })
}

/// Returns the condition that no lone king counts.
fn is_not_counted() -> Json {
    compare_any("max", 0)
}

fn add(counter: &str, by: u32) -> Json {
    json!({ "action": "ADD", "counter": counter, "by": by })
}

fn set(counter: &str, to: u32) -> Json {
    json!({ "action": "SET", "counter": counter, "to": to })
}

fn on_move(when: &[Json], effects: &[Json]) -> Json {
    json!({ "on": "MOVED", "when": when, "effects": effects })
}
