//! Draws three pairs of AGAL shaders with wgpu. The build script `build.rs` generates the modules [`lit`], [`skinned`] and
//! [`targets`] from the folder `shaders`.
//!
//! Rule: register numbers, offsets, formats and bindings of the shaders do not appear in this file, which uses the generated
//! modules instead.

#![deny(missing_docs)]

pub mod gpu;
pub mod matrix;
pub mod shapes;

agal_build::include!("lit");
agal_build::include!("skinned");
agal_build::include!("targets");

use anyhow::Result;
use bytemuck::cast_slice;

use gpu::{Gpu, Pass, Picture, target};
use matrix::{Placement, Vector, after, bent, camera, turned, unit};
use shapes::{ARM, Point, Surface, Texture, arm, checker, ring};

const EYE: Vector = [0.4, 0.8, -3.8];
const LIGHT: Vector = [0.5, 0.8, -0.7];

/// Returns the constants of [`lit`] for the ring, which a single light illuminates.
pub fn lit_constants() -> (lit::Transform, lit::Light) {
    let world = turned(0.9, 0.5);
    let transform =
        lit::Transform { clip: after(camera(EYE), world), world, turn: world, eye: EYE, ..Default::default() };
    let light = lit::Light {
        direction: unit(LIGHT),
        shininess: 40.0,
        colour: [0.9, 0.85, 0.75],
        ambient: [0.16, 0.18, 0.24],
        ..Default::default()
    };
    (transform, light)
}

/// Converts the points of the ring to vertices of [`lit`].
pub fn lit_vertices(surface: &Surface) -> Vec<lit::Vertex> {
    let vertex = |&Point { position, normal, uv }: &Point| lit::Vertex { position, normal, uv };
    surface.points.iter().map(vertex).collect()
}

/// Returns the ring's texture, a checkerboard of tiles.
pub fn tiles() -> Texture {
    checker(16, [[230, 224, 208, 255], [150, 60, 44, 255]])
}

/// Draws the ring with the shaders of [`lit`].
///
/// # Errors
/// Returns an error if the device is lost.
pub fn draw_lit(gpu: &Gpu) -> Result<Vec<Picture>> {
    let (surface, (transform, light)) = (ring(), lit_constants());
    let (transform, light) = (gpu.constants(&transform), gpu.constants(&light));
    let constants =
        lit::Constants { transform: transform.as_entire_buffer_binding(), light: light.as_entire_buffer_binding() };
    let (albedo, sampler) = (gpu.texture(&tiles()), gpu.device.create_sampler(&lit::ALBEDO_SAMPLER));
    let textures = lit::Textures { albedo: &albedo, albedo_sampler: &sampler };
    let module = lit::shader_module(&gpu.device);
    let pipeline = gpu.pipeline(
        &lit::pipeline_layout(&gpu.device),
        lit::vertex_state(&module),
        lit::fragment_state(&module, &[target()]),
    );
    gpu.draw(&Pass {
        pipeline: &pipeline,
        groups: &[
            (lit::Constants::GROUP, constants.bind_group(&gpu.device)),
            (lit::Textures::GROUP, textures.bind_group(&gpu.device)),
        ],
        vertices: gpu.buffer(cast_slice(&lit_vertices(&surface)), wgpu::BufferUsages::VERTEX),
        indices: &surface.indices,
        targets: lit::COLOUR_TARGETS,
    })
}

const BONES: u8 = 5;

/// Returns the placements of the bones. Each bone is bent relative to the previous bone.
fn bones() -> Vec<Placement> {
    let mut placement = turned(0.0, 0.6);
    let bone = |number: u8| {
        let joint = (f32::from(number) / f32::from(BONES) - 0.5) * ARM;
        placement = after(placement, bent([0.0, joint, 0.0], 0.3));
        placement
    };
    (0..BONES).map(bone).collect()
}

/// Returns the constants of [`skinned`] for the arm.
pub fn skinned_constants() -> (skinned::Vc, skinned::Fc) {
    let mut vc = skinned::Vc { clip: camera(EYE), ..Default::default() };
    vc.bones.iter_mut().zip(bones().into_iter().flatten()).for_each(|(register, row)| *register = row);
    let [x, y, z] = unit(LIGHT);
    (vc, skinned::Fc { direction: [x, y, z], ..Default::default() })
}

