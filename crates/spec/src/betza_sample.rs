//! A word of Betza notation on a sample board, for tools that draw and explain it.

use serde_json::json;

use crate::betza::{BetzaError, parse};
use crate::diagnostic::Severity;
use crate::game::Game;
use crate::{english, load};

/// A game whose only piece moves by a word of Betza notation.
#[derive(Clone, Debug)]
pub struct BetzaSample {
    /// The game, on nine by nine squares.
    pub game: Game,
    /// The moves in English, as [`english`](crate::english()) writes them for a piece.
    pub english: String,
}

/// Returns a game whose only piece moves by this word.
///
/// ```
/// let sample = tabiya_spec::betza_sample("fmW").unwrap();
/// assert_eq!(sample.english, "- Move 0: goes 1 square forward [0,1], to an empty square only.");
/// assert_eq!(tabiya_spec::betza_sample("fmX").unwrap_err().span, 2..3);
/// ```
///
/// # Errors
///
/// [`BetzaError`] for a letter that is unknown, unsupported or out of place, and for a word with too many moves.
pub fn betza_sample(word: &str) -> Result<BetzaSample, BetzaError> {
    parse(word)?;
    let spec = json!({
        "name": "Betza", "board": { "dimensions": [9, 9] }, "setup": "8p/9/9/9/4P4/9/9/9/9",
        "pieces": [{ "code": "PIECE", "betza": word }],
    });
    let loaded = load(spec.to_string().as_bytes());
    let Some(game) = loaded.game else {
        let error =
            loaded.diagnostics.into_iter().find(|diagnostic| diagnostic.severity() == Severity::Error);
        let message = error.map_or_else(|| "The word is not playable.".to_owned(), |error| error.message);
        return Err(BetzaError { span: 0..word.len(), message, help: "write fewer or other moves" });
    };
    let text = english(&game);
    let moves = text.split_once("\nPIECE (letter P)\n").map_or("", |(_, moves)| moves);
    Ok(BetzaSample { english: moves.trim_end().to_owned(), game })
}
