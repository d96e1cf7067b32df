//! Draws the board in a terminal: one line per rank, three letters per piece.
//!
//! Letters show the owner: the first player has capitals, the second small letters, the third and fourth the same with a
//! dot in front, and so on. Colours are added where the terminal shows them; without colours, dark squares have a point
//! and holes are hatched. Two pieces on one square are two letters and a plus sign. Frozen pieces have a tilde, and
//! squares of named regions a caret.

use std::fmt::Write as _;

use anstyle::Style;
use tabiya_engine::{FileName, Piece, Player, Position, Rules, Square};

use crate::output::Output;
use crate::styles::{DARK, FAINT, LIGHT, MARKED, OUT, PlayerStyles, RECENT};
use crate::text::{display_width, sanitize};

/// A position to draw, and the squares to highlight.
#[derive(Debug)]
pub(crate) struct BoardDrawing<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) position: &'a Position,
    colour: bool,
    /// Columns of the terminal. A board that does not fit omits the blank after each piece.
    width: usize,
    /// Squares of the last move.
    pub(crate) recent: Vec<Square>,
    /// The selected piece.
    pub(crate) selected: Option<Square>,
    /// Squares to which the selected piece can move.
    pub(crate) targets: Vec<Square>,
    /// Squares of named regions.
    named: Vec<Square>,
}

impl<'a> BoardDrawing<'a> {
    /// Creates a drawing for an output, without highlights.
    pub(crate) fn new(rules: &'a Rules, position: &'a Position, out: &Output) -> Self {
        // Text that is not written to a terminal may be shown in one later: fit the usual 80 columns.
        let width = Some(out.width).filter(|width| *width < usize::MAX).unwrap_or(80);
        BoardDrawing { colour: out.colour, width, ..Self::without_colour(rules, position) }
    }

    /// Creates a drawing without colours and without a limit on its width.
    pub(crate) fn without_colour(rules: &'a Rules, position: &'a Position) -> Self {
        let (recent, selected, targets) = (Vec::new(), None, Vec::new());
        let named = rules
            .landmarks()
            .into_iter()
            .flat_map(|region| region.squares.iter().flatten())
            .copied()
            .collect();
        BoardDrawing { rules, position, colour: false, width: usize::MAX, recent, selected, targets, named }
    }

    /// Draws the board with coordinates on all sides.
    pub(crate) fn board(&self) -> String {
        let board = self.rules.board();
        let layout = CellLayout::new(self.rules, self.width);
        let gutter = board.ranks().to_string().len() + 1;
        let mut text = String::new();
        self.file_names(&mut text, &layout, gutter);
        for y in (0..i32::from(board.ranks())).rev() {
            let rank = y + 1;
            let _ = write!(text, "{FAINT}{rank:>gutter$}{FAINT:#} ");
            for x in 0..i32::from(board.files()) {
                match board.square(x, y) {
                    Some(square) => self.cell(&mut text, &layout, square, (x + y) % 2 == 0),
                    None => text.push_str(&layout.hole(self.colour)),
                }
            }
            let _ = writeln!(text, " {FAINT}{rank}{FAINT:#}");
        }
        self.file_names(&mut text, &layout, gutter);
        text
    }

    fn file_names(&self, text: &mut String, layout: &CellLayout, gutter: usize) {
        let _ = write!(text, "{FAINT}{:gutter$} ", "");
        for x in 0..self.rules.board().files() {
            let name = FileName(u32::from(x)).to_string();
            let _ = write!(text, "{}", layout.centred(&name));
        }
        let _ = writeln!(text, "{FAINT:#}");
    }

    fn cell(&self, text: &mut String, layout: &CellLayout, square: Square, dark: bool) {
        let square_style = self.square_style(square, dark);
        let piece = self.position.piece(square);
        let target = self.targets.contains(&square);
        let (before, after) = match piece {
            Some(_) if self.selected == Some(square) => ('>', '<'),
            Some(_) if target => ('[', ']'),
            _ if self.named.contains(&square) => ('^', ' '),
            _ => (' ', ' '),
        };
        let (letters, piece_style) = match piece {
            Some(piece) => (self.letters(layout, square, piece), self.piece_style(layout, piece.player)),
            None => (self.empty(target, dark).to_owned(), square_style),
        };
        let letters = layout.padded(&letters, piece.is_none());
        let _ = write!(text, "{square_style}{before}{square_style:#}{piece_style}{letters}{piece_style:#}");
        if layout.is_wide {
            let _ = write!(text, "{square_style}{after}{square_style:#}");
        }
    }

