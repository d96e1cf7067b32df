//! The folder of a training: its settings and progress (`state.json`), the positions of each generation
//! (`positions-N.bin`) and the best net so far (`best.net`).
//!
//! Positions are appended before the state counts them, and the state is replaced as a whole, so a killed process loses
//! at most the games that it was playing. What a file has beyond the counted bytes is cut off.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tabiya_players::{Features, NetError};

use crate::sample::Sample;
use crate::sprt::MatchScore;

/// Why a training cannot run.
#[derive(Debug)]
pub enum TrainError {
    /// The game cannot have a net, or a net is not one of the game.
    Net(NetError),
    /// A file cannot be read or written.
    File(PathBuf, io::Error),
    /// The folder exists, and the training is a new one.
    Exists(PathBuf),
    /// The folder holds no training, or another one.
    Different(PathBuf, String),
    /// The game gives no positions to learn from.
    NoPositions,
}

tabiya_engine::error_messages! { TrainError:
    TrainError::Net(error) => "{error}";
    TrainError::File(path, error) => "`{}`: {error}", path.display();
    TrainError::Exists(path) => "`{}` holds a training already; continue it with --resume, or remove it", path.display();
    TrainError::Different(path, why) => "`{}` holds another training: {why}", path.display();
    TrainError::NoPositions => "the games gave no positions to learn from; they may be too short or always decided";
}

impl From<NetError> for TrainError {
    fn from(error: NetError) -> Self {
        TrainError::Net(error)
    }
}

/// A finished generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Generation {
    /// Its number, from 1 on.
    pub number: u32,
    /// The number of positions that its games gave.
    pub positions: u64,
    /// The mean squared error of the predictions on positions that were not learned.
    pub loss: f64,
    /// The match against the previous best.
    pub score: MatchScore,
    /// Whether the net is the new best.
    pub accepted: bool,
}

/// What is needed to go on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct TrainingState {
    pub(crate) game: String,
    pub(crate) seed: u64,
    pub(crate) nodes: u64,
    pub(crate) hidden: usize,
    /// The finished generations.
    pub(crate) generations: Vec<Generation>,
    /// The games of the current generation that were played, and what they gave.
    pub(crate) games: u64,
    pub(crate) positions: u64,
    pub(crate) bytes: u64,
    /// The seconds that the training has taken.
    pub(crate) seconds: f64,
}

/// The folder.
#[derive(Clone, Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Opens a folder. A new training needs a new folder; a resumed one must agree with `state` in its settings.
    pub(crate) fn open(
        path: &Path,
        state: TrainingState,
        resume: bool,
    ) -> Result<(Self, TrainingState), TrainError> {
        let folder = Folder(path.to_owned());
        let file = folder.file("state.json");
        if !file.exists() {
            fs::create_dir_all(path).map_err(|error| TrainError::File(path.to_owned(), error))?;
            folder.save(&state)?;
            return Ok((folder, state));
        }
        if !resume {
            return Err(TrainError::Exists(path.to_owned()));
        }
        let known = folder.state()?;
        let settings = |it: &TrainingState| (it.game.clone(), it.seed, it.nodes, it.hidden);
        if settings(&known) != settings(&state) {
            let (game, seed, nodes, hidden) = settings(&known);
            let why = format!("it is of {game} with --seed {seed} --nodes {nodes} --hidden {hidden}");
            return Err(TrainError::Different(path.to_owned(), why));
        }
        folder.cut(&known)?;
        Ok((folder, known))
    }

    /// Opens the folder of a training to read it.
    pub(crate) fn read_only(path: &Path) -> Result<(Self, TrainingState), TrainError> {
        let folder = Folder(path.to_owned());
        let state = folder.state()?;
        Ok((folder, state))
    }

    fn state(&self) -> Result<TrainingState, TrainError> {
        let text = self.read("state.json")?;
        let invalid =
            |error: serde_json::Error| TrainError::Different(self.0.clone(), format!("state.json: {error}"));
        serde_json::from_slice(&text).map_err(invalid)
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn read(&self, name: &str) -> Result<Vec<u8>, TrainError> {
        let path = self.file(name);
        fs::read(&path).map_err(|error| TrainError::File(path, error))
    }

    /// Replaces a file as a whole.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), TrainError> {
        let (path, new) = (self.file(name), self.file(&format!("{name}.new")));
        let written = fs::write(&new, bytes).and_then(|()| fs::rename(&new, &path));
        written.map_err(|error| TrainError::File(path, error))
    }

    pub(crate) fn save(&self, state: &TrainingState) -> Result<(), TrainError> {
        let text = serde_json::to_string_pretty(state).unwrap_or_default();
        self.write("state.json", text.as_bytes())
    }

    /// Appends the positions of some games.
    pub(crate) fn append(&self, generation: u32, bytes: &[u8]) -> Result<(), TrainError> {
        let path = self.file(&positions_name(generation));
        let appended = OpenOptions::new().create(true).append(true).open(&path);
        let appended =
            appended.and_then(|mut file: File| file.write_all(bytes).and_then(|()| file.sync_data()));
        appended.map_err(|error| TrainError::File(path, error))
    }

    /// Removes positions that the state does not count.
    fn cut(&self, state: &TrainingState) -> Result<(), TrainError> {
        let path = self.file(&positions_name(state.generations.len() as u32 + 1));
        if !path.exists() {
            return Ok(());
        }
        let cut = OpenOptions::new().write(true).open(&path);
        let cut = cut.and_then(|file| {
            if file.metadata()?.len() < state.bytes {
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "positions are missing"));
            }
            file.set_len(state.bytes)
        });
        cut.map_err(|error| TrainError::File(path, error))
    }

    /// Reads the positions of a generation, if it has any.
    pub(crate) fn samples(&self, features: &Features, generation: u32) -> Result<Vec<Sample>, TrainError> {
        let name = positions_name(generation);
        if !self.file(&name).exists() {
            return Ok(Vec::new());
        }
        let bytes = self.read(&name)?;
        let (mut rest, mut samples) = (&bytes[..], Vec::new());
        while !rest.is_empty() {
            let Some((sample, more)) = Sample::read(features, rest) else {
                let why = format!("{name} is damaged");
                return Err(TrainError::Different(self.0.clone(), why));
            };
            samples.push(sample);
            rest = more;
        }
        Ok(samples)
    }
}

fn positions_name(generation: u32) -> String {
    format!("positions-{generation}.bin")
}
