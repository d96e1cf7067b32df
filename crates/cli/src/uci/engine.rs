//! The engine between its commands: what is set, which position is on the board, whether it thinks.

use std::collections::VecDeque;
use std::io::{self, Write as _};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender};
use std::time::{Duration, Instant};

use tabiya_engine::{Position, Rules};
use tabiya_notation::{State, parse_move, parse_state, state_text};
use tabiya_referee::state_after;

use super::Event;
use super::go::Go;
use super::request::{Request, short};
use super::settings::Settings;
use super::thinking::{Mind, Thinking};
use crate::chosen::Chosen;
use crate::failure::Failure;
use crate::output::Output;
use crate::play::input::{Line, MAX_LINE};
use crate::text::plain;

/// An engine and the program that it talks to.
pub(super) struct Engine<'o> {
    settings: Settings,
    board: Board,
    /// Who chooses; during a search, it is with that.
    mind: Option<Mind>,
    /// The search that is under way.
    thinking: Option<Thinking>,
    /// What cannot be done during a search, in the order of its arrival.
    kept: VecDeque<Request>,
    /// If the input has ended: until when what was asked for before is still thought about.
    last: Option<Instant>,
    events: SyncSender<Event>,
    out: &'o mut Output,
}

/// What is on the board. An engine is told what was played and asked for a move, whatever the laws say about the game.
#[derive(Debug)]
struct Board {
    game: Chosen,
    state: State,
    /// The keys of the positions before it, oldest first.
    earlier: Vec<u64>,
}

impl Board {
    fn new(game: Chosen, state: State) -> Self {
        Board { game, state, earlier: Vec::new() }
    }

    fn rules(&self) -> &Rules {
        &self.game.game.rules
    }

    fn position(&self) -> &Position {
        &self.state.position
    }
}

/// What follows from an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Stay,
    Leave,
}

/// So many commands are kept during a search; more are refused.
const MOST_KEPT: usize = 64;

/// How long it thinks about what is left when its input has ended: nobody can stop it any more.
const LAST_WORDS: Duration = Duration::from_secs(10);

impl<'o> Engine<'o> {
    /// An engine at the start of chess.
    pub(super) fn new(events: SyncSender<Event>, out: &'o mut Output) -> Result<Self, Failure> {
        let settings = Settings::new()?;
        let board = at_start(&settings);
        let mind = Some(settings.player());
        let kept = VecDeque::new();
        Ok(Engine { settings, board, mind, thinking: None, kept, last: None, events, out })
    }

    /// Does what has to be done now.
    pub(super) fn handle(&mut self, event: Event) -> Result<Next, Failure> {
        match event {
            Event::Told(line) => self.say(&line)?,
            Event::Chosen(mind, best) => self.finish(mind, &best)?,
            Event::Line(Line::Text(line)) => match Request::parse(&line) {
                Ok(request) => return self.receive(request),
                Err(why) => self.complain(&why)?,
            },
            Event::Line(Line::TooLong) => {
                self.complain(&format!("the line is longer than {MAX_LINE} bytes"))?;
            }
            Event::Line(Line::NotText) => self.complain("the line is not UTF-8")?,
            Event::Line(Line::End) => {
                let last = Instant::now() + LAST_WORDS;
                self.last = Some(last);
                if let Some(thinking) = &self.thinking {
                    thinking.stop_by(last);
                }
            }
        }
        let is_done = self.last.is_some() && self.thinking.is_none();
        Ok(if is_done { Next::Leave } else { Next::Stay })
    }

    /// Obeys now, or when the search is over. What waits already comes first.
    fn receive(&mut self, request: Request) -> Result<Next, Failure> {
        let nothing_waits = self.thinking.is_none() && self.kept.is_empty();
        if nothing_waits || request.is_urgent() {
            return self.obey(request);
        }
        if self.kept.len() < MOST_KEPT {
            self.kept.push_back(request);
        } else {
            self.complain("too many commands wait for the end of the search")?;
        }
        Ok(Next::Stay)
    }

