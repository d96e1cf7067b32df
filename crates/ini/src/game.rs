//! Writes a variant as a game file, piece by piece. The result is correct rather than short; it is shortened afterwards.

mod counting;
mod endings;
mod hands;
mod moves;
mod palace;

use serde_json::{Map, Value as Json, json};
use tabiya_spec::betza::Leap;

use crate::pieces::KING;
use crate::variant::{ByPlayer, PLAYERS, Piece, Region, Square, Value, Variant};
use hands::Form;
use moves::PieceMoves;
pub(crate) use moves::leaps;

/// A game file, and keys that it does not express, with reasons.
pub(crate) struct Written {
    pub(crate) json: String,
    pub(crate) left_out: Vec<(String, String)>,
    /// Keys that it expresses in another way.
    pub(crate) notes: Vec<(String, String)>,
}

/// The starting position of a variant.
pub(crate) struct Start {
    placement: String,
    pub(crate) pieces: Vec<(Square, char)>,
    /// The letters of promoted forms on the board: `+p`.
    pub(crate) forms: Vec<String>,
    /// The letters of the pieces in hand.
    pub(crate) hands: ByPlayer<Vec<char>>,
    /// For each player, the number of checks that wins.
    pub(crate) checks: ByPlayer<u32>,
    holes: Vec<Square>,
    black_starts: bool,
    rights: String,
    /// Whether a capture en passant is possible at once.
    has_en_passant: bool,
}

/// What the parts of the file need.
pub(crate) struct Writer<'v> {
    pub(crate) variant: &'v Variant,
    pub(crate) start: Start,
    /// The parsed moves by piece.
    pub(crate) leaps: Vec<(&'v Piece, Vec<Leap>)>,
    /// Whether the second player is rotated instead of mirrored.
    pub(crate) is_rotated: bool,
    /// The promoted forms.
    pub(crate) forms: Vec<Form>,
    conditions: Vec<(String, ByPlayer<Vec<Square>>)>,
    left_out: Vec<(String, String)>,
    notes: Vec<(String, String)>,
}

/// Writes the file.
pub(crate) fn write(variant: &Variant, name: &str) -> Result<Written, String> {
    let start = Start::read(variant)?;
    let forms = hands::forms(variant, &start.letters());
    let mut left_out = Vec::new();
    if start.has_en_passant {
        let reason = "A game cannot start with a capture en passant.".to_owned();
        left_out.push(("startFen".to_owned(), reason));
    }
    let mut leaps = Vec::new();
    for piece in variant.pieces() {
        let word = moves::word(variant, piece);
        let read = if word.is_empty() { Ok(Vec::new()) } else { moves::leaps(&word) };
        let read = read.unwrap_or_else(|error| {
            left_out.push((piece.key.clone(), format!("{} {}.", error.message, capital(error.help))));
            Vec::new()
        });
        leaps.push((piece, read));
    }
    let is_lopsided = |leap: &Leap| leap.steps.iter().any(|(x, y)| !leap.steps.contains(&(-x, *y)));
    let is_rotated = leaps.iter().any(|(_, leaps)| is_one_sided(leaps, is_lopsided));
    let mut writer = Writer {
        variant,
        start,
        leaps,
        is_rotated,
        forms,
        conditions: Vec::new(),
        left_out,
        notes: Vec::new(),
    };
    let json = writer.file(name);
    Ok(Written { json: json.to_string(), left_out: writer.left_out, notes: writer.notes })
}

/// Returns whether the moves of a piece change when left and right are swapped.
fn is_one_sided(leaps: &[Leap], is_lopsided: impl Fn(&Leap) -> bool) -> bool {
    leaps.iter().filter(|leap| is_lopsided(leap)).any(|leap| {
        let mirrored: Vec<(i32, i32)> = leap.steps.iter().map(|(x, y)| (-x, *y)).collect();
        let is_partner = |other: &&Leap| {
            let same = |it: &Leap| (it.reach, it.hop, it.moves, it.captures, it.initial, it.lame);
            same(other) == same(leap) && mirrored.iter().all(|step| other.steps.contains(step))
        };
        !leaps.iter().any(|other| is_partner(&other))
    })
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    first + letters.as_str()
}

