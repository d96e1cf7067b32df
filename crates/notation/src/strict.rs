//! Strict parsing: rejects states that no game can reach, with every reason.
//!
//! The plain parser accepts any position that can be played from, because tests and puzzles need them. Strict parsing is
//! for states from untrusted sources. The rules decide what is impossible: how many leaders a player starts with, which
//! squares a kind can reach, which moves set which flags, and which player has just moved.

use tabiya_engine::blueprint::Effect;
use tabiya_engine::mechanics::{Leadership, Lost};
use tabiya_engine::{Countdown, Flag, Kind, Mark, Piece, Player, PlayerSet, Rules, Setup, Spot, Square};

use crate::en_passant::{self, PassingMove};
use crate::hands;
use crate::reachability::{ReachTables, Reachability};
use crate::state::{Draft, State, StateError};
use crate::uci::codes;

/// Parses a state as [`crate::parse_state`] does, and rejects states that no game can reach.
///
/// # Errors
///
/// Returns every reason of either kind, not just the first.
///
/// # Examples
///
/// ```
/// let game = tabiya_spec::library::load("chess").unwrap();
/// let error = tabiya_notation::parse_state_strict(&game.rules, "P6k/8/8/8/8/8/8/8 w - -").unwrap_err();
/// assert_eq!(error.reasons.len(), 2, "no white king, and a pawn that must have been promoted");
/// ```
pub fn parse_state_strict(rules: &Rules, text: &str) -> Result<State, StateError> {
    let mut draft = Draft::parse(rules, text);
    if draft.round == 0 {
        draft.reasons.push("the round number is 0, but rounds are counted from 1".into());
    }
    let checker = Checker::new(rules, &draft.setup);
    let mut found = Vec::new();
    if draft.knows_board {
        found.extend(checker.board_problems());
    }
    if draft.knows_board && draft.knows_turn {
        found.extend(checker.turn_problems());
    }
    draft.reasons.extend(found);
    draft.finish(rules).map_err(|reasons| StateError { reasons })
}

/// Returns every reason why no game can reach a setup.
///
/// Setups that are not even positions (a piece off the board, a turn outside the turn order) are left to
/// [`Rules::position`].
pub fn setup_problems(rules: &Rules, setup: &Setup) -> Vec<String> {
    let checker = Checker::new(rules, setup);
    [checker.board_problems(), checker.turn_problems()].concat()
}

struct Checker<'s> {
    rules: &'s Rules,
    setup: &'s Setup,
    reach: ReachTables<'s>,
}

impl<'s> Checker<'s> {
    fn new(rules: &'s Rules, setup: &'s Setup) -> Self {
        Checker { rules, setup, reach: ReachTables::new(rules) }
    }

    /// Returns whether this is the start of the game, before or after players without a move are eliminated. The start
    /// is always possible.
    fn is_start(&self) -> bool {
        let (setup, plan) = (self.setup, self.rules.blueprint());
        let start = self.rules.start();
        let turns = [(plan.start_at(), PlayerSet::EMPTY), (start.slot(), start.eliminated())];
        let stands = |guest: bool, (square, piece): &(Square, Piece)| {
            let placed = start.piece_at(Spot { square: *square, guest });
            placed.is_some_and(|placed| (placed.player, placed.kind) == (piece.player, piece.kind))
        };
        turns.contains(&(setup.slot, setup.eliminated))
            && setup.marks.is_empty()
            && setup.pieces.len() + setup.guests.len() == plan.start().len()
            && setup.pieces.iter().all(|placed| stands(false, placed))
            && setup.guests.iter().all(|placed| stands(true, placed))
            && hands::are_equal(self.rules, &setup.hands, &start)
    }

    /// Returns whether there is nothing to check: at the start, or if the setup holds more than the board can, which
    /// [`Rules::position`] reports.
    fn is_exempt(&self) -> bool {
        let squares = self.rules.board().len();
        let (pieces, flags) = (self.setup.pieces.len(), self.setup.marks.len());
        pieces > squares || flags > squares * self.rules.blueprint().flags().len() || self.is_start()
    }

