//! Translates a function of a module to an AGAL program.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use agal_front::check::check;
use agal_front::opcode::Opcode;
use agal_front::register::{File, VERSIONS, token_limit};
use agal_front::{Compat, Finding, Program, Rules, Stage};
use sdlbc::{FunctionKind, Op, Verified};

use crate::code::{Code, Inst, Lane, Part, Table, Target};
use crate::constants::{ConstantRegister, Registers};
use crate::improve::{Style, improve};
use crate::live::remove_unused;
use crate::place::{FURTHER, ORDERS, Places, all_places, needed, places};
use crate::refusal::{Refusal, RefusalKind};
use crate::schedule::relieve;
use crate::select::select;
use crate::write::write;

sdlbc::options! {
    /// The options for translating a function to AGAL.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Options {
        /// The version of AGAL, 1 to 4, or `None` for the lowest version that accepts the function. Version 1 has no conditionals and
        /// selects by multiplication. If an unselected value may be infinite or NaN, version 1 is therefore tried last.
        pub version: Option<u32>,
        /// Whether literals may be put into constant registers, which the application must then upload.
        pub literals: bool,
    }
}

impl Default for Options {
    fn default() -> Options {
        Options { version: None, literals: true }
    }
}

/// A function that has been translated to AGAL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translated {
    /// The AGAL program.
    pub program: Program,
    /// The constant registers that the application must upload, in ascending order of their indices.
    pub constants: Vec<ConstantRegister>,
    /// The number of the instruction that each token implements. Instructions are numbered in reading order from 1, and 0 marks
    /// tokens that write the outputs.
    pub instructions: Vec<u32>,
}

/// Translates one function of a module, given by its index, to AGAL.
///
/// ```
/// use agal_back::{Options, translate};
/// use agal_front::disassemble::disassemble;
/// use sdlbc::{Verified, parse};
///
/// let text = agal_front::assemble::assemble("m44 op, va0, vc0\nmov v0, va1", &Default::default()).expect("a program");
/// let lifted = agal_front::lift::translate(&[&text.program], &Default::default()).expect("a module");
/// let module = Verified::new(lifted.module).expect("it verifies");
/// let translated = translate(&module, 0, &Options::default()).expect("a program");
/// assert_eq!(translated.program, text.program);
/// ```
///
/// # Errors
/// Returns the reason why AGAL cannot represent the function.
pub fn translate(module: &Verified, function: usize, options: &Options) -> Result<Translated, Vec<Refusal>> {
    let mut versions: Vec<u32> = options.version.map_or(VERSIONS.collect(), |version| vec![version]);
    if versions.len() > 1 && selects_what_may_be_infinite(module) {
        versions.rotate_left(1);
    }
    let mut refused = Vec::new();
    for version in versions {
        match of_version(module, function, version, options) {
            Ok(translated) => return Ok(translated),
            // Only the refusal of the version tried last is reported.
            Err(refusal) => refused = vec![refusal],
        }
    }
    if let (Some(version), [refusal]) = (options.version, &mut refused[..]) {
        let takes = |higher: &u32| of_version(module, function, *higher, options).is_ok();
        refusal.enough = VERSIONS.filter(|higher| *higher > version).find(takes);
    }
    Err(refused)
}

/// Reports whether a module has both selections and operations whose results may be infinite or NaN.
fn selects_what_may_be_infinite(module: &Verified) -> bool {
    let has = |is: fn(Op) -> bool| module.functions.iter().any(|of| of.body.insts().iter().any(|inst| is(inst.op)));
    has(|op| matches!(op, Op::If | Op::Select))
        && has(|op| {
            use Op::{Divide, Exp, Exp2, Log, Log2, Mod, Modulo, Normalize, Pow, Rsqrt, Tan};
            matches!(op, Divide | Exp | Exp2 | Log | Log2 | Mod | Modulo | Normalize | Pow | Rsqrt | Tan)
        })
}

