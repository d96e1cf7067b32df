//! An efficiently updatable net, which evaluates positions of one game in place of the derived evaluation.
//!
//! Its inputs follow from the rules ([`Features`]), so every game with two sides can have a net. The first layer sums one
//! row of weights for each input that is on, once from the view of the player to move and once from that of the next
//! opponent; both use the same weights. The output is a weighted sum of the squared, clipped sums, with separate weights
//! for each range of the number of pieces. All arithmetic is on integers.
//!
//! A net is made by `tabiya train` and belongs to the rules with one content hash. [`Net::bundled`] finds those that come
//! with the program.

mod accumulators;
mod bundled;
mod features;
mod file;
mod kernels;

#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

use tabiya_engine::{Position, Rules};

pub(crate) use accumulators::Accumulators;
pub use features::Features;

/// The net of a game. Cloning copies all weights; share it in an [`Arc`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Net {
    features: Features,
    weights: NetWeights,
    hash: [u8; 32],
    provenance: String,
}

/// The integers of a net.
///
/// A neuron that is fully on has the value 255; weights of the output count in sixty-fourths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetWeights {
    /// The number of neurons for each view; a multiple of 32 up to [`Net::MAX_HIDDEN`].
    pub hidden: usize,
    /// The number of pieces at which the last of the [`Net::BUCKETS`] ranges ends: usually that of the start.
    pub most_pieces: u16,
    /// By input: `hidden` weights.
    pub input: Vec<i16>,
    /// By neuron.
    pub input_bias: Vec<i16>,
    /// By range, view (the player's, the opponent's) and neuron.
    pub output: Vec<i8>,
    /// By range, in units of the output.
    pub output_bias: Vec<i32>,
}

/// Which net a player uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum NetChoice {
    /// The one that comes with the program, if there is one for the game.
    #[default]
    Bundled,
    /// None: positions are evaluated by rules of thumb that are derived from the rules.
    Nothing,
    /// This one, in the game that it belongs to.
    Given(Arc<Net>),
}

