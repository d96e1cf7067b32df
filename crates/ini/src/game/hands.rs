//! Pieces in hand: what captured pieces become there, and what is dropped where.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json, json};

use super::Writer;
use crate::pieces::{KING, PAWN};
use crate::variant::{PLAYERS, Piece, Region, Square, Variant};

/// The key of the pawn whose drop may not mate.
const SHOGI_PAWN: &str = "shogiPawn";

/// A piece that has been promoted and is another piece in our file: it returns to the hand as what it was.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    pub(crate) code: String,
    pub(crate) letter: String,
    /// The key of the piece that was promoted.
    from: String,
    /// The key of the piece whose moves it has.
    pub(crate) to: String,
}

/// Returns the promoted forms of a variant: `+P` where each piece becomes one other, `Q~` where a pawn has a choice. The letters
/// are those of the pieces at the start, on the board and in hand.
pub(crate) fn forms(variant: &Variant, letters: &[char]) -> Vec<Form> {
    let mut forms: Vec<Form> = Vec::new();
    let exists = |from: &str| {
        let piece = variant.piece(from)?;
        let is_here = letters.iter().any(|letter| letter.eq_ignore_ascii_case(&piece.letter));
        let becomes = || {
            variant.promotion_pieces.iter().flatten().any(|to| to == from)
                || variant.promoted.values().any(|to| to == from)
        };
        Some(piece).filter(|_| is_here || becomes())
    };
    for (from, to) in &variant.promoted {
        let is_royal = variant.pseudo_royal && variant.extinction_types.iter().flatten().any(|it| it == to);
        if let (Some(piece), Some(_), false) = (exists(from), variant.piece(to), is_royal) {
            let letter = format!("+{}", piece.letter);
            let code = format!("+{}", variant.code(from));
            forms.push(Form { code, letter, from: from.clone(), to: to.clone() });
        }
    }
    let reverts = variant.drops.allowed && variant.drops.captures && !variant.drops.keep_promotion;
    for player in [0, 1].into_iter().filter(|_| reverts) {
        for from in &variant.promotion_pawns[player] {
            for to in &variant.promotion_pieces[player] {
                let Some(piece) = variant.piece(to).filter(|_| variant.piece(from).is_some()) else {
                    continue;
                };
                let (code, letter) = (format!("~{}", variant.code(to)), format!("{}~", piece.letter));
                if !forms.iter().any(|form| form.code == code) {
                    forms.push(Form { code, letter, from: from.clone(), to: to.clone() });
                }
            }
        }
    }
    forms
}

