//! Which functions are inlined, by their text.
//!
//! What is listed here means the same wherever it stands, if the names in it do. Whatever is not listed is a reason
//! to leave the call: it costs time, and nothing else.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "the user's syntax has more forms than are listed; whatever is not listed is not inlined"
)]

use proc_macro2::Ident;
use quote::ToTokens;
use syn::ext::IdentExt;

use crate::ir::MathFn;
use crate::ir::hash::HashSet;
use crate::lower::{attributes_of, collect, is_float_function, is_primitive, segment_names};

/// A function that may be inlined.
pub(super) struct Small {
    pub(super) function: syn::ItemFn,
    /// The functions that it calls by their names alone.
    pub(super) calls: Vec<Ident>,
    /// Of how many expressions it is.
    pub(super) size: usize,
    /// The parameters that what it gives the math library may depend on: of constants, the compiler may know the
    /// result.
    pub(super) dear: Vec<bool>,
}

/// Why it may not be.
type Refused = &'static str;

impl Small {
    pub(super) fn of(function: &syn::ItemFn) -> Result<Self, Refused> {
        of_signature(&function.sig)?;
        let mut walk = Walk {
            calls: Vec::new(),
            bound: HashSet::default(),
            size: 0,
            given: HashSet::default(),
        };
        for input in &function.sig.inputs {
            if let syn::FnArg::Typed(typed) = input {
                walk.pattern(&typed.pat)?;
            }
        }
        walk.block(&function.block)?;
        if walk
            .calls
            .iter()
            .any(|name| walk.bound.contains(&name.unraw().to_string()))
        {
            return Err("calls one of its variables");
        }
        let params: Vec<Option<String>> = function.sig.inputs.iter().map(parameter).collect();
        // What a variable is computed from is not followed.
        let others = walk
            .given
            .iter()
            .any(|name| walk.bound.contains(name) && !params.contains(&Some(name.clone())));
        let dear = params.iter().map(|name| {
            let name = name.as_ref();
            others || name.is_none_or(|name| walk.given.contains(name))
        });
        Ok(Small {
            function: syn::ItemFn {
                attrs: Vec::new(),
                ..function.clone()
            },
            dear: dear.collect(),
            calls: walk.calls,
            size: walk.size,
        })
    }
}

/// The name of a parameter; `None` where it is taken apart.
fn parameter(input: &syn::FnArg) -> Option<String> {
    match input {
        syn::FnArg::Typed(typed) => match &*typed.pat {
            syn::Pat::Ident(pat) => Some(pat.ident.unraw().to_string()),
            _ => None,
        },
        syn::FnArg::Receiver(_) => None,
    }
}

fn of_signature(sig: &syn::Signature) -> Result<(), Refused> {
    if !sig.generics.params.is_empty() || sig.generics.where_clause.is_some() {
        return Err("has parameters of types");
    }
    let qualified = sig.constness.is_some() || sig.asyncness.is_some() || sig.unsafety.is_some();
    if qualified || sig.abi.is_some() || sig.variadic.is_some() {
        return Err("is no plain function");
    }
    for input in &sig.inputs {
        let syn::FnArg::Typed(typed) = input else {
            return Err("is a method");
        };
        if !typed.attrs.is_empty() {
            return Err("has a parameter with an attribute");
        }
        if !is_number(&typed.ty) && !is_shared_data(&typed.ty) {
            return Err("has a parameter that is neither a number nor a reference to an array");
        }
    }
    match &sig.output {
        syn::ReturnType::Default => Err("returns nothing"),
        syn::ReturnType::Type(_, ty) => match &**ty {
            syn::Type::Tuple(tuple)
                if !tuple.elems.is_empty() && tuple.elems.iter().all(is_number) =>
            {
                Ok(())
            }
            ty if is_number(ty) => Ok(()),
            _ => Err("returns something else than numbers"),
        },
    }
}

/// A primitive type, but for text.
fn is_number(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(path) if path.qself.is_none()
        && path.path.get_ident().is_some_and(|name| name != "str" && is_primitive(&name.to_string())))
}

/// A shared reference to data, or to a slice of some. Arrays by value would be copies, which are recorded whole.
fn is_shared_data(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Reference(of) if of.mutability.is_none() => match &*of.elem {
            syn::Type::Slice(slice) => is_data(&slice.elem),
            elem => is_data(elem),
        },
        _ => false,
    }
}

/// A number, or an array of data.
fn is_data(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Array(array) => {
            let known = matches!(&array.len, syn::Expr::Lit(_) | syn::Expr::Path(_));
            known && is_data(&array.elem)
        }
        ty => is_number(ty),
    }
}

struct Walk {
    calls: Vec<Ident>,
    /// The names of its variables.
    bound: HashSet<String>,
    size: usize,
    /// The names in arguments of the math library.
    given: HashSet<String>,
}

impl Walk {
    /// A variable, or a tuple of some.
    fn pattern(&mut self, pat: &syn::Pat) -> Result<(), Refused> {
        match pat {
            syn::Pat::Ident(pat)
                if pat.by_ref.is_none() && pat.subpat.is_none() && pat.attrs.is_empty() =>
            {
                let name = pat.ident.unraw().to_string();
                // It could be a constant.
                if name.starts_with(char::is_uppercase) {
                    return Err("has a pattern with a constant");
                }
                self.bound.insert(name);
                Ok(())
            }
            syn::Pat::Type(pat) if pat.attrs.is_empty() && is_number(&pat.ty) => {
                self.pattern(&pat.pat)
            }
            syn::Pat::Tuple(pat) if pat.attrs.is_empty() => {
                pat.elems.iter().try_for_each(|pat| self.pattern(pat))
            }
            _ => Err("has a pattern that is more than a name"),
        }
    }

