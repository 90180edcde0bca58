//! Limits against hostile files, in one place.

/// How deep IFs may be nested. AGAL's players take 4; what walks the code needs stack for each level, and a thread may
/// have 2 MB of it.
pub const NESTING: usize = 32;

/// The highest id a function may use, so that tables by id stay small.
pub const MAX_ID: u32 = 1 << 24;

/// The longest array of uniforms, in elements.
pub const ARRAY_LENGTH: u32 = 4096;

/// Locations of attributes and varyings, and slots of textures, are below this; no target has nearly as many.
pub const PLACES: u32 = 64;

/// Render targets.
pub const TARGETS: u32 = 4;
