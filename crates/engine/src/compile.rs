//! Compiles a [`Blueprint`] into the tables of [`Rules`]:
//!
//! - [`validate`] checks that all indices are in range.
//! - [`jump_table`] turns every offset into a table from squares to squares.
//! - [`pattern`] turns the moves of each kind for each orientation.
//! - [`unmoved`], [`first_moves`] and [`kind_traits`] collect facts about the rules that play asks for.
//! - `movegen::general` and `movegen::fast` build their own tables from these.

mod first_moves;
pub(crate) mod jump_table;
pub(crate) mod kind_traits;
pub(crate) mod pattern;
pub(crate) mod trigger_scope;
pub(crate) mod unmoved;
mod validate;
pub(crate) mod walk;

use std::sync::{Arc, OnceLock};

use crate::blueprint::ending::EndingPlan;
use crate::blueprint::mechanics::Mechanics;
use crate::blueprint::{Blueprint, Condition, Effect, Event, MovePlan};
use crate::dead::{LineWalker, PromotionRun, wins_only_by_mate};
use crate::movegen::fast::FastPath;
use crate::movegen::general::General;
use crate::piece::{Player, PlayerSet};
use crate::play::reactions::Reactions;
use crate::rules::Rules;
use crate::square::{Board, Square};

use jump_table::JumpTable;
use kind_traits::KindTraits;
use pattern::{MoveClassTests, PatternCompiler, Patterns};
use trigger_scope::{TriggerScope, captures_backfire};
use unmoved::UnmovedRules;
use validate::validate;

/// The reason why a blueprint cannot be compiled. A spec without errors never causes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlueprintError(pub(crate) &'static str);

crate::error_messages! { BlueprintError:
    BlueprintError(message) => "{message}";
}

