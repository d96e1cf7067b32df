//! Explains why a move is illegal, in a sentence that names the rule.

use tabiya_engine::blueprint::{Anchor, Condition, Event, Occupancy, RegionOf, SquareTest};
use tabiya_engine::ending::{Area, Clause, Owner};
use tabiya_engine::{CastlingFault, IllegalMove, Kind, Move, Offset, Position, Rules, Spot, Square};

use crate::uci::codes;

/// Returns the kind that is dropped, if the spot is the source of a drop.
fn dropped_kind(rules: &Rules, spot: Spot, to: Square) -> Option<Kind> {
    let played = Move { from: spot.square, to, pattern: 0, guest: spot.guest, promotion: None, then: 0 };
    played.dropped().filter(|kind| kind.index() < rules.kinds().len())
}

/// Explains why the move of the piece in a spot is illegal. The spot of a drop is that of [`Move::drop`].
pub fn explain_illegal_move(
    rules: &Rules,
    position: &Position,
    spot: Spot,
    to: Square,
    reason: &IllegalMove,
) -> String {
    let name = |square| rules.board().name(square);
    let (dropped, target) = (dropped_kind(rules, spot, to), name(to));
    let source = if dropped.is_some() { "the hand".to_owned() } else { name(spot.square) };
    let kind = dropped.or_else(|| position.piece_at(spot).map(|piece| piece.kind));
    let piece = kind.map_or("piece", |kind| rules.kind(kind).code.as_str());
    let written = match dropped {
        Some(kind) => format!("{}@{target}", rules.kind(kind).symbol.written(rules.mover(position))),
        None => format!("{source}{target}"),
    };
    let leader = rules.leader().map_or("leader", |kind| rules.kind(kind).code.as_str());
    match reason {
        IllegalMove::GameOver => "the game is over".into(),
        IllegalMove::NoSuchSquare => "that is not a square of this board".into(),
        IllegalMove::NoPiece => format!("there is no piece on {source}"),
        IllegalMove::NotYours(owner) => {
            let (owner, mover) = (&rules.player(*owner).name, &rules.player(rules.mover(position)).name);
            format!("the {piece} on {source} belongs to {owner}, but it is {mover}'s turn")
        }
        IllegalMove::OutOfReach(_) => format!("the {piece} cannot move from {source} to {target}"),
        IllegalMove::Blocked(square) => {
            format!("the {piece} cannot move from {source} to {target}: it is blocked on {}", name(*square))
        }
        IllegalMove::NoHurdle { needed: 1, .. } => {
            format!(
                "the {piece} cannot move from {source} to {target}: there is no piece in between to jump over"
            )
        }
        IllegalMove::NoHurdle { needed, met } => format!(
            "the {piece} cannot move from {source} to {target}: it must jump over {needed} pieces, and there {} in between",
            match met {
                0 => "is none".to_owned(),
                1 => "is 1".to_owned(),
                _ => format!("are {met}"),
            }
        ),
        IllegalMove::NotAHurdle(square) => format!(
            "the {piece} cannot move from {source} to {target}: the piece on {} cannot be jumped over",
            name(*square)
        ),
        IllegalMove::TooFarBeyond { hurdle, beyond } => {
            let hurdle = name(*hurdle);
            let squares = match beyond {
                1 => format!("on the square behind {hurdle}"),
                _ => format!("at most {beyond} steps behind {hurdle}"),
            };
            format!("the {piece} cannot move from {source} to {target}: it lands {squares}")
        }
        IllegalMove::NoAction { state, .. } => {
            let what = match state {
                Occupancy::Empty => "is empty",
                Occupancy::Ally => "holds a piece of the same player",
                Occupancy::Team => "holds a partner's piece",
                Occupancy::Enemy | Occupancy::NotEmpty => {
                    return format!(
                        "the {piece} can move from {source} to {target}, but it cannot capture that way"
                    );
                }
            };
            format!("the {piece} cannot move from {source} to {target}, which {what}")
        }
        IllegalMove::Protected => format!("the {piece} cannot capture the piece on {target}"),
        IllegalMove::LeaderMustMove => format!("your {leader} is attacked and must move"),
        IllegalMove::Restricted => {
            format!("the rules do not allow {written}: it does not meet the `restrictions` of the game")
        }
        IllegalMove::Turn => {
            format!(
                "no legal turn begins with {written}: it cannot be completed, or another turn captures more"
            )
        }
        IllegalMove::LowPriority => {
            format!(
                "{written} is not allowed now: other moves must be played first, by the `priority` of the game"
            )
        }
        IllegalMove::NotInHand(_) => format!("there is no {piece} in your hand"),
        IllegalMove::NoDrop(_) if position.piece(to).is_some() => {
            format!("the {piece} cannot be dropped on {target}, which is not empty")
        }
        IllegalMove::NoDrop(_) => format!("this game has no drops of the {piece}"),
        IllegalMove::NotAvailable => "no throw, exchange or withdrawal is possible now".into(),
        IllegalMove::ThrowFirst => "the die must be thrown first".into(),
        IllegalMove::DieForbids => format!("the die does not allow the {piece} to move"),
        IllegalMove::Condition { condition, .. } if dropped.is_some() => {
            let rule = condition_text(rules, position, Spot::host(to), condition);
            format!("the {piece} can be dropped on {target} only if {rule}")
        }
        IllegalMove::Condition { condition, .. } => {
            let rule = condition_text(rules, position, spot, condition);
            format!("the {piece} can move from {source} to {target} only if {rule}")
        }
        IllegalMove::Castling { fault, .. } => {
            let why = match fault {
                CastlingFault::Moved => "it has moved".to_owned(),
                CastlingFault::NoPartner => "there is no partner on that side".into(),
                CastlingFault::PartnerMoved(square) => format!("its partner on {} has moved", name(*square)),
                CastlingFault::Blocked(square) => format!("{} must be empty", name(*square)),
                CastlingFault::Attacked(square) => format!("{} is attacked", name(*square)),
            };
            format!("the {piece} cannot castle from {source} to {target}: {why}")
        }
        IllegalMove::EffectBlocked { .. } => {
            format!(
                "the {piece} moves another piece along from {source} to {target}, whose square is not free"
            )
        }
        IllegalMove::LosesLeader => format!("the move would remove your own {leader}"),
        IllegalMove::ExposesLeader if rules.in_check(position, rules.mover(position)) => {
            format!("your {leader} would still be attacked after {written}")
        }
        IllegalMove::ExposesLeader => format!("your {leader} would be attacked after {written}"),
        IllegalMove::Promotion(options) if options.is_empty() => {
            format!("the {piece} is not promoted on {target}")
        }
        IllegalMove::Promotion(options) => {
            format!("on {target} the {piece} can be promoted only to {}", codes(rules, options))
        }
    }
}

