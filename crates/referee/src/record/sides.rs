//! Which seats belong to one agent. Whoever fails at one of its seats has lost the game at all of them: otherwise an agent
//! with several seats would be among those who win by its own failure.

use tabiya_engine::{Player, PlayerSet};

use super::line::Seat;

/// For each player, the seats of the agent that plays for it.
#[derive(Clone, Debug)]
pub(super) struct Sides(Vec<PlayerSet>);

impl Sides {
    /// Agents are told apart by their names. Where one name stands everywhere it tells nobody apart, and every seat is
    /// taken for itself.
    pub(super) fn new(seats: &[Seat]) -> Self {
        let players = || (0..seats.len()).map(|index| Player(index as u8));
        let is_told_apart = seats.iter().any(|seat| seat.agent != seats[0].agent);
        let own = |player: Player| {
            let agent = &seats[player.index()].agent;
            let is_own =
                |other: &Player| *other == player || is_told_apart && seats[other.index()].agent == *agent;
            players().filter(is_own).collect()
        };
        Sides(players().map(own).collect())
    }

    /// The seats of the agent that plays for a player.
    pub(super) fn own(&self, player: Player) -> PlayerSet {
        self.0[player.index()]
    }

    /// Who wins if this player has brought the game to an end by a failure or by giving up, where the rules alone would
    /// have named these winners: those among them who are of another side, or else that whole side, though it may have
    /// fallen out of the game before.
    pub(super) fn winners_against(&self, loser: Player, by_rule: PlayerSet) -> PlayerSet {
        let own = self.own(loser);
        let others = by_rule.without(own);
        if others.is_empty() {
            (0..self.0.len()).map(|index| Player(index as u8)).collect::<PlayerSet>().without(own)
        } else {
            others
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::line::Form;
    use super::*;

    fn sides(agents: &[&str]) -> Sides {
        let seat =
            |agent: &&str| Seat { player: String::new(), agent: (*agent).to_owned(), answers: Form::Text };
        Sides::new(&agents.iter().map(seat).collect::<Vec<_>>())
    }

    fn set(players: &[u8]) -> PlayerSet {
        players.iter().map(|player| Player(*player)).collect()
    }

    #[test]
    fn an_agent_that_fails_wins_at_none_of_its_seats() {
        let two = sides(&["a", "b", "a", "b"]);
        assert_eq!(two.winners_against(Player(0), set(&[1, 2, 3])), set(&[1, 3]));
        assert_eq!(two.winners_against(Player(3), set(&[0, 1])), set(&[0]), "one of them is out");
        assert_eq!(two.winners_against(Player(0), set(&[2])), set(&[1, 3]), "both of them are out");
    }

    #[test]
    fn names_that_tell_nobody_apart_do_not_count() {
        let nameless = sides(&["?", "?", "?"]);
        assert_eq!(nameless.winners_against(Player(1), set(&[0, 2])), set(&[0, 2]));
        let all = sides(&["a", "b", "c"]);
        assert_eq!(all.winners_against(Player(1), set(&[0, 2])), set(&[0, 2]));
    }
}
