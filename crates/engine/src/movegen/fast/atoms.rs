//! The movement atoms of a game's pieces, which are the planes of its boards.
//!
//! Slides made by the same kinds form one atom, and so do leaps: orthogonal lines, diagonals and knight leaps in
//! chess, which also make up compound pieces such as the chancellor. The leader and every kind with other moves (such
//! as a pawn) are atoms by themselves. Kinds that would have the same atoms are numbered in further planes.

use crate::movegen::fast::state::{ATOMS, Column, LEADER};
use crate::movegen::fast::tables::{is_leap, is_slide, occurring_kinds};
use crate::piece::Kind;
use crate::rules::Rules;
use crate::square::Offset;

/// The planes of a game.
pub(crate) struct Atoms {
    pub(crate) slides: Vec<Atom>,
    pub(crate) leaps: Vec<Atom>,
    /// By kind: the planes of the kind, as bits; 0 if the kind cannot occur.
    pub(crate) columns: Vec<Column>,
    /// The number of planes.
    pub(crate) planes: usize,
}

/// Steps of the rules that the same kinds make.
pub(crate) struct Atom {
    pub(crate) plane: usize,
    pub(crate) steps: Vec<Offset>,
}

/// The width of a column.
const MOST_PLANES: usize = Column::BITS as usize;

impl Atoms {
    /// Returns the atoms, or `None` if there are too many.
    pub(crate) fn new(rules: &Rules, leader: Option<usize>) -> Option<Self> {
        let all: Vec<usize> = occurring_kinds(rules).map(Kind::index).collect();
        let others = all.iter().copied().filter(|kind| Some(*kind) != leader);
        let (plain_kinds, special_kinds): (Vec<usize>, Vec<usize>) =
            others.partition(|kind| is_plain_kind(rules, *kind));
        let mut planes = ATOMS;
        let mut columns: Vec<Column> = vec![0; rules.kinds().count()];
        let mut number = |groups: Vec<(Vec<usize>, Vec<Offset>)>, columns: &mut Vec<Column>| {
            let atoms = groups.into_iter().map(|(users, steps)| {
                let plane = planes;
                planes += 1;
                for kind in users {
                    columns[kind] |= 1_u32.checked_shl(plane as u32).unwrap_or(0);
                }
                Atom { plane, steps }
            });
            atoms.collect::<Vec<Atom>>()
        };
        let slides = number(group(rules, &plain_kinds, true), &mut columns);
        let leaps = number(group(rules, &plain_kinds, false), &mut columns);
        number(special_kinds.iter().map(|kind| (vec![*kind], Vec::new())).collect(), &mut columns);
        if let Some(leader) = leader {
            columns[leader] = 1 << LEADER;
        }
        // Kinds with the same atoms are numbered in further planes. A column must not be empty.
        let equals = |index: usize| {
            let kind = all[index];
            let earlier = all[..index].iter().filter(|other| columns[**other] == columns[kind]).count();
            earlier + usize::from(columns[kind] == 0)
        };
        let numbers: Vec<usize> = (0..all.len()).map(equals).collect();
        for (kind, number) in all.iter().zip(&numbers) {
            columns[*kind] |= (*number as Column).checked_shl(planes as u32)?;
        }
        let largest = numbers.into_iter().max().unwrap_or(0);
        planes += (usize::BITS - largest.leading_zeros()) as usize;
        (planes <= MOST_PLANES).then_some(Atoms { slides, leaps, columns, planes })
    }
}

/// Returns whether a kind has plain moves only.
pub(crate) fn is_plain_kind(rules: &Rules, kind: usize) -> bool {
    rules.blueprint().kinds[kind].moves.iter().all(|it| is_slide(it) || is_leap(it))
}

/// Groups steps with the same users.
fn group(rules: &Rules, plain_kinds: &[usize], slides: bool) -> Vec<(Vec<usize>, Vec<Offset>)> {
    let mut steps: Vec<(Offset, Vec<usize>)> = Vec::new();
    for kind in plain_kinds {
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
