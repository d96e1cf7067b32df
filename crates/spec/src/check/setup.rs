//! The starting squares of the pieces, and whether players face the board from there.

use std::collections::{HashMap, HashSet};

use tabiya_engine::Lattice;

use crate::model::{Coord, PieceSpec, PlayerSpec, StartSpec};

use super::board::Board;
use super::prelude::*;
use super::regions;

pub(super) fn check(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let mut taken = HashMap::new();
    let shared = Shared::new(view);
    for player in view.spec.players.iter() {
        common::at_most(&player.starting_positions, limits::SQUARES, "starting positions", diags);
        for start in player.starting_positions.iter() {
            view.pieces.resolve(&start.piece, NameKind::Piece, diags);
            common::at_most(&start.positions, limits::SQUARES, "squares", diags);
            if let Some(board) = &view.board {
                start
                    .positions
                    .iter()
                    .for_each(|at| check_square(board, (player, start), at, &shared, &mut taken, diags));
            }
        }
    }
}

/// Warns about players who face the wrong way: a transposed matrix moves an army off its own edge.
pub(super) fn warn(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let Some(board) = &view.board else { return };
    for player in view.spec.players.iter().filter(|player| player.neutral.is_none()) {
        let Some(direction) = player.direction.known().filter(|it| it.symmetry(&view.spec.board).is_some())
        else {
            continue;
        };
        let forward = direction.turn(Coord::flat(0, 1));
        // The edges of hexagons are slanted.
        if board.lattice() == Lattice::Hex || forward.z != 0 {
            continue;
        }
        let Some(squares) = starting_squares(player, board) else { continue };
        let facing = squares.iter().filter(|at| faces_near_edge(board, **at, forward)).count();
        if facing * 2 > squares.len() && moves_forward(player, view) {
            report_facing(player, forward, diags);
        }
    }
}

/// Whether the army has a piece that moves forward in a way in which it does not move backward.
fn moves_forward(player: &PlayerSpec, view: &View<'_>) -> bool {
    let stands = |piece: &PieceSpec| {
        let mut starts = player.starting_positions.iter();
        starts.any(|start| start.piece.as_str() == piece.code.as_str() && !start.positions.is_empty())
    };
    let pieces = view.spec.pieces.iter().filter(|piece| stands(piece));
    pieces.into_iter().any(|piece| {
        let steps: HashSet<Coord> = piece.moves.iter().map(|each| *each.step).collect();
        let is_one_way = |step: &&Coord| {
            let back = [Coord { y: -step.y, ..**step }, Coord { x: -step.x, y: -step.y, z: -step.z }];
            step.y > 0 && !back.iter().any(|step| steps.contains(step))
        };
        steps.iter().any(|step| is_one_way(&step))
    })
}

/// Checks one piece on one square and reports at most one problem.
fn check_square<'g>(
    board: &Board<'_>,
    piece: PlacedPiece<'g>,
    at: &At<Coord>,
    shared: &Shared<'_, '_>,
    taken: &mut HashMap<Coord, Vec<PlacedPiece<'g>>>,
    diags: &mut Diagnostics<'_>,
) {
    if !board.spans(**at) {
        board.check_spans(at, diags);
    } else if !board.has(**at) {
        let message = format!("{} starts on {}, which is disabled.", owned(piece), **at);
        let help = "a disabled square does not exist: choose another, or remove it from `disabled_positions`";
        diags.report_with_help(Code::SquareDisabled, at.place(), message, help);
    } else {
        let there = taken.entry(**at).or_default();
        if let Some(first) = there.first().filter(|_| !shared.holds(**at, there, piece)) {
            let message =
                format!("{} starts on {}, where {} already stands.", owned(piece), **at, owned(*first));
            let help = if shared.squares.is_some() {
                "a square holds one piece; a shared square holds a leader and one other piece of its team"
            } else {
                "a square holds one piece"
            };
            diags.report_with_help(Code::SquareTaken, at.place(), message, help);
        }
        if there.len() < 2 {
            there.push(piece);
        }
    }
}

/// A piece and its owner.
type PlacedPiece<'g> = (&'g PlayerSpec, &'g StartSpec);

/// Squares that may hold two pieces.
struct Shared<'v, 'g> {
    view: &'v View<'g>,
    /// `None` if there are none or if they are unknown.
    squares: Option<HashSet<Coord>>,
    /// Whether the game has such squares but they could not be read.
    is_lost: bool,
}

impl<'v, 'g> Shared<'v, 'g> {
    fn new(view: &'v View<'g>) -> Self {
        let sharing = view.spec.sharing.as_ref();
        let squares = sharing.and_then(|sharing| regions::squares(sharing.region.known()?, view));
        Shared { view, is_lost: sharing.is_some() && squares.is_none(), squares }
    }

    /// Whether the piece may share the square with those on it: a leader with one other piece of its team.
    fn holds(&self, at: Coord, there: &[PlacedPiece<'_>], (player, start): PlacedPiece<'_>) -> bool {
        let [(other, first)] = there else { return false };
        let is_leader = |start: &StartSpec| self.view.is_leader(&start.piece);
        let is_square = self.squares.as_ref().is_some_and(|squares| squares.contains(&at));
        let is_pair = is_leader(first) != is_leader(start)
            && self.view.teams.may_be_partners(&player.name, &other.name);
        self.is_lost || (is_square && (is_pair || self.view.leaders().next().is_none()))
    }
}

fn owned((player, start): PlacedPiece<'_>) -> String {
    format!("`{}` of `{}`", shorten(&start.piece), shorten(&player.name))
}

/// Returns the starting squares of a player; `None` if part of them was not read.
fn starting_squares(player: &PlayerSpec, board: &Board<'_>) -> Option<Vec<Coord>> {
    let starts = player.starting_positions.known()?;
    let lists: Option<Vec<_>> = starts.iter().map(|start| start.positions.known()).collect();
    Some(lists?.into_iter().flatten().map(|at| **at).filter(|at| board.spans(*at)).collect())
}

/// Whether there are fewer squares ahead than behind.
fn faces_near_edge(board: &Board<'_>, at: Coord, forward: Coord) -> bool {
    let [files, ranks, _] = board.sizes();
    let right = files - 1 - at.x;
    let above = ranks - 1 - at.y;
    let (ahead, behind) = match (forward.x, forward.y) {
        (1, _) => (right, at.x),
        (-1, _) => (at.x, right),
        (_, 1) => (above, at.y),
        _ => (at.y, above),
    };
    ahead < behind
}

fn report_facing(player: &PlayerSpec, forward: Coord, diags: &mut Diagnostics<'_>) {
    let way = match (forward.x, forward.y) {
        (1, _) => "right",
        (-1, _) => "left",
        (_, 1) => "up",
        _ => "down",
    };
    let message =
        format!("`{}` moves {way}, but most of its pieces start at that edge.", shorten(&player.name));
    let help = "change its direction: `UP`, `DOWN`, `RIGHT` and `LEFT` say which way a player moves";
    diags.report_with_help(Code::ForwardFacesEdge, player.direction.place(), message, help);
}
