//! Tabiya in the browser: a server that owns the rules and the clock of every game, and the page on which they are played.
//!
//! Each game has a table. A seat at it is a secret link; whoever watches has another. What happens is tried by the referee,
//! written into the journal, and then told to everybody at the table ([`wire`] has the words).

mod assets;
mod book;
mod diagrams;
mod guard;
mod hall;
mod keys;
mod limits;
mod listeners;
mod programs;
mod refusal;
mod routes;
mod settings;
mod socket;
mod store;
mod table;
mod view;
pub mod wire;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::{Extension, Router};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

pub use settings::Settings;
pub use wire::Opened;

use guard::{Caller, Doorman, Pass};
use hall::Hall;
use refusal::No;
use wire::TableBody;

/// So many are told at once why they are not let in.
const FAREWELLS: usize = 256;
/// So much of what they said is read before that.
const UNREAD: u64 = 64 << 10;

/// Serves until it is told to stop (`SIGINT`, `SIGTERM`). `ready` hears the address that was bound, and what became of a table
/// that was to be opened at once.
pub fn serve(
    settings: Settings,
    first: Option<TableBody>,
    ready: impl FnOnce(SocketAddr, Option<Opened>),
) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| format!("no threads can be had: {error}"))?;
    let done = runtime.block_on(run(settings, first, ready));
    // A program that thinks is not waited for: what it would say is not acknowledged, and will be asked again.
    runtime.shutdown_timeout(Duration::from_millis(200));
    done
}

async fn run(
    settings: Settings,
    first: Option<TableBody>,
    ready: impl FnOnce(SocketAddr, Option<Opened>),
) -> Result<(), String> {
    let listen = settings.listen;
    let listener =
        TcpListener::bind(listen).await.map_err(|error| format!("cannot listen on {listen}: {error}"))?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    // A proxy has all the connections.
    let each = if settings.is_behind_proxy { settings.most_connections } else { settings.connections_each };
    let doorman = Doorman::new(settings.most_connections, each, settings.requests_each);
    let hall = Hall::open(settings)?;
    let router = routes::router(&hall, &doorman);
    tokio::spawn(Arc::clone(&hall).sweep());
    let opened = match first {
        Some(body) => Some(open(&hall, body).await?),
        None => None,
    };
    ready(address, opened);
    tokio::select! {
        () = accept(listener, router, doorman) => {}
        () = told_to_stop() => {}
    }
    // First nothing is written any more, so that an agent that is ended has not lost its game.
    hall.store.close();
    let _ = tokio::task::spawn_blocking(|| tabiya_arena::end_agents(Duration::from_secs(2))).await;
    Ok(())
}

async fn open(hall: &Arc<Hall>, body: TableBody) -> Result<Opened, String> {
    let (tell, told) = tokio::sync::oneshot::channel();
    hall.open_table(body, None, move |opened| {
        let _ = tell.send(opened);
    });
    let broken = || "the table could not be opened".to_owned();
    told.await.map_err(|_| broken())?.map_err(|no| no.refusal.why)
}

/// Lets connections in, and never stops for one that fails.
async fn accept(listener: TcpListener, router: Router, doorman: Arc<Doorman>) {
    let farewells = Arc::new(Semaphore::new(FAREWELLS));
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => match doorman.enter(peer.ip()) {
                Ok(pass) => {
                    let _ = stream.set_nodelay(true);
                    let router = router.clone().layer(Extension(Caller(peer.ip())));
                    tokio::spawn(converse(stream, router, pass));
                }
                Err(no) => {
                    // In a flood most are turned away without a word.
                    if let Ok(permit) = Arc::clone(&farewells).try_acquire_owned() {
                        tokio::spawn(async move {
                            turn_away(stream, no).await;
                            drop(permit);
                        });
                    }
                }
            },
            // No descriptor is free, say: others will leave.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

/// One connection, which counts until it ends.
async fn converse(stream: TcpStream, router: Router, pass: Pass) {
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits::HEAD)
        .max_buf_size(16 << 10)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
        .with_upgrades();
    // What goes wrong on a connection concerns its client alone.
    let _ = connection.await;
    drop(pass);
}

/// Says why nobody is let in, and hangs up.
async fn turn_away(mut stream: TcpStream, no: No) {
    let status = no.status;
    let body = serde_json::to_string(&no.refusal).unwrap_or_default();
    let text = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    let farewell = async {
        stream.write_all(text.as_bytes()).await?;
        stream.shutdown().await?;
        // Whoever hangs up on what was not read takes his own words back with it.
        tokio::io::copy(&mut stream.take(UNREAD), &mut tokio::io::sink()).await
    };
    let _ = tokio::time::timeout(Duration::from_secs(1), farewell).await;
}

async fn told_to_stop() {
    let interrupted = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminated) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = interrupted => {}
                _ = terminated.recv() => {}
            }
            return;
        }
    }
    let _ = interrupted.await;
}
