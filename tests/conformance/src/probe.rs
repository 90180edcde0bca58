//! Turns one function of a module into pictures. Each pixel is an invocation, and the pixel's colours are the function's outputs.
//! A fragment function gets a generated vertex function that supplies its inputs.
//!
//! A vertex function keeps its code, but its position, point size and clip distances become varyings. The function's new position
//! is the position of the invocation's pixel, which is derived from the vertex index. Generated fragment functions show the
//! outputs of the vertex function, four vectors in each picture. An int is shown as two 16-bit parts, which floats represent
//! exactly.

use std::collections::BTreeMap;

use sdlbc::builder::Lane;
use sdlbc::{
    Body, Builder, Builtin, Function, FunctionKind, FunctionOutput, Id, Input, InputKind, Inst, Interpolation, Module,
    Op, OutputKind, Scalar, Type,
};
use sdlbc_interp::{Cull, DepthTest, Draw, Image, Resources, Topology};

/// The background colour of the pictures, which no program outputs.
pub const NOTHING: [f32; 4] = [-6.25e33, 3.5e34, -1.75e35, 9.5e33];

/// The arrangement of a fragment function's invocations, with the values of the varyings.
#[derive(Clone, Debug)]
pub enum Inputs {
    /// Separate points. For each location, the map contains the bits of four components for each invocation.
    Points(BTreeMap<u32, Vec<[u32; 4]>>),
    /// A square, whose side in pixels is a power of two. For each location, the map contains the values at the clip-space points
    /// (-1, -1), (-1, 3) and (3, -1).
    Square(u32, BTreeMap<u32, [[u32; 4]; 3]>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Whole,
    High,
    Low,
}

/// The pictures that show a function's outputs.
#[derive(Clone, Debug)]
pub struct Probe {
    /// The draws that produce the pictures; there is usually only one.
    pub draws: Vec<Draw>,
    /// The number of invocations in each picture, which fill the pixels row by row.
    pub count: usize,
    /// The location of the varying that contains a vertex function's position, or `None` for a fragment function.
    pub position: Option<u32>,
    outputs: Vec<FunctionOutput>,
    shown: Vec<Vec<(usize, Part)>>,
}

/// The values of one output in all invocations.
#[derive(Clone, Debug, PartialEq)]
pub struct Values {
    /// The output's index among the function's outputs.
    pub index: usize,
    /// The name of the output.
    pub name: String,
    /// The output's type: one to four floats, ints or unsigned ints.
    pub ty: Type,
    /// The bits of the output's components in each invocation, or `None` for a discarded invocation.
    pub values: Vec<Option<[u32; 4]>>,
}

/// Returns the smallest power of two whose square is at least `count`.
fn side(count: usize) -> u32 {
    (0..).map(|power| 1u32 << power).find(|side| (*side as usize).pow(2) >= count).unwrap_or(1)
}

fn vector(ty: Type) -> (Scalar, u8) {
    match ty {
        Type::Vector(scalar, width) => (scalar, width),
        other => unreachable!("{other} is not the type of a varying or output"),
    }
}

impl Probe {
    /// Probes a fragment function of a module. A generated function replaces the module's vertex function, if there is one.
    ///
    /// # Panics
    /// Panics if the module is invalid or has no fragment function.
    pub fn fragment(module: &Module, inputs: &Inputs, resources: Resources) -> Probe {
        let function = entry(module, FunctionKind::Fragment);
        let (count, side) = match inputs {
            Inputs::Points(values) => {
                let count = values.values().map(Vec::len).max().unwrap_or(1);
                (count, side(count))
            }
            Inputs::Square(side, _) => ((side * side) as usize, *side),
        };
        let read: Vec<(u32, Type, Interpolation)> = function
            .inputs
            .iter()
            .filter_map(|input| match input.kind {
                InputKind::Varying { location, interpolation } => Some((location, input.ty, interpolation)),
                _ => None,
            })
            .collect();
        let mut attributes = BTreeMap::new();
        for ((location, _, _), attribute) in read.iter().zip(1..) {
            let values = match inputs {
                Inputs::Points(values) => values.get(location).cloned().unwrap_or(vec![[0; 4]; count]),
                Inputs::Square(_, corners) => corners.get(location).map_or(vec![[0; 4]; 3], |corners| corners.to_vec()),
            };
            attributes.insert(attribute, values);
        }
        let (places, topology): (Vec<[f32; 2]>, _) = match inputs {
            Inputs::Points(_) => {
                let middle = |at: usize| (at as f32 + 0.5) * 2.0 / side as f32 - 1.0;
                (
                    (0..count).map(|at| [middle(at % side as usize), -middle(at / side as usize)]).collect(),
                    Topology::Points,
                )
            }
            Inputs::Square(..) => (vec![[-1.0, -1.0], [-1.0, 3.0], [3.0, -1.0]], Topology::Triangles),
        };
        let places = places.into_iter().map(|[x, y]| [x, y, 0.5, 1.0].map(f32::to_bits));
        attributes.insert(0, places.collect());
        let indices = (0..if topology == Topology::Points { count as u32 } else { 3 }).collect();

        let mut module = module.clone();
        let feeder = Function { name: entry_name(&module, "vs_main"), ..feeder(&read) };
        match module.functions.iter_mut().find(|function| function.kind == FunctionKind::Vertex) {
            Some(function) => *function = feeder,
            None => module.functions.push(feeder),
        }
        // The debug table is dropped, because it does not describe the new vertex function.
        module.debug = sdlbc::Debug::default();

        let outputs = function.outputs.clone();
        let targets = outputs.iter().filter_map(|output| match output.kind {
            OutputKind::Colour { target } => Some(target as usize + 1),
            _ => None,
        });
        let shown = vec![(0..outputs.len()).map(|at| (at, Part::Whole)).collect()];
        let depth = outputs.iter().any(|output| output.kind == OutputKind::Depth).then_some(DepthTest::Always);
        let draw = Draw {
            module,
            attributes,
            indices,
            topology,
            instances: 1,
            cull: Cull::None,
            depth,
            resources,
            width: side,
            height: side,
            targets: targets.max().unwrap_or(1),
            clear: NOTHING,
        };
        Probe { draws: vec![draw], count, position: None, outputs, shown }
    }

