//! Where the pieces start, and whether the players who own them face the board from there.

use std::collections::{HashMap, HashSet};

use crate::code::Code;
use crate::diagnostic::Faults;
use crate::limits;
use crate::model::{Coord, PlayerSpec, StartSpec};
use crate::place::At;
use crate::read::shorten;

use super::board::Board;
use super::lists;
use super::names::Kind;
use super::regions;
use super::view::View;

pub(super) fn check(view: &View<'_>, faults: &mut Faults<'_>) {
    let mut taken = HashMap::new();
    let shared = Shared::new(view);
    for player in view.spec.players.iter() {
        lists::at_most(&player.starting_positions, limits::SQUARES, "starting positions", faults);
        for start in player.starting_positions.iter() {
            view.pieces.resolve(&start.piece, Kind::Piece, faults);
            lists::at_most(&start.positions, limits::SQUARES, "squares", faults);
            if let Some(board) = &view.board {
                start
                    .positions
                    .iter()
                    .for_each(|at| check_square(board, (player, start), at, &shared, &mut taken, faults));
            }
        }
    }
}

/// Players who face the wrong way: a transposed matrix marches an army off its own edge.
pub(super) fn suspect(view: &View<'_>, faults: &mut Faults<'_>) {
    let Some(board) = &view.board else { return };
    for player in view.spec.players.iter() {
        let Some(direction) = player.direction.known().filter(|direction| direction.is_symmetry()) else {
            continue;
        };
        let forward = direction.turn(Coord { x: 0, y: 1 });
        let Some(squares) = starting_squares(player, board) else { continue };
        let facing = squares.iter().filter(|at| faces_near_edge(board, **at, forward)).count();
        if facing * 2 > squares.len() {
            report_facing(player, forward, faults);
        }
    }
}

/// One piece on one square: at most one fault, the first that applies.
fn check_square<'g>(
    board: &Board,
    man: Man<'g>,
    at: &At<Coord>,
    shared: &Shared<'_, '_>,
    taken: &mut HashMap<Coord, Vec<Man<'g>>>,
    faults: &mut Faults<'_>,
) {
    if !board.spans(**at) {
        board.check_spans(at, faults);
    } else if !board.has(**at) {
        let message = format!("{} starts on {}, which is disabled.", owned(man), **at);
        let help = "a disabled square does not exist: choose another, or take it out of `disabled_positions`";
        faults.report_with_help(Code::SquareDisabled, at.place(), message, help);
    } else {
        let there = taken.entry(**at).or_default();
        if let Some(first) = there.first().filter(|_| !shared.holds(**at, there, man)) {
            let message =
                format!("{} starts on {}, where {} stands already.", owned(man), **at, owned(*first));
            let help = if shared.squares.is_some() {
                "a square holds one piece; one for two holds a leader and one other piece of its team"
            } else {
                "a square holds one piece"
            };
            faults.report_with_help(Code::SquareTaken, at.place(), message, help);
        }
        if there.len() < 2 {
            there.push(man);
        }
    }
}

/// A piece with its owner.
type Man<'g> = (&'g PlayerSpec, &'g StartSpec);

/// Squares that may hold two pieces.
struct Shared<'v, 'g> {
    view: &'v View<'g>,
    /// `None` if there are none, or if there is no telling.
    squares: Option<HashSet<Coord>>,
    /// Whether the game may have such squares and they could not be read.
    is_lost: bool,
}

impl<'v, 'g> Shared<'v, 'g> {
    fn new(view: &'v View<'g>) -> Self {
        let sharing = view.spec.sharing.as_ref();
        let squares = sharing.and_then(|sharing| regions::squares(sharing.region.known()?, view));
        Shared { view, is_lost: sharing.is_some() && squares.is_none(), squares }
    }

    /// Whether the piece may share the square with those that stand there: a leader with one other piece of its team.
    fn holds(&self, at: Coord, there: &[Man<'_>], (player, start): Man<'_>) -> bool {
        let [(other, first)] = there else { return false };
        let is_leader = |start: &StartSpec| self.view.leader() == Some(start.piece.as_str());
        let is_square = self.squares.as_ref().is_some_and(|squares| squares.contains(&at));
        let is_pair = is_leader(first) != is_leader(start)
            && self.view.sides.may_be_partners(&player.name, &other.name);
        self.is_lost || (is_square && (is_pair || self.view.leader().is_none()))
    }
}

fn owned((player, start): Man<'_>) -> String {
    format!("`{}` of `{}`", shorten(&start.piece), shorten(&player.name))
}

/// Where the player starts, if all of it was read.
fn starting_squares(player: &PlayerSpec, board: &Board) -> Option<Vec<Coord>> {
    let starts = player.starting_positions.known()?;
    let lists: Option<Vec<_>> = starts.iter().map(|start| start.positions.known()).collect();
    Some(lists?.into_iter().flatten().map(|at| **at).filter(|at| board.spans(*at)).collect())
}

/// Whether there are fewer squares ahead than behind.
fn faces_near_edge(board: &Board, at: Coord, forward: Coord) -> bool {
    let right = board.width - 1 - at.x;
    let above = board.height - 1 - at.y;
    let (ahead, behind) = match (forward.x, forward.y) {
        (1, _) => (right, at.x),
        (-1, _) => (at.x, right),
        (_, 1) => (above, at.y),
        _ => (at.y, above),
    };
    ahead < behind
}

fn report_facing(player: &PlayerSpec, forward: Coord, faults: &mut Faults<'_>) {
    let way = match (forward.x, forward.y) {
        (1, _) => "right",
        (-1, _) => "left",
        (_, 1) => "up",
        _ => "down",
    };
    let message =
        format!("`{}` moves {way}, but most of its pieces start near that edge.", shorten(&player.name));
    let help = "turn it the other way: `UP`, `DOWN`, `RIGHT` and `LEFT` say which way a player moves";
    faults.report_with_help(Code::ForwardFacesEdge, player.direction.place(), message, help);
}
