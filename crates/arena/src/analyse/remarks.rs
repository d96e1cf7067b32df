//! What is conspicuous about a game, in sentences: whatever its author would want to know first.

use super::{Analysis, SideFigures, Skill};

/// The sentences, the gravest first.
pub(super) fn remarks(analysis: &Analysis) -> Vec<String> {
    let Analysis { games, max_plies, unfinished, .. } = analysis;
    if unfinished.count == *games {
        return vec![format!(
            "It never ends: none of {games} games was over after {max_plies} moves. The rules need an ending that cannot be put off."
        )];
    }
    let ends = (unfinished.count > 0)
        .then(|| format!("{} of {games} games were not over after {max_plies} moves.", unfinished.count));
    let draws = if analysis.decisive.count == 0 {
        Some(format!("Nobody wins: none of {games} games had a winner. The rules may lack a way to win."))
    } else {
        (analysis.draws.low > 0.5).then(|| "Most games are drawn.".to_owned())
    };
    let short =
        (analysis.plies.median < 12.0).then(|| "Half of all games are over within a dozen moves.".to_owned());
    let forced = (analysis.branching.median <= 2.0).then(|| "There is hardly ever a choice.".to_owned());
    ends.into_iter()
        .chain(balance(analysis))
        .chain(draws)
        .chain(short)
        .chain(forced)
        .chain(skill(analysis))
        .collect()
}

/// A side that wins more or fewer games than its part of those that somebody wins, beyond what chance explains.
fn balance(analysis: &Analysis) -> Vec<String> {
    let fair = analysis.decisive.share / analysis.sides.len().max(1) as f64;
    let of_side = |side: &SideFigures| {
        let name = side.players.join(" and ");
        let wins = if side.players.len() == 1 { "wins" } else { "win" };
        if side.wins.low > fair {
            Some(format!("{name} {wins} more than a fair part of the games."))
        } else if side.wins.high < fair {
            Some(format!("{name} {wins} less than a fair part of the games."))
        } else {
            None
        }
    };
    analysis.sides.iter().filter_map(of_side).collect()
}

/// Who looks further ahead should win more than anybody would by chance.
fn skill(analysis: &Analysis) -> Vec<String> {
    let is_by_chance = |skill: &&Skill| {
        let decided = f64::from(skill.wins.count + skill.losses) / f64::from(skill.wins.of.max(1));
        skill.wins.low <= decided / analysis.sides.len().max(1) as f64
    };
    let sentence = |Skill { deeper, shallower, wins, .. }: &Skill| {
        let (count, of) = (wins.count, wins.of);
        format!(
            "It is not clear that looking further helps: {deeper} won {count} of {of} games against {shallower}."
        )
    };
    analysis.skill.iter().filter(is_by_chance).map(sentence).collect()
}
