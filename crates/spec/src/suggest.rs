//! Suggestions for misspelt names.

/// Longer words are not compared: the cost is the product of the lengths.
const MAX_LENGTH: usize = 64;

/// Returns the candidate that is most similar to `word`, ignoring case.
///
/// A candidate that continues the word after a blank is most similar. Otherwise at most every third letter of the candidate
/// may be wrong, missing, superfluous or swapped with its neighbour.
///
/// ```
/// use tabiya_spec::suggest::nearest;
///
/// assert_eq!(nearest("Chses", ["chess", "random"]), Some("chess"));
/// assert_eq!(nearest("tablet", ["tables", "Tablet (old)"]), Some("Tablet (old)"));
/// assert_eq!(nearest("nonsense", ["chess", "random"]), None);
/// ```
pub fn nearest<'w>(word: &str, candidates: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    if word.len() > MAX_LENGTH {
        return None;
    }
    let word = word.to_lowercase();
    let continues = |candidate: &str| candidate.strip_prefix(&word).is_some_and(|rest| rest.starts_with(' '));
    let distance = |candidate: &str| {
        let candidate = candidate.to_lowercase();
        if continues(&candidate) { 0 } else { strsim::damerau_levenshtein(&word, &candidate) }
    };
    candidates
        .into_iter()
        .filter(|candidate| candidate.len() <= MAX_LENGTH)
        .map(|candidate| (distance(candidate), candidate))
        .filter(|(distance, candidate)| *distance <= candidate.chars().count().div_ceil(3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Returns the end of an error message: ``; did you mean `chess`?``, or the empty string if no candidate is similar.
///
/// ```
/// use tabiya_spec::suggest::did_you_mean;
///
/// assert_eq!(did_you_mean("ches", ["chess"]), "; did you mean `chess`?");
/// assert_eq!(did_you_mean("nonsense", ["chess"]), "");
/// ```
pub fn did_you_mean<'w>(word: &str, candidates: impl IntoIterator<Item = &'w str>) -> String {
    nearest(word, candidates).map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}
