//! Checking a record: its answers go to another session, and every line is compared. Times and faults, which the rules do not
//! determine, are taken from the record.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::time::Duration;

use tabiya_notation::clip;

use super::line::{Answer, Finish, Header, Line, Throw};
use super::recorder::Recorder;
use crate::{AgentFault, Laws, Reply, Verdict};

/// The longest value that a difference shows, in characters.
const SHOWN: usize = 200;

/// The replay of one game.
#[derive(Clone, Debug)]
pub struct Replay {
    header: Header,
    /// `None` once the record and the rules have diverged: later lines cannot be compared.
    recorder: Option<Recorder>,
    /// Throws that the record has not listed yet.
    throws: VecDeque<Throw>,
}

impl Replay {
    /// Sets the game up again and returns the differences found so far.
    pub fn new(laws: &Laws, header: &Header) -> (Self, Vec<String>) {
        let (spec, hash) = (clip(&header.spec, SHOWN), laws.hash());
        let recorder = if header.spec == hash {
            Recorder::new(laws, header)
        } else {
            Err(format!("it was played under other rules: {spec}; these are {hash}"))
        };
        let (recorder, differences) = match recorder {
            Ok(recorder) => (Some(recorder), Vec::new()),
            Err(why) => (None, vec![why]),
        };
        let mut replay = Replay { header: header.clone(), recorder, throws: VecDeque::new() };
        replay.collect_throws();
        (replay, differences)
    }

    /// The header of the game.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The game so far, if the record and the rules agree.
    pub fn recorder(&self) -> Option<&Recorder> {
        self.recorder.as_ref()
    }

    /// Returns the game, to play on.
    pub fn into_recorder(self) -> Option<Recorder> {
        self.recorder
    }

    fn collect_throws(&mut self) {
        if let Some(recorder) = &mut self.recorder {
            self.throws.extend(recorder.take_throws());
        }
    }

    /// Checks a throw and returns its differences.
    pub fn throw(&mut self, throw: &Throw) -> Vec<String> {
        if self.recorder.is_none() {
            return Vec::new();
        }
        let mut differences = Differences::default();
        match self.throws.pop_front() {
            Some(again) => {
                differences.compare("ply", &throw.ply, &again.ply);
                differences.compare("face", &throw.face, &again.face);
            }
            None => differences.diverge("no throw was due"),
        }
        self.stop_if_diverged(&differences);
        differences.list
    }

    fn stop_if_diverged(&mut self, differences: &Differences) {
        if differences.diverged {
            self.recorder = None;
        }
    }

    /// All throws must be listed before the next answer.
    fn check_missing_throws(&self, differences: &mut Differences) {
        if let Some(throw) = self.throws.front() {
            differences.diverge(&format!("the throw of {} before move {} is missing", throw.face, throw.ply));
        }
    }

    /// Checks an answer and returns its differences.
    pub fn answer(&mut self, answer: &Answer) -> Vec<String> {
        let mut differences = Differences::default();
        if self.recorder.is_some() {
            self.check_missing_throws(&mut differences);
        }
        let Some(recorder) = &mut self.recorder else { return Vec::new() };
        if recorder.session().result().is_some() {
            differences.diverge("the game was over before this answer");
        } else {
            compare(recorder, answer, &mut differences);
        }
        self.stop_if_diverged(&differences);
        self.collect_throws();
        differences.list
    }

