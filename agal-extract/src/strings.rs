//! The strings of texts in JSON and XML, with their escapes resolved.
//!
//! The texts may be wrong: a string is read where one begins. The time is that of one look at each character.

/// What strings are looked for in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Markup {
    Json,
    Xml,
}

impl Markup {
    /// The markup of a text, by its first character.
    pub(crate) fn of(text: &str) -> Option<Markup> {
        match text.trim_start_matches('\u{feff}').trim_start().chars().next()? {
            '{' | '[' if text.contains('"') => Some(Markup::Json),
            '<' if text.contains('>') => Some(Markup::Xml),
            _ => None,
        }
    }

    /// Calls `found` with each string and its offset.
    pub(crate) fn strings(self, text: &str, found: &mut dyn FnMut(usize, String)) {
        match self {
            Markup::Json => json(text, found),
            Markup::Xml => xml(text, found),
        }
    }
}

/// The values in JSON that are strings. Those of an array that are one line each are one string, since a program is often written so.
fn json(text: &str, found: &mut dyn FnMut(usize, String)) {
    let mut lines: Option<(usize, String)> = None;
    let mut rest = text;
    while let Some(start) = rest.find('"') {
        let (between, string) = rest.split_at_checked(start).unwrap_or_default();
        let Some((value, after)) = json_string(string) else { break };
        let at = text.len() - string.len() + 1;
        rest = after;
        let is_key = after.trim_start().starts_with(':');
        let goes_on = lines.is_some() && between.trim() == ",";
        if !goes_on || is_key {
            lines.take().into_iter().for_each(|(at, lines)| found(at, lines));
        }
        if is_key {
            continue;
        }
        let is_line = !value.trim_end().contains(['\n', '\r', ';']);
        match &mut lines {
            Some((_, lines)) if is_line => {
                lines.push('\n');
                lines.push_str(&value);
            }
            _ => {
                lines.take().into_iter().for_each(|(at, lines)| found(at, lines));
                match is_line {
                    true => lines = Some((at, value)),
                    false => found(at, value),
                }
            }
        }
    }
    lines.into_iter().for_each(|(at, lines)| found(at, lines));
}

/// The string that a text begins with, and what follows it.
fn json_string(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut rest = text.strip_prefix('"')?;
    loop {
        let (plain, after) = rest.split_at_checked(rest.find(['"', '\\'])?)?;
        value.push_str(plain);
        if let Some(after) = after.strip_prefix('"') {
            return Some((value, after));
        }
        let after = after.get(1..)?;
        let escape = after.chars().next()?;
        rest = after.get(escape.len_utf8()..)?;
        match escape {
            'n' => value.push('\n'),
            'r' => value.push('\r'),
            't' => value.push('\t'),
            'b' | 'f' => value.push(' '),
            'u' => {
                let digits = rest.get(..4).and_then(|digits| u32::from_str_radix(digits, 16).ok());
                if let Some(number) = digits {
                    // Halves of characters beyond the first 65,536 do not occur in programs.
                    value.push(char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER));
                    rest = rest.get(4..)?;
                }
            }
            other => value.push(other),
        }
    }
}

/// The values of attributes in XML, and the texts between tags, with CDATA sections.
fn xml(text: &str, found: &mut dyn FnMut(usize, String)) {
    let mut rest = text;
    let mut current: Option<(usize, String)> = None;
    while !rest.is_empty() {
        let at = text.len() - rest.len();
        let after = |marker: &str, end: &str| {
            let body = rest.strip_prefix(marker)?;
            Some(body.split_once(end).unwrap_or((body, "")))
        };
        if let Some((section, next)) = after("<![CDATA[", "]]>") {
            let (_, content) = current.get_or_insert_with(|| (at + "<![CDATA[".len(), String::new()));
            content.push_str(section);
            rest = next;
        } else if let Some((_, next)) = after("<!--", "-->").or_else(|| after("<?", "?>")).or_else(|| after("<!", ">"))
        {
            rest = next;
        } else if is_tag(rest) {
            current.take().into_iter().for_each(|(at, text)| found(at, text));
            rest = attributes(text, rest, found);
        } else {
            // A `<` that begins no tag belongs to the text.
            let end = rest.char_indices().skip(1).find(|(_, letter)| *letter == '<').map_or(rest.len(), |(end, _)| end);
            let (plain, next) = rest.split_at_checked(end).unwrap_or((rest, ""));
            let blanks = if current.is_some() { 0 } else { plain.len() - plain.trim_start().len() };
            if blanks < plain.len() {
                let (_, content) = current.get_or_insert_with(|| (at + blanks, String::new()));
                content.push_str(&resolved(plain.get(blanks..).unwrap_or_default()));
            }
            rest = next;
        }
    }
    current.into_iter().for_each(|(at, text)| found(at, text));
}

