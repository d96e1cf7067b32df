//! Replaces the AVX-512 backends where they are not compiled. It supports nothing.

use crate::movegen::fast::state::State;
use crate::movegen::fast::tables::FastTables;
use crate::rules::Rules;

/// An empty set of tables.
pub(crate) struct Vectors;

#[allow(clippy::unused_self, reason = "same signatures as the real tables")]
impl Vectors {
    pub(crate) fn new(_: &Rules, _: &FastTables<u64>) -> Self {
        Vectors
    }

    pub(crate) fn perft_by_direction(&self, _: &FastTables<u64>, _: &State<u64, 8>, _: u32) -> Option<u64> {
        None
    }

    pub(crate) fn perft_in_batches(&self, _: &FastTables<u64>, _: &State<u64, 8>, _: u32) -> Option<u64> {
        None
    }
}
