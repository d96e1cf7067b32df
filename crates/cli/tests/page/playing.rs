//! Games on the page: by mouse, by keyboard, with four people, through a server restart, on a phone.

use std::time::Duration;

use serde_json::{Value, json};

use crate::browser::{Page, with_browsers};
use crate::test_server::{OpenedRoom, TestServer, human};

/// A window on a desk.
pub(crate) const DESK: (u32, u32) = (1280, 900);
/// A phone, held upright.
pub(crate) const PHONE: (u32, u32) = (360, 740);

/// Opens the page of a seat.
pub(crate) fn join(page: &Page, server: &TestServer, opened: &OpenedRoom, seat: usize) {
    page.goto(&format!("http://127.0.0.1:{}/play#{}.{}", server.port, opened.id, opened.keys[seat]));
    page.wait_until("document.body.dataset.ready === 'true'");
}

/// En passant, promotion, castling and mate.
const GAME: &str = "e2e4 a7a6 e4e5 d7d5 e5d6 h7h6 d6c7 h6h5 c7d8q e8d8 g1f3 h5h4 f1e2 h4h3 e1g1 d8d7 d1e1 g8h6 e2b5 d7d6 e1e5";

#[test]
fn a_game_of_chess_by_mouse() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let page = browsers.open_page(DESK);
        // Start at the home page, as a new user does.
        page.goto(&format!("http://127.0.0.1:{}/", server.port));
        page.wait_for("[data-game=\"enochian\"]");
        page.wait_until("document.querySelectorAll('[data-game] svg').length >= 3");
        page.screenshot("home");
        page.click("[data-game=\"chess\"] button, [data-game=\"chess\"] a, [data-game=\"chess\"]");
        page.click("#preset-local");
        page.screenshot("new-game");
        page.click("#start");
        page.wait_until("document.body.dataset.ready === 'true'");
        for (ply, text) in GAME.split(' ').enumerate() {
            let (from, to) = (&text[..2], &text[2..4]);
            // Drag every third move, click the others.
            if ply % 3 == 2 {
                page.drag(from, to);
            } else {
                page.move_piece(from, to);
            }
            if text.len() > 4 {
                page.wait_for("#promotion");
                page.screenshot("promotion");
                page.click("#promotion button[data-kind=\"QUEEN\"]");
            }
            page.wait_for_moves(ply + 1);
            if text == "e5d6" {
                page.wait_until(
                    "!document.querySelector('#board [data-piece=\"BLACK PAWN\"][data-at=\"d5\"]')",
                );
            }
            if text == "e1g1" {
                page.wait_until(
                    "!!document.querySelector('#board [data-piece=\"WHITE ROOK\"][data-at=\"f1\"]')",
                );
            }
        }
        let result = page.text("#result");
        assert!(result.contains("Checkmate") && result.contains("White"), "{result}");
        page.screenshot("chess");
        // Look at the first and the last position.
        page.click("#first");
        page.wait_until("!!document.querySelector('#board [data-piece=\"WHITE PAWN\"][data-at=\"e2\"]')");
        page.click("#live");
        page.wait_until("!!document.querySelector('#board [data-piece=\"WHITE QUEEN\"][data-at=\"e5\"]')");
        page.assert_no_console_errors();
    });
}

#[test]
fn four_people_play_enochian_chess() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let seats: Vec<Value> = ["BLUE", "RED", "BLACK", "YELLOW"].iter().map(|name| human(name)).collect();
        let opened = server.open_room(
            &json!({ "game": "enochian", "choice": { "layout": "Fire of Fire" }, "seats": seats }),
        );
        let mut pages = Vec::new();
        for seat in 0..4 {
            let page = browsers.open_page(DESK);
            join(&page, &server, &opened, seat);
            pages.push(page);
        }
        // Each player sees their king in the lower half.
        for (seat, page) in pages.iter().enumerate() {
            let name = ["BLUE", "RED", "BLACK", "YELLOW"][seat];
            let is_near = format!(
                "(() => {{ const king = document.querySelector('#board [data-piece=\"{name} KING\"]').getBoundingClientRect(); \
                 const board = document.querySelector('#board svg').getBoundingClientRect(); \
                 return king.top + king.height / 2 > board.top + board.height / 2; }})()"
            );
            assert_eq!(page.evaluate(&is_near), json!(true), "{name}");
        }
        let view = |key: &str| server.get(&format!("/api/tables/{}?key={key}", opened.id)).json();
        for ply in 0..12 {
            let actor = view(&opened.watch)["state"]["actor"].as_u64().unwrap() as usize;
            let state = view(&opened.keys[actor]);
            // Skip shared squares, where a click is ambiguous.
            let pieces = state["state"]["men"].as_array().unwrap();
            let is_shared = |square: &Value| pieces.iter().filter(|piece| piece["at"] == *square).count() > 1;
            let moves = state["state"]["moves"].as_array().unwrap();
            let moves: Vec<&Value> = moves.iter().filter(|it| !is_shared(&it["from"])).collect();
            let choice = &moves[(ply * 5 + 1) % moves.len()];
            let name = |square: &Value| {
                let (x, y) = (square[0].as_u64().unwrap() as u8, square[1].as_u64().unwrap());
                format!("{}{}", char::from(b'a' + x), y + 1)
            };
            pages[actor].wait_until("document.querySelector('#status').dataset.yours === 'true'");
            pages[actor].move_piece(&name(&choice["from"]), &name(&choice["to"]));
            // All pages show the move.
            for page in &pages {
                page.wait_for_moves(ply + 1);
            }
        }
        pages.iter().for_each(Page::assert_no_console_errors);
        pages[1].screenshot("enochian");
        pages[3].screenshot("enochian-yellow");
    });
}

