//! A record checked again: everything that was said is said to another arbiter, and what that one makes of it is compared
//! line by line. What lies outside of the laws, how long somebody took or that a process ended, is taken as it is written.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::time::Duration;

use super::arbiter::{Arbiter, Reply};
use super::laws::Laws;
use super::line::{Answer, Finish, Header, Line, Throw, Verdict};

/// One game that is checked again.
#[derive(Clone, Debug)]
pub struct Replay {
    header: Header,
    /// `None` once the record and the rules have parted: what follows cannot be compared any more.
    arbiter: Option<Arbiter>,
    /// Throws that were made and have not been told yet.
    throws: VecDeque<Throw>,
}

impl Replay {
    /// Sets the game up again by these laws; and every difference that shows already.
    pub fn new(laws: &Laws, header: &Header) -> (Self, Vec<String>) {
        let (spec, hash) = (clip(&header.spec), laws.hash());
        let arbiter = if header.spec == hash {
            Arbiter::new(laws, header)
        } else {
            Err(format!("it was played under other rules: {spec}, and these are {hash}"))
        };
        let (arbiter, differences) = match arbiter {
            Ok(arbiter) => (Some(arbiter), Vec::new()),
            Err(why) => (None, vec![why]),
        };
        let mut replay = Replay { header: header.clone(), arbiter, throws: VecDeque::new() };
        replay.gather();
        (replay, differences)
    }

    /// How the game was set up.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The game as it stands, if the record and the rules agree so far; it can be played on.
    pub fn arbiter(&self) -> Option<&Arbiter> {
        self.arbiter.as_ref()
    }

    /// The same, to keep.
    pub fn into_arbiter(self) -> Option<Arbiter> {
        self.arbiter
    }

    fn gather(&mut self) {
        if let Some(arbiter) = &mut self.arbiter {
            self.throws.extend(arbiter.take_throws());
        }
    }

    /// Every difference of a throw.
    pub fn throw(&mut self, throw: &Throw) -> Vec<String> {
        if self.arbiter.is_none() {
            return Vec::new();
        }
        let mut differences = Differences::default();
        match self.throws.pop_front() {
            Some(again) => {
                differences.compare("ply", &throw.ply, &again.ply);
                differences.compare("face", &throw.face, &again.face);
            }
            None => differences.tell("no throw was awaited"),
        }
        self.part_if(&differences);
        differences.list
    }

    fn part_if(&mut self, differences: &Differences) {
        if differences.parted {
            self.arbiter = None;
        }
    }

    /// Every throw has been told by now.
    fn miss_throws(&self, differences: &mut Differences) {
        if let Some(throw) = self.throws.front() {
            differences.tell(&format!("the throw of {} before move {} is missing", throw.face, throw.ply));
        }
    }

    /// Every difference of an answer.
    pub fn answer(&mut self, answer: &Answer) -> Vec<String> {
        let mut differences = Differences::default();
        if self.arbiter.is_some() {
            self.miss_throws(&mut differences);
        }
        let Some(arbiter) = &mut self.arbiter else { return Vec::new() };
        if arbiter.close().is_some() {
            differences.tell("the game was over before this answer");
        } else {
            compare(arbiter, answer, &mut differences);
        }
        self.part_if(&differences);
        self.gather();
        differences.list
    }

    /// Every difference of the end.
    pub fn end(&mut self, finish: &Finish) -> Vec<String> {
        let Some(arbiter) = &self.arbiter else { return Vec::new() };
        let mut differences = Differences::default();
        self.miss_throws(&mut differences);
        match arbiter.finish(finish.departures.clone()) {
            None => differences.tell("the game is not over"),
            Some(again) => {
                // As a list: a draw has no winner, which is not the same as a winner without a name.
                let names = |finish: &Finish| finish.winners.as_ref().map(|names| format!("{names:?}"));
                differences.compare("winners", &Shown(names(finish)), &Shown(names(&again)));
                differences.compare("reason", &finish.reason, &again.reason);
                differences.compare("by", &Shown(finish.by.clone()), &Shown(again.by));
                differences.compare("plies", &finish.plies, &again.plies);
                differences.compare("state", &finish.state, &again.state);
            }
        }
        differences.list
    }
}

