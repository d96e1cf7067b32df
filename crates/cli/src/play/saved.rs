//! Saved games: `{"tabiya": 1, "game", "spec", "start", "moves"}`, the chosen options, and of games with a
//! die its seed and throws. The hash of the rules stands in the file, because the same moves under other rules are another
//! game.
//!
//! A file is written beside its place and renamed into it, so that a crash leaves the old one or the new one; and a
//! file that is no saved game is not overwritten by a slip of the finger.

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

use super::form::{Form, VERSION};
use super::game::TerminalGame;

/// Writes a game into a file, or says why not.
pub(crate) fn save(game: &TerminalGame, path: &Path, force: bool) -> Result<(), String> {
    let shown = path.display();
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => return Err(format!("`{shown}` is not a file that can be replaced")),
        Ok(_) if !force && !is_saved_game(path) => {
            return Err(format!("`{shown}` is there and is no saved game; `save! {shown}` overwrites it"));
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
    if let Some(people) = game.people() {
        value["players"] = people.into();
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
    let beside = path.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    let file = OpenOptions::new().write(true).create_new(true).open(&beside)?;
    let written = fill(file, value).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // What is half written is of no use; that it cannot be removed either is not worth a second message.
        let _ = fs::remove_file(&beside);
    }
    written
}

fn fill(mut file: File, value: &Value) -> io::Result<()> {
    writeln!(file, "{value:#}")?;
    file.sync_all()
}

/// A saved game that was read and not yet played.
#[derive(Debug)]
pub(crate) struct Saved {
    shown: String,
    form: Form,
}

impl Saved {
    /// Reads a file, or says why it is no saved game.
    pub(crate) fn read(path: &Path) -> Result<Saved, CliError> {
        let shown = path.display().to_string();
        let text =
            files::text(path).map_err(|why| CliError::Usage(format!("`{shown}` cannot be read: {why}")))?;
        let form = Form::read(&text)
            .map_err(|why| CliError::Usage(format!("`{shown}` is no saved game: {}", sanitize(&why))))?;
        Ok(Saved { shown, form })
    }

    /// What it was played with.
    pub(crate) fn choices(&self) -> Choices {
        choices::from_record(&self.form.choice)
    }

    /// How many people it was played by, which a flag may repeat.
    pub(crate) fn people(&self, flag: Option<u32>) -> Result<Option<u32>, CliError> {
        match (self.form.players, flag) {
            (Some(saved), Some(flag)) if saved != flag => Err(CliError::No(format!(
                "--players {flag} contradicts `{}`, which was played with --players {saved}",
                self.shown
            ))),
            (saved, flag) => Ok(saved.or(flag)),
        }
    }

    /// Whether it was played by these rules.
    pub(crate) fn is_of(&self, loaded: &LoadedGame) -> bool {
        self.form.spec == loaded.game.hash.to_string()
    }

    /// Why it was not: the flags contradict the file, whose game is known; or the game file is another one.
    pub(crate) fn refusal(&self, of_file: Option<&LoadedGame>, loaded: &LoadedGame) -> CliError {
        if let Some(told) = of_file {
            let differences = choices::differences(&told.game, &loaded.game);
            return CliError::No(format!(
                "the chosen options contradict `{}`, which was played with {differences}\n\
                 Leave them out: a saved game names its own.",
                self.shown
            ));
        }
        let (spec, game, hash) = (sanitize(&self.form.spec), sanitize(&self.form.game), loaded.game.hash);
        CliError::No(format!(
            "the game was saved under other rules (`{game}`):\n  saved: {spec}\n  here:  {hash}\n\
             Load it with the game file that it was saved under, as that file was then,\n\
             and with the same --array, --rules, --option, --players and --divination, if it does not name them."
        ))
    }

    /// Plays it again under these rules, which are its own.
    pub(crate) fn play(&self, loaded: LoadedGame, by_team: bool) -> Result<TerminalGame, CliError> {
        let start = game_source::read_state(&loaded.game.rules, &self.form.start)?;
        let mut game = TerminalGame::new(loaded, start, self.form.seed, by_team);
        for (index, text) in self.form.moves.iter().enumerate() {
            play_on(&mut game, text).map_err(|why| {
                let number = index + 1;
                CliError::No(format!(
                    "move {number} of the saved game, `{}`, is refused: {why}",
                    sanitize(text)
                ))
            })?;
        }
        if !game.session.game().throws().eq(self.form.throws.iter().copied()) {
            return Err(CliError::No("the throws of the saved game are not those of its seed".to_owned()));
        }
        Ok(game)
    }
}

/// Reads a saved game while another one is played: it is of the same game, or refused.
pub(crate) fn load(game: &TerminalGame, path: &Path) -> Result<TerminalGame, CliError> {
    let saved = Saved::read(path)?;
    let (loaded, by_team) = (&game.loaded, game.by_team);
    if let Some(people) = saved.form.players.filter(|people| game.people() != Some(*people)) {
        return Err(CliError::No(format!("it was played with --players {people}, and this game is not")));
    }
    if !saved.is_of(loaded) {
        let of_file = game_source::load_with(&loaded.label, &saved.choices()).ok();
        return Err(saved.refusal(of_file.filter(|game| saved.is_of(game)).as_ref(), loaded));
    }
    saved.play(loaded.clone(), by_team)
}

fn play_on(game: &mut TerminalGame, text: &str) -> Result<(), String> {
    if game.session.end().is_some() {
        return Err("the game is over before it".to_owned());
    }
    let act = game.session.game().parse_action(text).map_err(|error| error.to_string())?;
    game.act(act).map_err(|illegal| illegal.to_string())
}
