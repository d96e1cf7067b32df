//! The commands that start a search of a UCI engine.

use std::time::Duration;

use crate::uci_search::{UciSearch, UciTime};

/// Returns the `position` and `go` commands, which are sent together to save a round trip.
pub(super) fn search_commands(search: &UciSearch) -> String {
    let start = search.start.map_or_else(|| "startpos".to_owned(), |fen| format!("fen {}", one_line(fen)));
    let moves: Vec<String> = search.moves.iter().map(|played| one_line(played)).collect();
    let moves = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
    format!("position {start}{moves}\ngo {}\n", time_parameters(search.time))
}

fn time_parameters(time: UciTime) -> String {
    match time {
        UciTime::MoveTime(time) => move_time_parameter(time),
        UciTime::Clock { remaining, increment, moves_to_go, move_time } => {
            let [white, black] = remaining.map(|time| time.as_millis());
            let [white_adds, black_adds] = increment.map(|time| time.as_millis());
            let moves = moves_to_go.map(|moves| format!(" movestogo {moves}")).unwrap_or_default();
            let time = move_time.map(|time| format!(" {}", move_time_parameter(time))).unwrap_or_default();
            format!("wtime {white} btime {black} winc {white_adds} binc {black_adds}{moves}{time}")
        }
    }
}

/// Returns at least one millisecond: engines do not accept zero.
fn move_time_parameter(time: Duration) -> String {
    format!("movetime {}", time.as_millis().max(1))
}

/// Replaces control characters, which could end the line and start another command.
pub(super) fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_become_uci_commands() {
        let moves = ["e2e4".to_owned(), "e7e5".to_owned()];
        let time = UciTime::Clock {
            remaining: [Duration::from_secs(60), Duration::from_millis(59_500)],
            increment: [Duration::from_secs(1); 2],
            moves_to_go: Some(20),
            move_time: Some(Duration::from_millis(450)),
        };
        let clock = UciSearch { start: None, moves: &moves, time };
        assert_eq!(
            search_commands(&clock),
            "position startpos moves e2e4 e7e5\ngo wtime 60000 btime 59500 winc 1000 binc 1000 movestogo 20 movetime 450\n"
        );
        let fixed = UciSearch {
            start: Some("8/8/8/8/8/8/8/K1k5 w - - 0 1\nquit"),
            moves: &[],
            time: UciTime::MoveTime(Duration::ZERO),
        };
        assert_eq!(
            search_commands(&fixed),
            "position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1 quit\ngo movetime 1\n"
        );
    }
}
