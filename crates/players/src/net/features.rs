//! The inputs of a net, which follow from the rules alone.
//!
//! A *fact* is a property of a position that does not depend on the viewer: this player has a piece of this kind on this
//! square, at least this number in hand, a counter this far. A viewer sees each fact as one *input*: owners are counted in
//! turn order from the viewer on, and squares are seen from the viewer's side of the board. All facts that hold are a set
//! of bits, so two positions of any game are compared word by word.

use tabiya_engine::{Kind, Perspective, Player, PlayerSet, Position, Rules};

use super::NetError;

/// The numbers of pieces in hand from which on an input is on.
const HAND_STEPS: [u8; 8] = [1, 2, 3, 4, 6, 8, 12, 16];
/// The number of inputs of one value of a counter.
const COUNTER_STEPS: u16 = 8;
/// The greatest number of facts and of inputs.
const MAX_FACTS: usize = 1 << 15;
/// The input of a fact that never holds.
pub(super) const NO_INPUT: u16 = u16::MAX;

/// The inputs of the nets of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Features {
    kinds: usize,
    players: usize,
    /// The number of words in a set of squares.
    words: usize,
    /// The facts beyond the pieces, in the order of their bits.
    others: Vec<Fact>,
    /// By player: the input that the player sees for each fact. Empty for players without turns.
    inputs_of: Vec<Vec<u16>>,
    /// By player: the first opponent to move after the player.
    opponents: Vec<Player>,
    inputs: usize,
}

/// A fact that is not a piece on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fact {
    /// A player has at least this number of pieces of a kind in hand.
    Hand(Player, Kind, u8),
    /// A value of a counter, by its place, is at least this. The player is the owner, if it has one.
    Counter(Option<Player>, u8, usize, u16),
    /// A player is out of the game.
    Eliminated(Player),
    /// A player's army is frozen.
    Frozen(Player),
    /// A player's leader is captive.
    Captive(Player),
    /// A slot of the turn order is to move.
    Slot(u16),
}

impl Features {
    /// Derives the inputs from the rules.
    ///
    /// # Errors
    /// Nets are for games with two sides; more than that, or too large a game, is refused.
    pub fn of(rules: &Rules) -> Result<Self, NetError> {
        let order = rules.order();
        let mut sides: Vec<PlayerSet> = order.iter().map(|player| rules.team(*player)).collect();
        sides.sort_unstable_by_key(|side| side.iter().next());
        sides.dedup();
        if sides.len() != 2 {
            return Err(NetError::Unsupported("a net needs a game with two sides"));
        }
        let (players, kinds) = (rules.players().len(), rules.kinds().len());
        let words = rules.board().len().div_ceil(64);
        let others = other_facts(rules);
        let facts = 64 * (players * kinds * words + others.len().div_ceil(64));
        let perspective = Perspective::new(rules);
        let cells = perspective.rows * perspective.columns;
        let inputs = players * kinds * cells + others.len();
        if facts.max(inputs) > MAX_FACTS {
            return Err(NetError::Unsupported("the game is too large for a net"));
        }
        let mut features =
            Features { kinds, players, words, others, inputs_of: Vec::new(), opponents: Vec::new(), inputs };
        for player in rules.players() {
            let is_seated = order.contains(&player);
            let map = if is_seated { features.map(rules, player, &perspective) } else { Vec::new() };
            features.inputs_of.push(map);
            features.opponents.push(opponent(rules, player));
        }
        Ok(features)
    }

    /// Returns the number of inputs.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Returns the number of words that all facts need.
    pub fn fact_words(&self) -> usize {
        self.players * self.kinds * self.words + self.others.len().div_ceil(64)
    }

    /// Returns the number of words of the facts about pieces on the board, which come first.
    pub fn piece_words(&self) -> usize {
        self.players * self.kinds * self.words
    }

    /// Returns the number of pieces among facts.
    pub fn pieces(&self, facts: &[u64]) -> u32 {
        facts[..self.piece_words()].iter().map(|word| word.count_ones()).sum()
    }

    /// Returns the number of players.
    pub fn players(&self) -> usize {
        self.players
    }

    /// Returns the opponent whose view complements that of a player.
    pub fn opponent(&self, player: Player) -> Player {
        self.opponents[player.index()]
    }

    /// Returns the inputs that a player sees, by fact. An input that no net has stands for a fact that never holds.
    pub fn inputs_of(&self, player: Player) -> &[u16] {
        &self.inputs_of[player.index()]
    }

    /// Writes the facts that hold in a position as bits.
    pub fn write_facts(&self, position: &Position, facts: &mut Vec<u64>) {
        facts.clear();
        for player in (0..self.players as u8).map(Player) {
            for kind in (0..self.kinds as u8).map(Kind) {
                facts.extend((0..self.words).map(|word| position.piece_bits(player, kind, word)));
            }
        }
        for others in self.others.chunks(64) {
            let holds = others.iter().enumerate().map(|(bit, fact)| u64::from(fact.holds(position)) << bit);
            facts.push(holds.fold(0, |all, bit| all | bit));
        }
    }

