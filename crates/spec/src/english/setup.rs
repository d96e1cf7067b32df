//! The board, the players with their starting pieces, and the turn order.

use tabiya_engine::{Kind, Offset, Player, Rules, Square};

use super::page::{Page, counted, join};
use super::{diagram, squares};

/// Describes the size and the holes of the board and draws the starting position.
pub(super) fn board(rules: &Rules, page: &mut Page) {
    let board = rules.board();
    page.heading("The board");
    let last = tabiya_engine::FileName(u32::from(board.files()) - 1);
    let mut text = format!(
        "The board has {} (a to {last}) and {} (1 to {}). Squares are named by file and rank; a1 is at the bottom left.",
        counted(board.files().into(), "file"),
        counted(board.ranks().into(), "rank"),
        board.ranks(),
    );
    let holes: Vec<Square> =
        (0..board.len() as u16).map(Square).filter(|square| !board.has(*square)).collect();
    if holes.is_empty() {
        text += &format!(" All {} exist.", counted(board.len(), "square"));
    } else {
        let left = counted(board.len() - holes.len(), "square");
        let missing = squares::list(board, holes);
        text += &format!(" Only {left} exist; the others are holes, where no piece can stand: {missing}.");
    }
    page.paragraph(&text);
    if let Some(lines) = diagram::start(rules) {
        page.drawing(&lines);
    }
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
         begins at slot {}, so {} moves first. A turn is one move; passing is not allowed.",
        order.join(", "),
        blueprint.start_at(),
        name(&rules.turn_of(blueprint.start_at())),
    ));
    if rules.mechanics().stuck_passes {
        page.item(
            "A player without a legal move is skipped: this does not count as a turn, and no flag counts down. The \
             turn goes to the next slot whose player has a legal move.",
        );
    }
    let idle: Vec<Player> = rules.players().filter(|player| !blueprint.order().contains(player)).collect();
    for player in idle {
        page.item(&format!("{} has no slot: its pieces attack, but never move.", name(&player)));
    }
}

fn facing(rules: &Rules, player: Player) -> String {
    let orientation = rules.player(player).orientation;
    let (forward, right) = (orientation.turn(Offset::new(0, 1)), orientation.turn(Offset::new(1, 0)));
    // Without mirroring, right is a quarter turn clockwise from forward.
    let is_turned = right == Offset::new(forward.dy, -forward.dx);
    let mirrored = if is_turned { "" } else { " with mirrored steps" };
    format!("moves {}{mirrored}; its right is {} on the board", way(forward), way(right))
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
