//! FEN for any game.
//!
//! The fields are placement, turn, castling, en passant and, optionally, the two counters. A run of empty squares is a
//! decimal number, a hole is `*`. A piece on a starting square of its kind and owner counts as unmoved, any other as
//! moved; for the pieces of a castling right, the castling field decides. In a game with hands, the pieces in hand follow
//! the placement in brackets. Information that the fields cannot hold
//! follows as `key=value` and is written only where it makes a difference ([`extras`]).
//!
//! The parser accepts any amount of white space around and between fields, and the turn as a full player name or as a
//! slot number.

mod extras;

use tabiya_engine::{FileName, Kind, Piece, Player, Position, Rules, Setup, Square};

use crate::state::{Draft, State};
use crate::symbols::{self, clip};
use crate::{castling, en_passant, hands};
use extras::Extras;

pub(crate) use extras::{parse_tag, tag_text};

/// Writes a state as FEN. Parsing the text yields a position with the same identity (see [`Rules::identity`]).
///
/// # Examples
///
/// ```
/// let game = tabiya_spec::library::load("gardner").unwrap();
/// let state = tabiya_notation::State::new(game.rules.start());
/// assert_eq!(tabiya_notation::fen(&game.rules, &state), "rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1");
/// ```
pub fn fen(rules: &Rules, state: &State) -> String {
    let position = &state.position;
    let fields = four_fields(rules, position).join(" ");
    let text = format!("{fields} {} {}{}", state.quiet, state.round, extras::write(rules, position));
    let read = draft(rules, &text).finish(rules).map(|state| state.position).ok();
    if read.as_ref().is_some_and(|read| rules.identity(read) == rules.identity(position)) {
        return text;
    }
    text + &extras::write_differences(rules, position, read.as_ref())
}

/// Writes the first four FEN fields of what counts for repetition.
///
/// The en-passant square is present only if a capture is possible. Positions that are equal for repetition have equal
/// texts.
///
/// # Examples
///
/// ```
/// let game = tabiya_spec::library::load("chess").unwrap();
/// let rules = &game.rules;
/// let start = rules.start();
/// let e4 = tabiya_notation::parse_san(rules, &start, "e4").unwrap();
/// let text = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -";
/// assert_eq!(tabiya_notation::simplified_fen(rules, &rules.play_unchecked(&start, e4)), text);
/// ```
pub fn simplified_fen(rules: &Rules, position: &Position) -> String {
    let identity = rules.identity(position);
    four_fields(rules, identity.position()).join(" ")
}

fn four_fields(rules: &Rules, position: &Position) -> [String; 4] {
    [
        placement(rules, position) + &hands::write(rules, position),
        symbols::turn_text(rules, position.slot()),
        castling::write(rules, position),
        en_passant::write(rules, position),
    ]
}

fn placement(rules: &Rules, position: &Position) -> String {
    let board = rules.board();
    let symbol = |piece: Piece| symbols::piece_symbol(rules, piece.player, piece.kind);
    let ranks = (0..i32::from(board.ranks())).rev().map(|y| {
        let mut text = String::new();
        let mut empty = 0;
        let flush = |text: &mut String, empty: &mut u32| match std::mem::take(empty) {
            0 => {}
            run => text.push_str(&run.to_string()),
        };
        for x in 0..i32::from(board.files()) {
            let square = board.square(x, y);
            let piece = square.and_then(|square| position.piece(square));
            if square.is_some() && piece.is_none() {
                empty += 1;
                continue;
            }
            flush(&mut text, &mut empty);
            text.push_str(&piece.map_or_else(|| "*".to_owned(), symbol));
            if let Some(guest) = square.and_then(|square| position.guest(square)) {
                text.push('+');
                text.push_str(&symbol(guest));
            }
        }
        flush(&mut text, &mut empty);
        text
    });
    ranks.collect::<Vec<_>>().join("/")
}

