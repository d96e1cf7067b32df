//! Random endings.

use serde_json::{Value, json};

use super::RandomSpec;

/// The maximum nesting of `ANY` and `NOT`.
const NESTING: usize = 2;

impl RandomSpec {
    /// Adds endings to some games.
    pub(super) fn add_endings(&mut self, game: &mut Value) {
        if self.chance(60) {
            return;
        }
        let count = self.between(1, 4);
        game["endings"] = (0..count).map(|_| self.ending()).collect();
        if self.chance(60) {
            let words: Vec<String> = std::iter::once("CAPTURE".into()).chain(self.kinds.clone()).collect();
            let words: Vec<String> = words.into_iter().filter(|_| self.chance(50)).collect();
            game["quiet"] = json!({ "reset_by": words });
        }
        self.maybe(30, game, "draw_offers", |it| it.chance(50));
    }

    fn ending(&mut self) -> Value {
        if self.has.any && self.chance(35) {
            return self.stopping_ending();
        }
        let mut ending = json!({ "code": self.one_of(&["BARE", "STILL", "AGAIN"]), "when": self.clauses(0) });
        self.maybe(60, &mut ending, "by", |it| it.one_of(&["RULE", "CLAIM", "FLAG"]));
        if self.chance(40) {
            // Endings with a winner prevent proofs about winning, so they are rare.
            ending["result"] = json!(self.one_of(&["DRAW", "DRAW", "DRAW", "WIN", "LOSS"]));
        }
        if self.has.any && self.chance(30) {
            ending["who"] = json!(self.one_of(&["MOVER", "ANYONE"]));
        }
        ending
    }

    /// Draws an ending that stops the game; it depends on the board alone.
    fn stopping_ending(&mut self) -> Value {
        let mut when: Vec<Value> = (0..self.one_of(&[1, 1, 2])).map(|_| self.board_clause()).collect();
        let mut ending = json!({ "code": self.one_of(&["STOP", "BARE"]), "stops": true });
        if self.has.passes && self.chance(50) {
            when.truncate(self.dice.below(2));
            let mut stuck = json!({ "condition": "STUCK" });
            if self.has.leader && self.chance(60) {
                stuck["attacked"] = json!(self.chance(50));
            }
            when.push(stuck);
        } else if self.chance(50) {
            ending["who"] = json!(self.one_of(&["MOVER", "ANYONE"]));
        }
        ending["when"] = json!(when);
        self.maybe(70, &mut ending, "result", |it| it.one_of(&["DRAW", "WIN", "LOSS"]));
        ending
    }

    fn board_clause(&mut self) -> Value {
        match self.dice.below(6) {
            0 if self.has.freezes => json!({ "condition": "CAPTIVE", "owner": self.owner() }),
            1 if self.has.freezes => json!({ "condition": "CAPTIVE" }),
            2 if self.has.control => json!({ "condition": "CONTROLLED", "owner": self.owner() }),
            3 => json!({ "condition": "NOT", "of": [self.count()] }),
            _ => self.count(),
        }
    }

    fn clauses(&mut self, depth: usize) -> Value {
        let count = self.one_of(&[1, 1, 1, 2, 3]);
        (0..count).map(|_| self.clause(depth)).collect()
    }

    fn clause(&mut self, depth: usize) -> Value {
        let words = ["COUNT", "COUNT", "COUNT", "REPETITION", "QUIET", "CANNOT_WIN", "ANY", "NOT"];
        let plain = words.len() - if depth < NESTING { 0 } else { 2 };
        match self.one_of(&words[..plain]) {
            "REPETITION" if self.has.leader && self.chance(40) => {
                json!({ "condition": "REPETITION", "times": self.between(2, 5), "checks": self.owner() })
            }
            "REPETITION" => json!({ "condition": "REPETITION", "times": self.between(1, 5) }),
            "QUIET" => json!({ "condition": "QUIET", "turns": self.between(1, 60) }),
            "CANNOT_WIN" => {
                json!({ "condition": "CANNOT_WIN", "owner": self.owner() })
            }
            "ANY" => {
                let lists: Vec<Value> = (0..self.between(1, 3)).map(|_| self.clauses(depth + 1)).collect();
                json!({ "condition": "ANY", "of": lists })
            }
            "NOT" => json!({ "condition": "NOT", "of": self.clauses(depth + 1) }),
            _ if self.has.any => self.board_clause(),
            _ => self.count(),
        }
    }

    pub(super) fn count(&mut self) -> Value {
        let mut count = json!({ "condition": "COUNT" });
        self.maybe(60, &mut count, "piece", Self::some_kinds);
        self.maybe(70, &mut count, "owner", Self::owner);
        self.maybe(35, &mut count, "in", |it| it.one_of(&["ZONE", "GOAL"]));
        let (min, more) = (self.between(0, 3), self.between(0, 3));
        let bounds = self.between(1, 3);
        if bounds & 1 == 1 {
            count["min"] = json!(min);
        }
        if bounds & 2 == 2 {
            count["max"] = json!(min + more);
        }
        count
    }
}
