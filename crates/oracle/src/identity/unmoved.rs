//! Which pieces must be remembered as unmoved.
//!
//! A rule can ask whether a piece is unmoved in two ways: about the moving piece (`FIRST_MOVE`), or about another piece at
//! an offset (a [`Probe`]). The memory counts if such a rule may still be applied.
//!
//! Castling shows how this is decided. Its definition requires the king to be unmoved and, at an offset, an unmoved rook.
//! An unmoved piece has not left its square, so the offset always means the same square, and an unmoved piece can only
//! appear there by promotion. If the rook has moved or is gone, that castling is impossible and the king's memory is
//! useless (unless another rule needs it); the same holds for the rook if the king has moved. This reasoning applies to
//! *rooted* definitions: those with `FIRST_MOVE` among the conditions of the whole move.
//!
//! A definition that is not rooted may be used from any square, and an offset from the landing may mean any square. Then
//! every unmoved piece of the requested kind counts. The same goes for the moves of kinds that a promotion, replacement, reaction,
//! trigger or drop can bring, because they may appear anywhere. Where figures change owners, the direction of a piece may change,
//! so no definition is rooted.
//!
//! Guests may ask, and rules may ask about them once they stand alone; a frozen army may thaw. Both count.

use tabiya_spec::model::{CastleSpec, Condition, Effect, MoveSpec, TriggerEffect};

use super::conditions;
use super::probe::Probe;
use crate::castling;
use crate::{Oracle, Piece, Square, State};

