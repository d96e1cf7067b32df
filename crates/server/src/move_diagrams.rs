//! Diagrams of how each piece kind moves. They are found by experiment: the piece stands alone on the board, and then
//! together with one enemy piece after another. For slides over pieces, these stand in the way.

use std::time::Instant;

use tabiya_engine::ending::Owner;
use tabiya_engine::{Die, Kind, Piece, Player, Position, Rules, Setup, Square};
use tabiya_spec::Workload;
use tabiya_spec::limits::POSITION_WORK;

use crate::http_types::MoveDiagram;
use crate::limits;
use crate::view::square;

/// The largest distance at which captures are tried.
const MAX_DISTANCE: u32 = 8;

/// Returns a diagram for each piece kind, as far as the time limit allows. Kinds that no position of a server can have are left
/// out.
pub(crate) fn move_diagrams(rules: &Rules) -> Vec<MoveDiagram> {
    let deadline = Instant::now() + limits::MAX_DIAGRAMS_TIME;
    let workload = Workload::new(rules);
    let is_possible = |kind: &Kind| workload.of_kind(*kind) <= POSITION_WORK;
    let kinds = rules.kinds().filter(is_possible).take_while(|_| Instant::now() < deadline);
    kinds.map(|kind| move_diagram(rules, kind, deadline)).collect()
}

fn move_diagram(rules: &Rules, kind: Kind, deadline: Instant) -> MoveDiagram {
    let start = rules.blueprint().start();
    let player = start.iter().find(|placed| placed.kind == kind).map_or(Player(0), |placed| placed.player);
    let at = center(rules);
    // A piece may have moves that depend on whether it has moved.
    let piece = |unmoved: bool| (at, Piece { kind, player, unmoved });
    let enemy = rules.players().find(|other| !rules.team(player).contains(*other));
    let mut goes: Vec<Square> =
        [true, false].into_iter().flat_map(|unmoved| quiet_targets(rules, piece(unmoved), enemy)).collect();
    goes.sort_unstable();
    goes.dedup();
    let is_near = |other: &Square| *other != at && rules.board().distance(at, *other) <= MAX_DISTANCE;
    // An attacked leader would end the game. Some kinds cannot capture each other, so all are tried.
    let is_victim = |other: &Kind| rules.leader() != Some(*other) && Instant::now() < deadline;
    let victims = || rules.kinds().filter(is_victim);
    let can_capture = |target: &Square| {
        enemy.is_some_and(|enemy| {
            victims().any(|kind| {
                let victim = (*target, Piece { kind, player: enemy, unmoved: false });
                targets(rules, &[piece(false), victim], player).contains(target)
            })
        })
    };
    let near = rules.board().squares().filter(is_near).take_while(|_| Instant::now() < deadline);
    let takes: Vec<Square> = near.filter(can_capture).collect();
    let (mut hops, mut hop_takes) = (Vec::new(), Vec::new());
    for (hurdles, target) in hop_setups(rules, kind, player, at).into_iter().filter(|(_, to)| is_near(to)) {
        let with = |more: Option<(Square, Piece)>| {
            let pieces: Vec<_> =
                std::iter::once(piece(false)).chain(hurdles.iter().copied()).chain(more).collect();
            targets(rules, &pieces, player).contains(&target)
        };
        if !goes.contains(&target) && !hops.contains(&target) && with(None) {
            hops.push(target);
        }
        let captures = |enemy: Player| {
            victims().any(|kind| with(Some((target, Piece { kind, player: enemy, unmoved: false }))))
        };
        if !takes.contains(&target) && !hop_takes.contains(&target) && enemy.is_some_and(captures) {
            hop_takes.push(target);
        }
    }
    hops.sort_unstable();
    hop_takes.sort_unstable();
    let shown =
        |squares: Vec<Square>| -> Vec<_> { squares.into_iter().map(|it| square(rules, it)).collect() };
    MoveDiagram {
        kind: kind.index(),
        player: player.index(),
        files: rules.board().files(),
        ranks: rules.board().ranks(),
        at: square(rules, at),
        goes: shown(goes),
        takes: shown(takes),
        hops: shown(hops),
        hop_takes: shown(hop_takes),
    }
}

/// Returns a target for each slide over pieces and each distance, with pieces directly before it to jump over.
fn hop_setups(rules: &Rules, kind: Kind, player: Player, at: Square) -> Vec<(Vec<(Square, Piece)>, Square)> {
    let mut setups = Vec::new();
    for plan in &rules.kind(kind).moves {
        let Some(hurdles) = &plan.repeat.hurdles else { continue };
        let fits = |other: &Kind| {
            rules.leader() != Some(*other) && hurdles.kinds.as_ref().is_none_or(|it| it.contains(other))
        };
        let is_fitting_owner = |other: &Player| match hurdles.owner {
            Owner::Any | Owner::Own | Owner::Team => *other == player,
            Owner::Enemy => !rules.team(player).contains(*other),
            Owner::Partner => *other != player && rules.team(player).contains(*other),
            Owner::Neutral => rules.mechanics().neutral.contains(*other),
        };
        let (Some(hurdle), Some(owner)) = (rules.kinds().find(fits), rules.players().find(is_fitting_owner))
        else {
            continue;
        };
        let step = rules.player(player).orientation.turn(plan.step);
        let way = rules.board().slide(at, step);
        let (first, last) =
            (plan.repeat.first_landing() as usize, plan.repeat.max.map_or(usize::MAX, |it| it as usize));
        for steps in first..=way.len().min(last) {
            let before = &way[steps - 1 - hurdles.count as usize..steps - 1];
            let jumped = before.iter().map(|at| (*at, Piece { kind: hurdle, player: owner, unmoved: false }));
            setups.push((jumped.collect(), way[steps - 1]));
        }
    }
    setups
}

