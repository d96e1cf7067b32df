//! Making moves: the changes on the board, the consequences for armies, and the next turn.
//!
//! A move is made on a copy of the position, in the order of the rules: capture, move, effects of the action, effects
//! of the move, promotion. Then the consequences for whole armies follow ([`consequences`]), flags count down, and
//! the turn ends ([`turn`]).

mod consequences;
mod die;
mod drop;
mod effects;
mod exchange;
mod gating;
mod marked_squares;
mod parts;
mod phase;
pub(crate) mod reactions;
pub(crate) mod results;
mod step;
mod triggers;
mod turn;

pub use die::Die;
pub use exchange::Exchange;
pub use phase::{Phase, PhaseError, Transition, Turn};
pub use step::Step;

use smallvec::SmallVec;

use crate::blueprint::mechanics::{Exposure, HandOf, HandsPlan};
use crate::compile::pattern::{Action, Change, Modifier, Pattern};
use crate::endings::Termination;
use crate::movegen::walker::Walker;
use crate::moves::Move;
use crate::piece::{Kind, Piece, Player, PlayerSet};
use crate::play::results::{Legality, Making, Results};
use crate::position::{Countdown, Mark, Position, Spot};
use crate::rules::Rules;
use crate::square::Square;

/// A position after a move, before the turn ends.
pub(crate) struct Trial {
    pub(crate) position: Position,
    /// The players who lost a leader.
    pub(crate) lost_leaders: PlayerSet,
    /// The captured pieces, if something depends on them.
    pub(crate) captured: SmallVec<[(Player, Kind); 2]>,
    /// The new spot of the moved piece, if it is still on the board.
    pub(crate) mover: Option<Spot>,
    /// Whether the set of pieces changed: a piece is gone or has another kind or owner.
    pub(crate) changed_pieces: bool,
    /// Who moves next, apart from the order.
    pub(crate) next: NextTurn,
    /// Whether the turn goes on with another part.
    pub(crate) goes_on: bool,
}

/// Who moves next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum NextTurn {
    /// The next slot of the order.
    #[default]
    Following,
    /// The same slot again.
    Again,
    /// The next slot of another player.
    Another,
}

/// A promotion that a player chose.
#[derive(Clone, Copy)]
pub(crate) struct PromotionChoice<'a> {
    kind: Kind,
    /// The kinds that other pieces of the chosen kind become.
    replaces: &'a [(Kind, Kind)],
}

impl Modifier {
    /// Iterates over the choices.
    pub(crate) fn choices(&self) -> impl Iterator<Item = PromotionChoice<'_>> {
        self.options.iter().map(|kind| self.choice(*kind))
    }

    pub(crate) fn choice(&self, kind: Kind) -> PromotionChoice<'_> {
        PromotionChoice { kind, replaces: &self.replaces }
    }
}

impl PromotionChoice<'_> {
    pub(crate) fn kind(self) -> Kind {
        self.kind
    }
}

impl Trial {
    /// Returns a copy of a position, before a move.
    pub(crate) fn new(position: &Position) -> Self {
        Trial {
            position: position.clone(),
            lost_leaders: PlayerSet::EMPTY,
            captured: SmallVec::new(),
            mover: None,
            changed_pieces: false,
            next: NextTurn::Following,
            goes_on: false,
        }
    }

    /// Starts again from a position, reusing the allocation.
    pub(crate) fn begin(&mut self, position: &Position) {
        self.position.clone_from(position);
        self.lost_leaders = PlayerSet::EMPTY;
        self.captured.clear();
        self.mover = None;
        self.changed_pieces = false;
        self.next = NextTurn::Following;
        self.goes_on = false;
    }

    /// Returns whether the player lost a leader.
    pub(crate) fn loses_leader(&self, player: Player) -> bool {
        self.lost_leaders.contains(player)
    }

    /// Removes the pieces on an occupied square, including a guest.
    pub(crate) fn capture(&mut self, rules: &Rules, square: Square) {
        self.changed_pieces = true;
        if self.position.has_guest(square) {
            let (guest, _) = self.position.take(Spot::guest(square));
            self.captured.push((guest.player, guest.kind));
            if let Some(hands) = &rules.mechanics().hands {
                self.give(rules, hands, guest);
            }
        }
        let victim = self.position.remove(square);
        self.note_capture(rules, victim);
        self.lose(rules, victim);
    }

