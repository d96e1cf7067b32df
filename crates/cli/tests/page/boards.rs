//! Boards beyond rectangles on the page: hexagons, levels and boards that go on at the other side.

use serde_json::json;

use crate::browser::with_browsers;
use crate::playing::{DESK, PHONE, join};
use crate::test_server::TestServer;

/// Games with a move by mouse and one by keyboard, as keys of squares: rows are counted through all levels.
const GAMES: [(&str, &str, &str, &str); 4] = [
    ("glinski", "b1", "b2", "WHITE PAWN"),
    ("raumschach", "a2", "a3", "WHITE PAWN"),
    ("cylinder", "a2", "a4", "WHITE PAWN"),
    ("circular", "f1", "g1", "WHITE PAWN"),
];

#[test]
fn unusual_boards_are_drawn_and_played() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        for (game, from, to, piece) in GAMES {
            let opened = server.open_room(&json!({ "game": game }));
            for (name, size) in [("desk", DESK), ("phone", PHONE)] {
                for scheme in ["light", "dark"] {
                    let page = browsers.open_page(size);
                    page.prefer_colors(scheme);
                    join(&page, &server, &opened, 0);
                    page.wait_until("document.querySelectorAll('#board .cell').length > 60");
                    page.wait_until("document.querySelector('#board .board').style.visibility !== 'hidden'");
                    let shows_board = "(() => { const it = document.querySelector('#board svg').getBoundingClientRect(); \
                        return it.left >= 0 && it.right <= innerWidth; })()";
                    assert_eq!(page.evaluate(shows_board), json!(true), "{game} {name}");
                    page.screenshot(&format!("board-{game}-{name}-{scheme}"));
                }
            }
            let page = browsers.open_page(DESK);
            join(&page, &server, &opened, 0);
            page.wait_until("document.querySelector('#board .board').style.visibility !== 'hidden'");
            page.click_square(from);
            page.screenshot(&format!("board-{game}-moves"));
            page.click_square(to);
            page.wait_for_moves(1);
            page.wait_until(&format!(
                "!!document.querySelector('#board [data-piece=\"{piece}\"][data-at=\"{to}\"]')"
            ));
            page.assert_no_console_errors();
        }
    });
}

#[test]
fn the_keyboard_reaches_every_hexagon() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        for game in ["glinski", "raumschach"] {
            let opened = server.open_room(&json!({ "game": game }));
            let page = browsers.open_page(DESK);
            join(&page, &server, &opened, 0);
            page.wait_until("document.querySelector('#board .board').style.visibility !== 'hidden'");
            let reached = "(() => { const board = document.querySelector('#board'); \
                const focus = () => board.querySelector('[tabindex=\"0\"]'); \
                const key = (name) => focus().dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true })); \
                const seen = new Set(); const keys = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']; \
                let state = 7; for (let i = 0; i < 6000; i += 1) { state = (state * 1103515245 + 12345) % 2147483648; \
                key(keys[Math.floor(state / 65536) % 4]); seen.add(focus().dataset.square); } \
                return seen.size === board.querySelectorAll('.cell').length; })()";
            assert_eq!(page.evaluate(reached), json!(true), "{game}");
        }
    });
}
