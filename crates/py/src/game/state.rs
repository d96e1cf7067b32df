//! The current state of a game.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use tabiya_notation::pgn::result_text;
use tabiya_notation::{diagram, fen};

use super::Game;
use crate::outcome::Outcome;

#[pymethods]
impl Game {
    /// The player to move.
    ///
    /// >>> Game("chess").turn
    /// 'WHITE'
    #[getter]
    fn turn(&self) -> &str {
        &self.rules().player(self.referee.mover()).name
    }

    /// The player who acts next: the player to move, unless another player moves that army or must answer first.
    ///
    /// >>> Game("chess").actor
    /// 'WHITE'
    #[getter]
    fn actor(&self) -> &str {
        &self.rules().player(self.referee.actor()).name
    }

    /// The state as board text, which for chess is FEN. A new game accepts it as `state`.
    ///
    /// >>> Game("chess").fen
    /// 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
    #[getter]
    fn fen(&self) -> String {
        fen(self.rules(), self.referee.state())
    }

    /// The legal moves as `push` accepts them; none once the game is over.
    ///
    /// In every game, pushing one of them always makes progress: if the die must be thrown first there is only `throw`, and if
    /// an exchange is proposed there are `accept` and `decline`.
    ///
    /// >>> Game("chess", state="7k/5Q2/8/8/8/8/8/K7 b - - 0 1").legal_moves
    /// []
    /// >>> Game("chess", state="7k/4Q3/8/8/8/8/8/K7 b - - 0 1").legal_moves
    /// ['h8g8']
    #[getter]
    fn legal_moves(&self) -> Vec<String> {
        let position = &self.referee.state().position;
        self.referee.required_actions().iter().map(|act| act.text(self.rules(), position)).collect()
    }

    /// Whether the game is over.
    ///
    /// >>> Game("chess").is_over
    /// False
    #[getter]
    fn is_over(&self) -> bool {
        self.referee.end().is_some()
    }

    /// How the game ended; `None` while it is in progress.
    ///
    /// >>> Game("chess", state="7k/8/8/8/8/8/8/K7 w - - 0 1").outcome
    /// Outcome(winners=(), reason='dead_position')
    #[getter]
    fn outcome(&self) -> Option<Outcome> {
        self.referee.end().map(|end| Outcome::new(self.rules(), end))
    }

    /// The result as in PGN: `1-0`, `0-1`, `1/2-1/2`, with more players `0-1-0-0`; `None` while the game is in progress.
    ///
    /// >>> Game("chess", state="7k/8/8/8/8/8/8/K7 w - - 0 1").result
    /// '1/2-1/2'
    #[getter]
    fn result(&self) -> Option<String> {
        self.referee.end().map(|end| result_text(self.rules(), Some(end.winners)))
    }

    /// The claims that hold now.
    ///
    /// >>> game = Game("chess")
    /// >>> for move in ["g1f3", "g8f6", "f3g1", "f6g8"] * 2:
    /// ...     game.push(move)
    /// >>> game.claims
    /// ['threefold_repetition']
    #[getter]
    fn claims(&self) -> Vec<String> {
        self.referee.holding_claims().into_iter().map(str::to_lowercase).collect()
    }

    /// The number of occurrences of the position, including the current one.
    ///
    /// >>> Game("chess").repetitions
    /// 1
    #[getter]
    fn repetitions(&self) -> u32 {
        self.referee.tally().repetitions
    }

    /// The number of turns since the last capture or other irreversible move (in chess, the halfmove clock).
    ///
    /// >>> Game("chess", state="7k/8/8/8/8/8/8/K5R1 w - - 12 40").quiet
    /// 12
    #[getter]
    fn quiet(&self) -> u32 {
        self.referee.state().quiet
    }

    /// The pieces in hand: by player, the number of each kind; empty in games without hands.
    ///
    /// >>> Game("chess").hands
    /// {}
    #[getter]
    fn hands(&self) -> BTreeMap<&str, BTreeMap<&str, u8>> {
        let rules = self.rules();
        if rules.mechanics().hands.is_none() {
            return BTreeMap::new();
        }
        let mut hands: BTreeMap<&str, BTreeMap<&str, u8>> =
            rules.players().map(|player| (rules.player(player).name.as_str(), BTreeMap::new())).collect();
        for (player, kind, count) in rules.hands(&self.referee.state().position) {
            let hand = hands.entry(&rules.player(player).name).or_default();
            hand.insert(&rules.kind(kind).code, count);
        }
        hands
    }

    /// The counters by name: the value of each player, or only that of the key `GAME` if the game has one; empty in games
    /// without counters.
    ///
    /// >>> Game("chess").counters
    /// {}
    #[getter]
    fn counters(&self) -> BTreeMap<&str, BTreeMap<&str, u16>> {
        let (rules, position) = (self.rules(), &self.referee.state().position);
        let counters = (0u8..).zip(&rules.mechanics().counters).map(|(counter, plan)| {
            let value = |player| rules.counter(position, counter, player);
            let values = if plan.per_player {
                rules.players().map(|player| (rules.player(player).name.as_str(), value(player))).collect()
            } else {
                BTreeMap::from([("GAME", value(rules.turn_of(0)))])
            };
            (plan.code.as_str(), values)
        });
        counters.collect()
    }

    fn __str__(&self) -> String {
        diagram(self.rules(), &self.referee.state().position)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let class = slf.get_type().name()?;
        let game = slf.borrow();
        let name = game.source.label.as_deref().unwrap_or_else(|| game.name());
        Ok(format!("<{class} {name}: {}>", game.fen()))
    }
}
