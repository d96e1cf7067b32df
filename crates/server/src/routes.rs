//! The HTTP API, which the pages use and every other program may. `/api/openapi.json` describes it.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Path, Query, State, WebSocketUpgrade};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use axum::{Extension, Json, Router, middleware};
use futures_util::StreamExt as _;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tabiya_spec::library;
use tokio::sync::oneshot;
#[cfg(test)]
use utoipa::{OpenApi, ToSchema};

use crate::book::Source;
use crate::guard::{Caller, Doorman, look};
use crate::hall::Hall;
use crate::refusal::No;
use crate::table::Table;
use crate::wire::{
    Checked, ChoiceBody, LibraryBoard, LibraryGame, LibraryText, Opened, Opponent, Preview, SpecBody,
    TableBody, TableView,
};
#[cfg(test)]
use crate::wire::{FromClient, FromServer, Refusal};
use crate::{assets, book, diagrams, limits, socket, view};

/// Generates [`OPENAPI`] from the types and handlers.
#[cfg(test)]
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Tabiya",
        description = "Chess-family games as data: play any of them, watch, and check a game of your own."
    ),
    paths(version, games, game, board, opponents, check, open_table, table, record, line),
    components(schemas(FromClient, FromServer, Refusal))
)]
struct Api;

/// The description of the API. A test generates it from the code and compares; `TABIYA_BLESS=1` rewrites the file.
const OPENAPI: &str = include_str!("../openapi.json");

type TheHall = State<Arc<Hall>>;

/// Everything that is served.
pub(crate) fn router(hall: &Arc<Hall>, doorman: &Arc<Doorman>) -> Router {
    let page =
        |name: &'static str| get(move |headers: HeaderMap| async move { assets::serve(name, &headers) });
    Router::new()
        .route("/", page("index.html"))
        .route("/play", page("play.html"))
        .route("/watch", page("watch.html"))
        .route("/workshop", page("workshop.html"))
        .route("/favicon.ico", page("icon.svg"))
        .route("/web/{name}", get(assets::file))
        .route("/api/openapi.json", get(|| async { ([(header::CONTENT_TYPE, "application/json")], OPENAPI) }))
        .route("/api/version", get(version))
        .route("/api/games", get(games))
        .route("/api/games/{name}", get(game))
        .route("/api/games/{name}/board", get(board))
        .route("/api/opponents", get(opponents))
        .route("/api/check", post(check))
        .route("/api/tables", post(open_table))
        .route("/api/tables/{id}", get(table))
        .route("/api/tables/{id}/record", get(record))
        .route("/api/tables/{id}/socket", any(line))
        .fallback(|| async { No::not_found("there is nothing here") })
        .method_not_allowed_fallback(|| async {
            No::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "wrong_method",
                "this is not done here; see /api/openapi.json",
            )
        })
        .layer(middleware::from_fn_with_state((Arc::clone(hall), Arc::clone(doorman)), look))
        .with_state(Arc::clone(hall))
}

/// What runs here.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
struct Version {
    /// The version of Tabiya.
    version: &'static str,
    /// Tables in memory.
    tables: usize,
}

/// What runs here.
#[cfg_attr(test, utoipa::path(get, path = "/api/version", responses((status = 200, body = Version))))]
async fn version(State(hall): TheHall) -> Json<Version> {
    Json(Version { version: env!("CARGO_PKG_VERSION"), tables: hall.count() })
}

/// Every game of the library.
#[cfg_attr(test, utoipa::path(get, path = "/api/games", responses((status = 200, body = Vec<LibraryGame>))))]
async fn games() -> Result<Json<&'static [LibraryGame]>, No> {
    static GAMES: OnceLock<Vec<LibraryGame>> = OnceLock::new();
    let listed = tokio::task::spawn_blocking(|| GAMES.get_or_init(list).as_slice());
    listed.await.map(Json).map_err(|_| No::broken())
}

fn list() -> Vec<LibraryGame> {
    let games = library::games().into_iter().map(|entry| {
        let game = entry.load();
        let shown = view::game(&game, Some(entry.name.to_owned()));
        LibraryGame {
            name: entry.name.to_owned(),
            title: shown.title,
            about: shown.about.unwrap_or_default(),
            files: shown.files,
            ranks: shown.ranks,
            players: shown.players,
            offer: view::offer(&game.choices),
        }
    });
    games.collect()
}

/// A game of the library, as text.
#[cfg_attr(test, utoipa::path(get, path = "/api/games/{name}",
    responses((status = 200, body = LibraryText), (status = 404, body = Refusal))))]
async fn game(Path(name): Path<String>) -> Result<Json<LibraryText>, No> {
    let entry = library::find(&name).ok_or_else(|| No::not_found("there is no such game in the library"))?;
    Ok(Json(LibraryText { spec: entry.json.to_owned(), rulebook: entry.rulebook.to_owned() }))
}

/// A game of the library as it begins, to be drawn.
#[cfg_attr(test, utoipa::path(get, path = "/api/games/{name}/board",
    responses((status = 200, body = LibraryBoard), (status = 422, body = Refusal))))]
