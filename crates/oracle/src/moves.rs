//! The list of legal moves: every definition of every piece, every landing, every choice of promotion.

use tabiya_spec::model::{ModifierSpec, MoveSpec};

use crate::finishing::Finished;
use crate::pattern::Attempt;
use crate::{Oracle, Piece, Ply, Spot, Square, State};

impl Oracle<'_> {
    /// Every legal move with the position that it finishes in, before the turn goes on.
    ///
    /// Two definitions that take a piece to the same square, to become the same and to leave the same position,
    /// are one move to everybody who plays; the one that the file lists first stays. If anything differs, a flag
    /// for one, both stay.
    pub(crate) fn finished_moves(&self, state: &State) -> Vec<(Ply, Finished)> {
        let mut kept: Vec<(Ply, Finished)> = Vec::new();
        for (ply, finished) in self.allowed(state, self.possible(state)) {
            let same = |other: &Ply| {
                (other.spot(), other.to, &other.promotion) == (ply.spot(), ply.to, &ply.promotion)
            };
            if !kept.iter().any(|(other, it)| same(other) && it.state == finished.state) {
                kept.push((ply, finished));
            }
        }
        kept
    }

    /// Every move that can be made, whatever becomes of leaders by it.
    fn possible(&self, state: &State) -> Vec<(Ply, Finished)> {
        let player = self.to_move(state);
        if state.ended.is_some() || !Self::is_active(state, player) {
            return Vec::new();
        }
        let own = state.men().filter(|(_, piece)| piece.player == player);
        own.flat_map(|(spot, piece)| {
            let definitions = self.definitions(&piece.kind).iter();
            definitions.flat_map(move |definition| self.moves_of(state, spot, piece, definition))
        })
        .collect()
    }

    fn moves_of(
        &self,
        state: &State,
        Spot { square: from, guest }: Spot,
        piece: &Piece,
        definition: &MoveSpec,
    ) -> Vec<(Ply, Finished)> {
        let attempt = Attempt { state, from, guest, piece, definition, minds_attacks: true };
        let mut moves = Vec::new();
        for (to, action) in self.landings(&attempt) {
            let Some(made) = self.make(&attempt, to, action) else { continue };
            let modifier = self.modifier(&attempt, to);
            for promotion in promotions(modifier) {
                let finished = self.finished(&attempt, made.clone(), promotion.as_deref(), modifier);
                moves.push((Ply { from, to, id: *definition.id, guest, promotion }, finished));
            }
        }
        moves
    }

    /// The first modifier whose conditions hold on the board before the move.
    fn modifier<'a>(&self, attempt: &Attempt<'a>, to: Square) -> Option<&'a ModifierSpec> {
        let mut modifiers = attempt.definition.modifiers.iter().map(|modifier| &**modifier);
        modifiers.find(|modifier| modifier.conditions.iter().all(|it| self.holds(attempt, to, it)))
    }
}

/// What a piece may become. Without a modifier, it stays what it is.
fn promotions(modifier: Option<&ModifierSpec>) -> Vec<Option<String>> {
    match modifier {
        Some(modifier) => modifier.options.iter().map(|kind| Some(kind.to_string())).collect(),
        None => vec![None],
    }
}
