//! The array, rules and options of a game that its file leaves open ([`Choices`]). They come from flags, or from a saved
//! game, record or PGN file. Flags may repeat or complete what a file says, but not contradict it.

use tabiya_referee::record::Choice;
use tabiya_spec::{AvailableChoices, Choices, Game};

use crate::text::did_you_mean;

/// Converts the choices named in a saved game, record or PGN file.
pub(crate) fn from_record(recorded: &Choice) -> Choices {
    let options = recorded.options.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    Choices { layout: recorded.array.clone(), preset: recorded.rules.clone(), options }
}

/// Combines the choices of a file with those of the flags. Flags take precedence.
pub(crate) fn merge(recorded: &Choices, flags: &Choices) -> Choices {
    Choices {
        layout: flags.layout.clone().or_else(|| recorded.layout.clone()),
        preset: flags.preset.clone().or_else(|| recorded.preset.clone()),
        options: recorded.options.iter().chain(&flags.options).cloned().collect(),
    }
}

/// Describes how the game recorded in a file differs from the game chosen by flags.
pub(crate) fn differences(recorded: &Game, flagged: &Game) -> String {
    let (recorded, flagged) = (&recorded.choices.resolved, &flagged.choices.resolved);
    let mut found = Vec::new();
    if recorded.layout != flagged.layout {
        let name = |layout: &Option<String>| layout.clone().unwrap_or_else(|| "the default array".to_owned());
        found.push(format!("array {}, not {}", name(&recorded.layout), name(&flagged.layout)));
    }
    for (name, value) in &recorded.options {
        let other = flagged.options.iter().find(|(known, other)| known == name && other != value);
        found.extend(other.map(|(_, other)| format!("{name}={value}, not {other}")));
    }
    found.join("; ")
}

/// Checks choices against what a game offers, and returns them with the names as the game spells them (letter case is
/// ignored).
///
/// # Errors
/// Names every choice that the game does not offer, and lists the valid ones.
pub(crate) fn resolve(game: &str, offer: &AvailableChoices, choices: &Choices) -> Result<Choices, String> {
    let resolved = offer.normalize(choices);
    let mut errors = Vec::new();
    let mut check = |what: String, plural: &str, name: &str, names: Vec<&str>| {
        if !names.contains(&name) {
            errors.push(unknown(&what, plural, name, &names));
        }
    };
    if let Some(name) = &resolved.layout {
        let names = offer.layouts.iter().map(|layout| layout.name.as_str()).collect();
        check(format!("`{game}` has no array"), "arrays", name, names);
    }
    if let Some(name) = &resolved.preset {
        let names = offer.presets.iter().map(|preset| preset.name.as_str()).collect();
        check(format!("`{game}` has no rules"), "sets of rules", name, names);
    }
    for (name, value) in &resolved.options {
        let names = offer.options.iter().map(|option| option.name.as_str()).collect();
        check(format!("`{game}` has no option"), "options", name, names);
        if let Some(option) = offer.options.iter().find(|option| option.name == *name) {
            let values = option.values.iter().map(String::as_str).collect();
            check(format!("the option `{name}` of `{game}` has no value"), "values", value, values);
        }
    }
    if errors.is_empty() { Ok(resolved) } else { Err(errors.join("\n")) }
}

/// Returns the message about a name that does not exist, with the names that do.
pub(crate) fn unknown(what: &str, plural: &str, name: &str, names: &[&str]) -> String {
    let hint = did_you_mean(name, names.iter().copied());
    if names.is_empty() {
        return format!("{what} `{name}`\nIt has no {plural}.");
    }
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    format!("{what} `{name}`{hint}\nIts {plural} are {}.", quoted.join(", "))
}
