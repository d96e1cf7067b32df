//! How the men who hope to become others stand to each other: who can still be stopped by his like, who is in his own
//! side's way, who is guarded. Found out from the rules: a way is what a man can go on an empty board, and he strikes
//! where he goes when everything is full of enemies.

use tabiya_engine::{Kind, Piece, Player, Rules, Square};

use crate::survey::Survey;
use crate::weights::Taste;

/// The man of a number (of his player and kind) on a square.
pub(crate) type Man = (u16, Square);

/// What is known of all ways of one game; nothing, where nobody becomes another or there are too many of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Structure {
    squares: usize,
    /// By number of the man and square.
    ways: Vec<Option<Box<Way>>>,
    /// The same: a random number each.
    stamps: Vec<u64>,
}

/// The way of one man from one square.
#[derive(Clone, Debug)]
struct Way {
    /// What he hopes for, in hundredths.
    hope: i32,
    player: Player,
    /// By player: where his like stop him.
    stoppers: Vec<Mask>,
    /// The squares before him.
    ahead: Mask,
    /// From where his own guard him, and from where they may come to do so.
    guards: Mask,
    friends: Mask,
}

/// A set of squares.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mask(Box<[u64]>);

impl Mask {
    fn empty(squares: usize) -> Self {
        Mask(vec![0; squares.div_ceil(64)].into())
    }

    fn has(&self, square: Square) -> bool {
        self.0[square.index() / 64] >> (square.index() % 64) & 1 == 1
    }

    fn add(&mut self, square: Square) {
        self.0[square.index() / 64] |= 1 << (square.index() % 64);
    }

    fn add_all(&mut self, other: &Mask) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own |= other);
    }

    fn meets(&self, other: &Mask) -> bool {
        self.0.iter().zip(&other.0).any(|(own, other)| own & other != 0)
    }
}

/// What one kind of man does on one square.
struct Deeds {
    /// Where he strikes at once.
    strikes: Mask,
    /// All squares that he may come to.
    ahead: Mask,
    /// Where he strikes at once, or from any of those.
    ever: Mask,
}

impl Structure {
    /// No larger game is looked at.
    const MOST_SQUARES: usize = 256;
    const MOST_MEN: usize = 16;

    /// `hopes` has, by player and kind, what each square promises to a man who may become another.
    pub(crate) fn new(survey: &Survey<'_>, hopes: &[Vec<Box<[i32]>>]) -> Self {
        let rules = survey.rules;
        let squares = rules.board().len();
        let hope_of = |player: Player, kind: Kind| {
            hopes.get(player.index()).and_then(|kinds| kinds.get(kind.index())).filter(|it| !it.is_empty())
        };
        let all: Vec<(Player, Kind)> =
            rules.players().flat_map(|player| rules.kinds().map(move |kind| (player, kind))).collect();
        let hopeful: Vec<(Player, Kind)> =
            all.iter().copied().filter(|it| hope_of(it.0, it.1).is_some()).collect();
        if hopeful.is_empty() || hopeful.len() > Self::MOST_MEN || squares > Self::MOST_SQUARES {
            return Structure::default();
        }
        let deeds: Vec<Vec<Deeds>> =
            hopeful.iter().map(|(player, kind)| deeds(survey, *player, *kind)).collect();
        let mut dice = crate::SplitMix::new(1);
        let way = |player: Player, kind: Kind, square: Square| {
            let own = hopeful.iter().position(|it| *it == (player, kind))?;
            let hope = hope_of(player, kind)?[square.index()];
            (hope > 0).then(|| Box::new(Way::new(rules, &hopeful, &deeds, own, square, hope)))
        };
        let squares_of = |(player, kind)| (0..squares as u16).map(move |it| (player, kind, Square(it)));
        let ways: Vec<_> = all
            .into_iter()
            .flat_map(squares_of)
            .map(|(player, kind, square)| way(player, kind, square))
            .collect();
        let stamps = ways.iter().map(|_| dice.next_u64()).collect();
        Structure { squares, ways, stamps }
    }

    fn place(&self, (number, square): Man) -> usize {
        usize::from(number) * self.squares + square.index()
    }

    /// Whether the man is one who hopes there.
    pub(crate) fn counts(&self, man: Man) -> bool {
        self.ways.get(self.place(man)).is_some_and(Option::is_some)
    }

    /// A number that is another one for other men.
    pub(crate) fn stamp(&self, man: Man) -> u64 {
        self.stamps[self.place(man)]
    }

