//! Tests of the command line through the real binary. One test crate, so that it links once.

mod agent;
mod analyse;
mod check;
mod command_line_doc;
mod common;
mod damaged_records;
mod drops;
mod enochian;
mod errors;
mod files;
mod games;
mod judge;
mod lsp;
mod r#match;
mod mcp;
mod perft;
mod play;
mod saved_games;
mod show;
mod solve;
mod tensor;
mod tune;
mod uci;
mod verify;
