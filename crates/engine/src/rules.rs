//! The rules of one game, compiled: immutable, shared, the same for every position.
//!
//! Compiling turns every neutral step into a table of squares for each player, so that playing never rotates,
//! bounds-checks or looks up a name.

use std::collections::HashMap;
use std::fmt;

use crate::attack::Attacks;
use crate::blueprint::{
    Anchor, Blueprint, Condition, Effect, KindPlan, MovePlan, Occupancy, PlayerPlan, Repeat, Until,
};
use crate::ending::Clause;
use crate::fast::FastPath;
use crate::moves::Move;
use crate::piece::{Flag, Kind, Player, PlayerSet};
use crate::position::Position;
use crate::square::{Board, Offset, Orientation, Square};

/// The compiled rules of a game.
pub struct Rules {
    pub(crate) board: Board,
    pub(crate) blueprint: Blueprint,
    pub(crate) jumps: Jumps,
    /// By player, kind and place in the kind's list.
    pub(crate) patterns: Vec<Vec<Box<[Pattern]>>>,
    /// By kind.
    pub(crate) traits: Vec<KindTraits>,
    /// By attacker.
    pub(crate) attacks: Vec<Attacks>,
    /// By region and player, as words of bits.
    pub(crate) regions: Vec<Vec<Box<[u64]>>>,
    /// The players who have a slot in the order.
    pub(crate) seated: PlayerSet,
    /// The tables of the fast path, if the game is one for it.
    pub(crate) fast: Option<FastPath>,
    start: Option<Box<Position>>,
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rules").field("blueprint", &self.blueprint).finish_non_exhaustive()
    }
}

/// Why a blueprint cannot be compiled. A checked spec never gives one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlueprintError(&'static str);

impl fmt::Display for BlueprintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for BlueprintError {}

impl Rules {
    /// Compiles a game.
    pub fn compile(blueprint: Blueprint) -> Result<Rules, BlueprintError> {
        validate(&blueprint)?;
        let board = Board::new(blueprint.files, blueprint.ranks, &blueprint.disabled)
            .ok_or(BlueprintError("the board has no squares, too many, or holes outside"))?;
        let mut jumps = Jumps::new(&board);
        let patterns: Vec<Vec<Box<[Pattern]>>> = blueprint
            .players
            .iter()
            .map(|player| {
                let mut lower = Lower { board: &board, jumps: &mut jumps, orientation: player.orientation };
                blueprint.kinds.iter().map(|kind| lower.patterns(kind)).collect()
            })
            .collect();
        let traits: Vec<KindTraits> = blueprint.kinds.iter().map(KindTraits::of).collect();
        let attacks = patterns.iter().map(|kinds| Attacks::of(kinds)).collect();
        let words = words_for(board.len());
        let regions = blueprint
            .regions
            .iter()
            .map(|region| region.squares.iter().map(|squares| bits(squares, words)).collect())
            .collect();
        let seated = blueprint.order.iter().copied().collect();
        let mut rules = Rules {
            board,
            blueprint,
            jumps,
            patterns,
            traits,
            attacks,
            regions,
            seated,
            fast: None,
            start: None,
        };
        let start = rules
            .position(&rules.start_setup())
            .map_err(|_| BlueprintError("the start has two pieces on one square, or a piece on none"))?;
        rules.start = Some(Box::new(start));
        rules.fast = FastPath::new(&rules);
        Ok(rules)
    }

    /// The position in which the game starts.
    pub fn start(&self) -> Position {
        self.start.as_deref().expect("set when the rules were compiled").clone()
    }

    /// The shape of the board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The rules as they were given.
    pub fn blueprint(&self) -> &Blueprint {
        &self.blueprint
    }

    /// The players, in the order in which they are listed.
    pub fn players(&self) -> impl Iterator<Item = Player> + use<> {
        (0..self.blueprint.players.len() as u8).map(Player)
    }

    /// A player's name and orientation.
    pub fn player(&self, player: Player) -> &PlayerPlan {
        &self.blueprint.players[player.index()]
    }

