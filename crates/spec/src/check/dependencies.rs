//! `DEPENDS_ON` conditions: the move that they refer to exists, and no move depends on itself.

use std::collections::HashMap;

use crate::model::{Condition, MoveSpec, PieceSpec};

use super::prelude::*;

pub(super) fn check(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    // A piece with too many moves is reported elsewhere; the search recurses once per move.
    for piece in view.spec.pieces.iter().filter(|piece| piece.moves.len() <= limits::MOVES) {
        check_targets(piece, diags);
        Search::new(&piece.moves).run(diags);
    }
}

/// Returns the ids of the moves that a move depends on.
fn targets(each: &MoveSpec) -> impl Iterator<Item = &At<i32>> {
    each.all_conditions().filter_map(|condition| match &**condition {
        Condition::DependsOn { move_id } if move_id.known().is_some() => Some(move_id),
        _ => None,
    })
}

fn check_targets(piece: &PieceSpec, diags: &mut Diagnostics<'_>) {
    let Some(moves) = piece.moves.known() else { return };
    let Some(ids) = moves.iter().map(|each| each.id.known()).collect::<Option<Vec<_>>>() else { return };
    for target in moves.iter().flat_map(|each| targets(each)) {
        if !ids.contains(&&**target) {
            let message = format!("This piece has no move with the id {}.", **target);
            let help = format!("the ids are {}", sentence(&ids, ", "));
            diags.report_with_help(Code::UnknownMove, target.place(), message, help);
        }
    }
}

/// Formats the first few ids of a list.
fn sentence(ids: &[&i32], between: &str) -> String {
    const SHOWN: usize = 12;
    let mut shown: Vec<String> = ids.iter().take(SHOWN).map(ToString::to_string).collect();
    if ids.len() > SHOWN {
        shown.push("…".into());
    }
    shown.join(between)
}

/// Depth-first search along the dependencies of one piece.
struct Search {
    ids: Vec<i32>,
    /// For each move, the indices of the moves it depends on, with positions.
    waits: Vec<Vec<(usize, Place)>>,
    marks: Vec<Mark>,
    /// The moves from the start of the search to the current one.
    path: Vec<usize>,
}

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    New,
    OnPath,
    Done,
}

impl Search {
    fn new(moves: &[At<MoveSpec>]) -> Self {
        let mut by_id = HashMap::new();
        for (index, each) in moves.iter().enumerate().filter(|(_, each)| each.id.known().is_some()) {
            by_id.entry(*each.id).or_insert(index);
        }
        let edge = |target: &At<i32>| by_id.get(&**target).map(|index| (*index, target.place()));
        Search {
            ids: moves.iter().map(|each| *each.id).collect(),
            waits: moves.iter().map(|each| targets(each).filter_map(edge).collect()).collect(),
            marks: vec![Mark::New; moves.len()],
            path: Vec::new(),
        }
    }

    fn run(&mut self, diags: &mut Diagnostics<'_>) {
        for index in 0..self.marks.len() {
            if self.marks[index] == Mark::New {
                self.visit(index, diags);
            }
        }
    }

    fn visit(&mut self, index: usize, diags: &mut Diagnostics<'_>) {
        self.marks[index] = Mark::OnPath;
        self.path.push(index);
        for (next, place) in std::mem::take(&mut self.waits[index]) {
            match self.marks[next] {
                Mark::New => self.visit(next, diags),
                Mark::OnPath => self.report(next, place, diags),
                Mark::Done => {}
            }
        }
        self.path.pop();
        self.marks[index] = Mark::Done;
    }

    /// Reports that the current move depends on itself.
    fn report(&self, first: usize, place: Place, diags: &mut Diagnostics<'_>) {
        let from = self.path.iter().position(|index| *index == first).unwrap_or_default();
        let circle: Vec<&i32> =
            self.path[from..].iter().chain([&first]).map(|index| &self.ids[*index]).collect();
        let message = match circle.as_slice() {
            [only, _] => format!("Move {only} depends on itself, so it can never be made."),
            _ => format!("Moves that depend on each other can never be made: {}.", sentence(&circle, " → ")),
        };
        let help = "remove one of the `DEPENDS_ON` conditions";
        diags.report_with_help(Code::DependencyCycle, place, message, help);
    }
}
