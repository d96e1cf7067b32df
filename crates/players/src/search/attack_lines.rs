//! Who attacks a square, from tables: the lines on which attackers stand, derived from the moves of the rules.
//!
//! A line leads away from a square. At each step it says which pieces attack the square from there if the squares between
//! are empty. A leap is a line of one step. Moves with conditions, hurdles or other unusual parts are left out, so that the
//! tables serve estimates, not the rules.

use tabiya_engine::blueprint::{MovePlan, Occupancy, Until};
use tabiya_engine::{Board, Offset, Player, Rules, Square};

/// A set of pieces (player and kind) by number, counted from 1 as on an [`EvalBoard`](crate::evaluation::EvalBoard).
pub(super) type PieceMask = u64;

/// One step of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineStep {
    pub(super) square: Square,
    /// The pieces that attack the first square of the line from here.
    pub(super) attackers: PieceMask,
    /// Whether the line ends here.
    pub(super) is_last: bool,
}

/// The lines of every square of a game.
#[derive(Clone, Debug)]
pub(super) struct AttackLines {
    /// All lines, square by square.
    steps: Vec<LineStep>,
    /// By square: where its lines begin in `steps`; one more entry for the end.
    first: Vec<u32>,
}

/// Games with more pieces or larger tables have no lines.
const MAX_PIECES: usize = 63;
const MAX_STEPS: usize = 1 << 18;
/// The longest slide that is followed.
const MAX_SLIDE: u32 = 64;

/// The lines of a square while they are collected: by direction.
type Lines = Vec<(Offset, Vec<(Square, PieceMask)>)>;

impl AttackLines {
    /// Builds the tables; `None` if the game is too large for them.
    pub(super) fn of(rules: &Rules) -> Option<Self> {
        let (board, kinds) = (rules.board(), rules.kinds().len());
        if rules.players().len() * kinds > MAX_PIECES || !board.is_flat() {
            return None;
        }
        let mut lines: Vec<Lines> = vec![Vec::new(); board.len()];
        let mut total = 0;
        for player in rules.players() {
            for kind in rules.kinds() {
                let bit = 1 << (player.index() * kinds + kind.index() + 1);
                for plan in &rules.kind(kind).moves {
                    match capturing_slide(plan) {
                        Capture::Other => {}
                        Capture::Slide(least, most) => {
                            let step = turned(rules, player, plan.step);
                            total += add_slides(board, &mut lines, step, (least, most), bit);
                        }
                    }
                    if total > MAX_STEPS {
                        return None;
                    }
                }
            }
        }
        Some(AttackLines::from_lines(&lines))
    }

    fn from_lines(lines: &[Lines]) -> Self {
        let (mut steps, mut first) = (Vec::new(), Vec::new());
        for of_square in lines {
            first.push(steps.len() as u32);
            for (_, line) in of_square {
                let last = line.len() - 1;
                steps.extend(line.iter().enumerate().map(|(index, (square, attackers))| LineStep {
                    square: *square,
                    attackers: *attackers,
                    is_last: index == last,
                }));
            }
        }
        first.push(steps.len() as u32);
        AttackLines { steps, first }
    }

    /// Returns the steps of all lines to a square.
    #[inline]
    pub(super) fn to(&self, square: Square) -> &[LineStep] {
        let index = square.index();
        &self.steps[self.first[index] as usize..self.first[index + 1] as usize]
    }

    /// Calls `show` with the first piece on every line to a square that attacks it. `piece` returns the number of the piece
    /// on a square, 0 for an empty one.
    #[inline]
    pub(super) fn for_each_attacker(
        &self,
        square: Square,
        piece: impl Fn(Square) -> usize,
        mut show: impl FnMut(Square, usize),
    ) {
        let mut is_blocked = false;
        for step in self.to(square) {
            if !is_blocked {
                let found = piece(step.square);
                if found != 0 {
                    is_blocked = true;
                    if step.attackers >> found & 1 == 1 {
                        show(step.square, found);
                    }
                }
            }
            if step.is_last {
                is_blocked = false;
            }
        }
    }
}

