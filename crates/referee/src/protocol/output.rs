//! Parses the answers of agents: exactly one object, a move or another action. Everything else is malformed.
//!
//! Strict parsing accepts one JSON object and white space. Lenient parsing also finds the object in prose or in a Markdown fence.
//! It accepts only whole objects that strict parsing accepts, never a part of another object, and it rejects two objects that
//! differ: it never invents a move.

use serde_json::value::RawValue;
use serde_json::{Value, json};
use tabiya_engine::{Kind, Move, Player, Position, Rules, Square, Trigger};
use tabiya_notation::{text_target, way};

use super::dialect::Dialect;
use super::object::{Object, clip, read};
use super::rejection::{MoveRequest, RejectedAnswer, Rule};
use super::state_reader::player_name;
use crate::action::{DECLINE_RESIGNATION, EXCHANGE_ANSWERS};
use crate::{Action, ActionKind, Game};

/// A longer output is malformed.
pub const OUTPUT_LIMIT: usize = 1 << 20;

/// The number of places in which lenient parsing looks for an object.
const MOST_PLACES: usize = 1000;

/// The claims of chess. They are well formed in every game and false in games that do not have them.
const CLAIMS: [&str; 2] = ["threefold_repetition", "fifty_move_rule"];

/// How strictly an answer is parsed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strictness {
    /// One JSON object and white space.
    #[default]
    Strict,
    /// One JSON object with any text around it.
    Lenient,
}

/// A well-formed answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Move(MoveRequest),
    Claim {
        code: String,
        announced: Option<MoveRequest>,
    },
    /// An action without arguments.
    Bare(Action),
    /// `accept_exchange` or `decline_exchange`.
    OnExchange(Action),
    /// `decline_resignation`.
    OnResignation,
    Withdraw(Player),
}

/// Parses an answer. Returns whether text around it was ignored.
pub(super) fn answer(
    dialect: Dialect,
    rules: &Rules,
    text: &str,
    strictness: Strictness,
) -> Result<(Answer, bool), RejectedAnswer> {
    let malformed = |why: &str| Err(RejectedAnswer::new(Rule::Malformed, why));
    if text.len() > OUTPUT_LIMIT {
        return malformed(&format!("the output has more than {OUTPUT_LIMIT} bytes"));
    }
    let reader = AnswerReader { dialect, rules };
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
            Found::Several => malformed("the output contains several different answers"),
            Found::None(Some(reasons)) => malformed(&reasons.join("; ")),
            Found::None(None) => malformed(&format!("{why}, and it contains no JSON object")),
        },
    }
}

/// Returns whether a text contains a complete JSON object, as lenient parsing finds it.
pub fn contains_object(text: &str) -> bool {
    let mut rest = text;
    for _ in 0..MOST_PLACES {
        let Some(start) = rest.find('{') else { return false };
        rest = &rest[start..];
        if Object::parse_start(rest).is_some() {
            return true;
        }
        rest = &rest[braced(rest)..];
    }
    false
}

/// The result of lenient parsing.
enum Found {
    One(Answer),
    Several,
    /// No answer; and the errors of the first object.
    None(Option<Vec<String>>),
}

struct AnswerReader<'r> {
    dialect: Dialect,
    rules: &'r Rules,
}

