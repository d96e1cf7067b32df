//! The starting position as board text: `"setup": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"`.

use std::ops::Range;

use jsonc_parser::ast::{Object, StringLit, Value as Json};
use tabiya_engine::{Player, Symbol};

use super::players::Army;
use super::{Short, json};
use crate::code::Code;
use crate::{letters, limits};

/// A text of a piece, its index and that of its player.
struct Token {
    text: String,
    piece: usize,
    player: usize,
}

/// The squares of each piece, by player and piece.
type Armies = Vec<Vec<Vec<(i32, i32)>>>;

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
            let squares = squares.into_iter().map(|square| json::coordinates(square, &at)).collect();
            starts.push(json::object([piece, ("positions", json::list(squares, &at))], &at));
        }
        json::put(player, "starting_positions", json::list(starts, &at));
    }
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
    holes: Vec<(i32, i32)>,
}

/// Returns the holes of the board, whose squares are written out already.
fn holes(root: &Object<'_>) -> Vec<(i32, i32)> {
    let board = json::get(root, "board").and_then(Json::as_object);
    let listed = board.and_then(|board| json::get(board, "disabled_positions")).and_then(Json::as_array);
    listed.into_iter().flat_map(|list| &list.elements).filter_map(json::pair).map(|[x, y]| (x, y)).collect()
}

/// Reads the text and reports all its problems. Returns the squares by player and piece.
fn place(
    text: &StringLit<'_>,
    Parts { tokens, holes }: &Parts<'_>,
    (players, pieces): (usize, usize),
    short: &mut Short<'_, '_>,
) -> Armies {
    let mut placed: Armies = vec![vec![Vec::new(); pieces]; players];
    let Some((files, ranks)) = short.size else { return placed };
    let rows: Vec<&str> = text.value.split('/').collect();
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
                    placed[token.player][token.piece].push((x, y));
                }
                (x, at) = (x + 1, at + token.text.len());
                continue;
            }
            let character = rest.chars().next().unwrap_or_default();
            let span = json::part(text, start + at..start + at + character.len_utf8());
            if character != '*' {
                unknown_piece(character, span, tokens, short);
            } else if !holes.contains(&(x, y)) {
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
    placed.iter_mut().flatten().for_each(|squares| squares.sort_by_key(|(x, y)| (*y, *x)));
    placed
}

fn unknown_piece(character: char, span: Range<usize>, tokens: &[Token], short: &mut Short<'_, '_>) {
    const SHOWN: usize = 16;
    let known: Vec<&str> = tokens.iter().rev().take(SHOWN).map(|token| token.text.as_str()).collect();
    let message = format!("`{character}` is not a piece of the game.");
    short.report(Code::BadSetup, span, message, format!("pieces are written {}", known.join(" ")));
}
