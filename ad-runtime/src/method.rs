//! What the sweeps of methods need.

mod of_language;
mod of_traits;

use std::marker::PhantomData;

use crate::duplicate::Duplicate;

pub use of_language::known_types_alone;
pub use of_traits::{
    HasGradient, OfTheTrait, OfTheType, Sweeps, SweepsMut, SweepsOf, check_method, name_of,
    written_by_the_trait, written_by_the_type,
};

/// What stands beside a method of `T` that has sweeps: it names the type and says how they take the receiver.
pub trait Witness: Sized {
    /// The witness.
    const NEW: Self;
    /// The type whose method it is.
    type Of: ?Sized;
    /// Of which type a receiver is for the check that no method of a trait hides this one by taking `self`.
    type ByValue<T: ?Sized>: ?Sized;
    /// The same for `&self`.
    type ByRef<T: ?Sized>: ?Sized;
    /// The same for `&mut self`.
    type ByMut<T: ?Sized>: ?Sized;
}

/// Of a method of a trait. Another one that takes its receiver as this one does is no danger: then the call is
/// ambiguous as it stands. So there is nothing to check there, which would find this one.
#[derive(Debug)]
pub struct Provided<W>(PhantomData<W>);

/// A type that has no methods.
#[derive(Clone, Copy, Debug)]
pub enum Nothing {}

impl<W> Provided<W> {
    /// The witness.
    #[inline(always)]
    #[must_use]
    #[expect(clippy::new_without_default, reason = "generated code names it")]
    pub const fn new() -> Self {
        Provided(PhantomData)
    }
}

impl<W> Clone for Provided<W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W> Copy for Provided<W> {}

macro_rules! provided {
    ($($name:ident $value:ty, $by_ref:ty, $by_mut:ty;)*) => {$(
        impl<Of: ?Sized> Witness for Provided<$name<Of>> {
            const NEW: Self = Provided::new();
            type Of = Of;
            type ByValue<T: ?Sized> = $value;
            type ByRef<T: ?Sized> = $by_ref;
            type ByMut<T: ?Sized> = $by_mut;
        }
    )*};
}

provided! {
    Owned Nothing, T, T;
    Shared T, Nothing, T;
    Exclusive T, T, Nothing;
}

impl<W: Receive> Receive for Provided<W>
where
    Self: Witness<Of = W::Of>,
{
    type Receiver<'a>
        = W::Receiver<'a>
    where
        Self: 'a;

    #[inline(always)]
    fn receive(of: &W::Of) -> W::Receiver<'_> {
        W::receive(of)
    }
}

impl<W: ReceiveMut> ReceiveMut for Provided<W>
where
    Self: Witness<Of = W::Of>,
{
    type Receiver<'a>
        = W::Receiver<'a>
    where
        Self: 'a;

    #[inline(always)]
    fn receive(of: &mut W::Of) -> W::Receiver<'_> {
        W::receive(of)
    }
}

/// A value, in code that never runs.
#[cold]
pub fn never<T>() -> T {
    unreachable!("code that never runs")
}

/// The method of a type that this name means is that of the trait.
#[diagnostic::on_unimplemented(
    message = "the type has a function of its own of this name, which hides that of the trait",
    label = "calls mean the type's own",
    note = "rename one of the two, or take the method out of the trait's sweeps: `#[no_gradient]`"
)]
pub trait Same<F> {}

impl<F> Same<F> for F {}

/// Compiles only if both are one function.
#[inline(always)]
pub fn same_method<F, G: Same<F>>(_: &F, _: &G) {}

/// Of `&self`, and of a function without receiver.
#[derive(Debug)]
pub struct Shared<T: ?Sized>(PhantomData<T>);

/// Of `&mut self`.
#[derive(Debug)]
pub struct Exclusive<T: ?Sized>(PhantomData<T>);

/// Of `self`: the sweeps take a copy.
#[derive(Debug)]
pub struct Owned<T: ?Sized>(PhantomData<T>);

macro_rules! witnesses {
    ($($name:ident)*) => {$(
        impl<T: ?Sized> $name<T> {
            /// The witness.
            #[inline(always)]
            #[must_use]
            #[expect(clippy::new_without_default, reason = "generated code names it")]
            pub const fn new() -> Self {
                $name(PhantomData)
            }
        }

        impl<T: ?Sized> Clone for $name<T> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<T: ?Sized> Copy for $name<T> {}

        impl<T: ?Sized> Witness for $name<T> {
            const NEW: Self = $name::new();
            type Of = T;
            type ByValue<U: ?Sized> = U;
            type ByRef<U: ?Sized> = U;
            type ByMut<U: ?Sized> = U;
        }
    )*};
}

witnesses! { Shared Exclusive Owned }

/// A receiver whose methods are those of `T`. A type that only dereferences to `T` may have others of their names.
#[diagnostic::on_unimplemented(
    message = "the method with a derivative is one of `{T}`, and the receiver is of another type",
    label = "this is a `{Self}`",
    note = "a `Deref` in between may hide the method: pass the `{T}` itself"
)]
pub trait Holds<T: ?Sized> {
    /// The value.
    fn held(&self) -> &T;
    /// The value, to be written.
    fn held_mut(&mut self) -> &mut T;
}

