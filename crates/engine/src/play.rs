//! Making moves: what changes on the board, who falls, whose turn comes.
//!
//! A move is carried out on a copy. The order is that of the rules: capture, move, effects of the action, effects of
//! the move, promotion; then what follows from it for whole armies ([`crate::aftermath`]), flags count down, and the
//! result is judged.

use smallvec::SmallVec;

use crate::landing::Walker;
use crate::mechanics::Exposure;
use crate::moves::Move;
use crate::outcome::Termination;
use crate::pattern::Modifier;
use crate::piece::{Kind, Piece, Player, PlayerSet};
use crate::position::{Countdown, Mark, Position, Spot};
use crate::rules::{Act, Change, Rules};
use crate::square::Square;

/// A board after a move, before it is judged.
pub(crate) struct Trial {
    pub(crate) position: Position,
    /// The players who lost a leader.
    pub(crate) fallen: PlayerSet,
    /// What was captured.
    pub(crate) captured: SmallVec<[(Player, Kind); 2]>,
    /// Where the piece that moved came to stand, if it is still there.
    pub(crate) mover: Option<Spot>,
    /// Whether there are other pieces than before: some are gone, or are of another kind or player.
    pub(crate) is_altered: bool,
}

/// What a piece becomes.
#[derive(Clone, Copy)]
pub(crate) struct Becoming<'a> {
    kind: Kind,
    /// What other pieces of that kind become.
    replaces: &'a [(Kind, Kind)],
}

impl Modifier {
    /// Each choice.
    pub(crate) fn choices(&self) -> impl Iterator<Item = Becoming<'_>> {
        self.options.iter().map(|kind| self.choice(*kind))
    }

    pub(crate) fn choice(&self, kind: Kind) -> Becoming<'_> {
        Becoming { kind, replaces: &self.replaces }
    }
}

impl Becoming<'_> {
    pub(crate) fn kind(self) -> Kind {
        self.kind
    }
}

impl Trial {
    /// A board before a move.
    pub(crate) fn new(position: &Position) -> Self {
        Trial {
            position: position.clone(),
            fallen: PlayerSet::EMPTY,
            captured: SmallVec::new(),
            mover: None,
            is_altered: false,
        }
    }

    /// The same once more, in the same memory.
    fn begin(&mut self, position: &Position) {
        self.position.clone_from(position);
        self.fallen = PlayerSet::EMPTY;
        self.captured.clear();
        self.mover = None;
        self.is_altered = false;
    }

    /// Whether the player lost a leader by it.
    pub(crate) fn loses_leader(&self, player: Player) -> bool {
        self.fallen.contains(player)
    }

    /// Removes whatever stands on an occupied square, a guest as well.
    pub(crate) fn capture(&mut self, rules: &Rules, square: Square) {
        self.is_altered = true;
        if self.position.has_guest(square) {
            let (guest, _) = self.position.take(Spot::guest(square));
            self.captured.push((guest.player, guest.kind));
        }
        let victim = self.position.remove(square);
        if !rules.mechanics().reactions.is_empty() {
            self.captured.push((victim.player, victim.kind));
        }
        if Some(victim.kind) == rules.leader() {
            self.fallen = self.fallen.with(victim.player);
        }
    }

    /// The piece in a spot becomes another, fresh.
    pub(crate) fn transform(&mut self, rules: &Rules, spot: Spot, kind: Kind) {
        self.is_altered = true;
        let (piece, _) = self.position.take(spot);
        if !spot.guest {
            self.position.drop_marks(spot.square);
        }
        self.position.put_at(spot, Piece { kind, unmoved: true, ..piece }, rules.tag_of(kind, spot.square));
    }
}

