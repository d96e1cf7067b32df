//! The page: where its games are kept, how one hears of it, and how a browser is opened.

use std::io::{IsTerminal as _, Write as _};
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use serde_json::json;
use tabiya_server::wire::TableBody;
use tabiya_server::{Opened, Settings};

use crate::failure::Failure;
use crate::output::Output;

/// The file that keeps the games, and its folder.
pub(crate) fn games_file(given: Option<&Path>) -> Result<PathBuf, Failure> {
    let file = given.map_or_else(usual_file, Path::to_path_buf);
    if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        let failed = |error| Failure::Usage(format!("{} cannot be made: {error}", folder.display()));
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    Ok(file)
}

/// Where programs of this user keep their data.
fn usual_file() -> PathBuf {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = variable("XDG_DATA_HOME").or_else(|| variable("HOME").map(|home| home.join(".local/share")));
    folder.unwrap_or_default().join("tabiya").join("games.db")
}

/// Serves until it is interrupted. A table that is opened at once is what the browser shows.
pub(crate) fn serve(
    settings: Settings,
    first: Option<TableBody>,
    opens: bool,
    out: &mut Output,
) -> Result<ExitCode, Failure> {
    let file = settings.file.display().to_string();
    let said = |address: SocketAddr, opened: Option<Opened>| {
        let page = page(address, opened.as_ref());
        // If nobody listens to what we print, we serve all the same.
        let _ = if out.is_json() {
            out.json(&json!({ "url": page, "games": file, "table": opened }))
        } else {
            let others =
                if address.ip().is_loopback() { "" } else { "Others can reach it: see docs/server.md.\n" };
            writeln!(out, "Tabiya plays at {page}\n{others}Games are kept in {file}. Ctrl-C ends the server.")
        };
        let _ = out.flush();
        if opens && !out.is_json() && std::io::stdout().is_terminal() {
            open(&page);
        }
    };
    tabiya_server::serve(settings, first, said).map_err(Failure::No)?;
    Ok(ExitCode::SUCCESS)
}

/// The address of the page: its start, or a table.
fn page(address: SocketAddr, opened: Option<&Opened>) -> String {
    // What listens everywhere is called by this machine's own name.
    let host = match address.ip() {
        IpAddr::V6(ip) if !ip.is_unspecified() => format!("[{ip}]"),
        IpAddr::V4(ip) if !ip.is_unspecified() => ip.to_string(),
        _ => "localhost".to_owned(),
    };
    let table = match opened {
        None => String::new(),
        Some(Opened { id, seats, watch }) => match seats.first() {
            Some(seat) => format!("play#{id}.{}", seat.key),
            None => format!("watch#{id}.{watch}"),
        },
    };
    format!("http://{host}:{}/{table}", address.port())
}

/// Opens the page, where there is a screen. If that fails, the address has been printed.
fn open(page: &str) {
    let has_screen = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    if cfg!(target_os = "macos") || has_screen {
        let quiet = Stdio::null;
        let _ = Command::new(opener).arg(page).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn();
    }
}
