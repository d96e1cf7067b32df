//! Tables of one game that all searches share.

use std::sync::LazyLock;

use tabiya_engine::Rules;
use tabiya_engine::ending::{Clause, EndingPlan, PlayerResult};

use super::exchange::Exchanges;
use super::params::SearchParams;
use crate::evaluation::Evaluation;

/// What a search knows about a game before it begins.
#[derive(Clone, Debug)]
pub(super) struct GameTables {
    /// The tables for exchanges, if exchanges follow the usual rules in this game.
    pub(super) exchanges: Option<Exchanges>,
    /// Whether the rules have an ending by repetition.
    pub(super) has_repetition_draw: bool,
    /// After how many quiet turns the game is drawn, if it is.
    pub(super) most_quiet: Option<u32>,
    /// By depth and number of the move: the late move reduction in hundredths of a ply.
    reductions: Reductions,
}

type Reductions = Box<[[i16; GameTables::MOVES]; GameTables::DEPTHS]>;

impl GameTables {
    const DEPTHS: usize = 64;
    const MOVES: usize = 64;

    /// Builds the tables for searches.
    pub(super) fn of(rules: &Rules, evaluation: &Evaluation, params: &SearchParams) -> Self {
        let is_repetition = |clause: &Clause| matches!(clause, Clause::Repetition(_));
        GameTables {
            exchanges: Exchanges::of(rules, evaluation),
            has_repetition_draw: rules.endings().iter().any(|plan| plan.when.iter().any(is_repetition)),
            most_quiet: rules.endings().iter().filter_map(quiet_draw).min(),
            reductions: Self::reductions(params),
        }
    }

    /// Returns what quiescence search alone needs of any game.
    pub(super) fn of_quiescence() -> &'static Self {
        static TABLES: LazyLock<GameTables> = LazyLock::new(|| GameTables {
            exchanges: None,
            has_repetition_draw: false,
            most_quiet: None,
            reductions: GameTables::reductions(&SearchParams::DEFAULT),
        });
        &TABLES
    }

    fn reductions(params: &SearchParams) -> Reductions {
        let mut reductions = Box::new([[0; Self::MOVES]; Self::DEPTHS]);
        for (depth, row) in reductions.iter_mut().enumerate().skip(1) {
            for (index, reduction) in row.iter_mut().enumerate().skip(1) {
                let product = f64::from(depth as u32).ln() * f64::from(index as u32).ln();
                let scaled = product * 1e4 / f64::from(params.reduction_divisor.max(1));
                *reduction = (f64::from(params.reduction) + scaled) as i16;
            }
        }
        reductions
    }

    /// Returns the late move reduction in hundredths of a ply.
    pub(super) fn reduction(&self, depth: i32, index: usize) -> i32 {
        i32::from(self.reductions[(depth.max(0) as usize).min(Self::DEPTHS - 1)][index.min(Self::MOVES - 1)])
    }
}

/// Returns after how many quiet turns an ending draws the game, if nothing else matters.
fn quiet_draw(plan: &EndingPlan) -> Option<u32> {
    match plan.when[..] {
        [Clause::Quiet(turns)] if plan.result == PlayerResult::Draw => Some(turns),
        _ => None,
    }
}
