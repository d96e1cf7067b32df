//! Advice to players: a draw that can be had is better than a defeat, so claim it and do not resign. The referee does not
//! ask for it; our own players follow it.

use tabiya_engine::ending::{Clause, EndingPlan};
use tabiya_engine::{Exchange, Move, Player, Trigger};

use crate::{Act, Game};

/// What a player does who would move like this. `would_draw` says whether a draw is as good to it as playing on: it is not
/// better off, or does not know.
///
/// A claim that wins is always made. One that draws is made by who would draw, and by who has nothing but repetition left.
pub fn prudent(game: &Game, chosen: Move, would_draw: bool) -> Act {
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
        Some(_) if would_draw => Act::Accept,
        _ => Act::Move(chosen),
    }
}

/// What a player does before moving: answers a proposal, makes one, or throws the die. `None` if the move is due. An exchange
/// is good for the side that gets the larger army back.
pub fn bargain(game: &Game) -> Option<Act> {
    let position = &game.state().position;
    let men = |player: Player| position.all_pieces().filter(|(_, piece)| piece.player == player).count();
    if let Some(exchange) = game.proposal() {
        let is_good = men(exchange.given.0) >= men(exchange.asked.0);
        return Some(if is_good { Act::Accept } else { Act::Decline });
    }
    let is_good = |exchange: &Exchange| men(exchange.asked.0) >= men(exchange.given.0);
    if game.possible_exchange().as_ref().is_some_and(is_good) {
        return Some(Act::Exchange);
    }
    game.awaits_throw().then_some(Act::Throw)
}

/// Whether every move leads to a position that has been there so often that a draw can be claimed.
fn only_repeats(game: &Game) -> bool {
    let by_repetition =
        |plan: &EndingPlan| plan.when.iter().any(|clause| matches!(clause, Clause::Repetition(_)));
    let repeats = |played: Move| claims(game, Some(played), by_repetition).next().is_some();
    legal_moves(game).into_iter().all(repeats)
}

fn legal_moves(game: &Game) -> Vec<Move> {
    game.rules().legal_moves(&game.state().position)
}

/// The claims that hold and do not lose, and whether they win.
fn claims(
    game: &Game,
    announced: Option<Move>,
    fits: impl Fn(&EndingPlan) -> bool,
) -> impl Iterator<Item = (Act, bool)> {
    let endings = game.rules().endings().iter();
    endings.filter(move |plan| plan.by == Trigger::Claim && fits(plan)).filter_map(move |plan| {
        let act = Act::Claim { code: plan.code.clone(), announced };
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

    /// What is done in a position of chess by who would make this move.
    fn act(fen: &str, text: &str, would_draw: bool) -> Act {
        let rules = chess();
        let game = Game::resume(rules.clone(), parse_state(&rules, fen).expect(fen), &[], Dice::default());
        prudent(&game, parse_uci(&rules, &game.state().position, text).expect(text), would_draw)
    }

    fn announced(act: &Act) -> Option<Move> {
        match act {
            Act::Claim { announced, .. } => *announced,
            _ => None,
        }
    }

    #[test]
    fn a_draw_is_claimed_by_who_would_draw() {
        let fen = "4k3/8/8/8/8/8/P7/R3K3 w - - 100 90";
        assert!(matches!(act(fen, "a2a3", true), Act::Claim { announced: None, .. }));
        assert!(matches!(act(fen, "a2a3", false), Act::Move(_)));
    }

    #[test]
    fn a_move_that_saves_is_announced() {
        let fen = "4k3/8/8/8/8/8/P7/R3K3 w - - 99 90";
        let rook = act(fen, "a1b1", true);
        assert_eq!(announced(&rook).map(|played| played.to.0), Some(1), "the move that was chosen");
        let other = act(fen, "a2a3", true);
        assert!(announced(&other).is_some(), "the pawn would start the count again: {other:?}");
    }

    #[test]
    fn who_can_only_repeat_claims() {
        let rules = chess();
        let cornered = parse_state(&rules, "1r6/5k2/8/8/8/7r/8/K7 w - - 0 1").expect("a position");
        let mut game = Game::resume(rules.clone(), cornered, &[], Dice::default());
        let mut acts = Vec::new();
        for text in "a1a2 f7f8 a2a1 f8f7 a1a2 f7f8 a2a1 f8f7 a1a2".split(' ') {
            let played = parse_uci(&rules, &game.state().position, text).expect(text);
            acts.push(prudent(&game, played, false));
            game.submit(&Act::Move(played)).expect(text);
        }
        let last = acts.pop();
        assert!(matches!(last, Some(Act::Claim { announced: None, .. })), "{last:?}");
        assert!(acts.iter().all(|act| matches!(act, Act::Move(_))), "{acts:?}");
    }

    #[test]
    fn who_is_better_plays_on() {
        // Every quiet move allows a claim, but nothing is repeated.
        assert!(matches!(act("7k/8/6K1/8/8/8/8/5Q2 w - - 100 90", "f1f8", false), Act::Move(_)));
    }

    #[test]
    fn an_offer_is_accepted_by_who_would_draw() {
        let rules = chess();
        let game = Game::new(rules.clone()).with_offer(tabiya_engine::Player(1));
        let played = rules.legal_moves(&rules.start())[0];
        assert_eq!(prudent(&game, played, true), Act::Accept);
        assert_eq!(prudent(&game, played, false), Act::Move(played));
        assert_eq!(prudent(&Game::new(rules), played, true), Act::Move(played));
    }
}
