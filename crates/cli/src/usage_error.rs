//! Reports command lines that clap rejects. `--format json` cannot be read from a rejected command line, so this module
//! looks for it in the raw arguments.

use std::ffi::OsString;
use std::io::Write as _;
use std::process::ExitCode;

use crate::args::Format;
use crate::error::CliError;
use crate::output::Output;

/// Prints the error, or the help or version text, which clap also returns as errors.
pub(crate) fn report(error: &clap::Error) -> ExitCode {
    let _ = error.print();
    if !error.use_stderr() {
        return ExitCode::SUCCESS;
    }
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    if wants_json(&arguments) {
        let mut out = Output::new(Format::Json);
        let _ = out.json(&CliError::Usage(message(error)).to_json()).and_then(|()| out.flush());
    }
    ExitCode::from(CliError::EXIT_USAGE)
}

fn wants_json(arguments: &[OsString]) -> bool {
    arguments.iter().any(|argument| argument == "--format=json")
        || arguments.windows(2).any(|pair| pair[0] == "--format" && pair[1] == "json")
}

/// Returns the first paragraph of the error. The paragraphs after it show the usage of the verb.
fn message(error: &clap::Error) -> String {
    let text = error.to_string();
    let first = text.split("\n\n").next().unwrap_or_default().trim();
    first.strip_prefix("error: ").unwrap_or(first).to_owned()
}
