//! Random chess-like games: two players with a leader each, pieces that leap and slide, pawns with promotion, double step
//! and en passant, castling.
//!
//! The fast paths of the engine accept most of them. They cover leapers pinned along a line, kind filters in castling,
//! several flags, and small boards.

use serde_json::{Value, json};
use tabiya_players::SplitMix;

/// Returns the spec for a seed as JSON. A few specs have errors; callers skip them.
pub fn spec(seed: u64) -> String {
    ChesslikeSpec { dice: SplitMix::new(seed ^ 0x7461_6d65), files: 0, ranks: 0 }.game().to_string()
}

struct ChesslikeSpec {
    dice: SplitMix,
    files: i32,
    ranks: i32,
}

const BOTH: [(&str, &str); 2] = [("EMPTY", "MOVE"), ("ENEMY", "CAPTURE")];

impl ChesslikeSpec {
    fn chance(&mut self, percent: usize) -> bool {
        self.dice.below(100) < percent
    }

    fn between(&mut self, low: i32, high: i32) -> i32 {
        low + self.dice.below((high - low + 1) as usize) as i32
    }

    fn game(&mut self) -> Value {
        self.files = self.between(4, 10);
        self.ranks = self.between(4, 8);
        let officers = ["ROOK", "BISHOP", "NINJA", "QUEEN"];
        let used = self.between(1, 4) as usize;
        let mut pieces = vec![self.pawn(&officers[..used]), self.leader()];
        for code in &officers[..used] {
            pieces.push(self.officer(code));
        }
        let holes: Vec<[i32; 2]> = if self.chance(15) {
            (0..self.between(1, 3)).map(|_| [self.between(0, self.files - 1), self.ranks / 2]).collect()
        } else {
            Vec::new()
        };
        let black = if self.chance(50) { json!([[1, 0], [0, -1]]) } else { json!("DOWN") };
        let army = self.army(&officers[..used]);
        let zone = |y: i32| (0..self.files).map(|x| [x, y]).collect::<Vec<_>>();
        json!({
            "name": "TAME",
            "leader": "KING",
            "board": { "dimensions": [self.files, self.ranks], "disabled_positions": holes },
            "players": [
                { "name": "WHITE", "direction": "UP", "starting_positions": self.placed(&army, false) },
                { "name": "BLACK", "direction": black, "starting_positions": self.placed(&army, true) },
            ],
            "turns": { "order": ["WHITE", "BLACK"] },
            "conditions": [
                { "code": "LAST", "type": "POSITION", "check": { "WHITE": zone(self.ranks - 1), "BLACK": zone(0) } },
            ],
            "pieces": pieces,
        })
    }

    /// Draws the pieces on the first and second rank.
    fn army(&mut self, officers: &[&str]) -> Vec<(String, [i32; 2])> {
        let king = self.between(1, self.files - 2);
        let mut army = vec![("KING".to_owned(), [king, 0])];
        for file in (0..self.files).filter(|file| *file != king) {
            if self.chance(70) {
                let code = if file == 0 || file == self.files - 1 {
                    officers[0]
                } else {
                    officers[self.dice.below(officers.len())]
                };
                army.push((code.to_owned(), [file, 0]));
            }
        }
        for file in 0..self.files {
            if self.chance(55) {
                army.push(("PAWN".to_owned(), [file, 1]));
            }
        }
        army
    }

    fn placed(&self, army: &[(String, [i32; 2])], mirrored: bool) -> Value {
        let groups = army.iter().map(|(code, [x, y])| {
            let y = if mirrored { self.ranks - 1 - y } else { *y };
            json!({ "piece": code, "positions": [[x, y]] })
        });
        Value::Array(groups.collect())
    }

    fn step(id: usize, step: [i32; 2], actions: &[(&str, &str)]) -> Value {
        let actions: Vec<Value> =
            actions.iter().map(|(state, action)| json!({ "state": state, "action": action })).collect();
        json!({ "id": id, "step": step, "actions": actions })
    }

