//! Legalises a module before the plan is made: replaces operations that a target lacks, or defines differently, with operations
//! that the target has.
//!
//! Rule: a target's features determine which operations are replaced; the replacement is the same for every target. A module
//! that needs no replacement is not copied.
//!
//! - Integer quotients and remainders that the language leaves undefined are computed with a divisor of 1. A quotient is
//!   undefined if the divisor is 0, or if the divisor is -1 and the dividend is the lowest int. A signed remainder is computed
//!   from the quotient.
//! - Operations on vectors that the language has only for scalars are computed separately for each component.
//! - A point size that is always 1 is removed for targets without point sizes.

use std::borrow::Cow;
use std::collections::HashSet;

use sdlbc::module::swizvals;
use sdlbc::{Body, Few, FunctionDebug, Id, IdMap, Inst, Module, Op, OpSet, OutputKind, Scalar, Type, Types};

use crate::features::{Features, Select};

/// The operations that at least one target lacks.
const OPS: OpSet = OpSet::of(&[Op::Divide, Op::Modulo, Op::Abs, Op::Select, Op::Exponent, Op::Frexp]);

/// Replaces the operations of a module that the target lacks, and reports whether the module changed.
pub(crate) fn legalise(module: &mut Cow<'_, Module>, types: &[Types], features: &Features) -> bool {
    if features.checked_division && features.int_vectors && features.select == Select::All {
        return false;
    }
    let mut changed = false;
    for (at, types) in types.iter().enumerate() {
        let Some(function) = module.functions.get(at) else { continue };
        let mut legaliser = Legaliser {
            features,
            types,
            added: types.table(),
            ints: types.table(),
            next: function.max_id(),
            names: Vec::new(),
        };
        if function.body.insts().iter().all(|inst| legaliser.need(inst).is_none()) {
            continue;
        }
        changed = true;
        let Module { functions, debug } = module.to_mut();
        let Some(function) = functions.get_mut(at) else { continue };
        function.body.rewrite(|inst, code| legaliser.place(inst, code));
        if legaliser.names.is_empty() {
            continue;
        }
        let number = u32::try_from(at).unwrap_or(u32::MAX);
        let place = debug.functions.partition_point(|debug| debug.function < number);
        if debug.functions.get(place).is_none_or(|debug| debug.function != number) {
            debug.functions.insert(place, FunctionDebug { function: number, ..FunctionDebug::default() });
        }
        if let Some(debug) = debug.functions.get_mut(place) {
            legaliser.names.into_iter().for_each(|(id, name)| drop(debug.ids.insert(id, name)));
        }
    }
    changed
}

/// Returns the index of the output that an instruction writes, or `None` if the instruction is not a POKE of an output.
pub(crate) fn pokes_output(inst: &Inst) -> Option<usize> {
    let output = inst.op == Op::Poke && inst.inputs.len() == 1;
    inst.immediates.first().filter(|_| output).and_then(|&index| usize::try_from(index).ok())
}

