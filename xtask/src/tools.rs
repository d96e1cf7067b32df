//! Programs that tests need besides Rust: which are missing, how they are installed, and which tests run without them.
//!
//! Nothing is installed before it has been listed. A tool that cannot be installed is not an error: its tests are skipped
//! and listed at the end of the run, which fails only if `CI=true`.

use std::process::Stdio;

use crate::shell::{self, Result, command, root, run, succeeds};

/// A program and the Debian package that has it.
struct Program {
    name: &'static str,
    package: &'static str,
    /// What is skipped without it.
    tests: &'static str,
}

const PROGRAMS: [Program; 7] = [
    Program { name: "chromium", package: "chromium", tests: PAGE_TESTS },
    Program { name: "chromedriver", package: "chromium-driver", tests: PAGE_TESTS },
    Program { name: "node", package: "nodejs", tests: PAGE_TYPES },
    Program { name: "npm", package: "npm", tests: PAGE_TYPES },
    Program { name: "stockfish", package: "stockfish", tests: "matches against Stockfish" },
    Program {
        name: "fairy-stockfish",
        package: "fairy-stockfish",
        tests: "counts and matches of Fairy-Stockfish",
    },
    Program { name: "valgrind", package: "valgrind", tests: "instruction counts" },
];

/// Python packages that judge our moves in tests.
const ORACLES: [&str; 2] = ["chess", "pyffish"];

const PAGE_TESTS: &str = "page tests in a browser";
const PAGE_TYPES: &str = "type and accessibility checks of the page";

/// What a run has, and what it skips.
pub(crate) struct Tools {
    /// Tests that do not run, each with the reason.
    pub(crate) skipped: Vec<String>,
    /// The Python that has the module `chess`.
    pub(crate) python_chess: Option<String>,
    has_browser: bool,
    /// Whether instruction counts can be taken.
    pub(crate) has_valgrind: bool,
}

impl Tools {
    /// Lists what is missing, installs what can be installed, and notes what is skipped.
    pub(crate) fn install() -> Result<Self> {
        let missing: Vec<&Program> = PROGRAMS.iter().filter(|program| !is_installed(program.name)).collect();
        announce(&missing);
        components()?;
        let mut skipped = Vec::new();
        let failure = packages(&missing).err();
        for Program { name, package, tests } in missing.iter().filter(|program| !is_installed(program.name)) {
            let why = failure.as_deref().unwrap_or("the package manager did not install it");
            skipped.push(format!("{tests}: {name} is missing (Debian package {package}): {why}"));
        }
        if let Err(why) = web_tools() {
            skipped.push(format!("{PAGE_TYPES}: {why}"));
        }
        let python_chess =
            python_chess().map_err(|why| skipped.push(format!("comparison with python-chess: {why}")));
        Ok(Tools {
            skipped,
            python_chess: python_chess.ok(),
            has_browser: is_installed("chromium") && is_installed("chromedriver") && has_web_tools(),
            has_valgrind: is_installed("valgrind"),
        })
    }

    /// Environment variables for the tests.
    pub(crate) fn variables(&self) -> Vec<(&'static str, &str)> {
        let mut variables = vec![("TABIYA_PYTHON", self.python_chess.as_deref().unwrap_or("python3"))];
        if self.has_browser {
            variables.push(("TABIYA_BROWSER", "must"));
        }
        variables
    }

    /// Prints what was skipped.
    ///
    /// # Errors
    ///
    /// Fails if something was skipped and `CI=true`.
    pub(crate) fn report(&self) -> Result {
        if self.skipped.is_empty() {
            return Ok(());
        }
        let listed = self.skipped.join("\n  ");
        println!("\nSkipped:\n  {listed}");
        let is_ci = std::env::var("CI").is_ok_and(|value| value == "true");
        if is_ci { Err(format!("CI=true, and these tests were skipped:\n  {listed}")) } else { Ok(()) }
    }
}

