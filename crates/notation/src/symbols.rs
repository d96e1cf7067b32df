//! The symbols of pieces and players in FEN.
//!
//! [`tabiya_engine::Symbol`] writes pieces. A turn is the first letter of the player's name if no other player has
//! the same, else the full name, followed by the slot if the player has several in the turn order. Names that are equal
//! in lower case are replaced by a number.

use std::collections::HashMap;

use tabiya_engine::{Kind, Player, Rules};

/// Returns the symbol of a piece in FEN: `P`, `p`, `.P`, `.p` …
///
/// # Examples
///
/// ```
/// let game = tabiya_spec::library::load("fourplayer").unwrap();
/// let pawn = game.rules.kinds().find(|kind| game.rules.kind(*kind).code == "PAWN").unwrap();
/// let symbols: Vec<String> =
///     game.rules.players().map(|player| tabiya_notation::piece_symbol(&game.rules, player, pawn)).collect();
/// assert_eq!(symbols, ["P", "p", ".P", ".p"]);
/// ```
pub fn piece_symbol(rules: &Rules, player: Player, kind: Kind) -> String {
    rules.kind(kind).symbol.of(player)
}

/// Returns the piece that each symbol stands for.
pub(crate) fn pieces(rules: &Rules) -> HashMap<String, (Player, Kind)> {
    rules
        .players()
        .flat_map(|player| rules.kinds().map(move |kind| (player, kind)))
        .map(|(player, kind)| (piece_symbol(rules, player, kind), (player, kind)))
        .collect()
}

/// Returns the kind with a symbol or code, in any case. Symbols take precedence: the code of one kind may be the symbol
/// of another.
pub(crate) fn kind(rules: &Rules, text: &str) -> Option<Kind> {
    let wanted = text.to_lowercase();
    let has_symbol =
        |kind: &Kind| rules.kind(*kind).symbol.texts().iter().any(|text| text.to_lowercase() == wanted);
    let has_bare_symbol = |kind: &Kind| {
        rules.players().any(|it| rules.kind(*kind).symbol.in_moves(it).to_lowercase() == wanted)
    };
    let by_symbol = rules.kinds().find(has_symbol).or_else(|| rules.kinds().find(has_bare_symbol));
    by_symbol.or_else(|| rules.kinds().find(|kind| rules.kind(*kind).code.to_lowercase() == wanted))
}

/// Splits off the symbol of a kind at the beginning of a move, with or without its tilde. Letters are in upper case. The
/// longest symbol counts, and a kind without a tilde before one with it.
pub(crate) fn split_kind<'t>(rules: &Rules, text: &'t str) -> Option<(Kind, &'t str)> {
    let rest_after = |kind: Kind| {
        let symbol = &rules.kind(kind).symbol;
        let bare = rules.players().map(|player| symbol.in_moves(player));
        let rests = symbol.texts().iter().map(String::as_str).chain(bare);
        let rests = rests.filter_map(|symbol| text.strip_prefix(symbol));
        rests.min_by_key(|rest| rest.len()).map(|rest| (kind, rest))
    };
    let found = rules.kinds().filter_map(rest_after);
    found.min_by_key(|(kind, rest)| (rest.len(), rules.kind(*kind).symbol.has_tilde()))
}

/// Returns whether two kinds are written alike in moves: they are equal, or differ by a tilde.
pub(crate) fn are_alike(rules: &Rules, player: Player, one: Kind, other: Kind) -> bool {
    let bare = |kind: Kind| rules.kind(kind).symbol.in_moves(player);
    one == other || bare(one) == bare(other)
}

/// Returns the letter of a promoted piece in a move: without its tilde, unless the piece could also be promoted to the one
/// without it.
pub(crate) fn promotion_text(rules: &Rules, player: Player, kind: Kind) -> &str {
    let symbol = &rules.kind(kind).symbol;
    let rivals = |options: &[Kind]| {
        let is_rival = |other: &Kind| *other != kind && are_alike(rules, player, kind, *other);
        options.contains(&kind) && options.iter().any(is_rival)
    };
    let is_ambiguous = || {
        let moves = rules.kinds().flat_map(|kind| &rules.kind(kind).moves).flat_map(|plan| &plan.modifiers);
        let drops = rules.mechanics().hands.iter().flat_map(|hands| &hands.drops);
        moves.chain(drops.flat_map(|plan| &plan.modifiers)).any(|modifier| rivals(&modifier.options))
    };
    if symbol.has_tilde() && is_ambiguous() { symbol.written(player) } else { symbol.in_moves(player) }
}

/// Returns the short name of a player in FEN, or `#` and the player's number if no name is unique.
pub(crate) fn player_text(rules: &Rules, player: Player) -> String {
    let initial = |player: Player| rules.player(player).name.to_lowercase().chars().next();
    let name = |player: Player| word(&rules.player(player).name);
    let others = || rules.players().filter(|other| *other != player);
    match initial(player) {
        Some(letter) if letter.is_alphabetic() && others().all(|other| initial(other) != Some(letter)) => {
            letter.to_string()
        }
        _ if others().all(|other| name(other) != name(player)) => name(player),
        _ => format!("#{}", player.0),
    }
}

