//! The JSON form of an analysis. `docs/command-line.md` documents the keys.

use serde_json::{Value, json};

use super::Analysis;

impl Analysis {
    /// Returns the analysis as a JSON object. Equal studies give equal objects.
    pub fn to_json(&self) -> Value {
        let reasons = self.reasons.iter().map(|(reason, count)| json!({ "reason": reason, "count": count }));
        let values = self.values.iter().map(|(piece, value)| json!({ "piece": piece, "value": value }));
        json!({
            "game": self.label,
            "player": self.player,
            "nodes": self.nodes,
            "seed": self.seed,
            "games": self.games,
            "max_plies": self.max_plies,
            "never_ends": self.unfinished.count == self.games,
            "sides": self.sides,
            "draws": self.draws,
            "decisive": self.decisive,
            "unfinished": self.unfinished,
            "reasons": reasons.collect::<Value>(),
            "plies": self.plies,
            "lengths": self.lengths,
            "branching": self.branching,
            "branching_at": self.branching_at,
            "forced_moves": self.forced_moves,
            "captures": self.captures,
            "promotions": self.promotions,
            "lead_changes": self.lead_changes,
            "comebacks": self.comebacks,
            "turning_points": self.turning_points,
            "pieces": self.pieces,
            "board": self.board,
            "opening": self.opening,
            "game_tree": self.game_tree,
            "state_space": self.state_space,
            "skill": self.skill,
            "values": values.collect::<Value>(),
            "remarks": self.remarks,
        })
    }
}
