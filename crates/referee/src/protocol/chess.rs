//! The chess dialect of states. A state holds the same information as FEN and is parsed by way of FEN, so the rules decide
//! whether a position is possible, as in every other game.

use serde_json::value::RawValue;
use tabiya_engine::{Kind, Piece, Player, Position, Rules, Setup, Square};
use tabiya_notation::{State, parse_state, parse_state_strict, setup_problems};

use super::object::{Object, clip, read as read_value};
use crate::Game;

/// A castling right.
struct Right {
    side: usize,
    wing: &'static str,
    /// Its letter in FEN.
    letter: char,
    king: Square,
    rook: Square,
}

/// All rights, in the order of FEN.
const RIGHTS: [Right; 4] = [
    Right { side: 0, wing: "kingside", letter: 'K', king: Square(4), rook: Square(7) },
    Right { side: 0, wing: "queenside", letter: 'Q', king: Square(4), rook: Square(0) },
    Right { side: 1, wing: "kingside", letter: 'k', king: Square(60), rook: Square(63) },
    Right { side: 1, wing: "queenside", letter: 'q', king: Square(60), rook: Square(56) },
];

impl Right {
    /// Whether king and rook are on their squares and have not moved.
    fn holds(&self, rules: &Rules, position: &Position) -> bool {
        let stands = |square: Square, letter: char| {
            position.piece(square).is_some_and(|piece| {
                piece.unmoved
                    && piece.player.index() == self.side
                    && rules.kind(piece.kind).symbol.plain_letter() == Some(letter)
            })
        };
        stands(self.king, 'K') && stands(self.rook, 'R')
    }
}

/// The names of the players in this dialect and in FEN.
const SIDES: [(&str, &str); 2] = [("white", "w"), ("black", "b")];

/// Parses a state and adds its errors to `reasons`. It may return a state even if there are errors.
pub(super) fn read(rules: &Rules, fields: Object<'_>, reasons: &mut Vec<String>) -> Option<State> {
    let mut reader = StateReader { rules, fields, reasons };
    let board = reader.board();
    let turn = reader.turn();
    let castling = reader.castling(board.as_ref());
    let passed = reader.en_passant();
    let quiet = reader.number("halfmove_clock", 0);
    let round = reader.number("fullmove_number", 1);
    let board = board?;
    let Some(turn) = turn.filter(|_| board.is_known) else {
        reasons.extend(board.faults(rules));
        return None;
    };
    let passed = passed.as_deref().unwrap_or("-");
    let text = format!("{} {turn} {castling} {passed} 0 1", board.placement());
    match parse_state_strict(rules, &text) {
        Ok(state) => Some(State { quiet: quiet?, round: round?, ..state }),
        Err(error) => {
            reasons.extend(error.reasons);
            None
        }
    }
}

/// The piece letters on the 64 squares.
struct Board {
    letters: [Option<char>; 64],
    pieces: Vec<(Square, Piece)>,
    /// Whether every piece was parsed.
    is_known: bool,
}

impl Board {
    fn placement(&self) -> String {
        let rank = |y: usize| {
            let mut text = String::new();
            let mut empty = 0;
            for letter in &self.letters[8 * y..8 * y + 8] {
                match letter {
                    None => empty += 1,
                    Some(letter) => {
                        push_run(&mut text, &mut empty);
                        text.push(*letter);
                    }
                }
            }
            push_run(&mut text, &mut empty);
            text
        };
        (0..8).rev().map(rank).collect::<Vec<_>>().join("/")
    }

    /// Returns the errors of the board that do not depend on the turn. The setup has a turn outside the order for that.
    fn faults(&self, rules: &Rules) -> Vec<String> {
        setup_problems(rules, &Setup { pieces: self.pieces.clone(), slot: u16::MAX, ..Setup::default() })
    }
}

fn push_run(text: &mut String, empty: &mut u8) {
    if *empty > 0 {
        text.push(char::from(b'0' + *empty));
        *empty = 0;
    }
}

struct StateReader<'r, 't> {
    rules: &'r Rules,
    fields: Object<'t>,
    reasons: &'r mut Vec<String>,
}

