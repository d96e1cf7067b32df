//! What a position is worth: everybody's men, where they stand, what they can do, and how safe their leaders are.

use std::sync::Arc;

use tabiya_engine::{Kind, Move, Piece, Player, PlayerSet, Position, Rules, Square};

use crate::grounds::Grounds;
use crate::structure::{Man, Recent};
use crate::weights::{KindWeights, Pair, Weights};

/// The values of one game.
#[derive(Clone, Debug)]
pub(crate) struct Worth {
    grounds: Arc<Grounds>,
    pub(crate) weights: Weights,
    /// By kind.
    kinds: Vec<i32>,
    /// By player, kind and square.
    places: Vec<Pair>,
    /// What all pieces are worth at the start that neither lead nor hope to become others.
    force: i32,
    /// By man on a board: 0 is nobody.
    facts: Vec<Facts>,
}

/// What is always asked about a man.
#[derive(Clone, Copy, Debug, Default)]
struct Facts {
    value: i32,
    freedom: i32,
    player: u8,
    /// One bit, that of his side.
    side: u32,
    /// What it promises to take him.
    prize: i32,
    may_take_in_passing: bool,
    kind: u8,
}

/// A position as it is looked at: what stands where, and what it comes to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Board {
    /// By square: 0, or one more than the number of a man, which is that of its player and kind.
    men: Vec<u16>,
    guests: Vec<(Square, u16)>,
    /// Whose men count for nothing.
    out: PlayerSet,
    /// By square: a bit for each side whose leader is on it or beside it.
    leaders: Vec<u32>,
    /// Those who hope to become others, and a number that stands for all of them together.
    hopeful: Vec<Man>,
    stamp: u64,
    /// By side: what its men are worth on a full and on an empty board, and its force.
    sums: Vec<[i32; 3]>,
}

impl Board {
    /// The man that makes a move: 0, or one more than its number.
    pub(crate) fn man(&self, played: Move) -> usize {
        if played.guest { self.guest(played.from) } else { usize::from(self.men[played.from.index()]) }
    }

    fn guest(&self, square: Square) -> usize {
        self.guests.iter().find(|(place, _)| *place == square).map_or(0, |(_, man)| usize::from(*man))
    }
}

impl Worth {
    /// Finds out the values.
    pub(crate) fn of(rules: &Rules) -> Self {
        let grounds = Arc::new(Grounds::of(rules));
        let weights = Weights::of(rules, &grounds);
        Worth::new(rules, grounds, weights)
    }

    /// The same game with other weights.
    pub(crate) fn with(&self, rules: &Rules, weights: Weights) -> Self {
        Worth::new(rules, self.grounds.clone(), weights)
    }

    fn new(rules: &Rules, grounds: Arc<Grounds>, weights: Weights) -> Self {
        let kinds: Vec<i32> =
            weights.kinds.iter().map(|kind| i32::midpoint(kind.value[0], kind.value[1])).collect();
        let mut places = Vec::new();
        for player in 0..grounds.players {
            for (kind, weight) in weights.kinds.iter().enumerate() {
                for square in 0..grounds.squares {
                    places.push(place(&grounds, &weights, weight, player, kind, square));
                }
            }
        }
        let start = rules.start();
        let counted = start.all_pieces().filter(|(_, piece)| grounds.is_force[piece.kind.index()]);
        let force = counted.map(|(_, piece)| kinds[piece.kind.index()]).sum::<i32>().max(1);
        let facts = (0..grounds.players).flat_map(|player| {
            let (grounds, kinds, weights) = (&grounds, &kinds, &weights);
            (0..kinds.len()).map(move |kind| Facts {
                value: kinds[kind],
                freedom: weights.kinds[kind].freedom,
                player: player as u8,
                side: side_bit(grounds.side[player]),
                prize: if grounds.leader == Some(Kind(kind as u8)) {
                    Self::LEADER_PRIZE
                } else {
                    kinds[kind]
                },
                may_take_in_passing: grounds.in_passing[kind].contains(&true),
                kind: kind as u8,
            })
        });
        let facts = std::iter::once(Facts::default()).chain(facts).collect();
        Worth { grounds, weights, kinds, places, force, facts }
    }

    /// How many different men there are.
    pub(crate) fn pieces(&self) -> usize {
        self.grounds.players * self.kinds.len()
    }

    /// How many squares the board has.
    pub(crate) fn squares(&self) -> usize {
        self.grounds.squares
    }

    /// What a piece of the kind is worth anywhere.
    pub(crate) fn kind(&self, kind: Kind) -> i32 {
        self.kinds[kind.index()]
    }

    /// The same of a man by its number on a board; nobody is worth nothing.
    pub(crate) fn man(&self, man: usize) -> i32 {
        self.facts[man].value
    }

    /// What a piece is worth where it stands, on a full board.
    pub(crate) fn piece(&self, square: Square, piece: Piece) -> i32 {
        self.places[self.number(piece.player, piece.kind) * self.grounds.squares + square.index()][0]
    }

