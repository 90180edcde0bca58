//! The options that select a layout and override its individual settings. The module also contains parsers for the values of
//! other options.

use std::borrow::Cow;
use std::ops::RangeInclusive;
use std::str::FromStr;

use agalc::{Constants, Depth, Layout, Length, Modules, Numbering, Precision, Samplers, Stage};
use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use sdlbc::words::UnknownWord;

/// The layout by which an application passes resources to a shader.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Layout")]
pub(crate) struct LayoutOptions {
    /// The bindings and the form of constants and textures; docs/layouts.md has the table
    #[arg(long, value_name = "NAME", default_value = "stage3d", value_parser = layout_names())]
    layout: Layout,
    /// Put every resource in this group (WGSL), descriptor set (SPIR-V) or register space (HLSL from shader model 5.1 on). GLSL
    /// and MSL have no groups
    #[arg(long, value_name = "N", value_parser = whole(0..=u32::MAX), allow_negative_numbers = true)]
    group: Option<u32>,
    /// Add this number to every binding in SPIR-V and WGSL, and to every register in HLSL from shader model 5.1 on. GLSL and MSL
    /// number their resources independently
    #[arg(long, value_name = "N", value_parser = whole(0..=u32::MAX), allow_negative_numbers = true)]
    binding_base: Option<u32>,
    /// The name of every entry point; by default the name in the layout, or `vs_main` and `fs_main`
    #[arg(long, value_name = "NAME")]
    entry: Option<String>,
    /// Whether textures and samplers are combined, if the target has both forms
    #[arg(long, value_parser = words(Samplers::WORDS))]
    samplers: Option<Samplers>,
    /// The index of a texture: its sampler register's number, or its position among the textures that are read
    #[arg(long, value_parser = words(Numbering::WORDS))]
    numbering: Option<Numbering>,
    /// How constants are passed to the shader
    #[arg(long, value_parser = words(Constants::WORDS))]
    constants: Option<Constants>,
    /// The length of arrays of constants: `read` extends an array to the last register that is read, `file` uses the register
    /// files of AGAL 1 (128 and 28), and two numbers set the lengths for the vertex and the fragment stage
    #[arg(long, value_name = "LENGTH", value_parser = constant_length)]
    constant_length: Option<Length>,
    /// Whether a pair becomes one file or a file for each stage
    #[arg(long, value_parser = words(Modules::WORDS))]
    modules: Option<Modules>,
    /// The version of SPIR-V, 1.0 to 1.6
    #[arg(long, value_name = "VERSION", value_parser = spirv_version)]
    spirv_version: Option<(u8, u8)>,
    /// The default precision of floats in GLSL ES
    #[arg(long, value_parser = words(Precision::WORDS))]
    precision: Option<Precision>,
    /// Write no clamps of computed indices, because the shader never uses an index outside an array or a storage buffer. A wrong
    /// index then has undefined results, and may read or write other memory
    #[arg(long)]
    trust_indices: bool,
    /// The depth range of clip space; by default the target's depth range
    #[arg(long, value_parser = words(Depth::WORDS))]
    depth: Option<Depth>,
    /// Whether the vertex stage negates y; by default only if y points down in the target's clip space (SPIR-V)
    #[arg(long, value_enum)]
    flip_y: Option<FlipY>,
}

/// Parses one of the words in `words`. The help lists each word with its meaning.
pub(super) fn words<T: FromStr<Err = UnknownWord> + Clone + Send + Sync + 'static>(
    words: &'static [(T, &'static str, &'static str)],
) -> impl TypedValueParser<Value = T> {
    let names = words.iter().map(|(_, word, about)| PossibleValue::new(*word).help(*about));
    PossibleValuesParser::new(names).try_map(|name| name.parse())
}

/// Parses a name into the value that `values` pairs with the name.
pub(super) fn named<T: Clone + Send + Sync + 'static, const N: usize>(
    values: [(T, PossibleValue); N],
) -> impl TypedValueParser<Value = T> {
    let names = PossibleValuesParser::new(values.iter().map(|(_, name)| name.clone()));
    // `PossibleValuesParser` accepts only the names in `values`.
    names.try_map(move |given| {
        let found = values.iter().find(|(_, name)| name.get_name() == given);
        found.map(|(value, _)| value.clone()).ok_or(given)
    })
}

pub(super) fn stages() -> impl TypedValueParser<Value = Stage> {
    named([Stage::Vertex, Stage::Fragment].map(|stage| (stage, stage.name().into())))
}

fn layout_names() -> impl TypedValueParser<Value = Layout> {
    let names = Layout::ALL.into_iter().map(|layout| PossibleValue::new(layout.name).help(layout.about));
    PossibleValuesParser::new(names).map(|name| Layout::named(&name).unwrap_or_default())
}

fn spirv_version(text: &str) -> Result<(u8, u8), String> {
    match text.split_once('.').map(|(major, minor)| (major.parse(), minor.parse())) {
        Some((Ok(1), Ok(minor @ 0..=6))) => Ok((1, minor)),
        _ => Err("write a version such as 1.0, 1.3 or 1.6".to_string()),
    }
}

fn constant_length(text: &str) -> Result<Length, String> {
    match (text, text.split_once(',').map(|(vertex, fragment)| (vertex.parse(), fragment.parse()))) {
        ("read", _) => Ok(Length::Read { indexed: u32::MAX }),
        ("file", _) => Ok(Length::File { vertex: 128, fragment: 28 }),
        (_, Some((Ok(vertex), Ok(fragment)))) => Ok(Length::File { vertex, fragment }),
        _ => Err("write `read`, `file` or two numbers such as 250,64".to_string()),
    }
}

impl LayoutOptions {
    /// Returns the selected layout, in which other options may override individual settings.
    pub(crate) fn layout(&self) -> Layout {
        let mut layout = self.layout.clone();
        if let Some(entry) = &self.entry {
            layout.entry = Some(Cow::Owned(entry.clone()));
        }
        set(&mut layout.samplers, self.samplers);
        set(&mut layout.numbering, self.numbering);
        set(&mut layout.constants, self.constants);
        set(&mut layout.length, self.constant_length);
        set(&mut layout.modules, self.modules);
        set(&mut layout.spirv, self.spirv_version);
        set(&mut layout.precision, self.precision);
        layout.trust_indices |= self.trust_indices;
        set(&mut layout.depth, self.depth.map(Some));
        set(&mut layout.flip_y, self.flip_y.map(|flip| Some(flip == FlipY::Always)));
        layout.moved(self.group, self.binding_base.unwrap_or(0))
    }
}

/// Parses a whole number in a range. The error message states the range.
pub(super) fn whole(range: RangeInclusive<u32>) -> impl Fn(&str) -> Result<u32, String> + Clone + Send + Sync {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("expected a whole number from {} to {}", range.start(), range.end()))
    }
}

fn set<T>(field: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *field = value;
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FlipY {
    /// Keep y unchanged
    None,
    /// Negate y
    Always,
}
