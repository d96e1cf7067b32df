//! Who is on the board, as a proof sees it: every man has a number below 64, so that a set of men is one word.

use crate::piece::{Kind, Player};
use crate::position::Position;
use crate::rules::Rules;
use crate::square::Square;

/// A set of men, by their numbers.
pub(super) type MenSet = u64;

/// The most men of one proof.
const MOST: usize = MenSet::BITS as usize;

/// A man as it stands now.
#[derive(Clone, Copy)]
pub(super) struct Man {
    pub(super) home: Square,
    pub(super) player: Player,
    pub(super) kind: Kind,
    pub(super) unmoved: bool,
}

/// All men. Those of players who are out belong to neither side: they stand in the way, and both may take them.
pub(super) struct Men {
    list: Vec<Man>,
    /// The men of the player who is to be shown unable to win.
    pub(super) hunters: MenSet,
    /// The men of the other.
    pub(super) hunted: MenSet,
    /// The leaders of both.
    pub(super) leaders: MenSet,
}

impl Men {
    /// The men of a position, of which two players are left; `None` if they are too many, or if some belong to a
    /// player who never moves and yet attacks.
    pub(super) fn of(rules: &Rules, position: &Position, player: Player) -> Option<Men> {
        let mut men = Men { list: Vec::with_capacity(MOST), hunters: 0, hunted: 0, leaders: 0 };
        let alive = rules.alive(position);
        for owner in rules.players() {
            for kind in rules.kinds() {
                for home in position.army(owner, kind) {
                    let is_alive = alive.contains(owner);
                    if men.list.len() == MOST || !is_alive && !position.eliminated().contains(owner) {
                        return None;
                    }
                    let man = Man { home, player: owner, kind, unmoved: position.unmoved(home) };
                    men.add(man, owner == player, is_alive, Some(kind) == rules.leader());
                }
            }
        }
        Some(men)
    }

    fn add(&mut self, man: Man, is_hunter: bool, is_alive: bool, is_leader: bool) {
        let bit = bit(self.list.len());
        self.list.push(man);
        if is_hunter {
            self.hunters |= bit;
        } else if is_alive {
            self.hunted |= bit;
        }
        if is_alive && is_leader {
            self.leaders |= bit;
        }
    }

    /// The man of a number.
    pub(super) fn man(&self, man: usize) -> Man {
        self.list[man]
    }

    /// How many.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Every man with its number.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, Man)> + '_ {
        self.list.iter().copied().enumerate()
    }

    /// The men of the same player; the man is of one who is still in the game.
    pub(super) fn side_of(&self, man: usize) -> MenSet {
        if self.hunters & bit(man) == 0 { self.hunted } else { self.hunters }
    }

    /// All whom an enemy of the man could capture, and go on.
    pub(super) fn prey_of_enemies(&self, man: usize) -> MenSet {
        let enemies = if self.hunters & bit(man) == 0 { self.hunters } else { self.hunted };
        !enemies & !self.leaders
    }

    /// Whether it is a leader.
    pub(super) fn is_leader(&self, man: usize) -> bool {
        self.leaders & bit(man) != 0
    }
}

/// The set of one man.
pub(super) fn bit(man: usize) -> MenSet {
    1 << man
}

/// The men of a set, in order.
pub(super) fn members(mut set: MenSet) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let man = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(man)
    })
}
