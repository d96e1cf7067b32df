//! Moves in UCI notation, for every game: `e2e4`, `a7a8q`.
//!
//! Castling is the leader's move, or names the square of the partner if the leader moves by less than two squares (`f1h1`).
//! Squares of larger boards have as many letters and digits as they need (`a10b10`). On a board with levels, a square begins
//! with the capital letter of its level (`Ac1Bc2`). Two additions go beyond UCI; common
//! games need neither. If several moves of a piece lead to the same square, `#` and a number follow (`e1g1#2`), see
//! [`way`]. If the piece shares its square with another, its letter comes first (`Kd1e1`). Drops are those of
//! Fairy-Stockfish, `P@e5` ([`crate::drops`]).
//!
//! A turn of several parts is written part by part, `e2e4,e4d5` ([`crate::parts`]).
//!
//! The parser also accepts upper case (without levels), a space between the squares, squares as `[x,y]`, and the full code of the
//! promoted piece, with or without `=`.

use std::collections::HashMap;
use tabiya_engine::{IllegalMove, Kind, Move, Position, Rules, Square};

use crate::drops;
use crate::gating;
use crate::illegal_move::explain_illegal_move;
use crate::parts;
use crate::symbols::{self, clip};
use crate::ways::{between, target_among, text_target, way, way_among, way_if};

/// Why a text is not a legal move. Displays as one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// The text does not have the form `e2e4`, `e2 e4` or `[4,1] [4,3]`.
    Unreadable(String),
    /// The text does not have the form `Nf3`, `exd5` or `O-O`.
    NotSan(String),
    /// The move exists but is written differently; these are the correct texts.
    WrongForm(Vec<String>),
    /// The board has no such square.
    NoSuchSquare(String),
    /// The game has no piece with that letter or code.
    NoSuchPiece(String),
    /// The text does not say what the piece is promoted to.
    NeedsPromotion {
        /// The possible kinds.
        options: Vec<Kind>,
        /// The explanation.
        message: String,
    },
    /// Several moves match; these are their texts.
    Ambiguous(Vec<String>),
    /// The text is a step other than a move, and is impossible here; the explanation.
    Impossible(String),
    /// The rules forbid the move.
    Illegal {
        /// The reason.
        reason: IllegalMove,
        /// The explanation.
        message: String,
    },
}

tabiya_engine::error_messages! { MoveError:
    MoveError::Unreadable(text) => "`{}` is not a move: write it as e2e4, e2 e4 or [4,1] [4,3]", clip(text);
    MoveError::NotSan(text) => "`{}` is not a move: write it as Nf3, exd5, e8=Q or O-O", clip(text);
    MoveError::WrongForm(texts) => "that move is written {}", texts.join(" or ");
    MoveError::NoSuchSquare(text) => "`{}` is not a square of this board", clip(text);
    MoveError::NoSuchPiece(text) => "this game has no piece `{}`", clip(text);
    MoveError::NeedsPromotion { message, .. } => "{message}";
    MoveError::Illegal { message, .. } | MoveError::Impossible(message) => "{message}";
    MoveError::Ambiguous(texts) => "several moves match: {}", texts.join(", ");
}

/// Parses a legal move of the position.
///
/// # Errors
///
/// Returns why the text is not a legal move.
///
/// # Examples
///
/// ```
/// let game = tabiya_spec::library::load("chess").unwrap();
/// let (rules, start) = (&game.rules, game.rules.start());
/// let knight = tabiya_notation::parse_uci(rules, &start, "g1f3").unwrap();
/// assert_eq!(tabiya_notation::uci(rules, &start, knight), "g1f3");
/// let error = tabiya_notation::parse_uci(rules, &start, "g1g3").unwrap_err();
/// assert_eq!(error.to_string(), "the KNIGHT cannot move from g1 to g3");
/// ```
pub fn parse_uci(rules: &Rules, position: &Position, text: &str) -> Result<Move, MoveError> {
    if rules.has_parts() {
        return parts::parse(rules, position, text);
    }
    parse_part(rules, position, text)
}

