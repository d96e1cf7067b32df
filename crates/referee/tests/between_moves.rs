//! Actions beside moves: dice, exchanges of captured leaders, withdrawals, partners who resign together.

use std::sync::Arc;

use tabiya_engine::{Player, PlayerSet, Rules, Step};
use tabiya_notation::{fen, parse_state, parse_uci, pgn};
use tabiya_referee::protocol::{Protocol, Strictness};
use tabiya_referee::record::check_pgn;
use tabiya_referee::{Action, Dice, Game, IllegalAction, action_before_moving};
use tabiya_spec::Choices;

const BLUE: Player = Player(0);
const RED: Player = Player(1);
const BLACK: Player = Player(2);
const YELLOW: Player = Player(3);

fn rules(preset: &str, options: &[(&str, &str)]) -> Arc<Rules> {
    let entry = tabiya_spec::library::find("enochian").expect("it is in the library");
    let options = options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let (layout, preset) = (Some("Fire of Fire".to_owned()), Some(preset.to_owned()));
    let loaded = entry.load_with(&Choices { layout, preset, options });
    loaded.game.expect("it can be played").rules
}

fn game(rules: &Arc<Rules>, text: &str) -> Game {
    Game::resume(rules.clone(), parse_state(rules, text).expect(text), &[], Dice::seeded(1))
}

fn play(game: &mut Game, text: &str) -> Result<(), IllegalAction> {
    let played = parse_uci(game.rules(), &game.state().position, text).expect(text);
    game.submit(&Action::Move(played))
}

fn text(game: &Game) -> String {
    fen(game.rules(), game.state())
}

/// BLUE has taken RED's king, YELLOW has taken BLACK's; it is BLUE's turn. RED's pawn and BLACK's rook are frozen.
const PRISONERS: &str = "7K/8/8/8/3R4/8/6t1/.k1.R5 blue - - 7 20 captive=red:blue,black:yellow";

#[test]
fn the_same_seed_throws_the_same() {
    let rules = rules("document", &[("DIVINATION", "true")]);
    let start = fen(&rules, &tabiya_notation::State::new(rules.start()));
    let mut faces: Vec<Vec<Step>> = Vec::new();
    for _ in 0..2 {
        let mut game = game(&rules, &start);
        while game.end().is_none() && game.steps().len() < 200 {
            let first = rules.legal_moves(&game.state().position)[0];
            game.submit(&Action::Move(first)).expect("it is legal");
        }
        faces.push(game.steps().to_vec());
    }
    assert_eq!(faces[0], faces[1]);
    assert_eq!(faces[0][0], Step::Throw(4));
    let throws = faces[0].iter().filter_map(|step| match step {
        Step::Throw(face) => Some(*face),
        _ => None,
    });
    assert_eq!(
        throws.take(12).collect::<Vec<_>>(),
        [4, 5, 6, 3, 3, 5, 6, 4, 2, 5, 3, 4],
        "those of the seed 1"
    );
}

#[test]
fn a_die_that_allows_nothing_is_thrown_again_or_passes() {
    // Only kings and one pawn of BLUE: 4, 5, 6 are thrown first, and 6 lets the pawn move.
    let text = "7K/8/8/8/3A4/k3a3/8/.k5.K1 blue - - 0 1";
    let document = game(&rules("document", &[("DIVINATION", "true")]), text);
    assert_eq!(document.steps(), [Step::Throw(4), Step::Throw(5), Step::Throw(6)]);
    assert_eq!((document.mover(), document.state().quiet), (BLUE, 0));
    // One throw for each turn: BLUE throws 4, RED throws 5, BLACK throws 6, YELLOW throws 3; BLUE 3, RED 5, BLACK 6 …
    let zalewski = game(&rules("zalewski", &[("DIVINATION", "true")]), text);
    let passes = zalewski.steps().len() as u32 - 1;
    assert!(passes > 3, "{:?}", zalewski.steps());
    assert_eq!(zalewski.state().quiet, passes, "every turn that passed was quiet");
}

#[test]
fn a_die_that_never_helps_ends_the_game() {
    let rules = rules("document", &[("DIVINATION", "true"), ("QUIET_LIMIT", "0")]);
    let state = parse_state(&rules, "7K/8/8/8/3A4/k3a3/8/.k5.K1 blue - - 0 1").expect("a state");
    let stubborn = Dice::Recorded(vec![4; 100_000].into());
    let game = Game::resume(rules, state, &[], stubborn);
    assert_eq!(game.end().map(|end| end.reason.as_str()), Some("nobody_can_move"));
}

