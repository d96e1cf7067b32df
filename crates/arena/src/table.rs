//! The table of a match: who scored how much, and apart from that how reliable each agent is. It is made of the lines of
//! the games, so that it comes out the same whether a match was played in one go or not.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tabiya_referee::record::{Answer, Finish, Header, Verdict};

use crate::elo::Elo;

/// How a match stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// How many games there are to be.
    pub games: u32,
    /// How many games count.
    pub played: u32,
    /// How many games nobody could help, at the last attempt.
    pub void: u32,
    /// The two agents, in the order in which they were named.
    pub agents: [Standing; 2],
    /// Why games that count ended, and how often.
    pub reasons: BTreeMap<String, u32>,
}

/// How one agent stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// What it is called.
    pub name: String,
    /// Games won.
    pub wins: u32,
    /// Games drawn, or won by both at some of their seats.
    pub draws: u32,
    /// Of those the games that both won, by how many of how many winning seats were its own.
    pub shares: BTreeMap<(u32, u32), u32>,
    /// Games lost.
    pub losses: u32,
    /// Answers given, in all games.
    pub answers: u64,
    /// The time that they took together, in microseconds.
    pub time_us: u64,
    /// Outputs that were not accepted and forgiven.
    pub forgiven: u64,
    /// Games lost by what is no part of chess, by its word.
    pub lost_by: BTreeMap<&'static str, u32>,
    /// Attempts at a game that it could not be reached for.
    pub voids: u32,
    /// How it left when it did not leave well, by the word.
    pub departures: BTreeMap<&'static str, u32>,
}

/// The ways to lose a game that have nothing to do with chess.
pub const FAULTS: [Verdict; 8] = [
    Verdict::Illegal,
    Verdict::Malformed,
    Verdict::Timeout,
    Verdict::Exited,
    Verdict::Closed,
    Verdict::TooLong,
    Verdict::Unsolicited,
    Verdict::CouldNotStart,
];

/// The ways to leave that do not change a result.
pub const DEPARTURES: [&str; 2] = ["lingered", "left_children"];

impl Standing {
    /// Points: one for a win, half of one for a draw, and for a game that both won its share of the winning seats.
    pub fn score(&self) -> f64 {
        self.results().iter().map(|(result, count)| result * f64::from(*count)).sum()
    }

    /// How much stronger it is than the other.
    pub fn elo(&self) -> Option<Elo> {
        Elo::of_results(&self.results())
    }

    /// What it got of a game, and in how many games.
    fn results(&self) -> Vec<(f64, u32)> {
        let shared: u32 = self.shares.values().sum();
        let plain = [(1.0, self.wins), (0.5, self.draws - shared), (0.0, self.losses)];
        let share = |(&(own, all), &count): (&(u32, u32), &u32)| (f64::from(own) / f64::from(all), count);
        plain.into_iter().chain(self.shares.iter().map(share)).collect()
    }

    /// Microseconds for an answer, on average.
    pub fn average_us(&self) -> Option<u64> {
        self.time_us.checked_div(self.answers)
    }

    /// Games lost by what is no part of chess.
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
            FAULTS.iter().map(|fault| count(fault.word(), &self.lost_by)).collect();
        let departures: serde_json::Map<String, Value> =
            DEPARTURES.iter().map(|word| count(word, &self.departures)).collect();
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

/// With one digit: more of them would pretend to know more.
fn rounded(number: f64) -> f64 {
    // Adding zero takes the sign off a zero.
    (number * 10.0).round() / 10.0 + 0.0
}

impl Table {
    /// Of a match that has not begun.
    pub fn new(games: u32, names: [String; 2]) -> Self {
        let agents = names.map(|name| Standing { name, ..Standing::default() });
        Table { games, played: 0, void: 0, agents, reasons: BTreeMap::new() }
    }

    /// For programs.
    pub fn to_json(&self) -> Value {
        json!({
            "games": self.games,
            "played": self.played,
            "void": self.void,
            "agents": self.agents.iter().map(Standing::to_json).collect::<Vec<_>>(),
            "reasons": self.reasons,
        })
    }

    /// Enters a game. The last attempt at it decides whether it is void for good.
    pub(crate) fn enter(&mut self, tally: &Tally, finish: &Finish, is_last_attempt: bool) {
        for (standing, share) in self.agents.iter_mut().zip(&tally.shares) {
            standing.answers += share.answers;
            standing.time_us = standing.time_us.saturating_add(share.time_us);
            standing.forgiven += share.forgiven;
        }
        for departure in &finish.departures {
            let known = DEPARTURES.into_iter().find(|word| *word == departure.fault);
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
        let fault = FAULTS.into_iter().find(|fault| fault.word() == finish.reason);
        if let (Some(fault), Some(agent)) = (fault, by) {
            *self.agents[agent].lost_by.entry(fault.word()).or_default() += 1;
        }
    }

    /// An agent wins if it sits wherever somebody won, and loses if it sits nowhere there. Otherwise they share the game,
    /// as they share the seats that won.
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

/// What is counted while a game is played.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    /// The seats, and which agent sits there.
    seats: Vec<(String, usize)>,
    shares: [Share; 2],
}

#[derive(Clone, Copy, Debug, Default)]
struct Share {
    answers: u64,
    time_us: u64,
    forgiven: u64,
}

impl Tally {
    /// Of a game that has not begun.
    pub(crate) fn new(header: &Header) -> Self {
        let seats = header.seats.iter().enumerate();
        let seats = seats.map(|(seat, taken)| (taken.player.clone(), agent_at(header.id, seat))).collect();
        Tally { seats, shares: Default::default() }
    }