    /// Notes a captured piece, and adds it to a hand.
    fn note_capture(&mut self, rules: &Rules, victim: Piece) {
        if let Some(hands) = &rules.mechanics().hands {
            self.give(rules, hands, victim);
        }
        if rules.needs_captured {
            self.captured.push((victim.player, victim.kind));
        }
    }

    /// Notes whether a player has lost with a piece, which is no longer on the board.
    fn lose(&mut self, rules: &Rules, piece: Piece) {
        if rules.is_leader(piece.kind) && rules.has_lost(&self.position, piece) {
            self.lost_leaders = self.lost_leaders.with(piece.player);
        }
    }

    /// Adds a captured piece to a hand.
    fn give(&mut self, rules: &Rules, hands: &HandsPlan, piece: Piece) {
        let player = match hands.captured_to {
            None => return,
            Some(HandOf::Captor) => rules.mover(&self.position),
            Some(HandOf::Owner) => piece.player,
        };
        let kind = rules.kind(piece.kind).reverts_to.unwrap_or(piece.kind);
        let count = self.position.in_hand(player, kind).saturating_add(1);
        self.position.set_in_hand(player, kind, count);
    }

    /// Replaces the piece in a spot with a new, unmoved one.
    pub(crate) fn transform(&mut self, rules: &Rules, spot: Spot, kind: Kind) {
        self.changed_pieces = true;
        let (piece, _) = self.position.take(spot);
        if !spot.guest {
            self.position.drop_marks(spot.square);
        }
        self.position.put_at(spot, Piece { kind, unmoved: true, ..piece }, rules.tag_of(kind, spot.square));
    }
}

