//! Our engine, built without flags for the machine; it detects instruction sets at run time. Each path through the engine is
//! compared separately; `--paths` lists them.

use std::hint::black_box;

use tabiya_engine::Backend;
use tabiya_peers::games::Library;
use tabiya_peers::{Count, Counted, Request, serve};

/// The fastest path, with every leaf made, its key and whether it is check.
const MADE: &str = "ours, made";

fn main() {
    if std::env::args().nth(1).as_deref() == Some("--paths") {
        let names: Vec<String> = Backend::ALL.into_iter().map(name).chain([MADE.to_owned()]).collect();
        println!("{}", serde_json::json!(names));
        return;
    }
    let mut library = Library::default();
    serve(|request| prepare(&mut library, request));
}

fn name(path: Backend) -> String {
    format!("{path:?}").to_lowercase()
}

fn prepare(library: &mut Library, request: &Request) -> Option<Count> {
    let (rules, position) = library.position(&request.game, &request.state);
    let depth = request.depth;
    if request.engine == MADE {
        return Some(Box::new(move || {
            let made = rules.perft_totals(black_box(&position), depth);
            black_box(made.keys);
            Counted { nodes: made.nodes, checks: Some(made.checks) }
        }));
    }
    let path = Backend::ALL.into_iter().find(|path| name(*path) == request.engine)?;
    // Support depends on the position, not on the depth.
    rules.perft_on(path, &position, 1)?;
    Some(Box::new(move || {
        let nodes = rules.perft_on(path, black_box(&position), depth);
        nodes.expect("the path was supported before").into()
    }))
}
