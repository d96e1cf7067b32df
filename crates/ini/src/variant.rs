//! A variant as its keys describe it, before it becomes a game.

use std::collections::BTreeMap;

use crate::pieces::{self, KING, TYPES};

/// A square: file and rank, counted from 0.
pub(crate) type Square = (i32, i32);

/// A value for WHITE and one for BLACK.
pub(crate) type ByPlayer<T> = [T; 2];

/// The names of the players, in the order of [`ByPlayer`].
pub(crate) const PLAYERS: [&str; 2] = ["WHITE", "BLACK"];

/// A piece of a variant.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// The key that defines it.
    pub(crate) key: String,
    /// In upper case.
    pub(crate) letter: char,
    pub(crate) betza: String,
}

/// Squares before the size of the board is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Region(pub(crate) Vec<(Option<i32>, Option<i32>)>);

impl Region {
    /// Returns a whole rank, counted from 1.
    pub(crate) fn rank(rank: i32) -> Self {
        Region(vec![(None, Some(rank - 1))])
    }

    /// Returns every square.
    pub(crate) fn all() -> Self {
        Region(vec![(None, None)])
    }

    pub(crate) fn has(&self, (x, y): Square) -> bool {
        self.0.iter().any(|(file, rank)| file.is_none_or(|it| it == x) && rank.is_none_or(|it| it == y))
    }
}

/// A result for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Win,
    Loss,
    Draw,
}

/// How moves are counted, after which the game is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Counting {
    /// Nothing.
    #[default]
    None,
    /// As in Thailand.
    Makruk,
    /// As in Cambodia.
    Cambodian,
    /// By the rules of the ASEAN Chess Confederation.
    Asean,
}

/// What may be dropped, and where.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a key of the file")]
pub(crate) struct Drops {
    pub(crate) allowed: bool,
    /// Whether captured pieces go to the hand of the captor.
    pub(crate) captures: bool,
    /// Whether captured pieces stay promoted.
    pub(crate) keep_promotion: bool,
    /// Whether a drop may give check.
    pub(crate) checks: bool,
    /// Whether pieces in hand must be dropped before any piece moves, and which: all, if `None`.
    pub(crate) must: bool,
    pub(crate) must_type: Option<String>,
    pub(crate) region: ByPlayer<Region>,
    pub(crate) pawns_on_first_rank: bool,
    pub(crate) pawns_in_zone: bool,
    pub(crate) rooks_on_first_rank: bool,
    /// Whether two bishops must stand on different colours.
    pub(crate) opposite_bishops: bool,
    /// Whether pieces may be dropped as what they become.
    pub(crate) promoted: bool,
    /// Whether a king and a rook that are dropped on their squares can castle.
    pub(crate) castle: bool,
    /// A kind of which only `per_file` pieces may be dropped on a file.
    pub(crate) not_doubled: Option<String>,
    pub(crate) per_file: u32,
    /// Whether a dropped shogi pawn may mate.
    pub(crate) pawn_mates: bool,
}

impl Default for Drops {
    fn default() -> Self {
        Drops {
            allowed: false,
            captures: false,
            keep_promotion: false,
            checks: true,
            must: false,
            must_type: None,
            region: [Region::all(), Region::all()],
            pawns_on_first_rank: false,
            pawns_in_zone: false,
            rooks_on_first_rank: false,
            opposite_bishops: false,
            promoted: false,
            castle: false,
            not_doubled: None,
            per_file: 1,
            pawn_mates: true,
        }
    }
}

