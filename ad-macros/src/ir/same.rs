//! Expressions and places that are written alike.

use super::{BinOp, Expr, ExprKind, Place, Proj};

/// Whether two expressions are written alike; `false` for whatever is rare in adjoints and indices.
pub(crate) fn same(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Read(p), ExprKind::Read(q)) => {
            same_place(p, q) && a.referenced().is_some() == b.referenced().is_some()
        }
        (ExprKind::Lit(p), ExprKind::Lit(q)) => p.text() == q.text(),
        (ExprKind::Unary(f, a), ExprKind::Unary(g, b)) => f == g && same(a, b),
        (ExprKind::Binary(f, a1, a2), ExprKind::Binary(g, b1, b2)) => {
            f == g && same(a1, b1) && same(a2, b2)
        }
        _ => false,
    }
}

/// Whether two places are written alike.
pub(crate) fn same_place(a: &Place, b: &Place) -> bool {
    a.proj.len() == b.proj.len() && nested(a, b)
}

/// Whether a value is what the place holds, divided by something.
pub(crate) fn is_quotient_of(value: &Expr, place: &Place) -> bool {
    matches!(&value.kind, ExprKind::Binary(BinOp::Div, divided, _)
        if matches!(&divided.kind, ExprKind::Read(of) if same_place(of, place)))
}

/// Whether two places lie in different fields of one value, so that both can be borrowed.
pub(crate) fn in_different_fields(a: &Place, b: &Place) -> bool {
    let mut steps = a.proj.iter().zip(&b.proj);
    let differ = |pair: (&Proj, &Proj)| matches!(pair, (Proj::Field(f), Proj::Field(g)) if f != g);
    a.root == b.root && steps.any(differ)
}

/// As [`same_place`], also where both lead through parts of an array with the same bounds.
pub(crate) fn same_element(a: &Place, b: &Place) -> bool {
    let bound = |pair: (&Option<Box<Expr>>, &Option<Box<Expr>>)| match pair {
        (Some(a), Some(b)) => same(a, b),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    };
    let alike = |pair: (&Proj, &Proj)| match pair {
        (
            Proj::Range { lo, hi, inclusive },
            Proj::Range {
                lo: other_lo,
                hi: other_hi,
                inclusive: other,
            },
        ) => bound((lo, other_lo)) && bound((hi, other_hi)) && inclusive == other,
        (a, b) => same_step((a, b)),
    };
    a.root == b.root && a.proj.len() == b.proj.len() && a.proj.iter().zip(&b.proj).all(alike)
}

/// Whether one of two places is written as the other one, or a part of it.
pub(crate) fn nested(a: &Place, b: &Place) -> bool {
    a.root == b.root && a.proj.iter().zip(&b.proj).all(same_step)
}

/// The step that tells arrays of one variable apart, given what leads to each of them: an index, and all else is alike.
pub(crate) fn parted_at(paths: &[&[Proj]]) -> Option<usize> {
    let (first, others) = paths.split_first()?;
    if others.iter().any(|path| path.len() != first.len()) {
        return None;
    }
    let alike = |at: usize| (others.iter()).all(|path| same_step((&first[at], &path[at])));
    let at = (0..first.len()).find(|at| !alike(*at))?;
    let is_index = |path: &&[Proj]| matches!(path[at], Proj::Index(_));
    let distinct = |k: usize| {
        let mut before = paths[..k].iter();
        before.all(|path| !same_step((&path[at], &paths[k][at])))
    };
    let legal = paths.iter().all(is_index)
        && (at + 1..first.len()).all(alike)
        && (0..paths.len()).all(distinct);
    legal.then_some(at)
}

/// Whether two steps are written alike; parts of an array count as different ones.
fn same_step(pair: (&Proj, &Proj)) -> bool {
    match pair {
        (Proj::Deref, Proj::Deref)
        | (Proj::Payload, Proj::Payload)
        | (Proj::Unbox, Proj::Unbox) => true,
        (Proj::Field(f), Proj::Field(g)) => f == g,
        (Proj::Variant(f), Proj::Variant(g)) => f.is(g),
        (Proj::Index(i), Proj::Index(j)) => same(i, j),
        _ => false,
    }
}
