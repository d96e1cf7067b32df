//! How a game stood, kept so that it can be taken back. What is behind a game only grows, so it is enough to remember how
//! long it was: a snapshot costs the same however long the game is.

use tabiya_engine::{Identity, PlayerSet, Position};
use tabiya_notation::State;

use super::{End, Game, Offer, Proposal};
use crate::Dice;

/// How a game stood once.
#[derive(Clone, Debug)]
pub struct Snapshot {
    state: State,
    present: Identity,
    earlier: usize,
    steps: usize,
    dice: Dice,
    offer: Option<Offer>,
    exchange: Proposal,
    resigning: PlayerSet,
    end: Option<End>,
}

impl Snapshot {
    /// The position that was on the board.
    pub fn position(&self) -> &Position {
        &self.state.position
    }
}

impl Game {
    /// How the game stands now.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            state: self.state.clone(),
            present: self.present.clone(),
            earlier: self.earlier.len(),
            steps: self.steps.len(),
            dice: self.dice.clone(),
            offer: self.offer,
            exchange: self.exchange,
            resigning: self.resigning,
            end: self.end.clone(),
        }
    }

    /// Takes back everything since then. The snapshot is one of this very game, and nothing before it has been taken back.
    pub fn restore(&mut self, snapshot: Snapshot) {
        let Snapshot { state, present, earlier, steps, dice, offer, exchange, resigning, end } = snapshot;
        self.earlier.truncate(earlier);
        self.steps.truncate(steps);
        (self.state, self.present, self.dice) = (state, present, dice);
        (self.offer, self.exchange, self.resigning, self.end) = (offer, exchange, resigning, end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Act;

    #[test]
    fn what_is_taken_back_is_as_if_it_had_never_been() {
        for name in ["chess", "enochian", "chaturaji", "fourplayer"] {
            let mut game = Game::new(tabiya_spec::library::load(name).unwrap().rules);
            let mut before = Vec::new();
            for turn in 0..60 {
                before.push((game.snapshot(), format!("{game:?}")));
                let ways = game.ways_on();
                let Some(act) = ways.get(turn * 7 % ways.len().max(1)) else { break };
                game.submit(act).unwrap();
            }
            game.submit(&Act::Resign).ok();
            while let Some((snapshot, shown)) = before.pop() {
                game.restore(snapshot);
                assert_eq!(format!("{game:?}"), shown, "{name}");
            }
        }
    }
}
