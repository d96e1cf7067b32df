//! `tabiya judge`: judges answers of agents. Reads one case per line and writes one JSON verdict per line, for every line
//! and in either format.

use std::io;
use std::process::ExitCode;

use serde_json::Value;
use tabiya_referee::protocol::{Protocol, StateReader, Strictness, bad_state_json, read_case};

use crate::args::Choice;
use crate::error::CommandResult;
use crate::game_source;
use crate::line_reader::{Line, read_line_within};
use crate::output::Output;

/// Longer lines are not read. The largest valid state and output fit.
pub(super) const MAX_LINE_BYTES: usize = 16 << 20;

/// Judge answers of agents: reads a state and an output per line, writes a verdict per line.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya judge < cases.jsonl
  tabiya judge --lenient < cases.jsonl
  tabiya judge --game capablanca < cases.jsonl

A line is {\"state\":…,\"output\":\"…\"}. docs/agent-protocol.md describes states and outputs.")]
pub(crate) struct Args {
    /// Accept an object inside prose or a Markdown fence, and mark the verdict.
    #[arg(long)]
    lenient: bool,
    /// A game of the library, or the path of a JSON file.
    #[arg(long, value_name = "GAME", default_value = "chess")]
    game: String,
    #[command(flatten)]
    choice: Choice,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let protocol = Protocol::new(&game_source::load_with(&args.game, &args.choice.choices())?.game.rules);
    let strictness = if args.lenient { Strictness::Lenient } else { Strictness::Strict };
    let mut reader = protocol.state_reader();
    let mut input = io::stdin().lock();
    loop {
        let verdict = match read_line_within(&mut input, MAX_LINE_BYTES)? {
            Line::End => return Ok(ExitCode::SUCCESS),
            Line::Text(line) => verdict(&protocol, &mut reader, &line, strictness),
            Line::TooLong => bad_state_json(&[format!("the line has more than {MAX_LINE_BYTES} bytes")]),
            Line::NotText => bad_state_json(&["the line is not UTF-8".to_owned()]),
        };
        out.json(&verdict)?;
    }
}

fn verdict(protocol: &Protocol, reader: &mut StateReader, line: &str, strictness: Strictness) -> Value {
    let case = match read_case(line) {
        Ok(case) => case,
        Err(reasons) => return bad_state_json(&reasons),
    };
    match reader.read(case.state) {
        Ok(parsed) => {
            let mut game = parsed.game(protocol.rules());
            protocol.judgement_json(&protocol.judge(&mut game, &case.output, strictness))
        }
        Err(bad) => bad_state_json(&bad.reasons),
    }
}
