//! The HTTP API, for the pages and for other programs. `/api/openapi.json` describes it.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use axum::body::Body;
use axum::extract::rejection::QueryRejection;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{Path, Query, State, WebSocketUpgrade};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use axum::{Extension, Json, Router, middleware};
use futures_util::StreamExt as _;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tabiya_spec::library;
#[cfg(test)]
use utoipa::{OpenApi, ToSchema};

use crate::api_error::ApiError;
use crate::client_address::ClientAddress;
use crate::http_types::{
    CheckResult, ChoiceBody, GamePreview, LibraryBoard, LibraryGame, LibraryText, OpenedRoom, Opponent,
    RulesView, SpecBody,
};
use crate::loaded_game::{GameSource, diagnostic_views, load_spec};
use crate::lobby::Lobby;
use crate::reachable::reachable_origins;
use crate::request_checks::check_request;
use crate::room::Room;
use crate::socket_types::RoomView;
use crate::{assets, limits, move_diagrams, socket, view, workshop};
#[cfg(test)]
use crate::{
    http_types::{ErrorBody, RoomBody},
    socket_types::{FromClient, FromServer},
};

/// Generates [`OPENAPI`] from the types and handlers.
#[cfg(test)]
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Tabiya",
        description = "Play and watch chess-family games, and check the rules of your own."
    ),
    paths(
        version,
        games,
        game,
        board,
        opponents,
        addresses,
        check,
        workshop::expand,
        workshop::format,
        workshop::betza,
        workshop::complete,
        open_room,
        room,
        record,
        room_rules,
        room_socket
    ),
    components(schemas(FromClient, FromServer, ErrorBody))
)]
struct Api;

/// The description of the API. A test compares it with the code; `TABIYA_BLESS=1` rewrites the file.
const OPENAPI: &str = include_str!("../openapi.json");

pub(crate) type LobbyState = State<Arc<Lobby>>;

/// Returns the router for all pages and API endpoints.
pub(crate) fn router(lobby: &Arc<Lobby>) -> Router {
    let page =
        |name: &'static str| get(move |headers: HeaderMap| async move { assets::serve(name, &headers) });
    let wrong_method = "method not allowed; see /api/openapi.json";
    Router::new()
        .route("/", page("index.html"))
        .route("/play", page("room.html"))
        .route("/watch", page("room.html"))
        .route("/workshop", page("workshop.html"))
        .route("/favicon.ico", page("icon.svg"))
        .route("/web/{name}", get(assets::file))
        .route("/api/openapi.json", get(|| async { ([(header::CONTENT_TYPE, "application/json")], OPENAPI) }))
        .route("/api/version", get(version))
        .route("/api/games", get(games))
        .route("/api/games/{name}", get(game))
        .route("/api/games/{name}/board", get(board))
        .route("/api/opponents", get(opponents))
        .route("/api/addresses", get(addresses))
        .route("/api/check", post(check))
        .route("/api/specs/expand", post(workshop::expand))
        .route("/api/specs/format", post(workshop::format))
        .route("/api/specs/betza", post(workshop::betza))
        .route("/api/specs/complete", post(workshop::complete))
        .route("/api/tables", post(open_room))
        .route("/api/tables/{id}", get(room))
        .route("/api/tables/{id}/record", get(record))
        .route("/api/tables/{id}/rules", get(room_rules))
        .route("/api/tables/{id}/socket", any(room_socket))
        .fallback(|| async { ApiError::not_found("no such address") })
        .method_not_allowed_fallback(move || async move {
            ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "wrong_method", wrong_method)
        })
        .layer(middleware::from_fn_with_state(Arc::clone(lobby), check_request))
        .with_state(Arc::clone(lobby))
}

/// The version and load of the server.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
struct Version {
    /// The version of Tabiya.
    version: &'static str,
    /// The number of rooms in memory.
    #[serde(rename = "tables")]
    rooms: usize,
}

/// Returns the version and load of the server.
#[cfg_attr(test, utoipa::path(get, path = "/api/version", responses((status = 200, body = Version))))]
async fn version(State(lobby): LobbyState) -> Json<Version> {
    Json(Version { version: env!("CARGO_PKG_VERSION"), rooms: lobby.room_count() })
}

/// Lists the library games.
#[cfg_attr(test, utoipa::path(get, path = "/api/games", responses((status = 200, body = Vec<LibraryGame>))))]
async fn games() -> Result<Json<&'static [LibraryGame]>, ApiError> {
    static GAMES: OnceLock<Vec<LibraryGame>> = OnceLock::new();
    let listed = tokio::task::spawn_blocking(|| GAMES.get_or_init(library_games).as_slice());
    listed.await.map(Json).map_err(|_| ApiError::internal())
}

