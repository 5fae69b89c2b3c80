//! Polynomials, as in [`affine`](super::affine), that become expressions again, in front of the code that they come
//! from.
//!
//! What they are made of is all that keeps its value: variables that are never assigned again, lengths of what
//! parameters borrow, constants by name.

use std::cell::RefCell;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};

use crate::ir::hash::HashMap;
use crate::ir::{
    Expr, ExprKind, Func, Opaque, OpaqueArg, OpaqueKind, Passing, Place, Proj, Stmt, Ty, VarId,
};

use super::affine::Poly;

/// Polynomials of expressions, and expressions of polynomials.
pub(super) struct Words<'a> {
    func: &'a Func,
    /// What immutable variables hold, where it is known.
    held: HashMap<VarId, &'a Expr>,
    known: RefCell<HashMap<VarId, Option<Poly>>>,
    /// Constants in the order in which they were met; they stand in polynomials as variables that there are not.
    constants: RefCell<Vec<(String, Expr)>>,
}

impl<'a> Words<'a> {
    pub(super) fn new(func: &'a Func) -> Self {
        Words {
            func,
            held: HashMap::default(),
            known: RefCell::default(),
            constants: RefCell::default(),
        }
    }

    /// Takes note of the immutable variables that the statements themselves declare.
    pub(super) fn declare(&mut self, stmts: &'a [Stmt]) {
        for stmt in stmts {
            self.held.extend(stmt.definition(self.func));
        }
    }

    /// The polynomial of an expression over `usize`; `None` if it is none.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing is known of others")]
    pub(super) fn poly(&self, e: &Expr) -> Option<Poly> {
        Poly::of(e, &|e| match &e.kind {
            ExprKind::Read(p) if p.is_var() => self.variable(p.root),
            ExprKind::Len(p) if self.is_borrowed(p) => Some(Poly::term(vec![p.root], 1)),
            ExprKind::Opaque(o) => Some(Poly::term(vec![self.constant(o, e)?], 1)),
            _ => None,
        })
    }

    fn variable(&self, var: VarId) -> Option<Poly> {
        if self.func.var(var).mutable {
            return None;
        }
        if let Some(known) = self.known.borrow().get(&var) {
            return known.clone();
        }
        let held = self.held.get(&var).and_then(|held| self.poly(held));
        let poly = Some(held.unwrap_or_else(|| Poly::term(vec![var], 1)));
        self.known.borrow_mut().insert(var, poly.clone());
        poly
    }

    /// Whether the place is all that a parameter borrows, which then stands for its length.
    fn is_borrowed(&self, place: &Place) -> bool {
        let mut params = self.func.params.iter();
        matches!(place.proj.as_slice(), [Proj::Deref])
            && params.any(|p| {
                p.var == place.root
                    && p.passing == Passing::Shared
                    && matches!(p.ty, Ty::Slice(_) | Ty::Array(..) | Ty::Vec(_))
            })
    }

    fn constant(&self, o: &Opaque, e: &Expr) -> Option<VarId> {
        if !matches!((&o.kind, &o.code), (OpaqueKind::Const, syn::Expr::Path(_)))
            || !o.args.is_empty()
        {
            return None;
        }
        let name = o.code.to_token_stream().to_string();
        let mut constants = self.constants.borrow_mut();
        let at = constants.iter().position(|(known, _)| *known == name);
        let at = at.unwrap_or_else(|| {
            constants.push((name, e.clone()));
            constants.len() - 1
        });
        u32::try_from(at).ok().map(|at| VarId(u32::MAX - at))
    }

    /// The constant that stands in polynomials as `var`.
    fn constant_of(&self, var: VarId) -> Option<Expr> {
        let constants = self.constants.borrow();
        let at = usize::try_from(u32::MAX - var.0).ok()?;
        constants.get(at).map(|(_, e)| e.clone())
    }

