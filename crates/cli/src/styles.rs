//! Terminal styles. A piece has the colour of its owner as background, so that it can be read on light and dark squares.
//! Colours repeat what the letters already say.

use anstyle::{Ansi256Color, Color, Style};
use tabiya_engine::{Player, Rules};

/// A name, its background in the table of 256 colours, and a readable foreground.
const PLAYER_COLOURS: [(&str, u8, u8); 10] = [
    ("WHITE", 255, 16),
    ("BLACK", 234, 255),
    ("RED", 160, 255),
    ("BLUE", 26, 255),
    ("YELLOW", 220, 16),
    ("GREEN", 28, 255),
    ("PURPLE", 91, 255),
    ("ORANGE", 208, 16),
    ("CYAN", 44, 16),
    ("PINK", 212, 16),
];

/// A light square.
pub(crate) const LIGHT: Style = background(180);
/// A dark square.
pub(crate) const DARK: Style = background(137);
/// A square of the last move.
pub(crate) const RECENT: Style = background(143);
/// The selected piece and its targets.
pub(crate) const MARKED: Style = background(71);
/// A piece of an eliminated or frozen player.
pub(crate) const OUT: Style = background(245).fg_color(Some(Color::Ansi256(Ansi256Color(238))));
/// Secondary text.
pub(crate) const FAINT: Style = Style::new().dimmed();
/// Important text.
pub(crate) const STRONG: Style = Style::new().bold();

const fn background(colour: u8) -> Style {
    // Text on squares is black, which can be read on all of them.
    Style::new()
        .bg_color(Some(Color::Ansi256(Ansi256Color(colour))))
        .fg_color(Some(Color::Ansi256(Ansi256Color(16))))
}

/// The styles of the players of one game.
#[derive(Debug)]
pub(crate) struct PlayerStyles(Vec<Style>);

impl PlayerStyles {
    /// Assigns colours: a player named after a colour gets it, the others get the remaining ones in order.
    pub(crate) fn new(rules: &Rules) -> Self {
        let named = |player: Player| {
            let name = &rules.player(player).name;
            PLAYER_COLOURS.iter().position(|(word, ..)| name.eq_ignore_ascii_case(word))
        };
        let taken: Vec<usize> = rules.players().filter_map(named).collect();
        let mut free = (0..PLAYER_COLOURS.len()).filter(|index| !taken.contains(index)).cycle();
        let index = |player| named(player).or_else(|| free.next()).unwrap_or_default();
        PlayerStyles(rules.players().map(index).map(|index| style(PLAYER_COLOURS[index])).collect())
    }

    /// Returns the style of a player's pieces.
    pub(crate) fn of(&self, player: Player) -> Style {
        self.0[player.index()]
    }
}

fn style((_, back, letters): (&str, u8, u8)) -> Style {
    background(back).fg_color(Some(Color::Ansi256(Ansi256Color(letters)))).bold()
}