fn library_games() -> Vec<LibraryGame> {
    let games = library::games().into_iter().map(|entry| {
        let game = entry.load();
        let shown = view::game(&game, Some(entry.name.to_owned()));
        LibraryGame {
            name: entry.name.to_owned(),
            title: shown.title,
            about: shown.about.unwrap_or_default(),
            files: shown.files,
            ranks: shown.ranks / shown.levels,
            levels: shown.levels,
            players: shown.players,
            offer: view::offer(&game.choices),
        }
    });
    games.collect()
}

/// Returns the spec, the rulebook and the start of a variant of a library game.
#[cfg_attr(test, utoipa::path(get, path = "/api/games/{name}",
    responses((status = 200, body = LibraryText), (status = 404, body = ErrorBody))))]
async fn game(Path(name): Path<String>) -> Result<Json<LibraryText>, ApiError> {
    static VARIANTS: OnceLock<BTreeMap<&'static str, String>> = OnceLock::new();
    let entry = library::find(&name).ok_or_else(|| ApiError::not_found("the library has no such game"))?;
    let all = || library::games().into_iter().map(|entry| (entry.name, entry.variant())).collect();
    let variants = tokio::task::spawn_blocking(move || VARIANTS.get_or_init(all));
    let variants = variants.await.map_err(|_| ApiError::internal())?;
    Ok(Json(LibraryText {
        spec: entry.json.to_owned(),
        rulebook: entry.rulebook.to_owned(),
        variant: variants.get(entry.name).cloned().unwrap_or_default(),
    }))
}

/// Query parameters for a board.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams), into_params(parameter_in = Query))]
struct BoardQuery {
    /// The name of a layout; by default the first position of the game.
    layout: Option<String>,
}

/// Returns the starting position of a library game.
#[cfg_attr(test, utoipa::path(get, path = "/api/games/{name}/board", params(("name" = String, Path), BoardQuery),
    responses((status = 200, body = LibraryBoard), (status = 422, body = ErrorBody))))]
async fn board(
    State(lobby): LobbyState,
    Extension(client): Extension<ClientAddress>,
    Path(name): Path<String>,
    Query(BoardQuery { layout }): Query<BoardQuery>,
) -> Result<Json<LibraryBoard>, ApiError> {
    let cache = Arc::clone(&lobby);
    let load = move || {
        let choice = ChoiceBody { layout, ..ChoiceBody::default() };
        let loaded = cache.game_cache.load(&GameSource::Library(name), &choice)?;
        let rules = &loaded.game.rules;
        Ok(LibraryBoard { game: loaded.view.clone(), pieces: view::pieces(rules, &rules.start()) })
    };
    lobby.permits.run(Some(client), load).await.map(Json)
}

/// Lists the programs that can take a seat.
#[cfg_attr(test, utoipa::path(get, path = "/api/opponents", responses((status = 200, body = Vec<Opponent>))))]
async fn opponents(State(lobby): LobbyState) -> Json<Vec<Opponent>> {
    Json(lobby.opponents())
}

/// Lists the addresses at which other machines can reach this server, best first. Only clients on this machine see them.
#[cfg_attr(test, utoipa::path(get, path = "/api/addresses", responses((status = 200, body = Vec<String>))))]
async fn addresses(
    State(lobby): LobbyState,
    Extension(client): Extension<ClientAddress>,
) -> Json<Vec<String>> {
    Json(if client.is_loopback() { reachable_origins(&lobby.settings) } else { Vec::new() })
}

/// Reads a JSON body. A body that is too large is read to its end and discarded: closing early resets the connection and
/// loses the error response.
pub(crate) async fn read_json<T: DeserializeOwned>(body: Body) -> Result<T, ApiError> {
    let mut frames = body.into_data_stream();
    let (mut bytes, mut length) = (Vec::new(), 0);
    let deadline = tokio::time::Instant::now() + limits::BODY_TIMEOUT;
    let slow = |_| ApiError::new(StatusCode::REQUEST_TIMEOUT, "too_slow", "the body did not arrive in time");
    while let Some(frame) = tokio::time::timeout_at(deadline, frames.next()).await.map_err(slow)? {
        let frame = frame.map_err(|_| ApiError::bad_request("malformed", "cannot read the body"))?;
        length += frame.len();
        match length {
            length if length <= limits::MAX_BODY_BYTES => bytes.extend_from_slice(&frame),
            length if length <= limits::MAX_DISCARDED_BYTES => bytes.clear(),
            _ => break,
        }
    }
    if length > limits::MAX_BODY_BYTES {
        let why = format!("a body may have at most {} KiB", limits::MAX_BODY_BYTES >> 10);
        return Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", why));
    }
    serde_json::from_slice(&bytes)
        .map_err(|error| ApiError::bad_request("malformed", format!("cannot parse the body: {error:.200}")))
}

