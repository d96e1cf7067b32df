//! The board, the players with their starting pieces, and the turn order.

use tabiya_engine::mechanics::Skip;
use tabiya_engine::{Board, Kind, Lattice, Link, Offset, Player, Rules, Square};

use super::page::{Page, counted, join};
use super::{conditions, diagram, squares};

/// Describes the size and the holes of the board and draws the starting position.
pub(super) fn board(rules: &Rules, page: &mut Page) {
    let board = rules.board();
    page.heading("The board");
    let mut text = shape(board);
    let holes: Vec<Square> =
        (0..board.len() as u16).map(Square).filter(|square| !board.has(*square)).collect();
    if board.lattice() == Lattice::Hex {
        text += &format!(" There are {}.", counted(board.squares().count(), "hexagon"));
    } else if holes.is_empty() {
        text += &format!(" All {} exist.", counted(board.len(), "square"));
    } else {
        let left = counted(board.len() - holes.len(), "square");
        let missing = squares::list(board, holes);
        text += &format!(" Only {left} exist; the others are holes, where no piece can stand: {missing}.");
    }
    page.paragraph(&text);
    edges(rules, page);
    if let Some(lines) = diagram::start(rules) {
        page.drawing(&lines);
    }
}

/// Describes the size of the board and the names of its squares.
fn shape(board: &Board) -> String {
    let (first, last) = (board.file_name(0), board.file_name(u32::from(board.files()) - 1));
    let files = counted(board.files().into(), "file");
    if board.lattice() == Lattice::Hex {
        return format!(
            "The board has hexagons in {files} ({first} to {last}). They are named by their file and their place in it, \
             counted from its lowest hexagon. A hexagon touches two of the same file, [0,1] and [0,-1], two to its right, \
             [1,1] and [1,0], and two to its left, [-1,0] and [-1,-1]."
        );
    }
    let ranks = counted(board.level_ranks().into(), "rank");
    if board.levels() == 1 {
        return format!(
            "The board has {files} ({first} to {last}) and {ranks} (1 to {}). Squares are named by file and rank; {first}1 is \
             at the bottom left.",
            board.level_ranks(),
        );
    }
    format!(
        "The board has {} (A to {}), each with {files} ({first} to {last}) and {ranks} (1 to {}). Squares are named by level, \
         file and rank; A{first}1 is at the bottom left of the lowest level. The third number of a step leads to higher \
         levels.",
        counted(board.levels().into(), "level"),
        board.level_name(u32::from(board.levels()) - 1),
        board.level_ranks(),
    )
}

/// Describes where steps go on at the other side, and which steps are linked.
fn edges(rules: &Rules, page: &mut Page) {
    let board = rules.board();
    let sides =
        ["the last file to the first", "the last rank to the first", "the highest level to the lowest"];
    let wraps: Vec<&str> =
        board.wraps().into_iter().zip(sides).filter(|(wraps, _)| *wraps).map(|(_, side)| side).collect();
    if !wraps.is_empty() {
        page.item(&format!("The board goes on from {}, and back.", join(&wraps, "and from")));
    }
    let links: Vec<String> =
        rules.blueprint().topology().links.iter().map(|link| linked(board, *link)).collect();
    if !links.is_empty() {
        page.item(&format!("Some steps lead elsewhere, and back the same way: {}.", links.join("; ")));
    }
    if !board.is_flat() {
        page.item(
            "A slide ends before it enters a square for the second time; it never returns to its own square.",
        );
    }
}

fn linked(board: &Board, Link { from, step, to, onward }: Link) -> String {
    let turned = if onward == step { String::new() } else { format!(" and goes on with {onward}") };
    format!("the step {step} from {} leads to {}{turned}", board.name(from), board.name(to))
}

/// Describes the direction and the starting pieces of each player.
pub(super) fn players(rules: &Rules, page: &mut Page) {
    page.heading("The players");
    for player in rules.players() {
        let name = &rules.player(player).name;
        let has_letter = |kind: &Kind| rules.kind(*kind).symbol.by_player().is_none();
        let noun = if rules.kinds().all(|kind| has_letter(&kind)) { "pieces" } else { "letters" };
        let case = format!(" In board text, its {noun} are in {}.", diagram::letter_case(player));
        let case = if rules.kinds().any(|kind| has_letter(&kind)) { case } else { String::new() };
        page.item(&format!("{name} {}.{case}", facing(rules, player)));
        page.more(&format!("Starting pieces: {}.", army(rules, player)));
    }
    teams(rules, page);
}

/// Lists the teams.
fn teams(rules: &Rules, page: &mut Page) {
    let mechanics = rules.mechanics();
    for (team, name) in (0..).zip(&mechanics.team_names) {
        let members: Vec<&str> = rules
            .players()
            .filter(|player| mechanics.teams.get(player.index()) == Some(&team))
            .map(|player| rules.player(player).name.as_str())
            .collect();
        match members.as_slice() {
            [] => {}
            [alone] => page.item(&format!("{alone} has no partner.")),
            _ => {
                let all = join(&members, "and");
                page.item(&format!("{all} form the team {name}: they win and lose together."));
            }
        }
    }
}

