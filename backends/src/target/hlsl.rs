//! Writes HLSL, with an entry point for each stage of the module.
//!
//! naga writes HLSL for wgpu's Direct3D back end: samplers come out of a heap by an index that the application supplies, the
//! arguments and results of entry points pass through structures of their own, and results are built by functions. The steps
//! here write plain declarations of samplers, arguments and results instead. Each replaces exactly what naga 30 writes; where
//! a step would leave something of naga's own that a program needs, it is an error.

use naga::back::hlsl as hlsl_out;
use naga::{AddressSpace, ResourceBinding, ShaderStage, TypeInner};
use sdlbc::{FunctionKind, InputKind, Module, OutputKind};

use crate::emit::items::{
    Item, declared, functions, items, operands, renamed, take_struct, text_of, without_unused_functions, words,
};
use crate::emit::{OWN_FUNCTIONS, exact_limits, for_text, is_read, plain_offsets};
use crate::features::{Clips, Features, Resources, Select};
use crate::lower::{CLIP_LOCATION, Lowered, describe};
use crate::names::{Given, Names, Scope};
use crate::target::hlsl_memory;
use crate::words::Language;
use crate::{Error, ShaderModel, Target, tidy};

/// What a shader model of HLSL has.
pub(super) fn features(model: ShaderModel) -> Features {
    Features {
        halves: model >= ShaderModel::V6_2,
        // Those have a `?:` on vectors, which HLSL 2021 refuses.
        int_vectors: false,
        // HLSL 2021 has no `?:` with a vector of bools, and earlier HLSL has no `select`.
        select: Select::Nothing,
        compute: true,
        // naga reads it from constants that wgpu supplies.
        workgroup_counts: false,
        // Direct3D need not be able to read unordered access views of other formats than those of one component with 32 bits.
        read_images_are_textures: true,
        // Compilers multiply by `exp2`, which is not exact.
        ldexp: false,
        links_by_order: true,
        // naga has no array of them for HLSL, in which vectors are usual.
        clips: Clips::Vectors,
        resources: Resources::Registers { counted: matches!(model, ShaderModel::V5_0) },
        ..Features::of(Language::Hlsl)
    }
}

/// A resource with its register, such as `t3, space1`.
#[derive(Clone, Copy, Debug)]
struct Register<'l> {
    stage: ShaderStage,
    /// The binding in naga's module.
    binding: ResourceBinding,
    label: &'l str,
    kind: Kind,
    /// Whether it is a block of constants with members.
    is_structure: bool,
    number: u32,
    space: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Constants,
    Texture,
    Sampler { comparison: bool },
}

impl Kind {
    /// The type of a sampler.
    const fn sampler(self) -> Option<&'static str> {
        match self {
            Kind::Sampler { comparison: false } => Some("SamplerState"),
            Kind::Sampler { comparison: true } => Some("SamplerComparisonState"),
            Kind::Constants | Kind::Texture => None,
        }
    }
}

/// Writes the module as HLSL.
pub(super) fn hlsl(lowered: &Lowered, model: ShaderModel) -> Result<(String, Given), Error> {
    let registers = registers(lowered, model)?;
    let text = clip_distances(by_naga(lowered, model, &registers)?);
    let mut names = lowered.names.clone();
    let mut items = items(&text);
    let entries: Vec<&str> = lowered.module.entry_points.iter().map(|entry| entry.name.as_str()).collect();
    declarations(&mut items, &registers, &mut names)?;
    padding(&mut items, &lowered.module, &mut names);
    for entry in &lowered.module.entry_points {
        if entry.stage == ShaderStage::Fragment {
            flat_arguments(&mut items, &entry.name);
            reciprocal_w(&mut items, &entry.name);
        }
    }
    hlsl_memory::memory(&mut items, lowered, &mut names)?;
    results(&mut items, &mut names);
    without_unused_functions(&mut items, &entries);
    let own = OWN_FUNCTIONS.map(|(naga, ours)| (naga, names.label(Scope::Module, ours)));
    // What SDL's Direct3D 12 looks for, and spirv-cross writes.
    let text = text_of(&items).replace(" : LOC", " : TEXCOORD");
    let text = plain_offsets(&exact_limits(&text), ["asint(asuint(", ") + asuint(int(", ")))"]);
    let text = texel_offsets(&text);
    let text = renamed(&splats(&text), |word| own.iter().find(|(naga, _)| *naga == word).map(|(_, ours)| &ours[..]));
    let text = hlsl_memory::named(&text, &mut names);
    Ok(names.resolve(&tidy::c_like(&plain_integers(&text)), None))
}

