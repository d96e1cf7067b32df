//! What a file leaves open: options and their values, presets of them, layouts of the board.

use std::collections::HashSet;
use std::mem::discriminant;

use jsonc_parser::ast::Value as Json;

use crate::choices::{unknown, unknown_value};
use crate::code::Code;
use crate::diagnostic::Faults;
use crate::limits;
use crate::model::{LayoutSpec, OccasionSpec, OptionSpec, Setting};
use crate::place::{At, Place, Step};
use crate::read::{Named, Read, child, shorten};

use super::lists;
use super::names::Kind;
use super::regions;
use super::view::View;

pub(super) fn check(view: &View<'_>, faults: &mut Faults<'_>) {
    let spec = view.spec;
    check_options(spec.options.as_ref(), spec.presets.as_ref(), spec.occasions.as_ref(), faults);
    if let Some(layouts) = &spec.layouts {
        at_most(layouts, "layouts", faults);
        layouts.iter().for_each(|(name, layout)| check_layout(name, layout, view, faults));
    }
}

/// The faults of options, presets and occasions in a file that could not be resolved, and so is not read.
pub(crate) fn alone(json: &Json<'_>, faults: &mut Faults<'_>) {
    let options: Option<At<Named<OptionSpec>>> = section(json, "options", faults);
    let presets: Option<At<Named<Named<Setting>>>> = section(json, "presets", faults);
    let occasions: Option<At<OccasionSpec>> = section(json, "occasions", faults);
    check_options(options.as_ref(), presets.as_ref(), occasions.as_ref(), faults);
}

fn section<T: Read>(json: &Json<'_>, key: &str, faults: &mut Faults<'_>) -> Option<At<T>> {
    let Json::Object(root) = json else { return None };
    let property = root.properties.iter().find(|property| property.name.as_str() == key)?;
    let place = child(Place::ROOT, Step::Key(key.into()), &property.value, faults);
    Some(T::read_at(&property.value, place, faults))
}

fn check_options(
    options: Option<&At<Named<OptionSpec>>>,
    presets: Option<&At<Named<Named<Setting>>>>,
    occasions: Option<&At<OccasionSpec>>,
    faults: &mut Faults<'_>,
) {
    if let Some(options) = options {
        at_most(options, "options", faults);
        options.iter().for_each(|(name, option)| check_option(name, option, faults));
    }
    if let Some(presets) = presets {
        at_most(presets, "presets", faults);
        for (name, preset) in presets.iter() {
            lists::name(&At::new(name.clone(), preset.place()), "The name of a preset", faults);
            check_settings(options, preset, faults);
        }
    }
    let occasions = occasions.iter().flat_map(|it| [&it.die, &it.team_play]);
    occasions.flatten().for_each(|settings| check_settings(options, settings, faults));
}

/// Values that go together: of options that there are, and values that these have.
fn check_settings(
    options: Option<&At<Named<OptionSpec>>>,
    settings: &At<Named<Setting>>,
    faults: &mut Faults<'_>,
) {
    let known = options.map(|options| &***options);
    for (option, value) in settings.iter() {
        let found = known.and_then(|options| options.get(option));
        if let Some(found) = found {
            check_value(option, found, value, faults);
        } else {
            let names = known.into_iter().flat_map(|options| options.keys());
            let names: Vec<String> = names.take(limits::CHOICES).cloned().collect();
            let (message, help) = unknown("option", option, &names);
            let span = settings.key_span(option).unwrap_or_else(|| faults.places().span(value.place()));
            faults.report_span(Code::UnknownChoice, value.place(), span, message, Some(help));
        }
    }
}

fn check_option(name: &str, option: &At<OptionSpec>, faults: &mut Faults<'_>) {
    lists::name(&At::new(name.to_owned(), option.place()), "The name of an option", faults);
    if let Some(about) = &option.about {
        lists::text_at_most(about, limits::ABOUT, "The sentence about the option", faults);
    }
    lists::not_empty(&option.values, "values", faults);
    lists::at_most(&option.values, limits::CHOICES, "values", faults);
    let mut seen = HashSet::new();
    let first = option.values.first().map(|value| discriminant(&**value));
    for value in option.values.iter() {
        if let Setting::Text(text) = &**value {
            lists::name(&At::new(text.clone(), value.place()), "A value", faults);
        }
        if Some(discriminant(&**value)) != first {
            let message = "The values of an option are all texts, all numbers, or all true or false.";
            faults.report(Code::Mistyped, value.place(), message);
        } else if !seen.insert(&**value) {
            let message = format!("The value `{}` stands twice in this list.", shorten(&value.to_string()));
            let help = "remove it, or write the value that was meant";
            faults.report_with_help(Code::DuplicateOption, value.place(), message, help);
        }
    }
    check_value(name, option, &option.default, faults);
}

/// Reports a value that is none of those of the option.
fn check_value(name: &str, option: &OptionSpec, value: &At<Setting>, faults: &mut Faults<'_>) {
    let (Some(values), Some(setting)) = (option.values.known(), value.known()) else { return };
    if !values.is_empty() && !values.iter().any(|there| **there == *setting) {
        let known: Vec<String> = values.iter().take(limits::CHOICES).map(|value| value.to_string()).collect();
        let (message, help) = unknown_value(name, &setting.to_string(), &known);
        faults.report_with_help(Code::UnknownChoice, value.place(), message, help);
    }
}

/// Names only: what a layout means is checked by reading the file with it.
fn check_layout(name: &str, layout: &At<LayoutSpec>, view: &View<'_>, faults: &mut Faults<'_>) {
    lists::name(&At::new(name.to_owned(), layout.place()), "The name of a layout", faults);
    if let Some(about) = &layout.about {
        lists::text_at_most(about, limits::ABOUT, "The sentence about the layout", faults);
    }
    let players = layout.players.iter().flat_map(|players| {
        players.iter().map(|(name, player)| (name, player.place(), players.key_span(name)))
    });
    for (player, place, span) in players {
        view.players.resolve_at(player, place, span, Kind::Player, faults);
    }
    for (code, lists) in layout.conditions.iter().flat_map(|conditions| conditions.iter()) {
        regions::resolve(&At::new(code.clone(), lists.place()), view, faults);
        for (player, list) in lists.iter() {
            view.players.resolve_at(player, list.place(), lists.key_span(player), Kind::Player, faults);
        }
    }
}

fn at_most<T>(object: &At<Named<T>>, what: &str, faults: &mut Faults<'_>) {
    if object.len() > limits::CHOICES {
        let message = format!("There are {} {what}; there may be at most {}.", object.len(), limits::CHOICES);
        faults.report(Code::TooMany, object.place(), message);
    }
}
