//! The conditions that depend on the past of a piece: whether it has moved, and which flags it carries.
//!
//! They are collected at compile time, so that the identity of a position is cheap to compute.

use crate::blueprint::mechanics::{PieceChange, PieceEffect, TriggerEffect};
use crate::blueprint::{Anchor, Blueprint, Condition, Effect, KindPlan, ModifierPlan, MovePlan, Occupancy};
use crate::compile::jump_table::{Jump, JumpTable};
use crate::piece::{Flag, Kind, Player, PlayerSet};
use crate::square::{Board, Offset};

/// All conditions of a game that depend on the past of a piece.
pub(crate) struct UnmovedRules {
    /// By kind: the moves that test whether a piece has moved.
    pub(crate) tests: Box<[(Kind, Box<[UnmovedTest]>)]>,
    /// The kinds that a piece created by a future promotion may test.
    pub(crate) probed_by_promoted: Box<[Kind]>,
    pub(crate) promotions: Box<[NewPiece]>,
    /// By flag: the kinds that test it, and at which offset.
    pub(crate) flag_readers: Box<[Vec<(Kind, Offset)>]>,
    /// By flag: whether something reads the squares that it marks.
    pub(crate) marks_are_read: Box<[bool]>,
}

/// A move that tests whether pieces have moved.
pub(crate) struct UnmovedTest {
    /// Whether only an unmoved piece can make the move. Such a piece still stands on its initial square.
    pub(crate) mover_unmoved: bool,
    /// Whether the move tests the moving piece.
    pub(crate) tests_mover: bool,
    /// The tests of other pieces.
    pub(crate) probes: Box<[Probe]>,
}

/// A test of whether the piece at an offset has moved.
#[derive(Clone)]
pub(crate) struct Probe {
    /// By player: the offset.
    pub(crate) jumps: Box<[Jump]>,
    pub(crate) from_source: bool,
    /// Whether the move from the piece's current square requires an unmoved piece there.
    pub(crate) is_needed: bool,
    state: Option<Occupancy>,
    pub(crate) kinds: Option<Box<[Kind]>>,
}

/// A source of new, unmoved pieces: a promotion, a reaction, a trigger or a drop.
#[derive(PartialEq, Eq)]
pub(crate) struct NewPiece {
    pub(crate) options: Box<[Kind]>,
    /// The landing is in all of these regions. Empty if an effect may carry the piece elsewhere.
    pub(crate) regions: Box<[u16]>,
}

impl NewPiece {
    fn anywhere(kind: Kind) -> Self {
        NewPiece { options: [kind].into(), regions: [].into() }
    }
}

impl UnmovedRules {
    pub(crate) fn new(blueprint: &Blueprint, board: &Board, jumps: &mut JumpTable) -> Self {
        let mut views = Views { blueprint, board, jumps };
        let kinds = || (0..=u8::MAX).map(Kind).zip(&blueprint.kinds);
        let tests = kinds()
            .map(|(kind, plan)| (kind, UnmovedTest::all(plan, &mut views)))
            .filter(|(_, tests)| !tests.is_empty())
            .collect();
        let promotions = promotions(blueprint);
        UnmovedRules {
            tests,
            probed_by_promoted: probed_by(&promotions, &mut views),
            promotions,
            flag_readers: flag_readers(blueprint),
            marks_are_read: marks_are_read(blueprint),
        }
    }
}

impl UnmovedTest {
    fn all(kind: &KindPlan, views: &mut Views<'_>) -> Box<[UnmovedTest]> {
        kind.moves.iter().filter_map(|plan| UnmovedTest::of(plan, views)).collect()
    }

    fn of(plan: &MovePlan, views: &mut Views<'_>) -> Option<Self> {
        // A figure can change the owner of a piece, which then has another orientation without having moved.
        let stays = views.blueprint.mechanics.figures.is_empty();
        let tests_mover = plan.all_conditions().any(|condition| *condition == Condition::FirstMove);
        let mut probes: Vec<Probe> = plan.conditions.iter().filter_map(|it| views.probe(it)).collect();
        // Conditions of an action or a promotion do not prevent the move, nor does a part of a condition.
        let is_own = |it: &Condition| plan.conditions.iter().any(|own| std::ptr::eq(own, it));
        let further = plan.all_conditions().filter(|it| !is_own(it)).filter_map(|it| views.probe(it));
        probes.extend(further.map(|probe| Probe { is_needed: false, ..probe }));
        (tests_mover || !probes.is_empty()).then(|| UnmovedTest {
            mover_unmoved: stays && plan.conditions.contains(&Condition::FirstMove),
            tests_mover,
            probes: probes.into(),
        })
    }
}

/// Adds offsets for all orientations.
struct Views<'a> {
    blueprint: &'a Blueprint,
    board: &'a Board,
    jumps: &'a mut JumpTable,
}

impl Views<'_> {
    fn jumps_for(&mut self, offset: Offset) -> Box<[Jump]> {
        let players = self.blueprint.players.iter();
        players.map(|player| self.jumps.add(self.board, player.orientation.turn(offset))).collect()
    }

    fn probe(&mut self, condition: &Condition) -> Option<Probe> {
        let mut plain = |offset: &Offset, is_needed| Probe {
            jumps: self.jumps_for(*offset),
            from_source: true,
            is_needed,
            state: None,
            kinds: None,
        };
        match condition {
            Condition::PieceUnmoved(offset) => Some(plain(offset, true)),
            Condition::EmptyOrUnmoved(offset) => Some(plain(offset, false)),
            Condition::Square(test) => test.unmoved.map(|unmoved| Probe {
                jumps: self.jumps_for(test.offset),
                from_source: test.anchor == Anchor::Source,
                is_needed: unmoved && test.anchor == Anchor::Source,
                state: test.state,
                kinds: test.kinds.clone().map(Into::into),
            }),
            _ => None,
        }
    }
}

