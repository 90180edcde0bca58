//! `run` executes one invocation of a vertex or fragment function with `sdlbc-interp`.
//!
//! A fragment function runs in a quad, whose four fragments have the same inputs. Rule: as in `agalc run`, an input is set by its
//! own name or by the name of the register at its location. Inputs that are not set are 0, and textures are white. A constant
//! whose value is stated in the program's source text has that value.

use std::collections::BTreeMap;

use agalc::render::shown;
use agalc::{DebugLevel, Input};
use agalc_wasm_bridge::{Options, Refused};
use sdlbc::{Function, FunctionKind, Input as Given, InputKind, Scalar, Type};
use sdlbc_interp::{Column, LANES, Program, Resources, Texture, find_input, no_such_input};

use crate::given::quoted;

#[derive(Debug, PartialEq)]
pub(crate) struct Ran {
    pub(crate) stage: FunctionKind,
    pub(crate) is_discarded: bool,
    /// The name and the value of each output, in the order of the function's declarations.
    pub(crate) outputs: Vec<(String, Vec<f64>)>,
}

/// Runs the only entry function in the inputs, or the entry function of the stage that the options select.
pub(crate) fn run(inputs: &[Input], settings: &BTreeMap<String, Vec<f64>>, options: &Options) -> Result<Ran, Refused> {
    // Without a debug table, registers keep their AGAL names even if the source text renames them.
    let reading = options.reading(false)?;
    // Two inputs form a pair, so the stage only selects the function to run.
    let stage = reading.stage.filter(|_| inputs.len() == 1);
    let reading = reading.stage(stage).debug(DebugLevel::None);
    let loaded = agalc::load_all(inputs, &reading)?;
    let (index, function) = entry(&loaded.module.functions, options)?;
    let mut setter = Setter::new(function);
    let programs = loaded.programs.iter().filter_map(agalc::Program::agal);
    for agal in programs.filter(|agal| FunctionKind::from(agal.program.stage) == function.kind) {
        for alias in &agal.aliases {
            let register = alias.target.split('.').next().unwrap_or_default();
            let values = alias.values.iter().flatten().zip(0..);
            values.for_each(|(value, component)| setter.give(register, component, *value));
        }
    }
    for (name, values) in settings {
        setter.set(name, values)?;
    }
    let refused =
        |error: sdlbc_interp::Error| Refused::plain(format!("{} cannot be run: {error}", quoted(&function.name)));
    let program = Program::new(&loaded.module, index).map_err(refused)?;
    let columns = |kind: InputKind| setter.columns.iter().find(|(of, _)| *of == kind).map(|(_, columns)| *columns);
    let ran = program.run(&setter.resources, 1, &columns, None).map_err(refused)?;
    let outputs = function.outputs.iter().zip(&ran.outputs).map(|(output, columns)| {
        let words = columns.iter().filter_map(|column| column.first());
        (output.name.to_string(), words.map(|&word| number(scalar(output.ty), word)).collect())
    });
    Ok(Ran { stage: function.kind, is_discarded: ran.live & 1 == 0, outputs: outputs.collect() })
}

fn entry<'f>(functions: &'f [Function], options: &Options) -> Result<(usize, &'f Function), Refused> {
    let stage = options.stage().map(|stage| stage.to_string());
    let is_wanted = |function: &Function| match &stage {
        Some(stage) => function.kind.name() == stage,
        None => function.kind != FunctionKind::Generic,
    };
    let entries: Vec<_> = functions.iter().enumerate().filter(|(_, function)| is_wanted(function)).collect();
    match (&entries[..], &stage) {
        ([(_, function)], _) if function.kind == FunctionKind::Compute => {
            Err(Refused::plain("compute functions are not run here; `agalc run` runs them"))
        }
        ([(_, function)], _) if function.inputs.iter().any(|input| matches!(input.kind, InputKind::Buffer { .. })) => {
            Err(Refused::plain("functions that read storage buffers are not run here"))
        }
        ([(_, function)], _) if function.inputs.iter().any(|input| matches!(input.kind, InputKind::Image { .. })) => {
            Err(Refused::plain("functions that read storage textures are not run here"))
        }
        ([one], _) => Ok(*one),
        ([], Some(stage)) => Err(Refused::plain(format!("there is no {stage} program"))),
        ([], None) => Err(Refused::plain("the module has no vertex, fragment or compute function")),
        _ => Err(Refused::plain("`run` runs one program; select it with the option `stage`")),
    }
}

