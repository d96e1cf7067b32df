//! Squares, directions, and lookups of parts of the spec by name.

use tabiya_spec::model::{Axis, CastleSpec, Coord, Direction, GlobalCondition, LatticeWord, MoveSpec};
use tabiya_spec::place::At;

use crate::pattern::Attempt;
use crate::{Oracle, Piece, Square};

/// A square that never exists.
pub(crate) const NOWHERE: Square = (-1, -1);

impl<'s> Oracle<'s> {
    /// Returns whether the square is on the board and not a hole.
    pub(crate) fn exists(&self, square: Square) -> bool {
        let (x, y) = square;
        let size = &self.spec.board.dimensions;
        let disabled = || self.spec.board.disabled_positions.iter().any(|gap| self.at(**gap) == square);
        (0..size.x).contains(&x) && (0..size.y * self.levels()).contains(&y) && !disabled()
    }

    /// Returns the square with these coordinates. The rows of each level follow those of the level below.
    pub(crate) fn at(&self, at: Coord) -> Square {
        (at.x, at.z * self.spec.board.dimensions.y + at.y)
    }

    /// Returns the square at an offset, turned for the player. It need not exist.
    pub(crate) fn offset(&self, origin: Square, player: &str, neutral: Coord) -> Square {
        let turned = self.turned(player, neutral);
        if self.is_rectangle() {
            return (origin.0 + turned.x, origin.1 + turned.y);
        }
        self.advance(origin, turned).map_or(NOWHERE, |(square, _)| square)
    }

    /// Returns the squares of a slide, as far as it could go on an empty board: up to the edge or a hole, or until it would enter
    /// a square for the second time.
    pub(crate) fn slide(&self, origin: Square, player: &str, neutral: Coord, most: i32) -> Vec<Square> {
        let mut step = self.turned(player, neutral);
        let mut squares = vec![origin];
        while (squares.len() as i32) <= most {
            let Some((square, onward)) = self.advance(squares[squares.len() - 1], step) else { break };
            if !self.exists(square) || squares.contains(&square) {
                break;
            }
            squares.push(square);
            step = onward;
        }
        squares.split_off(1)
    }

    /// Returns the squares strictly between the source of an attempt and a landing, whether they exist or not.
    pub(crate) fn between(&self, attempt: &Attempt<'_>, to: Square) -> Vec<Square> {
        let step = *attempt.definition.step;
        if self.is_rectangle() || step == Coord::default() {
            return self.straight(attempt.from, to);
        }
        let player = &attempt.piece.player;
        let slide = self.slide(attempt.from, player, step, i32::MAX);
        let steps = slide.iter().position(|square| *square == to).map_or(0, |index| index as i32 + 1);
        let parts = common_divisor(step);
        let unit = Coord { x: step.x / parts, y: step.y / parts, z: step.z / parts };
        let mut at = (attempt.from, self.turned(player, unit));
        let mut squares = Vec::new();
        for _ in 1..steps * parts {
            let next = self.advance(at.0, at.1);
            squares.push(next.map_or(NOWHERE, |next| next.0));
            match next {
                Some(next) => at = next,
                None => break,
            }
        }
        squares
    }

    /// Returns the squares strictly between two, by coordinates.
    pub(crate) fn straight(&self, from: Square, to: Square) -> Vec<Square> {
        let ((x, y, z), (to_x, to_y, to_z)) = (self.coordinates(from), self.coordinates(to));
        let way = Coord { x: to_x - x, y: to_y - y, z: to_z - z };
        let parts = common_divisor(way);
        let part = |part: i32| Coord {
            x: x + way.x / parts * part,
            y: y + way.y / parts * part,
            z: z + way.z / parts * part,
        };
        (1..parts).map(|count| self.at(part(count))).collect()
    }

    /// Returns the squares that touch a square.
    pub(crate) fn neighbours(&self, square: Square) -> Vec<Square> {
        let near = self.neighbour_steps().into_iter().filter_map(|step| self.advance(square, step));
        near.map(|(near, _)| near).filter(|near| *near != square).collect()
    }

    /// Returns the steps to the squares that touch a square.
    pub(crate) fn neighbour_steps(&self) -> Vec<Coord> {
        let above = i32::from(self.levels() > 1);
        let mut steps = Vec::new();
        for x in -1..=1 {
            for y in -1..=1 {
                steps.extend((-above..=above).map(|z| Coord { x, y, z }));
            }
        }
        // On hexagons, a step forward and one to the left lead to no neighbour.
        steps.retain(|step| *step != Coord::default() && (!self.is_hex() || step.x * step.y != -1));
        steps
    }

    /// Returns the number of king steps between two squares, by coordinates.
    pub(crate) fn distance(&self, one: Square, other: Square) -> i32 {
        let ((x, y, z), (to_x, to_y, to_z)) = (self.coordinates(one), self.coordinates(other));
        let longest = (to_x - x).abs().max((to_y - y).abs()).max((to_z - z).abs());
        if self.is_hex() { longest.max((to_x - x - to_y + y).abs()) } else { longest }
    }

    /// Returns the square at an offset on the board as drawn, without wraps and links. It need not exist.
    pub(crate) fn beside(&self, square: Square, offset: Coord) -> Square {
        let (x, y, z) = self.coordinates(square);
        let at = Coord { x: x + offset.x, y: y + offset.y, z: z + offset.z };
        if self.is_inside(at) { self.at(at) } else { NOWHERE }
    }

    /// Returns the column, the row on its level, and the level of a square.
    pub(crate) fn coordinates(&self, (x, row): Square) -> (i32, i32, i32) {
        let rows = self.spec.board.dimensions.y;
        if self.levels() == 1 { (x, row, 0) } else { (x, row % rows, row / rows) }
    }

