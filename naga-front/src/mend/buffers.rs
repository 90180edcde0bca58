//! Storage buffers that a shader declares as write-only.
//!
//! Upstream fault `write_only_buffers`: the readers give `writeonly` and NonReadable variables only the access STORE
//! (`Parser::parse_type_qualifiers` in `front/glsl/parser/types.rs`, `Decoration::NonReadable` in `front/spv/mod.rs`), which
//! `Validator::validate_global_var` in `valid/interface.rs` refuses.

use naga::{AddressSpace, Module, StorageAccess};

/// Makes write-only buffers readable, since naga's validator refuses write-only ones.
pub(crate) fn with_readable_buffers(mut module: Module) -> Module {
    for (_, variable) in module.global_variables.iter_mut() {
        if let AddressSpace::Storage { access } = &mut variable.space {
            *access |= StorageAccess::LOAD;
        }
    }
    module
}
