//! A macro that defines enums whose variants display as messages.

/// Defines an enum and its `Display` implementation from rows that consist of a variant and a message. A message is a format
/// string, followed by the arguments that the string does not capture. The macro names the fields of tuple variants, so that the
/// messages can contain their values.
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
