//! `tabiya verify`: replays a record and checks every verdict, clock and result; or checks the games of a PGN file.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::{Value, json};
use tabiya_arena::RecordReader;
use tabiya_notation::pgn;
use tabiya_referee::record::{self, Header, Line, Replays, check_pgn};
use tabiya_referee::{Laws, Verdict};
use tabiya_spec::{Choices, library};

use crate::args::Choice;
use crate::choices;
use crate::error::{CliError, CommandResult};
use crate::files;
use crate::game_source;
use crate::output::Output;
use crate::text::{pluralize, sanitize};

/// Replay recorded games and check every move, verdict, clock and result.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya verify match1/games.jsonl
  tabiya verify games.pgn --game mygame.json
  tabiya verify match2/games.pgn --rules zalewski

Exit status: 0 if everything is correct, 1 if something differs.")]
pub(crate) struct Args {
    /// games.jsonl of a match, the record of one game, or a PGN file.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The game, if it is not in the library: path of its JSON file.
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    #[command(flatten)]
    choice: Choice,
}

/// Further differences are counted but not listed.
const MAX_DIFFERENCES: usize = 1000;

/// Larger PGN files are not read; records may have any size.
const MAX_PGN_BYTES: u64 = 256 << 20;

/// The result of a verification.
#[derive(Debug, Default)]
struct Report {
    games: usize,
    /// Attempts that do not count.
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

/// The termination of an attempt that does not count.
const VOID: Verdict = Verdict::Unreachable;

impl Report {
    fn count(&mut self, is_void: bool) {
        let count = if is_void { &mut self.void } else { &mut self.games };
        *count += 1;
    }