    fn letters(&self, layout: &CellLayout, square: Square, host: Piece) -> String {
        match self.position.guest(square) {
            Some(guest) => two_letters(self.rules, host, guest),
            None => layout.letters(self.rules, host, self.position.frozen().contains(host.player)),
        }
    }

    fn empty(&self, target: bool, dark: bool) -> &'static str {
        match (target, dark, self.colour) {
            (true, ..) => "*",
            (false, true, false) => "·",
            _ => "",
        }
    }

    fn square_style(&self, square: Square, dark: bool) -> Style {
        if self.selected == Some(square) || self.targets.contains(&square) {
            MARKED
        } else if self.recent.contains(&square) {
            RECENT
        } else if dark {
            DARK
        } else {
            LIGHT
        }
    }

    fn piece_style(&self, layout: &CellLayout, player: Player) -> Style {
        let is_out = self.position.eliminated().union(self.position.frozen()).contains(player);
        if is_out { OUT } else { layout.styles.of(player) }
    }
}

/// What all cells of a board share.
#[derive(Debug)]
struct CellLayout {
    styles: PlayerStyles,
    /// Columns for dots and letters.
    letters: usize,
    /// Whether there is a blank after the letters as well as before them.
    is_wide: bool,
}

impl CellLayout {
    fn new(rules: &Rules, width: usize) -> Self {
        let code = rules.kinds().map(|kind| display_width(&short_code(&rules.kind(kind).code))).max();
        let letters = code.unwrap_or(0).max(3) + dots(Player(rules.players().count() as u8 - 1));
        let board = rules.board();
        let gutters = 2 * board.ranks().to_string().len() + 3;
        let is_wide = usize::from(board.files()) * (letters + 2) + gutters <= width;
        CellLayout { styles: PlayerStyles::new(rules), letters, is_wide }
    }

    fn hole(&self, colour: bool) -> String {
        let width = self.letters + if self.is_wide { 2 } else { 1 };
        if colour { " ".repeat(width) } else { "░".repeat(width) }
    }

    fn letters(&self, rules: &Rules, piece: Piece, is_frozen: bool) -> String {
        let plan = rules.kind(piece.kind);
        if plan.symbol.by_player().is_some() {
            return format!("{}{}", if is_frozen { "~" } else { "" }, plan.symbol.of(piece.player));
        }
        let code = short_code(&plan.code);
        let code = if is_frozen { format!("~{}", code.chars().take(2).collect::<String>()) } else { code };
        let cased = cased(piece.player, &code);
        let free = self.letters.saturating_sub(display_width(&cased));
        ".".repeat(dots(piece.player).min(free)) + &cased
    }

    /// Pads letters to the width of a cell: right-aligned, so that codes line up with and without dots, or centred.
    fn padded(&self, letters: &str, centre: bool) -> String {
        let free = self.letters.saturating_sub(display_width(letters));
        let before = if centre { free.div_ceil(2) } else { free };
        format!("{}{letters}{}", " ".repeat(before), " ".repeat(free - before))
    }

    /// Centres a file name over the letters of its column.
    fn centred(&self, name: &str) -> String {
        let tail = if self.is_wide { " " } else { "" };
        format!(" {}{tail}", self.padded(name, true))
    }
}

/// Explains how the pieces of each player are drawn.
pub(crate) fn legend(rules: &Rules) -> String {
    let entry = |player: Player| {
        let name = sanitize(&rules.player(player).name).into_owned();
        format!("{name} {}{}", ".".repeat(dots(player)), cased(player, "abc"))
    };
    rules.players().map(entry).collect::<Vec<_>>().join(", ")
}

/// Draws two pieces that share a square; the one that was there first comes first.
fn two_letters(rules: &Rules, host: Piece, guest: Piece) -> String {
    let letter =
        |piece: Piece| rules.kind(piece.kind).symbol.of(piece.player).trim_start_matches('.').to_owned();
    format!("{}{}+{}", ".".repeat(dots(host.player)), letter(host), letter(guest))
}

/// Writes a code in capitals for even players and in small letters for odd ones.
fn cased(player: Player, code: &str) -> String {
    if player.0.is_multiple_of(2) { code.to_uppercase() } else { code.to_lowercase() }
}

/// Returns the first three characters of a code.
fn short_code(code: &str) -> String {
    sanitize(code).chars().take(3).collect()
}

/// Returns how many dots precede the letters of a player: players 0 and 1 have none, 2 and 3 have one.
fn dots(player: Player) -> usize {
    usize::from(player.0 / 2)
}
