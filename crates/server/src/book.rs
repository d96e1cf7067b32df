//! The games that are played here: those of the library, and specs that somebody sent. A game is compiled once for all
//! tables that play it, and forgotten with the last of them.
//!
//! A spec from elsewhere has a budget: so many bytes, so many compiled at once, so long for its first moves. A game of the
//! library has shown in its tests that it needs none.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};
use tabiya_referee::protocol::Protocol;
use tabiya_spec::diagnostic::Diagnostic;
use tabiya_spec::{Choices, Loaded, library};

use crate::refusal::No;
use crate::wire::{ChoiceBody, Fault, GameView};
use crate::{limits, view};

/// A game, compiled, and what is shown of it.
#[derive(Debug)]
pub(crate) struct Book {
    /// The game.
    pub(crate) game: tabiya_spec::Game,
    /// What does not change while it is played.
    pub(crate) view: GameView,
    protocol: OnceLock<Protocol>,
}

impl Book {
    /// How agents speak in it.
    pub(crate) fn protocol(&self) -> &Protocol {
        self.protocol.get_or_init(|| Protocol::new(&self.game.rules))
    }
}

/// Which game is meant.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Source {
    /// One of the library, by name.
    Library(String),
    /// One that was sent along, as text.
    Spec(String),
}

impl Source {
    /// How much was sent along.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Source::Library(_) => 0,
            Source::Spec(text) => text.len(),
        }
    }
}

impl From<&ChoiceBody> for Choices {
    fn from(body: &ChoiceBody) -> Self {
        let ChoiceBody { layout, preset, options } = body.clone();
        Choices { layout, preset, options }
    }
}

/// All games that are in use.
#[derive(Debug, Default)]
pub(crate) struct Shelf {
    books: Mutex<HashMap<[u8; 32], Weak<Book>>>,
}

