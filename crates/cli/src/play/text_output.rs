//! Prints events as text.

use std::io::{self, IsTerminal as _, Write as _};

use tabiya_engine::{Exchange, Kind, Move, Player, Rules, Square};
use tabiya_notation::fen;
use tabiya_referee::Action;

use crate::board_drawing::BoardDrawing;
use crate::move_list;
use crate::output::Output;
use crate::position_summary::{
    game_over_sentence, outcome_sentence, player_name, player_names, summary_lines,
};
use crate::styles::STRONG;
use crate::text::{join_and, pluralize, sanitize, sanitize_lines};

use super::command::HELP;
use super::event::Event;
use super::game::{CameTo, TerminalGame, Throw};
use super::seats::Seats;

/// Prints an event.
pub(super) fn emit(
    out: &mut Output,
    game: &TerminalGame,
    seats: &Seats,
    event: &Event<'_>,
) -> io::Result<()> {
    let rules = game.session.rules();
    match event {
        Event::Start => write!(out, "{}", welcome(game, seats)),
        Event::Ask | Event::Board => board_and_summary(out, game),
        Event::Moved { player, text, .. } => writeln!(out, "{} plays {text}.", player_name(rules, *player)),
        Event::Resigned(player)
            if game.session.game().resigning().contains(*player) && game.session.end().is_none() =>
        {
            let who = player_name(rules, *player);
            writeln!(
                out,
                "{who} wants to resign. It takes effect when the partner agrees with `resign`; until then, move."
            )
        }
        Event::Resigned(player) => writeln!(out, "{} resigns.", player_name(rules, *player)),
        Event::Acted { player, act } => writeln!(out, "{}", acted(game, *player, act)),
        Event::Thrown(throw) => writeln!(out, "{}", thrown(game, *throw)),
        Event::Out(players) => {
            let verb = if players.len() == 1 { "is" } else { "are" };
            writeln!(out, "{} {verb} out of the game.", join_and(&player_names(rules, *players)))
        }
        Event::End(ending) => {
            draw(out, &drawing(out, game))?;
            writeln!(out, "{STRONG}{}{STRONG:#}", outcome_sentence(rules, ending))
        }
        Event::Stopped(turns) => {
            draw(out, &drawing(out, game))?;
            let more = if seats.any_human() { " An empty line continues it." } else { "" };
            writeln!(out, "Stopped after {}; the game is not over.{more}", pluralize(*turns, "turn"))
        }
        Event::Refused { why, .. } => writeln!(out, "No: {}.", sanitize_lines(why.trim_end_matches('.'))),
        Event::Promotion(options) => writeln!(out, "Promote to {}?", choices(game, options)),
        Event::Dropped(asked) => writeln!(out, "The move {} is dropped.", sanitize(asked)),
        Event::Targets { square, moves } => targets(out, game, *square, moves),
        Event::Moves(_) if game.session.end().is_some() => {
            game.session.end().map_or(Ok(()), |end| writeln!(out, "{}", game_over_sentence(rules, end)))
        }
        Event::Moves(moves) => write!(out, "{}", move_list::to_text(rules, game.session.position(), moves)),
        Event::Undone(turns) => writeln!(out, "{} taken back.", pluralize(*turns, "turn")),
        Event::Saved(file) => writeln!(out, "Saved in {}.", file.display()),
        Event::Loaded(file) => {
            writeln!(out, "Loaded {}, {} long.", file.display(), pluralize(game.session.log().len(), "turn"))
        }
        Event::State => writeln!(out, "{}", sanitize(&fen(rules, game.session.state()))),
        Event::Rules(text) => writeln!(out, "{}", sanitize_lines(text)),
        Event::Help => writeln!(out, "{HELP}"),
        // End the line of the prompt.
        Event::Quit if io::stdin().is_terminal() => writeln!(out, "Goodbye."),
        Event::Quit => Ok(()),
    }
}

fn welcome(game: &TerminalGame, seats: &Seats) -> String {
    let rules = game.session.rules();
    let title = sanitize(&game.loaded.game.spec.name).into_owned();
    let sitting: Vec<String> = rules
        .players()
        .map(|player| format!("{} ({})", player_name(rules, player), seats.name(player)))
        .collect();
    let hint = if seats.any_human() { " Type help for the commands." } else { "" };
    format!("{STRONG}{title}{STRONG:#}: {}.{hint}\n", join_and(&sitting))
}

fn drawing<'s>(out: &Output, game: &'s TerminalGame) -> BoardDrawing<'s> {
    let mut drawing = BoardDrawing::new(game.session.rules(), game.session.position(), out);
    drawing.recent = game.recent_moves().flat_map(|played| [played.from, played.to]).collect();
    drawing
}

fn draw(out: &mut Output, drawing: &BoardDrawing<'_>) -> io::Result<()> {
    writeln!(out, "\n{}", drawing.board())
}

