//! Uniform variables: their layout in memory, and reads of them.
//!
//! A structure that contains only floats becomes an array of float4 with the same memory layout. The structure's fields become
//! members of the array (docs/format.md, "Members of uniforms"). In a structure with other scalars, each field becomes a uniform
//! with a slot and an offset. If a field cannot have an offset, for example because the field is an array of structures, the
//! entire structure becomes an array of uint4 with the same memory layout. Reads of floats reinterpret the bits of that array.

use naga::{AddressSpace, GlobalVariable, Handle, TypeInner};
use sdlbc::builder::Lane;
use sdlbc::lifting::{MOST_LEAVES, Step, Value};
use sdlbc::{Few, Id, InputKind, Member, Scalar, Type};

use super::types::{self, Address, Parts, field_names};
use super::{Lifter, Shared};

/// The size of a float4 in bytes.
const REGISTER: u32 = 16;

/// A uniform variable, or a part of a uniform variable.
#[derive(Clone, Debug)]
pub(super) enum Uniform {
    /// A scalar, vector or matrix, or an array of scalars or vectors.
    One { name: String, ty: Type, kind: InputKind },
    /// An array of float4 or uint4 that contains a value of the type `ty`.
    Registers { name: String, scalar: Scalar, length: u32, ty: Handle<naga::Type>, members: Vec<Member> },
    /// The fields of a structure.
    Fields(Vec<Uniform>),
}

