//! The endings that a game lists: their results and conditions.

use tabiya_engine::ending::{
    Census, Clause, Comparison, EndingPlan, FacingPlan, Lines, Measure, Owner, PlayerResult, Trigger,
};
use tabiya_engine::{Kind, Rules};

use super::counts;
use super::page::{Page, article, counted};

/// Writes a numbered list of all endings, preceded by the terms it uses.
pub(super) fn write(rules: &Rules, page: &mut Page) {
    let endings = rules.endings();
    if endings.is_empty() {
        page.item(
            "Nothing else ends the game. In particular, repeated positions and long quiet play do not.",
        );
        return;
    }
    words(rules, page);
    page.item("The game also ends in the following ways. If several apply, the first counts.");
    for (index, ending) in endings.iter().enumerate() {
        EndingWriter { rules, by: ending.by, anyone: ending.anyone, stops: ending.stops }.ending(
            index + 1,
            ending,
            page,
        );
    }
}

/// Whether the ending counts pieces in the region.
pub(super) fn asks_for(ending: &EndingPlan, region: u16) -> bool {
    ending.when.iter().any(|clause| counts_in(clause, region))
}

/// Whether the clause counts pieces in the region.
pub(super) fn counts_in(clause: &Clause, region: u16) -> bool {
    any(
        std::slice::from_ref(clause),
        &|it| matches!(it, Clause::Count(census) if census.region == Some(region)),
    )
}

/// Explains the terms that the endings use.
fn words(rules: &Rules, page: &mut Page) {
    let endings = rules.endings();
    let asks = |holds: fn(&Clause) -> bool| endings.iter().any(|ending| any(&ending.when, &holds));
    if endings.iter().any(|ending| ending.by == Trigger::Flag) {
        page.item(
            "In a game with a clock, a player whose flag falls loses, unless an ending below says otherwise.",
        );
    }
    if asks(|clause| matches!(clause, Clause::Repetition(_) | Clause::PerpetualCheck { .. })) {
        page.item(
            "A position is repeated if the same player is to move and the same continuations are possible.",
        );
    }
    if asks(|clause| matches!(clause, Clause::Quiet(_))) {
        page.item(&quiet(rules));
    }
    if rules.players().count() > 2 && asks(|clause| matches!(clause, Clause::Count(_))) {
        page.item("Pieces of players who are out or have no slot do not count.");
    }
}

fn quiet(rules: &Rules) -> String {
    let zeroing = rules.blueprint().zeroing();
    let movers = counts::codes(rules, &zeroing.kinds);
    match (zeroing.captures, zeroing.kinds.is_empty()) {
        (true, true) => "A turn is quiet if nothing is captured.".into(),
        (true, false) => format!("A turn is quiet if nothing is captured and no {movers} moves."),
        (false, false) => format!("A turn is quiet if no {movers} moves."),
        (false, true) => "Every turn is quiet.".into(),
    }
}

/// Whether a predicate holds for a clause in the list or nested in it.
fn any(list: &[Clause], holds: &dyn Fn(&Clause) -> bool) -> bool {
    list.iter().any(|clause| {
        holds(clause)
            || match clause {
                Clause::Any(lists) => lists.iter().any(|list| any(list, holds)),
                Clause::Not(list) => any(list, holds),
                Clause::Count(_)
                | Clause::Compare(_)
                | Clause::Facing(_)
                | Clause::InCheck(_)
                | Clause::Repetition(_)
                | Clause::PerpetualCheck { .. }
                | Clause::Quiet(_)
                | Clause::CannotWin(_)
                | Clause::Captive(_)
                | Clause::Controlled(_)
                | Clause::Stuck { .. } => false,
            }
    })
}

/// Describes a clause in one sentence, for a player described by `own`.
pub(super) fn inline(rules: &Rules, own: &str, clause: &Clause) -> String {
    match clause {
        Clause::Any(lists) => match lists.as_slice() {
            [only] => inline_list(rules, own, only),
            lists => {
                let texts: Vec<String> = lists.iter().map(|list| inline_list(rules, own, list)).collect();
                format!("either {}", texts.join(", or "))
            }
        },
        Clause::Not(list) => format!("it is not the case that {}", inline_list(rules, own, list)),
        plain => describe(rules, own, plain).unwrap_or_default(),
    }
}

/// Joins clauses to a sentence, for a player described by `own`.
pub(super) fn inline_list(rules: &Rules, own: &str, list: &[Clause]) -> String {
    let texts: Vec<String> = list.iter().map(|clause| inline(rules, own, clause)).collect();
    texts.join(", and ")
}