fn is_tag(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next() == Some('<') && letters.next().is_some_and(|letter| letter.is_alphabetic() || "_:/".contains(letter))
}

/// Finds the values of a tag's attributes; returns what follows the tag.
fn attributes<'t>(text: &str, tag: &'t str, found: &mut dyn FnMut(usize, String)) -> &'t str {
    let mut rest = tag;
    while let Some(at) = rest.find(['"', '\'', '>']) {
        let (_, next) = rest.split_at_checked(at).unwrap_or((rest, ""));
        let quote = next.chars().next().unwrap_or('>');
        let body = next.get(1..).unwrap_or_default();
        if quote == '>' {
            return body;
        }
        let (value, after) = body.split_once(quote).unwrap_or((body, ""));
        found(text.len() - body.len(), resolved(value));
        rest = after;
    }
    ""
}

/// A text with its entities resolved.
pub(crate) fn resolved(text: &str) -> String {
    let mut resolved = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((plain, after)) = rest.split_once('&') {
        resolved.push_str(plain);
        let entity =
            after.char_indices().take(10).find(|(_, letter)| *letter == ';').and_then(|(end, _)| after.get(..end));
        match entity.and_then(character) {
            Some(letter) => {
                resolved.push(letter);
                rest = after.get(entity.map_or(0, |entity| entity.len() + 1)..).unwrap_or_default();
            }
            None => {
                resolved.push('&');
                rest = after;
            }
        }
    }
    resolved.push_str(rest);
    resolved
}

/// The character that an entity stands for.
fn character(entity: &str) -> Option<char> {
    Some(match entity {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        "apos" => '\'',
        _ => {
            let number = entity.strip_prefix('#')?;
            let number = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => number.parse(),
            };
            char::from_u32(number.ok()?)?
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(text: &str) -> Vec<(usize, String)> {
        let mut found = Vec::new();
        let markup = Markup::of(text).expect("markup");
        markup.strings(text, &mut |at, text| found.push((at, text)));
        found
    }

    #[test]
    fn the_values_of_json_are_found_with_their_escapes() {
        let text = r#"{"a": "x\ny\/\u0041\"", "b": ["one", "two", "th\nree"], "c": {"d": "four"}, "e": "open"#;
        let expected = [(7, "x\ny/A\""), (31, "one\ntwo"), (45, "th\nree"), (68, "four")];
        assert_eq!(strings(text), expected.map(|(at, text)| (at, text.to_string())));
    }

    #[test]
    fn attributes_texts_and_sections_of_xml_are_found() {
        let text = "<?xml version=\"1.0\"?><a b=\"x&#10;y\" c='&lt;2d&gt;'> one <![CDATA[<two>]]> three<!-- not --></a><d>tex <2d> &no; & </d>";
        let expected = [(27, "x\ny"), (39, "<2d>"), (52, "one <two> three"), (98, "tex <2d> &no; & ")];
        let found: Vec<(usize, String)> =
            strings(text).into_iter().map(|(at, text)| (at, text.trim_start().to_string())).collect();
        assert_eq!(found, expected.map(|(at, text)| (at, text.to_string())));
    }
}