    fn number(&self, player: Player, kind: Kind) -> usize {
        player.index() * self.kinds.len() + kind.index()
    }

    /// Whether a player is of a side that has anything beside leaders and what hopes to become more.
    pub(crate) fn has_force(&self, board: &Board, player: Player) -> bool {
        board.sums[self.grounds.side[player.index()]][2] > 0
    }

    /// Looks at a position.
    pub(crate) fn look(&self, position: &Position, board: &mut Board, recent: &mut Recent) {
        board.men.clear();
        board.men.resize(self.grounds.squares, 0);
        board.leaders.clear();
        board.leaders.resize(self.grounds.squares, 0);
        board.hopeful.clear();
        board.stamp = 0;
        board.guests.clear();
        board.sums.clear();
        board.sums.resize(self.grounds.sides, [0; 3]);
        board.out = position.eliminated();
        for player in (0..self.grounds.players as u8).map(Player) {
            for kind in (0..self.kinds.len() as u8).map(Kind) {
                self.count(position, board, player, kind, position.squares_of(player, kind), true);
            }
        }
        for (square, piece) in position.guests() {
            board.guests.push((square, self.number(piece.player, piece.kind) as u16 + 1));
            self.count(position, board, piece.player, piece.kind, std::iter::once(square), false);
        }
        self.count_leaders(position, board);
        if !board.hopeful.is_empty() {
            let found =
                || self.grounds.structure.sums(&board.hopeful, &self.grounds.side, &self.weights.taste);
            let sums = recent.sums(board.stamp, found);
            for (sum, more) in board.sums.iter_mut().zip(sums) {
                sum[0] += more[0];
                sum[1] += more[1];
            }
        }
    }

    /// Counts men of one kind, and puts them on the board if they are not guests.
    #[inline]
    fn count(
        &self,
        position: &Position,
        board: &mut Board,
        player: Player,
        kind: Kind,
        men: impl Iterator<Item = Square>,
        are_hosts: bool,
    ) {
        let number = self.number(player, kind);
        let places = &self.places[number * self.grounds.squares..][..self.grounds.squares];
        let is_force = self.grounds.is_force[kind.index()];
        let is_out = board.out.contains(player);
        let mut sum = [0; 3];
        for square in men {
            if are_hosts {
                board.men[square.index()] = number as u16 + 1;
            }
            if is_out {
                continue;
            }
            let [early, late] = places[square.index()];
            sum[0] += early;
            sum[1] += late;
            sum[2] += self.kinds[kind.index()];
            let man = (number as u16, square);
            if !is_force && self.grounds.structure.counts(man) {
                board.hopeful.push(man);
                board.stamp ^= self.grounds.structure.stamp(man);
            }
        }
        if position.frozen().contains(player) {
            // A frozen man may come back to life.
            sum = sum.map(|part| part / 4);
        }
        let all = &mut board.sums[self.grounds.side[player.index()]];
        all[0] += sum[0];
        all[1] += sum[1];
        all[2] += if is_force { sum[2] } else { 0 };
    }

    /// Every player who is in the game counts, and whoever has men around the leader is safer.
    fn count_leaders(&self, position: &Position, board: &mut Board) {
        for player in self.grounds.seated.without(board.out).iter() {
            let side = self.grounds.side[player.index()];
            if position.captor(player).is_some() {
                continue;
            }
            board.sums[side][0] += Self::RIVAL;
            board.sums[side][1] += Self::RIVAL;
            let Some(leader) = self.grounds.leader else { continue };
            for square in position.squares_of(player, leader) {
                let is_own = |near: &&Square| {
                    let man = usize::from(board.men[near.index()]);
                    man > 0 && self.facts[man].player == player.0
                };
                let around = &self.grounds.around[square.index()];
                let shelter = around.iter().filter(is_own).count() as i32;
                let is_free = |seen: &&Square| board.men[seen.index()] == 0;
                let open = self.grounds.lines[square.index()]
                    .iter()
                    .map(|line| line.iter().take_while(is_free).count() as i32)
                    .sum::<i32>();
                board.sums[side][0] +=
                    self.weights.taste.shelter * shelter.min(4) - self.weights.taste.open * open;
                let bit = side_bit(side);
                for near in around.iter().chain([&square]) {
                    board.leaders[near.index()] |= bit;
                }
            }
        }
    }

    /// The side of a player, by number.
    pub(crate) fn side(&self, player: Player) -> usize {
        self.grounds.side[player.index()]
    }

    /// How many sides there are.
    pub(crate) fn sides(&self) -> usize {
        self.grounds.sides
    }

    /// Whether two players are of one side.
    pub(crate) fn are_together(&self, one: Player, other: Player) -> bool {
        self.grounds.side[one.index()] == self.grounds.side[other.index()]
    }