impl Writer<'_> {
    fn file(&mut self, name: &str) -> Json {
        let mut file = Map::new();
        file.insert("name".into(), json!(capital(name)));
        if let Some(leader) = self.leader() {
            file.insert("leader".into(), leader);
        }
        let mut board = json!({ "dimensions": [self.variant.files, self.variant.ranks] });
        if !self.start.holes.is_empty() {
            board["disabled_positions"] = json!(self.start.holes);
        }
        file.insert("board".into(), board);
        file.insert("setup".into(), json!(self.start.placement));
        if self.is_rotated {
            let player = |name: &str, direction: &str| json!({ "name": name, "direction": direction });
            file.insert("players".into(), json!([player("WHITE", "UP"), player("BLACK", "DOWN")]));
        }
        if self.start.black_starts {
            file.insert("turns".into(), json!({ "order": PLAYERS, "start_at": 1 }));
        }
        let listed: Vec<usize> =
            (0..self.leaps.len()).filter(|it| self.is_reached(self.leaps[*it].0)).collect();
        let mut pieces: Vec<Json> = listed.into_iter().map(|index| self.piece_as(index, None)).collect();
        self.forms(&mut pieces);
        self.hands(&mut file);
        self.choice_of_moves(&mut file);
        self.counters(&mut file);
        let endings = self.endings(&mut file);
        if !self.conditions.is_empty() {
            let condition = |(code, squares): &(String, ByPlayer<Vec<Square>>)| {
                let check = json!({ PLAYERS[0]: squares[0], PLAYERS[1]: squares[1] });
                json!({ "code": code, "type": "POSITION", "check": check })
            };
            file.insert("conditions".into(), self.conditions.iter().map(condition).collect());
        }
        if !endings.is_empty() {
            file.insert("endings".into(), json!(endings));
        }
        file.insert("pieces".into(), json!(pieces));
        Json::Object(file)
    }

    /// Returns whether there are royal pieces.
    fn has_leaders(&self) -> bool {
        self.variant.piece(KING).is_some()
            || !self.pseudo_royals().is_empty()
            || self.exposed_leader().is_some()
    }

    /// Returns the key of a piece that loses when it is captured and wins when it is safe at its goal. It is a leader that may
    /// be left attacked.
    pub(crate) fn exposed_leader(&self) -> Option<&String> {
        let variant = self.variant;
        let [Some(key), Some(same)] = &variant.flag_piece else { return None };
        let types = variant.extinction_types.as_ref()?;
        let is_lost = variant.extinction == Some(Value::Loss)
            && [key] == types.iter().collect::<Vec<_>>()[..]
            && (variant.extinction_count, variant.extinction_opponent_count) == (0, 0)
            && !variant.extinction_claim
            && !variant.pseudo_royal;
        let is_plain =
            variant.flag_safe && !variant.flag_move && key == same && variant.piece(KING).is_none();
        Some(key).filter(|_| is_lost && is_plain)
    }

    /// Returns the keys of the pieces that are royal while few are left.
    fn pseudo_royals(&self) -> Vec<&String> {
        let types = self.variant.extinction_types.iter().flatten();
        types.filter(|key| self.variant.pseudo_royal && self.variant.piece(key).is_some()).collect()
    }

    /// Returns the royal pieces: the king, and pieces of the extinction types.
    fn leader(&mut self) -> Option<Json> {
        let variant = self.variant;
        let king = variant.piece(KING).map(|_| variant.code(KING));
        let others: Vec<String> = self.pseudo_royals().into_iter().map(|key| variant.code(key)).collect();
        if let Some(key) = self.exposed_leader() {
            return Some(json!({ "piece": variant.code(key), "exposure": "ALLOWED" }));
        }
        let mut missing = |key: &str, needs: &str| {
            self.left_out.push((key.into(), format!("Games cannot express this yet: {needs}.")));
        };
        if variant.pseudo_royal && variant.extinction_types.is_none() {
            missing("extinctionPseudoRoyal", "a last piece of any kind that is royal");
        }
        if others.is_empty() {
            return king.map(|king| json!(king));
        }
        if variant.pseudo_royal && variant.duple_check && others.len() > 1 {
            missing("dupleCheck", "a check by attacks on all royal pieces of several kinds");
        }
        let is_any = variant.extinction_count + 1 >= self.most_pieces();
        if !is_any && variant.extinction_count > 0 {
            let needs = "pieces that are royal while a player has a few of them, but more than one";
            self.left_out
                .push(("extinctionPieceCount".into(), format!("Games cannot express this yet: {needs}.")));
        }
        let arises = variant.promoted.values().any(|key| others.contains(&variant.code(key)));
        if arises && !is_any {
            let reason = "In Fairy-Stockfish, a king counts as the last one until the move that makes another is over.";
            self.left_out.push(("extinctionPseudoRoyal".into(), reason.into()));
        }
        let pieces: Vec<String> = king.into_iter().chain(others).collect();
        let lost = if pieces.len() > 1 { "LAST_OF_KIND" } else { "LAST" };
        let mut leader = json!({ "piece": pieces });
        if !is_any {
            leader["lost"] = json!(lost);
            if variant.duple_check {
                leader["check"] = json!("ALL");
            }
        }
        Some(leader)
    }

    /// Adds the keys `restrictions` and `priority`.
    fn choice_of_moves(&mut self, file: &mut Map<String, Json>) {
        let variant = self.variant;
        let mut restrictions = Vec::new();
        if !variant.checking && variant.piece(KING).is_some() {
            let check =
                json!({ "condition": "AFTER", "of": [{ "condition": "IN_CHECK", "owner": "ENEMY" }] });
            restrictions.push(json!({ "condition": "NOT", "of": [check] }));
            if !self.pseudo_royals().is_empty() {
                let reason = "Games cannot express this yet: checks to some royal pieces that are illegal.";
                self.left_out.push(("checking".into(), reason.into()));
            }
        }
        if self.waits_for_last_move() {
            restrictions.push(self.at_goal("OWN", "max", variant.flag_count.saturating_sub(1)));
        }
        restrictions.extend(self.must_drop());
        restrictions.extend(self.parting());
        if !restrictions.is_empty() {
            file.insert("restrictions".into(), json!(restrictions));
        }
        if variant.must_capture {
            file.insert("priority".into(), json!([[{ "condition": "EVENT", "event": "CAPTURED" }]]));
        }
        let counts_points = variant.material_counting == "janggi" && variant.bikjang;
        let known = ["", "none", "whitedrawodds", "blackdrawodds"];
        if !known.contains(&variant.material_counting.as_str()) && !counts_points {
            let reason = "Games cannot express this yet: results by counting.";
            self.left_out.push(("materialCounting".into(), reason.into()));
        }
    }

    /// Returns a piece: a plain one, or the promoted form of another.
    fn piece_as(&mut self, index: usize, promoted_from: Option<&str>) -> Json {
        let (piece, _) = self.leaps[index];
        let mut written = Map::new();
        let code = self.variant.code(&piece.key);
        if !code.starts_with(piece.letter) {
            written.insert("letter".into(), json!(piece.letter.to_string()));
        }
        written.insert("code".into(), json!(code));
        let PieceMoves { betza, moves } = self.moves(index, promoted_from);
        match (betza, moves) {
            (Some(word), moves) if moves.is_empty() => {
                written.insert("betza".into(), json!(word));
            }
            (word, mut moves) => {
                let word = word.map(|word| json!({ "betza": word }));
                moves.splice(0..0, word);
                written.insert("moves".into(), json!(moves));
            }
        }
        let castling = self.castling(&piece.key);
        if !castling.is_empty() {
            written.insert("castling".into(), json!(castling));
        }
        if promoted_from.is_none() {
            self.gates(piece, &mut written);
        }
        Json::Object(written)
    }

    /// Returns the code of a condition for these squares, which is added unless there is one already.
    pub(crate) fn condition(&mut self, code: &str, squares: ByPlayer<Vec<Square>>) -> String {
        if let Some((known, _)) = self.conditions.iter().find(|(_, other)| *other == squares) {
            return known.clone();
        }
        let taken = |code: &str| self.conditions.iter().any(|(other, _)| other == code);
        let numbered = (2..).map(|number| format!("{code}_{number}"));
        let code = std::iter::once(code.to_owned()).chain(numbered).find(|code| !taken(code));
        let code = code.expect("there are enough numbers");
        self.conditions.push((code.clone(), squares));
        code
    }

    /// Returns the squares of a region that exist on the board.
    pub(crate) fn squares(&self, region: &Region) -> Vec<Square> {
        let (files, ranks) = (self.variant.files, self.variant.ranks);
        let all = (0..ranks).flat_map(|y| (0..files).map(move |x| (x, y)));
        all.filter(|square| region.has(*square) && !self.start.holes.contains(square)).collect()
    }

    /// Returns the castling moves of a piece: those for which the starting position has a right.
    fn castling(&self, key: &str) -> Vec<Json> {
        let variant = self.variant;
        if !variant.castling || !variant.castling_king.iter().any(|king| king == key) {
            return Vec::new();
        }
        let (short, long) = variant.castling_files;
        let sides = [(short, -1, 'k'), (long, 1, 'q')];
        let of_side = |(file, back, right): (i32, i32, char)| {
            let (mut to, mut with_to) = (Map::new(), Map::new());
            let mut with: Vec<String> = Vec::new();
            for (player, name) in PLAYERS.iter().enumerate() {
                let rank = if player == 0 {
                    variant.castling_rank
                } else {
                    variant.ranks + 1 - variant.castling_rank
                };
                let right = if player == 0 { right.to_ascii_uppercase() } else { right };
                let has_right = variant.drops.castle || self.start.rights.contains(right);
                let may = variant.castling_king[player] == key && has_right;
                let square = |file: i32| if may { names(&[(file, rank - 1)]) } else { Vec::new() };
                to.insert((*name).to_owned(), json!(square(file)));
                with_to.insert((*name).to_owned(), json!(square(file + back)));
                for rook in variant.castling_rooks[player].iter().filter(|_| may) {
                    let code = variant.code(rook);
                    if variant.piece(rook).is_some() && !with.contains(&code) {
                        with.push(code);
                    }
                }
            }
            (!with.is_empty()).then(|| json!({ "with": with, "to": to, "with_to": with_to }))
        };
        sides.into_iter().filter_map(of_side).collect()
    }
}

