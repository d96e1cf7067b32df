//! Standard algebraic notation (SAN) for every game: `Nf3`, `exd5`, `e8=Q+`, `O-O`.
//!
//! Parsing compares a text with every legal move; writing picks the shortest text that no other legal move matches.
//! Every move that is written can therefore be parsed, in any game.
//!
//! The rules determine what chess knows by name. The pawn, written without a letter, is the kind that promotes and is
//! most numerous at the start. `O-O` castles to the side that the castling field of FEN calls `K`. On boards with a file
//! `x`, captures are written `:`. If several moves of one piece lead to the same square, `#` and a number follow.
//! Of two pieces on a square, the letter names the one that moves. A drop is `N@f3`. The tilde of a letter (`Q~`) is
//! written only where it is needed.
//!
//! Turns of several parts have no SAN: they are written as in UCI notation.
//!
//! The parser also accepts `0` for `O`; missing or superfluous `+`, `#`, `!`, `?` and `e.p.`; a longer source than
//! needed; a pawn's letter; `:` for `x`; and a promotion without `=`, in any case, or as a full code.

use tabiya_engine::{IllegalMove, Kind, Move, Player, Position, Rules, Spot, Square, Termination};

use crate::illegal_move::explain_illegal_move;
use crate::symbols;
use crate::uci::{MoveError, only, parse_uci, uci};
use crate::ways::way_among;
use crate::{castling, drops};

/// Writes a legal move in SAN. [`parse_san`] reads it back in the same position.
///
/// # Examples
///
/// ```
/// let game = tabiya_spec::library::load("chess").unwrap();
/// let rules = &game.rules;
/// let start = rules.start();
/// let knight = tabiya_notation::parse_san(rules, &start, "Nf3").unwrap();
/// assert_eq!(tabiya_notation::san(rules, &start, knight), "Nf3");
/// assert_eq!(tabiya_notation::uci(rules, &start, knight), "g1f3");
/// ```
pub fn san(rules: &Rules, position: &Position, played: Move) -> String {
    if rules.has_parts() {
        return uci(rules, position, played);
    }
    let notation = SanWriter::new(rules, position);
    let mut text = notation.shortest(played);
    if notation.moves.contains(&played) {
        text.push_str(suffix(rules, position, &rules.play_unchecked(position, played)));
    }
    text
}

/// Parses a legal move of the position, written in SAN.
///
/// # Errors
///
/// Returns why the text is not a legal move.
pub fn parse_san(rules: &Rules, position: &Position, text: &str) -> Result<Move, MoveError> {
    if rules.has_parts() {
        return parse_uci(rules, position, text);
    }
    if let Some(drop) = drops::split(plain(text)) {
        let write = |played| SanWriter::new(rules, position).shortest(played);
        return drops::parse(rules, position, &drop, write);
    }
    let request = MoveRequest::parse(rules, text)?;
    let notation = SanWriter::new(rules, position);
    let fits = |played: &Move| {
        notation.matches(&request.body, *played)
            && (request.way.is_none() || way_among(rules, position, *played, &notation.moves) == request.way)
    };
    let fitting: Vec<Move> = notation.moves.iter().copied().filter(fits).collect();
    if fitting.is_empty() {
        return Err(notation.error(&request.body, text));
    }
    only(rules, position, &fitting, request.promotion, |played| notation.shortest(played))
}

/// Returns the kind that is written without a letter: among those that promote, the most numerous at the start. On a board with
/// levels there is none, because squares start with a letter in upper case, too.
pub(crate) fn pawn(rules: &Rules) -> Option<Kind> {
    if rules.board().levels() > 1 {
        return None;
    }
    let start = rules.blueprint().start();
    let promotes = |kind: &Kind| rules.kind(*kind).moves.iter().any(|plan| !plan.modifiers.is_empty());
    let count = |kind: Kind| start.iter().filter(|placed| placed.kind == kind).count();
    let candidates: Vec<(usize, Kind)> = rules
        .kinds()
        .filter(|kind| Some(*kind) != rules.leader())
        .filter(promotes)
        .map(|kind| (count(kind), kind))
        .collect();
    let most = candidates.iter().map(|(count, _)| *count).max()?;
    match candidates.iter().filter(|(count, _)| *count == most).collect::<Vec<_>>().as_slice() {
        [(_, kind)] => Some(*kind),
        _ => None,
    }
}

