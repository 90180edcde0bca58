//! Collects what is known about a function before its code is lowered.
//!
//! Rule: each input has one label, which is created when the label is first needed.

use naga::ShaderStage;
use sdlbc::{Function, IdMap};

use super::lowering::LoweredInput;
use crate::mend::names::{Names, Scope};

pub(super) struct FunctionBuilder {
    pub(super) label: String,
    pub(super) code: naga::Function,
    pub(super) inputs: IdMap<LoweredInput>,
    pub(super) scope: Scope,
    pub(super) stage: ShaderStage,
    /// The label of each input, or an empty string for an input that has no label.
    pub(super) labels: Vec<String>,
    /// The names to which the generated code assigns the function's outputs, if values are traced.
    pub(super) outputs: Vec<String>,
}

impl FunctionBuilder {
    /// Returns the label of the argument for the input at `index`, and creates the label on the first call.
    pub(super) fn argument(&mut self, index: usize, name: &str, names: &mut Names) -> &str {
        let Some(label) = self.labels.get_mut(index) else { return "" };
        if label.is_empty() {
            *label = names.label(self.scope, name);
        }
        label
    }

    pub(super) fn new(
        label: String,
        scope: Scope,
        stage: ShaderStage,
        inputs: IdMap<LoweredInput>,
        function: &Function,
    ) -> FunctionBuilder {
        let labels = vec![String::new(); function.inputs.len()];
        FunctionBuilder { label, code: naga::Function::default(), inputs, scope, stage, labels, outputs: Vec::new() }
    }
}
