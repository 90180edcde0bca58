//! Applies names and types to a module.
//!
//! Rule: a verified module is still valid after names are applied, and computes the same results if the missing components of
//! attributes are 0, 0 and 1. A name that does not fit changes nothing.

use std::collections::{BTreeMap, BTreeSet};

use agal_front::Stage;
use agal_front::assemble::Extent;
use agal_front::register::File as AgalFile;
use sdlbc::{
    Builtin, FunctionDebug, FunctionKind, Id, InputKind, Member, Module, Op, OutputKind, Scalar, Type, limits,
};

use super::constants::{Constants, overlapping};
use super::entry::{Entry, Origin, identifier};
use super::error::{NameError, NameErrorKind, NameWarningKind};
use super::outcome::{Outcome, Taken};
use super::registers::{File, Registers, Spelling, UNIFORMS};
use super::types::{ValueType, VertexFormat};
use super::usage::Usage;
use super::{Applied, Names, attributes};

/// A set of inputs or outputs that must have distinct names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Scope {
    Attribute,
    /// Varyings, whose names both stages share.
    Varying,
    /// Uniforms, whose names both stages share.
    Uniform,
    /// Textures, whose names both stages share.
    Texture,
    Builtin,
    VertexOutput,
    FragmentOutput,
}

/// An input or an output, identified by the index of its function and its own index in that function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Input(usize, usize),
    Output(usize, usize),
}

pub(super) struct Work<'a> {
    module: &'a mut Module,
    outcome: Outcome,
    formats: BTreeMap<u32, VertexFormat>,
    /// Maps a function's index and the old name of a register to the new name. Values whose names begin with the old name are
    /// renamed.
    renamed: BTreeMap<usize, BTreeMap<String, String>>,
    /// The name of each function's constant file, which is `vc`, `fc` or `u`.
    files: Vec<&'static str>,
    /// Whether lifting has already applied the names of temporaries' components.
    lifted: bool,
}

/// Gives names and types to the registers of a module. The module must be valid, and it stays valid.
///
/// Registers are found by kind and number, regardless of their current names. In AGAL's spelling, `va1` is the attribute
/// with location 1, `fs0` the texture in slot 0 of the fragment function, and `v0` the varying with location 0 in both
/// functions. The register file `vc` is the vertex function's array of constants. The unified-shader spellings are `a1`,
/// `t0`, `v0` and `u`, and `t0` and `u` refer to registers of both functions.
///
/// # Errors
/// Returns one error for each name that does not fit, and leaves the module unchanged.
pub fn apply(module: &mut Module, names: &Names) -> Result<Applied, Vec<NameError>> {
    apply_names(module, names, false)
}

/// Applies names to a module for which lifting has already applied the names of components of temporaries.
pub(crate) fn apply_lifted(module: &mut Module, names: &Names) -> Result<Applied, Vec<NameError>> {
    apply_names(module, names, true)
}

/// Applies names, and changes the module only if all names fit.
fn apply_names(module: &mut Module, names: &Names, lifted: bool) -> Result<Applied, Vec<NameError>> {
    if names.is_empty() {
        return Ok(Applied::default());
    }
    let mut changed = module.clone();
    let (outcome, renamed) = (Outcome::default(), BTreeMap::new());
    let files = files(&changed);
    let mut work = Work { module: &mut changed, outcome, formats: BTreeMap::new(), renamed, files, lifted };
    work.run(names.ranked());
    let Work { outcome: Outcome { errors, warnings }, formats, .. } = work;
    if !errors.is_empty() {
        return Err(errors);
    }
    let highest = changed.functions.iter().map(sdlbc::Function::max_id).max().unwrap_or(0);
    if highest > limits::MAX_ID || !limits::over(&changed).is_empty() {
        let explicit = names.entries().iter().find(|entry| entry.origin.is_explicit());
        let error = explicit.map(|Entry { registers, origin, .. }| NameError {
            registers: *registers,
            origin: origin.clone(),
            kind: NameErrorKind::TooMuch,
        });
        return error.map_or(Ok(Applied::default()), |error| Err(vec![error]));
    }
    *module = changed;
    Ok(Applied { warnings, formats })
}

/// Returns the name of each function's constant file, which is `u` if an array has that name, and AGAL's name otherwise.
fn files(module: &Module) -> Vec<&'static str> {
    let file = |function: &sdlbc::Function| {
        let is_unified = |input: &sdlbc::Input| input.kind == InputKind::Uniform && input.name == UNIFORMS;
        match function.kind {
            _ if function.inputs.iter().any(is_unified) => UNIFORMS,
            FunctionKind::Vertex => AgalFile::Constant.name(Stage::Vertex),
            _ => AgalFile::Constant.name(Stage::Fragment),
        }
    };
    module.functions.iter().map(file).collect()
}

