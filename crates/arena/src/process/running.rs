//! A process that is talked to in lines, and that can neither stop us nor stay.

use std::io;
use std::os::fd::OwnedFd;
use std::process::{Child, ChildStdin, ChildStdout, ExitStatus};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio, read, write};
use rustix::process::{PidfdFlags, Signal, kill_process_group, pidfd_open, pidfd_send_signal};

use super::kin::Enrolment;
use super::setup;
use super::tail::Tail;
use super::warden::{self, Started};
use crate::agent::{ANSWER_LIMIT, DAY, Farewell, Fault, time_after};
use crate::launch::{Launch, words};
use crate::secrets::Secrets;

/// A process that closed its pipes may be about to end; so long we wait to tell the one from the other.
const LAST_BREATH: Duration = Duration::from_millis(20);

/// Killed processes are gone within milliseconds, or seconds if they have much memory to give back.
const PATIENCE: Duration = Duration::from_secs(5);

/// How much is read at once: what a pipe holds.
const CHUNK: usize = 64 << 10;

/// How long an answer is looked for before it is waited for.
const MOMENT: Duration = Duration::from_micros(60);

/// A process that is talked to in lines.
#[derive(Debug)]
pub(crate) struct Running {
    child: Child,
    enrolment: Enrolment,
    tail: Option<Arc<Tail>>,
    secrets: Secrets,
    pipes: Pipes,
    /// What came, up to here fetched already, and up to there known to hold no further end of a line. What was fetched
    /// is dropped when more comes, and not line by line, which a flood of short lines would make slow.
    heard: Vec<u8>,
    fetched: usize,
    scanned: usize,
    chunk: Box<[u8]>,
    status: Option<ExitStatus>,
    farewell: Option<Farewell>,
}

#[derive(Debug)]
struct Pipes {
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    /// Becomes readable when the process ends.
    exit: OwnedFd,
}

impl Pipes {
    fn new(child: &mut Child, enrolment: &Enrolment) -> io::Result<Self> {
        let missing = || io::Error::other("a pipe is missing");
        let stdin = child.stdin.take().ok_or_else(missing)?;
        let stdout = child.stdout.take().ok_or_else(missing)?;
        ioctl_fionbio(&stdin, true)?;
        ioctl_fionbio(&stdout, true)?;
        let exit = pidfd_open(enrolment.pid().ok_or_else(missing)?, PidfdFlags::empty())?;
        Ok(Self { stdin: Some(stdin), stdout, exit })
    }
}

/// What a wait ended with.
#[derive(Clone, Copy, Default)]
struct Ready {
    output: bool,
    exit: bool,
}

impl Running {
    /// Starts the process.
    pub(crate) fn start(launch: &Launch) -> Result<Self, Fault> {
        let words = words(&launch.command).map_err(|why| Fault::CouldNotStart(why.into()))?;
        let failed = |why: String| Fault::CouldNotStart(format!("{}: {why}", words[0]));
        let secrets = Secrets::of_environment(&launch.environment);
        let Started { mut child, enrolment, tail } =
            warden::start(setup::command(launch, &words)).map_err(failed)?;
        let pipes = Pipes::new(&mut child, &enrolment).map_err(|error| {
            enrolment.clear(&mut child, PATIENCE);
            failed(error.to_string())
        })?;
        let chunk = vec![0; CHUNK].into_boxed_slice();
        let (heard, status, farewell) = (Vec::new(), None, None);
        let (fetched, scanned) = (0, 0);
        Ok(Self { child, enrolment, tail, secrets, pipes, heard, fetched, scanned, chunk, status, farewell })
    }

    /// What must not be shown of what it says.
    pub(crate) fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// Whether something came that was not fetched.
    pub(crate) fn has_heard(&self) -> bool {
        self.fetched < self.heard.len()
    }

