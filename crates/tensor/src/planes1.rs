//! The planes of `planes1`, for any game and any number of players: pieces by seat and kind; per-piece properties that the
//! rules use (unmoved, flags, tags); and uniform planes for armies, hands, counters, the die and the history. Seat 0 is the
//! viewer.

use tabiya_engine::blueprint::{Blueprint, Condition, MovePlan};
use tabiya_engine::ending::Clause;
use tabiya_engine::{Die, Kind, Perspective, Player, Rules};

use crate::background::set_one;
use crate::encoding::{Plane, PositionView};
use crate::hands::kinds_in_hand;

/// The planes of one game.
#[derive(Debug)]
pub(crate) struct Planes1 {
    perspective: Perspective,
    kinds: Vec<PlaneKind>,
    /// By viewer: all players in turn order from the viewer on.
    turn_orders: Vec<Vec<Player>>,
    /// The number of 64-bit words in a set of squares.
    words: usize,
}

/// What a plane shows. Seats count from the viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlaneKind {
    Pieces {
        seat: usize,
        kind: Kind,
    },
    Tag(u8),
    Flag(u8),
    Unmoved,
    Board,
    Mover(Player),
    Slot(u16),
    Out(usize),
    Partner(usize),
    Frozen(usize),
    Captive(usize),
    Controlled(usize),
    Withdrawn(usize),
    Holding(usize),
    /// The number of pieces of a kind in hand, divided by `most`.
    Hand {
        seat: usize,
        kind: Kind,
        most: u32,
    },
    /// A counter of a player, or of the game if there is no seat.
    Counter {
        seat: Option<usize>,
        counter: u8,
        most: u32,
    },
    Face(u8),
    Repetition(u32),
    Quiet(u32),
}

impl Planes1 {
    pub(crate) fn new(rules: &Rules) -> Self {
        let perspective = Perspective::new(rules);
        let cells = perspective.rows * perspective.columns;
        let has_holes = rules.board().squares().count() < cells;
        Planes1 {
            kinds: plane_kinds(rules, has_holes),
            turn_orders: rules.players().map(|seat| turn_order_from(rules, seat)).collect(),
            words: rules.board().len().div_ceil(64),
            perspective,
        }
    }

    pub(crate) fn shape(&self) -> [usize; 3] {
        [self.perspective.rows, self.perspective.columns, self.kinds.len()]
    }

    pub(crate) fn describe(&self, rules: &Rules) -> Vec<Plane> {
        self.kinds.iter().map(|kind| kind.plane(rules)).collect()
    }

    pub(crate) fn write(&self, rules: &Rules, view: &PositionView<'_>, seat: Player, out: &mut [f32]) {
        let depth = self.kinds.len();
        assert_eq!(
            out.len(),
            self.perspective.rows * self.perspective.columns * depth,
            "planes of this game"
        );
        let turn_order = &self.turn_orders[seat.index()];
        let writer = Writer { rules, view, turn_order };
        let (first, _) = out.split_at_mut(depth);
        for (number, kind) in first.iter_mut().zip(&self.kinds) {
            *number = writer.uniform(kind);
        }
        repeat_first_cell(out, depth);
        let cells = self.perspective.of(seat);
        for (plane, kind) in self.kinds.iter().enumerate() {
            for word in 0..self.words {
                let mut bits = writer.squares(kind, word);
                while bits != 0 {
                    let square = word * 64 + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    if let Some(cell) = cells.get(square) {
                        set_one(out, usize::from(*cell) * depth + plane);
                    }
                }
            }
        }
    }
}

/// Copies the first cell to all others, doubling the copied part each time.
fn repeat_first_cell(out: &mut [f32], depth: usize) {
    let mut done = depth;
    while done < out.len() {
        let (copied, rest) = out.split_at_mut(done);
        let part = rest.len().min(done);
        rest[..part].copy_from_slice(&copied[..part]);
        done += part;
    }
}

/// A position and its viewer.
struct Writer<'a> {
    rules: &'a Rules,
    view: &'a PositionView<'a>,
    turn_order: &'a [Player],
}

