//! Lines between certain squares, passing, and generals that face each other.

use serde_json::{Map, Value as Json, json};

use super::Writer;
use super::endings::ending;
use crate::pieces::{JANGGI_CANNON, KING, SOLDIER};
use crate::variant::{PLAYERS, Piece, Region, Value};

/// The counters of moves after which generals face each other, and of passes in a row.
const FACED: &str = "FACED";
const PASSED: &str = "PASSED";

/// The points of pieces, by key, and the further points of the second player, doubled: one and a half.
const POINTS: [(&str, i32); 6] =
    [("rook", 13), (JANGGI_CANNON, 7), ("horse", 5), ("janggiElephant", 3), ("wazir", 3), (SOLDIER, 2)];
const KOMI_DOUBLED: i32 = 3;

impl Writer<'_> {
    /// Returns the moves of a piece along the diagonal lines.
    pub(super) fn diagonal_moves(&mut self, piece: &Piece) -> Vec<Json> {
        let lines = &self.variant.diagonal_lines;
        if *lines == Region::default() {
            return Vec::new();
        }
        let squares = self.squares(lines);
        let region = self.condition("DIAGONAL_LINES", [squares.clone(), squares]);
        let on_lines =
            json!([{ "condition": region }, { "condition": "IN_REGION", "region": region, "at": "SOURCE" }]);
        let code = self.variant.code(&piece.key);
        let mut diagonal = match piece.key.as_str() {
            KING | "wazir" => json!({ "betza": "F" }),
            SOLDIER => json!({ "betza": "fF" }),
            "rook" => json!({ "betza": "B" }),
            JANGGI_CANNON => {
                let over = json!({ "not_piece": [code] });
                json!({ "step": [1, 1], "turned": "ROTATED",
                    "repeat": { "loop": true, "hurdles": 1, "over": over },
                    "actions": [{ "state": "EMPTY", "action": "MOVE" },
                        { "state": "ENEMY", "action": "CAPTURE", "not_piece": [code] }] })
            }
            _ => return Vec::new(),
        };
        diagonal["conditions"] = on_lines;
        vec![diagonal]
    }

    /// Returns the pass, a move of the king that stays.
    pub(super) fn pass(&mut self, piece: &Piece) -> Option<Json> {
        let passes = self.variant.pass;
        if piece.key != KING || passes == [false, false] {
            return None;
        }
        let mut pass = json!({ "step": [0, 0], "actions": "MOVE" });
        if passes != [true, true] {
            let all = self.squares(&Region::all());
            let squares = passes.map(|passes| if passes { all.clone() } else { Vec::new() });
            let region = self.condition("PASSES", squares);
            pass["conditions"] = json!([{ "condition": region }]);
        }
        Some(pass)
    }

    /// Adds the counters of facing generals and of passes.
    pub(super) fn count_facing(&self, counters: &mut Map<String, Json>, triggers: &mut Vec<Json>) {
        if !self.may_stop_play() {
            return;
        }
        let counter = json!({ "per": "GAME", "max": 2, "repetition": false });
        let add = |name: &str| json!([{ "action": "ADD", "counter": name }]);
        let clear = |name: &str| json!([{ "action": "SET", "counter": name, "to": 0 }]);
        if self.variant.bikjang {
            let facing = json!({ "condition": "AFTER", "of": [self.facing()] });
            counters.insert(FACED.into(), counter.clone());
            for event in ["MOVED", "STAYED"] {
                triggers.push(json!({ "on": event, "when": [facing], "effects": add(FACED) }));
                let apart = json!({ "condition": "NOT", "of": [facing] });
                triggers.push(json!({ "on": event, "when": [apart], "effects": clear(FACED) }));
            }
        }
        counters.insert(PASSED.into(), counter);
        triggers.push(json!({ "on": "STAYED", "effects": add(PASSED) }));
        triggers.push(json!({ "on": "MOVED", "effects": clear(PASSED) }));
    }

    /// Returns whether both players may stop the game: by passing, or by letting their generals face each other.
    fn may_stop_play(&self) -> bool {
        let variant = self.variant;
        variant.piece(KING).is_some() && (variant.bikjang || variant.pass == [true, true])
    }

    fn facing(&self) -> Json {
        json!({ "condition": "FACING", "piece": [self.variant.code(KING)] })
    }

    /// Returns the restriction that generals who face each other part, unless the player passes.
    pub(super) fn parting(&self) -> Option<Json> {
        if !self.variant.bikjang || self.variant.piece(KING).is_none() {
            return None;
        }
        let facing = self.facing();
        let apart = json!([{ "condition": "NOT", "of": [facing] }]);
        let parted = json!([{ "condition": "NOT", "of": [{ "condition": "AFTER", "of": [facing] }] }]);
        let passed = json!([{ "condition": "EVENT", "event": "STAYED" }]);
        Some(json!({ "condition": "ANY", "of": [apart, passed, parted] }))
    }

    /// The end after generals have faced each other, or players have passed, twice in a row: by points, or a draw.
    pub(super) fn facing_twice(&mut self) -> Vec<Json> {
        let variant = self.variant;
        if !self.may_stop_play() {
            return Vec::new();
        }
        let reached = |name: &str| json!([{ "condition": "COMPARE", "counter": name, "min": 2 }]);
        let faced = variant.bikjang.then(|| reached(FACED));
        let lists: Vec<Json> = faced.into_iter().chain([reached(PASSED)]).collect();
        let over = json!({ "condition": "ANY", "of": lists });
        if variant.material_counting != "janggi" {
            return vec![ending("BIKJANG", Value::Draw, &[over])];
        }
        let points = POINTS.iter().filter(|(key, _)| variant.piece(key).is_some());
        let values: Map<String, Json> =
            points.map(|(key, points)| (variant.code(key), json!(points))).collect();
        // More than the other's points and komi; more than the other's points without komi.
        let margins = [KOMI_DOUBLED / 2 + 1, -(KOMI_DOUBLED / 2)];
        let mut endings = Vec::new();
        for (player, by) in (0..PLAYERS.len()).zip(margins) {
            let is_player = self.is_player(player);
            let ahead = json!({ "condition": "COMPARE", "values": values, "than": "ENEMY", "by": by });
            endings.push(ending("BIKJANG", Value::Win, &[over.clone(), is_player, ahead]));
        }
        endings.push(ending("BIKJANG", Value::Loss, &[over]));
        endings
    }

    /// Returns the promotions of a pawn in place of a move, or together with a move of the new piece. The new piece attacks
    /// nothing.
    pub(super) fn quiet_promotions(&mut self, piece: &Piece) -> Vec<Json> {
        let variant = self.variant;
        if !variant.quiet_promotion || !variant.promotion_pawns.iter().flatten().any(|key| *key == piece.key)
        {
            return Vec::new();
        }
        let squares = [0, 1].map(|player| self.squares(&variant.promotion_region[player]));
        let region = self.condition("PROMOTION", squares);
        let code = variant.code(&piece.key);
        let in_zone = json!([{ "condition": "IN_REGION", "region": region, "at": "SOURCE" }]);
        let is_last = json!([{ "condition": "COUNT", "piece": [code], "owner": "OWN", "max": 1 }]);
        let may = json!({ "condition": "ANY", "of": [in_zone, is_last] });
        let mut moves = Vec::new();
        for key in &variant.promotion_pieces[0] {
            let Some((option, leaps)) = self.leaps.iter().find(|(it, _)| it.key == *key).cloned() else {
                continue;
            };
            let is_leaper = |leap: &tabiya_spec::betza::Leap| {
                leap.hop.is_none() && !leap.lame && leap.reach == tabiya_spec::betza::Reach::Once
            };
            if !leaps.iter().all(is_leaper) {
                let reason = "Games cannot express this yet: promotion to a slider that attacks nothing.";
                self.left_out.push(("sittuyinPromotion".into(), reason.into()));
                continue;
            }
            let kind = variant.code(key);
            let mut conditions = vec![may.clone()];
            if let Some(most) = variant.promotion_limit.get(key) {
                let kinds = self.codes_of(key);
                conditions
                    .push(json!({ "condition": "COUNT", "piece": kinds, "owner": "OWN", "max": most - 1 }));
            }
            // Nor does it uncover a check.
            let check =
                json!({ "condition": "AFTER", "of": [{ "condition": "IN_CHECK", "owner": "ENEMY" }] });
            conditions.push(json!({ "condition": "NOT", "of": [check] }));
            let attacked = leaps.iter().filter(|leap| leap.captures).flat_map(|leap| leap.steps.iter());
            conditions.extend(attacked.map(|(x, y)| {
                let enemy = json!({ "condition": "SQUARE", "position": [x, y], "anchor": "TARGET", "state": "ENEMY" });
                json!({ "condition": "NOT", "of": [enemy] })
            }));
            let modifiers = json!([{ "action": "TRANSFORM", "options": [kind] }]);
            let stay = json!({ "step": [0, 0], "actions": "MOVE" });
            for mut entry in [stay, json!({ "betza": option.betza, "actions": "MOVE" })] {
                entry["conditions"] = json!(conditions);
                entry["modifiers"] = modifiers.clone();
                moves.push(entry);
            }
        }
        moves
    }
}
