//! What the file leaves open, and what was chosen.

use crate::choices::Offer;

use super::page::{Page, join};

/// The whole section, for a file that leaves anything open.
pub(super) fn tell(offer: &Offer, page: &mut Page) {
    if offer.layouts.is_empty() && offer.options.is_empty() {
        return;
    }
    page.heading("What is chosen");
    if !offer.layouts.is_empty() {
        let chosen = offer.chosen.layout.as_ref();
        let about =
            offer.layouts.iter().find(|layout| Some(&layout.name) == chosen).and_then(|it| it.about.as_ref());
        let about = about.map_or_else(String::new, |about| format!(" {about}"));
        let chosen = chosen.map_or("that of the file itself", String::as_str);
        let names: Vec<&str> = offer.layouts.iter().map(|layout| layout.name.as_str()).collect();
        page.item(0, &format!("Layout: {chosen}.{about} There are also: {}.", names.join("; ")));
    }
    for (option, (_, value)) in offer.options.iter().zip(&offer.chosen.options) {
        let about = option.about.as_ref().map_or_else(String::new, |about| format!(" {about}"));
        let values = join(&option.values, "or");
        page.item(0, &format!("{}: {value}.{about} It may be {values}.", option.name));
    }
    for preset in &offer.presets {
        page.item(0, &format!("Preset {}: {}.", preset.name, settings(&preset.options)));
    }
    for (occasion, options) in [("the die", &offer.die), ("one person for each team", &offer.team_play)] {
        if !options.is_empty() {
            page.item(0, &format!("To play with {occasion}: {}.", settings(options)));
        }
    }
}

fn settings(options: &[(String, String)]) -> String {
    let settings: Vec<String> = options.iter().map(|(name, value)| format!("{name}={value}")).collect();
    join(&settings, "and")
}
