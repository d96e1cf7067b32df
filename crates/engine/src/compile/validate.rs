//! Checks a blueprint: every index must be in range, and moves must not depend on each other in a cycle.

use crate::blueprint::ending::{Clause, Measure};
use crate::blueprint::mechanics::Mechanics;
use crate::blueprint::{Blueprint, CastlePlan, Condition, Effect, Occupancy, PlayerPlan, Repeat, Until};
use crate::compile::BlueprintError;
use crate::compile::kind_traits::depended_on;
use crate::piece::{Flag, Kind, Player, PlayerSet};
use crate::square::{Offset, Square};

/// Checks every index and every limit of a blueprint.
pub(crate) fn validate(blueprint: &Blueprint) -> Result<(), BlueprintError> {
    let Blueprint { players, order, start_at, leaders, kinds, flags, regions, start, .. } = blueprint;
    let is_kind = |kind: &Kind| kind.index() < kinds.len();
    let is_player = |player: &Player| player.index() < players.len();
    let is_flag = |flag: &Flag| flag.index() < flags.len();
    let is_region = |region: &u16| usize::from(*region) < regions.len();
    let check = |good: bool, message: &'static str| if good { Ok(()) } else { Err(BlueprintError(message)) };

    check((1..=PlayerSet::MAX_PLAYERS).contains(&players.len()), "there must be 1 to 64 players")?;
    check((1..=255).contains(&kinds.len()), "there must be 1 to 255 kinds")?;
    check(flags.len() <= 255, "there must be at most 255 flags")?;
    check(
        order.len() <= 256 && order.iter().all(is_player),
        "the turn order is too long or names an unknown player",
    )?;
    check(usize::from(*start_at) < order.len(), "the first slot is not in the turn order")?;
    check(leaders.iter().all(is_kind), "the leader is not a kind")?;
    let squares = square_count(blueprint);
    let is_oriented = |player: &PlayerPlan| player.orientation.fits(blueprint.topology.lattice);
    check(players.iter().all(is_oriented), "a player's orientation is not a symmetry of the lattice")?;
    let regions_fit = regions.iter().all(|region| {
        region.squares.len() == players.len() && region.squares.iter().flatten().all(|s| s.index() < squares)
    });
    check(regions_fit, "a region lacks a player or has squares off the board")?;
    check(
        start.iter().all(|p| is_kind(&p.kind) && is_player(&p.player)),
        "an initial piece has an unknown kind or player",
    )?;
    check(endings_fit(blueprint), "an ending names an unknown kind or region")?;
    check(mechanics_fit(blueprint), "a mechanic names an unknown kind, region or square")?;
    for kind in kinds {
        let is_symbol = kind.symbol.by_player().is_none_or(|texts| texts.len() == players.len());
        check(is_symbol, "a kind has characters for some players, but not for all")?;
        check(kind.moves.len() + kind.castles.len() <= 256, "a kind has too many moves")?;
        check(
            kind.castles.iter().all(|castle| castle_fits(castle, blueprint)),
            "a castling move lacks a player or a partner, or its targets are not two squares of one line",
        )?;
        let part_moves = blueprint.mechanics.then.iter().flat_map(|part| &part.moves);
        for plan in kind.moves.iter().chain(part_moves) {
            let good_condition = |condition: &Condition| match condition {
                Condition::DependsOn(other) => usize::from(*other) < kind.moves.len(),
                Condition::HasFlag(flag, _) | Condition::Marked(flag) => is_flag(flag),
                Condition::InRegion(region) | Condition::Region { region, .. } => is_region(region),
                Condition::Position(clause) => clause_fits(clause, blueprint),
                Condition::After(clauses) => clauses.iter().all(|clause| clause_fits(clause, blueprint)),
                Condition::Event(test) => test.kinds.iter().flatten().all(is_kind),
                Condition::Attacked(test) => test.by.iter().flatten().all(is_kind),
                Condition::Square(test) => test.kinds.iter().flatten().all(is_kind),
                _ => true,
            };
            let good_effect = |effect: &Effect| match effect {
                Effect::SetFlag { flag, duration } => is_flag(flag) && *duration != Some(0),
                Effect::Relocate { kind, .. } => kind.iter().all(is_kind),
                Effect::Drop { kind, .. } => is_kind(kind) && blueprint.mechanics.hands.is_some(),
                Effect::CaptureMarked(flag) => is_flag(flag),
                Effect::Capture(_) => true,
            };
            let until = match plan.repeat.until {
                Until::Region(region) => is_region(&region),
                Until::State(_) => true,
            };
            let hurdles = plan.repeat.hurdles.as_ref().is_none_or(|hurdles| {
                hurdles.count >= 1
                    && plan.repeat.max.is_none_or(|max| max > hurdles.count)
                    && hurdles.beyond != Some(0)
                    && hurdles.kinds.iter().flatten().all(is_kind)
            });
            // A piece on the landing square is captured; an empty square has nothing to capture.
            let good_actions = plan.actions.iter().all(|action| match action.on {
                Occupancy::Empty => !action.captures,
                Occupancy::Enemy | Occupancy::Ally | Occupancy::Team => action.captures,
                Occupancy::NotEmpty => false,
            });
            // A piece that stays captures nothing and goes no further.
            let stays_put = plan.repeat == Repeat::ONCE
                && plan.legs.is_empty()
                && plan.actions.iter().all(|action| action.on == Occupancy::Empty);
            let good = (plan.step != Offset::new(0, 0) || stays_put || plan.anywhere)
                && good_actions
                && until
                && hurdles
                && plan.repeat.min >= 1
                && plan.all_conditions().all(good_condition)
                && plan.all_effects().all(good_effect)
                && plan.modifiers.iter().flat_map(|modifier| &modifier.options).all(is_kind);
            check(
                good,
                "a move has a step that does not fit, an unknown kind, flag or region, too few steps for its hurdles, or an action that \
                 does not fit its state",
            )?;
        }
        check(depended_on(kind).is_some(), "moves depend on each other in a cycle")?;
    }
    Ok(())
}

