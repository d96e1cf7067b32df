//! The table of a match for people: strength first, and apart from it how far each agent can be relied upon.

use tabiya_arena::{Elo, Standing, Table};

use crate::text::{columns, counted, plain};

/// A name is cut after so many columns.
const WIDEST_NAME: usize = 48;

/// The table, one line for each agent, and what is to be said about them.
pub(crate) fn table(game: &str, table: &Table) -> String {
    let mut text = format!("{}: {}", plain(game), counted(table.played as usize, "game"));
    if table.void > 0 {
        text.push_str(&format!(", {} more void", table.void));
    }
    text.push_str("\n\n");
    let head = ["", "score", "won", "drawn", "lost", "Elo", "time a move"].map(str::to_owned);
    let rows: Vec<[String; 7]> = std::iter::once(head).chain(table.agents.iter().map(row)).collect();
    let widths: Vec<usize> =
        (0..7).map(|column| rows.iter().map(|row| columns(&row[column])).max().unwrap_or(0)).collect();
    for row in &rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
            let blanks = " ".repeat(width - columns(cell));
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

/// Points with as many digits as they need: a part of a game may be a third.
pub(crate) fn points(score: f64) -> String {
    let text = format!("{score:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn name(agent: &Standing) -> String {
    let name = plain(&agent.name);
    let mut shown = String::new();
    for letter in name.chars() {
        if columns(&shown) >= WIDEST_NAME {
            return format!("{shown}…");
        }
        shown.push(letter);
    }
    shown
}

fn elo(elo: Elo) -> String {
    let error = elo.error.map_or_else(|| "?".to_owned(), |error| format!("{error:.0}"));
    // A difference that rounds to nothing has no sign.
    let difference = elo.difference.round();
    let sign = if difference > 0.0 { "+" } else { "" };
    format!("{sign}{:.0} ± {error}", difference + 0.0)
}

/// Microseconds in a unit that people can read.
fn time(micros: u64) -> String {
    match micros {
        0..1000 => format!("{micros} µs"),
        1000..1_000_000 => format!("{}.{} ms", micros / 1000, micros / 100 % 10),
        _ => format!("{}.{:02} s", micros / 1_000_000, micros / 10_000 % 100),
    }
}

fn reasons(table: &Table) -> String {
    if table.reasons.is_empty() {
        return String::new();
    }
    let words: Vec<String> = table
        .reasons
        .iter()
        .map(|(reason, count)| format!("{count} {}", plain(&reason.replace('_', " "))))
        .collect();
    format!("\nEnded by: {}.\n", words.join(", "))
}

/// One line, if there is anything to be said.
fn reliability(agent: &Standing) -> String {
    let lost = agent
        .lost_by
        .iter()
        .map(|(word, count)| format!("{} lost by {word}", counted(*count as usize, "game")));
    let left = agent.departures.iter().map(|(word, count)| format!("{word} {count}"));
    let mut parts: Vec<String> = lost.collect();
    if agent.voids > 0 {
        parts.push(format!("unreachable {}", agent.voids));
    }
    if agent.forgiven > 0 {
        parts.push(format!("{} forgiven", counted(agent.forgiven as usize, "output")));
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
    fn the_table_tells_strength_and_reliability_apart() {
        let mut scores = Table::new(4, ["player:search", "process:mine"].map(str::to_owned));
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
    fn nothing_has_no_sign() {
        let told = |difference: f64| elo(Elo { difference, error: Some(0.0) });
        assert_eq!([-0.0, 0.0, -0.4, 0.4].map(told), ["0 ± 0"; 4]);
        assert_eq!([-0.6, 0.6].map(told), ["-1 ± 0", "+1 ± 0"]);
        assert_eq!([0.0, 0.5, 10.0, 13.0 / 6.0].map(points), ["0", "0.5", "10", "2.17"]);
    }
}
