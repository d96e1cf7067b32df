//! Invitations: they survive the tab, are listed where they were opened, and warn about addresses that others cannot reach.

use serde_json::json;

use crate::browser::{Page, with_browsers};
use crate::playing::{DESK, PHONE};
use crate::test_server::TestServer;

const LINK: &str = "#links input[aria-label=\"Invite Black\"]";

pub(crate) fn invitation(page: &Page) -> String {
    page.wait_for(LINK);
    let link = page.evaluate(&format!("document.querySelector('{LINK}').value"));
    link.as_str().unwrap().to_owned()
}

#[test]
fn an_invitation_survives_closing_the_tab() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let home = format!("http://127.0.0.1:{}/", server.port);
        let page = browsers.open_page(DESK);
        page.goto(&format!("{home}#chess"));
        page.click("#preset-friend");
        page.click("#start");
        let link = invitation(&page);
        page.screenshot("invite");
        assert!(page.text("#local-only").contains("tabiya serve --bind 0.0.0.0"), "a local link warns");
        page.replace_window();
        page.goto(&home);
        page.click("#recent-list a");
        assert_eq!(invitation(&page), link);
        // The invited browser lists the game, too.
        let friend = browsers.open_page(PHONE);
        friend.goto(&link);
        friend.wait_until("document.body.dataset.ready === 'true'");
        page.wait_until("!document.querySelector('#share').open");
        friend.replace_window();
        friend.goto(&home);
        assert!(friend.text("#recent-list li").contains("Chess You play Black"));
        friend.screenshot("invited-phone");
        friend.click("#recent-list a");
        friend.wait_until("document.body.dataset.ready === 'true'");
        page.assert_no_console_errors();
        friend.assert_no_console_errors();
    });
}

#[test]
fn an_invitation_shows_the_address_that_others_can_reach() {
    with_browsers(|browsers| {
        let server = TestServer::start(&["--host", "chess.example.org"]);
        let page = browsers.open_page(DESK);
        page.goto(&format!("http://127.0.0.1:{}/#chess", server.port));
        page.click("#preset-friend");
        page.click("#start");
        assert!(invitation(&page).starts_with("https://chess.example.org/play#"));
        let said = page.text("#reachable");
        assert!(
            said.contains("works only on this computer") && said.contains("https://chess.example.org"),
            "{said}"
        );
        page.screenshot("invite-reachable");
    });
}

#[test]
fn friends_are_invited_to_a_game_from_the_workshop() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let page = browsers.open_page(DESK);
        page.goto(&format!("http://127.0.0.1:{}/workshop#game=gardner", server.port));
        page.wait_until("document.body.dataset.playable === 'true'");
        page.click("#play-with");
        page.click("#preset-friend");
        page.evaluate("document.querySelector('#clock').value = '180+2'");
        page.wait_until("!!document.querySelector('#setup-board svg')");
        page.screenshot("workshop-friends");
        page.click("#start");
        let link = invitation(&page);
        page.click("#share-close");
        assert_eq!(page.text("[data-player=\"WHITE\"] .clock"), "3:00");
        let friend = browsers.open_page(DESK);
        friend.goto(&link);
        friend.wait_until("document.body.dataset.ready === 'true'");
        page.move_piece("a2", "a3");
        friend.wait_for_moves(1);
        assert_eq!(
            friend.evaluate("document.querySelector('#title').textContent"),
            json!("Gardner minichess")
        );
        page.assert_no_console_errors();
    });
}