impl AnswerReader<'_> {
    /// Finds the one answer among all objects in a text. Braces that do not hold an object are skipped as a whole.
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
            self.request(&mut fields).map(Answer::Move)
        };
        fields.finish(answer)
    }

    fn action(&self, fields: &mut Fields<'_>) -> Option<Answer> {
        let action: String = fields.need("action", "a string", read)?;
        let on_exchange = EXCHANGE_ANSWERS.iter().find(|(_, name)| *name == action);
        if let Some(answer) = on_exchange.and_then(|(kind, _)| kind.bare()) {
            return Some(Answer::OnExchange(answer));
        }
        if action == DECLINE_RESIGNATION {
            return Some(Answer::OnResignation);
        }
        let named = |kind: &ActionKind| *kind != ActionKind::Move && kind.protocol_name() == action;
        match ActionKind::ALL.into_iter().find(named) {
            Some(ActionKind::Claim) => {
                let code = fields.need("reason", "something that can be claimed", |raw| self.code(raw));
                let announced = match fields.object.take("move") {
                    Some(raw) => Some(self.announced(raw, fields)?),
                    None => None,
                };
                Some(Answer::Claim { code: code?, announced })
            }
            Some(ActionKind::Withdraw) => {
                fields.need("to", "the name of a player", |raw| self.player(raw)).map(Answer::Withdraw)
            }
            Some(kind) => kind.bare().map(Answer::Bare),
            None => {
                fields.reasons.push(format!("there is no action `{}`", clip(&action)));
                None
            }
        }
    }

    fn player(&self, raw: &RawValue) -> Option<Player> {
        let name: String = read(raw)?;
        self.rules.players().find(|player| player_name(self.dialect, self.rules, *player) == name)
    }

    fn announced(&self, raw: &RawValue, fields: &mut Fields<'_>) -> Option<MoveRequest> {
        let Ok(object) = Object::parse(raw.get()) else {
            fields.reasons.push("`move` is not an object".to_owned());
            return None;
        };
        let mut inner = Fields::new(object, "`move`");
        let request = self.request(&mut inner);
        inner.finish(request).map_err(|reasons| fields.reasons.extend(reasons)).ok()
    }

    fn request(&self, fields: &mut Fields<'_>) -> Option<MoveRequest> {
        let square = match self.dialect {
            Dialect::Chess => "a square from \"a1\" to \"h8\"",
            Dialect::General => "a square [x,y] of the board",
        };
        let kind = match self.dialect {
            Dialect::Chess => "\"Q\", \"R\", \"B\", \"N\" or null",
            Dialect::General => "the code of a piece or null",
        };
        let has_drop = self.dialect == Dialect::General && fields.object.has("drop");
        let dropped = if has_drop {
            fields.need("drop", kind, |raw| match read::<Option<String>>(raw)? {
                Some(code) => self.kind(&code).map(Some),
                None => Some(None),
            })
        } else {
            Some(None)
        };
        let to = fields.need("to", square, |raw| self.square(raw));
        let from = if dropped == Some(None) {
            fields.need("from", square, |raw| self.square(raw))
        } else {
            let is_null = |raw: &RawValue| (raw.get().trim() == "null").then_some(());
            let null = fields.need("from", "null, as a drop needs", is_null);
            null.and(dropped.flatten()).zip(to).map(|(kind, to)| Move::drop(kind, to, 0).from)
        };
        let promotion = fields.need("promotion", kind, |raw| match read::<Option<String>>(raw)? {
            Some(name) => self.promoted(&name).map(Some),
            None => Some(None),
        });
        let id = match self.dialect {
            Dialect::General if fields.object.has("id") => Some(fields.need("id", "a whole number", read)?),
            _ => None,
        };
        let piece = match self.dialect {
            Dialect::General if fields.object.has("piece") => {
                Some(fields.need("piece", "the code of a piece", |raw| self.kind(&read::<String>(raw)?))?)
            }
            _ => None,
        };
        let then = match self.dialect {
            Dialect::General if fields.object.has("then") => {
                let squares = |raw: &RawValue| {
                    let written: Vec<Vec<i32>> = read(raw)?;
                    written.iter().map(|at| self.rules.board().at(at)).collect::<Option<Vec<Square>>>()
                };
                Some(fields.need("then", "a list of squares [x,y] of the board", squares)?)
            }
            _ => None,
        };
        Some(MoveRequest { then, from: from?, to: to?, promotion: promotion?, id, piece, dropped: dropped? })
    }

    fn square(&self, raw: &RawValue) -> Option<Square> {
        match self.dialect {
            Dialect::Chess => self.rules.board().parse(&read::<String>(raw)?),
            Dialect::General => {
                let written: Vec<i32> = read(raw)?;
                self.rules.board().at(&written)
            }
        }
    }

    /// The kind to which a piece is promoted.
    fn promoted(&self, name: &str) -> Option<Kind> {
        let is_letter = |kind: &Kind| self.rules.kind(*kind).symbol.texts() == [name];
        match self.dialect {
            Dialect::Chess if matches!(name, "K" | "P") => None,
            Dialect::Chess => self.rules.kinds().find(is_letter),
            Dialect::General => self.kind(name),
        }
    }

    /// The kind with a code.
    fn kind(&self, code: &str) -> Option<Kind> {
        self.rules.kinds().find(|kind| self.rules.kind(*kind).code == code)
    }

    /// The code of a claim. Outputs write it in lower case.
    fn code(&self, raw: &RawValue) -> Option<String> {
        let reason: String = read(raw)?;
        let endings = self.rules.endings();
        let mut codes = endings.iter().filter(|plan| plan.by == Trigger::Claim).map(|plan| &plan.code);
        let known = codes.find(|code| code.to_lowercase() == reason).cloned();
        known.or_else(|| CLAIMS.contains(&reason.as_str()).then(|| reason.to_uppercase()))
    }
}

