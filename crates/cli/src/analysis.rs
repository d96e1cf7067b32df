//! Formats an analysis: as text with bars, and as an HTML page with plots.

#![allow(
    clippy::cast_precision_loss,
    reason = "numbers are printed with few digits, and counts are far below 2^52"
)]

mod html;
mod svg;
mod text;

use tabiya_arena::{Analysis, Proportion};

pub(crate) use html::page;
pub(crate) use text::report;

/// Returns the share of games that each side won, that were drawn, and that did not end.
fn results(analysis: &Analysis) -> impl Iterator<Item = (String, Proportion)> {
    let sides = analysis.sides.iter().map(|side| (side.players.join(" and "), side.wins));
    let others = [("draw", analysis.draws), ("unfinished", analysis.unfinished)];
    let others = others.into_iter().filter(|(_, share)| share.count > 0);
    sides.chain(others.map(|(name, share)| (name.to_owned(), share)))
}

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
