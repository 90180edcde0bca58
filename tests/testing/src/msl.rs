//! Checks shaders in the Metal Shading Language without Metal's compiler.
//!
//! clang compiles the shaders as C++14 with our header `tests/tools/msl/metal_stdlib`, and checks names, initialisers, constness,
//! and the number and types of arguments. Since clang does not know Metal's attributes, this file checks the attributes of entry
//! points and of the structures that entry points use. The rules come from the tables of the Metal Shading Language Specification
//! (5.2, "Function Attributes", and the subsequent sections on resource and stage attributes).

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fmt::Write;

use crate::{CLANG, repository};

/// Returns the errors in MSL shaders. Each shader is given by its name and its text. The list is empty if all shaders are valid.
///
/// If `linked` is set, the fragment function of a shader must read only varyings that the shader's vertex function writes.
///
/// clang compiles all shaders in one run, each in its own namespace. If clang is not installed, only attributes are checked.
pub fn msl_failures(texts: &[(String, String)], linked: bool) -> Vec<String> {
    let of_attributes = texts
        .iter()
        .flat_map(|(name, text)| attributes(text, linked).into_iter().map(move |what| format!("{name}: {what}")));
    let mut failures: Vec<String> = of_attributes.collect();
    if CLANG.is_there() {
        failures.extend(compiled(texts));
    }
    failures
}

/// Compiles the shaders, and returns the first error of each shader.
fn compiled(texts: &[(String, String)]) -> Vec<String> {
    let folder = std::env::temp_dir().join(format!("agalc-msl-{}-{:p}", std::process::id(), texts));
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut unit = String::from("#include <metal_stdlib>\n");
    for (number, (_, text)) in texts.iter().enumerate() {
        std::fs::write(folder.join(format!("{number}.metal")), text).expect("the text");
        let _ = writeln!(unit, "namespace text{number} {{\n#include \"{number}.metal\"\n}}");
    }
    std::fs::write(folder.join("all.cpp"), unit).expect("the unit");
    let header = repository().join("tests/tools/msl");
    // The options select a target with half floats, single-precision literals, and an unlimited number of errors.
    let options = "--target=aarch64-none-elf -std=c++14 -x c++ -fsyntax-only -Werror -Wmissing-field-initializers \
        -Wno-unknown-attributes -Wno-unused-value -Wno-tautological-compare -Wno-user-defined-literals -fno-lax-vector-conversions -ferror-limit=0 \
        -fno-caret-diagnostics -Xclang -cl-single-precision-constant -I";
    let options = options.split_whitespace().map(OsStr::new);
    let arguments: Vec<&OsStr> = options.chain([header.as_os_str(), OsStr::new("all.cpp")]).collect();
    let said = CLANG.run_in(&folder, &arguments).err();
    std::fs::remove_dir_all(&folder).expect("the folder");
    // For an error in the header, clang also mentions the shader's line that uses the header. The error is attributed to the
    // first such line.
    let mut first: BTreeMap<usize, String> = BTreeMap::new();
    let mut error = None;
    let mut unplaced = Vec::new();
    for line in said.iter().flat_map(|said| said.lines()) {
        // In C++, the comparison of half vectors yields shorts instead of bools, so errors about `short` values are ignored.
        if let Some((_, what)) = line.split_once(": error: ").filter(|(_, what)| !what.contains("'short' values")) {
            unplaced.extend(error.replace(what.to_string()));
        }
        let place = line.split_once(".metal:").and_then(|(file, rest)| {
            let number: usize = file.rsplit(['/', ' ']).next()?.parse().ok()?;
            Some((number, rest.split(':').next()?.parse::<usize>().ok()?))
        });
        if let (Some((number, line)), Some(what)) = (place, &error) {
            let (name, text) = &texts[number];
            let source = text.lines().nth(line - 1).unwrap_or_default().trim();
            first.entry(number).or_insert_with(|| format!("{name}: line {line}: {what}\n    {source}"));
            error = None;
        }
    }
    unplaced.extend(error);
    // If no error has the expected format, the complete output of clang is reported.
    match (said, first.is_empty()) {
        (Some(said), true) if !said.contains("'short' values") => vec![said],
        _ => first.into_values().chain(unplaced).collect(),
    }
}

