//! A game with its options and a position, for tests. In FEN, Blue is uppercase and Red lowercase; Black is uppercase and
//! Yellow lowercase with a dot. D, A, H and T are the pawns of queen, bishop, knight and rook.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use tabiya_engine::{Player, Position, Rules, Tally, Trigger};
use tabiya_notation::{MoveError, State, fen, parse_state, parse_uci, uci};
use tabiya_spec::{Choices, library};

/// Both rule sets.
pub(crate) const BOTH: [&str; 2] = ["document", "zalewski"];

#[derive(Clone)]
pub(crate) struct Table {
    pub(crate) rules: Arc<Rules>,
    pub(crate) position: Position,
}

/// Returns the start of the prototype.
pub(crate) fn prototype(rules: &str) -> Table {
    game(rules, "", "")
}

/// Returns the start of an array with options, written `NAME=VALUE NAME=VALUE`.
pub(crate) fn game(rules: &str, array: &str, options: &str) -> Table {
    static GAMES: Mutex<BTreeMap<[String; 3], Arc<Rules>>> = Mutex::new(BTreeMap::new());
    let key = [rules, array, options].map(str::to_owned);
    let mut games = GAMES.lock().unwrap_or_else(PoisonError::into_inner);
    let rules = games.entry(key).or_insert_with(|| load(rules, array, options));
    Table { rules: Arc::clone(rules), position: rules.start() }
}

fn load(rules: &str, array: &str, options: &str) -> Arc<Rules> {
    let pair = |text: &str| {
        let (name, value) = text.split_once('=').expect("NAME=VALUE");
        (name.to_owned(), value.to_owned())
    };
    let choices = Choices {
        layout: (!array.is_empty()).then(|| array.to_owned()),
        preset: Some(rules.to_owned()),
        options: options.split_whitespace().map(pair).collect(),
    };
    let entry = library::find("enochian").expect("a library game");
    let loaded = entry.load_with(&choices);
    let game = loaded.game.unwrap_or_else(|| panic!("{:#?}", loaded.diagnostics));
    game.rules
}

impl Table {
    /// Returns the game with another position.
    pub(crate) fn set(&self, text: &str) -> Table {
        let state = parse_state(&self.rules, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        Table { rules: Arc::clone(&self.rules), position: state.position }
    }

    /// Checks that all of these moves are legal.
    pub(crate) fn legal(&self, moves: &str) -> &Self {
        for text in moves.split(' ') {
            if let Err(error) = parse_uci(&self.rules, &self.position, text) {
                panic!("{text} is illegal in {self}: {error}");
            }
        }
        self
    }

    /// Checks that all of these moves are illegal.
    pub(crate) fn illegal(&self, moves: &str) -> &Self {
        for text in moves.split(' ') {
            match parse_uci(&self.rules, &self.position, text) {
                Ok(_) => panic!("{text} is legal in {self}"),
                Err(MoveError::Unreadable(_)) => panic!("{text} is not a move"),
                Err(_) => {}
            }
        }
        self
    }

    /// Lists the legal moves, or those from a square.
    pub(crate) fn moves(&self, from: &str) -> String {
        let all = self.rules.legal_moves(&self.position);
        let own = all.iter().filter(|it| from.is_empty() || self.rules.board().name(it.from) == from);
        let mut texts: Vec<String> = own.map(|it| uci(&self.rules, &self.position, *it)).collect();
        texts.sort();
        texts.join(" ")
    }

    pub(crate) fn play(&self, moves: &str) -> Table {
        let mut position = self.position.clone();
        for text in moves.split(' ') {
            let played = parse_uci(&self.rules, &position, text);
            let played = played.unwrap_or_else(|error| panic!("{text} after {self}: {error}"));
            position = self.rules.play_unchecked(&position, played);
        }
        Table { rules: Arc::clone(&self.rules), position }
    }

    /// Throws the die.
    pub(crate) fn throw(&self, face: u8) -> Table {
        let thrown = self.rules.throw(&self.position, face);
        let position = thrown.unwrap_or_else(|| panic!("no throw is due in {self}"));
        Table { rules: Arc::clone(&self.rules), position }
    }

    /// Describes the exchange that may be proposed: `BLUE asks YELLOW: BLACK a5, RED e8`, or `-`.
    pub(crate) fn offer(&self) -> String {
        let Some(offer) = self.rules.exchange(&self.position) else { return "-".into() };
        let king = |(player, square)| format!("{} {}", self.name(player), self.rules.board().name(square));
        let (proposer, answerer) = (self.name(offer.proposer), self.name(offer.answerer));
        format!("{proposer} asks {answerer}: {}, {}", king(offer.asked), king(offer.given))
    }

    /// Carries out the exchange.
    pub(crate) fn exchange(&self) -> Table {
        let position = self.rules.play_exchange(&self.position).expect("an exchange is possible");
        Table { rules: Arc::clone(&self.rules), position }
    }

    /// Returns the army to move.
    pub(crate) fn turn(&self) -> &str {
        self.name(self.rules.mover(&self.position))
    }

    /// Describes the outcome: `draw bare_kings`, `BLUE BLACK leader_captured`, or `-`.
    pub(crate) fn end(&self) -> String {
        let Some(outcome) = self.rules.outcome(&self.position) else { return "-".into() };
        let names: Vec<&str> = outcome.winners.iter().map(|player| self.name(player)).collect();
        let who = if names.is_empty() { "draw".into() } else { names.join(" ") };
        format!("{who} {}", self.rules.reason(outcome.reason))
    }

    /// Returns the ending that holds after this number of quiet turns.
    pub(crate) fn end_after(&self, quiet: u32) -> Option<&str> {
        let (tally, own) = (Tally::new(1, quiet), self.rules.mover(&self.position));
        self.rules.ending(&self.position, tally, Trigger::Rule, own, None).map(|ending| ending.code)
    }

    /// Describes the pieces on a square: `BLUE ROOK`, `BLUE KING + BLUE ROOK`, or `-`.
    pub(crate) fn at(&self, square: &str) -> String {
        let square = self.rules.board().parse(square).expect("a square");
        let pieces = [self.position.piece(square), self.position.guest(square)];
        let words: Vec<String> = pieces
            .iter()
            .flatten()
            .map(|piece| format!("{} {}", self.name(piece.player), self.rules.kind(piece.kind).code))
            .collect();
        if words.is_empty() { "-".into() } else { words.join(" + ") }
    }

    /// Returns the player who controls an army.
    pub(crate) fn controller(&self, army: &str) -> &str {
        self.position.controller(self.army(army)).map_or("-", |player| self.name(player))
    }

    pub(crate) fn is_frozen(&self, army: &str) -> bool {
        self.position.frozen().contains(self.army(army))
    }

    pub(crate) fn in_check(&self, army: &str) -> bool {
        self.rules.in_check(&self.position, self.army(army))
    }

    pub(crate) fn army(&self, name: &str) -> Player {
        self.rules.players().find(|player| self.name(*player) == name).expect("an army")
    }

    fn name(&self, player: Player) -> &str {
        &self.rules.player(player).name
    }
}

impl std::fmt::Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&fen(&self.rules, &State::new(self.position.clone())))
    }
}
