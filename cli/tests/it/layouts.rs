//! Checks that the table in docs/layouts.md lists the layouts in the code, and that layout options take effect as the page
//! describes. `UPDATE_EXPECT=1` rewrites the table on the page.

use backends::{Constants, Glsl, Layout, Length, Modules, Numbering, Place, Places, Samplers};
use testing::{expect, repository};

use crate::support::sandbox::Sandbox;

/// Formats a range of bindings as `group.binding`, and adds the step unless the step is 1.
fn place(place: Place) -> String {
    match place.step {
        1 => format!("{}.{} + N", place.group, place.binding),
        step => format!("{}.{} + {step}N", place.group, place.binding),
    }
}

/// The name that docs/layouts.md uses for a setting of a layout, and the function that formats the setting.
type Row = (&'static str, fn(&Layout) -> String);

/// Formats the bindings of storage buffers. Buffers that the shader writes are listed separately if the layout puts them in
/// another group.
fn buffers(layout: &Layout, places: &Places) -> String {
    let read = match layout.buffers_follow_textures {
        true => format!("{}, after the storage textures", places.buffers.group),
        false => place(places.buffers),
    };
    places
        .written
        .map_or(read.clone(), |written| format!("{read}; if written, {}, after the storage textures", written.group))
}

fn images(layout: &Layout, places: &Places) -> String {
    let read = match layout.buffers_follow_textures {
        true => format!("{}, after the textures", places.images.group),
        false => place(places.images),
    };
    places.written.map_or(read.clone(), |written| format!("{read}; if written, {}", place(written)))
}

const ROWS: [Row; 25] = [
    ("vertex constants", |layout| constants(layout, layout.vertex.constants)),
    ("fragment constants", |layout| constants(layout, layout.fragment.constants)),
    ("vertex textures", |layout| place(layout.vertex.textures)),
    ("vertex samplers, if separate", |layout| place(layout.vertex.samplers)),
    ("fragment textures", |layout| place(layout.fragment.textures)),
    ("fragment samplers, if separate", |layout| place(layout.fragment.samplers)),
    ("further uniforms: vertex, fragment", |layout| match layout.one_block {
        true => "in the same block".to_string(),
        false => format!("{}, {}", place(layout.vertex.further), place(layout.fragment.further)),
    }),
    ("vertex storage textures", |layout| images(layout, &layout.vertex)),
    ("fragment storage textures", |layout| images(layout, &layout.fragment)),
    ("vertex storage buffers", |layout| buffers(layout, &layout.vertex)),
    ("fragment storage buffers", |layout| buffers(layout, &layout.fragment)),
    ("compute constants; further uniforms", |layout| match layout.one_block {
        true => constants(layout, layout.compute.constants),
        false => {
            format!("{}; {}", constants(layout, layout.compute.constants), place(layout.compute.further))
        }
    }),
    ("compute textures; samplers, if separate", |layout| {
        format!("{}; {}", place(layout.compute.textures), place(layout.compute.samplers))
    }),
    ("compute storage textures", |layout| images(layout, &layout.compute)),
    ("compute storage buffers", |layout| buffers(layout, &layout.compute)),
    ("textures are numbered", |layout| match layout.numbering {
        Numbering::Slot => "by slot".to_string(),
        Numbering::Dense => "densely".to_string(),
        Numbering::Source => "by the source".to_string(),
    }),
    ("constants", |layout| match layout.constants {
        Constants::Block => "block".to_string(),
        Constants::Push => "push".to_string(),
        Constants::Plain => "plain".to_string(),
    }),
    ("samplers", |layout| match layout.samplers {
        Samplers::Separate => "separate".to_string(),
        Samplers::Combined => "combined".to_string(),
    }),
    ("a pair becomes", |layout| match layout.modules {
        Modules::Together => "one file".to_string(),
        Modules::Apart => "two files".to_string(),
    }),
    ("entry points", |layout| match layout.entry.as_deref() {
        Some("main") => "`main`; `main0` in MSL".to_string(),
        Some(name) => format!("`{name}`"),
        None => "`vs_main`, `fs_main`".to_string(),
    }),
    ("length of arrays", |layout| match layout.length {
        Length::Read { indexed: u32::MAX } => "as read".to_string(),
        Length::Read { indexed } => format!("as read; at most {indexed} if indexed"),
        _ => "the register file".to_string(),
    }),
    ("SPIR-V", |layout| format!("{}.{}", layout.spirv.0, layout.spirv.1)),
    ("GLSL", |layout| match layout.glsl {
        Glsl::Core450 => "450".to_string(),
        Glsl::Core330 => "330".to_string(),
        Glsl::Es300 => "ES 300".to_string(),
    }),
    ("y is negated", |layout| match layout.flip_y {
        None => "in SPIR-V".to_string(),
        Some(true) => "always".to_string(),
        Some(false) => "never".to_string(),
    }),
    ("depth", |layout| layout.depth.map_or("the target's", |_| "fixed").to_string()),
];

fn constants(layout: &Layout, place: Place) -> String {
    match layout.constants {
        Constants::Block => format!("{}.{}", place.group, place.binding),
        Constants::Push | Constants::Plain => {
            format!("{}.{}, in targets without plain uniforms", place.group, place.binding)
        }
    }
}

#[test]
fn the_table_of_layouts_in_the_documentation_is_the_one_in_the_code() {
    let path = repository().join("docs/layouts.md");
    let page = std::fs::read_to_string(path).expect("the page");
    let (before, rest) = page.split_once("layouts::`. -->\n").expect("the start of the table");
    let (_, after) = rest.split_once("<!-- The end").expect("the end of the table");
    let mut table = String::from("| |");
    Layout::ALL.iter().for_each(|layout| table += &format!(" `{}` |", layout.name));
    table += &format!("\n{}\n", "|---".repeat(Layout::ALL.len() + 1) + "|");
    // The rows before the numbering state groups and bindings.
    let mut has_numbering = false;
    for (name, field) in ROWS {
        table += &format!("| {name} |");
        let is_place = !has_numbering && name != "textures are numbered";
        has_numbering |= !is_place;
        for layout in &Layout::ALL {
            let is_stated = is_place && layout.numbering == Numbering::Source;
            let field = if is_stated { "the source's".to_string() } else { field(layout) };
            table += &format!(" {field} |");
        }
        table += "\n";
    }
    let text = format!("{before}layouts::`. -->\n{table}<!-- The end{after}");
    expect("docs/layouts.md", &text).unwrap_or_else(|difference| panic!("{difference}"));
}

/// Compiles, with the given options, a program that reads constants and a texture.
fn compiled(options: &[&str]) -> String {
    let sandbox = Sandbox::new();
    sandbox.write("a.frag.agal", "tex ft0, v0, fs0 <2d>\nmul oc, ft0, fc0\n");
    let compile = ["compile", "a.frag.agal", "-o", "-"];
    sandbox.run(&[&compile[..], options].concat()).success().into_text()
}

#[test]
fn the_version_of_glsl_is_the_layouts_unless_it_is_chosen() {
    for (options, heading) in [
        (&["--layout", "webgl2"][..], "#version 300 es"),
        (&["--layout", "webgl2", "--glsl", "450"], "#version 450 core"),
        (&["--layout", "wgpu"], "#version 450 core"),
        (&[], "#version 450 core"),
    ] {
        let text = compiled(&[&["--to", "glsl"][..], options].concat());
        assert!(text.contains(heading), "{options:?}\n{text}");
    }
}

#[test]
fn groups_and_bindings_are_moved_where_the_target_has_those_of_the_layout() {
    for (target, counts) in [
        (&["--to", "spirv-asm"][..], true),
        (&["--to", "wgsl"], true),
        (&["--to", "hlsl", "--shader-model", "5.1"], true),
        (&["--to", "hlsl", "--shader-model", "5.0"], false),
        (&["--to", "msl"], false),
        (&["--to", "glsl", "--glsl", "450"], false),
        (&["--to", "glsl", "--glsl", "300es"], false),
    ] {
        let plain = compiled(target);
        for option in [["--group", "3"], ["--binding-base", "40"]] {
            let moved = compiled(&[target, &option].concat());
            assert_eq!(moved != plain, counts, "{target:?} {option:?}\n{moved}");
        }
    }
}
