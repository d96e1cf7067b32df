//! PGN tags: the roster that every game has, and the tags for players' names.

use tabiya_engine::{Player, Rules};

/// Returns the tag for the name of the person or program that plays a side: `White` and `Black` in a game for two, else
/// the player's name in title case, such as `Red`.
///
/// # Examples
///
/// ```
/// use tabiya_notation::pgn::player_tag;
///
/// let game = tabiya_spec::library::load("fourplayer").unwrap();
/// let tags: Vec<String> = game.rules.players().map(|player| player_tag(&game.rules, player)).collect();
/// assert_eq!(tags, ["Red", "Blue", "Yellow", "Green"]);
/// ```
pub fn player_tag(rules: &Rules, player: Player) -> String {
    let names = || rules.players().map(|player| title(&rules.player(player).name));
    if rules.players().count() == 2 {
        return if player.index() == 0 { "White" } else { "Black" }.to_owned();
    }
    let own = title(&rules.player(player).name);
    let is_good = own.starts_with(|c: char| c.is_ascii_alphabetic())
        && !own.starts_with(NUMBERED)
        && !RESERVED.contains(&own.as_str())
        && names().filter(|name| *name == own).count() == 1;
    if is_good { own } else { format!("{NUMBERED}{}", player.index() + 1) }
}

/// The prefix for players whose name cannot be a tag.
const NUMBERED: &str = "Player";

/// Tags with another meaning.
const RESERVED: &[&str] = &[
    "Event",
    "Site",
    "Date",
    "Round",
    "Result",
    "Setup",
    "Fen",
    "Variant",
    "Array",
    "Rules",
    "Options",
    "Termination",
];

/// Turns a name into a tag: one word in title case.
fn title(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    let mut word: String = name.chars().map(plain).collect();
    if let Some(first) = word.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    word
}

/// Returns the tags that every game has, in order, each with the value for unknown. The result follows them.
pub(super) fn roster(rules: &Rules) -> Vec<(String, &'static str)> {
    let fixed = [("Event", "?"), ("Site", "?"), ("Date", "????.??.??"), ("Round", "?")];
    let fixed = fixed.into_iter().map(|(name, unknown)| (name.to_owned(), unknown));
    fixed.chain(rules.players().map(|player| (player_tag(rules, player), "?"))).collect()
}

pub(super) fn find<'t>(tags: &'t [(String, String)], name: &str) -> Option<&'t str> {
    tags.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
}
