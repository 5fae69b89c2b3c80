//! Conversions whose target the text shows beside them: `let k: T = NumCast::from(n).unwrap();`.
//!
//! They get the form that says it: `<T as NumCast>::from(n).unwrap()`, `cast::<_, T>(n).unwrap()`.

use proc_macro2::Ident;
use syn::visit_mut::{self, VisitMut};

use super::numbers::unwraps;

/// The body with such conversions written out. `output`: of the function that it is of.
pub(super) fn written_out(
    body: &syn::Block,
    output: &syn::ReturnType,
    parameter: &Ident,
) -> syn::Block {
    let mut body = body.clone();
    let returns = match output {
        syn::ReturnType::Type(_, ty) => is(ty, parameter),
        syn::ReturnType::Default => false,
    };
    let mut casts = Casts { parameter, returns };
    casts.visit_block_mut(&mut body);
    if returns {
        casts.end(&mut body);
    }
    body
}

/// The conversion to the parameter that this function is, if it is `num_traits::cast` with both types.
pub(super) fn names_the_target(path: &syn::ExprPath, parameter: &Ident) -> bool {
    let Some(last) = path.path.segments.last() else {
        return false;
    };
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return false;
    };
    last.ident == "cast"
        && arguments.args.len() == 2
        && matches!(&arguments.args[1], syn::GenericArgument::Type(ty) if is(ty, parameter))
}

fn is(ty: &syn::Type, parameter: &Ident) -> bool {
    matches!(ty, syn::Type::Path(p) if p.qself.is_none() && p.path.is_ident(parameter))
}

struct Casts<'a> {
    parameter: &'a Ident,
    returns: bool,
}

impl Casts<'_> {
    /// A value of the parameter's type.
    fn value(&self, e: &mut syn::Expr) {
        let syn::Expr::MethodCall(unwrap) = e else {
            return;
        };
        let syn::Expr::Call(call) = &mut *unwrap.receiver else {
            return;
        };
        let syn::Expr::Path(path) = &mut *call.func else {
            return;
        };
        if !unwraps(&unwrap.method) || call.args.len() != 1 || path.qself.is_some() {
            return;
        }
        let (parameter, segments) = (self.parameter, &mut path.path.segments);
        let last = segments.len() - 1;
        if last > 0 && segments[last].ident == "from" && segments[last - 1].ident == "NumCast" {
            let from = segments[last].clone();
            let mut of: syn::Path = path.path.clone();
            of.segments.pop();
            of.segments.pop_punct();
            *path = syn::parse_quote!(<#parameter as #of>::#from);
        } else if segments[last].ident == "cast" && segments[last].arguments.is_none() {
            segments[last].arguments =
                syn::PathArguments::AngleBracketed(syn::parse_quote!(::<_, #parameter>));
        }
    }

    /// The value of a block.
    fn end(&self, block: &mut syn::Block) {
        match block.stmts.last_mut() {
            Some(syn::Stmt::Expr(syn::Expr::If(branch), None)) => self.branches(branch),
            Some(syn::Stmt::Expr(e, None)) => self.value(e),
            _ => {}
        }
    }

    fn branches(&self, branch: &mut syn::ExprIf) {
        self.end(&mut branch.then_branch);
        match branch.else_branch.as_mut().map(|(_, e)| &mut **e) {
            Some(syn::Expr::Block(block)) => self.end(&mut block.block),
            Some(syn::Expr::If(branch)) => self.branches(branch),
            _ => {}
        }
    }
}

impl VisitMut for Casts<'_> {
    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        if let syn::Pat::Type(pat) = &local.pat
            && is(&pat.ty, self.parameter)
            && let Some(init) = &mut local.init
        {
            self.value(&mut init.expr);
        }
        visit_mut::visit_local_mut(self, local);
    }

    fn visit_expr_return_mut(&mut self, e: &mut syn::ExprReturn) {
        if let Some(value) = e.expr.as_mut().filter(|_| self.returns) {
            self.value(value);
        }
        visit_mut::visit_expr_return_mut(self, e);
    }

    /// A closure returns values of its own.
    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
