//! Whether a type parameter that is bound by a trait of somebody's stands for a float: `fn between<T: Lerp>(a: T, b: T,
//! t: f64) -> T` may be called with points, too.
//!
//! With the bound alone, both are possible. A parameter that is calculated with is a float, since nothing else can be
//! known to have the operators. One that is only given to functions of its trait is taken for what it is, and rustc
//! finds the derivatives of those functions for the type that it turns out to be.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};

use super::bounds::{asks_for_numbers, bounds_of, is_number, own_bounds};
use super::numbers;
use crate::ir::hash::HashSet;
use crate::lower::is_float_function;
use crate::surroundings::has_gradient;

/// Whether the parameter is left to rustc. It is bound by no trait of numbers.
pub(super) fn is_left_to_its_trait(
    sig: &syn::Signature,
    body: &syn::Block,
    parameter: &syn::TypeParam,
) -> bool {
    let known: Vec<Option<bool>> = own_bounds(&sig.generics, parameter)
        .map(has_gradient)
        .collect();
    if known.is_empty() {
        return false;
    }
    let mut uses = Uses {
        parameter: parameter.ident.to_string(),
        values: values_of(sig, parameter),
        calculates: false,
        calls: false,
    };
    uses.visit_block(body);
    if uses.calculates {
        return false;
    }
    // A trait that the file shows is known; of any other one, a call of a function that floats do not have says that it
    // is no trait of numbers, and so does a type of its own.
    let of_others = uses.calls || names_a_type_of(sig, &parameter.ident);
    known.contains(&Some(true)) || !known.contains(&Some(false)) && of_others
}

/// Whether there are no values of the parameter, which only says whose functions are called: `T::sin(x)` with `x: f64`.
/// The file has its trait, which asks for no numbers, whatever its name is.
pub(super) fn has_no_values(
    sig: &syn::Signature,
    body: &syn::Block,
    parameter: &syn::TypeParam,
) -> bool {
    let mut own = own_bounds(&sig.generics, parameter).peekable();
    let mut inputs = sig.inputs.iter();
    own.peek().is_some()
        && own.all(|bound| has_gradient(bound).is_some() && !asks_for_numbers(bound))
        && bounds_of(&sig.generics, parameter).all(|path| !is_number(path))
        && !inputs.any(|input| spells(input, parameter))
        && !spells(&sig.output, parameter)
        && names_functions_alone(body.to_token_stream(), parameter)
}

fn spells(tokens: &impl ToTokens, parameter: &syn::TypeParam) -> bool {
    crate::ir::spells(tokens.to_token_stream(), &parameter.ident.to_string())
}

/// Whether the name of the parameter stands in front of `::` alone, and where a call gives it on: `f::<T>(x)`.
fn names_functions_alone(tokens: TokenStream, parameter: &syn::TypeParam) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is = |at: Option<usize>, c: char| {
        let tree = at.and_then(|at| tokens.get(at));
        matches!(tree, Some(TokenTree::Punct(p)) if p.as_char() == c)
    };
    let fits = |(at, tree): (usize, &TokenTree)| match tree {
        TokenTree::Ident(name) if *name == parameter.ident => {
            let back = |n: usize| at.checked_sub(n);
            let given = is(back(1), '<') && is(back(2), ':') && is(Some(at + 1), '>');
            let is_call = matches!(tokens.get(at + 2), Some(TokenTree::Group(_)));
            is(Some(at + 1), ':') && is(Some(at + 2), ':') || given && is_call
        }
        TokenTree::Group(group) => names_functions_alone(group.stream(), parameter),
        TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => true,
    };
    tokens.iter().enumerate().all(fits)
}

/// Whether the signature names an associated type of the parameter, `T::Scalar`, which floats do not have.
fn names_a_type_of(sig: &syn::Signature, parameter: &syn::Ident) -> bool {
    struct Finder<'p>(&'p syn::Ident, bool);
    impl Visit<'_> for Finder<'_> {
        fn visit_type_path(&mut self, ty: &syn::TypePath) {
            let first = ty.path.segments.first();
            let begins = first.is_some_and(|first| first.ident == *self.0);
            self.1 |= ty.qself.is_none() && ty.path.segments.len() == 2 && begins;
            visit::visit_type_path(self, ty);
        }
    }
    let mut finder = Finder(parameter, false);
    finder.visit_signature(sig);
    finder.1
}

