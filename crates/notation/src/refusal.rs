//! Why a move is not legal, in words that name the rule.

use tabiya_engine::blueprint::{Anchor, Condition, Occupancy, RegionOf, SquareTest};
use tabiya_engine::{IllegalMove, Offset, Position, Rules, Square};

use crate::moves::codes;

/// The sentence for a refusal of the move between two squares.
pub fn refusal_text(
    rules: &Rules,
    position: &Position,
    from: Square,
    to: Square,
    refusal: &IllegalMove,
) -> String {
    let name = |square| rules.board().name(square);
    let (source, target) = (name(from), name(to));
    let piece = position.piece(from).map_or("piece", |piece| rules.kind(piece.kind).code.as_str());
    let leader = rules.leader().map_or("leader", |kind| rules.kind(kind).code.as_str());
    match refusal {
        IllegalMove::GameOver => "the game is over".into(),
        IllegalMove::NoSuchSquare => "that is not a square of this board".into(),
        IllegalMove::NoPiece => format!("no piece stands on {source}"),
        IllegalMove::NotYours(owner) => {
            let (owner, mover) = (&rules.player(*owner).name, &rules.player(rules.mover(position)).name);
            format!("the {piece} on {source} belongs to {owner}, and it is {mover}'s turn")
        }
        IllegalMove::OutOfReach(_) => format!("no move of a {piece} leads from {source} to {target}"),
        IllegalMove::Blocked(square) => {
            format!("the {piece} does not get from {source} to {target}: its way ends on {}", name(*square))
        }
        IllegalMove::NoAction { state, .. } => {
            let what = match state {
                Occupancy::Empty => "is empty",
                Occupancy::Ally => "holds a piece of its own player",
                Occupancy::Team => "holds a piece of a partner",
                Occupancy::Enemy | Occupancy::NotEmpty => {
                    return format!("the {piece} goes from {source} to {target}, but does not capture so");
                }
            };
            format!("the {piece} does not go from {source} to {target}, which {what}")
        }
        IllegalMove::Protected => format!("the {piece} cannot capture what stands on {target}"),
        IllegalMove::LeaderMustMove => format!("your {leader} is attacked and can move, so it must"),
        IllegalMove::NotAvailable => "there is nothing to throw, to exchange or to hand over now".into(),
        IllegalMove::ThrowFirst => "the die must be thrown first".into(),
        IllegalMove::DieForbids => format!("the die does not allow a {piece} to move"),
        IllegalMove::Condition { condition, .. } => {
            let rule = condition_text(rules, position, from, condition);
            format!("the {piece} goes from {source} to {target} only if {rule}")
        }
        IllegalMove::EffectBlocked { .. } => {
            format!(
                "from {source} to {target} the {piece} takes another piece along, and there is no room for it"
            )
        }
        IllegalMove::LosesLeader => format!("the move would remove your own {leader}"),
        IllegalMove::ExposesLeader if rules.in_check(position, rules.mover(position)) => {
            format!("your {leader} is attacked and would still be after {source}{target}")
        }
        IllegalMove::ExposesLeader => format!("your {leader} would be attacked after {source}{target}"),
        IllegalMove::Promotion(options) if options.is_empty() => {
            format!("the {piece} does not become another piece on {target}")
        }
        IllegalMove::Promotion(options) => {
            format!("on {target} the {piece} becomes one of {}", codes(rules, options))
        }
    }
}

fn condition_text(rules: &Rules, position: &Position, from: Square, condition: &Condition) -> String {
    let orientation = rules.player(rules.mover(position)).orientation;
    let at = |offset: Offset| match rules.board().step(from, orientation.turn(offset)) {
        Some(square) => rules.board().name(square),
        None => format!("[{},{}] from it, which is off the board,", offset.dx, offset.dy),
    };
    match condition {
        Condition::FirstMove => "the piece has never moved (FIRST_MOVE)".into(),
        Condition::DependsOn(other) => {
            let kind = position.piece(from).map(|piece| rules.kind(piece.kind));
            let other = kind.and_then(|kind| kind.moves.get(usize::from(*other)));
            let way = other.map_or_else(String::new, |plan| format!(" to {}", at(plan.step)));
            format!("it can step{way}, too (DEPENDS_ON)")
        }
        Condition::PieceUnmoved(offset) => {
            format!("a piece that has never moved stands on {} (PIECE_FIRST_MOVE)", at(*offset))
        }
        Condition::EmptyOrUnmoved(offset) => {
            format!("no piece that has moved stands on {} (ROOK_FIRST_MOVE)", at(*offset))
        }
        Condition::HasFlag(flag, offset) => {
            format!("the piece on {} carries the flag {} (CHECK_STATE)", at(*offset), rules.flag(*flag))
        }
        Condition::PathEmpty => "all squares between are empty (PATH_EMPTY)".into(),
        Condition::NotAttacked => "the square where it lands is not attacked (NOT_ATTACKED)".into(),
        Condition::PathNotAttacked => {
            "no square of its way is attacked, from the first to the last (PATH_NOT_ATTACKED)".into()
        }
        Condition::InRegion(region) => {
            format!("it lands on a square of {}", rules.region(*region).code)
        }
        Condition::Region { region, of, at } => {
            let code = &rules.region(*region).code;
            let whose = match of {
                RegionOf::Own => "its own player's",
                RegionOf::Partner => "a partner's",
                RegionOf::Enemy => "an enemy's",
                RegionOf::Any => "anybody's",
            };
            let what = if *at == Anchor::Source { "it comes from" } else { "it lands on" };
            format!("{what} a square of {whose} {code} (IN_REGION)")
        }
        Condition::Count { census, lost } => {
            let kinds = codes(rules, &census.kinds);
            let most = census.max.map(|max| format!("at most {max}")).unwrap_or_default();
            let least = if census.min > 0 { format!("at least {}", census.min) } else { String::new() };
            let fewer = if *lost > 0 { format!("{lost} fewer than at the start") } else { String::new() };
            let numbers: Vec<String> =
                [least, most, fewer].into_iter().filter(|text| !text.is_empty()).collect();
            format!("there are {} of {kinds} (COUNT)", numbers.join(" and "))
        }
        Condition::Square(test) => {
            let place = match test.anchor {
                Anchor::Source => at(test.offset),
                Anchor::Target => format!("[{},{}] from the landing", test.offset.dx, test.offset.dy),
            };
            format!("{} on {place} (SQUARE)", square_text(rules, test))
        }
    }
}

fn square_text(rules: &Rules, test: &SquareTest) -> String {
    let kinds = test.kinds.as_ref().map(|kinds| codes(rules, kinds));
    let what = match (test.state, kinds) {
        (Some(Occupancy::Empty), _) => return "nothing stands".into(),
        (Some(Occupancy::Ally), Some(kinds)) => format!("a {kinds} of your own"),
        (Some(Occupancy::Ally), None) => "a piece of your own".into(),
        (Some(Occupancy::Team), Some(kinds)) => format!("a {kinds} of a partner"),
        (Some(Occupancy::Team), None) => "a piece of a partner".into(),
        (Some(Occupancy::Enemy), Some(kinds)) => format!("a {kinds} of another player"),
        (Some(Occupancy::Enemy), None) => "a piece of another player".into(),
        (_, Some(kinds)) => format!("a {kinds}"),
        (_, None) => "a piece".into(),
    };
    match test.unmoved {
        Some(true) => format!("{what} that has never moved stands"),
        Some(false) => format!("{what} that has moved stands"),
        None => format!("{what} stands"),
    }
}
