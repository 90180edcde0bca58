//! Pointers, variables, loads and stores.

use rspirv::spirv::{Op, StorageClass};
use sdlbc::lifting::{MOST_LEAVES, Shape, Step, Value};
use sdlbc::{Few, Id, Scalar, Type};

use super::Lifter;
use crate::accepted::Class;
use crate::module::{Constant, Function, Ty};
use crate::words::{Inst, malformed};
use sdlbc::front::RefusalKind;

/// What a value refers to if it is a pointer, a texture or a sampler.
#[derive(Clone, Debug)]
pub(super) enum Reference {
    Place(Place),
    /// A texture or a storage texture, without a sampler.
    Image(Resource),
    Sampler(Resource),
    /// A texture with a sampler.
    Sampled(Resource, Resource),
}

/// A variable that is a texture, a sampler or both, or an element of an array of those.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Resource {
    pub(super) variable: u32,
    pub(super) element: u32,
    /// A computed index that is added to `element`; `None` once the element is known.
    pub(super) index: Option<Id>,
}

impl Resource {
    /// Returns a variable that is not an array of resources.
    pub(super) fn whole(variable: u32) -> Resource {
        Resource { variable, element: 0, index: None }
    }
}

/// The place to which a pointer points: a variable, and the steps from it to a part.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) root: Root,
    /// The type of the part.
    pub(super) ty: u32,
    pub(super) steps: Few<Step>,
}

/// A variable to which a pointer points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Root {
    /// A variable of the lifter.
    Variable(usize),
    /// An input of the entry point.
    Input(u32),
    Uniform(u32),
    Buffer(u32),
    /// A texture, a sampler, or an array of them.
    Resource(u32),
    /// A variable that is refused.
    None,
}

