//! What an agent answers: exactly one object, a move or one of a few actions. Anything else is malformed, with the reason.
//!
//! Strict reading takes one JSON object and white space, nothing more. Lenient reading also finds the object in prose or
//! in a Markdown fence. It takes nothing but whole objects that strict reading would take, never one out of another
//! object, and if there are two that say different things, it takes neither: no move is ever made up.

use serde_json::value::RawValue;
use serde_json::{Value, json};
use tabiya_engine::{Kind, Move, Player, Position, Rules, Square, Trigger};

use super::brief::player_name;
use super::form::Form;
use super::object::{Object, clip, read};
use super::rule::{Refused, Rule, Wish};
use crate::{Act, Game};

/// A longer output is malformed.
pub const OUTPUT_LIMIT: usize = 1 << 20;

/// In how many places of a text lenient reading looks for an object.
const MOST_PLACES: usize = 1000;

/// The claims of chess. They are well formed in every game, and false where a game does not have them.
const CLAIMS: [&str; 2] = ["threefold_repetition", "fifty_move_rule"];

/// How exactly an output must keep to its form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strictness {
    /// One JSON object and white space.
    #[default]
    Strict,
    /// One JSON object, whatever stands around it.
    Lenient,
}

/// What an agent asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Move(Wish),
    Claim { code: String, announced: Option<Wish> },
    Offer,
    Accept,
    Decline,
    Resign,
    Exchange,
    AcceptExchange,
    DeclineExchange,
    Withdraw(Player),
    Throw,
}

/// Reads an output; true if something was forgiven.
pub(super) fn answer(
    form: Form,
    rules: &Rules,
    text: &str,
    strictness: Strictness,
) -> Result<(Answer, bool), Refused> {
    let malformed = |why: &str| Err(Refused::new(Rule::Malformed, why));
    if text.len() > OUTPUT_LIMIT {
        return malformed(&format!("the output has more than {OUTPUT_LIMIT} bytes"));
    }
    let reader = Reader { form, rules };
    let why = match Object::parse(text) {
        Ok(object) => match reader.answer(object) {
            Ok(answer) => return Ok((answer, false)),
            Err(reasons) => return malformed(&reasons.join("; ")),
        },
        Err(_) if text.trim().is_empty() => "the output is empty".to_owned(),
        Err(why) => format!("the output is not exactly one JSON object: {why}"),
    };
    match strictness {
        Strictness::Strict => malformed(&why),
        Strictness::Lenient => match reader.found(text) {
            Found::One(answer) => Ok((answer, true)),
            Found::Several => malformed("the output holds several objects that say different things"),
            Found::None(Some(reasons)) => malformed(&reasons.join("; ")),
            Found::None(None) => malformed(&format!("{why}, and no object stands in it")),
        },
    }
}

/// What lenient reading came upon.
enum Found {
    One(Answer),
    Several,
    /// Nothing; and what is wrong with the first object that was no answer.
    None(Option<Vec<String>>),
}

struct Reader<'r> {
    form: Form,
    rules: &'r Rules,
}

