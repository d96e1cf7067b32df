//! Builds small games for tests. Squares are written `a1`, pieces `WHITE ROOK`.

use serde_json::{Value, json};

use crate::table::{Table, at};

/// A game under construction.
pub(crate) struct Game(Value);

impl Game {
    /// Returns a game with an empty board of this size and a turn order such as `WHITE BLACK`.
    pub(crate) fn new(columns: i32, rows: i32, order: &str) -> Self {
        let order: Vec<&str> = order.split(' ').collect();
        Game(json!({
            "name": "A test", "board": { "dimensions": [columns, rows], "disabled_positions": [] }, "players": [],
            "turns": { "order": order }, "conditions": [], "pieces": [],
        }))
        .players(&order)
    }

    /// Makes a kind of piece the leader.
    pub(crate) fn leader(mut self, kind: &str) -> Self {
        self.0["leader"] = kind.into();
        self
    }

    /// Adds players; only those in the turn order have turns.
    pub(crate) fn players(mut self, names: &[&str]) -> Self {
        for name in names {
            let direction = match *name {
                "BLACK" => "DOWN",
                "RED" => "RIGHT",
                "GOLD" => "LEFT",
                _ => "UP",
            };
            let player = json!({ "name": name, "direction": direction, "starting_positions": [] });
            if !list(&mut self.0["players"]).iter().any(|known| known["name"] == **name) {
                list(&mut self.0["players"]).push(player);
            }
        }
        self
    }

    /// Makes squares holes.
    pub(crate) fn gaps(mut self, squares: &str) -> Self {
        self.0["board"]["disabled_positions"] = coordinates(squares);
        self
    }

    /// Adds a kind of piece with its moves.
    pub(crate) fn kind(mut self, code: &str, moves: impl Into<Vec<Value>>) -> Self {
        let moves: Vec<Value> = moves.into();
        list(&mut self.0["pieces"]).push(json!({ "code": code, "moves": moves }));
        self
    }

    /// Adds a `POSITION` condition with the same squares for every player except those listed separately.
    pub(crate) fn position(mut self, code: &str, squares: &str, own: &[(&str, &str)]) -> Self {
        let mut check = serde_json::Map::new();
        for player in list(&mut self.0["players"]) {
            let name = player["name"].as_str().unwrap_or_default();
            let squares = own.iter().find(|(other, _)| *other == name).map_or(squares, |(_, own)| own);
            check.insert(name.to_owned(), coordinates(squares));
        }
        list(&mut self.0["conditions"]).push(json!({ "code": code, "type": "POSITION", "check": check }));
        self
    }

    /// Sets a key of the game.
    pub(crate) fn says(mut self, key: &str, value: Value) -> Self {
        self.0[key] = value;
        self
    }

    /// Places pieces on their squares: `"WHITE ROOK", "a1 h1"`.
    pub(crate) fn stand(mut self, piece: &str, squares: &str) -> Self {
        if squares.is_empty() {
            return self;
        }
        let (name, kind) = piece.split_once(' ').expect("a player and a kind");
        let players = list(&mut self.0["players"]);
        let player = players.iter_mut().find(|player| player["name"] == name).expect("a player of the game");
        let entry = json!({ "piece": kind, "positions": coordinates(squares) });
        list(&mut player["starting_positions"]).push(entry);
        self
    }

    /// Returns the text of the game.
    pub(crate) fn text(&self) -> String {
        self.0.to_string()
    }

    /// Returns the game at its start.
    pub(crate) fn table(&self) -> Table {
        Table::from_text(&self.0.to_string())
    }

    /// Compares the engine with the oracle in every position to this depth.
    pub(crate) fn agrees(&self, depth: u32) {
        let text = self.0.to_string();
        let game = tabiya_spec::load(text.as_bytes()).game.expect("a game");
        tabiya_oracle::compare::compare(&game, depth, usize::MAX, 0)
            .unwrap_or_else(|it| panic!("{it}\n{text}"));
    }
}

/// Returns a definition that moves and captures.
pub(crate) fn step(id: i32, x: i32, y: i32) -> Value {
    let actions = json!([{ "state": "EMPTY", "action": "MOVE" }, { "state": "ENEMY", "action": "CAPTURE" }]);
    json!({ "id": id, "step": [x, y], "actions": actions })
}

/// Returns a definition that only moves.
pub(crate) fn quiet(id: i32, x: i32, y: i32) -> Value {
    with(step(id, x, y), json!({ "actions": [{ "state": "EMPTY", "action": "MOVE" }] }))
}

/// Returns a definition that only captures.
pub(crate) fn taking(id: i32, x: i32, y: i32) -> Value {
    with(step(id, x, y), json!({ "actions": [{ "state": "ENEMY", "action": "CAPTURE" }] }))
}

/// Returns a definition that slides.
pub(crate) fn slide(id: i32, x: i32, y: i32) -> Value {
    with(step(id, x, y), json!({ "repeat": { "loop": true } }))
}

/// Adds or replaces keys of a definition.
pub(crate) fn with(mut definition: Value, keys: Value) -> Value {
    let Value::Object(keys) = keys else { panic!("not an object") };
    definition.as_object_mut().expect("an object").extend(keys);
    definition
}

/// Returns the four moves of a rook.
pub(crate) fn rook() -> [Value; 4] {
    [slide(0, 0, 1), slide(1, 1, 0), slide(2, 0, -1), slide(3, -1, 0)]
}

/// Returns the eight moves of a king.
pub(crate) fn king() -> [Value; 8] {
    let around = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
    std::array::from_fn(|id| step(id as i32, around[id].0, around[id].1))
}

fn coordinates(squares: &str) -> Value {
    squares.split_whitespace().map(|name| json!([at(name).0, at(name).1])).collect()
}

fn list(value: &mut Value) -> &mut Vec<Value> {
    value.as_array_mut().expect("a list")
}
