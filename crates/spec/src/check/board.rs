//! The board: its size, its disabled squares, its wraps and links, and lists of squares.

use std::collections::{HashMap, HashSet};

use tabiya_engine::{Board as Squares, Lattice, Offset, Square};

use crate::model::{Area, Axis, BoardSpec, Clause, Coord, GlobalCondition, LinkSpec};

use super::prelude::*;

/// The squares of the board.
pub(super) struct Board<'g> {
    spec: &'g BoardSpec,
    squares: Squares,
}

impl<'g> Board<'g> {
    /// Returns `None` if the squares of the board are unknown or if there are none.
    pub(super) fn new(spec: &'g BoardSpec) -> Option<Board<'g>> {
        let squares = spec.board()?;
        squares.squares().next()?;
        Some(Board { spec, squares })
    }

    /// Whether the square is within the rectangle, disabled or not.
    pub(super) fn spans(&self, at: Coord) -> bool {
        self.spec.spans(at)
    }

    /// Whether the square exists.
    pub(super) fn has(&self, at: Coord) -> bool {
        self.spans(at) && self.squares.has(self.spec.number(at))
    }

    /// Returns all squares that exist.
    pub(super) fn squares(&self) -> impl Iterator<Item = Coord> + '_ {
        self.squares.squares().map(|square| self.coord(square))
    }

    /// Returns the number of columns, of rows and of levels.
    pub(super) fn sizes(&self) -> [i32; 3] {
        [self.spec.dimensions.x, self.spec.dimensions.y, self.spec.levels()]
    }

    /// Returns whether the board neither wraps nor has links.
    pub(super) fn is_flat(&self) -> bool {
        self.squares.is_flat()
    }

    pub(super) fn lattice(&self) -> Lattice {
        self.squares.lattice()
    }

    /// Returns whether this many steps lead from a square over existing squares.
    pub(super) fn has_way(&self, from: Coord, step: Coord, times: i32) -> bool {
        let mut at = (self.spec.number(from), Offset::from(step));
        // A slide that does not end by then goes round and round.
        (0..times.min(limits::SQUARES as i32)).all(|_| {
            let next = self.squares.step_onward(at.0, at.1);
            next.is_some_and(|next| {
                at = next;
                true
            })
        })
    }

    fn coord(&self, square: Square) -> Coord {
        let [x, y, z] = self.squares.place(square);
        Coord { x, y, z }
    }

    /// Reports a square outside the rectangle.
    pub(super) fn check_spans(&self, at: &At<Coord>, diags: &mut Diagnostics<'_>) {
        if !self.spans(**at) {
            let [columns, rows, levels] = self.sizes().map(|size| size - 1);
            let levels = if levels > 0 { format!(", levels 0 to {levels}") } else { String::new() };
            diags.report_with_help(
                Code::SquareOffBoard,
                at.place(),
                format!("The square {} is not on the board.", **at),
                format!("the board has columns 0 to {columns} and rows 0 to {rows}{levels}"),
            );
        }
    }
}

/// Checks the size of the board, its disabled squares, and what else makes it more than a rectangle.
pub(super) fn check(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let spec = &view.spec.board;
    common::at_most(&spec.disabled_positions, limits::SQUARES, "squares", diags);
    check_size(spec, diags);
    check_shape(spec, diags);
    check_links(spec, diags);
    match &view.board {
        Some(board) => spec.disabled_positions.iter().for_each(|at| board.check_spans(at, diags)),
        None if spec.dimensions.known().is_some() && spec.has_good_size() && has_no_squares(spec) => diags
            .report_with_help(
                Code::NoSquares,
                spec.disabled_positions.place(),
                "Every square of the board is disabled.",
                "leave at least one square enabled",
            ),
        None => {}
    }
    check_lines(view, diags);
}

/// Warns about squares listed twice. For the squares of a tag, that is an error.
pub(super) fn warn(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let Some(board) = &view.board else { return };
    warn_duplicate_squares(&view.spec.board.disabled_positions, board, diags);
    for condition in view.spec.conditions.iter() {
        if let GlobalCondition::Position { check, .. } = &**condition {
            check.values().for_each(|list| warn_duplicate_squares(list, board, diags));
        }
    }
}

fn has_no_squares(spec: &BoardSpec) -> bool {
    let holes: HashSet<Coord> =
        spec.disabled_positions.iter().map(|at| **at).filter(|at| spec.spans(*at)).collect();
    holes.len() as i32 == spec.dimensions.x * spec.dimensions.y * spec.levels()
}

fn check_size(spec: &BoardSpec, diags: &mut Diagnostics<'_>) {
    let size = &spec.dimensions;
    let Some(Coord { x, y, z }) = size.known().copied().filter(|_| !spec.has_good_size()) else { return };
    let by = if z == 0 { format!("{x} by {y}") } else { format!("{x} by {y} by {z}") };
    if x < 1 || y < 1 || z < 0 {
        let message = format!("A board cannot have {by} squares.");
        let help =
            if z == 0 { "both dimensions must be at least 1" } else { "all dimensions must be at least 1" };
        diags.report_with_help(Code::BoardSize, size.place(), message, help);
    } else {
        let squares = i128::from(x) * i128::from(y) * i128::from(z.max(1));
        let message = format!("A board of {by} has {squares} squares.");
        let help = format!("a board may have at most {} squares", limits::SQUARES);
        diags.report_with_help(Code::BoardSize, size.place(), message, help);
    }
}

