//! `tabiya verify`: a record played again, every verdict, clock and end with it; or the games of a PGN file.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::{Value, json};
use tabiya_arena::FileLines;
use tabiya_notation::pgn;
use tabiya_referee::record::{self, Header, Laws, Line, Replays, Verdict, check_score};
use tabiya_spec::{Choices, library};

use crate::agreed;
use crate::args::Choice;
use crate::chosen;
use crate::failure::Failure;
use crate::files;
use crate::output::Output;
use crate::text::{counted, plain};

/// Play a record again and check everything in it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya verify match1/games.jsonl
  tabiya verify games.pgn --game mygame.json
  tabiya verify match2/games.pgn --rules zalewski

Exit status: 0 everything holds, 1 something does not.")]
pub(crate) struct Args {
    /// games.jsonl of a match, a record of one game, or a PGN file.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The game, where it is not in the library.
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    #[command(flatten)]
    choice: Choice,
}

/// More differences are counted and not listed.
const MOST_DIFFERENCES: usize = 1000;

/// A larger PGN file is not read; records may have any size.
const PGN_LIMIT: u64 = 256 << 20;

/// What was found.
#[derive(Debug, Default)]
struct Found {
    games: usize,
    /// Attempts at games that do not count.
    void: usize,
    answers: usize,
    unfinished: Vec<u32>,
    differences: Vec<Difference>,
    left_out: usize,
}

#[derive(Debug)]
struct Difference {
    game: Option<u32>,
    line: Option<usize>,
    what: String,
}

/// Why an attempt at a game does not count.
const VOID: Verdict = Verdict::Unreachable;

impl Found {
    fn count(&mut self, is_void: bool) {
        let count = if is_void { &mut self.void } else { &mut self.games };
        *count += 1;
    }

    fn add(&mut self, game: Option<u32>, line: Option<usize>, what: String) {
        if self.differences.len() < MOST_DIFFERENCES {
            self.differences.push(Difference { game, line, what });
        } else {
            self.left_out += 1;
        }
    }
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<ExitCode, Failure> {
    let mut shelf = Shelf::new(args.game.as_deref(), &args.choice)?;
    let found = check(&args.file, &mut shelf).map_err(|error| {
        Failure::Usage(format!("`{}` cannot be read: {}", args.file.display(), files::reason(&error)))
    })?;
    if out.is_json() {
        out.json(&to_json(&args.file, &found))?;
    } else {
        print(&args.file, &found, out)?;
    }
    Ok(if found.differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(Failure::NO) })
}

/// A record begins with a brace, and no PGN file does.
fn check(path: &Path, shelf: &mut Shelf) -> io::Result<Found> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory"));
    }
    let mut reader = BufReader::new(file);
    let start = reader.fill_buf()?.trim_ascii_start().first().copied();
    if start == Some(b'{') { record(reader, shelf) } else { games(reader, shelf) }
}

fn record(reader: impl io::BufRead, shelf: &mut Shelf) -> io::Result<Found> {
    let mut found = Found::default();
    let mut replays = Replays::new();
    for line in FileLines::new(reader) {
        let line = line?;
        let content = match line.line {
            Ok(content) => content,
            Err(why) => {
                found.add(None, Some(line.number), why);
                continue;
            }
        };
        let heard = replays.line(&content, |header| shelf.laws_of(header));
        found.answers += usize::from(matches!(content, Line::Answer(_)));
        if let (Line::End(finish), Some(_)) = (&content, &heard.closed) {
            found.count(finish.winners.is_none());
        }
        for what in heard.differences {
            found.add(Some(content.id()), Some(line.number), what);
        }
    }
    found.unfinished = replays.unfinished().iter().map(|replay| replay.header().id).collect();
    let is_empty = found.games + found.void == 0 && found.unfinished.is_empty();
    if is_empty && found.differences.is_empty() {
        found.add(None, None, "there is no game in it".to_owned());
    }
    Ok(found)
}

fn games(reader: impl io::BufRead, shelf: &mut Shelf) -> io::Result<Found> {
    let mut found = Found::default();
    let mut text = String::new();
    reader.take(PGN_LIMIT + 1).read_to_string(&mut text)?;
    if text.len() as u64 > PGN_LIMIT {
        return Err(io::Error::other(format!("it has more than {PGN_LIMIT} bytes")));
    }
    for (number, entry) in (1..).zip(pgn::entries(text.trim_start_matches('\u{feff}'))) {
        let read = entry.map_err(|error| (Some(error.line), error.reason)).and_then(|entry| {
            let told = record::Choice::from_tags(|name| entry.tag(name)).map_err(|why| (None, why))?;
            let name = entry.tag("Variant").unwrap_or("chess");
            let laws = shelf.laws(name, &agreed::choices(&told)).map_err(|why| (None, why))?;
            let game = entry.read(laws.rules()).map_err(|error| (Some(error.line), error.reason))?;
            Ok((laws, game))
        });
        match read {
            Ok((laws, game)) => {
                found.count(game.winners.is_none() && game.tag("Termination") == Some(VOID.word()));
                found.answers += game.moves.len();
                for what in check_score(laws.rules(), &game) {
                    found.add(Some(number), None, what);
                }
            }
            Err((line, what)) => {
                found.count(false);
                found.add(Some(number), line, what);
            }
        }
    }
    if found.games + found.void == 0 {
        found.add(None, None, "there is no game in it".to_owned());
    }
    Ok(found)
}

