//! The state of a game: a small value that is copied, never undone.
//!
//! The board is a list of bit planes, as wide as the board needs: unmoved pieces, one plane per player, one per kind,
//! and one per value of the game's tag. Games in which two pieces can share a square have a second layer of planes
//! for the guests. *Registers* with the state of whole armies follow the planes, if the game has any. Few flags exist
//! at a time, so they are a short sorted list.

mod armies;
mod identity;
mod setup;
mod turn_state;
pub(crate) mod zobrist;

pub use identity::Identity;
pub use setup::{Setup, SetupError};
pub(crate) use turn_state::TurnState;

use smallvec::SmallVec;

use crate::compile::words_for;
use crate::endings::Termination;
use crate::movegen::general::Planes;
use crate::moves::Move;
use crate::piece::{Flag, Kind, Piece, Player, PlayerSet};
use crate::square::Square;

/// A playable state of a game.
///
/// # Equality
///
/// Two positions are equal if they have the same pieces, moved or not, the same flags and the same turn. Use
/// [`crate::Rules::identity`] to compare positions for repetition.
///
/// A position belongs to the rules that created it. Other rules may misread it or panic.
#[derive(Debug, PartialEq, Eq)]
pub struct Position {
    /// Planes of `words` words each, layer by layer, then the registers. A chess position does not use the heap.
    planes: SmallVec<[u64; 9]>,
    marks: SmallVec<[Mark; 1]>,
    eliminated: PlayerSet,
    hash: u64,
    slot: u16,
    words: u8,
    players: u8,
    kinds: u8,
    layout: Layout,
    ended: Option<Termination>,
}

/// The parts of a position beyond the first layer: the number of tag values, whether there is a second layer, and
/// whether there are registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layout(u8);

impl Layout {
    const UPPER: u8 = 0x80;
    const REGISTERS: u8 = 0x40;
    const HANDS: u8 = 0x20;
    const PARTS: u8 = 0x10;

    fn tags(self) -> usize {
        usize::from(self.0 & 0x0f)
    }

    fn has_upper(self) -> bool {
        self.0 & Self::UPPER != 0
    }

    fn has_registers(self) -> bool {
        self.0 & Self::REGISTERS != 0
    }

    fn has_parts(self) -> bool {
        self.0 & Self::PARTS != 0
    }

    fn has_hands(self) -> bool {
        self.0 & Self::HANDS != 0
    }
}

/// The dimensions of a position.
#[derive(Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "independent parts of a position")]
pub(crate) struct Capacity {
    pub(crate) squares: usize,
    pub(crate) players: usize,
    pub(crate) kinds: usize,
    pub(crate) tags: usize,
    pub(crate) has_upper: bool,
    pub(crate) has_registers: bool,
    pub(crate) has_hands: bool,
    pub(crate) has_parts: bool,
    /// The number of values that counters have.
    pub(crate) counters: usize,
}

/// A place for a piece: a square, as its only piece or host, or as its guest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spot {
    /// The square.
    pub square: Square,
    /// Whether the piece is the guest.
    pub guest: bool,
}

impl Spot {
    /// Returns the place of a single piece or a host.
    #[inline]
    pub fn host(square: Square) -> Self {
        Spot { square, guest: false }
    }

    /// Returns the place of a guest.
    #[inline]
    pub fn guest(square: Square) -> Self {
        Spot { square, guest: true }
    }
}

impl Clone for Position {
    /// Copies the planes as one block of memory.
    fn clone(&self) -> Self {
        Position {
            planes: SmallVec::from_slice(&self.planes),
            marks: SmallVec::from_slice(&self.marks),
            ..*self
        }
    }

    /// Reuses the allocation: positions of the same game have the same number of planes.
    fn clone_from(&mut self, other: &Self) {
        let Position { planes, marks, eliminated, hash, slot, words, players, kinds, layout, ended } = other;
        if self.planes.len() == planes.len() {
            self.planes.copy_from_slice(planes);
        } else {
            self.planes = SmallVec::from_slice(planes);
        }
        self.marks.clear();
        self.marks.extend_from_slice(marks);
        (self.eliminated, self.hash, self.slot) = (*eliminated, *hash, *slot);
        (self.words, self.players, self.kinds) = (*words, *players, *kinds);
        (self.layout, self.ended) = (*layout, *ended);
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
    /// The square of the piece.
    pub square: Square,
    /// The flag.
    pub flag: Flag,
    /// The time left; unlimited if `None`.
    pub countdown: Option<Countdown>,
}

/// The time left for a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Countdown {
    /// The slot that set the flag. Its own turns do not count.
    pub slot: u16,
    /// The remaining turns of other slots.
    pub remaining: u32,
}

