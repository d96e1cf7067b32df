//! Exports a game as a variant, as far as Fairy-Stockfish can express it.
//!
//! What it cannot express is listed. The text is imported again: if the result does not have the moves of the game, there is
//! no export.

use std::fmt::Write as _;

use serde_json::Value as Json;
use tabiya_spec::betza::Leap;
use tabiya_spec::{Choices, Game, betza_words, expand};

use crate::game::names;
use crate::import::import;
use crate::pieces::{CUSTOM, JANGGI_CANNON, KING, PAWN, TYPES};
use crate::variant::{PLAYERS, Square};

/// The largest board of Fairy-Stockfish.
const FILES_MAX: i64 = 12;
const RANKS_MAX: i64 = 10;

/// The depth to which the moves of the game and of the imported export are compared.
const COMPARED_DEPTH: u32 = 3;

/// A number of pieces up to which all are royal.
const ALWAYS_ROYAL: &str = "1000";

/// Keys of a game that Fairy-Stockfish has no equivalent for.
const FOREIGN: [&str; 14] = [
    "hands",
    "counters",
    "triggers",
    "teams",
    "sharing",
    "tag",
    "control",
    "withdrawal",
    "exchange",
    "hold",
    "reactions",
    "figures",
    "chance",
    "occasions",
];

/// An exported game.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Exported {
    /// The variant, as the text of a file.
    pub text: String,
    /// What the variant lacks, as sentences. It does not affect which moves are legal.
    pub left_out: Vec<String>,
}

/// Exports a game of a file as a variant with this name.
///
/// # Errors
///
/// The reasons why the variant would have other moves, as sentences.
pub fn export(game: &Game, json: &[u8], name: &str) -> Result<Exported, Vec<String>> {
    let choices: &Choices = &game.choices.requested;
    let long = expand(json, choices).map_err(|_| vec!["The file has errors.".to_owned()])?;
    let long: Json = serde_json::from_str(&long).map_err(|error| vec![error.to_string()])?;
    let mut writer = Writer {
        game,
        long: &long,
        text: format!("[{}]\n", clean(name)),
        left_out: Vec::new(),
        faults: Vec::new(),
    };
    writer.file();
    if !writer.faults.is_empty() {
        return Err(writer.faults);
    }
    writer.left_out.dedup();
    let exported = Exported { text: writer.text, left_out: writer.left_out };
    verify(game, &exported.text).map_err(|fault| vec![fault])?;
    Ok(exported)
}

/// Returns a name without characters that end a section.
fn clean(name: &str) -> String {
    name.chars().filter(|letter| letter.is_ascii_alphanumeric() || "-_".contains(*letter)).collect()
}

/// Compares the game with what the text means.
fn verify(game: &Game, text: &str) -> Result<(), String> {
    let other = import(text, None).map_err(|error| format!("The variant cannot be read back: {error}"))?;
    let other = tabiya_spec::load(other.json.as_bytes()).game.ok_or("The variant is not a valid game.")?;
    let count = |game: &Game| game.rules.perft(&game.rules.start(), COMPARED_DEPTH);
    let (ours, theirs) = (count(game), count(&other));
    if ours == theirs {
        return Ok(());
    }
    Err(format!("The variant would have {theirs} paths of {COMPARED_DEPTH} moves, not {ours}."))
}

struct Writer<'g> {
    game: &'g Game,
    long: &'g Json,
    text: String,
    left_out: Vec<String>,
    faults: Vec<String>,
}

/// A kind with its letter, its word, and what it becomes.
struct Kind<'g> {
    code: &'g str,
    letter: char,
    word: String,
    promotion: Option<Promotion>,
}

/// The royal pieces.
struct Leaders<'g> {
    king: Option<&'g str>,
    others: Vec<&'g str>,
    /// Whether the loss of any decides.
    is_any: bool,
    /// Whether an attack on all is a check.
    is_all: bool,
}

