//! People who come late, never come or leave, and what they agree on.

use serde_json::json;

use crate::browser::with_browsers;
use crate::playing::{DESK, PHONE, join};
use crate::test_server::{OpenedRoom, TestServer, human};

fn open_with_clock(server: &TestServer) -> OpenedRoom {
    let seats = [human("WHITE"), human("BLACK")];
    server.open_room(&json!({ "game": "chess", "seats": seats, "clock": { "seconds": 300, "increment": 2 } }))
}

const IS_RUNNING: &str = "!!document.querySelector('.clock[data-running=\"true\"]')";

#[test]
fn the_clocks_start_when_both_are_there() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let opened = open_with_clock(&server);
        let white = browsers.open_page(DESK);
        join(&white, &server, &opened, 0);
        let waiting = white.text("[data-notice=\"missing\"]");
        assert!(waiting.contains("Waiting for Black to join. The clocks start then."), "{waiting}");
        white.move_piece("e2", "e4");
        white.wait_for_moves(1);
        assert_eq!(white.evaluate(IS_RUNNING), json!(false));
        white.screenshot("waiting");
        let black = browsers.open_page(PHONE);
        join(&black, &server, &opened, 1);
        white.wait_until("!document.querySelector('[data-notice]')");
        white.wait_until(IS_RUNNING);
        black.wait_until(IS_RUNNING);
        assert_eq!(black.text("[data-player=\"BLACK\"] .clock[data-running=\"true\"]"), "5:00");
        white.assert_no_console_errors();
    });
}

#[test]
fn a_game_is_aborted_if_the_opponent_never_comes() {
    with_browsers(|browsers| {
        let server = TestServer::start(&["--join-time", "3"]);
        let opened = open_with_clock(&server);
        let page = browsers.open_page(DESK);
        join(&page, &server, &opened, 0);
        assert!(page.text("[data-notice=\"missing\"]").contains("the game is aborted in 0:0"));
        page.wait_for("#result");
        assert_eq!(page.text("#result"), "Not everyone came: game aborted");
        // Without a clock, the person who waits decides.
        let opened = server.open_chess();
        join(&page, &server, &opened, 1);
        page.wait_for("#abort");
        assert_eq!(page.evaluate("document.querySelector('#resign').disabled"), json!(true));
        page.click("#abort");
        page.wait_for("#result");
        assert_eq!(page.text("#result"), "Not everyone came: game aborted");
        page.assert_no_console_errors();
    });
}

#[test]
fn a_person_who_left_is_waited_for_and_then_loses() {
    with_browsers(|browsers| {
        let server = TestServer::start(&["--leave-time", "3"]);
        let opened = server.open_chess();
        let (white, black) = (browsers.open_page(DESK), browsers.open_page(DESK));
        join(&white, &server, &opened, 0);
        join(&black, &server, &opened, 1);
        white.wait_for("[data-player=\"BLACK\"] .presence[data-here=\"true\"]");
        drop(black);
        white.wait_for("[data-player=\"BLACK\"] .presence[data-here=\"false\"]");
        let said = white.text("[data-notice=\"away-1\"]");
        assert!(said.starts_with("Black left. You can claim the game in 0:0"), "{said}");
        white.screenshot("left");
        white.click("#claim-left");
        white.wait_for("#result");
        assert_eq!(white.text("#result"), "Black left the game: White wins");
        white.assert_no_console_errors();
    });
}

#[test]
fn the_others_go_on_without_a_person_who_left() {
    with_browsers(|browsers| {
        let server = TestServer::start(&["--leave-time", "1"]);
        let seats = ["RED", "BLUE", "YELLOW", "GREEN"].map(human);
        let opened = server.open_room(&json!({ "game": "fourplayer", "seats": seats }));
        let page = browsers.open_page(DESK);
        join(&page, &server, &opened, 0);
        let mut others: Vec<_> = (1..4).map(|seat| server.join(&opened.id, &opened.keys[seat]).0).collect();
        page.wait_until("!document.querySelector('[data-notice]')");
        drop(others.pop());
        let said = page.text("[data-notice=\"away-3\"]");
        assert!(said.starts_with("Green left. You can continue without Green"), "{said}");
        page.wait_for("#claim-left");
        assert_eq!(page.text("#claim-left"), "Continue without Green");
        page.screenshot("left-of-four");
        page.click("#claim-left");
        page.wait_for("[data-player=\"GREEN\"][data-out=\"true\"]");
        assert_eq!(
            page.evaluate("document.querySelectorAll('[data-notice]').length"),
            json!(0),
            "Green is out"
        );
        // Who resigned may leave.
        others[1].act("resign", 1);
        page.wait_for("[data-player=\"YELLOW\"][data-out=\"true\"]");
        drop(others.pop());
        page.wait_for("[data-player=\"YELLOW\"] .presence[data-here=\"false\"]");
        assert_eq!(page.evaluate("document.querySelectorAll('[data-notice]').length"), json!(0));
        drop(others);
        let said = page.text("[data-notice=\"away-1\"]");
        assert!(said.starts_with("Blue left. You can claim the game"), "{said}");
        page.assert_no_console_errors();
    });
}

