//! Pawn structure, generalised to every promotable piece: passed, doubled, isolated and supported pieces.
//!
//! The structure follows from the rules. A piece advances where it can move on an empty board and attacks where it can
//! move on a board full of enemies.

use tabiya_engine::{Kind, Piece, Player, Rules, Square};

use super::mobility::Mobility;
use super::weights::Params;

/// A piece number (from player and kind) and its square.
pub(crate) type PlacedPiece = (u16, Square);

/// The structure tables of one game. They are empty if no piece promotes or the game is too large.
#[derive(Clone, Debug, Default)]
pub(crate) struct Structure {
    squares: usize,
    /// By piece number and square.
    masks: Vec<Option<Box<Masks>>>,
    /// By piece number and square: a random key.
    keys: Vec<u64>,
}

/// The squares that matter to one promotable piece on one square.
#[derive(Clone, Debug)]
struct Masks {
    /// The expected gain from promotion, in centipawns.
    promotion_gain: i32,
    player: Player,
    /// By player: where its promotable pieces stop this one.
    stoppers: Vec<Mask>,
    /// The squares ahead.
    ahead: Mask,
    /// Where own promotable pieces protect this one now.
    protectors: Mask,
    /// Where own promotable pieces can come to protect it.
    supporters: Mask,
}

/// A set of squares.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mask(Box<[u64]>);

impl Mask {
    fn empty(squares: usize) -> Self {
        Mask(vec![0; squares.div_ceil(64)].into())
    }

    fn contains(&self, square: Square) -> bool {
        self.0[square.index() / 64] >> (square.index() % 64) & 1 == 1
    }

    fn insert(&mut self, square: Square) {
        self.0[square.index() / 64] |= 1 << (square.index() % 64);
    }

    fn insert_all(&mut self, other: &Mask) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own |= other);
    }

    fn intersects(&self, other: &Mask) -> bool {
        self.0.iter().zip(&other.0).any(|(own, other)| own & other != 0)
    }
}

/// What one kind of piece reaches from one square.
struct Reach {
    attacks: Mask,
    /// All squares that it can advance to, in any number of moves.
    ahead: Mask,
    /// What it attacks from its square or from any square ahead.
    future_attacks: Mask,
}

impl Structure {
    /// Larger games have no structure tables.
    const MAX_SQUARES: usize = 256;
    const MAX_PIECES: usize = 16;

    /// Builds the tables. `promotion_gains` is indexed by player, kind and square.
    pub(crate) fn new(mobility: &Mobility<'_>, promotion_gains: &[Vec<Box<[i32]>>]) -> Self {
        let rules = mobility.rules;
        let squares = rules.board().len();
        let gains = |player: Player, kind: Kind| {
            let by_kind = promotion_gains.get(player.index());
            by_kind.and_then(|kinds| kinds.get(kind.index())).filter(|it| !it.is_empty())
        };
        let all: Vec<(Player, Kind)> =
            rules.players().flat_map(|player| rules.kinds().map(move |kind| (player, kind))).collect();
        let promotable: Vec<(Player, Kind)> =
            all.iter().copied().filter(|it| gains(it.0, it.1).is_some()).collect();
        let is_too_large = promotable.len() > Self::MAX_PIECES || squares > Self::MAX_SQUARES;
        if promotable.is_empty() || is_too_large {
            return Structure::default();
        }
        let reaches: Vec<Vec<Reach>> =
            promotable.iter().map(|(player, kind)| reaches(mobility, *player, *kind)).collect();
        let mut rng = crate::SplitMix::new(1);
        let masks_of = |player: Player, kind: Kind, square: Square| {
            let own = promotable.iter().position(|it| *it == (player, kind))?;
            let gain = gains(player, kind)?[square.index()];
            (gain > 0).then(|| Box::new(Masks::new(rules, &promotable, &reaches, own, square, gain)))
        };
        let placed = |(player, kind)| (0..squares as u16).map(move |it| (player, kind, Square(it)));
        let masks: Vec<_> = all
            .into_iter()
            .flat_map(placed)
            .map(|(player, kind, square)| masks_of(player, kind, square))
            .collect();
        let keys = masks.iter().map(|_| rng.next_u64()).collect();
        Structure { squares, masks, keys }
    }

    fn index(&self, (number, square): PlacedPiece) -> usize {
        usize::from(number) * self.squares + square.index()
    }

    /// Whether a piece can still promote from its square.
    pub(crate) fn is_promotable(&self, piece: PlacedPiece) -> bool {
        self.masks.get(self.index(piece)).is_some_and(Option::is_some)
    }

    /// Returns the hash key of a promotable piece.
    pub(crate) fn key(&self, piece: PlacedPiece) -> u64 {
        self.keys[self.index(piece)]
    }

