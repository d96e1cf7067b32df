//! Any arrangement of pieces, sense or nonsense, and the one gate from it to a [`Position`].

use std::collections::HashSet;
use std::fmt;

use crate::blueprint::Placement;
use crate::chance::Die;
use crate::outcome::Termination;
use crate::piece::{Kind, Piece, Player, PlayerSet};
use crate::position::{Mark, Position, Spot};
use crate::rules::Rules;
use crate::square::Square;

/// An arrangement that nobody has looked at yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// Pieces on squares, in any order.
    pub pieces: Vec<(Square, Piece)>,
    /// Guests, on squares with a host.
    pub guests: Vec<(Square, Piece)>,
    /// Values of the game's tag that are not those of the squares.
    pub tags: Vec<(Spot, Option<u8>)>,
    /// Flags on pieces.
    pub marks: Vec<Mark>,
    /// Index into the order: whose turn it is.
    pub slot: u16,
    /// Players who are out.
    pub eliminated: PlayerSet,
    /// Whose leader is captive, and of whom.
    pub captives: Vec<(Player, Player)>,
    /// Whose army is frozen.
    pub frozen: PlayerSet,
    /// Whose army is controlled, and by whom.
    pub controlled: Vec<(Player, Player)>,
    /// Who has handed his army over for good.
    pub withdrawn: PlayerSet,
    /// Who holds a square that wins.
    pub holding: PlayerSet,
    /// The die: the face that was thrown, or how often it may still be thrown.
    pub die: Option<Die>,
    /// Why the game is over, if only one player is left; a captured leader, if it is not known.
    pub ended: Option<Termination>,
}

/// Why an arrangement is no position of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupError {
    /// A piece stands off the board or on a hole.
    NoSuchSquare(Square),
    /// Two pieces stand on one square.
    SquareTaken(Square),
    /// A piece is of a kind or player that the game does not have.
    NoSuchPiece(Square),
    /// A flag lies on an empty square, is not one of the game, or comes from a slot that is not in the order.
    BadFlag(Square),
    /// The same flag lies twice on one piece.
    FlagTwice(Square),
    /// The turn is not in the order.
    NoSuchTurn(u16),
    /// A player is out who is not in the game.
    NoSuchPlayer,
    /// It is the turn of a player who is out.
    TurnOfEliminated,
    /// A guest has no host, or may not be there.
    BadGuest(Square),
    /// A piece has a value of a tag that the game or the piece does not have.
    BadTag(Square),
    /// A captive, a frozen or controlled army, a held square or a die that this game does not have.
    BadFate,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::NoSuchSquare(square) => write!(f, "square number {} is not on the board", square.0),
            SetupError::SquareTaken(square) => write!(f, "two pieces stand on square number {}", square.0),
            SetupError::NoSuchPiece(square) => {
                write!(f, "the piece on square number {} is not of this game", square.0)
            }
            SetupError::BadFlag(square) => {
                write!(f, "the flag on square number {} is not of this game or lies on no piece", square.0)
            }
            SetupError::FlagTwice(square) => write!(f, "a flag lies twice on square number {}", square.0),
            SetupError::NoSuchTurn(slot) => write!(f, "turn {slot} is not in the order"),
            SetupError::NoSuchPlayer => f.write_str("a player is out who is not in the game"),
            SetupError::TurnOfEliminated => f.write_str("it is the turn of a player who is out"),
            SetupError::BadGuest(square) => {
                write!(f, "no two pieces may stand on square number {} so", square.0)
            }
            SetupError::BadTag(square) => {
                write!(f, "the piece on square number {} cannot have this tag", square.0)
            }
            SetupError::BadFate => f.write_str("an army has a fate, or there is a die, that cannot be here"),
        }
    }
}

impl std::error::Error for SetupError {}

