//! The environment of Mesa's drivers, which is set before the first driver is loaded.

use std::sync::Once;

/// The environment variable that selects the device by part of its name. By default a software device draws, if one exists, since
/// its results are the same on any machine.
pub const ADAPTER: &str = "CONFORMANCE_ADAPTER";

/// Switches of Mesa's software drivers. They are set before the first driver is loaded, unless they are already set.
const SWITCHES: [(&str, &str); 4] = [
    // A window system's library complains if this is not set, although no window is opened.
    ("XDG_RUNTIME_DIR", "/tmp"),
    // A cache in the user's folder would only grow. `./test` uses a cache in the target folder.
    ("MESA_SHADER_CACHE_DISABLE", "true"),
    // The pictures are small, so the calling thread draws them.
    ("LP_NUM_THREADS", "0"),
    // Each fragment gets its own level of detail, and filter weights have 32 bits instead of 8; and little time is spent on
    // optimising code that runs once. Inaccuracies remain (Mesa 22.3): an implicit level is computed with a piecewise linear
    // logarithm, which is up to 0.043 too small, and its fraction is a multiple of 1/256.
    ("GALLIVM_PERF", "no_quad_lod,no_aos_sampling,nopt"),
];

/// Sets the switches, once. Every witness calls this first, even the browser, which does not use them, because its threads must not
/// exist yet.
pub fn switch() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let software = std::env::var_os(ADAPTER).is_none().then_some(("LIBGL_ALWAYS_SOFTWARE", "true"));
        for (name, value) in SWITCHES.into_iter().chain(software) {
            if std::env::var_os(name).is_none() {
                // SAFETY: no witness does anything before this returns, so neither a driver nor one of our threads reads the
                // environment meanwhile, except through the standard library, which locks it.
                unsafe { std::env::set_var(name, value) };
            }
        }
    });
}
