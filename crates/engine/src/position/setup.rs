//! Any arrangement of pieces, and its conversion to a checked [`Position`].

use std::collections::HashSet;

use crate::blueprint::Placement;
use crate::endings::Termination;
use crate::piece::{Kind, Piece, Player, PlayerSet};
use crate::play::Die;
use crate::position::{Mark, Position, Spot};
use crate::rules::Rules;
use crate::square::Square;

/// An unchecked arrangement of pieces. [`Rules::position`] turns it into a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// Pieces on squares, in any order.
    pub pieces: Vec<(Square, Piece)>,
    /// Guests, on squares with a host.
    pub guests: Vec<(Square, Piece)>,
    /// Tag values that differ from those of the square.
    pub tags: Vec<(Spot, Option<u8>)>,
    /// Flags on pieces.
    pub marks: Vec<Mark>,
    /// The current slot: an index into the turn order.
    pub slot: u16,
    /// Players who are out of the game.
    pub eliminated: PlayerSet,
    /// Pairs of a player whose leader is captive and the captor.
    pub captives: Vec<(Player, Player)>,
    /// Players whose army is frozen.
    pub frozen: PlayerSet,
    /// Pairs of a player whose army is controlled and the controller.
    pub controlled: Vec<(Player, Player)>,
    /// Players who have permanently handed over their army.
    pub withdrawn: PlayerSet,
    /// Players who hold a winning square.
    pub holding: PlayerSet,
    /// The die: the face shown, or the number of throws left.
    pub die: Option<Die>,
    /// The pieces in hand: player, kind and number.
    pub hands: Vec<(Player, Kind, u8)>,
    /// Values of counters that differ from the first value: index of the counter, player and value. The player is ignored
    /// if the game has only one.
    pub counters: Vec<(u8, Player, u16)>,
    /// The reason why the game is over, if only one team is left. If `None`, a leader was captured.
    pub ended: Option<Termination>,
}

/// The reason why an arrangement is not a position of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupError {
    /// A piece is off the board or on a hole.
    NoSuchSquare(Square),
    /// Two pieces are on one square.
    SquareTaken(Square),
    /// A piece has a kind or player that the game does not have.
    NoSuchPiece(Square),
    /// A flag is on an empty square, unknown, or set by a slot outside the turn order.
    BadFlag(Square),
    /// A piece carries the same flag twice.
    FlagTwice(Square),
    /// The slot is outside the turn order.
    NoSuchTurn(u16),
    /// An eliminated player is not part of the game.
    NoSuchPlayer,
    /// The player to move is eliminated.
    TurnOfEliminated,
    /// A guest has no host or is not allowed on its square.
    BadGuest(Square),
    /// A piece has a tag value that the game or the piece does not have.
    BadTag(Square),
    /// The state of an army or the die is not possible in this game.
    BadArmyState,
    /// Pieces in hand that the game cannot have: it has no hands, no such player or kind, or the kind is listed twice.
    BadHand,
    /// A counter has a value that the game cannot have.
    BadCounter,
    /// The die shows a face with which no piece can move.
    DieMovesNothing(u8),
}

crate::error_messages! { SetupError:
    SetupError::NoSuchSquare(Square(square)) => "square number {square} is not on the board";
    SetupError::SquareTaken(Square(square)) => "two pieces stand on square number {square}";
    SetupError::NoSuchPiece(Square(square)) => "square number {square}: the game has no such piece";
    SetupError::BadFlag(Square(square)) => "square number {square}: the flag is unknown, or no piece carries it";
    SetupError::FlagTwice(Square(square)) => "square number {square}: the piece carries a flag twice";
    SetupError::NoSuchTurn(slot) => "slot {slot} is not in the turn order";
    SetupError::NoSuchPlayer => "an eliminated player is not part of the game";
    SetupError::TurnOfEliminated => "the player to move is eliminated";
    SetupError::BadGuest(Square(square)) => "square number {square}: these two pieces cannot share it";
    SetupError::BadTag(Square(square)) => "square number {square}: the piece cannot have this tag";
    SetupError::BadHand => "the pieces in hand are not possible in this game";
    SetupError::BadCounter => "the value of a counter is not possible in this game";
    SetupError::BadArmyState => "the state of an army or of the die is not possible in this game";
    SetupError::DieMovesNothing(face) => "the die shows {face}, with which no piece can move";
}

