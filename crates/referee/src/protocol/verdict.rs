//! What a referee says to one output, as data and as the JSON that other programs rely on.

use serde_json::{Map, Value, json};
use tabiya_engine::Rules;

use super::form::Form;
use super::rule::{Refused, Rule};
use crate::{End, Event, Game};

/// What an output turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Finding {
    /// A legal move, which was made.
    Move,
    /// A claim that holds.
    Claim,
    /// The offer of a draw.
    Offer,
    /// Agreement to a draw.
    Accept,
    /// Refusal of a draw.
    Decline,
    /// Resignation.
    Resign,
    /// The proposal to exchange captured leaders.
    Exchange,
    /// An army that is handed over.
    Withdraw,
    /// A throw of the die.
    Throw,
    /// Well formed, and against the rules.
    Illegal,
    /// Not exactly one object of a known form.
    Malformed,
}

impl Finding {
    /// The word that programs see.
    pub fn word(self) -> &'static str {
        match self {
            Finding::Move => "move",
            Finding::Claim => "claim",
            Finding::Offer => "offer",
            Finding::Accept => "accept",
            Finding::Decline => "decline",
            Finding::Resign => "resign",
            Finding::Exchange => "exchange",
            Finding::Withdraw => "withdraw",
            Finding::Throw => "throw",
            Finding::Illegal => "illegal",
            Finding::Malformed => "malformed",
        }
    }
}

impl From<Event> for Finding {
    fn from(event: Event) -> Self {
        match event {
            Event::Moved => Finding::Move,
            Event::Claimed => Finding::Claim,
            Event::Offered => Finding::Offer,
            Event::Accepted => Finding::Accept,
            Event::Declined => Finding::Decline,
            Event::Resigned => Finding::Resign,
            Event::Proposed => Finding::Exchange,
            Event::Withdrew => Finding::Withdraw,
            Event::Thrown => Finding::Throw,
        }
    }
}

/// What the referee says to one output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What it turned out to be.
    pub finding: Finding,
    /// The move that was made, or announced with a claim that holds, as move text.
    pub uci: Option<String>,
    /// How the game ends by it. An output that is not accepted loses; the game itself is not told so, for it may be up
    /// to others to forgive it.
    pub end: Option<End>,
    /// Why it is not accepted.
    pub refused: Option<Refused>,
    /// Whether other text around the object was forgiven.
    pub lenient: bool,
}

impl Verdict {
    /// Of an output that led to something.
    pub(super) fn accepted(game: &Game, event: Event, uci: Option<String>, lenient: bool) -> Self {
        Verdict { finding: event.into(), uci, end: game.end().cloned(), refused: None, lenient }
    }

    /// Of an output that led to nothing. Once a game is over, nobody can lose it any more.
    pub(super) fn refused(game: &Game, refused: Refused) -> Self {
        let finding = if refused.rule == Rule::Malformed { Finding::Malformed } else { Finding::Illegal };
        let others = || {
            let losers = game.rules().team(game.actor());
            End {
                winners: game.rules().alive(&game.state().position).without(losers),
                reason: "illegal_output".to_owned(),
            }
        };
        let end = Some(game.end().cloned().unwrap_or_else(others));
        Verdict { finding, uci: None, end, lenient: refused.lenient, refused: Some(refused) }
    }

    /// For programs.
    pub(super) fn to_json(&self, form: Form, rules: &Rules) -> Value {
        let mut object = Map::new();
        object.insert("verdict".to_owned(), json!(self.finding.word()));
        object.insert("uci".to_owned(), json!(self.uci));
        object.insert(
            "result".to_owned(),
            self.end.as_ref().map_or(Value::Null, |end| result(form, rules, end)),
        );
        object.insert("end_reason".to_owned(), json!(self.end.as_ref().map(|end| &end.reason)));
        object.insert("why".to_owned(), json!(self.refused.as_ref().map(|refused| &refused.why)));
        if let Some(refused) = self.refused.as_ref().filter(|_| self.finding == Finding::Illegal) {
            object.insert("rule".to_owned(), json!(refused.rule.word()));
        }
        if self.lenient {
            object.insert("lenient".to_owned(), json!(true));
        }
        Value::Object(object)
    }
}

/// Who won: `"draw"`, a name, or names. Chess has its players in lower case.
fn result(form: Form, rules: &Rules, end: &End) -> Value {
    let name = |player| {
        let name = &rules.player(player).name;
        if form == Form::Chess { name.to_lowercase() } else { name.clone() }
    };
    let winners: Vec<String> = end.winners.iter().map(name).collect();
    match winners.as_slice() {
        [] => json!("draw"),
        [winner] => json!(winner),
        several => json!(several),
    }
}

/// For programs: the answer to a state that cannot be used.
pub fn bad_state_json(reasons: &[String]) -> Value {
    json!({ "verdict": "bad_state", "reasons": reasons })
}
