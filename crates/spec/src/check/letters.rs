//! The symbols of pieces in board text. The case of a letter shows the owner, so a letter needs two cases; a character
//! that belongs to one player must not have any. No two pieces may share a symbol.

use std::collections::{HashMap, HashSet};

use tabiya_engine::Symbol;

use crate::letters;
use crate::model::PieceSpec;
use crate::read::Named;

use super::global_conditions::check_players;
use super::prelude::*;

pub(super) fn check(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let pieces = &view.spec.pieces;
    for piece in pieces.iter() {
        if let Some(letter) = &piece.letter {
            check_letter(letter, view, diags);
        }
        if let Some(letters) = &piece.letters {
            check_letters(piece, letters, view, diags);
        }
    }
    let texts: Vec<(&PieceSpec, &At<String>)> = pieces.iter().flat_map(|piece| given_texts(piece)).collect();
    let plain = |text: &At<String>| Symbol::letter(text.known()?)?.plain_letter();
    let taken: HashSet<char> = texts.iter().filter_map(|(_, text)| plain(text)).collect();
    let mut seen: HashMap<String, &PieceSpec> = HashMap::new();
    for (piece, text) in texts {
        // Case does not distinguish letters.
        let Some(written) = text.known().filter(|text| is_symbol(text)).map(|text| text.to_uppercase())
        else {
            continue;
        };
        match seen.get(&written) {
            // A duplicate code is reported elsewhere.
            Some(first) if std::ptr::eq(*first, piece) || first.code.known() != piece.code.known() => {
                report_clash(piece, text, first, &taken, diags);
            }
            Some(_) => {}
            None => {
                seen.insert(written, piece);
            }
        }
    }
}

/// Mentions each letter that is neither given nor the first character of the code.
pub(super) fn note(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    if diags.any_error() {
        return;
    }
    for (piece, symbol) in view.spec.pieces.iter().zip(letters::symbols(view.spec)) {
        let Some(letter) = symbol.plain_letter().filter(|_| piece.letter.is_none()) else { continue };
        if !starts_with(&piece.code, letter) {
            let message = format!("`{}` is written `{letter}` in board text.", shorten(&piece.code));
            let help = format!("add \"letter\": \"{letter}\" to keep it, or choose another letter");
            diags.report_with_help(Code::ChosenLetter, piece.code.place(), message, help);
        }
    }
}

fn is_symbol(text: &str) -> bool {
    Symbol::letter(text).or_else(|| Symbol::per_player(vec![text.to_owned()])).is_some()
}

/// Whether a code starts with a letter, in any case.
fn starts_with(code: &str, letter: char) -> bool {
    code.chars().next().is_some_and(|first| first.to_uppercase().eq([letter]))
}

/// Returns every text that the file gives for a piece.
fn given_texts(piece: &PieceSpec) -> impl Iterator<Item = (&PieceSpec, &At<String>)> {
    let letters = piece.letters.iter().flat_map(|letters| letters.values());
    piece.letter.iter().chain(letters).map(move |text| (piece, text))
}

fn check_letter(letter: &At<String>, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let Some(text) = letter.known() else { return };
    if Symbol::letter(text).is_none() {
        let message = format!("`{}` cannot be used as a letter in board text.", shorten(text));
        let help = "write a single letter that has an upper and a lower case, or give each player a character with \
                    \"letters\"";
        diags.report_with_help(Code::BadLetter, letter.place(), message, help);
    }
    check_plus(letter, view, diags);
}

fn check_letters(
    piece: &PieceSpec,
    letters: &At<Named<String>>,
    view: &View<'_>,
    diags: &mut Diagnostics<'_>,
) {
    if piece.letter.is_some() {
        let message = format!("`{}` has both \"letter\" and \"letters\".", shorten(&piece.code));
        diags.report_with_help(Code::BadLetter, letters.place(), message, "remove one of them");
    }
    check_players(letters, "character", "write a character for every player", view, diags);
    for text in letters.values() {
        if text.known().is_some_and(|known| Symbol::per_player(vec![known.clone()]).is_none()) {
            let message = format!("`{}` cannot be the character of one player in board text.", shorten(text));
            let help = "write a single letter without case; a letter with two cases belongs in \"letter\"";
            diags.report_with_help(Code::BadLetter, text.place(), message, help);
        }
        check_plus(text, view, diags);
    }
}

/// Reports a plus sign in a game whose board text uses it for the second piece on a square.
fn check_plus(text: &At<String>, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    if view.spec.sharing.is_some() && text.known().is_some_and(|text| text.starts_with('+')) {
        let message =
            "In board text of a game with `sharing`, a plus sign precedes the second piece on a square.";
        diags.report_with_help(Code::BadLetter, text.place(), message, "write a letter without a plus sign");
    }
}

fn report_clash(
    piece: &PieceSpec,
    text: &At<String>,
    first: &PieceSpec,
    taken: &HashSet<char>,
    diags: &mut Diagnostics<'_>,
) {
    let (code, written) = (shorten(&piece.code), shorten(text));
    let message = if std::ptr::eq(piece, first) {
        format!("Two players have the same character for `{code}` in board text: `{written}`.")
    } else {
        format!("`{code}` and `{}` have the same letter in board text: `{written}`.", shorten(&first.code))
    };
    let help = match letters::free_of(&piece.code, taken).filter(|_| piece.letter.is_some()) {
        Some(free) => format!("write \"letter\": \"{free}\", or leave it out to have one chosen"),
        None if piece.letter.is_some() => "leave out the \"letter\" to have one chosen".into(),
        None => "write a character that no other piece has".into(),
    };
    diags.report_with_help(Code::LetterClash, text.place(), message, help);
}
