//! Random specs that use the whole vocabulary of the format, to compare engine and oracle.
//!
//! Boards are small and pieces few, so that captures, promotions, blocked effects and eliminations happen within a few
//! moves.

mod boards;
mod effects;
mod endings;
mod entering;
mod mechanics;
mod paths;

use serde_json::{Value, json};
use tabiya_players::SplitMix;

use mechanics::Features;

/// Returns the spec for a seed as JSON. A few specs have errors; callers skip them.
pub fn spec(seed: u64) -> String {
    let dice = SplitMix::new(seed);
    let (kinds, players, has) = (Vec::new(), Vec::new(), Features::default());
    let mut game = RandomSpec { dice, files: 0, ranks: 0, kinds, players, has, nesting: 0 }.game();
    boards::reshape(&mut game, seed);
    align_marks(&mut game);
    game.to_string()
}

struct RandomSpec {
    dice: SplitMix,
    files: i32,
    ranks: i32,
    kinds: Vec<String>,
    players: Vec<String>,
    has: Features,
    /// How deep the condition is nested that is being drawn.
    nesting: u32,
}

const DIRECTIONS: [[[i32; 2]; 2]; 8] = [
    [[1, 0], [0, 1]],
    [[-1, 0], [0, -1]],
    [[0, -1], [1, 0]],
    [[0, 1], [-1, 0]],
    [[1, 0], [0, -1]],
    [[-1, 0], [0, 1]],
    [[0, 1], [1, 0]],
    [[0, -1], [-1, 0]],
];

impl RandomSpec {
    /// Returns true in `percent` of 100 cases.
    fn chance(&mut self, percent: usize) -> bool {
        self.dice.below(100) < percent
    }

    fn between(&mut self, low: i32, high: i32) -> i32 {
        low + self.dice.below((high - low + 1) as usize) as i32
    }

