//! Writes the rules of a game as English text, as printed by `tabiya explain`.
//!
//! The text is generated from the engine's blueprint, in which names and defaults are resolved. It therefore
//! describes the game that is actually played. It covers mechanics in general, not particular games.

mod armies;
mod choices;
mod clauses;
mod conditions;
mod conventions;
mod counts;
mod definitions;
mod diagram;
mod ending;
mod leader;
mod move_groups;
mod moves;
mod page;
mod restrictions;
mod setup;
mod space;
mod squares;
mod steps;
mod triggers;

use crate::game::Game;
use page::Page;

/// Returns the rules of one piece, as [`english()`] writes them; `None` if the game has no such piece.
///
/// ```
/// let game = tabiya_spec::library::load("chess").unwrap();
/// let rook = tabiya_spec::english_piece(&game, "ROOK").unwrap();
/// assert!(rook.starts_with("ROOK (letter R)\n- Moves 0 to 3: slides any number of squares"));
/// assert_eq!(tabiya_spec::english_piece(&game, "ROCK"), None);
/// ```
pub fn english_piece(game: &Game, code: &str) -> Option<String> {
    let kind = game.rules.kinds().find(|kind| game.rules.kind(*kind).code == code)?;
    let mut page = Page::default();
    moves::piece(game.spec.pieces.get(kind.index())?, &game.rules, kind, &mut page);
    Some(page.into_text().trim_end().to_owned())
}

/// Returns the squares of a `POSITION` condition for each player, as [`english()`] writes them; `None` if the game has no such
/// condition.
///
/// ```
/// let game = tabiya_spec::library::load("chess").unwrap();
/// assert!(tabiya_spec::english_squares(&game, "LAST_RANK").unwrap().starts_with("for WHITE "));
/// ```
pub fn english_squares(game: &Game, code: &str) -> Option<String> {
    let region = game.rules.blueprint().regions().iter().find(|region| region.code == code)?;
    Some(definitions::by_player(&game.rules, region))
}

/// Returns the complete rules of a game as plain text, wrapped at 100 columns, with underlined headings.
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
    choices::write(&game.choices, &mut page);
    setup::board(rules, &mut page);
    setup::players(rules, &mut page);
    setup::turns(rules, &mut page);
    armies::write(rules, &mut page);
    ending::write(rules, &mut page);
    definitions::regions(rules, &mut page);
    definitions::flags(rules, &mut page);
    conventions::write(rules, &mut page);
    restrictions::write(rules, &mut page);
    moves::pieces(spec, rules, &mut page);
    page.into_text()
}
