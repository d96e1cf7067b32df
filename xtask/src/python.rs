//! The Python package as its users get it: built as a wheel and installed into an empty environment, where the examples of
//! the documents run; then its tests, and its types against the compiled module.

use std::fs;
use std::path::PathBuf;

use crate::shell::{self, Result, root, run_in, run_with, succeeds};

const REQUIREMENTS: &str = "python/requirements-test.txt";

/// Documents whose examples run.
const DOCUMENTS: [&str; 2] = ["README.md", "python/README.md"];

/// Keeps compiled files out of the source folders.
const NO_CACHE: [(&str, &str); 1] = [("PYTHONDONTWRITEBYTECODE", "1")];

/// Builds and tests the package.
pub(crate) fn run() -> Result {
    let (python, wheel) = built()?;
    run_examples(&wheel)?;
    run_tests(&python, &wheel)
}

/// Returns a Python with the package and the libraries it is compared with. Prints which cannot be installed.
pub(crate) fn benchmark_environment() -> Result<String> {
    let (_, wheel) = built()?;
    let folder = root().join("target/venv-bench");
    let python = folder.join("bin/python3").display().to_string();
    if !folder.exists() {
        new_environment("venv-bench")?;
    }
    for name in shell::read("bench/tensor/requirements.txt")?.lines().filter(|line| !line.starts_with('#')) {
        if install(&python, &[name]).is_err() {
            println!("{name} cannot be installed and is left out");
        }
    }
    install_wheel(&python, &wheel)?;
    Ok(python)
}

/// Returns a Python with the current package and the test requirements, and the wheel.
pub(crate) fn installed() -> Result<(String, String)> {
    let (python, wheel) = built()?;
    install_wheel(&python, &wheel)?;
    Ok((python, wheel))
}

/// Returns a Python with the test requirements, and a new wheel.
fn built() -> Result<(String, String)> {
    let version = "import sys; sys.exit(sys.version_info < (3, 10))";
    if !succeeds("python3", &["-c", version]) {
        return Err("the package needs Python 3.10 or newer as python3, which is missing or older".to_owned());
    }
    let python = test_environment()?;
    let wheel = build_wheel(&python)?;
    Ok((python, wheel))
}

/// Installs packages by name or path.
pub(crate) fn install(python: &str, packages: &[&str]) -> Result {
    let start = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    shell::run(python, &[&start[..], packages].concat())
}

fn install_wheel(python: &str, wheel: &str) -> Result {
    install(python, &["--force-reinstall", "--no-deps", wheel])
}

/// Makes an empty environment in `target` and returns its Python.
fn new_environment(name: &str) -> Result<String> {
    let folder = root().join("target").join(name).display().to_string();
    shell::run("python3", &["-m", "venv", "--clear", &folder]).map_err(|why| {
        format!("{why}: python3 has no working module venv (Debian and Ubuntu: package python3-venv)")
    })?;
    Ok(format!("{folder}/bin/python3"))
}

/// Returns a Python with the test requirements. The environment is kept until they change.
fn test_environment() -> Result<String> {
    let stamp = "target/venv/installed.txt";
    let wanted = shell::read(REQUIREMENTS)?;
    let python = root().join("target/venv/bin/python3").display().to_string();
    let works = succeeds(&python, &["-m", "pip", "--version"]);
    if works && shell::read(stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    let python = new_environment("venv")?;
    install(&python, &["-r", REQUIREMENTS])
        .map_err(|why| format!("{why}: {REQUIREMENTS} cannot be installed without a network"))?;
    shell::write(stamp, &wanted)?;
    Ok(python)
}

/// Builds the wheel with the release profile.
fn build_wheel(python: &str) -> Result<String> {
    let folder = root().join("target/wheels");
    let out = folder.display().to_string();
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|why| format!("{out}: {why}"))?;
    }
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

/// Runs the examples of the documents where only the package is installed, away from its source.
fn run_examples(wheel: &str) -> Result {
    let python = new_environment("venv-fresh")?;
    install(&python, &[wheel])?;
    for document in DOCUMENTS {
        println!("\n=== the examples of {document}");
        for example in blocks(&shell::read(document)?) {
            run_in("target/venv-fresh", &python, &["-I", "-c", &example])
                .map_err(|_| format!("an example of {document} does not run:\n{example}"))?;
        }
    }
    Ok(())
}

/// Returns the Python blocks of a document that use the package.
fn blocks(document: &str) -> Vec<String> {
    let starts = document.split("```python\n").skip(1);
    let blocks = starts.filter_map(|rest| rest.split_once("```")).map(|(block, _)| block.to_owned());
    blocks.filter(|block| block.starts_with("import tabiya")).collect()
}

/// Runs the tests, and checks the types of package, tests and examples and the stubs against the compiled module.
fn run_tests(python: &str, wheel: &str) -> Result {
    install_wheel(python, wheel)?;
    run_with(python, &["-m", "pytest", "-q", "-p", "no:cacheprovider", "python"], &NO_CACHE)?;
    let mypy = ["-m", "mypy", "--strict", "--cache-dir", "target/mypy"];
    shell::run(python, &[&mypy[..], &["python/tabiya", "python/tests", "python/examples"]].concat())?;
    shell::run(python, &["-m", "mypy.stubtest", "tabiya"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_examples_of_the_package_are_run() {
        let document = "```python\nimport json\n```\n\n```python\nimport tabiya\nx = 1\n```\n```sh\nimport tabiya\n```\n";
        assert_eq!(blocks(document), ["import tabiya\nx = 1\n"]);
    }

    #[test]
    fn every_document_has_an_example() {
        for document in DOCUMENTS {
            assert!(!blocks(&shell::read(document).unwrap()).is_empty(), "{document}");
        }
    }
}
