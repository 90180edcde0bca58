//! Ranges of numbers and integers, with open or closed bounds.

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Range {
    /// The lower bound, and whether the range excludes the bound itself.
    low: (f64, bool),
    /// The upper bound, and whether the range excludes the bound itself.
    high: (f64, bool),
    is_integer: bool,
}

impl Default for Range {
    fn default() -> Range {
        Range::ALL
    }
}

impl Range {
    pub(crate) const ALL: Range =
        Range { low: (f64::NEG_INFINITY, false), high: (f64::INFINITY, false), is_integer: false };
    pub(crate) const INTEGERS: Range = Range { is_integer: true, ..Range::ALL };
    /// The non-negative integers.
    pub(crate) const COUNT: Range = Range { low: (0.0, false), ..Range::INTEGERS };

    pub(crate) fn of(number: f64) -> Range {
        Range { low: (number, false), high: (number, false), is_integer: number.fract() == 0.0 }
    }

    /// Returns the integers from `low` to `high`, inclusive.
    pub(crate) fn between(low: f64, high: f64) -> Range {
        Range { low: (low, false), high: (high, false), is_integer: true }
    }

    /// Returns all numbers that are at most the upper bound of another range, or less than the bound if `is_less` is set.
    pub(crate) fn up_to(other: Range, is_less: bool) -> Range {
        Range { high: (other.high.0, other.high.1 || is_less), ..Range::ALL }
    }

    /// Returns all numbers that are at least the lower bound of another range, or greater than the bound if `is_greater` is set.
    pub(crate) fn from(other: Range, is_greater: bool) -> Range {
        Range { low: (other.low.0, other.low.1 || is_greater), ..Range::ALL }
    }

    pub(crate) fn and(self, other: Range) -> Range {
        let greater = |one: (f64, bool), two: (f64, bool)| match one.0.partial_cmp(&two.0) {
            Some(std::cmp::Ordering::Greater) => one,
            Some(std::cmp::Ordering::Equal) => (one.0, one.1 || two.1),
            _ => two,
        };
        let negated = |bound: (f64, bool)| (-bound.0, bound.1);
        let both = Range {
            low: greater(self.low, other.low),
            high: negated(greater(negated(self.high), negated(other.high))),
            is_integer: self.is_integer || other.is_integer,
        };
        both.rounded()
    }

    /// Rounds the bounds of an integer range inwards to integers. Other ranges are returned unchanged.
    fn rounded(self) -> Range {
        if !self.is_integer {
            return self;
        }
        let up = |(bound, open): (f64, bool)| {
            if !bound.is_finite() {
                return (bound, open);
            }
            (if open { bound.floor() + 1.0 } else { bound.ceil() }, false)
        };
        let (low, high) = (up(self.low), up((-self.high.0, self.high.1)));
        Range { low, high: (-high.0, high.1), is_integer: true }
    }

    /// Excludes each of the given numbers that is a bound of the range.
    pub(crate) fn without(self, numbers: impl Iterator<Item = f64>) -> Range {
        let numbers: Vec<f64> = numbers.collect();
        let mut range = self;
        for _ in 0..=numbers.len() {
            let excluded = |(bound, _): (f64, bool)| numbers.contains(&bound);
            range.low.1 |= excluded(range.low);
            range.high.1 |= excluded(range.high);
            range = range.rounded();
        }
        range
    }

    /// Returns the only number in the range, or `None` if the range contains several numbers or none.
    pub(crate) fn only(self) -> Option<f64> {
        (self.low == self.high && !self.low.1 && self.low.0.is_finite()).then_some(self.low.0)
    }

    pub(crate) fn is_empty(self) -> bool {
        self.low.0 > self.high.0 || (self.low.0 == self.high.0 && (self.low.1 || self.high.1))
    }

    pub(crate) fn has(self, number: f64) -> bool {
        !self.and(Range::of(number)).is_empty() && (!self.is_integer || number.fract() == 0.0)
    }

    /// Reports whether every number in this range is less than every number in another range.
    pub(crate) fn is_below(self, other: Range) -> bool {
        self.high.0 < other.low.0 || (self.high.0 == other.low.0 && (self.high.1 || other.low.1))
    }

    /// Reports whether every number in this range is at most every number in another range.
    pub(crate) fn is_at_most(self, other: Range) -> bool {
        self.high.0 <= other.low.0
    }

    /// Returns the possible results of a function whose argument is in a range.
    pub(crate) fn apply(name: &str, one: Range) -> Range {
        match name {
            "abs" => Range { is_integer: one.is_integer, ..Range::from(Range::of(0.0), false) },
            "int" => Range::between(f64::from(i32::MIN), f64::from(i32::MAX)),
            "uint" => Range::between(0.0, f64::from(u32::MAX)),
            "floor" | "ceil" | "round" => Range::INTEGERS,
            _ => Range::ALL,
        }
    }

    /// Returns the possible results of a binary operation, given the ranges of its two operands.
    pub(crate) fn combine(name: &str, one: Range, two: Range) -> Range {
        let is_integer = one.is_integer && two.is_integer;
        let sum = |one: (f64, bool), two: (f64, bool)| (one.0 + two.0, one.1 || two.1);
        let defined = |range: Range| {
            if range.low.0.is_nan() || range.high.0.is_nan() { Range { is_integer, ..Range::ALL } } else { range }
        };
        match name {
            "+" => defined(Range { low: sum(one.low, two.low), high: sum(one.high, two.high), is_integer }),
            "-" => {
                let negated = Range { low: (-two.high.0, two.high.1), high: (-two.low.0, two.low.1), ..two };
                Range::combine("+", one, negated)
            }
            "*" if one.low.0 >= 0.0 && two.low.0 >= 0.0 => Range { is_integer, ..Range::from(Range::of(0.0), false) },
            "*" => Range { is_integer, ..Range::ALL },
            // A remainder has the sign of the dividend.
            "%" => {
                let most = two.low.0.abs().max(two.high.0.abs());
                let low = if one.low.0 >= 0.0 { (0.0, false) } else { (-most, true) };
                let high = if one.high.0 <= 0.0 { (0.0, false) } else { (most, true) };
                Range { low, high, is_integer }.rounded()
            }
            "&" => {
                let natural = [one, two].into_iter().filter(|range| range.low.0 >= 0.0);
                match natural.map(|range| range.high.0).reduce(f64::min) {
                    Some(most) if most <= f64::from(i32::MAX) => Range::between(0.0, most),
                    _ => Range::apply("int", Range::ALL),
                }
            }
            "|" | "^" | "<<" | ">>" => Range::apply("int", Range::ALL),
            ">>>" => Range::apply("uint", Range::ALL),
            "min" => Range { high: one.and(two).high, is_integer, ..Range::ALL },
            "max" => Range { low: one.and(two).low, is_integer, ..Range::ALL },
            _ => Range::ALL,
        }
    }
}
