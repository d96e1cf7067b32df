//! What holds for every page: it is small, it is accessible, and its types are right.

use std::process::Command;

use serde_json::{Value, json};

use crate::browser::{is_must, target, with_browsers};
use crate::house::House;

/// What the gate has installed from npm.
#[allow(clippy::print_stderr, reason = "a test that cannot run says so")]
fn tool(path: &str) -> Option<std::path::PathBuf> {
    let path = target().join("web-tools/node_modules").join(path);
    if !path.exists() {
        assert!(!is_must(), "{} is not there: see xtask/src/gate.rs", path.display());
        eprintln!("skipped: {} is not there", path.display());
        return None;
    }
    Some(path)
}

#[test]
fn the_types_are_right() {
    let Some(compiler) = tool("typescript/bin/tsc") else { return };
    let web = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../server/web");
    let said = Command::new("node").arg(compiler).arg("-p").arg(web).output().expect("node runs");
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stdout));
}

#[test]
fn every_page_is_small_quiet_and_accessible() {
    with_browsers(|browsers| {
        let axe = tool("axe-core/axe.min.js").map(|path| std::fs::read_to_string(path).expect("axe"));
        let house = House::open(&[]);
        let chess = house.table(&json!({ "game": "chess" }));
        let enochian = house.table(&json!({ "game": "enochian" }));
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
            // A browser that has never been here.
            let page = browsers.person((1280, 900));
            page.goto(&format!("http://127.0.0.1:{}{path}", house.port));
            page.until(ready);
            let sizes = "['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind)) \
                .filter((it) => !it.name.endsWith('/board')) \
                .map((it) => it.decodedBodySize + 300).reduce((one, other) => one + other, 0)";
            let bytes = page.ask(sizes).as_f64().expect("a number");
            assert!(bytes < 200.0 * 1024.0, "{path}: {bytes} bytes before anything can be seen");
            let foreign = page.ask("performance.getEntriesByType('resource').filter((it) => !it.name.startsWith(location.origin)).length");
            assert_eq!(foreign, json!(0), "{path} asks nobody else");
            if let Some(axe) = &axe {
                let script = format!(
                    "{axe}; const done = arguments[arguments.length - 1]; axe.run().then((found) => done(found.violations));"
                );
                let found = page.ask_later(&script);
                let serious: Vec<&Value> = found
                    .as_array()
                    .expect("a list")
                    .iter()
                    .filter(|fault| fault["impact"] == "serious" || fault["impact"] == "critical")
                    .collect();
                assert!(serious.is_empty(), "{path}: {serious:#?}");
            }
            page.is_quiet();
        }
    });
}