/// The rules by which records are checked, each looked up once.
struct Shelf {
    /// The one game that was named.
    given: Option<String>,
    /// What was chosen on the command line.
    flags: Choices,
    /// By what they are called and what was chosen.
    known: Vec<((String, Choices), Laws)>,
}

impl Shelf {
    /// What is wrong with the flags is found before anything is read.
    fn new(game: Option<&str>, choice: &Choice) -> Result<Self, Failure> {
        let flags = choice.choices();
        if let Some(name) = game {
            chosen::game_with(name, &flags)?;
        }
        Ok(Shelf { given: game.map(str::to_owned), flags, known: Vec::new() })
    }

    /// The laws of a record: those that it names, or else of the game of the library with its hash, whatever the record
    /// calls it.
    fn laws_of(&mut self, header: &Header) -> Result<Laws, String> {
        let told = agreed::choices(&header.choice);
        let named = match &self.given {
            Some(_) => return self.laws(&header.game, &told),
            None => library::find(&header.game).map(|entry| self.laws(entry.name, &told)),
        };
        match named {
            Some(Err(why)) => return Err(why),
            Some(Ok(laws)) if laws.hash() == header.spec => return Ok(laws),
            _ => {}
        }
        for entry in library::games() {
            let laws = self.laws(entry.name, &Choices::default())?;
            if laws.hash() == header.spec {
                return Ok(laws);
            }
        }
        Err("its rules are not in the library; name the game file with --game, and what was chosen"
            .to_owned())
    }

    /// The laws of a game that a file names, with what the file says was chosen. Only who asks may name a file of a game.
    fn laws(&mut self, name: &str, told: &Choices) -> Result<Laws, String> {
        let name = self.given.as_deref().unwrap_or(name);
        if self.given.is_none() && library::find(name).is_none() {
            return Err(format!("`{}` is not in the library; name the game file with --game", plain(name)));
        }
        let key = (name.to_owned(), told.clone());
        if let Some((_, laws)) = self.known.iter().find(|(known, _)| *known == key) {
            return Ok(laws.clone());
        }
        let load =
            |choices: &Choices| chosen::game_with(name, choices).map_err(|failure| failure.to_string());
        let game = load(&agreed::both(told, &self.flags))?.game;
        if *told != Choices::default() && self.flags != Choices::default() {
            let own = load(told)?.game;
            if own.hash != game.hash {
                let differences = agreed::differences(&own, &game);
                return Err(format!(
                    "what was chosen contradicts the file: it was played with {differences}"
                ));
            }
        }
        let laws = Laws::new(&game.rules, &game.hash.to_string());
        self.known.push((key, laws.clone()));
        Ok(laws)
    }
}

fn to_json(file: &Path, found: &Found) -> Value {
    let difference = |it: &Difference| json!({ "game": it.game, "line": it.line, "what": it.what });
    let mut answer = json!({
        "file": file.display().to_string(),
        "games": found.games,
        "void": found.void,
        "moves": found.answers,
        "unfinished": found.unfinished,
        "differences": found.differences.iter().map(difference).collect::<Vec<_>>(),
    });
    if found.left_out > 0 {
        answer["left_out"] = json!(found.left_out);
    }
    answer
}

fn print(file: &Path, found: &Found, out: &mut Output) -> io::Result<()> {
    for Difference { game, line, what } in &found.differences {
        let line = line.map_or_else(String::new, |line| format!(":{line}"));
        let game = game.map_or_else(String::new, |game| format!(" game {game}:"));
        writeln!(out, "{}{line}:{game} {}", file.display(), plain(what))?;
    }
    if found.left_out > 0 {
        writeln!(out, "… and {} more.", found.left_out)?;
    }
    if !found.unfinished.is_empty() {
        writeln!(out, "{} not over.", counted(found.unfinished.len(), "game"))?;
    }
    let verdict = match found.differences.len() + found.left_out {
        0 => "everything holds".to_owned(),
        count => counted(count, "difference"),
    };
    let void = match found.void {
        0 => String::new(),
        count => format!(", {} not counted", counted(count, "void attempt")),
    };
    let (games, answers) = (counted(found.games, "game"), counted(found.answers, "answer"));
    writeln!(out, "{games}, {answers}{void}: {verdict}.")
}
