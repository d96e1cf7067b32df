//! The editor of the workshop: new games, colors, the long form, formatting, and Betza notation drawn while typing.

use serde_json::{Value, json};

use crate::access::{axe, check_access};
use crate::browser::{Browsers, Page, with_browsers};
use crate::playing::PHONE;
use crate::test_server::TestServer;

const LAPTOP: (u32, u32) = (1366, 768);
const BACKSPACE: &str = "\u{e003}";
const TAB: &str = "\u{e004}";
const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";
const DOWN: &str = "\u{e015}";

/// Whether the shown text was checked and can be played.
const PLAYABLE: &str =
    "document.body.dataset.checked === 'true' && document.body.dataset.playable === 'true'";

/// Opens the workshop with a game of the library.
fn open(browsers: &mut Browsers, server: &TestServer, size: (u32, u32), game: &str) -> Page {
    let page = browsers.open_page(size);
    page.goto(&format!("http://127.0.0.1:{}/workshop#game={game}", server.port));
    page.wait_until(PLAYABLE);
    page
}

fn text(page: &Page) -> String {
    page.evaluate("document.querySelector('#editor').value").as_str().expect("a text").to_owned()
}

/// Replaces the text, as pasting does.
fn set_text(page: &Page, text: &str) {
    let text = json!(text);
    page.evaluate(&format!(
        "(() => {{ const editor = document.querySelector('#editor'); editor.focus(); editor.select(); \
         document.execCommand('insertText', false, {text}); }})()"
    ));
}

/// Puts the cursor after the first occurrence of a text.
fn put_cursor_after(page: &Page, what: &str) {
    let what = json!(what);
    let found = page.evaluate(&format!(
        "(() => {{ const editor = document.querySelector('#editor'); editor.focus(); \
         const at = editor.value.indexOf({what}) + {what}.length; editor.setSelectionRange(at, at); \
         return editor.value.includes({what}); }})()"
    ));
    assert_eq!(found, json!(true), "{what}");
    // The first focus loads what helps with typing.
    page.wait_until("document.querySelector('#editor').hasAttribute('aria-autocomplete')");
}

/// Returns whether the drawn lines are those of the text, with the same width.
const IS_DRAWN: &str = "(() => { const field = document.querySelector('#editor'); \
    const rows = [...document.querySelectorAll('#sheet .code-line')]; \
    const lines = field.value.split('\\n'); \
    const offset = parseFloat(/, (-?[\\d.]+)px/.exec(document.querySelector('#sheet .rows').style.transform)[1]); \
    const first = Math.round((offset + field.scrollTop) / 20); \
    return rows.length > 0 && rows.every((row, i) => row.textContent === lines[first + i]); })()";

#[test]
fn a_new_game_starts_from_the_library_or_empty() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let page = open(browsers, &server, LAPTOP, "gardner");
        page.click("#new");
        page.wait_until("document.querySelector('#from').options.length > 10");
        page.screenshot("workshop-new");
        page.click("#new-start");
        page.wait_until("document.querySelector('#editor').value.includes('\"extends\": \"chess\"')");
        page.wait_until(PLAYABLE);
        let variant = text(&page);
        assert!(variant.contains("\"name\": \"My chess\"") && variant.len() < 600, "{variant}");
        assert_eq!(page.text("#title"), "My chess");
        page.screenshot("workshop-variant");

        page.click("#new");
        page.click("label[for=\"start-copy\"]");
        page.evaluate("document.querySelector('#from').value = 'shatranj'");
        page.click("#new-start");
        page.wait_until("document.querySelector('#title').textContent === 'Shatranj'");
        assert_eq!(text(&page), server.get("/api/games/shatranj").json()["spec"].as_str().unwrap());

        page.click("#new");
        page.click("label[for=\"start-empty\"]");
        page.evaluate("document.querySelector('#start-files').value = 6");
        page.screenshot("workshop-new-empty");
        page.click("#new-start");
        page.wait_until("document.querySelector('#title').textContent === 'My game'");
        page.wait_until(PLAYABLE);
        assert!(text(&page).contains("\"setup\": \"3k2/6/6/6/6/6/6/3K2\""), "{}", text(&page));
        assert_eq!(page.text("#fault-count"), "No problems");
        // The text before is one click away.
        page.click("#back");
        page.wait_until("document.querySelector('#title').textContent === 'Shatranj'");
        page.assert_no_console_errors();
    });
}

