//! AlphaZero's actions of chess: from each of 64 squares 56 moves like a queen's, eight like a knight's, and nine
//! promotions to less than a queen. Seen by the mover: ranks are flipped for Black, files never.

use tabiya_engine::blueprint::MovePlan;
use tabiya_engine::{Kind, Move, Player, Rules};

use crate::encoding::Unfit;

/// The directions of queen-like moves, to the right and forwards, clockwise from straight ahead.
const COMPASS: [(i32, i32); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
const COMPASS_NAMES: [&str; 8] = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];
/// The leaps of a knight, clockwise from north-north-east.
const LEAPS: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const FIRST_LEAP: u16 = 56;
const FIRST_PROMOTION: u16 = 64;
/// No queen or knight makes such a move.
const NONE: u16 = u16::MAX;

/// The numbers of moves.
#[derive(Debug)]
pub(crate) struct Policy73 {
    /// By cell of source and target: the plane, unless it is a promotion to less than a queen.
    planes: Box<[[u16; 64]; 64]>,
    /// Knight, bishop and rook: what has planes of its own.
    lesser: [Kind; 3],
}

impl Policy73 {
    pub(crate) const PLANES: u16 = 73;
    pub(crate) const ACTIONS: usize = 64 * Self::PLANES as usize;

    /// The numbers of moves, if every move of the game has one.
    pub(crate) fn new(rules: &Rules) -> Result<Self, Unfit> {
        let by_letter = |letter| rules.kinds().find(|kind| rules.kind(*kind).letter == letter);
        let kinds = ['N', 'B', 'R', 'Q'].map(by_letter);
        let [Some(knight), Some(bishop), Some(rook), Some(queen)] = kinds else {
            return Err(Unfit("a promotion is to a knight, bishop, rook or queen"));
        };
        let is_known = |plan: &MovePlan| {
            let reach = |times: u32| plane(plan.step.dx * times as i32, plan.step.dy * times as i32);
            let plain =
                reach(plan.repeat.min) != NONE && (plan.repeat.max == Some(1) || reach(1) < FIRST_LEAP);
            let options = plan.modifiers.iter().flat_map(|it| &it.options);
            let promotes = plan.modifiers.iter().any(|it| !it.options.is_empty());
            let is_step = plan.step.dy == 1 && plan.step.dx.abs() <= 1 && plan.repeat.max == Some(1);
            plain
                && (!promotes || is_step)
                && options.into_iter().all(|kind| [knight, bishop, rook, queen].contains(kind))
        };
        if !rules.kinds().flat_map(|kind| &rules.kind(kind).moves).all(is_known) {
            return Err(Unfit(
                "every move is like a queen's or a knight's, and a promotion is a single step",
            ));
        }
        let mut planes = Box::new([[NONE; 64]; 64]);
        for (from, targets) in planes.iter_mut().enumerate() {
            for (to, entry) in targets.iter_mut().enumerate() {
                let right = to as i32 % 8 - from as i32 % 8;
                let forwards = from as i32 / 8 - to as i32 / 8;
                *entry = plane(right, forwards);
            }
        }
        Ok(Policy73 { planes, lesser: [knight, bishop, rook] })
    }

    pub(crate) fn action(&self, mover: Player, played: Move) -> u32 {
        // The cell of a square: White's ranks count from the top, Black's from the bottom.
        let flip = if mover.0 == 0 { 0b111_000 } else { 0 };
        let (from, to) = ((played.from.index() ^ flip) & 63, (played.to.index() ^ flip) & 63);
        let lesser = played.promotion.and_then(|kind| self.lesser.iter().position(|it| *it == kind));
        let plane = match lesser {
            Some(piece) => FIRST_PROMOTION + 3 * piece as u16 + (1 + to % 8 - from % 8) as u16,
            None => self.planes[from][to],
        };
        from as u32 * u32::from(Self::PLANES) + u32::from(plane)
    }

    /// What each of the 73 is.
    pub(crate) fn deeds() -> Vec<String> {
        let slides = COMPASS_NAMES.iter().flat_map(|name| (1..8).map(move |steps| format!("{name} {steps}")));
        let leaps = LEAPS.iter().map(|(right, forwards)| format!("leap {right:+},{forwards:+}"));
        let promotions = ["N", "B", "R"]
            .into_iter()
            .flat_map(|piece| ["NW", "N", "NE"].map(|way| format!("{way} 1 = {piece}")));
        slides.chain(leaps).chain(promotions).collect()
    }
}

/// The plane of a step, as the mover sees it.
fn plane(right: i32, forwards: i32) -> u16 {
    let steps = right.abs().max(forwards.abs());
    let is_line = right == 0 || forwards == 0 || right.abs() == forwards.abs();
    let unit = (right.signum(), forwards.signum());
    match COMPASS.iter().position(|it| *it == unit) {
        Some(direction) if is_line && (1..8).contains(&steps) => direction as u16 * 7 + steps as u16 - 1,
        _ => {
            LEAPS.iter().position(|it| *it == (right, forwards)).map_or(NONE, |leap| FIRST_LEAP + leap as u16)
        }
    }
}
