//! The compiled rules of a game: immutable, shared, the same for every position.
//!
//! Every step of the rules is a table of squares for each player, so playing never rotates an offset, checks the edge
//! of the board or looks up a name.

use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::blueprint::ending::EndingPlan;
use crate::blueprint::mechanics::Mechanics;
use crate::blueprint::{Blueprint, KindPlan, PlayerPlan, RegionOf, RegionPlan};
use crate::compile::jump_table::{Jump, JumpTable};
use crate::compile::kind_traits::KindTraits;
use crate::compile::pattern::{DropPattern, MoveClassTests, PartPattern, Patterns, Test};
use crate::compile::trigger_scope::TriggerScope;
use crate::compile::unmoved::UnmovedRules;
use crate::dead::{LineWalker, PromotionRun, SearchTables};
use crate::movegen::fast::FastPath;
use crate::movegen::general::General;
use crate::movegen::walker::Walker;
use crate::moves::Move;
use crate::piece::{Flag, Kind, Player, PlayerSet};
use crate::play::reactions::Reactions;
use crate::position::{Capacity, Position};
use crate::square::{Board, Square};

/// The compiled rules of a game. Positions, moves and outcomes are all computed through this type.
#[expect(clippy::struct_excessive_bools, reason = "each enables a shortcut")]
pub struct Rules {
    pub(crate) board: Board,
    pub(crate) blueprint: Blueprint,
    pub(crate) jumps: Arc<JumpTable>,
    /// By player, kind and index in the kind's list. Players with the same orientation share their patterns.
    pub(crate) patterns: Vec<Patterns>,
    /// By kind.
    pub(crate) kind_traits: Vec<KindTraits>,
    /// The tables of the general move generator.
    pub(crate) general: General,
    /// The conditions that depend on whether a piece has moved or carries a flag.
    pub(crate) unmoved: UnmovedRules,
    /// By region and player, as bits.
    pub(crate) regions: Vec<Vec<Box<[u64]>>>,
    /// The tables for reactions to captures.
    pub(crate) reactions: Reactions,
    /// By player: the conditions that every move must meet.
    pub(crate) restrictions: Vec<Box<[Test]>>,
    /// By player: classes of moves that must be played if possible, the first one first. Empty if there are none.
    pub(crate) priority: Vec<Box<[MoveClassTests]>>,
    /// By player: the drops.
    pub(crate) drops: Vec<Box<[DropPattern]>>,
    /// By player: what follows the move in a turn.
    pub(crate) parts: Vec<Box<[PartPattern]>>,
    /// Whether turns have several parts.
    pub(crate) has_parts: bool,
    /// Whether pieces that are captured on the way leave the board at the end of the turn.
    pub(crate) delays_removal: bool,
    /// By player: the further conditions of each trigger.
    pub(crate) trigger_tests: Vec<Box<[Box<[Test]>]>>,
    /// By player and flag: the square that a piece with the flag marks.
    pub(crate) flag_marks: Vec<Box<[Option<Jump>]>>,
    /// Whether a restriction or priority depends on the past of a piece: whether it has moved, or a flag.
    pub(crate) restrictions_ask_past: bool,
    /// Whether a move of a piece may drop another one at the same time.
    pub(crate) drops_with_moves: bool,
    /// Whether moves record the pieces that they capture.
    pub(crate) needs_captured: bool,
    /// The moves that the effects of triggers can make illegal.
    pub(crate) trigger_scope: TriggerScope,
    /// Whether a capture can remove a leader of the player who captures.
    pub(crate) captures_backfire: bool,
    /// The players with a slot in the turn order.
    pub(crate) seated: PlayerSet,
    /// By player: the player and their partners.
    pub(crate) teams: Vec<PlayerSet>,
    /// Whether positions have registers: some mechanic stores state per army or for the die.
    pub(crate) has_registers: bool,
    /// The kinds that must not be lost, as bits.
    pub(crate) leader_bits: [u64; 4],
    /// Whether the game has no mechanics beyond pieces that move and capture.
    pub(crate) is_plain: bool,
    /// Whether attacking a leader is the only way to win.
    pub(crate) wins_only_by_mate: bool,
    /// By player: the single steps that lead to a promotion.
    pub(crate) promotion_runs: Vec<Box<[PromotionRun]>>,
    /// By player and kind: the kinds that move along a line in one direction.
    pub(crate) line_walkers: Vec<Box<[Option<LineWalker>]>>,
    /// What searches for a help mate use, once one was asked for.
    pub(crate) search_tables: OnceLock<SearchTables>,
    /// Whether some listed ending is decided by the board alone.
    pub(crate) has_board_endings: bool,
    /// Whether those endings can only begin to hold when the set of pieces changes.
    pub(crate) board_endings_need_change: bool,
    /// Whether some listed ending asks who has given check all the time.
    pub(crate) asks_for_perpetual_check: bool,
    /// The tables of the fast move generator, if it supports the game.
    pub(crate) fast: Option<FastPath>,
    pub(crate) start: Option<Box<Position>>,
    pub(crate) content_hash: Option<[u8; 32]>,
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rules").field("blueprint", &self.blueprint).finish_non_exhaustive()
    }
}

