//! The standings of a match: the score of each agent and, separately, its reliability. They are computed from the lines
//! of the journal, so a resumed match has the same standings as an uninterrupted one.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tabiya_referee::Verdict;
use tabiya_referee::record::{Answer, Finish, Header};

use crate::elo::Elo;

/// The standings of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standings {
    /// The number of games of the match.
    pub games: u32,
    /// The number of finished games that count.
    pub played: u32,
    /// The number of games that are void after the last attempt.
    pub void: u32,
    /// The two agents, in the order of the configuration.
    pub agents: [Standing; 2],
    /// The number of games that count, by the reason of their end.
    pub reasons: BTreeMap<String, u32>,
}

/// The standing of one agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The name of the agent.
    pub name: String,
    /// Games won.
    pub wins: u32,
    /// Games drawn, or won by both agents with some of their seats.
    pub draws: u32,
    /// The number of games won by both agents, by the agent's winning seats and all winning seats.
    pub shares: BTreeMap<(u32, u32), u32>,
    /// Games lost.
    pub losses: u32,
    /// Answers given, in all games.
    pub answers: u64,
    /// The time of all answers in microseconds.
    pub time_us: u64,
    /// Rejected answers that were forgiven.
    pub forgiven: u64,
    /// Games lost by a fault, by its word.
    pub lost_by: BTreeMap<&'static str, u32>,
    /// Void attempts at games, because the agent could not be reached.
    pub voids: u32,
    /// Faults at the end of games, by word. They do not change results.
    pub departures: BTreeMap<&'static str, u32>,
}

/// The faults that lose a game.
pub const LOSING_FAULTS: [Verdict; 8] = [
    Verdict::Illegal,
    Verdict::Malformed,
    Verdict::Timeout,
    Verdict::Exited,
    Verdict::Closed,
    Verdict::TooLong,
    Verdict::Unsolicited,
    Verdict::CouldNotStart,
];

/// The words of faults at the end of a game, which do not change its result.
pub const EXIT_FAULTS: [&str; 2] = ["lingered", "left_children"];

impl Standing {
    /// Returns the points: one for a win, a half for a draw, and the share of the winning seats for a game that both agents
    /// won.
    pub fn score(&self) -> f64 {
        self.results().iter().map(|(result, count)| result * f64::from(*count)).sum()
    }

    /// Returns the Elo difference to the other agent.
    pub fn elo(&self) -> Option<Elo> {
        Elo::of_results(&self.results())
    }

    /// Returns pairs of a result and its number of games.
    fn results(&self) -> Vec<(f64, u32)> {
        let shared: u32 = self.shares.values().sum();
        let plain = [(1.0, self.wins), (0.5, self.draws - shared), (0.0, self.losses)];
        let share = |(&(own, all), &count): (&(u32, u32), &u32)| (f64::from(own) / f64::from(all), count);
        plain.into_iter().chain(self.shares.iter().map(share)).collect()
    }

    /// Returns the mean time of an answer in microseconds.
    pub fn average_us(&self) -> Option<u64> {
        self.time_us.checked_div(self.answers)
    }

    /// Returns the number of games lost by faults.
    pub fn faults(&self) -> u32 {
        self.lost_by.values().sum()
    }

    fn to_json(&self) -> Value {
        let elo = self
            .elo()
            .map(|elo| json!({ "difference": rounded(elo.difference), "error": elo.error.map(rounded) }));
        let count = |word: &'static str, counts: &BTreeMap<&'static str, u32>| {
            (word.to_owned(), json!(counts.get(word).copied().unwrap_or(0)))
        };
        let lost_by: serde_json::Map<String, Value> =
            LOSING_FAULTS.iter().map(|fault| count(fault.word(), &self.lost_by)).collect();
        let departures: serde_json::Map<String, Value> =
            EXIT_FAULTS.iter().map(|word| count(word, &self.departures)).collect();
        json!({
            "name": self.name,
            "score": self.score(),
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "elo": elo,
            "reliability": {
                "lost_by": lost_by,
                "voids": self.voids,
                "forgiven": self.forgiven,
                "departures": departures,
            },
            "answers": self.answers,
            "average_us": self.average_us(),
        })
    }
}

/// Rounds to one decimal, which is more precise than the error.
fn rounded(number: f64) -> f64 {
    // Adding zero turns a negative zero into zero.
    (number * 10.0).round() / 10.0 + 0.0
}