    /// What it comes to for each side, on a full and on an empty board.
    pub(crate) fn sums(&self, men: &[Man], side: &[usize], taste: &Taste) -> Sums {
        let mut sums = Sums::default();
        let ways = men.iter().map(|man| self.ways[self.place(*man)].as_deref());
        let men: Vec<(Square, &Way)> =
            men.iter().zip(ways).filter_map(|(man, way)| Some((man.1, way?))).collect();
        for (square, way) in &men {
            let own_side = side[way.player.index()];
            let of = |mask: &Mask| {
                men.iter().any(|(other, it)| it.player == way.player && other != square && mask.has(*other))
            };
            let is_stopped = men.iter().any(|(other, it)| {
                side[it.player.index()] != own_side && way.stoppers[it.player.index()].has(*other)
            });
            let Some(sum) = sums.get_mut(own_side) else { continue };
            let mut add = |pair: [i32; 2]| {
                sum[0] += pair[0];
                sum[1] += pair[1];
            };
            if of(&way.ahead) {
                add(taste.doubled);
            } else if !is_stopped {
                add(taste.free_way.map(|quarters| way.hope * quarters / 4));
            }
            if of(&way.guards) {
                add(taste.guarded);
            } else if !of(&way.friends) {
                add(taste.alone);
            }
        }
        sums
    }
}

impl Way {
    fn new(
        rules: &Rules,
        hopeful: &[(Player, Kind)],
        deeds: &[Vec<Deeds>],
        own: usize,
        square: Square,
        hope: i32,
    ) -> Self {
        let (player, _) = hopeful[own];
        let squares = rules.board().len();
        let ahead = &deeds[own][square.index()].ahead;
        let mut guarded = ahead.clone();
        guarded.add(square);
        let mut stoppers = vec![Mask::empty(squares); rules.players().count()];
        let (mut guards, mut friends) = (Mask::empty(squares), Mask::empty(squares));
        for ((other, _), deeds) in hopeful.iter().zip(deeds) {
            for (from, deed) in (0u16..).map(Square).zip(deeds) {
                if ahead.has(from) || deed.ever.meets(ahead) {
                    stoppers[other.index()].add(from);
                }
                if *other == player && from != square {
                    if deed.strikes.has(square) {
                        guards.add(from);
                    }
                    if deed.ever.meets(&guarded) {
                        friends.add(from);
                    }
                }
            }
        }
        Way { hope, player, stoppers, ahead: ahead.clone(), guards, friends }
    }
}

/// By square: what one kind of man does there.
fn deeds(survey: &Survey<'_>, player: Player, kind: Kind) -> Vec<Deeds> {
    let rules = survey.rules;
    let squares = rules.board().len();
    let slot = rules.order().iter().position(|other| *other == player).unwrap_or(0) as u16;
    let enemy = rules.players().find(|other| !rules.team(player).contains(*other));
    let full: Vec<(Square, Piece)> = match enemy {
        Some(player) => {
            rules.board().squares().map(|it| (it, Piece { player, kind, unmoved: false })).collect()
        }
        None => Vec::new(),
    };
    let landings = |board: &[(Square, Piece)], square: Square| {
        let mut mask = Mask::empty(squares);
        if rules.board().has(square) {
            survey.moves(slot, kind, board, square).iter().for_each(|played| mask.add(played.to));
        }
        mask
    };
    let all = || (0..squares as u16).map(Square);
    let steps: Vec<Mask> = all().map(|square| landings(&[], square)).collect();
    let strikes: Vec<Mask> = all().map(|square| landings(&full, square)).collect();
    let deeds = all().map(|square| {
        let mut ahead = steps[square.index()].clone();
        loop {
            let before = ahead.clone();
            for next in all().filter(|it| before.has(*it)) {
                ahead.add_all(&steps[next.index()]);
            }
            if ahead == before {
                break;
            }
        }
        let mut ever = strikes[square.index()].clone();
        all().filter(|it| ahead.has(*it)).for_each(|it| ever.add_all(&strikes[it.index()]));
        Deeds { strikes: strikes[square.index()].clone(), ahead, ever }
    });
    deeds.collect()
}

/// By side: what it comes to on a full and on an empty board. Further sides do without.
pub(crate) type Sums = [[i32; 2]; 4];

/// What was found out about structures: most positions of a search share theirs with many others. Without room it
/// remembers nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recent(Vec<(u64, Sums)>);

impl Recent {
    const BITS: u32 = 12;

    /// Room for many structures.
    pub(crate) fn with_room() -> Self {
        Recent(vec![(0, Sums::default()); 1 << Self::BITS])
    }

    /// The sums of a structure with this stamp, found out if they are not known.
    pub(crate) fn sums(&mut self, stamp: u64, found: impl FnOnce() -> Sums) -> Sums {
        let Some(place) = self.0.get_mut((stamp >> (64 - Self::BITS)) as usize) else { return found() };
        if place.0 != stamp {
            *place = (stamp, found());
        }
        place.1
    }
}
