//! Versions of GLSL.

use std::fmt;
use std::str::FromStr;

/// A version of GLSL, such as `450` or `310es`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GlslVersion {
    /// The number, such as 450 for GLSL 4.50.
    pub number: u32,
    /// Whether it is a version of GLSL ES.
    pub is_es: bool,
}

/// The text is not a version of GLSL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseGlslVersionError(String);

impl fmt::Display for ParseGlslVersionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<String> = KNOWN.iter().map(GlslVersion::to_string).collect();
        write!(f, "`{}` is not a version of GLSL: use one of {}", self.0, known.join(", "))
    }
}

impl std::error::Error for ParseGlslVersionError {}

const fn desktop(number: u32) -> GlslVersion {
    GlslVersion { number, is_es: false }
}

const fn es(number: u32) -> GlslVersion {
    GlslVersion { number, is_es: true }
}

/// The versions that exist.
const KNOWN: [GlslVersion; 17] = [
    desktop(110),
    desktop(120),
    desktop(130),
    desktop(140),
    desktop(150),
    desktop(330),
    desktop(400),
    desktop(410),
    desktop(420),
    desktop(430),
    desktop(440),
    desktop(450),
    desktop(460),
    es(100),
    es(300),
    es(310),
    es(320),
];

impl fmt::Display for GlslVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.number, if self.is_es && self.number >= 300 { "es" } else { "" })
    }
}

impl FromStr for GlslVersion {
    type Err = ParseGlslVersionError;

    fn from_str(text: &str) -> Result<GlslVersion, ParseGlslVersionError> {
        let plain: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let mut known = KNOWN.into_iter().filter(|version| version.to_string() == plain.trim_end_matches("core"));
        known.next().ok_or_else(|| ParseGlslVersionError(text.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_parsed_from_its_displayed_form() {
        for version in KNOWN {
            assert_eq!(version.to_string().parse(), Ok(version));
        }
        assert_eq!("310 es".parse(), Ok(es(310)));
        assert_eq!("330 core".parse(), Ok(desktop(330)));
        let message = "451".parse::<GlslVersion>().expect_err("there is no such version").to_string();
        assert!(message.starts_with("`451` is not a version of GLSL: use one of 110, 120,"), "{message}");
    }
}