/// The length of the text up to the brace that closes the first one.
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

/// The fields of an object, all of which must be known.
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

    /// Reads a required field.
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

    /// Returns the value, if there are no errors and no fields left.
    fn finish<T>(mut self, value: Option<T>) -> Result<T, Vec<String>> {
        for (key, _) in self.object.into_pairs() {
            self.reasons.push(format!("{} has the unknown key `{}`", self.place, clip(&key)));
        }
        value.filter(|_| self.reasons.is_empty()).ok_or(self.reasons)
    }
}

/// Writes an action as an agent does. A move must be legal.
pub(super) fn action_json(dialect: Dialect, game: &Game, action: &Action) -> Value {
    let (rules, position) = (&**game.rules(), &game.state().position);
    let kind = action.kind();
    let on_exchange =
        EXCHANGE_ANSWERS.iter().find(|(answer, _)| *answer == kind && game.proposal().is_some());
    let is_on_resignation = game.asked_out_of_turn().is_some() && game.draw_offer().is_none();
    let name = match (on_exchange, kind) {
        (Some((_, name)), _) => name,
        (None, ActionKind::Accept) if is_on_resignation => ActionKind::Resign.protocol_name(),
        (None, ActionKind::Decline) if is_on_resignation => DECLINE_RESIGNATION,
        _ => kind.protocol_name(),
    };
    match action {
        Action::Move(played) => move_json(dialect, rules, position, *played),
        Action::Claim { code, announced } => {
            let mut claim = json!({ "action": name, "reason": code.to_lowercase() });
            if let Some(played) = announced {
                claim["move"] = move_json(dialect, rules, position, *played);
            }
            claim
        }
        Action::Withdraw(partner) => json!({ "action": name, "to": player_name(dialect, rules, *partner) }),
        _ => json!({ "action": name }),
    }
}

fn move_json(dialect: Dialect, rules: &Rules, position: &Position, played: Move) -> Value {
    let square = |square| match dialect {
        Dialect::Chess => json!(rules.board().name(square)),
        Dialect::General => {
            json!(rules.board().written(square))
        }
    };
    let promotion = played.promotion.map(|kind| match dialect {
        Dialect::Chess => rules.kind(kind).symbol.of(Player(0)),
        Dialect::General => rules.kind(kind).code.clone(),
    });
    let to = text_target(rules, position, played);
    let then = |mut object: Value| {
        if rules.has_parts() {
            let parts = rules.parts(position, played);
            object["then"] = parts.iter().skip(1).map(|(_, part)| square(part.to)).collect();
        }
        object
    };
    if let Some(kind) = played.dropped() {
        let code = &rules.kind(kind).code;
        return then(json!({ "from": null, "drop": code, "to": square(to), "promotion": promotion }));
    }
    let mut object = json!({ "from": square(played.from), "to": square(to), "promotion": promotion });
    if dialect == Dialect::General {
        if let Some(way) = way(rules, position, played) {
            object["id"] = json!(way);
        }
        // Two pieces on a square may make the same move.
        if position.guest(played.from).is_some() {
            object["piece"] = json!(rules.kind(rules.moving_kind(position, played)).code);
        }
    }
    then(object)
}
