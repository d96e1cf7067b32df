//! Checks that `games/enochian.json` agrees with `docs/enochian-rules.yaml`, from which its arrays are generated.

use crate::shell::output;

/// Reports a game file that is out of date. The test profile shares its build with the tests. The example prints the command that regenerates it.
pub(super) fn check(breaches: &mut Vec<String>) {
    let arguments = ["run", "--profile", "test", "--quiet", "--locked", "-p", "tabiya-enochian", "--example", "game_file"];
    if let Err(reason) = output("cargo", &arguments, "") {
        breaches.push(format!("games/enochian.json: {reason}"));
    }
}
