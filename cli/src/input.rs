//! Converts command-line options to library options, and reads files of names and separate debug tables.

use std::path::{Path, PathBuf};

use agal_front::Rules;
use agalc::names::Names;
use agalc::render::shown;
use agalc::{Language, Options, Program, Source, names_beside};
use anyhow::{Result, anyhow};

use crate::args::{DebugLevel, Ifg, Index, Judging, LanguageName, Naming, Reading, TextOptions};
use crate::files::Files;
use crate::report;

impl TextOptions {
    pub(crate) fn options(&self, rules: Rules) -> Options {
        let language = match self.language {
            LanguageName::Auto | LanguageName::Es2 => Language::Auto,
            LanguageName::Mini => Language::Mini,
            LanguageName::Macro => Language::Macro,
            LanguageName::Alternativa => Language::Alternativa,
        };
        Options::with_rules(rules)
            .stage(self.stage)
            .version(self.agal_version)
            .language(language)
            .es2_text(self.language == LanguageName::Es2)
            .defines(self.defines.clone())
            .entries(self.entry_points.clone())
    }
}

impl Reading {
    /// Returns the options for opening inputs, which affect how an input's format is detected.
    pub(crate) fn opening(&self) -> Options {
        self.text.options(self.judging.rules())
    }

    /// Returns the options for reading and interpreting the sources. Also reads the file of names and, if a source is a module,
    /// the debug table.
    pub(crate) fn options(
        &self,
        files: &Files,
        paths: &[PathBuf],
        sources: &[Source<'_>],
        debug: DebugLevel,
    ) -> Result<Options> {
        let options = self.opening();
        // No output may overwrite the debug table, even if the debug table is not read.
        self.debug_table.iter().for_each(|path| files.mark_read(path));
        let table = self.debug_table.as_ref().filter(|_| sources.iter().any(Source::is_module));
        let meaning = options
            .meaning
            .clone()
            .strict_ifg(self.ifg == Ifg::Strict)
            .truncate_index(self.index == Index::Trunc)
            .signed_offset(self.signed_offsets);
        let debug_table = table.map(|path| debug_table(files, path)).transpose()?;
        let names = self.naming.names(files, paths, &self.judging)?;
        Ok(options
            .meaning(meaning)
            .debug(debug)
            .debug_table(debug_table)
            .names(names)
            .ignore_source_names(self.no_source_names)
            .inline_constants(self.inline_constants)
            .overrides(self.overrides.clone())
            .texel_formats(self.texel_formats.clone())
            .glsl_version(self.glsl_version)
            .convention(self.source_convention))
    }
}

impl Naming {
    /// Returns the names from the options and from the file of names that belongs to the inputs `paths`.
    pub(crate) fn names(&self, files: &Files, paths: &[PathBuf], judging: &Judging) -> Result<Names> {
        let mut names = match self.path(paths, judging)? {
            Some(path) => names_in(files, &path)?,
            None => Names::default(),
        };
        self.given.iter().for_each(|entry| names.push(entry.clone()));
        Ok(names)
    }

    /// Returns the path of the file of names: the path from the command line, or the file that belongs to the inputs `paths`.
    pub(crate) fn path(&self, paths: &[PathBuf], judging: &Judging) -> Result<Option<PathBuf>> {
        match &self.file {
            Some(path) => Ok(Some(path.clone())),
            None => file_of_names(paths, judging),
        }
    }
}

/// Finds the file of names that belongs to the inputs, such as `lit.names.toml` next to `lit.vert.agal` and `lit.frag.agal`.
/// Inputs in different folders or with different base names have no such file.
fn file_of_names(paths: &[PathBuf], judging: &Judging) -> Result<Option<PathBuf>> {
    let named: Vec<PathBuf> = paths.iter().filter(|path| path.as_os_str() != "-").cloned().collect();
    let expected = names_beside(&named);
    let found: Vec<&PathBuf> = expected.iter().filter(|path| path.is_file()).collect();
    match (&found[..], expected.len()) {
        ([path], 1) => Ok(Some((*path).clone())),
        ([path, ..], _) => {
            let name = shown::path(path);
            let message = format!("`{name}` is not read, because the inputs differ in folder or base name");
            report::run_warning(&message, &format!("`--names {name}` reads it"), judging)?;
            Ok(None)
        }
        _ => Ok(None),
    }
}

fn names_in(files: &Files, path: &Path) -> Result<Names> {
    let input = files.read(path)?;
    let Ok(text) = String::from_utf8(input.bytes) else {
        return Err(anyhow!("`{}` is not a file of names, because it is not text in UTF-8", input.name));
    };
    Names::from_toml(&text, &input.name).map_err(|errors| report::names_file(&input.name, &errors.0))
}

/// Reads a debug table from a separate file, and returns the file's name with the table.
fn debug_table(files: &Files, path: &Path) -> Result<(String, sdlbc::Module)> {
    // A debug table contains no functions, so it cannot be verified without its module.
    let (input, options) = (files.read(path)?, Options::default());
    match read_shown(&Source::open(&input, &options), &options)?.module() {
        Some(table) => Ok((input.name, table.module().clone())),
        None => Err(anyhow!("`{}` is a program, not a debug table", input.name)),
    }
}

/// Reads an input that is only displayed or copied, so a module may break the rules of SDLSHADERBC.
pub(crate) fn read_shown(source: &Source<'_>, options: &Options) -> Result<Program> {
    source.read_shown(options).map_err(|error| report::load_error(&error))
}
