//! The reasons why a move is not legal, as data.

use crate::blueprint::mechanics::DropPlan;
use crate::blueprint::{CastlePlan, Condition, MovePlan, Occupancy};
use crate::compile::pattern::{Action, DropPattern, Hurdles, Modifier, Pattern};
use crate::movegen::castling::CastlingFault;
use crate::movegen::hurdles::{Hop, HopStep};
use crate::movegen::walker::Walker;
use crate::moves::Move;
use crate::piece::{Kind, Piece, Player};
use crate::play::results::{Legality, Results};
use crate::position::{Position, Spot};
use crate::rules::Rules;
use crate::square::Square;

/// The rule that forbids a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IllegalMove {
    /// The game is over.
    GameOver,
    /// One of the squares is not on the board.
    NoSuchSquare,
    /// The source square is empty.
    NoPiece,
    /// The piece belongs to another player.
    NotYours(Player),
    /// No move of the piece leads there.
    OutOfReach(Kind),
    /// The slide stops earlier, on this square.
    Blocked(Square),
    /// There are too few pieces in the way that the slide must jump over.
    NoHurdle {
        /// The number of pieces that the slide jumps over.
        needed: u32,
        /// The number of pieces in the way that it can jump over.
        met: u32,
    },
    /// The slide cannot jump over the piece on this square.
    NotAHurdle(Square),
    /// The target is too far behind the last piece that the slide jumps over.
    TooFarBeyond {
        /// The square of that piece.
        hurdle: Square,
        /// The maximum number of steps behind it.
        beyond: u32,
    },
    /// The move that leads there has no action for a square in this state.
    NoAction {
        /// The number of the move.
        id: i32,
        /// The state of the target square.
        state: Occupancy,
    },
    /// The piece cannot capture what stands on the target square: it is frozen, or of a kind that it does not
    /// capture.
    Protected,
    /// A condition of the move does not hold.
    Condition {
        /// The number of the move.
        id: i32,
        /// The condition.
        condition: Condition,
    },
    /// A castling move is not possible.
    Castling {
        /// The number of the move.
        id: i32,
        /// The reason.
        fault: CastlingFault,
    },
    /// A side effect is blocked.
    EffectBlocked {
        /// The number of the move.
        id: i32,
    },
    /// The move would remove the player's own leader.
    LosesLeader,
    /// The player's leader would be attacked.
    ExposesLeader,
    /// A leader is attacked and can move, so it must.
    LeaderMustMove,
    /// The move does not meet a condition that the game sets for every move.
    Restricted,
    /// There are moves that must be played first, such as captures.
    LowPriority,
    /// The turn cannot go on or end like this.
    Turn,
    /// The piece is not in the player's hand.
    NotInHand(Kind),
    /// The piece cannot be dropped on the square: it is occupied, or the game has no such drop.
    NoDrop(Kind),
    /// A throw, an exchange or a withdrawal is not possible now.
    NotAvailable,
    /// The die must be thrown first.
    ThrowFirst,
    /// The die does not allow this piece to move.
    DieForbids,
    /// The move is legal, but not with this promotion. Contains the options; empty if the move does not promote.
    Promotion(Vec<Kind>),
}

impl IllegalMove {
    /// Returns how close the move came to being legal.
    fn rank(&self) -> u8 {
        match self {
            IllegalMove::GameOver
            | IllegalMove::NoSuchSquare
            | IllegalMove::NoPiece
            | IllegalMove::NotYours(_) => 0,
            IllegalMove::OutOfReach(_) | IllegalMove::NotInHand(_) | IllegalMove::NoDrop(_) => 1,
            IllegalMove::Blocked(_) => 2,
            IllegalMove::NoAction { .. } | IllegalMove::Protected => 3,
            IllegalMove::NoHurdle { .. } | IllegalMove::NotAHurdle(_) | IllegalMove::TooFarBeyond { .. } => 4,
            IllegalMove::Condition { .. } | IllegalMove::Castling { .. } => 5,
            IllegalMove::EffectBlocked { .. } => 6,
            IllegalMove::LosesLeader | IllegalMove::ExposesLeader => 7,
            IllegalMove::Restricted
            | IllegalMove::LowPriority
            | IllegalMove::Turn
            | IllegalMove::LeaderMustMove
            | IllegalMove::NotAvailable
            | IllegalMove::ThrowFirst
            | IllegalMove::DieForbids => 8,
            IllegalMove::Promotion(_) => 9,
        }
    }
}

