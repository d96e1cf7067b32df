//! Random relatives of chess beyond chess-like games: hands and drops, counted checks, endings decided by the board,
//! compulsory captures, pieces over hurdles, leaps with squares that must be empty, slides that only move or only
//! capture, regions, promotion of any piece, facing leaders, games without leaders.
//!
//! The scalar path of the engine accepts most of them. They are made from [`crate::chesslike_spec`].

use serde_json::{Value, json};
use tabiya_players::SplitMix;

use crate::chesslike_spec;

/// Returns the spec for a seed as JSON. A few specs have errors; callers skip them.
pub fn spec(seed: u64) -> String {
    let mut game: Value = serde_json::from_str(&chesslike_spec::spec(seed)).expect("a spec is JSON");
    let side = |index: usize| game["board"]["dimensions"][index].as_i64().unwrap_or(4) as i32;
    let (files, ranks) = (side(0), side(1));
    VariantSpec { dice: SplitMix::new(seed ^ 0x7661_7269), files, ranks }.change(&mut game);
    game.to_string()
}

struct VariantSpec {
    dice: SplitMix,
    files: i32,
    ranks: i32,
}

impl VariantSpec {
    fn chance(&mut self, percent: usize) -> bool {
        self.dice.below(100) < percent
    }

    fn one_of<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.dice.below(choices.len())].clone()
    }

    fn change(&mut self, game: &mut Value) {
        game["name"] = json!("VARIANT");
        self.add_regions(game);
        let kinds = kinds_of(game);
        let officers = &kinds[2..];
        for piece in game["pieces"].as_array_mut().into_iter().flatten().skip(2) {
            if self.chance(60) {
                *piece = self.officer(&piece["code"].clone(), officers);
            }
        }
        self.change_leader(game);
        if self.chance(40) {
            game["hands"] = self.hands(officers);
            if self.chance(40) {
                game["pieces"][2]["reverts_to"] = json!("PAWN");
            }
        }
        if self.chance(20) {
            game["priority"] = json!([[{ "condition": "EVENT", "event": "CAPTURED" }]]);
        }
        let mut endings = Vec::new();
        if game.get("leader").is_some_and(|leader| !leader.is_null()) && self.chance(25) {
            game["counters"] = json!({ "CHECKS": { "max": 3 } });
            game["triggers"] =
                json!([{ "on": "CHECK", "effects": [{ "action": "ADD", "counter": "CHECKS" }] }]);
            let times = 1 + self.dice.below(3);
            endings.push(self.ending(&json!({ "condition": "COMPARE", "counter": "CHECKS", "min": times })));
        }
        if self.chance(40) {
            let clause = self.clause(&kinds);
            endings.push(self.ending(&clause));
        }
        if !endings.is_empty() {
            game["endings"] = json!(endings);
        }
    }

    fn add_regions(&mut self, game: &mut Value) {
        let near: Vec<[i32; 2]> = self.squares(|_, y, ranks| 2 * y < ranks);
        let far: Vec<[i32; 2]> = self.squares(|_, y, ranks| 2 * y >= ranks);
        let files = self.files;
        let middle: Vec<[i32; 2]> = self.squares(|x, _, _| x > 0 && x + 1 < files);
        if let Some(conditions) = game["conditions"].as_array_mut() {
            conditions.push(
                json!({ "code": "HOME", "type": "POSITION", "check": { "WHITE": near, "BLACK": far } }),
            );
            conditions
                .push(json!({ "code": "MIDDLE", "type": "POSITION", "check": { "WHITE": middle, "BLACK": middle } }));
        }
    }

    fn squares(&self, is_in: impl Fn(i32, i32, i32) -> bool) -> Vec<[i32; 2]> {
        let all = (0..self.files).flat_map(|x| (0..self.ranks).map(move |y| [x, y]));
        all.filter(|[x, y]| is_in(*x, *y, self.ranks)).collect()
    }

    /// Draws a piece whose moves are not plain.
    fn officer(&mut self, code: &Value, options: &[String]) -> Value {
        let lines = [[1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [-1, -1], [1, -1], [-1, 1]];
        let lines = if self.chance(50) { &lines[..4] } else { &lines[4..] };
        let mut moves: Vec<Value> = Vec::new();
        match self.dice.below(6) {
            0 => {
                for step in lines {
                    moves.push(slide(*step, &json!({ "loop": true }), &["MOVE"]));
                    moves.push(slide(*step, &json!({ "loop": true, "hurdles": 1 }), &["CAPTURE"]));
                }
            }
            1 => {
                for step in lines {
                    moves.push(slide(
                        *step,
                        &json!({ "loop": true, "hurdles": 1, "beyond": 1 }),
                        &["MOVE", "CAPTURE"],
                    ));
                }
            }
            2 => moves = self.lame_leaps(),
            3 => {
                let actions = self.one_of(&[&["MOVE"][..], &["CAPTURE"], &["MOVE", "CAPTURE"]]);
                for step in lines.iter().take(3) {
                    moves.push(slide(*step, &json!({ "loop": true }), actions));
                }
                moves.push(leap([2, 1], &["MOVE", "CAPTURE"]));
            }
            4 => {
                for [x, y] in lines {
                    moves.push(leap([2 * x, 2 * y], &["MOVE", "CAPTURE"]));
                    if self.chance(30) {
                        moves.push(leap([*x, *y], &["MOVE"]));
                    }
                }
            }
            _ => {
                for step in lines {
                    let mut one = leap(*step, &["MOVE", "CAPTURE"]);
                    one["conditions"] = json!([self.region_test()]);
                    moves.push(one);
                }
            }
        }
        if self.chance(35) {
            let zone = json!([[{ "condition": "LAST" }], [{ "condition": "IN_REGION", "region": "LAST", "at": "SOURCE" }]]);
            let mut kinds = vec![self.one_of(options)];
            kinds.extend(options.iter().find(|it| !kinds.contains(it)).cloned());
            let modifier = json!([{ "action": "TRANSFORM", "conditions": [{ "condition": "ANY", "of": zone }], "options": kinds }]);
            for plan in &mut moves {
                plan["modifiers"] = modifier.clone();
            }
        }
        for (id, plan) in moves.iter_mut().enumerate() {
            plan["id"] = json!(id);
        }
        json!({ "code": code, "moves": moves })
    }

    fn lame_leaps(&mut self) -> Vec<Value> {
        let is_straight = self.chance(40);
        let signs = [[1, 1], [1, -1], [-1, 1], [-1, -1]];
        let leaps = signs.into_iter().flat_map(|[x, y]| {
            if is_straight {
                let mut plan = leap([2 * x, 2 * y], &["MOVE", "CAPTURE"]);
                plan["conditions"] = json!([{ "condition": "PATH_EMPTY" }]);
                vec![plan]
            } else {
                let blocked = |step: [i32; 2], way: [i32; 2]| {
                    let mut plan = leap(step, &["MOVE", "CAPTURE"]);
                    plan["conditions"] =
                        json!([{ "condition": "SQUARE", "position": way, "state": "EMPTY" }]);
                    plan
                };
                vec![blocked([x, 2 * y], [0, y]), blocked([2 * x, y], [x, 0])]
            }
        });
        leaps.collect()
    }

    fn region_test(&mut self) -> Value {
        let region = self.one_of(&["HOME", "MIDDLE"]);
        match self.dice.below(3) {
            0 => json!({ "condition": region }),
            1 => json!({ "condition": "IN_REGION", "region": region, "at": "SOURCE" }),
            _ => json!({ "condition": "NOT", "of": [{ "condition": "LAST" }] }),
        }
    }

    fn change_leader(&mut self, game: &mut Value) {
        match self.dice.below(6) {
            0 => {
                game["leader"] = Value::Null;
                // Without a leader no move can depend on attacks.
                if let Some(moves) = game["pieces"][1]["moves"].as_array_mut() {
                    moves.retain(|plan| plan.get("conditions").is_none());
                }
            }
            1 => {
                game["leader"] = json!({ "piece": "KING", "players": ["BLACK"] });
                if let Some(groups) = game["players"][0]["starting_positions"].as_array_mut() {
                    groups.retain(|group| group["piece"] != "KING");
                }
            }
            2 => {
                if let Some(moves) = game["pieces"][1]["moves"].as_array_mut() {
                    moves.retain(|plan| plan.get("conditions").is_none());
                    let mut facing = slide([0, 1], &json!({ "loop": true }), &["CAPTURE"]);
                    facing["actions"][0]["piece"] = json!(["KING"]);
                    facing["id"] = json!(99);
                    moves.push(facing);
                }
            }
            3 => {
                if let Some(moves) = game["pieces"][1]["moves"].as_array_mut() {
                    moves.retain(|plan| plan.get("conditions").is_none());
                    for plan in moves {
                        plan["conditions"] = json!([{ "condition": "HOME" }]);
                    }
                }
            }
            _ => {}
        }
    }

    fn hands(&mut self, officers: &[String]) -> Value {
        let mut hands = json!({ "captured_to": self.one_of(&["CAPTOR", "CAPTOR", "OWNER"]) });
        let mut pawns = vec![json!({ "condition": "NOT", "of": [{ "condition": "LAST" }] })];
        if self.chance(60) {
            pawns.push(json!({ "condition": "COUNT", "piece": ["PAWN"], "area": "FILE", "max": 0 }));
        }
        if self.chance(40) {
            let mate = json!({ "condition": "STUCK", "owner": "ENEMY", "attacked": true });
            pawns.push(json!({ "condition": "NOT", "of": [{ "condition": "AFTER", "of": [mate] }] }));
        }
        let mut drop = json!({ "piece": officers });
        if self.chance(30) {
            drop["conditions"] = json!([{ "condition": "HOME" }]);
        }
        hands["drops"] = json!([drop, { "piece": ["PAWN"], "conditions": pawns }]);
        if self.chance(60) {
            let mut held = json!({ "PAWN": 1 + self.dice.below(2) });
            held[officers[0].as_str()] = json!(1);
            hands["start"] = json!({ "WHITE": held });
        }
        hands
    }

    fn ending(&mut self, clause: &Value) -> Value {
        let mut ending = json!({ "code": "BY_BOARD", "stops": true, "when": [clause] });
        ending["result"] = json!(self.one_of(&["WIN", "LOSS", "DRAW"]));
        if self.chance(50) {
            ending["who"] = json!("ANYONE");
        }
        ending
    }

    /// Draws a clause about the pieces on the board.
    fn clause(&mut self, kinds: &[String]) -> Value {
        let mut count = json!({ "condition": "COUNT", "owner": self.one_of(&["OWN", "ENEMY", "ANY"]) });
        if self.chance(70) {
            count["piece"] = json!([self.one_of(kinds)]);
        }
        match self.dice.below(3) {
            0 => count["max"] = json!(self.dice.below(2)),
            1 => {
                count["in"] = json!("LAST");
                count["min"] = json!(1 + self.dice.below(2));
            }
            _ => {
                let other = json!({ "condition": "COUNT", "piece": ["PAWN"], "owner": "OWN", "max": 0 });
                count["max"] = json!(1);
                return match self.dice.below(2) {
                    0 => json!({ "condition": "ANY", "of": [[count], [other]] }),
                    _ => {
                        json!({ "condition": "NOT", "of": [{ "condition": "COUNT", "owner": "ENEMY", "min": 3 }] })
                    }
                };
            }
        }
        count
    }
}

fn kinds_of(game: &Value) -> Vec<String> {
    let pieces = game["pieces"].as_array().into_iter().flatten();
    pieces.filter_map(|piece| piece["code"].as_str().map(str::to_owned)).collect()
}

fn leap(step: [i32; 2], actions: &[&str]) -> Value {
    let actions = actions.iter().map(|action| {
        let state = if *action == "MOVE" { "EMPTY" } else { "ENEMY" };
        json!({ "state": state, "action": action })
    });
    json!({ "step": step, "actions": actions.collect::<Vec<_>>() })
}

fn slide(step: [i32; 2], repeat: &Value, actions: &[&str]) -> Value {
    let mut plan = leap(step, actions);
    plan["repeat"] = repeat.clone();
    plan
}
