//! Evaluates straight-line code of numbers, with the functions of std and the rules of the runtime.

use ad_runtime::rules;

use crate::ir::hash::HashMap;
use crate::ir::{
    BinOp, CastTarget, Expr, ExprKind, MathFn, Place, Rule, Stmt, StmtKind, Ty, UnOp, VarId,
};

/// The values of variables; what has none is an adjoint or a tangent that nothing has been added to.
#[derive(Default)]
pub(crate) struct Values(pub(crate) HashMap<VarId, f64>);

impl Values {
    pub(crate) fn get(&self, var: VarId) -> f64 {
        self.0.get(&var).copied().unwrap_or_default()
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "a test that stops at, or skips, what it is not about"
    )]
    pub(crate) fn run(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Let {
                    var,
                    init: Some(init),
                } => self.set(*var, init),
                StmtKind::Assign { place, value, .. } => self.set(variable(place), value),
                StmtKind::Update { place, op, value } => {
                    let var = variable(place);
                    let value = operator(*op, self.get(var), self.expr(value));
                    self.0.insert(var, value);
                }
                other => panic!("not straight-line code: {other:?}"),
            }
        }
    }

    fn set(&mut self, var: VarId, value: &Expr) {
        let value = self.expr(value);
        self.0.insert(var, value);
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "a test that stops at, or skips, what it is not about"
    )]
    fn expr(&self, e: &Expr) -> f64 {
        let all = |args: &[Expr]| args.iter().map(|a| self.expr(a)).collect::<Vec<_>>();
        match &e.kind {
            ExprKind::Lit(lit) if lit.is_int() => lit.text().parse().expect("an integer"),
            ExprKind::Lit(lit) => lit.float().expect("a float"),
            ExprKind::Zero => 0.0,
            ExprKind::Read(place) => self.get(variable(place)),
            ExprKind::Unary(UnOp::Neg, a) => -self.expr(a),
            ExprKind::Binary(op, a, b) => operator(*op, self.expr(a), self.expr(b)),
            ExprKind::Cast(a, CastTarget::Primitive(Ty::F32)) => rounded(self.expr(a)),
            ExprKind::Cast(a, CastTarget::Primitive(Ty::F64)) => self.expr(a),
            ExprKind::Math(f, args) => function(*f, &all(args)),
            ExprKind::Rule(of, args) => rule(*of, &all(args)),
            other => panic!("no number: {other:?}"),
        }
    }
}

fn variable(place: &Place) -> VarId {
    assert!(place.is_var(), "a variable");
    place.root
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test that stops at, or skips, what it is not about"
)]
fn operator(op: BinOp, a: f64, b: f64) -> f64 {
    match op {
        BinOp::Add => a + b,
        BinOp::Sub => a - b,
        BinOp::Mul => a * b,
        BinOp::Div => a / b,
        BinOp::Rem => a % b,
        _ => panic!("{op:?} is not arithmetic"),
    }
}

/// A function that calls what each variant is named after, and one that says how many parameters that has: rustc
/// compares both with the functions there are.
macro_rules! calls {
    ($call:ident $parameters:ident $type:ident $path:ident;
        1: $($one:ident $f:ident)*; 2: $($two:ident $g:ident)*; 3: $($three:ident $h:ident)*;
            4: $($four:ident $k:ident)*;
        $($other:ident $n:literal $args:pat => $value:expr),* $(,)?) => {
        pub(super) fn $call(of: $type, args: &[f64]) -> f64 {
            match (of, args) {
                $(($type::$one, [a]) => $path::$f(*a),)*
                $(($type::$two, [a, b]) => $path::$g(*a, *b),)*
                $(($type::$three, [a, b, c]) => $path::$h(*a, *b, *c),)*
                $(($type::$four, [a, b, c, d]) => $path::$k(*a, *b, *c, *d),)*
                $(($type::$other, $args) => $value,)*
                (_, args) => panic!("{of:?} has not {} parameters", args.len()),
            }
        }

        pub(super) fn $parameters(of: $type) -> usize {
            match of {
                $($type::$one => 1,)*
                $($type::$two => 2,)*
                $($type::$three => 3,)*
                $($type::$four => 4,)*
                $($type::$other => $n,)*
            }
        }
    };
}

#[allow(clippy::cast_possible_truncation, reason = "that is what it is for")]
fn rounded(x: f64) -> f64 {
    f64::from(x as f32)
}

#[allow(clippy::cast_possible_truncation, reason = "integers among numbers")]
fn integer(n: f64) -> i32 {
    n as i32
}

calls! { function arguments MathFn f64;
    1: Sin sin Cos cos Tan tan Asin asin Acos acos Atan atan Sinh sinh Cosh cosh Tanh tanh Asinh asinh Acosh acosh
        Atanh atanh
        Exp exp Exp2 exp2 ExpM1 exp_m1 Ln ln Ln1p ln_1p Log2 log2 Log10 log10 Sqrt sqrt Cbrt cbrt Recip recip Abs abs
        Signum signum Fract fract Floor floor Ceil ceil Round round RoundTiesEven round_ties_even Trunc trunc
        ToDegrees to_degrees ToRadians to_radians;
    2: Atan2 atan2 Log log Powf powf Hypot hypot RemEuclid rem_euclid DivEuclid div_euclid Copysign copysign Min min
        Max max Midpoint midpoint;
    3: MulAdd mul_add Clamp clamp;
    4:;
    Powi 2 [x, n] => x.powi(integer(*n)),
}

calls! { rule parameters Rule rules;
    1: ToDegrees to_degrees ToRadians to_radians Half half Inverse inverse;
    2: Sin sin Cos cos Tan tan Asin asin Acos acos Atan atan Sinh sinh Cosh cosh Tanh tanh Asinh asinh Acosh acosh
        Atanh atanh
        Exp exp Exp2 exp2 ExpM1 exp_m1 Ln ln Ln1p ln_1p Log2 log2 Log10 log10 Sqrt sqrt Cbrt cbrt Recip recip Abs abs
        DivLhs div_lhs SqrtTimes sqrt_times SqrtBy sqrt_by DivLhsBy div_lhs_by Cast cast;
    3: Atan2Lhs atan2_lhs Atan2Rhs atan2_rhs LogArg log_arg HypotLhs hypot_lhs HypotRhs hypot_rhs
        RemEuclidRhs rem_euclid_rhs Copysign copysign MinLhs min_lhs MinRhs min_rhs MaxLhs max_lhs MaxRhs max_rhs
        DivRhs div_rhs DivRhsBy div_rhs_by RemRhs rem_rhs;
    4: LogBase log_base PowfBase powf_base PowfExponent powf_exponent Clamp clamp ClampLo clamp_lo ClampHi clamp_hi;
    Powi 3 [s, x, n] => rules::powi(*s, *x, integer(*n)),
    MulAdd 3 [a, b, c] => a * b + c,
    Number 1 [x] => *x,
    Integer 1 [x] => *x,
    Position 1 [x] => *x,
    Float 1 [s] => *s,
    Uncast 1 [s] => *s,
    Workers 2 [_, _] => panic!("no arithmetic"),
}
