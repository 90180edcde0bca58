//! The loops over lanes, compiled for the processor that runs them.
//!
//! Rust compiles for the processors that every machine of a target has. On x86-64 those have vectors of four floats, and
//! most machines have vectors of eight (AVX2), with which the loops take 0.55 to 0.95 of the time. So the loops are compiled
//! twice, and [`Simd::best`] chooses. The results are the same to the bit: each operation on each lane is the same, and
//! nothing is fused.

use std::ops::Range;

use sdlbc::compute::{self, Kernel};
use sdlbc::{Op, Sampler, Type};

use crate::raster::{self, Weights};
use crate::sample::{self, LevelOf, Vectors};
use crate::{Column, LANES, Mask, Texture};

type Interpolate = fn(&mut [Column], Range<usize>, &Weights, [&[u32]; 3]);

/// Functions whose loops over lanes are compiled for one kind of processor.
#[derive(Clone, Copy)]
pub(crate) struct Simd {
    /// [`compute::kernel`].
    pub(crate) kernel: fn(Op, &[Type]) -> Option<Kernel<LANES>>,
    /// [`sample::in_columns`].
    pub(crate) sample: fn(&Texture, &Sampler, &Vectors<'_>, LevelOf<'_>, Mask, &mut [Column; 4]),
    /// [`raster::interpolate`].
    pub(crate) interpolate: Interpolate,
}

impl Simd {
    /// For every processor of the target.
    const BASE: Simd = Simd { kernel: compute::kernel, sample: sample::in_columns, interpolate: raster::interpolate };

    /// For processors with AVX2. The closures are compiled for what this function is compiled for.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn avx2() -> Simd {
        Simd {
            kernel: |op, operands| compute::kernel_avx2(op, operands),
            sample: |texture, sampler, coordinate, level, live, texels| {
                sample::in_columns(texture, sampler, coordinate, level, live, texels);
            },
            interpolate: |columns, quads, weights, corners| raster::interpolate(columns, quads, weights, corners),
        }
    }

    /// For the processor that this runs on.
    pub(crate) fn best() -> Simd {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            #[expect(unsafe_code, reason = "the processor has AVX2; measured: see the module's documentation")]
            // SAFETY: the only condition of a function with a target feature is that the processor has it.
            return unsafe { Simd::avx2() };
        }
        Simd::BASE
    }
}

impl Default for Simd {
    fn default() -> Simd {
        Simd::best()
    }
}
