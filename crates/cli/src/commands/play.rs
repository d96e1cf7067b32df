//! `tabiya play`: a game in the terminal, against people, against programs, or between programs.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::args::GameAndState;
use crate::failure::Failure;
use crate::number::whole;
use crate::output::Output;
use crate::play::{Seats, Session, Table, load};

/// Play a game in the terminal.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya play chess --seat BLACK=search
  tabiya play fourplayer --seat BLUE=random --seat YELLOW=random --seat GREEN=random --seed 7
  tabiya play chess --load mygame.json
  tabiya play chess --seat WHITE=random --seat BLACK=random --format json

Players: human (asked on standard input), random, greedy (looks one move ahead), search (looks further).
Type `help` in the game for its commands.")]
pub(crate) struct Args {
    #[command(flatten)]
    what: GameAndState,
    /// Who plays for whom: the name of a player of the game, and human, random, greedy or
    /// search. May be given for each player.
    #[arg(long = "seat", value_name = "NAME=PLAYER")]
    seats: Vec<String>,
    /// What chance starts from: the same number gives the same game.
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = |text: &str| whole::<u64>(text, 0..=u64::MAX))]
    seed: u64,
    /// Go on with a saved game.
    #[arg(long, value_name = "FILE", conflicts_with = "state")]
    load: Option<PathBuf>,
    /// Stop after so many turns in which no human was asked.
    #[arg(long, value_name = "N", default_value_t = 1000, allow_negative_numbers = true, value_parser = |text: &str| whole::<u32>(text, 1..=65536))]
    max_plies: u32,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<ExitCode, Failure> {
    let (chosen, state) = args.what.open()?;
    let seats = Seats::new(&chosen.game.rules, &args.seats, args.seed)?;
    let session = match &args.load {
        Some(file) => load(&chosen, file)?,
        None => Session::new(chosen, state),
    };
    Table::new(session, seats, args.max_plies as usize, out).run()?;
    Ok(ExitCode::SUCCESS)
}
