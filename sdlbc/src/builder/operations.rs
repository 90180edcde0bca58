//! A method for each row of the operation table: `builder.multiply(a, b)` emits a MULTIPLY.
//!
//! Rule: the operands, the immediates and the documentation of a method come from its row. The operands have the letters used
//! in the documentation. Operations whose row names no method are written in `builder.rs`: those with blocks, calls, returns
//! and swizzles.

use super::Builder;
use crate::{Id, Op, Scalar, Type};

/// A method of one row: its shape, its name, its operation, the arguments of its type rule, and its documentation.
macro_rules! method {
    ($shape:ident _ $name:ident $arguments:tt $doc:expr) => {};
    (Bare $method:ident $name:ident $arguments:tt $doc:expr) => {
        #[doc = $doc]
        #[inline]
        pub fn $method(&mut self) {
            self.emit(Op::$name, &[], &[]);
        }
    };
    (Unary $method:ident $name:ident $arguments:tt $doc:expr) => {
        #[doc = $doc]
        #[inline]
        pub fn $method(&mut self, a: Id) -> Id {
            self.emit(Op::$name, &[a], &[])
        }
    };
    (Binary $method:ident $name:ident $arguments:tt $doc:expr) => {
        #[doc = $doc]
        #[inline]
        pub fn $method(&mut self, a: Id, b: Id) -> Id {
            self.emit(Op::$name, &[a, b], &[])
        }
    };
    (Ternary $method:ident $name:ident $arguments:tt $doc:expr) => {
        #[doc = $doc]
        #[inline]
        pub fn $method(&mut self, a: Id, b: Id, c: Id) -> Id {
            self.emit(Op::$name, &[a, b, c], &[])
        }
    };
    (Layered2 $method:ident $name:ident $arguments:tt $doc:expr) => {
        #[doc = $doc]
        ///
        /// `layer` is the layer, if `a` has layers.
        #[inline]
        pub fn $method(&mut self, a: Id, b: Id, layer: Option<Id>) -> Id {
            match layer {
                None => self.emit(Op::$name, &[a, b], &[]),
                Some(layer) => self.emit(Op::$name, &[a, b, layer], &[]),
            }
        }
    };
    (Layered3 $method:ident $name:ident $arguments:tt $doc:expr) => {
        #[doc = $doc]
        ///
        /// `layer` is the layer, if `a` has layers. `c` is the operand that has this letter for a texture without layers.
        #[inline]
        pub fn $method(&mut self, a: Id, b: Id, layer: Option<Id>, c: Id) -> Id {
            match layer {
                None => self.emit(Op::$name, &[a, b, c], &[]),
                Some(layer) => self.emit(Op::$name, &[a, b, layer, c], &[]),
            }
        }
    };
    (Layered4 $method:ident $name:ident $arguments:tt $doc:expr) => {
        #[doc = $doc]
        ///
        /// `layer` is the layer, if `a` has layers.
        #[inline]
        pub fn $method(&mut self, a: Id, b: Id, layer: Option<Id>, c: Id, d: Id) -> Id {
            match layer {
                None => self.emit(Op::$name, &[a, b, c, d], &[]),
                Some(layer) => self.emit(Op::$name, &[a, b, layer, c, d], &[]),
            }
        }
    };
    (Store $method:ident $name:ident $arguments:tt $doc:expr) => {
        #[doc = $doc]
        ///
        /// `layer` is the layer, if `a` has layers. `c` is the texel in both cases.
        #[inline]
        pub fn $method(&mut self, a: Id, b: Id, layer: Option<Id>, c: Id) {
            match layer {
                None => self.emit(Op::$name, &[a, b, c], &[]),
                Some(layer) => self.emit(Op::$name, &[a, b, layer, c], &[]),
            };
        }
    };
    (Gather $method:ident $name:ident $arguments:tt $doc:expr) => {
        #[doc = $doc]
        ///
        /// `layer` is the layer, if `a` has layers.
        #[inline]
        pub fn $method(&mut self, a: Id, b: Id, layer: Option<Id>, component: u8) -> Id {
            match layer {
                None => self.emit(Op::$name, &[a, b], &[component.into()]),
                Some(layer) => self.emit(Op::$name, &[a, b, layer], &[component.into()]),
            }
        }
    };
    (Offset $method:ident $name:ident $arguments:tt $doc:expr) => {
        #[doc = $doc]
        ///
        /// The numbers are the offset in x, y and z.
        #[inline]
        pub fn $method(&mut self, a: Id, [x, y, z]: [i8; 3]) -> Id {
            let word = u32::from_le_bytes([x.cast_unsigned(), y.cast_unsigned(), z.cast_unsigned(), 0]);
            self.emit(Op::$name, &[a], &[word])
        }
    };
    (Many $method:ident $name:ident $arguments:tt $doc:expr) => {
        #[doc = $doc]
        #[inline]
        pub fn $method(&mut self, operands: &[Id]) -> Id {
            self.emit(Op::$name, operands, &[])
        }
    };
    (Literal1 $method:ident $name:ident [Int, 1] $doc:expr) => {
        #[doc = $doc]
        #[inline]
        pub fn $method(&mut self, value: i32) -> Id {
            self.emit(Op::$name, &[], &[value.cast_unsigned()])
        }
    };
    (Literal1 $method:ident $name:ident [Uint, 1] $doc:expr) => {
        #[doc = $doc]
        #[inline]
        pub fn $method(&mut self, value: u32) -> Id {
            self.emit(Op::$name, &[], &[value])
        }
    };
    (Literal1 $method:ident $name:ident [Float, 1] $doc:expr) => {
        #[doc = $doc]
        #[inline]
        pub fn $method(&mut self, value: f32) -> Id {
            self.emit(Op::$name, &[], &[value.to_bits()])
        }
    };
    (Literal1 $method:ident $name:ident [Bool, 1] $doc:expr) => {
        #[doc = $doc]
        #[inline]
        pub fn $method(&mut self, value: bool) -> Id {
            self.emit(Op::$name, &[], &[value.into()])
        }
    };
    (Literal4 $method:ident $name:ident [Int, 4] $doc:expr) => {
        #[doc = $doc]
        #[inline]
        pub fn $method(&mut self, values: [i32; 4]) -> Id {
            self.emit(Op::$name, &[], &values.map(i32::cast_unsigned))
        }
    };
    (Literal4 $method:ident $name:ident [Float, 4] $doc:expr) => {
        #[doc = $doc]
        #[inline]
        pub fn $method(&mut self, values: [f32; 4]) -> Id {
            self.emit(Op::$name, &[], &values.map(f32::to_bits))
        }
    };
    (Convert $method:ident $name:ident $arguments:tt $doc:expr) => {
        #[doc = $doc]
        #[inline]
        pub fn $method(&mut self, a: Id, to: Scalar) -> Id {
            self.emit(Op::$name, &[a], &[Type::Vector(to, 1).word()])
        }
    };
    (Peek $method:ident $name:ident $arguments:tt $doc:expr) => {
        #[doc = $doc]
        #[inline]
        pub fn $method(&mut self, a: Id, b: Option<Id>, offset: u32) -> Id {
            self.emit(Op::$name, &[a, b.unwrap_or(Id::NONE)], &[offset])
        }
    };
    (Poke $method:ident $name:ident $arguments:tt $doc:expr) => {
        #[doc = $doc]
        ///
        /// [`Builder::poke`] writes an output.
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
        /// A method for each row of the operation table, except those with blocks, calls, returns and swizzles.
        impl Builder {
            $(method! { $shape $method $name [$($($arg)*)?] concat!("`", $mnemonic, "`: ", $doc, ".") })*
        }
    };
}

crate::operations!(define);
