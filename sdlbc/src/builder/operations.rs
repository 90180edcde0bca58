//! A method for each row of the operation table: `builder.multiply(a, b)` emits a MULTIPLY.
//!
//! Rule: the operands, the immediates and the documentation of a method come from its row. The operands are named with the
//! letters that the documentation uses. Calls, returns, swizzles and operations with blocks have no method name in the table,
//! because their methods are written by hand.

use super::Builder;
use crate::module::texel_offset_word;
use crate::{Id, Op, Scalar, Type};

/// Defines the method of one row. The arguments are the row's method name, operation, type rule arguments and documentation,
/// followed by the method's parameters, operands and immediates. The second form is for operations with an optional layer; its
/// second list contains the operands after the layer.
macro_rules! emitting {
    (($method:ident $name:ident $arguments:tt $doc:expr) ($($parameter:tt)*) $operands:expr, $immediates:expr) => {
        #[doc = $doc]
        #[inline]
        pub fn $method(&mut self, $($parameter)*) -> Id {
            self.emit(Op::$name, $operands, $immediates)
        }
    };
    (
        ($method:ident $name:ident $arguments:tt $doc:expr) $about:literal
        ($($parameter:ident: $ty:ty),*) [$a:ident, $b:ident], layer, [$($operand:ident),*], $immediates:expr
    ) => {
        #[doc = $doc]
        ///
        #[doc = $about]
        #[inline]
        pub fn $method(&mut self, $a: Id, $b: Id, layer: Option<Id>, $($parameter: $ty),*) -> Id {
            match layer {
                None => self.emit(Op::$name, &[$a, $b $(, $operand)*], $immediates),
                Some(layer) => self.emit(Op::$name, &[$a, $b, layer $(, $operand)*], $immediates),
            }
        }
    };
}

#[rustfmt::skip]
macro_rules! method {
    ($shape:ident _ $($row:tt)*) => {};
    (Unary $($row:tt)*) => { emitting! { ($($row)*) (a: Id) &[a], &[] } };
    (Binary $($row:tt)*) => { emitting! { ($($row)*) (a: Id, b: Id) &[a, b], &[] } };
    (Ternary $($row:tt)*) => { emitting! { ($($row)*) (a: Id, b: Id, c: Id) &[a, b, c], &[] } };
    (Layered2 $($row:tt)*) => {
        emitting! { ($($row)*) "`layer` is the layer, if `a` has layers." () [a, b], layer, [], &[] }
    };
    (Layered3 $($row:tt)*) => {
        emitting! {
            ($($row)*)
            "`layer` is the layer, if `a` has layers. `c` is the operand that has this letter for a texture without layers."
            (c: Id) [a, b], layer, [c], &[]
        }
    };
    (Layered4 $($row:tt)*) => {
        emitting! { ($($row)*) "`layer` is the layer, if `a` has layers." (c: Id, d: Id) [a, b], layer, [c, d], &[] }
    };
    (Gather $($row:tt)*) => {
        emitting! {
            ($($row)*) "`layer` is the layer, if `a` has layers." (component: u8) [a, b], layer, [], &[component.into()]
        }
    };
    (Offset $($row:tt)*) => {
        emitting! {
            ($($row)*) (a: Id, [x, y, z]: [i8; 3]) &[a], &[texel_offset_word([x, y, z].map(i32::from)).unwrap_or_default()]
        }
    };
    (Many $($row:tt)*) => { emitting! { ($($row)*) (operands: &[Id]) operands, &[] } };
    (Convert $($row:tt)*) => { emitting! { ($($row)*) (a: Id, to: Scalar) &[a], &[Type::Vector(to, 1).word()] } };
    (Peek $($row:tt)*) => {
        emitting! { ($($row)*) (a: Id, b: Option<Id>, offset: u32) &[a, b.unwrap_or(Id::NONE)], &[offset] }
    };
    (Atomic $($row:tt)*) => {
        emitting! { ($($row)*) (a: Id, b: Option<Id>, c: Id, offset: u32) &[a, b.unwrap_or(Id::NONE), c], &[offset] }
    };
    (AtomicCompare $($row:tt)*) => {
        emitting! {
            ($($row)*) (a: Id, b: Option<Id>, c: Id, d: Id, offset: u32) &[a, b.unwrap_or(Id::NONE), c, d], &[offset]
        }
    };
    (Literal1 $method:ident $name:ident [Int, 1] $doc:expr) => {
        emitting! { ($method $name [] $doc) (value: i32) &[], &[value.cast_unsigned()] }
    };
    (Literal1 $method:ident $name:ident [Uint, 1] $doc:expr) => {
        emitting! { ($method $name [] $doc) (value: u32) &[], &[value] }
    };
    (Literal1 $method:ident $name:ident [Float, 1] $doc:expr) => {
        emitting! { ($method $name [] $doc) (value: f32) &[], &[value.to_bits()] }
    };
    (Literal1 $method:ident $name:ident [Bool, 1] $doc:expr) => {
        emitting! { ($method $name [] $doc) (value: bool) &[], &[value.into()] }
    };
    (Literal4 $method:ident $name:ident [Int, 4] $doc:expr) => {
        emitting! { ($method $name [] $doc) (values: [i32; 4]) &[], &values.map(i32::cast_unsigned) }
    };
    (Literal4 $method:ident $name:ident [Float, 4] $doc:expr) => {
        emitting! { ($method $name [] $doc) (values: [f32; 4]) &[], &values.map(f32::to_bits) }
    };
    // Operations of the shapes `Bare`, `Store`, `Poke` and `Barrier` have no result.
    (Bare $method:ident $name:ident $arguments:tt $doc:expr) => {
        #[doc = $doc]
        #[inline]
        pub fn $method(&mut self) {
            self.emit(Op::$name, &[], &[]);
        }
    };
    (Store $method:ident $name:ident $arguments:tt $doc:expr) => {
        #[doc = $doc]
        ///
        /// `layer` selects a layer of a storage texture that has layers, and `c` is the texel to store.
        #[inline]
        pub fn $method(&mut self, a: Id, b: Id, layer: Option<Id>, c: Id) {
            match layer {
                None => self.emit(Op::$name, &[a, b, c], &[]),
                Some(layer) => self.emit(Op::$name, &[a, b, layer, c], &[]),
            };
        }
    };
    (Poke $method:ident $name:ident $arguments:tt $doc:expr) => {
        #[doc = $doc]
        ///
        /// To write an output, use [`Builder::poke`].
        #[inline]
        pub fn $method(&mut self, a: Id, b: Id, c: Option<Id>, offset: u32) {
            self.emit(Op::$name, &[a, b, c.unwrap_or(Id::NONE)], &[offset]);
        }
    };
    (Barrier $method:ident $name:ident $arguments:tt $doc:expr) => {
        #[doc = $doc]
        #[inline]
        pub fn $method(&mut self, flags: u32) {
            self.emit(Op::$name, &[], &[flags]);
        }
    };
}

macro_rules! define {
    ($($number:literal $name:ident $method:tt $mnemonic:literal $shape:ident, $rule:ident $(($($arg:tt)*))?, $stage:ident, $lowering:tt, $computes:tt, $doc:literal;)*) => {
        impl Builder {
            $(method! { $shape $method $name [$($($arg)*)?] concat!("`", $mnemonic, "`: ", $doc, ".") })*
        }
    };
}

crate::operations!(define);
