//! Runs perft on one path of the engine, so that tools can count the instructions of `counted`:
//!
//!     count GAME[:LAYOUT:PRESET] STATE|start DEPTH general|scalar
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line program")]

use std::process::ExitCode;

use tabiya_engine::{Backend, Position, Rules};
use tabiya_notation::parse_state;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(nodes) => {
            println!("{nodes}");
            ExitCode::SUCCESS
        }
        Err(reason) => {
            eprintln!("count: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<u64, String> {
    let [game, state, depth, path] = arguments else { return Err("GAME STATE DEPTH PATH".into()) };
    let mut parts = game.split(':');
    let entry = parts.next().and_then(tabiya_spec::library::find).ok_or("no such game")?;
    let (layout, preset) = (parts.next().map(str::to_owned), parts.next().map(str::to_owned));
    let choices = tabiya_spec::Choices { layout, preset, options: Vec::new() };
    let rules = entry.load_with(&choices).game;
    let rules = rules.ok_or("the game has errors, or the choice does not exist")?.rules;
    let position = match state.as_str() {
        "start" => rules.start(),
        text => parse_state(&rules, text).map_err(|error| error.to_string())?.position,
    };
    let depth = depth.parse().map_err(|_| "the depth is a number")?;
    let path = match path.as_str() {
        "general" => Backend::General,
        "scalar" => Backend::Scalar,
        _ => return Err("the path is general or scalar".into()),
    };
    counted(&rules, path, &position, depth).ok_or_else(|| "the position does not take the path".into())
}

#[inline(never)]
fn counted(rules: &Rules, path: Backend, position: &Position, depth: u32) -> Option<u64> {
    std::hint::black_box(rules.perft_on(path, position, depth))
}
