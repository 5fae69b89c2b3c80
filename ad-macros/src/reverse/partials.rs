//! The adjoint of an expression: from the adjoint of its value to the adjoints of what it reads.

use std::collections::HashMap;

use proc_macro2::Span;

use crate::ir::{
    BinOp, Block, Domain, Expr, ExprKind, Loop, LoopId, MathFn, Place, Proj, RangeIter, Stmt,
    StmtKind, Ty, UnOp, VarId, VarInfo, VarKind, binary, same,
};

use super::adjoints::Adjoints;
use crate::ir::whole_slice;

/// The adjoint of a value on its way back.
#[derive(Clone)]
pub(crate) enum Seed {
    /// A scalar.
    Value(Expr),
    /// An adjoint of any shape, in a variable or behind a projection of one.
    Place(Place),
}

/// Derives the adjoint of one expression tree.
pub(crate) struct Back<'b, 'a> {
    pub(crate) adjoints: &'b mut Adjoints<'a>,
    pub(crate) out: &'b mut Vec<Stmt>,
    /// Values of inner nodes already bound, by the node's address.
    values: HashMap<*const Expr, Expr>,
}

impl<'b, 'a> Back<'b, 'a> {
    pub(crate) fn new(adjoints: &'b mut Adjoints<'a>, out: &'b mut Vec<Stmt>) -> Self {
        Back {
            adjoints,
            out,
            values: HashMap::new(),
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
            ExprKind::Unary(UnOp::Neg, a) => {
                let seed = negated(self.seed_value(seed, &e.ty));
                self.run(a, Seed::Value(seed), None);
            }
            ExprKind::Binary(op, a, b) => self.binary(e, *op, a, b, seed, result),
            ExprKind::Cast(a, _) => self.cast(e, a, seed),
            ExprKind::Math(f, args) => self.math(e, *f, args, seed, result),
            ExprKind::Tuple(parts) => self.parts(parts, seed, e.span, |k, span| {
                Proj::Field(syn::Member::Unnamed(syn::Index { index: k, span }))
            }),
            ExprKind::Array(parts) | ExprKind::VecLit(parts) => {
                self.parts(parts, seed, e.span, |k, span| Proj::Index(index(k, span)))
            }
            ExprKind::Repeat(a, _) | ExprKind::VecRepeat(a, _) => self.repeat(a, seed, e.span),
            ExprKind::Some(a) => {
                let place = self.seed_place(seed, e.span).then(Proj::Payload);
                self.run(a, Seed::Place(place), None);
            }
            ExprKind::Unary(UnOp::Not, _)
            | ExprKind::Lit(_)
            | ExprKind::None
            | ExprKind::Len(_)
            | ExprKind::VecNew(_)
            | ExprKind::Opaque(_)
            | ExprKind::NoGradient(_) => {}
            ExprKind::Rule("number", args) => self.run(&args[0], seed, result),
            ExprKind::Rule(..) | ExprKind::ZeroLike(_) | ExprKind::Zero | ExprKind::SumOf(_) => {
                self.adjoints.unsupported.push((e.span, "internal"));
            }
        }
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
        let checked = matches!(&value.kind, ExprKind::Rule("float", _));
        if matches!(ty, Ty::Unknown | Ty::Float) && !checked {
            rule("float", vec![value])
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
            self.adjoints.bind("d", value, self.out)
        }
    }

