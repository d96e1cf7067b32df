//! The games that ship with Tabiya, embedded in the binary.

use std::error::Error;
use std::fmt;

use include_dir::{Dir, include_dir};

use crate::{Choices, Game, Loaded, suggest};

static GAMES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/games");

/// A game of the library.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name under which the game is found: `chess`.
    pub name: &'static str,
    /// The game file, as JSON.
    pub json: &'static str,
    /// The rulebook, as Markdown.
    pub rulebook: &'static str,
}

impl Entry {
    /// Compiles the game with its default choices.
    ///
    /// # Panics
    ///
    /// If the embedded file has errors, which tests rule out.
    pub fn load(&self) -> Game {
        self.load_with(&Choices::default()).game.unwrap_or_else(|| panic!("`{}` has errors", self.name))
    }

    /// Compiles the game with the given choices; see [`load_with`](crate::load_with).
    pub fn load_with(&self, choices: &Choices) -> Loaded {
        crate::load_with(self.json.as_bytes(), choices)
    }
}

/// Loads a game of the library with its default choices.
///
/// ```
/// use tabiya_spec::library;
///
/// let chess = library::load("chess").unwrap();
/// assert_eq!(chess.rules.legal_moves(&chess.rules.start()).len(), 20);
///
/// let error = library::load("ches").unwrap_err();
/// assert_eq!(error.to_string(), "unknown game `ches`; did you mean `chess`?");
/// ```
///
/// # Errors
///
/// [`UnknownGame`] if the library has no game of that name. The error names the nearest match.
pub fn load(name: &str) -> Result<Game, UnknownGame> {
    find(name).map(|entry| entry.load()).ok_or_else(|| UnknownGame::new(name))
}

/// Returns all games, sorted by name.
pub fn games() -> Vec<Entry> {
    let mut games: Vec<Entry> = GAMES
        .files()
        .filter(|file| file.path().extension().is_some_and(|extension| extension == "json"))
        .filter_map(|file| file.path().file_stem()?.to_str())
        .filter_map(find)
        .collect();
    games.sort_by_key(|entry| entry.name);
    games
}

/// Returns the game with this name.
pub fn find(name: &str) -> Option<Entry> {
    let text = |extension: &str| GAMES.get_file(format!("{name}.{extension}"));
    let json = text("json")?;
    Some(Entry {
        name: json.path().file_stem()?.to_str()?,
        json: json.contents_utf8()?,
        rulebook: text("md").and_then(|file| file.contents_utf8()).unwrap_or_default(),
    })
    .filter(|entry| entry.name == name && name != "schema")
}

/// Returns the JSON Schema of game files, as JSON.
pub(crate) fn schema() -> &'static str {
    GAMES.get_file("schema.json").and_then(|file| file.contents_utf8()).unwrap_or_default()
}

/// Returns the game whose name is most similar to `name`.
pub fn nearest(name: &str) -> Option<&'static str> {
    let games = games();
    suggest::nearest(name, games.iter().map(|entry| entry.name))
}

/// The error for a name that is not in the library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownGame {
    /// The name as given.
    pub name: String,
    /// The most similar name in the library.
    pub nearest: Option<&'static str>,
}

impl UnknownGame {
    /// Creates the error and looks for the nearest match.
    pub fn new(name: &str) -> Self {
        UnknownGame { name: name.to_owned(), nearest: nearest(name) }
    }
}

impl fmt::Display for UnknownGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown game `{}`", crate::read::shorten(&self.name))?;
        match self.nearest {
            Some(near) => write!(f, "; did you mean `{near}`?"),
            None => Ok(()),
        }
    }
}

impl Error for UnknownGame {}
