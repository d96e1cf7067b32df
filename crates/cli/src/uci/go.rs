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
    /// Whether the clock starts only with `ponderhit`.
    pub(super) ponder: bool,
    /// The moves to choose from; all if there are none.
    pub(super) moves: Vec<String>,
    /// The first problem with the arguments.
    pub(super) complaint: Option<String>,
}

/// The time for one move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Budget {
    /// About how long to think. A search with a settled answer takes less, one in doubt takes more.
    pub(super) usual: Option<Duration>,
    /// When to stop in any case.
    pub(super) longest: Option<Duration>,
}

/// The arguments of `go`, all of which end the list of `searchmoves`.
const WORDS: [&str; 12] = [
    "infinite",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movetime",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "searchmoves",
];

impl Go {
    /// Time kept in reserve for the transmission of the answer, unless another one is given.
    pub(super) const RESERVE: Duration = Duration::from_millis(50);
    /// How many times its usual time a move may take.
    const PATIENCE: u32 = 3;
    /// The shortest reserve, unless the time for the move is very short: the end of a search may be noticed late on a busy
    /// machine.
    const SHORTEST_RESERVE: Duration = Duration::from_millis(20);
    /// Expected number of moves until the end of the game.
    const HORIZON: u32 = 30;

    /// Node limit without any other limit: a fraction of a second.
    const DEFAULT_NODES: u64 = 100_000;

    /// Parses the arguments. Invalid ones are skipped, because the client expects a move in any case.
    pub(super) fn parse<'w>(words: impl Iterator<Item = &'w str>) -> Self {
        let (mut go, mut words) = (Go::default(), words.peekable());
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    while let Some(played) = words.next_if(|word| !WORDS.contains(word)) {
                        go.moves.push(played.to_owned());
                    }
                }
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
        let Go { remaining, move_time, depth, nodes, infinite, ponder, .. } = self;
        let has_time = move_time.is_some() || remaining.iter().any(Option::is_some);
        let is_bounded = *infinite || *ponder || has_time || depth.is_some();
        nodes.or((!is_bounded).then_some(Self::DEFAULT_NODES))
    }

    /// Returns the time of a player for this move, which is empty without a clock. `reserve` is kept for the transmission of
    /// the answer.
    pub(super) fn budget_for(&self, player: usize, reserve: Duration) -> Budget {
        if self.infinite {
            return Budget::default();
        }
        let of_move = self.move_time.map(|time| {
            let reserve = (time / 20).clamp(Self::SHORTEST_RESERVE.min(reserve), reserve);
            time.saturating_sub(reserve.min(time / 4))
        });
        let clock = self.remaining.get(player).copied().flatten();
        let of_clock = clock.map(|remaining| {
            let moves = self.moves_left.unwrap_or(Self::HORIZON).clamp(1, Self::HORIZON);
            let most = remaining.saturating_sub(reserve);
            let usual = (remaining / moves + self.increment[player] * 4 / 5).min(most);
            // A long thought must leave time for the other moves.
            let share = if moves == 1 { most } else { (remaining * 2 / 5).max(usual) };
            (usual, (usual * Self::PATIENCE).min(share).min(most))
        });
        let longest = [of_move, of_clock.map(|(_, longest)| longest)].into_iter().flatten().min();
        Budget { usual: of_clock.map(|(usual, _)| usual), longest }
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

    /// Returns the usual and the longest time in milliseconds.
    fn millis(words: &str, player: usize) -> [Option<u128>; 2] {
        let Budget { usual, longest } = go(words).budget_for(player, Go::RESERVE);
        [usual, longest].map(|time| time.map(|time| time.as_millis()))
    }

    #[test]
    fn a_move_gets_a_share_of_the_clock() {
        let clock = |words: &str| millis(words, 0).map(|time| time.expect("a clock"));
        assert_eq!(clock("wtime 60000 btime 30000 winc 1000 binc 0"), [2800, 8400]);
        assert_eq!(millis("wtime 60000 btime 30000 winc 1000 binc 0", 1), [Some(1000), Some(3000)]);
        assert_eq!(clock("wtime 60000 movestogo 10"), [6000, 18000]);
        assert_eq!(clock("wtime 60000 movestogo 2"), [30000, 30000]);
        assert_eq!(clock("wtime 60000 movestogo 1"), [59950, 59950]);
        assert_eq!(clock("wtime 60 winc 5000"), [10, 10], "at most the remaining time");
        assert_eq!(clock("wtime 20"), [0, 0]);
        assert_eq!(clock("wtime -30"), [0, 0]);
        assert_eq!(millis("movetime 500", 0), [None, Some(475)]);
        assert_eq!(millis("movetime 100", 0), [None, Some(80)]);
        assert_eq!(millis("movetime 40", 0), [None, Some(30)]);
        assert_eq!(millis("movetime 5000", 1), [None, Some(4950)]);
        assert_eq!(millis("wtime 1000", 1), [None; 2], "the other clock");
        assert_eq!(millis("depth 3", 0), [None; 2]);
        assert_eq!(millis("infinite wtime 1000", 0), [None; 2]);
        assert!(millis(&format!("wtime {} winc {0}", i64::MAX), 0)[1].is_some());
        let without_reserve = go("wtime 90 movestogo 1").budget_for(0, Duration::ZERO);
        assert_eq!(without_reserve.longest, Some(Duration::from_millis(90)));
    }

    #[test]
    fn no_clock_is_overdrawn() {
        for remaining in [1, 40, 70, 200, 1000, 100_000] {
            for more in ["", " movestogo 1", " movestogo 40", " winc 100000", " winc 10 movestogo 3"] {
                let [usual, longest] = millis(&format!("wtime {remaining}{more}"), 0);
                assert!(usual <= longest, "{remaining}{more}");
                assert!(
                    longest.is_some_and(|longest| longest + 50 <= remaining.max(50)),
                    "{remaining}{more}"
                );
            }
        }
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
        let both = go("searchmoves e2e4 d2d4 depth 3");
        assert_eq!((both.moves, both.depth), (vec!["e2e4".to_owned(), "d2d4".to_owned()], Some(3)));
        assert!(go("ponder wtime 100").ponder);
        for words in ["depth x", "depth", "depth 3 99999999999999999999", "x"] {
            assert!(go(words).complaint.is_some(), "{words}");
        }
        assert_eq!(go("wtime 1 btime 2 infinite").complaint, None);
        let complaint = |words: &str| go(words).complaint.unwrap_or_default();
        assert_eq!(complaint("depth 99999999999999999999"), "the number of `depth` is too large");
        assert_eq!(complaint("wtime -99999999999999999999"), "the number of `wtime` is too small");
        assert_eq!(complaint("nodes many"), "`nodes` needs a number");
    }
}
