//! Implements the operation table's `computes` column: loops over lanes, and constant folding with these loops.
//!
//! Rule: only the closure in an operation's row defines what the operation computes. [`kernel`] wraps the closure in a loop over
//! `N` lanes of a single component, which is a scalar or one component of a vector. [`compute`] runs the loop with one lane, and
//! an executor may use any number of lanes. A half is represented as a float, and code that runs a kernel must round the result
//! ([`Kernel::of_halves`]). [`kernel_of`] and [`conversion_of`] return kernels for any floating-point arithmetic.

use crate::module::lanes;
use crate::number::{self, Float, Word};
use crate::{Context, Id, Inst, Op, Scalar, Type, TypeRule, infer};

/// The bits of one component in `N` lanes.
type Lanes<const N: usize> = [u32; N];

/// A loop over `N` lanes. The first argument of the function is the result, and the remaining arguments are the operands. Each
/// component has its own column of `N` words.
#[derive(Clone, Copy, Debug)]
pub enum Kernel<const N: usize> {
    /// Computes one component of the result from one component.
    One(fn(&mut Lanes<N>, &Lanes<N>)),
    /// Computes one component of the result from two components.
    Two(fn(&mut Lanes<N>, &Lanes<N>, &Lanes<N>)),
    /// Computes one component of the result from three components.
    Three(fn(&mut Lanes<N>, &Lanes<N>, &Lanes<N>, &Lanes<N>)),
    /// Folds the components of the operand from the left, two at a time. A single component is its own result.
    Fold(fn(&mut Lanes<N>, &Lanes<N>, &Lanes<N>)),
    /// Computes all components of the result from all components of the operands, in the order of the operands.
    Whole(fn(&mut [Lanes<N>; 4], &[&Lanes<N>])),
}

impl<const N: usize> Kernel<N> {
    /// Rounds each lane of a result component to a half.
    pub fn of_halves(column: &mut [u32; N]) {
        column.iter_mut().for_each(|word| *word = number::half(f32::from_bits(*word)).to_bits());
    }
}

/// Defines loops over the lanes of single components, for closures with the listed operands.
macro_rules! component_loops {
    ($($name:ident($($operand:ident: $Word:ident),+);)*) => {$(
        #[inline(always)]
        #[expect(clippy::indexing_slicing, reason = "a lane is below N")]
        fn $name<const N: usize, $($Word: Word,)+ R: Word, F: Fn($($Word),+) -> R>(
            out: &mut [u32; N],
            $($operand: &[u32; N],)+
            f: F,
        ) {
            for lane in 0..N {
                out[lane] = f($($Word::of($operand[lane])),+).bits();
            }
        }
    )*};
}

component_loops! {
    one(a: A);
    two(a: A, b: B);
    three(a: A, b: B, c: C);
}

/// A float or a float vector that is an operand or the result of a closure on whole vectors.
trait Floats: Copy {
    const WIDTH: usize;
    fn gather<const N: usize>(from: &[&[u32; N]; 4], lane: usize) -> Self;
    fn scatter<const N: usize>(self, out: &mut [[u32; N]; 4], lane: usize);
}

#[expect(clippy::indexing_slicing, reason = "a lane is below N, a component below the width")]
impl<F: Float> Floats for F {
    const WIDTH: usize = 1;
    #[inline(always)]
    fn gather<const N: usize>(from: &[&[u32; N]; 4], lane: usize) -> F {
        F::of(from[0][lane])
    }
    #[inline(always)]
    fn scatter<const N: usize>(self, out: &mut [[u32; N]; 4], lane: usize) {
        out[0][lane] = self.bits();
    }
}

#[expect(clippy::indexing_slicing, reason = "a lane is below N, a component below the width")]
impl<F: Float, const W: usize> Floats for [F; W] {
    const WIDTH: usize = W;
    #[inline(always)]
    fn gather<const N: usize>(from: &[&[u32; N]; 4], lane: usize) -> [F; W] {
        std::array::from_fn(|at| F::of(from[at][lane]))
    }
    #[inline(always)]
    fn scatter<const N: usize>(self, out: &mut [[u32; N]; 4], lane: usize) {
        for at in 0..W {
            out[at][lane] = self[at].bits();
        }
    }
}

