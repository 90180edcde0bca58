//! A macro that defines enums whose values have a number in the file and a name in the text form.

/// Defines an enum from rows that consist of a value, a number and a name. The macro also defines a list of all values and a
/// method that returns a value's name.
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
            /// All values, in ascending order of their numbers in the file.
            pub const ALL: [$Enum; [$($number),+].len()] = [$($Enum::$Value),+];

            /// The names of the values, in the order of [`Self::ALL`].
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
