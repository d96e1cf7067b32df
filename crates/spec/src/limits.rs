//! How large a game may be. The file itself is bounded by [`crate::MAX_BYTES`]; these bounds see to it that nothing
//! made out of it (tables of the engine, names in a terminal, advice about a fault) can grow without end either.
//!
//! They lie far above any game we know, and low enough that a piece, a player and a flag fit a byte.

/// Squares of the board.
pub const SQUARES: usize = 1024;
/// Players of the game.
pub const PLAYERS: usize = 64;
/// Slots of the turn order.
pub const SLOTS: usize = 256;
/// Kinds of pieces.
pub const PIECES: usize = 255;
/// Moves of one piece.
pub const MOVES: usize = 256;
/// Moves of all pieces together.
pub const ALL_MOVES: usize = 4096;
/// Moves of all pieces that stand on the board at the start, each piece counted.
pub const START_MOVES: usize = 32_768;
/// Different flags in one game.
pub const FLAGS: usize = 255;
/// Global conditions.
pub const GLOBAL_CONDITIONS: usize = 255;
/// Endings.
pub const ENDINGS: usize = 64;
/// Conditions of all endings together: each may cost a proof whenever somebody has moved.
pub const CLAUSES: usize = 256;
/// How deep conditions of endings lie within each other.
pub const NESTING: usize = 8;
/// Conditions, side effects, actions or modifiers in one list.
pub const LIST: usize = 64;
/// Values of the tag that pieces carry.
pub const TAG_VALUES: usize = 8;
/// Faces of the die, and how often it is thrown for one move.
pub const DIE: i32 = 255;
/// Layouts, presets and options, and the values of one option: each may be checked.
pub const CHOICES: usize = 64;
/// Games that one file can be and that are checked.
pub const VARIANTS: usize = 256;
/// Bytes of a file that has any of them, for it is read once for each.
pub const CHOICE_BYTES: usize = 1 << 20;
/// Characters of a name or a code.
pub const NAME: usize = 100;
/// Characters of the sentence about the game.
pub const ABOUT: usize = 1000;
