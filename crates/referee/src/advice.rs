//! Advice to players: claim a draw rather than lose. The built-in players follow it; the referee does not require it.

use tabiya_engine::ending::{Clause, EndingPlan};
use tabiya_engine::{Exchange, Move, Player, Trigger};

use crate::{Action, Game};

/// Returns what a player does who has chosen a move: the move, or a claim or acceptance that is better. `would_draw` says whether
/// a draw is as good as playing on.
///
/// A winning claim is always made. A drawing claim is made if the player would draw or can only repeat.
pub fn claim_or_move(game: &Game, chosen: Move, would_draw: bool) -> Action {
    let any = |_: &EndingPlan| true;
    if let Some((act, _)) = claims(game, None, any).find(|(_, is_won)| *is_won) {
        return act;
    }
    if would_draw || only_repeats(game) {
        let others = legal_moves(game).into_iter().map(Some);
        let mut announced = [None, Some(chosen)].into_iter().chain(others);
        if let Some((act, _)) = announced.find_map(|announced| claims(game, announced, any).next()) {
            return act;
        }
    }
    match game.draw_offer() {
        Some(_) if would_draw => Action::Accept,
        _ => Action::Move(chosen),
    }
}

/// Returns what a player does before moving: answer a proposal or a question out of turn, propose an exchange, or throw the
/// die. An exchange is good for the side that gets the larger army back. A player who is asked out of turn plays on.
pub fn action_before_moving(game: &Game) -> Option<Action> {
    let position = &game.state().position;
    let count = |player: Player| position.all_pieces().filter(|(_, piece)| piece.player == player).count();
    if let Some(exchange) = game.proposal() {
        let is_good = count(exchange.given.0) >= count(exchange.asked.0);
        return Some(if is_good { Action::Accept } else { Action::Decline });
    }
    if game.asked_out_of_turn().is_some() {
        return Some(Action::Decline);
    }
    let is_good = |exchange: &Exchange| count(exchange.asked.0) >= count(exchange.given.0);
    if game.possible_exchange().as_ref().is_some_and(is_good) {
        return Some(Action::Exchange);
    }
    game.awaits_throw().then_some(Action::Throw)
}

/// Whether a draw by repetition can be claimed after every move.
fn only_repeats(game: &Game) -> bool {
    let by_repetition =
        |plan: &EndingPlan| plan.when.iter().any(|clause| matches!(clause, Clause::Repetition(_)));
    let repeats = |played: Move| claims(game, Some(played), by_repetition).next().is_some();
    legal_moves(game).into_iter().all(repeats)
}

fn legal_moves(game: &Game) -> Vec<Move> {
    game.rules().legal_moves(&game.state().position)
}

/// Returns the claims that hold and do not lose, and whether they win.
fn claims(
    game: &Game,
    announced: Option<Move>,
    fits: impl Fn(&EndingPlan) -> bool,
) -> impl Iterator<Item = (Action, bool)> {
    let endings = game.rules().endings().iter();
    endings.filter(move |plan| plan.by == Trigger::Claim && fits(plan)).filter_map(move |plan| {
        let act = Action::Claim { code: plan.code.clone(), announced };
        let mut trial = game.clone();
        trial.submit(&act).ok()?;
        let winners = trial.end()?.winners;
        let is_won = winners.contains(game.actor());
        (is_won || winners.is_empty()).then_some((act, is_won))
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tabiya_engine::Rules;
    use tabiya_notation::{parse_state, parse_uci};

    use super::*;
    use crate::Dice;

    fn chess() -> Arc<Rules> {
        tabiya_spec::library::load("chess").expect("a library game").rules
    }

    /// The action in a chess position for a chosen move.
    fn act(fen: &str, text: &str, would_draw: bool) -> Action {
        let rules = chess();
        let game = Game::resume(rules.clone(), parse_state(&rules, fen).expect(fen), &[], Dice::default());
        claim_or_move(&game, parse_uci(&rules, &game.state().position, text).expect(text), would_draw)
    }

    fn announced(act: &Action) -> Option<Move> {
        match act {
            Action::Claim { announced, .. } => *announced,
            _ => None,
        }
    }

    #[test]
    fn a_draw_is_claimed_by_who_would_draw() {
        let fen = "4k3/8/8/8/8/8/P7/R3K3 w - - 100 90";
        assert!(matches!(act(fen, "a2a3", true), Action::Claim { announced: None, .. }));
        assert!(matches!(act(fen, "a2a3", false), Action::Move(_)));
    }

    #[test]
    fn a_claim_announces_the_move_that_saves() {
        let fen = "4k3/8/8/8/8/8/P7/R3K3 w - - 99 90";
        let rook = act(fen, "a1b1", true);
        assert_eq!(announced(&rook).map(|played| played.to.0), Some(1), "the move that was chosen");
        let other = act(fen, "a2a3", true);
        assert!(announced(&other).is_some(), "the pawn would start the count again: {other:?}");
    }

    #[test]
    fn a_player_who_can_only_repeat_claims() {
        let rules = chess();
        let cornered = parse_state(&rules, "1r6/5k2/8/8/8/7r/8/K7 w - - 0 1").expect("a position");
        let mut game = Game::resume(rules.clone(), cornered, &[], Dice::default());
        let mut acts = Vec::new();
        for text in "a1a2 f7f8 a2a1 f8f7 a1a2 f7f8 a2a1 f8f7 a1a2".split(' ') {
            let played = parse_uci(&rules, &game.state().position, text).expect(text);
            acts.push(claim_or_move(&game, played, false));
            game.submit(&Action::Move(played)).expect(text);
        }
        let last = acts.pop();
        assert!(matches!(last, Some(Action::Claim { announced: None, .. })), "{last:?}");
        assert!(acts.iter().all(|act| matches!(act, Action::Move(_))), "{acts:?}");
    }

    #[test]
    fn a_better_player_plays_on() {
        // Every quiet move allows a claim, but no position is repeated.
        assert!(matches!(act("7k/8/6K1/8/8/8/8/5Q2 w - - 100 90", "f1f8", false), Action::Move(_)));
    }

    #[test]
    fn a_player_who_would_draw_accepts() {
        let rules = chess();
        let game = Game::new(rules.clone()).with_offer(tabiya_engine::Player(1));
        let played = rules.legal_moves(&rules.start())[0];
        assert_eq!(claim_or_move(&game, played, true), Action::Accept);
        assert_eq!(claim_or_move(&game, played, false), Action::Move(played));
        assert_eq!(claim_or_move(&Game::new(rules), played, true), Action::Move(played));
    }
}
