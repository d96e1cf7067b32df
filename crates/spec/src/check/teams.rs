//! Teams, and references to partners in a game without partners.

use std::collections::{HashMap, HashSet};

use crate::model::{Clause, Condition, GameSpec, MoveSpec, Occupancy, Owner, RegionOf, Target};

use super::prelude::*;

pub(super) fn check(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let teams = &view.spec.teams;
    common::at_most(teams, limits::PLAYERS, "teams", diags);
    let (mut names, mut members) = (HashSet::new(), HashSet::new());
    for team in teams.iter() {
        common::name(&team.name, "The name of a team", diags);
        if team.name.known().is_some_and(|name| !name.trim().is_empty() && !names.insert(name.as_str())) {
            let message = format!("Two teams are named `{}`.", shorten(&team.name));
            let help = "give each team its own name";
            diags.report_with_help(Code::DuplicateTeam, team.name.place(), message, help);
        }
        common::not_empty(&team.players, "players", diags);
        common::at_most(&team.players, limits::PLAYERS, "players", diags);
        for player in team.players.iter() {
            view.players.resolve(player, NameKind::Player, diags);
            if player.known().is_some() && !members.insert(player.as_str()) {
                let message = format!("`{}` is already in a team.", shorten(player));
                let help = "a player belongs to one team: write the intended player, or remove this one";
                diags.report_with_help(Code::DuplicateTeam, player.place(), message, help);
            }
        }
    }
    check_opponents(view, &members, diags);
}

/// Reports a game with a single team, in which no player could lose.
fn check_opponents(view: &View<'_>, members: &HashSet<&str>, diags: &mut Diagnostics<'_>) {
    let teams = &view.spec.teams;
    let whole = teams.known().is_some() && teams.iter().all(|team| team.players.known().is_some());
    if teams.is_empty() || !whole || !view.players.all_found() {
        return;
    }
    let alone = view.players.iter().filter(|name| !members.contains(name)).count();
    let sides = teams.iter().filter(|team| !team.players.is_empty()).count() + alone;
    if sides == 1 {
        let message = "All players are in one team, so there are no opponents.";
        let help = "leave a player out, or add a second team";
        diags.report_with_help(Code::TooFewTeams, teams.place(), message, help);
    }
}

/// The team of each player.
pub(super) struct Teams<'g> {
    /// By player, the index of the team.
    team_of: HashMap<&'g str, usize>,
    /// Whether all teams were read.
    whole: bool,
}

impl<'g> Teams<'g> {
    pub(super) fn new(spec: &'g GameSpec) -> Self {
        let teams: &'g [At<_>] = &spec.teams;
        let listed =
            teams.iter().enumerate().flat_map(|(index, team): (usize, &'g At<crate::model::TeamSpec>)| {
                let players: &'g [At<String>] = &team.players;
                players.iter().map(move |player| (player.as_str(), index))
            });
        let whole = spec.teams.known().is_some() && teams.iter().all(|team| team.players.known().is_some());
        Teams { team_of: listed.collect(), whole }
    }

    /// Whether two players are partners; true if that is unknown.
    pub(super) fn may_be_partners(&self, one: &str, other: &str) -> bool {
        one == other
            || !self.whole
            || self.team_of.get(one).is_some_and(|team| self.team_of.get(other) == Some(team))
    }

    /// Whether it is certain that no player has a partner.
    pub(super) fn has_no_partners(&self) -> bool {
        let teams: HashSet<usize> = self.team_of.values().copied().collect();
        self.whole && teams.len() == self.team_of.len()
    }
}

/// Warns about references to partners in a game without any.
pub(super) fn warn(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    if !view.teams.has_no_partners() {
        return;
    }
    view.every_move().for_each(|each| warn_move(each, diags));
    let endings = view.spec.all_clauses().into_iter().map(|clause| &**clause);
    for clause in endings.chain(view.position_conditions()) {
        match clause {
            Clause::Count { owner, .. }
            | Clause::InCheck { owner }
            | Clause::CannotWin { owner }
            | Clause::Captive { owner }
            | Clause::Stuck { owner, .. }
            | Clause::Controlled { owner } => warn_owner(owner.as_ref(), diags),
            _ => {}
        }
    }
    for (_, condition) in view.all_conditions() {
        match &**condition {
            Condition::Square { state: Some(state), .. } if state.known() == Some(&Occupancy::Team) => {
                report("TEAM", state.place(), diags);
            }
            Condition::InRegion { of: Some(of), .. } if of.known() == Some(&RegionOf::Partner) => {
                report("PARTNER", of.place(), diags);
            }
            _ => {}
        }
    }
}

fn warn_move(each: &MoveSpec, diags: &mut Diagnostics<'_>) {
    for state in each.actions.iter().map(|action| &action.state) {
        if state.known() == Some(&Target::Team) {
            report("TEAM", state.place(), diags);
        }
    }
    let until = each.repeat.as_ref().and_then(At::known).and_then(|repeat| repeat.until.as_ref());
    if let Some(until) = until.filter(|until| until.as_str() == Occupancy::Team.as_str()) {
        report("TEAM", until.place(), diags);
    }
}

fn warn_owner(owner: Option<&At<Owner>>, diags: &mut Diagnostics<'_>) {
    if let Some(owner) = owner.filter(|owner| owner.known() == Some(&Owner::Partner)) {
        report("PARTNER", owner.place(), diags);
    }
}

/// Warns about a word for partners in a game without any.
pub(super) fn report(word: &str, place: Place, diags: &mut Diagnostics<'_>) {
    let message = format!("`{word}` refers to partners, and no player in this game has one.");
    diags.report_with_help(Code::NeverHappens, place, message, "group players under `teams`");
}
