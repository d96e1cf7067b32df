//! Draws the board in a terminal: one line per rank, three letters per piece. Levels stand side by side as far as they fit;
//! hexagons of neighbouring files are one line apart.
//!
//! Letters show the owner: the first player has capitals, the second small letters, the third and fourth the same with a
//! dot in front, and so on. Colours are added where the terminal shows them; without colours, dark squares have a point
//! and holes are hatched. Two pieces on one square are two letters and a plus sign. Frozen pieces have a tilde, and
//! squares of named regions, such as thrones, a mark in the colour of their owner. [`legend_lines`] explains all of this.

use std::fmt::Write as _;

use anstyle::Style;
use tabiya_engine::{Board, Lattice, Piece, Player, Position, Rules, Spot, Square};
use tabiya_notation::piece_symbol;

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
    landmarks: Vec<Landmark>,
}

/// A square of a named region.
#[derive(Clone, Copy, Debug)]
struct Landmark {
    square: Square,
    owner: Player,
    mark: char,
}

/// The marks of named regions, in the order of [`Rules::landmarks`].
const MARKS: [char; 3] = ['^', '@', '%'];

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
        let landmarks = landmarks(rules).collect();
        BoardDrawing {
            rules,
            position,
            colour: false,
            width: usize::MAX,
            recent,
            selected,
            targets,
            landmarks,
        }
    }

    /// Draws the board with coordinates on all sides.
    pub(crate) fn board(&self) -> String {
        let board = self.rules.board();
        let layout = CellLayout::new(self.rules, self.position, self.width);
        let gutter = board.level_ranks().to_string().len() + 1;
        let levels: Vec<Vec<String>> =
            (0..board.levels()).map(|level| self.level(&layout, gutter, level)).collect();
        // The rank on the right may have fewer digits than the gutter.
        let width = gutter + 2 + usize::from(board.files()) * layout.width() + gutter;
        let beside = (self.width / (width + 2)).clamp(1, levels.len());
        let mut text = String::new();
        for levels in levels.chunks(beside) {
            for line in 0..levels[0].len() {
                let parts: Vec<&str> = levels.iter().map(|level| level[line].as_str()).collect();
                text.push_str(&parts.join("  "));
                text.push('\n');
            }
        }
        text
    }

    /// Draws one level. With several, its lines are equally wide.
    fn level(&self, layout: &CellLayout, gutter: usize, level: u16) -> Vec<String> {
        let board = self.rules.board();
        let is_hex = board.lattice() == Lattice::Hex;
        let has_levels = board.levels() > 1;
        let names = self.file_names(layout, gutter, has_levels);
        let mut lines = Vec::new();
        if has_levels {
            let title = format!("level {}", board.level_name(level.into()));
            let width = gutter + 1 + usize::from(board.files()) * layout.width() + gutter;
            lines.push(format!("{FAINT}{:gutter$} {title:rest$}{FAINT:#}", "", rest = width - gutter - 1));
        }
        lines.push(names.clone());
        for row in board.rows().into_iter().filter(|row| row.level == level) {
            let mut text = String::new();
            let rank = row.rank.map_or_else(String::new, |rank| rank.to_string());
            let _ = write!(text, "{FAINT}{rank:>gutter$}{FAINT:#} ");
            for square in row.squares {
                match square {
                    Some(square) => self.cell(&mut text, layout, square, is_dark(board, square)),
                    None if is_hex => text.push_str(&" ".repeat(layout.width())),
                    None => text.push_str(&layout.hole(self.colour)),
                }
            }
            let width = if has_levels { gutter - 1 } else { 0 };
            let _ = write!(text, " {FAINT}{rank:width$}{FAINT:#}");
            lines.push(if is_hex { text.trim_end().to_owned() } else { text });
        }
        lines.push(names);
        lines
    }

    fn file_names(&self, layout: &CellLayout, gutter: usize, has_levels: bool) -> String {
        let mut text = format!("{FAINT}{:gutter$} ", "");
        let board = self.rules.board();
        for x in 0..board.files() {
            let _ = write!(text, "{}", layout.centred(&board.file_name(u32::from(x))));
        }
        if has_levels {
            let _ = write!(text, "{:gutter$}", "");
        }
        let _ = write!(text, "{FAINT:#}");
        text
    }

    fn cell(&self, text: &mut String, layout: &CellLayout, square: Square, dark: bool) {
        let square_style = self.square_style(square, dark);
        let piece = self.position.piece(square);
        let target = self.targets.contains(&square);
        // Where regions overlap, the mark of the last one is drawn.
        let landmark = self.landmarks.iter().rfind(|it| it.square == square);
        let (before, after, mark_style) = match (piece, landmark) {
            (Some(_), _) if self.selected == Some(square) => ('>', '<', square_style),
            (Some(_), _) if target => ('[', ']', square_style),
            (_, Some(it)) => (it.mark, ' ', layout.styles.of(it.owner)),
            _ => (' ', ' ', square_style),
        };
        let mut parts = match piece {
            Some(piece) => self.pieces(layout, square, piece),
            None => vec![(self.empty(target, dark).to_owned(), square_style)],
        };
        layout.pad(&mut parts, piece.is_none());
        parts.insert(0, (before.to_string(), mark_style));
        if layout.is_wide {
            parts.push((after.to_string(), square_style));
        }
        for (part, style) in parts {
            let _ = write!(text, "{style}{part}{style:#}");
        }
    }

    /// Draws the pieces on a square, each in the style of its owner.
    fn pieces(&self, layout: &CellLayout, square: Square, host: Piece) -> Vec<(String, Style)> {
        let style = |piece: Piece| self.piece_style(layout, piece.player);
        let symbol = |piece: Piece| shared_symbol(self.rules, self.position, piece);
        if let Some(guest) = self.position.guest(square) {
            return vec![(format!("{}+", symbol(host)), style(host)), (symbol(guest), style(guest))];
        }
        let is_frozen = self.position.frozen().contains(host.player);
        vec![(layout.letters(self.rules, host, is_frozen), style(host))]
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
        if self.position.eliminated().contains(player) {
            OUT
        } else if self.position.frozen().contains(player) {
            layout.styles.of(player).dimmed()
        } else {
            layout.styles.of(player)
        }
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
    fn new(rules: &Rules, position: &Position, width: usize) -> Self {
        let code = rules.kinds().map(|kind| display_width(&short_code(&rules.kind(kind).code))).max();
        let letters = code.unwrap_or(0).max(3) + dots(Player(rules.players().count() as u8 - 1));
        let symbol = |piece| display_width(&shared_symbol(rules, position, piece));
        let shared = position.guests().filter_map(|(square, guest)| {
            let host = position.piece_at(Spot::host(square))?;
            Some(symbol(host) + 1 + symbol(guest))
        });
        let letters = shared.max().unwrap_or(0).max(letters);
        let board = rules.board();
        let gutters = 2 * board.level_ranks().to_string().len() + 3;
        let is_wide = usize::from(board.files()) * (letters + 2) + gutters <= width;
        CellLayout { styles: PlayerStyles::new(rules), letters, is_wide }
    }

    /// Returns the columns of a square.
    fn width(&self) -> usize {
        self.letters + if self.is_wide { 2 } else { 1 }
    }

    fn hole(&self, colour: bool) -> String {
        let width = self.width();
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
    fn pad(&self, parts: &mut [(String, Style)], centre: bool) {
        let width: usize = parts.iter().map(|(part, _)| display_width(part)).sum();
        let free = self.letters.saturating_sub(width);
        let before = if centre { free.div_ceil(2) } else { free };
        if let [(first, _), ..] = parts {
            first.insert_str(0, &" ".repeat(before));
        }
        if let [.., (last, _)] = parts {
            last.push_str(&" ".repeat(free - before));
        }
    }

    /// Centres a file name over the letters of its column.
    fn centred(&self, name: &str) -> String {
        let tail = if self.is_wide { " " } else { "" };
        let mut parts = [(name.to_owned(), Style::new())];
        self.pad(&mut parts, true);
        format!(" {}{tail}", parts[0].0)
    }
}

/// Returns whether a square is drawn dark: every second square, and every third hexagon.
fn is_dark(board: &Board, square: Square) -> bool {
    let [x, y, z] = board.place(square);
    match board.lattice() {
        Lattice::Square => (x + y + z) % 2 == 0,
        Lattice::Hex => (x + y) % 3 == 0,
    }
}

/// Returns the squares of named regions.
fn landmarks(rules: &Rules) -> impl Iterator<Item = Landmark> {
    rules.landmarks().into_iter().zip(MARKS).flat_map(|(region, mark)| {
        let by_player = rules.players().zip(&region.squares);
        by_player.flat_map(move |(owner, squares)| {
            squares.iter().map(move |square| Landmark { square: *square, owner, mark })
        })
    })
}

/// Explains case, dots and marks, in games that need it: with more than two players, shared squares or named regions.
pub(crate) fn legend_lines(rules: &Rules, position: &Position, colour: bool) -> Vec<String> {
    let mut signs = Vec::new();
    if rules.players().count() > 2 {
        signs.push(legend(rules));
    }
    if rules.mechanics().sharing.is_some() {
        signs.push("A+B two pieces on one square".to_owned());
    }
    if !position.frozen().is_empty() {
        signs.push("~ frozen".to_owned());
    }
    if !signs.is_empty() && !colour {
        signs.push("· an empty dark square".to_owned());
    }
    let mut lines: Vec<String> = Vec::new();
    if !signs.is_empty() {
        lines.push(format!("{FAINT}{}.{FAINT:#}", signs.join("; ")));
    }
    for (region, mark) in rules.landmarks().into_iter().zip(MARKS) {
        let owned = |(owner, squares): (Player, &Vec<Square>)| {
            let names: Vec<String> = squares.iter().map(|square| rules.board().name(*square)).collect();
            format!("{} {}", sanitize(&rules.player(owner).name), names.join(" "))
        };
        let owners = rules.players().zip(&region.squares).filter(|(_, squares)| !squares.is_empty());
        let owners = owners.map(owned).collect::<Vec<_>>().join(", ");
        lines.push(format!("{FAINT}{mark} {}: {owners}.{FAINT:#}", sanitize(&region.code)));
    }
    lines
}

/// Explains how the pieces of each player are drawn.
pub(crate) fn legend(rules: &Rules) -> String {
    let entry = |player: Player| {
        let name = sanitize(&rules.player(player).name).into_owned();
        format!("{name} {}{}", ".".repeat(dots(player)), cased(player, "abc"))
    };
    rules.players().map(entry).collect::<Vec<_>>().join(", ")
}

/// Draws a piece that shares a square with another.
fn shared_symbol(rules: &Rules, position: &Position, piece: Piece) -> String {
    let frozen = if position.frozen().contains(piece.player) { "~" } else { "" };
    format!("{frozen}{}", piece_symbol(rules, piece.player, piece.kind))
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
