//! The catalogue of pieces: their codes.

use std::collections::{HashMap, HashSet};

use crate::code::Code;
use crate::diagnostic::Faults;
use crate::limits;
use crate::read::shorten;

use super::lists;
use super::view::View;

pub(super) fn check(view: &View<'_>, faults: &mut Faults<'_>) {
    let pieces = &view.spec.pieces;
    lists::not_empty(pieces, "pieces", faults);
    lists::at_most(pieces, limits::PIECES, "pieces", faults);
    let mut seen = HashSet::new();
    for piece in pieces.iter() {
        if let Some(name) = &piece.name {
            lists::name(name, "The name of a piece", faults);
        }
        let code = &piece.code;
        lists::name(code, "The code of a piece", faults);
        let good = code.known().is_some_and(|code| !code.trim().is_empty());
        if good && !seen.insert(code.as_str()) {
            let message = format!("Two pieces have the code `{}`.", shorten(code));
            faults.report_with_help(
                Code::DuplicatePiece,
                code.place(),
                message,
                "give each piece its own code",
            );
        }
    }
}

/// Codes that look the same on a board, which shows three characters of each.
pub(super) fn suspect(view: &View<'_>, faults: &mut Faults<'_>) {
    let mut shown: HashMap<String, &str> = HashMap::new();
    for code in view.spec.pieces.iter().filter_map(|piece| piece.code.known().map(|_| &piece.code)) {
        let cell: String = code.chars().take(3).collect();
        match shown.get(&cell) {
            // The same code twice is an error of its own.
            Some(first) if *first != code.as_str() => {
                let message = format!(
                    "`{}` and `{}` look the same on a board, which shows three characters: `{}`.",
                    shorten(code),
                    shorten(first),
                    shorten(&cell)
                );
                faults.report_with_help(
                    Code::SharedPrefix,
                    code.place(),
                    message,
                    "choose codes that differ at once",
                );
            }
            Some(_) => {}
            None => {
                shown.insert(cell, code);
            }
        }
    }
}
