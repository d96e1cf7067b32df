//! `tabiya play`: a game in the terminal, against people, against programs, or between programs.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tabiya_engine::Rules;
use tabiya_notation::{State, state_text};
use tabiya_server::Settings;
use tabiya_server::wire::{ChoiceBody, SeatBody, TableBody};
use tabiya_spec::library;

use crate::agreed;
use crate::args::GameAndState;
use crate::failure::Failure;
use crate::files;
use crate::number::whole;
use crate::output::Output;
use crate::play::{Saved, Seats, Session, Table};
use crate::value_file;
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

Players: human (asked on standard input), random, greedy (looks one move ahead), mcts (tries
moves out), search (looks further), level1 (overlooks much) to level10 (overlooks little).
Type `help` in the game for its commands.")]
pub(crate) struct Args {
    #[command(flatten)]
    what: GameAndState,
    /// Who plays for whom: the name of a player or a team of the game, and human, random,
    /// greedy, mcts, search, level1 to level10. May be given for each of them.
    #[arg(long = "seat", value_name = "NAME=PLAYER")]
    seats: Vec<String>,
    /// What chance starts from, dice included: the same number gives the same game.
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = |text: &str| whole::<u64>(text, 0..=u64::MAX))]
    seed: u64,
    /// Go on with a saved game.
    #[arg(long, value_name = "FILE", conflicts_with = "state")]
    load: Option<PathBuf>,
    /// How many people play: one for each player of the game, or one for each team.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = |text: &str| whole::<u32>(text, 1..=64))]
    players: Option<u32>,
    /// Play with the die, in a game that has one by choice (Enochian chess: divination).
    #[arg(long)]
    divination: bool,
    /// What pieces are worth to programs, from a file of `tabiya tune`; without it, the rules tell.
    #[arg(long, value_name = "FILE")]
    values: Option<PathBuf>,
    /// Play on a page in the browser: a local server is started for it.
    #[arg(long, conflicts_with_all = ["load", "values", "players", "divination"])]
    web: bool,
    /// Stop after so many turns in which no human was asked.
    #[arg(long, value_name = "N", default_value_t = 1000, allow_negative_numbers = true, value_parser = |text: &str| whole::<u32>(text, 1..=65536))]
    max_plies: u32,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<ExitCode, Failure> {
    if args.web {
        return on_page(args, out);
    }
    let saved = args.load.as_deref().map(Saved::read).transpose()?;
    let told = saved.as_ref().map(Saved::choices).unwrap_or_default();
    let mut choices = agreed::both(&told, &args.what.choices());
    let mut chosen = args.what.game_with(&choices)?;
    if args.divination {
        let of_game = &chosen.game.choices.die;
        if of_game.is_empty() {
            let why = "--divination is for games that may be played with a die, and this one does not say so";
            return Err(Failure::Usage(why.to_owned()));
        }
        choices.options.extend(of_game.iter().cloned());
        chosen = args.what.game_with(&choices)?;
    }
    let people = match &saved {
        Some(saved) => saved.people(args.players)?,
        None => args.players,
    };
    let by_team = match people {
        Some(people) => plays_by_team(&chosen.game.rules, people)?,
        None => false,
    };
    if by_team {
        choices.options.extend(chosen.game.choices.team_play.iter().cloned());
        chosen = args.what.game_with(&choices)?;
    }
    let values = args.values.as_deref().map(|file| value_file::read(&chosen.game.rules, file)).transpose()?;
    let seats = Seats::new(&chosen.game.rules, &args.seats, args.seed, values.as_ref())?;
    let session = if let Some(saved) = &saved {
        if !saved.is_of(&chosen) {
            let of_file = args.what.game_with(&told).ok().filter(|game| saved.is_of(game));
            return Err(saved.refusal(of_file.as_ref(), &chosen));
        }
        saved.play(chosen, by_team)?
    } else {
        let state = args.what.state_of(&chosen)?;
        Session::new(chosen, state, args.seed, by_team)
    };
    Table::new(session, seats, args.max_plies as usize, out).run()?;
    Ok(ExitCode::SUCCESS)
}

/// A local game on the page: whoever sits here plays for all who are human.
fn on_page(args: &Args, out: &mut Output) -> Result<ExitCode, Failure> {
    let choices = args.what.choices();
    let (chosen, state) = args.what.open()?;
    let rules = &chosen.game.rules;
    let seats = Seats::new(rules, &args.seats, args.seed, None)?;
    let name = |player| rules.player(player).name.clone();
    let humans: Vec<String> = rules.players().filter(|player| seats.is_human(*player)).map(name).collect();
    let programs = rules.players().filter(|player| !seats.is_human(*player));
    let mut bodies: Vec<SeatBody> = programs
        .map(|player| SeatBody { players: vec![name(player)], who: format!("player:{}", seats.name(player)) })
        .collect();
    if !humans.is_empty() {
        bodies.insert(0, SeatBody { players: humans, who: "human".to_owned() });
    }
    let meant = chosen.game.choices.meant(&choices);
    let is_start = state == State::new(rules.start());
    let library = library::find(args.what.name()).map(|entry| entry.name.to_owned());
    let spec = match &library {
        Some(_) => None,
        None => Some(files::text(Path::new(args.what.name())).map_err(Failure::Usage)?),
    };
    let body = TableBody {
        game: library,
        spec,
        choice: ChoiceBody { layout: meant.layout, preset: meant.preset, options: meant.options },
        seats: bodies,
        clock: None,
        start: (!is_start).then(|| state_text(rules, &state)),
        seed: Some(args.seed),
    };
    let settings = Settings {
        listen: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0),
        file: web::games_file(std::env::var_os("TABIYA_GAMES").map(PathBuf::from).as_deref())?,
        ..Settings::default()
    };
    web::serve(settings, Some(body), true, out)
}

/// Whether so many people are one for each team; or there is one for each player.
fn plays_by_team(rules: &Rules, people: u32) -> Result<bool, Failure> {
    let players = rules.players().count() as u32;
    let mut teams: Vec<_> = rules.players().map(|player| rules.team(player)).collect();
    teams.sort_by_key(|team| team.iter().next());
    teams.dedup();
    match people {
        _ if people == players => Ok(false),
        _ if people == teams.len() as u32 => Ok(true),
        _ => {
            let or_teams =
                if teams.len() as u32 == players { String::new() } else { format!(" or {}", teams.len()) };
            Err(Failure::Usage(format!("this game is for {players}{or_teams} people, not for {people}")))
        }
    }
}
