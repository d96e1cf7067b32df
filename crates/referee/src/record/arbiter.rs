//! One game between people who may say anything: the laws, the clocks, the retries.

use std::time::Duration;

use tabiya_engine::{Move, Player, PlayerSet, Step};
use tabiya_notation::{fen, parse_state, parse_uci, uci};

use super::MAX_PLIES;
use super::laws::Laws;
use super::line::{Answer, Departure, Finish, Form, Header, Throw, Verdict, micros};
use super::sides::Sides;
use crate::protocol::{OUTPUT_LIMIT, Refused, Rule};
use crate::{Act, Clock, Dice, Event, Game, Illegal, TimeControl};

/// More retries help nobody.
const MOST_RETRIES: u32 = 1000;

/// A reason is cut after so many characters.
const LONGEST_REASON: usize = 500;

/// What comes from a player who was asked.
#[derive(Clone, Copy, Debug)]
pub enum Reply<'a> {
    /// A text.
    Output(&'a str),
    /// Something happened instead, for this reason. An answer that could not even be read as text is one, too, and is
    /// [`Verdict::Malformed`].
    Fault(Verdict, &'a str),
}

/// How a game ended, faults included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Close {
    /// Who won; nobody, if it is a draw; `None` if the game does not count.
    pub winners: Option<PlayerSet>,
    /// Why, as programs see it.
    pub reason: String,
    /// Who brought it about by a fault of his own.
    pub by: Option<Player>,
}

/// A game, its clocks, and what is forgiven.
#[derive(Clone, Debug)]
pub struct Arbiter {
    id: u32,
    laws: Laws,
    forms: Vec<Form>,
    sides: Sides,
    retries: u32,
    lenient: bool,
    max_plies: u32,
    game: Game,
    clock: Clock,
    /// The moves so far.
    texts: Vec<String>,
    /// How many steps of the game have been looked through for throws, and the number of the move that follows.
    told: (usize, u32),
    turn: Turn,
    refused: Option<Refused>,
    close: Option<Close>,
}

/// What the player to move has spent and been forgiven on this move.
#[derive(Clone, Copy, Debug, Default)]
struct Turn {
    spent: Duration,
    forgiven: u32,
}

/// What came of a reply.
struct Ruling {
    verdict: Verdict,
    played: Option<String>,
    /// Why an output is not accepted; its author may do better.
    refused: Option<Refused>,
    /// Why there is no answer; nobody is left who could do better.
    fault: Option<String>,
    extracted: bool,
}

impl Ruling {
    fn accepted(verdict: Verdict, played: Option<String>, extracted: bool) -> Self {
        Ruling { verdict, played, refused: None, fault: None, extracted }
    }

    fn refused(refused: Refused) -> Self {
        let verdict = Verdict::of_refused(&refused);
        let extracted = refused.lenient;
        Ruling { verdict, played: None, refused: Some(refused), fault: None, extracted }
    }

    fn fault(verdict: Verdict, why: &str) -> Self {
        Ruling { verdict, played: None, refused: None, fault: Some(why.to_owned()), extracted: false }
    }

    fn why(&self) -> Option<String> {
        let why = self.refused.as_ref().map(|refused| &refused.why).or(self.fault.as_ref())?;
        Some(why.chars().take(LONGEST_REASON).collect())
    }
}

impl Arbiter {
    /// A game as the header sets it up, its opening played; or why there is no such game.
    pub fn new(laws: &Laws, header: &Header) -> Result<Self, String> {
        let rules = laws.rules();
        let names: Vec<&str> = rules.players().map(|player| rules.player(player).name.as_str()).collect();
        let seats: Vec<&str> = header.seats.iter().map(|seat| seat.player.as_str()).collect();
        if names != seats {
            return Err(format!("the seats must be those of {}", names.join(", ")));
        }
        let is_sane = header.clock.is_sane()
            && header.retries <= MOST_RETRIES
            && (1..=MAX_PLIES).contains(&header.max_plies);
        if !is_sane {
            return Err("a time, the retries or the greatest length is beyond all bounds".to_owned());
        }
        let start = parse_state(rules, &header.start).map_err(|error| format!("the start: {error}"))?;
        let mut arbiter = Arbiter {
            id: header.id,
            laws: laws.clone(),
            forms: header.seats.iter().map(|seat| seat.answers).collect(),
            sides: Sides::new(&header.seats),
            retries: header.retries,
            lenient: header.lenient,
            max_plies: header.max_plies,
            game: Game::resume(rules.clone(), start, &[], Dice::seeded(dice_seed(header))),
            clock: Clock::new(TimeControl::from(header.clock), names.len()),
            texts: Vec::new(),
            told: (0, 1),
            turn: Turn::default(),
            refused: None,
            close: None,
        };
        arbiter.play_opening(&header.opening)?;
        arbiter.look_for_the_end(None, None);
        Ok(arbiter)
    }

