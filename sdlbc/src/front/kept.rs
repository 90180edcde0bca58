//! Defines the severity of findings, and limits the findings that are kept for one program.
//!
//! Rule: the number of findings is bounded for every input. The first [`KEPT`] errors and the first [`KEPT`] warnings of a
//! program are kept. The first finding with each number and level is also kept, so that a program that must be rejected is still
//! rejected. The remaining findings are only counted, separately for each number and level.

use std::collections::BTreeMap;

/// The severity of a finding, which decides whether the program is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The program is accepted despite the finding.
    Warning,
    /// The program is rejected because of the finding.
    Error,
}

/// The severity of a cause before the caller's rules are applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// An error that the caller cannot allow.
    Error,
    /// An error that the caller can allow, because the program still has a meaning.
    Tolerable,
    /// A violation of the language rules in a program whose meaning is nevertheless clear.
    Strict,
    /// A warning, which never makes a program invalid.
    Warning,
    /// A warning that is reported only if the caller requests compatibility with the Flash player.
    Published,
}

impl Level {
    /// Returns the severity of a finding of this level if the caller's rules do not change the severity.
    pub const fn severity(self) -> Severity {
        match self {
            Level::Error | Level::Tolerable => Severity::Error,
            Level::Strict | Level::Warning | Level::Published => Severity::Warning,
        }
    }
}

/// The maximum number of errors, and the maximum number of warnings, that are kept for one program.
pub const KEPT: usize = 1000;

/// The number of dropped findings that share a number and a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// The number that the dropped findings share.
    pub code: u16,
    /// The level that the dropped findings share.
    pub level: Level,
    /// The severity that the dropped findings share.
    pub severity: Severity,
    /// The number of dropped findings.
    pub count: usize,
}

/// Returns the highest severity among the dropped findings, or [`Severity::Warning`] if no finding was dropped.
pub fn highest_severity(dropped: &[Dropped]) -> Severity {
    dropped.iter().map(|more| more.severity).max().unwrap_or(Severity::Warning)
}

/// Returns the number of dropped findings with the given severity.
pub fn count_of(dropped: &[Dropped], severity: Severity) -> usize {
    dropped.iter().filter(|more| more.severity == severity).map(|more| more.count).sum()
}

/// The cause of a finding. Each source language defines its causes as the rows of a [`finding_table`](crate::finding_table).
pub trait Cause: Sized {
    /// Returns the number that identifies the cause.
    fn code(&self) -> u16;
    /// Returns the severity of the cause before the caller's rules are applied.
    fn level(&self) -> Level;
    /// Returns the counts of dropped findings if the cause reports dropped findings, and `None` otherwise.
    fn dropped(&self) -> Option<&[Dropped]>;
    /// Returns the cause that reports the dropped findings `dropped`.
    fn further(dropped: Vec<Dropped>) -> Self;
}

/// A finding in a program of any source language.
pub trait Reported: Sized {
    /// The type that describes the causes of the language's findings.
    type Cause: Cause;
    /// Returns the cause of the finding.
    fn cause(&self) -> &Self::Cause;
    /// Returns a finding whose cause reports dropped findings.
    fn further(cause: Self::Cause) -> Self;
    /// Reports whether the program is rejected because of the finding.
    fn is_refusal(&self) -> bool;

    /// Returns the number of findings that this finding represents: one, or the number of dropped findings that it reports.
    fn stood_for(&self) -> usize {
        self.cause().dropped().map_or(1, |dropped| dropped.iter().map(|more| more.count).sum())
    }

    /// Returns the number of errors that this finding represents.
    fn errors_stood_for(&self) -> usize {
        match self.cause().dropped() {
            Some(dropped) => count_of(dropped, Severity::Error),
            None => usize::from(self.is_refusal()),
        }
    }
}

/// The findings of one program, limited by [`Limit`].
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
    /// Adds a finding, or only counts the finding if the limit is reached. The function is cold because most programs have few
    /// findings.
    #[cold]
    pub fn push(&mut self, finding: F) {
        if self.limit.keeps(finding.cause()) {
            self.list.push(finding);
        }
    }

    /// Reports whether no finding was kept.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns the findings that were kept, followed by one finding that reports the dropped findings.
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

/// Counts findings and decides which findings are kept.
#[derive(Debug, Default)]
pub struct Limit {
    errors: usize,
    warnings: usize,
    /// The count of dropped findings for each number and level. Every number and level seen so far has an entry, even if the
    /// count is zero.
    dropped: BTreeMap<(u16, Level), usize>,
}

impl Limit {
    /// Counts a finding with the given cause, and returns whether the finding is kept. The cause may itself report dropped
    /// findings.
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

    /// Reports whether the limit on errors is reached. Beyond the limit, only the first error of each number and level is kept.
    pub fn is_full(&self) -> bool {
        self.errors >= KEPT
    }

    /// Returns the cause that reports the dropped findings, or `None` if no finding was dropped.
    pub fn further<C: Cause>(self) -> Option<C> {
        let dropped = self.dropped.into_iter().filter(|(_, count)| *count > 0);
        let dropped: Vec<Dropped> =
            dropped.map(|((code, level), count)| Dropped { code, level, severity: level.severity(), count }).collect();
        (!dropped.is_empty()).then(|| C::further(dropped))
    }
}