impl Rules {
    /// Checks an arrangement and converts it to a position.
    ///
    /// # Errors
    ///
    /// Returns every reason why the arrangement is not a position of the game.
    pub fn position(&self, setup: &Setup) -> Result<Position, Vec<SetupError>> {
        let mut errors = Vec::new();
        let order = self.blueprint.order.len();
        if usize::from(setup.slot) >= order {
            errors.push(SetupError::NoSuchTurn(setup.slot));
        }
        let unknown = setup.eliminated.without(self.players().collect());
        if !unknown.is_empty() {
            errors.push(SetupError::NoSuchPlayer);
        }
        let mut position = Position::empty(self.capacity(), setup.slot);
        for &(square, piece) in &setup.pieces {
            let spot = Spot::host(square);
            if !self.board.has(square) {
                errors.push(SetupError::NoSuchSquare(square));
            } else if !self.has_piece(piece) {
                errors.push(SetupError::NoSuchPiece(square));
            } else if position.occupied(square) {
                errors.push(SetupError::SquareTaken(square));
            } else {
                position.put_at(spot, piece, self.tag_in(setup, spot, piece.kind));
            }
        }
        for &(square, piece) in &setup.guests {
            if self.may_be_guest(&position, square, piece) {
                let spot = Spot::guest(square);
                position.put_at(spot, piece, self.tag_in(setup, spot, piece.kind));
            } else {
                errors.push(SetupError::BadGuest(square));
            }
        }
        self.check_tags(setup, &position, &mut errors);
        if !self.has_valid_armies(setup) {
            errors.push(SetupError::BadArmyState);
        }
        for &mark in &setup.marks {
            let known = mark.flag.index() < self.blueprint.flags.len()
                && mark.countdown.is_none_or(|it| usize::from(it.slot) < order && it.remaining > 0);
            if !known || !self.board.has(mark.square) || !position.occupied(mark.square) {
                errors.push(SetupError::BadFlag(mark.square));
            } else if position.marked(mark.square, mark.flag) {
                errors.push(SetupError::FlagTwice(mark.square));
            } else {
                position.mark(mark);
            }
        }
        self.set_hands(setup, &mut position, &mut errors);
        self.set_counters(setup, &mut position, &mut errors);
        if !errors.is_empty() {
            return Err(errors);
        }
        position.eliminate(setup.eliminated);
        if self.has_registers {
            set_armies(setup, &mut position);
            // Neutral pieces neither move nor attack and are not captured.
            position.set_frozen(position.frozen().union(self.mechanics().neutral));
        }
        let has_opponents = !self.seated.without(self.team(self.turn_of(0))).is_empty();
        if has_opponents && self.last_team(&position).is_some() {
            position.end(setup.ended.unwrap_or(Termination::LeaderCaptured));
        } else if setup.eliminated.contains(self.turn_of(setup.slot)) {
            return Err(vec![SetupError::TurnOfEliminated]);
        } else if self.has_board_endings
            && let Some(index) = self.board_ending(&position)
        {
            position.end(Termination::Listed(index));
        }
        self.settle(&mut position);
        // A die belongs to the turn for which it was thrown.
        if let Some(die) = setup.die
            && position.ended().is_none()
            && position.slot() == setup.slot
        {
            if let Die::Shows(face) = die
                && self.allowed(&position, face).is_none()
            {
                return Err(vec![SetupError::DieMovesNothing(face)]);
            }
            position.set_die(die);
        }
        Ok(position)
    }