impl Oracle<'_> {
    /// Returns whether some rule can still ask if the piece on this square is unmoved.
    pub(super) fn unmoved_counts(&self, state: &State, square: Square) -> bool {
        let Some(piece) = state.pieces.get(&square) else { return false };
        self.asks_itself(state, square, piece)
            || state
                .all_pieces()
                .any(|(from, asker)| self.asks_about(state, from.square, asker, square, piece))
            || self.newcomer_may_ask(piece)
            || self.may_castle(state, square, piece)
    }

    /// Returns whether the piece may still castle or be a partner.
    fn may_castle(&self, state: &State, square: Square, piece: &Piece) -> bool {
        let kinds =
            self.spec.pieces.iter().flat_map(|kind| kind.castling.iter().map(move |it| (&kind.code, it)));
        let living = state.pieces.iter().filter(|(_, asker)| Self::is_living(state, &asker.player));
        let living: Vec<(&Square, &Piece)> = living.collect();
        kinds.into_iter().any(|(kind, castle)| {
            let is_partner_kind = castle.with.iter().any(|it| **it == piece.kind);
            if !self.spec.figures.is_empty() {
                return is_partner_kind || **kind == piece.kind;
            }
            if is_partner_kind && self.may_be_created(kind) && Self::is_living(state, &piece.player) {
                return true;
            }
            living.iter().any(|(from, asker)| {
                let squares = self.partner_squares(**from, &asker.player, castle);
                let Some(squares) = squares.filter(|_| asker.kind == **kind && !asker.moved) else {
                    return false;
                };
                let is_partner = |at: &Square| {
                    state.pieces.get(at).is_some_and(|found| castling::fits(castle, asker, found))
                };
                let may_come = |at: &Square| self.may_come(*at, &asker.player, castle);
                let has_partner = squares.iter().any(|at| is_partner(at) || may_come(at));
                has_partner && (**from == square || squares.contains(&square) && is_partner(&square))
            })
        })
    }

    /// Returns whether a promotion or change could create a partner on the square.
    fn may_come(&self, square: Square, player: &str, castle: &CastleSpec) -> bool {
        let fits = |kind: &str| castle.with.iter().any(|it| **it == kind);
        let mut definitions = self.spec.pieces.iter().flat_map(|kind| kind.moves.iter());
        let promotes = definitions.any(|definition| {
            definition.modifiers.iter().any(|modifier| {
                modifier.options.iter().any(|kind| fits(kind))
                    && (has_move_effect(definition)
                        || modifier.conditions.iter().all(|it| self.allows(it, player, square)))
            })
        });
        promotes || self.brought_in_place().any(fits)
    }

    /// Returns whether promotions or changes can create pieces of a kind.
    fn may_be_created(&self, kind: &str) -> bool {
        let all = self.spec.pieces.iter().flat_map(|kind| kind.moves.iter());
        let mut options =
            all.flat_map(|definition| definition.modifiers.iter()).flat_map(|it| it.options.iter());
        options.any(|option| **option == kind) || self.brought_in_place().any(|it| it == kind)
    }

    /// Returns whether the piece has a move that requires it to be unmoved.
    fn asks_itself(&self, state: &State, square: Square, piece: &Piece) -> bool {
        self.usable(state, square, piece).any(|definition| conditions(definition).any(is_first_move))
    }

    /// Returns whether a move of the asker depends on the piece on the square.
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

    /// Returns whether a move of a piece that does not exist yet could depend on this one.
    fn newcomer_may_ask(&self, piece: &Piece) -> bool {
        let all = self.spec.pieces.iter().flat_map(|kind| kind.moves.iter());
        let options = all.flat_map(|definition| definition.modifiers.iter()).flat_map(|it| it.options.iter());
        let moved = self.kinds_in_hand().chain(self.placed_kinds());
        let kinds = options.map(|kind| kind.as_str()).chain(self.brought_in_place()).chain(moved);
        let mut brought = kinds.flat_map(|kind| self.definitions(kind).iter());
        brought.any(|definition| {
            conditions(definition).filter_map(Probe::of).any(|it| it.fits_kind(&piece.kind))
        })
    }

    /// Returns the kinds that drops can create as unmoved pieces.
    fn dropped_unmoved(&self) -> impl Iterator<Item = &str> {
        let drops = self.spec.drops().filter(|drop| drop.unmoved.as_ref().is_some_and(|unmoved| **unmoved));
        drops.flat_map(|drop| {
            let options = drop.modifiers.iter().flat_map(|modifier| modifier.options.iter());
            drop.piece.iter().chain(options).map(|code| code.as_str())
        })
    }

    /// Returns the kinds that can come from hands: any, if there are hands.
    fn kinds_in_hand(&self) -> impl Iterator<Item = &str> {
        let kinds = self.spec.pieces.iter().filter(|_| self.spec.hands.is_some());
        kinds.map(|kind| kind.code.as_str())
    }

    /// Returns what triggers do.
    fn effects(&self) -> impl Iterator<Item = &TriggerEffect> {
        self.spec.triggers.iter().flat_map(|trigger| trigger.effects.iter()).map(|effect| &**effect)
    }

    /// Returns the kinds that triggers put on the board. They count as moved.
    fn placed_kinds(&self) -> impl Iterator<Item = &str> {
        self.effects().filter_map(|effect| match effect {
            TriggerEffect::Place { piece, .. } => Some(piece.as_str()),
            _ => None,
        })
    }

    /// Returns the kinds that replacements, reactions, triggers and drops can create as unmoved pieces.
    fn brought_in_place(&self) -> impl Iterator<Item = &str> {
        let all = self.spec.pieces.iter().flat_map(|kind| kind.moves.iter());
        let modifiers = all.flat_map(|definition| definition.modifiers.iter());
        let replaced = modifiers.filter_map(|it| it.replaces.as_ref()).flat_map(|it| it.values());
        let reactions = self.spec.reactions.iter().map(|reaction| &reaction.to);
        let transformed = self.effects().filter_map(|effect| match effect {
            TriggerEffect::Transform { to, .. } => Some(to),
            _ => None,
        });
        let replaced = replaced.chain(reactions).chain(transformed).map(|kind| kind.as_str());
        replaced.chain(self.dropped_unmoved())
    }

    /// Returns whether the definition is usable only while the piece is unmoved, so that its offsets are fixed squares.
    fn is_rooted(&self, definition: &MoveSpec) -> bool {
        self.spec.figures.is_empty() && definition.conditions.iter().any(|condition| is_first_move(condition))
    }

    /// Returns the moves that the piece may still make, now or later.
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

    /// Returns whether a rooted move may still be made: the piece is unmoved, and so is every piece that it requires, unless
    /// a new one may appear there.
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

    /// Returns whether a promotion or change could create a piece on the square that fits the probe of this player.
    fn may_appear(&self, square: Square, asker: &str, probe: &Probe<'_>) -> bool {
        let mut players = self.spec.players.iter();
        self.exists(square)
            && players.any(|player| {
                let fits = |kind: &str| probe.fits(self, &Piece::new(kind, &player.name), asker);
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

    /// Returns whether the condition of a promotion may hold on the square. Only a list of squares can exclude it.
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

/// Returns whether a side effect could relocate the piece, so that it is promoted on a square other than its landing.
fn has_move_effect(definition: &MoveSpec) -> bool {
    let of_actions = definition.actions.iter().flat_map(|action| action.side_effects.iter());
    let mut effects = definition.side_effects.iter().chain(of_actions);
    effects.any(|effect| matches!(**effect, Effect::Move { .. }))
}
