//! The game of a call: a library game, or a custom one in the call. Files on this machine cannot be named.

use serde_json::json;
use tabiya_spec::{Game, library};

use super::answer::ToolError;
use super::arguments::{Argument, Arguments, Kind};
use super::diagnostics::Diagnostics;
use crate::text::{clip, did_you_mean, sanitize};

/// The limit of a custom game. The largest library game has a fraction of it.
pub(super) const MAX_BYTES: usize = 256 << 10;

/// The argument that names a game of the library.
pub(super) const GAME: Argument = Argument {
    name: "game",
    about: "A game of the library, by its name in list_games, such as chess.",
    kind: Kind::Text,
    is_required: false,
};

/// The argument that contains a custom game.
pub(super) const SPEC: Argument = Argument {
    name: "spec",
    about: "A custom game: a JSON object of Tabiya's game format, or a text that contains one (at most \
        256 KiB). All its errors are reported.",
    kind: Kind::Document(MAX_BYTES),
    is_required: false,
};

/// A playable game.
#[derive(Debug)]
pub(super) struct Source {
    /// The name.
    pub(super) label: String,
    /// Whether it is a library game.
    pub(super) is_in_library: bool,
    /// The size of a custom game.
    pub(super) bytes: usize,
    /// The game.
    pub(super) game: Game,
    /// Warnings about a custom game.
    pub(super) warnings: Diagnostics,
}

impl Source {
    /// Loads the game that the arguments name.
    pub(super) fn of(arguments: &Arguments<'_>) -> Result<Self, ToolError> {
        match (arguments.text(GAME.name), arguments.document(SPEC.name)) {
            (Some(name), None) => Self::from_library(name),
            (None, Some(text)) => Self::custom(&text),
            (Some(_), Some(_)) => Err(ToolError::argument(
                SPEC.name,
                "cannot be combined with `game`: give a library game or a custom one",
            )),
            (None, None) => Err(ToolError::argument(
                GAME.name,
                "is missing: name a library game, or send a custom one as `spec`",
            )),
        }
    }

    fn from_library(name: &str) -> Result<Self, ToolError> {
        let game = library::load(name).map_err(|_| unknown(name))?;
        Ok(Source {
            label: name.to_owned(),
            is_in_library: true,
            bytes: 0,
            game,
            warnings: Diagnostics::default(),
        })
    }

    fn custom(text: &str) -> Result<Self, ToolError> {
        let loaded = tabiya_spec::load(text.as_bytes());
        let diagnostics = Diagnostics::new(loaded.diagnostics, loaded.left_out);
        let Some(game) = loaded.game else {
            let error = ToolError::argument(SPEC.name, "contains a game with errors:")
                .with_lines(&diagnostics.lines)
                .with("diagnostics", json!(diagnostics.data));
            return Err(match diagnostics.left_out {
                0 => error,
                more => error.with("left_out", json!(more)),
            });
        };
        let label = sanitize(&game.spec.name).into_owned();
        Ok(Source { label, is_in_library: false, bytes: text.len(), game, warnings: diagnostics })
    }
}

fn unknown(name: &str) -> ToolError {
    let names: Vec<&str> = library::games().iter().map(|entry| entry.name).collect();
    let hint = did_you_mean(name, names.iter().copied());
    let known = names.join(", ");
    ToolError::argument(
        GAME.name,
        format!("is not a game of the library: `{}`{hint} (the games are {known})", clip(name, 40)),
    )
}
