//! How the pages look: sizes, things that stay in place, holes, tags, the move list, diagrams, cards.

use serde_json::{Value, json};

use crate::browser::{Page, with_browsers};
use crate::playing::{DESK, PHONE, join};
use crate::test_server::{OpenedRoom, TestServer};

pub(crate) const LANDSCAPE: (u32, u32) = (740, 360);
/// The narrowest phone.
pub(crate) const NARROW: (u32, u32) = (320, 568);
pub(crate) const LAPTOP: (u32, u32) = (1366, 768);
/// What the bars of a browser leave of such a screen.
pub(crate) const LOW: (u32, u32) = (1366, 625);
const WIDE: (u32, u32) = (1920, 1080);

fn watch(page: &Page, server: &TestServer, opened: &OpenedRoom) {
    page.goto(&format!("http://127.0.0.1:{}/watch#{}.{}", server.port, opened.id, opened.watch));
    page.wait_until("!!document.querySelector('#board svg')");
}

#[test]
fn rooms_fit_every_screen() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let clock = json!({ "seconds": 300, "increment": 2 });
        let rooms: Vec<(&str, OpenedRoom)> = ["chess", "enochian", "fourplayer", "capablanca", "trefoil"]
            .map(|game| (game, server.open_room(&json!({ "game": game, "clock": clock }))))
            .into();
        let has_no_scroll = "document.documentElement.scrollHeight <= innerHeight && document.documentElement.scrollWidth <= innerWidth";
        let shows_board = "(() => { const it = document.querySelector('#board svg').getBoundingClientRect(); \
            return it.top >= 0 && it.left >= 0 && it.bottom <= innerHeight && it.right <= innerWidth; })()";
        let sizes =
            [("laptop", LAPTOP), ("low", LOW), ("wide", WIDE), ("phone", PHONE), ("landscape", LANDSCAPE)];
        for (name, size) in sizes {
            for scheme in ["light", "dark"] {
                let page = browsers.open_page(size);
                page.prefer_colors(scheme);
                for (game, opened) in &rooms {
                    join(&page, &server, opened, 0);
                    page.screenshot(&format!("{game}-{name}-{scheme}"));
                    assert_eq!(page.evaluate(shows_board), json!(true), "{game} {name}");
                    if ["laptop", "low", "wide"].contains(&name) {
                        assert_eq!(page.evaluate(has_no_scroll), json!(true), "{game} {name}");
                    }
                    assert_eq!(
                        page.evaluate("document.documentElement.scrollWidth <= innerWidth"),
                        json!(true)
                    );
                }
                watch(&page, &server, &rooms[0].1);
                assert_eq!(page.evaluate(shows_board), json!(true), "watching {name}");
                page.screenshot(&format!("watching-{name}-{scheme}"));
                page.assert_no_console_errors();
            }
        }
        // A wide screen is used: a large board, and the rules beside the panel.
        let page = browsers.open_page(WIDE);
        join(&page, &server, &rooms[0].1, 0);
        let used = "(() => { const board = document.querySelector('#board svg').getBoundingClientRect(); \
            const rules = document.querySelector('#rules').getBoundingClientRect(); \
            return board.height > innerHeight * 0.75 && rules.left > board.right && rules.right - board.left > innerWidth * 0.9; })()";
        assert_eq!(page.evaluate(used), json!(true));
    });
}

#[test]
fn pages_fit_a_narrow_phone() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let opened =
            server.open_room(&json!({ "game": "capablanca", "clock": { "seconds": 1800, "increment": 0 } }));
        let page = browsers.open_page(NARROW);
        let width = || page.evaluate("Math.max(innerWidth, document.documentElement.scrollWidth)");
        join(&page, &server, &opened, 0);
        assert_eq!(width(), json!(NARROW.0));
        for path in ["", "workshop"] {
            page.goto(&format!("http://127.0.0.1:{}/{path}", server.port));
            page.wait_for("#theme");
            assert_eq!(width(), json!(NARROW.0), "/{path}");
        }
        page.goto(&format!("http://127.0.0.1:{}/", server.port));
        page.wait_for("#recent-list a");
        assert_eq!(width(), json!(NARROW.0), "with a recent game");
        page.screenshot("home-narrow");
    });
}

