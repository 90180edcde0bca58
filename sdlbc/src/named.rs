//! A macro for enums whose values have numbers in a file and names in the text form.

/// Defines an enum from rows of a value, its number and its name, with a list of its values and a function that returns the name.
macro_rules! named {
    (
        $(#[$about:meta])*
        pub enum $Enum:ident { $($(#[$of_value:meta])* $Value:ident = $number:literal $text:literal,)+ }
        $(#[$of_name:meta])*
        fn $name:ident
    ) => {
        $(#[$about])*
        pub enum $Enum { $($(#[$of_value])* $Value = $number),+ }

        impl $Enum {
            /// Every value, by number.
            pub const ALL: [$Enum; [$($number),+].len()] = [$($Enum::$Value),+];

            /// The names of the values in [`Self::ALL`].
            #[allow(dead_code, reason = "only the enums in the kinds of inputs and outputs need a list of names")]
            pub(crate) const NAMES: &[&str] = &[$($text),+];

            $(#[$of_name])*
            pub const fn $name(self) -> &'static str {
                match self { $($Enum::$Value => $text),+ }
            }
        }
    };
}
pub(crate) use named;