    /// Scores the structure of every side.
    pub(crate) fn scores(&self, pieces: &[PlacedPiece], side: &[usize], params: &Params) -> Scores {
        let mut scores = Scores::default();
        let masks = pieces.iter().map(|piece| self.masks[self.index(*piece)].as_deref());
        let pieces: Vec<(Square, &Masks)> =
            pieces.iter().zip(masks).filter_map(|(piece, masks)| Some((piece.1, masks?))).collect();
        for (square, masks) in &pieces {
            let own_side = side[masks.player.index()];
            let has_own_on = |mask: &Mask| {
                pieces
                    .iter()
                    .any(|(other, it)| it.player == masks.player && other != square && mask.contains(*other))
            };
            let is_stopped = pieces.iter().any(|(other, it)| {
                side[it.player.index()] != own_side && masks.stoppers[it.player.index()].contains(*other)
            });
            let Some(score) = scores.get_mut(own_side) else { continue };
            let mut add = |pair: [i32; 2]| {
                score[0] += pair[0];
                score[1] += pair[1];
            };
            if has_own_on(&masks.ahead) {
                add(params.doubled);
            } else if !is_stopped {
                add(params.passed.map(|quarters| masks.promotion_gain * quarters / 4));
            }
            if has_own_on(&masks.protectors) {
                add(params.supported);
            } else if !has_own_on(&masks.supporters) {
                add(params.isolated);
            }
        }
        scores
    }
}

impl Masks {
    fn new(
        rules: &Rules,
        promotable: &[(Player, Kind)],
        reaches: &[Vec<Reach>],
        own: usize,
        square: Square,
        promotion_gain: i32,
    ) -> Self {
        let (player, _) = promotable[own];
        let squares = rules.board().len();
        let ahead = &reaches[own][square.index()].ahead;
        let mut protected = ahead.clone();
        protected.insert(square);
        let mut stoppers = vec![Mask::empty(squares); rules.players().count()];
        let (mut protectors, mut supporters) = (Mask::empty(squares), Mask::empty(squares));
        for ((other, _), reaches) in promotable.iter().zip(reaches) {
            for (from, reach) in (0u16..).map(Square).zip(reaches) {
                if ahead.contains(from) || reach.future_attacks.intersects(ahead) {
                    stoppers[other.index()].insert(from);
                }
                if *other == player && from != square {
                    if reach.attacks.contains(square) {
                        protectors.insert(from);
                    }
                    if reach.future_attacks.intersects(&protected) {
                        supporters.insert(from);
                    }
                }
            }
        }
        Masks { promotion_gain, player, stoppers, ahead: ahead.clone(), protectors, supporters }
    }
}

/// Returns by square what one kind of piece reaches.
fn reaches(mobility: &Mobility<'_>, player: Player, kind: Kind) -> Vec<Reach> {
    let rules = mobility.rules;
    let squares = rules.board().len();
    let slot = rules.order().iter().position(|other| *other == player).unwrap_or(0) as u16;
    let enemy = rules.players().find(|other| !rules.team(player).contains(*other));
    let full: Vec<(Square, Piece)> = match enemy {
        Some(player) => {
            rules.board().squares().map(|it| (it, Piece { player, kind, unmoved: false })).collect()
        }
        None => Vec::new(),
    };
    let targets = |board: &[(Square, Piece)], square: Square| {
        let mut mask = Mask::empty(squares);
        if rules.board().has(square) {
            mobility.moves(slot, kind, board, square).iter().for_each(|played| mask.insert(played.to));
        }
        mask
    };
    let all = || (0..squares as u16).map(Square);
    let steps: Vec<Mask> = all().map(|square| targets(&[], square)).collect();
    let attacks: Vec<Mask> = all().map(|square| targets(&full, square)).collect();
    let reach = |square: Square| {
        let mut ahead = steps[square.index()].clone();
        loop {
            let before = ahead.clone();
            for next in all().filter(|it| before.contains(*it)) {
                ahead.insert_all(&steps[next.index()]);
            }
            if ahead == before {
                break;
            }
        }
        let mut future_attacks = attacks[square.index()].clone();
        for next in all().filter(|it| ahead.contains(*it)) {
            future_attacks.insert_all(&attacks[next.index()]);
        }
        Reach { attacks: attacks[square.index()].clone(), ahead, future_attacks }
    };
    all().map(reach).collect()
}

/// By side: the early and late score. Sides from the fifth on are not scored.
pub(crate) type Scores = [[i32; 2]; 4];

/// A cache of structure scores: most positions of a search share their structure with many others. The default caches
/// nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct StructureCache(Vec<(u64, Scores)>);

impl StructureCache {
    const BITS: u32 = 14;

    pub(crate) fn enabled() -> Self {
        StructureCache(vec![(0, Scores::default()); 1 << Self::BITS])
    }

    pub(crate) fn get_or_compute(&mut self, key: u64, compute: impl FnOnce() -> Scores) -> Scores {
        let Some(slot) = self.0.get_mut((key >> (64 - Self::BITS)) as usize) else { return compute() };
        if slot.0 != key {
            *slot = (key, compute());
        }
        slot.1
    }
}