/// An ending by the loss of pieces.
struct Extinction {
    player: Loser,
    /// Letters, or `*`.
    types: String,
    most: u64,
    /// For the player without pieces.
    value: &'static str,
}

/// For whom an ending by the loss of pieces is tested.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Loser {
    Anyone,
    Mover,
    Other,
}

/// For each player, the targets of the piece and of its partner.
type Targets = [Option<(Square, Square)>; 2];

#[derive(Clone, PartialEq, Eq)]
struct Promotion {
    regions: Vec<String>,
    options: Vec<String>,
}

impl<'g> Writer<'g> {
    fn set(&mut self, key: &str, value: &str) {
        let line = format!("{key} = {value}");
        if !self.text.lines().any(|other| other == line) {
            let _ = writeln!(self.text, "{line}");
        }
    }

    fn fault(&mut self, text: impl Into<String>) {
        self.faults.push(text.into());
    }

    fn file(&mut self) {
        let board = &self.long["board"]["dimensions"];
        let (files, ranks) = (board[0].as_i64().unwrap_or(0), board[1].as_i64().unwrap_or(0));
        if files > FILES_MAX || ranks > RANKS_MAX {
            self.fault(format!(
                "Fairy-Stockfish has boards of at most {FILES_MAX} files and {RANKS_MAX} ranks."
            ));
        }
        let players = self.long["players"].as_array().map_or(0, Vec::len);
        let order: Vec<&str> =
            self.long["turns"]["order"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
        if players != 2 || order.len() != 2 || order[0] == order[1] {
            self.fault("Fairy-Stockfish has two players who move in turn.");
        }
        for key in FOREIGN.into_iter().filter(|key| self.long.get(*key).is_some()) {
            self.fault(format!("Fairy-Stockfish has nothing like `{key}`."));
        }
        let leaders = self.leaders();
        if !self.faults.is_empty() {
            return;
        }
        self.set("maxFile", &files.to_string());
        self.set("maxRank", &ranks.to_string());
        let kinds = self.kinds();
        self.pieces(&kinds, leaders.king);
        self.royals(&kinds, &leaders);
        self.choice_of_moves();
        self.start(&kinds, files, ranks);
        self.promotion(&kinds);
        self.castling(&kinds);
        self.endings(&kinds);
    }

    fn kinds(&mut self) -> Vec<Kind<'g>> {
        let long = self.long;
        let mut kinds = Vec::new();
        for json in long["pieces"].as_array().into_iter().flatten() {
            let code = json["code"].as_str().unwrap_or_default();
            let kind = self.game.rules.kinds().find(|kind| self.game.rules.kind(*kind).code == code);
            let text = kind.map(|kind| self.game.rules.kind(kind).symbol.of(tabiya_engine::Player(0)));
            let mut letters = text.as_deref().unwrap_or_default().chars();
            let letter = match (letters.next(), letters.next()) {
                (Some(letter), None) if letter.is_ascii_alphabetic() => letter,
                _ => {
                    self.fault(format!("{code}: Fairy-Stockfish names pieces by a letter from a to z."));
                    continue;
                }
            };
            let (word, promotion) = self.moves(code, json);
            kinds.push(Kind { code, letter, word, promotion });
        }
        kinds
    }

