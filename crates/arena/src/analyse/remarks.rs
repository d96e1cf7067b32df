//! Remarkable results of an analysis as sentences, for the author of a game. A verdict needs enough games, and every sentence
//! states its evidence: the counts and the 95 % confidence interval.

use super::analysis::{Analysis, SideStats, SkillResult};
use super::stats::Proportion;

/// A game with fewer moves is short.
pub(super) const SHORT_GAME: u32 = 12;

/// The number of decided games that a verdict on balance or skill needs. With fewer, even a side that wins two of three games is
/// within the range of chance.
const ENOUGH_GAMES: u32 = 40;
const ENOUGH_SKILL_GAMES: u32 = 20;

/// The share above an equal one up to which deeper search counts as useless.
const USELESS: f64 = 0.1;

/// If a share could still be this high, its absence is not remarked on.
const RARE: f64 = 0.35;

/// Shares that only remarks use.
pub(super) struct Evidence {
    /// Games that are short.
    pub(super) short_games: Proportion,
    /// Turns with at most two legal moves.
    pub(super) narrow_turns: Proportion,
}

/// Returns the sentences, most important first.
pub(super) fn remarks(analysis: &Analysis, evidence: &Evidence) -> Vec<String> {
    let Analysis { games, max_plies, unfinished, decisive, draws, .. } = analysis;
    if unfinished.count == *games {
        return vec![format!(
            "It never ends: none of {games} games ended within {max_plies} moves. The rules need an ending that players cannot avoid."
        )];
    }
    let ends = (unfinished.count > 0)
        .then(|| format!("Games that did not end within {max_plies} moves: {}.", shown(unfinished)));
    let wins = if decisive.count == 0 && decisive.high < RARE {
        let shown = shown(decisive);
        Some(format!("No player wins: games with a winner: {shown}. The rules may lack a way to win."))
    } else {
        (draws.low > 0.5).then(|| format!("Most games are drawn: {}.", shown(draws)))
    };
    let short = (evidence.short_games.low > 0.5)
        .then(|| format!("Most games end in fewer than a dozen moves: {}.", shown(&evidence.short_games)));
    let forced = (evidence.narrow_turns.low > 0.5)
        .then(|| format!("Most turns have at most two legal moves: {}.", shown(&evidence.narrow_turns)));
    ends.into_iter()
        .chain(balance(analysis))
        .chain(wins)
        .chain(short)
        .chain(forced)
        .chain(analysis.skill.iter().filter_map(|skill| on_skill(skill, fair_share(analysis))))
        .collect()
}

/// Formats the evidence of a share.
fn shown(share: &Proportion) -> String {
    let Proportion { count, of, share, low, high } = share;
    let [share, low, high] = [share, low, high].map(|part| (part * 100.0).round());
    format!("{count} of {of}, {share} % (95 % interval {low} to {high} %)")
}

fn fair_share(analysis: &Analysis) -> f64 {
    1.0 / analysis.sides.len().max(1) as f64
}

/// Names sides that win significantly more or fewer decided games than an equal share. If there is none, states how well that is
/// known.
fn balance(analysis: &Analysis) -> Vec<String> {
    let decided = analysis.decisive.count;
    if decided < ENOUGH_GAMES {
        return vec![format!(
            "Too few decided games for a verdict on balance: {decided}, and {ENOUGH_GAMES} are needed."
        )];
    }
    let fair = fair_share(analysis);
    let fair_percent = (fair * 100.0).round();
    let of_side = |side: &SideStats| {
        let wins = Proportion::of(side.wins.count, decided);
        let than = match (wins.low > fair, wins.high < fair) {
            (true, _) => "more",
            (_, true) => "less",
            _ => return None,
        };
        let (name, verb) = (side.players.join(" and "), if side.players.len() == 1 { "wins" } else { "win" });
        let shown = shown(&wins);
        Some(format!(
            "{name} {verb} {than} than a fair share of decided games: {shown}; fair is {fair_percent} %."
        ))
    };
    let verdicts: Vec<String> = analysis.sides.iter().filter_map(of_side).collect();
    let best = analysis.sides.iter().max_by_key(|side| side.wins.count);
    match best {
        Some(best) if verdicts.is_empty() => {
            let (name, shown) =
                (best.players.join(" and "), shown(&Proportion::of(best.wins.count, decided)));
            vec![format!(
                "No side has a proven advantage: {name} won most decided games: {shown}; fair is {fair_percent} %."
            )]
        }
        _ => verdicts,
    }
}

