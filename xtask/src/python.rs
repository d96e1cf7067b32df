//! The Python package as its users get it: built as a wheel, installed into an environment that has nothing else, where
//! the papers' examples must run; then its tests, and its types against what is really there.

use std::fs;
use std::path::{Path, PathBuf};

use crate::shell::{self, Done, command, root, run_in, run_with};

/// What the tests need, by name.
const REQUIREMENTS: &str = "python/requirements-test.txt";

/// The papers whose examples run in the fresh environment.
const PAPERS: [&str; 2] = ["README.md", "python/README.md"];

/// Nothing is left beside the sources.
const TIDY: [(&str, &str); 1] = [("PYTHONDONTWRITEBYTECODE", "1")];

/// Builds the package and tests it.
pub(crate) fn run() -> Done {
    interpreter()?;
    let tools = tools()?;
    let wheel = wheel(&tools)?;
    examples(&wheel)?;
    checks(&tools, &wheel)
}

/// The python of an environment with the package and those beside whom it is measured. Who cannot be installed is named.
pub(crate) fn for_benchmark() -> Done<String> {
    interpreter()?;
    let wheel = wheel(&tools()?)?;
    let folder = root().join("target/venv-bench");
    let python = folder.join("bin/python3").display().to_string();
    if !folder.exists() {
        environment("venv-bench")?;
    }
    let names = read(&root().join("bench/tensor/requirements.txt"))?;
    for name in names.lines().filter(|line| !line.starts_with('#')) {
        if install(&python, &[name]).is_err() {
            println!("{name} cannot be installed, and is left out");
        }
    }
    install(&python, &["--force-reinstall", "--no-deps", &wheel])?;
    Ok(python)
}

fn interpreter() -> Done {
    let asked = "import sys; sys.exit(sys.version_info < (3, 10))";
    match command("python3", &["-c", asked]).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err("python3 is too old for the package: it needs Python 3.10 or newer".to_owned()),
        Err(why) => {
            Err(format!("the package needs Python 3.10 or newer as python3, which cannot be run: {why}"))
        }
    }
}

/// The python of an environment of its own in `target`, made anew.
fn environment(name: &str) -> Done<String> {
    let folder = root().join("target").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    }
    let shown = folder.display().to_string();
    shell::run("python3", &["-m", "venv", &shown]).map_err(|why| {
        format!(
            "{why}: python3 has no working module venv (on Debian and Ubuntu it is the package python3-venv)"
        )
    })?;
    Ok(format!("{shown}/bin/python3"))
}

/// The python that has what the tests need; it is kept until something else is needed.
fn tools() -> Done<String> {
    let folder = root().join("target/venv");
    let stamp = folder.join("installed.txt");
    let wanted = read(&root().join(REQUIREMENTS))?;
    let own = folder.join("bin/python3").display().to_string();
    let works = command(&own, &["-m", "pip", "--version"]).output().is_ok_and(|it| it.status.success());
    if works && fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(own);
    }
    let own = environment("venv")?;
    install(&own, &["-r", REQUIREMENTS])
        .map_err(|why| format!("{why}: what {REQUIREMENTS} names cannot be installed without a network"))?;
    fs::write(&stamp, wanted).map_err(|why| format!("{}: {why}", stamp.display()))?;
    Ok(own)
}

/// The python that has what the tests need and the package as it is now, and the wheel of that.
pub(crate) fn installed() -> Done<(String, String)> {
    interpreter()?;
    let python = tools()?;
    let wheel = wheel(&python)?;
    install(&python, &["--force-reinstall", "--no-deps", &wheel])?;
    Ok((python, wheel))
}

pub(crate) fn install(python: &str, what: &[&str]) -> Done {
    let start = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    shell::run(python, &[&start[..], what].concat())
}

/// Builds the wheel, of the crates as they are compiled for everything else.
fn wheel(python: &str) -> Done<String> {
    let folder = root().join("target/wheels");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    }
    let out = folder.display().to_string();
    let build = ["-m", "maturin", "build", "--release", "--locked", "--quiet", "--interpreter", python];
    run_in("python", python, &[&build[..], &["--out", &out]].concat())?;
    let files = fs::read_dir(&folder).map_err(|why| format!("{out}: {why}"))?;
    let mut wheels: Vec<PathBuf> = files.filter_map(|file| Some(file.ok()?.path())).collect();
    wheels.retain(|file| file.extension().is_some_and(|extension| extension == "whl"));
    match wheels.as_slice() {
        [wheel] => Ok(wheel.display().to_string()),
        _ => Err(format!("maturin has left {} wheels in {out}", wheels.len())),
    }
}

/// What the papers show runs where nothing but the package is installed, and nothing of its source is near.
fn examples(wheel: &str) -> Done {
    let python = environment("venv-fresh")?;
    install(&python, &[wheel])?;
    for paper in PAPERS {
        println!("\n=== the examples of {paper}");
        for example in blocks(&read(&root().join(paper))?) {
            run_in("target/venv-fresh", &python, &["-I", "-c", &example])
                .map_err(|_| format!("an example of {paper} does not run:\n{example}"))?;
        }
    }
    Ok(())
}

/// The blocks of Python of a paper that use the package.
fn blocks(paper: &str) -> Vec<String> {
    let starts = paper.split("```python\n").skip(1);
    let blocks = starts.filter_map(|rest| rest.split_once("```")).map(|(block, _)| block.to_owned());
    blocks.filter(|block| block.starts_with("import tabiya")).collect()
}

/// The tests, and the types: of the package, of the tests and examples, and of the stubs against what was compiled.
fn checks(python: &str, wheel: &str) -> Done {
    install(python, &["--force-reinstall", "--no-deps", wheel])?;
    run_with(python, &["-m", "pytest", "-q", "-p", "no:cacheprovider", "python"], &TIDY)?;
    let mypy = ["-m", "mypy", "--strict", "--cache-dir", "target/mypy"];
    shell::run(python, &[&mypy[..], &["python/tabiya", "python/tests", "python/examples"]].concat())?;
    shell::run(python, &["-m", "mypy.stubtest", "tabiya"])
}

fn read(file: &Path) -> Done<String> {
    fs::read_to_string(file).map_err(|why| format!("{}: {why}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_examples_of_the_package_are_run() {
        let paper = "```python\nimport json\n```\n\n```python\nimport tabiya\nx = 1\n```\n```sh\nimport tabiya\n```\n";
        assert_eq!(blocks(paper), ["import tabiya\nx = 1\n"]);
    }

    #[test]
    fn every_paper_has_an_example() {
        for paper in PAPERS {
            assert!(!blocks(&read(&root().join(paper)).unwrap()).is_empty(), "{paper}");
        }
    }
}
