//! Converts panics to errors that contain the panics' messages.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// The message of the panic caught on this thread, or `None` while panics are not being caught.
    static MESSAGE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs `work`, and converts a panic to an error with the panic's message and location.
/// The panic is not printed. Panics in other threads are printed as usual.
///
/// # Errors
/// Returns the message and location of the panic if `work` panics.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |panic| match MESSAGE.take() {
            Some(_) => MESSAGE.set(Some(panic.to_string())),
            None => usual(panic),
        }));
    });
    let outer = MESSAGE.replace(Some(String::new()));
    let result = catch_unwind(AssertUnwindSafe(work));
    let message = MESSAGE.replace(outer);
    result.map_err(|_| message.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::caught;

    #[test]
    fn a_panic_is_an_error_with_its_message_and_location() {
        assert_eq!(caught(|| 7), Ok(7));
        let error = caught(|| panic!("seven {}", 7)).unwrap_err();
        assert!(error.contains("seven 7") && error.contains("panics.rs"), "{error}");
        let outer = caught(|| {
            assert!(caught(|| panic!("inner")).is_err());
            panic!("outer")
        });
        assert!(outer.unwrap_err().contains("outer"));
    }
}
