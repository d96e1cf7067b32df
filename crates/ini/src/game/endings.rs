//! How a variant ends.

use serde_json::{Map, Value as Json, json};

use super::{Writer, result};
use crate::variant::{Region, Square, Value};

impl Writer<'_> {
    /// Returns the endings, and adds the keys `stuck` and `quiet`.
    pub(super) fn endings(&mut self, file: &mut Map<String, Json>) -> Vec<Json> {
        let mut endings = self.mates(file);
        endings.extend(self.flags());
        endings.extend(self.extinction());
        let variant = self.variant;
        if variant.fold_rule > 1 {
            let mut ending = json!({ "code": "REPETITION", "by": "CLAIM",
                "when": [{ "condition": "REPETITION", "times": variant.fold_rule }] });
            if variant.fold_value != Value::Draw {
                ending["by"] = json!("RULE");
                ending["result"] = json!(result(variant.fold_value));
            }
            endings.push(ending);
        }
        if variant.move_rule > 0 {
            let turns = 2 * variant.move_rule;
            endings.push(json!({ "code": "MOVE_RULE", "by": "CLAIM",
                "when": [{ "condition": "QUIET", "turns": turns }] }));
            let types = variant.move_rule_types.iter().flatten().filter(|key| variant.piece(key).is_some());
            let mut reset: Vec<String> = types.map(|key| variant.code(key)).collect();
            reset.sort();
            reset.dedup();
            reset.insert(0, "CAPTURE".into());
            file.insert("quiet".into(), json!({ "reset_by": reset }));
        }
        endings
    }

    /// Checkmate and stalemate with another result than in chess.
    fn mates(&self, file: &mut Map<String, Json>) -> Vec<Json> {
        let variant = self.variant;
        if variant.checkmate == Value::Loss {
            let word = match variant.stalemate {
                Value::Draw => return Vec::new(),
                Value::Loss => "LOSES",
                Value::Win => "WINS",
            };
            file.insert("stuck".into(), json!(word));
            return Vec::new();
        }
        file.insert("stuck".into(), json!("PASSES"));
        let ending = |code: &str, value: Value, attacked: bool| {
            json!({ "code": code, "result": result(value), "stops": true,
                "when": [{ "condition": "STUCK", "attacked": attacked }] })
        };
        vec![ending("MATED", variant.checkmate, true), ending("NO_MOVE", variant.stalemate, false)]
    }

    /// Wins by bringing a piece to a region.
    fn flags(&mut self) -> Vec<Json> {
        let variant = self.variant;
        if variant.flag_region.iter().all(|region| *region == Region::default()) {
            return Vec::new();
        }
        let squares = [0, 1].map(|player| self.squares(&variant.flag_region[player]));
        let is_same = variant.flag_piece[0] == variant.flag_piece[1];
        let groups: Vec<[Vec<Square>; 2]> = if is_same {
            vec![squares]
        } else {
            let [white, black] = squares;
            vec![[white, Vec::new()], [Vec::new(), black]]
        };
        let mut endings = Vec::new();
        for (index, squares) in groups.into_iter().enumerate() {
            if squares.iter().all(Vec::is_empty) {
                continue;
            }
            let region = self.condition("GOAL", squares);
            let key = &variant.flag_piece[index];
            let kinds: Vec<String> = match key {
                Some(key) => vec![variant.code(key)],
                None => variant.pieces().iter().map(|piece| variant.code(&piece.key)).collect(),
            };
            endings.push(json!({ "code": "GOAL_REACHED", "result": "WIN", "stops": true, "when": [
                { "condition": "COUNT", "piece": kinds, "owner": "OWN", "in": region, "min": variant.flag_count }] }));
        }
        endings
    }

    /// Results when pieces of a kind are gone.
    fn extinction(&self) -> Vec<Json> {
        let variant = self.variant;
        let Some(value) = variant.extinction else { return Vec::new() };
        let all = || variant.pieces().iter().map(|piece| variant.code(&piece.key)).collect::<Vec<_>>();
        let groups: Vec<Vec<String>> = match &variant.extinction_types {
            None => vec![all()],
            Some(keys) => keys.iter().map(|key| vec![variant.code(key)]).collect(),
        };
        let (most, opponent) = (variant.extinction_count, variant.extinction_opponent_count);
        let count = |kinds: &[String], owner: &str, bound: &str, number: u32| json!({ "condition": "COUNT", "piece": kinds, "owner": owner, (bound): number });
        let opposite = match value {
            Value::Win => Value::Loss,
            Value::Loss => Value::Win,
            Value::Draw => Value::Draw,
        };
        let ending = |who: &str, value: Value, when: Vec<Json>| json!({ "code": "EXTINCTION", "result": result(value), "stops": true, "who": who, "when": when });
        let mut endings = Vec::new();
        for kinds in &groups {
            let gone = |owner: &str| count(kinds, owner, "max", most);
            let others = |owner: &str, number: u32| count(kinds, owner, "min", number);
            if variant.extinction_claim {
                // The side to move may still take the last piece of the other.
                endings.push(ending("MOVER", value, vec![gone("OWN"), others("ENEMY", opponent)]));
                endings.push(ending("MOVER", opposite, vec![gone("ENEMY"), others("OWN", opponent + 1)]));
                continue;
            }
            let mut when = vec![gone("OWN")];
            if opponent > 0 {
                when.push(others("ENEMY", opponent));
            }
            endings.push(ending("ANYONE", value, when));
        }
        endings
    }
}