/// Gives an answer again and compares what comes of it.
fn compare(arbiter: &mut Arbiter, answer: &Answer, differences: &mut Differences) {
    let budget = arbiter.budget();
    let taken = Duration::from_micros(answer.taken_us);
    let reply = match (&answer.output, answer.verdict) {
        (Some(text), _) => Reply::Output(text),
        (None, verdict) if verdict < Verdict::Malformed => {
            differences.tell(&format!("the verdict is {verdict}, and there is no output"));
            return;
        }
        (None, verdict) => Reply::Fault(verdict, answer.why.as_deref().unwrap_or_default()),
    };
    if answer.verdict == Verdict::Timeout && budget.is_none_or(|budget| taken < budget) {
        differences.tell("the verdict is timeout, and there was time left");
    }
    let again = arbiter.hear(reply, taken);
    differences.compare("ply", &answer.ply, &again.ply);
    differences.compare("seat", &answer.seat, &again.seat);
    differences.compare("verdict", &answer.verdict, &again.verdict);
    differences.compare("move", &Shown(answer.played.clone()), &Shown(again.played));
    differences.compare("forgiven", &answer.forgiven, &again.forgiven);
    differences.compare("extracted", &answer.extracted, &again.extracted);
    // A wrong sum or reason does not change the game; all that follows can still be compared.
    differences.compare_gently("left_us", &Shown(answer.left_us), &Shown(again.left_us));
    match (&answer.output, &answer.why) {
        (Some(_), why) => differences.compare_gently("why", &Shown(why.clone()), &Shown(again.why)),
        // What happened outside of the game is told by who was there.
        (None, Some(why)) if !why.trim().is_empty() => {}
        (None, _) => differences.list.push("why says nothing, and there is no output".to_owned()),
    }
}

/// What may be missing, for a sentence.
#[derive(PartialEq)]
struct Shown<T>(Option<T>);

impl<T: fmt::Display> fmt::Display for Shown<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(value) => value.fmt(f),
            None => f.write_str("null"),
        }
    }
}

/// What was found, and whether the game and its record have parted over it.
#[derive(Default)]
struct Differences {
    list: Vec<String>,
    parted: bool,
}

impl Differences {
    fn tell(&mut self, what: &str) {
        self.list.push(what.to_owned());
        self.parted = true;
    }

    fn compare<T: PartialEq + fmt::Display>(&mut self, what: &str, written: &T, found: &T) {
        self.parted |= written != found;
        self.compare_gently(what, written, found);
    }

    fn compare_gently<T: PartialEq + fmt::Display>(&mut self, what: &str, written: &T, found: &T) {
        if written != found {
            let (written, found) = (clip(&written.to_string()), clip(&found.to_string()));
            self.list.push(format!("{what} is {written}, and should be {found}"));
        }
    }
}

/// More games are never played at once; who writes so many beginnings has no end in mind.
const MOST_OPEN: usize = 4096;

/// The games of a file, whose lines may stand between each other.
#[derive(Debug, Default)]
pub struct Replays {
    open: BTreeMap<u32, Replay>,
    /// For each game that is over its last attempt, and whether another may follow.
    over: BTreeMap<u32, (u32, bool)>,
}

/// What a line led to.
#[derive(Debug, Default)]
pub struct Heard {
    /// What is wrong with it.
    pub differences: Vec<String>,
    /// The game that it ends.
    pub closed: Option<Replay>,
}

impl From<Vec<String>> for Heard {
    fn from(differences: Vec<String>) -> Self {
        Heard { differences, closed: None }
    }
}

impl Replays {
    /// No line yet.
    pub fn new() -> Self {
        Replays::default()
    }

    /// The next line; `find` knows the laws of its game, or says why there are none.
    pub fn line(&mut self, line: &Line, find: impl FnOnce(&Header) -> Result<Laws, String>) -> Heard {
        match line {
            Line::Start(header) => self.start(header, find).into(),
            Line::Throw(throw) => match self.open.get_mut(&throw.id) {
                Some(replay) => replay.throw(throw).into(),
                None => vec![format!("a throw in game {}, which is not under way", throw.id)].into(),
            },
            Line::Answer(answer) => match self.open.get_mut(&answer.id) {
                Some(replay) => replay.answer(answer).into(),
                None => vec![format!("an answer in game {}, which is not under way", answer.id)].into(),
            },
            Line::End(finish) => match self.open.remove(&finish.id) {
                Some(mut replay) => {
                    let is_void = finish.winners.is_none();
                    self.over.insert(finish.id, (replay.header.attempt, is_void));
                    Heard { differences: replay.end(finish), closed: Some(replay) }
                }
                None => vec![format!("the end of game {}, which is not under way", finish.id)].into(),
            },
        }
    }

