//! `tabiya enochian arrays`: lists the arrays of Enochian chess, or checks a file of arrays.

use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::Subcommand;
use serde_json::{Value, json};
use tabiya_enochian::{ArraySpec, available_arrays, read_arrays};

use crate::error::{CliError, CommandResult};
use crate::files;
use crate::output::Output;
use crate::styles::STRONG;
use crate::text::{sanitize, wrap};

/// List or check arrays of Enochian chess.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Subcommands,
}

#[derive(Debug, Subcommand)]
enum Subcommands {
    /// List the arrays, or check a YAML file of custom arrays.
    #[command(after_help = "\
Examples:
  tabiya enochian arrays
  tabiya enochian arrays mine.yaml
  tabiya play enochian --array 'Fire of Fire' --rules zalewski")]
    Arrays {
        /// A YAML file in the format of docs/enochian-rules.yaml.
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let Subcommands::Arrays { file } = &args.command;
    let custom;
    let arrays = match file {
        None => available_arrays(),
        Some(path) => {
            let shown = path.display();
            let text = files::text(path)
                .map_err(|why| CliError::Usage(format!("`{shown}` cannot be read: {why}")))?;
            custom = read_arrays(&text)
                .map_err(|faults| CliError::No(format!("`{shown}`:\n{faults}").trim_end().to_owned()))?;
            &custom
        }
    };
    out.answer(|| arrays.iter().map(to_json).collect(), |out| print(arrays, out))
}

fn print(arrays: &[ArraySpec], out: &mut Output) -> io::Result<()> {
    for array in arrays {
        let order: Vec<&str> = array.turn_order.iter().map(|army| army.name()).collect();
        writeln!(out, "{STRONG}{}{STRONG:#}", sanitize(&array.name))?;
        for line in wrap(&sanitize(&array.about), out.width.saturating_sub(2)) {
            writeln!(out, "  {line}")?;
        }
        writeln!(out, "  {} pieces; turns: {}", array.piece_placements.len(), order.join(", "))?;
    }
    Ok(())
}

fn to_json(array: &ArraySpec) -> Value {
    json!({
        "name": array.name,
        "about": array.about,
        "source": array.source,
        "turn_order": array.turn_order.map(tabiya_enochian::Army::name),
        "men": array.piece_placements.len(),
    })
}
