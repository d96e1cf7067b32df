//! Checks the arrays of a file and reports each problem with its line.

use std::collections::BTreeMap;
use std::fmt;

use serde_saphyr::Spanned;

use crate::army::{Army, DiagonalSystem, Direction, PieceKind};
use crate::array::{ArraySpec, DEFAULT_PAWN_DIRECTIONS, DEFAULT_THRONE_SQUARES, Placement};
use crate::problems::{
    controller_problems, order_problem, piece_problems, placement_problems, sharer_problem, zone_problem,
};
use crate::yaml::{ArrayForm, PlacementForm, Word};

/// A problem with a file of arrays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayError {
    /// The line, from 1.
    pub line: u64,
    /// The problem, in one sentence.
    pub message: String,
}

impl fmt::Display for ArrayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

/// Checks the parts of a file and collects their problems.
#[derive(Default)]
pub(crate) struct Reader {
    pub(crate) errors: Vec<ArrayError>,
}

pub(crate) fn line<T>(spanned: &Spanned<T>) -> u64 {
    spanned.referenced.line()
}

/// Parses a square; a1 is 0.
pub(crate) fn square(name: &str) -> Option<u8> {
    match name.as_bytes() {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some((rank - b'1') * 8 + (file - b'a')),
        _ => None,
    }
}

impl Reader {
    pub(crate) fn report(&mut self, line: u64, message: String) {
        self.errors.push(ArrayError { line, message });
    }

    /// Checks that names are unique, ignoring case.
    pub(crate) fn names(&mut self, forms: &[ArrayForm]) {
        for (index, form) in forms.iter().enumerate() {
            let name = form.name.value.trim();
            let same = |other: &&ArrayForm| other.name.value.trim().eq_ignore_ascii_case(name);
            if let Some(first) = forms[..index].iter().find(same) {
                let other = line(&first.name);
                self.report(
                    line(&form.name),
                    format!("`{name}` is already the name of the array on line {other}"),
                );
            }
        }
    }

    /// Converts an array, if all its words are known.
    pub(crate) fn array(&mut self, form: &ArrayForm) -> Option<ArraySpec> {
        let name = form.name.value.clone();
        let turns = self.require(form.turn_order.as_ref(), form, "turn_order");
        let order = turns.and_then(|words| self.turn_order(words, "turn_order"));
        let historical = form.historical_order.as_ref();
        let historical_order = historical.and_then(|words| self.turn_order(words, "historical_order"));
        let thrones = self.thrones(form.throne_squares.as_ref());
        let pawn_directions = self.directions(form.pawn_directions.as_ref());
        let pieces = self.require(form.piece_placements.as_ref(), form, "piece_placements");
        let placements = pieces.map(|pieces| pieces.value.as_slice()).unwrap_or_default();
        let (placed, lines): (Vec<Placement>, Vec<u64>) =
            placements.iter().filter_map(|it| Some((self.placement(it)?, line(it)))).unzip();
        if let Some(pieces) = pieces {
            for (index, problem) in piece_problems(&name, &placed, &thrones) {
                self.report(index.map_or(line(pieces), |index| lines[index]), problem);
            }
        }
        self.zones(form, pawn_directions);
        let first_sharer = form.first_sharer.as_ref().and_then(|word| self.sharer(word));
        let prime_player = form.prime_player.as_ref().and_then(|word| self.army(word));
        let controller_map = self.controllers(form.controller_map.as_ref());
        Some(ArraySpec {
            name,
            about: form.about.clone(),
            source: form.source.clone(),
            turn_order: order?,
            historical_order,
            controller_map,
            throne_squares: thrones,
            pawn_directions: pawn_directions?,
            promotion_zones: pawn_directions?.map(Direction::last_line),
            first_sharer,
            prime_player,
            piece_placements: placed,
        })
    }

