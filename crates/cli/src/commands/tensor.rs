//! `tabiya tensor`: the tensor of a position, and the meaning of its planes.

use std::io::{self, Write as _};
use std::process::ExitCode;
use std::sync::Arc;

use serde_json::{Value, json};
use tabiya_referee::{Action, Dice, Game};
use tabiya_tensor::{Encoding, PositionView};

use crate::args::{Choice, Format};
use crate::error::{CliError, CommandResult};
use crate::game_source::{self, LoadedGame};
use crate::output::Output;
use crate::text::sanitize;

/// Encode a position as a tensor for machine learning.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya tensor                                        the start of chess, every plane as a board
  tabiya tensor --moves 'e2e4 c7c5' --format npy > sicilian.npy
  tabiya tensor --planes capablanca                    the planes and actions of a game
  tabiya tensor --game enochian --array 'Fire of Fire'

Chess has the canonical (8, 8, 18) tensor. Other games have an encoding derived from their rules,
which is available for chess as well: --encoding planes1. --format npy writes a file for numpy.load.")]
pub(crate) struct Args {
    /// List the planes and actions of a game instead of encoding a position.
    #[arg(long, value_name = "GAME", conflicts_with_all = ["game", "state", "moves"])]
    planes: Option<String>,
    /// A game of the library, or the path of a JSON file.
    #[arg(long, value_name = "GAME", default_value = "chess")]
    game: String,
    /// Start from this state: board text, JSON, or @FILE with either.
    #[arg(long, value_name = "STATE")]
    state: Option<String>,
    /// Moves to play first, separated by blanks. They count for repetition.
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    /// Encoding: canonical18 (chess only) or planes1 (derived from the rules) [default: the first that fits]
    #[arg(long, value_name = "NAME", value_parser = ["canonical18", "planes1"])]
    encoding: Option<String>,
    #[command(flatten)]
    choice: Choice,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let name = args.planes.as_ref().unwrap_or(&args.game);
    let loaded = game_source::load_with(name, &args.choice.choices())?;
    let rules = &loaded.game.rules;
    let encoding = match args.encoding.as_deref() {
        Some("canonical18") => {
            Encoding::canonical18(rules).map_err(|unfit| CliError::Usage(format!("`{name}`: {unfit}")))?
        }
        Some(_) => Encoding::planes1(rules),
        None => Encoding::for_game(rules),
    };
    if args.planes.is_some() {
        return list(&loaded, &encoding, out);
    }
    let game = play_moves(args, &loaded)?;
    let position = &game.state().position;
    let moves = if game.end().is_some() { Vec::new() } else { rules.legal_moves(position) };
    let view = PositionView { position, tally: game.tally(), moves: &moves };
    let mut numbers = vec![0.0; encoding.len()];
    encoding.write(rules, &view, rules.mover(position), &mut numbers);
    match out.format {
        Format::Npy => write_npy(encoding.shape(), &numbers)?,
        Format::Json => out.json(&to_json(&game, &encoding, &numbers))?,
        Format::Text | Format::Ini => draw(&game, &encoding, &numbers, out)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Plays the moves of the command line.
fn play_moves(args: &Args, loaded: &LoadedGame) -> Result<Game, CliError> {
    let rules = &loaded.game.rules;
    let state = game_source::state(rules, args.state.as_deref())?;
    let mut game = Game::resume(Arc::clone(rules), state, &[], Dice::default());
    for (index, text) in args.moves.iter().flat_map(|moves| moves.split_whitespace()).enumerate() {
        let illegal = |why: &str| CliError::No(format!("move {} (`{}`): {why}", index + 1, sanitize(text)));
        let position = &game.state().position;
        let found = tabiya_notation::parse_uci(rules, position, text);
        let played = found.map_err(|error| illegal(&error.to_string()))?;
        game.submit(&Action::Move(played)).map_err(|error| illegal(&error.to_string()))?;
    }
    Ok(game)
}

/// Lists every plane with its meaning, and the actions.
fn list(loaded: &LoadedGame, encoding: &Encoding, out: &mut Output) -> CommandResult {
    let rules = &loaded.game.rules;
    let deeds = encoding.move_types(rules);
    let [rows, columns, depth] = encoding.shape();
    if out.format == Format::Npy {
        return Err(CliError::Usage("a list of planes is text or JSON".into()));
    }
    if out.is_json() {
        let planes: Vec<Value> = (0..)
            .zip(encoding.planes())
            .map(|(index, plane): (usize, _)| {
                json!({ "plane": index, "name": plane.name, "meaning": plane.meaning, "filled": plane.is_filled })
            })
            .collect();
        out.json(&json!({
            "encoding": encoding.name(),
            "shape": encoding.shape(),
            "planes": planes,
            "actions": encoding.actions(),
            "action_shape": encoding.action_shape(),
            "deeds": deeds,
        }))?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out, "{}: {rows} rows, {columns} columns, {depth} planes", encoding.name())?;
    let width = encoding.planes().iter().map(|plane| plane.name.chars().count()).max().unwrap_or(0);
    for (index, plane) in encoding.planes().iter().enumerate() {
        let everywhere = if plane.is_filled { "everywhere: " } else { "" };
        writeln!(out, "{index:>4}  {:width$}  {everywhere}{}", sanitize(&plane.name), plane.meaning)?;
    }
    writeln!(out, "\n{} actions: (row * {columns} + column) * {} + one of", encoding.actions(), deeds.len())?;
    for (line, names) in deeds.chunks(8).enumerate() {
        writeln!(out, "{:>4}  {}", line * 8, sanitize(&names.join(" | ")))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn to_json(game: &Game, encoding: &Encoding, numbers: &[f32]) -> Value {
    let [_, columns, depth] = encoding.shape();
    let rows: Vec<Value> = numbers
        .chunks(columns * depth)
        .map(|row| Value::Array(row.chunks(depth).map(|cell| json!(cell)).collect()))
        .collect();
    json!({
        "encoding": encoding.name(),
        "shape": encoding.shape(),
        "turn": game.rules().player(game.mover()).name,
        "planes": encoding.planes().iter().map(|plane| &plane.name).collect::<Vec<_>>(),
        "tensor": rows,
    })
}

/// Writes an NPY file, version 1.0: magic string, length of the header, header, numbers in C order.
fn write_npy(shape: [usize; 3], numbers: &[f32]) -> io::Result<()> {
    let [rows, columns, depth] = shape;
    let head = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, {columns}, {depth}), }}");
    // The header is padded to a multiple of 64 bytes.
    let length = (10 + head.len() + 1).next_multiple_of(64) - 10;
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((length as u16).to_le_bytes());
    bytes.extend(format!("{head:<width$}\n", width = length - 1).bytes());
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    // `Output` would filter escape sequences out of the bytes.
    let mut stdout = io::stdout().lock();
    stdout.write_all(&bytes)?;
    stdout.flush()
}

/// Draws planes as small boards side by side, and constant planes as a number.
fn draw(game: &Game, encoding: &Encoding, numbers: &[f32], out: &mut Output) -> io::Result<()> {
    let [rows, columns, depth] = encoding.shape();
    let turn = &game.rules().player(game.mover()).name;
    writeln!(out, "{} ({rows}, {columns}, {depth}), {} to move", encoding.name(), sanitize(turn))?;
    let title = |plane: usize| format!("{plane} {}", encoding.planes()[plane].name);
    let widest =
        |planes: &[usize]| planes.iter().map(|plane| title(*plane).chars().count() + 2).max().unwrap_or(0);
    let (filled, drawn): (Vec<usize>, Vec<usize>) =
        (0..depth).partition(|plane| encoding.planes()[*plane].is_filled);
    let width = widest(&drawn).max(2 * columns + 2);
    let across = (out.width.min(120) / width).max(1);
    for some in drawn.chunks(across) {
        let titles: Vec<String> = some.iter().map(|plane| format!("{:width$}", title(*plane))).collect();
        writeln!(out, "\n{}", sanitize(titles.concat().trim_end()))?;
        for row in 0..rows {
            let boards = some.iter().map(|plane| {
                let cell = |column: usize| numbers[(row * columns + column) * depth + plane];
                let cells = (0..columns).map(|column| if cell(column) == 0.0 { "·" } else { "1" });
                format!("{:width$}", cells.collect::<Vec<_>>().join(" "))
            });
            writeln!(out, "{}", boards.collect::<String>().trim_end())?;
        }
    }
    writeln!(out)?;
    let width = widest(&filled);
    for plane in filled {
        writeln!(out, "{:width$}{:.3} everywhere", sanitize(&title(plane)), numbers[plane])?;
    }
    Ok(())
}
