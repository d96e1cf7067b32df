//! Colours of the board. A piece is a chip in the colour of its owner, so that it can be read on light and dark squares
//! alike; colours never say anything that the letters do not say as well.

use anstyle::{Ansi256Color, Color, Style};
use tabiya_engine::{Player, Rules};

/// A colour by its number in the table of 256, and the letters that can be read on it.
const CHIPS: [(&str, u8, u8); 10] = [
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
pub(crate) const LIGHT: Style = on(180);
/// A dark square.
pub(crate) const DARK: Style = on(137);
/// A square of the last move.
pub(crate) const RECENT: Style = on(143);
/// The piece that was asked about, and where it can go.
pub(crate) const MARKED: Style = on(71);
/// A piece of a player who is out.
pub(crate) const OUT: Style = on(245).fg_color(Some(Color::Ansi256(Ansi256Color(238))));
/// Words beside the board.
pub(crate) const FAINT: Style = Style::new().dimmed();
/// Words that matter.
pub(crate) const STRONG: Style = Style::new().bold();

const fn on(colour: u8) -> Style {
    // Letters on a square are marks; they are dark on every square.
    Style::new()
        .bg_color(Some(Color::Ansi256(Ansi256Color(colour))))
        .fg_color(Some(Color::Ansi256(Ansi256Color(16))))
}

/// The chips of the players of one game.
#[derive(Debug)]
pub(crate) struct Palette(Vec<Style>);

impl Palette {
    /// A player who is named after a colour has it; the others take what is left.
    pub(crate) fn new(rules: &Rules) -> Self {
        let named = |player: Player| {
            let name = &rules.player(player).name;
            CHIPS.iter().position(|(word, ..)| name.eq_ignore_ascii_case(word))
        };
        let taken: Vec<usize> = rules.players().filter_map(named).collect();
        let mut free = (0..CHIPS.len()).filter(|chip| !taken.contains(chip)).cycle();
        let chip = |player| named(player).or_else(|| free.next()).unwrap_or_default();
        Palette(rules.players().map(chip).map(|chip| style(CHIPS[chip])).collect())
    }

    /// The chip of a player.
    pub(crate) fn chip(&self, player: Player) -> Style {
        self.0[player.index()]
    }
}

fn style((_, back, letters): (&str, u8, u8)) -> Style {
    on(back).fg_color(Some(Color::Ansi256(Ansi256Color(letters)))).bold()
}
