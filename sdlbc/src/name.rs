//! Debug names of values. The builder names almost every value, but creates the string of a name only when the function is
//! finished, and only if the function still contains the value.

use smol_str::{SmolStr, SmolStrBuilder};

/// The debug name of a value in a [`Builder`](crate::Builder).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name(pub(crate) Text);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Text {
    Fixed(&'static str),
    Numbered(&'static str, u32),
    /// An index into the builder's list of names.
    Listed(usize),
}

impl Name {
    /// Creates a name from a prefix and a number, such as `ft3`.
    pub const fn numbered(prefix: &'static str, number: u32) -> Name {
        Name(Text::Numbered(prefix, number))
    }
}

/// Creates the strings of names. Recent strings are cached, because most values are named after a few registers.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    cache: [Option<(&'static str, u32, SmolStr)>; 32],
}

impl Texts {
    /// Returns the string of a name; `listed` is the builder's list of names.
    pub(crate) fn text(&mut self, name: Name, listed: &[SmolStr]) -> SmolStr {
        let (prefix, number) = match name.0 {
            Text::Fixed(text) => return SmolStr::new_static(text),
            Text::Listed(index) => return listed.get(index).cloned().unwrap_or_default(),
            Text::Numbered(prefix, number) => (prefix, number),
        };
        // Prefixes such as `vt` and `vc` mostly differ in their last letter, which therefore helps to select the cache entry.
        let last = prefix.as_bytes().last().copied().unwrap_or(0);
        let Some(entry) = self.cache.get_mut((number as usize + usize::from(last) * 8) % 32) else {
            return numbered(prefix, number);
        };
        match entry {
            Some((of, at, text)) if std::ptr::eq(*of, prefix) && *at == number => text.clone(),
            _ => entry.insert((prefix, number, numbered(prefix, number))).2.clone(),
        }
    }
}

impl From<&'static str> for Name {
    fn from(text: &'static str) -> Name {
        Name(Text::Fixed(text))
    }
}

/// Returns a prefix followed by a decimal number.
///
/// ```
/// assert_eq!([0, 9, 10, 250, u32::MAX].map(|number| sdlbc::name::numbered("vc", number)), ["vc0", "vc9", "vc10", "vc250", "vc4294967295"]);
/// ```
pub fn numbered(prefix: &str, number: u32) -> SmolStr {
    let mut text = SmolStrBuilder::new();
    text.push_str(prefix);
    push_digits(&mut text, number);
    text.finish()
}

fn push_digits(text: &mut SmolStrBuilder, number: u32) {
    if number >= 10 {
        push_digits(text, number / 10);
    }
    text.push(char::from_digit(number % 10, 10).unwrap_or('0'));
}
