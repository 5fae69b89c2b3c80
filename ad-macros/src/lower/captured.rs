//! What a closure may take by value: the variable, or a part of it, of which the closure has the value of where it
//! stands, while the body is inlined where it is called. Where neither is `Copy` and the text assigns another value to
//! it, the two would be different ones.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};

use super::Lowerer;
use super::operator::{compound_operator, strip};
use super::prescan::names_in;
use crate::diag::catalog;
use crate::ir::{Field, IS_COPY, Place, Proj, Ty, VarId};

/// The fields that lead from a variable to a part of it.
type Fields = Vec<syn::Member>;

impl Lowerer<'_> {
    /// A closure that may take a variable or a part of it by value is refused where that is assigned again, but for
    /// what is `Copy`.
    pub(super) fn refuse_moves(
        &mut self,
        name: &Ident,
        (var, ty): (VarId, &Ty),
        closure: &syn::ExprClosure,
    ) {
        let assigned = assigned(self.source.clone(), name);
        if assigned.is_empty() {
            return;
        }
        let mut moves = Moves {
            name,
            found: Vec::new(),
        };
        moves.visit_expr(&closure.body);
        let span = closure.or1_token.spans[0];
        for Use { fields, method } in moves.found {
            let texts: Vec<String> = fields.iter().map(text).collect();
            if !assigned.iter().any(|other| meet(other, &texts)) {
                continue;
            }
            let (mut place, mut ty) = (Place::var(var, span), ty.clone());
            for member in &fields {
                (place, ty) = self.project(&place, &ty, Proj::Field(Field::from(member)), span);
            }
            if method.is_some_and(|method| self.is_borrowed(&ty, &method)) {
                continue;
            }
            match self.is_copy(&ty) {
                Some(true) => {}
                Some(false) => {
                    let name = [name.to_string()].into_iter().chain(texts);
                    let name = name.collect::<Vec<_>>().join(".");
                    return self.diags.over(closure, catalog::closure_capture(&name));
                }
                None => self.check_that(&place, IS_COPY),
            }
        }
    }

    /// Whether a method is one of std's that takes a value of the type by reference. Of another type it may be the
    /// user's, under the same name.
    fn is_borrowed(&self, ty: &Ty, method: &Ident) -> bool {
        let of_std = matches!(
            self.types.shallow(ty),
            Ty::Array(..) | Ty::Slice(_) | Ty::Vec(_) | Ty::Queue(_) | Ty::Option(_)
        );
        of_std && borrows(method)
    }

    /// Whether values of the type are `Copy`; `None` if only rustc knows.
    fn is_copy(&mut self, ty: &Ty) -> Option<bool> {
        self.types.solve();
        match self.types.shallow(ty) {
            Ty::Tuple(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.is_copy(part)).collect();
                let some = |is: Option<bool>| parts.contains(&is);
                if some(Some(false)) {
                    Some(false)
                } else {
                    (!some(None)).then_some(true)
                }
            }
            Ty::Array(of, _) | Ty::Option(of) => self.is_copy(&of),
            Ty::Vec(_) | Ty::Queue(_) | Ty::Ref(true, _) => Some(false),
            ty => self.types.is_plain(&ty).then_some(true),
        }
    }
}

/// How a field is named.
fn text(member: &syn::Member) -> String {
    match member {
        syn::Member::Named(name) => name.unraw().to_string(),
        syn::Member::Unnamed(index) => index.index.to_string(),
    }
}

/// Whether of two parts of a variable one lies in the other.
fn meet(a: &[String], b: &[String]) -> bool {
    a.iter().zip(b).all(|(a, b)| a == b)
}

/// The parts of a variable that the tokens assign: `name = …`, `name.field = …`, or in a tuple on the left, which
/// counts for all of it.
fn assigned(tokens: TokenStream, name: &Ident) -> Vec<Vec<String>> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(i) if i.unraw() == *name && !declares(&tokens, at) => {
                let (fields, end) = fields_behind(&tokens, at + 1);
                if is_assignment(&tokens, end) {
                    found.push(fields);
                }
            }
            TokenTree::Group(g) => {
                found.extend(assigned(g.stream(), name));
                let named = || names_in(&g.stream()).iter().any(|n| n.unraw() == *name);
                if is_assignment(&tokens, at + 1) && !declares(&tokens, at) && named() {
                    found.push(Vec::new());
                }
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    found
}

/// The fields that follow, and where they end. `.0.1` may be a point and one number.
fn fields_behind(tokens: &[TokenTree], mut at: usize) -> (Vec<String>, usize) {
    let mut fields = Vec::new();
    while let (Some(TokenTree::Punct(p)), Some(next)) = (tokens.get(at), tokens.get(at + 1))
        && p.as_char() == '.'
    {
        match next {
            TokenTree::Ident(i) => fields.push(i.unraw().to_string()),
            TokenTree::Literal(l) => fields.extend(l.to_string().split('.').map(str::to_owned)),
            TokenTree::Group(_) | TokenTree::Punct(_) => break,
        }
        at += 2;
    }
    (fields, at)
}

