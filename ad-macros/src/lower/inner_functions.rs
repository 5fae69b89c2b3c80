//! Functions that are declared in the body: a call with a derivative is inlined, as that of a closure that captures
//! nothing is. Any other is a call of the function, which the sweeps have as it stands.

use std::collections::HashSet;
use std::rc::Rc;

use syn::ext::IdentExt;
use syn::visit::Visit;

use super::Lowerer;
use super::closures::Local;
use super::operator::strip;
use super::prescan::collect;
use super::scope::{Scope, plain_ident};

impl Lowerer<'_> {
    /// Remembers a function of the body, if it can be inlined.
    pub(super) fn note_inner_function(&mut self, f: &syn::ItemFn) {
        if can_be_inlined(f) {
            let name = f.sig.ident.unraw().to_string();
            self.inner_functions.insert(name, Rc::new(f.clone()));
        }
    }

    /// The closure that a call calls, or the function of the body, if it is called with a derivative.
    pub(super) fn called_closure(&mut self, call: &syn::ExprCall) -> Option<Local> {
        if let Some(local) = self.local_closure(&call.func) {
            return Some(local);
        }
        let local = self.inner_function(&call.func)?;
        self.mentions_active(&call.args).then_some(local)
    }

    /// The function of the body that an expression names, as a closure.
    pub(super) fn inner_function(&self, e: &syn::Expr) -> Option<Local> {
        let syn::Expr::Path(path) = strip(e) else {
            return None;
        };
        let ident = plain_ident(path)?;
        let name = ident.unraw().to_string();
        let f = self.inner_functions.get(&name)?;
        if self.lenient > 0 || self.lookup(ident).is_some() || self.calls_itself(&name) {
            return None;
        }
        let (inputs, output, block) = (&f.sig.inputs, &f.sig.output, &f.block);
        let closure: syn::ExprClosure = syn::parse_quote!(|#inputs| #output #block);
        Some(Local {
            closure: Rc::new(closure),
            // It sees no variables.
            scopes: Rc::new(vec![Scope::default()]),
        })
    }

    /// Whether a function of the body calls itself, or others that call it.
    fn calls_itself(&self, name: &str) -> bool {
        let mut reached = HashSet::new();
        let mut open = vec![name.to_owned()];
        while let Some(next) = open.pop() {
            let Some(f) = self.inner_functions.get(&next) else {
                continue;
            };
            let mut names = HashSet::new();
            collect(quote::ToTokens::to_token_stream(&f.block), &mut names);
            if names.contains(name) {
                return true;
            }
            open.extend(
                names
                    .into_iter()
                    .filter(|name| reached.insert(name.clone())),
            );
        }
        false
    }
}

fn can_be_inlined(f: &syn::ItemFn) -> bool {
    let sig = &f.sig;
    let known = ["allow", "doc", "expect", "inline", "must_use"];
    let attr = |attr: &syn::Attribute| known.iter().any(|name| attr.path().is_ident(name));
    let mut params = sig.generics.params.iter();
    let plain = |ty: &syn::Type| !matches!(ty, syn::Type::ImplTrait(_));
    let input = |input: &syn::FnArg| matches!(input, syn::FnArg::Typed(t) if t.attrs.is_empty() && plain(&t.ty));
    let mut items = Items(false);
    items.visit_block(&f.block);
    f.attrs.iter().all(attr)
        && !items.0
        && params.all(|param| matches!(param, syn::GenericParam::Lifetime(_)))
        && sig.asyncness.is_none()
        && sig.unsafety.is_none()
        && sig.abi.is_none()
        && sig.variadic.is_none()
        && sig.inputs.iter().all(input)
        && !matches!(&sig.output, syn::ReturnType::Type(_, ty) if !plain(ty))
}

/// Whether there are items within, which the sweeps would declare again for each call.
struct Items(bool);

impl Visit<'_> for Items {
    fn visit_item(&mut self, _: &syn::Item) {
        self.0 = true;
    }
}
