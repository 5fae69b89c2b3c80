//! Operators by the functions of their traits: behind a dot, `x.rem(period)`, and where functions are given,
//! `fold(0.0, std::ops::Add::add)`.
//!
//! A method is the operator where the trait is in scope by its name: on a float, no other method can come before it.
//! Each function is the closure that writes the operator, `|a, b| a + b`, which is what the function does by
//! definition. Generated code checks that the path leads to it: another trait of the name may stand in the module.

use quote::quote;
use syn::Ident;
use syn::visit_mut::{self, VisitMut};

use super::Lowerer;
use super::known::imported_from_std;
use super::value::{Value, span_of};
use crate::ir::{BinOp, Expr, ExprKind, UnOp};
use crate::surroundings::brings_operator;

/// The function with such closures, if there are any, and the paths that they stand for.
pub(super) fn written_out(item: &syn::ItemFn) -> Option<(syn::ItemFn, Vec<syn::Path>)> {
    let mut operators = Operators::default();
    let mut item = item.clone();
    operators.visit_block_mut(&mut item.block);
    let found = operators.found;
    (!found.is_empty()).then_some((item, found))
}

impl Lowerer<'_> {
    /// A path that was written out. Functions are all of different types, whatever they are functions of.
    pub(super) fn note_operator(&mut self, path: &syn::Path) {
        let mut segments = path.segments.iter().rev();
        if let (Some(name), Some(of)) = (segments.next(), segments.next()) {
            let (name, of) = (&name.ident, &of.ident);
            let of_std = quote!(<f64 as ::core::ops::#of>::#name);
            self.note_function(path.clone(), &of_std, &quote!(#path));
        }
    }
}

/// The trait and the operator of a method.
fn of_method(name: &str) -> Option<(&'static str, BinOp)> {
    Some(match name {
        "add" => ("Add", BinOp::Add),
        "sub" => ("Sub", BinOp::Sub),
        "mul" => ("Mul", BinOp::Mul),
        "div" => ("Div", BinOp::Div),
        "rem" => ("Rem", BinOp::Rem),
        _ => return None,
    })
}

impl Lowerer<'_> {
    /// The operator that a method of a number is, by an import of its trait.
    pub(super) fn operator_method(
        &mut self,
        receiver: Value,
        call: &syn::ExprMethodCall,
    ) -> Result<Value, Value> {
        let (name, at) = (call.method.to_string(), call.method.span());
        let neg = name == "neg" && call.args.is_empty();
        let of = match of_method(&name) {
            Some((of, op)) if call.args.len() == 1 => (of, Some(op)),
            _ if neg => ("Neg", None),
            _ => return Err(receiver),
        };
        if !brings_operator(of.0, at) {
            return Err(receiver);
        }
        let (of, method) = (Ident::new(of.0, at), &call.method);
        self.note_operator(&syn::parse_quote!(#of::#method));
        let span = span_of(call);
        let first = self.operand(receiver, span);
        Ok(Value::Expr(match (of_method(&name), call.args.first()) {
            (Some((_, op)), Some(arg)) => {
                let mut operands = vec![Value::Expr(first)];
                let mark = self.mark();
                let second = self.arithmetic_operand(arg);
                self.protect(&mut operands, mark);
                let first = operands.pop().map_or(Value::Error, |first| first);
                let first = self.stored_raw(first, span);
                self.arithmetic(op, first, second, span)
            }
            _ => {
                let ty = self.types.shallow(&first.ty).peel().clone();
                Expr::new(ExprKind::Unary(UnOp::Neg, Box::new(first)), ty, span)
            }
        }))
    }
}

#[derive(Default)]
struct Operators {
    found: Vec<syn::Path>,
}

impl VisitMut for Operators {
    fn visit_expr_method_call_mut(&mut self, call: &mut syn::ExprMethodCall) {
        for arg in &mut call.args {
            if let syn::Expr::Path(path) = arg
                && let Some(closure) = closure(path)
            {
                self.found.push(path.path.clone());
                *arg = closure;
            }
        }
        visit_mut::visit_expr_method_call_mut(self, call);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// `|a, b| a + b` of `Add::add`, where the path or an import of the file says that the trait is that of std.
fn closure(path: &syn::ExprPath) -> Option<syn::Expr> {
    let segments: Vec<&Ident> = path.path.segments.iter().map(|s| &s.ident).collect();
    let plain = path.qself.is_none() && path.path.segments.iter().all(|s| s.arguments.is_none());
    let [before @ .., of, name] = segments.as_slice() else {
        return None;
    };
    let known = match before {
        [] => imported_from_std(&of.to_string(), "ops", of.span()),
        [krate, module] => (*krate == "std" || *krate == "core") && *module == "ops",
        _ => false,
    };
    if !plain || !known {
        return None;
    }
    let span = name.span();
    let (of, name) = (of.to_string(), name.to_string());
    Some(match (of.as_str(), name.as_str()) {
        ("Add", "add") => syn::parse_quote_spanned!(span=> |a, b| a + b),
        ("Sub", "sub") => syn::parse_quote_spanned!(span=> |a, b| a - b),
        ("Mul", "mul") => syn::parse_quote_spanned!(span=> |a, b| a * b),
        ("Div", "div") => syn::parse_quote_spanned!(span=> |a, b| a / b),
        ("Rem", "rem") => syn::parse_quote_spanned!(span=> |a, b| a % b),
        ("Neg", "neg") => syn::parse_quote_spanned!(span=> |a| -a),
        _ => return None,
    })
}
