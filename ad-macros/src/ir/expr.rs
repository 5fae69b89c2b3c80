//! Pure expressions.

use proc_macro2::{Ident, Span};

use super::constructor::Constructor;
use super::literal::Lit;
use super::versions::Function;
use super::{BinOp, CastTarget, Len, MathFn, Place, Rule, Ty, UnOp, VarId};
use crate::ir::hash::HashSet;

/// A pure expression.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) ty: Ty,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    /// A literal as written (never negative; `-1.0` is `Neg(Lit)`).
    Lit(Lit),
    /// The value in a place: a copy of a scalar, a clone of anything else. If the type is that of a reference, a shared
    /// reference to the place, as an operand of an operator on types that the macro does not see.
    Read(Place),
    Unary(UnOp, Box<Expr>),
    /// Arithmetic, comparison and boolean operators. `&&`/`||` short-circuit. Arithmetic on types that the macro does
    /// not see may be the user's ([`Expr::is_operator`]).
    Binary(BinOp, Box<Expr>, Box<Expr>),
    /// `e as T`; `ty` of the node is the target, as far as it is known.
    Cast(Box<Expr>, CastTarget),
    /// A float function with the receiver first. `written_path` forms (`f64::sin(x)`) are the same node.
    Math(MathFn, Vec<Expr>),
    Tuple(Vec<Expr>),
    Array(Vec<Expr>),
    /// `P { a, b, ..base }`, `V(a, b)`: the values of the fields in the order of the text, then the base if any.
    Struct(Box<Constructor>, Vec<Expr>),
    /// `[value; len]`
    Repeat(Box<Expr>, Box<Len>),
    /// `vec![a, b, c]`
    VecLit(Vec<Expr>),
    /// `vec![value; len]`
    VecRepeat(Box<Expr>, Box<Expr>),
    /// `Vec::new()`, `Vec::with_capacity(n)`
    VecNew(Option<Box<Expr>>),
    /// `Some(e)`
    Some(Box<Expr>),
    /// `None`
    None,
    /// `place.len()`
    Len(Place),
    /// `place.to_vec()`: a vector of the elements of an array, slice or vector.
    ToVec(Place),
    /// Code kept as written, whose result carries no derivative (the activity analysis checks it).
    Opaque(Box<Opaque>),
    /// `no_gradient(e)`: the value of `e`, without derivative.
    NoGradient(Box<Expr>),

    // What only the sweeps hold.
    /// A derivative rule of the runtime: `rules::name(args)`.
    Rule(Rule, Vec<Expr>),
    /// A function of the runtime, or a constant.
    Function(Function, Vec<Expr>),
    /// The zero adjoint for the value in a place (its shape is read).
    ZeroLike(Place),
    /// The zero adjoint of a type whose shape the type gives.
    Zero,
    /// The sum of the elements of a slice of floats.
    SumOf(Place),
}

