//! The rules of a game in plain English, every default filled in: what `tabiya explain` prints.
//!
//! The text is made out of the blueprint that the engine compiles, in which names and defaults are resolved already.
//! So it tells what is played, and not what the file leaves unsaid. It knows mechanics, never a game.

mod armies;
mod choice;
mod clauses;
mod counts;
mod ending;
mod groups;
mod guards;
mod moves;
mod named;
mod page;
mod picture;
mod reading;
mod royal;
mod setting;
mod squares;
mod steps;

use crate::game::Game;
use page::Page;

/// The fully resolved rules: plain text, wrapped at 100 columns, with underlined headings.
///
/// ```
/// let game = tabiya_spec::library::load("chess").unwrap();
/// assert!(tabiya_spec::english(&game).contains("goes 2 squares forward [0,2]"));
/// ```
pub fn english(game: &Game) -> String {
    let (spec, rules) = (&*game.spec, &*game.rules);
    let mut page = Page::default();
    page.title(&spec.name);
    if let Some(about) = &spec.about {
        page.paragraph(about);
    }
    choice::tell(&game.choices, &mut page);
    setting::board(rules, &mut page);
    setting::players(rules, &mut page);
    setting::turns(rules, &mut page);
    armies::tell(rules, &mut page);
    ending::tell(rules, &mut page);
    named::regions(rules, &mut page);
    named::flags(rules, &mut page);
    reading::tell(rules, &mut page);
    moves::pieces(spec, rules, &mut page);
    page.into_text()
}