const UNMOVED: usize = 0;
const FIRST_PLAYER: usize = 1;

impl Position {
    /// Returns an empty board with `slot` to move.
    pub(crate) fn empty(capacity: Capacity, slot: u16) -> Self {
        let Capacity {
            squares,
            players,
            kinds,
            tags,
            has_upper,
            has_registers,
            has_hands,
            has_parts,
            counters,
        } = capacity;
        let words = words_for(squares);
        let layer = words * (FIRST_PLAYER + players + kinds + tags);
        let planes = if has_upper { 2 * layer } else { layer };
        let armies = if has_registers { Register::count(players) } else { 0 };
        let hands = if has_hands { hand_words(players, kinds) } else { 0 };
        let turn = if has_parts { TurnState::WORDS } else { 0 };
        let registers = armies + hands + counters.div_ceil(COUNTERS_PER_WORD) + turn;
        let upper = if has_upper { Layout::UPPER } else { 0 };
        let more = if has_registers { Layout::REGISTERS } else { 0 }
            | if has_hands { Layout::HANDS } else { 0 }
            | if has_parts { Layout::PARTS } else { 0 };
        Position {
            planes: SmallVec::from_elem(0, planes + registers),
            marks: SmallVec::new(),
            eliminated: PlayerSet::EMPTY,
            hash: zobrist::slot(slot),
            slot,
            words: words as u8,
            players: players as u8,
            kinds: kinds as u8,
            layout: Layout(tags as u8 | upper | more),
            ended: None,
        }
    }

    /// Returns the current slot: an index into the turn order.
    #[inline]
    pub fn slot(&self) -> u16 {
        self.slot
    }

    /// Returns the players who are out of the game.
    #[inline]
    pub fn eliminated(&self) -> PlayerSet {
        self.eliminated
    }

    /// Returns why the game is over, if it ended before a move was due. [`crate::Rules::outcome`] also finds
    /// checkmate and stalemate between the last two players.
    #[inline]
    pub fn ended(&self) -> Option<Termination> {
        self.ended
    }

    /// Returns the Zobrist key, updated with every move. Equal positions have equal keys. Positions that are equal
    /// only for repetition may have different keys.
    #[inline]
    pub fn key(&self) -> u64 {
        self.hash
    }

    /// Returns the flags on the board, sorted by square.
    #[inline]
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// Returns the piece on a square; if two share it, the host.
    #[inline]
    pub fn piece(&self, square: Square) -> Option<Piece> {
        self.piece_at(Spot::host(square))
    }

    /// Returns the guest on a square.
    #[inline]
    pub fn guest(&self, square: Square) -> Option<Piece> {
        self.piece_at(Spot::guest(square))
    }

    /// Returns the piece in a spot; `None` also for the source of a drop.
    #[inline]
    pub fn piece_at(&self, spot: Spot) -> Option<Piece> {
        let is_on_board = spot.square.index() < 64 * self.words();
        (is_on_board && self.is_filled(spot)).then(|| self.known_piece(spot))
    }

