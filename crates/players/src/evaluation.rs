//! The static evaluation: material on the board and in hand, piece placement, structure, mobility, leader safety and
//! counters, in centipawns.
//!
//! Everything is derived from the rules: [`features`] measures the pieces and the board, [`weights`] says how much each
//! feature counts, and [`Evaluation`] combines both into tables.

mod features;
mod goals;
mod hand;
mod mobility;
mod structure;
mod surroundings;
pub(crate) mod weights;

use std::sync::Arc;

use tabiya_engine::mechanics::Lost;
use tabiya_engine::{Kind, Move, Piece, Player, PlayerSet, Position, Rules, Square};

use features::Features;
use structure::PlacedPiece;
pub(crate) use structure::StructureCache;
use surroundings::Surroundings;
use weights::{KindWeights, Pair, Weights};

/// The greatest number of words in a set of squares.
const MAX_WORDS: usize = 16;

/// A set of squares on a board of any size.
type Army = [u64; MAX_WORDS];

/// The evaluation function of one game.
#[derive(Clone, Debug)]
pub(crate) struct Evaluation {
    features: Arc<Features>,
    pub(crate) weights: Weights,
    /// By kind.
    kind_values: Vec<i32>,
    /// Piece-square tables: by player, kind and square.
    square_values: Vec<Pair>,
    /// The material that counts for the game phase, at the start.
    start_phase: i32,
    /// By piece number less one: the squares from which it promotes with its next move, as bits. A set may be empty.
    promotion_squares: Vec<Box<[u64]>>,
    surroundings: Arc<Surroundings>,
    /// By piece number on an [`EvalBoard`]; entry 0 is an empty square.
    piece_info: Vec<PieceInfo>,
}

/// Constants of one piece (player and kind).
#[derive(Clone, Copy, Debug, Default)]
struct PieceInfo {
    value: i32,
    /// What losing it costs. More than its value if it changes hands.
    exchange_value: i32,
    mobility: i32,
    player: u8,
    /// The bit of the piece's side.
    side: u32,
    /// The gain of capturing it.
    capture_score: i32,
    may_capture_en_passant: bool,
    kind: u8,
}

/// A position prepared for evaluation.
#[derive(Clone, Debug, Default)]
pub(crate) struct EvalBoard {
    /// By square: 0, or the piece number: one more than `player * kinds + kind`.
    pieces: Vec<u16>,
    guests: Vec<(Square, u16)>,
    /// The number of the first piece of the player to move, for drops.
    first_of_mover: usize,
    eliminated: PlayerSet,
    /// By side and word: the squares on or beside a leader of the side.
    zones: Vec<u64>,
    /// A hash key of all promotable pieces.
    structure_key: u64,
    /// By side: early score, late score, material that counts for the phase.
    sums: Vec<[i32; 3]>,
    /// The part of the sums that pieces on the board contribute.
    piece_sums: Vec<[i32; 3]>,
    /// By piece number less one and word: the squares of the pieces, as bits.
    sets: Vec<u64>,
    /// Whether the board has neither guests nor pieces of players who are out or frozen.
    is_regular: bool,
    /// By side: the greatest gain of capturing one of its pieces, leaders apart.
    greatest_victims: Vec<i32>,
    /// By piece number: whether it is the last leader that its player must not lose. Empty if every leader decides.
    is_last_leader: Vec<bool>,
}

impl EvalBoard {
    /// Returns the number of the piece that makes a move, or 0 if there is none.
    pub(crate) fn moving_piece(&self, played: Move) -> usize {
        if let Some(kind) = played.dropped() {
            return self.first_of_mover + kind.index();
        }
        if played.guest { self.guest(played.from) } else { usize::from(self.pieces[played.from.index()]) }
    }

    /// Returns the number of the piece on a square, 0 for an empty one. Guests do not count.
    #[inline]
    pub(crate) fn piece_on(&self, square: Square) -> usize {
        usize::from(self.pieces[square.index()])
    }

    /// Returns the greatest gain of capturing a piece that is on the board, of any side but one.
    pub(crate) fn greatest_victim(&self, side: usize) -> i32 {
        let others = self.greatest_victims.iter().enumerate().filter(|(other, _)| *other != side);
        others.map(|(_, gain)| *gain).max().unwrap_or(0)
    }

