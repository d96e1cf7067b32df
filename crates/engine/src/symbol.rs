//! How a kind of piece is written in board text and in moves.

use crate::piece::Player;

/// How a kind of piece is written: a letter whose case shows the owner, or one character for each player.
///
/// Plus signs may precede the letter or the character, as in `+R`, and one tilde may follow it, as in `Q~`.
///
/// # Examples
///
/// ```
/// use tabiya_engine::{Player, Symbol};
///
/// let dragon = Symbol::letter("+r").unwrap();
/// assert_eq!([0, 1, 2, 3].map(|player| dragon.of(Player(player))), ["+R", "+r", ".+R", ".+r"]);
///
/// let general = Symbol::per_player(vec!["帥".into(), "將".into()]).unwrap();
/// assert_eq!([0, 1].map(|player| general.of(Player(player))), ["帥", "將"]);
/// assert_eq!(Symbol::letter("帥"), None, "a letter without case does not show the owner");
///
/// let promoted = Symbol::letter("Q~").unwrap();
/// assert_eq!([0, 1].map(|player| promoted.of(Player(player))), ["Q~", "q~"]);
/// assert_eq!(promoted.in_moves(Player(0)), "Q", "as Fairy-Stockfish writes it");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol(Form);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Form {
    /// In upper case.
    Letter(String),
    /// By player.
    PerPlayer(Vec<String>),
}

impl Symbol {
    /// Returns the symbol with this letter, in either case. Returns `None` unless the text is one letter whose two cases
    /// convert into each other, after any number of plus signs and before at most one tilde.
    pub fn letter(text: &str) -> Option<Self> {
        let character = character_of(text)?;
        let (upper, lower) = (single(character.to_uppercase())?, single(character.to_lowercase())?);
        let there_and_back =
            single(upper.to_lowercase()) == Some(lower) && single(lower.to_uppercase()) == Some(upper);
        let is_letter = character.is_alphabetic() && upper != lower && there_and_back;
        is_letter.then(|| Symbol(Form::Letter(text.to_uppercase())))
    }

    /// Returns the symbol with these characters, one for each player. Returns `None` unless each text is one letter
    /// without case, or one chess symbol of Unicode, after any number of plus signs and before at most one tilde.
    pub fn per_player(texts: Vec<String>) -> Option<Self> {
        let is_caseless = |text: &String| {
            character_of(text).is_some_and(|character| {
                let has_no_case = character.to_uppercase().eq(character.to_lowercase());
                has_no_case && (character.is_alphabetic() || is_chess_symbol(character))
            })
        };
        texts.iter().all(is_caseless).then_some(Symbol(Form::PerPlayer(texts)))
    }

    /// Returns the text of a player's piece in board text: `P`, `p`, `.P`, `.p`, `+R`, `帥`.
    pub fn of(&self, player: Player) -> String {
        match &self.0 {
            Form::Letter(letter) => player.mark(letter),
            Form::PerPlayer(_) => self.written(player).to_owned(),
        }
    }

    /// Returns the text in the moves of a player: `P`, `+R`, `帥`. The case of a letter does not show the owner there, and
    /// a tilde is left out; see [`Self::written`].
    pub fn in_moves(&self, player: Player) -> &str {
        bare(self.written(player))
    }

    /// Returns the text of a player's piece with its tilde: `P`, `Q~`, `帥`. The case of a letter does not show the owner.
    pub fn written(&self, player: Player) -> &str {
        match &self.0 {
            Form::Letter(letter) => letter,
            Form::PerPlayer(texts) => texts.get(player.index()).map_or("?", String::as_str),
        }
    }

    /// Returns whether a tilde follows the letter.
    pub fn has_tilde(&self) -> bool {
        self.texts().iter().any(|text| text.ends_with(TILDE))
    }

    /// Returns every text that [`Self::written`] can return.
    pub fn texts(&self) -> &[String] {
        match &self.0 {
            Form::Letter(letter) => std::slice::from_ref(letter),
            Form::PerPlayer(texts) => texts,
        }
    }

    /// Returns the letter in upper case, if the symbol is a letter without a plus sign and a tilde.
    pub fn plain_letter(&self) -> Option<char> {
        match &self.0 {
            Form::Letter(letter) => single(letter.chars()),
            Form::PerPlayer(_) => None,
        }
    }

    /// Returns the characters by player, if there is one for each.
    pub fn by_player(&self) -> Option<&[String]> {
        match &self.0 {
            Form::Letter(_) => None,
            Form::PerPlayer(texts) => Some(texts),
        }
    }
}

impl Player {
    /// Marks a letter as this player's: upper case for the first player and lower case for the second, the same after a
    /// dot for the next two, after two dots for the two after these, and so on.
    pub fn mark(self, letter: &str) -> String {
        let dots = ".".repeat(self.index() / 2);
        let letter = if self.0.is_multiple_of(2) { letter.to_uppercase() } else { letter.to_lowercase() };
        format!("{dots}{letter}")
    }
}

/// The mark after the letter of a promoted piece, as in crazyhouse.
const TILDE: char = '~';

/// Returns a text without its tilde.
fn bare(text: &str) -> &str {
    text.strip_suffix(TILDE).unwrap_or(text)
}

/// Returns the only character between the plus signs and the tilde.
fn character_of(text: &str) -> Option<char> {
    single(bare(text).trim_start_matches('+').chars())
}

fn single(mut characters: impl Iterator<Item = char>) -> Option<char> {
    let first = characters.next()?;
    characters.next().is_none().then_some(first)
}

/// Whether a character is a piece of chess, fairy chess or xiangqi in Unicode.
fn is_chess_symbol(character: char) -> bool {
    matches!(character, '\u{2654}'..='\u{265f}' | '\u{1fa00}'..='\u{1fa6d}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_has_two_cases_that_convert_into_each_other() {
        for text in ["K", "k", "+R", "++r", "Д", "é", "Q~", "q~", "+R~"] {
            assert!(Symbol::letter(text).is_some(), "{text}");
        }
        for text in ["", "+", "KN", "1", "ß", "ı", "ſ", "帥", "?", ".", "R+", " K", "~", "~Q", "Q~~"] {
            assert_eq!(Symbol::letter(text), None, "{text}");
        }
    }

    #[test]
    fn a_character_for_each_player_has_no_case() {
        for text in ["帥", "+飛", "♔", "א", "帥~"] {
            assert!(Symbol::per_player(vec![text.into()]).is_some(), "{text}");
        }
        for text in ["", "K", "é", "帥帥", "8", "+", "*", "/", "…", "\u{200d}"] {
            assert_eq!(Symbol::per_player(vec![text.into()]), None, "{text}");
        }
    }
}