fn condition_text(rules: &Rules, position: &Position, spot: Spot, condition: &Condition) -> String {
    let orientation = rules.player(rules.mover(position)).orientation;
    let at = |offset: Offset| match rules.board().step(spot.square, orientation.turn(offset)) {
        Some(square) => rules.board().name(square),
        None => format!("[{},{}] from it (off the board)", offset.dx, offset.dy),
    };
    match condition {
        Condition::FirstMove => "it has never moved (FIRST_MOVE)".into(),
        Condition::DependsOn(other) => {
            let kind = position.piece_at(spot).map(|piece| rules.kind(piece.kind));
            let other = kind.and_then(|kind| kind.moves.get(usize::from(*other)));
            let target = other.map_or_else(String::new, |plan| format!(" to {}", at(plan.step)));
            format!("it can also step{target} (DEPENDS_ON)")
        }
        Condition::PieceUnmoved(offset) => {
            format!("there is a piece on {} that has never moved (PIECE_FIRST_MOVE)", at(*offset))
        }
        Condition::EmptyOrUnmoved(offset) => {
            format!("there is no piece on {} that has moved (ROOK_FIRST_MOVE)", at(*offset))
        }
        Condition::HasFlag(flag, offset) => {
            format!("the piece on {} has the flag {} (CHECK_STATE)", at(*offset), rules.flag(*flag))
        }
        Condition::Marked(flag) => {
            format!("an enemy piece with the flag {} marks that square (MARKED)", rules.flag(*flag))
        }
        Condition::PathEmpty => "all squares in between are empty (PATH_EMPTY)".into(),
        Condition::NotAttacked => "the target square is not attacked (NOT_ATTACKED)".into(),
        Condition::PathNotAttacked => {
            "no square on its path, first and last included, is attacked (PATH_NOT_ATTACKED)".into()
        }
        Condition::InRegion(region) => {
            format!("it lands on a square of {}", rules.region(*region).code)
        }
        Condition::Region { region, of, at } => {
            let code = &rules.region(*region).code;
            let whose = match of {
                RegionOf::Own => "the player's own",
                RegionOf::Partner => "a partner's",
                RegionOf::Enemy => "an enemy's",
                RegionOf::Any => "any player's",
            };
            let verb = if *at == Anchor::Source { "comes from" } else { "lands on" };
            format!("it {verb} a square of {whose} {code} (IN_REGION)")
        }
        Condition::Position(clause) => clause_text(rules, clause),
        Condition::Attacked(test) => {
            let place = match test.anchor {
                Anchor::Source => at(test.offset),
                Anchor::Target if test.offset == Offset::new(0, 0) => "the target square".into(),
                Anchor::Target => format!("[{},{}] from the target", test.offset.dx, test.offset.dy),
            };
            let (verb, word) =
                if test.defended { ("defended", "DEFENDED") } else { ("attacked", "ATTACKED") };
            let by = test.by.as_ref().map_or_else(String::new, |by| format!(" by {}", codes(rules, by)));
            format!("{place} is {verb}{by} ({word})")
        }
        Condition::Event(test) => {
            let what = match test.event {
                Event::Captured => "it captures",
                Event::Promoted => "it is promoted to",
                Event::Moved => "the moving piece is",
                Event::Castled => "it castles with",
                Event::Dropped => "the dropped piece is",
                Event::Stayed => "the piece that stays is",
                Event::Shot => "the piece that shoots is",
                Event::Check => "it gives check with",
            };
            let kinds = test.kinds.as_ref().map_or_else(|| "a piece".to_owned(), |it| codes(rules, it));
            format!("{what} {kinds} (EVENT)")
        }
        Condition::After(list) => {
            let texts: Vec<String> = list.iter().map(|clause| clause_text(rules, clause)).collect();
            format!("after the move {} (AFTER)", texts.join(" and "))
        }
        Condition::Any(lists) => {
            let text = |list: &Vec<Condition>| {
                let texts = list.iter().map(|it| condition_text(rules, position, spot, it));
                texts.collect::<Vec<_>>().join(" and ")
            };
            lists.iter().map(text).collect::<Vec<_>>().join(", or ")
        }
        Condition::Not(list) => {
            let texts = list.iter().map(|it| condition_text(rules, position, spot, it));
            format!("it is not the case that {} (NOT)", texts.collect::<Vec<_>>().join(" and "))
        }
        Condition::Square(test) => {
            let place = match test.anchor {
                Anchor::Source => at(test.offset),
                Anchor::Target => format!("[{},{}] from the target", test.offset.dx, test.offset.dy),
            };
            format!("there is {} (SQUARE)", square_text(rules, test, &place))
        }
    }
}

