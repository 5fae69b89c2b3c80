//! Whether the traits of the parameter mean by the names of methods, functions and constants what the floats do.
//!
//! An instance has `f64` in place of the parameter, so `x.sin()` is that of `f64`, and the rewritten `T::zero()` is 0.
//! Nothing in the text says that the trait has the same: rustc resolves each of these expressions once in a function
//! that is generic as the user's is, and once with the float, and the runtime compares what they yield.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::parse::Parser;
use syn::visit::{self, Visit};

use super::bounds::FloatParam;
use super::{casts, instance, numbers, rewrite};
use crate::interface;

/// Methods of floats, by how many further arguments of their type they take.
const METHODS: [&[&str]; 3] = [
    &[
        "abs",
        "acos",
        "acosh",
        "asin",
        "asinh",
        "atan",
        "atanh",
        "cbrt",
        "ceil",
        "cos",
        "cosh",
        "exp",
        "exp2",
        "exp_m1",
        "floor",
        "fract",
        "is_finite",
        "is_infinite",
        "is_nan",
        "is_normal",
        "is_sign_negative",
        "is_sign_positive",
        "is_subnormal",
        "ln",
        "ln_1p",
        "log10",
        "log2",
        "next_down",
        "next_up",
        "recip",
        "round",
        "round_ties_even",
        "signum",
        "sin",
        "sin_cos",
        "sinh",
        "sqrt",
        "tan",
        "tanh",
        "to_degrees",
        "to_radians",
        "trunc",
    ],
    &[
        "abs_sub",
        "atan2",
        "copysign",
        "div_euclid",
        "hypot",
        "log",
        "max",
        "midpoint",
        "min",
        "powf",
        "rem_euclid",
    ],
    &["clamp", "mul_add"],
];

/// Constants of floats.
const CONSTANTS: [&str; 7] = [
    "EPSILON",
    "INFINITY",
    "MAX",
    "MIN",
    "MIN_POSITIVE",
    "NAN",
    "NEG_INFINITY",
];

/// Arguments of a method of floats, the receiver first: a list for each way in which it is asked.
fn arguments(method: &str) -> Vec<[TokenStream; 2]> {
    if method == "powi" {
        return [quote!(3), quote!(-2), quote!(7)]
            .map(|n| [quote!(x), n])
            .into();
    }
    match further_arguments(method) {
        // What is not a number counts on either side.
        Some(1) => vec![[quote!(x), quote!(y)], [quote!(y), quote!(x)]],
        Some(0) => vec![[quote!(x), quote!()]],
        Some(_) => vec![[quote!(x), quote!(y, z)]],
        None => Vec::new(),
    }
}

/// How many arguments of its type a method of floats takes beside the receiver.
pub(crate) fn further_arguments(method: &str) -> Option<usize> {
    METHODS.iter().position(|names| names.contains(&method))
}

/// Whether floats have a method of this name.
pub(super) fn is_of_floats(method: &str) -> bool {
    !arguments(method).is_empty()
}

