//! The letters of the pieces in board text, where the case of a letter tells the owner: so each needs two cases, and
//! no two pieces may share one.

use std::collections::HashMap;

use crate::code::Code;
use crate::diagnostic::Faults;
use crate::model::PieceSpec;
use crate::place::At;
use crate::read::shorten;

use super::view::View;

pub(super) fn check(view: &View<'_>, faults: &mut Faults<'_>) {
    let pieces = &view.spec.pieces;
    let mut taken: HashMap<char, &str> = HashMap::new();
    for piece in pieces.iter() {
        check_form(piece, faults);
        if let (Some(letter), Some(code)) = (letter_in_effect(piece), piece.code.known()) {
            taken.entry(letter).or_insert(code);
        }
    }
    let mut seen: HashMap<char, &str> = HashMap::new();
    for piece in pieces.iter() {
        let (Some(letter), Some(code)) = (letter_in_effect(piece), piece.code.known()) else { continue };
        match seen.get(&letter) {
            // The same code twice is an error of its own.
            Some(first) if *first != code.as_str() => report_clash(piece, letter, first, &taken, faults),
            Some(_) => {}
            None => {
                seen.insert(letter, code);
            }
        }
    }
}

/// The upper case of a text that is a single letter with two cases that lead back to each other.
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

/// What stands for the piece: its `letter`, else the first character of its code.
fn letter_in_effect(piece: &PieceSpec) -> Option<char> {
    match &piece.letter {
        Some(letter) => letter_of(letter.known()?),
        None => letter_of(first_character(piece.code.known()?)),
    }
}

fn first_character(code: &str) -> &str {
    code.chars().next().map_or("", |first| &code[..first.len_utf8()])
}

fn check_form(piece: &PieceSpec, faults: &mut Faults<'_>) {
    const HELP: &str = "write one letter that has an upper and a lower case";
    match &piece.letter {
        Some(letter) => {
            if letter.known().is_some_and(|letter| letter_of(letter).is_none()) {
                let message = format!("`{}` is not a letter of board text.", shorten(letter));
                faults.report_with_help(Code::BadLetter, letter.place(), message, HELP);
            }
        }
        None => check_derived(&piece.code, faults),
    }
}

fn check_derived(code: &At<String>, faults: &mut Faults<'_>) {
    let Some(text) = code.known().filter(|text| !text.trim().is_empty()) else { return };
    let first = first_character(text);
    if letter_of(first).is_none() {
        let message = format!(
            "`{}` starts with `{}`, which is not a letter of board text.",
            shorten(text),
            shorten(first)
        );
        faults.report_with_help(
            Code::BadLetter,
            code.place(),
            message,
            "add a \"letter\" that has an upper and a lower case",
        );
    }
}

fn report_clash(
    piece: &PieceSpec,
    letter: char,
    first: &str,
    taken: &HashMap<char, &str>,
    faults: &mut Faults<'_>,
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
    faults.report_with_help(Code::LetterClash, place, message, help);
}
