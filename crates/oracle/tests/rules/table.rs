//! A small game and its current state, for tests. Squares are written `a1`, moves `a1a4`.

use std::sync::Arc;

use tabiya_oracle::{Oracle, Ply, Square, State};
use tabiya_spec::model::GameSpec;

/// A game and its current state.
#[derive(Clone)]
pub(crate) struct Table {
    spec: Arc<GameSpec>,
    pub(crate) state: State,
}

impl Table {
    /// Returns the start of the game in a spec.
    pub(crate) fn from_text(text: &str) -> Self {
        let loaded = tabiya_spec::load(text.as_bytes());
        let game = loaded.game.unwrap_or_else(|| panic!("{:#?}\n{text}", loaded.diagnostics));
        let spec = game.spec;
        let state = Oracle::new(&spec).start();
        Table { spec, state }
    }

    pub(crate) fn oracle(&self) -> Oracle<'_> {
        Oracle::new(&self.spec)
    }

    /// Returns the targets of the piece on a square, sorted: `b2 b3=QUEEN`.
    pub(crate) fn moves(&self, from: &str) -> String {
        let own = |ply: &Ply| name(ply.from) == from;
        let mut found: Vec<String> =
            self.oracle().legal(&self.state).iter().filter(|ply| own(ply)).map(brief).collect();
        found.sort();
        found.join(" ")
    }

    /// Returns the targets with definition ids, in the order of the list: `b2#0`.
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

    /// Describes the piece on a square: `WHITE ROOK`, `WHITE ROOK unmoved`, `WHITE PAWN HOT:1`, or `-`.
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

    /// Marks the pieces on these squares as moved.
    pub(crate) fn moved(mut self, squares: &str) -> Self {
        for square in squares.split(' ') {
            self.state.pieces.get_mut(&at(square)).expect("a piece").moved = true;
        }
        self
    }

    /// Removes the pieces on these squares.
    pub(crate) fn without(mut self, squares: &str) -> Self {
        for square in squares.split(' ') {
            self.state.pieces.remove(&at(square)).expect("a piece");
        }
        self
    }

    /// Returns the identity of the position.
    pub(crate) fn same(&self, other: &Table) -> bool {
        self.oracle().identity(&self.state) == self.oracle().identity(&other.state)
    }

    /// Describes the outcome: `checkmate WHITE`, `stalemate`, or `-`.
    pub(crate) fn outcome(&self) -> String {
        let Some(verdict) = self.oracle().outcome(&self.state) else { return "-".into() };
        [vec![verdict.reason], verdict.winners].concat().join(" ")
    }

    /// Returns the player to move and the eliminated players: `WHITE` or `WHITE without RED GOLD`.
    pub(crate) fn turn(&self) -> String {
        let out: Vec<&str> = self.state.eliminated.iter().map(String::as_str).collect();
        let player = self.oracle().to_move(&self.state).to_owned();
        if out.is_empty() { player } else { format!("{player} without {}", out.join(" ")) }
    }
}

/// Parses a square.
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
