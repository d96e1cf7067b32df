//! The shape of a board: its squares, the step from a square in a direction, and the names of squares.
//!
//! Everything else derives from the step. A step normally leads to the square at an offset. Where a board wraps, it goes
//! on at the other side; where it is linked, it goes on at the linked square, perhaps in another direction. A link
//! works both ways and takes the place of the usual steps on its two sides, so no two steps lead to the same square in
//! the same direction.
//!
//! Levels are numbered one after the other: the rows of the second level follow those of the first.

use std::collections::BTreeMap;

use crate::orientation::Lattice;
use crate::square::{FileName, Offset, Square, gcd};

/// What makes a board more than a rectangle of squares.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Topology {
    /// How the squares are arranged.
    pub lattice: Lattice,
    /// The number of levels.
    pub levels: u16,
    /// Whether steps go on at the other side: across files, ranks and levels.
    pub wraps: [bool; 3],
    /// Steps that lead elsewhere. Each also works backwards.
    pub links: Vec<Link>,
    /// The letter of each file, if they are not a, b, c…
    pub file_letters: Option<String>,
}

impl Default for Topology {
    fn default() -> Self {
        let (lattice, wraps, links) = (Lattice::Square, [false; 3], Vec::new());
        Topology { lattice, levels: 1, wraps, links, file_letters: None }
    }
}

/// A step from one square that leads to another, and how the slide goes on from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The square that the step leaves.
    pub from: Square,
    /// The step.
    pub step: Offset,
    /// The square that it enters.
    pub to: Square,
    /// The step with which a slide goes on.
    pub onward: Offset,
}

impl Link {
    /// Returns the same link in the other direction.
    #[must_use]
    pub fn reversed(self) -> Link {
        Link { from: self.to, step: self.onward.reversed(), to: self.from, onward: self.step.reversed() }
    }
}

/// The shape of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    files: u16,
    /// The rows of one level.
    level_ranks: u16,
    levels: u16,
    lattice: Lattice,
    wraps: [bool; 3],
    /// By square and step, which is the shortest that leads there: the linked square and the step onward.
    links: BTreeMap<(Square, Offset), (Square, Offset)>,
    enabled: Box<[bool]>,
    file_letters: Option<Box<str>>,
    /// By file of hexagons: the row of its lowest hexagon, from which ranks are counted.
    first_rows: Box<[u16]>,
}

impl Board {
    /// The maximum number of squares.
    pub const MAX_SQUARES: usize = 1024;

    /// The maximum number of links, both ways together.
    pub const MAX_LINKS: usize = 16 * Self::MAX_SQUARES;

    /// Returns a rectangle without the `disabled` squares, or `None` if it has no squares, more than
    /// [`Board::MAX_SQUARES`], or a hole outside the rectangle.
    #[cfg(test)]
    pub(crate) fn new(files: u16, ranks: u16, disabled: &[(u16, u16)]) -> Option<Self> {
        Board::with_topology(files, ranks, disabled, &Topology::default())
    }

    /// Returns a board without the `disabled` squares, which are given by column and row, counted through all levels.
    /// Returns `None` if the board has no squares, more than [`Board::MAX_SQUARES`], a hole or link outside, two links
    /// for one step, or a step that is linked to itself.
    pub fn with_topology(
        files: u16,
        ranks: u16,
        disabled: &[(u16, u16)],
        topology: &Topology,
    ) -> Option<Self> {
        let levels = topology.levels;
        let squares = usize::from(files).checked_mul(usize::from(ranks))?.checked_mul(usize::from(levels))?;
        if !(1..=Self::MAX_SQUARES).contains(&squares) || topology.links.len() > Self::MAX_LINKS {
            return None;
        }
        let mut enabled = vec![true; squares].into_boxed_slice();
        for &(x, row) in disabled {
            if x >= files || row >= ranks * levels {
                return None;
            }
            enabled[usize::from(row) * usize::from(files) + usize::from(x)] = false;
        }
        let letters = topology.file_letters.as_deref();
        if letters.is_some_and(|it| it.len() != usize::from(files) || !is_letters(it)) {
            return None;
        }
        let mut board = Board {
            files,
            level_ranks: ranks,
            levels,
            lattice: topology.lattice,
            wraps: topology.wraps,
            links: BTreeMap::new(),
            enabled,
            file_letters: letters.map(Into::into),
            first_rows: Box::new([]),
        };
        if board.lattice == Lattice::Hex {
            let first = |x: u16| (0..ranks).find(|y| board.has(Square(y * files + x))).unwrap_or(0);
            board.first_rows = (0..files).map(first).collect();
        }
        for link in &topology.links {
            board.link(*link)?;
        }
        Some(board)
    }