/// Gives vectors of clip distances their semantics in place of locations.
fn clip_distances(mut text: String) -> String {
    for number in 0..2 {
        let location = format!(" : LOC{}", CLIP_LOCATION + number);
        if text.contains(&location) {
            text = text.replace(&location, &format!(" : SV_ClipDistance{number}"));
        }
    }
    text
}

/// Returns the module without the varyings that the fragment stage of a pair does not read. Direct3D links the stages by the
/// order of what they pass, so the vertex stage must not pass more.
pub(crate) fn linked_by_order(module: &Module) -> Option<Module> {
    let function = |kind| module.functions.iter().find(|function| function.kind == kind);
    let read = function(FunctionKind::Fragment)?.inputs.iter().filter_map(|input| match input.kind {
        InputKind::Varying { location, .. } => Some(location),
        _ => None,
    });
    let read = read.collect::<Vec<u32>>();
    let is_unread =
        |kind: OutputKind| matches!(kind, OutputKind::Varying { location, .. } if !read.contains(&location));
    if !function(FunctionKind::Vertex)?.outputs.iter().any(|output| is_unread(output.kind)) {
        return None;
    }
    let mut pruned = module.clone();
    sdlbc::prune(&mut pruned).ok()?;
    Some(pruned)
}

/// Returns the register of each resource that the code reads.
fn registers(lowered: &Lowered, model: ShaderModel) -> Result<Vec<Register<'_>>, Error> {
    let mut registers = Vec::new();
    for (handle, variable) in lowered.module.global_variables.iter() {
        let bound = lowered
            .bindings
            .iter()
            .find(|bound| Some(bound.binding) == variable.binding && is_read(lowered, handle, bound.stage));
        let (Some(bound), Some(label)) = (bound, variable.name.as_deref()) else { continue };
        let (group, number) = bound.place;
        let space = u8::try_from(group).map_err(|_| Error::Unsupported {
            what: format!("the group {group}: register spaces end at {}", u8::MAX),
            target: Target::Hlsl(model),
        })?;
        let kind = match (variable.space, &lowered.module.types[variable.ty].inner) {
            (AddressSpace::Uniform, _) => Kind::Constants,
            (_, &TypeInner::Sampler { comparison }) => Kind::Sampler { comparison },
            _ => Kind::Texture,
        };
        let is_structure = matches!(lowered.module.types[variable.ty].inner, TypeInner::Struct { .. });
        registers.push(Register {
            stage: bound.stage,
            binding: bound.binding,
            label,
            kind,
            is_structure,
            number,
            space,
        });
    }
    Ok(registers)
}

/// Returns the text that naga writes. Resources that the code does not read have no register, and naga leaves them out.
fn by_naga(lowered: &Lowered, model: ShaderModel, registers: &[Register<'_>]) -> Result<String, Error> {
    let bind = |register: &Register<'_>| hlsl_out::BindTarget {
        space: register.space,
        register: register.number,
        binding_array_size: None,
        dynamic_storage_buffer_offsets_index: None,
        restrict_indexing: false,
    };
    let options = hlsl_out::Options {
        shader_model: naga_model(model),
        binding_map: registers.iter().map(|register| (register.binding, bind(register))).collect(),
        fake_missing_bindings: false,
        special_constants_binding: None,
        // naga requires a register for the indices into its heap of samplers, whose declarations are replaced.
        sampler_buffer_binding_map: registers
            .iter()
            .map(|register| (hlsl_out::SamplerIndexBufferKey { group: register.binding.group }, bind(register)))
            .collect(),
        zero_initialize_workgroup_memory: false,
        // Indices are clamped in the module, and an endless loop is refused.
        restrict_indexing: false,
        force_loop_bounding: false,
        ..hlsl_out::Options::default()
    };
    let mut text = String::new();
    let pipeline = hlsl_out::PipelineOptions::default();
    let result = hlsl_out::Writer::new(&mut text, &options, &pipeline).write(&for_text(lowered), &lowered.info, None);
    let unsupported = |what: String| Error::Unsupported { what, target: Target::Hlsl(model) };
    let reflection = result.map_err(|error| match error {
        hlsl_out::Error::Unimplemented(what) | hlsl_out::Error::Custom(what) => unsupported(what),
        hlsl_out::Error::ShaderModelTooLow(what, _) => unsupported(what),
        error => Error::Internal(describe(&error)),
    })?;
    match reflection.entry_point_names.into_iter().find_map(Result::err) {
        Some(error) => Err(Error::Internal(describe(&error))),
        None => Ok(text),
    }
}

