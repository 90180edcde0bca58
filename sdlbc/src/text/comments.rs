//! The comments and source positions of a parsed text, which are not part of the module.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::{Detail, Id, Rule, Violation};

/// The comments on lines of their own in a parsed text, and the positions of functions, inputs, outputs, members and
/// instructions. Each comment belongs to the part of the text that follows it.
///
/// [`parse_with_comments`](crate::parse_with_comments) collects the comments, and [`print_with`](crate::print_with) prints them.
#[derive(Clone, Debug, Default)]
pub struct Comments {
    /// The comment lines before each part of the text, without the `;` and with a line feed after each line.
    lines: BTreeMap<Anchor, String>,
    /// The byte range of the first word of each part of the text.
    spans: BTreeMap<Anchor, Range<usize>>,
}

/// A part of the text that a comment can precede. The numbers in a variant are indices, outermost first; instructions are
/// numbered in reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Anchor {
    Source(usize),
    Function(usize),
    Input(usize, usize),
    Output(usize, usize),
    /// A member, identified by its entry in the debug table, its array and its index.
    Member(usize, Id, usize),
    /// A member, identified by its function, its array and its index, to locate violations.
    MemberOf(usize, Id, usize),
    Inst(usize, usize),
    /// The `}` of a block, identified by the indices of the function, the instruction and the block.
    BlockEnd(usize, usize, usize),
    FunctionEnd(usize),
    Debug(usize),
    DebugEnd(usize),
    End,
}

/// Compares the comments and the parts that the comments precede, but not the positions in the text.
impl PartialEq for Comments {
    fn eq(&self, other: &Comments) -> bool {
        self.lines == other.lines
    }
}

impl Eq for Comments {}

impl Comments {
    /// Reports whether the text has no comments on lines of their own.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Returns the byte range of the text that a violation concerns, or `None` if the violation concerns no function.
    ///
    /// ```
    /// use sdlbc::{parse_with_comments, verify};
    ///
    /// let text = "generic function \"\" {\n  %2 = negate %1\n}\n";
    /// let (module, comments) = parse_with_comments(text).expect("well written");
    /// let violations = verify(&module).expect_err("%1 is undefined");
    /// assert_eq!(comments.span_of(&violations[0]).map(|span| &text[span]), Some("%2"));
    /// ```
    pub fn span_of(&self, violation: &Violation) -> Option<Range<usize>> {
        let function = violation.function?;
        let anchor = match (violation.instruction, &violation.detail) {
            (Some(instruction), _) => Anchor::Inst(function, instruction),
            (None, &Detail::Input { index, .. }) => Anchor::Input(function, index),
            (None, &Detail::Output { index, .. }) => Anchor::Output(function, index),
            (None, &Detail::Member { id, index, .. }) => Anchor::MemberOf(function, id, index),
            (None, &Detail::Id(id)) if violation.rule == Rule::MembersOf => Anchor::MemberOf(function, id, 0),
            (None, _) => Anchor::Function(function),
        };
        self.spans.get(&anchor).or_else(|| self.spans.get(&Anchor::Function(function))).cloned()
    }

    /// Returns the byte range of an instruction's first word. `function` is the index of the function, and `instruction` the
    /// index of the instruction in reading order.
    pub fn instruction(&self, function: usize, instruction: usize) -> Option<Range<usize>> {
        self.spans.get(&Anchor::Inst(function, instruction)).cloned()
    }

    pub(super) fn before(&self, anchor: Anchor) -> &str {
        self.lines.get(&anchor).map_or("", String::as_str)
    }

    pub(super) fn locate(&mut self, anchor: Anchor, span: Range<usize>) {
        self.spans.insert(anchor, span);
    }

    /// Assigns comment lines to a part of the text, and clears `lines`.
    pub(super) fn put(&mut self, anchor: Anchor, lines: &mut String) {
        if !lines.is_empty() {
            self.lines.insert(anchor, std::mem::take(lines));
        }
    }
}
