//! Mends the HLSL that naga writes.
//!
//! naga writes HLSL for wgpu's Direct3D back end. The generated HLSL takes samplers from a heap by an index that the application
//! supplies. naga passes the arguments and results of entry points in extra structures, and builds results with functions. This
//! module writes plain declarations of samplers, arguments and results instead.
//!
//! Rule: each step replaces exactly what naga 30 writes. The mend fails with an error if a naga construct that the program needs
//! was not replaced.

use naga::{ResourceBinding, ShaderStage, TypeInner};

use crate::error::Error;
use crate::lower::{CLIP_LOCATION, Lowered};
use crate::mend::arithmetic::{OWN_FUNCTIONS, exact_limits, plain_offsets};
use crate::mend::exchanges::plain_exchanges;
use crate::mend::items::{Item, declared, functions, items, take_struct, text_of, without_unused_functions};
use crate::mend::names::{Given, Names, Scope};
use crate::mend::text::{closing, is_word, operands, renamed, replaced, words};
use crate::mend::{hlsl_memory, tidy};

/// Mends the text of a program, and replaces its labels with names. `registers` lists the registers of the resources that the
/// code reads.
pub(crate) fn mended(text: String, lowered: &Lowered, registers: &[Register<'_>]) -> Result<(String, Given), Error> {
    let text = clip_distances(text);
    let text = plain_exchanges(&text);
    let mut names = lowered.names.clone();
    let mut items = items(&text);
    let entries: Vec<&str> = lowered.module.entry_points.iter().map(|entry| entry.name.as_str()).collect();
    declarations(&mut items, registers, &mut names)?;
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
    // SDL's Direct3D 12 back end looks for `TEXCOORD` semantics, which SPIRV-Cross writes.
    let text = text_of(&items).replace(" : LOC", " : TEXCOORD");
    let text = plain_offsets(&exact_limits(&text), ["asint(asuint(", ") + asuint(int(", ")))"]);
    let text = texel_offsets(&text);
    let text = renamed(&splats(&text), |word| own.iter().find(|(naga, _)| *naga == word).map(|(_, ours)| &ours[..]));
    let text = hlsl_memory::named(&text, &mut names);
    Ok(names.resolve(&tidy::c_like(&plain_integers(&text)), None))
}

/// A resource with its register, such as `t3, space1`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Register<'l> {
    pub(crate) stage: ShaderStage,
    /// The resource's binding in naga's module.
    pub(crate) binding: ResourceBinding,
    pub(crate) label: &'l str,
    pub(crate) kind: Kind,
    pub(crate) is_structure: bool,
    pub(crate) number: u32,
    pub(crate) space: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Constants,
    Texture,
    Sampler { comparison: bool },
}

impl Kind {
    const fn sampler(self) -> Option<&'static str> {
        match self {
            Kind::Sampler { comparison: false } => Some("SamplerState"),
            Kind::Sampler { comparison: true } => Some("SamplerComparisonState"),
            Kind::Constants | Kind::Texture => None,
        }
    }
}

/// Gives vectors of clip distances their semantics instead of locations.
///
/// Upstream fault `clip_arrays`: `Writer::write_interface_struct` in `back/hlsl/writer.rs` gives an array of clip distances the
/// semantic `SV_ClipDistance` without an index, which some compilers reject. The lowered module has vectors with locations
/// instead.
fn clip_distances(mut text: String) -> String {
    for number in 0..2 {
        let location = format!(" : LOC{}", CLIP_LOCATION + number);
        if text.contains(&location) {
            text = text.replace(&location, &format!(" : SV_ClipDistance{number}"));
        }
    }
    text
}

