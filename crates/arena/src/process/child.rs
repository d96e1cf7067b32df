//! A process that reads and writes lines. It can neither block us nor outlive its game.

use std::io;
use std::os::fd::OwnedFd;
use std::process::{Child, ChildStdin, ChildStdout, ExitStatus};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio, ioctl_fionread, read, write};
use rustix::process::{PidfdFlags, Signal, kill_process_group, pidfd_open, pidfd_send_signal};
use tabiya_referee::AgentFault;

use super::command;
use super::descendants::Registration;
use super::first_event::FirstEvent;
use super::spawner::{self, Spawned};
use super::stderr::StderrTail;
use crate::address::split_command;
use crate::agent::{ANSWER_LIMIT, DAY, ExitReport, FirstFault, time_after};
use crate::agent_options::AgentOptions;
use crate::secrets::Secrets;

/// A process that closed its pipes may be about to exit. This wait distinguishes the two cases.
const EXIT_WAIT: Duration = Duration::from_millis(20);

/// Killed processes are gone within milliseconds, or seconds if they have much memory to free.
const KILL_TIMEOUT: Duration = Duration::from_secs(5);

/// The number of bytes read at once: the capacity of a pipe.
const READ_SIZE: usize = 64 << 10;

/// The time of busy waiting for an answer before blocking.
const SPIN_TIME: Duration = Duration::from_micros(60);

/// A process that reads and writes lines.
#[derive(Debug)]
pub(crate) struct ChildProcess {
    child: Child,
    registration: Registration,
    stderr: Option<Arc<StderrTail>>,
    /// The values to hide in the output.
    pub(crate) secrets: Secrets,
    pipes: Pipes,
    /// Output of the process. The first `consumed` bytes were returned as lines; there is no line break between them and
    /// `scanned`. Consumed bytes are dropped with the next read rather than line by line, which would be slow for many
    /// short lines.
    buffer: Vec<u8>,
    consumed: usize,
    scanned: usize,
    chunk: Box<[u8]>,
    status: Option<ExitStatus>,
    report: Option<ExitReport>,
}

#[derive(Debug)]
struct Pipes {
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    /// Becomes readable when the process exits.
    exit: OwnedFd,
}

impl Pipes {
    fn new(child: &mut Child, registration: &Registration) -> io::Result<Self> {
        let missing = || io::Error::other("a pipe is missing");
        let stdin = child.stdin.take().ok_or_else(missing)?;
        let stdout = child.stdout.take().ok_or_else(missing)?;
        ioctl_fionbio(&stdin, true)?;
        ioctl_fionbio(&stdout, true)?;
        let exit = pidfd_open(registration.pid().ok_or_else(missing)?, PidfdFlags::empty())?;
        Ok(Self { stdin: Some(stdin), stdout, exit })
    }
}

/// The events that ended a wait.
#[derive(Clone, Copy, Default)]
struct Ready {
    output: bool,
    exit: bool,
}

impl ChildProcess {
    /// Starts a process.
    pub(crate) fn start(command: &str, options: &AgentOptions) -> Result<Self, AgentFault> {
        let words = split_command(command).map_err(|why| AgentFault::CouldNotStart(why.into()))?;
        let failed = |why: String| AgentFault::CouldNotStart(format!("{}: {why}", words[0]));
        let Spawned { mut child, registration, stderr } =
            spawner::spawn(command::command(&words, options)).map_err(failed)?;
        let pipes = Pipes::new(&mut child, &registration).map_err(|error| {
            registration.kill_all(&mut child, KILL_TIMEOUT);
            failed(error.to_string())
        })?;
        Ok(Self {
            child,
            registration,
            stderr,
            secrets: Secrets::of_environment(&options.environment),
            pipes,
            buffer: Vec::new(),
            consumed: 0,
            scanned: 0,
            chunk: vec![0; READ_SIZE].into_boxed_slice(),
            status: None,
            report: None,
        })
    }

    /// Returns whether output was read but not consumed.
    pub(crate) fn has_buffered_output(&self) -> bool {
        self.consumed < self.buffer.len()
    }

    /// Returns whether there is output that was not consumed. Does not wait.
    pub(crate) fn has_output(&mut self) -> Result<bool, AgentFault> {
        if self.has_buffered_output() {
            return Ok(true);
        }
        let ready = self.wait(Duration::ZERO, PollFlags::empty())?;
        if ready.output {
            self.read_available()?;
        } else if ready.exit {
            return Err(self.pipe_fault("output"));
        }
        Ok(self.has_buffered_output())
    }

