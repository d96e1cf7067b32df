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
    /// A board before a move.
    pub(crate) fn new(position: &Position) -> Self {
        Trial { position: position.clone(), fallen: PlayerSet::EMPTY }
    }

    /// The same once more, in the same memory.
    fn begin(&mut self, position: &Position) {
        self.position.clone_from(position);
        self.fallen = PlayerSet::EMPTY;
    }

    /// What follows from the move before it is judged: owners of captured leaders are out, and flags count down.
    fn conclude(&mut self) {
        self.fallen = self.fallen.without(self.position.eliminated());
        if !self.fallen.is_empty() {
            self.position.eliminate(self.fallen);
        }
        self.position.count_down();
    }

    /// Whether the player lost a leader by it.
    pub(crate) fn loses_leader(&self, player: Player) -> bool {
        self.fallen.contains(player)
    }
}

impl Walker<'_> {
    /// Makes a move on a copy of the board; `None` if a side effect has nowhere to go.
    pub(crate) fn carry_out(&self, act: &Act, target: Square, promotion: Option<Kind>) -> Option<Trial> {
        let mut trial = Trial::new(self.position);
        self.carry_out_on(&mut trial, act, target, promotion)?;
        Some(trial)
    }

    fn carry_out_on(
        &self,
        trial: &mut Trial,
        act: &Act,
        target: Square,
        promotion: Option<Kind>,
    ) -> Option<()> {
        if act.captures {
            self.capture(trial, target);
        }
        let unmoved = self.position.unmoved(self.source);
        let piece = Piece { player: self.player, kind: self.kind, unmoved };
        trial.position.shift(self.source, target, piece, false);
        let mut mover = Some(target);
        for change in &act.changes {
            self.change(trial, &mut mover, change)?;
        }
        if let (Some(kind), Some(square)) = (promotion, mover) {
            trial.position.remove(square);
            trial.position.put(square, Piece { player: self.player, kind, unmoved: true });
        }
        Some(())
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
        let mut trial = self.carry_out(act, target, promotion)?;
        if trial.loses_leader(self.player) {
            return None;
        }
        trial.conclude();
        if self.rules.in_check(&trial.position, self.player) {
            return None;
        }
        self.hand_over(&mut trial);
        Some(trial.position)
    }

    /// The same for a landing that is known to be legal, in memory that was used before.
    pub(crate) fn make<'t>(
        &self,
        trial: &'t mut Trial,
        act: &Act,
        target: Square,
        promotion: Option<Kind>,
    ) -> &'t Position {
        trial.begin(self.position);
        let made = self.carry_out_on(trial, act, target, promotion);
        debug_assert!(made.is_some(), "a legal move is not blocked");
        trial.conclude();
        self.hand_over(trial);
        &trial.position
    }

    /// Ends the game or the turn. A game that never had a second player is not over because nobody is left to lose.
    fn hand_over(&self, trial: &mut Trial) {
        if !trial.fallen.is_empty() && self.rules.alive(&trial.position).len() <= 1 {
            trial.position.end(Termination::LeaderCaptured);
        } else {
            self.rules.pass_turn(&mut trial.position);
        }
    }
}

impl Rules {
    /// The position after a legal move.
    ///
    /// The move must be one of [`Rules::legal_moves`] of this position: another one may give a position that no game
    /// reaches, or panic. [`Rules::play`] checks.
    pub fn play_unchecked(&self, position: &Position, played: Move) -> Position {
        self.settled(self.finished(position, played).expect("the move is legal"))
    }

    /// The position after a move, before it is settled; `None` if a leader is left in danger.
    pub(crate) fn finished(&self, position: &Position, played: Move) -> Option<Position> {
        let (player, kind) = (self.mover(position), position.kind(played.from));
        let walker = Walker::committed(self, position, player, kind, played.from);
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
        while self.is_unsettled(position) && !self.can_move(position) {
            let player = self.mover(position);
            position.eliminate([player].into_iter().collect());
            self.pass_turn(position);
        }
    }

    /// The same by value.
    pub(crate) fn settled(&self, mut position: Position) -> Position {
        self.settle(&mut position);
        position
    }

    /// Whether it must be asked if the player to move can: more than two are in the game.
    pub(crate) fn is_unsettled(&self, position: &Position) -> bool {
        position.ended().is_none() && self.alive(position).len() > 2
    }

    pub(crate) fn reason_for_no_move(&self, position: &Position, player: Player) -> Termination {
        if self.in_check(position, player) { Termination::Checkmate } else { Termination::Stalemate }
    }
}