/// The check of what a function uses: the item, and the statement that calls it.
pub(super) fn check(
    name: &Ident,
    body: &syn::Block,
    parameter: FloatParam<'_>,
    generics: &[&syn::Generics],
    float: &str,
    krate: &syn::Path,
) -> Option<(TokenStream, syn::Stmt)> {
    let mut uses = Uses {
        parameter,
        found: BTreeMap::new(),
    };
    uses.visit_block(body);
    if uses.found.is_empty() {
        return None;
    }
    let (all, others) = combined(generics, parameter, float);
    let name = format_ident!("__{}_agrees", name.to_string().trim_start_matches("r#"));
    let ident = format_ident!("{float}");
    let (params, _, where_clause) = all.split_for_impl();
    let turbofish = super::turbofish(&all, &[parameter.ident], float).all;
    let (agree, t) = (quote!(#krate::__rt::agree), parameter.ident);
    let probes = uses.found.values().map(|(shown, own)| {
        let plain = instance::expression(own.clone(), parameter, float);
        quote! {{
            fn own #params(x: #t, y: #t, z: #t, w: f64) -> #agree::Answer #where_clause {
                use #agree::Absent as _;
                #agree::answer(#own)
            }
            fn plain(x: #ident, y: #ident, z: #ident, w: f64) -> #agree::Answer {
                #agree::answer(#plain)
            }
            (#shown, own::<#turbofish>, plain)
        }}
    });
    let (allow, (own_params, _, own_clause)) = (interface::allowed(), others.split_for_impl());
    let item = quote! {
        #allow
        #[inline]
        fn #name #own_params() #own_clause {
            static ASKED: #agree::Agreement = #agree::Agreement::new();
            ASKED.check::<#ident>(#float, &[#(#probes),*]);
        }
    };
    let arguments = super::others(&others);
    Some((item, syn::parse_quote!(#name #arguments();)))
}

/// The generics of all levels as one list, with the parameter and with a float in its place.
fn combined(
    generics: &[&syn::Generics],
    parameter: FloatParam<'_>,
    float: &str,
) -> (syn::Generics, syn::Generics) {
    let mut all = syn::Generics::default();
    for level in generics {
        all.params.extend(level.params.iter().cloned());
        let predicates = level.where_clause.iter().flat_map(|w| &w.predicates);
        let this = Ident::new("Self", proc_macro2::Span::call_site());
        let of_self = |p: &&syn::WherePredicate| rewrite::mentions(p.to_token_stream(), &this);
        let predicates = predicates.filter(|p| !of_self(p)).cloned();
        all.make_where_clause().predicates.extend(predicates);
    }
    let others = instance::generics(&all, parameter, float);
    let parameter = parameter.ident;
    let lives = syn::parse_quote!(#parameter: 'static);
    all.make_where_clause().predicates.push(lives);
    (all, others)
}

/// What the body uses, by its text: how it is shown, and an expression of it over `x`, `y` and `z`, which have the
/// parameter's type, and `w`, an `f64`.
struct Uses<'a> {
    parameter: FloatParam<'a>,
    found: BTreeMap<String, (String, syn::Expr)>,
}

impl Uses<'_> {
    fn add(&mut self, shown: &str, of: syn::Expr) {
        let text = of.to_token_stream().to_string();
        self.found.insert(text, (shown.to_owned(), of));
    }

    fn method(&mut self, name: &Ident) {
        let text = name.to_string();
        for [receiver, others] in arguments(&text) {
            self.add(&text, syn::parse_quote!(#receiver.#name(#others)));
        }
        if text == "into" {
            let mut bounds = self.parameter.bounds().into_iter();
            let into = bounds.find_map(|bound| bound.segments.last().filter(|s| s.ident == "Into"));
            if let Some(syn::PathArguments::AngleBracketed(to)) = into.map(|s| &s.arguments) {
                let to = &to.args;
                self.add(
                    &text,
                    syn::parse_quote!({ let value: #to = x.into(); value }),
                );
            }
        }
    }

    /// A function of the parameter: `T::sqrt`, `Float::sqrt`, `<T as Float>::sqrt`.
    fn function(&mut self, path: &syn::ExprPath, takes: usize) {
        let Some(last) = path.path.segments.last() else {
            return;
        };
        let name = last.ident.to_string();
        if takes == 0 {
            if numbers::is_constant(&name) {
                self.add(&name, syn::parse_quote!(#path()));
            }
        } else {
            for [receiver, others] in arguments(&name) {
                self.add(&name, syn::parse_quote!(#path(#receiver, #others)));
            }
        }
    }

    /// A conversion: `T::from(n).unwrap()`, `x.to_f64().unwrap()`.
    fn conversion(&mut self, unwrapped: &syn::Expr) {
        match unwrapped {
            syn::Expr::MethodCall(call) if call.args.is_empty() => {
                let name = &call.method;
                if name == "to_f64" || name == "to_f32" {
                    self.add(&name.to_string(), syn::parse_quote!(x.#name().unwrap()));
                }
            }
            syn::Expr::Call(call) if call.args.len() == 1 => {
                let syn::Expr::Path(path) = &*call.func else {
                    return;
                };
                if casts::names_the_target(path, self.parameter.ident) {
                    let mut path = path.clone();
                    if let Some(last) = path.path.segments.last_mut() {
                        last.arguments = syn::PathArguments::None;
                    }
                    let target = self.parameter.ident;
                    self.add("cast", syn::parse_quote!(#path::<_, #target>(w).unwrap()));
                    return;
                }
                let last = path.path.segments.last().map(|last| last.ident.to_string());
                let Some(name) = last.filter(|_| self.is_of_parameter(path)) else {
                    return;
                };
                if name == "from" {
                    self.add(&name, syn::parse_quote!(#path(w).unwrap()));
                } else if let Some(of) = name.strip_prefix("from_")
                    && numbers::is_conversion(&name)
                {
                    let of = format_ident!("{of}");
                    self.add(&name, syn::parse_quote!(#path(w as #of).unwrap()));
                }
            }
            _ => {}
        }
    }

    /// Whether a path begins with the parameter, or with one of its traits.
    fn is_of_parameter(&self, path: &syn::ExprPath) -> bool {
        match &path.qself {
            Some(q) => {
                matches!(&*q.ty, syn::Type::Path(p) if p.path.is_ident(self.parameter.ident))
            }
            None => {
                let first = path.path.segments.first();
                first.is_some_and(|f| f.ident == *self.parameter.ident)
                    && path.path.segments.len() == 2
            }
        }
    }

    fn is_of_bound(&self, path: &syn::ExprPath) -> bool {
        let segments = &path.path.segments;
        path.qself.is_none()
            && segments.len() >= 2
            && self.parameter.bounds().iter().any(|bound| {
                let last = bound.segments.last();
                last.is_some_and(|last| last.ident == segments[segments.len() - 2].ident)
            })
    }

    fn tokens(&mut self, tokens: TokenStream) {
        let list = syn::punctuated::Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
        if let Ok(list) = list.parse2(tokens.clone()) {
            list.iter().for_each(|e| self.visit_expr(e));
            return;
        }
        let mut dot = false;
        for tree in tokens {
            match &tree {
                TokenTree::Ident(name) if dot => self.method(name),
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
            dot = matches!(&tree, TokenTree::Punct(p) if p.as_char() == '.');
        }
    }
}

impl<'ast> Visit<'ast> for Uses<'_> {
    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        self.method(&call.method);
        if numbers::unwraps(&call.method) {
            self.conversion(&call.receiver);
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        match &*call.func {
            syn::Expr::Path(path) if self.is_of_parameter(path) => {
                self.function(path, call.args.len());
            }
            syn::Expr::Path(path) if self.is_of_bound(path) && !call.args.is_empty() => {
                let name = path.path.segments.last().map(|last| last.ident.to_string());
                if name.is_some_and(|name| is_of_floats(&name)) {
                    self.function(path, call.args.len());
                }
            }
            other => self.visit_expr(other),
        }
        call.args.iter().for_each(|e| self.visit_expr(e));
    }

    /// `T::EPSILON`
    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        let name = path.path.segments.last().map(|last| last.ident.to_string());
        let Some(name) = name.filter(|_| self.is_of_parameter(path)) else {
            return;
        };
        if CONSTANTS.contains(&name.as_str()) {
            self.add(&name, syn::Expr::Path(path.clone()));
        } else if is_of_floats(&name) {
            self.function(path, 1);
        }
    }

    /// Items inside the body cannot name the parameter.
    fn visit_item(&mut self, _: &'ast syn::Item) {}

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        self.tokens(mac.tokens.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::{METHODS, arguments};
    use crate::ir::MathFn;

    #[test]
    fn each_function_with_a_derivative_is_compared() {
        for function in MathFn::ALL {
            let name = function.name();
            assert!(!arguments(name).is_empty(), "`{name}` is not compared");
        }
    }

    /// Where the user's bounds have no method of a name, the runtime's stands in.
    #[test]
    fn the_runtime_has_the_same_methods() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../ad-runtime/src/agree.rs");
        let text = std::fs::read_to_string(file).expect("the runtime beside the compiler");
        let list = text.split_once("$($head)*;\n").expect("the list").1;
        let list = list.split_once('}').expect("its end").0;
        let groups: Vec<Vec<&str>> = list
            .split(';')
            .map(|g| g.split_whitespace().collect())
            .collect();
        assert_eq!(groups.len(), METHODS.len());
        for (group, methods) in groups.iter().zip(METHODS) {
            for method in methods {
                assert!(
                    group.contains(method),
                    "`{method}` is missing in the runtime"
                );
            }
        }
    }
}
