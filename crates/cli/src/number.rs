//! Numbers on the command line. One reader for all of them, so that whatever is wrong with one, the answer says what may
//! stand there.

use std::ops::RangeInclusive;

/// A whole number of a range that its type can hold.
pub(crate) fn whole<T: TryFrom<u64>>(text: &str, range: RangeInclusive<u64>) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number
        .and_then(|number| T::try_from(number).ok())
        .ok_or_else(|| format!("it must be a whole number from {} to {}", range.start(), range.end()))
}
