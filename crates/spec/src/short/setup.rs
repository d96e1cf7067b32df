//! The starting position as board text: `"setup": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"`. Pieces in hand follow in
//! brackets: `…/RNBQKBNR[QNpp]`.

use std::collections::BTreeMap;
use std::ops::Range;

use jsonc_parser::ast::{Object, StringLit, Value as Json};
use tabiya_engine::{Player, Symbol};

use super::players::Army;
use super::{Short, json};
use crate::code::Code;
use crate::model::Coord;
use crate::{letters, limits};

/// A text of a piece, its index and that of its player.
struct Token {
    text: String,
    piece: usize,
    player: usize,
}

/// The squares of each piece, by player and piece.
type Armies = Vec<Vec<Vec<Coord>>>;

/// Writes the starting position out for each player.
pub(super) fn expand(root: &mut Object<'_>, armies: &[Army], short: &mut Short<'_, '_>) {
    let text = match json::take(root, "setup") {
        None => return,
        Some(Json::StringLit(text)) => text,
        Some(other) => {
            let help = "write ranks from top to bottom: \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\"";
            short.report(Code::BadSetup, json::span(&other), "`setup` is board text.", help);
            return;
        }
    };
    let at = json::span(&text);
    let codes = codes(root);
    // Players or pieces that cannot be read are reported elsewhere.
    if armies.is_empty() || codes.is_empty() {
        return;
    }
    let tokens = tokens(root, &codes, armies);
    let placed =
        place(&text, &Parts { tokens: &tokens, holes: holes(root) }, (armies.len(), codes.len()), short);
    if let Some(in_hand) = in_hand(&text, &tokens, short) {
        let names: Vec<&str> = armies.iter().map(|army| army.name.as_str()).collect();
        put_hands(root, &at, &in_hand, (&names, &codes), short);
    }
    let Some(Json::Array(players)) = json::get_mut(root, "players") else { return };
    let objects = || players.elements.iter().filter_map(Json::as_object);
    if objects().any(|player| json::get(player, "starting_positions").is_some()) {
        let message = "The starting position is given twice: here and in `starting_positions`.";
        short.report(Code::BadSetup, at, message, "keep one of them");
        return;
    }
    let players = players.elements.iter_mut().filter_map(|player| match player {
        Json::Object(player) => Some(player),
        _ => None,
    });
    for (player, squares) in players.zip(placed) {
        let mut starts = Vec::new();
        for (code, squares) in codes.iter().zip(squares).filter(|(_, squares)| !squares.is_empty()) {
            let piece = ("piece", json::string(code.clone(), &at));
            let squares = squares.into_iter().map(|square| json::coord(square, &at)).collect();
            starts.push(json::object([piece, ("positions", json::list(squares, &at))], &at));
        }
        json::put(player, "starting_positions", json::list(starts, &at));
    }
}

/// The numbers of pieces in hand, by player and piece.
type InHand = BTreeMap<(usize, usize), i32>;

/// Returns the pieces in brackets; `None` if there are no brackets.
fn in_hand(text: &StringLit<'_>, tokens: &[Token], short: &mut Short<'_, '_>) -> Option<InHand> {
    let start = text.value.find('[')?;
    let Some(inside) = text.value[start + 1..].strip_suffix(']') else {
        let span = json::part(text, start..text.value.len());
        short.report(Code::BadSetup, span, "The pieces in hand do not end with `]`.", "write them as [QNpp]");
        return None;
    };
    let mut counts = InHand::new();
    let mut at = 0;
    while let Some(character) = inside[at..].chars().next() {
        if let Some(token) = tokens.iter().find(|token| inside[at..].starts_with(&*token.text)) {
            *counts.entry((token.player, token.piece)).or_default() += 1;
            at += token.text.len();
            continue;
        }
        let from = start + 1 + at;
        unknown_piece(character, json::part(text, from..from + character.len_utf8()), tokens, short);
        at += character.len_utf8();
    }
    Some(counts)
}

/// Writes the pieces in hand out as `hands.start`.
fn put_hands(
    root: &mut Object<'_>,
    at: &Range<usize>,
    in_hand: &InHand,
    (players, codes): (&[&str], &[String]),
    short: &mut Short<'_, '_>,
) {
    let Some(Json::Object(hands)) = json::get_mut(root, "hands") else {
        let message = "The board text has pieces in hand, but the game has no `hands`.";
        short.report(Code::BadSetup, at.clone(), message, "add `hands`, or leave out the brackets");
        return;
    };
    if json::get(hands, "start").is_some() {
        let message = "The pieces in hand are given twice: here and in `start` of `hands`.";
        short.report(Code::BadSetup, at.clone(), message, "keep one of them");
        return;
    }
    let mut start = json::object([], at);
    for (player, name) in players.iter().enumerate() {
        let mut hand = json::object([], at);
        for ((_, piece), count) in in_hand.range((player, 0)..(player + 1, 0)) {
            if let (Json::Object(hand), Some(code)) = (&mut hand, codes.get(*piece)) {
                hand.properties.push(json::entry(code.clone(), json::number(*count, at)));
            }
        }
        if let (Json::Object(start), Json::Object(own)) = (&mut start, &hand)
            && !own.properties.is_empty()
        {
            start.properties.push(json::entry((*name).to_owned(), hand));
        }
    }
    json::put(hands, "start", start);
}

