//! Assembles AGAL source text into a program.
//!
//! Rule: source text that AGALMiniAssembler accepts yields the same bytes, with warnings for doubtful code. Source text is an
//! error if AGALMiniAssembler would refuse it, silently drop it, or crash on it. The assembler reports all errors, not only the
//! first. Unlike in AGALMiniAssembler, colour letters, upper case and each line's own sampler options have the effect that the
//! author intended. A sampler option that does not exist is an error.
//!
//! Three extensions go beyond the language of AGALMiniAssembler. The header comment `// agal VERSION STAGE` on the first line
//! states the program's version and stage. A line `.token` with a token's four words in hexadecimal is a token that
//! AGALMiniAssembler cannot express. Source text may contain several programs as `part NAME STAGE VERSION ... endpart`, and one
//! of these programs is assembled.
//!
//! Rules that need the complete program, such as the rules for registers and data flow, belong to the validator.
//! [`Assembly::map`] maps the validator's findings back to the source text.

pub(crate) mod advice;
mod gaps;
mod header;
mod lines;
mod macros;
mod names;
mod operand;
pub(crate) mod options;
mod parts;
mod places;
mod procedure;
mod reader;
mod scan;
mod statement;

use std::ops::Range;

pub use macros::Alias;
pub use names::{Extent, NamedBy, Registers, RegistersError, SourceName, extent};
pub use parts::{Part, parts};

use crate::finding::{Finding, FindingPlace, Kind, SourceMap};
use crate::kept::Findings;
use crate::program::Program;
use crate::register::{File, Stage, VERSIONS};
use crate::token::Token;
use header::Header;
use lines::lines;
use macros::Expanded;
use parts::Chosen;
use places::Places;
use reader::{NoteList, Reader, Role};

/// The language of the source text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// The assembler detects the language. A directive, an `alias`, a `macro` or an assignment indicates the macro language, and
    /// registers without a stage letter indicate a procedure of Alternativa3D.
    #[default]
    Auto,
    /// The language of AGALMiniAssembler.
    Mini,
    /// The language of AGALMacroAssembler.
    Macro,
    /// The language of Alternativa3D's procedures.
    Alternativa,
}

sdlbc::options! {
    /// Assembler options, which take precedence over the source text.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct AssembleOptions {
        /// The shader stage. By default, the stage is stated by the header comment, or else inferred from the registers in the
        /// source text.
        pub stage: Option<Stage>,
        /// The AGAL version. The default is the version in the header comment, or else the lowest version that supports everything in
        /// the source text.
        pub version: Option<u32>,
        /// The language of the source text.
        pub language: Language,
        /// The names that the caller defines for `#if` in the macro language, with their initial values.
        pub defines: Vec<(String, f64)>,
        /// The errors to report as warnings, each given by its number. Only tolerable errors can become warnings.
        pub allow: Vec<u16>,
    }
}

/// An assembled program, with its warnings and source positions.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// The assembled program.
    pub program: Program,
    /// The positions of the program's tokens in the source text.
    pub map: SourceMap,
    /// Warnings, in the order of the source text.
    pub warnings: Vec<Finding>,
    /// Whether the version was stated by the caller, the header comment or a part's line. If false, the assembler inferred the
    /// version.
    pub version_given: bool,
    /// The aliases of the macro language, in the order of the source text. The application must upload the values of constant
    /// aliases.
    pub aliases: Vec<Alias>,
    /// The names that aliases and comments give to registers of the program's stage.
    pub names: Vec<SourceName>,
}

/// Source text in the macro language or a procedure of Alternativa3D, expanded for the mini assembler.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// The expanded text, with one statement on each line. Source text in the mini assembler's language is returned unchanged.
    pub text: String,
    /// The aliases, in the order of the source text.
    pub aliases: Vec<Alias>,
    /// The names that aliases and comments give to registers, because the expanded text does not contain these names. The list is
    /// empty if the source text is returned unchanged.
    pub names: Vec<SourceName>,
    /// Warnings about the source text.
    pub warnings: Vec<Finding>,
}

/// Expands source text in the macro language or a procedure of Alternativa3D. The expanded statements are also parsed, so the
/// expanded text assembles without errors.
///
/// # Errors
/// Returns all errors and warnings about the source text, in text order.
pub fn expand(text: &str, options: &AssembleOptions) -> Result<Expansion, Vec<Finding>> {
    let prepared = prepare(text, options);
    let expanded = prepared.expanded.as_ref().map(|expanded| expanded.text.clone());
    let Assembly { warnings, aliases, mut names, .. } = read(text, prepared, options)?;
    if expanded.is_none() {
        names.clear();
    }
    Ok(Expansion { text: expanded.unwrap_or_else(|| text.to_string()), aliases, names, warnings })
}

