//! The board in a terminal: one row of text for each rank, three letters for each piece.
//!
//! The owner shows in the case of the letters: the first player in capitals, the second in small letters, the third
//! and fourth the same behind a dot, and so on. Colours are added where they can be seen; without them dark squares
//! have a point and holes are hatched. Two pieces on one square are two letters and a plus, frozen pieces have a tilde, and
//! squares that the game has a name for a hat.

use std::fmt::Write as _;

use anstyle::Style;
use tabiya_engine::{FileName, Piece, Player, Position, Rules, Square};

use crate::output::Output;
use crate::palette::{DARK, FAINT, LIGHT, MARKED, OUT, Palette, RECENT};
use crate::text::{columns, plain};

/// A position to be drawn, and what is pointed out in it.
#[derive(Debug)]
pub(crate) struct Drawing<'a> {
    /// The rules.
    pub(crate) rules: &'a Rules,
    /// The position.
    pub(crate) position: &'a Position,
    /// Whether colours can be seen.
    colour: bool,
    /// A wider board gives up the blank behind each piece.
    width: usize,
    /// The squares of the last moves.
    pub(crate) recent: Vec<Square>,
    /// The piece that was asked about.
    pub(crate) selected: Option<Square>,
    /// Where it can go.
    pub(crate) targets: Vec<Square>,
    /// Squares that the game has a name for.
    named: Vec<Square>,
}

impl<'a> Drawing<'a> {
    /// A position with nothing pointed out.
    pub(crate) fn new(rules: &'a Rules, position: &'a Position, out: &Output) -> Self {
        // Where nobody looks yet, it shall fit the smallest terminal.
        let width = Some(out.width()).filter(|width| *width < usize::MAX).unwrap_or(80);
        Drawing {
            rules,
            position,
            colour: out.colour(),
            width,
            recent: Vec::new(),
            selected: None,
            targets: Vec::new(),
            named: named_squares(rules),
        }
    }

    /// The same for somebody who sees no colours, and has as much room as the board needs.
    pub(crate) fn plain(rules: &'a Rules, position: &'a Position) -> Self {
        let (recent, selected, targets) = (Vec::new(), None, Vec::new());
        let named = named_squares(rules);
        Drawing { rules, position, colour: false, width: usize::MAX, recent, selected, targets, named }
    }

    /// The board, coordinates on all sides.
    pub(crate) fn board(&self) -> String {
        let board = self.rules.board();
        let pen = Pen::new(self.rules, self.width);
        let gutter = board.ranks().to_string().len() + 1;
        let mut text = String::new();
        self.file_names(&mut text, &pen, gutter);
        for y in (0..i32::from(board.ranks())).rev() {
            let rank = y + 1;
            let _ = write!(text, "{FAINT}{rank:>gutter$}{FAINT:#} ");
            for x in 0..i32::from(board.files()) {
                match board.square(x, y) {
                    Some(square) => self.cell(&mut text, &pen, square, (x + y) % 2 == 0),
                    None => text.push_str(&pen.hole(self.colour)),
                }
            }
            let _ = writeln!(text, " {FAINT}{rank}{FAINT:#}");
        }
        self.file_names(&mut text, &pen, gutter);
        text
    }

    fn file_names(&self, text: &mut String, pen: &Pen, gutter: usize) {
        let _ = write!(text, "{FAINT}{:gutter$} ", "");
        for x in 0..self.rules.board().files() {
            let name = FileName(u32::from(x)).to_string();
            let _ = write!(text, "{}", pen.centred(&name));
        }
        let _ = writeln!(text, "{FAINT:#}");
    }

    fn cell(&self, text: &mut String, pen: &Pen, square: Square, dark: bool) {
        let ground = self.ground(square, dark);
        let piece = self.position.piece(square);
        let target = self.targets.contains(&square);
        let (before, after) = match piece {
            Some(_) if self.selected == Some(square) => ('>', '<'),
            Some(_) if target => ('[', ']'),
            _ if self.named.contains(&square) => ('^', ' '),
            _ => (' ', ' '),
        };
        let (letters, chip) = match piece {
            Some(piece) => (self.letters(pen, square, piece), self.chip(pen, piece.player)),
            None => (self.empty(target, dark).to_owned(), ground),
        };
        let letters = pen.padded(&letters, piece.is_none());
        let _ = write!(text, "{ground}{before}{ground:#}{chip}{letters}{chip:#}");
        if pen.roomy {
            let _ = write!(text, "{ground}{after}{ground:#}");
        }
    }

