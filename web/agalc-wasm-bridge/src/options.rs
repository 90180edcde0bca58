//! The options that JavaScript passes to a call.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;

use agal_front::{Compat, Profile, Rules, Stage};
use agalc::names::Names;
use agalc::render::in_names;
use agalc::{Constants, DebugLevel, Depth, Glsl, Language, Layout, Length, Meaning, Modules, MslVersion, Numbering};
use agalc::{Precision, Samplers, ShaderModel};
use js_sys::JSON;
use sdlbc_passes::{Assume, Level};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use wasm_bindgen::JsValue;

use crate::refused::Refused;

/// The options of all functions. Option values have the same names as in `agalc compile`. A function ignores options that do not
/// concern that function.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Options {
    stage: Option<StageName>,
    agal_version: Option<u32>,
    language: LanguageName,
    defines: BTreeMap<String, f64>,
    #[serde(deserialize_with = "word")]
    compat: Compat,
    profile: Option<String>,
    allow: Vec<u16>,
    allow_ted: bool,
    ifg: IfgName,
    index: IndexName,
    signed_offsets: bool,
    names: Option<String>,
    no_source_names: bool,
    inline_constants: bool,
    optimise: Option<u8>,
    fast_math: bool,
    layout: Option<String>,
    group: Option<u32>,
    binding_base: Option<u32>,
    entry: Option<String>,
    #[serde(deserialize_with = "some_word")]
    samplers: Option<Samplers>,
    #[serde(deserialize_with = "some_word")]
    numbering: Option<Numbering>,
    #[serde(deserialize_with = "some_word")]
    constants: Option<Constants>,
    constant_length: Option<LengthGiven>,
    #[serde(deserialize_with = "some_word")]
    modules: Option<Modules>,
    spirv_version: Option<String>,
    #[serde(deserialize_with = "some_word")]
    precision: Option<Precision>,
    trust_indices: bool,
    #[serde(deserialize_with = "some_word")]
    depth: Option<Depth>,
    flip_y: Option<bool>,
    #[serde(deserialize_with = "some_word")]
    glsl: Option<Glsl>,
    shader_model: Option<String>,
    msl_version: Option<String>,
    #[serde(deserialize_with = "some_word")]
    debug: Option<DebugLevel>,
    /// Whether to remove varyings that the fragment stage does not read.
    pub prune_varyings: bool,
    /// Whether to renumber varyings to consecutive locations.
    pub pack_varyings: bool,
}

/// Declares an enum for the words of an option, with the value that each word selects.
macro_rules! words {
    ($($name:ident for $of:ty { $first:ident $word:literal => $value:expr $(, $further:ident $words:literal => $values:expr)* $(,)? })*) => {$(
        #[derive(Clone, Copy, Debug, Default, Deserialize)]
        enum $name {
            #[default]
            #[serde(rename = $word)]
            $first,
            $(#[serde(rename = $words)] $further,)*
        }

        impl $name {
            fn value(self) -> $of {
                match self {
                    $name::$first => $value,
                    $($name::$further => $values,)*
                }
            }
        }
    )*};
}

words! {
    StageName for Stage { Vertex "vertex" => Stage::Vertex, Fragment "fragment" => Stage::Fragment }
    LanguageName for Language {
        Auto "auto" => Language::Auto,
        Mini "mini" => Language::Mini,
        Macro "macro" => Language::Macro,
        Alternativa "alternativa" => Language::Alternativa,
        Es2 "es2" => Language::Auto,
    }
    IfgName for bool { GreaterEqual "greater-equal" => false, Strict "strict" => true }
    IndexName for bool { Round "round" => false, Trunc "trunc" => true }
    LengthName for Length {
        Read "read" => Length::Read { indexed: u32::MAX },
        File "file" => Length::File { vertex: 128, fragment: 28 },
    }
}

/// Deserialises the value of an option from its word.
fn word<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    String::deserialize(from)?.parse().map_err(D::Error::custom)
}

fn some_word<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
    Option::<String>::deserialize(from)?.map(|word| word.parse().map_err(D::Error::custom)).transpose()
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
enum LengthGiven {
    Named(LengthName),
    Each(u32, u32),
}

