//! Describes steps and offsets from the moving player's point of view: forward, backward, right and left.

use tabiya_engine::{Lattice, Offset, Rules};

use super::page::{counted, join};
use super::space;

/// The zero offset.
pub(super) const HERE: Offset = Offset::new(0, 0);

/// Describes a step: `2 squares forward and 1 to the right [1,2]`.
pub(super) fn one(rules: &Rules, step: Offset) -> String {
    let noun = noun(rules);
    format!("{} {step}", words(rules, step, |count| counted(count as usize, noun)))
}

/// Describes a location relative to the source square: `1 square to the left [-1,0]`.
pub(super) fn place(rules: &Rules, offset: Offset) -> String {
    if offset == HERE { "on the square that the moving piece leaves".into() } else { one(rules, offset) }
}

/// Describes a square relative to the source square: `the square 1 to the left [-1,0]`.
pub(super) fn square(rules: &Rules, offset: Offset) -> String {
    if offset == HERE {
        return "the square that the moving piece leaves".into();
    }
    format!("the square {} {offset}", words(rules, offset, |count| count.to_string()))
}

/// Describes a square relative to a piece: `the square 1 backward [0,-1] from it`.
pub(super) fn beside(rules: &Rules, offset: Offset) -> String {
    format!("the square {} {offset} from it", words(rules, offset, |count| count.to_string()))
}

/// Describes alternative steps, together if they are symmetric and otherwise one by one.
pub(super) fn any_of(rules: &Rules, steps: &[Offset]) -> String {
    if let [only] = steps {
        return one(rules, *only);
    }
    match whole(rules, steps) {
        Some(names) => format!("{} (steps {})", join(&names, "or"), all_numbers(steps)),
        None => join(&steps.iter().map(|step| one(rules, *step)).collect::<Vec<_>>(), "or"),
    }
}

/// Describes single steps along whole lines: `along ranks and files`.
pub(super) fn lines(rules: &Rules, steps: &[Offset]) -> Option<String> {
    let name = if (rules.board().lattice(), is_flat(rules)) == (Lattice::Square, true) {
        match orbits(steps)?.as_slice() {
            [(0, 1)] => "ranks and files",
            [(1, 1)] => "diagonals",
            [(0, 1), (1, 1)] => "ranks, files and diagonals",
            _ => return None,
        }
    } else {
        let mut roots = space::orbits(rules, steps)?;
        roots.sort_unstable();
        space::lines(rules, &roots)?
    };
    Some(format!("along {name} (steps {})", all_numbers(steps)))
}

/// Describes steps that have all their images; `None` if some are missing.
fn whole(rules: &Rules, steps: &[Offset]) -> Option<Vec<String>> {
    if rules.board().lattice() == Lattice::Square && is_flat(rules) {
        return orbits(steps).map(|orbits| names(&orbits));
    }
    space::orbits(rules, steps).map(|roots| roots.into_iter().map(|root| space::name(rules, root)).collect())
}

fn is_flat(rules: &Rules) -> bool {
    rules.board().levels() == 1
}

fn noun(rules: &Rules) -> &'static str {
    match rules.board().lattice() {
        Lattice::Square => "square",
        Lattice::Hex => "hexagon",
    }
}

/// Whether the step goes beyond the neighbouring squares.
pub(super) fn is_leap(rules: &Rules, step: Offset) -> bool {
    let longest = step.dx.abs().max(step.dy.abs()).max(step.dz.abs());
    match rules.board().lattice() {
        Lattice::Square => longest > 1,
        Lattice::Hex => longest.max((step.dx - step.dy).abs()) > 1 && !space::is_corner(step),
    }
}

fn all_numbers(steps: &[Offset]) -> String {
    steps.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Describes an offset; `length` formats its first number.
fn words(rules: &Rules, offset: Offset, length: impl Fn(u32) -> String) -> String {
    if rules.board().lattice() == Lattice::Hex {
        return space::words_on_hexagons(offset, length);
    }
    let Offset { dx, dy, dz } = offset;
    let levels = |length: String| format!("{length} {}", if dz > 0 { "up" } else { "down" });
    let height = dz.unsigned_abs() as usize;
    match (dx == 0 && dy == 0, dz) {
        (_, 0) => words_on_level(dx, dy, length),
        (true, _) => levels(counted(height, "level")),
        (false, _) => format!("{} and {}", words_on_level(dx, dy, length), levels(counted(height, "level"))),
    }
}

fn words_on_level(dx: i32, dy: i32, length: impl Fn(u32) -> String) -> String {
    let ahead = if dy > 0 { "forward" } else { "backward" };
    let aside = if dx > 0 { "to the right" } else { "to the left" };
    let (across, along) = (dx.unsigned_abs(), dy.unsigned_abs());
    match (across, along) {
        (0, _) => format!("{} {ahead}", length(along)),
        (_, 0) => format!("{} {aside}", length(across)),
        _ if across == along => format!("{} diagonally {ahead} {aside}", length(across)),
        _ => format!("{} {ahead} and {across} {aside}", length(along)),
    }
}

/// Returns the steps up to rotation and reflection, shorter part first and sorted, if each has all its images.
fn orbits(steps: &[Offset]) -> Option<Vec<(u32, u32)>> {
    let shape = |step: &Offset| {
        let (a, b) = (step.dx.unsigned_abs(), step.dy.unsigned_abs());
        (a.min(b), a.max(b))
    };
    let mut shapes: Vec<(u32, u32)> = steps.iter().map(shape).collect();
    shapes.sort_unstable();
    shapes.dedup();
    let is_complete = |wanted: &(u32, u32)| {
        let mut images: Vec<Offset> = steps.iter().filter(|step| shape(step) == *wanted).copied().collect();
        images.sort_unstable();
        images.dedup();
        images.len() == if wanted.0 == 0 || wanted.0 == wanted.1 { 4 } else { 8 }
    };
    shapes.iter().all(is_complete).then_some(shapes)
}

/// Describes one step of each orbit.
fn names(orbits: &[(u32, u32)]) -> Vec<String> {
    let (mut rest, mut names) = (orbits.to_vec(), Vec::new());
    if rest.contains(&(0, 1)) && rest.contains(&(1, 1)) {
        rest.retain(|orbit| !matches!(orbit, (0 | 1, 1)));
        names.push("1 square in any direction".to_owned());
    }
    names.extend(rest.into_iter().map(|(short, long)| match (short, long) {
        (0, _) => format!("{} along a rank or file", counted(long as usize, "square")),
        _ if short == long => format!("{} along a diagonal", counted(long as usize, "square")),
        _ => format!("{} one way and {short} across, in any direction", counted(long as usize, "square")),
    }));
    names
}
