//! Converts vertex functions to compute functions with the same results, so that every generator of modules also generates
//! compute functions with known results.
//!
//! Each invocation reads its attributes from storage buffers and writes its outputs to other storage buffers, at its own index.
//! Every second attribute is read from a storage texture, and every output of four components is also written to a storage
//! texture.

use sdlbc::module::{Access, swizvals};
use sdlbc::{
    Body, Builtin, Debug, Format, Function, FunctionKind, Id, ImageAccess, Input, InputKind, Inst, Module, Op, Scalar,
    Type,
};

/// The operations that only compute functions use. The test programs for these operations are in testdata/ir/compute.
pub const OPERATIONS: [Op; 13] = [
    Op::BufferSize,
    Op::ImageLoad,
    Op::ImageStore,
    Op::ImageSize,
    Op::Barrier,
    Op::AtomicAdd,
    Op::AtomicMin,
    Op::AtomicMax,
    Op::AtomicAnd,
    Op::AtomicOr,
    Op::AtomicXor,
    Op::AtomicExchange,
    Op::AtomicCompareExchange,
];

/// The slot of the storage buffer for the first output. The slots of the attributes' buffers begin at 0.
pub const OUTPUTS: u32 = 32;

/// The slot of the storage buffer that receives each invocation's number after the number has passed through a shared array.
pub const NUMBERS: u32 = 63;

/// Returns the element type of a storage buffer for values of type `ty`. A value of three components is stored as four
/// components.
fn stored(ty: Type) -> Option<(Scalar, u8)> {
    match ty {
        Type::Vector(scalar, width) if scalar.has_32_bits() => Some((scalar, if width == 3 { 4 } else { width })),
        _ => None,
    }
}

/// Converts the module's vertex function to a compute function that computes the same results. The workgroup has `workgroup`
/// invocations in x, and the barrier has the given flags. Returns `None` if the module has no vertex function, or if the vertex
/// function needs more slots than exist.
pub fn as_compute(module: &Module, workgroup: u32, flags: u32) -> Option<Module> {
    let mut module = Module { functions: module.functions.clone(), debug: Debug::default() };
    if let Some(fragment) = module.functions.iter().position(|function| function.kind == FunctionKind::Fragment) {
        remove(&mut module, fragment);
    }
    let vertex = module.functions.iter_mut().find(|function| function.kind == FunctionKind::Vertex)?;
    // The vertex function is renumbered, because its ids may be as high as the limit.
    sdlbc::renumber(vertex);
    *vertex = converted(vertex, workgroup, flags)?;
    Some(module)
}

/// Removes a function that no other function calls.
fn remove(module: &mut Module, at: usize) {
    module.functions.remove(at);
    for inst in module.functions.iter_mut().flat_map(|function| function.body.insts_mut()) {
        if inst.op == Op::Call {
            inst.immediates.iter_mut().filter(|callee| **callee as usize > at).for_each(|callee| *callee -= 1);
        }
    }
}

/// Returns the type of the storage texture in a slot, for components of type `scalar`. The storage texture consists of a single
/// row of texels.
pub fn image(slot: u32, scalar: Scalar) -> Type {
    let format = match scalar {
        Scalar::Int => Format::Rgba32Sint,
        Scalar::Uint => Format::Rgba32Uint,
        _ => Format::Rgba32Float,
    };
    Type::Image(Type::IMAGES[slot as usize / 2 % 3], format)
}

/// Reports whether the attribute in this slot is stored in a storage texture.
pub fn is_image(slot: u32) -> bool {
    slot % 2 == 1
}

struct Converter {
    inputs: Vec<Input>,
    head: Vec<Inst>,
    last: u32,
}

impl Converter {
    fn fresh(&mut self) -> Id {
        self.last += 1;
        Id(self.last)
    }

    fn input(&mut self, name: String, ty: Type, kind: InputKind) -> Id {
        let id = self.fresh();
        self.inputs.push(Input { id, ty, name, kind });
        id
    }

    fn buffer(&mut self, slot: u32, (scalar, width): (Scalar, u8), access: Access) -> Id {
        self.input(format!("buffer{slot}"), Type::Buffer(scalar, width), InputKind::Buffer { slot, access })
    }

    /// Adds a storage texture, and returns the operands that select the texel at the invocation's index.
    fn image(&mut self, slot: u32, scalar: Scalar, access: ImageAccess, index: Id) -> Vec<Id> {
        let ty = image(slot, scalar);
        let Type::Image(dimension, _) = ty else { return Vec::new() };
        let image = self.input(format!("image{slot}"), ty, InputKind::Image { slot, access });
        let zero = self.emit(Op::LiteralInt, &[], &[0]);
        let parts = [index, zero, zero];
        let coordinate = self.emit(Op::Vector, &parts[..dimension.coordinates().into()], &[]);
        let mut operands = vec![image, coordinate];
        operands.extend(dimension.has_layers().then_some(zero));
        operands
    }

    fn emit(&mut self, op: Op, inputs: &[Id], immediates: &[u32]) -> Id {
        let id = if op.shape().output { self.fresh() } else { Id::NONE };
        self.head.push(Inst::new(op, id, inputs, immediates));
        id
    }
}

