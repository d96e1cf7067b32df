//! From the words of the command line to a game and a state, or to a helpful refusal.

use std::path::Path;

use tabiya_engine::Rules;
use tabiya_notation::{State, parse_state};
use tabiya_spec::{Choices, Game, library};

use crate::failure::Failure;
use crate::files;
use crate::offered;
use crate::report::{Problem, render};
use crate::text::nearest;

/// A game that can be played, and what it is called.
#[derive(Clone, Debug)]
pub(crate) struct Chosen {
    /// Its name in the library, or its path as it was given.
    pub(crate) label: String,
    /// The game.
    pub(crate) game: Game,
}

/// The game of that name or path, as it is without any choice.
pub(crate) fn game(name: &str) -> Result<Chosen, Failure> {
    game_with(name, &Choices::default())
}

/// The game of that name or path. The library comes first; `./chess` is a file all the same.
pub(crate) fn game_with(name: &str, choices: &Choices) -> Result<Chosen, Failure> {
    if let Some(entry) = library::find(name) {
        return load(name, entry.json.as_bytes(), choices);
    }
    let path = Path::new(name);
    if !path.exists() {
        return Err(Failure::Usage(unknown_game(name)));
    }
    let bytes = files::bytes(path)
        .map_err(|error| Failure::Usage(format!("`{name}` cannot be read: {}", files::reason(&error))))?;
    load(name, &bytes, choices)
}

fn load(label: &str, bytes: &[u8], choices: &Choices) -> Result<Chosen, Failure> {
    let mut loaded = tabiya_spec::load(bytes);
    if *choices != Choices::default() {
        // What a file offers is known once it is read; one with faults is told those, and not what it may offer.
        let offer = loaded.game.map(|game| game.choices);
        let choices = match &offer {
            Some(offer) => offered::found(label, offer, choices).map_err(Failure::Usage)?,
            None => choices.clone(),
        };
        loaded = tabiya_spec::load_with(bytes, &choices);
    }
    if let Some(game) = loaded.game {
        return Ok(Chosen { label: label.to_owned(), game });
    }
    let problems: Vec<Problem> = loaded.diagnostics.into_iter().map(Problem::Fault).collect();
    Err(Failure::Faulty {
        game: label.to_owned(),
        drawn: render(label, bytes, &problems),
        diagnostics: problems.iter().map(Problem::to_json).collect(),
        left_out: loaded.left_out,
    })
}

fn unknown_game(name: &str) -> String {
    let names: Vec<&str> = library::games().iter().map(|entry| entry.name).collect();
    let hint = nearest(name, names.iter().copied())
        .map(|near| format!("; did you mean `{near}`?"))
        .unwrap_or_default();
    format!(
        "`{name}` is neither a game of the library nor a file{hint}\nThe games are: {}.",
        names.join(", ")
    )
}

/// The state that the words describe; without words, the start of the game.
pub(crate) fn state(rules: &Rules, words: Option<&str>) -> Result<State, Failure> {
    let Some(words) = words else { return Ok(State::new(rules.start())) };
    let text = match words.strip_prefix('@') {
        Some(file) => files::text(Path::new(file))
            .map_err(|why| Failure::Usage(format!("the state in `{file}` cannot be read: {why}")))?,
        None => words.to_owned(),
    };
    read_state(rules, &text)
}

/// The state that a text describes, or every reason why there is none.
pub(crate) fn read_state(rules: &Rules, text: &str) -> Result<State, Failure> {
    parse_state(rules, text).map_err(|error| Failure::NoState(error.reasons))
}
