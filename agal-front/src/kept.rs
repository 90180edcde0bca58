//! Limits the number of findings that are kept for one program.
//!
//! Rule: the limit comes from [`sdlbc::front::kept`], and all code that collects findings uses this module. The last finding of a
//! full list counts the findings that were not kept ([`Kind::Further`]).

pub(crate) use sdlbc::front::Limit;

use crate::finding::{Finding, FindingPlace, Kind};

pub(crate) type Findings = sdlbc::front::Findings<Finding>;

impl sdlbc::front::Reported for Finding {
    type Cause = Kind;

    fn cause(&self) -> &Kind {
        &self.kind
    }

    fn further(cause: Kind) -> Finding {
        Finding { order: u32::MAX, ..Finding::new(cause, FindingPlace::default()) }
    }

    fn is_refusal(&self) -> bool {
        self.is_error()
    }
}

#[cfg(test)]
mod tests {
    use sdlbc::front::{KEPT, Reported};

    use super::*;

    fn finding(kind: Kind) -> Finding {
        Finding::new(kind, FindingPlace::default())
    }

    fn kept(kinds: impl Iterator<Item = Kind>) -> Vec<Finding> {
        kinds.map(finding).collect::<Findings>().into_list()
    }

    #[test]
    fn the_first_errors_and_the_first_warnings_are_kept_and_the_others_are_counted() {
        let warnings = std::iter::repeat_n(Kind::Semicolon, KEPT + 5);
        let errors = std::iter::repeat_n(Kind::EmptyMask, KEPT + 7);
        let list = kept(warnings.chain(errors));
        let count = |kind: &Kind| list.iter().filter(|finding| finding.kind == *kind).count();
        assert_eq!((count(&Kind::Semicolon), count(&Kind::EmptyMask)), (KEPT, KEPT));
        let last = list.last().expect("the count");
        assert_eq!((list.len(), last.stood_for(), last.errors_stood_for()), (2 * KEPT + 1, 12, 7));
        assert_eq!(last.kind.to_string(), "12 further findings are not listed: 7 errors and 5 warnings");
        assert_eq!(kept(std::iter::repeat_n(Kind::EmptyMask, KEPT)).len(), KEPT);
    }

    #[test]
    fn the_first_of_each_number_is_kept() {
        let list = kept(std::iter::repeat_n(Kind::EmptyMask, 2 * KEPT).chain([Kind::DepthMask, Kind::DepthMask]));
        assert_eq!(list.iter().filter(|finding| finding.kind == Kind::DepthMask).count(), 1);
        let last = list.last().expect("the count");
        assert_eq!((last.stood_for(), last.errors_stood_for()), (KEPT + 1, KEPT + 1));
    }

    #[test]
    fn counts_add_up_when_lists_are_concatenated() {
        let one = || kept(std::iter::repeat_n(Kind::EmptyMask, KEPT + 1));
        let list = one().into_iter().chain(one()).collect::<Findings>().into_list();
        assert_eq!(list.iter().map(Finding::stood_for).sum::<usize>(), 2 * (KEPT + 1));
        assert_eq!(list.iter().filter(|finding| matches!(finding.kind, Kind::Further { .. })).count(), 1);
    }
}
