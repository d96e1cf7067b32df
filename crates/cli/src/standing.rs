//! How things stand, in sentences: whose turn it is, who is in check, who is out, who has won and why.

use tabiya_engine::{Die, Player, PlayerSet, Position, Rules};
use tabiya_referee::End;

use crate::palette::{FAINT, STRONG};
use crate::text::{counted, listed, plain};

/// Who won and why, in a sentence for people.
pub(crate) fn sentence(rules: &Rules, end: &End) -> String {
    let result = match end.winners.len() {
        0 => "nobody wins".to_owned(),
        1 => format!("{} wins", listed(&names(rules, end.winners))),
        _ => format!("{} win", listed(&names(rules, end.winners))),
    };
    let cause = match (end.reason.as_str(), rules.leader()) {
        ("leader_captured", Some(leader)) => {
            format!("The last {} is captured", plain(&rules.kind(leader).code))
        }
        (reason, _) => {
            let words = plain(reason).replace('_', " ");
            let mut letters = words.chars();
            letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
        }
    };
    format!("{cause}: {result}.")
}

/// That nobody moves any more, and why.
pub(crate) fn over(rules: &Rules, end: &End) -> String {
    format!("There is no move: the game is over. {}", sentence(rules, end))
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
    let ending = rules.outcome(position);
    let mut lines = vec![match &ending {
        Some(outcome) => {
            let end = End { winners: outcome.winners, reason: rules.reason(outcome.reason) };
            format!("{STRONG}{}{STRONG:#}", sentence(rules, &end))
        }
        None => turn(rules, position),
    }];
    let checked: PlayerSet =
        rules.alive(position).iter().filter(|player| rules.in_check(position, *player)).collect();
    if ending.is_none() && !checked.is_empty() {
        lines.push(format!("In check: {}.", listed(&names(rules, checked))));
    }
    if !position.eliminated().is_empty() {
        lines.push(format!("Out of the game: {}.", listed(&names(rules, position.eliminated()))));
    }
    lines.extend(fates(rules, position));
    lines
}

/// Whose turn it is, who decides, and what the die says.
fn turn(rules: &Rules, position: &Position) -> String {
    let mover = rules.mover(position);
    let decider = rules.decider(position, mover);
    let by = if decider == mover { String::new() } else { format!(", moved by {}", name(rules, decider)) };
    let die = match rules.die(position) {
        Some(Die::Shows(face)) => format!(" The die shows {face}: {}.", allowed(rules, position)),
        Some(Die::Awaited(throws)) => {
            format!(" The die is to be thrown, at most {}.", counted(usize::from(throws), "time"))
        }
        None => String::new(),
    };
    format!("{STRONG}{} to move{by}.{STRONG:#}{die}", name(rules, mover))
}

/// Which pieces can move now.
fn allowed(rules: &Rules, position: &Position) -> String {
    let mut codes: Vec<&str> = Vec::new();
    for played in rules.legal_moves(position) {
        let code = rules.kind(rules.moving_kind(position, played)).code.as_str();
        if !codes.contains(&code) {
            codes.push(code);
        }
    }
    format!("{} may move", plain(&codes.join(", ")))
}

/// What has become of whole armies.
fn fates(rules: &Rules, position: &Position) -> Vec<String> {
    let mut lines = Vec::new();
    for player in rules.players() {
        if let Some(captor) = position.captor(player) {
            let frozen = if position.frozen().contains(player) { "; the army is frozen (~)" } else { "" };
            lines.push(format!(
                "{}'s leader was captured by {}{frozen}.",
                name(rules, player),
                name(rules, captor)
            ));
        }
        if let Some(controller) = position.controller(player) {
            lines.push(format!("{} is controlled by {}.", name(rules, player), name(rules, controller)));
        }
    }
    let named: Vec<&str> = rules.landmarks().into_iter().map(|region| region.code.as_str()).collect();
    if !named.is_empty() {
        lines.push(format!("{FAINT}^ marks {}.{FAINT:#}", plain(&named.join(" and "))));
    }
    if !position.holding().is_empty() {
        lines.push(format!("Held by {}.", listed(&names(rules, position.holding()))));
    }
    lines
}
