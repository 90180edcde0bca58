//! Reads the register names that source text defines in `alias` lines of the macro language and in comments.
//!
//! Rule: names never change the assembled program. A comment defines names only if the entire comment matches the
//! grammar below; any other comment is prose and is ignored. A word consists of letters, digits and `_`, and the
//! words of one name are joined with `_`. Several words after a colon form a description rather than a name, so a
//! name after a colon is a single word.
//!
//! ```text
//! comment   = "//" item { ( "," | ";" ) item }
//! item      = registers ( ( "=" | "->" ) word [ word ] [ word ] | ( ":" | " - " | " is " ) word ) [ ":" type ]
//! registers = FILE [ NUMBER [ ( ".." | "-" ) [ [ FILE ] NUMBER ] | "." letters ] | "[" NUMBER [ ( ".." | "-" ) NUMBER ] "]" ]
//! type      = WORD [ "[" [ NUMBER ] "]" ]
//! ```

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::Range;

use super::lines::lines;
use super::macros::Named;
use super::places::Places;
use super::reader::Written;
use crate::finding::Span;
use crate::register::{File, NAMES, Stage};

/// Registers of one file that share a name in the source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Registers {
    /// The register file, such as constants or temporaries.
    pub file: File,
    /// The only stage in which the register exists, or `None` for varyings, which exist in both stages.
    pub stage: Option<Stage>,
    /// The part of the register file that the name covers.
    pub extent: Extent,
}

/// The part of a register file that a name covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Extent {
    /// The entire file, written without a number as in `vc`.
    File,
    /// One or more consecutive registers, such as `vc7`, `vc0..3` or `vc8..`.
    Whole {
        /// The number of the first register in the range.
        first: u32,
        /// The number of the last register, or `None` if the range extends to the end of the file.
        last: Option<u32>,
    },
    /// Adjacent components of one register, such as `vc7.yz`.
    Part {
        /// The register's number in its file.
        number: u32,
        /// The index of the first component, from 0 for x to 3 for w.
        component: u8,
        /// The number of components, 1 to 4.
        count: u8,
    },
}

/// The reason why text cannot be parsed as a range of registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegistersError {
    /// The byte offset of the first unexpected character in the text.
    pub at: usize,
    /// A description of the text that the parser expected.
    pub wants: &'static str,
}

impl fmt::Display for RegistersError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}", self.wants)
    }
}

impl std::error::Error for RegistersError {}

/// The maximum length of a register number, in digits; no register file has 10,000 registers.
const DIGITS: usize = 4;

impl Registers {
    /// Parses a range of registers at the start of `text`, and returns the range and the number of bytes read.
    ///
    /// ```
    /// use agal_front::assemble::{Extent, Registers};
    ///
    /// let (registers, length) = Registers::prefix("vc0..3 = clip")?;
    /// assert_eq!((registers.to_string(), length), ("vc0..3".to_string(), 6));
    /// assert_eq!(registers.extent, Extent::Whole { first: 0, last: Some(3) });
    /// assert_eq!(Registers::prefix("tex0").unwrap_err().wants, "a register, such as vc0, va1 or fs0");
    /// # Ok::<(), agal_front::assemble::RegistersError>(())
    /// ```
    ///
    /// # Errors
    /// Returns the offset of the first unexpected character, with a description of the expected text.
    pub fn prefix(text: &str) -> Result<(Registers, usize), RegistersError> {
        let mut cursor = Cursor { text, at: 0 };
        Ok((cursor.registers()?, cursor.at))
    }
}

/// Writes registers in the notation of comments, such as `vc0..3`, `vc8..`, `vc7.yz`, `vc` or `oc1`. The register number 0 is
/// omitted for `op`, `oc`, `od` and `iid`.
impl fmt::Display for Registers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.file.name(self.stage.unwrap_or(Stage::Vertex)))?;
        let numbered = |number: u32| match self.file {
            File::Output | File::Depth | File::Instance if number == 0 => String::new(),
            _ => number.to_string(),
        };
        match self.extent {
            Extent::Whole { first, last: Some(last) } if first == last => f.write_str(&numbered(first)),
            Extent::Part { number, component, count } => {
                write!(f, "{}.{}", numbered(number), letters(component, count))
            }
            extent => write!(f, "{extent}"),
        }
    }
}