/// Describes a clause without nested ones.
fn describe(rules: &Rules, own: &str, clause: &Clause) -> Option<String> {
    Some(match clause {
        Clause::Count(census) => count(rules, own, census),
        Clause::Compare(comparison) => compare(rules, own, comparison),
        Clause::Facing(plan) => facing(rules, own, plan),
        Clause::InCheck(owner) => format!("{} is in check", some_of(rules, own, *owner)),
        Clause::Repetition(times) => {
            format!("the position has occurred {}, including now", counted(*times as usize, "time"))
        }
        Clause::PerpetualCheck { times, owner } => {
            let (times, who) = (counted(*times as usize, "time"), some_of(rules, own, *owner));
            format!(
                "the position has occurred {times}, including now, and {who} has given check with every move in between"
            )
        }
        Clause::Quiet(1) => "the last turn was quiet".into(),
        Clause::Quiet(turns) => format!("the last {turns} turns were quiet"),
        Clause::CannotWin(owner) => cannot_win(rules, own, *owner),
        Clause::Captive(owner) => format!("the leader of {} is captive", some_of(rules, own, *owner)),
        Clause::Controlled(owner) => {
            format!("the army of {} is controlled by another player", some_of(rules, own, *owner))
        }
        Clause::Stuck { owner, attacked } => {
            let who = some_of(rules, own, *owner);
            match attacked {
                None => format!("{who} has no legal move"),
                Some(true) => format!("{who} has no legal move and an attacked leader"),
                Some(false) => format!("{who} has no legal move and no attacked leader"),
            }
        }
        Clause::Any(_) | Clause::Not(_) => return None,
    })
}

/// Describes a count and losses since the start.
fn count(rules: &Rules, own: &str, census: &Census) -> String {
    match (census.lost, census.min, census.max) {
        (0, _, _) => counts::count(rules, own, census),
        (lost, 0, None) => counts::lost(rules, own, census, lost),
        (lost, _, _) => {
            let now = counts::count(rules, own, census);
            format!("{now}, and {}", counts::lost(rules, own, census, lost))
        }
    }
}

/// Describes pieces that face each other.
fn facing(rules: &Rules, own: &str, plan: &FacingPlan) -> String {
    let piece = |(kinds, owner): &(Vec<Kind>, Owner)| {
        format!("{} of {}", article(&counts::codes(rules, kinds)), some_of(rules, own, *owner))
    };
    let Lines { files, ranks, diagonals } = plan.lines;
    let names = [(files, "file"), (ranks, "rank"), (diagonals, "diagonal")];
    let lines: Vec<&str> = names.iter().filter(|(counts, _)| *counts).map(|(_, name)| *name).collect();
    let between = match (plan.min, plan.max) {
        (0, 0) => "nothing".to_owned(),
        (least, most) if least == most => counted(least as usize, "piece"),
        (least, most) => format!("{least} to {most} pieces"),
    };
    let (one, other) = (piece(&plan.one), piece(&plan.other));
    format!("{one} faces {other}: they stand on one {} with {between} in between", lines.join(" or "))
}

/// Describes a comparison of counters or values.
fn compare(rules: &Rules, own: &str, comparison: &Comparison) -> String {
    let what = match &comparison.measure {
        Measure::Counter(counter) => rules.mechanics().counters[usize::from(*counter)].code.clone(),
        Measure::Values(values) => {
            let each = values.iter().map(|(kind, value)| format!("{} {value}", rules.kind(*kind).code));
            format!("the value of the pieces ({})", each.collect::<Vec<_>>().join(", "))
        }
    };
    let of = |owner: Owner| match owner {
        Owner::Any => "all players together".to_owned(),
        // The values of several players are added.
        Owner::Enemy if !counts::is_for_two(rules) => format!("all opponents of {own} together"),
        Owner::Partner if !counts::is_for_two(rules) => format!("all partners of {own} together"),
        Owner::Team if !counts::is_for_two(rules) => format!("the whole team of {own}"),
        owner => some_of(rules, own, owner),
    };
    let least = comparison.min.map(|min| format!("at least {min}"));
    let most = comparison.max.map(|max| format!("at most {max}"));
    let more = comparison.than.map(|than| match comparison.by {
        1 => format!("more than that of {}", of(than)),
        by if by > 0 => format!("at least {by} more than that of {}", of(than)),
        0 => format!("at least that of {}", of(than)),
        by => format!("at most {} less than that of {}", -by, of(than)),
    });
    let limits: Vec<String> = [least, most, more].into_iter().flatten().collect();
    let is_shared = |counter: u8| !rules.mechanics().counters[usize::from(counter)].per_player;
    match comparison.measure {
        // The game has one.
        Measure::Counter(counter) if is_shared(counter) => format!("{what} is {}", limits.join(" and ")),
        _ => format!("{what} of {} is {}", of(comparison.owner), limits.join(" and ")),
    }
}

fn cannot_win(rules: &Rules, own: &str, owner: Owner) -> String {
    let who = match owner {
        Owner::Own => format!("{own} can no longer win"),
        Owner::Enemy if counts::is_for_two(rules) => "the other player can no longer win".into(),
        Owner::Enemy if counts::has_teams(rules) => "no player of another team can win any more".into(),
        Owner::Enemy => "no other player can win any more".into(),
        Owner::Any => "no player can win any more".into(),
        Owner::Partner => format!("no partner of {own} can win any more"),
        Owner::Team => format!("no player in the team of {own} can win any more"),
        Owner::Neutral => "no neutral player can win any more".into(),
    };
    format!("it is proved that {who}")
}

