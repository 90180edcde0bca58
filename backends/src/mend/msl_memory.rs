//! Mends accesses to storage buffers, shared arrays, barriers and the sizes of storage buffers in MSL.
//!
//! naga passes an array without a length as a reference to an array of one element. naga passes shared arrays as arguments, for
//! which the application would have to reserve memory. Metal cannot query the length of a buffer, so the application passes a
//! table of sizes. naga writes one table for all stages, with a number for each buffer. This module turns buffers into pointers,
//! and shared arrays into variables of the entry point. For each stage, this module writes a table that names the buffers whose
//! length the stage reads.
//!
//! Rule: each step replaces exactly what naga 30 writes; any other text is an error.

use std::collections::HashMap;

use naga::{AddressSpace, ShaderStage, TypeInner};
use sdlbc::{FunctionKind, Id};

use crate::error::Error;
use crate::interface::{Resource, ResourceKind, SizeField};
use crate::lower::{Lowered, kind_of};
use crate::mend::items::{Function, Item, Struct, declared, functions, take_struct};
use crate::mend::names::{Names, Scope};
use crate::mend::shared;
use crate::mend::text::{closing, renamed, words};
use crate::versions::MslVersion;

/// The names that naga gives the type of the size table and the argument that passes it.
const TABLE: &str = "_mslBufferSizes";
const ARGUMENT: &str = "_buffer_sizes";

struct Buffer<'l> {
    label: &'l str,
    stage: FunctionKind,
    slot: u32,
    /// The name of the buffer's member in naga's size table.
    size: String,
    stride: u32,
}

/// Rewrites storage buffers, shared arrays, barriers and size tables into MSL's usual form. Returns the size tables.
///
/// Upstream fault `shared_arguments`: `Writer::write_functions` in `back/msl/writer.rs` passes shared arrays as arguments of the
/// entry point, for which the application would have to reserve memory.
pub(crate) fn memory(
    items: &mut Vec<Item>,
    lowered: &Lowered,
    version: MslVersion,
    names: &mut Names,
) -> Result<Vec<Resource>, Error> {
    let buffers = buffers(lowered);
    if !buffers.is_empty() {
        pointers(items, &buffers)?;
    }
    let tables = sizes(items, lowered, &buffers, names)?;
    let Some(entry) = lowered.module.entry_points.iter().find(|entry| entry.stage == ShaderStage::Compute) else {
        return Ok(tables);
    };
    let function = functions(items).find(|function| function.name() == entry.name);
    let function = function.ok_or_else(|| unlike(&entry.name))?;
    function.body.pop_if(|line| line == "    return;");
    barriers(&mut function.body, version);
    let shared = shared::shared(lowered);
    if shared.is_empty() {
        return Ok(tables);
    }
    function.arguments.retain(|argument| !argument.starts_with("threadgroup "));
    let is_builtin = |argument: &&String| !argument.contains('<') && !argument.contains("[[buffer(");
    let builtins = function.arguments.iter().take_while(is_builtin).count();
    shared::zeroes(function, &shared, entry.workgroup_size.iter().product(), builtins, names, ZEROES);
    let declaration = |of: &shared::Shared<'_>| {
        let length = of.length.map_or(String::new(), |length| format!("[{length}]"));
        format!("    threadgroup {} {}{length};", type_of(of.element), of.label)
    };
    function.body.splice(0..0, shared.iter().map(declaration));
    Ok(tables)
}

fn unlike(what: &str) -> Error {
    Error::Internal(format!("naga's MSL is not as expected at `{what}`"))
}

const ZEROES: shared::Syntax = shared::Syntax {
    index: " [[thread_index_in_threadgroup]]",
    barrier: "threadgroup_barrier(mem_flags::mem_threadgroup);",
    zero,
    atomic: Some(("atomic_store_explicit", "memory_order_relaxed")),
};

fn type_of(element: &TypeInner) -> String {
    let (scalar, _) = shared::scalar_of(element);
    match element {
        TypeInner::Vector { size, .. } => format!("{scalar}{}", *size as u8),
        TypeInner::Atomic(_) => format!("atomic_{scalar}"),
        _ => scalar.to_string(),
    }
}

fn zero(element: &TypeInner) -> String {
    let (_, zero) = shared::scalar_of(element);
    match element {
        TypeInner::Vector { .. } => format!("{}({zero})", type_of(element)),
        _ => zero.to_string(),
    }
}