/// Returns the columns of the operand whose first component is at index `first` of `all`. Missing columns repeat the operand's
/// first column.
#[inline(always)]
#[expect(clippy::indexing_slicing, reason = "callers pass the columns of all components of the operands")]
fn columns<'a, const N: usize>(all: &[&'a [u32; N]], first: usize, width: usize) -> [&'a [u32; N]; 4] {
    std::array::from_fn(|at| all[first + if at < width { at } else { 0 }])
}

/// Defines loops over the lanes of whole vectors, for closures with the listed operands.
macro_rules! whole_loops {
    ($($name:ident($($operand:ident: $Vector:ident),+);)*) => {$(
        #[inline(always)]
        #[allow(unused_assignments, reason = "nothing follows the last operand")]
        fn $name<const N: usize, $($Vector: Floats,)+ R: Floats, F: Fn($($Vector),+) -> R>(
            out: &mut [[u32; N]; 4],
            of: &[&[u32; N]],
            f: F,
        ) {
            let mut first = 0;
            $(
                let $operand = columns(of, first, $Vector::WIDTH);
                first += $Vector::WIDTH;
            )+
            for lane in 0..N {
                f($($Vector::gather(&$operand, lane)),+).scatter(out, lane);
            }
        }
    )*};
}

whole_loops! {
    whole_one(a: A);
    whole_two(a: A, b: B);
    whole_three(a: A, b: B, c: C);
}

/// Maps a word of the `computes` column to the component types that the word covers.
#[rustfmt::skip]
macro_rules! scalars {
    (float) => { Scalar::Float | Scalar::Half };
    (int) => { Scalar::Int };
    (uint) => { Scalar::Uint };
    (bool) => { Scalar::Bool };
}

/// Maps a word of the `computes` column to the Rust type of a component in the closure.
#[rustfmt::skip]
macro_rules! word {
    (float) => { F };
    (int) => { i32 };
    (uint) => { u32 };
    (bool) => { bool };
}

/// Wraps a closure in a loop over lanes that fits the row's shape and typing rule.
macro_rules! each {
    (Unary $rule:ident $kind:ident $f:expr) => {
        Kernel::One(|out, a| one::<N, word!($kind), _, _>(out, a, $f))
    };
    (Binary ByInts $kind:ident $f:expr) => {
        Kernel::Two(|out, a, b| two::<N, word!($kind), u32, _, _>(out, a, b, $f))
    };
    (Binary $rule:ident $kind:ident $f:expr) => {
        Kernel::Two(|out, a, b| two::<N, word!($kind), word!($kind), _, _>(out, a, b, $f))
    };
    (Ternary $rule:ident $kind:ident $f:expr) => {
        Kernel::Three(|out, a, b, c| three::<N, word!($kind), word!($kind), word!($kind), _, _>(out, a, b, c, $f))
    };
}

/// Wraps a closure on whole vectors in a loop over lanes, for vectors of a given width.
macro_rules! whole {
    (Unary $rule:ident $width:literal $f:expr) => {
        Kernel::Whole(|out, of| whole_one::<N, [F; $width], _, _>(out, of, $f))
    };
    (Binary $rule:ident $width:literal $f:expr) => {
        Kernel::Whole(|out, of| whole_two::<N, [F; $width], [F; $width], _, _>(out, of, $f))
    };
    (Ternary Refract $width:literal $f:expr) => {
        Kernel::Whole(|out, of| whole_three::<N, [F; $width], [F; $width], F, _, _>(out, of, $f))
    };
    (Ternary $rule:ident $width:literal $f:expr) => {
        Kernel::Whole(|out, of| whole_three::<N, [F; $width], [F; $width], [F; $width], _, _>(out, of, $f))
    };
}

/// Selects a row's kernel by the component type and width of the first operand, or, for SELECT, of the second operand.
macro_rules! row {
    ($scalar:ident $width:ident $shape:ident $rule:ident { $($($kind:ident),+: $f:expr);+ }) => {
        match $scalar {
            $($(scalars!($kind) => each!($shape $rule $kind $f),)+)+
            #[allow(unreachable_patterns)]
            _ => return None,
        }
    };
    ($scalar:ident $width:ident $shape:ident Cross (whole $f:expr)) => {
        if $width == 3 { whole!($shape Cross 3 $f) } else { return None }
    };
    ($scalar:ident $width:ident $shape:ident $rule:ident (whole $f:expr)) => {
        match $width {
            1 => whole!($shape $rule 1 $f),
            2 => whole!($shape $rule 2 $f),
            3 => whole!($shape $rule 3 $f),
            4 => whole!($shape $rule 4 $f),
            _ => return None,
        }
    };
    ($scalar:ident $width:ident $shape:ident $rule:ident (fold $f:expr)) => {
        Kernel::Fold(|out, a, b| two::<N, bool, bool, _, _>(out, a, b, $f))
    };
    ($scalar:ident $width:ident $shape:ident $rule:ident (choose $f:expr)) => {
        Kernel::Three(|out, a, b, c| three::<N, bool, u32, u32, _, _>(out, a, b, c, $f))
    };
    ($scalar:ident $width:ident $shape:ident $rule:ident ($structure:ident)) => { return None };
}

