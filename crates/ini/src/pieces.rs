//! The piece types of Fairy-Stockfish, by key, with their moves in Betza notation.

/// A piece type: the key, the code in our file, and its moves. Pawns have their double step from other keys.
pub(crate) struct PieceType {
    pub(crate) key: &'static str,
    pub(crate) code: &'static str,
    pub(crate) betza: &'static str,
}

const fn piece(key: &'static str, code: &'static str, betza: &'static str) -> PieceType {
    PieceType { key, code, betza }
}

/// The key of pawns.
pub(crate) const PAWN: &str = "pawn";

/// The key of the royal piece.
pub(crate) const KING: &str = "king";

/// The key of the cannon that neither jumps over its own kind nor captures it.
pub(crate) const JANGGI_CANNON: &str = "janggiCannon";

/// The key of the piece that goes sideways from a certain rank.
pub(crate) const SOLDIER: &str = "soldier";

/// The key of the counsellor, one step diagonally.
pub(crate) const FERS: &str = "fers";

/// The number of custom pieces: `customPiece1` to `customPiece25`.
pub(crate) const CUSTOM: usize = 25;

/// All types, in the order in which games list their pieces.
pub(crate) const TYPES: [PieceType; 37] = [
    piece(PAWN, "PAWN", "fmWfceF"),
    piece("knight", "KNIGHT", "N"),
    piece("bishop", "BISHOP", "B"),
    piece("rook", "ROOK", "R"),
    piece("queen", "QUEEN", "Q"),
    piece(FERS, "FERS", "F"),
    piece("alfil", "ALFIL", "A"),
    piece("fersAlfil", "FERS_ALFIL", "FA"),
    piece("silver", "SILVER", "FfW"),
    piece("aiwok", "AIWOK", "RNF"),
    piece("bers", "DRAGON_KING", "RF"),
    piece("archbishop", "ARCHBISHOP", "BN"),
    piece("chancellor", "CHANCELLOR", "RN"),
    piece("amazon", "AMAZON", "QN"),
    piece("knibis", "KNIBIS", "mNcB"),
    piece("biskni", "BISKNI", "mBcN"),
    piece("kniroo", "KNIROO", "mNcR"),
    piece("rookni", "ROOKNI", "mRcN"),
    piece("shogiPawn", "SHOGI_PAWN", "fW"),
    piece("lance", "LANCE", "fR"),
    piece("shogiKnight", "SHOGI_KNIGHT", "fN"),
    piece("gold", "GOLD", "WfF"),
    piece("dragonHorse", "DRAGON_HORSE", "BW"),
    piece("clobber", "STONE", "cW"),
    piece("breakthrough", "RUNNER", "fmWfF"),
    piece("immobile", "IMMOBILE", ""),
    piece("cannon", "CANNON", "mRcpR"),
    piece(JANGGI_CANNON, "JANGGI_CANNON", "pR"),
    piece(SOLDIER, "SOLDIER", "fsW"),
    piece("horse", "HORSE", "nN"),
    piece("elephant", "ELEPHANT", "nA"),
    piece("janggiElephant", "JANGGI_ELEPHANT", "nZ"),
    piece("banner", "BANNER", "RcpRnN"),
    piece("wazir", "WAZIR", "W"),
    piece("commoner", "COMMONER", "K"),
    piece("centaur", "CENTAUR", "KN"),
    piece(KING, "KING", "K"),
];

/// Returns the number of a custom piece.
pub(crate) fn custom(key: &str) -> Option<usize> {
    let number: usize = key.strip_prefix("customPiece")?.parse().ok()?;
    (1..=CUSTOM).contains(&number).then_some(number)
}
