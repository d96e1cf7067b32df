//! The kinds of pieces: their codes and names.

use std::collections::{HashMap, HashSet};

use super::prelude::*;

pub(super) fn check(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let pieces = &view.spec.pieces;
    common::not_empty(pieces, "pieces", diags);
    common::at_most(pieces, limits::PIECES, "pieces", diags);
    let mut seen = HashSet::new();
    for piece in pieces.iter() {
        if let Some(name) = &piece.name {
            common::name(name, "The name of a piece", diags);
        }
        let code = &piece.code;
        common::name(code, "The code of a piece", diags);
        let good = code.known().is_some_and(|code| !code.trim().is_empty());
        if good && !seen.insert(code.as_str()) {
            let message = format!("Two pieces have the code `{}`.", shorten(code));
            let help = "give each piece its own code";
            diags.report_with_help(Code::DuplicatePiece, code.place(), message, help);
        }
    }
}

/// Warns about codes with the same first three characters, which is what a board shows.
pub(super) fn warn(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let mut shown: HashMap<String, &str> = HashMap::new();
    for code in view.spec.pieces.iter().filter_map(|piece| piece.code.known().map(|_| &piece.code)) {
        let cell: String = code.chars().take(3).collect();
        match shown.get(&cell) {
            // A duplicate code is reported elsewhere.
            Some(first) if *first != code.as_str() => {
                let message = format!(
                    "`{}` and `{}` look the same on a board, which shows three characters: `{}`.",
                    shorten(code),
                    shorten(first),
                    shorten(&cell)
                );
                let help = "choose codes that differ in their first three characters";
                diags.report_with_help(Code::SharedPrefix, code.place(), message, help);
            }
            Some(_) => {}
            None => {
                shown.insert(cell, code);
            }
        }
    }
}
