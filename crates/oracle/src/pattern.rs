//! The squares that a move definition reaches: its step, repeated as the spec says, and the action on each square.
//!
//! A square is a *landing* if this definition allows the piece to move there, ignoring attacks on its leader.

use tabiya_spec::model::{ActionSpec, Coord, HurdleOwner, MoveSpec, Target};
use tabiya_spec::place::At;

use crate::sharing::has_victim;
use crate::{Oracle, Piece, Spot, Square, State};

/// One move definition of one piece in one state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attempt<'a> {
    pub(crate) state: &'a State,
    pub(crate) from: Square,
    /// Whether the piece is the guest there.
    pub(crate) guest: bool,
    pub(crate) piece: &'a Piece,
    pub(crate) definition: &'a MoveSpec,
    /// Whether conditions about attacks are evaluated or assumed to hold. They are assumed while testing whether this
    /// piece attacks; otherwise two kings would recurse endlessly.
    pub(crate) minds_attacks: bool,
}

impl Attempt<'_> {
    /// Returns the spot of the piece.
    pub(crate) fn spot(&self) -> Spot {
        Spot { square: self.from, guest: self.guest }
    }
}

impl Oracle<'_> {
    /// Returns every landing of the definition with its action.
    pub(crate) fn landings<'a>(&self, attempt: &Attempt<'a>) -> Vec<(Square, &'a ActionSpec)> {
        let reached = self.reach(attempt).into_iter();
        let with_action = reached.filter_map(|to| Some((to, self.action_on(attempt, to)?)));
        with_action.filter(|(to, action)| self.make(attempt, *to, action).is_some()).collect()
    }

    /// Returns the squares that the pattern reaches, with or without an action there.
    pub(crate) fn reach(&self, attempt: &Attempt<'_>) -> Vec<Square> {
        if is_stay(attempt.definition) {
            return vec![attempt.from];
        }
        let (least, most) = steps(attempt.definition);
        let repeat = attempt.definition.repeat.as_ref();
        let mut hurdles = repeat.and_then(|repeat| repeat.hurdles.as_ref()).map_or(0, |count| **count);
        let mut beyond = repeat.and_then(|repeat| repeat.beyond.as_ref()).map_or(i32::MAX, |most| **most);
        let mut reached = Vec::new();
        let slide = self.slide(attempt.from, &attempt.piece.player, *attempt.definition.step, most);
        for (count, square) in (1..).zip(slide) {
            if hurdles > 0 {
                match attempt.state.pieces.get(&square) {
                    None => {}
                    Some(piece) if self.is_hurdle(attempt, piece) => hurdles -= 1,
                    Some(_) => break,
                }
                continue;
            }
            if beyond == 0 {
                break;
            }
            beyond -= 1;
            if count >= least {
                reached.push(square);
            }
            if self.slide_ends(attempt, square) {
                break;
            }
        }
        reached
    }

    /// Returns whether the slide can jump over a piece.
    fn is_hurdle(&self, attempt: &Attempt<'_>, piece: &Piece) -> bool {
        let over = attempt.definition.repeat.as_ref().and_then(|repeat| repeat.over.as_ref());
        let Some(over) = over else { return true };
        let owner = over.owner.as_ref().map_or(HurdleOwner::Any, |owner| **owner);
        let found = self.target(Some(piece), &attempt.piece.player);
        let fits_owner = match owner {
            HurdleOwner::Any => true,
            HurdleOwner::Own => found == Target::Ally,
            HurdleOwner::Enemy => found == Target::Enemy,
            HurdleOwner::Partner => found == Target::Team,
            HurdleOwner::Team => found == Target::Ally || found == Target::Team,
        };
        let names = |list: &At<Vec<At<String>>>| list.iter().any(|code| **code == piece.kind);
        fits_owner && over.piece.as_ref().is_none_or(names) && !over.not_piece.as_ref().is_some_and(names)
    }

    /// Returns the action for the occupant of the square, if its conditions and those of the whole move hold.
    pub(crate) fn action_on<'a>(&self, attempt: &Attempt<'a>, to: Square) -> Option<&'a ActionSpec> {
        let found = if is_stay(attempt.definition) { Target::Empty } else { self.found_on(attempt, to) };
        let action = attempt.definition.actions.iter().find(|action| *action.state == found)?;
        let mut conditions = attempt.definition.conditions.iter().chain(action.conditions.iter());
        let possible =
            has_victim(attempt, to, action) && conditions.all(|condition| self.holds(attempt, to, condition));
        possible.then_some(&**action)
    }

    /// Returns whether a slide ends on this square, which may still be a landing.
    fn slide_ends(&self, attempt: &Attempt<'_>, square: Square) -> bool {
        let until = attempt.definition.repeat.as_ref().and_then(|repeat| repeat.until.as_ref());
        let found = self.target(attempt.state.pieces.get(&square), &attempt.piece.player);
        match until.map_or("NOT_EMPTY", |word| word.as_str()) {
            "NOT_EMPTY" => found != Target::Empty,
            "EMPTY" => found == Target::Empty,
            "ALLY" => found == Target::Ally,
            "TEAM" => found == Target::Team,
            "ENEMY" => found == Target::Enemy,
            code => self.lists(code, &attempt.piece.player, square),
        }
    }
}

/// Returns whether the piece stays on its square.
pub(crate) fn is_stay(definition: &MoveSpec) -> bool {
    *definition.step == Coord::default()
}

/// Returns the minimum and maximum number of steps.
fn steps(definition: &MoveSpec) -> (i32, i32) {
    let Some(repeat) = &definition.repeat else { return (1, 1) };
    let endless = repeat.unlimited.as_ref().is_some_and(|endless| **endless);
    let times = repeat.times.as_ref().map_or(1, |times| **times);
    let least = repeat.min.as_ref().map_or(1, |least| **least);
    (least, if endless { i32::MAX } else { times })
}
