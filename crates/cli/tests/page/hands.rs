//! Pieces in hand: drops by mouse, finger and keyboard, in games that the tests write themselves. Counters beside the names.

use serde_json::{Value, json};

use crate::access::{axe, check_access};
use crate::browser::{Page, with_browsers};
use crate::inviting::invitation;
use crate::layout::{LANDSCAPE, LAPTOP, LOW, NARROW};
use crate::playing::{DESK, PHONE, join};
use crate::test_server::{OpenedRoom, TestServer, human};

/// Chess in which captured pieces change sides.
fn house() -> Value {
    json!({ "name": "House", "extends": "chess", "hands": { "captured_to": "CAPTOR" } })
}

/// A small game with pieces in hand at the start. A dropped pawn may be promoted at once.
fn small_shogi() -> Value {
    let army = json!({ "PAWN": 2, "SILVER": 1 });
    json!({
        "name": "Small shogi",
        "leader": "KING",
        "board": { "dimensions": [5, 5] },
        "setup": "2gsk/4p/5/P4/KSG2",
        "hands": {
            "captured_to": "CAPTOR",
            "start": { "WHITE": army, "BLACK": army },
            "drops": [
                { "piece": ["SILVER", "GOLD"] },
                { "piece": ["PAWN"], "modifiers": [{ "action": "TRANSFORM", "options": ["PAWN", "TOKIN"] }] },
            ],
        },
        "pieces": [
            { "code": "KING", "betza": "K" },
            { "code": "GOLD", "betza": "WfF" },
            { "code": "SILVER", "betza": "FfW" },
            { "code": "PAWN", "betza": "fW" },
            { "code": "TOKIN", "betza": "WfF", "reverts_to": "PAWN" },
        ],
    })
}

/// Chess that three checks win.
fn three_checks() -> Value {
    json!({
        "name": "Three checks",
        "extends": "chess",
        "counters": { "checks": { "max": 3 } },
        "triggers": [{ "on": "CHECK", "effects": [{ "action": "ADD", "counter": "checks" }] }],
        "endings": [{
            "code": "THREE_CHECKS", "stops": true, "result": "WIN",
            "when": [{ "condition": "COMPARE", "counter": "checks", "min": 3 }],
        }],
    })
}

fn open(server: &TestServer, spec: &Value) -> OpenedRoom {
    server.open_room(&json!({ "spec": spec.to_string() }))
}

fn in_hand(player: &str, kind: &str) -> String {
    format!("[data-player=\"{player}\"] .in-hand[data-kind=\"{kind}\"]")
}

fn wait_for_hand(page: &Page, player: &str, held: &str) {
    page.wait_until(&format!(
        "[...document.querySelectorAll('[data-player=\"{player}\"] .in-hand')] \
         .map((it) => `${{it.dataset.kind}} ${{it.dataset.count}}`).join(', ') === '{held}'"
    ));
}

fn wait_for_piece(page: &Page, piece: &str, at: &str) {
    page.wait_until(&format!(
        "!!document.querySelector('#board [data-piece=\"{piece}\"][data-at=\"{at}\"]')"
    ));
}

fn targets(page: &Page) -> Value {
    page.evaluate("document.querySelectorAll('#board .target').length")
}

