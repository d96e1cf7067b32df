//! Restores the state of a match from its journal. Finished games are counted, interrupted ones are prepared to continue,
//! and a torn last line is dropped.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::BufReader;

use tabiya_referee::Laws;
use tabiya_referee::record::{Finish, Header, Line, Replay, Replays};

use crate::config::{MAX_ATTEMPTS, MatchPlan};
use crate::error::MatchError;
use crate::game_runner::{GameRunner, Job};
use crate::journal::{Folder, PgnDraft};
use crate::pgn::game_pgn;
use crate::record_reader::RecordReader;
use crate::standings::{Standings, Tally};

/// The games found in a journal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resumed {
    /// The number of finished games.
    pub finished: u32,
    /// The number of interrupted games, which continue.
    pub in_progress: u32,
    /// The number of a torn last line, which is dropped.
    pub torn_line: Option<usize>,
}

/// The state of a match.
#[derive(Debug)]
pub(crate) struct MatchState {
    pub(crate) standings: Standings,
    /// The remaining games.
    pub(crate) jobs: VecDeque<Job>,
    pub(crate) resumed: Resumed,
}

impl MatchState {
    /// Creates the state of a new match.
    pub(crate) fn new(plan: &MatchPlan) -> Self {
        let games = plan.config.games;
        let jobs = (1..=games).map(|id| Job::New { id, attempt: 1 }).collect();
        Self { standings: Standings::new(games, plan.names.clone()), jobs, resumed: Resumed::default() }
    }
}

/// Reads the journal of a folder and adds finished games to the PGN.
pub(crate) fn read(plan: &MatchPlan, folder: &Folder, pgn: &mut PgnDraft) -> Result<MatchState, MatchError> {
    let mut reader = JournalReader::new(plan);
    let mut torn = None;
    let path = folder.path.join("games.jsonl");
    let mut lines = RecordReader::new(BufReader::new(&folder.lines)).peekable();
    while let Some(line) = lines.next() {
        let line = line.map_err(MatchError::file(&path))?;
        match line.line {
            Ok(content) if line.is_whole => reader.add_line(&content, pgn).map_err(|error| match error {
                LineError::Difference(why) => MatchError::Journal { line: line.number, why },
                LineError::Other(error) => error,
            })?,
            _ if lines.peek().is_none() => torn = Some((line.number, line.offset)),
            Ok(_) => {}
            Err(why) => return Err(MatchError::Journal { line: line.number, why }),
        }
    }
    if let Some((_, offset)) = torn {
        folder.truncate(offset)?;
    }
    Ok(reader.finish(torn.map(|(number, _)| number)))
}

/// The reason why a line cannot be used.
enum LineError {
    Difference(String),
    Other(MatchError),
}

struct JournalReader<'m> {
    plan: &'m MatchPlan,
    standings: Standings,
    replays: Replays,
    tallies: BTreeMap<u32, Tally>,
    /// For each finished game, the number of attempts if it is void so far.
    finished: BTreeMap<u32, Option<u32>>,
}

impl<'m> JournalReader<'m> {
    fn new(plan: &'m MatchPlan) -> Self {
        let standings = Standings::new(plan.config.games, plan.names.clone());
        let (tallies, finished) = (BTreeMap::new(), BTreeMap::new());
        JournalReader { plan, standings, replays: Replays::new(), tallies, finished }
    }

    fn add_line(&mut self, line: &Line, pgn: &mut PgnDraft) -> Result<(), LineError> {
        let plan = self.plan;
        let heard = self.replays.line(line, |header| laws(plan, header));
        if let Some(first) = heard.differences.into_iter().next() {
            return Err(LineError::Difference(first));
        }
        match line {
            Line::Start(header) => {
                self.tallies.insert(header.id, Tally::new(header));
            }
            Line::Throw(_) => {}
            Line::Answer(answer) => {
                if let Some(tally) = self.tallies.get_mut(&answer.id) {
                    tally.count(answer);
                }
            }
            Line::End(finish) => {
                if let Some(replay) = heard.closed {
                    self.add_game(&replay, finish, pgn).map_err(LineError::Other)?;
                }
            }
        }
        Ok(())
    }

    fn add_game(&mut self, replay: &Replay, finish: &Finish, pgn: &mut PgnDraft) -> Result<(), MatchError> {
        let header = replay.header();
        let attempt = header.attempt;
        if let Some(tally) = self.tallies.remove(&header.id) {
            self.standings.add(&tally, finish, attempt >= MAX_ATTEMPTS);
        }
        self.finished.insert(header.id, finish.winners.is_none().then_some(attempt));
        replay.recorder().map_or(Ok(()), |recorder| pgn.add(&game_pgn(self.plan, header, recorder, finish)))
    }

    /// Interrupted games come first.
    fn finish(mut self, torn_line: Option<usize>) -> MatchState {
        let mut jobs = VecDeque::new();
        let mut open = BTreeSet::new();
        for replay in self.replays.unfinished() {
            let header = replay.header().clone();
            let tally = self.tallies.remove(&header.id);
            if let (Some(recorder), Some(tally)) = (replay.into_recorder(), tally) {
                open.insert(header.id);
                jobs.push_back(Job::Resume(Box::new(GameRunner {
                    header,
                    recorder,
                    tally,
                    is_started: true,
                })));
            }
        }
        let mut resumed = Resumed { finished: 0, in_progress: jobs.len() as u32, torn_line };
        for id in (1..=self.plan.config.games).filter(|id| !open.contains(id)) {
            match self.finished.get(&id) {
                None => jobs.push_back(Job::New { id, attempt: 1 }),
                Some(Some(attempt)) if *attempt < MAX_ATTEMPTS => {
                    jobs.push_back(Job::New { id, attempt: attempt + 1 });
                }
                Some(_) => resumed.finished += 1,
            }
        }
        MatchState { standings: self.standings, jobs, resumed }
    }
}

/// Returns the laws of a game that belongs to this match.
fn laws(plan: &MatchPlan, header: &Header) -> Result<Laws, String> {
    let is_one = (1..=plan.config.games).contains(&header.id)
        && (1..=MAX_ATTEMPTS).contains(&header.attempt)
        && *header == plan.header(header.id, header.attempt);
    if is_one { Ok(plan.laws.clone()) } else { Err(format!("game {} is not part of this match", header.id)) }
}