    /// How a player stands on a board that was looked at: its side against the mean of the others. Those who are out count
    /// for nothing, so that it is good to see them leave, even if nothing but a leader is left of them.
    pub(crate) fn standing(&self, board: &Board, player: Player) -> i32 {
        let force: i32 = board.sums.iter().map(|sum| sum[2]).sum();
        let full = (i64::from(force) * 256 / i64::from(self.force)).min(256) as i32;
        let mixed = |sum: &[i32; 3]| (sum[0] * full + sum[1] * (256 - full)) / 256;
        let own = mixed(&board.sums[self.grounds.side[player.index()]]);
        let all: i32 = board.sums.iter().map(mixed).sum();
        own - (all - own) / (self.grounds.sides as i32 - 1).max(1)
    }

    /// What the moves of a player count for his side: those of each man, and those that come near to leaders of the others.
    pub(crate) fn reach(&self, board: &Board, player: Player, moves: &[Move]) -> i32 {
        let others = !side_bit(self.grounds.side[player.index()]);
        let (mut freedom, mut pressure) = (0, 0);
        for played in moves {
            freedom += self.facts[board.man(*played)].freedom;
            pressure += i32::from(board.leaders[played.to.index()] & others != 0);
        }
        let together = pressure * (pressure - 1) / 2;
        freedom
            + self.weights.taste.pressure * pressure
            + self.weights.taste.pressure_together * together.min(40)
    }

    /// What it is worth to have one opponent less, beside the army that leaves with it.
    const RIVAL: i32 = 1000;

    /// What a move promises at first sight: what it takes, and what the piece becomes. 0 of a quiet move.
    pub(crate) fn promise(&self, board: &Board, played: Move) -> i32 {
        let man = self.facts[board.man(played)];
        let target = usize::from(board.men[played.to.index()]);
        let mut promise = if target > 0 { self.prize(board, man, target) } else { 0 };
        if !board.guests.is_empty() {
            promise += self.prize(board, man, board.guest(played.to));
        }
        if let Some(other) = played.promotion {
            promise += self.kind(other) - man.value;
        }
        if man.may_take_in_passing
            && self.grounds.in_passing[usize::from(man.kind)][usize::from(played.pattern)]
        {
            // What is taken in passing is most often of the same kind.
            promise += man.value;
        }
        promise
    }

    /// What it promises to take a man. To join a friend takes nothing.
    fn prize(&self, board: &Board, taker: Facts, man: usize) -> i32 {
        let Facts { side, player, prize, .. } = self.facts[man];
        if side == taker.side || board.out.contains(Player(player)) { 0 } else { prize }
    }

    /// More than any piece is worth: it may end the game.
    const LEADER_PRIZE: i32 = 1 << 20;
}

/// A bit for each side; the last ones share one.
fn side_bit(side: usize) -> u32 {
    1 << side.min(31)
}

/// What a man is worth on a square.
fn place(
    grounds: &Grounds,
    weights: &Weights,
    weight: &KindWeights,
    player: usize,
    kind: usize,
    square: usize,
) -> Pair {
    let reach = grounds.reach.get(kind).map_or(0, |squares| squares[square]);
    let (room, hope) = (grounds.room[square], grounds.hope(player, kind, square));
    [0, 1].map(|stage: usize| {
        let stands = weight.reach[stage] * reach + weight.room[stage] * room;
        weight.value[stage] + stands / 100 + weights.taste.hope[stage] * hope / 4
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chess() -> tabiya_spec::Game {
        tabiya_spec::library::load("chess").expect("a library game")
    }

    #[test]
    fn chess_pieces_are_worth_what_people_say() {
        let chess = chess();
        let rules = &chess.rules;
        let worth = Worth::of(rules);
        let square = rules.board().parse("c3").expect("a square");
        let of = |code: &str| {
            let kind = rules.kinds().find(|kind| rules.kind(*kind).code == code).expect("a chess piece");
            worth.piece(square, Piece { player: Player(0), kind, unmoved: false })
        };
        let pawns = |code: &str| f64::from(of(code)) / f64::from(of("PAWN"));
        assert_eq!(worth.kind(rules.leader().expect("a leader")), 0);
        for (code, least, most) in
            [("KNIGHT", 2.5, 4.0), ("BISHOP", 2.5, 4.5), ("ROOK", 4.5, 7.0), ("QUEEN", 8.0, 11.0)]
        {
            assert!((least..=most).contains(&pawns(code)), "{code}: {}", pawns(code));
        }
    }

    #[test]
    fn a_pawn_is_worth_more_near_promotion() {
        let chess = chess();
        let rules = &chess.rules;
        let worth = Worth::of(rules);
        let pawn = rules.kinds().find(|kind| rules.kind(*kind).code == "PAWN").expect("a chess piece");
        let on = |name: &str, player: u8| {
            let square = rules.board().parse(name).expect("a square");
            worth.piece(square, Piece { player: Player(player), kind: pawn, unmoved: false })
        };
        assert!(on("e7", 0) > on("e6", 0) && on("e6", 0) > on("e3", 0));
        assert_eq!(on("e7", 0), on("e2", 1), "both are one move away");
    }
}
