//! What a position of the fast generator has beyond its pieces, and the rules about it: pieces in hand, a counter of
//! checks, endings decided by the board, compulsory captures.

use crate::blueprint::ending::{Clause, EndingPlan, Measure, Owner};
use crate::blueprint::mechanics::{
    CounterChange, CounterEffect, HandOf, Leadership, Mechanics, TriggerEffect, TriggerPlan,
};
use crate::blueprint::{Condition, Event, EventTest};
use crate::endings::asks_for_stuck;
use crate::movegen::fast::atoms::Atoms;
use crate::movegen::fast::bits::Bits;
use crate::movegen::fast::drops::DropRule;
use crate::movegen::fast::generate::SlideLookup;
use crate::movegen::fast::state::{Column, State, UNMOVED};
use crate::movegen::fast::tables::{FastTables, occurring_kinds};
use crate::piece::{Kind, Player};
use crate::position::Position;
use crate::rules::Rules;

/// The largest number of pieces of a kind in hand. As many again can be captured without an overflow.
const MOST_IN_HAND: u8 = 127;
/// The largest number of kinds in a hand.
const MOST_KINDS: usize = 8;

/// What a position has beyond its pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Extras {
    /// By player: the number of pieces in hand, one byte for each kind that can be dropped.
    pub(crate) hands: [u64; 2],
    /// By player: the value of the counter of checks.
    pub(crate) checks: [u8; 2],
}

/// The rules about extras.
pub(crate) struct ExtraRules<B> {
    /// By player: the drops. Their order is that of the bytes of a hand.
    pub(crate) drops: [Vec<DropRule<B>>; 2],
    /// By kind: the byte of the hand that a captured piece of the kind goes to.
    captured_as: Vec<Option<u8>>,
    captured_to: Option<HandOf>,
    /// The largest value of the counter of checks, if there is one.
    most_checks: Option<u8>,
    endings: Vec<BoardEnding<B>>,
    /// Whether endings are evaluated only after moves that change the set of pieces.
    endings_need_change: bool,
    /// Whether captures are compulsory.
    pub(crate) must_capture: bool,
    /// Whether a position after a move must be [settled](FastTables::settle).
    pub(crate) settles: bool,
}

/// An ending that is decided by the board.
struct BoardEnding<B> {
    /// Whether it may hold for any player, not only for the one who has just moved.
    anyone: bool,
    clauses: Vec<BoardClause<B>>,
}

enum BoardClause<B> {
    /// The number of pieces with these planes is in a range.
    Count {
        columns: Vec<Column>,
        every_kind: bool,
        owner: Owner,
        region: [B; 2],
        min: u32,
        max: u32,
    },
    /// The counter of checks is in a range.
    Checks {
        owner: Owner,
        min: i32,
        max: i32,
    },
    Any(Vec<Vec<BoardClause<B>>>),
    Not(Vec<BoardClause<B>>),
}

impl<B: Bits> ExtraRules<B> {
    /// Returns the rules, if they are supported.
    pub(crate) fn new(rules: &Rules, atoms: &Atoms) -> Option<Self> {
        let mechanics = rules.mechanics();
        let supported = Mechanics {
            leadership: Leadership { players: mechanics.leadership.players, ..Leadership::default() },
            priority: mechanics.priority.clone(),
            hands: mechanics.hands.clone(),
            counters: mechanics.counters.clone(),
            triggers: mechanics.triggers.clone(),
            stuck_passes: mechanics.stuck_passes,
            ..Mechanics::default()
        };
        if *mechanics != supported || mechanics.stuck_passes && !ends_when_stuck(rules) {
            return None;
        }
        let must_capture = match mechanics.priority.as_slice() {
            [] => false,
            [class] if is_any_capture(class) => true,
            _ => return None,
        };
        let endings = rules.endings().iter().filter(|it| it.is_on_board() && !asks_for_stuck(&it.when));
        let endings =
            endings.map(|ending| BoardEnding::new(rules, atoms, ending)).collect::<Option<Vec<_>>>()?;
        let drops = [DropRule::all(rules, atoms, Player(0))?, DropRule::all(rules, atoms, Player(1))?];
        if drops[0].len() > MOST_KINDS {
            return None;
        }
        let most_checks = if counters_decide_nothing(rules) { None } else { most_checks(mechanics)? };
        let captured_as = rules.kinds().map(|kind| {
            let kind = rules.kind(kind).reverts_to.unwrap_or(kind);
            (0u8..).zip(&drops[0]).find(|(_, drop)| drop.kind == kind).map(|(place, _)| place)
        });
        let hands = mechanics.hands.as_ref();
        let captured_to = hands.and_then(|hands| hands.captured_to);
        Some(ExtraRules {
            captured_as: captured_as.collect(),
            captured_to,
            most_checks,
            settles: hands.is_some() || most_checks.is_some() || !endings.is_empty(),
            endings,
            endings_need_change: rules.board_endings_need_change,
            must_capture,
            drops,
        })
    }

