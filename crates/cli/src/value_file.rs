//! Files of values, as somebody names them on the command line.

use std::fs;
use std::path::Path;

use tabiya_arena::read_values;
use tabiya_engine::Rules;
use tabiya_players::Values;

use crate::failure::Failure;
use crate::text::plain;

/// A file of values is far smaller.
const LONGEST: u64 = 1 << 20;

/// The values of a game from a file.
pub(crate) fn read(rules: &Rules, path: &Path) -> Result<Values, Failure> {
    let refusal = |why: &str| Failure::Usage(format!("`{}`: {}", path.display(), plain(why)));
    let size = fs::metadata(path).map_err(|error| refusal(&error.to_string()))?.len();
    if size > LONGEST {
        return Err(refusal("this is too large to be a file of values"));
    }
    let text = fs::read_to_string(path).map_err(|error| refusal(&error.to_string()))?;
    read_values(rules, &text).map_err(|faults| refusal(&faults.join("\n")))
}
