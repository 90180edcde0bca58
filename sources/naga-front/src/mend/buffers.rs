//! Storage buffers that a shader declares as write-only.
//!
//! Upstream fault `write_only_buffers`: the readers give `writeonly` and NonReadable variables only the access STORE
//! (`Parser::parse_type_qualifiers` in `front/glsl/parser/types.rs`, `Decoration::NonReadable` in `front/spv/mod.rs`).
//! `Validator::validate_global_var` in `valid/interface.rs` refuses that access.

use naga::{AddressSpace, Module, StorageAccess};

/// Makes write-only buffers readable, because naga's validator refuses write-only buffers.
pub(crate) fn with_readable_buffers(mut module: Module) -> Module {
    for (_, variable) in module.global_variables.iter_mut() {
        if let AddressSpace::Storage { access } = &mut variable.space {
            *access |= StorageAccess::LOAD;
        }
    }
    module
}
