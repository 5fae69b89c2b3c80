//! Where something may depend on the definitions of the types of parameters.
//!
//! Where a function reads a field of something, and has a loop, or the field may be one under `#[constant]`, which has
//! no adjoint to add to; where it calls a method on a field, which may be one of `Option`, of slices, of `Vec`, or of
//! another type of the user's by the same name; and where it calls a method by the name of one of floats on what may be
//! a value of such a type, which has its own then.

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use crate::lower::{self, own_types};
use crate::surroundings::has_constant_field;

/// Whether what is generated may be another where the types of parameters are known.
pub(super) fn depends_on_types(sig: &syn::Signature, block: &syn::Block) -> bool {
    depends_on_fields(block) || calls_like_floats(sig, block)
}

/// Whether a method that floats have by its name is called on a parameter of a type of the user's, on a part of one
/// that no field leads to, or on what a closure or a loop gets.
fn calls_like_floats(sig: &syn::Signature, block: &syn::Block) -> bool {
    struct Finder {
        names: Vec<String>,
        found: bool,
    }
    impl Finder {
        fn bind(&mut self, pat: &syn::Pat) {
            struct Names<'a>(&'a mut Vec<String>);
            impl Visit<'_> for Names<'_> {
                fn visit_pat_ident(&mut self, pat: &syn::PatIdent) {
                    self.0.push(pat.ident.to_string());
                }
            }
            Names(&mut self.names).visit_pat(pat);
        }
    }
    impl Visit<'_> for Finder {
        fn visit_expr_closure(&mut self, closure: &syn::ExprClosure) {
            closure.inputs.iter().for_each(|pat| self.bind(pat));
            visit::visit_expr_closure(self, closure);
        }
        fn visit_expr_for_loop(&mut self, of: &syn::ExprForLoop) {
            self.bind(&of.pat);
            visit::visit_expr_for_loop(self, of);
        }
        fn visit_expr_method_call(&mut self, call: &syn::ExprMethodCall) {
            self.found |= lower::is_float_function(&call.method.to_string(), call.args.len())
                && matches!(part_of(&call.receiver), syn::Expr::Path(path)
                    if path.path.get_ident().is_some_and(|name| self.names.iter().any(|known| name == known)));
            visit::visit_expr_method_call(self, call);
        }
    }
    let mut finder = Finder {
        names: Vec::new(),
        found: false,
    };
    let mut types = Vec::new();
    for input in &sig.inputs {
        if let syn::FnArg::Typed(input) = input {
            let before = types.len();
            own_types(&input.ty, &mut types);
            if types.len() > before {
                finder.bind(&input.pat);
            }
        }
    }
    if types.is_empty() {
        return false;
    }
    finder.visit_block(block);
    finder.found
}

/// What an expression is an element of, or what it dereferences.
fn part_of(mut e: &syn::Expr) -> &syn::Expr {
    while let syn::Expr::Paren(syn::ExprParen { expr, .. })
    | syn::Expr::Index(syn::ExprIndex { expr, .. })
    | syn::Expr::Unary(syn::ExprUnary { expr, .. }) = e
    {
        e = expr;
    }
    e
}

/// Whether there is a field, and a loop or something like one, or a method of it is called, or the field has the name
/// of a constant one.
fn depends_on_fields(block: &syn::Block) -> bool {
    #[derive(Default)]
    struct Finder {
        asks: bool,
        fields: Vec<syn::Member>,
    }
    impl Visit<'_> for Finder {
        fn visit_expr(&mut self, e: &syn::Expr) {
            self.asks |= matches!(
                e,
                syn::Expr::ForLoop(_) | syn::Expr::While(_) | syn::Expr::Loop(_)
            );
            visit::visit_expr(self, e);
        }
        fn visit_expr_field(&mut self, e: &syn::ExprField) {
            self.fields.push(e.member.clone());
            visit::visit_expr_field(self, e);
        }
        fn visit_field_pat(&mut self, field: &syn::FieldPat) {
            self.fields.push(field.member.clone());
            visit::visit_field_pat(self, field);
        }
        fn visit_expr_method_call(&mut self, call: &syn::ExprMethodCall) {
            let name = call.method.to_string();
            self.asks |= matches!(name.as_str(), "iter" | "iter_mut" | "into_iter")
                || matches!(part_of(&call.receiver), syn::Expr::Field(_))
                    && !lower::is_float_function(&name, call.args.len());
            visit::visit_expr_method_call(self, call);
        }
    }
    let mut finder = Finder::default();
    finder.visit_block(block);
    let Some(first) = finder.fields.first() else {
        return false;
    };
    finder.asks
        || has_constant_field(first.span(), |name| {
            let of_name = |field: &_| matches!(field, syn::Member::Named(field) if field == name);
            finder.fields.iter().any(of_name)
        })
}
