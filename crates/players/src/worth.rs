//! What pieces are worth, found out from the rules: a piece is worth as much as it can do.
//!
//! Nobody tells the values of a game. Each kind is put on many squares, of boards that are empty and of boards with
//! opponents in the way, and its moves are counted. Where a piece may become another one, it is worth more the nearer it
//! is to that. The leader is worth nothing: it is not for exchange, and who loses it is judged by the rules.

use std::collections::BTreeSet;

use tabiya_engine::blueprint::Effect;
use tabiya_engine::{Blueprint, Kind, Move, Piece, Player, PlayerSet, Position, Rules, Setup, Square};

use crate::SplitMix;
use crate::placement::{Placement, neighbours};

/// The values of one game.
#[derive(Clone, Debug)]
pub(crate) struct Worth {
    /// By kind.
    kinds: Vec<i32>,
    leader: Option<Kind>,
    /// By player, kind and square: what a piece is worth there while the board is full, and when it is nearly empty.
    places: Vec<[i32; 2]>,
    squares: usize,
    players: usize,
    /// By square: the squares around it.
    around: Vec<Vec<Square>>,
    /// By kind and number of the move: whether it may take something in passing.
    in_passing: Vec<Vec<bool>>,
    /// The side of each player, and how many sides there are.
    side: Vec<usize>,
    sides: usize,
    /// What all pieces are worth at the start that neither lead nor hope to become others.
    force: i32,
    /// By kind: whether it counts as such a piece.
    is_force: Vec<bool>,
    /// Everybody who ever has a turn.
    seated: PlayerSet,
}

/// The values of the last game that was played, since finding them out takes a while.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known(Option<Box<(Blueprint, Worth)>>);

impl Known {
    /// Whether the values of this game are known.
    pub(crate) fn knows(&self, rules: &Rules) -> bool {
        self.0.as_ref().is_some_and(|known| known.0 == *rules.blueprint())
    }

    /// The values of this game.
    pub(crate) fn of(&mut self, rules: &Rules) -> &Worth {
        let known = self.0.take().filter(|known| known.0 == *rules.blueprint());
        let found = || Box::new((rules.blueprint().clone(), Worth::of(rules)));
        &self.0.insert(known.unwrap_or_else(found)).1
    }
}

