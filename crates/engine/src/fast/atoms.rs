//! Which atoms of movement a game's pieces are made of, and so which planes its boards have.
//!
//! Slides that the same kinds make belong together, and so do leaps: straight lines, diagonals and the knight's leaps
//! in chess, of which a chancellor or an amazon is made as well. The leader and every kind with moves of other forms
//! (a pawn) are atoms by themselves. Two kinds that would look alike are told apart by a plane of their own.

use crate::fast::plan::{arising, is_leap, is_slide};
use crate::fast::state::{ATOMS, LEADER};
use crate::piece::Kind;
use crate::rules::Rules;
use crate::square::Offset;

/// The planes of a game.
pub(crate) struct Atoms {
    pub(crate) slides: Vec<Atom>,
    pub(crate) leaps: Vec<Atom>,
    /// By kind: in which planes it stands, as bits; 0 if it cannot arise.
    pub(crate) columns: Vec<u16>,
    /// How many planes there are.
    pub(crate) planes: usize,
}

/// Steps, not turned, that the same kinds make.
pub(crate) struct Atom {
    pub(crate) plane: usize,
    pub(crate) steps: Vec<Offset>,
}

/// Columns are that wide.
const MOST_PLANES: usize = u16::BITS as usize;

impl Atoms {
    /// `None` if there are too many.
    pub(crate) fn new(rules: &Rules, leader: usize) -> Option<Self> {
        let is_officer =
            |kind: usize| rules.blueprint().kinds[kind].moves.iter().all(|it| is_slide(it) || is_leap(it));
        let all: Vec<usize> = arising(rules).map(Kind::index).collect();
        let officers: Vec<usize> =
            all.iter().copied().filter(|kind| *kind != leader && is_officer(*kind)).collect();
        let mut planes = ATOMS;
        let mut columns = vec![0_u16; rules.kinds().count()];
        let mut number = |groups: Vec<(Vec<usize>, Vec<Offset>)>, columns: &mut Vec<u16>| {
            let atoms = groups.into_iter().map(|(users, steps)| {
                let plane = planes;
                planes += 1;
                for kind in users {
                    columns[kind] |= 1_u16.checked_shl(plane as u32).unwrap_or(0);
                }
                Atom { plane, steps }
            });
            atoms.collect::<Vec<Atom>>()
        };
        let slides = number(group(rules, &officers, true), &mut columns);
        let leaps = number(group(rules, &officers, false), &mut columns);
        columns[leader] = 1 << LEADER;
        // One of each set of twins needs no plane of its own, but a column must not be empty.
        for index in 0..all.len() {
            let kind = all[index];
            let has_twin = all[..index].iter().any(|other| columns[*other] == columns[kind]);
            if columns[kind] == 0 || has_twin {
                columns[kind] |= 1_u16.checked_shl(planes as u32)?;
                planes += 1;
            }
        }
        (planes <= MOST_PLANES).then_some(Atoms { slides, leaps, columns, planes })
    }
}

/// Steps with the same users, together.
fn group(rules: &Rules, officers: &[usize], slides: bool) -> Vec<(Vec<usize>, Vec<Offset>)> {
    let mut steps: Vec<(Offset, Vec<usize>)> = Vec::new();
    for kind in officers {
        for plan in rules.blueprint().kinds[*kind].moves.iter().filter(|it| is_slide(it) == slides) {
            match steps.iter_mut().find(|(step, _)| *step == plan.step) {
                Some((_, users)) => users.push(*kind),
                None => steps.push((plan.step, vec![*kind])),
            }
        }
    }
    let mut groups: Vec<(Vec<usize>, Vec<Offset>)> = Vec::new();
    for (step, users) in steps {
        match groups.iter_mut().find(|(other, _)| *other == users) {
            Some((_, steps)) => steps.push(step),
            None => groups.push((users, vec![step])),
        }
    }
    groups
}
