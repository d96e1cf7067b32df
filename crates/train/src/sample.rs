//! Training positions: which facts hold, what the search said, and how the game ended.
//!
//! A position takes a record of a few dozen bytes in a file, little-endian: the key of the position (8 bytes), the score
//! for the player to move in centipawns (2, signed), the result for its side (1: 0 lost, 1 drawn, 2 won), the player to move
//! (1), the number of facts (2), the facts (2 each).

use tabiya_engine::{Player, Position, Rules};
use tabiya_players::Features;

/// A position to learn from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sample {
    pub(crate) key: u64,
    pub(crate) score: i16,
    /// The result for the side of the player to move, in half points.
    pub(crate) result: u8,
    pub(crate) mover: Player,
    pub(crate) facts: Vec<u16>,
}

/// The length of a record without facts.
const HEAD: usize = 14;

impl Sample {
    /// Creates a sample whose result is not known yet.
    pub(crate) fn new(features: &Features, rules: &Rules, position: &Position, score: i16) -> Self {
        let mut words = Vec::new();
        features.write_facts(position, &mut words);
        let bits = |word: u64| (0..64u16).filter(move |bit| word >> bit & 1 == 1);
        let facts = words
            .iter()
            .enumerate()
            .flat_map(|(word, set)| bits(*set).map(move |bit| 64 * word as u16 + bit));
        Sample { key: position.key(), score, result: 1, mover: rules.mover(position), facts: facts.collect() }
    }

    /// Returns the number of pieces on the board.
    pub(crate) fn pieces(&self, features: &Features) -> u32 {
        self.facts.iter().filter(|fact| usize::from(**fact) < 64 * features.piece_words()).count() as u32
    }

    /// Appends the record.
    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        let Sample { key, score, result, mover, facts } = self;
        bytes.extend(key.to_le_bytes());
        bytes.extend(score.to_le_bytes());
        bytes.extend([*result, mover.0]);
        bytes.extend((facts.len() as u16).to_le_bytes());
        bytes.extend(facts.iter().flat_map(|fact| fact.to_le_bytes()));
    }

    /// Reads the first record of `bytes`. Returns it with the rest, or `None` if there is no whole and sound record.
    pub(crate) fn read<'b>(features: &Features, bytes: &'b [u8]) -> Option<(Self, &'b [u8])> {
        let (head, rest) = bytes.split_first_chunk::<HEAD>()?;
        let count = usize::from(u16::from_le_bytes([head[12], head[13]]));
        let (facts, rest) = rest.split_at_checked(2 * count)?;
        let facts: Vec<u16> = facts.as_chunks::<2>().0.iter().map(|fact| u16::from_le_bytes(*fact)).collect();
        let (result, mover) = (head[10], Player(head[11]));
        let is_sound = result <= 2
            && mover.index() < features.players()
            && !features.inputs_of(mover).is_empty()
            && facts.iter().all(|fact| usize::from(*fact) < 64 * features.fact_words());
        let sample = Sample {
            key: u64::from_le_bytes(*head.first_chunk()?),
            score: i16::from_le_bytes([head[8], head[9]]),
            result,
            mover,
            facts,
        };
        is_sound.then_some((sample, rest))
    }
}

/// Many samples as the inputs of a net, in one block of memory.
#[derive(Debug, Default)]
pub(crate) struct Dataset {
    /// The inputs of the player to move and those of the opponent, one after the other, by sample.
    inputs: Vec<u16>,
    /// By sample: where its inputs end.
    ends: Vec<usize>,
    /// By sample.
    labels: Vec<Label>,
}

/// What a net is to learn about a sample.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Label {
    pub(crate) score: f32,
    pub(crate) result: f32,
    pub(crate) bucket: u8,
}

impl Dataset {
    /// Adds a sample with `bucket` as its range of the number of pieces.
    pub(crate) fn push(&mut self, features: &Features, sample: &Sample, bucket: usize) {
        for viewer in [sample.mover, features.opponent(sample.mover)] {
            let map = features.inputs_of(viewer);
            self.inputs.extend(sample.facts.iter().map(|fact| map[usize::from(*fact)]));
        }
        self.ends.push(self.inputs.len());
        let result = f32::from(sample.result) / 2.0;
        self.labels.push(Label { score: f32::from(sample.score), result, bucket: bucket as u8 });
    }

    /// Returns the number of samples.
    pub(crate) fn len(&self) -> usize {
        self.labels.len()
    }

    /// Returns the inputs of both views and the label of a sample.
    pub(crate) fn get(&self, index: usize) -> ([&[u16]; 2], Label) {
        let first = if index == 0 { 0 } else { self.ends[index - 1] };
        let (own, other) = self.inputs[first..self.ends[index]].split_at((self.ends[index] - first) / 2);
        ([own, other], self.labels[index])
    }
}