/// Returns the codes of the pieces; a piece without one is left out.
fn codes(root: &Object<'_>) -> Vec<String> {
    let Some(Json::Array(pieces)) = json::get(root, "pieces") else { return Vec::new() };
    let code =
        |piece: &Json<'_>| json::get(piece.as_object()?, "code").and_then(json::text).map(str::to_owned);
    pieces.elements.iter().filter_map(code).take(limits::PIECES).collect()
}

/// Returns the texts of all pieces, the longest first.
fn tokens(root: &Object<'_>, codes: &[String], armies: &[Army]) -> Vec<Token> {
    let Some(Json::Array(pieces)) = json::get(root, "pieces") else { return Vec::new() };
    let given = |piece: &Object<'_>| {
        if let Some(letter) = json::get(piece, "letter") {
            return Symbol::letter(json::text(letter)?);
        }
        let letters = json::get(piece, "letters")?.as_object()?;
        let of_player = |army: &Army| json::text(json::get(letters, &army.name)?).map(str::to_owned);
        Symbol::per_player(armies.iter().map(of_player).collect::<Option<_>>()?)
    };
    let pieces = pieces.elements.iter().filter_map(Json::as_object);
    let pieces = pieces.filter(|piece| json::get(piece, "code").and_then(json::text).is_some());
    let given: Vec<Option<Symbol>> = pieces.take(codes.len()).map(given).collect();
    let leaders = json::leaders(root);
    let leaders: Vec<&str> = leaders.iter().map(String::as_str).collect();
    let names: Vec<&str> = codes.iter().map(String::as_str).collect();
    let symbols = letters::choose(given, &names, &leaders);
    let mut tokens: Vec<Token> = (0..armies.len().min(limits::PLAYERS))
        .flat_map(|player| symbols.iter().enumerate().map(move |(piece, symbol)| (player, piece, symbol)))
        .map(|(player, piece, symbol)| Token { text: symbol.of(Player(player as u8)), piece, player })
        .collect();
    tokens.sort_by_key(|token| std::cmp::Reverse(token.text.len()));
    tokens
}

/// What the characters of the text may mean.
struct Parts<'t> {
    tokens: &'t [Token],
    holes: Vec<Coord>,
}

/// Returns the holes of the board, whose squares are written out already.
fn holes(root: &Object<'_>) -> Vec<Coord> {
    let board = json::get(root, "board").and_then(Json::as_object);
    let listed = board.and_then(|board| json::get(board, "disabled_positions")).and_then(Json::as_array);
    listed.into_iter().flat_map(|list| &list.elements).filter_map(json::read_coord).collect()
}

/// Reads the text and reports all its problems. Returns the squares by player and piece.
fn place(
    text: &StringLit<'_>,
    Parts { tokens, holes }: &Parts<'_>,
    (players, pieces): (usize, usize),
    short: &mut Short<'_, '_>,
) -> Armies {
    let mut placed: Armies = vec![vec![Vec::new(); pieces]; players];
    let Some((files, ranks)) = short.size() else { return placed };
    let rows_of_level = short.board.as_ref().map_or(ranks, |board| board.level_ranks().into());
    let square = |x: i32, row: i32| Coord { x, y: row % rows_of_level, z: row / rows_of_level };
    let placement = text.value.split_once('[').map_or(&*text.value, |(placement, _)| placement);
    let rows: Vec<&str> = placement.split('/').collect();
    if rows.len() != ranks as usize {
        let message = format!("The board text has {} ranks; the board has {ranks}.", rows.len());
        let help = "write every rank, from top to bottom, with / between";
        short.report(Code::BadSetup, json::span(text), message, help);
    }
    let mut start = 0;
    for (row, y) in rows.into_iter().zip((0..ranks).rev()) {
        let (mut x, mut at) = (0_i32, 0);
        while at < row.len() && x <= files {
            let rest = &row[at..];
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            if digits > 0 {
                x = x.saturating_add(rest[..digits].parse().unwrap_or(i32::MAX));
                at += digits;
                continue;
            }
            if let Some(token) = tokens.iter().find(|token| rest.starts_with(&*token.text)) {
                if x < files {
                    placed[token.player][token.piece].push(square(x, y));
                }
                (x, at) = (x + 1, at + token.text.len());
                continue;
            }
            let character = rest.chars().next().unwrap_or_default();
            let span = json::part(text, start + at..start + at + character.len_utf8());
            if character != '*' {
                unknown_piece(character, span, tokens, short);
            } else if !holes.contains(&square(x, y)) {
                let message = "There is no hole here.";
                let help = "list the square under `disabled_positions` of the board, or write a number";
                short.report(Code::BadSetup, span, message, help);
            }
            (x, at) = (x + 1, at + character.len_utf8());
        }
        if x != files {
            let span = json::part(text, start..start + row.len());
            let message = format!("Rank {} does not have {files} squares.", y + 1);
            short.report(Code::BadSetup, span, message, "a number stands for empty squares, * for a hole");
        }
        start += row.len() + 1;
    }
    placed.iter_mut().flatten().for_each(|squares| squares.sort_by_key(|at| (at.z, at.y, at.x)));
    placed
}

fn unknown_piece(character: char, span: Range<usize>, tokens: &[Token], short: &mut Short<'_, '_>) {
    const SHOWN: usize = 16;
    let known: Vec<&str> = tokens.iter().rev().take(SHOWN).map(|token| token.text.as_str()).collect();
    let message = format!("`{character}` is not a piece of the game.");
    short.report(Code::BadSetup, span, message, format!("pieces are written {}", known.join(" ")));
}
