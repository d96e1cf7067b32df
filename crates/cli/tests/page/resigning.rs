//! Resigning on a shared screen.

use serde_json::json;

use crate::browser::with_browsers;
use crate::playing::{DESK, join};
use crate::test_server::TestServer;

#[test]
fn the_side_to_move_resigns_on_a_shared_screen() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let opened = server.open_room(&json!({ "game": "chess" }));
        let page = browsers.open_page(DESK);
        join(&page, &server, &opened, 0);
        page.move_piece("e2", "e4");
        page.wait_for_moves(1);
        page.click("#resign");
        assert_eq!(page.text("#confirm-choices label:has(:checked)"), "Black resigns", "Black is to move");
        page.screenshot("resign");
        page.click("#confirm-yes");
        page.wait_for("#result");
        assert_eq!(page.text("#result"), "Resignation: White wins");
        page.assert_no_console_errors();
    });
}

#[test]
fn one_of_four_armies_resigns_and_the_game_goes_on() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let opened = server.open_room(&json!({ "game": "fourplayer" }));
        let page = browsers.open_page(DESK);
        join(&page, &server, &opened, 0);
        page.click("#resign");
        assert_eq!(page.text("#confirm-choices label:has(:checked)"), "Red resigns");
        page.click("#confirm-choices label:nth-child(3)");
        page.click("#confirm-yes");
        page.wait_for("[data-player=\"YELLOW\"][data-out=\"true\"]");
        assert_eq!(page.evaluate("document.querySelector('#result').hidden"), json!(true), "three play on");
        page.click("#resign");
        let listed = page.evaluate("document.querySelectorAll('#confirm-choices label').length");
        assert_eq!(listed, json!(3), "Yellow is out");
        page.assert_no_console_errors();
    });
}
