//! Functions that are arguments of differentiated functions.
//!
//! A function with `#[gradient]` that takes a function gets, in its sweeps, something that has a value and both sweeps
//! instead: a [`Function`]. It is [`Copy`], and passed on as it is, so that recursion needs no new types. What it has
//! captured lies with the caller, and so do the adjoints of that: [`Captures::Adjoint`] are references to them.

use std::fmt;
use std::marker::PhantomData;

use crate::tape::{Rewind, Tape, with_tape};

/// What a function has captured.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is a function without a derivative",
    label = "this function has a value, and nothing says what its derivative is",
    note = "give `differentiable!(path)` of a function with `#[gradient]`, or `differentiable!(|x: f64| …)`; in a \
            function with `#[gradient]`, give the path or the closure itself"
)]
pub trait Captures: Copy {
    /// Where the derivatives with respect to it go: a tuple of references, or nothing.
    type Adjoint;
}

/// A function with a derivative: what it takes, the adjoints of that, what it gives back, and the adjoint of that.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no derivative as a function of `{Args}` that returns `{Output}`",
    label = "this function has no derivative, or other arguments or another result",
    note = "where `f_grad` is called, give `differentiable!(path)` of a function with `#[gradient]`, or \
            `differentiable!(|x: f64| …)`; in a function with `#[gradient]`, give the path or the closure itself",
    note = "write the types of a closure's parameters where they are not `f64`, `|x: &[f64]| …`, and of its result, \
            `|x: f64| -> [f64; 2] {{ … }}`"
)]
pub trait Function<Args, Bars, Output, Seed>: Captures {
    /// The forward sweep.
    fn forward(self, tape: &mut Tape, args: Args) -> Output;

    /// The reverse sweep.
    fn reverse(
        self,
        tape: &mut Tape,
        args: Args,
        captures: &mut Self::Adjoint,
        bars: Bars,
        seed: Option<&Seed>,
    );

    /// The value alone.
    #[inline]
    fn value(self, args: Args) -> Output {
        with_tape(|tape| self.forward(Rewind::new(tape).tape(), args))
    }
}

/// The sweeps of a function that stands in the program's text, with what it has captured as arguments in front of its
/// own.
#[diagnostic::on_unimplemented(
    message = "this function cannot be an argument here: it is none of `{Args}` that returns `{Output}`, or has no \
               derivative as an argument",
    label = "other arguments or another result, type parameters, or functions as arguments of its own",
    note = "write the types of a closure's parameters where they are not `f64`, `|x: &[f64]| …`, and of its result, \
            `|x: f64| -> [f64; 2] {{ … }}`; wrap a generic function in a closure"
)]
pub trait Text<Captured, Adjoint, Args, Bars, Output, Seed> {
    /// The forward sweep.
    fn forward(tape: &mut Tape, captured: Captured, args: Args) -> Output;

    /// The reverse sweep.
    fn reverse(
        tape: &mut Tape,
        captured: Captured,
        args: Args,
        adjoint: &mut Adjoint,
        bars: Bars,
        seed: Option<&Seed>,
    );
}

/// A function of the program's text and what it has captured.
pub struct Bound<Of: ?Sized, Captured, Adjoint> {
    captured: Captured,
    of: PhantomData<Named<Of, Adjoint>>,
}

/// A function and the type of its adjoints, without a value of either.
type Named<Of, Adjoint> = (fn() -> Adjoint, fn(&Of));

impl<Of: ?Sized, Captured, Adjoint> Bound<Of, Captured, Adjoint> {
    /// The function `Of`.
    #[inline(always)]
    pub const fn new(captured: Captured) -> Self {
        Bound {
            captured,
            of: PhantomData,
        }
    }
}

impl<Of: ?Sized, Captured: Copy, Adjoint> Clone for Bound<Of, Captured, Adjoint> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<Of: ?Sized, Captured: Copy, Adjoint> Copy for Bound<Of, Captured, Adjoint> {}

impl<Of: ?Sized, Captured, Adjoint> fmt::Debug for Bound<Of, Captured, Adjoint> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", std::any::type_name::<Of>())
    }
}

impl<Of: ?Sized, Captured: Copy, Adjoint> Captures for Bound<Of, Captured, Adjoint> {
    type Adjoint = Adjoint;
}

impl<Of, Captured, Adjoint, Args, Bars, Output, Seed> Function<Args, Bars, Output, Seed>
    for Bound<Of, Captured, Adjoint>
where
    Of: Text<Captured, Adjoint, Args, Bars, Output, Seed> + ?Sized,
    Captured: Copy,
{
    #[inline(always)]
    fn forward(self, tape: &mut Tape, args: Args) -> Output {
        Of::forward(tape, self.captured, args)
    }

    #[inline(always)]
    fn reverse(
        self,
        tape: &mut Tape,
        args: Args,
        captures: &mut Adjoint,
        bars: Bars,
        seed: Option<&Seed>,
    ) {
        Of::reverse(tape, self.captured, args, captures, bars, seed);
    }
}

impl<F: Captures> Captures for &F {
    type Adjoint = F::Adjoint;
}

impl<F, Args, Bars, Output, Seed> Function<Args, Bars, Output, Seed> for &F
where
    F: Function<Args, Bars, Output, Seed>,
{
    #[inline(always)]
    fn forward(self, tape: &mut Tape, args: Args) -> Output {
        (*self).forward(tape, args)
    }

    #[inline(always)]
    fn reverse(
        self,
        tape: &mut Tape,
        args: Args,
        captures: &mut F::Adjoint,
        bars: Bars,
        seed: Option<&Seed>,
    ) {
        (*self).reverse(tape, args, captures, bars, seed);
    }
}

/// Both sweeps of a closure that stands in plain code; what it has captured counts as constant.
#[derive(Clone, Copy)]
pub struct Sweeps<Forward, Reverse> {
    forward: Forward,
    reverse: Reverse,
}

impl<Forward: Copy, Reverse: Copy> Sweeps<Forward, Reverse> {
    /// The function with these sweeps.
    #[inline(always)]
    pub const fn new(forward: Forward, reverse: Reverse) -> Self {
        Sweeps { forward, reverse }
    }
}

impl<Forward, Reverse> fmt::Debug for Sweeps<Forward, Reverse> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", std::any::type_name::<Forward>())
    }
}

impl<Forward: Copy, Reverse: Copy> Captures for Sweeps<Forward, Reverse> {
    type Adjoint = ();
}

impl<Forward, Reverse, Args, Bars, Output, Seed> Function<Args, Bars, Output, Seed>
    for Sweeps<Forward, Reverse>
where
    Forward: Fn(&mut Tape, Args) -> Option<Output> + Copy,
    Reverse: Fn(&mut Tape, Args, Bars, Option<&Seed>) + Copy,
{
    #[inline(always)]
    fn forward(self, tape: &mut Tape, args: Args) -> Output {
        match (self.forward)(tape, args) {
            Some(output) => output,
            None => unreachable!("a forward sweep has a result"),
        }
    }

    #[inline(always)]
    fn reverse(self, tape: &mut Tape, args: Args, (): &mut (), bars: Bars, seed: Option<&Seed>) {
        (self.reverse)(tape, args, bars, seed);
    }
}
