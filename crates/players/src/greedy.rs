//! The player who looks one move ahead: it wins if it can, takes what it can without losing more, and else moves at
//! random.

use tabiya_engine::{Move, Position, Rules};

use crate::structure::Recent;
use crate::values::Values;
use crate::worth::{Board, Worth};
use crate::{Chooser, Limits, SplitMix};

/// Chooses the move that gains most at once, by chance among the best.
#[derive(Clone, Debug)]
pub struct Greedy {
    dice: SplitMix,
    values: Option<Values>,
}

impl Greedy {
    /// The player of a seed.
    pub fn new(seed: u64) -> Self {
        Greedy { dice: SplitMix::new(seed), values: None }
    }

    /// The same with these values, in the game that they are of.
    #[must_use]
    pub fn valuing(self, values: impl Into<Option<Values>>) -> Self {
        Greedy { values: values.into(), ..self }
    }
}

/// By less than so many hundredths chance prefers one move to another.
const WHIM: usize = 60;

/// More than all pieces of a board are worth.
const VICTORY: i32 = 1 << 30;

impl Chooser for Greedy {
    fn choose_within(&mut self, rules: &Rules, position: &Position, limits: &Limits<'_>) -> Option<Move> {
        let mut moves = rules.legal_moves(position);
        // Of moves that are equally good, the first is chosen.
        self.dice.shuffle(&mut moves);
        let values = Values::known(&mut self.values, rules);
        let worth = values.worth();
        let nodes = limits.nodes.map_or(usize::MAX, |nodes| usize::try_from(nodes).unwrap_or(usize::MAX));
        let mut best: Option<(i32, Move)> = None;
        for played in moves.into_iter().take(nodes.max(1)) {
            let standing = standing_after(rules, worth, position, played);
            // Where pieces stand is a matter of taste to it; what it takes is not.
            let liked = standing.saturating_add(self.dice.below(WHIM) as i32);
            if best.is_none_or(|(most, _)| liked > most) {
                best = Some((liked, played));
            }
            if standing == VICTORY || limits.say_stop() {
                break;
            }
        }
        best.map(|(_, played)| played)
    }
}

/// How the player stands after a move, if the next one takes the piece that moved from where it can be taken.
fn standing_after(rules: &Rules, worth: &Worth, position: &Position, played: Move) -> i32 {
    let player = rules.mover(position);
    let next = rules.play_unchecked(position, played);
    if let Some(outcome) = rules.outcome(&next) {
        // A draw is the last thing that it wants, but for a defeat.
        return match outcome.winners {
            winners if winners.contains(player) => VICTORY,
            winners if winners.is_empty() => -VICTORY / 2,
            _ => -VICTORY,
        };
    }
    let landed = next.piece(played.to).filter(|piece| piece.player == player);
    let risked = landed.filter(|_| rules.is_attacked(&next, played.to, player));
    let mut board = Board::default();
    worth.look(&next, &mut board, &mut Recent::default());
    worth.standing(&board, player) - risked.map_or(0, |piece| worth.piece(played.to, piece))
}
