//! Standard output in the chosen format. Colours are always written and removed again if the terminal does not support
//! them; `NO_COLOR` and `CLICOLOR_FORCE` are respected.

use std::io::{self, IsTerminal as _, StdoutLock, Write};
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};
use serde_json::Value;

use crate::args::Format;
use crate::error::CommandResult;
use crate::text::fit;

/// Standard output and its format.
#[derive(Debug)]
pub(crate) struct Output {
    stream: AutoStream<StdoutLock<'static>>,
    pub(crate) format: Format,
    /// Whether colours are shown.
    pub(crate) colour: bool,
    /// The columns of the terminal, or `usize::MAX` if output does not go to a terminal.
    pub(crate) width: usize,
}

impl Output {
    /// Locks standard output.
    pub(crate) fn new(format: Format) -> Self {
        let stdout = io::stdout();
        let colour = AutoStream::choice(&stdout) != ColorChoice::Never;
        let size = stdout.is_terminal().then(terminal_size::terminal_size).flatten();
        let width = size.map_or(usize::MAX, |(width, _)| usize::from(width.0));
        Output { stream: AutoStream::auto(stdout.lock()), format, colour, width }
    }

    pub(crate) fn is_json(&self) -> bool {
        self.format == Format::Json
    }

    /// Writes one JSON value on one line.
    pub(crate) fn json(&mut self, value: &Value) -> io::Result<()> {
        writeln!(self, "{value}")
    }

    /// Writes text for people. Lines that do not fit the terminal are broken between words.
    pub(crate) fn prose(&mut self, text: &str) -> io::Result<()> {
        let width = self.width;
        text.lines().try_for_each(|line| writeln!(self, "{}", fit(line, width)))
    }

    /// Writes an answer in the chosen format, and succeeds.
    pub(crate) fn answer(
        &mut self,
        json: impl FnOnce() -> Value,
        print: impl FnOnce(&mut Self) -> io::Result<()>,
    ) -> CommandResult {
        if self.is_json() {
            self.json(&json())?;
        } else {
            print(self)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
