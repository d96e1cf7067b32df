//! The loop of a game: programs move by themselves, humans are asked until they decide. It ends with the input.

use std::io::{self, IsTerminal as _, StdinLock, Write as _};

use tabiya_engine::{PlayerSet, Position};
use tabiya_referee::{Action, IllegalAction, Session, action_before_moving};

use crate::error::CliError;
use crate::output::Output;
use crate::position_summary::player_name;

use super::event::Event;
use super::game::TerminalGame;
use super::input::{Line, MAX_LINE, read_line};
use super::promotion::Pending;
use super::seats::Seats;
use super::{speech, wire};

/// A game, everybody who plays it, and the terminal.
#[derive(Debug)]
pub(crate) struct Table<'o> {
    pub(super) game: TerminalGame,
    pub(super) seats: Seats,
    /// So many turns programs play without a human.
    patience: usize,
    out: &'o mut Output,
    input: StdinLock<'static>,
    /// A move that waits for the kind that the piece becomes.
    pub(super) pending: Option<Pending>,
}

/// What follows from a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// Ask again.
    Stay,
    /// The game goes on from another position.
    GoOn,
    /// The human leaves.
    Leave,
}

impl<'o> Table<'o> {
    /// Everybody sits down.
    pub(crate) fn new(game: TerminalGame, seats: Seats, patience: usize, out: &'o mut Output) -> Self {
        Table { game, seats, patience, out, input: io::stdin().lock(), pending: None }
    }

    /// Plays until the game is over and nobody wants anything more.
    pub(crate) fn run(mut self) -> Result<(), CliError> {
        self.tell(&Event::Start)?;
        let start = self.session().options().start.position.clone();
        self.tell_throws(0, &start)?;
        loop {
            self.programs_play()?;
            if !self.seats.any_human() || self.humans_decide()? == Next::Leave {
                return Ok(());
            }
        }
    }

    /// The game in progress.
    pub(super) fn session(&self) -> &Session {
        &self.game.session
    }

    /// In the form that was asked for.
    pub(super) fn tell(&mut self, event: &Event<'_>) -> io::Result<()> {
        if self.out.is_json() {
            wire::tell(self.out, &self.game, &self.seats, event)
        } else {
            speech::tell(self.out, &self.game, &self.seats, event)
        }
    }

    /// Tells why not, and asks again.
    pub(super) fn refuse(&mut self, input: &str, why: &str) -> Result<Next, CliError> {
        self.tell(&Event::Refused { input, why })?;
        Ok(Next::Stay)
    }

    /// The same about a line that nobody could read: a question that waits for its answer is asked again.
    fn refuse_line(&mut self, why: &str) -> Result<Next, CliError> {
        self.refuse("", why)?;
        self.ask_pending()
    }

    /// Programs move until a human has to, the game is over, or it takes too long.
    fn programs_play(&mut self) -> Result<(), CliError> {
        for _ in 0..self.patience {
            if let Some(end) = self.session().end().cloned() {
                return Ok(self.tell(&Event::End(&end))?);
            }
            if self.seats.is_human(self.session().actor()) {
                return Ok(self.tell(&Event::Ask)?);
            }
            let game = self.game.session.game();
            let chosen = action_before_moving(game).or_else(|| self.seats.choose(game));
            let Some(act) = chosen else { break };
            // A player chooses what is allowed; if it does not after all, it plays no more.
            if self.make(&act)?.is_err() {
                break;
            }
        }
        let played = self.session().log().len();
        let ending = self.session().end().cloned();
        Ok(self.tell(&ending.as_ref().map_or(Event::Stopped(played), Event::End))?)
    }

    /// Does something, and tells what comes of it; or says why it is not allowed.
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
                self.tell(&Event::Moved { player: mover, played, text: &text })?;
            }
            Action::Resign => {
                fallen = fallen.without(PlayerSet::EMPTY.with(player));
                self.tell(&Event::Resigned(player))?;
            }
            _ => self.tell(&Event::Acted { player, act })?,
        }
        if !fallen.is_empty() {
            self.tell(&Event::Out(fallen))?;
        }
        self.tell_throws(steps, &before)?;
        Ok(Ok(()))
    }

    fn tell_throws(&mut self, steps: usize, before: &Position) -> io::Result<()> {
        let thrown = self.game.throws(steps, before);
        thrown.into_iter().try_for_each(|throw| self.tell(&Event::Thrown(throw)))
    }

    /// Asks until somebody has decided something.
    fn humans_decide(&mut self) -> Result<Next, CliError> {
        loop {
            self.prompt()?;
            let line = read_line(&mut self.input)
                .map_err(|error| CliError::Usage(format!("standard input cannot be read: {error}")))?;
            let next = match line {
                Line::Text(line) => self.answer(&line)?,
                Line::TooLong => self.refuse_line(&format!("the line is longer than {MAX_LINE} bytes"))?,
                Line::NotText => self.refuse_line("the line is not UTF-8")?,
                Line::End => self.leave()?,
            };
            if next != Next::Stay {
                return Ok(next);
            }
        }
    }

    /// Only where somebody types: in a pipe it would only be in the way.
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
