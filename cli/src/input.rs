//! Inputs: the command line's options as those of `load`.

use std::path::Path;

use agal_front::assemble::Language;
use agal_front::{Rules, Stage, lift};
use anyhow::{Result, anyhow};
use load::{Content, Form, Input, Item, Options, detect};

use crate::args::{DebugLevel, Ifg, Index, LanguageName, Reading, StageName, TextOptions};
use crate::files::Files;
use crate::report;

impl TextOptions {
    /// The stage that is asked of every program.
    pub(crate) fn stage(&self) -> Option<Stage> {
        self.stage.map(|stage| match stage {
            StageName::Vertex => Stage::Vertex,
            StageName::Fragment => Stage::Fragment,
        })
    }

    /// How text is read, and by which rules it is judged.
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
    /// How inputs are read and understood. The debug table is read if one of them can have it.
    pub(crate) fn options(&self, files: &Files, inputs: &[Input], debug: DebugLevel) -> Result<Options> {
        let options = self.text.options(self.judging.rules());
        let is_module = |input: &Input| matches!(detect(&input.bytes), Form::Sdlbc | Form::ModuleText);
        // It is an input of the run, also where it is not read.
        self.debug_table.iter().for_each(|path| files.is_read(path));
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

/// A debug table that is a file of its own, with its name.
fn debug_table(files: &Files, path: &Path) -> Result<(String, sdlbc::Module)> {
    let input = files.read(path)?;
    match load(&Item::new(&input, None), &Options::default())? {
        Content::Ir(table) => Ok((input.name, table.module)),
        Content::Agal(_) => Err(anyhow!("`{}` is AGAL and no debug table", input.name)),
    }
}

/// Decodes, assembles or parses an input; what is wrong with it is reported here.
pub(crate) fn load(item: &Item<'_>, options: &Options) -> Result<Content> {
    load::read(item, options).map_err(|error| report::load_error(&error))
}
