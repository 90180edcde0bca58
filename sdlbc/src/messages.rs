//! A macro for enums whose variants display as messages.

/// Defines an enum and its `Display` from rows of a variant and its message: a format string and the arguments that it does not
/// capture. Values in parentheses have names here, so that the message can contain them.
macro_rules! messages {
    (
        $(#[$about:meta])*
        pub enum $Enum:ident {
            $(
                $(#[$of_variant:meta])*
                $Variant:ident $(($($value:ident: $type:ty),*))? $({ $($(#[$of_field:meta])* $field:ident: $ty:ty),* $(,)? })?
                    => $message:literal $(, $argument:expr)*;
            )*
        }
    ) => {
        $(#[$about])*
        pub enum $Enum {
            $($(#[$of_variant])* $Variant $(($($type),*))? $({ $($(#[$of_field])* $field: $ty),* })?),*
        }

        impl ::std::fmt::Display for $Enum {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                #[allow(unused_variables, reason = "a message need not contain all values")]
                match self {
                    $($Enum::$Variant $(($($value),*))? $({ $($field),* })? => write!(f, $message $(, $argument)*)),*
                }
            }
        }
    };
}
pub(crate) use messages;
