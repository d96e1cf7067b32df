//! Training positions for other programs: one file with the records of all generations, and one that describes them.

use std::path::Path;

use serde_json::json;
use tabiya_engine::{Player, Rules};
use tabiya_players::{Features, Net};

use crate::folder::{Folder, TrainError};

/// What was exported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The number of positions.
    pub positions: u64,
}

/// Writes `positions.bin` and `positions.json` with the positions of a training into a folder.
/// `python/examples/train_nnue.py` reads them.
///
/// # Errors
/// Fails if the training is of another game, or a file cannot be read or written.
pub fn export(rules: &Rules, training: &Path, to: &Path) -> Result<Exported, TrainError> {
    let (folder, state) = Folder::read_only(training)?;
    let hash = hash_text(rules);
    if state.game != hash {
        let why = format!("it is of the game {}, and this game is {hash}", state.game);
        return Err(TrainError::Different(training.to_owned(), why));
    }
    let features = Features::of(rules)?;
    let (mut bytes, mut positions) = (Vec::new(), 0);
    for generation in 1..=state.generations.len() as u32 + 1 {
        for sample in folder.samples(&features, generation)? {
            sample.write(&mut bytes);
            positions += 1;
        }
    }
    let players = (0..features.players() as u8).map(Player);
    let description = json!({
        "game": state.game,
        "positions": positions,
        "record": "u64 key, i16 score, u8 result in half points, u8 player to move, u16 count, u16 facts",
        "inputs": features.inputs(),
        "most_pieces": rules.start().piece_count(),
        "piece_facts": 64 * features.piece_words(),
        "buckets": Net::BUCKETS,
        "input_scale": Net::INPUT_SCALE,
        "output_scale": Net::OUTPUT_SCALE,
        "centipawns": Net::CENTIPAWNS,
        "inputs_of": players.clone().map(|player| features.inputs_of(player).to_vec()).collect::<Vec<_>>(),
        "opponents": players.map(|player| features.opponent(player).0).collect::<Vec<_>>(),
    });
    let file = |name: &str, content: &[u8]| {
        let path = to.join(name);
        std::fs::write(&path, content).map_err(|error| TrainError::File(path, error))
    };
    std::fs::create_dir_all(to).map_err(|error| TrainError::File(to.to_owned(), error))?;
    file("positions.bin", &bytes)?;
    file("positions.json", description.to_string().as_bytes())?;
    Ok(Exported { positions })
}

/// Returns the content hash of a game as text.
pub(crate) fn hash_text(rules: &Rules) -> String {
    let hash = rules.content_hash().unwrap_or_default();
    hash.iter().fold("sha256:".to_owned(), |text, byte| text + &format!("{byte:02x}"))
}