/// Writes samplers with a register of their own, and names the blocks of constants.
fn declarations(items: &mut Vec<Item>, registers: &[Register<'_>], names: &mut Names) -> Result<(), Error> {
    items.retain(|item| !matches!(item, Item::Line(line) if is_heap(line)));
    let mut lines: Vec<&mut String> = items
        .iter_mut()
        .filter_map(|item| match item {
            Item::Line(line) => Some(line),
            _ => None,
        })
        .collect();
    for Register { stage, label, kind, is_structure, number, space, .. } in registers {
        let written = match (kind, kind.sampler()) {
            (Kind::Texture, _) => continue,
            (_, Some(ty)) => format!("static const {ty} {label} = "),
            (_, None) => format!("cbuffer {label} : "),
        };
        let Some(line) = lines.iter_mut().find(|line| line.starts_with(&written)) else {
            return Err(Error::Internal(format!("naga's HLSL has no line that begins with `{written}`")));
        };
        **line = if let Some(ty) = kind.sampler() {
            let space = if *space == 0 { String::new() } else { format!(", space{space}") };
            format!("{ty} {label} : register(s{number}{space});")
        } else {
            let block = match (stage, is_structure) {
                (ShaderStage::Vertex, false) => "VertexConstants",
                (ShaderStage::Compute, false) => "ComputeConstants",
                (_, false) => "FragmentConstants",
                // The structure has that name.
                (ShaderStage::Vertex, true) => "VertexBlock",
                (ShaderStage::Compute, true) => "ComputeBlock",
                (_, true) => "FragmentBlock",
            };
            line.replacen(&written, &format!("cbuffer {} : ", names.label(Scope::Module, block)), 1)
        };
    }
    Ok(())
}

/// Removes naga's padding from blocks of constants where HLSL leaves the same gap by itself: a matrix, an array, and a vector for
/// which the rest of a register is too short begin at the next register. Padding after the three components of a matrix's last
/// column would move the next member in Khronos' compiler, which gives that column all four. The padding that stays gets a name
/// of ours. A block's end needs none, since the size of a buffer is a multiple of a register.
fn padding(items: &mut [Item], module: &naga::Module, names: &mut Names) {
    let number = |line: &str| line.strip_prefix("int _pad")?.split_once('_')?.0.parse::<usize>().ok();
    for item in items {
        let Item::Struct(of) = item else { continue };
        let ty = module.types.iter().find(|(_, ty)| ty.name.as_ref() == Some(&of.name));
        let Some(TypeInner::Struct { members, .. }) = ty.map(|(_, ty)| &ty.inner) else { continue };
        let lines = std::mem::take(&mut of.members);
        for line in &lines {
            let Some(index) = number(line) else {
                of.members.extend(Some(line).filter(|line| !line.starts_with("int _end_pad_")).cloned());
                continue;
            };
            let Some(member) = members.get(index) else { continue };
            let gap = 4 * lines.iter().filter(|other| number(other) == Some(index)).count();
            let least = match module.types[member.ty].inner {
                TypeInner::Scalar(scalar) => usize::from(scalar.width),
                TypeInner::Vector { size, scalar } => size as usize * usize::from(scalar.width),
                // It is declared as vectors.
                TypeInner::Matrix { rows: naga::VectorSize::Bi, scalar, .. } => 2 * usize::from(scalar.width),
                _ => usize::MAX,
            };
            if member.offset % 16 != 0 || gap >= 16 || least <= gap {
                let label = names.beside(member.name.as_deref().unwrap_or_default(), "padding");
                of.members.push(format!("int {label}"));
            }
        }
    }
}

/// Whether a line declares the heap of samplers or the indices into it.
fn is_heap(line: &str) -> bool {
    let heaps = ["SamplerState nagaSamplerHeap[", "SamplerComparisonState nagaComparisonSamplerHeap["];
    heaps.iter().any(|heap| line.starts_with(heap))
        || (line.starts_with("StructuredBuffer<uint> nagaGroup") && line.contains("SamplerIndexArray"))
}

/// Writes the arguments of an entry point that naga passes in a structure, in the structure's order: first those with a
/// location, in ascending order, then builtins. The results of the vertex stage are in the same order.
fn flat_arguments(items: &mut Vec<Item>, entry: &str) {
    let Some(input) = take_struct(items, &format!("FragmentInput_{entry}")) else { return };
    let Some(function) = functions(items).find(|function| function.name() == entry) else { return };
    let Some(argument) = function.arguments.first().map(|argument| declared(argument).to_string()) else { return };
    let mut arguments = Vec::with_capacity(input.members.len());
    for member in &input.members {
        // `float4 name = argument.member;`
        let copied = format!("{argument}.{}", declared(member));
        let at = function
            .body
            .iter()
            .position(|line| line.trim_end_matches(';').split_once(" = ").is_some_and(|(_, value)| value == copied));
        let local = at.map(|at| function.body.remove(at));
        let local = local.as_deref().and_then(|line| line.split(" = ").next()).map(declared);
        let Some((local, own)) = local.zip(member.rsplit_once(declared(member))) else { continue };
        arguments.push(format!("{}{local}{}", own.0, own.1));
    }
    function.arguments = arguments;
}

/// In a fragment's position, Direct3D has the clip coordinate w where the module has its reciprocal, as other targets.
fn reciprocal_w(items: &mut [Item], entry: &str) {
    let Some(function) = functions(items).find(|function| function.name() == entry) else { return };
    let position = function.arguments.iter().find_map(|argument| argument.strip_suffix(" : SV_Position")).map(declared);
    let Some(position) = position.map(str::to_string) else { return };
    let reads_w = |line: &String| {
        line.match_indices(&position).any(|(at, _)| {
            let after = &line[at + position.len()..];
            let components = after.strip_prefix('.').map(|rest| words(rest).next().unwrap_or_default());
            components.is_none_or(|components| components.contains('w'))
        })
    };
    if function.body.iter().any(reads_w) {
        function.body.insert(0, format!("    {position}.w = 1.0 / {position}.w;"));
    }
}

/// Writes results without naga's functions and second structure: a result is declared, its members are assigned, and it is
/// returned. The members of the vertex stage's results are in the order that the fragment stage has: locations, then builtins.
fn results(items: &mut Vec<Item>, names: &mut Names) {
    let output = names.label(Scope::Module, "output");
    let mut ordered = Vec::new();
    for item in items.iter_mut() {
        if let Item::Struct(of) = item {
            let members = of.members.iter().map(|member| declared(member).to_string()).collect::<Vec<_>>();
            if of.members.iter().all(|member| member.contains(" : ")) {
                of.members.sort_by_key(|member| order(member));
            }
            ordered.push((of.name.clone(), members));
        }
    }
    let mut replaced = Vec::new();
    for function in functions(items) {
        let mut body = Vec::with_capacity(function.body.len());
        let mut lines = std::mem::take(&mut function.body).into_iter().peekable();
        while let Some(line) = lines.next() {
            let built = ordered.iter().find_map(|(name, members)| Some((name, members, built(&line, name)?)));
            let Some((name, members, (local, value))) = built else {
                body.push(initialised(&zeroes(&line)));
                continue;
            };
            let indent = " ".repeat(line.len() - line.trim_start().len());
            // The vertex stage's result is copied to another structure, which is returned.
            let local = local.to_string();
            if let Some(copy) = lines.next_if(|next| next.contains(&format!(" = {{ {local}."))) {
                replaced.extend(copy.trim_start().split(' ').nth(1).map(|copied| (copied.to_string(), name.clone())));
            }
            lines.next_if(|next| next.trim_start().starts_with("return "));
            match value {
                None => body.push(format!("{indent}return ({name})0;")),
                Some(operands) => {
                    body.push(format!("{indent}{name} {output};"));
                    let stores = members.iter().zip(operands);
                    body.extend(stores.map(|(member, value)| zeroes(&format!("{indent}{output}.{member} = {value};"))));
                    body.push(format!("{indent}return {output};"));
                }
            }
        }
        function.body = body;
    }
    for (copy, name) in replaced {
        take_struct(items, &copy);
        for function in functions(items).filter(|function| function.head.starts_with(&format!("{copy} "))) {
            function.head = function.head.replacen(&copy, &name, 1);
        }
    }
}

/// The order of a member by its semantic. Clip distances are the last, since the fragment stage does not have them.
fn order(member: &str) -> (bool, u32) {
    let semantic = member.rsplit(" : ").next().unwrap_or_default();
    let digits = semantic.trim_start_matches(|c: char| !c.is_ascii_digit());
    let number: u32 = digits.parse().unwrap_or(0);
    (
        semantic.starts_with("SV_") && !semantic.starts_with("SV_Target"),
        number + u32::from(semantic.starts_with("SV_ClipDistance")),
    )
}

/// Returns the variable that a line declares with a structure built by naga's function, and the operands; `None` for zeroes.
#[allow(clippy::type_complexity)]
fn built<'l>(line: &'l str, name: &str) -> Option<(&'l str, Option<Vec<String>>)> {
    let rest = line.trim_start().strip_prefix("const ")?.strip_prefix(name)?.strip_prefix(' ')?.strip_suffix(';')?;
    let (local, value) = rest.split_once(" = ")?;
    if value == format!("ZeroValue{name}()") {
        return Some((local, None));
    }
    Some((local, Some(operands(value, &format!("Construct{name}"), ['(', ')'])?)))
}

