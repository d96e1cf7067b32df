//! Known perft counts of every game. This test checks the quick ones; `cargo xtask prove perft` checks all with the binary.

use tabiya_notation::parse_state;

/// Larger counts are left to `cargo xtask prove perft`.
const MAX_NODES: u64 = 1_000_000;

#[test]
fn games_reach_known_counts() {
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
    // Trefoil has no published counts; the oracle checks it.
    let library = tabiya_spec::library::games().len();
    assert_eq!(checked.len(), library - 1, "{checked:?}");
}
