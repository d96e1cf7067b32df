//! Compares the endings of a position for every player, with random counts of repetitions and quiet turns.

use std::collections::BTreeSet;

use tabiya_engine::{Position, Rules, Tally, Trigger};
use tabiya_players::SplitMix;
use tabiya_spec::model;

use super::same;
use crate::{Ending, Moment, Oracle, State};

const TRIGGERS: [(Trigger, model::Trigger); 3] = [
    (Trigger::Rule, model::Trigger::Rule),
    (Trigger::Claim, model::Trigger::Claim),
    (Trigger::Flag, model::Trigger::Flag),
];

/// Compares every ending in one position and returns how many hold.
///
/// # Errors
///
/// Returns a description of the first difference.
pub fn compare_endings(
    oracle: &Oracle<'_>,
    rules: &Rules,
    (position, state): (&Position, &State),
    dice: &mut SplitMix,
) -> Result<u64, String> {
    let mut held = 0;
    let winless: Vec<&str> = rules
        .players()
        .filter(|player| rules.cannot_win(position, *player))
        .map(|player| rules.player(player).name.as_str())
        .collect();
    let cannot_win = |name: &str| winless.contains(&name);
    for own in rules.players().filter(|player| !rules.mechanics().neutral.contains(*player)) {
        let tally = tally(rules, dice);
        let player = |name: &str| {
            rules
                .players()
                .filter(|player| !rules.mechanics().neutral.contains(*player))
                .find(|player| rules.player(*player).name == name)
        };
        let perpetual = |name: &str| player(name).map_or(0, |player| tally.checks.occurrences(player));
        let moment = Moment {
            repetitions: tally.repetitions,
            perpetual: &perpetual,
            quiet: tally.quiet,
            cannot_win: &cannot_win,
            ..Moment::plain(state, &rules.player(own).name)
        };
        let endings = rules.endings();
        let codes: BTreeSet<&str> = endings.iter().map(|ending| ending.code.as_str()).collect();
        for code in std::iter::once(None).chain(codes.into_iter().map(Some)) {
            for (by, word) in TRIGGERS {
                let found = rules.ending(position, tally, by, own, code).map(|ending| Ending {
                    code: ending.code.to_owned(),
                    winners: ending.winners.iter().map(|player| rules.player(player).name.clone()).collect(),
                });
                let expected = oracle.ending(&moment, word, code);
                same(&format!("endings {by:?} of {} with {tally:?}", moment.own), &found, &expected, state)?;
                held += u64::from(found.is_some());
            }
        }
    }
    Ok(held)
}

/// Draws few repetitions and checks, and quiet turns around the numbers in the endings.
fn tally(rules: &Rules, dice: &mut SplitMix) -> Tally {
    let turns = 1 + 60 * rules.endings().len();
    let mut tally = Tally::new(1 + dice.below(6) as u32, dice.below(turns) as u32);
    for player in rules.players().filter(|player| !rules.mechanics().neutral.contains(*player)) {
        tally.checks = tally.checks.with(player, dice.below(6) as u8);
    }
    tally
}