    /// Whether it has said anything since it was last listened to. Does not wait.
    pub(crate) fn overheard(&mut self) -> Result<bool, Fault> {
        if self.has_heard() {
            return Ok(true);
        }
        let ready = self.wait(Duration::ZERO, PollFlags::empty())?;
        if ready.output {
            self.listen()?;
        } else if ready.exit {
            return Err(self.gone("output"));
        }
        Ok(self.has_heard())
    }

    /// Writes all of the text. What it says meanwhile is kept, so that two who both only write do not wait for each
    /// other.
    pub(crate) fn say(&mut self, text: &[u8], deadline: Instant) -> Result<(), Fault> {
        let mut rest = text;
        loop {
            let Some(stdin) = &self.pipes.stdin else { return Err(Fault::Closed("input")) };
            match write(stdin, rest) {
                Ok(count) => rest = &rest[count.min(rest.len())..],
                Err(Errno::AGAIN) => {
                    let ready = self.wait(left_until(deadline)?, PollFlags::OUT)?;
                    if ready.output {
                        self.listen()?;
                        self.check_length(ANSWER_LIMIT)?;
                    } else if ready.exit {
                        return Err(self.gone("input"));
                    }
                }
                Err(Errno::INTR) => {}
                Err(_) => return Err(self.gone("input")),
            }
            if rest.is_empty() {
                return Ok(());
            }
        }
    }

    /// The next line, without its end.
    pub(crate) fn hear(&mut self, deadline: Instant, limit: usize) -> Result<Vec<u8>, Fault> {
        self.look_for_a_moment()?;
        loop {
            if let Some(line) = self.take_line() {
                // What came late is late, even if it was there when we woke up.
                left_until(deadline)?;
                return if line.len() > limit { Err(Fault::TooLong) } else { Ok(line) };
            }
            self.check_length(limit)?;
            let ready = self.wait(left_until(deadline)?, PollFlags::empty())?;
            // It may have answered and ended after its output was looked at, so one more look is due.
            if !self.listen()? && ready.exit {
                return Err(self.gone("output"));
            }
        }
    }

    /// Who answers at once is heard at once: to fall asleep and to be woken takes longer than to look a few times.
    fn look_for_a_moment(&mut self) -> Result<(), Fault> {
        let start = Instant::now();
        while !self.has_heard() && start.elapsed() < MOMENT {
            if !self.listen()? {
                // The agent may need the very core.
                std::thread::yield_now();
            }
        }
        Ok(())
    }

    fn check_length(&self, limit: usize) -> Result<(), Fault> {
        if self.heard.len() - self.fetched > limit { Err(Fault::TooLong) } else { Ok(()) }
    }

    fn take_line(&mut self) -> Option<Vec<u8>> {
        let Some(end) = self.heard[self.scanned..].iter().position(|&byte| byte == b'\n') else {
            self.scanned = self.heard.len();
            return None;
        };
        let end = self.scanned + end;
        let mut line = self.heard[self.fetched..end].to_vec();
        line.pop_if(|byte| *byte == b'\r');
        self.fetched = end + 1;
        self.scanned = self.fetched;
        Some(line)
    }

