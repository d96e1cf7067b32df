//! Loads the game and the state that the command line names.

use std::borrow::Cow;
use std::fs;
use std::path::{Component, Path};

use serde_json::Value;
use tabiya_engine::Rules;
use tabiya_enochian::{layout_json, read_arrays};
use tabiya_notation::{State, parse_state};
use tabiya_spec::{Choices, Game, Loader, library};

use crate::choices;
use crate::diagnostic_report::{Problem, render};
use crate::error::CliError;
use crate::files;
use crate::text::did_you_mean;

/// A playable game and the name it was loaded by.
#[derive(Clone, Debug)]
pub(crate) struct LoadedGame {
    /// The name in the library, or the path as given.
    pub(crate) label: String,
    pub(crate) game: Game,
}

/// Loads a game by name or path, with default choices.
pub(crate) fn load(name: &str) -> Result<LoadedGame, CliError> {
    load_with(name, &Choices::default())
}

/// Loads a game by name or path. Library names come first; `./chess` names a file. The array may be `FILE#NAME`.
pub(crate) fn load_with(name: &str, choices: &Choices) -> Result<LoadedGame, CliError> {
    if library::find(name).is_none() && choices.layout.is_none() {
        // Problems are reported in the file as written.
        return with_loader(Path::new(name), |loader| parse(name, &read_file(name)?, choices, loader));
    }
    parse(name, &source(name, choices)?, choices, Loader::default())
}

/// Reads a file that a game extends: only below the folder of the extending file.
pub(crate) fn read_parent(path: &str, extending: &Path) -> Result<(String, String), String> {
    let folder = extending.parent().unwrap_or_else(|| Path::new(""));
    let is_below = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if !Path::new(path).components().all(is_below) {
        return Err("it is not below the folder of the file that extends it".into());
    }
    let found = folder.join(path);
    let real = |path: &Path| fs::canonicalize(path).map_err(|error| files::reason(&error));
    let inside = real(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })?;
    if !real(&found)?.starts_with(inside) {
        return Err("a link leads out of the folder of the file that extends it".into());
    }
    Ok((found.display().to_string(), files::text(&found)?))
}

/// Calls `read` with a loader for a game file: it may extend files below its folder.
pub(crate) fn with_loader<A>(path: &Path, read: impl FnOnce(Loader<'_>) -> A) -> A {
    let files = |wanted: &str, from: Option<&str>| read_parent(wanted, from.map_or(path, Path::new));
    read(Loader::with_files(&files))
}

/// Returns the text of a game file. If it extends another file, the two are merged. If the array is `FILE#NAME`, it is added
/// to the arrays of the game under that name.
pub(crate) fn source<'n>(name: &'n str, choices: &Choices) -> Result<Cow<'n, [u8]>, CliError> {
    let bytes = if let Some(entry) = library::find(name) {
        Cow::Borrowed(entry.json.as_bytes())
    } else {
        let bytes = read_file(name)?;
        let merged = with_loader(Path::new(name), |loader| loader.merged(&bytes));
        let has_parent = bytes.windows(9).any(|part| part == b"\"extends\"");
        Cow::Owned(merged.ok().filter(|_| has_parent).map_or(bytes, String::into_bytes))
    };
    let own = choices.layout.as_deref().filter(|layout| is_in_file(layout, &bytes));
    match own {
        Some(layout) => add_array(name, &bytes, layout).map(Cow::Owned),
        None => Ok(bytes),
    }
}

fn read_file(name: &str) -> Result<Vec<u8>, CliError> {
    let path = Path::new(name);
    if !path.exists() {
        return Err(CliError::Usage(unknown_game(name)));
    }
    files::bytes(path)
        .map_err(|error| CliError::Usage(format!("`{name}` cannot be read: {}", files::reason(&error))))
}

/// Returns whether the name of an array has the form `FILE#NAME`.
pub(crate) fn has_file(layout: &str) -> bool {
    layout.contains('#')
}