#[test]
fn captured_pieces_are_dropped_by_click_and_drag() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let opened = open(&server, &house());
        let (page, watching) = (browsers.open_page(DESK), browsers.open_page(DESK));
        join(&page, &server, &opened, 0);
        watching.goto(&format!("http://127.0.0.1:{}/watch#{}.{}", server.port, opened.id, opened.watch));
        wait_for_hand(&page, "WHITE", "");
        for (ply, (from, to)) in [("e2", "e4"), ("d7", "d5"), ("e4", "d5"), ("d8", "d5")].iter().enumerate() {
            page.move_piece(from, to);
            page.wait_for_moves(ply + 1);
        }
        for shown in [&page, &watching] {
            wait_for_hand(shown, "WHITE", "PAWN 1");
            wait_for_hand(shown, "BLACK", "PAWN 1");
        }
        page.screenshot("hands");
        // A second click puts the piece back.
        page.click(&in_hand("WHITE", "PAWN"));
        assert_eq!(targets(&page), json!(34), "every empty square");
        page.screenshot("hands-chosen");
        page.click(&in_hand("WHITE", "PAWN"));
        assert_eq!(targets(&page), json!(0));
        page.click(&in_hand("BLACK", "PAWN"));
        assert_eq!(targets(&page), json!(0), "it is not Black's turn");
        page.click(&in_hand("WHITE", "PAWN"));
        page.click_square("c4");
        page.wait_for_moves(5);
        wait_for_piece(&page, "WHITE PAWN", "c4");
        wait_for_hand(&page, "WHITE", "");
        // A drag to an occupied square puts the piece back.
        page.drag_to_square(&in_hand("BLACK", "PAWN"), "e1");
        assert_eq!(page.evaluate("document.querySelectorAll('#board .dragged').length"), json!(0));
        page.drag_to_square(&in_hand("BLACK", "PAWN"), "e4");
        page.wait_for_moves(6);
        wait_for_piece(&page, "BLACK PAWN", "e4");
        wait_for_piece(&watching, "BLACK PAWN", "e4");
        wait_for_hand(&watching, "BLACK", "");
        assert!(page.text("#moves [data-ply=\"6\"]").contains("@e4"));
        assert_eq!(
            page.evaluate("document.querySelectorAll('#board .piece:not(.leaving)').length"),
            json!(32)
        );
        page.screenshot("hands-dropped");
        // Hands follow the shown position.
        page.click("#moves [data-ply=\"4\"]");
        wait_for_hand(&page, "WHITE", "PAWN 1");
        page.click("#first");
        wait_for_hand(&page, "WHITE", "");
        page.click("#last");
        // Drops are taken back and restored.
        page.click("#undo");
        wait_for_hand(&page, "BLACK", "PAWN 1");
        page.refresh();
        page.wait_until("document.body.dataset.ready === 'true'");
        wait_for_hand(&page, "BLACK", "PAWN 1");
        wait_for_piece(&page, "WHITE PAWN", "c4");
        let pgn = server.get(&format!("/api/tables/{}/record?key={}&format=pgn", opened.id, opened.watch));
        assert!(pgn.body.contains("@c4"), "{}", pgn.body);
        for shown in [&page, &watching] {
            shown.assert_no_console_errors();
        }
    });
}

#[test]
fn a_promotion_is_chosen_when_a_piece_is_dropped() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let seats = [human("WHITE"), human("BLACK")];
        let opened = server.open_room(&json!({ "spec": small_shogi().to_string(), "seats": seats }));
        let (white, black) = (browsers.open_page(DESK), browsers.open_page(PHONE));
        join(&white, &server, &opened, 0);
        join(&black, &server, &opened, 1);
        wait_for_hand(&white, "WHITE", "SILVER 1, PAWN 2");
        // The opponent's hand is visible and inert.
        assert_eq!(
            white.evaluate("document.querySelectorAll('[data-player=\"BLACK\"] .hand button').length"),
            json!(0)
        );
        assert_eq!(
            white.evaluate("document.querySelectorAll('[data-player=\"BLACK\"] .in-hand').length"),
            json!(2)
        );
        white.drag_to_square(&in_hand("WHITE", "PAWN"), "c3");
        white.wait_for("#promotion dialog");
        white.screenshot("hands-promotion");
        white.press("\u{e00c}");
        white.wait_until("!document.querySelector('#promotion dialog')");
        assert_eq!(white.evaluate("document.querySelectorAll('#board .piece').length"), json!(8));
        white.drag_to_square(&in_hand("WHITE", "PAWN"), "c3");
        white.click("#promotion button[data-kind=\"TOKIN\"]");
        wait_for_piece(&white, "WHITE TOKIN", "c3");
        wait_for_piece(&black, "WHITE TOKIN", "c3");
        wait_for_hand(&white, "WHITE", "SILVER 1, PAWN 1");
        // By finger: a tap, and a drag.
        black.wait_until("document.querySelector('#status').dataset.yours === 'true'");
        black.touch_to_square(&in_hand("BLACK", "SILVER"), "d3");
        wait_for_piece(&white, "BLACK SILVER", "d3");
        wait_for_hand(&black, "BLACK", "PAWN 2");
        black.screenshot("hands-phone");
        white.move_piece("c3", "d3");
        wait_for_hand(&black, "WHITE", "SILVER 2, PAWN 1");
        black.wait_until("document.querySelector('#status').dataset.yours === 'true'");
        black.click(&in_hand("BLACK", "PAWN"));
        black.screenshot("hands-phone-chosen");
        black.click_square("c4");
        black.click("#promotion button[data-kind=\"PAWN\"]");
        wait_for_piece(&white, "BLACK PAWN", "c4");
        for page in [&white, &black] {
            page.click("#rules-open");
            page.wait_until("document.querySelectorAll('#rules .figure svg').length === 5");
            page.assert_no_console_errors();
        }
    });
}

