//! Moves as text: `e2e4`, with the letter of what a piece becomes (`a7a8q`), and with the number of the move where
//! only that tells two moves apart (`e1g1#9`). Where two pieces share a square and both can make a move, the letter of the
//! piece comes first (`Ke1d1`).
//!
//! This is also how moves are written in UCI, castling as the leader's move, and on larger boards as engines for them do
//! (`a10b10`): a square is letters and then digits, so the two squares never run into each other. There is no second
//! writer for it. What UCI cannot say, and no game of the usual forms needs, is the number of the move.
//!
//! Leniencies when reading: upper case; a space between the squares; squares as `[x,y]`; the whole code for the
//! letter, with or without `=`.

use std::collections::HashMap;
use std::fmt;

use tabiya_engine::{IllegalMove, Kind, Move, Position, Rules, Square};

use crate::letters::{self, clip};
use crate::refusal::refusal_text;

/// Why a text is no legal move. Its display is one sentence for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// Not of the form `e2e4`, `e2 e4` or `[4,1] [4,3]`.
    Unreadable(String),
    /// Not of the form `Nf3`, `exd5` or `O-O`.
    NotSan(String),
    /// There is such a move, but what the text says about it is not true; these are the texts that are.
    Untrue(Vec<String>),
    /// The board has no such square.
    NoSuchSquare(String),
    /// The game has no piece of that letter or code to become.
    NoSuchPiece(String),
    /// The piece must become one of these.
    NeedsPromotion {
        /// The options.
        options: Vec<Kind>,
        /// The sentence.
        message: String,
    },
    /// Several moves fit; these are their texts.
    Ambiguous(Vec<String>),
    /// It is no move, and what it is cannot be done here; the sentence.
    Impossible(String),
    /// The rules forbid it, for this reason.
    Illegal {
        /// The reason as data.
        refusal: IllegalMove,
        /// The sentence.
        message: String,
    },
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveError::Unreadable(text) => {
                write!(f, "`{}` is not a move: write it as e2e4, e2 e4 or [4,1] [4,3]", clip(text))
            }
            MoveError::NotSan(text) => {
                write!(f, "`{}` is not a move: write it as Nf3, exd5, e8=Q or O-O", clip(text))
            }
            MoveError::Untrue(texts) => write!(f, "that is written {}", texts.join(" or ")),
            MoveError::NoSuchSquare(text) => write!(f, "`{}` is not a square of this board", clip(text)),
            MoveError::NoSuchPiece(text) => write!(f, "no piece of this game is called `{}`", clip(text)),
            MoveError::NeedsPromotion { message, .. }
            | MoveError::Illegal { message, .. }
            | MoveError::Impossible(message) => f.write_str(message),
            MoveError::Ambiguous(texts) => write!(f, "several moves fit: {}", texts.join(", ")),
        }
    }
}

impl std::error::Error for MoveError {}

/// Reads a legal move of the position.
pub fn parse_move(rules: &Rules, position: &Position, text: &str) -> Result<Move, MoveError> {
    let unreadable = || MoveError::Unreadable(text.trim().to_owned());
    let (wish, promotion) = Wish::parse(rules, text).ok_or_else(unreadable)??;
    let promotion = match promotion {
        "" => None,
        name => Some(letters::kind(rules, name).ok_or_else(|| MoveError::NoSuchPiece(name.to_owned()))?),
    };
    let mut fitting = rules.legal_moves(position);
    fitting.retain(|played| (played.from, played.to) == (wish.from, wish.to));
    fitting.retain(|played| wish.id.is_none_or(|id| rules.move_id(position, *played) == id));
    fitting.retain(|played| wish.kind.is_none_or(|kind| rules.moving_kind(position, *played) == kind));
    if fitting.is_empty() {
        let refusal = rules.why_illegal(position, wish.from, wish.to);
        let message = refusal_text(rules, position, wish.from, wish.to, &refusal);
        return Err(MoveError::Illegal { refusal, message });
    }
    only(rules, position, &fitting, promotion, |played| move_text(rules, position, played))
}

/// The only move with that promotion, of some legal ones that a text may mean; `text` writes those that remain.
pub(crate) fn only(
    rules: &Rules,
    position: &Position,
    fitting: &[Move],
    promotion: Option<Kind>,
    text: impl Fn(Move) -> String,
) -> Result<Move, MoveError> {
    let mut options: Vec<Kind> = Vec::new();
    for kind in fitting.iter().filter_map(|played| played.promotion) {
        if !options.contains(&kind) {
            options.push(kind);
        }
    }
    let chosen: Vec<Move> = fitting.iter().filter(|played| played.promotion == promotion).copied().collect();
    match (chosen.as_slice(), fitting.first()) {
        ([played], _) => Ok(*played),
        ([], _) if promotion.is_none() => {
            let message = format!("the piece must become one of {}: say which", codes(rules, &options));
            Err(MoveError::NeedsPromotion { options, message })
        }
        ([], Some(first)) => {
            let refusal = IllegalMove::Promotion(options);
            let message = refusal_text(rules, position, first.from, first.to, &refusal);
            Err(MoveError::Illegal { refusal, message })
        }
        (several, _) => Err(MoveError::Ambiguous(several.iter().copied().map(text).collect())),
    }
}