fn board_and_summary(out: &mut Output, game: &TerminalGame) -> io::Result<()> {
    draw(out, &drawing(out, game))?;
    for line in
        summary_lines(game.session.rules(), game.session.position()).into_iter().chain(occasions(game))
    {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Describes what can be done besides moving.
fn occasions(game: &TerminalGame) -> Vec<String> {
    let (rules, actor, game) = (game.session.rules(), game.session.actor(), game.session.game());
    let mut lines = Vec::new();
    if let Some(exchange) = game.proposal() {
        let (who, what) = (player_name(rules, exchange.proposer), exchanged(rules, &exchange));
        let answerer = player_name(rules, exchange.answerer);
        lines.push(format!(
            "{who} proposes to exchange captured leaders: {what}. {answerer}: accept or decline?"
        ));
    } else if let Some(exchange) = game.possible_exchange() {
        let throw = if game.awaits_throw() { "; or `throw` the die" } else { "" };
        let what = exchanged(rules, &exchange);
        lines.push(format!("Captured leaders can be exchanged ({what}): `exchange` proposes it{throw}."));
    }
    let partners = game.resigning().intersection(rules.team(actor));
    if !partners.is_empty() && !partners.contains(actor) {
        let who = join_and(&player_names(rules, partners));
        lines.push(format!("{who} wants to resign: `resign` agrees, a move continues the game."));
    }
    if let Some(by) = game.draw_offer() {
        lines.push(format!("{} offers a draw: `accept` or `decline` it, or move.", player_name(rules, by)));
    }
    lines
}

fn exchanged(rules: &Rules, exchange: &Exchange) -> String {
    let back = |(player, square): (Player, Square)| {
        format!("{}'s leader returns to {}", player_name(rules, player), rules.board().name(square))
    };
    format!("{}, {}", back(exchange.asked), back(exchange.given))
}

fn acted(game: &TerminalGame, player: Player, act: &Action) -> String {
    let who = player_name(game.session.rules(), player);
    let has_exchange = game.session.game().steps().last() == Some(&tabiya_engine::Step::Exchange);
    match act {
        Action::Offer => format!("{who} offers a draw."),
        Action::Accept if has_exchange => format!("{who} accepts: the captured leaders are exchanged."),
        Action::Accept => format!("{who} accepts."),
        Action::Decline => format!("{who} declines."),
        Action::Claim { code, .. } => {
            format!("{who} claims {}.", sanitize(&code.to_lowercase().replace('_', " ")))
        }
        Action::Exchange => format!("{who} proposes to exchange captured leaders."),
        Action::Withdraw(heir) => {
            format!(
                "{who} withdraws; {} moves the army from now on.",
                player_name(game.session.rules(), *heir)
            )
        }
        Action::Throw => format!("{who} throws the die."),
        Action::Move(_) | Action::Resign => String::new(),
    }
}

fn thrown(game: &TerminalGame, throw: Throw) -> String {
    let who = player_name(game.session.rules(), throw.player);
    let then = match throw.came_to {
        CameTo::Move => "",
        CameTo::Again => ", and nothing can move: it is thrown again",
        CameTo::Pass => ", and nothing can move: the turn passes",
    };
    format!("{who} throws {}{then}.", throw.face)
}

fn targets(out: &mut Output, game: &TerminalGame, square: Square, moves: &[Move]) -> io::Result<()> {
    let (rules, position) = (game.session.rules(), game.session.position());
    let place = rules.board().name(square);
    let Some(piece) = position.piece(square) else { return writeln!(out, "There is no piece on {place}.") };
    let code = sanitize(&rules.kind(piece.kind).code).into_owned();
    let owner = player_name(rules, piece.player);
    if piece.player != game.session.game().mover() {
        return writeln!(out, "The {code} on {place} is {owner}'s.");
    }
    if moves.is_empty() {
        return writeln!(out, "The {code} on {place} cannot move.");
    }
    let mut drawing = drawing(out, game);
    drawing.selected = Some(square);
    drawing.targets = moves.iter().map(|played| played.to).collect();
    draw(out, &drawing)?;
    let texts: Vec<String> =
        moves.iter().map(|played| tabiya_notation::uci(rules, position, *played)).collect();
    writeln!(out, "{code} on {place}: {}", texts.join(", "))
}

/// Formats promotion options: `QUEEN (q), ROOK (r) …`.
fn choices(game: &TerminalGame, options: &[Kind]) -> String {
    let option = |kind: &Kind| {
        let plan = game.session.rules().kind(*kind);
        format!(
            "{} ({})",
            sanitize(&plan.code),
            plan.symbol.in_moves(game.session.game().mover()).to_lowercase()
        )
    };
    options.iter().map(option).collect::<Vec<_>>().join(", ")
}
