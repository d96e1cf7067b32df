//! PGN of a game of a match.

use tabiya_notation::{parse_state, pgn};
use tabiya_referee::TimeControl;
use tabiya_referee::record::{Finish, Header, Recorder};

use crate::config::MatchPlan;

/// Returns the game as PGN. A final comment names the fault that ended it, if there was one.
pub(crate) fn game_pgn(plan: &MatchPlan, header: &Header, recorder: &Recorder, finish: &Finish) -> String {
    let rules = plan.laws.rules();
    let Ok(start) = parse_state(rules, &header.start) else { return String::new() };
    let mut game = pgn::Game::new(start);
    recorder.session().game().steps().iter().for_each(|step| game.push(*step));
    game.winners =
        recorder.session().result().filter(|result| result.counts).map(|result| result.end.winners);
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
    // Writing succeeds, because the moves were legal.
    pgn::write(rules, &game).unwrap_or_default()
}
