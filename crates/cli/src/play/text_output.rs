//! Prints events as text.

use std::io::{self, IsTerminal as _, Write as _};

use tabiya_engine::{Exchange, Kind, Move, Player, Rules, Spot, Square};
use tabiya_notation::fen;
use tabiya_referee::Action;

use crate::board_drawing::{BoardDrawing, legend_lines};
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
        Event::Start => out.prose(&welcome(game, seats)),
        Event::Ask | Event::Board => board_and_summary(out, game),
        Event::Moved { player, text, .. } => {
            out.prose(&format!("{} plays {text}.", player_name(rules, *player)))
        }
        Event::PassedOver(players) => out.prose(&passed_over(game, players)),
        Event::Resigned(player)
            if game.session.game().resigning().contains(*player) && game.session.end().is_none() =>
        {
            let who = player_name(rules, *player);
            out.prose(&format!(
                "{who} wants to resign. It takes effect when the partner agrees with `resign`; until then, move."
            ))
        }
        Event::Resigned(player) => out.prose(&format!("{} resigns.", player_name(rules, *player))),
        Event::Acted { player, act } => out.prose(&acted(game, *player, act)),
        Event::Thrown(throw) => out.prose(&thrown(game, throw)),
        Event::Out(players) => {
            let verb = if players.len() == 1 { "is" } else { "are" };
            out.prose(&format!("{} {verb} out of the game.", join_and(&player_names(rules, *players))))
        }
        Event::End(ending) => {
            draw(out, &drawing(out, game))?;
            out.prose(&format!("{STRONG}{}{STRONG:#}", outcome_sentence(rules, ending)))
        }
        Event::Stopped(turns) => {
            draw(out, &drawing(out, game))?;
            let more = if seats.any_human() { " An empty line continues it." } else { "" };
            out.prose(&format!("Stopped after {}; the game is not over.{more}", pluralize(*turns, "turn")))
        }
        Event::Refused { why, .. } => {
            out.prose(&format!("No: {}.", sanitize_lines(why.trim_end_matches('.'))))
        }
        Event::Promotion(options) => out.prose(&format!("Promote to {}?", choices(game, options))),
        Event::Dropped(asked) => out.prose(&format!("The move {} is dropped.", sanitize(asked))),
        Event::Targets { square, moves } => targets(out, game, *square, moves),
        Event::HandTargets { kind, moves } => hand_targets(out, game, *kind, moves),
        Event::Moves(_) if game.session.end().is_some() => {
            game.session.end().map_or(Ok(()), |end| out.prose(&game_over_sentence(rules, end)))
        }
        Event::Moves(moves) => out.prose(&move_list::to_text(rules, game.session.state(), moves)),
        Event::Undone(turns) => writeln!(out, "{} taken back.", pluralize(*turns, "turn")),
        Event::Saved(file) => writeln!(out, "Saved in {}.", file.display()),
        Event::Loaded(file) => {
            writeln!(out, "Loaded {}, {} long.", file.display(), pluralize(game.session.log().len(), "turn"))
        }
        Event::State => writeln!(out, "{}", sanitize(&fen(rules, game.session.state()))),
        Event::Rules(text) => out.prose(&sanitize_lines(text)),
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
    let recent = game.recent_moves().flat_map(|played| {
        // A dropped piece comes from no square.
        [if played.dropped().is_some() { played.to } else { played.from }, played.to]
    });
    drawing.recent = recent.collect();
    drawing
}

fn draw(out: &mut Output, drawing: &BoardDrawing<'_>) -> io::Result<()> {
    writeln!(out, "\n{}", drawing.board())
}

