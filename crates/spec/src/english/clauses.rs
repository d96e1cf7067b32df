//! The endings that a game lists, one by one: how each ends the game, and what must hold for it.

use tabiya_engine::ending::{Census, Clause, EndingPlan, Owner, Result, Trigger};
use tabiya_engine::{Kind, PlayerSet, Rules};

use super::page::{Page, counted, join};

/// All endings in their order, numbered, and the words that they are told in.
pub(super) fn tell(rules: &Rules, page: &mut Page) {
    let endings = &rules.blueprint().endings;
    if endings.is_empty() {
        page.item(0, "Nothing else ends the game: repeated positions and long quiet play do not.");
        return;
    }
    words(rules, page);
    page.item(0, "The game also ends in these ways. Of those that hold, the first counts.");
    for (index, ending) in endings.iter().enumerate() {
        Teller { rules, by: ending.by }.ending(index + 1, ending, page);
    }
}

/// Whether the ending counts pieces in the region.
pub(super) fn asks_for(ending: &EndingPlan, region: u16) -> bool {
    any(&ending.when, &|clause| matches!(clause, Clause::Count(census) if census.region == Some(region)))
}

/// Only what these endings need is explained.
fn words(rules: &Rules, page: &mut Page) {
    let endings = &rules.blueprint().endings;
    let asks = |holds: fn(&Clause) -> bool| endings.iter().any(|ending| any(&ending.when, &holds));
    if endings.iter().any(|ending| ending.by == Trigger::Flag) {
        page.item(
            0,
            "Where there is a clock, whoever's flag falls has lost, unless an ending below says otherwise.",
        );
    }
    if asks(|clause| matches!(clause, Clause::Repetition(_))) {
        page.item(
            0,
            "A position is there again if the same player is to move and the same can still happen in it.",
        );
    }
    if asks(|clause| matches!(clause, Clause::Quiet(_))) {
        page.item(0, &quiet(rules));
    }
    if rules.players().count() > 2 && asks(|clause| matches!(clause, Clause::Count(_))) {
        page.item(0, "Pieces of players who are out, or have no slot, are not counted.");
    }
}

fn quiet(rules: &Rules) -> String {
    let loud = &rules.blueprint().loud;
    let movers = codes(rules, &loud.kinds);
    match (loud.captures, loud.kinds.is_empty()) {
        (true, true) => "A turn is quiet if nothing is captured in it.".into(),
        (true, false) => format!("A turn is quiet if nothing is captured in it and no {movers} moves."),
        (false, false) => format!("A turn is quiet if no {movers} moves in it."),
        (false, true) => "Every turn is quiet.".into(),
    }
}

/// Whether something holds of a clause of the list, or of one within it.
fn any(list: &[Clause], holds: &dyn Fn(&Clause) -> bool) -> bool {
    list.iter().any(|clause| {
        holds(clause)
            || match clause {
                Clause::Any(lists) => lists.iter().any(|list| any(list, holds)),
                Clause::Not(list) => any(list, holds),
                Clause::Count(_) | Clause::Repetition(_) | Clause::Quiet(_) | Clause::CannotWin(_) => false,
            }
    })
}

fn codes(rules: &Rules, kinds: &[Kind]) -> String {
    let codes: Vec<&str> = kinds.iter().map(|kind| rules.kind(*kind).code.as_str()).collect();
    join(&codes, "or")
}

struct Teller<'r> {
    rules: &'r Rules,
    by: Trigger,
}

