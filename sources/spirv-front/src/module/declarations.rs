//! Declarations outside functions: names, decorations, types, constants, variables and entry points.

use rspirv::spirv::{Dim, ExecutionMode, ExecutionModel, ImageFormat, Op, StorageClass};
use sdlbc::{Scalar, Type};

use super::{Constant, Entry, Global, Image, MOST_FIELDS, Module, Ty};
use crate::accepted::{Declaration, Decoration, Kind, Mode};
use crate::words::{Inst, text};
use sdlbc::front::Refusal;

impl<'m> Module<'m> {
    /// Adds a declaration outside functions.
    pub(super) fn declare(&mut self, inst: Inst<'m>) -> Result<(), Refusal> {
        use Declaration as D;
        let args = inst.args;
        let Some(declaration) = Declaration::of(inst.op) else { return self.declare_type(&inst) };
        match (declaration, args) {
            (D::Name, [id, name @ ..]) => {
                self.names.insert(*id, text(name).0);
            }
            (D::MemberName, [id, member, name @ ..]) => {
                self.member_names.insert((*id, *member), text(name).0);
            }
            (D::String, name) => {
                self.strings.insert(inst.id, text(name).0);
            }
            (D::Source, [_, _, file, code @ ..]) => self.sources.push((*file, text(code).0)),
            (D::SourceContinued, code) => {
                if let Some((_, all)) = self.sources.last_mut() {
                    all.push_str(&text(code).0);
                }
            }
            (D::Decorate | D::DecorateId, [id, decoration, operands @ ..]) => {
                if let Some(decoration) = Decoration::numbered(*decoration) {
                    self.has_precise |= decoration == Decoration::NoContraction;
                    self.decorations.entry(*id).or_default().push((decoration, operands));
                }
            }
            (D::DecorateString, [id, decoration, name @ ..]) => {
                if Decoration::numbered(*decoration) == Some(Decoration::UserSemantic) {
                    self.semantics.insert(*id, text(name).0);
                }
            }
            (D::MemberDecorate, [id, member, decoration, operands @ ..]) => {
                if let Some(decoration) = Decoration::numbered(*decoration) {
                    self.member_decorations.entry((*id, *member)).or_default().push((decoration, operands));
                }
            }
            (D::TypeForwardPointer, [id, ..]) => {
                self.forward.insert(*id);
            }
            (D::GroupMemberDecorate, [group, pairs @ ..]) => {
                let own = self.decorations.get(group).cloned().unwrap_or_default();
                if own.len().saturating_mul(pairs.len()) > MOST_FIELDS {
                    return Err(inst.malformed());
                }
                for pair in pairs.chunks(2) {
                    if let &[id, member] = pair {
                        self.member_decorations.entry((id, member)).or_default().extend(own.iter().copied());
                    }
                }
            }
            (D::GroupDecorate, [group, ids @ ..]) => {
                let own = self.decorations.get(group).cloned().unwrap_or_default();
                if own.len().saturating_mul(ids.len()) > MOST_FIELDS || ids.contains(group) {
                    return Err(inst.malformed());
                }
                for &id in ids {
                    self.decorations.entry(id).or_default().extend(own.iter().copied());
                }
            }
            (D::ExtInstImport, name) => {
                self.sets.insert(inst.id, text(name).0);
            }
            (D::EntryPoint, [model, function, rest @ ..]) => {
                let (name, words) = text(rest);
                if let Some(model) = ExecutionModel::from_u32(*model) {
                    let interface = rest.get(words..).unwrap_or_default();
                    self.entries.push(Entry { model, function: *function, name, interface });
                }
            }
            (D::ExecutionMode | D::ExecutionModeId, [entry, mode, operands @ ..]) => {
                if let Some(mode) = ExecutionMode::from_u32(*mode).and_then(Mode::of) {
                    self.modes.entry(*entry).or_default().push((mode, operands));
                }
            }
            (D::Variable, [class, init @ ..]) => {
                let Some(Ty::Pointer { to, .. }) = self.types.get(&inst.ty) else { return Err(inst.malformed()) };
                let Some(class) = StorageClass::from_u32(*class) else { return Err(inst.malformed()) };
                let init = init.first().copied().unwrap_or(0);
                self.globals.insert(inst.id, Global { class, ty: *to, init, at: inst.at });
            }
            (D::ConstantTrue | D::SpecConstantTrue, _) => self.constant(inst, Constant::Scalar(1)),
            (D::ConstantFalse | D::SpecConstantFalse, _) => self.constant(inst, Constant::Scalar(0)),
            (D::Constant | D::SpecConstant, [bits, ..]) => self.constant(inst, Constant::Scalar(*bits)),
            (D::ConstantComposite | D::SpecConstantComposite, parts) => {
                if parts.iter().any(|part| !self.constants.contains_key(part)) {
                    return Err(inst.malformed());
                }
                self.constant(inst, Constant::Composite(parts));
            }
            (D::ConstantNull | D::Undef, _) => self.constant(inst, Constant::Zero),
            (D::SpecConstantOp, [opcode, operands @ ..]) => {
                let Some(op) = Op::from_u32(*opcode) else { return Err(inst.malformed()) };
                self.constant(inst, Constant::Operation(op, operands));
            }
            // These have no effect on what a program computes.
            (
                D::Nop
                | D::Capability
                | D::Extension
                | D::ExtInst
                | D::MemoryModel
                | D::SourceExtension
                | D::ModuleProcessed
                | D::Line
                | D::NoLine
                | D::MemberDecorateString
                | D::DecorationGroup,
                _,
            ) => {}
            // These lack operands.
            (
                D::EntryPoint
                | D::ExecutionMode
                | D::ExecutionModeId
                | D::Source
                | D::Name
                | D::MemberName
                | D::Decorate
                | D::DecorateId
                | D::DecorateString
                | D::MemberDecorate
                | D::GroupDecorate
                | D::GroupMemberDecorate
                | D::TypeForwardPointer
                | D::Variable
                | D::Constant
                | D::SpecConstant
                | D::SpecConstantOp,
                _,
            ) => {}
        }
        Ok(())
    }

