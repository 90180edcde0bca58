//! Random modules within the means of AGAL: floats, few operations, conditionals, loops of few rounds, and all jumps.
//!
//! The other generators use everything in the format, so that AGAL refuses nearly all of their modules. Rule: every operation here
//! has one result that each executor must compute to the bit, and no number grows out of bounds, so that no comparison has different
//! results here and there. The module is written as text.

use std::fmt::Write;

use sdlbc::Module;
use testing::Random;

/// Upper bound of components, so that products stay finite.
const BOUND: f64 = 1e6;
/// The most rounds of a loop.
const ROUNDS: usize = 4;
/// The ids of constants that every function has: 0, 1 and the number of rounds, as ints.
const COUNTERS: [u32; 3] = [1, 2, 3];
/// The ids of the slot and of the array of uniforms.
const SLOT: u32 = 4;
const ARRAY: u32 = 5;

/// The small module of a seed.
///
/// # Panics
/// The text does not parse, which is a mistake of this generator.
pub fn small_from_seed(seed: u64) -> Module {
    let text = small_text(seed);
    sdlbc::parse(&text).unwrap_or_else(|error| panic!("SEED={seed:#x}: {error:?}\n{text}"))
}

fn small_text(seed: u64) -> String {
    let mut random = Random::of(seed, &[0x5a11]);
    let count = random.below(3);
    let helpers: Vec<Helper> =
        (1..=count).map(|index| Helper { index, parameter: width(&mut random), result: width(&mut random) }).collect();
    let is_vertex = random.once_in(2);
    let mut writer = Writer::new(&mut random, &helpers);
    writer.entry(is_vertex);
    let mut text = writer.text;
    for &helper in &helpers {
        let mut writer = Writer::new(&mut random, &[]);
        writer.helper(helper);
        text.push_str(&writer.text);
    }
    text
}

fn width(random: &mut Random) -> u8 {
    random.pick(&[1, 1, 2, 3, 4, 4])
}

fn ty(width: u8) -> String {
    if width == 1 { "float".into() } else { format!("float{width}") }
}

/// A function that another calls.
#[derive(Clone, Copy)]
struct Helper {
    index: usize,
    parameter: u8,
    result: u8,
}

/// A value: its id, its number of components, and an upper bound of them.
#[derive(Clone, Copy)]
struct Value {
    id: u32,
    width: u8,
    bound: f64,
}

/// Position of a statement.
#[derive(Clone, Copy, Default)]
struct Place {
    in_loop: bool,
    /// Whether the next values of the loop are defined.
    may_continue: bool,
    /// Number of conditionals and loops around the statement.
    depth: usize,
}

struct Writer<'r> {
    random: &'r mut Random,
    helpers: &'r [Helper],
    text: String,
    next: u32,
    values: Vec<Value>,
    /// The widths of the outputs of an entry function; there are none in a helper.
    outputs: Vec<u8>,
    /// The width of a helper's result.
    returned: u8,
    may_discard: bool,
    /// Approximate number of statements left.
    budget: usize,
}

