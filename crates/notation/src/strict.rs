//! Strict reading: states that no game can come to are refused, with every reason.
//!
//! The plain reader takes any arrangement that can be played on, because tests and puzzles need them. Whoever takes
//! states from strangers wants more. What is impossible is asked of the rules, not of any game: how many leaders a player
//! starts with, where a kind can get to, which move leaves which flag, who has just moved.

use tabiya_engine::blueprint::Effect;
use tabiya_engine::mechanics::Leadership;
use tabiya_engine::{Countdown, Flag, Kind, Mark, Piece, Player, PlayerSet, Rules, Setup, Square};

use crate::passing;
use crate::reach::{Reach, Standing};
use crate::state::{Draft, State, StateError};

/// Reads a state as [`crate::parse_state`] does, and refuses it as well if no game can come to it. Every reason of
/// either kind is given at once.
///
/// ```
/// let game = tabiya_spec::library::load("chess").unwrap();
/// let two = tabiya_notation::parse_state_strict(&game.rules, "P6k/8/8/8/8/8/8/8 w - -").unwrap_err();
/// assert_eq!(two.reasons.len(), 2, "no white king, and a pawn that would have been promoted");
/// ```
pub fn parse_state_strict(rules: &Rules, text: &str) -> Result<State, StateError> {
    let mut draft = Draft::read(rules, text);
    if draft.round == 0 {
        draft.reasons.push("the number of the round is 0, and rounds are counted from 1".into());
    }
    let faults = Faults::new(rules, &draft.setup);
    let mut found = Vec::new();
    if draft.knows_board {
        found.extend(faults.of_board());
    }
    if draft.knows_board && draft.knows_turn {
        found.extend(faults.of_turn());
    }
    draft.reasons.extend(found);
    draft.finish(rules).map_err(|reasons| StateError { reasons })
}

/// Every reason why no game can come to an arrangement, one for each rule and place. What is no arrangement at all (a
/// piece off the board, a turn that is not in the order) is left to [`Rules::position`].
pub fn setup_faults(rules: &Rules, setup: &Setup) -> Vec<String> {
    let faults = Faults::new(rules, setup);
    [faults.of_board(), faults.of_turn()].concat()
}

struct Faults<'s> {
    rules: &'s Rules,
    setup: &'s Setup,
    reach: Reach<'s>,
}

impl<'s> Faults<'s> {
    fn new(rules: &'s Rules, setup: &'s Setup) -> Self {
        Faults { rules, setup, reach: Reach::new(rules) }
    }

    /// Every game comes to its start, whatever it looks like: as it is set up, or after those are out who cannot move.
    fn is_start(&self) -> bool {
        let (setup, plan) = (self.setup, self.rules.blueprint());
        let start = self.rules.start();
        let turns = [(plan.start_at(), PlayerSet::EMPTY), (start.slot(), start.eliminated())];
        let stands = |(square, piece): &(Square, Piece)| {
            let placed = start.pieces().find(|(other, _)| other == square).map(|(_, placed)| placed);
            placed.is_some_and(|placed| (placed.player, placed.kind) == (piece.player, piece.kind))
        };
        turns.contains(&(setup.slot, setup.eliminated))
            && setup.marks.is_empty()
            && setup.pieces.len() == plan.start().len()
            && setup.pieces.iter().all(stands)
    }

    /// Whether there is nothing to look for: at the start, or where there is more than a board can hold, which the gate
    /// tells.
    fn is_idle(&self) -> bool {
        let squares = self.rules.board().len();
        let (pieces, flags) = (self.setup.pieces.len(), self.setup.marks.len());
        pieces > squares || flags > squares * self.rules.blueprint().flags().len() || self.is_start()
    }

    /// What is wrong whoever has the turn.
    fn of_board(&self) -> Vec<String> {
        if self.is_idle() {
            return Vec::new();
        }
        let players = self.rules.players().filter(|player| !self.setup.eliminated.contains(*player));
        let leaders = players.filter_map(|player| self.wrong_leaders(player));
        let places = self.pieces().filter_map(|(square, piece)| self.misplaced(square, piece));
        leaders.chain(places).collect()
    }

    /// What is wrong with this turn.
    fn of_turn(&self) -> Vec<String> {
        let order = self.rules.order();
        let seated: PlayerSet = order.iter().copied().collect();
        // Once a leader's capture has ended the game, no turn follows.
        let is_over = !self.setup.eliminated.is_empty() && seated.without(self.setup.eliminated).len() <= 1;
        if usize::from(self.setup.slot) >= order.len() || is_over || self.is_idle() {
            return Vec::new();
        }
        let flags = self.setup.marks.iter().filter_map(|mark| self.impossible_flag(mark));
        flags.chain(self.twins()).chain(self.exposed()).collect()
    }

