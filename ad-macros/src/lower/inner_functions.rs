//! Functions that are declared in the body: a call with a derivative is inlined, as that of a closure that captures
//! nothing is. Any other is a call of the function, which the sweeps have as it stands.
//!
//! Functions of the same module that the text shows (`inlining`) are inlined in the same way.

use std::rc::Rc;

use syn::ext::IdentExt;
use syn::visit::Visit;

use super::Lowerer;
use super::closures::Local;
use super::operator::strip;
use super::prescan::collect;
use super::scope::{Scope, plain_ident};
use crate::ir::Inlined;
use crate::ir::hash::{HashMap, HashSet};

/// What the text shows of functions that stand beside the one that is lowered, by their names, or why their calls
/// stay.
pub(crate) type Beside = HashMap<String, Result<Shown, String>>;

/// A function whose calls can be inlined.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub(crate) function: Rc<syn::ItemFn>,
    /// A number for its text.
    pub(crate) definition: u64,
    /// Every identifier in it.
    pub(crate) names: HashSet<String>,
    /// Of how many expressions it is.
    pub(crate) size: usize,
    /// The parameters that what it gives the math library may depend on.
    pub(crate) dear: Vec<bool>,
}

/// Why calls stay.
pub(super) fn refused(beside: &Beside) -> HashMap<String, String> {
    let refused = beside.iter().filter_map(|(name, shown)| match shown {
        Ok(_) => None,
        Err(why) => Some((name.clone(), why.clone())),
    });
    refused.collect()
}

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
        let local = match self.inner_function(&call.func) {
            Some(local) => local,
            None => self.function_beside(call)?,
        };
        self.mentions_active(&call.args).then_some(local)
    }

    /// The function of the same module that a call calls, as a closure.
    fn function_beside(&mut self, call: &syn::ExprCall) -> Option<Local> {
        let syn::Expr::Path(path) = strip(&call.func) else {
            return None;
        };
        let ident = plain_ident(path)?;
        let name = ident.unraw().to_string();
        let shown = self.owner.beside.get(&name)?.as_ref().ok()?;
        // The compiler may know what the math library yields for a constant, with another last bit.
        let mut dear = call.args.iter().zip(&shown.dear);
        let known = dear.any(|(arg, dear)| *dear && is_constant(arg));
        if self.lenient > 0 || known || self.lookup(ident).is_some() {
            return None;
        }
        let f = &shown.function;
        self.nonlocal.insert(name);
        self.func.names.extend(shown.names.iter().cloned());
        let known = &mut self.func.inlined;
        if known.iter().all(|of| of.name != f.sig.ident) {
            known.push(Inlined {
                name: f.sig.ident.clone(),
                definition: shown.definition,
            });
        }
        Some(as_closure(f))
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
        Some(as_closure(f))
    }

    /// Whether a function of the body calls itself, or others that call it.
    fn calls_itself(&self, name: &str) -> bool {
        let mut reached = HashSet::default();
        let mut open = vec![name.to_owned()];
        while let Some(next) = open.pop() {
            let Some(f) = self.inner_functions.get(&next) else {
                continue;
            };
            let mut names = HashSet::default();
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

fn as_closure(f: &syn::ItemFn) -> Local {
    let (inputs, output, block) = (&f.sig.inputs, &f.sig.output, &f.block);
    let closure: syn::ExprClosure = syn::parse_quote!(|#inputs| #output #block);
    Local {
        closure: Rc::new(closure),
        // It sees no variables.
        scopes: Rc::new(vec![Scope::default()]),
    }
}

/// Whether the text shows what an argument is: a number, or the name of a constant.
fn is_constant(e: &syn::Expr) -> bool {
    match strip(e) {
        syn::Expr::Lit(_) => true,
        syn::Expr::Unary(e) => is_constant(&e.expr),
        syn::Expr::Cast(e) => is_constant(&e.expr),
        syn::Expr::Binary(e) => is_constant(&e.left) && is_constant(&e.right),
        syn::Expr::Path(path) => path.path.segments.last().is_some_and(|last| {
            last.ident
                .unraw()
                .to_string()
                .starts_with(char::is_uppercase)
        }),
        _ => false,
    }
}

fn can_be_inlined(f: &syn::ItemFn) -> bool {
    let sig = &f.sig;
    let known = ["allow", "doc", "expect", "inline", "must_use"];
    let attr = |attr: &syn::Attribute| {
        let first = attr.path().segments.first();
        // What only `rustfmt` reads.
        let of_tool = attr.path().segments.len() > 1 && first.is_some_and(|s| s.ident == "rustfmt");
        of_tool || known.iter().any(|name| attr.path().is_ident(name))
    };
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