impl Shelf {
    /// The game, from the shelf or compiled. It may take a moment, so this is for threads that may block.
    pub(crate) fn book(&self, source: &Source, choice: &ChoiceBody) -> Result<Arc<Book>, No> {
        let label = label(source, choice);
        if let Some(book) = self.lock().get(&label).and_then(Weak::upgrade) {
            return Ok(book);
        }
        let book = Arc::new(compile(source, choice)?);
        let mut books = self.lock();
        books.retain(|_, book| book.strong_count() > 0);
        books.insert(label, Arc::downgrade(&book));
        Ok(book)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<[u8; 32], Weak<Book>>> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a game and a choice are found by.
fn label(source: &Source, choice: &ChoiceBody) -> [u8; 32] {
    let text = match source {
        Source::Library(name) => name.as_bytes(),
        Source::Spec(text) => text.as_bytes(),
    };
    let kind = [u8::from(matches!(source, Source::Spec(_)))];
    let choice = serde_json::to_vec(choice).unwrap_or_default();
    Sha256::new()
        .chain_update(kind)
        .chain_update(choice)
        .chain_update([0])
        .chain_update(text)
        .finalize()
        .into()
}

fn compile(source: &Source, choice: &ChoiceBody) -> Result<Book, No> {
    let (loaded, name) = match source {
        Source::Library(name) => {
            let entry = library::find(name).ok_or_else(|| unknown(name))?;
            (entry.load_with(&choice.into()), Some(name.clone()))
        }
        Source::Spec(text) => (read(text, choice)?, None),
    };
    let faults = || faults(&loaded.diagnostics, source_text(source));
    let Some(game) = loaded.game else {
        let why = "the game has faults, or what was chosen is not there, so it cannot be played";
        return Err(No::rule("faulty_game", why).with(faults()));
    };
    let view = view::game(&game, name);
    Ok(Book { game, view, protocol: OnceLock::new() })
}

fn source_text(source: &Source) -> &str {
    match source {
        Source::Library(name) => library::find(name).map_or("", |entry| entry.json),
        Source::Spec(text) => text,
    }
}

/// Reads a spec that was sent along, within its budget.
pub(crate) fn read(text: &str, choice: &ChoiceBody) -> Result<Loaded, No> {
    if text.len() > limits::SPEC_BYTES {
        let most = limits::SPEC_BYTES >> 10;
        return Err(No::rule("spec_too_large", format!("a game has at most {most} KiB here")));
    }
    let start = Instant::now();
    let loaded = tabiya_spec::load_with(text.as_bytes(), &choice.into());
    if let Some(game) = &loaded.game {
        let first = Instant::now();
        view::choices(&tabiya_referee::Game::new(game.rules.clone()));
        if first.elapsed() > limits::FIRST_MOVES || start.elapsed() > limits::COMPILING {
            return Err(too_slow(start.elapsed()));
        }
    }
    Ok(loaded)
}

fn too_slow(taken: Duration) -> No {
    let taken = taken.as_millis();
    No::rule(
        "spec_too_slow",
        format!("the game takes too long to be set up here ({taken} ms): make it smaller"),
    )
}

fn unknown(name: &str) -> No {
    let near = library::nearest(name).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    No::rule("unknown_game", format!("there is no `{name:.40}` in the library{near}"))
}

/// Faults as they go over the wire; with the text they are about, for the place at which each ends.
pub(crate) fn faults(diagnostics: &[Diagnostic], text: &str) -> Vec<Fault> {
    diagnostics.iter().map(|fault| wire_fault(fault, text)).collect()
}

fn wire_fault(fault: &Diagnostic, text: &str) -> Fault {
    let spanned = text.get(fault.span.clone()).unwrap_or_default();
    let (end_line, end_column) = match spanned.rsplit_once('\n') {
        Some((before, last)) => (fault.line + before.matches('\n').count() + 1, last.chars().count() + 1),
        None => (fault.line, fault.column + spanned.chars().count()),
    };
    Fault {
        code: fault.code.to_string(),
        severity: fault.severity().to_string(),
        message: fault.message.clone(),
        help: fault.help.clone(),
        pointer: fault.pointer.clone(),
        line: fault.line,
        column: fault.column,
        end_line,
        end_column,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_compiled_once_for_all_who_play_it() {
        let shelf = Shelf::default();
        let choice = ChoiceBody::default();
        let chess = Source::Library("chess".into());
        let one = shelf.book(&chess, &choice).unwrap();
        assert!(Arc::ptr_eq(&one, &shelf.book(&chess, &choice).unwrap()));
        let text = library::find("chess").unwrap().json.to_owned();
        let other = shelf.book(&Source::Spec(text), &choice).unwrap();
        assert!(!Arc::ptr_eq(&one, &other), "a name and a text are two sources");
        assert_eq!(one.game.hash, other.game.hash);
        drop((one, other));
        shelf.book(&Source::Library("gardner".into()), &choice).unwrap();
        assert_eq!(shelf.lock().len(), 1, "what nobody plays is forgotten");
    }

    #[test]
    fn what_cannot_be_played_says_why() {
        let shelf = Shelf::default();
        let word = |source: Source, choice: ChoiceBody| shelf.book(&source, &choice).unwrap_err().refusal;
        let no = word(Source::Library("ches".into()), ChoiceBody::default());
        assert!(no.rule == "unknown_game" && no.why.contains("did you mean `chess`"), "{no:?}");
        let no = word(Source::Spec("{}".into()), ChoiceBody::default());
        assert!(no.rule == "faulty_game" && !no.diagnostics.is_empty(), "{no:?}");
        let layout = ChoiceBody { layout: Some("upside down".into()), ..ChoiceBody::default() };
        let no = word(Source::Library("chess".into()), layout);
        assert!(no.diagnostics[0].message.contains("upside down"), "{no:?}");
        let long = " ".repeat(limits::SPEC_BYTES + 1);
        assert_eq!(word(Source::Spec(long), ChoiceBody::default()).rule, "spec_too_large");
    }

    #[test]
    fn a_fault_ends_where_its_text_does() {
        let text = "{\n  \"name\": 1234\n}";
        let loaded = read(text, &ChoiceBody::default()).unwrap();
        let faults = faults(&loaded.diagnostics, text);
        let fault = faults.iter().find(|fault| fault.pointer == "/name").expect("a name is a text");
        assert_eq!((fault.line, fault.end_line, fault.end_column), (2, 2, 15), "{fault:?}");
    }
}
