//! The game of a room as PGN, with the tags that other programs expect.

use tabiya_notation::pgn;
use tabiya_referee::record::Choice;
use tabiya_referee::{Event, GameResult, LogEntry, TimeControl};

use super::{Inner, Occupant, Room, people, time_control};

/// The name of a person who gave none.
const ANONYMOUS: &str = "Anonymous";

impl Room {
    /// Returns the game as PGN; `None` if it has an event that PGN cannot express.
    pub(crate) fn pgn(&self) -> Option<String> {
        let inner = self.lock();
        let (rules, view) = (&self.loaded_game.game.rules, &self.loaded_game.view);
        let mut game = pgn::Game::new(inner.session.options().start.clone());
        inner.session.game().steps().iter().for_each(|step| game.push(*step));
        let result = inner.session.result();
        game.winners = result.filter(|result| result.counts).map(|result| result.end.winners);
        game.set_tag("Event", format!("{} on Tabiya", view.title));
        game.set_tag("Round", "-");
        for (player, seat) in rules.players().zip(&self.seat_of) {
            game.set_tag(pgn::player_tag(rules, player), self.name_of(&inner, *seat));
        }
        if let Some((date, time)) = self.config.opened.map(date_and_time) {
            game.set_tag("Date", &date);
            game.set_tag("UTCDate", date);
            game.set_tag("UTCTime", time);
        }
        if view.library.as_deref() != Some("chess") {
            game.set_tag("Variant", view.library.clone().unwrap_or_else(|| view.title.clone()));
        }
        for (tag, value) in self.choice().tags() {
            game.set_tag(tag, value);
        }
        game.set_tag("TimeControl", time_control_tag(&time_control(&self.config)));
        game.set_tag("Termination", termination(result, inner.session.log().last()));
        if let Some(result) = result {
            game.remark(pgn::Note::Comment(result.end.reason.replace('_', " ")));
        }
        pgn::write(rules, &game).ok()
    }

    fn name_of<'a>(&'a self, inner: &'a Inner, seat: usize) -> &'a str {
        match &self.config.seats[seat].occupant {
            Occupant::Human(_) => inner.people.name(seat).unwrap_or(ANONYMOUS),
            Occupant::Player(name) | Occupant::Agent(name) => name,
        }
    }

    fn choice(&self) -> Choice {
        let chosen = self.config.choice.clone();
        Choice { array: chosen.layout, rules: chosen.preset, options: chosen.options.into_iter().collect() }
    }
}

/// Writes a time control as the PGN standard does: `600+5`, or `-` without a clock.
fn time_control_tag(control: &TimeControl) -> String {
    match control.game {
        Some(game) if control.increment.is_zero() => game.as_secs_f64().to_string(),
        _ => control.to_string(),
    }
}

/// Returns the word of the PGN standard (9.8.1) for how a game ended.
fn termination(result: Option<&GameResult>, last: Option<&LogEntry>) -> &'static str {
    let Some(result) = result else { return "unterminated" };
    match last.map(|entry| &entry.event) {
        _ if !result.counts => "abandoned",
        _ if result.end.reason == "max_plies" => "adjudication",
        Some(Event::Flag) => "time forfeit",
        Some(Event::Forfeit(reason)) => match reason.as_str() {
            people::LEFT | "exited" | "closed" | "could_not_start" => "abandoned",
            _ => "rules infraction",
        },
        _ => "normal",
    }
}

/// Returns date and time of a number of seconds since 1970: `2024.02.29` and `23:59:59`.
fn date_and_time(seconds: u64) -> (String, String) {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Years begin in March here, so that leap days come last. An era has 400 years.
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let time = format!("{:02}:{:02}:{:02}", rest / 3600, rest / 60 % 60, rest % 60);
    (format!("{year}.{month:02}.{day:02}"), time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_become_a_date() {
        let date = |seconds| {
            let (date, time) = date_and_time(seconds);
            format!("{date} {time}")
        };
        assert_eq!(date(0), "1970.01.01 00:00:00");
        assert_eq!(date(951_868_799), "2000.02.29 23:59:59");
        assert_eq!(date(951_868_800), "2000.03.01 00:00:00");
        assert_eq!(date(4_107_542_400), "2100.03.01 00:00:00");
    }

    #[test]
    fn time_controls_are_those_of_the_standard() {
        let written = |text: &str| time_control_tag(&text.parse().unwrap());
        assert_eq!((written("600+5"), written("1800+0")), ("600+5".to_owned(), "1800".to_owned()));
        assert_eq!(time_control_tag(&TimeControl::default()), "-");
    }
}