/// Why a net cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetError {
    /// It does not begin like a net.
    NotANet,
    /// The format is newer or older than this program.
    Version(u16),
    /// It ends too early, or goes on after its end.
    Length {
        /// The bytes that it should have.
        expected: usize,
        /// The bytes that it has.
        found: usize,
    },
    /// The checksum does not match.
    Damaged,
    /// A number is outside its range.
    Invalid(&'static str),
    /// It belongs to another game.
    OtherGame {
        /// The hash that the net carries.
        net: String,
        /// The hash of the rules.
        game: String,
    },
    /// The game cannot have a net.
    Unsupported(&'static str),
}

tabiya_engine::error_messages! { NetError:
    NetError::NotANet => "this is not a net";
    NetError::Version(version) => "the net has format {version}; this program reads format {}", file::VERSION;
    NetError::Length { expected, found } => "the net should have {expected} bytes and has {found}";
    NetError::Damaged => "the net is damaged: its checksum does not match";
    NetError::Invalid(what) => "the net is invalid: {what}";
    NetError::OtherGame { net, game } => "the net was made for the game {net}, and this game is {game}";
    NetError::Unsupported(why) => "{why}";
}

impl Net {
    /// The greatest number of neurons for each view.
    pub const MAX_HIDDEN: usize = 512;
    /// The number of ranges of the number of pieces, each with its own weights of the output.
    pub const BUCKETS: usize = 8;
    /// The value of a neuron that is fully on.
    pub const INPUT_SCALE: i32 = kernels::ONE as i32;
    /// The value of a weight of one in the output.
    pub const OUTPUT_SCALE: i32 = 64;
    /// The centipawns that correspond to an output of one.
    pub const CENTIPAWNS: i32 = 400;
    /// The greatest absolute score in centipawns.
    const MAX_SCORE: i32 = 30_000;

    /// Creates the net of a game from its weights.
    ///
    /// # Errors
    /// Fails if the numbers do not fit together or the game cannot have a net.
    pub fn new(rules: &Rules, weights: NetWeights, provenance: &str) -> Result<Net, NetError> {
        let hash = rules.content_hash().ok_or(NetError::Unsupported("rules without a file have no net"))?;
        let features = Features::of(rules)?;
        weights.check(&features)?;
        if provenance.len() > file::MAX_PROVENANCE {
            return Err(NetError::Invalid("its provenance is too long"));
        }
        Ok(Net { features, weights, hash, provenance: provenance.to_owned() })
    }

    /// Reads the net of a game from the bytes of a file.
    ///
    /// # Errors
    /// Fails for anything that is not a whole net of this game.
    pub fn read(rules: &Rules, bytes: &[u8]) -> Result<Net, NetError> {
        file::read(rules, bytes)
    }

    /// Returns the bytes of a file with the net.
    pub fn to_bytes(&self) -> Vec<u8> {
        file::write(self)
    }

    /// Returns the net for a game that comes with the program.
    pub fn bundled(rules: &Rules) -> Option<Arc<Net>> {
        bundled::find(rules)
    }

    /// Whether bytes begin like a net.
    pub fn is_net(bytes: &[u8]) -> bool {
        bytes.starts_with(&file::MAGIC)
    }

    /// Whether the net was made for these rules.
    pub fn belongs_to(&self, rules: &Rules) -> bool {
        rules.content_hash() == Some(self.hash)
    }

    /// How the net was made.
    pub fn provenance(&self) -> &str {
        &self.provenance
    }

    /// Returns the weights.
    pub fn weights(&self) -> &NetWeights {
        &self.weights
    }

    /// Returns the inputs.
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// Evaluates a position for the player to move, in centipawns. The position must be one of the game's.
    pub fn evaluate(&self, rules: &Rules, position: &Position) -> i32 {
        Accumulators::default().evaluate(self, position, 0, rules.mover(position))
    }

    /// Returns the range that a number of pieces belongs to.
    pub fn bucket_of(pieces: u32, most_pieces: u16) -> usize {
        let bucket = pieces.saturating_sub(1) as usize * Self::BUCKETS / usize::from(most_pieces.max(1));
        bucket.min(Self::BUCKETS - 1)
    }

    fn bucket(&self, facts: &[u64]) -> usize {
        Self::bucket_of(self.features.pieces(facts), self.weights.most_pieces)
    }

    /// Returns the weights of the output for both views.
    fn output_rows(&self, bucket: usize) -> [&[i8]; 2] {
        let hidden = self.weights.hidden;
        let (own, other) = self.weights.output[2 * bucket * hidden..][..2 * hidden].split_at(hidden);
        [own, other]
    }

    /// Converts a sum of the output to centipawns.
    fn score(&self, sum: i32, bucket: usize) -> i32 {
        let sum = i64::from(sum / Self::INPUT_SCALE) + i64::from(self.weights.output_bias[bucket]);
        let one = i64::from(Self::INPUT_SCALE * Self::OUTPUT_SCALE);
        let score = sum * i64::from(Self::CENTIPAWNS) / one;
        score.clamp(i64::from(-Self::MAX_SCORE), i64::from(Self::MAX_SCORE)) as i32
    }
}

impl fmt::Display for NetChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetChoice::Bundled => f.write_str("bundled"),
            NetChoice::Nothing => f.write_str("none"),
            NetChoice::Given(net) => write!(f, "{:016x}", file::checksum_of(net)),
        }
    }
}

impl NetChoice {
    /// Returns the net to use in a game.
    pub(crate) fn resolve(&self, rules: &Rules) -> Option<Arc<Net>> {
        match self {
            NetChoice::Bundled => Net::bundled(rules),
            NetChoice::Nothing => None,
            NetChoice::Given(net) => net.belongs_to(rules).then(|| net.clone()),
        }
    }
}

impl NetWeights {
    /// Checks the dimensions, and that no sum of the output can overflow.
    fn check(&self, features: &Features) -> Result<(), NetError> {
        let NetWeights { hidden, most_pieces, input, input_bias, output, output_bias } = self;
        let hidden = *hidden;
        if hidden == 0 || !hidden.is_multiple_of(kernels::BLOCK) || hidden > Net::MAX_HIDDEN {
            return Err(NetError::Invalid("the number of neurons must be a multiple of 32 up to 512"));
        }
        if *most_pieces == 0 {
            return Err(NetError::Invalid("the number of pieces must not be zero"));
        }
        let lengths = [input.len(), input_bias.len(), output.len(), output_bias.len()];
        if lengths != [features.inputs() * hidden, hidden, 2 * Net::BUCKETS * hidden, Net::BUCKETS] {
            return Err(NetError::Invalid("its layers do not fit the game"));
        }
        let greatest = Net::INPUT_SCALE * Net::INPUT_SCALE;
        let is_small = |row: &[i8]| {
            let total: i64 = row.iter().map(|weight| i64::from(weight.unsigned_abs())).sum();
            total * i64::from(greatest) <= i64::from(i32::MAX)
        };
        if output.contains(&i8::MIN) || !output.chunks(2 * hidden).all(is_small) {
            return Err(NetError::Invalid("the weights of its output are too large"));
        }
        Ok(())
    }
}
