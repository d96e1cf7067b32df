//! Perpetual check: the referee and the oracle find the same history after every move of lines with repetitions.

use std::sync::Arc;

use tabiya_notation::parse_state;
use tabiya_oracle::compare::state_of;
use tabiya_oracle::{Moment, Oracle};
use tabiya_referee::{Action, Dice, Game};
use tabiya_spec::{library, model};

const SHOGI: &str = "k8/9/9/9/9/9/9/1R7/8K[] s - -";
const MINISHOGI: &str = "k4/5/5/1R3/4K[] s - -";
const XIANGQI: &str = "3k5/9/9/9/9/9/9/9/4R4/5K3 r - -";

/// Plays a line and returns how it ended, after comparing each position with the oracle.
fn play(name: &str, state: &str, line: &str) -> Option<(Vec<String>, String)> {
    let loaded = library::load(name).expect("a library game");
    let oracle = Oracle::new(&loaded.spec);
    let rules = Arc::new(loaded.rules.clone());
    let state = parse_state(&rules, state).expect("a state");
    let mut states = vec![state_of(&rules, &state.position)];
    let mut game = Game::resume(Arc::clone(&rules), state, &[], Dice::default());
    for text in line.split_whitespace() {
        assert_eq!(game.end(), None, "before {text}");
        let action = game.parse_action(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!(matches!(action, Action::Move(_)), "{text}");
        game.submit(&action).expect("a legal move");
        states.push(state_of(&rules, &game.state().position));
        let tally = game.tally();
        assert_eq!(tally.repetitions, oracle.occurrences(&states), "{text}");
        for player in rules.players() {
            let expected = oracle.perpetual_check(&states, &rules.player(player).name);
            assert_eq!(tally.checks.occurrences(player), expected, "{text}");
        }
        let last = states.last().expect("a state");
        let moment = Moment {
            repetitions: tally.repetitions,
            perpetual: &|name| oracle.perpetual_check(&states, name),
            ..Moment::plain(last, &rules.player(game.mover()).name)
        };
        let expected = oracle.ending(&moment, model::Trigger::Rule, None);
        assert_eq!(
            game.end().map(|end| end.reason.clone()),
            expected.map(|it| it.code.to_lowercase()),
            "{text}"
        );
    }
    game.end().map(|end| {
        let winners = end.winners.iter().map(|player| rules.player(player).name.clone()).collect();
        (winners, end.reason.clone())
    })
}

fn won(by: &str) -> (Vec<String>, String) {
    (vec![by.to_owned()], "perpetual_check".to_owned())
}

#[test]
fn the_player_who_gives_check_with_every_move_loses() {
    let shogi = "b2a2 a9b9 a2b2 b9a9 ".repeat(3);
    assert_eq!(play("shogi", SHOGI, &shogi), Some(won("GOTE")), "the checking player is to move");
    let other = "a9b9 a2b2 b9a9 b2a2 ".repeat(3);
    assert_eq!(
        play("shogi", "k8/9/9/9/9/9/9/R8/8K[] g - -", &other),
        Some(won("GOTE")),
        "the checked player is"
    );
    let swapped = "b8a8 a1b1 a8b8 b1a1 ".repeat(3);
    assert_eq!(
        play("shogi", "8k/1r7/9/9/9/9/9/9/K8[] g - -", &swapped),
        Some(won("SENTE")),
        "GOTE gives check"
    );
    assert_eq!(play("minishogi", MINISHOGI, &"b2a2 a5b5 a2b2 b5a5 ".repeat(3)), Some(won("GOTE")));
    assert_eq!(play("xiangqi", XIANGQI, &"e2d2 d10e10 d2e2 e10d10 ".repeat(2)), Some(won("BLACK")));
}

#[test]
fn a_single_quiet_move_breaks_perpetual_check() {
    let draw = |reason: &str| Some((Vec::new(), reason.to_owned()));
    let checks = "b2a2 a9b9 a2b2 b9a9";
    let line = format!("{checks} i1i2 a9a8 i2i1 a8a9 {checks}");
    assert_eq!(play("shogi", SHOGI, &line), draw("fourfold_repetition"));
    let line = "e2d2 d10e10 d2e2 e10d10 f1f2 d10d9 f2f1 d9d10";
    assert_eq!(play("xiangqi", XIANGQI, line), draw("threefold_repetition"));
    assert_eq!(play("shogi", SHOGI, &"b2c2 a9a8 c2b2 a8a9 ".repeat(3)), draw("fourfold_repetition"));
    assert_eq!(play("shogi", SHOGI, &"b2a2 a9b9 a2b2 b9a9 ".repeat(2)), None, "three occurrences");
}

#[test]
fn checks_count_from_the_first_of_the_occurrences() {
    // The move that leads to the first occurrence need not give check.
    let line = format!("c2b2 a8a9 {}", "b2a2 a9b9 a2b2 b9a9 ".repeat(3));
    assert_eq!(play("shogi", "9/k8/9/9/9/9/9/2R6/8K[] s - -", &line), Some(won("GOTE")));
}
