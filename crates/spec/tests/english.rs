//! The English rules are complete, and change only deliberately: `TABIYA_BLESS=1` rewrites the golden files.

use std::path::Path;

use tabiya_spec::{Game, english, library, load};

/// A game that uses every keyword of the format, sensibly or not.
const EVERY_WORD: &str = r#"{
  "name": "Every word",
  "board": { "dimensions": [6, 3], "disabled_positions": [[2, 1], [3, 1]] },
  "players": [
    { "name": "A", "direction": "UP", "starting_positions": [{ "piece": "X", "positions": [[0, 0]] }, { "piece": "Y", "positions": [[1, 0]] }] },
    { "name": "B", "direction": [[-1, 0], [0, 1]], "starting_positions": [{ "piece": "X", "positions": [[5, 0]] }] },
    { "name": "C", "direction": [[0, 1], [1, 0]], "starting_positions": [{ "piece": "Y", "positions": [[5, 2]] }] }
  ],
  "turns": { "order": ["A", "B", "A"], "start_at": 2 },
  "endings": [
    { "code": "BARE", "result": "LOSS", "when": [{ "condition": "COUNT", "owner": "OWN", "max": 0 }] },
    { "code": "CROWDED", "by": "RULE", "result": "WIN", "when": [
      { "condition": "COUNT", "piece": ["Y"], "owner": "OWN", "in": "ZONE", "min": 1 },
      { "condition": "COUNT", "piece": ["X"], "owner": "ENEMY", "min": 2 },
      { "condition": "NOT", "of": [{ "condition": "QUIET", "turns": 1 }, { "condition": "COUNT", "owner": "ANY", "min": 2, "max": 5 }] },
      { "condition": "NOT", "of": [{ "condition": "ANY", "of": [
        [{ "condition": "REPETITION", "times": 1 }],
        [{ "condition": "QUIET", "turns": 2 }, { "condition": "NOT", "of": [{ "condition": "CANNOT_WIN", "owner": "OWN" }] }]
      ] }] }
    ] },
    { "code": "STUCK", "by": "CLAIM", "result": "DRAW", "when": [{ "condition": "CANNOT_WIN" }] },
    { "code": "BRAVE", "by": "CLAIM", "result": "WIN", "when": [{ "condition": "COUNT", "piece": ["Y", "X"], "max": 2 }] },
    { "code": "TIRED", "by": "CLAIM", "result": "LOSS", "when": [{ "condition": "COUNT", "piece": ["X"], "min": 0 }] },
    { "code": "LATE", "by": "FLAG", "result": "LOSS", "when": [{ "condition": "COUNT", "piece": ["X"], "owner": "OWN", "min": 2, "max": 2 }] },
    { "code": "LUCKY", "by": "FLAG", "result": "WIN", "when": [{ "condition": "CANNOT_WIN", "owner": "ENEMY" }] }
  ],
  "quiet": { "reset_by": ["X"] },
  "draw_offers": false,
  "conditions": [
    { "code": "ZONE", "type": "POSITION", "check": { "A": [[0, 2], [1, 2], [2, 2], [3, 2], [4, 2], [5, 2], [5, 1]], "B": [], "C": [[0, 0], [0, 1], [0, 2], [2, 1], [3, 0]] } },
    { "code": "EVERYWHERE", "type": "POSITION", "check": { "A": [[0, 0], [1, 1]], "B": [[0, 0], [1, 1]], "C": [[1, 1], [0, 0]] } }
  ],
  "pieces": [
    { "code": "X", "name": "the unknown", "letter": "Q", "moves": [
      { "id": 0, "step": [0, 1], "repeat": { "loop": true, "min": 2, "until": "ZONE" }, "actions": [{ "state": "ALLY", "action": "CAPTURE" }] },
      { "id": 1, "step": [1, 0], "repeat": { "times": 3, "until": "EMPTY" }, "actions": [{ "state": "ENEMY", "action": "CAPTURE" }, { "state": "ALLY", "action": "CAPTURE" }] },
      { "id": 2, "step": [2, 0], "repeat": { "times": 2, "min": 2, "until": "ALLY" }, "actions": [{ "state": "EMPTY", "action": "MOVE" }],
        "side_effects": [{ "action": "MOVE", "from": [1, 0], "to": [0, 0] }, { "action": "SET_STATE", "state": "SEEN" }] },
      { "id": 3, "step": [1, 1], "repeat": { "times": 3, "min": 2, "until": "ENEMY" }, "actions": [{ "state": "EMPTY", "action": "MOVE" }] },
      { "id": 8, "step": [1, 0], "repeat": { "loop": true, "hurdles": 1, "beyond": 1 }, "actions": [{ "state": "EMPTY", "action": "MOVE" }] },
      { "id": 9, "step": [-1, 0], "repeat": { "times": 5, "hurdles": 2, "beyond": 2, "over": { "piece": ["Y"], "owner": "ENEMY" } },
        "actions": [{ "state": "ENEMY", "action": "CAPTURE" }] },
      { "id": 4, "step": [1, 2], "repeat": {}, "actions": [{ "state": "EMPTY", "action": "MOVE" }],
        "conditions": [{ "condition": "DEPENDS_ON", "move_id": 7 }],
        "modifiers": [
          { "action": "TRANSFORM", "conditions": [{ "condition": "ZONE" }, { "condition": "FIRST_MOVE" }], "options": ["Y", "X"] },
          { "action": "TRANSFORM", "options": ["Y"] }
        ] },
      { "id": 7, "step": [-3, -1], "actions": [{ "state": "EMPTY", "action": "MOVE" }],
        "conditions": [
          { "condition": "PIECE_FIRST_MOVE", "position": [1, 0] },
          { "condition": "ROOK_FIRST_MOVE", "position": [-1, -2] },
          { "condition": "CHECK_STATE", "state": "SEEN", "position": [0, 0] },
          { "condition": "PATH_EMPTY" },
          { "condition": "NOT_ATTACKED" },
          { "condition": "PATH_NOT_ATTACKED" },
          { "condition": "EVERYWHERE" },
          { "condition": "SQUARE", "position": [0, 0], "anchor": "TARGET", "state": "NOT_EMPTY" },
          { "condition": "SQUARE", "position": [0, 1], "anchor": "TARGET", "state": "ENEMY", "unmoved": false },
          { "condition": "SQUARE", "position": [0, 2], "piece": ["X", "Y"] },
          { "condition": "SQUARE", "position": [0, -2], "state": "EMPTY" }
        ] }
    ] },
    { "code": "Y", "moves": [
      { "id": 5, "step": [-1, 0],
        "actions": [{ "state": "EMPTY", "action": "MOVE", "side_effects": [{ "action": "CAPTURE", "target": [-2, 0] }] }, { "state": "ENEMY", "action": "CAPTURE" }],
        "side_effects": [{ "action": "SET_STATE", "state": "SEEN", "duration": 2 }] },
      { "id": 6, "step": [1, 0],
        "actions": [{ "state": "EMPTY", "action": "MOVE", "side_effects": [{ "action": "CAPTURE", "target": [2, 0] }] }, { "state": "ENEMY", "action": "CAPTURE" }],
        "side_effects": [{ "action": "SET_STATE", "state": "SEEN", "duration": 2 }] },
      { "id": 8, "step": [2, 0], "actions": [{ "state": "EMPTY", "action": "MOVE" }] },
      { "id": 10, "step": [0, 2], "actions": [{ "state": "EMPTY", "action": "MOVE" }] }
    ] }
  ]
}"#;

