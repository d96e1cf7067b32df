//! The backends for AVX-512: all directions of a position at once ([`direction_lanes`]), and eight positions at once
//! ([`position_lanes`]).
//!
//! # Safety
//!
//! Everything here is compiled for the instructions that [`detected`] tests. The tables of both backends are created
//! only if it returns `true`, and nothing can be counted without them.

mod batch;
mod direction_lanes;
mod lanes;
mod position_lanes;

use direction_lanes::DirectionLanes;
use lanes::Narrow;
use position_lanes::PositionLanes;

use crate::movegen::fast::pext;
use crate::movegen::fast::tables::FastTables;
use crate::rules::Rules;

/// Returns whether the machine has the instructions that this module is compiled for.
fn detected() -> bool {
    pext::detected()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vpopcntdq")
}

/// The tables of both backends, each if the machine and the game support it.
pub(crate) struct Vectors {
    direction_lanes: Option<DirectionLanes>,
    vector: Option<PositionLanes>,
}

impl Vectors {
    pub(crate) fn new(rules: &Rules, fast: &FastTables<u64>) -> Self {
        if detected() {
            Vectors {
                direction_lanes: DirectionLanes::new(rules, fast),
                vector: PositionLanes::new(rules, fast),
            }
        } else {
            Vectors { direction_lanes: None, vector: None }
        }
    }

    /// Counts move paths, with all directions of each position at once.
    pub(crate) fn perft_by_direction(
        &self,
        fast: &FastTables<u64>,
        state: &Narrow,
        depth: u32,
    ) -> Option<u64> {
        self.direction_lanes.as_ref().map(|direction_lanes| direction_lanes.perft(fast, state, depth))
    }

    /// Counts move paths, with the last move of eight positions at once.
    pub(crate) fn perft_in_batches(&self, fast: &FastTables<u64>, state: &Narrow, depth: u32) -> Option<u64> {
        let vector = self.vector.as_ref().filter(|vector| vector.accepts(state))?;
        Some(batch::perft(fast, vector, state, depth))
    }
}
