//! Help at the board: castling by king takes rook, looking back, promotion at the square, how pieces move, captured pieces, the
//! rules, and the colors.

use serde_json::{Value, json};

use crate::browser::{Page, with_browsers};
use crate::playing::{DESK, PHONE, join};
use crate::test_server::{OpenedRoom, TestServer};

/// White can castle to both sides, and promote by moving or capturing.
const START: &str = "1n2k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1";

fn open_start(server: &TestServer) -> OpenedRoom {
    server.open_room(&json!({ "game": "chess", "start": START }))
}

fn wait_for_piece(page: &Page, piece: &str, at: &str) {
    page.wait_until(&format!(
        "!!document.querySelector('#board [data-piece=\"{piece}\"][data-at=\"{at}\"]')"
    ));
}

#[test]
fn a_king_that_takes_its_rook_castles() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let page = browsers.open_page(DESK);
        join(&page, &server, &open_start(&server), 0);
        page.move_piece("e1", "h1");
        page.wait_for_moves(1);
        wait_for_piece(&page, "WHITE KING", "g1");
        wait_for_piece(&page, "WHITE ROOK", "f1");
        join(&page, &server, &open_start(&server), 0);
        page.drag("e1", "a1");
        page.wait_for_moves(1);
        wait_for_piece(&page, "WHITE KING", "c1");
        wait_for_piece(&page, "WHITE ROOK", "d1");
        assert_eq!(page.text("#moves [data-ply=\"1\"]"), "O-O-O");
        page.assert_no_console_errors();
    });
}

#[test]
fn a_click_while_looking_back_returns_to_the_present() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let opened = server.open_room(&json!({ "game": "chess" }));
        let page = browsers.open_page(DESK);
        join(&page, &server, &opened, 0);
        for (ply, (from, to)) in [("e2", "e4"), ("e7", "e5")].into_iter().enumerate() {
            page.move_piece(from, to);
            page.wait_for_moves(ply + 1);
        }
        page.click("#first");
        wait_for_piece(&page, "WHITE PAWN", "e2");
        page.click_square("d4");
        wait_for_piece(&page, "WHITE PAWN", "e4");
        assert_eq!(page.evaluate("document.querySelector('#looking').hidden"), json!(true));
        page.move_piece("g1", "f3");
        page.wait_for_moves(3);
        // The watch page has the last position, too.
        page.goto(&format!("http://127.0.0.1:{}/watch#{}.{}", server.port, opened.id, opened.watch));
        page.wait_for_moves(3);
        page.click("#first");
        wait_for_piece(&page, "WHITE KNIGHT", "g1");
        page.click("#last");
        wait_for_piece(&page, "WHITE KNIGHT", "f3");
        assert_eq!(page.evaluate("document.querySelector('#last').disabled"), json!(true));
        // From there it follows the game again.
        let (mut client, _) = server.join(&opened.id, &opened.keys[0]);
        client.play("g8f6", 3);
        wait_for_piece(&page, "BLACK KNIGHT", "f6");
        page.assert_no_console_errors();
    });
}

#[test]
fn promotion_is_chosen_at_the_square() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        for (size, name) in [(DESK, "promotion-square"), (PHONE, "promotion-phone")] {
            let page = browsers.open_page(size);
            join(&page, &server, &open_start(&server), 0);
            page.move_piece("a7", "a8");
            page.wait_for("#promotion dialog");
            let is_at_square = "(() => { const box = document.querySelector('#promotion dialog').getBoundingClientRect(); \
                const at = document.querySelector('#board [data-square=\"a8\"]').getBoundingClientRect(); \
                const [x, y] = [at.left + at.width / 2, at.top + at.height / 2]; \
                return box.left <= x && x <= box.right && box.top <= y && y <= box.bottom && box.left >= 0 && box.bottom <= innerHeight; })()";
            assert_eq!(page.evaluate(is_at_square), json!(true));
            page.screenshot(name);
            page.click("#promotion button[data-kind=\"KNIGHT\"]");
            wait_for_piece(&page, "WHITE KNIGHT", "a8");
            page.assert_no_console_errors();
        }
    });
}

#[test]
fn resting_on_a_piece_shows_how_it_moves() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let opened = server.open_room(&json!({ "game": "knightmate" }));
        let page = browsers.open_page(DESK);
        join(&page, &server, &opened, 0);
        page.hover_square("e2");
        page.wait_for("#piece-card .figure[data-kind=\"PAWN\"]");
        // A pawn of the other side moves the other way.
        let first_dot = "document.querySelector('#piece-card .hint.go').getBoundingClientRect().top";
        let piece = "document.querySelector('#piece-card .piece').getBoundingClientRect().top";
        assert_eq!(page.evaluate(&format!("{first_dot} < {piece}")), json!(true));
        page.hover_square("e4");
        page.wait_until("document.querySelector('#piece-card').hidden");
        page.hover_square("e7");
        page.wait_for("#piece-card .figure[data-kind=\"PAWN\"]");
        assert_eq!(page.evaluate(&format!("{first_dot} > {piece}")), json!(true));
        page.screenshot("piece-card");
        page.assert_no_console_errors();
        let phone = browsers.open_page(PHONE);
        join(&phone, &server, &opened, 0);
        phone.long_press("b8");
        phone.wait_for("#piece-card .figure svg");
        phone.screenshot("piece-card-phone");
        // A long press does not pick the piece up.
        phone.long_press("e2");
        phone.wait_for("#piece-card .figure[data-kind=\"PAWN\"]");
        assert_eq!(phone.evaluate("document.querySelectorAll('#board .target').length"), json!(0));
    });
}