    fn guest(&self, square: Square) -> usize {
        self.guests.iter().find(|(place, _)| *place == square).map_or(0, |(_, piece)| usize::from(*piece))
    }
}

impl Evaluation {
    /// The value of eliminating an opponent, in addition to its army.
    const OPPONENT_VALUE: i32 = 1000;
    /// The gain of capturing a leader. It exceeds every piece value because it may end the game.
    const LEADER_CAPTURE_SCORE: i32 = 1 << 20;

    /// Derives the evaluation from the rules. This takes a while.
    pub(crate) fn of(rules: &Rules) -> Self {
        let features = Arc::new(Features::of(rules));
        let weights = Weights::of(&features);
        Evaluation::new(rules, features, weights)
    }

    /// Returns the evaluation of the same game with other weights.
    pub(crate) fn with_weights(&self, rules: &Rules, weights: Weights) -> Self {
        Evaluation::new(rules, self.features.clone(), weights)
    }

    fn new(rules: &Rules, features: Arc<Features>, weights: Weights) -> Self {
        let kind_values: Vec<i32> =
            weights.kinds.iter().map(|kind| i32::midpoint(kind.value[0], kind.value[1])).collect();
        let mut square_values = Vec::new();
        for player in 0..features.players {
            for (kind, weight) in weights.kinds.iter().enumerate() {
                for square in 0..features.squares {
                    square_values.push(square_value(&features, &weights, weight, player, kind, square));
                }
            }
        }
        let start = rules.start();
        let counted = start.all_pieces().filter(|(_, piece)| features.counts_for_phase[piece.kind.index()]);
        let start_phase = counted.map(|(_, piece)| kind_values[piece.kind.index()].abs()).sum::<i32>().max(1);
        let piece_info = (0..features.players).flat_map(|player| {
            let (features, kind_values, weights) = (&features, &kind_values, &weights);
            let exchange_value = |kind: usize| match &features.hands {
                Some(hands) => kind_values[kind] + hands.gain_of_capture(kind),
                None => kind_values[kind],
            };
            let is_decisive = move |kind: usize| {
                features.lost == Lost::Any && features.leaders[player].contains(&Kind(kind as u8))
            };
            (0..kind_values.len()).map(move |kind| PieceInfo {
                value: kind_values[kind],
                exchange_value: if is_decisive(kind) { 0 } else { exchange_value(kind) },
                mobility: weights.kinds[kind].mobility,
                player: player as u8,
                side: side_bit(features.side[player]),
                capture_score: if is_decisive(kind) {
                    Self::LEADER_CAPTURE_SCORE
                } else {
                    exchange_value(kind)
                },
                may_capture_en_passant: features.en_passant[kind].contains(&true),
                kind: kind as u8,
            })
        });
        let piece_info = std::iter::once(PieceInfo::default()).chain(piece_info).collect();
        let promotion_squares = promotion_squares(&features);
        let surroundings = Arc::new(Surroundings::of(rules.board()));
        Evaluation {
            features,
            weights,
            kind_values,
            square_values,
            start_phase,
            promotion_squares,
            surroundings,
            piece_info,
        }
    }

    /// Returns the number of different pieces (player and kind).
    pub(crate) fn piece_types(&self) -> usize {
        self.features.players * self.kind_values.len()
    }

    /// Returns the number of squares of the board.
    pub(crate) fn squares(&self) -> usize {
        self.features.squares
    }

    /// Returns the material value of a kind.
    pub(crate) fn kind_value(&self, kind: Kind) -> i32 {
        self.kind_values[kind.index()]
    }

    /// Returns what losing a piece costs, by piece number; an empty square is worth 0.
    pub(crate) fn piece_value(&self, piece: usize) -> i32 {
        self.piece_info[piece].exchange_value
    }

    /// Returns the bit of the side of a piece, by piece number.
    pub(crate) fn side_of_piece(&self, piece: usize) -> u32 {
        self.piece_info[piece].side
    }

    /// Whether the capture of a piece decides, by piece number.
    pub(crate) fn is_leader_piece(&self, piece: usize) -> bool {
        self.piece_info[piece].capture_score == Self::LEADER_CAPTURE_SCORE
    }

