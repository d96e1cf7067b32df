//! The loop of a game: programs move by themselves, humans are asked until they decide. It ends with the input.

use std::io::{self, IsTerminal as _, StdinLock, Write as _};
use std::path::Path;

use tabiya_engine::{Kind, PlayerSet, Rules, Square};
use tabiya_notation::{MoveError, parse_move};
use tabiya_spec::english;

use crate::failure::Failure;
use crate::output::Output;
use crate::standing::name;

use super::event::Event;
use super::input::{Line, MAX_LINE, read_line};
use super::request::Request;
use super::saved;
use super::seats::Seats;
use super::session::{MAX_TURNS, Session, Turn};
use super::{speech, wire};

/// A game, everybody who plays it, and the terminal.
#[derive(Debug)]
pub(crate) struct Table<'o> {
    session: Session,
    seats: Seats,
    /// So many turns programs play without a human.
    patience: usize,
    out: &'o mut Output,
    input: StdinLock<'static>,
    /// A move that waits for the kind that the piece becomes.
    pending: Option<String>,
}

/// What follows from a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// Ask again.
    Stay,
    /// The game goes on from another position.
    GoOn,
    /// The human leaves.
    Leave,
}

impl<'o> Table<'o> {
    /// Everybody sits down.
    pub(crate) fn new(session: Session, seats: Seats, patience: usize, out: &'o mut Output) -> Self {
        Table { session, seats, patience, out, input: io::stdin().lock(), pending: None }
    }

    /// Plays until the game is over and nobody wants anything more.
    pub(crate) fn run(mut self) -> Result<(), Failure> {
        self.tell(&Event::Start)?;
        loop {
            self.programs_play()?;
            if !self.seats.any_human() || self.humans_decide()? == Next::Leave {
                return Ok(());
            }
        }
    }

    fn tell(&mut self, event: &Event<'_>) -> io::Result<()> {
        if self.out.is_json() {
            wire::tell(self.out, &self.session, &self.seats, event)
        } else {
            speech::tell(self.out, &self.session, &self.seats, event)
        }
    }

    fn refuse(&mut self, input: &str, why: &str) -> Result<Next, Failure> {
        self.tell(&Event::Refused { input, why })?;
        Ok(Next::Stay)
    }

    /// Programs move until a human has to, the game is over, or it takes too long.
    fn programs_play(&mut self) -> Result<(), Failure> {
        for _ in 0..self.patience {
            if let Some(ending) = self.session.ending() {
                return Ok(self.tell(&Event::End(&ending))?);
            }
            if self.seats.is_human(self.session.mover()) {
                return Ok(self.tell(&Event::Ask)?);
            }
            let chosen = self.seats.choose(&self.session.chosen.game.rules, self.session.position());
            let Some(played) = chosen.filter(|_| self.session.turns().len() < MAX_TURNS) else { break };
            self.make(Turn::Move(played))?;
        }
        let played = self.session.turns().len();
        let ending = self.session.ending();
        Ok(self.tell(&ending.as_ref().map_or(Event::Stopped(played), Event::End))?)
    }

    /// Plays a legal turn and tells what comes of it.
    fn make(&mut self, turn: Turn) -> io::Result<()> {
        let mover = self.session.mover();
        let before = self.session.position().eliminated();
        self.session.play(turn);
        let mut fallen = self.session.position().eliminated().without(before);
        match turn {
            Turn::Move(played) => {
                let text = self.session.turns().last().map(|last| last.text.clone()).unwrap_or_default();
                self.tell(&Event::Moved { player: mover, played, text: &text })?;
            }
            Turn::Resign => {
                fallen = fallen.without(PlayerSet::EMPTY.with(mover));
                self.tell(&Event::Resigned(mover))?;
            }
        }
        if fallen.is_empty() { Ok(()) } else { self.tell(&Event::Out(fallen)) }
    }