impl Shared<'_> {
    /// Lays out a uniform variable. Returns `None` if the variable was refused.
    pub(super) fn lay_out(&mut self, handle: Handle<GlobalVariable>) -> Option<Uniform> {
        let variable = &self.module.global_variables[handle];
        let ty = &self.module.types[variable.ty];
        let name = variable.name.as_deref().or(ty.name.as_deref()).unwrap_or("uniforms");
        let span = self.module.global_variables.get_span(handle);
        let slot = self.slot_of(handle, |other| other.space == AddressSpace::Uniform);
        match self.lay_out_type(variable.ty, name, slot) {
            Ok(uniform) => Some(uniform),
            Err(refused) => {
                self.refuse(types::refusal(self.module, refused), span);
                None
            }
        }
    }

    fn lay_out_type(&mut self, ty: Handle<naga::Type>, name: &str, slot: u32) -> Result<Uniform, Handle<naga::Type>> {
        let inner = &self.module.types[ty].inner;
        if let Some(ty) = types::value(inner) {
            return Ok(Uniform::One { name: self.unique(name), ty, kind: InputKind::Uniform });
        }
        match (types::parts(inner), inner) {
            (Some(Parts::Fields(fields)), _) if fields.len() == 1 => {
                let field = fields.first().map_or(ty, |&(field, _)| field);
                let uniform = self.lay_out_type(field, name, slot)?;
                Ok(Uniform::Fields(vec![uniform]))
            }
            (Some(Parts::Fields(_)), &TypeInner::Struct { span, .. }) => match self.word_type(ty) {
                Some(Scalar::Float) => self.registers(ty, name, Scalar::Float, span),
                _ if self.is_placed(ty, 0) => Ok(self.placed(ty, name, (slot, 0))),
                Some(scalar) => self.registers(ty, name, scalar, span),
                None => Err(ty),
            },
            (Some(Parts::Elements(base, length, stride)), _) => match types::value(&self.module.types[base].inner) {
                Some(Type::Vector(scalar, width)) if (width == 4 || scalar != Scalar::Float) && stride == REGISTER => {
                    let ty = Type::Array(scalar, width, length);
                    Ok(Uniform::One { name: self.unique(name), ty, kind: InputKind::Uniform })
                }
                _ => match self.word_type(ty) {
                    Some(scalar) => self.registers(ty, name, scalar, stride.saturating_mul(length)),
                    None => Err(ty),
                },
            },
            _ => Err(ty),
        }
    }

    fn registers(
        &mut self,
        ty: Handle<naga::Type>,
        name: &str,
        scalar: Scalar,
        bytes: u32,
    ) -> Result<Uniform, Handle<naga::Type>> {
        let length = bytes.div_ceil(REGISTER);
        if length > sdlbc::limits::ARRAY_LENGTH {
            return Err(ty);
        }
        let name = self.unique(name);
        let mut members = Vec::new();
        if scalar == Scalar::Float {
            self.add_members(ty, "", 0, &mut members);
        }
        Ok(Uniform::Registers { name, scalar, length, ty, members })
    }

    /// Returns the component type of a float4 or uint4 array from which a value of a type can be read. The component type is
    /// float if the type has only floats, and uint in all other cases. Returns `None` unless all scalars have 32 bits and the
    /// elements of all arrays are aligned to registers.
    fn word_type(&self, ty: Handle<naga::Type>) -> Option<Scalar> {
        let inner = &self.module.types[ty].inner;
        match types::parts(inner) {
            Some(Parts::Fields(fields)) => {
                self.leaves.get(ty.index()).filter(|&&leaves| leaves <= MOST_LEAVES * 4)?;
                let mut all = Some(Scalar::Float);
                for (ty, offset) in fields {
                    let scalar = self.word_type(ty).filter(|_| offset.is_multiple_of(4))?;
                    all = all.filter(|_| scalar == Scalar::Float);
                }
                Some(all.unwrap_or(Scalar::Uint))
            }
            Some(Parts::Elements(base, _, stride)) => self.word_type(base).filter(|_| stride.is_multiple_of(REGISTER)),
            None => match types::value(inner)? {
                Type::Vector(Scalar::Float, _) | Type::Matrix { .. } => Some(Scalar::Float),
                Type::Vector(Scalar::Int | Scalar::Uint, _) => Some(Scalar::Uint),
                _ => None,
            },
        }
    }

    /// Reports whether each field of a structure may be a uniform with an offset (docs/format.md, "Uniforms with a slot").
    fn is_placed(&self, ty: Handle<naga::Type>, offset: u32) -> bool {
        let inner = &self.module.types[ty].inner;
        match (types::parts(inner), types::value(inner)) {
            (Some(Parts::Fields(fields)), _) => {
                let few = self.leaves.get(ty.index()).is_some_and(|&leaves| leaves <= MOST_LEAVES);
                few && fields.iter().all(|&(ty, at)| self.is_placed(ty, offset.saturating_add(at)))
            }
            (Some(Parts::Elements(base, _, stride)), _) => {
                let is_vector = matches!(types::value(&self.module.types[base].inner), Some(Type::Vector(..)));
                is_vector && stride == REGISTER && offset.is_multiple_of(REGISTER)
            }
            (None, Some(Type::Vector(scalar, width))) => {
                let size = if scalar == Scalar::Half { 2 } else { 4 };
                offset.is_multiple_of(size * if width < 3 { u32::from(width) } else { 4 })
            }
            (None, Some(Type::Matrix { rows, .. })) => rows > 2 && offset.is_multiple_of(REGISTER),
            _ => false,
        }
    }

    /// Lays out a structure, or a part of a structure, whose fields are uniforms with a slot and an offset.
    fn placed(&mut self, ty: Handle<naga::Type>, name: &str, (slot, offset): (u32, u32)) -> Uniform {
        let inner = &self.module.types[ty].inner;
        let own = match types::parts(inner) {
            Some(Parts::Fields(fields)) => {
                let mut all = Vec::with_capacity(fields.len());
                for ((ty, at), field) in fields.into_iter().zip(field_names(inner)) {
                    all.push(self.placed(ty, &format!("{name}_{field}"), (slot, offset.saturating_add(at))));
                }
                return Uniform::Fields(all);
            }
            Some(Parts::Elements(base, length, _)) => match types::value(&self.module.types[base].inner) {
                Some(Type::Vector(scalar, width)) => Some(Type::Array(scalar, width, length)),
                _ => None,
            },
            None => types::value(inner),
        };
        let ty = own.unwrap_or(Type::FLOAT);
        Uniform::One { name: self.unique(name), ty, kind: InputKind::Placed { slot, offset } }
    }

    /// Adds the members for a part of a structure, if SDLSHADERBC supports members of that type at that offset.
    fn add_members(&self, ty: Handle<naga::Type>, name: &str, bytes: u32, members: &mut Vec<Member>) {
        let inner = &self.module.types[ty].inner;
        if let Some(Parts::Fields(fields)) = types::parts(inner) {
            for ((ty, offset), field) in fields.into_iter().zip(field_names(inner)) {
                let name = if name.is_empty() { field.to_string() } else { format!("{name}_{field}") };
                self.add_members(ty, &name, bytes.saturating_add(offset), members);
            }
            return;
        }
        let (first, component) = (bytes / REGISTER, bytes % REGISTER / 4);
        let ty = match (types::value(inner), types::parts(inner)) {
            (Some(ty @ Type::Vector(Scalar::Float, width)), _) => {
                let fits = width == 1 || width == 2 && component % 2 == 0 || component == 0;
                fits.then_some(ty)
            }
            (Some(ty @ Type::Matrix { rows: 3.., .. }), _) if component == 0 => Some(ty),
            (None, Some(Parts::Elements(base, length, REGISTER))) if component == 0 => {
                let is_float4 = types::value(&self.module.types[base].inner) == Some(Type::FLOAT4);
                is_float4.then_some(Type::Array(Scalar::Float, 4, length))
            }
            _ => None,
        };
        let is_new = !members.iter().any(|member| member.name == name);
        if let Some(ty) = ty.filter(|_| is_new && !name.is_empty()) {
            members.push(Member { name: name.to_string(), first, component, ty });
        }
    }
}