    fn one_of<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.dice.below(choices.len())].clone()
    }

    /// Sets a key in `percent` of the cases; the value is drawn only then.
    fn maybe<V: Into<Value>>(
        &mut self,
        percent: usize,
        object: &mut Value,
        key: &str,
        value: impl FnOnce(&mut Self) -> V,
    ) {
        if self.chance(percent) {
            object[key] = value(self).into();
        }
    }

    /// Returns every square of the board, column by column.
    fn squares(&self) -> impl Iterator<Item = [i32; 2]> + use<> {
        let ranks = self.ranks;
        (0..self.files).flat_map(move |x| (0..ranks).map(move |y| [x, y]))
    }

    fn game(&mut self) -> Value {
        self.files = self.between(2, 7);
        self.ranks = self.between(3, 7);
        self.players =
            ["ANN", "BEN", "CY", "DEE"][..self.between(2, 4) as usize].iter().map(|&s| s.into()).collect();
        self.kinds = ["KING", "PAWN", "ROOK", "NINJA", "OX"][..self.between(2, 5) as usize]
            .iter()
            .map(|&s| s.into())
            .collect();
        self.draw_features();
        let mut squares: Vec<[i32; 2]> = self.squares().collect();
        let holes: Vec<[i32; 2]> = (0..self.between(0, 3)).map(|_| self.draw(&mut squares)).collect();
        let players: Vec<Value> =
            (0..self.players.len()).map(|index| self.player(index, &mut squares)).collect();
        let mut order: Vec<String> = self.players.clone();
        if self.chance(30) {
            let again = self.one_of(&self.players.clone());
            let at = self.dice.below(order.len() + 1);
            order.insert(at, again);
        }
        let start_at = self.dice.below(order.len());
        let mut game = json!({
            "name": "WILD",
            "board": { "dimensions": [self.files, self.ranks], "disabled_positions": holes },
            "players": players,
            "turns": { "order": order, "start_at": start_at },
            "conditions": [self.zone("ZONE"), self.zone("GOAL")],
            "pieces": (0..self.kinds.len()).map(|index| self.piece(index)).collect::<Vec<_>>(),
        });
        self.add_mechanics(&mut game);
        self.add_endings(&mut game);
        self.add_entering(&mut game);
        self.add_paths(&mut game);
        game
    }

    fn draw(&mut self, squares: &mut Vec<[i32; 2]>) -> [i32; 2] {
        squares.swap_remove(self.dice.below(squares.len()))
    }

    fn player(&mut self, index: usize, squares: &mut Vec<[i32; 2]>) -> Value {
        let mut groups = Vec::new();
        for kind in self.kinds.clone() {
            let wanted =
                if kind == "KING" { self.between(0, 9).div_euclid(9) + 1 } else { self.between(0, 3) };
            let wanted = if kind == "KING" && self.chance(8) { 0 } else { wanted };
            // Leave space for other pieces and for moves.
            let wanted = (wanted as usize).min(squares.len().saturating_sub(4));
            let positions: Vec<[i32; 2]> = (0..wanted).map(|_| self.draw(squares)).collect();
            groups.push(json!({ "piece": kind, "positions": positions }));
        }
        let direction = self.one_of(&DIRECTIONS);
        json!({ "name": self.players[index], "direction": direction, "starting_positions": groups })
    }

    fn zone(&mut self, code: &str) -> Value {
        let mut check = serde_json::Map::new();
        for name in self.players.clone() {
            let squares: Vec<[i32; 2]> = self.squares().filter(|_| self.chance(35)).collect();
            check.insert(name, json!(squares));
        }
        json!({ "code": code, "type": "POSITION", "check": check })
    }

    fn piece(&mut self, index: usize) -> Value {
        let count = self.between(1, 5) as usize;
        let moves: Vec<Value> = (0..count).map(|id| self.pattern(id)).collect();
        json!({ "code": self.kinds[index], "moves": moves })
    }

    fn offset(&mut self, reach: i32) -> [i32; 2] {
        [self.between(-reach, reach), self.between(-reach, reach)]
    }

    fn pattern(&mut self, id: usize) -> Value {
        let step = loop {
            let reach = self.one_of(&[1, 1, 2, 2, 3]);
            let step = self.offset(reach);
            if step != [0, 0] {
                break step;
            }
        };
        let mut actions = Vec::new();
        let team = if self.has.teams { 10 } else { 0 };
        for (state, action, percent) in [
            ("EMPTY", "MOVE", 80),
            ("ENEMY", "CAPTURE", 75),
            ("ALLY", "CAPTURE", 6),
            ("TEAM", "CAPTURE", team),
        ] {
            if self.chance(percent) {
                let mut value = json!({ "state": state, "action": action });
                if action == "CAPTURE" {
                    self.add_filters(&mut value);
                }
                self.maybe(20, &mut value, "conditions", |it| it.conditions(id));
                self.maybe(20, &mut value, "side_effects", Self::effects);
                actions.push(value);
            }
        }
        if actions.is_empty() {
            actions.push(json!({ "state": "EMPTY", "action": "MOVE" }));
        }
        let mut pattern = json!({ "id": id, "step": step, "actions": actions });
        self.maybe(35, &mut pattern, "conditions", |it| it.conditions(id));
        self.maybe(25, &mut pattern, "side_effects", Self::effects);
        self.maybe(40, &mut pattern, "repeat", Self::repeat);
        self.maybe(25, &mut pattern, "modifiers", |it| it.modifiers(id));
        self.add_marks(&mut pattern, step);
        pattern
    }

    /// Lets a single step mark the square behind its landing, and a move capture pieces that mark its landing.
    fn add_marks(&mut self, pattern: &mut Value, [x, y]: [i32; 2]) {
        let mut effects = Vec::new();
        if self.chance(6) {
            effects.push(json!({ "action": "CAPTURE_MARKED", "state": "M" }));
        }
        if self.chance(12) && pattern.get("repeat").is_none() {
            let mut effect = json!({ "action": "SET_STATE", "state": "M", "square": [x, y - 1] });
            self.maybe(80, &mut effect, "duration", |it| it.between(1, 4));
            effects.push(effect);
        }
        if effects.is_empty() {
            return;
        }
        match pattern.get_mut("side_effects").and_then(Value::as_array_mut) {
            Some(list) => list.extend(effects),
            None => pattern["side_effects"] = json!(effects),
        }
    }

    fn repeat(&mut self) -> Value {
        let mut repeat = json!({});
        if self.chance(50) {
            repeat["loop"] = json!(true);
            self.maybe(20, &mut repeat, "min", |it| it.between(1, 3));
        } else {
            let times = self.between(1, 4);
            repeat["times"] = json!(times);
            self.maybe(40, &mut repeat, "min", |it| it.between(1, times));
        }
        if self.chance(40) {
            let words = ["NOT_EMPTY", "EMPTY", "ALLY", "ENEMY", "ZONE", "GOAL", "TEAM"];
            repeat["until"] = json!(self.one_of(&words[..if self.has.teams { 7 } else { 6 }]));
        }
        if self.chance(35) {
            self.add_hurdles(&mut repeat);
        }
        repeat
    }

    fn add_hurdles(&mut self, repeat: &mut Value) {
        let most = repeat["times"].as_i64().map_or(3, |times| times - 1);
        if most < 1 {
            return;
        }
        repeat["hurdles"] = json!(self.between(1, most.min(3) as i32).min(self.between(1, 3)));
        self.maybe(35, repeat, "beyond", |it| it.between(1, 3));
        self.maybe(50, repeat, "over", Self::over);
    }

    /// Returns a filter that leaves at least one kind.
    fn over(&mut self) -> Value {
        let mut over = json!({});
        let kinds = self.kinds.clone();
        match self.dice.below(3) {
            0 => over["piece"] = json!([self.one_of(&kinds), self.one_of(&kinds)]),
            1 if kinds.len() > 1 => over["not_piece"] = json!([self.one_of(&kinds)]),
            _ => {}
        }
        let words = ["ANY", "OWN", "ENEMY", "TEAM", "PARTNER"];
        self.maybe(60, &mut over, "owner", |it| it.one_of(&words[..if it.has.teams { 5 } else { 4 }]));
        over
    }

    fn modifiers(&mut self, id: usize) -> Value {
        (0..self.between(1, 2)).map(|_| self.modifier(id)).collect()
    }

    /// Removes conditions about results, which promotions cannot have.
    fn without_results(conditions: &mut Value) {
        let is_about_result = |it: &Value| {
            let text = it.to_string();
            text.contains("\"EVENT\"") || text.contains("\"AFTER\"")
        };
        if let Some(list) = conditions.as_array_mut() {
            list.retain(|it| !is_about_result(it));
        }
    }

    fn modifier(&mut self, id: usize) -> Value {
        let options: Vec<String> = self.open_kinds().into_iter().filter(|_| self.chance(45)).collect();
        let options = if options.is_empty() { vec![self.kinds[1].clone()] } else { options };
        let mut modifier = json!({ "action": "TRANSFORM", "options": options });
        self.add_replaces(&mut modifier, &options);
        self.maybe(85, &mut modifier, "conditions", |it| it.conditions(id));
        Self::without_results(&mut modifier["conditions"]);
        if modifier["conditions"].is_null() {
            modifier.as_object_mut().expect("an object").remove("conditions");
        }
        modifier
    }

    fn conditions(&mut self, id: usize) -> Value {
        let count = self.one_of(&[1, 1, 1, 2, 3]);
        json!((0..count).map(|_| self.condition(id)).collect::<Vec<_>>())
    }

    fn condition(&mut self, id: usize) -> Value {
        let words = [
            "FIRST_MOVE",
            "DEPENDS_ON",
            "PIECE_FIRST_MOVE",
            "ROOK_FIRST_MOVE",
            "CHECK_STATE",
            "MARKED",
            "PATH_EMPTY",
            "NOT_ATTACKED",
            "PATH_NOT_ATTACKED",
            "ZONE",
            "GOAL",
            "SQUARE",
            "IN_REGION",
            "IN_REGION",
            "COUNT",
            "ATTACKED",
            "DEFENDED",
            "EVENT",
            "AFTER",
            "ALL",
            "ANY",
            "ANY",
            "NOT",
            "NOT",
            "IN_CHECK",
        ];
        match self.one_of(&words[..if self.has.any { words.len() } else { words.len() - 13 }]) {
            // Only earlier moves, to avoid cycles.
            "DEPENDS_ON" if id > 0 => json!({ "condition": "DEPENDS_ON", "move_id": self.dice.below(id) }),
            "DEPENDS_ON" => json!({ "condition": "FIRST_MOVE" }),
            word @ ("PIECE_FIRST_MOVE" | "ROOK_FIRST_MOVE") => {
                json!({ "condition": word, "position": self.offset(2) })
            }
            word @ "CHECK_STATE" => {
                json!({ "condition": word, "state": self.one_of(&["F", "G"]), "position": self.offset(2) })
            }
            "MARKED" => json!({ "condition": "MARKED", "state": "M" }),
            "SQUARE" => self.square_test(),
            "IN_REGION" => self.region_test(),
            "COUNT" => self.count_test(),
            "IN_CHECK" if !self.has.leader => json!({ "condition": "PATH_EMPTY" }),
            word @ ("ATTACKED" | "DEFENDED" | "EVENT" | "AFTER" | "IN_CHECK") => self.result_test(word),
            // Deeper conditions are rare, and must not exceed the limit.
            "ALL" | "ANY" | "NOT" if self.nesting > 2 => json!({ "condition": "FIRST_MOVE" }),
            word @ ("ALL" | "ANY" | "NOT") => {
                self.nesting += 1;
                let test = self.combination(word, |it| it.condition(id));
                self.nesting -= 1;
                test
            }
            word => json!({ "condition": word }),
        }
    }

    fn square_test(&mut self) -> Value {
        let mut test = json!({ "condition": "SQUARE", "position": self.offset(2) });
        self.maybe(40, &mut test, "anchor", |it| it.one_of(&["SOURCE", "TARGET"]));
        let states = ["EMPTY", "NOT_EMPTY", "ALLY", "ENEMY", "TEAM"];
        let state = self.one_of(&states[..if self.has.teams { 5 } else { 4 }]);
        test["state"] = json!(state);
        if state != "EMPTY" && self.chance(40) {
            test["piece"] = json!([self.one_of(&self.kinds.clone())]);
        }
        if state != "EMPTY" && self.chance(40) {
            test["unmoved"] = json!(self.chance(60));
        }
        test
    }

    fn effects(&mut self) -> Value {
        json!((0..self.between(1, 2)).map(|_| self.effect()).collect::<Vec<_>>())
    }

    fn effect(&mut self) -> Value {
        match self.dice.below(3) {
            0 => {
                let mut effect = json!({ "action": "SET_STATE", "state": self.one_of(&["F", "G"]) });
                self.maybe(80, &mut effect, "duration", |it| it.between(1, 4));
                effect
            }
            1 => json!({ "action": "CAPTURE", "target": self.offset(2) }),
            _ => {
                let mut effect = json!({ "action": "MOVE", "from": self.offset(2), "to": self.offset(2) });
                self.maybe(50, &mut effect, "piece", |it| it.one_of(&it.kinds.clone()));
                effect
            }
        }
    }
}

/// Lets every move that marks a square mark the one behind its landing, also on boards with levels.
fn align_marks(game: &mut Value) {
    let pieces = game["pieces"].as_array_mut().into_iter().flatten();
    for pattern in pieces.flat_map(|piece| piece["moves"].as_array_mut().into_iter().flatten()) {
        let mut square = pattern.get("step").cloned().unwrap_or(json!([0, 0]));
        square[1] = json!(square[1].as_i64().unwrap_or(0) - 1);
        let effects = pattern.get_mut("side_effects").and_then(Value::as_array_mut);
        for effect in effects.into_iter().flatten().filter(|effect| effect.get("square").is_some()) {
            effect["square"] = square.clone();
        }
    }
}
