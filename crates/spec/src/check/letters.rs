//! The letters of pieces in board text. The case of a letter shows the owner, so each letter needs two cases, and no
//! two pieces may share one.

use std::collections::HashMap;

use crate::model::PieceSpec;

use super::prelude::*;

pub(super) fn check(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let pieces = &view.spec.pieces;
    let mut taken: HashMap<char, &str> = HashMap::new();
    for piece in pieces.iter() {
        check_form(piece, diags);
        if let (Some(letter), Some(code)) = (letter_in_effect(piece), piece.code.known()) {
            taken.entry(letter).or_insert(code);
        }
    }
    let mut seen: HashMap<char, &str> = HashMap::new();
    for piece in pieces.iter() {
        let (Some(letter), Some(code)) = (letter_in_effect(piece), piece.code.known()) else { continue };
        match seen.get(&letter) {
            // A duplicate code is reported elsewhere.
            Some(first) if *first != code.as_str() => report_clash(piece, letter, first, &taken, diags),
            Some(_) => {}
            None => {
                seen.insert(letter, code);
            }
        }
    }
}

/// Returns the upper case of a single letter whose two cases convert into each other.
fn letter_of(text: &str) -> Option<char> {
    let only = single(text.chars())?;
    let upper = single(only.to_uppercase())?;
    let lower = single(only.to_lowercase())?;
    let there_and_back =
        single(upper.to_lowercase()) == Some(lower) && single(lower.to_uppercase()) == Some(upper);
    (only.is_alphabetic() && upper != lower && there_and_back).then_some(upper)
}

fn single(mut characters: impl Iterator<Item = char>) -> Option<char> {
    let first = characters.next()?;
    characters.next().is_none().then_some(first)
}

/// Returns the letter of a piece: `letter`, or the first character of its code.
fn letter_in_effect(piece: &PieceSpec) -> Option<char> {
    match &piece.letter {
        Some(letter) => letter_of(letter.known()?),
        None => letter_of(first_character(piece.code.known()?)),
    }
}

fn first_character(code: &str) -> &str {
    code.chars().next().map_or("", |first| &code[..first.len_utf8()])
}

fn check_form(piece: &PieceSpec, diags: &mut Diagnostics<'_>) {
    const HELP: &str = "write a single letter that has an upper and a lower case";
    match &piece.letter {
        Some(letter) => {
            if letter.known().is_some_and(|letter| letter_of(letter).is_none()) {
                let message = format!("`{}` cannot be used as a letter in board text.", shorten(letter));
                diags.report_with_help(Code::BadLetter, letter.place(), message, HELP);
            }
        }
        None => check_derived(&piece.code, diags),
    }
}

fn check_derived(code: &At<String>, diags: &mut Diagnostics<'_>) {
    let Some(text) = code.known().filter(|text| !text.trim().is_empty()) else { return };
    let first = first_character(text);
    if letter_of(first).is_none() {
        let message = format!(
            "`{}` starts with `{}`, which cannot be used as a letter in board text.",
            shorten(text),
            shorten(first)
        );
        let help = "add a \"letter\" that has an upper and a lower case";
        diags.report_with_help(Code::BadLetter, code.place(), message, help);
    }
}

fn report_clash(
    piece: &PieceSpec,
    letter: char,
    first: &str,
    taken: &HashMap<char, &str>,
    diags: &mut Diagnostics<'_>,
) {
    let code = &piece.code;
    let message = format!(
        "`{}` and `{}` have the same letter in board text: `{letter}`.",
        shorten(code),
        shorten(first)
    );
    let free = code
        .chars()
        .filter_map(|each| letter_of(each.encode_utf8(&mut [0; 4])))
        .find(|each| !taken.contains_key(each));
    let (place, verb) = match &piece.letter {
        Some(letter) => (letter.place(), "write"),
        None => (code.place(), "add"),
    };
    let help = match free {
        Some(free) => format!("{verb} \"letter\": \"{free}\""),
        None => format!("{verb} a \"letter\" that no other piece has"),
    };
    diags.report_with_help(Code::LetterClash, place, message, help);
}