/// Assembles AGAL source text into a program.
///
/// # Errors
/// Returns all errors and warnings about the source text, in text order.
pub fn assemble(text: &str, options: &AssembleOptions) -> Result<Assembly, Vec<Finding>> {
    read(text, prepare(text, options), options)
}

struct Prepared {
    first: Range<usize>,
    header: Option<Header>,
    part: Option<Chosen>,
    expanded: Option<Expanded>,
}

fn prepare(text: &str, options: &AssembleOptions) -> Prepared {
    let first = lines(text).next().unwrap_or_default();
    let header = Header::read(text, first.clone());
    let asked = options.stage.or(header.as_ref().map(|header| header.stage));
    let part = parts::choose(text, header.as_ref(), asked);
    let own = part.as_ref().map_or(text, |part| &part.text);
    // A part may have its own header comment.
    let header = header.or_else(|| Header::read(own, lines(own).next().unwrap_or_default()));
    let language = match options.language {
        Language::Auto if procedure::is_procedure(own) => Language::Alternativa,
        Language::Auto if macros::is_macro(own) => Language::Macro,
        given => given,
    };
    // The stage and version on a part's line are written to the expansion as a header comment.
    let stated = part.as_ref().and_then(|part| {
        part.stage.zip(part.version).map(|(stage, version)| (format!("// agal {version} {stage}"), part.line.clone()))
    });
    let kept = header.as_ref().map(|header| header.range.clone());
    let kept = kept.and_then(|range| Some((text.get(range.clone())?.to_string(), range))).or(stated);
    let expanded = match language {
        Language::Macro => Some(macros::expand(own, &options.defines, kept)),
        Language::Alternativa => {
            let stage =
                asked.or(part.as_ref().and_then(|part| part.stage)).or(header.as_ref().map(|header| header.stage));
            Some(procedure::expand(own, stage, kept))
        }
        Language::Auto | Language::Mini => None,
    };
    Prepared { first, header, part, expanded }
}

fn read(text: &str, prepared: Prepared, options: &AssembleOptions) -> Result<Assembly, Vec<Finding>> {
    let Prepared { first, header, mut part, mut expanded } = prepared;
    let macro_notes = expanded.as_mut().map(|expanded| std::mem::take(&mut expanded.notes)).unwrap_or_default();
    // Findings about the source text itself, as opposed to its expansion.
    let mut notes = part.as_mut().map(|part| std::mem::take(&mut part.notes)).unwrap_or_default();
    let own = part.as_ref().map_or(text, |part| &part.text);
    let mut reader = Reader::new(expanded.as_ref().map_or(own, |expanded| &expanded.text));
    // The caller's options take precedence over the stage and version on a part's line.
    let (of_part, at_part) = part.as_ref().map_or((None, None), |part| (part.stage, part.version));
    let asked = (options.stage.or(of_part), options.version.or(at_part));
    reader.given = asked.0.or(header.as_ref().map(|header| header.stage));
    let places = Places::new(text, expanded.as_ref().map(|expanded| &expanded.origin));
    // No line has more than one token.
    let most = lines(reader.text).count();
    let (mut tokens, mut map) = (Vec::with_capacity(most), SourceMap::default());
    map.reserve(most);
    for line in lines(reader.text) {
        let code = reader.text_of(&line).split("//").next().unwrap_or_default().trim_end();
        if !code.is_empty()
            && let Some(statement) = reader.statement(line.start..line.start + code.len())
        {
            tokens.push(statement.token);
            map.push(places.spans_of(statement));
        }
    }
    if let Some(header) = &header {
        header.check(asked, &mut notes);
    }
    let broken = macro_notes.has_error() || notes.has_error();
    let (stage, of_stage) = check_stage(&reader);
    if stage.is_none() && !broken && !reader.notes.has_error() {
        match &part {
            Some(part) => drop(notes.push(Kind::StageUnknown, part.line.clone())),
            None => reader.note(Kind::StageUnknown, &lines(reader.text).next().unwrap_or_default()),
        }
    }
    let stage = stage.unwrap_or(Stage::Vertex);
    let of_part = part.as_ref().and_then(|part| Some((part.version?, part.line.clone())));
    let version = options.version.map(|version| (version, first)).or(of_part);
    let version = version.or(header.as_ref().map(|header| (header.version, header.range.clone())));
    if let Some((found, range)) = version.clone().filter(|(version, _)| !VERSIONS.contains(version)) {
        notes.push(Kind::Version { found }, range);
    }
    let inferred = lowest_version(&reader, stage);
    let (mut all, more) = macro_notes.into_parts();
    let mut further: Vec<Kind> = more.into_iter().collect();
    for (notes, is_expanded) in [(notes, false), (reader.notes, true), (of_stage, true)] {
        let (notes, more) = notes.into_parts();
        further.extend(more);
        let written = |range| if is_expanded { places.find(range) } else { (range, None) };
        all.extend(notes.into_iter().map(|(kind, range)| (kind, written(range))));
    }
    let further = further.into_iter().map(|kind| Finding::new(kind, FindingPlace::default()));
    let mut findings = places.findings(all).into_iter().chain(further).collect::<Findings>().into_list();
    findings.iter_mut().for_each(|finding| finding.tolerate(&options.allow));
    if findings.iter().any(Finding::is_error) {
        return Err(findings);
    }
    let aliases_named = expanded.as_ref().map_or(&[][..], |expanded| &expanded.named);
    let names = names::source_names(own, aliases_named, stage, &places);
    let version_given = version.is_some();
    let version = version.map_or(inferred, |(version, _)| version);
    Ok(Assembly {
        program: Program { version, stage, tokens, trailing: reader.trailing },
        map,
        warnings: findings,
        version_given,
        names,
        aliases: expanded.map(|expanded| expanded.aliases).unwrap_or_default(),
    })
}

