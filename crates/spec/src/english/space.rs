//! Describes steps on hexagons and between levels.

use tabiya_engine::{Lattice, Offset, Orientation, Rules};

use super::page::counted;

/// Returns one step of each set of images, if each set is complete; the images of a step differ by a symmetry of the board.
pub(super) fn orbits(rules: &Rules, steps: &[Offset]) -> Option<Vec<Offset>> {
    let lattice = rules.board().lattice();
    let symmetries: Vec<Orientation> = Orientation::all(lattice).collect();
    let mut rest: Vec<Offset> = steps.to_vec();
    let mut roots = Vec::new();
    while let Some(step) = rest.first().copied() {
        let mut images: Vec<Offset> = symmetries.iter().map(|symmetry| symmetry.turn(step)).collect();
        images.sort_unstable();
        images.dedup();
        if !images.iter().all(|image| rest.contains(image)) {
            return None;
        }
        rest.retain(|other| !images.contains(other));
        roots.push(images.last().copied().unwrap_or(step));
    }
    Some(roots)
}

/// Names lines by the largest step of each set of images.
pub(super) fn lines(rules: &Rules, roots: &[Offset]) -> Option<&'static str> {
    let (edge, corner) = (Offset::new(1, 1), Offset::new(2, 1));
    if rules.board().lattice() == Lattice::Hex {
        return match roots {
            [one] if *one == edge => Some("lines through edges"),
            [one] if *one == corner => Some("lines through corners"),
            [one, two] if (*one, *two) == (edge, corner) => Some("lines through edges and corners"),
            _ => None,
        };
    }
    let faces = roots.iter().map(|root| [root.dx, root.dy, root.dz].into_iter().sum::<i32>());
    match faces.collect::<Vec<_>>().as_slice() {
        [1] => Some("ranks, files and columns"),
        [2] => Some("diagonals through edges"),
        [3] => Some("diagonals through corners"),
        [1, 2] => Some("ranks, files, columns and diagonals through edges"),
        [1, 2, 3] => Some("all lines"),
        _ => None,
    }
}

/// Describes a step and all its images.
pub(super) fn name(rules: &Rules, root: Offset) -> String {
    let (unit, times) = root.unit();
    let times = times as usize;
    if rules.board().lattice() == Lattice::Hex {
        let hexagons = counted(times, "hexagon");
        return match (unit.dx, unit.dy) {
            (1, 1) => format!("{hexagons} through an edge"),
            (2, 1) => format!("{hexagons} through a corner"),
            _ => format!("a leap like {root}, in any direction"),
        };
    }
    let squares = counted(times, "square");
    let mut parts = [unit.dx.abs(), unit.dy.abs(), unit.dz.abs()];
    parts.sort_unstable();
    match parts {
        [0, 0, 1] => format!("{squares} along a rank, file or column"),
        [0, 1, 1] => format!("{squares} diagonally through an edge"),
        [1, 1, 1] => format!("{squares} diagonally through a corner"),
        [0, short, long] => {
            format!("{} one way and {short} across, in any direction", counted(long as usize, "square"))
        }
        _ => format!("a leap like {root}, in any direction"),
    }
}

/// Describes a step on hexagons.
pub(super) fn words_on_hexagons(offset: Offset, length: impl Fn(u32) -> String) -> String {
    let (unit, times) = offset.unit();
    let way = match (unit.dx, unit.dy) {
        (0, 1) => "forward",
        (1, 1) => "forward to the right",
        (1, 0) => "backward to the right",
        (0, -1) => "backward",
        (-1, -1) => "backward to the left",
        (-1, 0) => "forward to the left",
        (2, 1) => "to the right",
        (-2, -1) => "to the left",
        (1, 2) => "through the corner forward to the right",
        (-1, 1) => "through the corner forward to the left",
        (1, -1) => "through the corner backward to the right",
        (-1, -2) => "through the corner backward to the left",
        _ => return "at the offset".to_owned(),
    };
    format!("{} {way}", length(times))
}

/// Returns whether a step leads through a corner of a hexagon to the next one.
pub(super) fn is_corner(step: Offset) -> bool {
    let Offset { dx, dy, .. } = step;
    [(1, 2), (2, 1), (1, -1), (-1, -2), (-2, -1), (-1, 1)].contains(&(dx, dy))
}