    /// Iterates over all pieces except guests, by square.
    #[inline]
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.layer_pieces(false).map(|(spot, piece)| (spot.square, piece))
    }

    /// Iterates over all pieces, hosts before guests.
    #[inline]
    pub fn all_pieces(&self) -> impl Iterator<Item = (Spot, Piece)> + '_ {
        let guests = self.layout.has_upper().then(|| self.layer_pieces(true));
        self.layer_pieces(false).chain(guests.into_iter().flatten())
    }

    /// Iterates over all guests, by square. Only games with shared squares have any.
    #[inline]
    pub fn guests(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        let guests = self.layout.has_upper().then(|| self.layer_pieces(true));
        guests.into_iter().flatten().map(|(spot, piece)| (spot.square, piece))
    }

    fn layer_pieces(&self, guest: bool) -> impl Iterator<Item = (Spot, Piece)> + '_ {
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

    /// Returns the number of pieces on the board.
    #[inline]
    pub fn piece_count(&self) -> u32 {
        let layer = |guest: bool| {
            let players = FIRST_PLAYER * self.words()..self.first_kind() * self.words();
            let words = &self.planes[self.base(guest)..][players];
            words.iter().map(|word| word.count_ones()).sum::<u32>()
        };
        layer(false) + if self.layout.has_upper() { layer(true) } else { 0 }
    }

    /// Returns the number of a player's pieces on the board.
    pub(crate) fn pieces_of(&self, player: Player) -> u32 {
        let layers = if self.layout.has_upper() { &[false, true][..] } else { &[false] };
        let words =
            |guests| (0..self.words()).map(move |word| self.player_word(player, word, guests).count_ones());
        layers.iter().flat_map(|guests| words(*guests)).sum()
    }

    /// Returns the planes as bitboards. `W` must be the width of the position.
    pub(crate) fn planes<const W: usize>(&self) -> Planes<'_, W> {
        let layer = self.layer();
        let upper = self.layout.has_upper().then(|| &self.planes[layer..2 * layer]);
        let counts = (usize::from(self.players), usize::from(self.kinds));
        Planes::new(&self.planes[..layer], upper, counts).expect("a position has the width of its rules")
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

    /// Returns one word of a player's plane, in the layer of guests or of all other pieces.
    pub(crate) fn player_word(&self, player: Player, word: usize, guests: bool) -> u64 {
        self.planes[self.base(guests) + (FIRST_PLAYER + player.index()) * self.words() + word]
    }

    /// Returns one word of the union of some kinds' planes, in the layer of guests or of all other pieces.
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

    /// Returns the number of words in a layer.
    fn layer(&self) -> usize {
        self.words() * (self.first_kind() + self.kind_count() + self.layout.tags())
    }

    /// Returns the index of a layer's first word.
    fn base(&self, guest: bool) -> usize {
        if guest { self.layer() } else { 0 }
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
        self.is_filled(Spot::host(square))
    }

    fn is_filled(&self, spot: Spot) -> bool {
        (!spot.guest || self.layout.has_upper())
            && (FIRST_PLAYER..self.first_kind()).any(|plane| self.has(plane, spot))
    }

    /// Returns whether squares can be shared.
    pub(crate) fn has_upper(&self) -> bool {
        self.layout.has_upper()
    }

    pub(crate) fn has_guest(&self, square: Square) -> bool {
        self.layout.has_upper() && self.is_filled(Spot::guest(square))
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

    /// Returns the piece in an occupied spot.
    fn known_piece(&self, spot: Spot) -> Piece {
        Piece { player: self.owner(spot), kind: self.kind_at(spot), unmoved: self.has(UNMOVED, spot) }
    }

    /// Returns the owner of the piece in an occupied spot.
    fn owner(&self, spot: Spot) -> Player {
        let owns = |player: &Player| self.has(FIRST_PLAYER + player.index(), spot);
        (0..self.players).map(Player).find(owns).expect("occupied")
    }

    /// Returns the kind of the piece in an occupied spot.
    pub(crate) fn kind_at(&self, spot: Spot) -> Kind {
        let is = |kind: &Kind| self.has(self.first_kind() + kind.index(), spot);
        (0..self.kinds).map(Kind).find(is).expect("occupied")
    }

    /// Returns the tag value of the piece in a spot.
    #[inline]
    pub fn tag(&self, spot: Spot) -> Option<u8> {
        let tags = self.layout.tags() as u8;
        (0..tags).find(|tag| self.has(self.first_tag() + usize::from(*tag), spot))
    }

    /// Iterates over the squares of a player's pieces of one kind, except guests. A leader is never a guest.
    #[inline]
    pub fn squares_of(&self, player: Player, kind: Kind) -> impl Iterator<Item = Square> + '_ {
        let words = self.words();
        let player = (FIRST_PLAYER + player.index()) * words;
        let kind = (self.first_kind() + kind.index()) * words;
        (0..words).flat_map(move |word| {
            bits_of(self.planes[player + word] & self.planes[kind + word])
                .map(move |bit| Square((word * 64) as u16 + bit))
        })
    }

    /// Returns a board of at most 64 squares as bits: the unmoved pieces, one word per player, one word per kind.
    /// Guests are left out.
    #[inline]
    pub fn planes64(&self) -> Option<(u64, &[u64], &[u64])> {
        let (players, kinds) = self
            .planes
            .get(..self.layer())?
            .get(FIRST_PLAYER..)?
            .split_at_checked(usize::from(self.players))?;
        (self.words == 1).then_some((self.planes[UNMOVED], players, kinds))
    }

    /// Returns a player's pieces of one kind as bits, including guests: the 64 squares starting at `64 * word`.
    #[inline]
    pub fn piece_bits(&self, player: Player, kind: Kind, word: usize) -> u64 {
        let bits = |guests| self.player_word(player, word, guests) & self.kinds_word(&[kind], word, guests);
        if self.layout.has_upper() { bits(false) | bits(true) } else { bits(false) }
    }

    /// Returns the unmoved pieces as bits, except guests.
    #[inline]
    pub fn unmoved_bits(&self, word: usize) -> u64 {
        self.planes[UNMOVED * self.words() + word]
    }

    /// Returns the pieces with a tag value as bits, including guests.
    #[inline]
    pub fn tag_bits(&self, tag: u8, word: usize) -> u64 {
        let plane = (self.first_tag() + usize::from(tag)) * self.words() + word;
        self.planes[plane] | if self.layout.has_upper() { self.planes[self.base(true) + plane] } else { 0 }
    }

    /// Iterates over the spots of a player's pieces of one kind, including guests.
    pub(crate) fn spots_of(&self, player: Player, kind: Kind) -> impl Iterator<Item = Spot> + '_ {
        let is_included = move |piece: &Piece| piece.player == player && piece.kind == kind;
        let guests = self.layout.has_upper().then(|| self.layer_pieces(true)).into_iter().flatten();
        let guests = guests.filter(move |(_, piece)| is_included(piece)).map(|(spot, _)| spot);
        self.squares_of(player, kind).map(Spot::host).chain(guests)
    }

    pub(crate) fn marked(&self, square: Square, flag: Flag) -> bool {
        self.marks.iter().any(|mark| mark.square == square && mark.flag == flag)
    }

    /// Puts a piece into an empty spot.
    pub(crate) fn put_at(&mut self, spot: Spot, piece: Piece, tag: Option<u8>) {
        debug_assert!(!self.is_filled(spot));
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
        self.hash ^= zobrist::piece(piece.player, piece.kind, spot);
        if piece.unmoved {
            planes[at + UNMOVED * words] ^= bit;
            self.hash ^= zobrist::unmoved(spot);
        }
        if let Some(tag) = tag {
            planes[at + (first_tag + usize::from(tag)) * words] ^= bit;
            self.hash ^= zobrist::tag(tag, spot);
        }
    }

    /// Returns whether there is nothing but pieces on the board: no flags, tags, guests or registers.
    pub(crate) fn is_bare(&self) -> bool {
        self.marks.is_empty() && self.layout == Layout(0)
    }

    /// Returns the key after a move of a moved piece to a square, with the piece captured there.
    pub(crate) fn key_after(
        &self,
        (player, kind): (Player, Kind),
        played: Move,
        captured: Option<Piece>,
        slot: u16,
    ) -> u64 {
        let part = |player, kind, square| zobrist::piece(player, kind, Spot::host(square));
        let taken = captured.map_or(0, |piece| part(piece.player, piece.kind, played.to));
        let moved = part(player, kind, played.from) ^ part(player, kind, played.to);
        self.hash ^ moved ^ taken ^ zobrist::slot(self.slot) ^ zobrist::slot(slot)
    }

    /// Removes the piece on an occupied square with its flags. A guest stays as the only piece.
    pub(crate) fn remove(&mut self, square: Square) -> Piece {
        self.drop_marks(square);
        let piece = self.take(Spot::host(square)).0;
        self.settle_guest(square);
        piece
    }

    /// Moves a piece to an empty spot. The caller moves or drops its flags.
    pub(crate) fn carry(&mut self, from: Spot, to: Spot, player: Player, kind: Kind) {
        let piece = Piece { player, kind, unmoved: self.has(UNMOVED, from) };
        let tag = self.tag(from);
        self.toggle(from, piece, tag);
        self.toggle(to, Piece { unmoved: false, ..piece }, tag);
    }

    /// Takes the piece out of a spot. The caller moves or drops its flags.
    pub(crate) fn take(&mut self, spot: Spot) -> (Piece, Option<u8>) {
        let piece = self.known_piece(spot);
        let tag = self.tag(spot);
        self.toggle(spot, piece, tag);
        (piece, tag)
    }

    /// Makes a guest without a host the only piece on its square.
    pub(crate) fn settle_guest(&mut self, square: Square) {
        if self.has_guest(square) && !self.occupied(square) {
            let (piece, tag) = self.take(Spot::guest(square));
            self.put_at(Spot::host(square), piece, tag);
        }
    }

    /// Moves a piece to an empty square together with its flags.
    pub(crate) fn shift(&mut self, from: Square, to: Square, piece: Piece, unmoved: bool) {
        let tag = if self.layout.tags() == 0 { None } else { self.tag(Spot::host(from)) };
        self.toggle(Spot::host(from), piece, tag);
        self.put_at(Spot::host(to), Piece { unmoved, ..piece }, tag);
        self.move_marks(from, to);
        if self.layout.has_upper() {
            self.settle_guest(from);
        }
    }

    pub(crate) fn move_marks(&mut self, from: Square, to: Square) {
        if self.marks.iter().any(|mark| mark.square == from) {
            for index in 0..self.marks.len() {
                if self.marks[index].square == from {
                    self.hash ^= zobrist::mark(&self.marks[index]);
                    self.marks[index].square = to;
                    self.hash ^= zobrist::mark(&self.marks[index]);
                }
            }
            self.marks.sort_unstable();
        }
    }

    /// Sets a flag, replacing the same flag on the same square.
    pub(crate) fn mark(&mut self, mark: Mark) {
        self.retain_marks(|other| (other.square, other.flag) != (mark.square, mark.flag));
        self.hash ^= zobrist::mark(&mark);
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
            self.hash ^= zobrist::mark(mark);
        }
        self.marks.retain(|mark| keep(mark));
    }

    /// Counts down every flag that was set by another slot than the current one.
    pub(crate) fn count_down(&mut self) {
        if self.marks.is_empty() {
            return;
        }
        let slot = self.slot;
        for mark in &mut self.marks {
            if let Some(countdown) = &mut mark.countdown
                && countdown.slot != slot
            {
                self.hash ^= zobrist::mark(mark);
                let Some(countdown) = &mut mark.countdown else { continue };
                countdown.remaining -= 1;
                self.hash ^= zobrist::mark(mark);
            }
        }
        self.retain_marks(|mark| mark.countdown.is_none_or(|countdown| countdown.remaining > 0));
    }

    /// Marks a piece as moved.
    pub(crate) fn forget_unmoved(&mut self, square: Square) {
        debug_assert!(self.unmoved(square));
        self.flip(UNMOVED, Spot::host(square));
        self.hash ^= zobrist::unmoved(Spot::host(square));
    }

    pub(crate) fn set_slot(&mut self, slot: u16) {
        self.hash ^= zobrist::slot(self.slot) ^ zobrist::slot(slot);
        self.slot = slot;
    }

    pub(crate) fn eliminate(&mut self, players: PlayerSet) {
        self.hash ^= zobrist::eliminated(self.eliminated);
        self.eliminated = self.eliminated.union(players);
        self.hash ^= zobrist::eliminated(self.eliminated);
    }

    pub(crate) fn end(&mut self, reason: Termination) {
        self.ended = Some(reason);
    }

    /// Returns the index of the first word behind the planes.
    fn first_register(&self) -> usize {
        let layers = if self.layout.has_upper() { 2 } else { 1 };
        layers * self.layer()
    }

    /// Returns the words behind the planes: the registers of armies, the hands and the counters.
    fn registers(&self) -> &[u64] {
        &self.planes[self.first_register()..]
    }

    /// Returns a register; 0 if the position has none.
    pub(crate) fn register(&self, register: Register) -> u64 {
        if !self.layout.has_registers() {
            return 0;
        }
        self.registers()[register.index()]
    }

    /// Sets a register. The position must have registers.
    pub(crate) fn set_register(&mut self, register: Register, word: u64) {
        self.set_word(register.index(), word);
    }

    /// Sets a word behind the planes.
    fn set_word(&mut self, index: usize, word: u64) {
        let first = self.first_register();
        let old = std::mem::replace(&mut self.planes[first + index], word);
        self.hash ^= zobrist::register(index, old) ^ zobrist::register(index, word);
    }

    /// Returns the index of the word with the first hand.
    fn first_hand(&self) -> usize {
        if self.layout.has_registers() { Register::count(usize::from(self.players)) } else { 0 }
    }

    /// Returns the number of pieces of a kind in a player's hand.
    #[inline]
    pub fn in_hand(&self, player: Player, kind: Kind) -> u8 {
        if !self.layout.has_hands() {
            return 0;
        }
        let index = player.index() * self.kind_count() + kind.index();
        (self.registers()[self.first_hand() + index / 8] >> (index % 8 * 8)) as u8
    }

    /// Returns the number of pieces in a player's hand.
    pub fn hand_size(&self, player: Player) -> u32 {
        if !self.layout.has_hands() {
            return 0;
        }
        (0..self.kinds).map(|kind| u32::from(self.in_hand(player, Kind(kind)))).sum()
    }

    /// Sets the number of pieces of a kind in a player's hand. The game must have hands.
    pub(crate) fn set_in_hand(&mut self, player: Player, kind: Kind, count: u8) {
        let index = player.index() * self.kind_count() + kind.index();
        let (word, shift) = (self.first_hand() + index / 8, index % 8 * 8);
        let old = self.registers()[word];
        self.set_word(word, old & !(0xff << shift) | u64::from(count) << shift);
    }

    fn first_counter(&self) -> usize {
        let hands = if self.layout.has_hands() {
            hand_words(usize::from(self.players), self.kind_count())
        } else {
            0
        };
        self.first_hand() + hands
    }

    /// Returns a value of a counter, by its place among all values; see [`crate::Rules::counter_place`].
    pub fn counter_value(&self, place: usize) -> u16 {
        let word = self.registers()[self.first_counter() + place / COUNTERS_PER_WORD];
        (word >> (place % COUNTERS_PER_WORD * 16)) as u16
    }

    /// Sets a value of a counter, by its place among all values.
    pub(crate) fn set_counter_value(&mut self, place: usize, value: u16) {
        let (word, shift) =
            (self.first_counter() + place / COUNTERS_PER_WORD, place % COUNTERS_PER_WORD * 16);
        let old = self.registers()[word];
        self.set_word(word, old & !(0xffff << shift) | u64::from(value) << shift);
    }

    /// Computes the key from scratch. It always equals [`Position::key`].
    #[doc(hidden)]
    pub fn key_from_scratch(&self) -> u64 {
        let mut key = zobrist::slot(self.slot) ^ zobrist::eliminated(self.eliminated);
        for (spot, piece) in self.all_pieces() {
            key ^= zobrist::piece(piece.player, piece.kind, spot);
            if piece.unmoved {
                key ^= zobrist::unmoved(spot);
            }
            key ^= self.tag(spot).map_or(0, |tag| zobrist::tag(tag, spot));
        }
        for (index, word) in self.registers().iter().enumerate() {
            key ^= zobrist::register(index, *word);
        }
        self.marks.iter().fold(key, |key, mark| key ^ zobrist::mark(mark))
    }
}

/// The number of values of counters in a word.
const COUNTERS_PER_WORD: usize = 4;

/// Returns the number of words for the hands of all players: a byte for each kind.
fn hand_words(players: usize, kinds: usize) -> usize {
    (players * kinds).div_ceil(8)
}

/// A register with the state of whole armies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Register {
    /// The players whose army is frozen.
    Frozen,
    /// The players who hold a winning square.
    Holding,
    /// The die.
    Die,
    /// The state of one player's army: the captor of its leader plus one in bits 0–7, its controller plus one in bits
    /// 8–15, whether it was handed over in bit 16.
    Army(Player),
}

impl Register {
    fn index(self) -> usize {
        match self {
            Register::Frozen => 0,
            Register::Holding => 1,
            Register::Die => 2,
            Register::Army(player) => 3 + player.index(),
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