fn converted(function: &Function, workgroup: u32, flags: u32) -> Option<Function> {
    let mut to = Converter { inputs: Vec::new(), head: Vec::new(), last: function.max_id() };
    let uint3 = Type::Vector(Scalar::Uint, 3);
    let place = to.input("place".into(), uint3, InputKind::Builtin(Builtin::GlobalInvocationId));
    let lane = to.input("lane".into(), Type::UINT, InputKind::Builtin(Builtin::LocalInvocationIndex));
    let (int, first) = ([Type::INT.word()], [swizvals(&[0])]);
    let x = to.emit(Op::Swizzle, &[place], &first);
    let index = to.emit(Op::Convert, &[x], &int);
    let mut slot = 0;
    for input in &function.inputs {
        match input.kind {
            InputKind::Attribute { .. } => {
                let (scalar, width) = stored(input.ty).filter(|_| slot < OUTPUTS)?;
                if is_image(slot) {
                    let operands = to.image(slot, scalar, ImageAccess::Read, index);
                    let lanes: Vec<u8> = (0..input.ty.width()?).collect();
                    let texel = to.emit(Op::ImageLoad, &operands, &[]);
                    to.head.push(Inst::new(Op::Swizzle, input.id, &[texel], &[swizvals(&lanes)]));
                    slot += 1;
                    continue;
                }
                let buffer = to.buffer(slot, (scalar, width), Access::Read);
                slot += 1;
                if input.ty == Type::Vector(scalar, width) {
                    to.head.push(Inst::new(Op::Peek, input.id, &[buffer, index], &[0]));
                } else {
                    let whole = to.emit(Op::Peek, &[buffer, index], &[0]);
                    to.head.push(Inst::new(Op::Swizzle, input.id, &[whole], &[swizvals(&[0, 1, 2])]));
                }
            }
            InputKind::Builtin(builtin) => {
                let axis = u8::from(builtin == Builtin::InstanceIndex);
                to.head.push(Inst::new(Op::Swizzle, input.id, &[place], &[swizvals(&[axis])]));
            }
            _ => to.inputs.push(input.clone()),
        }
    }
    let mut written = Vec::new();
    for (slot, output) in (OUTPUTS..).zip(&function.outputs) {
        let of = stored(output.ty).filter(|_| slot < NUMBERS)?;
        let image = match output.ty.width() {
            Some(4) => to.image(slot, of.0, ImageAccess::Write, index),
            _ => Vec::new(),
        };
        written.push((to.buffer(slot, of, Access::ReadWrite), output.ty, image));
    }
    // Each invocation writes its number to a shared array, and reads the number back after a barrier. The array begins as zeroes, so
    // an atomic operation may write the number as well.
    let shared = to.input("shared".into(), Type::Array(Scalar::Int, 1, workgroup), InputKind::Shared);
    let numbers = to.buffer(NUMBERS, (Scalar::Int, 1), Access::ReadWrite);
    let lane = to.emit(Op::Convert, &[lane], &int);
    match flags {
        1 => to.emit(Op::AtomicAdd, &[shared, lane, index], &[0]),
        3 => to.emit(Op::AtomicOr, &[shared, lane, index], &[0]),
        _ => to.emit(Op::Poke, &[index, shared, lane], &[0]),
    };
    to.emit(Op::Barrier, &[], &[flags | 1]);
    let number = to.emit(Op::Peek, &[shared, lane], &[0]);
    to.emit(Op::Poke, &[number, numbers, index], &[0]);

    let mut body: Body = function.body.clone();
    let mut added: Vec<(usize, Inst)> = to.head.drain(..).map(|inst| (0, inst)).collect();
    for (at, inst) in body.insts_mut().iter_mut().enumerate() {
        let (Op::Poke, &[value], &[output]) = (inst.op, &inst.inputs[..], &inst.immediates[..]) else { continue };
        let &(buffer, ty, ref image) = written.get(output as usize)?;
        if !image.is_empty() {
            added.push((at, Inst::new(Op::ImageStore, Id::NONE, &[&image[..], &[value]].concat(), &[])));
        }
        let mut value = value;
        if ty.width() == Some(3) {
            let whole = to.fresh();
            added.push((at, Inst::new(Op::Swizzle, whole, &[value], &[swizvals(&[0, 1, 2, 0])])));
            value = whole;
        }
        *inst = Inst::new(Op::Poke, Id::NONE, &[value, buffer, index], &[0]);
    }
    added.sort_by_key(|(at, _)| *at);
    body.insert_all(added);
    // If control flow at the end is uniform and the body does not end in a jump, a second barrier ends the function.
    let mut meets = body.clone();
    meets.push(Inst::new(Op::Barrier, Id::NONE, &[], &[flags]));
    let of = |body| Function {
        kind: FunctionKind::Compute,
        name: function.name.clone(),
        inputs: to.inputs.clone(),
        outputs: Vec::new(),
        workgroup: Some([workgroup, 1, 1]),
        body,
    };
    let alone = Module { functions: vec![of(meets.clone())], debug: Debug::default() };
    let breaks = |rule| sdlbc::verify(&alone).err().unwrap_or_default().iter().any(|found| found.rule == rule);
    let fits = !breaks(sdlbc::Rule::UniformBarrier) && !breaks(sdlbc::Rule::AfterJump);
    Some(of(if fits { meets } else { body }))
}
