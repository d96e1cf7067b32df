//! Documents name files that exist.

use std::path::Path;

use super::{read, tracked};
use crate::shell::{Result, root};

const FOLDERS: [&str; 6] = ["crates/", "games/", "docs/", "xtask/", "bench/", "python/"];

/// Checks paths between backquotes in every document, and names of Rust files.
pub(super) fn check(breaches: &mut Vec<String>) -> Result {
    let sources: Vec<String> = tracked(&["*.rs"])?.iter().map(|file| file.display().to_string()).collect();
    for document in tracked(&["*.md"])? {
        for word in read(&document)?.split('`').skip(1).step_by(2) {
            let is_pattern = word.contains(['*', '{', ' ', '\n']) || word.contains("NAME");
            let is_path = FOLDERS.iter().any(|folder| word.starts_with(folder));
            let exists = if is_path {
                root().join(word).exists()
            } else {
                Path::new(word).extension().is_none_or(|it| it != "rs")
                    || sources.iter().any(|file| has_suffix(file, word))
            };
            if !is_pattern && !exists {
                breaches.push(format!("{} names {word}, which does not exist", document.display()));
            }
        }
    }
    Ok(())
}

/// Whether a path ends with these components.
fn has_suffix(path: &str, suffix: &str) -> bool {
    path.strip_suffix(suffix).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}
