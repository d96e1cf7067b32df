//! The actions of `planes1`: the cell of the moving piece, from its owner's point of view, and a move type. The move types
//! follow from the rules: every step that some piece can make, with every possible promotion. Drops come last: their cell is
//! the target, and their type is the dropped kind with its promotion.

use std::collections::{BTreeMap, BTreeSet};

use tabiya_engine::blueprint::{CastlePlan, MovePlan, Occupancy, Until};
use tabiya_engine::{Kind, Move, Offset, Perspective, Position, Rules};
use tabiya_notation::text_target;

use crate::hands::drop_types;

/// A move type, shared by all kinds of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct MoveType {
    /// With forwards up.
    step: Offset,
    promotion: Option<Kind>,
    /// Whether the guest of two pieces on one square moves.
    guest: bool,
    /// The index among several moves of a piece to the same square.
    variant: u8,
}

impl MoveType {
    /// Returns a step without promotion.
    fn plain(step: Offset) -> Self {
        MoveType { step, promotion: None, guest: false, variant: 0 }
    }
}

/// The action table.
#[derive(Debug)]
pub(crate) struct MoveTypes {
    perspective: Perspective,
    types: Vec<MoveType>,
    /// The types of drops, numbered after the others: the kind in hand and its promotion.
    drops: Vec<(Kind, Option<Kind>)>,
    /// By kind and number of the move.
    plans: Vec<Vec<PlanTypes>>,
}

/// The move types of one move of a kind.
#[derive(Debug)]
struct PlanTypes {
    /// The possible promotions; `None` means no promotion.
    promotions: Vec<Option<Kind>>,
    /// By guest, promotion and repetitions of the step minus one: the number of the move type.
    numbers: Vec<u16>,
    max_steps: usize,
}

impl MoveTypes {
    pub(crate) fn new(rules: &Rules) -> Self {
        let perspective = Perspective::new(rules);
        let guests: &[bool] = if rules.mechanics().sharing.is_some() { &[false, true] } else { &[false] };
        // By kind and move: its types without guests, ordered by promotion and repetitions.
        let all: Vec<Vec<Vec<MoveType>>> = rules.kinds().map(|kind| types_of_kind(rules, kind)).collect();
        let with_guests = |types: &Vec<MoveType>| -> Vec<MoveType> {
            let with =
                |guest: &bool| types.iter().map(|it| MoveType { guest: *guest, ..*it }).collect::<Vec<_>>();
            guests.iter().flat_map(with).collect()
        };
        let mut types: BTreeSet<MoveType> = all.iter().flatten().flat_map(with_guests).collect();
        for variant in 0..=castle_variants(rules) {
            types.extend(castle_steps(rules).map(|step| MoveType { variant, ..MoveType::plain(step) }));
        }
        let types: Vec<MoveType> = types.into_iter().collect();
        let number = |it: MoveType| types.partition_point(|other| *other < it) as u16;
        let plan_types = |kind: Kind, (plan, list): (&MovePlan, &Vec<MoveType>)| PlanTypes {
            promotions: promotions(rules, kind, plan),
            numbers: with_guests(list).into_iter().map(number).collect(),
            max_steps: max_steps(rules, plan),
        };
        let plans = rules.kinds().zip(&all).map(|(kind, lists)| {
            rules.kind(kind).moves.iter().zip(lists).map(|pair| plan_types(kind, pair)).collect()
        });
        MoveTypes { plans: plans.collect(), perspective, types, drops: drop_types(rules) }
    }

    /// Returns the number of move types.
    fn len(&self) -> usize {
        self.types.len() + self.drops.len()
    }

    /// Returns the action of a cell and a move type.
    fn index(&self, cell: u16, number: u32) -> u32 {
        u32::from(cell) * self.len() as u32 + number
    }

    /// Returns the number of a move type.
    fn number(&self, it: MoveType) -> u32 {
        self.types.partition_point(|other| *other < it) as u32
    }

    pub(crate) fn actions(&self) -> usize {
        self.perspective.rows * self.perspective.columns * self.len()
    }

    pub(crate) fn action(&self, rules: &Rules, position: &Position, played: Move) -> u32 {
        let cells = self.perspective.of(rules.mover(position));
        if let Some(kind) = played.dropped() {
            let found = self.drops.iter().position(|it| *it == (kind, played.promotion));
            debug_assert!(found.is_some(), "every drop has a type");
            return self.index(cells[played.to.index()], (self.types.len() + found.unwrap_or(0)) as u32);
        }
        let kind = rules.moving_kind(position, played);
        let cell = cells[played.from.index()];
        if let Some(castle) = usize::from(played.pattern).checked_sub(self.plans[kind.index()].len()) {
            let castles = &rules.kind(kind).castles;
            debug_assert!(castle < castles.len());
            let step = castle_step(rules, position, played);
            let variant = castle_variant(castles, castle);
            return self.index(cell, self.number(MoveType { variant, ..MoveType::plain(step) }));
        }
        let plan = &self.plans[kind.index()][usize::from(played.pattern)];
        let times = rules.steps_of(position, played) as usize;
        let promotion = plan.promotions.iter().position(|it| *it == played.promotion).unwrap_or(0);
        let row = usize::from(played.guest) * plan.promotions.len() + promotion;
        let number = plan.numbers[row * plan.max_steps + times.saturating_sub(1)];
        self.index(cell, u32::from(number))
    }