impl<T: ?Sized> Holds<T> for T {
    #[inline(always)]
    fn held(&self) -> &T {
        self
    }

    #[inline(always)]
    fn held_mut(&mut self) -> &mut T {
        self
    }
}

impl<T: ?Sized> Holds<T> for Box<T> {
    #[inline(always)]
    fn held(&self) -> &T {
        self
    }

    #[inline(always)]
    fn held_mut(&mut self) -> &mut T {
        self
    }
}

/// The sweeps take the receiver so, of one that is not written.
#[diagnostic::on_unimplemented(
    message = "a method with `&mut self` is called on what the sweeps only read",
    label = "this receiver is not known to be mutable",
    note = "bind the receiver to a variable with `let mut` before the call"
)]
pub trait Receive: Witness {
    /// The receiver.
    type Receiver<'a>
    where
        Self: 'a;
    /// The receiver, of what is read.
    fn receive(of: &Self::Of) -> Self::Receiver<'_>;
}

impl<T: ?Sized> Receive for Shared<T> {
    type Receiver<'a>
        = &'a T
    where
        T: 'a;

    #[inline(always)]
    fn receive(of: &T) -> &T {
        of
    }
}

impl<T: Duplicate> Receive for Owned<T> {
    type Receiver<'a>
        = T
    where
        T: 'a;

    #[inline(always)]
    fn receive(of: &T) -> T {
        of.duplicate()
    }
}

/// The sweeps take the receiver so, of one that may be written.
pub trait ReceiveMut: Witness {
    /// The receiver.
    type Receiver<'a>
    where
        Self: 'a;
    /// The receiver, of what may be written.
    fn receive(of: &mut Self::Of) -> Self::Receiver<'_>;
}

impl<T: ?Sized> ReceiveMut for Shared<T> {
    type Receiver<'a>
        = &'a T
    where
        T: 'a;

    #[inline(always)]
    fn receive(of: &mut T) -> &T {
        of
    }
}

impl<T: ?Sized> ReceiveMut for Exclusive<T> {
    type Receiver<'a>
        = &'a mut T
    where
        T: 'a;

    #[inline(always)]
    fn receive(of: &mut T) -> &mut T {
        of
    }
}

impl<T: Duplicate> ReceiveMut for Owned<T> {
    type Receiver<'a>
        = T
    where
        T: 'a;

    #[inline(always)]
    fn receive(of: &mut T) -> T {
        of.duplicate()
    }
}

/// The receiver of a method, as its sweeps take it.
#[inline(always)]
pub fn receiver<W: Receive, P: Holds<W::Of> + ?Sized>(_: W, place: &P) -> W::Receiver<'_> {
    W::receive(place.held())
}

/// The receiver of a method that may write it.
#[inline(always)]
pub fn receiver_mut<W: ReceiveMut, P: Holds<W::Of> + ?Sized>(
    _: W,
    place: &mut P,
) -> W::Receiver<'_> {
    W::receive(place.held_mut())
}

/// The witness of a method, from a call of it that never runs.
#[inline(always)]
pub fn witness<W: Witness>(_: impl FnOnce() -> W) -> W {
    W::NEW
}

/// A receiver, in code that never runs: the methods of traits that give witnesses take it last, by `&mut self`.
#[cold]
pub fn never_mut<'a, T: ?Sized>(_: &T) -> &'a mut T {
    unreachable!("code that never runs")
}

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
    ($name:ident $types:tt $arguments:tt $witness:ident [$($receiver:expr),*]) => {
        if false {
            $(
                $crate::__only_method! {
                    @probe $name [self] $types $arguments $crate::__rt::by_value($witness, $receiver)
                }
                $crate::__only_method! {
                    @probe $name [&self] $types $arguments $crate::__rt::by_ref($witness, $receiver)
                }
                $crate::__only_method! {
                    @probe $name [&mut self] $types $arguments $crate::__rt::by_mut($witness, $receiver)
                }
            )*
        }
    };
    (@probe $name:ident [self] $($rest:tt)*) => {
        $crate::__only_method! { @try $name [self] [::core::marker::Sized] [] $($rest)* }
    };
    (@probe $name:ident $this:tt $($rest:tt)*) => {
        $crate::__only_method! { @try $name $this [] [?::core::marker::Sized] $($rest)* }
    };
    (
        @try $name:ident [$($this:tt)*] [$($super:tt)*] [$($size:tt)*] [$($types:ident)*] ($($arguments:tt)*)
        $receiver:expr
    ) => {{
        trait HidesTheMethodWithADerivative: $($super)* {
            fn $name<$($types),*>($($this)* $(, _: $types)*) {}
        }
        impl<Receiver: $($size)*> HidesTheMethodWithADerivative for Receiver {}
        let mut receiver = $receiver;
        let _ = (*receiver).$name($($arguments)*);
    }};
}
