//! The paths for machines with AVX-512: all directions of a position at once ([`compass`]), and eight positions at once
//! ([`vector`]).
//!
//! # Safety
//! Everything here is compiled for the instructions that [`detected`] asks for. The tables of both paths are made only
//! after it has answered yes, and nothing can be counted without them; so that they exist is the proof.

mod batch;
mod compass;
mod lanes;
mod vector;

use compass::Compass;
use lanes::Narrow;
use vector::Vector;

use crate::fast::pext;
use crate::fast::plan::Fast;
use crate::rules::Rules;

/// Whether the machine has what this module is compiled for.
fn detected() -> bool {
    pext::detected()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vpopcntdq")
}

/// The tables of both paths, each if machine and game are for it.
pub(crate) struct Vectors {
    compass: Option<Compass>,
    vector: Option<Vector>,
}

impl Vectors {
    pub(crate) fn new(rules: &Rules, fast: &Fast<u64>) -> Self {
        if detected() {
            Vectors { compass: Compass::new(rules, fast), vector: Vector::new(rules, fast) }
        } else {
            Vectors { compass: None, vector: None }
        }
    }

    /// Counts positions, the last move of each with all its directions at once.
    pub(crate) fn perft_singly(&self, fast: &Fast<u64>, state: &Narrow, depth: u32) -> Option<u64> {
        self.compass.as_ref().map(|compass| compass.perft(fast, state, depth))
    }

    /// Counts positions, the last move of eight at once.
    pub(crate) fn perft_in_batches(&self, fast: &Fast<u64>, state: &Narrow, depth: u32) -> Option<u64> {
        let vector = self.vector.as_ref().filter(|vector| vector.accepts(state))?;
        Some(batch::perft(fast, vector, state, depth))
    }
}