#[test]
fn captured_pieces_and_material_are_shown() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let opened = server.open_room(&json!({ "game": "chess" }));
        let page = browsers.open_page(DESK);
        join(&page, &server, &opened, 0);
        let moves = ["e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "a7a6", "c3d5"];
        for (ply, text) in moves.iter().enumerate() {
            page.move_piece(&text[..2], &text[2..]);
            page.wait_for_moves(ply + 1);
        }
        let title = |player: &str| {
            page.evaluate(&format!(
                "document.querySelector('[data-player=\"{player}\"] .captured')?.title ?? ''"
            ))
        };
        assert_eq!(title("WHITE"), json!("Captured: 1 pawn and 1 queen"));
        assert_eq!(title("BLACK"), json!("Captured: 1 pawn"));
        page.wait_for("[data-player=\"WHITE\"] .material");
        let lead = page.text("[data-player=\"WHITE\"] .material");
        let lead: u32 = lead.trim_start_matches('+').split_whitespace().next().unwrap().parse().unwrap();
        assert!((7..=12).contains(&lead), "a queen for nothing: {lead}");
        page.screenshot("captured");
        // They follow the shown position.
        page.click("#moves [data-ply=\"3\"]");
        assert_eq!((title("WHITE"), title("BLACK")), (json!("Captured: 1 pawn"), json!("")));
        page.assert_no_console_errors();
    });
}

#[test]
fn the_rules_are_one_click_away() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let opened = server.open_room(&json!({ "game": "enochian", "choice": { "preset": "zalewski" } }));
        for (size, name) in [(DESK, "rules"), (PHONE, "rules-phone")] {
            let page = browsers.open_page(size);
            join(&page, &server, &opened, 0);
            page.click("#rules-open");
            page.wait_until("document.querySelectorAll('#rules .figure svg').length >= 6");
            page.wait_until("document.querySelectorAll('#rules h3').length > 3");
            page.wait_for("#chosen dt");
            page.screenshot(name);
            page.click("#rules-close");
            assert_eq!(page.evaluate("document.querySelector('#rules').hidden"), json!(true));
            page.assert_no_console_errors();
        }
    });
}

#[test]
fn the_dice_and_a_game_that_became_too_large_are_explained() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let opened = server.open_room(&json!({ "game": "chaturaji" }));
        let (mut client, room) = server.join(&opened.id, &opened.keys[0]);
        let page = browsers.open_page(DESK);
        join(&page, &server, &opened, 0);
        page.click("#rules-open");
        page.wait_for("#dice [data-commitment]");
        assert_eq!(page.text("#dice [data-commitment]"), room["dice"]["commitment"].as_str().unwrap());
        assert_eq!(page.evaluate("document.querySelector('#dice [data-secret]')"), Value::Null);
        let first = room["state"]["moves"][0]["text"].as_str().unwrap();
        client.play(first, 0);
        page.wait_for("#moves [data-ply=\"1\"] .thrown");
        for seen in 1..5 {
            client.act("resign", seen);
        }
        page.wait_until("!document.querySelector('#result').hidden");
        page.wait_for("#dice [data-secret]");
        page.screenshot("dice");
        let text = "const done = arguments[0]; import('/web/status_text.js').then((it) => \
            done(it.resultText({ players: [] }, { winners: [], reason: 'too_complex' }, { text: 'too_complex' })))";
        assert_eq!(
            page.evaluate_async(text),
            json!("The game has become too large for this server: game aborted")
        );
        page.assert_no_console_errors();
    });
}

#[test]
fn the_colors_can_be_switched() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let page = browsers.open_page(DESK);
        page.prefer_colors("light");
        page.goto(&format!("http://127.0.0.1:{}/", server.port));
        let background = || page.evaluate("getComputedStyle(document.body).backgroundColor");
        page.wait_for("#theme");
        let light = background();
        let chosen =
            |name: &str| page.wait_until(&format!("document.documentElement.dataset.theme === '{name}'"));
        page.click("#theme");
        chosen("light");
        page.click("#theme");
        chosen("dark");
        let dark: Value = background();
        assert_ne!(dark, light);
        page.wait_until("document.querySelectorAll('[data-game] svg').length >= 3");
        page.screenshot("home-dark");
        // Every page of this browser has it, before the first paint.
        let opened = server.open_room(&json!({ "game": "chess" }));
        join(&page, &server, &opened, 0);
        assert_eq!(background(), dark);
        page.click("#theme");
        chosen("system");
        assert_eq!(background(), light);
        page.prefer_colors("dark");
        assert_eq!(background(), dark);
        page.assert_no_console_errors();
    });
}