/// Converts the points of the arm to vertices of [`skinned`]. Each vertex moves with the two bones nearest to it.
pub fn skinned_vertices(surface: &Surface) -> Vec<skinned::Vertex> {
    let vertex = |&Point { position, normal, uv }: &Point| {
        let along = (uv[1] * f32::from(BONES) - 0.5).clamp(0.0, f32::from(BONES - 1));
        let bone = along.floor().min(f32::from(BONES - 2));
        let second = ((along - bone) * f32::from(u16::MAX)).round() as u16;
        let weights = [u16::MAX - second, second];
        skinned::Vertex { position, normal, uv, bones: [bone, bone + 1.0], weights }
    };
    surface.points.iter().map(vertex).collect()
}

/// Returns the arm's texture, a checkerboard that looks like a sleeve.
pub fn sleeve() -> Texture {
    checker(8, [[232, 192, 128, 255], [63, 111, 120, 255]])
}

/// Draws the arm with the shaders of [`skinned`].
///
/// # Errors
/// Returns an error if the device is lost.
pub fn draw_skinned(gpu: &Gpu) -> Result<Vec<Picture>> {
    let (surface, (vc, fc)) = (arm(), skinned_constants());
    let (vc, fc) = (gpu.constants(&vc), gpu.constants(&fc));
    let constants = skinned::Constants { vc: vc.as_entire_buffer_binding(), fc: fc.as_entire_buffer_binding() };
    let (texture, sampler) = (gpu.texture(&sleeve()), gpu.device.create_sampler(&skinned::FS0_SAMPLER));
    let textures = skinned::Textures { fs0: &texture, fs0_sampler: &sampler };
    let module = skinned::shader_module(&gpu.device);
    let pipeline = gpu.pipeline(
        &skinned::pipeline_layout(&gpu.device),
        skinned::vertex_state(&module),
        skinned::fragment_state(&module, &[target()]),
    );
    gpu.draw(&Pass {
        pipeline: &pipeline,
        groups: &[
            (skinned::Constants::GROUP, constants.bind_group(&gpu.device)),
            (skinned::Textures::GROUP, textures.bind_group(&gpu.device)),
        ],
        vertices: gpu.buffer(cast_slice(&skinned_vertices(&surface)), wgpu::BufferUsages::VERTEX),
        indices: &surface.indices,
        targets: skinned::COLOUR_TARGETS,
    })
}

/// Returns the constants of [`targets`] for the ring.
pub fn targets_constants() -> (targets::Vc, targets::Fc) {
    let turn = turned(-0.5, -0.4);
    let [x, y, z] = unit(LIGHT);
    let vc = targets::Vc { clip: after(camera(EYE), turn), turn };
    (vc, targets::Fc { direction: [x, y, z], ..Default::default() })
}

/// Converts the points of the ring to vertices of [`targets`].
pub fn targets_vertices(surface: &Surface) -> Vec<targets::Vertex> {
    let byte = |part: f32| (part * f32::from(u8::MAX)).round() as u8;
    let vertex = |&Point { position, normal, uv }: &Point| targets::Vertex {
        position,
        normal,
        uv: uv.map(byte),
        ..bytemuck::Zeroable::zeroed()
    };
    surface.points.iter().map(vertex).collect()
}

/// Draws the ring with the shaders of [`targets`], and returns a picture of the colours and a picture of the normals.
///
/// # Errors
/// Returns an error if the device is lost.
pub fn draw_targets(gpu: &Gpu) -> Result<Vec<Picture>> {
    let (surface, (vc, fc)) = (ring(), targets_constants());
    let (vc, fc) = (gpu.constants(&vc), gpu.constants(&fc));
    let constants = targets::Constants { vc: vc.as_entire_buffer_binding(), fc: fc.as_entire_buffer_binding() };
    let (texture, sampler) = (gpu.texture(&tiles()), gpu.device.create_sampler(&targets::FS0_SAMPLER));
    let textures = targets::Textures { fs0: &texture, fs0_sampler: &sampler };
    let module = targets::shader_module(&gpu.device);
    let pipeline = gpu.pipeline(
        &targets::pipeline_layout(&gpu.device),
        targets::vertex_state(&module),
        targets::fragment_state(&module, &[target(), target()]),
    );
    gpu.draw(&Pass {
        pipeline: &pipeline,
        groups: &[
            (targets::Constants::GROUP, constants.bind_group(&gpu.device)),
            (targets::Textures::GROUP, textures.bind_group(&gpu.device)),
        ],
        vertices: gpu.buffer(cast_slice(&targets_vertices(&surface)), wgpu::BufferUsages::VERTEX),
        indices: &surface.indices,
        targets: targets::COLOUR_TARGETS,
    })
}
