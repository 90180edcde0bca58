//! Information about a text that is not in the module: its comments, and the positions of its parts.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::{Detail, Id, Rule, Violation};

/// The comments that have lines of their own, by the part of the text that follows them; and the positions of the text's
/// functions, inputs, outputs, members and instructions.
///
/// [`parse_with_comments`](crate::parse_with_comments) collects them and [`print_with`](crate::print_with) prints them.
#[derive(Clone, Debug, Default)]
pub struct Comments {
    /// The text after the `;` of each comment line, followed by a line feed.
    lines: BTreeMap<Anchor, String>,
    /// The bytes of the first word of each part.
    spans: BTreeMap<Anchor, Range<usize>>,
}

/// A part of the text that a comment can precede. The numbers are indices of sources, functions, inputs, outputs and records,
/// and numbers of instructions in reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Anchor {
    Source(usize),
    Function(usize),
    Input(usize, usize),
    Output(usize, usize),
    /// A member, by its entry of the debug table, its array and its index.
    Member(usize, Id, usize),
    /// A member, by its function, its array and its index, for the positions of violations.
    MemberOf(usize, Id, usize),
    Inst(usize, usize),
    /// The `}` of a block, by its function, instruction and index.
    BlockEnd(usize, usize, usize),
    FunctionEnd(usize),
    Debug(usize),
    DebugEnd(usize),
    End,
}

/// Equality compares the comments and the parts that they precede. Positions in the text may differ.
impl PartialEq for Comments {
    fn eq(&self, other: &Comments) -> bool {
        self.lines == other.lines
    }
}

impl Eq for Comments {}

impl Comments {
    /// Whether there are no comments.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The bytes of the text for a violation of the text's module.
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

    /// The bytes of the first word of an instruction, by the index of its function and its number in reading order.
    pub fn instruction(&self, function: usize, instruction: usize) -> Option<Range<usize>> {
        self.spans.get(&Anchor::Inst(function, instruction)).cloned()
    }

    pub(super) fn before(&self, anchor: Anchor) -> &str {
        self.lines.get(&anchor).map_or("", String::as_str)
    }

    /// Records the position of a part.
    pub(super) fn locate(&mut self, anchor: Anchor, span: Range<usize>) {
        self.spans.insert(anchor, span);
    }

    /// Moves comment lines to a part.
    pub(super) fn put(&mut self, anchor: Anchor, lines: &mut String) {
        if !lines.is_empty() {
            self.lines.insert(anchor, std::mem::take(lines));
        }
    }
}