fn clause_text(rules: &Rules, clause: &Clause) -> String {
    let all = |list: &[Clause]| {
        list.iter().map(|clause| clause_text(rules, clause)).collect::<Vec<_>>().join(" and ")
    };
    let whose = |owner: &Owner| match owner {
        Owner::Own => "the player",
        Owner::Enemy => "an opponent",
        Owner::Any => "a player",
        Owner::Partner => "a partner",
        Owner::Team => "a player of the team",
        Owner::Neutral => "a neutral player",
    };
    match clause {
        Clause::Count(census) => {
            let kinds = codes(rules, &census.kinds);
            let most = census.max.map(|max| format!("at most {max}")).unwrap_or_default();
            let least = if census.min > 0 { format!("at least {}", census.min) } else { String::new() };
            let fewer = match census.lost {
                0 => String::new(),
                lost => format!("{lost} fewer than at the start"),
            };
            let numbers: Vec<String> =
                [least, most, fewer].into_iter().filter(|text| !text.is_empty()).collect();
            let place = match census.area {
                None => "",
                Some(Area::File(_)) => " on the file",
                Some(Area::Rank(_)) => " on the rank",
                Some(Area::Adjacent(_)) => " next to the square",
                Some(Area::Square(_)) => " on the square",
                Some(Area::Flanked(..)) => " in flanked runs",
                Some(Area::Attacked(_)) => " attacked by the piece",
                Some(Area::Behind) => " behind",
                Some(Area::Ahead) => " ahead",
                Some(Area::Between) => " in between",
                Some(Area::Hand) => " in hand",
            };
            format!("there are {} of {kinds}{place} (COUNT)", numbers.join(" and "))
        }
        Clause::InCheck(owner) => format!("{} is in check (IN_CHECK)", whose(owner)),
        Clause::Compare(_) => "a comparison holds (COMPARE)".into(),
        Clause::Facing(_) => "two pieces face each other (FACING)".into(),
        Clause::Captive(owner) => format!("the leader of {} is captive (CAPTIVE)", whose(owner)),
        Clause::Controlled(owner) => format!("the army of {} is controlled (CONTROLLED)", whose(owner)),
        Clause::Stuck { owner, .. } => format!("{} has no legal move (STUCK)", whose(owner)),
        Clause::CannotWin(owner) => format!("{} cannot win (CANNOT_WIN)", whose(owner)),
        Clause::Repetition(times) => format!("the position occurs {times} times (REPETITION)"),
        Clause::PerpetualCheck { times, owner } => {
            format!("the position occurs {times} times while {} gives check (REPETITION)", whose(owner))
        }
        Clause::Quiet(turns) => format!("{turns} turns were quiet (QUIET)"),
        Clause::Any(lists) => lists.iter().map(|list| all(list)).collect::<Vec<_>>().join(", or "),
        Clause::Not(list) => format!("it is not the case that {} (NOT)", all(list)),
    }
}

/// Describes what must be on a square: `a ROOK of yours on h1 that has never moved`.
fn square_text(rules: &Rules, test: &SquareTest, place: &str) -> String {
    let what = test.kinds.as_ref().map_or_else(|| "piece".to_owned(), |kinds| codes(rules, kinds));
    let whose = match test.state {
        Some(Occupancy::Empty) => return format!("no piece on {place}"),
        Some(Occupancy::Ally) => " of yours",
        Some(Occupancy::Team) => " of a partner",
        Some(Occupancy::Enemy) => " of another player",
        Some(Occupancy::NotEmpty) | None => "",
    };
    let moved = match test.unmoved {
        Some(true) => " that has never moved",
        Some(false) => " that has moved",
        None => "",
    };
    let article = if what.starts_with(['A', 'E', 'I', 'O', 'U']) { "an" } else { "a" };
    format!("{article} {what}{whose} on {place}{moved}")
}
