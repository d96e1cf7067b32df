//! Where and by whom it is played: the board, the players with their armies, the order of turns.

use tabiya_engine::{Kind, Offset, Player, Rules, Square};

use super::page::{Page, counted, join};
use super::{picture, squares};

/// Its size, its holes, and a drawing of the start.
pub(super) fn board(rules: &Rules, page: &mut Page) {
    let board = rules.board();
    page.heading("The board");
    let last = tabiya_engine::FileName(u32::from(board.files()) - 1);
    let mut text = format!(
        "{} (a to {last}) by {} (1 to {}). A square is named by its file and rank; a1 is at the bottom left.",
        counted(board.files().into(), "file"),
        counted(board.ranks().into(), "rank"),
        board.ranks(),
    );
    let holes: Vec<Square> =
        (0..board.len() as u16).map(Square).filter(|square| !board.has(*square)).collect();
    if holes.is_empty() {
        text += &format!(" All {} exist: there are no holes.", counted(board.len(), "square"));
    } else {
        let left = counted(board.len() - holes.len(), "square");
        let missing = squares::list(board, holes);
        text += &format!(
            " Of these, {left} exist. The others are holes, where no piece stands or lands: {missing}."
        );
    }
    page.paragraph(&text);
    if let Some(lines) = picture::start(rules) {
        page.drawing(&lines);
    }
}

/// Which way each one moves, and what it starts with.
pub(super) fn players(rules: &Rules, page: &mut Page) {
    page.heading("The players");
    for player in rules.players() {
        let name = &rules.player(player).name;
        page.item(
            0,
            &format!(
                "{name} {}. In board text its pieces are {}.",
                facing(rules, player),
                picture::manner(player)
            ),
        );
        page.more(0, &format!("It starts with {}.", army(rules, player)));
    }
    teams(rules, page);
}

/// Who wins and loses with whom.
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
            [alone] => page.item(0, &format!("{alone} has no partner.")),
            _ => {
                let all = join(&members, "and");
                page.item(0, &format!("{all} are partners, the team {name}: they win and lose together."));
            }
        }
    }
}

/// The cycle, and where it begins.
pub(super) fn turns(rules: &Rules, page: &mut Page) {
    let blueprint = rules.blueprint();
    let name = |player: &Player| rules.player(*player).name.as_str();
    page.heading("Turns");
    let order: Vec<&str> = blueprint.order().iter().map(name).collect();
    page.paragraph(&format!(
        "The order is {}, and so on in a circle. Each place in it is a slot; slots count from 0. The game begins at \
         slot {}, so {} moves first. A turn is one move, and nobody may pass.",
        order.join(", "),
        blueprint.start_at(),
        name(&rules.turn_of(blueprint.start_at())),
    ));
    if rules.mechanics().stuck_passes {
        page.item(
            0,
            "Who has no legal move when his turn comes is passed over: that is no turn, and no flag counts down. The turn \
             goes to the next slot whose player has one.",
        );
    }
    let idle: Vec<Player> = rules.players().filter(|player| !blueprint.order().contains(player)).collect();
    for player in idle {
        page.item(
            0,
            &format!(
                "{} has no slot: its pieces stand on the board and attack, but never move.",
                name(&player)
            ),
        );
    }
}

fn facing(rules: &Rules, player: Player) -> String {
    let orientation = rules.player(player).orientation;
    let (forward, right) = (orientation.turn(Offset::new(0, 1)), orientation.turn(Offset::new(1, 0)));
    // A player who is only turned has its right a quarter turn clockwise from its forward.
    let is_turned = right == Offset::new(forward.dy, -forward.dx);
    let mirrored = if is_turned { "not mirrored" } else { "mirrored" };
    format!("moves {}, {mirrored}: its right is {} on the board", way(forward), way(right))
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
            let letter = picture::letter(player, plan.letter);
            (!stand.is_empty()).then(|| {
                let tags = tags(rules, player, kind);
                let count = stand.len();
                format!("{count} {} ({letter}) on {}{tags}", plan.code, squares::list(rules.board(), stand))
            })
        })
        .collect();
    if groups.is_empty() { "no pieces".into() } else { groups.join("; ") }
}

/// The values of the tag that pieces start with and do not have from their squares.
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
