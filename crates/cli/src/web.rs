//! Starts the web server, prints its address, and opens a browser.

use std::io::{IsTerminal as _, Write as _};
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use serde_json::json;
use tabiya_server::Settings;
use tabiya_server::http_types::{OpenedRoom, RoomBody};

use crate::error::{CliError, CommandResult};
use crate::output::Output;

/// Returns the database of games, and creates its folder.
pub(crate) fn games_file(given: Option<&Path>) -> Result<PathBuf, CliError> {
    let file = given.map_or_else(default_games_file, Path::to_path_buf);
    if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        let failed = |error| CliError::Usage(format!("cannot create {}: {error}", folder.display()));
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    Ok(file)
}

/// Returns the default database, in the data directory of the user.
fn default_games_file() -> PathBuf {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = variable("XDG_DATA_HOME").or_else(|| variable("HOME").map(|home| home.join(".local/share")));
    folder.unwrap_or_default().join("tabiya").join("games.db")
}

/// Serves until interrupted. The browser shows the first game if there is one.
pub(crate) fn serve(
    settings: Settings,
    first: Option<RoomBody>,
    opens_browser: bool,
    out: &mut Output,
) -> CommandResult {
    let file = settings.file.display().to_string();
    let on_listen = |address: SocketAddr, opened: Option<OpenedRoom>| {
        let url = page_url(address, opened.as_ref());
        // The server runs even if its address cannot be printed.
        let _ = if out.is_json() {
            out.json(&json!({ "url": url, "games": file, "table": opened }))
        } else {
            let public = if address.ip().is_loopback() {
                ""
            } else {
                "Other machines can reach it; see docs/server.md.\n"
            };
            writeln!(
                out,
                "Tabiya is running at {url}\n{public}Games are stored in {file}. Press Ctrl-C to stop."
            )
        };
        let _ = out.flush();
        if opens_browser && !out.is_json() && std::io::stdout().is_terminal() {
            open_browser(&url);
        }
    };
    tabiya_server::serve(settings, first, on_listen).map_err(CliError::No)?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the address of the start page, or of a game.
fn page_url(address: SocketAddr, opened: Option<&OpenedRoom>) -> String {
    // 0.0.0.0 and :: are not addresses that a browser can open.
    let host = match address.ip() {
        IpAddr::V6(ip) if !ip.is_unspecified() => format!("[{ip}]"),
        IpAddr::V4(ip) if !ip.is_unspecified() => ip.to_string(),
        _ => "localhost".to_owned(),
    };
    let game = match opened {
        None => String::new(),
        Some(OpenedRoom { id, seats, watch }) => match seats.first() {
            Some(seat) => format!("play#{id}.{}", seat.key),
            None => format!("watch#{id}.{watch}"),
        },
    };
    format!("http://{host}:{}/{game}", address.port())
}

/// Opens a browser if there is a display. Failures are ignored: the address has been printed.
fn open_browser(url: &str) {
    let has_display = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    if cfg!(target_os = "macos") || has_display {
        let null = Stdio::null;
        let _ = Command::new(opener).arg(url).stdin(null()).stdout(null()).stderr(null()).spawn();
    }
}