    /// Asks until somebody has decided something.
    fn humans_decide(&mut self) -> Result<Next, Failure> {
        loop {
            self.prompt()?;
            let line = read_line(&mut self.input)
                .map_err(|error| Failure::Usage(format!("standard input cannot be read: {error}")))?;
            let next = match line {
                Line::Text(line) => self.answer(&line)?,
                Line::TooLong => self.refuse("", &format!("the line is longer than {MAX_LINE} bytes"))?,
                Line::NotText => self.refuse("", "the line is not UTF-8")?,
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
        let mover = name(self.session.rules(), self.session.mover());
        let who = if self.session.ending().is_some() { "game over".to_owned() } else { mover };
        write!(self.out, "{who}> ")?;
        self.out.flush()
    }

    fn answer(&mut self, line: &str) -> Result<Next, Failure> {
        if let Some(asked) = self.pending.take()
            && let Some(next) = self.promote(&asked, line)?
        {
            return Ok(next);
        }
        match Request::parse(self.session.rules().board(), line) {
            // Programs that were stopped play on.
            Request::Nothing if self.is_stopped() => Ok(Next::GoOn),
            Request::Nothing => Ok(Next::Stay),
            Request::Move(text) => self.try_move(&text),
            Request::Targets(square) => self.targets(square),
            Request::Moves => {
                let moves = self.session.rules().legal_moves(self.session.position());
                self.stay(&Event::Moves(&moves))
            }
            Request::Undo => self.undo(line),
            Request::Save { file, force } => match saved::save(&self.session, &file, force) {
                Ok(()) => self.stay(&Event::Saved(&file)),
                Err(why) => self.refuse(line, &why),
            },
            Request::Load(file) => self.load(line, &file),
            Request::State => self.stay(&Event::State),
            Request::Board => self.stay(&Event::Board),
            Request::Rules => self.stay(&Event::Rules(&english(&self.session.chosen.game))),
            Request::Resign => self.resign(line),
            Request::Help => self.stay(&Event::Help),
            Request::Quit => self.leave(),
            Request::Incomplete(form) => self.refuse(line, &format!("say which file: `{form}`")),
        }
    }

    fn stay(&mut self, event: &Event<'_>) -> Result<Next, Failure> {
        self.tell(event)?;
        Ok(Next::Stay)
    }

    fn leave(&mut self) -> Result<Next, Failure> {
        self.tell(&Event::Quit)?;
        Ok(Next::Leave)
    }

    fn is_stopped(&self) -> bool {
        self.session.ending().is_none() && !self.seats.is_human(self.session.mover())
    }

    /// Why the human cannot decide now.
    fn forbidden(&self) -> Option<String> {
        if self.session.ending().is_some() {
            Some("the game is over; `undo` takes back, `quit` leaves".to_owned())
        } else if self.is_stopped() {
            Some(format!(
                "{} plays by itself; an empty line lets it go on",
                name(self.session.rules(), self.session.mover())
            ))
        } else if self.session.turns().len() >= MAX_TURNS {
            Some(format!("a game of more than {MAX_TURNS} turns is not kept"))
        } else {
            None
        }
    }

    fn try_move(&mut self, text: &str) -> Result<Next, Failure> {
        if let Some(why) = self.forbidden() {
            return self.refuse(text, &why);
        }
        match parse_move(self.session.rules(), self.session.position(), text) {
            Ok(played) => {
                self.make(Turn::Move(played))?;
                Ok(Next::GoOn)
            }
            Err(MoveError::NeedsPromotion { options, .. }) => {
                self.pending = Some(text.to_owned());
                self.stay(&Event::Promotion(&options))
            }
            Err(error) => self.refuse(text, &error.to_string()),
        }
    }

    /// Finishes a move with the kind that was asked for; `None` if the answer names no kind but asks something else.
    fn promote(&mut self, asked: &str, line: &str) -> Result<Option<Next>, Failure> {
        let rules = self.session.rules();
        let Some(kind) = rules.kinds().find(|kind| names(rules, *kind, line.trim())) else { return Ok(None) };
        let code = &rules.kind(kind).code;
        let whole = match asked.rsplit_once('#') {
            Some((squares, id)) => format!("{squares} {code}#{id}"),
            None => format!("{asked} {code}"),
        };
        self.try_move(&whole).map(Some)
    }

    fn targets(&mut self, square: Square) -> Result<Next, Failure> {
        let rules = self.session.rules();
        let mut moves = rules.legal_moves(self.session.position());
        moves.retain(|played| played.from == square);
        self.stay(&Event::Targets { square, moves: &moves })
    }

    fn undo(&mut self, line: &str) -> Result<Next, Failure> {
        let turns = self.session.turns();
        let Some(back_to) = turns.iter().rposition(|played| self.seats.is_human(played.player)) else {
            return self.refuse(line, "there is nothing to take back");
        };
        let undone = turns.len() - back_to;
        self.session = self.session.first(back_to);
        self.tell(&Event::Undone(undone))?;
        Ok(Next::GoOn)
    }

    /// What cannot be loaded changes nothing.
    fn load(&mut self, line: &str, file: &Path) -> Result<Next, Failure> {
        match saved::load(&self.session.chosen, file) {
            Ok(session) => {
                self.session = session;
                self.tell(&Event::Loaded(file))?;
                Ok(Next::GoOn)
            }
            Err(failure) => self.refuse(line, &failure.to_string()),
        }
    }

    fn resign(&mut self, line: &str) -> Result<Next, Failure> {
        if let Some(why) = self.forbidden() {
            return self.refuse(line, &why);
        }
        self.make(Turn::Resign)?;
        Ok(Next::GoOn)
    }
}

/// Whether a word is the letter or the code of a kind.
fn names(rules: &Rules, kind: Kind, word: &str) -> bool {
    let plan = rules.kind(kind);
    let mut upper = word.chars().flat_map(char::to_uppercase);
    plan.code.to_lowercase() == word.to_lowercase() || (upper.next(), upper.next()) == (Some(plan.letter), None)
}
