//! Betza notation: the moves of a piece as a word, such as `fmWfcF` for a pawn.
//!
//! An *atom* is a leap in all its directions (`W` `F` `D` `N` `A` `H` `C` `Z` `G`), a slide (`R` `B` `Q`) or `K`. A repeated
//! letter slides (`NN` rides like a knight), a number limits a slide (`R3`). Modifiers stand before the atom: directions
//! (`f` `b` `l` `r` `v` `s` and pairs such as `fr`), `m` for moves without capture, `c` for captures, `i` for a piece that has
//! not moved, `n` for a leap that must not jump, `e` for a capture that may also be en passant, `p` for a slide over one piece,
//! `g` for one that lands directly behind it.
//!
//! Directions mean what they mean in Fairy-Stockfish, so that words can be taken over from there.

use std::ops::Range;

use tabiya_engine::Lattice;

/// Steps along files and ranks.
type Step = (i32, i32);

/// The moves of one atom with its modifiers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is one letter of the notation")]
pub struct Leap {
    /// The part of the word.
    pub span: Range<usize>,
    /// Steps `(dx, dy)` for a player who moves up, clockwise from straight ahead.
    pub steps: Vec<(i32, i32)>,
    /// How often the step may be repeated.
    pub reach: Reach,
    /// Whether it moves to empty squares.
    pub moves: bool,
    /// Whether it captures.
    pub captures: bool,
    /// Whether only an unmoved piece has it.
    pub initial: bool,
    /// Whether pieces on the way block it.
    pub lame: bool,
    /// Whether it captures en passant.
    pub en_passant: bool,
    /// How it jumps over a piece, if it does.
    pub hop: Option<Hop>,
}

/// How a slide jumps over a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hop {
    /// It lands on any square behind the piece.
    Over,
    /// It lands directly behind the piece.
    Behind,
}

/// How far a move goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// One step.
    Once,
    /// Up to a number of steps.
    Times(u32),
    /// Any number of steps.
    Unlimited,
}

/// A word that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BetzaError {
    /// The part of the word.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: &'static str,
}

/// The atoms: letter, leaps, and whether they slide.
const ATOMS: [(char, &[Step], bool); 15] = [
    ('W', &[(1, 0)], false),
    ('F', &[(1, 1)], false),
    ('D', &[(2, 0)], false),
    ('N', &[(2, 1)], false),
    ('A', &[(2, 2)], false),
    ('H', &[(3, 0)], false),
    ('L', &[(3, 1)], false),
    ('C', &[(3, 1)], false),
    ('J', &[(3, 2)], false),
    ('Z', &[(3, 2)], false),
    ('G', &[(3, 3)], false),
    ('K', &[(1, 0), (1, 1)], false),
    ('R', &[(1, 0)], true),
    ('B', &[(1, 1)], true),
    ('Q', &[(1, 0), (1, 1)], true),
];

/// The supported letters and what they mean.
const MEANINGS: [(char, &str); 29] = [
    ('W', "Wazir: one square along a file or rank."),
    ('F', "Ferz: one square diagonally."),
    ('D', "Dabbaba: leaps two squares along a file or rank."),
    ('N', "Knight: leaps two squares one way and one across."),
    ('A', "Alfil: leaps two squares diagonally."),
    ('H', "Leaps three squares along a file or rank."),
    ('C', "Camel: leaps three squares one way and one across; also `L`."),
    ('Z', "Zebra: leaps three squares one way and two across; also `J`."),
    ('G', "Leaps three squares diagonally."),
    ('K', "King: one square in any direction."),
    ('R', "Rook: slides along files and ranks."),
    ('B', "Bishop: slides diagonally."),
    ('Q', "Queen: slides in any direction."),
    ('m', "Only moves to empty squares; stands before the move."),
    ('c', "Only captures; stands before the move."),
    ('i', "Only if the piece has not moved; stands before the move."),
    ('n', "The leap must not jump over a piece; stands before the move."),
    ('e', "Captures, also en passant; stands before `F`."),
    ('p', "Slides over exactly one piece; stands before the move."),
    ('g', "Slides over one piece and lands directly behind it; stands before the move."),
    ('f', "Forwards; stands before the move."),
    ('b', "Backwards; stands before the move."),
    ('l', "To the left; stands before the move."),
    ('r', "To the right; stands before the move."),
    ('v', "Forwards and backwards; stands before the move."),
    ('s', "Sideways; stands before the move."),
    (
        'h',
        "One half of the eight directions of a leap such as `N`, in `fh` and `bh`; stands before the move.",
    ),
    ('2', "Slides at most this number of steps; stands after the move."),
    ('3', "Slides at most this number of steps; stands after the move."),
];

