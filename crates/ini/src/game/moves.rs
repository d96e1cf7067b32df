//! The moves of a piece: its word of Betza notation, with first moves, en passant, promotion and confinement.

use serde_json::{Value as Json, json};
use tabiya_spec::betza::{BetzaError, Leap, parse};

use super::Writer;
use crate::pieces::{FERS, JANGGI_CANNON, KING, PAWN, SOLDIER};
use crate::variant::{Piece, Region, Square, Variant};

/// The flag of a piece that has just passed a square.
const FLAG: &str = "EN_PASSANT";

/// The counter of kings that may no longer leap.
pub(super) const FIXED: &str = "FIXED";

/// Returns the words of the moves to empty squares and of the captures of a word.
fn split(word: &str) -> [String; 2] {
    let leaps = leaps(word).unwrap_or_default();
    let part = |leap: &Leap, letter: char| {
        let part: String = word[leap.span.clone()].chars().filter(|it| !['m', 'c'].contains(it)).collect();
        format!("{letter}{part}")
    };
    let moving = leaps.iter().filter(|leap| leap.moves).map(|leap| part(leap, 'm')).collect();
    let capturing = leaps.iter().filter(|leap| leap.captures).map(|leap| part(leap, 'c')).collect();
    [moving, capturing]
}

/// The moves of a piece: a word of Betza notation for plain ones, then others.
pub(super) struct PieceMoves {
    pub(super) betza: Option<String>,
    pub(super) moves: Vec<Json>,
}

/// Returns the word of a piece. That of a pawn includes its double step.
pub(super) fn word(variant: &Variant, piece: &Piece) -> String {
    if piece.key == PAWN && variant.double_step {
        return format!("{}ifmnD", piece.betza);
    }
    piece.betza.clone()
}

/// Returns the moves of a word. Any capture may be en passant (`e`), not only diagonal ones.
pub(crate) fn leaps(word: &str) -> Result<Vec<Leap>, BetzaError> {
    // The places of the letters that stay, and the end.
    let places: Vec<usize> =
        word.char_indices().filter(|(_, it)| *it != 'e').map(|(at, _)| at).chain([word.len()]).collect();
    let stripped = word.replace('e', "");
    let mut start = 0;
    let mut leaps = parse(&stripped).map_err(|error| {
        let place = |at: usize| places.get(at).copied().unwrap_or(word.len());
        BetzaError { span: place(error.span.start)..place(error.span.end), ..error }
    })?;
    for leap in &mut leaps {
        let end = places[leap.span.end];
        // An `e` before the next leap belongs to that one.
        let end = word[..end].trim_end_matches(|it: char| it.is_ascii_lowercase()).len().max(start);
        leap.span = start..end;
        leap.en_passant = word[start..end].contains('e');
        start = end;
    }
    Ok(leaps)
}

/// Returns the move of the cannon of janggi, which no word says.
fn janggi_cannon(code: &str) -> Json {
    json!({ "step": [0, 1], "turned": "ROTATED",
        "repeat": { "loop": true, "hurdles": 1, "over": { "not_piece": [code] } },
        "actions": [{ "state": "EMPTY", "action": "MOVE" },
            { "state": "ENEMY", "action": "CAPTURE", "not_piece": [code] }] })
}

/// What a piece becomes: for each copy of its moves, further conditions and the modifiers.
#[derive(Clone, Debug, Default)]
struct Promotion {
    conditions: Vec<Json>,
    modifiers: Vec<Json>,
}

/// Returns a modifier.
fn transform(condition: &Json, options: &[String]) -> Json {
    json!({ "action": "TRANSFORM", "conditions": [condition], "options": options })
}

/// Where a double step starts and whether it can be captured en passant.
struct DoubleStep {
    /// The sources for each player; `None` if the step belongs to unmoved pieces.
    sources: Option<[Vec<Square>; 2]>,
    has_flag: bool,
}

