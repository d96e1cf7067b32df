//! Moves as people write them (SAN): `Nf3`, `exd5`, `e8=Q+`, `O-O`, for every game.
//!
//! A text is read by asking every legal move whether it may be written so; a move is written in the shortest way in
//! which no other may be. So what is written is read back, whatever the game is like.
//!
//! What chess knows by name comes from the rules: the kind without a letter is the one that promotes and of which most
//! stand at the start; castling is what the castling field means by it, `O-O` to the side of `K`. On boards with a file
//! `x` a capture is `:`. Where two moves of one piece lead to the same square, `#` and the number of the move follow.
//!
//! Leniencies when reading: `0` for `O`; `+`, `#`, `!`, `?` and `e.p.` missing or too many; more of the source than
//! needed; the letter of the kind that needs none; `:` for `x`; a promotion without `=`, in any case, or as a whole code.

use tabiya_engine::{FileName, IllegalMove, Kind, Move, Player, Position, Rules, Square, Termination};

use crate::castling;
use crate::letters;
use crate::moves::{MoveError, move_text, only};
use crate::refusal::refusal_text;

/// Writes a legal move as people do, so that it can be read back in this position.
///
/// ```
/// let game = tabiya_spec::library::load("chess").unwrap();
/// let rules = &game.rules;
/// let start = rules.start();
/// let knight = tabiya_notation::parse_san(rules, &start, "Nf3").unwrap();
/// assert_eq!(tabiya_notation::san(rules, &start, knight), "Nf3");
/// assert_eq!(tabiya_notation::move_text(rules, &start, knight), "g1f3");
/// ```
pub fn san(rules: &Rules, position: &Position, played: Move) -> String {
    let sheet = Sheet::new(rules, position);
    let mut text = sheet.shortest(played);
    if sheet.moves.contains(&played) {
        text.push_str(sign(rules, position, &rules.play_unchecked(position, played)));
    }
    text
}

/// Reads a legal move of the position as people write it.
pub fn parse_san(rules: &Rules, position: &Position, text: &str) -> Result<Move, MoveError> {
    let wish = Wish::parse(rules, text)?;
    let sheet = Sheet::new(rules, position);
    let fits = |played: &Move| {
        sheet.fits(&wish.what, *played) && wish.id.is_none_or(|id| rules.move_id(position, *played) == id)
    };
    let fitting: Vec<Move> = sheet.moves.iter().copied().filter(fits).collect();
    if fitting.is_empty() {
        return Err(sheet.why_not(&wish.what, text));
    }
    only(rules, position, &fitting, wish.promotion, |played| sheet.shortest(played))
}

/// The kind that is written without a letter: of those that promote, the one of which most stand at the start.
pub(crate) fn unlettered(rules: &Rules) -> Option<Kind> {
    let start = rules.blueprint().start();
    let promotes = |kind: &Kind| rules.kind(*kind).moves.iter().any(|plan| !plan.modifiers.is_empty());
    let count = |kind: Kind| start.iter().filter(|placed| placed.kind == kind).count();
    let pawns: Vec<(usize, Kind)> = rules
        .kinds()
        .filter(|kind| Some(*kind) != rules.leader())
        .filter(promotes)
        .map(|kind| (count(kind), kind))
        .collect();
    let most = pawns.iter().map(|(count, _)| *count).max()?;
    match pawns.iter().filter(|(count, _)| *count == most).collect::<Vec<_>>().as_slice() {
        [(_, kind)] => Some(*kind),
        _ => None,
    }
}

/// What follows a move: `#` if somebody is mated by it, `+` if a leader stands attacked that did not before.
fn sign(rules: &Rules, before: &Position, after: &Position) -> &'static str {
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

/// What a text says about the move.
enum What<'t> {
    /// Castling, to the side of `K` or `Q`.
    Castling(&'static str),
    /// A kind, and the squares as they are written.
    Piece(Kind, &'t str),
}

/// What a text asks for.
struct Wish<'t> {
    what: What<'t>,
    promotion: Option<Kind>,
    id: Option<i32>,
}

impl<'t> Wish<'t> {
    fn parse(rules: &Rules, text: &'t str) -> Result<Self, MoveError> {
        /// Nothing is looked for in a longer text.
        const LONGEST: usize = 400;
        let unreadable = || MoveError::NotSan(text.trim().to_owned());
        if text.len() > LONGEST {
            return Err(unreadable());
        }
        let (body, id) = match plain(text).rsplit_once('#') {
            Some((body, id)) => (body, Some(id.parse().map_err(|_| unreadable())?)),
            None => (plain(text), None),
        };
        let (body, promotion) = split_promotion(body);
        let promotion = match promotion {
            "" => None,
            name => Some(letters::kind(rules, name).ok_or_else(|| MoveError::NoSuchPiece(name.to_owned()))?),
        };
        let what = match body {
            "O-O" | "0-0" => What::Castling("K"),
            "O-O-O" | "0-0-0" => What::Castling("Q"),
            _ => {
                let first = body.chars().next().ok_or_else(unreadable)?;
                if first.is_ascii_lowercase() || !first.is_alphabetic() {
                    What::Piece(unlettered(rules).ok_or_else(unreadable)?, body)
                } else {
                    let kind = rules.kinds().find(|kind| rules.kind(*kind).letter == first);
                    let kind = kind.ok_or_else(|| MoveError::NoSuchPiece(first.to_string()))?;
                    What::Piece(kind, &body[first.len_utf8()..])
                }
            }
        };
        Ok(Wish { what, promotion, id })
    }
}