    /// The kinds of pieces, in the order in which they are listed.
    pub fn kinds(&self) -> impl Iterator<Item = Kind> + use<> {
        (0..self.blueprint.kinds.len() as u8).map(Kind)
    }

    /// A kind's code, letter and moves.
    pub fn kind(&self, kind: Kind) -> &KindPlan {
        &self.blueprint.kinds[kind.index()]
    }

    /// A flag's name.
    pub fn flag(&self, flag: Flag) -> &str {
        &self.blueprint.flags[flag.index()]
    }

    /// The kind whose capture ends the game for its owner.
    pub fn leader(&self) -> Option<Kind> {
        self.blueprint.leader
    }

    /// Whose turn a slot of the order is.
    pub fn turn_of(&self, slot: u16) -> Player {
        self.blueprint.order[usize::from(slot)]
    }

    /// Whose turn it is (or, in a finished game, would be).
    pub fn mover(&self, position: &Position) -> Player {
        self.turn_of(position.slot())
    }

    /// The players who are still in the game: they have a slot in the order and are not eliminated.
    pub fn alive(&self, position: &Position) -> PlayerSet {
        self.seated.without(position.eliminated())
    }

    /// The number of a move, as the rules give it; the move is one of this position.
    pub fn move_id(&self, position: &Position, played: Move) -> i32 {
        self.kind(position.kind(played.from)).moves[usize::from(played.pattern)].id
    }

    /// Whether two moves of the kind may lead from one square to the same square, so that only their numbers tell
    /// them apart.
    pub fn may_coincide(&self, kind: Kind) -> bool {
        self.traits[kind.index()].overlaps
    }

    pub(crate) fn in_region(&self, region: u16, player: Player, square: Square) -> bool {
        let words = &self.regions[usize::from(region)][player.index()];
        words[square.index() / 64] >> (square.index() % 64) & 1 == 1
    }
}

/// How many 64-bit words hold a set of squares: a power of two, as wide as the board needs.
pub(crate) fn words_for(squares: usize) -> usize {
    squares.div_ceil(64).next_power_of_two()
}

fn bits(squares: &[Square], words: usize) -> Box<[u64]> {
    let mut set = vec![0u64; words].into_boxed_slice();
    for square in squares {
        set[square.index() / 64] |= 1 << (square.index() % 64);
    }
    set
}

/// Every number that is an index must be one.
fn validate(blueprint: &Blueprint) -> Result<(), BlueprintError> {
    let Blueprint { players, order, start_at, leader, kinds, flags, regions, start, .. } = blueprint;
    let is_kind = |kind: &Kind| kind.index() < kinds.len();
    let is_player = |player: &Player| player.index() < players.len();
    let is_flag = |flag: &Flag| flag.index() < flags.len();
    let is_region = |region: &u16| usize::from(*region) < regions.len();
    let check = |good: bool, message: &'static str| if good { Ok(()) } else { Err(BlueprintError(message)) };

    check((1..=PlayerSet::MAX_PLAYERS).contains(&players.len()), "there must be 1 to 64 players")?;
    check((1..=255).contains(&kinds.len()), "there must be 1 to 255 kinds")?;
    check(flags.len() <= 255, "there must be at most 255 flags")?;
    check(order.len() <= 256 && order.iter().all(is_player), "the order names a player that is not there")?;
    check(usize::from(*start_at) < order.len(), "the start is not in the order")?;
    check(leader.iter().all(is_kind), "the leader is not a kind")?;
    let squares = usize::from(blueprint.files) * usize::from(blueprint.ranks);
    let regions_fit = regions.iter().all(|region| {
        region.squares.len() == players.len() && region.squares.iter().flatten().all(|s| s.index() < squares)
    });
    check(regions_fit, "a region lacks a player or has squares off the board")?;
    check(
        start.iter().all(|p| is_kind(&p.kind) && is_player(&p.player)),
        "the start names what is not there",
    )?;
    check(endings_fit(blueprint), "an ending names what is not there")?;
    for kind in kinds {
        check(u16::try_from(kind.moves.len()).is_ok(), "a kind has too many moves")?;
        for plan in &kind.moves {
            let good_condition = |condition: &Condition| match condition {
                Condition::DependsOn(other) => usize::from(*other) < kind.moves.len(),
                Condition::CheckState(flag, _) => is_flag(flag),
                Condition::InRegion(region) => is_region(region),
                Condition::Square(test) => test.kinds.iter().flatten().all(is_kind),
                _ => true,
            };
            let good_effect = |effect: &Effect| match effect {
                Effect::SetFlag { flag, duration } => is_flag(flag) && *duration != Some(0),
                Effect::Relocate { kind, .. } => kind.iter().all(is_kind),
                Effect::Capture(_) => true,
            };
            let until = match plan.repeat.until {
                Until::Region(region) => is_region(&region),
                Until::State(_) => true,
            };
            let conditions = plan
                .conditions
                .iter()
                .chain(plan.actions.iter().flat_map(|action| &action.conditions))
                .chain(plan.modifiers.iter().flat_map(|modifier| &modifier.conditions));
            let effects = plan.effects.iter().chain(plan.actions.iter().flat_map(|action| &action.effects));
            // What stands on a landing leaves it, or nothing stands there.
            let good_actions = plan.actions.iter().all(|action| match action.on {
                Occupancy::Empty => !action.captures,
                Occupancy::Enemy | Occupancy::Ally => action.captures,
                Occupancy::NotEmpty => false,
            });
            let good = plan.step != Offset::new(0, 0)
                && good_actions
                && until
                && plan.repeat.min >= 1
                && conditions.into_iter().all(good_condition)
                && effects.into_iter().all(good_effect)
                && plan.modifiers.iter().flat_map(|modifier| &modifier.options).all(is_kind);
            check(good, "a move names what is not there, or stands still")?;
        }
        check(depended_on(kind).is_some(), "moves depend on each other in a circle")?;
    }
    Ok(())
}

