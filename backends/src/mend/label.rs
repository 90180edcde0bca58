//! Labels: words that stand for names until an output is complete (`names.rs`).

/// A word of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'t> {
    pub(crate) text: &'t str,
    pub(crate) at: usize,
    pub(crate) label: Option<usize>,
    /// The label of the function that it is in.
    pub(crate) function: Option<usize>,
}

/// Returns a label's text. It ends with a letter and is not a word of any language, so that naga keeps it.
pub(crate) fn text_of(index: usize) -> String {
    format!("n{index}x")
}

/// Returns the label that has this text.
pub(crate) fn index_of(text: &str) -> Option<usize> {
    let digits = text.strip_prefix('n')?.strip_suffix('x')?;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}
