//! Teams: who is in which, and what is said about partners in a game in which nobody has one.

use std::collections::{HashMap, HashSet};

use crate::code::Code;
use crate::diagnostic::Faults;
use crate::limits;
use crate::model::{Clause, Condition, GameSpec, MoveSpec, Occupancy, Owner, RegionOf, Target};
use crate::place::{At, Place};
use crate::read::shorten;

use super::lists;
use super::names::Kind;
use super::view::{View, condition_lists};

pub(super) fn check(view: &View<'_>, faults: &mut Faults<'_>) {
    let teams = &view.spec.teams;
    lists::at_most(teams, limits::PLAYERS, "teams", faults);
    let (mut names, mut members) = (HashSet::new(), HashSet::new());
    for team in teams.iter() {
        lists::name(&team.name, "The name of a team", faults);
        if team.name.known().is_some_and(|name| !name.trim().is_empty() && !names.insert(name.as_str())) {
            let message = format!("Two teams are called `{}`.", shorten(&team.name));
            let help = "give each team its own name";
            faults.report_with_help(Code::DuplicateTeam, team.name.place(), message, help);
        }
        lists::not_empty(&team.players, "players", faults);
        lists::at_most(&team.players, limits::PLAYERS, "players", faults);
        for player in team.players.iter() {
            view.players.resolve(player, Kind::Player, faults);
            if player.known().is_some() && !members.insert(player.as_str()) {
                let message = format!("`{}` is in a team already.", shorten(player));
                let help = "a player is in one team: write the player that was meant, or remove this one";
                faults.report_with_help(Code::DuplicateTeam, player.place(), message, help);
            }
        }
    }
    check_sides(view, &members, faults);
}

/// With a single team nobody could lose.
fn check_sides(view: &View<'_>, members: &HashSet<&str>, faults: &mut Faults<'_>) {
    let teams = &view.spec.teams;
    let whole = teams.known().is_some() && teams.iter().all(|team| team.players.known().is_some());
    if teams.is_empty() || !whole || !view.players.all_found() {
        return;
    }
    let alone = view.players.iter().filter(|name| !members.contains(name)).count();
    let sides = teams.iter().filter(|team| !team.players.is_empty()).count() + alone;
    if sides == 1 {
        faults.report_with_help(
            Code::TooFewTeams,
            teams.place(),
            "All players are in one team, so there is nobody to play against.",
            "leave somebody out of it, or write a second team",
        );
    }
}

/// Who plays with whom.
pub(super) struct Sides<'g> {
    /// By player, the place of his team in the list.
    team_of: HashMap<&'g str, usize>,
    /// Whether all of it was read.
    whole: bool,
}

impl<'g> Sides<'g> {
    pub(super) fn new(spec: &'g GameSpec) -> Self {
        let teams: &'g [At<_>] = &spec.teams;
        let listed =
            teams.iter().enumerate().flat_map(|(index, team): (usize, &'g At<crate::model::TeamSpec>)| {
                let players: &'g [At<String>] = &team.players;
                players.iter().map(move |player| (player.as_str(), index))
            });
        let whole = spec.teams.known().is_some() && teams.iter().all(|team| team.players.known().is_some());
        Sides { team_of: listed.collect(), whole }
    }

    /// Whether two players win together; true if there is no telling.
    pub(super) fn may_be_partners(&self, one: &str, other: &str) -> bool {
        one == other
            || !self.whole
            || self.team_of.get(one).is_some_and(|team| self.team_of.get(other) == Some(team))
    }

    /// Whether it is certain that nobody has a partner.
    pub(super) fn are_all_alone(&self) -> bool {
        let teams: HashSet<usize> = self.team_of.values().copied().collect();
        self.whole && teams.len() == self.team_of.len()
    }
}

/// What asks for partners where there are none.
pub(super) fn suspect(view: &View<'_>, faults: &mut Faults<'_>) {
    if !view.sides.are_all_alone() {
        return;
    }
    view.moves().for_each(|(_, each)| suspect_move(each, faults));
    for clause in view.spec.all_clauses() {
        match &**clause {
            Clause::Count { owner, .. }
            | Clause::CannotWin { owner }
            | Clause::Captive { owner }
            | Clause::Controlled { owner } => suspect_owner(owner.as_ref(), faults),
            _ => {}
        }
    }
}

fn suspect_move(each: &MoveSpec, faults: &mut Faults<'_>) {
    for state in each.actions.iter().map(|action| &action.state) {
        if state.known() == Some(&Target::Team) {
            report("TEAM", state.place(), faults);
        }
    }
    let until = each.repeat.as_ref().and_then(At::known).and_then(|repeat| repeat.until.as_ref());
    if let Some(until) = until.filter(|until| until.as_str() == Occupancy::Team.as_str()) {
        report("TEAM", until.place(), faults);
    }
    for condition in condition_lists(each).flat_map(|list| list.iter()) {
        match &**condition {
            Condition::Square { state: Some(state), .. } if state.known() == Some(&Occupancy::Team) => {
                report("TEAM", state.place(), faults);
            }
            Condition::InRegion { of: Some(of), .. } if of.known() == Some(&RegionOf::Partner) => {
                report("PARTNER", of.place(), faults);
            }
            Condition::Count { owner, .. } => suspect_owner(owner.as_ref(), faults),
            _ => {}
        }
    }
}

fn suspect_owner(owner: Option<&At<Owner>>, faults: &mut Faults<'_>) {
    if let Some(owner) = owner.filter(|owner| owner.known() == Some(&Owner::Partner)) {
        report("PARTNER", owner.place(), faults);
    }
}

fn report(word: &str, place: Place, faults: &mut Faults<'_>) {
    let message = format!("`{word}` stands for partners, and nobody in this game has one.");
    faults.report_with_help(Code::NeverHappens, place, message, "put players together under `teams`");
}
