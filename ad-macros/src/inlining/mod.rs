//! Functions of the same module whose calls are inlined.
//!
//! A call is a border: what is behind it records for itself, and the loop around it cannot be rewritten. So where a
//! loop calls a small function under `#[gradient]` that the text of its own module shows, the sweeps are derived from
//! the function's body in place of the call, as if it were declared in the caller's (`lower/inner_functions.rs`).
//! The functions themselves stay as they are.
//!
//! **Which function is called.** Its name alone, which no variable, item or parameter of the caller has; the module
//! declares one function of it, under no attribute that may take it away. This is what the text says. Generated code
//! has the proof: the companion type that the name leads to has a hash of the definition that its attribute saw, and of
//! the module, which are compared when the code is compiled; and the function is compared as that of each call is.
//!
//! **What its body means.** It is a list of what has no meaning but that of the module: numbers, operators, methods of
//! floats, branches, variables, and names that no item or parameter of the caller has (`small.rs`). What the module
//! says of those names, it says for both.

mod calls;
mod definition;
mod remarks;
mod small;
#[cfg(test)]
mod tests;

use std::rc::Rc;

use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::ext::IdentExt;

use crate::block::has_plain_gradient;
use crate::ir::faults::Fault;
use crate::ir::hash::HashMap;
use crate::lower::{Beside, Owner, Shown, identifiers};
use crate::own_macros::placed;
use crate::surroundings::{beside_module, function_beside};
use calls::Calls;
pub(crate) use definition::{definition, number_of};
pub(crate) use remarks::remark;
use small::Small;

/// The most expressions that are inlined for one call.
const MOST: usize = 80;

/// What the text shows of the functions that the loops of this one call.
pub(crate) fn of(function: &syn::ItemFn, owner: &Owner) -> Beside {
    let mut generics = function.sig.generics.params.iter();
    let of_types = |param: &syn::GenericParam| matches!(param, syn::GenericParam::Type(_));
    let calls = Calls::of(function);
    if owner.stands_in_block || generics.any(of_types) || calls.called.is_empty() {
        return Beside::default();
    }
    let mut search = Search {
        at: function.sig.fn_token.span,
        caller: function.sig.ident.unraw().to_string(),
        calls: &calls,
        found: HashMap::default(),
    };
    for name in &calls.called {
        let _size = search.look(name, &mut Vec::new());
    }
    search.found
}

struct Search<'a> {
    /// Where the caller stands.
    at: Span,
    caller: String,
    calls: &'a Calls,
    found: Beside,
}

impl Search<'_> {
    /// Looks for a function, and says of how many expressions it is with all that it calls.
    fn look(&mut self, name: &Ident, around: &mut Vec<String>) -> Result<usize, String> {
        let spelled = name.unraw().to_string();
        if around.contains(&spelled) || spelled == self.caller {
            return Err(format!("`{spelled}` is recursive"));
        }
        match self.found.get(&spelled) {
            Some(Ok(shown)) => return Ok(shown.size),
            Some(Err(why)) => return Err(why.clone()),
            None => {}
        }
        around.push(spelled.clone());
        let shown = self.shown(name, &spelled, around);
        around.pop();
        let size = shown.as_ref().map(|shown| shown.size);
        let size = size.map_err(String::clone);
        self.found.insert(spelled, shown);
        size
    }

    fn shown(
        &mut self,
        name: &Ident,
        spelled: &str,
        around: &mut Vec<String>,
    ) -> Result<Shown, String> {
        let because = |why: &str| format!("`{spelled}` {why}");
        if self.calls.names_something(spelled) {
            return Err(because("is a name of the caller's, too"));
        }
        let function = function_beside(self.at, name)
            .ok_or_else(|| because("is not declared in this module, by its text"))?;
        if beside_module(name).is_some() {
            return Err(because("has a module of its name beside it"));
        }
        if !is_plain(&function.attrs) {
            return Err(because("has attributes beside a plain `#[gradient]`"));
        }
        let small = Small::of(&function).map_err(&because)?;
        let names = identifiers(&function);
        let declared = names
            .iter()
            .find(|name| self.calls.declared.contains(*name));
        if let Some(declared) = declared.filter(|_| !Fault::InlinedAmongOthers.is_on()) {
            return Err(because(&format!(
                "names `{declared}`, which is declared in the caller"
            )));
        }
        let mut size = small.size;
        for inner in &small.calls {
            let inner = Ident::new(&inner.to_string(), name.span());
            size += self.look(&inner, around)?;
        }
        if size > MOST {
            return Err(because("is not small"));
        }
        let function = syn::parse2(placed(function.to_token_stream(), name.span()));
        Ok(Shown {
            definition: definition::number(&small.function),
            function: Rc::new(function.map_err(|_| because("cannot be read"))?),
            names,
            size,
            dear: small.dear,
        })
    }
}

/// Attributes that change nothing of what a function does, and `#[gradient]` without arguments.
fn is_plain(attrs: &[syn::Attribute]) -> bool {
    let known = ["allow", "deny", "doc", "expect", "must_use", "warn"];
    has_plain_gradient(attrs, |attr| {
        let inline = attr.path().is_ident("inline") && !is_never(&attr.meta);
        inline || known.iter().any(|name| attr.path().is_ident(name))
    })
}

/// `#[inline(never)]`
fn is_never(meta: &syn::Meta) -> bool {
    matches!(meta, syn::Meta::List(list) if list.tokens.to_string() == "never")
}