    /// Returns the extras of a position, if they are supported.
    pub(crate) fn read(&self, position: &Position) -> Option<Extras> {
        let mut extras = Extras::default();
        for (player, drops) in self.drops.iter().enumerate() {
            for (place, drop) in drops.iter().enumerate() {
                let count = position.in_hand(Player(player as u8), drop.kind);
                if count > MOST_IN_HAND {
                    return None;
                }
                extras.hands[player] |= u64::from(count) << (8 * place);
            }
            if let Some(most) = self.most_checks {
                extras.checks[player] = u8::try_from(position.counter_value(player)).ok()?.min(most);
            }
        }
        Some(extras)
    }
}

impl Extras {
    /// Returns the number of pieces of a kind in a hand, by its place.
    #[inline(always)]
    pub(crate) fn in_hand(&self, player: usize, place: usize) -> u8 {
        (self.hands[player & 1] >> (8 * place)) as u8
    }

    /// Adds a piece to a hand.
    #[inline(always)]
    fn give(&mut self, player: usize, place: u8) {
        self.hands[player & 1] += 1 << (8 * place);
    }

    /// Takes a piece from a hand, which must have one.
    #[inline(always)]
    pub(crate) fn take(&mut self, player: usize, place: usize) {
        self.hands[player & 1] -= 1 << (8 * place);
    }
}

/// Returns whether the conditions allow every capture and nothing else.
fn is_any_capture(class: &[Condition]) -> bool {
    matches!(class, [Condition::Event(EventTest { event: Event::Captured, kinds: None })])
}

/// Returns whether triggers only change counters, and no ending that stops the game looks at them. Then they do not
/// affect which moves are legal: conditions of moves that look at counters are unsupported anyway.
fn counters_decide_nothing(rules: &Rules) -> bool {
    let mut effects = rules.mechanics().triggers.iter().flat_map(|trigger| &trigger.effects);
    let is_counter = |clause: &Clause| matches!(clause, Clause::Compare(comparison) if matches!(comparison.measure, Measure::Counter(_)));
    let mut endings = rules.endings().iter().filter(|ending| ending.stops);
    effects.all(|effect| matches!(effect, TriggerEffect::Counter(_)))
        && !endings.any(|ending| ending.when.iter().any(|clause| clause.mentions(is_counter)))
}

/// Returns the largest value of the only counter, if it counts checks. The outer `None` means that counters have another
/// form.
#[allow(clippy::option_option, reason = "the two levels have different meanings")]
fn most_checks(mechanics: &Mechanics) -> Option<Option<u8>> {
    if mechanics.counters.is_empty() && mechanics.triggers.is_empty() {
        return Some(None);
    }
    let ([counter], [TriggerPlan { on, when, effects }]) =
        (mechanics.counters.as_slice(), mechanics.triggers.as_slice())
    else {
        return None;
    };
    let counts_own = CounterEffect { counter: 0, owner: Owner::Own, change: CounterChange::Add(1) };
    let is_meant = counter.per_player
        && *on == EventTest { event: Event::Check, kinds: None }
        && when.is_empty()
        && *effects == [TriggerEffect::Counter(counts_own)];
    is_meant.then(|| u8::try_from(counter.max).ok()).flatten().map(Some)
}

impl<B: Bits> BoardEnding<B> {
    fn new(rules: &Rules, atoms: &Atoms, plan: &EndingPlan) -> Option<Self> {
        Some(BoardEnding { anyone: plan.anyone, clauses: BoardClause::list(rules, atoms, &plan.when)? })
    }

    #[inline(always)]
    fn holds<const P: usize>(&self, state: &State<B, P>) -> bool {
        let moved = usize::from(!state.side & 1);
        let all = |own: usize| self.clauses.iter().all(|clause| clause.holds(state, own));
        all(moved) || self.anyone && all(moved ^ 1)
    }
}

impl<B: Bits> BoardClause<B> {
    fn list(rules: &Rules, atoms: &Atoms, clauses: &[Clause]) -> Option<Vec<Self>> {
        clauses.iter().map(|clause| Self::new(rules, atoms, clause)).collect()
    }

