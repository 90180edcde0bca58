//! Elements of arrays of textures and samplers.
//!
//! In the format, each element of such an array is a texture of its own. An instruction on an element at a computed index therefore becomes
//! a SWITCH on the index, with the instruction in a case for each element. Invocations of a quad may take different cases, so a sample with
//! an implicit level of detail reads the derivatives of its coordinate, which are computed before the SWITCH. If the index is the same for
//! all invocations, they take the same case, and the sample needs no derivatives.

use rspirv::spirv::Op as Spirv;
use sdlbc::lifting::{Step, Value};
use sdlbc::{FunctionKind, Id, Op, Type};

use super::Lifter;
use super::image::Operands;
use super::pointer::Resource;
use crate::module::Ty;
use crate::words::{Inst, name};
use sdlbc::front::RefusalKind;

/// The maximum number of elements of an array of textures, samplers or blocks that is indexed by computed values.
const MOST_ELEMENTS: u32 = 16;

/// The lifting of an instruction on a texture. The result is `None` if the instruction has none.
type Lift<'f, 'a, 'm> = &'f dyn Fn(&mut Lifter<'a, 'm>, &Inst<'m>) -> Option<Value>;

impl<'a, 'm> Lifter<'a, 'm> {
    /// Returns the texture, sampler or block at a place in a variable. Refuses the module and returns `None` if the place is not supported.
    pub(super) fn resource(&mut self, variable: u32, steps: &[Step]) -> Option<Resource> {
        let module = self.module();
        let mut ty = module.globals.get(&variable)?.ty;
        let mut resource = Resource { variable, element: 0, index: None };
        for &step in steps {
            let (element, length) = match module.types.get(&ty) {
                Some(&Ty::Array { element, length, .. }) => (element, module.length(length)),
                Some(&Ty::RuntimeArray { element, .. }) => (element, None),
                Some(Ty::Struct(_)) => {
                    self.refuse(RefusalKind::Types { what: "textures and samplers in structures".to_string() });
                    return None;
                }
                _ => {
                    self.mismatch();
                    return None;
                }
            };
            let (each, _) = self.shared.elements(element);
            match step {
                Step::Known(number) => {
                    resource.element = resource.element.wrapping_add(number.wrapping_mul(each));
                }
                Step::Computed(index) => {
                    if length.is_none_or(|length| length.saturating_mul(each) > MOST_ELEMENTS) {
                        self.refuse_index(length);
                        return None;
                    }
                    let own = self.lifting.scaled(Some(index), each)?;
                    resource.index = Some(match resource.index {
                        Some(outer) => self.lifting.builder.add(outer, own),
                        None => own,
                    });
                }
            }
            ty = element;
        }
        Some(resource)
    }

    /// Refuses a computed index in an array that is too long for a SWITCH.
    fn refuse_index(&mut self, length: Option<u32>) {
        let why = match length {
            Some(_) => format!("more than {MOST_ELEMENTS} elements"),
            None => "no fixed length".to_string(),
        };
        let what = format!("an index in an array of textures, samplers or blocks with {why}");
        self.refuse(RefusalKind::Unknown { what });
    }

    /// Returns the number of elements of a variable.
    fn length(&self, resource: Resource) -> u32 {
        self.shared.elements_of(resource.variable).0.min(MOST_ELEMENTS)
    }

    /// Returns the texture or sampler in the current case.
    pub(super) fn chosen_element(&self, resource: Resource) -> Resource {
        let Some(index) = resource.index else { return resource };
        let value = self.chosen.iter().find(|(id, _)| *id == index).map_or(0, |(_, value)| *value);
        let last = self.shared.elements_of(resource.variable).0.saturating_sub(1);
        Resource { element: resource.element.wrapping_add(value).min(last), index: None, ..resource }
    }

    /// Lifts an instruction on a texture, and returns its result.
    pub(super) fn on_texture(&mut self, inst: &Inst<'m>, lift: Lift<'_, 'a, 'm>) -> Value {
        match self.for_each_element(inst, lift) {
            Some(value) => value,
            None => self.zero(inst.ty),
        }
    }

    /// Lifts an instruction on a texture. If the texture or its sampler is at a computed index in an array, the instruction is lifted for
    /// each element.
    pub(super) fn for_each_element(&mut self, inst: &Inst<'m>, lift: Lift<'_, 'a, 'm>) -> Option<Value> {
        let (image, sampler) = self.textures_of(inst.arg(0))?;
        let is_open = |resource: &Resource| {
            resource.index.is_some_and(|index| !self.chosen.iter().any(|(known, _)| *known == index))
        };
        let Some(resource) = [Some(image), sampler].into_iter().flatten().find(is_open) else {
            return lift(self, inst);
        };
        let index = resource.index?;
        let outer = self.gradients;
        if self.gradients.is_none() && !self.lifting.builder.facts(index).uniform {
            self.gradients = self.gradients_of(inst, image);
        }
        let length = self.length(resource);
        let result = self.cases(inst.ty, (index, length), &mut |lifter, element| {
            lifter.chosen.push((index, element));
            let value = lifter.for_each_element(inst, lift);
            lifter.chosen.pop();
            value
        });
        self.gradients = outer;
        result
    }

    /// Emits a SWITCH on an index, and runs `work` in a case for each number below `length`. Returns the value of the type `ty` that `work`
    /// returns in the case that is taken. An index out of bounds, whose result is undefined, selects the last case.
    pub(super) fn cases(
        &mut self,
        ty: u32,
        (index, length): (Id, u32),
        work: &mut dyn FnMut(&mut Self, u32) -> Option<Value>,
    ) -> Option<Value> {
        let shape = self.module().shape(ty);
        let mark = self.lifting.mark();
        let result = shape.map(|shape| self.lifting.declare(&shape, None, false));
        let mut written = Default::default();
        result.iter().for_each(|&result| self.lifting.add_registers(result, &[], &mut written));
        let before = self.lifting.begin_switch(&written.into_iter().collect::<Vec<_>>());
        let (mut blocks, mut default) = (Vec::new(), None);
        for number in 0..length {
            if !self.step() {
                break;
            }
            self.lifting.begin_case(&before);
            if let (Some(value), Some(result)) = (work(self, number), result) {
                self.lifting.store(result, &[], &value);
            }
            let scope = self.lifting.end_case(true);
            if number + 1 == length {
                default = Some(scope);
            } else {
                blocks.push((number, scope));
            }
        }
        self.lifting.end_switch(index, &before, blocks, default.unwrap_or_default(), true);
        let value = result.map(|result| self.lifting.load(result, &[]));
        self.lifting.forget(mark);
        value
    }

    /// Returns the derivatives of the coordinate of a sample with an implicit level of detail; `None` for any other instruction. A bias
    /// scales them.
    fn gradients_of(&mut self, inst: &Inst<'m>, image: Resource) -> Option<[Id; 2]> {
        let projects = inst.op == Spirv::ImageSampleProjImplicitLod;
        if matches!(inst.op, Spirv::ImageSampleDrefImplicitLod | Spirv::ImageSampleProjDrefImplicitLod) {
            let name = format!("{} at a computed index in an array of textures", name(inst.op));
            self.refuse(RefusalKind::Operation { name });
            return None;
        }
        if self.kind != FunctionKind::Fragment || !(projects || inst.op == Spirv::ImageSampleImplicitLod) {
            return None;
        }
        let dimension = self.image_type(image)?.dimension()?;
        let (position, ..) = self.coordinate(inst.arg(1), dimension, projects);
        let mut gradients = [Op::Ddx, Op::Ddy].map(|op| self.lifting.emit(op, &[position]));
        let operands = Operands::read(inst.args.get(2..).unwrap_or_default());
        if let Some(bias) = operands.bias {
            let bias = self.one(bias);
            let scale = self.lifting.emit(Op::Exp2, &[bias]);
            gradients = gradients.map(|gradient| self.scaled_gradient(gradient, scale));
        }
        Some(gradients)
    }

    fn scaled_gradient(&mut self, gradient: Id, scale: Id) -> Id {
        match self.lifting.ty(gradient) {
            Type::Vector(_, width) => {
                let scale = self.lifting.splat(scale, width);
                self.lifting.builder.multiply(gradient, scale)
            }
            _ => gradient,
        }
    }
}
