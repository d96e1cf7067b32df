//! An analysis as text with bars.

use tabiya_arena::{Analysis, PieceStats, Proportion, SizeEstimate, Summary};

use super::table::table;
use super::{conditions, percent, power, results, short, words};
use crate::styles::{FAINT, STRONG};
use crate::text::{display_width, sanitize};

/// Columns of the longest bar.
const BAR: usize = 28;

/// Formats the report.
pub(crate) fn report(analysis: &Analysis) -> String {
    let mut text = format!("{STRONG}{}{STRONG:#}: {}\n", sanitize(&analysis.label), conditions(analysis));
    for remark in &analysis.remarks {
        text.push_str(&format!("\n  {STRONG}! {}{STRONG:#}", sanitize(remark)));
    }
    if !analysis.remarks.is_empty() {
        text.push('\n');
    }
    let winners: Vec<Row> = results(analysis)
        .map(|(name, it)| (sanitize(&name).into_owned(), percent(it.share), it.share, bounds(&it)))
        .collect();
    text.push_str(&section("Who wins", &winners));
    let most = analysis.reasons.iter().map(|(_, count)| *count).max().unwrap_or(1);
    let reasons = analysis.reasons.iter().map(|(reason, count)| {
        (words(reason), count.to_string(), f64::from(*count) / f64::from(most), String::new())
    });
    text.push_str(&section("How games end", &reasons.collect::<Vec<_>>()));
    text.push_str(&section("Length of games, in moves", &lengths(analysis)));
    text.push_str(&format!("  {}\n", spread(&analysis.plies)));
    text.push_str(&format!("\n{STRONG}Course of games{STRONG:#}\n"));
    for (what, figure) in course(analysis) {
        text.push_str(&format!("  {what:21}  {figure}\n"));
    }
    text.push_str(&format!(
        "\n{STRONG}Use of pieces, per game{STRONG:#}\n{}",
        table(&pieces(&analysis.pieces))
    ));
    let skill = analysis.skill.iter().map(|skill| {
        let who = format!("{} against {}", skill.deeper, skill.shallower);
        let rest = format!("{} drawn, {} lost, {} unfinished", skill.draws, skill.losses, skill.unfinished);
        let sure = format!("{}; {rest}", bounds(&skill.wins));
        (who, percent(skill.wins.share), skill.wins.share, sure)
    });
    text.push_str(&section("Does deeper search help? Games won", &skill.collect::<Vec<_>>()));
    let most = analysis.values.iter().map(|(_, value)| *value).max().unwrap_or(0).max(1);
    let values = analysis.values.iter().map(|(piece, value)| {
        let part = f64::from(*value) / f64::from(most);
        (sanitize(piece).into_owned(), short(f64::from(*value) / 100.0), part, String::new())
    });
    text.push_str(&section("Piece values", &values.collect::<Vec<_>>()));
    text
}

/// Returns the figures of the course of games, with their names.
fn course(analysis: &Analysis) -> Vec<(&'static str, String)> {
    let with_bounds =
        |share: &Proportion, of: &str| format!("{} of {of} ({})", percent(share.share), bounds(share));
    let turning = &analysis.turning_points;
    let unused = analysis.board.unused.len();
    let opening = analysis.opening.as_ref();
    let opening = opening.map(|it| format!("{} of {} within half a pawn of the best", it.good, it.moves));
    let mut figures = vec![
        ("legal moves per turn", spread(&analysis.branching)),
        ("forced moves", with_bounds(&analysis.forced_moves, "turns")),
        ("captures per game", spread(&analysis.captures)),
        ("promotions per game", spread(&analysis.promotions)),
        ("changes of the lead", spread(&analysis.lead_changes)),
        ("won from behind", with_bounds(&analysis.comebacks, "games")),
        (
            "turning point",
            format!("after {} of a won game, median {}", percent(turning.mean), percent(turning.median)),
        ),
        (
            "coverage of the board",
            format!("{} of the squares per game, {unused} never used", percent(analysis.board.coverage.mean)),
        ),
    ];
    figures.extend(opening.map(|figure| ("first moves", figure)));
    figures.push(("game tree", estimate(&analysis.game_tree)));
    figures.push(("state space", estimate(&analysis.state_space)));
    figures
}

/// Formats an estimate with its method.
fn estimate(size: &SizeEstimate) -> String {
    format!("{}: {}", power(size), size.method)
}

/// Returns the table of pieces.
fn pieces(pieces: &[PieceStats]) -> Vec<Vec<String>> {
    let header = ["piece", "moves", "captures", "captured", "promoted", "start", "end", "survival"];
    let row = |it: &PieceStats| {
        vec![
            sanitize(&it.piece).into_owned(),
            percent(it.moves),
            short(it.captures),
            short(it.captured),
            short(it.promoted),
            it.start.to_string(),
            short(it.end),
            it.survival.map(percent).unwrap_or_default(),
        ]
    };
    std::iter::once(header.map(str::to_owned).to_vec()).chain(pieces.iter().map(row)).collect()
}

fn lengths(analysis: &Analysis) -> Vec<Row> {
    let most = analysis.lengths.bins.iter().map(|bin| bin.count).max().unwrap_or(0).max(1);
    let row = |bin: &tabiya_arena::Bin| {
        let name = format!("{}–{}", bin.from, bin.from + (analysis.lengths.width - 1));
        (name, bin.count.to_string(), f64::from(bin.count) / f64::from(most), String::new())
    };
    analysis.lengths.bins.iter().map(row).collect()
}

/// Name, figure, length of the bar from 0 to 1, and a remark.
type Row = (String, String, f64, String);

fn section(title: &str, rows: &[Row]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let wide = |cell: fn(&Row) -> &String| rows.iter().map(|row| display_width(cell(row))).max().unwrap_or(0);
    let (names, figures) = (wide(|row| &row.0), wide(|row| &row.1));
    let mut text = format!("\n{STRONG}{title}{STRONG:#}\n");
    for (name, figure, part, more) in rows {
        let (left, right) =
            (" ".repeat(names - display_width(name)), " ".repeat(figures - display_width(figure)));
        let bar = bar(*part);
        let gap = " ".repeat(BAR - bar.chars().count());
        let line = format!("  {name}{left}  {right}{figure}  {bar}{gap}  {FAINT}{more}{FAINT:#}");
        let line = if more.is_empty() { format!("  {name}{left}  {right}{figure}  {bar}") } else { line };
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Draws a bar in eighths of a column.
fn bar(part: f64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (part.clamp(0.0, 1.0) * (BAR * 8) as f64).round() as usize;
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

fn bounds(share: &Proportion) -> String {
    format!("{:.0}–{:.0} %", share.low * 100.0, share.high * 100.0)
}

fn spread(it: &Summary) -> String {
    let (mean, median, deviation) = (short(it.mean), short(it.median), short(it.deviation));
    format!(
        "mean {mean}, median {median}, deviation {deviation}, from {} to {}",
        short(it.least),
        short(it.most)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_drawn_in_eighths() {
        assert_eq!(bar(0.0), "");
        assert_eq!(bar(1.0).chars().count(), BAR);
        assert_eq!(bar(1.5 / BAR as f64), "█▌");
    }
}
