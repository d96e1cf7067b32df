//! Games in the export format of PGN: every tag in its place, one blank between words, no line longer than 79 characters.

use tabiya_engine::{Position, Refusal, Rules};

use super::{Game, Note, score, tags};
use crate::{State, san, state_text};

/// A line is shorter than that.
const COLUMNS: usize = 80;

/// Writes a game, with a blank line behind it, so that several make a file. Refused if a move is not legal.
///
/// The tags are the roster (event, site, date, round, players, result) and then all others by name, `Termination` among
/// them: `normal` or `unterminated`, if the game does not say otherwise. The caller gives `Variant` to games that are not
/// chess. In names of tags, what may not stand there becomes `_`; in values, control characters become blanks; in
/// comments, braces become brackets.
///
/// ```
/// use tabiya_notation::{State, parse_san, pgn};
///
/// let chess = tabiya_spec::load(tabiya_spec::library::find("chess").unwrap().json.as_bytes()).game.unwrap();
/// let mut game = pgn::Game::new(State::new(chess.rules.start()));
/// game.set_tag("White", "Ada");
/// game.moves.push(parse_san(&chess.rules, &chess.rules.start(), "e4").unwrap());
/// let text = pgn::write(&chess.rules, &game).unwrap();
/// assert!(text.contains("[White \"Ada\"]\n[Black \"?\"]\n"));
/// assert!(text.ends_with("\n\n1. e4 *\n\n"));
/// ```
pub fn write(rules: &Rules, game: &Game) -> Result<String, Refusal> {
    let result = score::text(rules, game.winners);
    let mut text = String::new();
    for (name, value) in all_tags(rules, game, &result) {
        text.push_str(&format!("[{name} \"{}\"]\n", quoted(&value)));
    }
    let mut lines = Lines::default();
    movetext(rules, game, &mut lines)?;
    lines.word(&result);
    text.push_str(&format!("\n{}\n\n", lines.text));
    Ok(text)
}

/// The roster, then all others by name.
fn all_tags(rules: &Rules, game: &Game, result: &str) -> Vec<(String, String)> {
    let value = |name: &str| game.tag(name).map(str::to_owned);
    let mut written: Vec<(String, String)> = tags::roster(rules)
        .into_iter()
        .map(|(name, unknown)| {
            let known = value(&name);
            (name, known.unwrap_or_else(|| unknown.to_owned()))
        })
        .collect();
    written.push(("Result".to_owned(), result.to_owned()));
    let start = state_text(rules, &game.start);
    let mut others: Vec<(String, String)> = Vec::new();
    if start != state_text(rules, &State::new(rules.start())) {
        others.extend([("SetUp".to_owned(), "1".to_owned()), ("FEN".to_owned(), start)]);
    }
    let ending = if game.winners.is_some() { "normal" } else { "unterminated" };
    let named = game.tags.iter().map(|(name, value)| (tag_name(name), value.clone()));
    let ending = [("Termination".to_owned(), ending.to_owned())];
    for (name, value) in named.chain(ending) {
        let is_free = !written.iter().chain(&others).any(|(other, _)| *other == name);
        if is_free && !["", "SetUp", "FEN"].contains(&name.as_str()) {
            others.push((name, value));
        }
    }
    others.sort_by(|one, other| one.0.cmp(&other.0));
    written.extend(others);
    written
}

fn tag_name(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

fn quoted(value: &str) -> String {
    let plain: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    plain.replace('\\', "\\\\").replace('"', "\\\"")
}

fn movetext(rules: &Rules, game: &Game, lines: &mut Lines) -> Result<(), Refusal> {
    let mut position = game.start.position.clone();
    let mut round = game.start.round;
    let mut is_interrupted = true;
    let mut remarks = game.remarks.iter().peekable();
    for (index, played) in game.moves.iter().enumerate() {
        while let Some(remark) = remarks.next_if(|remark| remark.after <= index) {
            is_interrupted |= lines.note(&remark.note);
        }
        let next = rules.play(&position, *played)?;
        if opens_round(rules, &position) {
            lines.word(&format!("{round}."));
        } else if is_interrupted {
            lines.word(&format!("{round}..."));
        }
        is_interrupted = false;
        lines.word(&san(rules, &position, *played));
        if place_in_round(rules, next.slot()) <= place_in_round(rules, position.slot()) {
            round = round.saturating_add(1);
        }
        position = next;
    }
    for remark in remarks {
        lines.note(&remark.note);
    }
    Ok(())
}

/// How many slots of the order come before one in each round.
fn place_in_round(rules: &Rules, slot: u16) -> usize {
    let plan = rules.blueprint();
    let order = plan.order.len();
    (usize::from(slot) + order - usize::from(plan.start_at)) % order
}

/// Whether nobody who is in the game comes before the turn in its round.
fn opens_round(rules: &Rules, position: &Position) -> bool {
    let place = place_in_round(rules, position.slot());
    let slots = 0..rules.blueprint().order.len() as u16;
    let is_in = |slot: &u16| !position.eliminated().contains(rules.turn_of(*slot));
    !slots.filter(is_in).any(|slot| place_in_round(rules, slot) < place)
}

/// Words in lines.
#[derive(Default)]
struct Lines {
    text: String,
    column: usize,
}

impl Lines {
    fn word(&mut self, word: &str) {
        let length = word.chars().count();
        // At the beginning of a line these would be taken for something else.
        let may_begin = !word.starts_with(['%', '[']);
        if self.column > 0 {
            let breaks = self.column + 1 + length >= COLUMNS && may_begin;
            self.text.push(if breaks { '\n' } else { ' ' });
            self.column = if breaks { 0 } else { self.column + 1 };
        }
        self.text.push_str(word);
        self.column += length;
    }

    /// Writes a remark; whether it comes between the moves.
    fn note(&mut self, note: &Note) -> bool {
        match note {
            Note::Glyph(glyph) => {
                self.word(&format!("${glyph}"));
                false
            }
            Note::Comment(text) => {
                let text = text.replace('{', "(").replace('}', ")");
                let words: Vec<&str> = text.split_whitespace().collect();
                if let [first, rest @ ..] = words.as_slice() {
                    let last = rest.len();
                    let close = |at: usize| if at == last { "}" } else { "" };
                    self.word(&format!("{{{first}{}", close(0)));
                    for (at, word) in rest.iter().enumerate() {
                        self.word(&format!("{word}{}", close(at + 1)));
                    }
                }
                !words.is_empty()
            }
        }
    }
}