/// The parameters whose values are of this type, or hold some.
fn values_of(sig: &syn::Signature, parameter: &syn::TypeParam) -> HashSet<String> {
    let inputs = sig.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(input) => Some(input),
        syn::FnArg::Receiver(_) => None,
    });
    let holds = inputs.filter(|input| super::rewrite::names(&input.ty, &parameter.ident));
    holds
        .filter_map(|input| match &*input.pat {
            syn::Pat::Ident(pat) => Some(pat.ident.to_string()),
            _ => None,
        })
        .collect()
}

struct Uses {
    parameter: String,
    /// Variables with values of the type.
    values: HashSet<String>,
    /// Something is done that floats alone are known for.
    calculates: bool,
    /// A function is called that may be one of the trait.
    calls: bool,
}

impl Uses {
    /// Whether the expression is such a value, as far as its text shows it.
    fn is_value(&self, e: &syn::Expr) -> bool {
        match e {
            syn::Expr::Path(path) => path
                .path
                .get_ident()
                .is_some_and(|name| self.values.contains(&name.to_string())),
            syn::Expr::Paren(e) => self.is_value(&e.expr),
            syn::Expr::Group(e) => self.is_value(&e.expr),
            syn::Expr::Unary(e) => self.is_value(&e.expr),
            syn::Expr::Reference(e) => self.is_value(&e.expr),
            syn::Expr::Index(e) => self.is_value(&e.expr),
            syn::Expr::Field(e) => self.is_value(&e.base),
            _ => false,
        }
    }
}

impl Visit<'_> for Uses {
    fn visit_local(&mut self, local: &syn::Local) {
        visit::visit_local(self, local);
        let of_type = match &local.pat {
            syn::Pat::Type(pat) => pat.ty.to_token_stream().to_string() == self.parameter,
            _ => false,
        };
        let bound = match &local.pat {
            syn::Pat::Ident(pat) => Some(&pat.ident),
            syn::Pat::Type(pat) => match &*pat.pat {
                syn::Pat::Ident(pat) => Some(&pat.ident),
                _ => None,
            },
            _ => None,
        };
        let init = local
            .init
            .as_ref()
            .is_some_and(|init| self.is_value(&init.expr));
        if let Some(name) = bound.filter(|_| init || of_type) {
            self.values.insert(name.to_string());
        }
    }

    fn visit_expr_binary(&mut self, e: &syn::ExprBinary) {
        let compares = matches!(
            e.op,
            syn::BinOp::Eq(_)
                | syn::BinOp::Ne(_)
                | syn::BinOp::Lt(_)
                | syn::BinOp::Le(_)
                | syn::BinOp::Gt(_)
                | syn::BinOp::Ge(_)
        );
        self.calculates |= !compares && (self.is_value(&e.left) || self.is_value(&e.right));
        visit::visit_expr_binary(self, e);
    }

    fn visit_expr_unary(&mut self, e: &syn::ExprUnary) {
        self.calculates |= matches!(e.op, syn::UnOp::Neg(_)) && self.is_value(&e.expr);
        visit::visit_expr_unary(self, e);
    }

    fn visit_expr_method_call(&mut self, call: &syn::ExprMethodCall) {
        let name = call.method.to_string();
        if self.is_value(&call.receiver) {
            let of_float = is_float_function(&name, call.args.len());
            self.calculates |= of_float;
            self.calls |= !of_float && !matches!(name.as_str(), "clone" | "len" | "iter");
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_path(&mut self, path: &syn::ExprPath) {
        let mut segments = path.path.segments.iter();
        let of_parameter = segments
            .next()
            .is_some_and(|first| first.ident == self.parameter);
        if let Some(name) = segments.next().filter(|_| of_parameter) {
            let name = name.ident.to_string();
            let of_numbers = numbers::is_constant(&name)
                || numbers::is_conversion(&name)
                || matches!(name.as_str(), "from" | "zero" | "one");
            self.calculates |= of_numbers;
            self.calls |= !of_numbers && name.starts_with(char::is_lowercase);
        }
        visit::visit_expr_path(self, path);
    }
}
