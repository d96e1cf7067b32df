//! What pieces are worth, found out from the rules: a piece is worth as much as it can do.
//!
//! Nobody tells the values of a game. Each kind is put on many squares, of boards that are empty and of boards with
//! opponents in the way, and its moves are counted. Where a piece may become another one, it is worth more the nearer it
//! is to that. The leader is worth nothing: it is not for exchange, and who loses it is judged by the rules.

use std::collections::BTreeSet;

use tabiya_engine::{Blueprint, Kind, Move, Piece, Player, PlayerSet, Position, Rules, Setup, Spot, Square};

use crate::SplitMix;

/// The values of one game.
#[derive(Clone, Debug)]
pub(crate) struct Worth {
    /// By kind.
    kinds: Vec<i32>,
    leader: Option<Kind>,
    /// By player, kind and square: how much nearness to a promotion adds. Empty where there is none.
    nearness: Vec<Vec<Box<[i32]>>>,
    /// Everybody who ever has a turn.
    seated: PlayerSet,
    /// By player: he and his partners.
    teams: Vec<PlayerSet>,
}

/// The values of the last game that was played, since finding them out takes a while.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known(Option<Box<(Blueprint, Worth)>>);

impl Known {
    /// The values of this game.
    pub(crate) fn of(&mut self, rules: &Rules) -> &Worth {
        let known = self.0.take().filter(|known| known.0 == *rules.blueprint());
        let found = || Box::new((rules.blueprint().clone(), Worth::of(rules)));
        &self.0.insert(known.unwrap_or_else(found)).1
    }
}

impl Worth {
    /// Finds out the values.
    pub(crate) fn of(rules: &Rules) -> Self {
        let survey = Survey::new(rules);
        let kinds: Vec<i32> = rules.kinds().map(|kind| survey.worth(kind)).collect();
        Worth {
            nearness: survey.nearness(&kinds),
            kinds,
            leader: rules.leader(),
            seated: rules.blueprint().order.iter().copied().collect(),
            teams: rules.players().map(|player| rules.team(player)).collect(),
        }
    }

    /// What a piece of the kind is worth anywhere.
    pub(crate) fn kind(&self, kind: Kind) -> i32 {
        self.kinds[kind.index()]
    }

    /// What a piece is worth where it stands.
    pub(crate) fn piece(&self, square: Square, piece: Piece) -> i32 {
        let near = self.nearness.get(piece.player.index()).and_then(|kinds| kinds.get(piece.kind.index()));
        self.kind(piece.kind) + near.and_then(|near| near.get(square.index())).copied().unwrap_or(0)
    }

    /// How a player stands: its army against the mean army of the opponents. Those who are out count for nothing, so
    /// that it is good to see them leave, even if nothing but a leader is left of them.
    pub(crate) fn standing(&self, position: &Position, player: Player) -> i32 {
        let out = position.eliminated();
        let team = self.teams[player.index()];
        let rivals = self.seated.without(team);
        let (mut own, mut others) = (0, Self::RIVAL * rivals.without(out).len() as i32);
        for (Spot { square, .. }, piece) in position.men().filter(|(_, piece)| !out.contains(piece.player)) {
            let army = if team.contains(piece.player) { &mut own } else { &mut others };
            *army += self.piece(square, piece);
        }
        own + Self::RIVAL - others / (rivals.len() as i32).max(1)
    }

    /// What it is worth to have one opponent less, beside the army that leaves with it.
    const RIVAL: i32 = 1000;

    /// What a move promises at first sight: what it takes, and what the piece becomes. 0 of a quiet move.
    pub(crate) fn promise(&self, rules: &Rules, position: &Position, played: Move) -> i32 {
        use tabiya_engine::blueprint::Effect;

        let Some(piece) = position.piece_at(played.spot()) else { return 0 };
        let victim = position.piece(played.to).map_or(0, |victim| self.prize(position, piece.player, victim));
        let becomes = played.promotion.map_or(0, |kind| self.kind(kind) - self.kind(piece.kind));
        let plan = &rules.kind(piece.kind).moves[usize::from(played.pattern)];
        let effects = plan.effects.iter().chain(plan.actions.iter().flat_map(|action| &action.effects));
        // What is taken in passing is most often of the same kind.
        let takes_in_passing = effects.into_iter().any(|effect| matches!(effect, Effect::Capture(_)));
        victim + becomes + if takes_in_passing { self.kind(piece.kind) } else { 0 }
    }

    fn prize(&self, position: &Position, taker: Player, victim: Piece) -> i32 {
        if self.teams[taker.index()].contains(victim.player) {
            -self.kind(victim.kind)
        } else if position.eliminated().contains(victim.player) {
            0
        } else if Some(victim.kind) == self.leader {
            Self::LEADER_PRIZE
        } else {
            self.kind(victim.kind)
        }
    }

    /// More than any piece is worth: it may end the game.
    const LEADER_PRIZE: i32 = 1 << 20;
}

/// A piece among opponents, again and again.
struct Survey<'r> {
    rules: &'r Rules,
    /// A turn of the player whose pieces are counted.
    slot: u16,
    /// The squares on which each kind is put.
    squares: Vec<Square>,
    /// Boards with opponents in the way.
    boards: Vec<Vec<(Square, Piece)>>,
}

impl<'r> Survey<'r> {
    /// What one move more is worth, in hundredths.
    const MOVE: usize = 60;
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

    fn landings(&self, kind: Kind, board: &[(Square, Piece)], square: Square) -> usize {
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
        let square = rules.board().parse("a3").expect("a square");
        let of = |code: &str| {
            let kind = rules.kinds().find(|kind| rules.kind(*kind).code == code).expect("a chess piece");
            worth.piece(square, Piece { player: Player(0), kind, unmoved: false })
        };
        let pawns = |code: &str| f64::from(of(code)) / f64::from(of("PAWN"));
        assert_eq!(of("KING"), 0);
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
        assert_eq!(on("e7", 0), on("a2", 1), "both are one move away");
    }
}
