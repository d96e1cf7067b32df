//! Planes from the rules of any game, for any number of players: men by seat, counted from whoever looks; what the rules ask
//! of men (never moved, flags, tags); and, the same on all cells, what is known of armies, the die and the game so far.

use tabiya_engine::blueprint::{Blueprint, Condition};
use tabiya_engine::ending::Clause;
use tabiya_engine::{Die, Kind, Player, Position, Rules};

use crate::encoding::{Plane, Sight};
use crate::paint::paint;
use crate::perspective::Perspective;

/// How positions of one game become planes.
#[derive(Debug)]
pub(crate) struct Derived {
    perspective: Perspective,
    layers: Vec<Layer>,
    /// By player who looks: all players from him on, in the order of turns.
    rings: Vec<Vec<Player>>,
    /// Whether some cells are no squares.
    has_holes: bool,
    /// How many words a set of squares has.
    words: usize,
}

/// What a plane shows. Seats count from whoever looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layer {
    Men { seat: usize, kind: Kind },
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
    Face(u8),
    Repetition(u32),
    Quiet(u32),
}

impl Derived {
    pub(crate) fn new(rules: &Rules) -> Self {
        let perspective = Perspective::new(rules);
        let cells = perspective.rows * perspective.columns;
        let has_holes = rules.board().squares().count() < cells;
        Derived {
            layers: layers(rules, has_holes),
            rings: rules.players().map(|seat| ring(rules, seat)).collect(),
            words: rules.board().len().div_ceil(64),
            perspective,
            has_holes,
        }
    }

    pub(crate) fn shape(&self) -> [usize; 3] {
        [self.perspective.rows, self.perspective.columns, self.layers.len()]
    }

    pub(crate) fn planes(&self, rules: &Rules) -> Vec<Plane> {
        self.layers.iter().map(|layer| layer.plane(rules)).collect()
    }

    pub(crate) fn write(&self, rules: &Rules, sight: &Sight<'_>, seat: Player, out: &mut [f32]) {
        let depth = self.layers.len();
        assert_eq!(
            out.len(),
            self.perspective.rows * self.perspective.columns * depth,
            "planes of this game"
        );
        let ring = &self.rings[seat.index()];
        let view = View { rules, position: sight.position, ring };
        let (first, _) = out.split_at_mut(depth);
        for (number, layer) in first.iter_mut().zip(&self.layers) {
            *number = view.everywhere(layer, sight);
        }
        double(out, depth);
        let cells = self.perspective.of(seat);
        for (plane, layer) in self.layers.iter().enumerate() {
            for word in 0..self.words {
                let mut bits = view.squares(layer, word);
                while bits != 0 {
                    let square = word * 64 + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    if let Some(cell) = cells.get(square) {
                        paint(out, usize::from(*cell) * depth + plane);
                    }
                }
            }
        }
        debug_assert!(!self.has_holes || self.layers.contains(&Layer::Board));
    }
}

/// Copies the first cell over all others: each time as much as is there already.
fn double(out: &mut [f32], depth: usize) {
    let mut done = depth;
    while done < out.len() {
        let (there, rest) = out.split_at_mut(done);
        let part = rest.len().min(done);
        rest[..part].copy_from_slice(&there[..part]);
        done += part;
    }
}

/// A position as somebody looks at it.
struct View<'a> {
    rules: &'a Rules,
    position: &'a Position,
    ring: &'a [Player],
}

