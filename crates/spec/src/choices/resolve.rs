//! Resolves all choices of a file: removes parts whose `only_if` does not hold, replaces options by their values, and
//! applies the layout.
//!
//! Every value keeps its byte range, so that problems are reported at their place in the original file.

use std::ops::Range;
use std::sync::LazyLock;

use jsonc_parser::ast::{Array, NumberLit, Object, ObjectProp, StringLit, Value as Json};
use jsonc_parser::common::Ranged;
use tabiya_engine::FileName;

use super::options::{self, OptionState};
use super::{Choices, ResolvedChoices, layout};
use crate::code::Code;
use crate::diagnostic::Diagnostics;
use crate::limits;
use crate::model::Setting;
use crate::place::{Place, Step};
use crate::read::{Read, mistyped, shorten};

/// Keys that offer choices.
const KEYS: [&str; 3] = ["options", "presets", "layouts"];
/// Key of a condition on options. The object is dropped unless it holds.
const ONLY_IF: &str = "only_if";
/// Only key of an object that is replaced by the value of an option.
const OPTION: &str = "option";
/// Only key of an object that is replaced by the square that an option names.
const SQUARE: &str = "square";
/// Key of a list that is spliced into the list around it.
const ENTRIES: &str = "entries";

/// A file without choices.
pub(crate) struct Resolved<'a> {
    pub(crate) json: Json<'a>,
    pub(crate) choices: ResolvedChoices,
}

/// Whether the file offers choices or depends on them.
pub(crate) fn offers(json: &Json<'_>) -> bool {
    let Json::Object(root) = json else { return false };
    root.properties.iter().any(|property| KEYS.contains(&property.name.as_str())) || depends(json)
}

fn depends(json: &Json<'_>) -> bool {
    match json {
        Json::Object(object) => {
            let mut properties = object.properties.iter();
            option_name(object, OPTION).or(option_name(object, SQUARE)).is_some()
                || properties.any(|property| {
                    [ONLY_IF, ENTRIES].contains(&property.name.as_str()) || depends(&property.value)
                })
        }
        Json::Array(array) => array.elements.iter().any(depends),
        _ => false,
    }
}

/// Returns the option that the object is a placeholder for.
fn option_name<'j, 'a>(object: &'j Object<'a>, key: &str) -> Option<&'j StringLit<'a>> {
    match object.properties.as_slice() {
        [ObjectProp { name, value: Json::StringLit(text), .. }] if name.as_str() == key => Some(text),
        _ => None,
    }
}

/// Resolves a file. Returns `None` after reporting the reasons if that is not possible.
pub(crate) fn resolve<'a>(
    json: &Json<'a>,
    choices: &Choices,
    diags: &mut Diagnostics<'_>,
) -> Option<Resolved<'a>> {
    let mut options = options::read_options(json);
    let refusals = options::choose(json, choices, &mut options);
    let mut resolver = Resolver { options: &options, failed: !refusals.is_empty(), diags };
    for (message, help) in refusals {
        resolver.diags.report_with_help(Code::UnknownChoice, Place::ROOT, message, help);
    }
    let mut plain = json.clone();
    resolver.root(&mut plain);
    if resolver.failed {
        return None;
    }
    if let Some(name) = &choices.layout {
        layout::apply(&mut plain, name);
    }
    let values =
        options.iter().filter_map(|open| Some((open.name.into(), open.value.as_ref()?.setting.to_string())));
    let resolved = ResolvedChoices { layout: choices.layout.clone(), options: values.collect() };
    Some(Resolved { json: plain, choices: resolved })
}

/// Walks through the file and resolves every value.
struct Resolver<'o, 'j, 'a, 'f, 's> {
    options: &'o [OptionState<'j, 'a>],
    diags: &'f mut Diagnostics<'s>,
    failed: bool,
}

