//! Tables in pages of docs/ that tests or commands generate, and the row titles that several tables share. A table is between a
//! comment that marks it and `<!-- end -->`.

/// The scenes of docs/internals/paper.md in the page's order: the name of each on the page, and its folder in testdata/scenes.
pub const PAPER_SCENES: [(&str, &str); 8] = [
    ("normals as colours", "paper_normals"),
    ("Cook-Torrance", "paper_cook_torrance"),
    ("environment mapping", "paper_environment"),
    ("gloss mapping", "paper_gloss"),
    ("brightness", "paper_brightness"),
    ("contrast", "paper_contrast"),
    ("saturation", "paper_saturation"),
    ("parallax mapping", "paper_parallax"),
];

/// Returns a page with a new table between the line that contains `marker`, such as `<!-- table: sizes`, and the next
/// `<!-- end -->`.
///
/// # Panics
/// The marker or the end is missing.
pub fn with_table(page: &str, marker: &str, table: &str) -> String {
    let (before, rest) = page.split_once(marker).unwrap_or_else(|| panic!("the page has no `{marker}`"));
    let (line, rest) = rest.split_once('\n').unwrap_or_else(|| panic!("nothing follows `{marker}`"));
    let (_, after) = rest.split_once("<!-- end -->").unwrap_or_else(|| panic!("`{marker}` has no `<!-- end -->`"));
    format!("{before}{marker}{line}\n\n{}\n\n<!-- end -->{after}", table.trim())
}

#[cfg(test)]
mod tests {
    use super::with_table;

    #[test]
    fn a_table_is_replaced_and_what_stands_around_it_is_kept() {
        let page = "a\n<!-- table: b, by a test -->\n\nold\n\n<!-- end -->\nc\n<!-- table: d -->\n<!-- end -->\n";
        let renewed = with_table(page, "<!-- table: b", "| new |\n");
        assert_eq!(renewed, page.replace("old", "| new |"));
        assert_eq!(with_table(&renewed, "<!-- table: b", "| new |"), renewed);
    }
}
