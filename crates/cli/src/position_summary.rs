//! Describes a position in sentences: whose turn it is, who is in check, who is out, who won and why.

use serde_json::{Value, json};
use tabiya_engine::{Die, Player, PlayerSet, Position, Rules, Tally};
use tabiya_notation::{State, hand_lines, state_json};
use tabiya_referee::{End, end_by_rule};

use crate::styles::STRONG;
use crate::text::{join_and, pluralize, sanitize};

/// Returns a sentence that says who won and why.
pub(crate) fn outcome_sentence(rules: &Rules, end: &End) -> String {
    let cause = match (end.reason.as_str(), rules.leader()) {
        ("leader_captured", Some(leader)) => {
            format!("The last {} is captured", sanitize(&rules.kind(leader).code))
        }
        (reason, _) => {
            let words = sanitize(reason).replace('_', " ");
            let mut letters = words.chars();
            letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
        }
    };
    format!("{cause}: {}.", winners_clause(rules, end.winners))
}

/// Returns `WHITE wins`, `RED and YELLOW win` or `the game is drawn`.
pub(crate) fn winners_clause(rules: &Rules, winners: PlayerSet) -> String {
    match winners.len() {
        0 => "the game is drawn".to_owned(),
        1 => format!("{} wins", join_and(&player_names(rules, winners))),
        _ => format!("{} win", join_and(&player_names(rules, winners))),
    }
}

/// Returns a sentence that says that no move is possible because the game is over.
pub(crate) fn game_over_sentence(rules: &Rules, end: &End) -> String {
    format!("There is no move: the game is over. {}", outcome_sentence(rules, end))
}

/// Returns the names of players, as the game file has them.
pub(crate) fn player_names(rules: &Rules, players: PlayerSet) -> Vec<&str> {
    players.iter().map(|player| rules.player(player).name.as_str()).collect()
}

/// Returns the name of a player, without control characters.
pub(crate) fn player_name(rules: &Rules, player: Player) -> String {
    sanitize(&rules.player(player).name).into_owned()
}

/// Returns how a game that reaches this position ends there by rule, as far as the position alone shows it.
pub(crate) fn end_by_state(rules: &Rules, state: &State) -> Option<End> {
    end_by_rule(rules, &state.position, Tally::new(1, state.quiet))
}

/// Returns a state for programs. The end of the game may follow from more than the position, for example from a resignation.
pub(crate) fn state_with_end(rules: &Rules, state: &State, end: Option<&End>) -> Value {
    let mut json = state_json(rules, state);
    if let Some(end) = end {
        json["phase"] = json!("GameOver");
        json["outcome"] = json!({ "winners": player_names(rules, end.winners), "reason": end.reason });
    }
    json
}

/// Describes a position.
pub(crate) fn summary_lines(rules: &Rules, state: &State, end: Option<&End>) -> Vec<String> {
    let position = &state.position;
    let mut lines = vec![match end {
        Some(end) => format!("{STRONG}{}{STRONG:#}", outcome_sentence(rules, end)),
        None => turn_line(rules, position),
    }];
    let checked: PlayerSet =
        rules.alive(position).iter().filter(|player| rules.in_check(position, *player)).collect();
    if end.is_none() && !checked.is_empty() {
        lines.push(format!("In check: {}.", join_and(&player_names(rules, checked))));
    }
    if !position.eliminated().is_empty() {
        lines.push(format!("Out of the game: {}.", join_and(&player_names(rules, position.eliminated()))));
    }
    lines.extend(army_lines(rules, position));
    let hands = hand_lines(rules, position);
    lines.extend(hands.iter().map(|line| format!("{}.", sanitize(line))));
    lines
}

/// Describes whose turn it is, who decides, and what the die shows.
fn turn_line(rules: &Rules, position: &Position) -> String {
    let mover = rules.mover(position);
    let decider = rules.decider(position, mover);
    let by =
        if decider == mover { String::new() } else { format!(", moved by {}", player_name(rules, decider)) };
    let die = match rules.die(position) {
        Some(Die::Shows(face)) => {
            format!(" The die shows {face}: {} may move.", movable_kinds(rules, position))
        }
        Some(Die::Awaited(throws)) => {
            format!(" The die is to be thrown, at most {}.", pluralize(usize::from(throws), "time"))
        }
        None => String::new(),
    };
    format!("{STRONG}{} to move{by}.{STRONG:#}{die}", player_name(rules, mover))
}

fn movable_kinds(rules: &Rules, position: &Position) -> String {
    let mut codes: Vec<&str> = Vec::new();
    for played in rules.legal_moves(position) {
        let code = rules.kind(rules.moving_kind(position, played)).code.as_str();
        if !codes.contains(&code) {
            codes.push(code);
        }
    }
    sanitize(&codes.join(", ")).into_owned()
}

/// Describes captured leaders, controlled armies and held squares.
fn army_lines(rules: &Rules, position: &Position) -> Vec<String> {
    let mut lines = Vec::new();
    for player in rules.players() {
        let name = player_name(rules, player);
        if let Some(captor) = position.captor(player) {
            let frozen = if position.frozen().contains(player) { "; the army is frozen (~)" } else { "" };
            lines.push(format!("{name}'s leader was captured by {}{frozen}.", player_name(rules, captor)));
        }
        if let Some(controller) = position.controller(player) {
            lines.push(format!("{name} is controlled by {}.", player_name(rules, controller)));
        }
    }
    if !position.holding().is_empty() {
        lines.push(format!("Held by {}.", join_and(&player_names(rules, position.holding()))));
    }
    lines
}