/// Returns the text of a turn, or `#` and the slot number if no name is unique.
pub(crate) fn turn_text(rules: &Rules, slot: u16) -> String {
    let order = rules.order();
    let text = |slot: u16| {
        let player = rules.turn_of(slot);
        let slots = order.iter().filter(|other| **other == player).count();
        let name = player_text(rules, player);
        if slots == 1 { name } else { format!("{name}{slot}") }
    };
    let is_unique = (0..order.len() as u16).all(|other| other == slot || text(other) != text(slot));
    if is_unique && !text(slot).starts_with('#') { text(slot) } else { format!("#{slot}") }
}

/// Parses a turn: as written, as the name of a player with one slot, or as a slot number.
pub(crate) fn parse_turn(rules: &Rules, text: &str) -> Result<u16, String> {
    let slots = || 0..rules.order().len() as u16;
    if let Some(slot) = slots().find(|slot| turn_text(rules, *slot) == text) {
        return Ok(slot);
    }
    let wanted = word(text);
    let of_player = |slot: &u16| {
        let player = rules.turn_of(*slot);
        word(&rules.player(player).name) == wanted || player_text(rules, player) == wanted
    };
    match slots().filter(of_player).collect::<Vec<_>>().as_slice() {
        [slot] => return Ok(*slot),
        [] => {}
        several => {
            let texts: Vec<String> = several.iter().map(|slot| turn_text(rules, *slot)).collect();
            return Err(format!(
                "the turn `{text}` fits several slots of the turn order: write {}",
                texts.join(" or ")
            ));
        }
    }
    match text.trim_start_matches('#').parse::<u16>() {
        Ok(slot) if slots().contains(&slot) => Ok(slot),
        _ => {
            let texts: Vec<String> = slots().map(|slot| turn_text(rules, slot)).collect();
            Err(format!("the turn `{}` is not one of {}", clip(text), texts.join(", ")))
        }
    }
}

/// Parses a short or full player name.
pub(crate) fn parse_player(rules: &Rules, text: &str) -> Option<Player> {
    let wanted = word(text);
    let exact = rules.players().find(|player| player_text(rules, *player) == text);
    exact.or_else(|| rules.players().find(|player| word(&rules.player(*player).name) == wanted))
}

/// Turns a name into one lower-case word without characters that have a meaning in FEN.
pub(crate) fn word(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    name.to_lowercase().chars().map(|c| if plain(c) { c } else { '_' }).collect()
}

/// Replaces every byte of a flag's or a counter's name that has a meaning in FEN by `%XX`.
pub(crate) fn escape(name: &str) -> String {
    name.bytes()
        .map(|byte| match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect()
}

/// Shortens a text for a message.
pub(crate) fn clip(text: &str) -> std::borrow::Cow<'_, str> {
    crate::clip(text, 40)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the rules of a game with these players in this turn order, one pawn each.
    fn rules(players: &[&str], order: &[&str]) -> std::sync::Arc<Rules> {
        let army =
            |index: usize| format!(r#"[{{ "piece": "PAWN", "positions": [[{index}, {}]] }}]"#, index % 2);
        let players: Vec<String> = players
            .iter()
            .enumerate()
            .map(|(index, name)| {
                let army = army(index);
                format!(r#"{{ "name": "{name}", "direction": "UP", "starting_positions": {army} }}"#)
            })
            .collect();
        let text = format!(
            r#"{{ "name": "X", "board": {{ "dimensions": [4, 4] }}, "players": [{}], "turns": {{ "order": {order:?} }},
                "pieces": [{{ "code": "PAWN", "moves": [{{ "id": 0, "step": [0, 1],
                "actions": [{{ "state": "EMPTY", "action": "MOVE" }}] }}] }}] }}"#,
            players.join(", ")
        );
        tabiya_spec::load(text.as_bytes()).game.expect("a playable game").rules
    }

    #[test]
    fn turns_and_players_round_trip_for_any_names() {
        let cases: [(&[&str], &[&str]); 5] = [
            (&["WHITE", "white"], &["WHITE", "white"]),
            (&["W A", "W/A"], &["W A", "W/A"]),
            (&["A", "A0"], &["A", "A0", "A"]),
            (&["1", "2"], &["2", "1"]),
            (&["RED", "BLUE", "BLACK"], &["RED", "BLUE", "RED", "BLACK"]),
        ];
        for (players, order) in cases {
            let rules = rules(players, order);
            for slot in 0..order.len() as u16 {
                assert_eq!(parse_turn(&rules, &turn_text(&rules, slot)), Ok(slot), "{order:?}");
            }
            for player in rules.players() {
                assert_eq!(parse_player(&rules, &player_text(&rules, player)), Some(player), "{players:?}");
            }
        }
    }

    #[test]
    fn letters_take_precedence_over_codes() {
        let json = r#"{ "name": "X", "board": { "dimensions": [4, 4] },
            "players": [{ "name": "A", "direction": "UP", "starting_positions": [] }],
            "turns": { "order": ["A"] },
            "pieces": [
                { "code": "N", "letter": "X", "moves": [] },
                { "code": "KNIGHT", "letter": "N", "moves": [] }] }"#;
        let game = tabiya_spec::load(json.as_bytes()).game.expect("a playable game");
        assert_eq!(kind(&game.rules, "n"), Some(Kind(1)));
        assert_eq!(kind(&game.rules, "x"), Some(Kind(0)));
        assert_eq!(kind(&game.rules, "knight"), Some(Kind(1)));
    }
}