/// Writes the calls of naga's functions that return zero, such as `ZeroValuefloat4()`, as `(float4)0`.
fn zeroes(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find("ZeroValue") {
        let (before, call) = rest.split_at(at);
        let ty = call.strip_prefix("ZeroValue").and_then(|rest| rest.split_once("()"));
        let ty = ty.filter(|(ty, _)| {
            ty.chars().all(|c| c.is_ascii_alphanumeric()) && !before.ends_with(char::is_alphanumeric)
        });
        text += before;
        rest = match ty {
            Some((ty, after)) => {
                text += &format!("({ty})0");
                after
            }
            None => {
                text += "ZeroValue";
                &call["ZeroValue".len()..]
            }
        };
    }
    text + rest
}

/// Writes a vector of equal components without parentheses around a name or a component: `(a.x).xxx` as `a.xxx`. A literal gets the
/// type of a float: `(0.1f).xxx`.
fn splats(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(").x") {
        let (before, after) = rest.split_at(at);
        let after = &after[")".len()..];
        let count = after.len() - after.trim_start_matches(['.', 'x']).len() - ".".len();
        let ends = after[".".len() + count..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '[' | ']');
        let open = before.rfind(|c| !is_plain(c)).filter(|&open| {
            // A parenthesis that calls a function stays, and so does one around a literal.
            before[open..].starts_with('(')
                && before[..open].ends_with([' ', '('])
                && before[open + 1..].starts_with(|c: char| c.is_ascii_alphabetic())
                && !matches!(&before[open + 1..], "true" | "false")
        });
        let Some(open) = open.filter(|_| !ends) else {
            plain += before;
            // Without its type, Microsoft's compiler cuts off what a float does not have of a literal, rather than rounding it.
            let literal = before.rsplit('(').next().unwrap_or_default();
            plain += if literal.contains(['.', 'e']) && literal.parse::<f32>().is_ok() { "f)" } else { ")" };
            rest = after;
            continue;
        };
        let value = &before[open + 1..];
        let component =
            ["x", "y", "z", "w"].into_iter().find(|c| value.strip_suffix(c).is_some_and(|v| v.ends_with('.')));
        plain += &before[..open];
        plain += component.map_or(value, |_| &value[..value.len() - "x".len()]);
        plain += if component.is_some() { "" } else { "." };
        plain += &component.unwrap_or("x").repeat(count);
        rest = &after[".".len() + count..];
    }
    plain + rest
}