    /// Adds a link in both directions.
    fn link(&mut self, link: Link) -> Option<()> {
        for Link { from, step, to, onward } in [link, link.reversed()] {
            let (step, onward) = (self.shortest(step), self.shortest(onward));
            if from.index() >= self.len() || to.index() >= self.len() || step == Offset::new(0, 0) {
                return None;
            }
            let old = self.links.insert((from, step), (to, onward));
            if old.is_some_and(|old| old != (to, onward)) {
                return None;
            }
        }
        Some(())
    }

    /// Returns how the squares are arranged.
    #[inline]
    pub fn lattice(&self) -> Lattice {
        self.lattice
    }

    /// Returns the number of levels.
    #[inline]
    pub fn levels(&self) -> u16 {
        self.levels
    }

    /// Returns whether steps go on at the other side: across files, ranks and levels.
    #[inline]
    pub fn wraps(&self) -> [bool; 3] {
        self.wraps
    }

    /// Returns whether every step leads to the square at its offset: the board neither wraps nor has links.
    #[inline]
    pub fn is_flat(&self) -> bool {
        self.wraps == [false; 3] && self.links.is_empty()
    }

    /// Returns whether some steps are linked.
    #[inline]
    pub fn has_links(&self) -> bool {
        !self.links.is_empty()
    }

