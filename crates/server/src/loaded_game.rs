//! A compiled game, and how a spec is loaded within the limits for specs from clients.

use std::sync::OnceLock;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tabiya_engine::{Position, Rules};
use tabiya_players::Values;
use tabiya_referee::Laws;
use tabiya_spec::diagnostic::Diagnostic;
use tabiya_spec::library::{self, UnknownGame};
use tabiya_spec::limits::POSITION_WORK;
use tabiya_spec::{Choices, Loaded, Workload};

use crate::api_error::ApiError;
use crate::cpu_time::cpu_time;
use crate::http_types::{ChoiceBody, DiagnosticView, GameView, RulesView};
use crate::move_diagrams::move_diagrams;
use crate::{limits, view};

/// A compiled game and its view.
#[derive(Debug)]
pub(crate) struct LoadedGame {
    pub(crate) game: tabiya_spec::Game,
    pub(crate) view: GameView,
    /// The approximate size of the compiled game in memory.
    pub(crate) bytes: usize,
    /// The approximate size of an action and of the position after it.
    pub(crate) bytes_per_action: usize,
    workload: Workload,
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
        let (mut loaded, text, name) = match source {
            // Library games are tested, so they need no limits.
            GameSource::Library(name) => {
                let unknown = || ApiError::rejected("unknown_game", UnknownGame::new(name).to_string());
                let entry = library::find(name).ok_or_else(unknown)?;
                (entry.load_with(&choice.into()), entry.json, Some(name.clone()))
            }
            GameSource::Spec(text) => (load_spec(text, choice)?, text.as_str(), None),
        };
        let Some(game) = loaded.game.take() else { return Err(faulty_game(&loaded, text)) };
        let view = view::game(&game, name);
        let workload = Workload::new(&game.rules);
        // Short forms stand for more than their text.
        let rules_bytes =
            (limits::BYTES_PER_SPEC_BYTE * text.len()).max(limits::BYTES_PER_SPEC_VALUE * game.size);
        let bytes = workload.table_bytes() + rules_bytes;
        let bytes_per_action = limits::BYTES_PER_ACTION + position_bytes(&game.rules);
        let (laws, rules_view) = (OnceLock::new(), OnceLock::new());
        Ok(LoadedGame { game, view, bytes, bytes_per_action, workload, laws, rules_view })
    }

    /// Returns the work of a position. The dice of the library's games are tested.
    pub(crate) fn work(&self, position: &Position) -> usize {
        match self.view.library {
            Some(_) => self.workload.of_pieces(position),
            None => self.workload.of(position),
        }
    }

    /// Returns the rules for players: the text, the moves of the pieces and their values. The first call takes a while.
    pub(crate) fn rules_view(&self) -> &RulesView {
        self.rules_view.get_or_init(|| {
            let rules = &self.game.rules;
            let values = self.may_be_valued().then(|| Values::of(rules));
            let value = |kind| values.as_ref().map_or(0, |values| values.kind(kind));
            RulesView {
                english: tabiya_spec::english(&self.game),
                diagrams: move_diagrams(rules),
                values: rules.kinds().map(value).collect(),
            }
        })
    }

    /// Returns whether the values of the pieces can be found in time: the moves of every piece on every square are tried. The
    /// games of the library are tested. Built-in players need the values.
    pub(crate) fn may_be_valued(&self) -> bool {
        let rules = &self.game.rules;
        let work: usize = rules.kinds().map(|kind| self.workload.of_kind(kind)).sum();
        let tries = rules.board().squares().count() * rules.players().len();
        self.view.library.is_some() || work.saturating_mul(tries) <= limits::MAX_VALUES_WORK
    }

    /// Returns the laws for the referee.
    pub(crate) fn laws(&self) -> &Laws {
        self.laws.get_or_init(|| Laws::new(&self.game.rules, &self.game.hash.to_string()))
    }
}

/// Returns the size of a position: one bit per square for every player and kind, for two pieces on a square.
fn position_bytes(rules: &Rules) -> usize {
    let board = rules.board();
    let squares = usize::from(board.files()) * usize::from(board.ranks());
    let planes = 1 + rules.players().len() + rules.kinds().len();
    2 * planes * squares.div_ceil(64).next_power_of_two() * 8
}

/// Checks the size of a spec sent by a client.
pub(crate) fn check_size(text: &str) -> Result<(), ApiError> {
    if text.len() <= limits::MAX_SPEC_BYTES {
        return Ok(());
    }
    let most = limits::MAX_SPEC_BYTES >> 10;
    Err(ApiError::rejected("spec_too_large", format!("a game may have at most {most} KiB")))
}

/// Returns the error for a spec that cannot be played.
pub(crate) fn faulty_game(loaded: &Loaded, text: &str) -> ApiError {
    let why = "the game or the chosen options have errors, so it cannot be played";
    ApiError::rejected("faulty_game", why).with_diagnostics(diagnostic_views(&loaded.diagnostics, text))
}

/// Loads a spec sent by a client, within its limits of size and time.
pub(crate) fn load_spec(text: &str, choice: &ChoiceBody) -> Result<Loaded, ApiError> {
    check_size(text)?;
    let start = cpu_time();
    let loaded = tabiya_spec::load_with(text.as_bytes(), &choice.into());
    if let Some(game) = &loaded.game {
        let too_slow = |taken: Duration| {
            let why =
                format!("the game takes too long to compile ({} ms); make it smaller", taken.as_millis());
            ApiError::rejected("spec_too_slow", why)
        };
        check_work(Workload::new(&game.rules).of(&game.rules.start()))?;
        check_first_moves(&tabiya_referee::Game::new(game.rules.clone()))?;
        let taken = cpu_time().saturating_sub(start);
        (taken <= limits::MAX_COMPILE_TIME).then_some(()).ok_or_else(|| too_slow(taken))?;
    }
    Ok(loaded)
}

/// Checks the work of a position against what a server accepts. This takes no time, so it comes before anything is computed.
pub(crate) fn check_work(work: usize) -> Result<(), ApiError> {
    if work <= POSITION_WORK {
        return Ok(());
    }
    let why = format!(
        "the pieces on the board have too many moves: up to {work} landings, promotions and conditions; a server accepts \
         {POSITION_WORK}"
    );
    Err(ApiError::rejected("too_complex", why))
}

/// Checks that the moves of a position are found and written in time.
pub(crate) fn check_first_moves(game: &tabiya_referee::Game) -> Result<(), ApiError> {
    let start = cpu_time();
    view::choices(game);
    let taken = cpu_time().saturating_sub(start);
    if taken <= limits::MAX_FIRST_MOVES_TIME {
        return Ok(());
    }
    let why =
        format!("the first moves take too long to find ({} ms); make the game smaller", taken.as_millis());
    Err(ApiError::rejected("spec_too_slow", why))
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
    fn short_forms_count_as_what_they_stand_for() {
        let pieces: Vec<serde_json::Value> = (0..40)
            .map(|number| serde_json::json!({ "code": format!("P{number}"), "like": ["QUEEN", "KNIGHT"] }))
            .collect();
        let short = serde_json::json!({ "name": "Many", "extends": "chess", "pieces": pieces }).to_string();
        let long = tabiya_spec::expand(short.as_bytes(), &Choices::default()).unwrap();
        let bytes =
            |text: String| LoadedGame::load(&GameSource::Spec(text), &ChoiceBody::default()).unwrap().bytes;
        assert!(long.len() > 10 * short.len());
        let (short, long) = (bytes(short), bytes(long));
        assert!(3 * short > long, "{short} {long}");
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
