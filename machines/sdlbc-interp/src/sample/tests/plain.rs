//! Samples random textures at random coordinates with a direct f64 implementation of the filters' definitions, and compares the
//! results with the sampler's results.

use testing::Random;

use super::*;

/// Returns the texel at a position that may be outside the texture: the position is wrapped, clamped, or folded over the edge of
/// a cube. `face` is used only for a cube.
fn texel(texture: &Texture, level: usize, wraps: [bool; 3], place: [i64; 3], face: usize) -> [f64; 4] {
    let of = &texture.levels[level];
    let sizes = [of.width, of.height, of.depth].map(i64::from);
    let read = |x: i64, y: i64, z: i64| of.texels[((z * sizes[1] + y) * sizes[0] + x) as usize].map(f64::from);
    if texture.dimension != Dimension::Cube {
        let [x, y, z]: [i64; 3] =
            std::array::from_fn(
                |i| {
                    if wraps[i] { place[i].rem_euclid(sizes[i]) } else { place[i].clamp(0, sizes[i] - 1) }
                },
            );
        return read(x, y, z);
    }
    let n = sizes[0];
    let outside = |x: i64| x < 0 || x >= n;
    let held = |x: i64| x.clamp(0, n - 1);
    let [x, y, _] = place;
    match (outside(x), outside(y)) {
        (false, false) => read(x, y, face as i64),
        (true, true) => {
            let three = [(held(x), held(y)), (x, held(y)), (held(x), y)];
            let three = three.map(|(x, y)| texel(texture, level, wraps, [x, y, 0], face));
            std::array::from_fn(|i| (three[0][i] + three[1][i] + three[2][i]) / 3.0)
        }
        _ => {
            // A direction beyond the edge of a face is folded onto the adjoining face, at the same distance from the edge.
            let to = |x: i64| (2 * x + 1) as f64 / n as f64 - 1.0;
            let (s, t) = (to(x), to(y));
            let over = (s.abs() - 1.0).max(t.abs() - 1.0);
            let direction = direction(face, 1.0 - over, s.clamp(-1.0, 1.0), t.clamp(-1.0, 1.0));
            let (face, s, t) = project(direction);
            let index = |s: f64| held(((s + 1.0) / 2.0 * n as f64).floor() as i64);
            read(index(s), index(t), face as i64)
        }
    }
}

/// Returns the direction of a position on a face, with s and t from -1 to 1.
fn direction(face: usize, out: f64, s: f64, t: f64) -> [f64; 3] {
    match face {
        0 => [out, -t, -s],
        1 => [-out, -t, s],
        2 => [s, out, t],
        3 => [s, -out, -t],
        4 => [s, -t, out],
        _ => [-s, -t, -out],
    }
}

/// Returns the face that a direction meets, and s and t from -1 to 1.
fn project([x, y, z]: [f64; 3]) -> (usize, f64, f64) {
    let largest = x.abs().max(y.abs()).max(z.abs());
    match () {
        () if z == largest => (4, x / z, -y / z),
        () if -z == largest => (5, x / z, y / z),
        () if y == largest => (2, x / y, z / y),
        () if -y == largest => (3, -x / y, z / y),
        () if x == largest => (0, -z / x, -y / x),
        () => (1, -z / x, y / x),
    }
}

