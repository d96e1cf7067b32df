//! A choice that stands in a file and one on the command line. A file says which game it is about; flags may repeat that,
//! and add to a file that does not say it, but not contradict it.

use tabiya_referee::record::Choice;
use tabiya_spec::{Choices, Game};

/// The choice of a file for whoever reads a game.
pub(crate) fn choices(told: &Choice) -> Choices {
    let options = told.options.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    Choices { layout: told.array.clone(), preset: told.rules.clone(), options }
}

/// Both together; where both say something, the flags.
pub(crate) fn both(told: &Choices, flags: &Choices) -> Choices {
    Choices {
        layout: flags.layout.clone().or_else(|| told.layout.clone()),
        preset: flags.preset.clone().or_else(|| told.preset.clone()),
        options: told.options.iter().chain(&flags.options).cloned().collect(),
    }
}

/// Where the game that a file tells of and the one of the flags differ, in the words of the command line.
pub(crate) fn differences(told: &Game, flagged: &Game) -> String {
    let (told, flagged) = (&told.choices.chosen, &flagged.choices.chosen);
    let own = "the game's own array";
    let mut found = Vec::new();
    if told.layout != flagged.layout {
        let name = |layout: &Option<String>| layout.clone().unwrap_or_else(|| own.to_owned());
        found.push(format!("array {}, not {}", name(&told.layout), name(&flagged.layout)));
    }
    for (name, value) in &told.options {
        let other = flagged.options.iter().find(|(known, other)| known == name && other != value);
        found.extend(other.map(|(_, other)| format!("{name}={value}, not {other}")));
    }
    found.join("; ")
}
