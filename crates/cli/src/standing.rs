//! How things stand, in sentences: whose turn it is, who is in check, who is out, who has won and why.

use tabiya_engine::{Outcome, Player, PlayerSet, Position, Rules};

use crate::palette::STRONG;
use crate::text::{listed, plain};

/// Who won and why, once the game is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ending {
    /// Nobody, if it is a draw.
    pub(crate) winners: PlayerSet,
    /// The word that programs see: `checkmate`, `resignation`.
    pub(crate) reason: &'static str,
}

impl Ending {
    /// Because a player has given up.
    pub(crate) const RESIGNATION: &'static str = "resignation";

    /// The sentence for people.
    pub(crate) fn sentence(&self, rules: &Rules) -> String {
        let result = match self.winners.len() {
            0 => "nobody wins".to_owned(),
            1 => format!("{} wins", listed(&names(rules, self.winners))),
            _ => format!("{} win", listed(&names(rules, self.winners))),
        };
        format!("{}: {result}.", self.cause(rules))
    }

    fn cause(&self, rules: &Rules) -> String {
        match (self.reason, rules.leader()) {
            ("leader_captured", Some(leader)) => {
                format!("The last {} is captured", plain(&rules.kind(leader).code))
            }
            (reason, _) => {
                let words = reason.replace('_', " ");
                let mut letters = words.chars();
                letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
            }
        }
    }
}

impl From<Outcome> for Ending {
    fn from(outcome: Outcome) -> Self {
        Ending { winners: outcome.winners, reason: outcome.reason.as_str() }
    }
}

/// The names of some players.
pub(crate) fn names(rules: &Rules, players: PlayerSet) -> Vec<&str> {
    players.iter().map(|player| rules.player(player).name.as_str()).collect()
}

/// The name of a player, as it is shown.
pub(crate) fn name(rules: &Rules, player: Player) -> String {
    plain(&rules.player(player).name).into_owned()
}

/// How a position stands.
pub(crate) fn lines(rules: &Rules, position: &Position) -> Vec<String> {
    let ending = rules.outcome(position).map(Ending::from);
    let mut lines = vec![match &ending {
        Some(ending) => format!("{STRONG}{}{STRONG:#}", ending.sentence(rules)),
        None => format!("{STRONG}{} to move.{STRONG:#}", name(rules, rules.mover(position))),
    }];
    let checked: PlayerSet =
        rules.alive(position).iter().filter(|player| rules.in_check(position, *player)).collect();
    if ending.is_none() && !checked.is_empty() {
        lines.push(format!("In check: {}.", listed(&names(rules, checked))));
    }
    if !position.eliminated().is_empty() {
        lines.push(format!("Out of the game: {}.", listed(&names(rules, position.eliminated()))));
    }
    lines
}
