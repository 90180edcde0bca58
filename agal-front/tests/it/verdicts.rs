//! Tests of Flash Player's verdicts, grouped by error number in testdata/agal/verdicts.
//!
//! A file consists of sections. The line before a section states the verdict:
//!
//! ```text
//! //: refused NUMBER     the player refuses the program for that number
//! //: accepted NUMBER    a similar program, which the player accepts
//! //: warned NUMBER      the player draws the program, although its list of errors has a number for it
//! //: recorded NUMBER    the player's own answer was recorded
//! ```
//!
//! The options `profile NAME`, `big-endian` (the byte order of the upload), `ted` (allow `ted`) and, last,
//! `throws CLASS | ARGUMENT | ...` (the error that the player threw) may follow the number. A section contains bytes, one
//! program, or two programs that form a pair. A line `// agal VERSION STAGE` precedes each program. The comment `//* N` repeats
//! its line N times.
//!
//! The comment `// ORDER: NUMBER PART` states a finding on the line of its token, where ORDER is the finding's position in the
//! player's order. PART is `operation`, `destination`, `source 1` or `source 2`. A finding without a token has `end`, `byte N`
//! or `program` as its part. The word `lenient` follows if the finding is a warning unless `--compat player` is given. A
//! section must have no other errors.

use std::collections::BTreeSet;

use crate::common::{Expected, bytes, files, folder, missing_kinds};
use agal_front::assemble::{AssembleOptions, assemble};
use agal_front::check::check;
use agal_front::finding::{Level, Part};
use agal_front::lift::translate;
use agal_front::player::{Uploaded, player_error};
use agal_front::program::Upload;
use agal_front::register::File;
use agal_front::{Compat, Finding, Profile, Program, Rules, SourceMap, Stage};

#[derive(Debug, Default)]
struct Case {
    name: String,
    verdict: String,
    number: Option<u16>,
    rules: Rules,
    big_endian: bool,
    bytes: Option<Vec<u8>>,
    /// The lines of each program, with the findings expected on each line.
    programs: Vec<Vec<(String, Vec<String>)>>,
    /// The class and the arguments of the error that the player threw, if the error was recorded.
    throws: Option<String>,
    /// The expected findings that refer to no token.
    without_token: Vec<String>,
}

fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for file in files("verdicts", "agal") {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for (line, number) in std::fs::read_to_string(&file).expect("a text").lines().zip(1..) {
            if let Some(title) = line.strip_prefix("//: ") {
                cases.push(Case::titled(format!("{name}:{number}"), title));
            } else if let Some(case) = cases.last_mut().filter(|case| case.name.starts_with(&name)) {
                case.line(line);
            }
        }
    }
    cases
}

impl Case {
    fn titled(name: String, title: &str) -> Case {
        let (title, throws) =
            title.split_once(" throws ").map_or((title, None), |(title, throws)| (title, Some(throws)));
        let mut words = title.split(' ');
        let verdict = words.next().unwrap_or_default().to_string();
        let number = words.next().and_then(|word| word.parse().ok());
        let throws = throws.map(str::to_string);
        let mut case = Case { name, verdict, number, throws, ..Case::default() };
        while let Some(word) = words.next() {
            match word {
                "big-endian" => case.big_endian = true,
                "ted" => case.rules.allow_ted = true,
                "profile" => {
                    let name = words.next().unwrap_or_default();
                    case.rules.profile = Profile::ALL.into_iter().find(|profile| profile.name() == name);
                    assert!(case.rules.profile.is_some(), "{}: no profile {name}", case.name);
                }
                _ => panic!("{}: `{word}` is not an option", case.name),
            }
        }
        case
    }