/// Parses a move whose turn has one part.
pub(crate) fn parse_part(rules: &Rules, position: &Position, text: &str) -> Result<Move, MoveError> {
    if let Some(drop) = drops::split(text) {
        return drops::parse(rules, position, &drop, |played| uci(rules, position, played));
    }
    let unreadable = || MoveError::Unreadable(text.trim().to_owned());
    let (request, promotion) = MoveRequest::parse(rules, text).ok_or_else(unreadable)??;
    let promotion = match promotion {
        "" => None,
        name => Some(symbols::kind(rules, name).ok_or_else(|| MoveError::NoSuchPiece(name.to_owned()))?),
    };
    let moves = rules.legal_moves(position);
    let mut between = between(rules, position, &moves, (request.from, request.to));
    between.retain(|played| request.kind.is_none_or(|kind| rules.moving_kind(position, *played) == kind));
    if let Some(kind) = promotion
        && !between.iter().any(|played| played.promotion == Some(kind))
        && let [played] = gating::with_drop(rules, position, &moves, kind, (request.from, request.to))[..]
    {
        return Ok(played);
    }
    if request.way.is_none() && rules.drops_with_moves() {
        between = gating::without_drops(rules, position, between);
    }
    if between.is_empty() {
        return Err(request.illegal(rules, position));
    }
    let mut fitting = between.clone();
    fitting.retain(|it| request.way.is_none() || way_among(rules, position, *it, &moves) == request.way);
    if fitting.is_empty() {
        return Err(MoveError::WrongForm(between.iter().map(|it| uci(rules, position, *it)).collect()));
    }
    only(rules, position, &fitting, promotion, |played| uci(rules, position, played))
}

/// Returns the only move with that promotion among the legal moves that match a text. `text` writes a move for the
/// error if several remain.
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
    // A letter without a tilde may stand for the piece with it.
    let mover = rules.mover(position);
    let alike = |kind: Kind| options.iter().copied().find(|it| symbols::are_alike(rules, mover, kind, *it));
    let promotion =
        promotion.map(|kind| if options.contains(&kind) { kind } else { alike(kind).unwrap_or(kind) });
    // A single option need not be named.
    let promotion = match (promotion, options.as_slice()) {
        (None, [option]) if fitting.iter().all(|played| played.promotion.is_some()) => Some(*option),
        _ => promotion,
    };
    let chosen: Vec<Move> = fitting.iter().filter(|played| played.promotion == promotion).copied().collect();
    match (chosen.as_slice(), fitting.first()) {
        ([played], _) => Ok(*played),
        ([], _) if promotion.is_none() => {
            let message = format!("the piece must be promoted: say to which of {}", codes(rules, &options));
            Err(MoveError::NeedsPromotion { options, message })
        }
        ([], Some(first)) => {
            let reason = IllegalMove::Promotion(options);
            let message = explain_illegal_move(rules, position, first.spot(), first.to, &reason);
            Err(MoveError::Illegal { reason, message })
        }
        (several, _) => Err(MoveError::Ambiguous(several.iter().copied().map(text).collect())),
    }
}

/// Lists the codes of some kinds.
pub(crate) fn codes(rules: &Rules, kinds: &[Kind]) -> String {
    kinds.iter().map(|kind| rules.kind(*kind).code.as_str()).collect::<Vec<_>>().join(", ")
}

/// Writes a legal move in UCI notation. [`parse_uci`] reads it back in the same position.
pub fn uci(rules: &Rules, position: &Position, played: Move) -> String {
    if rules.has_parts() {
        return parts::text(rules, position, played);
    }
    let way = if rules.drops_with_moves() {
        way_in_text(rules, position, played, &rules.legal_moves(position))
    } else {
        way(rules, position, played)
    };
    write(rules, position, (played, text_target(rules, position, played)), way)
}

/// Returns the number of a move among those with the same text.
fn way_in_text(rules: &Rules, position: &Position, played: Move, moves: &[Move]) -> Option<u32> {
    let squares = |it: Move| rules.dropped_with(position, it);
    let own = squares(played);
    way_if(rules, position, played, moves, |other| squares(other) == own)
}

/// Returns every legal move with its UCI text, generating the moves only once.
pub fn legal_moves_uci(rules: &Rules, position: &Position) -> Vec<(Move, String)> {
    if rules.has_parts() {
        return parts::texts(rules, position);
    }
    let moves = rules.legal_moves(position);
    let mut alike = HashMap::new();
    for it in &moves {
        *alike.entry(Move { pattern: 0, ..*it }).or_insert(0) += 1;
    }
    let text = |it: Move| {
        let is_unique = alike[&Move { pattern: 0, ..it }] == 1;
        let way = if is_unique { None } else { way_in_text(rules, position, it, &moves) };
        write(rules, position, (it, target_among(rules, position, it, &moves)), way)
    };
    moves.iter().map(|it| (*it, text(*it))).collect()
}

