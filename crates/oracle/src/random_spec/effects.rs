//! Random effects of triggers on the board, and neutral players.

use serde_json::{Value, json};

use super::RandomSpec;

const REGIONS: [&str; 2] = ["ZONE", "GOAL"];

impl RandomSpec {
    /// Adds a player without turns, with a few pieces.
    pub(super) fn add_neutral_player(&mut self, game: &mut Value) {
        let kind = self.follower();
        let taken = game["players"].to_string();
        let size = (game["board"]["dimensions"][0].as_i64(), game["board"]["dimensions"][1].as_i64());
        let (Some(files), Some(ranks)) = size else { return };
        let holes = game["board"]["disabled_positions"].to_string();
        let free: Vec<Value> = (0..3)
            .map(|_| json!([self.between(0, files as i32 - 1), self.between(0, ranks as i32 - 1)]))
            .filter(|square| !taken.contains(&square.to_string()) && !holes.contains(&square.to_string()))
            .collect();
        let mut distinct: Vec<Value> = Vec::new();
        for square in free {
            if !distinct.contains(&square) {
                distinct.push(square);
            }
        }
        let start = json!([{ "piece": kind, "positions": distinct }]);
        let start = if distinct.is_empty() { json!([]) } else { start };
        let player =
            json!({ "name": "WALLS", "direction": "UP", "neutral": true, "starting_positions": start });
        game["players"].as_array_mut().expect("a list").push(player);
        self.has.neutral = true;
    }

    /// Adds triggers that change the board, hands or the turn.
    pub(super) fn add_effects(&mut self, game: &mut Value) {
        let has_hands = game.get("hands").is_some();
        let triggers: Vec<Value> = (0..self.between(1, 2))
            .map(|_| {
                let event = match self
                    .one_of(&["MOVED", "CAPTURED", "CAPTURED", "CAPTURED", "PROMOTED", "CHECK", "DROPPED"])
                {
                    "CHECK" if !self.has.leader => "MOVED",
                    "DROPPED" if !has_hands => "CAPTURED",
                    event => event,
                };
                let effects: Vec<Value> =
                    (0..self.between(1, 2)).map(|_| self.board_effect(has_hands)).collect();
                let mut trigger = json!({ "on": event, "effects": effects });
                self.maybe(30, &mut trigger, "piece", Self::some_kinds);
                self.maybe(25, &mut trigger, "when", |it| json!([it.region_or_event()]));
                trigger
            })
            .collect();
        match game.get_mut("triggers").and_then(Value::as_array_mut) {
            Some(list) => list.extend(triggers),
            None => game["triggers"] = json!(triggers),
        }
    }

    fn board_effect(&mut self, has_hands: bool) -> Value {
        let word = self.one_of(&[
            "REMOVE",
            "REMOVE",
            "CAPTURE",
            "TRANSFORM",
            "SET_OWNER",
            "SET_OWNER",
            "MOVE",
            "PLACE",
            "GIVE",
            "EXTRA_TURN",
            "END_TURN",
        ]);
        match word {
            "GIVE" if has_hands => {
                json!({ "action": "GIVE", "piece": self.follower(), "owner": self.one_of(&["OWN", "ENEMY"]) })
            }
            "PLACE" => {
                let mut effect =
                    json!({ "action": "PLACE", "piece": self.follower(), "owner": self.receiver() });
                let area = self.one_of(&["SQUARE", "SQUARE", "ADJACENT", "BEHIND", "AHEAD"]);
                effect["area"] = json!(area);
                if area == "SQUARE" || area == "ADJACENT" {
                    effect["anchor"] = json!(self.one_of(&["SOURCE", "SOURCE", "TARGET"]));
                }
                self.maybe(30, &mut effect, "in", |it| json!(it.one_of(&REGIONS)));
                effect
            }
            "EXTRA_TURN" | "END_TURN" => json!({ "action": word }),
            "GIVE" => json!({ "action": "END_TURN" }),
            _ => self.piece_effect(word),
        }
    }

    fn piece_effect(&mut self, word: &str) -> Value {
        let mut effect = json!({ "action": word });
        match word {
            "TRANSFORM" => effect["to"] = json!(self.follower()),
            "SET_OWNER" => effect["to"] = json!(self.receiver()),
            "MOVE" => effect["to"] = json!(self.one_of(&["SOURCE", "SOURCE", "TARGET"])),
            _ => {}
        }
        let keeps_leaders = word == "TRANSFORM" || word == "SET_OWNER";
        self.maybe(60, &mut effect, "piece", |it| {
            let kinds: Vec<String> = it.kinds.clone();
            let fits = |kind: &&String| !keeps_leaders || !it.is_leader_kind(kind);
            let fitting: Vec<String> = kinds.iter().filter(fits).cloned().collect();
            if fitting.is_empty() { json!([it.follower()]) } else { json!(fitting) }
        });
        self.maybe(50, &mut effect, "owner", |it| json!(it.selected_owner()));
        self.maybe(20, &mut effect, "in", |it| json!(it.one_of(&REGIONS)));
        if self.chance(85) {
            let area = self.one_of(&[
                "SQUARE", "SQUARE", "ADJACENT", "ADJACENT", "FLANKED", "FLANKED", "ATTACKED", "FILE", "RANK",
                "BEHIND", "AHEAD", "BETWEEN",
            ]);
            effect["area"] = json!(area);
            if !["BEHIND", "AHEAD", "BETWEEN"].contains(&area) {
                self.maybe(40, &mut effect, "anchor", |it| json!(it.one_of(&["SOURCE", "TARGET"])));
            }
            if area == "FLANKED" {
                self.maybe(50, &mut effect, "along", |it| {
                    json!(it.one_of(&["ANY", "STRAIGHT", "DIAGONAL", "FILE", "RANK"]))
                });
                self.maybe(40, &mut effect, "run", |it| json!(it.between(1, 2)));
            }
        }
        effect
    }

    fn selected_owner(&mut self) -> &'static str {
        if self.has.neutral && self.chance(20) {
            return "NEUTRAL";
        }
        self.one_of(&["OWN", "ENEMY", "ENEMY", "ANY", "TEAM"])
    }

    fn receiver(&mut self) -> &'static str {
        if self.has.neutral && self.chance(40) {
            return "NEUTRAL";
        }
        self.one_of(&["OWN", "ENEMY"])
    }

    /// Returns a kind that is not a leader.
    fn follower(&mut self) -> String {
        let kinds: Vec<String> =
            self.kinds.iter().filter(|kind| !self.is_leader_kind(kind)).cloned().collect();
        if kinds.is_empty() { self.kinds[0].clone() } else { self.one_of(&kinds) }
    }

    /// Returns whether a kind may be a leader.
    fn is_leader_kind(&self, kind: &str) -> bool {
        kind == "KING" || self.has.many_leaders && self.kinds.get(1).is_some_and(|second| second == kind)
    }
}