    fn seed_place(&mut self, seed: Seed, span: Span) -> Place {
        match seed {
            Seed::Place(p) => p,
            Seed::Value(Expr {
                kind: ExprKind::Read(p),
                ..
            }) => p,
            Seed::Value(value) => match self.adjoints.bind("d", value, self.out).kind {
                ExprKind::Read(p) => p,
                _ => Place::var(VarId(0), span), // `bind` returns a read
            },
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
        let rebuilt = match &e.kind {
            ExprKind::Unary(op, a) => ExprKind::Unary(*op, Box::new(self.value(a))),
            ExprKind::Binary(op, a, b) => {
                ExprKind::Binary(*op, Box::new(self.value(a)), Box::new(self.value(b)))
            }
            ExprKind::Cast(a, ty) => ExprKind::Cast(Box::new(self.value(a)), ty.clone()),
            ExprKind::Math(f, args) => {
                ExprKind::Math(*f, args.iter().map(|a| self.value(a)).collect())
            }
            other => other.clone(),
        };
        let bound = self
            .adjoints
            .bind("v", Expr::new(rebuilt, e.ty.clone(), e.span), self.out);
        self.values.insert(key, bound.clone());
        bound
    }

    fn active(&self, e: &Expr) -> bool {
        self.adjoints.activity.expr_active(e)
    }

    fn binary(
        &mut self,
        e: &Expr,
        op: BinOp,
        a: &Expr,
        b: &Expr,
        seed: Seed,
        result: Option<&Expr>,
    ) {
        let both = self.active(a) && self.active(b);
        let seed = if both {
            self.seed_atom(seed, &e.ty)
        } else {
            self.seed_value(seed, &e.ty)
        };
        let mut left = None;
        let mut right = None;
        match op {
            BinOp::Add => (left, right) = (Some(seed.clone()), Some(seed)),
            BinOp::Sub => (left, right) = (Some(seed.clone()), Some(negated(seed))),
            BinOp::Mul => {
                if self.active(a) {
                    left = Some(binary(BinOp::Mul, seed.clone(), self.value(b)));
                }
                if self.active(b) {
                    right = Some(binary(BinOp::Mul, seed, self.value(a)));
                }
            }
            BinOp::Div => {
                let y = self.value(b);
                if self.active(a) {
                    left = Some(rule("div_lhs", vec![seed.clone(), y.clone()]));
                }
                if self.active(b) {
                    let r = result.cloned().unwrap_or_else(|| self.value(e));
                    right = Some(rule("div_rhs", vec![seed, y, r]));
                }
            }
            BinOp::Rem => {
                if self.active(b) {
                    right = Some(rule(
                        "rem_rhs",
                        vec![seed.clone(), self.value(a), self.value(b)],
                    ));
                }
                left = Some(seed);
            }
            BinOp::And
            | BinOp::Or
            | BinOp::BitAnd
            | BinOp::BitOr
            | BinOp::BitXor
            | BinOp::Shl
            | BinOp::Shr => {}
            BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => {}
        }
        if let Some(left) = left {
            self.run(a, Seed::Value(left), None);
        }
        if let Some(right) = right {
            self.run(b, Seed::Value(right), None);
        }
    }

    fn cast(&mut self, e: &Expr, a: &Expr, seed: Seed) {
        if a.ty == Ty::Float {
            let value = self.seed_value(seed, &e.ty);
            let back = Expr::new(
                ExprKind::Rule("cast", vec![value, a.clone()]),
                a.ty.clone(),
                e.span,
            );
            self.run(a, Seed::Value(back), None);
            return;
        }
        let target: syn::Type = match &a.ty {
            Ty::F32 => syn::parse_quote!(f32),
            Ty::F64 => syn::parse_quote!(f64),
            _ => {
                self.adjoints.unsupported.push((e.span, "cast-of-unknown"));
                return;
            }
        };
        let value = self.seed_value(seed, &e.ty);
        let back = Expr::new(
            ExprKind::Cast(Box::new(value), Box::new(target)),
            a.ty.clone(),
            e.span,
        );
        self.run(a, Seed::Value(back), None);
    }

    fn parts(&mut self, parts: &[Expr], seed: Seed, span: Span, proj: impl Fn(u32, Span) -> Proj) {
        let place = self.seed_place(seed, span);
        for (k, part) in (0..).zip(parts) {
            self.run(part, Seed::Place(place.then(proj(k, span))), None);
        }
    }

    /// `[a; n]`: the adjoint of `a` is the sum over the elements.
    fn repeat(&mut self, a: &Expr, seed: Seed, span: Span) {
        let place = self.seed_place(seed, span);
        if a.ty.is_float() {
            let sum = Expr::new(ExprKind::SumOf(place), a.ty.clone(), span);
            let sum = self.adjoints.bind("d", sum, self.out);
            self.run(a, Seed::Value(sum), None);
            return;
        }
        self.for_each_element(&place, span, |back, element| {
            back.run(a, Seed::Place(element), None)
        });
    }

    /// A loop over the elements of an adjoint.
    pub(crate) fn for_each_element(
        &mut self,
        place: &Place,
        span: Span,
        body: impl FnOnce(&mut Back<'_, 'a>, Place),
    ) {
        let name = self.adjoints.func.fresh_name("k", Span::mixed_site());
        let ty = Ty::Int(Some("usize"));
        let var = self.adjoints.func.add(VarInfo {
            name,
            ty: ty.clone(),
            mutable: false,
            kind: VarKind::Counter,
            constant: false,
        });
        let element = place.then(Proj::Index(Expr::read_var(var, ty.clone(), span)));
        let mut inner = Vec::new();
        body(&mut Back::new(self.adjoints, &mut inner), element);
        let range = RangeIter {
            lo: index(0, span),
            hi: Expr::new(ExprKind::Len(place.clone()), ty, span),
            inclusive: false,
            step: None,
            rev: false,
            rev_first: false,
        };
        let kind = Domain::Range { var, range };
        self.push(
            StmtKind::Loop(Loop::forward(
                LoopId::MADE,
                kind,
                Block { stmts: inner },
                None,
            )),
            span,
        );
    }

    fn math(&mut self, e: &Expr, f: MathFn, args: &[Expr], seed: Seed, result: Option<&Expr>) {
        let active = args.iter().filter(|a| self.active(a)).count();
        let seed = if active > 1 {
            self.seed_atom(seed, &e.ty)
        } else {
            self.seed_value(seed, &e.ty)
        };
        let mut contributions = Vec::new();
        for (k, arg) in args.iter().enumerate() {
            if self.active(arg) {
                contributions.push((arg, self.partial(e, f, args, k, &seed, result)));
            }
        }
        for (arg, contribution) in contributions {
            if let Some(contribution) = contribution {
                self.run(arg, Seed::Value(contribution), None);
            }
        }
    }

    /// `seed · ∂f/∂args[k]`, or `None` where the derivative is zero everywhere.
    fn partial(
        &mut self,
        e: &Expr,
        f: MathFn,
        args: &[Expr],
        k: usize,
        seed: &Expr,
        result: Option<&Expr>,
    ) -> Option<Expr> {
        let s = seed.clone();
        let x = |this: &mut Self, i: usize| this.value(&args[i]);
        let r = |this: &mut Self| result.cloned().unwrap_or_else(|| this.value(e));
        if f == MathFn::Sqrt
            && let Some(s) = without_factor(seed, &args[0])
        {
            let r = r(self);
            return Some(rule("sqrt_times", vec![s.clone(), r]));
        }
        Some(match (f, k) {
            (
                MathFn::Sin
                | MathFn::Cos
                | MathFn::Asin
                | MathFn::Acos
                | MathFn::Atan
                | MathFn::Sinh
                | MathFn::Cosh
                | MathFn::Asinh
                | MathFn::Acosh
                | MathFn::Atanh
                | MathFn::Ln
                | MathFn::Ln1p
                | MathFn::Log2
                | MathFn::Log10
                | MathFn::Abs,
                _,
            ) => {
                let x0 = x(self, 0);
                rule(f.name(), vec![s, x0])
            }
            (
                MathFn::Tan
                | MathFn::Tanh
                | MathFn::Exp
                | MathFn::Exp2
                | MathFn::ExpM1
                | MathFn::Sqrt
                | MathFn::Cbrt
                | MathFn::Recip,
                _,
            ) => {
                let r = r(self);
                rule(f.name(), vec![s, r])
            }
            (MathFn::ToDegrees | MathFn::ToRadians, _) => rule(f.name(), vec![s]),
            (
                MathFn::Signum
                | MathFn::Floor
                | MathFn::Ceil
                | MathFn::Round
                | MathFn::RoundTiesEven
                | MathFn::Trunc
                | MathFn::DivEuclid,
                _,
            ) => {
                return None;
            }
            (MathFn::Fract, _) | (MathFn::RemEuclid, 0) | (MathFn::MulAdd, 2) => s,
            (MathFn::MulAdd, 0) => binary(BinOp::Mul, s, x(self, 1)),
            (MathFn::MulAdd, _) => binary(BinOp::Mul, s, x(self, 0)),
            (MathFn::RemEuclid, _) => rule("rem_euclid_rhs", vec![s, x(self, 0), x(self, 1)]),
            (MathFn::Powi, 0) => rule("powi", vec![s, x(self, 0), x(self, 1)]),
            (MathFn::Powi, _) => return None,
            (MathFn::Powf, 0) => rule("powf_base", vec![s, x(self, 0), x(self, 1)]),
            (MathFn::Powf, _) => rule("powf_exponent", vec![s, x(self, 0), x(self, 1), r(self)]),
            (MathFn::Log, 0) => rule("log_arg", vec![s, x(self, 0), x(self, 1)]),
            (MathFn::Log, _) => rule("log_base", vec![s, x(self, 0), x(self, 1), r(self)]),
            (MathFn::Hypot, 0) => rule("hypot_lhs", vec![s, x(self, 0), r(self)]),
            (MathFn::Hypot, _) => rule("hypot_rhs", vec![s, x(self, 1), r(self)]),
            (MathFn::Atan2, 0) => rule("atan2_lhs", vec![s, x(self, 0), x(self, 1)]),
            (MathFn::Atan2, _) => rule("atan2_rhs", vec![s, x(self, 0), x(self, 1)]),
            (MathFn::Copysign, 0) => rule("copysign", vec![s, x(self, 0), x(self, 1)]),
            (MathFn::Copysign, _) => return None,
            (MathFn::Max, 0) => rule("max_lhs", vec![s, x(self, 0), x(self, 1)]),
            (MathFn::Max, _) => rule("max_rhs", vec![s, x(self, 0), x(self, 1)]),
            (MathFn::Min, 0) => rule("min_lhs", vec![s, x(self, 0), x(self, 1)]),
            (MathFn::Min, _) => rule("min_rhs", vec![s, x(self, 0), x(self, 1)]),
            (MathFn::Clamp, 0) => rule("clamp", vec![s, x(self, 0), x(self, 1), x(self, 2)]),
            (MathFn::Clamp, 1) => rule("clamp_lo", vec![s, x(self, 0), x(self, 1), x(self, 2)]),
            (MathFn::Clamp, _) => rule("clamp_hi", vec![s, x(self, 0), x(self, 1), x(self, 2)]),
        })
    }
}

fn is_atom(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Lit(_) => true,
        ExprKind::Read(p) => p.is_var(),
        ExprKind::Unary(UnOp::Neg, a) => is_atom(a),
        _ => false,
    }
}

/// The other factor of a product with `x`: where a root is multiplied with its square, the two cancel without a division.
fn without_factor<'e>(e: &'e Expr, x: &Expr) -> Option<&'e Expr> {
    let ExprKind::Binary(BinOp::Mul, a, b) = &e.kind else {
        return None;
    };
    match (same(a, x), same(b, x)) {
        (_, true) => Some(a),
        (true, _) => Some(b),
        _ => None,
    }
}

fn negated(e: Expr) -> Expr {
    if let ExprKind::Unary(UnOp::Neg, inner) = e.kind {
        return *inner;
    }
    let (ty, span) = (e.ty.clone(), e.span);
    Expr::new(ExprKind::Unary(UnOp::Neg, Box::new(e)), ty, span)
}

fn rule(name: &'static str, args: Vec<Expr>) -> Expr {
    let (ty, span) = (args[0].ty.clone(), args[0].span);
    Expr::new(ExprKind::Rule(name, args), ty, span)
}

/// A literal index.
pub(crate) fn index(k: u32, span: Span) -> Expr {
    Expr::integer(k.into(), &Ty::Int(Some("usize")), span)
}
