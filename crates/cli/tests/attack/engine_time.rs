//! A hundred questions to strong programs from one address, and one to a weak program from another.

use serde_json::{Value, json};

use crate::bystander::Bystander;
use crate::test_server::{TestServer, Visitor, human};
use crate::{alone, bound, is_full, report, timed};

/// Opens a game in which a program moves first.
fn open(visitor: &Visitor, name: &str) -> crate::test_server::OpenedRoom {
    let program = json!({ "players": ["WHITE"], "who": format!("player:{name}") });
    visitor.open_room(&json!({ "game": "chess", "seats": [program, human("BLACK")] }))
}

#[test]
fn engine_time_is_shared_between_addresses() {
    let _alone = alone();
    let games = if is_full() { 100 } else { 12 };
    let server = TestServer::start(&[]);
    let bystander = Bystander::start(&server);
    (0..games).for_each(|_| drop(open(&server, "search")));
    let other = server.visitor(2);
    let (done, reply) = timed(|| {
        let opened = open(&other, "level1");
        let (mut black, room) = other.join(&opened.id, &opened.keys[0]);
        match &room["acts"][0] {
            Value::Null => black.receive("done"),
            _ => room,
        }
    });
    assert!(done.is_object());
    let (p99, most) = bystander.stop();
    report(&format!(
        "{games} questions to `search` from one address: a game of another and its reply of level 1 take {reply:.1?}; other \
         users' moves and requests {p99:.1?} at 99 %, {most:.1?} at most"
    ));
    assert!(reply < bound(2.0), "{reply:?}");
    assert!(p99 < bound(0.05), "{p99:?}");
}
