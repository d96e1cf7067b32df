//! `tabiya new`: writes the start of a new game.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::json;
use tabiya_spec::library;

use crate::error::{CliError, CommandResult};
use crate::files;
use crate::output::Output;
use crate::text::sanitize;

/// Write the start of a new game: a commented file that extends a game of the library.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya new skirmish
  tabiya new \"Knight rush\" --from gardner
  tabiya new skirmish --from capablanca --out games/skirmish.json")]
pub(crate) struct Args {
    /// The name of the new game. The file is called like it.
    #[arg(value_name = "NAME")]
    name: String,
    /// The game of the library to start from.
    #[arg(long, value_name = "GAME", default_value = "chess")]
    from: String,
    /// The file to write. It must not exist.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let name = args.name.trim();
    let path = match &args.out {
        Some(path) => path.clone(),
        None => PathBuf::from(file_name(name).ok_or_else(|| {
            CliError::Usage("the name has no letter for the name of a file; give one with --out".into())
        })?),
    };
    let parent = library::find(&args.from)
        .ok_or_else(|| CliError::Usage(library::UnknownGame::new(&args.from).to_string()))?;
    let text = parent.variant_named(name, &comments(&args.from, &path));
    files::create(&path, &text)?;
    let shown = path.display().to_string();
    let shown = sanitize(&shown);
    let json = || json!({ "file": path.display().to_string(), "extends": args.from });
    out.answer(json, |out| {
        writeln!(out, "{shown} extends {}. Next:\n", args.from)?;
        writeln!(out, "  tabiya check {shown}\n  tabiya play {shown} --seat BLACK=random")
    })?;
    Ok(ExitCode::SUCCESS)
}

fn comments(parent: &str, path: &Path) -> Vec<String> {
    let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    vec![
        format!("Everything that this file does not say comes from {parent}."),
        "Change the setup, or the letters of betza: QN is a queen that also leaps like a knight; tabiya betza QN draws it.".into(),
        format!("tabiya check {file} reports problems, tabiya explain {file} says the rules in English, tabiya fmt {file} tidies up."),
    ]
}

/// Returns the name of the file: letters and digits in lower case, with hyphens between words.
fn file_name(name: &str) -> Option<String> {
    let words = name.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(str::to_lowercase).collect();
    (!words.is_empty()).then(|| format!("{}.json", words.join("-")))
}