struct Setter<'a> {
    function: &'a Function,
    /// The values of attributes, varyings and builtins in each lane.
    columns: Vec<(InputKind, [Column; 4])>,
    resources: Resources,
}

impl<'a> Setter<'a> {
    fn new(function: &'a Function) -> Setter<'a> {
        let mut resources = Resources::default();
        for input in &function.inputs {
            if let (InputKind::Texture { slot, .. }, Type::Texture(dimension, _)) = (input.kind, input.ty) {
                resources.textures.insert((function.kind, slot), Texture::plain(dimension, [1.0; 4]));
            }
        }
        Setter { function, columns: Vec::new(), resources }
    }

    /// Finds an input by its name. If the name contains the index of an array element, that index is also returned.
    fn find(&self, name: &str) -> Option<(&'a Given, Option<u32>)> {
        let (input, element) = find_input(self.function, name)?;
        Some((self.function.inputs.get(input)?, element))
    }

    /// Sets a component of a constant register, if the function reads that register.
    fn give(&mut self, register: &str, component: usize, value: Option<f32>) {
        let (Some(value), Some((input, Some(element)))) = (value, self.find(register)) else { return };
        if matches!(input.ty, Type::Array(Scalar::Float, 4, count) if element < count) {
            self.put(input, element as usize * 4 + component, value.to_bits());
        }
    }

    fn put(&mut self, input: &Given, index: usize, word: u32) {
        let key = (self.function.kind, input.name.to_string());
        let words = self.resources.uniforms.entry(key).or_default();
        words.resize(words.len().max(index + 1), 0);
        if let Some(held) = words.get_mut(index) {
            *held = word;
        }
    }

    /// Sets an input. Missing components of a vector are taken from (0, 0, 0, 1), and missing components of a uniform are 0. In
    /// an array of constants, surplus numbers set the components of the next element.
    fn set(&mut self, name: &str, values: &[f64]) -> Result<(), Refused> {
        let Some((input, element)) = self.find(name) else {
            return Err(Refused::plain(no_such_input(self.function, name, quoted)));
        };
        match (input.kind, input.ty) {
            (InputKind::Texture { slot, .. }, Type::Texture(dimension, _)) => {
                let texel = vector(name, values, Type::FLOAT4)?;
                let mut colour = [0.0; 4];
                colour.iter_mut().zip(texel).for_each(|(to, word)| *to = f32::from_bits(word));
                self.resources.textures.insert((self.function.kind, slot), Texture::plain(dimension, colour));
            }
            (InputKind::Uniform | InputKind::Placed { .. }, ty) => {
                let (ty, count) = match ty {
                    Type::Array(scalar, width, count) => (Type::Vector(scalar, width), count as usize),
                    ty => (ty, 1),
                };
                let size = sdlbc::compute::components(ty).max(1);
                let first = element.unwrap_or(0) as usize;
                let elements = values.len().div_ceil(size).max(1);
                if first.saturating_add(elements) > count {
                    return Err(match input.ty {
                        Type::Array(..) => {
                            let (array, last) = (shown::name(&input.name), first.saturating_add(elements - 1));
                            let elements = if count == 1 { "element" } else { "elements" };
                            Refused::plain(format!(
                                "`{array}[{last}]` does not exist: the array has {count} {elements}"
                            ))
                        }
                        _ => holds(name, size, values.len()),
                    });
                }
                for at in 0..elements * size {
                    let value = values.get(at).copied().unwrap_or(0.0);
                    self.put(input, first * size + at, word(name, value, scalar(ty))?);
                }
            }
            (kind, ty) => {
                let mut columns = [[0; LANES]; 4];
                columns.iter_mut().zip(vector(name, values, ty)?).for_each(|(column, word)| column.fill(word));
                self.columns.retain(|(of, _)| *of != kind);
                self.columns.push((kind, columns));
            }
        }
        Ok(())
    }
}

fn vector(name: &str, values: &[f64], ty: Type) -> Result<Vec<u32>, Refused> {
    let width = sdlbc::compute::components(ty);
    if values.len() > width {
        return Err(holds(name, width, values.len()));
    }
    let usual = (values.len()..width).map(|at| if at == 3 { 1.0 } else { 0.0 });
    values.iter().copied().chain(usual).map(|value| word(name, value, scalar(ty))).collect()
}

/// Returns the error for an input to which the user assigns more numbers than the input has components.
fn holds(name: &str, most: usize, found: usize) -> Refused {
    let plural = if most == 1 { "number" } else { "numbers" };
    Refused::plain(format!("{} holds {most} {plural}, but {found} are given", quoted(name)))
}

fn scalar(ty: Type) -> Scalar {
    match ty {
        Type::Vector(scalar, _) | Type::Array(scalar, ..) => scalar,
        _ => Scalar::Float,
    }
}

fn word(name: &str, value: f64, scalar: Scalar) -> Result<u32, Refused> {
    let whole = |range: std::ops::RangeInclusive<f64>, what: &str| match value.fract() == 0.0 && range.contains(&value)
    {
        true => Ok(value),
        false => Err(Refused::plain(format!("{} holds {what}; {value} is not one", quoted(name)))),
    };
    #[expect(clippy::cast_possible_truncation, reason = "floats are rounded, and integers are in range")]
    Ok(match scalar {
        Scalar::Float => (value as f32).to_bits(),
        Scalar::Half => sdlbc::number::half(value as f32).to_bits(),
        Scalar::Int => (whole(f64::from(i32::MIN)..=f64::from(i32::MAX), "a 32-bit integer")? as i32).cast_unsigned(),
        Scalar::Uint => whole(0.0..=f64::from(u32::MAX), "an unsigned 32-bit integer")? as u32,
        Scalar::Bool => whole(0.0..=1.0, "a bool, 0 or 1")? as u32,
    })
}

fn number(scalar: Scalar, word: u32) -> f64 {
    match scalar {
        Scalar::Float | Scalar::Half => f64::from(f32::from_bits(word)),
        Scalar::Int => f64::from(word.cast_signed()),
        Scalar::Uint => f64::from(word),
        Scalar::Bool => f64::from(u32::from(word != 0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran_with(options: &Options, texts: &[&str], settings: &[(&str, &[f64])]) -> Result<Ran, String> {
        let input = |text: &&str| Input { name: "input".to_string(), bytes: text.as_bytes().to_vec() };
        let inputs: Vec<Input> = texts.iter().map(input).collect();
        let settings = settings.iter().map(|(name, values)| (name.to_string(), values.to_vec())).collect();
        run(&inputs, &settings, options).map_err(|refused| refused.message().to_string())
    }

    fn ran(text: &str, settings: &[(&str, &[f64])]) -> Result<Vec<(String, Vec<f64>)>, String> {
        ran_with(&Options::default(), &[text], settings).map(|ran| ran.outputs)
    }

    fn output(name: &str, values: &[f64]) -> (String, Vec<f64>) {
        (name.to_string(), values.to_vec())
    }

    #[test]
    fn inputs_are_set_by_register_and_outputs_have_names() {
        let text = "add op, va0, vc3\nmov v0, va1\n";
        let found = ran(text, &[("va0", &[1.0, 2.0]), ("vc3", &[10.0, 20.0, 30.0])]);
        let expected = [output("op", &[11.0, 22.0, 30.0, 1.0]), output("v0", &[0.0; 4])];
        assert_eq!(found.as_deref(), Ok(&expected[..]));
        // Surplus numbers set the components of the next register.
        let found = ran("mov op, vc1\n", &[("vc", &[1.0, 2.0, 3.0, 4.0, 5.0])]);
        assert_eq!(found.as_deref(), Ok(&[output("op", &[5.0, 0.0, 0.0, 0.0])][..]));
    }

    #[test]
    fn textures_are_white_unless_they_are_set() {
        let text = "tex oc, v0, fs0 <2d>\n";
        assert_eq!(ran(text, &[]).as_deref(), Ok(&[output("oc", &[1.0; 4])][..]));
        assert_eq!(ran(text, &[("fs0", &[0.0, 1.0])]).as_deref(), Ok(&[output("oc", &[0.0, 1.0, 0.0, 1.0])][..]));
    }

    #[test]
    fn a_stage_selects_a_program_of_a_pair() {
        let pair = ["mov op, va0\nmov v0, va0\n", "kil v0.x\nmov oc, v0\n"];
        let both = ran_with(&Options::default(), &pair, &[]);
        assert_eq!(both, Err("`run` runs one program; select it with the option `stage`".to_string()));
        let fragment = serde_json::from_str::<Options>(r#"{ "stage": "fragment" }"#).expect("options");
        let ran = ran_with(&fragment, &pair, &[("v0", &[-1.0])]).expect("it runs");
        assert_eq!((ran.stage, ran.is_discarded), (FunctionKind::Fragment, true));
    }

    #[test]
    fn uniforms_of_modules_are_set_by_name_and_type() {
        let text = "
vertex function \"vs_main\" {
  input %1 count: int = uniform
  input %2 scale: float2[2] = uniform
  output 0 position: float4 = position
  output 1 doubled: int = varying 0 flat
  %3 = add %1, %1
  poke %3, 1
  %4 = peek %2, 1
  %5 = literalfloat 0.0
  %6 = vector %4, %5, %5
  poke %6, 0
}
";
        let found = ran(text, &[("count", &[-2.0]), ("scale[1]", &[1.5, 2.5])]);
        let expected = [output("position", &[1.5, 2.5, 0.0, 0.0]), output("doubled", &[-4.0])];
        assert_eq!(found.as_deref(), Ok(&expected[..]));
        let said = |settings: &[(&str, &[f64])]| ran(text, settings).expect_err("it is wrong");
        assert_eq!(said(&[("count", &[0.5])]), "`count` holds a 32-bit integer; 0.5 is not one");
        assert_eq!(said(&[("count", &[1.0, 2.0])]), "`count` holds 1 number, but 2 are given");
        assert_eq!(said(&[("scale[2]", &[1.0])]), "`scale[2]` does not exist: the array has 2 elements");
        assert_eq!(said(&[("va0", &[])]), "`va0` cannot be set: the inputs of the function are `count` and `scale`");
    }

    #[test]
    fn constants_have_the_values_that_a_text_gives() {
        let text = "alias vc0, half(0.5, 0.25);\nop = half;\n";
        let found = ran(text, &[]).expect("it runs");
        assert_eq!(found[0].1[..2], [0.5, 0.25]);
        let found = ran(text, &[("vc0", &[2.0])]).expect("it runs");
        assert_eq!(found[0].1[..2], [2.0, 0.0]);
    }

    #[test]
    fn a_program_that_does_not_terminate_or_is_wrong_is_an_error() {
        let text = "
vertex function \"vs_main\" {
  output 0 position: float4 = position
  %8 = literalbool false
  loop {
    if %8 {
      break
    }
  }
  %9 = literalfloat4 1.0, 1.0, 1.0, 1.0
  poke %9, 0
}
";
        assert_eq!(ran(text, &[]), Err("`vs_main` cannot be run: it does not terminate".to_string()));
        let said = ran("mov op, va0\nmov v0, zz9\n", &[]).expect_err("there is no zz9");
        assert!(said.starts_with("input:2:9: "), "{said}");
    }
}