fn endings_fit(blueprint: &Blueprint) -> bool {
    fn fits(clause: &Clause, kinds: usize, regions: usize) -> bool {
        match clause {
            Clause::Count(census) => {
                census.kinds.iter().all(|kind| kind.index() < kinds)
                    && census.region.is_none_or(|region| usize::from(region) < regions)
            }
            Clause::Any(lists) => lists.iter().flatten().all(|clause| fits(clause, kinds, regions)),
            Clause::Not(list) => list.iter().all(|clause| fits(clause, kinds, regions)),
            Clause::Repetition(_) | Clause::Quiet(_) | Clause::CannotWin(_) => true,
        }
    }
    let (kinds, regions) = (blueprint.kinds.len(), blueprint.regions.len());
    let mut clauses = blueprint.endings.iter().flat_map(|ending| &ending.when);
    clauses.all(|clause| fits(clause, kinds, regions))
        && blueprint.loud.kinds.iter().all(|kind| kind.index() < kinds)
}

/// A step, as a table from squares to squares. 0 leads nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Jump(u16);

/// The tables of all steps of a game, each made once.
pub(crate) struct Jumps {
    squares: usize,
    table: Vec<u16>,
    index: HashMap<Offset, Jump>,
}

impl Jumps {
    const OFF: u16 = u16::MAX;

    fn new(board: &Board) -> Self {
        Jumps { squares: board.len(), table: vec![Self::OFF; board.len()], index: HashMap::new() }
    }

    /// Steps that no square of the board allows share one table, so there are never more than four per square.
    fn add(&mut self, board: &Board, offset: Offset) -> Jump {
        let (dx, dy) = (offset.dx.unsigned_abs(), offset.dy.unsigned_abs());
        if dx >= u32::from(board.files()) || dy >= u32::from(board.ranks()) {
            return Jump(0);
        }
        if let Some(jump) = self.index.get(&offset) {
            return *jump;
        }
        let jump = Jump((self.table.len() / self.squares) as u16);
        for square in 0..self.squares as u16 {
            let from = Square(square);
            let to = board.has(from).then(|| board.step(from, offset)).flatten();
            self.table.push(to.map_or(Self::OFF, |to| to.0));
        }
        self.index.insert(offset, jump);
        jump
    }