#[test]
fn the_text_is_colored_and_stays_in_place() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let page = open(browsers, &server, LAPTOP, "chess");
        assert_eq!(page.evaluate(IS_DRAWN), json!(true));
        for (kind, example) in [
            ("key", "\"name\""),
            ("string", "\"Chess\""),
            ("word", "\"KING\""),
            ("betza", "\"fmWifmnDfceF\""),
            ("number", "8"),
        ] {
            put_cursor_after(&page, example);
            let find = format!(
                "[...document.querySelectorAll('#sheet .code-{kind}')].some((it) => it.textContent === {})",
                json!(example)
            );
            page.evaluate("document.querySelector('#editor').scrollTop = document.querySelector('#editor').value.slice(0, document.querySelector('#editor').selectionStart).split('\\n').length * 20 - 100");
            page.wait_until(&find);
        }
        // Tabs, wide characters, pictures, right-to-left text and an unfinished string.
        let odd =
            "{\n\t\"name\": \"棋士 将棋 ♞♞ 🐴🐴 עברית\", \"about\": \"e\u{301}fi ffi\",\n\t\"x\": \"open\n}";
        set_text(&page, odd);
        assert_eq!(page.evaluate(IS_DRAWN), json!(true));
        let widths = "(() => { const field = document.querySelector('#editor'); const copy = field.cloneNode(); copy.removeAttribute('id'); \
            copy.value = field.value.split('\\n')[1]; copy.style.width = '10px'; field.after(copy); const wide = copy.scrollWidth - 10; copy.remove(); \
            const row = document.querySelectorAll('#sheet .code-line')[1]; const range = document.createRange(); range.selectNodeContents(row); \
            return [wide, range.getBoundingClientRect().width]; })()";
        let widths = page.evaluate(widths);
        let (field, layer) = (widths[0].as_f64().unwrap(), widths[1].as_f64().unwrap());
        assert!((field - layer).abs() <= 11.0 && layer > 200.0, "{widths}");
        page.screenshot("workshop-odd-text");
        // Undo and input methods change the text without keys.
        page.press_control("z");
        page.wait_until(IS_DRAWN);
        assert!(text(&page).contains("\"Chess\""));
        put_cursor_after(&page, "\"Chess");
        page.devtools(
            "Input.imeSetComposition",
            &json!({ "text": "しょうぎ", "selectionStart": 4, "selectionEnd": 4 }),
        );
        page.wait_until("document.querySelector('#sheet').classList.contains('composing')");
        page.devtools("Input.insertText", &json!({ "text": "将棋" }));
        page.wait_until("!document.querySelector('#sheet').classList.contains('composing')");
        page.wait_until(IS_DRAWN);
        assert!(text(&page).contains("\"Chess将棋\""));
        page.assert_no_console_errors();
    });
}

/// Types letters and returns the times until they are drawn, in milliseconds, sorted.
fn typing_times(page: &Page, letters: usize) -> Vec<f64> {
    let times = page.evaluate_async(&format!(
        "const done = arguments[arguments.length - 1]; const times = []; \
         const frame = () => new Promise((next) => requestAnimationFrame(next)); \
         (async () => {{ for (let i = 0; i < {letters}; i += 1) {{ await frame(); const start = performance.now(); \
           document.execCommand('insertText', false, 'x'); document.querySelector('#sheet .rows').getBoundingClientRect(); \
           document.querySelector('#editor').scrollWidth; times.push(performance.now() - start); }} done(times); }})()"
    ));
    let mut times: Vec<f64> = times.as_array().expect("times").iter().filter_map(Value::as_f64).collect();
    times.sort_by(f64::total_cmp);
    times
}

#[test]
#[allow(clippy::print_stderr, reason = "the measurement is of interest")]
fn typing_is_smooth_in_a_large_file() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let page = open(browsers, &server, LAPTOP, "enochian");
        assert!(text(&page).len() > 100_000);
        put_cursor_after(&page, "\"layouts\"");
        page.evaluate("document.querySelector('#editor').blur()");
        put_cursor_after(&page, "\"name\": \"");
        let times = typing_times(&page, 40);
        eprintln!("typing in 120 KB: median {:.1} ms, most {:.1} ms", times[20], times[39]);
        assert!(times[20] < 30.0, "{times:?}");
        assert_eq!(page.evaluate(IS_DRAWN), json!(true));
        // The whole file on one line.
        let line =
            serde_json::from_str::<Value>(server.get("/api/games/enochian").json()["spec"].as_str().unwrap());
        set_text(&page, &line.unwrap().to_string());
        page.evaluate("(() => { const editor = document.querySelector('#editor'); editor.setSelectionRange(60000, 60000); editor.scrollLeft = 60000 * 7.83 - 300; })()");
        let times = typing_times(&page, 20);
        eprintln!("typing in a line of 100 KB: median {:.1} ms, most {:.1} ms", times[10], times[19]);
        assert!(times[10] < 120.0, "{times:?}");
        assert_eq!(page.evaluate(IS_DRAWN), json!(true));
        assert!(
            page.evaluate("document.querySelectorAll('#sheet .code-line span').length < 1000") == json!(true)
        );
        page.screenshot("workshop-one-line");
    });
}