impl Start {
    /// Returns the letters of all pieces, with those from which promoted ones come.
    fn letters(&self) -> Vec<char> {
        let plain = self.pieces.iter().map(|(_, letter)| *letter);
        let promoted = self.forms.iter().filter_map(|text| text.chars().last());
        plain.chain(promoted).chain(self.hands.iter().flatten().copied()).collect()
    }

    fn read(variant: &Variant) -> Result<Self, String> {
        let mut fields = variant.start_fen.split_ascii_whitespace();
        let placement = fields.next().ok_or("`startFen` is empty.")?;
        let (board, hand) = placement.split_once('[').unwrap_or((placement, ""));
        let hand = |is_white: bool| {
            let letters = hand.chars().filter(char::is_ascii_alphabetic);
            letters.filter(|it| it.is_ascii_uppercase() == is_white).collect::<Vec<_>>()
        };
        let board = board.to_owned();
        let black_starts = fields.next() == Some("b");
        let rights = fields.next().filter(|it| it.chars().all(|letter| letter.is_ascii_alphabetic()));
        let mut start = Start {
            placement: board.clone(),
            pieces: Vec::new(),
            forms: Vec::new(),
            hands: [hand(true), hand(false)],
            checks: checks(&variant.start_fen),
            holes: Vec::new(),
            black_starts,
            rights: rights.unwrap_or_default().to_owned(),
            has_en_passant: fields
                .next()
                .is_some_and(|field| field.starts_with(|it: char| it.is_ascii_alphabetic())),
        };
        let ranks: Vec<&str> = board.split('/').collect();
        if ranks.len() != variant.ranks as usize {
            return Err(format!("`startFen` has {} ranks; the board has {}.", ranks.len(), variant.ranks));
        }
        for (row, y) in ranks.into_iter().zip((0..variant.ranks).rev()) {
            let (mut x, mut run, mut is_promoted) = (0, 0, false);
            for letter in row.chars() {
                if let Some(digit) = letter.to_digit(10) {
                    run = run * 10 + digit as i32;
                    continue;
                }
                x += std::mem::take(&mut run);
                match letter {
                    '*' => start.holes.push((x, y)),
                    '~' => continue,
                    '+' => {
                        is_promoted = true;
                        continue;
                    }
                    letter if std::mem::take(&mut is_promoted) => {
                        let becomes = variant.key_of(letter).and_then(|from| variant.promoted.get(&from));
                        let piece = becomes.and_then(|to| variant.piece(to));
                        let piece =
                            piece.ok_or_else(|| format!("no piece `+{letter}` follows from the keys."))?;
                        let is_white = letter.is_ascii_uppercase();
                        let plain = if is_white { piece.letter } else { piece.letter.to_ascii_lowercase() };
                        let text = format!("+{letter}");
                        if hands::forms(variant, &[letter])
                            .iter()
                            .any(|form| form.letter.eq_ignore_ascii_case(&text))
                        {
                            start.forms.push(text);
                        } else {
                            start.placement = start.placement.replace(&text, &plain.to_string());
                            start.pieces.push(((x, y), plain));
                        }
                    }
                    letter => start.pieces.push(((x, y), letter)),
                }
                x += 1;
            }
            x += run;
            if x != variant.files {
                return Err(format!("rank {} of `startFen` has {x} squares, not {}.", y + 1, variant.files));
            }
        }
        Ok(start)
    }
}

/// Returns how many checks win, from a field such as `3+3`; one check without it.
fn checks(fen: &str) -> ByPlayer<u32> {
    let field = fen.split_ascii_whitespace().skip(1).find_map(|field| field.split_once('+'));
    let read = |text: &str| text.parse().ok().filter(|it| (1..=9).contains(it));
    let read = field.and_then(|(white, black)| Some([read(white)?, read(black)?]));
    read.unwrap_or([1, 1])
}

/// Returns the names of squares.
pub(crate) fn names(squares: &[Square]) -> Vec<String> {
    let name = |(x, y): &Square| format!("{}{}", char::from(b'a' + *x as u8), y + 1);
    squares.iter().map(name).collect()
}

/// Returns the result of an ending for the side to move.
pub(crate) fn result(value: Value) -> &'static str {
    match value {
        Value::Win => "WIN",
        Value::Loss => "LOSS",
        Value::Draw => "DRAW",
    }
}