/// Returns a filtered value of one mip level, and whether the value depends on the last bits of the coordinate.
fn filtered(texture: &Texture, linear: bool, wraps: [bool; 3], at: [f64; 3], level: usize) -> ([f64; 4], bool) {
    let of = &texture.levels[level];
    let mut place = [of.width, of.height, of.depth].map(f64::from);
    let mut face = 0;
    if texture.dimension == Dimension::Cube {
        let (on, s, t) = project(at);
        face = on;
        place = [place[0] * (s + 1.0) / 2.0, place[1] * (t + 1.0) / 2.0, 0.0];
    } else {
        for (place, at) in place.iter_mut().zip(at) {
            *place *= at;
        }
    }
    let axes = if texture.dimension == Dimension::D3 { 3 } else { 2 };
    if !linear {
        let risky = place[..axes].iter().any(|place| (place - place.round()).abs() < 1e-3);
        let whole = std::array::from_fn(|i| if i < axes { place[i].floor() as i64 } else { 0 });
        let held = |x: i64| x.clamp(0, i64::from(of.width) - 1);
        let whole = if texture.dimension == Dimension::Cube { whole.map(held) } else { whole };
        return (texel(texture, level, wraps, whole, face), risky);
    }
    let mut sum = [0.0; 4];
    for corner in 0..1 << axes {
        let mut weight = 1.0;
        let mut whole = [0; 3];
        for axis in 0..axes {
            let low = (place[axis] - 0.5).floor();
            let part = place[axis] - 0.5 - low;
            let up = corner >> axis & 1 == 1;
            weight *= if up { part } else { 1.0 - part };
            whole[axis] = low as i64 + i64::from(up);
        }
        for (sum, component) in sum.iter_mut().zip(texel(texture, level, wraps, whole, face)) {
            *sum += weight * component;
        }
    }
    (sum, false)
}

/// Returns the LOD for given coordinate differences. The LOD of a cube is computed from a finite difference instead of the
/// derivative.
fn detail(texture: &Texture, at: [f64; 3], ways: [[f64; 3]; 2]) -> f64 {
    let base = &texture.levels[0];
    let sizes = [base.width, base.height, base.depth].map(f64::from);
    let length = |way: [f64; 3]| match texture.dimension {
        Dimension::D2 | Dimension::D2Array => (way[0] * sizes[0]).hypot(way[1] * sizes[1]),
        Dimension::D3 => (0..3).map(|i| (way[i] * sizes[i]).powi(2)).sum::<f64>().sqrt(),
        Dimension::Cube | Dimension::CubeArray => {
            let small = 1e-6;
            let moved = |by: f64| project(std::array::from_fn(|i| at[i] + by * way[i]));
            let ((_, s, t), (_, u, v)) = (moved(-small), moved(small));
            ((u - s) * sizes[0] / 2.0).hypot((v - t) * sizes[1] / 2.0) / (2.0 * small)
        }
    };
    length(ways[0]).max(length(ways[1])).log2()
}

/// Returns a sample, and whether rounding errors may select other texels or another mip level.
fn plain(texture: &Texture, sampler: &Sampler, at: [f64; 3], lod: f64) -> ([f64; 4], bool) {
    let wraps = [sampler.wrap_u == 1, sampler.wrap_v == 1, sampler.wrap_u == 1];
    let last = texture.levels.len() - 1;
    let one = |level: usize| filtered(texture, sampler.filter != 0, wraps, at, level.min(last));
    match sampler.mip {
        0 => one(0),
        1 => {
            let (texel, risky) = one((lod + 0.5).floor().clamp(0.0, last as f64) as usize);
            (texel, risky || (lod + 0.5 - (lod + 0.5).round()).abs() < 1e-3)
        }
        _ => {
            let lod = lod.clamp(0.0, last as f64);
            let (first, second) = (one(lod as usize), one(lod as usize + 1));
            let part = lod.fract();
            (std::array::from_fn(|i| first.0[i] * (1.0 - part) + second.0[i] * part), first.1 || second.1)
        }
    }
}

