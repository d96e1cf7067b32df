//! Project rules that no other tool checks.

mod enochian;
mod paths;
mod words;

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::Value;

use crate::shell::{self, Result, output, root};

/// Dependencies that each crate may have on our other crates. Tests may use any.
const DEPENDENCIES: &[(&str, &[&str])] = &[
    ("tabiya-engine", &[]),
    ("tabiya-spec", &["engine"]),
    ("tabiya-notation", &["engine"]),
    ("tabiya-players", &["engine"]),
    ("tabiya-referee", &["engine", "notation"]),
    ("tabiya-tensor", &["engine", "notation"]),
    ("tabiya-learn", &["engine", "notation", "players", "referee", "tensor"]),
    ("tabiya-enochian", &["engine", "notation", "spec"]),
    ("tabiya-ini", &["engine", "spec"]),
    ("tabiya-oracle", &["engine", "players", "spec"]),
    ("tabiya-arena", &["engine", "notation", "players", "referee", "spec"]),
    ("tabiya-train", &["arena", "engine", "notation", "players"]),
    ("tabiya-server", &["arena", "engine", "notation", "players", "referee", "spec"]),
    ("tabiya-py", &["engine", "enochian", "learn", "notation", "players", "referee", "spec", "tensor"]),
    (
        "tabiya-cli",
        &[
            "arena", "engine", "enochian", "ini", "notation", "players", "referee", "server", "spec",
            "tensor", "train",
        ],
    ),
    ("tabiya", &["arena", "engine", "enochian", "learn", "notation", "players", "referee", "spec", "tensor"]),
];

/// Checks all rules and reports every breach.
pub(crate) fn run() -> Result {
    println!("\n=== project rules");
    let mut breaches = Vec::new();
    headers(&mut breaches)?;
    paths::check(&mut breaches)?;
    words::check(&mut breaches)?;
    let metadata = shell::json(&output("cargo", &["metadata", "--format-version", "1", "--locked"], "")?)?;
    dependencies(&metadata, &mut breaches);
    licences(&metadata, &mut breaches)?;
    enochian::check(&mut breaches);
    if breaches.is_empty() {
        Ok(())
    } else {
        Err(format!("project rules are broken:\n  {}", breaches.join("\n  ")))
    }
}

/// Every Rust file begins with a description.
fn headers(breaches: &mut Vec<String>) -> Result {
    for file in tracked(&["*.rs"])? {
        if !read(&file)?.starts_with("//! ") {
            breaches.push(format!("{} does not begin with a description (`//!`)", file.display()));
        }
    }
    Ok(())
}

/// Crates depend only on those that [`DEPENDENCIES`] allows.
fn dependencies(metadata: &Value, breaches: &mut Vec<String>) {
    let ours: BTreeSet<&str> = DEPENDENCIES.iter().map(|(name, _)| *name).collect();
    for package in packages(metadata) {
        let name = text(package, "name");
        let Some((_, allowed)) = DEPENDENCIES.iter().find(|(known, _)| *known == name) else { continue };
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let other = text(dependency, "name");
            let short = other.strip_prefix("tabiya-").unwrap_or(other);
            if ours.contains(other) && dependency["kind"] != "dev" && !allowed.contains(&short) {
                breaches.push(format!("{name} must not depend on {other}"));
            }
        }
    }
}

/// Every dependency has a licence that `deny.toml` allows; one of several alternatives is enough.
fn licences(metadata: &Value, breaches: &mut Vec<String>) -> Result {
    let rules = shell::read("deny.toml")?;
    let listed = rules.split_once("allow = [").and_then(|(_, rest)| rest.split_once(']'));
    let listed = listed.ok_or("deny.toml has no list of licences")?.0;
    let allowed: Vec<&str> = listed.split('"').skip(1).step_by(2).collect();
    for package in packages(metadata) {
        let licence = text(package, "license");
        let is_allowed = |choice: &str| {
            let choice = choice.split(" WITH ").next().unwrap_or(choice);
            choice.split(" AND ").all(|part| allowed.contains(&part.trim().trim_matches(['(', ')'])))
        };
        if !licence.replace('/', " OR ").split(" OR ").any(is_allowed) {
            breaches.push(format!("{} has the licence {licence:?}", text(package, "name")));
        }
    }
    Ok(())
}

fn packages(metadata: &Value) -> impl Iterator<Item = &Value> {
    metadata["packages"].as_array().into_iter().flatten()
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

/// Lists files of the project that match, committed or not. Links to files elsewhere are left out.
fn tracked(patterns: &[&str]) -> Result<Vec<PathBuf>> {
    let arguments = [&["ls-files", "--cached", "--others", "--exclude-standard", "--"], patterns].concat();
    let files = output("git", &arguments, "")?;
    let is_file = |file: &PathBuf| root().join(file).symlink_metadata().is_ok_and(|it| it.is_file());
    Ok(files.lines().map(PathBuf::from).filter(is_file).collect())
}

fn read(file: &std::path::Path) -> Result<String> {
    shell::read(&file.display().to_string())
}