fn of_version(module: &Verified, function: usize, version: u32, options: &Options) -> Result<Translated, Refusal> {
    let refusal = |kind, instruction: u32| {
        let lines = module.debug_of(function).and_then(|debug| debug.lines.as_ref());
        let line =
            usize::try_from(instruction).ok().and_then(|at| at.checked_sub(1)).and_then(|at| lines?.numbers.get(at));
        Refusal { kind, version, enough: None, function, instruction, line: line.copied().filter(|&line| line != 0) }
    };
    let stage = match module.functions.get(function).map(|function| function.kind) {
        Some(FunctionKind::Vertex) => Stage::Vertex,
        Some(FunctionKind::Fragment) => Stage::Fragment,
        Some(FunctionKind::Compute) => return Err(refusal(RefusalKind::Compute, 0)),
        _ => return Err(refusal(RefusalKind::NoFunction, 0)),
    };
    let limit = File::Temporary.count(stage, version);
    let selected = select(module, function, stage, version);
    let (mut code, mut registers) = selected.map_err(|(kind, at)| refusal(kind, at))?;
    if !remove_unused(&mut code) {
        compare_before(&mut code);
    }
    literals(&mut code, &mut registers, options.literals).map_err(|(kind, at)| refusal(kind, at))?;
    // If the code cannot be placed in any number of registers, copies are inserted, and the operands read the copies.
    if needed(&code).is_none() {
        separate(&mut code);
    }
    let at_first = needed(&code).ok_or_else(|| refusal(RefusalKind::Places, 0))?;
    code = improve(code, limit.max(at_first), Style::default());
    if places(&code, limit).is_none() {
        code = improve(relieve(code), limit.max(at_first), Style::default());
    }
    let all = all_places(&code, limit, &ORDERS);
    if all.is_empty() {
        return Err(match needed(&code) {
            Some(needed) => refusal(RefusalKind::Temporaries { needed, limit }, 0),
            None => refusal(RefusalKind::Places, 0),
        });
    }
    let most = token_limit(version);
    if code.insts.len() > most {
        return Err(refusal(RefusalKind::Tokens { needed: code.insts.len(), limit: most }, 0));
    }
    let written = |all: &[Places]| -> Vec<Program> { all.iter().filter_map(|places| write(&code, places)).collect() };
    let programs = written(&all);
    let rules = Rules::default().compat(Compat::Player).lints(true);
    let found = |program: &Program| check(&[program], &rules).concat();
    // Every placement is correct, but a program without swizzles that look like mistakes is preferred.
    let clean = |programs: &[Program]| programs.iter().find(|program| found(program).is_empty()).cloned();
    let further = || clean(&written(&all_places(&code, limit, &FURTHER)));
    let best = clean(&programs).or_else(further).or_else(|| programs.first().cloned());
    let program = best.ok_or_else(|| refusal(RefusalKind::Places, 0))?;
    if let Some(finding) = found(&program).iter().find(|finding| Finding::is_error(finding)) {
        return Err(refusal(RefusalKind::Rule(finding.to_string()), 0));
    }
    let mut constants = registers.all;
    constants.sort_by_key(|register| register.number);
    Ok(Translated { program, constants, instructions: code.insts.iter().map(|inst| inst.line).collect() })
}

/// Moves the comparison of an `ifl` whose first branch is empty in front of the conditional, so that the branches can be swapped.
fn compare_before(code: &mut Code) {
    while let Some(at) = code.pair(|first, second| first.op == Opcode::Ifl && second.op == Opcode::Els) {
        code.insts.remove(at + 1);
        let (less, copy) = (code.web(), code.web());
        let Some(inst) = code.insts.get_mut(at).map(Rc::make_mut) else { return };
        let compared = std::mem::replace(&mut inst.sources, [vec![Lane::Web(less)], vec![Lane::Literal(0)]]);
        inst.op = Opcode::Ife;
        let to = |op, web, sources| {
            let parts = vec![Part { web, component: 0 }];
            Inst { target: Target::Webs, parts, sources, ..Inst::new(op, inst.line) }
        };
        let [a, b] = compared;
        let added = [to(Opcode::Mov, copy, [a, Vec::new()]), to(Opcode::Slt, less, [vec![Lane::Web(copy)], b])];
        code.insts.splice(at..at, added.map(Rc::new));
    }
}

fn literals(code: &mut Code, registers: &mut Registers, may_add: bool) -> Result<(), (RefusalKind, u32)> {
    let limit = File::Constant.count(code.stage, code.version);
    for inst in &mut code.insts {
        let inst = Rc::make_mut(inst);
        for lanes in &mut inst.sources {
            let words: Option<Vec<u32>> = lanes.iter().map(|lane| lane.literal()).collect();
            let Some(words) = words.filter(|words| !words.is_empty()) else { continue };
            if !may_add {
                return Err((RefusalKind::Literals, inst.line));
            }
            *lanes = registers.literals(&words);
            let needed = registers.count();
            if needed > limit {
                return Err((RefusalKind::Constants { needed, limit }, inst.line));
            }
        }
    }
    Ok(())
}

/// Inserts copies for each operand that reads the results of several instructions, so that these results need not lie in one
/// register. `improve` removes the copies that are not needed.
fn separate(code: &mut Code) {
    let mut writer = Table::new(code.webs);
    for (inst, number) in code.insts.iter().zip(1..) {
        inst.written().for_each(|web| writer.set(web, number));
    }
    for inst in std::mem::take(&mut code.insts) {
        let mut inst = Rc::unwrap_or_clone(inst);
        for lanes in &mut inst.sources {
            let webs: Vec<u32> =
                lanes.iter().filter_map(|lane| if let Lane::Web(web) = *lane { Some(web) } else { None }).collect();
            let writers: BTreeSet<u32> = webs.iter().map(|&web| writer.get(web)).collect();
            if writers.len() < 2 || webs.len() < lanes.len() {
                continue;
            }
            let mut copies: BTreeMap<u32, Inst> = BTreeMap::new();
            let mut copied: BTreeMap<u32, u32> = BTreeMap::new();
            for lane in lanes.iter_mut() {
                let Lane::Web(web) = *lane else { continue };
                let copy = *copied.entry(web).or_insert_with(|| {
                    let copy = code.web();
                    let mov = copies
                        .entry(writer.get(web))
                        .or_insert_with(|| Inst { target: Target::Webs, ..Inst::new(Opcode::Mov, inst.line) });
                    mov.parts.push(Part { web: copy, component: 0 });
                    mov.sources[0].push(Lane::Web(web));
                    copy
                });
                *lane = Lane::Web(copy);
            }
            code.insts.extend(copies.into_values().map(Rc::new));
        }
        code.insts.push(inst.into());
    }
}
