//! Plain tables: the first column is aligned to the left, all others to the right.

use crate::text::display_width;

/// Formats rows of equal length, indented by two blanks.
pub(super) fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| display_width(cell)).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let gap = " ".repeat(widths[column] - display_width(cell));
            line.push_str("  ");
            line.push_str(&if column == 0 { format!("{cell}{gap}") } else { format!("{gap}{cell}") });
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let rows = [["a", "1"], ["bcd", "23"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(table(&rows), "  a     1\n  bcd  23\n");
    }
}
