//! The adjoint of an expression: from the adjoint of its value to the adjoints of what it reads.

use proc_macro2::Span;

use crate::ir::hash::HashMap;
use crate::ir::rules::{Rule, linearize, rule};
use crate::ir::{BinOp, Expr, ExprKind, Place, Proj, Stmt, StmtKind, Ty, UnOp, VarId, whole_slice};

use super::adjoints::Adjoints;

mod containers;
mod operators;
mod scalars;

/// The adjoint of a value on its way back.
#[derive(Clone)]
pub(crate) enum Seed {
    /// A scalar.
    Value(Expr),
    /// An adjoint of any shape, in a variable or behind a projection of one.
    Place(Place),
}

/// Derives the adjoint of one expression tree.
pub(crate) struct AdjointBuilder<'b, 'a> {
    pub(crate) adjoints: &'b mut Adjoints<'a>,
    pub(crate) out: &'b mut Vec<Stmt>,
    /// Values of inner nodes already bound, by the node's address.
    values: HashMap<*const Expr, Expr>,
}

impl<'b, 'a> AdjointBuilder<'b, 'a> {
    pub(crate) fn new(adjoints: &'b mut Adjoints<'a>, out: &'b mut Vec<Stmt>) -> Self {
        AdjointBuilder {
            adjoints,
            out,
            values: HashMap::default(),
        }
    }

    /// Adds `seed · ∂e` to the adjoints of what `e` reads. `result` is the value of `e` where it is at hand.
    pub(crate) fn run(&mut self, e: &Expr, seed: Seed, result: Option<&Expr>) {
        if !self.adjoints.activity.expr_active(e) {
            return;
        }
        match &e.kind {
            ExprKind::Read(p) => self.read(e, p, seed),
            ExprKind::ToVec(p) => {
                let (src, dst) = (
                    whole_slice(self.seed_place(seed, e.span)),
                    whole_slice(self.adjoints.bar_place(p)),
                );
                self.push(StmtKind::Accumulate { dst, src }, e.span);
            }
            ExprKind::Cast(a, _) if !matches!(a.ty, Ty::F32 | Ty::F64 | Ty::Float) => {
                if let ExprKind::Read(p) = &a.kind
                    && a.ty.is_unseen()
                {
                    self.cast_of_unknown(e, p, seed)
                } else {
                    (self.adjoints.unsupported).push((e.span, "cast-of-unknown"))
                }
            }
            ExprKind::Unary(..) | ExprKind::Binary(..) if e.is_operator() => self.operator(e, seed),
            ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Cast(..)
            | ExprKind::Math(..) => {
                if let Some(linear) = linearize(e) {
                    self.operation(&linear, seed, result);
                }
            }
            ExprKind::Tuple(parts) => self.tuple(parts, seed, e.span),
            ExprKind::Struct(constructor, values) => {
                self.fields(constructor, values, seed, e.span);
            }
            ExprKind::Array(parts) | ExprKind::VecLit(parts) => self.elements(parts, seed, e.span),
            ExprKind::Repeat(a, _) | ExprKind::VecRepeat(a, _) => self.repeat(a, seed, e.span),
            ExprKind::Some(a) => {
                let place = self.seed_place(seed, e.span).then(Proj::Payload);
                self.run(a, Seed::Place(place), None);
            }
            ExprKind::Lit(_)
            | ExprKind::None
            | ExprKind::Len(_)
            | ExprKind::VecNew(_)
            | ExprKind::Opaque(_)
            | ExprKind::NoGradient(_) => {}
            ExprKind::Rule(Rule::Number, args) => self.run(&args[0], seed, result),
            ExprKind::Rule(Rule::Integer | Rule::Position, _) => {}
            ExprKind::Rule(..)
            | ExprKind::Function(..)
            | ExprKind::ZeroLike(_)
            | ExprKind::Zero
            | ExprKind::SumOf(_) => {
                self.adjoints.unsupported.push((e.span, "internal"));
            }
        }
    }

