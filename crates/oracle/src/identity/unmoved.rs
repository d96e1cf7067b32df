//! Which pieces must be remembered as unmoved.
//!
//! A rule can ask whether a piece is unmoved in two ways: the moving piece about itself (`FIRST_MOVE`), or about
//! another piece at an offset (a [`Probe`]). The memory counts if such a rule can still come to ask.
//!
//! Castling shows what that takes. Its definition wants the king unmoved and, at an offset, an unmoved rook. An
//! unmoved piece has not left its square, so the offset means one square for good; and an unmoved piece never
//! comes to a square, except fresh, by promotion. So if the rook has moved or is gone, that castling is gone, and
//! the king's memory with it (unless another rule wants it); and if the king has moved, so is the rook's. This is
//! the reasoning for a definition that is *rooted*: that has `FIRST_MOVE` among the conditions of the whole move.
//!
//! A definition that is not rooted may be used from anywhere, and an offset from the landing may mean any square.
//! Then every unmoved piece counts whose kind is the one asked for. The same goes for the kinds that a promotion, a
//! replacement or a reaction can bring: they may enter anywhere, unmoved. And where figures make pieces change hands,
//! nobody knows which way a piece will look, so no definition is rooted for good.
//!
//! A guest may ask, and may be asked once it is left alone; a frozen army may thaw. Both count.

use tabiya_spec::model::{Condition, Effect, MoveSpec};

use super::conditions;
use super::probe::Probe;
use crate::{Oracle, Piece, Square, State};

impl Oracle<'_> {
    /// Whether some rule can still ask if the piece on this square is unmoved.
    pub(super) fn unmoved_counts(&self, state: &State, square: Square) -> bool {
        let Some(piece) = state.pieces.get(&square) else { return false };
        self.asks_itself(state, square, piece)
            || state.men().any(|(from, asker)| self.asks_about(state, from.square, asker, square, piece))
            || self.newcomer_may_ask(piece)
    }

    /// Whether the piece has a move that needs it unmoved.
    fn asks_itself(&self, state: &State, square: Square, piece: &Piece) -> bool {
        self.usable(state, square, piece).any(|definition| conditions(definition).any(is_first_move))
    }

    /// Whether a move of the asker looks at the piece on the square.
    fn asks_about(&self, state: &State, from: Square, asker: &Piece, square: Square, piece: &Piece) -> bool {
        self.usable(state, from, asker).any(|definition| {
            conditions(definition).filter_map(Probe::of).any(|probe| {
                if self.is_rooted(definition) && probe.from_source {
                    self.offset(from, &asker.player, probe.offset) == square
                        && probe.fits(self, piece, &asker.player)
                } else {
                    probe.fits_kind(&piece.kind)
                }
            })
        })
    }

    /// Whether a piece that is not there yet could look at this one.
    fn newcomer_may_ask(&self, piece: &Piece) -> bool {
        let all = self.spec.pieces.iter().flat_map(|kind| kind.moves.iter());
        let options = all.flat_map(|definition| definition.modifiers.iter()).flat_map(|it| it.options.iter());
        let kinds = options.map(|kind| kind.as_str()).chain(self.brought_in_place());
        let mut brought = kinds.flat_map(|kind| self.definitions(kind).iter());
        brought.any(|definition| {
            conditions(definition).filter_map(Probe::of).any(|it| it.fits_kind(&piece.kind))
        })
    }

    /// The kinds that replacements and reactions put where other pieces stand.
    fn brought_in_place(&self) -> impl Iterator<Item = &str> {
        let all = self.spec.pieces.iter().flat_map(|kind| kind.moves.iter());
        let modifiers = all.flat_map(|definition| definition.modifiers.iter());
        let replaced = modifiers.filter_map(|it| it.replaces.as_ref()).flat_map(|it| it.values());
        let reactions = self.spec.reactions.iter().map(|reaction| &reaction.to);
        replaced.chain(reactions).map(|kind| kind.as_str())
    }

    /// Whether the definition is of use only while the piece has not moved, so that it looks at the same squares for
    /// good.
    fn is_rooted(&self, definition: &MoveSpec) -> bool {
        self.spec.figures.is_empty() && definition.conditions.iter().any(|condition| is_first_move(condition))
    }

    /// The moves of the piece that may still be made, now or later.
    fn usable<'a>(
        &'a self,
        state: &'a State,
        from: Square,
        piece: &'a Piece,
    ) -> impl Iterator<Item = &'a MoveSpec> {
        let definitions = self.definitions(&piece.kind).iter().map(|definition| &**definition);
        definitions.filter(move |definition| {
            Self::is_living(state, &piece.player)
                && (!self.is_rooted(definition) || self.may_fire(state, from, piece, definition))
        })
    }

    /// Whether a rooted move may still be made: the piece is unmoved, and so is every piece that it needs unmoved,
    /// unless a fresh one may yet appear there.
    fn may_fire(&self, state: &State, from: Square, piece: &Piece, definition: &MoveSpec) -> bool {
        let probes = definition.conditions.iter().filter_map(|condition| Probe::of(condition));
        let mut needed = probes.filter(|probe| probe.needs_unmoved && probe.from_source);
        !piece.moved
            && needed.all(|probe| {
                let square = self.offset(from, &piece.player, probe.offset);
                let fits = |found: &Piece| !found.moved && probe.fits(self, found, &piece.player);
                state.both(square).any(fits) || self.may_appear(square, &piece.player, &probe)
            })
    }

    /// Whether a change could put a piece on the square that the probe of this player would fit.
    fn may_appear(&self, square: Square, asker: &str, probe: &Probe<'_>) -> bool {
        let mut players = self.spec.players.iter();
        self.exists(square)
            && players.any(|player| {
                let fits = |kind: &str| probe.fits(self, &Piece::fresh(kind, &player.name), asker);
                let mut definitions = self.spec.pieces.iter().flat_map(|kind| kind.moves.iter());
                let promotes = definitions.any(|definition| {
                    definition.modifiers.iter().any(|modifier| {
                        modifier.options.iter().any(|kind| fits(kind))
                            && (has_move_effect(definition)
                                || modifier.conditions.iter().all(|it| self.allows(it, &player.name, square)))
                    })
                });
                promotes || self.brought_in_place().any(fits)
            })
    }

    /// Whether the condition of a promotion leaves it possible on the square: only a list of squares can exclude it.
    fn allows(&self, condition: &Condition, player: &str, square: Square) -> bool {
        match condition {
            Condition::Code(code) => self.lists(code, player, square),
            _ => true,
        }
    }
}

fn is_first_move(condition: &Condition) -> bool {
    matches!(condition, Condition::FirstMove {})
}

/// Whether a side effect could carry the piece away from its landing, so that it is promoted on another square
/// than its conditions speak of.
fn has_move_effect(definition: &MoveSpec) -> bool {
    let of_actions = definition.actions.iter().flat_map(|action| action.side_effects.iter());
    let mut effects = definition.side_effects.iter().chain(of_actions);
    effects.any(|effect| matches!(**effect, Effect::Move { .. }))
}
