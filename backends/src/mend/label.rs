//! Defines labels: words that stand for names until the output is complete (`names.rs`).

/// A word in an output text, with its byte offset.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'t> {
    pub(crate) text: &'t str,
    pub(crate) at: usize,
    pub(crate) label: Option<usize>,
    /// The label of the function that contains the word.
    pub(crate) function: Option<usize>,
}

/// Returns the text of a label. A label ends with a letter and is not a word of any language, so naga leaves it unchanged.
pub(crate) fn text_of(index: usize) -> String {
    format!("n{index}x")
}

pub(crate) fn index_of(text: &str) -> Option<usize> {
    let digits = text.strip_prefix('n')?.strip_suffix('x')?;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}
