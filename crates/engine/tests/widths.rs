//! The general move generator is compiled once for each width of a bitboard. A game on a larger board whose new
//! squares are all holes is the same game, so every width must play it the same way.

use tabiya_engine::{Backend, Blueprint, Move, Position, Rules, Square};

/// Columns and rows for 2, 4, 8 and 16 words.
const BOARDS: [(u16, u16); 4] = [(14, 9), (18, 14), (16, 32), (32, 32)];

fn game(name: &str) -> Blueprint {
    tabiya_spec::library::load(name).expect("a library game").rules.blueprint().clone()
}

/// Returns the index of a square on a wider board.
fn moved(square: Square, files: u16, wider: u16) -> Square {
    Square(square.0 / files * wider + square.0 % files)
}

/// Returns the game on a larger board, or `None` if the board is not larger.
fn widened(plan: &Blueprint, (files, ranks): (u16, u16)) -> Option<Rules> {
    let (old_files, old_ranks) = plan.size();
    if files < old_files || ranks < old_ranks {
        return None;
    }
    let all = (0..ranks).flat_map(|y| (0..files).map(move |x| (x, y)));
    let holes =
        all.filter(|(x, y)| *x >= old_files || *y >= old_ranks).chain(plan.disabled().iter().copied());
    let (mut regions, mut start) = (plan.regions().to_vec(), plan.start().to_vec());
    let squares = regions.iter_mut().flat_map(|region| &mut region.squares).flatten();
    for square in squares.chain(start.iter_mut().map(|placed| &mut placed.square)) {
        *square = moved(*square, old_files, files);
    }
    let mut kinds = plan.kinds().to_vec();
    let castles = kinds.iter_mut().flat_map(|kind| &mut kind.castles);
    for (to, partner_to) in castles.flat_map(|castle| &mut castle.targets).flatten() {
        (*to, *partner_to) = (moved(*to, old_files, files), moved(*partner_to, old_files, files));
    }
    let wide = plan.clone().with_kinds(kinds).with_size(files, ranks).with_disabled(holes.collect());
    Some(Rules::compile(wide.with_regions(regions).with_start(start)).expect("the same game"))
}

/// The same position on both boards.
struct Pair<'r> {
    rules: &'r Rules,
    wide: &'r Rules,
    position: Position,
    wide_position: Position,
}

impl Pair<'_> {
    fn widen(&self, played: Move) -> Move {
        let (files, wider) = (self.rules.board().files(), self.wide.board().files());
        let at = |square| moved(square, files, wider);
        Move { from: at(played.from), to: at(played.to), ..played }
    }

    /// Compares both positions and returns the legal moves.
    fn compare(&self) -> Vec<Move> {
        let moves = |rules: &Rules, position| rules.legal_moves_on(Backend::General, position);
        let found = moves(self.rules, &self.position).unwrap_or_default();
        let widened: Vec<Move> = found.iter().map(|played| self.widen(*played)).collect();
        assert_eq!(moves(self.wide, &self.wide_position), Some(widened));
        assert_eq!(self.rules.outcome(&self.position), self.wide.outcome(&self.wide_position));
        for player in self.rules.players() {
            let checks = self.rules.in_check(&self.position, player);
            assert_eq!(checks, self.wide.in_check(&self.wide_position, player));
        }
        let unmoved = |rules: &Rules, position| {
            let identity = rules.identity(position);
            identity.position().pieces().map(|(_, piece)| piece).collect::<Vec<_>>()
        };
        assert_eq!(unmoved(self.rules, &self.position), unmoved(self.wide, &self.wide_position));
        found
    }

    fn play(&mut self, played: Move) {
        self.wide_position = self.wide.play_unchecked(&self.wide_position, self.widen(played));
        self.position = self.rules.play_unchecked(&self.position, played);
    }
}

#[test]
fn every_width_plays_the_same_game() {
    for name in ["chess", "berolina", "trefoil", "fourplayer"] {
        let plan = game(name);
        let rules = Rules::compile(plan.clone()).expect("a valid blueprint");
        for board in BOARDS {
            let Some(wide) = widened(&plan, board) else { continue };
            let depth = 3;
            let counted = |rules: &Rules| rules.perft_on(Backend::General, &rules.start(), depth);
            assert_eq!(counted(&wide), counted(&rules), "{name} on {board:?}");
            let (position, wide_position) = (rules.start(), wide.start());
            let mut pair = Pair { rules: &rules, wide: &wide, position, wide_position };
            for ply in 0..120usize {
                let moves = pair.compare();
                let Some(played) = moves.get(ply * 7919 % moves.len().max(1)) else { break };
                pair.play(*played);
            }
        }
    }
}
