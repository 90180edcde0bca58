//! Pictures to draw: a pair of programs with its mesh, textures and constants, from a TOML file.