impl Writer<'_> {
    /// Returns the code of what a piece becomes.
    pub(crate) fn form(&self, from: &str, to: &str) -> String {
        let form = self.forms.iter().find(|form| form.from == from && form.to == to);
        form.map_or_else(|| self.variant.code(to), |form| form.code.clone())
    }

    /// Returns the pieces of a type, promoted ones included.
    pub(super) fn codes_of(&self, key: &str) -> Vec<String> {
        let forms = self.forms.iter().filter(|form| form.to == key).map(|form| form.code.clone());
        std::iter::once(self.variant.code(key)).chain(forms).collect()
    }

    /// Adds the promoted forms to the pieces.
    pub(super) fn forms(&mut self, pieces: &mut Vec<Json>) {
        let reverts = self.variant.drops.captures && !self.variant.drops.keep_promotion;
        for form in self.forms.clone() {
            let index = self.leaps.iter().position(|(piece, _)| piece.key == form.to);
            let Some(index) = index else { continue };
            let mut piece = self.piece_as(index, Some(&form.from));
            if let Some(piece) = piece.as_object_mut() {
                piece.insert("code".into(), json!(form.code));
                piece.insert("letter".into(), json!(form.letter));
                piece.remove("castling");
                if reverts && self.variant.drops.allowed {
                    piece.insert("reverts_to".into(), json!(self.variant.code(&form.from)));
                }
            }
            pieces.push(piece);
        }
    }

    /// Returns whether a piece can be on the board or in a hand. A type may be only a name for what others become.
    pub(super) fn is_reached(&self, piece: &Piece) -> bool {
        let here = |letter: char| letter.eq_ignore_ascii_case(&piece.letter);
        let becomes =
            |from: &String, to: &String| *to == piece.key && self.form(from, to) == self.variant.code(to);
        let pawns = || self.variant.promotion_pawns.iter().flatten();
        self.forms.is_empty()
            || self.start.pieces.iter().any(|(_, letter)| here(*letter))
            || self.start.hands.iter().flatten().any(|letter| here(*letter))
            || self.variant.promotion_pieces.iter().flatten().any(|to| pawns().any(|from| becomes(from, to)))
            || self.variant.promoted.iter().any(|(from, to)| becomes(from, to))
            || self.forms.iter().any(|form| form.from == piece.key && self.is_form_used(form))
    }

    /// Returns whether a form stands on the board at the start.
    fn is_form_used(&self, form: &Form) -> bool {
        self.start.forms.iter().any(|letter| form.letter.eq_ignore_ascii_case(letter))
    }

    /// Adds the key `hands`.
    pub(super) fn hands(&mut self, file: &mut Map<String, Json>) {
        let variant = self.variant;
        if !variant.drops.allowed && !variant.gating {
            return;
        }
        let mut hands = Map::new();
        if variant.drops.captures {
            hands.insert("captured_to".into(), json!("CAPTOR"));
        }
        let start = self.starting_hands();
        if !start.is_empty() {
            hands.insert("start".into(), json!(start));
        }
        let drops = if variant.drops.allowed { self.drops() } else { Vec::new() };
        hands.insert("drops".into(), json!(drops));
        file.insert("hands".into(), json!(hands));
    }

    /// Returns the numbers of pieces in hand at the start.
    fn starting_hands(&self) -> Map<String, Json> {
        let mut start = Map::new();
        for (player, letters) in self.start.hands.iter().enumerate().filter(|(_, it)| !it.is_empty()) {
            let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
            for key in letters.iter().filter_map(|letter| self.variant.key_of(*letter)) {
                *numbers.entry(self.variant.code(&key)).or_default() += 1;
            }
            start.insert(PLAYERS[player].into(), json!(numbers));
        }
        start
    }

    /// Returns whether a piece can be in a hand.
    pub(super) fn may_be_in_hand(&self, piece: &Piece) -> bool {
        let at_start = |letters: &Vec<char>| letters.iter().any(|it| it.eq_ignore_ascii_case(&piece.letter));
        self.start.hands.iter().any(at_start)
            || self.variant.drops.captures && piece.key != KING && self.is_reached(piece)
    }

    /// Adds the key `gates` to a piece that starts on squares where others may enter.
    pub(super) fn gates(&mut self, piece: &Piece, written: &mut Map<String, Json>) {
        if !self.variant.gating {
            return;
        }
        let squares = [0, 1].map(|player| self.gate_squares(player));
        let is_gate = |square: &Square| squares.iter().any(|it| it.contains(square));
        let here = |letter: char| letter.eq_ignore_ascii_case(&piece.letter);
        if !self.start.pieces.iter().any(|(square, letter)| here(*letter) && is_gate(square)) {
            return;
        }
        let region = self.condition("GATES", squares);
        let at_gate = json!({ "condition": "IN_REGION", "region": region, "at": "SOURCE" });
        let enters = |piece: &Piece| self.may_be_in_hand(piece);
        let entering = self.leaps.iter().map(|(piece, _)| *piece).filter(|it| enters(it) && it.key != PAWN);
        let codes: Vec<String> = entering.map(|it| self.variant.code(&it.key)).collect();
        let conditions = [json!({ "condition": "FIRST_MOVE" }), at_gate];
        written.insert("gates".into(), json!({ "piece": codes, "conditions": conditions }));
    }

    /// Returns the squares on which pieces of a player may enter: the castling field lists their files, and `KQ` stands for the
    /// king and the rooks.
    fn gate_squares(&self, player: usize) -> Vec<Square> {
        let variant = self.variant;
        let rank = if player == 0 { 0 } else { variant.ranks - 1 };
        let own = |letter: &char| letter.is_ascii_uppercase() == (player == 0);
        let rights: String =
            self.start.rights.chars().filter(own).map(|it| it.to_ascii_lowercase()).collect();
        let castles = |key: &String, player: usize| {
            *key == variant.castling_king[player] || variant.castling_rooks[player].contains(key)
        };
        let has_right = |(square, letter): &&(Square, char)| {
            let key = variant.key_of(*letter);
            let by_file = rights.contains(char::from(b'a' + square.0 as u8));
            let by_castling = rights.contains(['k', 'q']) && key.is_some_and(|key| castles(&key, player));
            own(letter) && square.1 == rank && (by_file || by_castling)
        };
        self.start.pieces.iter().filter(has_right).map(|(square, _)| *square).collect()
    }

    /// Returns the squares on which a dropped piece can castle.
    fn castling_squares(&self, key: &str, player: usize) -> Vec<Square> {
        let variant = self.variant;
        let (short, long) = variant.castling_rook_files;
        let rank =
            if player == 0 { variant.castling_rank - 1 } else { variant.ranks - variant.castling_rank };
        let files = if key == variant.castling_king[player] {
            vec![variant.castling_king_file]
        } else if variant.castling_rooks[player].iter().any(|rook| rook == key) {
            vec![long.unwrap_or(0), short.unwrap_or(variant.files - 1)]
        } else {
            Vec::new()
        };
        files.into_iter().map(|file| (file, rank)).collect()
    }

    /// Returns the drops, pieces with the same conditions together.
    fn drops(&mut self) -> Vec<Json> {
        let mut drops: Vec<(Vec<String>, Vec<Json>, Option<String>)> = Vec::new();
        // Of two entries that allow the same drop, the first counts.
        let mut unmoved = Vec::new();
        for (piece, leaps) in self.leaps.clone() {
            if !self.may_be_in_hand(piece) {
                continue;
            }
            let squares = [0, 1].map(|player| self.drop_squares(piece, &leaps, player));
            let mut conditions = Vec::new();
            if !self.is_everywhere(&squares) {
                let code = self.condition(&format!("DROPS_OF_{}", self.variant.code(&piece.key)), squares);
                conditions.push(json!({ "condition": code }));
            }
            conditions.extend(self.drop_conditions(piece));
            let castling = [0, 1].map(|player| self.castling_squares(&piece.key, player));
            if self.variant.drops.castle && castling.iter().any(|it| !it.is_empty()) {
                let code = self.variant.code(&piece.key);
                let at_home = self.condition(&format!("HOME_OF_{code}"), castling);
                let own: Vec<Json> =
                    conditions.iter().cloned().chain([json!({ "condition": at_home })]).collect();
                unmoved.push(json!({ "piece": [code], "conditions": own, "unmoved": true }));
            }
            let form = self.variant.promoted.get(&piece.key).map(|to| self.form(&piece.key, to));
            let forms = form.filter(|_| self.variant.drops.promoted);
            for form in std::iter::once(None).chain(forms.map(Some)) {
                let is_alike = |(_, other, becomes): &&mut (_, Vec<Json>, Option<String>)| {
                    form.is_none() && becomes.is_none() && *other == conditions
                };
                match drops.iter_mut().find(is_alike) {
                    Some((codes, ..)) => codes.push(self.variant.code(&piece.key)),
                    None => drops.push((vec![self.variant.code(&piece.key)], conditions.clone(), form)),
                }
            }
        }
        let drop = |(codes, conditions, form): (Vec<String>, Vec<Json>, Option<String>)| {
            let mut drop = json!({ "piece": codes });
            if !conditions.is_empty() {
                drop["conditions"] = json!(conditions);
            }
            if let Some(form) = form {
                drop["modifiers"] = json!([{ "action": "TRANSFORM", "options": [form] }]);
            }
            drop
        };
        unmoved.into_iter().chain(drops.into_iter().map(drop)).collect()
    }

    /// Returns the squares on which a player may drop a piece.
    pub(super) fn drop_squares(
        &self,
        piece: &Piece,
        leaps: &[tabiya_spec::betza::Leap],
        player: usize,
    ) -> Vec<Square> {
        let (variant, drops) = (self.variant, &self.variant.drops);
        let mut squares = self.squares(&drops.region[player]);
        if let Some(Some(area)) = variant.mobility.get(&piece.key).map(|regions| &regions[player]) {
            squares.retain(|square| area.has(*square));
        }
        let first = Region::rank(if player == 0 { 1 } else { variant.ranks });
        if piece.key == PAWN && !drops.pawns_in_zone {
            squares.retain(|square| !variant.promotion_region[player].has(*square));
        }
        if piece.key == PAWN && !drops.pawns_on_first_rank {
            squares.retain(|square| !first.has(*square));
        }
        if piece.key == "rook" && drops.rooks_on_first_rank {
            squares.retain(|square| first.has(*square));
        }
        if variant.immobility_illegal {
            let stuck = self.immobile(&squares, leaps, player);
            squares.retain(|square| !stuck.contains(square));
        }
        squares
    }

    /// Returns the conditions of a drop other than its squares.
    fn drop_conditions(&mut self, piece: &Piece) -> Vec<Json> {
        let drops = &self.variant.drops;
        let code = self.variant.code(&piece.key);
        let mut conditions = Vec::new();
        let never_after =
            |of: Json| json!({ "condition": "NOT", "of": [{ "condition": "AFTER", "of": [of] }] });
        if drops.not_doubled.as_deref() == Some(piece.key.as_str()) {
            let most = drops.per_file.saturating_sub(1);
            conditions.push(json!({ "condition": "COUNT", "piece": self.codes_of(&piece.key), "area": "FILE", "max": most }));
        }
        if !drops.checks {
            conditions.push(never_after(json!({ "condition": "IN_CHECK", "owner": "ENEMY" })));
        }
        if piece.key == SHOGI_PAWN && !drops.pawn_mates {
            conditions.push(never_after(json!({ "condition": "STUCK", "owner": "ENEMY", "attacked": true })));
        }
        if drops.opposite_bishops && piece.key != "bishop" && self.variant.piece("bishop").is_some() {
            conditions.push(self.room_for_bishops());
        }
        if piece.key == "bishop" && drops.opposite_bishops {
            let all = self.squares(&Region::all());
            let lists: Vec<Json> = [0, 1]
                .into_iter()
                .map(|parity| {
                    let half: Vec<Square> = all.iter().copied().filter(|(x, y)| (x + y) % 2 == parity).collect();
                    let name = if parity == 0 { "DARK_SQUARES" } else { "LIGHT_SQUARES" };
                    let region = self.condition(name, [half.clone(), half]);
                    json!([{ "condition": region }, { "condition": "COUNT", "piece": [code], "owner": "OWN", "in": region, "max": 0 }])
                })
                .collect();
            conditions.push(json!({ "condition": "ANY", "of": lists }));
        }
        conditions
    }

    /// Returns the condition that a drop leaves a square for each bishop in hand.
    fn room_for_bishops(&mut self) -> Json {
        let bishop = self.variant.code("bishop");
        let regions = self.variant.drops.region.clone();
        let own = |owner: &str, bound: &str, number: usize, region: &str, kinds: &[String]| json!({ "condition": "COUNT", "piece": kinds, "owner": owner, "in": region, (bound): number });
        let mut lists = vec![json!([{ "condition": "COUNT", "area": "HAND", "piece": [bishop], "max": 0 }])];
        for parity in [0, 1] {
            let is_of_colour = |(x, y): &Square| (x + y) % 2 == parity;
            let squares = regions.each_ref().map(|region| -> Vec<Square> {
                self.squares(region).into_iter().filter(is_of_colour).collect()
            });
            let room = squares.iter().map(Vec::len).min().unwrap_or(0);
            let name = if parity == 0 { "DARK_ROOM" } else { "LIGHT_ROOM" };
            let region = self.condition(name, squares);
            let here = json!({ "condition": region });
            let has_bishop = own("OWN", "min", 1, &region, std::slice::from_ref(&bishop));
            let has_room = own("OWN", "max", room.saturating_sub(2), &region, &self.codes());
            lists.push(json!([here, has_bishop]));
            lists.push(json!([here, has_room]));
        }
        json!({ "condition": "ANY", "of": lists })
    }

    /// Returns the restriction that pieces must be dropped first.
    pub(super) fn must_drop(&self) -> Option<Json> {
        let drops = &self.variant.drops;
        if !drops.allowed || !drops.must {
            return None;
        }
        let codes = match &drops.must_type {
            Some(key) => vec![self.variant.code(key)],
            None => self.codes(),
        };
        let none = json!({ "condition": "COUNT", "area": "HAND", "piece": codes, "owner": "OWN", "max": 0 });
        Some(json!({ "condition": "ANY", "of": [[{ "condition": "EVENT", "event": "DROPPED" }], [none]] }))
    }
}