impl Walker<'_> {
    /// Makes a move on a copy of the position. Returns `None` if a side effect is blocked.
    pub(crate) fn try_move(
        &self,
        making: (&Pattern, &Action),
        target: Square,
        promotion: Option<PromotionChoice<'_>>,
    ) -> Option<Trial> {
        let mut trial = Trial::new(self.position);
        self.apply(&mut trial, making, target, promotion)?;
        Some(trial)
    }

    fn apply(
        &self,
        trial: &mut Trial,
        (pattern, action): (&Pattern, &Action),
        target: Square,
        promotion: Option<PromotionChoice<'_>>,
    ) -> Option<()> {
        if pattern.is_composite {
            for square in self.taken_on_the_way(pattern, target) {
                trial.capture_on_the_way(self.rules, square);
            }
        }
        // The piece on the target may have been captured on the way.
        if action.captures && trial.position.occupied(target) {
            trial.capture(self.rules, target);
        }
        if target == self.source || action.shoots {
            // One of two pieces on a square is not promoted there: the host would no longer be the leader.
            if promotion.is_some() && self.position.has_guest(target) {
                return None;
            }
            self.stay(trial);
        } else if self.rules.mechanics().sharing.is_some() {
            self.change_spot(trial, target);
        } else {
            let unmoved = self.position.unmoved(self.source);
            let piece = Piece { player: self.player, kind: self.kind, unmoved };
            trial.position.shift(self.source, target, piece, false);
            trial.mover = Some(Spot::host(target));
        }
        for change in &action.changes {
            self.change(trial, change, target)?;
        }
        if let (Some(promotion), Some(spot)) = (promotion, trial.mover) {
            self.promote(trial, promotion, spot);
        }
        Some(())
    }

    /// Leaves the piece where it is. It counts as moved.
    fn stay(&self, trial: &mut Trial) {
        let spot = self.spot();
        let (piece, tag) = trial.position.take(spot);
        trial.position.put_at(spot, Piece { unmoved: false, ..piece }, tag);
        trial.mover = Some(spot);
    }

    /// Moves the piece in a game with shared squares: a guest may leave, and a piece may join a host.
    fn change_spot(&self, trial: &mut Trial, target: Square) {
        let position = &mut trial.position;
        let from = self.spot();
        let to = Spot { square: target, guest: position.occupied(target) };
        position.carry(from, to, self.player, self.kind);
        match (from.guest, to.guest) {
            (true, _) => {}
            (false, true) => position.drop_marks(self.source),
            (false, false) => position.move_marks(self.source, target),
        }
        position.settle_guest(self.source);
        trial.mover = Some(to);
    }

    /// Promotes the piece. Other pieces of the new kind are replaced first.
    fn promote(&self, trial: &mut Trial, promotion: PromotionChoice<'_>, spot: Spot) {
        let mut replaced = promotion.replaces.iter().filter(|(kind, _)| *kind == promotion.kind);
        if let Some((kind, to)) = replaced.next() {
            let others: SmallVec<[Spot; 4]> =
                trial.position.spots_of(self.player, *kind).filter(|other| *other != spot).collect();
            let others =
                others.into_iter().filter(|other| !self.rules.is_taken(&trial.position, other.square));
            let others: SmallVec<[Spot; 4]> = others.collect();
            others.into_iter().for_each(|other| trial.transform(self.rules, other, *to));
        }
        trial.transform(self.rules, spot, promotion.kind);
    }

    fn change(&self, trial: &mut Trial, change: &Change, target: Square) -> Option<()> {
        let at = |jump| self.rules.jumps.to(jump, self.source);
        match change {
            Change::SetFlag { flag, duration } => {
                if let Some(Spot { square, guest: false }) = trial.mover {
                    let slot = self.position.slot();
                    let countdown = duration.map(|remaining| Countdown { slot, remaining });
                    trial.position.mark(Mark { square, flag: *flag, countdown });
                }
            }
            Change::Capture(jump) => {
                let is_frozen = |piece: Piece| trial.position.frozen().contains(piece.player);
                if let Some(square) = at(*jump)
                    && trial.position.piece(square).is_some_and(|piece| !is_frozen(piece))
                    && !self.rules.is_taken(&trial.position, square)
                {
                    trial.capture(self.rules, square);
                    trial.mover = trial.mover.filter(|mover| mover.square != square);
                }
            }
            Change::CaptureMarked(flag) => {
                let marking: SmallVec<[Square; 2]> =
                    self.rules.pieces_that_mark(&trial.position, *flag, self.player, target).collect();
                for square in marking {
                    trial.capture(self.rules, square);
                }
            }
            Change::Drop { kind, at: jump, needed } => {
                let square = at(*jump).filter(|square| !trial.position.occupied(*square))?;
                if self.position.in_hand(self.player, *kind) < *needed {
                    return None;
                }
                trial.put_from_hand(self.rules, self.player, *kind, square);
            }
            Change::Relocate { kind, from, to } => {
                let found = at(*from).and_then(|from| Some((from, trial.position.piece(from)?)));
                if let Some((from, piece)) = found
                    && piece.player == self.player
                    && kind.is_none_or(|kind| kind == piece.kind)
                    && !self.rules.is_taken(&trial.position, from)
                {
                    let to = at(*to).filter(|to| !trial.position.occupied(*to))?;
                    trial.position.shift(from, to, piece, false);
                    trial.mover = trial.mover.map(|mover| match mover {
                        Spot { square, guest: false } if square == from => Spot::host(to),
                        // The host has left; the guest is the only piece.
                        Spot { square, guest: true } if square == from => Spot::host(from),
                        other => other,
                    });
                }
            }
        }
        Some(())
    }

    /// Returns the position after a landing, if the move is legal. The next turn is not settled yet.
    pub(crate) fn finish(
        &self,
        (pattern, action): (&Pattern, &Action),
        target: Square,
        promotion: Option<PromotionChoice<'_>>,
        legality: Legality<'_>,
    ) -> Option<Position> {
        if self.is_taken(self.source) {
            return None;
        }
        let trial = self.try_move((pattern, action), target, promotion)?;
        if trial.loses_leader(self.player) {
            return None;
        }
        let promotion = promotion.map(PromotionChoice::kind);
        self.finish_trial(trial, legality, Making::Pattern { pattern, action, target, promotion })
    }

    /// Returns the position after a move that was made on a copy, if it is legal.
    pub(crate) fn finish_trial(
        &self,
        mut trial: Trial,
        legality: Legality<'_>,
        making: Making<'_>,
    ) -> Option<Position> {
        self.apply_consequences(&mut trial, making);
        if trial.goes_on {
            let is_known = legality.results == Results::Known;
            return (is_known || self.meets_results(&trial, legality, making)).then_some(trial.position);
        }
        // An effect of a trigger may remove the leader.
        if trial.loses_leader(self.player) && legality.results != Results::Known {
            return None;
        }
        // Parts of a turn are listed without regard to the safety of leaders, which is judged now.
        let exposure = match legality.exposure {
            Exposure::Allowed if self.rules.has_parts && legality.results != Results::Known => {
                self.rules.mechanics().leadership.exposure
            }
            exposure => exposure,
        };
        let is_asked = match exposure {
            Exposure::Illegal => true,
            Exposure::Allowed => false,
            Exposure::AllowedInCheck => {
                self.rules.is_leader(self.kind) && !matches!(making, Making::Drop { .. })
            }
        };
        if is_asked
            && (self.rules.in_check(&trial.position, self.player)
                || self.rules.drops_with_moves && self.needs_its_drops(&trial, making))
        {
            return None;
        }
        if legality.results != Results::Known && !self.meets_results(&trial, legality, making) {
            return None;
        }
        self.finish_turn(&mut trial);
        Some(trial.position)
    }

    /// Makes a move that is known to be legal, reusing the allocation of the trial.
    pub(crate) fn make<'t>(
        &self,
        trial: &'t mut Trial,
        (pattern, action): (&Pattern, &Action),
        target: Square,
        promotion: Option<PromotionChoice<'_>>,
    ) -> &'t Position {
        trial.begin(self.position);
        let made = self.apply(trial, (pattern, action), target, promotion);
        debug_assert!(made.is_some(), "a legal move is not blocked");
        let promotion = promotion.map(PromotionChoice::kind);
        self.apply_consequences(trial, Making::Pattern { pattern, action, target, promotion });
        self.finish_turn(trial);
        &trial.position
    }

    /// Ends the game or the turn. A game with a single player does not end because no opponent is left.
    pub(crate) fn finish_turn(&self, trial: &mut Trial) {
        if trial.goes_on {
            return;
        }
        if !trial.lost_leaders.is_empty() && self.rules.last_team(&trial.position).is_some() {
            trial.position.end(Termination::LeaderCaptured);
        } else {
            self.rules.end_turn(&mut trial.position, trial.changed_pieces, trial.next);
        }
    }
}

