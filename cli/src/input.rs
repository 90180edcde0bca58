//! Reads inputs, and translates the options of the command line into those of `load`.

use std::path::Path;

use agal_front::assemble::Language;
use agal_front::{Rules, Stage, lift};
use agalc::{Content, Form, Input, Item, Options, detect};
use anyhow::{Result, anyhow};

use crate::args::{DebugLevel, Ifg, Index, LanguageName, Reading, StageName, TextOptions};
use crate::files::Files;
use crate::report;

impl TextOptions {
    /// The stage that every program must have.
    pub(crate) fn stage(&self) -> Option<Stage> {
        self.stage.map(|stage| match stage {
            StageName::Vertex => Stage::Vertex,
            StageName::Fragment => Stage::Fragment,
        })
    }

    /// How text is read, and by which rules it is checked.
    pub(crate) fn options(&self, rules: Rules) -> Options {
        let language = match self.language {
            LanguageName::Auto => Language::Auto,
            LanguageName::Mini => Language::Mini,
            LanguageName::Macro => Language::Macro,
        };
        let (version, defines) = (self.agal_version, self.defines.clone());
        Options { version, language, defines, ..Options::with_rules(rules) }
    }
}

impl Reading {
    /// How inputs are read and interpreted. Reads the debug table if one of the inputs is a module.
    pub(crate) fn options(&self, files: &Files, inputs: &[Input], debug: DebugLevel) -> Result<Options> {
        let options = self.text.options(self.judging.rules());
        let is_module = |input: &Input| matches!(detect(&input.bytes), Form::Sdlbc | Form::ModuleText);
        // It must not be overwritten, even if it is not read.
        self.debug_table.iter().for_each(|path| files.mark_read(path));
        let table = self.debug_table.as_ref().filter(|_| inputs.iter().any(is_module));
        Ok(Options {
            meaning: lift::Options {
                strict_ifg: self.ifg == Ifg::Strict,
                truncate_index: self.index == Index::Trunc,
                signed_offset: self.signed_offsets,
                ..options.meaning
            },
            debug: debug.into(),
            debug_table: table.map(|path| debug_table(files, path)).transpose()?,
            ..options
        })
    }
}

/// Reads a debug table from a file of its own; returns it with its name.
fn debug_table(files: &Files, path: &Path) -> Result<(String, sdlbc::Module)> {
    let input = files.read(path)?;
    match load(&Item::new(&input, None), &Options::default())? {
        Content::Ir(table) => Ok((input.name, table.module)),
        Content::Agal(_) => Err(anyhow!("`{}` is AGAL, not a debug table", input.name)),
    }
}

/// Decodes, assembles or parses an input, and reports its errors.
pub(crate) fn load(item: &Item<'_>, options: &Options) -> Result<Content> {
    agalc::read(item, options).map_err(|error| report::load_error(&error))
}
