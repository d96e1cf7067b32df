//! Proofs that a player can no longer win.
//!
//! A referee asks after every ply, so an answer must be cheap. It also ends games by the answer, so a proof must be
//! correct. The steps, each more expensive than the one before:
//!
//! 1. An open position is not examined: a player who can soon attack and has much freedom can win in practice.
//! 2. [`reachability`] computes a superset of everything that each piece can ever do, ignoring turns, checks and most
//!    conditions. If no piece ever attacks a square that the enemy leader may stand on, there is no mate.
//! 3. [`help_mate`] searches for a mate, with a small budget.
//! 4. [`mate`] asks whether the same superset contains a mate: all neighbours of the leader attacked or blocked.
//! 5. [`help_mate`] searches again, with a larger budget and concrete mates to steer for ([`mate_plan`]).

mod castling;
mod conditions;
mod effects;
mod guards;
mod guide;
mod help_mate;
mod mate;
mod mate_plan;
mod material;
mod opposed;
mod pieces;
mod promotion_run;
mod reachability;
mod walk;

use crate::blueprint::ending::Stalemate;
use crate::blueprint::mechanics::Mechanics;
use crate::blueprint::{Blueprint, Condition, MovePlan};
use crate::dead::guide::Guide;
use crate::dead::help_mate::HelpMate;
use crate::dead::material::Material;
pub(crate) use crate::dead::opposed::LineWalker;
use crate::dead::pieces::PieceList;
pub(crate) use crate::dead::promotion_run::PromotionRun;
use crate::dead::reachability::{Goal, Reachability};
use crate::movegen::fast::FastPath;
use crate::movegen::general::LeaderAttack;
use crate::moves::Move;
use crate::piece::{Kind, Player, PlayerSet};
use crate::position::Position;
use crate::rules::Rules;
use crate::square::Square;

/// The budget of one proof, in steps of pieces and tested conditions: half a millisecond. Locked boards need about a
/// thousand.
const WORK: u32 = 1 << 15;

/// The budget for finding the squares of possible mates.
const MATE_WORK: u32 = 4 * WORK;

/// The budget of the first search, in the same steps. It finds the mate in most positions that have one.
const FIRST_SEARCH: u32 = 1 << 14;

/// The budget of the second search: about 20 milliseconds.
const SECOND_SEARCH: u32 = 1 << 19;

/// The maximum length of a forced line that is followed before a position counts as open.
const FORCED_PLIES: u32 = 8;

/// The maximum number of legal moves in a forced line.
const FORCED_CHOICES: usize = 2;

/// The number of legal moves with which a position counts as open.
const OPEN_MOVES: usize = 16;

/// Whether a player can still win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Winnability {
    /// Some sequence of legal moves ends with a win.
    Possible,
    /// No sequence of legal moves ends with a win, even if all players cooperate.
    Impossible,
    /// Neither is proved within the budget.
    Unknown,
}

/// The effort to find out whether a position is dead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeadCheck {
    /// None: the position is known not to be dead.
    Skip,
    /// Proofs that take microseconds. They find locked boards, and miss positions that need a search.
    WithoutSearch,
    /// Everything: what a referee does.
    #[default]
    Full,
}

/// The result of an attempt to prove without a search that a player gives no further check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Whether the proof succeeded.
    pub holds: bool,
    /// The cost: steps of pieces and tested conditions. The same on every machine.
    pub steps: u32,
}