impl<'r> Writer<'r> {
    fn new(random: &'r mut Random, helpers: &'r [Helper]) -> Writer<'r> {
        let budget = 3 + random.below(14);
        Writer {
            random,
            helpers,
            text: String::new(),
            next: ARRAY,
            values: Vec::new(),
            outputs: Vec::new(),
            returned: 0,
            may_discard: false,
            budget,
        }
    }

    fn line(&mut self, line: &str) {
        writeln!(self.text, "{line}").expect("memory");
    }

    fn fresh(&mut self) -> u32 {
        self.next += 1;
        self.next
    }

    fn define(&mut self, width: u8, bound: f64, what: &str) -> Value {
        let value = Value { id: self.fresh(), width, bound };
        self.line(&format!("%{} = {what}", value.id));
        self.values.push(value);
        value
    }

    fn entry(&mut self, is_vertex: bool) {
        let (head, input) = if is_vertex { ("vertex", "attribute") } else { ("fragment", "varying") };
        self.line(&format!("{head} function \"main\" {{"));
        for location in 0..1 + self.random.below(3) {
            let width = width(self.random);
            self.input(width, &format!("{input} {location}"));
        }
        for _ in 0..1 + self.random.below(2) {
            let width = width(self.random);
            self.input(width, "uniform");
        }
        self.line(&format!("input %{ARRAY} table: float4[{ROUNDS}] = uniform"));
        self.line(&format!("input %{SLOT} slot: float4[1] = local"));
        self.outputs.push(4);
        self.line(&format!("output 0 first: float4 = {}", if is_vertex { "position" } else { "colour 0" }));
        if is_vertex && self.random.once_in(2) {
            let width = width(self.random);
            self.outputs.push(width);
            self.line(&format!("output 1 second: {} = varying 0", ty(width)));
        }
        self.may_discard = !is_vertex;
        self.body();
        self.write_outputs();
        self.line("}");
    }

    fn helper(&mut self, helper: Helper) {
        self.line("generic function \"\" {");
        self.input(helper.parameter, "parameter");
        self.line(&format!("input %{SLOT} slot: float4[1] = local"));
        self.line(&format!("output 0 result: {} = returned", ty(helper.result)));
        self.returned = helper.result;
        self.body();
        self.leave();
        self.line("}");
    }

    fn input(&mut self, width: u8, kind: &str) {
        let value = Value { id: self.fresh(), width, bound: 2.0 };
        self.line(&format!("input %{} given{}: {} = {kind}", value.id, value.id, ty(width)));
        self.values.push(value);
    }

    fn body(&mut self) {
        for (id, number) in COUNTERS.into_iter().zip([0, 1, ROUNDS]) {
            self.line(&format!("%{id} = literalint {number}"));
        }
        while self.budget > 0 {
            self.statement(Place::default());
        }
    }

    fn block(&mut self, place: Place) {
        let place = Place { depth: place.depth + 1, ..place };
        for _ in 0..1 + self.random.below(3) {
            self.statement(place);
        }
    }

    fn statement(&mut self, place: Place) {
        self.budget = self.budget.saturating_sub(1);
        let room = self.budget > 2 && place.depth < 4;
        match self.random.below(24) {
            0..=2 if room => self.branch(place),
            3..=5 if room => self.jump(place),
            6 | 7 if room && !place.in_loop => self.repeat(place),
            8 | 9 => {
                let value = self.bounded(4, 4.0);
                self.line(&format!("poke %{}, %{SLOT}, 0", value.id));
            }
            10 | 11 => drop(self.define(4, 4.0, &format!("peek %{SLOT}, 0"))),
            12 if self.returned == 0 => {
                let at = self.random.below(ROUNDS + 1);
                self.define(4, 2.0, &format!("peek %{ARRAY}, {at}"));
            }
            13 | 14 if !self.helpers.is_empty() => {
                let helper = self.random.pick(self.helpers);
                let argument = self.bounded(helper.parameter, 2.0);
                self.define(helper.result, BOUND, &format!("call {}, %{}", helper.index, argument.id));
            }
            _ => drop(self.expression()),
        }
    }

    /// A value of a width.
    fn value(&mut self, width: u8) -> Value {
        let of_width: Vec<Value> = self.values.iter().copied().filter(|value| value.width == width).collect();
        if !of_width.is_empty() && !self.random.once_in(6) {
            return self.random.pick(&of_width);
        }
        if width == 1 && self.random.once_in(2) || self.values.is_empty() {
            let number = self.random.pick(&["0.0", "1.0", "-1.0", "0.5", "0.25", "2.0", "-0.75"]);
            let literal = self.define(1, 2.0, &format!("literalfloat {number}"));
            return if width == 1 { literal } else { self.vector(literal, width) };
        }
        let of = self.random.pick(&self.values.clone());
        if width == 1 || of.width > 1 {
            let lanes: String =
                (0..width).map(|_| "xyzw".as_bytes()[self.random.below(of.width.into())] as char).collect();
            return self.define(width, of.bound, &format!("swizzle %{}, {lanes}", of.id));
        }
        self.vector(of, width)
    }

    fn vector(&mut self, of: Value, width: u8) -> Value {
        let all: Vec<String> = (0..width).map(|_| format!("%{}", of.id)).collect();
        self.define(width, of.bound, &format!("vector {}", all.join(", ")))
    }

    /// A value that is not larger than a bound.
    fn bounded(&mut self, width: u8, bound: f64) -> Value {
        let value = self.value(width);
        if value.bound <= bound { value } else { self.define(width, 1.0, &format!("fract %{}", value.id)) }
    }

    fn expression(&mut self) -> Value {
        let width = width(self.random);
        let (a, b) = (self.value(width), self.value(width));
        let largest = a.bound.max(b.bound);
        let (a, b) = (a.id, b.id);
        let sum = largest * 2.0;
        match self.random.below(10) {
            0 | 1 if sum < BOUND => self.define(width, sum, &format!("add %{a}, %{b}")),
            2 if sum < BOUND => self.define(width, sum, &format!("subtract %{a}, %{b}")),
            3 | 4 if largest * largest < BOUND => {
                self.define(width, largest * largest, &format!("multiply %{a}, %{b}"))
            }
            5 => self.define(width, largest, &format!("min %{a}, %{b}")),
            6 => self.define(width, largest, &format!("max %{a}, %{b}")),
            7 => self.define(width, largest, &format!("abs %{a}")),
            8 => self.define(width, largest, &format!("negate %{a}")),
            9 => {
                let condition = self.condition();
                self.define(width, largest, &format!("select %{condition}, %{a}, %{b}"))
            }
            _ => self.define(width, 1.0, &format!("fract %{a}")),
        }
    }

    fn condition(&mut self) -> u32 {
        let (a, b) = (self.value(1), self.value(1));
        let op = self.random.pick(&[
            "lessthan",
            "greaterthan",
            "lessthanorequal",
            "greaterthanorequal",
            "equal",
            "notequal",
        ]);
        let id = self.fresh();
        self.line(&format!("%{id} = {op} %{}, %{}", a.id, b.id));
        id
    }

    fn branch(&mut self, place: Place) {
        let condition = self.condition();
        let width = width(self.random);
        self.line(&format!("if %{condition} {{"));
        let before = self.values.len();
        self.block(place);
        let first = self.value(width);
        self.values.truncate(before);
        self.line("} else {");
        if self.random.once_in(2) {
            self.block(place);
        }
        let second = self.value(width);
        self.values.truncate(before);
        self.line("}");
        self.define(width, first.bound.max(second.bound), &format!("phi %{}, %{}", first.id, second.id));
    }

    /// A conditional jump.
    fn jump(&mut self, place: Place) {
        let condition = self.condition();
        let is_second = self.random.once_in(4);
        self.line(&format!("if %{condition} {{"));
        let before = self.values.len();
        if is_second {
            self.block(place);
            self.values.truncate(before);
            self.line("} else {");
        }
        if self.random.once_in(2) {
            self.statement(Place { depth: 9, ..place });
        }
        match self.random.below(6) {
            0 | 1 if place.may_continue => self.line("continue"),
            2 | 3 if place.in_loop => self.line("break"),
            4 if self.may_discard => self.line("discard"),
            _ => {
                self.write_outputs();
                self.leave();
            }
        }
        self.values.truncate(before);
        self.line("}");
    }

    /// A return.
    fn leave(&mut self) {
        match self.returned {
            0 => self.line("return"),
            width => {
                let value = self.value(width);
                self.line(&format!("return %{}", value.id));
            }
        }
    }

    fn write_outputs(&mut self) {
        for at in 0..self.outputs.len() {
            let value = self.value(self.outputs[at]);
            self.line(&format!("poke %{}, {at}", value.id));
        }
    }

    fn repeat(&mut self, place: Place) {
        let [zero, one, rounds] = COUNTERS;
        let width = width(self.random);
        let start = self.bounded(width, 4.0);
        let [counter, sum, after, done, next] = [0; 5].map(|_| self.fresh());
        self.line("loop {");
        self.line(&format!("%{counter} = phi %{zero}, %{after}"));
        self.line(&format!("%{sum} = phi %{}, %{next}", start.id));
        let before = self.values.len();
        self.values.push(Value { id: sum, width, bound: 4.0 });
        self.line(&format!("%{after} = add %{counter}, %{one}"));
        self.line(&format!("%{done} = greaterthanorequal %{counter}, %{rounds}"));
        self.line(&format!("if %{done} {{\nbreak\n}}"));
        if self.returned == 0 {
            self.define(4, 2.0, &format!("peek %{ARRAY}, %{counter}, 0"));
        }
        let is_first = self.random.once_in(2);
        let of_next = |writer: &mut Writer| {
            let value = writer.expression();
            let bounded = if value.width == width { value } else { writer.value(width) };
            writer.line(&format!("%{next} = fract %{}", bounded.id));
        };
        if is_first {
            of_next(self);
            self.values.push(Value { id: next, width, bound: 1.0 });
        }
        self.block(Place { in_loop: true, may_continue: is_first, ..place });
        if !is_first {
            of_next(self);
        }
        self.values.truncate(before);
        self.line("}");
    }
}