impl Rules {
    /// Compiles a blueprint.
    ///
    /// # Errors
    ///
    /// Returns an error if the blueprint is inconsistent: an index is out of range, the board has no squares or too
    /// many, or the initial pieces do not fit.
    pub fn compile(blueprint: Blueprint) -> Result<Rules, BlueprintError> {
        validate(&blueprint)?;
        let board =
            Board::with_topology(blueprint.files, blueprint.ranks, &blueprint.disabled, &blueprint.topology)
                .ok_or(BlueprintError(
                    "the board must have 1 to 1024 squares, holes and links must be inside it, and a step has one link",
                ))?;
        let mut jumps = JumpTable::new(&board);
        let patterns = compile_patterns(&blueprint, &board, &mut jumps);
        let unmoved = UnmovedRules::new(&blueprint, &board, &mut jumps);
        let restrictions = by_player(&blueprint, &board, &mut jumps, |compiler| {
            compiler.all_tests(&blueprint.mechanics.restrictions)
        });
        let priority = by_player(&blueprint, &board, &mut jumps, |compiler| {
            let classes = blueprint.mechanics.priority.iter();
            classes.map(|conditions| move_class(compiler, conditions, &blueprint)).collect()
        });
        let drops = by_player(&blueprint, &board, &mut jumps, |compiler| {
            let drops = blueprint.mechanics.hands.iter().flat_map(|hands| &hands.drops);
            drops.map(|plan| compiler.drop_pattern(plan)).collect()
        });
        let parts = by_player(&blueprint, &board, &mut jumps, |compiler| {
            blueprint.mechanics.then.iter().map(|plan| compiler.part_pattern(plan)).collect()
        });
        let has_parts = !blueprint.mechanics.then.is_empty();
        let delays_removal = blueprint.mechanics.then.iter().any(|part| part.repeats);
        let trigger_tests = by_player(&blueprint, &board, &mut jumps, |compiler| {
            let triggers = blueprint.mechanics.triggers.iter();
            triggers.map(|trigger| compiler.all_tests(&trigger.when)).collect()
        });
        let flag_marks = by_player(&blueprint, &board, &mut jumps, |compiler| {
            let marks = blueprint.flag_marks.iter();
            marks.map(|mark| mark.map(|offset| compiler.jump(offset))).collect()
        });
        let needs_captured = needs_captured(&blueprint);
        let (trigger_scope, captures_backfire) =
            (TriggerScope::of(&blueprint), captures_backfire(&blueprint));
        let drops_with_moves = blueprint.kinds.iter().any(|kind| {
            let mut effects = kind.moves.iter().flat_map(MovePlan::all_effects);
            kind.castles.iter().any(|castle| castle.drop.is_some())
                || effects.any(|effect| matches!(effect, Effect::Drop { .. }))
        });
        let restrictions_ask_past = asks_past(&blueprint);
        let jumps = Arc::new(jumps);
        let general = General::new(&board, &blueprint, &jumps, &patterns);
        let kind_traits: Vec<KindTraits> =
            blueprint.kinds.iter().map(|kind| KindTraits::of(kind, &board)).collect();
        let words = words_for(board.len());
        let regions: Vec<Vec<Box<[u64]>>> = blueprint
            .regions
            .iter()
            .map(|region| region.squares.iter().map(|squares| bits(squares, words)).collect())
            .collect();
        let reactions = Reactions::new(&blueprint, &regions, words);
        let seated = blueprint.order.iter().copied().collect();
        let teams = teams(&blueprint);
        let is_plain = blueprint.mechanics == Mechanics::default();
        let wins_only_by_mate = board.is_flat() && wins_only_by_mate(&blueprint);
        let promotion_runs =
            patterns.iter().map(|own| PromotionRun::all(own, blueprint.leaders.first().copied())).collect();
        let line_walkers = patterns.iter().map(LineWalker::all).collect();
        let asks_for_perpetual_check = blueprint.endings.iter().any(EndingPlan::asks_for_perpetual_check);
        let has_board_endings = blueprint.endings.iter().any(EndingPlan::is_on_board);
        let mechanics = &blueprint.mechanics;
        let board_endings_need_change =
            mechanics.stuck_passes && blueprint.endings.iter().all(EndingPlan::needs_piece_change);
        let has_registers = mechanics.leadership.freezes
            || mechanics.control.is_some()
            || mechanics.withdrawal
            || mechanics.hold.is_some()
            || !mechanics.neutral.is_empty()
            || mechanics.chance.is_some();
        let blueprint_has_priority = !blueprint.mechanics.priority.is_empty();
        let mut leader_bits = [0; 4];
        for leader in &blueprint.leaders {
            leader_bits[leader.index() / 64] |= 1 << (leader.index() % 64);
        }
        let mut rules = Rules {
            board,
            blueprint,
            jumps,
            patterns,
            kind_traits,
            general,
            unmoved,
            regions,
            reactions,
            restrictions,
            priority: if blueprint_has_priority { priority } else { Vec::new() },
            drops,
            parts,
            has_parts,
            delays_removal,
            trigger_tests,
            flag_marks,
            restrictions_ask_past,
            drops_with_moves,
            needs_captured,
            trigger_scope,
            captures_backfire,
            seated,
            teams,
            has_registers,
            leader_bits,
            is_plain,
            wins_only_by_mate,
            promotion_runs,
            line_walkers,
            search_tables: OnceLock::new(),
            has_board_endings,
            board_endings_need_change,
            asks_for_perpetual_check,
            fast: None,
            start: None,
            content_hash: None,
        };
        let start = rules
            .position(&rules.start_setup())
            .map_err(|_| BlueprintError("two initial pieces are on one square, or one is off the board"))?;
        rules.start = Some(Box::new(start));
        rules.fast = FastPath::new(&rules);
        Ok(rules)
    }
}