impl Rules {
    /// Returns the initial position.
    pub fn start(&self) -> Position {
        self.start.as_deref().expect("set when the rules were compiled").clone()
    }

    /// Ties the rules to the file that they were compiled from.
    #[must_use]
    pub fn with_content_hash(self, hash: [u8; 32]) -> Self {
        Rules { content_hash: Some(hash), ..self }
    }

    /// Returns the hash of the file that the rules were compiled from. What was learned for a game, such as a net, carries it.
    #[inline]
    pub fn content_hash(&self) -> Option<[u8; 32]> {
        self.content_hash
    }

    /// Returns the shape of the board.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the blueprint that the rules were compiled from.
    #[inline]
    pub fn blueprint(&self) -> &Blueprint {
        &self.blueprint
    }

    /// Returns the turn order, a cycle of slots.
    #[inline]
    pub fn order(&self) -> &[Player] {
        &self.blueprint.order
    }

    /// Returns the endings that the game lists.
    #[inline]
    pub fn endings(&self) -> &[EndingPlan] {
        &self.blueprint.endings
    }

    /// Returns a region by number.
    #[inline]
    pub fn region(&self, region: u16) -> &RegionPlan {
        &self.blueprint.regions[usize::from(region)]
    }

    /// Iterates over the players, in the order of the blueprint.
    #[inline]
    pub fn players(&self) -> impl ExactSizeIterator<Item = Player> + use<> {
        (0..self.blueprint.players.len() as u8).map(Player)
    }

    /// Returns the name and orientation of a player.
    #[inline]
    pub fn player(&self, player: Player) -> &PlayerPlan {
        &self.blueprint.players[player.index()]
    }

    /// Iterates over the kinds of pieces, in the order of the blueprint.
    #[inline]
    pub fn kinds(&self) -> impl ExactSizeIterator<Item = Kind> + use<> {
        (0..self.blueprint.kinds.len() as u8).map(Kind)
    }

    /// Returns the code, symbol and moves of a kind.
    #[inline]
    pub fn kind(&self, kind: Kind) -> &KindPlan {
        &self.blueprint.kinds[kind.index()]
    }

    /// Returns the name of a flag.
    #[inline]
    pub fn flag(&self, flag: Flag) -> &str {
        &self.blueprint.flags[flag.index()]
    }

    /// Returns the kind that must not be lost (the king in chess), if the game has one; the first, if there are several.
    #[inline]
    pub fn leader(&self) -> Option<Kind> {
        self.blueprint.leaders.first().copied()
    }

    /// Returns whether pieces of a kind must not be lost.
    #[inline]
    pub fn is_leader(&self, kind: Kind) -> bool {
        self.leader_bits[kind.index() / 64] >> (kind.index() % 64) & 1 == 1
    }

    /// Returns the kinds that a player must not lose.
    #[inline]
    pub fn leaders_of(&self, player: Player) -> &[Kind] {
        let has = self.mechanics().leadership.players.is_none_or(|players| players.contains(player));
        if has { &self.blueprint.leaders } else { &[] }
    }

    /// Returns the player of a slot in the turn order.
    #[inline]
    pub fn turn_of(&self, slot: u16) -> Player {
        self.blueprint.order[usize::from(slot)]
    }

    /// Returns the player to move. In a finished game this is the player who would move next.
    #[inline]
    pub fn mover(&self, position: &Position) -> Player {
        self.turn_of(position.slot())
    }

    /// Returns the players still in the game: those with a slot in the turn order who are not eliminated.
    #[inline]
    pub fn alive(&self, position: &Position) -> PlayerSet {
        self.seated.without(position.eliminated())
    }

    /// Returns the number that the rules give to a move of this position.
    pub fn move_id(&self, position: &Position, played: Move) -> i32 {
        if played.dropped().is_some() {
            return i32::from(played.pattern);
        }
        let kind = position.kind_at(played.spot());
        if let Some(plan) = self.part_plan(position).filter(|plan| !plan.moves.is_empty()) {
            return plan.moves[usize::from(played.pattern)].id;
        }
        let castle = self.castle_plan(kind, played).map(|castle| castle.id);
        castle.unwrap_or_else(|| self.kind(kind).moves[usize::from(played.pattern)].id)
    }

