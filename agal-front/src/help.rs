//! Represents advice on findings as data: sentences, and the translation settings that the sentences mention.
//!
//! Rule: a front end does not know how a user interface presents the settings, for example as options of the command or as
//! fields of a build script. Each user interface provides the wording for the settings that it offers, and omits advice on
//! all other settings.

use std::borrow::Cow;

/// A setting that affects the acceptance or the meaning of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// Allows the finding with the given number.
    Allow(u16),
    /// Accepts `ted`, which is not fully documented.
    AllowTed,
    /// Sets the version of AGAL.
    Version(u32),
    /// Sets the stage of the program.
    Stage,
    /// Reads the source text as the macro language.
    MacroLanguage,
    /// Makes `ifg` true only for greater values, not for equal values.
    StrictIfg,
    /// Reads the offset of an indirect operand as a signed byte.
    SignedOffsets,
    /// Defines a name for `#if`.
    Define(String),
    /// Removes varyings that the fragment program does not read.
    PruneVaryings,
}

/// Returns a user interface's wording of a setting, with code in backticks. The result is `None` if the interface lacks
/// the setting.
pub type Wording = fn(&Remedy) -> Option<String>;

/// Advice on a finding, in one or more clauses that may mention settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Help(Vec<Clause>);

/// A clause of a sentence. In a clause with a remedy, `{}` stands for the wording of the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Clause {
    /// The text that joins the clause to the previous one.
    joint: &'static str,
    text: Cow<'static, str>,
    remedy: Option<Remedy>,
}

impl Help {
    /// Creates advice from one clause that mentions no setting.
    pub fn new(text: impl Into<Cow<'static, str>>) -> Help {
        Help(Vec::new()).and("", text)
    }

    /// Creates advice from one clause in which `{}` stands for the wording of a setting.
    pub fn with(text: &'static str, remedy: Remedy) -> Help {
        Help(Vec::new()).and_with("", text, remedy)
    }

    /// Appends a clause without a setting, after joining text such as `; `.
    #[must_use]
    pub fn and(mut self, joint: &'static str, text: impl Into<Cow<'static, str>>) -> Help {
        self.0.push(Clause { joint, text: text.into(), remedy: None });
        self
    }

    /// Appends a clause in which `{}` stands for the wording of a setting.
    #[must_use]
    pub fn and_with(mut self, joint: &'static str, text: &'static str, remedy: Remedy) -> Help {
        self.0.push(Clause { joint, text: text.into(), remedy: Some(remedy) });
        self
    }

    /// Renders the advice, leaving out each clause about a setting that has no wording. Returns `None` if no clause is
    /// left.
    ///
    /// ```
    /// use agal_front::help::{Help, Remedy};
    ///
    /// let help = Help::new("write it first").and_with("; ", "{} reads it as zero", Remedy::Allow(3647));
    /// assert_eq!(help.worded(|_| Some("`allow`".into())).unwrap(), "write it first; `allow` reads it as zero");
    /// assert_eq!(help.worded(|_| None).unwrap(), "write it first");
    /// ```
    pub fn worded(&self, wording: Wording) -> Option<String> {
        let mut all = String::new();
        for Clause { joint, text, remedy } in &self.0 {
            let text = match remedy {
                None => text.to_string(),
                Some(remedy) => match wording(remedy) {
                    Some(words) => text.replacen("{}", &words, 1),
                    None => continue,
                },
            };
            if !all.is_empty() {
                all += joint;
            }
            all += &text;
        }
        (!all.is_empty()).then_some(all)
    }
}

/// Creates advice without a setting, for a row of the table of findings.
pub(crate) fn help(text: &str) -> Option<Help> {
    Some(Help::new(text.to_string()))
}