/// Says that deeper search does not help, or that the games leave it open.
fn on_skill(skill: &SkillResult, fair: f64) -> Option<String> {
    let SkillResult { deeper, shallower, wins, losses, .. } = skill;
    let decided = Proportion::of(wins.count, wins.count + losses);
    let found = format!("{deeper} won against {shallower}: {} decided games", shown(&decided));
    if decided.of >= ENOUGH_SKILL_GAMES && decided.high < fair + USELESS {
        Some(format!("Deeper search does not help: {found}."))
    } else if decided.low <= fair {
        Some(format!("It is open whether deeper search helps: {found}."))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::Study;

    /// Returns the remarks on a game in which the first side won `wins` and the second side `losses` of 100 games.
    fn remarks_on(wins: u32, losses: u32) -> Vec<String> {
        let rules = tabiya_spec::library::load("gardner").unwrap().rules;
        let study = Study { games: 1, player: "random".to_owned(), ..Study::new("gardner", rules) };
        let mut analysis = study.run(1, &|_| {}).unwrap();
        analysis.games = 100;
        analysis.decisive = Proportion::of(wins + losses, 100);
        analysis.draws = Proportion::of(100 - wins - losses, 100);
        analysis.unfinished = Proportion::of(0, 100);
        for (side, wins) in analysis.sides.iter_mut().zip([wins, losses]) {
            side.wins = Proportion::of(wins, 100);
        }
        analysis.skill.clear();
        let none = Proportion::of(0, 100);
        remarks(&analysis, &Evidence { short_games: none, narrow_turns: none })
    }

    #[test]
    fn balance_is_judged_by_decided_games_and_only_by_enough_of_them() {
        assert_eq!(
            remarks_on(37, 38),
            [
                "No side has a proven advantage: BLACK won most decided games: 38 of 75, 51 % (95 % interval 40 to 62 %); fair is 50 %."
            ]
        );
        assert_eq!(
            remarks_on(51, 24),
            [
                "WHITE wins more than a fair share of decided games: 51 of 75, 68 % (95 % interval 57 to 77 %); fair is 50 %.",
                "BLACK wins less than a fair share of decided games: 24 of 75, 32 % (95 % interval 23 to 43 %); fair is 50 %."
            ]
        );
        assert_eq!(
            remarks_on(15, 5),
            [
                "Too few decided games for a verdict on balance: 20, and 40 are needed.",
                "Most games are drawn: 80 of 100, 80 % (95 % interval 71 to 87 %)."
            ]
        );
        let none = "No player wins: games with a winner: 0 of 100, 0 % (95 % interval 0 to 4 %). The rules may lack a way to win.";
        assert_eq!(remarks_on(0, 0)[1], none);
    }

    #[test]
    fn skill_is_judged_by_decided_games() {
        let skill = |wins, losses| SkillResult {
            deeper: "search",
            shallower: "greedy",
            wins: Proportion::of(wins, 60),
            draws: 60 - wins - losses,
            losses,
            unfinished: 0,
        };
        let said = |wins, losses| on_skill(&skill(wins, losses), 0.5).unwrap_or_default();
        assert_eq!(said(40, 10), "");
        assert!(
            said(20, 40)
                .starts_with("Deeper search does not help: search won against greedy: 20 of 60, 33 %")
        );
        assert!(said(6, 5).starts_with("It is open whether deeper search helps: "), "{}", said(6, 5));
    }
}
