//! Compares what compilers make of the sources in `testdata/sources/suite` with what agalc makes of that, on Mesa's software
//! driver.
//!
//! `ORIGINALS=FOLDER` compares the SPIR-V modules (`.spv`) of a folder too, and prints what became of each.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use backends::{Layout, Numbering};
use conformance::originals::device::Device;
use conformance::originals::{Outcome, Translated, compare};
use rspirv::spirv::{BuiltIn, Decoration, ExecutionMode, GlslStd450Op, ImageFormat, Op, StorageClass};
use sdlbc::front::{Convention, SourceOptions};
use testing::{Effort, expect, files};

use crate::source_suite::{Original, SUITE, words};

/// Returns the words of a module's translation, with the groups and bindings of the source.
fn translated(module: &sdlbc::Module) -> Result<Vec<u32>, String> {
    let module = conformance::passes::optimised(module)?;
    let layout = Layout { numbering: Numbering::Source, spirv: (1, 5), ..Layout::default() };
    backends::spirv(&module, &layout).map_err(|error| error.to_string())
}

/// Originals that Mesa 22.3 runs wrongly, with the fault. The translations of both are right by calculation.
const FAULTS: [(&str, &str); 4] = [
    (
        "glsl/gathers_from_two_textures_with_four_offsets.frag",
        "a gather with four offsets reads the texture of the first one",
    ),
    ("spirv/remainders_of_each_kind.frag.spvasm", "OpSMod has the sign of the dividend, as OpSRem has"),
    ("hlsl/integers.frag.hlsl", "as above, if glslc compiles it, which writes OpSMod"),
    ("glsl/loop_do_while.frag", "a fragment whose do-while loop has ended goes on for another round"),
];

/// Originals that are not run, with the reason.
const NOT_RUN: [(&str, &str); 5] = [
    ("spirv/decorations_in_groups.frag.spvasm", "the comparison does not read decoration groups"),
    ("spirv/entry_points_of_two_stages.frag.spvasm", "the comparison runs one entry point"),
    ("spirv/specialised_composites.frag.spvasm", "rspirv does not read OpSpecConstantOp with several operands"),
    ("spirv/workgroup_size_by_ids.comp.spvasm", "rspirv does not read OpExecutionModeId"),
    ("glsl/point_coordinates.frag", "the comparison draws triangles"),
];

/// The reason why resources in arrays are not compared.
const ARRAYS: &str = "elements of an array have no binding of their own, which the layout `source` needs";

/// Originals whose translations are not compared, with the reason.
const NOT_TRANSLATED: [(&str, &str); 9] = [
    ("glsl/varyings_in_a_structure.vert", "Mesa's transform feedback captures the members of blocks only"),
    ("glsl/blocks_at_computed_indices.frag", ARRAYS),
    ("glsl/buffers_at_computed_indices.comp", ARRAYS),
    ("glsl/textures_at_computed_indices.frag", ARRAYS),
    ("glsl/textures_in_an_array.frag", ARRAYS),
    ("hlsl/textures_in_an_array.frag.hlsl", ARRAYS),
    ("spirv/images_in_an_array.frag.spvasm", ARRAYS),
    ("spirv/assumed_and_expected.frag.spvasm", "Mesa 22.3 does not read OpExpectKHR"),
    ("spirv/copied_logically.comp.spvasm", "Mesa 22.3 does not read OpCopyLogical"),
];

/// The reason why interp reads other levels of cubes.
const CUBES: &str = "Mesa approximates the derivatives of a direction, which select the level of a cube";

/// The reason why results differ by more than a sample.
const SCALED: &str = "it multiplies a sample, whose level of detail Mesa approximates, by up to 2.25";

/// Originals with which interp does not agree, with the reason.
const NOT_ON_INTERP: [(&str, &str); 7] = [
    ("glsl/inverse_angles.frag", "Mesa's inverse sines and cosines differ from the exact ones by up to 0.0003"),
    ("glsl/texture_of_a_cube.frag", CUBES),
    ("glsl/texture_of_cube_layers.frag", CUBES),
    ("glsl/texture_compared_in_layers.frag", CUBES),
    ("hlsl/texture_dimensions.frag.hlsl", CUBES),
    ("glsl/old_fragment.frag", SCALED),
    ("hlsl/registers.frag.hlsl", SCALED),
];

