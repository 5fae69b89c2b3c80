//! Whether the trait whose method has sweeps is in scope where a method is called.
//!
//! What stands beside the methods of an `impl` of a trait is found on the type whatever is in scope, and the method of
//! the user's is not: where another trait with a method of this name is in scope alone, the call means that one. So the
//! witness of such a method names, beside the type, an opaque one that has the trait and nothing else, and the caller's
//! code that never runs calls a method of the name on it. rustc finds one only if the trait is in scope.
//!
//! Another trait may be implemented for everything that has this one, or a supertrait of it, and so for the opaque
//! type. So a trait with `#[gradient]` has a method of a name that nothing else has, one for each of its methods, which
//! is looked for there. Whether it has the attribute, the opaque type says.

use std::marker::PhantomData;

use super::of_traits::HasGradient;
use super::{Provided, Witness};

/// Where the method of a witness is found.
pub trait Scope {
    /// What has a method of its name there. `Own`: a type that has one of its own.
    type Receiver<Own>: ?Sized;
    /// What the arguments of that one are.
    type Arguments: Arguments;
    /// What says whether the trait has `#[gradient]`.
    type Trait;
}

/// Everywhere: what gives the witness is found by the same rules as the method.
#[derive(Debug)]
pub enum Anywhere {}

impl Scope for Anywhere {
    type Receiver<Own> = Own;
    type Arguments = Nothing;
    type Trait = Nothing;
}

/// Where a trait is in scope. `Opaque` has this trait alone, `KEY` is the number of its name, `Of` are its arguments.
#[derive(Debug)]
pub struct WithTrait<Opaque: ?Sized, A, const KEY: u64, Of>(
    PhantomData<A>,
    PhantomData<Of>,
    PhantomData<Opaque>,
);

impl<Opaque: ?Sized, A: Arguments, const KEY: u64, Of> Scope for WithTrait<Opaque, A, KEY, Of> {
    type Receiver<Own> = Opaque;
    type Arguments = A;
    type Trait = Self;
}

/// The trait has `#[gradient]`.
#[derive(Debug)]
pub struct Marked;

/// It has none, or there is no trait.
#[derive(Debug)]
pub struct Unmarked;

/// Of what has the trait: it has the attribute.
pub trait OfMarked: Sized {
    /// Says so.
    #[cold]
    fn __is_marked(&self) -> Marked {
        Marked
    }
}

impl<Opaque: HasGradient<KEY, Of> + ?Sized, A, const KEY: u64, Of> OfMarked
    for PhantomData<WithTrait<Opaque, A, KEY, Of>>
{
}

/// Of anything else.
pub trait OfUnmarked: Sized {
    /// Says so.
    #[cold]
    fn __is_marked(&self) -> Unmarked {
        Unmarked
    }
}

impl<T> OfUnmarked for &PhantomData<T> {}

/// The trait of a witness.
#[cold]
pub fn trait_of<W: Witness>(_: W) -> PhantomData<<W::Scope as Scope>::Trait> {
    PhantomData
}

/// What the method of a trait with `#[gradient]` returns that says that the trait is in scope.
#[derive(Debug)]
pub struct InScope;

/// What is found where it is not.
#[derive(Debug)]
pub struct OutOfScope;

/// Where a trait is, as one with the attribute, or without it, has to be.
#[diagnostic::on_unimplemented(
    message = "the method with a derivative is that of a trait that is not in scope here",
    label = "this means the method of another trait",
    note = "bring the trait with the derivative into scope, or give one of the two methods another name"
)]
pub trait IsFound<M> {}

impl IsFound<Marked> for InScope {}
impl<Where> IsFound<Unmarked> for Where {}

/// Compiles only if the trait is in scope, or has no `#[gradient]`.
#[cold]
pub fn is_found<M, Where: IsFound<M>>(_: M, _: Where) {}

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
    ($name:ident [$($argument:ident)*] ($($given:expr),*) $witness:ident $is_in_scope:ident) => {
        {
            trait OutOfScope {
                fn $is_in_scope(&mut self) -> $crate::__rt::OutOfScope {
                    $crate::__rt::OutOfScope
                }
            }
            impl<T: ?::core::marker::Sized> OutOfScope for T {}
            use $crate::__rt::{OfMarked as _, OfUnmarked as _};
            let receiver = $crate::__rt::in_scope::<_, ()>($witness);
            let $is_in_scope = (*$crate::__rt::never_mut(&*receiver)).$is_in_scope();
            $crate::__rt::is_found((&$crate::__rt::trait_of($witness)).__is_marked(), $is_in_scope);
        }
        match ($($given,)*) {
            ($($argument,)*) => {
                // By value it is found in front of what all types have, such as `into`.
                #[derive(::core::clone::Clone, ::core::marker::Copy)]
                struct OfNoTrait;
                impl OfNoTrait {
                    fn $name<$($argument),*>(self $(, _: $argument)*) {}
                }
                let mut receiver = $crate::__rt::in_scope::<_, OfNoTrait>($witness);
                let arguments = $crate::__rt::arguments($witness);
                $(let ($argument, arguments) = $crate::__rt::first(arguments, $argument);)*
                let _ = (*receiver).$name($($argument.argument()),*);
            }
        }
    };
}
