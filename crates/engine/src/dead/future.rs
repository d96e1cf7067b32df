//! What may ever happen on the board, drawn too wide: a set of facts that only grows until nothing is added.
//!
//! The facts are: this man may come to that square; this man may capture on that square; this man may leave its
//! square or be taken from it; this man may carry that flag, or become of that kind. Each follows from others, and
//! every move that can really be played adds no fact that is not here in the end. That is the whole argument: whoever
//! plays, and however long, stays within the facts.
//!
//! Squares keep sets of men, not men sets of squares: one word tells who may meet there. What stops a man for now is
//! written down where it stops him (`waiting`), and when something changes there he is looked at again.

use std::mem;

use smallvec::SmallVec;

use crate::dead::men::{Man, Men, MenSet, bit, members};
use crate::piece::Kind;
use crate::position::Position;
use crate::rules::Rules;
use crate::square::Square;

/// A win cannot be ruled out: one may be possible, or the proof would cost too much.
pub(super) struct Doubt;

/// A step of a proof that still holds.
pub(super) type Sure = Result<(), Doubt>;

/// A glance at so many squares or men costs as much as one step of a man.
pub(super) const GLANCES_A_STEP: usize = 8;

/// The facts about one square.
#[derive(Clone, Copy, Default)]
pub(super) struct Field {
    /// Who may come here, or stands here now.
    pub(super) visitors: MenSet,
    /// Who may capture here, if there is an enemy.
    pub(super) captors: MenSet,
    /// Who attacks this square for as long as he stands where he stands.
    pub(super) guards: MenSet,
    /// Whose next look depends on what changes here.
    pub(super) waiting: MenSet,
    /// Who stands here now and, as far as is known, for ever.
    pub(super) fixture: Option<u8>,
}

/// All facts about a position.
pub(super) struct Future<'a> {
    pub(super) rules: &'a Rules,
    pub(super) men: Men,
    pub(super) fields: Vec<Field>,
    /// By flag: who may carry it.
    pub(super) carriers: SmallVec<[MenSet; 2]>,
    /// Who may become of which kind, besides his own.
    pub(super) forms: Vec<(usize, Kind)>,
    /// Who may have been promoted: such a man counts as one that has never moved, wherever he stands.
    pub(super) fresh: MenSet,
    /// Those whose attack on a leader may win.
    killers: MenSet,
    /// Squares to which somebody may come and that have not been looked at.
    pending: Vec<(usize, Square)>,
    /// Who must be looked at again from every square.
    stale: MenSet,
    /// What is left to spend.
    pub(super) work: u32,
}

impl<'a> Future<'a> {
    /// The facts that hold now.
    pub(super) fn new(rules: &'a Rules, position: &Position, men: Men, work: u32) -> Self {
        let mut fields = vec![Field::default(); rules.board.len()];
        for (man, Man { home, .. }) in men.iter() {
            fields[home.index()].visitors = bit(man);
            fields[home.index()].fixture = Some(man as u8);
        }
        let mut carriers = SmallVec::from_elem(0, rules.blueprint.flags.len());
        for mark in position.marks() {
            carriers[mark.flag.index()] |= fields[mark.square.index()].visitors;
        }
        Future {
            rules,
            killers: men.hunters & !men.leaders,
            men,
            fields,
            carriers,
            forms: Vec::new(),
            fresh: 0,
            pending: Vec::with_capacity(64),
            stale: 0,
            work,
        }
    }

    /// Whether the hunters can never win.
    pub(super) fn has_no_win(&mut self) -> bool {
        self.explore().is_ok()
    }