/// Checks a spec. Returns its problems, and the game if it can be played.
#[cfg_attr(test, utoipa::path(post, path = "/api/check", request_body = SpecBody,
    responses((status = 200, body = CheckResult), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody))))]
async fn check(
    State(lobby): LobbyState,
    Extension(client): Extension<ClientAddress>,
    body: Body,
) -> Result<Json<CheckResult>, ApiError> {
    let SpecBody { spec, choice } = read_json(body).await?;
    let check = move || {
        let loaded = load_spec(&spec, &choice)?;
        let game = loaded.game.map(|game| GamePreview {
            game: view::game(&game, None),
            offer: view::offer(&game.choices),
            pieces: view::pieces(&game.rules, &game.rules.start()),
            english: tabiya_spec::english(&game),
            diagrams: move_diagrams::move_diagrams(&game.rules),
        });
        let diagnostics = diagnostic_views(&loaded.diagnostics, &spec);
        Ok(CheckResult { diagnostics, left_out: loaded.left_out, game })
    };
    lobby.permits.run(Some(client), check).await.map(Json)
}

/// Opens a room.
#[cfg_attr(test, utoipa::path(post, path = "/api/tables", request_body = RoomBody,
    responses((status = 201, body = OpenedRoom), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody))))]
async fn open_room(
    State(lobby): LobbyState,
    Extension(client): Extension<ClientAddress>,
    body: Body,
) -> Result<(StatusCode, Json<OpenedRoom>), ApiError> {
    let opened = lobby.open_room(read_json(body).await?, Some(client)).await?;
    Ok((StatusCode::CREATED, Json(opened)))
}

/// Query parameters for a room.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams), into_params(parameter_in = Query))]
struct RoomQuery {
    /// The key of a seat, or the key for spectators.
    key: String,
    /// `json` (the default) or `pgn`.
    #[serde(default)]
    format: Option<String>,
}

fn room_query(query: Result<Query<RoomQuery>, QueryRejection>) -> Result<RoomQuery, ApiError> {
    let Query(query) =
        query.map_err(|_| ApiError::bad_request("no_key", "the query parameter `key` is missing"))?;
    Ok(query)
}

/// Calls `look` with a room and the seat of `key`, on a thread that may block: the view of a long game takes time.
async fn look_at_room<T: Send + 'static>(
    lobby: Arc<Lobby>,
    client: ClientAddress,
    id: String,
    key: String,
    look: impl FnOnce(&Room, Option<usize>) -> T + Send + 'static,
) -> Result<T, ApiError> {
    let (room, seat) = lobby.join(&id, &key, Some(client)).await?;
    lobby.permits.run(Some(client), move || Ok(look(&room, seat))).await
}

/// Returns the state of a room.
#[cfg_attr(test, utoipa::path(get, path = "/api/tables/{id}", params(("id" = String, Path), RoomQuery),
    responses((status = 200, body = RoomView), (status = 404, body = ErrorBody))))]
async fn room(
    State(lobby): LobbyState,
    Extension(client): Extension<ClientAddress>,
    Path(id): Path<String>,
    query: Result<Query<RoomQuery>, QueryRejection>,
) -> Result<Json<RoomView>, ApiError> {
    let key = room_query(query)?.key;
    look_at_room(lobby, client, id, key, |room, seat| room.room_view(&room.lock(), seat)).await.map(Json)
}

/// Downloads the record of a game.
#[cfg_attr(test, utoipa::path(get, path = "/api/tables/{id}/record", params(("id" = String, Path), RoomQuery),
    responses((status = 200, description = "The game as PGN or JSON"), (status = 404, body = ErrorBody))))]
