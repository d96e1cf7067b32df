//! A playable state of a game: a small value that is copied, not undone.
//!
//! The board is a handful of bit planes, as wide as the board needs: what has never moved, one plane for each player,
//! one for each kind, and one for each value of the game's tag. In a game with squares for two there is a second storey
//! of them, for the guests. After the planes come the *registers*, if the game has any: what is known about whole armies.
//! Flags are few at any time, so they are a short sorted list.

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
    /// Planes of `words` each, storey by storey; then registers. Chess fits without the heap.
    planes: SmallVec<[u64; 9]>,
    marks: SmallVec<[Mark; 1]>,
    eliminated: PlayerSet,
    hash: u64,
    slot: u16,
    words: u8,
    players: u8,
    kinds: u8,
    make: Make,
    ended: Option<Termination>,
}

/// What a position has beside its first storey: how many values the tag has, whether there is a second storey, and
/// whether there are registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Make(u8);

impl Make {
    const UPPER: u8 = 0x80;
    const REGISTERS: u8 = 0x40;

    fn tags(self) -> usize {
        usize::from(self.0 & 0x0f)
    }

    fn has_upper(self) -> bool {
        self.0 & Self::UPPER != 0
    }

    fn has_registers(self) -> bool {
        self.0 & Self::REGISTERS != 0
    }
}

/// How much a position of a game holds.
#[derive(Clone, Copy)]
pub(crate) struct Capacity {
    pub(crate) squares: usize,
    pub(crate) players: usize,
    pub(crate) kinds: usize,
    pub(crate) tags: usize,
    pub(crate) has_upper: bool,
    pub(crate) has_registers: bool,
}

/// Where a piece stands: on a square, by itself or as the host, or as a guest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spot {
    /// The square.
    pub square: Square,
    /// Whether it is the guest there.
    pub guest: bool,
}

impl Spot {
    /// A piece by itself, or a host.
    pub fn host(square: Square) -> Self {
        Spot { square, guest: false }
    }

    /// A guest.
    pub fn guest(square: Square) -> Self {
        Spot { square, guest: true }
    }
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

    /// The memory of the old position is used again: one of the same game has as many planes.
    fn clone_from(&mut self, other: &Self) {
        let Position { planes, marks, eliminated, hash, slot, words, players, kinds, make, ended } = other;
        if self.planes.len() == planes.len() {
            self.planes.copy_from_slice(planes);
        } else {
            self.planes = SmallVec::from_slice(planes);
        }
        self.marks.clear();
        self.marks.extend_from_slice(marks);
        (self.eliminated, self.hash, self.slot) = (*eliminated, *hash, *slot);
        (self.words, self.players, self.kinds) = (*words, *players, *kinds);
        (self.make, self.ended) = (*make, *ended);
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
    pub(crate) fn empty(capacity: Capacity, slot: u16) -> Self {
        let Capacity { squares, players, kinds, tags, has_upper, has_registers } = capacity;
        let words = words_for(squares);
        let storey = words * (FIRST_PLAYER + players + kinds + tags);
        let planes = if has_upper { 2 * storey } else { storey };
        let registers = if has_registers { Register::count(players) } else { 0 };
        let upper = if has_upper { Make::UPPER } else { 0 };
        let more = if has_registers { Make::REGISTERS } else { 0 };
        Position {
            planes: SmallVec::from_elem(0, planes + registers),
            marks: SmallVec::new(),
            eliminated: PlayerSet::EMPTY,
            hash: hash::slot(slot),
            slot,
            words: words as u8,
            players: players as u8,
            kinds: kinds as u8,
            make: Make(tags as u8 | upper | more),
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

    /// The piece on a square; of two that share it, the host.
    pub fn piece(&self, square: Square) -> Option<Piece> {
        self.piece_at(Spot::host(square))
    }

    /// The guest on a square.
    pub fn guest(&self, square: Square) -> Option<Piece> {
        self.piece_at(Spot::guest(square))
    }

    /// The piece in a spot.
    pub fn piece_at(&self, spot: Spot) -> Option<Piece> {
        self.is_taken(spot).then(|| self.known_piece(spot))
    }

    /// All pieces but guests, by square.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.storey_of_pieces(false).map(|(spot, piece)| (spot.square, piece))
    }

    /// All pieces, hosts before guests.
    pub fn men(&self) -> impl Iterator<Item = (Spot, Piece)> + '_ {
        let guests = self.make.has_upper().then(|| self.storey_of_pieces(true));
        self.storey_of_pieces(false).chain(guests.into_iter().flatten())
    }

    /// All guests, by square; there are some only in games with squares for two.
    pub fn guests(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        let guests = self.make.has_upper().then(|| self.storey_of_pieces(true));
        guests.into_iter().flatten().map(|(spot, piece)| (spot.square, piece))
    }

    fn storey_of_pieces(&self, guest: bool) -> impl Iterator<Item = (Spot, Piece)> + '_ {
        let words = self.words();
        let base = self.base(guest);
        (0..words).flat_map(move |word| {
            let players = FIRST_PLAYER..self.first_kind();
            let occupied = players.fold(0, |set, plane| set | self.planes[base + plane * words + word]);
            bits_of(occupied).map(move |bit| {
                let spot = Spot { square: Square((word * 64) as u16 + bit), guest };
                (spot, self.known_piece(spot))
            })
        })
    }