pub(super) fn random_texture(random: &mut Random, dimension: Dimension) -> Texture {
    let mut size = |end| 1 + random.below(end) as u32;
    let (width, height, depth) = match dimension {
        Dimension::D2 => (size(20), size(20), 1),
        Dimension::D2Array => (size(20), size(20), 3),
        Dimension::D3 => (size(7), size(7), size(7)),
        Dimension::Cube => {
            let size = size(9);
            (size, size, 6)
        }
        Dimension::CubeArray => {
            let size = size(9);
            (size, size, 18)
        }
    };
    let texels = (0..width * height * depth).map(|_| (random.next() as u32).to_le_bytes()).collect();
    let mut texture = Texture::new(dimension, vec![Level { width, height, depth, texels }]).unwrap().with_mips();
    // Each mip level has its own colours, and some textures lack their smallest levels.
    for level in &mut texture.levels {
        level.texels.iter_mut().for_each(|texel| *texel = (random.next() as u32).to_le_bytes());
    }
    let count = texture.levels.len() - if random.below(4) == 0 { random.below(texture.levels.len()) } else { 0 };
    texture.levels.truncate(count);
    texture
}

#[test]
fn random_samples_agree_with_a_direct_computation() {
    let mut random = Random(5);
    let mut asked = 0;
    let mut compared = 0;
    for round in 0..180 {
        let dimension = Dimension::ALL[round % 3];
        let texture = random_texture(&mut random, dimension);
        for state in 0..24 {
            let sampler = sampler(state % 2, state / 2 % 3, state / 6 % 2, state / 12 % 2);
            let reach = if state % 5 == 0 { 9.0 } else { 1.2 };
            let step = random.between(0.0, 0.5);
            let three = |random: &mut Random, reach: f32| -> [f32; 3] {
                std::array::from_fn(|_| random.between(-reach, reach))
            };
            let mut at = [[0.0; 3]; LANES];
            for quad in at.as_chunks_mut::<4>().0 {
                let origin = three(&mut random, reach);
                *quad = std::array::from_fn(|_| {
                    let by = three(&mut random, step);
                    std::array::from_fn(|i| origin[i] + by[i])
                });
            }
            let numbers: [f32; LANES] = std::array::from_fn(|_| random.between(-2.0, 5.0));
            let ways: [[[f32; 3]; LANES]; 2] =
                std::array::from_fn(|_| std::array::from_fn(|_| three(&mut random, step)));
            let kind = random.below(4);
            let level = match kind {
                0 => LevelOf::Implicit { bias: None },
                1 => LevelOf::Implicit { bias: Some(&numbers) },
                2 => LevelOf::Exact(&numbers),
                _ => LevelOf::Gradient { dx: &ways[0], dy: &ways[1] },
            };
            let texels = sample(&texture, &sampler, &at, level, ALL);
            for lane in (round % 7..LANES).step_by(7) {
                let place = at[lane].map(f64::from);
                let first = lane / 4 * 4;
                let from = at[first].map(f64::from);
                let to = |other: usize| std::array::from_fn(|i| f64::from(at[first + other][i]) - from[i]);
                let lod = match kind {
                    0 => detail(&texture, from, [to(1), to(2)]),
                    1 => detail(&texture, from, [to(1), to(2)]) + f64::from(numbers[lane]),
                    2 => f64::from(numbers[lane]),
                    _ => detail(&texture, place, ways.map(|way| way[lane].map(f64::from))),
                };
                let (wanted, risky) = plain(&texture, &sampler, place, lod);
                asked += 1;
                // Near a cube's edge, rounding may move the direction to another face, which has a different LOD.
                let sorted = |at: [f64; 3]| {
                    let mut sizes = at.map(f64::abs);
                    sizes.sort_by(f64::total_cmp);
                    dimension == Dimension::Cube && (sizes[2] - sizes[1] < 1e-4 || sizes[2] < 0.05)
                };
                if risky || sorted(place) || sorted(from) {
                    continue;
                }
                compared += 1;
                for (is, wanted) in texels[lane].iter().zip(wanted) {
                    let error = (f64::from(*is) * 255.0 - wanted).abs();
                    assert!(
                        error < 0.03,
                        "{dimension:?} {sampler:?} {level:?} lane {lane} at {place:?}, level of detail {lod}: {:?}, not {wanted}",
                        texels[lane].map(|component| component * 255.0)
                    );
                }
            }
        }
    }
    assert!(compared * 10 > asked * 9, "{compared} of {asked}");
}
