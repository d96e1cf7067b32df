//! Formats an analysis: as text with bars, and as an HTML page with plots.

#![allow(
    clippy::cast_precision_loss,
    reason = "numbers are printed with few digits, and counts are far below 2^52"
)]

mod html;
mod svg;
mod text;

pub(crate) use html::page;
pub(crate) use text::report;

/// Formats a share: `38 %`.
fn percent(part: f64) -> String {
    format!("{:.0} %", part * 100.0)
}

/// Formats a number with at most one decimal.
fn short(number: f64) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// Replaces underscores in a reason code by blanks.
fn words(reason: &str) -> String {
    reason.replace('_', " ")
}
