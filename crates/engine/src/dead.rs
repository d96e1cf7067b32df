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
//! 5. [`help_mate`] searches again, with concrete mates to steer for ([`mate_plan`]).
//! 6. [`flood`] visits all positions, for all players at once, as long as there are few.
//! 7. [`help_mate`] and then [`flood`] continue with larger budgets.

mod castling;
mod conditions;
mod effects;
mod flood;
mod guards;
mod guide;
mod help_mate;
mod mate;
mod mate_plan;
mod mateless;
mod material;
mod opposed;
mod pieces;
mod promotion_run;
mod reachability;
mod walk;

use crate::blueprint::ending::Stalemate;
use crate::blueprint::mechanics::Mechanics;
use crate::blueprint::{Blueprint, Condition, MovePlan};
use crate::dead::flood::Flood;
use crate::dead::guide::{Guide, GuideTables};
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
use crate::square::{Offset, Square};

/// The budget of one proof, in steps of pieces and tested conditions: half a millisecond. Locked boards need about a
/// thousand.
const WORK: u32 = 1 << 15;

/// The budget for finding the squares of possible mates.
const MATE_WORK: u32 = 4 * WORK;

/// The budgets of the searches for a help mate, in the same steps. The first two find the mate in most positions that have
/// one. Players share the last.
const FIRST_SEARCH: u32 = 1 << 14;
const SECOND_SEARCH: u32 = 1 << 16;
const LAST_SEARCH: u32 = 1 << 19;

/// The budgets of the search through all positions: about 10,000 and 70,000 positions.
const FIRST_FLOOD: u32 = 1 << 18;
const LAST_FLOOD: u32 = 3 << 19;

/// The maximum length of a forced line that is followed before a position counts as open.
const FORCED_PLIES: u32 = 8;

/// The maximum number of legal moves in a forced line.
const FORCED_CHOICES: usize = 2;

/// The number of legal moves with which a position counts as open.
const OPEN_MOVES: usize = 16;

/// What every search in a game uses, computed once.
pub(crate) struct SearchTables {
    guide: GuideTables,
    material: Material,
}

impl SearchTables {
    fn new(rules: &Rules) -> Self {
        SearchTables { guide: GuideTables::new(rules), material: Material::new(rules) }
    }
}