    /// Counts an answer.
    pub(crate) fn count(&mut self, answer: &Answer) {
        if let Some(agent) = self.agent(&answer.seat) {
            let share = &mut self.shares[agent];
            share.answers += 1;
            share.time_us = share.time_us.saturating_add(answer.taken_us);
            share.forgiven += u64::from(answer.forgiven);
        }
    }

    fn agent(&self, seat: &str) -> Option<usize> {
        self.seats.iter().find(|(name, _)| name == seat).map(|(_, agent)| *agent)
    }
}

/// Which agent sits at a place in the game of a number: they take turns around the board, and change with every game.
pub(crate) fn agent_at(id: u32, seat: usize) -> usize {
    (seat + id.wrapping_sub(1) as usize) % 2
}

#[cfg(test)]
mod tests {
    use tabiya_referee::record::{Departure, Laws};

    use super::*;

    fn table() -> (Table, Header) {
        let chess = tabiya_spec::library::load("chess").unwrap();
        let names = ["A", "B"].map(str::to_owned);
        (Table::new(4, names), Header::new(1, &Laws::new(&chess.rules, ""), "chess"))
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
    fn seats_change_with_every_game() {
        assert_eq!([1, 2, 3, 4].map(|id| agent_at(id, 0)), [0, 1, 0, 1]);
        assert_eq!([0, 1, 2, 3].map(|seat| agent_at(2, seat)), [1, 0, 1, 0]);
    }

    #[test]
    fn strength_and_reliability_are_kept_apart() {
        let (mut table, header) = table();
        let first = Tally::new(&header);
        let second = Tally::new(&Header { id: 2, ..header });
        table.enter(&first, &finish(Some(&["WHITE"]), "checkmate", None), false);
        table.enter(&second, &finish(Some(&["BLACK"]), "timeout", Some("WHITE")), false);
        table.enter(&first, &finish(Some(&[]), "stalemate", None), false);
        table.enter(&first, &finish(None, "unreachable", Some("BLACK")), false);
        let mut last = finish(None, "unreachable", Some("BLACK"));
        let (seat, stderr) = ("WHITE".to_owned(), String::new());
        last.departures.push(Departure { seat, fault: "lingered".to_owned(), exit: None, stderr });
        table.enter(&first, &last, true);
        let [a, b] = &table.agents;
        assert_eq!((a.wins, a.draws, a.losses, b.wins, b.draws, b.losses), (2, 1, 0, 0, 1, 2));
        assert_eq!((table.played, table.void, b.voids), (3, 1, 2));
        assert_eq!((b.lost_by.get("timeout"), b.faults(), a.faults()), (Some(&1), 1, 0));
        assert_eq!(a.departures.get("lingered"), Some(&1));
        let json = table.to_json();
        assert_eq!(json["agents"][0]["score"], 2.5);
        assert_eq!(json["agents"][1]["reliability"]["lost_by"]["timeout"], 1);
        assert_eq!(json["reasons"], json!({ "checkmate": 1, "stalemate": 1, "timeout": 1 }));
    }

    #[test]
    fn a_win_that_is_shared_with_the_other_is_a_draw() {
        let (mut table, header) = table();
        table.enter(&Tally::new(&header), &finish(Some(&["WHITE", "BLACK"]), "resignation", None), false);
        assert_eq!((table.agents[0].draws, table.agents[1].draws), (1, 1));
        let scores = table.agents.each_ref().map(|agent| agent.score().to_string());
        assert_eq!(scores, ["0.5", "0.5"]);
    }

    #[test]
    fn a_game_is_shared_as_its_winning_seats_are() {
        let game = tabiya_spec::library::load("fourplayer").unwrap();
        let laws = Laws::new(&game.rules, "");
        let tally = Tally::new(&Header::new(1, &laws, "fourplayer"));
        let mut table = Table::new(3, ["A", "B"].map(str::to_owned));
        table.enter(&tally, &finish(Some(&["RED", "BLUE", "YELLOW"]), "survival", None), false);
        table.enter(&tally, &finish(Some(&["RED", "YELLOW"]), "timeout", Some("GREEN")), false);
        table.enter(&tally, &finish(Some(&[]), "agreement", None), false);
        let [a, b] = &table.agents;
        assert_eq!((a.wins, a.draws, a.losses, b.wins, b.draws, b.losses), (1, 2, 0, 0, 2, 1));
        assert!((a.score() - 13.0 / 6.0).abs() < 1e-9 && (b.score() - 5.0 / 6.0).abs() < 1e-9, "{a:?} {b:?}");
        assert!(a.elo().zip(b.elo()).is_some_and(|(a, b)| (a.difference + b.difference).abs() < 1e-9));
    }
}
