//! Reads testdata/operations/cases.txt, which begins with a description of its notation.

use sdlbc::compute::{Value, components};
use sdlbc::{Op, Scalar, Type};

/// An operation on constants, and its expected result.
pub(crate) struct Case {
    pub(crate) line: usize,
    pub(crate) op: Op,
    pub(crate) immediates: Vec<u32>,
    pub(crate) operands: Vec<Value>,
    pub(crate) result: Value,
    /// Whether the result may have a small error.
    pub(crate) near: bool,
}

fn ty(word: &str) -> Option<Type> {
    let scalar = Scalar::ALL.into_iter().find(|scalar| word.starts_with(scalar.name()))?;
    let digits: Vec<u8> = word[scalar.name().len()..].split('x').filter_map(|digits| digits.parse().ok()).collect();
    Some(match digits[..] {
        [columns, rows] => Type::Matrix { columns, rows },
        [width] => Type::Vector(scalar, width),
        _ => Type::Vector(scalar, 1),
    })
}

fn word(word: &str, ty: Type) -> u32 {
    if let Some(hex) = word.strip_prefix("0x") {
        return u32::from_str_radix(hex, 16).expect("a word in hexadecimal");
    }
    match ty {
        Type::Vector(Scalar::Bool, _) => u32::from(word.parse::<bool>().expect("true or false")),
        Type::Vector(Scalar::Int, _) => word.parse::<i32>().expect("an int").cast_unsigned(),
        Type::Vector(Scalar::Uint, _) => word.parse().expect("an unsigned int"),
        _ => word.parse::<f32>().expect("a float").to_bits(),
    }
}

fn values(words: &[&str]) -> Vec<Value> {
    let mut values = Vec::new();
    let mut rest = words;
    while let Some((name, tail)) = rest.split_first() {
        let ty = ty(name).unwrap_or_else(|| panic!("`{name}` is a type"));
        let (own, tail) = tail.split_at(components(ty));
        values.push(Value { ty, words: own.iter().map(|text| word(text, ty)).collect() });
        rest = tail;
    }
    values
}

fn case(line: usize, text: &str) -> Case {
    let (left, right) = text.split_once('=').expect("a line has a result");
    let left: Vec<&str> = left.split_whitespace().collect();
    let op = Op::from_mnemonic(left[0]).unwrap_or_else(|| panic!("`{}` is an operation", left[0]));
    let words = left[1..].iter().take_while(|word| word.starts_with(|c: char| c.is_ascii_digit())).count();
    let immediates = left[1..][..words].iter().map(|text| word(text, Type::UINT)).collect();
    let right: Vec<&str> = right.split_whitespace().collect();
    let near = right.first() == Some(&"~");
    let result = values(&right[usize::from(near)..]).pop().expect("a result");
    Case { line, op, immediates, operands: values(&left[1 + words..]), result, near }
}

pub(crate) fn cases() -> Vec<Case> {
    let text = include_str!("../../../../testdata/operations/cases.txt");
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
    let lines = lines.filter(|(_, line)| !line.starts_with(';') && !line.trim().is_empty());
    lines.map(|(at, line)| case(at, line)).collect()
}

/// Reports whether two words represent the same component, with a small error allowed if `near` is set. All NaNs count as equal.
pub(crate) fn is_same(ty: Type, a: u32, b: u32, near: bool) -> bool {
    let floats = !matches!(ty, Type::Vector(Scalar::Bool | Scalar::Int | Scalar::Uint, _));
    let (x, y) = (f32::from_bits(a), f32::from_bits(b));
    a == b || floats && (x.is_nan() && y.is_nan() || near && (x - y).abs() <= 1e-7 + 2e-6 * y.abs())
}

impl Case {
    /// Panics unless `found` is the expected result.
    #[track_caller]
    pub(crate) fn check(&self, found: &[u32]) {
        let same = found.len() == self.result.words.len()
            && found.iter().zip(&self.result.words).all(|(&a, &b)| is_same(self.result.ty, a, b, self.near));
        let show = |words: &[u32]| match self.result.ty {
            Type::Vector(Scalar::Bool | Scalar::Int | Scalar::Uint, _) => format!("{words:?}"),
            _ => format!("{:?}", words.iter().map(|&word| f32::from_bits(word)).collect::<Vec<_>>()),
        };
        assert!(same, "line {}: {} returns {}, expected {}", self.line, self.op, show(found), show(&self.result.words));
    }
}
