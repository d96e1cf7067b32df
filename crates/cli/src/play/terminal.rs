//! The main loop of a game in the terminal: programs move, humans are asked until they decide. It ends with the input.

use std::io::{self, IsTerminal as _, StdinLock, Write as _};

use tabiya_engine::{Player, PlayerSet, Position};
use tabiya_referee::{Action, IllegalAction, Session, action_before_moving};

use crate::error::CliError;
use crate::output::Output;
use crate::position_summary::player_name;

use super::event::Event;
use super::game::{TerminalGame, passed_over, passed_over_at_start};
use super::promotion::Pending;
use super::seats::Seats;
use super::{json_output, text_output};
use crate::line_reader::{Line, MAX_LINE, read_line};

/// A game, its seats, and standard input and output.
pub(crate) struct Terminal<'o> {
    pub(super) game: TerminalGame,
    pub(super) seats: Seats,
    /// The maximum number of turns without a human decision.
    max_plies: usize,
    out: &'o mut Output,
    input: StdinLock<'static>,
    /// A move that waits for its promotion piece.
    pub(super) pending: Option<Pending>,
}

/// What follows a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// Ask for the next command.
    Ask,
    /// Continue the game.
    Continue,
    /// End the program.
    Quit,
}

impl<'o> Terminal<'o> {
    /// Prepares a game. Nothing is printed yet.
    pub(crate) fn new(game: TerminalGame, seats: Seats, max_plies: usize, out: &'o mut Output) -> Self {
        Terminal { game, seats, max_plies, out, input: io::stdin().lock(), pending: None }
    }

    /// Plays until the game is over and the human leaves.
    pub(crate) fn run(mut self) -> Result<(), CliError> {
        self.emit(&Event::Start)?;
        let start = self.session().options().start.position.clone();
        if start == self.session().rules().start() {
            self.emit_passed_over(&passed_over_at_start(self.session().rules()))?;
        }
        self.emit_throws(0, &start)?;
        loop {
            self.programs_play()?;
            if !self.seats.any_human() || self.humans_decide()? == Next::Quit {
                return Ok(());
            }
        }
    }

    /// The game in progress.
    pub(super) fn session(&self) -> &Session {
        &self.game.session
    }

    /// Prints an event in the format of the output.
    pub(super) fn emit(&mut self, event: &Event<'_>) -> io::Result<()> {
        if self.out.is_json() {
            json_output::emit(self.out, &self.game, &self.seats, event)
        } else {
            text_output::emit(self.out, &self.game, &self.seats, event)
        }
    }

    /// Rejects a line.
    pub(super) fn refuse(&mut self, input: &str, why: &str) -> Result<Next, CliError> {
        self.emit(&Event::Refused { input, why })?;
        Ok(Next::Ask)
    }

    /// Rejects a line that cannot be read, and repeats a pending question.
    fn refuse_line(&mut self, why: &str) -> Result<Next, CliError> {
        self.refuse("", why)?;
        self.ask_pending()
    }

    /// Lets programs move until a human must decide, the game is over, or the limit is reached.
    fn programs_play(&mut self) -> Result<(), CliError> {
        for _ in 0..self.max_plies {
            if let Some(end) = self.session().end().cloned() {
                return Ok(self.emit(&Event::End(&end))?);
            }
            if self.seats.is_human(self.session().actor()) {
                return Ok(self.emit(&Event::Ask)?);
            }
            let game = self.game.session.game();
            let chosen = action_before_moving(game).or_else(|| self.seats.choose(game));
            let Some(act) = chosen else { break };
            // Players choose legal actions; if one does not, it stops playing.
            if self.make(&act)?.is_err() {
                break;
            }
        }
        let played = self.session().log().len();
        let ending = self.session().end().cloned();
        Ok(self.emit(&ending.as_ref().map_or(Event::Stopped(played), Event::End))?)
    }

    /// Performs an action and emits its events, or returns why it is illegal.
    pub(super) fn make(&mut self, act: &Action) -> io::Result<Result<(), IllegalAction>> {
        let (player, mover) = (self.session().actor(), self.session().game().mover());
        let (before, steps) = (self.session().position().clone(), self.session().game().steps().len());
        if let Err(illegal) = self.game.act(act.clone()) {
            return Ok(Err(illegal));
        }
        let mut fallen = self.session().position().eliminated().without(before.eliminated());
        match act {
            Action::Move(played) => {
                let played = *played;
                let text = self.session().log().last().map(|last| last.text.clone()).unwrap_or_default();
                self.emit(&Event::Moved { player: mover, played, text: &text })?;
                let rules = self.session().rules();
                let skipped = passed_over(rules, &before, &rules.play_unchecked(&before, played));
                self.emit_passed_over(&skipped)?;
            }
            Action::Resign => {
                fallen = fallen.without(PlayerSet::EMPTY.with(player));
                self.emit(&Event::Resigned(player))?;
            }
            _ => self.emit(&Event::Acted { player, act })?,
        }
        if !fallen.is_empty() {
            self.emit(&Event::Out(fallen))?;
        }
        self.emit_throws(steps, &before)?;
        Ok(Ok(()))
    }

    fn emit_throws(&mut self, steps: usize, before: &Position) -> io::Result<()> {
        for throw in self.game.throws(steps, before) {
            self.emit(&Event::Thrown(&throw))?;
            self.emit_passed_over(&throw.passed_over)?;
        }
        Ok(())
    }

    fn emit_passed_over(&mut self, players: &[Player]) -> io::Result<()> {
        if players.is_empty() { Ok(()) } else { self.emit(&Event::PassedOver(players)) }
    }

    /// Reads commands until one changes the game.
    fn humans_decide(&mut self) -> Result<Next, CliError> {
        loop {
            self.prompt()?;
            let line = read_line(&mut self.input)
                .map_err(|error| CliError::Usage(format!("standard input cannot be read: {error}")))?;
            let next = match line {
                Line::Text(line) => self.execute(&line)?,
                Line::TooLong => self.refuse_line(&format!("the line is longer than {MAX_LINE} bytes"))?,
                Line::NotText => self.refuse_line("the line is not UTF-8")?,
                Line::End => self.quit()?,
            };
            if next != Next::Ask {
                return Ok(next);
            }
        }
    }

    /// Prints the prompt if standard input is a terminal.
    fn prompt(&mut self) -> io::Result<()> {
        if self.out.is_json() || !io::stdin().is_terminal() {
            return self.out.flush();
        }
        let mover = player_name(self.session().rules(), self.session().actor());
        let who = if self.session().end().is_some() { "game over".to_owned() } else { mover };
        write!(self.out, "{who}> ")?;
        self.out.flush()
    }
}
