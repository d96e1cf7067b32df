//! The letters of pieces and players in board text.
//!
//! The first player's pieces are upper case, the second's lower case; the next two players have a dot before the
//! letter, the next two have two dots, and so on. A player's turn is the first letter of its name if no other player
//! has the same, and the whole name if so; with the slot behind it where the player has several in the order. Names
//! that look alike in lower case get a number.

use std::collections::HashMap;

use tabiya_engine::{Kind, Player, Rules};

/// A text in the manner of a player: cased, dotted.
pub(crate) fn cased(text: &str, player: Player) -> String {
    let dots = ".".repeat(player.index() / 2);
    let text = if player.0.is_multiple_of(2) { text.to_uppercase() } else { text.to_lowercase() };
    format!("{dots}{text}")
}

/// The text of a piece on the board: `P`, `p`, `.P`, `.p` …
pub fn piece_text(rules: &Rules, player: Player, kind: Kind) -> String {
    cased(&rules.kind(kind).letter.to_string(), player)
}

/// What each piece text stands for.
pub(crate) fn pieces(rules: &Rules) -> HashMap<String, (Player, Kind)> {
    rules
        .players()
        .flat_map(|player| rules.kinds().map(move |kind| (player, kind)))
        .map(|(player, kind)| (piece_text(rules, player, kind), (player, kind)))
        .collect()
}

/// The kind of a letter or code, in any case. Letters come first: they are what is written, and the code of one kind
/// may be the letter of another.
pub(crate) fn kind(rules: &Rules, text: &str) -> Option<Kind> {
    let wanted = text.to_lowercase();
    let by_letter = rules.kinds().find(|kind| rules.kind(*kind).letter.to_lowercase().to_string() == wanted);
    by_letter.or_else(|| rules.kinds().find(|kind| rules.kind(*kind).code.to_lowercase() == wanted))
}

/// The short name of a player in board text; `#` and its number, where no name tells it from the others.
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

/// The text of a turn; `#` and the number of the slot, where no name tells it from the others.
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

/// The slot of a turn: as it is written, or the name of a player with one slot, or the number of the slot.
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
                "the turn `{text}` may be several slots of the order: write {}",
                texts.join(" or ")
            ));
        }
    }
    match text.trim_start_matches('#').parse::<u16>() {
        Ok(slot) if slots().contains(&slot) => Ok(slot),
        _ => {
            let texts: Vec<String> = slots().map(|slot| turn_text(rules, slot)).collect();
            Err(format!("the turn `{}` is none of {}", clip(text), texts.join(", ")))
        }
    }
}

/// The player of a short or whole name.
pub(crate) fn parse_player(rules: &Rules, text: &str) -> Option<Player> {
    let wanted = word(text);
    let exact = rules.players().find(|player| player_text(rules, *player) == text);
    exact.or_else(|| rules.players().find(|player| word(&rules.player(*player).name) == wanted))
}

/// A name as one word: lower case, and nothing in it that board text uses for itself.
pub(crate) fn word(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    name.to_lowercase().chars().map(|c| if plain(c) { c } else { '_' }).collect()
}

/// The beginning of a text, for a message.
pub(crate) fn clip(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game of these players in this order, one pawn each.
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
        tabiya_spec::load(text.as_bytes()).game.expect("it can be played").rules
    }

    #[test]
    fn every_turn_is_read_back_whatever_the_names() {
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
    fn a_letter_comes_before_a_code() {
        let json = r#"{ "name": "X", "board": { "dimensions": [4, 4] },
            "players": [{ "name": "A", "direction": "UP", "starting_positions": [] }],
            "turns": { "order": ["A"] },
            "pieces": [
                { "code": "N", "letter": "X", "moves": [] },
                { "code": "KNIGHT", "letter": "N", "moves": [] }] }"#;
        let game = tabiya_spec::load(json.as_bytes()).game.expect("it can be played");
        assert_eq!(kind(&game.rules, "n"), Some(Kind(1)));
        assert_eq!(kind(&game.rules, "x"), Some(Kind(0)));
        assert_eq!(kind(&game.rules, "knight"), Some(Kind(1)));
    }
}