    /// Draws a piece that slides in some directions and leaps in others.
    fn officer(&mut self, code: &str) -> Value {
        let lines: [[i32; 2]; 6] = [[1, 0], [0, 1], [1, 1], [1, -1], [1, 2], [2, -1]];
        let leaps = [
            [1, 0],
            [0, 1],
            [1, 1],
            [-1, 1],
            [1, 2],
            [2, 1],
            [-1, 2],
            [-2, 1],
            [1, 3],
            [2, 2],
            [0, -1],
            [-1, 0],
        ];
        let mut moves: Vec<Value> = Vec::new();
        for [x, y] in lines {
            let percent = if x.abs() + y.abs() > 2 { 8 } else { 40 };
            if self.chance(percent) {
                for step in [[x, y], [-x, -y]] {
                    let mut slide = Self::step(moves.len(), step, &BOTH);
                    slide["repeat"] = json!({ "loop": true });
                    moves.push(slide);
                }
            }
        }
        for step in leaps {
            if self.chance(if moves.is_empty() { 50 } else { 15 }) {
                moves.push(Self::step(moves.len(), step, &BOTH));
            }
        }
        json!({ "code": code, "moves": moves })
    }

    fn leader(&mut self) -> Value {
        let kings = [[1, 0], [0, 1], [1, 1], [-1, 1], [-1, 0], [0, -1], [-1, -1], [1, -1]];
        let knights = [[1, 2], [2, 1], [-1, 2], [-2, 1], [1, -2], [2, -1], [-1, -2], [-2, -1]];
        let steps = if self.chance(75) { kings } else { knights };
        let mut moves: Vec<Value> = Vec::new();
        for step in steps {
            if self.chance(90) {
                moves.push(Self::step(moves.len(), step, &BOTH));
            }
        }
        for side in [1, -1] {
            if self.chance(60) {
                let rook = self.between(2, 5) * side;
                let mut castle = Self::step(moves.len(), [2 * side, 0], &BOTH[..1]);
                let mut conditions = vec![
                    json!({ "condition": "FIRST_MOVE" }),
                    json!({ "condition": "PATH_EMPTY" }),
                    json!({ "condition": "SQUARE", "position": [rook, 0], "state": "ALLY", "piece": ["ROOK"], "unmoved": true }),
                ];
                if self.chance(70) {
                    conditions.push(json!({ "condition": "PATH_NOT_ATTACKED" }));
                }
                castle["conditions"] = json!(conditions);
                castle["side_effects"] =
                    json!([{ "action": "MOVE", "piece": "ROOK", "from": [rook, 0], "to": [side, 0] }]);
                moves.push(castle);
            }
        }
        json!({ "code": "KING", "moves": moves })
    }

    fn pawn(&mut self, options: &[&str]) -> Value {
        let promotes = self.chance(85);
        let modifier =
            json!([{ "action": "TRANSFORM", "conditions": [{ "condition": "LAST" }], "options": options }]);
        let mut moves = vec![Self::step(0, [0, 1], &BOTH[..1])];
        for (index, side) in [-1, 1].into_iter().enumerate() {
            let mut capture = Self::step(1 + index, [side, 1], &BOTH[1..]);
            if self.chance(60) {
                let passing = json!({
                    "state": "EMPTY",
                    "action": "MOVE",
                    "conditions": [{ "condition": "CHECK_STATE", "state": if self.chance(80) { "LEAPT" } else { "OTHER" }, "position": [side, 0] }],
                    "side_effects": [{ "action": "CAPTURE", "target": [side, 0] }],
                });
                capture["actions"].as_array_mut().expect("made above").push(passing);
            }
            moves.push(capture);
        }
        if promotes {
            for plan in &mut moves {
                plan["modifiers"] = modifier.clone();
            }
        }
        if self.chance(70) {
            let mut double = Self::step(3, [0, 2], &BOTH[..1]);
            double["conditions"] = json!([{ "condition": "FIRST_MOVE" }, { "condition": "PATH_EMPTY" }]);
            double["side_effects"] = json!([{ "action": "SET_STATE", "state": "LEAPT", "duration": 1 }]);
            moves.push(double);
        }
        if self.chance(20) {
            let mut side_step = Self::step(4, [1, 0], &BOTH[..1]);
            side_step["side_effects"] = json!([{ "action": "SET_STATE", "state": "OTHER", "duration": 1 }]);
            moves.push(side_step);
        }
        json!({ "code": "PAWN", "moves": moves })
    }
}