/// Converts the options of a call. An undefined or null value selects the defaults. The options are read as JSON, so that unknown
/// fields are reported.
///
/// # Errors
/// Fails if an option is unknown or has a value of the wrong type.
pub fn options<T: Default + DeserializeOwned>(given: &JsValue) -> Result<T, Refused> {
    if given.is_undefined() || given.is_null() {
        return Ok(T::default());
    }
    let json = JSON::stringify(given).ok().and_then(|json| json.as_string());
    parsed(&json.unwrap_or_default())
}

fn parsed<T: DeserializeOwned>(json: &str) -> Result<T, Refused> {
    serde_json::from_str(json).map_err(|error| {
        let error = error.to_string();
        // A position in the JSON text means nothing to the user.
        let what = error.split(" at line ").next().unwrap_or_default();
        Refused::plain(format!("an option is not valid: {what}"))
    })
}

fn one_of<T>(option: &str, word: &str, value: Option<T>, known: &[&str]) -> Result<T, Refused> {
    value.ok_or_else(|| {
        Refused::plain(format!("`{word}` is not a value of `{option}`: use one of {}", known.join(", ")))
    })
}

impl Options {
    /// Returns the stage that the user has set for all inputs.
    pub fn stage(&self) -> Option<Stage> {
        self.stage.map(StageName::value)
    }

    /// Returns the options for reading inputs. If `lints` is true, legal but useless code is also reported.
    ///
    /// # Errors
    /// Fails if an option has an unknown value.
    pub fn reading(&self, lints: bool) -> Result<agalc::Options, Refused> {
        let profile = |word: &str| {
            let found = Profile::ALL.into_iter().find(|profile| profile.name() == word);
            one_of("profile", word, found, &Profile::ALL.map(Profile::name))
        };
        let version = |version: u32| {
            let found = Some(version).filter(|version| (1..=4).contains(version));
            one_of("agalVersion", &version.to_string(), found, &["1", "2", "3", "4"])
        };
        let rules = Rules::default()
            .compat(self.compat)
            .profile(self.profile.as_deref().map(profile).transpose()?)
            .allow(self.allow.clone())
            .allow_ted(self.allow_ted)
            .lints(lints);
        let names = match &self.names {
            Some(text) => Names::from_toml(text, "names").map_err(|errors| Refused::of(in_names(&errors.0)))?,
            None => Names::default(),
        };
        Ok(agalc::Options::default()
            .stage(self.stage())
            .version(self.agal_version.map(version).transpose()?)
            .language(self.language.value())
            .es2_text(matches!(self.language, LanguageName::Es2))
            .defines(self.defines.iter().map(|(name, value)| (name.clone(), *value)).collect())
            .meaning(
                Meaning::default()
                    .strict_ifg(self.ifg.value())
                    .truncate_index(self.index.value())
                    .signed_offset(self.signed_offsets)
                    .rules(rules),
            )
            .debug(self.debug.unwrap_or_default())
            .names(names)
            .ignore_source_names(self.no_source_names)
            .inline_constants(self.inline_constants))
    }

    /// Returns the options for optimising modules, and true if the user has selected an optimisation level.
    ///
    /// # Errors
    /// Fails if an option has an unknown value.
    pub fn passes(&self) -> Result<(sdlbc_passes::Options, bool), Refused> {
        let level = match self.optimise {
            None | Some(2) => Level::O2,
            Some(1) => Level::O1,
            Some(0) => Level::O0,
            Some(other) => one_of("optimise", &other.to_string(), None, &["0", "1", "2"])?,
        };
        let assume = if self.fast_math { Assume::ALL } else { Assume::NOTHING };
        Ok((sdlbc_passes::Options::default().level(level).assume(assume), self.optimise.is_some()))
    }