/// Removes a point size that is always 1 if the target has no point sizes, because all points of such a target have that size.
pub(crate) fn remove_point_size(module: &mut Cow<'_, Module>, features: &Features) {
    if features.points {
        return;
    }
    for at in 0..module.functions.len() {
        let Some(function) = module.functions.get(at) else { continue };
        let Some(output) = function.outputs.iter().position(|output| output.kind == OutputKind::PointSize) else {
            continue;
        };
        let is_one = |inst: &Inst| inst.op == Op::LiteralFloat && inst.immediates[..] == [1f32.to_bits()];
        let insts = function.body.insts();
        let ones: HashSet<Id> = insts.iter().filter(|inst| is_one(inst)).map(|inst| inst.output).collect();
        let is_kept = |inst: &Inst| {
            pokes_output(inst) == Some(output) && !inst.inputs.first().is_some_and(|value| ones.contains(value))
        };
        if insts.iter().any(is_kept) {
            continue;
        }
        let Some(function) = module.to_mut().functions.get_mut(at) else { continue };
        function.outputs.remove(output);
        function.body.rewrite(|mut inst, code| match pokes_output(&inst) {
            Some(own) if own == output => {}
            Some(own) if own > output => {
                inst.immediates.iter_mut().take(1).for_each(|index| *index = index.saturating_sub(1));
                code.push(inst);
            }
            _ => code.push(inst),
        });
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Need {
    /// Each component of the result is computed separately.
    Split,
    /// The divisor is replaced with 1 if the quotient is undefined.
    Check,
}

struct Legaliser<'a> {
    features: &'a Features,
    types: &'a Types,
    added: IdMap<Type>,
    /// The values of integer literals, by id.
    ints: IdMap<u32>,
    /// The highest id in use.
    next: u32,
    names: Vec<(Id, &'static str)>,
}

impl Legaliser<'_> {
    /// Returns the type of a value. An added value may reuse the id of a value in removed unreachable code, so the types of added
    /// values take precedence.
    fn ty(&self, id: Id) -> Option<Type> {
        self.added.get(id).copied().or_else(|| self.types.get(id))
    }

    fn width(&self, id: Id) -> u8 {
        self.ty(id).and_then(Type::width).unwrap_or(1)
    }

    /// Returns the kind of replacement that an instruction needs on the target, or `None`.
    fn need(&self, inst: &Inst) -> Option<Need> {
        if !OPS.has(inst.op) {
            return None;
        }
        let Some(Type::Vector(scalar, width)) = self.ty(inst.output) else { return None };
        let is_int = matches!(scalar, Scalar::Int | Scalar::Uint);
        let chooses = match self.features.select {
            Select::All => true,
            Select::Floats => scalar == Scalar::Float,
            Select::Nothing => false,
        };
        let is_split = match inst.op {
            Op::Divide | Op::Modulo => is_int && !self.features.int_vectors,
            Op::Abs => scalar == Scalar::Int && !self.features.int_vectors,
            // FREXP and EXPONENT expand to a SELECT with one condition per component.
            _ => !chooses && inst.inputs.first().is_some_and(|&id| self.width(id) > 1),
        };
        let is_checked = matches!(inst.op, Op::Divide | Op::Modulo) && is_int && !self.features.checked_division;
        match is_split && width > 1 {
            true => Some(Need::Split),
            false => is_checked.then_some(Need::Check),
        }
    }

    fn place(&mut self, inst: Inst, code: &mut Body) {
        if let (Op::LiteralInt | Op::LiteralUint, [word]) = (inst.op, &inst.immediates[..]) {
            self.ints.insert(inst.output, *word);
        }
        match self.need(&inst) {
            Some(Need::Split) => self.split(&inst, code),
            Some(Need::Check) => self.divide(inst, code),
            None => code.push(inst),
        }
    }

    /// Appends an instruction that computes a new value. Returns the value's id.
    fn add(&mut self, op: Op, inputs: &[Id], immediates: &[u32], ty: Type, code: &mut Body) -> Id {
        self.next += 1;
        let id = Id(self.next);
        self.added.insert(id, ty);
        self.place(Inst::new(op, id, inputs, immediates), code);
        id
    }

    fn split(&mut self, inst: &Inst, code: &mut Body) {
        let component = |ty: Option<Type>| match ty {
            Some(Type::Vector(scalar, _)) => Type::Vector(scalar, 1),
            _ => Type::FLOAT,
        };
        let mut components: Few<Id> = Few::new();
        for lane in 0..self.width(inst.output) {
            let mut inputs: Few<Id> = Few::new();
            for &id in &inst.inputs {
                inputs.push(match self.width(id) {
                    1 => id,
                    _ => self.add(Op::Swizzle, &[id], &[swizvals(&[lane])], component(self.ty(id)), code),
                });
            }
            components.push(self.add(inst.op, &inputs, &inst.immediates, component(self.ty(inst.output)), code));
        }
        code.push(Inst::new(Op::Vector, inst.output, &components, &[]));
    }

    fn divide(&mut self, mut inst: Inst, code: &mut Body) {
        let (&[a, by], Some(ty @ Type::Vector(scalar, _))) = (&inst.inputs[..], self.ty(inst.output)) else {
            return code.push(inst);
        };
        let is_int = scalar == Scalar::Int;
        let is_plain = |&by: &u32| by != 0 && !(is_int && by == u32::MAX);
        let by = if self.ints.get(by).is_some_and(is_plain) { by } else { self.divisor(a, by, scalar, code) };
        inst.inputs = [a, by][..].into();
        if !(is_int && inst.op == Op::Modulo) {
            return code.push(inst);
        }
        self.next += 1;
        let quotient = Id(self.next);
        code.push(Inst::new(Op::Divide, quotient, &[a, by], &[]));
        let whole = self.add(Op::Multiply, &[by, quotient], &[], ty, code);
        code.push(Inst::new(Op::Subtract, inst.output, &[a, whole], &[]));
    }

    /// Returns the divisor, or 1 if the quotient is undefined.
    fn divisor(&mut self, a: Id, by: Id, scalar: Scalar, code: &mut Body) -> Id {
        let literal = if scalar == Scalar::Int { Op::LiteralInt } else { Op::LiteralUint };
        let mut equals = |legaliser: &mut Self, value: Id, word: u32| {
            let word = legaliser.add(literal, &[], &[word], Type::Vector(scalar, 1), code);
            let ty = Type::Vector(Scalar::Bool, legaliser.width(value));
            legaliser.add(Op::Equal, &[value, word], &[], ty, code)
        };
        let mut bad = equals(self, by, 0);
        let mut width = self.width(by);
        if scalar == Scalar::Int {
            let lowest = equals(self, a, i32::MIN.cast_unsigned());
            let minus_one = equals(self, by, u32::MAX);
            width = width.max(self.width(a));
            let ty = Type::Vector(Scalar::Bool, width);
            let over = self.add(Op::LogicalAnd, &[lowest, minus_one], &[], ty, code);
            bad = self.add(Op::LogicalOr, &[bad, over], &[], ty, code);
        }
        let ty = Type::Vector(scalar, width);
        let one = self.add(literal, &[], &[1], Type::Vector(scalar, 1), code);
        let wide = |legaliser: &mut Self, id: Id, code: &mut Body| match legaliser.width(id) {
            1 if width > 1 => legaliser.add(Op::Swizzle, &[id], &[swizvals(&vec![0; width.into()])], ty, code),
            _ => id,
        };
        let values = [wide(self, one, code), wide(self, by, code)];
        let divisor = self.add(Op::Select, &[bad, values[0], values[1]], &[], ty, code);
        self.names.push((divisor, "divisor"));
        divisor
    }
}

#[cfg(test)]
mod tests {
    use sdlbc::Verified;

    use super::*;
    use crate::versions::{Glsl, MslVersion, ShaderModel, Target};

    const OPERATIONS: &str = r#"
vertex function "vs_main" {
  input %1 va0: float4 = attribute 0
  output 0 op: float4 = position
  %2 = convert %1, int
  %3 = swizzle %2, wzyx
  %4 = literalint 7
  %5 = divide %2, %3
  %6 = modulo %5, %4
  %7 = modulo %2, %6
  %8 = abs %7
  %9 = lessthan %8, %3
  %10 = select %9, %8, %2
  %11 = exponent %1
  %12 = add %10, %11
  %13 = frexp %1
  %14 = convert %12, float
  %15 = swizzle %9, x
  %16 = select %15, %13, %14
  poke %16, 0
}
"#;

    #[test]
    fn a_point_size_is_removed_if_it_is_always_1_and_the_target_has_none() {
        let removed = |size: &str, target: Target| {
            let text = format!(
                "vertex function \"vs_main\" {{
  input %1 va0: float4 = attribute 0
  output 0 size: float = pointsize
  output 1 op: float4 = position
  %2 = literalfloat {size}
  poke %2, 0
  poke %1, 1
}}
"
            );
            let module = Verified::new(sdlbc::parse(&text).expect("a module")).expect("it verifies");
            let mut source: Cow<'_, Module> = Cow::Borrowed(&module);
            remove_point_size(&mut source, &target.features());
            let module = Verified::new(source.into_owned()).expect("it verifies still");
            module.functions[0].outputs.len() == 1
        };
        assert!(removed("1.0", Target::Wgsl));
        assert!(!removed("2.0", Target::Wgsl));
        assert!(!removed("1.0", Target::Spirv));
    }

    /// Returns the operations of [`OPS`] that remain after legalising for a target: first the scalar operations, then the vector
    /// operations.
    fn legal(target: Target) -> [Vec<Op>; 2] {
        let module = Verified::new(sdlbc::parse(OPERATIONS).expect("a module")).expect("it verifies");
        let mut source: Cow<'_, Module> = Cow::Borrowed(&module);
        legalise(&mut source, module.types(), &target.features());
        let module = Verified::new(source.into_owned()).expect("it verifies still");
        let types = &module.types()[0];
        let ops = |wide: bool| {
            let insts = module.functions[0].body.insts().iter().filter(|inst| OPS.has(inst.op));
            let of_width =
                insts.filter(|inst| types.get(inst.output).and_then(Type::width).is_some_and(|n| (n > 1) == wide));
            of_width.map(|inst| inst.op).collect()
        };
        [ops(false), ops(true)]
    }

    #[test]
    fn a_target_that_has_all_operations_keeps_them() {
        use Op::{Abs, Divide, Exponent, Frexp, Modulo, Select};
        for target in [Target::Spirv, Target::Wgsl, Target::Msl(MslVersion::default())] {
            let all = vec![Divide, Modulo, Modulo, Abs, Select, Exponent, Frexp, Select];
            assert_eq!(legal(target), [vec![], all], "{target}");
        }
    }

    #[test]
    fn a_choice_by_component_reads_as_one_and_a_checked_divisor_has_a_name() {
        let text = |code: &str, target: Target| {
            let head = "fragment function \"fs_main\" {\n  input %1 v0: float4 = varying 0\n  input %2 v1: float4 = varying 1\n  \
                        output 0 oc: float4 = colour 0\n";
            let module = sdlbc::parse(&format!("{head}{code}}}\n")).expect("a module");
            let module = Verified::new(module).expect("it verifies");
            let stage = Some(sdlbc::FunctionKind::Fragment);
            match crate::write(&module, target, stage, &crate::Layout::default()).expect("text").code {
                crate::Code::Text(text) => text,
                crate::Code::Words(_) => panic!("{target} is text"),
            }
        };
        let choice = "  %3 = lessthan %1, %2\n  %4 = add %1, %2\n  %5 = select %3, %4, %1\n  poke %5, 0\n";
        let hlsl = text(choice, Target::Hlsl(ShaderModel::default()));
        let whole = "(value.x ? value_1.x : v0.x, value.y ? value_1.y : v0.y, value.z ? value_1.z : v0.z, value.w ? value_1.w : v0.w)";
        assert!(hlsl.contains(whole), "{hlsl}");
        let remainder = "  %3 = convert %1, int\n  %4 = convert %2, int\n  %5 = modulo %3, %4\n  %6 = convert %5, float\n  poke %6, 0\n";
        let glsl = text(remainder, Target::Glsl(Glsl::Core450));
        assert!(glsl.contains("ivec4 divisor = mix("), "{glsl}");
    }

    #[test]
    fn values_that_are_added_may_have_the_ids_of_unreachable_ones() {
        let unreachable = (9..20).map(|id| format!("  %{id} = negate %1\n")).collect::<String>();
        let text = format!(
            "fragment function \"fs_main\" {{\n  input %1 v0: float4 = varying 0\n  output 0 oc: float4 = colour 0\n  \
             %2 = convert %1, uint\n  %3 = swizzle %2, xy\n  %4 = literaluint 7\n  %5 = modulo %4, %3\n  \
             %6 = convert %5, float\n  %7 = vector %6, %6\n  poke %7, 0\n  %8 = literalbool true\n  \
             if %8 {{\n    return\n  }} else {{\n    return\n  }}\n{unreachable}}}\n"
        );
        let module = Verified::new(sdlbc::parse(&text).expect("a module")).expect("it verifies");
        for target in [Target::Glsl(Glsl::Core450), Target::Glsl(Glsl::Es300), Target::Hlsl(ShaderModel::default())] {
            let written = crate::write(&module, target, None, &crate::Layout::default());
            assert!(written.is_ok(), "{target}: {written:?}");
        }
    }

    #[test]
    fn divisors_are_checked_unless_they_are_literals_and_remainders_are_what_quotients_leave() {
        use Op::{Abs, Divide, Exponent, Frexp, Select};
        let vectors = vec![Select, Divide, Divide, Select, Divide, Abs, Select, Exponent, Frexp, Select];
        assert_eq!(legal(Target::Glsl(Glsl::Core450)), [vec![], vectors]);
    }

    #[test]
    fn operations_that_choose_by_component_are_computed_by_component() {
        use Op::{Abs, Divide, Exponent, Frexp, Modulo, Select};
        let four = |ops: &[Op]| ops.iter().flat_map(|&op| [op; 4]).collect::<Vec<_>>();
        // The checked divisors also need a SELECT for each component.
        let scalars = four(&[Select, Select, Select, Exponent]);
        assert_eq!(legal(Target::Glsl(Glsl::Es300)), [scalars, vec![Divide, Divide, Divide, Abs, Frexp, Select]]);
        let scalars = four(&[Divide, Modulo, Modulo, Abs, Select, Exponent, Frexp]);
        assert_eq!(legal(Target::Hlsl(ShaderModel::default())), [scalars, vec![Select]]);
    }
}
