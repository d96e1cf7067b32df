//! Converts rules, positions and games into the JSON types of the API. All facts come from the rules and the referee.

use std::collections::HashMap;

use tabiya_engine::mechanics::{CounterPlan, HandOf};
use tabiya_engine::{
    Die, Exchange, Kind, Lattice, Move, Offset, Piece, Player, PlayerSet, Position, Rules, Square, Trigger,
};
use tabiya_notation::{castling_partner, fen, legal_moves_uci};
use tabiya_referee::{Clock, End, Game};
use tabiya_spec::AvailableChoices;

use crate::http_types::{
    self, CounterView, GameView, HandsView, KindView, LayoutView, OfferView, OptionView, PieceView,
    PlayerView, PresetView, RegionView,
};
use crate::socket_types::{AvailableActions, CapturedView, EndView, ExchangeOffer, MoveView, StateView};

/// Converts a square.
pub(crate) fn square(rules: &Rules, square: Square) -> http_types::Square {
    let (x, y) = rules.board().coords(square);
    http_types::Square([x as u16, y as u16])
}

/// Returns the origin of a move; `None` for a drop.
pub(crate) fn origin(rules: &Rules, played: Move) -> Option<http_types::Square> {
    played.dropped().is_none().then(|| square(rules, played.from))
}

/// Converts a set of players.
pub(crate) fn players(set: PlayerSet) -> Vec<usize> {
    set.iter().map(Player::index).collect()
}

/// Returns the fixed data of a game.
pub(crate) fn game(game: &tabiya_spec::Game, library: Option<String>) -> GameView {
    let rules = &game.rules;
    let (board, blueprint) = (rules.board(), rules.blueprint());
    let mut claims: Vec<String> = rules
        .endings()
        .iter()
        .filter(|plan| plan.by == Trigger::Claim)
        .map(|plan| plan.code.to_lowercase())
        .collect();
    claims.dedup();
    let regions = rules.landmarks().into_iter().map(|region| {
        let mut squares: Vec<Square> = region.squares.iter().flatten().copied().collect();
        squares.sort_unstable();
        squares.dedup();
        let squares = squares.into_iter().map(|it| square(rules, it)).collect();
        RegionView { code: region.code.clone(), squares }
    });
    GameView {
        library,
        title: title(&game.spec.name),
        about: game.spec.about.as_ref().map(|about| about.to_string()),
        layout: game.choices.resolved.layout.clone(),
        options: changed_options(&game.choices),
        files: board.files(),
        ranks: board.ranks(),
        lattice: match board.lattice() {
            Lattice::Square => "square".to_owned(),
            Lattice::Hex => "hex".to_owned(),
        },
        levels: board.levels(),
        wraps: board.wraps().to_vec(),
        file_letters: blueprint.topology().file_letters.clone(),
        holes: blueprint.disabled().iter().map(|(x, y)| http_types::Square([*x, *y])).collect(),
        regions: regions.collect(),
        kinds: rules
            .kinds()
            .map(|kind| {
                let plan = rules.kind(kind);
                KindView {
                    code: plan.code.clone(),
                    letter: plan.symbol.in_moves(Player(0)).to_owned(),
                    letters: plan.symbol.by_player().map(<[String]>::to_vec),
                }
            })
            .collect(),
        players: rules.players().map(|player| player_view(rules, player)).collect(),
        order: turn_order(rules),
        leader: rules.leader().map(Kind::index),
        draw_offers: blueprint.draw_offers(),
        claims,
        die: rules.faces(),
        hands: rules.mechanics().hands.as_ref().map(|hands| HandsView {
            captured_to: hands.captured_to.map(|whose| match whose {
                HandOf::Captor => "captor".to_owned(),
                HandOf::Owner => "owner".to_owned(),
            }),
        }),
        counters: rules
            .mechanics()
            .counters
            .iter()
            .map(|plan| CounterView { code: plan.code.clone(), per_player: plan.per_player, max: plan.max })
            .collect(),
    }
}

