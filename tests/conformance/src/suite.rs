//! Runs one function of a module on every witness.
//!
//! Rule: interp's run of the unchanged module is the reference. Devices run the module after the passes. The module must still
//! produce the same bits in interp after the passes, and after it is read back from a file or from IR text. Results of the
//! machines and the devices must be within the limits of `verdict.rs`.

use es2_front::Opcode;
use sdlbc::{FunctionKind, Module};
use sdlbc_interp::{Draw, Float, Image, Resources};

use crate::agal::AgalShader;
use crate::es2::Es2Shader;
use crate::passes::{PASSED, PASSES, PRUNED, optimised};
use crate::probe::{Inputs, Probe, Values};
use crate::runs;
use crate::table::Table;
use crate::values;
use crate::verdict::{Disagreement, Expected, Tally};
use crate::{Failure, Witness, witness};

/// The name of the AGAL machine's column in tables.
pub const MACHINE: &str = "AGAL machine";
/// The name of the table column for the machine of the unified-shader instruction set.
pub const ES2_MACHINE: &str = "unified-shader machine";
/// The suffix of a machine's column for runs in 24-bit floats, which are compared with interp's runs in 24-bit floats.
pub const IN_24_BITS: &str = ", 24 bits";

/// The program from which a function was translated. The program's language determines the machine that serves as a witness.
#[derive(Clone, Copy)]
pub enum Origin<'a> {
    /// An AGAL program, and the options of the AGAL machine.
    Agal(&'a agal_front::Program, agal_machine::Options),
    /// A program of the unified-shader instruction set.
    Es2(&'a es2_front::Program),
}

impl Origin<'_> {
    /// Returns the name of the table column for the machine of the program's language.
    pub const fn machine(self) -> &'static str {
        match self {
            Origin::Agal(..) => MACHINE,
            Origin::Es2(_) => ES2_MACHINE,
        }
    }

    /// Returns how far a machine's results in 24 bits may be from interp's results. The machines filter textures and compute
    /// functions such as `exp2` differently from interp, so rounding to 24 bits may produce either neighbouring number.
    fn near_in_24_bits(self) -> Near {
        let (samples, approximates) = match self {
            Origin::Agal(program, _) => {
                let has = |of: &[u32]| program.tokens.iter().any(|token| of.contains(&token.opcode));
                // The first list is tld, tex and ted; the second list is pow, log, exp, sin, cos, ddx and ddy.
                (has(&[0x26, 0x28, 0x2e]), has(&[0x0b, 0x0c, 0x0d, 0x0f, 0x10, 0x1a, 0x1b]))
            }
            Origin::Es2(program) => {
                let has = |of: &[Opcode]| program.instructions.iter().any(|one| of.contains(&one.op));
                let functions = [Opcode::Exp, Opcode::Log, Opcode::Ex2, Opcode::Lg2, Opcode::REx2, Opcode::RLg2];
                (has(&[Opcode::Tex]), has(&functions))
            }
        };
        match (samples, approximates) {
            (true, _) => Near::Texels,
            (false, true) => Near::Units(1.0),
            (false, false) => Near::Units(0.0),
        }
    }
}

/// The allowed distance between a machine's result and interp's result in 24-bit floats.
#[derive(Clone, Copy, PartialEq)]
enum Near {
    /// A number of units in the last place of 24-bit floats.
    Units(f64),
    /// The distance allowed for texture filters, which compute in 32 bits.
    Texels,
}

/// A function to compare on all witnesses.
pub struct Subject<'a> {
    /// The subject's row in the table: a number for sorting the rows, and a name.
    pub row: (usize, String),
    /// A description for messages, from which the run can be reproduced.
    pub label: String,
    /// The module that contains the function.
    pub module: &'a Module,
    /// The program from which the function was translated, or `None` if the function was not translated.
    pub program: Option<Origin<'a>>,
    /// Whether each result comes from a single opcode. If it does, the limits in 24 bits are known.
    pub single: bool,
    /// The pictures that show the function's outputs.
    pub probe: Probe,
    /// Whether all witnesses run. If false, only the program's machine runs, to save time, and it must produce exactly interp's
    /// numbers.
    pub devices: bool,
}

