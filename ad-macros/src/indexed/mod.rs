//! Elements of the user's own types: `v[i]`, where the type of `v` implements `Index` in the same module.
//!
//! An `Index` may lead anywhere, so what it leads to has no adjoint that `[i]` would name. Where the text shows the
//! `impl`, what it returns a reference to is written in place of the element, `v.data[i]`: generated code is derived
//! from the function in which that stands, and the function itself stays as it is.
//!
//! **Which `impl` is meant.** A type has one for a type of index. That a variable is of the type, its declaration says:
//! a parameter, a type that is written, a literal, a function of the type that returns `Self`. All declarations of its
//! name have to say so. A variable that is another one than it seems has other fields, which is an error of rustc.
//!
//! **What the body means.** What it names is what the module names, and it has no variables of the function's: its own
//! have names of their own.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "the user's syntax has more forms than are asked for"
)]

mod bodies;
mod filled;
mod forms;
mod lent;
mod meant;
mod variables;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};

use crate::generic;
use crate::ir::hash::{HashMap, HashSet};
use crate::lower::{collect, compound_operator, is_float_function};
use crate::surroundings::{Surroundings, indices, surroundings};
use bodies::Body;
use filled::is_pure;
use meant::{Declarations, Questions};
use variables::Variables;

pub(crate) use forms::without_fields;
pub(crate) use lent::lent_written_out;

/// Writes elements out, in a function. What stands beside it compiles only if they are those that are meant.
pub(crate) fn written_out(function: &mut syn::ItemFn, krate: &syn::Path) -> TokenStream {
    if !has_index(|has| has.visit_block(&function.block)) {
        return TokenStream::new();
    }
    let at = function.sig.ident.span();
    let own = generic::block_at(at);
    let own = own.as_ref().map(|own| (&*own.self_ty, &own.generics));
    let mut questions = Questions::default();
    in_body(&function.sig, &mut function.block, own, at, &mut questions);
    let is_associated = surroundings(at) == Surroundings::Impl;
    questions.items(is_associated.then_some(&function.sig.ident), krate)
}

/// The same in the functions of a block.
pub(crate) fn written_out_in_block(block: &mut syn::ItemImpl, krate: &syn::Path) -> TokenStream {
    let at = block.impl_token.span;
    let (ty, generics) = ((*block.self_ty).clone(), block.generics.clone());
    let mut questions = Questions::default();
    for item in &mut block.items {
        if let syn::ImplItem::Fn(method) = item
            && has_index(|has| has.visit_block(&method.block))
        {
            let own = Some((&ty, &generics));
            in_body(&method.sig, &mut method.block, own, at, &mut questions);
        }
    }
    questions.items(None, krate)
}

/// `own`: what `Self` is, and the parameters of its block.
fn in_body(
    sig: &syn::Signature,
    body: &mut syn::Block,
    own: Option<(&syn::Type, &syn::Generics)>,
    at: Span,
    questions: &mut Questions,
) {
    let variables = Variables::of(sig, body, own, at);
    if variables.is_empty() {
        return;
    }
    let mut names = HashSet::default();
    collect(sig.to_token_stream(), &mut names);
    collect(body.to_token_stream(), &mut names);
    // A `ref mut` makes a place of what looks like a value.
    if names.contains("ref") {
        return;
    }
    let declarations = Declarations::of(sig, body, own.map(|(_, generics)| generics), &variables);
    let mut elements = Elements {
        names,
        variables,
        at,
        own: own.map(|(ty, _)| variables::behind(ty).clone()),
        found: HashMap::default(),
        declarations,
        questions,
    };
    elements.visit_block_mut(body);
}

/// Whether something is indexed.
fn has_index(look: impl FnOnce(&mut HasIndex)) -> bool {
    let mut has = HasIndex(false);
    look(&mut has);
    has.0
}

struct HasIndex(bool);