impl Rules {
    /// The gate: the position of an arrangement, or every reason why it is none.
    pub fn position(&self, setup: &Setup) -> Result<Position, Vec<SetupError>> {
        let mut errors = Vec::new();
        let order = self.blueprint.order.len();
        if usize::from(setup.slot) >= order {
            errors.push(SetupError::NoSuchTurn(setup.slot));
        }
        let strangers = setup.eliminated.without(self.players().collect());
        if !strangers.is_empty() {
            errors.push(SetupError::NoSuchPlayer);
        }
        let mut position = Position::empty(self.capacity(), setup.slot);
        for &(square, piece) in &setup.pieces {
            let known =
                piece.player.index() < self.players().count() && piece.kind.index() < self.kinds().count();
            if !self.board.has(square) {
                errors.push(SetupError::NoSuchSquare(square));
            } else if !known {
                errors.push(SetupError::NoSuchPiece(square));
            } else if position.occupied(square) {
                errors.push(SetupError::SquareTaken(square));
            } else {
                position.put_at(
                    Spot::host(square),
                    piece,
                    self.tag_in(setup, Spot::host(square), piece.kind),
                );
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
        if !self.has_good_fates(setup) {
            errors.push(SetupError::BadFate);
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
        if !errors.is_empty() {
            return Err(errors);
        }
        position.eliminate(setup.eliminated);
        if self.has_registers {
            set_fates(setup, &mut position);
        }
        let is_contest = !self.seated.without(self.team(self.turn_of(0))).is_empty();
        if is_contest && self.last_team(&position).is_some() {
            position.end(setup.ended.unwrap_or(Termination::LeaderCaptured));
        } else if setup.eliminated.contains(self.turn_of(setup.slot)) {
            return Err(vec![SetupError::TurnOfEliminated]);
        } else if self.has_stops
            && let Some(index) = self.stopped(&position)
        {
            position.end(Termination::Listed(index));
        }
        self.settle(&mut position);
        // A die belongs to the turn for which it was thrown.
        if let Some(die) = setup.die
            && position.ended().is_none()
            && position.slot() == setup.slot
        {
            if matches!(die, Die::Shows(face) if self.allowed(&position, face).is_none()) {
                return Err(vec![SetupError::BadFate]);
            }
            position.set_die(die);
        }
        Ok(position)
    }

    /// The arrangement of a position.
    pub fn setup(&self, position: &Position) -> Setup {
        Setup {
            pieces: position.pieces().collect(),
            guests: position
                .men()
                .filter(|(spot, _)| spot.guest)
                .map(|(spot, piece)| (spot.square, piece))
                .collect(),
            tags: self.odd_tags(position),
            marks: position.marks().to_vec(),
            slot: position.slot(),
            eliminated: position.eliminated(),
            captives: self.fates(|player| position.captor(player)),
            frozen: position.frozen(),
            controlled: self.fates(|player| position.controller(player)),
            withdrawn: self.players().filter(|player| position.has_withdrawn(*player)).collect(),
            holding: position.holding(),
            die: self.die(position),
            ended: position.ended(),
        }
    }

    fn fates(&self, of: impl Fn(Player) -> Option<Player>) -> Vec<(Player, Player)> {
        self.players().filter_map(|player| Some((player, of(player)?))).collect()
    }

    /// The tags that are not those of the squares.
    fn odd_tags(&self, position: &Position) -> Vec<(Spot, Option<u8>)> {
        let tagged = position.men().map(|(spot, piece)| (spot, piece, position.tag(spot)));
        let odd = tagged.filter(|(spot, piece, tag)| *tag != self.tag_of(piece.kind, spot.square));
        odd.map(|(spot, _, tag)| (spot, tag)).collect()
    }

    fn tag_in(&self, setup: &Setup, spot: Spot, kind: Kind) -> Option<u8> {
        let said = setup.tags.iter().find(|(at, _)| *at == spot);
        said.map_or_else(|| self.tag_of(kind, spot.square), |(_, tag)| *tag)
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

    /// A guest is no leader, and its host is a leader of its team on a square for two.
    fn may_be_guest(&self, position: &Position, square: Square, piece: Piece) -> bool {
        let everybody: PlayerSet = self.players().collect();
        let known = everybody.contains(piece.player) && piece.kind.index() < self.kinds().count();
        let Some(sharing) = self.mechanics().sharing.as_ref().filter(|_| known && self.board.has(square))
        else {
            return false;
        };
        let is_host =
            |host: Piece| Some(host.kind) == self.leader() && self.are_partners(host.player, piece.player);
        Some(piece.kind) != self.leader()
            && position.piece(square).is_some_and(is_host)
            && !position.has_guest(square)
            && self.in_region_of(sharing.region, everybody, square)
    }

    fn has_good_fates(&self, setup: &Setup) -> bool {
        let everybody: PlayerSet = self.players().collect();
        let pairs = setup.captives.iter().chain(&setup.controlled);
        let known = pairs.clone().all(|(one, other)| everybody.contains(*one) && everybody.contains(*other));
        let is_plain = pairs.count() == 0 && setup.frozen.is_empty() && setup.holding.is_empty();
        let sets = setup.frozen.union(setup.holding);
        let controlled: PlayerSet = setup.controlled.iter().map(|(player, _)| *player).collect();
        let may_withdraw = self.mechanics().withdrawal && setup.withdrawn.without(controlled).is_empty();
        known
            && (setup.withdrawn.is_empty() || may_withdraw)
            && (is_plain || self.has_registers)
            && sets.without(everybody).is_empty()
            && setup.die.is_none_or(|die| self.is_good_die(die))
    }
    pub(crate) fn start_setup(&self) -> Setup {
        let mut setup = Setup { slot: self.blueprint.start_at, ..Setup::default() };
        // Of two on one square the leader is the host.
        let leaders_first = |placed: &&Placement| Some(placed.kind) != self.leader();
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
        setup
    }
}

fn set_fates(setup: &Setup, position: &mut Position) {
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
