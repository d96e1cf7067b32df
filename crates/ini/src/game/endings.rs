//! How a variant ends.

use serde_json::{Map, Value as Json, json};

use super::moves::FIXED;
use super::{Writer, result};
use crate::pieces::KING;
use crate::variant::{PLAYERS, Region, Square, Value};

impl Writer<'_> {
    /// Returns the endings, and adds the keys `stuck` and `quiet`.
    pub(super) fn endings(&mut self, file: &mut Map<String, Json>) -> Vec<Json> {
        let flags = self.flags();
        let mut endings = self.mates(file);
        endings.extend(flags);
        endings.extend(self.extinction());
        endings.extend(self.enough_checks());
        endings.extend(self.facing_twice());
        endings.extend(self.counted_out());
        endings.extend(self.repetition());
        let variant = self.variant;
        if variant.move_rule > 0 {
            let when = vec![json!({ "condition": "QUIET", "turns": 2 * variant.move_rule })];
            let drawn = self.drawn("MOVE_RULE", Value::Draw, &when);
            endings.extend(drawn.into_iter().map(|ending| with(ending, "by", &json!("CLAIM"))));
            let types = variant.move_rule_types.iter().flatten().filter(|key| variant.piece(key).is_some());
            let mut reset: Vec<String> = types.map(|key| variant.code(key)).collect();
            reset.sort();
            reset.dedup();
            reset.insert(0, "CAPTURE".into());
            file.insert("quiet".into(), json!({ "reset_by": reset }));
        }
        endings
    }

    /// Repetition: perpetual check first, then all others.
    fn repetition(&mut self) -> Vec<Json> {
        let variant = self.variant;
        let times = variant.fold_rule;
        if times < 2 {
            return Vec::new();
        }
        let repeated = |checks: Option<&str>| {
            let mut repeated = json!({ "condition": "REPETITION", "times": times });
            if let Some(owner) = checks {
                repeated["checks"] = json!(owner);
            }
            repeated
        };
        let mut endings = Vec::new();
        if variant.perpetual_check_loses && self.has_leaders() {
            let other = json!({ "condition": "NOT", "of": [repeated(Some("ENEMY"))] });
            endings.push(json!({ "code": "PERPETUAL_CHECK", "who": "ANYONE", "result": "LOSS",
                "when": [repeated(Some("OWN")), other] }));
        }
        let when = vec![repeated(None)];
        let by = if variant.fold_value == Value::Draw && endings.is_empty() { "CLAIM" } else { "RULE" };
        if variant.fold_value_absolute && variant.fold_value != Value::Draw {
            if !endings.is_empty() {
                let both = ["OWN", "ENEMY"].map(|owner| repeated(Some(owner)));
                endings.push(json!({ "code": "REPETITION", "when": both }));
            }
            let is_white = self.is_player(0);
            let own: Vec<Json> = when.iter().cloned().chain([is_white]).collect();
            endings.push(json!({ "code": "REPETITION", "result": result(variant.fold_value), "when": own }));
            endings.push(
                json!({ "code": "REPETITION", "result": result(opposite(variant.fold_value)), "when": when }),
            );
            return endings;
        }
        let drawn = self.drawn("REPETITION", variant.fold_value, &when);
        endings.extend(drawn.into_iter().map(|ending| with(ending, "by", &json!(by))));
        endings
    }

    /// Returns the condition that the own player is this one: the player has pieces on squares that the other lacks.
    pub(super) fn is_player(&mut self, player: usize) -> Json {
        let mut squares = [Vec::new(), Vec::new()];
        squares[player] = self.squares(&Region::all());
        let region = self.condition(&format!("BOARD_OF_{}", PLAYERS[player]), squares);
        json!({ "condition": "COUNT", "piece": self.codes(), "owner": "OWN", "in": region, "min": 1 })
    }

    /// Adds the counters of checks and of kings at which a rook has aimed.
    pub(super) fn counters(&mut self, file: &mut Map<String, Json>) {
        let variant = self.variant;
        let (mut counters, mut triggers) = (Map::new(), Vec::new());
        if variant.check_counting && self.has_leaders() {
            let [white, black] = self.start.checks;
            if white != black {
                let reason =
                    "Games cannot express this yet: different numbers of checks for the two players.";
                self.left_out.push(("startFen".into(), reason.into()));
            }
            counters.insert("CHECKS".into(), json!({ "max": white }));
            let add = json!({ "action": "ADD", "counter": "CHECKS" });
            triggers.push(json!({ "on": "CHECK", "effects": [add] }));
        }
        let has = |key: &str| variant.piece(key).is_some();
        if variant.cambodian_moves && has(KING) && has("rook") {
            counters.insert(FIXED.into(), json!({ "max": 1, "repetition": false }));
            let on_line = |area: &str| json!([{ "condition": "COUNT", "piece": [variant.code(KING)], "owner": "ENEMY", "area": area, "min": 1 }]);
            let aims = json!({ "condition": "ANY", "of": [on_line("FILE"), on_line("RANK")] });
            let set = json!({ "action": "SET", "counter": FIXED, "owner": "ENEMY", "to": 1 });
            let rook = variant.code("rook");
            triggers.push(json!({ "on": "MOVED", "piece": [rook], "when": [aims], "effects": [set] }));
        }
        self.count_facing(&mut counters, &mut triggers);
        self.count_moves(&mut counters, &mut triggers);
        if !counters.is_empty() {
            file.insert("counters".into(), json!(counters));
            file.insert("triggers".into(), json!(triggers));
        }
    }

    /// A win by checks.
    fn enough_checks(&self) -> Option<Json> {
        let is_counted = self.variant.check_counting && self.has_leaders();
        is_counted.then(|| {
            let enough = json!({ "condition": "COMPARE", "counter": "CHECKS", "min": self.start.checks[0] });
            ending("ENOUGH_CHECKS", Value::Win, &[enough])
        })
    }

    /// Checkmate and stalemate with another result than in chess.
    fn mates(&mut self, file: &mut Map<String, Json>) -> Vec<Json> {
        let variant = self.variant;
        let waits = self.waits_for_last_move();
        let is_usual = variant.checkmate == Value::Loss
            && !variant.stalemate_count
            && !waits
            && (self.winner_of_draws().is_none() || variant.stalemate != Value::Draw);
        if is_usual {
            let word = match variant.stalemate {
                Value::Draw => return Vec::new(),
                Value::Loss => "LOSES",
                Value::Win => "WINS",
            };
            file.insert("stuck".into(), json!(word));
            return Vec::new();
        }
        file.insert("stuck".into(), json!("PASSES"));
        let mut endings = Vec::new();
        if waits {
            endings.extend(self.after_last_move());
        }
        if self.has_leaders() {
            let mated = json!({ "condition": "STUCK", "attacked": true });
            endings.push(ending("MATED", variant.checkmate, &[mated]));
        }
        let stuck = || {
            let mut stuck = json!({ "condition": "STUCK" });
            if self.has_leaders() {
                stuck["attacked"] = json!(false);
            }
            stuck
        };
        if variant.stalemate_count && variant.stalemate != Value::Draw {
            let fewer = |less: &str, more: &str| self.has_fewer(less, more);
            endings.push(ending("NO_MOVE", variant.stalemate, &[stuck(), fewer("OWN", "ENEMY")]));
            endings.push(ending("NO_MOVE", opposite(variant.stalemate), &[stuck(), fewer("ENEMY", "OWN")]));
        }
        let value = if variant.stalemate_count { Value::Draw } else { variant.stalemate };
        let stuck = [stuck()];
        let drawn = self.drawn("NO_MOVE", value, &stuck);
        endings.extend(drawn.into_iter().map(|ending| with(ending, "stops", &json!(true))));
        endings
    }

    /// Returns an ending with a result for the side to move. A draw may be a win of one player.
    fn drawn(&mut self, code: &str, value: Value, when: &[Json]) -> Vec<Json> {
        let one = |value: Value, when: &[Json]| match value {
            Value::Draw => json!({ "code": code, "when": when }),
            value => json!({ "code": code, "result": result(value), "when": when }),
        };
        let winner = self.winner_of_draws().filter(|_| value == Value::Draw);
        let Some(winner) = winner else { return vec![one(value, when)] };
        let is_winner = self.is_player(winner);
        let own: Vec<Json> = when.iter().cloned().chain([is_winner]).collect();
        vec![one(Value::Win, &own), one(Value::Loss, when)]
    }

    /// Returns who wins draws.
    fn winner_of_draws(&self) -> Option<usize> {
        match self.variant.material_counting.as_str() {
            "whitedrawodds" => Some(0),
            "blackdrawodds" => Some(1),
            _ => None,
        }
    }

    /// Returns the condition that one player has fewer pieces than the other.
    fn has_fewer(&self, less: &str, more: &str) -> Json {
        let most = self.most_pieces().max(1);
        let count = |owner: &str, bound: &str, number: u32| {
            let mut count = json!({ "condition": "COUNT", "owner": owner, (bound): number });
            if self.has_leaders() {
                count["piece"] = json!(self.codes());
            }
            count
        };
        let lists: Vec<Json> = (0..most)
            .map(|number| json!([count(less, "max", number), count(more, "min", number + 1)]))
            .collect();
        json!({ "condition": "ANY", "of": lists })
    }

    /// Returns the number of pieces with which the larger army starts. Armies do not grow.
    pub(super) fn most_pieces(&self) -> u32 {
        let count = |is_white: bool| {
            let pieces = self.start.pieces.iter();
            pieces.filter(|(_, letter)| letter.is_ascii_uppercase() == is_white).count() as u32
        };
        let forms = |is_white: bool| {
            let forms = self.start.forms.iter();
            forms.filter(|text| text.contains(char::is_uppercase) == is_white).count() as u32
        };
        (count(true) + forms(true)).max(count(false) + forms(false))
    }

    /// Returns the codes of all pieces that the file lists.
    pub(super) fn codes(&self) -> Vec<String> {
        let plain = self.variant.pieces().into_iter().filter(|piece| self.is_reached(piece));
        let forms = self.forms.iter().map(|form| form.code.clone());
        plain.map(|piece| self.variant.code(&piece.key)).chain(forms).collect()
    }

    /// Returns the condition that a player has pieces on the squares of a goal.
    fn arrived(&mut self, squares: [Vec<Square>; 2], key: Option<&String>, owner: &str) -> Json {
        let kinds = match key {
            Some(key) => self.codes_of(key),
            None => self.codes(),
        };
        let region = self.condition("GOAL", squares);
        json!({ "condition": "COUNT", "piece": kinds, "owner": owner, "in": region, "min": self.variant.flag_count })
    }

    /// Returns the condition that a player has this number of pieces at the goal.
    pub(super) fn at_goal(&mut self, owner: &str, bound: &str, number: u32) -> Json {
        let squares = [0, 1].map(|player| self.squares(&self.variant.flag_region[player]));
        let mut count = self.arrived(squares, self.variant.flag_piece[0].as_ref(), owner);
        if let Some(count) = count.as_object_mut() {
            count.remove("min");
            count.insert(bound.into(), json!(number));
        }
        count
    }

    /// Returns whether a piece at its goal wins only after a move of the other player.
    pub(super) fn waits_for_last_move(&self) -> bool {
        let variant = self.variant;
        variant.flag_move
            && variant.flag_piece[0] == variant.flag_piece[1]
            && variant.flag_region.iter().any(|region| *region != Region::default())
    }

    /// Returns whether the pieces that wait are kings.
    fn is_race(&self) -> bool {
        let variant = self.variant;
        let is_king = |key: &Option<String>| key.as_deref() == Some(KING);
        self.waits_for_last_move() && variant.piece(KING).is_some() && is_king(&variant.flag_piece[0])
    }

    /// Wins by bringing a piece to a region.
    fn flags(&mut self) -> Vec<Json> {
        let variant = self.variant;
        if variant.flag_region.iter().all(|region| *region == Region::default()) {
            return Vec::new();
        }
        let squares = [0, 1].map(|player| self.squares(&variant.flag_region[player]));
        let is_same = variant.flag_piece[0] == variant.flag_piece[1];
        let is_royal = |key: &Option<String>| key.as_deref() == Some(KING) && variant.piece(KING).is_some();
        // A royal piece is never attacked after its own move.
        let is_exposed = self.exposed_leader().is_some();
        if variant.flag_safe && !is_exposed && (variant.flag_move || !variant.flag_piece.iter().all(is_royal))
        {
            let reason = "Games cannot express this yet: wins by a piece that is not attacked.";
            self.left_out.push(("flagPieceSafe".into(), reason.into()));
        }
        if variant.flag_move && !is_same {
            let reason =
                "Games cannot express this yet: a last move that depends on the piece of each player.";
            self.left_out.push(("flagMove".into(), reason.into()));
        } else if variant.flag_move {
            return if self.is_race() { self.race() } else { Vec::new() };
        }
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
            let arrived = self.arrived(squares, variant.flag_piece[index].as_ref(), "OWN");
            let mut when = vec![arrived];
            if is_exposed {
                when.push(json!({ "condition": "NOT", "of": [{ "condition": "IN_CHECK", "owner": "OWN" }] }));
            }
            let mut reached = ending("GOAL_REACHED", Value::Win, &when);
            if is_exposed {
                // An attack may end later.
                reached["who"] = json!("ANYONE");
            }
            endings.push(reached);
        }
        endings
    }

    /// Returns the endings after the last move of the other player, when a player with a piece at the goal may not move.
    fn after_last_move(&mut self) -> Vec<Json> {
        let stuck = || json!({ "condition": "STUCK" });
        let [own, enemy] = ["OWN", "ENEMY"].map(|owner| self.at_goal(owner, "min", self.variant.flag_count));
        let mut endings = vec![ending("GOAL_REACHED", Value::Win, &[stuck(), own.clone()])];
        if self.is_race() {
            endings.insert(0, ending("GOAL_REACHED_BY_BOTH", Value::Draw, &[stuck(), own, enemy.clone()]));
            endings.push(ending("GOAL_REACHED", Value::Loss, &[stuck(), enemy]));
        }
        endings
    }

    /// A race of kings: only WHITE waits for a last move.
    fn race(&mut self) -> Vec<Json> {
        let variant = self.variant;
        let black = self.squares(&variant.flag_region[1]);
        let last = self.arrived([Vec::new(), black], variant.flag_piece[0].as_ref(), "OWN");
        let others = self.at_goal("ENEMY", "max", variant.flag_count.saturating_sub(1));
        let note = "BLACK always has the last move. Fairy-Stockfish ends the game at once if no move draws.";
        self.notes.push(("flagMove".into(), note.into()));
        let mut ending = ending("GOAL_REACHED", Value::Win, &[last, others]);
        ending["who"] = json!("ANYONE");
        vec![ending]
    }

    /// Results when pieces of a kind are gone. The player who has moved is tested first.
    fn extinction(&self) -> Vec<Json> {
        let variant = self.variant;
        let Some(value) =
            variant.extinction.filter(|_| !variant.pseudo_royal && self.exposed_leader().is_none())
        else {
            return Vec::new();
        };
        let groups: Vec<Vec<String>> = match &variant.extinction_types {
            None => vec![self.codes()],
            Some(keys) => keys.iter().map(|key| self.codes_of(key)).collect(),
        };
        let (most, opponent) = (variant.extinction_count, variant.extinction_opponent_count);
        let count = |kinds: &[String], owner: &str, bound: &str, number: u32| json!({ "condition": "COUNT", "piece": kinds, "owner": owner, (bound): number });
        let when = |gone: &str, other: &str, least: u32| -> Vec<Json> {
            let lists: Vec<Vec<Json>> = groups
                .iter()
                .map(|kinds| {
                    let others = (least > 0).then(|| count(kinds, other, "min", least));
                    std::iter::once(count(kinds, gone, "max", most)).chain(others).collect()
                })
                .collect();
            match &lists[..] {
                [list] => list.clone(),
                lists => vec![json!({ "condition": "ANY", "of": lists })],
            }
        };
        if groups.is_empty() {
            return Vec::new();
        }
        let own = ending("EXTINCTION", value, &when("OWN", "ENEMY", opponent));
        // Only a promotion reduces the number of own pieces of a kind.
        let promotes = |key: &String| {
            variant.promotion_pawns.iter().flatten().chain(variant.promoted.keys()).any(|it| it == key)
        };
        let is_lasting = variant.extinction_types.as_ref().is_none_or(|keys| !keys.iter().any(promotes));
        if groups.len() == 1 && is_lasting && !variant.extinction_claim {
            let mut own = own;
            own["who"] = json!("ANYONE");
            return vec![own];
        }
        // With a claim, the side to move may still take the last piece of the other.
        let claim = u32::from(variant.extinction_claim);
        vec![own, ending("EXTINCTION", opposite(value), &when("ENEMY", "OWN", opponent + claim))]
    }
}

/// Returns an ending with a further key.
fn with(mut ending: Json, key: &str, value: &Json) -> Json {
    ending[key] = value.clone();
    ending
}

/// Returns an ending that stops the game.
pub(super) fn ending(code: &str, value: Value, when: &[Json]) -> Json {
    let mut ending = json!({ "code": code, "result": result(value), "stops": true, "when": when });
    if let Some(ending) = ending.as_object_mut().filter(|_| value == Value::Draw) {
        ending.remove("result");
    }
    ending
}

fn opposite(value: Value) -> Value {
    match value {
        Value::Win => Value::Loss,
        Value::Loss => Value::Win,
        Value::Draw => Value::Draw,
    }
}