    fn letters(&self, pen: &Pen, square: Square, host: Piece) -> String {
        match self.position.guest(square) {
            Some(guest) => two_letters(self.rules, host, guest),
            None => pen.letters(self.rules, host, self.position.frozen().contains(host.player)),
        }
    }

    fn empty(&self, target: bool, dark: bool) -> &'static str {
        match (target, dark, self.colour) {
            (true, ..) => "*",
            (false, true, false) => "·",
            _ => "",
        }
    }

    fn ground(&self, square: Square, dark: bool) -> Style {
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

    fn chip(&self, pen: &Pen, player: Player) -> Style {
        let is_out = self.position.eliminated().union(self.position.frozen()).contains(player);
        if is_out { OUT } else { pen.palette.chip(player) }
    }
}

/// What is the same for every cell of a board.
#[derive(Debug)]
struct Pen {
    palette: Palette,
    /// Columns for dots and letters.
    letters: usize,
    /// Whether there is a blank behind the letters as well as before them.
    roomy: bool,
}

impl Pen {
    fn new(rules: &Rules, width: usize) -> Self {
        let code = rules.kinds().map(|kind| columns(&short(&rules.kind(kind).code))).max();
        let letters = code.unwrap_or(0).max(3) + dots(Player(rules.players().count() as u8 - 1));
        let board = rules.board();
        let gutters = 2 * board.ranks().to_string().len() + 3;
        let roomy = usize::from(board.files()) * (letters + 2) + gutters <= width;
        Pen { palette: Palette::new(rules), letters, roomy }
    }

    fn width(&self) -> usize {
        self.letters + if self.roomy { 2 } else { 1 }
    }

    fn hole(&self, colour: bool) -> String {
        if colour { " ".repeat(self.width()) } else { "░".repeat(self.width()) }
    }

    fn letters(&self, rules: &Rules, piece: Piece, is_frozen: bool) -> String {
        let code = short(&rules.kind(piece.kind).code);
        let code = if is_frozen { format!("~{}", code.chars().take(2).collect::<String>()) } else { code };
        let cased = cased(piece.player, &code);
        let free = self.letters.saturating_sub(columns(&cased));
        ".".repeat(dots(piece.player).min(free)) + &cased
    }

    /// Letters in their place: at the right, so that codes stand below each other with and without dots, or in the
    /// middle.
    fn padded(&self, letters: &str, middle: bool) -> String {
        let free = self.letters.saturating_sub(columns(letters));
        let before = if middle { free.div_ceil(2) } else { free };
        format!("{}{letters}{}", " ".repeat(before), " ".repeat(free - before))
    }

    /// A name in the middle of the column; the letters of pieces stand one blank to the right of its edge.
    fn centred(&self, name: &str) -> String {
        let tail = if self.roomy { " " } else { "" };
        format!(" {}{tail}", self.padded(name, true))
    }
}

fn named_squares(rules: &Rules) -> Vec<Square> {
    rules.landmarks().into_iter().flat_map(|region| region.squares.iter().flatten()).copied().collect()
}

/// How the pieces of each player look, for those who have not seen such a drawing.
pub(crate) fn legend(rules: &Rules) -> String {
    let looks = |player: Player| {
        let name = plain(&rules.player(player).name).into_owned();
        format!("{name} {}{}", ".".repeat(dots(player)), cased(player, "abc"))
    };
    rules.players().map(looks).collect::<Vec<_>>().join(", ")
}

/// Two pieces of a team on one square, the one that came first first.
fn two_letters(rules: &Rules, host: Piece, guest: Piece) -> String {
    let letter = |piece: Piece| cased(piece.player, &rules.kind(piece.kind).letter.to_string());
    format!("{}{}+{}", ".".repeat(dots(host.player)), letter(host), letter(guest))
}

/// The case of the letters tells one player from another.
fn cased(player: Player, code: &str) -> String {
    if player.0.is_multiple_of(2) { code.to_uppercase() } else { code.to_lowercase() }
}

/// The first three characters of a code.
fn short(code: &str) -> String {
    plain(code).chars().take(3).collect()
}

/// Two players share a number of dots: one in capitals, one in small letters.
fn dots(player: Player) -> usize {
    usize::from(player.0 / 2)
}
