//! Checks that `games/enochian.json` agrees with `docs/enochian-rules.yaml`, from which its arrays are generated.

use crate::shell::output;

/// Reports a game file that is out of date. The example prints the command that regenerates it.
pub(super) fn check(breaches: &mut Vec<String>) {
    // The test profile shares its build with the tests.
    let run = ["run", "--profile", "test", "--quiet", "--locked"];
    let arguments = [&run[..], &["-p", "tabiya-enochian", "--example", "game_file"]].concat();
    if let Err(reason) = output("cargo", &arguments, "") {
        breaches.push(format!("games/enochian.json: {reason}"));
    }
}
