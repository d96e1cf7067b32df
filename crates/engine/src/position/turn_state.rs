//! The state of an unfinished turn, in games whose turns have several parts: two words at the end of a position.

use super::Position;
use crate::piece::PlayerSet;
use crate::play::NextTurn;
use crate::square::Square;

/// What the parts of a turn so far leave to the next ones. Between turns it is the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TurnState {
    /// The part to come: 0 is the move with which a turn begins.
    pub(crate) part: u8,
    /// Where the piece stands that made the last part, if it is on the board.
    pub(crate) mover: Option<Square>,
    /// The number of parts so far.
    pub(crate) made: u8,
    /// Whether the set of pieces has changed.
    pub(crate) changed_pieces: bool,
    /// Who moves next.
    pub(crate) next: NextTurn,
    /// The players who lost a leader.
    pub(crate) lost_leaders: PlayerSet,
}

impl TurnState {
    /// The number of words.
    pub(super) const WORDS: usize = 2;

    fn words(self) -> [u64; 2] {
        let mover = self.mover.map_or(0, |square| u64::from(square.0) + 1);
        let next = match self.next {
            NextTurn::Following => 0,
            NextTurn::Again => 1,
            NextTurn::Another => 2,
        };
        let first = u64::from(self.part)
            | u64::from(self.made) << 8
            | u64::from(self.changed_pieces) << 24
            | next << 25
            | mover << 32;
        [first, self.lost_leaders.bits()]
    }

    fn from_words([first, lost_leaders]: [u64; 2]) -> Self {
        TurnState {
            part: first as u8,
            made: (first >> 8) as u8,
            changed_pieces: first >> 24 & 1 == 1,
            next: match first >> 25 & 3 {
                0 => NextTurn::Following,
                1 => NextTurn::Again,
                _ => NextTurn::Another,
            },
            mover: ((first >> 32) as u16).checked_sub(1).map(Square),
            lost_leaders: PlayerSet::from_bits(lost_leaders),
        }
    }
}

impl Position {
    /// Returns the part of the turn that comes next: 0 is the move with which a turn begins.
    #[inline]
    pub fn part(&self) -> usize {
        usize::from(self.turn_state().part)
    }

    /// Returns where the piece stands that made the last part of an unfinished turn.
    #[inline]
    pub fn part_mover(&self) -> Option<Square> {
        self.turn_state().mover
    }

    #[inline]
    pub(crate) fn turn_state(&self) -> TurnState {
        if !self.layout.has_parts() {
            return TurnState::default();
        }
        let end = self.planes.len();
        TurnState::from_words([self.planes[end - 2], self.planes[end - 1]])
    }

    /// Sets the state of the turn. The game must have turns of several parts.
    pub(crate) fn set_turn_state(&mut self, state: TurnState) {
        let first = self.registers().len() - TurnState::WORDS;
        for (index, word) in state.words().into_iter().enumerate() {
            self.set_word(first + index, word);
        }
    }
}
