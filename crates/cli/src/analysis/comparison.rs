//! Two analyses side by side.

use tabiya_arena::{Comparison, Difference};

use super::table::table;
use super::{conditions, percent, short};
use crate::styles::STRONG;
use crate::text::sanitize;

/// Formats the comparison.
pub(crate) fn side_by_side(comparison: &Comparison) -> String {
    let Comparison { a, b, differences } = comparison;
    let mut text = String::new();
    for (name, analysis) in [("A", a), ("B", b)] {
        let label = sanitize(&analysis.label).into_owned();
        text.push_str(&format!("{name}: {STRONG}{label}{STRONG:#}: {}\n", conditions(analysis)));
        for remark in &analysis.remarks {
            text.push_str(&format!("   {STRONG}! {}{STRONG:#}\n", sanitize(remark)));
        }
    }
    text.push('\n');
    let header = ["", "A", "B", "B - A", "95 % interval", ""].map(str::to_owned).to_vec();
    let rows: Vec<Vec<String>> = std::iter::once(header).chain(differences.iter().map(row)).collect();
    text.push_str(&table(&rows));
    text.push_str("\n  * The interval excludes zero: the games differ in this figure.\n");
    text
}

fn row(difference: &Difference) -> Vec<String> {
    let number = |value: f64| if difference.is_share { percent(value) } else { short(value) };
    let signed = |value: f64| if value > 0.0 { format!("+{}", number(value)) } else { number(value) };
    let interval = difference.interval.map(|(low, high)| format!("{} to {}", signed(low), signed(high)));
    let mark = if difference.differs { "*" } else { "" };
    vec![
        sanitize(&difference.figure).into_owned(),
        number(difference.a),
        number(difference.b),
        signed(difference.difference),
        interval.unwrap_or_default(),
        mark.to_owned(),
    ]
}