/// How a move captures on its target.
enum Capture {
    /// Never, or in a way that the tables do not express.
    Other,
    /// After at least and at most this many steps over empty squares.
    Slide(u32, u32),
}

fn capturing_slide(plan: &MovePlan) -> Capture {
    let Some(action) = plan.actions.iter().find(|action| action.on == Occupancy::Enemy) else {
        return Capture::Other;
    };
    let stops_at_pieces = matches!(plan.repeat.until, Until::State(Occupancy::NotEmpty));
    let is_usual = action.captures
        && action.victims.is_none()
        && !action.same_tag
        && action.conditions.is_empty()
        && plan.conditions.is_empty()
        && plan.repeat.hurdles.is_none()
        && (stops_at_pieces || plan.repeat.max == Some(1))
        && plan.step != Offset::new(0, 0);
    match plan.repeat.max {
        _ if !is_usual => Capture::Other,
        most => Capture::Slide(plan.repeat.min.max(1), most.unwrap_or(MAX_SLIDE).min(MAX_SLIDE)),
    }
}

fn turned(rules: &Rules, player: Player, step: Offset) -> Offset {
    rules.player(player).orientation.turn(step)
}

/// Adds the slides of one move of one piece from every square. Returns the number of new steps.
fn add_slides(
    board: &Board,
    lines: &mut [Lines],
    step: Offset,
    (least, most): (u32, u32),
    bit: PieceMask,
) -> usize {
    let mut added = 0;
    for target in board.squares() {
        let back = Offset::on_levels(-step.dx, -step.dy, -step.dz);
        let way: Vec<Square> =
            std::iter::successors(board.step(target, back), |from| board.step(*from, back))
                .take(most as usize)
                // A board may lead around to the target.
                .take_while(|from| *from != target)
                .collect();
        if way.len() < least as usize {
            continue;
        }
        let own = &mut lines[target.index()];
        let known = own.iter().position(|(direction, _)| *direction == back);
        let index = known.unwrap_or_else(|| {
            own.push((back, Vec::new()));
            own.len() - 1
        });
        let line = &mut own[index].1;
        for (distance, from) in (1..).zip(way) {
            if line.len() < distance as usize {
                line.push((from, 0));
                added += 1;
            }
            if distance >= least {
                line[distance as usize - 1].1 |= bit;
            }
        }
    }
    added
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_engine::{Piece, SplitMix};

    /// Pieces on random squares: the lines must say what the rules say about every square.
    fn check(name: &str) {
        let game = tabiya_spec::library::load(name).expect("it is in the library");
        let rules = &game.rules;
        let lines = AttackLines::of(rules).expect("it is small");
        let kinds = rules.kinds().len();
        let mut rng = SplitMix::new(7);
        let mut attacked = 0;
        for _ in 0..40 {
            let mut position = rules.start();
            for _ in 0..rng.below(60) {
                let moves = rules.legal_moves(&position);
                if moves.is_empty() {
                    break;
                }
                position = rules.play_unchecked(&position, moves[rng.below(moves.len())]);
            }
            let number = |piece: Piece| piece.player.index() * kinds + piece.kind.index() + 1;
            let piece = |square: Square| position.piece(square).map_or(0, number);
            for (square, victim) in
                rules.board().squares().flat_map(|it| rules.players().map(move |by| (it, by)))
            {
                let mut found = false;
                lines.for_each_attacker(square, piece, |_, number| {
                    found |= (number - 1) / kinds != victim.index();
                });
                assert_eq!(found, rules.is_attacked(&position, square, victim), "{name}: {square:?}");
                attacked += usize::from(found);
            }
        }
        assert!(attacked > 500, "{name}: {attacked}");
    }

    #[test]
    fn the_lines_say_what_the_rules_say() {
        ["chess", "capablanca", "gardner", "knightmate", "berolina", "almost"].into_iter().for_each(check);
    }
}
