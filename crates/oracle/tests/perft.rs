//! Known counts, game by game. The gate counts what is quick; `cargo xtask prove perft` counts all through the binary.

use tabiya_notation::parse_state;

/// Larger counts are left to `prove`.
const MAX_NODES: u64 = 1_000_000;

#[test]
fn games_reach_their_known_counts() {
    let table = include_str!("perft.tsv");
    let mut checked = std::collections::BTreeMap::new();
    for row in table.lines().skip(1) {
        let [name, state, depth, nodes] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let (depth, nodes): (u32, u64) = (depth.parse().unwrap(), nodes.parse().unwrap());
        if nodes > MAX_NODES {
            continue;
        }
        let rules = tabiya_spec::library::load(name).expect("a library game").rules;
        let position = match state {
            "start" => rules.start(),
            text => {
                parse_state(&rules, text).unwrap_or_else(|error| panic!("{name} {text}: {error}")).position
            }
        };
        assert_eq!(rules.perft(&position, depth), nodes, "{row}");
        *checked.entry(name).or_insert(0) += 1;
    }
    // The three-player game has no counts from elsewhere; the oracle judges it.
    let library = tabiya_spec::library::games().len();
    assert_eq!(checked.len(), library - 1, "{checked:?}");
}
