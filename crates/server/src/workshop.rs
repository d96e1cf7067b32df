//! What the workshop asks besides checks: other forms of a spec, and the moves of a word of Betza notation. Like checks, all of it
//! runs with a permit, and its CPU time is charged to the client. Specs extend only games of the library.

use axum::body::Body;
use axum::extract::State;
use axum::{Extension, Json};
use tabiya_spec::{Loader, betza_sample};

use crate::api_error::ApiError;
use crate::client_address::ClientAddress;
use crate::cpu_time::cpu_time;
#[cfg(test)]
use crate::http_types::ErrorBody;
use crate::http_types::{BetzaBody, BetzaMoves, BetzaProblem, BetzaResult, FormatBody, SpecBody, SpecText};
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

#[cfg(test)]
mod tests {
    use super::*;

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
