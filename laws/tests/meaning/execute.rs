//! A module run as docs/format.md says: one invocation of an entry function, instruction by instruction, on the
//! structured code as it stands. It shares nothing with the backends and is written for plainness alone.

use std::collections::HashMap;

use sdlbc::{Block, Function, Id, InputKind, Inst, Module, Op, OutputKind, Scalar, Type, Types};

use crate::compute::{self, Value};
use crate::given::Given;
use crate::shader::Level;

/// Instructions that a run may have; what is generated has fewer by far.
const STEPS: usize = 200_000;

/// What a run gives: nothing if the invocation was discarded, else its outputs in order.
pub(crate) type Outputs = Option<Vec<Value>>;

/// How a block was left.
enum Left {
    AtItsEnd,
    Break,
    Continue,
    Return(Option<Value>),
    Discard,
}

struct Run<'a> {
    module: &'a Module,
    given: &'a Given,
    types: Vec<Types>,
    steps: usize,
}

/// A function that runs.
struct Frame<'a> {
    index: usize,
    function: &'a Function,
    values: HashMap<Id, Value>,
    /// The elements of each slot.
    slots: HashMap<Id, Vec<Value>>,
    outputs: Vec<Option<Value>>,
}

/// Runs the function at `index`; `Err` if it does not come to an end.
pub(crate) fn run(module: &Module, index: usize, given: &Given) -> Result<Outputs, String> {
    let types = (0..module.functions.len()).map(|index| sdlbc::infer_types(module, index)).collect();
    let mut run = Run { module, given, types, steps: 0 };
    let (left, outputs) = run.function(index, Vec::new())?;
    Ok(match left {
        Left::Discard => None,
        _ => Some(outputs.into_iter().map(|output| output.expect("every output is written")).collect()),
    })
}

impl<'a> Run<'a> {
    fn function(&mut self, index: usize, arguments: Vec<Value>) -> Result<(Left, Vec<Option<Value>>), String> {
        let function = &self.module.functions[index];
        let mut arguments = arguments.into_iter();
        let (mut values, mut slots) = (HashMap::new(), HashMap::new());
        for input in &function.inputs {
            match (input.kind, input.ty) {
                (InputKind::Parameter, _) => {
                    values.insert(input.id, arguments.next().expect("an argument"));
                }
                (InputKind::Local, Type::Array(scalar, width, length)) => {
                    let zero = Value::new(Type::Vector(scalar, width), vec![0; width.into()]);
                    slots.insert(input.id, vec![zero; length as usize]);
                }
                (InputKind::Texture { .. }, _) => {}
                (kind, ty) => {
                    values.insert(input.id, Value::new(ty, self.given.input(index, input.id, kind, ty)));
                }
            }
        }
        let outputs = vec![None; function.outputs.len()];
        let mut frame = Frame { index, function, values, slots, outputs };
        let left = self.block(&function.body, &mut frame)?;
        Ok((left, frame.outputs))
    }

    fn block(&mut self, block: &'a Block, frame: &mut Frame<'a>) -> Result<Left, String> {
        self.code(block, 0, frame)
    }

    /// Runs a block from an instruction on.
    fn code(&mut self, block: &'a Block, first: usize, frame: &mut Frame<'a>) -> Result<Left, String> {
        // Which block of the IF in front was left at its end, for the PHIs behind it.
        let mut arm = None;
        for inst in &block[first..] {
            self.steps += 1;
            if self.steps > STEPS {
                return Err("the module does not come to an end".into());
            }
            let left = match inst.op {
                Op::If => {
                    let which = usize::from(!frame.value(inst.inputs[0]).is_true());
                    arm = Some(which);
                    self.block(&inst.blocks[which], frame)?
                }
                Op::Phi => {
                    // No PHI reads another one beside it: what it reads is visible at the end of the block.
                    let from = inst.inputs[arm.expect("a PHI stands behind an IF")];
                    let value = frame.value(from).clone();
                    frame.set(inst.output, value);
                    Left::AtItsEnd
                }
                Op::Loop => self.repeat(&inst.blocks[0], frame)?,
                Op::Switch => {
                    let selector = frame.value(inst.inputs[0]).words[0];
                    let case = inst.immediates.iter().position(|&value| value == selector);
                    match self.block(&inst.blocks[case.unwrap_or(inst.immediates.len())], frame)? {
                        Left::Break => Left::AtItsEnd,
                        left => left,
                    }
                }
                Op::Break => Left::Break,
                Op::Continue => Left::Continue,
                Op::Discard => Left::Discard,
                Op::Return => {
                    let value = inst.inputs[0];
                    Left::Return(value.is_some().then(|| frame.value(value).clone()))
                }
                Op::Call => self.call(inst, frame)?,
                Op::Poke => {
                    frame.poke(inst);
                    Left::AtItsEnd
                }
                Op::Nop => Left::AtItsEnd,
                _ => {
                    if inst.output.is_some() {
                        let value = self.compute(inst, frame);
                        frame.set(inst.output, value);
                    }
                    Left::AtItsEnd
                }
            };
            match left {
                Left::AtItsEnd => {}
                left => return Ok(left),
            }
        }
        Ok(Left::AtItsEnd)
    }