/// Returns the supported letters with their meanings.
pub fn letters() -> impl Iterator<Item = (char, &'static str)> {
    MEANINGS.into_iter()
}

/// The letters of Betza's notation that are not supported, and why.
const UNSUPPORTED: [(char, &str); 6] = [
    ('a', "moves of several legs are not supported"),
    ('o', "moves around the edge of the board are not supported"),
    ('j', "forced jumps are not supported"),
    ('y', "changes of range are not supported"),
    ('u', "unloading is not supported"),
    ('t', "hopping restrictions are not supported"),
];

/// The longest word.
const MAX_WORD: usize = 200;

const LETTERS: &str =
    "atoms are W F D N A H C Z G K R B Q; modifiers are m c i n e p g and the directions f b l r v s h";

/// Reads a word.
///
/// # Errors
///
/// [`BetzaError`] for a letter that is unknown, unsupported or out of place.
///
/// # Examples
///
/// ```
/// use tabiya_spec::betza::{Reach, parse};
///
/// let archbishop = parse("BN").unwrap();
/// assert_eq!(archbishop[0].reach, Reach::Unlimited);
/// assert_eq!(archbishop[1].steps.len(), 8);
/// assert_eq!(parse("fmW").unwrap()[0].steps, [(0, 1)]);
/// assert_eq!(parse("WX").unwrap_err().span, 1..2);
/// ```
pub fn parse(word: &str) -> Result<Vec<Leap>, BetzaError> {
    if word.len() > MAX_WORD {
        let message = format!("A word of Betza notation has at most {MAX_WORD} letters.");
        return Err(BetzaError { span: MAX_WORD..word.len(), message, help: "write several moves" });
    }
    let letters: Vec<char> = word.chars().collect();
    if let Some((at, letter)) = word.char_indices().find(|(_, letter)| !letter.is_ascii()) {
        let message = format!("`{letter}` is not a letter of Betza notation.");
        return Err(BetzaError { span: at..at + letter.len_utf8(), message, help: LETTERS });
    }
    let mut leaps = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        let (modifiers, atom) = Modifiers::read(&letters, at)?;
        let end = modifiers.atom(&letters, atom, at, &mut leaps)?;
        at = end;
    }
    if leaps.is_empty() {
        let message = "The word names no moves.".to_owned();
        return Err(BetzaError { span: 0..word.len(), message, help: LETTERS });
    }
    Ok(leaps)
}

/// The modifiers before an atom.
#[derive(Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is one letter of the notation")]
struct Modifiers {
    moves: bool,
    captures: bool,
    initial: bool,
    lame: bool,
    en_passant: bool,
    hop: Option<Hop>,
    /// Pairs of directions; a single direction is doubled.
    directions: Vec<[char; 2]>,
}

