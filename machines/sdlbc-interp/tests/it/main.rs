//! The integration tests of `sdlbc-interp`, in one binary: `cargo test -p sdlbc-interp --test it NAME`.

mod control;
mod dispatch;
mod drawn;
mod float24;
mod operations;
mod shader;
mod speed;
mod texels;
