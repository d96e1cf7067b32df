//! Where a move definition takes a piece: its step, repeated as the file says, and what it does on each square.
//!
//! A square is a *landing* if the piece may move there as far as this one definition is concerned. Whether one's
//! own leader then stands attacked is not asked here.

use tabiya_spec::model::{ActionSpec, MoveSpec, Target};

use crate::sharing::has_victim;
use crate::{Oracle, Piece, Spot, Square, State};

/// One definition of one piece on one board: what every question about a move begins with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attempt<'a> {
    pub(crate) state: &'a State,
    pub(crate) from: Square,
    /// Whether the piece is the guest there.
    pub(crate) guest: bool,
    pub(crate) piece: &'a Piece,
    pub(crate) definition: &'a MoveSpec,
    /// Whether conditions about attacks are asked, or simply hold. They hold for a piece that is itself asked
    /// whether it attacks: otherwise two kings would ask each other for ever.
    pub(crate) minds_attacks: bool,
}

impl Attempt<'_> {
    /// Where the piece stands.
    pub(crate) fn spot(&self) -> Spot {
        Spot { square: self.from, guest: self.guest }
    }
}

impl Oracle<'_> {
    /// Every landing of the definition, with the action that is taken there.
    pub(crate) fn landings<'a>(&self, attempt: &Attempt<'a>) -> Vec<(Square, &'a ActionSpec)> {
        let reached = self.reach(attempt).into_iter();
        let with_action = reached.filter_map(|to| Some((to, self.action_on(attempt, to)?)));
        with_action.filter(|(to, action)| self.make(attempt, *to, action).is_some()).collect()
    }

    /// The squares that the pattern comes to, whatever may be done there.
    pub(crate) fn reach(&self, attempt: &Attempt<'_>) -> Vec<Square> {
        let (least, most) = steps(attempt.definition);
        let mut reached = Vec::new();
        let mut square = attempt.from;
        for count in 1..=most {
            square = self.offset(square, &attempt.piece.player, *attempt.definition.step);
            if !self.exists(square) {
                break;
            }
            if count >= least {
                reached.push(square);
            }
            if self.slide_ends(attempt, square) {
                break;
            }
        }
        reached
    }

    /// The action for what stands on the square, if its conditions and those of the whole move hold.
    pub(crate) fn action_on<'a>(&self, attempt: &Attempt<'a>, to: Square) -> Option<&'a ActionSpec> {
        let found = self.found_on(attempt, to);
        let action = attempt.definition.actions.iter().find(|action| *action.state == found)?;
        let mut conditions = attempt.definition.conditions.iter().chain(action.conditions.iter());
        let possible =
            has_victim(attempt, to, action) && conditions.all(|condition| self.holds(attempt, to, condition));
        possible.then_some(&**action)
    }

    /// Whether a slide goes no further than this square, which may itself still be a landing.
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

/// After how many steps the first landing comes, and after how many the last.
fn steps(definition: &MoveSpec) -> (i32, i32) {
    let Some(repeat) = &definition.repeat else { return (1, 1) };
    let endless = repeat.repeats_forever.as_ref().is_some_and(|endless| **endless);
    let times = repeat.times.as_ref().map_or(1, |times| **times);
    let least = repeat.min.as_ref().map_or(1, |least| **least);
    (least, if endless { i32::MAX } else { times })
}