    /// Names the move types.
    pub(crate) fn names(&self, rules: &Rules) -> Vec<String> {
        let name = |it: &MoveType| {
            let MoveType { step, promotion, guest, variant } = it;
            let mut name = format!("{:+},{:+}", step.dx, step.dy);
            if step.dz != 0 {
                name += &format!(",{:+}", step.dz);
            }
            if let Some(kind) = promotion {
                name += &format!(" = {}", rules.kind(*kind).code);
            }
            if *guest {
                name += " (guest)";
            }
            if *variant > 0 {
                name += &format!(" (way {})", variant + 1);
            }
            name
        };
        let drop_name = |(kind, promotion): &(Kind, Option<Kind>)| {
            let promotion = promotion.map(|kind| format!(" = {}", rules.kind(kind).code));
            format!("drop {}{}", rules.kind(*kind).code, promotion.unwrap_or_default())
        };
        self.types.iter().map(name).chain(self.drops.iter().map(drop_name)).collect()
    }
}

/// Returns the steps of castling moves from every square, with forwards up: along their lines, by any distance.
fn castle_steps(rules: &Rules) -> impl Iterator<Item = Offset> + '_ {
    let longest = i32::from(rules.board().files().max(rules.board().ranks())) - 1;
    let castles = rules.kinds().flat_map(|kind| &rules.kind(kind).castles);
    let lines = castles.flat_map(move |castle| {
        rules.players().filter_map(|player| {
            let targets = castle.targets[player.index()]?;
            let side = castle.side(rules.board(), targets.0, targets)?;
            Some(rules.player(player).orientation.back(side))
        })
    });
    lines.flat_map(move |side| {
        (1..=longest).flat_map(move |by| [by, -by]).map(move |by| Offset::new(side.dx * by, side.dy * by))
    })
}

/// Returns the number of a castling move among those with the same targets, which drop different pieces.
fn castle_variant(castles: &[CastlePlan], index: usize) -> u8 {
    castles[..index].iter().filter(|other| other.targets == castles[index].targets).count() as u8
}

/// Returns the largest number of a castling move.
fn castle_variants(rules: &Rules) -> u8 {
    let of_kind = |kind: Kind| {
        let castles = &rules.kind(kind).castles;
        (0..castles.len()).map(|index| castle_variant(castles, index)).max().unwrap_or(0)
    };
    rules.kinds().map(of_kind).max().unwrap_or(0)
}

/// Returns the step of a castling move to the square that its text names, with forwards up.
fn castle_step(rules: &Rules, position: &Position, played: Move) -> Offset {
    let board = rules.board();
    let ((x, y), (to_x, to_y)) =
        (board.coords(played.from), board.coords(text_target(rules, position, played)));
    rules.player(rules.mover(position)).orientation.back(Offset::new(to_x - x, to_y - y))
}

/// Returns the types of each move of a kind, without guests. Moves that can lead to the same square have different types.
fn types_of_kind(rules: &Rules, kind: Kind) -> Vec<Vec<MoveType>> {
    let moves = &rules.kind(kind).moves;
    // The moves that have a type with this step and promotion, each with its variant.
    let mut users: BTreeMap<_, Vec<(usize, u8)>> = BTreeMap::new();
    let types_of = |(index, plan): (usize, &MovePlan)| {
        let steps = || (1..=max_steps(rules, plan)).map(|times| scaled(plan.step, times));
        let pairs = promotions(rules, kind, plan)
            .into_iter()
            .flat_map(|promotion| steps().map(move |step| (step, promotion)));
        let typed = |(step, promotion)| {
            let users = users.entry((step, promotion)).or_default();
            let taken = users.iter().filter(|(other, _)| !exclude_each_other(plan, &moves[*other]));
            let variant = taken.map(|(_, variant)| variant + 1).max().unwrap_or(0);
            users.push((index, variant));
            MoveType { step, promotion, guest: false, variant }
        };
        pairs.map(typed).collect()
    };
    moves.iter().enumerate().map(types_of).collect()
}

/// Returns whether two moves never lead to the same square, because they slide over different numbers of pieces on the same
/// way.
fn exclude_each_other(one: &MovePlan, other: &MovePlan) -> bool {
    let stops = |plan: &MovePlan| plan.repeat.until == Until::State(Occupancy::NotEmpty);
    one.step == other.step
        && one.repeat.hurdle_count() != other.repeat.hurdle_count()
        && stops(one)
        && stops(other)
}

/// Returns the possible promotions of a move; `None` means no promotion.
fn promotions(rules: &Rules, kind: Kind, plan: &MovePlan) -> Vec<Option<Kind>> {
    let mut promotions = vec![None];
    if !rules.players().any(|player| rules.may_promote(player, kind, plan)) {
        return promotions;
    }
    for kind in plan.modifiers.iter().flat_map(|modifier| &modifier.options) {
        if !promotions.contains(&Some(*kind)) {
            promotions.push(Some(*kind));
        }
    }
    promotions
}

/// Returns how often a step can be repeated on this board.
fn max_steps(rules: &Rules, plan: &MovePlan) -> usize {
    // Rules may have moves that never fit on the board; they count as one step.
    let board = rules.board();
    let Offset { dx, dy, dz } = plan.step;
    let unit = dx.unsigned_abs().max(dy.unsigned_abs()).max(dz.unsigned_abs()).max(1) as usize;
    let longest = usize::from(board.files().max(board.level_ranks()).max(board.levels()));
    let turned = rules.players().map(|player| rules.player(player).orientation.turn(plan.step));
    let fits = if board.is_flat() {
        ((longest - 1) / unit).max(1)
    } else {
        turned.map(|step| board.longest_slide(step)).max().unwrap_or(1)
    };
    plan.repeat.max.map_or(fits, |max| fits.min(max as usize).max(1))
}

fn scaled(step: Offset, times: usize) -> Offset {
    step.times(times as i32)
}
