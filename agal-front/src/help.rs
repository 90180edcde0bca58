//! Advice on findings, as data: sentences, and the settings of a translation that they mention.
//!
//! Rule: a front end does not know the user interface for its settings. The command has options, a build script has fields, and an
//! editor has neither; each of them words the settings that it has and leaves out advice on other settings.

use std::borrow::Cow;

/// A setting that changes whether a program is accepted, or its meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// The number of a finding to allow.
    Allow(u16),
    /// `ted`, which is not documented in full, is accepted.
    AllowTed,
    /// The version of AGAL.
    Version(u32),
    /// The stage of the program.
    Stage,
    /// The text is read as the macro language.
    MacroLanguage,
    /// `ifg` is true only for greater values, not for equal ones.
    StrictIfg,
    /// Offsets of indirect operands have a sign.
    SignedOffsets,
    /// A name to define for `#if`.
    Define(String),
    /// Varyings that the fragment program does not read are removed.
    PruneVaryings,
}

/// Words for a setting where advice is shown, in backticks if they are code; `None` if the setting does not exist there.
pub type Wording = fn(&Remedy) -> Option<String>;

/// Advice: one or more clauses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Help(Vec<Clause>);

/// A part of a sentence. In a clause with a remedy, `{}` stands for the remedy's words.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Clause {
    /// The text between the previous clause and this one.
    joint: &'static str,
    text: Cow<'static, str>,
    remedy: Option<Remedy>,
}

impl Help {
    /// A clause without a setting.
    pub fn new(text: impl Into<Cow<'static, str>>) -> Help {
        Help(Vec::new()).and("", text)
    }

    /// A clause with a setting, whose words replace `{}`.
    pub fn with(text: &'static str, remedy: Remedy) -> Help {
        Help(Vec::new()).and_with("", text, remedy)
    }

    /// Adds a clause after a joint, such as `; `.
    #[must_use]
    pub fn and(mut self, joint: &'static str, text: impl Into<Cow<'static, str>>) -> Help {
        self.0.push(Clause { joint, text: text.into(), remedy: None });
        self
    }

    /// Adds a clause with a setting.
    #[must_use]
    pub fn and_with(mut self, joint: &'static str, text: &'static str, remedy: Remedy) -> Help {
        self.0.push(Clause { joint, text: text.into(), remedy: Some(remedy) });
        self
    }

    /// The advice as text, without the clauses about settings that have no words; `None` if nothing is left.
    ///
    /// ```
    /// use agal_front::help::{Help, Remedy};
    ///
    /// let help = Help::new("write it first").and_with(", or ", "let it read zero with {}", Remedy::Allow(3647));
    /// assert_eq!(help.worded(|_| Some("`allow`".into())).unwrap(), "write it first, or let it read zero with `allow`");
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

/// Advice without a setting, as a column of the table of findings.
pub(crate) fn help(text: &str) -> Option<Help> {
    Some(Help::new(text.to_string()))
}
