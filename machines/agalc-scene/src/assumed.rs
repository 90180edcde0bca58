//! Assumes values for constants and vertex data that a description lacks, so that the picture of a pair shows the mesh.
//!
//! Rule: a product of a vector and consecutive constants is a matrix product, whether it is one operation or several dot
//! products. The last matrix product in the computation of the position is assumed to use the matrix that transforms to clip
//! space. All other matrices are assumed to be identity matrices, and all other constants to be 1.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use sdlbc::{Function, FunctionKind, Id, Input, InputKind, Inst, Module, Op, OutputKind, Type};

use crate::constants::{Set, World};
use crate::description::Description;
use crate::matrix::{IDENTITY, Matrix};
use crate::mesh::{Attribute, Shape};
use crate::number::single;
use crate::scene::registers;
use crate::shape::Body;

/// The assumed contents of a constant register or of a uniform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Holds {
    /// The matrix from model space to the clip space of the default camera, or rows of that matrix.
    Clip,
    /// An identity matrix, or rows of an identity matrix.
    Identity,
    /// The number 1 in all components.
    Ones,
}

/// The values that are assumed for missing constants and vertex data.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Assumed {
    /// The assumed constant registers, by stage and number.
    pub registers: BTreeMap<(FunctionKind, u32), Holds>,
    /// The assumed uniforms, by stage and name.
    pub uniforms: BTreeMap<(FunctionKind, String), Holds>,
    /// The locations of vertex attributes for which meshes have no data. These attributes are assumed to be 1.
    pub attributes: Vec<u32>,
    /// The vertex attributes other than `va0` that read default mesh data: the location of each attribute, and the name of its data.
    pub usual: Vec<(u32, &'static str)>,
}

impl Description {
    /// Returns a description for a pair without a scene: a torus seen from above. The description contains no constants until
    /// [`Description::assume`] adds constants.
    pub fn of_pair(size: [u32; 2]) -> Description {
        let torus = Shape::Torus { radius: 1.0, tube: 0.4, segments: [96, 48] };
        Description { body: Body::Shape(torus), ..Description::empty(size) }
    }

    /// Reports whether the vertex function multiplies a matrix of constants by a vector to compute the position in clip space. If
    /// `false`, the input position may already be in clip space.
    pub fn has_matrix(module: &Module) -> bool {
        function(module, FunctionKind::Vertex).is_some_and(|vertex| Code::new(module, vertex).clip().is_some())
    }

    /// Adds the constants that a pair reads but the description lacks, and the vertex attributes for which meshes have no data.
    /// Returns the assumed values, and the attributes that read default mesh data because the description does not set them.
    pub fn assume(&mut self, module: &Module) -> Assumed {
        let mut assumed = Assumed::default();
        let aspect = f64::from(self.size[0]) / f64::from(self.size[1].max(1));
        for stage in [FunctionKind::Vertex, FunctionKind::Fragment] {
            let Some(function) = function(module, stage) else { continue };
            let code = Code::new(module, function);
            let clip = code.clip();
            self.assume_registers(&code, clip.as_ref(), aspect, &mut assumed);
            self.assume_uniforms(&code, clip.as_ref(), aspect, &mut assumed);
        }
        let vertex = function(module, FunctionKind::Vertex).map_or(&[][..], |vertex| &vertex.inputs);
        for input in vertex {
            let InputKind::Attribute { location } = input.kind else { continue };
            if self.attributes.contains_key(&location) {
                continue;
            }
            match Attribute::USUAL.get(location as usize) {
                Some(usual) if location > 0 => assumed.usual.push((location, usual.word())),
                Some(_) => {}
                None => {
                    self.attributes.insert(location, Attribute::All([1.0; 4]));
                    assumed.attributes.push(location);
                }
            }
        }
        assumed
    }