#[test]
fn the_long_form_follows_the_text_and_format_shortens_it() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let page = open(browsers, &server, LAPTOP, "gardner");
        page.click("#tab-long");
        let long = "document.querySelector('#long').value";
        page.wait_until(&format!("{long}.includes('\"starting_positions\"')"));
        assert_eq!(page.evaluate("document.querySelector('#long').readOnly"), json!(true));
        page.screenshot("workshop-long");
        put_cursor_after(&page, "\"betza\": \"");
        page.press("b");
        page.wait_until(&format!("{long}.includes('[0,-1]')"));
        // The long form itself is a file; its shortest form is short again.
        let written = page.evaluate(long).as_str().unwrap().to_owned();
        set_text(&page, &written);
        page.wait_until(PLAYABLE);
        page.click("#format");
        page.wait_until("document.querySelector('#editor').value.includes('\"setup\"')");
        page.wait_until(PLAYABLE);
        let short = text(&page);
        assert!(short.len() * 3 < written.len(), "{short}");
        page.evaluate("document.querySelector('#editor').focus()");
        page.press_control("z");
        page.wait_until(&format!("document.querySelector('#editor').value === {}", json!(written)));
        // A text with an error is laid out.
        set_text(&page, "{\"name\":\n\n1}");
        page.wait_until(
            "document.body.dataset.checked === 'true' && document.body.dataset.playable === 'false'",
        );
        page.click("#format");
        page.wait_until("document.querySelector('#editor').value === '{ \"name\": 1 }\\n'");
        page.assert_no_console_errors();
    });
}

#[test]
fn a_word_of_betza_notation_is_drawn_while_typing() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let page = open(browsers, &server, LAPTOP, "chess");
        assert_eq!(page.evaluate("document.querySelector('#betza').hidden"), json!(true));
        let variant = server.get("/api/games/chess").json()["variant"].as_str().unwrap().to_owned();
        set_text(&page, &variant);
        page.wait_until(PLAYABLE);
        put_cursor_after(&page, "\"KNIGHT\", \"betza\": \"N");
        page.wait_until("document.querySelector('#betza').dataset.word === 'N'");
        let dots = "document.querySelectorAll('#betza .hint').length";
        assert_eq!(page.evaluate("document.querySelectorAll('#betza svg').length > 0"), json!(true));
        let before = page.evaluate(dots).as_u64().unwrap();
        page.press("W");
        page.wait_until("document.querySelector('#betza').dataset.word === 'NW'");
        assert!(page.evaluate(dots).as_u64().unwrap() > before);
        assert!(page.text("#betza").contains("1 square along a rank or file"), "{}", page.text("#betza"));
        page.screenshot("workshop-betza");
        page.press("x");
        page.wait_until("document.querySelector('#betza .wrong')?.textContent === 'x'");
        assert!(page.text("#betza").contains("x is not a letter"), "{}", page.text("#betza"));
        page.wait_until("!!document.querySelector('#faults li[data-code]')");
        // The list of problems does not cover the cursor.
        let is_visible = "(() => { const field = document.querySelector('#editor'); \
            const line = field.value.slice(0, field.selectionStart).split('\\n').length; \
            return line * 20 <= field.scrollTop + field.clientHeight; })()";
        page.wait_until(is_visible);
        page.screenshot("workshop-betza-wrong");
        page.press(BACKSPACE);
        page.wait_until("!document.querySelector('#betza .wrong')");
        put_cursor_after(&page, "\"name\": ");
        page.wait_until("document.querySelector('#betza').hidden");
        page.assert_no_console_errors();
    });
}

