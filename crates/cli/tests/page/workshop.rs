//! The workshop: problems are shown while typing, and the game can be played and shared.

use serde_json::json;

use crate::browser::with_browsers;
use crate::test_server::TestServer;

#[test]
fn a_problem_is_shown_fixed_and_the_game_is_played() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let page = browsers.open_page((1280, 900));
        page.goto(&format!("http://127.0.0.1:{}/workshop#game=shatranj", server.port));
        page.wait_until(
            "document.body.dataset.playable === 'true' && document.body.dataset.checked === 'true'",
        );
        page.screenshot("workshop");
        // Remove a letter from a piece name, so that it is unknown.
        let caret = "(() => { const editor = document.querySelector('#editor'); editor.focus(); \
            const at = editor.value.indexOf('\"FERS\"') + 4; editor.setSelectionRange(at, at); return at; })()";
        page.evaluate(caret);
        page.press("\u{e003}"); // Backspace
        page.wait_until(
            "document.body.dataset.playable === 'false' && document.body.dataset.checked === 'true'",
        );
        let line = page.evaluate(
            "(() => { const e = document.querySelector('#editor'); \
            return e.value.slice(0, e.selectionStart).split('\\n').length; })()",
        );
        page.wait_for(&format!("#faults li[data-line=\"{line}\"]"));
        page.screenshot("workshop-fault");
        page.press("R");
        page.wait_until(
            "document.body.dataset.playable === 'true' && document.body.dataset.checked === 'true'",
        );
        page.click("#tab-pieces");
        page.wait_until("document.querySelectorAll('svg').length > 5");
        page.screenshot("workshop-pieces");
        page.click("#tab-rules");
        page.wait_until("document.body.innerText.includes('8 files')");
        page.click("#tab-board");
        page.click("#play-self");
        // The room may open in a new window.
        page.to_newest_window();
        page.wait_until("location.pathname === '/play' && document.body.dataset.ready === 'true'");
        page.move_piece("a2", "a3");
        page.wait_for_moves(1);
        page.screenshot("workshop-played");
        page.assert_no_console_errors();
    });
}

#[test]
fn a_link_contains_the_game() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let page = browsers.open_page((1280, 900));
        page.goto(&format!("http://127.0.0.1:{}/workshop#game=gardner", server.port));
        page.wait_until("document.body.dataset.playable === 'true'");
        page.click("#share");
        let link = "[...document.querySelectorAll('input, output, a, code')].map((it) => it.value || it.href || it.textContent) \
            .find((text) => text.includes('#spec='))";
        page.wait_until(&format!("!!({link})"));
        let link = page.evaluate(link).as_str().unwrap().to_owned();
        let other = browsers.open_page((1280, 900));
        other.goto(&link);
        other.wait_until("document.body.dataset.playable === 'true'");
        let same = "JSON.parse(document.querySelector('#editor').value).name";
        assert_eq!(other.evaluate(same), page.evaluate(same));
        other.goto(&format!("http://127.0.0.1:{}/workshop#spec=broken", server.port));
        other.refresh();
        other.wait_for("#editor");
        assert_eq!(other.evaluate("document.querySelector('#editor').value.length > 100"), json!(true));
    });
}
