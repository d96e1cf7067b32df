//! A game of a match as PGN, for people and for every program that reads chess games.

use tabiya_notation::{parse_state, pgn};
use tabiya_referee::TimeControl;
use tabiya_referee::record::{Arbiter, Finish, Header};

use crate::contest::Plan;

/// The game as PGN. Its last words are what was wrong, if something was.
pub(crate) fn sheet(plan: &Plan, header: &Header, arbiter: &Arbiter, finish: &Finish) -> String {
    let rules = plan.laws.rules();
    let Ok(start) = parse_state(rules, &header.start) else { return String::new() };
    let mut game = pgn::Game::new(start);
    arbiter.game().steps().iter().for_each(|step| game.push(*step));
    game.winners = arbiter.close().and_then(|close| close.winners);
    game.set_tag("Event", format!("{} - {}", plan.names[0], plan.names[1]));
    game.set_tag("Round", header.id.to_string());
    for (player, seat) in rules.players().zip(&header.seats) {
        game.set_tag(pgn::player_tag(rules, player), &seat.agent);
    }
    if !plan.is_chess {
        game.set_tag("Variant", &plan.variant);
    }
    for (tag, value) in header.choice.tags() {
        game.set_tag(tag, value);
    }
    game.set_tag("TimeControl", TimeControl::from(header.clock).to_string());
    game.set_tag("Termination", &finish.reason);
    if let Some(seat) = &finish.by {
        game.remark(pgn::Note::Comment(format!("{seat}: {}", finish.reason)));
    }
    // The moves were legal when they were made.
    pgn::write(rules, &game).unwrap_or_default()
}
