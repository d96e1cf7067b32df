//! Reactions: captures that change other pieces of the captured piece's army.
//!
//! Most captures change nothing. One test with the union of all reactions rules that out; only then are the reactions
//! evaluated one by one.

use smallvec::SmallVec;

use crate::blueprint::Blueprint;
use crate::blueprint::mechanics::ReactionPlan;
use crate::piece::{Kind, Player, PlayerSet};
use crate::play::Trial;
use crate::position::{Position, Spot};
use crate::rules::Rules;
use crate::square::Square;

/// The union of all reactions of a game.
pub(crate) struct Reactions {
    /// By kind: whether its capture causes a reaction.
    triggers: Box<[bool]>,
    /// The kinds that change.
    kinds: Box<[Kind]>,
    /// By player: the squares on which a piece can change, as bits.
    places: Box<[Box<[u64]>]>,
}

impl Reactions {
    /// Builds the tables. The regions are by number and player, as bits.
    pub(crate) fn new(blueprint: &Blueprint, regions: &[Vec<Box<[u64]>>], words: usize) -> Self {
        let plans = &blueprint.mechanics.reactions;
        let mut kinds: Vec<Kind> = plans.iter().map(|plan| plan.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let place = |plan: &ReactionPlan, player: usize, word: usize| {
            plan.region.map_or(u64::MAX, |region| regions[usize::from(region)][player][word])
        };
        let places = |player| {
            let anywhere = |word| plans.iter().fold(0, |all, plan| all | place(plan, player, word));
            (0..words).map(anywhere).collect()
        };
        let sets_off = |kind| plans.iter().any(|plan| plan.captured.contains(&kind));
        Reactions {
            triggers: (0..blueprint.kinds.len() as u8).map(Kind).map(sets_off).collect(),
            kinds: kinds.into(),
            places: (0..blueprint.players.len()).map(places).collect(),
        }
    }

    /// Returns whether the capture of a piece might change another piece of its army.
    fn may_follow(&self, position: &Position, (player, kind): (Player, Kind)) -> bool {
        let in_layer = |guests: bool| {
            self.places[player.index()].iter().enumerate().any(|(word, places)| {
                let army = position.player_word(player, word, guests) & places;
                army != 0 && army & position.kinds_word(&self.kinds, word, guests) != 0
            })
        };
        self.triggers[kind.index()] && (in_layer(false) || position.has_upper() && in_layer(true))
    }
}

impl Rules {
    /// Applies the reactions to the captured pieces.
    pub(crate) fn react(&self, trial: &mut Trial) {
        let may_follow = |captured| self.reactions.may_follow(&trial.position, captured);
        if !trial.captured.iter().copied().any(may_follow) {
            return;
        }
        let captured = trial.captured.clone();
        for reaction in &self.mechanics().reactions {
            let armies: PlayerSet = captured
                .iter()
                .filter(|(_, kind)| reaction.captured.contains(kind))
                .map(|(player, _)| *player)
                .filter(|player| !trial.position.frozen().contains(*player))
                .collect();
            for player in armies.iter() {
                let spots: SmallVec<[Spot; 8]> = trial
                    .position
                    .spots_of(player, reaction.kind)
                    .filter(|spot| self.is_included(reaction, player, spot.square))
                    .collect();
                spots.into_iter().for_each(|spot| trial.transform(self, spot, reaction.to));
            }
        }
    }

    fn is_included(&self, reaction: &ReactionPlan, player: Player, square: Square) -> bool {
        let all_players: PlayerSet = self.players().collect();
        let in_any = |region: u16| self.in_region_of(region, all_players, square);
        reaction.region.is_none_or(|region| self.in_region(region, player, square))
            && reaction.in_any.is_none_or(in_any)
            && !reaction.not_in_any.is_some_and(in_any)
    }
}
