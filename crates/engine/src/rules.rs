//! The rules of one game, compiled: immutable, shared, the same for every position.
//!
//! Compiling turns every neutral step into a table of squares for each player, so that playing never rotates,
//! bounds-checks or looks up a name.

use std::fmt;
use std::sync::Arc;

use crate::blueprint::{Blueprint, KindPlan, PlayerPlan, RegionOf};
use crate::dead::{March, ends_with_leaders};
use crate::ending::EndingPlan;
use crate::fast::FastPath;
use crate::general::{General, Patterns};
pub(crate) use crate::jumps::Jump;
use crate::jumps::Jumps;
use crate::mechanics::Mechanics;
use crate::memory::Memory;
use crate::moves::Move;
use crate::pattern::Lower;
pub(crate) use crate::pattern::{Act, Change, Pattern, Test};
use crate::piece::{Flag, Kind, Player, PlayerSet};
use crate::position::{Capacity, Position};
use crate::reactions::Reactions;
use crate::square::{Board, Square};
use crate::traits::KindTraits;
pub(crate) use crate::traits::overlaps;
use crate::validate::validate;

/// The compiled rules of a game.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says of something whether it can be left out of account"
)]
pub struct Rules {
    pub(crate) board: Board,
    pub(crate) blueprint: Blueprint,
    pub(crate) jumps: Arc<Jumps>,
    /// By player, kind and place in the kind's list; those who look at the board the same way share them.
    pub(crate) patterns: Vec<Patterns>,
    /// By kind.
    pub(crate) traits: Vec<KindTraits>,
    /// The tables of the general path.
    pub(crate) general: General,
    /// What can be asked about the past.
    pub(crate) memory: Memory,
    /// By region and player, as words of bits.
    pub(crate) regions: Vec<Vec<Box<[u64]>>>,
    /// What captures let others change.
    pub(crate) reactions: Reactions,
    /// The players who have a slot in the order.
    pub(crate) seated: PlayerSet,
    /// By player: he and his partners.
    pub(crate) teams: Vec<PlayerSet>,
    /// Whether armies have fates: leaders are captured and not lost, squares held, dice thrown.
    pub(crate) has_registers: bool,
    /// Whether it has nothing beyond pieces that move and capture.
    pub(crate) is_plain: bool,
    /// Whether it is won by the attack on a leader and by nothing else.
    pub(crate) ends_with_leaders: bool,
    /// By player: how men come to be promoted.
    pub(crate) marches: Vec<Box<[March]>>,
    /// Whether some ending is part of the board.
    pub(crate) has_stops: bool,
    /// Whether those endings depend on nothing but which pieces there are.
    pub(crate) has_steady_stops: bool,
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
pub struct BlueprintError(pub(crate) &'static str);

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
        let patterns = lowered(&blueprint, &board, &mut jumps);
        let memory = Memory::new(&blueprint, &board, &mut jumps);
        let jumps = Arc::new(jumps);
        let general = General::new(&board, &blueprint, &jumps, &patterns);
        let traits: Vec<KindTraits> = blueprint.kinds.iter().map(KindTraits::of).collect();
        let words = words_for(board.len());
        let regions: Vec<Vec<Box<[u64]>>> = blueprint
            .regions
            .iter()
            .map(|region| region.squares.iter().map(|squares| bits(squares, words)).collect())
            .collect();
        let reactions = Reactions::new(&blueprint, &regions, words);
        let seated = blueprint.order.iter().copied().collect();
        let teams = teams(&blueprint);
        let is_plain = blueprint.mechanics == Mechanics::default();
        let ends_with_leaders = ends_with_leaders(&blueprint);
        let marches = patterns.iter().map(|own| March::all(own, blueprint.leader)).collect();
        let has_stops = blueprint.endings.iter().any(|ending| ending.stops);
        let mechanics = &blueprint.mechanics;
        let has_steady_stops = mechanics.stuck_passes && blueprint.endings.iter().all(EndingPlan::is_steady);
        let has_registers = mechanics.leadership.freezes
            || mechanics.control.is_some()
            || mechanics.withdrawal
            || mechanics.hold.is_some()
            || mechanics.chance.is_some();
        let mut rules = Rules {
            board,
            blueprint,
            jumps,
            patterns,
            traits,
            general,
            memory,
            regions,
            reactions,
            seated,
            teams,
            has_registers,
            is_plain,
            ends_with_leaders,
            marches,
            has_stops,
            has_steady_stops,
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
        self.kind(position.kind_at(played.spot())).moves[usize::from(played.pattern)].id
    }

    /// The kind of the piece that moves; the move is one of this position.
    pub fn moving_kind(&self, position: &Position, played: Move) -> Kind {
        position.kind_at(played.spot())
    }

    /// How much a position holds.
    pub(crate) fn capacity(&self) -> Capacity {
        let mechanics = &self.blueprint.mechanics;
        Capacity {
            squares: self.board.len(),
            players: self.blueprint.players.len(),
            kinds: self.blueprint.kinds.len(),
            tags: mechanics.tag.as_ref().map_or(0, |tag| tag.values.len()),
            has_upper: mechanics.sharing.is_some(),
            has_registers: self.has_registers,
        }
    }

    /// What the game has beyond pieces that move and capture.
    pub(crate) fn mechanics(&self) -> &Mechanics {
        &self.blueprint.mechanics
    }

    /// Whether two moves of the kind may lead from one square to the same square, so that only their numbers tell
    /// them apart.
    pub fn may_coincide(&self, kind: Kind) -> bool {
        self.traits[kind.index()].overlaps
    }

    /// Whether a piece that makes this move of the position can go back the same way later: it captures nothing, and asks for
    /// nothing and changes nothing else.
    pub fn can_be_undone(&self, position: &Position, played: Move) -> bool {
        let kind = position.kind_at(played.spot());
        self.is_plain
            && !position.occupied(played.to)
            && self.traits[kind.index()].undoable[usize::from(played.pattern)]
    }

    pub(crate) fn in_region(&self, region: u16, player: Player, square: Square) -> bool {
        let words = &self.regions[usize::from(region)][player.index()];
        words[square.index() / 64] >> (square.index() % 64) & 1 == 1
    }

    /// Whether the square is in the part of any of these players.
    pub(crate) fn in_region_of(&self, region: u16, players: PlayerSet, square: Square) -> bool {
        players.iter().any(|player| self.in_region(region, player, square))
    }

    /// Whose parts of a region a player means.
    pub(crate) fn meant(&self, of: RegionOf, player: Player) -> PlayerSet {
        let own = PlayerSet::EMPTY.with(player);
        match of {
            RegionOf::Own => own,
            RegionOf::Partner => self.team(player).without(own),
            RegionOf::Enemy => self.opponents(player),
            RegionOf::Any => self.players().collect(),
        }
    }
}

/// By player: he and his partners.
fn teams(blueprint: &Blueprint) -> Vec<PlayerSet> {
    let numbers = &blueprint.mechanics.teams;
    let players = || (0..blueprint.players.len() as u8).map(Player);
    let number = |player: Player| numbers.get(player.index());
    players()
        .map(|player| {
            let partners =
                players().filter(|other| number(*other).is_some() && number(*other) == number(player));
            partners.chain([player]).collect()
        })
        .collect()
}

/// The patterns of every player.
fn lowered(blueprint: &Blueprint, board: &Board, jumps: &mut Jumps) -> Vec<Patterns> {
    let mut all: Vec<Patterns> = Vec::with_capacity(blueprint.players.len());
    for (index, player) in blueprint.players.iter().enumerate() {
        let orientation = player.orientation;
        let alike = blueprint.players[..index].iter().position(|other| other.orientation == orientation);
        let mut lower = Lower { board, jumps, orientation };
        all.push(match alike {
            Some(other) => Arc::clone(&all[other]),
            None => blueprint.kinds.iter().map(|kind| lower.patterns(kind)).collect(),
        });
    }
    all
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