impl Writer<'_> {
    /// Returns the squares on which a plane is 1.
    fn squares(&self, kind: &PlaneKind, word: usize) -> u64 {
        let position = self.view.position;
        match kind {
            PlaneKind::Pieces { seat, kind } => position.piece_bits(self.turn_order[*seat], *kind, word),
            PlaneKind::Tag(tag) => position.tag_bits(*tag, word),
            PlaneKind::Unmoved => position.unmoved_bits(word),
            PlaneKind::Flag(flag) => {
                let marks = position.marks().iter().filter(|mark| mark.flag.0 == *flag);
                let here = marks.filter(|mark| mark.square.index() / 64 == word);
                here.fold(0, |set, mark| set | 1 << (mark.square.index() % 64))
            }
            PlaneKind::Board => {
                let board = self.rules.board();
                let squares = (64 * word..board.len().min(64 * (word + 1))).map(|it| it as u16);
                let there = squares.filter(|square| board.has(tabiya_engine::Square(*square)));
                there.fold(0, |set, square| set | 1 << (square % 64))
            }
            _ => 0,
        }
    }

    /// Returns the number of a uniform plane; 0 for other planes.
    #[allow(clippy::cast_precision_loss, reason = "counts are small or clamped to a limit")]
    fn uniform(&self, kind: &PlaneKind) -> f32 {
        let Self { rules, view, turn_order } = *self;
        let position = view.position;
        let of = |holds: bool| f32::from(u8::from(holds));
        let fraction = |count: u32, most: u32| count.min(most) as f32 / most as f32;
        match kind {
            PlaneKind::Pieces { .. }
            | PlaneKind::Tag(_)
            | PlaneKind::Flag(_)
            | PlaneKind::Unmoved
            | PlaneKind::Board => 0.0,
            PlaneKind::Mover(player) => of(rules.mover(position) == *player),
            PlaneKind::Slot(slot) => of(position.slot() == *slot),
            PlaneKind::Out(seat) => of(position.eliminated().contains(turn_order[*seat])),
            PlaneKind::Partner(seat) => of(rules.team(turn_order[0]).contains(turn_order[*seat])),
            PlaneKind::Frozen(seat) => of(position.frozen().contains(turn_order[*seat])),
            PlaneKind::Captive(seat) => of(position.captor(turn_order[*seat]).is_some()),
            PlaneKind::Controlled(seat) => of(position.controller(turn_order[*seat]).is_some()),
            PlaneKind::Withdrawn(seat) => of(position.has_withdrawn(turn_order[*seat])),
            PlaneKind::Holding(seat) => of(position.holding().contains(turn_order[*seat])),
            PlaneKind::Hand { seat, kind, most } => {
                fraction(u32::from(position.in_hand(turn_order[*seat], *kind)), *most)
            }
            PlaneKind::Counter { seat, counter, most } => {
                let player = turn_order[seat.unwrap_or(0)];
                fraction(u32::from(rules.counter(position, *counter, player)), *most)
            }
            PlaneKind::Face(face) => of(rules.die(position) == Some(Die::Shows(*face))),
            PlaneKind::Repetition(most) => fraction(view.tally.repetitions, *most),
            PlaneKind::Quiet(most) => fraction(view.tally.quiet, *most),
        }
    }
}

/// Returns all players in turn order from `first` on. Players without turns come last.
pub fn turn_order_from(rules: &Rules, first: Player) -> Vec<Player> {
    let order = rules.order();
    let start = order.iter().position(|player| *player == first).unwrap_or(0);
    let turns = order[start..].iter().chain(&order[..start]).copied();
    let mut players = vec![first];
    for player in turns.chain(rules.players()) {
        if !players.contains(&player) {
            players.push(player);
        }
    }
    players
}