/// Returns the suffix of a move: `#` if it checkmates a player, `+` if it attacks a leader that was safe before.
fn suffix(rules: &Rules, before: &Position, after: &Position) -> &'static str {
    let mover = rules.mover(before);
    let leaders = |position: &Position, player: Player| {
        let is_leader =
            |piece: tabiya_engine::Piece| (piece.player, Some(piece.kind)) == (player, rules.leader());
        position.pieces().filter(|(_, piece)| is_leader(*piece)).count()
    };
    let mut fallen = after.eliminated().without(before.eliminated()).iter();
    let is_mate = rules.outcome(after).is_some_and(|outcome| outcome.reason == Termination::Checkmate)
        || fallen
            .any(|player| rules.in_check(after, player) && leaders(before, player) == leaders(after, player));
    let mut others = rules.alive(after).iter().filter(|player| *player != mover);
    if is_mate {
        "#"
    } else if others.any(|player| rules.in_check(after, player) && !rules.in_check(before, player)) {
        "+"
    } else {
        ""
    }
}

/// The move as written, without promotion and id.
enum Body<'t> {
    /// Castling, to the side of `K` or `Q`.
    Castling(&'static str),
    /// A kind, and the squares as written.
    Piece(Kind, &'t str),
}

/// A move as written, before it is matched with the legal moves.
struct MoveRequest<'t> {
    body: Body<'t>,
    promotion: Option<Kind>,
    /// The number among several moves that lead there.
    way: Option<u32>,
}

impl<'t> MoveRequest<'t> {
    fn parse(rules: &Rules, text: &'t str) -> Result<Self, MoveError> {
        const MAX_LENGTH: usize = 400;
        let unreadable = || MoveError::NotSan(text.trim().to_owned());
        if text.len() > MAX_LENGTH {
            return Err(unreadable());
        }
        let (text, way) = match plain(text).rsplit_once('#') {
            Some((text, way)) => (text, Some(way.parse().map_err(|_| unreadable())?)),
            None => (plain(text), None),
        };
        let (text, promotion) = split_promotion(rules, text);
        let promotion = match promotion {
            "" => None,
            name => Some(symbols::kind(rules, name).ok_or_else(|| MoveError::NoSuchPiece(name.to_owned()))?),
        };
        let body = match text {
            "O-O" | "0-0" => Body::Castling("K"),
            "O-O-O" | "0-0-0" => Body::Castling("Q"),
            _ => {
                let first = text.chars().next().ok_or_else(unreadable)?;
                if let Some((kind, squares)) = symbols::split_kind(rules, text) {
                    Body::Piece(kind, squares)
                } else if first.is_ascii_lowercase() || !first.is_alphabetic() {
                    Body::Piece(pawn(rules).ok_or_else(unreadable)?, text)
                } else {
                    return Err(MoveError::NoSuchPiece(first.to_string()));
                }
            }
        };
        Ok(MoveRequest { body, promotion, way })
    }
}

/// Strips check marks, annotations and `e.p.` from the end of a text.
fn plain(text: &str) -> &str {
    let mut text = text.trim();
    loop {
        let bare = text.trim_end_matches(['+', '#', '!', '?']).trim_end();
        let passing = ["e.p.", "ep"].iter().find_map(|words| bare.strip_suffix(words)).map(str::trim_end);
        let bare = passing.filter(|it| !it.ends_with(char::is_alphabetic)).unwrap_or(bare);
        if bare.len() == text.len() {
            return text;
        }
        text = bare;
    }
}

/// Splits off the name of the promoted piece: after `=`, or after the last digit.
fn split_promotion<'t>(rules: &Rules, text: &'t str) -> (&'t str, &'t str) {
    if let Some((body, name)) = text.split_once('=') {
        return (body, name);
    }
    let (body, name) = text.split_at(text.rfind(|c: char| c.is_ascii_digit()).map_or(0, |digit| digit + 1));
    let is_name = name.chars().all(char::is_alphabetic) || symbols::kind(rules, name).is_some();
    if !body.is_empty() && is_name { (body, name) } else { (text, "") }
}

/// The legal moves of a position and their texts.
struct SanWriter<'p> {
    rules: &'p Rules,
    position: &'p Position,
    moves: Vec<Move>,
    /// The moves that are written as castling, with their side.
    castlings: Vec<(Move, &'static str)>,
}

