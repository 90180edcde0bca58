//! A writer of Rust source code that is formatted like the output of rustfmt.

use crate::describe::Attribute;

/// The maximum line length in rustfmt's default style.
pub(crate) const LINE: usize = 100;

#[derive(Clone, Debug)]
pub(crate) struct Included {
    pub(crate) constant: String,
    /// The text of the constant's documentation comment.
    pub(crate) about: String,
    pub(crate) file: String,
    /// The number of SPIR-V words in the file; `None` for a text file.
    pub(crate) words: Option<usize>,
}

pub(crate) struct Code {
    pub(crate) text: String,
    pub(crate) indent: usize,
}

impl Code {
    pub(crate) fn line(&mut self, line: &str) {
        if !line.is_empty() {
            self.text.extend(std::iter::repeat_n("    ", self.indent));
        }
        self.text += line;
        self.text.push('\n');
    }

    /// Adds the lines `open` and `close`, and indents the lines that `inside` adds between them.
    pub(crate) fn block(&mut self, open: &str, close: &str, inside: impl FnOnce(&mut Code)) {
        self.line(open);
        self.indent += 1;
        inside(self);
        self.indent -= 1;
        self.line(close);
    }

    /// Adds a struct expression. If rustfmt would not put the fields on one line, each field has its own line.
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

    pub(crate) fn doc(&mut self, text: &str) {
        text.lines().for_each(|line| self.line(format!("/// {line}").trim_end()));
    }

    /// Adds `head [items] tail` on one line if the line is short enough. Otherwise, each item has its own line.
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

/// Returns the offset of each attribute in the vertex, the padding after each attribute, and the size of the vertex, all in
/// bytes.
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