fn game(name: &str, json: &str) -> Game {
    let loaded = load(json.as_bytes());
    loaded.game.unwrap_or_else(|| panic!("{name}: {:?}", loaded.diagnostics))
}

/// Compares the text with its golden file, or rewrites the file.
fn check(name: &str, game: &Game) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{name}.txt"));
    let text = english(game);
    if std::env::var_os("TABIYA_BLESS").is_some_and(|value| value == "1") {
        std::fs::write(&path, &text).expect("a golden file can be written");
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(stored == text, "{} differs: run this test with TABIYA_BLESS=1\n{text}", path.display());
}

#[test]
fn chess_matches_its_golden_file() {
    check("chess", &library::load("chess").unwrap());
}

#[test]
fn trefoil_matches_its_golden_file() {
    check("trefoil", &library::load("trefoil").unwrap());
}

#[test]
fn every_keyword_matches_its_golden_file() {
    check("every-word", &game("every word", EVERY_WORD));
}

#[test]
fn all_mechanics_match_their_golden_file() {
    check("four", &game("four", include_str!("fixtures/four.json")));
}

#[test]
fn every_name_is_mentioned() {
    for entry in library::games() {
        let game = entry.load();
        let text = english(&game);
        let blueprint = game.rules.blueprint();
        let codes = blueprint.kinds().iter().map(|kind| &kind.code);
        let players = blueprint.players().iter().map(|player| &player.name);
        let regions = blueprint.regions().iter().map(|region| &region.code);
        let endings = blueprint.endings().iter().map(|ending| &ending.code);
        let names = codes.chain(players).chain(regions).chain(endings);
        let names = names.chain(blueprint.flags()).chain([&*game.spec.name]);
        for name in names {
            assert!(text.contains(name.as_str()), "{} does not mention {name}", entry.name);
        }
    }
}

#[test]
fn every_move_is_listed_with_its_number() {
    for entry in library::games() {
        let text = english(&entry.load());
        let (_, pieces) = text.split_once("The pieces\n").expect("a section about the pieces");
        for block in pieces.split("\n\n") {
            let moves = block.lines().filter(|line| line.starts_with("- ")).count();
            let is_listed = |line: &&str| line.starts_with("- Move") || *line == "- It never moves.";
            let numbered = block.lines().filter(is_listed).count();
            assert!(moves > 0 && moves == numbered, "{}: {block}", entry.name);
        }
    }
}

#[test]
fn lines_fit_a_page() {
    for entry in library::games() {
        for line in english(&entry.load()).lines() {
            assert!(line.chars().count() <= 100 && line == line.trim_end(), "{}: {line}", entry.name);
        }
    }
}

#[test]
fn names_cannot_break_the_page() {
    let hostile = EVERY_WORD.replace("\"Y\"", r#""Y\u001b[2J\n# no""#);
    let text = english(&game("hostile", &hostile));
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
    assert!(!text.contains("\n# no"));
}
