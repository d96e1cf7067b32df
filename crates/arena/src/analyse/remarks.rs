//! Remarkable results of an analysis as sentences, for the author of a game.

use super::{Analysis, SideStats, SkillResult};

/// Returns the sentences, most important first.
pub(super) fn remarks(analysis: &Analysis) -> Vec<String> {
    let Analysis { games, max_plies, unfinished, .. } = analysis;
    if unfinished.count == *games {
        return vec![format!(
            "It never ends: none of {games} games ended within {max_plies} moves. The rules need an ending that players cannot avoid."
        )];
    }
    let ends = (unfinished.count > 0)
        .then(|| format!("{} of {games} games did not end within {max_plies} moves.", unfinished.count));
    let draws = if analysis.decisive.count == 0 {
        Some(format!("No player wins: none of {games} games had a winner. The rules may lack a way to win."))
    } else {
        (analysis.draws.low > 0.5).then(|| "Most games are drawn.".to_owned())
    };
    let short =
        (analysis.plies.median < 12.0).then(|| "Half of all games end within a dozen moves.".to_owned());
    let forced = (analysis.branching.median <= 2.0)
        .then(|| "Half of all turns have at most two legal moves.".to_owned());
    ends.into_iter()
        .chain(balance(analysis))
        .chain(draws)
        .chain(short)
        .chain(forced)
        .chain(skill(analysis))
        .collect()
}

/// Names sides that win significantly more or fewer decided games than an equal share.
fn balance(analysis: &Analysis) -> Vec<String> {
    let fair = analysis.decisive.share / analysis.sides.len().max(1) as f64;
    let of_side = |side: &SideStats| {
        let name = side.players.join(" and ");
        let wins = if side.players.len() == 1 { "wins" } else { "win" };
        if side.wins.low > fair {
            Some(format!("{name} {wins} more than a fair share of the games."))
        } else if side.wins.high < fair {
            Some(format!("{name} {wins} less than a fair share of the games."))
        } else {
            None
        }
    };
    analysis.sides.iter().filter_map(of_side).collect()
}

/// Names pairs in which the deeper player does not win significantly more than an equal share.
fn skill(analysis: &Analysis) -> Vec<String> {
    let is_by_chance = |skill: &&SkillResult| {
        let decided = f64::from(skill.wins.count + skill.losses) / f64::from(skill.wins.of.max(1));
        skill.wins.low <= decided / analysis.sides.len().max(1) as f64
    };
    let sentence = |SkillResult { deeper, shallower, wins, .. }: &SkillResult| {
        let (count, of) = (wins.count, wins.of);
        format!(
            "Deeper search does not clearly help: {deeper} won {count} of {of} games against {shallower}."
        )
    };
    analysis.skill.iter().filter(is_by_chance).map(sentence).collect()
}
