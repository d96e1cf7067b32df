//! The result table of a match as text: strength first, then the reliability of each agent.

use tabiya_arena::{Elo, Standing, Standings};

use crate::text::{display_width, pluralize, sanitize};

/// Longer names are truncated.
const MAX_NAME_WIDTH: usize = 48;

/// Formats the table: one line for each agent, how games ended, and remarks on reliability.
pub(crate) fn table(game: &str, table: &Standings) -> String {
    let mut text = format!("{}: {}", sanitize(game), pluralize(table.played as usize, "game"));
    if table.void > 0 {
        text.push_str(&format!(", {} more void", table.void));
    }
    text.push_str("\n\n");
    let head = ["", "score", "won", "drawn", "lost", "Elo", "time a move"].map(str::to_owned);
    let rows: Vec<[String; 7]> = std::iter::once(head).chain(table.agents.iter().map(row)).collect();
    let widths: Vec<usize> =
        (0..7).map(|column| rows.iter().map(|row| display_width(&row[column])).max().unwrap_or(0)).collect();
    for row in &rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
            let blanks = " ".repeat(width - display_width(cell));
            if column == 0 { format!("{cell}{blanks}") } else { format!("{blanks}{cell}") }
        });
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text.push_str(&reasons(table));
    for agent in &table.agents {
        text.push_str(&reliability(agent));
    }
    text
}

fn row(agent: &Standing) -> [String; 7] {
    [
        name(agent),
        points(agent.score()),
        agent.wins.to_string(),
        agent.draws.to_string(),
        agent.losses.to_string(),
        agent.elo().map_or_else(|| "?".to_owned(), elo),
        agent.average_us().map_or_else(|| "-".to_owned(), time),
    ]
}

/// Formats points with at most two decimals; a shared win may give a third of a point.
pub(crate) fn points(score: f64) -> String {
    let text = format!("{score:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn name(agent: &Standing) -> String {
    let name = sanitize(&agent.name);
    let mut shown = String::new();
    for letter in name.chars() {
        if display_width(&shown) >= MAX_NAME_WIDTH {
            return format!("{shown}…");
        }
        shown.push(letter);
    }
    shown
}

fn elo(elo: Elo) -> String {
    let error = elo.error.map_or_else(|| "?".to_owned(), |error| format!("{error:.0}"));
    // A difference that rounds to zero has no sign.
    let difference = elo.difference.round();
    let sign = if difference > 0.0 { "+" } else { "" };
    format!("{sign}{:.0} ± {error}", difference + 0.0)
}

/// Formats microseconds.
fn time(micros: u64) -> String {
    match micros {
        0..1000 => format!("{micros} µs"),
        1000..1_000_000 => format!("{}.{} ms", micros / 1000, micros / 100 % 10),
        _ => format!("{}.{:02} s", micros / 1_000_000, micros / 10_000 % 100),
    }
}

fn reasons(table: &Standings) -> String {
    if table.reasons.is_empty() {
        return String::new();
    }
    let words: Vec<String> = table
        .reasons
        .iter()
        .map(|(reason, count)| format!("{count} {}", sanitize(&reason.replace('_', " "))))
        .collect();
    format!("\nEnded by: {}.\n", words.join(", "))
}

/// Returns a line about faults, or nothing if there were none.
fn reliability(agent: &Standing) -> String {
    let lost = agent
        .lost_by
        .iter()
        .map(|(word, count)| format!("{} lost by {word}", pluralize(*count as usize, "game")));
    let left = agent.departures.iter().map(|(word, count)| format!("{word} {count}"));
    let mut parts: Vec<String> = lost.collect();
    if agent.voids > 0 {
        parts.push(format!("unreachable {}", agent.voids));
    }
    if agent.forgiven > 0 {
        parts.push(format!("{} forgiven", pluralize(agent.forgiven as usize, "output")));
    }
    parts.extend(left);
    if parts.is_empty() {
        String::new()
    } else {
        format!("{}: {}.\n", name(agent), parts.join(", ").replace('_', " "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strength_and_reliability_are_separate() {
        let mut scores = Standings::new(4, ["player:search", "process:mine"].map(str::to_owned));
        let [a, b] = &mut scores.agents;
        (a.wins, a.draws, b.losses, b.draws) = (2, 1, 2, 1);
        (a.answers, a.time_us, b.answers, b.time_us) = (10, 12_345, 10, 23_000_000);
        b.lost_by.insert("timeout", 1);
        b.forgiven = 2;
        scores.played = 3;
        scores.void = 1;
        scores.reasons =
            [("checkmate".to_owned(), 1), ("timeout".to_owned(), 1), ("stalemate".to_owned(), 1)].into();
        let expected = "\
chess: 3 games, 1 more void

               score  won  drawn  lost       Elo  time a move
player:search    2.5    2      1     0  +280 ± ?       1.2 ms
process:mine     0.5    0      1     2  -280 ± ?       2.30 s

Ended by: 1 checkmate, 1 stalemate, 1 timeout.
process:mine: 1 game lost by timeout, 2 outputs forgiven.
";
        assert_eq!(table("chess", &scores), expected);
    }

    #[test]
    fn zero_has_no_sign() {
        let text = |difference: f64| elo(Elo { difference, error: Some(0.0) });
        assert_eq!([-0.0, 0.0, -0.4, 0.4].map(text), ["0 ± 0"; 4]);
        assert_eq!([-0.6, 0.6].map(text), ["-1 ± 0", "+1 ± 0"]);
        assert_eq!([0.0, 0.5, 10.0, 13.0 / 6.0].map(points), ["0", "0.5", "10", "2.17"]);
    }
}
