//! Castling rights and the castling field of FEN, for every game that has castling.
//!
//! Castling is a castling move of the rules, or a move of an unmoved leader that relocates another piece of its player. In a
//! game without a leader, any unmoved piece may relocate another. The other piece is the partner. The right to castle
//! exists while both are unmoved on their starting squares. `K` is the side of the partner on the higher file (on the same
//! file: the higher rank), `Q` the other side.
//!
//! The castling moves of the rules are possible from every square of their line. A right with other than the starting
//! squares is written as the file of the partner (`HAha`, known as Shredder-FEN), also in games with one starting array.

use tabiya_engine::blueprint::{CastlePlan, Condition, Effect, MovePlan, Occupancy};
use tabiya_engine::{Kind, Move, Piece, Player, Position, Rules, Spot, Square};

/// A right to castle: a piece and its partner on their starting squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CastlingRight {
    /// The player who has the right.
    pub player: Player,
    /// The starting square of the piece that castles: the leader, if the game has one.
    pub mover: Square,
    /// The partner's starting square.
    pub partner: Square,
    letter: &'static str,
}

impl CastlingRight {
    /// Returns whether the right is written `K`: the partner stands on the higher file.
    pub fn is_kingside(&self) -> bool {
        self.letter == "K"
    }

    pub(crate) fn text(&self) -> String {
        self.player.mark(self.letter)
    }

    /// Returns the right as the file of the partner.
    fn file_text(&self, rules: &Rules) -> String {
        let file = rules.board().file_name(rules.board().coords(self.partner).0 as u32);
        self.player.mark(&file.to_uppercase())
    }

    /// Returns whether both pieces stand on their starting squares, moved or not.
    fn is_in_place(&self, rules: &Rules, piece: impl Fn(Square) -> Option<Piece>) -> bool {
        let start = rules.blueprint().start();
        [self.mover, self.partner].into_iter().all(|square| {
            start.iter().any(|placed| {
                placed.square == square
                    && piece(square).is_some_and(|it| (it.player, it.kind) == (placed.player, placed.kind))
            })
        })
    }
}

/// Returns every castling right that the game can start with, ordered by player, `K` before `Q`.
pub fn castling_rights(rules: &Rules) -> Vec<CastlingRight> {
    let start = rules.blueprint().start();
    let mut rights: Vec<CastlingRight> = Vec::new();
    for placed in start.iter().filter(|placed| may_castle(rules, placed.kind)) {
        for plan in plans(rules, placed.kind) {
            for (partner, kind) in partners(rules, plan, |_| true, (placed.square, placed.player)) {
                let exists = start.iter().any(|other| {
                    (other.square, other.player) == (partner, placed.player)
                        && kind.is_none_or(|kind| kind == other.kind)
                });
                let right = right(rules, placed.player, placed.square, partner);
                if exists && !rights.contains(&right) {
                    rights.push(right);
                }
            }
        }
    }
    let placed = |square| start.iter().find(|it| it.square == square).map(|it| (it.player, it.kind));
    for right in rights_on(rules, placed) {
        if !rights.contains(&right) {
            rights.push(right);
        }
    }
    rights.sort_by_key(|right| (right.player, right.letter, right.mover, right.partner));
    rights
}

fn right(rules: &Rules, player: Player, mover: Square, partner: Square) -> CastlingRight {
    CastlingRight { player, mover, partner, letter: side(rules, mover, partner) }
}

/// Returns the rights that the castling moves of the rules allow on a board, wherever the pieces stand.
fn rights_on(rules: &Rules, piece: impl Fn(Square) -> Option<(Player, Kind)>) -> Vec<CastlingRight> {
    let board = rules.board();
    let mut rights = Vec::new();
    for (mover, (player, kind)) in board.squares().filter_map(|square| Some((square, piece(square)?))) {
        for plan in &rules.kind(kind).castles {
            let is_partner = |square: &Square| {
                piece(*square).is_some_and(|(owner, kind)| owner == player && plan.partners.contains(&kind))
            };
            let partners = beside(rules, plan, player, mover).filter(is_partner);
            rights.extend(partners.map(|partner| right(rules, player, mover, partner)));
        }
    }
    rights
}