/// Writes the text that follows the name of a register file, such as `0..3`, `8..` or `7.yz`.
impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Extent::File => Ok(()),
            Extent::Whole { first, last: Some(last) } if first == last => write!(f, "{first}"),
            Extent::Whole { first, last: Some(last) } => write!(f, "{first}..{last}"),
            Extent::Whole { first, last: None } => write!(f, "{first}.."),
            Extent::Part { number, component, count } => write!(f, "{number}.{}", letters(component, count)),
        }
    }
}

fn letters(component: u8, count: u8) -> String {
    "xyzw".chars().skip(usize::from(component)).take(usize::from(count)).collect()
}

/// Parses a range of registers at the start of `text`, and returns the range and the number of bytes read.
///
/// The text must begin with `letters`, the name of a register file in AGAL or in another language.
/// If `whole` is true, the letters without a number denote the entire file.
///
/// ```
/// use agal_front::assemble::{Extent, extent};
///
/// assert_eq!(extent("u0..u3 = clip", "u", true)?, (Extent::Whole { first: 0, last: Some(3) }, 6));
/// assert_eq!(extent("t = albedo", "t", false).unwrap_err().at, 1);
/// # Ok::<(), agal_front::assemble::RegistersError>(())
/// ```
///
/// # Errors
/// Returns the offset of the first unexpected character, with a description of the expected text.
pub fn extent(text: &str, letters: &str, whole: bool) -> Result<(Extent, usize), RegistersError> {
    let mut cursor = Cursor { text, at: letters.len() };
    let extent = cursor.numbered(if whole { Numbered::OrWhole } else { Numbered::Always }, letters)?;
    Ok((extent, cursor.at))
}

/// The kind of source line that names a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NamedBy {
    /// An `alias` line of the macro language.
    Alias,
    /// A comment that matches the grammar for register names.
    Comment,
}

/// A name that source text assigns to registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceName {
    /// The registers that the name denotes.
    pub registers: Registers,
    /// The name, which consists of letters, digits and `_` and does not begin with a digit.
    pub name: String,
    /// The type written after the name, such as `mat4`, or `None` if the source text states no type.
    pub ty: Option<String>,
    /// The source span of the name in an `alias` line, or of the whole item in a comment.
    pub span: Span,
    /// The kind of line that contains the name.
    pub by: NamedBy,
}

impl fmt::Display for SourceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.registers, self.name)?;
        self.ty.as_ref().map_or(Ok(()), |ty| write!(f, ": {ty}"))
    }
}

/// Returns the register names of a stage: first the names from aliases, then the names from comments, each group in source
/// order. An alias is omitted if its register has several aliases or if its name denotes several registers.
pub(super) fn source_names(own: &str, aliases: &[Named], stage: Stage, places: &Places<'_>) -> Vec<SourceName> {
    let of_stage = |registers: &Registers| registers.stage.is_none_or(|of| of == stage);
    type Found = (Registers, String, Option<String>, Written, NamedBy);
    let mut found: Vec<Found> = Vec::new();
    for Named { name, target, place } in aliases {
        let target = target.to_ascii_lowercase();
        let Ok((registers, length)) = Registers::prefix(&target) else { continue };
        if length == target.len() && of_stage(&registers) {
            found.push((registers, name.clone(), None, (place.range.clone(), place.call), NamedBy::Alias));
        }
    }
    // A register with several names, or a name with several registers, maps to `None`.
    let (mut names, mut registers) = (HashMap::new(), HashMap::new());
    for (of, name, ..) in &found {
        let known: &mut Option<&str> = names.entry(*of).or_insert(Some(name));
        *known = known.filter(|known| known == name);
        let known: &mut Option<Registers> = registers.entry(name.as_str()).or_insert(Some(*of));
        *known = known.filter(|known| known == of);
    }
    let is_only = |of: &Registers, name: &str| {
        names.get(of).is_some_and(Option::is_some) && registers.get(name).is_some_and(Option::is_some)
    };
    let mut seen = HashSet::new();
    let is_first = |(of, name, ..): &&Found| is_only(of, name) && seen.insert(*of);
    let mut kept: Vec<Found> = found.iter().filter(is_first).cloned().collect();
    for item in lines(own).flat_map(|line| items_of(own, line)).filter(|item| of_stage(&item.registers)) {
        if seen.insert(item.registers) {
            kept.push((item.registers, item.name, item.ty, (item.range, None), NamedBy::Comment));
        }
    }
    let named = |(registers, name, ty, written, by)| SourceName { registers, name, ty, span: places.span(written), by };
    kept.into_iter().map(named).collect()
}

