//! What the rules can ever ask about the past of a piece: whether it has moved, and which flags it carries.
//!
//! Looked up in the rules once, when they are compiled, so that the identity of a position is quickly told.

use crate::blueprint::{Anchor, Blueprint, Condition, Effect, KindPlan, ModifierPlan, MovePlan, Occupancy};
use crate::jumps::{Jump, Jumps};
use crate::piece::{Kind, Player, PlayerSet};
use crate::square::{Board, Offset};

/// All questions about the past in the rules of a game.
pub(crate) struct Memory {
    /// The kinds that ask whether pieces have moved, with their moves that do.
    pub(crate) askers: Box<[(Kind, Box<[Asker]>)]>,
    /// The kinds that a piece which is yet to be promoted may ask about.
    pub(crate) asked_by_promoted: Box<[Kind]>,
    pub(crate) promotions: Box<[Fresh]>,
    /// By flag: which kinds look for it, and at which offset from themselves.
    pub(crate) lookers: Box<[Vec<(Kind, Offset)>]>,
}

/// A move that asks whether pieces have moved.
pub(crate) struct Asker {
    /// Whether only a piece that has never moved can make it. Such a piece is still where it was put.
    pub(crate) is_rooted: bool,
    /// Whether it asks about the piece itself.
    pub(crate) asks_itself: bool,
    /// What it asks about others.
    pub(crate) probes: Box<[Probe]>,
}

/// A condition that asks whether the piece at an offset has moved.
#[derive(Clone)]
pub(crate) struct Probe {
    /// The offset, as each player sees it.
    pub(crate) jumps: Box<[Jump]>,
    pub(crate) from_source: bool,
    /// From where the piece stands the move cannot be made without an unmoved piece there.
    pub(crate) is_needed: bool,
    state: Option<Occupancy>,
    pub(crate) kinds: Option<Box<[Kind]>>,
}

/// A promotion, which brings a piece that has never moved.
#[derive(PartialEq, Eq)]
pub(crate) struct Fresh {
    pub(crate) options: Box<[Kind]>,
    /// The landing is in all of these regions; anywhere, if an effect may carry the piece away from it.
    pub(crate) regions: Box<[u16]>,
}

impl Fresh {
    fn anywhere(kind: Kind) -> Self {
        Fresh { options: [kind].into(), regions: [].into() }
    }
}

impl Memory {
    pub(crate) fn new(blueprint: &Blueprint, board: &Board, jumps: &mut Jumps) -> Self {
        let mut views = Views { blueprint, board, jumps };
        let kinds = || (0..).map(Kind).zip(&blueprint.kinds);
        let askers = kinds()
            .map(|(kind, plan)| (kind, Asker::all(plan, &mut views)))
            .filter(|(_, askers)| !askers.is_empty())
            .collect();
        let promotions = promotions(blueprint);
        Memory {
            askers,
            asked_by_promoted: asked_by(&promotions, &mut views),
            promotions,
            lookers: lookers(blueprint),
        }
    }
}

impl Asker {
    fn all(kind: &KindPlan, views: &mut Views<'_>) -> Box<[Asker]> {
        kind.moves.iter().filter_map(|plan| Asker::of(plan, views)).collect()
    }

    fn of(plan: &MovePlan, views: &mut Views<'_>) -> Option<Self> {
        // In a figure a piece may change hands, and then looks elsewhere without having moved.
        let stays = views.blueprint.mechanics.figures.is_empty();
        let asks_itself = conditions(plan).any(|condition| *condition == Condition::FirstMove);
        let mut probes: Vec<Probe> = plan.conditions.iter().filter_map(|it| views.probe(it)).collect();
        // What an action or a promotion asks is not needed for the move.
        let further = conditions(plan).skip(plan.conditions.len()).filter_map(|it| views.probe(it));
        probes.extend(further.map(|probe| Probe { is_needed: false, ..probe }));
        (asks_itself || !probes.is_empty()).then(|| Asker {
            is_rooted: stays && plan.conditions.contains(&Condition::FirstMove),
            asks_itself,
            probes: probes.into(),
        })
    }
}