macro_rules! define {
    ($($number:literal $name:ident $method:tt $mnemonic:literal $shape:ident, $rule:ident $(($($arg:tt)*))?, $stage:ident, $lowering:tt, $computes:tt, $doc:literal;)*) => {
        fn of_row<F: Float, const N: usize>(op: Op, scalar: Scalar, width: u8) -> Option<Kernel<N>> {
            Some(match op { $(Op::$name => row!(scalar width $shape $rule $computes)),* })
        }

        // The table is expanded twice, because a closure is compiled for the target features of the function that contains it.
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2")]
        fn of_row_avx2<F: Float, const N: usize>(op: Op, scalar: Scalar, width: u8) -> Option<Kernel<N>> {
            Some(match op { $(Op::$name => row!(scalar width $shape $rule $computes)),* })
        }
    };
}

crate::operations!(define);

/// Returns the loop that computes an operation on operands of the given types. Returns `None` if the operation depends on more
/// than its operands, moves components ([`choice`]), or is a product of linear algebra ([`products`]).
pub fn kernel<const N: usize>(op: Op, operands: &[Type]) -> Option<Kernel<N>> {
    kernel_of::<f32, N>(op, operands)
}

/// Returns the loop that [`kernel`] returns, with floats and halves computed in the arithmetic `F`.
pub fn kernel_of<F: Float, const N: usize>(op: Op, operands: &[Type]) -> Option<Kernel<N>> {
    let (scalar, width) = row_of(op, operands)?;
    of_row::<F, N>(op, scalar, width)
}

/// Returns the loop that [`kernel`] returns, compiled for processors with AVX2. Except for NaNs, the two loops return the same
/// bits.
///
/// # Safety
/// The processor must have AVX2. A function that is itself compiled for AVX2 can call this function without `unsafe`.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
pub fn kernel_avx2<const N: usize>(op: Op, operands: &[Type]) -> Option<Kernel<N>> {
    let (scalar, width) = row_of(op, operands)?;
    of_row_avx2::<f32, N>(op, scalar, width)
}

fn row_of(op: Op, operands: &[Type]) -> Option<(Scalar, u8)> {
    let &Type::Vector(scalar, width) = operands.get(usize::from(op == Op::Select)).or(operands.first())? else {
        return None;
    };
    Some((scalar, width))
}

/// Returns the loop of a CONVERT from one component type to another, or `None` if the conversion keeps the bits.
pub fn conversion<const N: usize>(from: Scalar, to: Scalar) -> Option<Kernel<N>> {
    conversion_of::<f32, N>(from, to)
}

/// Returns the loop that [`conversion`] returns, with floats and halves computed in the arithmetic `F`.
pub fn conversion_of<F: Float, const N: usize>(from: Scalar, to: Scalar) -> Option<Kernel<N>> {
    use Scalar::{Bool, Float, Half, Int, Uint};
    Some(match (from, to) {
        (Float | Half, Bool) => Kernel::One(|out, a| one::<N, F, _, _>(out, a, |a| a.single() != 0.0)),
        (Int | Uint, Bool) => Kernel::One(|out, a| one::<N, u32, _, _>(out, a, |a| a != 0)),
        (Float | Half, Int) => Kernel::One(|out, a| one::<N, F, _, _>(out, a, number::int)),
        (Float | Half, Uint) => Kernel::One(|out, a| one::<N, F, _, _>(out, a, number::uint)),
        (Int, Float | Half) => Kernel::One(|out, a| one::<N, i32, _, _>(out, a, |a| F::nearest(f64::from(a)))),
        (Uint | Bool, Float | Half) => Kernel::One(|out, a| one::<N, u32, _, _>(out, a, |a| F::nearest(f64::from(a)))),
        (Float, Half) => Kernel::One(|out, a| one::<N, f32, _, _>(out, a, |a| a)),
        _ => return None,
    })
}