fn buffers(lowered: &Lowered) -> Vec<Buffer<'_>> {
    let mut buffers = Vec::new();
    for (handle, variable) in lowered.module.global_variables.iter() {
        let (AddressSpace::Storage { .. }, Some(label)) = (variable.space, variable.name.as_deref()) else { continue };
        let TypeInner::Array { stride, .. } = lowered.module.types[variable.ty].inner else { continue };
        let Some(resource) = lowered.resources.iter().find(|resource| resource.name == label) else { continue };
        let ResourceKind::Buffer { slot, .. } = resource.kind else { continue };
        buffers.push(Buffer { label, stage: resource.stage, slot, size: format!("size{}", handle.index()), stride });
    }
    buffers
}

/// Passes storage buffers as pointers to their first elements, without naga's array types.
///
/// Upstream fault `buffer_references`: `Writer::write_functions` in `back/msl/writer.rs` passes an array without a length as a
/// reference to an array of one element.
fn pointers(items: &mut Vec<Item>, buffers: &[Buffer<'_>]) -> Result<(), Error> {
    // naga declares an array type as `typedef float4 name[1];`.
    let array = |item: &Item| match item {
        Item::Line(line) => {
            let (element, name) = line.strip_prefix("typedef ")?.strip_suffix("[1];")?.split_once(' ')?;
            Some((name.to_string(), element.to_string()))
        }
        _ => None,
    };
    let arrays: HashMap<String, String> = items.iter().filter_map(array).collect();
    items.retain(|item| array(item).is_none());
    for argument in functions(items).flat_map(|function| &mut function.arguments) {
        if !buffers.iter().any(|buffer| buffer.label == declared(argument)) {
            continue;
        }
        let (ty, rest) = argument.split_once("& ").ok_or_else(|| unlike(argument))?;
        let ty = ty.strip_prefix("device ").ok_or_else(|| unlike(argument))?;
        let (ty, access) = ty.strip_suffix(" const").map_or((ty, ""), |ty| (ty, "const "));
        let element = arrays.get(ty).ok_or_else(|| unlike(argument))?;
        *argument = format!("device {access}{element}* {rest}");
    }
    Ok(())
}

/// Writes a size table for each stage that reads the size of a buffer.
///
/// Upstream fault `size_table`: `Writer::write` in `back/msl/writer.rs` writes one size table for all stages, with a number for
/// each variable of the module, even if no code reads the variable's size.
fn sizes(
    items: &mut Vec<Item>,
    lowered: &Lowered,
    buffers: &[Buffer<'_>],
    names: &mut Names,
) -> Result<Vec<Resource>, Error> {
    let at = items.iter().position(|item| matches!(item, Item::Struct(of) if of.name == TABLE));
    take_struct(items, TABLE);
    without_unused(items);
    let mut resources = Vec::new();
    let mut argument = None;
    for sizes in &lowered.sizes {
        let label = argument.get_or_insert_with(|| names.label(Scope::Module, "sizes")).clone();
        let stage = kind_of(sizes.stage);
        let structure = match stage {
            FunctionKind::Vertex => "VertexBufferSizes",
            FunctionKind::Compute => "BufferSizes",
            _ => "FragmentBufferSizes",
        };
        let structure = names.label(Scope::Module, structure);
        let scope = names.members();
        let mut fields = Vec::new();
        for (offset, &slot) in (0..).step_by(4).zip(&sizes.slots) {
            let of_slot = lowered.resources.iter().find(|resource| {
                let is_slot = matches!(resource.kind, ResourceKind::Buffer { slot: of, .. } if of == slot);
                is_slot && resource.stage == stage
            });
            let buffer = of_slot.map(|resource| resource.name.clone()).unwrap_or_default();
            let name = names.derived(scope, &buffer, "_size");
            fields.push(SizeField { name, buffer, slot, offset });
        }
        let size = u32::try_from(4 * fields.len()).unwrap_or(u32::MAX);
        resources.push(Resource {
            stage,
            input: Id::NONE,
            name: label,
            binding: Some((0, sizes.index)),
            kind: ResourceKind::BufferSizes { block: structure, size, members: fields },
        });
    }
    let mut read = Vec::new();
    for function in functions(items) {
        let Some(place) = function.arguments.iter().position(|argument| argument.contains(TABLE)) else { continue };
        // A function that reads a buffer's size has the buffer as an argument.
        let of = |argument: &String| buffers.iter().find(|buffer| buffer.label == declared(argument));
        let stage = function.arguments.iter().find_map(of).map(|buffer| buffer.stage);
        let table = resources.iter().find(|table: &&Resource| Some(table.stage) == stage);
        let table = table.and_then(|table| Some((table.stage, table_of(table)?)));
        let (Some((stage, (structure, members))), Some(label)) = (table, &argument) else {
            return Err(unlike(&function.arguments[place]));
        };
        read.push(stage);
        let rename = |text: &str| {
            renamed(text, |word| match word {
                TABLE => Some(structure),
                ARGUMENT => Some(&label[..]),
                _ => None,
            })
        };
        function.arguments[place] = rename(&function.arguments[place]);
        for line in &mut function.body {
            for buffer in buffers.iter().filter(|buffer| buffer.stage == stage) {
                let Buffer { size, stride, .. } = buffer;
                let length = format!("1 + ({ARGUMENT}.{size} - 0 - {stride}) / {stride}");
                if line.contains(&length) {
                    let member = members.iter().find(|member| member.slot == buffer.slot);
                    let member = member.ok_or_else(|| unlike(line))?;
                    let length_of = format!("{ARGUMENT}.{} / {stride}u", member.name);
                    *line = line.replace(&format!("({length}) - 1u"), &format!("{length_of} - 1u"));
                    *line = line.replace(&length, &length_of);
                }
            }
            if line.contains(&format!("{ARGUMENT}.size")) {
                return Err(unlike(line));
            }
            *line = rename(line);
        }
    }
    let structures = resources.iter().filter(|table| read.contains(&table.stage)).filter_map(table_of);
    let structures = structures.map(|(structure, members)| {
        let members = members.iter().map(|member| format!("uint {}", member.name));
        Item::Struct(Struct { name: structure.to_string(), members: members.collect() })
    });
    let structures: Vec<Item> = structures.collect();
    let at = at.unwrap_or(0).min(items.len());
    items.splice(at..at, structures);
    Ok(resources)
}

fn table_of(table: &Resource) -> Option<(&str, &[SizeField])> {
    match &table.kind {
        ResourceKind::BufferSizes { block, members, .. } => Some((block, members)),
        _ => None,
    }
}

/// Removes the size table from the parameters of functions that read no size, and from the arguments of calls to these functions.
///
/// Upstream fault `passed_table`: `Writer::write_functions` in `back/msl/writer.rs` passes the size table to every function that
/// has an array without a length, even if the function reads no size.
fn without_unused(items: &mut [Item]) {
    let reads = |function: &Function| function.body.iter().any(|line| words(line).any(|word| word == ARGUMENT));
    loop {
        let mut unused = functions(items)
            .filter(|function| function.arguments.iter().any(|argument| argument.contains(TABLE)) && !reads(function));
        let Some(function) = unused.next() else { return };
        function.arguments.retain(|argument| !argument.contains(TABLE));
        let call = format!("{}(", function.name());
        drop(unused);
        for line in functions(items).flat_map(|function| &mut function.body) {
            let mut from = 0;
            while let Some(start) = line[from..].find(&call).map(|at| from + at) {
                from = start + call.len();
                let Some(end) = closing(line, from - 1) else { break };
                for last in [format!(", {ARGUMENT}"), ARGUMENT.to_string()] {
                    if line[from..end].ends_with(&last) {
                        line.replace_range(end - last.len()..end, "");
                        break;
                    }
                }
            }
        }
    }
}

/// Writes a barrier for all memory as a single barrier. naga writes separate barriers for storage buffers and for shared arrays.
/// Before version 1.2 of Metal, no operator can combine barrier flags.
///
/// Upstream fault `two_barriers_of_msl`: `Writer::write_barrier` in `back/msl/writer.rs` writes a barrier for each kind of
/// memory.
fn barriers(body: &mut Vec<String>, version: MslVersion) {
    if version >= MslVersion::V1_2 {
        let pair = ["threadgroup_barrier(mem_flags::mem_device);", "threadgroup_barrier(mem_flags::mem_threadgroup);"];
        shared::join_barriers(body, pair, "mem_device", "mem_device | mem_flags::mem_threadgroup");
    }
}