impl View<'_> {
    /// The squares on which a plane is 1.
    fn squares(&self, layer: &Layer, word: usize) -> u64 {
        match layer {
            Layer::Men { seat, kind } => self.position.piece_bits(self.ring[*seat], *kind, word),
            Layer::Tag(tag) => self.position.tag_bits(*tag, word),
            Layer::Unmoved => self.position.unmoved_bits(word),
            Layer::Flag(flag) => {
                let marks = self.position.marks().iter().filter(|mark| mark.flag.0 == *flag);
                let here = marks.filter(|mark| mark.square.index() / 64 == word);
                here.fold(0, |set, mark| set | 1 << (mark.square.index() % 64))
            }
            Layer::Board => {
                let board = self.rules.board();
                let squares = (64 * word..board.len().min(64 * (word + 1))).map(|it| it as u16);
                let there = squares.filter(|square| board.has(tabiya_engine::Square(*square)));
                there.fold(0, |set, square| set | 1 << (square % 64))
            }
            _ => 0,
        }
    }

    /// The number that a plane has on all cells, unless they differ.
    #[allow(clippy::cast_precision_loss, reason = "counts are small, or a share of a limit")]
    fn everywhere(&self, layer: &Layer, sight: &Sight<'_>) -> f32 {
        let Self { rules, position, ring } = *self;
        let of = |holds: bool| f32::from(u8::from(holds));
        let share = |count: u32, most: u32| count.min(most) as f32 / most as f32;
        match layer {
            Layer::Men { .. } | Layer::Tag(_) | Layer::Flag(_) | Layer::Unmoved | Layer::Board => 0.0,
            Layer::Mover(player) => of(rules.mover(position) == *player),
            Layer::Slot(slot) => of(position.slot() == *slot),
            Layer::Out(seat) => of(position.eliminated().contains(ring[*seat])),
            Layer::Partner(seat) => of(rules.team(ring[0]).contains(ring[*seat])),
            Layer::Frozen(seat) => of(position.frozen().contains(ring[*seat])),
            Layer::Captive(seat) => of(position.captor(ring[*seat]).is_some()),
            Layer::Controlled(seat) => of(position.controller(ring[*seat]).is_some()),
            Layer::Withdrawn(seat) => of(position.has_withdrawn(ring[*seat])),
            Layer::Holding(seat) => of(position.holding().contains(ring[*seat])),
            Layer::Face(face) => of(rules.die(position) == Some(Die::Shows(*face))),
            Layer::Repetition(most) => share(sight.tally.repetitions, *most),
            Layer::Quiet(most) => share(sight.tally.quiet, *most),
        }
    }
}

/// All players from one on, in the order in which their turns come; last those who have none.
pub fn ring(rules: &Rules, first: Player) -> Vec<Player> {
    let order = rules.order();
    let start = order.iter().position(|player| *player == first).unwrap_or(0);
    let turns = order[start..].iter().chain(&order[..start]).copied();
    let mut ring = vec![first];
    for player in turns.chain(rules.players()) {
        if !ring.contains(&player) {
            ring.push(player);
        }
    }
    ring
}

fn layers(rules: &Rules, has_holes: bool) -> Vec<Layer> {
    let blueprint = rules.blueprint();
    let mechanics = rules.mechanics();
    let seats = rules.players().len();
    let mut layers = Vec::new();
    for seat in 0..seats {
        layers.extend(rules.kinds().map(|kind| Layer::Men { seat, kind }));
    }
    let mut add = |wanted: bool, more: &mut dyn Iterator<Item = Layer>| {
        if wanted {
            layers.extend(more);
        }
    };
    let tags = mechanics.tag.as_ref().map_or(0, |tag| tag.values.len() as u8);
    add(true, &mut (0..tags).map(Layer::Tag));
    add(true, &mut (0..blueprint.flags().len() as u8).map(Layer::Flag));
    add(asks_for_first_moves(blueprint), &mut [Layer::Unmoved].into_iter());
    add(has_holes, &mut [Layer::Board].into_iter());
    add(true, &mut rules.players().map(Layer::Mover));
    let takes_turns_otherwise = rules.order().len() != seats;
    add(takes_turns_otherwise, &mut (0..rules.order().len() as u16).map(Layer::Slot));
    add(seats > 2, &mut (0..seats).map(Layer::Out));
    add(!mechanics.teams.is_empty(), &mut (1..seats).map(Layer::Partner));
    let freezes = mechanics.leadership.freezes;
    add(freezes, &mut (0..seats).map(Layer::Frozen));
    add(freezes, &mut (0..seats).map(Layer::Captive));
    add(mechanics.control.is_some() || mechanics.withdrawal, &mut (0..seats).map(Layer::Controlled));
    add(mechanics.withdrawal, &mut (0..seats).map(Layer::Withdrawn));
    add(mechanics.hold.is_some(), &mut (0..seats).map(Layer::Holding));
    add(true, &mut (1..=rules.faces().unwrap_or(0)).map(Layer::Face));
    let (mut repetition, mut quiet) = (0, 0);
    for ending in rules.endings() {
        ask(&ending.when, &mut repetition, &mut quiet);
    }
    add(repetition > 0, &mut [Layer::Repetition(repetition)].into_iter());
    add(quiet > 0, &mut [Layer::Quiet(quiet)].into_iter());
    layers
}

