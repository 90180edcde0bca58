//! Tests of meshes: the built-in shapes and OBJ files. testdata/scene/mistakes_obj.txt lists the errors in invalid OBJ files.

use std::path::Path;

use agalc_scene::{Attribute, Body, Description, Mesh, Scene, Shape};
use sdlbc::{Builder, FunctionKind, FunctionOutput, InputKind, Module, OutputKind, Type};
use testing::testdata;

fn minus(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [0, 1, 2].map(|i| a[i] - b[i])
}

fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    (0..3).map(|i| a[i] * b[i]).sum()
}

fn meshes() -> Vec<(&'static str, Mesh)> {
    Shape::WORDS.iter().map(|(name, shape)| (*name, shape.mesh())).collect()
}

/// Front faces are clockwise as seen from outside. In left-handed coordinates, the cross product of a triangle's edges therefore
/// points toward the viewer.
#[test]
fn every_triangle_of_every_shape_faces_where_its_normals_do() {
    for (name, mesh) in meshes() {
        assert!(mesh.indices.len() >= 3 && mesh.indices.len() % 3 == 0, "{name}");
        for corners in mesh.indices.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|i| mesh.vertices[corners[i] as usize]);
            let face = cross(minus(b.position, a.position), minus(c.position, a.position));
            // The corners of a sprite coincide until a program expands them.
            if name == "sprites" {
                assert_eq!(face, [0.0; 3]);
                continue;
            }
            for vertex in [a, b, c] {
                assert!(dot(face, vertex.normal) > 0.0, "{name}: {:?} faces {face:?}", vertex);
            }
        }
    }
}

#[test]
fn normals_and_tangents_are_orthonormal_and_aligned_with_the_texture() {
    for (name, mesh) in meshes() {
        for corners in mesh.indices.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|i| mesh.vertices[corners[i] as usize]);
            let tangent = [a.tangent[0], a.tangent[1], a.tangent[2]];
            assert!((dot(a.normal, a.normal) - 1.0).abs() < 1e-5, "{name}");
            assert!((dot(tangent, tangent) - 1.0).abs() < 1e-5, "{name}");
            assert!(dot(a.normal, tangent).abs() < 2e-3, "{name}: {a:?}");
            if name == "sprites" {
                continue;
            }
            let across = cross(a.normal, tangent).map(|x| x * a.tangent[3]);
            for other in [b, c] {
                let way = minus(other.position, a.position);
                let length = dot(way, way).sqrt();
                let [du, dv] = [0, 1].map(|i| other.uv[i] - a.uv[i]);
                // If only u grows along an edge, the edge points roughly in the direction of the tangent. If only v grows, the
                // edge points roughly in the direction of the bitangent.
                if dv == 0.0 && du > 0.0 {
                    assert!(dot(way, tangent) > 0.75 * length, "{name}: {a:?}");
                }
                if du == 0.0 && dv > 0.0 {
                    assert!(dot(way, across) > 0.75 * length, "{name}: {a:?}");
                }
            }
        }
    }
}

#[test]
fn a_sphere_is_round_and_closed() {
    let mesh = Shape::Sphere { radius: 2.0, segments: [24, 12] }.mesh();
    for vertex in &mesh.vertices {
        assert!((dot(vertex.position, vertex.position).sqrt() - 2.0).abs() < 1e-5);
    }
    // The first and the last vertex of a ring have the same position, and degenerate triangles at the poles are omitted.
    assert_eq!(mesh.vertices[25].position, mesh.vertices[49].position);
    assert_eq!(mesh.indices.len(), (24 * 12 - 24) * 6);
}

