//! Saved games: `{"tabiya": 1, "game", "spec", "start", "moves"}`, and of games with a die its seed and throws. The hash of the rules stands in the file, because
//! the same moves under other rules are another game.
//!
//! A file is written beside its place and renamed into it, so that a crash leaves the old one or the new one; and a
//! file that is no saved game is not overwritten by a slip of the finger.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use serde_json::{Value, json};

use crate::chosen::{self, Chosen};
use crate::failure::Failure;
use crate::files;
use crate::text::plain;

use super::form::{Form, VERSION};
use super::session::Session;

/// Writes a game into a file, or says why not.
pub(crate) fn save(session: &Session, path: &Path, force: bool) -> Result<(), String> {
    let shown = path.display();
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => return Err(format!("`{shown}` is not a file that can be replaced")),
        Ok(_) if !force && !is_saved_game(path) => {
            return Err(format!("`{shown}` is there and is no saved game; `save! {shown}` overwrites it"));
        }
        _ => {}
    }
    write(path, &to_json(session)).map_err(|error| {
        format!("`{shown}` cannot be written: {}", files::reason_against_writing(path, &error))
    })
}

fn to_json(session: &Session) -> Value {
    let label = &session.chosen.label;
    let name =
        Path::new(label).file_name().map_or_else(|| label.clone().into(), |name| name.to_string_lossy());
    let moves: Vec<&str> = session.turns().iter().map(|played| played.text.as_str()).collect();
    let mut value = json!({
        "tabiya": VERSION,
        "game": name,
        "spec": session.chosen.game.hash.to_string(),
        "start": tabiya_notation::state_text(session.rules(), &session.start),
        "moves": moves,
    });
    if session.rules().faces().is_some() {
        value["seed"] = session.seed.into();
        value["throws"] = session.throws().collect();
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

/// Reads a saved game of this game, or says why it is none.
pub(crate) fn load(chosen: &Chosen, path: &Path, by_team: bool) -> Result<Session, Failure> {
    let shown = path.display();
    let text = files::text(path).map_err(|why| Failure::Usage(format!("`{shown}` cannot be read: {why}")))?;
    let form = Form::read(&text)
        .map_err(|why| Failure::Usage(format!("`{shown}` is no saved game: {}", plain(&why))))?;
    let hash = chosen.game.hash.to_string();
    if form.spec != hash {
        return Err(other_rules(&form, &hash));
    }
    let start = chosen::read_state(&chosen.game.rules, &form.start)?;
    let mut session = Session::new(chosen.clone(), start, form.seed, by_team);
    for (index, text) in form.moves.iter().enumerate() {
        play_on(&mut session, text).map_err(|why| {
            Failure::No(format!("move {} of the saved game, `{}`, is refused: {why}", index + 1, plain(text)))
        })?;
    }
    if !session.throws().eq(form.throws.iter().copied()) {
        return Err(Failure::No("the throws of the saved game are not those of its seed".to_owned()));
    }
    Ok(session)
}

fn other_rules(form: &Form, hash: &str) -> Failure {
    let (spec, game) = (plain(&form.spec), plain(&form.game));
    Failure::No(format!(
        "the game was saved under other rules (`{game}`):\n  saved: {spec}\n  here:  {hash}\n\
         Load it with the game file that it was saved under, as that file was then,\n\
         and with the same --array, --rules, --option, --players and --divination."
    ))
}

fn play_on(session: &mut Session, text: &str) -> Result<(), String> {
    if session.ending().is_some() {
        return Err("the game is over before it".to_owned());
    }
    let act = session.read(text)?;
    session.play(act).map_err(|illegal| illegal.to_string())
}
