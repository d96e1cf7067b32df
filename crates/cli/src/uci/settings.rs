//! What can be set: which game is played, by whom, and what chance starts from.

use tabiya_players::{Chooser, NAMES, by_name};
use tabiya_spec::library;

use super::request::short;
use crate::chosen::{self, Chosen};
use crate::text::nearest;

/// What is set.
pub(super) struct Settings {
    /// The game.
    pub(super) game: Chosen,
    player: &'static str,
    seed: u64,
    /// The games of two players.
    games: Vec<&'static str>,
}

const VARIANT: &str = "UCI_Variant";
const PLAYER: &str = "Player";
const SEED: &str = "Seed";
/// Chess programs keep numbers in as many bits.
const MAX_SEED: u64 = i32::MAX as u64;

impl Settings {
    /// Chess, by the strongest player.
    pub(super) fn new() -> Result<Self, crate::failure::Failure> {
        let is_for_two =
            |name: &&str| chosen::game(name).is_ok_and(|chosen| chosen.game.rules.players().count() == 2);
        let games: Vec<&str> = library::games().iter().map(|entry| entry.name).filter(is_for_two).collect();
        let player = NAMES[NAMES.len() - 1];
        Ok(Settings { game: chosen::game("chess")?, player, seed: 0, games })
    }

    /// The lines that tell what can be set.
    pub(super) fn lines(&self) -> [String; 3] {
        let choice = |name: &str, default: &str, values: &[&str]| {
            format!("option name {name} type combo default {default} var {}", values.join(" var "))
        };
        [
            choice(VARIANT, "chess", &self.games),
            choice(PLAYER, self.player, &NAMES),
            format!("option name {SEED} type spin default 0 min 0 max {MAX_SEED}"),
        ]
    }

    /// A player as it is set, at the start of a game.
    pub(super) fn player(&self) -> Box<dyn Chooser + Send> {
        by_name(self.player, self.seed).expect("the name is one of them")
    }

    /// Sets something, or says why not. Names are read in any case.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match [VARIANT, PLAYER, SEED].into_iter().find(|known| known.eq_ignore_ascii_case(name)) {
            Some(VARIANT) => {
                let game = one_of(&self.games, value)?;
                self.game = chosen::game(game).map_err(|failure| failure.to_string())?;
            }
            Some(PLAYER) => self.player = one_of(&NAMES, value)?,
            Some(SEED) => {
                let seed = value.parse().ok().filter(|seed| *seed <= MAX_SEED);
                self.seed = seed.ok_or_else(|| format!("{SEED} is a number from 0 to {MAX_SEED}"))?;
            }
            _ => return Err(format!("there is no option `{}`", short(name))),
        }
        Ok(())
    }
}

fn one_of(values: &[&'static str], value: &str) -> Result<&'static str, String> {
    values.iter().copied().find(|known| known.eq_ignore_ascii_case(value)).ok_or_else(|| {
        let hint = nearest(value, values.iter().copied())
            .map(|near| format!("; did you mean `{near}`?"))
            .unwrap_or_default();
        format!("`{}` is none of {}{hint}", short(value), values.join(", "))
    })
}
