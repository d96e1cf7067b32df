//! From a journal to where its match stands: the games that are over are entered, those under way are set up to go on, and
//! a last line that was torn is dropped.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::BufReader;

use tabiya_referee::record::{Finish, Header, Laws, Line, Replay, Replays};

use crate::bout::{Bout, Job};
use crate::contest::{ATTEMPTS, Plan};
use crate::error::MatchError;
use crate::journal::{Draft, Folder};
use crate::lines::FileLines;
use crate::sheet::sheet;
use crate::table::{Table, Tally};

/// What was found in a journal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resumed {
    /// Games that are over.
    pub over: u32,
    /// Games that go on from where they were.
    pub under_way: u32,
    /// The number of a last line that was torn, and is dropped.
    pub torn: Option<usize>,
}

/// Where a match stands.
#[derive(Debug)]
pub(crate) struct Standing {
    pub(crate) table: Table,
    /// What is still to be played.
    pub(crate) jobs: VecDeque<Job>,
    pub(crate) found: Resumed,
}

/// Of a match that has not begun.
pub(crate) fn fresh(plan: &Plan) -> Standing {
    let games = plan.contest.games;
    let jobs = (1..=games).map(|id| Job::Fresh { id, attempt: 1 }).collect();
    Standing { table: Table::new(games, plan.names.clone()), jobs, found: Resumed::default() }
}

/// Reads the journal of a folder; the games that are over go into the draft.
pub(crate) fn read(plan: &Plan, folder: &Folder, draft: &mut Draft) -> Result<Standing, MatchError> {
    let mut reading = Reading::new(plan);
    let mut torn = None;
    let path = folder.path.join("games.jsonl");
    let mut lines = FileLines::new(BufReader::new(&folder.lines)).peekable();
    while let Some(line) = lines.next() {
        let line = line.map_err(|error| MatchError::file(&path, &error))?;
        match line.line {
            Ok(content) if line.is_whole => reading.take(&content, draft).map_err(|why| match why {
                Trouble::Difference(why) => MatchError::Journal { line: line.number, why },
                Trouble::Other(error) => error,
            })?,
            _ if lines.peek().is_none() => torn = Some((line.number, line.offset)),
            Ok(_) => {}
            Err(why) => return Err(MatchError::Journal { line: line.number, why }),
        }
    }
    if let Some((_, offset)) = torn {
        folder.cut(offset)?;
    }
    Ok(reading.finish(torn.map(|(number, _)| number)))
}

/// Why a line cannot be taken.
enum Trouble {
    Difference(String),
    Other(MatchError),
}

struct Reading<'m> {
    plan: &'m Plan,
    table: Table,
    replays: Replays,
    tallies: BTreeMap<u32, Tally>,
    /// How many attempts have been made at games that are void so far; `None` for those that count.
    over: BTreeMap<u32, Option<u32>>,
}

impl<'m> Reading<'m> {
    fn new(plan: &'m Plan) -> Self {
        let table = Table::new(plan.contest.games, plan.names.clone());
        Reading { plan, table, replays: Replays::new(), tallies: BTreeMap::new(), over: BTreeMap::new() }
    }

    fn take(&mut self, line: &Line, draft: &mut Draft) -> Result<(), Trouble> {
        let plan = self.plan;
        let heard = self.replays.line(line, |header| laws(plan, header));
        if let Some(first) = heard.differences.into_iter().next() {
            return Err(Trouble::Difference(first));
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
                    self.close(&replay, finish, draft).map_err(Trouble::Other)?;
                }
            }
        }
        Ok(())
    }

    fn close(&mut self, replay: &Replay, finish: &Finish, draft: &mut Draft) -> Result<(), MatchError> {
        let header = replay.header();
        let attempt = header.attempt;
        if let Some(tally) = self.tallies.remove(&header.id) {
            self.table.enter(&tally, finish, attempt >= ATTEMPTS);
        }
        self.over.insert(header.id, finish.winners.is_none().then_some(attempt));
        replay.arbiter().map_or(Ok(()), |arbiter| draft.add(&sheet(self.plan, header, arbiter, finish)))
    }

    /// Games under way come first.
    fn finish(mut self, torn: Option<usize>) -> Standing {
        let mut jobs = VecDeque::new();
        let mut open = BTreeSet::new();
        for replay in self.replays.unfinished() {
            let header = replay.header().clone();
            let tally = self.tallies.remove(&header.id);
            if let (Some(arbiter), Some(tally)) = (replay.into_arbiter(), tally) {
                open.insert(header.id);
                jobs.push_back(Job::UnderWay(Box::new(Bout { header, arbiter, tally, is_under_way: true })));
            }
        }
        let mut found = Resumed { over: 0, under_way: jobs.len() as u32, torn };
        for id in (1..=self.plan.contest.games).filter(|id| !open.contains(id)) {
            match self.over.get(&id) {
                None => jobs.push_back(Job::Fresh { id, attempt: 1 }),
                Some(Some(attempt)) if *attempt < ATTEMPTS => {
                    jobs.push_back(Job::Fresh { id, attempt: attempt + 1 });
                }
                Some(_) => found.over += 1,
            }
        }
        Standing { table: self.table, jobs, found }
    }
}

/// The laws of a game that belongs to this match.
fn laws(plan: &Plan, header: &Header) -> Result<Laws, String> {
    let is_one = (1..=plan.contest.games).contains(&header.id)
        && (1..=ATTEMPTS).contains(&header.attempt)
        && *header == plan.header(header.id, header.attempt);
    if is_one { Ok(plan.laws.clone()) } else { Err(format!("game {} is none of this match", header.id)) }
}