    /// How many pieces are on the board.
    pub fn piece_count(&self) -> u32 {
        let storey = |guest: bool| {
            let players = FIRST_PLAYER * self.words()..self.first_kind() * self.words();
            let words = &self.planes[self.base(guest)..][players];
            words.iter().map(|word| word.count_ones()).sum::<u32>()
        };
        storey(false) + if self.make.has_upper() { storey(true) } else { 0 }
    }

    /// The planes as sets; the position is of that width.
    pub(crate) fn planes<const W: usize>(&self) -> Planes<'_, W> {
        let storey = self.storey();
        let upper = self.make.has_upper().then(|| &self.planes[storey..2 * storey]);
        let counts = (usize::from(self.players), usize::from(self.kinds));
        Planes::new(&self.planes[..storey], upper, counts).expect("a position has the width of its rules")
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

    /// A word of the plane of a player, among guests or all others.
    pub(crate) fn player_word(&self, player: Player, word: usize, guests: bool) -> u64 {
        self.planes[self.base(guests) + (FIRST_PLAYER + player.index()) * self.words() + word]
    }

    /// A word of the planes of some kinds together, among guests or all others.
    pub(crate) fn kinds_word(&self, kinds: &[Kind], word: usize, guests: bool) -> u64 {
        let words = self.words();
        let planes = &self.planes[self.base(guests) + self.first_kind() * words + word..];
        kinds.iter().fold(0, |set, kind| set | planes[kind.index() * words])
    }

    pub(crate) fn kind_count(&self) -> usize {
        usize::from(self.kinds)
    }

    fn words(&self) -> usize {
        usize::from(self.words)
    }

    /// How many words a storey has.
    fn storey(&self) -> usize {
        self.words() * (self.first_kind() + self.kind_count() + self.make.tags())
    }

    /// Where a storey begins.
    fn base(&self, guest: bool) -> usize {
        if guest { self.storey() } else { 0 }
    }

    fn has(&self, plane: usize, spot: Spot) -> bool {
        let index = spot.square.index();
        self.planes[self.base(spot.guest) + plane * self.words() + index / 64] >> (index % 64) & 1 == 1
    }

    fn flip(&mut self, plane: usize, spot: Spot) {
        let index = spot.square.index();
        let word = self.base(spot.guest) + plane * self.words() + index / 64;
        self.planes[word] ^= 1 << (index % 64);
    }

    fn first_kind(&self) -> usize {
        FIRST_PLAYER + usize::from(self.players)
    }

    fn first_tag(&self) -> usize {
        self.first_kind() + self.kind_count()
    }

    pub(crate) fn occupied(&self, square: Square) -> bool {
        self.is_taken(Spot::host(square))
    }

    fn is_taken(&self, spot: Spot) -> bool {
        (!spot.guest || self.make.has_upper())
            && (FIRST_PLAYER..self.first_kind()).any(|plane| self.has(plane, spot))
    }

    /// Whether two may share a square.
    pub(crate) fn has_upper(&self) -> bool {
        self.make.has_upper()
    }

    pub(crate) fn has_guest(&self, square: Square) -> bool {
        self.make.has_upper() && self.is_taken(Spot::guest(square))
    }

    pub(crate) fn unmoved(&self, square: Square) -> bool {
        self.has(UNMOVED, Spot::host(square))
    }

    pub(crate) fn owned_by(&self, player: Player, square: Square) -> bool {
        self.has(FIRST_PLAYER + player.index(), Spot::host(square))
    }

    pub(crate) fn is_kind(&self, kind: Kind, square: Square) -> bool {
        self.has(self.first_kind() + kind.index(), Spot::host(square))
    }

