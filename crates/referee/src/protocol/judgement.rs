//! The referee's judgement of one answer, as data and as JSON.

use serde_json::{Map, Value, json};
use tabiya_engine::Rules;

use super::dialect::Dialect;
use super::rejection::RejectedAnswer;
use crate::{ActionKind, End, Game, Verdict};

/// The referee's judgement of one answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// What the answer turned out to be.
    pub verdict: Verdict,
    /// The move that was made, or announced with a claim that holds, as move text.
    pub uci: Option<String>,
    /// How the game ends by the answer. A rejected answer loses, but [`Game`] is unchanged: a caller may forgive it.
    pub end: Option<End>,
    /// Why the answer is rejected.
    pub rejected: Option<RejectedAnswer>,
    /// Whether text around the object was ignored.
    pub lenient: bool,
}

impl Judgement {
    /// The judgement of an accepted answer.
    pub(crate) fn accepted(game: &Game, kind: ActionKind, uci: Option<String>, lenient: bool) -> Self {
        let verdict = Verdict::Accepted(kind);
        Judgement { verdict, uci, end: game.end().cloned(), rejected: None, lenient }
    }

    /// The judgement of a rejected answer. A game that is over keeps its end.
    pub(crate) fn rejected(game: &Game, rejected: RejectedAnswer) -> Self {
        let loss = || {
            let losers = game.rules().team(game.actor());
            End {
                winners: game.rules().alive(&game.state().position).without(losers),
                reason: "illegal_output".to_owned(),
            }
        };
        let end = Some(game.end().cloned().unwrap_or_else(loss));
        let verdict = Verdict::of_rejected(&rejected);
        Judgement { verdict, uci: None, end, lenient: rejected.lenient, rejected: Some(rejected) }
    }

    /// Writes the judgement as JSON.
    pub(super) fn to_json(&self, dialect: Dialect, rules: &Rules) -> Value {
        let mut object = Map::new();
        object.insert("verdict".to_owned(), json!(self.verdict.word()));
        object.insert("uci".to_owned(), json!(self.uci));
        object.insert(
            "result".to_owned(),
            self.end.as_ref().map_or(Value::Null, |end| result(dialect, rules, end)),
        );
        object.insert("end_reason".to_owned(), json!(self.end.as_ref().map(|end| &end.reason)));
        object.insert("why".to_owned(), json!(self.rejected.as_ref().map(|rejected| &rejected.why)));
        if let Some(rejected) = self.rejected.as_ref().filter(|_| self.verdict == Verdict::Illegal) {
            object.insert("rule".to_owned(), json!(rejected.rule.word()));
        }
        if self.lenient {
            object.insert("lenient".to_owned(), json!(true));
        }
        Value::Object(object)
    }
}

/// The winners: `"draw"`, a name, or a list of names. Chess writes its players in lower case.
fn result(dialect: Dialect, rules: &Rules, end: &End) -> Value {
    let winners: Vec<String> =
        end.winners.iter().map(|player| super::state_reader::player_name(dialect, rules, player)).collect();
    match winners.as_slice() {
        [] => json!("draw"),
        [winner] => json!(winner),
        several => json!(several),
    }
}

/// The answer to a state that cannot be used.
pub fn bad_state_json(reasons: &[String]) -> Value {
    json!({ "verdict": "bad_state", "reasons": reasons })
}
