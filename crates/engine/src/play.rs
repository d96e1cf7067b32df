//! Making moves: what changes on the board, who falls, whose turn comes.
//!
//! A move is carried out on a copy. The order is that of the rules: capture, move, effects of the action, effects of
//! the move, promotion; then owners of captured leaders are out, flags count down, and the result is judged.

use crate::landing::Walker;
use crate::moves::Move;
use crate::outcome::Termination;
use crate::piece::{Kind, Piece, Player, PlayerSet};
use crate::position::{Countdown, Mark, Position};
use crate::rules::{Act, Change, Rules};
use crate::square::Square;

/// A board after a move, before it is judged.
pub(crate) struct Trial {
    position: Position,
    /// The players who lost a leader.
    fallen: PlayerSet,
}

impl Trial {
    /// Whether the player lost a leader by it.
    pub(crate) fn loses_leader(&self, player: Player) -> bool {
        self.fallen.contains(player)
    }
}

impl Walker<'_> {
    /// Makes a move on a copy of the board; `None` if a side effect has nowhere to go.
    pub(crate) fn carry_out(&self, act: &Act, target: Square, promotion: Option<Kind>) -> Option<Trial> {
        let mut trial = Trial { position: self.position.clone(), fallen: PlayerSet::EMPTY };
        if act.captures {
            self.capture(&mut trial, target);
        }
        let unmoved = self.position.unmoved(self.source);
        let piece = Piece { player: self.player, kind: self.kind, unmoved };
        trial.position.shift(self.source, target, piece, false);
        let mut mover = Some(target);
        for change in &act.changes {
            self.change(&mut trial, &mut mover, change)?;
        }
        if let (Some(kind), Some(square)) = (promotion, mover) {
            trial.position.remove(square);
            trial.position.put(square, Piece { player: self.player, kind, unmoved: true });
        }
        Some(trial)
    }

    fn capture(&self, trial: &mut Trial, square: Square) {
        let victim = trial.position.remove(square);
        if Some(victim.kind) == self.rules.leader() {
            trial.fallen = trial.fallen.with(victim.player);
        }
    }

    fn change(&self, trial: &mut Trial, mover: &mut Option<Square>, change: &Change) -> Option<()> {
        let at = |jump| self.rules.jumps.to(jump, self.source);
        match change {
            Change::SetFlag { flag, duration } => {
                if let Some(square) = *mover {
                    let slot = self.position.slot();
                    let countdown = duration.map(|remaining| Countdown { slot, remaining });
                    trial.position.mark(Mark { square, flag: *flag, countdown });
                }
            }
            Change::Capture(jump) => {
                if let Some(square) = at(*jump)
                    && trial.position.occupied(square)
                {
                    self.capture(trial, square);
                    *mover = mover.filter(|mover| *mover != square);
                }
            }
            Change::Relocate { kind, from, to } => {
                let found = at(*from).and_then(|from| Some((from, trial.position.piece(from)?)));
                if let Some((from, piece)) = found
                    && piece.player == self.player
                    && kind.is_none_or(|kind| kind == piece.kind)
                {
                    let to = at(*to).filter(|to| !trial.position.occupied(*to))?;
                    trial.position.shift(from, to, piece, false);
                    *mover = mover.map(|mover| if mover == from { to } else { mover });
                }
            }
        }
        Some(())
    }

    /// The finished position after a landing, if it is legal; the next turn is not yet settled.
    pub(crate) fn finish(&self, act: &Act, target: Square, promotion: Option<Kind>) -> Option<Position> {
        let trial = self.carry_out(act, target, promotion)?;
        if trial.loses_leader(self.player) {
            return None;
        }
        let mut position = trial.position;
        let fallen = trial.fallen.without(position.eliminated());
        if !fallen.is_empty() {
            position.eliminate(fallen);
        }
        position.count_down();
        if self.rules.in_check(&position, self.player) {
            return None;
        }
        // A game that never had a second player is not over because nobody is left to lose.
        if !fallen.is_empty() && self.rules.alive(&position).len() <= 1 {
            position.end(Termination::LeaderCaptured);
        } else {
            self.rules.pass_turn(&mut position);
        }
        Some(position)
    }
}

impl Rules {
    /// The position after a legal move.
    ///
    /// The move must be one of [`Rules::legal_moves`] of this position: another one may give a position that no game
    /// reaches, or panic. [`Rules::play`] checks.
    pub fn play_unchecked(&self, position: &Position, played: Move) -> Position {
        let mut next = self.finished(position, played).expect("the move is legal");
        self.settle(&mut next);
        next
    }

    /// The position after a move, before it is settled; `None` if a leader is left in danger.
    pub(crate) fn finished(&self, position: &Position, played: Move) -> Option<Position> {
        let (player, kind) = (self.mover(position), position.kind(played.from));
        let walker = Walker::new(self, position, player, kind, played.from, true);
        let pattern = &walker.patterns()[usize::from(played.pattern)];
        let act = walker.act_for(pattern, played.to)?;
        walker.finish(act, played.to, played.promotion)
    }

    /// Gives the turn to the next player who is still in the game.
    fn pass_turn(&self, position: &mut Position) {
        let order = &self.blueprint.order;
        let dead = position.eliminated();
        let next = (1..=order.len())
            .map(|ahead| (usize::from(position.slot()) + ahead) % order.len())
            .find(|slot| !dead.contains(order[*slot]));
        if let Some(slot) = next {
            position.set_slot(slot as u16);
        }
    }

    /// Takes out, one after the other, players who have no legal move, while more than two are in the game. It is
    /// judged when a player's own turn arrives, so that others can still help; and it is no turn: no flag counts down.
    pub(crate) fn settle(&self, position: &mut Position) {
        while position.ended().is_none() && self.alive(position).len() > 2 && !self.can_move(position) {
            let player = self.mover(position);
            position.eliminate([player].into_iter().collect());
            self.pass_turn(position);
        }
    }

    pub(crate) fn reason_for_no_move(&self, position: &Position, player: Player) -> Termination {
        if self.in_check(position, player) { Termination::Checkmate } else { Termination::Stalemate }
    }
}
