//! Statistics of one game.

use tabiya_engine::{PlayerSet, Position, SplitMix};
use tabiya_players::{Chooser, Limits, Values};

use super::piece_stats::PieceCounts;
use crate::self_play::SelfPlay;

/// Statistics of one game.
#[derive(Clone, Debug)]
pub(super) struct GameStats {
    pub(super) winners: PlayerSet,
    /// The reason of the end; `None` if the game did not end.
    pub(super) reason: Option<String>,
    pub(super) plies: u32,
    /// The number of legal moves on each turn.
    pub(super) choices: Vec<u16>,
    pub(super) captures: u32,
    pub(super) lead_changes: u32,
    /// Whether a winner was clearly behind at some time.
    pub(super) is_comeback: bool,
    /// The part of a won game after which the winner stayed in the lead.
    pub(super) turning_point: Option<f64>,
    pub(super) pieces: PieceCounts,
    /// For each square of the board, whether a piece landed on it.
    pub(super) landed: Vec<bool>,
}

/// The conditions of games.
pub(super) struct Conditions<'s> {
    pub(super) games: SelfPlay<'s>,
    pub(super) sides: &'s [PlayerSet],
    pub(super) values: &'s Values,
    pub(super) nodes: u64,
}

/// The advantage of a leading side, in hundredths of a pawn.
const LEAD: i32 = 150;

impl Conditions<'_> {
    /// Plays a game with one built-in player per seat.
    pub(super) fn play(&self, mut players: Vec<Box<dyn Chooser + Send>>, seed: u64) -> GameStats {
        let mut dice = SplitMix::new(seed);
        let mut game = self.games.game(&mut dice);
        let mut lead = Lead::new(self.sides.len());
        let rules = self.games.rules;
        let (mut choices, mut captures) = (Vec::new(), 0);
        let (mut pieces, mut landed) = (PieceCounts::new(rules), vec![false; rules.board().len()]);
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        self.games.play(
            &mut game,
            &mut dice,
            |game| {
                let player = players.get_mut(game.actor().index())?;
                player.choose_within(game.rules(), &game.state().position, &limits)
            },
            |ply, _| {
                choices.push(ply.legal_moves.min(usize::from(u16::MAX)) as u16);
                let captured = ply.captured();
                captures += captured;
                pieces.count(rules, &ply);
                landed[ply.played.to.index()] = true;
                // The balance in the middle of an exchange means nothing.
                if captured == 0 {
                    lead.update(self, ply.after, choices.len());
                }
            },
        );
        pieces.finish(rules, &game.state().position);
        let winners = game.end().map(|end| end.winners).unwrap_or_default();
        let turning_point = lead.turning_point(self.sides, winners, choices.len());
        GameStats {
            winners,
            reason: game.end().map(|end| end.reason.clone()),
            plies: choices.len() as u32,
            choices,
            captures,
            lead_changes: lead.changes,
            is_comeback: lead.was_behind(self.sides, winners),
            turning_point,
            pieces,
            landed,
        }
    }
}

/// The leading side during a game.
struct Lead {
    /// The side that led last.
    leader: Option<usize>,
    changes: u32,
    /// Whether each side was clearly behind at some time.
    behind: Vec<bool>,
    /// For each side, the number of moves after which it was not in the lead for the last time.
    last_not_ahead: Vec<usize>,
}

impl Lead {
    fn new(sides: usize) -> Self {
        Lead { leader: None, changes: 0, behind: vec![false; sides], last_not_ahead: vec![0; sides] }
    }

    fn update(&mut self, conditions: &Conditions<'_>, position: &Position, plies: usize) {
        let score = |side: &PlayerSet| {
            side.iter().next().map_or(0, |player| conditions.values.evaluate(position, player))
        };
        let scores: Vec<i32> = conditions.sides.iter().map(score).collect();
        for (behind, score) in self.behind.iter_mut().zip(&scores) {
            *behind |= *score <= -LEAD;
        }
        for (last, score) in self.last_not_ahead.iter_mut().zip(&scores) {
            if *score < LEAD {
                *last = plies;
            }
        }
        let ahead = (0..scores.len()).max_by_key(|side| scores[*side]).filter(|side| scores[*side] >= LEAD);
        if ahead.is_some() {
            self.changes += u32::from(self.leader.is_some() && self.leader != ahead);
            self.leader = ahead;
        }
    }

    /// Returns the part of a won game after which a winner stayed in the lead.
    fn turning_point(&self, sides: &[PlayerSet], winners: PlayerSet, plies: usize) -> Option<f64> {
        let of_winners = sides.iter().zip(&self.last_not_ahead);
        let last =
            of_winners.filter(|(side, _)| !winners.intersection(**side).is_empty()).map(|(_, last)| last);
        last.min().map(|last| *last as f64 / plies.max(1) as f64)
    }

    fn was_behind(&self, sides: &[PlayerSet], winners: PlayerSet) -> bool {
        sides
            .iter()
            .zip(&self.behind)
            .any(|(side, behind)| *behind && !winners.intersection(*side).is_empty())
    }
}