/// A position as it is looked at: what stands where, and what it comes to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Board {
    /// By square: 0, or one more than the number of a man, which is that of its player and kind.
    men: Vec<u16>,
    guests: Vec<(Square, u16)>,
    /// Whose men count for nothing.
    out: PlayerSet,
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
        let survey = Survey::new(rules);
        let kinds: Vec<i32> = rules.kinds().map(|kind| survey.worth(kind)).collect();
        let nearness = survey.nearness(&kinds);
        let promotes = |kind: Kind| rules.kind(kind).moves.iter().any(|plan| !plan.modifiers.is_empty());
        let is_force: Vec<bool> =
            rules.kinds().map(|kind| Some(kind) != rules.leader() && !promotes(kind)).collect();
        let placement = Placement::new(&survey, &kinds, &is_force);
        let squares = rules.board().len();
        let mut places = Vec::new();
        for player in rules.players() {
            for kind in rules.kinds() {
                let near = nearness.get(player.index()).and_then(|kinds| kinds.get(kind.index()));
                // What is far away counts less than it will.
                let least =
                    near.and_then(|near| near.iter().copied().filter(|it| *it > 0).min()).unwrap_or(0);
                for square in 0..squares {
                    let near = near.and_then(|near| near.get(square)).copied().unwrap_or(0);
                    let [early, late] = placement.at(kind, square);
                    let base = kinds[kind.index()] + near;
                    places.push([base - (near - least).max(0) / 2 + early, base + late + near]);
                }
            }
        }
        let mut teams: Vec<PlayerSet> = Vec::new();
        let mut side_of = |player: Player| {
            let team = rules.team(player);
            teams.iter().position(|other| *other == team).unwrap_or_else(|| {
                teams.push(team);
                teams.len() - 1
            })
        };
        let side: Vec<usize> = rules.players().map(&mut side_of).collect();
        let takes = |effects: &[Effect]| effects.iter().any(|effect| matches!(effect, Effect::Capture(_)));
        let in_passing = |kind: Kind| {
            let moves = rules.kind(kind).moves.iter();
            moves
                .map(|plan| takes(&plan.effects) || plan.actions.iter().any(|action| takes(&action.effects)))
                .collect()
        };
        let start = rules.start();
        let counted = start.men().filter(|(_, piece)| is_force[piece.kind.index()]);
        Worth {
            force: counted.map(|(_, piece)| kinds[piece.kind.index()]).sum::<i32>().max(1),
            kinds,
            leader: rules.leader(),
            places,
            squares,
            players: rules.players().count(),
            around: (0..squares as u16).map(|square| neighbours(rules.board(), Square(square))).collect(),
            in_passing: rules.kinds().map(in_passing).collect(),
            sides: teams.len(),
            side,
            is_force,
            seated: rules.blueprint().order.iter().copied().collect(),
        }
    }

    /// How many different men there are.
    pub(crate) fn pieces(&self) -> usize {
        self.players * self.kinds.len()
    }

    /// How many squares the board has.
    pub(crate) fn squares(&self) -> usize {
        self.squares
    }

    /// What a piece of the kind is worth anywhere.
    pub(crate) fn kind(&self, kind: Kind) -> i32 {
        self.kinds[kind.index()]
    }

    /// The same of a man by its number on a board; nobody is worth nothing.
    pub(crate) fn man(&self, man: usize) -> i32 {
        man.checked_sub(1).map_or(0, |number| self.kinds[number % self.kinds.len()])
    }

    /// What a piece is worth where it stands, on a full board.
    pub(crate) fn piece(&self, square: Square, piece: Piece) -> i32 {
        self.places[self.number(piece.player, piece.kind) * self.squares + square.index()][0]
    }

    fn number(&self, player: Player, kind: Kind) -> usize {
        player.index() * self.kinds.len() + kind.index()
    }

    /// Whether a player is of a side that has anything beside leaders and what hopes to become more.
    pub(crate) fn has_force(&self, board: &Board, player: Player) -> bool {
        board.sums[self.side[player.index()]][2] > 0
    }

    /// Looks at a position.
    pub(crate) fn look(&self, position: &Position, board: &mut Board) {
        board.men.clear();
        board.men.resize(self.squares, 0);
        board.guests.clear();
        board.sums.clear();
        board.sums.resize(self.sides, [0; 3]);
        board.out = position.eliminated();
        for player in (0..self.players as u8).map(Player) {
            for kind in (0..self.kinds.len() as u8).map(Kind) {
                for square in position.army(player, kind) {
                    let number = self.number(player, kind);
                    board.men[square.index()] = number as u16 + 1;
                    self.count(position, board, number, player, kind, square);
                }
            }
        }
        for (square, piece) in position.guests() {
            let number = self.number(piece.player, piece.kind);
            board.guests.push((square, number as u16 + 1));
            self.count(position, board, number, piece.player, piece.kind, square);
        }
        self.count_leaders(position, board);
    }

    fn count(
        &self,
        position: &Position,
        board: &mut Board,
        number: usize,
        player: Player,
        kind: Kind,
        square: Square,
    ) {
        if board.out.contains(player) {
            return;
        }
        let [mut early, mut late] = self.places[number * self.squares + square.index()];
        if position.frozen().contains(player) {
            // A frozen man may come back to life.
            (early, late) = (early / 4, late / 4);
        }
        let sum = &mut board.sums[self.side[player.index()]];
        sum[0] += early;
        sum[1] += late;
        if self.is_force[kind.index()] {
            sum[2] += self.kinds[kind.index()];
        }
    }

    /// Every player who is in the game counts, and whoever has men around the leader is safer.
    fn count_leaders(&self, position: &Position, board: &mut Board) {
        for player in self.seated.without(board.out).iter() {
            let side = self.side[player.index()];
            if position.captor(player).is_some() {
                continue;
            }
            board.sums[side][0] += Self::RIVAL;
            board.sums[side][1] += Self::RIVAL;
            let Some(leader) = self.leader else { continue };
            let kinds = self.kinds.len();
            for square in position.army(player, leader) {
                let is_own = |near: &&Square| {
                    let man = usize::from(board.men[near.index()]);
                    man > 0 && (man - 1) / kinds == player.index()
                };
                let shelter = self.around[square.index()].iter().filter(is_own).count() as i32;
                board.sums[side][0] += Self::SHELTER * shelter.min(4);
            }
        }
    }

    /// How a player stands on a board that was looked at: its side against the mean of the others. Those who are out count
    /// for nothing, so that it is good to see them leave, even if nothing but a leader is left of them.
    pub(crate) fn standing(&self, board: &Board, player: Player) -> i32 {
        let force: i32 = board.sums.iter().map(|sum| sum[2]).sum();
        let full = (i64::from(force) * 256 / i64::from(self.force)).min(256) as i32;
        let mixed = |sum: &[i32; 3]| (sum[0] * full + sum[1] * (256 - full)) / 256;
        let own = mixed(&board.sums[self.side[player.index()]]);
        let all: i32 = board.sums.iter().map(mixed).sum();
        own - (all - own) / (self.sides as i32 - 1).max(1)
    }

    /// What it is worth to have one opponent less, beside the army that leaves with it.
    const RIVAL: i32 = 1000;
    /// What a man beside its leader adds, while the board is full.
    const SHELTER: i32 = 10;

    /// What a move promises at first sight: what it takes, and what the piece becomes. 0 of a quiet move.
    pub(crate) fn promise(&self, board: &Board, played: Move) -> i32 {
        let Some(number) = board.man(played).checked_sub(1) else { return 0 };
        let kind = number % self.kinds.len();
        let taker = Player((number / self.kinds.len()) as u8);
        let host = self.prize(board, taker, usize::from(board.men[played.to.index()]));
        let guest =
            if board.guests.is_empty() { 0 } else { self.prize(board, taker, board.guest(played.to)) };
        let becomes = played.promotion.map_or(0, |other| self.kind(other) - self.kinds[kind]);
        // What is taken in passing is most often of the same kind.
        let passing = if self.in_passing[kind][usize::from(played.pattern)] { self.kinds[kind] } else { 0 };
        host + guest + becomes + passing
    }

    fn prize(&self, board: &Board, taker: Player, man: usize) -> i32 {
        let Some(number) = man.checked_sub(1) else { return 0 };
        let (owner, kind) =
            (Player((number / self.kinds.len()) as u8), Kind((number % self.kinds.len()) as u8));
        if board.out.contains(owner) {
            0
        } else if self.side[taker.index()] == self.side[owner.index()] {
            // To join a friend takes nothing.
            0
        } else if Some(kind) == self.leader {
            Self::LEADER_PRIZE
        } else {
            self.kind(kind)
        }
    }

    /// More than any piece is worth: it may end the game.
    const LEADER_PRIZE: i32 = 1 << 20;
}