    /// Returns the number of a piece of another kind of the same player.
    pub(crate) fn with_kind(&self, piece: usize, kind: Kind) -> usize {
        let first = usize::from(self.piece_info[piece].player) * self.kind_values.len();
        first + kind.index() + 1
    }

    /// Whether a side has a piece that may promote with its next move: it stands where its promotion is nearest.
    pub(crate) fn promotes_soon(&self, board: &EvalBoard, side: usize) -> bool {
        let words = self.words();
        let pieces = self.piece_info[1..].iter().zip(board.sets.chunks(words)).zip(&self.promotion_squares);
        pieces.into_iter().any(|((info, set), squares)| {
            self.features.side[usize::from(info.player)] == side
                && set.iter().zip(&**squares).any(|(set, squares)| set & squares != 0)
        })
    }

    /// Calls `show` with the square of every leader whose capture decides, of all sides but one.
    pub(crate) fn for_each_leader_of_others(
        &self,
        board: &EvalBoard,
        side: usize,
        mut show: impl FnMut(Square),
    ) {
        let words = self.words();
        for (info, set) in self.piece_info[1..].iter().zip(board.sets.chunks(words)) {
            let is_meant = info.capture_score == Self::LEADER_CAPTURE_SCORE
                && self.features.side[usize::from(info.player)] != side;
            if is_meant {
                for (word, bits) in set.iter().enumerate() {
                    let mut bits = *bits;
                    while bits != 0 {
                        show(Square((word * 64) as u16 + bits.trailing_zeros() as u16));
                        bits &= bits - 1;
                    }
                }
            }
        }
    }

    /// Whether the game has hands.
    pub(crate) fn has_hands(&self) -> bool {
        self.features.hands.is_some()
    }

    /// Whether the rules may make captures compulsory.
    pub(crate) fn has_priority(&self) -> bool {
        self.features.has_priority
    }

    /// Returns the early-game value of a piece on a square.
    pub(crate) fn square_value(&self, square: Square, piece: Piece) -> i32 {
        self.square_values[self.number(piece.player, piece.kind) * self.features.squares + square.index()][0]
    }

    fn number(&self, player: Player, kind: Kind) -> usize {
        player.index() * self.kind_values.len() + kind.index()
    }

    /// Whether a player's side has pieces besides leaders and promotable pieces (in chess, non-pawn material).
    pub(crate) fn has_phase_material(&self, board: &EvalBoard, player: Player) -> bool {
        board.sums[self.features.side[player.index()]][2] > 0
    }

    /// Fills `board` from a position.
    pub(crate) fn scan(&self, position: &Position, board: &mut EvalBoard, cache: &mut StructureCache) {
        board.pieces.clear();
        board.pieces.resize(self.features.squares, 0);
        board.structure_key = 0;
        board.guests.clear();
        board.piece_sums.clear();
        board.piece_sums.resize(self.features.sides, [0; 3]);
        board.sets.clear();
        board.eliminated = position.eliminated();
        for (player, kind) in self.all_pieces() {
            board.sets.extend((0..self.words()).map(|word| position.piece_bits(player, kind, word)));
            self.add_pieces(position, board, player, kind, position.squares_of(player, kind), true);
        }
        for (square, piece) in position.guests() {
            board.guests.push((square, self.number(piece.player, piece.kind) as u16 + 1));
            self.add_pieces(position, board, piece.player, piece.kind, std::iter::once(square), false);
        }
        board.is_regular = board.guests.is_empty() && Self::is_regular(position);
        self.complete(position, board, cache);
    }

    /// Fills `board` from a position that differs in a few squares from that of another board, usually the position before.
    pub(crate) fn scan_after(
        &self,
        position: &Position,
        other: &EvalBoard,
        board: &mut EvalBoard,
        cache: &mut StructureCache,
    ) {
        if !other.is_regular || !Self::is_regular(position) || position.guests().next().is_some() {
            return self.scan(position, board, cache);
        }
        board.pieces.clone_from(&other.pieces);
        board.piece_sums.clone_from(&other.piece_sums);
        board.sets.clone_from(&other.sets);
        board.structure_key = other.structure_key;
        board.guests.clear();
        (board.eliminated, board.is_regular) = (PlayerSet::EMPTY, true);
        let words = self.words();
        for (number, (player, kind)) in self.all_pieces().enumerate() {
            for word in 0..words {
                let (new, old) = (position.piece_bits(player, kind, word), board.sets[number * words + word]);
                if new != old {
                    board.sets[number * words + word] = new;
                    self.update_pieces(board, number, word, (old & !new, new & !old));
                }
            }
        }
        self.complete(position, board, cache);
    }

