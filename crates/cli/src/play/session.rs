//! A game in progress: where it started and what was played. Everything else follows from that, so taking back is
//! playing again, and a saved game is the same list.

use tabiya_engine::{Move, Player, Position, Rules};
use tabiya_notation::{MoveError, State, move_text, parse_move};

use crate::chosen::Chosen;
use crate::standing::Ending;

/// More turns than this are not kept; no game that somebody plays is as long.
pub(crate) const MAX_TURNS: usize = 65_536;

/// What a player did with a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// A move.
    Move(Move),
    /// The player gave up.
    Resign,
}

/// A turn that was played.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    /// Whose turn it was.
    pub(crate) player: Player,
    /// What was done.
    pub(crate) turn: Turn,
    /// As it is written.
    pub(crate) text: String,
}

/// The word for giving up, where a move could stand.
const RESIGN: &str = "resign";

/// A game in progress.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    /// The game.
    pub(crate) chosen: Chosen,
    /// Where it started.
    pub(crate) start: State,
    turns: Vec<Played>,
    now: State,
    /// How it ended, if by resignation: the rules do not know of it.
    resigned: Option<Ending>,
}

impl Session {
    /// A game at its start.
    pub(crate) fn new(chosen: Chosen, start: State) -> Self {
        Session { chosen, now: start.clone(), start, turns: Vec::new(), resigned: None }
    }

    /// The rules.
    pub(crate) fn rules(&self) -> &Rules {
        &self.chosen.game.rules
    }

    /// How things stand.
    pub(crate) fn state(&self) -> &State {
        &self.now
    }

    /// The position on the board.
    pub(crate) fn position(&self) -> &Position {
        &self.now.position
    }

    /// Whose turn it is.
    pub(crate) fn mover(&self) -> Player {
        self.rules().mover(self.position())
    }

    /// What was played, oldest first.
    pub(crate) fn turns(&self) -> &[Played] {
        &self.turns
    }

    /// The moves of the others since the player to move was last asked.
    pub(crate) fn recent_moves(&self) -> impl Iterator<Item = Move> {
        let player = self.mover();
        let others = self.turns.iter().rev().take_while(move |played| played.player != player);
        let all = self.rules().players().count();
        others.take(all).filter_map(|played| match played.turn {
            Turn::Move(chosen) => Some(chosen),
            Turn::Resign => None,
        })
    }

    /// How the game ended, if it has.
    pub(crate) fn ending(&self) -> Option<Ending> {
        self.resigned.clone().or_else(|| self.rules().outcome(self.position()).map(Ending::from))
    }

    /// Plays a turn that is legal here.
    pub(crate) fn play(&mut self, turn: Turn) {
        let player = self.mover();
        let text = match turn {
            Turn::Move(chosen) => {
                let text = move_text(self.rules(), self.position(), chosen);
                self.now = after(self.rules(), &self.now, chosen);
                text
            }
            Turn::Resign => {
                self.resign();
                RESIGN.to_owned()
            }
        };
        self.turns.push(Played { player, turn, text });
    }

    /// The turn that a text of a saved game means.
    pub(crate) fn read_turn(&self, text: &str) -> Result<Turn, MoveError> {
        if text == RESIGN {
            Ok(Turn::Resign)
        } else {
            parse_move(self.rules(), self.position(), text).map(Turn::Move)
        }
    }

    /// The same game, only its first turns played.
    pub(crate) fn first(&self, turns: usize) -> Session {
        let mut earlier = Session::new(self.chosen.clone(), self.start.clone());
        for played in self.turns.iter().take(turns) {
            earlier.play(played.turn);
        }
        earlier
    }

    /// Among more than two the others play on; of two, the other has won.
    fn resign(&mut self) {
        let (rules, player) = (&self.chosen.game.rules, self.mover());
        let mut setup = rules.setup(self.position());
        setup.eliminated = setup.eliminated.with(player);
        let order = rules.blueprint().order.len() as u16;
        let next = (1..=order)
            .map(|ahead| (setup.slot + ahead) % order)
            .find(|slot| !setup.eliminated.contains(rules.turn_of(*slot)));
        let others = rules.alive(self.position()).without([player].into_iter().collect());
        let position = next.filter(|_| others.len() > 1).and_then(|slot| {
            setup.slot = slot;
            rules.position(&setup).ok()
        });
        match position {
            Some(position) => self.now.position = position,
            None => self.resigned = Some(Ending { winners: others, reason: Ending::RESIGNATION }),
        }
    }
}

/// The state after a move, counters included. A round is over when the order starts again; the quiet turns start again
/// after a capture and after a move of a piece that can only go forward, as FIDE counts them for pawns.
fn after(rules: &Rules, state: &State, played: Move) -> State {
    let position = rules.play_unchecked(&state.position, played);
    let captured = position.piece_count() < state.position.piece_count();
    let advanced = state.position.piece(played.from).is_some_and(|piece| {
        let moves = &rules.kind(piece.kind).moves;
        moves.iter().all(|plan| plan.step.dy > 0)
    });
    let quiet = if captured || advanced { 0 } else { state.quiet.saturating_add(1) };
    let around = position.slot() <= state.position.slot();
    let round = state.round.saturating_add(u32::from(around));
    State { position, quiet, round }
}
