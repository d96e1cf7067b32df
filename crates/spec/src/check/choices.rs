//! Options and their values, presets, and layouts.

use std::collections::HashSet;
use std::mem::discriminant;

use jsonc_parser::ast::Value as Json;

use crate::choices::{unknown, unknown_value};
use crate::model::{LayoutSpec, OccasionSpec, OptionSpec, Setting};
use crate::place::Step;
use crate::read::{Named, Read, child};

use super::prelude::*;
use super::regions;

pub(super) fn check(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let spec = view.spec;
    check_options(spec.options.as_ref(), spec.presets.as_ref(), spec.occasions.as_ref(), diags);
    if let Some(layouts) = &spec.layouts {
        at_most(layouts, "layouts", diags);
        layouts.iter().for_each(|(name, layout)| check_layout(name, layout, view, diags));
    }
}

/// Checks the options, presets and occasions of a file that could not be resolved.
pub(crate) fn alone(json: &Json<'_>, diags: &mut Diagnostics<'_>) {
    let options: Option<At<Named<OptionSpec>>> = section(json, "options", diags);
    let presets: Option<At<Named<Named<Setting>>>> = section(json, "presets", diags);
    let occasions: Option<At<OccasionSpec>> = section(json, "occasions", diags);
    check_options(options.as_ref(), presets.as_ref(), occasions.as_ref(), diags);
}

fn section<T: Read>(json: &Json<'_>, key: &str, diags: &mut Diagnostics<'_>) -> Option<At<T>> {
    let Json::Object(root) = json else { return None };
    let property = root.properties.iter().find(|property| property.name.as_str() == key)?;
    let place = child(Place::ROOT, Step::Key(key.into()), &property.value, diags);
    Some(T::read_at(&property.value, place, diags))
}

fn check_options(
    options: Option<&At<Named<OptionSpec>>>,
    presets: Option<&At<Named<Named<Setting>>>>,
    occasions: Option<&At<OccasionSpec>>,
    diags: &mut Diagnostics<'_>,
) {
    if let Some(options) = options {
        at_most(options, "options", diags);
        options.iter().for_each(|(name, option)| check_option(name, option, diags));
    }
    if let Some(presets) = presets {
        at_most(presets, "presets", diags);
        for (name, preset) in presets.iter() {
            common::name(&At::new(name.clone(), preset.place()), "The name of a preset", diags);
            check_settings(options, preset, diags);
        }
    }
    let occasions = occasions.iter().flat_map(|it| [&it.die, &it.team_play]);
    occasions.flatten().for_each(|settings| check_settings(options, settings, diags));
}

/// Checks that the options exist and have these values.
fn check_settings(
    options: Option<&At<Named<OptionSpec>>>,
    settings: &At<Named<Setting>>,
    diags: &mut Diagnostics<'_>,
) {
    let known = options.map(|options| &***options);
    for (option, value) in settings.iter() {
        let found = known.and_then(|options| options.get(option));
        if let Some(found) = found {
            check_value(option, found, value, diags);
        } else {
            let names = known.into_iter().flat_map(|options| options.keys());
            let names: Vec<String> = names.take(limits::CHOICES).cloned().collect();
            let (message, help) = unknown("option", option, &names);
            let span = settings.key_span(option).unwrap_or_else(|| diags.places().span(value.place()));
            diags.report_span(Code::UnknownChoice, value.place(), span, message, Some(help));
        }
    }
}

fn check_option(name: &str, option: &At<OptionSpec>, diags: &mut Diagnostics<'_>) {
    common::name(&At::new(name.to_owned(), option.place()), "The name of an option", diags);
    if let Some(about) = &option.about {
        common::text_at_most(about, limits::ABOUT, "The description of the option", diags);
    }
    common::not_empty(&option.values, "values", diags);
    common::at_most(&option.values, limits::CHOICES, "values", diags);
    let mut seen = HashSet::new();
    let first = option.values.first().map(|value| discriminant(&**value));
    for value in option.values.iter() {
        if let Setting::Text(text) = &**value {
            common::name(&At::new(text.clone(), value.place()), "A value", diags);
        }
        if Some(discriminant(&**value)) != first {
            let message = "The values of an option must be all strings, all numbers or all Booleans.";
            diags.report(Code::Mistyped, value.place(), message);
        } else if !seen.insert(&**value) {
            let message = format!("The value `{}` appears twice in this list.", shorten(&value.to_string()));
            let help = "remove it, or write the intended value";
            diags.report_with_help(Code::DuplicateOption, value.place(), message, help);
        }
    }
    check_value(name, option, &option.default, diags);
}

/// Reports a value that the option does not have.
fn check_value(name: &str, option: &OptionSpec, value: &At<Setting>, diags: &mut Diagnostics<'_>) {
    let (Some(values), Some(setting)) = (option.values.known(), value.known()) else { return };
    if !values.is_empty() && !values.iter().any(|there| **there == *setting) {
        let known: Vec<String> = values.iter().take(limits::CHOICES).map(|value| value.to_string()).collect();
        let (message, help) = unknown_value(name, &setting.to_string(), &known);
        diags.report_with_help(Code::UnknownChoice, value.place(), message, help);
    }
}

/// Checks the names in a layout. Its contents are checked by reading the file with it.
fn check_layout(name: &str, layout: &At<LayoutSpec>, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    common::name(&At::new(name.to_owned(), layout.place()), "The name of a layout", diags);
    if let Some(about) = &layout.about {
        common::text_at_most(about, limits::ABOUT, "The description of the layout", diags);
    }
    let players = layout.players.iter().flat_map(|players| {
        players.iter().map(|(name, player)| (name, player.place(), players.key_span(name)))
    });
    for (player, place, span) in players {
        view.players.resolve_at(player, place, span, NameKind::Player, diags);
    }
    for (code, lists) in layout.conditions.iter().flat_map(|conditions| conditions.iter()) {
        regions::resolve(&At::new(code.clone(), lists.place()), view, diags);
        for (player, list) in lists.iter() {
            view.players.resolve_at(player, list.place(), lists.key_span(player), NameKind::Player, diags);
        }
    }
}

fn at_most<T>(object: &At<Named<T>>, what: &str, diags: &mut Diagnostics<'_>) {
    if object.len() > limits::CHOICES {
        let message = format!("There are {} {what}; there may be at most {}.", object.len(), limits::CHOICES);
        diags.report(Code::TooMany, object.place(), message);
    }
}
