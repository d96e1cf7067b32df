//! The choices that the file offers and those made.

use crate::choices::AvailableChoices;

use super::page::{Page, join};

/// Writes the section, if the file offers choices.
pub(super) fn write(offer: &AvailableChoices, page: &mut Page) {
    if offer.layouts.is_empty() && offer.options.is_empty() {
        return;
    }
    page.heading("Choices");
    if !offer.layouts.is_empty() {
        let chosen = offer.resolved.layout.as_ref();
        let about =
            offer.layouts.iter().find(|layout| Some(&layout.name) == chosen).and_then(|it| it.about.as_ref());
        let about = about.map_or_else(String::new, |about| format!(" {about}"));
        let chosen = chosen.map_or("the default", String::as_str);
        let names: Vec<&str> = offer.layouts.iter().map(|layout| layout.name.as_str()).collect();
        page.item(&format!("Layout: {chosen}.{about} Available layouts: {}.", names.join("; ")));
    }
    for (option, (_, value)) in offer.options.iter().zip(&offer.resolved.options) {
        let about = option.about.as_ref().map_or_else(String::new, |about| format!(" {about}"));
        let values = join(&option.values, "or");
        page.item(&format!("{}: {value}.{about} Possible values: {values}.", option.name));
    }
    for preset in &offer.presets {
        page.item(&format!("Preset {}: {}.", preset.name, settings(&preset.options)));
    }
    for (occasion, options) in [("the die", &offer.die), ("one person per team", &offer.team_play)] {
        if !options.is_empty() {
            page.item(&format!("To play with {occasion}: {}.", settings(options)));
        }
    }
}

fn settings(options: &[(String, String)]) -> String {
    let settings: Vec<String> = options.iter().map(|(name, value)| format!("{name}={value}")).collect();
    join(&settings, "and")
}
