//! Compares engine and oracle: positions, legal moves, outcomes, identities, endings and quiet turns.

mod endings;

use std::collections::BTreeMap;

pub use endings::compare_endings;

use tabiya_engine::{self as engine, Backend, Move, Player, Position, Rules};
use tabiya_players::SplitMix;
use tabiya_spec::Game;

use crate::{Die, Exchange, Mark, Oracle, Outcome, Piece, Ply, State};

/// Converts an engine position to an oracle state.
pub fn state_of(rules: &Rules, position: &Position) -> State {
    let board = rules.board();
    let name = |player| rules.player(player).name.clone();
    let pairs = |of: &dyn Fn(Player) -> Option<Player>| {
        rules.players().filter_map(|player| Some((name(player), name(of(player)?)))).collect()
    };
    let mut state = State {
        slot: usize::from(position.slot()),
        eliminated: position.eliminated().iter().map(name).collect(),
        frozen: position.frozen().iter().map(name).collect(),
        captives: pairs(&|player| position.captor(player)),
        control: pairs(&|player| position.controller(player)),
        withdrawn: rules.players().filter(|player| position.has_withdrawn(*player)).map(name).collect(),
        holding: position.holding().iter().map(name).collect(),
        die: rules.die(position).map(|die| match die {
            engine::Die::Awaited(throws) => Die::Awaited(u32::from(throws)),
            engine::Die::Shows(face) => Die::Shows(u32::from(face)),
        }),
        ended: position.ended().and_then(|_| outcome_of(rules, position)),
        hands: rules
            .hands(position)
            .map(|(player, kind, count)| ((name(player), rules.kind(kind).code.clone()), u32::from(count)))
            .collect(),
        counters: counters_of(rules, position),
        ..State::default()
    };
    for (spot, found) in position.all_pieces() {
        let piece = Piece {
            moved: !found.unmoved,
            tag: position.tag(spot).map(|value| tag_name(rules, value)),
            ..Piece::new(&rules.kind(found.kind).code, &name(found.player))
        };
        let layer = if spot.guest { &mut state.guests } else { &mut state.pieces };
        layer.insert(board.coords(spot.square), piece);
    }
    for mark in position.marks() {
        let entry = Mark {
            remaining: mark.countdown.map(|it| it.remaining),
            slot: mark.countdown.map(|it| usize::from(it.slot)),
        };
        let piece = state.pieces.get_mut(&board.coords(mark.square)).expect("a flag has a piece");
        piece.flags.insert(rules.flag(mark.flag).to_owned(), entry);
    }
    state
}

fn counters_of(rules: &Rules, position: &Position) -> BTreeMap<(String, String), i32> {
    let mut counters = BTreeMap::new();
    for (index, plan) in (0u8..).zip(&rules.mechanics().counters) {
        for player in rules.players() {
            let owner = if plan.per_player { rules.player(player).name.clone() } else { String::new() };
            counters.insert((plan.code.clone(), owner), i32::from(rules.counter(position, index, player)));
        }
    }
    counters
}

fn tag_name(rules: &Rules, value: u8) -> String {
    let tag = rules.mechanics().tag.as_ref().expect("a tag value belongs to a game with a tag");
    tag.values[usize::from(value)].clone()
}

/// Converts an engine move to an oracle move.
pub fn ply_of(rules: &Rules, position: &Position, played: Move) -> Ply {
    let mut parts = rules.parts(position, played).into_iter();
    let mut ply = parts.next().map(|(position, part)| part_of(rules, &position, part)).unwrap_or_default();
    ply.then = parts.map(|(position, part)| part_of(rules, &position, part)).collect();
    ply
}

fn part_of(rules: &Rules, position: &Position, played: Move) -> Ply {
    let board = rules.board();
    let dropped = played.dropped();
    Ply {
        then: Vec::new(),
        from: board.coords(if dropped.is_some() { played.to } else { played.from }),
        drop: dropped.map(|kind| rules.kind(kind).code.clone()),
        to: board.coords(played.to),
        id: rules.move_id(position, played),
        guest: played.guest,
        promotion: played.promotion.map(|kind| rules.kind(kind).code.clone()),
    }
}

fn outcome_of(rules: &Rules, position: &Position) -> Option<Outcome> {
    rules.outcome(position).map(|outcome| Outcome {
        winners: outcome.winners.iter().map(|player| rules.player(player).name.clone()).collect(),
        reason: rules.reason(outcome.reason),
    })
}

