//! A session whose events become lines of a record.

use std::time::Duration;

use tabiya_engine::Player;
use tabiya_notation::{fen, parse_state};

use super::line::{Answer, Departure, Finish, Header, Throw, micros};
use crate::protocol::{OUTPUT_LIMIT, Strictness};
use crate::session::{MAX_PLIES, Reply, Seating, Session, SessionKind, SessionOptions};
use crate::{Laws, TimeControl};

/// The most retries that a record may allow.
const MAX_RETRIES: u32 = 1000;

/// One game of a match, and the number by which its record knows it.
#[derive(Clone, Debug)]
pub struct Recorder {
    id: u32,
    session: Session,
}

impl Recorder {
    /// Starts the game that a header describes and plays its opening.
    ///
    /// # Errors
    ///
    /// Says why the header does not describe a game of these laws.
    pub fn new(laws: &Laws, header: &Header) -> Result<Self, String> {
        let rules = laws.rules();
        let names: Vec<&str> = rules.players().map(|player| rules.player(player).name.as_str()).collect();
        let seats: Vec<&str> = header.seats.iter().map(|seat| seat.player.as_str()).collect();
        if names != seats {
            return Err(format!("the seats must be, in this order, {}", names.join(", ")));
        }
        let is_in_range = header.clock.is_in_range()
            && header.retries <= MAX_RETRIES
            && (1..=MAX_PLIES).contains(&header.max_plies);
        if !is_in_range {
            return Err("a time, the retries or max_plies is out of range".to_owned());
        }
        let start = parse_state(rules, &header.start).map_err(|error| format!("the start: {error}"))?;
        let agents: Vec<&str> = header.seats.iter().map(|seat| seat.agent.as_str()).collect();
        let options = SessionOptions {
            start,
            seed: dice_seed(header),
            secret: None,
            seating: Seating::by_name(&agents),
            kind: SessionKind::Match,
            time: TimeControl::from(header.clock),
            retries: header.retries,
            max_plies: header.max_plies,
            formats: header.seats.iter().map(|seat| seat.answers).collect(),
            strictness: if header.lenient { Strictness::Lenient } else { Strictness::Strict },
        };
        let mut session = Session::new(laws, options);
        session.play_opening(&header.opening)?;
        Ok(Recorder { id: header.id, session })
    }

    /// The session.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Returns the throws of the die since the last call.
    pub fn take_throws(&mut self) -> Vec<Throw> {
        let throws = self.session.take_throws().into_iter();
        throws.map(|(ply, face)| Throw { id: self.id, ply, face }).collect()
    }

    /// Judges the reply of the player to act, which took this time, and returns its line.
    pub fn hear(&mut self, reply: Reply<'_>, taken: Duration) -> Answer {
        let taken_us = micros(taken);
        let ruling = self.session.hear(reply, Duration::from_micros(taken_us));
        let output = match reply {
            Reply::Output(text) | Reply::Unsolicited(text) | Reply::Unfinished(text)
                if text.len() <= OUTPUT_LIMIT =>
            {
                Some(text.to_owned())
            }
            _ => None,
        };
        Answer {
            id: self.id,
            ply: ruling.ply,
            seat: self.name(ruling.player),
            output,
            verdict: ruling.verdict,
            why: ruling.why(),
            played: ruling.played,
            taken_us,
            left_us: ruling.left.map(micros),
            forgiven: ruling.is_forgiven,
            extracted: ruling.extracted,
        }
    }

    /// Returns the last line, once the game is over.
    pub fn finish(&self, departures: Vec<Departure>) -> Option<Finish> {
        let result = self.session.result()?;
        let winners = result.end.winners.iter().map(|player| self.name(player)).collect();
        Some(Finish {
            id: self.id,
            winners: result.counts.then_some(winners),
            reason: result.end.reason.clone(),
            by: result.by.map(|player| self.name(player)),
            plies: self.session.moves().len() as u32,
            state: fen(self.session.rules(), self.session.state()),
            departures,
        })
    }

    fn name(&self, player: Player) -> String {
        self.session.rules().player(player).name.clone()
    }
}

/// Both games of a pair have the same throws, so that luck is shared evenly.
fn dice_seed(header: &Header) -> u64 {
    header.seed.wrapping_add(u64::from(header.id.saturating_sub(1) / 2))
}

#[cfg(test)]
mod tests {
    use tabiya_engine::PlayerSet;

    use super::super::line::Control;
    use super::*;
    use crate::protocol::Rule;
    use crate::{ActionKind, AnswerFormat, Verdict};

    const SECOND: Duration = Duration::from_secs(1);

    fn laws() -> Laws {
        let chess = tabiya_spec::library::load("chess").unwrap();
        Laws::new(&chess.rules, &chess.hash.to_string())
    }