impl<'t> StateReader<'_, 't> {
    fn need(&mut self, key: &str) -> Option<&'t RawValue> {
        let raw = self.fields.take(key);
        if raw.is_none() {
            self.reasons.push(format!("the key `{key}` is missing"));
        }
        raw
    }

    fn object(&mut self, place: &str, raw: &'t RawValue) -> Option<Object<'t>> {
        if let Ok(object) = Object::parse(raw.get()) {
            return Some(object.once(&format!("`{place}`"), self.reasons));
        }
        self.reasons.push(format!("`{place}` is not an object"));
        None
    }

    fn board(&mut self) -> Option<Board> {
        let raw = self.need("board")?;
        let object = self.object("board", raw)?;
        let mut board = Board { letters: [None; 64], pieces: Vec::new(), is_known: true };
        for (name, raw) in object.into_pairs() {
            let Some(square) = self.rules.board().parse(&name) else {
                self.reasons.push(format!("board: `{}` is not a square", clip(&name)));
                continue;
            };
            if let Some((letter, piece)) = read_value::<String>(raw).and_then(|symbol| self.piece(&symbol)) {
                board.letters[square.index()] = Some(letter);
                board.pieces.push((square, piece));
            } else {
                board.is_known = false;
                self.reasons.push(format!("board: {name}: {} is not a piece symbol", clip(raw.get())));
            }
        }
        Some(board)
    }

    fn piece(&self, symbol: &str) -> Option<(char, Piece)> {
        let mut letters = symbol.chars();
        let (Some(letter), None) = (letters.next(), letters.next()) else { return None };
        let called =
            |kind: &Kind| self.rules.kind(*kind).symbol.plain_letter() == Some(letter.to_ascii_uppercase());
        let kind = self.rules.kinds().find(called)?;
        let player = Player(u8::from(letter.is_ascii_lowercase()));
        Some((letter, Piece { player, kind, unmoved: false }))
    }

    /// The side to move in FEN.
    fn turn(&mut self) -> Option<&'static str> {
        let raw = self.need("turn")?;
        let name: Option<String> = read_value(raw);
        let side = SIDES.iter().find(|(side, _)| Some(*side) == name.as_deref());
        if side.is_none() {
            self.reasons.push(format!("`turn` is neither \"white\" nor \"black\": {}", clip(raw.get())));
        }
        side.map(|(_, letter)| *letter)
    }

    /// The castling field of FEN, with the rights that are possible.
    fn castling(&mut self, board: Option<&Board>) -> String {
        let Some(object) = self.need("castling").and_then(|raw| self.object("castling", raw)) else {
            return "-".to_owned();
        };
        let mut sides = object;
        let mut field = String::new();
        for (index, (name, _)) in SIDES.iter().enumerate() {
            let place = format!("castling.{name}");
            let Some(raw) = sides.take(name) else {
                self.reasons.push(format!("the key `{place}` is missing"));
                continue;
            };
            let Some(mut rights) = self.object(&place, raw) else { continue };
            for right in RIGHTS.iter().filter(|right| right.side == index) {
                let place = format!("{place}.{}", right.wing);
                if self.is_granted(&place, rights.take(right.wing)) {
                    field.extend(self.possible(&place, right.letter, board));
                }
            }
        }
        if field.is_empty() { "-".to_owned() } else { field }
    }

    fn is_granted(&mut self, place: &str, raw: Option<&RawValue>) -> bool {
        let right = raw.map(read_value::<bool>);
        match right {
            None => self.reasons.push(format!("the key `{place}` is missing")),
            Some(None) => self.reasons.push(format!("`{place}` is neither true nor false")),
            Some(Some(_)) => {}
        }
        right.flatten().unwrap_or(false)
    }

    /// The letter of a right, if king and rook are on their squares. The resulting text is always valid.
    fn possible(&mut self, place: &str, letter: char, board: Option<&Board>) -> Option<char> {
        let text = format!("{} w {letter} -", board?.placement());
        match parse_state(self.rules, &text) {
            Ok(_) => Some(letter),
            Err(error) => {
                self.reasons.extend(error.reasons.into_iter().map(|reason| format!("{place}: {reason}")));
                None
            }
        }
    }

    fn en_passant(&mut self) -> Option<String> {
        let raw = self.need("en_passant")?;
        let square = read_value::<Option<String>>(raw);
        let is_square = |name: &String| self.rules.board().parse(name).is_some();
        match square {
            Some(None) => None,
            Some(Some(name)) if is_square(&name) => Some(name),
            _ => {
                self.reasons.push(format!("`en_passant` is neither a square nor null: {}", clip(raw.get())));
                None
            }
        }
    }

    fn number(&mut self, key: &str, least: u32) -> Option<u32> {
        let raw = self.need(key)?;
        let number = read_value::<u32>(raw).filter(|number| *number >= least);
        if number.is_none() {
            let why =
                format!("`{key}` is not a whole number from {least} to {}: {}", u32::MAX, clip(raw.get()));
            self.reasons.push(why);
        }
        number
    }
}

