//! Executes the commands of a human player. A rejected command changes nothing.

use std::path::Path;

use tabiya_engine::{Kind, Square};
use tabiya_notation::{MoveError, named_in_hand, parse_uci};
use tabiya_referee::Action;
use tabiya_spec::english;

use crate::error::CliError;
use crate::position_summary::player_name;

use super::command::Command;
use super::event::Event;
use super::promotion::Pending;
use super::saved_game;
use super::terminal::{Next, Terminal};

impl Terminal<'_> {
    /// Executes a line.
    pub(super) fn execute(&mut self, line: &str) -> Result<Next, CliError> {
        if let Some(asked) = self.pending.take()
            && let Some(next) = self.promote(asked, line)?
        {
            return Ok(next);
        }
        match Command::parse(self.session().rules().board(), line) {
            // After `stopped`, an empty line lets the programs continue.
            Command::Nothing if self.is_stopped() => Ok(Next::Continue),
            Command::Nothing => Ok(Next::Ask),
            Command::Move(text) => self.try_move(&text),
            Command::Targets(square) => self.targets(square),
            Command::Moves => {
                let moves = self.session().rules().legal_moves(self.session().position());
                self.show(&Event::Moves(&moves))
            }
            Command::Undo => self.undo(line),
            Command::Save { file, force } => match saved_game::save(&self.game, &file, force) {
                Ok(()) => self.show(&Event::Saved(&file)),
                Err(why) => self.refuse(line, &why),
            },
            Command::Load(file) => self.load(line, &file),
            Command::State => self.show(&Event::State),
            Command::Board => self.show(&Event::Board),
            Command::Rules => self.show(&Event::Rules(&english(&self.game.loaded.game))),
            Command::Action(text) => self.act(line, &text),
            Command::Claim(code) => self.claim(line, &code),
            Command::Help => self.show(&Event::Help),
            Command::Quit => self.quit(),
            Command::Incomplete(form) => self.refuse(line, &format!("name a file: `{form}`")),
        }
    }

    fn show(&mut self, event: &Event<'_>) -> Result<Next, CliError> {
        self.emit(event)?;
        Ok(Next::Ask)
    }

    /// Ends the program.
    pub(super) fn quit(&mut self) -> Result<Next, CliError> {
        self.drop_pending()?;
        self.emit(&Event::Quit)?;
        Ok(Next::Quit)
    }

    fn is_stopped(&self) -> bool {
        self.session().end().is_none() && !self.seats.is_human(self.session().actor())
    }

    /// Returns why a human cannot decide now.
    fn forbidden(&self) -> Option<String> {
        if self.session().end().is_some() {
            Some("the game is over; `undo` takes back a move, `quit` leaves".to_owned())
        } else if self.is_stopped() {
            Some(format!(
                "{} is played by a program; an empty line lets it continue",
                player_name(self.session().rules(), self.session().actor())
            ))
        } else {
            None
        }
    }

    /// Returns what must be decided before a move.
    fn before_moving(&self) -> Option<&'static str> {
        let game = self.session().game();
        if game.proposal().is_some() {
            Some("an exchange is proposed: `accept` or `decline` it")
        } else if game.asked_out_of_turn().is_some() {
            Some("another army is to move: `accept` or `decline`")
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
        if let Some(kind) = named_in_hand(self.session().rules(), text) {
            return self.hand_targets(kind);
        }
        match parse_uci(self.session().rules(), self.session().position(), text) {
            Ok(played) => self.act_or_refuse(text, &Action::Move(played)),
            Err(MoveError::NeedsPromotion { options, .. }) => {
                self.pending = Some(Pending::new(text, &options));
                self.ask_pending()
            }
            Err(error) => self.refuse(text, &error.to_string()),
        }
    }

    fn hand_targets(&mut self, kind: Kind) -> Result<Next, CliError> {
        let rules = self.session().rules();
        let mut moves = rules.legal_moves(self.session().position());
        moves.retain(|played| played.dropped() == Some(kind));
        self.show(&Event::HandTargets { kind, moves: &moves })
    }

    fn targets(&mut self, square: Square) -> Result<Next, CliError> {
        let rules = self.session().rules();
        let mut moves = rules.legal_moves(self.session().position());
        moves.retain(|played| played.from == square);
        self.show(&Event::Targets { square, moves: &moves })
    }

    fn undo(&mut self, line: &str) -> Result<Next, CliError> {
        let log = self.session().log();
        let Some(keep) = log.iter().rposition(|entry| self.seats.is_human(entry.player)) else {
            return self.refuse(line, "there is nothing to take back");
        };
        let undone = log.len() - keep;
        self.game.session.undo_to(keep);
        self.emit(&Event::Undone(undone))?;
        Ok(Next::Continue)
    }

    /// Loads a saved game. An invalid one changes nothing.
    fn load(&mut self, line: &str, file: &Path) -> Result<Next, CliError> {
        match saved_game::load(&self.game, file) {
            Ok(game) => {
                self.game = game;
                self.emit(&Event::Loaded(file))?;
                Ok(Next::Continue)
            }
            Err(error) => self.refuse(line, &error.to_string()),
        }
    }

    fn act_or_refuse(&mut self, line: &str, act: &Action) -> Result<Next, CliError> {
        match self.make(act)? {
            Ok(()) => Ok(Next::Continue),
            Err(illegal) => self.refuse(line, &illegal.to_string()),
        }
    }

    /// Executes an action other than a move or a claim.
    fn act(&mut self, line: &str, text: &str) -> Result<Next, CliError> {
        if let Some(why) = self.forbidden() {
            return self.refuse(line, &why);
        }
        match self.session().game().parse_action(text) {
            Ok(act) => self.act_or_refuse(line, &act),
            Err(error) => self.refuse(line, &error.to_string()),
        }
    }

    /// Claims a draw. Without a code, tries every claim of the game until one is valid.
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
            return self
                .refuse(line, &format!("the claims of this game are {}", codes.join(", ").to_lowercase()));
        }
        let acts: Vec<Action> =
            wanted.into_iter().filter_map(|code| self.session().game().claim_action(code)).collect();
        for act in acts {
            if self.make(&act)?.is_ok() {
                return Ok(Next::Continue);
            }
        }
        self.refuse(line, "the claim is not valid")
    }
}
