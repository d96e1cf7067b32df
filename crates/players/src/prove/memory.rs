//! What a proof remembers: of each position in which the attacker is to move, in how many moves a win is known, and in how
//! many there is none. Both are true of every task, so nothing is ever forgotten but for want of room.

/// A table with one place for many positions, which the latest takes. An empty place is all zeros, so that places which
/// nobody uses cost nothing.
pub(super) struct Memory {
    keys: Vec<u64>,
    /// A win in so many moves, and so in more of them; and no win in so many, and so in fewer of them. 0 if nothing is
    /// known.
    known: Vec<[u8; 2]>,
}

impl Memory {
    const MOST_PLACES: u64 = 1 << 22;

    /// As large as so many positions need, within reason.
    pub(super) fn new(nodes: u64) -> Self {
        let places = nodes.clamp(1 << 10, Self::MOST_PLACES).next_power_of_two() as usize;
        Memory { keys: vec![0; places], known: vec![[0; 2]; places] }
    }

    /// Whether there is a win in so many moves, if that is known.
    pub(super) fn recall(&self, key: u64, moves: u32) -> Option<bool> {
        let place = self.place(key);
        let [won, refuted] = self.known[place].map(u32::from);
        match key == self.keys[place] {
            true if won > 0 && won <= moves => Some(true),
            true if refuted >= moves => Some(false),
            _ => None,
        }
    }

    /// At least one move.
    pub(super) fn keep(&mut self, key: u64, moves: u32, is_won: bool) {
        let place = self.place(key);
        if self.keys[place] != key {
            (self.keys[place], self.known[place]) = (key, [0; 2]);
        }
        let [won, refuted] = &mut self.known[place];
        let moves = moves as u8;
        match is_won {
            true if *won == 0 || moves < *won => *won = moves,
            true => {}
            false => *refuted = moves.max(*refuted),
        }
    }

    fn place(&self, key: u64) -> usize {
        key as usize & (self.keys.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_for_few_moves_holds_for_more() {
        let mut memory = Memory::new(0);
        memory.keep(7, 3, true);
        memory.keep(7, 1, false);
        let known: Vec<_> = (1..5).map(|moves| memory.recall(7, moves)).collect();
        assert_eq!(known, [Some(false), None, Some(true), Some(true)]);
        assert_eq!(memory.recall(8, 3), None);
    }
}
