//! Perft on several threads, with a transposition table.
//!
//! The tree is split two moves below the root, and threads take subtrees from one shared iterator, so that no thread waits
//! long for another. Subtrees are generated as they are taken: a wide game on a large board has millions.

mod perft_table;

use std::hint::black_box;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use tabiya_engine::{Move, Position, Rules};

pub(crate) use perft_table::PerftTable;

/// How to count.
#[derive(Debug)]
pub(crate) struct PerftOptions {
    /// Depth in moves.
    pub(crate) depth: u32,
    /// Number of threads. Fewer are used if the system does not provide them.
    pub(crate) threads: usize,
    pub(crate) table: Option<PerftTable>,
}

/// The count does not fit into 64 bits.
#[derive(Debug)]
pub(crate) struct CountOverflow;

/// Called for each subtree that has been counted, with the index of its first move and its count.
pub(crate) type OnSubtree<'a> = &'a (dyn Fn(usize, u64) + Sync);

/// Counts legal move paths of length `depth`, as [`Rules::perft`] does.
pub(crate) fn perft(
    rules: &Rules,
    position: &Position,
    options: &PerftOptions,
    on_subtree: OnSubtree<'_>,
) -> Result<u64, CountOverflow> {
    if options.depth <= 2 {
        return Ok(rules.perft(position, options.depth));
    }
    sum(&divide(rules, position, options, on_subtree)?)
}

/// Adds up the counts of [`divide`].
pub(crate) fn sum(counts: &[(Move, u64)]) -> Result<u64, CountOverflow> {
    counts.iter().try_fold(0u64, |sum, (_, nodes)| sum.checked_add(*nodes)).ok_or(CountOverflow)
}

/// Counts the paths below each legal move, as [`Rules::divide`] does.
pub(crate) fn divide(
    rules: &Rules,
    position: &Position,
    options: &PerftOptions,
    on_subtree: OnSubtree<'_>,
) -> Result<Vec<(Move, u64)>, CountOverflow> {
    match options.depth {
        0 => return Ok(Vec::new()),
        1 | 2 => return Ok(rules.divide(position, options.depth)),
        _ => {}
    }
    let moves = rules.legal_moves(position);
    let subtrees = Mutex::new(moves.iter().enumerate().flat_map(|(index, first)| {
        let after_first = rules.play_unchecked(position, *first);
        let replies = rules.legal_moves(&after_first);
        replies.into_iter().map(move |reply| (index, rules.play_unchecked(&after_first, reply)))
    }));
    let next = || subtrees.lock().expect("workers do not panic").next();
    let has_overflowed = AtomicBool::new(false);
    let work = || {
        let mut counts = vec![0u64; moves.len()];
        while !has_overflowed.load(Ordering::Relaxed)
            && let Some((index, subtree)) = next()
        {
            let nodes = perft_with_table(rules, &subtree, options.depth - 2, options.table.as_ref());
            let added = nodes.and_then(|nodes| Some((nodes, counts[index].checked_add(nodes)?)));
            let Some((nodes, total)) = added else {
                has_overflowed.store(true, Ordering::Relaxed);
                break;
            };
            counts[index] = total;
            on_subtree(index, nodes);
        }
        counts
    };
    let mut counts = vec![0u64; moves.len()];
    for part in run_workers(options.threads, work) {
        for (sum, part) in counts.iter_mut().zip(part) {
            *sum = sum.checked_add(part).ok_or(CountOverflow)?;
        }
    }
    if has_overflowed.into_inner() {
        return Err(CountOverflow);
    }
    drop(subtrees);
    Ok(moves.into_iter().zip(counts).collect())
}

/// Counts the paths below a position. Returns `None` if the count does not fit into 64 bits.
fn perft_with_table(
    rules: &Rules,
    position: &Position,
    depth: u32,
    table: Option<&PerftTable>,
) -> Option<u64> {
    let Some(table) = table.filter(|_| depth > 1) else { return Some(rules.perft(position, depth)) };
    if let Some(nodes) = table.probe(position.key(), depth) {
        return Some(nodes);
    }
    let nodes = if depth == 2 {
        rules.perft(position, depth)
    } else {
        rules.legal_moves(position).into_iter().try_fold(0u64, |sum, played| {
            let next = rules.play_unchecked(position, played);
            sum.checked_add(perft_with_table(rules, &next, depth - 1, Some(table))?)
        })?
    };
    table.store(position.key(), depth, nodes);
    Some(nodes)
}

/// Runs `work` on up to `threads` threads, this one included, and returns what each of them returned.
fn run_workers<T: Send>(threads: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    let work = &work;
    thread::scope(|scope| {
        let spawn =
            |_| has_free_memory().then(|| thread::Builder::new().spawn_scoped(scope, work).ok()).flatten();
        let helpers: Vec<_> = (1..threads).map_while(spawn).collect();
        let own = work();
        let others = helpers.into_iter().map(|helper| helper.join().expect("workers do not panic"));
        others.chain([own]).collect()
    })
}

/// Returns whether there is address space for one more thread: its stack, the reserve of the allocator, and enough left
/// for the threads that already run.
fn has_free_memory() -> bool {
    const BYTES: usize = 64 << 20;
    let mut probe: Vec<u8> = Vec::new();
    let found = probe.try_reserve_exact(BYTES).is_ok();
    // Without this, the compiler may remove the allocation.
    black_box(&mut probe);
    found
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicU64;

    use super::*;

    fn rules(name: &str) -> Arc<Rules> {
        crate::game_source::load(name).expect("a game of the library").game.rules
    }

    fn options(depth: u32, threads: usize, megabytes: usize) -> PerftOptions {
        let table = (megabytes > 0).then(|| PerftTable::new(megabytes).expect("memory"));
        PerftOptions { depth, threads, table }
    }

    #[test]
    fn threads_and_table_do_not_change_the_count() {
        for game in ["chess", "trefoil"] {
            let rules = rules(game);
            let start = rules.start();
            for depth in 0..=4 {
                let expected = rules.perft(&start, depth);
                for (threads, megabytes) in [(1, 0), (1, 1), (3, 0), (3, 1)] {
                    let counted = perft(&rules, &start, &options(depth, threads, megabytes), &|_, _| {});
                    assert_eq!(counted.ok(), Some(expected), "{game} {depth} {threads} {megabytes}");
                }
            }
        }
    }

    #[test]
    fn divide_equals_that_of_the_engine() {
        let rules = rules("chess");
        let start = rules.start();
        let counts = divide(&rules, &start, &options(3, 2, 1), &|_, _| {}).expect("no overflow");
        assert_eq!(counts, rules.divide(&start, 3));
    }

    #[test]
    fn every_node_is_reported() {
        let rules = rules("chess");
        let reported = AtomicU64::new(0);
        let on_subtree = |_: usize, nodes: u64| {
            reported.fetch_add(nodes, Ordering::Relaxed);
        };
        let counted = perft(&rules, &rules.start(), &options(4, 2, 0), &on_subtree);
        assert_eq!(counted.ok(), Some(197_281));
        assert_eq!(reported.into_inner(), 197_281);
    }

    #[test]
    fn the_calling_thread_always_works() {
        assert_eq!(run_workers(1, || 7), [7]);
        assert_eq!(run_workers(0, || 7), [7]);
        let many = run_workers(4, || 7);
        assert!((1..=4).contains(&many.len()) && many.iter().all(|part| *part == 7));
    }
}
