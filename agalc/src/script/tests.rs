//! Tests of tokens and of the contents of literals, in each language.

use super::*;

const LANGUAGES: [Language; 3] = [Language::ActionScript, Language::Haxe, Language::Either];

fn texts(text: &str, language: Language) -> Vec<&str> {
    let mut found: Vec<&str> = tokens(text, 0..text.len(), 1, language).iter().map(|token| token.text).collect();
    assert_eq!(found.pop(), Some(""), "the end");
    found
}

fn classes(text: &str, language: Language) -> Vec<Class> {
    tokens(text, 0..text.len(), 1, language).iter().map(|token| token.class).collect()
}

/// Returns the contents of a literal, with inserted code in brackets.
fn contents_in(literal: &str, language: Language) -> String {
    let found = tokens(literal, 0..literal.len(), 1, language);
    assert_eq!(found.len(), 2, "{literal}");
    let show = |(piece, range): (Piece<'_>, Range<usize>)| match piece {
        Piece::Text(text) => text.to_string(),
        Piece::Character(letter) => letter.to_string(),
        Piece::Code(code) => {
            assert_eq!(literal.get(range), Some(code), "{literal}");
            format!("[{code}]")
        }
        Piece::Wrong(escape) => {
            assert_eq!(literal.get(range), Some(escape), "{literal}");
            format!("<{escape}>")
        }
    };
    pieces(&found[0], language).into_iter().map(show).collect()
}

fn contents(literal: &str) -> String {
    contents_in(literal, Language::Either)
}

#[test]
fn comments_are_left_out_and_signs_in_literals_are_not_comments() {
    for language in LANGUAGES {
        let found = texts("a += \"x // y\" /* b\n \" */ + 'z'; // \"q", language);
        assert_eq!(found, ["a", "+=", "\"x // y\"", "+", "'z'", ";"]);
        let text = "a /* b\n*/ c";
        let first: Vec<bool> = tokens(text, 0..text.len(), 1, language).iter().map(|token| token.is_first).collect();
        assert_eq!(first, [true, true, false]);
        assert_eq!(texts("/*/ a */ b", language), ["b"]);
        assert_eq!(texts("```as3\n'a'\n```", language), ["'a'"]);
    }
}

#[test]
fn lines_are_counted_and_what_follows_a_literal_in_its_line_is_not_the_first_there() {
    let text = "a\r\n\rb '\n' c\nd";
    let found = tokens(text, 0..text.len(), 7, Language::Haxe);
    let places: Vec<(&str, u32, bool)> = found.iter().map(|token| (token.text, token.line, token.is_first)).collect();
    assert_eq!(
        places,
        [("a", 7, true), ("b", 9, true), ("'\n'", 9, false), ("c", 10, false), ("d", 11, true), ("", 11, false)]
    );
    assert_eq!(tokens("a b c", 2..3, 1, Language::Haxe)[0].text, "b");
}