#[test]
fn people_take_back_and_play_again() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let opened = open_with_clock(&server);
        let (white, black) = (browsers.open_page(DESK), browsers.open_page(PHONE));
        black.prefer_colors("dark");
        join(&white, &server, &opened, 0);
        join(&black, &server, &opened, 1);
        white.move_piece("e2", "e4");
        black.wait_for_moves(1);
        white.click("#undo");
        assert!(white.text("[data-notice=\"undo\"]").contains("You asked to take back the last move"));
        assert!(black.text("[data-notice=\"undo\"]").contains("White asks to take back the last move"));
        black.screenshot("takeback-phone-dark");
        black.click("#undo-yes");
        for page in [&white, &black] {
            page.wait_until("document.querySelectorAll('#moves [data-ply]').length === 0");
            page.wait_until("!!document.querySelector('#board [data-piece=\"WHITE PAWN\"][data-at=\"e2\"]')");
        }
        white.move_piece("d2", "d4");
        black.wait_for_moves(1);
        white.click("#undo");
        black.click("#undo-no");
        white.wait_until("!document.querySelector('[data-notice]')");
        assert_eq!(white.text("#toast"), "Your proposal to take back was declined.");
        white.click("#resign");
        white.click("#confirm-yes");
        black.wait_for("#result");
        black.click("#rematch");
        black.click("#rematch-no");
        black.wait_until("!document.querySelector('[data-notice]')");
        assert_eq!(
            black.evaluate("document.querySelector('#toast').hidden"),
            json!(true),
            "it was withdrawn"
        );
        black.click("#rematch");
        assert!(white.text("[data-notice=\"rematch\"]").contains("Black asks to play again"));
        white.screenshot("rematch");
        white.click("#rematch-yes");
        for (page, player) in [(&white, "BLACK"), (&black, "WHITE")] {
            page.wait_until(&format!(
                "document.body.dataset.ready === 'true' && !location.hash.includes('{}')",
                opened.id
            ));
            page.wait_for(&format!("#players-bottom [data-player=\"{player}\"]"));
        }
        black.move_piece("e2", "e4");
        white.wait_for_moves(1);
        white.assert_no_console_errors();
        black.assert_no_console_errors();
    });
}

#[test]
fn presence_is_unknown_without_a_connection() {
    with_browsers(|browsers| {
        let mut server = TestServer::start(&[]);
        let opened = server.open_chess();
        let (white, black) = (browsers.open_page(DESK), browsers.open_page(DESK));
        join(&white, &server, &opened, 0);
        join(&black, &server, &opened, 1);
        white.wait_for("[data-player=\"BLACK\"] .presence[data-here=\"true\"]");
        server.kill();
        for player in ["WHITE", "BLACK"] {
            white.wait_for(&format!("[data-player=\"{player}\"] .presence[data-here=\"unknown\"]"));
        }
        white.screenshot("offline");
    });
}

#[test]
fn people_have_names() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let opened = server.open_chess();
        let (white, black) = (browsers.open_page(DESK), browsers.open_page(DESK));
        join(&white, &server, &opened, 0);
        join(&black, &server, &opened, 1);
        white.click("#share-open");
        white.click("#own-name");
        white.press("Ada <b>");
        white.click("#share-close");
        black.wait_until("document.querySelector('[data-player=\"WHITE\"] .who').textContent === 'Ada <b>'");
        white.refresh();
        white.wait_until("document.querySelector('[data-player=\"WHITE\"] .who')?.textContent === 'Ada <b>'");
        let pgn = "const done = arguments[arguments.length - 1]; \
            fetch(document.querySelector('#pgn').href).then((it) => it.text()).then(done)";
        let pgn = black.evaluate_async(pgn);
        let pgn = pgn.as_str().unwrap();
        for tag in ["[White \"Ada <b>\"]", "[Black \"Anonymous\"]", "[TimeControl \"-\"]", "[Date \"20"] {
            assert!(pgn.contains(tag), "{tag}: {pgn}");
        }
        assert!(pgn.contains("[Termination \"unterminated\"]"), "{pgn}");
    });
}
