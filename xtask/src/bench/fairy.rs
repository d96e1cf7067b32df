//! Fairy-Stockfish, where it is installed: the other program for which chess is one game of many. It is only ever run,
//! as a process that speaks UCI.

use std::path::Path;

use crate::bench::contest::{Answer, Request};
use crate::bench::field::Process;
use crate::bench::machine::Machine;
use crate::shell::Done;

/// As it is called in the tables.
pub(crate) const NAME: &str = "fairy-stockfish";

/// The games of ours that it has under the same name and with the same counts.
pub(crate) const GAMES: &[&str] =
    &["almost", "amazon", "capablanca", "chess", "embassy", "gardner", "janus", "knightmate", "losalamos"];

/// The process, and the game it is set to.
pub(crate) struct Fairy {
    process: Process,
    game: String,
}

impl Fairy {
    /// Starts it, if it is there.
    pub(crate) fn enter(machine: &Machine) -> Done<Option<Self>> {
        let path = std::env::var("PATH").unwrap_or_default();
        // Debian puts games where not every shell looks.
        let mut folders = path.split(':').chain(["/usr/games"]);
        let Some(folder) = folders.find(|folder| Path::new(folder).join(NAME).is_file()) else {
            return Ok(None);
        };
        let mut process = Process::start(machine.pinned(&format!("{folder}/{NAME}")))?;
        process.say("uci")?;
        while !process.hear()?.starts_with("uciok") {}
        Ok(Some(Fairy { process, game: String::new() }))
    }

    /// Times its own work from the request to the answer; the process has long started.
    pub(crate) fn ask(&mut self, request: &Request) -> Done<Answer> {
        if self.game != request.game {
            self.game.clone_from(&request.game);
            self.process.say(&format!("setoption name UCI_Variant value {}", request.game))?;
        }
        let position = match request.state.as_str() {
            "start" => "startpos".to_owned(),
            text => format!("fen {text}"),
        };
        self.process.say(&format!("position {position}"))?;
        self.process.say("isready")?;
        while !self.process.hear()?.starts_with("readyok") {}
        let started = self.process.worked()?;
        self.process.say(&format!("go perft {}", request.depth))?;
        loop {
            let line = self.process.hear()?;
            if let Some(nodes) = line.strip_prefix("Nodes searched: ") {
                let seconds = self.process.worked()? - started;
                return if nodes.trim().parse() == Ok(request.nodes) {
                    Ok(Answer { seconds, checks: None })
                } else {
                    Err(format!("{NAME} counts {} for {request:?}", nodes.trim()))
                };
            }
        }
    }
}

impl Drop for Fairy {
    fn drop(&mut self) {
        let _ = self.process.say("quit");
    }
}
