//! The symbols of pieces: those that the file gives, and a chosen letter for every other piece.
//!
//! The choice depends only on the file. Given symbols are reserved first. Then the leader, and after it the other pieces
//! in the order of the list, each get the first free letter of their code, or else the first free letter of Unicode, from
//! `A` on.

use std::collections::HashSet;

use tabiya_engine::Symbol;

use crate::model::{GameSpec, PieceSpec};
use crate::place::At;

/// Returns the symbol of every piece, in the order of the list. Values that could not be read count as not given.
pub(crate) fn symbols(spec: &GameSpec) -> Vec<Symbol> {
    let given = spec.pieces.iter().map(|piece| given(spec, piece)).collect();
    let codes: Vec<&str> = spec.pieces.iter().map(|piece| piece.code.as_str()).collect();
    let leaders: Vec<&str> = spec.leaders().filter_map(At::known).map(String::as_str).collect();
    choose(given, &codes, &leaders)
}

/// Completes the symbols of pieces, given those in the file, the codes of the pieces and those of the leaders.
pub(crate) fn choose(given: Vec<Option<Symbol>>, codes: &[&str], leaders: &[&str]) -> Vec<Symbol> {
    let mut taken: HashSet<char> = given.iter().flatten().filter_map(Symbol::plain_letter).collect();
    let is_leader = |index: &usize| leaders.contains(&codes[*index]);
    let (first, others): (Vec<usize>, Vec<usize>) = (0..codes.len()).partition(is_leader);
    let mut symbols = given;
    for index in first.into_iter().chain(others) {
        if symbols[index].is_none() {
            let letter = first_free(codes[index], &taken);
            taken.insert(letter);
            symbols[index] = Symbol::letter(letter.encode_utf8(&mut [0; 4]));
        }
    }
    symbols.into_iter().map(|symbol| symbol.expect("every piece has one")).collect()
}

/// Returns the symbol that the file gives to a piece.
pub(crate) fn given(spec: &GameSpec, piece: &PieceSpec) -> Option<Symbol> {
    if let Some(letter) = &piece.letter {
        return Symbol::letter(letter.known()?);
    }
    let letters = piece.letters.as_ref()?.known()?;
    let text = |name: &str| letters.get(name)?.known().cloned();
    Symbol::per_player(spec.players.iter().map(|player| text(&player.name)).collect::<Option<_>>()?)
}

/// Returns the first free letter of a code; if there is none, the first free letter of Unicode, from `A` on.
pub(crate) fn first_free(code: &str, taken: &HashSet<char>) -> char {
    free_of(code, taken).or_else(|| letters('A'..=char::MAX, taken).next()).unwrap_or('?')
}

/// Returns the first letter of a code that no other piece has.
pub(crate) fn free_of(code: &str, taken: &HashSet<char>) -> Option<char> {
    letters(code.chars(), taken).next()
}

fn letters(characters: impl Iterator<Item = char>, taken: &HashSet<char>) -> impl Iterator<Item = char> {
    let letter = |character: char| Symbol::letter(character.encode_utf8(&mut [0; 4]))?.plain_letter();
    characters.filter_map(letter).filter(|letter| !taken.contains(letter))
}
