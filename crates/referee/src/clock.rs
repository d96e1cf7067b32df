//! Chess clocks as numbers: the time that each player has left, and whether a flag has fallen. The caller measures time.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use tabiya_engine::Player;

/// The time for the game, the increment per move, and the time for a single move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeControl {
    /// The time for the whole game; unlimited if `None`.
    pub game: Option<Duration>,
    /// The time added after every move.
    pub increment: Duration,
    /// The time for one move; unlimited if `None`.
    pub per_move: Option<Duration>,
    /// The time after a limit until an answer counts as late. Players do not see it.
    pub margin: Duration,
}

/// The error for a text that is not a time control.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseTimeControlError(String);

tabiya_engine::error_messages! { ParseTimeControlError:
    ParseTimeControlError(text)
        => "`{text}` is not a time control: write seconds for the game and for each move, as 60+0.6";
}

/// The longest time in seconds.
const LONGEST: f64 = 1e7;

impl FromStr for TimeControl {
    type Err = ParseTimeControlError;

    /// Parses `60+0.6` or `60`: seconds for the game, and seconds added per move.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || ParseTimeControlError(text.chars().take(40).collect());
        let seconds = |part: &str| {
            let seconds: f64 = part.trim().parse().map_err(|_| wrong())?;
            let is_good = (0.0..=LONGEST).contains(&seconds);
            is_good.then(|| Duration::from_secs_f64(seconds)).ok_or_else(wrong)
        };
        let (game, increment) = text.split_once('+').unwrap_or((text, "0"));
        let game = seconds(game)?;
        if game.is_zero() {
            return Err(wrong());
        }
        Ok(TimeControl { game: Some(game), increment: seconds(increment)?, ..TimeControl::default() })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.game {
            Some(game) => write!(f, "{}+{}", game.as_secs_f64(), self.increment.as_secs_f64()),
            None => f.write_str("-"),
        }
    }
}

/// The clocks of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    control: TimeControl,
    left: Vec<Duration>,
}

impl Clock {
    /// Creates clocks with their full time.
    pub fn new(control: TimeControl, players: usize) -> Self {
        Clock { control, left: vec![control.game.unwrap_or(Duration::MAX); players] }
    }

    /// The time control.
    pub fn control(&self) -> &TimeControl {
        &self.control
    }

    /// The time that a player has left; `None` if it is unlimited.
    pub fn left(&self, player: Player) -> Option<Duration> {
        self.control.game.map(|_| self.left[player.index()])
    }

    /// Subtracts thinking time from a player's clock.
    pub fn think(&mut self, player: Player, taken: Duration) {
        if self.control.game.is_some() {
            let left = &mut self.left[player.index()];
            *left = left.saturating_sub(taken);
        }
    }

    /// Adds the increment after a player's move.
    pub fn press(&mut self, player: Player) {
        if self.control.game.is_some() {
            self.left[player.index()] += self.control.increment;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read_and_written() {
        for text in ["60+0.6", "1+0", "0.5+0.01"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
        assert_eq!("60".parse::<TimeControl>().unwrap().to_string(), "60+0");
        for text in ["", "0", "-1", "60+", "60+x", "1e99", "nan", "60+0.6+1", "inf"] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn thinking_takes_time_and_a_move_adds_the_increment() {
        let mut clock = Clock::new("3+1".parse().unwrap(), 2);
        let white = Player(0);
        clock.think(white, Duration::from_secs(2));
        clock.press(white);
        assert_eq!(clock.left(white), Some(Duration::from_secs(2)));
        clock.think(white, Duration::from_secs(3));
        assert_eq!(clock.left(white), Some(Duration::ZERO));
        assert_eq!(clock.left(Player(1)), Some(Duration::from_secs(3)));
    }
}