    /// The hunters' men come first and alone: if they are free, that is seen at once. The leaders of the two sides
    /// are only looked at if there is still a chance of a proof.
    fn explore(&mut self) -> Sure {
        self.set_out(self.killers)?;
        if !self.leaders_are_shy() {
            self.killers = self.men.hunters;
            // Somebody may have taken them along already, when they did not count.
            self.stale |= self.men.leaders;
        } else if self.leaders_meet() {
            return Err(Doubt);
        }
        if self.killers == 0 {
            return Ok(());
        }
        self.find_guards();
        let started = self.men.hunters & !self.men.leaders;
        self.set_out((self.men.hunters | self.men.hunted) & !started)
    }

    /// Draws everything that follows if these men move too.
    fn set_out(&mut self, men: MenSet) -> Sure {
        self.pending.extend(members(men).map(|man| (man, self.men.man(man).home)));
        loop {
            while let Some((man, from)) = self.pending.pop() {
                self.walk_from(man, from)?;
            }
            let Some(man) = members(self.stale).next() else { return Ok(()) };
            self.stale &= !bit(man);
            self.spend(self.fields.len() / GLANCES_A_STEP)?;
            let visited = self.fields.iter().enumerate().filter(|(_, field)| field.visitors & bit(man) != 0);
            self.pending.extend(visited.map(|(square, _)| (man, Square(square as u16))));
        }
    }

    /// A man may come to a square.
    pub(super) fn visit(&mut self, man: usize, square: Square) -> Sure {
        let field = &mut self.fields[square.index()];
        if field.visitors & bit(man) != 0 {
            return Ok(());
        }
        field.visitors |= bit(man);
        self.pending.push((man, square));
        self.stale |= mem::take(&mut field.waiting);
        let captors = field.captors & !self.men.side_of(man);
        // For the capture itself one victim is as good as another, and a leader is none.
        let is_first = field.visitors & self.men.prey_of_enemies(man) == bit(man);
        if is_first {
            self.stale |= captors;
        }
        self.unsettle(man);
        self.strike(captors, bit(man))
    }

    /// Men may be captured. A game in which a leader falls is over, so nothing else follows from that; and whoever
    /// removes his own makes no legal move.
    pub(super) fn strike(&mut self, captors: MenSet, victims: MenSet) -> Sure {
        if captors & self.killers != 0 && victims & self.men.leaders & self.men.hunted != 0 {
            return Err(Doubt);
        }
        if captors != 0 {
            members(victims & !self.men.leaders).for_each(|victim| self.unsettle(victim));
        }
        Ok(())
    }

    /// A man may be gone from where he stands now.
    fn unsettle(&mut self, man: usize) {
        let home = &mut self.fields[self.men.man(man).home.index()];
        if home.fixture == Some(man as u8) {
            home.fixture = None;
            self.stale |= mem::take(&mut home.waiting);
        }
    }

    /// What is known about a man changed in another way than by where he goes.
    pub(super) fn alter(&mut self, man: usize) -> Sure {
        self.spend(self.fields.len() / GLANCES_A_STEP)?;
        self.stale |= bit(man);
        for field in self.fields.iter_mut().filter(|field| field.visitors & bit(man) != 0) {
            self.stale |= mem::take(&mut field.waiting);
        }
        Ok(())
    }

    /// The man is looked at again when somebody comes to the square, or leaves it for the first time.
    pub(super) fn wait(&mut self, man: usize, square: Square) {
        self.fields[square.index()].waiting |= bit(man);
    }

    /// Whether a man stands on the square for ever; if so, the other waits for him.
    pub(super) fn is_blocked(&mut self, man: usize, square: Square) -> bool {
        let blocked = self.fields[square.index()].fixture.is_some();
        if blocked {
            self.wait(man, square);
        }
        blocked
    }

    /// Whether the man is one whose attack on a leader may win.
    pub(super) fn is_killer(&self, man: usize) -> bool {
        self.killers & bit(man) != 0
    }

    /// Pays for so many steps of the proof.
    pub(super) fn spend(&mut self, steps: usize) -> Sure {
        self.work = self.work.checked_sub(steps as u32).ok_or(Doubt)?;
        Ok(())
    }
}