    /// Converts a position back to an arrangement.
    pub fn setup(&self, position: &Position) -> Setup {
        Setup {
            pieces: position.pieces().collect(),
            guests: position.guests().collect(),
            tags: self.differing_tags(position),
            marks: position.marks().to_vec(),
            slot: position.slot(),
            eliminated: position.eliminated(),
            captives: self.army_pairs(|player| position.captor(player)),
            frozen: position.frozen().without(self.mechanics().neutral),
            controlled: self.army_pairs(|player| position.controller(player)),
            withdrawn: self.players().filter(|player| position.has_withdrawn(*player)).collect(),
            holding: position.holding(),
            die: self.die(position),
            hands: self.hands(position).collect(),
            counters: self.differing_counters(position),
            ended: position.ended(),
        }
    }

    /// Returns whether players can have pieces in hand.
    pub fn has_hands(&self) -> bool {
        self.mechanics().hands.is_some()
    }

    /// Iterates over the pieces in hand: player, kind and number.
    pub fn hands<'p>(&'p self, position: &'p Position) -> impl Iterator<Item = (Player, Kind, u8)> + 'p {
        let kinds =
            move |player| self.kinds().map(move |kind| (player, kind, position.in_hand(player, kind)));
        self.players().flat_map(kinds).filter(|(_, _, count)| *count > 0)
    }

    fn set_hands(&self, setup: &Setup, position: &mut Position, errors: &mut Vec<SetupError>) {
        for (player, kind, count) in &setup.hands {
            let is_known = player.index() < self.players().len() && kind.index() < self.kinds().len();
            let is_new =
                is_known && self.mechanics().hands.is_some() && position.in_hand(*player, *kind) == 0;
            if is_new && *count > 0 {
                position.set_in_hand(*player, *kind, *count);
            } else {
                errors.push(SetupError::BadHand);
            }
        }
    }

    fn set_counters(&self, setup: &Setup, position: &mut Position, errors: &mut Vec<SetupError>) {
        let counters = &self.mechanics().counters;
        for (counter, plan) in (0u8..).zip(counters) {
            for player in self.players() {
                position.set_counter_value(self.counter_place(counter, player), plan.start);
            }
        }
        for (counter, player, value) in &setup.counters {
            let plan = counters.get(usize::from(*counter)).filter(|plan| *value <= plan.max);
            if plan.is_some() && player.index() < self.players().len() {
                position.set_counter_value(self.counter_place(*counter, *player), *value);
            } else {
                errors.push(SetupError::BadCounter);
            }
        }
    }

    fn differing_counters(&self, position: &Position) -> Vec<(u8, Player, u16)> {
        let mut found = Vec::new();
        for (counter, plan) in (0u8..).zip(&self.mechanics().counters) {
            let players = self.players().take(if plan.per_player { usize::MAX } else { 1 });
            let values = players.map(|player| (counter, player, self.counter(position, counter, player)));
            found.extend(values.filter(|(_, _, value)| *value != plan.start));
        }
        found
    }

    fn army_pairs(&self, of: impl Fn(Player) -> Option<Player>) -> Vec<(Player, Player)> {
        self.players().filter_map(|player| Some((player, of(player)?))).collect()
    }

    /// Returns the tag values that differ from those of the square.
    fn differing_tags(&self, position: &Position) -> Vec<(Spot, Option<u8>)> {
        let tagged = position.all_pieces().map(|(spot, piece)| (spot, piece, position.tag(spot)));
        let differing = tagged.filter(|(spot, piece, tag)| *tag != self.tag_of(piece.kind, spot.square));
        differing.map(|(spot, _, tag)| (spot, tag)).collect()
    }

    fn tag_in(&self, setup: &Setup, spot: Spot, kind: Kind) -> Option<u8> {
        let given = setup.tags.iter().find(|(at, _)| *at == spot);
        given.map_or_else(|| self.tag_of(kind, spot.square), |(_, tag)| *tag)
    }