    fn play_opening(&mut self, opening: &[String]) -> Result<(), String> {
        if opening.len() > self.max_plies as usize {
            return Err("the opening is longer than the game may be".to_owned());
        }
        for text in opening {
            let position = &self.game.state().position;
            let wrong = |why: String| format!("the opening's move {}: {why}", clip(text));
            let played =
                parse_uci(self.game.rules(), position, text).map_err(|error| wrong(error.to_string()))?;
            if self.game.awaits_throw() {
                self.game.submit(&Act::Throw).map_err(|error| wrong(error.to_string()))?;
            }
            self.make(played).map_err(|error| wrong(error.to_string()))?;
        }
        Ok(())
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The clocks.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Every move so far as move text, those of the opening included.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// The throws of the die since they were last asked for.
    pub fn take_throws(&mut self) -> Vec<Throw> {
        let (told, mut ply) = self.told;
        let steps = self.game.steps();
        let mut throws = Vec::new();
        for step in &steps[told..] {
            match step {
                Step::Throw(face) => throws.push(Throw { id: self.id, ply, face: *face }),
                Step::Move(_) => ply += 1,
                _ => {}
            }
        }
        self.told = (steps.len(), ply);
        throws
    }

    /// How the player who is asked answers.
    pub fn form(&self) -> Form {
        self.forms[self.game.actor().index()]
    }

    /// How long the player who is asked may take for the next answer; `None` if there is no limit. All answers on one move
    /// share its time.
    pub fn budget(&self) -> Option<Duration> {
        let for_move = self.clock.control().per_move.map(|time| time.saturating_sub(self.turn.spent));
        [self.clock.left(self.game.actor()), for_move].into_iter().flatten().min()
    }

    /// What was wrong with the last output, if the player is asked again for that.
    pub fn refused(&self) -> Option<&Refused> {
        self.refused.as_ref()
    }

    /// How the game ended.
    pub fn close(&self) -> Option<&Close> {
        self.close.as_ref()
    }

    /// The last line, once the game is over.
    pub fn finish(&self, departures: Vec<Departure>) -> Option<Finish> {
        let Close { winners, reason, by } = self.close.as_ref()?;
        let rules = self.game.rules();
        let name = |player: Player| rules.player(player).name.clone();
        Some(Finish {
            id: self.id,
            winners: winners.map(|winners| winners.iter().map(name).collect()),
            reason: reason.clone(),
            by: by.map(name),
            plies: self.texts.len() as u32,
            state: fen(rules, self.game.state()),
            departures,
        })
    }

    /// Somebody was asked, and this came back after so long. After the end nothing changes any more.
    pub fn hear(&mut self, reply: Reply<'_>, taken: Duration) -> Answer {
        let taken_us = micros(taken);
        let taken = Duration::from_micros(taken_us);
        let actor = self.game.actor();
        let ply = self.texts.len() as u32 + 1;
        let is_late = self.budget().is_some_and(|budget| taken > budget);
        if self.close.is_none() {
            self.clock.think(actor, taken);
            self.turn.spent = self.turn.spent.saturating_add(taken);
        }
        let ruling = self.rule(reply, is_late);
        let forgiven = self.settle(actor, &ruling);
        let output = match reply {
            Reply::Output(text) if text.len() <= OUTPUT_LIMIT => Some(text.to_owned()),
            _ => None,
        };
        let answer = Answer {
            id: self.id,
            ply,
            seat: self.game.rules().player(actor).name.clone(),
            output,
            verdict: ruling.verdict,
            why: ruling.why(),
            played: ruling.played,
            taken_us,
            left_us: self.clock.left(actor).map(micros),
            forgiven,
            extracted: ruling.extracted,
        };
        self.refused = ruling.refused.filter(|_| forgiven);
        answer
    }

    /// What came is what it is; if it is something that the game understands, the game goes on.
    fn rule(&mut self, reply: Reply<'_>, is_late: bool) -> Ruling {
        match reply {
            _ if self.close.is_some() => Ruling::refused(self.laws.refusal(&self.game, &Illegal::GameOver)),
            Reply::Output(text) if text.len() > OUTPUT_LIMIT => {
                Ruling::fault(Verdict::TooLong, &format!("the output has more than {OUTPUT_LIMIT} bytes"))
            }
            Reply::Output(_) | Reply::Fault(Verdict::Malformed, _) if is_late => {
                Ruling::fault(Verdict::Timeout, "the answer came too late")
            }
            Reply::Output(text) => match self.laws.understand(&self.game, self.form(), self.lenient, text) {
                Ok((act, extracted)) => self.submit(&act, extracted),
                Err(refused) => Ruling::refused(refused),
            },
            Reply::Fault(Verdict::Malformed, why) => {
                Ruling::refused(Refused { rule: Rule::Malformed, why: why.to_owned(), lenient: false })
            }
            Reply::Fault(verdict, why) => Ruling::fault(verdict, why),
        }
    }

    fn submit(&mut self, act: &Act, extracted: bool) -> Ruling {
        let (event, played) = match act {
            Act::Move(played) => (self.make(*played).map(|()| Event::Moved), self.texts.last().cloned()),
            Act::Claim { announced: Some(played), .. } => {
                let text = uci(self.game.rules(), &self.game.state().position, *played);
                (self.game.submit(act), Some(text))
            }
            // Whoever gives up does so at all seats.
            Act::Resign if self.game.end().is_none() => {
                let own = self.sides.own(self.game.actor());
                let event = self.game.submit(act);
                (event.map(|_| self.game.resign(own)), None)
            }
            _ => (self.game.submit(act), None),
        };
        match event {
            Ok(event) => Ruling::accepted(event.into(), played, extracted),
            Err(illegal) => {
                let refused = self.laws.refusal(&self.game, &illegal);
                Ruling::refused(Refused { lenient: extracted, ..refused })
            }
        }
    }

    /// Makes a move that may not be legal.
    fn make(&mut self, played: Move) -> Result<(), Illegal> {
        let text = uci(self.game.rules(), &self.game.state().position, played);
        self.game.submit(&Act::Move(played))?;
        self.texts.push(text);
        Ok(())
    }

    /// What follows from an answer. True if it was forgiven.
    fn settle(&mut self, actor: Player, ruling: &Ruling) -> bool {
        if self.close.is_some() {
            return false;
        }
        let by = match ruling.verdict {
            Verdict::Move => {
                self.clock.press(actor);
                self.turn = Turn::default();
                None
            }
            Verdict::Claim
            | Verdict::Offer
            | Verdict::Accept
            | Verdict::Decline
            | Verdict::Exchange
            | Verdict::Withdraw
            | Verdict::Throw => None,
            Verdict::Resign => {
                self.look_for_the_end(None, Some(actor));
                return false;
            }
            _ if ruling.refused.is_some() && self.turn.forgiven < self.retries => {
                self.turn.forgiven += 1;
                return true;
            }
            Verdict::Unreachable => {
                let reason = ruling.verdict.word().to_owned();
                self.close = Some(Close { winners: None, reason, by: Some(actor) });
                return false;
            }
            Verdict::Timeout => {
                self.game.flag_fell(actor);
                Some(actor)
            }
            fault => {
                self.game.forfeit(actor, fault.word());
                Some(actor)
            }
        };
        self.look_for_the_end(by, by);
        false
    }

    /// If there is a loser, it has lost at every seat of its agent, unless the rules call that a draw or even a win.
    fn look_for_the_end(&mut self, by: Option<Player>, loser: Option<Player>) {
        self.close = match self.game.end() {
            Some(end) => {
                let has_lost = |loser: &Player| !end.winners.is_empty() && !end.winners.contains(*loser);
                let winners = loser
                    .filter(has_lost)
                    .map_or(end.winners, |loser| self.sides.winners_against(loser, end.winners));
                Some(Close { winners: Some(winners), reason: end.reason.clone(), by })
            }
            None if self.texts.len() >= self.max_plies as usize => {
                Some(Close { winners: Some(PlayerSet::EMPTY), reason: "max_plies".to_owned(), by: None })
            }
            None => None,
        };
    }
}

/// Both games of a pair have the same throws, so that luck is shared out evenly.
fn dice_seed(header: &Header) -> u64 {
    header.seed.wrapping_add(u64::from(header.id.saturating_sub(1) / 2))
}

fn clip(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::super::line::Control;
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn laws() -> Laws {
        let chess = tabiya_spec::library::load("chess").unwrap();
        Laws::new(&chess.rules, &chess.hash.to_string())
    }

    fn arbiter(change: impl FnOnce(&mut Header)) -> Arbiter {
        let laws = laws();
        let mut header = Header::new(1, &laws, "chess");
        change(&mut header);
        Arbiter::new(&laws, &header).unwrap()
    }

    fn clock(game: Option<u64>, increment: u64, per_move: Option<u64>) -> Control {
        let control = TimeControl {
            game: game.map(Duration::from_secs),
            increment: Duration::from_secs(increment),
            per_move: per_move.map(Duration::from_secs),
        };
        control.into()
    }

    #[test]
    fn clocks_run_while_somebody_thinks_and_not_otherwise() {
        let mut arbiter = arbiter(|header| header.clock = clock(Some(10), 1, None));
        let answer = arbiter.hear(Reply::Output("e2e4"), 3 * SECOND);
        assert_eq!((answer.taken_us, answer.left_us), (3_000_000, Some(8_000_000)));
        let answer = arbiter.hear(Reply::Output("e7e5"), SECOND / 2);
        assert_eq!((answer.seat.as_str(), answer.left_us), ("BLACK", Some(10_500_000)));
        assert_eq!(arbiter.budget(), Some(8 * SECOND));
        let answer = arbiter.hear(Reply::Output("g1f3"), 9 * SECOND);
        assert_eq!((answer.verdict, answer.played, answer.left_us), (Verdict::Timeout, None, Some(0)));
        let close = arbiter.close().unwrap();
        assert_eq!((close.reason.as_str(), close.by), ("timeout", Some(Player(0))));
        assert_eq!(close.winners, Some(PlayerSet::EMPTY.with(Player(1))));
    }

    #[test]
    fn all_answers_on_a_move_share_its_time() {
        let mut arbiter = arbiter(|header| {
            header.clock = clock(None, 0, Some(2));
            header.retries = 2;
        });
        let answer = arbiter.hear(Reply::Output("e2e5"), SECOND);
        assert_eq!((answer.verdict, answer.forgiven, answer.left_us), (Verdict::Illegal, true, None));
        assert_eq!(arbiter.budget(), Some(SECOND));
        assert!(arbiter.refused().is_some());
        assert_eq!(arbiter.hear(Reply::Output("e2e4"), SECOND).verdict, Verdict::Move);
        assert_eq!((arbiter.budget(), arbiter.refused()), (Some(2 * SECOND), None));
    }

    #[test]
    fn retries_are_counted_for_each_move() {
        let mut arbiter = arbiter(|header| header.retries = 1);
        for text in ["nonsense", "e2e4", "nonsense", "e7e5"] {
            let answer = arbiter.hear(Reply::Output(text), SECOND);
            assert_eq!(answer.forgiven, text == "nonsense");
        }
        assert!(arbiter.hear(Reply::Output("e4e5"), SECOND).forgiven);
        let answer = arbiter.hear(Reply::Output("e4e5"), SECOND);
        assert_eq!((answer.verdict, answer.forgiven), (Verdict::Illegal, false));
        assert_eq!(arbiter.close().unwrap().reason, "illegal");
    }

    #[test]
    fn nobody_tries_again_after_a_fault() {
        let mut arbiter = arbiter(|header| header.retries = 5);
        let answer = arbiter.hear(Reply::Fault(Verdict::Exited, "gone"), SECOND);
        assert_eq!((answer.forgiven, answer.output), (false, None));
        assert_eq!(arbiter.close().unwrap().reason, "exited");
    }

    #[test]
    fn what_cannot_be_read_is_forgiven_like_what_can() {
        let mut arbiter = arbiter(|header| header.retries = 1);
        let binary = Reply::Fault(Verdict::Malformed, "malformed: it is not valid UTF-8");
        assert!(arbiter.hear(binary, SECOND).forgiven);
        let refused = arbiter.refused().unwrap();
        assert_eq!(
            (refused.rule, refused.why.as_str()),
            (Rule::Malformed, "malformed: it is not valid UTF-8")
        );
        let answer = arbiter.hear(binary, SECOND);
        assert_eq!((answer.verdict, answer.forgiven, answer.output), (Verdict::Malformed, false, None));
        assert_eq!(arbiter.close().unwrap().reason, "malformed");
    }

    #[test]
    fn a_fallen_flag_draws_against_who_cannot_win() {
        let mut arbiter = arbiter(|header| {
            header.start = "7k/8/8/8/8/8/8/KQ6 w - - 0 1".to_owned();
            header.clock = clock(Some(1), 0, None);
        });
        assert_eq!(arbiter.hear(Reply::Fault(Verdict::Timeout, ""), 2 * SECOND).verdict, Verdict::Timeout);
        assert_eq!(arbiter.close().unwrap().winners, Some(PlayerSet::EMPTY));
    }

    /// Four players between two agents: RED and YELLOW belong to the first, BLUE and GREEN to the second.
    fn four() -> Arbiter {
        let game = tabiya_spec::library::load("fourplayer").unwrap();
        let laws = Laws::new(&game.rules, &game.hash.to_string());
        let mut header = Header::new(1, &laws, "fourplayer");
        for (index, seat) in header.seats.iter_mut().enumerate() {
            seat.agent = ["a", "b"][index % 2].to_owned();
            seat.answers = Form::Object;
        }
        Arbiter::new(&laws, &header).unwrap()
    }

    #[test]
    fn who_fails_or_resigns_loses_at_all_of_its_seats() {
        let replies = [
            (Reply::Fault(Verdict::Timeout, "late"), "timeout", Some("RED")),
            (Reply::Fault(Verdict::Exited, "gone"), "exited", Some("RED")),
            (Reply::Output("nonsense"), "malformed", Some("RED")),
            (Reply::Output(r#"{"action":"resign"}"#), "resignation", None),
        ];
        for (reply, reason, by) in replies {
            let mut arbiter = four();
            arbiter.hear(reply, SECOND);
            let finish = arbiter.finish(Vec::new()).unwrap();
            assert_eq!(finish.winners, Some(vec!["BLUE".to_owned(), "GREEN".to_owned()]), "{reason}");
            assert_eq!((finish.reason.as_str(), finish.by.as_deref()), (reason, by));
        }
    }

    #[test]
    fn what_is_nobodys_fault_counts_for_nobody() {
        let mut arbiter = arbiter(|_| {});
        arbiter.hear(Reply::Fault(Verdict::Unreachable, "HTTP status 503"), SECOND);
        let finish = arbiter.finish(Vec::new()).unwrap();
        assert_eq!((finish.winners, finish.reason.as_str()), (None, "unreachable"));
    }

    #[test]
    fn games_do_not_go_on_for_ever() {
        let mut arbiter = arbiter(|header| {
            header.opening = vec!["e2e4".to_owned()];
            header.max_plies = 2;
        });
        assert_eq!(arbiter.hear(Reply::Output("e7e5"), SECOND).ply, 2);
        let finish = arbiter.finish(Vec::new()).unwrap();
        assert_eq!(
            (finish.winners.clone(), finish.reason.as_str(), finish.plies),
            (Some(Vec::new()), "max_plies", 2)
        );
        let before = finish;
        assert_eq!(arbiter.hear(Reply::Output("g1f3"), SECOND).verdict, Verdict::Illegal);
        assert_eq!(arbiter.hear(Reply::Fault(Verdict::Exited, ""), SECOND).verdict, Verdict::Illegal);
        assert_eq!(arbiter.finish(Vec::new()), Some(before), "nothing changes after the end");
    }

    #[test]
    fn what_is_too_long_is_not_kept() {
        let mut arbiter = arbiter(|_| {});
        let answer = arbiter.hear(Reply::Output(&"x".repeat(OUTPUT_LIMIT + 1)), SECOND);
        assert_eq!((answer.verdict, answer.output), (Verdict::TooLong, None));
    }

    #[test]
    fn impossible_games_are_refused() {
        let laws = laws();
        let header = Header::new(1, &laws, "chess");
        let bad: [fn(&mut Header); 8] = [
            |header| header.seats.truncate(1),
            |header| header.seats[0].player = "RED".to_owned(),
            |header| header.start = "nonsense".to_owned(),
            |header| header.opening = vec!["e2e5".to_owned()],
            |header| header.clock.game_us = Some(u64::MAX),
            |header| header.retries = u32::MAX,
            |header| header.max_plies = 0,
            |header| header.max_plies = u32::MAX,
        ];
        for change in bad {
            let mut header = header.clone();
            change(&mut header);
            assert!(Arbiter::new(&laws, &header).is_err(), "{header:?}");
        }
    }
}
