//! Chess libraries, in one process that is built for the machine it runs on.

use std::hint::black_box;

use cozy_chess::Board;
use shakmaty::CastlingMode;
use shakmaty::fen::Fen;
use tabiya_peers::{Count, Counted, Request, serve};

fn main() {
    serve(prepare);
}

fn prepare(request: &Request) -> Option<Count> {
    let Request { engine, state, depth, .. } = request;
    let depth = *depth;
    if request.game != "chess" {
        return None;
    }
    Some(match engine.as_str() {
        "cozy-chess" => {
            let board: Board = state.parse().expect("cozy-chess reads the position");
            Box::new(move || in_bulk(black_box(&board), depth).into())
        }
        "cozy-chess, made" => {
            let board: Board = state.parse().expect("cozy-chess reads the position");
            Box::new(move || {
                let mut made = Made::default();
                made.every_leaf(black_box(&board), depth);
                black_box(made.keys);
                Counted { nodes: made.nodes, checks: Some(made.checks) }
            })
        }
        "shakmaty" => {
            let fen: Fen = state.parse().expect("shakmaty reads the position");
            let position: shakmaty::Chess =
                fen.into_position(CastlingMode::Standard).expect("shakmaty accepts the position");
            Box::new(move || shakmaty::perft(black_box(&position), depth).into())
        }
        "chess" => {
            let board: chess::Board = state.parse().expect("chess reads the position");
            Box::new(move || {
                let nodes = chess::MoveGen::movegen_perft_test(black_box(&board), depth as usize);
                (nodes as u64).into()
            })
        }
        _ => return None,
    })
}

/// Counts the last moves without making them.
fn in_bulk(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            nodes += moves.len() as u64;
            false
        });
    } else {
        board.generate_moves(|moves| {
            for each in moves {
                let mut next = board.clone();
                next.play_unchecked(each);
                nodes += in_bulk(&next, depth - 1);
            }
            false
        });
    }
    nodes
}

/// Figures about the leaves, so that the compiler cannot leave out making them.
#[derive(Default)]
struct Made {
    nodes: u64,
    checks: u64,
    keys: u64,
}

impl Made {
    /// Counts leaves. The board maintains its key and its checkers.
    fn every_leaf(&mut self, board: &Board, depth: u32) {
        if depth == 0 {
            self.nodes += 1;
            self.checks += u64::from(!board.checkers().is_empty());
            self.keys ^= board.hash();
            return;
        }
        board.generate_moves(|moves| {
            for each in moves {
                let mut next = board.clone();
                next.play_unchecked(each);
                self.every_leaf(&next, depth - 1);
            }
            false
        });
    }
}
