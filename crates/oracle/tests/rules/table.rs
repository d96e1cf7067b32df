//! A table on which a test sets up a small game and looks at it. Squares are written `a1`, pieces `WHITE ROOK`.

use serde_json::{Value, json};
use tabiya_oracle::{Oracle, Ply, Square, State};
use tabiya_spec::model::GameSpec;

/// A game that is being written.
pub(crate) struct Game(Value);

impl Game {
    /// An empty board of so many columns and rows, and the order of the players, such as `WHITE BLACK`.
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

    /// Adds players; only those of the order have turns.
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

    /// Disables squares.
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

    /// Adds a `POSITION` condition, the same squares for every player but those with lists of their own.
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

    /// Puts pieces on their squares: `"WHITE ROOK", "a1 h1"`.
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

    /// The game at its start.
    pub(crate) fn table(self) -> Table {
        Table::from_text(&self.0.to_string())
    }
}

/// A game and a position of it.
#[derive(Clone)]
pub(crate) struct Table {
    spec: GameSpec,
    pub(crate) state: State,
}

impl Table {
    /// The start of the game in a file.
    pub(crate) fn from_text(text: &str) -> Self {
        let checked = tabiya_spec::check(text.as_bytes());
        let spec = checked.spec.unwrap_or_else(|| panic!("{:#?}\n{text}", checked.diagnostics));
        let state = Oracle::new(&spec).start();
        Table { spec, state }
    }

    pub(crate) fn oracle(&self) -> Oracle<'_> {
        Oracle::new(&self.spec)
    }

    /// Where the piece on a square can go: `b2 b3=QUEEN`, sorted.
    pub(crate) fn moves(&self, from: &str) -> String {
        let own = |ply: &Ply| name(ply.from) == from;
        let mut found: Vec<String> =
            self.oracle().legal(&self.state).iter().filter(|ply| own(ply)).map(brief).collect();
        found.sort();
        found.join(" ")
    }

    /// The same with the number of each definition: `b2#0`, in the order of the list.
    pub(crate) fn numbered(&self, from: &str) -> String {
        let legal = self.oracle().legal(&self.state);
        let own = legal.iter().filter(|ply| name(ply.from) == from);
        own.map(|ply| format!("{}#{}", brief(ply), ply.id)).collect::<Vec<_>>().join(" ")
    }

    /// Plays moves written `a1a4`, `a7a8=QUEEN` or, to choose a definition, `a1a4#3`.
    pub(crate) fn play(mut self, moves: &str) -> Self {
        for text in moves.split(' ') {
            let written = |ply: &&Ply| {
                let plain = format!("{}{}", name(ply.from), brief(ply));
                plain == text || format!("{plain}#{}", ply.id) == text
            };
            let legal = self.oracle().legal(&self.state);
            let ply = legal.iter().find(written).unwrap_or_else(|| panic!("{text} is not among {legal:?}"));
            self.state = self.oracle().play(&self.state, ply).expect("a move of the list");
        }
        self
    }

    /// What stands on a square: `WHITE ROOK`, `WHITE ROOK unmoved`, `WHITE PAWN HOT:1`, or `-`.
    pub(crate) fn at(&self, square: &str) -> String {
        let Some(piece) = self.state.pieces.get(&at(square)) else { return "-".into() };
        let mut text = format!("{} {}", piece.player, piece.kind);
        if !piece.moved {
            text += " unmoved";
        }
        for (name, mark) in &piece.flags {
            text += &mark.remaining.map_or(format!(" {name}"), |left| format!(" {name}:{left}"));
        }
        text
    }

    /// The same table, the pieces on these squares having moved.
    pub(crate) fn moved(mut self, squares: &str) -> Self {
        for square in squares.split(' ') {
            self.state.pieces.get_mut(&at(square)).expect("a piece").moved = true;
        }
        self
    }

    /// The same table, the pieces on these squares gone.
    pub(crate) fn without(mut self, squares: &str) -> Self {
        for square in squares.split(' ') {
            self.state.pieces.remove(&at(square)).expect("a piece");
        }
        self
    }

    /// The same position as far as the players are concerned.
    pub(crate) fn same(&self, other: &Table) -> bool {
        self.oracle().identity(&self.state) == self.oracle().identity(&other.state)
    }

    /// How the game ended: `checkmate WHITE`, `stalemate`, or `-`.
    pub(crate) fn outcome(&self) -> String {
        let Some(verdict) = self.oracle().outcome(&self.state) else { return "-".into() };
        [vec![verdict.reason.to_owned()], verdict.winners].concat().join(" ")
    }

    /// Name of the player to move, and those that are out: `WHITE` or `WHITE without RED GOLD`.
    pub(crate) fn turn(&self) -> String {
        let out: Vec<&str> = self.state.eliminated.iter().map(String::as_str).collect();
        let player = self.oracle().to_move(&self.state).to_owned();
        if out.is_empty() { player } else { format!("{player} without {}", out.join(" ")) }
    }
}

/// A definition that moves to an empty square and captures an enemy.
pub(crate) fn step(id: i32, x: i32, y: i32) -> Value {
    let actions = json!([{ "state": "EMPTY", "action": "MOVE" }, { "state": "ENEMY", "action": "CAPTURE" }]);
    json!({ "id": id, "step": [x, y], "actions": actions })
}

/// A definition that only moves.
pub(crate) fn quiet(id: i32, x: i32, y: i32) -> Value {
    with(step(id, x, y), json!({ "actions": [{ "state": "EMPTY", "action": "MOVE" }] }))
}

/// A definition that only captures.
pub(crate) fn taking(id: i32, x: i32, y: i32) -> Value {
    with(step(id, x, y), json!({ "actions": [{ "state": "ENEMY", "action": "CAPTURE" }] }))
}

/// A definition that slides.
pub(crate) fn slide(id: i32, x: i32, y: i32) -> Value {
    with(step(id, x, y), json!({ "repeat": { "loop": true } }))
}

/// A definition with further keys, or others.
pub(crate) fn with(mut definition: Value, keys: Value) -> Value {
    let Value::Object(keys) = keys else { panic!("not an object") };
    definition.as_object_mut().expect("an object").extend(keys);
    definition
}

/// The four moves of a rook.
pub(crate) fn rook() -> [Value; 4] {
    [slide(0, 0, 1), slide(1, 1, 0), slide(2, 0, -1), slide(3, -1, 0)]
}

/// The eight moves of a king.
pub(crate) fn king() -> [Value; 8] {
    let around = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
    std::array::from_fn(|id| step(id as i32, around[id].0, around[id].1))
}

/// The square with this name.
pub(crate) fn at(name: &str) -> Square {
    let (file, rank) = name.split_at(1);
    let file = file.bytes().next().expect("a file");
    (i32::from(file - b'a'), rank.parse::<i32>().expect("a rank") - 1)
}

fn name((x, y): Square) -> String {
    format!("{}{}", char::from(b'a' + x as u8), y + 1)
}

fn brief(ply: &Ply) -> String {
    let promotion = ply.promotion.as_ref().map_or_else(String::new, |kind| format!("={kind}"));
    format!("{}{promotion}", name(ply.to))
}

fn coordinates(squares: &str) -> Value {
    squares.split_whitespace().map(|name| json!([at(name).0, at(name).1])).collect()
}

fn list(value: &mut Value) -> &mut Vec<Value> {
    value.as_array_mut().expect("a list")
}