impl Work<'_> {
    fn run(&mut self, entries: Vec<&Entry>) {
        let is_part = |of: &Registers| of.file == File::Constant && of.extent != Extent::File;
        let entries = entries.into_iter().filter(|entry| self.has_stage(entry));
        let (constants, others): (Vec<&Entry>, Vec<&Entry>) = entries.partition(|entry| is_part(&entry.registers));
        self.name_interface(&others);
        for stage in [Stage::Vertex, Stage::Fragment] {
            let of_stage: Vec<&Entry> =
                constants.iter().copied().filter(|entry| entry.registers.stage.is_none_or(|of| of == stage)).collect();
            self.name_constants(stage, &of_stage);
        }
        let stages = [Stage::Vertex, Stage::Fragment].map(|stage| usize::from(self.function(stage).is_some()));
        self.outcome.of_both_stages(stages.iter().sum());
        self.rename_values();
    }

    fn function(&self, stage: Stage) -> Option<usize> {
        let kind = FunctionKind::from(stage);
        self.module.functions.iter().position(|function| function.kind == kind)
    }

    /// Reports whether the module has the entry's stage, and warns if the caller names registers of a missing stage. Names in a
    /// file cause no warning, because a file may cover both programs of a pair even if only one of them was read.
    fn has_stage(&mut self, entry: &Entry) -> bool {
        let Some(stage) = entry.registers.stage else { return true };
        let found = self.function(stage).is_some();
        if !found && entry.origin.rank() > 1 {
            self.outcome.warn(entry, NameWarningKind::NoStage(stage));
        }
        found
    }

    /// Names all registers except individual constants and ranges of constants.
    fn name_interface(&mut self, entries: &[&Entry]) {
        let mut known: BTreeMap<(File, Option<Stage>, Extent), &Entry> = BTreeMap::new();
        let mut chosen: Vec<(&Entry, Scope, Vec<Place>)> = Vec::new();
        for &entry in entries {
            if self.is_of_text(entry) {
                continue;
            }
            if let Err(kind) = self.check(entry) {
                self.outcome.refuse(entry, kind);
                continue;
            }
            let registers = entry.registers;
            let same = match registers.stage {
                Some(stage) => vec![Some(stage), None],
                None => vec![None, Some(Stage::Vertex), Some(Stage::Fragment)],
            };
            if let Some(other) = same.into_iter().find_map(|stage| known.get(&registers.key(stage))) {
                self.outcome.clash(entry, other);
                continue;
            }
            known.insert(registers.key(registers.stage), entry);
            let is_part = matches!(entry.registers.extent, Extent::Part { .. });
            if entry.registers.file == File::Temporary {
                if !is_part {
                    self.name_temporary(entry);
                }
                continue;
            }
            let (scope, places) = self.places(entry.registers);
            match places.is_empty() {
                true => self.outcome.warn(entry, NameWarningKind::Unused),
                false => chosen.push((entry, scope, places)),
            }
        }
        let mut taken = self.taken(&chosen);
        for (entry, scope, places) in chosen {
            let taken = taken.entry(scope).or_default();
            let Some(name) = self.outcome.free_name(entry, &identifier(&entry.name), taken) else { continue };
            places.into_iter().for_each(|place| self.rename(place, &name));
            self.type_attribute(entry);
        }
    }

    /// Reports whether an entry from a file may name a temporary that the AGAL text has but the module lacks.
    fn is_of_text(&self, entry: &Entry) -> bool {
        let functions = self.functions(entry.registers);
        let is_from_file = matches!(entry.origin, Origin::File { .. });
        let is_part = matches!(entry.registers.extent, Extent::Part { .. });
        let is_lost = entry.registers.file == File::Temporary
            && (is_part || functions.iter().all(|&of| !self.has_value(of, entry.registers)));
        !self.lifted && is_from_file && is_lost && !functions.is_empty()
    }

    /// Reports whether a value is named after the register. A function without value names is assumed to have such a value.
    fn has_value(&self, function: usize, registers: Registers) -> bool {
        let register = registers.to_string();
        let debug = self.module.debug_of(function).filter(|debug| !debug.ids.is_empty());
        debug.is_none_or(|debug| debug.ids.values().any(|name| base_of(name).0 == register))
    }

    /// Checks that the entry's form and type are allowed for its registers.
    fn check(&self, entry: &Entry) -> Result<(), NameErrorKind> {
        let is_attribute = entry.registers.file == File::Attribute;
        match (entry.registers.extent, entry.ty) {
            (Extent::Whole { first, last }, _) if last != Some(first) => Err(NameErrorKind::Range),
            (Extent::Part { .. }, _)
                if entry.registers.file != File::Temporary
                    || entry.registers.spelling != Spelling::Agal
                    || !self.lifted =>
            {
                Err(NameErrorKind::Components)
            }
            (_, Some(ty @ (ValueType::Matrix { .. } | ValueType::Array(_)))) if is_attribute => {
                Err(NameErrorKind::NotOfAttribute(ty))
            }
            (_, Some(_)) if !is_attribute => Err(NameErrorKind::NoType),
            _ => Ok(()),
        }
    }

    /// Returns the inputs and outputs that registers refer to, and the scope of their names.
    fn places(&self, registers: Registers) -> (Scope, Vec<Place>) {
        let number = match registers.extent {
            Extent::Whole { first, .. } => first,
            _ => 0,
        };
        let scope = match (registers.file, registers.stage) {
            (File::Attribute, _) => Scope::Attribute,
            (File::Varying, _) => Scope::Varying,
            (File::Sampler, _) => Scope::Texture,
            (File::Constant, _) => Scope::Uniform,
            (File::Output, Some(Stage::Vertex)) | (File::PointSize, _) => Scope::VertexOutput,
            (File::Output | File::Depth, _) => Scope::FragmentOutput,
            _ => Scope::Builtin,
        };
        let is_input = |kind: InputKind| match (registers.file, kind) {
            (File::Attribute, InputKind::Attribute { location })
            | (File::Varying, InputKind::Varying { location, .. }) => location == number,
            (File::Sampler, InputKind::Texture { slot, .. }) => slot == number,
            (File::Instance, InputKind::Builtin(builtin)) => builtin == Builtin::InstanceIndex,
            (File::FragmentCoordinate, InputKind::Builtin(builtin)) => builtin == Builtin::FragmentCoordinate,
            (File::PointCoordinate, InputKind::Builtin(builtin)) => builtin == Builtin::PointCoordinate,
            (File::FrontFacing, InputKind::Builtin(builtin)) => builtin == Builtin::FrontFacing,
            _ => false,
        };
        let is_output = |kind: OutputKind| match (registers.file, kind) {
            (File::Varying, OutputKind::Varying { location, .. }) => location == number,
            (File::Output, OutputKind::Colour { target }) => target == number,
            (File::Output, OutputKind::Position) => scope == Scope::VertexOutput,
            (File::Depth, OutputKind::Depth) | (File::PointSize, OutputKind::PointSize) => true,
            _ => false,
        };
        let mut places = Vec::new();
        // A varying belongs to both stages, even if the entry names only one stage.
        let stage = registers.stage.filter(|_| registers.file != File::Varying);
        for index in self.functions(Registers { stage, ..registers }) {
            let Some(function) = self.module.functions.get(index) else { continue };
            let array = self.array(index).filter(|_| registers.file == File::Constant);
            let inputs = (0..).zip(&function.inputs).filter(|(_, input)| is_input(input.kind)).map(|(at, _)| at);
            let outputs = (0..).zip(&function.outputs).filter(|(_, output)| is_output(output.kind));
            places.extend(array.into_iter().chain(inputs).map(|at| Place::Input(index, at)));
            places.extend(outputs.map(|(at, _)| Place::Output(index, at)));
        }
        (scope, places)
    }

    /// Returns the function of the registers' stage, or the functions of both stages if the registers have no stage.
    fn functions(&self, registers: Registers) -> Vec<usize> {
        let stages = [Stage::Vertex, Stage::Fragment].into_iter();
        let stages = stages.filter(|stage| registers.stage.is_none_or(|of| of == *stage));
        stages.filter_map(|stage| self.function(stage)).collect()
    }

    /// Returns the input that represents a function's constant file: the float4 array with the file's name, or the only float4
    /// array.
    fn array(&self, function: usize) -> Option<usize> {
        let inputs = &self.module.functions.get(function)?.inputs;
        let is_array = |(_, input): &(usize, &sdlbc::Input)| {
            input.kind == InputKind::Uniform && matches!(input.ty, Type::Array(Scalar::Float, 4, _))
        };
        let mut arrays = inputs.iter().enumerate().filter(is_array);
        let file = self.files.get(function).copied().unwrap_or_default();
        let named = arrays.clone().find(|(_, input)| input.name == file);
        let only = arrays.next().filter(|_| arrays.next().is_none());
        named.or(only).map(|(index, _)| index)
    }

    /// Returns the names that stay unchanged in each scope.
    fn taken(&self, chosen: &[(&Entry, Scope, Vec<Place>)]) -> BTreeMap<Scope, Taken> {
        let renamed: BTreeSet<Place> = chosen.iter().flat_map(|(_, _, places)| places.iter().copied()).collect();
        let mut taken: BTreeMap<Scope, Taken> = BTreeMap::new();
        for (index, function) in self.module.functions.iter().enumerate() {
            let inputs = function.inputs.iter().enumerate().filter_map(|(at, input)| {
                let scope = match input.kind {
                    InputKind::Attribute { .. } => Scope::Attribute,
                    InputKind::Varying { .. } => Scope::Varying,
                    InputKind::Uniform | InputKind::Placed { .. } => Scope::Uniform,
                    InputKind::Texture { .. } => Scope::Texture,
                    InputKind::Builtin(_) => Scope::Builtin,
                    InputKind::Parameter
                    | InputKind::Local
                    | InputKind::Buffer { .. }
                    | InputKind::Shared
                    | InputKind::Image { .. } => return None,
                };
                Some((Place::Input(index, at), scope, &input.name))
            });
            let outputs = function.outputs.iter().enumerate().filter_map(|(at, output)| {
                let scope = match (output.kind, function.kind) {
                    (OutputKind::Varying { .. }, _) => Scope::Varying,
                    (_, FunctionKind::Vertex) => Scope::VertexOutput,
                    (_, FunctionKind::Fragment) => Scope::FragmentOutput,
                    (_, FunctionKind::Generic | FunctionKind::Compute) => return None,
                };
                Some((Place::Output(index, at), scope, &output.name))
            });
            for (_, scope, name) in inputs.chain(outputs).filter(|(place, _, _)| !renamed.contains(place)) {
                taken.entry(scope).or_default().insert(name.clone());
            }
        }
        taken
    }

    fn rename(&mut self, place: Place, name: &str) {
        let (Place::Input(index, at) | Place::Output(index, at)) = place;
        let Some(function) = self.module.functions.get_mut(index) else { return };
        let found = match place {
            Place::Input(..) => function.inputs.get_mut(at).map(|input| &mut input.name),
            Place::Output(..) => function.outputs.get_mut(at).map(|output| &mut output.name),
        };
        if let Some(found) = found {
            let before = std::mem::replace(found, name.to_string());
            self.renamed.entry(index).or_default().insert(before, name.to_string());
        }
    }

    /// Names a temporary. In the module, a temporary exists only in the names of values.
    fn name_temporary(&mut self, entry: &Entry) {
        let functions = self.functions(entry.registers).into_iter();
        let functions: Vec<usize> = functions.filter(|&of| self.has_value(of, entry.registers)).collect();
        let (register, name) = (entry.registers.to_string(), identifier(&entry.name));
        if functions.is_empty() {
            return self.outcome.warn(entry, NameWarningKind::Unused);
        }
        if name != entry.name {
            self.outcome.warn(entry, NameWarningKind::Became(name.clone()));
        }
        for function in functions {
            self.renamed.entry(function).or_default().insert(register.clone(), name.clone());
        }
    }

    /// Narrows an attribute to the width of its type, and records its vertex format.
    fn type_attribute(&mut self, entry: &Entry) {
        let (File::Attribute, Extent::Whole { first, .. }) = (entry.registers.file, entry.registers.extent) else {
            return;
        };
        let format = match entry.ty {
            Some(ValueType::Floats(width)) => VertexFormat::floats(width),
            Some(ValueType::Format(format)) => format,
            _ => return,
        };
        let Some(index) = self.function(Stage::Vertex) else { return };
        let Module { functions, debug } = &mut *self.module;
        let Some(function) = functions.get_mut(index) else { return };
        let is = |input: &&sdlbc::Input| input.kind == InputKind::Attribute { location: first };
        let Some((id, ty)) = function.inputs.iter().find(is).map(|input| (input.id, input.ty)) else { return };
        match ty {
            Type::Vector(Scalar::Float, 4) if format.components() < 4 => {
                let debug = debug.functions.iter_mut().find(|debug| debug.function as usize == index);
                attributes::narrow(function, debug, id, format.components());
            }
            ty if ty == Type::floats(format.components()) => {}
            ty => return self.outcome.refuse(entry, NameErrorKind::Attribute { ty }),
        }
        self.formats.insert(first, format);
    }

    /// Names individual constants and ranges of constants in a stage's array.
    fn name_constants(&mut self, stage: Stage, entries: &[&Entry]) {
        let Some(index) = self.function(stage).filter(|_| !entries.is_empty()) else { return };
        let array = self.array(index).zip(self.module.functions.get(index));
        let found = array.and_then(|(input, function)| Some((function, function.inputs.get(input)?)));
        let Some((function, input)) = found else {
            entries.iter().for_each(|entry| self.outcome.warn(entry, NameWarningKind::Unused));
            return;
        };
        let (id, file) = (input.id, self.files.get(index).copied().unwrap_or_default());
        let Type::Array(scalar, width, length) = input.ty else { return };
        let usage = Usage::of(function, id, length);
        let shares = |other: &sdlbc::Input| other.kind == InputKind::Uniform && other.name == input.name;
        // Only generic functions share the array. The other stage may have an array with the same name, but it is a
        // different array.
        let callees = self.module.functions.iter().filter(|function| function.kind == FunctionKind::Generic);
        let is_shared = callees.into_iter().any(|function| function.inputs.iter().any(shares));
        let kept = self.module.debug_of(index).and_then(|debug| debug.members.get(&id)).cloned().unwrap_or_default();
        let constants = Constants { usage: &usage, length, is_shared };
        let (members, length) = constants.members(entries, &kept, &mut self.outcome);
        self.name_elements(index, id, file, &members);
        let inputs = self.module.functions.get_mut(index).map(|function| &mut function.inputs);
        for input in inputs.into_iter().flatten().filter(|input| input.id == id) {
            input.ty = Type::Array(scalar, width, length);
        }
        let debug = &mut self.module.debug.functions;
        let number = u32::try_from(index).unwrap_or(u32::MAX);
        let at = debug.partition_point(|debug| debug.function < number);
        if members.is_empty() {
            return;
        }
        if debug.get(at).is_none_or(|debug| debug.function != number) {
            debug.insert(at, FunctionDebug { function: number, ..FunctionDebug::default() });
        }
        if let Some(debug) = debug.get_mut(at) {
            // An existing member stays unless a new member overlaps it.
            let is_kept = |old: &Member| overlapping(&members, old).is_empty();
            let mut all: Vec<Member> = kept.into_iter().filter(is_kept).collect();
            all.extend(members);
            all.sort_by_key(|member| (member.first, member.component));
            debug.members.insert(id, all);
        }
    }

    /// Gives each value that is an element of the array of constants the name of the member that contains the element.
    fn name_elements(&mut self, index: usize, array: Id, file: &str, members: &[Member]) {
        let registers = |member: &Member| member.first..member.first.saturating_add(member.elements());
        let renamed = self.renamed.entry(index).or_default();
        for member in members {
            for register in registers(member) {
                renamed.entry(format!("{file}{register}")).or_insert_with(|| member.name.clone());
            }
        }
        let Module { functions, debug } = &mut *self.module;
        let (Some(function), Some(debug)) =
            (functions.get(index), debug.functions.iter_mut().find(|debug| debug.function as usize == index))
        else {
            return;
        };
        for inst in function.body.insts() {
            if let (Op::Peek, [from, _], [offset]) = (inst.op, &*inst.inputs, &*inst.immediates)
                && *from == array
                && debug.ids.get(inst.output) == Some(file)
                && let Some(member) = members.iter().find(|member| registers(member).contains(offset))
            {
                debug.ids.insert(inst.output, &member.name);
            }
        }
    }

    /// Renames the values whose names begin with a renamed register.
    fn rename_values(&mut self) {
        for (index, renamed) in &self.renamed {
            let debug = self.module.debug.functions.iter_mut().find(|debug| debug.function as usize == *index);
            for name in debug.into_iter().flat_map(|debug| debug.ids.values_mut()) {
                let (base, rest) = base_of(name);
                if let Some(new) = renamed.get(base) {
                    *name = format!("{new}{rest}").into();
                }
            }
        }
    }
}

/// Splits a value's name, such as `vt0_index`, into the register `vt0` and the suffix `_index`.
fn base_of(name: &str) -> (&str, &str) {
    name.split_at(name.find('_').unwrap_or(name.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_begin_with_their_register() {
        assert_eq!(base_of("vt0_index"), ("vt0", "_index"));
        assert_eq!(base_of("vt10"), ("vt10", ""));
    }
}
