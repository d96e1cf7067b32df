//! Saved games: `{"tabiya": 1, "game", "spec", "start", "moves"}`, the choices if there are any, and in games with a die its
//! seed and throws. The file contains the hash of the rules, because the same moves under other rules are another game.
//!
//! A file is written under a temporary name and renamed, so that a crash leaves the old file or the new one. `save` does
//! not overwrite files that are not saved games.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use serde_json::{Value, json};
use tabiya_arena::choice_record;
use tabiya_spec::Choices;

use crate::choices;
use crate::error::CliError;
use crate::files;
use crate::game_source::{self, LoadedGame};
use crate::text::sanitize;

use super::game::TerminalGame;
use super::save_format::{SavedData, VERSION};

/// Saves a game, or returns why it cannot be saved.
pub(crate) fn save(game: &TerminalGame, path: &Path, force: bool) -> Result<(), String> {
    let shown = path.display();
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => return Err(format!("`{shown}` is not a file that can be replaced")),
        Ok(_) if !force && !is_saved_game(path) => {
            return Err(format!("`{shown}` exists but is not a saved game; `save! {shown}` overwrites it"));
        }
        _ => {}
    }
    write(path, &to_json(game))
        .map_err(|error| format!("`{shown}` cannot be written: {}", files::write_error_reason(path, &error)))
}

fn to_json(game: &TerminalGame) -> Value {
    let (session, label) = (&game.session, &game.loaded.label);
    let name =
        Path::new(label).file_name().map_or_else(|| label.clone().into(), |name| name.to_string_lossy());
    let moves: Vec<&str> = game.session.log().iter().map(|entry| entry.text.as_str()).collect();
    let mut value = json!({
        "tabiya": VERSION,
        "game": name,
        "spec": game.loaded.game.hash.to_string(),
        "start": tabiya_notation::fen(session.rules(), &session.options().start),
        "moves": moves,
    });
    let choice = choice_record(&game.loaded.game.choices.requested);
    if !choice.is_empty() {
        value["choice"] = json!(choice);
    }
    if let Some(participants) = game.participants() {
        value["players"] = participants.into();
    }
    if session.rules().faces().is_some() {
        value["seed"] = session.options().seed.into();
        value["throws"] = session.game().throws().collect();
    }
    value
}

fn is_saved_game(path: &Path) -> bool {
    let value = files::text(path).ok().and_then(|text| serde_json::from_str::<Value>(&text).ok());
    value.is_some_and(|value| value["tabiya"].is_u64() && value["moves"].is_array())
}

fn write(path: &Path, value: &Value) -> io::Result<()> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_string_lossy();
    let temporary = path.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    let file = OpenOptions::new().write(true).create_new(true).open(&temporary)?;
    let written = fill(file, value).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // Remove the incomplete file. The first error is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    written
}

fn fill(mut file: File, value: &Value) -> io::Result<()> {
    writeln!(file, "{value:#}")?;
    file.sync_all()
}

/// A saved game that is not yet replayed.
#[derive(Debug)]
pub(crate) struct SavedGame {
    /// The path, for messages.
    path: String,
    data: SavedData,
}

impl SavedGame {
    /// Reads a file, or returns why it is not a saved game.
    pub(crate) fn read(path: &Path) -> Result<SavedGame, CliError> {
        let shown = path.display().to_string();
        let text =
            files::text(path).map_err(|why| CliError::Usage(format!("`{shown}` cannot be read: {why}")))?;
        let data = SavedData::read(&text)
            .map_err(|why| CliError::Usage(format!("`{shown}` is not a saved game: {}", sanitize(&why))))?;
        Ok(SavedGame { path: shown, data })
    }

    /// Returns the array, rules and options of the game.
    pub(crate) fn choices(&self) -> Choices {
        choices::from_record(&self.data.choice)
    }

    /// Returns the number of participants. A flag may repeat it.
    pub(crate) fn participants(&self, flag: Option<u32>) -> Result<Option<u32>, CliError> {
        match (self.data.players, flag) {
            (Some(saved), Some(flag)) if saved != flag => Err(CliError::No(format!(
                "--players {flag} contradicts `{}`, which was played with --players {saved}",
                self.path
            ))),
            (saved, flag) => Ok(saved.or(flag)),
        }
    }

    /// Returns whether it was played by these rules.
    pub(crate) fn is_of(&self, loaded: &LoadedGame) -> bool {
        self.data.spec == loaded.game.hash.to_string()
    }

    /// Returns the error for other rules: the flags contradict the choices of the file (`recorded` is the game with those), or
    /// the game file has changed.
    pub(crate) fn rules_error(&self, recorded: Option<&LoadedGame>, loaded: &LoadedGame) -> CliError {
        if let Some(recorded) = recorded {
            let differences = choices::differences(&recorded.game, &loaded.game);
            return CliError::No(format!(
                "the chosen options contradict `{}`, which was played with {differences}\n\
                 Leave them out: a saved game names its own.",
                self.path
            ));
        }
        let (spec, game, hash) = (sanitize(&self.data.spec), sanitize(&self.data.game), loaded.game.hash);
        CliError::No(format!(
            "the game was saved under other rules (`{game}`):\n  saved: {spec}\n  here:  {hash}\n\
             Load it with the game file that it was saved under, as that file was then,\n\
             and with the same --array, --rules, --option, --players and --divination, if it does not name them."
        ))
    }

    /// Replays the game.
    pub(crate) fn replay(&self, loaded: LoadedGame, by_team: bool) -> Result<TerminalGame, CliError> {
        let start = game_source::read_state(&loaded.game.rules, &self.data.start)?;
        let mut game = TerminalGame::new(loaded, start, self.data.seed, by_team);
        for (index, text) in self.data.moves.iter().enumerate() {
            play_on(&mut game, text).map_err(|why| {
                let number = index + 1;
                CliError::No(format!(
                    "move {number} of the saved game, `{}`, is rejected: {why}",
                    sanitize(text)
                ))
            })?;
        }
        if !game.session.game().throws().eq(self.data.throws.iter().copied()) {
            return Err(CliError::No("the throws of the saved game are not those of its seed".to_owned()));
        }
        Ok(game)
    }
}

/// Loads a saved game of the same rules as the current game.
pub(crate) fn load(game: &TerminalGame, path: &Path) -> Result<TerminalGame, CliError> {
    let saved = SavedGame::read(path)?;
    let (loaded, by_team) = (&game.loaded, game.by_team);
    if let Some(participants) =
        saved.data.players.filter(|participants| game.participants() != Some(*participants))
    {
        return Err(CliError::No(format!(
            "it was played with --players {participants}, and this game is not"
        )));
    }
    if !saved.is_of(loaded) {
        let of_file = game_source::load_with(&loaded.label, &saved.choices()).ok();
        return Err(saved.rules_error(of_file.filter(|game| saved.is_of(game)).as_ref(), loaded));
    }
    saved.replay(loaded.clone(), by_team)
}

fn play_on(game: &mut TerminalGame, text: &str) -> Result<(), String> {
    if game.session.end().is_some() {
        return Err("the game is already over".to_owned());
    }
    let act = game.session.game().parse_action(text).map_err(|error| error.to_string())?;
    game.act(act).map_err(|illegal| illegal.to_string())
}