/// Returns the squares that a piece can move to without a capture.
fn quiet_targets(rules: &Rules, piece: (Square, Piece), enemy: Option<Player>) -> Vec<Square> {
    let player = piece.1.player;
    let is_over = positions(rules, &[piece], player).iter().any(|position| position.ended().is_some());
    let enemy = match enemy {
        Some(enemy) if is_over => enemy,
        _ => return targets(rules, &[piece], player),
    };
    // A leader alone on the board has won, and a game that is over has no moves. So an enemy piece stands far away: in one
    // corner, then in another, because it may be in the way.
    let (first, last) = (rules.board().squares().next(), rules.board().squares().last());
    let kind = rules.kinds().find(|kind| rules.leader() != Some(*kind)).unwrap_or(piece.1.kind);
    let corners = [first, last].into_iter().flatten().filter(|corner| *corner != piece.0);
    corners
        .flat_map(|corner| {
            let other = (corner, Piece { kind, player: enemy, unmoved: false });
            targets(rules, &[piece, other], player).into_iter().filter(move |to| *to != corner)
        })
        .collect()
}

/// Returns the target squares of the first piece.
fn targets(rules: &Rules, pieces: &[(Square, Piece)], player: Player) -> Vec<Square> {
    let positions = positions(rules, pieces, player);
    let moves = positions.iter().flat_map(|position| rules.legal_moves(position));
    moves.filter(|played| played.from == pieces[0].0).map(|played| played.to).collect()
}

/// Returns the positions in which a player is to move, one for each face of a die.
fn positions(rules: &Rules, pieces: &[(Square, Piece)], player: Player) -> Vec<Position> {
    let order = rules.order();
    let slot = order.iter().position(|other| *other == player).unwrap_or_default() as u16;
    // With a die, the piece has the moves of every face.
    let dice: Vec<Option<Die>> = match rules.faces() {
        Some(faces) => (1..=faces).map(|face| Some(Die::Shows(face))).collect(),
        None => vec![None],
    };
    let setups = dice.into_iter().map(|die| Setup { pieces: pieces.to_vec(), slot, die, ..Setup::default() });
    setups.filter_map(|setup| rules.position(&setup).ok()).collect()
}

/// Returns the existing square nearest to the center of the board.
fn center(rules: &Rules) -> Square {
    let board = rules.board();
    let sizes = [board.files(), board.level_ranks(), board.levels()];
    let middle = sizes.map(|size| i32::from(size - 1) / 2);
    let distance = |other: &Square| {
        let place = board.place(*other);
        (0..3).map(|axis| (place[axis] - middle[axis]).abs()).max()
    };
    board.squares().min_by_key(distance).unwrap_or(Square(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chess_pieces_have_their_usual_moves() {
        let rules = tabiya_spec::library::load("chess").unwrap().rules;
        let diagrams = move_diagrams(&rules);
        let of =
            |code: &str| diagrams.iter().find(|it| rules.kind(Kind(it.kind as u8)).code == code).expect(code);
        let pawn = of("PAWN");
        let at = crate::http_types::Square;
        assert_eq!((pawn.at, pawn.goes.as_slice()), (at([3, 3]), &[at([3, 4]), at([3, 5])][..]));
        assert_eq!(pawn.takes, [at([2, 4]), at([4, 4])]);
        assert_eq!(of("KNIGHT").goes.len(), 8);
        assert_eq!(of("KNIGHT").takes.len(), 8);
        assert_eq!(of("QUEEN").goes.len(), 27);
    }

    #[test]
    fn slides_over_pieces_are_marked() {
        let rules = tabiya_spec::library::load("shako").unwrap().rules;
        let diagrams = move_diagrams(&rules);
        let of =
            |code: &str| diagrams.iter().find(|it| rules.kind(Kind(it.kind as u8)).code == code).expect(code);
        let cannon = of("CANNON");
        assert_eq!((cannon.goes.len(), cannon.takes.len()), (18, 0));
        assert_eq!((cannon.hops.len(), cannon.hop_takes.len()), (0, 14), "not on the squares beside it");
        assert!(of("ROOK").hop_takes.is_empty());
        let rules = tabiya_spec::library::load("grasshopper").unwrap().rules;
        let diagrams = move_diagrams(&rules);
        let grasshopper = diagrams.iter().find(|it| rules.kind(Kind(it.kind as u8)).code == "GRASSHOPPER");
        let grasshopper = grasshopper.expect("a grasshopper");
        assert!(grasshopper.goes.is_empty() && grasshopper.takes.is_empty());
        assert_eq!((grasshopper.hops.len(), grasshopper.hop_takes.len()), (19, 19));
    }

    #[test]
    fn a_die_does_not_hide_moves() {
        let rules = tabiya_spec::library::load("chaturaji").unwrap().rules;
        for diagram in move_diagrams(&rules) {
            let kind = Kind(diagram.kind as u8);
            let code = &rules.kind(kind).code;
            assert!(!diagram.goes.is_empty() && !diagram.takes.is_empty(), "{code}");
            if Some(kind) == rules.leader() {
                assert_eq!(
                    (diagram.goes.len(), diagram.takes.len()),
                    (8, 8),
                    "{code} goes one step in each direction"
                );
            }
        }
    }
}
