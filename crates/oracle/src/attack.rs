//! Attacks: a square is attacked if an opponent could capture a victim that stands on it.
//!
//! The victim is placed on the square to find out. It is first removed from its own square, so that it does not block its
//! own attackers, and it replaces any piece on the target square, so that a defended enemy's square counts as attacked.
//! The capture must then be possible, with its conditions and side effects; but the attacker may ignore attacks on itself
//! and on its leader. A piece that only a side effect would remove is not attacked.

use tabiya_spec::model::{ActionKind, ActionSpec, CheckWhen, Lost, Target};
use tabiya_spec::place::At;

use crate::after_move::{FinishedMove, Following};
use crate::make_move::MadeMove;
use crate::pattern::Attempt;
use crate::results::Events;
use crate::{Oracle, Piece, Spot, Square, State};

impl Oracle<'_> {
    /// Returns whether the piece on `by_view_of` is or would be attacked on `square`. Without such a piece or square,
    /// nothing is attacked.
    pub fn attacked(&self, state: &State, square: Square, by_view_of: Square) -> bool {
        self.threatened(state, Spot { square: by_view_of, guest: false }, square)
    }

    /// Returns whether the piece in a spot is or would be attacked on a square. On its own square it stays with the piece
    /// that it shares the square with.
    pub(crate) fn threatened(&self, state: &State, victim: Spot, square: Square) -> bool {
        let Some(piece) = state.at(victim) else { return false };
        if !self.exists(square) {
            return false;
        }
        let mut imagined = state.clone();
        if square != victim.square {
            imagined.lift(victim);
            imagined.clear(square);
            imagined.pieces.insert(square, piece.clone());
        }
        let mut attackers = imagined
            .all_pieces()
            .filter(|(_, attacker)| self.is_opponent(state, &attacker.player, &piece.player));
        attackers.any(|(Spot { square: from, guest }, attacker)| {
            let mut definitions = self.definitions(&attacker.kind).iter();
            definitions.any(|definition| {
                let state = &imagined;
                let attempt =
                    Attempt { state, from, guest, piece: attacker, definition, minds_attacks: false };
                self.captures(&attempt, square)
            })
        })
    }

    /// Returns whether the piece would be attacked on the square. A dropped piece is not on the board yet.
    pub(crate) fn is_unsafe_on(&self, attempt: &Attempt<'_>, square: Square) -> bool {
        if attempt.state.at(attempt.spot()).is_some() {
            return self.threatened(attempt.state, attempt.spot(), square);
        }
        let imagined = self.imagined(attempt, square, &attempt.piece.player);
        imagined.is_some_and(|imagined| self.threatened(&imagined, Spot { square, guest: false }, square))
    }

    /// Returns whether the moving piece would be attacked on the square, by pieces of some kinds.
    pub(crate) fn is_attacked_at(
        &self,
        attempt: &Attempt<'_>,
        square: Square,
        by: Option<&At<Vec<At<String>>>>,
    ) -> bool {
        let Some(by) = by else { return self.is_unsafe_on(attempt, square) };
        let imagined = self.imagined(attempt, square, &attempt.piece.player);
        imagined.is_some_and(|imagined| {
            let may = |piece: &Piece| self.is_opponent(&imagined, &piece.player, &attempt.piece.player);
            self.can_be_taken(&imagined, square, &|piece| may(piece) && is_one_of(piece, by))
        })
    }

    /// Returns whether another piece of the team could recapture on the square: the moving piece is imagined there as a
    /// piece of the first opponent who is not eliminated.
    pub(crate) fn is_defended_at(
        &self,
        attempt: &Attempt<'_>,
        square: Square,
        by: Option<&At<Vec<At<String>>>>,
    ) -> bool {
        let own = &attempt.piece.player;
        let is_opponent = |name: &String| !self.same_team(name, own) && Self::is_living(attempt.state, name);
        let Some(opponent) = self.players().into_iter().find(is_opponent) else { return false };
        let imagined = self.imagined(attempt, square, &opponent);
        imagined.is_some_and(|imagined| {
            let may = |piece: &Piece| {
                self.same_team(&piece.player, own) && Self::is_active(&imagined, &piece.player)
            };
            self.can_be_taken(&imagined, square, &|piece| {
                may(piece) && by.is_none_or(|by| is_one_of(piece, by))
            })
        })
    }

    /// Returns the state with the moving piece on another square, owned by a player.
    fn imagined(&self, attempt: &Attempt<'_>, square: Square, owner: &str) -> Option<State> {
        let mut imagined = attempt.state.clone();
        imagined.lift(attempt.spot());
        imagined.clear(square);
        imagined.pieces.insert(square, Piece { player: owner.to_owned(), ..attempt.piece.clone() });
        self.exists(square).then_some(imagined)
    }

    /// Returns whether one of some pieces could capture the piece on the square.
    fn can_be_taken(&self, state: &State, square: Square, by: &dyn Fn(&Piece) -> bool) -> bool {
        let mut attackers = state.all_pieces().filter(|(spot, piece)| spot.square != square && by(piece));
        attackers.any(|(Spot { square: from, guest }, piece)| {
            let mut definitions = self.definitions(&piece.kind).iter();
            definitions.any(|definition| {
                let attempt = Attempt { state, from, guest, piece, definition, minds_attacks: false };
                self.captures(&attempt, square)
            })
        })
    }

    /// Returns whether the player is in check: a leader is attacked whose loss decides, or all leaders of a group are.
    pub fn in_check(&self, state: &State, player: &str) -> bool {
        let check_all = self.spec.leader.as_ref().and_then(|leader| leader.check.as_ref());
        let check_all = check_all.is_some_and(|word| **word == CheckWhen::All);
        self.leader_groups(state, player).iter().any(|group| {
            let is_attacked = |spot: &Spot| self.threatened(state, *spot, spot.square);
            match self.decisive() {
                Lost::Any => group.iter().any(is_attacked),
                Lost::Last | Lost::LastOfKind => {
                    (group.len() == 1 || check_all && !group.is_empty()) && group.iter().all(is_attacked)
                }
            }
        })
    }

    /// Returns whose loss decides.
    pub(crate) fn decisive(&self) -> Lost {
        let lost = self.spec.leader.as_ref().and_then(|leader| leader.lost.as_ref());
        lost.map_or(Lost::Any, |word| **word)
    }

    /// Returns whether the player has leaders.
    pub(crate) fn has_leaders(&self, player: &str) -> bool {
        let players = self.spec.leader.as_ref().and_then(|leader| leader.players.as_ref());
        players.is_none_or(|players| players.iter().any(|name| **name == player))
    }

    /// Returns the leaders of a player: all together, or by kind if the last of a kind decides.
    pub(crate) fn leader_groups(&self, state: &State, player: &str) -> Vec<Vec<Spot>> {
        if !self.has_leaders(player) {
            return Vec::new();
        }
        let of = |wanted: &dyn Fn(&str) -> bool| -> Vec<Spot> {
            let pieces = state.all_pieces();
            pieces
                .filter(|(_, piece)| piece.player == player && wanted(&piece.kind))
                .map(|(spot, _)| spot)
                .collect()
        };
        match self.decisive() {
            Lost::Any | Lost::Last => vec![of(&|kind| self.is_leader(kind))],
            Lost::LastOfKind => self.spec.leaders().map(|leader| of(&|kind| **leader == kind)).collect(),
        }
    }

    /// Returns whether the owner of a captured piece has lost with it. The piece is no longer on the board.
    pub(crate) fn is_lost_with(&self, state: &State, captured: &Piece) -> bool {
        let owner = &captured.player;
        let left = |wanted: &dyn Fn(&str) -> bool| {
            state.all_pieces().any(|(_, piece)| piece.player == *owner && wanted(&piece.kind))
        };
        self.has_leaders(owner)
            && self.is_leader(&captured.kind)
            && match self.decisive() {
                Lost::Any => true,
                Lost::Last => !left(&|kind| self.is_leader(kind)),
                Lost::LastOfKind => !left(&|kind| kind == captured.kind),
            }
    }

    /// Returns whether the attempt captures the enemy on the square.
    pub(crate) fn captures(&self, attempt: &Attempt<'_>, square: Square) -> bool {
        let is_capture =
            |action: &ActionSpec| *action.state == Target::Enemy && *action.action != ActionKind::Move;
        self.reach(attempt).contains(&square)
            && self.action_on(attempt, square).is_some_and(|action| {
                let made = if is_capture(action) { self.make(attempt, square, action) } else { None };
                made.is_some_and(|made| !self.backfires(attempt, made, square))
            })
    }

    /// Returns whether the effects of a capture remove a leader of the player who captures.
    fn backfires(&self, attempt: &Attempt<'_>, made: MadeMove, to: Square) -> bool {
        let mut mover = made.mover;
        let mut finished = FinishedMove {
            lost_own: false,
            took_leader: false,
            following: Following::Next,
            events: Events {
                moved: Some(attempt.piece.kind.clone()),
                captured: made.captured.iter().map(|piece| piece.kind.clone()).collect(),
                ..Events::default()
            },
            state: made.state,
        };
        let losses = self.fire_triggers(attempt, &mut finished, &mut mover, to);
        losses.lost.iter().any(|leader| leader.player == attempt.piece.player)
    }
}

fn is_one_of(piece: &Piece, kinds: &[At<String>]) -> bool {
    kinds.iter().any(|kind| **kind == piece.kind)
}
