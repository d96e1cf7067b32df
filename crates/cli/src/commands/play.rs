//! `tabiya play`: plays a game in the terminal or on a local web page, between people and programs.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;

use tabiya_engine::Rules;
use tabiya_notation::{State, fen};
use tabiya_players::PlayerOptions;
use tabiya_server::Settings;
use tabiya_server::http_types::{ChoiceBody, RoomBody, SeatBody};
use tabiya_spec::library;

use crate::args::{GameAndState, whole};
use crate::choices;
use crate::error::{CliError, CommandResult};
use crate::files;
use crate::game_source;
use crate::output::Output;
use crate::play::{SavedGame, Seats, Terminal, TerminalGame};
use crate::web;

/// Play a game in the terminal.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya play chess --seat BLACK=search
  tabiya play fourplayer --seat BLUE=random --seat YELLOW=random --seat GREEN=random --seed 7
  tabiya play chess --seat BLACK=level3 --web
  tabiya play chess --load mygame.json
  tabiya play enochian --array \"Fire of Fire\" --rules zalewski --players 2 --divination --seed 7
  tabiya play chess --seat WHITE=random --seat BLACK=random --format json

Players: human (asked on standard input), random, greedy (looks one move ahead), mcts (Monte Carlo
tree search), search (alpha-beta search), level1 (weakest) to level10 (strongest).
Type `help` in the game for its commands.")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameAndState,
    /// Assign a seat: a player or team of the game, and human, random, greedy, mcts, search, or
    /// level1 to level10. May be repeated.
    #[arg(long = "seat", value_name = "NAME=PLAYER")]
    seats: Vec<String>,
    /// Random seed of programs and dice. The same seed gives the same game.
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = whole::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Continue a saved game.
    #[arg(long, value_name = "FILE", conflicts_with = "state")]
    load: Option<PathBuf>,
    /// Number of participants: one per player of the game, or one per team.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u32>(1..=64))]
    players: Option<u32>,
    /// Play with a die, in a game that offers one (Enochian chess: divination).
    #[arg(long)]
    divination: bool,
    /// Read piece values for programs from a file written by `tabiya tune`. By default they are derived
    /// from the rules.
    #[arg(long, value_name = "FILE")]
    values: Option<PathBuf>,
    /// Net of programs: a file of `tabiya train`, or none [default: the one that comes with the program, if
    /// the game has one]
    #[arg(long, value_name = "FILE")]
    net: Option<String>,
    /// Play in the browser, on a local server.
    #[arg(long, conflicts_with_all = ["load", "values", "net", "players", "divination"])]
    web: bool,
    /// Stop after this many turns without a human decision.
    #[arg(long, value_name = "N", default_value_t = 1000, allow_negative_numbers = true, value_parser = whole::<u32>(1..=65536))]
    max_plies: u32,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    if args.web {
        return play_on_web(args, out);
    }
    let saved = args.load.as_deref().map(SavedGame::read).transpose()?;
    let recorded = saved.as_ref().map(SavedGame::choices).unwrap_or_default();
    let mut choices = choices::merge(&recorded, &args.game.choices());
    let mut loaded = args.game.game_with(&choices)?;
    if args.divination {
        let die_options = &loaded.game.choices.die;
        if die_options.is_empty() {
            let why = "--divination is for games that offer a die, and this game does not";
            return Err(CliError::Usage(why.to_owned()));
        }
        choices.options.extend(die_options.iter().cloned());
        loaded = args.game.game_with(&choices)?;
    }
    let participants = match &saved {
        Some(saved) => saved.participants(args.players)?,
        None => args.players,
    };
    let by_team = match participants {
        Some(participants) => plays_by_team(&loaded.game.rules, participants)?,
        None => false,
    };
    if by_team {
        choices.options.extend(loaded.game.choices.team_play.iter().cloned());
        loaded = args.game.game_with(&choices)?;
    }
    let values =
        args.values.as_deref().map(|file| files::piece_values(&loaded.game.rules, file)).transpose()?;
    let net = files::net_choice(&loaded.game.rules, args.net.as_deref())?;
    let equipment = PlayerOptions { seed: args.seed, values, net, ..PlayerOptions::default() };
    let seats = Seats::new(&loaded.game.rules, &args.seats, &equipment)?;
    let game = if let Some(saved) = &saved {
        if !saved.is_of(&loaded) {
            let of_file = args.game.game_with(&recorded).ok().filter(|game| saved.is_of(game));
            return Err(saved.rules_error(of_file.as_ref(), &loaded));
        }
        saved.replay(loaded, by_team)?
    } else {
        let state = args.game.state_of(&loaded)?;
        TerminalGame::new(loaded, state, args.seed, by_team)
    };
    Terminal::new(game, seats, args.max_plies as usize, out).run()?;
    Ok(ExitCode::SUCCESS)
}

/// Plays on a local web page. One browser plays all human seats.
fn play_on_web(args: &Args, out: &mut Output) -> CommandResult {
    let choices = args.game.choices();
    let (loaded, state) = args.game.open()?;
    let rules = &loaded.game.rules;
    let seats = Seats::new(rules, &args.seats, &args.seed.into())?;
    let name = |player| rules.player(player).name.clone();
    let humans: Vec<String> = rules.players().filter(|player| seats.is_human(*player)).map(name).collect();
    let programs = rules.players().filter(|player| !seats.is_human(*player));
    let mut bodies: Vec<SeatBody> = programs
        .map(|player| SeatBody { players: vec![name(player)], who: format!("player:{}", seats.name(player)) })
        .collect();
    if !humans.is_empty() {
        bodies.insert(0, SeatBody { players: humans, who: "human".to_owned() });
    }
    let meant = loaded.game.choices.normalize(&choices);
    let is_start = state == State::new(rules.start());
    let has_own_array = |json: &str| {
        choices.layout.as_ref().is_some_and(|layout| game_source::is_in_file(layout, json.as_bytes()))
    };
    let entry = library::find(&args.game.game).filter(|entry| !has_own_array(entry.json));
    let library = entry.map(|entry| entry.name.to_owned());
    let spec = if library.is_some() {
        None
    } else {
        let source = game_source::source(&args.game.game, &choices)?.into_owned();
        let not_text = |_| CliError::Usage("the game file is not UTF-8".to_owned());
        Some(String::from_utf8(source).map_err(not_text)?)
    };
    let body = RoomBody {
        game: library,
        spec,
        choice: ChoiceBody { layout: meant.layout, preset: meant.preset, options: meant.options },
        seats: bodies,
        clock: None,
        start: (!is_start).then(|| fen(rules, &state)),
        seed: Some(args.seed),
    };
    let settings = Settings {
        listen: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0),
        file: web::games_file(std::env::var_os("TABIYA_GAMES").map(PathBuf::from).as_deref())?,
        ..Settings::default()
    };
    web::serve(settings, Some(body), true, out)
}

/// Returns whether the participants are one per team rather than one per player.
fn plays_by_team(rules: &Rules, participants: u32) -> Result<bool, CliError> {
    let players = rules.players().count() as u32;
    let mut teams: Vec<_> = rules.players().map(|player| rules.team(player)).collect();
    teams.sort_by_key(|team| team.iter().next());
    teams.dedup();
    match participants {
        _ if participants == players => Ok(false),
        _ if participants == teams.len() as u32 => Ok(true),
        _ => {
            let or_teams =
                if teams.len() as u32 == players { String::new() } else { format!(" or {}", teams.len()) };
            Err(CliError::Usage(format!(
                "this game is for {players}{or_teams} participants, not for {participants}"
            )))
        }
    }
}