#[test]
fn pieces_are_dropped_with_the_keyboard() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let opened = open(&server, &small_shogi());
        let page = browsers.open_page(DESK);
        join(&page, &server, &opened, 0);
        let label = |css: &str| page.evaluate(&format!("document.querySelector('{css}').ariaLabel"));
        assert_eq!(label("[data-player=\"WHITE\"] .hand"), json!("Hand of White"));
        assert_eq!(
            label(&in_hand("WHITE", "SILVER")),
            json!("Silver, 1 in hand, can be dropped on 17 squares")
        );
        assert_eq!(label(&in_hand("BLACK", "SILVER")), json!("Silver, 1 in hand"));
        page.evaluate(&format!("document.querySelector('{}').focus()", in_hand("WHITE", "SILVER")));
        page.press("\u{e007}"); // Enter
        assert_eq!(targets(&page), json!(17));
        assert_eq!(page.evaluate("document.activeElement.dataset.square"), json!("a1"));
        page.press("\u{e00c}"); // Escape
        assert_eq!(targets(&page), json!(0));
        assert_eq!(page.evaluate("document.activeElement.dataset.kind"), json!("SILVER"));
        // Space, two squares up and one to the right, Enter.
        page.press(" \u{e013}\u{e013}\u{e014}\u{e007}");
        page.wait_for_moves(1);
        wait_for_piece(&page, "WHITE SILVER", "b3");
        if let Some(axe) = axe() {
            for scheme in ["light", "dark"] {
                page.prefer_colors(scheme);
                check_access(&page, &axe, &format!("hands, {scheme}"));
            }
        }
        page.assert_no_console_errors();
    });
}

#[test]
fn counters_stand_beside_the_names() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let opened = open(&server, &three_checks());
        let page = browsers.open_page(DESK);
        join(&page, &server, &opened, 0);
        let counter =
            |player: &str| page.text(&format!("[data-player=\"{player}\"] [data-counter=\"checks\"]"));
        assert_eq!(counter("WHITE"), "checks 0/3");
        let moves = ["e2e4", "f7f6", "d1h5", "g7g6", "h5g6", "h7g6", "f1b5", "c7c6", "b5c6", "a7a6", "c6d7"];
        for (ply, text) in moves.iter().enumerate() {
            page.move_piece(&text[..2], &text[2..]);
            page.wait_for_moves(ply + 1);
            if ply == 4 {
                assert_eq!((counter("WHITE"), counter("BLACK")), ("checks 2/3".into(), "checks 0/3".into()));
                page.screenshot("counters");
            }
        }
        page.wait_for("#result");
        assert!(page.text("#result").contains("Three checks: White wins"), "{}", page.text("#result"));
        assert_eq!(counter("WHITE"), "checks 3/3");
        page.click("#moves [data-ply=\"3\"]");
        assert_eq!(counter("WHITE"), "checks 1/3");
        let phone = browsers.open_page(PHONE);
        join(&phone, &server, &opened, 0);
        phone.screenshot("counters-phone");
        page.assert_no_console_errors();
    });
}

