//! The limits of a search: the arguments of `go`, and the share of the clock for one move.

use std::num::IntErrorKind;
use std::time::Duration;

use super::command::quote;

/// The arguments of `go`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Go {
    /// Remaining time of the first and the second player.
    remaining: [Option<Duration>; 2],
    /// Increment of each player.
    increment: [Duration; 2],
    /// Moves until the next time control.
    moves_left: Option<u32>,
    /// Time for this move.
    move_time: Option<Duration>,
    /// Depth in plies.
    pub(super) depth: Option<u32>,
    nodes: Option<u64>,
    /// Whether to search until `stop`.
    pub(super) infinite: bool,
    /// The first problem with the arguments.
    pub(super) complaint: Option<String>,
}

impl Go {
    /// Time kept in reserve for the transmission of the answer.
    const RESERVE: Duration = Duration::from_millis(50);
    /// The shortest reserve, unless the time for the move is very short: the end of a search may be noticed late on a busy
    /// machine.
    const SHORTEST_RESERVE: Duration = Duration::from_millis(20);
    /// Expected number of moves until the end of the game.
    const HORIZON: u32 = 30;

    /// Node limit without any other limit: a fraction of a second.
    const DEFAULT_NODES: u64 = 100_000;

    /// Parses the arguments. Invalid ones are skipped, because the client expects a move in any case.
    pub(super) fn parse<'w>(mut words: impl Iterator<Item = &'w str>) -> Self {
        let mut go = Go::default();
        while let Some(word) = words.next() {
            match word {
                "infinite" | "ponder" => go.infinite = true,
                "wtime" => go.remaining[0] = go.time(word, words.next()),
                "btime" => go.remaining[1] = go.time(word, words.next()),
                "winc" => go.increment[0] = go.time(word, words.next()).unwrap_or_default(),
                "binc" => go.increment[1] = go.time(word, words.next()).unwrap_or_default(),
                "movetime" => go.move_time = go.time(word, words.next()),
                "movestogo" => go.moves_left = go.small(word, words.next()),
                "depth" => go.depth = go.small(word, words.next()),
                "nodes" => {
                    go.nodes = go.counted(word, words.next()).map(|nodes| u64::try_from(nodes).unwrap_or(0));
                }
                "mate" => go.depth = go.small(word, words.next()).map(plies),
                _ => go.complain(format!("`go` does not support `{}`", quote(word))),
            }
        }
        go
    }

    /// Returns the node limit. A `go` without any limit asks for a quick move, not for an endless search.
    pub(super) fn nodes(&self) -> Option<u64> {
        let Go { remaining, increment: _, moves_left: _, move_time, depth, nodes, infinite, complaint: _ } =
            self;
        let is_bounded =
            *infinite || move_time.is_some() || depth.is_some() || remaining.iter().any(Option::is_some);
        nodes.or((!is_bounded).then_some(Self::DEFAULT_NODES))
    }

    /// Returns the time of a player for this move, or `None` without a clock.
    pub(super) fn time_for(&self, player: usize) -> Option<Duration> {
        if self.infinite {
            return None;
        }
        // Reserve time for the transmission of the answer.
        let of_move = self.move_time.map(|time| {
            let reserve = (time / 20).clamp(Self::SHORTEST_RESERVE, Self::RESERVE);
            time.saturating_sub(reserve.min(time / 4))
        });
        let of_clock = self.remaining.get(player).copied().flatten().map(|remaining| {
            let share = remaining / self.moves_left.unwrap_or(Self::HORIZON).clamp(1, Self::HORIZON);
            (share + self.increment[player] * 4 / 5).min(remaining.saturating_sub(Self::RESERVE))
        });
        [of_move, of_clock].into_iter().flatten().min()
    }

    /// Parses milliseconds. A clock that has run out may be negative.
    fn time(&mut self, name: &str, word: Option<&str>) -> Option<Duration> {
        /// One year. The limit avoids overflow in sums.
        const MAX_MILLIS: u64 = 365 * 24 * 60 * 60 * 1000;
        let millis = self.number(name, word)?;
        Some(Duration::from_millis(u64::try_from(millis).unwrap_or(0).min(MAX_MILLIS)))
    }

    fn small(&mut self, name: &str, word: Option<&str>) -> Option<u32> {
        self.counted(name, word).map(|number| u32::try_from(number.max(0)).unwrap_or(u32::MAX))
    }

    /// Parses a number that must be at least 1.
    fn counted(&mut self, name: &str, word: Option<&str>) -> Option<i64> {
        let number = self.number(name, word)?;
        if number < 1 {
            self.complain(format!("`{name}` must be at least 1"));
        }
        Some(number)
    }

    fn number(&mut self, name: &str, word: Option<&str>) -> Option<i64> {
        let number = word.unwrap_or_default().parse::<i64>();
        if let Err(error) = &number {
            self.complain(match error.kind() {
                IntErrorKind::PosOverflow => format!("the number of `{name}` is too large"),
                IntErrorKind::NegOverflow => format!("the number of `{name}` is too small"),
                _ => format!("`{name}` needs a number"),
            });
        }
        number.ok()
    }

    fn complain(&mut self, why: String) {
        self.complaint.get_or_insert(why);
    }
}

