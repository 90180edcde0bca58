//! Tests that findings beyond a limit are counted but not kept, regardless of the pass that reports them, and that an error is
//! never lost among warnings.

use agal_front::assemble::{AssembleOptions, Language, assemble};
use agal_front::check::check;
use agal_front::finding::KEPT;
use agal_front::{Compat, Finding, Kind, Program, Rules, Stage};
use sdlbc::front::Reported;

/// Returns the number of findings in a list, including those that were counted but not kept.
fn count(findings: &[Finding]) -> usize {
    findings.iter().map(Finding::stood_for).sum()
}

fn errors(findings: &[Finding]) -> usize {
    findings.iter().map(Finding::errors_stood_for).sum()
}

fn assert_bounded(findings: &[Finding], name: &str) {
    assert!(findings.len() > KEPT && findings.len() <= 2 * KEPT + 20, "{name}: {}", findings.len());
    let further = findings.iter().filter(|finding| matches!(finding.kind, Kind::Further { .. })).count();
    assert_eq!(further, 1, "{name}");
    assert!(matches!(findings.last().map(|last| &last.kind), Some(Kind::Further { .. })), "{name}");
}

fn fragment() -> AssembleOptions {
    AssembleOptions::default().stage(Some(Stage::Fragment))
}

fn program(text: &str) -> Program {
    assemble(text, &fragment()).unwrap_or_else(|findings| panic!("{:?}", &findings[..findings.len().min(3)])).program
}

#[test]
fn the_first_mistakes_of_a_text_are_kept_and_the_others_counted() {
    const MANY: usize = 3 * KEPT;
    for (name, text, errors_expected) in [
        ("mnemonics", "mvo ft0, v0\n".repeat(MANY), MANY),
        ("registers of the other stage", "mov vt0, va0\n".repeat(MANY), 2 * MANY),
        ("names of the macro language", format!("ft0 = v0\n{}", "ft0 = nothing\n".repeat(MANY)), MANY),
        ("directives", "#nothing\n".repeat(MANY), MANY),
        ("lines between parts", format!("{}part a fragment 1\nmov oc, v0\nendpart", "mov oc, v0\n".repeat(MANY)), MANY),
        ("parts that nothing closes", "part a fragment 1\npart b fragment 1\n".repeat(MANY), 1),
    ] {
        let findings = assemble(&text, &fragment()).expect_err(name);
        assert_bounded(&findings, name);
        assert_eq!(errors(&findings), errors_expected, "{name}");
        let starts: Vec<usize> = findings.iter().filter_map(|finding| Some(finding.place.span?.start)).collect();
        assert!(starts.is_sorted(), "{name}: not in the order of the text");
    }
}

#[test]
fn the_first_findings_are_kept() {
    let all = |lines: usize| {
        let text = "mvo ft0, v0\nmov ft0 v0\n".repeat(lines);
        assemble(&text, &fragment()).expect_err("an unknown mnemonic")
    };
    let (few, many) = (all(KEPT), all(5 * KEPT));
    assert_eq!((few.len(), count(&many)), (2 * KEPT, 10 * KEPT));
    assert_eq!(many[..2 * KEPT], few[..]);
}

#[test]
fn the_first_warnings_of_options_are_kept_and_the_others_counted() {
    for text in
        ["tex ft0, v0, fs0 <lenear>\n".repeat(3 * KEPT), format!("tex ft0, v0, fs0 <{}>", "lenear,".repeat(3 * KEPT))]
    {
        let warnings = assemble(&text, &fragment()).expect("no errors").warnings;
        assert_bounded(&warnings, "options");
        assert_eq!((count(&warnings), errors(&warnings)), (3 * KEPT, 0));
    }
}

#[test]
fn an_error_is_not_lost_after_warnings() {
    let text = format!("{}mvo ft0, v0", "mov ft0 v0\n".repeat(3 * KEPT));
    let findings = assemble(&text, &fragment()).expect_err("an unknown mnemonic");
    let found: Vec<&Finding> = findings.iter().filter(|finding| finding.is_error()).collect();
    assert!(matches!(found[..], [Finding { kind: Kind::UnknownMnemonic { .. }, .. }]), "{found:?}");
    assert_eq!((count(&findings), errors(&findings)), (3 * KEPT + 1, 1));
    let text = format!("{}mov ft0, v0", "tex ft0, v0, fs0 <lenear>\n".repeat(3 * KEPT));
    let warnings = assemble(&text, &fragment()).expect("there are warnings alone").warnings;
    assert_eq!((count(&warnings), errors(&warnings)), (3 * KEPT, 0));
}

#[test]
fn the_first_faults_of_a_program_are_kept_and_the_rules_apply_to_all() {
    // By default, an operation whose operands are all constants causes a warning, and an unread result causes a lint.
    let line = "mov ft0, v0\nadd ft1, fc0, fc1\n";
    let program = program(&format!("// agal 3 fragment\n{}mov oc, ft0", line.repeat(3 * KEPT)));
    let found = |rules: Rules| check(&[&program], &rules.lints(true)).concat();
    let lenient = found(Rules::default());
    assert_bounded(&lenient, "lenient");
    let all = count(&lenient);
    assert!(all > 6 * KEPT);
    assert_eq!(errors(&lenient), 0);
    let player = found(Rules::default().compat(Compat::Player));
    assert_eq!(
        (count(&player), errors(&player)),
        (all, 3 * KEPT + 1),
        "including the finding about the number of tokens"
    );
    let allowed = found(Rules::default().allow(vec![3625]));
    assert_eq!((count(&allowed), errors(&allowed)), (all - 3 * KEPT, 0));
    let strict = found(Rules::default().warnings_are_errors(true));
    assert_eq!((count(&strict), errors(&strict)), (all, all));
    let stops: Vec<&Finding> = player.iter().filter(|finding| finding.stops_player).collect();
    assert!(matches!(stops[..], [Finding { kind: Kind::OnlyConstants { .. }, .. }]), "{stops:?}");
}

/// The program causes more than a thousand warnings before translation finds the error.
#[test]
fn an_unknown_level_of_detail_is_not_lost() {
    let text = format!(
        "// agal 3 fragment\n{}ife v0.x, fc0.x\nmul ft1, v0, fc0\ntex ft0, ft1, fs0 <2d,linear,miplinear>\neif\nmov oc, ft0",
        "mul ft0, fc0, fc1\n".repeat(2 * KEPT)
    );
    let findings = check(&[&program(&text)], &Rules::default()).concat();
    assert!(findings.iter().any(|finding| finding.kind == Kind::UnknownLevel), "{}", errors(&findings));
}

#[test]
fn a_macro_text_is_recognised_by_an_assignment_to_any_operand() {
    for line in ["ft0=v0", "ft0.xy *= v0", "vc[va0.x+ 7 + 8 + 9].xyzw += va0", "alias fc0, a", "#if 1"] {
        let options = |language| AssembleOptions::default().language(language);
        let result = |language| format!("{:?}", assemble(line, &options(language)).map(|assembly| assembly.program));
        assert_eq!(result(Language::Auto), result(Language::Macro), "{line}");
        assert_ne!(result(Language::Auto), result(Language::Mini), "{line}");
    }
}