impl Reader<'_> {
    /// The one answer among all objects that stand in a text. What is in braces and no object is passed over as a whole.
    fn found(&self, text: &str) -> Found {
        let (mut found, mut first_fault) = (None, None);
        let mut rest = text;
        for _ in 0..MOST_PLACES {
            let Some(start) = rest.find('{') else { break };
            rest = &rest[start..];
            let (fault, length) = match Object::parse_start(rest) {
                Some((object, length)) => match self.answer(object) {
                    Ok(answer) if found.as_ref().is_some_and(|other| *other != answer) => {
                        return Found::Several;
                    }
                    Ok(answer) => {
                        found = Some(answer);
                        (None, length)
                    }
                    Err(reasons) => (Some(reasons), length),
                },
                None => (None, braced(rest)),
            };
            first_fault = first_fault.or(fault);
            rest = &rest[length..];
        }
        found.map_or(Found::None(first_fault), Found::One)
    }

    fn answer(&self, object: Object<'_>) -> Result<Answer, Vec<String>> {
        let mut fields = Fields::new(object, "the object");
        let answer = if fields.object.has("action") {
            self.action(&mut fields)
        } else {
            self.wish(&mut fields).map(Answer::Move)
        };
        fields.finish(answer)
    }

    fn action(&self, fields: &mut Fields<'_>) -> Option<Answer> {
        let action: String = fields.need("action", "a string", read)?;
        match action.as_str() {
            "claim_draw" => {
                let code = fields.need("reason", "something that can be claimed", |raw| self.code(raw));
                let announced = match fields.object.take("move") {
                    Some(raw) => Some(self.announced(raw, fields)?),
                    None => None,
                };
                Some(Answer::Claim { code: code?, announced })
            }
            "offer_draw" => Some(Answer::Offer),
            "accept_draw" => Some(Answer::Accept),
            "decline_draw" => Some(Answer::Decline),
            "resign" => Some(Answer::Resign),
            "exchange" => Some(Answer::Exchange),
            "accept_exchange" => Some(Answer::AcceptExchange),
            "decline_exchange" => Some(Answer::DeclineExchange),
            "withdraw" => {
                fields.need("to", "the name of a player", |raw| self.player(raw)).map(Answer::Withdraw)
            }
            "throw" => Some(Answer::Throw),
            _ => {
                fields.reasons.push(format!("there is no action `{}`", clip(&action)));
                None
            }
        }
    }

    fn player(&self, raw: &RawValue) -> Option<Player> {
        let name: String = read(raw)?;
        self.rules.players().find(|player| player_name(self.form, self.rules, *player) == name)
    }

    fn announced(&self, raw: &RawValue, fields: &mut Fields<'_>) -> Option<Wish> {
        let Ok(object) = Object::parse(raw.get()) else {
            fields.reasons.push("`move` is not an object".to_owned());
            return None;
        };
        let mut inner = Fields::new(object, "`move`");
        let wish = self.wish(&mut inner);
        inner.finish(wish).map_err(|reasons| fields.reasons.extend(reasons)).ok()
    }

    fn wish(&self, fields: &mut Fields<'_>) -> Option<Wish> {
        let square = match self.form {
            Form::Chess => "a square from \"a1\" to \"h8\"",
            Form::General => "a square [x,y] of the board",
        };
        let kind = match self.form {
            Form::Chess => "\"Q\", \"R\", \"B\", \"N\" or null",
            Form::General => "the code of a piece or null",
        };
        let from = fields.need("from", square, |raw| self.square(raw));
        let to = fields.need("to", square, |raw| self.square(raw));
        let promotion = fields.need("promotion", kind, |raw| match read::<Option<String>>(raw)? {
            Some(name) => self.promoted(&name).map(Some),
            None => Some(None),
        });
        let id = match self.form {
            Form::General if fields.object.has("id") => Some(fields.need("id", "a whole number", read)?),
            _ => None,
        };
        Some(Wish { from: from?, to: to?, promotion: promotion?, id })
    }

    fn square(&self, raw: &RawValue) -> Option<Square> {
        match self.form {
            Form::Chess => self.rules.board().parse(&read::<String>(raw)?),
            Form::General => {
                let [x, y]: [i32; 2] = read(raw)?;
                self.rules.board().square(x, y)
            }
        }
    }

    /// What a piece may be said to become.
    fn promoted(&self, name: &str) -> Option<Kind> {
        let called = |kind: &Kind| match self.form {
            Form::Chess => {
                let letter = self.rules.kind(*kind).letter.to_string();
                letter == name && !matches!(name, "K" | "P")
            }
            Form::General => self.rules.kind(*kind).code == name,
        };
        self.rules.kinds().find(called)
    }

    /// The code of what is claimed: the spec writes it in any case, outputs write it in lower case.
    fn code(&self, raw: &RawValue) -> Option<String> {
        let reason: String = read(raw)?;
        let endings = self.rules.endings();
        let mut codes = endings.iter().filter(|plan| plan.by == Trigger::Claim).map(|plan| &plan.code);
        let known = codes.find(|code| code.to_lowercase() == reason).cloned();
        known.or_else(|| CLAIMS.contains(&reason.as_str()).then(|| reason.to_uppercase()))
    }
}

