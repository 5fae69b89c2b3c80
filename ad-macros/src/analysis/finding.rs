//! What an analysis finds wrong with a function, for the user to be told.

use proc_macro2::Span;

use crate::ir::{OpaqueKind, Without};

/// One mistake.
#[derive(Clone, Debug)]
pub(crate) enum Finding {
    /// A call of a function that has no sweeps, by name, with something varied in it.
    WithoutSweeps(String, Without, Span),
    /// A derivative would be lost in code of this kind.
    LostDerivative(OpaqueKind, Span),
    /// A number out of the error of a call is used where its derivative would count.
    ErrorValue(Span),
    /// A value with a derivative is written into the constant parameter of this name.
    ConstantWritten(String, Span),
    /// This in a checkpointed region could give another value when it runs again.
    CheckpointEffect(String, Span),
    /// What a parameter holds, a generator of random numbers of this name, is read.
    GeneratorRead(String, Span),
    /// What keeps a loop from being divided among workers: what it is, or does.
    ParallelLoop(&'static str, Span),
    /// What keeps a loop from being divided among workers: what it touches.
    ParallelData(String, Span),
}