    /// Returns the word of a piece, and what it becomes.
    fn moves(&mut self, code: &str, json: &Json) -> (String, Option<Promotion>) {
        let mut moves: Vec<Json> = json["moves"].as_array().cloned().unwrap_or_default();
        let mut promotions: Vec<Option<Json>> = Vec::new();
        for entry in &mut moves {
            let Some(entry) = entry.as_object_mut() else { continue };
            entry.shift_remove("id");
            promotions.push(entry.shift_remove("modifiers"));
        }
        let (word, rest) = betza_words(&moves, 2);
        if !rest.is_empty() {
            self.fault(format!("{code}: {} of its moves cannot be written in Betza notation.", rest.len()));
        }
        let is_long =
            |leap: &Leap| leap.hop.is_some() && leap.steps.iter().any(|(x, y)| x.abs().max(y.abs()) > 1);
        if crate::game::leaps(&word).is_ok_and(|leaps| leaps.iter().any(is_long)) {
            self.fault(format!(
                "{code}: Fairy-Stockfish jumps over pieces only along ranks, files and diagonals."
            ));
        }
        promotions.dedup();
        let read = |modifiers: &Json| {
            let [modifier] = modifiers.as_array()?.as_slice() else { return None };
            let texts = |list: &Json, key: Option<&str>| -> Option<Vec<String>> {
                let text = |it: &Json| key.map_or(it, |key| &it[key]).as_str().map(str::to_owned);
                list.as_array()?.iter().map(text).collect()
            };
            let regions = texts(&modifier["conditions"], Some("condition")).unwrap_or_default();
            Some(Promotion { regions, options: texts(&modifier["options"], None)? })
        };
        match promotions.as_slice() {
            [] | [None] => (word, None),
            [Some(modifiers)] if read(modifiers).is_some() => (word, read(modifiers)),
            _ => {
                self.fault(format!("{code}: Fairy-Stockfish has one promotion for all moves of a piece."));
                (word, None)
            }
        }
    }