/// An argument, or a member of a structure, with its attributes.
#[derive(Debug)]
struct Declaration<'t> {
    /// The part of the declaration before the name, without spaces.
    ty: String,
    name: &'t str,
    /// The name and the argument of each attribute. The argument is empty if the attribute has none.
    attributes: Vec<(&'t str, String)>,
}

#[derive(Debug)]
struct Entry<'t> {
    stage: &'t str,
    returns: &'t str,
    arguments: Vec<Declaration<'t>>,
}

/// A permitted attribute: its name, the type of its declaration (`*` for any type), and the exclusive upper bound of the
/// attribute's argument. The bound 0 permits no argument, and `u32::MAX` permits any argument.
type Row = (&'static str, &'static str, u32);

const RESOURCES: [Row; 3] = [("buffer", "*", 31), ("texture", "*", 128), ("sampler", "sampler", 16)];
const VERTEX_ARGUMENTS: [Row; 5] = [
    ("stage_in", "*", 0),
    ("vertex_id", "uint ushort", 0),
    ("instance_id", "uint ushort", 0),
    ("base_vertex", "uint ushort", 0),
    ("base_instance", "uint ushort", 0),
];
const FRAGMENT_ARGUMENTS: [Row; 6] = [
    ("stage_in", "*", 0),
    ("position", "float4", 0),
    ("front_facing", "bool", 0),
    ("sample_id", "uint", 0),
    ("sample_mask", "uint", 0),
    ("point_coord", "float2", 0),
];
const KERNEL_ARGUMENTS: [Row; 7] = [
    ("threadgroup", "*", 31),
    ("thread_position_in_grid", "uint uint2 uint3 ushort ushort2 ushort3", 0),
    ("thread_position_in_threadgroup", "uint uint2 uint3 ushort ushort2 ushort3", 0),
    ("thread_index_in_threadgroup", "uint ushort", 0),
    ("threadgroup_position_in_grid", "uint uint2 uint3 ushort ushort2 ushort3", 0),
    ("threadgroups_per_grid", "uint uint2 uint3 ushort ushort2 ushort3", 0),
    ("threads_per_threadgroup", "uint uint2 uint3 ushort ushort2 ushort3", 0),
];
const VERTEX_INPUTS: [Row; 1] = [("attribute", "*", 31)];
/// The argument of `user` is a name, so its bound is `u32::MAX`.
const VERTEX_OUTPUTS: [Row; 4] =
    [("position", "float4", 0), ("point_size", "float", 0), ("clip_distance", "float", 0), ("user", "*", u32::MAX)];
const FRAGMENT_INPUTS: [Row; 6] = [
    ("position", "float4", 0),
    ("front_facing", "bool", 0),
    ("sample_id", "uint", 0),
    ("sample_mask", "uint", 0),
    ("point_coord", "float2", 0),
    ("user", "*", u32::MAX),
];
const FRAGMENT_OUTPUTS: [Row; 3] = [("color", "*", 8), ("depth", "float", u32::MAX), ("sample_mask", "uint", 0)];
/// Attributes that modify another attribute of the same declaration.
const QUALIFIERS: [&str; 7] = [
    "flat",
    "center_no_perspective",
    "centroid_perspective",
    "centroid_no_perspective",
    "sample_perspective",
    "sample_no_perspective",
    "invariant",
];

