//! The moves of each piece: directions, landing squares, conditions and effects.

use tabiya_engine::blueprint::{
    ActionPlan, Condition, Hurdles, KindPlan, LegPlan, MovePlan, Occupancy, Repeat, Until,
};
use tabiya_engine::ending::Owner;
use tabiya_engine::{Kind, Lattice, Player, Rules};

use crate::model::{GameSpec, PieceSpec};

use super::move_groups::{Group, grouped, numbered};
use super::page::{Page, article, join};
use super::{conditions, counts, steps};

/// Writes the section about all pieces.
pub(super) fn pieces(spec: &GameSpec, rules: &Rules, page: &mut Page) {
    page.heading("The pieces");
    for (spec, kind) in spec.pieces.iter().zip(rules.kinds()) {
        piece(spec, rules, kind, page);
    }
}

/// Writes the name and the moves of one piece.
pub(super) fn piece(spec: &PieceSpec, rules: &Rules, kind: Kind, page: &mut Page) {
    let plan = rules.kind(kind);
    let mut facts = vec![symbol(rules, plan)];
    let name = spec.name.as_ref().filter(|name| name.to_uppercase() != plan.code.to_uppercase());
    facts.extend(name.map(|name| format!("called {}", **name)));
    facts.extend(rules.is_leader(kind).then(|| {
        if rules.blueprint().leaders().len() == 1 { "the leader".into() } else { "a leader".into() }
    }));
    if !rules.blueprint().start().iter().any(|placed| placed.kind == kind) {
        facts.push("none at the start".into());
    }
    page.paragraph(&format!("{} ({})", plan.code, facts.join(", ")));
    write_moves(rules, plan, page);
}

/// Describes how a kind is written: `letter N`, or `帥 for RED, 將 for BLACK`.
fn symbol(rules: &Rules, plan: &KindPlan) -> String {
    let of = |player| format!("{} for {}", plan.symbol.of(player), rules.player(player).name);
    match plan.symbol.by_player() {
        None => format!("letter {}", plan.symbol.in_moves(Player(0))),
        Some(_) => rules.players().map(of).collect::<Vec<_>>().join(", "),
    }
}

/// Writes the moves of a part of a turn.
pub(super) fn of_part(rules: &Rules, kind: &KindPlan, moves: &[MovePlan], page: &mut Page) {
    let mut plan = kind.clone();
    (plan.moves, plan.castles) = (moves.to_vec(), Vec::new());
    write_moves(rules, &plan, page);
}

fn write_moves(rules: &Rules, kind: &KindPlan, page: &mut Page) {
    if kind.moves.is_empty() && kind.castles.is_empty() {
        page.item("It never moves.");
    }
    let groups = grouped(&kind.moves);
    for (index, group) in groups.iter().enumerate() {
        let mirrors = |other: &&Group| rules.board().lattice() == Lattice::Square && group.mirrors(other);
        match groups[..index].iter().find(mirrors) {
            Some(other) => page.item(&format!(
                "{}: the mirror image of {}, with {}.",
                capital(&numbered(&group.ids)),
                numbered(&other.ids),
                steps::any_of(rules, &group.steps)
            )),
            None => MoveWriter { rules, kind }.group(group, page),
        }
    }
    if !kind.castles.is_empty() {
        castling(rules, kind, page);
    }
}

/// Describes the castling moves, the rules of castling with the first.
fn castling(rules: &Rules, kind: &KindPlan, page: &mut Page) {
    for (index, castle) in kind.castles.iter().enumerate() {
        let square = |square| rules.board().name(square);
        let targets = rules.players().filter_map(|player| Some((player, castle.targets[player.index()]?)));
        let targets = targets.map(|(player, (to, partner_to))| {
            let name = &rules.player(player).name;
            format!("{name} to {} with the partner to {}", square(to), square(partner_to))
        });
        let targets: Vec<String> = targets.collect();
        let with = counts::codes(rules, &castle.partners);
        let drop = castle.drop.map_or_else(String::new, |drop| {
            let place = if drop.of_partner { "the partner left" } else { "it left" };
            let code = &rules.kind(drop.kind).code;
            format!(" Its player drops {} from the hand on the square that {place}.", article(code))
        });
        page.item(&format!("Move {}: castles with a {with}; {}.{drop}", castle.id, targets.join(", ")));
        if index == 0 {
            let safety = " No opponent attacks a square from the piece to its target.";
            let is_leader =
                rules.blueprint().leaders().iter().any(|leader| rules.kind(*leader).code == kind.code);
            page.more(&format!(
                "Neither has moved, and the partner is the first piece on its side. All other squares that they \
                 cross or enter are empty.{}",
                if is_leader { safety } else { "" }
            ));
        }
    }
}

fn capital(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

struct MoveWriter<'g> {
    rules: &'g Rules,
    kind: &'g KindPlan,
}