/// The most that endings ask for.
fn ask(clauses: &[Clause], repetition: &mut u32, quiet: &mut u32) {
    for clause in clauses {
        match clause {
            Clause::Repetition(times) => *repetition = (*repetition).max(*times),
            Clause::Quiet(turns) => *quiet = (*quiet).max(*turns),
            Clause::Any(lists) => lists.iter().for_each(|list| ask(list, repetition, quiet)),
            Clause::Not(list) => ask(list, repetition, quiet),
            _ => {}
        }
    }
}

/// Whether a rule asks whether pieces have moved.
fn asks_for_first_moves(blueprint: &Blueprint) -> bool {
    let moves = blueprint.kinds().iter().flat_map(|kind| &kind.moves);
    let mut conditions = moves.flat_map(|plan| {
        let actions = plan.actions.iter().flat_map(|action| &action.conditions);
        let modifiers = plan.modifiers.iter().flat_map(|modifier| &modifier.conditions);
        plan.conditions.iter().chain(actions).chain(modifiers)
    });
    conditions.any(|condition| match condition {
        Condition::FirstMove | Condition::PieceUnmoved(_) | Condition::EmptyOrUnmoved(_) => true,
        Condition::Square(test) => test.unmoved.is_some(),
        _ => false,
    })
}

impl Layer {
    fn plane(&self, rules: &Rules) -> Plane {
        let mechanics = rules.mechanics();
        let cells = |name: String, meaning: &str| Plane { name, meaning: meaning.into(), is_filled: false };
        let fill = |name: String, meaning: &str| Plane { name, meaning: meaning.into(), is_filled: true };
        let seat_name = |seat: usize| match seat {
            0 => "own".to_owned(),
            1 if rules.players().count() == 2 => "enemy".to_owned(),
            _ => format!("seat {seat}"),
        };
        let about =
            |seat: usize, what: &str, meaning: &str| fill(format!("{} {what}", seat_name(seat)), meaning);
        match *self {
            Layer::Men { seat, kind } => {
                cells(format!("{} {}", seat_name(seat), rules.kind(kind).code), "1 where one stands")
            }
            Layer::Tag(value) => {
                let tag = mechanics.tag.as_ref().expect("a layer of tags");
                cells(
                    format!("{} {}", tag.code, tag.values[usize::from(value)]),
                    "1 where the man carries it",
                )
            }
            Layer::Flag(flag) => {
                let name = rules.flag(tabiya_engine::Flag(flag));
                cells(format!("flag {name}"), "1 where the man carries it")
            }
            Layer::Unmoved => cells("unmoved".into(), "1 where the man has never moved"),
            Layer::Board => cells("board".into(), "1 where there is a square"),
            Layer::Mover(player) => {
                fill(format!("{} to move", rules.player(player).name), "1 if it is that army's turn")
            }
            Layer::Slot(slot) => fill(format!("turn {slot}"), "1 if it is that turn of the order"),
            Layer::Out(seat) => about(seat, "out", "1 if that player is out of the game"),
            Layer::Partner(seat) => about(seat, "partner", "1 if that player is of one's own team"),
            Layer::Frozen(seat) => about(seat, "frozen", "1 if that army is frozen"),
            Layer::Captive(seat) => about(seat, "captive", "1 if that player's leader is captured"),
            Layer::Controlled(seat) => about(seat, "controlled", "1 if somebody else moves that army"),
            Layer::Withdrawn(seat) => about(seat, "withdrawn", "1 if that army was handed over for good"),
            Layer::Holding(seat) => about(seat, "holding", "1 if that player holds a square that wins"),
            Layer::Face(face) => fill(format!("die {face}"), "1 if the die shows that face"),
            Layer::Repetition(most) => {
                let meaning =
                    format!("how often the position has been there, up to {most}, divided by {most}");
                fill("repetition".into(), &meaning)
            }
            Layer::Quiet(most) => {
                fill("quiet".into(), &format!("turns without a loud move, up to {most}, divided by {most}"))
            }
        }
    }
}
