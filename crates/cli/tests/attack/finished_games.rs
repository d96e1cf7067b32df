//! One address opens games that are over as fast as it can.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::bystander::Bystander;
use crate::test_server::TestServer;
use crate::{alone, bound, is_full, report, timed};

/// The fool's mate.
const MATE: &str = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";

#[test]
fn finished_games_do_not_fill_the_server() {
    let _alone = alone();
    let (most, seconds) = if is_full() { (1000, 15) } else { (60, 3) };
    let (max_games, max_each) = (most.to_string(), (most / 5).to_string());
    let server = TestServer::start(&["--max-games", &max_games, "--max-games-each", &max_each]);
    let bystander = Bystander::start(&server);
    let mut opened = 0;
    let ((), taken) = timed(|| {
        let until = Instant::now() + Duration::from_secs(seconds);
        while Instant::now() < until {
            let response = server.post("/api/tables", &json!({ "game": "chess", "start": MATE }));
            if response.status != 201 {
                if response.rule() == "too_many_requests" {
                    std::thread::sleep(Duration::from_millis(20));
                    continue;
                }
                assert_eq!(response.rule(), "too_many_games");
                break;
            }
            opened += 1;
        }
    });
    let other = server.visitor(2).post("/api/tables", &json!({ "game": "chess" }));
    let (p99, longest) = bystander.stop();
    report(&format!(
        "{opened} finished games, opened by one address in {taken:.1?} at a server for {most}; another address gets {}; \
         other users' moves and requests {p99:.1?} at 99 %, {longest:.1?} at most",
        if other.status == 201 { "a game".to_owned() } else { format!("an error ({})", other.rule()) }
    ));
    assert_eq!(other.status, 201, "{}", other.body);
    assert!(opened <= most / 5, "{opened} games");
    assert!(p99 < bound(0.05), "{p99:?}");
}
