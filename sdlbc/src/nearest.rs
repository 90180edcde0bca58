//! Finds the known word nearest to a misspelt word, for the suggestions in error messages.

/// Returns the word with the smallest edit distance to the lower-case form of `found`, or `None` if more than a third of `found`
/// would have to change. An edit adds, removes or replaces a letter, or swaps two adjacent letters.
pub fn nearest<'w>(found: &str, words: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    /// The length in bytes above which a misspelt word has no near match, because no known word is longer.
    const LONGEST: usize = 32;
    if found.len() > LONGEST {
        return None;
    }
    let found = found.to_ascii_lowercase();
    let limit = (found.len() / 3).max(1);
    let near =
        words.map(|word| (distance(found.as_bytes(), word.as_bytes()), word)).filter(|(edits, _)| *edits <= limit);
    near.min_by_key(|(edits, _)| *edits).map(|(_, word)| word)
}

/// Computes the edit distance between `a` and `b` by dynamic programming over prefixes. Only three rows of the table are
/// kept.
#[expect(
    clippy::indexing_slicing,
    reason = "each row has one more entry than `b` has letters, and `i` and `j` are indices of letters"
)]
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut before = vec![0; b.len() + 1];
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, &from) in a.iter().enumerate() {
        let mut row = vec![i + 1; b.len() + 1];
        for (j, &to) in b.iter().enumerate() {
            let replaced = above[j] + usize::from(from != to);
            row[j + 1] = replaced.min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && from == b[j - 1] && a[i - 1] == to {
                row[j + 1] = row[j + 1].min(before[j - 1] + 1);
            }
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swap_is_one_edit() {
        assert_eq!(distance(b"mvo", b"mov"), 1);
        assert_eq!(distance(b"linaer", b"linear"), 1);
        assert_eq!(distance(b"", b"mov"), 3);
        assert_eq!(distance(b"wrapmode", b"wrap"), 4);
    }

    #[test]
    fn the_nearest_word_is_named_unless_it_is_far() {
        let words = ["linear", "nearest", "clamp", "wrap"];
        assert_eq!(nearest("Linaer", words.into_iter()), Some("linear"));
        assert_eq!(nearest("clmap", words.into_iter()), Some("clamp"));
        assert_eq!(nearest("zzzzzz", words.into_iter()), None);
        assert_eq!(nearest(&"w".repeat(1000), words.into_iter()), None);
    }
}
