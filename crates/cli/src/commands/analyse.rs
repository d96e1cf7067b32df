//! `tabiya analyse`: statistics of a game from games that built-in players play against themselves.

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Mutex;

use tabiya_arena::{Stage, Study, StudyProgress};

use crate::analysis;
use crate::args::{GameAndState, thread_count, whole};
use crate::error::{CliError, CommandResult};
use crate::files;
use crate::output::Output;
use crate::progress::Progress;
use crate::text::sanitize;

/// Measure a game: balance, length, draws, choices, value of skill.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya analyse chess
  tabiya analyse mygame.json --games 500 --player search --html report.html
  tabiya analyse fourplayer --games 20 --seed 7 --format json

Players: random, greedy (looks one move ahead), mcts (Monte Carlo tree search), search (alpha-beta
search), level1 to level10.
The same seed gives the same figures, on any number of threads.")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameAndState,
    /// Number of games.
    #[arg(long, value_name = "N", default_value_t = 100, allow_negative_numbers = true, value_parser = whole::<u32>(1..=100_000))]
    games: u32,
    /// Random seed. The same seed gives the same figures.
    #[arg(long, value_name = "S", default_value_t = 0, allow_negative_numbers = true, value_parser = whole::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Player of all seats.
    #[arg(long, value_name = "NAME", default_value = "greedy")]
    player: String,
    /// Positions that a searching player examines before each move.
    #[arg(long, value_name = "N", default_value_t = 200, allow_negative_numbers = true, value_parser = whole::<u64>(1..=1_000_000_000))]
    nodes: u64,
    /// Break a game off after this many moves.
    #[arg(long, value_name = "N", default_value_t = 1000, allow_negative_numbers = true, value_parser = whole::<u32>(1..=20_000))]
    max_plies: u32,
    /// Games played at the same time [default: number of processors]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u16>(1..=1024))]
    threads: Option<u16>,
    /// Write an HTML page with plots.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let (loaded, start) = args.game.open()?;
    let study = Study {
        start,
        games: args.games,
        seed: args.seed,
        player: args.player.clone(),
        nodes: args.nodes,
        max_plies: args.max_plies,
        ..Study::new(loaded.label, loaded.game.rules)
    };
    let names: Vec<String> =
        study.rules.players().map(|player| study.rules.player(player).name.clone()).collect();
    let (progress, stage) = (Progress::new("game", 0), Mutex::new(Stage::Games));
    let analysis = study.run(thread_count(args.threads), &|interim| {
        let Ok(mut stage) = stage.lock() else { return };
        if *stage != interim.stage {
            progress.keep_message();
            *stage = interim.stage;
        }
        progress.set_length(u64::from(interim.of));
        progress.update(u64::from(interim.done), || summary(&names, interim));
    });
    progress.finish();
    let analysis = analysis.map_err(|why| CliError::Usage(why.to_string()))?;
    if let Some(file) = &args.html {
        files::write(file, &analysis::page(&analysis))?;
    }
    out.answer(|| analysis.to_json(), |out| write!(out, "{}", analysis::report(&analysis)))
}

/// Summarises the results so far. Players are named unless they play in teams.
fn summary(names: &[String], interim: &StudyProgress) -> String {
    let played: u32 = interim.wins.iter().sum::<u32>() + interim.draws;
    let mean = interim.plies / u64::from(played.max(1));
    let wins: Vec<String> = interim.wins.iter().map(u32::to_string).collect();
    let sides = match interim.stage {
        Stage::Games if names.len() == interim.wins.len() => names.join(" : "),
        Stage::Games => "sides".to_owned(),
        Stage::Skill(deeper, shallower) => format!("{deeper} against {shallower}, sides"),
    };
    let (sides, wins) = (sanitize(&sides), wins.join(" : "));
    format!("{sides} {wins}, {} without winner, {mean} moves", interim.draws)
}
