//! What an aggregate is made of, and how a value of its type is taken apart.

use proc_macro2::Span;

use crate::analysis::target::growth::SCALARS;
use crate::ir::{Expr, ExprKind, Field, Func, Place, Proj, Ty, UnOp, place_ty};

/// A number, or an aggregate of such.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Parts {
    Scalar(Ty),
    Array(Vec<Parts>),
    Tuple(Vec<Parts>),
}

impl Parts {
    /// Those of an array or a tuple of numbers of known types, if they are few.
    pub(super) fn of_type(ty: &Ty) -> Option<Parts> {
        let parts = Parts::within(ty)?;
        let aggregate = !matches!(parts, Parts::Scalar(_));
        (aggregate && (1..=SCALARS).contains(&parts.count())).then_some(parts)
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "other types have no parts that are numbers"
    )]
    fn within(ty: &Ty) -> Option<Parts> {
        match ty {
            Ty::F32 | Ty::F64 | Ty::Int(Some(_)) | Ty::Bool => Some(Parts::Scalar(ty.clone())),
            Ty::Array(element, Some(len)) => {
                let len = usize::try_from(len.number()?).ok();
                let len = len.filter(|len| (1..=SCALARS).contains(len))?;
                Some(Parts::Array(vec![Parts::within(element)?; len]))
            }
            Ty::Tuple(parts) => {
                let parts: Option<Vec<Parts>> = parts.iter().map(Parts::within).collect();
                Some(Parts::Tuple(parts?))
            }
            _ => None,
        }
    }

    /// How many numbers there are.
    pub(super) fn count(&self) -> usize {
        match self {
            Parts::Scalar(_) => 1,
            Parts::Array(parts) | Parts::Tuple(parts) => parts.iter().map(Parts::count).sum(),
        }
    }

    /// How many elements an array has, or parts a tuple.
    pub(super) fn len(&self) -> usize {
        match self {
            Parts::Scalar(_) => 0,
            Parts::Array(parts) | Parts::Tuple(parts) => parts.len(),
        }
    }

    /// The part that steps lead to, and how many numbers stand in front of it.
    pub(super) fn at(&self, steps: &[Proj]) -> Option<(usize, &Parts)> {
        let Some((first, rest)) = steps.split_first() else {
            return Some((0, self));
        };
        let (parts, at) = match (self, first) {
            (Parts::Array(parts), Proj::Index(index)) => (parts, index.int_literal()?),
            (Parts::Tuple(parts), Proj::Field(field)) => (parts, field.position()? as u64),
            (Parts::Scalar(_) | Parts::Array(_) | Parts::Tuple(_), _) => return None,
        };
        let at = usize::try_from(at).ok()?;
        let (within, part) = parts.get(at)?.at(rest)?;
        let before: usize = parts[..at].iter().map(Parts::count).sum();
        Some((before + within, part))
    }

    /// The way to each number from the whole, in order, as the user writes it.
    pub(super) fn steps(&self) -> Vec<String> {
        let step = |at: usize| match self {
            Parts::Scalar(_) => String::new(),
            Parts::Array(_) => format!("[{at}]"),
            Parts::Tuple(_) => format!(".{at}"),
        };
        let (Parts::Array(parts) | Parts::Tuple(parts)) = self else {
            return vec![String::new()];
        };
        let behind = |(at, part): (usize, &Parts)| {
            let steps = part.steps().into_iter();
            steps.map(|rest| step(at) + &rest).collect::<Vec<_>>()
        };
        parts.iter().enumerate().flat_map(behind).collect()
    }

    /// The types of the numbers, in order.
    pub(super) fn types(&self) -> Vec<&Ty> {
        match self {
            Parts::Scalar(ty) => vec![ty],
            Parts::Array(parts) | Parts::Tuple(parts) => {
                parts.iter().flat_map(Parts::types).collect()
            }
        }
    }

    /// The numbers of a value of this type, if it shows them: a literal, or a copy of a place. An element that is
    /// repeated is a number.
    pub(super) fn of_value(&self, func: &Func, value: &Expr) -> Option<Vec<Expr>> {
        let (Parts::Array(parts) | Parts::Tuple(parts)) = self else {
            return Some(vec![value.clone()]);
        };
        let values: Vec<Expr> = if let ExprKind::Array(items) | ExprKind::Tuple(items) = &value.kind
        {
            items.clone()
        } else if let ExprKind::Repeat(item, _) = &value.kind {
            let same = is_constant(item) || is_variable(item);
            vec![same.then(|| (**item).clone())?; parts.len()]
        } else if let ExprKind::Read(place) = &value.kind {
            let known = Parts::of_type(&place_ty(func, place)).as_ref() == Some(self);
            let plain = value.referenced().is_none();
            (known && plain).then(|| self.reads(func, place))?
        } else {
            return None;
        };
        if values.len() != parts.len() {
            return None;
        }
        let each = parts.iter().zip(&values);
        let numbers: Option<Vec<Vec<Expr>>> = each
            .map(|(part, value)| part.of_value(func, value))
            .collect();
        Some(numbers?.into_iter().flatten().collect())
    }

    /// The element that makes up the array, if it is a number that is computed once for all of them.
    pub(super) fn repeated<'e>(&self, value: &'e Expr) -> Option<&'e Expr> {
        let (Parts::Array(parts), ExprKind::Repeat(item, _)) = (self, &value.kind) else {
            return None;
        };
        let numbers = parts.iter().all(|part| matches!(part, Parts::Scalar(_)));
        (numbers && !is_constant(item) && !is_variable(item)).then_some(&**item)
    }

    /// The values of the parts right below in a place.
    fn reads(&self, func: &Func, place: &Place) -> Vec<Expr> {
        let (Parts::Array(parts) | Parts::Tuple(parts)) = self else {
            return Vec::new();
        };
        let span = place.span;
        let steps = (0..parts.len()).map(|at| match (self, u32::try_from(at)) {
            (Parts::Tuple(_), Ok(at)) => Proj::Field(Field::at(at, span).part()),
            (Parts::Scalar(_) | Parts::Array(_) | Parts::Tuple(_), _) => {
                Proj::index(Expr::usize_literal(at, span))
            }
        });
        let part = |step| {
            let part = place.then(step);
            let ty = place_ty(func, &part);
            Expr::new(ExprKind::Read(part), ty, span)
        };
        steps.map(part).collect()
    }

    /// The value of the whole, which is of type `ty`, of those of its numbers in order.
    pub(super) fn value(
        &self,
        ty: &Ty,
        span: Span,
        numbers: &mut dyn Iterator<Item = Expr>,
    ) -> Option<Expr> {
        let kind = match (self, ty) {
            (Parts::Scalar(_), _) => return numbers.next(),
            (Parts::Array(parts), ty) => {
                let element = ty.element();
                let values = parts.iter().map(|part| part.value(&element, span, numbers));
                ExprKind::Array(values.collect::<Option<_>>()?)
            }
            (Parts::Tuple(parts), Ty::Tuple(types)) => {
                let each = parts.iter().zip(types);
                let values = each.map(|(part, ty)| part.value(ty, span, numbers));
                ExprKind::Tuple(values.collect::<Option<_>>()?)
            }
            (Parts::Tuple(_), _) => return None,
        };
        Some(Expr::new(kind, ty.clone(), span))
    }
}

/// Whether an expression is made of numbers in the text alone.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "of other expressions nothing is known"
)]
fn is_constant(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Lit(_) => true,
        ExprKind::Unary(UnOp::Neg, e) | ExprKind::Repeat(e, _) => is_constant(e),
        ExprKind::Array(parts) | ExprKind::Tuple(parts) => parts.iter().all(is_constant),
        _ => false,
    }
}

fn is_variable(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Read(place) if place.is_var())
}