impl Lifter<'_, '_> {
    pub(super) fn load_uniform(&mut self, variable: Handle<GlobalVariable>, steps: &[Step]) -> Value {
        match self.shared.uniforms.get(&variable).cloned().flatten() {
            Some(uniform) => self.load_from_uniform(variable, &uniform, steps),
            None => Value::One(self.lifting.zero(Type::FLOAT)),
        }
    }

    fn load_from_uniform(&mut self, variable: Handle<GlobalVariable>, uniform: &Uniform, steps: &[Step]) -> Value {
        match (uniform, steps) {
            (Uniform::Fields(fields), [Step::Known(at), inside @ ..]) => match fields.get(*at as usize) {
                Some(field) => self.load_from_uniform(variable, field, inside),
                None => Value::Many(Vec::new()),
            },
            (Uniform::Fields(fields), _) => {
                Value::Many(fields.iter().map(|field| self.load_from_uniform(variable, field, &[])).collect())
            }
            (&Uniform::One { ref name, ty: ty @ Type::Array(_, _, length), kind }, steps) => {
                let array = self.resource_input(variable, name, ty, kind);
                match *steps {
                    [] => {
                        let element = |at| Value::One(self.lifting.builder.peek(array, None, at));
                        Value::Many((0..length.min(4096)).map(element).collect())
                    }
                    [step, ref inside @ ..] => {
                        let (index, offset) = match step {
                            Step::Known(at) => (None, at),
                            Step::Computed(index) => (Some(index), 0),
                        };
                        let element = self.lifting.builder.peek(array, index, offset);
                        self.lifting.part_at(Value::One(element), inside)
                    }
                }
            }
            (Uniform::One { name, ty, kind }, steps) => {
                let value = self.resource_input(variable, name, *ty, *kind);
                self.lifting.part_at(Value::One(value), steps)
            }
            (Uniform::Registers { name, scalar, length, ty, members }, steps) => {
                let array = self.resource_input(variable, name, Type::Array(*scalar, 4, *length), InputKind::Uniform);
                if self.with_members.insert(array) {
                    for member in members {
                        self.lifting.builder.member(array, member.clone());
                    }
                }
                self.load_registers(array, *ty, steps)
            }
        }
    }

    /// Reads a part of a value that is stored in an array of float4 or uint4.
    fn load_registers(&mut self, array: Id, mut ty: Handle<naga::Type>, mut steps: &[Step]) -> Value {
        let mut address = Address::default();
        loop {
            match (types::parts(self.inner(ty)), steps) {
                (Some(Parts::Fields(fields)), [Step::Known(at), inside @ ..]) => {
                    let Some(&(field, offset)) = fields.get(*at as usize) else {
                        return Value::Many(Vec::new());
                    };
                    (address, ty, steps) = (address.after(offset), field, inside);
                }
                (Some(Parts::Elements(base, _, stride)), [step, inside @ ..]) => {
                    address = self.element_address(address, *step, stride, REGISTER);
                    (ty, steps) = (base, inside);
                }
                _ => break,
            }
        }
        let read = |lifter: &mut Self, scalar, width, at| lifter.read_registers(array, scalar, width, at);
        let value = self.read_type(ty, address, &read);
        self.lifting.part_at(value, steps)
    }

    /// Reads a scalar or vector from an array of float4 or uint4.
    fn read_registers(&mut self, array: Id, scalar: Scalar, width: u8, address: Address) -> Id {
        let mut lanes = Few::<Lane>::new();
        for word in (address.bytes / 4..).take(width.into()) {
            let value = self.lifting.builder.peek(array, address.index, word / 4);
            lanes.push(Lane { value, lane: u8::try_from(word % 4).unwrap_or(0) });
        }
        let words = self.lifting.builder.gather(&lanes);
        self.lifting.bits_as(words, scalar)
    }
}