/// Returns the words that are allowed in the options of a texture opcode.
pub fn option_words() -> impl Iterator<Item = &'static str> {
    options::WORDS.iter().map(|(word, ..)| *word)
}

/// Parses one line as a token for the given stage. Returns `None` if the line causes any finding.
pub(crate) fn token(line: &str, stage: Stage) -> Option<Token> {
    let mut reader = Reader { given: Some(stage), ..Reader::new(line) };
    let statement = reader.statement(0..line.len())?;
    let fits_stage = reader.marks.iter().all(|mark| mark.role == Role::Opcode || mark.stage == stage);
    (fits_stage && reader.notes.is_empty()).then_some(statement.token)
}

/// Returns the program's stage, and findings about names that belong to the other stage. If no stage is given, the first name
/// that belongs to only one stage determines the stage. If a stage is given, the validator reports opcodes of the other stage.
fn check_stage(reader: &Reader) -> (Option<Stage>, NoteList) {
    let given = reader.given;
    let mut notes = NoteList::default();
    let mut conflict = false;
    let first = reader.marks.first();
    let stage = given.or(first.map(|mark| mark.stage));
    for mark in reader.marks.iter().filter(|mark| Some(mark.stage) != stage) {
        let (name, only) = (mark.name.to_string(), mark.stage);
        let kind = match (given, first) {
            (_, Some(_)) if mark.role == Role::Index => Kind::IndexStage { name, only },
            // Only the first conflict is reported, because all later names conflict if the first name is the mistake.
            (None, Some(_)) if conflict => continue,
            (None, Some(first)) => {
                conflict = true;
                Kind::StageConflict { name, only, because: first.name.to_string() }
            }
            _ if mark.role == Role::Opcode => continue,
            _ => Kind::WrongStage { name, only },
        };
        notes.push(kind, mark.range.clone());
    }
    (stage, notes)
}

