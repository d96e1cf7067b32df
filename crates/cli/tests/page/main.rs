//! The pages, in a real browser. Each test leaves pictures in `target/screenshots`, for people to look at.
//!
//! They need Debian's chromium and chromium-driver, and typescript and axe-core from npm, which the gate installs; where
//! they are missing, the tests say so, and with `TABIYA_BROWSER=must` they fail.

mod access;
mod browser;
#[path = "../serve/house.rs"]
mod house;
mod playing;
mod workshop;
