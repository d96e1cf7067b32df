//! `tabiya games`: lists the games of the library.

use std::io::{self, Write as _};

use serde_json::{Value, json};
use tabiya_engine::Board;
use tabiya_spec::Game;
use tabiya_spec::library;

use crate::error::{CliError, CommandResult};
use crate::game_source;
use crate::output::Output;
use crate::styles::STRONG;
use crate::text::{sanitize, wrap};

/// List the games of the library.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya games
  tabiya games --format json")]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args, out: &mut Output) -> CommandResult {
    let games: Vec<(&str, Game)> = library::games()
        .iter()
        .map(|entry| Ok((entry.name, game_source::load(entry.name)?.game)))
        .collect::<Result<_, CliError>>()?;
    let json = || games.iter().map(|(name, game)| to_json(name, game)).collect();
    out.answer(json, |out| table(&games, out))
}

/// Returns a game as JSON.
pub(crate) fn to_json(name: &str, game: &Game) -> Value {
    let rules = &game.rules;
    let players: Vec<&str> = rules.players().map(|player| rules.player(player).name.as_str()).collect();
    let pieces: Vec<&str> = rules.kinds().map(|kind| rules.kind(kind).code.as_str()).collect();
    json!({
        "name": name,
        "title": *game.spec.name,
        "players": players,
        "board": sizes(rules.board()),
        "squares": rules.board().squares().count(),
        "pieces": pieces,
        "about": about(game),
    })
}

/// Returns the number of files and ranks, and of levels if there are several.
fn sizes(board: &Board) -> Vec<u16> {
    let sizes = [board.files(), board.level_ranks(), board.levels()];
    sizes[..if board.levels() > 1 { 3 } else { 2 }].to_vec()
}

/// Writes the size of a board: `8×8`, or `5×5×5`.
pub(crate) fn size_text(board: &Board) -> String {
    sizes(board).iter().map(u16::to_string).collect::<Vec<_>>().join("×")
}

fn about(game: &Game) -> &str {
    game.spec.about.as_ref().map(|about| about.as_str()).unwrap_or_default()
}

fn table(games: &[(&str, Game)], out: &mut Output) -> io::Result<()> {
    const MIN_ABOUT: usize = 24;
    let name_width = games.iter().map(|(name, _)| name.len()).chain([4]).max().unwrap_or(4);
    // The columns before it take 27 characters beside the name.
    let about_width = out.width.saturating_sub(name_width + 27).max(MIN_ABOUT);
    let heading = format!("{:name_width$}  PLAYERS  BOARD  PIECES  ABOUT", "NAME");
    writeln!(out, "{STRONG}{heading}{STRONG:#}")?;
    for (name, game) in games {
        let (rules, board) = (&game.rules, game.rules.board());
        let size = size_text(board);
        let (players, pieces) = (rules.players().count(), rules.kinds().count());
        let lines = wrap(&sanitize(about(game)), about_width);
        let first = lines.first().map_or("", String::as_str);
        writeln!(out, "{name:name_width$}  {players:>7}  {size:>5}  {pieces:>6}  {first}")?;
        for line in lines.iter().skip(1) {
            writeln!(out, "{:indent$}{line}", "", indent = name_width + 26)?;
        }
    }
    Ok(())
}
