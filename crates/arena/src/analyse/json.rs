//! The JSON form of an analysis. `docs/command-line.md` documents the keys.

use serde_json::{Value, json};

use super::{Analysis, Proportion, SkillResult, Summary};

impl Analysis {
    /// Returns the analysis as a JSON object. Equal studies give equal objects.
    pub fn to_json(&self) -> Value {
        let sides =
            self.sides.iter().map(|side| json!({ "players": side.players, "wins": share(&side.wins) }));
        let reasons = self.reasons.iter().map(|(reason, count)| json!({ "reason": reason, "count": count }));
        let bins = self.lengths.bins.iter().map(|bin| json!({ "from": bin.from, "count": bin.count }));
        let at =
            self.branching_at.iter().map(|it| json!({ "from": it.from, "mean": it.mean, "turns": it.turns }));
        let values = self.values.iter().map(|(piece, value)| json!({ "piece": piece, "value": value }));
        json!({
            "game": self.label,
            "player": self.player,
            "seed": self.seed,
            "games": self.games,
            "max_plies": self.max_plies,
            "never_ends": self.unfinished.count == self.games,
            "sides": sides.collect::<Value>(),
            "draws": share(&self.draws),
            "decisive": share(&self.decisive),
            "unfinished": share(&self.unfinished),
            "reasons": reasons.collect::<Value>(),
            "plies": spread(&self.plies),
            "lengths": { "width": self.lengths.width, "bins": bins.collect::<Value>() },
            "branching": spread(&self.branching),
            "branching_at": at.collect::<Value>(),
            "captures": spread(&self.captures),
            "lead_changes": spread(&self.lead_changes),
            "comebacks": share(&self.comebacks),
            "skill": self.skill.iter().map(skill).collect::<Value>(),
            "values": values.collect::<Value>(),
            "remarks": self.remarks,
        })
    }
}

fn share(share: &Proportion) -> Value {
    let Proportion { count, of, share, low, high } = share;
    json!({ "count": count, "of": of, "share": share, "low": low, "high": high })
}

fn spread(spread: &Summary) -> Value {
    let Summary { mean, median, deviation, least, most } = spread;
    json!({ "mean": mean, "median": median, "deviation": deviation, "least": least, "most": most })
}

fn skill(it: &SkillResult) -> Value {
    let SkillResult { deeper, shallower, wins, draws, losses, unfinished } = it;
    json!({
        "deeper": deeper, "shallower": shallower, "wins": share(wins),
        "draws": draws, "losses": losses, "unfinished": unfinished,
    })
}