fn attributes(text: &str, linked: bool) -> Vec<String> {
    let tokens = msl_tokens(text);
    let (structures, entries) = match declarations(&tokens) {
        Ok(found) => found,
        Err(what) => return vec![what],
    };
    let mut wrong = Vec::new();
    let mut varyings: BTreeMap<&str, BTreeMap<String, String>> = BTreeMap::new();
    if entries.is_empty() {
        wrong.push("there is no entry point".to_string());
    }
    for entry in &entries {
        let (rows, inputs, outputs): (&[Row], &[Row], &[Row]) = match entry.stage {
            "vertex" => (&VERTEX_ARGUMENTS, &VERTEX_INPUTS, &VERTEX_OUTPUTS),
            "fragment" => (&FRAGMENT_ARGUMENTS, &FRAGMENT_INPUTS, &FRAGMENT_OUTPUTS),
            _ => (&KERNEL_ARGUMENTS, &[], &[]),
        };
        let rows: Vec<Row> = rows.iter().chain(&RESOURCES).copied().collect();
        wrong.extend(listed(&format!("an argument of the {} function", entry.stage), &entry.arguments, &rows));
        for argument in &entry.arguments {
            let is = |attribute: &str| argument.attributes.iter().any(|(name, _)| *name == attribute);
            let in_memory = argument.ty.contains("device") || argument.ty.contains("constant");
            if is("buffer") && !(in_memory && argument.ty.ends_with(['&', '*'])) {
                wrong.push(format!("the buffer `{}` is no pointer or reference to memory", argument.name));
            }
            if is("texture") && !argument.ty.starts_with("texture") && !argument.ty.starts_with("depth") {
                wrong.push(format!("`{}` is no texture", argument.name));
            }
            if is("stage_in") {
                let Some(members) = structures.get(&argument.ty[..]) else {
                    wrong.push(format!("`{}` is no structure", argument.ty));
                    continue;
                };
                wrong.extend(listed(&format!("a member of {}", argument.ty), members, inputs));
                varyings.insert("fragment", users(members).filter(|_| entry.stage == "fragment").collect());
            }
        }
        match (structures.get(entry.returns), entry.stage) {
            (Some(members), _) => {
                wrong.extend(listed(&format!("a member of {}", entry.returns), members, outputs));
                if entry.stage == "vertex" {
                    varyings.insert("vertex", users(members).collect());
                    let is_position = |member: &&Declaration<'_>| member.attributes.iter().any(|of| of.0 == "position");
                    if members.iter().filter(is_position).count() != 1 {
                        wrong.push(format!("{} has no position", entry.returns));
                    }
                }
            }
            // An entry point that does not return a structure must return a colour or a position, or be a kernel.
            (None, "vertex") if entry.returns != "float4" => wrong.push(format!("a vertex returns {}", entry.returns)),
            (None, "kernel") if entry.returns != "void" => wrong.push(format!("a kernel returns {}", entry.returns)),
            _ => {}
        }
    }
    if let (Some(written), Some(read)) = (varyings.get("vertex"), varyings.get("fragment"))
        && linked
    {
        for (user, ty) in read {
            if written.get(user) != Some(ty) {
                wrong.push(format!(
                    "the fragment reads {ty} user({user}), and the vertex writes {:?}",
                    written.get(user)
                ));
            }
        }
    }
    wrong
}

/// Returns the varyings of a structure, with their types.
fn users<'d>(members: &'d [Declaration<'_>]) -> impl Iterator<Item = (String, String)> + 'd {
    members.iter().filter_map(|member| {
        let (_, user) = member.attributes.iter().find(|(name, _)| *name == "user")?;
        Some((user.clone(), member.ty.clone()))
    })
}

/// Checks that each declaration in a list has exactly one attribute of `rows`, and that no two declarations have the same
/// attribute with the same argument. Returns the errors.
fn listed(of: &str, list: &[Declaration<'_>], rows: &[Row]) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    for declaration in list {
        let Declaration { ty, name, attributes } = declaration;
        let own: Vec<_> = attributes.iter().filter(|(name, _)| !QUALIFIERS.contains(name)).collect();
        let [(attribute, argument)] = own[..] else {
            wrong.push(format!("`{name}`, {of}, has {} attributes", own.len()));
            continue;
        };
        let Some((_, types, limit)) = rows.iter().find(|(row, ..)| row == attribute) else {
            wrong.push(format!("`{name}` is {of} and cannot have [[{attribute}]]"));
            continue;
        };
        if *types != "*" && !types.split(' ').any(|of| of == ty) {
            wrong.push(format!("`{name}`, {of}, has [[{attribute}]] and the type {ty}"));
        }
        let fits = match *limit {
            0 => argument.is_empty(),
            u32::MAX => !argument.is_empty(),
            limit => argument.parse().is_ok_and(|number: u32| number < limit),
        };
        if !fits {
            wrong.push(format!("`{name}`, {of}, has [[{attribute}({argument})]]"));
        }
        if !seen.insert((attribute, argument)) {
            wrong.push(format!("`{name}`, {of}, has [[{attribute}({argument})]] for the second time"));
        }
    }
    wrong
}

/// Splits an MSL shader into words and single other characters, without comments and directives.
pub fn msl_tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    for line in text.lines().filter(|line| !line.trim_start().starts_with('#')) {
        let mut rest = line.split("//").next().unwrap_or_default().trim_start();
        while let Some(first) = rest.chars().next() {
            let length = match is_word(first) {
                true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
                false => first.len_utf8(),
            };
            tokens.push(&rest[..length]);
            rest = rest[length..].trim_start();
        }
    }
    tokens
}