/// Describes the turn order.
pub(super) fn turns(rules: &Rules, page: &mut Page) {
    let blueprint = rules.blueprint();
    let name = |player: &Player| rules.player(*player).name.as_str();
    page.heading("Turns");
    let order: Vec<&str> = blueprint.order().iter().map(name).collect();
    page.paragraph(&format!(
        "Turns follow the order {} and then start over. Each place in the order is a slot, counted from 0. The game \
         begins at slot {}, so {} moves first. {}assing is not allowed.",
        order.join(", "),
        blueprint.start_at(),
        name(&rules.turn_of(blueprint.start_at())),
        if rules.has_parts() { "P" } else { "A turn is one move; p" },
    ));
    parts(rules, page);
    if rules.mechanics().stuck_passes {
        page.item(
            "A player without a legal move is skipped: this does not count as a turn, and no flag counts down. The \
             turn goes to the next slot whose player has a legal move.",
        );
    }
    let idle: Vec<Player> = rules.players().filter(|player| !blueprint.order().contains(player)).collect();
    for player in idle {
        let what = if rules.mechanics().neutral.contains(player) {
            "is neutral: its pieces have no turn, do not attack, and cannot be captured by a move"
        } else {
            "has no slot: its pieces attack, but never move"
        };
        page.item(&format!("{} {what}.", name(&player)));
    }
}

/// Describes what follows the move in a turn.
fn parts(rules: &Rules, page: &mut Page) {
    let mechanics = rules.mechanics();
    let Some(kind) = rules.blueprint().kinds().first().filter(|_| !mechanics.then.is_empty()) else { return };
    page.item(
        "A turn has several parts. The whole turn is one move: it is legal if the position at its end is.",
    );
    for part in &mechanics.then {
        let after = match part.after.as_slice() {
            [] => String::new(),
            list => format!(" If {} in the part before:", conditions::conditions(rules, kind, list)),
        };
        let who = match (part.moves.is_empty(), part.same_piece) {
            (false, _) => "the piece that moved makes one of these moves",
            (true, true) => "the piece that moved moves again",
            (true, false) => "the player makes another move",
        };
        let skip = match part.skip {
            Skip::Never => "",
            Skip::IfStuck => ", if it can",
            Skip::Freely => ", or not",
        };
        let only = match part.only.as_slice() {
            [] => String::new(),
            list => format!(", and {}", conditions::conditions(rules, kind, list)),
        };
        let again = if part.repeats { " This part is repeated." } else { "" };
        page.item(&format!("{}:{after} {who}{skip}{only}.{again}", part.code));
        if !part.moves.is_empty() {
            super::moves::of_part(rules, kind, &part.moves, page);
        }
    }
    if mechanics.then.iter().any(|part| part.repeats) {
        page.item("Pieces that a move captures on its way leave the board at the end of the turn, and are captured once.");
    }
    if mechanics.most_captures {
        page.item("Only turns that capture the most pieces are legal.");
    }
}

fn facing(rules: &Rules, player: Player) -> String {
    let orientation = rules.player(player).orientation;
    let (forward, right) = (orientation.turn(Offset::new(0, 1)), orientation.turn(Offset::new(1, 0)));
    if rules.board().lattice() == Lattice::Hex {
        let way = super::space::words_on_hexagons(forward, |_| "moves".to_owned());
        let way = way.replace("forward", "up").replace("backward", "down");
        return format!("{way}: its [0,1] is {forward} on the board, its [1,0] is {right}");
    }
    let up = orientation.turn(Offset::on_levels(0, 0, 1));
    let height = match (rules.board().levels() > 1, up.dz) {
        (false, _) => String::new(),
        (true, -1) => "; it counts levels downwards".to_owned(),
        (true, 1) => "; it counts levels upwards".to_owned(),
        (true, _) => {
            return format!(
                "moves with its steps turned: its [0,1] is {forward} on the board, its [1,0] is {right}, \
                its [0,0,1] is {up}"
            );
        }
    };
    // Without mirroring, right is a quarter turn clockwise from forward.
    let is_turned = right == Offset::new(forward.dy, -forward.dx);
    let mirrored = if is_turned { "" } else { " with mirrored steps" };
    format!("moves {}{mirrored}; its right is {} on the board{height}", way(forward), way(right))
}

fn way(step: Offset) -> &'static str {
    match (step.dx, step.dy) {
        (1, _) => "right",
        (-1, _) => "left",
        (_, 1) => "up",
        _ => "down",
    }
}

fn army(rules: &Rules, player: Player) -> String {
    let groups: Vec<String> = rules
        .kinds()
        .filter_map(|kind| {
            let start = rules.blueprint().start().iter();
            let own = start.filter(|placed| (placed.player, placed.kind) == (player, kind));
            let stand: Vec<Square> = own.map(|placed| placed.square).collect();
            let plan = rules.kind(kind);
            let letter = plan.symbol.of(player);
            (!stand.is_empty()).then(|| {
                let tags = tags(rules, player, kind);
                let count = stand.len();
                format!("{count} {} ({letter}) on {}{tags}", plan.code, squares::list(rules.board(), stand))
            })
        })
        .collect();
    if groups.is_empty() { "none".into() } else { groups.join("; ") }
}

/// Lists tag values that starting pieces do not get from their squares.
fn tags(rules: &Rules, player: Player, kind: Kind) -> String {
    let blueprint = rules.blueprint();
    let Some(tag) = &rules.mechanics().tag else { return String::new() };
    let own = blueprint.start().iter().filter(|placed| (placed.player, placed.kind) == (player, kind));
    let said: Vec<String> = own
        .filter_map(|placed| {
            let value = tag.values.get(usize::from(placed.tag?))?;
            Some(format!("{} {value}", squares::list(rules.board(), [placed.square])))
        })
        .collect();
    if said.is_empty() { String::new() } else { format!(" ({}: {})", tag.code, said.join(", ")) }
}
