//! What a text has beside the module: its comments, and where things stand in it.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::{Detail, Violation};

/// The comments that have lines of their own, by what they stand in front of; and the places of the text's functions,
/// inputs, outputs and instructions.
///
/// [`parse_with_comments`](crate::parse_with_comments) finds them and [`print_with`](crate::print_with) puts them back.
#[derive(Clone, Debug, Default)]
pub struct Comments {
    /// What stands behind the `;` of each line, each ended by a line feed.
    lines: BTreeMap<Place, String>,
    /// The bytes of the text where a thing begins: a word of its line.
    spans: BTreeMap<Place, Range<usize>>,
}

/// What a comment can stand in front of, by indices: of sources, functions, inputs, outputs and records, and of
/// instructions in reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    Source(usize),
    Function(usize),
    Input(usize, usize),
    Output(usize, usize),
    Inst(usize, usize),
    /// The `}` of a function's instruction's block.
    BlockEnd(usize, usize, usize),
    FunctionEnd(usize),
    Debug(usize),
    DebugEnd(usize),
    End,
}

/// The same comments in front of the same things, wherever in their texts these stand.
impl PartialEq for Comments {
    fn eq(&self, other: &Comments) -> bool {
        self.lines == other.lines
    }
}

impl Eq for Comments {}

impl Comments {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The bytes of the text that a violation of the text's module is about.
    ///
    /// ```
    /// use sdlbc::{parse_with_comments, verify};
    ///
    /// let text = "generic function \"\" {\n  %2 = negate %1\n}\n";
    /// let (module, comments) = parse_with_comments(text).expect("well written");
    /// let violations = verify(&module).expect_err("nobody defines %1");
    /// assert_eq!(comments.span_of(&violations[0]).map(|span| &text[span]), Some("%2"));
    /// ```
    pub fn span_of(&self, violation: &Violation) -> Option<Range<usize>> {
        let function = violation.function?;
        let place = match (violation.instruction, &violation.detail) {
            (Some(instruction), _) => Place::Inst(function, instruction),
            (None, &Detail::Input { index, .. }) => Place::Input(function, index),
            (None, &Detail::Output { index, .. }) => Place::Output(function, index),
            (None, _) => Place::Function(function),
        };
        self.spans.get(&place).or_else(|| self.spans.get(&Place::Function(function))).cloned()
    }

    /// The bytes of the text where an instruction of a function begins; both by their indices, instructions in reading order.
    pub fn instruction(&self, function: usize, instruction: usize) -> Option<Range<usize>> {
        self.spans.get(&Place::Inst(function, instruction)).cloned()
    }

    pub(super) fn at(&self, place: Place) -> &str {
        self.lines.get(&place).map_or("", String::as_str)
    }

    /// Notes where a thing stands.
    pub(super) fn stands(&mut self, place: Place, span: Range<usize>) {
        self.spans.insert(place, span);
    }

    /// Moves lines to a place.
    pub(super) fn put(&mut self, place: Place, lines: &mut String) {
        if !lines.is_empty() {
            self.lines.insert(place, std::mem::take(lines));
        }
    }
}