/// A text without what may follow a move in any number.
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

/// A text, and the name of what the piece becomes behind it: after `=`, or after the last digit.
fn split_promotion(text: &str) -> (&str, &str) {
    if let Some((body, name)) = text.split_once('=') {
        return (body, name);
    }
    match text.rfind(|c: char| c.is_ascii_digit()) {
        Some(digit) if text[digit + 1..].chars().all(char::is_alphabetic) => text.split_at(digit + 1),
        _ => (text, ""),
    }
}

/// The legal moves of a position, and how each may be written.
struct Sheet<'p> {
    rules: &'p Rules,
    position: &'p Position,
    moves: Vec<Move>,
    /// The moves that are written as castling, and to which side.
    castlings: Vec<(Move, &'static str)>,
}

impl<'p> Sheet<'p> {
    fn new(rules: &'p Rules, position: &'p Position) -> Self {
        let moves = rules.legal_moves(position);
        let all: Vec<(Move, &'static str)> = moves
            .iter()
            .filter_map(|played| castling::side_of(rules, position, *played).map(|side| (*played, side)))
            .collect();
        // Two castlings to one side are told apart like other moves.
        let is_only = |(played, side): &(Move, &'static str)| {
            let same = all.iter().filter(|(other, to)| (other.promotion, to) == (played.promotion, side));
            same.count() == 1
        };
        let castlings = all.iter().copied().filter(is_only).collect();
        Sheet { rules, position, moves, castlings }
    }

    /// Whether a legal move may be written so, number and promotion aside.
    fn fits(&self, what: &What<'_>, played: Move) -> bool {
        let side = self.castlings.iter().find(|(other, _)| *other == played).map(|(_, side)| *side);
        match (what, side) {
            (What::Castling(wanted), side) => side == Some(*wanted),
            (What::Piece(..), Some(_)) => false,
            (What::Piece(kind, squares), None) => {
                self.position.piece(played.from).is_some_and(|piece| piece.kind == *kind)
                    && self.squares_fit(squares, played)
            }
        }
    }

    /// Whether the squares of a move may be written so: part of the source, a capture's sign, the target.
    fn squares_fit(&self, squares: &str, played: Move) -> bool {
        let Some(before) = squares.strip_suffix(&self.rules.board().name(played.to)) else { return false };
        let (source, captures) = self.split_capture(before);
        self.names_of(played.from).iter().any(|name| name == source) && captures == self.captures(played)
    }

    /// A text without the sign of a capture at its end, and whether it was there.
    fn split_capture<'t>(&self, text: &'t str) -> (&'t str, bool) {
        match text.strip_suffix(self.capture_sign()).or_else(|| text.strip_suffix(':')) {
            Some(source) => (source, true),
            None => (text, false),
        }
    }

    /// `x`, unless that is a file of the board.
    fn capture_sign(&self) -> char {
        const FILES_BEFORE_X: u16 = 23;
        if self.rules.board().files() > FILES_BEFORE_X { ':' } else { 'x' }
    }

    /// Whether something leaves the board by a legal move.
    fn captures(&self, played: Move) -> bool {
        let next = self.rules.play_unchecked(self.position, played);
        next.all_pieces().count() < self.position.all_pieces().count()
    }

    /// How a source may be named, the shortest first: not at all, by file, by rank, by square.
    fn names_of(&self, source: Square) -> [String; 4] {
        let (x, y) = self.rules.board().coords(source);
        let name = self.rules.board().name(source);
        [String::new(), FileName(x as u32).to_string(), (y + 1).to_string(), name]
    }