/// How long the part of a text is that begins with a brace and ends with the one that closes it.
fn braced(text: &str) -> usize {
    let mut depth = 0usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth <= 1 => return at + 1,
            b'}' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// The fields of an object that must all be known.
struct Fields<'t> {
    object: Object<'t>,
    place: &'static str,
    reasons: Vec<String>,
}

impl<'t> Fields<'t> {
    fn new(object: Object<'t>, place: &'static str) -> Self {
        let mut reasons = Vec::new();
        let object = object.once(place, &mut reasons);
        Fields { object, place, reasons }
    }

    /// A field that must be there, and be what it should be.
    fn need<T>(&mut self, key: &str, what: &str, reader: impl Fn(&RawValue) -> Option<T>) -> Option<T> {
        let Some(raw) = self.object.take(key) else {
            self.reasons.push(format!("{} lacks the key `{key}`", self.place));
            return None;
        };
        let value = reader(raw);
        if value.is_none() {
            self.reasons.push(format!("`{key}` is not {what}: {}", clip(raw.get())));
        }
        value
    }

    /// What was read, if nothing speaks against it and nothing is left.
    fn finish<T>(mut self, value: Option<T>) -> Result<T, Vec<String>> {
        for (key, _) in self.object.into_pairs() {
            self.reasons.push(format!("{} has the unknown key `{}`", self.place, clip(&key)));
        }
        value.filter(|_| self.reasons.is_empty()).ok_or(self.reasons)
    }
}

/// Writes what a player does as an agent would; the move is legal.
pub(super) fn act_json(form: Form, game: &Game, act: &Act) -> Value {
    let (rules, position) = (&**game.rules(), &game.state().position);
    match act {
        Act::Move(played) => move_json(form, rules, position, *played),
        Act::Claim { code, announced } => {
            let mut claim = json!({ "action": "claim_draw", "reason": code.to_lowercase() });
            if let Some(played) = announced {
                claim["move"] = move_json(form, rules, position, *played);
            }
            claim
        }
        Act::Offer => json!({ "action": "offer_draw" }),
        Act::Accept if game.proposal().is_some() => json!({ "action": "accept_exchange" }),
        Act::Decline if game.proposal().is_some() => json!({ "action": "decline_exchange" }),
        Act::Accept => json!({ "action": "accept_draw" }),
        Act::Decline => json!({ "action": "decline_draw" }),
        Act::Resign => json!({ "action": "resign" }),
        Act::Exchange => json!({ "action": "exchange" }),
        Act::Withdraw(heir) => json!({ "action": "withdraw", "to": player_name(form, rules, *heir) }),
        Act::Throw => json!({ "action": "throw" }),
    }
}

fn move_json(form: Form, rules: &Rules, position: &Position, played: Move) -> Value {
    let square = |square| match form {
        Form::Chess => json!(rules.board().name(square)),
        Form::General => {
            let (x, y) = rules.board().coords(square);
            json!([x, y])
        }
    };
    let promotion = played.promotion.map(|kind| match form {
        Form::Chess => rules.kind(kind).letter.to_string(),
        Form::General => rules.kind(kind).code.clone(),
    });
    let mut object = json!({ "from": square(played.from), "to": square(played.to), "promotion": promotion });
    if form == Form::General {
        object["id"] = json!(rules.move_id(position, played));
    }
    object
}
