//! What the workshop asks besides checks: other forms of a spec, completions, and the moves of a word of Betza notation. Like checks,
//! all of it runs with a permit, and its CPU time is charged to the client. Specs extend only games of the library.

use axum::body::Body;
use axum::extract::State;
use axum::{Extension, Json};
use tabiya_spec::editing::{self, Completion};
use tabiya_spec::{Loader, betza_sample};

use crate::api_error::ApiError;
use crate::client_address::ClientAddress;
use crate::cpu_time::cpu_time;
#[cfg(test)]
use crate::http_types::ErrorBody;
use crate::http_types::{
    BetzaBody, BetzaMoves, BetzaProblem, BetzaResult, CompleteBody, CompleteResult, CompletionView,
    FormatBody, SpecBody, SpecText,
};
use crate::limits;
use crate::loaded_game::{check_size, faulty_game};
use crate::move_diagrams::move_diagrams;
use crate::routes::{LobbyState, read_json};
use crate::view;

/// Returns the long form of a spec: short forms written out, choices resolved.
#[cfg_attr(test, utoipa::path(post, path = "/api/specs/expand", request_body = SpecBody,
    responses((status = 200, body = SpecText), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody))))]
pub(crate) async fn expand(
    State(lobby): LobbyState,
    Extension(client): Extension<ClientAddress>,
    body: Body,
) -> Result<Json<SpecText>, ApiError> {
    let SpecBody { spec, choice } = read_json(body).await?;
    let expand = move || {
        check_size(&spec)?;
        let long = tabiya_spec::expand(spec.as_bytes(), &(&choice).into());
        let long = long.map_err(|loaded| faulty_game(&loaded, &spec))?;
        if long.len() > limits::MAX_LONG_FORM_BYTES {
            let most = limits::MAX_LONG_FORM_BYTES >> 20;
            let why = format!("the long form has more than {most} MiB; `tabiya expand` prints it");
            return Err(ApiError::rejected("long_form_too_large", why));
        }
        Ok(SpecText { spec: long })
    };
    lobby.permits.run(Some(client), expand).await.map(Json)
}

/// Returns the shortest form of a spec. A large spec with many choices takes too long.
#[cfg_attr(test, utoipa::path(post, path = "/api/specs/format", request_body = FormatBody,
    responses((status = 200, body = SpecText), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody))))]
pub(crate) async fn format(
    State(lobby): LobbyState,
    Extension(client): Extension<ClientAddress>,
    body: Body,
) -> Result<Json<SpecText>, ApiError> {
    let FormatBody { spec } = read_json(body).await?;
    let format = move || {
        check_size(&spec)?;
        let start = cpu_time();
        let is_in_time = || cpu_time().saturating_sub(start) < limits::MAX_FORMAT_TIME;
        let formatted = Loader::default().format_while(spec.as_bytes(), &is_in_time);
        let formatted = formatted.map_err(|loaded| faulty_game(&loaded, &spec))?;
        let why = "the shortest form of this game takes too long to find; `tabiya fmt` has no limit";
        let spec = formatted.ok_or_else(|| ApiError::rejected("spec_too_slow", why))?;
        Ok(SpecText { spec })
    };
    lobby.permits.run(Some(client), format).await.map(Json)
}

/// Returns the moves of a word of Betza notation, drawn and explained, or the letter that is wrong.
#[cfg_attr(test, utoipa::path(post, path = "/api/specs/betza", request_body = BetzaBody,
    responses((status = 200, body = BetzaResult), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody))))]
pub(crate) async fn betza(
    State(lobby): LobbyState,
    Extension(client): Extension<ClientAddress>,
    body: Body,
) -> Result<Json<BetzaResult>, ApiError> {
    let BetzaBody { word } = read_json(body).await?;
    lobby.permits.run(Some(client), move || Ok(betza_result(&word))).await.map(Json)
}