fn is_assignment(tokens: &[TokenTree], at: usize) -> bool {
    match (tokens.get(at), tokens.get(at + 1)) {
        (Some(TokenTree::Punct(p)), next) if p.as_char() == '=' => {
            let joint = p.spacing() == proc_macro2::Spacing::Joint;
            !(joint
                && matches!(next, Some(TokenTree::Punct(n)) if matches!(n.as_char(), '=' | '>')))
        }
        _ => false,
    }
}

/// Whether what stands there is a name that is declared, or a field.
fn declares(tokens: &[TokenTree], at: usize) -> bool {
    let before = |n| at.checked_sub(n).and_then(|at| tokens.get(at));
    let is_dot = |n| matches!(before(n), Some(TokenTree::Punct(p)) if p.as_char() == '.');
    match before(1) {
        Some(TokenTree::Ident(i)) => *i == "let" || *i == "mut" || *i == "ref",
        // Not of a range.
        _ => is_dot(1) && !is_dot(2),
    }
}

/// A part of a variable where a body may move it.
struct Use {
    fields: Fields,
    /// The method that it is the receiver of.
    method: Option<Ident>,
}

/// The parts of a variable that a body may move out of it: they stand somewhere else than where they are only looked at
/// or written to.
struct Moves<'n> {
    name: &'n Ident,
    found: Vec<Use>,
}

impl Moves<'_> {
    /// The fields that lead to an expression, if it is the variable or a part of it.
    fn part(&self, e: &syn::Expr) -> Option<Fields> {
        match strip(e) {
            syn::Expr::Field(f) => {
                let mut fields = self.part(&f.base)?;
                fields.push(f.member.clone());
                Some(fields)
            }
            e => {
                let ident = super::scope::name_of(e)?;
                (ident.unraw() == *self.name).then(Vec::new)
            }
        }
    }

    fn is_part(&self, e: &syn::Expr) -> bool {
        self.part(e).is_some()
    }
}

impl<'ast> Visit<'ast> for Moves<'_> {
    fn visit_expr(&mut self, e: &'ast syn::Expr) {
        if let Some(fields) = self.part(e) {
            let method = None;
            self.found.push(Use { fields, method });
            return;
        }
        match e {
            // Nothing is moved out of an element.
            syn::Expr::Index(i) if self.is_part(&i.expr) => self.visit_expr(&i.index),
            syn::Expr::Reference(r) if self.is_part(&r.expr) => {}
            syn::Expr::Assign(a) if self.is_part(&a.left) => self.visit_expr(&a.right),
            syn::Expr::Binary(b) if compound_operator(&b.op).is_some() && self.is_part(&b.left) => {
                self.visit_expr(&b.right);
            }
            syn::Expr::MethodCall(m) => {
                match self.part(&m.receiver) {
                    Some(fields) => {
                        let method = Some(m.method.clone());
                        self.found.push(Use { fields, method });
                    }
                    None => self.visit_expr(&m.receiver),
                }
                m.args.iter().for_each(|arg| self.visit_expr(arg));
            }
            _ => visit::visit_expr(self, e),
        }
    }

    /// Arguments of a macro; what it does with other tokens is not seen.
    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let list = Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
        match list.parse2(mac.tokens.clone()) {
            Ok(args) => {
                let mut inside = Moves {
                    name: self.name,
                    found: Vec::new(),
                };
                let lent = |arg: &syn::Expr| looks(mac) && self.is_part(arg);
                for arg in args.iter().filter(|arg| !lent(arg)) {
                    inside.visit_expr(arg);
                }
                self.found.extend(inside.found);
            }
            Err(_)
                if names_in(&mac.tokens)
                    .iter()
                    .any(|n| n.unraw() == *self.name) =>
            {
                let (fields, method) = (Vec::new(), None);
                self.found.push(Use { fields, method });
            }
            Err(_) => {}
        }
    }
}

/// Macros of std that take what they are given by reference.
fn looks(mac: &syn::Macro) -> bool {
    const NAMES: &[&str] = &[
        "print",
        "println",
        "eprint",
        "eprintln",
        "format",
        "panic",
        "assert_eq",
        "assert_ne",
        "debug_assert_eq",
        "debug_assert_ne",
    ];
    NAMES.iter().any(|name| mac.path.is_ident(name))
}

/// Methods of containers that take `self` by reference.
fn borrows(method: &Ident) -> bool {
    let name = method.to_string();
    crate::ir::only_reads(&name)
        || matches!(
            name.as_str(),
            "push"
                | "pop"
                | "insert"
                | "remove"
                | "swap"
                | "fill"
                | "clear"
                | "truncate"
                | "extend"
                | "resize"
                | "iter"
                | "iter_mut"
                | "as_mut"
                | "get_mut"
                | "first_mut"
                | "last_mut"
                | "split_at_mut"
                | "chunks_mut"
                | "chunks_exact_mut"
                | "sort"
                | "sort_by"
                | "sort_by_key"
                | "sort_unstable"
                | "sort_unstable_by"
                | "sort_unstable_by_key"
                | "copy_from_slice"
                | "extend_from_slice"
                | "reverse"
                | "push_back"
                | "pop_front"
        )
}
