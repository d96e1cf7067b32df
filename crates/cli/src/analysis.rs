//! How an analysis is shown: as tables and small bars in the terminal, and as a page with plots.

#![allow(
    clippy::cast_precision_loss,
    reason = "figures are shown with few digits, and counts are far below 2^52"
)]

mod page;
mod plot;
mod text;

pub(crate) use page::page;
pub(crate) use text::report;

/// A part as people say it: `38 %`.
fn percent(part: f64) -> String {
    format!("{:.0} %", part * 100.0)
}

/// A number with one digit after the point, if it needs one.
fn short(number: f64) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// A word of programs for people.
fn words(reason: &str) -> String {
    reason.replace('_', " ")
}