#[test]
fn a_translation_writes_what_its_original_writes() {
    let device = Device::new().expect("a device of Mesa's software driver (Debian package mesa-vulkan-drivers)");
    let only = std::env::var("ONLY").unwrap_or_default();
    let mut originals = SUITE.clone();
    assert!(originals.len() >= 300, "{} originals", originals.len());
    if let Some(folder) = std::env::var_os("ORIGINALS") {
        let read =
            |path: PathBuf| (path.display().to_string(), std::fs::read(&path).map_err(|error| error.to_string()));
        originals.extend(files(Path::new(&folder), ".spv").into_iter().map(read));
    }
    originals.retain(|original| original.0.contains(&only));
    let seeds = u32::try_from(Effort::of("SEEDS", 2).cases).unwrap_or(1);
    let mut options = SourceOptions::default();
    options.convention = Some(Convention::Vulkan);
    let mut columns = [
        Column { name: "translations", lists: [&FAULTS, &NOT_RUN, &NOT_TRANSLATED], ..Column::default() },
        Column { name: "interp", lists: [&NOT_RUN, &NOT_ON_INTERP, &[]], ..Column::default() },
    ];
    for (name, bytes) in &originals {
        let is_wrong = FAULTS.iter().any(|fault| fault.0 == name);
        let outcomes =
            match bytes.as_ref().map_err(Clone::clone).and_then(|bytes| Ok((bytes, lifted(bytes, &options)?))) {
                Err(reason) => [Outcome::Skipped(reason.clone()), Outcome::Skipped(reason)],
                Ok((bytes, module)) => {
                    let ours = Translated { module: &module, words: translated(&module), is_wrong };
                    let outcomes = compare(&device, &words(bytes), &ours, seeds);
                    [outcomes.device, outcomes.executor]
                }
            };
        columns.iter_mut().zip(outcomes).for_each(|(column, outcome)| column.add(name, outcome));
    }
    let wrong: Vec<String> = columns.iter().flat_map(|column| column.judge(&originals, seeds)).collect();
    assert!(wrong.is_empty(), "{} differ\n{}", wrong.len(), wrong.join("\n"));
}

fn lifted(bytes: &[u8], options: &SourceOptions) -> Result<sdlbc::Module, String> {
    Ok(spirv_front::read(bytes, options).map_err(|refusals| refusals[0].to_string())?.module)
}

/// The comparisons with one of the programs that agalc makes.
#[derive(Default)]
struct Column {
    name: &'static str,
    /// The originals that are not the same, each with the reason.
    lists: [&'static [(&'static str, &'static str)]; 3],
    same: usize,
    numbers: usize,
    skipped: BTreeMap<String, String>,
    different: BTreeMap<String, String>,
}

impl Column {
    fn add(&mut self, name: &str, outcome: Outcome) {
        match outcome {
            Outcome::Same(count) => (self.same, self.numbers) = (self.same + 1, self.numbers + count),
            Outcome::Different(difference) => drop(self.different.insert(name.to_string(), difference)),
            Outcome::Skipped(reason) => drop(self.skipped.insert(name.to_string(), reason)),
        }
    }

