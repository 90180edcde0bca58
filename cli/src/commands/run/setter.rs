//! Sets the inputs of a module's function.
//!
//! Rule: only the function's inputs can be set. A setting names an input by the input's own name, or by the AGAL register that
//! corresponds to the input's location.

use std::collections::BTreeSet;
use std::path::Path;

use agalc::Text;
use agalc::render::shown;
use anyhow::{Result, bail};
use sdlbc::{Dimension, Function, FunctionKind, Id, Input as ModuleInput, InputKind, Module, Op, Scalar, Type};
use sdlbc_interp::{Column, LANES, Resources, StorageTexture, Texture, can_be_set, find_input, no_such_input};

use super::values::{at, constants_of, holds, named_texture, scalar, warn_of_settings};
use crate::args::{Image, Run, Set, Setting, Warnings, number};
use crate::files::Files;
use crate::output::{UsageError, usage};
use crate::phrases::counted;

/// A module to run, with information about its source that the module does not contain.
pub(super) struct Subject<'a> {
    /// The name of the input file, for messages.
    pub(super) name: &'a str,
    /// The module text and its comments, or `None` if the input is not module text.
    pub(super) text: Option<(Text, sdlbc::Comments)>,
    pub(super) module: &'a Module,
    /// The names of all inputs that the source declares. The module contains only the inputs that are read.
    pub(super) declared: &'a BTreeSet<String>,
}

/// Returns a copy of `function`. The uniforms, textures, storage buffers and storage textures of the function's callees are added
/// to its inputs.
pub(super) fn with_resources(module: &Module, index: usize, function: &Function) -> Function {
    let mut whole = function.clone();
    for callee in sdlbc::call_order(module, index) {
        for input in module.functions.get(callee).into_iter().flat_map(|callee| &callee.inputs) {
            let is_resource = input.kind.is_uniform()
                || matches!(input.kind, InputKind::Texture { .. } | InputKind::Buffer { .. } | InputKind::Image { .. });
            if is_resource && !whole.inputs.iter().any(|own| is_same(own, input)) {
                whole.inputs.push(input.clone());
            }
        }
    }
    whole
}

/// Reports whether an input of one function and an input of another function are the same resource.
fn is_same(a: &ModuleInput, b: &ModuleInput) -> bool {
    match a.kind.is_uniform() {
        true => b.kind.is_uniform() && a.name == b.name,
        false => a.kind == b.kind,
    }
}

/// The index of an input, and the index of an element in this input. An input that is not an array has only element 0.
type Element = (usize, u32);

pub(super) struct Setter<'a> {
    subject: &'a Subject<'a>,
    function: &'a Function,
    /// The names of set inputs that the source declares but the module lacks, because nothing reads them.
    dropped: Vec<String>,
    /// The values of attributes, varyings and builtins.
    pub(super) columns: Vec<(InputKind, [Column; 4])>,
    pub(super) resources: Resources,
    set: BTreeSet<Element>,
    /// The input elements set by a `--set` option.
    set_by_option: BTreeSet<Element>,
    reads: BTreeSet<Element>,
    /// The indices of array inputs that are read with a computed index.
    indexed: BTreeSet<usize>,
}

