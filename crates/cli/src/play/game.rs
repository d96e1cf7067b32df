//! The game that the terminal shows: where its rules come from, and the session that conducts it.

use std::time::Duration;

use tabiya_engine::{Die, Move, Player, Position, Rules, Step};
use tabiya_notation::State;
use tabiya_referee::{Action, Event, IllegalAction, Laws, Seating, Session, SessionOptions};

use crate::game_source::LoadedGame;

/// A game at the terminal.
#[derive(Clone, Debug)]
pub(crate) struct TerminalGame {
    /// The game and its rules.
    pub(crate) loaded: LoadedGame,
    /// The game in progress.
    pub(crate) session: Session,
    /// Whether one participant plays for a whole team.
    pub(crate) by_team: bool,
}

/// A throw of the die.
#[derive(Clone, Debug)]
pub(crate) struct Throw {
    /// The player for whom it was thrown.
    pub(crate) player: Player,
    /// The face.
    pub(crate) face: u8,
    /// What follows.
    pub(crate) came_to: CameTo,
    /// The players whose turns are skipped after it.
    pub(crate) passed_over: Vec<Player>,
}

/// What follows from a throw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CameTo {
    /// A piece can move.
    Move,
    /// No piece can move; the die is thrown again.
    Again,
    /// No piece can move; the turn passes.
    Pass,
}

/// Returns the players whose turns were skipped between two positions, of which the second follows the first.
pub(crate) fn passed_over(rules: &Rules, before: &Position, after: &Position) -> Vec<Player> {
    skipped_slots(rules, before.slot() + 1, after)
}

/// Returns the players whose turns were skipped before the first move.
pub(crate) fn passed_over_at_start(rules: &Rules) -> Vec<Player> {
    skipped_slots(rules, rules.blueprint().start_at(), &rules.start())
}

/// Returns the players of the slots from the given one to that of a position. Players who are out have no turns.
fn skipped_slots(rules: &Rules, from: u16, position: &Position) -> Vec<Player> {
    let slots = rules.order().len() as u16;
    let ahead = (0..slots).map(|ahead| (from + ahead) % slots);
    let skipped = ahead.take_while(|slot| *slot != position.slot()).map(|slot| rules.turn_of(slot));
    let is_over = position.ended().is_some();
    skipped.filter(|player| !is_over && !position.eliminated().contains(*player)).collect()
}

impl TerminalGame {
    /// Starts a game. `seed` is the seed of the dice.
    pub(crate) fn new(loaded: LoadedGame, start: State, seed: u64, by_team: bool) -> Self {
        let rules = &loaded.game.rules;
        let players = rules.players().count();
        let seating = if by_team { Seating::teams(rules) } else { Seating::single(players) };
        let options = SessionOptions { start, seed, seating, ..SessionOptions::new(rules) };
        let session = Session::new(&Laws::new(rules, &loaded.game.hash.to_string()), options);
        TerminalGame { loaded, session, by_team }
    }

    /// Returns the number of participants if each plays for a team.
    pub(crate) fn participants(&self) -> Option<u32> {
        let rules = self.session.rules();
        let mut teams: Vec<Option<Player>> =
            rules.players().map(|player| rules.team(player).iter().next()).collect();
        teams.sort_unstable();
        teams.dedup();
        self.by_team.then_some(teams.len() as u32)
    }

    /// Does an action for the player to act. The terminal has no clock.
    pub(crate) fn act(&mut self, action: Action) -> Result<(), IllegalAction> {
        self.session.act(action, Duration::ZERO)
    }

    /// Returns the throws that follow the last move after the first `steps` steps, at which the position was `before`.
    pub(crate) fn throws(&self, steps: usize, before: &Position) -> Vec<Throw> {
        let rules = self.session.rules();
        let mut position = before.clone();
        let mut throws = Vec::new();
        for step in self.session.game().steps().iter().skip(steps) {
            let player = rules.mover(&position);
            let Ok(next) = rules.play_step(&position, *step) else { break };
            if let Step::Throw(face) = *step {
                let came_to = match (rules.die(&position), rules.die(&next)) {
                    (_, Some(Die::Shows(_))) => CameTo::Move,
                    (Some(Die::Awaited(1)), _) => CameTo::Pass,
                    _ => CameTo::Again,
                };
                let passed_over =
                    if came_to == CameTo::Pass { passed_over(rules, &position, &next) } else { Vec::new() };
                throws.push(Throw { player, face, came_to, passed_over });
            } else {
                // The throws before this step were shown with it.
                throws.clear();
            }
            position = next;
        }
        throws
    }

    /// The moves of the other players since the player to act last acted.
    pub(crate) fn recent_moves(&self) -> impl Iterator<Item = Move> {
        let player = self.session.actor();
        let others = self.session.log().iter().rev().take_while(move |entry| entry.player != player);
        let players = self.session.rules().players().count();
        others.take(players).filter_map(|entry| match entry.event {
            Event::Action(Action::Move(played)) => Some(played),
            _ => None,
        })
    }
}
