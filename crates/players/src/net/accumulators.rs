//! The first layer of a net for the positions on the path of a search, updated from one position to the next.
//!
//! Each entry keeps the facts from which its sums were computed. A new position is compared with the entry of its parent and
//! with the last position at its own distance from the root, and the sums follow from the nearer one. So sums do
//! not depend on what was evaluated before, and no move needs to be described.

use tabiya_engine::{Player, Position};

use super::Net;
use super::features::NO_INPUT;
use super::kernels::Kernels;

/// The sums of the first layer, by distance from the root and viewer.
#[derive(Clone, Debug)]
pub(crate) struct Accumulators {
    kernels: Kernels,
    /// By distance from the root times the number of players, plus the player.
    entries: Vec<Entry>,
    facts: Vec<u64>,
    add: Vec<u16>,
    subtract: Vec<u16>,
    /// The sums of the previous entry while a new one is computed.
    spare: Vec<i16>,
}

/// The sums for one viewer.
#[derive(Clone, Debug, Default)]
struct Entry {
    /// Empty if nothing has been computed.
    facts: Vec<u64>,
    sums: Vec<i16>,
}

impl Default for Accumulators {
    fn default() -> Self {
        Accumulators::with(Kernels::detect())
    }
}

impl Accumulators {
    pub(super) fn with(kernels: Kernels) -> Self {
        let (entries, facts, add, subtract, spare) = Default::default();
        Accumulators { kernels, entries, facts, add, subtract, spare }
    }

    /// Evaluates a position for a player against the other side, in centipawns. `ply` is the distance from the root.
    pub(crate) fn evaluate(&mut self, net: &Net, position: &Position, ply: usize, player: Player) -> i32 {
        let players = net.features.players();
        if self.entries.len() < (ply + 1) * players {
            self.entries.resize_with((ply + 1) * players, Entry::default);
        }
        let mut facts = std::mem::take(&mut self.facts);
        net.features.write_facts(position, &mut facts);
        let bucket = net.bucket(&facts);
        let views = [player, net.features.opponent(player)];
        let mut sum = 0;
        for (view, weights) in views.into_iter().zip(net.output_rows(bucket)) {
            self.refresh(net, &facts, ply, view);
            sum += self.kernels.output(&self.entries[ply * players + view.index()].sums, weights);
        }
        self.facts = facts;
        net.score(sum, bucket)
    }

    /// Computes the sums of a viewer.
    fn refresh(&mut self, net: &Net, facts: &[u64], ply: usize, viewer: Player) {
        let players = net.features.players();
        let at = ply * players + viewer.index();
        let distance = |entry: &Entry| {
            let known = entry.facts.len() == facts.len();
            known.then(|| {
                entry.facts.iter().zip(facts).map(|(old, new)| (old ^ new).count_ones()).sum::<u32>()
            })
        };
        let all: u32 = facts.iter().map(|word| word.count_ones()).sum();
        let own = distance(&self.entries[at]).unwrap_or(u32::MAX);
        let parents = at.checked_sub(players).and_then(|parent| distance(&self.entries[parent]));
        let parents = parents.unwrap_or(u32::MAX);
        if own == 0 {
            return;
        }
        let (before, rest) = self.entries.split_at_mut(at);
        let entry = &mut rest[0];
        let inputs = net.features.inputs_of(viewer);
        let changes = (&mut self.add, &mut self.subtract);
        if all <= own.min(parents) {
            list_changes(&[], facts, inputs, changes);
            entry.sums.resize(net.weights.hidden, 0);
            self.kernels.update(&net.weights.input_bias, &mut entry.sums, &net.weights.input, &self.add, &[]);
        } else if parents < own {
            let parent = &before[at - players];
            list_changes(&parent.facts, facts, inputs, changes);
            entry.sums.resize(net.weights.hidden, 0);
            self.kernels.update(&parent.sums, &mut entry.sums, &net.weights.input, &self.add, &self.subtract);
        } else {
            list_changes(&entry.facts, facts, inputs, changes);
            self.spare.clone_from(&entry.sums);
            self.kernels.update(&self.spare, &mut entry.sums, &net.weights.input, &self.add, &self.subtract);
        }
        entry.facts.clear();
        entry.facts.extend_from_slice(facts);
    }
}

/// Lists the inputs that differ: those to add and those to subtract. Facts before the change may be left out.
fn list_changes(before: &[u64], facts: &[u64], inputs: &[u16], lists: (&mut Vec<u16>, &mut Vec<u16>)) {
    let (add, subtract) = lists;
    add.clear();
    subtract.clear();
    for (word, new) in facts.iter().enumerate() {
        let old = before.get(word).copied().unwrap_or(0);
        push_inputs(new & !old, &inputs[word * 64..], add);
        push_inputs(old & !new, &inputs[word * 64..], subtract);
    }
}

fn push_inputs(mut bits: u64, inputs: &[u16], list: &mut Vec<u16>) {
    while bits != 0 {
        let input = inputs[bits.trailing_zeros() as usize];
        if input != NO_INPUT {
            list.push(input);
        }
        bits &= bits - 1;
    }
}
