//! Conversions of own types: `V::from(x)`, and `x.into()` where the text shows to what.
//!
//! The second is written as `<V as From<_>>::from(x)` before anything is lowered. Both are calls whose sweeps rustc
//! finds by the types of target and argument.

use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::visit_mut::{self, VisitMut};

use super::Lowerer;
use super::types::is_of_std;
use super::value::{Value, Want};
use crate::ir::hash::HashMap;
use crate::ir::{Behind, Callee, CalleeKind, FunctionArg, Returning};

/// The function with conversions written out, if there are any.
pub(super) fn written_out(item: &syn::ItemFn) -> Option<syn::ItemFn> {
    let mut parameters = HashMap::default();
    for input in &item.sig.inputs {
        if let syn::FnArg::Typed(typed) = input
            && !typed.attrs.iter().any(|a| a.path().is_ident("constant"))
            && let (syn::Pat::Ident(name), syn::Type::Path(of)) = (&*typed.pat, &*typed.ty)
        {
            let mut all = item.sig.generics.type_params();
            let parameter = all.find(|parameter| of.path.is_ident(&parameter.ident));
            let target = parameter.and_then(|p| crate::generic::into_of(&item.sig.generics, p));
            if let Some(target) = target {
                parameters.insert(name.ident.unraw().to_string(), target.clone());
            }
        }
    }
    let returned = match &item.sig.output {
        syn::ReturnType::Type(_, ty) => Some((**ty).clone()).filter(is_target),
        syn::ReturnType::Default => None,
    };
    let mut conversions = Conversions {
        parameters,
        returned,
        found: false,
    };
    let mut item = item.clone();
    if let Some(ty) = conversions.returned.clone() {
        conversions.end(&mut item.block, &ty);
    }
    conversions.visit_block_mut(&mut item.block);
    conversions.found.then_some(item)
}

/// Whether it is a type of the user's, or a tuple or an array, which a type of the user's may become.
fn is_target(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Path(path) if path.qself.is_none() => {
            path.path.segments.last().is_some_and(|last| {
                let name = last.ident.to_string();
                !is_of_std(&name) && !super::types::is_primitive(&name) && name != "Result"
            })
        }
        syn::Type::Tuple(tuple) => !tuple.elems.is_empty(),
        syn::Type::Array(_) => true,
        _ => false,
    }
}

struct Conversions {
    /// What parameters are converted to.
    parameters: HashMap<String, syn::Type>,
    /// What the function returns, if it is a target.
    returned: Option<syn::Type>,
    found: bool,
}

impl Conversions {
    /// A value of this type.
    fn value(&mut self, e: &mut syn::Expr, ty: &syn::Type) {
        match e {
            syn::Expr::MethodCall(call) if is_into(call) => {
                let receiver = &call.receiver;
                *e = syn::parse_quote_spanned! {call.method.span()=>
                    <#ty as ::core::convert::From<_>>::from(#receiver)
                };
                self.found = true;
            }
            syn::Expr::Paren(inner) => self.value(&mut inner.expr, ty),
            syn::Expr::Block(block) => self.end(&mut block.block, ty),
            syn::Expr::If(branch) => {
                self.end(&mut branch.then_branch, ty);
                if let Some((_, other)) = &mut branch.else_branch {
                    self.value(other, ty);
                }
            }
            syn::Expr::Match(branch) => {
                for arm in &mut branch.arms {
                    self.value(&mut arm.body, ty);
                }
            }
            _ => {}
        }
    }

    /// The value of a block.
    fn end(&mut self, block: &mut syn::Block, ty: &syn::Type) {
        if let Some(syn::Stmt::Expr(e, None)) = block.stmts.last_mut() {
            self.value(e, ty);
        }
    }
}

fn is_into(call: &syn::ExprMethodCall) -> bool {
    call.method == "into" && call.args.is_empty() && call.turbofish.is_none()
}

impl VisitMut for Conversions {
    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        if let syn::Pat::Type(pat) = &local.pat
            && is_target(&pat.ty)
            && let Some(init) = &mut local.init
        {
            self.value(&mut init.expr, &pat.ty);
        }
        visit_mut::visit_local_mut(self, local);
    }

    fn visit_expr_return_mut(&mut self, e: &mut syn::ExprReturn) {
        if let (Some(value), Some(ty)) = (&mut e.expr, self.returned.clone()) {
            self.value(value, &ty);
        }
        visit_mut::visit_expr_return_mut(self, e);
    }

    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        let of_parameter = match &*e {
            syn::Expr::MethodCall(call) if is_into(call) => match &*call.receiver {
                syn::Expr::Path(path) => {
                    let name = path.path.get_ident().map(|name| name.unraw().to_string());
                    name.and_then(|name| self.parameters.get(&name).cloned())
                }
                _ => None,
            },
            _ => None,
        };
        if let Some(ty) = of_parameter {
            self.value(e, &ty);
        }
        visit_mut::visit_expr_mut(self, e);
    }

    /// A closure returns values of its own.
    fn visit_expr_closure_mut(&mut self, e: &mut syn::ExprClosure) {
        let returned = self.returned.take();
        visit_mut::visit_expr_closure_mut(self, e);
        self.returned = returned;
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Whether a call of this path is a conversion whose sweeps a target may have.
pub(super) fn is_conversion(path: &syn::ExprPath) -> bool {
    let segments = &path.path.segments;
    if segments.last().is_none_or(|last| last.ident != "from") {
        return false;
    }
    let Some(of) = segments.iter().rev().nth(1) else {
        return false;
    };
    match &path.qself {
        Some(qself) => qself.position + 1 == segments.len() && of.ident == "From",
        None => {
            let name = of.ident.unraw().to_string();
            name.starts_with(|c: char| c.is_uppercase()) && !is_of_std(&name)
        }
    }
}

impl Lowerer<'_> {
    /// `V::from(x)`, `<V as From<_>>::from(x)`
    pub(super) fn conversion(
        &mut self,
        path: &syn::ExprPath,
        call: &syn::ExprCall,
        want: Want,
        span: Span,
    ) -> Value {
        let arguments = self.arguments(call.args.iter());
        self.converted(path, arguments, want, span)
    }

    /// The same of what has been lowered.
    pub(super) fn converted(
        &mut self,
        path: &syn::ExprPath,
        (values, functions): (Vec<(Value, Span)>, Vec<FunctionArg>),
        want: Want,
        span: Span,
    ) -> Value {
        let callee = Callee {
            kind: CalleeKind::Conversion,
            path: path.clone(),
            without: None,
            fallible: false,
            returning: Returning::default(),
            behind: Behind::Nothing,
            answer: None,
            iterated: false,
            functions,
        };
        let value = self.emit_call(callee, values, want, span);
        if let Some(qself) = &path.qself
            && want != Want::Discard
        {
            let (ty, known) = (self.type_of(&value), self.annotation(&qself.ty));
            self.types.unify(&ty, &known);
        }
        value
    }
}
