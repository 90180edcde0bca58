//! Initialises shared arrays in HLSL and MSL: the invocations of a workgroup write the zeroes together.

use naga::{AddressSpace, ArraySize, ScalarKind, TypeInner};

use crate::emit::is_read;
use crate::lower::Lowered;
use crate::mend::items::{Function, declared};
use crate::mend::names::{Names, Scope};

/// A shared array, or the shared variable to which an array of one element is lowered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shared<'l> {
    pub(crate) label: &'l str,
    /// The number of elements of the array, or `None` for a variable.
    pub(crate) length: Option<u32>,
    pub(crate) element: &'l TypeInner,
}

/// The syntax that a language uses to initialise shared arrays.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Syntax {
    /// The HLSL semantic or MSL attribute that marks an argument as the invocation's index in its workgroup.
    pub(crate) index: &'static str,
    /// The statement at which an invocation waits for the workgroup's other invocations.
    pub(crate) barrier: &'static str,
    /// Returns the zero of an element's type as source code.
    pub(crate) zero: fn(&TypeInner) -> String,
    /// The function that stores a value in an atomic element, with the operands after the value, if assignment cannot.
    pub(crate) atomic: Option<(&'static str, &'static str)>,
}

pub(crate) fn shared(lowered: &Lowered) -> Vec<Shared<'_>> {
    let types = &lowered.module.types;
    let used = lowered.module.global_variables.iter().filter(|(handle, variable)| {
        let mut entries = lowered.module.entry_points.iter();
        variable.space == AddressSpace::WorkGroup && entries.any(|entry| is_read(lowered, *handle, entry.stage))
    });
    let found = used.filter_map(|(_, variable)| {
        let label = variable.name.as_deref()?;
        Some(match &types[variable.ty].inner {
            &TypeInner::Array { base, size: ArraySize::Constant(length), .. } => {
                Shared { label, length: Some(length.get()), element: &types[base].inner }
            }
            element => Shared { label, length: None, element },
        })
    });
    found.collect()
}

/// Returns the name of an element's scalar type in HLSL and MSL, and the literal for zero of that type.
pub(crate) fn scalar_of(element: &TypeInner) -> (&'static str, &'static str) {
    let kind = if let TypeInner::Atomic(scalar) = element { Some(scalar.kind) } else { element.scalar_kind() };
    match kind {
        Some(ScalarKind::Sint) => ("int", "0"),
        Some(ScalarKind::Uint) => ("uint", "0u"),
        _ => ("float", "0.0"),
    }
}

/// Merges each barrier for storage buffers with a barrier for shared arrays on the next line: removes the second barrier, and
/// replaces `from` with `to` in the first barrier.
pub(crate) fn join_barriers(body: &mut Vec<String>, pair: [&str; 2], from: &str, to: &str) {
    for at in (1..body.len()).rev() {
        if [body[at - 1].trim(), body[at].trim()] == pair {
            body.remove(at);
            body[at - 1] = body[at - 1].replace(from, to);
        }
    }
}

/// Makes all invocations of the workgroup write zeroes to shared arrays at the start of the function. If the function has no
/// argument for the invocation's index, the argument is added after the first `builtins` arguments.
///
/// Upstream fault `workgroup_zeroes`: with `zero_initialize_workgroup_memory`, `Writer::write_workgroup_variables_initialization`
/// in `back/{hlsl,msl}/writer.rs` writes all zeroes with one invocation, while the other invocations wait. The HLSL and MSL
/// targets therefore turn that option off.
pub(crate) fn zeroes(
    function: &mut Function,
    shared: &[Shared<'_>],
    threads: u32,
    builtins: usize,
    names: &mut Names,
    syntax: Syntax,
) {
    let index = function.arguments.iter().find_map(|argument| argument.strip_suffix(syntax.index));
    let index = match index.map(declared).map(str::to_string) {
        Some(index) => index,
        None => {
            let index = names.label(Scope::Module, "lane");
            function.arguments.insert(builtins, format!("uint {index}{}", syntax.index));
            index
        }
    };
    let mut lines = Vec::new();
    let mut counter = None;
    for Shared { label, length, element } in shared {
        let (head, at) = match *length {
            None => (Some(format!("if ({index} == 0u) {{")), String::new()),
            Some(length) if length == threads => (None, format!("[{index}]")),
            Some(length) if length < threads => (Some(format!("if ({index} < {length}u) {{")), format!("[{index}]")),
            Some(length) => {
                let counter = counter.get_or_insert_with(|| names.label(Scope::Module, "element"));
                let head = format!("for (uint {counter} = {index}; {counter} < {length}u; {counter} += {threads}u) {{");
                (Some(head), format!("[{counter}]"))
            }
        };
        let zero = (syntax.zero)(element);
        let store = match (syntax.atomic, element) {
            (Some((function, order)), TypeInner::Atomic(_)) => format!("{function}(&{label}{at}, {zero}, {order});"),
            _ => format!("{label}{at} = {zero};"),
        };
        match head {
            Some(head) => lines.extend([format!("    {head}"), format!("        {store}"), "    }".to_string()]),
            None => lines.push(format!("    {store}")),
        }
    }
    lines.push(format!("    {}", syntax.barrier));
    function.body.splice(0..0, lines);
}
