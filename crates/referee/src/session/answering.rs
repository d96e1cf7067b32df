//! Judging the answers of agents: parsing, retries, time limits and faults.

use std::time::Duration;

use tabiya_engine::Player;
use tabiya_notation::uci;

use super::{Event, Session};
use crate::protocol::{OUTPUT_LIMIT, RejectedAnswer, Rule};
use crate::{Action, AgentFault, IllegalAction, Verdict};

/// Reasons are cut after this many characters.
const REASON_LIMIT: usize = 500;

/// What comes back from a player who was asked.
#[derive(Clone, Copy, Debug)]
pub enum Reply<'a> {
    /// A text.
    Output(&'a str),
    /// A text that does not answer the question.
    Unsolicited(&'a str),
    /// A text that was not complete in time.
    Unfinished(&'a str),
    /// A fault, for this reason. An answer that is not text is [`Verdict::Malformed`].
    Fault(Verdict, &'a str),
}

/// The ruling on a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// The player who was asked.
    pub player: Player,
    /// The number of the move, from 1.
    pub ply: u32,
    /// What the reply turned out to be.
    pub verdict: Verdict,
    /// The move that was made, or announced with a claim that held.
    pub played: Option<String>,
    /// Why the answer was rejected.
    pub rejected: Option<RejectedAnswer>,
    /// Why there was no answer.
    pub fault: Option<String>,
    /// Whether the player is asked again.
    pub is_forgiven: bool,
    /// Whether the object was extracted from other text.
    pub extracted: bool,
    /// The time that the reply took.
    pub taken: Duration,
    /// The time left on the player's clock.
    pub left: Option<Duration>,
}

impl Ruling {
    /// Why the reply was not accepted.
    pub fn why(&self) -> Option<String> {
        let why = self.rejected.as_ref().map(|rejected| &rejected.why).or(self.fault.as_ref())?;
        Some(why.chars().take(REASON_LIMIT).collect())
    }
}

/// An answer before its consequences.
struct Judged {
    verdict: Verdict,
    played: Option<String>,
    rejected: Option<RejectedAnswer>,
    fault: Option<String>,
    extracted: bool,
}

impl Judged {
    fn rejected(rejected: RejectedAnswer) -> Self {
        let (verdict, extracted) = (Verdict::of_rejected(&rejected), rejected.lenient);
        Judged { verdict, played: None, rejected: Some(rejected), fault: None, extracted }
    }

    fn fault(verdict: Verdict, why: &str) -> Self {
        Judged { verdict, played: None, rejected: None, fault: Some(why.to_owned()), extracted: false }
    }
}

impl Session {
    /// Judges the reply of the player to act, which took this time. After the end nothing changes.
    pub fn hear(&mut self, reply: Reply<'_>, taken: Duration) -> Ruling {
        let (player, ply) = (self.actor(), self.moves.len() as u32 + 1);
        let is_late = self.timeout().is_some_and(|timeout| taken > timeout);
        let is_over = self.result.is_some();
        if !is_over {
            self.charge(player, taken);
        }
        let judged = self.judge(reply, is_late);
        let is_forgiven = !is_over && self.settle(player, &judged);
        let Judged { verdict, played, rejected, fault, extracted } = judged;
        self.rejected = rejected.clone().filter(|_| is_forgiven);
        let left = self.clock.left(player);
        Ruling { player, ply, verdict, played, rejected, fault, is_forgiven, extracted, taken, left }
    }

    fn judge(&mut self, reply: Reply<'_>, is_late: bool) -> Judged {
        match reply {
            _ if self.result.is_some() => {
                Judged::rejected(self.laws.protocol().rejection(&self.game, &IllegalAction::GameOver))
            }
            Reply::Output(text) | Reply::Unsolicited(text) | Reply::Unfinished(text)
                if text.len() > OUTPUT_LIMIT =>
            {
                Judged::fault(Verdict::TooLong, &format!("the output has more than {OUTPUT_LIMIT} bytes"))
            }
            Reply::Output(_) | Reply::Fault(Verdict::Malformed, _) if is_late => {
                Judged::fault(Verdict::Timeout, "the answer came too late")
            }
            Reply::Output(text) => {
                let parsed = self.laws.parse_answer(&self.game, self.format(), self.options.strictness, text);
                match parsed {
                    Ok((action, extracted)) => self.try_action(action, extracted),
                    Err(rejected) => Judged::rejected(rejected),
                }
            }
            Reply::Fault(Verdict::Malformed, why) => Judged::rejected(RejectedAnswer {
                rule: Rule::Malformed,
                why: why.to_owned(),
                lenient: false,
            }),
            Reply::Unsolicited(_) => {
                Judged::fault(Verdict::Unsolicited, &AgentFault::Unsolicited { output: None }.to_string())
            }
            Reply::Unfinished(_) => {
                let fault = AgentFault::Unfinished { output: String::new() };
                Judged::fault(Verdict::Timeout, &fault.to_string())
            }
            Reply::Fault(verdict, why) => Judged::fault(verdict, why),
        }
    }

    fn try_action(&mut self, action: Action, extracted: bool) -> Judged {
        let (actor, kind) = (self.actor(), action.kind());
        let played = match action {
            Action::Move(played) | Action::Claim { announced: Some(played), .. } => {
                Some(uci(self.rules(), self.position(), played))
            }
            _ => None,
        };
        let event = Event::Action(action);
        let text = self.event_text(&event);
        match self.apply_to_game(actor, &event) {
            Ok(()) => {
                self.record(actor, event, text);
                Judged { verdict: Verdict::Accepted(kind), played, rejected: None, fault: None, extracted }
            }
            Err(illegal) => {
                let rejected = self.laws.protocol().rejection(&self.game, &illegal);
                Judged::rejected(RejectedAnswer { lenient: extracted, ..rejected })
            }
        }
    }

    /// Applies the consequences of an answer that was not accepted. Returns whether it is forgiven.
    fn settle(&mut self, actor: Player, judged: &Judged) -> bool {
        let event = match judged.verdict {
            Verdict::Accepted(_) => return false,
            _ if judged.rejected.is_some() && self.turn.forgiven < self.options.retries => {
                self.turn.forgiven += 1;
                return true;
            }
            Verdict::Unreachable => Event::Abort(judged.verdict.word().to_owned()),
            Verdict::Timeout => Event::Flag,
            fault => Event::Forfeit(fault.word().to_owned()),
        };
        let text = self.event_text(&event);
        if self.apply_to_game(actor, &event).is_ok() {
            self.record(actor, event, text);
        }
        false
    }
}