impl Rules {
    /// Returns whether a player can still win if all players cooperate. The answer is the same on every machine and takes
    /// a bounded time.
    ///
    /// The answer is always [`Winnability::Unknown`] without a leader, with more or fewer than two players left, after the
    /// end of the game, and if there are other ways to win than to mate.
    ///
    /// # Examples
    ///
    /// ```
    /// use tabiya_engine::{Player, Winnability};
    /// # let rules = tabiya_spec::library::load("chess").unwrap().rules;
    ///
    /// let mut kings = rules.setup(&rules.start());
    /// kings.pieces.retain(|(_, piece)| Some(piece.kind) == rules.leader());
    /// let kings = rules.position(&kings).expect("a king each");
    /// assert_eq!(rules.winnability(&kings, Player(0)), Winnability::Impossible);
    /// ```
    pub fn winnability(&self, position: &Position, player: Player) -> Winnability {
        let Some(loser) = self.opponent_to_mate(position, player) else { return Winnability::Unknown };
        if self.has_no_check(position, player, &mut { WORK }) {
            return Winnability::Impossible;
        }
        let Some(guide) = Guide::new(self, player, loser) else { return Winnability::Unknown };
        let material = Material::new(self);
        let search = |guide, work| HelpMate::new(self, player, guide, &material, work).run(position);
        let first = search(guide.clone(), FIRST_SEARCH);
        if first != Winnability::Unknown {
            return first;
        }
        let Some(pieces) = PieceList::of(self, position, player) else { return search(guide, SECOND_SEARCH) };
        let mut facts = Reachability::new(self, position, pieces, Goal::Mate, MATE_WORK);
        let mates = facts.possible_mates();
        if mates.as_ref().is_some_and(Vec::is_empty) {
            return Winnability::Impossible;
        }
        let placement = guide.placement(position);
        let plans =
            mates.zip(placement).and_then(|(mates, placement)| facts.mate_plans(&mates, &placement).ok()?);
        search(guide.with_plans(plans), SECOND_SEARCH)
    }

    /// Returns whether it is *proved* that no sequence of legal moves ends with the player as winner; see
    /// [`Rules::winnability`]. In an open position the proof is not attempted.
    pub fn cannot_win(&self, position: &Position, player: Player) -> bool {
        !self.is_open_for(position, player, FORCED_PLIES)
            && self.winnability(position, player) == Winnability::Impossible
    }

    /// Attempts only the proof that there is no further check, and returns its cost. A quick test may come first.
    #[doc(hidden)]
    pub fn prove_no_check(&self, position: &Position, player: Player, quick: bool) -> Proof {
        let mut work = WORK;
        let may_attack = quick && self.can_attack_leader(position, player);
        let holds = !may_attack
            && self.opponent_to_mate(position, player).is_some()
            && self.check_is_ruled_out(position, player, &mut work);
        Proof { holds, steps: WORK - work }
    }

    /// Returns whether it is *proved* that neither remaining player can win: a dead position.
    ///
    /// # Examples
    ///
    /// ```
    /// # let rules = tabiya_spec::library::load("chess").unwrap().rules;
    /// let start = rules.start();
    /// assert!(!rules.is_dead(&start));
    ///
    /// let mut kings = rules.setup(&start);
    /// kings.pieces.retain(|(_, piece)| Some(piece.kind) == rules.leader());
    /// assert!(rules.is_dead(&rules.position(&kings).expect("a king each")));
    /// ```
    pub fn is_dead(&self, position: &Position) -> bool {
        let alive = self.alive(position);
        alive.len() == 2 && self.none_can_win(position, alive, DeadCheck::Full)
    }

    /// Returns whether it is proved that none of the players can win. Open positions are not examined.
    pub(crate) fn none_can_win(&self, position: &Position, players: PlayerSet, effort: DeadCheck) -> bool {
        match effort {
            DeadCheck::Skip => false,
            DeadCheck::WithoutSearch => {
                let at_once = |fast: &FastPath| fast.can_attack_leader(self, position);
                let may_attack = players.len() > 1 && self.fast.as_ref().is_some_and(at_once);
                !may_attack && players.iter().all(|player| self.prove_no_check(position, player, true).holds)
            }
            // The quick test of all players comes first: one of them who may win is enough.
            DeadCheck::Full => {
                let is_open = |player| self.is_open_for(position, player, FORCED_PLIES);
                let is_ruled_out = |player| self.winnability(position, player) == Winnability::Impossible;
                !players.iter().any(is_open) && players.iter().all(is_ruled_out)
            }
        }
    }

    /// Returns the other player if the player can win only by mating it.
    fn opponent_to_mate(&self, position: &Position, player: Player) -> Option<Player> {
        let alive = self.alive(position);
        let is_open = alive.len() == 2 && alive.contains(player) && position.ended().is_none();
        alive.iter().find(|other| *other != player).filter(|_| is_open && self.wins_only_by_mate)
    }