impl Rules {
    /// Returns the position after a move.
    ///
    /// # Errors
    ///
    /// Returns the rule that forbids the move if it is not legal.
    ///
    /// # Examples
    ///
    /// ```
    /// # let rules = tabiya_spec::library::load("chess").unwrap().rules;
    /// let start = rules.start();
    /// let played = rules.legal_moves(&start)[0];
    /// let next = rules.play(&start, played).unwrap();
    /// assert!(rules.play(&next, played).is_err(), "the other player is to move");
    /// ```
    pub fn play(&self, position: &Position, played: Move) -> Result<Position, IllegalMove> {
        let legal = self.legal_moves(position);
        if legal.contains(&played) {
            Ok(self.play_unchecked(position, played))
        } else if self.has_parts && legal.iter().any(|other| other.first_part() == played.first_part()) {
            Err(IllegalMove::Turn)
        } else {
            Err(match played.dropped() {
                Some(kind) => self.why_no_drop(position, kind, played.to),
                None => self.why_illegal(position, played.from, played.to),
            })
        }
    }

    /// Returns why a piece cannot be dropped on a square.
    pub fn why_no_drop(&self, position: &Position, kind: Kind, to: Square) -> IllegalMove {
        let player = self.mover(position);
        if self.outcome(position).is_some() {
            return IllegalMove::GameOver;
        }
        if !self.board.has(to) {
            return IllegalMove::NoSuchSquare;
        }
        if kind.index() >= self.kinds().len() || position.in_hand(player, kind) == 0 {
            return IllegalMove::NotInHand(kind);
        }
        let walker = Walker::for_landing(self, position, player, kind, to);
        let patterns =
            self.drops[player.index()].iter().zip(self.mechanics().hands.iter().flat_map(|it| &it.drops));
        let reason = |(pattern, plan): (&DropPattern, &DropPlan)| {
            if !pattern.kinds.contains(&kind) || position.occupied(to) {
                return IllegalMove::NoDrop(kind);
            }
            let conditions = plan.conditions.iter().filter(|condition| !condition.is_about_result());
            let mut failed =
                pattern.tests.iter().zip(conditions).filter(|(test, _)| !walker.holds_drop(test, to));
            if let Some((_, condition)) = failed.next() {
                return IllegalMove::Condition { id: 0, condition: condition.clone() };
            }
            let promotion = walker.drop_promotion(pattern, to).and_then(|it| it.options.first().copied());
            let legality = Legality::tested(self.exposure_now(position));
            let is_legal = |legality| walker.finish_drop(pattern, to, promotion, legality).is_some();
            if !is_legal(Legality { results: Results::Known, ..legality }) {
                return IllegalMove::ExposesLeader;
            }
            if !is_legal(legality) {
                let condition = plan.conditions.iter().find(|condition| condition.is_about_result());
                return condition.map_or(IllegalMove::Restricted, |condition| IllegalMove::Condition {
                    id: 0,
                    condition: condition.clone(),
                });
            }
            IllegalMove::LowPriority
        };
        patterns.map(reason).max_by_key(IllegalMove::rank).unwrap_or(IllegalMove::NoDrop(kind))
    }

    /// Returns why no legal move leads from one square to another: the reason of the move that came closest. If there
    /// is a legal move, the reason is the promotion.
    pub fn why_illegal(&self, position: &Position, from: Square, to: Square) -> IllegalMove {
        self.why_illegal_by(position, self.closest_mover(position, from, to), to)
    }

    /// Returns where the piece stands whose move between two squares comes closest to being legal: as the host, unless
    /// the guest comes closer.
    pub fn closest_mover(&self, position: &Position, from: Square, to: Square) -> Spot {
        let (host, guest) = (Spot::host(from), Spot::guest(from));
        let rank = |spot| self.why_illegal_by(position, spot, to).rank();
        let is_closer = self.board.has(from) && position.guest(from).is_some() && rank(guest) > rank(host);
        if is_closer { guest } else { host }
    }

    /// Returns where on a square a piece of that kind stands that belongs to the player to move.
    pub fn mover_on(&self, position: &Position, square: Square, kind: Kind) -> Option<Spot> {
        let is_meant = |piece: Piece| (piece.player, piece.kind) == (self.mover(position), kind);
        let spots = [Spot::host(square), Spot::guest(square)];
        spots.into_iter().find(|spot| position.piece_at(*spot).is_some_and(is_meant))
    }

