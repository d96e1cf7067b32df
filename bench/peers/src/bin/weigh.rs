//! What a position weighs, and how many moves are generated on the way to a count. Its own process, because it counts
//! what is allocated, and whoever is timed should not have to.
//!
//! Requests are `game TAB depth`, one a line.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::{self, BufRead};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use tabiya_engine::{Path, Position};
use tabiya_peers::games::Library;

/// Hands every request on, and adds up what was asked for.
struct Scales;

static ASKED: AtomicUsize = AtomicUsize::new(0);

// SAFETY: both functions hand on to the system's allocator as they were called.
unsafe impl GlobalAlloc for Scales {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ASKED.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the promises of this function.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the promises of this function, and the memory came from the system.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static SCALES: Scales = Scales;

fn main() {
    let mut library = Library::default();
    for line in io::stdin().lock().lines() {
        let line = line.expect("requests are text");
        let (game, depth) = line.split_once('\t').expect("a game and a depth");
        let depth: u32 = depth.parse().expect("the depth is a number");
        let (rules, start) = library.position(game, "start");
        let on_heap = heap(&start);
        let counts: Vec<u64> = (1..=depth).map(|depth| rules.perft(&start, depth)).collect();
        // The best path and the one for everything must agree, wherever they differ.
        let general = rules.perft_on(Path::General, &start, depth - 1);
        assert_eq!(general, counts.iter().rev().nth(1).copied(), "the paths count alike");
        let answer = json!({
            "game": game,
            "squares": rules.board().squares().count(),
            "pieces": start.pieces().count(),
            "moves": rules.count_moves(&start),
            "bytes": size_of::<Position>() + on_heap,
            "generated": counts.iter().sum::<u64>(),
            "nodes": counts.last(),
        });
        println!("{answer}");
    }
}

/// What a copy of the position asks of the allocator.
fn heap(position: &Position) -> usize {
    let before = ASKED.load(Ordering::Relaxed);
    let copy = position.clone();
    let asked = ASKED.load(Ordering::Relaxed) - before;
    drop(copy);
    asked
}