impl<'p> SanWriter<'p> {
    fn new(rules: &'p Rules, position: &'p Position) -> Self {
        let moves = rules.legal_moves(position);
        let all: Vec<(Move, &'static str)> = moves
            .iter()
            .filter_map(|played| castling::side_of(rules, position, *played).map(|side| (*played, side)))
            .collect();
        // Several castling moves to one side are written like other moves.
        let is_only = |(played, side): &(Move, &'static str)| {
            let same = all.iter().filter(|(other, to)| (other.promotion, to) == (played.promotion, side));
            same.count() == 1
        };
        let castlings = all.iter().copied().filter(is_only).collect();
        SanWriter { rules, position, moves, castlings }
    }

    /// Returns whether a legal move matches, apart from id and promotion. Drops are matched elsewhere.
    fn matches(&self, body: &Body<'_>, played: Move) -> bool {
        if played.dropped().is_some() {
            return false;
        }
        let side = self.castlings.iter().find(|(other, _)| *other == played).map(|(_, side)| *side);
        match (body, side) {
            (Body::Castling(wanted), side) => side == Some(*wanted),
            (Body::Piece(..), Some(_)) => false,
            (Body::Piece(kind, squares), None) => {
                self.is_named(*kind, self.rules.moving_kind(self.position, played))
                    && self.squares_match(squares, played)
            }
        }
    }

    /// Returns whether a piece of a kind may be written as another kind: one with a tilde also without it.
    fn is_named(&self, named: Kind, kind: Kind) -> bool {
        let mover = self.rules.mover(self.position);
        named == kind
            || !self.rules.kind(named).symbol.has_tilde()
                && symbols::are_alike(self.rules, mover, named, kind)
    }

    /// Returns whether the squares match: part of the source, the capture sign, the target.
    fn squares_match(&self, squares: &str, played: Move) -> bool {
        let Some(before) = squares.strip_suffix(&self.rules.board().name(played.to)) else { return false };
        let (source, captures) = self.split_capture(before);
        self.source_texts(played.from).iter().any(|name| name == source) && captures == self.captures(played)
    }

    /// Splits off a capture sign at the end, and returns whether there was one.
    fn split_capture<'t>(&self, text: &'t str) -> (&'t str, bool) {
        match text.strip_suffix(self.capture_sign()).or_else(|| text.strip_suffix(':')) {
            Some(source) => (source, true),
            None => (text, false),
        }
    }

    /// Returns `x`, or `:` if the board has a file `x`.
    fn capture_sign(&self) -> char {
        const FILES_BEFORE_X: u16 = 23;
        if self.rules.board().files() > FILES_BEFORE_X { ':' } else { 'x' }
    }

    /// Returns whether a legal move removes a piece from the board.
    fn captures(&self, played: Move) -> bool {
        let next = self.rules.play_unchecked(self.position, played);
        next.all_pieces().count() < self.position.all_pieces().count()
    }

    /// Returns the ways to write a source, shortest first: nothing, file, rank, square.
    fn source_texts(&self, source: Square) -> [String; 4] {
        let board = self.rules.board();
        let file = board.file_name(board.place(source)[0] as u32);
        [String::new(), file, board.rank(source).to_string(), board.name(source)]
    }

    /// Returns the shortest text that no other legal move with the same promotion matches.
    fn shortest(&self, played: Move) -> String {
        let rules = self.rules;
        if !self.moves.contains(&played) {
            return uci(rules, self.position, played);
        }
        if let Some(kind) = played.dropped() {
            return drops::write(rules, self.position, (kind, played), "=");
        }
        let kind = rules.moving_kind(self.position, played);
        let owner =
            self.position.piece_at(played.spot()).map_or(rules.mover(self.position), |piece| piece.player);
        let promotion =
            played.promotion.map(|kind| format!("={}", symbols::promotion_text(rules, owner, kind)));
        let promotion = promotion.unwrap_or_default();
        if let Some((_, side)) = self.castlings.iter().find(|(other, _)| *other == played) {
            let text = if *side == "K" { "O-O" } else { "O-O-O" };
            return format!("{text}{promotion}");
        }
        let symbol = &rules.kind(kind).symbol;
        let (bare, written) = (symbol.in_moves(owner), symbol.written(owner));
        let letter = if Some(kind) == pawn(rules) { "" } else { bare };
        let captures = self.captures(played);
        let sign = if captures { self.capture_sign().to_string() } else { String::new() };
        let names = self.source_texts(played.from);
        // A pawn's capture starts with its file.
        let first = usize::from(letter.is_empty() && captures);
        let texts: Vec<String> = names[first..]
            .iter()
            .map(|name| format!("{name}{sign}{}", rules.board().name(played.to)))
            .collect();
        let is_unique = |kind: Kind, text: &str| {
            let body = Body::Piece(kind, text);
            let is_other = |other: &&Move| other.promotion == played.promotion && **other != played;
            !self.moves.iter().filter(is_other).any(|other| self.matches(&body, *other))
        };
        // A letter without its tilde may name another kind as well.
        let named = rules.kinds().find(|it| rules.kind(*it).symbol.written(owner) == bare).unwrap_or(kind);
        if let Some(text) = texts.iter().find(|text| is_unique(named, text)) {
            return format!("{letter}{text}{promotion}");
        }
        let letter = if symbol.has_tilde() { written } else { letter };
        match (texts.iter().find(|text| is_unique(kind, text)), texts.last()) {
            (Some(text), _) => format!("{letter}{text}{promotion}"),
            (None, text) => {
                let way = way_among(rules, self.position, played, &self.moves).unwrap_or(1);
                format!("{letter}{}{promotion}#{way}", text.map_or("", String::as_str))
            }
        }
    }

