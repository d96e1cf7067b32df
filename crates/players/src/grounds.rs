//! What the rules of one game say about its pieces and its board, before anybody weighs it: a piece is worth as much as it
//! can do, a square as much as can be done from it.

use std::collections::BTreeSet;

use tabiya_engine::blueprint::Effect;
use tabiya_engine::{Board, Kind, Offset, Player, PlayerSet, Rules, Square};

use crate::structure::Structure;
use crate::survey::Survey;

/// The grounds on which positions are judged.
#[derive(Clone, Debug)]
pub(crate) struct Grounds {
    /// By kind: what it is worth, as it can do so much. The leader is worth nothing: it is not for exchange.
    pub(crate) values: Vec<i32>,
    /// By kind: what lies between the squares on which it can do least and most.
    pub(crate) ranges: Vec<i32>,
    /// By kind: whether it neither leads nor hopes to become another.
    pub(crate) is_force: Vec<bool>,
    /// By kind and square: how much more it can do there than elsewhere, in hundredths of its range. Empty where nobody
    /// counted.
    pub(crate) reach: Vec<Vec<i32>>,
    /// By square: how much more room there is around it than elsewhere, in hundredths of what lies between the least and
    /// the most.
    pub(crate) room: Vec<i32>,
    /// By player, kind and square: what it may hope to become there. Empty where there is no hope.
    pub(crate) hopes: Vec<Vec<Box<[i32]>>>,
    pub(crate) structure: Structure,
    /// By square: the squares around it, and those along each line from it.
    pub(crate) around: Vec<Vec<Square>>,
    pub(crate) lines: Vec<Vec<Vec<Square>>>,
    /// By kind and number of the move: whether it may take something in passing.
    pub(crate) in_passing: Vec<Vec<bool>>,
    pub(crate) leader: Option<Kind>,
    pub(crate) squares: usize,
    pub(crate) players: usize,
    /// The side of each player, and how many sides there are.
    pub(crate) side: Vec<usize>,
    pub(crate) sides: usize,
    /// Everybody who ever has a turn.
    pub(crate) seated: PlayerSet,
}

impl Grounds {
    /// Finds them out; that takes a while.
    pub(crate) fn of(rules: &Rules) -> Self {
        let survey = Survey::new(rules);
        let values: Vec<i32> = rules.kinds().map(|kind| survey.worth(kind)).collect();
        let hopes = survey.nearness(&values);
        let promotes = |kind: Kind| rules.kind(kind).moves.iter().any(|plan| !plan.modifiers.is_empty());
        let is_force = |kind: Kind| Some(kind) != rules.leader() && !promotes(kind);
        let board = rules.board();
        // With very many kinds and squares nobody counts all of them.
        let landings: Vec<Vec<i32>> = if survey.squares.len() < board.squares().count() {
            Vec::new()
        } else {
            // On an empty board, so that nothing but the square itself decides.
            let count = |kind: Kind, it: Square| (survey.landings(kind, &[], it) * Survey::MOVE) as i32;
            rules.kinds().map(|kind| filled(board, |it| count(kind, it))).collect()
        };
        let ranges = rules.kinds().map(|kind| landings.get(kind.index()).map_or(0, |it| range(it)));
        let mut teams: Vec<PlayerSet> = Vec::new();
        let side_of = |player: Player| {
            let team = rules.team(player);
            teams.iter().position(|other| *other == team).unwrap_or_else(|| {
                teams.push(team);
                teams.len() - 1
            })
        };
        let side: Vec<usize> = rules.players().map(side_of).collect();
        let takes = |effects: &[Effect]| effects.iter().any(|effect| matches!(effect, Effect::Capture(_)));
        let in_passing = |kind: Kind| {
            let moves = rules.kind(kind).moves.iter();
            moves
                .map(|plan| takes(&plan.effects) || plan.actions.iter().any(|action| takes(&action.effects)))
                .collect()
        };
        let squares = board.len();
        let all = || (0..squares as u16).map(Square);
        Grounds {
            values,
            ranges: ranges.collect(),
            is_force: rules.kinds().map(is_force).collect(),
            reach: landings.iter().map(|counts| relative(counts)).collect(),
            room: relative(&filled(board, |it| room(board, it))),
            structure: Structure::new(&survey, &hopes),
            hopes,
            around: all().map(|square| neighbours(board, square)).collect(),
            lines: all().map(|square| lines(board, square)).collect(),
            in_passing: rules.kinds().map(in_passing).collect(),
            leader: rules.leader(),
            squares,
            players: rules.players().count(),
            sides: side.iter().collect::<BTreeSet<_>>().len(),
            side,
            seated: rules.order().iter().copied().collect(),
        }
    }

    /// What a kind of a player may hope to become on a square.
    pub(crate) fn hope(&self, player: usize, kind: usize, square: usize) -> i32 {
        let table = self.hopes.get(player).and_then(|kinds| kinds.get(kind));
        table.and_then(|squares| squares.get(square)).copied().unwrap_or(0)
    }
}

/// By square: a number each. A hole is as good as any other square.
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

/// How much more each is than the mean, in hundredths of what lies between the least and the most.
fn relative(numbers: &[i32]) -> Vec<i32> {
    let mean = numbers.iter().sum::<i32>() / (numbers.len() as i32).max(1);
    let range = range(numbers).max(1);
    numbers.iter().map(|number| (number - mean) * 100 / range).collect()
}

/// How many squares are near.
fn room(board: &Board, square: Square) -> i32 {
    board.squares().filter(|other| board.distance(square, *other) <= NEAR).count() as i32
}

/// So many steps away is near.
const NEAR: u32 = 3;
/// Further along a line nobody looks.
const LONGEST_LINE: usize = 8;

fn directions() -> impl Iterator<Item = Offset> {
    let all = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| Offset { dx, dy }));
    all.filter(|offset| (offset.dx, offset.dy) != (0, 0))
}

/// The squares around a square.
fn neighbours(board: &Board, square: Square) -> Vec<Square> {
    directions().filter_map(|offset| board.step(square, offset)).collect()
}

/// The squares along each line from a square.
fn lines(board: &Board, square: Square) -> Vec<Vec<Square>> {
    let line = |offset: Offset| {
        let next = move |from: &Square| board.step(*from, offset);
        std::iter::successors(board.step(square, offset), next).take(LONGEST_LINE).collect()
    };
    directions().map(line).collect()
}
