//! The UCI handshake: reads the options that an engine offers and sets them.

use std::time::Instant;

use tabiya_referee::AgentFault;

use super::EngineOutput;
use super::commands::one_line;
use crate::process::ChildProcess;
use crate::uci_search::UciSettings;

const VARIANT: &str = "UCI_Variant";

/// The option that loads games which the engine does not list.
const VARIANT_PATH: &str = "VariantPath";

/// Sets the engine up and waits until it is ready.
pub(super) fn run(
    process: &mut ChildProcess,
    settings: &UciSettings,
    deadline: Instant,
) -> Result<(), AgentFault> {
    process.send(b"uci\n", deadline)?;
    let mut offered = Vec::new();
    read_until(&mut EngineOutput::new(process, deadline), "uciok", |line| {
        offered.extend(EngineOption::parse(line));
    })?;
    let text = format!("{}ucinewgame\nisready\n", set_options(settings, &offered)?);
    process.send(text.as_bytes(), deadline)?;
    read_until(&mut EngineOutput::new(process, deadline), "readyok", |_| {})
}

/// Reads lines up to one that consists of a word.
fn read_until(output: &mut EngineOutput, word: &str, mut each: impl FnMut(&str)) -> Result<(), AgentFault> {
    loop {
        let line = output.line()?;
        if line.trim() == word {
            return Ok(());
        }
        each(&line);
    }
}

/// An option that the engine offers.
struct EngineOption {
    name: String,
    /// The values of a `combo` option.
    values: Vec<String>,
}

impl EngineOption {
    /// Parses `option name NAME type combo default A var A var B`. A name may contain blanks.
    fn parse(line: &str) -> Option<Self> {
        let rest = line.trim().strip_prefix("option name ")?;
        let (name, rest) = rest.split_once(" type ")?;
        let values = rest.split(" var ").skip(1).map(|value| value.trim().to_owned()).collect();
        Some(Self { name: name.trim().to_owned(), values })
    }
}

fn is_variant(name: &str) -> bool {
    name.eq_ignore_ascii_case(VARIANT)
}

/// Returns the `setoption` commands. The game comes last, because other options may make it available.
fn set_options(settings: &UciSettings, offered: &[EngineOption]) -> Result<String, AgentFault> {
    let find = |name: &str| offered.iter().find(|option| option.name.eq_ignore_ascii_case(name));
    let mut text = String::new();
    // An option for one engine comes after those for both and replaces them. A given game replaces the one that is played.
    let (variants, others): (Vec<_>, Vec<_>) =
        settings.options.iter().partition(|(name, _)| is_variant(name));
    for (name, value) in others.into_iter().chain(variants.last().copied()) {
        if find(name).is_none() {
            return Err(AgentFault::CouldNotStart(format!("the engine has no option {name}")));
        }
        text.push_str(&format!("setoption name {} value {}\n", one_line(name), one_line(value)));
    }
    if let (None, Some(variant)) = (variants.last(), &settings.variant) {
        let loads_games = settings.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(VARIANT_PATH));
        match find(VARIANT) {
            Some(option) if loads_games || option.values.contains(variant) => {
                text.push_str(&format!("setoption name {VARIANT} value {}\n", one_line(variant)));
            }
            // An engine without variants plays chess.
            None if variant == "chess" => {}
            _ => return Err(AgentFault::CouldNotStart(format!("the engine does not play {variant}"))),
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(variant: Option<&str>, given: &[(&str, &str)], lines: &[&str]) -> Result<String, AgentFault> {
        let offered: Vec<_> = lines.iter().filter_map(|line| EngineOption::parse(line)).collect();
        let given = given.iter().map(|&(name, value)| (name.into(), value.into())).collect();
        set_options(
            &UciSettings { variant: variant.map(Into::into), options: given, ..Default::default() },
            &offered,
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
        let given = [("uci_variant", "shogun"), ("skill level", "3"), ("UCI_Variant", "mygame")];
        assert_eq!(
            set(Some("atomic"), &given, &lines).unwrap(),
            "setoption name skill level value 3\nsetoption name UCI_Variant value mygame\n",
            "a given name is used unchanged"
        );
        assert_eq!(set(Some("chess"), &given[..1], &[]).unwrap_err().word(), "could_not_start");
        assert_eq!(set(None, &[("Hash", "16")], &lines).unwrap_err().word(), "could_not_start");
        assert_eq!(set(Some("chess"), &[], &[]).unwrap(), "");
        assert_eq!(set(Some("atomic"), &[], &[]).unwrap_err().word(), "could_not_start");
    }

    #[test]
    fn values_cannot_contain_commands() {
        let lines = ["option name Hash type spin default 16 min 1 max 1024"];
        assert_eq!(
            set(None, &[("Hash", "16\nquit")], &lines).unwrap(),
            "setoption name Hash value 16 quit\n"
        );
    }
}
