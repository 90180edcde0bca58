//! The environment of Mesa's drivers, which is set before the first driver is loaded.

use std::sync::Once;

/// The environment variable that selects a device by part of the device's name. By default, a software device is preferred,
/// because its results are the same on every machine.
pub const ADAPTER: &str = "CONFORMANCE_ADAPTER";

/// The environment variables that configure Mesa's software drivers, unless the user has already set them.
const SWITCHES: [(&str, &str); 4] = [
    // A windowing library complains if this variable is unset, although no window is opened.
    ("XDG_RUNTIME_DIR", "/tmp"),
    // Mesa's shader cache would keep growing in the user's folder, so it is off. Only `./test` uses a cache, in the target
    // folder.
    ("MESA_SHADER_CACHE_DISABLE", "true"),
    // The pictures are small, so llvmpipe draws on the calling thread instead of starting threads of its own.
    ("LP_NUM_THREADS", "0"),
    // With these options, Mesa computes the level of detail for each fragment, uses filter weights with 32 bits instead of 8, and
    // hardly optimises code that runs once. In Mesa 22.3, an implicit level of detail is still up to 0.043 too small, because
    // Mesa's logarithm is piecewise linear. The fraction of an implicit level is a multiple of 1/256.
    ("GALLIVM_PERF", "no_quad_lod,no_aos_sampling,nopt"),
];

/// Sets Mesa's environment variables on the first call. Every witness calls this function before it starts threads, even the
/// browser's witness, which ignores these variables.
pub fn switch() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let software = std::env::var_os(ADAPTER).is_none().then_some(("LIBGL_ALWAYS_SOFTWARE", "true"));
        for (name, value) in SWITCHES.into_iter().chain(software) {
            if std::env::var_os(name).is_none() {
                // SAFETY: every witness waits for this function before it starts a driver, so no driver reads the environment at
                // the same time. Our threads read the environment only through the standard library, which locks it.
                unsafe { std::env::set_var(name, value) };
            }
        }
    });
}