    /// Removes and adds pieces with one number in one word of squares.
    fn update_pieces(&self, board: &mut EvalBoard, number: usize, word: usize, (removed, added): (u64, u64)) {
        let PieceInfo { player, kind, .. } = self.piece_info[number + 1];
        let counts_for_phase = self.features.counts_for_phase[usize::from(kind)];
        let values = &self.square_values[number * self.features.squares..][..self.features.squares];
        let weight = if counts_for_phase { self.kind_values[usize::from(kind)].abs() } else { 0 };
        let sum = &mut board.piece_sums[self.features.side[usize::from(player)]];
        for (mut bits, sign) in [(removed, -1), (added, 1)] {
            while bits != 0 {
                let square = Square((word * 64) as u16 + bits.trailing_zeros() as u16);
                bits &= bits - 1;
                let here = &mut board.pieces[square.index()];
                if sign > 0 {
                    *here = number as u16 + 1;
                } else if usize::from(*here) == number + 1 {
                    // Another piece may already stand there.
                    *here = 0;
                }
                let [early, late] = values[square.index()];
                sum[0] += sign * early;
                sum[1] += sign * late;
                sum[2] += sign * weight;
                let piece = (number as u16, square);
                if !counts_for_phase && self.features.structure.is_promotable(piece) {
                    board.structure_key ^= self.features.structure.key(piece);
                }
            }
        }
    }

    fn is_regular(position: &Position) -> bool {
        position.eliminated().is_empty() && position.frozen().is_empty()
    }

    /// Iterates over all pieces (player and kind) in the order of their numbers.
    fn all_pieces(&self) -> impl Iterator<Item = (Player, Kind)> + use<> {
        let (players, kinds) = (self.features.players as u8, self.kind_values.len() as u8);
        (0..players).flat_map(move |player| (0..kinds).map(move |kind| (Player(player), Kind(kind))))
    }

    /// Returns the number of words in a set of squares.
    fn words(&self) -> usize {
        self.features.squares.div_ceil(64)
    }

    /// Computes everything that follows from the pieces on the board.
    fn complete(&self, position: &Position, board: &mut EvalBoard, cache: &mut StructureCache) {
        board.zones.clear();
        board.zones.resize(self.features.sides * self.words(), 0);
        let mover = self.features.order[usize::from(position.slot())];
        board.first_of_mover = self.number(mover, Kind(0)) + 1;
        board.sums.clone_from(&board.piece_sums);
        board.greatest_victims.clear();
        board.greatest_victims.resize(self.features.sides, 0);
        let words = self.words();
        for (info, set) in self.piece_info[1..].iter().zip(board.sets.chunks(words)) {
            if info.capture_score < Self::LEADER_CAPTURE_SCORE && set.iter().any(|word| *word != 0) {
                let greatest = &mut board.greatest_victims[self.features.side[usize::from(info.player)]];
                *greatest = info.capture_score.max(*greatest);
            }
        }
        self.add_hands(position, board);
        self.add_counters(position, board);
        self.add_leaders(position, board);
        if board.structure_key != 0 {
            let Features { structure, side, .. } = &*self.features;
            let compute = || structure.scores(&self.promotable_pieces(board), side, &self.weights.params);
            let scores = cache.get_or_compute(board.structure_key, compute);
            for (sum, more) in board.sums.iter_mut().zip(scores) {
                sum[0] += more[0];
                sum[1] += more[1];
            }
        }
    }

    /// Returns the pieces of players in the game that can still promote.
    fn promotable_pieces(&self, board: &EvalBoard) -> Vec<PlacedPiece> {
        let words = self.words();
        let mut found = Vec::new();
        for (number, info) in self.piece_info[1..].iter().enumerate() {
            let is_out = board.eliminated.contains(Player(info.player));
            if self.features.counts_for_phase[usize::from(info.kind)] || is_out {
                continue;
            }
            for word in 0..words {
                let mut bits = board.sets[number * words + word];
                while bits != 0 {
                    let square = Square((word * 64) as u16 + bits.trailing_zeros() as u16);
                    bits &= bits - 1;
                    if self.features.structure.is_promotable((number as u16, square)) {
                        found.push((number as u16, square));
                    }
                }
            }
        }
        found
    }

