//! A game in progress under the laws: where it started and what was done. Everything else follows from that, so taking
//! back is playing again, and a saved game is the same list.

use tabiya_engine::{Die, Move, Player, Position, Rules, Step};
use tabiya_notation::State;
use tabiya_referee::{Act, Dice, End, Game, Illegal};

use crate::game_source::LoadedGame;

/// More turns than this are not kept; no game that somebody plays is as long.
pub(crate) const MAX_TURNS: usize = 65_536;

/// What was done.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    /// Who did it.
    pub(crate) player: Player,
    /// What it was.
    pub(crate) act: Act,
    /// As it is written.
    pub(crate) text: String,
}

/// A throw of the die.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thrown {
    /// For whom.
    pub(crate) player: Player,
    /// What it showed.
    pub(crate) face: u8,
    /// What follows.
    pub(crate) came_to: CameTo,
}

/// What follows from a throw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CameTo {
    /// Some piece can move.
    Move,
    /// None can; the die is thrown again.
    Again,
    /// None can; the turn passes.
    Pass,
}

/// A game in progress.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    /// The game.
    pub(crate) chosen: LoadedGame,
    /// Where it started.
    pub(crate) start: State,
    /// What the die is thrown from.
    pub(crate) seed: u64,
    /// Whether one person plays for a whole team.
    pub(crate) by_team: bool,
    turns: Vec<Played>,
    game: Game,
}

impl Session {
    /// A game at its start.
    pub(crate) fn new(chosen: LoadedGame, start: State, seed: u64, by_team: bool) -> Self {
        let game = Game::resume(chosen.game.rules.clone(), start.clone(), &[], Dice::seeded(seed));
        Session { chosen, start, seed, by_team, turns: Vec::new(), game }
    }

    /// How many people play, if it is one for each team; else nobody asks.
    pub(crate) fn people(&self) -> Option<u32> {
        let rules = self.rules();
        let mut teams: Vec<Option<Player>> =
            rules.players().map(|player| rules.team(player).iter().next()).collect();
        teams.sort_unstable();
        teams.dedup();
        self.by_team.then_some(teams.len() as u32)
    }

    /// The rules.
    pub(crate) fn rules(&self) -> &Rules {
        &self.chosen.game.rules
    }

    /// The game under its laws.
    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    /// How things stand.
    pub(crate) fn state(&self) -> &State {
        self.game.state()
    }

    /// The position on the board.
    pub(crate) fn position(&self) -> &Position {
        &self.game.state().position
    }

    /// Who is asked.
    pub(crate) fn actor(&self) -> Player {
        self.game.actor()
    }

    /// What was done, oldest first.
    pub(crate) fn turns(&self) -> &[Played] {
        &self.turns
    }

    /// Every throw of the die so far.
    pub(crate) fn throws(&self) -> impl Iterator<Item = u8> {
        self.game.steps().iter().filter_map(|step| match step {
            Step::Throw(face) => Some(*face),
            _ => None,
        })
    }

    /// What the throws came to that follow the last deed after the first so many steps, after which the position was this one.
    pub(crate) fn thrown(&self, steps: usize, before: &Position) -> Vec<Thrown> {
        let rules = self.rules();
        let mut position = before.clone();
        let mut thrown = Vec::new();
        for step in self.game.steps().iter().skip(steps) {
            let player = rules.mover(&position);
            let Ok(next) = rules.play_step(&position, *step) else { break };
            if let Step::Throw(face) = *step {
                let came_to = match (rules.die(&position), rules.die(&next)) {
                    (_, Some(Die::Shows(_))) => CameTo::Move,
                    (Some(Die::Awaited(1)), _) => CameTo::Pass,
                    _ => CameTo::Again,
                };
                thrown.push(Thrown { player, face, came_to });
            } else {
                // What was thrown for it is told with it, or was long ago.
                thrown.clear();
            }
            position = next;
        }
        thrown
    }

    /// The moves of the others since the player who is asked was last asked.
    pub(crate) fn recent_moves(&self) -> impl Iterator<Item = Move> {
        let player = self.actor();
        let others = self.turns.iter().rev().take_while(move |played| played.player != player);
        let all = self.rules().players().count();
        others.take(all).filter_map(|played| match played.act {
            Act::Move(chosen) => Some(chosen),
            _ => None,
        })
    }

    /// How the game ended, if it has.
    pub(crate) fn ending(&self) -> Option<&End> {
        self.game.end()
    }

    /// Does something, or says why it is not allowed.
    pub(crate) fn play(&mut self, act: Act) -> Result<(), Illegal> {
        let player = self.actor();
        let text = act.text(self.rules(), self.position());
        match act {
            Act::Resign if self.game.end().is_none() => self.resign(player)?,
            _ => {
                self.game.submit(&act)?;
            }
        }
        if self.by_team && matches!(act, Act::Offer | Act::Accept) {
            self.game.agree(self.rules().team(player));
        }
        self.turns.push(Played { player, act, text });
        Ok(())
    }

    /// Of two sides, the other has won; among more the others play on. Who plays for a team gives up for the team.
    fn resign(&mut self, player: Player) -> Result<(), Illegal> {
        if self.game.goes_on_without(player) {
            self.game.leave(player);
        } else if self.by_team {
            self.game.resign(self.rules().team(player));
        } else {
            self.game.submit(&Act::Resign)?;
        }
        Ok(())
    }

    /// The same game, only its first turns played.
    pub(crate) fn first(&self, turns: usize) -> Session {
        let mut earlier = Session::new(self.chosen.clone(), self.start.clone(), self.seed, self.by_team);
        for played in self.turns.iter().take(turns) {
            // It was allowed before, and nothing is different now.
            let _ = earlier.play(played.act.clone());
        }
        earlier
    }
}
