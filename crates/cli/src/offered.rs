//! A choice of array, rules and options, found among what a game offers. Who misspells one has asked wrongly; the file
//! of the game is without fault, so it is told in the words of the command line, with the names that there are.

use tabiya_spec::{Choices, Offer};

use crate::text::nearest;

/// The same choice in the names of the game, which are found in upper and lower case; or everything in it that the
/// game does not offer.
pub(crate) fn found(game: &str, offer: &Offer, choices: &Choices) -> Result<Choices, String> {
    let mut refusals = Vec::new();
    let mut known = |what: String, all: String, name: &String, names: Vec<&str>| {
        let found = find(name, &names).map(str::to_owned);
        if found.is_none() {
            refusals.push(refusal(&what, &all, name, &names));
        }
        found.unwrap_or_else(|| name.clone())
    };
    let layouts = || offer.layouts.iter().map(|layout| layout.name.as_str()).collect();
    let presets = || offer.presets.iter().map(|preset| preset.name.as_str()).collect();
    let all = |what: &str| format!("Its {what} are");
    let layout = choices
        .layout
        .as_ref()
        .map(|name| known(format!("`{game}` has no array"), all("arrays"), name, layouts()));
    let preset = choices
        .preset
        .as_ref()
        .map(|name| known(format!("`{game}` has no rules"), all("sets of rules"), name, presets()));
    let mut options = Vec::new();
    for (name, value) in &choices.options {
        let names = offer.options.iter().map(|option| option.name.as_str()).collect();
        let name = known(format!("`{game}` has no option"), all("options"), name, names);
        let offered = offer.options.iter().find(|option| option.name == name);
        let value = offered.map_or_else(
            || value.clone(),
            |option| {
                let values = option.values.iter().map(String::as_str).collect();
                known(format!("the option `{name}` of `{game}` has no value"), all("values"), value, values)
            },
        );
        options.push((name, value));
    }
    if refusals.is_empty() { Ok(Choices { layout, preset, options }) } else { Err(refusals.join("\n")) }
}

/// The name itself; or else the only one that differs in nothing but upper and lower case.
fn find<'n>(name: &str, names: &[&'n str]) -> Option<&'n str> {
    if let Some(same) = names.iter().find(|known| **known == name) {
        return Some(same);
    }
    let mut alike = names.iter().filter(|known| known.to_lowercase() == name.to_lowercase());
    alike.next().copied().filter(|_| alike.next().is_none())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_upper_and_lower_case_unless_two_would_fit() {
        assert_eq!(find("fire of fire", &["Fire of Fire", "Fire of Air"]), Some("Fire of Fire"));
        assert_eq!(find("old", &["OLD", "Old", "old"]), Some("old"));
        assert_eq!(find("old", &["OLD", "Old"]), None);
    }
}
