//! Why a move is not legal: the rule that forbids it, as data.

use crate::blueprint::{Condition, Occupancy};
use crate::landing::Walker;
use crate::moves::Move;
use crate::pattern::Modifier;
use crate::piece::{Kind, Piece, Player};
use crate::position::Position;
use crate::rules::{Act, Pattern, Rules};
use crate::square::Square;

/// The rule that forbids a move. Later variants came closer to a legal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The game has ended.
    GameOver,
    /// One of the squares is not on the board.
    NoSuchSquare,
    /// Nothing stands on the source.
    NoPiece,
    /// The piece belongs to somebody else.
    NotYours(Player),
    /// No move of the piece leads there.
    OutOfReach(Kind),
    /// The slide ends before, on this square.
    Blocked(Square),
    /// The move that leads there does nothing on a square in this state.
    NoAction {
        /// Number of the move.
        id: i32,
        /// What stands on the landing.
        state: Occupancy,
    },
    /// What stands on the landing cannot be captured by this piece: it is frozen, or of a kind that it does not take.
    Protected,
    /// A condition of the move does not hold.
    Condition {
        /// Number of the move.
        id: i32,
        /// The condition.
        condition: Condition,
    },
    /// A side effect has nowhere to go.
    EffectBlocked {
        /// Number of the move.
        id: i32,
    },
    /// The move would remove the mover's own leader.
    LosesLeader,
    /// The mover's leader would stand attacked.
    ExposesLeader,
    /// A leader is attacked and can move, so it must.
    LeaderMustMove,
    /// There is nothing to throw, to exchange or to hand over now.
    NoOccasion,
    /// The die must be thrown first.
    ThrowFirst,
    /// The die allows other pieces.
    OtherPieces,
    /// The move is legal, but not with this promotion; these are the options (none: it does not promote).
    Promotion(Vec<Kind>),
}

impl Refusal {
    /// How close it came.
    fn rank(&self) -> u8 {
        match self {
            Refusal::GameOver | Refusal::NoSuchSquare | Refusal::NoPiece | Refusal::NotYours(_) => 0,
            Refusal::OutOfReach(_) => 1,
            Refusal::Blocked(_) => 2,
            Refusal::NoAction { .. } | Refusal::Protected => 3,
            Refusal::Condition { .. } => 4,
            Refusal::EffectBlocked { .. } => 5,
            Refusal::LosesLeader | Refusal::ExposesLeader => 6,
            Refusal::LeaderMustMove | Refusal::NoOccasion | Refusal::ThrowFirst | Refusal::OtherPieces => 7,
            Refusal::Promotion(_) => 8,
        }
    }
}

impl Rules {
    /// The position after a move, or the rule that forbids it.
    pub fn play(&self, position: &Position, played: Move) -> Result<Position, Refusal> {
        let legal = self.legal_moves(position);
        if legal.contains(&played) {
            Ok(self.play_unchecked(position, played))
        } else {
            Err(self.refusal(position, played.from, played.to))
        }
    }

    /// Why no legal move leads from one square to the other: the refusal that came closest. If there is one after
    /// all, the promotion must be wrong.
    pub fn refusal(&self, position: &Position, from: Square, to: Square) -> Refusal {
        if self.outcome(position).is_some() {
            return Refusal::GameOver;
        }
        if !self.board.has(from) || !self.board.has(to) {
            return Refusal::NoSuchSquare;
        }
        let player = self.mover(position);
        let Some(host) = position.piece(from) else { return Refusal::NoPiece };
        let own = [Some(host), position.guest(from)].into_iter().flatten().filter(|it| it.player == player);
        own.flat_map(|piece| self.refusals(position, piece, from, to))
            .max_by_key(Refusal::rank)
            .unwrap_or(Refusal::NotYours(host.player))
    }

    /// Why each move of a piece does not lead there.
    fn refusals(&self, position: &Position, piece: Piece, from: Square, to: Square) -> Vec<Refusal> {
        let walker = Walker::new(self, position, piece.player, piece.kind, from, true);
        let found = (0..walker.patterns().len()).filter_map(|index| walker.refusal(index, to));
        std::iter::once(Refusal::OutOfReach(piece.kind)).chain(found).collect()
    }
}

impl Walker<'_> {
    /// Why a pattern does not lead to the target, if it points there at all.
    fn refusal(&self, index: usize, target: Square) -> Option<Refusal> {
        let pattern = &self.patterns()[index];
        let mut at = self.source;
        let mut ended = None;
        for steps in 1..=pattern.max {
            at = self.rules.jumps.to(pattern.jump, at)?;
            if at == target {
                return match ended {
                    Some(square) => Some(Refusal::Blocked(square)),
                    None if steps < pattern.min => None,
                    None => Some(self.refusal_at(index, pattern, target, steps)),
                };
            }
            if ended.is_none() && self.ends_slide(pattern.until, at) {
                ended = Some(at);
            }
        }
        None
    }

    fn refusal_at(&self, index: usize, pattern: &Pattern, target: Square, steps: u32) -> Refusal {
        let plan = &self.rules.kind(self.kind).moves[index];
        let state = self.state_of(target);
        let Some(act) = self.act_for(pattern, target) else {
            let is_protected = pattern.act(state).is_some();
            return if is_protected { Refusal::Protected } else { Refusal::NoAction { id: plan.id, state } };
        };
        let action = plan.actions.iter().find(|action| action.on == state);
        let conditions =
            plan.conditions.iter().chain(action.into_iter().flat_map(|action| &action.conditions));
        let failed = pattern
            .tests
            .iter()
            .chain(&act.tests)
            .zip(conditions)
            .find(|(test, _)| !self.holds(test, pattern, target, steps));
        if let Some((_, condition)) = failed {
            return Refusal::Condition { id: plan.id, condition: condition.clone() };
        }
        let modifier = self.chosen(pattern, target);
        match self.carry_out(act, target, modifier.and_then(|modifier| modifier.choices().next())) {
            None => Refusal::EffectBlocked { id: plan.id },
            Some(trial) if trial.loses_leader(self.player) => Refusal::LosesLeader,
            Some(_) => self.refusal_of_legal(act, target, modifier),
        }
    }

    /// What forbids a move that the piece can make: danger for the leader, a leader that must move, the die; otherwise
    /// the promotion is wrong.
    fn refusal_of_legal(&self, act: &Act, target: Square, modifier: Option<&Modifier>) -> Refusal {
        let exposure = self.rules.exposure_now(self.position);
        let legal = |becomes| self.finish(act, target, becomes, exposure).is_some();
        let is_legal = match modifier {
            Some(modifier) => modifier.choices().any(|choice| legal(Some(choice))),
            None => legal(None),
        };
        if !is_legal {
            return Refusal::ExposesLeader;
        }
        if let Some(refusal) = self.rules.refusal_by_die(self.position, self.kind) {
            return refusal;
        }
        let is_leader = Some(self.kind) == self.rules.leader();
        if self.rules.mechanics().leadership.must_move
            && !is_leader
            && self.rules.leader_must_move(self.position)
        {
            return Refusal::LeaderMustMove;
        }
        Refusal::Promotion(modifier.map(|modifier| modifier.options.to_vec()).unwrap_or_default())
    }
}
