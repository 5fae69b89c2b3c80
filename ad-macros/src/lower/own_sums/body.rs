//! What the body of a sum means, and how it is written around a chain.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

use super::super::types::is_primitive;
use super::is_sum;
use crate::ir::hash::{HashMap, HashSet};
use crate::ir::{Dots, regroup};
use crate::own_macros::placed;
use crate::surroundings::SumOf;

/// The body of the `impl`, with the chain for its iterator; none if it may mean something else here. `names`: those of
/// the function that it comes into.
pub(super) fn around(
    sum: &SumOf,
    chain: &syn::Expr,
    ty: &syn::TypePath,
    (at, names): (Span, &HashSet<String>),
) -> Option<syn::Expr> {
    let mut inputs = sum.function.sig.inputs.iter();
    let (Some(syn::FnArg::Typed(input)), None) = (inputs.next(), inputs.next()) else {
        return None;
    };
    let syn::Pat::Ident(iterator) = &*input.pat else {
        return None;
    };
    let syn::Type::Path(itself) = &*sum.block.self_ty else {
        return None;
    };
    let mut block = (*sum.function.block).clone();
    Closures.visit_block_mut(&mut block);
    let mut meaning = Meaning {
        iterator: iterator.ident.unraw().to_string(),
        own: itself.path.segments.last()?.ident.clone(),
        bound: HashSet::default(),
        used: 0,
        failed: iterator.mutability.is_some() || iterator.subpat.is_some(),
    };
    // A pattern stands in front of what it binds, or closes over.
    Patterns(&mut meaning.bound).visit_block(&block);
    meaning.visit_block(&block);
    if meaning.failed || meaning.used != 1 {
        return None;
    }
    let renamed = meaning.bound.iter().map(|name| {
        let mut fresh = format!("sum_{name}");
        while names.contains(&fresh) {
            fresh.push('_');
        }
        (name.clone(), Ident::new(&fresh, at))
    });
    let put = Put {
        renamed: renamed.collect(),
        iterator: meaning.iterator,
        chain: quote!((#chain)),
        own: meaning.own,
        ty,
    };
    let statements = &block.stmts;
    let statements = put.tokens(placed(quote!(#(#statements)*), at));
    syn::parse2(quote!({ #statements })).ok()
}

/// `|a, b| a + b` for `Add::add`, and the same of `Mul::mul`; the type of sums of copies: `iter.copied().sum()`.
struct Closures;

impl VisitMut for Closures {
    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        visit_mut::visit_expr_mut(self, e);
        if let syn::Expr::MethodCall(call) = e
            && is_sum(call)
            && call.turbofish.is_none()
            && matches!(&*call.receiver, syn::Expr::MethodCall(of)
                if of.method == "copied" || of.method == "cloned")
        {
            call.turbofish = Some(syn::parse_quote!(::<Self>));
        }
        if let syn::Expr::Path(path) = &*e {
            match operator(&path.path) {
                Some("Add") => *e = syn::parse_quote!(|a, b| a + b),
                Some("Mul") => *e = syn::parse_quote!(|a, b| a * b),
                _ => {}
            }
        }
    }
}

/// The trait, if a path is that of the function of an operator.
fn operator(path: &syn::Path) -> Option<&'static str> {
    let mut last = path.segments.iter().rev();
    let (name, of) = (last.next()?, last.next()?);
    let operators = [("Add", "add"), ("Mul", "mul")];
    let mut found = operators.into_iter();
    let found = found.find(|(known, function)| of.ident == known && name.ident == function);
    found.map(|(known, _)| known)
}

/// The paths of operators in a body, with their traits.
pub(crate) fn operators(body: &syn::Block) -> Vec<(syn::Path, &'static str)> {
    struct Found(Vec<(syn::Path, &'static str)>);
    impl Visit<'_> for Found {
        fn visit_expr_path(&mut self, path: &syn::ExprPath) {
            if let Some(of) = operator(&path.path) {
                self.0.push((path.path.clone(), of));
            }
        }
    }
    let mut found = Found(Vec::new());
    found.visit_block(body);
    found.0
}

struct Patterns<'n>(&'n mut HashSet<String>);

impl Visit<'_> for Patterns<'_> {
    fn visit_pat_ident(&mut self, pat: &syn::PatIdent) {
        self.0.insert(pat.ident.unraw().to_string());
        visit::visit_pat_ident(self, pat);
    }
}

/// Whether a body means the same wherever it stands.
struct Meaning {
    iterator: String,
    own: Ident,
    bound: HashSet<String>,
    /// How often the iterator is named.
    used: usize,
    failed: bool,
}

impl Visit<'_> for Meaning {
    fn visit_path(&mut self, path: &syn::Path) {
        let Some(first) = path.segments.first().map(|first| &first.ident) else {
            return;
        };
        let name = first.unraw().to_string();
        if path.get_ident().is_some() && name == self.iterator {
            self.used += 1;
            self.failed |= self.bound.contains(&name);
        } else {
            let local = path.get_ident().is_some() && self.bound.contains(&name);
            self.failed |= !(local || name == "Self" || *first == self.own || is_primitive(&name));
        }
        visit::visit_path(self, path);
    }

    /// Another one may be a method of a trait that stands beside the `impl` alone.
    fn visit_expr_method_call(&mut self, call: &syn::ExprMethodCall) {
        let of_iterators = [
            "fold", "copied", "cloned", "map", "sum", "product", "reduce",
        ];
        self.failed |= !of_iterators.iter().any(|name| call.method == name);
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr(&mut self, e: &syn::Expr) {
        self.failed |= matches!(
            e,
            syn::Expr::Return(_)
                | syn::Expr::Try(_)
                | syn::Expr::While(_)
                | syn::Expr::Loop(_)
                | syn::Expr::Unsafe(_)
                | syn::Expr::Async(_)
                | syn::Expr::Await(_)
        );
        visit::visit_expr(self, e);
    }

    fn visit_macro(&mut self, _: &syn::Macro) {
        self.failed = true;
    }

    fn visit_item(&mut self, _: &syn::Item) {
        self.failed = true;
    }
}

/// What is put into a body.
struct Put<'t> {
    renamed: HashMap<String, Ident>,
    iterator: String,
    chain: TokenStream,
    own: Ident,
    ty: &'t syn::TypePath,
}

impl Put<'_> {
    fn tokens(&self, tokens: TokenStream) -> TokenStream {
        let mut out = TokenStream::new();
        let mut dots = Dots::default();
        let mut trees = tokens.into_iter().peekable();
        while let Some(tree) = trees.next() {
            let is_field = dots.lead_to(&tree);
            match tree {
                TokenTree::Ident(name) if !is_field => {
                    let text = name.unraw().to_string();
                    let leads =
                        matches!(trees.peek(), Some(TokenTree::Punct(p)) if p.as_char() == ':');
                    if text == self.iterator {
                        out.extend(self.chain.clone());
                    } else if let Some(renamed) = self.renamed.get(&text) {
                        renamed.to_tokens(&mut out);
                    } else if name == "Self" || name == self.own {
                        self.itself(leads, &mut out);
                    } else {
                        name.to_tokens(&mut out);
                    }
                }
                TokenTree::Group(group) => {
                    let inner = self.tokens(group.stream());
                    regroup(&group, inner).to_tokens(&mut out);
                }
                other => other.to_tokens(&mut out),
            }
        }
        out
    }

    /// The type, in front of the name of a function or alone.
    fn itself(&self, leads: bool, out: &mut TokenStream) {
        let ty = self.ty;
        let arguments = ty.path.segments.last().map(|last| &last.arguments);
        if leads && arguments.is_some_and(|arguments| !arguments.is_none()) {
            out.extend(quote!(<#ty>));
        } else {
            ty.to_tokens(out);
        }
    }
}
