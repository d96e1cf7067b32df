//! Drawings of the moves of a piece as text, for a player who moves up.
//!
//! ```
//! use tabiya_spec::{betza, move_drawing};
//!
//! let pawn = move_drawing::of_word(&betza::parse("fmWfcFifmnD").unwrap());
//! assert_eq!(pawn[2..5], [". . . . i . . . .", ". . . x m x . . .", ". . . . @ . . . ."]);
//! ```

use tabiya_engine::Rules;
use tabiya_engine::blueprint::{ActionPlan, Condition, Effect, MovePlan};

use crate::betza::{Leap, Reach};
use crate::betza_sample;

/// The meaning of the marks.
const LEGEND: &str = "o moves or captures, m only moves, x only captures, i only if unmoved";

/// The meaning of the marks of slides over pieces.
const HOPS: &str =
    "O, M, X, I the same, but only over another piece; * moves or captures, one of them over another piece";

/// The squares that are drawn on each side of the piece.
const RADIUS: i32 = 4;

/// Returns the meaning of the marks of a drawing.
///
/// ```
/// use tabiya_spec::{betza, move_drawing};
///
/// let cannon = move_drawing::of_word(&betza::parse("mRcpR").unwrap());
/// assert_eq!(cannon[4], "* * * m @ m * * *");
/// assert!(move_drawing::legend(&cannon).contains("over another piece"));
/// ```
pub fn legend(drawing: &[String]) -> String {
    let has_hops = drawing.iter().any(|rank| rank.contains(['O', 'M', 'X', 'I', '*']));
    if has_hops { format!("{LEGEND}; {HOPS}") } else { LEGEND.to_owned() }
}

/// A step and what it does.
#[allow(clippy::struct_excessive_bools, reason = "each is one property of a move")]
struct Stroke {
    step: (i32, i32),
    /// The numbers of steps after which the piece can land.
    times: std::ops::RangeInclusive<i32>,
    moves: bool,
    captures: bool,
    initial: bool,
    /// Whether it jumps over other pieces.
    hops: bool,
}

impl Stroke {
    fn reaches(&self, x: i32, y: i32) -> bool {
        let (dx, dy) = self.step;
        self.times.clone().any(|times| (dx.saturating_mul(times), dy.saturating_mul(times)) == (x, y))
    }
}

/// Draws the moves of a word of Betza notation, from the top rank down.
pub fn of_word(leaps: &[Leap]) -> Vec<String> {
    let stroke = |leap: &Leap, step: &(i32, i32)| {
        let most = match leap.reach {
            Reach::Once => 1,
            Reach::Times(times) => times.min(RADIUS.unsigned_abs()) as i32,
            Reach::Unlimited => RADIUS,
        };
        let Leap { moves, captures, initial, hop, .. } = *leap;
        let hops = hop.is_some();
        Stroke { step: *step, times: 1 + i32::from(hops)..=most, moves, captures, initial, hops }
    };
    draw(
        &leaps
            .iter()
            .flat_map(|leap| leap.steps.iter().map(move |step| stroke(leap, step)))
            .collect::<Vec<_>>(),
    )
}

/// Draws the moves of a piece of a game, from the top rank down; `None` if there is no such piece, or it reaches no square that
/// is drawn.
pub fn of_piece(rules: &Rules, code: &str) -> Option<Vec<String>> {
    let kind = rules.kinds().find(|kind| rules.kind(*kind).code == code)?;
    let strokes: Vec<Stroke> = rules.kind(kind).moves.iter().map(stroke).collect();
    let drawn = draw(&strokes);
    drawn.iter().any(|rank| rank.contains(['o', 'm', 'x', 'i', 'O', 'M', 'X', 'I', '*'])).then_some(drawn)
}

fn stroke(plan: &MovePlan) -> Stroke {
    let farthest = RADIUS.unsigned_abs();
    let most = plan.repeat.max.unwrap_or(farthest).min(farthest) as i32;
    let least = plan.repeat.first_landing().min(farthest + 1) as i32;
    Stroke {
        step: (plan.step.dx, plan.step.dy),
        times: least..=most,
        moves: plan.actions.iter().any(|action| !takes(action)),
        captures: plan.actions.iter().any(takes),
        initial: plan.conditions.contains(&Condition::FirstMove),
        hops: plan.repeat.hurdles.is_some(),
    }
}

/// Whether an action takes a piece: the one on the target square or, as en passant, another one.
fn takes(action: &ActionPlan) -> bool {
    action.captures
        || action.effects.iter().any(|effect| matches!(effect, Effect::Capture(_) | Effect::CaptureMarked(_)))
}

/// Draws the squares around the piece.
fn draw(strokes: &[Stroke]) -> Vec<String> {
    let mark = |x: i32, y: i32| {
        if (x, y) == (0, 0) {
            return '@';
        }
        let mark = |hops: Option<bool>| {
            let reaching =
                || strokes.iter().filter(|it| it.reaches(x, y) && hops.is_none_or(|hops| it.hops == hops));
            let (moves, captures) = (reaching().any(|it| it.moves), reaching().any(|it| it.captures));
            let always = reaching().any(|stroke| !stroke.initial);
            match (moves, captures) {
                (false, false) => '.',
                _ if !always => 'i',
                (true, true) => 'o',
                (true, false) => 'm',
                (false, true) => 'x',
            }
        };
        match (mark(Some(false)), mark(None)) {
            ('.', hop) => hop.to_ascii_uppercase(),
            (plain, all) if plain == all => plain,
            _ => '*',
        }
    };
    let rank = |y: i32| (-RADIUS..=RADIUS).map(|x| mark(x, y).to_string()).collect::<Vec<_>>().join(" ");
    (-RADIUS..=RADIUS).rev().map(rank).collect()
}

/// Returns the moves of a word of Betza notation in English, as [`english()`](crate::english()) writes them.
///
/// ```
/// let text = tabiya_spec::move_drawing::describe_word("R");
/// assert!(text.contains("slides any number of squares"));
/// ```
pub fn describe_word(word: &str) -> String {
    // A word with too many moves has a drawing, but no text.
    betza_sample(word).map(|sample| sample.english).unwrap_or_default()
}
