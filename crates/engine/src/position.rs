//! A playable state of a game: a small value that is copied, not undone.
//!
//! The board is a handful of bit planes, as wide as the board needs: what has never moved, one plane for each player
//! and one for each kind. Flags are few at any time, so they are a short sorted list.

use smallvec::SmallVec;

use crate::general::Planes;
use crate::hash;
use crate::outcome::Termination;
use crate::piece::{Flag, Kind, Piece, Player, PlayerSet};
use crate::rules::words_for;
use crate::square::Square;

/// A state of a game that can be played on.
///
/// *Equality* is the finest: the same pieces, moved or not, the same flags, the same turn. For repetition use
/// [`crate::Rules::identity`]. A position belongs to the rules that made it; other rules may misread it or panic.
#[derive(Debug, PartialEq, Eq)]
pub struct Position {
    /// [`UNMOVED`], players, kinds; `words` each. Chess fits without the heap.
    planes: SmallVec<[u64; 9]>,
    marks: SmallVec<[Mark; 1]>,
    eliminated: PlayerSet,
    hash: u64,
    slot: u16,
    words: u8,
    players: u8,
    ended: Option<Termination>,
}

impl Clone for Position {
    /// Planes are copied as memory, not word by word.
    fn clone(&self) -> Self {
        Position {
            planes: SmallVec::from_slice(&self.planes),
            marks: SmallVec::from_slice(&self.marks),
            ..*self
        }
    }

    /// The memory of the old position is used again.
    fn clone_from(&mut self, other: &Self) {
        let mut planes = std::mem::take(&mut self.planes);
        planes.clear();
        planes.extend_from_slice(&other.planes);
        let mut marks = std::mem::take(&mut self.marks);
        marks.clear();
        marks.extend_from_slice(&other.marks);
        *self = Position { planes, marks, ..*other };
    }
}

impl std::hash::Hash for Position {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

/// A flag on a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Mark {
    /// Where the piece stands.
    pub square: Square,
    /// Which flag.
    pub flag: Flag,
    /// How long it stays; for ever if `None`.
    pub countdown: Option<Countdown>,
}

/// How long a flag stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Countdown {
    /// The slot of the order that set it; its own turns do not count.
    pub slot: u16,
    /// Turns of other slots that are left.
    pub remaining: u32,
}

const UNMOVED: usize = 0;
const FIRST_PLAYER: usize = 1;

impl Position {
    /// An empty board with `slot` to move.
    pub(crate) fn empty(squares: usize, players: usize, kinds: usize, slot: u16) -> Self {
        let words = words_for(squares);
        Position {
            planes: SmallVec::from_elem(0, words * (FIRST_PLAYER + players + kinds)),
            marks: SmallVec::new(),
            eliminated: PlayerSet::EMPTY,
            hash: hash::slot(slot),
            slot,
            words: words as u8,
            players: players as u8,
            ended: None,
        }
    }

    /// Index into the order: whose turn it is.
    pub fn slot(&self) -> u16 {
        self.slot
    }

    /// The players who are out of the game.
    pub fn eliminated(&self) -> PlayerSet {
        self.eliminated
    }

    /// Why the game is over, if it ended before a move was due. Checkmate and stalemate of the last two players are
    /// found by [`crate::Rules::outcome`].
    pub fn ended(&self) -> Option<Termination> {
        self.ended
    }

    /// A fast key, kept up with every move. Equal positions have equal keys; it is finer than repetition.
    pub fn key(&self) -> u64 {
        self.hash
    }

    /// The flags on the board, by square.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// The piece on a square.
    pub fn piece(&self, square: Square) -> Option<Piece> {
        self.occupied(square).then(|| Piece {
            player: self.owner(square),
            kind: self.kind(square),
            unmoved: self.unmoved(square),
        })
    }

