//! Triggers: what follows from a move for counters, pieces, hands and the turn.

use tabiya_spec::model::{Along, Anchor, Area, Event, Owner, Selection, TriggerEffect, TriggerSpec};

use crate::after_move::{FinishedMove, Following};
use crate::area::Part;
use crate::make_move::MadeMove;
use crate::pattern::Attempt;
use crate::{Oracle, Piece, Spot, Square, State};

/// The pieces that effects of triggers removed.
#[derive(Default)]
pub(crate) struct Losses {
    /// The leaders with which players have lost.
    pub(crate) lost: Vec<Piece>,
    /// The captured pieces.
    pub(crate) captured: Vec<Piece>,
}

impl Oracle<'_> {
    /// Applies the triggers of a move, in order.
    pub(crate) fn fire_triggers(
        &self,
        attempt: &Attempt<'_>,
        finished: &mut FinishedMove,
        mover: &mut Option<Spot>,
        to: Square,
    ) -> Losses {
        let mut losses = Losses::default();
        for trigger in self.spec.triggers.iter() {
            let times = self.times(trigger, finished, attempt);
            if times == 0 || !trigger.when.iter().all(|it| self.is_met_now(attempt, to, finished, it)) {
                continue;
            }
            for _ in 0..times {
                for effect in trigger.effects.iter() {
                    self.apply_effect(attempt, finished, (mover, to), effect, &mut losses);
                }
            }
        }
        losses
    }

    fn times(&self, trigger: &TriggerSpec, finished: &FinishedMove, attempt: &Attempt<'_>) -> usize {
        let fits = |kind: &String| {
            trigger.piece.as_ref().is_none_or(|kinds| kinds.iter().any(|wanted| **wanted == *kind))
        };
        match *trigger.on {
            Event::Captured => finished.events.captured.iter().filter(|kind| fits(kind)).count(),
            // Inside an attack, no move gives check.
            Event::Check if !attempt.minds_attacks => 0,
            event => usize::from(self.has_event(event, &fits, finished, &attempt.piece.player)),
        }
    }

    fn apply_effect(
        &self,
        attempt: &Attempt<'_>,
        finished: &mut FinishedMove,
        (mover, to): (&mut Option<Spot>, Square),
        effect: &TriggerEffect,
        losses: &mut Losses,
    ) {
        let own = &attempt.piece.player;
        match effect {
            TriggerEffect::Add { .. } | TriggerEffect::Set { .. } | TriggerEffect::Count { .. } => {
                self.change_counter(&mut finished.state, own, effect);
            }
            TriggerEffect::Place { piece, owner, region, area, anchor } => {
                let owner = owner.as_ref().map_or(Owner::Own, |owner| **owner);
                let Some(owner) = self.receiver(&finished.state, own, owner) else { return };
                let part = Part {
                    area: area.as_ref().map_or(Area::Square, |area| **area),
                    anchor: anchor.as_ref().map_or(Anchor::Target, |anchor| **anchor),
                    along: Along::Any,
                    run: None,
                    mover: own,
                    source: attempt.from,
                    target: to,
                };
                for square in self.squares() {
                    let is_inside = self.has(&finished.state, &[], part, square)
                        && region.as_ref().is_none_or(|code| self.lists(code, &owner, square));
                    if is_inside && !finished.state.pieces.contains_key(&square) {
                        let new = Piece { moved: true, ..self.new_piece(piece, &owner, square) };
                        finished.state.pieces.insert(square, new);
                    }
                }
            }
            TriggerEffect::Give { piece, owner, by } => {
                let owner = owner.as_ref().map_or(Owner::Own, |owner| **owner);
                let Some(owner) = self.receiver(&finished.state, own, owner) else { return };
                let count = finished.state.hands.entry((owner, piece.to_string())).or_insert(0);
                *count = (*count + by.as_ref().map_or(1, |by| **by as u32)).min(255);
            }
            TriggerEffect::ExtraTurn {} => finished.following = Following::Same,
            TriggerEffect::EndTurn {} => finished.following = Following::Another,
            _ => self.change_pieces(attempt, finished, (mover, to), effect, losses),
        }
    }

    fn change_pieces(
        &self,
        attempt: &Attempt<'_>,
        finished: &mut FinishedMove,
        (mover, to): (&mut Option<Spot>, Square),
        effect: &TriggerEffect,
        losses: &mut Losses,
    ) {
        let own = &attempt.piece.player;
        let Some(selection) = effect.selection() else { return };
        let spots = self.selected(attempt, &finished.state, to, selection);
        // Of several pieces, none moves.
        if matches!(effect, TriggerEffect::Move { .. }) && spots.len() != 1 {
            return;
        }
        for spot in spots {
            let state = &mut finished.state;
            let Some(piece) = state.at(spot).cloned() else { continue };
            match effect {
                TriggerEffect::Remove { .. } => {
                    state.lift(spot);
                    *mover = mover.filter(|mover| *mover != spot);
                    if self.is_lost_with(state, &piece) {
                        losses.lost.push(piece);
                    }
                }
                TriggerEffect::Capture { .. } if !spot.guest => {
                    let (captured, dropped) = (Vec::new(), Vec::new());
                    let mut made = MadeMove { state: state.clone(), mover: *mover, captured, dropped };
                    made.capture(spot.square);
                    self.give(&mut made, 0, own);
                    finished.events.captured.extend(made.captured.iter().map(|piece| piece.kind.clone()));
                    let lost = made.captured.iter().filter(|it| self.is_lost_with(&made.state, it)).cloned();
                    losses.lost.extend(lost);
                    losses.captured.append(&mut made.captured);
                    (*state, *mover) = (made.state, made.mover);
                }
                TriggerEffect::Transform { to, .. } => {
                    let new = self.new_piece(to, &piece.player, spot.square);
                    state.at_mut(spot).into_iter().for_each(|it| *it = new.clone());
                }
                TriggerEffect::SetOwner { to, .. } => {
                    let Some(owner) = self.receiver(state, own, **to) else { continue };
                    if let Some(it) = state.at_mut(spot) {
                        (it.player, it.moved) = (owner, true);
                    }
                }
                TriggerEffect::Move { to: anchor, .. } if !spot.guest => {
                    let square = if **anchor == Anchor::Source { attempt.from } else { to };
                    if !state.pieces.contains_key(&square) {
                        state.lift(spot);
                        state.pieces.insert(square, Piece { moved: true, ..piece });
                        if *mover == Some(spot) {
                            *mover = Some(Spot { square, guest: false });
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Returns the pieces that an effect selects.
    fn selected(
        &self,
        attempt: &Attempt<'_>,
        state: &State,
        to: Square,
        selection: Selection<'_>,
    ) -> Vec<Spot> {
        let own = &attempt.piece.player;
        let owner = selection.owner.map_or(Owner::Any, |owner| **owner);
        let is_meant = |piece: &Piece| {
            let neutral = self.is_neutral(&piece.player);
            let has_owner = match owner {
                Owner::Own => piece.player == *own,
                Owner::Enemy => !neutral && !self.same_team(&piece.player, own),
                Owner::Any => !neutral,
                Owner::Partner => self.are_partners(&piece.player, own),
                Owner::Team => self.same_team(&piece.player, own),
                Owner::Neutral => neutral,
            };
            let has_kind = match selection.piece {
                Some(kinds) => kinds.iter().any(|kind| **kind == piece.kind),
                None => !self.is_leader(&piece.kind),
            };
            has_owner && has_kind && (neutral || !state.frozen.contains(&piece.player))
        };
        let is_listed = |spot: Spot, piece: &Piece| {
            selection.region.is_none_or(|code| self.lists(code, &piece.player, spot.square))
        };
        let meant = state.all_pieces().filter(|(spot, piece)| {
            is_meant(piece) && is_listed(*spot, piece) && !state.is_taken(spot.square)
        });
        let meant: Vec<Spot> = meant.map(|(spot, _)| spot).collect();
        let Some(area) = selection.area else { return meant };
        if **area == Area::Attacked && !attempt.minds_attacks {
            return Vec::new();
        }
        let part = Part {
            area: **area,
            anchor: selection.anchor.map_or(Anchor::Target, |anchor| **anchor),
            along: selection.along.map_or(Along::Any, |along| **along),
            run: selection.run.map(|run| **run),
            mover: own,
            source: attempt.from,
            target: to,
        };
        meant.iter().copied().filter(|spot| self.has(state, &meant, part, spot.square)).collect()
    }

    /// Returns whether a player is neutral.
    pub(crate) fn is_neutral(&self, name: &str) -> bool {
        let mut players = self.spec.players.iter();
        players.any(|player| player.name.as_str() == name && player.neutral.as_ref().is_some_and(|it| **it))
    }

    /// Returns the player who receives a piece.
    fn receiver(&self, state: &State, own: &str, owner: Owner) -> Option<String> {
        match owner {
            Owner::Neutral => self.players().into_iter().find(|name| self.is_neutral(name)),
            Owner::Enemy => {
                let order = &self.spec.turns.order;
                let following = (1..=order.len()).map(|step| &order[(state.slot + step) % order.len()]);
                let is_next = |name: &&tabiya_spec::place::At<String>| {
                    !self.same_team(name, own) && Self::is_living(state, name)
                };
                following.into_iter().find(is_next).map(|name| name.to_string())
            }
            _ => Some(own.to_owned()),
        }
    }

    fn change_counter(&self, state: &mut State, own: &str, effect: &TriggerEffect) {
        let (TriggerEffect::Add { counter, owner, .. }
        | TriggerEffect::Set { counter, owner, .. }
        | TriggerEffect::Count { counter, owner, .. }) = effect
        else {
            return;
        };
        let counted = match effect {
            TriggerEffect::Count { piece, of, .. } => {
                let owners = self.owners(state, own, of.as_ref().map_or(Owner::Any, |of| **of));
                let is_meant = |found: &Piece| {
                    let fits =
                        piece.as_ref().is_none_or(|kinds| kinds.iter().any(|kind| **kind == found.kind));
                    fits && owners.contains(&found.player)
                };
                state.all_pieces().filter(|(_, found)| is_meant(found)).count() as i32
            }
            _ => 0,
        };
        let owners = self.owners(state, own, owner.as_ref().map_or(Owner::Own, |owner| **owner));
        let max = self.spec.counters.as_ref().and_then(|it| it.get(counter.as_str())).map_or(0, |it| *it.max);
        for player in self.counter_players(counter) {
            let is_meant = player.is_empty() && !owners.is_empty() || owners.contains(&player);
            if let Some(value) = state.counters.get_mut(&(counter.to_string(), player)).filter(|_| is_meant) {
                *value = match effect {
                    TriggerEffect::Add { by, .. } => {
                        (*value + by.as_ref().map_or(1, |by| **by)).clamp(0, max)
                    }
                    TriggerEffect::Set { to, .. } => (**to).min(max),
                    TriggerEffect::Count { .. } => counted.min(max),
                    _ => *value,
                };
            }
        }
    }
}