    /// Returns whether the player can never again attack the other player's leader, after a quick test.
    fn has_no_check(&self, position: &Position, player: Player, work: &mut u32) -> bool {
        !self.can_attack_leader(position, player) && self.check_is_ruled_out(position, player, work)
    }

    /// Returns whether the player can never again attack the other player's leader.
    fn check_is_ruled_out(&self, position: &Position, player: Player, work: &mut u32) -> bool {
        let Some(pieces) = PieceList::of(self, position, player) else { return false };
        let mut reachability = Reachability::new(self, position, pieces, Goal::Check, *work);
        let holds = reachability.has_no_win();
        *work = reachability.work;
        holds
    }

    /// Returns whether a player has enough freedom that a win is certainly possible, in practice: it can soon attack, and
    /// there are many moves, a strong piece with space or a free way to a promotion. Forced lines are followed first.
    fn is_open_for(&self, position: &Position, player: Player, plies: u32) -> bool {
        if self.opponent_to_mate(position, player).is_none() {
            return false;
        }
        let moves = self.unsorted_moves(position);
        if plies > 0 && (1..=FORCED_CHOICES).contains(&moves.len()) {
            let is_open =
                |played: &Move| self.is_open_for(&self.play_unchecked(position, *played), player, plies - 1);
            return moves.iter().any(is_open);
        }
        let has_run = || self.any_promotion_run(position, player, |_, _| true);
        let is_free = moves.len() >= OPEN_MOVES || self.has_free_piece(position, player) || has_run();
        !moves.is_empty() && is_free && self.can_attack_leader(position, player)
    }

    /// Returns whether some piece of the player, other than a leader, attacks half of the squares that a rook attacks on an
    /// empty board.
    fn has_free_piece(&self, position: &Position, player: Player) -> bool {
        let enough = usize::from(self.board.files() + self.board.ranks()) / 2 - 1;
        let is_free = |square: Square, kind: Kind| {
            let patterns = &self.patterns[player.index()][kind.index()];
            let slides = patterns.iter().filter(|pattern| pattern.max > 1 && pattern.is_plain());
            let reach = slides.map(|pattern| {
                let line = std::iter::successors(Some(square), |at| self.jumps.to(pattern.jump, *at)).skip(1);
                line.take_while(|at| !position.occupied(*at)).count()
            });
            reach.sum::<usize>() >= enough
        };
        let kinds = self.kinds().filter(|kind| Some(*kind) != self.leader());
        kinds.into_iter().any(|kind| position.squares_of(player, kind).any(|square| is_free(square, kind)))
    }

    /// Returns whether a piece of the player, or a piece after its promotion, can soon attack the other player's
    /// leader.
    fn can_attack_leader(&self, position: &Position, player: Player) -> bool {
        let targets = self.alive(position).without(PlayerSet::EMPTY.with(player));
        let Some(leader) = self.leader() else { return false };
        let attack = LeaderAttack { leader, attacker: player, targets };
        self.general.can_attack_leader(position, attack, None)
            || self.any_promotion_run(position, player, |square, kind| {
                self.general.can_attack_leader(position, attack, Some((kind, square)))
            })
    }
}

/// Returns whether attacking a leader is the only way to win. Every field is named on purpose: a new one might add
/// another way to win.
pub(crate) fn wins_only_by_mate(blueprint: &Blueprint) -> bool {
    let Blueprint {
        files: _,
        ranks: _,
        disabled: _,
        players: _,
        order: _,
        start_at: _,
        leaders,
        kinds,
        flags: _,
        regions: _,
        start: _,
        endings,
        zeroing: _,
        stalemate,
        draw_offers: _,
        mechanics,
    } = blueprint;
    // A move that depends on its result may not be available when a proof needs it.
    let mut conditions = kinds.iter().flat_map(|kind| &kind.moves).flat_map(MovePlan::all_conditions);
    *mechanics == Mechanics::default()
        && leaders.len() == 1
        && !conditions.any(Condition::is_about_result)
        && matches!(stalemate, Stalemate::Ends | Stalemate::Draws)
        && endings.iter().all(|ending| ending.result == crate::blueprint::ending::PlayerResult::Draw)
}
