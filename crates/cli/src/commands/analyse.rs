//! `tabiya analyse`: statistics of a game from games that built-in players play against themselves, and the comparison of two
//! games.

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Mutex;

use tabiya_arena::{Analysis, Comparison, Stage, Study, StudyProgress};
use tabiya_notation::State;
use tabiya_spec::Choices;

use crate::analysis;
use crate::args::{GameAndState, name_value, thread_count, whole};
use crate::error::{CliError, CommandResult};
use crate::files;
use crate::game_source::{self, LoadedGame};
use crate::output::Output;
use crate::progress::Progress;
use crate::text::sanitize;

/// Measure a game: balance, length, draws, choices, pieces, value of skill. Or compare two games.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya analyse chess
  tabiya analyse mygame.json --games 500 --html report.html
  tabiya analyse chess mygame.json
  tabiya analyse enochian --rules-b zalewski --player greedy
  tabiya analyse fourplayer --games 20 --seed 7 --format json

Players: random, greedy (looks one move ahead), mcts (Monte Carlo tree search), search (alpha-beta
search), level1 to level10.
The same seed gives the same figures, on any number of threads.")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameAndState,
    /// Another game, or the same one with other choices, to compare with.
    #[arg(value_name = "OTHER")]
    other: Option<String>,
    /// Starting array of the other game.
    #[arg(long, value_name = "NAME")]
    array_b: Option<String>,
    /// Set of rules of the other game.
    #[arg(long, value_name = "NAME")]
    rules_b: Option<String>,
    /// Set an option of the other game. May be repeated.
    #[arg(long = "option-b", value_name = "NAME=VALUE", value_parser = name_value)]
    options_b: Vec<(String, String)>,
    /// Number of games.
    #[arg(long, value_name = "N", default_value_t = 100, allow_negative_numbers = true, value_parser = whole::<u32>(1..=100_000))]
    games: u32,
    /// Random seed. The same seed gives the same figures.
    #[arg(long, value_name = "S", default_value_t = 0, allow_negative_numbers = true, value_parser = whole::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Player of all seats.
    #[arg(long, value_name = "NAME", default_value = "search")]
    player: String,
    /// Positions that a searching player examines before each move [default: 100 for each legal move]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(1..=1_000_000_000))]
    nodes: Option<u64>,
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
    let label = loaded.label.clone();
    let study = args.study(loaded, Some(start));
    let Some(other) = args.other_study(&label)? else {
        let analysis = args.measure(&study)?;
        if let Some(file) = &args.html {
            files::write(file, &analysis::page(&analysis))?;
        }
        return out.answer(|| analysis.to_json(), |out| write!(out, "{}", analysis::report(&analysis)));
    };
    if args.html.is_some() {
        return Err(CliError::Usage("--html writes the page of one game; leave the other out".to_owned()));
    }
    let comparison = Comparison::new(args.measure(&study)?, args.measure(&other)?);
    out.answer(|| comparison.to_json(), |out| write!(out, "{}", analysis::side_by_side(&comparison)))
}

impl Args {
    fn study(&self, loaded: LoadedGame, start: Option<State>) -> Study {
        let study = Study::new(loaded.label, loaded.game.rules);
        Study {
            start: start.unwrap_or_else(|| study.start.clone()),
            games: self.games,
            seed: self.seed,
            player: self.player.clone(),
            nodes: self.nodes,
            max_plies: self.max_plies,
            ..study
        }
    }

    /// Returns the study of the other game, if there is one: another game, or the first one with other choices.
    fn other_study(&self, first: &str) -> Result<Option<Study>, CliError> {
        let choices = Choices {
            layout: self.array_b.clone(),
            preset: self.rules_b.clone(),
            options: self.options_b.clone(),
        };
        if self.other.is_none() && choices == Choices::default() {
            return Ok(None);
        }
        let mut loaded = game_source::load_with(self.other.as_deref().unwrap_or(first), &choices)?;
        if loaded.label == first {
            let names = self.array_b.iter().chain(&self.rules_b).cloned();
            let options = self.options_b.iter().map(|(name, value)| format!("{name}={value}"));
            let chosen: Vec<String> = names.chain(options).collect();
            let chosen = if chosen.is_empty() { "2".to_owned() } else { chosen.join(", ") };
            loaded.label = format!("{} ({chosen})", loaded.label);
        }
        Ok(Some(self.study(loaded, None)))
    }

    /// Plays the games of a study, with a progress bar.
    fn measure(&self, study: &Study) -> Result<Analysis, CliError> {
        let names: Vec<String> =
            study.rules.players().map(|player| study.rules.player(player).name.clone()).collect();
        let (progress, stage) = (Progress::new("game", 0), Mutex::new(Stage::Games));
        let analysis = study.run(thread_count(self.threads), &|interim| {
            let Ok(mut stage) = stage.lock() else { return };
            if *stage != interim.stage {
                progress.keep_message();
                *stage = interim.stage;
            }
            progress.set_length(u64::from(interim.of));
            progress.update(u64::from(interim.done), || {
                format!("{}: {}", sanitize(&study.label), summary(&names, interim))
            });
        });
        progress.finish();
        analysis.map_err(|why| CliError::Usage(why.to_string()))
    }
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