impl MoveWriter<'_> {
    fn group(&self, group: &Group, page: &mut Page) {
        let plan = &group.plan;
        let plain = plan.actions.iter().all(|action| {
            action.conditions.is_empty() && action.effects.is_empty() && takes_all(action) && !action.shoots
        });
        let name = capital(&numbered(&group.ids));
        let way = way(self.rules, group);
        if plain {
            page.item(&format!("{name}: {way}, {}.{}", landing(&plan.actions), self.slide(plan)));
        } else {
            page.item(&format!("{name}: {way}.{}", self.slide(plan)));
            plan.actions.iter().for_each(|action| self.action(action, page));
        }
        self.conditions(&plan.conditions, page);
        if !plan.effects.is_empty() {
            page.more(&format!("Then {}.", conditions::effects(self.rules, &plan.effects)));
        }
        for (index, modifier) in plan.modifiers.iter().enumerate() {
            page.more(&conditions::promotion(self.rules, self.kind, modifier, index == 0));
        }
    }

    /// Describes what ends a slide; empty for a single step.
    fn slide(&self, plan: &MovePlan) -> String {
        if plan.repeat.max == Some(1) {
            return String::new();
        }
        let end = match plan.repeat.until {
            Until::State(Occupancy::NotEmpty) => "the first occupied square".into(),
            Until::State(Occupancy::Empty) => "the first empty square; pieces do not stop it".into(),
            Until::State(Occupancy::Enemy) => {
                "the first enemy piece; pieces of the same player do not stop it".into()
            }
            Until::State(Occupancy::Ally) => {
                "the first piece of the same player; enemy pieces do not stop it".into()
            }
            Until::State(Occupancy::Team) => {
                "the first piece of a partner; other pieces do not stop it".into()
            }
            Until::Region(region) => {
                let code = &self.rules.region(region).code;
                format!("the first square of {code}; pieces do not stop it")
            }
        };
        match &plan.repeat.hurdles {
            Some(hurdles) if hurdles.beyond == Some(1) => format!(" {}", self.hurdles(hurdles)),
            Some(hurdles) => format!(" {} After that, it ends on {end}.", self.hurdles(hurdles)),
            None => format!(" The slide ends on {end}."),
        }
    }

    /// Describes what a slide jumps over.
    fn hurdles(&self, hurdles: &Hurdles) -> String {
        let piece = if hurdles.count == 1 { "piece" } else { "pieces" };
        let number = if hurdles.count == 1 { "one".to_owned() } else { hurdles.count.to_string() };
        let whose = match hurdles.owner {
            Owner::Any => "",
            Owner::Own => " of the same player",
            Owner::Enemy if counts::has_teams(self.rules) => " of other teams",
            Owner::Enemy => " of other players",
            Owner::Partner => " of partners",
            Owner::Team => " of the same team",
            Owner::Neutral => " without an owner who moves",
        };
        let kinds = hurdles.kinds.as_ref().map(|kinds| format!(" ({})", self.only(kinds)));
        let mut text = format!(
            "The slide jumps over exactly {number} {piece}{whose}{} and lands only behind {}",
            kinds.unwrap_or_default(),
            if hurdles.count == 1 { "it" } else { "the last of them" }
        );
        if let Some(beyond) = hurdles.beyond {
            text += &match beyond {
                1 => ", on the next square".to_owned(),
                _ => format!(", at most {beyond} steps away from it"),
            };
        }
        if hurdles.captured {
            text += ", and captures what it jumps over";
        }
        if hurdles.kinds.is_some() || hurdles.owner != Owner::Any {
            text += "; any other piece before that ends it";
        }
        text + "."
    }

    /// Describes a list of kinds: the kinds themselves, or the others if they are fewer.
    fn only(&self, kinds: &[Kind]) -> String {
        let others: Vec<Kind> = self.rules.kinds().filter(|kind| !kinds.contains(kind)).collect();
        if kinds.len() * 2 > self.rules.kinds().count() && !others.is_empty() {
            format!("except {}", counts::codes(self.rules, &others))
        } else {
            format!("only {}", counts::codes(self.rules, kinds))
        }
    }

    fn action(&self, action: &ActionPlan, page: &mut Page) {
        let mut text = match action.on {
            Occupancy::Empty if action.shoots => {
                "It shoots at an empty square and stays where it is".to_owned()
            }
            Occupancy::Enemy if action.shoots => {
                "It shoots at an enemy piece, captures it, and stays where it is".into()
            }
            Occupancy::Empty => "To an empty square".to_owned(),
            Occupancy::Ally => "To a piece of the same player, which it captures".into(),
            Occupancy::Team => "To a piece of a partner, which it captures".into(),
            Occupancy::Enemy | Occupancy::NotEmpty => "To an enemy piece, which it captures".into(),
        };
        if !takes_all(action) {
            text += &format!(" {}", self.victims(action));
        }
        if !action.conditions.is_empty() {
            text += &format!(", if {}", conditions::conditions(self.rules, self.kind, &action.conditions));
        }
        if !action.effects.is_empty() {
            text += &format!("; then {}", conditions::effects(self.rules, &action.effects));
        }
        page.nested(1, &format!("{text}."));
    }

    /// Describes which pieces are captured, if not all.
    fn victims(&self, action: &ActionPlan) -> String {
        let kinds = action.victims.as_ref().map(|victims| self.only(victims));
        let tag = self.rules.mechanics().tag.as_ref().filter(|_| action.same_tag);
        let tag = tag.map(|tag| format!("only with the same {0}, or if either piece has no {0}", tag.code));
        format!("({})", kinds.into_iter().chain(tag).collect::<Vec<_>>().join("; "))
    }

    /// Writes one or two conditions as a sentence, more as a list.
    fn conditions(&self, list: &[Condition], page: &mut Page) {
        match list {
            [] => {}
            [_] | [_, _] => {
                page.more(&format!("Only if {}.", conditions::conditions(self.rules, self.kind, list)));
            }
            _ => {
                page.more("Only if all of the following hold:");
                for condition in list {
                    page.nested(1, &conditions::condition(self.rules, self.kind, condition));
                }
            }
        }
    }
}

