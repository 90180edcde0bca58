//! Catches panics of naga without printing them.
//!
//! The standard panic hook prints each panic, also one that is caught. [`caught`] installs a hook once for the whole process. The hook
//! prints nothing about a panic inside [`caught`], and passes every other panic to the hook that was installed before. An application
//! that sets its own hook keeps that hook: one set earlier receives all other panics, and one set later replaces this hook.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// Whether this thread runs code whose panics are caught.
    static IS_CATCHING: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work`, and returns `None` if it panics. The panic is not printed.
///
/// If panics end the process, nothing can be caught, so the hook is left as it is and prints the reason.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Option<T> {
    if cfg!(panic = "abort") {
        return Some(work());
    }
    install();
    let before = IS_CATCHING.replace(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    IS_CATCHING.set(before);
    result.ok()
}

fn install() {
    static HOOK: Once = Once::new();
    // The hook cannot be replaced by code that runs because its thread already panics, such as a destructor.
    if std::thread::panicking() {
        return;
    }
    HOOK.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |panic| {
            if !IS_CATCHING.get() {
                usual(panic);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::caught;

    /// The environment variable that makes this test binary panic inside and outside [`caught`].
    const PANICS: &str = "NAGA_FRONT_PANICS";

    /// Panics in a process of its own, because the hook belongs to a process.
    #[test]
    fn a_caught_panic_is_not_printed_and_others_reach_the_hook_of_the_application() {
        if std::env::var_os(PANICS).is_some() {
            return panics();
        }
        let binary = std::env::current_exe().expect("the tests");
        let name = "silent::tests::a_caught_panic_is_not_printed_and_others_reach_the_hook_of_the_application";
        let child = Command::new(binary).args(["--exact", "--nocapture", name]).env(PANICS, "1").output();
        let child = child.expect("the tests");
        let printed = String::from_utf8_lossy(&child.stderr).into_owned();
        assert!(child.status.success(), "{printed}");
        let seen: Vec<&str> = printed.lines().filter(|line| line.starts_with("hook: ")).collect();
        assert_eq!(seen, ["hook: before", "hook: on another thread", "hook: after"], "{printed}");
        assert!(!printed.contains("panicked at"), "{printed}");
    }

    fn panics() {
        std::panic::set_hook(Box::new(|panic| {
            eprintln!("hook: {}", panic.payload().downcast_ref::<&str>().copied().unwrap_or("no text"));
        }));
        assert!(std::panic::catch_unwind(|| panic!("before")).is_err());
        assert_eq!(caught(|| 7), Some(7));
        let inner = caught(|| {
            assert!(std::thread::spawn(|| panic!("on another thread")).join().is_err());
            assert_eq!(caught::<()>(|| panic!("inside twice")), None);
            panic!("inside");
        });
        assert_eq!(inner, None::<()>);
        assert!(std::panic::catch_unwind(|| panic!("after")).is_err());
    }
}
