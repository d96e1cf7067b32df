//! The library: the games that come with Tabiya, inside the binary.

use include_dir::{Dir, include_dir};

static GAMES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../games");

/// A game of the library.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name by which it is called: `chess`.
    pub name: &'static str,
    /// The spec, as JSON.
    pub json: &'static str,
    /// The rulebook, as Markdown.
    pub rulebook: &'static str,
}

/// All games, by name.
pub fn games() -> Vec<Entry> {
    let mut games: Vec<Entry> = GAMES
        .files()
        .filter(|file| file.path().extension().is_some_and(|extension| extension == "json"))
        .filter_map(|file| file.path().file_stem()?.to_str())
        .filter(|name| *name != "schema")
        .filter_map(find)
        .collect();
    games.sort_by_key(|entry| entry.name);
    games
}

/// The game of that name.
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

/// The game that was probably meant by a name that there is not.
pub fn nearest(name: &str) -> Option<&'static str> {
    let games = games();
    crate::read::nearest(name, games.iter().map(|entry| entry.name))
}
