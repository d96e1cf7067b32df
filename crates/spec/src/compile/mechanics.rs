//! Mechanics beyond pieces that move and capture.

use std::collections::{BTreeMap, HashMap};

use tabiya_engine::Kind;
use tabiya_engine::blueprint::EventTest;
use tabiya_engine::mechanics::{
    ChancePlan, ControlPlan, CounterPlan, DropPlan, ExchangePlan, Exposure, FigurePlan, HandsPlan, HoldPlan,
    Leadership, Lost, Mechanics, PartPlan, ReactionPlan, SharingPlan, Skip, TagPlan, TriggerPlan,
};

use super::{Names, offset, square, word_or};
use crate::model::{self, GameSpec};
use crate::place::At;

pub(super) fn mechanics(spec: &GameSpec, names: &Names) -> Mechanics {
    let size = *spec.board.dimensions;
    let region = |code: &At<String>| names.regions[code.as_str()];
    let squares = |list: &[At<model::Coord>]| list.iter().map(|at| square(**at, size)).collect();
    let mut mechanics = Mechanics::default();
    (mechanics.teams, mechanics.team_names) = teams(spec);
    mechanics.leadership = leadership(spec, names);
    let no_moves = HashMap::new();
    mechanics.restrictions = names.conditions(&spec.restrictions, &no_moves);
    mechanics.priority =
        spec.priority.iter().map(|conditions| names.conditions(conditions, &no_moves)).collect();
    mechanics.hands = spec.hands.as_ref().map(|hands| names.hands(hands));
    mechanics.counters = spec.counters.iter().flat_map(|counters| counters.iter()).map(counter).collect();
    mechanics.triggers = spec.triggers.iter().map(|trigger| names.trigger(trigger)).collect();
    mechanics.then = spec.turns.then.iter().map(|part| names.part(part)).collect();
    mechanics.most_captures = spec.turns.most.is_some();
    let neutral = spec.players.iter().filter(|player| player.neutral.as_ref().is_some_and(|it| **it));
    mechanics.neutral = neutral.map(|player| names.player(&player.name)).collect();
    mechanics.stuck_passes = spec.stuck.as_deref() == Some(&model::Stuck::Passes);
    mechanics.sharing = spec
        .sharing
        .as_ref()
        .map(|sharing| SharingPlan::new(region(&sharing.region), *sharing.join == model::Join::Allowed));
    mechanics.tag = spec.tag.as_ref().map(|tag| {
        let values = tag.values.iter().map(|(name, list)| (name.clone(), squares(list)));
        let (values, squares) = values.unzip();
        TagPlan::new(tag.code.to_string(), names.kind_list(tag.pieces.iter()), values, squares)
    });
    let control = spec.control.as_ref();
    mechanics.control = control.map(|control| ControlPlan::new(region(&control.region), *control.thaws));
    let reaction = |reaction: &At<model::ReactionSpec>| {
        let captured = names.kind_list(reaction.captured.iter());
        let mut plan = ReactionPlan::new(captured, names.kind(&reaction.piece), names.kind(&reaction.to));
        plan.region = reaction.region.as_ref().map(region);
        plan.in_any = reaction.in_any.as_ref().map(region);
        plan.not_in_any = reaction.not_in_any.as_ref().map(region);
        plan
    };
    mechanics.reactions = spec.reactions.iter().map(reaction).collect();
    let figure = |figure: &At<model::FigureSpec>| {
        let shape = figure.shape.iter().map(|at| offset(**at)).collect();
        let mut plan = FigurePlan::new(names.kind(&figure.piece), shape);
        plan.anchors = figure.anchors.as_ref().map(|list| squares(list));
        plan
    };
    mechanics.figures = spec.figures.iter().map(figure).collect();
    mechanics.exchange = spec.exchange.as_ref().map(|exchange| {
        let by_team = exchange.by.as_deref() == Some(&model::Captor::Team);
        let both_took = exchange.both_took.as_ref().is_some_and(|took| **took);
        ExchangePlan::new(region(&exchange.region), by_team, both_took)
    });
    mechanics.withdrawal = spec.withdrawal.as_ref().is_some_and(|allowed| **allowed);
    mechanics.chance = spec.chance.as_ref().map(|chance| {
        ChancePlan::new(faces(chance, names), chance.throws.as_ref().map_or(1, |throws| **throws as u32))
    });
    mechanics.hold =
        spec.hold.as_ref().map(|hold| HoldPlan::new(region(&hold.region), hold.code.to_string()));
    mechanics
}

fn counter((code, counter): (&String, &At<model::CounterSpec>)) -> CounterPlan {
    let mut plan = CounterPlan::new(code.clone(), *counter.max as u16);
    plan.per_player = counter.per.as_deref() != Some(&model::Per::Game);
    plan.start = counter.start.as_ref().map_or(0, |start| **start as u16);
    plan.in_identity = counter.repetition.as_ref().is_none_or(|counts| **counts);
    plan
}