    fn start(&mut self, header: &Header, find: impl FnOnce(&Header) -> Result<Laws, String>) -> Vec<String> {
        let id = header.id;
        if self.open.contains_key(&id) {
            return vec![format!("game {id} begins again before it is over")];
        }
        if self.open.len() >= MOST_OPEN {
            return vec![format!("more than {MOST_OPEN} games are under way at once")];
        }
        let mut differences = Vec::new();
        let due =
            self.over.get(&id).map_or((1, true), |(attempt, is_void)| (attempt.saturating_add(1), *is_void));
        if due != (header.attempt, true) {
            differences.push(format!("attempt {} at game {id} is out of turn", header.attempt));
        }
        let replay = match find(header) {
            Ok(laws) => {
                let (replay, more) = Replay::new(&laws, header);
                differences.extend(more);
                replay
            }
            Err(why) => {
                differences.push(why);
                Replay { header: header.clone(), arbiter: None, throws: VecDeque::new() }
            }
        };
        self.open.insert(id, replay);
        differences
    }

    /// The games that are not over.
    pub fn unfinished(self) -> Vec<Replay> {
        self.open.into_values().collect()
    }
}

fn clip(text: &str) -> String {
    const MOST: usize = 200;
    match text.char_indices().nth(MOST) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::line::{Control, Departure};
    use super::*;

    fn laws() -> Laws {
        let chess = tabiya_spec::library::load("chess").unwrap();
        Laws::new(&chess.rules, &chess.hash.to_string())
    }

    /// A game with everything in it: an opening, clocks, a slip, a mate.
    fn lines(laws: &Laws) -> Vec<Line> {
        let mut header = Header::new(1, laws, "chess");
        header.opening = vec!["f2f3".to_owned(), "e7e5".to_owned()];
        header.clock = Control { game_us: Some(60_000_000), increment_us: 500_000, move_us: Some(5_000_000) };
        header.retries = 1;
        let mut arbiter = Arbiter::new(laws, &header).unwrap();
        let mut lines = vec![Line::Start(header)];
        for (number, text) in ["g2g5", "g2g4", "d8h4"].into_iter().enumerate() {
            let taken = Duration::from_millis(700 + number as u64);
            lines.push(Line::Answer(arbiter.hear(Reply::Output(text), taken)));
        }
        lines.push(Line::End(arbiter.finish(Vec::new()).unwrap()));
        lines
    }

    /// Every difference of a file, with its line.
    fn check(laws: &Laws, lines: &[Line]) -> Vec<(usize, String)> {
        let mut replays = Replays::new();
        let mut found = Vec::new();
        for (number, line) in lines.iter().enumerate() {
            let heard = replays.line(line, |_| Ok(laws.clone()));
            found.extend(heard.differences.into_iter().map(|what| (number, what)));
        }
        found
    }

    #[test]
    fn a_true_record_has_no_difference() {
        let laws = laws();
        assert_eq!(check(&laws, &lines(&laws)), []);
    }

    #[test]
    fn whatever_is_changed_is_found() {
        type Change = fn(&mut Answer);
        type Alteration = (&'static str, fn(&mut Finish));
        let laws = laws();
        let changes: [(&str, Change); 11] = [
            ("ply", |answer| answer.ply += 1),
            ("seat", |answer| answer.seat = "RED".to_owned()),
            ("verdict", |answer| answer.verdict = Verdict::Resign),
            ("verdict", |answer| answer.output = Some("a2a3".to_owned())),
            ("verdict", |answer| answer.output = None),
            ("move", |answer| answer.played = Some("h7h6".to_owned())),
            ("left_us", |answer| answer.left_us = answer.left_us.map(|left| left + 1)),
            ("left_us", |answer| answer.taken_us += 1),
            ("forgiven", |answer| answer.forgiven = !answer.forgiven),
            ("extracted", |answer| answer.extracted = true),
            ("why", |answer| answer.why = Some("it was a good move".to_owned())),
        ];
        for (what, change) in changes {
            let mut lines = lines(&laws);
            // Black's mate: nothing else fits.
            let Line::Answer(answer) = &mut lines[3] else { panic!("an answer") };
            change(answer);
            let found = check(&laws, &lines);
            assert!(
                found.iter().any(|(line, found)| *line == 3 && found.contains(what)),
                "{what}: {found:?}"
            );
        }
        let changes: [Alteration; 5] = [
            ("winners", |finish| finish.winners = Some(Vec::new())),
            ("reason", |finish| finish.reason = "stalemate".to_owned()),
            ("by", |finish| finish.by = Some("WHITE".to_owned())),
            ("plies", |finish| finish.plies = 3),
            ("state", |finish| finish.state = "8/8/8/8/8/8/8/8 w - - 0 1".to_owned()),
        ];
        for (what, change) in changes {
            let mut lines = lines(&laws);
            let Line::End(finish) = &mut lines[4] else { panic!("an end") };
            change(finish);
            let found = check(&laws, &lines);
            assert!(found.len() == 1 && found[0].1.starts_with(what), "{what}: {found:?}");
        }
        let mut lines = lines(&laws);
        let Line::Start(header) = &mut lines[0] else { panic!("a start") };
        header.spec = "sha256:00".to_owned();
        assert!(matches!(check(&laws, &lines).as_slice(), [(0, what)] if what.contains("other rules")));
    }

    #[test]
    fn a_wrong_sum_does_not_hide_what_follows() {
        let laws = laws();
        let mut lines = lines(&laws);
        for line in &mut lines[1..4] {
            let Line::Answer(answer) = line else { panic!("an answer") };
            answer.left_us = Some(7);
        }
        assert_eq!(check(&laws, &lines).iter().map(|(line, _)| *line).collect::<Vec<_>>(), [1, 2, 3]);
    }

    #[test]
    fn every_reason_is_there_and_is_the_one_that_the_referee_gives() {
        let laws = laws();
        for why in [None, Some(""), Some("malformed: it is not nice")] {
            let mut lines = lines(&laws);
            let Line::Answer(slip) = &mut lines[1] else { panic!("an answer") };
            slip.why = why.map(str::to_owned);
            let found = check(&laws, &lines);
            assert!(matches!(found.as_slice(), [(1, what)] if what.starts_with("why is ")), "{found:?}");
        }
        let header = Header::new(1, &laws, "chess");
        let words = [(None, false), (Some(" "), false), (Some("out of luck"), true), (Some("gone"), true)];
        for (why, is_good) in words {
            let mut arbiter = Arbiter::new(&laws, &header).unwrap();
            let mut answer = arbiter.hear(Reply::Fault(Verdict::Exited, "gone"), Duration::ZERO);
            answer.why = why.map(str::to_owned);
            let (mut replay, _) = Replay::new(&laws, &header);
            assert_eq!(replay.answer(&answer).is_empty(), is_good, "{why:?}");
        }
    }

    #[test]
    fn a_timeout_needs_the_time() {
        let laws = laws();
        let mut header = Header::new(1, &laws, "chess");
        header.clock.move_us = Some(1_000_000);
        for (taken, is_true) in [(900, false), (1000, true), (1100, true)] {
            let mut arbiter = Arbiter::new(&laws, &header).unwrap();
            let answer = arbiter.hear(Reply::Fault(Verdict::Timeout, "late"), Duration::from_millis(taken));
            let (mut replay, _) = Replay::new(&laws, &header);
            assert_eq!(replay.answer(&answer).is_empty(), is_true, "{taken}");
        }
    }

    #[test]
    fn lines_out_of_turn_are_found() {
        let laws = laws();
        let good = lines(&laws);
        let missing: Vec<Line> = good[1..].to_vec();
        assert_eq!(check(&laws, &missing).len(), 4);
        let twice: Vec<Line> = good[..1].iter().chain(&good).cloned().collect();
        assert!(check(&laws, &twice)[0].1.contains("begins again"));
        let replayed: Vec<Line> = good.iter().chain(&good).cloned().collect();
        assert!(
            check(&laws, &replayed)[0].1.contains("out of turn"),
            "a game that counts is not played again"
        );
        let mut early = good.clone();
        early.remove(3);
        assert_eq!(check(&laws, &early), [(3, "the game is not over".to_owned())]);
        let mut late = good;
        let again = late[3].clone();
        late.insert(4, again);
        assert_eq!(check(&laws, &late), [(4, "the game was over before this answer".to_owned())]);
    }

    #[test]
    fn a_void_game_may_be_played_again() {
        let laws = laws();
        let mut file = Vec::new();
        for attempt in 1..=2 {
            let header = Header { attempt, ..Header::new(7, &laws, "chess") };
            let mut arbiter = Arbiter::new(&laws, &header).unwrap();
            let answer = arbiter.hear(Reply::Fault(Verdict::Unreachable, "no way"), Duration::ZERO);
            let stderr = "its last words".to_owned();
            let (seat, fault) = ("WHITE".to_owned(), "unreachable".to_owned());
            let departures = vec![Departure { seat, fault, exit: None, stderr }];
            let end = arbiter.finish(departures).unwrap();
            file.extend([Line::Start(header), Line::Answer(answer), Line::End(end)]);
        }
        assert_eq!(check(&laws, &file), []);
    }
}
