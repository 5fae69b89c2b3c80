//! Closures that are given to others: each is a function of its own, with sweeps beside those of the function in which
//! it stands.

use proc_macro2::TokenStream;

use crate::diag::Diagnostics;
use crate::interface;
use crate::ir::{self, Sweeps};
use crate::lower::Owner;
use crate::options::Options;
use crate::pipeline::{Stopped, Structured, of_surface, structured_in, surface, sweeps, unrolled};

/// The function with what is generated for the closures that stand in it.
pub(crate) fn with_closures(
    mut primal: Structured,
    options: &Options,
    diags: &mut Diagnostics,
) -> Result<Structured, Stopped> {
    for closure in std::mem::take(&mut primal.func.closures) {
        let items = of_closure(&closure, options, diags);
        primal.func.items.push(syn::Item::Verbatim(items));
    }
    if diags.is_empty() {
        Ok(primal)
    } else {
        Err(Stopped::at(primal.func))
    }
}

/// The sweeps of a closure, as those of a function.
fn of_closure(closure: &ir::Closure, options: &Options, diags: &mut Diagnostics) -> TokenStream {
    let function = &closure.function;
    let options = &Options {
        seeds: None,
        ..options.clone()
    };
    let surface = interface::Surface {
        public: false,
        captures: Some(closure.captures),
        ..surface(function, options, interface::Portion::Whole)
    };
    let surface = interface::Surface {
        base: &function.sig.ident,
        home: interface::Home::Companion(&function.sig.ident),
        ..surface
    };
    let owner = Owner {
        captures: closure.captures,
        captured: closure.captured.clone(),
        ..Owner::default()
    };
    of_surface(surface, function, &owner, options, diags)
}

/// The sweeps of a closure in plain code.
pub(super) fn sweeps_of_closure(
    function: &syn::ItemFn,
    owner: &Owner,
    options: &Options,
    diags: &mut Diagnostics,
) -> Option<Sweeps> {
    let transforms = options.transforms;
    let derived = structured_in(function, owner, diags)
        .and_then(|primal| with_closures(primal, options, diags))
        .and_then(|primal| unrolled(primal, transforms, diags))
        .and_then(|primal| sweeps(primal, transforms, diags));
    derived.ok().map(|(sweeps, _)| sweeps)
}
