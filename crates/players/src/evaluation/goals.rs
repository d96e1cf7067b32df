//! Goals other than the enemy leader, read from the endings of a game: counters that decide it, and pieces that it is good to
//! lose.

use tabiya_engine::ending::{Clause, Comparison, EndingPlan, Measure, Owner, PlayerResult, Stalemate};
use tabiya_engine::mechanics::CounterPlan;
use tabiya_engine::{Kind, Rules, Trigger};

/// A counter that decides the game when it reaches a limit.
#[derive(Clone, Debug)]
pub(crate) struct CounterGoal {
    /// By player: the place of the value.
    pub(crate) places: Vec<usize>,
    start: u16,
    limit: Limit,
    /// Whether reaching the limit is good for the owner.
    wins: bool,
}

#[derive(Clone, Copy, Debug)]
enum Limit {
    /// At least this value.
    AtLeast(u16),
    /// At most this value.
    AtMost(u16),
    /// More than the others, of at most this value.
    Most(u16),
}

impl CounterGoal {
    /// The value of a counter that is one step away from its limit.
    const LAST_STEP: i32 = 1800;
    /// The value of the whole range of a counter that is compared with others.
    const LEAD: i32 = 600;

    /// Returns the score of a value for its owner. It grows with the inverse square of the distance to the limit: in three-check
    /// the first check is worth a few pawns, and the second more than a queen.
    pub(crate) fn score(&self, value: u16) -> i32 {
        let score = self.nearness(value) - self.nearness(self.start);
        if self.wins { score } else { -score }
    }

    fn nearness(&self, value: u16) -> i32 {
        let near = |left: u16| {
            let left = i32::from(left.clamp(1, 200));
            Self::LAST_STEP / (left * left)
        };
        match self.limit {
            Limit::AtLeast(limit) => near(limit.saturating_sub(value)),
            Limit::AtMost(limit) => near(value.saturating_sub(limit)),
            Limit::Most(max) => Self::LEAD * i32::from(value) / i32::from(max.max(1)),
        }
    }
}

/// Returns the counters of players that decide the game.
pub(crate) fn counter_goals(rules: &Rules) -> Vec<CounterGoal> {
    let mut goals = Vec::new();
    for (plan, sign) in decisive_endings(rules) {
        for clause in &plan.when {
            let Clause::Compare(Comparison {
                measure: Measure::Counter(counter), owner, min, max, than, ..
            }) = clause
            else {
                continue;
            };
            let Some(CounterPlan { per_player: true, start, max: most, .. }) =
                rules.mechanics().counters.get(usize::from(*counter))
            else {
                continue;
            };
            let wins = match owner {
                Owner::Own | Owner::Team | Owner::Partner => sign,
                Owner::Enemy => !sign,
                Owner::Any | Owner::Neutral => continue,
            };
            let bounded = |limit: i32| limit.clamp(0, i32::from(*most)) as u16;
            let limit = match (min, max, than) {
                (Some(min), ..) => Limit::AtLeast(bounded(*min)),
                (None, Some(max), _) => Limit::AtMost(bounded(*max)),
                (None, None, Some(_)) => Limit::Most(*most),
                (None, None, None) => continue,
            };
            let places = rules.players().map(|player| rules.counter_place(*counter, player)).collect();
            goals.push(CounterGoal { places, start: *start, limit, wins });
        }
    }
    goals
}

/// Returns the kinds that it is good to lose: a player without them wins. In a game without leaders in which stalemate wins, these
/// are all kinds.
pub(crate) fn unwanted_kinds(rules: &Rules) -> Vec<Kind> {
    let has_leaders = !rules.blueprint().leaders().is_empty();
    let is_stuck = |plan: &EndingPlan, sign: bool| {
        let [Clause::Stuck { owner, attacked: None | Some(false) }] = plan.when.as_slice() else {
            return false;
        };
        matches!((owner, sign), (Owner::Own, true) | (Owner::Enemy, false))
    };
    let wins_stuck = rules.blueprint().stalemate() == Stalemate::Wins
        || decisive_endings(rules).any(|(plan, sign)| is_stuck(plan, sign));
    if wins_stuck && !has_leaders {
        return rules.kinds().collect();
    }
    let mut unwanted: Vec<Kind> = Vec::new();
    for (plan, sign) in decisive_endings(rules) {
        let [Clause::Count(census)] = plan.when.as_slice() else { continue };
        let is_own = matches!((census.owner, sign), (Owner::Own, true) | (Owner::Enemy, false));
        if is_own && census.max == Some(0) && census.region.is_none() && census.area.is_none() {
            unwanted.extend(census.kinds.iter().filter(|kind| !rules.is_leader(**kind)));
        }
    }
    unwanted.sort_unstable();
    unwanted.dedup();
    unwanted
}

/// Returns the endings by rule that have a winner, each with whether the player that they are about wins.
fn decisive_endings(rules: &Rules) -> impl Iterator<Item = (&EndingPlan, bool)> {
    let by_rule = rules.endings().iter().filter(|plan| plan.by == Trigger::Rule);
    by_rule.filter_map(|plan| match plan.result {
        PlayerResult::Win => Some((plan, true)),
        PlayerResult::Loss => Some((plan, false)),
        PlayerResult::Draw => None,
    })
}