    /// Probes a vertex function of a module. A generated function replaces the module's fragment function, if there is one.
    /// The vertex function runs for `instances` instances, of which the last remains visible.
    ///
    /// # Panics
    /// Panics if the module is invalid or has no vertex function.
    pub fn vertex(
        module: &Module,
        attributes: &BTreeMap<u32, Vec<[u32; 4]>>,
        instances: u32,
        resources: Resources,
    ) -> Probe {
        let count = attributes.values().map(Vec::len).max().unwrap_or(1);
        let side = side(count);
        let mut module = module.clone();
        module.debug = sdlbc::Debug::default();
        let at = module.functions.iter().position(|function| function.kind == FunctionKind::Vertex);
        let (function, position) = seen(&module.functions[at.expect("a vertex function")], side);
        let outputs: Vec<FunctionOutput> =
            function.outputs.iter().filter(|output| output.kind != OutputKind::Position).cloned().collect();
        module.functions[at.expect("a vertex function")] = function;

        // A picture has up to four targets, so the parts are grouped in fours.
        let parts = outputs.iter().enumerate().flat_map(|(at, output)| match vector(output.ty).0 {
            Scalar::Float => vec![(at, Part::Whole)],
            _ => vec![(at, Part::High), (at, Part::Low)],
        });
        let parts: Vec<(usize, Part)> = parts.collect();
        let shown: Vec<Vec<(usize, Part)>> = parts.chunks(4).map(<[_]>::to_vec).collect();
        let draws = shown.iter().map(|shown| {
            let mut module = module.clone();
            let showing = Function { name: entry_name(&module, "fs_main"), ..showing(&outputs, shown) };
            match module.functions.iter_mut().find(|function| function.kind == FunctionKind::Fragment) {
                Some(function) => *function = showing,
                None => module.functions.push(showing),
            }
            Draw {
                attributes: attributes.clone(),
                indices: (0..count as u32).collect(),
                topology: Topology::Points,
                instances,
                resources: resources.clone(),
                targets: shown.len(),
                clear: NOTHING,
                ..Draw::new(module, side, side)
            }
        });
        Probe { draws: draws.collect(), count, position: Some(position), outputs, shown }
    }