type Structures<'t> = BTreeMap<&'t str, Vec<Declaration<'t>>>;

fn declarations<'t>(tokens: &[&'t str]) -> Result<(Structures<'t>, Vec<Entry<'t>>), String> {
    let (mut structures, mut entries) = (BTreeMap::new(), Vec::new());
    let mut at = 0;
    while at < tokens.len() {
        match tokens[at] {
            "struct" => {
                let end = closing(tokens, at + 2)?;
                let members = tokens[at + 3..end].split(|token| *token == ";").filter(|member| !member.is_empty());
                structures.insert(tokens[at + 1], members.map(declaration).collect::<Result<_, _>>()?);
                at = end;
            }
            stage @ ("vertex" | "fragment" | "kernel") => {
                let open =
                    at + tokens[at..].iter().position(|token| *token == "(").ok_or("an entry without arguments")?;
                let end = closing(tokens, open)?;
                let arguments = parts(&tokens[open + 1..end]).into_iter().map(declaration);
                entries.push(Entry { stage, returns: tokens[at + 1], arguments: arguments.collect::<Result<_, _>>()? });
                at = closing(tokens, end + 1)?;
            }
            "{" => at = closing(tokens, at)?,
            _ => {}
        }
        at += 1;
    }
    Ok((structures, entries))
}

/// Returns the position of the bracket that closes the bracket at `open`.
fn closing(tokens: &[&str], open: usize) -> Result<usize, String> {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        depth += i32::from(matches!(*token, "(" | "{")) - i32::from(matches!(*token, ")" | "}"));
        if depth <= 0 {
            return if at > open { Ok(at) } else { Err(format!("`{token}` where a bracket is expected")) };
        }
    }
    Err("a bracket is not closed".to_string())
}

/// Splits tokens at the commas that are outside brackets.
fn parts<'a, 't>(tokens: &'a [&'t str]) -> Vec<&'a [&'t str]> {
    let mut depth = 0;
    let outside = |token: &&str| {
        depth += i32::from(matches!(*token, "(" | "[" | "<")) - i32::from(matches!(*token, ")" | "]" | ">"));
        *token == "," && depth == 0
    };
    tokens.split(outside).filter(|part| !part.is_empty()).collect()
}

fn declaration<'t>(tokens: &[&'t str]) -> Result<Declaration<'t>, String> {
    let open = tokens.windows(2).position(|two| two == ["[", "["]);
    let end = open.unwrap_or(tokens.len());
    // The length of an array follows its name, as in `float clip [2]`.
    let end = tokens[..end].iter().position(|token| *token == "[").unwrap_or(end);
    let (&name, ty) = tokens[..end].split_last().ok_or("a declaration without a name")?;
    let mut attributes = Vec::new();
    if let Some(open) = open {
        let close = tokens[open..].iter().position(|token| *token == "]").ok_or("an attribute is not closed")?;
        for attribute in parts(&tokens[open + 2..open + close]) {
            let argument = attribute.get(2..attribute.len().saturating_sub(1)).unwrap_or_default();
            attributes.push((attribute[0], argument.concat()));
        }
    }
    Ok(Declaration { ty: ty.concat(), name, attributes })
}