/// Creates a function's pictures with random inputs derived from a seed. A vertex function gets `points` points, and a fragment
/// function gets a square with sides of `side` pixels.
pub fn probe(module: &Module, kind: FunctionKind, seed: u64, points: usize, side: u32) -> Probe {
    probe_with(module, kind, seed, points, side, values::resources(seed, module))
}

/// Creates a function's pictures like [`probe`], with the given values of the uniforms and textures that the function reads.
pub fn probe_with(
    module: &Module,
    kind: FunctionKind,
    seed: u64,
    points: usize,
    side: u32,
    resources: Resources,
) -> Probe {
    let function = module.functions.iter().find(|function| function.kind == kind);
    let given = function.map(values::given).unwrap_or_default();
    match kind {
        FunctionKind::Vertex => Probe::vertex(module, &values::points(seed, &given, points), 3, resources),
        _ => Probe::fragment(module, &Inputs::Square(side, values::corners(seed, &given)), resources),
    }
}

/// Runs a subject on the witnesses and enters the results into a table.
///
/// # Errors
/// Returns the first witness that disagrees, with the difference and the module's IR text.
pub fn compare<'a>(
    subject: &Subject<'_>,
    devices: impl IntoIterator<Item = &'a mut Box<dyn Witness>>,
    table: &mut Table,
) -> Result<(), String> {
    let shown = |who: &str, what: String| format!("{}: {who}: {what}\n{}", subject.label, sdlbc::print(subject.module));
    let expected = if subject.devices { runs::expected(&subject.probe) } else { runs::exact_values(&subject.probe) };
    let (mut expected, astray) = expected.map_err(|error| shown("interp", error))?;
    let mut is_thorough = false;
    let mut held = |expected: &mut Expected, values: &[Values]| -> Result<_, String> {
        match expected.holds(values) {
            Err(_) if !is_thorough => {
                is_thorough = true;
                *expected = runs::thorough(&subject.probe).map_err(|error| shown("interp", error))?;
                Ok(expected.holds(values))
            }
            result => Ok(result),
        }
    };
    let (number, name) = &subject.row;
    let enter = |table: &mut Table, who: &str, result: Result<Tally, Disagreement>| match result {
        Ok(tally) => {
            let cell = table.cell(*number, name, who);
            cell.tally = cell.tally.with(tally);
            Ok(())
        }
        Err(disagreement) => Err(shown(who, disagreement.to_string())),
    };
    if let Some(program) = subject.program {
        let machine = program.machine();
        let values = by_machine(&subject.probe, program, Float::F32).map_err(|error| shown(machine, error))?;
        let result = if subject.devices { held(&mut expected, &values)? } else { expected.equals(&values) };
        enter(table, machine, result)?;
        let (who, near) = (format!("{machine}{IN_24_BITS}"), program.near_in_24_bits());
        if subject.single || near == Near::Units(0.0) {
            let values = by_machine(&subject.probe, program, Float::F24).map_err(|error| shown(&who, error))?;
            let result = in_24_bits(&subject.probe, near, &values).map_err(|error| shown("interp", error))?;
            enter(table, &who, result)?;
        }
    }
    if !subject.devices {
        return Ok(());
    }
    for (what, pass) in PASSED.into_iter().chain(PRUNED) {
        let images = subject.probe.draws.iter().map(|draw| {
            let module = pass(&draw.module)?;
            runs::exact(&Draw { module, ..draw.clone() })
        });
        let images: Result<Vec<Image>, String> = images.collect();
        let values = subject.probe.values(&images.map_err(|error| shown(what, error))?);
        enter(table, PASSES, expected.same(&values)).map_err(|error| format!("{what}: {error}"))?;
    }
    let draws = subject.probe.draws.iter().map(|draw| Ok(Draw { module: optimised(&draw.module)?, ..draw.clone() }));
    let draws: Result<Vec<Draw>, String> = draws.collect();
    let draws = draws.map_err(|error| shown("the passes", error))?;
    for device in devices {
        let who = device.name();
        if astray {
            let cell = table.cell(*number, name, &who);
            cell.unsupported += 1;
            cell.reason.get_or_insert("a texture is read at infinity, which crashes Mesa's drivers".to_string());
            continue;
        }
        let images: Result<Vec<Image>, Failure> = draws.iter().map(|draw| device.draw(draw)).collect();
        match images {
            Ok(images) => {
                let result = held(&mut expected, &subject.probe.values(&images))?;
                enter(table, &who, result)?;
            }
            Err(Failure::Unsupported(reason)) => {
                let cell = table.cell(*number, name, &who);
                cell.unsupported += 1;
                cell.reason.get_or_insert(reason);
            }
            Err(Failure::Broken(error)) => return Err(shown(&who, error)),
        }
    }
    Ok(())
}

