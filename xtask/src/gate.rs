//! The gate: what must hold before a change is let in. Small fixed samples of everything, within 20 minutes on two
//! cores.

use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::net::TcpStream;

use serde_json::Value;

use crate::instructions;
use crate::python;
use crate::shell::{self, Done, command, output, root, run_with};
use crate::tidy;

/// The gate.
pub(crate) fn run() -> Done {
    components()?;
    packages()?;
    steps()?;
    println!("\nThe gate is passed.");
    Ok(())
}

fn steps() -> Done {
    shell::run("cargo", &["fmt", "--all", "--check"])?;
    tidy::run()?;
    shell::run("cargo", &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"])?;
    web_tools()?;
    let around = [("TABIYA_PYTHON", python_with_chess()), ("TABIYA_BROWSER", "must".to_owned())];
    let around = around.each_ref().map(|(name, value)| (*name, value.as_str()));
    run_with("cargo", &["test", "--workspace", "--locked"], &around)?;
    // The engine without `unsafe`; and without AVX-512, which is built alone: every path has been compared already.
    let games = ["--test", "conformance", "--test", "tame", "--test", "perft"];
    let start = ["test", "--locked", "-p", "tabiya-oracle", "--features", "tabiya-engine/portable"];
    shell::run("cargo", &[&start[..], &games].concat())?;
    shell::run("cargo", &["check", "--locked", "-p", "tabiya-engine", "--features", "no-avx512"])?;
    let documented = ["doc", "--workspace", "--no-deps", "--locked"];
    run_with("cargo", &documented, &[("RUSTDOCFLAGS", "-D warnings")])?;
    python::run()?;
    instructions::check(false)?;
    first_command()
}

/// The formatter and the linter come with most toolchains; where they do not, they are fetched.
fn components() -> Done {
    for (tool, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        let there = command("cargo", &[tool, "--version"]).output().is_ok_and(|it| it.status.success());
        if !there {
            shell::run("rustup", &["component", "add", component])?;
        }
    }
    Ok(())
}

/// What the tests run beside our own programs; where one is missing and cannot be installed, its tests say so.
fn packages() -> Done {
    let is_there = |program: &str| {
        ["", "/usr/games/"].iter().any(|folder| {
            command(&format!("{folder}{program}"), &["--version"])
                .stdin(std::process::Stdio::null())
                .output()
                .is_ok()
        })
    };
    let wanted = [
        ("valgrind", "valgrind"),
        ("stockfish", "stockfish"),
        ("fairy-stockfish", "fairy-stockfish"),
        ("chromium", "chromium"),
        ("chromedriver", "chromium-driver"),
        ("node", "nodejs"),
        ("npm", "npm"),
    ];
    let missing: Vec<&str> =
        wanted.iter().filter(|(program, _)| !is_there(program)).map(|(_, package)| *package).collect();
    if !missing.is_empty() {
        shell::run("apt-get", &["update", "-q"])?;
        shell::run("apt-get", &[&["install", "-q", "-y", "--no-install-recommends"][..], &missing].concat())?;
    }
    Ok(())
}

/// What looks at the pages beside a browser: their types, and whether everybody can use them.
fn web_tools() -> Done {
    let folder = root().join("target/web-tools");
    if folder.join("node_modules/axe-core").exists() && folder.join("node_modules/typescript").exists() {
        return Ok(());
    }
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let folder = folder.display().to_string();
    let tools = ["typescript@5", "axe-core@4"];
    let install =
        ["install", "--prefix", &folder, "--no-save", "--no-audit", "--no-fund", "--ignore-scripts"];
    shell::run("npm", &[&install[..], &tools].concat())
}

/// Pictures that the papers show, by the name that the page tests give them.
const PICTURES: [(&str, &str); 4] = [
    ("chess", "page"),
    ("enochian", "page-enochian"),
    ("workshop-fault", "page-workshop"),
    ("watch", "page-watch"),
];

/// Makes the pictures of the papers anew.
pub(crate) fn pictures() -> Done {
    web_tools()?;
    run_with(
        "cargo",
        &["test", "--locked", "-p", "tabiya", "--test", "page"],
        &[("TABIYA_BROWSER", "must")],
    )?;
    for (made, shown) in PICTURES {
        let (from, to) = (format!("target/screenshots/{made}.png"), format!("docs/{shown}.png"));
        std::fs::copy(root().join(&from), root().join(&to)).map_err(|error| format!("{from}: {error}"))?;
    }
    Ok(())
}

/// A python that knows chess, which tests ask for a second opinion. Where there is none, they say so and pass: a machine
/// without a network can still test everything else.
fn python_with_chess() -> String {
    let folder = root().join("target/python-chess").display().to_string();
    let own = format!("{folder}/bin/python3");
    let knows_chess = || command(&own, &["-c", "import chess"]).output().is_ok_and(|it| it.status.success());
    let install = ["-m", "pip", "install", "--quiet", "--retries", "1", "chess"];
    let is_made = knows_chess()
        || shell::run("python3", &["-m", "venv", &folder])
            .and_then(|()| shell::run(&own, &install))
            .inspect_err(|why| println!("{why}: where python3 lacks the module chess, its tests are skipped"))
            .is_ok();
    if is_made { own } else { "python3".to_owned() }
}

/// The README's first command serves the page, and the terminal plays a game to its end.
fn first_command() -> Done {
    println!("\n=== cargo run --release -- serve");
    shell::run("cargo", &["build", "--release", "--quiet", "--locked"])?;
    let file = root().join("target/first-command.db").display().to_string();
    let words = ["serve", "--port", "0", "--no-open", "--format", "json", "--games", &file];
    let mut served = command("target/release/tabiya", &words)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let page = served.stdout.take().map_or(Err("it says nothing".to_owned()), first_page);
    let _ = served.kill();
    let _ = served.wait();
    let page = page?;
    if !page.contains("Tabiya") {
        return Err(format!("the first page was not seen:\n{page}"));
    }
    let moves = "f2f3\ne7e5\ng2g4\nd8h4\n";
    let shown = output("cargo", &["run", "--release", "--quiet", "--locked", "--", "play", "chess"], moves)?;
    if shown.contains("Checkmate: BLACK wins") {
        Ok(())
    } else {
        Err(format!("the fool's mate was not seen:\n{shown}"))
    }
}

/// What a server shows first, which says on its first line where it is.
fn first_page(said: impl Read) -> Done<String> {
    let mut line = String::new();
    BufReader::new(said).read_line(&mut line).map_err(|error| error.to_string())?;
    let said: Value = serde_json::from_str(&line).map_err(|error| format!("{error}: {line}"))?;
    let host = said["url"].as_str().and_then(|url| url.strip_prefix("http://")).ok_or("no address")?;
    let host = host.trim_end_matches('/');
    let mut stream = TcpStream::connect(host).map_err(|error| error.to_string())?;
    let request = format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).map_err(|error| error.to_string())?;
    let mut page = String::new();
    stream.read_to_string(&mut page).map_err(|error| error.to_string())?;
    Ok(page)
}