    /// Writes the text to the process. Reads its output meanwhile, so that two writers do not wait for each other.
    pub(crate) fn send(&mut self, text: &[u8], deadline: Instant) -> Result<(), AgentFault> {
        let mut rest = text;
        loop {
            let Some(stdin) = &self.pipes.stdin else { return Err(AgentFault::Closed("input")) };
            match write(stdin, rest) {
                Ok(count) => rest = &rest[count.min(rest.len())..],
                Err(Errno::AGAIN) => {
                    let ready = self.wait(time_until(deadline)?, PollFlags::OUT)?;
                    if ready.output {
                        self.read_available()?;
                        self.check_length(ANSWER_LIMIT)?;
                    } else if ready.exit {
                        return Err(self.pipe_fault("input"));
                    }
                }
                Err(Errno::INTR) => {}
                Err(_) => return Err(self.pipe_fault("input")),
            }
            if rest.is_empty() {
                return Ok(());
            }
        }
    }

    /// Waits for output without consuming it.
    pub(crate) fn wait_for_output(&mut self, deadline: Instant) -> Result<(), AgentFault> {
        self.spin_for_output()?;
        while !self.has_buffered_output() {
            self.wait_and_read(deadline)?;
        }
        // Output after the deadline is late, even if we wake up late ourselves.
        time_until(deadline).map(drop)
    }

    /// Returns whether the process had read all that was sent when it wrote its output. Call this when output arrives: a
    /// process that reads and then answers has read everything by then. A last line break may remain, because the
    /// object before it is complete without it.
    pub(crate) fn has_read_question(&self) -> bool {
        let unread = self.pipes.stdin.as_ref().and_then(|stdin| ioctl_fionread(stdin).ok());
        unread.is_none_or(|count| count <= 1)
    }

    /// Watches what the process does first with its pipes.
    pub(super) fn watch_first_event(&self) -> Option<FirstEvent> {
        FirstEvent::watch(self.pipes.stdin.as_ref()?, &self.pipes.stdout)
    }

    /// Consumes and returns all output that was read.
    pub(crate) fn take_output(&mut self) -> Vec<u8> {
        let output = self.buffer[self.consumed..].to_vec();
        self.consumed = self.buffer.len();
        self.scanned = self.consumed;
        output
    }

    /// Waits for the next line and returns it without its line feed.
    pub(crate) fn read_line(&mut self, deadline: Instant, limit: usize) -> Result<Vec<u8>, AgentFault> {
        self.spin_for_output()?;
        loop {
            if let Some(line) = self.take_line() {
                // An answer after the deadline is late, even if we wake up late ourselves.
                time_until(deadline)?;
                return if line.len() > limit { Err(AgentFault::TooLong) } else { Ok(line) };
            }
            self.check_length(limit)?;
            self.wait_and_read(deadline)?;
        }
    }

    fn wait_and_read(&mut self, deadline: Instant) -> Result<(), AgentFault> {
        let ready = self.wait(time_until(deadline)?, PollFlags::empty())?;
        // The process may have answered and exited after the last read, so read once more.
        if !self.read_available()? && ready.exit {
            return Err(self.pipe_fault("output"));
        }
        Ok(())
    }

    /// Waits busily for a moment, which is faster than blocking if the process answers at once.
    fn spin_for_output(&mut self) -> Result<(), AgentFault> {
        let start = Instant::now();
        while !self.has_buffered_output() && start.elapsed() < SPIN_TIME {
            if !self.read_available()? {
                // The agent may need this core.
                std::thread::yield_now();
            }
        }
        Ok(())
    }

    fn check_length(&self, limit: usize) -> Result<(), AgentFault> {
        if self.buffer.len() - self.consumed > limit { Err(AgentFault::TooLong) } else { Ok(()) }
    }

    fn take_line(&mut self) -> Option<Vec<u8>> {
        let Some(end) = self.buffer[self.scanned..].iter().position(|&byte| byte == b'\n') else {
            self.scanned = self.buffer.len();
            return None;
        };
        let end = self.scanned + end;
        let line = self.buffer[self.consumed..end].to_vec();
        self.consumed = end + 1;
        self.scanned = self.consumed;
        Some(line)
    }

    /// Waits for output, for the exit of the process and, if `input` asks for it, for room in its input.
    fn wait(&self, time: Duration, input: PollFlags) -> Result<Ready, AgentFault> {
        let Pipes { stdin, stdout, exit } = &self.pipes;
        let none = PollFd::new(exit, PollFlags::empty());
        let mut waits = [
            PollFd::new(stdout, PollFlags::IN),
            PollFd::new(exit, PollFlags::IN),
            stdin.as_ref().map_or(none, |stdin| PollFd::new(stdin, input)),
        ];
        let time = timespec(time);
        let count = if input.is_empty() { 2 } else { 3 };
        match poll(&mut waits[..count], Some(&time)) {
            Ok(_) => {
                Ok(Ready { output: !waits[0].revents().is_empty(), exit: !waits[1].revents().is_empty() })
            }
            Err(Errno::INTR) => Ok(Ready::default()),
            Err(error) => Err(AgentFault::Unreachable(format!("its pipes cannot be polled: {error}"))),
        }
    }

