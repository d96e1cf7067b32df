//! Files of values, as somebody names them on the command line.

use std::fs;
use std::path::Path;

use tabiya_arena::read_values;
use tabiya_engine::Rules;
use tabiya_players::Values;

use crate::failure::Failure;
use crate::files;
use crate::text::plain;

/// The values of a game from a file.
pub(crate) fn read(rules: &Rules, path: &Path) -> Result<Values, Failure> {
    let refusal = |why: &str| Failure::Usage(format!("`{}`: {}", path.display(), plain(why)));
    let about = fs::metadata(path).map_err(|error| refusal(&files::reason(&error)))?;
    // A pipe may never say anything.
    if !about.is_file() {
        return Err(refusal(if about.is_dir() { "it is a directory" } else { "it is no ordinary file" }));
    }
    let text = files::text(path).map_err(|why| refusal(&why))?;
    read_values(rules, &text).map_err(|faults| refusal(&faults.join("; ")))
}
