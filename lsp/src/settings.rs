//! The settings of a client.

use agalc::Profile;
use serde_json::Value;

/// The profile that settings state: `{"profile": "standard"}`, or the same under the server's name, `agalc`. `None` if they state
/// nothing about it; an empty text and null mean no profile.
///
/// # Errors
/// What is wrong with it, for the user.
pub(crate) fn stated(settings: &Value) -> Option<Result<Option<Profile>, String>> {
    let value = settings.pointer("/agalc/profile").or_else(|| settings.get("profile"))?;
    let name = value.as_str().map_or_else(|| value.to_string(), str::to_string);
    if value.is_null() || name.is_empty() {
        return Some(Ok(None));
    }
    let profile = Profile::ALL.into_iter().find(|profile| profile.name() == name);
    let known = || Profile::ALL.map(Profile::name).join(", ");
    Some(profile.map(Some).ok_or_else(|| format!("agalc: `{name}` is not a profile: use one of {}", known())))
}
