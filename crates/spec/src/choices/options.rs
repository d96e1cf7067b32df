//! The options of a file as they appear in its JSON, with the values that were chosen.
//!
//! Options are needed before the file is read. Malformed options are ignored here and reported by the reader.

use jsonc_parser::ast::{ObjectProp, Value as Json};

use super::Choices;
use crate::diagnostic::Diagnostics;
use crate::limits;
use crate::model::Setting;
use crate::place::Place;
use crate::read::{Read, quoted_list, shorten};
use crate::suggest::nearest;

/// A value and its JSON.
#[derive(Clone)]
pub(super) struct Literal<'j, 'a> {
    pub(super) setting: Setting,
    pub(super) json: &'j Json<'a>,
}

impl<'j, 'a> Literal<'j, 'a> {
    fn new(json: &'j Json<'a>) -> Option<Self> {
        let (setting, known) = Setting::read(json, Place::ROOT, &mut Diagnostics::new(""));
        known.then_some(Literal { setting, json })
    }
}

/// An option, its possible values and its current value.
pub(super) struct OptionState<'j, 'a> {
    pub(super) name: &'j str,
    pub(super) values: Vec<Literal<'j, 'a>>,
    pub(super) value: Option<Literal<'j, 'a>>,
}

impl OptionState<'_, '_> {
    pub(super) fn has(&self, setting: &Setting) -> bool {
        self.values.iter().any(|value| value.setting == *setting)
    }

    pub(super) fn is(&self, setting: &Setting) -> bool {
        self.value.as_ref().is_some_and(|value| value.setting == *setting)
    }

    /// Sets the first matching value. Returns whether there is one.
    fn set(&mut self, holds: impl Fn(&Setting) -> bool) -> bool {
        let found = self.values.iter().find(|value| holds(&value.setting)).cloned();
        let is_found = found.is_some();
        self.value = found.or(self.value.take());
        is_found
    }

    /// Returns the possible values as text.
    pub(super) fn words(&self) -> Vec<String> {
        self.values.iter().map(|value| value.setting.to_string()).collect()
    }
}

/// Returns the value under a key.
pub(super) fn member<'j, 'a>(json: &'j Json<'a>, key: &str) -> Option<&'j Json<'a>> {
    let Json::Object(object) = json else { return None };
    object.properties.iter().find(|property| property.name.as_str() == key).map(|property| &property.value)
}

/// Returns the entries of the object under a key.
pub(super) fn members<'j, 'a>(json: &'j Json<'a>, key: &str) -> &'j [ObjectProp<'a>] {
    match member(json, key) {
        Some(Json::Object(object)) => &object.properties,
        _ => &[],
    }
}

/// Reads every option of a file with its default, in file order.
pub(super) fn read_options<'j, 'a>(json: &'j Json<'a>) -> Vec<OptionState<'j, 'a>> {
    let mut found: Vec<OptionState<'j, 'a>> = Vec::new();
    for property in members(json, "options").iter().take(limits::CHOICES) {
        let name = property.name.as_str();
        let values = match member(&property.value, "values") {
            Some(Json::Array(array)) => {
                array.elements.iter().take(limits::CHOICES).filter_map(Literal::new).collect()
            }
            _ => Vec::new(),
        };
        if found.iter().all(|open| open.name != name) {
            let value = member(&property.value, "default").and_then(Literal::new);
            found.push(OptionState { name, values, value });
        }
    }
    found
}

/// The message and the help text for a choice that the file does not offer.
pub(super) type Refusal = (String, String);

/// Applies the preset, then the single options. Returns what the file does not offer.
pub(super) fn choose<'j>(
    json: &'j Json<'_>,
    choices: &Choices,
    options: &mut [OptionState<'j, '_>],
) -> Vec<Refusal> {
    let mut refusals = Vec::new();
    if let Some(name) = &choices.preset {
        let presets = members(json, "presets");
        if let Some(preset) = presets.iter().find(|preset| preset.name.as_str() == name) {
            let Json::Object(preset) = &preset.value else { return refusals };
            for property in &preset.properties {
                let open = options.iter_mut().find(|open| open.name == property.name.as_str());
                if let (Some(open), Some(value)) = (open, Literal::new(&property.value)) {
                    open.set(|setting| *setting == value.setting);
                }
            }
        } else {
            refusals.push(unknown("preset", name, &names(presets)));
        }
    }
    for (name, word) in &choices.options {
        let known: Vec<String> = options.iter().map(|open| open.name.to_owned()).collect();
        match options.iter_mut().find(|open| open.name == name) {
            Some(open) => {
                if !open.set(|setting| setting.to_string() == *word) {
                    refusals.push(unknown_value(name, word, &open.words()));
                }
            }
            None => refusals.push(unknown("option", name, &known)),
        }
    }
    let layouts = members(json, "layouts");
    let chosen =
        choices.layout.iter().filter(|name| layouts.iter().all(|layout| layout.name.as_str() != *name));
    refusals.extend(chosen.map(|name| unknown("layout", name, &names(layouts))));
    refusals
}

fn names(properties: &[ObjectProp<'_>]) -> Vec<String> {
    properties.iter().take(limits::CHOICES).map(|property| property.name.as_str().to_owned()).collect()
}

/// Describes an unknown name.
pub(crate) fn unknown(what: &str, name: &str, known: &[String]) -> Refusal {
    (format!("There is no {what} `{}`.", shorten(name)), advice(name, known))
}

/// Describes an unknown value of an option.
pub(crate) fn unknown_value(option: &str, word: &str, known: &[String]) -> Refusal {
    (format!("`{}` has no value `{}`.", shorten(option), shorten(word)), advice(word, known))
}

/// Suggests the nearest name, or lists the known ones. A single character resembles everything, so it gets no
/// suggestion.
fn advice(name: &str, known: &[String]) -> String {
    const SHOWN: usize = 12;
    let names: Vec<&str> = known.iter().map(String::as_str).collect();
    let near = if name.chars().count() > 1 { nearest(name, names.iter().copied()) } else { None };
    match near {
        Some(near) => format!("did you mean `{}`?", shorten(near)),
        None if names.is_empty() => "the file has none".into(),
        None if names.len() <= SHOWN => format!("the choices are {}", quoted_list(&names)),
        None => format!("the choices include {}", quoted_list(&names[..SHOWN])),
    }
}