    fn add(&mut self, game: Option<u32>, line: Option<usize>, what: String) {
        if self.differences.len() < MAX_DIFFERENCES {
            self.differences.push(Difference { game, line, what });
        } else {
            self.left_out += 1;
        }
    }
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let mut laws = LawsCache::new(args.game.as_deref(), &args.choice)?;
    let report = check(&args.file, &mut laws).map_err(|error| {
        CliError::Usage(format!("`{}` cannot be read: {}", args.file.display(), files::reason(&error)))
    })?;
    let success = out.answer(|| to_json(&args.file, &report), |out| print(&args.file, &report, out))?;
    Ok(if report.differences.is_empty() { success } else { ExitCode::from(CliError::EXIT_NO) })
}

/// Verifies a file. Records start with a brace, PGN files do not.
fn check(path: &Path, laws: &mut LawsCache) -> io::Result<Report> {
    let mut reader = BufReader::new(files::open(path)?);
    let start = reader.fill_buf()?.trim_ascii_start().first().copied();
    let mut report =
        if start == Some(b'{') { verify_record(reader, laws) } else { verify_pgn(reader, laws) }?;
    let has_games = report.games + report.void > 0 || !report.unfinished.is_empty();
    if !has_games && report.differences.is_empty() {
        report.add(None, None, "there is no game in it".to_owned());
    }
    Ok(report)
}

fn verify_record(reader: impl io::BufRead, laws: &mut LawsCache) -> io::Result<Report> {
    let mut report = Report::default();
    let mut replays = Replays::new();
    for line in RecordReader::new(reader) {
        let line = line?;
        let content = match line.line {
            Ok(content) => content,
            Err(why) => {
                report.add(None, Some(line.number), why);
                continue;
            }
        };
        let replayed = replays.line(&content, |header| laws.of_record(header));
        report.answers += usize::from(matches!(content, Line::Answer(_)));
        if let (Line::End(finish), Some(_)) = (&content, &replayed.closed) {
            report.count(finish.winners.is_none());
        }
        for what in replayed.differences {
            report.add(Some(content.id()), Some(line.number), what);
        }
    }
    report.unfinished = replays.unfinished().iter().map(|replay| replay.header().id).collect();
    Ok(report)
}

fn verify_pgn(reader: impl io::BufRead, laws: &mut LawsCache) -> io::Result<Report> {
    let mut report = Report::default();
    let mut text = String::new();
    reader.take(MAX_PGN_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MAX_PGN_BYTES {
        return Err(io::Error::other(format!("it has more than {MAX_PGN_BYTES} bytes")));
    }
    for (number, entry) in (1..).zip(pgn::entries(text.trim_start_matches('\u{feff}'))) {
        let read = entry.map_err(|error| (Some(error.line), error.reason)).and_then(|entry| {
            let recorded = record::Choice::from_tags(|name| entry.tag(name)).map_err(|why| (None, why))?;
            let name = entry.tag("Variant").unwrap_or("chess");
            let laws = laws.of_game(name, &choices::from_record(&recorded)).map_err(|why| (None, why))?;
            let game = entry.read(laws.rules()).map_err(|error| (Some(error.line), error.reason))?;
            Ok((laws, game))
        });
        match read {
            Ok((laws, game)) => {
                report.count(game.winners.is_none() && game.tag("Termination") == Some(VOID.word()));
                report.answers += game.moves.len();
                for what in check_pgn(laws.rules(), &game) {
                    report.add(Some(number), None, what);
                }
            }
            Err((line, what)) => {
                report.count(false);
                report.add(Some(number), line, what);
            }
        }
    }
    Ok(report)
}

/// The laws by which records are checked, each loaded once.
struct LawsCache {
    /// The game of `--game`.
    game: Option<String>,
    /// The choices of the command line.
    flags: Choices,
    /// By the name of the game and the choices of the file.
    known: Vec<((String, Choices), Laws)>,
}

impl LawsCache {
    /// Checks the flags before a file is read.
    fn new(game: Option<&str>, choice: &Choice) -> Result<Self, CliError> {
        let flags = choice.choices();
        if let Some(name) = game {
            game_source::load_with(name, &flags)?;
        }
        Ok(LawsCache { game: game.map(str::to_owned), flags, known: Vec::new() })
    }

    /// Returns the laws of a record: those of the game that it names or, failing that, of the library game with its hash.
    fn of_record(&mut self, header: &Header) -> Result<Laws, String> {
        let recorded = choices::from_record(&header.choice);
        let named = match &self.game {
            Some(_) => return self.of_game(&header.game, &recorded),
            None => library::find(&header.game).map(|entry| self.of_game(entry.name, &recorded)),
        };
        match named {
            Some(Err(why)) => return Err(why),
            Some(Ok(laws)) if laws.hash() == header.spec => return Ok(laws),
            _ => {}
        }
        for entry in library::games() {
            let laws = self.of_game(entry.name, &Choices::default())?;
            if laws.hash() == header.spec {
                return Ok(laws);
            }
        }
        if recorded.layout.as_deref().is_some_and(game_source::has_file) {
            return Err("its array is not as it was played; name it with --array FILE#NAME".to_owned());
        }
        Err("its rules are not in the library; name the game file with --game, and its --array, --rules and --option"
            .to_owned())
    }

    /// Returns the laws of the game that a file names, with the choices of the file. Only `--game` may name a game file.
    fn of_game(&mut self, name: &str, recorded: &Choices) -> Result<Laws, String> {
        let name = self.game.as_deref().unwrap_or(name);
        if self.game.is_none() && library::find(name).is_none() {
            return Err(format!(
                "`{}` is not in the library; name the game file with --game",
                sanitize(name)
            ));
        }
        let mut recorded = recorded.clone();
        if recorded.layout.as_deref().is_some_and(game_source::has_file)
            && self.flags.layout.as_deref().is_some_and(game_source::has_file)
        {
            // The file may have another path now.
            recorded.layout.clone_from(&self.flags.layout);
        }
        let key = (name.to_owned(), recorded.clone());
        if let Some((_, laws)) = self.known.iter().find(|(known, _)| *known == key) {
            return Ok(laws.clone());
        }
        let load =
            |choices: &Choices| game_source::load_with(name, choices).map_err(|failure| failure.to_string());
        let game = load(&choices::merge(&recorded, &self.flags))?.game;
        if recorded != Choices::default() && self.flags != Choices::default() {
            let played = load(&recorded)?.game;
            if played.hash != game.hash {
                let differences = choices::differences(&played, &game);
                return Err(format!("the flags contradict the file: it was played with {differences}"));
            }
        }
        let laws = Laws::new(&game.rules, &game.hash.to_string());
        self.known.push((key, laws.clone()));
        Ok(laws)
    }
}

fn to_json(file: &Path, report: &Report) -> Value {
    let difference = |it: &Difference| json!({ "game": it.game, "line": it.line, "what": it.what });
    let mut answer = json!({
        "file": file.display().to_string(),
        "games": report.games,
        "void": report.void,
        "moves": report.answers,
        "unfinished": report.unfinished,
        "differences": report.differences.iter().map(difference).collect::<Vec<_>>(),
    });
    if report.left_out > 0 {
        answer["left_out"] = json!(report.left_out);
    }
    answer
}

fn print(file: &Path, report: &Report, out: &mut Output) -> io::Result<()> {
    for Difference { game, line, what } in &report.differences {
        let line = line.map_or_else(String::new, |line| format!(":{line}"));
        let game = game.map_or_else(String::new, |game| format!(" game {game}:"));
        writeln!(out, "{}{line}:{game} {}", file.display(), sanitize(what))?;
    }
    if report.left_out > 0 {
        writeln!(out, "… and {} more.", report.left_out)?;
    }
    if !report.unfinished.is_empty() {
        writeln!(out, "{} not over.", pluralize(report.unfinished.len(), "game"))?;
    }
    let verdict = match report.differences.len() + report.left_out {
        0 => "everything is correct".to_owned(),
        count => pluralize(count, "difference"),
    };
    let void = match report.void {
        0 => String::new(),
        count => format!(", {} not counted", pluralize(count, "void attempt")),
    };
    let (games, answers) = (pluralize(report.games, "game"), pluralize(report.answers, "answer"));
    writeln!(out, "{games}, {answers}{void}: {verdict}.")
}