/// Returns the players in the order of their first turns, then those without a turn.
fn turn_order(rules: &Rules) -> Vec<usize> {
    let slots = rules.order().len();
    let first = usize::from(rules.blueprint().start_at());
    let turns = (0..slots).map(|slot| rules.turn_of(((first + slot) % slots) as u16));
    let mut order: Vec<usize> = Vec::new();
    for player in turns.chain(rules.players()).map(Player::index) {
        if !order.contains(&player) {
            order.push(player);
        }
    }
    order
}

/// Returns the options with a value other than the default.
fn changed_options(offer: &AvailableChoices) -> Vec<(String, String)> {
    let is_default = |(name, value): &&(String, String)| {
        offer.options.iter().any(|option| option.name == *name && option.default == *value)
    };
    offer.resolved.options.iter().filter(|option| !is_default(option)).cloned().collect()
}

/// Writes an upper-case name as a title: `FOUR PLAYER` becomes `Four Player`, `Almost chess` is kept.
fn title(name: &str) -> String {
    if name.chars().any(char::is_lowercase) {
        return name.to_owned();
    }
    let mut is_first = true;
    name.chars()
        .map(|letter| {
            let kept = if is_first { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() };
            is_first = !letter.is_alphanumeric() && letter != '\'';
            if letter == '_' { ' ' } else { kept }
        })
        .collect()
}

fn player_view(rules: &Rules, player: Player) -> PlayerView {
    let mechanics = rules.mechanics();
    let team =
        mechanics.teams.get(player.index()).and_then(|team| mechanics.team_names.get(usize::from(*team)));
    let plan = rules.player(player);
    let forward = plan.orientation.turn(Offset::new(0, 1));
    // One clockwise quarter turn brings left to the top.
    let turn = match (forward.dx, forward.dy) {
        (0, 1) => 0,
        (-1, 0) => 1,
        (0, -1) => 2,
        _ => 3,
    };
    PlayerView { name: plan.name.clone(), team: team.cloned(), turn }
}

/// Converts the choices that a game offers.
pub(crate) fn offer(offer: &AvailableChoices) -> OfferView {
    let layouts =
        offer.layouts.iter().map(|it| LayoutView { name: it.name.clone(), about: it.about.clone() });
    let presets =
        offer.presets.iter().map(|it| PresetView { name: it.name.clone(), options: it.options.clone() });
    let options = offer.options.iter().map(|it| OptionView {
        name: it.name.clone(),
        about: it.about.clone(),
        values: it.values.clone(),
        default: it.default.clone(),
    });
    OfferView { layouts: layouts.collect(), presets: presets.collect(), options: options.collect() }
}

/// Returns the pieces on the board: hosts, then guests.
pub(crate) fn pieces(rules: &Rules, position: &Position) -> Vec<PieceView> {
    let hosts = position.pieces().map(|(at, piece)| piece_view(rules, at, piece, false));
    hosts.chain(position.guests().map(|(at, piece)| piece_view(rules, at, piece, true))).collect()
}

fn piece_view(rules: &Rules, at: Square, piece: Piece, guest: bool) -> PieceView {
    PieceView { at: square(rules, at), kind: piece.kind.index(), player: piece.player.index(), guest }
}

/// Returns the number of pieces of each kind in each player's hand. Empty if the game has no hands.
pub(crate) fn hands(rules: &Rules, position: &Position) -> Vec<Vec<u8>> {
    if rules.mechanics().hands.is_none() {
        return Vec::new();
    }
    let of_player = |player| rules.kinds().map(|kind| position.in_hand(player, kind)).collect();
    rules.players().map(of_player).collect()
}

/// Returns the values of each counter: one for each player, or one for the game.
pub(crate) fn counters(rules: &Rules, position: &Position) -> Vec<Vec<u16>> {
    let values = |(index, plan): (usize, &CounterPlan)| {
        let players = rules.players().take(if plan.per_player { usize::MAX } else { 1 });
        players.map(|player| rules.counter(position, index as u8, player)).collect()
    };
    rules.mechanics().counters.iter().enumerate().map(values).collect()
}

