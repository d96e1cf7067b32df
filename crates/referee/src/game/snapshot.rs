//! Snapshots for undo. The history of a game only grows, so a snapshot stores its length and costs the same at any time.

use tabiya_engine::{Identity, Player, PlayerSet, Position};
use tabiya_notation::State;

use super::{End, Game, Offer, Proposal};
use crate::Dice;

/// The state of a game at one time.
#[derive(Clone, Debug)]
pub struct Snapshot {
    state: State,
    present: Identity,
    earlier: usize,
    steps: usize,
    dice: Dice,
    offers: Vec<Offer>,
    exchange: Proposal,
    asked: Vec<Player>,
    resigning: PlayerSet,
    end: Option<End>,
}

impl Snapshot {
    /// The position.
    pub fn position(&self) -> &Position {
        &self.state.position
    }
}

impl Game {
    /// Takes a snapshot.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            state: self.state.clone(),
            present: self.present.clone(),
            earlier: self.earlier.len(),
            steps: self.steps.len(),
            dice: self.dice.clone(),
            offers: self.offers.clone(),
            exchange: self.exchange,
            asked: self.asked.clone(),
            resigning: self.resigning,
            end: self.end.clone(),
        }
    }

    /// Restores a snapshot of this same game. Snapshots of later times are invalid afterwards.
    pub fn restore(&mut self, snapshot: Snapshot) {
        let Snapshot { state, present, earlier, steps, dice, offers, exchange, asked, resigning, end } =
            snapshot;
        self.earlier.truncate(earlier);
        self.steps.truncate(steps);
        (self.state, self.present, self.dice) = (state, present, dice);
        (self.offers, self.exchange, self.asked) = (offers, exchange, asked);
        (self.resigning, self.end) = (resigning, end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Action;

    #[test]
    fn restoring_undoes_everything() {
        for name in ["chess", "enochian", "chaturaji", "fourplayer"] {
            let mut game = Game::new(tabiya_spec::library::load(name).unwrap().rules);
            let mut before = Vec::new();
            for turn in 0..60 {
                before.push((game.snapshot(), format!("{game:?}")));
                let actions = game.required_actions();
                let Some(action) = actions.get(turn * 7 % actions.len().max(1)) else { break };
                game.submit(action).unwrap();
            }
            game.submit(&Action::Resign).ok();
            while let Some((snapshot, shown)) = before.pop() {
                game.restore(snapshot);
                assert_eq!(format!("{game:?}"), shown, "{name}");
            }
        }
    }
}
