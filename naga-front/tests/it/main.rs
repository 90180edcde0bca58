//! The tests of `naga-front`, in one binary: modules that are lifted from sources, as files, and sources that are refused.

mod layers;
mod lifted;
mod refused;