    /// Reports a missing key.
    fn require<'f, T>(&mut self, part: Option<&'f T>, form: &ArrayForm, key: &str) -> Option<&'f T> {
        if part.is_none() {
            self.report(line(&form.name), format!("`{}` has no `{key}`", form.name.value));
        }
        part
    }

    /// Reports a word that is not known.
    fn known<T>(&mut self, word: &Word, found: Option<T>, expected: &str) -> Option<T> {
        if found.is_none() {
            self.report(line(word), format!("`{}` is not {expected}", word.value));
        }
        found
    }

    pub(crate) fn army(&mut self, word: &Word) -> Option<Army> {
        self.known(word, Army::named(&word.value), "an army; the armies are blue, red, black, yellow")
    }

    pub(crate) fn kind(&mut self, word: &Word) -> Option<PieceKind> {
        let expected = "a piece; the pieces are king, queen, bishop, knight, rook, pawn";
        self.known(word, PieceKind::named(&word.value), expected)
    }

    /// Checks the piece that shares a throne with the king.
    fn sharer(&mut self, word: &Word) -> Option<PieceKind> {
        let kind = self.kind(word)?;
        if let Some(problem) = sharer_problem(kind) {
            self.report(line(word), problem);
        }
        Some(kind)
    }

    fn square(&mut self, word: &Word) -> Option<u8> {
        self.known(word, square(&word.value), "a square; the squares are a1 to h8")
    }

    pub(crate) fn turn_order(&mut self, words: &Spanned<Vec<Word>>, key: &str) -> Option<[Army; 4]> {
        let armies: Vec<Army> = words.value.iter().filter_map(|word| self.army(word)).collect();
        if let Some(problem) = order_problem(&armies, key) {
            self.report(line(words), problem);
            return None;
        }
        <[Army; 4]>::try_from(armies).ok()
    }

    /// Returns the thrones of each army: those of the file, or those of the rules document.
    fn thrones(&mut self, list: Option<&Spanned<BTreeMap<String, Vec<Word>>>>) -> [Vec<u8>; 4] {
        if let Some(list) = list {
            self.known_armies(list.value.keys(), line(list), "throne_squares");
        }
        Army::ALL.map(|army| {
            let words = list.and_then(|list| Some((line(list), list.value.get(army.name())?)));
            let Some((at, words)) = words else { return DEFAULT_THRONE_SQUARES[army.index()].to_vec() };
            if words.is_empty() {
                self.report(at, format!("`throne_squares` has no throne for {army}"));
            }
            words.iter().filter_map(|word| self.square(word)).collect()
        })
    }

    /// Returns the pawn direction of each army: that of the file, or that of the rules document.
    fn directions(&mut self, list: Option<&Spanned<BTreeMap<String, Word>>>) -> Option<[Direction; 4]> {
        if let Some(list) = list {
            self.known_armies(list.value.keys(), line(list), "pawn_directions");
        }
        let found = Army::ALL.map(|army| match list.and_then(|list| list.value.get(army.name())) {
            Some(word) => self.known(word, Direction::named(&word.value), "north, south, east or west"),
            None => Some(DEFAULT_PAWN_DIRECTIONS[army.index()]),
        });
        let [Some(blue), Some(red), Some(black), Some(yellow)] = found else { return None };
        Some([blue, red, black, yellow])
    }

    fn known_armies<'k>(&mut self, keys: impl Iterator<Item = &'k String>, line: u64, what: &str) {
        for key in keys.filter(|key| Army::named(key).is_none()) {
            self.report(line, format!("`{what}`: `{key}` is not an army"));
        }
    }

    /// Checks that promotion zones agree with the pawn directions.
    fn zones(&mut self, form: &ArrayForm, directions: Option<[Direction; 4]>) {
        for (name, zone) in &form.promotion_zones {
            match (Army::named(name), directions) {
                (None, _) => self.report(line(zone), format!("`promotion_zones`: `{name}` is not an army")),
                (Some(army), Some(directions)) => {
                    let direction = directions[army.index()];
                    if zone.value != direction.line_name() {
                        let problem = zone_problem(army, direction);
                        self.report(line(zone), format!("{problem}, not on `{}`", zone.value));
                    }
                }
                (Some(_), None) => {}
            }
        }
    }

    /// Returns the armies of each person: those of the file, or one army each.
    fn controllers(&mut self, map: Option<&Spanned<BTreeMap<u8, Vec<Word>>>>) -> Vec<Vec<Army>> {
        let Some(map) = map else { return Army::ALL.map(|army| vec![army]).to_vec() };
        let errors = self.errors.len();
        let mut armies = |words: &Vec<Word>| words.iter().filter_map(|word| self.army(word)).collect();
        let persons: Vec<Vec<Army>> = map.value.values().map(&mut armies).collect();
        if self.errors.len() == errors {
            for problem in controller_problems(&persons) {
                self.report(line(map), problem);
            }
        }
        persons
    }

    fn placement(&mut self, form: &Spanned<PlacementForm>) -> Option<Placement> {
        let PlacementForm { square, army, kind, patron, diagonal_system } = &form.value;
        let errors = self.errors.len();
        let (square, army, kind) = (self.square(square), self.army(army), self.kind(kind));
        let patron = patron.as_ref().and_then(|word| self.kind(word));
        let system = |word: &Word| DiagonalSystem::named(&word.value);
        let stated =
            diagonal_system.as_ref().and_then(|word| self.known(word, system(word), "aries or cancer"));
        let (square, army, kind) = (square?, army?, kind?);
        let diagonal_system =
            stated.or_else(|| kind.has_diagonal_system().then(|| DiagonalSystem::of(square)));
        let placement = Placement { square, army, kind, patron, diagonal_system };
        if self.errors.len() == errors {
            for problem in placement_problems(placement) {
                self.report(line(form), problem);
            }
        }
        Some(placement)
    }
}