    /// Returns the problems that do not depend on the turn.
    fn board_problems(&self) -> Vec<String> {
        if self.is_exempt() {
            return Vec::new();
        }
        let players = self.rules.players().filter(|player| !self.setup.eliminated.contains(*player));
        let leaders = players.flat_map(|player| self.wrong_leaders(player));
        // Pieces that effects change can stand anywhere.
        if self.rules.mechanics().has_board_effects() {
            return leaders.collect();
        }
        let places = self.pieces().filter_map(|(square, piece)| self.misplaced(square, piece));
        let hands = hands::impossible(self.rules, self.setup);
        leaders.chain(places).chain(hands).collect()
    }

    /// Returns the problems that depend on the turn.
    fn turn_problems(&self) -> Vec<String> {
        let order = self.rules.order();
        let seated: PlayerSet = order.iter().copied().collect();
        // After a move has ended the game, there is no next turn.
        let is_over = !self.setup.eliminated.is_empty() && seated.without(self.setup.eliminated).len() <= 1
            || self.rules.position(self.setup).is_ok_and(|position| position.ended().is_some());
        let has_effects = self.rules.mechanics().has_board_effects();
        if usize::from(self.setup.slot) >= order.len() || is_over || has_effects || self.is_exempt() {
            return Vec::new();
        }
        let flags = self.setup.marks.iter().filter_map(|mark| self.impossible_flag(mark));
        flags.chain(self.simultaneous_flags()).chain(self.exposed()).collect()
    }

    /// Returns the pieces that exist in this game and stand on its board.
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

    /// A player who loses a leader is eliminated. A player in the game therefore has as many as at the start, unless
    /// leaders can appear or disappear in other ways. If only the loss of the last one decides, one is enough.
    fn wrong_leaders(&self, player: Player) -> Vec<String> {
        let kinds = self.rules.leaders_of(player);
        match self.rules.mechanics().leadership.lost {
            Lost::Any | Lost::LastOfKind => {
                kinds.iter().filter_map(|kind| self.wrong_count(player, &[*kind])).collect()
            }
            Lost::Last => self.wrong_count(player, kinds).into_iter().collect(),
        }
    }

    /// Returns what is wrong with the number of a player's leaders of these kinds.
    fn wrong_count(&self, player: Player, kinds: &[Kind]) -> Option<String> {
        let start = self.rules.blueprint().start().iter();
        let expected = start.filter(|placed| placed.player == player && kinds.contains(&placed.kind)).count();
        let squares: Vec<String> = self
            .pieces()
            .filter(|(_, piece)| piece.player == player && kinds.contains(&piece.kind))
            .map(|(square, _)| self.name(square))
            .collect();
        let (name, codes) = (self.player_name(player), codes(self.rules, kinds));
        let mechanics = self.rules.mechanics();
        let changes = !mechanics.reactions.is_empty() || !mechanics.figures.is_empty();
        let is_captive = self.setup.captives.iter().any(|(captive, _)| *captive == player);
        let appears = |kind: &Kind| self.reach.is_promoted_to(*kind) || self.reach.is_dropped(*kind);
        let may_be_more = changes || kinds.iter().any(appears);
        let promotes = |kind: &Kind| self.rules.kind(*kind).moves.iter().any(|it| !it.modifiers.is_empty());
        let disappears = |kind: &Kind| promotes(kind) || self.replaces_leaders(*kind);
        let may_be_none = changes || is_captive || kinds.iter().any(disappears);
        let may_be_fewer = may_be_none || mechanics.leadership.lost != Lost::Any;
        match squares.len() {
            0 if expected > 0 && !may_be_none => Some(format!("{name} has no {codes}")),
            0 => None,
            found if found < expected && !may_be_fewer || found > expected && !may_be_more => {
                let squares = squares.join(", ");
                Some(format!("{name} starts with {expected} {codes} but has {found}: on {squares}"))
            }
            _ => None,
        }
    }

