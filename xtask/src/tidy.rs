//! House rules that no other tool knows.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::shell::{Done, output, root};

/// Which room may know which; `spec` is the only one that the tests of all others may use.
const DIRECTION: &[(&str, &[&str])] = &[
    ("tabiya-engine", &[]),
    ("tabiya-spec", &["tabiya-engine"]),
    ("tabiya-notation", &["tabiya-engine"]),
    ("tabiya-players", &["tabiya-engine"]),
    (
        "tabiya-learn",
        &["tabiya-engine", "tabiya-notation", "tabiya-players", "tabiya-referee", "tabiya-tensor"],
    ),
    ("tabiya-tensor", &["tabiya-engine", "tabiya-notation"]),
    ("tabiya-enochian", &["tabiya-engine", "tabiya-notation", "tabiya-spec"]),
    ("tabiya-oracle", &["tabiya-engine", "tabiya-players", "tabiya-spec"]),
    (
        "tabiya-arena",
        &["tabiya-engine", "tabiya-notation", "tabiya-players", "tabiya-referee", "tabiya-spec"],
    ),
    ("tabiya-referee", &["tabiya-engine", "tabiya-notation"]),
    (
        "tabiya-server",
        &[
            "tabiya-arena",
            "tabiya-engine",
            "tabiya-notation",
            "tabiya-players",
            "tabiya-referee",
            "tabiya-spec",
        ],
    ),
    (
        "tabiya-py",
        &[
            "tabiya-engine",
            "tabiya-enochian",
            "tabiya-learn",
            "tabiya-notation",
            "tabiya-players",
            "tabiya-referee",
            "tabiya-spec",
            "tabiya-tensor",
        ],
    ),
    (
        "tabiya",
        &[
            "tabiya-arena",
            "tabiya-engine",
            "tabiya-notation",
            "tabiya-enochian",
            "tabiya-players",
            "tabiya-referee",
            "tabiya-server",
            "tabiya-spec",
            "tabiya-tensor",
        ],
    ),
];

/// Licences that a dependency may have; one of several choices is enough.
const PERMISSIVE: &[&str] = &[
    "MIT",
    "MIT-0",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Zlib",
    "Unicode-3.0",
    "0BSD",
    "CC0-1.0",
    "Unlicense",
    "BSL-1.0",
];

/// Checks all house rules and reports every breach.
pub(crate) fn run() -> Done {
    println!("\n=== house rules");
    let mut breaches = Vec::new();
    headers(&mut breaches)?;
    papers(&mut breaches)?;
    let metadata = metadata()?;
    direction(&metadata, &mut breaches);
    licences(&metadata, &mut breaches);
    if breaches.is_empty() {
        Ok(())
    } else {
        Err(format!("house rules are broken:\n  {}", breaches.join("\n  ")))
    }
}

/// Every Rust file says at its top what it is for.
fn headers(breaches: &mut Vec<String>) -> Done {
    for file in tracked(&["*.rs"])? {
        if !read(&file)?.starts_with("//! ") {
            breaches.push(format!("{} does not say at its top what it is for (`//!`)", file.display()));
        }
    }
    Ok(())
}

/// Paths in backquotes in the papers exist.
fn papers(breaches: &mut Vec<String>) -> Done {
    for paper in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"] {
        for word in read(Path::new(paper))?.split('`').skip(1).step_by(2) {
            let is_path = ["crates/", "games/", "docs/", "xtask/", "bench/", "python/"]
                .iter()
                .any(|room| word.starts_with(room));
            let is_pattern = word.contains(['*', '{', ' ']) || word.contains("NAME");
            if is_path && !is_pattern && !root().join(word).exists() {
                breaches.push(format!("{paper} names {word}, which does not exist"));
            }
        }
    }
    Ok(())
}

/// A room knows only the rooms to its left.
fn direction(metadata: &Value, breaches: &mut Vec<String>) {
    let rooms: BTreeSet<&str> = DIRECTION.iter().map(|(room, _)| *room).collect();
    for package in packages(metadata).filter(|package| rooms.contains(text(package, "name"))) {
        let name = text(package, "name");
        let allowed =
            DIRECTION.iter().find(|(room, _)| *room == name).map_or(&[][..], |(_, allowed)| allowed);
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let other = text(dependency, "name");
            let is_for_tests = dependency["kind"] == "dev";
            if rooms.contains(other) && !is_for_tests && !allowed.contains(&other) {
                breaches.push(format!("{name} must not know {other}"));
            }
        }
    }
}

/// Every dependency is permissive.
fn licences(metadata: &Value, breaches: &mut Vec<String>) {
    for package in packages(metadata) {
        let licence = text(package, "license");
        let is_good = |choice: &str| {
            choice.split(" AND ").all(|part| PERMISSIVE.contains(&part.trim().trim_matches(['(', ')'])))
        };
        let choices = licence.replace('/', " OR ");
        if !choices.split(" OR ").any(|choice| is_good(choice.split(" WITH ").next().unwrap_or(choice))) {
            breaches.push(format!("{} has the licence {licence:?}", text(package, "name")));
        }
    }
}

fn metadata() -> Done<Value> {
    let text = output("cargo", &["metadata", "--format-version", "1", "--locked"], "")?;
    serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))
}

fn packages(metadata: &Value) -> impl Iterator<Item = &Value> {
    metadata["packages"].as_array().into_iter().flatten()
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

/// The files of the project that match, whether or not they are committed.
fn tracked(patterns: &[&str]) -> Done<Vec<PathBuf>> {
    let arguments = [&["ls-files", "--cached", "--others", "--exclude-standard", "--"], patterns].concat();
    let files = output("git", &arguments, "")?;
    Ok(files.lines().map(PathBuf::from).filter(|file| root().join(file).exists()).collect())
}

fn read(file: &Path) -> Done<String> {
    fs::read_to_string(root().join(file)).map_err(|error| format!("{}: {error}", file.display()))
}
