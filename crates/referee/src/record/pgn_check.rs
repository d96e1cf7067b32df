//! Checks the result and the Termination tag of a PGN game. Its moves were checked when it was read.

use std::sync::Arc;

use tabiya_engine::{PlayerSet, Rules, Step, Trigger};
use tabiya_notation::pgn;

use crate::{Action, Dice, End, Game, MAX_PLIES};

/// Returns everything that does not fit. Games from elsewhere may have gone on after an ending that was not claimed; only an end
/// on the board, such as mate, must be the last move.
pub fn check_pgn(rules: &Arc<Rules>, record: &pgn::Game) -> Vec<String> {
    if record.moves.len() > MAX_PLIES as usize {
        return vec![format!("it has more than {MAX_PLIES} moves")];
    }
    let mut differences = Vec::new();
    let mut position = record.start.position.clone();
    for step in record.steps() {
        match rules.play_step(&position, step) {
            Ok(next) => position = next,
            Err(_) => return vec!["one of its steps is not allowed".to_owned()],
        }
    }
    if let Some(outcome) = rules.outcome(&position) {
        let reason = rules.reason(outcome.reason);
        if record.winners != Some(outcome.winners) {
            let (written, found) = (result(rules, record.winners), result(rules, Some(outcome.winners)));
            differences.push(format!("the result is {written}; by {reason} it should be {found}"));
        }
        if record.tag("Termination").is_some_and(|word| is_reason(rules, word) && word != reason) {
            differences.push(format!("Termination should be {reason}"));
        }
    } else if let Some(word) = record.tag("Termination") {
        differences.extend(check_reason(rules, record, word));
    }
    differences
}

/// Checks whether the game can end for the reason that it names, if the rules know that reason.
fn check_reason(rules: &Arc<Rules>, record: &pgn::Game, word: &str) -> Option<String> {
    let end = match word {
        "agreement" | "max_plies" => End::draw(word),
        _ if !is_reason(rules, word) => return None,
        _ => match end_for(rules, record, word) {
            Some(end) => end,
            None => return Some(format!("Termination is {word}, but the game did not end that way")),
        },
    };
    let differs = record.winners != Some(end.winners);
    differs.then(|| {
        let (written, found) = (result(rules, record.winners), result(rules, Some(end.winners)));
        format!("the result is {written}; by {word} it should be {found}")
    })
}

/// Returns the end of that name: by rule, by claim or by a fallen flag.
fn end_for(rules: &Arc<Rules>, record: &pgn::Game, word: &str) -> Option<End> {
    let throws = Dice::Recorded(record.steps().filter_map(face).collect());
    let mut game = Game::resume(Arc::clone(rules), record.start.clone(), &[], throws);
    for step in record.steps() {
        game.replay_step(step).ok()?;
    }
    if game.end().is_some() {
        return game.end().filter(|end| end.reason == word).cloned();
    }
    let code = code_of(rules, word)?;
    let position = &game.state().position;
    let by_flag = rules.ending(position, game.tally(), Trigger::Flag, game.mover(), Some(code));
    if let Some(ending) = by_flag {
        return Some(End { winners: ending.winners, reason: word.to_owned() });
    }
    // A claim may rest on an announced move, which PGN does not record.
    let announced = rules.legal_moves(position).into_iter().map(Some);
    std::iter::once(None).chain(announced).find_map(|announced| {
        let mut game = game.clone();
        game.submit(&Action::Claim { code: code.to_owned(), announced }).ok()?;
        game.end().cloned()
    })
}

fn face(step: Step) -> Option<u8> {
    match step {
        Step::Throw(face) => Some(face),
        _ => None,
    }
}

/// Whether a word is a reason of these rules.
fn is_reason(rules: &Rules, word: &str) -> bool {
    rules.termination(word).is_some() || code_of(rules, word).is_some()
}

/// The code of an ending, as the rules write it.
fn code_of<'r>(rules: &'r Rules, word: &str) -> Option<&'r str> {
    let mut codes = rules.endings().iter().map(|ending| ending.code.as_str());
    codes.find(|code| code.to_lowercase() == word)
}

fn result(rules: &Rules, winners: Option<PlayerSet>) -> String {
    match winners {
        None => "open".to_owned(),
        Some(PlayerSet::EMPTY) => "a draw".to_owned(),
        Some(winners) => {
            let names: Vec<&str> = winners.iter().map(|player| rules.player(player).name.as_str()).collect();
            format!("a win for {}", names.join(" and "))
        }
    }
}