    fn misplaced(&self, square: Square, piece: Piece) -> Option<String> {
        let (name, code) = (self.player_name(piece.player), &self.rules.kind(piece.kind).code);
        let place = self.name(square);
        match self.reach.reachability(piece.player, piece.kind, square) {
            Reachability::Possible => None,
            Reachability::Promoted => {
                Some(format!("the {code} of {name} on {place} must have been promoted there"))
            }
            Reachability::Impossible => {
                Some(format!("no {code} of {name} can reach {place}, and none starts there"))
            }
        }
    }

    /// A flag must have been set by a recent move of the piece. If that was the last move, its path must still be
    /// empty.
    fn impossible_flag(&self, mark: &Mark) -> Option<String> {
        let piece = self.piece(mark.square)?;
        let name = self.rules.blueprint().flags().get(mark.flag.index())?;
        let (code, place) = (&self.rules.kind(piece.kind).code, self.name(mark.square));
        let plans = &self.rules.kind(piece.kind).moves;
        let durations: Vec<Option<u32>> = plans
            .iter()
            .flat_map(en_passant::effects)
            .filter_map(|effect| match effect {
                Effect::SetFlag { flag, duration } if *flag == mark.flag => Some(*duration),
                _ => None,
            })
            .collect();
        if durations.is_empty() {
            return Some(format!("no {code} move sets the flag {name}, which is on {place}"));
        }
        let Some(Countdown { slot, remaining }) = mark.countdown else {
            return durations
                .iter()
                .all(Option::is_some)
                .then(|| format!("the flag {name} on {place} is not permanent in this game"));
        };
        if self.may_pass_over() {
            return None;
        }
        let elapsed = self.turns_since(slot);
        let age = remaining.checked_add(elapsed);
        let longest = durations.iter().copied().flatten().max();
        if age.is_none_or(|age| longest.is_none_or(|longest| age > longest)) {
            return Some(format!("the flag {name} on {place} must have expired"));
        }
        let is_fresh = elapsed == 0 && slot != self.setup.slot && age == longest;
        if is_fresh { self.impossible_path(mark, piece) } else { None }
    }

    /// Returns whether players may be passed over, so that the number of turns since a move is unknown.
    fn may_pass_over(&self) -> bool {
        let mechanics = self.rules.mechanics();
        mechanics.stuck_passes || mechanics.leadership.freezes
    }

    /// Returns the minimum number of turns that other players have had since a slot's turn.
    fn turns_since(&self, slot: u16) -> u32 {
        let order = self.rules.order().len();
        let (slot, now) = (usize::from(slot) % order, usize::from(self.setup.slot));
        let between = (1..order).map(|ahead| (slot + ahead) % order).take_while(|other| *other != now);
        let is_in = |other: &usize| !self.setup.eliminated.contains(self.rules.turn_of(*other as u16));
        between.filter(is_in).count() as u32
    }

    /// If only moves over empty squares set the flag and the piece has just moved, its path must be empty, and a first
    /// move must have begun on a starting square.
    fn impossible_path(&self, mark: &Mark, piece: Piece) -> Option<String> {
        let plans = &self.rules.kind(piece.kind).moves;
        let sets_it = |effect: &Effect| matches!(effect, Effect::SetFlag { flag, .. } if *flag == mark.flag);
        let passings: Vec<PassingMove> = en_passant::passing_moves(self.rules)
            .into_iter()
            .filter(|it| (it.player, it.kind, it.flag) == (piece.player, piece.kind, mark.flag))
            .collect();
        let setters = plans.iter().flat_map(en_passant::effects).filter(|effect| sets_it(effect)).count();
        if setters > passings.len() || !passings.iter().all(|it| it.is_clear) {
            return None;
        }
        let is_empty = |square: Square| self.piece(square).is_none();
        let starts = |square: Square| self.reach.is_unmoved_at(piece.player, piece.kind, square);
        let fits = |it: &PassingMove| {
            let path = it.path_back(self.rules, is_empty, mark.square);
            path.and_then(|path| path.last().copied()).is_some_and(|origin| !it.is_first || starts(origin))
        };
        let (code, place) = (&self.rules.kind(piece.kind).code, self.name(mark.square));
        let flag = self.rules.flag(mark.flag);
        (!passings.iter().any(fits)).then(|| {
            format!("the {code} on {place} cannot just have made the move that sets the flag {flag}")
        })
    }

