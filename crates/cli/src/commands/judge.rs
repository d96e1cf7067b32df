//! `tabiya judge`: what a referee says to answers of agents. One case on a line in, one verdict on a line out, whatever the
//! line is like; so the answers are JSON in either format.

use std::io;
use std::process::ExitCode;

use serde_json::Value;
use tabiya_referee::protocol::{Protocol, Reader, Strictness, bad_state_json, read_case};

use crate::args::Choice;
use crate::chosen;
use crate::failure::Failure;
use crate::output::Output;
use crate::play::input::{Line, read_line_within};

/// A longer line is not read. A state and an output of the greatest length fit.
pub(super) const LONGEST_LINE: usize = 16 << 20;

/// Judge answers of agents: a state and an output on a line of standard input, a verdict on a line of standard output.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya judge < cases.jsonl
  tabiya judge --lenient < cases.jsonl
  tabiya judge --game capablanca < cases.jsonl

A line is {\"state\":…,\"output\":\"…\"}. What states and outputs look like is told in docs/agent-protocol.md.")]
pub(crate) struct Args {
    /// Take an object out of prose or a Markdown fence, and say so.
    #[arg(long)]
    lenient: bool,
    /// A game of the library, or the path of a JSON file.
    #[arg(long, value_name = "GAME", default_value = "chess")]
    game: String,
    #[command(flatten)]
    choice: Choice,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<ExitCode, Failure> {
    let protocol = Protocol::new(&chosen::game_with(&args.game, &args.choice.choices())?.game.rules);
    let strictness = if args.lenient { Strictness::Lenient } else { Strictness::Strict };
    let mut reader = protocol.reader();
    let mut input = io::stdin().lock();
    loop {
        let verdict = match read_line_within(&mut input, LONGEST_LINE)? {
            Line::End => return Ok(ExitCode::SUCCESS),
            Line::Text(line) => verdict(&protocol, &mut reader, &line, strictness),
            Line::TooLong => bad_state_json(&[format!("the line has more than {LONGEST_LINE} bytes")]),
            Line::NotText => bad_state_json(&["the line is not UTF-8".to_owned()]),
        };
        out.json(&verdict)?;
    }
}

fn verdict(protocol: &Protocol, reader: &mut Reader, line: &str, strictness: Strictness) -> Value {
    let case = match read_case(line) {
        Ok(case) => case,
        Err(reasons) => return bad_state_json(&reasons),
    };
    match reader.read(case.state) {
        Ok(brief) => {
            let mut game = brief.game(protocol.rules());
            protocol.verdict_json(&protocol.judge(&mut game, &case.output, strictness))
        }
        Err(bad) => bad_state_json(&bad.reasons),
    }
}