    /// Iterates over all links, each in both directions.
    pub fn links(&self) -> impl Iterator<Item = Link> + '_ {
        self.links.iter().map(|(&(from, step), &(to, onward))| Link { from, step, to, onward })
    }

    /// Returns the number of columns.
    #[inline]
    pub fn files(&self) -> u16 {
        self.files
    }

    /// Returns the number of rows of all levels together.
    #[inline]
    pub fn ranks(&self) -> u16 {
        self.level_ranks * self.levels
    }

    /// Returns the number of rows of one level.
    #[inline]
    pub fn level_ranks(&self) -> u16 {
        self.level_ranks
    }

    /// Returns the number of squares of the rectangle, including holes.
    #[inline]
    pub fn len(&self) -> usize {
        self.enabled.len()
    }

    /// Returns `false`: a board has at least one square.
    #[inline]
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Returns the square in a column and row, unless it is off the board or a hole. Rows are counted through all levels.
    #[inline]
    pub fn square(&self, x: i32, row: i32) -> Option<Square> {
        let inside = (0..i32::from(self.files)).contains(&x) && (0..i32::from(self.ranks())).contains(&row);
        let square = inside.then(|| Square((row * i32::from(self.files) + x) as u16))?;
        self.enabled[square.index()].then_some(square)
    }

    /// Returns the number of king steps between two squares, disregarding wraps and links.
    #[inline]
    pub fn distance(&self, one: Square, other: Square) -> u32 {
        let ([x, y, z], [to_x, to_y, to_z]) = (self.place(one), self.place(other));
        let (dx, dy, dz) = (to_x - x, to_y - y, to_z - z);
        let on_level = dx.unsigned_abs().max(dy.unsigned_abs()).max(dz.unsigned_abs());
        match self.lattice {
            Lattice::Square => on_level,
            Lattice::Hex => on_level.max((dx - dy).unsigned_abs()),
        }
    }

    /// Returns the column and row of a square. Rows are counted through all levels.
    #[inline]
    pub fn coords(&self, square: Square) -> (i32, i32) {
        (i32::from(square.0 % self.files), i32::from(square.0 / self.files))
    }

    /// Returns the column, the row on its level, and the level of a square.
    #[inline]
    pub fn place(&self, square: Square) -> [i32; 3] {
        let (x, row) = self.coords(square);
        let ranks = i32::from(self.level_ranks);
        [x, row % ranks, row / ranks]
    }

    /// Returns the coordinates of a square as games write them: two, or three on a board with levels.
    pub fn written(&self, square: Square) -> Vec<i32> {
        let place = self.place(square);
        place[..if self.levels > 1 { 3 } else { 2 }].to_vec()
    }

    /// Returns the square at written coordinates, unless it is off the board or a hole. Only boards with levels have a third
    /// coordinate.
    pub fn at(&self, written: &[i32]) -> Option<Square> {
        match *written {
            [x, y] if self.levels == 1 => self.square(x, y),
            [x, y, z] if self.levels > 1 => {
                let cell = self.cell([x, y, z])?;
                self.has(cell).then_some(cell)
            }
            _ => None,
        }
    }

    /// Returns whether the square is inside the rectangle and not a hole.
    #[inline]
    pub fn has(&self, square: Square) -> bool {
        self.enabled.get(square.index()).copied().unwrap_or(false)
    }

    /// Returns the square that one step leads to, if it exists.
    #[inline]
    pub fn step(&self, from: Square, step: Offset) -> Option<Square> {
        self.step_onward(from, step).map(|(to, _)| to)
    }

    /// Returns the square that one step leads to, if it exists, and the step with which a slide goes on.
    pub fn step_onward(&self, from: Square, step: Offset) -> Option<(Square, Offset)> {
        let (to, onward) = self.pass(from, step)?;
        self.has(to).then_some((to, onward))
    }

    /// Like [`Board::step_onward`], but the step may enter a hole.
    pub fn pass(&self, from: Square, step: Offset) -> Option<(Square, Offset)> {
        if !self.links.is_empty() {
            let step = self.shortest(step);
            if let Some(linked) = self.links.get(&(from, step)) {
                return Some(*linked);
            }
            let to = self.beside(from, step)?;
            // A link takes the place of the step that enters its square from this side.
            let is_cut = self.links.contains_key(&(to, self.shortest(step.reversed())));
            return (!is_cut).then_some((to, step));
        }
        Some((self.beside(from, step)?, step))
    }

    /// Returns the square at an offset, disregarding wraps and links, unless it is off the board or a hole.
    pub fn within(&self, from: Square, offset: Offset) -> Option<Square> {
        let [x, y, z] = self.place(from);
        let to = self.cell([x + offset.dx, y + offset.dy, z + offset.dz])?;
        self.has(to).then_some(to)
    }

    /// Returns the squares from which a step leads to a square.
    pub fn sources(&self, to: Square, step: Offset) -> Vec<Square> {
        if self.links.is_empty() {
            return self.step(to, step.reversed()).into_iter().collect();
        }
        self.squares().filter(|from| self.step(*from, step) == Some(to)).collect()
    }

    /// Returns the squares that touch a square, each once.
    pub fn neighbours(&self, square: Square) -> Vec<Square> {
        let mut squares: Vec<Square> =
            self.lattice.neighbours(self.levels).filter_map(|step| self.step(square, step)).collect();
        squares.retain(|other| *other != square);
        squares.sort();
        squares.dedup();
        squares
    }

    /// Returns the squares of a slide on an empty board: up to the edge or a hole, or until it would enter a square for the
    /// second time.
    pub fn slide(&self, from: Square, step: Offset) -> Vec<Square> {
        let mut squares = vec![from];
        let mut at = (from, step);
        while let Some(next) = self.step_onward(at.0, at.1) {
            // Without links, the first square to come again is the source.
            if next.0 == from || !self.links.is_empty() && squares.contains(&next.0) {
                break;
            }
            squares.push(next.0);
            at = next;
        }
        squares.split_off(1)
    }

    /// Returns an upper bound of the number of steps of a slide; at least 1.
    pub fn longest_slide(&self, step: Offset) -> usize {
        if self.has_links() {
            return self.len();
        }
        let mut shortest_line = usize::MAX;
        let mut round = 1usize;
        for (axis, (by, size)) in [step.dx, step.dy, step.dz].into_iter().zip(self.sizes()).enumerate() {
            let (by, size) = (by.unsigned_abs(), size.unsigned_abs());
            if self.wraps[axis] {
                let turns = (size / gcd(by, size)) as usize;
                round = round / gcd(round as u32, turns as u32) as usize * turns;
            } else if let Some(steps) = (size - 1).checked_div(by) {
                shortest_line = shortest_line.min(steps as usize);
            }
        }
        let longest = if shortest_line == usize::MAX { round - 1 } else { shortest_line };
        longest.max(1)
    }

    /// Returns the square at an offset, perhaps a hole. Where the board wraps, it goes on at the other side.
    fn beside(&self, from: Square, offset: Offset) -> Option<Square> {
        let [x, y, z] = self.place(from);
        let mut at = [x + offset.dx, y + offset.dy, z + offset.dz];
        for (axis, size) in self.sizes().into_iter().enumerate().filter(|(axis, _)| self.wraps[*axis]) {
            at[axis] = at[axis].rem_euclid(size);
        }
        self.cell(at)
    }

    /// Returns the number of columns, of rows on a level, and of levels.
    fn sizes(&self) -> [i32; 3] {
        [self.files, self.level_ranks, self.levels].map(i32::from)
    }

    /// Returns the square with these coordinates, perhaps a hole.
    fn cell(&self, at: [i32; 3]) -> Option<Square> {
        let sizes = self.sizes();
        let is_inside = at.iter().zip(sizes).all(|(at, size)| (0..size).contains(at));
        is_inside.then(|| Square(((at[2] * sizes[1] + at[1]) * sizes[0] + at[0]) as u16))
    }

    /// Returns the step with the same effect that is shortest: where the board wraps, whole rounds are left out.
    pub(crate) fn shortest(&self, step: Offset) -> Offset {
        let part = |axis: usize, by: i32, size: i32| {
            if !self.wraps[axis] {
                return by;
            }
            let by = by.rem_euclid(size);
            if 2 * by > size { by - size } else { by }
        };
        let [files, ranks, levels] = self.sizes();
        Offset::on_levels(part(0, step.dx, files), part(1, step.dy, ranks), part(2, step.dz, levels))
    }

    /// Returns whether a step leads off the board from every square.
    pub(crate) fn is_too_long(&self, step: Offset) -> bool {
        let Offset { dx, dy, dz } = self.shortest(step);
        [dx, dy, dz].into_iter().zip(self.sizes()).any(|(by, size)| by.abs() >= size)
            && !self.links.keys().any(|(_, linked)| *linked == Offset::on_levels(dx, dy, dz))
    }

    /// Returns the difference between the numbers of two squares at an offset.
    #[inline]
    pub(crate) fn index_difference(&self, offset: Offset) -> i32 {
        let [files, ranks, _] = self.sizes();
        (offset.dz * ranks + offset.dy) * files + offset.dx
    }

    /// Iterates over all squares that exist, rank by rank from the bottom left, level by level.
    #[inline]
    pub fn squares(&self) -> impl Iterator<Item = Square> + '_ {
        (0..self.len() as u16).map(Square).filter(|square| self.has(*square))
    }

    /// Returns the name of a file: a … z, aa, ab …, unless the game names files itself.
    pub fn file_name(&self, x: u32) -> String {
        let letters = self.file_letters.as_deref();
        match letters.and_then(|letters| letters.get(x as usize..=x as usize)) {
            Some(letter) => letter.to_owned(),
            None => FileName(x).to_string(),
        }
    }

    /// Returns the name of a level: A … Z, AA, AB …
    pub fn level_name(&self, level: u32) -> String {
        FileName(level).to_string().to_ascii_uppercase()
    }

    /// Returns the rank of a square, counted from 1: from the bottom of its level, or from the lowest hexagon of its file.
    pub fn rank(&self, square: Square) -> u32 {
        let [x, y, _] = self.place(square);
        (y - self.first_row(x) + 1).max(1) as u32
    }

    /// Returns the row from which the ranks of a file are counted: the bottom of its level, or its lowest hexagon.
    pub fn first_row(&self, x: i32) -> i32 {
        let first = usize::try_from(x).ok().and_then(|x| self.first_rows.get(x));
        first.copied().unwrap_or(0).into()
    }

    /// Returns the column with a name, counted from 0. It may lie beyond the last one.
    pub fn parse_file(&self, name: &str) -> Option<i32> {
        match &self.file_letters {
            Some(letters) => letters.find(name).filter(|_| name.len() == 1).map(|x| x as i32),
            None if (1..=3).contains(&name.len()) => number(name, b'a'),
            None => None,
        }
    }

    /// Returns the name of a square: its file and rank, after its level if there are several.
    pub fn name(&self, square: Square) -> String {
        let [x, _, z] = self.place(square);
        let level = if self.levels > 1 { self.level_name(z as u32) } else { String::new() };
        format!("{level}{}{}", self.file_name(x as u32), self.rank(square))
    }

    /// Returns the square with this name, if it is on the board.
    pub fn parse(&self, name: &str) -> Option<Square> {
        let lower = name.find(|c: char| !c.is_ascii_uppercase())?;
        let (level, name) = name.split_at(lower);
        let digits = name.find(|c: char| c.is_ascii_digit())?;
        let (file, rank) = name.split_at(digits);
        if level.len() > 3 || rank.starts_with('0') || rank.len() > 4 {
            return None;
        }
        let x = self.parse_file(file)?;
        let z = match (self.levels > 1, level.is_empty()) {
            (true, false) => number(level, b'A')?,
            (false, true) => 0,
            _ => return None,
        };
        let y = rank.bytes().all(|byte| byte.is_ascii_digit()).then(|| rank.parse::<i32>().ok())??;
        let square = self.cell([x, y - 1 + self.first_row(x), z])?;
        self.has(square).then_some(square)
    }
}