/// Parses FEN and collects every problem.
pub(crate) fn draft(rules: &Rules, text: &str) -> Draft {
    let mut reasons = Vec::new();
    let words: Vec<&str> = text.split_whitespace().collect();
    let plain = words.iter().position(|word| word.contains('=')).unwrap_or(words.len());
    let (fields, extras) = words.split_at(plain);
    if fields.len() != 4 && fields.len() != 6 {
        return Draft::unreadable(format!(
            "a FEN has four or six fields (placement, turn, castling, en passant, two counters), not {}",
            fields.len()
        ));
    }
    let (placement, in_hand) = hands::split(fields[0], &mut reasons);
    let Placement { pieces, guests, .. } = Placement::parse(rules, placement, &mut reasons);
    let hands = in_hand.map_or_else(Vec::new, |text| hands::parse(rules, text, &mut reasons));
    let mut setup = Setup { pieces, guests, hands, ..Setup::default() };
    let knows_board = reasons.is_empty();
    let placed = setup.pieces.clone();
    let piece = |square| placed.iter().find(|(other, _)| *other == square).map(|(_, piece)| *piece);
    let slot = symbols::parse_turn(rules, fields[1]);
    let granted = castling::parse(rules, fields[2], piece, &mut reasons);
    for right in castling::castling_rights(rules) {
        let mover = granted.iter().any(|it| it.mover == right.mover);
        let partner = granted.iter().any(|it| it.partner == right.partner);
        for (square, unmoved) in [(right.mover, mover), (right.partner, partner)] {
            let is_there =
                |(other, piece): &&mut (Square, Piece)| *other == square && piece.player == right.player;
            if let Some((_, piece)) = setup.pieces.iter_mut().find(is_there) {
                piece.unmoved &= unmoved;
            }
        }
    }
    for right in &granted {
        let is_mover = |(square, _): &&mut (Square, Piece)| [right.mover, right.partner].contains(square);
        setup.pieces.iter_mut().filter(is_mover).for_each(|(_, piece)| piece.unmoved = true);
    }
    let before_extras = reasons.len();
    let extras = Extras::parse(rules, extras, &mut reasons);
    let knows_turn = slot.is_ok() && reasons.len() == before_extras;
    match slot {
        Ok(slot) => {
            setup.slot = slot;
            if fields[3] != "-" && extras.flags.is_none() {
                let turn = (slot, extras.armies.eliminated);
                setup.marks.extend(en_passant::parse(rules, fields[3], turn, &setup.pieces, &mut reasons));
            }
        }
        Err(reason) => reasons.push(reason),
    }
    let mut counter = |index: usize, name: &str, default: u32| match fields.get(index) {
        None => default,
        Some(field) => field.parse().unwrap_or_else(|_| {
            reasons.push(format!("the {name} `{}` is not a number below 2^32", clip(field)));
            default
        }),
    };
    let (quiet, round) = (counter(4, "count of quiet turns", 0), counter(5, "round number", 1));
    Draft { setup: extras.apply(setup), quiet, round, reasons, knows_board, knows_turn }
}

/// The pieces of a placement field; guests share a square with a piece.
struct Placement<'r> {
    rules: &'r Rules,
    pieces: Vec<(Square, Piece)>,
    guests: Vec<(Square, Piece)>,
}

impl<'r> Placement<'r> {
    fn parse(rules: &'r Rules, text: &str, reasons: &mut Vec<String>) -> Self {
        let board = rules.board();
        let (files, ranks) = (usize::from(board.files()), usize::from(board.ranks()));
        let known = symbols::pieces(rules);
        let has_guests = rules.mechanics().sharing.is_some();
        let mut placement = Placement { rules, pieces: Vec::new(), guests: Vec::new() };
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != ranks {
            reasons.push(format!("the placement has {} ranks, the board has {ranks}", rows.len()));
            return placement;
        }
        for (index, row) in rows.iter().enumerate() {
            let (rank, y) = (ranks - index, (ranks - 1 - index) as i32);
            let square_at = |x: usize| board.square(x as i32, y);
            let mut x: usize = 0;
            for token in tokens(row) {
                if let Ok(run) = token.parse::<usize>() {
                    if run == 0 || token.starts_with('0') {
                        reasons.push(format!("rank {rank}: `{token}` is not a count of empty squares"));
                    }
                    let end = x.saturating_add(run);
                    if let Some(hole) = (x..end.min(files)).find(|x| square_at(*x).is_none()) {
                        let file = FileName(hole as u32);
                        reasons.push(format!("rank {rank}: {file}{rank} is a hole; write it as `*`"));
                    }
                    x = end;
                    continue;
                }
                if let Some(guest) = token.strip_prefix('+').filter(|_| has_guests) {
                    let square = x.checked_sub(1).and_then(square_at);
                    if let (Some(square), Some(piece)) = (square, known.get(guest)) {
                        placement.guests.push(placement.put(square, *piece));
                    } else {
                        let token = clip(token);
                        reasons.push(format!("rank {rank}: `{token}` is not a second piece of a square"));
                    }
                    continue;
                }
                match (token, square_at(x), known.get(token)) {
                    ("*", None, _) if x < files => {}
                    ("*", Some(square), _) => reasons.push(format!("{} is not a hole", board.name(square))),
                    (_, Some(square), Some(piece)) => placement.pieces.push(placement.put(square, *piece)),
                    (_, _, None) => {
                        reasons.push(format!("rank {rank}: `{}` is not a piece of this game", clip(token)));
                    }
                    (_, None, Some(_)) if x < files => {
                        reasons.push(format!("rank {rank}: `{token}` stands on a hole"));
                    }
                    _ => {}
                }
                x += 1;
            }
            if x != files {
                reasons.push(format!("rank {rank} has {x} squares, the board has {files}"));
            }
        }
        placement
    }

    fn put(&self, square: Square, (player, kind): (Player, Kind)) -> (Square, Piece) {
        let mut start = self.rules.blueprint().start().iter();
        let unmoved = start.any(|it| (it.square, it.player, it.kind) == (square, player, kind));
        (square, Piece { player, kind, unmoved })
    }
}

/// Splits a rank into numbers, holes, and piece symbols with their dots, plus signs and tildes.
pub(crate) fn tokens(row: &str) -> impl Iterator<Item = &str> {
    let mut rest = row;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let end = if first.is_ascii_digit() {
            rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())
        } else {
            let marks = rest.len() - rest.trim_start_matches(['.', '+']).len();
            let end = marks + rest[marks..].chars().next().map_or(0, char::len_utf8);
            end + usize::from(rest[end..].starts_with('~'))
        };
        let (token, after) = rest.split_at(end);
        rest = after;
        Some(token)
    })
}
