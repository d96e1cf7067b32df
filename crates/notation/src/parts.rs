//! Turns of several parts as text: the parts in order, separated by commas, `e2e4,e4d5`.
//!
//! Each part names the square that the piece leaves and the one it enters; a shot names the square of the piece and its target. If
//! several turns of a position have the same parts, `#` and a number follow, in the order of the resulting positions as text.
//!
//! The parser also accepts spaces, and leaves out what follows automatically: `e2e4` is enough if all legal turns that begin with it are
//! one.

use std::collections::HashMap;

use tabiya_engine::{IllegalMove, Move, Position, Rules};

use crate::illegal_move::explain_illegal_move;
use crate::symbols;
use crate::uci::{MoveError, parse_part, write};
use crate::ways::target_among;
use crate::{State, fen};

/// The greatest number of turns that an error lists.
const SHOWN: usize = 8;

/// Returns the text of a legal turn.
pub(crate) fn text(rules: &Rules, position: &Position, played: Move) -> String {
    let found = texts(rules, position).into_iter().find(|(other, _)| *other == played);
    found.map_or_else(|| first(rules, position, played, &[]), |(_, text)| text)
}

/// Returns the number of a legal turn among those with the same parts.
pub(crate) fn way(rules: &Rules, position: &Position, played: Move) -> Option<u32> {
    text(rules, position, played).rsplit_once('#')?.1.parse().ok()
}

/// Returns every legal turn with its text.
pub(crate) fn texts(rules: &Rules, position: &Position) -> Vec<(Move, String)> {
    let lines = rules.turns(position);
    let firsts: Vec<Move> = lines.iter().map(|(played, _)| Move { then: 0, ..*played }).collect();
    let mut named: Option<(Move, String)> = None;
    let mut texts: Vec<(Move, String)> = Vec::with_capacity(lines.len());
    for ((played, rest), begin) in lines.into_iter().zip(&firsts) {
        let start = match &named {
            Some((other, text)) if other == begin => text.clone(),
            _ => first(rules, position, *begin, &firsts),
        };
        let mut text = start.clone();
        named = Some((*begin, start));
        for part in rest {
            text.push(',');
            text.push_str(&part_text(rules, position, part));
        }
        texts.push((played, text));
    }
    number(rules, position, &mut texts);
    texts
}

/// Numbers turns with the same text.
fn number(rules: &Rules, position: &Position, texts: &mut [(Move, String)]) {
    let mut alike: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, (_, text)) in texts.iter().enumerate() {
        alike.entry(text.clone()).or_default().push(index);
    }
    let mut groups: Vec<Vec<usize>> = alike.into_values().filter(|group| group.len() > 1).collect();
    groups.sort();
    for mut group in groups {
        let order = |index: &usize| fen(rules, &State::new(rules.play_unchecked(position, texts[*index].0)));
        group.sort_by_cached_key(order);
        for (place, index) in group.into_iter().enumerate() {
            texts[index].1.push_str(&format!("#{}", place + 1));
        }
    }
}

/// Writes the first part of a turn.
fn first(rules: &Rules, position: &Position, part: Move, firsts: &[Move]) -> String {
    let part = Move { then: 0, ..part };
    let to = if part.dropped().is_some() { part.to } else { target_among(rules, position, part, firsts) };
    write(rules, position, (part, to), None)
}

/// Writes a further part.
fn part_text(rules: &Rules, position: &Position, part: Move) -> String {
    let (board, mover) = (rules.board(), rules.mover(position));
    let mut text = match part.dropped() {
        Some(kind) => format!("{}@{}", rules.kind(kind).symbol.written(mover), board.name(part.to)),
        None => format!("{}{}", board.name(part.from), board.name(part.to)),
    };
    if let Some(kind) = part.promotion {
        text.push_str(&symbols::promotion_text(rules, mover, kind).to_lowercase());
    }
    text
}

/// Parses a legal turn.
pub(crate) fn parse(rules: &Rules, position: &Position, text: &str) -> Result<Move, MoveError> {
    let wanted: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    if wanted.is_empty() || wanted.len() > 2000 {
        return Err(MoveError::Unreadable(text.trim().to_owned()));
    }
    let all = texts(rules, position);
    let same = |text: &str| text == wanted || text.eq_ignore_ascii_case(&wanted);
    if let Some((played, _)) = all.iter().find(|(_, text)| same(text)) {
        return Ok(*played);
    }
    let begins = |text: &str| {
        text.get(..wanted.len()).is_some_and(same) && text[wanted.len()..].starts_with([',', '#'])
    };
    let fitting: Vec<&(Move, String)> = all.iter().filter(|(_, text)| begins(text)).collect();
    match fitting.as_slice() {
        [(played, _)] => return Ok(*played),
        [] => {}
        several => {
            let mut shown: Vec<String> = several.iter().take(SHOWN).map(|(_, text)| text.clone()).collect();
            if several.len() > SHOWN {
                shown.push(format!("… ({} in all)", several.len()));
            }
            return Err(MoveError::Ambiguous(shown));
        }
    }
    let begin = wanted.split(',').next().unwrap_or_default();
    let starts =
        |text: &str| text.split([',', '#']).next().is_some_and(|first| first.eq_ignore_ascii_case(begin));
    if all.iter().any(|(_, text)| starts(text)) {
        let reason = IllegalMove::Turn;
        let message =
            format!("{begin} is legal, but the turn cannot go on as in {}", crate::clip(&wanted, 100));
        return Err(MoveError::Illegal { reason, message });
    }
    match parse_part(rules, position, begin) {
        Err(error) => Err(error),
        Ok(played) => {
            let reason = IllegalMove::Turn;
            let message = explain_illegal_move(rules, position, played.spot(), played.to, &reason);
            Err(MoveError::Illegal { reason, message })
        }
    }
}