/// Returns the entries of a table that differ between two positions: row, column, and the value after.
pub(crate) fn changed_entries<T: Copy + PartialEq>(
    before: &[Vec<T>],
    after: &[Vec<T>],
) -> Vec<(usize, usize, T)> {
    let rows = before.iter().zip(after).enumerate();
    let changed = rows.flat_map(|(row, (was, now))| {
        let columns = was.iter().zip(now).enumerate();
        columns.filter(|(_, (was, now))| was != now).map(move |(column, (_, now))| (row, column, *now))
    });
    changed.collect()
}

/// Returns the squares whose pieces differ between two positions, with the pieces on them after.
pub(crate) fn changes(
    rules: &Rules,
    before: &Position,
    after: &Position,
) -> Vec<(http_types::Square, Vec<PieceView>)> {
    let occupants = |position: &Position, at: Square| -> Vec<PieceView> {
        let host = position.piece(at).map(|piece| piece_view(rules, at, piece, false));
        let guest = position.guest(at).map(|piece| piece_view(rules, at, piece, true));
        host.into_iter().chain(guest).collect()
    };
    let changed = rules.board().squares().filter_map(|at| {
        let now = occupants(after, at);
        (now != occupants(before, at)).then(|| (square(rules, at), now))
    });
    changed.collect()
}

/// Returns the pieces that left the board between two positions, and those that returned to it. A promoted piece and a dropped
/// one did neither.
pub(crate) fn captured(
    rules: &Rules,
    before: &Position,
    after: &Position,
    played: Option<Move>,
) -> (Vec<CapturedView>, Vec<CapturedView>) {
    let kinds = rules.kinds().count();
    let mut gains = vec![0_i32; rules.players().count() * kinds];
    for (position, gain) in [(before, -1), (after, 1)] {
        for (_, piece) in position.all_pieces() {
            gains[piece.player.index() * kinds + piece.kind.index()] += gain;
        }
    }
    let moved = played.map(|played| rules.moving_kind(before, played));
    if let Some(kind) =
        played.and_then(|played| played.dropped().map(|kind| played.promotion.unwrap_or(kind)))
    {
        gains[rules.mover(before).index() * kinds + kind.index()] -= 1;
    }
    let (mut captured, mut returned) = (Vec::new(), Vec::new());
    for player in rules.players() {
        let (mut lost, mut won) = (Vec::new(), Vec::new());
        for kind in rules.kinds() {
            let gain = gains[player.index() * kinds + kind.index()];
            let changed = if gain < 0 { &mut lost } else { &mut won };
            changed.extend(std::iter::repeat_n(kind, gain.unsigned_abs() as usize));
        }
        // Pieces that changed their kind, the one that moved first.
        let changed = lost.len().min(won.len());
        lost.sort_by_key(|kind| Some(*kind) != moved);
        let view = |kind: &Kind| CapturedView { kind: kind.index(), player: player.index() };
        captured.extend(lost[changed..].iter().map(view));
        returned.extend(won[changed..].iter().map(view));
    }
    (captured, returned)
}

/// Returns the players in check.
pub(crate) fn in_check(rules: &Rules, position: &Position) -> Vec<usize> {
    let alive = rules.alive(position);
    alive.iter().filter(|player| rules.in_check(position, *player)).map(Player::index).collect()
}

/// Returns the state of a game, without the moves and actions of the seat that must act.
pub(crate) fn state(game: &Game, seen: usize, clock: Option<&Clock>, end: Option<&End>) -> StateView {
    let (rules, state) = (game.rules(), game.state());
    let position = &state.position;
    let pairs = |other: &dyn Fn(Player) -> Option<Player>| {
        rules.players().filter_map(|player| Some((player.index(), other(player)?.index()))).collect()
    };
    let tally = game.tally();
    StateView {
        seen,
        pieces: pieces(rules, position),
        hands: hands(rules, position),
        counters: counters(rules, position),
        mover: game.mover().index(),
        actor: game.actor().index(),
        round: state.round,
        check: if end.is_none() || is_mate(end) { in_check(rules, position) } else { Vec::new() },
        out: players(position.eliminated()),
        frozen: players(position.frozen()),
        captives: pairs(&|player| position.captor(player)),
        controlled: pairs(&|player| position.controller(player)),
        holding: players(position.holding()),
        die: match rules.die(position) {
            Some(Die::Shows(face)) => Some(face),
            _ => None,
        },
        can: None,
        moves: Vec::new(),
        offer: game.standing_offer().filter(|_| end.is_none()).map(Player::index),
        proposal: game.proposal().map(|exchange| exchange_offer(rules, &exchange)),
        resigning: players(game.resigning()),
        clocks: clock.map_or_else(Vec::new, |clock| {
            let left = |player| clock.left(player).unwrap_or_default().as_millis() as u64;
            rules.players().map(left).collect()
        }),
        running: clock.is_some() && end.is_none(),
        repetitions: tally.repetitions,
        quiet: tally.quiet,
        text: fen(rules, state),
        end: end.map(|end| EndView { winners: players(end.winners), reason: end.reason.clone() }),
    }
}

