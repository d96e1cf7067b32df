//! Games of the search against itself, for training positions and for matches between nets.
//!
//! Both sides search a fixed number of nodes, and every game follows from its seed, so the result does not depend on the
//! number of threads.

use std::cell::Cell;
use std::collections::HashSet;
use std::sync::Arc;

use tabiya_arena::{Ply, SelfPlay, map_in_order};
use tabiya_engine::{Move, Player, PlayerSet, Rules, SplitMix};
use tabiya_notation::State;
use tabiya_players::{Chooser as _, Features, Limits, NetChoice, Score, Search, SearchInfo, Values};

use crate::sample::Sample;

/// Positions with a greater absolute score are decided, and teach little.
const GREATEST_SCORE: i32 = 2500;
/// A game ends when the scores of this number of moves in a row say that one side wins.
const DECIDED_PLIES: u32 = 6;
/// The score that decides, in centipawns.
const DECIDED_SCORE: i32 = 1500;

/// The conditions of all games.
#[derive(Clone, Debug)]
pub(crate) struct Conditions {
    pub(crate) rules: Arc<Rules>,
    pub(crate) start: State,
    pub(crate) values: Values,
    pub(crate) nodes: u64,
    pub(crate) max_plies: u32,
}

/// A finished game.
struct Played {
    /// The side that won, if any.
    winners: PlayerSet,
    samples: Vec<Sample>,
}

/// Adjudicates games from the scores of their moves.
#[derive(Default)]
struct Adjudication {
    leader: Option<Player>,
    plies: u32,
}

impl Adjudication {
    /// Returns the winning side, given the score of the player to move.
    fn judge(&mut self, rules: &Rules, mover: Player, score: Score) -> Option<PlayerSet> {
        let opponents = || rules.order().iter().copied().find(|other| !rules.team(mover).contains(*other));
        let leader = match score {
            Score::Win(_) => return Some(rules.team(mover)),
            Score::Loss(_) => return opponents().map(|other| rules.team(other)),
            Score::Centipawns(DECIDED_SCORE..) => Some(mover),
            Score::Centipawns(score) if score <= -DECIDED_SCORE => opponents(),
            Score::Centipawns(_) => None,
        };
        let team = |player: Option<Player>| player.map(|player| rules.team(player));
        self.plies = if leader.is_some() && team(leader) == team(self.leader) { self.plies + 1 } else { 0 };
        self.leader = leader;
        (self.plies >= DECIDED_PLIES).then(|| team(leader)).flatten()
    }
}

impl Conditions {
    /// Plays games and returns the training positions of each, in order.
    pub(crate) fn generate(
        &self,
        features: &Features,
        net: &NetChoice,
        seeds: &[u64],
        threads: usize,
    ) -> Vec<Vec<Sample>> {
        map_in_order(seeds.len() as u32, threads, |number| {
            self.play(&|_| net.clone(), Some(features), seeds[number as usize]).samples
        })
    }

    /// Plays pairs of games of a net against another, each pair from one opening with the sides exchanged. Returns the half
    /// points of the first net by pair.
    pub(crate) fn compare(&self, nets: [&NetChoice; 2], seeds: &[u64], threads: usize) -> Vec<[u8; 2]> {
        let first = self.rules.team(self.rules.order()[0]);
        map_in_order(seeds.len() as u32, threads, |number| {
            [0, 1].map(|turn| {
                let is_new = |player: Player| first.contains(player) == (turn == 0);
                let net = |player: Player| nets[usize::from(!is_new(player))].clone();
                let winners = self.play(&net, None, seeds[number as usize]).winners;
                match winners.iter().next() {
                    Some(winner) => 2 * u8::from(is_new(winner)),
                    None => 1,
                }
            })
        })
    }

    /// Plays a game. Each player uses the net that `net` names. Without `features` no samples are kept.
    fn play(&self, net: &dyn Fn(Player) -> NetChoice, features: Option<&Features>, seed: u64) -> Played {
        let Conditions { rules, start, values, nodes, max_plies } = self;
        let mut dice = SplitMix::new(seed);
        let slots = rules.order().len();
        // Six to ten random moves, so that either side may be to move.
        let random_plies = (6 + dice.below(5)).max(slots);
        let games = SelfPlay { rules, start, random_plies, max_plies: *max_plies };
        let mut game = games.game(&mut dice);
        let player = |player: Player, seed: u64| {
            let search = Search::new(seed).noise(1).hash_megabytes(1);
            search.with_values(values.clone()).with_net(net(player))
        };
        let mut players: Vec<Search> = rules.players().map(|seat| player(seat, dice.next_u64())).collect();
        let (score, winners) = (Cell::new(None), Cell::new(PlayerSet::EMPTY));
        let mut adjudication = Adjudication::default();
        let mut samples = Vec::new();
        games.play(
            &mut game,
            &mut dice,
            |game| {
                let earlier = game.earlier_keys();
                let on_info = |info: &SearchInfo| score.set(Some(info.score));
                let limits = Limits {
                    nodes: Some(*nodes),
                    earlier: &earlier,
                    on_info: Some(&on_info),
                    ..Limits::default()
                };
                score.set(None);
                let position = &game.state().position;
                let played = players[game.actor().index()].choose_within(rules, position, &limits)?;
                // Without a score, the nodes did not suffice for one ply.
                let score = score.get().unwrap_or(Score::Centipawns(0));
                if let Some(won) = adjudication.judge(rules, rules.mover(position), score) {
                    winners.set(won);
                    return None;
                }
                Some(played)
            },
            |ply, _| {
                if let (Some(features), Some(Score::Centipawns(score))) = (features, score.get())
                    && !ply.is_random
                    && score.abs() <= GREATEST_SCORE
                    && is_quiet(rules, &ply)
                {
                    samples.push(Sample::new(features, rules, ply.before, score as i16));
                }
            },
        );
        let winners = game.end().map_or(winners.get(), |end| end.winners);
        for sample in &mut samples {
            sample.result = match winners {
                winners if winners.is_empty() => 1,
                winners if winners.intersection(rules.team(sample.mover)).is_empty() => 0,
                _ => 2,
            };
        }
        Played { winners, samples }
    }
}

/// Whether the static evaluation of a position can mean something: no check, and neither a capture nor a promotion is best.
fn is_quiet(rules: &Rules, ply: &Ply<'_>) -> bool {
    let Move { promotion, .. } = ply.played;
    promotion.is_none()
        && ply.captured() == 0
        && ply.legal_moves > 1
        && !rules.in_check(ply.before, rules.mover(ply.before))
}

/// Removes the samples whose position is known already.
pub(crate) fn without_known(samples: Vec<Sample>, known: &mut HashSet<u64>) -> Vec<Sample> {
    samples.into_iter().filter(|sample| known.insert(sample.key)).collect()
}
