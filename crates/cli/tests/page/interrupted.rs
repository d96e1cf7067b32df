//! What happens to dialogs and lists when the game goes on or ends without the user.

use serde_json::json;

use crate::browser::with_browsers;
use crate::playing::{DESK, PHONE, join};
use crate::test_server::TestServer;

#[test]
fn the_question_whether_to_resign_ends_with_the_game() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let opened = server.open_chess();
        let page = browsers.open_page(DESK);
        join(&page, &server, &opened, 0);
        let (mut black, _) = server.join(&opened.id, &opened.keys[1]);
        page.wait_until("!document.querySelector('[data-notice]')");
        page.click("#resign");
        page.wait_for("#confirm");
        black.play("resign", 0);
        page.wait_until("!document.querySelector('#result').hidden");
        assert_eq!(page.evaluate("document.querySelector('#confirm').open"), json!(false));
        assert_eq!(page.text("#result"), "Resignation: White wins");
        page.assert_no_console_errors();
    });
}

#[test]
fn a_promotion_is_not_chosen_in_another_position() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let opened = server.open_room(&json!({ "game": "chess", "start": "4k3/P7/8/8/8/8/8/4K3 b - - 0 1" }));
        let page = browsers.open_page(DESK);
        join(&page, &server, &opened, 0);
        let (mut other_tab, _) = server.join(&opened.id, &opened.keys[0]);
        other_tab.play("e8e7", 0);
        page.wait_for_moves(1);
        page.move_piece("a7", "a8");
        page.wait_for("#promotion dialog");
        other_tab.send_json(&json!({ "undo": { "seen": 1 } }));
        page.wait_until("!document.querySelector('#promotion dialog')");
        page.wait_until("!!document.querySelector('#board [data-piece=\"BLACK KING\"][data-at=\"e8\"]')");
        // The board can be used again.
        page.move_piece("e8", "d7");
        page.wait_for_moves(1);
        page.assert_no_console_errors();
    });
}

#[test]
fn notes_stand_where_they_belong() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let opened = server.open_chess();
        let page = browsers.open_page(PHONE);
        join(&page, &server, &opened, 0);
        let (mut white, _) = server.join(&opened.id, &opened.keys[0]);
        let (mut black, _) = server.join(&opened.id, &opened.keys[1]);
        white.play("draw", 0);
        white.play("e2e4", 1);
        black.play("decline", 2);
        black.play("e7e5", 3);
        page.wait_for_moves(2);
        let rows =
            page.evaluate("[...document.querySelectorAll('#moves tbody tr')].map((it) => it.textContent)");
        assert_eq!(rows, json!(["White offers a draw.", "1e4", "Black declines.", "1e5"]));
        let mut seen = 4;
        for file in ["a", "b", "c", "d", "f", "g", "h"] {
            white.play(&format!("{file}2{file}3"), seen);
            black.play(&format!("{file}7{file}6"), seen + 1);
            seen += 2;
        }
        // A note after the last move is visible.
        black.play("resign", seen);
        page.wait_until("!document.querySelector('#result').hidden");
        let is_visible = "(() => { const list = document.querySelector('#moves-scroll').getBoundingClientRect(); \
            const note = document.querySelector('#moves tbody tr:last-child').getBoundingClientRect(); \
            return note.top >= list.top && note.bottom <= list.bottom + 1; })()";
        assert_eq!(page.evaluate(is_visible), json!(true));
        page.screenshot("notes-phone");
        page.assert_no_console_errors();
    });
}