    /// Waits for output, for the end of the process, and if asked for room in its input.
    fn wait(&self, time: Duration, input: PollFlags) -> Result<Ready, Fault> {
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
            Err(error) => Err(Fault::Unreachable(format!("its pipes cannot be watched: {error}"))),
        }
    }

    /// Reads once; says whether something came.
    fn listen(&mut self) -> Result<bool, Fault> {
        match read(&self.pipes.stdout, &mut self.chunk[..]) {
            Ok(0) => Err(self.gone("output")),
            Ok(count) => {
                self.heard.drain(..self.fetched);
                self.scanned -= self.fetched;
                self.fetched = 0;
                self.heard.extend_from_slice(&self.chunk[..count]);
                Ok(true)
            }
            Err(Errno::AGAIN | Errno::INTR) => Ok(false),
            Err(_) => Err(self.gone("output")),
        }
    }

    /// Why a pipe is broken: the process ended, or only closed it.
    fn gone(&mut self, what: &'static str) -> Fault {
        let mut waits = [PollFd::new(&self.pipes.exit, PollFlags::IN)];
        let _ = poll(&mut waits, Some(&timespec(LAST_BREATH)));
        match self.status() {
            Some(status) => Fault::Exited { status: status.to_string() },
            None => Fault::Closed(what),
        }
    }

    fn status(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            self.status = self.enrolment.status(&mut self.child);
        }
        self.status
    }

    /// Stops it from doing more harm, at once. Its descendants follow in [`end`](Self::end).
    pub(crate) fn condemn(&mut self) {
        if let (None, Some(pid)) = (self.status(), self.enrolment.pid()) {
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }

    /// Lets it go: some last words, the end of its input, a request to terminate if that does not help. Says what was
    /// wrong with how it left.
    pub(crate) fn leave(&mut self, words: &[u8], grace: Duration) -> Option<Fault> {
        if self.status().is_none() {
            self.enrolment.look();
        }
        if let Some(stdin) = self.pipes.stdin.take() {
            let _ = write(&stdin, words);
        }
        if !self.ends_within(grace) {
            let _ = pidfd_send_signal(&self.pipes.exit, Signal::TERM);
            if !self.ends_within(grace) {
                return Some(Fault::Lingered);
            }
        }
        self.left_children(grace)
    }

    /// Waits for its end, and reads on so that it is not kept from it.
    fn ends_within(&mut self, grace: Duration) -> bool {
        let until = time_after(grace);
        while self.status().is_none() {
            let Ok(left) = left_until(until) else { return false };
            let Ok(ready) = self.wait(left, PollFlags::empty()) else { return false };
            if ready.output && !ready.exit && read(&self.pipes.stdout, &mut self.chunk[..]) == Ok(0) {
                // Its output is closed and would wake us again and again.
                let mut waits = [PollFd::new(&self.pipes.exit, PollFlags::IN)];
                let _ = poll(&mut waits, Some(&timespec(left)));
            }
        }
        true
    }

    /// Its children have some time to follow it.
    fn left_children(&self, grace: Duration) -> Option<Fault> {
        let until = time_after(grace);
        let mut pause = Duration::from_millis(1);
        loop {
            match self.enrolment.left() {
                0 => return None,
                count if Instant::now() > until => return Some(Fault::LeftChildren(count)),
                _ => std::thread::sleep(pause),
            }
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }

    /// Whether it was ended.
    pub(crate) fn is_over(&self) -> bool {
        self.farewell.is_some()
    }

    /// Ends it and everything that it started. The fault is what it is known to be guilty of.
    pub(crate) fn end(&mut self, fault: Option<Fault>) -> Farewell {
        if let Some(farewell) = &self.farewell {
            return farewell.clone();
        }
        self.pipes.stdin = None;
        let (status, gone) = self.enrolment.clear(&mut self.child, PATIENCE);
        self.status = self.status.or(status);
        let farewell = Farewell {
            fault,
            exit: self.status.map(|status| status.to_string()),
            stderr: self.last_words(),
            gone,
        };
        self.farewell.insert(farewell).clone()
    }

    /// What is left on standard error is fetched before it is shown; a bounded amount, as nobody writes any more.
    fn last_words(&self) -> String {
        let Some(tail) = &self.tail else { return String::new() };
        for _ in 0..16 {
            if tail.listen() != Some(true) {
                break;
            }
        }
        tail.text(&self.secrets)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end(None);
    }
}

/// A time to wait as the system takes it; a longer one than a day is made of several.
fn timespec(time: Duration) -> Timespec {
    let time = time.min(DAY);
    Timespec { tv_sec: time.as_secs().cast_signed(), tv_nsec: time.subsec_nanos().into() }
}

/// How long it is until then, or that it is too late.
fn left_until(deadline: Instant) -> Result<Duration, Fault> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() { Err(Fault::Timeout) } else { Ok(left) }
}