impl Teller<'_> {
    fn ending(&self, number: usize, ending: &EndingPlan, page: &mut Page) {
        let lead = format!("{}: {}", ending.code, lead(ending));
        if let Some(sentence) = self.sentence(&ending.when) {
            page.numbered(number, &format!("{lead} {sentence}."));
        } else {
            page.numbered(number, &format!("{lead} all of this holds:"));
            self.list(&ending.when, 2, page);
        }
    }

    /// A few plain clauses make a sentence, more of them or nested ones a list.
    fn sentence(&self, list: &[Clause]) -> Option<String> {
        let parts: Option<Vec<String>> = list.iter().map(|clause| self.plain(clause)).collect();
        parts.filter(|parts| parts.len() <= 2).map(|parts| parts.join(", and "))
    }

    fn list(&self, list: &[Clause], depth: usize, page: &mut Page) {
        for clause in list {
            match clause {
                Clause::Any(lists) => {
                    page.item(depth, "at least one of these:");
                    for list in lists {
                        self.alternative(list, depth + 1, page);
                    }
                }
                Clause::Not(list) => self.not(list, depth, page),
                plain => page.item(depth, &self.plain(plain).unwrap_or_default()),
            }
        }
    }

    fn not(&self, list: &[Clause], depth: usize, page: &mut Page) {
        let plain = if let [only] = list { self.plain(only) } else { None };
        if let Some(plain) = plain {
            page.item(depth, &format!("it is not so that {plain}"));
        } else {
            page.item(depth, "not all of this:");
            self.list(list, depth + 1, page);
        }
    }

    fn alternative(&self, list: &[Clause], depth: usize, page: &mut Page) {
        if let Some(sentence) = self.sentence(list) {
            page.item(depth, &sentence);
        } else {
            page.item(depth, "all of this:");
            self.list(list, depth + 1, page);
        }
    }

    /// A clause that holds no others.
    fn plain(&self, clause: &Clause) -> Option<String> {
        match clause {
            Clause::Count(census) => Some(self.count(census)),
            Clause::Repetition(times) => Some(format!(
                "the position has been there {}, now included",
                counted(*times as usize, "time")
            )),
            Clause::Quiet(1) => Some("the last turn was quiet".into()),
            Clause::Quiet(turns) => Some(format!("the last {turns} turns were quiet")),
            Clause::CannotWin(owner) => Some(self.cannot_win(*owner)),
            Clause::Any(_) | Clause::Not(_) => None,
        }
    }

    fn cannot_win(&self, owner: Owner) -> String {
        let who = match owner {
            Owner::Own => format!("{} cannot win", self.own()),
            Owner::Enemy if self.is_for_two() => "the other player cannot win".into(),
            Owner::Enemy => "nobody else can win".into(),
            Owner::Any => "nobody can win".into(),
        };
        format!("it is proved that {who} any more, whatever is played")
    }

    fn count(&self, census: &Census) -> String {
        let whose = match census.owner {
            Owner::Own => format!("{} has", self.own()),
            Owner::Enemy if self.is_for_two() => "the other player has".into(),
            Owner::Enemy => "the others who are still in the game together have".into(),
            Owner::Any => "the board has".into(),
        };
        let (number, is_one) = match (census.min, census.max) {
            (0, None) => ("any number of".into(), false),
            (min, None) => (format!("at least {min}"), min == 1),
            (_, Some(0)) => ("no".into(), true),
            (min, Some(max)) if min == max => (format!("exactly {max}"), max == 1),
            (0, Some(max)) => (format!("at most {max}"), max == 1),
            (min, Some(max)) => (format!("{min} to {max}"), false),
        };
        let regions = &self.rules.blueprint().regions;
        let place = census
            .region
            .map_or_else(String::new, |region| format!(" on {}", regions[usize::from(region)].code));
        format!("{whose} {number} {}{place}", self.noun(&census.kinds, is_one))
    }

    /// What is counted.
    fn noun(&self, kinds: &[Kind], is_one: bool) -> String {
        let piece = if is_one { "piece" } else { "pieces" };
        let others = || self.rules.kinds().filter(|kind| Some(*kind) != self.rules.leader());
        if others().eq(kinds.iter().copied()) {
            let leader = self.rules.leader().map(|kind| &self.rules.kind(kind).code);
            return leader.map_or_else(|| piece.into(), |code| format!("{piece} other than the {code}"));
        }
        match (kinds, is_one) {
            (_, true) => codes(self.rules, kinds),
            ([_], false) => format!("{} pieces", codes(self.rules, kinds)),
            (_, false) => format!("{} pieces in all", codes(self.rules, kinds)),
        }
    }

    fn own(&self) -> &'static str {
        match self.by {
            Trigger::Rule | Trigger::Claim => "the player whose turn it is",
            Trigger::Flag => "that player",
        }
    }

    fn is_for_two(&self) -> bool {
        let seated: PlayerSet = self.rules.blueprint().order.iter().copied().collect();
        seated.len() == 2
    }
}

/// How the game ends, up to what must hold.
fn lead(ending: &EndingPlan) -> &'static str {
    match (ending.by, ending.result) {
        (Trigger::Rule, Result::Draw) => "it is a draw as soon as",
        (Trigger::Rule, Result::Win) => "the player whose turn it is wins as soon as",
        (Trigger::Rule, Result::Loss) => "the player whose turn it is loses as soon as",
        (Trigger::Claim, Result::Draw) => "the player whose turn it is may claim a draw if",
        (Trigger::Claim, Result::Win) => "the player whose turn it is may claim to have won if",
        (Trigger::Claim, Result::Loss) => "the player whose turn it is may claim to have lost if",
        (Trigger::Flag, Result::Draw) => "when a player's flag falls, it is a draw if",
        (Trigger::Flag, Result::Win) => "when a player's flag falls, that player wins all the same if",
        (Trigger::Flag, Result::Loss) => "when a player's flag falls, that player loses if",
    }
}