    /// Returns the inputs by fact for one viewer.
    fn map(&self, rules: &Rules, viewer: Player, perspective: &Perspective) -> Vec<u16> {
        let seats = seats_from(rules, viewer);
        let seat = |player: Player| seats.iter().position(|it| *it == player).unwrap_or(0);
        let cells = perspective.rows * perspective.columns;
        let mut map = vec![NO_INPUT; 64 * self.fact_words()];
        for player in rules.players() {
            for kind in 0..self.kinds {
                let facts = (player.index() * self.kinds + kind) * self.words * 64;
                let inputs = (seat(player) * self.kinds + kind) * cells;
                for square in rules.board().squares() {
                    let cell = usize::from(perspective.of(viewer)[square.index()]);
                    map[facts + square.index()] = (inputs + cell) as u16;
                }
            }
        }
        let first_fact = 64 * self.players * self.kinds * self.words;
        let first_input = self.players * self.kinds * cells;
        let slots = rules.order().len() as u16;
        let own = rules.order().iter().position(|player| *player == viewer).unwrap_or(0) as u16;
        let seen = |fact: Fact| {
            let from_viewer = |player: Player| Player(seat(player) as u8);
            match fact {
                Fact::Hand(player, kind, count) => Fact::Hand(from_viewer(player), kind, count),
                Fact::Counter(player, counter, _, least) => {
                    let owner = player.map(from_viewer);
                    let place = rules.counter_place(counter, owner.unwrap_or(Player(0)));
                    Fact::Counter(owner, counter, place, least)
                }
                Fact::Eliminated(player) => Fact::Eliminated(from_viewer(player)),
                Fact::Frozen(player) => Fact::Frozen(from_viewer(player)),
                Fact::Captive(player) => Fact::Captive(from_viewer(player)),
                Fact::Slot(slot) => Fact::Slot((slot + slots - own) % slots),
            }
        };
        for (index, fact) in self.others.iter().enumerate() {
            let seen = seen(*fact);
            if let Some(input) = self.others.iter().position(|other| *other == seen) {
                map[first_fact + index] = (first_input + input) as u16;
            }
        }
        map
    }
}

impl Fact {
    fn holds(self, position: &Position) -> bool {
        match self {
            Fact::Hand(player, kind, least) => position.in_hand(player, kind) >= least,
            Fact::Counter(_, _, place, least) => position.counter_value(place) >= least,
            Fact::Eliminated(player) => position.eliminated().contains(player),
            Fact::Frozen(player) => position.frozen().contains(player),
            Fact::Captive(player) => position.captor(player).is_some(),
            Fact::Slot(slot) => position.slot() == slot,
        }
    }
}

/// Returns the facts beyond the pieces on the board.
fn other_facts(rules: &Rules) -> Vec<Fact> {
    let mut facts = Vec::new();
    let mechanics = rules.mechanics();
    if let Some(hands) = &mechanics.hands {
        let is_dropped = |kind: &Kind| hands.drops.iter().any(|drop| drop.kinds.contains(kind));
        for player in rules.players() {
            for kind in rules.kinds().filter(is_dropped) {
                facts.extend(HAND_STEPS.map(|count| Fact::Hand(player, kind, count)));
            }
        }
    }
    for (number, counter) in (0u8..).zip(&mechanics.counters) {
        let steps = counter.max.min(COUNTER_STEPS);
        let owners: Vec<Option<Player>> =
            if counter.per_player { rules.players().map(Some).collect() } else { vec![None] };
        for owner in owners {
            let place = rules.counter_place(number, owner.unwrap_or(Player(0)));
            let least =
                |step: u16| (u32::from(counter.max) * u32::from(step)).div_ceil(u32::from(steps)) as u16;
            facts.extend((1..=steps).map(|step| Fact::Counter(owner, number, place, least(step))));
        }
    }
    if rules.players().len() > 2 {
        facts.extend(rules.players().map(Fact::Eliminated));
        facts.extend(rules.players().map(Fact::Frozen));
        facts.extend(rules.players().map(Fact::Captive));
    }
    if rules.order().len() != 2 {
        facts.extend((0..rules.order().len() as u16).map(Fact::Slot));
    }
    facts
}

/// Returns all players in turn order from a viewer on, those without turns last.
fn seats_from(rules: &Rules, viewer: Player) -> Vec<Player> {
    let order = rules.order();
    let first = order.iter().position(|player| *player == viewer).unwrap_or(0);
    let mut seats: Vec<Player> = Vec::new();
    for player in order[first..].iter().chain(&order[..first]).copied().chain(rules.players()) {
        if !seats.contains(&player) {
            seats.push(player);
        }
    }
    seats
}

/// Returns the first opponent in turn order after a player.
fn opponent(rules: &Rules, player: Player) -> Player {
    let team = rules.team(player);
    seats_from(rules, player).into_iter().find(|other| !team.contains(*other)).unwrap_or(player)
}
