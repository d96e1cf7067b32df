//! The list of legal moves: definitions of pieces, landings, and choices of promotion.

use tabiya_spec::model::{ActionKind, ModifierSpec, MoveSpec};

use crate::after_move::FinishedMove;
use crate::pattern::{Attempt, is_stay};
use crate::results::Events;
use crate::{Oracle, Piece, Ply, Spot, Square, State};

impl Oracle<'_> {
    /// Returns every legal move with the state after it, before the turn passes on.
    ///
    /// Two definitions with the same piece, target, promotion and resulting state are one move; the first definition in
    /// the spec is kept. If anything differs, such as a flag, both are kept.
    pub(crate) fn finished_moves(&self, state: &State) -> Vec<(Ply, FinishedMove)> {
        if self.has_parts() {
            return self.whole_turns(state);
        }
        let mut kept: Vec<(Ply, FinishedMove)> = Vec::new();
        let allowed = self.allowed(state, self.possible(state));
        for (ply, finished) in self.first_class(state, allowed) {
            let same = |other: &Ply| {
                (other.spot(), other.to, &other.promotion, &other.drop)
                    == (ply.spot(), ply.to, &ply.promotion, &ply.drop)
            };
            // Of two entries that allow the same drop, the first counts.
            let is_drop = ply.drop.is_some();
            if !kept.iter().any(|(other, it)| same(other) && (is_drop || it.state == finished.state)) {
                kept.push((ply, finished));
            }
        }
        kept
    }

    /// Returns every possible move, ignoring the safety of leaders.
    pub(crate) fn possible(&self, state: &State) -> Vec<(Ply, FinishedMove)> {
        let player = self.to_move(state);
        if state.ended.is_some() || !Self::is_active(state, player) {
            return Vec::new();
        }
        let own = state.all_pieces().filter(|(_, piece)| piece.player == player);
        own.flat_map(|(spot, piece)| {
            let definitions = self.definitions(&piece.kind).iter();
            let castles = self.castles(&piece.kind).iter();
            definitions
                .flat_map(move |definition| self.moves_of(state, spot, piece, definition))
                .chain(castles.filter_map(move |castle| self.castling(state, spot, piece, castle)))
        })
        .chain(self.possible_drops(state))
        .filter(|made| self.meets_all(state, made, &self.spec.restrictions))
        .collect()
    }

    pub(crate) fn moves_of(
        &self,
        state: &State,
        Spot { square: from, guest }: Spot,
        piece: &Piece,
        definition: &MoveSpec,
    ) -> Vec<(Ply, FinishedMove)> {
        let attempt = Attempt { state, from, guest, piece, definition, minds_attacks: true };
        let mut moves = Vec::new();
        for (to, action) in self.landings(&attempt) {
            let Some(made) = self.make(&attempt, to, action) else { continue };
            let modifier = self.modifier(&attempt, to);
            for promotion in promotions(modifier) {
                // One of two pieces on a square is not promoted there.
                if is_stay(definition) && promotion.is_some() && state.guests.contains_key(&from) {
                    continue;
                }
                let stayed = is_stay(definition);
                let shot = *action.action == ActionKind::Shoot;
                let events = Events { moved: Some(piece.kind.clone()), stayed, shot, ..Events::default() };
                let what = (state, piece, attempt.spot(), to);
                let finished = self.finished(what, made.clone(), (promotion.as_deref(), modifier), events);
                if self.meets_own_results(&attempt, to, action, &finished) {
                    let ply = Ply { from, to, id: *definition.id, guest, promotion, ..Ply::default() };
                    moves.push((ply, finished));
                }
            }
        }
        moves
    }

    /// Returns the first modifier whose conditions hold before the move.
    fn modifier<'a>(&self, attempt: &Attempt<'a>, to: Square) -> Option<&'a ModifierSpec> {
        let mut modifiers = attempt.definition.modifiers.iter().map(|modifier| &**modifier);
        modifiers.find(|modifier| modifier.conditions.iter().all(|it| self.holds(attempt, to, it)))
    }
}

/// Returns the choices of promotion; without a modifier only none.
fn promotions(modifier: Option<&ModifierSpec>) -> Vec<Option<String>> {
    match modifier {
        Some(modifier) => modifier.options.iter().map(|kind| Some(kind.to_string())).collect(),
        None => vec![None],
    }
}
