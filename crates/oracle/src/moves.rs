//! The list of legal moves: every definition of every piece, every landing, every choice of promotion.

use tabiya_spec::model::MoveSpec;

use crate::pattern::Attempt;
use crate::{Oracle, Piece, Ply, Square, State};

impl Oracle<'_> {
    /// Every legal move with the position that it finishes in, before the turn goes on.
    ///
    /// Two definitions that take a piece to the same square, to become the same and to leave the same position,
    /// are one move to everybody who plays; the one that the file lists first stays. If anything differs, a flag
    /// for one, both stay.
    pub(crate) fn finished_moves(&self, state: &State) -> Vec<(Ply, State)> {
        let mut kept: Vec<(Ply, State)> = Vec::new();
        for (ply, after) in self.unmerged(state) {
            let same =
                |other: &Ply| (other.from, other.to, &other.promotion) == (ply.from, ply.to, &ply.promotion);
            if !kept.iter().any(|(other, position)| same(other) && *position == after) {
                kept.push((ply, after));
            }
        }
        kept
    }

    fn unmerged(&self, state: &State) -> Vec<(Ply, State)> {
        if state.ended.is_some() {
            return Vec::new();
        }
        let player = self.to_move(state);
        let own = state.pieces.iter().filter(|(_, piece)| piece.player == player);
        own.flat_map(|(from, piece)| {
            let definitions = self.definitions(&piece.kind).iter();
            definitions.flat_map(|definition| self.moves_of(state, *from, piece, definition))
        })
        .collect()
    }

    fn moves_of(
        &self,
        state: &State,
        from: Square,
        piece: &Piece,
        definition: &MoveSpec,
    ) -> Vec<(Ply, State)> {
        let attempt = Attempt { state, from, piece, definition, minds_attacks: true };
        let mut moves = Vec::new();
        for (to, action) in self.landings(&attempt) {
            let Some(made) = self.make(&attempt, to, action) else { continue };
            for promotion in self.promotions(&attempt, to) {
                if let Some(after) = self.finished(state, made.clone(), promotion.as_deref()) {
                    moves.push((Ply { from, to, id: *definition.id, promotion }, after));
                }
            }
        }
        moves
    }

    /// What the piece may become: the options of the first modifier whose conditions hold on the board before the
    /// move. If there is none, it stays what it is.
    fn promotions(&self, attempt: &Attempt<'_>, to: Square) -> Vec<Option<String>> {
        let mut modifiers = attempt.definition.modifiers.iter();
        let fires =
            modifiers.find(|modifier| modifier.conditions.iter().all(|it| self.holds(attempt, to, it)));
        match fires {
            Some(modifier) => modifier.options.iter().map(|kind| Some(kind.to_string())).collect(),
            None => vec![None],
        }
    }
}