/// The codes of some kinds, for a sentence.
pub(crate) fn codes(rules: &Rules, kinds: &[Kind]) -> String {
    kinds.iter().map(|kind| rules.kind(*kind).code.as_str()).collect::<Vec<_>>().join(", ")
}

/// Writes a legal move so that it can be read back in this position.
pub fn move_text(rules: &Rules, position: &Position, played: Move) -> String {
    let partner = |other: &Move| {
        (other.from, other.to, other.promotion) == (played.from, played.to, played.promotion)
            && other.guest != played.guest
    };
    let twin = |other: &Move| Move { pattern: played.pattern, ..*other } == played && *other != played;
    let is_shared = position.guest(played.from).is_some();
    let may_coincide = rules.may_coincide(rules.moving_kind(position, played));
    // Hardly any move needs to know the others.
    let others = if is_shared || may_coincide { rules.legal_moves(position) } else { Vec::new() };
    let has_partner = is_shared && others.iter().any(partner);
    let has_twin = may_coincide && others.iter().any(twin);
    written(rules, position, played, has_partner, has_twin)
}

/// Every legal move with its text, in the time that one takes where moves must be told apart.
pub fn move_texts(rules: &Rules, position: &Position) -> Vec<(Move, String)> {
    let moves = rules.legal_moves(position);
    let (mut by_either, mut alike) = (HashMap::new(), HashMap::new());
    for it in &moves {
        let guests: &mut [bool; 2] = by_either.entry((it.from, it.to, it.promotion)).or_default();
        guests[usize::from(it.guest)] = true;
        *alike.entry(Move { pattern: 0, ..*it }).or_insert(0) += 1;
    }
    let text = |it: Move| {
        let has_partner = by_either[&(it.from, it.to, it.promotion)] == [true; 2];
        written(rules, position, it, has_partner, alike[&Move { pattern: 0, ..it }] > 1)
    };
    moves.iter().map(|it| (*it, text(*it))).collect()
}

/// A move as text, if it is known what it must be told apart from.
fn written(rules: &Rules, position: &Position, played: Move, has_partner: bool, has_twin: bool) -> String {
    let board = rules.board();
    let mut text = format!("{}{}", board.name(played.from), board.name(played.to));
    if let Some(kind) = played.promotion {
        text.extend(rules.kind(kind).letter.to_lowercase());
    }
    if has_partner {
        text.insert(0, rules.kind(rules.moving_kind(position, played)).letter);
    }
    if has_twin {
        text.push_str(&format!("#{}", rules.move_id(position, played)));
    }
    text
}

/// What a text asks for.
struct Wish {
    from: Square,
    to: Square,
    id: Option<i32>,
    /// The piece that shall move, where its letter is said.
    kind: Option<Kind>,
}

impl Wish {
    /// The wish, and the name of what the piece shall become (empty: nothing).
    fn parse<'t>(rules: &Rules, text: &'t str) -> Option<Result<(Self, &'t str), MoveError>> {
        let text = text.trim();
        if text.len() > 400 {
            return None;
        }
        let (text, id) = match text.rsplit_once('#') {
            Some((before, id)) => (before.trim_end(), Some(id.trim().parse().ok()?)),
            None => (text, None),
        };
        let (kind, text) = named_piece(rules, text);
        let (from, rest) = square(rules, text)?;
        let (to, rest) = square(rules, rest)?;
        let rest = rest.trim_start().trim_start_matches('=').trim();
        Some(from.and_then(|from| Ok((Wish { from, to: to?, id, kind }, rest))))
    }
}

/// The piece whose capital letter stands before the first square, if it is no part of that.
fn named_piece<'t>(rules: &Rules, text: &'t str) -> (Option<Kind>, &'t str) {
    let is_square = |text: &str| matches!(square(rules, text), Some((Ok(_), _)));
    let kind = |letter: char| rules.kinds().find(|kind| rules.kind(*kind).letter == letter);
    let named = text.chars().next().filter(|letter| letter.is_uppercase() && !is_square(text));
    let found = named.and_then(|letter| Some((kind(letter)?, &text[letter.len_utf8()..])));
    match found {
        Some((kind, rest)) if is_square(rest) => (Some(kind), rest),
        _ => (None, text),
    }
}

/// The square at the beginning of a text, `e2` or `[4,1]`, and what follows it. It may look like a square and be none
/// of this board.
fn square<'t>(rules: &Rules, text: &'t str) -> Option<(Result<Square, MoveError>, &'t str)> {
    let text = text.trim_start();
    let board = rules.board();
    let (name, found, rest) = if let Some(inside) = text.strip_prefix('[') {
        let (inside, rest) = inside.split_once(']')?;
        let (x, y) = inside.split_once(',')?;
        let found = board.square(x.trim().parse().ok()?, y.trim().parse().ok()?);
        (format!("[{inside}]"), found, rest)
    } else {
        let digits = text.find(|c: char| !c.is_ascii_alphabetic()).filter(|letters| *letters > 0)?;
        let end =
            text[digits..].find(|c: char| !c.is_ascii_digit()).map_or(text.len(), |length| digits + length);
        let (name, rest) = text.split_at(end);
        (digits < end).then_some(())?;
        (name.to_owned(), board.parse(&name.to_ascii_lowercase()), rest)
    };
    Some((found.ok_or(MoveError::NoSuchSquare(name)), rest))
}