/// Whether one player can still win: the answer so far.
struct Question<'a> {
    player: Player,
    answer: Winnability,
    /// What a longer search would prefer. Without it there is none.
    guide: Option<Guide<'a>>,
}

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
        let answers = self.winnabilities(position, PlayerSet::EMPTY.with(player));
        answers.first().map_or(Winnability::Unknown, |(_, answer)| *answer)
    }

    /// Returns [`Rules::winnability`] for each of the players. This is faster than one question for each.
    pub fn winnabilities(&self, position: &Position, players: PlayerSet) -> Vec<(Player, Winnability)> {
        let questions = self.answers(position, players, false);
        questions.into_iter().map(|question| (question.player, question.answer)).collect()
    }

    /// Returns whether no player can win.
    fn all_are_ruled_out(&self, position: &Position, players: PlayerSet) -> bool {
        let is_ruled_out = |question: &Question<'_>| question.answer == Winnability::Impossible;
        self.answers(position, players, true).iter().all(is_ruled_out)
    }

    /// Answers for each of the players, or only until one of them can win.
    fn answers(&self, position: &Position, players: PlayerSet, until_win: bool) -> Vec<Question<'_>> {
        let mut questions = Vec::new();
        let is_enough = |questions: &[Question<'_>]| {
            until_win && questions.iter().any(|question| question.answer == Winnability::Possible)
        };
        for player in players.iter() {
            questions.push(self.first_answer(position, player));
            if is_enough(&questions) {
                return questions;
            }
        }
        let open = still_open(&questions);
        if open.is_empty() {
            return questions;
        }
        let mut flood = Flood::new(self, &self.search_tables().material, open, position);
        answer_by(&mut flood, &mut questions, FIRST_FLOOD);
        let work = LAST_SEARCH / still_open(&questions).len().max(1) as u32;
        for question in questions.iter_mut().filter(|question| question.answer == Winnability::Unknown) {
            if let Some(guide) = question.guide.clone() {
                question.answer = self.search(position, guide, work);
            }
        }
        if !is_enough(&questions) {
            answer_by(&mut flood, &mut questions, LAST_FLOOD);
        }
        questions
    }

    /// Answers with proofs and short searches.
    fn first_answer(&self, position: &Position, player: Player) -> Question<'_> {
        let decided = |answer| Question { player, answer, guide: None };
        let Some(loser) = self.opponent_to_mate(position, player) else {
            return decided(Winnability::Unknown);
        };
        if self.has_no_check(position, player, &mut { WORK }) {
            return decided(Winnability::Impossible);
        }
        let tables = self.search_tables();
        let guide = Guide::new(self, &tables.guide, player, loser);
        let placement = guide.as_ref().and_then(|guide| guide.placement(position));
        let Some((mut guide, placement)) = guide.zip(placement) else { return decided(Winnability::Unknown) };
        let first = self.search(position, guide.clone(), FIRST_SEARCH);
        if first != Winnability::Unknown {
            return decided(first);
        }
        if let Some(pieces) = PieceList::of(self, position, player) {
            let mut facts = Reachability::new(self, position, pieces, Goal::Mate, MATE_WORK);
            let mates = facts.possible_mates();
            if mates.as_ref().is_some_and(Vec::is_empty) {
                return decided(Winnability::Impossible);
            }
            let plans = mates.and_then(|mates| facts.mate_plans(&mates, &placement).ok()?);
            guide = guide.with_plans(plans);
        }
        let second = self.search(position, guide.clone(), SECOND_SEARCH);
        Question { player, answer: second, guide: Some(guide) }
    }

    fn search(&self, position: &Position, guide: Guide<'_>, work: u32) -> Winnability {
        HelpMate::new(self, guide, &self.search_tables().material, work).run(position)
    }

    fn search_tables(&self) -> &SearchTables {
        self.search_tables.get_or_init(|| SearchTables::new(self))
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
                !players.iter().any(is_open) && self.all_are_ruled_out(position, players)
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

/// Returns the players for whom a longer search may find the answer.
fn still_open(questions: &[Question<'_>]) -> PlayerSet {
    let is_open = |it: &&Question<'_>| it.answer == Winnability::Unknown && it.guide.is_some();
    questions.iter().filter(is_open).map(|question| question.player).collect()
}

/// Answers what is still open by a search through all positions, within a budget.
fn answer_by(flood: &mut Flood<'_>, questions: &mut [Question<'_>], work: u32) {
    let open = still_open(questions);
    if open.is_empty() {
        return;
    }
    let (winners, others) = flood.run(open, work);
    for question in questions.iter_mut().filter(|question| open.contains(question.player)) {
        let wins = winners.contains(question.player);
        question.answer = if wins { Winnability::Possible } else { others };
    }
}

/// Returns whether attacking a leader is the only way to win. Every field is named on purpose: a new one might add
/// another way to win.
pub(crate) fn wins_only_by_mate(blueprint: &Blueprint) -> bool {
    let Blueprint {
        files: _,
        topology: _,
        ranks: _,
        disabled: _,
        players: _,
        order: _,
        start_at: _,
        leaders,
        kinds,
        flags: _,
        flag_marks: _,
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
        && !kinds.iter().flat_map(|kind| &kind.moves).any(MovePlan::is_composite)
        && leaders.len() == 1
        && !conditions.any(Condition::is_about_result)
        // Proofs about blocked pieces do not consider moves that stay.
        && kinds.iter().flat_map(|kind| &kind.moves).all(|plan| plan.step != Offset::new(0, 0))
        && matches!(stalemate, Stalemate::Ends | Stalemate::Draws)
        && endings.iter().all(|ending| ending.result == crate::blueprint::ending::PlayerResult::Draw)
}
