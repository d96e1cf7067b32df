//! Conducting one game between players who may answer anything: whose turn it is to act, clocks, retries, offers, resignation,
//! undo, the length limit and the result. Matches, the terminal, the MCP server and the web server all use this type.
//!
//! A session is pure: the caller measures time and passes it in, and asks players for their answers.
//!
//! ```
//! use std::time::Duration;
//! use tabiya_referee::{ActionKind, Laws, Reply, Session, SessionOptions, Verdict};
//!
//! let chess = tabiya_spec::library::load("chess").unwrap();
//! let laws = Laws::new(&chess.rules, &chess.hash.to_string());
//! let mut session = Session::new(&laws, SessionOptions { retries: 1, ..SessionOptions::new(&chess.rules) });
//! let ruling = session.hear(Reply::Output("e2e5"), Duration::from_secs(1));
//! assert_eq!((ruling.verdict, ruling.is_forgiven), (Verdict::Illegal, true));
//! let ruling = session.hear(Reply::Output("e2e4"), Duration::from_secs(1));
//! assert_eq!(ruling.verdict, Verdict::Accepted(ActionKind::Move));
//! assert_eq!(session.moves(), ["e2e4"]);
//! ```

mod answering;
mod options;
mod seats;

use std::time::Duration;

use tabiya_engine::{Player, PlayerSet, Position, Rules, Step};
use tabiya_notation::{State, clip, parse_uci, uci};

pub use answering::{Reply, Ruling};
pub use options::{AnswerFormat, SessionKind, SessionOptions};
pub use seats::Seating;

use crate::game::Choices;
use crate::protocol::RejectedAnswer;
use crate::{Action, ActionKind, Clock, End, Game, IllegalAction, Laws};

/// The longest game, in moves. Repetition is looked up in all of it.
pub const MAX_PLIES: u32 = 20_000;

/// One game with its clocks, its retries and its log.
#[derive(Clone, Debug)]
pub struct Session {
    laws: Laws,
    options: SessionOptions,
    game: Game,
    clock: Clock,
    /// What was done before the players were asked.
    opening: Vec<Action>,
    log: Vec<LogEntry>,
    /// The text of every move.
    moves: Vec<String>,
    turn: Turn,
    rejected: Option<RejectedAnswer>,
    result: Option<GameResult>,
    /// How many steps of the game [`Session::take_throws`] has read, and the number of the next move.
    throws_read: (usize, u32),
}

/// What the player to act has used up.
#[derive(Clone, Copy, Debug, Default)]
struct Turn {
    /// Time spent on this move.
    spent: Duration,
    /// Time spent since the last log entry.
    unlogged: Duration,
    /// Rejected answers on this move.
    forgiven: u32,
}

/// Something that happened in a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// The player who did it.
    pub player: Player,
    /// What happened.
    pub event: Event,
    /// Its text, which reads back in the same position.
    pub text: String,
    /// The thinking time.
    pub taken: Duration,
}

/// Something that can happen in a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The player to act did something, or a player resigned at any time.
    Action(Action),
    /// The player resigns for this army alone, not for the others of its seat. This is possible at any time.
    ResignArmy,
    /// The flag of the player to act fell.
    Flag,
    /// The player loses for a reason outside the rules.
    Forfeit(String),
    /// The game is aborted for this reason and does not count.
    Abort(String),
}

/// How a session ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// The winners and the reason.
    pub end: End,
    /// Whether the game counts. An aborted game does not.
    pub counts: bool,
    /// The player whose fault ended the game.
    pub by: Option<Player>,
}

impl Session {
    /// Starts a session.
    pub fn new(laws: &Laws, options: SessionOptions) -> Self {
        let rules = laws.rules();
        let game = Game::resume(rules.clone(), options.start.clone(), &[], options.dice());
        let clock = Clock::new(options.time, rules.players().count());
        let mut session = Session {
            laws: laws.clone(),
            options,
            game,
            clock,
            opening: Vec::new(),
            log: Vec::new(),
            moves: Vec::new(),
            turn: Turn::default(),
            rejected: None,
            result: None,
            throws_read: (0, 1),
        };
        session.update_result(None, None);
        session
    }