    fn obey(&mut self, request: Request) -> Result<Next, Failure> {
        match request {
            Request::Introduce => self.introduce()?,
            Request::Ready => self.say("readyok")?,
            Request::NewGame => self.sit_down(),
            Request::Set { name, value } => match self.settings.set(&name, &value) {
                Ok(()) => self.change(),
                Err(why) => self.complain(&why)?,
            },
            Request::Position { start, moves } => match self.set_up(start.as_deref(), &moves) {
                Ok(board) => self.board = board,
                Err(why) => self.complain(&why)?,
            },
            Request::Go(go) => self.search(&go)?,
            Request::Show => self.show()?,
            Request::Stop => self.stop(),
            Request::Quit => {
                self.stop();
                return Ok(Next::Leave);
            }
            Request::Nothing => {}
        }
        Ok(Next::Stay)
    }

    fn introduce(&mut self) -> io::Result<()> {
        self.say(&format!("id name Tabiya {}", env!("CARGO_PKG_VERSION")))?;
        self.say("id author The Tabiya authors")?;
        for line in self.settings.lines() {
            self.say(&line)?;
        }
        self.say("uciok")
    }

    /// A player who remembers nothing.
    fn sit_down(&mut self) {
        self.mind = Some(self.settings.player());
    }

    /// Something was set: the player is another one, and another game begins at its start.
    fn change(&mut self) {
        self.sit_down();
        if self.settings.game.label != self.board.game.label {
            self.board = at_start(&self.settings);
        }
    }

    /// The position that is described, or why there is none.
    fn set_up(&self, start: Option<&str>, moves: &[String]) -> Result<Board, String> {
        let mut board = at_start(&self.settings);
        if let Some(text) = start {
            board.state = parse_state(board.rules(), text).map_err(|error| error.to_string())?;
        }
        for text in moves {
            let played = parse_move(board.rules(), board.position(), text)
                .map_err(|error| format!("`{}` cannot be played: {error}", short(text)))?;
            board.earlier.push(board.position().key());
            // It is legal: it has just been read as a legal move.
            board.state = state_after(board.rules(), &board.state, played).unwrap_or(board.state);
        }
        Ok(board)
    }

    fn search(&mut self, go: &Go) -> Result<(), Failure> {
        if let Some(why) = &go.complaint {
            self.complain(why)?;
        }
        let mind = self.mind.take().unwrap_or_else(|| self.settings.player());
        let rules = Arc::clone(&self.board.game.game.rules);
        let position = self.board.position().clone();
        let thinking =
            Thinking::start(mind, rules, position, self.board.earlier.clone(), go, self.events.clone())?;
        if let Some(last) = self.last {
            thinking.stop_by(last);
        }
        self.thinking = Some(thinking);
        Ok(())
    }

    fn stop(&self) {
        if let Some(thinking) = &self.thinking {
            thinking.stop();
        }
    }

    /// Tells the move and does what was kept, until the next search.
    fn finish(&mut self, mind: Mind, best: &str) -> Result<(), Failure> {
        self.end_search(mind, best)?;
        while self.thinking.is_none()
            && let Some(request) = self.kept.pop_front()
        {
            self.obey(request)?;
        }
        Ok(())
    }

    fn end_search(&mut self, mind: Mind, best: &str) -> io::Result<()> {
        (self.mind, self.thinking) = (Some(mind), None);
        self.say(&format!("bestmove {best}"))
    }

    /// Waits for the move of a search that was told to stop: whoever asked for it may still listen.
    pub(super) fn leave(mut self, events: &Receiver<Event>) -> Result<(), Failure> {
        while self.thinking.is_some()
            && let Ok(event) = events.recv()
        {
            match event {
                Event::Told(line) => self.say(&line)?,
                Event::Chosen(mind, best) => self.end_search(mind, &best)?,
                Event::Line(_) => {}
            }
        }
        Ok(())
    }

    fn show(&mut self) -> io::Result<()> {
        let text = state_text(self.board.rules(), &self.board.state);
        self.say(&format!("Fen: {text}"))
    }

    /// Whatever is wrong with a command, it is told, and nothing is changed.
    fn complain(&mut self, why: &str) -> io::Result<()> {
        self.say(&format!("info string {}", plain(why)))
    }

    /// A line, at once: somebody waits for it.
    fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "{line}")?;
        self.out.flush()
    }
}

fn at_start(settings: &Settings) -> Board {
    let game = settings.game.clone();
    let start = State::new(game.game.rules.start());
    Board::new(game, start)
}