    fn check_tags(&self, setup: &Setup, position: &Position, errors: &mut Vec<SetupError>) {
        for (spot, tag) in &setup.tags {
            let plan = self.mechanics().tag.as_ref();
            let carries = |piece: Piece| plan.is_some_and(|plan| plan.kinds.contains(&piece.kind));
            let is_value =
                tag.is_none_or(|tag| plan.is_some_and(|plan| usize::from(tag) < plan.values.len()));
            if !is_value || !self.board.has(spot.square) || !position.piece_at(*spot).is_some_and(carries) {
                errors.push(SetupError::BadTag(spot.square));
            }
        }
    }

    /// Returns whether the game has the player and the kind of a piece.
    fn has_piece(&self, piece: Piece) -> bool {
        piece.player.index() < self.players().len() && piece.kind.index() < self.kinds().len()
    }

    /// Returns whether a piece may be a guest: it is not a leader, and its host is a leader of its team on a shared
    /// square.
    fn may_be_guest(&self, position: &Position, square: Square, piece: Piece) -> bool {
        let is_known = self.has_piece(piece) && self.board.has(square);
        let Some(sharing) = self.mechanics().sharing.as_ref().filter(|_| is_known) else { return false };
        let is_host = |host: Piece| self.is_leader(host.kind) && self.are_partners(host.player, piece.player);
        !self.is_leader(piece.kind)
            && position.piece(square).is_some_and(is_host)
            && !position.has_guest(square)
            && self.in_region_of(sharing.region, self.players().collect(), square)
    }

    fn has_valid_armies(&self, setup: &Setup) -> bool {
        let all_players: PlayerSet = self.players().collect();
        let pairs = setup.captives.iter().chain(&setup.controlled);
        let known =
            pairs.clone().all(|(one, other)| all_players.contains(*one) && all_players.contains(*other));
        let is_plain = pairs.count() == 0 && setup.frozen.is_empty() && setup.holding.is_empty();
        let sets = setup.frozen.union(setup.holding);
        let controlled: PlayerSet = setup.controlled.iter().map(|(player, _)| *player).collect();
        let may_withdraw = self.mechanics().withdrawal && setup.withdrawn.without(controlled).is_empty();
        known
            && (setup.withdrawn.is_empty() || may_withdraw)
            && (is_plain || self.has_registers)
            && sets.without(all_players).is_empty()
            && setup.die.is_none_or(|die| self.is_valid_die(die))
    }

    pub(crate) fn start_setup(&self) -> Setup {
        let mut setup = Setup { slot: self.blueprint.start_at, ..Setup::default() };
        // The leader is the host.
        let leaders_first = |placed: &&Placement| !self.is_leader(placed.kind);
        let mut start: Vec<&Placement> = self.blueprint.start.iter().collect();
        start.sort_by_key(|placed| leaders_first(placed));
        let mut taken = HashSet::new();
        for placed in start {
            let piece = Piece { player: placed.player, kind: placed.kind, unmoved: true };
            let guest = !taken.insert(placed.square) && self.mechanics().sharing.is_some();
            let list = if guest { &mut setup.guests } else { &mut setup.pieces };
            list.push((placed.square, piece));
            if placed.tag.is_some() {
                setup.tags.push((Spot { square: placed.square, guest }, placed.tag));
            }
        }
        setup.hands = self.mechanics().hands.iter().flat_map(|hands| hands.start.iter().copied()).collect();
        setup
    }
}

fn set_armies(setup: &Setup, position: &mut Position) {
    position.set_frozen(setup.frozen);
    position.set_holding(setup.holding);
    for (player, captor) in &setup.captives {
        position.set_captor(*player, Some(*captor));
    }
    for (player, controller) in &setup.controlled {
        position.set_controller(*player, Some(*controller));
    }
    setup.withdrawn.iter().for_each(|player| position.set_withdrawn(player));
}
