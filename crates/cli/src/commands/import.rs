//! `tabiya import`: reads a variant of Fairy-Stockfish's variants.ini as a game.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::{Value, json};
use tabiya_ini::{Imported, LeftOut, import, variants};

use crate::error::{CliError, CommandResult};
use crate::files;
use crate::output::Output;
use crate::text::{sanitize, sanitize_lines};

/// Import a variant of Fairy-Stockfish's variants.ini. Keys that games cannot express are listed with their lines.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya import variants.ini --variant gothic > gothic.json
  tabiya import variants.ini --variant gothic --out gothic.json
  tabiya import variants.ini --list

Exit status: 0, or 1 if keys were left out; the game is written all the same.")]
pub(crate) struct Args {
    /// A file of variants. It may inherit from Fairy-Stockfish's own variants.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The variant; not needed if the file has only one.
    #[arg(long, value_name = "NAME")]
    variant: Option<String>,
    /// Write the game to this file, which must not exist.
    #[arg(long, value_name = "FILE", conflicts_with = "list")]
    out: Option<PathBuf>,
    /// List the variants of the file, and what each lacks.
    #[arg(long, conflicts_with = "variant")]
    list: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let path = &args.file;
    let text = files::text(path)
        .map_err(|why| CliError::Usage(format!("`{}` cannot be read: {why}", path.display())))?;
    let failed = |error: tabiya_ini::IniError| CliError::No(message(path, &error));
    if args.list {
        return list(path, &text, &variants(&text).map_err(failed)?, out);
    }
    let imported = import(&text, args.variant.as_deref()).map_err(failed)?;
    if let Some(target) = &args.out {
        files::create(target, &imported.json)?;
    }
    let json = || {
        let game: Value = serde_json::from_str(&imported.json).unwrap_or_default();
        json!({ "variant": imported.variant, "game": game,
            "left_out": entries(&imported.left_out), "notes": entries(&imported.notes) })
    };
    out.answer(json, |out| match &args.out {
        Some(target) => writeln!(out, "{} is written.", sanitize(&target.display().to_string())),
        None => writeln!(out, "{}", sanitize_lines(&imported.json)),
    })?;
    if !out.is_json() {
        report(path, &imported)?;
    }
    Ok(exit(&imported))
}

fn exit(imported: &Imported) -> ExitCode {
    if imported.left_out.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(CliError::EXIT_NO) }
}

fn message(path: &Path, error: &tabiya_ini::IniError) -> String {
    let line = error.line.map_or(String::new(), |line| format!(":{line}"));
    format!("{}{line}: {}", path.display(), error.message)
}

fn entries(left_out: &[LeftOut]) -> Vec<Value> {
    let entry = |it: &LeftOut| json!({ "line": it.line, "inherited": it.inherited, "key": it.key, "value": it.value, "reason": it.reason });
    left_out.iter().map(entry).collect()
}

/// Lists what is not part of the game, on standard error.
fn report(path: &Path, imported: &Imported) -> Result<(), CliError> {
    let mut lines = Vec::new();
    for it in imported.left_out.iter().chain(&imported.notes) {
        let place = match (it.line, &it.inherited) {
            (Some(line), _) => format!("{}:{line}", path.display()),
            (None, Some(parent)) => format!("inherited from {parent}"),
            (None, None) => path.display().to_string(),
        };
        lines.push(format!("{place}: {} = {}: {}", it.key, it.value, it.reason));
    }
    if !imported.left_out.is_empty() {
        lines.push(format!("{} keys are left out: the game has other rules.", imported.left_out.len()));
    }
    for line in lines {
        writeln!(anstream::stderr().lock(), "{}", sanitize(&line))?;
    }
    Ok(())
}

fn list(path: &Path, text: &str, names: &[String], out: &mut Output) -> CommandResult {
    let rows: Vec<(&String, Result<Imported, String>)> = names
        .iter()
        .map(|name| (name, import(text, Some(name)).map_err(|error| message(path, &error))))
        .collect();
    let json = || {
        let row = |(name, imported): &(&String, Result<Imported, String>)| match imported {
            Ok(imported) => json!({ "variant": name, "left_out": entries(&imported.left_out) }),
            Err(error) => json!({ "variant": name, "error": error }),
        };
        json!({ "variants": rows.iter().map(row).collect::<Vec<_>>() })
    };
    out.answer(json, |out| {
        for (name, imported) in &rows {
            let lacks = match imported {
                Ok(imported) if imported.left_out.is_empty() => "complete".to_owned(),
                Ok(imported) => {
                    let mut keys: Vec<&str> = imported.left_out.iter().map(|it| it.key.as_str()).collect();
                    keys.dedup();
                    format!("without {}", keys.join(", "))
                }
                Err(error) => error.clone(),
            };
            writeln!(out, "{}: {}", sanitize(name), sanitize(&lacks))?;
        }
        Ok(())
    })
}
