//! Writes games in PGN export format: tags in order, single spaces, lines shorter than 80 characters.

use tabiya_engine::{IllegalMove, Position, Rules, Step};

use super::{Game, Note, result, tags};
use crate::{State, fen, san, step_text};

/// Lines are shorter than this.
const COLUMNS: usize = 80;

/// Writes a game, followed by a blank line so that several make a file.
///
/// The tags are the roster (event, site, date, round, players, result), then all others by name. `Termination` defaults
/// to `normal` or `unterminated`. Callers set `Variant` for games other than chess. Invalid characters are replaced: in
/// tag names by `_`, control characters in values by spaces, braces in comments by parentheses.
///
/// # Errors
///
/// Returns the reason if a move or step is illegal.
///
/// # Examples
///
/// ```
/// use tabiya_notation::{State, parse_san, pgn};
///
/// let chess = tabiya_spec::library::load("chess").unwrap();
/// let mut game = pgn::Game::new(State::new(chess.rules.start()));
/// game.set_tag("White", "Ada");
/// game.moves.push(parse_san(&chess.rules, &chess.rules.start(), "e4").unwrap());
/// let text = pgn::write(&chess.rules, &game).unwrap();
/// assert!(text.contains("[White \"Ada\"]\n[Black \"?\"]\n"));
/// assert!(text.ends_with("\n\n1. e4 *\n\n"));
/// ```
pub fn write(rules: &Rules, game: &Game) -> Result<String, IllegalMove> {
    let result = result::result_text(rules, game.winners);
    let mut text = String::new();
    for (name, value) in all_tags(rules, game, &result) {
        text.push_str(&format!("[{name} \"{}\"]\n", quoted(&value)));
    }
    let mut lines = Movetext::write(rules, game)?;
    lines.word(&result);
    text.push_str(&format!("\n{}\n\n", lines.text));
    Ok(text)
}

/// Returns the roster, then all other tags by name.
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
    let start = fen(rules, &game.start);
    let mut others: Vec<(String, String)> = Vec::new();
    if start != fen(rules, &State::new(rules.start())) {
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

/// Moves and notes, with round numbers.
struct Movetext<'g> {
    rules: &'g Rules,
    position: Position,
    round: u32,
    /// Whether the next move needs its number after a comment.
    is_interrupted: bool,
    lines: Lines,
}

impl<'g> Movetext<'g> {
    fn write(rules: &'g Rules, game: &Game) -> Result<Lines, IllegalMove> {
        let (position, round) = (game.start.position.clone(), game.start.round);
        let mut text = Movetext { rules, position, round, is_interrupted: true, lines: Lines::default() };
        let mut remarks = game.remarks.iter().peekable();
        for (index, played) in game.moves.iter().enumerate() {
            while let Some(remark) = remarks.next_if(|remark| remark.after <= index) {
                text.note(&remark.note)?;
            }
            if opens_round(rules, &text.position) {
                text.lines.word(&format!("{}.", text.round));
            } else if text.is_interrupted {
                text.lines.word(&format!("{}...", text.round));
            }
            let before = text.position.clone();
            text.take(Step::Move(*played))?;
            text.is_interrupted = false;
            text.lines.word(&san(rules, &before, *played));
        }
        remarks.try_for_each(|remark| text.note(&remark.note))?;
        Ok(text.lines)
    }

    fn take(&mut self, step: Step) -> Result<(), IllegalMove> {
        let next = self.rules.play_step(&self.position, step)?;
        let place = |position: &Position| place_in_round(self.rules, position.slot());
        let is_turn_over = matches!(step, Step::Move(_)) || next.slot() != self.position.slot();
        if is_turn_over && place(&next) <= place(&self.position) {
            self.round = self.round.saturating_add(1);
        }
        self.position = next;
        Ok(())
    }

    fn note(&mut self, note: &Note) -> Result<(), IllegalMove> {
        match note {
            Note::Nag(nag) => self.lines.word(&format!("${nag}")),
            Note::Comment(text) => self.is_interrupted |= self.lines.comment(text),
            Note::Step(step) => {
                let text = step_text(self.rules, &self.position, *step);
                self.take(*step)?;
                self.is_interrupted |= self.lines.comment(&format!("[%{text}]"));
            }
        }
        Ok(())
    }
}

/// Returns the number of slots before this one in each round.
fn place_in_round(rules: &Rules, slot: u16) -> usize {
    let plan = rules.blueprint();
    let order = plan.order().len();
    (usize::from(slot) + order - usize::from(plan.start_at())) % order
}

/// Returns whether no remaining player moves earlier in the round.
fn opens_round(rules: &Rules, position: &Position) -> bool {
    let place = place_in_round(rules, position.slot());
    let slots = 0..rules.order().len() as u16;
    let is_in = |slot: &u16| !position.eliminated().contains(rules.turn_of(*slot));
    !slots.filter(is_in).any(|slot| place_in_round(rules, slot) < place)
}

/// Text that is wrapped into lines.
#[derive(Default)]
struct Lines {
    text: String,
    column: usize,
}

impl Lines {
    fn word(&mut self, word: &str) {
        let length = word.chars().count();
        // These have a meaning at the beginning of a line.
        let may_begin = !word.starts_with(['%', '[']);
        if self.column > 0 {
            let breaks = self.column + 1 + length >= COLUMNS && may_begin;
            self.text.push(if breaks { '\n' } else { ' ' });
            self.column = if breaks { 0 } else { self.column + 1 };
        }
        self.text.push_str(word);
        self.column += length;
    }

    /// Writes a comment and returns whether it was not empty.
    fn comment(&mut self, text: &str) -> bool {
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