    fn line(&mut self, line: &str) {
        let mut comments = line.split("//").skip(1);
        let expected: Vec<String> = comments
            .clone()
            .map(|comment| comment.trim().to_string())
            .filter(|comment| comment.split_once(": ").is_some_and(|(order, _)| order.parse::<u32>().is_ok()))
            .collect();
        let code = line.split("//").next().unwrap_or_default().trim();
        if line.starts_with("// agal ") {
            self.programs.push(vec![(line.to_string(), Vec::new())]);
        } else if let Some(digits) = code.strip_prefix("bytes") {
            self.bytes = Some(bytes(digits));
            self.without_token.extend(expected);
        } else if code.is_empty() {
            self.without_token.extend(expected);
        } else {
            let times = comments
                .find_map(|comment| comment.strip_prefix("* "))
                .map_or(1, |times| times.trim().parse().expect("a count"));
            let program = self.programs.last_mut().unwrap_or_else(|| panic!("{}: no header", self.name));
            program.extend((0..times).map(|_| (code.to_string(), expected.clone())));
        }
    }

    fn expected(&self) -> Vec<String> {
        let mut all: Vec<(u32, String)> = Vec::new();
        let mut add = |expected: &String, token: Option<usize>| {
            let (order, what) = expected.split_once(": ").expect("an order");
            let at = token.map_or(String::new(), |token| format!(" token {token}"));
            all.push((order.parse().expect("an order"), format!("{what}{at}")));
        };
        self.without_token.iter().for_each(|expected| add(expected, None));
        for program in &self.programs {
            for (index, (_, expected)) in program.iter().enumerate() {
                expected.iter().for_each(|expected| add(expected, Some(index)));
            }
        }
        all.sort();
        assert!(all.iter().zip(1..).all(|((order, _), wanted)| *order == wanted), "{}: {all:?}", self.name);
        all.into_iter().map(|(_, what)| what).collect()
    }

    fn programs(&self) -> Vec<(Program, SourceMap)> {
        let assembled = self.programs.iter().map(|lines| {
            let text: String = lines.iter().map(|(line, _)| format!("{line}\n")).collect();
            let assembly = assemble(&text, &AssembleOptions::default());
            let assembly = assembly.unwrap_or_else(|findings| panic!("{}: {findings:#?}", self.name));
            (assembly.program, assembly.map)
        });
        assembled.collect()
    }

    /// Returns the findings in the player's order: vertex program, fragment program, linkage.
    fn findings(&self, compat: Compat) -> Vec<Finding> {
        let rules = self.rules.clone().compat(compat);
        if let Some(bytes) = &self.bytes {
            return match Program::decode_uploaded(bytes, Upload { big_endian: self.big_endian, ..Upload::default() }) {
                Ok((program, _)) => check(&[&program], &rules).concat(),
                Err(findings) => findings,
            };
        }
        let programs = self.programs();
        let of: Vec<&Program> = programs.iter().map(|(program, _)| program).collect();
        let mut all = check(&of, &rules).concat();
        all.sort_by_key(|finding| finding.order);
        all
    }
}

fn notation(finding: &Finding) -> String {
    let place = finding.place;
    let lenient = if finding.kind.level() == Level::Strict { " lenient" } else { "" };
    let code = finding.code();
    let part = match (place.instruction, place.part, place.byte) {
        (Some(_), Part::Operation, _) => "operation".to_string(),
        (Some(_), Part::Destination, _) => "destination".to_string(),
        (Some(_), Part::Source(slot), _) => format!("source {}", slot + 1),
        (None, _, Some(byte)) if byte < 7 => format!("byte {byte}"),
        (None, _, Some(_)) => "end".to_string(),
        (None, _, None) => "program".to_string(),
    };
    let at = place.instruction.map_or(String::new(), |token| format!(" token {token}"));
    format!("{code} {part}{lenient}{at}")
}