/// Writes a state without its closing brace. `history` is the content of `position_history`.
pub(super) fn write(game: &Game, history: &str) -> String {
    let (rules, state) = (game.rules(), game.state());
    let position = &state.position;
    let mut text = String::with_capacity(800 + history.len());
    text.push_str("{\"board\":{");
    for (index, (square, piece)) in position.pieces().enumerate() {
        if index > 0 {
            text.push(',');
        }
        text.push('"');
        push_name(&mut text, square);
        text.push_str("\":\"");
        text.push(letter(rules, piece));
        text.push('"');
    }
    text.push_str("},\"turn\":\"");
    text.push_str(SIDES[game.mover().index()].0);
    text.push_str("\",\"castling\":{");
    for (index, right) in RIGHTS.iter().enumerate() {
        if index % 2 == 0 {
            text.push_str(if index == 0 { "\"" } else { "},\"" });
            text.push_str(SIDES[right.side].0);
            text.push_str("\":{\"");
        } else {
            text.push_str(",\"");
        }
        text.push_str(right.wing);
        text.push_str(if right.holds(rules, position) { "\":true" } else { "\":false" });
    }
    text.push_str("}},\"en_passant\":");
    match passed(position) {
        Some(square) => {
            text.push('"');
            push_name(&mut text, square);
            text.push('"');
        }
        None => text.push_str("null"),
    }
    text.push_str(&format!(",\"halfmove_clock\":{},\"fullmove_number\":{}", state.quiet, state.round));
    text.push_str(",\"position_history\":[");
    text.push_str(history);
    text.push(']');
    text
}

/// The first four fields of FEN. For an identity this is the same text as [`tabiya_notation::simplified_fen`], a hundred times
/// as fast, because an identity needs no move generation.
pub(super) fn four_fields(rules: &Rules, position: &Position) -> String {
    let mut letters = [None; 64];
    for (square, piece) in position.pieces() {
        letters[square.index()] = Some(letter(rules, piece));
    }
    let mut text = Board { letters, pieces: Vec::new(), is_known: true }.placement();
    text.push(' ');
    text.push_str(SIDES[rules.mover(position).index()].1);
    text.push(' ');
    let before = text.len();
    text.extend(RIGHTS.iter().filter(|right| right.holds(rules, position)).map(|right| right.letter));
    if text.len() == before {
        text.push('-');
    }
    text.push(' ');
    match passed(position) {
        Some(square) => push_name(&mut text, square),
        None => text.push('-'),
    }
    text
}

fn letter(rules: &Rules, piece: Piece) -> char {
    let letter = rules.kind(piece.kind).symbol.plain_letter().unwrap_or('?');
    if piece.player == Player(0) { letter } else { letter.to_ascii_lowercase() }
}

/// The name of a square on a board of eight files.
fn push_name(text: &mut String, square: Square) {
    text.push(char::from(b'a' + (square.0 % 8) as u8));
    text.push(char::from(b'1' + (square.0 / 8) as u8));
}

/// The en passant square: the one behind a pawn with a flag. No other piece has one.
fn passed(position: &Position) -> Option<Square> {
    let mark = position.marks().first()?;
    let pawn = position.piece(mark.square)?;
    let behind = if pawn.player == Player(0) { mark.square.0.checked_sub(8)? } else { mark.square.0 + 8 };
    (behind < 64).then_some(Square(behind))
}
