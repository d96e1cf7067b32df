//! Short forms: what a file may write briefly. They are rewritten to the long form on the JSON itself, before the file is
//! read, so that readers, checks and rules never see them.
//!
//! Every new value has the byte range of the text that it comes from, so that problems are reported where they were
//! written.
//!
//! - [`comments`]: texts that mean nothing;
//! - [`extends`]: a file as a patch on a game of the library;
//! - [`squares`] and [`names`]: `"e4"`, `"a2-h2"` and regions instead of lists of squares;
//! - [`players`]: players by name alone, and the turn order that follows from them;
//! - [`boards`]: boards in the shape of a hexagon;
//! - [`castling`]: castling moves by files;
//! - [`gates`]: copies of all moves of a piece that drop another one;
//! - [`promotion`]: the promotion of all moves of a piece; [`counts`]: counts of all pieces but some;
//! - [`setup`]: the starting position as board text;
//! - [`pieces`] and [`moves`]: Betza notation, the moves of other kinds, one step for several directions, default actions
//!   and numbers of moves.

pub mod betza;
mod boards;
mod castling;
mod comments;
mod counts;
mod extends;
mod gates;
mod json;
mod moves;
mod names;
mod pieces;
mod players;
mod promotion;
mod setup;
mod squares;
mod write;

use std::ops::Range;

use jsonc_parser::ast::{Object, Value as Json};
use tabiya_engine::{Board, Lattice};

use crate::code::Code;
use crate::diagnostic::Diagnostics;
use crate::limits;
use crate::place::{Place, Step};

pub(crate) use comments::{COMMENT, remove as remove_comments};
pub use extends::ReadParent;
pub(crate) use extends::Sources;
pub(crate) use write::{value, write};

/// Rewrites all short forms of a file. Problems are reported; what cannot be rewritten is left out.
pub(crate) fn expand(json: &mut Json<'_>, diags: &mut Diagnostics<'_>) {
    let Json::Object(root) = json else { return };
    let mut short = Short {
        board: boards::board(root),
        squares: Some(limits::SHORT_SQUARES),
        moves: Some(limits::SHORT_MOVES),
        diags,
    };
    extends::report_removals(root, &mut short);
    boards::expand(root, &mut short);
    players::expand(root, short.board.as_ref());
    let armies = players::armies(root);
    promotion::expand(root, &mut short);
    castling::expand(root, &mut short);
    squares::expand_holes(root, &mut short);
    // Hexagons are named by their place among those that exist.
    short.board = boards::board(root);
    gates::expand(root, &mut short);
    squares::expand(root, &armies, &mut short);
    pieces::expand(root, &mut short);
    setup::expand(root, &armies, &mut short);
    counts::expand(root, &mut short);
    drop_ending_ids(root);
}

/// Removes the `id` of endings, by which a file that `extends` this one refers to them.
fn drop_ending_ids(root: &mut Object<'_>) {
    let Some(Json::Array(endings)) = json::get_mut(root, "endings") else { return };
    for ending in &mut endings.elements {
        if let Json::Object(ending) = ending {
            json::take(ending, "id");
        }
    }
}

/// What the rewriting of one file needs.
struct Short<'f, 's> {
    /// The board without its links, if it can be read.
    board: Option<Board>,
    /// The numbers of squares and moves that may still be written out; `None` after it was exceeded.
    squares: Option<usize>,
    moves: Option<usize>,
    diags: &'f mut Diagnostics<'s>,
}

impl Short<'_, '_> {
    fn report(
        &mut self,
        code: Code,
        span: Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let place = self.diags.places().add(Place::ROOT, Step::Index(0), span);
        self.diags.report_with_help(code, place, message, help);
    }

    /// Returns the numbers of files and of rows of all levels.
    fn size(&self) -> Option<(i32, i32)> {
        self.board.as_ref().map(|board| (board.files().into(), board.ranks().into()))
    }

    /// Returns how the squares are arranged, and whether there are levels.
    fn lattice(&self) -> (Lattice, bool) {
        self.board.as_ref().map_or((Lattice::Square, false), |board| (board.lattice(), board.levels() > 1))
    }

    /// Takes squares out of the budget. Returns whether there were enough left.
    fn spend_squares(&mut self, squares: usize, span: Range<usize>) -> bool {
        let Some(left) = self.squares else { return false };
        self.squares = left.checked_sub(squares);
        if self.squares.is_none() {
            let message =
                format!("The regions of the file have more than {} squares.", limits::SHORT_SQUARES);
            self.report(Code::TooMany, span, message, "use fewer or smaller regions");
        }
        self.squares.is_some()
    }

    /// Takes moves out of the budget. Returns whether there were enough left.
    fn spend_moves(&mut self, moves: usize, span: Range<usize>) -> bool {
        let Some(left) = self.moves else { return false };
        self.moves = left.checked_sub(moves);
        if self.moves.is_none() {
            let message = format!("The pieces have more than {} moves, written out.", limits::SHORT_MOVES);
            self.report(Code::TooMany, span, message, "use fewer pieces or fewer moves");
        }
        self.moves.is_some()
    }
}
