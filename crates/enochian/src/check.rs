//! What the words of an array mean, and whether they make one: four armies with a king each, men on squares of their own,
//! thrones, patrons, and bishops and queens on the network that is said.

use std::collections::BTreeMap;
use std::fmt;

use serde_saphyr::Spanned;

use crate::army::{Army, Heading, Network, PieceKind};
use crate::array::{ArraySpec, Placement};
use crate::read::{ArrayForm, PlacementForm, Word};

/// Something that is wrong, and the line where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line of the file, from 1.
    pub line: u64,
    /// What is wrong, in a sentence.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

/// Reads arrays and gathers what is wrong with them.
#[derive(Default)]
pub(crate) struct Reader {
    pub(crate) faults: Vec<Fault>,
}

pub(crate) fn line<T>(spanned: &Spanned<T>) -> u64 {
    spanned.referenced.line()
}

/// The number of a square: a1 is 0.
pub(crate) fn square(name: &str) -> Option<u8> {
    match name.as_bytes() {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some((rank - b'1') * 8 + (file - b'a')),
        _ => None,
    }
}

/// The name of a square.
pub(crate) fn square_name(square: u8) -> String {
    format!("{}{}", char::from(b'a' + square % 8), square / 8 + 1)
}

impl Reader {
    pub(crate) fn complain(&mut self, line: u64, what: String) {
        self.faults.push(Fault { line, what });
    }

    /// Every array has a name of its own; they are found in upper and lower case.
    pub(crate) fn names(&mut self, forms: &[ArrayForm]) {
        for (index, form) in forms.iter().enumerate() {
            let name = form.name.value.trim();
            let same = |other: &&ArrayForm| other.name.value.trim().eq_ignore_ascii_case(name);
            if let Some(first) = forms[..index].iter().find(same) {
                let what = format!("`{name}` is the name of another array, on line {}", line(&first.name));
                self.complain(line(&form.name), what);
            }
        }
    }

