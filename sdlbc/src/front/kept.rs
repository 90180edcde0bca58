//! The severity of findings, and the limit on the findings kept for one program.
//!
//! Rule: the number of findings is bounded, whatever the input. The first [`KEPT`] errors and the first [`KEPT`] warnings of a
//! program are kept, and also the first finding of each number and level, so that a program that must be refused is
//! still refused. The others are counted by number.

use std::collections::BTreeMap;

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The program is still used.
    Warning,
    /// The program is refused.
    Error,
}

/// The severity of a cause before the rules are applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// An error.
    Error,
    /// An error, but the program has a meaning if the caller allows it.
    Tolerable,
    /// A violation of the language in a program whose meaning is nevertheless clear.
    Strict,
    /// A warning, which never makes a program invalid.
    Warning,
    /// A warning that is reported only if the player's judgement is requested.
    Published,
}

impl Level {
    /// The severity of a finding unless the rules change it.
    pub const fn severity(self) -> Severity {
        match self {
            Level::Error | Level::Tolerable => Severity::Error,
            Level::Strict | Level::Warning | Level::Published => Severity::Warning,
        }
    }
}

/// The maximum number of errors, and of warnings, that are kept for one program.
pub const KEPT: usize = 1000;

/// Findings of one number and level that were counted but not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// The number.
    pub code: u16,
    /// The level of the findings.
    pub level: Level,
    /// The severity of the findings.
    pub severity: Severity,
    /// The number of the findings.
    pub count: usize,
}

/// The highest severity among findings that were dropped.
pub fn highest_severity(dropped: &[Dropped]) -> Severity {
    dropped.iter().map(|more| more.severity).max().unwrap_or(Severity::Warning)
}

/// The number of dropped findings of a severity.
pub fn count_of(dropped: &[Dropped], severity: Severity) -> usize {
    dropped.iter().filter(|more| more.severity == severity).map(|more| more.count).sum()
}

/// The cause of a finding, in any language: a row of its table ([`finding_table`](crate::finding_table)).
pub trait Cause: Sized {
    /// The number of the cause.
    fn code(&self) -> u16;
    /// The severity of the cause before the rules are applied.
    fn level(&self) -> Level;
    /// The dropped findings, if this is the cause that counts them.
    fn dropped(&self) -> Option<&[Dropped]>;
    /// The cause that counts dropped findings.
    fn further(dropped: Vec<Dropped>) -> Self;
}

/// A finding of any language.
pub trait Reported: Sized {
    /// The causes of the language's findings.
    type Cause: Cause;
    /// The cause of the finding.
    fn cause(&self) -> &Self::Cause;
    /// The finding with the cause that counts dropped findings.
    fn further(cause: Self::Cause) -> Self;
    /// Whether the program is refused because of this finding.
    fn is_refusal(&self) -> bool;

    /// The number of findings that this finding represents: one, or the number of dropped findings that it counts.
    fn stood_for(&self) -> usize {
        self.cause().dropped().map_or(1, |dropped| dropped.iter().map(|more| more.count).sum())
    }

    /// The number of errors that this finding represents.
    fn errors_stood_for(&self) -> usize {
        match self.cause().dropped() {
            Some(dropped) => count_of(dropped, Severity::Error),
            None => usize::from(self.is_refusal()),
        }
    }
}

/// The findings of one program, up to the limit.
#[derive(Debug)]
pub struct Findings<F> {
    list: Vec<F>,
    limit: Limit,
}

impl<F> Default for Findings<F> {
    fn default() -> Findings<F> {
        Findings { list: Vec::new(), limit: Limit::default() }
    }
}

impl<F: Reported> Findings<F> {
    /// Adds a finding, or counts it. Most programs have few.
    #[cold]
    pub fn push(&mut self, finding: F) {
        if self.limit.keeps(finding.cause()) {
            self.list.push(finding);
        }
    }

    /// Whether there are no findings.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The findings that were kept, and the count of the others.
    pub fn into_list(self) -> Vec<F> {
        let Findings { mut list, limit } = self;
        list.extend(limit.further().map(F::further));
        list
    }
}

impl<F: Reported> Extend<F> for Findings<F> {
    fn extend<T: IntoIterator<Item = F>>(&mut self, findings: T) {
        findings.into_iter().for_each(|finding| self.push(finding));
    }
}

impl<F: Reported> FromIterator<F> for Findings<F> {
    fn from_iter<T: IntoIterator<Item = F>>(findings: T) -> Findings<F> {
        let mut kept = Findings::default();
        kept.extend(findings);
        kept
    }
}

/// Counts findings, and decides for each whether it is kept.
#[derive(Debug, Default)]
pub struct Limit {
    errors: usize,
    warnings: usize,
    /// The number of findings dropped for each number and level; there is an entry for each number and level seen.
    dropped: BTreeMap<(u16, Level), usize>,
}

impl Limit {
    /// Counts a finding by its cause, and returns whether it is kept. The cause may itself be a count of dropped findings.
    #[inline]
    pub fn keeps(&mut self, cause: &impl Cause) -> bool {
        if let Some(dropped) = cause.dropped() {
            for more in dropped {
                *self.dropped.entry((more.code, more.level)).or_default() += more.count;
            }
            return false;
        }
        let (code, level) = (cause.code(), cause.level());
        let kept = match level.severity() {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        let is_first = !self.dropped.contains_key(&(code, level));
        let dropped = self.dropped.entry((code, level)).or_default();
        let keeps = *kept < KEPT || is_first;
        *(if keeps { kept } else { dropped }) += 1;
        keeps
    }

    /// Whether no more errors are kept, except the first of a number.
    pub fn is_full(&self) -> bool {
        self.errors >= KEPT
    }

    /// The findings that were dropped, as one cause.
    pub fn further<C: Cause>(self) -> Option<C> {
        let dropped = self.dropped.into_iter().filter(|(_, count)| *count > 0);
        let dropped: Vec<Dropped> =
            dropped.map(|((code, level), count)| Dropped { code, level, severity: level.severity(), count }).collect();
        (!dropped.is_empty()).then(|| C::further(dropped))
    }
}
