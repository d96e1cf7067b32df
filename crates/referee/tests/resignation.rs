//! Who resigns: one army, or all armies of a seat.

use std::time::Duration;

use tabiya_engine::{Player, PlayerSet};
use tabiya_referee::{Action, Event, IllegalAction, Laws, Seating, Session, SessionOptions};

/// A casual game in which one person plays for all players.
fn shared_screen(name: &str) -> Session {
    let game = tabiya_spec::library::load(name).unwrap();
    let everyone: PlayerSet = game.rules.players().collect();
    let seating = Seating::new(game.rules.players().count(), [everyone]);
    let laws = Laws::new(&game.rules, &game.hash.to_string());
    Session::new(&laws, SessionOptions { seating, ..SessionOptions::new(&game.rules) })
}

fn resign(session: &mut Session, player: u8) -> Result<(), IllegalAction> {
    session.apply(Player(player), Event::ResignArmy, Duration::ZERO)
}

#[test]
fn an_army_resigns_alone() {
    let mut chess = shared_screen("chess");
    resign(&mut chess, 1).unwrap();
    assert_eq!(chess.end().unwrap().winners, PlayerSet::EMPTY.with(Player(0)));
    assert_eq!(chess.log()[0].text, "resign");

    let mut four = shared_screen("fourplayer");
    resign(&mut four, 2).unwrap();
    assert!(four.end().is_none(), "three play on");
    assert_eq!(resign(&mut four, 2), Err(IllegalAction::Resigned), "an army that is out cannot end the game");
    resign(&mut four, 0).unwrap();
    resign(&mut four, 3).unwrap();
    assert_eq!(four.end().unwrap().winners, PlayerSet::EMPTY.with(Player(1)));
}

#[test]
fn partners_resign_together() {
    let mut enochian = shared_screen("enochian");
    let team = enochian.rules().team(Player(0));
    let partner = team.without(PlayerSet::EMPTY.with(Player(0))).iter().next().unwrap();
    resign(&mut enochian, 0).unwrap();
    assert!(enochian.end().is_none(), "the partner has not resigned");
    enochian.apply(partner, Event::ResignArmy, Duration::ZERO).unwrap();
    assert_eq!(enochian.end().unwrap().winners.intersection(team), PlayerSet::EMPTY);
}

#[test]
fn an_action_resigns_for_the_whole_seat() {
    let mut four = shared_screen("fourplayer");
    four.apply(Player(1), Event::Action(Action::Resign), Duration::ZERO).unwrap();
    assert!(four.end().is_some(), "one person plays for all");
}