/// A component of the operands: the index of the operand, and the index of the component in that operand. The components of a
/// matrix are in column-major order.
pub type Component = (usize, usize);

/// Returns the components that form the result of a SWIZZLE, VECTOR, MATRIX, TRANSPOSE, BITCAST, or bit-preserving CONVERT.
/// Returns `None` for other operations.
pub fn choice(op: Op, operands: &[Type], immediates: &[u32]) -> Option<Vec<Component>> {
    let all = |of: usize| (0..operands.get(of).map_or(0, |&ty| components(ty))).map(move |at| (of, at));
    Some(match (op, operands) {
        (Op::Swizzle, [_]) => lanes(*immediates.first()?).map(|lane| (0, usize::from(lane))).collect(),
        (Op::Vector | Op::Matrix, _) => (0..operands.len()).flat_map(all).collect(),
        (Op::Convert | Op::Bitcast, [_]) => all(0).collect(),
        (Op::Transpose, &[Type::Matrix { columns, rows }]) => {
            let (columns, rows) = (usize::from(columns), usize::from(rows));
            (0..rows).flat_map(|row| (0..columns).map(move |column| (0, column * rows + row))).collect()
        }
        _ => return None,
    })
}

/// For each component of a product in linear algebra, returns the row and the column that are multiplied, as two lists of operand
/// components. Returns `None` for other operations.
pub fn products(op: Op, operands: &[Type]) -> Option<Vec<(Vec<Component>, Vec<Component>)>> {
    let (Op::Multiply, &[left, right]) = (op, operands) else { return None };
    // A row vector counts as a matrix with one row, and a column vector as a matrix with one column.
    let (rows, inner, columns) = match (left, right) {
        (Type::Matrix { columns, rows }, Type::Matrix { columns: c, .. }) => (rows, columns, c),
        (Type::Matrix { columns, rows }, Type::Vector(_, 2..)) => (rows, columns, 1),
        (Type::Vector(_, 2..), Type::Matrix { columns, rows }) => (1, rows, columns),
        _ => return None,
    };
    let (rows, inner, columns) = (usize::from(rows), usize::from(inner), usize::from(columns));
    let row = |row: usize| (0..inner).map(|at| (0, at * rows + row)).collect();
    let column = |column: usize| (0..inner).map(|at| (1, column * inner + at)).collect();
    Some((0..columns).flat_map(|c| (0..rows).map(move |r| (row(r), column(c)))).collect())
}

/// Returns the number of components of a type, including all columns of a matrix and all elements of an array.
pub fn components(ty: Type) -> usize {
    match ty {
        Type::Vector(_, width) => width.into(),
        Type::Matrix { columns, rows } => usize::from(columns) * usize::from(rows),
        Type::Array(_, width, length) => usize::from(width) * length as usize,
        // The number of elements in a storage buffer is unknown at compile time.
        Type::Texture(..) | Type::Buffer(..) | Type::Image(..) => 0,
    }
}

/// Returns the position of the array element `index + offset`, clamped to the bounds of an array of `length` elements.
/// `index` contains the bits of an int.
pub fn element(index: u32, offset: u32, length: usize) -> usize {
    let last = i32::try_from(length).unwrap_or(i32::MAX).saturating_sub(1).max(0);
    usize::try_from(index.wrapping_add(offset).cast_signed().clamp(0, last)).unwrap_or(0)
}

/// A constant, represented by the bits of its components. The columns of a matrix and the elements of an array are stored one
/// after another. A half is represented as the bits of a float.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// The type of the constant.
    pub ty: Type,
    /// The bits of each component of the constant.
    pub words: Vec<u32>,
}