/// A pattern for the expressions that have no place of their own.
macro_rules! placeless {
    () => {
        ExprKind::Lit(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Cast(..)
            | ExprKind::Math(..)
            | ExprKind::Tuple(_)
            | ExprKind::Array(_)
            | ExprKind::Struct(..)
            | ExprKind::Repeat(..)
            | ExprKind::VecLit(_)
            | ExprKind::VecRepeat(..)
            | ExprKind::VecNew(_)
            | ExprKind::Some(_)
            | ExprKind::None
            | ExprKind::Opaque(_)
            | ExprKind::NoGradient(_)
            | ExprKind::Rule(..)
            | ExprKind::Function(..)
            | ExprKind::Zero
    };
}

/// The operands of an expression, which have at most three but for long tuples and arrays.
pub(crate) type Operands<E> = Vec<E>;

/// User code emitted as it stands, with the variables in it replaced.
#[derive(Clone, Debug)]
pub(crate) struct Opaque {
    /// The code; every variable or view in it is one of the placeholder identifiers of `args`.
    pub(crate) code: syn::Expr,
    pub(crate) args: Vec<(Ident, OpaqueArg)>,
    /// What it is, for the message when a derivative would be lost in it.
    pub(crate) kind: OpaqueKind,
}

impl Opaque {
    /// The compiler's own: lets rustc check what a place is.
    pub(crate) fn check(what: &'static str, place: &Place) -> Self {
        let name = Ident::new("__checked", Span::mixed_site());
        Opaque {
            code: syn::parse_quote!(#name),
            args: vec![(name, OpaqueArg::Ref(place.clone()))],
            kind: OpaqueKind::Other(what),
        }
    }
}

/// What a placeholder stands for.
#[derive(Clone, Debug)]
pub(crate) enum OpaqueArg {
    /// A variable or the place behind a view dereferenced: emitted as the bare place `x`, `x[i].0`.
    Place(Place),
    /// A shared view: emitted as `(&place)`.
    Ref(Place),
    /// A mutable view or `&mut` of a local, passed to code without derivative: emitted as `(&mut place)`; a write.
    RefMut(Place),
    /// A value computed before (pure): emitted in parentheses.
    Value(Expr),
}

/// Why a piece of code is opaque.
#[derive(Clone, Debug)]
pub(crate) enum OpaqueKind {
    /// A method that the compiler has no rule for: `.name(…)`.
    Method(Ident),
    /// A call of something that is not a path, or a path call in passive position.
    Call(String),
    /// A macro of the fixed list.
    Macro(String),
    /// A constant, static, or associated constant.
    Const,
    /// Anything else whose result cannot carry a derivative (a pattern selection, a comparison of tuples).
    Other(&'static str),
}

impl OpaqueKind {
    /// Whether the code is a call of a macro that (as std's) only checks or prints.
    pub(crate) fn goes_on(&self) -> bool {
        match self {
            OpaqueKind::Macro(name) => {
                let name = name.trim_end_matches('!');
                name.contains("assert")
                    || matches!(name, "print" | "println" | "eprint" | "eprintln")
            }
            OpaqueKind::Method(_)
            | OpaqueKind::Call(_)
            | OpaqueKind::Const
            | OpaqueKind::Other(_) => false,
        }
    }
}

/// The kind of a statement that compiles only if its operand is a slice, an array or a `Vec`.
pub(crate) const SEQUENCE: &str = "a check of a type";

/// What stands in front of code kept as written where what it yields is to carry no derivative: rustc checks it.
pub(crate) const ANSWER: &str = "__retrograde_answer";

/// The kind of a statement that compiles only if its operand is a `Box`, or carries no derivative.
pub(crate) const IS_BOX: &str = "a check that a value is a `Box`";

/// The kind of a statement that compiles only if its operand is a pointer of std's.
pub(crate) const IS_POINTER: &str = "a check that a value is a pointer";

/// The kind of a statement that compiles only if its operand is a `Vec`.
pub(crate) const IS_VEC: &str = "a check that a value is a `Vec`";

/// The kind of a statement that compiles only if its operand is a `VecDeque`.
pub(crate) const IS_QUEUE: &str = "a check that a value is a `VecDeque`";

/// The kind of a statement that compiles only if its operand is an `Option`.
pub(crate) const IS_OPTION: &str = "a check that a value is an `Option`";

/// The kind of a statement that compiles only if its operand is `Copy`.
pub(crate) const IS_COPY: &str = "a check that a value is `Copy`";

/// The kind of a statement that panics as `None.unwrap()` does if its first operand holds.
pub(crate) const UNWRAPPED: &str = "a check";

/// The function with which a sort finds the order, in code that the compiler keeps.
pub(crate) const ORDER: &str = "__retrograde_order";

/// The kind of a statement that compiles only if what is indexed has elements: a slice, an array or a `Vec`.
pub(crate) const ELEMENTS: &str = "a check that elements are a value's own";

/// The kind of a statement that compiles only if a field of its operand is one of its own.
pub(crate) const PARTS: &str = "a check that fields are a value's own";

/// The kind of a statement that compiles only if a method of a sequence, or of what is none, is not a trait's in scope.
pub(crate) const STD_NAME: &str = "a check of the name of a method";

/// The kind of a statement that panics where a part of an array does not exist.
pub(crate) const BOUNDS: &str = "a bounds check";

/// The kind of `f64::from(e)` where the type of `e` is not known.
pub(crate) const CONVERSION: &str = "a conversion of a value whose type is not known";

/// The kind of code that makes an error, or takes one: it runs once, and what goes into it has no derivative in it.
pub(crate) const ERROR: &str = "Err(…)";

/// The kind of a statement that runs `clone` of its operand, and panics where a field of the clone differs; of two
/// operands, `clone_from` of the first with the second.
pub(crate) const CLONED: &str = "a check of a clone";

/// The kind of a value of the forward sweep: what is kept of the result of a call, which is its operand. The code names
/// the callee, whose companion decides.
pub(crate) const KEPT: &str = "what is kept of a result";

/// The kind of the result of a call in the reverse sweep: what was kept, the first operand, or the result of the same
/// call with the others.
pub(crate) const AGAIN: &str = "a result again";

/// Whether code of this kind lets rustc check types, or panics where an index does not exist, and does nothing else.
pub(crate) fn is_check(kind: &str) -> bool {
    let checks = [
        SEQUENCE, IS_BOX, IS_POINTER, IS_VEC, IS_QUEUE, IS_OPTION, IS_COPY, ELEMENTS, PARTS,
        STD_NAME, BOUNDS,
    ];
    checks.contains(&kind)
}

/// What `mem::take` leaves behind.
pub(crate) const DEFAULT_VALUE: &str = "a default value";

impl Expr {
    /// `Default::default()`
    pub(crate) fn default_value(ty: Ty, span: Span) -> Expr {
        let opaque = Opaque {
            code: syn::parse_quote!(::core::default::Default::default()),
            args: Vec::new(),
            kind: OpaqueKind::Other(DEFAULT_VALUE),
        };
        Expr::new(ExprKind::Opaque(Box::new(opaque)), ty, span)
    }

    pub(crate) fn new(kind: ExprKind, ty: Ty, span: Span) -> Self {
        Expr { kind, ty, span }
    }

    /// Whether it is an operator on a type that the macro does not see: rustc chooses what it means, and its rule.
    pub(crate) fn is_operator(&self) -> bool {
        let number = |e: &Expr| e.ty.is_scalar() || e.ty == Ty::Index;
        if let ExprKind::Unary(_, a) = &self.kind {
            !number(a)
        } else if let ExprKind::Binary(op, a, b) = &self.kind {
            !(op.is_logical() || number(self) && number(a) && number(b))
        } else {
            false
        }
    }

    /// The place that it is a reference to.
    pub(crate) fn referenced(&self) -> Option<&Place> {
        match (&self.kind, &self.ty) {
            (ExprKind::Read(place), Ty::Ref(false, _)) => Some(place),
            _ => None,
        }
    }

    /// The operands directly below, those of opaque code included; the indices of places are not operands.
    pub(crate) fn children(&self) -> Operands<&Expr> {
        let mut children = Operands::new();
        self.each_child(&mut |child| children.push(child));
        children
    }

    /// Calls `f` with each of them.
    pub(crate) fn each_child<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        match &self.kind {
            ExprKind::Unary(_, a)
            | ExprKind::Cast(a, _)
            | ExprKind::Repeat(a, _)
            | ExprKind::VecNew(Some(a))
            | ExprKind::Some(a)
            | ExprKind::NoGradient(a) => f(a),
            ExprKind::Binary(_, a, b) | ExprKind::VecRepeat(a, b) => {
                f(a);
                f(b);
            }
            ExprKind::Math(_, args)
            | ExprKind::Rule(_, args)
            | ExprKind::Function(_, args)
            | ExprKind::Tuple(args)
            | ExprKind::Struct(_, args)
            | ExprKind::Array(args)
            | ExprKind::VecLit(args) => args.iter().for_each(f),
            ExprKind::Opaque(o) => {
                for (_, arg) in &o.args {
                    match arg {
                        OpaqueArg::Value(e) => f(e),
                        OpaqueArg::Place(_) | OpaqueArg::Ref(_) | OpaqueArg::RefMut(_) => {}
                    }
                }
            }
            ExprKind::Lit(_)
            | ExprKind::Read(_)
            | ExprKind::VecNew(None)
            | ExprKind::None
            | ExprKind::Len(_)
            | ExprKind::ToVec(_)
            | ExprKind::ZeroLike(_)
            | ExprKind::Zero
            | ExprKind::SumOf(_) => {}
        }
    }

    /// As [`children`](Self::children), to be changed.
    pub(crate) fn children_mut(&mut self) -> Operands<&mut Expr> {
        match &mut self.kind {
            ExprKind::Unary(_, a)
            | ExprKind::Cast(a, _)
            | ExprKind::Repeat(a, _)
            | ExprKind::VecNew(Some(a))
            | ExprKind::Some(a)
            | ExprKind::NoGradient(a) => vec![&mut **a],
            ExprKind::Binary(_, a, b) | ExprKind::VecRepeat(a, b) => vec![&mut **a, &mut **b],
            ExprKind::Math(_, args)
            | ExprKind::Rule(_, args)
            | ExprKind::Function(_, args)
            | ExprKind::Tuple(args)
            | ExprKind::Struct(_, args)
            | ExprKind::Array(args)
            | ExprKind::VecLit(args) => args.iter_mut().collect(),
            ExprKind::Opaque(o) => o
                .args
                .iter_mut()
                .filter_map(|(_, arg)| match arg {
                    OpaqueArg::Value(e) => Some(e),
                    OpaqueArg::Place(_) | OpaqueArg::Ref(_) | OpaqueArg::RefMut(_) => None,
                })
                .collect(),
            ExprKind::Lit(_)
            | ExprKind::Read(_)
            | ExprKind::VecNew(None)
            | ExprKind::None
            | ExprKind::Len(_)
            | ExprKind::ToVec(_)
            | ExprKind::ZeroLike(_)
            | ExprKind::Zero
            | ExprKind::SumOf(_) => Vec::new(),
        }
    }

    /// The place that it reads, or whose length or shape it asks for. Opaque code has others.
    pub(crate) fn place(&self) -> Option<&Place> {
        match &self.kind {
            ExprKind::Read(p)
            | ExprKind::Len(p)
            | ExprKind::ToVec(p)
            | ExprKind::ZeroLike(p)
            | ExprKind::SumOf(p) => Some(p),
            placeless!() => None,
        }
    }

    /// As [`place`](Self::place), to be changed.
    pub(crate) fn place_mut(&mut self) -> Option<&mut Place> {
        match &mut self.kind {
            ExprKind::Read(p)
            | ExprKind::Len(p)
            | ExprKind::ToVec(p)
            | ExprKind::ZeroLike(p)
            | ExprKind::SumOf(p) => Some(p),
            placeless!() => None,
        }
    }

    /// Whether a variable is read, or part of it.
    pub(crate) fn reads(&self, var: VarId) -> bool {
        let mut found = false;
        super::expr_reads(self, &mut |p| found |= p.root == var);
        found
    }

    /// Whether one of the variables is read, or part of it.
    pub(crate) fn reads_any(&self, vars: &HashSet<VarId>) -> bool {
        let mut found = false;
        super::expr_reads(self, &mut |p| found |= vars.contains(&p.root));
        found
    }

    /// Whether it is the literal `0` of an integer.
    pub(crate) fn is_zero_literal(&self) -> bool {
        self.int_literal() == Some(0)
    }

    /// The number that the text shows, if it is an integer.
    pub(crate) fn int_literal(&self) -> Option<u64> {
        if let ExprKind::Lit(lit) = &self.kind {
            u64::try_from(lit.int()?).ok()
        } else {
            None
        }
    }

    /// The same of a float, to the nearest `f64`.
    pub(crate) fn float_literal(&self) -> Option<f64> {
        if let ExprKind::Lit(lit) = &self.kind {
            lit.float()
        } else {
            None
        }
    }

    /// How many operations and operands it is made of, itself among them.
    pub(crate) fn size(&self) -> usize {
        1 + self.children().into_iter().map(Expr::size).sum::<usize>()
    }

    pub(crate) fn read_var(var: VarId, ty: Ty, span: Span) -> Self {
        Expr {
            kind: ExprKind::Read(Place::var(var, span)),
            ty,
            span,
        }
    }
}

/// A constant of the user's.
pub(crate) fn is_constant(o: &Opaque) -> bool {
    matches!(o.kind, OpaqueKind::Const) && o.args.is_empty()
}

/// An operation on two values of the type of the first one.
pub(crate) fn binary(op: BinOp, a: Expr, b: Expr) -> Expr {
    let (ty, span) = (a.ty.clone(), a.span);
    Expr::new(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span)
}