    /// Checks the end and returns its differences.
    pub fn end(&mut self, finish: &Finish) -> Vec<String> {
        let Some(recorder) = &self.recorder else { return Vec::new() };
        let mut differences = Differences::default();
        self.check_missing_throws(&mut differences);
        match recorder.finish(finish.departures.clone()) {
            None => differences.diverge("the game is not over"),
            Some(again) => {
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

/// Gives an answer to the session and compares the lines.
fn compare(recorder: &mut Recorder, answer: &Answer, differences: &mut Differences) {
    let timeout = recorder.session().timeout();
    let taken = Duration::from_micros(answer.taken_us);
    let unfinished = AgentFault::Unfinished { output: String::new() };
    let reply = match (&answer.output, answer.verdict) {
        (Some(text), Verdict::Unsolicited) => Reply::Unsolicited(text),
        (Some(text), Verdict::Timeout) if answer.why == Some(unfinished.to_string()) => {
            Reply::Unfinished(text)
        }
        (Some(text), _) => Reply::Output(text),
        (None, verdict) if verdict < Verdict::Malformed => {
            differences.diverge(&format!("the verdict is {verdict}, but there is no output"));
            return;
        }
        (None, verdict) => Reply::Fault(verdict, answer.why.as_deref().unwrap_or_default()),
    };
    if answer.verdict == Verdict::Timeout && timeout.is_none_or(|timeout| taken < timeout) {
        differences.diverge("the verdict is timeout, but there was time left");
    }
    let again = recorder.hear(reply, taken);
    differences.compare("ply", &answer.ply, &again.ply);
    differences.compare("seat", &answer.seat, &again.seat);
    differences.compare("verdict", &answer.verdict, &again.verdict);
    differences.compare("move", &Shown(answer.played.clone()), &Shown(again.played));
    differences.compare("forgiven", &answer.forgiven, &again.forgiven);
    differences.compare("extracted", &answer.extracted, &again.extracted);
    // A wrong time or reason does not change the game, so later lines can still be compared.
    differences.note("left_us", &Shown(answer.left_us), &Shown(again.left_us));
    match (&answer.output, &answer.why) {
        (Some(_), why) => differences.note("why", &Shown(why.clone()), &Shown(again.why)),
        (None, Some(why)) if !why.trim().is_empty() => {}
        (None, _) => differences.list.push("why is empty, and there is no output".to_owned()),
    }
}

/// An optional value in a sentence.
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

/// The differences of one line, and whether the game and its record have diverged.
#[derive(Default)]
struct Differences {
    list: Vec<String>,
    diverged: bool,
}

impl Differences {
    fn diverge(&mut self, what: &str) {
        self.list.push(what.to_owned());
        self.diverged = true;
    }

    fn compare<T: PartialEq + fmt::Display>(&mut self, what: &str, written: &T, found: &T) {
        self.diverged |= written != found;
        self.note(what, written, found);
    }

    fn note<T: PartialEq + fmt::Display>(&mut self, what: &str, written: &T, found: &T) {
        if written != found {
            let (written, found) = (written.to_string(), found.to_string());
            let (written, found) = (clip(&written, SHOWN), clip(&found, SHOWN));
            self.list.push(format!("{what} is {written} and should be {found}"));
        }
    }
}

/// The most games that a file may have open at once.
const MAX_OPEN: usize = 4096;

/// The games of a file, whose lines may be interleaved.
#[derive(Debug, Default)]
pub struct Replays {
    open: BTreeMap<u32, Replay>,
    /// For each finished game, its last attempt and whether another may follow.
    over: BTreeMap<u32, (u32, bool)>,
}

/// The result of checking one line.
#[derive(Debug, Default)]
pub struct ReplayedLine {
    /// Its differences.
    pub differences: Vec<String>,
    /// The game that the line ends.
    pub closed: Option<Replay>,
}

impl From<Vec<String>> for ReplayedLine {
    fn from(differences: Vec<String>) -> Self {
        ReplayedLine { differences, closed: None }
    }
}

impl Replays {
    /// Creates a checker without games.
    pub fn new() -> Self {
        Replays::default()
    }

    /// Checks the next line. `find` returns the laws of its game.
    pub fn line(&mut self, line: &Line, find: impl FnOnce(&Header) -> Result<Laws, String>) -> ReplayedLine {
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
                    ReplayedLine { differences: replay.end(finish), closed: Some(replay) }
                }
                None => vec![format!("the end of game {}, which is not under way", finish.id)].into(),
            },
        }
    }

    fn start(&mut self, header: &Header, find: impl FnOnce(&Header) -> Result<Laws, String>) -> Vec<String> {
        let id = header.id;
        if self.open.contains_key(&id) {
            return vec![format!("game {id} starts again before its end")];
        }
        if self.open.len() >= MAX_OPEN {
            return vec![format!("more than {MAX_OPEN} games are under way at once")];
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
                Replay { header: header.clone(), recorder: None, throws: VecDeque::new() }
            }
        };
        self.open.insert(id, replay);
        differences
    }

    /// Returns the games without an end.
    pub fn unfinished(self) -> Vec<Replay> {
        self.open.into_values().collect()
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
        header.clock = Control {
            game_us: Some(60_000_000),
            increment_us: 500_000,
            move_us: Some(5_000_000),
            margin_us: 0,
        };
        header.retries = 1;
        let mut recorder = Recorder::new(laws, &header).unwrap();
        let mut lines = vec![Line::Start(header)];
        for (number, text) in ["g2g5", "g2g4", "d8h4"].into_iter().enumerate() {
            let taken = Duration::from_millis(700 + number as u64);
            lines.push(Line::Answer(recorder.hear(Reply::Output(text), taken)));
        }
        lines.push(Line::End(recorder.finish(Vec::new()).unwrap()));
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
            ("verdict", |answer| answer.verdict = Verdict::Accepted(crate::ActionKind::Resign)),
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
            let mut recorder = Recorder::new(&laws, &header).unwrap();
            let mut answer = recorder.hear(Reply::Fault(Verdict::Exited, "gone"), Duration::ZERO);
            answer.why = why.map(str::to_owned);
            let (mut replay, _) = Replay::new(&laws, &header);
            assert_eq!(replay.answer(&answer).is_empty(), is_good, "{why:?}");
        }
    }

    #[test]
    fn unsolicited_output_is_no_answer() {
        let laws = laws();
        let header = Header::new(1, &laws, "chess");
        let mut answer =
            Recorder::new(&laws, &header).unwrap().hear(Reply::Unsolicited("e2e4"), Duration::ZERO);
        for (output, is_good) in [(Some("e2e4"), true), (None, true), (Some("e2e5"), true)] {
            answer.output = output.map(str::to_owned);
            assert_eq!(Replay::new(&laws, &header).0.answer(&answer).is_empty(), is_good, "{output:?}");
        }
        answer.verdict = Verdict::Malformed;
        assert!(!Replay::new(&laws, &header).0.answer(&answer).is_empty());
    }

    #[test]
    fn a_timeout_needs_the_time() {
        let laws = laws();
        let mut header = Header::new(1, &laws, "chess");
        header.clock.move_us = Some(1_000_000);
        for (taken, is_true) in [(900, false), (1000, true), (1100, true)] {
            let mut recorder = Recorder::new(&laws, &header).unwrap();
            let answer = recorder.hear(Reply::Fault(Verdict::Timeout, "late"), Duration::from_millis(taken));
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
        assert!(check(&laws, &twice)[0].1.contains("starts again"));
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
            let mut recorder = Recorder::new(&laws, &header).unwrap();
            let answer = recorder.hear(Reply::Fault(Verdict::Unreachable, "no way"), Duration::ZERO);
            let stderr = "its last words".to_owned();
            let (seat, fault) = ("WHITE".to_owned(), "unreachable".to_owned());
            let departures = vec![Departure { seat, fault, exit: None, stderr }];
            let end = recorder.finish(departures).unwrap();
            file.extend([Line::Start(header), Line::Answer(answer), Line::End(end)]);
        }
        assert_eq!(check(&laws, &file), []);
    }
}