    /// The shortest text that no other legal move with the same promotion may be written as.
    fn shortest(&self, played: Move) -> String {
        let rules = self.rules;
        let Some(piece) = self.position.piece(played.from).filter(|_| self.moves.contains(&played)) else {
            return move_text(rules, self.position, played);
        };
        let promotion = played.promotion.map(|kind| format!("={}", rules.kind(kind).letter));
        let promotion = promotion.unwrap_or_default();
        if let Some((_, side)) = self.castlings.iter().find(|(other, _)| *other == played) {
            let text = if *side == "K" { "O-O" } else { "O-O-O" };
            return format!("{text}{promotion}");
        }
        let letter = Some(rules.kind(piece.kind).letter).filter(|_| Some(piece.kind) != unlettered(rules));
        let captures = self.captures(played);
        let letter = letter.map(String::from).unwrap_or_default();
        let sign = if captures { self.capture_sign().to_string() } else { String::new() };
        let names = self.names_of(played.from);
        // A capture never begins with its sign.
        let first = usize::from(letter.is_empty() && captures);
        let texts: Vec<String> = names[first..]
            .iter()
            .map(|name| format!("{name}{sign}{}", rules.board().name(played.to)))
            .collect();
        let is_alone = |text: &&String| {
            let what = What::Piece(piece.kind, text);
            let is_other = |other: &&Move| other.promotion == played.promotion && **other != played;
            !self.moves.iter().filter(is_other).any(|other| self.fits(&what, *other))
        };
        match (texts.iter().find(is_alone), texts.last()) {
            (Some(text), _) => format!("{letter}{text}{promotion}"),
            (None, text) => {
                let id = rules.move_id(self.position, played);
                format!("{letter}{}{promotion}#{id}", text.map_or("", String::as_str))
            }
        }
    }

    /// Why no legal move may be written so.
    fn why_not(&self, what: &What<'_>, text: &str) -> MoveError {
        if self.rules.outcome(self.position).is_some() {
            return illegal(IllegalMove::GameOver, "the game is over".into());
        }
        match what {
            What::Castling(side) => self.why_no_castling(side),
            What::Piece(kind, squares) => match self.split_target(squares) {
                Some(Ok((source, target))) => self.why_no_move(*kind, source, target),
                Some(Err(name)) => MoveError::NoSuchSquare(name),
                None => MoveError::NotSan(text.trim().to_owned()),
            },
        }
    }

    /// What is written of the source, and the target; or what looks like a target and is no square of this board.
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

    fn why_no_move(&self, kind: Kind, source: &str, target: Square) -> MoveError {
        let mover = self.rules.mover(self.position);
        let sources: Vec<Square> = self
            .position
            .pieces()
            .filter(|(_, piece)| (piece.player, piece.kind) == (mover, kind))
            .map(|(square, _)| square)
            .filter(|square| self.names_of(*square).iter().any(|name| name == source))
            .collect();
        let legal = self.moves.iter().filter(|it| it.to == target && sources.contains(&it.from));
        let mut written: Vec<String> = legal.map(|played| self.shortest(*played)).collect();
        written.dedup();
        if !written.is_empty() {
            return MoveError::Untrue(written);
        }
        let (player, code) = (&self.rules.player(mover).name, &self.rules.kind(kind).code);
        match (sources.is_empty(), source) {
            (true, "") => illegal(IllegalMove::NoPiece, format!("{player} has no {code}")),
            (true, _) => illegal(IllegalMove::NoPiece, format!("no {code} of {player} stands on `{source}`")),
            (false, _) => self.refusals(&sources.iter().map(|from| (*from, target)).collect::<Vec<_>>()),
        }
    }

    fn why_no_castling(&self, side: &str) -> MoveError {
        let attempts = castling::attempts(self.rules, self.position, side);
        if attempts.is_empty() {
            let refusal = self.rules.leader().map_or(IllegalMove::NoPiece, IllegalMove::OutOfReach);
            return illegal(refusal, "no castling to that side".into());
        }
        let legal = self.moves.iter().filter(|it| attempts.contains(&(it.from, it.to)));
        let written: Vec<String> = legal.map(|played| self.shortest(*played)).collect();
        if written.is_empty() { self.refusals(&attempts) } else { MoveError::Untrue(written) }
    }

    /// Why none of some moves is legal, each in words; of pieces that cannot get there at all only if there are no
    /// others.
    fn refusals(&self, attempts: &[(Square, Square)]) -> MoveError {
        const SHOWN: usize = 4;
        let mut refusals: Vec<(IllegalMove, String)> = attempts
            .iter()
            .map(|&(from, to)| {
                let refusal = self.rules.why_illegal(self.position, from, to);
                let message = refusal_text(self.rules, self.position, from, to, &refusal);
                (refusal, message)
            })
            .collect();
        let is_near = |refusal: &IllegalMove| !matches!(refusal, IllegalMove::OutOfReach(_));
        if refusals.iter().any(|(refusal, _)| is_near(refusal)) {
            refusals.retain(|(refusal, _)| is_near(refusal));
        }
        let mut messages: Vec<&str> = refusals.iter().map(|(_, message)| message.as_str()).collect();
        messages.dedup();
        if messages.len() > SHOWN {
            messages.truncate(SHOWN);
            messages.push("…");
        }
        let message = messages.join("; ");
        let first = refusals.into_iter().next().map_or(IllegalMove::NoPiece, |(refusal, _)| refusal);
        illegal(first, message)
    }
}

fn illegal(refusal: IllegalMove, message: String) -> MoveError {
    MoveError::Illegal { refusal, message }
}