/// Statistics of a walk through a game tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Walk {
    /// Compared positions.
    pub positions: u64,
    /// Compared legal moves.
    pub moves: u64,
    /// Positions in which the game was over.
    pub ends: u64,
    /// Endings of the spec that held.
    pub endings: u64,
    /// Throws of a die.
    pub throws: u64,
    /// Exchanges and withdrawals.
    pub offers: u64,
}

/// Walks `depth` moves from the start, along at most `breadth` random moves per position, and compares engine and oracle.
///
/// # Errors
///
/// Returns a description of the first difference.
pub fn compare(game: &Game, depth: u32, breadth: usize, seed: u64) -> Result<Walk, String> {
    let mut walk = Walker {
        oracle: Oracle::new(&game.spec),
        rules: &game.rules,
        dice: SplitMix::new(seed),
        tallies: SplitMix::new(!seed),
        breadth,
        walk: Walk::default(),
    };
    walk.visit(&game.rules.start(), &Oracle::new(&game.spec).start(), depth)?;
    Ok(walk.walk)
}

struct Walker<'g> {
    oracle: Oracle<'g>,
    rules: &'g Rules,
    dice: SplitMix,
    tallies: SplitMix,
    breadth: usize,
    walk: Walk,
}

impl Walker<'_> {
    fn visit(&mut self, position: &Position, state: &State, depth: u32) -> Result<(), String> {
        let rules = self.rules;
        self.walk.positions += 1;
        same("position", &unturned(state_of(rules, position)), &unturned(state.clone()), state)?;
        if position.key() != position.key_from_scratch() {
            return Err(format!("the incremental key of {position:?} is wrong"));
        }
        let legal = rules.legal_moves(position);
        let all = rules.legal_moves_on(Backend::General, position).unwrap_or_default();
        if state.die.is_none() {
            same("moves without a die", &legal, &all, state)?;
        } else {
            same("counts under a die", &rules.count_moves(position), &self.oracle.perft(state, 1), state)?;
        }
        for path in Backend::ALL {
            if let Some(moves) = rules.legal_moves_on(path, position) {
                same(&format!("{path:?} moves"), &moves, &all, state)?;
            }
            if let Some(counted) = rules.perft_on(path, position, 2) {
                let expected = rules.perft_on(Backend::General, position, 2).unwrap_or_default();
                same(&format!("{path:?} counts"), &counted, &expected, state)?;
            }
        }
        let mut plies: Vec<Ply> = legal.iter().map(|played| ply_of(rules, position, *played)).collect();
        plies.sort();
        let mut expected = self.oracle.legal(state);
        expected.sort();
        if rules.has_parts() {
            self.same_turns(position, state, &legal, &expected)?;
        } else {
            same("legal moves", &plies, &expected, state)?;
        }
        self.walk.moves += legal.len() as u64;
        let outcome = self.oracle.outcome(state);
        self.walk.ends += u64::from(outcome.is_some());
        same("outcome", &outcome_of(rules, position), &outcome, state)?;
        let identity = state_of(rules, rules.identity(position).position());
        same("identity", &unturned(identity), &unturned(self.oracle.identity(state)), state)?;
        self.walk.endings += compare_endings(&self.oracle, rules, (position, state), &mut self.tallies)?;
        if depth == 0 {
            return Ok(());
        }
        if let Some((after, next)) = self.agree(position, state)? {
            self.walk.offers += 1;
            return self.visit(&after, &next, depth - 1);
        }
        if let Some(Die::Awaited(_)) = state.die {
            return self.throw(position, state, depth);
        }
        let mut untried = legal;
        for _ in 0..self.breadth.min(untried.len()) {
            let played = untried.swap_remove(self.dice.below(untried.len()));
            let after = rules.play_unchecked(position, played);
            let (ply, next) = self.oracle_move(position, state, (played, &after))?;
            let is_loud = rules.is_zeroing(position, rules.moving_kind(position, played), &after);
            same("loud moves", &is_loud, &self.oracle.is_loud(state, &ply, &next), state)?;
            self.visit(&after, &next, depth - 1)?;
        }
        Ok(())
    }
}