#[derive(Debug, PartialEq, Eq)]
struct Item {
    registers: Registers,
    name: String,
    ty: Option<String>,
    range: Range<usize>,
}

/// Returns the items in a line's comment. A comment after a statement never names a temporary, because other statements may reuse
/// the temporary.
fn items_of(text: &str, line: Range<usize>) -> Vec<Item> {
    let written = text.get(line.clone()).unwrap_or_default();
    let Some(at) = written.find("//") else { return Vec::new() };
    let mut items = items(text, line.start + at + 2..line.end).unwrap_or_default();
    items.retain(|item| at == 0 || item.registers.file != File::Temporary);
    items
}

fn items(text: &str, comment: Range<usize>) -> Option<Vec<Item>> {
    let text = text.get(..comment.end)?;
    let mut cursor = Cursor { text, at: comment.start };
    let mut items = Vec::new();
    loop {
        cursor.spaces();
        items.push(cursor.item()?);
        cursor.spaces();
        if cursor.rest().is_empty() {
            return Some(items);
        }
        if !cursor.eat(",") && !cursor.eat(";") {
            return None;
        }
    }
}

/// The maximum number of words in a name. Longer text is treated as prose.
const WORDS: usize = 3;
const LONGEST_WORD: usize = 60;
/// The first words of comments that are remarks about a register and do not name it.
const REMARKS: [&str; 5] = ["unused", "unknown", "not", "free", "same"];

/// The meaning of a register file's name without a number: invalid, the entire file, or register 0.
#[derive(Clone, Copy)]
enum Numbered {
    Always,
    OrWhole,
    OrZero,
}

struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn eat(&mut self, word: &str) -> bool {
        let found = self.rest().starts_with(word);
        self.at += if found { word.len() } else { 0 };
        found
    }

    fn spaces(&mut self) -> bool {
        self.take(|c| c == ' ' || c == '\t').is_some()
    }

    fn take(&mut self, is_part: impl Fn(char) -> bool) -> Option<&'a str> {
        let rest = self.rest();
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        self.at += length;
        rest.get(..length).filter(|taken| !taken.is_empty())
    }

    fn refuse<T>(&self, wants: &'static str) -> Result<T, RegistersError> {
        Err(RegistersError { at: self.at, wants })
    }

    fn number(&mut self, wants: &'static str) -> Result<u32, RegistersError> {
        let before = self.at;
        let digits = self.take(|c| c.is_ascii_digit()).filter(|digits| digits.len() <= DIGITS);
        digits.and_then(|digits| digits.parse().ok()).ok_or(RegistersError { at: before, wants })
    }

    fn registers(&mut self) -> Result<Registers, RegistersError> {
        let before = self.at;
        let letters = self.take(|c| c.is_ascii_lowercase()).unwrap_or_default();
        let Some(&(_, file, stage)) = NAMES.iter().find(|(name, ..)| *name == letters) else {
            return Err(RegistersError { at: before, wants: "a register, such as vc0, va1 or fs0" });
        };
        let has_number = match file {
            File::Constant => Numbered::OrWhole,
            File::Output | File::Depth | File::Instance => Numbered::OrZero,
            _ => Numbered::Always,
        };
        let extent = self.numbered(has_number, letters)?;
        Ok(Registers { file, stage, extent })
    }

    fn numbered(&mut self, numbered: Numbered, letters: &str) -> Result<Extent, RegistersError> {
        let extent = self.extent(numbered, letters)?;
        if self.rest().starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
            return self.refuse("the end of the register's name; components follow a dot, as in vc7.x");
        }
        Ok(extent)
    }

    fn extent(&mut self, numbered: Numbered, letters: &str) -> Result<Extent, RegistersError> {
        let in_brackets = self.eat("[");
        let has_number = in_brackets || self.rest().starts_with(|c: char| c.is_ascii_digit());
        let first = match numbered {
            Numbered::OrWhole if !has_number => return Ok(Extent::File),
            Numbered::OrZero if !has_number => 0,
            _ => self.number("the register's number")?,
        };
        let mut extent = Extent::Whole { first, last: Some(first) };
        if self.is_range(letters) {
            self.spaces();
            let _ = self.eat("..") || self.eat("-");
            self.spaces();
            self.eat(letters);
            let at = self.at;
            let last = match self.rest().starts_with(|c: char| c.is_ascii_digit()) {
                true => Some(self.number("the number of the last register")?),
                false => None,
            };
            if last.is_some_and(|last| last < first) {
                return Err(RegistersError { at, wants: "a last register that follows or equals the first" });
            }
            extent = Extent::Whole { first, last };
        } else if !in_brackets && self.eat(".") {
            extent = self.components(first)?;
        }
        match in_brackets && !self.eat("]") {
            true => self.refuse("`]`"),
            false => Ok(extent),
        }
    }

    /// Reports whether `..` or `-` continues a range of registers. After a `..` or `-` between spaces, the last register must be
    /// written in full, because ` - ` also separates registers from a name.
    fn is_range(&self, letters: &str) -> bool {
        let is_digit = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
        let in_full = |rest: &str| rest.strip_prefix(letters).is_some_and(is_digit);
        if self.rest().starts_with("..") {
            return true;
        }
        if let Some(rest) = self.rest().strip_prefix('-') {
            return is_digit(rest) || in_full(rest);
        }
        let rest = self.rest().trim_start_matches(' ');
        let after = rest.strip_prefix("..").or_else(|| rest.strip_prefix('-'));
        after.is_some_and(|after| in_full(after.trim_start_matches(' ')))
    }

    fn components(&mut self, number: u32) -> Result<Extent, RegistersError> {
        let before = self.at;
        let letters = self.take(|c| c.is_ascii_alphabetic()).unwrap_or_default();
        let found = ["xyzw", "rgba"].into_iter().find_map(|all| all.find(letters).filter(|_| !letters.is_empty()));
        let (component, count) = (found.and_then(|at| u8::try_from(at).ok()), u8::try_from(letters.len()).ok());
        let part = component.zip(count).map(|(component, count)| Extent::Part { number, component, count });
        part.ok_or(RegistersError { at: before, wants: "adjacent components in their order, such as x, yz or xyz" })
    }

    fn item(&mut self) -> Option<Item> {
        let start = self.at;
        let registers = self.registers().ok()?;
        let most = self.separator()?;
        let name = self.name(most)?;
        let end = self.at;
        self.spaces();
        let ty = if self.eat(":") { Some(self.ty()?) } else { None };
        if ty.is_none() {
            self.at = end;
        }
        Some(Item { registers, name, ty, range: start..self.at })
    }

    /// Consumes the separator between registers and their name, and returns the maximum number of words in the name.
    fn separator(&mut self) -> Option<usize> {
        let spaced = self.spaces();
        let most = match self.eat("=") || self.eat("->") {
            true => Some(WORDS),
            false => (self.eat(":") || spaced && (self.eat("- ") || self.eat("is "))).then_some(1),
        };
        self.spaces();
        most
    }

    fn name(&mut self, most: usize) -> Option<String> {
        let mut words: Vec<&str> = Vec::new();
        loop {
            let before = self.at;
            self.spaces();
            let Some(word) = self.take(|c| c.is_ascii_alphanumeric() || c == '_') else {
                self.at = before;
                break;
            };
            let begins_well = !words.is_empty() || !word.starts_with(|c: char| c.is_ascii_digit());
            if !begins_well || is_register(word) || words.len() == most || word.len() > LONGEST_WORD {
                return None;
            }
            words.push(word);
        }
        let is_remark = words.first().is_none_or(|first| REMARKS.contains(&first.to_ascii_lowercase().as_str()));
        (!is_remark).then(|| words.join("_"))
    }

    fn ty(&mut self) -> Option<String> {
        self.spaces();
        let start = self.at;
        let word = self.take(|c| c.is_ascii_alphanumeric())?;
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        if self.eat("[") {
            self.take(|c| c.is_ascii_digit());
            if !self.eat("]") {
                return None;
            }
        }
        self.text.get(start..self.at).map(str::to_string)
    }
}