#[test]
fn two_neighbouring_bones_influence_each_vertex_of_a_cylinder() {
    let mesh = Shape::Cylinder { radius: 0.3, length: 2.0, bones: 5, segments: [8, 40] }.mesh();
    let mut seen = [false; 5];
    for vertex in &mesh.vertices {
        let [a, b, c, d] = vertex.weights;
        assert_eq!((a + b, c, d), (1.0, 0.0, 0.0), "{vertex:?}");
        assert!((0.0..=1.0).contains(&a));
        assert_eq!(vertex.bones[1], vertex.bones[0] + 3.0, "three registers per bone");
        let bones = [vertex.bones[0] as usize / 3, vertex.bones[1] as usize / 3];
        let main = if a >= b { bones[0] } else { bones[1] };
        seen[main] = true;
        // The bone with the largest weight is the nearest bone.
        let along = (vertex.position[1] + 1.0) / 2.0 * 5.0;
        assert!((along - (main as f32 + 0.5)).abs() <= 0.5 + 1e-4, "{vertex:?}");
    }
    assert_eq!(seen, [true; 5]);
    let one = Shape::Cylinder { radius: 0.3, length: 2.0, bones: 1, segments: [8, 4] }.mesh();
    assert!(one.vertices.iter().all(|vertex| vertex.bones == [0.0; 4] && vertex.weights[0] + vertex.weights[1] == 1.0));
}

/// Loads a mesh file, and returns the values of the vertex attribute at `location` and the mesh's indices.
fn columns(mesh: &Path, location: u32) -> Result<(Vec<[f32; 4]>, Vec<u32>), agalc_scene::Error> {
    let mut vertex = Builder::new(FunctionKind::Vertex, "vs_main");
    let inputs: Vec<_> = (0..Attribute::USUAL.len() as u32)
        .map(|location| vertex.input(format!("va{location}"), Type::FLOAT4, InputKind::Attribute { location }))
        .collect();
    let sum = inputs.into_iter().reduce(|a, b| vertex.add(a, b)).expect("inputs");
    let position = vertex.output(FunctionOutput { ty: Type::FLOAT4, name: "op".into(), kind: OutputKind::Position });
    vertex.poke(position, sum);
    let mut fragment = Builder::new(FunctionKind::Fragment, "fs_main");
    let colour =
        fragment.output(FunctionOutput { ty: Type::FLOAT4, name: "oc".into(), kind: OutputKind::Colour { target: 0 } });
    let one = fragment.float(1.0);
    let lanes = [sdlbc::builder::Lane { value: one, lane: 0 }; 4];
    let white = fragment.gather(&lanes);
    fragment.poke(colour, white);
    let functions = vec![vertex.finish().expect("a function").0, fragment.finish().expect("a function").0];
    let module = Module { functions, ..Module::default() };
    let description = Description { body: Body::File(mesh.to_path_buf()), ..Description::plain([8, 8]) };
    let scene = Scene::from_parts(&module, None, Default::default(), &description)?;
    let column = scene.draw.attributes[&location].iter().map(|bits| bits.map(f32::from_bits)).collect();
    Ok((column, scene.draw.indices))
}

fn obj(text: &str, location: u32) -> Result<(Vec<[f32; 4]>, Vec<u32>), String> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("m.obj");
    std::fs::write(&path, text).expect("a file");
    columns(&path, location).map_err(|error| error.to_string().replace(&format!("{}/", folder.path().display()), ""))
}

const SQUARE: &str = "# a square\no square\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvn 0 0 1\n\
                      f 1/1/1 2/2/1 3/3/1 4/4/1\n";

#[test]
fn an_obj_file_is_converted_to_left_handed_coordinates() {
    let (positions, indices) = obj(SQUARE, 0).expect("a mesh");
    // Triangles are counterclockwise in the file and clockwise in the mesh. Polygons become fans around the first corner.
    let seen: Vec<[f32; 4]> = indices.iter().map(|&index| positions[index as usize]).collect();
    let at = |x: f32, y: f32| [x, y, -0.0, 1.0];
    assert_eq!(seen, [at(0., 0.), at(1., 1.), at(1., 0.), at(0., 0.), at(0., 1.), at(1., 1.)]);
    assert_eq!(positions.len(), 4, "corners are shared");
    let (uvs, _) = obj(SQUARE, 1).expect("a mesh");
    assert!(uvs.contains(&[0.0, 1.0, 0.0, 1.0]) && uvs.contains(&[0.0, 0.0, 0.0, 1.0]));
    let (normals, _) = obj(SQUARE, 2).expect("a mesh");
    assert!(normals.iter().all(|&normal| normal == [0.0, 0.0, -1.0, 1.0]), "toward the viewer");
    let (tangents, _) = obj(SQUARE, 3).expect("a mesh");
    assert!(tangents.iter().all(|&tangent| tangent == [1.0, 0.0, 0.0, 1.0]), "{tangents:?}");
}