    /// Prints the results, and returns those that the lists do not state, or that they state and that are no longer so. Some differ for few
    /// inputs only, so a run with one seed does not judge what the lists state.
    fn judge(&self, originals: &[Original], seeds: u32) -> Vec<String> {
        println!("{}: {} of {} write the same, {} numbers", self.name, self.same, originals.len(), self.numbers);
        self.different.iter().for_each(|(name, reason)| println!("{}: different: {name}: {reason}", self.name));
        self.skipped.iter().for_each(|(name, reason)| println!("{}: not compared: {name}: {reason}", self.name));
        let listed = || self.lists.iter().copied().flatten();
        let is_listed = |name: &str| listed().any(|of| of.0 == name);
        let wrong = self.different.iter().filter(|(name, _)| !is_listed(name));
        let skipped = self.skipped.iter().filter(|(name, _)| !name.ends_with(".spv") && !is_listed(name));
        let is_same = |name: &str| !self.different.contains_key(name) && !self.skipped.contains_key(name);
        // What compilers of HLSL write differs.
        let is_run = |name: &str| !name.starts_with("hlsl/") && originals.iter().any(|of| of.0 == name);
        let stale = listed().filter(|(name, _)| seeds > 1 && is_run(name) && is_same(name));
        wrong
            .map(|(name, difference)| format!("{}: {name}: {difference}", self.name))
            .chain(skipped.map(|(name, reason)| format!("{}: {name} is not compared: {reason}", self.name)))
            .chain(stale.map(|(name, reason)| format!("{}: {name} writes the same, in spite of: {reason}", self.name)))
            .collect()
    }
}

/// Adds the names of what a module uses: instructions, extended instructions, storage classes, decorations, built-in values,
/// formats of images and execution modes. Reads the words themselves, because rspirv does not read every instruction.
fn add_names(words: &[u32], names: &mut BTreeSet<String>) {
    let mut at = 5;
    let mut sets = BTreeSet::new();
    while let Some(&first) = words.get(at) {
        let inst = words.get(at..at + (first >> 16).max(1) as usize).unwrap_or(&words[at..]);
        at += inst.len();
        let Some(op) = Op::from_u32(first & 0xffff) else { continue };
        names.insert(format!("Op{op:?}"));
        let name = match (op, inst) {
            (Op::ExtInstImport, [_, id, name @ ..]) => {
                // The name of the set begins with "GLSL".
                sets.extend(name.starts_with(&[u32::from_le_bytes(*b"GLSL")]).then_some(*id));
                None
            }
            (Op::ExtInst, [_, _, _, set, number, ..]) if sets.contains(set) => {
                GlslStd450Op::from_u32(*number).map(|of| format!("GLSL.std.450 {of:?}"))
            }
            (Op::TypePointer, [_, _, class, ..]) | (Op::Variable, [_, _, _, class, ..]) => {
                StorageClass::from_u32(*class).map(|of| format!("storage class {of:?}"))
            }
            (Op::TypeImage, [_, _, _, _, _, _, _, _, format, ..]) => {
                ImageFormat::from_u32(*format).map(|of| format!("image format {of:?}"))
            }
            (Op::ExecutionMode | Op::ExecutionModeId, [_, _, mode, ..]) => {
                ExecutionMode::from_u32(*mode).map(|of| format!("execution mode {of:?}"))
            }
            (Op::Decorate | Op::DecorateId | Op::DecorateString, [_, _, decoration @ ..])
            | (Op::MemberDecorate | Op::MemberDecorateString, [_, _, _, decoration @ ..]) => {
                if let &[own, value, ..] = decoration
                    && own == Decoration::BuiltIn as u32
                {
                    names.extend(BuiltIn::from_u32(value).map(|of| format!("built-in value {of:?}")));
                }
                decoration.first().and_then(|own| Decoration::from_u32(*own)).map(|of| format!("decoration {of:?}"))
            }
            _ => None,
        };
        names.extend(name);
    }
}

/// Constructs that spirv-front accepts and no original shows, with the reason.
const NOT_SHOWN: [(&str, &str); 1] =
    [("execution mode PixelCenterInteger", "Vulkan forbids it; the crate reads it to refuse coordinates")];

#[test]
fn every_accepted_construct_occurs_in_the_suite() {
    let mut names = BTreeSet::new();
    // What compilers of HLSL write differs.
    let listed = SUITE.iter().filter(|(name, _)| !name.starts_with("hlsl/"));
    listed.filter_map(|(_, bytes)| bytes.as_ref().ok()).for_each(|bytes| add_names(&words(bytes), &mut names));
    let missing = spirv_front::accepted().into_iter().filter(|name| !names.contains(name));
    let missing: Vec<String> = missing.filter(|name| NOT_SHOWN.iter().all(|of| of.0 != name)).collect();
    assert!(missing.is_empty(), "no original has {missing:?}");
    let stale = NOT_SHOWN.iter().filter(|of| names.contains(of.0));
    assert_eq!(stale.count(), 0, "originals show what `NOT_SHOWN` lists");
    let list = names.into_iter().collect::<Vec<_>>().join("\n") + "\n";
    expect("testdata/sources/suite/covered.txt", &list).unwrap_or_else(|difference| panic!("{difference}"));
}
