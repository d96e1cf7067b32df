//! A command line that cannot be understood. What it asked for is not known, but whether a program asked is: if
//! `--format json` stands in it, the error is told as JSON as well.

use std::ffi::OsString;
use std::io::Write as _;
use std::process::ExitCode;

use crate::args::Format;
use crate::failure::Failure;
use crate::output::Output;

/// Tells it. Help and version come this way, too, and are no errors.
pub(crate) fn report(error: &clap::Error) -> ExitCode {
    // Nobody is left to be told that the help could not be printed.
    let _ = error.print();
    if !error.use_stderr() {
        return ExitCode::SUCCESS;
    }
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    if wants_json(&words) {
        let mut out = Output::new(Format::Json);
        let _ = out.json(&Failure::Usage(message(error)).to_json()).and_then(|()| out.flush());
    }
    ExitCode::from(Failure::USAGE)
}

fn wants_json(words: &[OsString]) -> bool {
    words.iter().any(|word| word == "--format=json")
        || words.windows(2).any(|pair| pair[0] == "--format" && pair[1] == "json")
}

/// The first paragraph; how the verb is used follows it, for people.
fn message(error: &clap::Error) -> String {
    let text = error.to_string();
    let first = text.split("\n\n").next().unwrap_or_default().trim();
    first.strip_prefix("error: ").unwrap_or(first).to_owned()
}