impl Probe {
    pub(crate) fn fits_kind(&self, kind: Kind) -> bool {
        self.kinds.as_ref().is_none_or(|kinds| kinds.contains(&kind))
    }

    /// Returns whether a piece of `owner` satisfies the state that the probe of `asker` requires.
    pub(crate) fn fits_owner(&self, owner: Player, asker: Player, team: PlayerSet) -> bool {
        match self.state {
            None | Some(Occupancy::NotEmpty) => true,
            Some(Occupancy::Empty) => false,
            Some(Occupancy::Ally) => owner == asker,
            Some(Occupancy::Team) => owner != asker && team.contains(owner),
            Some(Occupancy::Enemy) => !team.contains(owner),
        }
    }
}

fn promotions(blueprint: &Blueprint) -> Box<[NewPiece]> {
    let mut all: Vec<NewPiece> = Vec::new();
    for plan in blueprint.kinds.iter().flat_map(|kind| &kind.moves) {
        let is_carried = plan.all_effects().any(|effect| matches!(effect, Effect::Relocate { .. }));
        for ModifierPlan { conditions, options, replaces } in &plan.modifiers {
            let region = |condition: &Condition| match condition {
                Condition::InRegion(region) if !is_carried => Some(*region),
                _ => None,
            };
            let fresh = NewPiece {
                options: options.clone().into(),
                regions: conditions.iter().filter_map(region).collect(),
            };
            let replaced = replaces.iter().map(|(_, to)| NewPiece::anywhere(*to));
            for fresh in std::iter::once(fresh).chain(replaced) {
                if !all.contains(&fresh) {
                    all.push(fresh);
                }
            }
        }
    }
    all.extend(blueprint.mechanics.reactions.iter().map(|reaction| NewPiece::anywhere(reaction.to)));
    let transformed = effects(blueprint).filter_map(|effect| match effect {
        TriggerEffect::Pieces(PieceEffect { change: PieceChange::Transform(kind), .. }) => Some(*kind),
        _ => None,
    });
    let drops = blueprint.mechanics.hands.iter().flat_map(|hands| &hands.drops).filter(|drop| drop.unmoved);
    let dropped = drops.flat_map(|drop| {
        let options = drop.modifiers.iter().flat_map(|modifier| &modifier.options);
        drop.kinds.iter().chain(options).copied()
    });
    for fresh in dropped.chain(transformed).map(NewPiece::anywhere) {
        if !all.contains(&fresh) {
            all.push(fresh);
        }
    }
    all.into()
}

/// Returns what triggers do.
fn effects(blueprint: &Blueprint) -> impl Iterator<Item = &TriggerEffect> {
    blueprint.mechanics.triggers.iter().flat_map(|trigger| &trigger.effects)
}

/// Returns the kinds that new pieces could test, wherever they stand. Pieces that triggers place or that come from a hand
/// are new, too, even if they count as moved.
fn probed_by(promotions: &[NewPiece], views: &mut Views<'_>) -> Box<[Kind]> {
    let blueprint = views.blueprint;
    let placed = effects(blueprint).filter_map(|effect| match effect {
        TriggerEffect::Place(place) => Some(place.kind),
        _ => None,
    });
    let placed: Vec<Kind> = placed.collect();
    let has_hands = blueprint.mechanics.hands.is_some();
    let brought = |kind: &Kind| {
        has_hands || placed.contains(kind) || promotions.iter().any(|fresh| fresh.options.contains(kind))
    };
    let plans = (0..=u8::MAX).map(Kind).zip(&blueprint.kinds).filter(|(kind, _)| brought(kind));
    let probes: Vec<Probe> = plans
        .flat_map(|(_, plan)| &plan.moves)
        .flat_map(MovePlan::all_conditions)
        .filter_map(|it| views.probe(it))
        .collect();
    let kinds = (0..blueprint.kinds.len() as u8).map(Kind);
    kinds.filter(|kind| probes.iter().any(|probe| probe.fits_kind(*kind))).collect()
}

fn marks_are_read(blueprint: &Blueprint) -> Box<[bool]> {
    let plans = || blueprint.kinds.iter().flat_map(|kind| &kind.moves);
    let is_read = |wanted: Flag| {
        let tests = |it: &Condition| matches!(it, Condition::Marked(flag) if *flag == wanted);
        let captures = |it: &Effect| matches!(it, Effect::CaptureMarked(flag) if *flag == wanted);
        plans().any(|plan| plan.all_conditions().any(tests) || plan.all_effects().any(captures))
    };
    (0..blueprint.flags.len()).map(|flag| is_read(Flag(flag as u8))).collect()
}

fn flag_readers(blueprint: &Blueprint) -> Box<[Vec<(Kind, Offset)>]> {
    let mut flag_readers = vec![Vec::new(); blueprint.flags.len()];
    for (kind, plan) in (0..=u8::MAX).map(Kind).zip(&blueprint.kinds) {
        for condition in plan.moves.iter().flat_map(MovePlan::all_conditions) {
            if let Condition::HasFlag(flag, offset) = condition
                && !flag_readers[flag.index()].contains(&(kind, *offset))
            {
                flag_readers[flag.index()].push((kind, *offset));
            }
        }
    }
    flag_readers.into()
}
