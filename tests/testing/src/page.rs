//! Replaces the generated tables in the pages of docs/, and lists the row titles that several tables share. Each table is between
//! a comment that names the table and `<!-- end -->`.

/// The scenes of docs/internals/paper.md in the page's order. Each scene has a title on the page and a folder in testdata/scenes.
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

/// Returns a page in which a table replaces the lines between `marker` (such as `<!-- table: sizes`) and the next `<!-- end -->`.
/// The rest of the marker's line is kept.
///
/// # Panics
/// Panics if the page lacks the marker or the end.
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