#[test]
fn each_program_gets_the_players_findings_at_their_places_and_in_their_order() {
    let mut failures = String::new();
    let cases = cases();
    assert!(cases.len() > 150, "{}", cases.len());
    for case in &cases {
        let found = case.findings(Compat::Player);
        let refused: Vec<&Finding> = found.iter().filter(|finding| finding.is_error()).collect();
        let shown: Vec<String> = refused.iter().map(|finding| notation(finding)).collect();
        if shown != case.expected() {
            failures += &format!("{}: expected {:#?}, found {shown:#?}\n", case.name, case.expected());
        }
        let stops: Vec<usize> = found.iter().enumerate().filter(|(_, f)| f.stops_player).map(|(at, _)| at).collect();
        let first = found.iter().position(Finding::is_error);
        if stops != first.into_iter().collect::<Vec<_>>() {
            failures +=
                &format!("{}: the player stops at the first error, {first:?}, but {stops:?} are marked\n", case.name);
        }
        let right = match case.verdict.as_str() {
            "refused" => refused.iter().any(|finding| Some(finding.code()) == case.number),
            "recorded" => refused.first().is_some_and(|finding| Some(finding.code()) == case.number),
            "accepted" => refused.is_empty(),
            "warned" => refused.is_empty() && found.iter().any(|finding| Some(finding.code()) == case.number),
            _ => false,
        };
        if !right {
            failures += &format!("{}: {} {:?} does not hold\n", case.name, case.verdict, case.number);
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

#[test]
fn an_error_with_a_plain_meaning_is_a_warning_by_default() {
    for case in cases() {
        let severity = |compat| -> Vec<(String, bool)> {
            case.findings(compat).iter().map(|finding| (notation(finding), finding.is_error())).collect()
        };
        for ((lenient, is_error), (_, refused)) in severity(Compat::Lenient).into_iter().zip(severity(Compat::Player)) {
            assert_eq!(is_error, refused && !lenient.contains("lenient"), "{}: {lenient}", case.name);
        }
    }
}

/// Returns a program that can be paired with any program of a stage: a vertex program that writes every varying, or a
/// fragment program that reads none.
fn partner(stage: Stage, version: u32, profile: Option<Profile>) -> Vec<u8> {
    let most = profile.map_or(u32::MAX, |profile| profile.count(File::Varying, Stage::Vertex));
    let varyings = File::Varying.count(Stage::Vertex, version).min(most);
    let text = match stage {
        Stage::Vertex => format!("// agal {version} fragment\nmov oc, fc0"),
        Stage::Fragment => {
            let writes: String = (0..varyings).map(|number| format!("\nmov v{number}, va0")).collect();
            format!("// agal {version} vertex\nmov op, va0{writes}")
        }
    };
    assemble(&text, &AssembleOptions::default()).expect("a program").program.encode()
}

#[test]
fn player_error_returns_the_first_error_that_the_player_raises() {
    let mut recorded = 0;
    for case in cases() {
        let programs = case.programs();
        let of = |stage| programs.iter().find(|(program, _)| program.stage == stage).map(|(program, _)| program);
        let stated = case.bytes.as_ref().and_then(|bytes| bytes.get(1)).map(|&version| u32::from(version));
        let stated = stated.filter(|version| (1..=4).contains(version));
        let version = programs.first().map_or(stated.unwrap_or(1), |(program, _)| program.version);
        let is_vertex = |bytes: &Vec<u8>| bytes.get(6) == Some(&0);
        let bytes = |stage: Stage, other: Stage| match (&case.bytes, of(stage)) {
            (Some(bytes), _) if is_vertex(bytes) == (stage == Stage::Vertex) => bytes.clone(),
            (_, Some(program)) => program.encode(),
            _ if programs.len() == 2 => of(other).expect("a program").encode(),
            _ => partner(other, version, case.rules.profile),
        };
        let vertex = bytes(Stage::Vertex, Stage::Fragment);
        let fragment = bytes(Stage::Fragment, Stage::Vertex);
        let fragment = Uploaded { bytes: &fragment, big_endian: case.big_endian };
        let error = player_error(vertex[..].into(), fragment, case.rules.profile);
        let expected = case.expected();
        let first = expected.first().map(|what| what.split(' ').next().unwrap_or_default().to_string());
        assert_eq!(error.as_ref().map(|error| error.code.to_string()), first, "{}", case.name);
        let Some(error) = error else { continue };
        assert_eq!(error.attested, agal_front::finding::is_attested(error.code), "{}", case.name);
        if let Some(throws) = &case.throws {
            recorded += 1;
            let thrown = std::iter::once(error.class.to_string()).chain(error.arguments);
            assert_eq!(thrown.collect::<Vec<_>>().join(" | ").trim_end(), throws, "{}", case.name);
        }
    }
    assert_eq!(recorded, 16);
}

#[test]
fn swapped_programs_are_refused_when_they_are_linked() {
    let program = |text: &str| assemble(text, &AssembleOptions::default()).expect("a program").program.encode();
    let (vertex, fragment) = (program("mov op, va0"), program("mov oc, fc0"));
    let code = |first: &[u8], second: &[u8]| player_error(first.into(), second.into(), None).map(|error| error.code);
    assert_eq!(code(&vertex, &fragment), None);
    assert_eq!(code(&fragment, &vertex), Some(3630));
    assert_eq!(code(&vertex, &vertex), Some(3630));
    assert_eq!(code(&fragment, &fragment), Some(3631));
    let (unwritten, output) = (program("mov op, vt0"), program("mov ft0, oc\nmov oc, fc0"));
    assert_eq!(code(&unwritten, &output), Some(3647));
    assert_eq!(code(&output, &unwritten), Some(3646), "the first argument is checked first");
    assert_eq!(code(&program("mov op.xyz, va0"), &output), Some(3646), "linking is checked last");
    assert_eq!(code(&vertex[..20], &output), Some(3615));
    assert_eq!(code(&vertex, &output[..20]), Some(3615));
}

#[test]
fn each_message_has_the_arguments_of_its_form() {
    let mut shown = BTreeSet::new();
    for case in cases() {
        for finding in case.findings(Compat::Player) {
            let Some(error) = finding.player_error(Stage::Fragment) else { continue };
            let token = finding.place.instruction.map_or(String::new(), |token| token.to_string());
            let arguments = error.arguments.join(" | ");
            let form = match error.code {
                3612 | 3630 | 3631 | 3634 | 3635 | 3701 | 3750 | 3751 | 3752 | 3757 | 3760 | 3775 | 3788 | 3789
                | 3804 | 3805 => arguments.is_empty(),
                3615 => arguments == "fragment" || arguments.is_empty(),
                3616 | 3618 | 3619 | 3739 | 3748 => arguments == "fragment",
                3617 => arguments == "fragment | 4",
                3625 => arguments == format!("fragment | {token}"),
                3629 => arguments.strip_prefix("fragment | ").is_some_and(|count| count.parse::<u32>().is_ok()),
                3632 | 3633 => arguments.parse::<u32>().is_ok(),
                3725 => arguments.strip_prefix("fragment | ").is_some_and(|version| version.parse::<u32>().is_ok()),
                3620 | 3621 => error.arguments[1].parse::<u32>().is_ok() && error.arguments[2] == token,
                3622 | 3626 | 3627 | 3628 | 3689 | 3726 | 3803 => error.arguments[1].len() == 3,
                3664..=3668 => error.arguments[3].parse::<u32>().is_ok() && error.arguments[1] == "source operand 2",
                _ => error.arguments.len() == 3 && error.arguments[2] == token,
            };
            assert!(form, "{}: {}: {arguments}", case.name, error.code);
            shown.insert(error.code);
        }
    }
    assert!(shown.len() >= NUMBERS.len(), "{shown:?}");
}

/// The error numbers that a test file can trigger. They come from tables 3.1 to 3.6 of the published list, which are
/// about programs and pairs.
const NUMBERS: [u16; 83] = [
    3612, 3615, 3616, 3617, 3618, 3619, 3620, 3621, 3622, 3623, 3624, 3625, 3626, 3627, 3628, 3629, 3630, 3631, 3632,
    3633, 3634, 3635, 3636, 3637, 3638, 3639, 3640, 3641, 3642, 3643, 3644, 3645, 3646, 3647, 3648, 3649, 3650, 3651,
    3652, 3653, 3654, 3655, 3656, 3657, 3658, 3659, 3660, 3661, 3662, 3664, 3665, 3666, 3667, 3668, 3689, 3693, 3696,
    3701, 3703, 3725, 3726, 3739, 3740, 3741, 3742, 3743, 3744, 3748, 3749, 3750, 3751, 3752, 3756, 3757, 3758, 3760,
    3775, 3786, 3788, 3789, 3803, 3804, 3805,
];

/// Published error numbers for programs that the player draws instead of refusing.
const DRAWN: [u16; 1] = [3704];

/// The numbers of errors that come from the native compiler on the player's machine. No test file can trigger such an
/// error.
const UNREACHABLE: [u16; 2] = [3613, 3614];

#[test]
fn every_number_has_a_program_that_is_refused_and_a_similar_one_that_is_not() {
    let cases = cases();
    let of = |verdict: &str| -> BTreeSet<u16> {
        let of_verdict = cases.iter().filter(|case| case.verdict == verdict);
        of_verdict.filter_map(|case| case.number).collect()
    };
    let all: BTreeSet<u16> = NUMBERS.into();
    assert_eq!(of("refused"), all);
    assert_eq!(of("warned"), DRAWN.into());
    assert_eq!(of("accepted"), all.into_iter().chain(DRAWN).collect());
}

#[test]
fn the_numbers_are_those_of_the_list() {
    let list = folder("../../../shared/reference/agal-errors.md");
    let Ok(list) = std::fs::read_to_string(list) else {
        testing::say("SKIPPED: there is no ../shared/reference/agal-errors.md");
        return;
    };
    let tables = list.split("### 3.7").next().and_then(|text| text.split_once("### 3.1")).expect("the tables").1;
    let mut listed = BTreeSet::new();
    for row in tables.lines().filter(|line| line.starts_with("| 3")) {
        let cell = row.split('|').nth(1).unwrap_or_default();
        for word in cell.split([' ', '/']) {
            let mut ends = word.split('-').filter_map(|number| number.parse::<u16>().ok());
            if let Some(first) = ends.next() {
                listed.extend(first..=ends.next().unwrap_or(first));
            }
        }
    }
    assert_eq!(listed, NUMBERS.into_iter().chain(DRAWN).chain(UNREACHABLE).collect());
}

#[test]
fn every_finding_of_validation_is_shown() {
    let mut seen: Vec<Finding> = cases().iter().flat_map(|case| case.findings(Compat::Player)).collect();
    for file in files("wrong", "agal") {
        let text = std::fs::read_to_string(&file).expect("a text");
        let expected = Expected::read(&text);
        let program = expected.assemble(&text).0;
        seen.extend(match translate(&[&program], &expected.lift) {
            Ok(lifted) => lifted.findings.concat(),
            Err(findings) => findings.concat(),
        });
    }
    let pair = ["mov op, va0\nmov v0, va0", "mov oc, fc0"].map(|text| assemble(text, &AssembleOptions::default()));
    let [vertex, fragment] = pair.map(|assembly| assembly.expect("a program").program);
    seen.extend(check(&[&vertex, &fragment], &Rules::default().lints(true)).concat());
    // Other tests cover excessive nesting (validate.rs), bytes after the last token (program.rs), and more findings than are
    // kept (many_findings.rs). No test covers an internal error of the translator.
    let mut missing = missing_kinds(3600..9100, &seen);
    missing.retain(|name| !["Internal", "NestingLimit", "TrailingBytes", "Further"].contains(name));
    assert!(missing.is_empty(), "nothing shows {missing:?}");
}