    /// An expression of the value of the polynomial, wrapping around as it does; without any panic.
    pub(super) fn expression(&self, poly: &Poly, span: Span) -> Option<Expr> {
        if let Some(n) = poly.constant() {
            u32::try_from(n).ok()?;
            return Expr::word(n, span);
        }
        let mut terms = poly.terms();
        if let (Some((vars, 1)), None) = (terms.next(), terms.next())
            && let [var] = vars.as_slice()
        {
            return Some(self.atom(*var, span));
        }
        let mut code = Code::new(self, span);
        let tokens = code.sum(poly)?;
        code.expression(&tokens)
    }

    /// `a - b`, or zero where `b` is larger.
    pub(super) fn difference(&self, a: &Poly, b: &Poly, span: Span) -> Option<Expr> {
        if b.constant() == Some(0) {
            return self.expression(a, span);
        }
        if let (Some(a), Some(b)) = (a.constant(), b.constant()) {
            // A number below zero is a large word.
            if a < 0 || b < 0 {
                return None;
            }
            return self.expression(&Poly::number((a - b).max(0)), span);
        }
        let mut code = Code::new(self, span);
        let (a, b) = (code.sum(a)?, code.sum(b)?);
        code.expression(&quote!(#a.saturating_sub(#b)))
    }

    fn atom(&self, var: VarId, span: Span) -> Expr {
        if let Some(constant) = self.constant_of(var) {
            return constant;
        }
        let place = Place::var(var, span);
        if self
            .func
            .params
            .iter()
            .any(|p| p.var == var && p.passing == Passing::Shared)
        {
            return usize_expr(ExprKind::Len(place.then(Proj::Deref)), span);
        }
        usize_expr(ExprKind::Read(place), span)
    }
}

fn usize_expr(kind: ExprKind, span: Span) -> Expr {
    Expr::new(kind, Ty::USIZE, span)
}

/// Arithmetic by methods, with placeholders for what it is made of.
struct Code<'w, 'a> {
    words: &'w Words<'a>,
    args: Vec<(Ident, OpaqueArg)>,
    span: Span,
}

impl<'w, 'a> Code<'w, 'a> {
    fn new(words: &'w Words<'a>, span: Span) -> Self {
        Code {
            words,
            args: Vec::new(),
            span,
        }
    }

    fn sum(&mut self, poly: &Poly) -> Option<TokenStream> {
        // Products first, and one with a plus before those with a minus.
        let mut terms: Vec<_> = poly.terms().collect();
        terms.sort_by_key(|(vars, k)| (*k < 0, vars.is_empty()));
        let mut sum: Option<TokenStream> = None;
        for (vars, k) in terms {
            let term = self.product(&vars, u32::try_from(k.unsigned_abs()).ok()?);
            sum = Some(match (sum, k < 0) {
                (None, false) => term,
                (None, true) => quote!(0usize.wrapping_sub(#term)),
                (Some(sum), false) => quote!(#sum.wrapping_add(#term)),
                (Some(sum), true) => quote!(#sum.wrapping_sub(#term)),
            });
        }
        Some(sum.unwrap_or_else(|| quote!(0usize)))
    }

    fn product(&mut self, vars: &[VarId], factor: u32) -> TokenStream {
        let factor = usize::try_from(factor).unwrap_or(usize::MAX);
        let mut product: Option<TokenStream> = None;
        for var in vars {
            let placeholder = format_ident!("__v{}", self.args.len());
            let arg = match self.words.atom(*var, self.span) {
                Expr {
                    kind: ExprKind::Read(place),
                    ..
                } => OpaqueArg::Place(place),
                other => OpaqueArg::Value(other),
            };
            self.args.push((placeholder.clone(), arg));
            product = Some(match product {
                None => quote!(#placeholder),
                Some(product) => quote!(#product.wrapping_mul(#placeholder)),
            });
        }
        match product {
            Some(product) if factor == 1 => product,
            Some(product) => quote!(#product.wrapping_mul(#factor)),
            None => quote!(#factor),
        }
    }

    fn expression(self, tokens: &TokenStream) -> Option<Expr> {
        let opaque = Opaque {
            code: syn::parse2(tokens.clone()).ok()?,
            args: self.args,
            kind: OpaqueKind::Other("an index"),
        };
        Some(usize_expr(ExprKind::Opaque(Box::new(opaque)), self.span))
    }
}
