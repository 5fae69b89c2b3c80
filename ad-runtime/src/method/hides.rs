//! Whether another method hides the one that has sweeps where it is called: one that Rust finds first.

use super::Witness;

/// A receiver, in code that never runs. In a box, which gives both places and values, of types without a size, too.
#[cold]
pub fn by_value<W: Witness, T: ?Sized>(_: W, _: &T) -> Box<W::ByValue<T>> {
    unreachable!("code that never runs")
}

/// A receiver, in code that never runs.
#[cold]
pub fn by_ref<W: Witness, T: ?Sized>(_: W, _: &T) -> Box<W::ByRef<T>> {
    unreachable!("code that never runs")
}

/// A receiver, in code that never runs.
#[cold]
pub fn by_mut<W: Witness, T: ?Sized>(_: W, _: &T) -> Box<W::ByMut<T>> {
    unreachable!("code that never runs")
}

/// What is behind a receiver, in code that never runs.
#[cold]
pub fn behind_ref<W: Witness>(_: W) -> Box<W::BehindRef<W::Of>> {
    unreachable!("code that never runs")
}

/// What is behind a receiver, in code that never runs.
#[cold]
pub fn behind_mut<W: Witness>(_: W) -> Box<W::BehindMut<W::Of>> {
    unreachable!("code that never runs")
}

/// A value of the type whose method it is, in code that never runs.
#[cold]
pub fn like_of<W: Witness>(_: W) -> Box<W::Of> {
    unreachable!("code that never runs")
}

/// Where a method of a trait comes in front of the type's own of this name, because it takes the receiver in a way that
/// Rust tries first, this is ambiguous: what is called is not what has the sweeps.
#[doc(hidden)]
#[macro_export]
macro_rules! __only_method {
    (
        $name:ident $types:tt $arguments:tt $scope:ident $witness:ident $is_in_scope:ident
        [$($receiver:expr),*] $behind:tt
    ) => {
        if false {
            $(
                $crate::__only_method! {
                    @probe $name [self] $types $arguments [] $crate::__rt::by_value($witness, $receiver)
                }
                $crate::__only_method! {
                    @probe $name [&self] $types $arguments [] $crate::__rt::by_ref($witness, $receiver)
                }
                $crate::__only_method! {
                    @probe $name [&mut self] $types $arguments [] $crate::__rt::by_mut($witness, $receiver)
                }
            )*
            $crate::__only_method! { @behind $behind $name $types $arguments $witness }
            $crate::__trait_in_scope! { $name $types $arguments $scope $is_in_scope }
        }
    };
    (
        @try $name:ident [$($this:tt)*] [$($super:tt)*] [$($size:tt)*] [$($types:ident)*] ($($arguments:tt)*)
        [$($of:tt)*] $receiver:expr
    ) => {{
        trait HidesTheMethodWithADerivative: $($super)* {
            fn $name<$($types),*>($($this)* $(, _: $types)*) {}
        }
        impl<Receiver: $($size)*> HidesTheMethodWithADerivative for Receiver {}
        let mut receiver = $receiver;
        let _ = ($($of)* *receiver).$name($($arguments)*);
    }};
    (@behind [] $($rest:tt)*) => {};
    // A method with `self` that the reference has is found where one with `&self` of the type is.
    (@behind [&] $name:ident $types:tt $arguments:tt $witness:ident) => {
        $crate::__only_method! {
            @probe $name [&self] $types $arguments [&] $crate::__rt::behind_ref($witness)
        }
        // That of the reference itself, in a variable that may be changed.
        $crate::__only_method! {
            @probe $name [&mut self] $types $arguments [&] $crate::__rt::behind_ref($witness)
        }
    };
    (@behind [&mut] $name:ident $types:tt $arguments:tt $witness:ident) => {
        $crate::__only_method! {
            @probe $name [&mut self] $types $arguments [&mut] $crate::__rt::behind_mut($witness)
        }
        // That of the reference itself.
        $crate::__only_method! {
            @probe $name [&self] $types $arguments [&mut] $crate::__rt::behind_mut($witness)
        }
        // The same, in a variable that may be changed.
        $crate::__only_method! { @reference $name $types $arguments $crate::__rt::behind_mut($witness) }
    };
    (@probe $name:ident [self] $($rest:tt)*) => {
        $crate::__only_method! { @try $name [self] [::core::marker::Sized] [] $($rest)* }
    };
    (@probe $name:ident $this:tt $($rest:tt)*) => {
        $crate::__only_method! { @try $name $this [] [?::core::marker::Sized] $($rest)* }
    };
    (@reference $name:ident [$($types:ident)*] ($($arguments:tt)*) $receiver:expr) => {{
        trait HidesTheMethodWithADerivative {
            fn $name<$($types),*>(&mut self $(, _: $types)*) {}
        }
        impl<Receiver: ?::core::marker::Sized> HidesTheMethodWithADerivative for &mut Receiver {}
        let mut receiver = $receiver;
        let mut receiver = &mut *receiver;
        let _ = receiver.$name($($arguments)*);
    }};
}
