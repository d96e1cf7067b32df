//! Random games in which moves drop pieces from the hand, pieces stay on their squares, and pieces face each other.
//!
//! These words are drawn last, so that the rest of a game does not depend on them.

use serde_json::{Value, json};

use super::RandomSpec;

impl RandomSpec {
    /// Adds some of these words to a game.
    pub(super) fn add_entering(&mut self, game: &mut Value) {
        if game.get("hands").is_some() && self.chance(60) {
            self.add_drops(game);
        }
        if self.chance(25) {
            self.add_stay(game);
        }
        if self.chance(20) {
            self.add_facing(game);
        }
        if game.get("counters").is_some() {
            self.add_counts(game);
        }
    }

    /// Lets moves drop pieces, and drops leave pieces unmoved.
    fn add_drops(&mut self, game: &mut Value) {
        let kinds = self.open_kinds();
        for piece in game["pieces"].as_array_mut().expect("a list") {
            for each in piece["moves"].as_array_mut().expect("a list") {
                if self.chance(20) {
                    let mut effect = json!({ "action": "DROP", "piece": self.one_of(&kinds) });
                    self.maybe(40, &mut effect, "target", |it| it.offset(2));
                    match each.get_mut("side_effects").and_then(Value::as_array_mut) {
                        Some(effects) => effects.push(effect),
                        None => each["side_effects"] = json!([effect]),
                    }
                }
            }
        }
        if let Some(drops) = game["hands"].get_mut("drops").and_then(Value::as_array_mut) {
            for drop in drops {
                self.maybe(30, drop, "unmoved", |it| it.chance(70));
            }
        }
    }

    /// Adds a move that stays.
    fn add_stay(&mut self, game: &mut Value) {
        let pieces = game["pieces"].as_array_mut().expect("a list");
        let index = self.dice.below(pieces.len());
        let moves = pieces[index]["moves"].as_array_mut().expect("a list");
        let id = moves.len();
        let action = json!({ "state": "EMPTY", "action": "MOVE" });
        let mut stay = json!({ "id": id, "step": [0, 0], "actions": [action] });
        self.maybe(50, &mut stay, "conditions", |it| it.conditions(id));
        self.maybe(30, &mut stay, "side_effects", Self::effects);
        self.maybe(50, &mut stay, "modifiers", |it| it.modifiers(id));
        moves.push(stay);
    }

    /// Restricts moves, or adds an ending, by pieces that face each other.
    fn add_facing(&mut self, game: &mut Value) {
        let mut facing = json!({ "condition": "FACING", "piece": self.some_kinds() });
        self.maybe(50, &mut facing, "owner", Self::owner);
        self.maybe(60, &mut facing, "other", Self::some_kinds);
        self.maybe(60, &mut facing, "other_owner", Self::owner);
        let along = ["FILE", "RANK", "STRAIGHT", "DIAGONAL", "ANY"];
        self.maybe(70, &mut facing, "along", |it| it.one_of(&along));
        self.maybe(30, &mut facing, "max", |it| it.between(0, 2));
        if game.get("restrictions").is_none() && self.chance(50) {
            let never = json!({ "condition": "NOT", "of": [{ "condition": "AFTER", "of": [facing] }] });
            game["restrictions"] = json!([never]);
            return;
        }
        let ending = json!({ "code": "FACED", "stops": true, "when": [facing] });
        match game.get_mut("endings").and_then(Value::as_array_mut) {
            Some(endings) => endings.push(ending),
            None => game["endings"] = json!([ending]),
        }
    }

    /// Adds triggers that count pieces and stays.
    fn add_counts(&mut self, game: &mut Value) {
        let names: Vec<String> = game["counters"].as_object().expect("an object").keys().cloned().collect();
        let mut effect = json!({ "action": "COUNT", "counter": self.one_of(&names) });
        self.maybe(50, &mut effect, "piece", Self::some_kinds);
        self.maybe(50, &mut effect, "of", Self::owner);
        self.maybe(30, &mut effect, "owner", Self::owner);
        let on = self.one_of(&["STAYED", "MOVED", "CAPTURED"]);
        if self.chance(40)
            && let Some(triggers) = game["triggers"].as_array_mut()
        {
            triggers.push(json!({ "on": on, "effects": [effect] }));
        }
        let by = self.between(-1, 2);
        let than = |it: &mut Value| it["by"] = json!(by);
        if self.chance(60) {
            each_comparison(game, &than);
        }
    }
}

/// Calls a function with every comparison that has `than`.
fn each_comparison(json: &mut Value, change: &impl Fn(&mut Value)) {
    match json {
        Value::Array(list) => list.iter_mut().for_each(|it| each_comparison(it, change)),
        Value::Object(object) => {
            object.values_mut().for_each(|it| each_comparison(it, change));
            if object.get("condition").is_some_and(|it| it == "COMPARE") && object.contains_key("than") {
                change(json);
            }
        }
        _ => {}
    }
}