    /// Reads once without waiting. Returns whether there was output.
    fn read_available(&mut self) -> Result<bool, AgentFault> {
        match read(&self.pipes.stdout, &mut self.chunk[..]) {
            Ok(0) => Err(self.pipe_fault("output")),
            Ok(count) => {
                self.buffer.drain(..self.consumed);
                self.scanned -= self.consumed;
                self.consumed = 0;
                self.buffer.extend_from_slice(&self.chunk[..count]);
                Ok(true)
            }
            Err(Errno::AGAIN | Errno::INTR) => Ok(false),
            Err(_) => Err(self.pipe_fault("output")),
        }
    }

    /// Returns the reason for a broken pipe: the process exited, or it only closed the pipe.
    fn pipe_fault(&mut self, what: &'static str) -> AgentFault {
        self.wait_for_exit(EXIT_WAIT);
        match self.status() {
            Some(status) => AgentFault::Exited { status: status.to_string() },
            None => AgentFault::Closed(what),
        }
    }

    fn wait_for_exit(&self, time: Duration) {
        let mut waits = [PollFd::new(&self.pipes.exit, PollFlags::IN)];
        let _ = poll(&mut waits, Some(&timespec(time)));
    }

    fn status(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            self.status = self.registration.status(&mut self.child);
        }
        self.status
    }

    /// Kills the process group at once if the agent has a fault. Other descendants follow in [`finish`](Self::finish).
    pub(crate) fn kill_after(&mut self, fault: &FirstFault) {
        if fault.check().is_err()
            && let (None, Some(pid)) = (self.status(), self.registration.pid())
        {
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }

    /// Asks the process to exit: writes a farewell, closes its input and finally sends `SIGTERM`. Returns the fault if it
    /// does not exit properly.
    pub(crate) fn shut_down(&mut self, farewell: &[u8], grace: Duration) -> Option<AgentFault> {
        if self.status().is_none() {
            self.registration.record_descendants();
        }
        if let Some(stdin) = self.pipes.stdin.take() {
            let _ = write(&stdin, farewell);
        }
        if !self.exits_within(grace) {
            let _ = pidfd_send_signal(&self.pipes.exit, Signal::TERM);
            if !self.exits_within(grace) {
                return Some(AgentFault::Lingered);
            }
        }
        self.orphan_fault(grace)
    }

    /// Waits for the exit and reads meanwhile, so that output does not block the process.
    fn exits_within(&mut self, grace: Duration) -> bool {
        let until = time_after(grace);
        while self.status().is_none() {
            let Ok(left) = time_until(until) else { return false };
            let Ok(ready) = self.wait(left, PollFlags::empty()) else { return false };
            if ready.output && !ready.exit && read(&self.pipes.stdout, &mut self.chunk[..]) == Ok(0) {
                // A closed output is always ready, so wait for the exit alone.
                self.wait_for_exit(left);
            }
        }
        true
    }

    /// Waits for the children of an exited process to follow it.
    fn orphan_fault(&self, grace: Duration) -> Option<AgentFault> {
        let until = time_after(grace);
        let mut pause = Duration::from_millis(1);
        loop {
            match self.registration.count_orphans() {
                0 => return None,
                count if Instant::now() > until => return Some(AgentFault::LeftChildren(count)),
                _ => std::thread::sleep(pause),
            }
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }

    /// Returns whether [`finish`](Self::finish) was called.
    pub(crate) fn is_finished(&self) -> bool {
        self.report.is_some()
    }

    /// Kills the process and its descendants. `fault` is the agent's fault so far.
    pub(crate) fn finish(&mut self, fault: Option<AgentFault>) -> ExitReport {
        if let Some(report) = &self.report {
            return report.clone();
        }
        self.pipes.stdin = None;
        let (status, gone) = self.registration.kill_all(&mut self.child, KILL_TIMEOUT);
        self.status = self.status.or(status);
        let exit = self.status.map(|status| status.to_string());
        let report = ExitReport { fault, exit, stderr: self.stderr_text(), gone };
        self.report.insert(report).clone()
    }

    /// Reads the rest of standard error, which is bounded because the process is dead, and returns its end.
    fn stderr_text(&self) -> String {
        let Some(stderr) = &self.stderr else { return String::new() };
        for _ in 0..16 {
            if stderr.read() != Some(true) {
                break;
            }
        }
        stderr.text(&self.secrets)
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        self.finish(None);
    }
}

/// Converts a wait of at most a day. Callers repeat longer waits.
fn timespec(time: Duration) -> Timespec {
    let time = time.min(DAY);
    Timespec { tv_sec: time.as_secs().cast_signed(), tv_nsec: time.subsec_nanos().into() }
}

/// Returns the time until the deadline, or fails if it has passed.
fn time_until(deadline: Instant) -> Result<Duration, AgentFault> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() { Err(AgentFault::Timeout) } else { Ok(left) }
}