async fn board(State(hall): TheHall, Path(name): Path<String>) -> Result<Json<LibraryBoard>, No> {
    let of_hall = Arc::clone(&hall);
    let look = move || {
        let book = of_hall.shelf.book(&Source::Library(name), &ChoiceBody::default())?;
        let rules = &book.game.rules;
        Ok(LibraryBoard { game: book.view.clone(), men: view::men(rules, &rules.start()) })
    };
    in_turn(&hall, look).await.map(Json)
}

/// Who can be asked to play beside people.
#[cfg_attr(test, utoipa::path(get, path = "/api/opponents", responses((status = 200, body = Vec<Opponent>))))]
async fn opponents(State(hall): TheHall) -> Json<Vec<Opponent>> {
    Json(hall.opponents())
}

/// A body of JSON, or why it cannot be read. One that is too large is read to its end all the same, and forgotten: whoever
/// hangs up on unread words takes his own back with them.
async fn read<T: DeserializeOwned>(body: Body) -> Result<T, No> {
    let mut frames = body.into_data_stream();
    let (mut bytes, mut length) = (Vec::new(), 0);
    let until = tokio::time::Instant::now() + limits::BODY;
    let slow = |_| No::new(StatusCode::REQUEST_TIMEOUT, "too_slow", "the body did not come in time");
    while let Some(frame) = tokio::time::timeout_at(until, frames.next()).await.map_err(slow)? {
        let frame = frame.map_err(|_| No::bad("malformed", "the body cannot be read"))?;
        length += frame.len();
        match length {
            length if length <= limits::BODY_BYTES => bytes.extend_from_slice(&frame),
            length if length <= limits::UNREAD_BYTES => bytes.clear(),
            _ => break,
        }
    }
    if length > limits::BODY_BYTES {
        let why = format!("a body has at most {} KiB", limits::BODY_BYTES >> 10);
        return Err(No::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", why));
    }
    serde_json::from_slice(&bytes)
        .map_err(|error| No::bad("malformed", format!("the body cannot be read: {error:.200}")))
}

/// Does what takes a while, in its turn, and not on the threads that serve everybody.
async fn in_turn<T: Send + 'static>(
    hall: &Arc<Hall>,
    work: impl FnOnce() -> Result<T, No> + Send + 'static,
) -> Result<T, No> {
    let waiting = Arc::clone(&hall.presses).acquire_owned();
    let Ok(Ok(permit)) = tokio::time::timeout(Duration::from_secs(5), waiting).await else {
        return Err(No::too_much("busy", "too many games are looked at; come again in a moment"));
    };
    let work = tokio::task::spawn_blocking(move || {
        let done = work();
        drop(permit);
        done
    });
    // Whatever it is, nobody waits longer. The thread ends by itself, for there is an end to every spec.
    match tokio::time::timeout(limits::COMPILING * 2, work).await {
        Ok(Ok(done)) => done,
        Ok(Err(_)) => Err(No::broken()),
        Err(_) => {
            Err(No::rule("spec_too_slow", "the game takes too long to be set up here: make it smaller"))
        }
    }
}

/// Looks at a spec: all faults, or the game.
#[cfg_attr(test, utoipa::path(post, path = "/api/check", request_body = SpecBody,
    responses((status = 200, body = Checked), (status = "4XX", body = Refusal), (status = "5XX", body = Refusal))))]
async fn check(State(hall): TheHall, body: Body) -> Result<Json<Checked>, No> {
    let SpecBody { spec, choice } = read(body).await?;
    let look = move || {
        let loaded = book::read(&spec, &choice)?;
        let game = loaded.game.map(|game| Preview {
            game: view::game(&game, None),
            offer: view::offer(&game.choices),
            men: view::men(&game.rules, &game.rules.start()),
            english: tabiya_spec::english(&game),
            diagrams: diagrams::diagrams(&game.rules),
        });
        let diagnostics = book::faults(&loaded.diagnostics, &spec);
        Ok(Checked { diagnostics, left_out: loaded.left_out, game })
    };
    in_turn(&hall, look).await.map(Json)
}

/// Opens a table.
#[cfg_attr(test, utoipa::path(post, path = "/api/tables", request_body = TableBody,
    responses((status = 201, body = Opened), (status = "4XX", body = Refusal), (status = "5XX", body = Refusal))))]
async fn open_table(
    State(hall): TheHall,
    Extension(Caller(address)): Extension<Caller>,
    body: Body,
) -> Result<(StatusCode, Json<Opened>), No> {
    let body: TableBody = read(body).await?;
    let (tell, told) = oneshot::channel();
    let open = {
        let hall = Arc::clone(&hall);
        move || {
            hall.open_table(body, Some(address), move |opened| {
                let _ = tell.send(opened);
            });
            Ok(())
        }
    };
    in_turn(&hall, open).await?;
    let opened = told.await.map_err(|_| No::broken())??;
    Ok((StatusCode::CREATED, Json(opened)))
}

