//! Counting positions on several threads, with memory of what was counted before.
//!
//! The tree is cut two moves below its root, and threads take the pieces from one queue, so that no thread waits long
//! for another. The queue holds the pieces below one move at a time: a wide game on a large board has millions.

mod crew;
mod queue;
mod table;

use std::sync::atomic::{AtomicBool, Ordering};

use tabiya_engine::{Move, Position, Rules};

use crew::crew;
use queue::Queue;
pub(crate) use table::Table;

/// How to count.
#[derive(Debug)]
pub(crate) struct Plan {
    /// How many moves deep.
    pub(crate) depth: u32,
    /// On how many threads, if the system gives so many.
    pub(crate) threads: usize,
    /// What was counted before, if it is to be remembered.
    pub(crate) table: Option<Table>,
}

/// The count is larger than 64 bits can hold.
#[derive(Debug)]
pub(crate) struct TooMany;

/// Told about each piece of the tree that has been counted: at which of the first moves it hangs, and its count.
pub(crate) type Progress<'a> = &'a (dyn Fn(usize, u64) + Sync);

/// How many ways lead to a position `depth` moves on. It is the same number as [`Rules::perft`] gives.
pub(crate) fn count(
    rules: &Rules,
    position: &Position,
    plan: &Plan,
    progress: Progress<'_>,
) -> Result<u64, TooMany> {
    if plan.depth <= 2 {
        return Ok(rules.perft(position, plan.depth));
    }
    divide(rules, position, plan, progress)?
        .into_iter()
        .try_fold(0u64, |sum, (_, nodes)| sum.checked_add(nodes))
        .ok_or(TooMany)
}

/// The count below each legal move.
pub(crate) fn divide(
    rules: &Rules,
    position: &Position,
    plan: &Plan,
    progress: Progress<'_>,
) -> Result<Vec<(Move, u64)>, TooMany> {
    match plan.depth {
        0 => return Ok(Vec::new()),
        1 | 2 => return Ok(rules.divide(position, plan.depth)),
        _ => {}
    }
    let moves = rules.legal_moves(position);
    let queue = Queue::new(rules, position, &moves);
    let stop = AtomicBool::new(false);
    let worker = Worker { rules, plan, progress, queue: &queue, stop: &stop };
    let mut nodes = vec![0u64; moves.len()];
    for share in crew(plan.threads, || worker.work(moves.len())) {
        for (sum, part) in nodes.iter_mut().zip(share.ok_or(TooMany)?) {
            *sum = sum.checked_add(part).ok_or(TooMany)?;
        }
    }
    Ok(moves.into_iter().zip(nodes).collect())
}

/// One thread's part.
struct Worker<'a> {
    rules: &'a Rules,
    plan: &'a Plan,
    progress: Progress<'a>,
    queue: &'a Queue<'a>,
    /// Set when one thread has more than can be counted: the others need not go on.
    stop: &'a AtomicBool,
}

impl Worker<'_> {
    /// Counts until the queue is empty: by first move, what this thread has found.
    fn work(&self, moves: usize) -> Option<Vec<u64>> {
        let mut found = vec![0u64; moves];
        while let Some((first, position)) = self.queue.take() {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            let nodes = self.below(&position, self.plan.depth - 2);
            let sum = nodes.and_then(|nodes| found[first].checked_add(nodes));
            let (Some(nodes), Some(sum)) = (nodes, sum) else {
                self.stop.store(true, Ordering::Relaxed);
                return None;
            };
            found[first] = sum;
            (self.progress)(first, nodes);
        }
        Some(found)
    }

    /// The count below a position; `None` if it is too large.
    fn below(&self, position: &Position, depth: u32) -> Option<u64> {
        let Some(table) = &self.plan.table else { return Some(self.rules.perft(position, depth)) };
        if depth <= 1 {
            return Some(self.rules.perft(position, depth));
        }
        if let Some(nodes) = table.get(position.key(), depth) {
            return Some(nodes);
        }
        let nodes = if depth == 2 {
            self.rules.perft(position, depth)
        } else {
            self.rules.legal_moves(position).into_iter().try_fold(0u64, |sum, played| {
                sum.checked_add(self.below(&self.rules.play_unchecked(position, played), depth - 1)?)
            })?
        };
        table.put(position.key(), depth, nodes);
        Some(nodes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(name: &str) -> std::sync::Arc<Rules> {
        tabiya_spec::library::load(name).expect("a library game").rules
    }

    fn plan(depth: u32, threads: usize, megabytes: usize) -> Plan {
        let table = (megabytes > 0).then(|| Table::new(megabytes).expect("memory"));
        Plan { depth, threads, table }
    }

    #[test]
    fn every_way_of_counting_gives_the_same_number() {
        for game in ["chess", "trefoil"] {
            let rules = rules(game);
            let start = rules.start();
            for depth in 0..=4 {
                let expected = rules.perft(&start, depth);
                for (threads, megabytes) in [(1, 0), (1, 1), (3, 0), (3, 1)] {
                    let counted = count(&rules, &start, &plan(depth, threads, megabytes), &|_, _| {});
                    assert_eq!(counted.ok(), Some(expected), "{game} {depth} {threads} {megabytes}");
                }
            }
        }
    }

    #[test]
    fn dividing_gives_the_parts_of_the_sum() {
        let rules = rules("chess");
        let start = rules.start();
        let parts = divide(&rules, &start, &plan(3, 2, 1), &|_, _| {}).expect("few enough");
        assert_eq!(parts, rules.divide(&start, 3));
    }

    #[test]
    fn progress_hears_of_every_node() {
        let rules = rules("chess");
        let heard = std::sync::atomic::AtomicU64::new(0);
        let progress = |_: usize, nodes: u64| {
            heard.fetch_add(nodes, Ordering::Relaxed);
        };
        let counted = count(&rules, &rules.start(), &plan(4, 2, 0), &progress);
        assert_eq!(counted.ok(), Some(197_281));
        assert_eq!(heard.into_inner(), 197_281);
    }
}
