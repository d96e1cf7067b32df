//! The hash table of the solver: for each position with the attacker to move, known wins and refutations.

/// A table with one slot per index; new positions replace old ones. Empty slots are all zeros, so that unused memory is
/// never touched.
pub(super) struct ProofTable {
    keys: Vec<u64>,
    /// The fewest moves known to win, and the most moves known not to; 0 if unknown.
    known: Vec<[u8; 2]>,
}

impl ProofTable {
    const MAX_SLOTS: u64 = 1 << 22;

    /// Creates a table for a node limit.
    pub(super) fn new(nodes: u64) -> Self {
        let slots = nodes.clamp(1 << 10, Self::MAX_SLOTS).next_power_of_two() as usize;
        ProofTable { keys: vec![0; slots], known: vec![[0; 2]; slots] }
    }

    /// Returns whether there is a win in `moves` moves, if known.
    pub(super) fn probe(&self, key: u64, moves: u32) -> Option<bool> {
        let slot = self.slot(key);
        let [won, refuted] = self.known[slot].map(u32::from);
        match key == self.keys[slot] {
            true if won > 0 && won <= moves => Some(true),
            true if refuted >= moves => Some(false),
            _ => None,
        }
    }

    /// Stores whether there is a win in `moves` moves; at least one.
    pub(super) fn store(&mut self, key: u64, moves: u32, is_won: bool) {
        let slot = self.slot(key);
        if self.keys[slot] != key {
            (self.keys[slot], self.known[slot]) = (key, [0; 2]);
        }
        let [won, refuted] = &mut self.known[slot];
        let moves = moves as u8;
        match is_won {
            true if *won == 0 || moves < *won => *won = moves,
            true => {}
            false => *refuted = moves.max(*refuted),
        }
    }

    fn slot(&self, key: u64) -> usize {
        key as usize & (self.keys.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_win_in_few_moves_is_a_win_in_more() {
        let mut table = ProofTable::new(0);
        table.store(7, 3, true);
        table.store(7, 1, false);
        let known: Vec<_> = (1..5).map(|moves| table.probe(7, moves)).collect();
        assert_eq!(known, [Some(false), None, Some(true), Some(true)]);
        assert_eq!(table.probe(8, 3), None);
    }
}