/// Returns the number of a name of letters, counted from 0.
fn number(letters: &str, first: u8) -> Option<i32> {
    let number = letters.bytes().try_fold(0i32, |sum, byte| {
        (first..first + 26).contains(&byte).then(|| sum * 26 + i32::from(byte - first) + 1)
    });
    number.map(|number| number - 1)
}

/// Returns whether a text consists of different lower-case letters.
fn is_letters(text: &str) -> bool {
    let mut seen = [false; 256];
    text.bytes()
        .all(|byte| byte.is_ascii_lowercase() && !std::mem::replace(&mut seen[usize::from(byte)], true))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(files: u16, ranks: u16, topology: &Topology) -> Board {
        Board::with_topology(files, ranks, &[], topology).expect("a board")
    }

    #[test]
    fn square_names_round_trip() {
        let board = Board::new(1024, 1, &[]).unwrap();
        for square in board.squares() {
            assert_eq!(board.parse(&board.name(square)), Some(square));
        }
        assert_eq!(board.name(Square(25)), "z1");
        assert_eq!(board.name(Square(26)), "aa1");
        for nonsense in ["", "a", "1", "a0", "a01", "A1", "a1x", "zzzz1", "a2", "ä1", "a99999", "Aa1"] {
            assert_eq!(board.parse(nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn names_on_levels_begin_with_the_level() {
        let board = board(5, 5, &Topology { levels: 5, ..Topology::default() });
        assert_eq!(board.name(Square(0)), "Aa1");
        assert_eq!(board.name(Square(124)), "Ee5");
        for square in board.squares() {
            assert_eq!(board.parse(&board.name(square)), Some(square));
        }
        assert_eq!(board.parse("a1"), None);
        assert_eq!(board.step(Square(0), Offset::on_levels(1, 1, 1)), board.parse("Bb2"));
        assert_eq!(
            board.step(board.parse("Aa5").unwrap(), Offset::new(0, 1)),
            None,
            "not onto the next level"
        );
    }

    #[test]
    fn ranks_of_hexagons_are_counted_in_their_file() {
        let hexes: Vec<(u16, u16)> = (0..5)
            .flat_map(|x: u16| (0..5).map(move |y: u16| (x, y)))
            .filter(|(x, y)| x.abs_diff(*y) > 2)
            .collect();
        let topology =
            Topology { lattice: Lattice::Hex, file_letters: Some("abcdf".into()), ..Topology::default() };
        let board = Board::with_topology(5, 5, &hexes, &topology).unwrap();
        assert_eq!(board.squares().count(), 19);
        assert_eq!(board.name(board.square(4, 2).unwrap()), "f1");
        assert_eq!(board.parse("f3"), board.square(4, 4));
        assert_eq!(board.parse("e1"), None);
        assert_eq!(board.neighbours(board.square(2, 2).unwrap()).len(), 6);
        assert_eq!(board.distance(board.parse("a1").unwrap(), board.parse("f3").unwrap()), 4);
    }

    #[test]
    fn a_wrapped_board_has_no_edge() {
        let torus = board(4, 3, &Topology { wraps: [true, true, false], ..Topology::default() });
        let a1 = torus.parse("a1").unwrap();
        assert_eq!(torus.step(a1, Offset::new(-1, -1)), torus.parse("d3"));
        assert_eq!(torus.step(a1, Offset::new(4, 3)), Some(a1), "once around");
        assert_eq!(torus.shortest(Offset::new(7, -2)), Offset::new(-1, 1));
        assert_eq!(torus.neighbours(a1).len(), 8);
        let diagonal = Offset::new(1, 1);
        assert_eq!(torus.slide(a1, diagonal).len(), 11, "through all squares");
        assert_eq!(torus.longest_slide(diagonal), 11);
        assert_eq!(torus.longest_slide(Offset::new(1, 0)), 3);
    }

    #[test]
    fn links_turn_slides_and_work_both_ways() {
        let (from, to) = (Square(0), Square(3));
        let (left, up) = (Offset::new(-1, 0), Offset::new(0, 1));
        let links = vec![Link { from, step: left, to, onward: up }];
        let board = board(3, 3, &Topology { links, ..Topology::default() });
        assert_eq!(board.step_onward(from, left), Some((to, up)));
        assert_eq!(board.step_onward(to, up.reversed()), Some((from, left.reversed())));
        assert_eq!(board.step(from, up), None, "the usual step into the linked side is cut");
        assert_eq!(board.sources(to, left), [from, Square(4)], "a step sideways and the linked one");
    }

    #[test]
    fn holes_are_not_squares() {
        let board = Board::new(3, 3, &[(1, 1)]).unwrap();
        assert_eq!(board.square(1, 1), None);
        assert_eq!(board.squares().count(), 8);
        assert_eq!(board.parse("b2"), None);
    }

    #[test]
    fn boards_have_limits() {
        assert!(Board::new(32, 32, &[]).is_some());
        assert!(Board::new(33, 32, &[]).is_none());
        assert!(Board::new(0, 8, &[]).is_none());
        let levels = |levels| Topology { levels, ..Topology::default() };
        assert!(Board::with_topology(16, 16, &[], &levels(4)).is_some());
        assert!(Board::with_topology(16, 16, &[], &levels(5)).is_none());
        assert!(Board::with_topology(16, 16, &[], &levels(0)).is_none());
    }
}