#[test]
fn escapes_say_characters() {
    assert_eq!(contents(r#""a\n\t\"\'\\\x41\u0042\u{43}\q""#), "a\n\t\"'\\ABCq");
    assert_eq!(contents("\"a\\\r\nb\""), "ab");
    assert_eq!(contents(r#""\ud83d\ude00\0\101\v""#), "\u{1f600}\0A\u{b}");
}

#[test]
fn escapes_that_are_not_whole_say_nothing() {
    for (literal, wrong) in [
        (r#""\x4""#, "<\\x4>"),
        (r#""\x4g""#, "<\\x4>"),
        (r#""\xé""#, "<\\x>"),
        (r#""\u00a""#, "<\\u00a>"),
        (r#""\u{110000}""#, "<\\u{110000}>"),
        (r#""\u{}""#, "<\\u{}>"),
        (r#""\u{41""#, "<\\u{>"),
        (r#""\ud83d""#, "<\\ud83d>"),
        (r#""\ud83d\u0041""#, "<\\ud83d>"),
    ] {
        assert!(contents(literal).contains(wrong), "{literal}: {}", contents(literal));
    }
}

#[test]
fn curly_quotes_and_cdata_are_literals_where_the_language_is_not_known() {
    assert_eq!(contents("\u{201c}a\\n\"b\u{201d}"), "a\n\"b");
    assert_eq!(contents("\u{2018}a $b\u{2019}"), "a [b]");
    assert_eq!(contents("<![CDATA[a\\n]]\n\"$b\"]]>"), "a\\n]]\n\"$b\"");
    assert_eq!(classes("<![CDATA[a]]>", Language::ActionScript), [Class::Xml, Class::End]);
    assert_eq!(texts("\u{201c}a\u{201d}", Language::ActionScript), ["a"]);
}

#[test]
fn only_single_quotes_insert_variables_and_not_in_actionscript() {
    for language in [Language::Haxe, Language::Either] {
        assert_eq!(contents_in("'a $b.x ${c + 1} $$ $'", language), "a [b].x [c + 1] $ $");
        assert_eq!(contents_in("\"a $b\"", language), "a $b");
        assert_eq!(contents_in("'${a ? \"}\" : b}c'", language), "[a ? \"}\" : b]c");
        assert_eq!(contents_in("'a${b['c']}d'", language), "a[b['c']]d");
    }
    assert_eq!(contents_in("'a $b'", Language::ActionScript), "a $b");
}

#[test]
fn a_literal_without_an_end_goes_to_the_end_of_its_line_or_of_a_text_that_may_be_broken() {
    assert_eq!(texts("'a\nb", Language::ActionScript), ["'a", "b"]);
    assert_eq!(texts("'a\nb", Language::Haxe), ["'a", "b"]);
    assert_eq!(classes("'a\nb", Language::Either), [Class::Open, Class::End]);
    // An ActionScript literal ends at the end of its line, unless the line ends with a backslash.
    assert_eq!(texts("'a\nb'", Language::ActionScript), ["'a", "b", "'"]);
    assert_eq!(texts("'a\\\nb'", Language::ActionScript), ["'a\\\nb'"]);
    assert_eq!(texts("'a\nb'", Language::Haxe), ["'a\nb'"]);
}

#[test]
fn numbers_are_read_with_the_letters_after_them() {
    for (text, value) in [
        ("1_000", 1000.0),
        ("0xfF_00", 65280.0),
        ("1.5e-3", 0.0015),
        (".5", 0.5),
        ("1.", 1.0),
        ("5i32", 5.0),
        ("1.5f64", 1.5),
        ("0xffu32", 255.0),
        ("0b101", 5.0),
    ] {
        assert_eq!(texts(text, Language::Haxe), [text]);
        assert_eq!(number(text, Language::Haxe).total_cmp(&value), std::cmp::Ordering::Equal, "{text}");
    }
    assert_eq!(texts("0...10", Language::Haxe), ["0", "...", "10"]);
    assert_eq!(texts("1e+x 2.x", Language::Either), ["1e", "+", "x", "2.", "x"]);
}

#[test]
fn regular_expressions_and_xml_stand_where_operands_do() {
    use Class::{End, Number, Regex, Sign, Word, Xml};
    assert_eq!(classes("a = /[/]b\\/c/gi", Language::ActionScript), [Word, Sign, Regex, End]);
    assert_eq!(classes("a / b / c", Language::ActionScript), [Word, Sign, Word, Sign, Word, End]);
    assert_eq!(classes("~/a/i", Language::Haxe), [Regex, End]);
    assert_eq!(classes("return <a b={c}>{d}</a>", Language::ActionScript), [Word, Xml, End]);
    assert_eq!(classes("1 < a > b", Language::ActionScript), [Number, Sign, Word, Sign, Word, End]);
    assert_eq!(
        contents_in("<a b={c} d=\"{\"><![CDATA[{}]]>{d}{e}<f/></a>", Language::ActionScript),
        "<a b=\"[c]\" d=\"{\"><![CDATA[{}]]>[d][e]<f/></a>"
    );
}

#[test]
fn each_language_has_its_own_signs() {
    assert_eq!(texts("a->b??=c=>d", Language::Haxe), ["a", "->", "b", "??=", "c", "=>", "d"]);
    assert_eq!(texts("a->b", Language::ActionScript), ["a", "-", ">", "b"]);
    assert_eq!(texts("a::b===c.<d", Language::ActionScript), ["a", "::", "b", "===", "c", ".<", "d"]);
    assert_eq!(texts("a::b=>c>>>=d", Language::Either), ["a", ":", ":", "b", "=", ">", "c", ">>>=", "d"]);
    assert_eq!(texts("$a", Language::Haxe), ["$", "a"]);
    assert_eq!(texts("$a", Language::ActionScript), ["$a"]);
    assert_eq!(classes("#if a", Language::Haxe), [Class::Directive, Class::Word, Class::End]);
    assert_eq!(texts("#if a \\ b", Language::ActionScript), ["a", "b"]);
    assert_eq!(texts("#!/usr/bin/haxe\na", Language::Haxe), ["a"]);
    assert_eq!(texts("#a \\", Language::Either), ["#", "a", "\\"]);
}

#[test]
fn any_text_has_tokens() {
    for text in ["\\", "\"\\", "'${", "/*", "/", "é", "\u{feff}", "'$", "0x", "+", "\"\\u", "\"\\u{", "<a", "~/", "#"]
    {
        for language in LANGUAGES {
            for token in tokens(text, 0..text.len(), 1, language) {
                let _ = pieces(&token, language);
            }
        }
    }
}
