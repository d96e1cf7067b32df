//! `tabiya enochian arrays`: which arrays of Enochian chess there are, and what a file of one's own has wrong.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Subcommand;
use serde_json::{Value, json};
use tabiya_enochian::{ArraySpec, available_arrays, read_arrays};

use crate::failure::Failure;
use crate::files;
use crate::output::Output;
use crate::palette::STRONG;
use crate::text::{plain, wrapped};

/// Look at the arrays of Enochian chess.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// List the arrays, or check a YAML file with arrays of your own.
    #[command(after_help = "\
Examples:
  tabiya enochian arrays
  tabiya enochian arrays mine.yaml
  tabiya play enochian --array 'Fire of Fire' --rules zalewski")]
    Arrays {
        /// A YAML file with arrays, in the form of docs/enochian-rules.yaml.
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<ExitCode, Failure> {
    let What::Arrays { file } = &args.what;
    let own;
    let arrays = match file {
        None => available_arrays(),
        Some(path) => {
            let shown = path.display();
            let text = files::text(path)
                .map_err(|why| Failure::Usage(format!("`{shown}` cannot be read: {why}")))?;
            own = read_arrays(&text)
                .map_err(|faults| Failure::No(format!("`{shown}`:\n{faults}").trim_end().to_owned()))?;
            &own
        }
    };
    if out.is_json() {
        out.json(&arrays.iter().map(to_json).collect())?;
        return Ok(ExitCode::SUCCESS);
    }
    for array in arrays {
        let order: Vec<&str> = array.turn_order.iter().map(|army| army.name()).collect();
        writeln!(out, "{STRONG}{}{STRONG:#}", plain(&array.name))?;
        for line in wrapped(&plain(&array.about), out.width().saturating_sub(2)) {
            writeln!(out, "  {line}")?;
        }
        writeln!(out, "  {} men; turns: {}", array.piece_placements.len(), order.join(", "))?;
    }
    Ok(ExitCode::SUCCESS)
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
