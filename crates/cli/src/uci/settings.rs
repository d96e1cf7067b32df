//! What can be set: which game is played, by whom, and what chance starts from.

use std::path::Path;
use std::thread;

use tabiya_players::{Chooser, Equipment, NAMES, by_name};
use tabiya_spec::library;

use super::request::short;
use crate::chosen::{self, Chosen};
use crate::text::nearest;
use crate::value_file;

/// What is set.
pub(super) struct Settings {
    /// The game.
    pub(super) game: Chosen,
    player: &'static str,
    equipment: Equipment,
    /// The games of two players.
    games: Vec<&'static str>,
    /// More threads would wait for each other.
    processors: usize,
}

const VARIANT: &str = "UCI_Variant";
const PLAYER: &str = "Player";
const SEED: &str = "Seed";
const THREADS: &str = "Threads";
const HASH: &str = "Hash";
const VALUES: &str = "EvalFile";
const NAMES_OF_OPTIONS: [&str; 6] = [VARIANT, PLAYER, SEED, THREADS, HASH, VALUES];
/// More megabytes are not offered.
const MAX_MEGABYTES: usize = 4096;
/// Chess programs keep numbers in as many bits.
const MAX_SEED: u64 = i32::MAX as u64;

impl Settings {
    /// Chess, by the strongest player.
    pub(super) fn new() -> Result<Self, crate::failure::Failure> {
        let is_for_two =
            |name: &&str| chosen::game(name).is_ok_and(|chosen| chosen.game.rules.players().count() == 2);
        let games: Vec<&str> = library::games().iter().map(|entry| entry.name).filter(is_for_two).collect();
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let equipment = Equipment { threads: 1, megabytes: 16, ..Equipment::default() };
        Ok(Settings { game: chosen::game("chess")?, player: "search", equipment, games, processors })
    }

    /// The lines that tell what can be set.
    pub(super) fn lines(&self) -> [String; 6] {
        let choice = |name: &str, default: &str, values: &[&str]| {
            format!("option name {name} type combo default {default} var {}", values.join(" var "))
        };
        [
            choice(VARIANT, "chess", &self.games),
            choice(PLAYER, self.player, &NAMES),
            format!("option name {SEED} type spin default 0 min 0 max {MAX_SEED}"),
            format!("option name {THREADS} type spin default 1 min 1 max {}", self.processors),
            format!("option name {HASH} type spin default 16 min 1 max {MAX_MEGABYTES}"),
            format!("option name {VALUES} type string default <empty>"),
        ]
    }

    /// A player as it is set, at the start of a game.
    pub(super) fn player(&self) -> Box<dyn Chooser + Send> {
        by_name(self.player, self.equipment.clone()).expect("the name is one of them")
    }

    /// Sets something, or says why not. Names are read in any case.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match NAMES_OF_OPTIONS.into_iter().find(|known| known.eq_ignore_ascii_case(name)) {
            Some(VARIANT) => {
                let game = one_of(&self.games, value)?;
                self.game = chosen::game(game).map_err(|failure| failure.to_string())?;
                // Values are those of one game.
                self.equipment.values = None;
            }
            Some(PLAYER) => self.player = one_of(&NAMES, value)?,
            Some(SEED) => self.equipment.seed = number(SEED, value, 0, MAX_SEED)?,
            Some(THREADS) => {
                self.equipment.threads = number(THREADS, value, 1, self.processors as u64)? as usize;
            }
            Some(HASH) => self.equipment.megabytes = number(HASH, value, 1, MAX_MEGABYTES as u64)? as usize,
            Some(VALUES) => self.read_values(value)?,
            _ => return Err(format!("there is no option `{}`", short(name))),
        }
        Ok(())
    }

    /// The values of the game from a file of the one who runs the engine; without a file, those of the rules.
    fn read_values(&mut self, path: &str) -> Result<(), String> {
        if path.is_empty() || path == "<empty>" {
            self.equipment.values = None;
            return Ok(());
        }
        let values = value_file::read(&self.game.game.rules, Path::new(path));
        let values = values.map_err(|failure| failure.to_string())?;
        self.equipment.values = Some(values);
        Ok(())
    }
}

fn number(name: &str, value: &str, least: u64, most: u64) -> Result<u64, String> {
    let number = value.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("{name} is a number from {least} to {most}"))
}

fn one_of(values: &[&'static str], value: &str) -> Result<&'static str, String> {
    values.iter().copied().find(|known| known.eq_ignore_ascii_case(value)).ok_or_else(|| {
        let hint = nearest(value, values.iter().copied())
            .map(|near| format!("; did you mean `{near}`?"))
            .unwrap_or_default();
        format!("`{}` is none of {}{hint}", short(value), values.join(", "))
    })
}