/// The key that opens a table.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams), into_params(parameter_in = Query))]
struct KeyQuery {
    /// The key of a seat, or of those who watch.
    key: String,
    /// `json` (the usual) or `pgn`.
    #[serde(default)]
    format: Option<String>,
}

/// Looks at a table for whoever has a key. That may take a moment: it may have to be read, or its game may be large.
async fn admitted<T: Send + 'static>(
    hall: &Arc<Hall>,
    id: String,
    key: String,
    look: impl FnOnce(&Table, Option<usize>) -> T + Send + 'static,
) -> Result<T, No> {
    let hall = Arc::clone(hall);
    let work = move || {
        let table = hall.find(&id)?;
        let seat = table.admit(&key)?;
        Ok(look(&table, seat))
    };
    tokio::task::spawn_blocking(work).await.map_err(|_| No::broken())?
}

/// How a table stands.
#[cfg_attr(test, utoipa::path(get, path = "/api/tables/{id}", params(("id" = String, Path), KeyQuery),
    responses((status = 200, body = TableView), (status = 404, body = Refusal))))]
async fn table(
    State(hall): TheHall,
    Path(id): Path<String>,
    query: Result<Query<KeyQuery>, axum::extract::rejection::QueryRejection>,
) -> Result<Json<TableView>, No> {
    let Query(KeyQuery { key, .. }) = query.map_err(|_| No::bad("no_key", "the key is missing"))?;
    admitted(&hall, id, key, |table, seat| table.table_view(&table.lock(), seat)).await.map(Json)
}

/// The record of a game, to be kept.
#[cfg_attr(test, utoipa::path(get, path = "/api/tables/{id}/record", params(("id" = String, Path), KeyQuery),
    responses((status = 200, description = "The game as PGN or as JSON"), (status = 404, body = Refusal))))]
async fn record(
    State(hall): TheHall,
    Path(id): Path<String>,
    query: Result<Query<KeyQuery>, axum::extract::rejection::QueryRejection>,
) -> Result<Response, No> {
    let Query(KeyQuery { key, format }) = query.map_err(|_| No::bad("no_key", "the key is missing"))?;
    let attachment = |kind: &'static str, extension: &str, body: String| {
        let headers = [
            (header::CONTENT_TYPE, kind.to_owned()),
            (header::CONTENT_DISPOSITION, format!("attachment; filename=\"tabiya-game.{extension}\"")),
        ];
        (headers, body).into_response()
    };
    match format.as_deref() {
        None | Some("json") => {
            let view = admitted(&hall, id, key, |table, seat| {
                serde_json::to_string_pretty(&table.table_view(&table.lock(), seat))
            });
            let body = view.await?.map_err(|_| No::broken())?;
            Ok(attachment("application/json", "json", body))
        }
        Some("pgn") => {
            let body = admitted(&hall, id, key, |table, _| table.pgn()).await?;
            let why = "somebody left this game, which PGN cannot tell: take the record as JSON";
            let body = body.ok_or_else(|| No::rule("no_pgn", why))?;
            Ok(attachment("application/x-chess-pgn", "pgn", body))
        }
        Some(_) => Err(No::bad("unknown_format", "`format` is json or pgn")),
    }
}

/// A socket at a table: `FromClient` messages go in, `FromServer` messages come out. The first is `hello`.
#[cfg_attr(test, utoipa::path(get, path = "/api/tables/{id}/socket", params(("id" = String, Path)),
    responses((status = 101, description = "A WebSocket"), (status = 400, body = Refusal))))]
async fn line(
    State(hall): TheHall,
    Path(id): Path<String>,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Result<Response, No> {
    let upgrade = upgrade.map_err(|_| No::bad("no_socket", "this address is for WebSockets"))?;
    let upgrade = upgrade
        .max_message_size(limits::MESSAGE_BYTES)
        .max_frame_size(limits::MESSAGE_BYTES)
        .read_buffer_size(limits::MESSAGE_BYTES)
        .write_buffer_size(0);
    Ok(upgrade.on_upgrade(move |socket| socket::talk(hall, id, socket)).into_response())
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    /// The fields of every type that the page knows, from `web/wire.js`.
    fn known_to_the_page() -> BTreeMap<String, BTreeSet<String>> {
        let text = include_str!("../web/wire.js");
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
    fn the_page_knows_what_goes_over_the_wire() {
        let described = serde_json::to_value(Api::openapi()).unwrap();
        let schemas = described["components"]["schemas"].as_object().unwrap();
        let known = known_to_the_page();
        assert!(known.len() > 25, "{known:?}");
        for (name, fields) in &known {
            let Some(schema) = schemas.get(name) else {
                panic!("the page knows {name}, and the server does not")
            };
            let Some(properties) = schema["properties"].as_object() else { continue };
            let ours: BTreeSet<String> = properties.keys().cloned().collect();
            assert_eq!(*fields, ours, "{name}");
        }
    }
}