    /// A number of a type that the text does not show, a field say: rustc sees whether it has an adjoint.
    fn cast_of_unknown(&mut self, e: &Expr, p: &Place, seed: Seed) {
        let seed = self.seed_value(seed, &e.ty);
        let uncast = Expr::new(
            ExprKind::Rule(Rule::Uncast, vec![seed]),
            Ty::Unknown,
            e.span,
        );
        let src = self.seed_place(Seed::Value(uncast), e.span);
        let dst = self.adjoints.bar_place(p);
        self.push(StmtKind::Accumulate { dst, src }, e.span);
    }

    fn push(&mut self, kind: StmtKind, span: Span) {
        self.out.push(Stmt::new(kind, span));
    }

    fn read(&mut self, e: &Expr, p: &Place, seed: Seed) {
        let bar = self.adjoints.bar_place(p);
        if e.ty.is_float() {
            let (op, value) = match self.seed_value(seed, &e.ty) {
                Expr {
                    kind: ExprKind::Unary(UnOp::Neg, inner),
                    ..
                } => (BinOp::Sub, *inner),
                value => (BinOp::Add, value),
            };
            self.push(
                StmtKind::Update {
                    place: bar,
                    op,
                    value,
                },
                e.span,
            );
        } else {
            let src = self.seed_place(seed, e.span);
            self.push(StmtKind::Accumulate { dst: bar, src }, e.span);
        }
    }

    /// The seed as a scalar expression.
    fn seed_value(&mut self, seed: Seed, ty: &Ty) -> Expr {
        let value = match seed {
            Seed::Value(e) => e,
            Seed::Place(p) => {
                let span = p.span;
                Expr::new(ExprKind::Read(p), ty.clone(), span)
            }
        };
        // Arithmetic on a type that the macro cannot see is exact for floats only: rustc checks that it is one.
        let checked = matches!(&value.kind, ExprKind::Rule(Rule::Float, _));
        if (ty.is_unseen() || *ty == Ty::Float) && !checked {
            rule(Rule::Float, vec![value])
        } else {
            value
        }
    }

    /// The seed as a variable or literal, so that it can be used twice.
    fn seed_atom(&mut self, seed: Seed, ty: &Ty) -> Expr {
        let value = self.seed_value(seed, ty);
        if is_atom(&value) {
            value
        } else {
            self.adjoints.bind(value, self.out)
        }
    }

    fn seed_place(&mut self, seed: Seed, span: Span) -> Place {
        match seed {
            Seed::Place(p) => p,
            Seed::Value(Expr {
                kind: ExprKind::Read(p),
                ..
            }) => p,
            Seed::Value(value) => {
                let bound = self.adjoints.bind(value, self.out);
                let ExprKind::Read(p) = bound.kind else {
                    return Place::var(VarId(0), span); // `bind` returns a read
                };
                p
            }
        }
    }

    /// The value of `e`, bound to a variable unless it is one or a literal or a plain load.
    fn value(&mut self, e: &Expr) -> Expr {
        if is_atom(e) || matches!(&e.kind, ExprKind::Read(_)) {
            return e.clone();
        }
        let key = std::ptr::from_ref(e);
        if let Some(bound) = self.values.get(&key) {
            return bound.clone();
        }
        let mut rebuilt = e.clone();
        if matches!(
            e.kind,
            ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Cast(..) | ExprKind::Math(..)
        ) {
            for (operand, written) in rebuilt.children_mut().into_iter().zip(e.children()) {
                *operand = self.value(written);
            }
        }
        let bound = self.adjoints.bind_value(rebuilt, self.out);
        self.values.insert(key, bound.clone());
        bound
    }

    fn active(&self, e: &Expr) -> bool {
        self.adjoints.activity.expr_active(e)
    }
}

fn is_atom(e: &Expr) -> bool {
    if let ExprKind::Unary(UnOp::Neg, a) = &e.kind {
        return is_atom(a);
    }
    matches!(&e.kind, ExprKind::Lit(_)) || matches!(&e.kind, ExprKind::Read(p) if p.is_var())
}