    fn pieces(&mut self, kinds: &[Kind<'g>], leader: Option<&str>) {
        let mut used: Vec<&str> = Vec::new();
        let mut custom = 0;
        for kind in kinds {
            let letter = kind.letter.to_ascii_lowercase();
            if Some(kind.code) == leader {
                let moves =
                    if atoms(&kind.word) == atoms("K") { String::new() } else { format!(":{}", kind.word) };
                self.set(KING, &format!("{letter}{moves}"));
                continue;
            }
            let plain = TYPES.iter().find(|it| {
                it.key != KING
                    && it.key != PAWN
                    && it.key != JANGGI_CANNON
                    && !used.contains(&it.key)
                    && !it.betza.is_empty()
                    && atoms(it.betza) == atoms(&kind.word)
            });
            let is_pawn = !used.contains(&PAWN)
                && [atoms("fmWfceFifmnD"), atoms("fmWfcF"), atoms("fmWfceF")].contains(&atoms(&kind.word));
            if is_pawn {
                used.push(PAWN);
                self.set(PAWN, &letter.to_string());
                self.set("doubleStep", if kind.word.contains('i') { "true" } else { "false" });
            } else if let Some(plain) = plain {
                used.push(plain.key);
                self.set(plain.key, &letter.to_string());
            } else {
                custom += 1;
                self.set(&format!("customPiece{custom}"), &format!("{letter}:{}", kind.word));
            }
        }
        if custom > CUSTOM {
            self.fault(format!("Fairy-Stockfish has at most {CUSTOM} custom pieces."));
        }
        if !used.contains(&PAWN) {
            self.set("doubleStep", "false");
        }
    }

    /// The starting position, and where first moves begin.
    fn start(&mut self, kinds: &[Kind<'g>], files: i64, ranks: i64) {
        let mut squares: Vec<(Square, char)> = Vec::new();
        let mut first = [Vec::new(), Vec::new()];
        for (player, army) in self.long["players"].as_array().into_iter().flatten().enumerate().take(2) {
            for start in army["starting_positions"].as_array().into_iter().flatten() {
                let Some(kind) = kinds.iter().find(|kind| Some(kind.code) == start["piece"].as_str()) else {
                    continue;
                };
                let letter = if player == 0 {
                    kind.letter.to_ascii_uppercase()
                } else {
                    kind.letter.to_ascii_lowercase()
                };
                for square in start["positions"].as_array().into_iter().flatten().filter_map(square) {
                    squares.push((square, letter));
                    if kind.word.contains('i') {
                        first[player].push(square);
                    }
                }
            }
        }
        let holes: Vec<Square> = self.long["board"]["disabled_positions"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(square)
            .collect();
        squares.extend(holes.into_iter().map(|hole| (hole, '*')));
        let row = |y: i64| {
            let mut text = String::new();
            let mut empty = 0;
            for x in 0..files {
                let here = squares.iter().find(|(square, _)| *square == (x as i32, y as i32));
                match here {
                    Some((_, letter)) => {
                        if empty > 0 {
                            let _ = write!(text, "{empty}");
                        }
                        empty = 0;
                        text.push(*letter);
                    }
                    None => empty += 1,
                }
            }
            if empty > 0 {
                let _ = write!(text, "{empty}");
            }
            text
        };
        let placement: Vec<String> = (0..ranks).rev().map(row).collect();
        let turn = if self.long["turns"]["start_at"] == 1 { "b" } else { "w" };
        let rights: String = self.castling_rights();
        self.set("startFen", &format!("{} {turn} {rights} - 0 1", placement.join("/")));
        for (player, name) in ["White", "Black"].into_iter().enumerate() {
            if !first[player].is_empty() {
                let squares = names(&first[player]).join(" ");
                self.set(&format!("doubleStepRegion{name}"), &squares);
            }
        }
    }

    fn promotion(&mut self, kinds: &[Kind<'g>]) {
        let promoting: Vec<&Kind<'g>> = kinds.iter().filter(|kind| kind.promotion.is_some()).collect();
        let pawns: String = promoting.iter().map(|kind| kind.letter.to_ascii_lowercase()).collect();
        let shown = if pawns.is_empty() { "-" } else { &pawns };
        self.set("promotionPawnTypes", shown);
        let takers: String = kinds
            .iter()
            .filter(|kind| kind.word.contains('e'))
            .map(|kind| kind.letter.to_ascii_lowercase())
            .collect();
        self.set("enPassantTypes", if takers.is_empty() { "-" } else { &takers });
        let Some(first) = promoting.first().and_then(|kind| kind.promotion.clone()) else { return };
        let is_alike = |kind: &&Kind<'g>| {
            let own = |promotion: &Promotion| {
                (promotion.regions.clone(), promotion.options.contains(&kind.code.to_owned()))
            };
            kind.promotion
                .as_ref()
                .is_some_and(|it| own(it) == own(&first) && it.options.len() == first.options.len())
        };
        if !promoting.iter().all(is_alike) || first.regions.len() > 1 {
            self.fault("Fairy-Stockfish has one promotion zone and one list of pieces for all pawns.");
            return;
        }
        let own: Vec<&str> = promoting.iter().map(|kind| kind.code).collect();
        let options = first.options.iter().filter(|code| !own.contains(&code.as_str()));
        let letters = options.filter_map(|code| kinds.iter().find(|kind| kind.code == code));
        let letters: String = letters.map(|kind| kind.letter.to_ascii_lowercase()).collect();
        self.set("promotionPieceTypes", &letters);
        if first.options.iter().any(|code| own.contains(&code.as_str())) {
            self.set("mandatoryPawnPromotion", "false");
        }
        for (player, name) in ["White", "Black"].into_iter().enumerate() {
            let squares = match first.regions.first() {
                Some(region) => self.region(region, player),
                None => vec!["**".to_owned()],
            };
            self.set(&format!("promotionRegion{name}"), &squares.join(" "));
        }
    }

    /// Returns the squares of a condition for a player.
    fn region(&self, code: &str, player: usize) -> Vec<String> {
        let conditions = self.long["conditions"].as_array().into_iter().flatten();
        let found = conditions.into_iter().find(|condition| condition["code"] == code);
        let name = self.long["players"][player]["name"].as_str().unwrap_or(PLAYERS[player]);
        let list = found.and_then(|condition| condition["check"][name].as_array());
        names(&list.into_iter().flatten().filter_map(square).collect::<Vec<_>>())
    }

    /// Returns the castling moves of all pieces: the code, the move, and for each player its target and that of the partner.
    fn castles(&self) -> Vec<(&'g str, &'g Json, Targets)> {
        let long = self.long;
        let pieces = long["pieces"].as_array().into_iter().flatten();
        pieces
            .flat_map(|piece| {
                let code = piece["code"].as_str().unwrap_or_default();
                piece["castling"].as_array().into_iter().flatten().map(move |castle| {
                    let target = |key: &str, player: usize| {
                        let name = long["players"][player]["name"].as_str().unwrap_or_default();
                        castle[key][name].as_array()?.first().and_then(square)
                    };
                    let both = [0, 1].map(|player| target("to", player).zip(target("with_to", player)));
                    (code, castle, both)
                })
            })
            .collect()
    }

    fn castling_rights(&self) -> String {
        let mut rights = String::new();
        for player in [0, 1] {
            for (side, letter) in [(-1, 'k'), (1, 'q')] {
                let has = self.castles().iter().any(|(_, _, targets)| {
                    targets[player].is_some_and(|(to, with_to)| with_to.0 - to.0 == side)
                });
                if has {
                    rights.push(if player == 0 { letter.to_ascii_uppercase() } else { letter });
                }
            }
        }
        if rights.is_empty() { "-".into() } else { rights }
    }

    fn castling(&mut self, kinds: &[Kind<'g>]) {
        let castles = self.castles();
        self.set("castling", if castles.is_empty() { "false" } else { "true" });
        let letter = |code: &str| {
            kinds
                .iter()
                .find(|kind| kind.code == code)
                .map(|kind| kind.letter.to_ascii_lowercase().to_string())
        };
        for (code, castle, targets) in castles {
            let Some((to, with_to)) = targets.iter().flatten().next() else { continue };
            let key = match with_to.0 - to.0 {
                -1 => "castlingKingsideFile",
                1 => "castlingQueensideFile",
                _ => {
                    self.fault("In Fairy-Stockfish the partner castles to the square beside the king.");
                    continue;
                }
            };
            self.set(key, &(to.0 + 1).to_string());
            if let Some((white, _)) = targets[0] {
                self.set("castlingRank", &(white.1 + 1).to_string());
            }
            self.set("castlingKingPiece", &letter(code).unwrap_or_default());
            let partners =
                castle["with"].as_array().into_iter().flatten().filter_map(Json::as_str).filter_map(letter);
            self.set("castlingRookPieces", &partners.collect::<String>());
        }
    }

    fn endings(&mut self, kinds: &[Kind<'g>]) {
        match self.long["stuck"].as_str() {
            Some("LOSES") => self.set("stalemateValue", "loss"),
            Some("WINS") => self.set("stalemateValue", "win"),
            _ => {}
        }
        let (mut fold, mut quiet) = (0, 0);
        let mut extinctions: Vec<Extinction> = Vec::new();
        let mut mates = [None, None];
        let endings = self.long["endings"].as_array().cloned().unwrap_or_default();
        for ending in &endings {
            let code = ending["code"].as_str().unwrap_or_default().to_owned();
            let value = ending["result"].as_str().unwrap_or("DRAW").to_ascii_lowercase();
            if let Some(extinction) = self.extinction(kinds, ending) {
                extinctions.push(extinction);
                continue;
            }
            if ending["stops"] == true && ending["when"].as_array().is_none_or(|when| when.len() != 1) {
                self.fault(format!("Fairy-Stockfish has no ending like {code}, which stops the game."));
                continue;
            }
            let [when] = ending["when"].as_array().map_or(&[][..], Vec::as_slice) else {
                self.left_out.push(format!("The ending {code} is left out."));
                continue;
            };
            let number = |key: &str| when[key].as_u64().unwrap_or(0);
            match (when["condition"].as_str(), ending["result"].as_str().unwrap_or("DRAW")) {
                (Some("REPETITION"), "DRAW") if fold == 0 || number("times") < fold => fold = number("times"),
                (Some("QUIET"), "DRAW") if quiet == 0 || number("turns") < quiet => quiet = number("turns"),
                (Some("REPETITION" | "QUIET"), "DRAW") => {}
                (Some("COUNT"), "WIN")
                    if ending["stops"] == true && when["owner"] == "OWN" && when["in"].is_string() =>
                {
                    self.goal(kinds, when);
                }
                (Some("STUCK"), _) if when.get("owner").is_none_or(|owner| owner == "OWN") => {
                    for (attacked, mate) in [true, false].into_iter().zip(&mut mates) {
                        if mate.is_none() && when.get("attacked").is_none_or(|it| *it == attacked) {
                            *mate = Some(value.clone());
                        }
                    }
                }
                _ if ending["stops"] == true => self.fault(format!("The ending {code} stops the game.")),
                _ => self.left_out.push(format!("The ending {code} is left out.")),
            }
        }
        match mates {
            [checkmate, Some(stalemate)] => {
                self.set("stalemateValue", &stalemate);
                self.set("checkmateValue", checkmate.as_deref().unwrap_or("loss"));
            }
            _ if self.long["stuck"] == "PASSES" => {
                self.fault("Fairy-Stockfish has no players who are passed over.");
            }
            _ => {}
        }
        self.extinctions(&extinctions);
        self.set("nFoldRule", &fold.to_string());
        self.set("nMoveRule", &(quiet / 2).to_string());
        let reset = self.long["quiet"]["reset_by"].as_array().into_iter().flatten().filter_map(Json::as_str);
        let reset: String = reset
            .filter_map(|code| kinds.iter().find(|kind| kind.code == code))
            .map(|kind| kind.letter.to_ascii_lowercase())
            .collect();
        self.set("nMoveRuleTypes", if reset.is_empty() { "-" } else { &reset });
    }

    /// Reads an ending by the loss of pieces.
    fn extinction(&self, kinds: &[Kind<'g>], ending: &Json) -> Option<Extinction> {
        let [when] = ending["when"].as_array()?.as_slice() else { return None };
        let lists: Vec<&Json> = match when["condition"].as_str()? {
            "ANY" => when["of"]
                .as_array()?
                .iter()
                .map(|list| list.get(0).filter(|_| list.get(1).is_none()))
                .collect::<Option<_>>()?,
            _ => vec![when],
        };
        let is_count = |count: &&Json| {
            let allowed = ["condition", "piece", "owner", "max"];
            count["condition"] == "COUNT"
                && count.as_object().is_some_and(|it| it.keys().all(|key| allowed.contains(&key.as_str())))
        };
        if ending["stops"] != true || !lists.iter().all(is_count) {
            return None;
        }
        let leader = (!self.long["leader"].is_null()).then_some(1);
        let letters = |count: &Json| match count.get("piece") {
            // Every kind but the leader: with it, there is one piece more.
            None => Some(('*', leader.unwrap_or(0))),
            Some(list) => match list.as_array()?.as_slice() {
                all if all.len() == kinds.len() => Some(('*', 0)),
                [one] => Some((kinds.iter().find(|kind| one == kind.code)?.letter.to_ascii_lowercase(), 0)),
                _ => None,
            },
        };
        let (mut types, mut owner, mut most) = (String::new(), None, None);
        for count in lists {
            let (letter, more) = letters(count)?;
            let number = count["max"].as_u64()? + more;
            let same = *owner.get_or_insert(&count["owner"]) == &count["owner"]
                && *most.get_or_insert(number) == number;
            if !same {
                return None;
            }
            types.push(letter);
        }
        let who = ending["who"].as_str().unwrap_or("MOVER");
        let player = match (who, owner?.as_str()?) {
            ("ANYONE", "OWN") => Loser::Anyone,
            ("MOVER", "OWN") => Loser::Mover,
            ("MOVER", "ENEMY") => Loser::Other,
            _ => return None,
        };
        let value = ending["result"].as_str().unwrap_or("DRAW");
        // The result for the player without pieces.
        let value = match (player, value) {
            (_, "DRAW") => "draw",
            (Loser::Other, "WIN") | (Loser::Anyone | Loser::Mover, "LOSS") => "loss",
            _ => "win",
        };
        Some(Extinction { player, types, most: most?, value })
    }

    /// Writes endings by the loss of pieces: one for both players, or one for each.
    fn extinctions(&mut self, extinctions: &[Extinction]) {
        let first = match extinctions {
            [] => return,
            [one] if one.player == Loser::Anyone => one,
            [own, other]
                if (own.player, other.player) == (Loser::Mover, Loser::Other)
                    && (&own.types, own.most, own.value) == (&other.types, other.most, other.value) =>
            {
                own
            }
            _ => {
                return self.fault("Fairy-Stockfish has one ending by the loss of pieces, for both players.");
            }
        };
        if self.text.contains("extinctionPseudoRoyal") {
            return self.fault("In Fairy-Stockfish, no game with such leaders ends by the loss of pieces.");
        }
        self.set("extinctionValue", first.value);
        self.set("extinctionPieceTypes", &first.types);
        self.set("extinctionPieceCount", &first.most.to_string());
    }

    /// Reads who leads: a king, of which each player has one at most, and other royal pieces.
    fn leaders(&mut self) -> Leaders<'g> {
        let long = self.long;
        let json = &long["leader"];
        let of = |key: &str| json.get(key).and_then(Json::as_str);
        let list = json.get("piece").unwrap_or(json);
        let codes: Vec<&'g str> = match list {
            Json::Array(list) => list.iter().filter_map(Json::as_str).collect(),
            one => one.as_str().into_iter().collect(),
        };
        let usual =
            [("exposure", "ILLEGAL"), ("attacked", "FREE"), ("captured", "OUT"), ("stalemate", "NO_MOVE")];
        if usual.iter().any(|(key, word)| of(key).is_some_and(|it| it != *word)) {
            self.fault("Fairy-Stockfish has no such rules about the leader.");
        }
        let players = || long["players"].as_array().into_iter().flatten();
        let number = |player: &Json, code: &str| -> usize {
            let starts = player["starting_positions"].as_array().into_iter().flatten();
            starts
                .filter(|start| start["piece"] == code)
                .filter_map(|start| start["positions"].as_array())
                .map(Vec::len)
                .sum()
        };
        let becomes = |code: &str| {
            let pieces = long["pieces"].as_array().into_iter().flatten();
            let moves = pieces.flat_map(|piece| piece["moves"].as_array().into_iter().flatten());
            let modifiers = moves.flat_map(|each| each["modifiers"].as_array().into_iter().flatten());
            modifiers
                .flat_map(|each| each["options"].as_array().into_iter().flatten())
                .any(|option| option == code)
        };
        let is_king = |code: &str| players().all(|player| number(player, code) <= 1) && !becomes(code);
        if let Some(list) = json.get("players").and_then(Json::as_array) {
            let others = || players().filter(|player| !list.contains(&player["name"]));
            if codes.iter().any(|code| becomes(code) || others().any(|player| number(player, code) > 0)) {
                self.fault("In Fairy-Stockfish, a piece is royal for both players.");
            }
        }
        let lost = of("lost").unwrap_or("ANY");
        let king = codes.iter().copied().find(|code| is_king(code));
        let others: Vec<&'g str> = codes.iter().copied().filter(|code| Some(*code) != king).collect();
        let is_all = of("check") == Some("ALL");
        if lost == "LAST" && codes.len() > 1 || is_all && others.len() > 1 {
            self.fault("Fairy-Stockfish counts royal pieces of each kind separately.");
        }
        Leaders { king, others, is_any: lost == "ANY", is_all }
    }

    /// Royal pieces besides the king.
    fn royals(&mut self, kinds: &[Kind<'g>], leaders: &Leaders<'g>) {
        if leaders.others.is_empty() {
            return;
        }
        let royal = kinds.iter().filter(|kind| leaders.others.contains(&kind.code));
        let letters: String = royal.map(|kind| kind.letter.to_ascii_lowercase()).collect();
        self.set("extinctionValue", "loss");
        self.set("extinctionPieceTypes", &letters);
        self.set("extinctionPseudoRoyal", "true");
        self.set("extinctionPieceCount", if leaders.is_any { ALWAYS_ROYAL } else { "0" });
        if leaders.is_all {
            self.set("dupleCheck", "true");
        }
    }

    /// Restrictions and priorities of moves.
    fn choice_of_moves(&mut self) {
        let long = self.long;
        let no_check = serde_json::json!(
            { "condition": "NOT", "of": [{ "condition": "AFTER", "of": [{ "condition": "IN_CHECK", "owner": "ENEMY" }] }] });
        for restriction in long["restrictions"].as_array().into_iter().flatten() {
            if *restriction == no_check {
                self.set("checking", "false");
            } else {
                self.fault("Fairy-Stockfish restricts moves only by forbidding checks.");
            }
        }
        let captures = serde_json::json!([[{ "condition": "EVENT", "event": "CAPTURED" }]]);
        match long.get("priority") {
            None => {}
            Some(list) if *list == captures => self.set("mustCapture", "true"),
            Some(list) if list.as_array().is_some_and(Vec::is_empty) => {}
            Some(_) => self.fault("In Fairy-Stockfish, only captures can be compulsory."),
        }
    }

    /// Wins by bringing a piece to a region.
    fn goal(&mut self, kinds: &[Kind<'g>], when: &Json) {
        let codes: Vec<&str> =
            when["piece"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
        let piece = match codes.as_slice() {
            [code] => kinds
                .iter()
                .find(|kind| kind.code == *code)
                .map_or('*', |kind| kind.letter.to_ascii_lowercase()),
            codes if codes.len() == kinds.len() => '*',
            _ => {
                return self.fault("In Fairy-Stockfish one kind of piece, or any, wins by reaching squares.");
            }
        };
        self.set("flagPiece", &piece.to_string());
        let region = when["in"].as_str().unwrap_or_default();
        for (player, name) in ["White", "Black"].into_iter().enumerate() {
            let squares = self.region(region, player);
            self.set(
                &format!("flagRegion{name}"),
                if squares.is_empty() { "-".into() } else { squares.join(" ") }.as_str(),
            );
        }
        if let Some(count) = when["min"].as_u64().filter(|count| *count > 1) {
            self.set("flagPieceCount", &count.to_string());
        }
    }
}

/// Returns the leaps of a word in a fixed order, so that words of the same meaning are equal.
fn atoms(word: &str) -> Vec<String> {
    let leaps = crate::game::leaps(word).unwrap_or_default();
    let mut atoms: Vec<String> = leaps
        .iter()
        .flat_map(|leap| {
            let rest = format!(
                "{:?} {:?} {} {} {} {} {}",
                leap.reach, leap.hop, leap.moves, leap.captures, leap.initial, leap.lame, leap.en_passant
            );
            leap.steps.iter().map(move |step| format!("{step:?} {rest}")).collect::<Vec<_>>()
        })
        .collect();
    atoms.sort();
    atoms
}

fn square(json: &Json) -> Option<Square> {
    match json.as_array()?.as_slice() {
        [x, y] => Some((i32::try_from(x.as_i64()?).ok()?, i32::try_from(y.as_i64()?).ok()?)),
        _ => None,
    }
}