    /// Returns why the piece in a spot has no legal move to a square, like [`Rules::why_illegal`].
    pub fn why_illegal_by(&self, position: &Position, spot: Spot, to: Square) -> IllegalMove {
        if self.outcome(position).is_some() {
            return IllegalMove::GameOver;
        }
        if !self.board.has(spot.square) || !self.board.has(to) {
            return IllegalMove::NoSuchSquare;
        }
        let Some(piece) = position.piece_at(spot) else { return IllegalMove::NoPiece };
        let own = Some(piece).filter(|it| it.player == self.mover(position));
        own.into_iter()
            .flat_map(|piece| self.all_reasons(position, piece, spot.square, to))
            .max_by_key(IllegalMove::rank)
            .unwrap_or(IllegalMove::NotYours(piece.player))
    }

    /// Returns the reason for each move of a piece.
    fn all_reasons(&self, position: &Position, piece: Piece, from: Square, to: Square) -> Vec<IllegalMove> {
        let walker = Walker::new(self, position, piece.player, piece.kind, from);
        let found = (0..walker.patterns().len()).filter_map(|index| walker.why_illegal(index, to));
        let castles =
            self.kind(piece.kind).castles.iter().filter_map(|plan| walker.why_no_castling(plan, to));
        std::iter::once(IllegalMove::OutOfReach(piece.kind)).chain(found).chain(castles).collect()
    }
}