#[test]
fn negative_indices_count_backward_from_their_line() {
    let backward = SQUARE.replace("1/1/1 2/2/1 3/3/1 4/4/1", "-4/-4/-1 -3/-3/-1 -2/-2/-1 -1/-1/-1") + "v 9 9 9\n";
    for location in 0..4 {
        assert_eq!(obj(&backward, location), obj(SQUARE, location));
    }
}

#[test]
fn missing_normals_and_tangents_are_computed() {
    // The mesh is a tent without normals. At the ridge, each computed normal is the average of the normals of the two sides.
    let text = "v -1 0 1\nv 1 0 1\nv -1 1 0\nv 1 1 0\nv -1 0 -1\nv 1 0 -1\nf 1 2 4 3\nf 3 4 6 5\n";
    let (normals, _) = obj(text, 2).expect("a mesh");
    let (positions, _) = obj(text, 0).expect("a mesh");
    for (position, normal) in positions.iter().zip(&normals) {
        if position[1] == 1.0 {
            assert!(normal[1] > 0.99 && normal[2].abs() < 1e-6, "{normal:?}");
        } else {
            assert_eq!(position[2].signum(), normal[2].signum());
        }
    }
    let (tangents, _) = obj(text, 3).expect("a mesh");
    for (tangent, normal) in tangents.iter().zip(&normals) {
        let of = |a: &[f32; 4]| [a[0], a[1], a[2]];
        assert!(dot(of(tangent), of(normal)).abs() < 1e-6 && dot(of(tangent), of(tangent)) > 0.99);
    }
}

#[test]
fn lines_may_be_continued_and_have_any_line_ending() {
    let text = SQUARE.replace("1/1/1 2/2/1", "1/1/1 \\\n 2/2/1").replace('\n', "\r\n") + "usemtl red\r\ns off\r\ng\r\n";
    let broken = text.replace("\\\r\n", "\\\n");
    assert_eq!(obj(&broken, 0), obj(SQUARE, 0));
    assert_eq!(obj(SQUARE.trim_end(), 0), obj(SQUARE, 0));
}

#[test]
fn a_colour_after_a_position_is_the_vertex_colour() {
    let text = "v 0 0 0 1 0 0\nv 1 0 0 1 0 0\nv 0 1 0 1 0 0\nf 1 2 3\n";
    let (colours, _) = obj(text, 4).expect("a mesh");
    assert_eq!(colours, [[1.0, 0.0, 0.0, 1.0]; 3]);
}

/// A scene may name any file in its folder, so errors must not reveal the contents of a file that is not an OBJ file.
#[test]
fn nothing_is_quoted_from_a_file_that_is_not_an_obj_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("m.obj");
    let shown = |text: &str| {
        std::fs::write(&path, text).expect("a file");
        let error = columns(&path, 0).expect_err("it is not an OBJ file");
        (error.text.is_some(), error.to_string().contains("secret"))
    };
    for text in ["secret: 1\n", "# a comment\no object\nsecret\n", "v secret\n", "f secret\n", "vt\nsecret\n"] {
        assert_eq!(shown(text), (false, false), "{text:?}");
    }
    // After valid OBJ lines, the error shows the unknown word and its line.
    assert_eq!(shown("v 0 0 0\nsecret\n"), (true, true));
}

#[test]
fn each_mistake_in_an_obj_file_is_reported_at_its_location() {
    let path = testdata("scene/mistakes_obj.txt");
    let text = std::fs::read_to_string(path).expect("the cases");
    let mut cases = 0;
    for case in text.split("\n### ").skip(1) {
        cases += 1;
        let (name, body) = case.split_once('\n').expect("a name");
        let marked = body.lines().enumerate().find_map(|(at, line)| Some((at + 1, line.split_once("#~ ")?)));
        let (line, (before, said)) = marked.unwrap_or_else(|| panic!("{name} expects nothing"));
        let expected = match before.trim().is_empty() {
            true => format!("m.obj: {said}"),
            false => format!("m.obj:{line}:{}", said.replacen(' ', ": ", 1)),
        };
        assert_eq!(obj(body, 0).expect_err(name), expected, "{name}");
    }
    assert!(cases > 10);
}