    fn block(&mut self, block: &syn::Block) -> Result<(), Refused> {
        block.stmts.iter().try_for_each(|stmt| match stmt {
            syn::Stmt::Local(local) => {
                let init = local.init.as_ref().filter(|init| init.diverge.is_none());
                let init = init.ok_or("declares a variable without a value")?;
                if !local.attrs.is_empty() {
                    return Err("has attributes in it");
                }
                self.expr(&init.expr)?;
                self.pattern(&local.pat)
            }
            syn::Stmt::Expr(e, _) => self.expr(e),
            syn::Stmt::Item(_) => Err("declares items"),
            syn::Stmt::Macro(_) => Err("calls a macro"),
        })
    }

    fn each<'e>(&mut self, exprs: impl IntoIterator<Item = &'e syn::Expr>) -> Result<(), Refused> {
        exprs.into_iter().try_for_each(|e| self.expr(e))
    }

    fn expr(&mut self, e: &syn::Expr) -> Result<(), Refused> {
        self.size += 1;
        plain(attributes_of(e))?;
        match e {
            syn::Expr::Lit(lit) => match &lit.lit {
                syn::Lit::Int(_) | syn::Lit::Float(_) | syn::Lit::Bool(_) => Ok(()),
                _ => Err("holds text"),
            },
            syn::Expr::Path(path) => {
                let arguments = path.path.segments.iter().any(|s| !s.arguments.is_none());
                match path.qself.is_some() || arguments {
                    true => Err("names something with its type"),
                    false => Ok(()),
                }
            }
            syn::Expr::Binary(e) => self.each([&*e.left, &*e.right]),
            syn::Expr::Assign(e) => self.each([&*e.left, &*e.right]),
            syn::Expr::Unary(e) => match e.op {
                syn::UnOp::Neg(_) | syn::UnOp::Not(_) => self.expr(&e.expr),
                _ => Err("dereferences something"),
            },
            syn::Expr::Paren(e) => self.expr(&e.expr),
            syn::Expr::Cast(e) if is_number(&e.ty) => self.expr(&e.expr),
            syn::Expr::Index(e) => self.each([&*e.expr, &*e.index]),
            syn::Expr::Tuple(e) => self.each(&e.elems),
            syn::Expr::Field(e) if matches!(e.member, syn::Member::Unnamed(_)) => {
                self.expr(&e.base)
            }
            syn::Expr::Block(e) if e.label.is_none() => self.block(&e.block),
            syn::Expr::If(e) => {
                self.expr(&e.cond)?;
                self.block(&e.then_branch)?;
                self.each(e.else_branch.as_ref().map(|(_, e)| &**e))
            }
            syn::Expr::Return(e) => self.each(e.expr.as_deref()),
            syn::Expr::MethodCall(call) => {
                let name = call.method.to_string();
                let len = name == "len" && call.args.is_empty();
                let known = len || is_float_function(&name, call.args.len());
                if call.turbofish.is_some() || !known {
                    return Err("calls a method that is none of a float");
                }
                let args = std::iter::once(&*call.receiver).chain(&call.args);
                let args: Vec<&syn::Expr> = args.collect();
                self.given(&name, &args);
                self.each(args)
            }
            syn::Expr::Call(call) => {
                let args: Vec<&syn::Expr> = call.args.iter().collect();
                self.callee(&call.func, &args)?;
                self.each(args.into_iter().map(behind))
            }
            syn::Expr::ForLoop(_) | syn::Expr::While(_) | syn::Expr::Loop(_) => Err("has a loop"),
            syn::Expr::Match(_) => Err("has a `match`"),
            syn::Expr::Macro(_) => Err("calls a macro"),
            _ => Err("does more than compute with numbers"),
        }
    }

    /// `f(…)` and `f64::sin(…)`.
    fn callee(&mut self, callee: &syn::Expr, args: &[&syn::Expr]) -> Result<(), Refused> {
        let syn::Expr::Path(path) = callee else {
            return Err("calls what is no name");
        };
        plain(&path.attrs)?;
        if path.qself.is_some() || path.path.leading_colon.is_some() {
            return Err("calls a function by a path");
        }
        if let Some(name) = path.path.get_ident() {
            self.calls.push(name.clone());
            self.given(&name.to_string(), args);
            return Ok(());
        }
        let names = segment_names(&path.path);
        match &names[..] {
            [ty, name] if (ty == "f64" || ty == "f32") && MathFn::from_name(name).is_some() => {
                self.given(name, args);
                Ok(())
            }
            [ty, name] if is_primitive(ty) && name == "from" && args.len() == 1 => Ok(()),
            _ => Err("calls a function by a path"),
        }
    }

    /// An argument of a call that may be one of the math library.
    fn given(&mut self, name: &str, args: &[&syn::Expr]) {
        if MathFn::from_name(name).is_none_or(MathFn::is_expensive) {
            for arg in args {
                collect(arg.to_token_stream(), &mut self.given);
            }
        }
    }
}

/// What a shared reference that is given leads to.
fn behind(e: &syn::Expr) -> &syn::Expr {
    match e {
        syn::Expr::Reference(of) if of.mutability.is_none() && of.attrs.is_empty() => &of.expr,
        e => e,
    }
}

fn plain(attrs: &[syn::Attribute]) -> Result<(), Refused> {
    match attrs {
        [] => Ok(()),
        [..] => Err("has attributes in it"),
    }
}
