//! A writer for the text of Rust code.

use crate::describe::Attribute;

/// The maximum length of a line that rustfmt does not break.
pub(crate) const LINE: usize = 100;

/// A file that the module includes as a constant.
#[derive(Clone, Debug)]
pub(crate) struct Included {
    /// The constant's name.
    pub(crate) constant: String,
    /// Its description.
    pub(crate) about: String,
    /// The file's name.
    pub(crate) file: String,
    /// The number of words, if the file consists of words rather than text.
    pub(crate) words: Option<usize>,
}

/// Text with an indentation.
pub(crate) struct Code {
    pub(crate) text: String,
    pub(crate) indent: usize,
}

impl Code {
    /// Adds a line.
    pub(crate) fn line(&mut self, line: &str) {
        if !line.is_empty() {
            self.text.extend(std::iter::repeat_n("    ", self.indent));
        }
        self.text += line;
        self.text.push('\n');
    }

    /// Adds the lines `open` and `close`, and between them the lines of `inside`, one level deeper.
    pub(crate) fn block(&mut self, open: &str, close: &str, inside: impl FnOnce(&mut Code)) {
        self.line(open);
        self.indent += 1;
        inside(self);
        self.indent -= 1;
        self.line(close);
    }

    /// Adds the value of a structure: on one line if its fields are short enough for rustfmt, otherwise with a line for
    /// each field.
    pub(crate) fn structure(&mut self, open: &str, close: &str, fields: impl Fn(&mut Code)) {
        let mut lines = Code { text: String::new(), indent: 0 };
        fields(&mut lines);
        let inside = lines.text.lines().collect::<Vec<_>>().join(" ");
        let inside = inside.trim_end_matches(',');
        let line = format!("{open} {inside} {close}");
        if inside.len() <= 18 && 4 * self.indent + line.len() <= LINE {
            return self.line(&line);
        }
        self.block(open, close, fields);
    }

    /// Adds a documentation comment.
    pub(crate) fn doc(&mut self, text: &str) {
        text.lines().for_each(|line| self.line(format!("/// {line}").trim_end()));
    }

    /// Adds `head [items] tail`: on one line if it fits, otherwise with a line for each item.
    pub(crate) fn list(&mut self, head: &str, items: &[String], tail: &str) {
        let inside = items.join(", ");
        let line = format!("{head}[{inside}]{tail}");
        if inside.len() <= 60 && 4 * self.indent + line.len() <= LINE {
            return self.line(&line);
        }
        self.block(&format!("{head}["), &format!("]{tail}"), |code| {
            items.iter().for_each(|item| code.line(&format!("{item},")));
        });
    }
}

/// Returns the offset of each attribute and the padding after it, and the size of a vertex.
pub(crate) fn places(attributes: &[Attribute]) -> (Vec<(u32, u32)>, u32) {
    let (mut places, mut at) = (Vec::new(), 0);
    for attribute in attributes {
        let size = attribute.format.bytes();
        let end = (at + size).next_multiple_of(4);
        places.push((at, end - at - size));
        at = end;
    }
    (places, at)
}