/// The rules of a variant. The defaults are those of chess without pieces.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a key of the file")]
pub(crate) struct Variant {
    pub(crate) files: i32,
    pub(crate) ranks: i32,
    pub(crate) start_fen: String,
    pieces: Vec<Piece>,
    /// By key of the piece.
    pub(crate) mobility: BTreeMap<String, ByPlayer<Option<Region>>>,
    pub(crate) promotion_region: ByPlayer<Region>,
    /// Keys of pieces.
    pub(crate) promotion_pawns: ByPlayer<Vec<String>>,
    pub(crate) promotion_pieces: ByPlayer<Vec<String>>,
    pub(crate) promoted: BTreeMap<String, String>,
    /// How many pieces of a kind a player may have after a promotion to it, by key of the piece.
    pub(crate) promotion_limit: BTreeMap<String, u32>,
    pub(crate) mandatory_pawn_promotion: bool,
    pub(crate) mandatory_piece_promotion: bool,
    /// Whether pieces other than pawns are promoted by captures only.
    pub(crate) promotion_on_capture: bool,
    /// Whether a promoted piece changes back with its next move.
    pub(crate) demotion: bool,
    /// Keys of pieces that do not capture each other.
    pub(crate) mutually_immune: Vec<String>,
    /// The rank from which soldiers go sideways.
    pub(crate) soldier_rank: i32,
    /// Whether kings may not face each other on an open line.
    pub(crate) flying_general: bool,
    /// Whether the king and the fers have further first moves.
    pub(crate) cambodian_moves: bool,
    pub(crate) drops: Drops,
    /// Whether pawns are promoted in place of a move or with a move of the new piece.
    pub(crate) quiet_promotion: bool,
    /// Squares between which some pieces also go diagonally.
    pub(crate) diagonal_lines: Region,
    pub(crate) pass: ByPlayer<bool>,
    /// Whether the game ends when kings face each other twice, or after two passes.
    pub(crate) bikjang: bool,
    /// Whether a piece from the hand may enter on the square of a first move.
    pub(crate) gating: bool,
    pub(crate) immobility_illegal: bool,
    pub(crate) checking: bool,
    pub(crate) must_capture: bool,
    pub(crate) double_step: bool,
    pub(crate) double_step_region: ByPlayer<Region>,
    pub(crate) en_passant_region: ByPlayer<Region>,
    pub(crate) en_passant_types: ByPlayer<Vec<String>>,
    pub(crate) castling: bool,
    pub(crate) castling_files: (i32, i32),
    /// Where dropped pieces can castle: the file of the king, and those of the rooks; the first and the last by default.
    pub(crate) castling_king_file: i32,
    pub(crate) castling_rook_files: (Option<i32>, Option<i32>),
    pub(crate) castling_rank: i32,
    pub(crate) castling_king: ByPlayer<String>,
    pub(crate) castling_rooks: ByPlayer<Vec<String>>,
    pub(crate) counting: Counting,
    pub(crate) move_rule: u32,
    pub(crate) move_rule_types: ByPlayer<Vec<String>>,
    pub(crate) fold_rule: u32,
    pub(crate) fold_value: Value,
    /// Whether the value of a repetition is that of WHITE instead of the side to move.
    pub(crate) fold_value_absolute: bool,
    pub(crate) perpetual_check_loses: bool,
    /// Whether a number of checks wins.
    pub(crate) check_counting: bool,
    pub(crate) stalemate: Value,
    /// Whether the player with fewer pieces has the result of stalemate, and the other the opposite.
    pub(crate) stalemate_count: bool,
    pub(crate) checkmate: Value,
    /// `whitedrawodds` and `blackdrawodds` are wins instead of draws.
    pub(crate) material_counting: String,
    pub(crate) extinction: Option<Value>,
    pub(crate) extinction_claim: bool,
    pub(crate) extinction_types: Option<Vec<String>>,
    pub(crate) extinction_count: u32,
    pub(crate) extinction_opponent_count: u32,
    /// Whether pieces of the extinction types are royal while a player has at most `extinction_count + 1` of them.
    pub(crate) pseudo_royal: bool,
    /// Whether an attack on all of these pieces at once is a check, too.
    pub(crate) duple_check: bool,
    /// Keys of pieces; `None` for all.
    pub(crate) flag_piece: ByPlayer<Option<String>>,
    pub(crate) flag_region: ByPlayer<Region>,
    pub(crate) flag_count: u32,
    /// Whether the other player has one more move.
    pub(crate) flag_move: bool,
    /// Whether only pieces count that are not attacked.
    pub(crate) flag_safe: bool,
}

