//! Steps and offsets in words, as the player who moves sees them: forward, backward, right and left.

use tabiya_engine::Offset;

use super::page::{counted, join};

/// No way at all.
pub(super) const HERE: Offset = Offset::new(0, 0);

/// One step: `2 squares forward and 1 to the right [1,2]`.
pub(super) fn one(step: Offset) -> String {
    format!("{} {}", words(step, |count| counted(count as usize, "square")), numbers(step))
}

/// Where something stands, counted from the square that the piece leaves: `1 square to the left [-1,0]`.
pub(super) fn place(offset: Offset) -> String {
    if offset == HERE { "on the square that the moving piece leaves".into() } else { one(offset) }
}

/// The square there, counted in the same way: `the square 1 to the left [-1,0]`.
pub(super) fn square(offset: Offset) -> String {
    if offset == HERE {
        return "the square that the moving piece leaves".into();
    }
    format!("the square {} {}", words(offset, |count| count.to_string()), numbers(offset))
}

/// Several steps, each of which may be made: by name where all directions are alike, otherwise one by one.
pub(super) fn any_of(steps: &[Offset]) -> String {
    if let [only] = steps {
        return one(*only);
    }
    match orbits(steps) {
        Some(orbits) => format!("{} (steps {})", join(&names(&orbits), "or"), all_numbers(steps)),
        None => join(&steps.iter().map(|step| one(*step)).collect::<Vec<_>>(), "or"),
    }
}

/// The lines along which single squares are walked, if it is whole lines both ways: `along ranks and files`.
pub(super) fn lines(steps: &[Offset]) -> Option<String> {
    let name = match orbits(steps)?.as_slice() {
        [(0, 1)] => "ranks and files",
        [(1, 1)] => "diagonals",
        [(0, 1), (1, 1)] => "ranks, files and diagonals",
        _ => return None,
    };
    Some(format!("along {name} (steps {})", all_numbers(steps)))
}

/// Whether there are squares between, or the step follows no line at all.
pub(super) fn is_leap(step: Offset) -> bool {
    step.dx.abs().max(step.dy.abs()) > 1
}

fn numbers(step: Offset) -> String {
    format!("[{},{}]", step.dx, step.dy)
}

fn all_numbers(steps: &[Offset]) -> String {
    steps.iter().map(|step| numbers(*step)).collect::<Vec<_>>().join(" ")
}

/// The way in words; `length` names the first of its parts.
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

/// The steps up to turning and mirroring, shorter part first, if of each all images are there; sorted.
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

/// What one step of each orbit is.
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
