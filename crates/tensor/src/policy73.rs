//! AlphaZero's actions of chess: from each of 64 squares, 56 queen moves, eight knight moves and nine underpromotions,
//! from the point of view of the player to move. Ranks are flipped for Black; files never are.

use tabiya_engine::blueprint::MovePlan;
use tabiya_engine::{Kind, Move, Player, Rules};

use crate::encoding::{UnsupportedGame, require};

/// The directions of queen moves as (right, forwards), clockwise from straight ahead.
const DIRECTIONS: [(i32, i32); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
const DIRECTION_NAMES: [&str; 8] = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];
/// Knight moves, clockwise from north-north-east.
const KNIGHT_MOVES: [(i32, i32); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const FIRST_KNIGHT_MOVE: u16 = 56;
const FIRST_UNDERPROMOTION: u16 = 64;
/// Neither a queen nor a knight move.
const NONE: u16 = u16::MAX;

/// The action table.
#[derive(Debug)]
pub(crate) struct Policy73 {
    /// By source and target cell: the plane, except for underpromotions.
    planes: Box<[[u16; 64]; 64]>,
    /// Knight, bishop and rook.
    underpromotions: [Kind; 3],
}

impl Policy73 {
    pub(crate) const PLANES: u16 = 73;
    pub(crate) const ACTIONS: usize = 64 * Self::PLANES as usize;

    /// Creates the table if it covers every move of the game.
    pub(crate) fn new(rules: &Rules) -> Result<Self, UnsupportedGame> {
        let by_letter =
            |letter| rules.kinds().find(|kind| rules.kind(*kind).symbol.plain_letter() == Some(letter));
        let kinds = ['N', 'B', 'R', 'Q'].map(by_letter);
        let [Some(knight), Some(bishop), Some(rook), Some(queen)] = kinds else {
            return Err(UnsupportedGame("promotion is to a knight, bishop, rook or queen"));
        };
        let is_known = |kind: Kind, plan: &MovePlan| {
            let reach = |times: u32| plane(plan.step.dx * times as i32, plan.step.dy * times as i32);
            let plain = reach(plan.repeat.min) != NONE
                && (plan.repeat.max == Some(1) || reach(1) < FIRST_KNIGHT_MOVE);
            let options = plan.modifiers.iter().flat_map(|it| &it.options);
            let promotes = rules.players().any(|player| rules.may_promote(player, kind, plan));
            let is_step = plan.step.dy == 1 && plan.step.dx.abs() <= 1 && plan.repeat.max == Some(1);
            plain
                && (!promotes || is_step)
                && options.into_iter().all(|kind| [knight, bishop, rook, queen].contains(kind))
        };
        let are_known =
            rules.kinds().all(|kind| rules.kind(kind).moves.iter().all(|plan| is_known(kind, plan)));
        require(are_known, "every move is a queen or knight move, and promotion is a single step")?;
        let mut planes = Box::new([[NONE; 64]; 64]);
        for (from, targets) in planes.iter_mut().enumerate() {
            for (to, entry) in targets.iter_mut().enumerate() {
                let right = to as i32 % 8 - from as i32 % 8;
                let forwards = from as i32 / 8 - to as i32 / 8;
                *entry = plane(right, forwards);
            }
        }
        Ok(Policy73 { planes, underpromotions: [knight, bishop, rook] })
    }

    pub(crate) fn action(&self, mover: Player, played: Move) -> u32 {
        // Cells count from the top for White and from the bottom for Black.
        let flip = if mover.0 == 0 { 0b111_000 } else { 0 };
        let (from, to) = ((played.from.index() ^ flip) & 63, (played.to.index() ^ flip) & 63);
        let underpromotion =
            played.promotion.and_then(|kind| self.underpromotions.iter().position(|it| *it == kind));
        let plane = match underpromotion {
            Some(piece) => FIRST_UNDERPROMOTION + 3 * piece as u16 + (1 + to % 8 - from % 8) as u16,
            None => self.planes[from][to],
        };
        from as u32 * u32::from(Self::PLANES) + u32::from(plane)
    }

    /// Names the 73 move types.
    pub(crate) fn move_types() -> Vec<String> {
        let slides =
            DIRECTION_NAMES.iter().flat_map(|name| (1..8).map(move |steps| format!("{name} {steps}")));
        let leaps = KNIGHT_MOVES.iter().map(|(right, forwards)| format!("leap {right:+},{forwards:+}"));
        let promotions = ["N", "B", "R"]
            .into_iter()
            .flat_map(|piece| ["NW", "N", "NE"].map(|way| format!("{way} 1 = {piece}")));
        slides.chain(leaps).chain(promotions).collect()
    }
}

/// Returns the plane of a step from the point of view of the player to move.
fn plane(right: i32, forwards: i32) -> u16 {
    let steps = right.abs().max(forwards.abs());
    let is_straight = right == 0 || forwards == 0 || right.abs() == forwards.abs();
    let unit = (right.signum(), forwards.signum());
    match DIRECTIONS.iter().position(|it| *it == unit) {
        Some(direction) if is_straight && (1..8).contains(&steps) => direction as u16 * 7 + steps as u16 - 1,
        _ => KNIGHT_MOVES
            .iter()
            .position(|it| *it == (right, forwards))
            .map_or(NONE, |leap| FIRST_KNIGHT_MOVE + leap as u16),
    }
}