/// A piece among opponents, again and again.
pub(crate) struct Survey<'r> {
    pub(crate) rules: &'r Rules,
    /// A turn of the player whose pieces are counted.
    slot: u16,
    /// The squares on which each kind is put.
    pub(crate) squares: Vec<Square>,
    /// Boards with opponents in the way.
    pub(crate) boards: Vec<Vec<(Square, Piece)>>,
}

impl<'r> Survey<'r> {
    /// What one move more is worth, in hundredths.
    pub(crate) const MOVE: usize = 60;
    /// No kind is worth more, however wide the board: sums of values must stay small numbers.
    const MOST: usize = 60_000;
    /// Boards with opponents on every third square; one more is empty.
    const CROWDED: u64 = 3;
    /// So many squares for all kinds together, between these for each: games with very many kinds or squares must not
    /// take long.
    const SQUARES: usize = 1024;
    const SQUARES_OF_A_KIND: (usize, usize) = (4, 64);
    /// The largest table of nearness: beyond it nobody counts steps.
    const NEARNESS: usize = 1 << 15;

    fn new(rules: &'r Rules) -> Self {
        let slot = rules.blueprint().start_at;
        let player = rules.turn_of(slot);
        let opponent = rules.blueprint().order.iter().copied().find(|other| *other != player);
        let soldier = rules.kinds().find(|kind| Some(*kind) != rules.leader());
        let (least, most) = Self::SQUARES_OF_A_KIND;
        let many = (Self::SQUARES / rules.kinds().count()).clamp(least, most);
        let mut dice = SplitMix::new(0);
        let mut squares: Vec<Square> = rules.board().squares().collect();
        let boards = (0..=Self::CROWDED).map(|board| {
            let (Some(player), Some(kind), true) = (opponent, soldier, board > 0) else { return Vec::new() };
            let taken = squares.iter().copied().filter(|_| dice.below(3) == 0);
            taken.map(|square| (square, Piece { player, kind, unmoved: false })).collect()
        });
        let boards = boards.collect();
        dice.shuffle(&mut squares);
        squares.truncate(many);
        Survey { rules, slot, squares, boards }
    }