impl Walker<'_> {
    /// Compares turns of several parts by what they lead to: of turns that lead to the same position, either may be listed.
    fn same_turns(
        &self,
        position: &Position,
        state: &State,
        legal: &[Move],
        expected: &[Ply],
    ) -> Result<(), String> {
        let rules = self.rules;
        let begin = |ply: &Ply| (ply.spot(), ply.drop.clone());
        let result = |played: &Move| {
            let ply = ply_of(rules, position, *played);
            (begin(&ply), unturned(state_of(rules, &rules.play_unchecked(position, *played))))
        };
        let mut engine: Vec<_> = legal.iter().map(result).collect();
        engine.sort();
        let result = |ply: &Ply| (begin(ply), unturned(self.oracle.play(state, ply).unwrap_or_default()));
        let mut oracle: Vec<_> = expected.iter().map(result).collect();
        oracle.sort();
        same("turns", &engine, &oracle, state)
    }

    /// Returns the oracle's move for a move of the engine, and the state after it.
    fn oracle_move(
        &self,
        position: &Position,
        state: &State,
        (played, after): (Move, &Position),
    ) -> Result<(Ply, State), String> {
        let ply = ply_of(self.rules, position, played);
        if let Some(next) = self.oracle.play(state, &ply) {
            return Ok((ply, next));
        }
        let wanted = unturned(state_of(self.rules, after));
        let begins = |other: &Ply| (other.spot(), &other.drop) == (ply.spot(), &ply.drop);
        let alike = self.oracle.legal(state).into_iter().filter(begins);
        let mut found = alike.filter_map(|it| Some((it.clone(), self.oracle.play(state, &it)?)));
        let found = found.find(|(_, next)| unturned(next.clone()) == wanted);
        found.ok_or_else(|| format!("the oracle does not play the move {ply:?} in {state:?}"))
    }

    /// Throws the die once or twice. A throw counts as a move only if no piece can move.
    fn throw(&mut self, position: &Position, state: &State, depth: u32) -> Result<(), String> {
        let faces = self.rules.faces().unwrap_or_default();
        for _ in 0..self.breadth.min(2) {
            let face = 1 + self.dice.below(usize::from(faces)) as u8;
            let thrown = self.rules.throw(position, face).zip(self.oracle.throw(state, u32::from(face)));
            let Some((after, next)) = thrown else {
                return Err(format!("the die is not thrown in {state:?}"));
            };
            self.walk.throws += 1;
            let is_idle = !matches!(next.die, Some(Die::Shows(_)));
            self.visit(&after, &next, depth - u32::from(is_idle))?;
        }
        Ok(())
    }

    /// Compares exchanges and withdrawals. Occasionally makes one and returns the position after it.
    fn agree(&mut self, position: &Position, state: &State) -> Result<Option<(Position, State)>, String> {
        let rules = self.rules;
        let name = |player| rules.player(player).name.clone();
        let place = |(player, square)| (name(player), rules.board().coords(square));
        let offer = rules.exchange(position).map(|offer| Exchange {
            proposer: name(offer.proposer),
            answerer: name(offer.answerer),
            asked: place(offer.asked),
            given: place(offer.given),
        });
        same("exchange", &offer, &self.oracle.exchange(state), state)?;
        if offer.is_some() && self.dice.below(2) == 0 {
            let exchanged = rules.play_exchange(position).zip(self.oracle.exchanged(state));
            return exchanged
                .map(Some)
                .ok_or_else(|| "an offered agreement cannot be carried out".to_owned());
        }
        let heirs = rules.heirs(position);
        let names: Vec<String> = heirs.iter().map(name).collect();
        same("heirs", &names, &self.oracle.heirs(state), state)?;
        if let Some(heir) = heirs.iter().next().filter(|_| self.dice.below(20) == 0) {
            let withdrawn =
                rules.play_withdrawal(position, heir).zip(self.oracle.withdrawn(state, &name(heir)));
            return withdrawn
                .map(Some)
                .ok_or_else(|| "an offered agreement cannot be carried out".to_owned());
        }
        Ok(None)
    }
}

/// Clears the turn of a finished game, which has no meaning.
fn unturned(state: State) -> State {
    let slot = if state.ended.is_some() { 0 } else { state.slot };
    State { slot, ..state }
}

fn same<T: PartialEq + std::fmt::Debug>(
    what: &str,
    engine: &T,
    oracle: &T,
    state: &State,
) -> Result<(), String> {
    if engine == oracle {
        return Ok(());
    }
    Err(format!("{what} differ\nengine: {engine:?}\noracle: {oracle:?}\nin {state:?}"))
}