    /// One turn moves one piece, so two pieces cannot both have received a flag in it. The turn is known only for flags
    /// that always have the same duration.
    fn simultaneous_flags(&self) -> Option<String> {
        let marks = &self.setup.marks;
        let is_simultaneous = |one: &Mark, other: &Mark| {
            one.square != other.square && one.flag == other.flag && one.countdown == other.countdown
        };
        if self.may_pass_over() {
            return None;
        }
        let has_known_turn = |mark: &Mark| {
            let mut durations = self.durations(mark.flag);
            let is_timed = mark.countdown.is_some_and(|it| it.slot != self.setup.slot);
            is_timed && durations.next().is_some_and(|first| durations.all(|other| other == first))
        };
        let (one, other) =
            marks.iter().enumerate().filter(|(_, mark)| has_known_turn(mark)).find_map(|(at, one)| {
                Some((one, marks[at + 1..].iter().find(|other| is_simultaneous(one, other))?))
            })?;
        let (one, other) = (self.name(one.square), self.name(other.square));
        Some(format!("the pieces on {one} and {other} cannot both have moved in the same turn"))
    }

    /// Returns the durations with which moves set a flag.
    fn durations(&self, wanted: Flag) -> impl Iterator<Item = Option<u32>> + '_ {
        let plans = self.rules.kinds().flat_map(|kind| &self.rules.kind(kind).moves);
        plans.flat_map(en_passant::effects).filter_map(move |effect| match effect {
            Effect::SetFlag { flag, duration } if *flag == wanted => Some(*duration),
            _ => None,
        })
    }

    /// Returns whether a promotion may replace leaders by other pieces.
    fn replaces_leaders(&self, leader: Kind) -> bool {
        let moves = self.rules.kinds().flat_map(|kind| &self.rules.kind(kind).moves);
        moves.flat_map(|plan| &plan.modifiers).flat_map(|it| &it.replaces).any(|(kind, _)| *kind == leader)
    }

    /// A move may not leave the mover's leader attacked. Nothing follows in games that allow it, or in which players
    /// without a move are passed over.
    fn exposed(&self) -> Vec<String> {
        let rules = self.rules;
        let mechanics = rules.mechanics();
        if mechanics.leadership != Leadership::default() || mechanics.stuck_passes {
            return Vec::new();
        }
        let Some(player) = self.last_mover() else { return Vec::new() };
        // Impossible flags are reported elsewhere; attacks can be judged without them.
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
                format!("{name} has just moved, but its {code} on {} is attacked", self.name(square))
            })
            .collect()
    }

    /// Returns the player who has just moved, if that is certain. A player may have moved in one turn and been eliminated
    /// in the next, if two of the player's turns were skipped.
    fn last_mover(&self) -> Option<Player> {
        let order = self.rules.order().len();
        let before = en_passant::previous_slot(self.rules, self.setup.slot, self.setup.eliminated);
        let skipped: Vec<Player> = (1..order)
            .map(|ahead| ((usize::from(before) + ahead) % order) as u16)
            .take_while(|slot| *slot != self.setup.slot)
            .map(|slot| self.rules.turn_of(slot))
            .collect();
        let is_twice = |player: &Player| skipped.iter().filter(|other| *other == player).count() > 1;
        (!skipped.iter().any(is_twice)).then(|| self.rules.turn_of(before))
    }
}