fn board_and_summary(out: &mut Output, game: &TerminalGame) -> io::Result<()> {
    draw(out, &drawing(out, game))?;
    let (rules, state) = (game.session.rules(), game.session.state());
    let lines = summary_lines(rules, state, game.session.end()).into_iter();
    let lines: Vec<String> =
        lines.chain(legend_lines(rules, &state.position, out.colour)).chain(occasions(game)).collect();
    lines.iter().try_for_each(|line| out.prose(line))
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
    let is_out_of_turn = game.asked_out_of_turn().is_some();
    let whom = if is_out_of_turn { format!("{}: ", player_name(rules, actor)) } else { String::new() };
    let partners = game.resigning_partners();
    if !partners.is_empty() {
        let who = join_and(&player_names(rules, partners));
        let or = if is_out_of_turn { "`decline`" } else { "a move" };
        lines.push(format!("{whom}{who} wants to resign: `resign` agrees, {or} continues the game."));
    }
    if let Some(by) = game.draw_offer() {
        let or = if is_out_of_turn { "" } else { ", or move" };
        lines.push(format!("{whom}{} offers a draw: `accept` or `decline` it{or}.", player_name(rules, by)));
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

fn thrown(game: &TerminalGame, throw: &Throw) -> String {
    let who = player_name(game.session.rules(), throw.player);
    let then = match throw.came_to {
        CameTo::Move => "",
        CameTo::Again => ", and nothing can move: it is thrown again",
        CameTo::Pass => ", and nothing can move: the turn passes",
    };
    format!("{who} throws {}{then}.", throw.face)
}

/// Names the players whose turns were skipped, and says why.
fn passed_over(game: &TerminalGame, players: &[Player]) -> String {
    let (rules, frozen) = (game.session.rules(), game.session.position().frozen());
    let reason = |player: &Player| {
        let why = if frozen.contains(*player) { "frozen" } else { "no legal move" };
        format!("{} ({why})", player_name(rules, *player))
    };
    format!("Passed over: {}.", join_and(&players.iter().map(reason).collect::<Vec<_>>()))
}

/// Lists the moves of the pieces on a square. Two pieces on one square have a line each.
fn targets(out: &mut Output, game: &TerminalGame, square: Square, moves: &[Move]) -> io::Result<()> {
    let (rules, position) = (game.session.rules(), game.session.position());
    let place = rules.board().name(square);
    if position.piece(square).is_none() {
        return writeln!(out, "There is no piece on {place}.");
    }
    if !moves.is_empty() {
        let mut drawing = drawing(out, game);
        drawing.selected = Some(square);
        drawing.targets = moves.iter().map(|played| played.to).collect();
        draw(out, &drawing)?;
    }
    for spot in [Spot::host(square), Spot::guest(square)] {
        let Some(piece) = position.piece_at(spot) else { continue };
        let code = sanitize(&rules.kind(piece.kind).code).into_owned();
        let own: Vec<String> = moves
            .iter()
            .filter(|played| played.spot() == spot)
            .map(|played| tabiya_notation::uci(rules, position, *played))
            .collect();
        let line = if piece.player != game.session.game().mover() {
            format!("The {code} on {place} is {}'s.", player_name(rules, piece.player))
        } else if own.is_empty() {
            format!("The {code} on {place} cannot move.")
        } else {
            format!("{code} on {place}: {}", own.join(", "))
        };
        out.prose(&line)?;
    }
    Ok(())
}

/// Lists the drops of a kind.
fn hand_targets(out: &mut Output, game: &TerminalGame, kind: Kind, moves: &[Move]) -> io::Result<()> {
    let (rules, position) = (game.session.rules(), game.session.position());
    let code = sanitize(&rules.kind(kind).code).into_owned();
    if position.in_hand(game.session.game().mover(), kind) == 0 {
        return out.prose(&format!("There is no {code} in your hand."));
    }
    if moves.is_empty() {
        return out.prose(&format!("The {code} in your hand cannot be dropped now."));
    }
    let mut drawing = drawing(out, game);
    drawing.targets = moves.iter().map(|played| played.to).collect();
    draw(out, &drawing)?;
    let texts: Vec<String> =
        moves.iter().map(|played| tabiya_notation::uci(rules, position, *played)).collect();
    out.prose(&format!("{code} in hand: {}", texts.join(", ")))
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