impl Modifiers {
    /// Reads the modifiers from an index on. Returns them and the index of the atom.
    fn read(letters: &[char], start: usize) -> Result<(Modifiers, usize), BetzaError> {
        let mut modifiers = Modifiers::default();
        let mut at = start;
        while let Some(&letter) = letters.get(at) {
            match letter {
                'm' => modifiers.moves = true,
                'c' => modifiers.captures = true,
                'i' => modifiers.initial = true,
                'n' => modifiers.lame = true,
                'e' => modifiers.en_passant = true,
                'p' | 'g' => {
                    let hop = if letter == 'p' { Hop::Over } else { Hop::Behind };
                    if modifiers.hop.is_some_and(|other| other != hop) {
                        let message = "`p` and `g` exclude each other.".to_owned();
                        return Err(BetzaError { span: at..at + 1, message, help: "leave out one of them" });
                    }
                    modifiers.hop = Some(hop);
                }
                _ if is_vertical(letter) || is_horizontal(letter) => {
                    let next = letters.get(at + 1).copied().filter(|next| {
                        *next == letter
                            || is_vertical(letter) && is_horizontal(*next)
                            || is_horizontal(letter) && is_vertical(*next)
                    });
                    modifiers.directions.push([letter, next.unwrap_or(letter)]);
                    at += usize::from(next.is_some());
                }
                _ if letter.is_ascii_uppercase() => return Ok((modifiers, at)),
                _ => return Err(wrong_letter(letter, at)),
            }
            at += 1;
        }
        let message = "There are modifiers without a move after them.".to_owned();
        Err(BetzaError { span: start..at, message, help: LETTERS })
    }

    /// Reads the atom and adds its moves. Returns the index after it.
    fn atom(
        self,
        letters: &[char],
        at: usize,
        start: usize,
        leaps: &mut Vec<Leap>,
    ) -> Result<usize, BetzaError> {
        let letter = letters[at];
        let Some((_, atoms, slides)) = ATOMS.iter().find(|(name, ..)| *name == letter) else {
            return Err(wrong_letter(letter, at));
        };
        let mut reach = if *slides { Reach::Unlimited } else { Reach::Once };
        let mut end = at + 1;
        match letters.get(end) {
            Some(next) if *next == letter => {
                reach = Reach::Unlimited;
                end += 1;
            }
            Some(next) if next.is_ascii_digit() => {
                while letters.get(end).is_some_and(char::is_ascii_digit) {
                    end += 1;
                }
                let digits: String = letters[at + 1..end].iter().collect();
                let times = digits.parse::<u32>().ok().filter(|times| (1..=1024).contains(times));
                let Some(times) = times else {
                    let message = format!("`{digits}` is not a number of steps.");
                    let help = "write 1 to 1024, or leave the number out";
                    return Err(BetzaError { span: at + 1..end, message, help });
                };
                reach = Reach::Times(times);
            }
            _ => {}
        }
        if let Some(hop) = self.hop {
            let is_line = atoms.iter().all(|(long, _)| *long == 1);
            reach = hop_reach(hop, reach, is_line, letter).map_err(|(message, help)| BetzaError {
                span: start..end,
                message,
                help,
            })?;
        }
        if self.lame && (reach != Reach::Once || self.hop.is_some()) {
            let message = "`n` makes a leap lame; a slide never jumps.".to_owned();
            return Err(BetzaError { span: start..end, message, help: "leave out the `n`" });
        }
        if self.en_passant && (letter != 'F' || self.hop.is_some() || self.moves && !self.captures) {
            let message = "`e` captures en passant, which only `F` can do.".to_owned();
            return Err(BetzaError { span: start..end, message, help: "write `fceF`" });
        }
        let steps = self.steps(atoms);
        if steps.is_empty() {
            let message = "The directions leave no move.".to_owned();
            return Err(BetzaError { span: start..end, message, help: LETTERS });
        }
        let neither = !self.moves && !self.captures;
        leaps.push(Leap {
            span: start..end,
            steps,
            reach,
            moves: self.moves || neither && !self.en_passant,
            captures: self.captures || neither,
            initial: self.initial,
            lame: self.lame,
            en_passant: self.en_passant,
            hop: self.hop,
        });
        Ok(end)
    }

    /// Returns the steps in the given directions, clockwise from straight ahead.
    fn steps(&self, atoms: &[Step]) -> Vec<Step> {
        let mut steps = Vec::new();
        for &(long, short) in atoms {
            // For a leap along a line, a pair of directions means both of them.
            let splits = atoms.len() == 1 && short == 0;
            let directions: Vec<[char; 2]> = self
                .directions
                .iter()
                .flat_map(|&[first, second]| {
                    if splits && first != second {
                        vec![[first, first], [second, second]]
                    } else {
                        vec![[first, second]]
                    }
                })
                .collect();
            for (step, names) in images(long, short) {
                let is_named =
                    directions.iter().any(|pair| names.contains(&pair.iter().collect::<String>().as_str()));
                if directions.is_empty() || is_named {
                    steps.push(step);
                }
            }
        }
        steps.sort_by(|a, b| clockwise(*a).total_cmp(&clockwise(*b)));
        steps.dedup();
        steps
    }
}

