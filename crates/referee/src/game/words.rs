//! What players do, as it is typed and kept in lists: moves as they are written anywhere, and `throw`, `exchange`,
//! `withdraw YELLOW`, `claim threefold_repetition`, `resign` and the like.

use tabiya_engine::{Player, Position, Rules, Trigger};
use tabiya_notation::{parse_uci, uci};

use super::{Act, Game};

/// What is said in one word.
const WORDS: [(&str, Act); 6] = [
    ("resign", Act::Resign),
    ("draw", Act::Offer),
    ("accept", Act::Accept),
    ("decline", Act::Decline),
    ("exchange", Act::Exchange),
    ("throw", Act::Throw),
];

impl Act {
    /// As it is written in the position in which it is done, so that it can be read back there.
    pub fn text(&self, rules: &Rules, position: &Position) -> String {
        match self {
            Act::Move(played) => uci(rules, position, *played),
            Act::Claim { code, announced } => {
                let with = announced.map(|played| format!(" {}", uci(rules, position, played)));
                format!("claim {}{}", code.to_lowercase(), with.unwrap_or_default())
            }
            Act::Withdraw(heir) => format!("withdraw {}", rules.player(*heir).name),
            other => WORDS.iter().find(|(_, known)| known == other).map_or("", |(word, _)| word).to_owned(),
        }
    }
}

impl Game {
    /// Reads what a player does; or says why it means nothing, and for a move why it is not legal.
    pub fn read_act(&self, text: &str) -> Result<Act, String> {
        if let Some((_, act)) = WORDS.iter().find(|(word, _)| *word == text) {
            return Ok(act.clone());
        }
        if text == "withdraw" {
            return Err(self.whom());
        }
        match text.split_once(' ') {
            Some(("claim", code)) => self.read_claim(code),
            Some(("withdraw", name)) => {
                let called = |player: &Player| self.rules.player(*player).name.eq_ignore_ascii_case(name);
                let heir = self.rules.players().find(called);
                heir.map(Act::Withdraw).ok_or_else(|| format!("there is no player called {name:.60}"))
            }
            _ => {
                let played = parse_uci(&self.rules, &self.state.position, text);
                played.map(Act::Move).map_err(|error| error.to_string())
            }
        }
    }

    /// The claim of a code; or, if there is none of that name, what comes after the last space is a move that is announced
    /// (FIDE 9.2.1, 9.3.1).
    fn read_claim(&self, text: &str) -> Result<Act, String> {
        let unknown = || format!("nothing called {text:.60} can be claimed");
        if let Some(act) = self.claim_of(text) {
            return Ok(act);
        }
        let (code, text) = text.rsplit_once(' ').ok_or_else(unknown)?;
        let Some(Act::Claim { code, .. }) = self.claim_of(code) else { return Err(unknown()) };
        let played = parse_uci(&self.rules, &self.state.position, text).map_err(|error| error.to_string())?;
        Ok(Act::Claim { code, announced: Some(played) })
    }

    /// What to write in order to hand an army over.
    fn whom(&self) -> String {
        let forms: Vec<String> =
            self.heirs().iter().map(|heir| format!("`withdraw {}`", self.rules.player(heir).name)).collect();
        match forms.as_slice() {
            [] => "your army can be handed over to nobody now".to_owned(),
            _ => format!("say to whom you hand your army over: {}", forms.join(" or ")),
        }
    }

    /// The claim of that name, in upper or lower case.
    pub fn claim_of(&self, code: &str) -> Option<Act> {
        let known = self.claims().find(|known| known.eq_ignore_ascii_case(code))?.to_owned();
        Some(Act::Claim { code: known, announced: None })
    }

    /// What can be claimed in this game, if it holds.
    pub fn claims(&self) -> impl Iterator<Item = &str> {
        let endings = self.rules.endings().iter();
        endings.filter(|plan| plan.by == Trigger::Claim).map(|plan| plan.code.as_str())
    }

    /// What can be claimed and holds as things stand, each once.
    pub fn holding_claims(&self) -> Vec<&str> {
        let (position, tally, mover) = (&self.state.position, self.tally(), self.mover());
        let holds =
            |code: &str| self.rules.ending(position, tally, Trigger::Claim, mover, Some(code)).is_some();
        let mut holding: Vec<&str> = Vec::new();
        if self.end.is_none() {
            for code in self.claims() {
                if !holding.contains(&code) && holds(code) {
                    holding.push(code);
                }
            }
        }
        holding
    }

    /// What the player who is asked can do to bring the game on: answer a proposal, throw the die, or else move. Whatever
    /// the game is, it goes on to its end if one of these is done again and again.
    pub fn ways_on(&self) -> Vec<Act> {
        if self.end.is_some() {
            Vec::new()
        } else if self.proposal().is_some() {
            vec![Act::Accept, Act::Decline]
        } else if self.awaits_throw() {
            vec![Act::Throw]
        } else {
            self.rules.legal_moves(&self.state.position).into_iter().map(Act::Move).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(name: &str) -> Game {
        Game::new(tabiya_spec::library::load(name).unwrap().rules)
    }

    #[test]
    fn what_is_written_can_be_read_back() {
        for name in ["chess", "enochian", "nightrider"] {
            let mut game = game(name);
            for turn in 0..40 {
                let ways = game.ways_on();
                for act in &ways {
                    let text = act.text(game.rules(), &game.state().position);
                    assert_eq!(game.read_act(&text).as_ref(), Ok(act), "{name}: {text}");
                }
                let Some(act) = ways.get(turn * 7 % ways.len().max(1)) else { break };
                game.submit(act).unwrap();
            }
        }
    }

    #[test]
    fn claims_hold_when_the_position_has_come_back() {
        let mut game = game("chess");
        let read = |game: &Game, text: &str| game.read_act(text).unwrap();
        assert!(game.holding_claims().is_empty());
        for text in ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2) {
            game.submit(&read(&game, text)).unwrap();
        }
        assert_eq!(game.holding_claims(), ["THREEFOLD_REPETITION"]);
        let announced = read(&game, "claim threefold_repetition g1f3");
        assert!(matches!(announced, Act::Claim { announced: Some(_), .. }));
        assert_eq!(
            announced.text(game.rules(), &game.state().position),
            "claim threefold_repetition g1f3",
            "what is written can be read back"
        );
        assert!(game.read_act("claim threefold_repetition g1g5").is_err());
        game.submit(&read(&game, "claim threefold_repetition")).unwrap();
        assert!(game.holding_claims().is_empty() && game.ways_on().is_empty());
    }
}
