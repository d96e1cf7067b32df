//! A progress bar on standard error, shown only on a terminal.

use std::io::{self, IsTerminal as _};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// A progress bar that may be hidden or appear late. It can be shared between threads.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: OnceLock<ProgressBar>,
    /// What each step counts: `move` gives "move 3 of 20".
    step: &'static str,
    length: u64,
    /// Whether anyone can see the bar.
    pub(crate) is_visible: bool,
    show_at: Instant,
}

impl Progress {
    /// Creates a bar of `length` steps that appears with the first update.
    pub(crate) fn new(step: &'static str, length: u64) -> Self {
        Self::after(Duration::ZERO, step, length)
    }

    /// Creates a bar that appears if the work takes longer than a second.
    pub(crate) fn delayed(step: &'static str, length: u64) -> Self {
        Self::after(Duration::from_secs(1), step, length)
    }

    fn after(delay: Duration, step: &'static str, length: u64) -> Self {
        let is_visible = io::stderr().is_terminal();
        Progress { bar: OnceLock::new(), step, length, is_visible, show_at: Instant::now() + delay }
    }

    /// Shows that `done` steps are done. The message is only formatted if it is shown.
    pub(crate) fn update(&self, done: u64, message: impl FnOnce() -> String) {
        if let Some(bar) = self.bar() {
            bar.set_position(done);
            bar.set_message(message());
        }
    }

    /// Sets how many steps there are.
    pub(crate) fn set_length(&self, length: u64) {
        if let Some(bar) = self.bar() {
            bar.set_length(length);
        }
    }

    /// Leaves the current message on the screen, above the bar.
    pub(crate) fn keep_message(&self) {
        if let Some(bar) = self.bar() {
            bar.println(bar.message());
        }
    }

    /// Removes the bar, as dropping it does.
    pub(crate) fn finish(&self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }

    fn bar(&self) -> Option<&ProgressBar> {
        let is_due = self.is_visible && Instant::now() >= self.show_at;
        is_due.then(|| {
            self.bar.get_or_init(|| {
                let template = format!("{{elapsed}} {{wide_bar}} {} {{pos}} of {{len}}, {{msg}}", self.step);
                let style = ProgressStyle::with_template(&template);
                ProgressBar::new(self.length)
                    .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
            })
        })
    }
}