fn is_register(word: &str) -> bool {
    Registers::prefix(word).is_ok_and(|(registers, length)| length == word.len() && registers.extent != Extent::File)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(comment: &str) -> Option<Vec<String>> {
        let items = items(comment, 2..comment.len())?;
        let one = |item: Item| {
            assert!(
                comment[item.range.clone()].starts_with(item.registers.file.name(Stage::Vertex).get(..1)?)
                    || item.registers.stage == Some(Stage::Fragment)
            );
            let ty = item.ty.map(|ty| format!(": {ty}")).unwrap_or_default();
            Some(format!("{} = {}{ty}", item.registers, item.name))
        };
        items.into_iter().map(one).collect()
    }

    #[test]
    fn comments_name_registers_in_the_forms_that_real_sources_have() {
        for (comment, expected) in [
            ("// vc0-3: mvp", "vc0..3 = mvp"),
            ("//vc0-vc3 = mvp", "vc0..3 = mvp"),
            ("// vc0 - vc3: mvp", "vc0..3 = mvp"),
            ("// vc0..vc3 = clip : mat4", "vc0..3 = clip: mat4"),
            ("// vc8.. = bones: vec4[]", "vc8.. = bones: vec4[]"),
            ("// vc8..127: bones", "vc8..127 = bones"),
            ("// vc[4-6] = world matrix", "vc4..6 = world_matrix"),
            ("// vc[4] -> tint", "vc4 = tint"),
            ("// fc0.x = alpha, fc0.yzw = tint", "fc0.x = alpha, fc0.yzw = tint"),
            ("// fc0.a = alpha; fc1 = colour 2", "fc0.w = alpha, fc1 = colour_2"),
            ("// va1 is uv", "va1 = uv"),
            ("//va1 - uv", "va1 = uv"),
            ("// fs0: sky", "fs0 = sky"),
            ("// va4 = colour: Unorm8x4", "va4 = colour: Unorm8x4"),
            ("// op = clip position", "op = clip_position"),
            ("// oc1: normal", "oc1 = normal"),
            ("// vc: transform", "vc = transform"),
            ("// vt0 = n", "vt0 = n"),
            ("// v0: uv", "v0 = uv"),
            ("//\tfd:\tdepth\t", "od = depth"),
        ] {
            assert_eq!(read(comment).map(|items| items.join(", ")).as_deref(), Some(expected), "{comment}");
        }
    }

    #[test]
    fn any_other_comment_is_prose() {
        for comment in [
            "// the vc0-3: mvp",
            "// vc0-3 mvp",
            "// vc0-3: rows of the model to clip matrix",
            "// vc0-3: mvp.",
            "// vc0-3: mvp, column major",
            "// vc0 = 1, 0.5, 0, 0",
            "// vc0 = 0",
            "// vt0 = va0 * vc0",
            "// vt0 = va0",
            "// vt0 = position + offset",
            "// fs0: skin, opaque",
            "// v2: texture coordinates",
            "// v2 - texture coordinates",
            "// vc0 = one two three four",
            "// va1: texture coordinates (float2), 0..1",
            "// va1: is_register(word",
            "// ft0 is z, ft1.x its squared length",
            "// va2 is not used",
            "// va2: unused",
            "// vc3..1: mvp",
            "// vc[0: mvp",
            "// vc0.xz = tint",
            "// va = everything",
            "// v: uv",
            "// vc0 = clip: 4x4",
            "// vc0 = clip: mat4 transposed",
            "// vc[va0.x+4]: bone",
            "// vc0x: mvp",
            "// VC0: mvp",
            "// oc: what the player shows there",
            "// vc99999: mvp",
            "// fc0.x = alpha, tint",
            "//",
            "// vc0:",
        ] {
            assert_eq!(read(comment), None, "{comment}");
        }
    }

    #[test]
    fn registers_are_shown_as_they_are_read() {
        for text in [
            "vc0..3", "vc8..", "vc7", "vc7.x", "fc7.yzw", "vc", "fc", "va1", "v0", "fs0", "vs3", "op", "oc", "oc1",
            "od", "iid", "vt0", "ft2.xy",
        ] {
            let (registers, length) = Registers::prefix(text).expect("registers");
            assert_eq!((registers.to_string().as_str(), length), (text, text.len()));
        }
    }
}