    /// Adds the pieces of one player and kind to the sums, and to the board if they are not guests.
    #[inline]
    fn add_pieces(
        &self,
        position: &Position,
        board: &mut EvalBoard,
        player: Player,
        kind: Kind,
        squares: impl Iterator<Item = Square>,
        are_hosts: bool,
    ) {
        let number = self.number(player, kind);
        let values = &self.square_values[number * self.features.squares..][..self.features.squares];
        let counts_for_phase = self.features.counts_for_phase[kind.index()];
        let is_eliminated = board.eliminated.contains(player);
        let mut sum = [0; 3];
        for square in squares {
            if are_hosts {
                board.pieces[square.index()] = number as u16 + 1;
            }
            if is_eliminated {
                continue;
            }
            let [early, late] = values[square.index()];
            sum[0] += early;
            sum[1] += late;
            sum[2] += self.kind_values[kind.index()].abs();
            let piece = (number as u16, square);
            if !counts_for_phase && self.features.structure.is_promotable(piece) {
                board.structure_key ^= self.features.structure.key(piece);
            }
        }
        if position.frozen().contains(player) {
            // A frozen army may become active again.
            sum = sum.map(|part| part / 4);
        }
        let all = &mut board.piece_sums[self.features.side[player.index()]];
        all[0] += sum[0];
        all[1] += sum[1];
        all[2] += if counts_for_phase { sum[2] } else { 0 };
    }

    /// Adds the value of the pieces in hand.
    fn add_hands(&self, position: &Position, board: &mut EvalBoard) {
        let Some(hands) = &self.features.hands else { return };
        for player in self.features.seated.without(board.eliminated).iter() {
            let sum = &mut board.sums[self.features.side[player.index()]];
            for (kind, value) in (0u8..).map(Kind).zip(&hands.values) {
                let count = i32::from(position.in_hand(player, kind));
                sum[0] += count * value;
                sum[1] += count * value;
            }
        }
    }

    /// Adds what the counters are worth that decide the game.
    fn add_counters(&self, position: &Position, board: &mut EvalBoard) {
        for goal in &self.features.counter_goals {
            for player in self.features.seated.without(board.eliminated).iter() {
                let score = goal.score(position.counter_value(goal.places[player.index()]));
                let sum = &mut board.sums[self.features.side[player.index()]];
                sum[0] += score;
                sum[1] += score;
            }
        }
    }

    /// Notes which leaders are the last ones of their players, if only their loss decides.
    fn find_last_leaders(&self, position: &Position, board: &mut EvalBoard, player: Player) {
        let leaders = &self.features.leaders[player.index()];
        if self.features.lost == Lost::Any || leaders.is_empty() {
            return;
        }
        let count = |kind: &Kind| position.squares_of(player, *kind).take(2).count();
        let total: usize = leaders.iter().map(count).sum();
        board.is_last_leader.resize(self.piece_info.len(), false);
        for kind in leaders {
            let left = if self.features.lost == Lost::Last { total } else { count(kind) };
            board.is_last_leader[self.number(player, *kind) + 1] = left == 1;
        }
    }

    /// Adds the value of every player still in the game, and the safety of its leaders.
    fn add_leaders(&self, position: &Position, board: &mut EvalBoard) {
        board.is_last_leader.clear();
        for player in self.features.seated.without(board.eliminated).iter() {
            let side = self.features.side[player.index()];
            if position.captor(player).is_some() {
                continue;
            }
            board.sums[side][0] += Self::OPPONENT_VALUE;
            board.sums[side][1] += Self::OPPONENT_VALUE;
            self.find_last_leaders(position, board, player);
            let (army, words) = (self.army(board, player), self.words());
            let leaders = &self.features.leaders[player.index()];
            for square in leaders.iter().flat_map(|leader| position.squares_of(player, *leader)) {
                let near = &self.surroundings.near[square.index() * words..][..words];
                let shelter: u32 = near.iter().zip(&army).map(|(near, own)| (near & own).count_ones()).sum();
                let open = self.surroundings.open_squares(square, |seen| board.pieces[seen.index()] == 0);
                let params = &self.weights.params;
                board.sums[side][0] += params.shelter * shelter.min(4) as i32 - params.open_lines * open;
                let zone = &mut board.zones[side * words..][..words];
                zone.iter_mut().zip(near).for_each(|(zone, near)| *zone |= near);
                zone[square.index() / 64] |= 1 << (square.index() % 64);
            }
        }
    }