/// The longest array whose zeroes are written one by one.
const LISTED: usize = 64;

/// Writes the zero that a variable begins with as a person would: naga casts 0 to every type, which not every compiler accepts
/// for an array.
fn initialised(line: &str) -> String {
    let plain = || {
        let (declaration, value) = line.strip_suffix("0;")?.split_once(" = (")?;
        let ty = value.strip_suffix(')')?;
        let zero = match ty.split('[').next()? {
            "float" => "0.0".to_string(),
            "int" => "0".to_string(),
            "uint" => "0u".to_string(),
            "bool" => "false".to_string(),
            vector => format!("({vector})0"),
        };
        let Some((_, length)) = ty.split_once('[') else { return Some(format!("{declaration} = {zero};")) };
        let length = length.strip_suffix(']')?.parse().ok().filter(|length| *length <= LISTED)?;
        Some(format!("{declaration} = {{ {} }};", vec![zero; length].join(", ")))
    };
    plain().unwrap_or_else(|| line.to_string())
}

/// Writes whole numbers without naga's conversion, `int(8)`, except where the type is not clear without it.
fn plain_integers(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("int(") {
        let (before, call) = rest.split_at(at);
        plain += before;
        let number = call["int(".len()..].split_once(')');
        let is_number = |text: &str| {
            let digits = text.strip_prefix('-').unwrap_or(text);
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        };
        let free = plain.ends_with([' ', '(', '[']) && !plain.ends_with("asuint(") && !plain.ends_with("asfloat(");
        match number.filter(|(number, _)| free && is_number(number)) {
            Some((number, after)) => {
                plain += number;
                rest = after;
            }
            None => {
                plain += "int(";
                rest = &call["int(".len()..];
            }
        }
    }
    plain + rest
}

