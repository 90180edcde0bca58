//! What the writers of targets share: the module as naga's text writers get it, changes of their text, and of SPIR-V words.
//!
//! naga's text writers give a name to every value that is used more than once, and to every read of memory. The plan has
//! already decided which values get a name, so the writers get a module whose `Emit` statements hold only those
//! ([`for_text`]); they inline the rest. The SPIR-V writer gets the module unchanged.

pub(crate) mod combined;
pub(crate) mod items;
pub(crate) mod lean;
pub(crate) mod shared;
pub(crate) mod sizes;

use naga::{Block, GlobalVariable, Handle, ShaderStage, Statement, SwitchCase};

use crate::lower::{Body, Lowered};
use crate::names::Given;

/// Whether the code of a stage uses a variable, directly or through calls.
pub(crate) fn is_read(lowered: &Lowered, variable: Handle<GlobalVariable>, stage: ShaderStage) -> bool {
    let mut entries = lowered.module.entry_points.iter().enumerate().filter(|(_, entry)| entry.stage == stage);
    entries.any(|(index, _)| !lowered.info.get_entry_point(index)[variable].is_empty())
}

/// The place of the parenthesis that closes the one at `open`.
pub(crate) fn closing(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0;
    text[open..]
        .find(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            c == ')' && depth == 0
        })
        .map(|at| open + at)
}

/// The functions that naga defines in HLSL and MSL where the language's own result is undefined for some operands, and what
/// they are called instead.
pub(crate) const OWN_FUNCTIONS: [(&str, &str); 6] = [
    ("naga_abs", "absolute"),
    ("naga_div", "quotient"),
    ("naga_f2i32", "to_int"),
    ("naga_f2u32", "to_uint"),
    ("naga_mod", "remainder"),
    ("naga_neg", "negative"),
];

/// The limits of naga's conversions to integers: the shortest decimal that is read as the same float, which is how naga writes it,
/// and the number itself, which a reader knows.
const LIMITS: [(&str, &str); 2] = [
    ("clamp(value, -2147483600.0, 2147483500.0)", "clamp(value, -2147483648.0, 2147483520.0)"),
    ("clamp(value, 0.0, 4294967000.0)", "clamp(value, 0.0, 4294967040.0)"),
];

/// Writes the limits of conversions to integers with all their digits.
pub(crate) fn exact_limits(text: &str) -> String {
    LIMITS.iter().fold(text.to_string(), |text, (short, exact)| text.replace(short, exact))
}

/// The largest offset that can be added to a float's integer part without an overflow: naga's conversion is at most the
/// largest float below 2 to the power of 31, which is 2147483520.
const SAFE_OFFSET: u32 = 127;

/// Adds offsets of indices without naga's conversion to unsigned numbers and back, where the sum cannot overflow: the index is
/// a variable that holds a converted float. `form` is the text before, between and after the two operands of such a sum.
pub(crate) fn plain_offsets(text: &str, [before, between, after]: [&str; 3]) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(before) {
        let (kept, sum) = rest.split_at(at);
        plain += kept;
        let operands = sum[before.len()..].split_once(between).and_then(|(index, rest)| {
            let (offset, rest) = rest.split_once(after)?;
            let converted = plain.contains(&format!("int {index} = naga_f2i32("));
            let fits = offset.parse().is_ok_and(|offset: u32| offset <= SAFE_OFFSET);
            (converted && fits).then_some((index, offset, rest))
        });
        rest = match operands {
            Some((index, offset, rest)) => {
                plain += &format!("{index} + {offset}");
                rest
            }
            None => {
                plain += before;
                &sum[before.len()..]
            }
        };
    }
    plain + rest
}

/// Returns the module with names in place of labels, and naga's information about it.
pub(crate) fn module(mut lowered: Lowered) -> (naga::Module, naga::valid::ModuleInfo) {
    name(&mut lowered);
    (lowered.module, lowered.info)
}

/// Replaces the module's labels by names. An entry point keeps its exact name, since applications look it up by it.
pub(crate) fn name(lowered: &mut Lowered) -> Given {
    let given = lowered.names.plain();
    let change = |name: &mut Option<String>| {
        if let Some(label) = name {
            given.rename(label);
        }
    };
    let module = &mut lowered.module;
    for (entry, name) in module.entry_points.iter_mut().zip(&lowered.entry_names) {
        entry.name.clear();
        entry.name.push_str(name.name(&given));
    }
    if !lowered.names.are_labels() {
        return given;
    }
    module.global_variables.iter_mut().for_each(|(_, variable)| change(&mut variable.name));
    let handles: Vec<_> = module.types.iter().map(|(handle, _)| handle).collect();
    for handle in handles {
        let mut ty = module.types[handle].clone();
        change(&mut ty.name);
        if let naga::TypeInner::Struct { members, .. } = &mut ty.inner {
            members.iter_mut().for_each(|member| change(&mut member.name));
        }
        // The arena panics if a type is replaced by one that it already holds.
        if ty != module.types[handle] {
            module.types.replace(handle, ty);
        }
    }
    let functions = module.functions.iter_mut().map(|(_, function)| function);
    for function in functions.chain(module.entry_points.iter_mut().map(|entry| &mut entry.function)) {
        change(&mut function.name);
        function.arguments.iter_mut().for_each(|argument| change(&mut argument.name));
        function.local_variables.iter_mut().for_each(|(_, variable)| change(&mut variable.name));
    }
    given
}

/// Returns the module with `Emit` statements for named values only.
pub(crate) fn for_text(lowered: &Lowered) -> naga::Module {
    let mut module = lowered.module.clone();
    let functions: Vec<_> = module.functions.iter().map(|(handle, _)| handle).collect();
    let bodies = functions.into_iter().map(Body::Function).chain((0..module.entry_points.len()).map(Body::Entry));
    for body in bodies {
        let function = body.of(&mut module);
        let zero = lowered.zeroes.get(&body).copied();
        function.body = for_reading(&function.body, &function.named_expressions, zero);
    }
    module
}

type Named = naga::FastIndexMap<naga::Handle<naga::Expression>, String>;

/// Returns the block with `Emit` statements for named values only, and with a `return` of `zero` after each discard if one
/// is needed.
fn for_reading(block: &Block, named: &Named, zero: Option<Option<naga::Handle<naga::Expression>>>) -> Block {
    let mut read = Block::with_capacity(block.len());
    for (statement, &span) in block.span_iter() {
        match statement {
            Statement::Emit(range) => {
                for handle in range.clone().filter(|handle| named.contains_key(handle)) {
                    read.push(Statement::Emit(naga::Range::new_from_bounds(handle, handle)), span);
                }
            }
            Statement::If { condition, accept, reject } => {
                let [accept, reject] = [accept, reject].map(|arm| for_reading(arm, named, zero));
                read.push(Statement::If { condition: *condition, accept, reject }, span);
            }
            Statement::Loop { body, .. } => {
                let body = for_reading(body, named, zero);
                read.push(Statement::Loop { body, continuing: Block::new(), break_if: None }, span);
            }
            Statement::Switch { selector, cases } => {
                let cases = cases.iter().map(|case| SwitchCase {
                    value: case.value,
                    body: for_reading(&case.body, named, zero),
                    fall_through: case.fall_through,
                });
                read.push(Statement::Switch { selector: *selector, cases: cases.collect() }, span);
            }
            other => read.push(other.clone(), span),
        }
        if let (Statement::Kill, Some(value)) = (statement, zero) {
            read.push(Statement::Return { value }, span);
        }
    }
    read
}
