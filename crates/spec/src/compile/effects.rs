//! The effects of triggers.

use tabiya_engine::blueprint::Anchor;
use tabiya_engine::ending::{Area, Owner};
use tabiya_engine::mechanics::{
    CounterChange, CounterEffect, PieceChange, PieceEffect, PlaceEffect, TriggerEffect,
};

use super::endings::area;
use super::{Names, word_or};
use crate::model;
use crate::place::At;

impl Names {
    pub(super) fn trigger_effect(&self, effect: &model::TriggerEffect) -> TriggerEffect {
        let counter = |code: &At<String>, owner: Option<&At<model::Owner>>, change| {
            let counter = self.counters[code.as_str()];
            TriggerEffect::Counter(CounterEffect { counter, owner: word_or(owner, Owner::Own), change })
        };
        let change = match effect {
            model::TriggerEffect::Add { counter: code, owner, by } => {
                let by = by.as_ref().map_or(1, |by| **by);
                return counter(code, owner.as_ref(), CounterChange::Add(by));
            }
            model::TriggerEffect::Set { counter: code, owner, to } => {
                return counter(code, owner.as_ref(), CounterChange::Set(**to as u16));
            }
            model::TriggerEffect::Count { counter: code, owner, piece, of } => {
                let kinds = piece.as_ref().map(|codes| self.kind_list(codes.iter()));
                let of = word_or(of.as_ref(), Owner::Any);
                return counter(code, owner.as_ref(), CounterChange::Count { kinds, of });
            }
            model::TriggerEffect::Place { piece, owner, region, area: part, anchor } => {
                let anchor = anchor.as_ref();
                let part = part.as_ref().map_or(Area::Square(word_or(anchor, Anchor::Target)), |part| {
                    area(part, anchor, None, None)
                });
                let owner = word_or(owner.as_ref(), Owner::Own);
                let mut plan = PlaceEffect::new(self.kind(piece), owner, part);
                plan.region = region.as_ref().map(|code| self.regions[code.as_str()]);
                return TriggerEffect::Place(plan);
            }
            model::TriggerEffect::Give { piece, owner, by } => {
                let count = by.as_ref().map_or(1, |by| **by as u8);
                let to = word_or(owner.as_ref(), Owner::Own);
                return TriggerEffect::Give { kind: self.kind(piece), to, count };
            }
            model::TriggerEffect::ExtraTurn {} => return TriggerEffect::ExtraTurn,
            model::TriggerEffect::EndTurn {} => return TriggerEffect::EndTurn,
            model::TriggerEffect::Remove { .. } => PieceChange::Remove,
            model::TriggerEffect::Capture { .. } => PieceChange::Capture,
            model::TriggerEffect::Transform { to, .. } => PieceChange::Transform(self.kind(to)),
            model::TriggerEffect::SetOwner { to, .. } => PieceChange::SetOwner((**to).into()),
            model::TriggerEffect::Move { to, .. } => PieceChange::MoveTo((**to).into()),
        };
        TriggerEffect::Pieces(self.piece_effect(change, effect))
    }

    fn piece_effect(&self, change: PieceChange, effect: &model::TriggerEffect) -> PieceEffect {
        let selection = effect.selection().expect("an effect on pieces selects them");
        let listed = |list: &At<Vec<At<String>>>| self.kind_list(list.iter());
        let kinds = selection.piece.map_or_else(|| self.followers.clone(), listed);
        let mut plan = PieceEffect::new(change, kinds, word_or(selection.owner, Owner::Any));
        plan.region = selection.region.map(|code| self.regions[code.as_str()]);
        plan.area = selection.area.map(|part| area(part, selection.anchor, selection.along, selection.run));
        plan
    }
}
