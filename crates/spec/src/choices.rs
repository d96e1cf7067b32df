//! The choices that a game file offers (layouts, presets and options) and the choices that were made.
//!
//! Choices are resolved on the JSON itself before the file is read (`resolve.rs`). Readers, checks and rules
//! therefore never see a choice, and every problem is reported at its place in the original file.

mod layout;
mod options;
mod resolve;
mod variants;

use std::fmt;

use crate::model::{GameSpec, Setting};
use crate::place::At;
use crate::read::Named;

pub(crate) use options::{unknown, unknown_value};
pub(crate) use resolve::{Resolved, offers, resolve};
pub(crate) use variants::{is_unused_warning, variants};

/// The choices to load a game with; none by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// Name of the layout; `None` for the file's default.
    pub layout: Option<String>,
    /// Name of the preset.
    pub preset: Option<String>,
    /// Options and their values. They override the preset.
    pub options: Vec<(String, String)>,
}

/// The choices that a game file offers, in file order, and those the game was loaded with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AvailableChoices {
    /// Alternatives to the default layout.
    pub layouts: Vec<LayoutChoice>,
    /// The presets.
    pub presets: Vec<PresetChoice>,
    /// The options.
    pub options: Vec<OptionChoice>,
    /// Options that are set to play with the die, and their values.
    pub die: Vec<(String, String)>,
    /// Options that are set when one person plays each team, and their values.
    pub team_play: Vec<(String, String)>,
    /// The choices as requested.
    pub requested: Choices,
    /// The choices as resolved.
    pub resolved: ResolvedChoices,
}

/// A layout offered by a game file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayoutChoice {
    /// Name of the layout.
    pub name: String,
    /// Description from the file.
    pub about: Option<String>,
}

/// A preset offered by a game file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PresetChoice {
    /// Name of the preset.
    pub name: String,
    /// The options that the preset sets, and their values.
    pub options: Vec<(String, String)>,
}

/// An option offered by a game file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionChoice {
    /// Name of the option.
    pub name: String,
    /// Description from the file.
    pub about: Option<String>,
    /// All values.
    pub values: Vec<String>,
    /// The default value.
    pub default: String,
}

/// The layout and the value of every option that a game is played with.
///
/// Displayed as `layout=Fire of Fire EXPOSURE=ALLOWED`; empty for a file that offers no choices.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ResolvedChoices {
    /// The layout; `None` for the default.
    pub layout: Option<String>,
    /// Every option of the file with its value.
    pub options: Vec<(String, String)>,
}

impl fmt::Display for ResolvedChoices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let layout = self.layout.iter().map(|name| ("layout", name.as_str()));
        let options = self.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let parts: Vec<String> =
            layout.chain(options).map(|(name, value)| format!("{name}={value}")).collect();
        f.write_str(&parts.join(" "))
    }
}

impl AvailableChoices {
    /// Replaces names that differ only in case by the names of the game. Names that the game does not offer are left
    /// unchanged.
    #[must_use]
    pub fn normalize(&self, choices: &Choices) -> Choices {
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

    /// Collects the choices of a spec without errors.
    pub(crate) fn new(spec: &GameSpec, requested: Choices, resolved: ResolvedChoices) -> Self {
        let text = |about: &Option<At<String>>| about.as_ref().map(|about| about.to_string());
        AvailableChoices {
            layouts: in_order(spec.layouts.as_ref())
                .map(|(name, layout)| LayoutChoice { name: name.into(), about: text(&layout.about) })
                .collect(),
            presets: in_order(spec.presets.as_ref())
                .map(|(name, preset)| PresetChoice { name: name.into(), options: settings(Some(preset)) })
                .collect(),
            options: in_order(spec.options.as_ref())
                .map(|(name, option)| OptionChoice {
                    name: name.into(),
                    about: text(&option.about),
                    values: option.values.iter().map(|value| value.to_string()).collect(),
                    default: option.default.to_string(),
                })
                .collect(),
            die: settings(spec.occasions.as_ref().and_then(|it| it.die.as_ref())),
            team_play: settings(spec.occasions.as_ref().and_then(|it| it.team_play.as_ref())),
            requested,
            resolved,
        }
    }
}

/// Returns the exact name, or the only one that differs in case alone.
fn find<'n>(name: &str, names: &[&'n str]) -> Option<&'n str> {
    if let Some(same) = names.iter().find(|known| **known == name) {
        return Some(same);
    }
    let mut alike = names.iter().filter(|known| known.to_lowercase() == name.to_lowercase());
    alike.next().copied().filter(|_| alike.next().is_none())
}

/// Returns options and their values in file order.
fn settings(object: Option<&At<Named<Setting>>>) -> Vec<(String, String)> {
    in_order(object).map(|(name, value)| (name.into(), value.to_string())).collect()
}

/// Returns the entries of an object in file order.
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
    fn names_ignore_case_unless_ambiguous() {
        assert_eq!(find("fire of fire", &["Fire of Fire", "Fire of Air"]), Some("Fire of Fire"));
        assert_eq!(find("old", &["OLD", "Old", "old"]), Some("old"));
        assert_eq!(find("old", &["OLD", "Old"]), None);
    }
}