/// Converts moves of one side to plies.
fn plies(moves: u32) -> u32 {
    moves.saturating_mul(2).saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(words: &str) -> Go {
        Go::parse(words.split_whitespace())
    }

    fn millis(words: &str, player: usize) -> Option<u128> {
        go(words).time_for(player).map(|time| time.as_millis())
    }

    #[test]
    fn a_move_gets_a_share_of_the_clock() {
        assert_eq!(millis("wtime 60000 btime 30000 winc 1000 binc 0", 0), Some(2800));
        assert_eq!(millis("wtime 60000 btime 30000 winc 1000 binc 0", 1), Some(1000));
        assert_eq!(millis("wtime 60000 movestogo 10", 0), Some(6000));
        assert_eq!(millis("wtime 60000 movestogo 1", 0), Some(59950));
        assert_eq!(millis("wtime 60 winc 5000", 0), Some(10), "at most the remaining time");
        assert_eq!(millis("wtime 20", 0), Some(0));
        assert_eq!(millis("wtime -30", 0), Some(0));
        assert_eq!(millis("movetime 500", 0), Some(475));
        assert_eq!(millis("movetime 100", 0), Some(80));
        assert_eq!(millis("movetime 40", 0), Some(30));
        assert_eq!(millis("movetime 5000", 1), Some(4950));
        assert_eq!(millis("wtime 1000", 1), None, "the other clock");
        assert_eq!(millis("depth 3", 0), None);
        assert_eq!(millis("infinite wtime 1000", 0), None);
        assert!(millis(&format!("wtime {} winc {0}", i64::MAX), 0).is_some());
    }

    #[test]
    fn invalid_arguments_are_skipped() {
        assert_eq!(go("depth 3 nodes 5000").depth, Some(3));
        assert_eq!(go("depth 3 nodes 5000").nodes(), Some(5000));
        assert_eq!(go("nodes -1").nodes(), Some(0));
        assert_eq!(go("depth 3").nodes(), None);
        assert_eq!(go("infinite").nodes(), None);
        assert_eq!(go("").nodes(), Some(Go::DEFAULT_NODES));
        assert_eq!(go("depth 99999999999").depth, Some(u32::MAX));
        assert_eq!(go("mate 2").depth, Some(3));
        for words in ["depth x", "depth", "searchmoves e2e4 d2d4", "depth 3 99999999999999999999", "x"] {
            assert!(go(words).complaint.is_some(), "{words}");
        }
        assert_eq!(go("wtime 1 btime 2 infinite").complaint, None);
        let complaint = |words: &str| go(words).complaint.unwrap_or_default();
        assert_eq!(complaint("depth 99999999999999999999"), "the number of `depth` is too large");
        assert_eq!(complaint("wtime -99999999999999999999"), "the number of `wtime` is too small");
        assert_eq!(complaint("nodes many"), "`nodes` needs a number");
    }
}
