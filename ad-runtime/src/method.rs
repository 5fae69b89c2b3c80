//! What the sweeps of methods need.

mod by_path;
mod hides;
mod in_scope;
mod of_language;
mod of_traits;

use std::marker::PhantomData;

use crate::duplicate::Duplicate;

pub use by_path::Called;
pub use hides::{behind_mut, behind_ref, by_mut, by_ref, by_value, like_of};
pub use in_scope::{
    Anywhere, Asked, Given, InScope, OfMarked, OfUnmarked, OutOfScope, WithTrait, anywhere,
    arguments, first, in_scope, is_found, trait_of,
};
pub use of_language::{OfLanguage, known_types_alone};
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
    /// Of which type a receiver behind `&` is for the check that nothing hides this one that Rust tries first there.
    type BehindRef<T: ?Sized>: ?Sized;
    /// The same behind `&mut`.
    type BehindMut<T: ?Sized>: ?Sized;
    /// A place for a receiver, which lives as long as the method may ask for.
    type Place<'p, T: ?Sized + 'p>;
    /// Where the method is found.
    type Scope: in_scope::Scope;
    /// The same witness without it.
    type Anywhere: Witness<Of = Self::Of>;
}

/// Of a method of a trait. Another one that takes its receiver as this one does is no danger where the trait is in
/// scope: then the call is ambiguous as it stands. So there is nothing to check there, which would find this one.
#[derive(Debug)]
pub struct Provided<W, Scope = Anywhere>(PhantomData<W>, PhantomData<Scope>);

/// A type that has no methods.
#[derive(Clone, Copy, Debug)]
pub enum Nothing {}

impl<W, S> Clone for Provided<W, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W, S> Copy for Provided<W, S> {}

macro_rules! provided {
    ($($name:ident $value:ty, $by_ref:ty, $by_mut:ty; $behind_ref:ty, $behind_mut:ty; $place:ty;)*) => {$(
        impl<Of: ?Sized, S: in_scope::Scope> Witness for Provided<$name<Of>, S> {
            const NEW: Self = Provided::new();
            type Of = Of;
            type ByValue<T: ?Sized> = $value;
            type ByRef<T: ?Sized> = $by_ref;
            type ByMut<T: ?Sized> = $by_mut;
            type BehindRef<T: ?Sized> = $behind_ref;
            type BehindMut<T: ?Sized> = $behind_mut;
            type Place<'p, T: ?Sized + 'p> = $place;
            type Scope = S;
            type Anywhere = Provided<$name<Of>>;
        }
    )*};
}

provided! {
    Owned Nothing, T, T; T, T; Box<T>;
    Shared T, Nothing, T; Nothing, T; &'p T;
    Exclusive T, T, Nothing; T, Nothing; &'p mut T;
}

impl<W: Receive, S> Receive for Provided<W, S>
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

impl<W: ReceiveMut, S> ReceiveMut for Provided<W, S>
where
    Self: Witness<Of = W::Of>,
{
    type Receiver<'a>
        = W::Receiver<'a>
    where
        Self: 'a;

    #[inline(always)]
    fn receive<P: Holds<W::Of> + ?Sized>(place: &mut P) -> W::Receiver<'_> {
        W::receive(place)
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
            type BehindRef<U: ?Sized> = U;
            type BehindMut<U: ?Sized> = U;
            type Place<'p, U: ?Sized + 'p> = Box<U>;
            type Scope = Anywhere;
            type Anywhere = Self;
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

/// What is shared lends its value, and no method that writes it is called there: rustc accepts none.
macro_rules! shared {
    ($($pointer:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: ?Sized> Holds<T> for $pointer {
            #[inline(always)]
            fn held(&self) -> &T {
                self
            }

            #[cold]
            fn held_mut(&mut self) -> &mut T {
                unreachable!("what is shared is not written")
            }
        }
    )*};
}

shared! { &T std::rc::Rc<T> std::sync::Arc<T> }

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
    fn receive<P: Holds<Self::Of> + ?Sized>(place: &mut P) -> Self::Receiver<'_>;
}

impl<T: ?Sized> ReceiveMut for Shared<T> {
    type Receiver<'a>
        = &'a T
    where
        T: 'a;

    #[inline(always)]
    fn receive<P: Holds<T> + ?Sized>(place: &mut P) -> &T {
        <P as Holds<T>>::held(place)
    }
}

impl<T: ?Sized> ReceiveMut for Exclusive<T> {
    type Receiver<'a>
        = &'a mut T
    where
        T: 'a;

    #[inline(always)]
    fn receive<P: Holds<T> + ?Sized>(place: &mut P) -> &mut T {
        <P as Holds<T>>::held_mut(place)
    }
}

impl<T: Duplicate> ReceiveMut for Owned<T> {
    type Receiver<'a>
        = T
    where
        T: 'a;

    #[inline(always)]
    fn receive<P: Holds<T> + ?Sized>(place: &mut P) -> T {
        <P as Holds<T>>::held(place).duplicate()
    }
}

/// The receiver of a method, as its sweeps take it.
#[inline(always)]
pub fn receiver<W: Receive, P: Holds<W::Of> + ?Sized>(_: W, place: &P) -> W::Receiver<'_> {
    W::receive(<P as Holds<W::Of>>::held(place))
}

/// The receiver of a method that may write it.
#[inline(always)]
pub fn receiver_mut<W: ReceiveMut, P: Holds<W::Of> + ?Sized>(
    _: W,
    place: &mut P,
) -> W::Receiver<'_> {
    W::receive(place)
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
