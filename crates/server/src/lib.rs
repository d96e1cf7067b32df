//! The web server of Tabiya: it runs the rules and the clock of every game, and serves the pages to play and watch them.
//!
//! A game is played in a room. Each seat has a secret link; spectators have another one. An action is checked by the referee,
//! saved to the database, and only then sent to everyone in the room. [`http_types`] and [`socket_types`] define the JSON.

mod api_error;
mod assets;
mod client_address;
mod cpu_time;
mod fair_queue;
mod game_cache;
mod game_store;
pub mod http_types;
mod keys;
mod limits;
mod loaded_game;
mod lobby;
mod move_diagrams;
mod open_files;
mod permits;
mod programs;
mod rate_limiter;
mod reachable;
mod request_checks;
mod room;
mod routes;
mod settings;
mod socket;
pub mod socket_types;
mod subscribers;
mod view;
mod workshop;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::{Extension, Router};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

pub use settings::Settings;

use api_error::ApiError;
use client_address::ClientAddress;
use http_types::{OpenedRoom, RoomBody};
use lobby::Lobby;
use rate_limiter::{ConnectionPermit, RateLimiter};

/// Runs a server until `SIGINT` or `SIGTERM`. If `first` is given, opens a room at the start. Calls `ready` with the bound
/// address and that room.
///
/// # Errors
///
/// Returns a message if the address cannot be bound, the database cannot be opened, or the first room cannot be opened.
pub fn serve(
    settings: Settings,
    first: Option<RoomBody>,
    ready: impl FnOnce(SocketAddr, Option<OpenedRoom>),
) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| format!("cannot start threads: {error}"))?;
    let done = runtime.block_on(run(settings, first, ready));
    // Do not wait for searches: their moves are not saved yet, and the next server asks for them again.
    runtime.shutdown_timeout(Duration::from_millis(200));
    done
}

async fn run(
    mut settings: Settings,
    first: Option<RoomBody>,
    ready: impl FnOnce(SocketAddr, Option<OpenedRoom>),
) -> Result<(), String> {
    let possible = open_files::possible_connections(settings.max_connections);
    if possible < settings.max_connections {
        tell_operator(&format!(
            "the limit of open files allows {possible} connections, not {}; raise it with `ulimit -n`",
            settings.max_connections
        ));
        settings.max_connections = possible;
    }
    let listen = settings.listen;
    let listener =
        TcpListener::bind(listen).await.map_err(|error| format!("cannot listen on {listen}: {error}"))?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    let lobby = Lobby::open(Settings { listen: address, ..settings })?;
    let router = routes::router(&lobby);
    tokio::spawn(Arc::clone(&lobby).evict_idle_rooms());
    let opened = match first {
        Some(body) => Some(lobby.open_room(body, None).await.map_err(|error| error.body.why)?),
        None => None,
    };
    // A signal that comes right after the address was printed must not be lost.
    let stop = stop_signal();
    ready(address, opened);
    tokio::select! {
        () = accept(listener, router, Arc::clone(&lobby.rate_limiter)) => {}
        () = stop => {}
    }
    // Close the database before the agents end, so that their end is not saved as a loss.
    lobby.store.close();
    let _ = tokio::task::spawn_blocking(|| tabiya_arena::kill_agents(Duration::from_secs(2))).await;
    Ok(())
}

/// Accepts connections. A connection that fails does not affect the others.
async fn accept(listener: TcpListener, router: Router, rate_limiter: Arc<RateLimiter>) {
    let rejections = Arc::new(Semaphore::new(limits::MAX_REJECTIONS));
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => match rate_limiter.connect(peer.ip().into()) {
                Ok(permit) => {
                    let _ = stream.set_nodelay(true);
                    let router = router.clone().layer(Extension(ClientAddress::from(peer.ip())));
                    tokio::spawn(serve_connection(stream, router, permit));
                }
                Err(error) => {
                    if let Ok(permit) = Arc::clone(&rejections).try_acquire_owned() {
                        tokio::spawn(async move {
                            reject_connection(stream, error).await;
                            drop(permit);
                        });
                    }
                }
            },
            // Usually no file descriptor is free. Wait until other connections close.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

async fn serve_connection(stream: TcpStream, router: Router, permit: ConnectionPermit) {
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits::HEAD_TIMEOUT)
        .max_buf_size(16 << 10)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
        .with_upgrades();
    // An error concerns only this client.
    let _ = connection.await;
    drop(permit);
}

/// Sends an error response and closes the connection.
async fn reject_connection(mut stream: TcpStream, error: ApiError) {
    let status = error.status;
    let body = serde_json::to_string(&error.body).unwrap_or_default();
    let text = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    let response = async {
        stream.write_all(text.as_bytes()).await?;
        stream.shutdown().await?;
        // Drain unread input: closing early resets the connection and loses the response.
        tokio::io::copy(&mut stream.take(limits::MAX_DRAINED_BYTES), &mut tokio::io::sink()).await
    };
    let _ = tokio::time::timeout(Duration::from_secs(1), response).await;
}

/// Listens for `SIGINT` and `SIGTERM` from now on. Returns a future that waits for one of them.
#[cfg(unix)]
fn stop_signal() -> impl Future<Output = ()> {
    use tokio::signal::unix::{SignalKind, signal};
    let listeners = [SignalKind::interrupt(), SignalKind::terminate()].map(signal);
    async move {
        let [Ok(mut interrupted), Ok(mut terminated)] = listeners else {
            return std::future::pending().await;
        };
        tokio::select! {
            _ = interrupted.recv() => {}
            _ = terminated.recv() => {}
        }
    }
}

/// Returns a future that waits for Ctrl-C.
#[cfg(not(unix))]
fn stop_signal() -> impl Future<Output = ()> {
    let interrupted = tokio::signal::ctrl_c();
    async move {
        let _ = interrupted.await;
    }
}

/// Writes a message for the operator. Clients must not see it.
#[allow(clippy::print_stderr, reason = "the log of a server")]
fn tell_operator(message: &str) {
    eprintln!("tabiya serve: {message}");
}

/// Locks a mutex, even after a panic in another thread: each critical section leaves the value consistent.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
