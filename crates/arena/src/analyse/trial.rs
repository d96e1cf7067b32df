//! One game that is played to be measured.

use std::sync::Arc;

use tabiya_engine::{Move, PlayerSet, Position, Rules, SplitMix};
use tabiya_notation::State;
use tabiya_players::{Chooser, Limits, Values};
use tabiya_referee::{Act, Dice, Game, bargain};

/// What was measured in one game.
#[derive(Clone, Debug)]
pub(super) struct Trial {
    /// Who won.
    pub(super) winners: PlayerSet,
    /// Why it ended; `None` if it did not.
    pub(super) reason: Option<String>,
    pub(super) plies: u32,
    /// How many legal moves there were on each turn.
    pub(super) choices: Vec<u16>,
    pub(super) captures: u32,
    pub(super) lead_changes: u32,
    /// Whether who won was once clearly behind.
    pub(super) is_comeback: bool,
}

/// How games are played.
pub(super) struct Course<'s> {
    pub(super) rules: &'s Arc<Rules>,
    pub(super) sides: &'s [PlayerSet],
    pub(super) values: &'s Values,
    pub(super) nodes: u64,
    pub(super) max_plies: u32,
}

/// Everybody makes so many moves at random first, so that no two games are alike.
const AT_RANDOM: usize = 2;
/// Who is ahead by so much leads, in hundredths.
const CLEAR: i32 = 150;

impl Course<'_> {
    /// Plays a game, with a player for each player of the game.
    pub(super) fn play(&self, start: &State, mut players: Vec<Box<dyn Chooser + Send>>, seed: u64) -> Trial {
        let mut dice = SplitMix::new(seed);
        let mut game = Game::resume(self.rules.clone(), start.clone(), &[], Dice::seeded(dice.next_u64()));
        let mut lead = Lead::new(self.sides.len());
        let (mut choices, mut captures) = (Vec::new(), 0);
        let warm_up = AT_RANDOM * self.rules.order().len();
        // What is done beside moves is done at most a few times on a turn.
        for _ in 0..self.max_plies.saturating_mul(8) {
            if game.end().is_some() || choices.len() >= self.max_plies as usize {
                break;
            }
            let Some(act) = bargain(&game).or_else(|| {
                let position = &game.state().position;
                let moves = self.rules.legal_moves(position);
                let at_random = choices.len() < warm_up && !moves.is_empty();
                let chosen = if at_random {
                    Some(moves[dice.below(moves.len())])
                } else {
                    self.choose(&mut players, game.actor().index(), position)
                };
                choices.push(moves.len().min(usize::from(u16::MAX)) as u16);
                chosen.map(Act::Move)
            }) else {
                break;
            };
            let before = game.state().position.piece_count();
            if game.submit(&act).is_err() {
                break;
            }
            let captured = before.saturating_sub(game.state().position.piece_count());
            captures += captured;
            // In the middle of an exchange nobody leads.
            if matches!(act, Act::Move(_)) && captured == 0 {
                lead.look(self, &game.state().position);
            }
        }
        let winners = game.end().map(|end| end.winners).unwrap_or_default();
        Trial {
            winners,
            reason: game.end().map(|end| end.reason.clone()),
            plies: choices.len() as u32,
            choices,
            captures,
            lead_changes: lead.changes,
            is_comeback: lead.was_behind(self.sides, winners),
        }
    }

    fn choose(
        &self,
        players: &mut [Box<dyn Chooser + Send>],
        seat: usize,
        position: &Position,
    ) -> Option<Move> {
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        players.get_mut(seat)?.choose_within(self.rules, position, &limits)
    }
}

/// Who has the stronger army, as a game goes on.
struct Lead {
    /// The side that was ahead last.
    leader: Option<usize>,
    changes: u32,
    /// Whether each side was once clearly behind.
    behind: Vec<bool>,
}

impl Lead {
    fn new(sides: usize) -> Self {
        Lead { leader: None, changes: 0, behind: vec![false; sides] }
    }

    fn look(&mut self, course: &Course<'_>, position: &Position) {
        let standing = |side: &PlayerSet| {
            side.iter().next().map_or(0, |player| course.values.evaluate(position, player))
        };
        let standings: Vec<i32> = course.sides.iter().map(standing).collect();
        for (behind, standing) in self.behind.iter_mut().zip(&standings) {
            *behind |= *standing <= -CLEAR;
        }
        let ahead =
            (0..standings.len()).max_by_key(|side| standings[*side]).filter(|side| standings[*side] >= CLEAR);
        if ahead.is_some() {
            self.changes += u32::from(self.leader.is_some() && self.leader != ahead);
            self.leader = ahead;
        }
    }

    fn was_behind(&self, sides: &[PlayerSet], winners: PlayerSet) -> bool {
        sides
            .iter()
            .zip(&self.behind)
            .any(|(side, behind)| *behind && !winners.intersection(*side).is_empty())
    }
}