impl<'m> Lifter<'_, 'm> {
    /// Returns a value that holds a reference.
    pub(super) fn reference(&mut self, reference: Reference) -> Value {
        self.references.push(reference);
        Value::Reference(self.references.len() - 1)
    }

    /// Returns what a value refers to.
    pub(super) fn referent(&mut self, id: u32) -> Option<Reference> {
        match self.value(id) {
            Value::Reference(number) => self.references.get(number).cloned(),
            _ => None,
        }
    }

    /// Returns the place to which a pointer points.
    pub(super) fn place(&mut self, pointer: u32) -> Option<Place> {
        match self.referent(pointer) {
            Some(Reference::Place(place)) => Some(place),
            _ => {
                self.mismatch();
                None
            }
        }
    }

    /// Returns a pointer to a variable outside functions.
    pub(super) fn global(&mut self, id: u32) -> Value {
        let Some(&global) = self.module().globals.get(&id) else { return Value::Many(Vec::new()) };
        let root = match Class::of(global.class) {
            Some(Class::Input) => Root::Input(id),
            Some(Class::Uniform | Class::StorageBuffer | Class::PushConstant) => {
                if self.shared.is_buffer(id) {
                    Root::Buffer(id)
                } else {
                    Root::Uniform(id)
                }
            }
            Some(Class::UniformConstant) => Root::Resource(id),
            Some(Class::Private | Class::Output | Class::Workgroup) => {
                self.globals.get(&id).copied().map_or(Root::None, Root::Variable)
            }
            Some(Class::Function) | None => {
                let what = format!("variables of the storage class {:?}", global.class);
                let kind = RefusalKind::Variable { name: self.module().name(id).to_string(), what };
                self.shared.refuse(kind, global.at);
                Root::None
            }
        };
        self.reference(Reference::Place(Place { root, ty: global.ty, steps: Few::new() }))
    }

    /// Declares the variables outside functions that an entry point's functions use.
    pub(super) fn declare_globals(&mut self, used: &std::collections::BTreeSet<u32>) {
        let module = self.module();
        for &id in used {
            let Some(&global) = module.globals.get(&id) else { continue };
            self.at = global.at;
            let name = module.name(id);
            let shape = match global.class {
                StorageClass::Workgroup if self.kind != sdlbc::FunctionKind::Compute => {
                    self.refuse(malformed("a variable of a workgroup is used in a stage without workgroups"));
                    continue;
                }
                StorageClass::Private | StorageClass::Workgroup => module.shape(global.ty),
                _ => continue,
            };
            let Some(shape) = shape.filter(|shape| self.is_small(shape)) else {
                self.refuse(RefusalKind::Types { what: module.type_name(global.ty) });
                continue;
            };
            let number = match global.class {
                StorageClass::Workgroup => {
                    let stored = with_uints(&shape);
                    let number = self.lifting.declare_shared(&stored, if name.is_empty() { "shared" } else { name });
                    if stored != shape {
                        self.shared_bools.insert(number);
                    }
                    number
                }
                _ => {
                    let indexed = has_array(&shape) && self.is_indexed_anywhere(id);
                    self.lifting.declare(&shape, Some(name).filter(|name| !name.is_empty()), indexed)
                }
            };
            self.globals.insert(id, number);
            // Shared arrays are zero when the workgroup begins.
            if global.init != 0 && global.class == StorageClass::Private {
                let value = self.value(global.init);
                self.lifting.store(number, &[], &value);
            }
        }
    }

    /// Reports whether a shape has few enough parts, and refuses it if not.
    pub(super) fn is_small(&mut self, shape: &Shape) -> bool {
        let (leaves, most) = (shape.leaves(), u64::from(sdlbc::limits::ARRAY_LENGTH));
        if leaves > most {
            let what = format!("a variable has {leaves} vectors, but the limit is {most}");
            self.refuse(RefusalKind::Limit { what });
        }
        leaves <= most
    }

    /// Declares a variable of a function.
    pub(super) fn declare_local(&mut self, inst: &Inst<'m>) -> Value {
        let module = self.module();
        let Some(&Ty::Pointer { to, .. }) = module.types.get(&inst.ty) else {
            self.mismatch();
            return Value::Many(Vec::new());
        };
        let root = match module.shape(to) {
            Some(shape) if self.is_small(&shape) => {
                let name = Some(module.name(inst.id)).filter(|name| !name.is_empty());
                let indexed = has_array(&shape)
                    && (shape.leaves() > MOST_LEAVES
                        || self.frames.last().is_some_and(|frame| self.is_indexed(frame.function, inst.id)));
                let number = self.lifting.declare(&shape, name, indexed);
                if let Some(&init) = inst.args.get(1) {
                    let value = self.value(init);
                    self.lifting.store(number, &[], &value);
                } else if indexed && self.frames.len() > 1 && shape.leaves() <= MOST_LEAVES {
                    // A slot is zero when the function begins, but an inlined function may begin several times.
                    let zero = self.lifting.zero_of(&shape);
                    self.lifting.store(number, &[], &zero);
                }
                Root::Variable(number)
            }
            Some(_) => Root::None,
            // Some compilers declare a variable for the result of a function that returns nothing.
            None if matches!(module.types.get(&to), Some(Ty::Void)) => Root::None,
            None => {
                self.refuse(RefusalKind::Types { what: module.type_name(to) });
                Root::None
            }
        };
        self.reference(Reference::Place(Place { root, ty: to, steps: Few::new() }))
    }

    /// Reports whether any function indexes a variable by a computed value.
    pub(super) fn is_indexed_anywhere(&self, variable: u32) -> bool {
        self.module().functions.values().any(|function| self.is_indexed(function, variable))
    }

    /// Reports whether a function indexes a variable by a value that it computes, or passes a pointer into the variable to a function.
    fn is_indexed(&self, function: &Function<'m>, variable: u32) -> bool {
        let module = self.module();
        let mut inside = std::collections::BTreeSet::from([variable]);
        for inst in function.blocks.iter().flat_map(|block| &block.insts) {
            match (inst.op, inst.args) {
                (Op::AccessChain | Op::InBoundsAccessChain, [base, indices @ ..]) if inside.contains(base) => {
                    inside.insert(inst.id);
                    if indices.iter().any(|index| module.int(*index, 0).is_none()) {
                        return true;
                    }
                }
                (Op::CopyObject, [base]) if inside.contains(base) => {
                    inside.insert(inst.id);
                }
                (Op::FunctionCall, [_, arguments @ ..]) if arguments.iter().any(|id| inside.contains(id)) => {
                    return true;
                }
                _ => {}
            }
        }
        false
    }

    /// Returns a pointer to a part of another pointer's target.
    pub(super) fn access(&mut self, inst: &Inst<'m>) -> Value {
        let [base, indices @ ..] = inst.args else {
            self.mismatch();
            return Value::Many(Vec::new());
        };
        let Some(mut place) = self.place(*base) else { return Value::Many(Vec::new()) };
        for &index in indices {
            let known = match self.module().constants.get(&index) {
                Some((_, Constant::Scalar(_) | Constant::Operation(..) | Constant::Zero)) => {
                    self.module().int(index, 0)
                }
                _ => None,
            };
            let step = match known {
                Some(number) => Step::Known(number),
                None => Step::Computed(self.index(index)),
            };
            place.ty = match (self.module().types.get(&place.ty), step) {
                (Some(Ty::Struct(members)), Step::Known(number)) => members.get(number as usize).copied().unwrap_or(0),
                (Some(&Ty::Array { element, .. } | &Ty::RuntimeArray { element, .. }), _) => element,
                // The type of a column or a component follows from the new pointer's type.
                _ => match self.module().types.get(&inst.ty) {
                    Some(&Ty::Pointer { to, .. }) => to,
                    _ => 0,
                },
            };
            place.steps.push(step);
        }
        self.reference(Reference::Place(place))
    }

    /// Returns the value at a place.
    pub(super) fn load(&mut self, place: &Place, ty: u32) -> Value {
        if let Some(shape) = self.module().shape(ty) {
            let leaves = shape.leaves();
            if leaves > MOST_LEAVES {
                let what = format!("a value has {leaves} vectors, but the limit is {MOST_LEAVES}");
                return self.refuse_value(RefusalKind::Limit { what }, ty);
            }
            if leaves > 1 && !(1..leaves).all(|_| self.step()) {
                return self.zero(ty);
            }
        }
        match place.root {
            Root::Variable(number) if self.shared_bools.contains(&number) => {
                let value = self.lifting.load(number, &place.steps);
                self.with_bools(value, &self.module().shape(ty).unwrap_or(Shape::One(Type::FLOAT)))
            }
            Root::Variable(number) => self.lifting.load(number, &place.steps),
            Root::Input(id) => {
                let whole = self.input(id);
                self.lifting.part_at(whole, &place.steps)
            }
            Root::Uniform(id) | Root::Buffer(id) if self.is_array_of_blocks(id) => {
                self.load_from_blocks(id, &place.steps, ty)
            }
            Root::Uniform(id) => self.load_uniform(id, &place.steps),
            Root::Buffer(id) => self.load_buffer(id, &place.steps),
            Root::Resource(variable) => self.load_resource(variable, &place.steps, ty),
            Root::None => self.zero(ty),
        }
    }

    /// Converts the uints that stand for the bools of a shape to bools.
    fn with_bools(&mut self, value: Value, shape: &Shape) -> Value {
        match (value, shape) {
            (Value::One(id), Shape::One(Type::Vector(Scalar::Bool, _))) => {
                Value::One(self.lifting.convert(id, Scalar::Bool))
            }
            (Value::Many(parts), Shape::Fields(fields)) => {
                let parts = parts.into_iter().zip(fields);
                Value::Many(parts.map(|(part, (_, field))| self.with_bools(part, field)).collect())
            }
            (Value::Many(parts), Shape::Elements(element, _)) => {
                Value::Many(parts.into_iter().map(|part| self.with_bools(part, element)).collect())
            }
            (value, _) => value,
        }
    }

    /// Converts the bools in a value to uints.
    fn without_bools(&mut self, value: &Value) -> Value {
        match value {
            &Value::One(id) if self.lifting.scalar_of(id) == Scalar::Bool => {
                Value::One(self.lifting.convert(id, Scalar::Uint))
            }
            Value::Many(parts) => Value::Many(parts.iter().map(|part| self.without_bools(part)).collect()),
            value => value.clone(),
        }
    }

    /// Returns the texture or sampler of a variable.
    fn load_resource(&mut self, variable: u32, steps: &[Step], ty: u32) -> Value {
        let Some(resource) = self.resource(variable, steps) else { return self.zero(ty) };
        match self.module().types.get(&ty) {
            Some(Ty::Image(_)) => self.reference(Reference::Image(resource)),
            Some(Ty::Sampler) => self.reference(Reference::Sampler(resource)),
            Some(Ty::SampledImage(_)) => self.reference(Reference::Sampled(resource, resource)),
            _ => self.refuse_value(RefusalKind::Types { what: self.module().type_name(ty) }, ty),
        }
    }

    /// Writes a value to a place.
    pub(super) fn store(&mut self, place: &Place, value: &Value) {
        match place.root {
            Root::Variable(number) if self.shared_bools.contains(&number) => {
                let value = self.without_bools(value);
                self.lifting.store(number, &place.steps, &value);
            }
            Root::Variable(number) => self.lifting.store(number, &place.steps, value),
            Root::Buffer(id) if self.is_array_of_blocks(id) => self.store_to_blocks(id, &place.steps, value),
            Root::Buffer(id) => self.store_buffer(id, &place.steps, value),
            Root::None => {}
            Root::Input(_) | Root::Uniform(_) | Root::Resource(_) => self.mismatch(),
        }
    }
}

/// Returns a shape in which uints replace bools, which shared arrays cannot contain.
fn with_uints(shape: &Shape) -> Shape {
    match shape {
        Shape::One(Type::Vector(Scalar::Bool, width)) => Shape::One(Type::Vector(Scalar::Uint, *width)),
        Shape::One(ty) => Shape::One(*ty),
        Shape::Fields(fields) => {
            Shape::Fields(fields.iter().map(|(name, field)| (name.clone(), with_uints(field))).collect())
        }
        Shape::Elements(element, length) => Shape::Elements(Box::new(with_uints(element)), *length),
    }
}

/// Reports whether a shape has an array.
pub(super) fn has_array(shape: &Shape) -> bool {
    match shape {
        Shape::One(_) => false,
        Shape::Fields(fields) => fields.iter().any(|(_, field)| has_array(field)),
        Shape::Elements(..) => true,
    }
}