    /// The square that the step leads to, if it is there.
    pub(crate) fn to(&self, jump: Jump, from: Square) -> Option<Square> {
        let to = self.table[usize::from(jump.0) * self.squares + from.index()];
        (to != Self::OFF).then_some(Square(to))
    }
}

/// A move of a kind, turned for one player.
pub(crate) struct Pattern {
    pub(crate) jump: Jump,
    pub(crate) back: Jump,
    /// The shortest step in the direction, and how many make one step.
    pub(crate) unit: Jump,
    pub(crate) unit_offset: Offset,
    pub(crate) units: u32,
    pub(crate) min: u32,
    pub(crate) max: u32,
    pub(crate) until: Until,
    pub(crate) tests: Box<[Test]>,
    pub(crate) on_empty: Option<Act>,
    pub(crate) on_enemy: Option<Act>,
    pub(crate) on_ally: Option<Act>,
    pub(crate) modifiers: Box<[Modifier]>,
}

/// What a move does on a landing.
pub(crate) struct Act {
    pub(crate) captures: bool,
    pub(crate) tests: Box<[Test]>,
    pub(crate) changes: Box<[Change]>,
    /// Whether a change can forbid the move.
    pub(crate) may_block: bool,
}

/// A condition, turned.
pub(crate) enum Test {
    FirstMove,
    DependsOn(u16),
    PieceFirstMove(Jump),
    RookFirstMove(Jump),
    CheckState(Flag, Jump),
    PathEmpty,
    NotAttacked,
    PathNotAttacked,
    InRegion(u16),
    Square {
        jump: Jump,
        anchor: Anchor,
        state: Option<Occupancy>,
        kinds: Option<Box<[Kind]>>,
        unmoved: Option<bool>,
    },
}

/// An effect, turned.
pub(crate) enum Change {
    SetFlag { flag: Flag, duration: Option<u32> },
    Capture(Jump),
    Relocate { kind: Option<Kind>, from: Jump, to: Jump },
}

/// A promotion, turned.
pub(crate) struct Modifier {
    pub(crate) tests: Box<[Test]>,
    pub(crate) options: Box<[Kind]>,
}

/// Turns the plans of one player.
struct Lower<'a> {
    board: &'a Board,
    jumps: &'a mut Jumps,
    orientation: Orientation,
}

impl Lower<'_> {
    fn patterns(&mut self, kind: &KindPlan) -> Box<[Pattern]> {
        kind.moves.iter().map(|plan| self.pattern(plan)).collect()
    }

    fn pattern(&mut self, plan: &MovePlan) -> Pattern {
        let step = self.orientation.turn(plan.step);
        let (unit, units) = step.unit();
        let Repeat { min, max, until } = plan.repeat;
        Pattern {
            jump: self.jumps.add(self.board, step),
            back: self.jumps.add(self.board, step.reversed()),
            unit: self.jumps.add(self.board, unit),
            unit_offset: unit,
            units,
            min,
            max: max.unwrap_or(u32::MAX),
            until,
            tests: self.tests(&plan.conditions),
            on_empty: self.act(plan, Occupancy::Empty),
            on_enemy: self.act(plan, Occupancy::Enemy),
            on_ally: self.act(plan, Occupancy::Ally),
            modifiers: plan
                .modifiers
                .iter()
                .map(|modifier| Modifier {
                    tests: self.tests(&modifier.conditions),
                    options: modifier.options.clone().into(),
                })
                .collect(),
        }
    }

    fn act(&mut self, plan: &MovePlan, on: Occupancy) -> Option<Act> {
        let action = plan.actions.iter().find(|action| action.on == on)?;
        let changes: Box<[Change]> =
            action.effects.iter().chain(&plan.effects).map(|effect| self.change(effect)).collect();
        let may_block = changes.iter().any(|change| matches!(change, Change::Relocate { .. }));
        Some(Act { captures: action.captures, tests: self.tests(&action.conditions), changes, may_block })
    }

    fn tests(&mut self, conditions: &[Condition]) -> Box<[Test]> {
        conditions.iter().map(|condition| self.test(condition)).collect()
    }

    fn test(&mut self, condition: &Condition) -> Test {
        match condition {
            Condition::FirstMove => Test::FirstMove,
            Condition::DependsOn(other) => Test::DependsOn(*other),
            Condition::PieceFirstMove(offset) => Test::PieceFirstMove(self.jump(*offset)),
            Condition::RookFirstMove(offset) => Test::RookFirstMove(self.jump(*offset)),
            Condition::CheckState(flag, offset) => Test::CheckState(*flag, self.jump(*offset)),
            Condition::PathEmpty => Test::PathEmpty,
            Condition::NotAttacked => Test::NotAttacked,
            Condition::PathNotAttacked => Test::PathNotAttacked,
            Condition::InRegion(region) => Test::InRegion(*region),
            Condition::Square(test) => Test::Square {
                jump: self.jump(test.offset),
                anchor: test.anchor,
                state: test.state,
                kinds: test.kinds.clone().map(Into::into),
                unmoved: test.unmoved,
            },
        }
    }

    fn change(&mut self, effect: &Effect) -> Change {
        match effect {
            Effect::SetFlag { flag, duration } => Change::SetFlag { flag: *flag, duration: *duration },
            Effect::Capture(offset) => Change::Capture(self.jump(*offset)),
            Effect::Relocate { kind, from, to } => {
                Change::Relocate { kind: *kind, from: self.jump(*from), to: self.jump(*to) }
            }
        }
    }

    fn jump(&mut self, offset: Offset) -> Jump {
        self.jumps.add(self.board, self.orientation.turn(offset))
    }
}