impl Visit<'_> for HasIndex {
    fn visit_expr_index(&mut self, _: &syn::ExprIndex) {
        self.0 = true;
    }

    fn visit_macro(&mut self, mac: &syn::Macro) {
        self.0 |= mac.path.is_ident("vec");
    }
}

/// The name of a type that is one alone, its arguments apart.
fn name_of(ty: &syn::Type) -> Option<&Ident> {
    match ty {
        syn::Type::Path(path) if path.qself.is_none() && path.path.segments.len() == 1 => {
            path.path.segments.last().map(|last| &last.ident)
        }
        syn::Type::Group(group) => name_of(&group.elem),
        syn::Type::Paren(paren) => name_of(&paren.elem),
        _ => None,
    }
}

struct Elements<'q> {
    /// The names in the function.
    names: HashSet<String>,
    variables: Variables,
    at: Span,
    own: Option<syn::Type>,
    /// What was found of types.
    found: HashMap<String, Vec<Body>>,
    declarations: Declarations,
    questions: &'q mut Questions,
}

impl Elements<'_> {
    /// What is indexed, a variable or a part of one, and what leads to its elements.
    fn body(&mut self, index: &syn::ExprIndex) -> Option<(syn::Expr, Body)> {
        let base = base(&index.expr)?;
        let ty = self.variables.of_place(base)?;
        let name = name_of(&ty)?;
        let at = self.at;
        let known = self.found.entry(name.unraw().to_string());
        let bodies = known.or_insert_with(|| Body::all(&indices(at, name)));
        let mut fits = bodies.iter().filter(|body| body.takes(&index.index));
        let body = fits.next()?;
        let unknown = fits.next().is_some() || !body.means_the_same(&self.variables);
        if unknown || !body.holds_for(&ty, self.own.as_ref()) {
            return None;
        }
        let body = body.clone();
        let said = (&self.declarations, &self.variables);
        self.questions.ask(&body, &index.index, said);
        Some((base.clone(), body))
    }

    /// Writes the place of an element, if all that leads to it is one. Whether that was done, and whether the elements
    /// are numbers.
    fn as_place(&mut self, e: &mut syn::Expr) -> Option<Place> {
        let inner = self.innermost(e)?;
        let syn::Expr::Index(index) = &*inner else {
            return None;
        };
        let index = index.clone();
        let (base, body) = self.body(&index)?;
        let place = body.place(&base, &index.index);
        let is_written = place.is_some();
        if let Some(place) = place {
            *inner = place;
        }
        Some(Place {
            is_written,
            of_numbers: body.of_numbers,
        })
    }

    /// The element in front of fields and further elements.
    fn innermost<'e>(&mut self, e: &'e mut syn::Expr) -> Option<&'e mut syn::Expr> {
        if matches!(&*e, syn::Expr::Index(index) if self.body(index).is_some()) {
            return Some(e);
        }
        match e {
            syn::Expr::Index(index) => self.innermost(&mut index.expr),
            syn::Expr::Field(field) => self.innermost(&mut field.base),
            syn::Expr::Paren(paren) => self.innermost(&mut paren.expr),
            _ => None,
        }
    }

    /// `v[i] = e`, `v[i] += e`
    fn written(&mut self, left: &syn::Expr, with: bodies::Write<'_>) -> Option<syn::Expr> {
        let syn::Expr::Index(left) = left else {
            return None;
        };
        let (base, body) = self.body(left)?;
        body.written(&base, &left.index, with, &self.names)
    }

    /// The operands of a place that stays as it is, and what stands in its indices.
    fn within(&mut self, e: &mut syn::Expr) {
        match e {
            syn::Expr::Index(index) => {
                self.within(&mut index.expr);
                self.visit_expr_mut(&mut index.index);
            }
            syn::Expr::Field(field) => self.within(&mut field.base),
            syn::Expr::Paren(paren) => self.within(&mut paren.expr),
            syn::Expr::Path(_) => {}
            other => self.visit_expr_mut(other),
        }
    }

    /// An assignment. Rust evaluates the value before the index.
    fn assignment(&mut self, e: &mut syn::Expr) {
        let (left, op, right) = match e {
            syn::Expr::Assign(assign) => (&mut assign.left, None, &mut assign.right),
            syn::Expr::Binary(binary) => (&mut binary.left, Some(binary.op), &mut binary.right),
            _ => return,
        };
        self.visit_expr_mut(right);
        self.within(left);
        if self.as_place(left).is_some_and(|place| place.is_written) {
            return;
        }
        let (left, right) = (left.clone(), right.clone());
        if let Some(written) = self.written(&left, (op, &right)) {
            *e = written;
        }
    }
}