impl Default for Variant {
    fn default() -> Self {
        let both = |key: &str| [key.to_owned(), key.to_owned()];
        let list = |key: &str| [vec![key.to_owned()], vec![key.to_owned()]];
        Variant {
            files: 8,
            ranks: 8,
            start_fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".into(),
            pieces: Vec::new(),
            mobility: BTreeMap::new(),
            promotion_region: [Region::rank(8), Region::rank(1)],
            promotion_pawns: list(pieces::PAWN),
            promotion_pieces: [Vec::new(), Vec::new()],
            promoted: BTreeMap::new(),
            promotion_limit: BTreeMap::new(),
            mandatory_pawn_promotion: true,
            mandatory_piece_promotion: false,
            promotion_on_capture: false,
            demotion: false,
            mutually_immune: Vec::new(),
            soldier_rank: 1,
            flying_general: false,
            cambodian_moves: false,
            drops: Drops::default(),
            quiet_promotion: false,
            diagonal_lines: Region::default(),
            pass: [false, false],
            bikjang: false,
            gating: false,
            immobility_illegal: false,
            checking: true,
            must_capture: false,
            double_step: true,
            double_step_region: [Region::rank(2), Region::rank(7)],
            en_passant_region: [Region::all(), Region::all()],
            en_passant_types: list(pieces::PAWN),
            castling: true,
            castling_files: (6, 2),
            castling_king_file: 4,
            castling_rook_files: (None, None),
            castling_rank: 1,
            castling_king: both(KING),
            castling_rooks: list("rook"),
            counting: Counting::None,
            move_rule: 50,
            move_rule_types: list(pieces::PAWN),
            fold_rule: 3,
            fold_value: Value::Draw,
            fold_value_absolute: false,
            perpetual_check_loses: false,
            check_counting: false,
            stalemate: Value::Draw,
            stalemate_count: false,
            checkmate: Value::Loss,
            material_counting: String::new(),
            extinction: None,
            extinction_claim: false,
            extinction_types: Some(Vec::new()),
            extinction_count: 0,
            extinction_opponent_count: 0,
            pseudo_royal: false,
            duple_check: false,
            flag_piece: [None, None],
            flag_region: [Region::default(), Region::default()],
            flag_count: 1,
            flag_move: false,
            flag_safe: false,
        }
    }
}

impl Variant {
    /// Returns the pieces in the order of the types, custom pieces before the king.
    pub(crate) fn pieces(&self) -> Vec<&Piece> {
        let mut pieces: Vec<&Piece> = self.pieces.iter().collect();
        pieces.sort_by_key(|piece| order(&piece.key));
        pieces
    }

    pub(crate) fn piece(&self, key: &str) -> Option<&Piece> {
        self.pieces.iter().find(|piece| piece.key == key)
    }

    /// Returns the key of the piece with a letter.
    pub(crate) fn key_of(&self, letter: char) -> Option<String> {
        let letter = letter.to_ascii_uppercase();
        self.pieces.iter().find(|piece| piece.letter == letter).map(|piece| piece.key.clone())
    }

    /// Adds a piece. A piece with the same letter is removed.
    pub(crate) fn add(&mut self, key: &str, letter: char, betza: &str) {
        let letter = letter.to_ascii_uppercase();
        if let Some(other) = self.key_of(letter).filter(|other| other != key) {
            self.remove(&other);
        }
        self.pieces.retain(|piece| piece.key != key);
        self.pieces.push(Piece { key: key.to_owned(), letter, betza: betza.to_owned() });
    }

    /// Removes a piece, also from what pawns become.
    pub(crate) fn remove(&mut self, key: &str) {
        self.pieces.retain(|piece| piece.key != key);
        self.promotion_pieces.iter_mut().for_each(|pieces| pieces.retain(|piece| piece != key));
    }

    /// Returns the code of a piece in our file.
    pub(crate) fn code(&self, key: &str) -> String {
        let known = TYPES.iter().find(|it| it.key == key);
        known.map_or_else(
            || self.piece(key).map_or_else(|| key.to_owned(), |piece| piece.letter.to_string()),
            |it| it.code.to_owned(),
        )
    }
}

fn order(key: &str) -> (usize, usize) {
    match TYPES.iter().position(|it| it.key == key) {
        Some(place) if key == KING => (2, place),
        Some(place) => (0, place),
        None => (1, pieces::custom(key).unwrap_or(0)),
    }
}