    /// The mean number of squares that a kind can go to, as a value.
    fn worth(&self, kind: Kind) -> i32 {
        if Some(kind) == self.rules.leader() {
            return 0;
        }
        let landings: usize = self
            .boards
            .iter()
            .flat_map(|board| self.squares.iter().map(move |square| (board, *square)))
            .map(|(board, square)| self.landings(kind, board, square))
            .sum();
        let tries = (self.boards.len() * self.squares.len()).max(1);
        (landings * Self::MOVE / tries).min(Self::MOST) as i32
    }

    pub(crate) fn landings(&self, kind: Kind, board: &[(Square, Piece)], square: Square) -> usize {
        let moves = self.moves(self.slot, kind, board, square);
        moves.iter().map(|played| played.to).collect::<BTreeSet<Square>>().len()
    }

    /// The moves of a piece that has moved before, on a square of a board.
    fn moves(&self, slot: u16, kind: Kind, board: &[(Square, Piece)], square: Square) -> Vec<Move> {
        let piece = Piece { player: self.rules.turn_of(slot), kind, unmoved: false };
        let others = board.iter().copied().filter(|(taken, _)| *taken != square);
        let setup = Setup { pieces: others.chain([(square, piece)]).collect(), slot, ..Setup::default() };
        let Ok(position) = self.rules.position(&setup) else { return Vec::new() };
        let mut moves = self.rules.legal_moves(&position);
        // Who cannot move may be out at once, and then these are somebody else's.
        moves.retain(|played| played.from == square);
        moves
    }

    fn nearness(&self, worth: &[i32]) -> Vec<Vec<Box<[i32]>>> {
        let promotes =
            |kind: &Kind| self.rules.kind(*kind).moves.iter().any(|plan| !plan.modifiers.is_empty());
        let tables = self.rules.kinds().filter(promotes).count() * self.rules.players().count();
        if tables * self.rules.board().len() > Self::NEARNESS {
            return Vec::new();
        }
        let near = |slot: Option<u16>, kind: Kind| match slot {
            Some(slot) if promotes(&kind) => self.near(slot, kind, worth),
            _ => Box::default(),
        };
        let slot_of = |player| self.rules.blueprint().order.iter().position(|other| *other == player);
        let by_kind = |player| {
            let slot = slot_of(player).map(|slot| slot as u16);
            self.rules.kinds().map(|kind| near(slot, kind)).collect()
        };
        self.rules.players().map(by_kind).collect()
    }

    /// What the hope of the best promotion adds on each square: a little anywhere from where the way is open on an
    /// empty board, more where it is short.
    fn near(&self, slot: u16, kind: Kind, worth: &[i32]) -> Box<[i32]> {
        let moves: Vec<Vec<Move>> = (0..self.rules.board().len() as u16)
            .map(Square)
            .map(|square| self.moves(slot, kind, &[], square))
            .collect();
        let options = moves.iter().flatten().filter_map(|played| played.promotion);
        let best = options.map(|kind| worth[kind.index()]).max().unwrap_or(0);
        let gain = (best - worth[kind.index()]).max(0);
        let hope = |away: u32| gain / 32 + gain.checked_shr(away + 2).unwrap_or(0);
        moves_away(&moves).into_iter().map(|away| away.map_or(0, hope)).collect()
    }
}

/// How many moves away from a promotion each square is, given the moves from each square.
fn moves_away(moves: &[Vec<Move>]) -> Vec<Option<u32>> {
    let mut away = vec![None; moves.len()];
    for distance in 1.. {
        let leads_on = |played: &Move| match distance {
            1 => played.promotion.is_some(),
            _ => away[played.to.index()] == Some(distance - 1),
        };
        let found: Vec<usize> = (0..moves.len())
            .filter(|square| away[*square].is_none() && moves[*square].iter().any(leads_on))
            .collect();
        if found.is_empty() {
            break;
        }
        for square in found {
            away[square] = Some(distance);
        }
    }
    away
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chess() -> tabiya_spec::Game {
        let entry = tabiya_spec::library::find("chess").expect("chess is in the library");
        tabiya_spec::load(entry.json.as_bytes()).game.expect("it has no faults")
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