fn is_mate(end: Option<&End>) -> bool {
    end.is_some_and(|end| end.reason == "checkmate")
}

/// Returns the actions and the legal moves of the player that must act.
pub(crate) fn choices(game: &Game) -> (AvailableActions, Vec<MoveView>) {
    let (rules, position) = (game.rules(), &game.state().position);
    let choices = game.choices();
    let can = AvailableActions {
        draw: choices.offer,
        claims: choices.claims.iter().map(|code| code.to_lowercase()).collect(),
        throw: choices.throw,
        exchange: choices.exchange.map(|exchange| exchange_offer(rules, &exchange)),
        withdraw: players(choices.withdraw),
    };
    let moves = if choices.can_move { legal_moves_uci(rules, position) } else { Vec::new() };
    let turns: HashMap<Move, _> = if rules.has_parts() && choices.can_move {
        rules.turns(position).into_iter().collect()
    } else {
        HashMap::new()
    };
    let rest = |played: Move| {
        let parts = turns.get(&played).into_iter().flatten();
        parts.map(|part| (origin(rules, *part), square(rules, part.to))).collect()
    };
    let moves = moves.into_iter().map(|(played, text)| MoveView {
        then: rest(played),
        from: origin(rules, played),
        to: square(rules, played.to),
        drop: played.dropped().map(Kind::index),
        guest: played.guest,
        promotion: played.promotion.map(Kind::index),
        partner: castling_partner(rules, position, played).map(|at| square(rules, at)),
        text,
    });
    (can, moves.collect())
}

fn exchange_offer(rules: &Rules, exchange: &Exchange) -> ExchangeOffer {
    let leader = |(player, at): (Player, Square)| (player.index(), square(rules, at));
    ExchangeOffer {
        proposer: exchange.proposer.index(),
        answerer: exchange.answerer.index(),
        asked: leader(exchange.asked),
        given: leader(exchange.given),
    }
}

#[cfg(test)]
mod tests {
    use tabiya_referee::Action;

    use super::*;

    fn spec(name: &str) -> tabiya_spec::Game {
        tabiya_spec::library::load(name).expect("a library game")
    }