    fn repeat(&mut self, code: &'a Block, frame: &mut Frame<'a>) -> Result<Left, String> {
        let phis: Vec<&Inst> = code.iter().take_while(|inst| inst.op == Op::Phi).collect();
        let mut way = 0;
        loop {
            self.steps += 1;
            if self.steps > STEPS {
                return Err("the module does not come to an end".into());
            }
            // All at once.
            let values: Vec<Value> = phis.iter().map(|phi| frame.value(phi.inputs[way]).clone()).collect();
            phis.iter().zip(values).for_each(|(phi, value)| frame.set(phi.output, value));
            match self.code(code, phis.len(), frame)? {
                Left::AtItsEnd | Left::Continue => way = 1,
                Left::Break => return Ok(Left::AtItsEnd),
                left => return Ok(left),
            }
        }
    }

    fn call(&mut self, inst: &Inst, frame: &mut Frame<'a>) -> Result<Left, String> {
        let arguments = inst.inputs.iter().map(|&id| frame.value(id).clone()).collect();
        match self.function(inst.immediates[0] as usize, arguments)?.0 {
            Left::Discard => return Ok(Left::Discard),
            Left::Return(Some(value)) => frame.set(inst.output, value),
            _ => assert!(!inst.output.is_some(), "a function returns what it must"),
        }
        Ok(Left::AtItsEnd)
    }

    fn compute(&self, inst: &Inst, frame: &Frame<'a>) -> Value {
        let ty = self.types[frame.index].get(inst.output).expect("a type");
        let floats = |at: usize| frame.value(inst.inputs[at]).floats();
        let of_floats = |numbers: [f32; 4]| Value::new(ty, numbers.map(f32::to_bits).to_vec());
        let sample = |level: Level| of_floats(self.given.texel(frame.slot_of(inst.inputs[0]), &floats(1), &level));
        match inst.op {
            Op::Sample => sample(Level::Auto),
            Op::SampleBias => sample(Level::Bias(floats(2)[0])),
            Op::SampleLod => sample(Level::Exact(floats(2)[0])),
            Op::SampleGrad => sample(Level::Gradient(floats(2), floats(3))),
            Op::Fetch => {
                let place: Vec<f32> =
                    frame.value(inst.inputs[1]).words.iter().map(|&word| word.cast_signed() as f32).collect();
                let level = frame.value(inst.inputs[2]).words[0].cast_signed();
                of_floats(self.given.texel(frame.slot_of(inst.inputs[0]), &place, &Level::Fetched(level)))
            }
            Op::Ddx => frame.value(inst.inputs[0]).map(|value| self.given.ddx(value)),
            Op::Ddy => frame.value(inst.inputs[0]).map(|value| self.given.ddy(value)),
            Op::Peek => frame.peek(inst, ty),
            _ => {
                let operands: Vec<&Value> = inst.inputs.iter().map(|&id| frame.value(id)).collect();
                compute::compute(inst.op, &operands, &inst.immediates, ty)
            }
        }
    }
}

impl Frame<'_> {
    fn value(&self, id: Id) -> &Value {
        self.values.get(&id).unwrap_or_else(|| panic!("{id} has no value"))
    }

    fn set(&mut self, id: Id, value: Value) {
        if id.is_some() {
            self.values.insert(id, value);
        }
    }

    /// The unit of a texture.
    fn slot_of(&self, texture: Id) -> u32 {
        let input = self.function.inputs.iter().find(|input| input.id == texture);
        match input.map(|input| input.kind) {
            Some(InputKind::Texture { slot, .. }) => slot,
            other => panic!("{texture} is no texture, it is {other:?}"),
        }
    }

    /// An index and an offset, held within so many elements.
    fn held(&self, index: Option<Id>, offset: u32, length: usize) -> usize {
        let index = index.filter(|id| id.is_some()).map_or(0, |id| self.value(id).words[0].cast_signed());
        let last = i32::try_from(length).expect("a short array") - 1;
        usize::try_from(index.wrapping_add(offset.cast_signed()).clamp(0, last)).expect("not negative")
    }

    fn peek(&self, inst: &Inst, ty: Type) -> Value {
        let index = inst.inputs.get(1).copied();
        if let Some(elements) = self.slots.get(&inst.inputs[0]) {
            return elements[self.held(index, inst.immediates[0], elements.len())].clone();
        }
        let whole = self.value(inst.inputs[0]);
        let width = usize::from(ty.width().expect("a vector"));
        let at = self.held(index, inst.immediates[0], whole.words.len() / width);
        Value::new(ty, whole.words[at * width..][..width].to_vec())
    }

    fn poke(&mut self, inst: &Inst) {
        let value = self.value(inst.inputs[0]).clone();
        match *inst.inputs {
            [_] => {
                let at = inst.immediates[0] as usize;
                assert!(self.function.outputs[at].kind != OutputKind::Returned);
                self.outputs[at] = Some(value);
            }
            [_, slot, index] => {
                let at = self.held(Some(index), inst.immediates[0], self.slots[&slot].len());
                self.slots.get_mut(&slot).expect("a slot")[at] = value;
            }
            _ => panic!("a POKE of {} operands", inst.inputs.len()),
        }
    }
}

impl Value {
    fn is_true(&self) -> bool {
        assert_eq!(self.ty, Type::Vector(Scalar::Bool, 1));
        self.words[0] != 0
    }
}