    /// Returns why no legal move matches.
    fn error(&self, body: &Body<'_>, text: &str) -> MoveError {
        if self.rules.outcome(self.position).is_some() {
            return illegal(IllegalMove::GameOver, "the game is over".into());
        }
        match body {
            Body::Castling(side) => self.castling_error(side),
            Body::Piece(kind, squares) => match self.split_target(squares) {
                Some(Ok((source, target))) => self.move_error(*kind, source, target),
                Some(Err(name)) => MoveError::NoSuchSquare(name),
                None => MoveError::NotSan(text.trim().to_owned()),
            },
        }
    }

    /// Splits squares into source and target. An error holds a target that is not on this board.
    fn split_target<'t>(&self, squares: &'t str) -> Option<Result<(&'t str, Square), String>> {
        let digits = squares.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let letters = squares[..digits].trim_end_matches(|c: char| c.is_ascii_lowercase()).len();
        if letters == digits || digits == squares.len() {
            return None;
        }
        let board = self.rules.board();
        let found = (letters..digits).find_map(|from| Some((from, board.parse(&squares[from..])?)));
        let Some((from, target)) = found else { return Some(Err(squares[digits - 1..].to_owned())) };
        let (source, _) = self.split_capture(&squares[..from]);
        let is_name = source.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
        is_name.then_some(Ok((source, target)))
    }

    fn move_error(&self, kind: Kind, source: &str, target: Square) -> MoveError {
        let mover = self.rules.mover(self.position);
        let sources: Vec<Spot> = self
            .position
            .all_pieces()
            .filter(|(_, piece)| piece.player == mover && self.is_named(kind, piece.kind))
            .map(|(spot, _)| spot)
            .filter(|spot| self.source_texts(spot.square).iter().any(|name| name == source))
            .collect();
        let is_drop = |it: &Move| source.is_empty() && it.dropped() == Some(kind);
        let is_meant = |it: &&Move| it.to == target && (sources.contains(&it.spot()) || is_drop(it));
        let legal = self.moves.iter().filter(is_meant);
        let mut written: Vec<String> = legal.map(|played| self.shortest(*played)).collect();
        written.dedup();
        if !written.is_empty() {
            return MoveError::WrongForm(written);
        }
        let (player, code) = (&self.rules.player(mover).name, &self.rules.kind(kind).code);
        match (sources.is_empty(), source) {
            (true, "") => illegal(IllegalMove::NoPiece, format!("{player} has no {code}")),
            (true, _) => illegal(IllegalMove::NoPiece, format!("{player} has no {code} on `{source}`")),
            (false, _) => self.illegal_moves(&sources.iter().map(|spot| (*spot, target)).collect::<Vec<_>>()),
        }
    }

    fn castling_error(&self, side: &str) -> MoveError {
        let attempts = castling::attempts(self.rules, self.position, side);
        if attempts.is_empty() {
            let reason = self.rules.leader().map_or(IllegalMove::NoPiece, IllegalMove::OutOfReach);
            return illegal(reason, "there is no castling to that side".into());
        }
        let legal = self.moves.iter().filter(|it| attempts.contains(&(it.spot(), it.to)));
        let written: Vec<String> = legal.map(|played| self.shortest(*played)).collect();
        if written.is_empty() { self.illegal_moves(&attempts) } else { MoveError::WrongForm(written) }
    }

    /// Explains why each of some moves is illegal. Pieces that cannot reach the target are mentioned only if there are
    /// no others.
    fn illegal_moves(&self, attempts: &[(Spot, Square)]) -> MoveError {
        const SHOWN: usize = 4;
        let mut reasons: Vec<(IllegalMove, String)> = attempts
            .iter()
            .map(|&(spot, to)| {
                let reason = self.rules.why_illegal_by(self.position, spot, to);
                let message = explain_illegal_move(self.rules, self.position, spot, to, &reason);
                (reason, message)
            })
            .collect();
        let is_near = |reason: &IllegalMove| !matches!(reason, IllegalMove::OutOfReach(_));
        if reasons.iter().any(|(reason, _)| is_near(reason)) {
            reasons.retain(|(reason, _)| is_near(reason));
        }
        let mut messages: Vec<&str> = reasons.iter().map(|(_, message)| message.as_str()).collect();
        messages.dedup();
        if messages.len() > SHOWN {
            messages.truncate(SHOWN);
            messages.push("…");
        }
        let message = messages.join("; ");
        let first = reasons.into_iter().next().map_or(IllegalMove::NoPiece, |(reason, _)| reason);
        illegal(first, message)
    }
}

fn illegal(reason: IllegalMove, message: String) -> MoveError {
    MoveError::Illegal { reason, message }
}