    /// The pieces that are of this game and on its board.
    fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        let (players, kinds) = (self.rules.players().len(), self.rules.kinds().len());
        self.setup.pieces.iter().copied().filter(move |(square, piece)| {
            self.rules.board().has(*square) && piece.player.index() < players && piece.kind.index() < kinds
        })
    }

    fn piece(&self, square: Square) -> Option<Piece> {
        self.pieces().find(|(other, _)| *other == square).map(|(_, piece)| piece)
    }

    fn name(&self, square: Square) -> String {
        self.rules.board().name(square)
    }

    fn player_name(&self, player: Player) -> &str {
        &self.rules.player(player).name
    }

    /// Who loses a leader is out; so whoever is in has as many as at the start, if there is no other way to or from one.
    fn wrong_leaders(&self, player: Player) -> Option<String> {
        let leader = self.rules.leader()?;
        let code = &self.rules.kind(leader).code;
        let start = self.rules.blueprint().start().iter();
        let expected = start.filter(|placed| (placed.player, placed.kind) == (player, leader)).count();
        let squares: Vec<String> = self
            .pieces()
            .filter(|(_, piece)| (piece.player, piece.kind) == (player, leader))
            .map(|(square, _)| self.name(square))
            .collect();
        let name = self.player_name(player);
        let mechanics = self.rules.mechanics();
        let changes = !mechanics.reactions.is_empty() || !mechanics.figures.is_empty();
        let is_captive = self.setup.captives.iter().any(|(captive, _)| *captive == player);
        let may_be_more = self.reach.is_promoted_to(leader) || changes;
        let changes_itself = self.rules.kind(leader).moves.iter().any(|plan| !plan.modifiers.is_empty());
        let may_be_fewer = changes_itself || changes || is_captive || self.replaces_leaders(leader);
        match squares.len() {
            0 if expected > 0 && !may_be_fewer => Some(format!("{name} has no {code}")),
            found if found < expected && !may_be_fewer || found > expected && !may_be_more => {
                let squares = squares.join(", ");
                Some(format!("{name} starts with {expected} {code} and has {found}: on {squares}"))
            }
            _ => None,
        }
    }

    fn misplaced(&self, square: Square, piece: Piece) -> Option<String> {
        let (name, code) = (self.player_name(piece.player), &self.rules.kind(piece.kind).code);
        let place = self.name(square);
        match self.reach.standing(piece.player, piece.kind, square) {
            Standing::Possible => None,
            Standing::Promoted => {
                Some(format!("the {code} of {name} on {place} would have become another piece there"))
            }
            Standing::Impossible => Some(format!(
                "no {code} of {name} can stand on {place}: none starts there, and no move leads there"
            )),
        }
    }

    /// A flag must have been set by a move of that kind, not too long ago; and if it was the last move, the way of the
    /// piece must still be to be seen.
    fn impossible_flag(&self, mark: &Mark) -> Option<String> {
        let piece = self.piece(mark.square)?;
        let name = self.rules.blueprint().flags().get(mark.flag.index())?;
        let (code, place) = (&self.rules.kind(piece.kind).code, self.name(mark.square));
        let plans = &self.rules.kind(piece.kind).moves;
        let durations: Vec<Option<u32>> = plans
            .iter()
            .flat_map(passing::effects)
            .filter_map(|effect| match effect {
                Effect::SetFlag { flag, duration } if *flag == mark.flag => Some(*duration),
                _ => None,
            })
            .collect();
        if durations.is_empty() {
            return Some(format!("no move of a {code} leaves the flag {name}, which lies on {place}"));
        }
        let Some(Countdown { slot, remaining }) = mark.countdown else {
            return durations
                .iter()
                .all(Option::is_some)
                .then(|| format!("the flag {name} on {place} does not stay for ever"));
        };
        let mechanics = self.rules.mechanics();
        if mechanics.stuck_passes || mechanics.leadership.freezes {
            // Who is passed over has no turn, so it is not known how many there were.
            return None;
        }
        let elapsed = self.turns_since(slot);
        let age = remaining.checked_add(elapsed);
        let longest = durations.iter().copied().flatten().max();
        if age.is_none_or(|age| longest.is_none_or(|longest| age > longest)) {
            return Some(format!("the flag {name} on {place} would be gone by now"));
        }
        let is_fresh = elapsed == 0 && slot != self.setup.slot && age == longest;
        if is_fresh { self.no_way(mark, piece) } else { None }
    }

    /// How many turns of others have been since a slot had its turn, at least.
    fn turns_since(&self, slot: u16) -> u32 {
        let order = self.rules.order().len();
        let (slot, now) = (usize::from(slot) % order, usize::from(self.setup.slot));
        let between = (1..order).map(|ahead| (slot + ahead) % order).take_while(|other| *other != now);
        let is_in = |other: &usize| !self.setup.eliminated.contains(self.rules.turn_of(*other as u16));
        between.filter(is_in).count() as u32
    }

    /// The piece has just moved: if only a move over empty squares leaves that flag, they must be empty, and a first move
    /// must have begun where such a piece starts.
    fn no_way(&self, mark: &Mark, piece: Piece) -> Option<String> {
        let plans = &self.rules.kind(piece.kind).moves;
        let sets_it = |effect: &Effect| matches!(effect, Effect::SetFlag { flag, .. } if *flag == mark.flag);
        let passings: Vec<passing::Passing> = passing::all(self.rules)
            .into_iter()
            .filter(|it| (it.player, it.kind, it.flag) == (piece.player, piece.kind, mark.flag))
            .collect();
        let setters = plans.iter().flat_map(passing::effects).filter(|effect| sets_it(effect)).count();
        if setters > passings.len() || !passings.iter().all(|it| it.is_clear) {
            return None;
        }
        let is_empty = |square: Square| self.piece(square).is_none();
        let starts = |square: Square| self.reach.is_unmoved_at(piece.player, piece.kind, square);
        let fits = |it: &passing::Passing| {
            let way = it.way_back(self.rules, is_empty, mark.square);
            way.and_then(|way| way.last().copied()).is_some_and(|origin| !it.is_first || starts(origin))
        };
        let (code, place) = (&self.rules.kind(piece.kind).code, self.name(mark.square));
        let flag = self.rules.flag(mark.flag);
        (!passings.iter().any(fits)).then(|| {
            format!("the {code} on {place} cannot just have made the move that leaves the flag {flag}")
        })
    }

    /// One turn moves one piece: two of them cannot both have been given a flag by it. Only a flag that always stays for
    /// the same time tells in which turn it was given.
    fn twins(&self) -> Option<String> {
        let marks = &self.setup.marks;
        let is_twin = |one: &Mark, other: &Mark| {
            one.square != other.square && one.flag == other.flag && one.countdown == other.countdown
        };
        let tells = |mark: &Mark| {
            let mut durations = self.durations(mark.flag);
            let is_timed = mark.countdown.is_some_and(|it| it.slot != self.setup.slot);
            is_timed && durations.next().is_some_and(|first| durations.all(|other| other == first))
        };
        let (one, other) =
            marks.iter().enumerate().filter(|(_, mark)| tells(mark)).find_map(|(at, one)| {
                Some((one, marks[at + 1..].iter().find(|other| is_twin(one, other))?))
            })?;
        let (one, other) = (self.name(one.square), self.name(other.square));
        Some(format!("the pieces on {one} and {other} cannot both have moved in the same turn"))
    }

    /// For how long the moves of all kinds leave a flag.
    fn durations(&self, wanted: Flag) -> impl Iterator<Item = Option<u32>> + '_ {
        let plans = self.rules.kinds().flat_map(|kind| &self.rules.kind(kind).moves);
        plans.flat_map(passing::effects).filter_map(move |effect| match effect {
            Effect::SetFlag { flag, duration } if *flag == wanted => Some(*duration),
            _ => None,
        })
    }

    /// Whether a promotion may turn leaders into something else.
    fn replaces_leaders(&self, leader: Kind) -> bool {
        let moves = self.rules.kinds().flat_map(|kind| &self.rules.kind(kind).moves);
        moves.flat_map(|plan| &plan.modifiers).flat_map(|it| &it.replaces).any(|(kind, _)| *kind == leader)
    }

    /// Nobody may leave a leader attacked; so whoever has just moved has not. Where leaders may be attacked, or whoever
    /// cannot move is passed over, nothing follows.
    fn exposed(&self) -> Vec<String> {
        let rules = self.rules;
        let mechanics = rules.mechanics();
        if mechanics.leadership != Leadership::default() || mechanics.stuck_passes {
            return Vec::new();
        }
        let Some(player) = self.last_mover() else { return Vec::new() };
        // Flags that cannot be are told elsewhere; the rest of the board can still be judged.
        let bare = || Setup { marks: Vec::new(), ..self.setup.clone() };
        let position = rules.position(self.setup).or_else(|_| rules.position(&bare()));
        let Ok(position) = position else { return Vec::new() };
        let is_exposed = |(square, piece): &(Square, Piece)| {
            (piece.player, Some(piece.kind)) == (player, rules.leader())
                && rules.is_attacked(&position, *square, player)
        };
        let exposed = position.pieces().filter(is_exposed);
        exposed
            .map(|(square, piece)| {
                let (name, code) = (self.player_name(player), &rules.kind(piece.kind).code);
                format!("{name} has just moved, and its {code} on {} is attacked", self.name(square))
            })
            .collect()
    }

    /// Who has just moved. Somebody who is out may have, if two of its turns were skipped: moved in the first, and put out
    /// in the second.
    fn last_mover(&self) -> Option<Player> {
        let order = self.rules.order().len();
        let before = passing::slot_before(self.rules, self.setup.slot, self.setup.eliminated);
        let skipped: Vec<Player> = (1..order)
            .map(|ahead| ((usize::from(before) + ahead) % order) as u16)
            .take_while(|slot| *slot != self.setup.slot)
            .map(|slot| self.rules.turn_of(slot))
            .collect();
        let is_twice = |player: &Player| skipped.iter().filter(|other| *other == player).count() > 1;
        (!skipped.iter().any(is_twice)).then(|| self.rules.turn_of(before))
    }
}
