//! The board as far as short forms need it: its shape and the names of its squares. Also boards in the shape of a hexagon:
//! `"side": 6` has six hexagons on each side.

use jsonc_parser::ast::{Object, Value as Json};
use tabiya_engine::{Board, Lattice, Topology};

use super::{Short, json};
use crate::code::Code;
use crate::limits;
use crate::model::Coord;

/// Writes out the dimensions and the holes of a board with a `side`.
pub(super) fn expand(root: &mut Object<'_>, short: &mut Short<'_, '_>) {
    let Some(Json::Object(board)) = json::get_mut(root, "board") else { return };
    let Some(side) = json::take(board, "side") else { return };
    let at = json::span(&side);
    let is_hex = json::get(board, "lattice").and_then(json::text) == Some("HEX");
    let given = ["dimensions", "disabled_positions"].into_iter().find(|key| json::get(board, key).is_some());
    let side = json::integer(&side).filter(|side| (1..=16).contains(side));
    let help = "write a number from 1 to 16, with \"lattice\": \"HEX\" and without `dimensions` and `disabled_positions`";
    let Some(side) = side.filter(|_| is_hex && given.is_none()) else {
        let message = match given {
            Some(key) => format!("A board with a `side` has no `{key}`."),
            None if is_hex => "The `side` of a hexagon is a number from 1 to 16.".to_owned(),
            None => "Only a board of hexagons has a `side`.".to_owned(),
        };
        short.report(Code::BadBoard, at.clone(), message, help);
        if json::get(board, "dimensions").is_none() {
            json::put(board, "dimensions", json::coordinates((1, 1), &at));
        }
        return;
    };
    let size = 2 * side - 1;
    let cells = (0..size).flat_map(|y| (0..size).map(move |x| Coord::flat(x, y)));
    let holes = cells.filter(|at| (at.x - at.y).abs() >= side);
    let holes = holes.map(|hole| json::coord(hole, &at)).collect();
    json::put(board, "dimensions", json::coordinates((size, size), &at));
    json::put(board, "disabled_positions", json::list(holes, &at));
    short.board = self::board(root);
}

/// Returns the board, disregarding links, if its dimensions are within the limits. Holes count once they are numbers.
pub(super) fn board(root: &Object<'_>) -> Option<Board> {
    let board = json::get(root, "board").and_then(Json::as_object)?;
    let size = json::read_coord(json::get(board, "dimensions")?)?;
    let sizes = [size.x, size.y, if size.z == 0 { 1 } else { size.z }];
    let squares = sizes.iter().try_fold(1i32, |product, size| product.checked_mul(*size));
    if sizes.iter().any(|size| *size < 1) || squares.is_none_or(|it| it > limits::SQUARES as i32) {
        return None;
    }
    let [files, ranks, levels] = sizes.map(|size| size as u16);
    let mut topology = Topology::default();
    topology.levels = levels;
    if json::get(board, "lattice").and_then(json::text) == Some("HEX") {
        topology.lattice = Lattice::Hex;
    }
    topology.file_letters = json::get(board, "files").and_then(json::text).map(str::to_owned);
    let wrap = json::get(board, "wrap").and_then(Json::as_array);
    for axis in wrap.into_iter().flat_map(|axes| &axes.elements).filter_map(json::text) {
        if let Some(axis) = ["X", "Y", "Z"].iter().position(|name| *name == axis) {
            topology.wraps[axis] = true;
        }
    }
    let holes = json::get(board, "disabled_positions").and_then(Json::as_array);
    let holes = holes.into_iter().flat_map(|holes| &holes.elements).filter_map(json::read_coord);
    let inside = holes.filter(|at| {
        let parts = [at.x, at.y, at.z].into_iter().zip(sizes);
        parts.into_iter().all(|(at, size)| (0..size).contains(&at))
    });
    let holes: Vec<(u16, u16)> = inside.map(|at| (at.x as u16, (at.z * sizes[1] + at.y) as u16)).collect();
    // Letters that do not fit are reported elsewhere.
    Board::with_topology(files, ranks, &holes, &topology).or_else(|| {
        topology.file_letters = None;
        Board::with_topology(files, ranks, &holes, &topology)
    })
}
