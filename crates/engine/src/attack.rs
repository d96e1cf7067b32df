//! Who attacks a square: on which squares a capture of an opponent would fire on a victim that stands there.
//!
//! Asked backwards from the victim. Captures without further conditions are merged by direction, so that one walk
//! away from the victim finds every slider and leaper of an army on that line; the few others are tried one by one.

use crate::blueprint::{Occupancy, Until};
use crate::landing::Walker;
use crate::piece::{Kind, Player};
use crate::position::Position;
use crate::rules::{Jump, Pattern, Rules};
use crate::square::Square;

/// The captures of one player, seen from the victim.
pub(crate) struct Attacks {
    lines: Vec<Line>,
    /// Captures with conditions, effects that can block, or unusual slides: kind and place in its list.
    guarded: Vec<(Kind, u16)>,
}

/// All plain captures along one step.
struct Line {
    back: Jump,
    max: u32,
    reach: Vec<Reach>,
}

/// Which kind captures along a line at which distances, in steps.
struct Reach {
    kind: Kind,
    min: u32,
    max: u32,
}

impl Attacks {
    /// Sorts the captures of a player's patterns.
    pub(crate) fn of(kinds: &[Box<[Pattern]>]) -> Self {
        let mut attacks = Attacks { lines: Vec::new(), guarded: Vec::new() };
        for (kind, patterns) in kinds.iter().enumerate() {
            let kind = Kind(kind as u8);
            for (index, pattern) in patterns.iter().enumerate() {
                let Some(act) = &pattern.on_enemy else { continue };
                if !act.captures {
                    continue;
                }
                let stops_at_pieces = pattern.max == 1 || pattern.until == Until::State(Occupancy::NotEmpty);
                if stops_at_pieces && pattern.tests.is_empty() && act.tests.is_empty() && !act.may_block {
                    attacks.add_line(kind, pattern);
                } else {
                    attacks.guarded.push((kind, index as u16));
                }
            }
        }
        attacks
    }

    fn add_line(&mut self, kind: Kind, pattern: &Pattern) {
        let reach = Reach { kind, min: pattern.min, max: pattern.max };
        match self.lines.iter_mut().find(|line| line.back == pattern.back) {
            Some(line) => {
                line.max = line.max.max(pattern.max);
                line.reach.push(reach);
            }
            None => self.lines.push(Line { back: pattern.back, max: pattern.max, reach: vec![reach] }),
        }
    }
}

impl Rules {
    /// Whether a piece of `victim` that stands on the square could be captured by an opponent.
    pub fn is_attacked(&self, position: &Position, square: Square, victim: Player) -> bool {
        let dead = position.eliminated();
        self.players()
            .filter(|player| *player != victim && !dead.contains(*player))
            .any(|attacker| self.attacks_from(position, square, attacker))
    }

    /// Whether a leader of the player stands attacked.
    pub fn in_check(&self, position: &Position, player: Player) -> bool {
        self.leader().is_some_and(|leader| {
            position.army(player, leader).any(|square| self.is_attacked(position, square, player))
        })
    }

    fn attacks_from(&self, position: &Position, target: Square, attacker: Player) -> bool {
        let attacks = &self.attacks[attacker.index()];
        attacks.lines.iter().any(|line| self.line_hits(position, target, attacker, line))
            || attacks.guarded.iter().any(|(kind, index)| {
                let pattern = &self.patterns[attacker.index()][kind.index()][usize::from(*index)];
                self.guarded_hits(position, target, attacker, *kind, pattern)
            })
    }

    /// Walks away from the victim to the first piece on the line.
    fn line_hits(&self, position: &Position, target: Square, attacker: Player, line: &Line) -> bool {
        let mut at = target;
        for steps in 1..=line.max {
            let Some(next) = self.jumps.to(line.back, at) else { return false };
            at = next;
            if position.occupied(at) {
                return position.owned_by(attacker, at)
                    && line.reach.iter().any(|reach| {
                        (reach.min..=reach.max).contains(&steps) && position.is_kind(reach.kind, at)
                    });
            }
        }
        false
    }

    /// Tries a capture from every square from which its steps lead to the victim.
    fn guarded_hits(
        &self,
        position: &Position,
        target: Square,
        attacker: Player,
        kind: Kind,
        pattern: &Pattern,
    ) -> bool {
        let mut at = target;
        for steps in 1..=pattern.max {
            let Some(next) = self.jumps.to(pattern.back, at) else { return false };
            at = next;
            if steps >= pattern.min && position.owned_by(attacker, at) && position.is_kind(kind, at) {
                let walker = Walker::new(self, position, attacker, kind, at, false);
                let hits = walker.reaches(pattern, steps)
                    && walker.act_on(pattern, target, steps).is_some_and(|act| act.captures);
                if hits {
                    return true;
                }
            }
        }
        false
    }
}
