//! Tests of the pages in a real browser. They save screenshots in `target/screenshots`.
//!
//! They need Debian's chromium and chromium-driver, and typescript and axe-core from npm, which `cargo xtask test` installs.
//! Without them the tests are skipped or, with `TABIYA_BROWSER=must`, fail.

mod access;
mod board_help;
mod boards;
mod browser;
mod hands;
mod interrupted;
mod inviting;
mod layout;
mod people;
mod playing;
mod resigning;
#[path = "../serve/test_server.rs"]
mod test_server;
mod workshop;
mod workshop_editor;