/// Describes an unspecified player.
fn some_of(rules: &Rules, own: &str, owner: Owner) -> String {
    match owner {
        Owner::Own => own.into(),
        Owner::Enemy if counts::is_for_two(rules) => "the other player".into(),
        Owner::Enemy => "a player of another team".into(),
        Owner::Any => "a player".into(),
        Owner::Partner => format!("a partner of {own}"),
        Owner::Team => format!("a player in the team of {own}"),
        Owner::Neutral => "a neutral player".into(),
    }
}

struct EndingWriter<'r> {
    rules: &'r Rules,
    by: Trigger,
    /// Whether the ending is tested for every player.
    anyone: bool,
    /// Whether the ending stops the game, and is tested for the player who has moved.
    stops: bool,
}

impl EndingWriter<'_> {
    fn ending(&self, number: usize, ending: &EndingPlan, page: &mut Page) {
        let stops = if ending.stops { " (stops the game at once, with no legal moves left)" } else { "" };
        let lead = format!("{}{stops}: {}", ending.code, self.lead(ending));
        if let Some(sentence) = self.sentence(&ending.when) {
            page.numbered(number, &format!("{lead} {sentence}."));
        } else {
            page.numbered(number, &format!("{lead} all of the following hold:"));
            self.list(&ending.when, 2, page);
        }
    }

    /// Joins up to two simple clauses to a sentence. Others need a list.
    fn sentence(&self, list: &[Clause]) -> Option<String> {
        let parts: Option<Vec<String>> = list.iter().map(|clause| self.plain(clause)).collect();
        parts.filter(|parts| parts.len() <= 2).map(|parts| parts.join(", and "))
    }

    fn list(&self, list: &[Clause], depth: usize, page: &mut Page) {
        for clause in list {
            match clause {
                Clause::Any(lists) => {
                    page.nested(depth, "at least one of the following:");
                    for list in lists {
                        self.alternative(list, depth + 1, page);
                    }
                }
                Clause::Not(list) => self.not(list, depth, page),
                plain => page.nested(depth, &self.plain(plain).unwrap_or_default()),
            }
        }
    }

    fn not(&self, list: &[Clause], depth: usize, page: &mut Page) {
        let plain = if let [only] = list { self.plain(only) } else { None };
        if let Some(plain) = plain {
            page.nested(depth, &format!("it is not the case that {plain}"));
        } else {
            page.nested(depth, "not all of the following:");
            self.list(list, depth + 1, page);
        }
    }

    fn alternative(&self, list: &[Clause], depth: usize, page: &mut Page) {
        if let Some(sentence) = self.sentence(list) {
            page.nested(depth, &sentence);
        } else {
            page.nested(depth, "all of the following:");
            self.list(list, depth + 1, page);
        }
    }

    /// Describes a clause without nested ones.
    fn plain(&self, clause: &Clause) -> Option<String> {
        describe(self.rules, self.own(), clause)
    }

    fn own(&self) -> &'static str {
        match self.by {
            Trigger::Rule if self.anyone || self.stops => "that player",
            Trigger::Rule | Trigger::Claim => "the player whose turn it is",
            Trigger::Flag => "that player",
        }
    }

    /// Describes the result, up to the conditions.
    fn lead(&self, ending: &EndingPlan) -> String {
        let team = if counts::has_teams(self.rules) { "the team of " } else { "" };
        match (ending.by, ending.result) {
            (Trigger::Rule, PlayerResult::Draw) => "the game is a draw as soon as".into(),
            (Trigger::Rule, PlayerResult::Win) => format!("{team}{} wins as soon as", subject(ending)),
            (Trigger::Rule, PlayerResult::Loss) => format!("{team}{} loses as soon as", subject(ending)),
            (Trigger::Claim, PlayerResult::Draw) => "the player whose turn it is may claim a draw if".into(),
            (Trigger::Claim, PlayerResult::Win) => "the player whose turn it is may claim a win if".into(),
            (Trigger::Claim, PlayerResult::Loss) => "the player whose turn it is may claim a loss if".into(),
            (Trigger::Flag, PlayerResult::Draw) => "when a player's flag falls, the game is a draw if".into(),
            (Trigger::Flag, PlayerResult::Win) => {
                "when a player's flag falls, that player wins anyway if".into()
            }
            (Trigger::Flag, PlayerResult::Loss) => "when a player's flag falls, that player loses if".into(),
        }
    }
}

/// Names the player that the conditions refer to.
fn subject(ending: &EndingPlan) -> &'static str {
    match (ending.anyone, ending.stops) {
        _ if any(&ending.when, &|clause| matches!(clause, Clause::Stuck { .. })) => {
            "a player whose turn comes"
        }
        (true, _) => "any player",
        (false, true) => "the player who has moved",
        (false, false) => "the player whose turn it is",
    }
}
