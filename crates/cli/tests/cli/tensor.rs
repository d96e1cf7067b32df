//! `tabiya tensor`, and the drawings in `docs/tensors.md`, which it printed.

use crate::common::{split_command, tabiya};
use serde_json::Value;

const DOCUMENT: &str = include_str!("../../../../docs/tensors.md");

#[test]
fn the_docs_show_the_printed_planes() {
    let blocks: Vec<&str> = DOCUMENT.split("\n```run\n").skip(1).collect();
    assert!(blocks.len() >= 5, "the blocks are not found");
    for block in blocks {
        let (block, _) = block.split_once("\n```").expect("a fence is closed");
        let (command, expected) = block.split_once('\n').expect("a command and its answer");
        let words = split_command(command);
        let run = tabiya(&words[1..].iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(run.stdout.trim_end(), expected, "{command}");
    }
}

#[test]
fn json_has_the_complete_tensor() {
    let json = tabiya(&["tensor", "--moves", "e2e4", "--format", "json"]).json();
    assert_eq!(json["shape"], serde_json::json!([8, 8, 18]));
    assert_eq!((json["encoding"].as_str(), json["turn"].as_str()), (Some("canonical18"), Some("BLACK")));
    let at = |row: usize, column: usize, plane: usize| json["tensor"][row][column][plane].as_f64();
    assert_eq!([at(7, 4, 5), at(6, 0, 0), at(0, 4, 11)], [Some(1.0); 3]);
    assert_eq!(json["planes"].as_array().map(Vec::len), Some(18));
    let other = tabiya(&["tensor", "--game", "gardner", "--format", "json"]).json();
    assert_eq!(
        (other["encoding"].as_str(), other["tensor"].as_array().map(Vec::len)),
        (Some("planes1"), Some(5))
    );
}

#[test]
fn every_game_has_planes() {
    for entry in tabiya_spec::library::games() {
        let json = tabiya(&["tensor", "--planes", entry.name, "--format", "json"]).json();
        let [planes, deeds] = [&json["planes"], &json["deeds"]].map(|list| list.as_array().map(Vec::len));
        assert_eq!(planes.map(|count| count as u64), json["shape"][2].as_u64(), "{}", entry.name);
        assert_eq!(deeds.map(|count| count as u64), json["action_shape"][2].as_u64(), "{}", entry.name);
        let sides: Vec<u64> =
            json["action_shape"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
        assert_eq!(sides.iter().product::<u64>(), json["actions"].as_u64().unwrap(), "{}", entry.name);
    }
}

#[test]
fn invalid_arguments_are_reported() {
    for (words, status, message) in [
        (&["tensor", "--moves", "e2e5"][..], 1, "move 1 (`e2e5`): the PAWN cannot move from e2 to e5"),
        (&["tensor", "--moves", "f2f3 e7e5 g2g4 d8h4 a2a3"], 1, "move 5"),
        (&["tensor", "--state", "8/8/8/8/8/8/8/9 w - - 0 1"], 2, "rank 1 has 9 squares"),
        (
            &["tensor", "--game", "capablanca", "--encoding", "canonical18"],
            2,
            "canonical18 requires chess rules",
        ),
        (&["tensor", "--planes", "no-such-game"], 2, "no-such-game"),
        (&["tensor", "--planes", "chess", "--format", "npy"], 2, "text or JSON"),
        (&["games", "--format", "npy"], 2, "`--format npy` is for `tabiya tensor`"),
    ] {
        let run = tabiya(words);
        assert_eq!(run.status, status, "{words:?}: {}", run.stderr);
        assert!(run.stderr.contains(message), "{words:?}: {}", run.stderr);
    }
    assert_eq!(tabiya(&["tensor", "--moves", ""]).status, 0, "an empty list is valid");
}

#[test]
fn npy_output_has_header_and_numbers() {
    let mut command = assert_cmd::Command::cargo_bin("tabiya").expect("the binary is built");
    let bytes = command.args(["tensor", "--format", "npy"]).output().expect("it runs").stdout;
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let head = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    assert_eq!((10 + head) % 64, 0, "numbers begin at a multiple of 64");
    let text = std::str::from_utf8(&bytes[10..10 + head]).unwrap();
    assert!(
        text.starts_with("{'descr': '<f4', 'fortran_order': False, 'shape': (8, 8, 18), }")
            && text.ends_with('\n')
    );
    let numbers: Vec<f32> =
        bytes[10 + head..].chunks_exact(4).map(|four| f32::from_le_bytes(four.try_into().unwrap())).collect();
    assert_eq!(numbers.len(), 1152);
    assert_eq!(numbers[(7 * 8 + 4) * 18 + 5].to_bits(), 1f32.to_bits(), "White's king");
}