/// How the players look at the board.
struct Views<'a> {
    blueprint: &'a Blueprint,
    board: &'a Board,
    jumps: &'a mut Jumps,
}

impl Views<'_> {
    fn seen(&mut self, offset: Offset) -> Box<[Jump]> {
        let players = self.blueprint.players.iter();
        players.map(|player| self.jumps.add(self.board, player.orientation.turn(offset))).collect()
    }

    fn probe(&mut self, condition: &Condition) -> Option<Probe> {
        let mut plain = |offset: &Offset, is_needed| Probe {
            jumps: self.seen(*offset),
            from_source: true,
            is_needed,
            state: None,
            kinds: None,
        };
        match condition {
            Condition::PieceFirstMove(offset) => Some(plain(offset, true)),
            Condition::RookFirstMove(offset) => Some(plain(offset, false)),
            Condition::Square(test) => test.unmoved.map(|unmoved| Probe {
                jumps: self.seen(test.offset),
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

    /// Whether a piece may be of that player, as the asker, who has such partners, sees it.
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

fn promotions(blueprint: &Blueprint) -> Box<[Fresh]> {
    let mut all: Vec<Fresh> = Vec::new();
    for plan in blueprint.kinds.iter().flat_map(|kind| &kind.moves) {
        let is_carried = effects(plan).any(|effect| matches!(effect, Effect::Relocate { .. }));
        for ModifierPlan { conditions, options, replaces } in &plan.modifiers {
            let region = |condition: &Condition| match condition {
                Condition::InRegion(region) if !is_carried => Some(*region),
                _ => None,
            };
            let fresh = Fresh {
                options: options.clone().into(),
                regions: conditions.iter().filter_map(region).collect(),
            };
            let replaced = replaces.iter().map(|(_, to)| Fresh::anywhere(*to));
            for fresh in std::iter::once(fresh).chain(replaced) {
                if !all.contains(&fresh) {
                    all.push(fresh);
                }
            }
        }
    }
    all.extend(blueprint.mechanics.reactions.iter().map(|reaction| Fresh::anywhere(reaction.to)));
    all.into()
}

/// The kinds that pieces with these promotions could ask about, wherever they come to stand.
fn asked_by(promotions: &[Fresh], views: &mut Views<'_>) -> Box<[Kind]> {
    let blueprint = views.blueprint;
    let brought = |kind: &Kind| promotions.iter().any(|fresh| fresh.options.contains(kind));
    let plans = (0..).map(Kind).zip(&blueprint.kinds).filter(|(kind, _)| brought(kind));
    let probes: Vec<Probe> = plans
        .flat_map(|(_, plan)| &plan.moves)
        .flat_map(conditions)
        .filter_map(|it| views.probe(it))
        .collect();
    let kinds = (0..blueprint.kinds.len() as u8).map(Kind);
    kinds.filter(|kind| probes.iter().any(|probe| probe.fits_kind(*kind))).collect()
}

fn lookers(blueprint: &Blueprint) -> Box<[Vec<(Kind, Offset)>]> {
    let mut lookers = vec![Vec::new(); blueprint.flags.len()];
    for (kind, plan) in (0..).map(Kind).zip(&blueprint.kinds) {
        for condition in plan.moves.iter().flat_map(conditions) {
            if let Condition::CheckState(flag, offset) = condition
                && !lookers[flag.index()].contains(&(kind, *offset))
            {
                lookers[flag.index()].push((kind, *offset));
            }
        }
    }
    lookers.into()
}

/// The conditions of a move, of its actions and of its promotions.
fn conditions(plan: &MovePlan) -> impl Iterator<Item = &Condition> {
    let actions = plan.actions.iter().flat_map(|action| &action.conditions);
    let modifiers = plan.modifiers.iter().flat_map(|modifier| &modifier.conditions);
    plan.conditions.iter().chain(actions).chain(modifiers)
}

/// The effects of a move and of its actions.
fn effects(plan: &MovePlan) -> impl Iterator<Item = &Effect> {
    plan.effects.iter().chain(plan.actions.iter().flat_map(|action| &action.effects))
}
