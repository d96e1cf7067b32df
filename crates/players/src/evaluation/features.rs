//! Evaluation features measured once per game from its rules: piece values, placement tables, neighbourhoods.
//!
//! A piece is worth as much as it can do, and a square as much as can be done from it.

use std::collections::BTreeSet;

use tabiya_engine::blueprint::Effect;
use tabiya_engine::mechanics::Lost;
use tabiya_engine::{Board, Kind, Player, PlayerSet, Rules, Square};

use super::goals::{CounterGoal, counter_goals, unwanted_kinds};
use super::hand::Hands;
use super::mobility::Mobility;
use super::structure::Structure;

/// The features of one game.
#[derive(Clone, Debug)]
pub(crate) struct Features {
    /// By kind: the material value from its mobility. A leader whose loss decides is worth 0 because it cannot be exchanged. A
    /// kind that wins by being lost has a negative value.
    pub(crate) values: Vec<i32>,
    /// By kind: the difference in value between its worst and its best square.
    pub(crate) ranges: Vec<i32>,
    /// By kind: whether it is neither the leader nor promotable.
    pub(crate) counts_for_phase: Vec<bool>,
    /// By kind and square: how far its mobility there is above its mean, in percent of its range. Empty in very large
    /// games.
    pub(crate) reach: Vec<Vec<i32>>,
    /// By square: how far the number of near squares is above the mean, in percent of the range.
    pub(crate) centrality: Vec<i32>,
    /// By player, kind and square: the gain expected from promotion. Empty for kinds that do not promote.
    promotion_gains: Vec<Vec<Box<[i32]>>>,
    pub(crate) structure: Structure,
    /// By kind and number of the move: whether it may capture a piece beside its target.
    pub(crate) en_passant: Vec<Vec<bool>>,
    /// By kind: whether it is a leader of some player.
    pub(crate) is_leader: Vec<bool>,
    /// By player: its leaders.
    pub(crate) leaders: Vec<Vec<Kind>>,
    pub(crate) lost: Lost,
    /// The values of pieces in hand, if the game has hands.
    pub(crate) hands: Option<Hands>,
    /// The counters that decide the game.
    pub(crate) counter_goals: Vec<CounterGoal>,
    /// Whether moves may be compulsory.
    pub(crate) has_priority: bool,
    pub(crate) squares: usize,
    pub(crate) players: usize,
    /// The player of each slot of the turn order.
    pub(crate) order: Vec<Player>,
    /// The side of each player, and the number of sides.
    pub(crate) side: Vec<usize>,
    pub(crate) sides: usize,
    /// The players that have turns.
    pub(crate) seated: PlayerSet,
}

impl Features {
    /// Measures the features. This takes a while.
    pub(crate) fn of(rules: &Rules) -> Self {
        let mobility = Mobility::new(rules);
        let mut values: Vec<i32> = rules.kinds().map(|kind| mobility.value(kind)).collect();
        for kind in unwanted_kinds(rules) {
            // Strong pieces are hard to lose, but they also choose what they capture.
            values[kind.index()] = -(values[kind.index()] / 4 + UNWANTED_VALUE);
        }
        let hands = Hands::of(rules, &values);
        let promotion_gains = mobility.promotion_gains(&values);
        let promotes = |kind: Kind| rules.kind(kind).moves.iter().any(|plan| !plan.modifiers.is_empty());
        let counts_for_phase = |kind: Kind| !rules.is_leader(kind) && !promotes(kind);
        let board = rules.board();
        // Very large games are only sampled.
        let targets: Vec<Vec<i32>> = if mobility.squares.len() < board.squares().count() {
            Vec::new()
        } else {
            // On an empty board, so that only the square matters.
            let count =
                |kind: Kind, it: Square| (mobility.targets(kind, &[], it) * Mobility::MOVE_VALUE) as i32;
            rules.kinds().map(|kind| filled(board, |it| count(kind, it))).collect()
        };
        let ranges = rules.kinds().map(|kind| targets.get(kind.index()).map_or(0, |it| range(it)));
        let mut teams: Vec<PlayerSet> = Vec::new();
        let side_of = |player: Player| {
            let team = rules.team(player);
            teams.iter().position(|other| *other == team).unwrap_or_else(|| {
                teams.push(team);
                teams.len() - 1
            })
        };
        let side: Vec<usize> = rules.players().map(side_of).collect();
        let captures = |effects: &[Effect]| {
            effects.iter().any(|effect| matches!(effect, Effect::Capture(_) | Effect::CaptureMarked(_)))
        };
        let en_passant = |kind: Kind| {
            let moves = rules.kind(kind).moves.iter();
            moves
                .map(|plan| {
                    captures(&plan.effects) || plan.actions.iter().any(|action| captures(&action.effects))
                })
                .collect()
        };
        let squares = board.len();
        Features {
            values,
            ranges: ranges.collect(),
            counts_for_phase: rules.kinds().map(counts_for_phase).collect(),
            reach: targets.iter().map(|counts| relative(counts)).collect(),
            centrality: relative(&filled(board, |it| near_squares(board, it))),
            // Drops can block and support any piece, so structure means little where there are hands.
            structure: match hands {
                Some(_) => Structure::default(),
                None => Structure::new(&mobility, &promotion_gains),
            },
            promotion_gains,
            en_passant: rules.kinds().map(en_passant).collect(),
            is_leader: rules.kinds().map(|kind| rules.is_leader(kind)).collect(),
            leaders: rules.players().map(|player| rules.leaders_of(player).to_vec()).collect(),
            lost: rules.mechanics().leadership.lost,
            hands,
            counter_goals: counter_goals(rules),
            has_priority: !rules.mechanics().priority.is_empty(),
            squares,
            players: rules.players().count(),
            order: rules.order().to_vec(),
            sides: side.iter().collect::<BTreeSet<_>>().len(),
            side,
            seated: rules.order().iter().copied().collect(),
        }
    }

    /// Returns the gain that a piece on a square may expect from promotion.
    pub(crate) fn promotion_gain(&self, player: usize, kind: usize, square: usize) -> i32 {
        let table = self.promotion_gains.get(player).and_then(|kinds| kinds.get(kind));
        table.and_then(|squares| squares.get(square)).copied().unwrap_or(0)
    }
}

/// Computes a number for every square. Holes of the board get the mean.
fn filled(board: &Board, number: impl Fn(Square) -> i32) -> Vec<i32> {
    let numbers: Vec<Option<i32>> =
        (0..board.len() as u16).map(Square).map(|it| board.has(it).then(|| number(it))).collect();
    let known: Vec<i32> = numbers.iter().copied().flatten().collect();
    let mean = known.iter().sum::<i32>() / (known.len() as i32).max(1);
    numbers.into_iter().map(|number| number.unwrap_or(mean)).collect()
}

fn range(numbers: &[i32]) -> i32 {
    numbers.iter().max().unwrap_or(&0) - numbers.iter().min().unwrap_or(&0)
}

/// Returns how far each number is above the mean, in percent of the range.
fn relative(numbers: &[i32]) -> Vec<i32> {
    let mean = numbers.iter().sum::<i32>() / (numbers.len() as i32).max(1);
    let range = range(numbers).max(1);
    numbers.iter().map(|number| (number - mean) * 100 / range).collect()
}

/// Counts the squares within `NEAR` king steps.
fn near_squares(board: &Board, square: Square) -> i32 {
    board.squares().filter(|other| board.distance(square, *other) <= NEAR).count() as i32
}

const NEAR: u32 = 3;
/// What an unwanted piece costs in addition to its mobility.
const UNWANTED_VALUE: i32 = 50;