fn plane_kinds(rules: &Rules, has_holes: bool) -> Vec<PlaneKind> {
    let blueprint = rules.blueprint();
    let mechanics = rules.mechanics();
    let seats = rules.players().len();
    let mut kinds = Vec::new();
    for seat in 0..seats {
        kinds.extend(rules.kinds().map(|kind| PlaneKind::Pieces { seat, kind }));
    }
    let mut add = |wanted: bool, more: &mut dyn Iterator<Item = PlaneKind>| {
        if wanted {
            kinds.extend(more);
        }
    };
    let tags = mechanics.tag.as_ref().map_or(0, |tag| tag.values.len() as u8);
    add(true, &mut (0..tags).map(PlaneKind::Tag));
    add(true, &mut (0..blueprint.flags().len() as u8).map(PlaneKind::Flag));
    add(uses_unmoved(blueprint), &mut [PlaneKind::Unmoved].into_iter());
    add(has_holes, &mut [PlaneKind::Board].into_iter());
    add(true, &mut rules.players().map(PlaneKind::Mover));
    let has_repeated_turns = rules.order().len() != seats;
    add(has_repeated_turns, &mut (0..rules.order().len() as u16).map(PlaneKind::Slot));
    add(seats > 2, &mut (0..seats).map(PlaneKind::Out));
    add(!mechanics.teams.is_empty(), &mut (1..seats).map(PlaneKind::Partner));
    let freezes = mechanics.leadership.freezes;
    add(freezes, &mut (0..seats).map(PlaneKind::Frozen));
    add(freezes, &mut (0..seats).map(PlaneKind::Captive));
    add(mechanics.control.is_some() || mechanics.withdrawal, &mut (0..seats).map(PlaneKind::Controlled));
    add(mechanics.withdrawal, &mut (0..seats).map(PlaneKind::Withdrawn));
    add(mechanics.hold.is_some(), &mut (0..seats).map(PlaneKind::Holding));
    let in_hand = kinds_in_hand(rules);
    let hand = |seat: usize| {
        in_hand.iter().map(move |(kind, most)| PlaneKind::Hand { seat, kind: *kind, most: *most })
    };
    add(true, &mut (0..seats).flat_map(hand));
    for (counter, plan) in (0u8..).zip(&mechanics.counters) {
        let most = u32::from(plan.max).max(1);
        let of = |seat| PlaneKind::Counter { seat, counter, most };
        add(plan.per_player, &mut (0..seats).map(|seat| of(Some(seat))));
        add(!plan.per_player, &mut [of(None)].into_iter());
    }
    add(true, &mut (1..=rules.faces().unwrap_or(0)).map(PlaneKind::Face));
    let (mut repetition, mut quiet) = (0, 0);
    for ending in rules.endings() {
        find_limits(&ending.when, &mut repetition, &mut quiet);
    }
    add(repetition > 0, &mut [PlaneKind::Repetition(repetition)].into_iter());
    add(quiet > 0, &mut [PlaneKind::Quiet(quiet)].into_iter());
    kinds
}

/// Finds the greatest repetition and quiet-turn counts that endings use.
fn find_limits(clauses: &[Clause], repetition: &mut u32, quiet: &mut u32) {
    for clause in clauses {
        match clause {
            Clause::Repetition(times) | Clause::PerpetualCheck { times, .. } => {
                *repetition = (*repetition).max(*times);
            }
            Clause::Quiet(turns) => *quiet = (*quiet).max(*turns),
            Clause::Any(lists) => lists.iter().for_each(|list| find_limits(list, repetition, quiet)),
            Clause::Not(list) => find_limits(list, repetition, quiet),
            _ => {}
        }
    }
}

