//! Assembles AGAL text to a program.
//!
//! Rule: text that AGALMiniAssembler accepts yields the same bytes, with warnings for anything doubtful in it; text that it would
//! refuse, silently drop or crash on is an error, and all errors are collected. Where that assembler ignores the author's
//! intention, the intention is followed: colour letters, upper case, each line's own options; a sampler option that does not exist
//! is an error. Three extensions go beyond its language. A first line `// agal VERSION STAGE`, which is a comment to that
//! assembler, states version and stage. A line `.token` with a token's four words in hexadecimal is a token that its language
//! cannot express. A text may contain several programs as `part NAME STAGE VERSION ... endpart`, of which one is assembled.
//!
//! The rules that need the whole program (registers, data flow) belong to the validator, whose findings are mapped back to the
//! text by [`Assembly::map`].

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

/// The language of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// Detected from the text: a directive, an `alias`, a `macro` or an assignment makes it the macro language, and registers
    /// without a letter for the stage make it a procedure of Alternativa3D.
    #[default]
    Auto,
    /// The language of AGALMiniAssembler.
    Mini,
    /// The language of AGALMacroAssembler.
    Macro,
    /// A procedure of Alternativa3D.
    Alternativa,
}

sdlbc::options! {
    /// Facts about the program that the caller knows; they override the statements of the text.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct AssembleOptions {
        /// The stage; by default that of the header comment, otherwise the stage whose registers the text names.
        pub stage: Option<Stage>,
        /// The version; by default that of the header comment, otherwise the lowest version that supports everything in the text.
        pub version: Option<u32>,
        /// The language.
        pub language: Language,
        /// Names that are initially defined for `#if` of the macro language, and their values.
        pub defines: Vec<(String, f64)>,
        /// Numbers of errors to turn into warnings, if the text remains meaningful.
        pub allow: Vec<u16>,
    }
}

/// An assembled program.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// The program.
    pub program: Program,
    /// Positions of the program's tokens in the text.
    pub map: SourceMap,
    /// Warnings about the text, in text order.
    pub warnings: Vec<Finding>,
    /// Whether the version was stated by the caller or a header comment, rather than inferred.
    pub version_given: bool,
    /// The aliases of the macro language, in the order of the text. The application must upload the values of the aliases that have
    /// some.
    pub aliases: Vec<Alias>,
    /// The names that aliases and comments give to registers of the program's stage.
    pub names: Vec<SourceName>,
}

/// A text in the macro language or a procedure of Alternativa3D, expanded for the mini assembler.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// The text, one statement on each line. A text in the mini assembler's language is returned unchanged.
    pub text: String,
    /// The aliases, in the order of the text.
    pub aliases: Vec<Alias>,
    /// The names that aliases and comments give to registers, which are missing in the expanded text; empty for a text that is
    /// returned unchanged.
    pub names: Vec<SourceName>,
    /// Warnings about the text.
    pub warnings: Vec<Finding>,
}

/// Expands the macro language, or a procedure of Alternativa3D. The expanded statements are also read, so that the result is sure
/// to assemble.
///
/// # Errors
/// All errors in the text, and the warnings, in the order of the text.
pub fn expand(text: &str, options: &AssembleOptions) -> Result<Expansion, Vec<Finding>> {
    let prepared = prepare(text, options);
    let expanded = prepared.expanded.as_ref().map(|expanded| expanded.text.clone());
    let Assembly { warnings, aliases, mut names, .. } = read(text, prepared, options)?;
    if expanded.is_none() {
        names.clear();
    }
    Ok(Expansion { text: expanded.unwrap_or_else(|| text.to_string()), aliases, names, warnings })
}

/// Assembles a program.
///
/// # Errors
/// All errors in the text, and the warnings, in the order of the text.
pub fn assemble(text: &str, options: &AssembleOptions) -> Result<Assembly, Vec<Finding>> {
    read(text, prepare(text, options), options)
}

/// A text with its part chosen and its macros expanded.
struct Prepared {
    /// Range of the first line.
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
    // A part may have its own header.
    let header = header.or_else(|| Header::read(own, lines(own).next().unwrap_or_default()));
    let language = match options.language {
        Language::Auto if procedure::is_procedure(own) => Language::Alternativa,
        Language::Auto if macros::is_macro(own) => Language::Macro,
        given => given,
    };
    // Statements of a part's line are written to the expansion as a header comment.
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

/// Reads the statements.
fn read(text: &str, prepared: Prepared, options: &AssembleOptions) -> Result<Assembly, Vec<Finding>> {
    let Prepared { first, header, mut part, mut expanded } = prepared;
    let macro_notes = expanded.as_mut().map(|expanded| std::mem::take(&mut expanded.notes)).unwrap_or_default();
    // Findings about the text itself, as opposed to its expansion.
    let mut notes = part.as_mut().map(|part| std::mem::take(&mut part.notes)).unwrap_or_default();
    let own = part.as_ref().map_or(text, |part| &part.text);
    let mut reader = Reader::new(expanded.as_ref().map_or(own, |expanded| &expanded.text));
    // The stage and version on a part's line count as requested, unless the caller requests others.
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

/// The words that may be in the options of a texture opcode.
pub fn option_words() -> impl Iterator<Item = &'static str> {
    options::WORDS.iter().map(|(word, ..)| *word)
}

/// The token of a line, in a program of `stage`; `None` if the line has any finding.
pub(crate) fn token(line: &str, stage: Stage) -> Option<Token> {
    let mut reader = Reader { given: Some(stage), ..Reader::new(line) };
    let statement = reader.statement(0..line.len())?;
    let fits_stage = reader.marks.iter().all(|mark| mark.role == Role::Opcode || mark.stage == stage);
    (fits_stage && reader.notes.is_empty()).then_some(statement.token)
}

/// Stage of the program: the given one, or that of the first name that belongs to one stage; with findings for names of the other
/// stage. If a stage is given, opcodes of the other stage are left to the validator.
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
            // Either of the two may be wrong, so only the first conflict is reported.
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

/// The lowest version that has the opcodes and registers of the text. A register that no version has requires the first version
/// with the most registers of its kind, and the validator refuses it.
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
        assert!(helps[3].starts_with("remove it; options are") && helps[4].starts_with("a line is"), "{helps:?}");
    }

    /// No operand, word or finding is compared with all those before it: otherwise these texts would take minutes.
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
