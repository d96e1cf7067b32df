//! Limits on the size of a game. [`crate::MAX_BYTES`] bounds the file; these limits bound everything derived from it:
//! engine tables, names in a terminal, help texts.
//!
//! They are far above any known game, and low enough that a piece, a player and a flag each fit in a byte.

/// Pieces that one slide jumps over.
pub const HURDLES: i32 = 8;
/// Legs of one move.
pub const LEGS: usize = 8;
/// Parts of a turn after the first.
pub const PARTS: usize = 8;
/// Squares of the board.
pub const SQUARES: usize = 1024;
/// Links of the board.
pub const LINKS: usize = 1024;
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
/// Moves of all pieces on the starting board, counting every piece.
pub const START_MOVES: usize = 32_768;
/// Different directions of all slides. Each has a table of all squares.
pub const DIRECTIONS: usize = 256;
/// The [work](crate::Workload) of a position that a server accepts, at the start of a game and at any time in it.
pub const POSITION_WORK: usize = 20_000;
/// Different flags in one game.
pub const FLAGS: usize = 255;
/// Global conditions.
pub const GLOBAL_CONDITIONS: usize = 255;
/// Endings.
pub const ENDINGS: usize = 64;
/// Conditions of all endings together. Each may need a proof after every move.
pub const CLAUSES: usize = 256;
/// Nesting depth of the conditions of an ending.
pub const NESTING: usize = 8;
/// Conditions, side effects, actions or modifiers in one list.
pub const LIST: usize = 64;
/// Values of the tag that pieces carry.
pub const TAG_VALUES: usize = 8;
/// Faces of the die, and throws per move.
pub const DIE: i32 = 255;
/// Layouts, presets and options, and values of one option. Each may be checked.
pub const CHOICES: usize = 64;
/// Variants of one file that are checked.
pub const VARIANTS: usize = 256;
/// Bytes of a file that offers choices; it is read once per variant.
pub const CHOICE_BYTES: usize = 1 << 20;
/// Squares that the regions and ranges of a file write out, and squares that are examined for them.
pub const SHORT_SQUARES: usize = 1 << 18;
/// Moves that the short forms of a file write out, and moves that pieces copy from others.
pub const SHORT_MOVES: usize = 1 << 14;
/// Characters of a name or a code.
pub const NAME: usize = 100;
/// Characters of a description.
pub const ABOUT: usize = 1000;
