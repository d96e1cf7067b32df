//! Another user, who plays chess while the server is attacked and measures how long every move takes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::test_server::{TestServer, Visitor, human};

/// A user at another address.
pub(crate) struct Bystander {
    is_done: Arc<AtomicBool>,
    thread: JoinHandle<Vec<Duration>>,
}

impl Bystander {
    /// Starts to play, about forty moves a second and a request after each.
    pub(crate) fn start(server: &TestServer) -> Self {
        let visitor = server.visitor(9);
        let is_done = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&is_done);
        Bystander { is_done, thread: std::thread::spawn(move || play(&visitor, &flag)) }
    }

    /// Stops, and returns the 99th percentile and the longest time.
    pub(crate) fn stop(self) -> (Duration, Duration) {
        self.is_done.store(true, Ordering::Relaxed);
        let mut times = self.thread.join().expect("the bystander is served");
        times.sort_unstable();
        (times[(times.len() - 1) * 99 / 100], times[times.len() - 1])
    }
}

fn play(visitor: &Visitor, is_done: &AtomicBool) -> Vec<Duration> {
    let mut times = Vec::new();
    while !is_done.load(Ordering::Relaxed) || times.is_empty() {
        let opened =
            visitor.open_room(&json!({ "game": "chess", "seats": [human("WHITE"), human("BLACK")] }));
        let mut clients = [0, 1].map(|seat| visitor.join(&opened.id, &opened.keys[seat]).0);
        // The fifth repetition would end the game.
        for seen in 0..14 {
            let text = ["g1f3", "g8f6", "f3g1", "f6g8"][seen % 4];
            let start = Instant::now();
            clients[seen % 2].act(text, seen as u64);
            clients[1 - seen % 2].receive("done");
            times.push(start.elapsed());
            let start = Instant::now();
            assert_eq!(visitor.get("/api/version").status, 200);
            times.push(start.elapsed());
            std::thread::sleep(Duration::from_millis(25));
        }
    }
    times
}