impl Names {
    fn hands(&self, hands: &model::HandsSpec) -> HandsPlan {
        let no_moves = HashMap::new();
        let drop = |drop: &At<model::DropSpec>| {
            let mut plan = DropPlan::new(self.kind_list(drop.piece.iter()));
            plan.conditions = self.conditions(&drop.conditions, &no_moves);
            plan.modifiers =
                drop.modifiers.iter().map(|modifier| self.modifier(modifier, &no_moves)).collect();
            plan.unmoved = drop.unmoved.as_ref().is_some_and(|unmoved| **unmoved);
            plan
        };
        let everything = || vec![DropPlan::new((0..self.kinds.len() as u8).map(Kind).collect())];
        let drops = hands.drops.as_ref().map(|drops| drops.iter().map(drop).collect());
        let mut plan = HandsPlan::new(drops.unwrap_or_else(everything));
        plan.captured_to = hands.captured_to.as_ref().map(|word| (**word).into());
        for (name, pieces) in hands.start.iter().flat_map(|start| start.iter()) {
            let pieces = pieces.iter().filter(|(_, count)| ***count > 0);
            plan.start
                .extend(pieces.map(|(code, count)| (self.player(name), self.kind(code), **count as u8)));
        }
        plan
    }

    fn part(&self, part: &model::PartSpec) -> PartPlan {
        let no_moves = HashMap::new();
        let mut plan = PartPlan::new(part.code.to_string());
        plan.after = self.conditions(&part.after, &no_moves);
        plan.only = self.conditions(&part.only, &no_moves);
        plan.same_piece = part.same_piece.as_ref().is_some_and(|same| **same);
        plan.moves = part.moves.iter().map(|plan| self.move_plan(plan, &no_moves)).collect();
        plan.skip = word_or(part.skip.as_ref(), Skip::Never);
        plan.repeats = part.repeats.as_ref().is_some_and(|repeats| **repeats);
        plan
    }

    fn trigger(&self, trigger: &model::TriggerSpec) -> TriggerPlan {
        let mut on = EventTest::new((*trigger.on).into());
        on.kinds = trigger.piece.as_ref().map(|codes| self.kind_list(codes.iter()));
        let mut plan =
            TriggerPlan::new(on, trigger.effects.iter().map(|effect| self.trigger_effect(effect)).collect());
        plan.when = self.conditions(&trigger.when, &HashMap::new());
        plan
    }
}

/// Returns the team of each player and the team names: teams of the file first, then players without partners.
fn teams(spec: &GameSpec) -> (Vec<u8>, Vec<String>) {
    if spec.teams.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let mut names: Vec<String> = spec.teams.iter().map(|team| team.name.to_string()).collect();
    let of: BTreeMap<&str, u8> = (0..)
        .zip(spec.teams.iter())
        .flat_map(|(index, team)| team.players.iter().map(move |player| (player.as_str(), index)))
        .collect();
    let teams = spec.players.iter().map(|player| {
        of.get(player.name.as_str()).copied().unwrap_or_else(|| {
            names.push(player.name.to_string());
            (names.len() - 1) as u8
        })
    });
    (teams.collect(), names)
}

/// If the die waives check, the leader may be exposed and need not move.
fn leadership(spec: &GameSpec, names: &Names) -> Leadership {
    let mut leadership = Leadership::default();
    let Some(leader) = &spec.leader else { return leadership };
    leadership.players =
        leader.players.as_ref().map(|list| list.iter().map(|name| names.player(name)).collect());
    leadership.lost = word_or(leader.lost.as_ref(), Lost::Any);
    leadership.check_all = leader.check.as_deref() == Some(&model::CheckWhen::All);
    leadership.freezes = leader.captured.as_deref() == Some(&model::Captured::Freezes);
    let is_waived =
        |chance: &At<model::ChanceSpec>| chance.check.as_deref() == Some(&model::DieCheck::Waived);
    if spec.chance.as_ref().is_some_and(is_waived) {
        leadership.exposure = Exposure::Allowed;
        return leadership;
    }
    leadership.exposure = word_or(leader.exposure.as_ref(), Exposure::Illegal);
    leadership.must_move = leader.attacked.as_deref() == Some(&model::Attacked::MustMove);
    leadership.needs_safe_move = leader.stalemate.as_deref() == Some(&model::Stalemate::NoSafeMove);
    leadership
}

/// Returns the groups of each face, starting with 1.
fn faces(chance: &model::ChanceSpec, names: &Names) -> Vec<Vec<Vec<Kind>>> {
    let lists = |face: i32| {
        let lists = chance.allow.get(&face.to_string());
        lists
            .map(|lists| lists.iter().map(|group| names.kind_list(group.pieces.iter())).collect())
            .unwrap_or_default()
    };
    (1..=*chance.die).map(lists).collect()
}