    /// Returns the pieces of a player as bits.
    fn army(&self, board: &EvalBoard, player: Player) -> Army {
        let (words, kinds) = (self.words(), self.kind_values.len());
        let mut army = [0; MAX_WORDS];
        for set in board.sets[player.index() * kinds * words..][..kinds * words].chunks(words) {
            army.iter_mut().zip(set).for_each(|(army, set)| *army |= set);
        }
        army
    }

    /// Returns the side of a player, by number.
    pub(crate) fn side(&self, player: Player) -> usize {
        self.features.side[player.index()]
    }

    /// Returns the number of sides.
    pub(crate) fn sides(&self) -> usize {
        self.features.sides
    }

    /// Whether two players are on the same side.
    pub(crate) fn is_same_side(&self, one: Player, other: Player) -> bool {
        self.features.side[one.index()] == self.features.side[other.index()]
    }

    /// Evaluates a scanned board for a player: its side against the mean of the other sides. Eliminated players count
    /// nothing, so eliminating one is good even if only its leader is left.
    pub(crate) fn evaluate(&self, board: &EvalBoard, player: Player) -> i32 {
        let phase: i32 = board.sums.iter().map(|sum| sum[2]).sum();
        let early = match &self.features.hands {
            // Pieces return, so there is no late phase.
            Some(hands) if hands.keep_material => 256,
            _ => (i64::from(phase) * 256 / i64::from(self.start_phase)).min(256) as i32,
        };
        let tapered = |sum: &[i32; 3]| (sum[0] * early + sum[1] * (256 - early)) / 256;
        let own = tapered(&board.sums[self.features.side[player.index()]]);
        let all: i32 = board.sums.iter().map(tapered).sum();
        own - (all - own) / (self.features.sides as i32 - 1).max(1)
    }

    /// Scores a player's moves: mobility of each piece, and pressure on the squares around enemy leaders. Drops do not count:
    /// a piece in hand can go almost everywhere, which its value contains.
    pub(crate) fn mobility(&self, board: &EvalBoard, player: Player, moves: &[Move]) -> i32 {
        let zone = self.zone_of_others(board, self.features.side[player.index()]);
        let (mut mobility, mut attacks) = (0, 0);
        for played in moves.iter().filter(|played| played.dropped().is_none()) {
            mobility += self.piece_info[board.moving_piece(*played)].mobility;
            let to = played.to.index();
            attacks += (zone[to / 64 % MAX_WORDS] >> (to % 64) & 1) as i32;
        }
        let pairs = attacks * (attacks - 1) / 2;
        let params = &self.weights.params;
        mobility + params.pressure * attacks + params.pressure_pairs * pairs.min(40)
    }

    /// Returns the squares on or beside leaders of all sides but one.
    fn zone_of_others(&self, board: &EvalBoard, side: usize) -> Army {
        let mut zone = [0; MAX_WORDS];
        for (other, words) in board.zones.chunks(self.words()).enumerate() {
            if other != side {
                zone.iter_mut().zip(words).for_each(|(zone, word)| *zone |= word);
            }
        }
        zone
    }

    /// Returns the material gain of a move by captures and promotion; 0 for a quiet move, such as a drop.
    pub(crate) fn move_score(&self, board: &EvalBoard, played: Move) -> i32 {
        if played.dropped().is_some() {
            return 0;
        }
        let target = usize::from(board.pieces[played.to.index()]);
        let piece = &self.piece_info[board.moving_piece(played)];
        let is_quiet = target == 0 && played.promotion.is_none() && !piece.may_capture_en_passant;
        if is_quiet && board.guests.is_empty() {
            return 0;
        }
        let mut score = if target > 0 { self.capture_score(board, piece, target) } else { 0 };
        if !board.guests.is_empty() {
            score += self.capture_score(board, piece, board.guest(played.to));
        }
        if let Some(promotion) = played.promotion {
            score += self.kind_value(promotion) - piece.value;
        }
        if piece.may_capture_en_passant
            && played.dropped().is_none()
            && self.features.en_passant[usize::from(piece.kind)][usize::from(played.pattern)]
        {
            // The victim is most often of the same kind.
            score += piece.value;
        }
        score
    }

