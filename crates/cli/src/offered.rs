//! A choice of array, rules and options, found among what a game offers. Who misspells one has asked wrongly; the file
//! of the game is without fault, so it is told in the words of the command line, with the names that there are.

use tabiya_spec::{Choices, Offer};

use crate::text::nearest;

/// The same choice in the names of the game, which are found in upper and lower case; or everything in it that the
/// game does not offer.
pub(crate) fn found(game: &str, offer: &Offer, choices: &Choices) -> Result<Choices, String> {
    let meant = offer.meant(choices);
    let mut refusals = Vec::new();
    let mut known = |what: String, all: &str, name: &str, names: Vec<&str>| {
        if !names.contains(&name) {
            refusals.push(refusal(&what, &format!("Its {all} are"), name, &names));
        }
    };
    if let Some(name) = &meant.layout {
        let names = offer.layouts.iter().map(|layout| layout.name.as_str()).collect();
        known(format!("`{game}` has no array"), "arrays", name, names);
    }
    if let Some(name) = &meant.preset {
        let names = offer.presets.iter().map(|preset| preset.name.as_str()).collect();
        known(format!("`{game}` has no rules"), "sets of rules", name, names);
    }
    for (name, value) in &meant.options {
        let names = offer.options.iter().map(|option| option.name.as_str()).collect();
        known(format!("`{game}` has no option"), "options", name, names);
        if let Some(option) = offer.options.iter().find(|option| option.name == *name) {
            let values = option.values.iter().map(String::as_str).collect();
            known(format!("the option `{name}` of `{game}` has no value"), "values", value, values);
        }
    }
    if refusals.is_empty() { Ok(meant) } else { Err(refusals.join("\n")) }
}

fn refusal(what: &str, all: &str, name: &str, names: &[&str]) -> String {
    let hint = nearest(name, names.iter().copied())
        .map(|near| format!("; did you mean `{near}`?"))
        .unwrap_or_default();
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let there_is = if names.is_empty() {
        "There is none to choose".to_owned()
    } else {
        format!("{all} {}", names.join(", "))
    };
    format!("{what} `{name}`{hint}\n{there_is}.")
}