/// Returns the squares on which a partner of a castling move may stand.
fn beside(rules: &Rules, plan: &CastlePlan, player: Player, mover: Square) -> impl Iterator<Item = Square> {
    let board = rules.board();
    let side = plan.targets[player.index()].and_then(|targets| plan.side(board, mover, targets));
    let step = move |at: &Square| board.within(*at, side?);
    std::iter::successors(step(&mover), step)
}

/// Returns whether moves of a kind can be castling: those of the leader, or of any kind if there is no leader.
fn may_castle(rules: &Rules, kind: Kind) -> bool {
    rules.leader().is_none_or(|leader| leader == kind)
}

/// Returns the moves of a kind that require it to be unmoved.
fn plans(rules: &Rules, kind: Kind) -> impl Iterator<Item = &MovePlan> {
    rules.kind(kind).moves.iter().filter(|plan| plan.conditions.contains(&Condition::FirstMove))
}

/// Returns the squares from which a castling move relocates a partner, each with the required kind.
fn partners(
    rules: &Rules,
    plan: &MovePlan,
    happens: impl Fn(Occupancy) -> bool,
    (mover, player): (Square, Player),
) -> Vec<(Square, Option<Kind>)> {
    let orientation = rules.player(player).orientation;
    let actions = plan.actions.iter().filter(|action| happens(action.on)).flat_map(|action| &action.effects);
    let sources = plan.effects.iter().chain(actions).filter_map(|effect| match effect {
        Effect::Relocate { kind, from, .. } => {
            Some((rules.board().step(mover, orientation.turn(*from))?, *kind))
        }
        _ => None,
    });
    sources.filter(|(partner, _)| *partner != mover).collect()
}

/// Returns the side, `K` or `Q`, to which a legal move castles, if its partner is actually there.
pub(crate) fn side_of(rules: &Rules, position: &Position, played: Move) -> Option<&'static str> {
    castling_partner(rules, position, played).map(|partner| side(rules, played.from, partner))
}

/// Returns the square of the partner with which a legal move castles: the rook's in chess.
///
/// # Examples
///
/// ```
/// use tabiya_notation::{castling_partner, parse_state, parse_uci};
///
/// let chess = tabiya_spec::library::load("chess").unwrap();
/// let state = parse_state(&chess.rules, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").unwrap();
/// let partner = |text: &str| {
///     let played = parse_uci(&chess.rules, &state.position, text).unwrap();
///     castling_partner(&chess.rules, &state.position, played).map(|square| chess.rules.board().name(square))
/// };
/// assert_eq!(partner("e1g1").as_deref(), Some("h1"));
/// assert_eq!(partner("e1c1").as_deref(), Some("a1"));
/// assert_eq!(partner("e1f1"), None);
/// ```
pub fn castling_partner(rules: &Rules, position: &Position, played: Move) -> Option<Square> {
    if let Some(castling) = rules.castling(position, played) {
        return Some(castling.partner);
    }
    let mover = position.piece_at(played.spot()).filter(|piece| may_castle(rules, piece.kind))?;
    let plan = rules.kind(mover.kind).moves.get(usize::from(played.pattern))?;
    if !plan.conditions.contains(&Condition::FirstMove) {
        return None;
    }
    let landing = match position.piece(played.to) {
        None => Occupancy::Empty,
        Some(piece) if piece.player == mover.player => Occupancy::Ally,
        Some(_) => Occupancy::Enemy,
    };
    let is_there = |(square, kind): &(Square, Option<Kind>)| {
        position
            .piece(*square)
            .is_some_and(|piece| piece.player == mover.player && kind.is_none_or(|kind| kind == piece.kind))
    };
    partners(rules, plan, |on| on == landing, (played.from, mover.player))
        .into_iter()
        .find(is_there)
        .map(|(partner, _)| partner)
}

