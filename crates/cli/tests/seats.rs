//! `tabiya play --seat NAME=PLAYER` with every player that chooses by itself.

mod common;

use common::{tabiya, tabiya_reading};

#[test]
fn every_player_takes_a_seat() {
    for player in tabiya_players::NAMES {
        let seat = format!("BLACK={player}");
        let words = ["play", "gardner", "--seat", &seat, "--format", "json"];
        let said = tabiya_reading(&words, "a2a3\n");
        let lines = said.lines();
        assert_eq!(lines[0]["seats"]["BLACK"], player);
        let movers: Vec<_> =
            lines.iter().filter(|line| line["event"] == "move").map(|it| &it["player"]).collect();
        assert_eq!(movers, ["WHITE", "BLACK"], "{player}: {}", said.out);
    }
}

#[test]
fn players_meet_and_the_seed_decides() {
    let words =
        |seed| ["play", "gardner", "--seat", "white=search", "--seat", "black=greedy", "--seed", seed];
    let game = |seed| tabiya(&[&words(seed)[..], &["--max-plies", "20", "--format", "json"]].concat()).out;
    assert_eq!(game("1"), game("1"));
    assert_ne!(game("1"), game("2"));
}

#[test]
fn who_is_unknown_is_told_who_there_is() {
    let said = tabiya(&["play", "chess", "--seat", "BLACK=serch"]);
    assert_eq!(said.status, 2);
    assert!(said.err.contains("did you mean `search`?"), "{}", said.err);
    assert!(said.err.contains("There are: human, random, greedy, mcts, search, level1, "), "{}", said.err);
}
