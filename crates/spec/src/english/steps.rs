//! Describes steps and offsets from the moving player's point of view: forward, backward, right and left.

use tabiya_engine::Offset;

use super::page::{counted, join};

/// The zero offset.
pub(super) const HERE: Offset = Offset::new(0, 0);

/// Describes a step: `2 squares forward and 1 to the right [1,2]`.
pub(super) fn one(step: Offset) -> String {
    format!("{} {}", words(step, |count| counted(count as usize, "square")), numbers(step))
}

/// Describes a location relative to the source square: `1 square to the left [-1,0]`.
pub(super) fn place(offset: Offset) -> String {
    if offset == HERE { "on the square that the moving piece leaves".into() } else { one(offset) }
}

/// Describes a square relative to the source square: `the square 1 to the left [-1,0]`.
pub(super) fn square(offset: Offset) -> String {
    if offset == HERE {
        return "the square that the moving piece leaves".into();
    }
    format!("the square {} {}", words(offset, |count| count.to_string()), numbers(offset))
}

/// Describes alternative steps, together if they are symmetric and otherwise one by one.
pub(super) fn any_of(steps: &[Offset]) -> String {
    if let [only] = steps {
        return one(*only);
    }
    match orbits(steps) {
        Some(orbits) => format!("{} (steps {})", join(&names(&orbits), "or"), all_numbers(steps)),
        None => join(&steps.iter().map(|step| one(*step)).collect::<Vec<_>>(), "or"),
    }
}

/// Describes single steps along whole lines: `along ranks and files`.
pub(super) fn lines(steps: &[Offset]) -> Option<String> {
    let name = match orbits(steps)?.as_slice() {
        [(0, 1)] => "ranks and files",
        [(1, 1)] => "diagonals",
        [(0, 1), (1, 1)] => "ranks, files and diagonals",
        _ => return None,
    };
    Some(format!("along {name} (steps {})", all_numbers(steps)))
}

/// Whether the step goes beyond the neighbouring squares.
pub(super) fn is_leap(step: Offset) -> bool {
    step.dx.abs().max(step.dy.abs()) > 1
}

fn numbers(step: Offset) -> String {
    format!("[{},{}]", step.dx, step.dy)
}

fn all_numbers(steps: &[Offset]) -> String {
    steps.iter().map(|step| numbers(*step)).collect::<Vec<_>>().join(" ")
}

/// Describes an offset; `length` formats its first number.
fn words(Offset { dx, dy }: Offset, length: impl Fn(u32) -> String) -> String {
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