impl Writer<'_> {
    /// Returns the moves of a piece: a plain one, or the promoted form of another.
    pub(super) fn moves(&mut self, index: usize, promoted_from: Option<&str>) -> PieceMoves {
        let (piece, leaps) = self.leaps[index].clone();
        let word = word(self.variant, piece);
        let promotions = self.promotions(piece, &leaps, promoted_from);
        let area = self.area(&piece.key);
        let is_plain = promotions.is_empty() && area.is_none();
        let promotions = if promotions.is_empty() { vec![Promotion::default()] } else { promotions };
        let with_rules = |entry: &Json, promotion: &Promotion| {
            let mut entry = entry.clone();
            if !promotion.modifiers.is_empty() {
                entry["modifiers"] = json!(promotion.modifiers);
            }
            let area = area.iter().map(|area| json!({ "condition": area }));
            let further: Vec<Json> = area.chain(promotion.conditions.iter().cloned()).collect();
            if !further.is_empty() {
                let own = entry.get("conditions").and_then(Json::as_array).cloned().unwrap_or_default();
                entry["conditions"] = own.into_iter().chain(further).collect();
            }
            entry
        };
        let diagonal = self.diagonal_moves(piece);
        if piece.key == JANGGI_CANNON {
            let cannon = janggi_cannon(&self.variant.code(&piece.key));
            let all = || std::iter::once(&cannon).chain(&diagonal);
            let with = |promotion: &Promotion| all().map(|it| with_rules(it, promotion)).collect::<Vec<_>>();
            return PieceMoves { betza: None, moves: promotions.iter().flat_map(with).collect() };
        }
        let is_simple = self.is_simple(piece, &leaps);
        let mut plain = String::new();
        let mut moves = Vec::new();
        for leap in &leaps {
            let part = &word[leap.span.clone()];
            let letters =
                |without: &[char]| part.chars().filter(|it| !without.contains(it)).collect::<String>();
            if is_simple {
                let has_flag = self.takes_en_passant(piece);
                plain += &if has_flag { part.to_owned() } else { letters(&['e']) };
            } else if leap.initial {
                for step in self.double_steps(piece, leap) {
                    moves.extend(self.initial_moves(leap, &letters(&['i', 'e']), &step));
                }
            } else {
                plain += &letters(&['e']);
            }
        }
        if !is_simple {
            moves.extend(self.en_passant(piece, &leaps));
        }
        let further = self.further_moves(piece, &mut plain);
        moves.extend(diagonal);
        let splits = !promotions.iter().all(|it| it.modifiers.is_empty())
            && self.variant.promotion_on_capture
            && !self.variant.promotion_pawns.iter().flatten().any(|key| *key == piece.key);
        let immune = self.immune_to(&piece.key);
        if is_plain && immune.is_empty() {
            moves.extend(further);
            return PieceMoves { betza: Some(plain).filter(|it| !it.is_empty()), moves };
        }
        let entries: Vec<(Json, bool)> = if splits || !immune.is_empty() {
            let [moving, capturing] = split(&plain);
            let mut capture = json!({ "betza": capturing, "actions": "CAPTURE" });
            if !immune.is_empty() {
                capture["actions"] = json!([{ "state": "ENEMY", "action": "CAPTURE", "not_piece": immune }]);
            }
            let moving =
                (!moving.is_empty()).then(|| (json!({ "betza": moving, "actions": "MOVE" }), !splits));
            let capture = (!capturing.is_empty()).then_some((capture, true));
            moving.into_iter().chain(capture).collect()
        } else {
            (!plain.is_empty()).then(|| (json!({ "betza": plain }), true)).into_iter().collect()
        };
        let entries: Vec<(Json, bool)> =
            entries.into_iter().chain(moves.into_iter().map(|it| (it, true))).collect();
        let unpromoted = |promotion: &Promotion| Promotion { modifiers: Vec::new(), ..promotion.clone() };
        let with = |promotion: &Promotion| {
            let one = |(entry, promotes): &(Json, bool)| {
                if *promotes {
                    with_rules(entry, promotion)
                } else {
                    with_rules(entry, &unpromoted(promotion))
                }
            };
            entries.iter().map(one).collect::<Vec<_>>()
        };
        let moves = promotions.iter().flat_map(with).chain(further).collect();
        PieceMoves { betza: None, moves }
    }

    /// Returns the pieces that a piece does not capture.
    fn immune_to(&self, key: &str) -> Vec<String> {
        let immune = &self.variant.mutually_immune;
        if !immune.iter().any(|it| it == key) {
            return Vec::new();
        }
        immune.iter().filter(|it| self.variant.piece(it).is_some()).flat_map(|it| self.codes_of(it)).collect()
    }

    /// Returns moves that no word says and that neither promote nor stay in a region.
    fn further_moves(&mut self, piece: &Piece, plain: &mut String) -> Vec<Json> {
        let variant = self.variant;
        let mut further = Vec::new();
        if piece.key == SOLDIER && variant.soldier_rank > 1 {
            "fW".clone_into(plain);
            let ranks = [variant.soldier_rank..=variant.ranks, 1..=variant.ranks + 1 - variant.soldier_rank];
            let squares =
                ranks.map(|ranks| self.squares(&Region(ranks.map(|y| (None, Some(y - 1))).collect())));
            let region = self.condition("ACROSS", squares);
            let across = json!({ "condition": "IN_REGION", "region": region, "at": "SOURCE" });
            further.push(json!({ "betza": "sW", "conditions": [across] }));
        }
        if piece.key == KING && variant.flying_general {
            let king = variant.code(KING);
            further.push(json!({ "step": [0, 1], "turned": "ROTATED", "repeat": { "loop": true },
                "actions": [{ "state": "ENEMY", "action": "CAPTURE", "piece": [king] }] }));
        }
        further.extend(self.pass(piece));
        further.extend(self.quiet_promotions(piece));
        if variant.cambodian_moves && [KING, FERS].contains(&piece.key.as_str()) {
            let word = if piece.key == KING { "fsmN" } else { "fmD" };
            // A promoted piece counts as unmoved, too.
            let squares = [0, 1].map(|player| self.starts(piece, player));
            let region = self.condition(&format!("START_OF_{}", variant.code(&piece.key)), squares);
            let at_start = json!({ "condition": "IN_REGION", "region": region, "at": "SOURCE" });
            let mut conditions = vec![json!({ "condition": "FIRST_MOVE" }), at_start];
            conditions.push(json!({ "condition": "NOT", "of": [{ "condition": "IN_CHECK" }] }));
            if piece.key == KING {
                conditions.push(json!({ "condition": "COMPARE", "counter": FIXED, "max": 0 }));
            }
            further.push(json!({ "betza": word, "conditions": conditions }));
        }
        further
    }

    /// Returns whether the word means the same in our notation: first moves belong to unmoved pieces, and en passant is that
    /// of chess.
    fn is_simple(&self, piece: &Piece, leaps: &[Leap]) -> bool {
        let initial = || leaps.iter().filter(|leap| leap.initial);
        if initial().next().is_none() {
            return !leaps.iter().any(|leap| leap.en_passant) || !self.takes_en_passant(piece);
        }
        let is_straight = |leap: &Leap| leap.lame && leap.steps == [(0, 2)];
        let steps = || leaps.iter().flat_map(|leap| &leap.steps);
        let is_taker = leaps.iter().any(|leap| leap.en_passant) && self.takes_en_passant(piece);
        self.is_first_move(piece)
            && (is_taker || !self.has_takers())
            && initial().all(is_straight)
            && steps().all(|(_, y)| *y > 0)
            && leaps.iter().filter(|leap| leap.en_passant).all(|leap| leap.steps.iter().all(|it| it.1 == 1))
            && initial().all(|leap| {
                self.double_steps(piece, leap).iter().all(|it| it.has_flag) || !self.takes_en_passant(piece)
            })
    }

    /// Returns whether a piece stands on a square of its first move exactly if it is unmoved: it only moves forward, and all
    /// start on the last rank of the region.
    fn is_first_move(&self, piece: &Piece) -> bool {
        let leaps = self.leaps.iter().find(|(it, _)| it.key == piece.key).map_or(&[][..], |(_, leaps)| leaps);
        [0, 1].into_iter().all(|player| {
            // A dropped piece has moved, but may stand there, too.
            let region = &self.variant.double_step_region[player];
            let is_droppable = || self.drop_squares(piece, leaps, player).iter().any(|it| region.has(*it));
            if self.variant.drops.allowed && self.may_be_in_hand(piece) && is_droppable() {
                return false;
            }
            let starts = self.starts(piece, player);
            let own_rank =
                |square: &Square| if player == 0 { square.1 } else { self.variant.ranks - 1 - square.1 };
            let region = &self.variant.double_step_region[player];
            let last = self.squares(region).iter().map(own_rank).max();
            starts.iter().all(|square| region.has(*square) && Some(own_rank(square)) == last)
        })
    }

    /// Returns the starting squares of the pieces of a player.
    fn starts(&self, piece: &Piece, player: usize) -> Vec<Square> {
        let letter = if player == 0 { piece.letter } else { piece.letter.to_ascii_lowercase() };
        self.start.pieces.iter().filter(|(_, other)| *other == letter).map(|(square, _)| *square).collect()
    }

    fn takes_en_passant(&self, piece: &Piece) -> bool {
        self.variant.en_passant_types.iter().flatten().any(|key| *key == piece.key)
            && self.variant.en_passant_region.iter().any(|region| *region != Region::default())
    }

    /// Returns whether some piece captures en passant.
    fn has_takers(&self) -> bool {
        let captures = |leaps: &[Leap]| leaps.iter().any(|leap| leap.en_passant);
        self.leaps.iter().any(|(taker, leaps)| self.takes_en_passant(taker) && captures(leaps))
    }

    /// Splits a first move into parts that can be captured en passant and parts that cannot.
    fn double_steps(&self, piece: &Piece, leap: &Leap) -> Vec<DoubleStep> {
        let variant = self.variant;
        let forward = |player: usize| if player == 0 { 1 } else { -1 };
        let is_capturable = |player: usize, (x, y): Square| {
            let passed =
                |(dx, dy): (i32, i32)| (x + self.sideways(player) * dx / 2, y + forward(player) * dy / 2);
            leap.lame
                && leap.steps.iter().all(|step| variant.en_passant_region[1 - player].has(passed(*step)))
        };
        let may_be_taken = self.has_takers();
        let regions = [0, 1].map(|player| self.squares(&variant.double_step_region[player]));
        let part = |has_flag: bool| {
            [0, 1].map(|player| {
                let squares = regions[player].iter().copied();
                squares
                    .filter(|it| (may_be_taken && is_capturable(player, *it)) == has_flag)
                    .collect::<Vec<_>>()
            })
        };
        let is_first = self.is_first_move(piece)
            && self.leaps.iter().any(|(it, leaps)| {
                it.key == piece.key && leaps.iter().flat_map(|leap| &leap.steps).all(|step| step.1 > 0)
            });
        let parts = [true, false].map(|has_flag| (has_flag, part(has_flag)));
        let mut used: Vec<(bool, [Vec<Square>; 2])> =
            parts.into_iter().filter(|(_, squares)| squares.iter().any(|it| !it.is_empty())).collect();
        if used.len() == 1 && is_first {
            return used.drain(..).map(|(has_flag, _)| DoubleStep { sources: None, has_flag }).collect();
        }
        used.into_iter().map(|(has_flag, squares)| DoubleStep { sources: Some(squares), has_flag }).collect()
    }

    fn sideways(&self, player: usize) -> i32 {
        if player == 1 && self.is_rotated { -1 } else { 1 }
    }

    /// Returns the moves of a first move. Steps to the left and to the right set different flags.
    fn initial_moves(&mut self, leap: &Leap, word: &str, part: &DoubleStep) -> Vec<Json> {
        let conditions = match &part.sources {
            None => vec![json!({ "condition": "FIRST_MOVE" })],
            Some(squares) if self.is_everywhere(squares) => Vec::new(),
            Some(squares) => {
                let region = self.condition("FIRST_STEP", squares.clone());
                vec![json!({ "condition": "IN_REGION", "region": region, "at": "SOURCE" })]
            }
        };
        let with = |mut entry: Json, flag: Option<String>| {
            if !conditions.is_empty() {
                entry["conditions"] = json!(conditions);
            }
            if let Some(flag) = flag {
                entry["side_effects"] = json!([{ "action": "SET_STATE", "state": flag, "duration": 1 }]);
            }
            entry
        };
        if !part.has_flag {
            return vec![with(json!({ "betza": word }), None)];
        }
        let one = |step: &(i32, i32)| {
            let mut entry = json!({ "step": [step.0, step.1], "actions": "MOVE" });
            if leap.captures {
                entry["actions"] = json!([{ "state": "EMPTY", "action": "MOVE" }, { "state": "ENEMY", "action": "CAPTURE" }]);
            }
            let mut entry = with(entry, Some(flag(step.0)));
            let own = entry.get("conditions").and_then(Json::as_array).cloned().unwrap_or_default();
            let all: Vec<Json> = own.into_iter().chain([json!({ "condition": "PATH_EMPTY" })]).collect();
            entry["conditions"] = json!(all);
            entry
        };
        leap.steps.iter().map(one).collect()
    }

    pub(super) fn is_everywhere(&self, squares: &[Vec<Square>; 2]) -> bool {
        let all = self.squares(&Region::all());
        squares.iter().all(|it| *it == all)
    }

    /// Returns the captures en passant of a piece that the word cannot say.
    fn en_passant(&self, piece: &Piece, leaps: &[Leap]) -> Vec<Json> {
        if !self.takes_en_passant(piece) {
            return Vec::new();
        }
        let all = self.leaps.iter().flat_map(|(_, leaps)| leaps);
        let initial = all.filter(|leap| leap.initial && leap.lame);
        let mut steps: Vec<(i32, i32)> = initial.flat_map(|leap| leap.steps.iter().copied()).collect();
        steps.sort_unstable();
        steps.dedup();
        let sideways = if self.is_rotated { -1 } else { 1 };
        let mut moves = Vec::new();
        for (x, y) in leaps.iter().filter(|leap| leap.en_passant).flat_map(|leap| leap.steps.iter().copied())
        {
            for (dx, dy) in &steps {
                let victim = [x + sideways * dx / 2, y - dy / 2];
                moves.push(json!({ "step": [x, y], "actions": "MOVE",
                    "conditions": [{ "condition": "CHECK_STATE", "state": flag(*dx), "position": victim }],
                    "side_effects": [{ "action": "CAPTURE", "target": victim }] }));
            }
        }
        moves
    }

    /// Returns the code of the squares to which a piece is confined.
    fn area(&mut self, key: &str) -> Option<String> {
        let regions = self.variant.mobility.get(key)?;
        let squares = regions.each_ref().map(|region| match region {
            Some(region) => self.squares(region),
            None => self.squares(&Region::all()),
        });
        let code = format!("{}_AREA", self.variant.code(key));
        (!self.is_everywhere(&squares)).then(|| self.condition(&code, squares))
    }

    /// Returns what the piece becomes, and where. Each entry is for a copy of all moves: the first for what is always
    /// possible, and one for each kind of which a player may have only some. Empty for a piece with plain moves.
    fn promotions(&mut self, piece: &Piece, leaps: &[Leap], promoted_from: Option<&str>) -> Vec<Promotion> {
        let variant = self.variant;
        let before = promoted_from.map(str::to_owned);
        let code = match &before {
            Some(from) => self.form(from, &piece.key),
            None => variant.code(&piece.key),
        };
        let is_pawn =
            |player: usize| before.is_none() && variant.promotion_pawns[player].contains(&piece.key);
        let promoted = match &before {
            Some(from) => Some(from).filter(|_| variant.demotion),
            None => variant.promoted.get(&piece.key).filter(|key| variant.piece(key).is_some()),
        };
        let becomes = |writer: &Self, to: &str| match &before {
            Some(_) => variant.code(to),
            None => writer.form(&piece.key, to),
        };
        let options = |player: usize| -> Vec<&String> {
            let promotes = |player: usize| is_pawn(player) && !variant.quiet_promotion;
            let pawns = variant.promotion_pieces[player].iter().filter(|_| promotes(player));
            let mut options: Vec<&String> = Vec::new();
            for key in pawns.filter(|key| variant.piece(key).is_some()).chain(promoted) {
                if !options.contains(&key) {
                    options.push(key);
                }
            }
            options
        };
        let zones = [0, 1].map(|player| self.squares(&variant.promotion_region[player]));
        let options = [options(0), options(1)];
        let groups: Vec<([Vec<Square>; 2], &Vec<&String>)> = if options[0] == options[1] {
            vec![(zones, &options[0])]
        } else {
            let [white, black] = zones;
            vec![([white, Vec::new()], &options[0]), ([Vec::new(), black], &options[1])]
        };
        let mut first = Promotion::default();
        let mut limited = Vec::new();
        let mut dead_ends = self.dead_ends(leaps);
        for (squares, options) in groups {
            let is_possible = !options.is_empty() && squares.iter().any(|it| !it.is_empty());
            if !is_possible {
                continue;
            }
            let is_mandatory = if is_pawn(usize::from(squares[0].is_empty())) {
                variant.mandatory_pawn_promotion
            } else {
                variant.mandatory_piece_promotion
            };
            let leaves = promoted.is_some() && !is_pawn(0);
            let limit = |key: &str| variant.promotion_limit.get(key).copied();
            let free: Vec<String> =
                options.iter().filter(|key| limit(key).is_none()).map(|key| becomes(self, key)).collect();
            if !free.is_empty() && !is_mandatory {
                let stuck = [0, 1].map(|player| {
                    let (stuck, rest) = std::mem::take(&mut dead_ends[player])
                        .into_iter()
                        .partition(|it| squares[player].contains(it));
                    dead_ends[player] = rest;
                    stuck
                });
                if stuck.iter().any(|it: &Vec<Square>| !it.is_empty()) {
                    let region = self.condition("LAST_SQUARES", stuck);
                    first.modifiers.push(transform(&json!({ "condition": region }), &free));
                }
            } else if is_mandatory {
                for (player, ends) in dead_ends.iter_mut().enumerate() {
                    ends.retain(|it| !squares[player].contains(it));
                }
            }
            let region = self.condition("PROMOTION", squares);
            let enters = json!({ "condition": region });
            let source = json!({ "condition": "IN_REGION", "region": region, "at": "SOURCE" });
            if !free.is_empty() {
                let own = (!is_mandatory).then(|| code.clone());
                let all: Vec<String> = free.into_iter().chain(own).collect();
                first.modifiers.push(transform(&enters, &all));
                first.modifiers.extend(leaves.then(|| transform(&source, &all)));
            } else if is_mandatory {
                first.conditions.push(json!({ "condition": "NOT", "of": [enters] }));
            }
            for (key, most) in options.iter().filter_map(|key| Some((key, limit(key)?))) {
                let kind = becomes(self, key);
                let few = json!({ "condition": "COUNT", "piece": self.codes_of(key), "owner": "OWN", "max": most - 1 });
                limited.push(Promotion {
                    conditions: vec![enters.clone(), few],
                    modifiers: vec![transform(&enters, &[kind])],
                });
            }
        }
        if dead_ends.iter().any(|it| !it.is_empty()) {
            let region = self.condition(&format!("{code}_DEAD_ENDS"), dead_ends);
            first.conditions.push(json!({ "condition": "NOT", "of": [{ "condition": region }] }));
        }
        let is_plain = first.modifiers.is_empty() && first.conditions.is_empty() && limited.is_empty();
        if is_plain { Vec::new() } else { std::iter::once(first).chain(limited).collect() }
    }

    /// Returns the squares where a piece may not stay because it could never move again.
    fn dead_ends(&self, leaps: &[Leap]) -> [Vec<Square>; 2] {
        let all = if self.variant.immobility_illegal { self.squares(&Region::all()) } else { Vec::new() };
        [0, 1].map(|player| self.immobile(&all, leaps, player))
    }

    /// Returns the squares from which a piece has no step on the board.
    pub(super) fn immobile(&self, squares: &[Square], leaps: &[Leap], player: usize) -> Vec<Square> {
        let forward = if player == 0 { 1 } else { -1 };
        let is_on_board =
            |x: i32, y: i32| (0..self.variant.files).contains(&x) && (0..self.variant.ranks).contains(&y);
        let moves = |(x, y): Square| {
            let steps = leaps.iter().flat_map(|leap| &leap.steps);
            let mut steps = steps.map(|(dx, dy)| (x + self.sideways(player) * dx, y + forward * dy));
            steps.any(|(x, y)| is_on_board(x, y))
        };
        squares.iter().copied().filter(|square| !moves(*square)).collect()
    }
}

fn flag(dx: i32) -> String {
    match dx.signum() {
        0 => FLAG.to_owned(),
        -1 => format!("{FLAG}_LEFT"),
        _ => format!("{FLAG}_RIGHT"),
    }
}