/// What holds of a kind for every player.
pub(crate) struct KindTraits {
    /// The moves that others depend on, each after those that it depends on itself.
    pub(crate) depended_on: Box<[u16]>,
    /// Whether two of its moves may lead from one square to the same square.
    pub(crate) overlaps: bool,
}

impl KindTraits {
    fn of(kind: &KindPlan) -> Self {
        let depended_on = depended_on(kind).expect("checked before").into();
        KindTraits { depended_on, overlaps: overlaps(&kind.moves) }
    }
}

/// Whether two moves may land on the same square: in the same direction, at the same distance.
pub(crate) fn overlaps(moves: &[MovePlan]) -> bool {
    let mut landings: HashMap<Offset, [bool; Board::MAX_SQUARES]> = HashMap::new();
    moves.iter().any(|plan| {
        let (unit, units) = plan.step.unit();
        let taken = landings.entry(unit).or_insert([false; Board::MAX_SQUARES]);
        let last = plan.repeat.max.unwrap_or(u32::MAX).min(Board::MAX_SQUARES as u32);
        let distances =
            (plan.repeat.min..=last).map_while(|times| taken_index(times, units)).collect::<Vec<_>>();
        let meets = distances.iter().any(|distance| taken[*distance]);
        for distance in distances {
            taken[distance] = true;
        }
        meets
    })
}

/// The distance of a landing, if it can lie on a board at all.
fn taken_index(times: u32, units: u32) -> Option<usize> {
    let distance = u64::from(times) * u64::from(units);
    usize::try_from(distance).ok().filter(|distance| *distance < Board::MAX_SQUARES)
}

/// The moves that are depended on, dependencies first; `None` if there is a circle.
fn depended_on(kind: &KindPlan) -> Option<Vec<u16>> {
    fn needs(plan: &MovePlan) -> impl Iterator<Item = u16> + '_ {
        let lists = std::iter::once(&plan.conditions)
            .chain(plan.actions.iter().map(|action| &action.conditions))
            .chain(plan.modifiers.iter().map(|modifier| &modifier.conditions));
        lists.flatten().filter_map(|condition| match condition {
            Condition::DependsOn(other) => Some(*other),
            _ => None,
        })
    }
    let mut wanted: std::collections::BTreeSet<u16> = kind.moves.iter().flat_map(needs).collect();
    let mut order = Vec::with_capacity(wanted.len());
    while !wanted.is_empty() {
        let ready = wanted
            .iter()
            .copied()
            .find(|index| needs(&kind.moves[usize::from(*index)]).all(|other| !wanted.contains(&other)))?;
        wanted.remove(&ready);
        order.push(ready);
    }
    Some(order)
}