    fn new(rules: &Rules, atoms: &Atoms, clause: &Clause) -> Option<Self> {
        Some(match clause {
            Clause::Count(census) if census.lost == 0 && census.area.is_none() => {
                let region = |player: usize| match census.region {
                    Some(region) => B::from_words(&rules.regions[usize::from(region)][player]),
                    None => B::ALL,
                };
                let columns = census.kinds.iter().map(|kind| atoms.columns[kind.index()]);
                BoardClause::Count {
                    columns: columns.filter(|column| *column != 0).collect(),
                    every_kind: occurring_kinds(rules).all(|kind| census.kinds.contains(&kind)),
                    owner: supported(census.owner)?,
                    region: [region(0), region(1)],
                    min: census.min,
                    max: census.max.unwrap_or(u32::MAX),
                }
            }
            Clause::Compare(comparison)
                if comparison.measure == Measure::Counter(0) && comparison.than.is_none() =>
            {
                BoardClause::Checks {
                    owner: supported(comparison.owner)?,
                    min: comparison.min.unwrap_or(i32::MIN),
                    max: comparison.max.unwrap_or(i32::MAX),
                }
            }
            Clause::Any(lists) => {
                let lists = lists.iter().map(|list| Self::list(rules, atoms, list));
                BoardClause::Any(lists.collect::<Option<_>>()?)
            }
            Clause::Not(list) => BoardClause::Not(Self::list(rules, atoms, list)?),
            _ => return None,
        })
    }

    fn holds<const P: usize>(&self, state: &State<B, P>, own: usize) -> bool {
        match self {
            BoardClause::Count { columns, every_kind, owner, region, min, max } => {
                let pieces = |player: usize| {
                    let all = if *every_kind {
                        state.planes[player]
                    } else {
                        columns.iter().fold(B::ZERO, |set, column| set | state.pieces(player, *column))
                    };
                    (all & region[player]).count()
                };
                let count: u32 = players(*owner, own).iter().map(|player| pieces(*player)).sum();
                (*min..=*max).contains(&count)
            }
            BoardClause::Checks { owner, min, max } => {
                let values = players(*owner, own).iter().map(|player| state.extras.checks[*player]);
                (*min..=*max).contains(&values.map(i32::from).sum())
            }
            BoardClause::Any(lists) => {
                lists.iter().any(|list| list.iter().all(|clause| clause.holds(state, own)))
            }
            BoardClause::Not(list) => !list.iter().all(|clause| clause.holds(state, own)),
        }
    }
}

/// Returns an owner that is supported.
fn supported(owner: Owner) -> Option<Owner> {
    (!matches!(owner, Owner::Partner | Owner::Neutral)).then_some(owner)
}

/// Returns the players that an owner refers to.
fn players(owner: Owner, own: usize) -> &'static [usize] {
    let (first, second): (&[usize], &[usize]) = (&[0], &[1]);
    match owner {
        Owner::Own | Owner::Team => [first, second][own],
        Owner::Enemy => [second, first][own],
        Owner::Any | Owner::Partner | Owner::Neutral => &[0, 1],
    }
}

impl<B: Bits> FastTables<B> {
    /// Completes the position after a move: captured pieces go to a hand, checks are counted. Returns whether the game goes
    /// on.
    #[inline(always)]
    pub(crate) fn settle<L: SlideLookup<B>, const P: usize>(
        &self,
        before: &State<B, P>,
        next: &mut State<B, P>,
    ) -> bool {
        let extras = &self.extras;
        if let Some(hand) = extras.captured_to {
            let captured = before.enemy() & !next.own();
            if !captured.is_empty() {
                let kind = self.kind(before.column(captured.lowest()));
                let player = if hand == HandOf::Captor { before.side } else { next.side };
                if let Some(place) = extras.captured_as[kind] {
                    next.extras.give(usize::from(player), place);
                }
            }
        }
        if let Some(most) = extras.most_checks
            && self.in_check::<L, P>(next)
        {
            let checks = &mut next.extras.checks[usize::from(before.side & 1)];
            *checks = (*checks + 1).min(most);
        }
        let is_asked =
            !extras.endings.is_empty() && (!extras.endings_need_change || changes_pieces(before, next));
        !is_asked || !extras.endings.iter().any(|ending| ending.holds(next))
    }
}

/// Returns whether a move has captured, promoted or dropped a piece.
#[inline(always)]
fn changes_pieces<B: Bits, const P: usize>(before: &State<B, P>, next: &State<B, P>) -> bool {
    let captures = before.enemy() != next.own();
    // A new piece is unmoved.
    let promotes = !(next.planes[UNMOVED] & !before.planes[UNMOVED]).is_empty();
    let drops = (before.own() & !next.enemy()).is_empty();
    captures || promotes || drops
}

/// Returns whether the game always ends when the player to move has no legal move.
fn ends_when_stuck(rules: &Rules) -> bool {
    let ends = |wanted: Option<bool>| {
        let clause = Clause::Stuck { owner: Owner::Own, attacked: wanted };
        rules.endings().iter().any(|ending| ending.is_on_board() && ending.when == [clause.clone()])
    };
    ends(None) || ends(Some(true)) && ends(Some(false))
}

/// Returns the kinds that captured pieces and hands can add to the board.
pub(crate) fn is_from_hand(rules: &Rules, kind: Kind) -> bool {
    rules.mechanics().hands.iter().flat_map(|hands| &hands.drops).any(|drop| drop.kinds.contains(&kind))
}
