//! Several items under one `#[cfg]`.

/// The items as they are: an attribute stands above one item, and a call of a macro is one.
#[doc(hidden)]
#[macro_export]
macro_rules! __items {
    ($($items:tt)*) => { $($items)* };
}