/// Compiles something for each player.
fn by_player<T>(
    blueprint: &Blueprint,
    board: &Board,
    jumps: &mut JumpTable,
    mut compile: impl FnMut(&mut PatternCompiler<'_>) -> T,
) -> Vec<T> {
    let players = blueprint.players.iter();
    players
        .map(|player| compile(&mut PatternCompiler { board, jumps, orientation: player.orientation }))
        .collect()
}

fn move_class(
    compiler: &mut PatternCompiler<'_>,
    conditions: &[Condition],
    blueprint: &Blueprint,
) -> MoveClassTests {
    let is_captures = matches!(conditions, [Condition::Event(test)] if test.event == Event::Captured && test.kinds.is_none());
    MoveClassTests {
        tests: compiler.all_tests(conditions),
        is_captures: is_captures && blueprint.mechanics.figures.is_empty(),
    }
}

/// Returns whether a condition of the game depends on the past of a piece: whether it has moved, or a flag.
fn asks_past(blueprint: &Blueprint) -> bool {
    let Mechanics { restrictions: all, priority: classes, triggers, hands, .. } = &blueprint.mechanics;
    let of_drops = hands.iter().flat_map(|hands| &hands.drops).flat_map(|drop| &drop.conditions);
    let of_game = all.iter().chain(classes.iter().flatten()).chain(of_drops);
    let of_parts = blueprint.mechanics.then.iter();
    let of_part_moves =
        of_parts.clone().flat_map(|part| part.moves.iter().flat_map(MovePlan::all_conditions));
    let of_parts = of_parts.flat_map(|part| part.after.iter().chain(&part.only)).chain(of_part_moves);
    let mut of_game = of_game.chain(triggers.iter().flat_map(|trigger| &trigger.when)).chain(of_parts);
    of_game.any(|it| it.mentions(Condition::is_about_past))
}

/// Returns whether something depends on which pieces a move captures.
fn needs_captured(blueprint: &Blueprint) -> bool {
    let Mechanics { restrictions, priority, reactions, triggers, .. } = &blueprint.mechanics;
    let is_event = |it: &Condition| matches!(it, Condition::Event(test) if test.event == Event::Captured);
    let moves = blueprint.kinds.iter().flat_map(|kind| &kind.moves);
    let of_triggers = triggers.iter().flat_map(|trigger| &trigger.when);
    let drops = blueprint.mechanics.hands.iter().flat_map(|hands| &hands.drops);
    let of_drops = drops.flat_map(|drop| &drop.conditions);
    let of_game = restrictions.iter().chain(priority.iter().flatten()).chain(of_triggers).chain(of_drops);
    let mut all = of_game.chain(moves.flat_map(MovePlan::all_conditions));
    !reactions.is_empty()
        || !blueprint.mechanics.then.is_empty()
        || triggers.iter().any(|trigger| trigger.on.event == Event::Captured)
        || all.any(|it| it.mentions(is_event))
}

/// Returns the team of each player, including the player.
fn teams(blueprint: &Blueprint) -> Vec<PlayerSet> {
    let numbers = &blueprint.mechanics.teams;
    let players = || (0..blueprint.players.len() as u8).map(Player);
    let number = |player: Player| numbers.get(player.index());
    players()
        .map(|player| {
            let partners =
                players().filter(|other| number(*other).is_some() && number(*other) == number(player));
            partners.chain([player]).collect()
        })
        .collect()
}

/// Compiles the moves of all players. Players with the same orientation share them.
fn compile_patterns(blueprint: &Blueprint, board: &Board, jumps: &mut JumpTable) -> Vec<Patterns> {
    let mut all: Vec<Patterns> = Vec::with_capacity(blueprint.players.len());
    for (index, player) in blueprint.players.iter().enumerate() {
        let orientation = player.orientation;
        let alike = blueprint.players[..index].iter().position(|other| other.orientation == orientation);
        let mut compiler = PatternCompiler { board, jumps, orientation };
        all.push(match alike {
            Some(other) => Arc::clone(&all[other]),
            None => blueprint.kinds.iter().map(|kind| compiler.patterns(kind)).collect(),
        });
    }
    all
}

/// Returns the number of 64-bit words for a set of squares: a power of two.
pub(crate) fn words_for(squares: usize) -> usize {
    squares.div_ceil(64).next_power_of_two()
}

fn bits(squares: &[Square], words: usize) -> Box<[u64]> {
    let mut set = vec![0u64; words].into_boxed_slice();
    for square in squares {
        set[square.index() / 64] |= 1 << (square.index() % 64);
    }
    set
}
