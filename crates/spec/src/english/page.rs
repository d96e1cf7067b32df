//! Plain-text layout: underlined headings, wrapped paragraphs and lists with a hanging indent.
//!
//! All text is laid out word by word, so names cannot break lines or send control characters to the terminal.

/// Width of a line.
pub(super) const WIDTH: usize = 100;

/// A text under construction.
#[derive(Default)]
pub(super) struct Page {
    text: String,
    /// Whether the last line is a heading, so that no blank line is needed.
    headed: bool,
}

impl Page {
    /// Writes the title.
    pub(super) fn title(&mut self, text: &str) {
        self.underlined(text, '=');
    }

    /// Starts a section.
    pub(super) fn heading(&mut self, text: &str) {
        self.gap();
        self.underlined(text, '-');
        self.headed = true;
    }

    /// Writes a paragraph, unless it is empty.
    pub(super) fn paragraph(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.gap();
            self.wrap("", "", text);
        }
    }

    /// Writes an item of the outermost list.
    pub(super) fn item(&mut self, text: &str) {
        self.nested(0, text);
    }

    /// Writes a list item; `depth` 0 is the outermost level.
    pub(super) fn nested(&mut self, depth: usize, text: &str) {
        let indent = "  ".repeat(depth);
        self.wrap(&format!("{indent}- "), &format!("{indent}  "), text);
    }

    /// Writes a numbered item at the second level.
    pub(super) fn numbered(&mut self, number: usize, text: &str) {
        let first = format!("  {number}. ");
        let rest = " ".repeat(first.len());
        self.wrap(&first, &rest, text);
    }

    /// Continues the item above on a new line.
    pub(super) fn more(&mut self, text: &str) {
        self.wrap("  ", "  ", text);
    }

    /// Writes lines without wrapping.
    pub(super) fn drawing(&mut self, lines: &[String]) {
        self.gap();
        for line in lines {
            self.text.push_str(&clean(line));
            self.text.push('\n');
        }
    }

    /// Returns the text.
    pub(super) fn into_text(self) -> String {
        self.text
    }

    fn underlined(&mut self, text: &str, line: char) {
        let start = self.text.len();
        self.wrap("", "", text);
        let longest = self.text[start..].lines().map(|line| line.chars().count()).max().unwrap_or_default();
        self.text.extend(std::iter::repeat_n(line, longest));
        self.text.push('\n');
    }

    /// Writes a blank line, except at the top and after a heading.
    fn gap(&mut self) {
        if !self.headed && !self.text.is_empty() {
            self.text.push('\n');
        }
        self.headed = false;
    }

    fn wrap(&mut self, first: &str, rest: &str, text: &str) {
        self.headed = false;
        let mut column = 0;
        for word in text.split_whitespace().map(clean) {
            let length = word.chars().count();
            if column == 0 {
                self.text.push_str(first);
                column = first.chars().count();
            } else if column + 1 + length > WIDTH {
                self.text.push('\n');
                self.text.push_str(rest);
                column = rest.chars().count();
            } else {
                self.text.push(' ');
                column += 1;
            }
            self.text.push_str(&word);
            column += length;
        }
        self.text.push('\n');
    }
}

fn clean(text: &str) -> String {
    text.replace(char::is_control, "\u{fffd}")
}

/// Joins parts as `a, b or c`.
pub(super) fn join<T: AsRef<str>>(parts: &[T], word: &str) -> String {
    match parts {
        [] => "nothing".into(),
        [only] => only.as_ref().into(),
        [rest @ .., last] => {
            let rest: Vec<&str> = rest.iter().map(AsRef::as_ref).collect();
            format!("{} {word} {}", rest.join(", "), last.as_ref())
        }
    }
}

/// Formats `1 square`, `2 squares`.
pub(super) fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// Prepends the article: `a ROOK`, `an ELEPHANT`.
pub(super) fn article(noun: &str) -> String {
    let vowel = noun.starts_with(|c: char| "AEIOUaeiou".contains(c));
    format!("{} {noun}", if vowel { "an" } else { "a" })
}
