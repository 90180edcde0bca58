//! Compares texture filtering and levels of detail with handwritten values.

use std::collections::BTreeMap;

use agal_front::register::File;
use agal_machine::{Dimension, Inputs, Level, Machine, Options, Quad, Texture};

use super::program;

/// Returns a mip level with the given red components.
fn level(width: u32, height: u32, depth: u32, reds: &[f32]) -> Level {
    assert_eq!(reds.len() as u32, width * height * depth);
    Level { width, height, depth, texels: reds.iter().map(|&red| [red, 0.5, 0.25, 1.0]).collect() }
}

/// Returns a texture of square mip levels, each half as large as the previous one, down to one texel. A texel's red component is
/// the number of its mip level.
fn steps(dimension: Dimension, count: u32) -> Texture {
    let faces = |size| match dimension {
        Dimension::D2 => 1,
        Dimension::D3 => size,
        Dimension::Cube => 6,
    };
    let of = |number: u32| {
        let size = 1 << (count - 1 - number);
        level(size, size, faces(size), &vec![number as f32; (size * size * faces(size)) as usize])
    };
    Texture { dimension, levels: (0..count).map(of).collect() }
}

fn run(text: &str, textures: BTreeMap<u32, Texture>, registers: &[Quad], constants: &[[f32; 4]]) -> Quad {
    let machine = Machine::new(&program(text), Options::default()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let outputs = machine.run(&Inputs { registers, constants, instance: [0; 4], environment: &textures });
    outputs.get(File::Output, 0).expect("an output").values
}

/// Returns the red component that a sampler with the given options reads at each point. All four invocations read at the same
/// point.
fn reds(texture: &Texture, words: &str, points: &[[f32; 3]]) -> Vec<f32> {
    let text = format!("// agal 2 fragment\ntex ft0, v0, fs3 <{words}>\nmov oc, ft0\n");
    let read = |&[x, y, z]: &[f32; 3]| run(&text, [(3, texture.clone())].into(), &[[[x, y, z, 9.0]; 4]], &[])[1][0];
    points.iter().map(read).collect()
}

#[test]
fn the_origin_is_the_upper_left_corner_and_nearest_reads_the_texel_that_contains_the_point() {
    let texture = Texture { dimension: Dimension::D2, levels: vec![level(2, 2, 1, &[1.0, 2.0, 3.0, 4.0])] };
    let points = [[0.1, 0.1, 0.0], [0.6, 0.1, 0.0], [0.1, 0.6, 0.0], [0.5, 0.5, 0.0]];
    assert_eq!(reds(&texture, "2d,nearest", &points), [1.0, 2.0, 3.0, 4.0]);
}

#[test]
fn linear_interpolates_the_four_texels_around_the_point() {
    let texture = Texture { dimension: Dimension::D2, levels: vec![level(2, 2, 1, &[1.0, 2.0, 3.0, 4.0])] };
    let points = [[0.25, 0.25, 0.0], [0.5, 0.25, 0.0], [0.5, 0.5, 0.0], [0.25, 0.375, 0.0], [0.0, 0.0, 0.0]];
    assert_eq!(reds(&texture, "2d,linear", &points), [1.0, 1.5, 2.5, 1.5, 1.0]);
    assert_eq!(reds(&texture, "2d,anisotropic16x", &points), [1.0, 1.5, 2.5, 1.5, 1.0]);
    assert_eq!(reds(&texture, "2d,linear,repeat", &[[0.0, 0.25, 0.0], [0.0, 0.0, 0.0]]), [1.5, 2.5]);
}

#[test]
fn each_axis_wraps_as_the_sampler_specifies() {
    let texture = Texture { dimension: Dimension::D2, levels: vec![level(2, 2, 1, &[1.0, 2.0, 3.0, 4.0])] };
    let points = [[1.25, -0.25, 0.0], [-3.75, 0.25, 0.0], [0.25, 7.75, 0.0]];
    for (wrap, expected) in [
        ("clamp", [2.0, 1.0, 3.0]),
        ("repeat", [3.0, 1.0, 3.0]),
        ("clamp_u_repeat_v", [4.0, 1.0, 3.0]),
        ("repeat_u_clamp_v", [1.0, 1.0, 3.0]),
    ] {
        assert_eq!(reds(&texture, &format!("2d,nearest,{wrap}"), &points), expected, "{wrap}");
        let (u, v) = (wrap.contains("repeat_u") || wrap == "repeat", wrap.contains("repeat_v") || wrap == "repeat");
        let edges = [if u { 1.5 } else { 2.0 }, if v { 2.0 } else { 1.0 }];
        let found = reds(&texture, &format!("2d,linear,{wrap}"), &[[1.0, 0.25, 0.0], [0.25, 0.0, 0.0]]);
        assert_eq!(found, edges, "{wrap}");
    }
}

#[test]
fn a_3d_texture_has_slices_that_wrap_as_u_does() {
    let texture = Texture { dimension: Dimension::D3, levels: vec![level(1, 2, 2, &[1.0, 2.0, 3.0, 4.0])] };
    let points = [[0.5, 0.25, 0.25], [0.5, 0.75, 0.25], [0.5, 0.25, 0.75], [0.5, 0.5, 0.5], [0.5, 0.25, 1.25]];
    assert_eq!(reds(&texture, "3d,nearest,clamp", &points), [1.0, 2.0, 3.0, 4.0, 3.0]);
    assert_eq!(reds(&texture, "3d,linear,repeat", &points), [1.0, 2.0, 3.0, 2.5, 1.0]);
    assert_eq!(reds(&texture, "3d,nearest,clamp_u_repeat_v", &points[4..]), [3.0]);
}

/// Returns a cube whose faces have four texels each. The texels of a face have the red components 10 * face to 10 * face + 3. The upper row
/// of a face contains 0 and 1.
fn cube() -> Texture {
    let reds: Vec<f32> = (0..6).flat_map(|face| (0..4).map(move |texel| (10 * face + texel) as f32)).collect();
    Texture { dimension: Dimension::Cube, levels: vec![level(2, 2, 6, &reds)] }
}

#[test]
fn the_faces_of_a_cube_are_oriented_as_in_the_graphics_apis() {
    let (one, half) = (1.0, 0.5);
    let upper_left = [
        [one, half, half],
        [-one, half, -half],
        [-half, one, -half],
        [-half, -one, half],
        [-half, half, one],
        [half, half, -one],
    ];
    assert_eq!(reds(&cube(), "cube,nearest,mipnearest", &upper_left), [0.0, 10.0, 20.0, 30.0, 40.0, 50.0]);
    let right = [[one, half, -half], [-one, half, half], [half, one, -half], [half, -one, half], [half, half, one]];
    assert_eq!(reds(&cube(), "cube,nearest,mipnearest", &right), [1.0, 11.0, 21.0, 31.0, 41.0]);
    let down =
        [[one, -half, half], [-one, -half, -half], [-half, one, half], [-half, -one, -half], [-half, -half, one]];
    assert_eq!(reds(&cube(), "cube,nearest,mipnearest", &down), [2.0, 12.0, 22.0, 32.0, 42.0]);
    // The length of a direction does not affect the lookup.
    assert_eq!(reds(&cube(), "cube,nearest,mipnearest", &[[400.0, 200.0, 200.0]]), [0.0]);
    let middle = reds(&cube(), "cube,linear,mipnearest", &[[3.0, 0.0, 0.0], [0.0, 0.0, -0.1]]);
    assert_eq!(middle, [1.5, 51.5]);
}

#[test]
fn faces_are_filtered_seamlessly_and_corners_have_three_texels() {
    // On the edge between +x and +z, the result is the mean of the upper texels 0 on +x and 41 on +z.
    let edge = reds(&cube(), "cube,linear,mipnearest", &[[1.0, 0.5, 1.0]]);
    assert_eq!(edge, [20.5]);
    // On the edge between +z and +y, the result is the mean of the left texels 40 on +z and 22 on +y.
    assert_eq!(reds(&cube(), "cube,linear,mipnearest", &[[-0.5, 1.0, 1.0]]), [31.0]);
    // At the corner of +x, +y and +z, the result is the mean of the texels 0, 23 and 41.
    let corner = reds(&cube(), "cube,linear,mipnearest", &[[1.0, 1.0, 1.0]])[0];
    assert!((corner - 64.0 / 3.0).abs() < 1e-5, "{corner}");
}

/// Returns the mip level that is read if the coordinate changes by `right` texels to the right neighbour and by `down` texels to
/// the lower neighbour.
fn stepped(words: &str, right: [f32; 2], down: [f32; 2]) -> f32 {
    let at = |x: f32, y: f32| [(x * right[0] + y * down[0]) / 16.0, (x * right[1] + y * down[1]) / 16.0, 0.0, 0.0];
    let quad = [at(0.0, 0.0), at(1.0, 0.0), at(0.0, 1.0), at(1.0, 1.0)];
    let text = format!("// agal 2 fragment\ntex ft0, v0, fs0 <2d,linear,repeat,{words}>\nmov oc, ft0\n");
    let found = run(&text, [(0, steps(Dimension::D2, 5))].into(), &[quad], &[]);
    assert!(found.iter().all(|lane| lane == &found[0]), "{found:?}");
    found[0][0]
}

#[test]
fn the_level_is_the_logarithm_of_the_larger_derivative_in_texels() {
    for (words, right, down, expected) in [
        ("miplinear", [1.0, 0.0], [0.0, 1.0], 0.0),
        ("miplinear", [4.0, 0.0], [0.0, 1.0], 2.0),
        ("miplinear", [0.0, 1.0], [0.0, -8.0], 3.0),
        ("miplinear", [3.0, 4.0], [0.0, 1.0], 5f32.log2()),
        ("miplinear", [100.0, 0.0], [0.0, 0.0], 4.0),
        ("miplinear", [0.0, 0.0], [0.0, 0.0], 0.0),
        ("miplinear", [0.5, 0.0], [0.0, 0.5], 0.0),
        ("mipnearest", [3.0, 4.0], [0.0, 1.0], 2.0),
        ("mipnearest", [6.0, 0.0], [0.0, 1.0], 3.0),
        ("mipnone", [8.0, 0.0], [0.0, 8.0], 0.0),
        ("miplinear,1.5", [2.0, 0.0], [0.0, 1.0], 2.5),
        ("miplinear,-1", [4.0, 0.0], [0.0, 1.0], 1.0),
        ("miplinear,-3", [4.0, 0.0], [0.0, 1.0], 0.0),
        ("mipnone,3", [4.0, 0.0], [0.0, 1.0], 0.0),
    ] {
        let found = stepped(words, right, down);
        assert!((found - expected).abs() < 1e-6, "{words} {right:?} {down:?}: {found}, not {expected}");
    }
}

#[test]
fn the_levels_of_cubes_and_3d_textures_are_computed_in_the_same_way() {
    let quad = |step: f32| [[1.0, 0.0, 0.0, 0.0], [1.0, step, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [1.0, step, 0.0, 0.0]];
    let text = "// agal 2 fragment\ntex ft0, v0, fs0 <cube,linear,miplinear>\nmov oc, ft0\n";
    // A face of 16 texels spans 2 units of y at x = 1, and the same step covers half as many texels at x = 2.
    for (scale, expected) in [(1.0, 1.0), (2.0, 0.0)] {
        let quad = quad(0.25).map(|[x, y, z, w]| [x * scale, y, z, w]);
        assert_eq!(run(text, [(0, steps(Dimension::Cube, 5))].into(), &[quad], &[])[0][0], expected);
    }
    // A longer direction selects the same point, but lengthening only x moves the point toward the face's centre.
    for (away, expected) in [([2.0, 1.0, 0.0, 0.0], 0.0), ([2.0, 0.5, 0.0, 0.0], 2.0)] {
        let quad = [[1.0, 0.5, 0.0, 0.0], away, [1.0, 0.5, 0.0, 0.0], away];
        assert_eq!(run(text, [(0, steps(Dimension::Cube, 5))].into(), &[quad], &[])[0][0], expected);
    }
    let text = "// agal 2 fragment\ntex ft0, v0, fs0 <3d,linear,miplinear,repeat>\nmov oc, ft0\n";
    let quad = [[0.0; 4], [0.0; 4], [0.0, 0.0, 0.25, 0.0], [0.0, 0.0, 0.25, 0.0]];
    assert_eq!(run(text, [(0, steps(Dimension::D3, 5))].into(), &[quad], &[])[0][0], 2.0);
}

/// The first register is a coordinate that selects level 2. The second register is -1 in the first invocation and 1 in the
/// others.
const DIVERGENT: [Quad; 2] =
    [[[0.0; 4], [0.25, 0.0, 0.0, 0.0], [0.0; 4], [0.25, 0.0, 0.0, 0.0]], [[-1.0; 4], [1.0; 4], [1.0; 4], [1.0; 4]]];

#[test]
fn inside_a_conditional_the_level_is_implicit_if_the_coordinate_was_computed_before_it() {
    let tex = "<2d,linear,miplinear,repeat>";
    let bias = "<2d,linear,miplinear,repeat,1>";
    for (before, inside, expected) in [
        ("", format!("tex ft0, v0, fs0 {tex}"), 2.0),
        ("", format!("tex ft0, v0, fs0 {bias}"), 3.0),
        ("add ft1, v0, v0", format!("tex ft0, ft1, fs0 {tex}"), 3.0),
        ("", format!("mov ft1, v0\ntex ft0, ft1, fs0 {tex}"), 2.0),
        ("add ft1, v0, v0", format!("mov ft2, ft1\nmov ft1, v0\ntex ft0, ft2, fs0 {tex}"), 3.0),
        ("", format!("add ft1, v0, v0\ntex ft0, ft1, fs0 {tex}"), 0.0),
        ("", format!("add ft1, v0, v0\ntex ft0, ft1, fs0 {bias}"), 1.0),
        ("mov ft1, v0", format!("mul ft1.y, v0, v0\ntex ft0, ft1, fs0 {tex}"), 0.0),
        ("mov ft1, v0", format!("ifl v1.y, fc0.x\nmov ft1, v1\neif\ntex ft0, ft1, fs0 {tex}"), 0.0),
        ("", format!("ifl v1.y, fc0.x\nmov ft1, v0\nels\nmov ft1, v0\neif\ntex ft0, ft1, fs0 {tex}"), 2.0),
    ] {
        let text = format!("// agal 2 fragment\nmov ft0, fc1\n{before}\nifl v1.x, fc0.x\n{inside}\neif\nmov oc, ft0\n");
        let found = run(&text, [(0, steps(Dimension::D2, 5))].into(), &DIVERGENT, &[[0.0; 4], [9.0; 4]]);
        assert_eq!(found.map(|lane| lane[0]), [expected, 9.0, 9.0, 9.0], "{text}");
    }
    // After the conditional, all invocations have computed the coordinate.
    let text = format!(
        "// agal 2 fragment\nadd ft1, v0, v0\nifl v1.x, fc0.x\nadd ft1, v0, v0\neif\ntex ft0, ft1, fs0 {tex}\nmov oc, ft0\n"
    );
    assert_eq!(run(&text, [(0, steps(Dimension::D2, 5))].into(), &DIVERGENT, &[])[3][0], 3.0);
}

#[test]
fn a_condition_of_constants_is_uniform_and_keeps_levels_implicit() {
    let text = "// agal 2 fragment\nmov ft0, fc1\nadd ft2, fc0, fc1\nifl fc0.x, ft2.x\nadd ft1, v0, v0\ntex ft0, ft1, fs0 <2d,linear,miplinear,repeat>\neif\nmov oc, ft0\n";
    let found = run(text, [(0, steps(Dimension::D2, 5))].into(), &DIVERGENT, &[[0.0; 4], [9.0; 4]]);
    assert_eq!(found.map(|lane| lane[0]), [3.0; 4]);
}

#[test]
fn single_copies_the_first_component_to_all() {
    let text = "// agal 2 fragment\ntex ft0.yw, v0, fs0 <2d,nearest,single>\nmov oc, ft0\n";
    let texture = Texture::plain(Dimension::D2, [0.125, 0.5, 0.75, 1.0]);
    assert_eq!(run(text, [(0, texture)].into(), &[], &[])[0], [0.0, 0.125, 0.0, 0.125]);
}

#[test]
fn ted_and_tld_read_an_explicit_level() {
    let read = |text: &str, coordinate: [f32; 4]| {
        run(text, [(1, steps(Dimension::D2, 5))].into(), &[[coordinate; 4]], &[])[0][0]
    };
    let ted =
        |swizzle: &str| format!("// agal 2 fragment\nted ft0, v0{swizzle}, fs1 <2d,linear,miplinear>\nmov oc, ft0\n");
    assert_eq!(read(&ted(""), [0.0, 0.0, 1.0, 2.5]), 2.5);
    assert_eq!(read(&ted(".xyyz"), [0.0, 0.0, 1.0, 2.5]), 1.0);
    assert_eq!(read(&ted(".xyz"), [0.0, 3.0, 1.0, 2.5]), 0.0);
    assert_eq!(read(&ted(".xy"), [0.0, 3.0, 1.0, 2.5]), 0.0);
    let tld = |words: &str| format!("// agal 4 vertex\ntld vt0, va0, vs1 <2d,linear,miplinear{words}>\nmov op, vt0\n");
    assert_eq!(read(&tld(""), [0.0, 0.0, 1.0, 2.5]), 0.0);
    assert_eq!(read(&tld(",2"), [0.0, 0.0, 1.0, 2.5]), 2.0);
}

#[test]
fn a_sampler_has_one_state_and_each_use_its_own_bias() {
    let text = "// agal 2 fragment\ntex ft1, v0, fs0 <2d,linear,miplinear,repeat>\ntex ft0, v0, fs0 <2d,linear,mipnone,repeat,1>\nadd oc, ft0, ft1\n";
    assert_eq!(run(text, [(0, steps(Dimension::D2, 5))].into(), &DIVERGENT, &[])[0][0], 5.0);
}

#[test]
fn missing_textures_read_zero_and_no_coordinate_panics() {
    let texture = Texture::plain(Dimension::D2, [1.0; 4]);
    assert_eq!(reds(&texture, "cube,linear,mipnearest", &[[1.0, 0.0, 0.0]]), [0.0], "a texture of another dimension");
    let none = Texture { dimension: Dimension::D2, levels: Vec::new() };
    assert_eq!(reds(&none, "2d,linear,miplinear", &[[0.5, 0.5, 0.0]]), [0.0]);
    let empty = Level { width: 0, height: 0, depth: 0, texels: Vec::new() };
    let broken = |dimension| Texture { dimension, levels: vec![empty.clone(), empty.clone()] };
    let odd = [f32::NAN, f32::INFINITY, -f32::INFINITY, 0.0, -0.0, 1.0, 3e38, -3e38, 1e-45, 0.999_999_94];
    let points: Vec<[f32; 3]> = odd.iter().flat_map(|&x| odd.iter().map(move |&y| [x, y, x])).collect();
    for (name, dimension) in [("2d", Dimension::D2), ("3d", Dimension::D3), ("cube", Dimension::Cube)] {
        for filter in ["nearest", "linear"] {
            for wrap in ["clamp", "repeat"] {
                let words = format!("{name},{filter},miplinear,{wrap}");
                let white = Texture { levels: steps(dimension, 3).levels, dimension };
                assert!(reds(&white, &words, &points).iter().all(|&red| (0.0..=2.0).contains(&red)), "{words}");
                reds(&broken(dimension), &words, &points);
            }
        }
    }
}

#[test]
fn bytes_map_to_0_to_1() {
    let level = Level::from_bytes(1, 1, 1, &[[0, 51, 102, 255]]);
    assert_eq!(level.texels, [[0.0, 0.2, 0.4, 1.0]]);
}
