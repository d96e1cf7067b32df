//! Which players share a seat. An agent that fails at one of its seats loses the game at every one: otherwise it could win by its
//! own failure.

use tabiya_engine::{Player, PlayerSet, Rules};

/// For each player, the players of the same seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seating(Vec<PlayerSet>);

impl Seating {
    /// Every player has its own seat.
    pub fn single(players: usize) -> Self {
        Seating((0..players).map(|index| PlayerSet::EMPTY.with(Player(index as u8))).collect())
    }

    /// Every team is one seat.
    pub fn teams(rules: &Rules) -> Self {
        Seating(rules.players().map(|player| rules.team(player)).collect())
    }

    /// Players with the same name share a seat. If all have the same name, it does not distinguish them, and every player has
    /// its own seat.
    pub fn by_name(names: &[&str]) -> Self {
        if names.iter().all(|name| *name == names[0]) {
            return Seating::single(names.len());
        }
        let seat = |name: &&str| {
            let same = names.iter().enumerate().filter(|(_, other)| *other == name);
            same.map(|(index, _)| Player(index as u8)).collect()
        };
        Seating(names.iter().map(seat).collect())
    }

    /// The seats, each with its players.
    pub fn new(players: usize, seats: impl IntoIterator<Item = PlayerSet>) -> Self {
        let Seating(mut of_player) = Seating::single(players);
        for seat in seats {
            seat.iter().for_each(|player| of_player[player.index()] = seat);
        }
        Seating(of_player)
    }

    /// The players of the seat to which a player belongs.
    pub fn seat(&self, player: Player) -> PlayerSet {
        self.0[player.index()]
    }

    /// Who wins when this player's agent fails or resigns, where the rules name these winners: the winners of other seats, or
    /// all players of other seats if there are none.
    pub(super) fn winners_against(&self, loser: Player, by_rule: PlayerSet) -> PlayerSet {
        let own = self.seat(loser);
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
    use super::*;

    fn set(players: &[u8]) -> PlayerSet {
        players.iter().map(|player| Player(*player)).collect()
    }

    #[test]
    fn an_agent_that_fails_wins_at_none_of_its_seats() {
        let two = Seating::by_name(&["a", "b", "a", "b"]);
        assert_eq!(two.winners_against(Player(0), set(&[1, 2, 3])), set(&[1, 3]));
        assert_eq!(two.winners_against(Player(3), set(&[0, 1])), set(&[0]), "YELLOW is out");
        assert_eq!(two.winners_against(Player(0), set(&[2])), set(&[1, 3]), "both are out");
    }

    #[test]
    fn equal_names_do_not_share_a_seat() {
        let nameless = Seating::by_name(&["?", "?", "?"]);
        assert_eq!(nameless.winners_against(Player(1), set(&[0, 2])), set(&[0, 2]));
        let all = Seating::by_name(&["a", "b", "c"]);
        assert_eq!(all.winners_against(Player(1), set(&[0, 2])), set(&[0, 2]));
    }
}
