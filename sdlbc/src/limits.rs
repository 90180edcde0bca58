//! Limits against hostile files, in one place.

/// How deep IFs may be nested.
pub const NESTING: usize = 64;

/// The highest id a function may use, so that tables by id stay small.
pub const MAX_ID: u32 = 1 << 24;

/// The longest array of uniforms, in elements.
pub const ARRAY_LENGTH: u32 = 4096;

/// Locations of attributes and varyings, and slots of textures, are below this; no target has nearly as many.
pub const PLACES: u32 = 64;

/// Render targets.
pub const TARGETS: u32 = 4;