    fn assume_registers(&mut self, code: &Code<'_>, clip: Option<&Product>, aspect: f64, assumed: &mut Assumed) {
        let Some((_, count)) = code.array else { return };
        let stage = code.function.kind;
        let mut rows: BTreeMap<u32, (Holds, [f64; 4])> = BTreeMap::new();
        let clip = clip.and_then(|product| Some((product, product.first()?)));
        let others = code.products.iter().filter_map(|product| Some((product, product.first()?)));
        for (index, (product, first)) in clip.into_iter().chain(others).enumerate() {
            let is_clip = index == 0 && clip.is_some();
            let matrix = if is_clip { to_clip(aspect, product.rows) } else { IDENTITY };
            let holds = if is_clip { Holds::Clip } else { Holds::Identity };
            // An indexed product may read any matrix of the array, so every matrix gets the same rows.
            let times = if product.is_indexed { code.free_from(first, count) / product.rows.max(1) } else { 1 };
            for (row, number) in (0..product.rows).cycle().zip(first..).take((product.rows * times) as usize) {
                let values = matrix.get(row as usize).copied().unwrap_or_default();
                rows.entry(number).or_insert((holds, values));
            }
        }
        for number in code.reads(count) {
            let (holds, values) = rows.get(&number).copied().unwrap_or((Holds::Ones, [1.0; 4]));
            let key = (stage, number);
            if let Entry::Vacant(slot) = self.constants.entry(key) {
                slot.insert(values.map(single));
                assumed.registers.insert(key, holds);
            }
        }
    }

    fn assume_uniforms(&mut self, code: &Code<'_>, clip: Option<&Product>, aspect: f64, assumed: &mut Assumed) {
        let stage = code.function.kind;
        let array = code.array.map(|(input, _)| input.id);
        for input in code.function.inputs.iter().filter(|input| input.kind.is_uniform() && Some(input.id) != array) {
            let key = (stage, input.name.clone());
            if self.uniforms.contains_key(&key) {
                continue;
            }
            let of_clip = clip.and_then(|product| product.of_uniform(input.id));
            let (holds, numbers) = match (input.ty, of_clip) {
                (Type::Matrix { columns, rows }, Some(is_left)) => {
                    (Holds::Clip, numbers(&to_clip(aspect, 4), columns, rows, is_left))
                }
                (Type::Matrix { columns, rows }, None) => (Holds::Identity, numbers(&IDENTITY, columns, rows, true)),
                (Type::Array(_, width, length), _) => {
                    (Holds::Ones, vec![1.0; usize::from(width).saturating_mul(length as usize)])
                }
                (Type::Vector(_, width), _) => (Holds::Ones, vec![1.0; usize::from(width)]),
                _ => continue,
            };
            self.uniforms.insert(key.clone(), numbers);
            assumed.uniforms.insert(key, holds);
        }
    }
}

/// Returns the keys of the sets from which the pair reads no register.
pub fn unread_constants(module: &Module, sets: &[Set]) -> Vec<String> {
    let mut read: BTreeSet<(FunctionKind, u32)> = BTreeSet::new();
    for stage in [FunctionKind::Vertex, FunctionKind::Fragment] {
        let Some(function) = function(module, stage) else { continue };
        let code = Code::new(module, function);
        read.extend(code.array.into_iter().flat_map(|(_, count)| code.reads(count)).map(|number| (stage, number)));
    }
    let is_unread = |set: &&Set| set.registers.iter().all(|register| !read.contains(register));
    sets.iter().filter(is_unread).map(|set| set.key.clone()).collect()
}

/// Returns the names, such as `va3`, of the vertex attributes in the description that a pair does not read.
pub fn unread_attributes(module: &Module, description: &Description) -> Vec<String> {
    let inputs = function(module, FunctionKind::Vertex).map_or(&[][..], |vertex| &vertex.inputs);
    let is_read = |location: u32| inputs.iter().any(|input| input.kind == InputKind::Attribute { location });
    let unread = description.attributes.keys().filter(|location| !is_read(**location));
    unread.map(|location| format!("va{location}")).collect()
}

/// Returns the matrix that transforms from model space to clip space. A matrix of three rows does not compute w, so its projection is
/// orthographic.
fn to_clip(aspect: f64, rows: u32) -> Matrix {
    let mut world = World::above(aspect);
    if rows < 4 {
        world.camera.height = Some(3.4);
    }
    world.clip().unwrap_or(IDENTITY)
}

