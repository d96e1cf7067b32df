//! What a human asks for, done or refused. A refusal changes nothing, and everything but a decision asks again.

use std::path::Path;

use tabiya_engine::Square;
use tabiya_notation::{MoveError, parse_uci};
use tabiya_referee::Action;
use tabiya_spec::english;

use crate::error::CliError;
use crate::position_summary::player_name;

use super::event::Event;
use super::promotion::Pending;
use super::request::Request;
use super::saved;
use super::table::{Next, Table};

impl Table<'_> {
    /// Does what a line asks for.
    pub(super) fn answer(&mut self, line: &str) -> Result<Next, CliError> {
        if let Some(asked) = self.pending.take()
            && let Some(next) = self.promote(asked, line)?
        {
            return Ok(next);
        }
        match Request::parse(self.session().rules().board(), line) {
            // Programs that were stopped play on.
            Request::Nothing if self.is_stopped() => Ok(Next::GoOn),
            Request::Nothing => Ok(Next::Stay),
            Request::Move(text) => self.try_move(&text),
            Request::Targets(square) => self.targets(square),
            Request::Moves => {
                let moves = self.session().rules().legal_moves(self.session().position());
                self.stay(&Event::Moves(&moves))
            }
            Request::Undo => self.undo(line),
            Request::Save { file, force } => match saved::save(&self.game, &file, force) {
                Ok(()) => self.stay(&Event::Saved(&file)),
                Err(why) => self.refuse(line, &why),
            },
            Request::Load(file) => self.load(line, &file),
            Request::State => self.stay(&Event::State),
            Request::Board => self.stay(&Event::Board),
            Request::Rules => self.stay(&Event::Rules(&english(&self.game.loaded.game))),
            Request::Action(text) => self.act(line, &text),
            Request::Claim(code) => self.claim(line, &code),
            Request::Help => self.stay(&Event::Help),
            Request::Quit => self.leave(),
            Request::Incomplete(form) => self.refuse(line, &format!("say which file: `{form}`")),
        }
    }

    fn stay(&mut self, event: &Event<'_>) -> Result<Next, CliError> {
        self.tell(event)?;
        Ok(Next::Stay)
    }

    /// Says goodbye.
    pub(super) fn leave(&mut self) -> Result<Next, CliError> {
        self.drop_pending()?;
        self.tell(&Event::Quit)?;
        Ok(Next::Leave)
    }

    fn is_stopped(&self) -> bool {
        self.session().end().is_none() && !self.seats.is_human(self.session().actor())
    }

    /// Why the human cannot decide now.
    fn forbidden(&self) -> Option<String> {
        if self.session().end().is_some() {
            Some("the game is over; `undo` takes back, `quit` leaves".to_owned())
        } else if self.is_stopped() {
            Some(format!(
                "{} plays by itself; an empty line lets it go on",
                player_name(self.session().rules(), self.session().actor())
            ))
        } else {
            None
        }
    }

    /// What must be done before a move.
    fn before_moving(&self) -> Option<&'static str> {
        let game = self.session().game();
        if game.proposal().is_some() {
            Some("an exchange is proposed: `accept` or `decline` it")
        } else if game.awaits_throw() {
            Some("the die must be thrown: `throw`, or propose an `exchange` first")
        } else {
            None
        }
    }

    pub(super) fn try_move(&mut self, text: &str) -> Result<Next, CliError> {
        if let Some(why) = self.forbidden() {
            return self.refuse(text, &why);
        }
        if let Some(why) = self.before_moving() {
            return self.refuse(text, why);
        }
        match parse_uci(self.session().rules(), self.session().position(), text) {
            Ok(played) => self.make_or_refuse(text, &Action::Move(played)),
            Err(MoveError::NeedsPromotion { options, .. }) => {
                self.pending = Some(Pending::new(text, &options));
                self.ask_pending()
            }
            Err(error) => self.refuse(text, &error.to_string()),
        }
    }

    fn targets(&mut self, square: Square) -> Result<Next, CliError> {
        let rules = self.session().rules();
        let mut moves = rules.legal_moves(self.session().position());
        moves.retain(|played| played.from == square);
        self.stay(&Event::Targets { square, moves: &moves })
    }

    fn undo(&mut self, line: &str) -> Result<Next, CliError> {
        let log = self.session().log();
        let Some(keep) = log.iter().rposition(|entry| self.seats.is_human(entry.player)) else {
            return self.refuse(line, "there is nothing to take back");
        };
        let undone = log.len() - keep;
        self.game.session.undo_to(keep);
        self.tell(&Event::Undone(undone))?;
        Ok(Next::GoOn)
    }

    /// What cannot be loaded changes nothing.
    fn load(&mut self, line: &str, file: &Path) -> Result<Next, CliError> {
        match saved::load(&self.game, file) {
            Ok(game) => {
                self.game = game;
                self.tell(&Event::Loaded(file))?;
                Ok(Next::GoOn)
            }
            Err(failure) => self.refuse(line, &failure.to_string()),
        }
    }

    fn make_or_refuse(&mut self, line: &str, act: &Action) -> Result<Next, CliError> {
        match self.make(act)? {
            Ok(()) => Ok(Next::GoOn),
            Err(illegal) => self.refuse(line, &illegal.to_string()),
        }
    }

    /// What can be done beside moving.
    fn act(&mut self, line: &str, text: &str) -> Result<Next, CliError> {
        if let Some(why) = self.forbidden() {
            return self.refuse(line, &why);
        }
        match self.session().game().parse_action(text) {
            Ok(act) => self.make_or_refuse(line, &act),
            Err(error) => self.refuse(line, &error.to_string()),
        }
    }

    /// Without a name everything is claimed that can be, until something holds.
    fn claim(&mut self, line: &str, code: &str) -> Result<Next, CliError> {
        if let Some(why) = self.forbidden() {
            return self.refuse(line, &why);
        }
        let codes: Vec<String> = self.session().game().claims().map(str::to_owned).collect();
        if codes.is_empty() {
            return self.refuse(line, "nothing can be claimed in this game");
        }
        let wanted: Vec<&String> =
            codes.iter().filter(|known| code.is_empty() || known.eq_ignore_ascii_case(code)).collect();
        if wanted.is_empty() {
            return self.refuse(line, &format!("what can be claimed is {}", codes.join(", ").to_lowercase()));
        }
        let acts: Vec<Action> =
            wanted.into_iter().filter_map(|code| self.session().game().claim_action(code)).collect();
        for act in acts {
            if self.make(&act)?.is_ok() {
                return Ok(Next::GoOn);
            }
        }
        self.refuse(line, "the claim does not hold")
    }
}
