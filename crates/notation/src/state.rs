//! A position with its counters, and the common entry point for parsing it.

use tabiya_engine::{Position, Rules, Setup, SetupError};

use crate::{contradictions, fen, state_json};

/// A position with the two counters of FEN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The position.
    pub position: Position,
    /// Turns since the last capture or pawn move, as written (FEN's halfmove clock). The engine does not count them.
    pub quiet: u32,
    /// Round number, from 1, as written (FEN's fullmove number).
    pub round: u32,
}

impl State {
    /// Returns a state with its counters at the start.
    pub fn new(position: Position) -> Self {
        State { position, quiet: 0, round: 1 }
    }
}

/// Every reason why a text is not a state of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateError {
    /// The reasons, one sentence each.
    pub reasons: Vec<String>,
}

tabiya_engine::error_messages! { StateError:
    StateError { reasons } => "{}", reasons.join("; ");
}

/// Parses a state: JSON if the text starts with a brace, else FEN.
///
/// # Errors
///
/// Returns every reason why the text is not a state of the game, not just the first.
///
/// # Examples
///
/// ```
/// let game = tabiya_spec::library::load("chess").unwrap();
/// let state = tabiya_notation::parse_state(&game.rules, "4k3/8/8/8/8/8/8/4K2R w K - 12 40").unwrap();
/// assert_eq!((state.quiet, state.round), (12, 40));
/// let error = tabiya_notation::parse_state(&game.rules, "4k3/8/8/8/8/8/8/4K2R x K e4").unwrap_err();
/// assert_eq!(error.reasons.len(), 1, "{error}");
/// ```
pub fn parse_state(rules: &Rules, text: &str) -> Result<State, StateError> {
    Draft::parse(rules, text).finish(rules).map_err(|reasons| StateError { reasons })
}

/// A partly parsed state with the problems found so far.
pub(crate) struct Draft {
    pub(crate) setup: Setup,
    pub(crate) quiet: u32,
    pub(crate) round: u32,
    pub(crate) reasons: Vec<String>,
    /// Whether every piece was understood.
    pub(crate) knows_board: bool,
    /// Whether the turn and the eliminated players were understood.
    pub(crate) knows_turn: bool,
}

impl Draft {
    /// Returns an empty draft with one problem.
    pub(crate) fn unreadable(reason: String) -> Self {
        Draft {
            setup: Setup::default(),
            quiet: 0,
            round: 1,
            reasons: vec![reason],
            knows_board: false,
            knows_turn: false,
        }
    }

    /// Parses JSON if the text starts with a brace, else FEN.
    pub(crate) fn parse(rules: &Rules, text: &str) -> Self {
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.starts_with('{') { state_json::draft(rules, text) } else { fen::draft(rules, text) }
    }

    /// Checks the draft and returns the state, or every problem.
    pub(crate) fn finish(self, rules: &Rules) -> Result<State, Vec<String>> {
        let Draft { setup, quiet, round, mut reasons, .. } = self;
        reasons.extend(contradictions::find(rules, &setup));
        if reasons.is_empty() {
            Ok(State { position: position(rules, &setup)?, quiet, round })
        } else {
            Err(reasons)
        }
    }
}

/// Calls [`Rules::position`] and names the squares in its errors.
fn position(rules: &Rules, setup: &Setup) -> Result<Position, Vec<String>> {
    let name = |square| rules.board().name(square);
    rules.position(setup).map_err(|errors| {
        let reasons = errors.into_iter().map(|error| match error {
            SetupError::NoSuchSquare(square) => format!("{} is not a square of this board", name(square)),
            SetupError::SquareTaken(square) => format!("two pieces stand on {}", name(square)),
            SetupError::NoSuchPiece(square) => {
                format!("the piece on {} is not a piece of this game", name(square))
            }
            SetupError::BadFlag(square) => {
                format!("the flag on {} has no piece or an impossible countdown", name(square))
            }
            SetupError::FlagTwice(square) => format!("the piece on {} has a flag twice", name(square)),
            SetupError::BadGuest(square) => format!("these two pieces cannot share {}", name(square)),
            SetupError::BadTag(square) => format!("the piece on {} cannot have this tag", name(square)),
            SetupError::DieMovesNothing(face) => die_moves_nothing(rules, setup, face),
            SetupError::NoSuchTurn(_)
            | SetupError::NoSuchPlayer
            | SetupError::TurnOfEliminated
            | SetupError::BadHand
            | SetupError::BadCounter
            | SetupError::BadArmyState => error.to_string(),
        });
        reasons.collect()
    })
}

/// Explains that the die shows a face with which the player to move cannot move.
fn die_moves_nothing(rules: &Rules, setup: &Setup, face: u8) -> String {
    let lists = rules
        .mechanics()
        .chance
        .as_ref()
        .and_then(|chance| chance.faces.get(usize::from(face).checked_sub(1)?));
    let codes: Vec<&str> =
        lists.into_iter().flatten().flatten().map(|kind| rules.kind(*kind).code.as_str()).collect();
    let player = &rules.player(rules.turn_of(setup.slot)).name;
    format!("the die shows {face}, but {player} has no {} that can move", codes.join(" or "))
}
