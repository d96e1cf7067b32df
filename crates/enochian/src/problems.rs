//! What an array must satisfy, whether it was read from a file or built in a program: four armies with one king each, one
//! piece per square (two on a throne), thrones, patrons, and bishops and queens on the stated diagonal system.

use std::collections::BTreeMap;

use crate::army::{Army, DiagonalSystem, Direction, PieceKind};
use crate::array::{ArraySpec, Placement};

/// Returns the name of a square.
pub(crate) fn square_name(square: u8) -> String {
    format!("{}{}", char::from(b'a' + square % 8), square / 8 + 1)
}

impl ArraySpec {
    /// Returns every reason why the array cannot be played, one sentence each.
    ///
    /// # Examples
    ///
    /// ```
    /// use tabiya_enochian::{Army, find_array_by_name};
    ///
    /// let mut array = find_array_by_name("Fire of Fire").unwrap().clone();
    /// assert!(array.problems().is_empty());
    /// array.turn_order = [Army::Red; 4];
    /// assert_eq!(array.problems(), ["`turn_order` must list every army once"]);
    /// ```
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        problems.extend(order_problem(&self.turn_order, "turn_order"));
        problems.extend(self.historical_order.and_then(|order| order_problem(&order, "historical_order")));
        problems.extend(controller_problems(&self.controller_map));
        for army in Army::ALL {
            let thrones = &self.throne_squares[army.index()];
            if thrones.is_empty() {
                problems.push(format!("`throne_squares` has no throne for {army}"));
            }
            let outside = thrones.iter().filter(|square| **square > 63);
            problems.extend(outside.map(|square| format!("`throne_squares`: {square} is not a square")));
            let direction = self.pawn_directions[army.index()];
            if self.promotion_zones[army.index()] != direction.last_line() {
                problems.push(zone_problem(army, direction));
            }
        }
        problems.extend(self.first_sharer.and_then(sharer_problem));
        problems.extend(self.piece_placements.iter().copied().flat_map(placement_problems));
        let pieces = piece_problems(&self.name, &self.piece_placements, &self.throne_squares);
        problems.extend(pieces.into_iter().map(|(_, problem)| problem));
        problems
    }
}

/// Returns the problem of a turn order that does not list every army once.
pub(crate) fn order_problem(order: &[Army], key: &str) -> Option<String> {
    let is_whole = order.len() == Army::ALL.len() && Army::ALL.iter().all(|army| order.contains(army));
    (!is_whole).then(|| format!("`{key}` must list every army once"))
}

/// Returns the problems of the armies of each person: every army has one person, and allies at most share theirs.
pub(crate) fn controller_problems(map: &[Vec<Army>]) -> Vec<String> {
    let mut problems = Vec::new();
    for army in Army::ALL {
        match map.iter().flatten().filter(|other| **other == army).count() {
            0 => problems.push(format!("`controller_map` does not assign {army}")),
            1 => {}
            _ => problems.push(format!("`controller_map` assigns {army} twice")),
        }
    }
    for armies in map {
        match armies.as_slice() {
            [] => problems.push("`controller_map` has a person without an army".to_owned()),
            [first, rest @ ..] => {
                if let Some(other) = rest.iter().find(|other| *other != first && **other != first.ally()) {
                    let problem =
                        format!("`controller_map` gives one person {first} and {other}, which are enemies");
                    problems.push(problem);
                }
            }
        }
    }
    problems
}

/// Returns the problem of a promotion zone that is not the last line of the pawns' way.
pub(crate) fn zone_problem(army: Army, direction: Direction) -> String {
    format!("{army} promotes on {}, where its pawns are heading", direction.line_name())
}

/// Returns the problem of a piece that cannot share a throne with its king.
pub(crate) fn sharer_problem(kind: PieceKind) -> Option<String> {
    let is_valid = PieceKind::PATRONS.contains(&kind);
    (!is_valid).then(|| format!("a {} cannot be the `first_sharer` of a throne", kind.name()))
}

/// Returns the problems of one piece: its square, patron and diagonal system.
pub(crate) fn placement_problems(placement: Placement) -> Vec<String> {
    let Placement { square, kind, patron, diagonal_system, .. } = placement;
    let mut problems = Vec::new();
    match (kind == PieceKind::Pawn, patron) {
        (true, None) => problems.push("a pawn needs a `patron`".to_owned()),
        (true, Some(patron)) if !PieceKind::PATRONS.contains(&patron) => {
            problems.push(format!("a {} cannot be the patron of a pawn", patron.name()));
        }
        (false, Some(_)) => problems.push(format!("a {} has no patron", kind.name())),
        _ => {}
    }
    if square > 63 {
        problems.push(format!("{square} is not a square; the squares are 0 (a1) to 63 (h8)"));
        return problems;
    }
    let own = DiagonalSystem::of(square);
    match diagonal_system {
        Some(_) if !kind.has_diagonal_system() => {
            problems.push(format!("a {} has no diagonal system", kind.name()));
        }
        Some(system) if system != own => problems.push(format!(
            "{} belongs to the diagonal system {}, not {}",
            square_name(square),
            own.name(),
            system.name()
        )),
        _ => {}
    }
    problems
}

/// Returns the problems of all pieces together, each with the index of a piece that causes it: every army has one king,
/// and only thrones hold two pieces, a king and another piece of its team.
pub(crate) fn piece_problems(
    name: &str,
    placements: &[Placement],
    thrones: &[Vec<u8>; 4],
) -> Vec<(Option<usize>, String)> {
    let mut problems = Vec::new();
    for army in Army::ALL {
        let is_king = |it: &(usize, &Placement)| it.1.army == army && it.1.kind == PieceKind::King;
        let mut kings = placements.iter().enumerate().filter(is_king).map(|(index, _)| index);
        if kings.next().is_none() {
            problems.push((None, format!("{army} has no king in `{name}`")));
        }
        problems.extend(kings.map(|index| (Some(index), format!("{army} has a second king"))));
    }
    let mut by_square: BTreeMap<u8, Vec<(usize, &Placement)>> = BTreeMap::new();
    for (index, placement) in placements.iter().enumerate() {
        by_square.entry(placement.square).or_default().push((index, placement));
    }
    for (square, pieces) in by_square.iter().filter(|(_, pieces)| pieces.len() > 1) {
        let kings = pieces.iter().filter(|(_, it)| it.kind == PieceKind::King).count();
        let is_throne = thrones.iter().any(|squares| squares.contains(square));
        let first = pieces[0].1.army;
        let are_allies = pieces.iter().all(|(_, it)| it.army == first || it.army == first.ally());
        if !(pieces.len() == 2 && kings == 1 && is_throne && are_allies) {
            let rule = "only a king and one piece of its team can share a square, and only a throne";
            let problem = format!("{} has {} pieces: {rule}", square_name(*square), pieces.len());
            problems.push((Some(pieces[1].0), problem));
        }
    }
    problems
}
