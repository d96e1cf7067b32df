//! What stands in for the AVX-512 paths where they are left out: nothing takes them.

use crate::fast::plan::Fast;
use crate::fast::state::State;
use crate::rules::Rules;

/// No tables.
pub(crate) struct Vectors;

#[allow(clippy::unused_self, reason = "the same calls as where there are vectors")]
impl Vectors {
    pub(crate) fn new(_: &Rules, _: &Fast<u64>) -> Self {
        Vectors
    }

    pub(crate) fn perft_singly(&self, _: &Fast<u64>, _: &State<u64, 8>, _: u32) -> Option<u64> {
        None
    }

    pub(crate) fn perft_in_batches(&self, _: &Fast<u64>, _: &State<u64, 8>, _: u32) -> Option<u64> {
        None
    }
}
