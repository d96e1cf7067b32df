//! The state of the engine: options, position, and the search that is running.

use std::collections::VecDeque;
use std::io::{self, Write as _};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender};
use std::time::{Duration, Instant};

use tabiya_engine::{Position, Rules};
use tabiya_notation::{State, fen, parse_state, parse_uci};
use tabiya_referee::state_after;

use super::command::{Command, quote};
use super::go::Go;
use super::options::Options;
use super::search::{Clock, Search, SearchHandle};
use super::{Event, Player};
use crate::error::CliError;
use crate::game_source::LoadedGame;
use crate::line_reader::{Line, MAX_LINE};
use crate::output::Output;
use crate::text::sanitize;

/// The engine.
pub(super) struct Engine<'o> {
    options: Options,
    board: Board,
    /// The player. During a search, the search has it.
    player: Option<Player>,
    /// The search that is running.
    search: Option<SearchHandle>,
    /// Commands that wait for the end of the search, oldest first.
    pending: VecDeque<Command>,
    /// When the remaining searches stop, once the input has ended.
    deadline: Option<Instant>,
    events: SyncSender<Event>,
    out: &'o mut Output,
}

/// The position and the keys of the positions before it. The engine searches every position that it is given:
/// whether the game is over by agreement or a claim is up to the client.
#[derive(Debug)]
struct Board {
    game: LoadedGame,
    state: State,
    /// Keys of earlier positions, oldest first.
    earlier: Vec<u64>,
}

impl Board {
    fn at_start(game: LoadedGame) -> Self {
        let state = State::new(game.game.rules.start());
        Board { game, state, earlier: Vec::new() }
    }

    fn rules(&self) -> &Rules {
        &self.game.game.rules
    }

    fn position(&self) -> &Position {
        &self.state.position
    }
}

/// What the engine does after an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Continue,
    Quit,
}

/// Commands that may wait for the end of a search. Further ones are rejected.
const MAX_PENDING: usize = 64;

/// How long the engine may search after the end of its input, when it cannot be stopped any more.
const FINAL_TIME: Duration = Duration::from_secs(10);

impl<'o> Engine<'o> {
    /// Creates an engine at the start of a game.
    pub(super) fn new(game: LoadedGame, events: SyncSender<Event>, out: &'o mut Output) -> Self {
        let options = Options::new(game);
        let board = Board::at_start(options.game.clone());
        let player = Some(options.player());
        let pending = VecDeque::new();
        Engine { options, board, player, search: None, pending, deadline: None, events, out }
    }

    /// Handles an event.
    pub(super) fn handle(&mut self, event: Event) -> Result<Next, CliError> {
        match event {
            Event::Info(line) => self.say(&line)?,
            Event::BestMove(player, best) => self.finish(player, &best)?,
            Event::Line(Line::Text(line)) => match Command::parse(&line) {
                Ok(command) => return self.receive(command),
                Err(why) => self.complain(&why)?,
            },
            Event::Line(Line::TooLong) => {
                self.complain(&format!("the line is longer than {MAX_LINE} bytes"))?;
            }
            Event::Line(Line::NotText) => self.complain("the line is not UTF-8")?,
            Event::Line(Line::End) => {
                let deadline = Instant::now() + FINAL_TIME;
                self.deadline = Some(deadline);
                if let Some(search) = &self.search {
                    search.stop_by(deadline);
                }
            }
        }
        let is_done = self.deadline.is_some() && self.search.is_none();
        Ok(if is_done { Next::Quit } else { Next::Continue })
    }

    /// Executes a command now, or after the search and the commands that already wait for it.
    fn receive(&mut self, command: Command) -> Result<Next, CliError> {
        let is_idle = self.search.is_none() && self.pending.is_empty();
        if is_idle || command.is_immediate() {
            return self.execute(command);
        }
        if self.pending.len() < MAX_PENDING {
            self.pending.push_back(command);
        } else {
            self.complain("too many commands wait for the end of the search")?;
        }
        Ok(Next::Continue)
    }

    fn execute(&mut self, command: Command) -> Result<Next, CliError> {
        match command {
            Command::Uci => self.introduce()?,
            Command::IsReady => self.say("readyok")?,
            Command::NewGame => self.player = Some(self.options.player()),
            Command::SetOption { name, value } => match self.options.set(&name, &value) {
                Ok(()) => self.apply_options(),
                Err(why) => self.complain(&why)?,
            },
            Command::Position { start, moves } => match self.set_up(start.as_deref(), &moves) {
                Ok(board) => self.board = board,
                Err(why) => self.complain(&why)?,
            },
            Command::Go(go) => self.start_search(&go)?,
            Command::Show => self.show()?,
            Command::Stop => self.stop(),
            Command::PonderHit => {
                if let Some(search) = &self.search {
                    search.start_clock();
                }
            }
            Command::Quit => {
                self.stop();
                return Ok(Next::Quit);
            }
            Command::Ignored => {}
        }
        Ok(Next::Continue)
    }