/// Returns the elements of a matrix, column by column. A matrix on the right of a vector is transposed.
fn numbers(matrix: &Matrix, columns: u8, rows: u8, is_left: bool) -> Vec<f64> {
    let of = |column: usize, row: usize| {
        let (row, column) = if is_left { (row, column) } else { (column, row) };
        matrix.get(row).and_then(|row| row.get(column)).copied().unwrap_or_default()
    };
    (0..usize::from(columns)).flat_map(|column| (0..usize::from(rows)).map(move |row| of(column, row))).collect()
}

fn function(module: &Module, kind: FunctionKind) -> Option<&Function> {
    module.functions.iter().find(|function| function.kind == kind)
}

/// A product of a vector and a matrix of constants.
#[derive(Clone, Debug)]
struct Product {
    of: Factor,
    rows: u32,
    /// Whether an index selects the registers.
    is_indexed: bool,
    /// The results: one result of a matrix operation, or the results of several dot products.
    outputs: Vec<Id>,
}

/// The matrix operand of a product.
#[derive(Clone, Copy, Debug)]
enum Factor {
    /// The number of the matrix's first register. The matrix is in consecutive registers.
    Registers(u32),
    /// A uniform, and whether the uniform is the product's left operand.
    Uniform(Id, bool),
}

impl Product {
    fn first(&self) -> Option<u32> {
        if let Factor::Registers(first) = self.of { Some(first) } else { None }
    }

    fn of_uniform(&self, id: Id) -> Option<bool> {
        if let Factor::Uniform(of, is_left) = self.of { Some(is_left).filter(|_| of == id) } else { None }
    }
}

struct Code<'m> {
    function: &'m Function,
    /// The array of constant registers, and the array's length.
    array: Option<(&'m Input, u32)>,
    /// The instruction that defines each value.
    definitions: HashMap<Id, &'m Inst>,
    products: Vec<Product>,
}