    /// Plays an opening before the players are asked. It takes no time.
    ///
    /// # Errors
    ///
    /// Says which move is not legal, or that the opening is too long.
    pub fn play_opening(&mut self, opening: &[String]) -> Result<(), String> {
        if opening.len() > self.options.max_plies as usize {
            return Err("the opening is longer than the game may be".to_owned());
        }
        for text in opening {
            let wrong = |why: String| format!("the opening's move {}: {why}", clip(text, 40));
            let played = parse_uci(self.rules(), self.position(), text);
            let played = Action::Move(played.map_err(|error| wrong(error.to_string()))?);
            let throw = self.game.awaits_throw().then_some(Action::Throw);
            for action in throw.into_iter().chain([played]) {
                self.submit(self.actor(), &action).map_err(|error| wrong(error.to_string()))?;
                self.opening.push(action);
            }
        }
        self.update_result(None, None);
        Ok(())
    }

    /// The rules, the agent protocol and the content hash.
    pub fn laws(&self) -> &Laws {
        &self.laws
    }

    /// How the session was set up.
    pub fn options(&self) -> &SessionOptions {
        &self.options
    }

    /// The game under its rules.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        self.laws.rules()
    }

    /// The position with its counters.
    pub fn state(&self) -> &State {
        self.game.state()
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.game.state().position
    }

    /// The player who acts next.
    pub fn actor(&self) -> Player {
        self.game.actor()
    }

    /// The clocks.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Everything that happened, oldest first, without the opening.
    pub fn log(&self) -> &[LogEntry] {
        &self.log
    }

    /// The text of every move, oldest first, including the opening.
    pub fn moves(&self) -> &[String] {
        &self.moves
    }

    /// The format in which the player to act answers.
    pub fn format(&self) -> AnswerFormat {
        self.options.formats[self.actor().index()]
    }

    /// Sets the format in which a player answers.
    pub fn set_format(&mut self, player: Player, format: AnswerFormat) {
        self.options.formats[player.index()] = format;
    }

    /// The time that the next answer may take; `None` if it is unlimited. All answers on one move share its time.
    pub fn time_limit(&self) -> Option<Duration> {
        let for_move = self.clock.control().per_move.map(|time| time.saturating_sub(self.turn.spent));
        [self.clock.left(self.actor()), for_move].into_iter().flatten().min()
    }

    /// The time after which the next answer is late: the limit and its margin.
    pub fn timeout(&self) -> Option<Duration> {
        self.time_limit().map(|limit| limit.saturating_add(self.clock.control().margin))
    }

    /// How many more answers on this move can be rejected before the player loses.
    pub fn retries_left(&self) -> u32 {
        self.options.retries - self.turn.forgiven.min(self.options.retries)
    }

    /// Why the last answer was rejected, if the player is asked again.
    pub fn rejected(&self) -> Option<&RejectedAnswer> {
        self.rejected.as_ref()
    }

    /// How the session ended.
    pub fn result(&self) -> Option<&GameResult> {
        self.result.as_ref()
    }

    /// The winners and the reason, once the session has ended. An aborted game has no winners.
    pub fn end(&self) -> Option<&End> {
        self.result.as_ref().map(|result| &result.end)
    }

    /// Whether one of these players is asked to act.
    pub fn is_asked(&self, players: PlayerSet) -> bool {
        self.result.is_none() && players.contains(self.actor())
    }

    /// What these players can do now; `None` if another player is asked. Only the player who is asked sees its choices.
    pub fn choices_for(&self, players: PlayerSet) -> Option<Choices> {
        self.is_asked(players).then(|| self.game.choices())
    }

    /// Returns the throws of the die since the last call, each with the number of the move that follows it.
    pub fn take_throws(&mut self) -> Vec<(u32, u8)> {
        let (read, mut ply) = self.throws_read;
        let steps = self.game.steps();
        let mut throws = Vec::new();
        for step in &steps[read..] {
            match step {
                Step::Throw(face) => throws.push((ply, *face)),
                Step::Move(_) => ply += 1,
                _ => {}
            }
        }
        self.throws_read = (steps.len(), ply);
        throws
    }

    /// Does an action for the player to act, who has thought for this time.
    ///
    /// # Errors
    ///
    /// An illegal action changes nothing.
    pub fn act(&mut self, action: Action, taken: Duration) -> Result<(), IllegalAction> {
        let actor = self.actor();
        self.apply(actor, Event::Action(action), taken)
    }

    /// Resigns for a player and for all others of the same seat. This is possible at any time.
    ///
    /// # Errors
    ///
    /// The game is over, or all players of the seat have resigned already.
    pub fn resign(&mut self, player: Player, taken: Duration) -> Result<(), IllegalAction> {
        self.apply(player, Event::Action(Action::Resign), taken)
    }

    /// Applies an event.
    ///
    /// # Errors
    ///
    /// An event that is not allowed changes nothing.
    pub fn apply(&mut self, player: Player, event: Event, taken: Duration) -> Result<(), IllegalAction> {
        if self.result.is_some() {
            return Err(IllegalAction::GameOver);
        }
        let actor = self.actor();
        let text = self.event_text(&event);
        self.apply_to_game(player, &event)?;
        if player == actor {
            self.charge(actor, taken);
            self.record(actor, event, text);
        } else {
            // A player who resigns out of turn spends no time on the clock.
            self.log.push(LogEntry { player, event, text, taken });
        }
        Ok(())
    }

    /// Applies an event of a record after which the game goes on, as the record shows. This takes less time than
    /// [`Session::apply`], which looks for the end of the game; the last event of a record is applied with that method.
    ///
    /// # Errors
    ///
    /// An event that is not allowed changes nothing.
    pub fn replay(&mut self, player: Player, event: Event, taken: Duration) -> Result<(), IllegalAction> {
        self.game.set_goes_on(true);
        let applied = self.apply(player, event, taken);
        self.game.set_goes_on(false);
        applied
    }

    fn charge(&mut self, actor: Player, taken: Duration) {
        self.clock.think(actor, taken);
        self.turn.spent = self.turn.spent.saturating_add(taken);
        self.turn.unlogged = self.turn.unlogged.saturating_add(taken);
    }

    /// Adds an event of the player to act to the log. Its time is charged already.
    fn record(&mut self, actor: Player, event: Event, text: String) {
        let taken = std::mem::take(&mut self.turn.unlogged);
        if matches!(event, Event::Action(Action::Move(_))) {
            self.clock.press(actor);
            self.turn = Turn::default();
        }
        self.log.push(LogEntry { player: actor, event, text, taken });
    }

    fn event_text(&self, event: &Event) -> String {
        match event {
            Event::Action(action) => action.text(self.rules(), self.position()),
            Event::ResignArmy => ActionKind::Resign.typed().to_owned(),
            Event::Flag => "flag".to_owned(),
            Event::Forfeit(reason) | Event::Abort(reason) => reason.clone(),
        }
    }

    /// Changes the game and the result. Clocks and log are left to the caller.
    fn apply_to_game(&mut self, player: Player, event: &Event) -> Result<(), IllegalAction> {
        let (by, loser) = match event {
            Event::Action(Action::Resign) => {
                self.resign_players(self.options.seating.seat(player))?;
                (None, Some(player))
            }
            Event::ResignArmy => {
                self.resign_players(PlayerSet::EMPTY.with(player))?;
                (None, Some(player))
            }
            Event::Action(action) => {
                self.submit(player, action)?;
                (None, None)
            }
            Event::Flag | Event::Forfeit(_) if self.plays_on_without(player) => {
                self.game.leave(player);
                (None, None)
            }
            Event::Flag => {
                self.game.flag_fell(player);
                (Some(player), Some(player))
            }
            Event::Forfeit(reason) => {
                self.game.forfeit(player, reason);
                (Some(player), Some(player))
            }
            Event::Abort(reason) => {
                let end = End::draw(reason);
                self.result = Some(GameResult { end, counts: false, by: Some(player) });
                return Ok(());
            }
        };
        self.update_result(by, loser);
        Ok(())
    }

    fn submit(&mut self, player: Player, action: &Action) -> Result<(), IllegalAction> {
        match action {
            Action::Move(played) => {
                let text = uci(self.rules(), self.position(), *played);
                self.game.submit(action)?;
                self.moves.push(text);
            }
            _ => self.game.submit(action)?,
        }
        if self.options.kind == SessionKind::Casual && matches!(action, Action::Offer | Action::Accept) {
            self.game.agree(player, self.options.seating.seat(player));
        }
        Ok(())
    }

    /// Resigns for those of the players who are still in the game. In a casual game of several sides the others play on.
    fn resign_players(&mut self, players: PlayerSet) -> Result<(), IllegalAction> {
        let players = players.intersection(self.rules().alive(self.position()));
        if players.without(self.game.resigning()).is_empty() {
            return Err(IllegalAction::Resigned);
        }
        let mut resigning = PlayerSet::EMPTY;
        for player in players.iter() {
            if self.plays_on_without(player) {
                self.game.leave(player);
            } else {
                resigning = resigning.with(player);
            }
        }
        if !resigning.is_empty() {
            self.game.resign(resigning);
        }
        Ok(())
    }

    fn plays_on_without(&self, player: Player) -> bool {
        self.options.kind == SessionKind::Casual && self.game.continues_without(player)
    }

    /// Finds the result. In a match, the loser loses at every seat of its agent, unless the rules call it a draw or a win.
    fn update_result(&mut self, by: Option<Player>, loser: Option<Player>) {
        let result = |end: End, by| Some(GameResult { end, counts: true, by });
        self.result = match self.game.end() {
            Some(end) => {
                let has_lost = |loser: &Player| !end.winners.is_empty() && !end.winners.contains(*loser);
                let loser = loser.filter(has_lost).filter(|_| self.options.kind == SessionKind::Match);
                let winners = loser
                    .map_or(end.winners, |loser| self.options.seating.winners_against(loser, end.winners));
                result(End { winners, reason: end.reason.clone() }, by)
            }
            None if self.moves.len() >= self.options.max_plies as usize => {
                result(End::draw("max_plies"), None)
            }
            None => None,
        };
    }

    /// Undoes everything after the first `keep` log entries by replaying them. Clocks and dice return to their values of
    /// that time.
    pub fn undo_to(&mut self, keep: usize) {
        let mut earlier = Session::new(&self.laws, self.options.clone());
        earlier.opening = std::mem::take(&mut self.opening);
        for action in &earlier.opening.clone() {
            let is_legal = earlier.submit(earlier.actor(), action);
            debug_assert!(is_legal.is_ok(), "the opening replays");
        }
        for (number, LogEntry { player, event, taken, .. }) in self.log.drain(..).take(keep).enumerate() {
            // The event was allowed in this position before.
            let is_last = number + 1 == keep;
            let is_allowed = if is_last {
                earlier.apply(player, event, taken)
            } else {
                earlier.replay(player, event, taken)
            };
            debug_assert!(is_allowed.is_ok(), "a logged event replays");
        }
        *self = earlier;
    }
}

