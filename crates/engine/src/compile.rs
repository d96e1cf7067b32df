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
pub(crate) mod unmoved;
mod validate;

use std::sync::{Arc, OnceLock};

use crate::blueprint::Blueprint;
use crate::blueprint::ending::EndingPlan;
use crate::blueprint::mechanics::Mechanics;
use crate::dead::{LineWalker, PromotionRun, wins_only_by_mate};
use crate::movegen::fast::FastPath;
use crate::movegen::general::General;
use crate::piece::{Player, PlayerSet};
use crate::play::reactions::Reactions;
use crate::rules::Rules;
use crate::square::{Board, Square};

use jump_table::JumpTable;
use kind_traits::KindTraits;
use pattern::{PatternCompiler, Patterns};
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
        let board = Board::new(blueprint.files, blueprint.ranks, &blueprint.disabled)
            .ok_or(BlueprintError("the board must have 1 to 1024 squares, and holes must be inside it"))?;
        let mut jumps = JumpTable::new(&board);
        let patterns = compile_patterns(&blueprint, &board, &mut jumps);
        let unmoved = UnmovedRules::new(&blueprint, &board, &mut jumps);
        let jumps = Arc::new(jumps);
        let general = General::new(&board, &blueprint, &jumps, &patterns);
        let kind_traits: Vec<KindTraits> = blueprint.kinds.iter().map(KindTraits::of).collect();
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
        let wins_only_by_mate = wins_only_by_mate(&blueprint);
        let promotion_runs = patterns.iter().map(|own| PromotionRun::all(own, blueprint.leader)).collect();
        let line_walkers = patterns.iter().map(LineWalker::all).collect();
        let has_board_endings = blueprint.endings.iter().any(EndingPlan::is_on_board);
        let mechanics = &blueprint.mechanics;
        let board_endings_need_change =
            mechanics.stuck_passes && blueprint.endings.iter().all(EndingPlan::needs_piece_change);
        let has_registers = mechanics.leadership.freezes
            || mechanics.control.is_some()
            || mechanics.withdrawal
            || mechanics.hold.is_some()
            || mechanics.chance.is_some();
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
            seated,
            teams,
            has_registers,
            is_plain,
            wins_only_by_mate,
            promotion_runs,
            line_walkers,
            search_tables: OnceLock::new(),
            has_board_endings,
            board_endings_need_change,
            fast: None,
            start: None,
        };
        let start = rules
            .position(&rules.start_setup())
            .map_err(|_| BlueprintError("two initial pieces are on one square, or one is off the board"))?;
        rules.start = Some(Box::new(start));
        rules.fast = FastPath::new(&rules);
        Ok(rules)
    }
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