impl<'m> Code<'m> {
    fn new(module: &'m Module, function: &'m Function) -> Code<'m> {
        let array = registers(module, function.kind)
            .and_then(|(name, count)| Some((function.inputs.iter().find(|input| input.name == name)?, count)));
        let definitions = function.body.insts().iter().map(|inst| (inst.output, inst)).collect();
        let mut code = Code { function, array, definitions, products: Vec::new() };
        code.products = code.matrices().chain(code.dots()).collect();
        code
    }

    /// Returns the value from which a chain of swizzles selects components, or `id` itself if `id` is not a swizzle.
    fn whole(&self, mut id: Id) -> Id {
        while let Some(inst) = self.definitions.get(&id).filter(|inst| inst.op == Op::Swizzle)
            && let Some(of) = inst.inputs.first()
        {
            id = *of;
        }
        id
    }

    /// Returns the number of the constant register from which a value is read, and whether an index selects the register.
    fn register(&self, id: Id) -> Option<(u32, bool)> {
        let inst = self.definitions.get(&self.whole(id)).filter(|inst| inst.op == Op::Peek)?;
        let (array, _) = self.array?;
        let [of, index] = inst.inputs.get(..2)? else { return None };
        (*of == array.id).then_some((*inst.immediates.first()?, *index != Id::NONE))
    }

    /// Returns the numbers of the registers that the code reads. Each number is less than `count`.
    fn reads(&self, count: u32) -> BTreeSet<u32> {
        let peeks = self.function.body.insts().iter().filter(|inst| inst.op == Op::Peek);
        let read = peeks.filter_map(|inst| self.register(inst.output));
        read.flat_map(|(first, is_indexed)| first..if is_indexed { count } else { count.min(first.saturating_add(1)) })
            .collect()
    }

    /// Returns the number of registers from `first` to the next register that is read without an index.
    fn free_from(&self, first: u32, count: u32) -> u32 {
        let insts = self.function.body.insts().iter().filter_map(|inst| self.register(inst.output));
        let next = insts.filter(|(at, is_indexed)| !is_indexed && *at >= first).map(|(at, _)| at).min();
        next.unwrap_or(count).min(count).saturating_sub(first)
    }

    /// Returns the matrix products that are single `multiply` instructions.
    fn matrices(&self) -> impl Iterator<Item = Product> {
        let insts = self.function.body.insts().iter().filter(|inst| inst.op == Op::Multiply);
        insts.filter_map(|inst| {
            let [left, right] = inst.inputs.get(..2)? else { return None };
            [(*left, true), (*right, false)]
                .into_iter()
                .find_map(|(id, is_left)| self.product(id, is_left, inst.output))
        })
    }

    /// Returns the product of a vector and the value `id`, if the value is a matrix of constants.
    fn product(&self, id: Id, is_left: bool, output: Id) -> Option<Product> {
        let outputs = vec![output];
        let is_matrix = |input: &&Input| input.id == id && input.kind.is_uniform();
        if let Some(input) = self.function.inputs.iter().find(is_matrix) {
            let Type::Matrix { rows, .. } = input.ty else { return None };
            return Some(Product {
                of: Factor::Uniform(id, is_left),
                rows: u32::from(rows),
                is_indexed: false,
                outputs,
            });
        }
        let inst = self.definitions.get(&id).filter(|inst| inst.op == Op::Matrix)?;
        let read: Vec<(u32, bool)> = inst.inputs.iter().map(|id| self.register(*id)).collect::<Option<_>>()?;
        let (first, is_indexed) = *read.first()?;
        let is_row = |(row, (number, _)): (u32, &(u32, bool))| first.checked_add(row) == Some(*number);
        let rows = u32::try_from(read.len()).ok()?;
        (0..).zip(&read).all(is_row).then_some(Product { of: Factor::Registers(first), rows, is_indexed, outputs })
    }

    /// Returns the matrix products that are computed as dot products of one vector and three or four consecutive registers.
    fn dots(&self) -> impl Iterator<Item = Product> {
        let mut rows: BTreeMap<(Id, bool), BTreeMap<u32, Id>> = BTreeMap::new();
        for inst in self.function.body.insts().iter().filter(|inst| inst.op == Op::Dot) {
            let Some([left, right]) = inst.inputs.get(..2) else { continue };
            let of = self.register(*right).map(|of| (of, *left)).or(self.register(*left).map(|of| (of, *right)));
            if let Some(((number, is_indexed), vector)) = of {
                rows.entry((self.whole(vector), is_indexed)).or_default().entry(number).or_insert(inst.output);
            }
        }
        rows.into_iter().flat_map(|((_, is_indexed), rows)| {
            let mut products: Vec<Product> = Vec::new();
            let mut run: Vec<(u32, Id)> = Vec::new();
            let mut end = |run: &mut Vec<(u32, Id)>| {
                if let (3.., Some((first, _))) = (run.len(), run.first()) {
                    let outputs: Vec<Id> = run.iter().map(|(_, output)| *output).collect();
                    let count = if run.len() == 3 { 3 } else { 4 };
                    products.push(Product { of: Factor::Registers(*first), rows: count, is_indexed, outputs });
                }
                run.clear();
            };
            for (number, output) in rows {
                if run.len() == 4 || run.last().is_some_and(|(last, _)| last.checked_add(1) != Some(number)) {
                    end(&mut run);
                }
                run.push((number, output));
            }
            end(&mut run);
            products
        })
    }

    /// Returns the last matrix product in the computation of the position. A product with a matrix of four rows is preferred.
    fn clip(&self) -> Option<Product> {
        let position = self.function.outputs.iter().position(|output| output.kind == OutputKind::Position)?;
        let pokes = self.function.body.insts().iter().filter(|inst| inst.op == Op::Poke);
        let pokes = pokes.filter(|inst| inst.immediates.first().is_some_and(|output| *output as usize == position));
        let mut open: VecDeque<Id> = pokes.flat_map(|inst| inst.inputs.iter().copied()).collect();
        let mut seen: HashSet<Id> = HashSet::new();
        let mut found: Vec<&Product> = Vec::new();
        while let Some(id) = open.pop_front() {
            if !seen.insert(id) {
                continue;
            }
            // The search stops at the results of a matrix product.
            match self.products.iter().find(|product| !product.is_indexed && product.outputs.contains(&id)) {
                Some(product) => found.push(product),
                None => open.extend(self.definitions.get(&id).into_iter().flat_map(|inst| inst.inputs.iter().copied())),
            }
        }
        found.iter().find(|product| product.rows == 4).or(found.first()).map(|product| (*product).clone())
    }
}
