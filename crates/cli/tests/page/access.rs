//! Checks for every page: size, accessibility and types.

use std::process::Command;

use serde_json::{Value, json};

use crate::browser::{Page, browser_is_required, target, with_browsers};
use crate::test_server::TestServer;

/// Returns a tool that `cargo xtask test` installs from npm.
#[allow(clippy::print_stderr, reason = "a skipped test says so")]
fn tool(path: &str) -> Option<std::path::PathBuf> {
    let path = target().join("web-tools/node_modules").join(path);
    if !path.exists() {
        assert!(!browser_is_required(), "{} is missing: see xtask/src/tools.rs", path.display());
        eprintln!("skipped: {} is missing", path.display());
        return None;
    }
    Some(path)
}

#[test]
fn the_types_are_correct() {
    let Some(compiler) = tool("typescript/bin/tsc") else { return };
    let web = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../server/web");
    let said = Command::new("node").arg(compiler).arg("-p").arg(web).output().expect("node runs");
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stdout));
}

#[test]
fn every_page_is_small_and_accessible() {
    with_browsers(|browsers| {
        let axe = axe();
        let server = TestServer::start(&[]);
        let chess = server.open_room(&json!({ "game": "chess" }));
        let enochian = server.open_room(&json!({ "game": "enochian" }));
        let paths = [
            ("/".to_owned(), "document.querySelectorAll('[data-game]').length > 10"),
            ("/workshop#game=gardner".to_owned(), "document.body.dataset.playable === 'true'"),
            (format!("/play#{}.{}", chess.id, chess.keys[0]), "document.body.dataset.ready === 'true'"),
            (format!("/play#{}.{}", enochian.id, enochian.keys[0]), "document.body.dataset.ready === 'true'"),
            (
                format!("/watch#{}.{}", chess.id, chess.watch),
                "document.querySelectorAll('#board svg').length > 0",
            ),
        ];
        for (path, ready) in paths {
            // A new browser has an empty cache.
            let page = browsers.open_page((1280, 900));
            page.goto(&format!("http://127.0.0.1:{}{path}", server.port));
            page.wait_until(ready);
            let sizes = "['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind)) \
                .filter((it) => !it.name.endsWith('/board')) \
                .map((it) => it.decodedBodySize + 300).reduce((one, other) => one + other, 0)";
            let bytes = page.evaluate(sizes).as_f64().expect("a number");
            // Without compression.
            assert!(bytes < 208.0 * 1024.0, "{path}: {bytes} bytes to load");
            let foreign = page.evaluate("performance.getEntriesByType('resource').filter((it) => !it.name.startsWith(location.origin)).length");
            assert_eq!(foreign, json!(0), "{path} loads only from this server");
            if let Some(axe) = &axe {
                for scheme in ["light", "dark"] {
                    page.prefer_colors(scheme);
                    check_access(&page, axe, &format!("{path}, {scheme}"));
                }
                if path.starts_with("/play") {
                    page.click("#rules-open");
                    page.wait_until("document.querySelectorAll('#rules .figure svg').length > 3");
                    check_access(&page, axe, &format!("{path}, rules"));
                    page.click("#rules-close");
                    page.click("#share-open");
                    check_access(&page, axe, &format!("{path}, invitations"));
                }
            }
            page.assert_no_console_errors();
        }
    });
}

/// Returns the source of the accessibility checker.
pub(crate) fn axe() -> Option<String> {
    tool("axe-core/axe.min.js").map(|path| std::fs::read_to_string(path).expect("axe"))
}

/// Checks a page with the accessibility checker, once its colors have stopped changing.
pub(crate) fn check_access(page: &Page, axe: &str, what: &str) {
    let script = format!(
        "{axe}; const done = arguments[arguments.length - 1]; \
         const frame = () => new Promise((next) => requestAnimationFrame(next)); \
         const ends = (it) => it.effect.getComputedTiming().endTime !== Infinity; \
         const still = () => Promise.allSettled(document.getAnimations().filter(ends).map((it) => it.finished)); \
         frame().then(frame).then(still).then(() => axe.run()).then((found) => done(found.violations));"
    );
    let found = page.evaluate_async(&script);
    let is_serious = |it: &&Value| it["impact"] == "serious" || it["impact"] == "critical";
    let serious: Vec<&Value> = found.as_array().expect("a list").iter().filter(is_serious).collect();
    assert!(serious.is_empty(), "{what}: {serious:#?}");
}