/// Returns one step for each letter of a part of a word, on hexagons or on levels. There a letter means all images of its leap:
/// there are no directions, and captures en passant need a step.
pub(super) fn roots(leap: &Leap, lattice: Lattice) -> Result<Vec<Step>, (String, &'static str)> {
    let help = "write moves with `step` and `turned`";
    let mut shapes: Vec<Step> =
        leap.steps.iter().map(|(x, y)| (x.abs().min(y.abs()), x.abs().max(y.abs()))).collect();
    shapes.sort_unstable();
    shapes.dedup();
    let images = |(short, long): &Step| if *short == 0 || short == long { 4 } else { 8 };
    if leap.steps.len() != shapes.iter().map(images).sum::<usize>() {
        let message = "Directions such as `f` mean nothing on hexagons and levels.".to_owned();
        return Err((message, help));
    }
    if leap.en_passant {
        return Err(("`e` means nothing on hexagons and levels.".to_owned(), help));
    }
    if lattice == Lattice::Square {
        return Ok(shapes);
    }
    let on_hexagons = |(short, long): Step| match (short, long) {
        (0, long) => Some((0, long)),
        (short, long) if short == long => Some((short, 2 * long)),
        (1, 2) => Some((1, 3)),
        _ => None,
    };
    if leap.lame && shapes.contains(&(1, 2)) {
        return Err(("The way of a knight over hexagons is not defined.".to_owned(), help));
    }
    let steps: Option<Vec<Step>> = shapes.into_iter().map(on_hexagons).collect();
    steps.ok_or_else(|| ("This leap has no counterpart on hexagons.".to_owned(), help))
}

/// Returns how far a slide over a piece goes: without a number any distance, also with the letter of a single step.
fn hop_reach(hop: Hop, reach: Reach, is_line: bool, letter: char) -> Result<Reach, (String, &'static str)> {
    match reach {
        Reach::Once if !is_line => {
            let message = format!("`{letter}` leaps once, so there is no piece to jump over on its way.");
            Err((message, "double the letter for a slide: `pNN`"))
        }
        Reach::Times(_) if hop == Hop::Behind => {
            let message =
                "`g` lands directly behind a piece at any distance, so it has no number.".to_owned();
            Err((message, "leave out the number, or write `p`"))
        }
        Reach::Times(1) => {
            let message = "A single step cannot jump over a piece.".to_owned();
            Err((message, "write 2 or more, or leave out the number"))
        }
        Reach::Times(times) => Ok(Reach::Times(times)),
        Reach::Once | Reach::Unlimited => Ok(Reach::Unlimited),
    }
}

