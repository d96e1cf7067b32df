//! Standard output, in the form that was asked for. Colours are written always and taken out again where the terminal
//! cannot show them (`NO_COLOR` and `CLICOLOR_FORCE` are heeded).

use std::io::{self, IsTerminal as _, StdoutLock, Write};

use anstream::{AutoStream, ColorChoice};
use serde_json::Value;

use crate::args::Format;

/// Where answers go.
#[derive(Debug)]
pub(crate) struct Output {
    stream: AutoStream<StdoutLock<'static>>,
    format: Format,
    colour: bool,
    width: usize,
}

impl Output {
    /// Standard output.
    pub(crate) fn new(format: Format) -> Self {
        let stdout = io::stdout();
        let colour = AutoStream::choice(&stdout) != ColorChoice::Never;
        let size = stdout.is_terminal().then(terminal_size::terminal_size).flatten();
        let width = size.map_or(usize::MAX, |(width, _)| usize::from(width.0));
        Output { stream: AutoStream::auto(stdout.lock()), format, colour, width }
    }

    /// In which form it was asked for.
    pub(crate) fn format(&self) -> Format {
        self.format
    }

    /// Whether programs will read it.
    pub(crate) fn is_json(&self) -> bool {
        self.format == Format::Json
    }

    /// Whether colours can be seen; a drawing says with characters what it cannot say with colours.
    pub(crate) fn colour(&self) -> bool {
        self.colour
    }

    /// How many columns there are; without limit if nobody looks.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// One JSON value on one line.
    pub(crate) fn json(&mut self, value: &Value) -> io::Result<()> {
        writeln!(self, "{value}")
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