/// The places of what must not move.
fn places(page: &Page) -> Value {
    page.evaluate(
        "['#board svg', '#players-top', '#players-bottom', '#title', '#status, #result:not([hidden])', '#moves-title', '#flip', '#actions', '#sound'] \
         .map((it) => { const at = document.querySelector(it).getBoundingClientRect(); return [it, Math.round(at.left), Math.round(at.top)]; }) \
         .filter(([it]) => !it.includes('status'))",
    )
}

#[test]
fn nothing_jumps() {
    with_browsers(|browsers| {
        for size in [LAPTOP, PHONE] {
            let server = TestServer::start(&[]);
            let opened = server.open_chess();
            let (white, black) = (browsers.open_page(size), browsers.open_page(DESK));
            join(&white, &server, &opened, 0);
            let first = places(&white);
            join(&black, &server, &opened, 1);
            // The notice that Black is missing goes.
            white.wait_until("!document.querySelector('[data-notice]')");
            assert_eq!(places(&white), first, "the opponent came");
            let moves = ["e2e4", "f7f6", "d1h5", "g7g6", "h5g6"];
            for (ply, text) in moves.iter().enumerate() {
                let page = [&white, &black][ply % 2];
                page.wait_until("document.querySelector('#status').dataset.yours === 'true'");
                page.move_piece(&text[..2], &text[2..]);
                white.wait_for_moves(ply + 1);
                assert_eq!(places(&white), first, "{text}: tags of check, captured pieces");
            }
            black.click("#draw");
            white.wait_for("#banner");
            assert_eq!(places(&white), first, "an offer");
            white.click("#first");
            white.wait_until(
                "!!document.querySelector('#board [data-piece=\"WHITE QUEEN\"][data-at=\"d1\"]')",
            );
            assert_eq!(places(&white), first, "an earlier position");
            white.screenshot(if size == PHONE { "notices-phone" } else { "notices" });
            white.click("#last");
            black.move_piece("h7", "g6");
            white.wait_for_moves(6);
            black.click("#resign");
            black.click("#confirm-yes");
            white.wait_for("#result");
            assert_eq!(places(&white), first, "the result");
        }
    });
}

#[test]
fn nothing_jumps_when_a_draw_can_be_claimed() {
    with_browsers(|browsers| {
        for size in [LAPTOP, PHONE, LANDSCAPE] {
            let server = TestServer::start(&[]);
            let opened = server.open_room(&json!({ "game": "chess" }));
            let page = browsers.open_page(size);
            join(&page, &server, &opened, 0);
            let first = places(&page);
            let there_and_back = [("g1", "f3"), ("g8", "f6"), ("f3", "g1"), ("f6", "g8")];
            for (ply, (from, to)) in there_and_back.iter().chain(&there_and_back).enumerate() {
                page.move_piece(from, to);
                page.wait_for_moves(ply + 1);
            }
            page.wait_until("!document.querySelector('#claim').hidden");
            assert_eq!(places(&page), first);
            page.click("#claim");
            page.wait_until("!document.querySelector('#result').hidden");
            assert_eq!(page.text("#result"), "Draw by threefold repetition");
        }
    });
}

#[test]
fn a_hole_does_not_look_like_a_square() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let page = browsers.open_page(DESK);
        let opened = server.open_room(&json!({ "game": "trefoil" }));
        join(&page, &server, &opened, 0);
        // The well between the squares is hatched; the corners are open to the outside and empty.
        assert_eq!(page.evaluate("document.querySelectorAll('#board .hole').length"), json!(1));
        let well = "getComputedStyle(document.querySelector('#board .hole')).fill";
        assert!(page.evaluate(well).as_str().unwrap().contains("-wall"));
        let background = "getComputedStyle(document.querySelector('#board .wall-back')).fill";
        for shade in ["light", "dark"] {
            let square = format!("getComputedStyle(document.querySelector('#board .square.{shade}')).fill");
            assert_ne!(page.evaluate(background), page.evaluate(&square));
        }
        page.screenshot("hole");
    });
}