/// Writes offsets of texels as they are: naga makes vectors of two ints of all of them, also of those of 3D textures.
fn texel_offsets(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = ["int2(int2(", "int2(int3("].iter().filter_map(|form| rest.find(form)).min() {
        let (before, offset) = rest.split_at(at);
        plain += before;
        let inner = &offset["int2(".len()..];
        let mut open = 0;
        let end = inner.find(|c| {
            open += i32::from(c == '(') - i32::from(c == ')');
            c == ')' && open == 0
        });
        let (vector, after) = inner.split_at(end.map_or(inner.len(), |end| end + 1));
        plain += vector;
        rest = after.strip_prefix(')').unwrap_or(after);
    }
    plain + rest
}

const fn naga_model(model: ShaderModel) -> hlsl_out::ShaderModel {
    match model {
        ShaderModel::V5_0 => hlsl_out::ShaderModel::V5_0,
        ShaderModel::V5_1 => hlsl_out::ShaderModel::V5_1,
        ShaderModel::V6_0 => hlsl_out::ShaderModel::V6_0,
        ShaderModel::V6_1 => hlsl_out::ShaderModel::V6_1,
        ShaderModel::V6_2 => hlsl_out::ShaderModel::V6_2,
        ShaderModel::V6_3 => hlsl_out::ShaderModel::V6_3,
        ShaderModel::V6_4 => hlsl_out::ShaderModel::V6_4,
        ShaderModel::V6_5 => hlsl_out::ShaderModel::V6_5,
        ShaderModel::V6_6 => hlsl_out::ShaderModel::V6_6,
        ShaderModel::V6_7 => hlsl_out::ShaderModel::V6_7,
        ShaderModel::V6_8 => hlsl_out::ShaderModel::V6_8,
        ShaderModel::V6_9 => hlsl_out::ShaderModel::V6_9,
    }
}

#[cfg(test)]
mod tests {
    use super::splats;

    #[test]
    fn a_vector_of_equal_components_is_written_without_parentheses_and_literals_with_their_type() {
        for (naga, ours) in [
            ("a = (b.x).xxx;", "a = b.xxx;"),
            ("a = (b).xx * (c[1]).xxxx;", "a = b.xx * c[1].xxxx;"),
            ("a = (-3.2081785).xx;", "a = (-3.2081785f).xx;"),
            ("a = (1e-10).xxx + (2.5).xx;", "a = (1e-10f).xxx + (2.5f).xx;"),
            ("a = (23u).xx + (true).xx + sin(b).x;", "a = (23u).xx + (true).xx + sin(b).x;"),
        ] {
            assert_eq!(splats(naga), ours, "{naga}");
        }
    }
}