#[test]
fn pages_reconnect_after_a_server_restart() {
    with_browsers(|browsers| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.db");
        let mut server = TestServer::start_on(&file, &[]);
        let opened = server.open_room(&json!({ "game": "chess", "seats": [human("WHITE"), human("BLACK")] }));
        let (white, black) = (browsers.open_page(DESK), browsers.open_page(DESK));
        join(&white, &server, &opened, 0);
        join(&black, &server, &opened, 1);
        white.move_piece("e2", "e4");
        black.wait_for_moves(1);
        server.kill();
        white.wait_for("#connection");
        white.screenshot("reconnecting");
        std::thread::sleep(Duration::from_millis(500));
        let _server = TestServer::start_at(&file, server.port, &[]);
        white.wait_until("document.querySelector('#connection').hidden");
        black.wait_until("document.querySelector('#connection').hidden");
        black.move_piece("e7", "e5");
        white.wait_for_moves(2);
        white.move_piece("g1", "f3");
        black.wait_for_moves(3);
        black.screenshot("reconnected");
    });
}

#[test]
fn a_game_by_keyboard() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let opened = server.open_room(&json!({ "game": "chess" }));
        let page = browsers.open_page(DESK);
        join(&page, &server, &opened, 0);
        for _ in 0..30 {
            page.press("\u{e004}"); // Tab
            if page.evaluate("!!document.activeElement.dataset.square") == json!(true) {
                break;
            }
        }
        assert_eq!(
            page.evaluate("!!document.activeElement.dataset.square"),
            json!(true),
            "Tab reaches the board"
        );
        for (ply, text) in ["f2f3", "e7e5", "g2g4", "d8h4"].iter().enumerate() {
            move_cursor(&page, &text[..2]);
            page.press("\u{e007}"); // Enter
            move_cursor(&page, &text[2..]);
            if ply == 1 {
                page.screenshot("keyboard");
            }
            page.press("\u{e007}");
            page.wait_for_moves(ply + 1);
        }
        assert!(page.text("#result").contains("Black wins"));
        page.assert_no_console_errors();
    });
}

/// Moves the keyboard cursor to a square.
fn move_cursor(page: &Page, square: &str) {
    let here = "document.activeElement.dataset.square";
    for _ in 0..20 {
        let at = page.evaluate(here);
        let at = at.as_str().unwrap_or_else(|| panic!("the board has no cursor")).as_bytes().to_vec();
        let to = square.as_bytes();
        let key = match (at[0].cmp(&to[0]), at[1].cmp(&to[1])) {
            (std::cmp::Ordering::Less, _) => "\u{e014}",
            (std::cmp::Ordering::Greater, _) => "\u{e012}",
            (_, std::cmp::Ordering::Less) => "\u{e013}",
            (_, std::cmp::Ordering::Greater) => "\u{e015}",
            _ => return,
        };
        page.press(key);
    }
    panic!("the cursor did not reach {square}");
}

#[test]
fn the_pages_fit_a_phone() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let seats = json!([human("WHITE"), { "players": ["BLACK"], "who": "player:level2" }]);
        let opened = server.open_room(
            &json!({ "game": "chess", "seats": seats, "clock": { "seconds": 300, "increment": 3 } }),
        );
        let page = browsers.open_page((360, 740));
        let fits = "document.documentElement.scrollWidth <= 360";
        for path in ["", "workshop"] {
            page.goto(&format!("http://127.0.0.1:{}/{path}", server.port));
            page.wait_for("h1");
            assert_eq!(page.evaluate(fits), json!(true), "/{path}");
            page.screenshot(if path.is_empty() { "phone-home" } else { "phone-workshop" });
        }
        join(&page, &server, &opened, 0);
        page.move_piece("e2", "e4");
        page.wait_for_moves(2);
        page.wait_until("document.querySelector('#status').dataset.yours === 'true'");
        page.move_piece("d2", "d4");
        page.wait_for_moves(4);
        assert_eq!(page.evaluate(fits), json!(true));
        page.screenshot("phone");
        page.assert_no_console_errors();
    });
}

#[test]
fn spectators_see_agents() {
    with_browsers(|browsers| {
        use assert_cmd::cargo::CommandCargoExt as _;
        let command = std::process::Command::cargo_bin("tabiya").unwrap();
        let good = format!("greedy=process:{} agent --player greedy", command.get_program().display());
        let server = TestServer::start(&["--agent", &good, "--agent", "echo=process:cat", "--pause", "0.1"]);
        let seat = |player: &str, who: &str| json!({ "players": [player], "who": who });
        let body = json!({ "game": "chess", "seats": [seat("WHITE", "agent:greedy"), seat("BLACK", "player:level2")] });
        let opened = server.open_room(&body);
        let page = browsers.open_page(DESK);
        page.goto(&format!("http://127.0.0.1:{}/watch#{}.{}", server.port, opened.id, opened.watch));
        page.wait_until("document.querySelectorAll('#exchanges [data-verdict=\"move\"]').length >= 4");
        page.screenshot("watch");
        page.assert_no_console_errors();
        let bad = server.open_room(&json!({ "game": "chess", "seats": [seat("WHITE", "agent:echo"), seat("BLACK", "agent:greedy")] }));
        // The page reloads when the key in its address changes.
        page.goto(&format!("http://127.0.0.1:{}/watch#{}.{}", server.port, bad.id, bad.watch));
        page.wait_until("document.querySelectorAll('#exchanges [data-verdict=\"malformed\"]').length === 3");
        assert!(page.text("#result").contains("Black wins"));
    });
}