    /// All pieces, by square.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        let words = self.words();
        (0..words).flat_map(move |word| {
            let players = FIRST_PLAYER..self.first_kind();
            let occupied = players.fold(0, |set, plane| set | self.planes[plane * words + word]);
            bits_of(occupied).map(move |bit| {
                let square = Square((word * 64) as u16 + bit);
                (square, self.piece(square).expect("occupied"))
            })
        })
    }

    /// How many pieces are on the board.
    pub fn piece_count(&self) -> u32 {
        let players = &self.planes[FIRST_PLAYER * self.words()..self.first_kind() * self.words()];
        players.iter().map(|word| word.count_ones()).sum()
    }

    /// The planes as sets; the position is of that width.
    pub(crate) fn planes<const W: usize>(&self) -> Planes<'_, W> {
        Planes::new(&self.planes, usize::from(self.players)).expect("a position has the width of its rules")
    }

    fn plane(&self, plane: usize) -> &[u64] {
        &self.planes[plane * self.words()..][..self.words()]
    }

    pub(crate) fn unmoved_plane(&self) -> &[u64] {
        self.plane(UNMOVED)
    }

    pub(crate) fn player_plane(&self, player: usize) -> &[u64] {
        self.plane(FIRST_PLAYER + player)
    }

    pub(crate) fn kind_plane(&self, kind: usize) -> &[u64] {
        self.plane(self.first_kind() + kind)
    }

    pub(crate) fn kind_count(&self) -> usize {
        self.planes.len() / self.words() - self.first_kind()
    }

    fn words(&self) -> usize {
        usize::from(self.words)
    }

    fn has(&self, plane: usize, square: Square) -> bool {
        let index = square.index();
        self.planes[plane * self.words() + index / 64] >> (index % 64) & 1 == 1
    }

    fn flip(&mut self, plane: usize, square: Square) {
        let index = square.index();
        let words = self.words();
        self.planes[plane * words + index / 64] ^= 1 << (index % 64);
    }

    fn first_kind(&self) -> usize {
        FIRST_PLAYER + usize::from(self.players)
    }

    pub(crate) fn occupied(&self, square: Square) -> bool {
        (FIRST_PLAYER..self.first_kind()).any(|plane| self.has(plane, square))
    }

    pub(crate) fn unmoved(&self, square: Square) -> bool {
        self.has(UNMOVED, square)
    }

    pub(crate) fn owned_by(&self, player: Player, square: Square) -> bool {
        self.has(FIRST_PLAYER + player.index(), square)
    }

    pub(crate) fn is_kind(&self, kind: Kind, square: Square) -> bool {
        self.has(self.first_kind() + kind.index(), square)
    }

    /// The owner of the piece on an occupied square.
    fn owner(&self, square: Square) -> Player {
        (0..self.players).map(Player).find(|player| self.owned_by(*player, square)).expect("occupied")
    }

    /// The kind of the piece on an occupied square.
    pub(crate) fn kind(&self, square: Square) -> Kind {
        (0..self.kind_count() as u8).map(Kind).find(|kind| self.is_kind(*kind, square)).expect("occupied")
    }

    /// The squares of a player's pieces of one kind.
    pub(crate) fn army(&self, player: Player, kind: Kind) -> impl Iterator<Item = Square> + '_ {
        let words = self.words();
        let player = (FIRST_PLAYER + player.index()) * words;
        let kind = (self.first_kind() + kind.index()) * words;
        (0..words).flat_map(move |word| {
            bits_of(self.planes[player + word] & self.planes[kind + word])
                .map(move |bit| Square((word * 64) as u16 + bit))
        })
    }

    pub(crate) fn marked(&self, square: Square, flag: Flag) -> bool {
        self.marks.iter().any(|mark| mark.square == square && mark.flag == flag)
    }

    /// Puts a piece on an empty square.
    pub(crate) fn put(&mut self, square: Square, piece: Piece) {
        debug_assert!(!self.occupied(square));
        self.flip(FIRST_PLAYER + piece.player.index(), square);
        self.flip(self.first_kind() + piece.kind.index(), square);
        self.hash ^= hash::piece(piece.player, piece.kind, square);
        if piece.unmoved {
            self.flip(UNMOVED, square);
            self.hash ^= hash::unmoved(square);
        }
    }

    /// Removes the piece on an occupied square; its flags stay for the caller to move or to drop.
    fn lift(&mut self, square: Square) -> Piece {
        let piece =
            Piece { player: self.owner(square), kind: self.kind(square), unmoved: self.unmoved(square) };
        self.lift_known(square, piece);
        piece
    }

    fn lift_known(&mut self, square: Square, piece: Piece) {
        self.flip(FIRST_PLAYER + piece.player.index(), square);
        self.flip(self.first_kind() + piece.kind.index(), square);
        self.hash ^= hash::piece(piece.player, piece.kind, square);
        if piece.unmoved {
            self.flip(UNMOVED, square);
            self.hash ^= hash::unmoved(square);
        }
    }

    /// Removes the piece on an occupied square, flags and all.
    pub(crate) fn remove(&mut self, square: Square) -> Piece {
        self.drop_marks(square);
        self.lift(square)
    }

    /// Moves a piece to an empty square; flags go with it. What it was is returned.
    pub(crate) fn shift(&mut self, from: Square, to: Square, piece: Piece, unmoved: bool) {
        self.lift_known(from, piece);
        self.put(to, Piece { unmoved, ..piece });
        if self.marks.iter().any(|mark| mark.square == from) {
            for index in 0..self.marks.len() {
                if self.marks[index].square == from {
                    self.hash ^= hash::mark(&self.marks[index]);
                    self.marks[index].square = to;
                    self.hash ^= hash::mark(&self.marks[index]);
                }
            }
            self.marks.sort_unstable();
        }
    }

    /// Sets a flag, replacing an equal one.
    pub(crate) fn mark(&mut self, mark: Mark) {
        self.retain_marks(|other| (other.square, other.flag) != (mark.square, mark.flag));
        self.hash ^= hash::mark(&mark);
        self.marks.push(mark);
        self.marks.sort_unstable();
    }

    pub(crate) fn drop_marks(&mut self, square: Square) {
        self.retain_marks(|mark| mark.square != square);
    }

    pub(crate) fn retain_marks(&mut self, keep: impl Fn(&Mark) -> bool) {
        if self.marks.iter().all(&keep) {
            return;
        }
        for mark in self.marks.iter().filter(|mark| !keep(mark)) {
            self.hash ^= hash::mark(mark);
        }
        self.marks.retain(|mark| keep(mark));
    }

    /// Counts every flag down that another slot than the one whose turn ends has set.
    pub(crate) fn count_down(&mut self) {
        if self.marks.is_empty() {
            return;
        }
        let slot = self.slot;
        for mark in &mut self.marks {
            if let Some(countdown) = &mut mark.countdown
                && countdown.slot != slot
            {
                self.hash ^= hash::mark(mark);
                let Some(countdown) = &mut mark.countdown else { continue };
                countdown.remaining -= 1;
                self.hash ^= hash::mark(mark);
            }
        }
        self.retain_marks(|mark| mark.countdown.is_none_or(|countdown| countdown.remaining > 0));
    }

    /// Marks a piece as moved although it has not.
    pub(crate) fn forget_unmoved(&mut self, square: Square) {
        if self.unmoved(square) {
            self.flip(UNMOVED, square);
            self.hash ^= hash::unmoved(square);
        }
    }

    pub(crate) fn set_slot(&mut self, slot: u16) {
        self.hash ^= hash::slot(self.slot) ^ hash::slot(slot);
        self.slot = slot;
    }

    pub(crate) fn eliminate(&mut self, players: PlayerSet) {
        self.hash ^= hash::eliminated(self.eliminated);
        self.eliminated = self.eliminated.union(players);
        self.hash ^= hash::eliminated(self.eliminated);
    }

    pub(crate) fn end(&mut self, reason: Termination) {
        self.ended = Some(reason);
    }

    /// The key, computed anew; what [`Position::key`] must be.
    pub fn key_from_scratch(&self) -> u64 {
        let mut key = hash::slot(self.slot) ^ hash::eliminated(self.eliminated);
        for (square, piece) in self.pieces() {
            key ^= hash::piece(piece.player, piece.kind, square);
            if piece.unmoved {
                key ^= hash::unmoved(square);
            }
        }
        self.marks.iter().fold(key, |key, mark| key ^ hash::mark(mark))
    }
}

fn bits_of(mut bits: u64) -> impl Iterator<Item = u16> {
    std::iter::from_fn(move || {
        let bit = (bits != 0).then(|| bits.trailing_zeros() as u16)?;
        bits &= bits - 1;
        Some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_small() {
        assert!(size_of::<Position>() <= 128, "{}", size_of::<Position>());
    }
}
