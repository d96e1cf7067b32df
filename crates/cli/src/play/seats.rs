//! Who sits where: people, who are asked, and programs, who choose by themselves.

use std::fmt;

use tabiya_arena::choose_action;
use tabiya_engine::{Player, PlayerSet, Rules};
use tabiya_players::{Chooser, Limits, NAMES, PlayerOptions, SplitMix, Values, by_name};
use tabiya_referee::{Action, Game};

use crate::error::CliError;
use crate::text::{did_you_mean, join_and};

/// Who is asked on standard input.
const HUMAN: &str = "human";

/// Somebody at the board.
enum Seat {
    Human,
    Program(&'static str, Box<dyn Chooser + Send>),
}

/// Everybody at the board, by player.
pub(crate) struct Seats(Vec<Seat>);

impl fmt::Debug for Seats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(Seat::name)).finish()
    }
}

impl Seat {
    fn name(&self) -> &'static str {
        match self {
            Seat::Human => HUMAN,
            Seat::Program(name, _) => name,
        }
    }
}

impl Seats {
    /// Seats as `NAME=PLAYER`; where nothing is said, a human. Programs with the same seed play the same game, and two
    /// programs of one game do not play alike.
    pub(crate) fn new(
        rules: &Rules,
        words: &[String],
        seed: u64,
        values: Option<&Values>,
    ) -> Result<Self, CliError> {
        let mut kinds = vec![None; rules.players().count()];
        for word in words {
            let (name, kind) = word
                .rsplit_once('=')
                .ok_or_else(|| CliError::Usage(format!("`{word}` is not of the form NAME=PLAYER")))?;
            let kind = find_kind(kind.trim())?;
            for player in find_players(rules, name.trim())?.iter() {
                let seat = &mut kinds[player.index()];
                if seat.is_some() {
                    return Err(CliError::Usage(format!("somebody already sits at {name}")));
                }
                *seat = Some(kind);
            }
        }
        let mut seeds = SplitMix::new(seed);
        Ok(Seats(
            kinds
                .into_iter()
                .map(|kind| {
                    seat(
                        kind,
                        PlayerOptions {
                            seed: seeds.next_u64(),
                            values: values.cloned(),
                            ..PlayerOptions::default()
                        },
                    )
                })
                .collect(),
        ))
    }

    /// What sits there: `human`, or the name of a program.
    pub(crate) fn name(&self, player: Player) -> &'static str {
        self.0[player.index()].name()
    }

    /// Whether the player must be asked.
    pub(crate) fn is_human(&self, player: Player) -> bool {
        matches!(self.0[player.index()], Seat::Human)
    }

    /// Whether anybody must be asked.
    pub(crate) fn any_human(&self) -> bool {
        self.0.iter().any(|seat| matches!(seat, Seat::Human))
    }

    /// What a program does: its move, or before that its answer to an offer of a draw. `None` of a human, and where there
    /// is no move.
    pub(crate) fn choose(&mut self, game: &Game) -> Option<Action> {
        let Seat::Program(_, chooser) = &mut self.0[game.actor().index()] else { return None };
        // As far as its own patience lasts, which is no matter of the clock: the same seed gives the same game.
        choose_action(chooser.as_mut(), game, &Limits::default())
    }
}

fn seat(kind: Option<&'static str>, equipment: PlayerOptions) -> Seat {
    let program = kind.and_then(|name| Some(Seat::Program(name, by_name(name, equipment)?)));
    program.unwrap_or(Seat::Human)
}

/// The player of that name, whatever the case of its letters where that is clear; or the players of a team.
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
        refusal("player of this game", name, &names)
    })
}

/// The teams of a game, by name.
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
    kind.ok_or_else(|| refusal("player that can take a seat", name, &kinds))
}

fn refusal(what: &str, name: &str, known: &[&str]) -> CliError {
    let hint = did_you_mean(name, known.iter().copied());
    CliError::Usage(format!("there is no {what} called `{name}`{hint}\nThere are: {}.", join_and(known)))
}
