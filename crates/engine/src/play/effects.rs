//! Effects of triggers on the pieces of the board: they are removed, captured, replaced, given to another player, moved
//! or added.

use smallvec::SmallVec;

use crate::area::Place;
use crate::blueprint::Anchor;
use crate::blueprint::ending::{Area, Owner};
use crate::blueprint::mechanics::{PieceChange, PieceEffect, PlaceEffect};
use crate::compile::pattern::{Action, Pattern};
use crate::movegen::walker::Walker;
use crate::piece::{Kind, Piece, Player, PlayerSet};
use crate::play::Trial;
use crate::play::results::Making;
use crate::position::Spot;
use crate::rules::Rules;
use crate::square::Square;

impl Walker<'_> {
    /// Changes the pieces that an effect selects. All of them are selected before the first one changes.
    pub(crate) fn change_pieces(&self, trial: &mut Trial, effect: &PieceEffect, target: Square) {
        let spots = self.selected(trial, effect, target);
        // Of several pieces, none moves.
        if matches!(effect.change, PieceChange::MoveTo(_)) && spots.len() != 1 {
            return;
        }
        for spot in spots {
            match effect.change {
                PieceChange::Remove => trial.remove(self.rules, spot),
                PieceChange::Capture => trial.capture_by_effect(self.rules, spot),
                PieceChange::Transform(kind) => trial.transform(self.rules, spot, kind),
                PieceChange::SetOwner(owner) => {
                    if let Some(player) = self.rules.receiver(trial, self.player, owner) {
                        trial.set_owner(spot, player);
                    }
                }
                PieceChange::MoveTo(anchor) => {
                    let to = if anchor == Anchor::Source { self.source } else { target };
                    trial.move_to(spot, to);
                }
            }
        }
    }

    /// Returns the pieces that an effect selects, hosts before guests.
    fn selected(&self, trial: &Trial, effect: &PieceEffect, target: Square) -> SmallVec<[Spot; 16]> {
        let position = &trial.position;
        let owners = self.rules.owners_of_pieces(self.player, effect.owner);
        let frozen = position.frozen();
        let is_meant = |spot: Spot| {
            position.piece_at(spot).is_some_and(|piece| {
                let may_change = effect.owner == Owner::Neutral || !frozen.contains(piece.player);
                may_change
                    && !self.rules.is_taken(position, spot.square)
                    && owners.contains(piece.player)
                    && effect.kinds.contains(&piece.kind)
                    && effect.region.is_none_or(|it| self.rules.in_region(it, piece.player, spot.square))
            })
        };
        let Some(area) = effect.area else {
            let all = position.all_pieces().map(|(spot, _)| spot);
            return all.filter(|spot| is_meant(*spot)).collect();
        };
        // Inside an attack, nothing else is attacked.
        if !self.test_attacks && matches!(area, Area::Attacked(_)) {
            return SmallVec::new();
        }
        let place = self.place_of(trial, target);
        let squares = place.squares(area, |square| is_meant(Spot::host(square)));
        let spots = squares.iter().flat_map(|square| [Spot::host(*square), Spot::guest(*square)]);
        spots.filter(|spot| is_meant(*spot)).collect()
    }

    fn place_of<'p>(&'p self, trial: &'p Trial, target: Square) -> Place<'p> {
        let (rules, player, source) = (self.rules, self.player, self.source);
        Place { rules, position: &trial.position, player, source, target }
    }

    /// Puts new pieces on the empty squares of an area.
    pub(crate) fn place_pieces(&self, trial: &mut Trial, effect: &PlaceEffect, target: Square) {
        let Some(player) = self.rules.receiver(trial, self.player, effect.owner) else { return };
        let squares = self.place_of(trial, target).squares(effect.area, |_| false);
        for square in squares {
            let is_inside = effect.region.is_none_or(|it| self.rules.in_region(it, player, square));
            if is_inside && !trial.position.occupied(square) {
                let piece = Piece { player, kind: effect.kind, unmoved: false };
                let tag = self.rules.tag_of(effect.kind, square);
                trial.position.put_at(Spot::host(square), piece, tag);
                trial.changed_pieces = true;
            }
        }
    }

    /// Returns whether the effects of a capture remove a leader of the player.
    pub(crate) fn backfires(&self, pattern: &Pattern, action: &Action, target: Square) -> bool {
        let Some(mut trial) = self.try_move((pattern, action), target, None) else { return false };
        // What the capture itself removes does not matter.
        trial.lost_leaders = PlayerSet::EMPTY;
        self.fire_triggers(&mut trial, Making::Pattern { pattern, action, target, promotion: None });
        trial.loses_leader(self.player)
    }

    /// Adds pieces to the hand of a player.
    pub(crate) fn give_pieces(&self, trial: &mut Trial, kind: Kind, to: Owner, count: u8) {
        if let Some(player) = self.rules.receiver(trial, self.player, to) {
            let count = trial.position.in_hand(player, kind).saturating_add(count);
            trial.position.set_in_hand(player, kind, count);
        }
    }
}