#[test]
fn prisoners_are_exchanged_if_both_agree() {
    let rules = rules("document", &[]);
    let mut game = game(&rules, PRISONERS);
    assert_eq!(game.submit(&Action::Exchange), Ok(()));
    assert_eq!((game.mover(), game.actor()), (BLUE, YELLOW), "the free king of the others answers");
    assert_eq!(play(&mut game, "d4d5"), Err(IllegalAction::AnswerFirst));
    assert_eq!(game.submit(&Action::Accept), Ok(()));
    assert_eq!((game.mover(), game.actor(), game.state().quiet), (BLUE, BLUE, 0));
    assert_eq!(text(&game), "7K/8/8/8/3R4/8/2.K3t1/.k1.R4k blue - - 0 20", "BLACK's throne is taken");
    assert!(rules.captives(&game.state().position).is_empty());
    assert_eq!(game.submit(&Action::Exchange), Err(IllegalAction::NoExchange));
    assert_eq!(play(&mut game, "d4d5"), Ok(()));
}

#[test]
fn a_refused_exchange_may_be_proposed_again_on_another_turn() {
    let mut game = game(&rules("document", &[]), PRISONERS);
    game.submit(&Action::Exchange).expect("it is possible");
    assert_eq!(game.submit(&Action::Decline), Ok(()));
    assert_eq!(game.actor(), BLUE);
    assert_eq!(game.submit(&Action::Exchange), Err(IllegalAction::NoExchange));
    play(&mut game, "d4d5").expect("a move");
    assert_eq!((game.mover(), game.possible_exchange()), (YELLOW, game.possible_exchange()));
    play(&mut game, "a1a2").expect("a move");
    assert_eq!(game.mover(), BLUE, "RED and BLACK are frozen");
    assert_eq!(game.submit(&Action::Exchange), Ok(()));
}

#[test]
fn an_exchange_comes_before_the_die() {
    let rules = rules("document", &[("DIVINATION", "true")]);
    let mut game = game(&rules, PRISONERS);
    assert!(game.steps().is_empty() && game.awaits_throw(), "something can be done before");
    assert_eq!(game.submit(&Action::Throw), Ok(()));
    assert!(!game.awaits_throw());
    assert_eq!(game.submit(&Action::Exchange), Err(IllegalAction::NoExchange), "the die has been thrown");
    assert_eq!(game.submit(&Action::Throw), Err(IllegalAction::NoThrow));
}

#[test]
fn an_army_is_handed_over_by_its_own_player() {
    let mut game = game(&rules("zalewski", &[]), "7K/7A/8/8/7r/8/8/.k4.K1k blue - - 0 1");
    assert_eq!(game.withdrawal_targets(), PlayerSet::EMPTY.with(BLACK));
    assert_eq!(game.submit(&Action::Withdraw(YELLOW)), Err(IllegalAction::NoWithdrawal));
    assert_eq!(game.submit(&Action::Withdraw(BLACK)), Ok(()));
    assert_eq!((game.mover(), game.actor()), (BLUE, BLACK), "on BLUE's turns BLACK moves");
    assert_eq!(game.submit(&Action::Withdraw(BLACK)), Err(IllegalAction::NoWithdrawal));
    let in_document = Game::resume(rules("document", &[]), game.state().clone(), &[], Dice::default());
    assert!(in_document.withdrawal_targets().is_empty());
}

#[test]
fn partners_give_up_together() {
    let rules = rules("document", &[]);
    let start = "7K/7A/8/8/7r/8/8/.k4.K1k blue - - 0 1";
    let mut alone = game(&rules, start);
    assert_eq!(alone.submit(&Action::Resign), Ok(()));
    assert_eq!(alone.end(), None);
    assert_eq!(alone.submit(&Action::Resign), Err(IllegalAction::Resigned));
    play(&mut alone, "h7g7").expect("a move");
    play(&mut alone, "h1h2").expect("a move");
    assert_eq!(alone.actor(), BLACK);
    let mut together = alone.clone();
    assert_eq!(together.submit(&Action::Resign), Ok(()));
    let end = together.end().expect("both have given up");
    assert_eq!((end.reason.as_str(), end.winners), ("resignation", [RED, YELLOW].into_iter().collect()));
    // BLACK plays on, so BLUE's wish has lapsed.
    play(&mut alone, "f1e1").expect("a move");
    play(&mut alone, "a1a2").expect("a move");
    assert_eq!(alone.submit(&Action::Resign), Ok(()));
    assert_eq!(alone.end(), None);
    let mut by_team = game(&rules, start);
    by_team.resign([BLUE, BLACK].into_iter().collect());
    assert!(by_team.end().is_some());
}

#[test]
fn who_has_no_king_need_not_agree_to_a_draw() {
    let mut game = game(&rules("document", &[]), PRISONERS);
    game.submit(&Action::Offer).expect("an offer");
    play(&mut game, "d4d5").expect("a move");
    assert_eq!(game.actor(), YELLOW);
    assert_eq!(game.submit(&Action::Accept), Ok(()));
    assert_eq!(game.end().map(|end| end.reason.as_str()), Some("agreement"));
}