/// Checks the lattice, the wraps and the letters of the files.
fn check_shape(spec: &BoardSpec, diags: &mut Diagnostics<'_>) {
    if spec.lattice() == Lattice::Hex && spec.levels() > 1 {
        let message = "A board of hexagons has no levels.";
        let help = "write two dimensions, or leave out the `lattice`";
        diags.report_with_help(Code::BadBoard, spec.dimensions.place(), message, help);
    }
    let mut seen = HashSet::new();
    for axis in spec.wrap.iter().filter(|axis| axis.known().is_some()) {
        if !seen.insert(axis.as_str()) {
            let message = format!("The board wraps along {} already.", axis.as_str());
            diags.report_with_help(Code::BadBoard, axis.place(), message, "write each letter once");
        } else if **axis == Axis::Z && spec.levels() == 1 {
            let message = "The board has one level, so nothing goes on along Z.";
            diags.report_with_help(Code::BadBoard, axis.place(), message, "write X or Y, or add levels");
        }
    }
    let Some(files) = &spec.files else { return };
    let Some(letters) = files.known().filter(|_| spec.has_good_size()) else { return };
    let distinct: HashSet<char> = letters.chars().filter(char::is_ascii_lowercase).collect();
    let count = letters.chars().count();
    if distinct.len() != count || count as i32 != spec.dimensions.x {
        let message = format!(
            "`files` has {} different small letters; the board has {} files.",
            distinct.len(),
            spec.dimensions.x
        );
        diags.report_with_help(
            Code::BadBoard,
            files.place(),
            message,
            "write one letter a to z for each file",
        );
    }
}

/// Checks each link, and that no step has two.
fn check_links(spec: &BoardSpec, diags: &mut Diagnostics<'_>) {
    common::at_most(&spec.links, limits::LINKS, "links", diags);
    if !spec.has_good_size() {
        return;
    }
    let mut linked: HashMap<(Coord, Coord), (Coord, Coord)> = HashMap::new();
    for link in spec.links.iter() {
        check_link(spec, link, &mut linked, diags);
    }
}

/// By square and step: the square that it enters and the step onward.
type Linked = HashMap<(Coord, Coord), (Coord, Coord)>;

fn check_link(spec: &BoardSpec, link: &At<LinkSpec>, linked: &mut Linked, diags: &mut Diagnostics<'_>) {
    let mut report = |place, message: String, help: &str| {
        diags.report_with_help(Code::BadLink, place, message, help);
    };
    let Some(step) = link.step.known().copied() else { return };
    let onward = link.onward.as_ref().map_or(step, |onward| **onward);
    let steps =
        [(link.step.place(), step), (link.onward.as_ref().map_or(link.step.place(), At::place), onward)];
    for (place, step) in steps {
        let sizes = [spec.dimensions.x, spec.dimensions.y, spec.levels()];
        let is_long = [step.x, step.y, step.z].iter().zip(sizes).any(|(by, size)| by.abs() > size);
        if step == Coord::default() {
            report(
                place,
                "A link needs a step.".to_owned(),
                "write the step that leaves the square, such as [1, 0]",
            );
            return;
        }
        if is_long {
            let message = format!("The step {step} is longer than the board.");
            report(place, message, "write the step that leaves the square, such as [1, 0]");
            return;
        }
    }
    let (Some(from), Some(to)) = (link.from.known(), link.to.known()) else { return };
    if from.len() != to.len() {
        let message = format!("The link leads from {} squares to {}.", from.len(), to.len());
        report(link.to.place(), message, "list as many squares under `to` as under `from`");
        return;
    }
    for (from, to) in from.iter().zip(to) {
        for at in [from, to] {
            if !spec.spans(**at) {
                let message = format!("The square {} is not on the board.", **at);
                report(at.place(), message, "link squares of the board");
                return;
            }
        }
        let back = |step: Coord| Coord { x: -step.x, y: -step.y, z: -step.z };
        for (key, value) in [((**from, step), (**to, onward)), ((**to, back(onward)), (**from, back(step)))] {
            if linked.insert(key, value).is_some_and(|other| other != value) {
                let message = format!("The step {} from {} is linked twice.", key.1, key.0);
                report(from.place(), message, "a link works both ways, so write it once");
                return;
            }
        }
    }
}

/// Reports counts along lines that the board does not define.
fn check_lines(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let Some(board) = &view.board else { return };
    for clause in view.position_conditions() {
        let Clause::Count { area: Some(area), .. } = clause else { continue };
        let message = match **area {
            Area::Between if !board.is_flat() => {
                "On a board that wraps or has links, more than one line leads from a square to another."
            }
            Area::Rank if board.lattice() == Lattice::Hex => {
                "Hexagons have files, but their ranks are not lines."
            }
            _ => continue,
        };
        let help = "write conditions about single squares with `SQUARE`, or count in a region";
        diags.report_with_help(Code::AmbiguousLine, area.place(), message, help);
    }
}

pub(super) fn warn_duplicate_squares(list: &[At<Coord>], board: &Board<'_>, diags: &mut Diagnostics<'_>) {
    let mut seen = HashSet::new();
    for at in list.iter().filter(|at| board.spans(***at)) {
        if !seen.insert(**at) {
            let message = format!("The square {} appears twice in this list.", **at);
            let help = "write the intended square, or remove this one";
            diags.report_with_help(Code::DuplicateSquare, at.place(), message, help);
        }
    }
}