impl Rules {
    /// Returns the players whose pieces an owner refers to, also those who are out.
    fn owners_of_pieces(&self, own: Player, owner: Owner) -> PlayerSet {
        let neutral = self.mechanics().neutral;
        let all = self.players().collect::<PlayerSet>().without(neutral);
        let (own, team) = (PlayerSet::EMPTY.with(own), self.team(own));
        match owner {
            Owner::Own => own,
            Owner::Enemy => all.without(team),
            Owner::Any => all,
            Owner::Partner => team.without(own),
            Owner::Team => team,
            Owner::Neutral => neutral,
        }
    }

    /// Returns the player who receives a piece.
    fn receiver(&self, trial: &Trial, own: Player, owner: Owner) -> Option<Player> {
        match owner {
            Owner::Neutral => self.mechanics().neutral.iter().next(),
            Owner::Enemy => self.next_opponent(trial, own),
            _ => Some(own),
        }
    }

    /// Returns the next opponent in the order who is in the game.
    fn next_opponent(&self, trial: &Trial, own: Player) -> Option<Player> {
        let order = self.order();
        let slot = usize::from(trial.position.slot());
        let alive = self.alive(&trial.position).without(self.team(own));
        let following = (1..=order.len()).map(|step| order[(slot + step) % order.len()]);
        following.into_iter().find(|player| alive.contains(*player))
    }
}

impl Trial {
    /// Removes a piece. This is not a capture.
    fn remove(&mut self, rules: &Rules, spot: Spot) {
        let Some(piece) = self.position.piece_at(spot) else { return };
        self.changed_pieces = true;
        if spot.guest {
            self.position.take(spot);
        } else {
            self.position.remove(spot.square);
        }
        self.mover = self.mover.filter(|mover| *mover != spot);
        self.lose(rules, piece);
    }

    /// Captures a piece. A guest is captured before its host.
    fn capture_by_effect(&mut self, rules: &Rules, spot: Spot) {
        if spot.guest || self.position.piece_at(spot).is_none() {
            return;
        }
        self.capture(rules, spot.square);
        self.mover = self.mover.filter(|mover| mover.square != spot.square);
    }

    fn set_owner(&mut self, spot: Spot, player: Player) {
        self.changed_pieces = true;
        let (piece, tag) = self.position.take(spot);
        self.position.put_at(spot, Piece { player, unmoved: false, ..piece }, tag);
    }

    /// Moves a piece, unless the square is occupied.
    fn move_to(&mut self, spot: Spot, to: Square) {
        let Some(piece) = self.position.piece_at(spot).filter(|_| !spot.guest) else { return };
        if self.position.occupied(to) {
            return;
        }
        self.position.shift(spot.square, to, piece, false);
        if self.mover == Some(spot) {
            self.mover = Some(Spot::host(to));
        }
    }
}
