//! Which game is meant: one of the library, or one that is sent along. Never a file of this machine.

use serde_json::json;
use tabiya_spec::{Game, library};

use super::answer::Refused;
use super::arguments::{Argument, Arguments, Kind};
use super::faults::Faults;
use crate::text::{nearest_word, sanitize, truncate};

/// A game may be as long as this; the largest of the library is a fraction of it.
pub(super) const MOST_BYTES: usize = 256 << 10;

/// The argument that names a game of the library.
pub(super) const GAME: Argument = Argument {
    name: "game",
    about: "A game of the library, by the name that list_games gives it, such as chess.",
    kind: Kind::Text,
    is_required: false,
};

/// The argument that is a game.
pub(super) const SPEC: Argument = Argument {
    name: "spec",
    about: "A game of your own, as a JSON object of Tabiya's game format, or as a text that holds one (at \
        most 256 KiB). All its faults are told at once.",
    kind: Kind::Document(MOST_BYTES),
    is_required: false,
};

/// A game that can be played.
#[derive(Debug)]
pub(super) struct Source {
    /// What it is called.
    pub(super) label: String,
    /// Whether that is its name in the library.
    pub(super) is_in_library: bool,
    /// How long it is, if it was sent along.
    pub(super) bytes: usize,
    /// The game.
    pub(super) game: Game,
    /// What is probably not meant so.
    pub(super) warnings: Faults,
}

impl Source {
    /// The one that is meant, if there is exactly one.
    pub(super) fn of(arguments: &Arguments<'_>) -> Result<Self, Refused> {
        match (arguments.text(GAME.name), arguments.document(SPEC.name)) {
            (Some(name), None) => Self::from_library(name),
            (None, Some(text)) => Self::sent_along(&text),
            (Some(_), Some(_)) => Err(Refused::argument(
                SPEC.name,
                "stands beside `game`: give a game of the library or one of your own, not both",
            )),
            (None, None) => Err(Refused::argument(
                GAME.name,
                "is missing: name a game of the library, or send one of your own as `spec`",
            )),
        }
    }

    fn from_library(name: &str) -> Result<Self, Refused> {
        let game = library::load(name).map_err(|_| unknown(name))?;
        Ok(Source {
            label: name.to_owned(),
            is_in_library: true,
            bytes: 0,
            game,
            warnings: Faults::default(),
        })
    }

    fn sent_along(text: &str) -> Result<Self, Refused> {
        let loaded = tabiya_spec::load(text.as_bytes());
        let faults = Faults::new(loaded.diagnostics, loaded.left_out);
        let Some(game) = loaded.game else {
            let refused = Refused::argument(SPEC.name, "holds a game with faults, which cannot be played:")
                .with_lines(&faults.lines)
                .with("diagnostics", json!(faults.data));
            return Err(match faults.left_out {
                0 => refused,
                more => refused.with("left_out", json!(more)),
            });
        };
        let label = sanitize(&game.spec.name).into_owned();
        Ok(Source { label, is_in_library: false, bytes: text.len(), game, warnings: faults })
    }
}

fn unknown(name: &str) -> Refused {
    let names: Vec<&str> = library::games().iter().map(|entry| entry.name).collect();
    let near = nearest_word(name, names.iter().copied());
    let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    let known = names.join(", ");
    Refused::argument(
        GAME.name,
        format!(
            "names no game of the library: there is no `{}`{hint} (there are {known})",
            truncate(name, 40)
        ),
    )
}