/// Returns whether the name of an array has the form `FILE#NAME` and is not one of the game's own.
pub(crate) fn is_in_file(layout: &str, game: &[u8]) -> bool {
    let offered = || tabiya_spec::load(game).game.map(|game| game.choices.layouts).unwrap_or_default();
    has_file(layout) && !offered().iter().any(|other| other.name.eq_ignore_ascii_case(layout))
}

/// Adds the array `FILE#NAME` to a game file.
fn add_array(name: &str, game: &[u8], layout: &str) -> Result<Vec<u8>, CliError> {
    let (file, wanted) = layout.rsplit_once('#').unwrap_or((layout, ""));
    let text = files::text(Path::new(file))
        .map_err(|why| CliError::Usage(format!("the arrays in `{file}` cannot be read: {why}")))?;
    let arrays = read_arrays(&text)
        .map_err(|faults| CliError::No(format!("`{file}`:\n{faults}").trim_end().to_owned()))?;
    let found = arrays.iter().find(|array| array.name.eq_ignore_ascii_case(wanted.trim()));
    let array = found.ok_or_else(|| {
        let names: Vec<&str> = arrays.iter().map(|array| array.name.as_str()).collect();
        CliError::Usage(choices::unknown(&format!("`{file}` has no array"), "arrays", wanted, &names))
    })?;
    // A file that is not a game is reported when it is loaded.
    let Ok(mut value) = serde_json::from_slice::<Value>(game) else { return Ok(game.to_vec()) };
    if value.is_object() && value["layouts"].is_null() {
        return Err(CliError::Usage(format!("`{name}` has no arrays, and cannot take one from `{file}`")));
    }
    value["layouts"][layout] = layout_json(array);
    Ok(value.to_string().into_bytes())
}

fn parse(label: &str, bytes: &[u8], choices: &Choices, loader: Loader<'_>) -> Result<LoadedGame, CliError> {
    let mut loaded = loader.load_with(bytes, &Choices::default());
    if *choices != Choices::default() {
        // A file with errors reports those; choices can be checked only against a valid game.
        let offer = loaded.game.map(|game| game.choices);
        let choices = match &offer {
            Some(offer) => choices::resolve(label, offer, choices).map_err(CliError::Usage)?,
            None => choices.clone(),
        };
        loaded = loader.load_with(bytes, &choices);
    }
    if let Some(game) = loaded.game {
        return Ok(LoadedGame { label: label.to_owned(), game });
    }
    let problems: Vec<Problem> = loaded.diagnostics.into_iter().map(Problem::Diagnostic).collect();
    Err(CliError::InvalidGame {
        game: label.to_owned(),
        report: render(label, bytes, &problems),
        diagnostics: problems.iter().map(Problem::to_json).collect(),
        left_out: loaded.left_out,
    })
}

fn unknown_game(name: &str) -> String {
    let names: Vec<&str> = library::games().iter().map(|entry| entry.name).collect();
    let hint = did_you_mean(name, names.iter().copied());
    format!(
        "`{name}` is neither a game of the library nor a file{hint}\nThe games are: {}.",
        names.join(", ")
    )
}

/// Parses the value of `--state`: board text, state JSON, or `@FILE`. Without a value, returns the start of the game.
pub(crate) fn state(rules: &Rules, argument: Option<&str>) -> Result<State, CliError> {
    let Some(argument) = argument else { return Ok(State::new(rules.start())) };
    let text = match argument.strip_prefix('@') {
        Some(file) => files::text(Path::new(file))
            .map_err(|why| CliError::Usage(format!("the state in `{file}` cannot be read: {why}")))?,
        None => argument.to_owned(),
    };
    read_state(rules, &text)
}

/// Parses board text or state JSON.
pub(crate) fn read_state(rules: &Rules, text: &str) -> Result<State, CliError> {
    parse_state(rules, text).map_err(|error| CliError::InvalidState(error.reasons))
}
