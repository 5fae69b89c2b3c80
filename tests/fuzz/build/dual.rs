//! A file of the library without transformations, and over dual numbers.

use quote::quote;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, BinOp, Expr, Item, Lit, Macro, Stmt, Token, Type, parse_quote};

/// Writes `no(all)` into each `#[gradient]`.
pub(crate) struct WithoutTransformations;

impl VisitMut for WithoutTransformations {
    fn visit_attribute_mut(&mut self, attribute: &mut Attribute) {
        if attribute.path().is_ident("gradient") {
            *attribute = parse_quote!(#[gradient(no(all))]);
        }
    }
}

/// The items of a file with `D` for the float type, and plain functions for those under `#[gradient]`.
pub(crate) fn over_duals(mut file: syn::File) -> Vec<Item> {
    file.items.retain(
        |item| !matches!(item, Item::Use(u) if quote!(#u).to_string().contains("retrograde")),
    );
    OverDuals.visit_file_mut(&mut file);
    file.items
}

struct OverDuals;

impl VisitMut for OverDuals {
    fn visit_attributes_mut(&mut self, attributes: &mut Vec<Attribute>) {
        attributes.retain(|a| {
            !["gradient", "checkpoint", "constant", "doc"]
                .iter()
                .any(|name| a.path().is_ident(name))
        });
    }

    fn visit_type_mut(&mut self, ty: &mut Type) {
        if matches!(ty, Type::Path(p) if is_float(&p.path)) {
            *ty = parse_quote!(D);
        }
        visit_mut::visit_type_mut(self, ty);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Lit(literal) => {
                if let Lit::Float(float) = &literal.lit {
                    let digits = syn::LitFloat::new(float.base10_digits(), float.span());
                    *expr = parse_quote!(num(#digits));
                }
            }
            Expr::Cast(cast) if matches!(&*cast.ty, Type::Path(p) if is_float(&p.path)) => {
                let inner = &mut *cast.expr;
                self.visit_expr_mut(inner);
                *expr = parse_quote!(num((#inner) as R));
            }
            Expr::Binary(binary) if is_compound(&binary.op) => {
                visit_mut::visit_expr_binary_mut(self, binary);
                let (place, op, right) = (&binary.left, &binary.op, &binary.right);
                // Of floats the right side is evaluated first; of other types the place is borrowed before.
                *expr = parse_quote!({ let right = #right; #place #op right; });
            }
            _ => visit_mut::visit_expr_mut(self, expr),
        }
    }

    fn visit_stmt_mut(&mut self, stmt: &mut Stmt) {
        if let Stmt::Macro(call) = stmt {
            self.visit_macro_mut(&mut call.mac);
        }
        visit_mut::visit_stmt_mut(self, stmt);
    }

    fn visit_macro_mut(&mut self, call: &mut Macro) {
        let repeat = |input: syn::parse::ParseStream<'_>| {
            let element: Expr = input.parse()?;
            input.parse::<Token![;]>()?;
            Ok((element, input.parse::<Expr>()?))
        };
        if let Ok((mut element, length)) = call.parse_body_with(repeat) {
            self.visit_expr_mut(&mut element);
            call.tokens = quote!(#element; #length);
        } else {
            let mut list = call
                .parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated)
                .expect("macros of the library take expressions");
            list.iter_mut().for_each(|expr| self.visit_expr_mut(expr));
            call.tokens = quote!(#list);
        }
    }
}

fn is_compound(op: &BinOp) -> bool {
    use BinOp::{AddAssign, DivAssign, MulAssign, RemAssign, SubAssign};
    matches!(
        op,
        AddAssign(_) | SubAssign(_) | MulAssign(_) | DivAssign(_) | RemAssign(_)
    )
}

fn is_float(path: &syn::Path) -> bool {
    path.is_ident("f64") || path.is_ident("f32")
}