    /// What stands in a spot that is taken.
    fn known_piece(&self, spot: Spot) -> Piece {
        Piece { player: self.owner(spot), kind: self.kind_at(spot), unmoved: self.has(UNMOVED, spot) }
    }

    /// The owner of the piece in a spot that is taken.
    fn owner(&self, spot: Spot) -> Player {
        let owns = |player: &Player| self.has(FIRST_PLAYER + player.index(), spot);
        (0..self.players).map(Player).find(owns).expect("occupied")
    }

    /// The kind of the piece in a spot that is taken.
    pub(crate) fn kind_at(&self, spot: Spot) -> Kind {
        let is = |kind: &Kind| self.has(self.first_kind() + kind.index(), spot);
        (0..self.kinds).map(Kind).find(is).expect("occupied")
    }

    /// The value of the game's tag that the piece in a spot carries.
    pub fn tag(&self, spot: Spot) -> Option<u8> {
        let tags = self.make.tags() as u8;
        (0..tags).find(|tag| self.has(self.first_tag() + usize::from(*tag), spot))
    }

    /// The squares of a player's pieces of one kind, guests left out: a leader is never a guest.
    pub fn army(&self, player: Player, kind: Kind) -> impl Iterator<Item = Square> + '_ {
        let words = self.words();
        let player = (FIRST_PLAYER + player.index()) * words;
        let kind = (self.first_kind() + kind.index()) * words;
        (0..words).flat_map(move |word| {
            bits_of(self.planes[player + word] & self.planes[kind + word])
                .map(move |bit| Square((word * 64) as u16 + bit))
        })
    }

    /// Everything that stands on a board of at most 64 squares as bits: what has never moved, then a word for each player, then
    /// one for each kind. Guests are left out.
    pub fn narrow(&self) -> Option<(u64, &[u64], &[u64])> {
        let (players, kinds) = self
            .planes
            .get(..self.storey())?
            .get(FIRST_PLAYER..)?
            .split_at_checked(usize::from(self.players))?;
        (self.words == 1).then_some((self.planes[UNMOVED], players, kinds))
    }

    /// The squares of a player's pieces of one kind as bits, guests too: the 64 squares from `64 * word` on.
    pub fn army_bits(&self, player: Player, kind: Kind, word: usize) -> u64 {
        let bits = |guests| self.player_word(player, word, guests) & self.kinds_word(&[kind], word, guests);
        if self.make.has_upper() { bits(false) | bits(true) } else { bits(false) }
    }

    /// The squares of what has never moved as bits, guests left out.
    pub fn unmoved_bits(&self, word: usize) -> u64 {
        self.planes[UNMOVED * self.words() + word]
    }

    /// The squares of what carries a value of the game's tag as bits, guests too.
    pub fn tag_bits(&self, tag: u8, word: usize) -> u64 {
        let plane = (self.first_tag() + usize::from(tag)) * self.words() + word;
        self.planes[plane] | if self.make.has_upper() { self.planes[self.base(true) + plane] } else { 0 }
    }

    /// Where a player's pieces of one kind stand, guests too.
    pub(crate) fn spots_of(&self, player: Player, kind: Kind) -> impl Iterator<Item = Spot> + '_ {
        let is_meant = move |piece: &Piece| piece.player == player && piece.kind == kind;
        let guests = self.make.has_upper().then(|| self.storey_of_pieces(true)).into_iter().flatten();
        let guests = guests.filter(move |(_, piece)| is_meant(piece)).map(|(spot, _)| spot);
        self.army(player, kind).map(Spot::host).chain(guests)
    }

    pub(crate) fn marked(&self, square: Square, flag: Flag) -> bool {
        self.marks.iter().any(|mark| mark.square == square && mark.flag == flag)
    }

    /// Puts a piece into an empty spot, with the value of the tag that it carries.
    pub(crate) fn put_at(&mut self, spot: Spot, piece: Piece, tag: Option<u8>) {
        debug_assert!(!self.is_taken(spot));
        self.toggle(spot, piece, tag);
    }

    /// Puts a piece into a spot, or takes it out.
    fn toggle(&mut self, spot: Spot, piece: Piece, tag: Option<u8>) {
        let (words, first_kind, first_tag) = (self.words(), self.first_kind(), self.first_tag());
        let index = spot.square.index();
        let (at, bit) = (self.base(spot.guest) + index / 64, 1 << (index % 64));
        let planes = self.planes.as_mut_slice();
        planes[at + (FIRST_PLAYER + piece.player.index()) * words] ^= bit;
        planes[at + (first_kind + piece.kind.index()) * words] ^= bit;
        self.hash ^= hash::piece(piece.player, piece.kind, spot);
        if piece.unmoved {
            planes[at + UNMOVED * words] ^= bit;
            self.hash ^= hash::unmoved(spot);
        }
        if let Some(tag) = tag {
            planes[at + (first_tag + usize::from(tag)) * words] ^= bit;
            self.hash ^= hash::tag(tag, spot);
        }
    }

    /// Removes the piece on an occupied square, flags and all; a guest stays, and has the square to itself.
    pub(crate) fn remove(&mut self, square: Square) -> Piece {
        self.drop_marks(square);
        let piece = self.take(Spot::host(square)).0;
        self.let_in(square);
        piece
    }

    /// Moves a piece of that owner and kind from one spot into another that is empty; its flags stay for the caller.
    pub(crate) fn carry(&mut self, from: Spot, to: Spot, player: Player, kind: Kind) {
        let piece = Piece { player, kind, unmoved: self.has(UNMOVED, from) };
        let tag = self.tag(from);
        self.toggle(from, piece, tag);
        self.toggle(to, Piece { unmoved: false, ..piece }, tag);
    }

    /// Takes the piece out of a spot; its flags stay for the caller to move or to drop.
    pub(crate) fn take(&mut self, spot: Spot) -> (Piece, Option<u8>) {
        let piece = self.known_piece(spot);
        let tag = self.tag(spot);
        self.toggle(spot, piece, tag);
        (piece, tag)
    }

    /// A guest whose host is gone has the square to itself.
    pub(crate) fn let_in(&mut self, square: Square) {
        if self.has_guest(square) && !self.occupied(square) {
            let (piece, tag) = self.take(Spot::guest(square));
            self.put_at(Spot::host(square), piece, tag);
        }
    }

    /// Moves a piece to an empty square; flags go with it. What it was is returned.
    pub(crate) fn shift(&mut self, from: Square, to: Square, piece: Piece, unmoved: bool) {
        let tag = if self.make.tags() == 0 { None } else { self.tag(Spot::host(from)) };
        self.toggle(Spot::host(from), piece, tag);
        self.put_at(Spot::host(to), Piece { unmoved, ..piece }, tag);
        self.move_marks(from, to);
        if self.make.has_upper() {
            self.let_in(from);
        }
    }

    pub(crate) fn move_marks(&mut self, from: Square, to: Square) {
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
        debug_assert!(self.unmoved(square));
        self.flip(UNMOVED, Spot::host(square));
        self.hash ^= hash::unmoved(Spot::host(square));
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

    fn registers(&self) -> &[u64] {
        if !self.make.has_registers() {
            return &[];
        }
        let storeys = if self.make.has_upper() { 2 } else { 1 };
        &self.planes[storeys * self.storey()..]
    }

    /// A register; 0 if the position has none.
    pub(crate) fn register(&self, register: Register) -> u64 {
        self.registers().get(register.index()).copied().unwrap_or(0)
    }

    /// Sets a register of a position that has them.
    pub(crate) fn set_register(&mut self, register: Register, word: u64) {
        let index = register.index();
        let first = self.planes.len() - self.registers().len();
        let old = std::mem::replace(&mut self.planes[first + index], word);
        self.hash ^= hash::register(index, old) ^ hash::register(index, word);
    }

    /// The key, computed anew; what [`Position::key`] must be.
    pub fn key_from_scratch(&self) -> u64 {
        let mut key = hash::slot(self.slot) ^ hash::eliminated(self.eliminated);
        for (spot, piece) in self.men() {
            key ^= hash::piece(piece.player, piece.kind, spot);
            if piece.unmoved {
                key ^= hash::unmoved(spot);
            }
            key ^= self.tag(spot).map_or(0, |tag| hash::tag(tag, spot));
        }
        for (index, word) in self.registers().iter().enumerate() {
            key ^= hash::register(index, *word);
        }
        self.marks.iter().fold(key, |key, mark| key ^ hash::mark(mark))
    }
}

/// What is known about whole armies, by its place after the planes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Register {
    /// The players whose army is frozen.
    Frozen,
    /// The players who hold a square that wins.
    Holding,
    /// The die.
    Die,
    /// About one player: who has captured his leader (one more than his number), and, from bit 8 on, who controls his army.
    Fate(Player),
}

impl Register {
    fn index(self) -> usize {
        match self {
            Register::Frozen => 0,
            Register::Holding => 1,
            Register::Die => 2,
            Register::Fate(player) => 3 + player.index(),
        }
    }

    fn count(players: usize) -> usize {
        3 + players
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