async fn record(
    State(lobby): LobbyState,
    Extension(client): Extension<ClientAddress>,
    Path(id): Path<String>,
    query: Result<Query<RoomQuery>, QueryRejection>,
) -> Result<Response, ApiError> {
    let RoomQuery { key, format } = room_query(query)?;
    let attachment = |kind: &'static str, extension: &str, body: String| {
        let headers = [
            (header::CONTENT_TYPE, kind.to_owned()),
            (header::CONTENT_DISPOSITION, format!("attachment; filename=\"tabiya-game.{extension}\"")),
        ];
        (headers, body).into_response()
    };
    match format.as_deref() {
        None | Some("json") => {
            let view = look_at_room(lobby, client, id, key, |room, seat| {
                serde_json::to_string_pretty(&room.room_view(&room.lock(), seat))
            });
            let body = view.await?.map_err(|_| ApiError::internal())?;
            Ok(attachment("application/json", "json", body))
        }
        Some("pgn") => {
            let body = look_at_room(lobby, client, id, key, |room, _| room.pgn()).await?;
            let why = "a player left this game, which PGN cannot express; download the record as JSON";
            let body = body.ok_or_else(|| ApiError::rejected("no_pgn", why))?;
            Ok(attachment("application/x-chess-pgn", "pgn", body))
        }
        Some(_) => Err(ApiError::bad_request("unknown_format", "`format` must be json or pgn")),
    }
}

/// Returns the rules of the game in a room.
#[cfg_attr(test, utoipa::path(get, path = "/api/tables/{id}/rules", params(("id" = String, Path), RoomQuery),
    responses((status = 200, body = RulesView), (status = 404, body = ErrorBody))))]
async fn room_rules(
    State(lobby): LobbyState,
    Extension(client): Extension<ClientAddress>,
    Path(id): Path<String>,
    query: Result<Query<RoomQuery>, QueryRejection>,
) -> Result<Json<RulesView>, ApiError> {
    let key = room_query(query)?.key;
    look_at_room(lobby, client, id, key, |room, _| room.loaded_game.rules_view().clone()).await.map(Json)
}

/// Opens a socket to a room. The client sends `FromClient` messages, starting with `hello`, and receives `FromServer`
/// messages.
#[cfg_attr(test, utoipa::path(get, path = "/api/tables/{id}/socket", params(("id" = String, Path)),
    responses((status = 101, description = "A WebSocket"), (status = 400, body = ErrorBody))))]
async fn room_socket(
    State(lobby): LobbyState,
    Extension(client): Extension<ClientAddress>,
    Path(id): Path<String>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    let upgrade =
        upgrade.map_err(|_| ApiError::bad_request("no_socket", "this address accepts only WebSockets"))?;
    let upgrade = upgrade
        .max_message_size(limits::MAX_MESSAGE_BYTES)
        .max_frame_size(limits::MAX_MESSAGE_BYTES)
        .read_buffer_size(limits::MAX_MESSAGE_BYTES)
        .write_buffer_size(0);
    Ok(upgrade.on_upgrade(move |socket| socket::serve(lobby, client, id, socket)).into_response())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Parses the names and fields of all types in `web/types.js`.
    fn page_types() -> BTreeMap<String, BTreeSet<String>> {
        let text = include_str!("../web/types.js");
        let blocks = text.split("/**").filter_map(|block| {
            let (_, name) = block.split_once("@typedef {object} ")?;
            let fields = block.lines().filter_map(|line| {
                let (_, rest) = line.split_once("@property {")?;
                let (_, field) = rest.split_once("} ")?;
                let word = field.split_whitespace().next()?;
                Some(word.trim_matches(['[', ']']).to_owned())
            });
            Some((name.split_whitespace().next()?.to_owned(), fields.collect()))
        });
        blocks.collect()
    }

    #[test]
    fn openapi_json_is_up_to_date() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json");
        let generated = serde_json::to_string_pretty(&Api::openapi()).unwrap() + "\n";
        if std::env::var_os("TABIYA_BLESS").is_some() {
            std::fs::write(path, &generated).unwrap();
        } else {
            assert!(generated == OPENAPI, "{path} is out of date; run this test with TABIYA_BLESS=1");
        }
    }

    #[test]
    fn the_page_has_the_types_of_the_api() {
        let api = serde_json::to_value(Api::openapi()).unwrap();
        let schemas = api["components"]["schemas"].as_object().unwrap();
        let page = page_types();
        assert!(page.len() > 25, "{page:?}");
        for (name, fields) in &page {
            let schema = schemas.get(name).unwrap_or_else(|| panic!("the API has no {name}"));
            let Some(properties) = schema["properties"].as_object() else { continue };
            let ours: BTreeSet<String> = properties.keys().cloned().collect();
            assert_eq!(*fields, ours, "{name}");
        }
    }
}
