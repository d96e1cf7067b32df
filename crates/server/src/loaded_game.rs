//! A compiled game, and how a spec is loaded within the limits for specs from clients.

use std::sync::OnceLock;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use tabiya_players::Values;
use tabiya_referee::Laws;
use tabiya_spec::diagnostic::Diagnostic;
use tabiya_spec::library::{self, UnknownGame};
use tabiya_spec::{Choices, Loaded};

use crate::api_error::ApiError;
use crate::http_types::{ChoiceBody, DiagnosticView, GameView, RulesView};
use crate::move_diagrams::move_diagrams;
use crate::{limits, view};

/// A compiled game and its view.
#[derive(Debug)]
pub(crate) struct LoadedGame {
    pub(crate) game: tabiya_spec::Game,
    pub(crate) view: GameView,
    laws: OnceLock<Laws>,
    rules_view: OnceLock<RulesView>,
}

/// The source of a game.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum GameSource {
    /// The name of a library game.
    Library(String),
    /// The text of a spec.
    Spec(String),
}

impl GameSource {
    /// Returns the name of a library game, or the text of a spec.
    pub(crate) fn into_parts(self) -> (Option<String>, Option<String>) {
        match self {
            GameSource::Library(name) => (Some(name), None),
            GameSource::Spec(text) => (None, Some(text)),
        }
    }

    /// Returns the size of the spec; 0 for a library game.
    pub(crate) fn spec_bytes(&self) -> usize {
        match self {
            GameSource::Library(_) => 0,
            GameSource::Spec(text) => text.len(),
        }
    }
}

impl From<&ChoiceBody> for Choices {
    fn from(body: &ChoiceBody) -> Self {
        let ChoiceBody { layout, preset, options } = body.clone();
        Choices { layout, preset, options }
    }
}

impl LoadedGame {
    /// Loads and compiles a game.
    pub(crate) fn load(source: &GameSource, choice: &ChoiceBody) -> Result<Self, ApiError> {
        let (loaded, text, name) = match source {
            // Library games are tested, so they need no limits.
            GameSource::Library(name) => {
                let unknown = || ApiError::rejected("unknown_game", UnknownGame::new(name).to_string());
                let entry = library::find(name).ok_or_else(unknown)?;
                (entry.load_with(&choice.into()), entry.json, Some(name.clone()))
            }
            GameSource::Spec(text) => (load_spec(text, choice)?, text.as_str(), None),
        };
        let Some(game) = loaded.game else {
            let why = "the game or the chosen options have errors, so it cannot be played";
            let diagnostics = diagnostic_views(&loaded.diagnostics, text);
            return Err(ApiError::rejected("faulty_game", why).with_diagnostics(diagnostics));
        };
        let view = view::game(&game, name);
        Ok(LoadedGame { game, view, laws: OnceLock::new(), rules_view: OnceLock::new() })
    }

    /// Returns the rules for players: the text, the moves of the pieces and their values. The first call takes a while.
    pub(crate) fn rules_view(&self) -> &RulesView {
        self.rules_view.get_or_init(|| {
            let rules = &self.game.rules;
            let values = Values::of(rules);
            RulesView {
                english: tabiya_spec::english(&self.game),
                diagrams: move_diagrams(rules),
                values: rules.kinds().map(|kind| values.kind(kind)).collect(),
            }
        })
    }

    /// Returns the laws for the referee.
    pub(crate) fn laws(&self) -> &Laws {
        self.laws.get_or_init(|| Laws::new(&self.game.rules, &self.game.hash.to_string()))
    }
}

/// Loads a spec sent by a client, within its limits of size and time.
pub(crate) fn load_spec(text: &str, choice: &ChoiceBody) -> Result<Loaded, ApiError> {
    if text.len() > limits::MAX_SPEC_BYTES {
        let most = limits::MAX_SPEC_BYTES >> 10;
        return Err(ApiError::rejected("spec_too_large", format!("a game may have at most {most} KiB")));
    }
    let start = Instant::now();
    let loaded = tabiya_spec::load_with(text.as_bytes(), &choice.into());
    if let Some(game) = &loaded.game {
        let compiled = Instant::now();
        view::choices(&tabiya_referee::Game::new(game.rules.clone()));
        if compiled.elapsed() > limits::MAX_FIRST_MOVES_TIME || start.elapsed() > limits::MAX_COMPILE_TIME {
            let taken = start.elapsed().as_millis();
            let why = format!("the game takes too long to compile ({taken} ms); make it smaller");
            return Err(ApiError::rejected("spec_too_slow", why));
        }
    }
    Ok(loaded)
}

/// Converts diagnostics of the given text.
pub(crate) fn diagnostic_views(diagnostics: &[Diagnostic], text: &str) -> Vec<DiagnosticView> {
    diagnostics.iter().map(|diagnostic| diagnostic_view(diagnostic, text)).collect()
}

fn diagnostic_view(diagnostic: &Diagnostic, text: &str) -> DiagnosticView {
    let Diagnostic { line, column, .. } = *diagnostic;
    let spanned = text.get(diagnostic.span.clone()).unwrap_or_default();
    let (end_line, end_column) = match spanned.rsplit_once('\n') {
        Some((before, last)) => (line + before.matches('\n').count() + 1, last.chars().count() + 1),
        None => (line, column + spanned.chars().count()),
    };
    DiagnosticView {
        code: diagnostic.code.to_string(),
        severity: diagnostic.severity().to_string(),
        message: diagnostic.message.clone(),
        help: diagnostic.help.clone(),
        pointer: diagnostic.pointer.clone(),
        line,
        column,
        end_line,
        end_column,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unplayable_game_gives_the_reason() {
        let error = |source, choice| LoadedGame::load(&source, &choice).unwrap_err().body;
        let unknown = error(GameSource::Library("ches".into()), ChoiceBody::default());
        assert!(
            unknown.rule == "unknown_game" && unknown.why.contains("did you mean `chess`"),
            "{unknown:?}"
        );
        let faulty = error(GameSource::Spec("{}".into()), ChoiceBody::default());
        assert!(faulty.rule == "faulty_game" && !faulty.diagnostics.is_empty(), "{faulty:?}");
        let layout = ChoiceBody { layout: Some("upside down".into()), ..ChoiceBody::default() };
        let no_layout = error(GameSource::Library("chess".into()), layout);
        assert!(no_layout.diagnostics[0].message.contains("upside down"), "{no_layout:?}");
        let long = " ".repeat(limits::MAX_SPEC_BYTES + 1);
        assert_eq!(error(GameSource::Spec(long), ChoiceBody::default()).rule, "spec_too_large");
    }

    #[test]
    fn a_diagnostic_ends_where_its_text_ends() {
        let text = "{\n  \"name\": 1234\n}";
        let loaded = load_spec(text, &ChoiceBody::default()).unwrap();
        let views = diagnostic_views(&loaded.diagnostics, text);
        let view = views.iter().find(|view| view.pointer == "/name").expect("a name must be a string");
        assert_eq!((view.line, view.end_line, view.end_column), (2, 2, 15), "{view:?}");
    }
}
