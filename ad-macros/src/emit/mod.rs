//! IR → tokens. The only stage that makes code.
//!
//! `item` puts the generated items together (`companion` the type that carries the sweeps, `gradient` the functions on
//! top, `docs` their documentation, `shape` what the signature gives), `sweeps` writes the body that both sweeps share,
//! `stmt`, `control`, `versions`, `kernels`, `simd`, `strips`, `parallel`, `calls`, `expr` and `ty` the rest; `jam`,
//! `blocks`, `across`, `terms`, `deferred` and `tiles` (with `slices`, `sums`, `split`) print what is not made of
//! statements yet. Everything is named by absolute path; compiler variables carry mixed-site hygiene, so that no name
//! of the user can meet them.

mod across;
mod blocks;
mod calls;
mod companion;
mod control;
mod deferred;
mod docs;
mod expr;
mod gradient;
mod item;
mod jam;
mod kernels;
mod parallel;
mod shape;
mod simd;
mod slices;
mod stmt;
mod strips;
mod sweeps;
mod terms;
mod ty;
mod versions;

pub(crate) use companion::{Zero, zero};
pub(crate) use item::{Surface, allowed, items, stubs};
pub(crate) use shape::Home;

use std::collections::HashSet;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::ir::{Func, VarId};

/// What every part of the emitter needs.
pub(crate) struct Emitter<'a> {
    pub(crate) func: &'a Func,
    /// Variables that rustc is to check for not being references.
    pub(crate) owned: &'a HashSet<VarId>,
    /// Path of the facade crate.
    pub(crate) krate: &'a syn::Path,
}

impl Emitter<'_> {
    /// The hidden surface for generated code.
    pub(crate) fn rt(&self) -> TokenStream {
        let krate = self.krate;
        quote!(#krate::__rt)
    }

    pub(crate) fn name(&self, var: VarId) -> &Ident {
        &self.func.var(var).name
    }
}

/// An identifier of the compiler's own.
pub(crate) fn own(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// The const parameter that selects the sweep.
pub(crate) fn mode() -> Ident {
    own("__RETROGRADE_MODE")
}