/// Returns the number of squares, including holes.
fn square_count(blueprint: &Blueprint) -> usize {
    let levels = usize::from(blueprint.topology.levels);
    usize::from(blueprint.files).saturating_mul(usize::from(blueprint.ranks)).saturating_mul(levels)
}

fn castle_fits(castle: &CastlePlan, blueprint: &Blueprint) -> bool {
    if castle.drop.is_some() && blueprint.mechanics.hands.is_none() {
        return false;
    }
    let (files, ranks) = (blueprint.files, blueprint.ranks.saturating_mul(blueprint.topology.levels));
    let at = |square: Square| (square.0 % files.max(1), square.0 / files.max(1));
    let on_one_line = |(to, partner_to): &(Square, Square)| {
        let ((x, y), (partner_x, partner_y)) = (at(*to), at(*partner_to));
        to != partner_to && (x == partner_x || y == partner_y) && y < ranks && partner_y < ranks
    };
    castle.targets.len() == blueprint.players.len()
        && castle.partners.iter().all(|kind| kind.index() < blueprint.kinds.len())
        && castle.targets.iter().flatten().all(on_one_line)
}

fn mechanics_fit(blueprint: &Blueprint) -> bool {
    let Mechanics { teams, sharing, tag, control, reactions, figures, exchange, chance, hold, .. } =
        &blueprint.mechanics;
    let players = blueprint.players.len();
    let squares = square_count(blueprint);
    let is_kind = |kind: &Kind| kind.index() < blueprint.kinds.len();
    let is_square = |square: &Square| square.index() < squares;
    let regions = sharing.iter().map(|it| it.region).chain(control.iter().map(|it| it.region));
    let more = exchange.iter().map(|it| it.region).chain(hold.iter().map(|it| it.region));
    let of_reactions = reactions.iter().flat_map(|it| [it.region, it.in_any, it.not_in_any]).flatten();
    let mut all = regions.chain(more).chain(of_reactions);
    (teams.is_empty() || teams.len() == players)
        && all.all(|region| usize::from(region) < blueprint.regions.len())
        && tag.iter().all(|tag| {
            (1..=15).contains(&tag.values.len())
                && tag.squares.len() == tag.values.len()
                && tag.kinds.iter().all(is_kind)
                && tag.squares.iter().flatten().all(is_square)
        })
        && reactions.iter().all(|it| it.captured.iter().chain([&it.kind, &it.to]).all(is_kind))
        && figures.iter().all(|it| is_kind(&it.kind) && it.anchors.iter().flatten().all(is_square))
        && chance.iter().all(|it| {
            (1..=255).contains(&it.throws)
                && (1..=255).contains(&it.faces.len())
                && it.faces.iter().flatten().flatten().all(is_kind)
        })
        && blueprint.endings.len() <= 255
}

fn endings_fit(blueprint: &Blueprint) -> bool {
    let mut clauses = blueprint.endings.iter().flat_map(|ending| &ending.when);
    clauses.all(|clause| clause_fits(clause, blueprint))
        && blueprint.zeroing.kinds.iter().all(|kind| kind.index() < blueprint.kinds.len())
}

fn clause_fits(clause: &Clause, blueprint: &Blueprint) -> bool {
    match clause {
        Clause::Count(census) => {
            census.kinds.iter().all(|kind| kind.index() < blueprint.kinds.len())
                && census.region.is_none_or(|region| usize::from(region) < blueprint.regions.len())
        }
        Clause::Any(lists) => lists.iter().flatten().all(|clause| clause_fits(clause, blueprint)),
        Clause::Not(list) => list.iter().all(|clause| clause_fits(clause, blueprint)),
        Clause::Compare(comparison) => match &comparison.measure {
            Measure::Counter(counter) => usize::from(*counter) < blueprint.mechanics.counters.len(),
            Measure::Values(values) => values.iter().all(|(kind, _)| kind.index() < blueprint.kinds.len()),
        },
        Clause::Facing(plan) => {
            let mut kinds = plan.one.0.iter().chain(&plan.other.0);
            kinds.all(|kind| kind.index() < blueprint.kinds.len())
        }
        Clause::Repetition(_)
        | Clause::PerpetualCheck { .. }
        | Clause::Quiet(_)
        | Clause::CannotWin(_)
        | Clause::Captive(_)
        | Clause::Controlled(_)
        | Clause::InCheck(_)
        | Clause::Stuck { .. } => true,
    }
}
