//! An analysis as a page that needs nothing beside it: plots are drawn in it, and it follows the reader's colours.

use tabiya_arena::{Analysis, Share, Spread};

use super::plot::{self, Bar, escape};
use super::{percent, short, words};

/// The page.
pub(crate) fn page(analysis: &Analysis) -> String {
    let title = format!("{} analysed", escape(&analysis.label));
    let about = format!(
        "{} games of <code>{}</code> against itself, seed {}. A game that was not over after {} moves has no end.",
        analysis.games,
        escape(&analysis.player),
        analysis.seed,
        analysis.max_plies
    );
    let mut body = format!("<h1>{}</h1><p class=\"about\">{about}</p>", escape(&analysis.label));
    if !analysis.remarks.is_empty() {
        let remarks = analysis.remarks.iter().map(|remark| format!("<li>{}</li>", escape(remark)));
        body.push_str(&format!("<ul class=\"remarks\">{}</ul>", remarks.collect::<String>()));
    }
    body.push_str(&tiles(analysis));
    let note = "Bars are shares of all games; the thin line is where the truth is, 95 times of 100.";
    body.push_str(&card("Who wins", note, &plot::bars("Who wins", &winners(analysis))));
    body.push_str(&card("How games end", "", &plot::bars("How games end", &reasons(analysis))));
    let lengths: Vec<(u32, u32)> = analysis.lengths.bins.iter().map(|bin| (bin.from, bin.count)).collect();
    let plotted = plot::columns("How long games take", "moves", analysis.lengths.width, &lengths);
    body.push_str(&card(
        "How long games take",
        &format!("Moves of all players: {}.", spread(&analysis.plies)),
        &plotted,
    ));
    let points: Vec<(f64, f64)> =
        analysis.branching_at.iter().map(|it| (f64::from(it.from), it.mean)).collect();
    let note = format!("Legal moves on a turn as games go on: {}.", spread(&analysis.branching));
    body.push_str(&card(
        "How much there is to choose from",
        &note,
        &plot::line("Legal moves on a turn", &points),
    ));
    if !analysis.skill.is_empty() {
        let note = "Games won by the player who looks further ahead, who has one side.";
        body.push_str(&card("Does looking further help?", note, &plot::bars("Skill", &skill(analysis))));
    }
    let note = "In pawns of chess, found out from the rules by counting moves.";
    body.push_str(&card(
        "What pieces are worth",
        note,
        &plot::bars("What pieces are worth", &values(analysis)),
    ));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\
         <meta name=\"color-scheme\" content=\"light dark\"/>\
         <title>{title}</title><style>{STYLE}</style></head><body><main>{body}</main></body></html>\n"
    )
}

const STYLE: &str = "\
:root{--page:#f6f5f1;--card:#fff;--ink:#1d2329;--soft:#5d6770;--rule:#dcdad3;--bar:#2f6f8f;--warn:#9a4a12;--warned:#fbefe4}
@media(prefers-color-scheme:dark){:root{--page:#14181c;--card:#1c2228;--ink:#e6e8ea;--soft:#9aa5af;--rule:#333c45;--bar:#5fa8cc;--warn:#f0b37e;--warned:#33261a}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:2rem 1rem 4rem;display:grid;gap:1rem}
h1{margin:0;font-size:2rem;overflow-wrap:anywhere}
h2{margin:0 0 .25rem;font-size:1.1rem}
p{margin:0}
.about,.note,.tile span{color:var(--soft)}
.note{font-size:.9rem;margin-bottom:.5rem}
.remarks{margin:0;padding:.75rem 1rem .75rem 2rem;background:var(--warned);color:var(--warn);border-radius:.5rem;font-weight:600}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));gap:1rem}
.tile,.card{background:var(--card);border:1px solid var(--rule);border-radius:.5rem;padding:1rem}
.tile b{display:block;font-size:1.6rem;font-variant-numeric:tabular-nums}
.tile span{font-size:.85rem}
svg{width:100%;height:auto;display:block;overflow:visible}
svg text{font-size:13px;fill:var(--soft);font-variant-numeric:tabular-nums}
.name{text-anchor:end;fill:var(--ink)}
.scale{text-anchor:end}
.bar,.point{fill:var(--bar)}
.line{fill:none;stroke:var(--bar);stroke-width:2;stroke-linejoin:round}
.error{fill:none;stroke:var(--ink);stroke-width:1.5}
.axis,.grid{stroke:var(--rule)}
";

fn tiles(analysis: &Analysis) -> String {
    let tile = |(figure, what): (String, &str)| {
        format!("<div class=\"tile\"><b>{figure}</b><span>{what}</span></div>")
    };
    let tiles = [
        (percent(analysis.decisive.share), "of games have a winner"),
        (percent(analysis.draws.share), "of games are drawn"),
        (short(analysis.plies.median), "moves in half of the games or fewer"),
        (short(analysis.branching.mean), "legal moves on a turn"),
        (short(analysis.captures.mean), "captures in a game"),
        (short(analysis.lead_changes.mean), "changes of the lead in a game"),
        (percent(analysis.comebacks.share), "of games won from behind"),
    ];
    format!("<div class=\"tiles\">{}</div>", tiles.map(tile).concat())
}

fn card(title: &str, note: &str, plot: &str) -> String {
    let note =
        if note.is_empty() { String::new() } else { format!("<p class=\"note\">{}</p>", escape(note)) };
    format!("<section class=\"card\"><h2>{}</h2>{note}{plot}</section>", escape(title))
}

fn winners(analysis: &Analysis) -> Vec<Bar> {
    let sides = analysis.sides.iter().map(|side| (side.players.join(" and "), &side.wins));
    let nobody = [("nobody", &analysis.draws), ("unfinished", &analysis.unfinished)];
    let nobody = nobody.into_iter().filter(|(_, share)| share.count > 0);
    sides
        .chain(nobody.map(|(name, share)| (name.to_owned(), share)))
        .map(|(name, share)| of_share(name, share))
        .collect()
}

fn of_share(name: String, share: &Share) -> Bar {
    Bar { name, figure: percent(share.share), part: share.share, bounds: Some((share.low, share.high)) }
}

fn reasons(analysis: &Analysis) -> Vec<Bar> {
    let part = |count: u32| f64::from(count) / f64::from(analysis.games.max(1));
    let bar = |(reason, count): &(String, u32)| Bar {
        name: words(reason),
        figure: count.to_string(),
        part: part(*count),
        bounds: None,
    };
    analysis.reasons.iter().map(bar).collect()
}

fn skill(analysis: &Analysis) -> Vec<Bar> {
    let bar =
        |it: &tabiya_arena::Skill| of_share(format!("{} against {}", it.deeper, it.shallower), &it.wins);
    analysis.skill.iter().map(bar).collect()
}

fn values(analysis: &Analysis) -> Vec<Bar> {
    let most = analysis.values.iter().map(|(_, value)| *value).max().unwrap_or(0).max(1);
    let bar = |(piece, value): &(String, i32)| Bar {
        name: piece.clone(),
        figure: short(f64::from(*value) / 100.0),
        part: f64::from(*value) / f64::from(most),
        bounds: None,
    };
    analysis.values.iter().map(bar).collect()
}

fn spread(it: &Spread) -> String {
    format!(
        "mean {}, median {}, from {} to {}",
        short(it.mean),
        short(it.median),
        short(it.least),
        short(it.most)
    )
}
