//! The test command: everything that must hold before a change is merged. Takes about half an hour on two cores from an
//! empty target folder. The quick form leaves out pages, documentation and the Python package.

use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::net::TcpStream;
use std::process::Stdio;

use crate::shell::{Result, command, json, output, root, run, run_with};
use crate::tools::{self, Tools};
use crate::{instructions, python, tidy};

/// Runs every check.
pub(crate) fn full() -> Result {
    let mut tools = Tools::install()?;
    // A full run seldom finds anything to reuse, and incremental compilation makes it slower.
    let variables = [&[("CARGO_INCREMENTAL", "0")][..], &tools.variables()].concat();
    let cargo = |arguments: &[&str]| run_with("cargo", arguments, &variables);
    static_checks(&variables)?;
    // One run shows every failure.
    cargo(&["test", "--workspace", "--locked", "--no-fail-fast"])?;
    // The engine without `unsafe`, and without AVX-512. The second is only compiled: tests compare all its paths above.
    let games = ["--test", "conformance", "--test", "chesslike_specs", "--test", "perft"];
    let start = ["test", "--locked", "-p", "tabiya-oracle", "--features", "tabiya-engine/portable"];
    cargo(&[&start[..], &games].concat())?;
    cargo(&["check", "--locked", "-p", "tabiya-engine", "--features", "no-avx512"])?;
    let docs = [&[("RUSTDOCFLAGS", "-D warnings")][..], &variables].concat();
    run_with("cargo", &["doc", "--workspace", "--no-deps", "--locked"], &docs)?;
    first_command()?;
    python::run()?;
    if !instructions::has_pext() {
        tools.skipped.push("instruction counts: this machine has no PEXT".into());
    } else if tools.has_valgrind {
        instructions::check(false)?;
    }
    tools.report()?;
    println!("\nAll checks passed.");
    Ok(())
}

/// Runs formatting, lints and the tests that need no other program.
pub(crate) fn quick() -> Result {
    tools::components()?;
    static_checks(&[])?;
    // The tests of agents run an example, which `--tests` does not build.
    run("cargo", &["build", "--locked", "-p", "tabiya-arena", "--examples"])?;
    // `--tests` means every target that is tested. `--lib` would also test libraries that are not, such as that of the Python package.
    let tests = ["test", "--workspace", "--locked", "--tests"];
    run_with("cargo", &tests, &[("TABIYA_BROWSER", "never")])?;
    println!(
        "\nAll quick checks passed. `cargo xtask test` also checks the documentation, the browser pages and the Python package."
    );
    Ok(())
}

fn static_checks(variables: &[(&str, &str)]) -> Result {
    run("cargo", &["fmt", "--all", "--check"])?;
    tidy::run()?;
    run_with(
        "cargo",
        &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"],
        variables,
    )
}

/// Screenshots of the documents: the name in the page tests, and the file.
const PICTURES: [(&str, &str); 4] = [
    ("chess", "page"),
    ("enochian", "page-enochian"),
    ("workshop-betza", "page-workshop"),
    ("watch", "page-watch"),
];

/// Takes the screenshots of the documents.
pub(crate) fn pictures() -> Result {
    tools::web_tools()?;
    run_with(
        "cargo",
        &["test", "--locked", "-p", "tabiya-cli", "--test", "page"],
        &[("TABIYA_BROWSER", "must")],
    )?;
    for (taken, shown) in PICTURES {
        let (from, to) = (format!("target/screenshots/{taken}.png"), format!("docs/{shown}.png"));
        std::fs::copy(root().join(&from), root().join(&to)).map_err(|error| format!("{from}: {error}"))?;
    }
    Ok(())
}

/// Runs the README's first command: the server shows its page, and the terminal plays a game to its end.
fn first_command() -> Result {
    println!("\n=== cargo run --release -- serve");
    run("cargo", &["build", "--release", "--quiet", "--locked"])?;
    let file = root().join("target/first-command.db").display().to_string();
    let words = ["serve", "--port", "0", "--no-open", "--format", "json", "--games", &file];
    let mut server = command("target/release/tabiya", &words)
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let page = server.stdout.take().map_or(Err("the server prints nothing".to_owned()), first_page);
    let _ = server.kill();
    let _ = server.wait();
    let page = page?;
    if !page.contains("Tabiya") {
        return Err(format!("the first page does not name Tabiya:\n{page}"));
    }
    let moves = "f2f3\ne7e5\ng2g4\nd8h4\n";
    let shown = output("cargo", &["run", "--release", "--quiet", "--locked", "--", "play", "chess"], moves)?;
    if shown.contains("Checkmate: BLACK wins") {
        Ok(())
    } else {
        Err(format!("the fool's mate does not end the game:\n{shown}"))
    }
}

/// Fetches the first page of a server, whose first line of output has its address.
fn first_page(printed: impl Read) -> Result<String> {
    let mut line = String::new();
    BufReader::new(printed).read_line(&mut line).map_err(|error| error.to_string())?;
    let printed = json(&line)?;
    let host = printed["url"].as_str().and_then(|url| url.strip_prefix("http://")).ok_or("no address")?;
    let host = host.trim_end_matches('/');
    let mut stream = TcpStream::connect(host).map_err(|error| error.to_string())?;
    let request = format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).map_err(|error| error.to_string())?;
    let mut page = String::new();
    stream.read_to_string(&mut page).map_err(|error| error.to_string())?;
    Ok(page)
}