    fn recorder(change: impl FnOnce(&mut Header)) -> Recorder {
        let laws = laws();
        let mut header = Header::new(1, &laws, "chess");
        change(&mut header);
        Recorder::new(&laws, &header).unwrap()
    }

    fn clock(game: Option<u64>, increment: u64, per_move: Option<u64>) -> Control {
        let control = TimeControl {
            game: game.map(Duration::from_secs),
            increment: Duration::from_secs(increment),
            per_move: per_move.map(Duration::from_secs),
            ..TimeControl::default()
        };
        control.into()
    }

    #[test]
    fn only_the_clock_of_the_thinking_player_runs() {
        let mut recorder = recorder(|header| header.clock = clock(Some(10), 1, None));
        let answer = recorder.hear(Reply::Output("e2e4"), 3 * SECOND);
        assert_eq!((answer.taken_us, answer.left_us), (3_000_000, Some(8_000_000)));
        let answer = recorder.hear(Reply::Output("e7e5"), SECOND / 2);
        assert_eq!((answer.seat.as_str(), answer.left_us), ("BLACK", Some(10_500_000)));
        assert_eq!(recorder.session().time_limit(), Some(8 * SECOND));
        let answer = recorder.hear(Reply::Output("g1f3"), 9 * SECOND);
        assert_eq!((answer.verdict, answer.played, answer.left_us), (Verdict::Timeout, None, Some(0)));
        let close = recorder.session().result().unwrap();
        assert_eq!((close.end.reason.as_str(), close.by), ("timeout", Some(Player(0))));
        assert_eq!(close.end.winners, PlayerSet::EMPTY.with(Player(1)));
    }

    #[test]
    fn a_flag_falls_after_the_time_and_not_at_it() {
        for (taken, verdict) in
            [(2 * SECOND, Verdict::Accepted(ActionKind::Move)), (2001 * SECOND / 1000, Verdict::Timeout)]
        {
            let mut recorder = recorder(|header| header.clock = clock(Some(2), 0, None));
            assert_eq!(recorder.hear(Reply::Output("e2e4"), taken).verdict, verdict);
        }
    }

    #[test]
    fn an_answer_is_late_after_the_margin() {
        for (taken, verdict) in [(2050, Verdict::Accepted(ActionKind::Move)), (2051, Verdict::Timeout)] {
            let mut recorder = recorder(|header| {
                header.clock = Control { margin_us: 50_000, ..clock(Some(2), 0, None) };
            });
            let limits = (recorder.session().time_limit(), recorder.session().timeout());
            assert_eq!(
                limits,
                (Some(2 * SECOND), Some(2 * SECOND + SECOND / 20)),
                "players see the limit only"
            );
            let answer = recorder.hear(Reply::Output("e2e4"), Duration::from_millis(taken));
            assert_eq!((answer.verdict, answer.left_us), (verdict, Some(0)));
        }
    }

    #[test]
    fn all_answers_on_a_move_share_its_time() {
        let mut recorder = recorder(|header| {
            header.clock = clock(None, 0, Some(2));
            header.retries = 2;
        });
        let answer = recorder.hear(Reply::Output("e2e5"), SECOND);
        assert_eq!((answer.verdict, answer.forgiven, answer.left_us), (Verdict::Illegal, true, None));
        assert_eq!(recorder.session().time_limit(), Some(SECOND));
        assert!(recorder.session().rejected().is_some());
        assert_eq!(recorder.hear(Reply::Output("e2e4"), SECOND).verdict, Verdict::Accepted(ActionKind::Move));
        assert_eq!(
            (recorder.session().time_limit(), recorder.session().rejected()),
            (Some(2 * SECOND), None)
        );
    }

    #[test]
    fn retries_count_per_move() {
        let mut recorder = recorder(|header| header.retries = 1);
        for text in ["nonsense", "e2e4", "nonsense", "e7e5"] {
            let answer = recorder.hear(Reply::Output(text), SECOND);
            assert_eq!(answer.forgiven, text == "nonsense");
        }
        assert!(recorder.hear(Reply::Output("e4e5"), SECOND).forgiven);
        let answer = recorder.hear(Reply::Output("e4e5"), SECOND);
        assert_eq!((answer.verdict, answer.forgiven), (Verdict::Illegal, false));
        assert_eq!(recorder.session().result().unwrap().end.reason, "illegal");
    }

    #[test]
    fn faults_are_not_forgiven() {
        let mut recorder = recorder(|header| header.retries = 5);
        let answer = recorder.hear(Reply::Fault(Verdict::Exited, "gone"), SECOND);
        assert_eq!((answer.forgiven, answer.output), (false, None));
        assert_eq!(recorder.session().result().unwrap().end.reason, "exited");
    }