fn announce(missing: &[&Program]) {
    let mut lines = Vec::new();
    let absent: Vec<&str> =
        COMPONENTS.iter().filter(|(tool, _)| !has_component(tool)).map(|(_, name)| *name).collect();
    if !absent.is_empty() {
        lines.push(format!("rustup component add {}", absent.join(" ")));
    }
    if !missing.is_empty() {
        let names: Vec<&str> = missing.iter().map(|program| program.package).collect();
        lines.push(format!("apt-get install {}", names.join(" ")));
    }
    if !has_web_tools() {
        lines.push(format!("npm install {}, into target/web-tools", WEB_TOOLS.join(" ")));
    }
    if !has_chess(&python_chess_path()) {
        lines.push(format!("pip install {}, into target/python-chess", ORACLES.join(" ")));
    }
    if !root().join("target/venv/installed.txt").exists() {
        lines.push("pip install -r python/requirements-test.txt, into target/venv".into());
    }
    if lines.is_empty() {
        println!("Nothing has to be installed.");
    } else {
        println!("This run installs:\n  {}", lines.join("\n  "));
    }
}

/// Debian puts games where not every `PATH` leads.
fn is_installed(program: &str) -> bool {
    ["", "/usr/games/"].iter().any(|folder| {
        let mut asked = command(&format!("{folder}{program}"), &["--version"]);
        asked.stdin(Stdio::null()).output().is_ok()
    })
}

const COMPONENTS: [(&str, &str); 2] = [("fmt", "rustfmt"), ("clippy", "clippy")];

fn has_component(tool: &str) -> bool {
    succeeds("cargo", &[tool, "--version"])
}

/// Adds the formatter and the linter to toolchains that lack them.
pub(crate) fn components() -> Result {
    for (tool, component) in COMPONENTS {
        if !has_component(tool) {
            run("rustup", &["component", "add", component])?;
        }
    }
    Ok(())
}

/// Installs a program if it is missing.
///
/// # Errors
///
/// Fails if it cannot be installed.
pub(crate) fn install_program(name: &str) -> Result {
    let missing: Vec<&Program> =
        PROGRAMS.iter().filter(|program| program.name == name && !is_installed(program.name)).collect();
    for program in &missing {
        println!("This run installs:\n  apt-get install {}", program.package);
    }
    packages(&missing)
}

fn packages(missing: &[&Program]) -> Result {
    if missing.is_empty() {
        return Ok(());
    }
    if !succeeds("apt-get", &["--version"]) {
        return Err("there is no apt-get here".into());
    }
    let packages: Vec<&str> = missing.iter().map(|program| program.package).collect();
    run("apt-get", &["update", "-q"])?;
    run("apt-get", &[&["install", "-q", "-y", "--no-install-recommends"][..], &packages].concat())
}

const WEB_TOOLS: [&str; 2] = ["typescript@5", "axe-core@4"];

fn has_web_tools() -> bool {
    let modules = root().join("target/web-tools/node_modules");
    modules.join("axe-core").exists() && modules.join("typescript").exists()
}

/// Installs the type checker and the accessibility checker of the page.
pub(crate) fn web_tools() -> Result {
    if has_web_tools() {
        return Ok(());
    }
    let folder = root().join("target/web-tools");
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let folder = folder.display().to_string();
    let install =
        ["install", "--prefix", &folder, "--no-save", "--no-audit", "--no-fund", "--ignore-scripts"];
    run("npm", &[&install[..], &WEB_TOOLS].concat())
}

/// Returns the Python with the modules that judge our moves.
pub(crate) fn python_chess_path() -> String {
    root().join("target/python-chess/bin/python3").display().to_string()
}

fn has_chess(python: &str) -> bool {
    succeeds(python, &["-c", "import chess, pyffish"])
}

/// Makes a Python environment with the modules that judge our moves.
fn python_chess() -> Result<String> {
    let python = python_chess_path();
    if !has_chess(&python) {
        let folder = root().join("target/python-chess").display().to_string();
        shell::run("python3", &["-m", "venv", &folder])?;
        let install = ["-m", "pip", "install", "--quiet", "--retries", "1"];
        shell::run(&python, &[&install[..], &ORACLES].concat())?;
    }
    Ok(python)
}