/// Folds an operation on constants. Returns `None` if the operation is not purely computational or its operands do not fit.
///
/// ```
/// use sdlbc::{Op, Type, compute::{Value, compute}};
///
/// let of = |ty, numbers: &[f32]| Value { ty, words: numbers.iter().map(|number| number.to_bits()).collect() };
/// let a = of(Type::floats(2), &[1.0, 2.0]);
/// assert_eq!(compute(Op::Multiply, &[a.clone(), of(Type::FLOAT, &[3.0])], &[]), Some(of(Type::floats(2), &[3.0, 6.0])));
/// assert_eq!(compute(Op::Ddx, &[a], &[]), None);
/// ```
pub fn compute(op: Op, operands: &[Value], immediates: &[u32]) -> Option<Value> {
    let types: Vec<Type> = operands.iter().map(|operand| operand.ty).collect();
    if operands.iter().any(|operand| operand.words.len() != components(operand.ty)) {
        return None;
    }
    // A PEEK of a constant has no operand for an absent index, but type inference expects both ids.
    let ids: Vec<Id> = (1..).map(Id).take(operands.len().max(2 * usize::from(op == Op::Peek))).collect();
    let inst = Inst::new(op, Id(u32::MAX), &ids, immediates);
    let shape = op.shape();
    if !shape.inputs.allows(ids.len()) || immediates.len() != shape.immediates {
        return None;
    }
    let ty = infer(&inst, &types, &Context::default()).ok()??;
    let at = |(of, at): Component| operands.get(of)?.words.get(at).map(|word| [*word]);
    let words: Option<Vec<u32>> = match op.type_rule() {
        TypeRule::Literal(..) => Some(immediates.to_vec()),
        TypeRule::Peek => {
            let (whole, width) = (operands.first()?, components(ty));
            let index = operands.get(1).and_then(|index| index.words.first()).copied().unwrap_or(0);
            let first = element(index, *immediates.first()?, whole.words.len().checked_div(width)?) * width;
            whole.words.get(first..first + width).map(<[u32]>::to_vec)
        }
        TypeRule::Convert => match (types.first(), ty) {
            (Some(&Type::Vector(from, _)), Type::Vector(to, _)) => match conversion(from, to) {
                Some(kernel) => componentwise(kernel, operands, ty),
                None => Some(operands.first()?.words.clone()),
            },
            _ => None,
        },
        _ => {
            if let Some(choice) = choice(op, &types, immediates) {
                choice.into_iter().map(|from| Some(at(from)?[0])).collect()
            } else if let Some(products) = products(op, &types) {
                let of_one = |(row, column): (Vec<Component>, Vec<Component>)| {
                    let all: Option<Vec<[u32; 1]>> = row.iter().chain(&column).map(|&from| at(from)).collect();
                    let kernel = kernel(Op::Dot, &[Type::floats(u8::try_from(row.len()).ok()?); 2])?;
                    Some(run(kernel, &all?.iter().collect::<Vec<_>>())?[0])
                };
                products.into_iter().map(of_one).collect()
            } else {
                // The product of a matrix and a scalar is computed component by component.
                let flat: Vec<Type> =
                    types.iter().map(|&ty| if ty.width().is_some() { ty } else { Type::FLOAT }).collect();
                componentwise(kernel(op, &flat)?, operands, ty)
            }
        }
    };
    let mut words = words?;
    if matches!(ty, Type::Vector(Scalar::Half, _)) {
        words.iter_mut().for_each(|word| *word = number::half(f32::from_bits(*word)).to_bits());
    }
    Some(Value { ty, words })
}

fn run(kernel: Kernel<1>, of: &[&[u32; 1]]) -> Option<[u32; 4]> {
    let mut out = [[0]; 4];
    match (kernel, of) {
        (Kernel::One(f), [a]) => f(&mut out[0], a),
        (Kernel::Two(f), [a, b]) => f(&mut out[0], a, b),
        (Kernel::Three(f), [a, b, c]) => f(&mut out[0], a, b, c),
        (Kernel::Fold(f), [first, rest @ ..]) => {
            out[0] = **first;
            rest.iter().for_each(|next| {
                let before = out[0];
                f(&mut out[0], &before, next);
            });
        }
        (Kernel::Whole(f), [_, ..]) => f(&mut out, of),
        _ => return None,
    }
    Some(out.map(|[word]| word))
}

fn componentwise(kernel: Kernel<1>, operands: &[Value], ty: Type) -> Option<Vec<u32>> {
    let width = components(ty);
    if matches!(kernel, Kernel::Fold(_) | Kernel::Whole(_)) {
        let all: Vec<[u32; 1]> = operands.iter().flat_map(|operand| &operand.words).map(|&word| [word]).collect();
        return run(kernel, &all.iter().collect::<Vec<_>>())?.get(..width).map(<[u32]>::to_vec);
    }
    let one = |at: usize| {
        // A scalar operand applies to each component of the result.
        let lanes = operands.iter().map(|operand| Some([*operand.words.get(at % operand.words.len().max(1))?]));
        let lanes: Option<Vec<[u32; 1]>> = lanes.collect();
        Some(run(kernel, &lanes?.iter().collect::<Vec<_>>())?[0])
    };
    (0..width).map(one).collect()
}