impl<'j, 'a> Resolver<'_, 'j, 'a, '_, '_> {
    /// Options, presets and occasions do not depend on options.
    fn root(&mut self, json: &mut Json<'a>) {
        let Json::Object(object) = json else { return };
        object.properties.retain_mut(|property| {
            matches!(property.name.as_str(), "options" | "presets" | "occasions")
                || self.keeps(&mut property.value)
        });
    }

    /// Resolves a value. Returns whether it remains in the file.
    fn keeps(&mut self, json: &mut Json<'a>) -> bool {
        match json {
            Json::Object(object) => {
                if let Some(name) = option_name(object, OPTION) {
                    if let Some(value) = self.value(name) {
                        *json = moved(value, span(object));
                    }
                    return true;
                }
                if let Some(name) = option_name(object, SQUARE) {
                    if let Some(square) = self.square(name, span(object)) {
                        *json = square;
                    }
                    return true;
                }
                let holds = self.holds(object);
                object.properties.retain_mut(|property| self.keeps(&mut property.value));
                holds
            }
            Json::Array(array) => {
                array.elements = self.list(std::mem::take(&mut array.elements));
                true
            }
            _ => true,
        }
    }

    /// Resolves the entries of a list and splices groups into it.
    fn list(&mut self, elements: Vec<Json<'a>>) -> Vec<Json<'a>> {
        let mut kept = Vec::with_capacity(elements.len());
        for mut element in elements {
            match &mut element {
                Json::Object(group) if group.properties.iter().any(|it| it.name.as_str() == ENTRIES) => {
                    let holds = self.holds(group);
                    let entries = self.entries(group);
                    let entries = self.list(entries);
                    kept.extend(entries.into_iter().filter(|_| holds));
                }
                _ => kept.extend(self.keeps(&mut element).then_some(element)),
            }
        }
        kept
    }

    /// Takes the entries out of a group. Only `only_if` may accompany them.
    fn entries(&mut self, group: &mut Object<'a>) -> Vec<Json<'a>> {
        let mut entries = Vec::new();
        for property in std::mem::take(&mut group.properties) {
            let range = property.name.range();
            match (property.name.as_str(), property.value) {
                (ENTRIES, Json::Array(array)) => entries = array.elements,
                (ENTRIES, other) => {
                    let message = "`entries` must be a list: its entries join the list around it.";
                    self.fail(Code::Mistyped, span(&other), message, "write [ENTRY, ENTRY]");
                }
                (name, _) => {
                    let message = format!("There is an unknown key `{}` beside `entries`.", shorten(name));
                    let help = "only `only_if` may accompany `entries`";
                    self.fail(Code::UnknownKey, range.start..range.end, &message, help);
                }
            }
        }
        entries
    }

    /// Returns the square that the value of an option names.
    fn square(&mut self, name: &StringLit<'a>, at: Range<usize>) -> Option<Json<'a>> {
        let value = self.value(name)?;
        let named = match value {
            Json::StringLit(text) => coordinates(&text.value),
            _ => None,
        };
        let Some(numbers) = named else {
            let message = format!("The value of `{}` is not the name of a square.", shorten(&name.value));
            self.fail(Code::Mistyped, at, &message, "squares are named a1, b1 and so on");
            return None;
        };
        let range = jsonc_parser::common::Range { start: at.start, end: at.end };
        let number = |value: &'static str| Json::NumberLit(NumberLit { range, value });
        Some(Json::Array(Array { range, elements: numbers.map(number).into() }))
    }

    fn option(&mut self, name: &str, span: Range<usize>) -> Option<&OptionState<'j, 'a>> {
        let found = self.options.iter().find(|open| open.name == name);
        if found.is_none() {
            let known: Vec<String> = self.options.iter().map(|open| open.name.to_owned()).collect();
            let (message, help) = options::unknown("option", name, &known);
            self.fail(Code::UnknownChoice, span, &message, &help);
        }
        found
    }

    /// Returns the value of an option. An unreadable value is reported at the option.
    fn value(&mut self, name: &StringLit<'a>) -> Option<&'j Json<'a>> {
        let value = self.option(&name.value, span(name))?.value.as_ref().map(|value| value.json);
        self.failed |= value.is_none();
        value
    }

    /// Removes `only_if` from an object. Returns whether it holds.
    fn holds(&mut self, object: &mut Object<'a>) -> bool {
        let Some(index) = object.properties.iter().position(|property| property.name.as_str() == ONLY_IF)
        else {
            return true;
        };
        let tests = object.properties.remove(index).value;
        if let Json::Object(tests) = &tests {
            let held: Vec<bool> = tests.properties.iter().map(|test| self.is_met(test)).collect();
            held.into_iter().all(|held| held)
        } else {
            let message = "`only_if` must be an object: it maps options to values.";
            self.fail(Code::Mistyped, span(&tests), message, "write { \"OPTION\": VALUE }");
            true
        }
    }

    fn is_met(&mut self, test: &ObjectProp<'a>) -> bool {
        let name = test.name.as_str();
        let range = test.name.range();
        let Some(position) = self.options.iter().position(|open| open.name == name) else {
            self.option(name, range.start..range.end);
            return true;
        };
        let wanted = match &test.value {
            Json::Array(array) => array.elements.as_slice(),
            single => std::slice::from_ref(single),
        };
        let mut is_met = false;
        for value in wanted {
            let open = &self.options[position];
            let Some(setting) = self.setting(value) else { continue };
            if !open.has(&setting) {
                let (message, help) = options::unknown_value(name, &setting.to_string(), &open.words());
                self.fail(Code::UnknownChoice, span(value), &message, &help);
            }
            is_met |= open.is(&setting);
        }
        is_met
    }

    fn setting(&mut self, json: &Json<'_>) -> Option<Setting> {
        let place = self.diags.places().add(Place::ROOT, Step::Index(0), span(json));
        let known = match json {
            Json::Object(_) | Json::Array(_) | Json::NullKeyword(_) => {
                mistyped(json, place, "a value of the option, or a list of values", self.diags);
                None
            }
            _ => Some(Setting::read(json, place, self.diags)).filter(|(_, known)| *known),
        };
        self.failed |= known.is_none();
        known.map(|(setting, _)| setting)
    }

    fn fail(&mut self, code: Code, span: Range<usize>, message: &str, help: &str) {
        let place = self.diags.places().add(Place::ROOT, Step::Index(0), span);
        self.diags.report_with_help(code, place, message, help);
        self.failed = true;
    }
}

/// Gives a copy of a value the range of the place where it is used, so that problems are reported there.
fn moved<'a>(value: &Json<'a>, to: Range<usize>) -> Json<'a> {
    let mut value = value.clone();
    match &mut value {
        Json::StringLit(literal) => (literal.range.start, literal.range.end) = (to.start, to.end),
        Json::NumberLit(literal) => (literal.range.start, literal.range.end) = (to.start, to.end),
        Json::BooleanLit(literal) => (literal.range.start, literal.range.end) = (to.start, to.end),
        Json::Object(_) | Json::Array(_) | Json::NullKeyword(_) => {}
    }
    value
}

/// Returns the file and rank, counted from 0, of the square with this name.
fn coordinates(name: &str) -> Option<[&'static str; 2]> {
    static NUMBERS: LazyLock<Vec<String>> =
        LazyLock::new(|| (0..limits::SQUARES).map(|number| number.to_string()).collect());
    let (file, rank) = name.split_at(name.find(|c: char| c.is_ascii_digit())?);
    let mut files = 0..limits::SQUARES as u32;
    let x = files.find(|x| FileName(*x).to_string() == file)? as usize;
    let y = rank.parse::<usize>().ok().filter(|y| y.to_string() == rank)?.checked_sub(1)?;
    Some([&**NUMBERS.get(x)?, &**NUMBERS.get(y)?])
}

fn span(json: &impl Ranged) -> Range<usize> {
    let range = json.range();
    range.start..range.end
}