    /// Returns the layout, which defines how an application passes resources to the shader.
    ///
    /// # Errors
    /// Fails if an option has an unknown value.
    pub fn layout(&self) -> Result<Layout, Refused> {
        let known = Layout::ALL.iter().map(|layout| layout.name).collect::<Vec<_>>();
        let mut layout = match &self.layout {
            Some(word) => one_of("layout", word, Layout::named(word), &known)?,
            None => Layout::default(),
        };
        if let Some(entry) = &self.entry {
            layout.entry = Some(Cow::Owned(entry.clone()));
        }
        if let Some(word) = &self.spirv_version {
            const KNOWN: [&str; 7] = ["1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "1.6"];
            let minor = (0u8..).zip(KNOWN).find(|(_, known)| known == word);
            layout.spirv = one_of("spirvVersion", word, minor.map(|(minor, _)| (1, minor)), &KNOWN)?;
        }
        layout.samplers = self.samplers.unwrap_or(layout.samplers);
        layout.numbering = self.numbering.unwrap_or(layout.numbering);
        layout.constants = self.constants.unwrap_or(layout.constants);
        layout.length = match self.constant_length {
            Some(LengthGiven::Named(name)) => name.value(),
            Some(LengthGiven::Each(vertex, fragment)) => Length::File { vertex, fragment },
            None => layout.length,
        };
        layout.modules = self.modules.unwrap_or(layout.modules);
        layout.precision = self.precision.unwrap_or(layout.precision);
        layout.trust_indices |= self.trust_indices;
        layout.depth = self.depth.or(layout.depth);
        layout.flip_y = self.flip_y.or(layout.flip_y);
        Ok(layout.moved(self.group, self.binding_base.unwrap_or(0)))
    }

    /// Returns the GLSL version, which is the layout's version by default.
    pub fn glsl(&self, layout: &Layout) -> Glsl {
        self.glsl.unwrap_or(layout.glsl)
    }

    /// Returns the shader model of HLSL output.
    ///
    /// # Errors
    /// Fails if the option has an unknown value.
    pub fn shader_model(&self) -> Result<ShaderModel, Refused> {
        let known = ShaderModel::ALL.map(ShaderModel::number);
        let word = self.shader_model.as_deref();
        word.map_or(Ok(ShaderModel::default()), |word| one_of("shaderModel", word, ShaderModel::numbered(word), &known))
    }

    /// Returns the version of MSL output.
    ///
    /// # Errors
    /// Fails if the option has an unknown value.
    pub fn msl_version(&self) -> Result<MslVersion, Refused> {
        let known = MslVersion::ALL.map(MslVersion::number);
        let word = self.msl_version.as_deref();
        word.map_or(Ok(MslVersion::default()), |word| one_of("mslVersion", word, MslVersion::numbered(word), &known))
    }

    /// Returns the level of detail of the debug table in written modules.
    pub fn debug(&self) -> DebugLevel {
        self.debug.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<agalc::Options, Refused> {
        parsed::<Options>(json).and_then(|options| options.reading(false))
    }

    #[test]
    fn options_have_the_words_of_the_command() {
        let json = r#"{ "stage": "vertex", "agalVersion": 2, "language": "macro", "defines": { "X": 1.5 }, "compat": "player",
            "profile": "standard", "allow": [3648], "allowTed": true, "ifg": "strict", "index": "trunc", "signedOffsets": true }"#;
        let options: Options = parsed(json).expect("options");
        assert_eq!(options.stage(), Some(Stage::Vertex));
        let options = options.reading(false).expect("options");
        assert_eq!((options.version, options.language), (Some(2), Language::Macro));
        assert_eq!(options.defines, [("X".to_string(), 1.5)]);
        let rules = options.rules();
        assert_eq!((rules.compat, rules.profile, rules.allow_ted), (Compat::Player, Some(Profile::Standard), true));
        assert_eq!(rules.allow, [3648]);
        let meaning = &options.meaning;
        assert!(meaning.strict_ifg && meaning.truncate_index && meaning.signed_offset);
        assert!(read(r#"{ "language": "es2" }"#).expect("options").es2_text);
    }

    #[test]
    fn what_is_not_an_option_is_refused() {
        let said = |json: &str| read(json).err().map(|refused| refused.message().to_string()).unwrap_or_default();
        assert!(said(r#"{ "stagee": "vertex" }"#).starts_with("an option is not valid: unknown field `stagee`"));
        assert!(said(r#"{ "stage": "pixel" }"#).starts_with("an option is not valid: unknown variant `pixel`"));
        assert_eq!(said(r#"{ "agalVersion": 5 }"#), "`5` is not a value of `agalVersion`: use one of 1, 2, 3, 4");
        assert!(said(r#"{ "profile": "none" }"#).starts_with("`none` is not a value of `profile`: use one of "));
    }
}