impl Standings {
    /// Creates the standings of a match without games.
    pub fn new(games: u32, names: [String; 2]) -> Self {
        let agents = names.map(|name| Standing { name, ..Standing::default() });
        Standings { games, played: 0, void: 0, agents, reasons: BTreeMap::new() }
    }

    /// Returns the content of `table.json`.
    pub fn to_json(&self) -> Value {
        json!({
            "games": self.games,
            "played": self.played,
            "void": self.void,
            "agents": self.agents.iter().map(Standing::to_json).collect::<Vec<_>>(),
            "reasons": self.reasons,
        })
    }

    /// Adds a finished attempt at a game. A void game counts as void after its last attempt.
    pub(crate) fn add(&mut self, tally: &Tally, finish: &Finish, is_last_attempt: bool) {
        for (standing, counts) in self.agents.iter_mut().zip(&tally.counts) {
            standing.answers += counts.answers;
            standing.time_us = standing.time_us.saturating_add(counts.time_us);
            standing.forgiven += counts.forgiven;
        }
        for departure in &finish.departures {
            let known = EXIT_FAULTS.into_iter().find(|word| *word == departure.fault);
            if let (Some(word), Some(agent)) = (known, tally.agent(&departure.seat)) {
                *self.agents[agent].departures.entry(word).or_default() += 1;
            }
        }
        let by = finish.by.as_ref().and_then(|seat| tally.agent(seat));
        let Some(winners) = &finish.winners else {
            if let Some(agent) = by {
                self.agents[agent].voids += 1;
            }
            self.void += u32::from(is_last_attempt);
            return;
        };
        self.played += 1;
        *self.reasons.entry(finish.reason.clone()).or_default() += 1;
        self.score(tally, winners);
        let fault = LOSING_FAULTS.into_iter().find(|fault| fault.word() == finish.reason);
        if let (Some(fault), Some(agent)) = (fault, by) {
            *self.agents[agent].lost_by.entry(fault.word()).or_default() += 1;
        }
    }

    /// Adds the result. An agent wins if it has all winning seats and loses if it has none of them. Otherwise the agents
    /// share the game in proportion to their winning seats.
    fn score(&mut self, tally: &Tally, winners: &[String]) {
        let won =
            [0, 1].map(|agent| winners.iter().filter(|seat| tally.agent(seat) == Some(agent)).count() as u32);
        for (agent, standing) in self.agents.iter_mut().enumerate() {
            match (won[agent], won[1 - agent]) {
                (0, 0) => standing.draws += 1,
                (_, 0) => standing.wins += 1,
                (0, _) => standing.losses += 1,
                (own, others) => {
                    standing.draws += 1;
                    *standing.shares.entry((own, own + others)).or_default() += 1;
                }
            }
        }
    }
}

/// Counts of a game in progress.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    /// The seats and their agents.
    seats: Vec<(String, usize)>,
    counts: [AnswerCounts; 2],
}

#[derive(Clone, Copy, Debug, Default)]
struct AnswerCounts {
    answers: u64,
    time_us: u64,
    forgiven: u64,
}

impl Tally {
    /// Creates the counts of a new game.
    pub(crate) fn new(header: &Header) -> Self {
        let seats = header.seats.iter().enumerate();
        let seats = seats.map(|(seat, taken)| (taken.player.clone(), agent_at(header.id, seat))).collect();
        Tally { seats, counts: Default::default() }
    }

    /// Counts an answer.
    pub(crate) fn count(&mut self, answer: &Answer) {
        if let Some(agent) = self.agent(&answer.seat) {
            let counts = &mut self.counts[agent];
            counts.answers += 1;
            counts.time_us = counts.time_us.saturating_add(answer.taken_us);
            counts.forgiven += u64::from(answer.forgiven);
        }
    }

    fn agent(&self, seat: &str) -> Option<usize> {
        self.seats.iter().find(|(name, _)| name == seat).map(|(_, agent)| *agent)
    }
}

/// Returns the agent at a seat of a game. Agents alternate around the board and swap with every game.
pub(crate) fn agent_at(id: u32, seat: usize) -> usize {
    (seat + id.wrapping_sub(1) as usize) % 2
}

#[cfg(test)]
mod tests {
    use tabiya_referee::Laws;
    use tabiya_referee::record::Departure;

