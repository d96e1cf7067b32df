//! What can be chosen before a game is played, and what was: layouts, presets and options of its file.
//!
//! A choice is resolved on the JSON itself, before anything is read (`resolve.rs`): so no reader, no check and no rule
//! knows that there was one, and whatever is wrong with it is shown where it stands in the file.

mod layout;
mod open;
mod resolve;
mod variants;

use std::fmt;

use crate::model::{GameSpec, Setting};
use crate::place::At;
use crate::read::Named;

pub(crate) use open::{unknown, unknown_value};
pub(crate) use resolve::{offers, resolve};
pub(crate) use variants::{is_about_use, variants};

/// What somebody chooses; by default nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// A layout, by its name; the file's own if there is none.
    pub layout: Option<String>,
    /// A preset, by its name.
    pub preset: Option<String>,
    /// Options and their values, which count more than the preset.
    pub options: Vec<(String, String)>,
}

/// What a game lets choose, in the order of its file, and what was chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offer {
    /// The layouts beside the file's own.
    pub layouts: Vec<LayoutOffer>,
    /// The presets.
    pub presets: Vec<PresetOffer>,
    /// The options.
    pub options: Vec<OptionOffer>,
    /// The options, with their values, of playing with the die.
    pub die: Vec<(String, String)>,
    /// The options, with their values, of one person for each team.
    pub team_play: Vec<(String, String)>,
    /// What was asked for.
    pub asked: Choices,
    /// What it came to.
    pub chosen: Chosen,
}

/// A layout that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayoutOffer {
    /// Its name.
    pub name: String,
    /// What the file says about it.
    pub about: Option<String>,
}

/// A preset that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PresetOffer {
    /// Its name.
    pub name: String,
    /// The options that it sets, with their values.
    pub options: Vec<(String, String)>,
}

/// An option that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionOffer {
    /// Its name.
    pub name: String,
    /// What the file says about it.
    pub about: Option<String>,
    /// Its values.
    pub values: Vec<String>,
    /// The value that it has if nobody chooses.
    pub default: String,
}

/// What a game is played with: every option has a value.
///
/// It is shown as `layout=Fire of Fire EXPOSURE=ALLOWED`; nothing at all for a file that leaves nothing open.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Chosen {
    /// The layout, if it is not the file's own.
    pub layout: Option<String>,
    /// Every option of the file with its value.
    pub options: Vec<(String, String)>,
}

impl fmt::Display for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let layout = self.layout.iter().map(|name| ("layout", name.as_str()));
        let options = self.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let parts: Vec<String> =
            layout.chain(options).map(|(name, value)| format!("{name}={value}")).collect();
        f.write_str(&parts.join(" "))
    }
}

impl Offer {
    /// The same choice in the names of the game, which are found in upper and lower case. What it does not offer stays as it
    /// was asked for.
    #[must_use]
    pub fn meant(&self, choices: &Choices) -> Choices {
        let found =
            |name: &String, names: Vec<&str>| find(name, &names).map_or_else(|| name.clone(), str::to_owned);
        let layouts = || self.layouts.iter().map(|layout| layout.name.as_str()).collect();
        let presets = || self.presets.iter().map(|preset| preset.name.as_str()).collect();
        let option = |(name, value): &(String, String)| {
            let name = found(name, self.options.iter().map(|option| option.name.as_str()).collect());
            let offered = self.options.iter().find(|option| option.name == name);
            let values = offered.map_or_else(Vec::new, |it| it.values.iter().map(String::as_str).collect());
            (name, found(value, values))
        };
        Choices {
            layout: choices.layout.as_ref().map(|name| found(name, layouts())),
            preset: choices.preset.as_ref().map(|name| found(name, presets())),
            options: choices.options.iter().map(option).collect(),
        }
    }

    /// What a spec that could be read lets choose.
    pub(crate) fn new(spec: &GameSpec, asked: Choices, chosen: Chosen) -> Self {
        let text = |about: &Option<At<String>>| about.as_ref().map(|about| about.to_string());
        Offer {
            layouts: in_order(spec.layouts.as_ref())
                .map(|(name, layout)| LayoutOffer { name: name.into(), about: text(&layout.about) })
                .collect(),
            presets: in_order(spec.presets.as_ref())
                .map(|(name, preset)| PresetOffer { name: name.into(), options: settings(Some(preset)) })
                .collect(),
            options: in_order(spec.options.as_ref())
                .map(|(name, option)| OptionOffer {
                    name: name.into(),
                    about: text(&option.about),
                    values: option.values.iter().map(|value| value.to_string()).collect(),
                    default: option.default.to_string(),
                })
                .collect(),
            die: settings(spec.occasions.as_ref().and_then(|it| it.die.as_ref())),
            team_play: settings(spec.occasions.as_ref().and_then(|it| it.team_play.as_ref())),
            asked,
            chosen,
        }
    }
}

/// The name itself; or else the only one that differs in nothing but upper and lower case.
fn find<'n>(name: &str, names: &[&'n str]) -> Option<&'n str> {
    if let Some(same) = names.iter().find(|known| **known == name) {
        return Some(same);
    }
    let mut alike = names.iter().filter(|known| known.to_lowercase() == name.to_lowercase());
    alike.next().copied().filter(|_| alike.next().is_none())
}

/// Options and their values, in the order of the file.
fn settings(object: Option<&At<Named<Setting>>>) -> Vec<(String, String)> {
    in_order(object).map(|(name, value)| (name.into(), value.to_string())).collect()
}

/// The entries of an object in the order of the file.
fn in_order<T>(object: Option<&At<Named<T>>>) -> impl Iterator<Item = (&str, &At<T>)> {
    let mut entries: Vec<(&str, &At<T>)> = object
        .into_iter()
        .flat_map(|named| named.iter())
        .map(|(name, value)| (name.as_str(), value))
        .collect();
    entries.sort_by_key(|(name, _)| object.and_then(|named| named.key_span(name)).map(|span| span.start));
    entries.into_iter()
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