impl Walker<'_> {
    /// Makes a move on a copy of the board; `None` if a side effect has nowhere to go.
    pub(crate) fn carry_out(
        &self,
        act: &Act,
        target: Square,
        becomes: Option<Becoming<'_>>,
    ) -> Option<Trial> {
        let mut trial = Trial::new(self.position);
        self.carry_out_on(&mut trial, act, target, becomes)?;
        Some(trial)
    }

    fn carry_out_on(
        &self,
        trial: &mut Trial,
        act: &Act,
        target: Square,
        becomes: Option<Becoming<'_>>,
    ) -> Option<()> {
        if act.captures {
            trial.capture(self.rules, target);
        }
        if self.rules.mechanics().sharing.is_some() {
            self.change_spot(trial, target);
        } else {
            let unmoved = self.position.unmoved(self.source);
            let piece = Piece { player: self.player, kind: self.kind, unmoved };
            trial.position.shift(self.source, target, piece, false);
            trial.mover = Some(Spot::host(target));
        }
        for change in &act.changes {
            self.change(trial, change)?;
        }
        if let (Some(becomes), Some(spot)) = (becomes, trial.mover) {
            self.promote(trial, becomes, spot);
        }
        Some(())
    }

    /// Moves the piece where squares may be shared: a guest may leave, and a piece may join a host.
    fn change_spot(&self, trial: &mut Trial, target: Square) {
        let position = &mut trial.position;
        let from = self.spot();
        let to = Spot { square: target, guest: position.occupied(target) };
        position.carry(from, to, self.player, self.kind);
        match (from.guest, to.guest) {
            (true, _) => {}
            (false, true) => position.drop_marks(self.source),
            (false, false) => position.move_marks(self.source, target),
        }
        position.let_in(self.source);
        trial.mover = Some(to);
    }

    /// Others of the new kind are replaced first.
    fn promote(&self, trial: &mut Trial, becomes: Becoming<'_>, spot: Spot) {
        let mut replaced = becomes.replaces.iter().filter(|(kind, _)| *kind == becomes.kind);
        if let Some((kind, to)) = replaced.next() {
            let others: SmallVec<[Spot; 4]> =
                trial.position.spots_of(self.player, *kind).filter(|other| *other != spot).collect();
            others.into_iter().for_each(|other| trial.transform(self.rules, other, *to));
        }
        trial.transform(self.rules, spot, becomes.kind);
    }

    fn change(&self, trial: &mut Trial, change: &Change) -> Option<()> {
        let at = |jump| self.rules.jumps.to(jump, self.source);
        match change {
            Change::SetFlag { flag, duration } => {
                if let Some(Spot { square, guest: false }) = trial.mover {
                    let slot = self.position.slot();
                    let countdown = duration.map(|remaining| Countdown { slot, remaining });
                    trial.position.mark(Mark { square, flag: *flag, countdown });
                }
            }
            Change::Capture(jump) => {
                let is_frozen = |piece: Piece| trial.position.frozen().contains(piece.player);
                if let Some(square) = at(*jump)
                    && trial.position.piece(square).is_some_and(|piece| !is_frozen(piece))
                {
                    trial.capture(self.rules, square);
                    trial.mover = trial.mover.filter(|mover| mover.square != square);
                }
            }
            Change::Relocate { kind, from, to } => {
                let found = at(*from).and_then(|from| Some((from, trial.position.piece(from)?)));
                if let Some((from, piece)) = found
                    && piece.player == self.player
                    && kind.is_none_or(|kind| kind == piece.kind)
                {
                    let to = at(*to).filter(|to| !trial.position.occupied(*to))?;
                    trial.position.shift(from, to, piece, false);
                    trial.mover = trial.mover.map(|mover| match mover {
                        Spot { square, guest: false } if square == from => Spot::host(to),
                        // The host has left it the square.
                        Spot { square, guest: true } if square == from => Spot::host(from),
                        other => other,
                    });
                }
            }
        }
        Some(())
    }

    /// The finished position after a landing, if it is legal; the next turn is not yet settled.
    pub(crate) fn finish(
        &self,
        act: &Act,
        target: Square,
        becomes: Option<Becoming<'_>>,
        exposure: Exposure,
    ) -> Option<Position> {
        let mut trial = self.carry_out(act, target, becomes)?;
        if trial.loses_leader(self.player) {
            return None;
        }
        self.conclude(&mut trial);
        let is_asked = match exposure {
            Exposure::Illegal => true,
            Exposure::Allowed => false,
            Exposure::AllowedInCheck => Some(self.kind) == self.rules.leader(),
        };
        if is_asked && self.rules.in_check(&trial.position, self.player) {
            return None;
        }
        self.hand_over(&mut trial);
        Some(trial.position)
    }

    /// The same for a landing that is known to be legal, in memory that was used before.
    pub(crate) fn make<'t>(
        &self,
        trial: &'t mut Trial,
        act: &Act,
        target: Square,
        becomes: Option<Becoming<'_>>,
    ) -> &'t Position {
        trial.begin(self.position);
        let made = self.carry_out_on(trial, act, target, becomes);
        debug_assert!(made.is_some(), "a legal move is not blocked");
        self.conclude(trial);
        self.hand_over(trial);
        &trial.position
    }

    /// Ends the game or the turn. A game that never had a second player is not over because nobody is left to lose.
    fn hand_over(&self, trial: &mut Trial) {
        if !trial.fallen.is_empty() && self.rules.last_team(&trial.position).is_some() {
            trial.position.end(Termination::LeaderCaptured);
        } else {
            self.rules.end_turn(&mut trial.position, trial.is_altered);
        }
    }
}

impl Rules {
    /// The position after a legal move.
    ///
    /// The move must be one of [`Rules::legal_moves`] of this position: another one may give a position that no game
    /// reaches, or panic. [`Rules::play`] checks.
    pub fn play_unchecked(&self, position: &Position, played: Move) -> Position {
        self.settled(self.finished(position, played).expect("the move is legal"))
    }

    /// The position after a legal move, before it is settled.
    fn finished(&self, position: &Position, played: Move) -> Option<Position> {
        let (player, kind) = (self.mover(position), position.kind_at(played.spot()));
        let walker = match played.promotion {
            // What the piece becomes may depend on its other moves.
            Some(_) => Walker::new(self, position, player, kind, played.from, true),
            None => Walker::committed(self, position, player, kind, played.from),
        };
        let pattern = &walker.patterns()[usize::from(played.pattern)];
        let act = walker.act_for(pattern, played.to)?;
        let becomes = match played.promotion {
            Some(kind) => Some(walker.chosen(pattern, played.to)?.choice(kind)),
            None => None,
        };
        walker.finish(act, played.to, becomes, Exposure::Allowed)
    }
}