    /// Returns the number of steps of a move on the board that is not castling, of this position.
    pub fn steps_of(&self, position: &Position, played: Move) -> u32 {
        let (player, kind) = (self.mover(position), self.moving_kind(position, played));
        let walker = Walker::for_landing(self, position, player, kind, played.from);
        let pattern = walker.patterns().get(usize::from(played.pattern));
        pattern.map_or(1, |pattern| walker.steps_to(pattern, played.to))
    }

    /// Returns the kind of the moving or dropped piece for a move of this position.
    #[inline]
    pub fn moving_kind(&self, position: &Position, played: Move) -> Kind {
        played.dropped().unwrap_or_else(|| position.kind_at(played.spot()))
    }

    /// Returns the dimensions of a position.
    pub(crate) fn capacity(&self) -> Capacity {
        let mechanics = &self.blueprint.mechanics;
        Capacity {
            squares: self.board.len(),
            players: self.blueprint.players.len(),
            kinds: self.blueprint.kinds.len(),
            tags: mechanics.tag.as_ref().map_or(0, |tag| tag.values.len()),
            has_upper: mechanics.sharing.is_some(),
            has_registers: self.has_registers,
            has_hands: mechanics.hands.is_some(),
            has_parts: self.has_parts,
            counters: self.counter_places(),
        }
    }

    /// Returns the number of values that all counters have together.
    fn counter_places(&self) -> usize {
        let players = self.blueprint.players.len();
        self.mechanics().counters.iter().map(|counter| if counter.per_player { players } else { 1 }).sum()
    }

    /// Returns the place of a counter's value among all values. The player is ignored if the game has only one.
    pub fn counter_place(&self, counter: u8, player: Player) -> usize {
        let players = self.blueprint.players.len();
        let counters = &self.mechanics().counters;
        let before = &counters[..usize::from(counter)];
        let first: usize = before.iter().map(|counter| if counter.per_player { players } else { 1 }).sum();
        first + if counters[usize::from(counter)].per_player { player.index() } else { 0 }
    }

    /// Returns the value of a counter. The player is ignored if the game has only one.
    pub fn counter(&self, position: &Position, counter: u8, player: Player) -> u16 {
        position.counter_value(self.counter_place(counter, player))
    }

    /// Returns the mechanics beyond pieces that move and capture.
    #[inline]
    pub fn mechanics(&self) -> &Mechanics {
        &self.blueprint.mechanics
    }

    /// Returns whether two moves of the kind can lead from one square to the same square, so that only the number of
    /// the move distinguishes them.
    #[inline]
    pub fn may_coincide(&self, kind: Kind) -> bool {
        self.kind_traits[kind.index()].overlaps
    }

    /// Returns whether the piece could later go back the same way: the move of this position captures nothing, has no
    /// conditions and changes nothing else.
    pub fn is_reversible(&self, position: &Position, played: Move) -> bool {
        let kind = self.moving_kind(position, played);
        self.is_plain
            && !position.occupied(played.to)
            && self.kind_traits[kind.index()].reversible.get(usize::from(played.pattern)) == Some(&true)
    }

    /// Returns whether every move must be made to decide whether it is legal.
    #[inline]
    pub(crate) fn tries_all_moves(&self) -> bool {
        !self.is_plain
            && (!self.mechanics().restrictions.is_empty()
                || self.trigger_scope == TriggerScope::Everything
                || self.captures_backfire)
    }

    pub(crate) fn in_region(&self, region: u16, player: Player, square: Square) -> bool {
        let words = &self.regions[usize::from(region)][player.index()];
        words[square.index() / 64] >> (square.index() % 64) & 1 == 1
    }

    /// Returns whether the square belongs to the region of any of these players.
    pub(crate) fn in_region_of(&self, region: u16, players: PlayerSet, square: Square) -> bool {
        players.iter().any(|player| self.in_region(region, player, square))
    }

    /// Returns the players whose part of a region `of` refers to, seen by `player`.
    pub(crate) fn region_players(&self, of: RegionOf, player: Player) -> PlayerSet {
        let own = PlayerSet::EMPTY.with(player);
        match of {
            RegionOf::Own => own,
            RegionOf::Partner => self.team(player).without(own),
            RegionOf::Enemy => self.opponents(player),
            RegionOf::Any => self.players().collect(),
        }
    }
}