fn in_24_bits(probe: &Probe, near: Near, found: &[Values]) -> Result<Result<Tally, Disagreement>, String> {
    match near {
        Near::Units(most) => Ok(runs::exact_values_in(probe, Float::F24)?.near(found, most)),
        Near::Texels => match runs::sampled_in_24_bits(probe, false)?.holds(found) {
            Err(_) => Ok(runs::sampled_in_24_bits(probe, true)?.holds(found)),
            result => Ok(result),
        },
    }
}

fn by_machine(probe: &Probe, program: Origin<'_>, float: Float) -> Result<Vec<Values>, String> {
    let images = probe.draws.iter().map(|draw| {
        let pair = runs::pair_in(draw, float)?;
        Ok(match program {
            Origin::Agal(program, options) => {
                let float = match float {
                    Float::F32 => agal_machine::Float::F32,
                    Float::F24 => agal_machine::Float::F24,
                };
                let options = options.float(float);
                let shader = AgalShader::new(&pair, draw, &[program], options, probe.position);
                sdlbc_interp::draw(draw, &shader.map_err(|error| error.to_string())?)
            }
            Origin::Es2(program) => {
                let float = match float {
                    Float::F32 => es2_machine::Float::F32,
                    Float::F24 => es2_machine::Float::F24,
                };
                sdlbc_interp::draw(draw, &Es2Shader::new(&pair, draw, program, probe.position, float))
            }
        })
    });
    let images: Result<Vec<Image>, String> = images.collect();
    Ok(probe.values(&images?))
}

/// Returns the devices that run one of many subjects. The devices take turns: each device runs a sixth or a third of the
/// subjects, depending on `turn`. Witnesses with non-default layouts run one subject in [`FEWER`]. If the environment variable
/// `ALL` is set, all devices run every subject.
///
/// The lowest four bits of a subject's number encode the subject's kind, such as a program's version and stage. The turn of a
/// device depends on the number modulo three and on the number's fifth bit. The turn of a witness with another layout depends on
/// the number modulo nine. Each witness therefore runs subjects of all kinds.
pub fn some_of(devices: &mut [Box<dyn Witness>], turn: Turn, number: u64) -> Vec<&mut Box<dyn Witness>> {
    let all = testing::number("ALL").is_some();
    let (own, others) = devices.split_at_mut(witness::COUNT.min(devices.len()));
    let [pair, half] = [number % 3, number / 16 % 2].map(|part| part as usize);
    let mine = |place: usize| place / 2 == pair && (turn == Turn::Two || place % 2 == half);
    let chosen = own.iter_mut().enumerate().filter(|(place, _)| all || mine(*place));
    let fewer = others.iter_mut().filter(|_| all || number.is_multiple_of(FEWER));
    chosen.map(|(_, device)| device).chain(fewer).collect()
}

/// The number of devices that [`some_of`] selects for each subject.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// Each subject runs on one device.
    One,
    /// Each subject runs on two devices that are neighbours in the tables.
    Two,
}

/// The interval between the subjects that the witnesses with non-default layouts run.
pub const FEWER: u64 = 9;

/// Returns the devices that run a subject. Devices with the default layout run every subject. Unless the environment variable
/// `ALL` is set, witnesses with other layouts run only subjects whose number is a multiple of [`FEWER`].
pub fn nearly_all(devices: &mut [Box<dyn Witness>], number: u64) -> Vec<&mut Box<dyn Witness>> {
    let others = testing::number("ALL").is_some() || number.is_multiple_of(FEWER);
    devices.iter_mut().enumerate().filter(|(place, _)| others || *place < witness::COUNT).map(|(_, one)| one).collect()
}