#[cfg(test)]
mod tests {
    use tabiya_engine::SplitMix;

    use super::*;

    #[test]
    fn a_replayed_session_is_the_same() {
        for name in ["chess", "enochian", "chaturaji", "fourplayer", "knightmate"] {
            let game = tabiya_spec::library::load(name).unwrap();
            let laws = Laws::new(&game.rules, &game.hash.to_string());
            let mut session = Session::new(&laws, SessionOptions::new(&game.rules));
            let mut chance = SplitMix::new(5);
            for turn in 0..150 {
                let actions = session.game().required_actions();
                let Some(action) = actions.get(chance.below(actions.len().max(1))) else { break };
                session.act(action.clone(), Duration::from_millis(turn)).unwrap();
            }
            let log = session.log().to_vec();
            let mut again = Session::new(&laws, session.options().clone());
            for (number, LogEntry { player, event, taken, .. }) in log.iter().cloned().enumerate() {
                let is_last = number + 1 == log.len();
                let applied = if is_last {
                    again.apply(player, event, taken)
                } else {
                    again.replay(player, event, taken)
                };
                applied.unwrap();
            }
            assert_eq!(format!("{again:?}"), format!("{session:?}"), "{name}");
            let half = log.len() / 2;
            again.undo_to(half);
            assert_eq!((again.log(), again.end()), (&log[..half], None), "{name}");
        }
    }
}