/// Writes a move, given its target in the text and its number if several moves lead there. The kinds of two pieces on a
/// square differ, because only one of them is a leader.
pub(crate) fn write(
    rules: &Rules,
    position: &Position,
    (played, to): (Move, Square),
    way: Option<u32>,
) -> String {
    if let Some(kind) = played.dropped() {
        return drops::write(rules, position, (kind, played), "");
    }
    let board = rules.board();
    let (first, second) = gating::partner_first(rules, position, played).unwrap_or((played.from, to));
    let mut text = format!("{}{}", board.name(first), board.name(second));
    let piece = if played.guest { position.guest(played.from) } else { position.piece(played.from) };
    let owner = piece.map_or_else(|| rules.mover(position), |piece| piece.player);
    if let Some(kind) = played.promotion {
        text.push_str(&symbols::promotion_text(rules, owner, kind).to_lowercase());
    }
    text.push_str(&gating::letters(rules, position, played));
    if position.guest(played.from).is_some() {
        text.insert_str(0, rules.kind(rules.moving_kind(position, played)).symbol.written(owner));
    }
    if let Some(way) = way {
        text.push_str(&format!("#{way}"));
    }
    text
}

/// A move as written, before it is matched with the legal moves.
struct MoveRequest {
    from: Square,
    to: Square,
    /// The number among several moves that lead there.
    way: Option<u32>,
    /// The kind of the moving piece, if its letter is given.
    kind: Option<Kind>,
}

impl MoveRequest {
    /// Parses the request and returns it with the name of the promoted piece (empty: none).
    fn parse<'t>(rules: &Rules, text: &'t str) -> Option<Result<(Self, &'t str), MoveError>> {
        let text = text.trim();
        if text.len() > 400 {
            return None;
        }
        let (text, way) = match text.rsplit_once('#') {
            Some((before, way)) => (before.trim_end(), Some(way.trim().parse().ok()?)),
            None => (text, None),
        };
        let (kind, text) = named_piece(rules, text);
        let (from, rest) = square(rules, text)?;
        let (to, rest) = square(rules, rest)?;
        let rest = rest.trim_start().trim_start_matches('=').trim();
        Some(from.and_then(|from| Ok((MoveRequest { from, to: to?, way, kind }, rest))))
    }

    /// Returns why no move of that piece between the squares is legal.
    fn illegal(&self, rules: &Rules, position: &Position) -> MoveError {
        let spot = match self.kind {
            None => Ok(rules.closest_mover(position, self.from, self.to)),
            Some(kind) => rules.mover_on(position, self.from, kind).ok_or(kind),
        };
        let spot = match spot {
            Ok(spot) => spot,
            Err(kind) => {
                let (code, name) = (&rules.kind(kind).code, rules.board().name(self.from));
                let message = format!("there is no {code} of yours on {name}");
                return MoveError::Illegal { reason: IllegalMove::NoPiece, message };
            }
        };
        let reason = rules.why_illegal_by(position, spot, self.to);
        let message = explain_illegal_move(rules, position, spot, self.to, &reason);
        MoveError::Illegal { reason, message }
    }
}

/// Splits off the symbol of a piece before the first square. A capital letter before a small one is not part of a square.
fn named_piece<'t>(rules: &Rules, text: &'t str) -> (Option<Kind>, &'t str) {
    let is_square = |text: &str| matches!(square(rules, text), Some((Ok(_), _)));
    match symbols::split_kind(rules, text) {
        Some((kind, rest))
            if is_square(rest) && (rest.starts_with(char::is_lowercase) || !is_square(text)) =>
        {
            (Some(kind), rest)
        }
        _ => (None, text),
    }
}

/// Splits off a square, `e2` or `[4,1]`, at the beginning of a text. It may have the form of a square without being on
/// this board.
pub(crate) fn square<'t>(rules: &Rules, text: &'t str) -> Option<(Result<Square, MoveError>, &'t str)> {
    let text = text.trim_start();
    let board = rules.board();
    let (name, found, rest) = if let Some(inside) = text.strip_prefix('[') {
        let (inside, rest) = inside.split_once(']')?;
        let written: Option<Vec<i32>> = inside.split(',').map(|part| part.trim().parse().ok()).collect();
        let found = board.at(&written?);
        (format!("[{inside}]"), found, rest)
    } else {
        let digits = text.find(|c: char| !c.is_ascii_alphabetic()).filter(|letters| *letters > 0)?;
        let end =
            text[digits..].find(|c: char| !c.is_ascii_digit()).map_or(text.len(), |length| digits + length);
        let (name, rest) = text.split_at(end);
        (digits < end).then_some(())?;
        (name.to_owned(), board.parse(name).or_else(|| board.parse(&name.to_ascii_lowercase())), rest)
    };
    Some((found.ok_or(MoveError::NoSuchSquare(name)), rest))
}