#[test]
fn keys_and_codes_are_completed() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let page = open(browsers, &server, LAPTOP, "gardner");
        let shown = "[...document.querySelectorAll('#completions:not([hidden]) .completion-label')].map((it) => it.textContent)";
        // Typing a key opens the list; Tab takes its first entry.
        put_cursor_after(&page, "\"extends\": \"chess\",");
        page.press(" \"lea");
        page.wait_until(&format!("{shown}.join() === 'leader'"));
        let field = "document.querySelector('#editor')";
        let active = format!(
            "document.getElementById({field}.getAttribute('aria-activedescendant')).getAttribute('aria-selected')"
        );
        assert_eq!(page.evaluate(&active), json!("true"));
        assert_eq!(page.text("#completions-status"), "1 suggestion");
        page.press(TAB);
        page.wait_until("document.querySelector('#completions').hidden");
        assert!(text(&page).contains("\"chess\", \"leader\": \n"), "{}", text(&page));
        // A code of the extended game, chosen with the arrows.
        page.press("\"");
        page.wait_until(&format!("{shown}.includes('QUEEN')"));
        let codes = page.evaluate(shown);
        page.screenshot("workshop-completion");
        page.press(DOWN);
        page.press(ENTER);
        let second = codes[1].as_str().expect("several").to_owned();
        page.wait_until(&format!("{field}.value.includes('\"leader\": \"{second}\"\\n')"));
        // Undo takes the completion back.
        page.press_control("z");
        page.wait_until(&format!("{field}.value.includes('\"leader\": \"\\n')"));
        page.press("K");
        page.wait_until(&format!("{shown}[0] === 'KING'"));
        // Escape closes the list and the editor keeps its keys.
        page.press(ESCAPE);
        page.wait_until("document.querySelector('#completions').hidden");
        page.press("I");
        page.wait_until(&format!("{shown}[0] === 'KING'"));
        page.click("#completion-0");
        page.wait_until(&format!("{field}.value.includes('\"leader\": \"KING\"\\n')"));
        page.press(",");
        page.wait_until(PLAYABLE);
        assert_eq!(page.evaluate("document.activeElement.id"), json!("editor"));
        // A closed text, a number and a new line open nothing; Control and Space does.
        page.press(" \"stuck\"");
        page.evaluate_async("setTimeout(arguments[arguments.length - 1], 400)");
        assert_eq!(page.evaluate("document.querySelector('#completions').hidden"), json!(true));
        page.press(": ");
        page.press_control(" ");
        page.wait_until(&format!("{shown}.includes('PASSES')"));
        page.screenshot("workshop-completion-values");
        if let Some(axe) = axe() {
            for scheme in ["light", "dark"] {
                page.prefer_colors(scheme);
                check_access(&page, &axe, &format!("suggestions, {scheme}"));
            }
        }
        page.assert_no_console_errors();

        let phone = open(browsers, &server, PHONE, "gardner");
        put_cursor_after(&phone, "\"extends\": \"chess\",");
        phone.press(" \"");
        phone.wait_until(&format!("{shown}.length > 10"));
        let inside = "(() => { const at = document.querySelector('#completions').getBoundingClientRect(); \
            return at.left >= 0 && at.right <= innerWidth && at.top >= 0 && at.bottom <= innerHeight && at.height > 80; })()";
        assert_eq!(phone.evaluate(inside), json!(true));
        phone.screenshot("workshop-completion-phone");
        phone.click("#completion-0");
        phone.wait_until(&format!("{field}.value.includes('\"leader\": ')"));
    });
}

#[test]
fn the_editor_fits_every_screen_and_color_scheme() {
    with_browsers(|browsers| {
        let server = TestServer::start(&[]);
        let axe = axe();
        for (name, size) in [("laptop", LAPTOP), ("phone", PHONE)] {
            let page = open(browsers, &server, size, "chess");
            put_cursor_after(&page, "\"betza\": \"fmW");
            page.wait_until("document.querySelector('#betza').dataset.word === 'fmWifmnDfceF'");
            for scheme in ["light", "dark"] {
                page.prefer_colors(scheme);
                page.screenshot(&format!("workshop-{name}-{scheme}"));
                assert_eq!(
                    page.evaluate("document.documentElement.scrollWidth <= innerWidth"),
                    json!(true),
                    "{name}"
                );
                if let Some(axe) = &axe {
                    check_access(&page, axe, &format!("workshop, {name}, {scheme}"));
                }
            }
            let editor = "(() => { const at = document.querySelector('#editor').getBoundingClientRect(); return Math.min(at.width, at.height); })()";
            assert!(page.evaluate(editor).as_f64().unwrap() > 200.0, "{name}");
            page.click("#tab-long");
            page.wait_until("document.querySelector('#long').value.length > 1000");
            page.evaluate("document.querySelector('#long-sheet').scrollIntoView({ block: 'center' })");
            page.screenshot(&format!("workshop-{name}-long"));
            page.click("#new");
            page.wait_until("document.querySelector('#from').options.length > 10");
            page.screenshot(&format!("workshop-{name}-new"));
            if let Some(axe) = &axe {
                check_access(&page, axe, &format!("new game, {name}"));
            }
            page.assert_no_console_errors();
        }
    });
}
