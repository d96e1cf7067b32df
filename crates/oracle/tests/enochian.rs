//! Enochian chess: every array under both sets of rules, engine and oracle side by side.
#![allow(clippy::print_stdout, reason = "the figure of `cargo xtask prove`")]

use tabiya_oracle::{Oracle, compare};
use tabiya_spec::{Choices, Game, library};

/// How deep the arrays are counted: `TABIYA_ENOCHIAN`, or not far.
fn depth() -> u32 {
    std::env::var("TABIYA_ENOCHIAN").map_or(3, |text| text.parse().expect("TABIYA_ENOCHIAN is a number"))
}

fn game(layout: Option<&str>, preset: &str, options: &[(&str, &str)]) -> Game {
    let entry = library::find("enochian").expect("it is in the library");
    let choices = Choices {
        layout: layout.map(str::to_owned),
        preset: Some(preset.to_owned()),
        options: options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
    };
    let loaded = tabiya_spec::load_with(entry.json.as_bytes(), &choices);
    assert!(loaded.diagnostics.is_empty(), "{layout:?} {preset}: {:?}", loaded.diagnostics);
    loaded.game.expect("no diagnostics, so a game")
}

/// Every array but those that only turn the other way, under both sets of rules.
fn each(mut check: impl FnMut(&str, &Game)) {
    for preset in ["document", "zalewski"] {
        let base = game(None, preset, &[]);
        check(&format!("{preset}, as the file has it"), &base);
        let names = base.choices.layouts.iter().map(|layout| layout.name.as_str());
        for name in names.filter(|name| !name.contains("widdershins")) {
            check(&format!("{preset}, {name}"), &game(Some(name), preset, &[]));
        }
    }
}

#[test]
fn engine_and_oracle_count_alike() {
    let mut arrays = 0;
    let mut nodes = 0;
    each(|name, game| {
        let oracle = Oracle::new(&game.spec);
        for depth in 1..=depth() {
            let counted = game.rules.perft(&game.rules.start(), depth);
            assert_eq!(counted, oracle.perft(&oracle.start(), depth), "{name} depth {depth}");
            nodes += counted;
            println!("{name}\t{depth}\t{counted}");
        }
        arrays += 1;
    });
    println!("{arrays} games, {nodes} ways to depth {}", depth());
}

#[test]
fn engine_and_oracle_play_alike() {
    each(|name, game| {
        compare::compare(game, 40, 1, 7).unwrap_or_else(|difference| panic!("{name}: {difference}"));
    });
}

/// With what no set of rules switches on by itself: Ptah, and a concourse anywhere.
#[test]
fn engine_and_oracle_agree_on_options() {
    let squares = ["e4", "g8"];
    for (square, preset) in
        squares.into_iter().flat_map(|square| [(square, "document"), (square, "zalewski")])
    {
        let options =
            [("PTAH", "true"), ("PTAH_SQUARE", square), ("QUERENT", "BLUE"), ("CONCOURSE", "ANYWHERE")];
        let game = game(Some("Water of Water"), preset, &options);
        compare::compare(&game, 60, 1, 11)
            .unwrap_or_else(|difference| panic!("{preset} {square}: {difference}"));
    }
}

/// With a die, and long enough for kings to be taken and exchanged.
#[test]
fn engine_and_oracle_throw_and_exchange_alike() {
    let (mut throws, mut offers) = (0, 0);
    for (seed, preset) in (0..).zip(["document", "zalewski"]) {
        for (die, captor) in [("true", "PLAYER"), ("false", "TEAM")] {
            let options = [("DIVINATION", die), ("CAPTOR", captor), ("EXCHANGE_BOTH_TOOK", "false")];
            let game = game(Some("Air of Water"), preset, &options);
            let walk = compare::compare(&game, 250, 1, seed)
                .unwrap_or_else(|difference| panic!("{preset}, {options:?}: {difference}"));
            throws += walk.throws;
            offers += walk.offers;
        }
    }
    println!("{throws} throws, {offers} offers");
    assert!(throws > 100 && offers > 0, "{throws} throws, {offers} offers");
}