impl Walker<'_> {
    /// Returns why a pattern does not lead to the target, if it points in that direction.
    fn why_illegal(&self, index: usize, target: Square) -> Option<IllegalMove> {
        let pattern = &self.patterns()[index];
        if let Some(hurdles) = &pattern.hurdles {
            return self.why_no_hop(index, pattern, hurdles, target);
        }
        let mut walk = self.rules.jumps.walk(pattern.jump, self.source);
        let mut ended = None;
        for steps in 1..=pattern.max {
            let at = walk.next()?;
            if at == target {
                return match ended {
                    Some(square) => Some(IllegalMove::Blocked(square)),
                    None if steps < pattern.min => None,
                    None => Some(self.why_illegal_at(index, pattern, target, steps)),
                };
            }
            if ended.is_none() && self.ends_slide(pattern.until, at) {
                ended = Some(at);
            }
        }
        None
    }

    /// Returns why a slide over hurdles does not lead to the target, if it points in that direction.
    fn why_no_hop(
        &self,
        index: usize,
        pattern: &Pattern,
        hurdles: &Hurdles,
        target: Square,
    ) -> Option<IllegalMove> {
        let mut hop = Hop::new(hurdles);
        let mut walk = self.rules.jumps.walk(pattern.jump, self.source);
        let mut ended = None;
        for steps in 1..=pattern.max {
            let at = walk.next()?;
            let before = hop.left;
            if ended.is_none() {
                ended = match hop.enter(self, at) {
                    HopStep::Pass | HopStep::Stop if at == target => {
                        Some(IllegalMove::NoHurdle { needed: hurdles.count, met: hurdles.count - before })
                    }
                    HopStep::Land if at == target => {
                        let is_landing = steps >= pattern.min;
                        return is_landing.then(|| self.why_illegal_at(index, pattern, target, steps));
                    }
                    HopStep::Land if self.ends_slide(pattern.until, at) => Some(IllegalMove::Blocked(at)),
                    HopStep::Pass | HopStep::Land => None,
                    HopStep::Stop => Some(IllegalMove::NotAHurdle(at)),
                    HopStep::TooFar => {
                        hop.last.map(|hurdle| IllegalMove::TooFarBeyond { hurdle, beyond: hurdles.beyond })
                    }
                };
            }
            if at == target {
                // Without an action for the target, another move explains more.
                return ended.filter(|_| pattern.action(self.state_of(target)).is_some());
            }
        }
        None
    }

    /// Returns why the piece cannot castle to the target, if castling leads there.
    fn why_no_castling(&self, plan: &CastlePlan, target: Square) -> Option<IllegalMove> {
        let (board, targets) = (&self.rules.board, plan.targets[self.player.index()]?);
        let to = targets.0;
        if plan.side(board, self.source, targets).is_none() {
            // From another line it looks like castling, but the piece has left its own.
            let ((x, y), (to_x, to_y)) = (board.coords(self.source), board.coords(target));
            let side = plan.side(board, to, targets)?;
            let is_alike = (to_x - x, to_y - y) == (2 * side.dx, 2 * side.dy);
            return is_alike.then_some(IllegalMove::Castling { id: plan.id, fault: CastlingFault::Moved });
        }
        // A single step is rarely meant as castling.
        if target != to || self.rules.board.distance(self.source, to) < 2 {
            return None;
        }
        let castling = match self.try_castling(plan) {
            Ok(castling) => castling?,
            Err(fault) => return Some(IllegalMove::Castling { id: plan.id, fault }),
        };
        let legality = Legality::tested(self.rules.exposure_now(self.position));
        let refusal = || self.rules.illegal_by_die(self.position, self.kind);
        Some(match self.finish_castling(plan, castling, legality) {
            None => IllegalMove::ExposesLeader,
            Some(_) => refusal().unwrap_or_else(|| IllegalMove::Promotion(Vec::new())),
        })
    }

    fn why_illegal_at(&self, index: usize, pattern: &Pattern, target: Square, steps: u32) -> IllegalMove {
        let plan = &self.rules.kind(self.kind).moves[index];
        let state = self.state_of(target);
        let Some(action) = self.action_for(pattern, target) else {
            let is_protected = pattern.action(state).is_some();
            return if is_protected {
                IllegalMove::Protected
            } else {
                IllegalMove::NoAction { id: plan.id, state }
            };
        };
        let action_plan = plan.actions.iter().find(|action| action.on == state);
        let conditions =
            plan.conditions.iter().chain(action_plan.into_iter().flat_map(|action| &action.conditions));
        let conditions = conditions.filter(|condition| !condition.is_about_result());
        let failed = pattern
            .tests
            .iter()
            .chain(&action.tests)
            .zip(conditions)
            .find(|(test, _)| !self.holds(test, pattern, target, steps));
        if let Some((_, condition)) = failed {
            return IllegalMove::Condition { id: plan.id, condition: condition.clone() };
        }
        let modifier = self.promotion_for(pattern, target);
        match self.try_move(
            (pattern, action),
            target,
            modifier.and_then(|modifier| modifier.choices().next()),
        ) {
            None => IllegalMove::EffectBlocked { id: plan.id },
            Some(trial) if trial.loses_leader(self.player) => IllegalMove::LosesLeader,
            Some(_) => self.illegal_by_result((plan, pattern, action), target, modifier),
        }
    }

    /// Returns what forbids a move that the piece can make: the safety of the leader, a condition about the result, a
    /// leader that must move, the die, or a move that takes precedence. Otherwise the promotion is wrong.
    fn illegal_by_result(
        &self,
        (plan, pattern, action): (&MovePlan, &Pattern, &Action),
        target: Square,
        modifier: Option<&Modifier>,
    ) -> IllegalMove {
        let legality = Legality::tested(self.rules.exposure_now(self.position));
        let is_legal = |legality| {
            let legal = |promotion| self.finish((pattern, action), target, promotion, legality).is_some();
            match modifier {
                Some(modifier) => modifier.choices().any(|choice| legal(Some(choice))),
                None => legal(None),
            }
        };
        if !is_legal(Legality { results: Results::Known, ..legality }) {
            return IllegalMove::ExposesLeader;
        }
        if !is_legal(legality) {
            return failed_result(plan, action);
        }
        if let Some(refusal) = self.rules.illegal_by_die(self.position, self.kind) {
            return refusal;
        }
        let is_leader = self.rules.is_leader(self.kind);
        if self.rules.mechanics().leadership.must_move
            && !is_leader
            && self.rules.leader_must_move(self.position)
        {
            return IllegalMove::LeaderMustMove;
        }
        let is_played = |played: &Move| played.from == self.source && played.to == target;
        let asks_others = !self.rules.priority.is_empty() || self.rules.has_parts;
        if asks_others && !self.rules.legal_moves(self.position).iter().any(is_played) {
            return if self.rules.priority.is_empty() { IllegalMove::Turn } else { IllegalMove::LowPriority };
        }
        IllegalMove::Promotion(modifier.map(|modifier| modifier.options.to_vec()).unwrap_or_default())
    }
}

/// Returns the condition about the result that a move fails, or the restriction of the game.
fn failed_result(plan: &MovePlan, action: &Action) -> IllegalMove {
    let of_action = plan.actions.iter().filter(|it| it.captures == action.captures);
    let mut conditions = plan.conditions.iter().chain(of_action.flat_map(|it| &it.conditions));
    match conditions.find(|condition| condition.is_about_result()) {
        Some(condition) => IllegalMove::Condition { id: plan.id, condition: condition.clone() },
        None => IllegalMove::Restricted,
    }
}