#[test]
fn rooms_with_hands_fit_every_screen() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let army = json!({ "PAWN": 12, "KNIGHT": 2, "BISHOP": 1, "ROOK": 2, "QUEEN": 1 });
        let start = json!({ "WHITE": army, "BLACK": army });
        let hands = json!({ "captured_to": "CAPTOR", "start": start });
        let mut two = house();
        two["hands"] = hands.clone();
        let players = server
            .post(
                "/api/check",
                &json!({ "spec": json!({ "name": "Four", "extends": "fourplayer" }).to_string() }),
            )
            .json();
        let names = players["game"]["game"]["players"].as_array().unwrap().iter();
        let start: serde_json::Map<String, Value> =
            names.map(|it| (it["name"].as_str().unwrap().to_owned(), army.clone())).collect();
        let four = json!({ "name": "Four", "extends": "fourplayer", "hands": { "captured_to": "CAPTOR", "start": start } });
        let clock = json!({ "seconds": 300, "increment": 2 });
        let rooms = [("two", two), ("four", four), ("small", small_shogi())].map(|(name, spec)| {
            (name, server.open_room(&json!({ "spec": spec.to_string(), "clock": clock })))
        });
        let has_no_scroll = "document.documentElement.scrollHeight <= innerHeight && document.documentElement.scrollWidth <= innerWidth";
        let shows_board = "(() => { const it = document.querySelector('#board svg').getBoundingClientRect(); \
            return it.top >= 0 && it.left >= 0 && it.bottom <= innerHeight && it.right <= innerWidth; })()";
        let shows_hands = "[...document.querySelectorAll('.in-hand')].every((it) => { \
            const [piece, row] = [it.getBoundingClientRect(), it.closest('.player').getBoundingClientRect()]; \
            return piece.width >= 18 && piece.top >= row.top && piece.bottom <= row.bottom; })";
        let sizes = [
            ("laptop", LAPTOP),
            ("low", LOW),
            ("phone", PHONE),
            ("narrow", NARROW),
            ("landscape", LANDSCAPE),
            ("tablet", (820, 1180)),
        ];
        for (name, size) in sizes {
            let page = browsers.open_page(size);
            for (scheme, (game, opened)) in ["light", "dark", "light"].iter().zip(&rooms) {
                page.prefer_colors(scheme);
                join(&page, &server, opened, 0);
                page.wait_for(".in-hand");
                page.screenshot(&format!("hands-{game}-{name}"));
                assert_eq!(page.evaluate(shows_board), json!(true), "{game} {name}");
                assert_eq!(page.evaluate(shows_hands), json!(true), "{game} {name}");
                if ["laptop", "low"].contains(&name) {
                    assert_eq!(page.evaluate(has_no_scroll), json!(true), "{game} {name}");
                }
                assert_eq!(page.evaluate("document.documentElement.scrollWidth <= innerWidth"), json!(true));
            }
            page.assert_no_console_errors();
        }
    });
}

#[test]
fn a_game_with_hands_is_written_and_played_against_a_program_and_a_friend() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let page = browsers.open_page(DESK);
        let open_setup = || {
            page.goto(&format!("http://127.0.0.1:{}/workshop#game=gardner", server.port));
            page.wait_until(
                "document.body.dataset.playable === 'true' && document.body.dataset.checked === 'true'",
            );
            let spec = serde_json::to_string_pretty(&small_shogi()).unwrap();
            page.evaluate(&format!(
                "(() => {{ const editor = document.querySelector('#editor'); editor.value = {}; \
                 editor.dispatchEvent(new Event('input', {{ bubbles: true }})); }})()",
                json!(spec)
            ));
            page.wait_until("document.querySelector('#title').textContent === 'Small shogi'");
            page.wait_until(
                "document.body.dataset.playable === 'true' && document.body.dataset.checked === 'true'",
            );
            page.click("#play-with");
        };
        open_setup();
        page.click("#preset-computer");
        page.wait_until("!!document.querySelector('#setup-board svg')");
        page.click("#start");
        page.wait_until("location.pathname === '/play' && document.body.dataset.ready === 'true'");
        for (ply, square) in ["c3", "d3"].into_iter().enumerate() {
            page.wait_until("document.querySelector('#status').dataset.yours === 'true'");
            let piece = in_hand("WHITE", if ply == 0 { "SILVER" } else { "PAWN" });
            page.click(&piece);
            // The program may have taken the square.
            let free = page
                .evaluate("[...document.querySelectorAll('#board .target')].map((it) => it.dataset.square)");
            let free: Vec<&str> = free.as_array().unwrap().iter().filter_map(Value::as_str).collect();
            page.click_square(if free.contains(&square) { square } else { free[0] });
            if ply == 1 {
                page.click("#promotion button[data-kind=\"PAWN\"]");
            }
            page.wait_for_moves(2 * ply + 2);
        }
        page.screenshot("hands-program");
        open_setup();
        page.click("#preset-friend");
        page.wait_until("!!document.querySelector('#setup-board svg')");
        page.click("#start");
        let link = invitation(&page);
        page.click("#share-close");
        let friend = browsers.open_page(DESK);
        friend.goto(&link);
        friend.wait_until("document.body.dataset.ready === 'true'");
        let (first, second) =
            if page.evaluate("document.querySelector('#status').dataset.yours") == json!("true") {
                (&page, &friend)
            } else {
                (&friend, &page)
            };
        first.drag_to_square(&in_hand("WHITE", "SILVER"), "c3");
        second.wait_for_moves(1);
        second.wait_until("document.querySelector('#status').dataset.yours === 'true'");
        second.drag_to_square(&in_hand("BLACK", "SILVER"), "d3");
        first.wait_for_moves(2);
        wait_for_piece(first, "BLACK SILVER", "d3");
        for shown in [&page, &friend] {
            shown.assert_no_console_errors();
        }
    });
}
