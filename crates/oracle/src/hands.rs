//! Hands and counters: drops, and captured pieces that go to a hand.

use tabiya_spec::model::{DropSpec, HandOf, ModifierSpec, MoveSpec, Per};

use crate::after_move::FinishedMove;
use crate::make_move::MadeMove;
use crate::pattern::Attempt;
use crate::results::Events;
use crate::{Oracle, Piece, Ply, Spot, Square, State};

impl Oracle<'_> {
    /// Sets hands and counters as they are at the start.
    pub(crate) fn fill_hands_and_counters(&self, state: &mut State) {
        for (player, pieces) in
            self.spec.hands.iter().flat_map(|hands| &hands.start).flat_map(|start| start.iter())
        {
            for (kind, count) in pieces.iter().filter(|(_, count)| ***count > 0) {
                state.hands.insert((player.clone(), kind.clone()), **count as u32);
            }
        }
        for (name, counter) in self.spec.counters.iter().flat_map(|counters| counters.iter()) {
            let start = counter.start.as_ref().map_or(0, |start| **start);
            for player in self.counter_players(name) {
                state.counters.insert((name.clone(), player), start);
            }
        }
    }

    /// Returns the players who have a counter; one empty name if the game has it.
    pub(crate) fn counter_players(&self, name: &str) -> Vec<String> {
        let counter = self.spec.counters.as_ref().and_then(|counters| counters.get(name));
        let of_game =
            counter.is_some_and(|counter| counter.per.as_ref().is_some_and(|per| **per == Per::Game));
        if of_game { vec![String::new()] } else { self.players() }
    }

    /// Returns the sum of a counter over some players.
    pub(crate) fn counter_sum(&self, state: &State, name: &str, owners: &[String]) -> i64 {
        let players = self.counter_players(name);
        let is_meant = |player: &String| player.is_empty() && !owners.is_empty() || owners.contains(player);
        let meant = players.into_iter().filter(is_meant);
        meant.map(|player| i64::from(state.counters[&(name.to_owned(), player)])).sum()
    }

    /// Puts captured pieces into hands.
    pub(crate) fn give(&self, made: &mut MadeMove, from: usize, mover: &str) {
        let Some(to) = self.spec.hands.as_ref().and_then(|hands| hands.captured_to.as_ref()) else { return };
        for piece in &made.captured[from..] {
            let spec = self.spec.pieces.iter().find(|spec| *spec.code == piece.kind);
            let reverts = spec.and_then(|spec| spec.reverts_to.as_ref());
            let kind = reverts.map_or_else(|| piece.kind.clone(), |code| code.to_string());
            let player = match **to {
                HandOf::Captor => mover.to_owned(),
                HandOf::Owner => piece.player.clone(),
            };
            *made.state.hands.entry((player, kind)).or_insert(0) += 1;
        }
    }

    /// Returns every possible drop, ignoring the safety of leaders.
    pub(crate) fn possible_drops(&self, state: &State) -> Vec<(Ply, FinishedMove)> {
        let player = self.to_move(state);
        if self.spec.hands.is_none() {
            return Vec::new();
        }
        let everything = DropSpec::default();
        let is_default = self.spec.hands.as_ref().is_some_and(|hands| hands.drops.is_none());
        let drops: Vec<&DropSpec> =
            if is_default { vec![&everything] } else { self.spec.drops().map(|drop| &**drop).collect() };
        let mut found = Vec::new();
        for (id, drop) in drops.into_iter().enumerate() {
            for ((_, kind), _) in state.hands.iter().filter(|((owner, _), _)| owner == player) {
                if is_default || drop.piece.iter().any(|code| **code == *kind) {
                    let squares =
                        self.squares().into_iter().filter(|square| !state.pieces.contains_key(square));
                    found.extend(squares.flat_map(|to| self.drops_on(state, (id, drop), kind, to)));
                }
            }
        }
        found
    }

    /// Returns all squares of the board.
    pub(crate) fn squares(&self) -> Vec<Square> {
        let size = &self.spec.board.dimensions;
        let all = (0..size.y * size.z.max(1)).flat_map(|y| (0..size.x).map(move |x| (x, y)));
        all.filter(|square| self.exists(*square)).collect()
    }

    fn drops_on(
        &self,
        state: &State,
        (id, drop): (usize, &DropSpec),
        kind: &str,
        to: Square,
    ) -> Vec<(Ply, FinishedMove)> {
        let player = self.to_move(state);
        let piece = Piece { moved: true, ..self.new_piece(kind, player, to) };
        let definition = &MoveSpec::default();
        let attempt =
            Attempt { state, from: to, guest: false, piece: &piece, definition, minds_attacks: true };
        if !drop.conditions.iter().all(|condition| self.holds(&attempt, to, condition)) {
            return Vec::new();
        }
        let fires =
            |modifier: &&ModifierSpec| modifier.conditions.iter().all(|it| self.holds(&attempt, to, it));
        let modifier = drop.modifiers.iter().map(|modifier| &**modifier).find(fires);
        let options: Vec<Option<String>> = match modifier {
            Some(modifier) => modifier.options.iter().map(|option| Some(option.to_string())).collect(),
            None => vec![None],
        };
        let mut found = Vec::new();
        for promotion in options {
            let dropped = promotion.as_deref().unwrap_or(kind);
            let mut made = MadeMove { state: state.clone(), ..MadeMove::default() };
            let place = (player.to_owned(), kind.to_owned());
            match made.state.hands.get_mut(&place) {
                Some(count) if *count > 1 => *count -= 1,
                _ => {
                    made.state.hands.remove(&place);
                }
            }
            let moved = !drop.unmoved.as_ref().is_some_and(|unmoved| **unmoved);
            made.state.pieces.insert(to, Piece { moved, ..self.new_piece(dropped, player, to) });
            made.mover = Some(Spot { square: to, guest: false });
            let events =
                Events { promoted: promotion.clone(), dropped: Some(kind.to_owned()), ..Events::default() };
            let spot = Spot { square: to, guest: false };
            let finished = self.finished((state, &piece, spot, to), made, (None, None), events);
            let ply =
                Ply { from: to, to, id: id as i32, promotion, drop: Some(kind.to_owned()), ..Ply::default() };
            let mut results = drop.conditions.iter().filter(|it| crate::condition::is_about_result(it));
            if results.all(|condition| self.is_met(&attempt, to, &finished, condition)) {
                found.push((ply, finished));
            }
        }
        found
    }

    /// Drops a piece together with a move. Returns false if that is impossible: the piece was not in hand before the move, or
    /// the square is not empty.
    pub(crate) fn drop_from_hand(
        &self,
        made: &mut MadeMove,
        before: &State,
        player: &str,
        kind: &str,
        square: Square,
    ) -> bool {
        let place = (player.to_owned(), kind.to_owned());
        made.dropped.push((kind.to_owned(), square));
        let needed = made.dropped.iter().filter(|(other, _)| other == kind).count();
        let had = before.hands.get(&place).copied().unwrap_or(0) as usize;
        if had < needed || !self.exists(square) || made.state.pieces.contains_key(&square) {
            return false;
        }
        match made.state.hands.get_mut(&place) {
            Some(count) if *count > 1 => *count -= 1,
            _ => {
                made.state.hands.remove(&place);
            }
        }
        made.state.pieces.insert(square, Piece { moved: true, ..self.new_piece(kind, player, square) });
        true
    }
}