    fn levels(&self) -> i32 {
        self.spec.board.dimensions.z.max(1)
    }

    pub(crate) fn is_hex(&self) -> bool {
        self.spec.board.lattice.as_deref() == Some(&LatticeWord::Hex)
    }

    /// Returns whether every step adds its numbers to those of the square.
    fn is_rectangle(&self) -> bool {
        let board = &self.spec.board;
        self.levels() == 1 && board.wrap.is_empty() && board.links.is_empty()
    }

    fn is_inside(&self, at: Coord) -> bool {
        let size = &self.spec.board.dimensions;
        (0..size.x).contains(&at.x) && (0..size.y).contains(&at.y) && (0..self.levels()).contains(&at.z)
    }

    /// Returns a step of the rules as the player's step on the board.
    fn turned(&self, player: &str, neutral: Coord) -> Coord {
        let spec = self.spec.players.iter().find(|spec| *spec.name == player);
        spec.map_or_else(Direction::default, |spec| *spec.direction).turn(neutral)
    }

    /// Returns where a step on the board leads and how a slide goes on: along a link that begins here, else to the square
    /// beside, unless a link takes the place of that side. The square may be a hole.
    pub(crate) fn advance(&self, from: Square, step: Coord) -> Option<(Square, Coord)> {
        for (begin, leaves, end, onward) in self.links() {
            if begin == from && self.is_same_step(leaves, step) {
                return Some((end, onward));
            }
        }
        let (x, y, z) = self.coordinates(from);
        let mut at = Coord { x: x + step.x, y: y + step.y, z: z + step.z };
        for axis in self.spec.board.wrap.iter() {
            match **axis {
                Axis::X => at.x = at.x.rem_euclid(self.spec.board.dimensions.x),
                Axis::Y => at.y = at.y.rem_euclid(self.spec.board.dimensions.y),
                Axis::Z => at.z = at.z.rem_euclid(self.levels()),
            }
        }
        let to = self.at(at);
        let mut links = self.links();
        let is_cut = links.any(|(begin, leaves, ..)| begin == to && self.is_same_step(leaves, back(step)));
        (self.is_inside(at) && !is_cut).then_some((to, step))
    }

    /// Returns all links in both directions: square, step, square and step onward.
    fn links(&self) -> impl Iterator<Item = (Square, Coord, Square, Coord)> {
        self.spec.board.links.iter().flat_map(move |link| {
            let onward = link.onward.as_ref().map_or(*link.step, |onward| **onward);
            let pairs = link.from.iter().zip(link.to.iter());
            pairs.flat_map(move |(from, to)| {
                let (from, to) = (self.at(**from), self.at(**to));
                [(from, *link.step, to, onward), (to, back(onward), from, back(*link.step))]
            })
        })
    }

    /// Returns whether two steps differ only by whole rounds of the board.
    fn is_same_step(&self, one: Coord, other: Coord) -> bool {
        let wraps = |axis: Axis| self.spec.board.wrap.iter().any(|wrapped| **wrapped == axis);
        let is_same = |axis: Axis, by: i32, size: i32| by == 0 || wraps(axis) && by % size == 0;
        is_same(Axis::X, one.x - other.x, self.spec.board.dimensions.x)
            && is_same(Axis::Y, one.y - other.y, self.spec.board.dimensions.y)
            && is_same(Axis::Z, one.z - other.z, self.levels())
    }

    /// Returns the move definitions of a kind.
    pub(crate) fn definitions(&self, kind: &str) -> &'s [At<MoveSpec>] {
        self.spec.pieces.iter().find(|spec| *spec.code == kind).map_or(&[], |spec| &spec.moves)
    }

    /// Returns the castling moves of a kind.
    pub(crate) fn castles(&self, kind: &str) -> &'s [At<CastleSpec>] {
        self.spec.pieces.iter().find(|spec| *spec.code == kind).map_or(&[], |spec| &spec.castling)
    }

    /// Returns whether a `POSITION` condition lists the square for the player.
    pub(crate) fn lists(&self, code: &str, player: &str, square: Square) -> bool {
        self.spec.conditions.iter().any(|global| match &**global {
            GlobalCondition::Position { code: name, check } if **name == code => {
                check.get(player).is_some_and(|squares| squares.iter().any(|at| self.at(**at) == square))
            }
            _ => false,
        })
    }

    /// Returns whether a kind is the leader.
    pub(crate) fn is_leader(&self, kind: &str) -> bool {
        self.spec.leaders().any(|leader| **leader == kind)
    }

    /// Returns a new piece on a square, with the tag that the square gives.
    pub(crate) fn new_piece(&self, kind: &str, player: &str, square: Square) -> Piece {
        Piece { tag: self.tag_of(kind, square), ..Piece::new(kind, player) }
    }

    /// Returns the tag that a new piece of a kind gets on a square.
    fn tag_of(&self, kind: &str, square: Square) -> Option<String> {
        let tag = self.spec.tag.as_ref()?;
        let carries = tag.pieces.iter().any(|piece| **piece == kind);
        let mut values = tag.values.iter();
        let found = values.find(|(_, squares)| squares.iter().any(|at| self.at(**at) == square));
        found.filter(|_| carries).map(|(value, _)| value.clone())
    }
}

/// Returns the opposite step.
pub(crate) fn back(step: Coord) -> Coord {
    Coord { x: -step.x, y: -step.y, z: -step.z }
}

/// Returns the number of smallest whole steps that make up an offset.
fn common_divisor(offset: Coord) -> i32 {
    let of_level = greatest_common_divisor(offset.x.abs(), offset.y.abs());
    greatest_common_divisor(of_level, offset.z.abs())
}

fn greatest_common_divisor(a: i32, b: i32) -> i32 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}
