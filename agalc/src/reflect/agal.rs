//! Information that only an AGAL program has: its version, its tokens, the registers that the player regards as read, and the
//! values that the application must upload for aliases.

use std::collections::{BTreeMap, BTreeSet};

use agal_front::Stage;
use agal_front::opcode::Operand;
use agal_front::register::File;
use agal_front::token::Token;
use sdlbc::FunctionKind;
use serde::{Serialize, Serializer};

use super::types::Reflection;
use crate::Program;

/// Facts about an AGAL program that are not in the program's module.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Agal {
    /// The name of the input that contains the program.
    pub file: String,
    /// The AGAL version of the program.
    pub version: u32,
    /// The number of tokens in the program's bytecode.
    pub tokens: usize,
    /// The numbers of the attributes that tokens read, even in dead code. The player requires a vertex stream for each of these
    /// attributes.
    pub attributes: Vec<u32>,
    /// The samplers that tokens use, each with the dimension at its first use.
    pub samplers: Vec<DeclaredSampler>,
    /// An estimate of the native instructions on a constrained device, or `None` for vertex programs.
    pub native: Option<Native>,
    /// The aliases that the macro language declares.
    pub aliases: Vec<Alias>,
}

/// A sampler in an AGAL program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct DeclaredSampler {
    /// The number of the sampler.
    pub slot: u32,
    /// The dimension, which is `2d`, `cube`, `3d` or `rect`. In the module, `rect` becomes `2d`.
    pub dimension: &'static str,
}

/// An estimate of the native instructions that a constrained device executes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Native {
    /// The number of arithmetic instructions.
    pub arithmetic: u32,
    /// The number of instructions that sample textures.
    pub textures: u32,
    /// The length of the longest chain of texture reads in which each coordinate depends on the previous read.
    pub dependent_reads: u32,
}

/// An alias in the macro language.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Alias {
    /// The name that the alias declares.
    pub name: String,
    /// The register that the alias stands for, such as `vc7.x`, or `vc7` for all components.
    pub register: String,
    /// The values to upload for a constant, or `None` if the alias states no values.
    pub upload: Option<Upload>,
}

/// Values that the application must upload to a register.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Upload {
    /// The register that receives the values, such as `vc7`.
    pub register: String,
    /// The components that receive the values, such as `xy`.
    pub components: String,
    /// The values, one for each component. JSON represents infinities as the strings `inf` and `-inf`.
    #[serde(serialize_with = "numbers")]
    pub values: Vec<f32>,
}

/// Serialises infinities as strings, because JSON has no infinities.
fn numbers<S: Serializer>(values: &[f32], to: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Number {
        Finite(f32),
        Other(String),
    }
    to.collect_seq(values.iter().map(|&value| match value.is_finite() {
        true => Number::Finite(value),
        false => Number::Other(value.to_string().to_lowercase()),
    }))
}

impl Reflection {
    /// Adds information about the programs from which the module was made ([`Loaded::programs`](crate::Loaded::programs)). Stages
    /// from AGAL programs get their AGAL data, and the registers of unified-shader programs get the names of that instruction
    /// set.
    #[must_use]
    pub fn with_programs(mut self, programs: &[Program]) -> Reflection {
        for stage in &mut self.stages {
            let kind = |program: &&Program| program.stage().map(FunctionKind::from);
            let of_stage =
                programs.iter().find(|program| kind(program) == Some(stage.stage) && program.agal().is_some());
            stage.agal = of_stage.and_then(|program| Some(Agal::of(&program.name, program.agal()?)));
        }
        #[cfg(feature = "es2")]
        self.spell_unified(programs.iter().filter_map(|program| match &program.code {
            crate::ProgramCode::Es2(es2) => Some(&es2.program),
            _ => None,
        }));
        self
    }
}

impl Agal {
    fn of(name: &str, agal: &crate::Agal) -> Agal {
        let program = &agal.program;
        let mut attributes = BTreeSet::new();
        let mut samplers = BTreeMap::new();
        for token in &program.tokens {
            for slot in 0..2 {
                match token.operand(slot) {
                    Operand::None => {}
                    Operand::Sampler => {
                        let sampler = token.sampler();
                        let dimension = ["2d", "cube", "3d", "rect"].get(usize::from(sampler.dimension));
                        let dimension = dimension.copied().unwrap_or("2d");
                        samplers.entry(u32::from(sampler.number)).or_insert(dimension);
                    }
                    _ => attributes.extend(attributes_of(token, slot)),
                }
            }
        }
        let samplers = samplers.into_iter().map(|(slot, dimension)| DeclaredSampler { slot, dimension });
        let estimate = (program.stage == Stage::Fragment).then(|| agal_front::native_estimate(program));
        let native =
            |[arithmetic, textures, dependent_reads]: [u32; 3]| Native { arithmetic, textures, dependent_reads };
        Agal {
            file: name.to_string(),
            version: program.version,
            tokens: program.tokens.len(),
            attributes: attributes.into_iter().collect(),
            samplers: samplers.collect(),
            native: estimate.map(native),
            aliases: agal.aliases.iter().map(Alias::of).collect(),
        }
    }
}

/// Returns the attributes that an operand reads: one attribute for a direct operand, several for a matrix, or the index
/// register of an indirect operand.
fn attributes_of(token: &Token, slot: usize) -> impl Iterator<Item = u32> {
    let source = token.src(slot);
    let (file, count) = match source.indirect {
        true => (source.index_register_file(), 1),
        false => (source.register_file(), token.op().map_or(1, |op| op.row().registers(slot))),
    };
    let first = u32::from(source.number);
    let is_attribute = file == Some(File::Attribute);
    (first..first.saturating_add(u32::from(count))).filter(move |_| is_attribute)
}

impl Alias {
    fn of(alias: &agal_front::assemble::Alias) -> Alias {
        let upload = alias.values.map(|values| {
            let known = || "xyzw".chars().zip(values).filter_map(|(letter, value)| Some((letter, value?)));
            Upload {
                register: alias.target.split('.').next().unwrap_or_default().to_string(),
                components: known().map(|(letter, _)| letter).collect(),
                values: known().map(|(_, value)| value).collect(),
            }
        });
        Alias { name: alias.name.clone(), register: alias.target.clone(), upload }
    }
}
