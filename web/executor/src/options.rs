//! Options: of `run`, by the words of `agalc run`, and of scenes.

use std::collections::BTreeMap;

use agalc::{Compat, DebugLevel, Language, Meaning, Profile, Rules, Stage};
use js_sys::JSON;
use scene::Loading;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::JsValue;

use crate::refused::Refused;

/// How AGAL is read and judged: what matters to a run of the package's `ReadOptions`.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct ReadOptions {
    stage: Option<StageName>,
    agal_version: Option<u32>,
    language: LanguageName,
    defines: BTreeMap<String, f64>,
    compat: CompatName,
    profile: Option<String>,
    allow: Vec<u16>,
    allow_ted: bool,
    ifg: IfgName,
    index: IndexName,
    signed_offsets: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum StageName {
    Vertex,
    Fragment,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum LanguageName {
    #[default]
    Auto,
    Mini,
    Macro,
    Alternativa,
    Es2,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum CompatName {
    #[default]
    Lenient,
    Player,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum IfgName {
    #[default]
    GreaterEqual,
    Strict,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum IndexName {
    #[default]
    Round,
    Trunc,
}

/// The options of a scene.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct SceneOptions {
    size: Option<[u32; 2]>,
}

/// An object with options, or none. It is read as JSON, since that tells which fields are not known.
fn object<T: Default + DeserializeOwned>(given: &JsValue) -> Result<T, Refused> {
    if given.is_undefined() || given.is_null() {
        return Ok(T::default());
    }
    let json = JSON::stringify(given).ok().and_then(|json| json.as_string());
    parsed(&json.unwrap_or_default())
}

fn parsed<T: DeserializeOwned>(json: &str) -> Result<T, Refused> {
    serde_json::from_str(json).map_err(|error| {
        let error = error.to_string();
        // The place in the JSON is not that of anything that the user wrote.
        let what = error.split(" at line ").next().unwrap_or_default();
        Refused::plain(format!("an option is not valid: {what}"))
    })
}

/// The options of a scene.
pub(crate) fn loading(given: &JsValue) -> Result<Loading, Refused> {
    sized(object(given)?)
}

fn sized(SceneOptions { size }: SceneOptions) -> Result<Loading, Refused> {
    if size.is_some_and(|sides| sides.iter().any(|side| !(1..=scene::LARGEST).contains(side))) {
        return Err(Refused::plain(format!("`size` is two numbers, each from 1 to {}", scene::LARGEST)));
    }
    Ok(Loading { size, ..Loading::default() })
}

/// The options of a run.
pub(crate) fn reading(given: &JsValue) -> Result<ReadOptions, Refused> {
    object(given)
}

impl ReadOptions {
    #[cfg(test)]
    pub(crate) fn of_stage(stage: StageName) -> ReadOptions {
        ReadOptions { stage: Some(stage), ..ReadOptions::default() }
    }

    /// The stage that every input is of.
    pub(crate) fn stage(&self) -> Option<Stage> {
        self.stage.map(|stage| match stage {
            StageName::Vertex => Stage::Vertex,
            StageName::Fragment => Stage::Fragment,
        })
    }

    /// How inputs are read. Registers have their own names, whatever a text calls them.
    pub(crate) fn options(&self) -> Result<agalc::Options, Refused> {
        if self.agal_version.is_some_and(|version| !(1..=4).contains(&version)) {
            return Err(Refused::plain("`agalVersion` is a number from 1 to 4"));
        }
        let profile = |word: &String| {
            Profile::ALL.into_iter().find(|profile| profile.name() == word).ok_or_else(|| {
                let known = Profile::ALL.map(Profile::name).join(", ");
                Refused::plain(format!("`{word}` is not a value of `profile`: use one of {known}"))
            })
        };
        let rules = Rules {
            compat: if self.compat == CompatName::Player { Compat::Player } else { Compat::Lenient },
            profile: self.profile.as_ref().map(profile).transpose()?,
            allow: self.allow.clone(),
            allow_ted: self.allow_ted,
            ..Rules::default()
        };
        Ok(agalc::Options {
            version: self.agal_version,
            language: match self.language {
                LanguageName::Auto | LanguageName::Es2 => Language::Auto,
                LanguageName::Mini => Language::Mini,
                LanguageName::Macro => Language::Macro,
                LanguageName::Alternativa => Language::Alternativa,
            },
            es2_text: self.language == LanguageName::Es2,
            defines: self.defines.iter().map(|(name, value)| (name.clone(), *value)).collect(),
            meaning: Meaning {
                strict_ifg: self.ifg == IfgName::Strict,
                truncate_index: self.index == IndexName::Trunc,
                signed_offset: self.signed_offsets,
                rules,
                ..Meaning::default()
            },
            debug: DebugLevel::None,
            ..agalc::Options::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_have_the_words_of_the_package() {
        let json = r#"{ "stage": "vertex", "agalVersion": 2, "language": "macro", "defines": { "X": 1.5 }, "compat": "player",
            "profile": "standard", "allow": [3648], "allowTed": true, "ifg": "strict", "index": "trunc", "signedOffsets": true }"#;
        let read: ReadOptions = parsed(json).expect("options");
        assert_eq!(read.stage(), Some(Stage::Vertex));
        let options = read.options().expect("options");
        assert_eq!((options.version, options.language), (Some(2), Language::Macro));
        assert_eq!(options.defines, [("X".to_string(), 1.5)]);
        let rules = options.rules();
        assert_eq!((rules.compat, rules.profile, rules.allow_ted), (Compat::Player, Some(Profile::Standard), true));
        assert_eq!(rules.allow, [3648]);
        let meaning = &options.meaning;
        assert!(meaning.strict_ifg && meaning.truncate_index && meaning.signed_offset);
        let text: ReadOptions = parsed(r#"{ "language": "es2" }"#).expect("options");
        assert!(text.options().expect("options").es2_text);
    }

    #[test]
    fn what_is_not_an_option_is_refused() {
        let said = |json: &str| match parsed::<ReadOptions>(json).and_then(|options| options.options()) {
            Ok(_) => String::new(),
            Err(refused) => refused.message().to_string(),
        };
        assert!(said(r#"{ "stagee": "vertex" }"#).starts_with("an option is not valid: unknown field `stagee`"));
        assert!(said(r#"{ "stage": "pixel" }"#).starts_with("an option is not valid: unknown variant `pixel`"));
        assert_eq!(said(r#"{ "agalVersion": 5 }"#), "`agalVersion` is a number from 1 to 4");
        assert!(said(r#"{ "profile": "none" }"#).starts_with("`none` is not a value of `profile`: use one of "));
    }

    #[test]
    fn a_size_is_within_the_limits() {
        let size = |json: &str| parsed(json).and_then(sized).map(|loading| loading.size).ok();
        assert_eq!(size("{}"), Some(None));
        assert_eq!(size(r#"{ "size": [8192, 1] }"#), Some(Some([8192, 1])));
        for wrong in
            [r#"{ "size": [8193, 1] }"#, r#"{ "size": [1, 0] }"#, r#"{ "size": [1] }"#, r#"{ "sizes": [1, 1] }"#]
        {
            assert_eq!(size(wrong), None, "{wrong}");
        }
    }
}
