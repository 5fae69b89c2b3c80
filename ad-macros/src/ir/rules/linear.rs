//! The derivative of an expression: what its operands contribute, as maps that both modes use.

use proc_macro2::Span;

use crate::ir::{BinOp, CastTarget, Expr, ExprKind, Ty, UnOp, binary};

use super::{Entry, Map, Rule, Value, entry};

/// The derivative of one operation. That of a tree is made of those of its nodes: from the root to the operands in
/// reverse mode, from the operands to the root in forward mode.
pub(crate) struct Linear<'e> {
    /// The operation, whose value is the shared part of its terms.
    pub(crate) node: &'e Expr,
    /// One for each operand, in order.
    pub(crate) terms: Vec<Term<'e>>,
}

/// What the derivative of an operation has for one operand.
pub(crate) struct Term<'e> {
    pub(crate) operand: &'e Expr,
    /// `None` where it is zero everywhere.
    map: Option<Map>,
}

/// The derivative of an operation on numbers; `None` if the expression is something else, or has none.
pub(crate) fn linearize(e: &Expr) -> Option<Linear<'_>> {
    let (maps, operands): (&'static [Option<Map>], _) = match &e.kind {
        ExprKind::Unary(op, _) => (op.entry()?.terms, e.children()),
        ExprKind::Binary(BinOp::Div, x, _) if x.float_literal() == Some(1.0) => {
            (RECIPROCAL.terms, e.children())
        }
        ExprKind::Binary(op, ..) => (op.entry()?.terms, e.children()),
        ExprKind::Math(f, _) => (f.entry().terms, e.children()),
        ExprKind::Cast(..) => (&[Some(Map::Convert)], e.children()),
        ExprKind::Lit(_)
        | ExprKind::Read(_)
        | ExprKind::Tuple(_)
        | ExprKind::Struct(..)
        | ExprKind::Array(_)
        | ExprKind::Repeat(..)
        | ExprKind::VecLit(_)
        | ExprKind::VecRepeat(..)
        | ExprKind::VecNew(_)
        | ExprKind::Some(_)
        | ExprKind::None
        | ExprKind::Len(_)
        | ExprKind::ToVec(_)
        | ExprKind::Opaque(_)
        | ExprKind::NoGradient(_)
        | ExprKind::Rule(..)
        | ExprKind::ZeroLike(_)
        | ExprKind::Zero
        | ExprKind::Function(..)
        | ExprKind::SumOf(_) => return None,
    };
    let terms = operands.into_iter().zip(maps);
    let terms = terms.map(|(operand, &map)| Term { operand, map });
    Some(Linear {
        node: e,
        terms: terms.collect(),
    })
}

/// `1.0 / y`: its derivative is made of its value, and divides by nothing.
const RECIPROCAL: &Entry = entry!(Cheap [zero, Recip(r)]);

impl<'e> Linear<'e> {
    /// What the adjoint of the result contributes to that of an operand. `value` gives the values of operands and of
    /// the result: it is called for what is used, in the order in which that is written.
    pub(crate) fn transposed(
        &self,
        term: &Term<'e>,
        adjoint: Expr,
        value: &mut dyn FnMut(&'e Expr) -> Expr,
    ) -> Option<Expr> {
        self.at(term, adjoint, term.operand, value)
    }

    /// What the tangent of an operand contributes to that of the result.
    #[cfg(test)]
    pub(crate) fn applied(
        &self,
        term: &Term<'e>,
        tangent: Expr,
        value: &mut dyn FnMut(&'e Expr) -> Expr,
    ) -> Option<Expr> {
        self.at(term, tangent, self.node, value)
    }

    /// The map at a seed, in the type of `like`.
    fn at(
        &self,
        term: &Term<'e>,
        seed: Expr,
        like: &Expr,
        value: &mut dyn FnMut(&'e Expr) -> Expr,
    ) -> Option<Expr> {
        let mut value = |of| match of {
            Value::Operand(k) => value(self.terms[k].operand),
            Value::Result => value(self.node),
        };
        Some(match term.map? {
            Map::Identity => seed,
            Map::Negate => negated(seed),
            Map::Times(factor) => binary(BinOp::Mul, seed, value(factor)),
            Map::Rule(name, values) => {
                let values = values.iter().map(|of| value(*of));
                rule(name, [seed].into_iter().chain(values).collect())
            }
            Map::Convert => converted(seed, like, self.node.span),
        })
    }
}

/// A seed in the type of an expression.
fn converted(seed: Expr, like: &Expr, span: Span) -> Expr {
    let kind = if matches!(like.ty, Ty::F32 | Ty::F64) {
        ExprKind::Cast(Box::new(seed), CastTarget::Primitive(like.ty.clone()))
    } else {
        // rustc infers it.
        ExprKind::Rule(Rule::Cast, vec![seed, like.clone()])
    };
    Expr::new(kind, like.ty.clone(), span)
}

/// The negative of an expression.
pub(crate) fn negated(e: Expr) -> Expr {
    if let ExprKind::Unary(UnOp::Neg, inner) = e.kind {
        return *inner;
    }
    let (ty, span) = (e.ty.clone(), e.span);
    Expr::new(ExprKind::Unary(UnOp::Neg, Box::new(e)), ty, span)
}

/// A rule in the type of its seed.
pub(crate) fn rule(name: Rule, args: Vec<Expr>) -> Expr {
    let (ty, span) = (args[0].ty.clone(), args[0].span);
    Expr::new(ExprKind::Rule(name, args), ty, span)
}