    #[test]
    fn the_board_turns_to_each_player() {
        let turns = |name| game(&spec(name), None).players.iter().map(|it| it.turn).collect::<Vec<_>>();
        assert_eq!(turns("chess"), [0, 2]);
        let four = turns("fourplayer");
        let mut sorted = four.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, [0, 1, 2, 3], "{four:?}");
    }

    #[test]
    fn move_texts_match_the_actions() {
        for name in ["chess", "enochian", "fourplayer", "nightrider", "chaturaji"] {
            let mut game = Game::new(spec(name).rules);
            for turn in 0..60 {
                let ways = game.required_actions();
                let written: Vec<String> =
                    ways.iter().map(|act| act.text(game.rules(), &game.state().position)).collect();
                let (can, moves) = choices(&game);
                if !can.throw {
                    assert_eq!(moves.into_iter().map(|it| it.text).collect::<Vec<_>>(), written, "{name}");
                }
                let Some(act) = ways.get(turn * 7 % ways.len().max(1)) else { break };
                game.submit(act).unwrap();
            }
        }
    }

    #[test]
    fn a_promotion_is_not_a_capture() {
        let rules = spec("chess").rules;
        let state = tabiya_notation::parse_state(&rules, "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        let captured_by = |text: &str| {
            let played = tabiya_notation::parse_uci(&rules, &state.position, text).unwrap();
            let after = rules.play(&state.position, played).unwrap();
            captured(&rules, &state.position, &after, Some(played)).0
        };
        assert_eq!(captured_by("a7a8q"), []);
        let knight = rules.kinds().find(|kind| rules.kind(*kind).code == "KNIGHT").unwrap().index();
        assert_eq!(captured_by("a7b8q"), [CapturedView { kind: knight, player: 1 }]);
    }

    #[test]
    fn hands_and_counters_are_shown() {
        let text = r#"{ "name": "Drops", "extends": "chess", "hands": { "captured_to": "CAPTOR" },
            "counters": { "checks": { "max": 3 } },
            "triggers": [{ "on": "CHECK", "effects": [{ "action": "ADD", "counter": "checks" }] }] }"#;
        let spec = tabiya_spec::load(text.as_bytes()).game.expect("a game");
        let shown = game(&spec, None);
        assert_eq!(shown.hands.and_then(|hands| hands.captured_to).as_deref(), Some("captor"));
        assert_eq!((shown.counters[0].code.as_str(), shown.counters[0].max), ("checks", 3));
        let rules = spec.rules;
        let mut game = Game::new(rules.clone());
        let (mut drops, mut hands, mut counters) = (0, hands(&rules, &rules.start()), vec![vec![0, 0]]);
        for turn in 0..300 {
            let before = game.state().position.clone();
            let Some((played, view)) = some_move(&game, turn) else { break };
            game.submit(&Action::Move(played)).unwrap();
            let after = &game.state().position;
            let (taken, returned) = captured(&rules, &before, after, Some(played));
            let is_capture = after.all_pieces().count() < before.all_pieces().count();
            assert_eq!((taken.len(), returned.len()), (usize::from(is_capture), 0));
            assert_eq!(view.from.is_none(), view.drop.is_some());
            drops += usize::from(view.drop.is_some());
            let now = state(&game, 0, None, None);
            for (player, kind, count) in changed_entries(&hands, &now.hands) {
                hands[player][kind] = count;
            }
            for (counter, player, value) in changed_entries(&counters, &now.counters) {
                counters[counter][player] = value;
            }
            assert_eq!((&hands, &counters), (&now.hands, &now.counters));
        }
        assert!(drops > 5, "{drops}");
    }

    /// Returns a legal move: a capture if there is one, every third time a drop.
    fn some_move(game: &Game, turn: usize) -> Option<(Move, MoveView)> {
        let position = &game.state().position;
        let moves = game.rules().legal_moves(position);
        let views = choices(game).1;
        assert_eq!(moves.len(), views.len());
        let mut all: Vec<(Move, MoveView)> = moves.into_iter().zip(views).collect();
        let is_wanted = |played: Move| match played.dropped() {
            Some(_) => turn.is_multiple_of(3),
            None => position.piece(played.to).is_some(),
        };
        let wanted: Vec<usize> = (0..all.len()).filter(|index| is_wanted(all[*index].0)).collect();
        let index = wanted.get(turn * 7 % wanted.len().max(1)).copied();
        let index = index.unwrap_or(turn * 7 % all.len().max(1));
        (index < all.len()).then(|| all.swap_remove(index))
    }

    #[test]
    fn changes_lead_from_one_board_to_the_next() {
        for name in ["chess", "enochian", "fourplayer", "trefoil"] {
            let rules = spec(name).rules;
            let mut game = Game::new(rules.clone());
            for turn in 0..200 {
                let before = game.state().position.clone();
                let ways = game.required_actions();
                let Some(act) = ways.get(turn * 7 % ways.len().max(1)) else { break };
                game.submit(act).unwrap();
                let after = &game.state().position;
                let mut shown = pieces(&rules, &before);
                for (at, now) in changes(&rules, &before, after) {
                    shown.retain(|piece| piece.at != at);
                    shown.extend(now);
                }
                let key = |piece: &PieceView| (piece.at, piece.guest);
                let mut wanted = pieces(&rules, after);
                wanted.sort_by_key(key);
                shown.sort_by_key(key);
                assert_eq!(shown, wanted, "{name}");
            }
        }
    }
}
