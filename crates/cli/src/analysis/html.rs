//! An analysis as a self-contained HTML page with SVG plots, in light and dark colours.

use tabiya_arena::{Analysis, Proportion, Summary};

use super::svg::{self, Bar, escape};
use super::{conditions, percent, power, results, short, words};

/// Formats the page.
pub(crate) fn page(analysis: &Analysis) -> String {
    let title = format!("{} analysed", escape(&analysis.label));
    let about = format!(
        "{}. Games are broken off after {} moves.",
        escape(&conditions(analysis)),
        analysis.max_plies
    );
    let mut body = format!("<h1>{}</h1><p class=\"about\">{about}</p>", escape(&analysis.label));
    if !analysis.remarks.is_empty() {
        let remarks = analysis.remarks.iter().map(|remark| format!("<li>{}</li>", escape(remark)));
        body.push_str(&format!("<ul class=\"remarks\">{}</ul>", remarks.collect::<String>()));
    }
    body.push_str(&tiles(analysis));
    let note = "Bars are shares of all games; the thin line is the 95 % confidence interval.";
    let winners: Vec<Bar> = results(analysis).map(|(name, share)| share_bar(name, &share)).collect();
    body.push_str(&card("Who wins", note, &svg::bars("Who wins", &winners)));
    body.push_str(&card("How games end", "", &svg::bars("How games end", &reasons(analysis))));
    let lengths: Vec<(u32, u32)> = analysis.lengths.bins.iter().map(|bin| (bin.from, bin.count)).collect();
    let plotted = svg::columns("Length of games", "moves", analysis.lengths.width, &lengths);
    body.push_str(&card(
        "Length of games",
        &format!("Moves of all players: {}.", spread(&analysis.plies)),
        &plotted,
    ));
    let points: Vec<(f64, f64)> =
        analysis.branching_at.iter().map(|it| (f64::from(it.from), it.mean)).collect();
    let note = format!("Legal moves per turn over the course of a game: {}.", spread(&analysis.branching));
    body.push_str(&card("Number of choices", &note, &svg::line("Legal moves per turn", &points)));
    if !analysis.skill.is_empty() {
        let note = "Games won by the stronger player, which plays one side.";
        body.push_str(&card("Does deeper search help?", note, &svg::bars("Skill", &skill(analysis))));
    }
    let note = "Share of all moves.";
    body.push_str(&card("Use of pieces", note, &svg::bars("Use of pieces", &use_of_pieces(analysis))));
    let note = "In pawns of chess, derived from the rules.";
    body.push_str(&card("Piece values", note, &svg::bars("Piece values", &values(analysis))));
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
        (short(analysis.plies.median), "moves in the median game"),
        (short(analysis.branching.mean), "legal moves per turn"),
        (short(analysis.captures.mean), "captures per game"),
        (short(analysis.lead_changes.mean), "changes of the lead per game"),
        (percent(analysis.comebacks.share), "of games won from behind"),
        (percent(analysis.turning_points.mean), "of a won game before its turning point"),
        (percent(analysis.forced_moves.share), "of turns have one legal move"),
        (percent(analysis.board.coverage.mean), "of squares used per game"),
        (short(analysis.promotions.mean), "promotions per game"),
        (power(&analysis.game_tree), "courses of the game"),
        (power(&analysis.state_space), "positions"),
    ];
    format!("<div class=\"tiles\">{}</div>", tiles.map(tile).concat())
}

fn card(title: &str, note: &str, plot: &str) -> String {
    let note =
        if note.is_empty() { String::new() } else { format!("<p class=\"note\">{}</p>", escape(note)) };
    format!("<section class=\"card\"><h2>{}</h2>{note}{plot}</section>", escape(title))
}

fn share_bar(name: String, share: &Proportion) -> Bar {
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
    let bar = |it: &tabiya_arena::SkillResult| {
        share_bar(format!("{} against {}", it.deeper, it.shallower), &it.wins)
    };
    analysis.skill.iter().map(bar).collect()
}

fn use_of_pieces(analysis: &Analysis) -> Vec<Bar> {
    let bar = |it: &tabiya_arena::PieceStats| Bar {
        name: it.piece.clone(),
        figure: percent(it.moves),
        part: it.moves,
        bounds: None,
    };
    analysis.pieces.iter().map(bar).collect()
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

fn spread(it: &Summary) -> String {
    format!(
        "mean {}, median {}, from {} to {}",
        short(it.mean),
        short(it.median),
        short(it.least),
        short(it.most)
    )
}
