//! Parses a game of a file with its rules.

use tabiya_engine::Rules;

use super::entry::{Entry, Item};
use super::lexer::Place;
use super::{Game, Note, PgnError, result};
use crate::step::parse_non_move;
use crate::symbols::clip;
use crate::{State, parse_san, parse_state};

impl Entry<'_> {
    /// Parses the game with these rules.
    ///
    /// # Errors
    ///
    /// Returns the first problem with its place: an invalid starting position, an illegal move, or a wrong result.
    pub fn read(&self, rules: &Rules) -> Result<Game, PgnError> {
        let mut game = Game::new(self.start(rules)?);
        let in_other_fields = ["Result", "SetUp", "FEN"];
        game.tags.clone_from(&self.tags);
        game.tags.retain(|(name, _)| !in_other_fields.contains(&name.as_str()));
        let mut position = game.start.position.clone();
        for (place, item) in &self.items {
            match item {
                Item::Comment(text) => {
                    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
                    let command = words.strip_prefix("[%").and_then(|rest| rest.strip_suffix(']'));
                    match command.and_then(|text| parse_non_move(rules, text)) {
                        Some(step) => {
                            let next = step
                                .ok()
                                .and_then(|step| Some((step, rules.play_step(&position, step).ok()?)));
                            let (step, next) = next.ok_or_else(|| {
                                place.error(format!("`{}` is not possible here", clip(&words)))
                            })?;
                            position = next;
                            game.push(step);
                        }
                        None if words.is_empty() => {}
                        None => game.remark(Note::Comment(words)),
                    }
                }
                Item::Nag(nag) => game.remark(Note::Nag(*nag)),
                Item::Move(word) => {
                    let bare = word.trim_end_matches(['!', '?']);
                    if !bare.is_empty() {
                        let played = parse_san(rules, &position, bare)
                            .map_err(|error| place.error(format!("`{}`: {error}", clip(bare))))?;
                        position = rules.play_unchecked(&position, played);
                        game.moves.push(played);
                    }
                    if let Some(nag) = nag_of(&word[bare.len()..]) {
                        game.remark(Note::Nag(nag));
                    }
                }
            }
        }
        game.winners = result::parse(rules, self.result.1).map_err(|reason| self.result.0.error(reason))?;
        match self.tagged("Result") {
            Some((place, tag)) if tag != self.result.1 => {
                let (tag, end) = (clip(tag), clip(self.result.1));
                Err(place.error(format!("the tag says {tag}, but the game ends with {end}")))
            }
            _ => Ok(game),
        }
    }

    fn start(&self, rules: &Rules) -> Result<State, PgnError> {
        match (self.tagged("FEN"), self.tagged("SetUp")) {
            (Some((place, _)), Some((_, "0"))) => {
                Err(place.error("there is a FEN, but SetUp says that there is none"))
            }
            (Some((place, text)), _) => {
                parse_state(rules, text).map_err(|error| place.error(format!("FEN: {error}")))
            }
            (None, Some((place, setup))) if setup != "0" => {
                Err(place.error("SetUp says that there is a FEN, but there is none"))
            }
            (None, _) => Ok(State::new(rules.start())),
        }
    }

    fn tagged(&self, name: &str) -> Option<(Place, &str)> {
        let at = self.tags.iter().position(|(other, _)| other == name)?;
        Some((*self.tag_places.get(at)?, &self.tags[at].1))
    }
}

/// Returns the NAG for an annotation such as `!?`.
fn nag_of(annotation: &str) -> Option<u8> {
    let nags = [("!", 1), ("?", 2), ("!!", 3), ("??", 4), ("!?", 5), ("?!", 6)];
    nags.iter().find(|(known, _)| *known == annotation).map(|(_, nag)| *nag)
}
