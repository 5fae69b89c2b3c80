//! Whether the trait whose method has sweeps is in scope where a method is called.
//!
//! What stands beside the methods of an `impl` of a trait is found on the type whatever is in scope, and the method of
//! the user's is not: where another trait with a method of this name is in scope alone, the call means that one. So the
//! witness of such a method names, beside the type, an opaque one that has the trait and nothing else, and the caller's
//! code that never runs calls a method of the name on it. rustc finds one only if the trait is in scope.

use std::marker::PhantomData;

use super::{Provided, Witness};

/// Where the method of a witness is found.
pub trait Scope {
    /// What has a method of its name there. `Own`: a type that has one of its own.
    type Receiver<Own>: ?Sized;
    /// What the arguments of that one are.
    type Arguments: Arguments;
}

/// Everywhere: what gives the witness is found by the same rules as the method.
#[derive(Debug)]
pub enum Anywhere {}

impl Scope for Anywhere {
    type Receiver<Own> = Own;
    type Arguments = Nothing;
}

/// Where a trait is in scope. `Opaque` has this trait alone.
#[derive(Debug)]
pub struct WithTrait<Opaque: ?Sized, A>(PhantomData<A>, PhantomData<Opaque>);

impl<Opaque: ?Sized, A: Arguments> Scope for WithTrait<Opaque, A> {
    type Receiver<Own> = Opaque;
    type Arguments = A;
}

/// The arguments of a method that is called on what is opaque, one behind the other.
pub trait Arguments {
    /// The first one, where the caller gives a `T`.
    type First<T>;
    /// The others.
    type Rest: Arguments;
}

/// What the method asks for, for all arguments: types may name the opaque one.
#[derive(Clone, Copy, Debug)]
pub struct Asked;

/// What the caller gives, as that alone says what a parameter of the method's own stands for.
#[derive(Clone, Copy, Debug)]
pub struct Given<T = ()>(T);

/// Nothing, for all arguments.
#[derive(Clone, Copy, Debug)]
pub struct Nothing;

impl Arguments for Asked {
    type First<T> = Asked;
    type Rest = Asked;
}

impl Arguments for Nothing {
    type First<T> = Nothing;
    type Rest = Nothing;
}

impl<Rest: Arguments> Arguments for (Asked, Rest) {
    type First<T> = Asked;
    type Rest = Rest;
}

impl<Rest: Arguments> Arguments for (Given, Rest) {
    type First<T> = Given<T>;
    type Rest = Rest;
}

impl Asked {
    /// The argument, in code that never runs.
    #[cold]
    pub fn argument<T>(self) -> T {
        unreachable!("code that never runs")
    }
}

impl<T> Given<T> {
    /// The argument, in code that never runs.
    #[cold]
    pub fn argument(self) -> T {
        self.0
    }
}

impl Nothing {
    /// The argument, in code that never runs.
    #[cold]
    pub fn argument(self) {}
}

/// A receiver, in code that never runs.
#[cold]
pub fn in_scope<'p, W: Witness, Own>(_: W) -> W::Place<'p, Found<W, Own>> {
    unreachable!("code that never runs")
}

/// What has a method of the name.
type Found<W, Own> = <<W as Witness>::Scope as Scope>::Receiver<Own>;

/// What its arguments are.
#[cold]
pub fn arguments<W: Witness>(_: W) -> PhantomData<<W::Scope as Scope>::Arguments> {
    PhantomData
}

/// The first of them, and the others, in code that never runs.
#[cold]
pub fn first<A: Arguments, T>(_: PhantomData<A>, _: T) -> (A::First<T>, PhantomData<A::Rest>) {
    unreachable!("code that never runs")
}

/// The witness without what says where the method is found, whose lifetimes are those of that.
#[inline(always)]
pub fn anywhere<W: Witness>(_: W) -> W::Anywhere {
    W::Anywhere::NEW
}

impl<W, S> Provided<W, S> {
    /// The witness.
    #[inline(always)]
    #[must_use]
    #[expect(clippy::new_without_default, reason = "generated code names it")]
    pub const fn new() -> Self {
        Provided(PhantomData, PhantomData)
    }
}

/// Where the trait whose method has sweeps is not in scope, this does not compile: the call means another method.
#[doc(hidden)]
#[macro_export]
macro_rules! __trait_in_scope {
    // What the arguments borrow lives longer than the receiver.
    ($name:ident [$($argument:ident)*] ($($given:expr),*) $witness:ident) => {
        match ($($given,)*) {
            ($($argument,)*) => {
                struct OfNoTrait;
                impl OfNoTrait {
                    fn $name<$($argument),*>(&self $(, _: $argument)*) {}
                }
                let mut receiver = $crate::__rt::in_scope::<_, OfNoTrait>($witness);
                let arguments = $crate::__rt::arguments($witness);
                $(let ($argument, arguments) = $crate::__rt::first(arguments, $argument);)*
                let _ = (*receiver).$name($($argument.argument()),*);
            }
        }
    };
}
