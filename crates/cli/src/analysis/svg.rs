//! SVG plots for an HTML page. They have no scripts and take their colours from the page.

/// One bar of a bar chart.
pub(super) struct Bar {
    pub(super) name: String,
    /// The value as text.
    pub(super) figure: String,
    /// The length, as a fraction of the full width.
    pub(super) part: f64,
    /// The confidence interval, as fractions.
    pub(super) bounds: Option<(f64, f64)>,
}

const WIDTH: f64 = 640.0;
const ROW: f64 = 30.0;
/// Where bars start and end.
const LEFT: f64 = 190.0;
const RIGHT: f64 = 540.0;

/// Draws a horizontal bar chart.
pub(super) fn bars(title: &str, bars: &[Bar]) -> String {
    let height = ROW * bars.len() as f64 + 8.0;
    let mut svg = open(title, height);
    svg.push_str(&format!(
        "<line class=\"axis\" x1=\"{LEFT}\" y1=\"2\" x2=\"{LEFT}\" y2=\"{:.0}\"/>",
        height - 2.0
    ));
    for (index, bar) in bars.iter().enumerate() {
        let top = ROW * index as f64 + 7.0;
        let x = |part: f64| LEFT + part.clamp(0.0, 1.0) * (RIGHT - LEFT);
        let (width, middle) = (x(bar.part) - LEFT, top + 10.0);
        svg.push_str(&format!(
            "<g><title>{name}: {figure}</title>\
             <text class=\"name\" x=\"{:.0}\" y=\"{:.1}\">{name}</text>\
             <rect class=\"bar\" x=\"{LEFT}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"20\" rx=\"3\"/>",
            LEFT - 10.0,
            middle + 4.5,
            name = escape(&bar.name),
            figure = escape(&bar.figure),
        ));
        let mut end = x(bar.part);
        if let Some((low, high)) = bar.bounds {
            let (low, high) = (x(low), x(high));
            end = end.max(high);
            svg.push_str(&format!(
                "<path class=\"error\" d=\"M{low:.1} {middle:.1}H{high:.1}M{low:.1} {:.1}v10M{high:.1} {:.1}v10\"/>",
                middle - 5.0,
                middle - 5.0
            ));
        }
        svg.push_str(&format!(
            "<text class=\"figure\" x=\"{:.1}\" y=\"{:.1}\">{}</text></g>",
            end + 8.0,
            middle + 4.5,
            escape(&bar.figure)
        ));
    }
    svg.push_str("</svg>");
    svg
}

const PLOT: f64 = 200.0;
const FLOOR: f64 = 172.0;
const EDGE: f64 = 44.0;

/// Draws a histogram. Each column has its lower bound and its count.
pub(super) fn columns(title: &str, unit: &str, width: u32, columns: &[(u32, u32)]) -> String {
    let most = columns.iter().map(|(_, count)| *count).max().unwrap_or(0).max(1);
    let step = (WIDTH - EDGE - 10.0) / columns.len().max(1) as f64;
    let mut svg = open(title, PLOT);
    svg.push_str(&grid(f64::from(most)));
    let labelled = columns.len().div_ceil(8).max(1);
    for (index, (from, count)) in columns.iter().enumerate() {
        let x = EDGE + step * index as f64;
        let high = f64::from(*count) / f64::from(most) * (FLOOR - 14.0);
        svg.push_str(&format!(
            "<rect class=\"bar\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{high:.1}\" rx=\"2\"><title>{from} to {} {}: {count}</title></rect>",
            x + 1.0,
            FLOOR - high,
            (step - 2.0).max(1.0),
            from + (width - 1),
            escape(unit),
        ));
        if index % labelled == 0 {
            svg.push_str(&format!(
                "<text class=\"tick\" x=\"{:.1}\" y=\"{:.0}\">{from}</text>",
                x + 1.0,
                FLOOR + 18.0
            ));
        }
    }
    svg.push_str("</svg>");
    svg
}

/// Draws a line through points.
pub(super) fn line(title: &str, points: &[(f64, f64)]) -> String {
    let most = points.iter().map(|(_, y)| *y).fold(1.0, f64::max);
    let far = points.iter().map(|(x, _)| *x).fold(1.0, f64::max);
    let place =
        |(x, y): &(f64, f64)| (EDGE + x / far * (WIDTH - EDGE - 16.0), FLOOR - y / most * (FLOOR - 14.0));
    let mut svg = open(title, PLOT);
    svg.push_str(&grid(most));
    let path: Vec<String> = points.iter().map(place).map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
    if !path.is_empty() {
        svg.push_str(&format!("<path class=\"line\" d=\"M{}\"/>", path.join("L")));
    }
    for (x, y) in points {
        let (left, top) = place(&(*x, *y));
        svg.push_str(&format!(
            "<circle class=\"point\" cx=\"{left:.1}\" cy=\"{top:.1}\" r=\"3\"><title>from move {x:.0}: {y:.1}</title></circle>"
        ));
    }
    for part in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let (left, _) = place(&(far * part, 0.0));
        svg.push_str(&format!(
            "<text class=\"tick\" x=\"{left:.1}\" y=\"{:.0}\">{:.0}</text>",
            FLOOR + 18.0,
            far * part
        ));
    }
    svg.push_str("</svg>");
    svg
}

fn open(title: &str, height: f64) -> String {
    let title = escape(title);
    format!(
        "<svg viewBox=\"0 0 {WIDTH:.0} {height:.0}\" role=\"img\" aria-label=\"{title}\"><title>{title}</title>"
    )
}

/// Draws grid lines at zero, half and full height.
fn grid(most: f64) -> String {
    let at = |part: f64| {
        let y = FLOOR - part * (FLOOR - 14.0);
        format!(
            "<line class=\"grid\" x1=\"{EDGE}\" y1=\"{y:.1}\" x2=\"{WIDTH}\" y2=\"{y:.1}\"/>\
             <text class=\"scale\" x=\"{:.0}\" y=\"{:.1}\">{}</text>",
            EDGE - 8.0,
            y + 4.0,
            super::short(most * part)
        )
    };
    [0.0, 0.5, 1.0].map(at).concat()
}

/// Escapes a text for HTML.
pub(super) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            letter if letter.is_control() => safe.push('\u{fffd}'),
            letter => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped() {
        let bar = Bar { name: "<b>&\"".to_owned(), figure: "1".to_owned(), part: 0.5, bounds: None };
        let svg = bars("it's", &[bar]);
        assert!(
            svg.contains("&lt;b&gt;&amp;&quot;") && svg.contains("it&#39;s") && !svg.contains("<b>"),
            "{svg}"
        );
    }
}