    fn introduce(&mut self) -> io::Result<()> {
        self.say(&format!("id name Tabiya {}", env!("CARGO_PKG_VERSION")))?;
        self.say("id author The Tabiya authors")?;
        for line in self.options.introduction() {
            self.say(&line)?;
        }
        self.say("uciok")
    }

    /// Creates a new player after an option has changed. Another game starts from its beginning.
    fn apply_options(&mut self) {
        self.player = Some(self.options.player());
        if self.options.game.label != self.board.game.label {
            self.board = Board::at_start(self.options.game.clone());
        }
    }

    /// Returns the position that the command describes, or why it is invalid.
    fn set_up(&self, start: Option<&str>, moves: &[String]) -> Result<Board, String> {
        let mut board = Board::at_start(self.options.game.clone());
        if let Some(text) = start {
            board.state = parse_state(board.rules(), text).map_err(|error| error.to_string())?;
        }
        for text in moves {
            let played = parse_uci(board.rules(), board.position(), text)
                .map_err(|error| format!("`{}` cannot be played: {error}", quote(text)))?;
            board.earlier.push(board.position().key());
            // `parse_uci` returns only legal moves.
            board.state = state_after(board.rules(), &board.state, played).unwrap_or(board.state);
        }
        Ok(board)
    }

    fn start_search(&mut self, go: &Go) -> Result<(), CliError> {
        if let Some(why) = &go.complaint {
            self.complain(why)?;
        }
        let (rules, position) = (Arc::clone(&self.board.game.game.rules), self.board.position().clone());
        let mut moves = Vec::new();
        for text in &go.moves {
            match parse_uci(&rules, &position, text) {
                Ok(played) => moves.push(played),
                Err(error) => self.complain(&format!("`{}` is not considered: {error}", quote(text)))?,
            }
        }
        let player = self.player.take().unwrap_or_else(|| self.options.player());
        let search = Search {
            budget: go.budget_for(rules.mover(&position).index(), self.options.overhead),
            rules,
            position,
            earlier: self.board.earlier.clone(),
            quiet: self.board.state.quiet,
            depth: go.depth,
            nodes: go.nodes(),
            moves,
            lines: self.options.lines,
            shows_results: self.options.shows_results,
            ponders: self.options.ponders,
            is_infinite: go.infinite,
            clock: Arc::new(Clock::new(go.ponder)),
            stop: Arc::default(),
            events: self.events.clone(),
        };
        let search = search.start(player)?;
        if let Some(deadline) = self.deadline {
            search.stop_by(deadline);
        }
        self.search = Some(search);
        Ok(())
    }

    fn stop(&self) {
        if let Some(search) = &self.search {
            search.stop();
        }
    }

    /// Prints the best move and executes the commands that waited for it, until the next search.
    fn finish(&mut self, player: Player, best: &str) -> Result<(), CliError> {
        self.end_search(player, best)?;
        while self.search.is_none()
            && let Some(command) = self.pending.pop_front()
        {
            self.execute(command)?;
        }
        Ok(())
    }

    fn end_search(&mut self, player: Player, best: &str) -> io::Result<()> {
        (self.player, self.search) = (Some(player), None);
        self.say(&format!("bestmove {best}"))
    }

    /// Waits for the best move of a stopped search: the client may still read it.
    pub(super) fn quit(mut self, events: &Receiver<Event>) -> Result<(), CliError> {
        while self.search.is_some()
            && let Ok(event) = events.recv()
        {
            match event {
                Event::Info(line) => self.say(&line)?,
                Event::BestMove(player, best) => self.end_search(player, &best)?,
                Event::Line(_) => {}
            }
        }
        Ok(())
    }

    fn show(&mut self) -> io::Result<()> {
        let text = fen(self.board.rules(), &self.board.state);
        self.say(&format!("Fen: {text}"))
    }

    /// Reports an invalid command.
    fn complain(&mut self, why: &str) -> io::Result<()> {
        self.say(&format!("info string {}", sanitize(why)))
    }

    /// Writes a line and flushes it.
    fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "{line}")?;
        self.out.flush()
    }
}