/// Whether a rule depends on pieces being unmoved.
fn uses_unmoved(blueprint: &Blueprint) -> bool {
    let is_about_unmoved = |condition: &Condition| match condition {
        Condition::FirstMove | Condition::PieceUnmoved(_) | Condition::EmptyOrUnmoved(_) => true,
        Condition::Square(test) => test.unmoved.is_some(),
        _ => false,
    };
    let moves = blueprint.kinds().iter().flat_map(|kind| &kind.moves);
    let mechanics = blueprint.mechanics();
    let drops = mechanics.hands.iter().flat_map(|hands| &hands.drops);
    let of_drops = drops.flat_map(|drop| {
        drop.conditions.iter().chain(drop.modifiers.iter().flat_map(|modifier| &modifier.conditions))
    });
    let of_triggers = mechanics.triggers.iter().flat_map(|trigger| &trigger.when);
    let of_game = mechanics.restrictions.iter().chain(mechanics.priority.iter().flatten());
    let mut found = false;
    for condition in of_game.chain(of_drops).chain(of_triggers) {
        condition.for_each(&mut |it| found |= is_about_unmoved(it));
    }
    found || moves.flat_map(MovePlan::all_conditions).any(is_about_unmoved)
}

impl PlaneKind {
    fn plane(&self, rules: &Rules) -> Plane {
        let mechanics = rules.mechanics();
        let cells = |name: String, meaning: &str| Plane { name, meaning: meaning.into(), is_filled: false };
        let fill = |name: String, meaning: &str| Plane { name, meaning: meaning.into(), is_filled: true };
        let seat_name = |seat: usize| match seat {
            0 => "own".to_owned(),
            1 if rules.players().count() == 2 => "enemy".to_owned(),
            _ => format!("seat {seat}"),
        };
        let army =
            |seat: usize, what: &str, meaning: &str| fill(format!("{} {what}", seat_name(seat)), meaning);
        match *self {
            PlaneKind::Pieces { seat, kind } => {
                cells(format!("{} {}", seat_name(seat), rules.kind(kind).code), "1 where one stands")
            }
            PlaneKind::Tag(value) => {
                let tag = mechanics.tag.as_ref().expect("a tag plane exists only with tags");
                cells(
                    format!("{} {}", tag.code, tag.values[usize::from(value)]),
                    "1 where the piece carries it",
                )
            }
            PlaneKind::Flag(flag) => {
                let name = rules.flag(tabiya_engine::Flag(flag));
                cells(format!("flag {name}"), "1 where the piece carries it")
            }
            PlaneKind::Unmoved => cells("unmoved".into(), "1 where the piece has never moved"),
            PlaneKind::Board => cells("board".into(), "1 where there is a square"),
            PlaneKind::Mover(player) => {
                fill(format!("{} to move", rules.player(player).name), "1 if that army is to move")
            }
            PlaneKind::Slot(slot) => fill(format!("turn {slot}"), "1 at that turn of the order"),
            PlaneKind::Out(seat) => army(seat, "out", "1 if that player is eliminated"),
            PlaneKind::Partner(seat) => army(seat, "partner", "1 if that player is a partner"),
            PlaneKind::Frozen(seat) => army(seat, "frozen", "1 if that army is frozen"),
            PlaneKind::Captive(seat) => army(seat, "captive", "1 if that player's leader is captured"),
            PlaneKind::Controlled(seat) => army(seat, "controlled", "1 if another player moves that army"),
            PlaneKind::Withdrawn(seat) => {
                army(seat, "withdrawn", "1 if that army was handed over permanently")
            }
            PlaneKind::Holding(seat) => army(seat, "holding", "1 if that player holds a winning square"),
            PlaneKind::Hand { seat, kind, most } => {
                let what = format!("hand {}", rules.kind(kind).code);
                army(seat, &what, &format!("pieces in hand, up to {most}, divided by {most}"))
            }
            PlaneKind::Counter { seat, counter, most } => {
                let what = format!("counter {}", mechanics.counters[usize::from(counter)].code);
                let meaning = format!("the value, divided by {most}");
                match seat {
                    Some(seat) => army(seat, &what, &meaning),
                    None => fill(what, &meaning),
                }
            }
            PlaneKind::Face(face) => fill(format!("die {face}"), "1 if the die shows that face"),
            PlaneKind::Repetition(most) => {
                let meaning = format!("occurrences of the position, up to {most}, divided by {most}");
                fill("repetition".into(), &meaning)
            }
            PlaneKind::Quiet(most) => {
                fill("quiet".into(), &format!("quiet turns, up to {most}, divided by {most}"))
            }
        }
    }
}
