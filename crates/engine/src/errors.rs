//! What all error types of the workspace have in common.

/// Implements `Display` and `Error`: one message for each pattern of the error, formatted like those of `write!`.
///
/// # Examples
///
/// ```
/// #[derive(Debug)]
/// enum ParseError {
///     Empty,
///     BadLetter(char),
/// }
///
/// tabiya_engine::error_messages! { ParseError:
///     ParseError::Empty => "the text is empty";
///     ParseError::BadLetter(letter) => "unknown letter `{letter}`";
/// }
/// assert_eq!(ParseError::BadLetter('x').to_string(), "unknown letter `x`");
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! error_messages {
    ($type:ty: $($pattern:pat $(if $guard:expr)? => $message:literal $(, $argument:expr)*;)+) => {
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    $($pattern $(if $guard)? => write!(f, $message $(, $argument)*),)+
                }
            }
        }

        impl std::error::Error for $type {}
    };
}
