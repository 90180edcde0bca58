//! A macro for enums that display as a message.

/// Defines an enum from rows of a variant, with named values even in parentheses, and its message: a format string that may contain
/// the values, and its arguments.
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