fn betza_result(word: &str) -> BetzaResult {
    let sample = match betza_sample(word) {
        Ok(sample) => sample,
        Err(error) => {
            let characters = |end: usize| word.get(..end).map_or(0, |part| part.chars().count());
            let (start, end) = (characters(error.span.start), characters(error.span.end));
            let help = error.help.to_owned();
            let problem = BetzaProblem { start, end, message: error.message, help };
            return BetzaResult { error: Some(problem), moves: None };
        }
    };
    let diagram = move_diagrams(&sample.game.rules).into_iter().next();
    let game = view::game(&sample.game, None);
    let moves = diagram.map(|diagram| BetzaMoves { english: sample.english, game, diagram });
    BetzaResult { error: None, moves }
}

/// Returns what can be written at a position of a spec.
#[cfg_attr(test, utoipa::path(post, path = "/api/specs/complete", request_body = CompleteBody,
    responses((status = 200, body = CompleteResult), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody))))]
pub(crate) async fn complete(
    State(lobby): LobbyState,
    Extension(client): Extension<ClientAddress>,
    body: Body,
) -> Result<Json<CompleteResult>, ApiError> {
    let CompleteBody { spec, offset } = read_json(body).await?;
    let complete = move || {
        check_size(&spec)?;
        Ok(CompleteResult { completions: completions(&spec, offset) })
    };
    lobby.permits.run(Some(client), complete).await.map(Json)
}

fn completions(spec: &str, offset: usize) -> Vec<CompletionView> {
    let mut found = editing::complete(spec, byte_offset(spec, offset));
    found.truncate(limits::MAX_COMPLETIONS);
    // Most replace the same text, so that its place is counted once.
    let mut last = (0..0, 0..0);
    let view = |completion: Completion| {
        if completion.replaced != last.0 {
            let units = |end: usize| spec.get(..end).map_or(0, |text| text.encode_utf16().count());
            let range = units(completion.replaced.start)..units(completion.replaced.end);
            last = (completion.replaced, range);
        }
        let Completion { label, insert, kind, description, .. } = completion;
        let (start, end, kind) = (last.1.start, last.1.end, kind.as_str().to_owned());
        CompletionView { label, insert, start, end, kind, description }
    };
    found.into_iter().map(view).collect()
}

/// Converts an offset in UTF-16 units to bytes. An offset after the end is the end.
fn byte_offset(text: &str, units: usize) -> usize {
    let mut left = units;
    let mut letters = text.char_indices().skip_while(|(_, letter)| {
        let is_before = left >= letter.len_utf16();
        left = left.saturating_sub(letter.len_utf16());
        is_before
    });
    letters.next().map_or(text.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn completions_count_in_utf16_units() {
        let spec = "{ \"name\": \"♞🐴\", \"lea";
        let offset = spec.encode_utf16().count();
        let found = completions(spec, offset);
        let leader = found.iter().find(|it| it.label == "leader").unwrap();
        assert_eq!((leader.start, leader.end, leader.insert.as_str()), (offset - 4, offset, "\"leader\": "));
        assert_eq!([byte_offset("a🐴b", 1), byte_offset("a🐴b", 3), byte_offset("a🐴b", 9)], [1, 5, 6]);
        assert_eq!(byte_offset("a🐴b", 2), 1, "inside a character");
    }

    #[test]
    fn a_word_is_drawn_explained_or_its_letter_named() {
        let moves = betza_result("NW").moves.unwrap();
        assert_eq!((moves.diagram.goes.len(), moves.diagram.takes.len()), (12, 12));
        assert!(moves.english.contains("leaps 1 square"), "{}", moves.english);
        for (word, start, end) in [("fmX", 2, 3), ("", 0, 0), ("Wéx", 1, 2)] {
            let error = betza_result(word).error.unwrap();
            assert_eq!((error.start, error.end), (start, end), "{word}: {error:?}");
        }
        let long = "W".repeat(100_000);
        assert!(betza_result(&long).error.unwrap().message.contains("at most 200"));
    }
}