    /// The array, if all its words mean something.
    pub(crate) fn array(&mut self, form: &ArrayForm) -> Option<ArraySpec> {
        let name = form.name.value.clone();
        let turns = self.there(form.turn_order.as_ref(), form, "turn_order");
        let order = turns.and_then(|words| self.turn_order(words, "turn_order"));
        let historical = form.historical_order.as_ref();
        let historical_order = historical.and_then(|words| self.turn_order(words, "historical_order"));
        let thrones = self.there(form.throne_squares.as_ref(), form, "throne_squares");
        let thrones = thrones.map(|list| self.thrones(list)).unwrap_or_default();
        let headings = self.there(form.pawn_directions.as_ref(), form, "pawn_directions");
        let pawn_directions = headings.and_then(|list| self.headings(list));
        let men = self.there(form.piece_placements.as_ref(), form, "piece_placements");
        let placements = men.map(|men| men.value.as_slice()).unwrap_or_default();
        let placed: Vec<(Placement, u64)> = placements.iter().filter_map(|it| self.placement(it)).collect();
        if let Some(men) = men {
            self.men(&name, line(men), &placed, &thrones);
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
            promotion_zones: pawn_directions?.map(Heading::last_line),
            first_sharer,
            prime_player,
            piece_placements: placed.into_iter().map(|(placement, _)| placement).collect(),
        })
    }

    /// What an array must have.
    fn there<'f, T>(&mut self, part: Option<&'f T>, form: &ArrayForm, key: &str) -> Option<&'f T> {
        if part.is_none() {
            self.complain(line(&form.name), format!("`{}` has no `{key}`", form.name.value));
        }
        part
    }

    pub(crate) fn army(&mut self, word: &Word) -> Option<Army> {
        let army = Army::named(&word.value);
        if army.is_none() {
            self.complain(
                line(word),
                format!("`{}` is no army; the armies are blue, red, black, yellow", word.value),
            );
        }
        army
    }

    pub(crate) fn kind(&mut self, word: &Word) -> Option<PieceKind> {
        let kind = PieceKind::named(&word.value);
        if kind.is_none() {
            let what = "king, queen, bishop, knight, rook, pawn";
            self.complain(line(word), format!("`{}` is no man; the men are {what}", word.value));
        }
        kind
    }

    /// Who shares a throne with the king.
    fn sharer(&mut self, word: &Word) -> Option<PieceKind> {
        let kind = self.kind(word)?;
        if !PieceKind::PATRONS.contains(&kind) {
            self.complain(line(word), format!("a {} is no `first_sharer` of a throne", kind.name()));
        }
        Some(kind)
    }

    fn square(&mut self, word: &Word) -> Option<u8> {
        let found = square(&word.value);
        if found.is_none() {
            self.complain(line(word), format!("`{}` is no square; the squares are a1 to h8", word.value));
        }
        found
    }

    pub(crate) fn turn_order(&mut self, words: &Spanned<Vec<Word>>, key: &str) -> Option<[Army; 4]> {
        let armies: Vec<Army> = words.value.iter().filter_map(|word| self.army(word)).collect();
        let order = <[Army; 4]>::try_from(armies).ok();
        let is_whole = |order: &[Army; 4]| Army::ALL.iter().all(|army| order.contains(army));
        let whole = order.filter(is_whole);
        if whole.is_none() {
            self.complain(line(words), format!("`{key}` must name every army once"));
        }
        whole
    }

    fn thrones(&mut self, list: &Spanned<BTreeMap<String, Vec<Word>>>) -> [Vec<u8>; 4] {
        self.known_armies(list.value.keys(), line(list), "throne_squares");
        Army::ALL.map(|army| {
            let words = list.value.get(army.name()).map(Vec::as_slice).unwrap_or_default();
            if words.is_empty() {
                self.complain(line(list), format!("`throne_squares` has no throne for {army}"));
            }
            words.iter().filter_map(|word| self.square(word)).collect()
        })
    }

    fn headings(&mut self, list: &Spanned<BTreeMap<String, Word>>) -> Option<[Heading; 4]> {
        self.known_armies(list.value.keys(), line(list), "pawn_directions");
        let found = Army::ALL.map(|army| {
            let Some(word) = list.value.get(army.name()) else {
                self.complain(line(list), format!("`pawn_directions` has none for {army}"));
                return None;
            };
            let heading = Heading::ALL.into_iter().find(|heading| heading.name() == word.value);
            if heading.is_none() {
                self.complain(line(word), format!("`{}` is none of north, south, east, west", word.value));
            }
            heading
        });
        let [Some(blue), Some(red), Some(black), Some(yellow)] = found else { return None };
        Some([blue, red, black, yellow])
    }

    fn known_armies<'k>(&mut self, keys: impl Iterator<Item = &'k String>, line: u64, what: &str) {
        for key in keys.filter(|key| Army::named(key).is_none()) {
            self.complain(line, format!("`{what}`: `{key}` is no army"));
        }
    }

    /// The zones only say what follows from the directions.
    fn zones(&mut self, form: &ArrayForm, headings: Option<[Heading; 4]>) {
        for (name, zone) in &form.promotion_zones {
            match (Army::named(name), headings) {
                (None, _) => self.complain(line(zone), format!("`promotion_zones`: `{name}` is no army")),
                (Some(army), Some(headings)) => {
                    let last = headings[army.index()].line_name();
                    if zone.value != last {
                        self.complain(
                            line(zone),
                            format!(
                                "{army} promotes on {last}, where its pawns march, and not on `{}`",
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
                    self.complain(line(word), format!("{army} has two players in `controller_map`"));
                }
                seen.push(army);
                armies.push(army);
            }
            all.push(armies);
        }
        for army in Army::ALL.iter().filter(|army| !seen.contains(army)) {
            self.complain(line(&form.name), format!("{army} has no player in `controller_map`"));
        }
        all
    }

    fn placement(&mut self, form: &Spanned<PlacementForm>) -> Option<(Placement, u64)> {
        let at = line(form);
        let PlacementForm { square, army, kind, patron, diagonal_system } = &form.value;
        let (square, army, kind) = (self.square(square), self.army(army), self.kind(kind));
        let patron_kind = patron.as_ref().and_then(|word| self.kind(word));
        let network = diagonal_system.as_ref().and_then(|word| self.network(word));
        let (square, army, kind) = (square?, army?, kind?);
        let is_pawn = kind == PieceKind::Pawn;
        match (is_pawn, patron_kind) {
            (true, None) if patron.is_none() => self.complain(at, "a pawn needs a `patron`".to_owned()),
            (true, Some(patron)) if !PieceKind::PATRONS.contains(&patron) => {
                self.complain(at, format!("a {} is no patron of a pawn", patron.name()));
            }
            (false, Some(_)) => self.complain(at, format!("a {} has no patron", kind.name())),
            _ => {}
        }
        let slides_on_one = matches!(kind, PieceKind::Bishop | PieceKind::Queen);
        match network {
            Some(_) if !slides_on_one => {
                self.complain(at, format!("a {} belongs to no diagonal system", kind.name()));
            }
            Some(network) if network != Network::of(square) => self.complain(
                at,
                format!(
                    "{} lies on the network of {}, and not on {}",
                    square_name(square),
                    Network::of(square).name(),
                    network.name()
                ),
            ),
            _ => {}
        }
        let diagonal_system = slides_on_one.then(|| Network::of(square));
        Some((Placement { square, army, kind, patron: patron_kind, diagonal_system }, at))
    }

    fn network(&mut self, word: &Word) -> Option<Network> {
        let network = Network::ALL.into_iter().find(|network| network.name() == word.value);
        if network.is_none() {
            self.complain(line(word), format!("`{}` is neither aries nor cancer", word.value));
        }
        network
    }

    /// One king each; a square for two only on a throne, for a king and one other man of his team.
    fn men(&mut self, name: &str, at: u64, placed: &[(Placement, u64)], thrones: &[Vec<u8>; 4]) {
        for army in Army::ALL {
            let is_king = |it: &&(Placement, u64)| it.0.army == army && it.0.kind == PieceKind::King;
            let kings: Vec<&(Placement, u64)> = placed.iter().filter(is_king).collect();
            if kings.is_empty() {
                self.complain(at, format!("{army} has no king in `{name}`"));
            }
            for (_, line) in kings.iter().skip(1) {
                self.complain(*line, format!("{army} has a second king"));
            }
        }
        let mut by_square: BTreeMap<u8, Vec<&(Placement, u64)>> = BTreeMap::new();
        for it in placed {
            by_square.entry(it.0.square).or_default().push(it);
        }
        for (square, men) in by_square.iter().filter(|(_, men)| men.len() > 1) {
            let kings = men.iter().filter(|it| it.0.kind == PieceKind::King).count();
            let is_throne = thrones.iter().any(|squares| squares.contains(square));
            let are_friends =
                men.iter().all(|it| it.0.army == men[0].0.army || it.0.army == men[0].0.army.ally());
            if !(men.len() == 2 && kings == 1 && is_throne && are_friends) {
                let what = "only a king and one man of his team share a square, and only a throne";
                self.complain(
                    men[1].1,
                    format!("{} men stand on {}: {what}", men.len(), square_name(*square)),
                );
            }
        }
    }
}