/// Returns the lowest version that has the opcodes and registers of the source text. For a register that no version has, the
/// result is the first version with the most registers of the same kind, and the validator rejects the register.
fn lowest_version(reader: &Reader, stage: Stage) -> u32 {
    let needed = File::ALL.into_iter().zip(reader.highest).map(|(file, highest)| {
        let Some(highest) = highest else { return 1 };
        let most = VERSIONS.map(|version| file.count(stage, version)).max().unwrap_or(0);
        let enough = (highest + 1).min(most);
        VERSIONS.clone().find(|&version| file.count(stage, version) >= enough).unwrap_or(1)
    });
    needed.fold(reader.since, u32::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fragment(text: &str) -> Result<Assembly, Vec<Finding>> {
        assemble(text, &AssembleOptions::default().stage(Some(Stage::Fragment)).language(Language::Mini))
    }

    #[test]
    fn each_kind_of_line_break_separates_statements() {
        let text =
            "\u{feff}mov ft0, v0\rmov ft1, v0\r\nmov ft2, v0\x0bmov ft3, v0\x0cmov ft4, v0\n\n\t mov oc, ft0 \t\r\r";
        let assembly = fragment(text).expect("a program");
        assert_eq!(assembly.warnings, []);
        let places = assembly.map.iter().map(|spans| (spans.operation.line, spans.operation.column));
        assert_eq!(places.collect::<Vec<_>>(), [(1, 2), (2, 1), (3, 1), (3, 13), (3, 25), (5, 3)]);
    }

    #[test]
    fn columns_are_characters_and_ranges_bytes() {
        let text = "// é\nmov ft0,\u{a0}é v0";
        let assembly = fragment(text).expect("a program");
        let spans = assembly.map.get(0).expect("a statement");
        assert_eq!(spans.sources[0].map(|span| &text[span.start..span.end]), Some("v0"));
        assert_eq!(spans.sources[0].map(|span| (span.line, span.column)), Some((2, 12)));
        assert_eq!(spans.destination.map(|span| &text[span.start..span.end]), Some("ft0"));
    }

    #[test]
    fn the_caller_overrides_the_header() {
        let text = "// agal 2 fragment\nmov oc, v0";
        let assembly = assemble(text, &AssembleOptions::default()).expect("a program");
        assert_eq!((assembly.program.version, assembly.version_given), (2, true));
        let assembly = assemble(text, &AssembleOptions::default().version(Some(3))).expect("a program");
        assert_eq!((assembly.program.version, assembly.version_given), (3, true));
        assert_eq!(assembly.warnings[0].kind, Kind::HeaderDiffers { given: "version 3".to_string() });
        let options = AssembleOptions::default().stage(Some(Stage::Vertex));
        let findings = assemble(text, &options).expect_err("oc is not a register of a vertex program");
        assert_eq!(findings[0].kind, Kind::HeaderDiffers { given: "a vertex program".to_string() });
        assert_eq!(findings[1].kind, Kind::WrongStage { name: "oc".to_string(), only: Stage::Fragment });
    }

    #[test]
    fn only_a_first_line_of_exactly_its_form_is_a_header() {
        for text in
            ["// agal 2 fragments\nmov oc, v0", "//agal 2 fragment\nmov oc, v0", "mov oc, v0\n// agal 2 fragment"]
        {
            let assembly = assemble(text, &AssembleOptions::default()).expect("a program");
            assert_eq!((assembly.program.version, assembly.version_given), (1, false), "{text}");
        }
        let findings =
            assemble("\n// agal 9 fragment\nmov oc, v0", &AssembleOptions::default()).expect_err("no version");
        assert_eq!(findings[0].kind, Kind::Version { found: 9 });
        assert_eq!(findings[0].place.span.map(|span| span.line), Some(2));
    }

    #[test]
    fn an_empty_text_is_a_program_if_the_stage_is_known() {
        assert_eq!(fragment(" \n// nothing\n").map(|assembly| assembly.program.tokens), Ok(vec![]));
        let findings = assemble("", &AssembleOptions::default()).expect_err("no stage");
        assert_eq!(findings[0].kind, Kind::StageUnknown);
    }

    #[test]
    fn a_misspelt_word_gets_the_nearest_suggestion() {
        let findings =
            fragment("mvo ft0, v0\ntex ft0, v0, fs0 <2d,linaer,clmap,xyzzyxyzzy>\nzzz").expect_err("misspelt");
        let helps: Vec<String> = findings
            .iter()
            .map(|finding| finding.kind.help().and_then(|help| help.worded(|_| None)).unwrap_or_default())
            .collect();
        assert_eq!(helps[..3], ["did you mean `mov`?", "did you mean `linear`?", "did you mean `clamp`?"]);
        assert!(helps[3].starts_with("remove it; options are") && helps[4].starts_with("a line contains"), "{helps:?}");
    }

    /// Assembling the test's source texts would take minutes if each operand, word or finding were compared with all earlier
    /// ones.
    #[test]
    fn long_texts_take_proportional_time() {
        let options: String = "wrod,".repeat(10_000);
        let parts: String = (0..100_000).map(|name| format!("part p{name}\nels\n")).collect();
        let texts = [
            "v".repeat(400_000),
            "vc[".repeat(100_000),
            "ft0 q ".repeat(100_000),
            "é v0 ".repeat(100_000),
            "els é\x0b".repeat(100_000),
            "<".repeat(400_000),
            format!("tex ft0, v0, fs0 <{options}>"),
            parts,
        ];
        for text in texts {
            let text = if ["tex", "els", "part"].iter().any(|word| text.starts_with(word)) {
                text
            } else {
                format!("mov {text}")
            };
            let _ = fragment(&text);
        }
    }

    #[test]
    fn any_text_is_assembled_or_refused() {
        for text in [
            "<",
            ">",
            "mov",
            "mov <",
            "tex<>",
            "vc[",
            "mov vc[",
            "é",
            "ab",
            "a\u{0}",
            ".token",
            ".token 0x",
            ";",
            "//",
            "mov ft0,[v0",
            "\u{2028}",
        ] {
            for stage in [None, Some(Stage::Vertex), Some(Stage::Fragment)] {
                let _ = assemble(text, &AssembleOptions::default().stage(stage));
            }
        }
    }
}
