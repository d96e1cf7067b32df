//! What is said before the first move: who the engine is, what it offers, and how it is set up.

use std::time::Instant;

use super::Talk;
use crate::agent::Fault;
use crate::process::Running;
use crate::search::{UciSettings, one_line};

const VARIANT: &str = "UCI_Variant";

/// With this option an engine learns games that it does not list.
const VARIANT_PATH: &str = "VariantPath";

/// Sets the engine up, until it says that it is ready.
pub(super) fn shake(running: &mut Running, settings: &UciSettings, deadline: Instant) -> Result<(), Fault> {
    running.say(b"uci\n", deadline)?;
    let mut offers = Vec::new();
    until(&mut Talk::new(running, deadline), "uciok", |line| offers.extend(Offer::parse(line)))?;
    let text = format!("{}ucinewgame\nisready\n", options(settings, &offers)?);
    running.say(text.as_bytes(), deadline)?;
    until(&mut Talk::new(running, deadline), "readyok", |_| {})
}

/// Reads up to a line of that word.
fn until(talk: &mut Talk, word: &str, mut each: impl FnMut(&str)) -> Result<(), Fault> {
    loop {
        let line = talk.line()?;
        if line.trim() == word {
            return Ok(());
        }
        each(&line);
    }
}

/// An option that the engine offers.
struct Offer {
    name: String,
    /// The values to choose from, if it is that kind of option.
    choices: Vec<String>,
}

impl Offer {
    /// From `option name NAME type combo default A var A var B`; a name may have blanks.
    fn parse(line: &str) -> Option<Self> {
        let rest = line.trim().strip_prefix("option name ")?;
        let (name, rest) = rest.split_once(" type ")?;
        let choices = rest.split(" var ").skip(1).map(|choice| choice.trim().to_owned()).collect();
        Some(Self { name: name.trim().to_owned(), choices })
    }
}

/// The commands that set the options, the game last, for other options may teach it to the engine.
fn options(settings: &UciSettings, offers: &[Offer]) -> Result<String, Fault> {
    let offered = |name: &str| offers.iter().find(|offer| offer.name.eq_ignore_ascii_case(name));
    let mut text = String::new();
    for (name, value) in &settings.options {
        if offered(name).is_none() {
            return Err(Fault::CouldNotStart(format!("the engine has no option {name}")));
        }
        text.push_str(&format!("setoption name {} value {}\n", one_line(name), one_line(value)));
    }
    if let Some(variant) = &settings.variant {
        let learns = settings.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(VARIANT_PATH));
        match offered(VARIANT) {
            Some(offer) if learns || offer.choices.contains(variant) => {
                text.push_str(&format!("setoption name {VARIANT} value {}\n", one_line(variant)));
            }
            // Chess is what an engine plays that knows of nothing else.
            None if variant == "chess" => {}
            _ => return Err(Fault::CouldNotStart(format!("the engine does not play {variant}"))),
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(variant: Option<&str>, given: &[(&str, &str)], lines: &[&str]) -> Result<String, Fault> {
        let offers: Vec<_> = lines.iter().filter_map(|line| Offer::parse(line)).collect();
        let given = given.iter().map(|&(name, value)| (name.into(), value.into())).collect();
        options(
            &UciSettings { variant: variant.map(Into::into), options: given, ..Default::default() },
            &offers,
        )
    }

    #[test]
    fn options_are_set_if_the_engine_offers_them() {
        let lines = [
            "option name Skill Level type spin default 20 min 0 max 20",
            "option name UCI_Variant type combo default chess var chess var atomic",
            "option name VariantPath type string default <empty>",
        ];
        assert_eq!(set(None, &[], &lines).unwrap(), "");
        assert_eq!(
            set(Some("atomic"), &[("skill level", "3")], &lines).unwrap(),
            "setoption name skill level value 3\nsetoption name UCI_Variant value atomic\n"
        );
        assert_eq!(set(Some("duck"), &[], &lines).unwrap_err().word(), "could_not_start");
        assert!(set(Some("duck"), &[("VariantPath", "duck.ini")], &lines).is_ok());
        assert_eq!(set(None, &[("Hash", "16")], &lines).unwrap_err().word(), "could_not_start");
        assert_eq!(set(Some("chess"), &[], &[]).unwrap(), "");
        assert_eq!(set(Some("atomic"), &[], &[]).unwrap_err().word(), "could_not_start");
    }

    #[test]
    fn a_value_cannot_become_a_command() {
        let lines = ["option name Hash type spin default 16 min 1 max 1024"];
        assert_eq!(
            set(None, &[("Hash", "16\nquit")], &lines).unwrap(),
            "setoption name Hash value 16 quit\n"
        );
    }
}
