//! Formats an analysis: as text with bars, and as an HTML page with plots; and two analyses side by side.

#![allow(
    clippy::cast_precision_loss,
    reason = "numbers are printed with few digits, and counts are far below 2^52"
)]

mod comparison;
mod html;
mod svg;
mod table;
mod text;

use crate::text::pluralize;
use tabiya_arena::{Analysis, Proportion, SizeEstimate};

pub(crate) use comparison::side_by_side;
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

/// Describes how the games were played: `100 games of search against itself, 3300 positions per move, seed 0`.
fn conditions(analysis: &Analysis) -> String {
    let searches = !["random", "greedy"].contains(&analysis.player.as_str());
    let nodes = if searches { format!(", {} positions per move", analysis.nodes) } else { String::new() };
    let games = pluralize(analysis.games as usize, "game");
    format!("{games} of {} against itself{nodes}, seed {}", analysis.player, analysis.seed)
}

/// Formats an estimated number: `about 10^46`.
fn power(size: &SizeEstimate) -> String {
    format!("about 10^{:.0}", size.log10)
}

/// Replaces underscores in a reason code by blanks.
fn words(reason: &str) -> String {
    reason.replace('_', " ")
}