/// Declares each sampler with its own register, and names the constant buffers.
///
/// Upstream fault `sampler_heap`: `Writer::write_global_sampler` in `back/hlsl/writer.rs` and `write_sampler_heaps` in
/// `back/hlsl/help.rs` take samplers from a heap by an index that wgpu supplies (gfx-rs/wgpu#6766). No option avoids the heap:
/// gfx-rs/wgpu#9839, which offered such an option, was closed.
///
/// Upstream fault `buffer_names`: `Writer::write_global` in `back/hlsl/writer.rs` gives a `cbuffer` the name of the variable that
/// it contains.
fn declarations(items: &mut Vec<Item>, registers: &[Register<'_>], names: &mut Names) -> Result<(), Error> {
    items.retain(|item| !matches!(item, Item::Line(line) if is_heap(line)));
    for Register { stage, label, kind, is_structure, number, space, .. } in registers {
        let written = match (kind, kind.sampler()) {
            (Kind::Texture, _) => continue,
            (_, Some(ty)) => format!("static const {ty} {label} = "),
            (_, None) => format!("cbuffer {label} : "),
        };
        let line = items.iter_mut().find_map(|item| match item {
            Item::Line(line) if line.starts_with(&written) => Some(line),
            _ => None,
        });
        let Some(line) = line else {
            return Err(Error::Internal(format!("naga's HLSL has no line that begins with `{written}`")));
        };
        *line = if let Some(ty) = kind.sampler() {
            let space = if *space == 0 { String::new() } else { format!(", space{space}") };
            format!("{ty} {label} : register(s{number}{space});")
        } else {
            let block = match (stage, is_structure) {
                (ShaderStage::Vertex, false) => "VertexConstants",
                (ShaderStage::Compute, false) => "ComputeConstants",
                (_, false) => "FragmentConstants",
                // The structure's own name already ends in `Constants`, so the buffer's name ends in `Block`.
                (ShaderStage::Vertex, true) => "VertexBlock",
                (ShaderStage::Compute, true) => "ComputeBlock",
                (_, true) => "FragmentBlock",
            };
            line.replacen(&written, &format!("cbuffer {} : ", names.label(Scope::Module, block)), 1)
        };
    }
    Ok(())
}

/// Removes naga's padding from constant buffers where HLSL's packing rules leave the same gap. A matrix, an array, and a vector
/// that does not fit into the rest of a register all begin at the next register. Khronos' compiler gives the last column of a
/// matrix four components instead of three, so padding after that column would move the next member. Remaining padding is
/// renamed. The end of a buffer needs no padding, because a buffer's size is a multiple of the register size.
///
/// Upstream fault `register_padding`: `Writer::write_struct` in `back/hlsl/writer.rs` writes padding even if HLSL's packing rules
/// leave the same gap.
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
                // naga declares a matrix with two rows as separate vectors.
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

/// Reports whether a line declares a sampler heap or the indices into a heap.
fn is_heap(line: &str) -> bool {
    let heaps = ["SamplerState nagaSamplerHeap[", "SamplerComparisonState nagaComparisonSamplerHeap["];
    heaps.iter().any(|heap| line.starts_with(heap))
        || (line.starts_with("StructuredBuffer<uint> nagaGroup") && line.contains("SamplerIndexArray"))
}

/// Writes an entry point's arguments as plain arguments instead of a structure, in the structure's order. Arguments with a
/// location come first, in ascending order, and builtins follow. The results of the vertex stage follow the order of these
/// arguments.
///
/// Upstream fault `input_structures`: `Writer::write_ep_input_struct` in `back/hlsl/writer.rs` passes the inputs of a fragment
/// stage in a structure, and copies them to local variables.
fn flat_arguments(items: &mut Vec<Item>, entry: &str) {
    let Some(input) = take_struct(items, &format!("FragmentInput_{entry}")) else { return };
    let Some(function) = functions(items).find(|function| function.name() == entry) else { return };
    let Some(argument) = function.arguments.first().map(|argument| declared(argument).to_string()) else { return };
    let mut arguments = Vec::with_capacity(input.members.len());
    for member in &input.members {
        // naga writes each copy as `float4 name = argument.member;`.
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

/// Replaces the fourth component of a fragment's position with its reciprocal. Direct3D supplies the clip coordinate w, but the
/// module and the other targets expect the reciprocal of w.
///
/// Upstream fault `reciprocal_w`: `back/hlsl/writer.rs` reads `SV_Position` unchanged (gfx-rs/wgpu#4963).
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

/// Writes results without naga's constructor functions and its second structure: the code declares a result, assigns its members,
/// and returns it. The members of the vertex stage's result are in the order of the fragment stage's arguments: locations, then
/// builtins.
///
/// Upstream fault `result_constructors`: `Statement::Return` and `write_wrapped_constructor_function` in `back/hlsl` build a
/// result with a function named `Construct...`, and copy the result to another structure.
///
/// Upstream fault `location_semantics`: `Writer::write_semantic` in `back/hlsl/writer.rs` writes the semantic `LOC` for
/// locations, and no option selects another semantic. SDL and other engines look for `TEXCOORD`.
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
            // naga copies the vertex stage's result to another structure, and returns that structure.
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

/// Returns the sort key of a structure member, which depends on the member's semantic. Clip distances come last, because the
/// fragment stage does not have them.
fn order(member: &str) -> (bool, u32) {
    let semantic = member.rsplit(" : ").next().unwrap_or_default();
    let digits = semantic.trim_start_matches(|c: char| !c.is_ascii_digit());
    let number: u32 = digits.parse().unwrap_or(0);
    (
        semantic.starts_with("SV_") && !semantic.starts_with("SV_Target"),
        number + u32::from(semantic.starts_with("SV_ClipDistance")),
    )
}

/// Parses a line that declares a structure built by one of naga's functions. Returns the variable and the operands. The operands
/// are `None` for a structure of zeroes.
#[allow(clippy::type_complexity)]
fn built<'l>(line: &'l str, name: &str) -> Option<(&'l str, Option<Vec<String>>)> {
    let rest = line.trim_start().strip_prefix("const ")?.strip_prefix(name)?.strip_prefix(' ')?.strip_suffix(';')?;
    let (local, value) = rest.split_once(" = ")?;
    if value == format!("ZeroValue{name}()") {
        return Some((local, None));
    }
    Some((local, Some(operands(value, &format!("Construct{name}"), ['(', ')'])?)))
}

/// Replaces calls to naga's zero functions, such as `ZeroValuefloat4()`, with casts, such as `(float4)0`.
///
/// Upstream fault `zero_functions`: `write_wrapped_zero_value_function` in `back/hlsl/help.rs` writes a function for the zero of
/// each type.
fn zeroes(line: &str) -> String {
    replaced(line, "ZeroValue", |before, after| {
        let (ty, rest) = after.split_once("()")?;
        let is_type = ty.chars().all(|c| c.is_ascii_alphanumeric()) && !before.ends_with(char::is_alphanumeric);
        is_type.then(|| (format!("({ty})0").into(), rest))
    })
}

/// Writes a vector of equal components without parentheses around a name or a component: `(a.x).xxx` becomes `a.xxx`. A float
/// literal gets a type suffix, as in `(0.1f).xxx`.
///
/// Upstream fault `splats`: `Expression::Splat` in `back/hlsl/writer.rs` writes parentheses around every value, and omits the
/// type suffix of literals, which fxc and dxc then round differently.
fn splats(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(").x") {
        let (before, after) = rest.split_at(at);
        let after = &after[")".len()..];
        let count = after.len() - after.trim_start_matches(['.', 'x']).len() - ".".len();
        let ends = after[".".len() + count..].starts_with(is_word);
        let is_plain = |c: char| is_word(c) || matches!(c, '.' | '[' | ']');
        let open = before.rfind(|c| !is_plain(c)).filter(|&open| {
            // The parentheses of a call and the parentheses around a literal are kept.
            before[open..].starts_with('(')
                && before[..open].ends_with([' ', '('])
                && before[open + 1..].starts_with(|c: char| c.is_ascii_alphabetic())
                && !matches!(&before[open + 1..], "true" | "false")
        });
        let Some(open) = open.filter(|_| !ends) else {
            plain += before;
            // Microsoft's compiler truncates an untyped literal to a float instead of rounding it.
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

/// The maximum length of an array whose zeroes are listed one by one.
const LISTED: usize = 64;

/// Writes the zero that initialises a variable in the usual form for the variable's type. naga casts 0 to every type, and not
/// every compiler accepts such a cast for an array.
///
/// Upstream fault `cast_initialisers`: `Writer::write_default_init` in `back/hlsl/writer.rs` casts 0 to the type of the variable,
/// even to an array type.
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

/// Writes integer literals without naga's conversion (`8` instead of `int(8)`), except where the type would be unclear.
///
/// Upstream fault `converted_integers`: `Writer::write_literal` in `back/hlsl/writer.rs` writes `int(8)` for 8 to select an
/// overload, even if there are no overloads.
fn plain_integers(text: &str) -> String {
    replaced(text, "int(", |plain, after| {
        let (number, rest) = after.split_once(')')?;
        let digits = number.strip_prefix('-').unwrap_or(number);
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let free = plain.ends_with([' ', '(', '[']) && !plain.ends_with("asuint(") && !plain.ends_with("asfloat(");
        (free && is_number).then(|| (number.into(), rest))
    })
}

/// Writes texel offsets unchanged: naga converts every texel offset to a vector of two ints, even for a 3D texture.
///
/// Upstream fault `texel_offsets`: `Expression::ImageSample` in `back/hlsl/writer.rs` writes `int2(` before the offset of every
/// texture, to work around microsoft/DirectXShaderCompiler#5082. A 3D texture loses the last component of its offset.
fn texel_offsets(text: &str) -> String {
    replaced(text, "int2(int", |_, after| {
        let open = after.find('(').filter(|_| after.starts_with("2(") || after.starts_with("3("))?;
        let (vector, rest) = after.split_at(closing(after, open).map_or(after.len(), |end| end + 1));
        Some((format!("int{vector}").into(), rest.strip_prefix(')').unwrap_or(rest)))
    })
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
