//! The plot of `docs/performance.md`: bars in plain SVG, for light and for dark pages.

use crate::bench::comparison::geometric_mean;
use crate::bench::perft::Figures;
use crate::bench::plan::LIBRARIES;
use crate::bench::tables::{engines, multiples};

const BAR: f64 = 11.0;
const GAP: f64 = 26.0;
const LEFT: f64 = 44.0;
const TOP: f64 = 56.0;
const HEIGHT: f64 = 240.0;

/// Greys for other engines, colours for ours.
const GREYS: [&str; 4] = ["#8a8f98", "#a9adb5", "#6b7079", "#c3c6cc"];
const COLOURS: [&str; 5] = ["#7aa6d8", "#3f7fc4", "#d8953f", "#c4572f", "#7d5ba6"];

const STYLE: &str = "text{font:12px system-ui,sans-serif;fill:#24292f}.small{font-size:11px}\
    .grid{stroke:#24292f;stroke-opacity:.15}.one{stroke:#24292f;stroke-dasharray:4 3}\
    @media(prefers-color-scheme:dark){text{fill:#e6edf3}.grid,.one{stroke:#e6edf3}}";

/// Draws rates as multiples of the first library: a group of bars per position and one for the mean.
pub(crate) fn svg(figures: &Figures) -> String {
    let bars: Vec<Bar> = engines(figures)
        .into_iter()
        .filter(|(engine, _)| *engine != LIBRARIES[0])
        .map(|(engine, name)| {
            let mut values = multiples(&figures.chess, engine, LIBRARIES[0]);
            values.push(geometric_mean(values.clone()));
            Bar { name, is_ours: figures.paths.iter().any(|it| it == engine), values }
        })
        .collect();
    let mut groups: Vec<&str> = figures.chess.iter().map(|timed| timed.comparison.name.as_str()).collect();
    groups.push("geometric mean");
    draw(&bars, &groups)
}

struct Bar {
    name: String,
    is_ours: bool,
    /// By group.
    values: Vec<Option<f64>>,
}

fn draw(bars: &[Bar], groups: &[&str]) -> String {
    let highest = bars.iter().flat_map(|bar| &bar.values).flatten().copied().fold(1.0, f64::max);
    let step = [0.25, 0.5, 1.0, 2.0].into_iter().find(|step| highest / step <= 8.0).unwrap_or(5.0);
    let top = (highest / step).ceil() * step;
    let y = |value: f64| TOP + HEIGHT * (1.0 - value / top);
    let group = count(bars.len()) * BAR + GAP;
    let width = LEFT + count(groups.len()) * group + 10.0;
    let whole = TOP + HEIGHT + 30.0;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {whole:.0}\" role=\"img\">\n\
         <title>Chess: nodes per second as a multiple of cozy-chess</title>\n<style>{STYLE}</style>\n\
         <text x=\"{LEFT}\" y=\"16\">Chess: nodes per second as a multiple of {} (dashed)</text>\n",
        LIBRARIES[0]
    );
    let colours = colours(bars);
    let mut x = LEFT;
    for (bar, colour) in bars.iter().zip(&colours) {
        text.push_str(&format!(
            "<rect x=\"{x:.0}\" y=\"28\" width=\"10\" height=\"10\" fill=\"{colour}\"/>\
             <text class=\"small\" x=\"{:.0}\" y=\"37\">{}</text>\n",
            x + 14.0,
            bar.name
        ));
        x += 30.0 + 6.2 * count(bar.name.chars().count());
    }
    let mut value = 0.0;
    while value <= top {
        let (at, class) = (y(value), if (value - 1.0).abs() < 1e-9 { "one" } else { "grid" });
        text.push_str(&format!(
            "<line class=\"{class}\" x1=\"{LEFT}\" x2=\"{width:.0}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
             <text class=\"small\" x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{value}</text>\n",
            LEFT - 6.0,
            at + 4.0
        ));
        value += step;
    }
    let mut left = LEFT + GAP / 2.0;
    for (index, name) in groups.iter().enumerate() {
        for (place, (bar, colour)) in bars.iter().zip(&colours).enumerate() {
            let Some(value) = bar.values[index] else { continue };
            text.push_str(&format!(
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{colour}\">\
                 <title>{}, {name}: {value:.2}</title></rect>\n",
                left + count(place) * BAR,
                y(value),
                BAR - 1.5,
                y(0.0) - y(value),
                bar.name
            ));
        }
        let middle = left + (group - GAP) / 2.0;
        text.push_str(&format!(
            "<text class=\"small\" x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{name}</text>\n",
            TOP + HEIGHT + 18.0
        ));
        left += group;
    }
    text + "</svg>\n"
}

fn colours(bars: &[Bar]) -> Vec<&'static str> {
    let (mut greys, mut colours) = (GREYS.iter().cycle(), COLOURS.iter().cycle());
    let next = |bar: &Bar| if bar.is_ours { colours.next() } else { greys.next() };
    bars.iter().map(next).map(|colour| *colour.expect("a cycle does not end")).collect()
}

fn count(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}