    /// Extracts the outputs' values from a witness's pictures. Outputs that pictures cannot show are left out.
    pub fn values(&self, images: &[Image]) -> Vec<Values> {
        let mut values: Vec<Option<Values>> = vec![None; self.outputs.len()];
        for ((draw, image), shown) in self.draws.iter().zip(images).zip(&self.shown) {
            let is_drawn = |target: usize| {
                let nothing = draw.cleared(target).map(f32::to_bits);
                move |pixel: &[f32; 4]| pixel.map(f32::to_bits) != nothing
            };
            let mut target = 0;
            for &(at, part) in shown {
                let output = &self.outputs[at];
                let width = usize::from(vector(output.ty).1);
                let pixels: Vec<Option<[f32; 4]>> = match output.kind {
                    OutputKind::Depth => {
                        let Some(depth) = &image.depth else { continue };
                        let drawn = image.targets.first().map(|pixels| pixels.iter().map(is_drawn(0)));
                        let drawn: Vec<bool> = drawn.map(Iterator::collect).unwrap_or_default();
                        let any = self.outputs.iter().any(|output| output.kind == OutputKind::Colour { target: 0 });
                        let depth = depth.iter().zip(drawn);
                        depth.map(|(&depth, drawn)| (drawn || !any).then_some([depth, 0.0, 0.0, 0.0])).collect()
                    }
                    kind => {
                        let target = match kind {
                            OutputKind::Colour { target } => target as usize,
                            _ => target,
                        };
                        let is_drawn = is_drawn(target);
                        image.targets[target].iter().map(|pixel| is_drawn(pixel).then_some(*pixel)).collect()
                    }
                };
                target += 1;
                let place = values[at].get_or_insert_with(|| Values {
                    index: at,
                    name: output.name.clone(),
                    ty: output.ty,
                    values: vec![Some([0; 4]); self.count],
                });
                for (value, pixel) in place.values.iter_mut().zip(pixels) {
                    let Some(pixel) = pixel else {
                        *value = None;
                        continue;
                    };
                    let Some(value) = value else { continue };
                    for (component, number) in value.iter_mut().zip(pixel).take(width) {
                        *component |= match part {
                            Part::Whole => number.to_bits(),
                            Part::High => (number as i32).cast_unsigned() << 16,
                            Part::Low => number as u32 & 0xffff,
                        };
                    }
                }
            }
        }
        values.into_iter().flatten().collect()
    }
}

fn entry(module: &Module, kind: FunctionKind) -> &Function {
    module.functions.iter().find(|function| function.kind == kind).expect("an entry function")
}

/// Appends to the name the lowest number that makes the result different from all `names`.
fn free(names: &[String], name: &str) -> String {
    let mut candidates = (0..).map(|number| format!("{name}{number}"));
    candidates.find(|name| !names.contains(name)).unwrap_or_default()
}

/// Returns a name for an entry function that is unique in the module.
fn entry_name(module: &Module, name: &str) -> String {
    let names: Vec<String> = module.functions.iter().map(|function| function.name.clone()).collect();
    if names.iter().any(|other| other == name) { free(&names, name) } else { name.to_string() }
}

/// Creates a vertex function that copies the attribute at location 0 to the position, and all other attributes to varyings.
fn feeder(varyings: &[(u32, Type, Interpolation)]) -> Function {
    let mut builder = Builder::new(FunctionKind::Vertex, "vs_main");
    let place = builder.input("place", Type::FLOAT4, InputKind::Attribute { location: 0 });
    let position = FunctionOutput { ty: Type::FLOAT4, name: "position".to_string(), kind: OutputKind::Position };
    let output = builder.output(position);
    builder.poke(output, place);
    for (&(location, ty, interpolation), attribute) in varyings.iter().zip(1..) {
        let value = builder.input(format!("a{attribute}"), ty, InputKind::Attribute { location: attribute });
        let kind = OutputKind::Varying { location, interpolation };
        let output = builder.output(FunctionOutput { ty, name: format!("v{location}"), kind });
        builder.poke(output, value);
    }
    builder.finish().expect("a function that verifies").0
}

/// Changes a vertex function so that its position is the invocation's pixel in a square, and its original position, point size
/// and clip distances become varyings. Also returns the location of the original position.
fn seen(function: &Function, side: u32) -> (Function, u32) {
    let mut function = function.clone();
    let taken: Vec<u32> = function
        .outputs
        .iter()
        .filter_map(|output| match output.kind {
            OutputKind::Varying { location, .. } => Some(location),
            _ => None,
        })
        .collect();
    let mut unused = (0..).filter(|location| !taken.contains(location));
    let mut names: Vec<String> = function.outputs.iter().map(|output| output.name.clone()).collect();
    let mut place = 0;
    let interpolation = Interpolation::Perspective;
    for output in &mut function.outputs {
        if matches!(output.kind, OutputKind::Position | OutputKind::PointSize | OutputKind::ClipDistance { .. }) {
            let location = unused.next().unwrap_or_default();
            if output.kind == OutputKind::Position {
                place = location;
            }
            output.name = free(&names, &output.name);
            names.push(output.name.clone());
            output.kind = OutputKind::Varying { location, interpolation };
        }
    }
    let mut last = function.max_id();
    let mut id = || {
        last += 1;
        Id(last)
    };
    let number = InputKind::Builtin(Builtin::VertexIndex);
    let index = match function.inputs.iter().find(|input| input.kind == number) {
        Some(input) => input.id,
        None => {
            let names: Vec<String> = function.inputs.iter().map(|input| input.name.clone()).collect();
            let name = free(&names, "vertex_number");
            let input = Input { id: id(), ty: Type::UINT, name, kind: number };
            let id = input.id;
            function.inputs.push(input);
            id
        }
    };
    let name = "place".to_string();
    function.outputs.push(FunctionOutput { ty: Type::FLOAT4, name, kind: OutputKind::Position });
    let mut code = Body::default();
    let mut emit = |op: Op, inputs: &[Id], immediates: &[u32]| {
        let output = id();
        code.push(Inst::new(op, output, inputs, immediates));
        output
    };
    let float = Type::FLOAT.word();
    let mask = emit(Op::LiteralUint, &[], &[side - 1]);
    let bits = emit(Op::LiteralUint, &[], &[side.trailing_zeros()]);
    let column = emit(Op::BinaryAnd, &[index, mask], &[]);
    let row = emit(Op::ShiftRight, &[index, bits], &[]);
    let step = 2.0 / side as f32;
    let half = emit(Op::LiteralFloat, &[], &[(step / 2.0 - 1.0).to_bits()]);
    let across = emit(Op::LiteralFloat, &[], &[step.to_bits()]);
    let mut coordinate = |number: Id| {
        let number = emit(Op::Convert, &[number], &[float]);
        let scaled = emit(Op::Multiply, &[number, across], &[]);
        emit(Op::Add, &[scaled, half], &[])
    };
    let (x, up) = (coordinate(column), coordinate(row));
    let y = emit(Op::Negate, &[up], &[]);
    let z = emit(Op::LiteralFloat, &[], &[0.5f32.to_bits()]);
    let w = emit(Op::LiteralFloat, &[], &[1.0f32.to_bits()]);
    let position = emit(Op::Vector, &[x, y, z, w], &[]);
    code.push(Inst::new(Op::Poke, Id::NONE, &[position], &[function.outputs.len() as u32 - 1]));
    code.append(function.body);
    function.body = code;
    (function, place)
}

/// Creates a fragment function whose colours are parts of a vertex function's outputs.
fn showing(outputs: &[FunctionOutput], shown: &[(usize, Part)]) -> Function {
    let mut builder = Builder::new(FunctionKind::Fragment, "fs_main");
    for (&(at, part), target) in shown.iter().zip(0..) {
        let output = &outputs[at];
        let (scalar, width) = vector(output.ty);
        let OutputKind::Varying { location, interpolation } = output.kind else { continue };
        let mut value =
            builder.input(format!("v{location}"), output.ty, InputKind::Varying { location, interpolation });
        let literal = if scalar == Scalar::Int { Op::LiteralInt } else { Op::LiteralUint };
        value = match part {
            Part::Whole => value,
            Part::High => {
                let bits = builder.emit(literal, &[], &[16]);
                builder.shift_right(value, bits)
            }
            Part::Low => {
                let mask = builder.emit(literal, &[], &[0xffff]);
                builder.binary_and(value, mask)
            }
        };
        if part != Part::Whole {
            value = builder.convert(value, Scalar::Float);
        }
        let zero = builder.float(0.0);
        let lane = |lane| if lane < width { Lane { value, lane } } else { Lane { value: zero, lane: 0 } };
        let colour = builder.gather(&[0, 1, 2, 3].map(lane));
        let kind = OutputKind::Colour { target };
        let output = builder.output(FunctionOutput { ty: Type::FLOAT4, name: format!("oc{target}"), kind });
        builder.poke(output, colour);
    }
    builder.finish().expect("a function that verifies").0
}