#[test]
fn tags_follow_the_shown_position() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let opened = server.open_room(&json!({ "game": "chess" }));
        let page = browsers.open_page(DESK);
        join(&page, &server, &opened, 0);
        let moves = ["e2e4", "f7f6", "d1h5", "g7g6", "h5g6", "h7g6", "f1b5", "g6g5", "h1g1"];
        for (ply, text) in ["f2f3", "e7e5", "g2g4", "d8h4"].iter().enumerate() {
            page.move_piece(&text[..2], &text[2..]);
            page.wait_for_moves(ply + 1);
        }
        page.wait_for("#result");
        let tags = |player: &str| {
            page.evaluate(&format!("document.querySelector('[data-player=\"{player}\"] .name').textContent"))
        };
        assert_eq!((tags("WHITE"), tags("BLACK")), (json!("Whitemated"), json!("Blackwon")));
        page.screenshot("mated");
        page.click("#prev");
        assert_eq!((tags("WHITE"), tags("BLACK")), (json!("White"), json!("Black")), "before the mate");
        // A check is shown where it was given.
        let opened = server.open_room(&json!({ "game": "chess" }));
        join(&page, &server, &opened, 0);
        for (ply, text) in moves.iter().take(6).enumerate() {
            page.move_piece(&text[..2], &text[2..]);
            page.wait_for_moves(ply + 1);
        }
        assert_eq!(tags("BLACK"), json!("Black"));
        page.click("#moves [data-ply=\"3\"]");
        assert_eq!(tags("BLACK"), json!("Blackcheck"));
    });
}

#[test]
fn the_move_list_marks_the_last_move_when_the_second_player_begins() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let spec = server.get("/api/games/gardner").json()["spec"].as_str().unwrap().to_owned();
        let mut spec: Value = serde_json::from_str(&spec).unwrap();
        spec["turns"] = json!({ "order": ["BLACK", "WHITE"] });
        let opened = server.open_room(&json!({ "spec": spec.to_string() }));
        let page = browsers.open_page(DESK);
        join(&page, &server, &opened, 0);
        for (ply, (from, to)) in [("a4", "a3"), ("b2", "a3"), ("b4", "b3")].into_iter().enumerate() {
            page.move_piece(from, to);
            page.wait_for_moves(ply + 1);
            let marked = page.evaluate("document.querySelector('#moves [aria-current]').dataset.ply");
            assert_eq!(marked, json!((ply + 1).to_string()));
        }
        page.click("#prev");
        assert_eq!(page.evaluate("document.querySelector('#moves [aria-current]').dataset.ply"), json!("2"));
        let heads = page.evaluate("[...document.querySelectorAll('#moves thead th span:not(.hidden-text)')].map((it) => it.textContent)");
        assert_eq!(heads, json!(["Black", "White"]), "in the order of turns");
        page.screenshot("second-player-begins");
    });
}

#[test]
fn diagrams_of_a_large_board_are_readable() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let readme = include_str!("../../../../README.md");
        let spec = readme.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
        let mut spec: Value = serde_json::from_str(spec).unwrap();
        spec["board"] = json!({ "dimensions": [16, 16] });
        spec["setup"] = json!(format!("14rk/15r/{}R15/KR14", "16/".repeat(12)));
        let opened = server.open_room(&json!({ "spec": spec.to_string() }));
        let page = browsers.open_page(DESK);
        join(&page, &server, &opened, 0);
        page.click("#rules-open");
        page.wait_until("document.querySelectorAll('#rules .figure svg').length > 1");
        let narrowest = "Math.min(...[...document.querySelectorAll('#rules .figure-board .square')].map((it) => it.getBoundingClientRect().width))";
        let width = page.evaluate(narrowest).as_f64().unwrap();
        assert!(width >= 18.0, "{width}");
        // The whole text counts the squares that are not drawn.
        assert!(
            page.text("#rules .figure[data-kind=\"ROOK\"]").contains("30 squares, further along the lines")
        );
        page.screenshot("large-diagrams");
    });
}

#[test]
fn the_card_of_enochian_chess_shows_one_of_the_sixteen_arrays() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let page = browsers.open_page(DESK);
        page.goto(&format!("http://127.0.0.1:{}/", server.port));
        page.wait_for("[data-game=\"enochian\"] [data-layout=\"Fire of Fire\"] svg");
        let pieces = page.evaluate("document.querySelectorAll('[data-game=\"enochian\"] .piece').length");
        assert_eq!(pieces, json!(36), "nine pieces in each army");
        page.click("[data-game=\"enochian\"]");
        assert_eq!(page.evaluate("document.querySelector('#setup-layout').value"), json!("Fire of Fire"));
    });
}