/// Whether an action captures any piece.
fn takes_all(action: &ActionPlan) -> bool {
    action.victims.is_none() && !action.same_tag
}

/// Describes the distance and the directions.
fn way(rules: &Rules, group: &Group) -> String {
    let MovePlan { repeat, conditions, .. } = &group.plan;
    if group.plan.anywhere {
        return "to any square of the board".into();
    }
    let legs = legs(rules, &group.plan);
    if !legs.is_empty() {
        return format!("{legs}, then {}", last_leg(rules, group));
    }
    if group.steps == [steps::HERE] {
        return "stays on its square".into();
    }
    let leaps = group.steps.iter().any(|step| steps::is_leap(rules, *step));
    if repeat.max == Some(1) {
        let verb = if leaps && !conditions.contains(&Condition::PathEmpty) { "leaps" } else { "goes" };
        return format!("{verb} {}", steps::any_of(rules, &group.steps));
    }
    if let Some(lines) = steps::lines(rules, &group.steps) {
        return format!("slides {} {lines}", distance(repeat, "square"));
    }
    let each = if leaps { ", each a leap" } else { "" };
    format!("slides {}{each} of {}", distance(repeat, "step"), steps::any_of(rules, &group.steps))
}

/// Describes the legs of a move; empty if it has none.
fn legs(rules: &Rules, plan: &MovePlan) -> String {
    let leg = |leg: &LegPlan| {
        let state = match (leg.on, leg.captures) {
            (Occupancy::Empty, _) => "over an empty square",
            (Occupancy::NotEmpty, false) => "over a piece",
            (Occupancy::NotEmpty, true) => "over a piece, which it captures",
            (Occupancy::Enemy, false) => "over an enemy piece",
            (Occupancy::Enemy, true) => "over an enemy piece, which it captures",
            (Occupancy::Ally, false) => "over a piece of the same player",
            (Occupancy::Ally, true) => "over a piece of the same player, which it captures",
            (Occupancy::Team, false) => "over a piece of a partner",
            (Occupancy::Team, true) => "over a piece of a partner, which it captures",
        };
        format!("goes {} {state}", steps::any_of(rules, &[leg.step]))
    };
    plan.legs.iter().map(leg).collect::<Vec<_>>().join(", then ")
}

/// Describes the last step of a move with legs.
fn last_leg(rules: &Rules, group: &Group) -> String {
    let steps = steps::any_of(rules, &group.steps);
    match group.plan.repeat.max {
        Some(1) => steps,
        _ => format!("{} of {steps}", distance(&group.plan.repeat, "step")),
    }
}

fn distance(repeat: &Repeat, unit: &str) -> String {
    match (repeat.min, repeat.max) {
        (1, None) => format!("any number of {unit}s"),
        (min, None) => format!("{min} or more {unit}s"),
        (1, Some(max)) => format!("up to {max} {unit}s"),
        (min, Some(max)) if min == max => format!("exactly {max} {unit}s"),
        (min, Some(max)) => format!("{min} to {max} {unit}s"),
    }
}

/// Describes where a move without further conditions may land.
fn landing(actions: &[ActionPlan]) -> String {
    let on = |state: Occupancy| actions.iter().any(|action| action.on == state);
    let mut victims = Vec::new();
    if on(Occupancy::Enemy) {
        victims.push("an enemy piece");
    }
    if on(Occupancy::Ally) {
        victims.push("a piece of the same player");
    }
    if on(Occupancy::Team) {
        victims.push("a piece of a partner");
    }
    match (on(Occupancy::Empty), victims.is_empty()) {
        (true, true) => "to an empty square only".into(),
        (true, false) => format!("to an empty square or to capture {}", join(&victims, "or")),
        (false, _) => format!("only to capture {}", join(&victims, "or")),
    }
}
