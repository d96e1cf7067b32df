//! Random games with composite moves (legs, shots, captures on the way, moves to any square) and with turns of several parts.
//!
//! These words are drawn last, so that the rest of a game does not depend on them.

use serde_json::{Value, json};

use super::RandomSpec;

/// Keys of mechanics that turns of several parts do not go together with.
const LONE: [&str; 7] = ["chance", "sharing", "exchange", "withdrawal", "control", "figures", "reactions"];

impl RandomSpec {
    /// Adds some of these words to a game.
    pub(super) fn add_paths(&mut self, game: &mut Value) {
        if self.chance(30) {
            self.add_composites(game);
        }
        if self.chance(25) && LONE.iter().all(|key| game.get(*key).is_none()) {
            self.add_parts(game);
        }
    }

    fn add_composites(&mut self, game: &mut Value) {
        for piece in game["pieces"].as_array_mut().expect("a list") {
            for each in piece["moves"].as_array_mut().expect("a list") {
                let stays = each["step"] == json!([0, 0]);
                if each["repeat"].get("hurdles").is_some() {
                    self.maybe(40, &mut each["repeat"], "captures", |it| it.chance(80));
                } else if self.chance(25) && !stays {
                    each["legs"] = self.legs();
                    drop_paths(each);
                } else if self.chance(15) && !stays {
                    for action in each["actions"].as_array_mut().expect("a list") {
                        if self.chance(60) {
                            action["action"] = json!("SHOOT");
                        }
                    }
                }
            }
            if self.chance(8) {
                let moves = piece["moves"].as_array_mut().expect("a list");
                let actions = [
                    json!([{ "state": "EMPTY", "action": "MOVE" }]),
                    json!([{ "state": "ENEMY", "action": "CAPTURE" }]),
                    json!([{ "state": "ENEMY", "action": "SHOOT" }]),
                ];
                let actions = self.one_of(&actions);
                let id = moves.len();
                let zone = json!([{ "condition": "ZONE" }]);
                let anywhere = json!({ "id": id, "anywhere": true, "actions": actions, "conditions": zone });
                moves.push(anywhere);
            }
        }
    }

    fn legs(&mut self) -> Value {
        let leg = |it: &mut Self| {
            let step = loop {
                let step = it.offset(1);
                if step != [0, 0] {
                    break step;
                }
            };
            let states = ["EMPTY", "ENEMY", "NOT_EMPTY", "ALLY", "TEAM"];
            let state = it.one_of(&states[..if it.has.teams { 5 } else { 4 }]);
            let mut leg = json!({ "step": step, "state": state });
            if state != "EMPTY" {
                it.maybe(60, &mut leg, "captures", |it| it.chance(80));
            }
            leg
        };
        (0..self.one_of(&[1, 1, 2])).map(|_| leg(self)).collect()
    }

    fn add_parts(&mut self, game: &mut Value) {
        if let Some(leader) = game.get_mut("leader").and_then(Value::as_object_mut) {
            leader.remove("attacked");
            leader.remove("stalemate");
            if leader.get("exposure").is_some_and(|it| it == "ALLOWED_IN_CHECK") {
                leader.remove("exposure");
            }
        }
        drop_stuck(game);
        let captured = || json!([{ "condition": "EVENT", "event": "CAPTURED" }]);
        let count = self.one_of(&[1, 1, 2]);
        let mut then = Vec::new();
        for index in 0..count {
            let mut part = json!({ "code": format!("PART{index}") });
            self.maybe(40, &mut part, "after", |_| captured());
            let repeats = self.chance(35);
            if repeats {
                part["only"] = captured();
                part["repeats"] = json!(true);
            } else {
                self.maybe(20, &mut part, "only", |it| {
                    json!([it.one_of(&[
                        json!({ "condition": "EVENT", "event": "CAPTURED" }),
                        json!({ "condition": "EVENT", "event": "MOVED" }),
                        json!({ "condition": "ZONE" }),
                    ])])
                });
            }
            match self.dice.below(3) {
                0 => part["same_piece"] = json!(true),
                1 => {
                    let step = self.offset(1);
                    let step = if step == [0, 0] { [1, 0] } else { step };
                    let action = self.one_of(&["MOVE", "SHOOT"]);
                    let actions = json!([
                        { "state": "EMPTY", "action": action },
                        { "state": "ENEMY", "action": if action == "MOVE" { "CAPTURE" } else { "SHOOT" } },
                    ]);
                    part["moves"] =
                        json!([{ "id": 0, "step": step, "actions": actions, "repeat": { "times": 2 } }]);
                }
                // All pieces again: only where few moves meet the conditions.
                _ => part["only"] = captured(),
            }
            part["skip"] = json!(self.one_of(&["IF_STUCK", "IF_STUCK", "FREELY", "NEVER"]));
            then.push(part);
        }
        game["turns"]["then"] = json!(then);
        self.maybe(25, &mut game["turns"], "most", |_| "CAPTURES");
    }
}

/// Replaces `STUCK` in moves and restrictions, which turns of several parts cannot have.
fn drop_stuck(value: &mut Value) {
    match value {
        Value::Object(object) if object.get("condition").is_some_and(|it| it == "STUCK") => {
            *value = json!({ "condition": "COUNT", "owner": "ANY", "min": 3 });
        }
        Value::Object(object) => {
            object.iter_mut().filter(|(key, _)| *key != "endings").for_each(|(_, inner)| drop_stuck(inner));
        }
        Value::Array(list) => list.iter_mut().for_each(drop_stuck),
        _ => {}
    }
}

/// Removes conditions about a straight path, which a move with legs cannot have.
fn drop_paths(each: &mut Value) {
    let clean = |owner: &mut Value| {
        if let Some(owner) = owner.as_object_mut()
            && owner.get("conditions").is_some_and(|it| it.to_string().contains("PATH_"))
        {
            owner.remove("conditions");
        }
    };
    clean(each);
    for list in ["actions", "modifiers"] {
        each.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten().for_each(clean);
    }
}