/// The eight images of a leap, each with the pairs of directions that select it: the first letter of a pair names the
/// long side for doubled letters, the short side first otherwise.
fn images(long: i32, short: i32) -> [(Step, [&'static str; 7]); 8] {
    [
        ((short, long), ["ff", "vv", "rf", "rv", "fh", "rh", "hr"]),
        ((-short, -long), ["bb", "vv", "lb", "lv", "bh", "lh", "hr"]),
        ((long, -short), ["rr", "ss", "br", "bs", "bh", "rh", "hr"]),
        ((-long, short), ["ll", "ss", "fl", "fs", "fh", "lh", "hr"]),
        ((long, short), ["rr", "ss", "fr", "fs", "fh", "rh", "hl"]),
        ((-long, -short), ["ll", "ss", "bl", "bs", "bh", "lh", "hl"]),
        ((short, -long), ["bb", "vv", "rb", "rv", "bh", "rh", "hl"]),
        ((-short, long), ["ff", "vv", "lf", "lv", "fh", "lh", "hl"]),
    ]
}

/// Returns the angle from straight ahead, clockwise.
fn clockwise((dx, dy): Step) -> f64 {
    f64::from(dx).atan2(f64::from(dy)).rem_euclid(std::f64::consts::TAU)
}

fn is_vertical(letter: char) -> bool {
    "fbvh".contains(letter)
}

fn is_horizontal(letter: char) -> bool {
    "rlsh".contains(letter)
}

fn wrong_letter(letter: char, at: usize) -> BetzaError {
    let reason = UNSUPPORTED.iter().find(|(name, _)| *name == letter).map(|(_, reason)| *reason);
    let message = match reason {
        Some(reason) => format!("`{letter}`: {reason}."),
        None => format!("`{letter}` is not a letter of Betza notation."),
    };
    BetzaError { span: at..at + 1, message, help: LETTERS }
}

/// Returns the squares that a lame leap passes: along its longer side until the rest is diagonal.
pub(super) fn way((dx, dy): Step) -> Vec<Step> {
    let (mut x, mut y) = (0, 0);
    let mut squares = Vec::new();
    while (x, y) != (dx, dy) {
        let longer = (dx - x).abs() - (dy - y).abs();
        if longer >= 0 {
            x += (dx - x).signum();
        }
        if longer <= 0 {
            y += (dy - y).signum();
        }
        if (x, y) != (dx, dy) {
            squares.push((x, y));
        }
    }
    squares
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(word: &str) -> Vec<Step> {
        parse(word).unwrap().into_iter().flat_map(|leap| leap.steps).collect()
    }

    #[test]
    fn directions_select_steps() {
        assert_eq!(steps("fF"), [(1, 1), (-1, 1)]);
        assert_eq!(steps("fsW"), [(0, 1), (1, 0), (-1, 0)]);
        assert_eq!(steps("fN"), [(1, 2), (-1, 2)]);
        assert_eq!(steps("fhN"), [(1, 2), (2, 1), (-2, 1), (-1, 2)]);
        assert_eq!(steps("frN"), [(2, 1)]);
        assert_eq!(steps("rfN"), [(1, 2)]);
        assert_eq!(steps("WfF"), [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (-1, 1)]);
    }

    #[test]
    fn slides_are_repeated_letters_and_numbers() {
        let reach = |word| parse(word).unwrap()[0].reach;
        assert_eq!(
            [reach("N"), reach("NN"), reach("R"), reach("W4")],
            [Reach::Once, Reach::Unlimited, Reach::Unlimited, Reach::Times(4)]
        );
    }

    #[test]
    fn errors_point_at_the_letter() {
        for (word, span) in
            [("", 0..0), ("aR", 0..1), ("WxF", 1..2), ("fm", 0..2), ("R0", 1..2), ("nR", 0..2), ("Wé", 1..3)]
        {
            assert_eq!(parse(word).unwrap_err().span, span, "{word}");
        }
    }

    #[test]
    fn slides_over_a_piece_have_any_length() {
        let hop = |word: &str| parse(word).map(|leaps| (leaps[0].hop, leaps[0].reach)).ok();
        for word in ["pR", "pW", "pB", "pQ", "pK", "cpR", "fpF", "pNN"] {
            assert_eq!(hop(word), Some((Some(Hop::Over), Reach::Unlimited)), "{word}");
        }
        assert_eq!(hop("gQ"), Some((Some(Hop::Behind), Reach::Unlimited)));
        assert_eq!(hop("pR3"), Some((Some(Hop::Over), Reach::Times(3))));
        for word in ["pgR", "gR2", "pR1", "pN", "gD", "npR", "cepF"] {
            assert_eq!(hop(word), None, "{word}");
        }
    }

    #[test]
    fn a_lame_leap_passes_squares() {
        assert_eq!(way((0, 2)), [(0, 1)]);
        assert_eq!(way((1, 2)), [(0, 1)]);
        assert_eq!(way((-3, 2)), [(-1, 0), (-2, 1)]);
        assert_eq!(way((2, 2)), [(1, 1)]);
    }
}
