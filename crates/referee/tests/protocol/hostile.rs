//! No text makes a parser panic or invent an answer: random bytes, damaged text, truncated text.

use tabiya_players::SplitMix;
use tabiya_referee::Game;
use tabiya_referee::Verdict;
use tabiya_referee::protocol::{Protocol, Strictness, read_case, read_prompt};

use crate::support::{after, rules};

/// Pieces of text that mean something to some reader, and some that mean nothing.
const PARTS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "\\",
    "null",
    "true",
    "1",
    "-",
    "e",
    ".",
    " ",
    "\n",
    "\u{0}",
    "é",
    "\u{202e}",
    "\"from\"",
    "\"to\"",
    "\"promotion\"",
    "\"e2\"",
    "\"e4\"",
    "\"Q\"",
    "\"action\"",
    "\"resign\"",
    "\"claim_draw\"",
    "\"board\"",
    "\"turn\"",
    "\"castling\"",
    "\"white\"",
    "\"position_history\"",
    "\"state\"",
    "\"refused\"",
    "\"pieces\"",
    "1e999",
    "\\ud800",
    "```json",
];

/// A text with some of its bytes changed, and still a text.
fn damaged(text: &str, dice: &mut SplitMix) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=dice.below(4) {
        let at = dice.below(bytes.len().max(1));
        match dice.below(4) {
            0 => bytes[at] = dice.next_u64() as u8,
            1 => {
                bytes.remove(at);
            }
            2 => {
                let part = PARTS[dice.below(PARTS.len())].bytes();
                bytes.splice(at..at, part);
            }
            _ => bytes.truncate(at.max(2)),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn random(dice: &mut SplitMix) -> String {
    (0..dice.below(40)).map(|_| PARTS[dice.below(PARTS.len())]).collect()
}

/// Everything that reads text reads this one.
fn read_everywhere(protocol: &Protocol, game: &Game, text: &str) {
    for strictness in [Strictness::Strict, Strictness::Lenient] {
        let mut after = game.clone();
        let verdict = protocol.judge(&mut after, text, strictness);
        let is_refused = matches!(verdict.verdict, Verdict::Illegal | Verdict::Malformed);
        assert_eq!(is_refused, verdict.rejected.is_some(), "{text}");
        if is_refused {
            assert_eq!(after.state(), game.state(), "{text}");
        }
        assert!(protocol.judgement_json(&verdict).to_string().len() < 4000, "{text}");
    }
    if let Err(bad) = protocol.state_reader().read(text) {
        assert!(!bad.reasons.is_empty() && bad.reasons.iter().all(|reason| !reason.is_empty()), "{text}");
    }
    let _ = (read_case(text), read_prompt(text));
}

#[test]
fn no_text_is_too_bad() {
    let mut dice = SplitMix::new(11);
    for (name, moves) in [("chess", "e2e4 d7d5 e4e5 f7f5 g1f3"), ("fourplayer", "e2e4"), ("gardner", "a2a3")]
    {
        let game = after(Game::new(rules(name)), moves);
        let protocol = Protocol::new(game.rules());
        let state = protocol.state_writer().state_line(&game);
        let played = game.rules().legal_moves(&game.state().position)[0];
        let output = protocol.action_json(&game, &tabiya_referee::Action::Move(played)).to_string();
        let case = serde_json::json!({ "state": 1, "output": output }).to_string();
        let claim = r#"{"action":"claim_draw","reason":"threefold_repetition","move":{"from":"e7","to":"e5","promotion":null}}"#;
        for _ in 0..400 {
            read_everywhere(&protocol, &game, &random(&mut dice));
            for good in [&state, &output, &case, claim] {
                read_everywhere(&protocol, &game, &damaged(good, &mut dice));
            }
        }
        for end in (0..output.len()).filter(|end| output.is_char_boundary(*end)) {
            read_everywhere(&protocol, &game, &output[..end]);
        }
        for end in (0..state.len()).step_by(7).filter(|end| state.is_char_boundary(*end)) {
            assert!(protocol.state_reader().read(&state[..end]).is_err(), "half a state is none");
        }
    }
}