    use super::*;

    fn standings() -> (Standings, Header) {
        let chess = tabiya_spec::library::load("chess").unwrap();
        let names = ["A", "B"].map(str::to_owned);
        (Standings::new(4, names), Header::new(1, &Laws::new(&chess.rules, ""), "chess"))
    }

    fn finish(winners: Option<&[&str]>, reason: &str, by: Option<&str>) -> Finish {
        Finish {
            id: 1,
            winners: winners.map(|names| names.iter().map(|name| (*name).to_owned()).collect()),
            reason: reason.to_owned(),
            by: by.map(str::to_owned),
            plies: 0,
            state: String::new(),
            departures: Vec::new(),
        }
    }

    #[test]
    fn agents_swap_seats_with_every_game() {
        assert_eq!([1, 2, 3, 4].map(|id| agent_at(id, 0)), [0, 1, 0, 1]);
        assert_eq!([0, 1, 2, 3].map(|seat| agent_at(2, seat)), [1, 0, 1, 0]);
    }

    #[test]
    fn strength_and_reliability_are_counted_separately() {
        let (mut standings, header) = standings();
        let first = Tally::new(&header);
        let second = Tally::new(&Header { id: 2, ..header });
        standings.add(&first, &finish(Some(&["WHITE"]), "checkmate", None), false);
        standings.add(&second, &finish(Some(&["BLACK"]), "timeout", Some("WHITE")), false);
        standings.add(&first, &finish(Some(&[]), "stalemate", None), false);
        standings.add(&first, &finish(None, "unreachable", Some("BLACK")), false);
        let mut last = finish(None, "unreachable", Some("BLACK"));
        let (seat, stderr) = ("WHITE".to_owned(), String::new());
        last.departures.push(Departure { seat, fault: "lingered".to_owned(), exit: None, stderr });
        standings.add(&first, &last, true);
        let [a, b] = &standings.agents;
        assert_eq!((a.wins, a.draws, a.losses, b.wins, b.draws, b.losses), (2, 1, 0, 0, 1, 2));
        assert_eq!((standings.played, standings.void, b.voids), (3, 1, 2));
        assert_eq!((b.lost_by.get("timeout"), b.faults(), a.faults()), (Some(&1), 1, 0));
        assert_eq!(a.departures.get("lingered"), Some(&1));
        let json = standings.to_json();
        assert_eq!(json["agents"][0]["score"], 2.5);
        assert_eq!(json["agents"][1]["reliability"]["lost_by"]["timeout"], 1);
        assert_eq!(json["reasons"], json!({ "checkmate": 1, "stalemate": 1, "timeout": 1 }));
    }

    #[test]
    fn a_win_of_both_agents_is_a_draw() {
        let (mut standings, header) = standings();
        standings.add(&Tally::new(&header), &finish(Some(&["WHITE", "BLACK"]), "resignation", None), false);
        assert_eq!((standings.agents[0].draws, standings.agents[1].draws), (1, 1));
        let scores = standings.agents.each_ref().map(|agent| agent.score().to_string());
        assert_eq!(scores, ["0.5", "0.5"]);
    }

    #[test]
    fn points_are_shared_by_winning_seats() {
        let game = tabiya_spec::library::load("fourplayer").unwrap();
        let laws = Laws::new(&game.rules, "");
        let tally = Tally::new(&Header::new(1, &laws, "fourplayer"));
        let mut standings = Standings::new(3, ["A", "B"].map(str::to_owned));
        standings.add(&tally, &finish(Some(&["RED", "BLUE", "YELLOW"]), "survival", None), false);
        standings.add(&tally, &finish(Some(&["RED", "YELLOW"]), "timeout", Some("GREEN")), false);
        standings.add(&tally, &finish(Some(&[]), "agreement", None), false);
        let [a, b] = &standings.agents;
        assert_eq!((a.wins, a.draws, a.losses, b.wins, b.draws, b.losses), (1, 2, 0, 0, 2, 1));
        assert!((a.score() - 13.0 / 6.0).abs() < 1e-9 && (b.score() - 5.0 / 6.0).abs() < 1e-9, "{a:?} {b:?}");
        assert!(a.elo().zip(b.elo()).is_some_and(|(a, b)| (a.difference + b.difference).abs() < 1e-9));
    }
}
