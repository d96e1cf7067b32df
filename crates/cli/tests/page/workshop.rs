//! The workshop: a fault is shown as it is typed, mended, and the game is played.

use serde_json::json;

use crate::browser::with_browsers;
use crate::house::House;

#[test]
fn a_fault_is_mended_and_the_game_is_played() {
    with_browsers(|browsers| {
        let house = House::open(&[]);
        let page = browsers.person((1280, 900));
        page.goto(&format!("http://127.0.0.1:{}/workshop#game=gardner", house.port));
        page.until("document.body.dataset.playable === 'true' && document.body.dataset.checked === 'true'");
        page.picture("workshop");
        // The queen loses a letter of her name where she is placed, and nobody knows who that is.
        let caret = "(() => { const editor = document.querySelector('#editor'); editor.focus(); \
            const at = editor.value.indexOf('\"QUEEN\"') + 4; editor.setSelectionRange(at, at); return at; })()";
        page.ask(caret);
        page.press("\u{e003}"); // Backspace
        page.until("document.body.dataset.playable === 'false' && document.body.dataset.checked === 'true'");
        let line = page.ask(
            "(() => { const e = document.querySelector('#editor'); \
            return e.value.slice(0, e.selectionStart).split('\\n').length; })()",
        );
        page.see(&format!("#faults li[data-line=\"{line}\"]"));
        page.picture("workshop-fault");
        page.press("E");
        page.until("document.body.dataset.playable === 'true' && document.body.dataset.checked === 'true'");
        page.click("#tab-pieces");
        page.until("document.querySelectorAll('svg').length > 5");
        page.picture("workshop-pieces");
        page.click("#tab-rules");
        page.until("document.body.innerText.includes('5 files')");
        page.click("#tab-board");
        page.click("#play-self");
        // On this page or in a new window.
        page.to_newest_window();
        page.until("location.pathname === '/play' && document.body.dataset.ready === 'true'");
        page.moves("a2", "a3");
        page.has_moves(1);
        page.picture("workshop-played");
        page.is_quiet();
    });
}

#[test]
fn a_link_carries_the_game() {
    with_browsers(|browsers| {
        let house = House::open(&[]);
        let page = browsers.person((1280, 900));
        page.goto(&format!("http://127.0.0.1:{}/workshop#game=gardner", house.port));
        page.until("document.body.dataset.playable === 'true'");
        page.click("#share");
        let link = "[...document.querySelectorAll('input, output, a, code')].map((it) => it.value || it.href || it.textContent) \
            .find((text) => text.includes('#spec='))";
        page.until(&format!("!!({link})"));
        let link = page.ask(link).as_str().unwrap().to_owned();
        let other = browsers.person((1280, 900));
        other.goto(&link);
        other.until("document.body.dataset.playable === 'true'");
        let same = "JSON.parse(document.querySelector('#editor').value).name";
        assert_eq!(other.ask(same), page.ask(same));
        other.goto(&format!("http://127.0.0.1:{}/workshop#spec=broken", house.port));
        other.refresh();
        other.see("#editor");
        assert_eq!(other.ask("document.querySelector('#editor').value.length > 100"), json!(true));
    });
}