    #[test]
    fn unreadable_answers_are_forgiven_like_malformed_ones() {
        let mut recorder = recorder(|header| header.retries = 1);
        let binary = Reply::Fault(Verdict::Malformed, "malformed: it is not valid UTF-8");
        assert!(recorder.hear(binary, SECOND).forgiven);
        let rejected = recorder.session().rejected().unwrap();
        assert_eq!(
            (rejected.rule, rejected.why.as_str()),
            (Rule::Malformed, "malformed: it is not valid UTF-8")
        );
        let answer = recorder.hear(binary, SECOND);
        assert_eq!((answer.verdict, answer.forgiven, answer.output), (Verdict::Malformed, false, None));
        assert_eq!(recorder.session().result().unwrap().end.reason, "malformed");
    }

    #[test]
    fn a_fallen_flag_draws_if_the_opponent_cannot_win() {
        let mut recorder = recorder(|header| {
            header.start = "7k/8/8/8/8/8/8/KQ6 w - - 0 1".to_owned();
            header.clock = clock(Some(1), 0, None);
        });
        assert_eq!(recorder.hear(Reply::Fault(Verdict::Timeout, ""), 2 * SECOND).verdict, Verdict::Timeout);
        assert_eq!(recorder.session().result().unwrap().end.winners, PlayerSet::EMPTY);
    }

    /// Four players between two agents: RED and YELLOW belong to the first, BLUE and GREEN to the second.
    fn four() -> Recorder {
        let game = tabiya_spec::library::load("fourplayer").unwrap();
        let laws = Laws::new(&game.rules, &game.hash.to_string());
        let mut header = Header::new(1, &laws, "fourplayer");
        for (index, seat) in header.seats.iter_mut().enumerate() {
            seat.agent = ["a", "b"][index % 2].to_owned();
            seat.answers = AnswerFormat::Object;
        }
        Recorder::new(&laws, &header).unwrap()
    }

    #[test]
    fn an_agent_that_fails_or_resigns_loses_at_all_of_its_seats() {
        let replies = [
            (Reply::Fault(Verdict::Timeout, "late"), "timeout", Some("RED")),
            (Reply::Fault(Verdict::Exited, "gone"), "exited", Some("RED")),
            (Reply::Output("nonsense"), "malformed", Some("RED")),
            (Reply::Output(r#"{"action":"resign"}"#), "resignation", None),
        ];
        for (reply, reason, by) in replies {
            let mut recorder = four();
            recorder.hear(reply, SECOND);
            let finish = recorder.finish(Vec::new()).unwrap();
            assert_eq!(finish.winners, Some(vec!["BLUE".to_owned(), "GREEN".to_owned()]), "{reason}");
            assert_eq!((finish.reason.as_str(), finish.by.as_deref()), (reason, by));
        }
    }

    #[test]
    fn unreachable_agents_void_the_game() {
        let mut recorder = recorder(|_| {});
        recorder.hear(Reply::Fault(Verdict::Unreachable, "HTTP status 503"), SECOND);
        let finish = recorder.finish(Vec::new()).unwrap();
        assert_eq!((finish.winners, finish.reason.as_str()), (None, "unreachable"));
    }

    #[test]
    fn max_plies_ends_the_game() {
        let mut recorder = recorder(|header| {
            header.opening = vec!["e2e4".to_owned()];
            header.max_plies = 2;
        });
        assert_eq!(recorder.hear(Reply::Output("e7e5"), SECOND).ply, 2);
        let finish = recorder.finish(Vec::new()).unwrap();
        assert_eq!(
            (finish.winners.clone(), finish.reason.as_str(), finish.plies),
            (Some(Vec::new()), "max_plies", 2)
        );
        let before = finish;
        assert_eq!(recorder.hear(Reply::Output("g1f3"), SECOND).verdict, Verdict::Illegal);
        assert_eq!(recorder.hear(Reply::Fault(Verdict::Exited, ""), SECOND).verdict, Verdict::Illegal);
        assert_eq!(recorder.finish(Vec::new()), Some(before), "nothing changes after the end");
    }

    #[test]
    fn output_that_is_too_long_is_not_recorded() {
        let mut recorder = recorder(|_| {});
        let answer = recorder.hear(Reply::Output(&"x".repeat(OUTPUT_LIMIT + 1)), SECOND);
        assert_eq!((answer.verdict, answer.output), (Verdict::TooLong, None));
    }

    #[test]
    fn unsolicited_output_is_recorded() {
        let mut recorder = recorder(|header| header.retries = 1);
        let answer = recorder.hear(Reply::Unsolicited("e2e4\n"), SECOND);
        assert_eq!((answer.verdict, answer.played, answer.forgiven), (Verdict::Unsolicited, None, false));
        assert_eq!(answer.output.as_deref(), Some("e2e4\n"));
        assert_eq!(answer.why.as_deref(), Some("sent output without being asked"));
        assert_eq!(recorder.session().result().unwrap().end.reason, "unsolicited");
    }

    #[test]
    fn invalid_headers_are_rejected() {
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
            assert!(Recorder::new(&laws, &header).is_err(), "{header:?}");
        }
    }
}