    /// Returns the gain of capturing a piece. Joining a friend on its square captures nothing.
    fn capture_score(&self, board: &EvalBoard, attacker: &PieceInfo, victim: usize) -> i32 {
        let PieceInfo { side, player, capture_score, .. } = self.piece_info[victim];
        if side == attacker.side || board.eliminated.contains(Player(player)) {
            0
        } else if board.is_last_leader.get(victim) == Some(&true) {
            Self::LEADER_CAPTURE_SCORE
        } else {
            capture_score
        }
    }
}

/// Returns the bit of a side; sides from the 32nd on share one.
fn side_bit(side: usize) -> u32 {
    1 << side.min(31)
}

/// Returns the squares from which each piece promotes with its next move: those with the greatest expected gain.
fn promotion_squares(features: &Features) -> Vec<Box<[u64]>> {
    let squares = features.squares;
    let pieces =
        (0..features.players).flat_map(|player| (0..features.values.len()).map(move |kind| (player, kind)));
    pieces
        .map(|(player, kind)| {
            let gain = |square: usize| features.promotion_gain(player, kind, square);
            let greatest = (0..squares).map(gain).max().unwrap_or(0);
            let mut set = vec![0u64; squares.div_ceil(64)];
            for square in (0..squares).filter(|square| greatest > 0 && gain(*square) == greatest) {
                set[square / 64] |= 1 << (square % 64);
            }
            set.into()
        })
        .collect()
}

fn square_value(
    features: &Features,
    weights: &Weights,
    weight: &KindWeights,
    player: usize,
    kind: usize,
    square: usize,
) -> Pair {
    let reach = features.reach.get(kind).map_or(0, |squares| squares[square]);
    let centrality = features.centrality[square];
    let promotion = features.promotion_gain(player, kind, square);
    [0, 1].map(|stage: usize| {
        let placement = weight.reach[stage] * reach + weight.centrality[stage] * centrality;
        weight.value[stage] + placement / 100 + weights.params.promotion[stage] * promotion / 4
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chess() -> tabiya_spec::Game {
        tabiya_spec::library::load("chess").expect("chess is in the library")
    }

    #[test]
    fn chess_piece_values_are_conventional() {
        let chess = chess();
        let rules = &chess.rules;
        let evaluation = Evaluation::of(rules);
        let square = rules.board().parse("c3").expect("a square");
        let of = |code: &str| {
            let kind = rules.kinds().find(|kind| rules.kind(*kind).code == code).expect("a chess piece");
            evaluation.square_value(square, Piece { player: Player(0), kind, unmoved: false })
        };
        let pawns = |code: &str| f64::from(of(code)) / f64::from(of("PAWN"));
        assert_eq!(evaluation.kind_value(rules.leader().expect("a leader")), 0);
        for (code, least, most) in
            [("KNIGHT", 2.5, 4.0), ("BISHOP", 2.5, 4.5), ("ROOK", 4.5, 7.0), ("QUEEN", 8.0, 11.0)]
        {
            assert!((least..=most).contains(&pawns(code)), "{code}: {}", pawns(code));
        }
    }

    #[test]
    fn pawns_gain_value_towards_promotion() {
        let chess = chess();
        let rules = &chess.rules;
        let evaluation = Evaluation::of(rules);
        let pawn = rules.kinds().find(|kind| rules.kind(*kind).code == "PAWN").expect("a chess piece");
        let on = |name: &str, player: u8| {
            let square = rules.board().parse(name).expect("a square");
            evaluation.square_value(square, Piece { player: Player(player), kind: pawn, unmoved: false })
        };
        assert!(on("e7", 0) > on("e6", 0) && on("e6", 0) > on("e3", 0));
        assert_eq!(on("e7", 0), on("e2", 1), "both are one move away");
    }
}