impl<'a> Setter<'a> {
    /// Creates a setter for the function at `index`. `function` is a copy of that function, to which [`with_resources`] has added
    /// inputs.
    pub(super) fn new(subject: &'a Subject<'a>, index: usize, function: &'a Function) -> Setter<'a> {
        let module = subject.module;
        let mut setter = Setter {
            subject,
            dropped: Vec::new(),
            function,
            columns: Vec::new(),
            resources: Resources::default(),
            set: BTreeSet::new(),
            set_by_option: BTreeSet::new(),
            reads: BTreeSet::new(),
            indexed: BTreeSet::new(),
        };
        for at in [index].into_iter().chain(sdlbc::call_order(module, index)) {
            module.functions.get(at).into_iter().for_each(|function| setter.record_reads(function, at == index));
        }
        setter
    }

    /// Sets inputs from the file of constants and from the `--set` options.
    pub(super) fn take_all(&mut self, files: &Files, args: &Run) -> Result<()> {
        if let Some(path) = &args.constants {
            self.take(files, path)?;
        }
        for setting in &args.settings {
            match find_input(self.function, &setting.name) {
                None if self.subject.declared.contains(&setting.name) => self.dropped.push(setting.name.clone()),
                _ => self.set(setting)?,
            }
        }
        Ok(())
    }

    /// Warns about inputs that are read but not set, and about inputs that are set but not read. Returns the inputs that are read
    /// but not set.
    pub(super) fn warn(&self, args: &Run) -> Result<Vec<String>> {
        let (unset, warnings) = (self.unset(), args.reading.judging.warnings);
        if warnings != Warnings::Allow {
            warn_of_settings(&unset, &self.unread(), self.lacks().as_deref());
        }
        if warnings == Warnings::Error && (!unset.is_empty() || self.lacks().is_some()) {
            bail!("`{}` reads inputs that are not set, and warnings are errors", self.subject.name);
        }
        Ok(unset)
    }

    /// Records the inputs that `function` reads. `function` is the entry function or one of its callees.
    fn record_reads(&mut self, function: &Function, is_entry: bool) {
        for inst in function.body.insts() {
            for (at, id) in inst.inputs.iter().enumerate() {
                let Some(given) = function.inputs.iter().find(|input| input.id == *id) else { continue };
                let is_it = |own: &ModuleInput| if is_entry { own.id == given.id } else { is_same(own, given) };
                let Some(input) = self.function.inputs.iter().position(is_it) else { continue };
                let is_array = inst.op == Op::Peek && at == 0 && matches!(given.ty, Type::Array(..));
                match (is_array, inst.inputs.get(1), inst.immediates.first()) {
                    (true, Some(&Id::NONE), Some(&element)) => drop(self.reads.insert((input, element))),
                    (true, ..) => drop(self.indexed.insert(input)),
                    (false, ..) => drop(self.reads.insert((input, 0))),
                }
            }
        }
    }

    pub(super) fn set_buffer(&mut self, input: usize, slot: u32, words: Vec<u32>) {
        self.resources.buffers.insert((self.function.kind, slot), words);
        self.set.insert((input, 0));
    }

    /// Creates a storage texture whose texels are 0, and returns its texel type and its slot. Returns `None` if the function has
    /// no storage texture with the given name.
    pub(super) fn make_image(&mut self, name: &str, size: [u32; 3]) -> Result<Option<(Type, u32)>> {
        let found = self.function.inputs.iter().enumerate().find(|(_, input)| input.name == name);
        let Some((at, &ModuleInput { kind: InputKind::Image { slot, .. }, ty: Type::Image(dimension, format), .. })) =
            found
        else {
            return Ok(None);
        };
        if dimension == Dimension::D2 && size[2] > 1 {
            return usage(format!("`{name}` has a width and a height, but no depth or layers"));
        }
        let Some(texture) = StorageTexture::new(format, size) else {
            let most = StorageTexture::MOST;
            return usage(format!("`{name}` is too large; the limit is {most} texels"));
        };
        self.resources.images.insert((self.function.kind, slot), texture);
        self.set.insert((at, 0));
        Ok(Some((Type::Vector(format.scalar(), format.components()), slot)))
    }

    /// Sets the first texels of a storage texture, which must already exist.
    pub(super) fn fill_image(&mut self, name: &str, slot: u32, words: &[u32]) -> Result<()> {
        let Some(texture) = self.resources.images.get_mut(&(self.function.kind, slot)) else {
            return usage(format!("set the size of the storage texture `{name}` first: `--image {name}=8x8`"));
        };
        let (width, [columns, rows, _]) = (usize::from(texture.format().components()), texture.size());
        let most = texture.texels().len() * width;
        if words.len() > most {
            return usage(holds(name, most, words.len()));
        }
        let mut at = [0; 3];
        for words in words.chunks(width) {
            let mut texel = [0; 4];
            texel.iter_mut().zip(words).for_each(|(to, &word)| *to = word);
            texture.set(at, texel);
            at[0] += 1;
            if at[0].cast_unsigned() == columns {
                at = [0, at[1] + 1, at[2]];
            }
            if at[1].cast_unsigned() == rows {
                at = [0, 0, at[2] + 1];
            }
        }
        Ok(())
    }

    /// Sets the input that a `--set` option names.
    fn set(&mut self, setting: &Setting) -> Result<()> {
        let Setting { name, values } = setting;
        let Some((input, element)) = find_input(self.function, name) else {
            return usage(no_such_input(self.function, name, |name| format!("`{name}`")));
        };
        let function = self.function;
        let Some(given) = function.inputs.get(input) else { return Ok(()) };
        let mut elements = 0..1;
        match (given.kind, given.ty) {
            (InputKind::Texture { slot, .. }, Type::Texture(dimension, _)) => {
                let texture = match values {
                    Set::Texture(text) => named_texture(name, text, dimension)?,
                    Set::Numbers(_) => {
                        let words = self.words(setting, &given.name, Type::FLOAT4)?;
                        let mut colour = [0.0; 4];
                        colour.iter_mut().zip(words).for_each(|(to, word)| *to = f32::from_bits(word));
                        Texture::plain(dimension, colour)
                    }
                };
                self.resources.textures.insert((function.kind, slot), texture);
            }
            (InputKind::Buffer { slot, .. }, ty) => {
                let words = self.numbers(setting, scalar(ty))?;
                self.set_buffer(input, slot, words);
            }
            (InputKind::Image { slot, .. }, Type::Image(_, format)) => {
                let words = self.numbers(setting, format.scalar())?;
                self.fill_image(name, slot, &words)?;
            }
            (kind, ty) if kind.is_uniform() => {
                let (ty, count) = match ty {
                    Type::Array(scalar, width, count) => (Type::Vector(scalar, width), count),
                    ty => (ty, 1),
                };
                let words = self.numbers(setting, scalar(ty))?;
                let size = sdlbc::compute::components(ty).max(1);
                let (first, added) = (element.unwrap_or(0), words.len().div_ceil(size).max(1));
                elements = first..first.saturating_add(u32::try_from(added).unwrap_or(u32::MAX));
                if elements.end > count {
                    return usage(match given.ty {
                        Type::Array(..) => {
                            let last = first.saturating_add(u32::try_from(added - 1).unwrap_or(u32::MAX));
                            let count = counted(count as usize, "element", "elements");
                            format!("`{}[{last}]` does not exist: the array has {count}", given.name)
                        }
                        _ => holds(name, size, words.len()),
                    });
                }
                let held = self.resources.uniforms.entry((function.kind, given.name.clone())).or_default();
                for (number, chunk) in (first as usize..).zip(words.chunks(size)) {
                    for component in 0..size {
                        *at(held, number * size + component) = chunk.get(component).copied().unwrap_or(0);
                    }
                }
            }
            (kind, ty) => {
                let mut columns = [[0; LANES]; 4];
                let words = self.words(setting, &given.name, ty)?;
                columns.iter_mut().zip(words).for_each(|(column, word)| column.fill(word));
                self.columns.retain(|(of, _)| *of != kind);
                self.columns.push((kind, columns));
            }
        }
        let elements = elements.map(|element| (input, element));
        self.set.extend(elements.clone());
        self.set_by_option.extend(elements);
        Ok(())
    }

    /// Converts the numbers of a setting to the bits of components.
    fn numbers(&self, Setting { name, values }: &Setting, scalar: Scalar) -> Result<Vec<u32>> {
        let Set::Numbers(numbers) = values else { return usage(format!("`{name}` holds numbers, not a texture")) };
        numbers.iter().map(|text| word(name, text, scalar)).collect()
    }

    /// Converts the numbers of a setting to the bits of a vector. Missing components are filled in from (0, 0, 0, 1).
    fn words(&self, setting: &Setting, name: &str, ty: Type) -> Result<Vec<u32>> {
        let (scalar, width) = (scalar(ty), sdlbc::compute::components(ty));
        let mut words = self.numbers(setting, scalar)?;
        if words.len() > width {
            return usage(holds(name, width, words.len()));
        }
        for at in words.len()..width {
            words.push(word(name, if at == 3 { "1" } else { "0" }, scalar)?);
        }
        Ok(words)
    }

    /// Sets constants from a file: registers of the arrays `vc`, `fc` and `u`, and uniforms by their names.
    fn take(&mut self, files: &Files, path: &Path) -> Result<()> {
        let description = constants_of(files, path)?;
        let path = shown::path(path);
        let function = self.function;
        let uniform = |name: &str| {
            let is = |input: &ModuleInput| input.kind.is_uniform() && input.name == name;
            function.inputs.iter().enumerate().find(|(_, input)| is(input)).map(|(at, input)| (at, input.ty))
        };
        // AGAL programs have the constant arrays `vc` and `fc`, and unified-shader programs have `u`.
        let own = if function.kind == FunctionKind::Vertex { "vc" } else { "fc" };
        let file = if uniform(own).is_some() { own } else { "u" };
        if let Some((input, Type::Array(Scalar::Float, 4, count))) = uniform(file) {
            let held = self.resources.uniforms.entry((function.kind, file.to_string())).or_default();
            for (&(_, number), row) in description.constants.iter().filter(|((kind, _), _)| *kind == function.kind) {
                // Registers beyond the end of the array are ignored.
                if number < count {
                    for (component, value) in row.iter().enumerate() {
                        *at(held, number as usize * 4 + component) = value.to_bits();
                    }
                    self.set.insert((input, number));
                }
            }
        }
        for ((kind, name), numbers) in &description.uniforms {
            if *kind != function.kind {
                continue;
            }
            let Some((input, ty)) = uniform(name) else { bail!("{path}: the function has no uniform `{name}`") };
            let size = sdlbc::compute::components(ty);
            if numbers.len() > size {
                bail!("{path}: {}", holds(name, size, numbers.len()));
            }
            let words = numbers.iter().map(|number| word(name, &number.to_string(), scalar(ty)));
            let words = words.collect::<Result<Vec<u32>>>()?;
            let count = if let Type::Array(_, width, _) = ty { words.len().div_ceil(width.into()) } else { 1 };
            self.resources.uniforms.insert((*kind, name.clone()), words);
            let count = u32::try_from(count).unwrap_or(u32::MAX);
            self.set.extend((0..count).map(|element| (input, element)));
        }
        Ok(())
    }

    /// Returns the name of an input, with the index of the element if the input is an array.
    fn name(&self, &(input, element): &Element) -> String {
        match self.function.inputs.get(input) {
            Some(ModuleInput { name, ty: Type::Array(..), .. }) => format!("{name}[{element}]"),
            Some(ModuleInput { name, .. }) => name.clone(),
            None => String::new(),
        }
    }

    fn kind(&self, input: usize) -> Option<InputKind> {
        self.function.inputs.get(input).map(|input| input.kind)
    }

    /// Returns the inputs that the function reads but that are not set.
    fn unset(&self) -> Vec<String> {
        let is_given = |&&(input, _): &&Element| self.kind(input).is_some_and(can_be_set);
        self.reads.difference(&self.set).filter(is_given).map(|element| self.name(element)).collect()
    }

    /// Returns the inputs that are set but that the function does not read.
    fn unread(&self) -> Vec<String> {
        let unread = self.set_by_option.difference(&self.reads).filter(|(input, _)| !self.indexed.contains(input));
        unread.map(|element| self.name(element)).chain(self.dropped.iter().cloned()).collect()
    }

    /// Looks for an array that is read with a computed index although none of its elements is set, and returns the name of the
    /// array's first element.
    fn lacks(&self) -> Option<String> {
        let bare = |&&input: &&usize| {
            self.kind(input).is_some_and(InputKind::is_uniform) && !self.set.iter().any(|&(of, _)| of == input)
        };
        self.indexed.iter().find(bare).map(|&input| self.name(&(input, 0)))
    }
}

/// Parses a number into the bits of a component.
pub(super) fn word(name: &str, text: &str, scalar: Scalar) -> Result<u32> {
    let wrong = |what: &str| UsageError(format!("`{name}` holds {what}; `{text}` is not one"));
    match scalar {
        Scalar::Float => Ok(number(text).map_err(UsageError)?.to_bits()),
        Scalar::Half => Ok(sdlbc::number::half(number(text).map_err(UsageError)?).to_bits()),
        Scalar::Int => Ok(text.parse::<i32>().map_err(|_| wrong("a 32-bit integer"))?.cast_unsigned()),
        Scalar::Uint => Ok(text.parse::<u32>().map_err(|_| wrong("an unsigned 32-bit integer"))?),
        Scalar::Bool => match text {
            "0" => Ok(0),
            "1" => Ok(1),
            _ => Err(wrong("a bool, 0 or 1").into()),
        },
    }
}

/// Creates a storage texture, and fills the texture with the numbers in a file.
pub(super) fn fill_image(files: &Files, setter: &mut Setter<'_>, image: &Image) -> Result<()> {
    let name = &image.name;
    let Some((ty, slot)) = setter.make_image(name, image.size)? else {
        return usage(format!("`{name}` is not a storage texture of the function"));
    };
    match &image.file {
        Some(file) => setter.fill_image(name, slot, &numbers(files, name, file, ty)?),
        None => Ok(()),
    }
}

/// Parses the numbers in a file into the bits of components.
pub(super) fn numbers(files: &Files, name: &str, path: &Path, ty: Type) -> Result<Vec<u32>> {
    let read = files.read(path)?;
    let text = String::from_utf8_lossy(&read.bytes);
    let is_between = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '[' | ']');
    let numbers = text.split(is_between).filter(|number| !number.is_empty());
    numbers.map(|number| word(name, number, scalar(ty))).collect()
}
