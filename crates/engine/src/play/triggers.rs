//! Triggers: what follows from a move for the counters of the game, the pieces on the board and the turn.

use crate::blueprint::Event;
use crate::blueprint::mechanics::{CounterChange, CounterEffect, TriggerEffect};
use crate::movegen::walker::{Walker, Way};
use crate::piece::{Kind, Piece};
use crate::play::results::{Made, Making};
use crate::play::{NextTurn, Trial};
use crate::position::Position;
use crate::square::Square;

impl Walker<'_> {
    /// Applies the triggers of a move, in order. Each sees the counters as the previous ones left them.
    pub(crate) fn fire_triggers(&self, trial: &mut Trial, making: Making<'_>) {
        let tests = &self.rules.trigger_tests[self.player.index()];
        for (trigger, tests) in self.rules.mechanics().triggers.iter().zip(tests) {
            let made = Made::new(self.rules, trial, making);
            let way = Way { pattern: None, target: making.target(), steps: 0, made: Some(made) };
            let times = match trigger.on.event {
                // Once for each captured piece.
                Event::Captured => {
                    let fits =
                        |kind: Kind| trigger.on.kinds.as_ref().is_none_or(|kinds| kinds.contains(&kind));
                    trial.captured.iter().filter(|(_, kind)| fits(*kind)).count()
                }
                event => usize::from(made.has(event, trigger.on.kinds.as_deref(), self)),
            };
            if times == 0 || !tests.iter().all(|test| self.holds_on(test, &way)) {
                continue;
            }
            for effect in std::iter::repeat_n(&trigger.effects, times).flatten() {
                self.apply_effect(trial, effect, making.target());
            }
        }
    }

    fn apply_effect(&self, trial: &mut Trial, effect: &TriggerEffect, target: Square) {
        match effect {
            TriggerEffect::Counter(effect) => self.change_counter(&mut trial.position, effect),
            TriggerEffect::Pieces(effect) => self.change_pieces(trial, effect, target),
            TriggerEffect::Place(effect) => self.place_pieces(trial, effect, target),
            TriggerEffect::Give { kind, to, count } => self.give_pieces(trial, *kind, *to, *count),
            TriggerEffect::ExtraTurn => trial.next = NextTurn::Again,
            TriggerEffect::EndTurn => trial.next = NextTurn::Another,
        }
    }

    fn change_counter(&self, position: &mut Position, effect: &CounterEffect) {
        let rules = self.rules;
        let plan = &rules.mechanics().counters[usize::from(effect.counter)];
        let owners = rules.owners(position, self.player, effect.owner);
        let players = owners.iter().take(if plan.per_player { usize::MAX } else { 1 });
        for player in players {
            let place = rules.counter_place(effect.counter, player);
            let value = match &effect.change {
                CounterChange::Add(by) => {
                    let sum = i32::from(position.counter_value(place)).saturating_add(*by);
                    sum.clamp(0, i32::from(plan.max)) as u16
                }
                CounterChange::Set(to) => (*to).min(plan.max),
                CounterChange::Count { kinds, of } => {
                    let owners = rules.owners(position, self.player, *of);
                    let is_meant = |piece: &Piece| {
                        owners.contains(piece.player)
                            && kinds.as_ref().is_none_or(|kinds| kinds.contains(&piece.kind))
                    };
                    let count = position.all_pieces().filter(|(_, piece)| is_meant(piece)).count();
                    count.min(usize::from(plan.max)) as u16
                }
            };
            position.set_counter_value(place, value);
        }
    }
}