    /// Adds a type, or an instruction outside functions that is not known.
    fn declare_type(&mut self, inst: &Inst<'m>) -> Result<(), Refusal> {
        let is_known = |ty: &u32| self.types.contains_key(ty) || self.forward.contains(ty);
        let parts = match (inst.op, inst.args) {
            (Op::TypeStruct, parts) => parts,
            (Op::TypeArray | Op::TypeRuntimeArray, [element, ..]) => std::slice::from_ref(element),
            _ => &[],
        };
        if !parts.iter().all(is_known) {
            return Err(inst.malformed());
        }
        if let Some(ty) = self.ty_of(inst) {
            self.types.insert(inst.id, ty);
        }
        Ok(())
    }

    fn constant(&mut self, inst: Inst<'m>, constant: Constant<'m>) {
        self.constants.insert(inst.id, (inst.ty, constant));
    }

    /// Returns the type that an instruction declares, if it declares one.
    fn ty_of(&self, inst: &Inst<'_>) -> Option<Ty> {
        let unsupported = |name: String| Some(Ty::Unsupported(name));
        use Kind as K;
        let other = || unsupported(format!("{:?}", inst.op)).filter(|_| inst.ty == 0 && inst.id != 0);
        let Some(kind) = Kind::of(inst.op) else { return other() };
        match (kind, inst.args) {
            (K::TypeVoid, _) => Some(Ty::Void),
            (K::TypeBool, _) => Some(Ty::Value(Type::BOOL)),
            (K::TypeInt, [32, 0]) => Some(Ty::Value(Type::UINT)),
            (K::TypeInt, [32, _]) => Some(Ty::Value(Type::INT)),
            (K::TypeInt, [bits, ..]) => unsupported(format!("integers of {bits} bits")),
            (K::TypeFloat, [32, ..]) => Some(Ty::Value(Type::FLOAT)),
            (K::TypeFloat, [16]) => Some(Ty::Value(Type::Vector(Scalar::Half, 1))),
            (K::TypeFloat, [bits, ..]) => unsupported(format!("floats of {bits} bits")),
            (K::TypeVector, &[component, width]) => match self.types.get(&component)? {
                Ty::Value(Type::Vector(scalar, 1)) if (2..=4).contains(&width) => {
                    Some(Ty::Value(Type::Vector(*scalar, u8::try_from(width).unwrap_or(4))))
                }
                Ty::Unsupported(name) => unsupported(format!("vectors of {name}")),
                _ => unsupported(format!("vectors of {width} components")),
            },
            (K::TypeMatrix, &[column, columns]) => match self.types.get(&column)? {
                Ty::Value(Type::Vector(Scalar::Float, rows)) if (2..=4).contains(&columns) => {
                    Some(Ty::Value(Type::Matrix { columns: u8::try_from(columns).unwrap_or(4), rows: *rows }))
                }
                Ty::Value(Type::Vector(scalar, _)) => unsupported(format!("matrices of {}", Type::Vector(*scalar, 1))),
                Ty::Unsupported(name) => unsupported(format!("matrices of {name}")),
                _ => None,
            },
            (K::TypeStruct, members) => Some(Ty::Struct(members.to_vec())),
            (K::TypeArray, &[element, length]) => Some(Ty::Array { element, length, stride: self.stride(inst.id) }),
            (K::TypeRuntimeArray, &[element]) => Some(Ty::RuntimeArray { element, stride: self.stride(inst.id) }),
            (K::TypePointer, &[_, to]) => Some(Ty::Pointer { to }),
            (K::TypeSampler, _) => Some(Ty::Sampler),
            (K::TypeSampledImage, &[image]) => Some(Ty::SampledImage(image)),
            (K::TypeFunction, _) => Some(Ty::Function),
            (K::TypeImage, &[texel, dim, depth, arrayed, samples, sampled, format, ..]) => {
                let texel = match self.types.get(&texel) {
                    Some(Ty::Value(Type::Vector(scalar, 1))) => Some(*scalar),
                    _ => None,
                };
                Some(Ty::Image(Image {
                    texel,
                    dim: Dim::from_u32(dim),
                    depth,
                    arrayed: arrayed == 1,
                    multisampled: samples == 1,
                    is_storage: sampled == 2,
                    format: ImageFormat::from_u32(format),
                }))
            }
            // These do not have the operands of their opcode.
            (
                K::TypeInt
                | K::TypeFloat
                | K::TypeVector
                | K::TypeMatrix
                | K::TypeArray
                | K::TypeRuntimeArray
                | K::TypePointer
                | K::TypeSampledImage
                | K::TypeImage,
                _,
            ) => other(),
        }
    }
}