#[test]
fn agents_are_told_what_they_may_do_and_understood() {
    let rules = rules("document", &[]);
    let protocol = Protocol::new(&rules);
    let mut game = game(&rules, PRISONERS);
    let say = |game: &mut Game, output: &str| protocol.judge(game, output, Strictness::Strict);
    let line = |game: &Game| -> serde_json::Value {
        serde_json::from_str(&protocol.state_writer().state_line(game)).expect("JSON")
    };
    assert_eq!(line(&game)["exchange"]["proposed"], false);
    assert_eq!(line(&game)["exchange"]["given"], serde_json::json!({ "player": "RED", "to": [7, 0] }));
    let refused = say(&mut game, r#"{"action":"accept_exchange"}"#).rejected.expect("nothing is proposed");
    assert_eq!(refused.rule.word(), "no_offer");
    assert_eq!(say(&mut game, r#"{"action":"exchange"}"#).verdict.word(), "exchange");
    assert_eq!(
        (line(&game)["asked"].as_str(), &line(&game)["exchange"]["proposed"]),
        (Some("YELLOW"), &true.into())
    );
    let refused = say(&mut game, r#"{"action":"accept_draw"}"#).rejected.expect("that is not the question");
    assert_eq!(refused.rule.word(), "answer_first");
    // A reader of the state knows the same.
    let parsed = protocol.state_reader().read(&line(&game).to_string()).expect("a state");
    assert_eq!(parsed.game(&rules).proposal(), game.proposal());
    assert_eq!(
        action_before_moving(&game),
        Some(Action::Accept),
        "a pawn for a rook is for YELLOW to refuse, a pawn and a rook are even"
    );
    assert_eq!(say(&mut game, r#"{"action":"decline_exchange"}"#).verdict.word(), "decline");
    let refused = say(&mut game, r#"{"action":"throw"}"#).rejected.expect("there is no die");
    assert_eq!(refused.rule.word(), "die");
    let refused =
        say(&mut game, r#"{"action":"withdraw","to":"BLACK"}"#).rejected.expect("not in these rules");
    assert_eq!(refused.rule.word(), "no_withdrawal");
}

#[test]
fn everything_that_happened_stands_in_the_score() {
    let rules = rules("document", &[("DIVINATION", "true")]);
    let mut game = game(&rules, PRISONERS);
    let start = game.state().clone();
    game.submit(&Action::Exchange).expect("it is possible");
    game.submit(&Action::Accept).expect("it is answered");
    while game.end().is_none() && game.steps().len() < 60 {
        let act = action_before_moving(&game)
            .unwrap_or_else(|| Action::Move(rules.legal_moves(&game.state().position)[0]));
        game.submit(&act).expect("it is allowed");
    }
    let mut record = pgn::Game::new(start);
    game.steps().iter().for_each(|step| record.push(*step));
    let text = pgn::write(&rules, &record).expect("it can be written");
    assert!(text.contains("{[%exchange]}") && text.contains("{[%throw "), "{text}");
    let again = pgn::games(&rules, &text).next().expect("a game").expect("that can be read");
    assert!(again.steps().eq(game.steps().iter().copied()), "{text}");
    assert_eq!(check_pgn(&rules, &again), Vec::<String>::new());
    let damaged = text.replacen("[%throw ", "[%throw 9", 1);
    assert!(pgn::games(&rules, &damaged).next().expect("a game").is_err());
}

/// BLUE is stalemated on a1 if RED moves: a2, b1 and b2 are attacked.
const STALEMATED: &str = "1r2k3/8/8/8/8/.k7/7r/K5.K.T red - -";

fn prototype() -> Arc<Rules> {
    tabiya_spec::library::load("enochian").expect("a library game").rules
}

#[test]
fn a_draw_can_be_agreed_while_an_army_is_stalemated() {
    let mut game = game(&prototype(), STALEMATED);
    assert_eq!(game.mover(), RED);
    game.submit(&Action::Offer).expect("an offer");
    play(&mut game, "e8e7").expect("a move");
    assert_eq!((game.actor(), game.draw_offer()), (BLACK, Some(RED)));
    game.submit(&Action::Accept).expect("BLACK agrees");
    play(&mut game, "g1f1").expect("a move");
    game.submit(&Action::Accept).expect("YELLOW agrees");
    play(&mut game, "a3a4").expect("a move");
    assert_eq!((game.mover(), game.actor()), (RED, BLUE), "BLUE has no turn and is asked");
    assert_eq!((game.draw_offer(), game.asked_out_of_turn()), (Some(RED), Some(BLUE)));
    assert_eq!(game.required_actions(), [Action::Accept, Action::Decline]);
    let choices = game.choices();
    assert!(choices.answer && !choices.can_move && !choices.offer);
    let mut trial = game.clone();
    assert_eq!(play(&mut trial, "e7e8"), Err(IllegalAction::AnswerFirst));
    // A state for an agent says who is asked, and the game is restored from it.
    let protocol = Protocol::new(game.rules());
    let line = protocol.state_writer().state_line(&game);
    assert!(line.contains(r#""draw_offer":"RED","asked":"BLUE""#), "{line}");
    let restored = protocol.state_reader().read(&line).expect("a state").game(game.rules());
    assert_eq!((restored.actor(), restored.required_actions()), (BLUE, game.required_actions()));
    assert_eq!(action_before_moving(&restored), Some(Action::Decline));
    let mut declined = game.clone();
    declined.submit(&Action::Decline).expect("BLUE plays on");
    assert_eq!((declined.actor(), declined.standing_offer(), declined.end()), (RED, None, None));
    game.submit(&Action::Accept).expect("BLUE agrees");
    assert_eq!(game.end().map(|end| end.reason.as_str()), Some("agreement"));
}

#[test]
fn a_team_can_resign_while_an_army_is_stalemated() {
    let mut game = game(&prototype(), STALEMATED);
    play(&mut game, "e8e7").expect("a move");
    game.submit(&Action::Resign).expect("BLACK resigns");
    assert_eq!(game.end(), None, "BLUE has not agreed");
    play(&mut game, "g1f1").expect("a move");
    play(&mut game, "a3a4").expect("a move");
    assert_eq!((game.mover(), game.actor(), game.draw_offer()), (RED, BLUE, None));
    let protocol = Protocol::new(game.rules());
    let line = protocol.state_writer().state_line(&game);
    assert!(line.contains(r#""asked":"BLUE","resigning":["BLACK"]"#), "{line}");
    let restored = protocol.state_reader().read(&line).expect("a state").game(game.rules());
    assert_eq!(restored.asked_out_of_turn(), Some(BLUE));
    let judge = |text: &str| {
        let mut game = game.clone();
        let judged = protocol.judge(&mut game, text, Strictness::Strict);
        (judged.rejected.map(|it| it.rule.word()), game.end().map(|end| end.winners), game.actor())
    };
    let winners: PlayerSet = [RED, YELLOW].into_iter().collect();
    assert_eq!(judge(r#"{"action":"resign"}"#), (None, Some(winners), RED));
    assert_eq!(judge(r#"{"action":"decline_resignation"}"#), (None, None, RED));
    assert_eq!(judge(r#"{"action":"accept_draw"}"#).0, Some("no_offer"));
    assert_eq!(judge(r#"{"from":[4,6],"to":[4,7],"promotion":null}"#).0, Some("answer_first"));
    let decline = protocol.action_json(&game, &Action::Decline);
    assert_eq!(decline.to_string(), r#"{"action":"decline_resignation"}"#);
}

#[test]
fn an_offer_lapses_when_the_turn_comes_back() {
    let mut game = game(&prototype(), "4k3/8/8/8/8/8/R6r/K5.K.k blue - - control=black:blue");
    game.submit(&Action::Offer).expect("an offer");
    play(&mut game, "a2a3").expect("a move");
    game.submit(&Action::Accept).expect("RED agrees");
    play(&mut game, "h2h3").expect("a move");
    assert_eq!((game.mover(), game.actor(), game.standing_offer()), (BLACK, BLUE, Some(BLUE)), "it stands");
    play(&mut game, "g1g2").expect("a move");
    assert_eq!(game.draw_offer(), Some(BLUE));
    play(&mut game, "h1g1").expect("YELLOW declines by a move");
    assert_eq!((game.mover(), game.standing_offer()), (BLUE, None));
}

#[test]
fn the_player_of_a_withdrawn_frozen_army_is_asked() {
    // BLUE has withdrawn in favour of BLACK, whose king was captured: both armies are frozen, BLUE's king is free.
    let text =
        "k6r/8/8/8/8/8/T7/K5.T.k red - - captive=black:y frozen=blue,black control=blue:black withdrawn=blue";
    let mut game = game(&rules("zalewski", &[]), text);
    game.submit(&Action::Offer).expect("an offer");
    play(&mut game, "h8h7").expect("a move");
    assert_eq!((game.mover(), game.actor()), (YELLOW, YELLOW), "BLACK's king is captive");
    game.submit(&Action::Accept).expect("YELLOW agrees");
    play(&mut game, "h1h2").expect("a move");
    assert_eq!((game.mover(), game.actor()), (RED, BLACK), "BLACK decides for BLUE, which is passed over");
    game.submit(&Action::Accept).expect("BLACK agrees");
    assert_eq!(game.end().map(|end| end.reason.as_str()), Some("agreement"));
}