/// Returns source and target of each castling move to that side that the player to move might try.
pub(crate) fn attempts(rules: &Rules, position: &Position, letter: &str) -> Vec<(Spot, Square)> {
    let player = rules.mover(position);
    let step_on =
        |plan: &MovePlan, at| rules.board().step(at, rules.player(player).orientation.turn(plan.step));
    let movers =
        position.pieces().filter(|(_, piece)| piece.player == player && may_castle(rules, piece.kind));
    let mut attempts = Vec::new();
    for (mover, piece) in position.pieces().filter(|(_, piece)| piece.player == player) {
        for plan in &rules.kind(piece.kind).castles {
            let mut squares = beside(rules, plan, player, mover);
            if let (Some(beside), Some((to, _))) = (squares.next(), plan.targets[player.index()])
                && side(rules, mover, beside) == letter
            {
                attempts.push((Spot::host(mover), to));
            }
        }
    }
    for (mover, piece) in movers {
        for plan in plans(rules, piece.kind) {
            let mut sides = partners(rules, plan, |_| true, (mover, player))
                .into_iter()
                .map(|(partner, _)| side(rules, mover, partner));
            let landing = (0..plan.repeat.min).try_fold(mover, |at, _| step_on(plan, at));
            if let (true, Some(landing)) = (sides.any(|side| side == letter), landing) {
                attempts.push((Spot::host(mover), landing));
            }
        }
    }
    attempts
}

fn side(rules: &Rules, mover: Square, partner: Square) -> &'static str {
    if rules.board().coords(partner) > rules.board().coords(mover) { "K" } else { "Q" }
}

/// Writes the castling field of a position.
pub(crate) fn write(rules: &Rules, position: &Position) -> String {
    let unmoved = |square| position.piece(square).filter(|piece| piece.unmoved);
    let rights = castling_rights(rules);
    let mut texts: Vec<String> =
        rights.iter().filter(|right| right.is_in_place(rules, unmoved)).map(CastlingRight::text).collect();
    texts.dedup();
    let elsewhere = rights_on(rules, |square| unmoved(square).map(|piece| (piece.player, piece.kind)));
    let is_known = |right: &CastlingRight| rights.contains(right);
    let files = elsewhere.iter().filter(|right| !is_known(right)).map(|right| right.file_text(rules));
    // A letter that already has another meaning cannot be used; the extras then say which pieces are unmoved.
    texts.extend(files.filter(|text| !rights.iter().any(|right| right.text() == *text)));
    if texts.is_empty() { "-".into() } else { texts.concat() }
}

/// Parses a castling field and returns the rights that it grants. Problems are added to `reasons`.
pub(crate) fn parse(
    rules: &Rules,
    field: &str,
    piece: impl Fn(Square) -> Option<Piece>,
    reasons: &mut Vec<String>,
) -> Vec<CastlingRight> {
    let rights = castling_rights(rules);
    let mut granted: Vec<CastlingRight> = Vec::new();
    if field == "-" {
        return granted;
    }
    for text in field.split_inclusive(|c| c != '.') {
        let named: Vec<CastlingRight> = rights.iter().copied().filter(|right| right.text() == text).collect();
        let Some(first) = named.first() else {
            let placed = |square| piece(square).map(|piece| (piece.player, piece.kind));
            let mut by_file = rights_on(rules, placed);
            by_file.retain(|right| right.file_text(rules) == text);
            if !by_file.is_empty() {
                by_file.retain(|right| !granted.contains(right));
                granted.extend(by_file);
                continue;
            }
            reasons.push(format!("the castling right `{text}` does not exist in this game"));
            continue;
        };
        if named.iter().any(|right| granted.contains(right)) {
            reasons.push(format!("the castling right `{text}` is listed twice"));
        } else if !named.iter().any(|right| right.is_in_place(rules, &piece)) {
            let (mover, partner) = (rules.board().name(first.mover), rules.board().name(first.partner));
            reasons.push(format!(
                "the castling right `{text}` needs its pieces on their starting squares {mover} and {partner}"
            ));
        } else {
            granted.extend(named.iter().filter(|right| right.is_in_place(rules, &piece)));
        }
    }
    granted
}
