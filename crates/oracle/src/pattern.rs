//! The squares that a move definition reaches: its step, repeated as the spec says, and the action on each square.
//!
//! A square is a *landing* if this definition allows the piece to move there, ignoring attacks on its leader.

use tabiya_spec::model::{ActionSpec, Coord, HurdleOwner, MoveSpec, Occupancy, Target};
use tabiya_spec::place::At;

use crate::sharing::{can_be_captured, has_victim};
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
    /// Returns whether the piece on a square was captured in this turn and leaves the board at its end.
    pub(crate) fn is_taken(&self, square: Square) -> bool {
        self.state.is_taken(square)
    }

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
        if attempt.definition.is_anywhere() {
            return self.squares().into_iter().filter(|square| *square != attempt.from).collect();
        }
        let Some(origin) = self.leg_squares(attempt).map(|legs| legs.last().map_or(attempt.from, |it| it.0))
        else {
            return Vec::new();
        };
        let (least, most) = steps(attempt.definition);
        let repeat = attempt.definition.repeat.as_ref();
        let mut hurdles = repeat.and_then(|repeat| repeat.hurdles.as_ref()).map_or(0, |count| **count);
        let mut beyond = repeat.and_then(|repeat| repeat.beyond.as_ref()).map_or(i32::MAX, |most| **most);
        let mut reached = Vec::new();
        let slide = self.slide(origin, &attempt.piece.player, *attempt.definition.step, most);
        for (count, square) in (1..).zip(slide) {
            if hurdles > 0 {
                match attempt.state.pieces.get(&square) {
                    None => {}
                    Some(piece) if self.is_hurdle(attempt, piece) && !Self::is_spared(attempt, square) => {
                        hurdles -= 1;
                    }
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
            if !is_return(attempt, square) && self.slide_ends(attempt, square) {
                break;
            }
        }
        reached
    }

    /// Returns the squares of the legs with whether the piece there is captured; `None` if one of them cannot be entered.
    fn leg_squares(&self, attempt: &Attempt<'_>) -> Option<Vec<(Square, bool)>> {
        let (player, mut at) = (&attempt.piece.player, attempt.from);
        let mut squares = Vec::new();
        for leg in attempt.definition.legs.iter() {
            at = self.slide(at, player, *leg.step, 1).first().copied()?;
            let wanted = leg.state.as_ref().map_or(Occupancy::Empty, |state| **state);
            let found = attempt.state.pieces.get(&at).filter(|_| at != attempt.from);
            let captures = leg.captures.as_ref().is_some_and(|it| **it);
            let is_safe =
                found.is_some_and(|piece| !can_be_captured(attempt.state, piece)) || attempt.is_taken(at);
            if !self.is(found, player, wanted) || captures && is_safe {
                return None;
            }
            squares.push((at, captures));
        }
        Some(squares)
    }

    /// Returns the squares of the pieces that a move captures on its way to a square.
    pub(crate) fn passed(&self, attempt: &Attempt<'_>, to: Square) -> Vec<Square> {
        let legs = self.leg_squares(attempt).unwrap_or_default();
        let origin = legs.last().map_or(attempt.from, |it| it.0);
        let mut passed: Vec<Square> = legs.into_iter().filter(|it| it.1).map(|it| it.0).collect();
        let repeat = attempt.definition.repeat.as_ref();
        if repeat.is_some_and(|repeat| repeat.captures.as_ref().is_some_and(|it| **it)) {
            let hurdles =
                repeat.and_then(|repeat| repeat.hurdles.as_ref()).map_or(0, |count| **count) as usize;
            let slide = self.slide(origin, &attempt.piece.player, *attempt.definition.step, i32::MAX);
            let on_way = slide.into_iter().take_while(|square| *square != to);
            let pieces = on_way.filter(|square| attempt.state.pieces.contains_key(square));
            passed.extend(pieces.take(hurdles));
        }
        passed
    }

    /// Returns whether a slide that captures its hurdles cannot capture the piece on a square: it is frozen, or captured already.
    fn is_spared(attempt: &Attempt<'_>, square: Square) -> bool {
        let repeat = attempt.definition.repeat.as_ref();
        let captures = repeat.and_then(|repeat| repeat.captures.as_ref()).is_some_and(|it| **it);
        let piece = attempt.state.pieces.get(&square);
        let is_safe = piece.is_some_and(|piece| !can_be_captured(attempt.state, piece));
        captures && (is_safe || attempt.is_taken(square))
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
        let returns = is_stay(attempt.definition) || is_return(attempt, to);
        let found = if returns { Target::Empty } else { self.found_on(attempt, to) };
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
    *definition.step == Coord::default() && !definition.is_anywhere() && definition.legs.is_empty()
}

/// Returns whether a move with legs comes back to its source.
fn is_return(attempt: &Attempt<'_>, to: Square) -> bool {
    to == attempt.from && !is_stay(attempt.definition)
}

/// Returns the minimum and maximum number of steps.
fn steps(definition: &MoveSpec) -> (i32, i32) {
    let Some(repeat) = &definition.repeat else { return (1, 1) };
    let endless = repeat.unlimited.as_ref().is_some_and(|endless| **endless);
    let times = repeat.times.as_ref().map_or(1, |times| **times);
    let least = repeat.min.as_ref().map_or(1, |least| **least);
    (least, if endless { i32::MAX } else { times })
}
