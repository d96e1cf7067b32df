//! Checks arrays: four armies with one king each, one piece per square (two on a throne), thrones, patrons, and bishops
//! and queens on the stated diagonal system.

use std::collections::BTreeMap;
use std::fmt;

use serde_saphyr::Spanned;

use crate::army::{Army, DiagonalSystem, Direction, PieceKind};
use crate::array::{ArraySpec, Placement};
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

/// Returns the name of a square.
pub(crate) fn square_name(square: u8) -> String {
    format!("{}{}", char::from(b'a' + square % 8), square / 8 + 1)
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
        let thrones = self.require(form.throne_squares.as_ref(), form, "throne_squares");
        let thrones = thrones.map(|list| self.thrones(list)).unwrap_or_default();
        let directions = self.require(form.pawn_directions.as_ref(), form, "pawn_directions");
        let pawn_directions = directions.and_then(|list| self.directions(list));
        let pieces = self.require(form.piece_placements.as_ref(), form, "piece_placements");
        let placements = pieces.map(|pieces| pieces.value.as_slice()).unwrap_or_default();
        let placed: Vec<(Placement, u64)> = placements.iter().filter_map(|it| self.placement(it)).collect();
        if let Some(pieces) = pieces {
            self.pieces(&name, line(pieces), &placed, &thrones);
        }
        self.zones(form, pawn_directions);
        let first_sharer = form.first_sharer.as_ref().and_then(|word| self.sharer(word));
        let prime_player = form.prime_player.as_ref().and_then(|word| self.army(word));
        let controller_map = self.controllers(form);
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
            piece_placements: placed.into_iter().map(|(placement, _)| placement).collect(),
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
        if !PieceKind::PATRONS.contains(&kind) {
            self.report(line(word), format!("a {} cannot be the `first_sharer` of a throne", kind.name()));
        }
        Some(kind)
    }

    fn square(&mut self, word: &Word) -> Option<u8> {
        self.known(word, square(&word.value), "a square; the squares are a1 to h8")
    }

    pub(crate) fn turn_order(&mut self, words: &Spanned<Vec<Word>>, key: &str) -> Option<[Army; 4]> {
        let armies: Vec<Army> = words.value.iter().filter_map(|word| self.army(word)).collect();
        let order = <[Army; 4]>::try_from(armies).ok();
        let is_whole = |order: &[Army; 4]| Army::ALL.iter().all(|army| order.contains(army));
        let whole = order.filter(is_whole);
        if whole.is_none() {
            self.report(line(words), format!("`{key}` must list every army once"));
        }
        whole
    }

    fn thrones(&mut self, list: &Spanned<BTreeMap<String, Vec<Word>>>) -> [Vec<u8>; 4] {
        self.known_armies(list.value.keys(), line(list), "throne_squares");
        Army::ALL.map(|army| {
            let words = list.value.get(army.name()).map(Vec::as_slice).unwrap_or_default();
            if words.is_empty() {
                self.report(line(list), format!("`throne_squares` has no throne for {army}"));
            }
            words.iter().filter_map(|word| self.square(word)).collect()
        })
    }

    fn directions(&mut self, list: &Spanned<BTreeMap<String, Word>>) -> Option<[Direction; 4]> {
        self.known_armies(list.value.keys(), line(list), "pawn_directions");
        let found = Army::ALL.map(|army| {
            let Some(word) = list.value.get(army.name()) else {
                self.report(line(list), format!("`pawn_directions` has no direction for {army}"));
                return None;
            };
            self.known(word, Direction::named(&word.value), "north, south, east or west")
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
                    let last = directions[army.index()].line_name();
                    if zone.value != last {
                        self.report(
                            line(zone),
                            format!(
                                "{army} promotes on {last}, where its pawns are heading, not on `{}`",
                                zone.value
                            ),
                        );
                    }
                }
                (Some(_), None) => {}
            }
        }
    }

    fn controllers(&mut self, form: &ArrayForm) -> Vec<Vec<Army>> {
        if form.controller_map.is_empty() {
            return Army::ALL.map(|army| vec![army]).to_vec();
        }
        let mut seen = Vec::new();
        let mut all = Vec::new();
        for words in form.controller_map.values() {
            let mut armies = Vec::new();
            for word in words {
                let Some(army) = self.army(word) else { continue };
                if seen.contains(&army) {
                    self.report(line(word), format!("`controller_map` assigns {army} twice"));
                }
                seen.push(army);
                armies.push(army);
            }
            all.push(armies);
        }
        for army in Army::ALL.iter().filter(|army| !seen.contains(army)) {
            self.report(line(&form.name), format!("`controller_map` does not assign {army}"));
        }
        all
    }

    fn placement(&mut self, form: &Spanned<PlacementForm>) -> Option<(Placement, u64)> {
        let at = line(form);
        let PlacementForm { square, army, kind, patron, diagonal_system } = &form.value;
        let (square, army, kind) = (self.square(square), self.army(army), self.kind(kind));
        let patron_kind = patron.as_ref().and_then(|word| self.kind(word));
        let system = diagonal_system
            .as_ref()
            .and_then(|word| self.known(word, DiagonalSystem::named(&word.value), "aries or cancer"));
        let (square, army, kind) = (square?, army?, kind?);
        let is_pawn = kind == PieceKind::Pawn;
        match (is_pawn, patron_kind) {
            (true, None) if patron.is_none() => self.report(at, "a pawn needs a `patron`".to_owned()),
            (true, Some(patron)) if !PieceKind::PATRONS.contains(&patron) => {
                self.report(at, format!("a {} cannot be the patron of a pawn", patron.name()));
            }
            (false, Some(_)) => self.report(at, format!("a {} has no patron", kind.name())),
            _ => {}
        }
        let has_system = matches!(kind, PieceKind::Bishop | PieceKind::Queen);
        match system {
            Some(_) if !has_system => {
                self.report(at, format!("a {} has no diagonal system", kind.name()));
            }
            Some(system) if system != DiagonalSystem::of(square) => self.report(
                at,
                format!(
                    "{} belongs to the diagonal system {}, not {}",
                    square_name(square),
                    DiagonalSystem::of(square).name(),
                    system.name()
                ),
            ),
            _ => {}
        }
        let diagonal_system = has_system.then(|| DiagonalSystem::of(square));
        Some((Placement { square, army, kind, patron: patron_kind, diagonal_system }, at))
    }

    /// Checks that each army has one king, and that only thrones hold two pieces: a king and another piece of its team.
    fn pieces(&mut self, name: &str, at: u64, placed: &[(Placement, u64)], thrones: &[Vec<u8>; 4]) {
        for army in Army::ALL {
            let is_king = |it: &&(Placement, u64)| it.0.army == army && it.0.kind == PieceKind::King;
            let kings: Vec<&(Placement, u64)> = placed.iter().filter(is_king).collect();
            if kings.is_empty() {
                self.report(at, format!("{army} has no king in `{name}`"));
            }
            for (_, line) in kings.iter().skip(1) {
                self.report(*line, format!("{army} has a second king"));
            }
        }
        let mut by_square: BTreeMap<u8, Vec<&(Placement, u64)>> = BTreeMap::new();
        for it in placed {
            by_square.entry(it.0.square).or_default().push(it);
        }
        for (square, pieces) in by_square.iter().filter(|(_, pieces)| pieces.len() > 1) {
            let kings = pieces.iter().filter(|it| it.0.kind == PieceKind::King).count();
            let is_throne = thrones.iter().any(|squares| squares.contains(square));
            let first = pieces[0].0.army;
            let are_allies = pieces.iter().all(|it| it.0.army == first || it.0.army == first.ally());
            if !(pieces.len() == 2 && kings == 1 && is_throne && are_allies) {
                let rule = "only a king and one piece of its team can share a square, and only a throne";
                self.report(
                    pieces[1].1,
                    format!("{} has {} pieces: {rule}", square_name(*square), pieces.len()),
                );
            }
        }
    }
}
