//! Fairy-Stockfish, if it is installed: another program that plays many games from a configuration. It runs as a UCI
//! process.

use std::path::Path;

use crate::bench::comparison::{Answer, Request};
use crate::bench::engines::Process;
use crate::bench::machine::Machine;
use crate::shell::Result;

/// Its name in the plan.
pub(crate) const NAME: &str = "fairy-stockfish";

/// Games that both have, with the same counts: our name and its name.
const GAMES: [(&str, &str); 19] = [
    ("almost", "almost"),
    ("amazon", "amazon"),
    ("antichess", "antichess"),
    ("breakthrough", "breakthrough"),
    ("capablanca", "capablanca"),
    ("chess", "chess"),
    ("crazyhouse", "crazyhouse"),
    ("embassy", "embassy"),
    ("gardner", "gardner"),
    ("horde", "horde"),
    ("janus", "janus"),
    ("kinglet", "kinglet"),
    ("knightmate", "knightmate"),
    ("losalamos", "losalamos"),
    ("makruk", "makruk"),
    ("minishogi", "minishogi"),
    ("shogi", "shogi"),
    ("threecheck", "3check"),
    ("xiangqi", "xiangqi"),
];

/// Returns its name of a game that both have.
pub(crate) fn variant(game: &str) -> Option<&'static str> {
    GAMES.iter().find(|(ours, _)| *ours == game).map(|(_, theirs)| *theirs)
}

/// The process and its current variant.
pub(crate) struct Fairy {
    process: Process,
    game: String,
}

impl Fairy {
    /// Starts it, if it is installed.
    pub(crate) fn start(machine: &Machine) -> Result<Option<Self>> {
        let path = std::env::var("PATH").unwrap_or_default();
        // Debian's folder for games is not always in `PATH`.
        let mut folders = path.split(':').chain(["/usr/games"]);
        let Some(folder) = folders.find(|folder| Path::new(folder).join(NAME).is_file()) else {
            return Ok(None);
        };
        let mut process = Process::start(machine.pinned(&format!("{folder}/{NAME}")))?;
        process.send("uci")?;
        while !process.receive()?.starts_with("uciok") {}
        Ok(Some(Fairy { process, game: String::new() }))
    }

    /// Runs a perft and measures its CPU time.
    pub(crate) fn perft(&mut self, request: &Request) -> Result<Answer> {
        if self.game != request.game {
            self.game.clone_from(&request.game);
            let variant = variant(&request.game).ok_or(format!("{NAME} does not have {}", request.game))?;
            self.process.send(&format!("setoption name UCI_Variant value {variant}"))?;
        }
        let position = match request.state.as_str() {
            "start" => "startpos".to_owned(),
            text => format!("fen {text}"),
        };
        self.process.send(&format!("position {position}"))?;
        self.process.send("isready")?;
        while !self.process.receive()?.starts_with("readyok") {}
        let started = self.process.cpu_seconds()?;
        self.process.send(&format!("go perft {}", request.depth))?;
        loop {
            let line = self.process.receive()?;
            if let Some(nodes) = line.strip_prefix("Nodes searched: ") {
                let seconds = self.process.cpu_seconds()? - started;
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
        let _ = self.process.send("quit");
    }
}
