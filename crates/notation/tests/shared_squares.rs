//! Moves of two pieces on one square: every text names the piece that moves.

mod support;

use std::collections::BTreeSet;
use std::sync::Arc;

use support::random_play;
use tabiya_engine::{Position, Rules};
use tabiya_notation::{State, legal_moves_uci, parse_san, parse_state, parse_uci, pgn, san, uci};
use tabiya_spec::{Choices, library};

fn enochian(array: &str, preset: &str) -> Arc<Rules> {
    let (layout, preset) = (Some(array.to_owned()), Some(preset.to_owned()));
    let choices = Choices { layout, preset, ..Choices::default() };
    let entry = library::find("enochian").expect("a library game");
    entry.load_with(&choices).game.expect("a playable game").rules
}

fn games() -> impl Iterator<Item = (u64, Arc<Rules>)> {
    let arrays = ["Earth of Fire", "Fire of Fire", "Water of Air", "Air of Earth"];
    let presets = ["document", "zalewski"];
    let choices = arrays.into_iter().flat_map(move |array| presets.map(|preset| (array, preset)));
    choices.flat_map(|(array, preset)| {
        let rules = enochian(array, preset);
        (0..4).map(move |seed| (seed, Arc::clone(&rules)))
    })
}

#[test]
fn texts_are_distinct_and_round_trip() {
    let mut shared = 0;
    for (seed, rules) in games() {
        random_play(&rules, seed, 300, |position| {
            let moves = legal_moves_uci(&rules, position);
            let leaves_guest = |it: &&(_, String)| it.1.starts_with(char::is_uppercase);
            shared += moves.iter().filter(leaves_guest).count();
            let texts: BTreeSet<&str> = moves.iter().map(|(_, text)| text.as_str()).collect();
            assert_eq!(texts.len(), moves.len(), "{texts:?}");
            let sans: BTreeSet<String> =
                moves.iter().map(|(played, _)| san(&rules, position, *played)).collect();
            assert_eq!(sans.len(), moves.len(), "{sans:?}");
            for (played, text) in moves {
                assert_eq!(uci(&rules, position, played), text);
                assert_eq!(parse_uci(&rules, position, &text), Ok(played), "{text}");
                let text = san(&rules, position, played);
                assert_eq!(parse_san(&rules, position, &text), Ok(played), "{text}");
            }
        });
    }
    assert!(shared > 1000, "only {shared} moves leave a shared square");
}

#[test]
fn games_round_trip() {
    for (seed, rules) in games() {
        let mut played = pgn::Game::new(State::new(rules.start()));
        played.moves = random_play(&rules, seed, 200, |_| {});
        let text = pgn::write(&rules, &played).expect("the moves are legal");
        let read: Vec<_> = pgn::games(&rules, &text).collect();
        match read.as_slice() {
            [Ok(read)] => assert_eq!(read.moves, played.moves, "{text}"),
            other => panic!("{other:?}\n{text}"),
        }
    }
}

#[test]
fn the_letter_is_that_of_the_piece_that_moves() {
    let rules = enochian("Earth of Fire", "document");
    // King and rook on h8 can both step to g8.
    let at =
        |text: &str| parse_state(&rules, text).unwrap_or_else(|error| panic!("{text}: {error}")).position;
    let rook = at("7K+R/8/8/3t4/8/8/8/.K+N2.k3k blue - -");
    let read = |position: &Position, text: &str| {
        let played = parse_san(&rules, position, text).or_else(|_| parse_uci(&rules, position, text));
        played.map(|it| (uci(&rules, position, it), san(&rules, position, it)))
    };
    let named = |uci: &str, san: &str| Ok((uci.to_owned(), san.to_owned()));
    assert_eq!(read(&rook, "Kg8"), named("Kh8g8", "Kg8"));
    assert_eq!(read(&rook, "Rg8"), named("Rh8g8", "Rg8"));
    assert_eq!(read(&rook, "h8f8"), named("Rh8f8", "Rf8"));
    let error = |position: &Position, text: &str| read(position, text).unwrap_err().to_string();
    assert_eq!(error(&rook, "h8g8"), "several moves match: Kh8g8, Rh8g8");
    assert_eq!(error(&rook, "Nh8g8"), "there is no KNIGHT of yours on h8");
    assert_eq!(error(&rook, "Kh8f8"), "the KING cannot move from h8 to f8");
    assert_eq!(error(&rook, "Rh8g7"), "the ROOK cannot move from h8 to g7");
    let knight = at("7K/8/8/3t4/8/8/8/.K+.N2.k3k black - -");
    assert_eq!(read(&knight, "Nb3"), named("Na1b3", "Nb3"));
    assert_eq!(read(&knight, "Kb1"), named("Ka1b1", "Kb1"));
    assert_eq!(error(&knight, "Kb3"), "`Kb3` is not a move: write it as e2e4, e2 e4 or [4,1] [4,3]");
}