struct Place {
    is_written: bool,
    of_numbers: bool,
}

/// What is indexed: a variable, or a part of one that is the same wherever it stands.
fn base(e: &syn::Expr) -> Option<&syn::Expr> {
    match e {
        syn::Expr::Path(path) if path.qself.is_none() => path.path.get_ident().map(|_| e),
        syn::Expr::Field(field) => base(&field.base).map(|_| e),
        syn::Expr::Index(index) if is_pure(&index.index) => base(&index.expr).map(|_| e),
        syn::Expr::Paren(paren) => base(&paren.expr),
        syn::Expr::Group(group) => base(&group.expr),
        syn::Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => base(&unary.expr),
        _ => None,
    }
}

impl VisitMut for Elements<'_> {
    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        visit_mut::visit_local_mut(self, local);
        if let syn::Pat::Ident(pat) = &local.pat
            && let Some(ty) = self.variables.to_write(&pat.ident)
        {
            let pat = &local.pat;
            local.pat = syn::Pat::Type(syn::parse_quote!(#pat: #ty));
        }
    }

    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        match e {
            syn::Expr::Assign(_) => self.assignment(e),
            syn::Expr::Binary(binary) if compound_operator(&binary.op).is_some() => {
                self.assignment(e)
            }
            syn::Expr::Reference(reference) => {
                self.within(&mut reference.expr);
                let _left_as_it_is = self.as_place(&mut reference.expr);
            }
            syn::Expr::MethodCall(call) => {
                for arg in &mut call.args {
                    self.visit_expr_mut(arg);
                }
                self.within(&mut call.receiver);
                let place = self.as_place(&mut call.receiver);
                let name = call.method.unraw().to_string();
                // What other methods do with their receiver, the name does not say.
                if place.is_some_and(|place| !place.is_written && place.of_numbers)
                    && is_float_function(&name, call.args.len())
                {
                    self.visit_expr_mut(&mut call.receiver);
                }
            }
            syn::Expr::Index(index) => {
                self.visit_expr_mut(&mut index.index);
                let index = index.clone();
                let Some((base, body)) = self.body(&index) else {
                    if let syn::Expr::Index(index) = e {
                        self.visit_expr_mut(&mut index.expr);
                    }
                    return;
                };
                let place = body.place(&base, &index.index);
                let value = place.or_else(|| body.value(&base, &index.index, &self.names));
                if let Some(value) = value {
                    *e = value;
                }
            }
            _ => visit_mut::visit_expr_mut(self, e),
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        if !mac.path.is_ident("vec") {
            return;
        }
        let tokens = &mac.tokens;
        match syn::parse2::<syn::Expr>(quote!([#tokens])) {
            Ok(syn::Expr::Array(mut list)) => {
                list.elems.iter_mut().for_each(|e| self.visit_expr_mut(e));
                mac.tokens = list.elems.to_token_stream();
            }
            Ok(syn::Expr::Repeat(mut repeat)) => {
                self.visit_expr_mut(&mut repeat.expr);
                let (e, len) = (&repeat.expr, &repeat.len);
                mac.tokens = quote!(#e; #len);
            }
            _ => {}
        }
    }

    /// There `self` and all variables are other ones.
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