impl Rules {
    /// Returns the position after a legal move.
    ///
    /// # Panics
    ///
    /// The move must be one of [`Rules::legal_moves`] of this position. Any other move may panic or return a position
    /// that no game reaches. [`Rules::play`] checks the move.
    pub fn play_unchecked(&self, position: &Position, played: Move) -> Position {
        if self.has_parts {
            return self.settled(self.complete_turn(position, played).expect("the move is legal"));
        }
        self.settled(self.finished(position, played, Legality::KNOWN).expect("the move is legal"))
    }

    /// Returns the position after a legal move, before the next turn is settled.
    pub(crate) fn finished(
        &self,
        position: &Position,
        played: Move,
        legality: Legality<'_>,
    ) -> Option<Position> {
        if let Some(kind) = played.dropped() {
            let walker = Walker::for_landing(self, position, self.mover(position), kind, played.to);
            let pattern = &self.drops[walker.player.index()][usize::from(played.pattern)];
            return walker.finish_drop(pattern, played.to, played.promotion, legality);
        }
        let (player, kind) = (self.mover(position), position.kind_at(played.spot()));
        let walker = match played.promotion {
            // The promotion may depend on other moves of the piece.
            Some(_) => Walker::new(self, position, player, kind, played.from),
            None => Walker::for_landing(self, position, player, kind, played.from),
        };
        let plan = self.castle_plan(kind, played).filter(|_| walker.part_moves().is_none());
        if let Some(plan) = plan {
            let castling = walker.find_castling(plan).ok()??;
            return walker.finish_castling(plan, castling, legality);
        }
        let pattern = &walker.patterns()[usize::from(played.pattern)];
        let action = walker.action_for(pattern, played.to)?;
        let promotion = match played.promotion {
            Some(kind) => Some(walker.promotion_for(pattern, played.to)?.choice(kind)),
            None => None,
        };
        walker.finish((pattern, action), played.to, promotion, legality)
    }
}
