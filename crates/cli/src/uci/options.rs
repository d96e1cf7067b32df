//! UCI options: game, player, seed, threads, hash size, net or piece values.

use std::path::Path;
use std::time::Duration;

use tabiya_players::{NAMES, NetChoice, PlayerOptions, by_name};
use tabiya_spec::library;

use super::Player;
use super::command::quote;
use super::go::Go;
use crate::args::thread_count;
use crate::files;
use crate::game_source::{self, LoadedGame};
use crate::text::did_you_mean;

/// The options and their values.
pub(super) struct Options {
    pub(super) game: LoadedGame,
    player: &'static str,
    equipment: PlayerOptions,
    /// The game of the command line and its name, which replaces a game of the library with that name.
    given: (String, LoadedGame),
    /// The names of all games: the given one and the two-player games of the library.
    games: Vec<String>,
    /// The maximum of `Threads`.
    processors: usize,
    /// The number of best lines to report.
    pub(super) lines: usize,
    /// The time that is kept for the transmission of each answer.
    pub(super) overhead: Duration,
    /// Whether to report estimates of how often the game is won, drawn and lost.
    pub(super) shows_results: bool,
    /// Whether to report the expected answer with each move.
    pub(super) ponders: bool,
}

const VARIANT: &str = "UCI_Variant";
const PLAYER: &str = "Player";
const SEED: &str = "Seed";
const THREADS: &str = "Threads";
const HASH: &str = "Hash";
const VALUES: &str = "EvalFile";
const LINES: &str = "MultiPV";
const OVERHEAD: &str = "Move Overhead";
const PONDER: &str = "Ponder";
const RESULTS: &str = "UCI_ShowWDL";
const OPTION_NAMES: [&str; 10] =
    [VARIANT, PLAYER, SEED, THREADS, HASH, VALUES, LINES, OVERHEAD, PONDER, RESULTS];
/// The maximum of `MultiPV`.
const MAX_LINES: usize = 256;
/// The maximum of `Move Overhead`, in milliseconds.
const MAX_OVERHEAD: u64 = 5000;
/// The maximum of `Hash`.
const MAX_MEGABYTES: usize = 4096;
/// The maximum of `Seed`: chess programs store numbers as 32-bit integers.
const MAX_SEED: u64 = i32::MAX as u64;

impl Options {
    /// Returns the defaults: the given game, played by `search`.
    pub(super) fn new(game: LoadedGame) -> Self {
        let stem = Path::new(&game.label).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let name = stem.unwrap_or_else(|| game.label.clone());
        let is_for_two = |name: &&str| {
            game_source::load(name).is_ok_and(|loaded| loaded.game.rules.players().count() == 2)
        };
        let of_library = library::games().into_iter().map(|entry| entry.name).filter(is_for_two);
        let mut games: Vec<String> = of_library.map(str::to_owned).collect();
        if !games.contains(&name) {
            games.insert(0, name.clone());
        }
        let processors = thread_count(None);
        let equipment = PlayerOptions { threads: 1, hash_megabytes: 16, ..PlayerOptions::default() };
        let given = (name, game.clone());
        Options {
            game,
            player: "search",
            equipment,
            given,
            games,
            processors,
            lines: 1,
            overhead: Go::RESERVE,
            shows_results: false,
            ponders: false,
        }
    }

    /// Returns the `option` lines that answer `uci`.
    pub(super) fn introduction(&self) -> [String; 10] {
        let games: Vec<&str> = self.games.iter().map(String::as_str).collect();
        let choice = |name: &str, default: &str, values: &[&str]| {
            format!("option name {name} type combo default {default} var {}", values.join(" var "))
        };
        [
            choice(VARIANT, &self.given.0, &games),
            choice(PLAYER, self.player, &NAMES),
            format!("option name {SEED} type spin default 0 min 0 max {MAX_SEED}"),
            format!("option name {THREADS} type spin default 1 min 1 max {}", self.processors),
            format!("option name {HASH} type spin default 16 min 1 max {MAX_MEGABYTES}"),
            format!("option name {VALUES} type string default <empty>"),
            format!("option name {LINES} type spin default 1 min 1 max {MAX_LINES}"),
            format!(
                "option name {OVERHEAD} type spin default {} min 0 max {MAX_OVERHEAD}",
                Go::RESERVE.as_millis()
            ),
            format!("option name {PONDER} type check default false"),
            format!("option name {RESULTS} type check default false"),
        ]
    }

    /// Creates a player with these options.
    pub(super) fn player(&self) -> Player {
        by_name(self.player, self.equipment.clone()).expect("`player` is one of `NAMES`")
    }

    /// Sets an option. Letter case is ignored.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match OPTION_NAMES.into_iter().find(|known| known.eq_ignore_ascii_case(name)) {
            Some(VARIANT) => {
                let names: Vec<&str> = self.games.iter().map(String::as_str).collect();
                let name = one_of(&names, value)?;
                self.game = if name == self.given.0 {
                    self.given.1.clone()
                } else {
                    game_source::load(name).map_err(|failure| failure.to_string())?
                };
                // Piece values and nets belong to one game.
                (self.equipment.values, self.equipment.net) = (None, NetChoice::Bundled);
            }
            Some(PLAYER) => self.player = one_of(&NAMES, value)?,
            Some(SEED) => self.equipment.seed = number(SEED, value, 0, MAX_SEED)?,
            Some(THREADS) => {
                self.equipment.threads = number(THREADS, value, 1, self.processors as u64)? as usize;
            }
            Some(HASH) => {
                self.equipment.hash_megabytes = number(HASH, value, 1, MAX_MEGABYTES as u64)? as usize;
            }
            Some(VALUES) => self.read_values(value)?,
            Some(LINES) => self.lines = number(LINES, value, 1, MAX_LINES as u64)? as usize,
            Some(OVERHEAD) => {
                self.overhead = Duration::from_millis(number(OVERHEAD, value, 0, MAX_OVERHEAD)?);
            }
            Some(PONDER) => self.ponders = is_on(value)?,
            Some(RESULTS) => self.shows_results = is_on(value)?,
            _ => return Err(format!("there is no option `{}`", quote(name))),
        }
        Ok(())
    }

    /// Reads a net or piece values from a file. Without a file, the net is the one that comes with the program; with `none`
    /// there is no net. Piece values are derived from the rules.
    fn read_values(&mut self, path: &str) -> Result<(), String> {
        (self.equipment.values, self.equipment.net) = (None, NetChoice::Bundled);
        if path.is_empty() || path == "<empty>" {
            return Ok(());
        }
        if path == "none" || files::is_net(Path::new(path)) {
            let net = files::net_choice(&self.game.game.rules, Some(path));
            self.equipment.net = net.map_err(|failure| failure.to_string())?;
            return Ok(());
        }
        let values = files::piece_values(&self.game.game.rules, Path::new(path));
        let values = values.map_err(|failure| failure.to_string())?;
        self.equipment.values = Some(values);
        Ok(())
    }
}

fn number(name: &str, value: &str, least: u64, most: u64) -> Result<u64, String> {
    let number = value.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("{name} must be a number from {least} to {most}"))
}

fn is_on(value: &str) -> Result<bool, String> {
    Ok(one_of(&["true", "false"], value)? == "true")
}

fn one_of<'n>(values: &[&'n str], value: &str) -> Result<&'n str, String> {
    values.iter().copied().find(|known| known.eq_ignore_ascii_case(value)).ok_or_else(|| {
        let hint = did_you_mean(value, values.iter().copied());
        format!("`{}` is not one of {}{hint}", quote(value), values.join(", "))
    })
}
