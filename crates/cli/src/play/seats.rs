//! The seats of a game: humans, who are asked on standard input, and programs.

use tabiya_arena::choose_action;
use tabiya_engine::{Player, PlayerSet, Rules};
use tabiya_players::{Chooser, Limits, NAMES, PlayerOptions, SplitMix, by_name};
use tabiya_referee::{Action, Game};

use crate::error::CliError;
use crate::text::{did_you_mean, join_and};

/// The name of a human player.
const HUMAN: &str = "human";

/// The occupant of a seat.
enum Seat {
    Human,
    Program(&'static str, Box<dyn Chooser + Send>),
}

/// The seats, by player.
pub(crate) struct Seats(Vec<Seat>);

impl Seat {
    fn name(&self) -> &'static str {
        match self {
            Seat::Human => HUMAN,
            Seat::Program(name, _) => name,
        }
    }
}

impl Seats {
    /// Parses `NAME=PLAYER` arguments. Seats that are not named are human. Each program gets its own seed, derived from
    /// that of `equipment`.
    pub(crate) fn new(rules: &Rules, words: &[String], equipment: &PlayerOptions) -> Result<Self, CliError> {
        let mut kinds = vec![None; rules.players().count()];
        for word in words {
            let (name, kind) = word
                .rsplit_once('=')
                .ok_or_else(|| CliError::Usage(format!("`{word}` must be NAME=PLAYER")))?;
            let kind = find_kind(kind.trim())?;
            for player in find_players(rules, name.trim())?.iter() {
                let seat = &mut kinds[player.index()];
                if seat.is_some() {
                    return Err(CliError::Usage(format!("the seat {name} is already taken")));
                }
                *seat = Some(kind);
            }
        }
        let mut seeds = SplitMix::new(equipment.seed);
        let seat = |kind: Option<&'static str>| {
            let options = PlayerOptions { seed: seeds.next_u64(), ..equipment.clone() };
            let program = kind.and_then(|name| Some(Seat::Program(name, by_name(name, options)?)));
            program.unwrap_or(Seat::Human)
        };
        Ok(Seats(kinds.into_iter().map(seat).collect()))
    }

    /// Returns `human` or the name of the program.
    pub(crate) fn name(&self, player: Player) -> &'static str {
        self.0[player.index()].name()
    }

    /// Returns whether a player is human.
    pub(crate) fn is_human(&self, player: Player) -> bool {
        matches!(self.0[player.index()], Seat::Human)
    }

    /// Returns whether any player is human.
    pub(crate) fn any_human(&self) -> bool {
        self.0.iter().any(|seat| matches!(seat, Seat::Human))
    }

    /// Returns the action of a program: its answer to a draw offer, or its move. Returns `None` for a human, or without a
    /// legal move.
    pub(crate) fn choose(&mut self, game: &Game) -> Option<Action> {
        let Seat::Program(_, chooser) = &mut self.0[game.actor().index()] else { return None };
        // No time limit: the same seed must give the same game.
        choose_action(chooser.as_mut(), game, &Limits::default())
    }
}

/// Returns the player of a name, or the players of a team. An exact match comes before one that ignores letter case.
fn find_players(rules: &Rules, name: &str) -> Result<PlayerSet, CliError> {
    let called = |player: &Player| rules.player(*player).name.as_str();
    let exact = rules.players().find(|player| called(player) == name);
    let loose = || rules.players().find(|player| called(player).eq_ignore_ascii_case(name));
    let teams = teams(rules);
    let team = || teams.iter().find(|(team, _)| team.eq_ignore_ascii_case(name)).map(|(_, players)| *players);
    let player = exact.or_else(loose).map(|player| PlayerSet::EMPTY.with(player));
    player.or_else(team).ok_or_else(|| {
        let players = rules.players().map(|player| rules.player(player).name.as_str());
        let names: Vec<&str> = players.chain(teams.iter().map(|(team, _)| *team)).collect();
        unknown("player of this game", name, &names)
    })
}

/// Returns the teams of a game by name.
fn teams(rules: &Rules) -> Vec<(&str, PlayerSet)> {
    let mechanics = rules.mechanics();
    let members = |team: u8| {
        rules.players().filter(|player| mechanics.teams.get(player.index()) == Some(&team)).collect()
    };
    let names = mechanics.team_names.iter().enumerate();
    names.map(|(number, name)| (name.as_str(), members(number as u8))).collect()
}

fn find_kind(name: &str) -> Result<&'static str, CliError> {
    let kinds: Vec<&'static str> = [HUMAN].into_iter().chain(NAMES).collect();
    let kind = kinds.iter().copied().find(|kind| kind.eq_ignore_ascii_case(name));
    kind.ok_or_else(|| unknown("player that can take a seat", name, &kinds))
}

fn unknown(what: &str, name: &str, known: &[&str]) -> CliError {
    let hint = did_you_mean(name, known.iter().copied());
    CliError::Usage(format!("there is no {what} `{name}`{hint}\nThere are: {}.", join_and(known)))
}
