//! Unary, binary, compound and plain assignment operators, casts.

use proc_macro2::{Ident, Span};

use super::Lowerer;
use super::infer::{Class, Kind};
use super::opaque::Builder;
use super::scope::plain_ident;
use super::signature::cast_type;
use super::value::{Value, Want, span_of};
use crate::diag::catalog;
use crate::ir::{BinOp, Expr, ExprKind, OpaqueKind, Place, StmtKind, Ty, UnOp};
use crate::surroundings::is_constant_of_own;

impl Lowerer<'_> {
    pub(super) fn unary(&mut self, unary: &syn::ExprUnary) -> Value {
        let span = span_of(unary);
        let (op, operand) = match unary.op {
            syn::UnOp::Deref(_) => return self.deref(unary),
            syn::UnOp::Neg(_) => (UnOp::Neg, self.arithmetic_operand(&unary.expr)),
            syn::UnOp::Not(_) => (UnOp::Not, self.arithmetic_operand(&unary.expr)),
            _ => return self.refuse(unary, catalog::unsupported_expression("this operator")),
        };
        let ty = self.types.shallow(&operand.ty).peel().clone();
        Value::Expr(Expr::new(ExprKind::Unary(op, Box::new(operand)), ty, span))
    }

    pub(super) fn binary(&mut self, binary: &syn::ExprBinary) -> Value {
        let span = span_of(binary);
        if let Some(op) = compound_operator(&binary.op) {
            return self.compound(binary, op, span);
        }
        let Some(op) = operator(&binary.op) else {
            return self.refuse(&binary.op, catalog::unsupported_expression("this operator"));
        };
        match op {
            BinOp::And | BinOp::Or => {
                Value::Expr(self.short_circuit(op, &binary.left, &binary.right, span))
            }
            op if op.is_logical() => self.comparison(op, binary, span),
            _ if self.is_of_own_constants(binary) => self.keep(
                &syn::Expr::Binary(binary.clone()),
                OpaqueKind::Other("an operator of constants"),
            ),
            op => {
                let [a, b] = self.two_operands(&binary.left, &binary.right);
                Value::Expr(self.arithmetic(op, a, b, span))
            }
        }
    }

    /// Whether constants are all that an operator is about, some of a type of the user's: its result is none of theirs.
    fn is_of_own_constants(&self, binary: &syn::ExprBinary) -> bool {
        let mut names = Vec::new();
        let found = self.constants_of(&binary.left, &mut names)
            && self.constants_of(&binary.right, &mut names);
        found
            && names
                .into_iter()
                .any(|name| is_constant_of_own(name.span(), name))
    }

    /// The paths that an expression consists of, if these are no variables. Whether there is nothing else.
    fn constants_of<'e>(&self, e: &'e syn::Expr, names: &mut Vec<&'e Ident>) -> bool {
        match strip(e) {
            syn::Expr::Path(path) => {
                let local = plain_ident(path).is_some_and(|name| self.lookup(name).is_some());
                names.extend(path.path.segments.last().map(|last| &last.ident));
                !local && path.qself.is_none()
            }
            syn::Expr::Lit(_) => true,
            syn::Expr::Unary(unary) => self.constants_of(&unary.expr, names),
            syn::Expr::Binary(of) if operator(&of.op).is_some_and(|op| !op.is_logical()) => {
                self.constants_of(&of.left, names) && self.constants_of(&of.right, names)
            }
            _ => false,
        }
    }

    fn two_operands(&mut self, left: &syn::Expr, right: &syn::Expr) -> [Expr; 2] {
        let values = self.sequence([left, right], |l, e| Value::Expr(l.arithmetic_operand(e)));
        let mut operands = values
            .into_iter()
            .map(|v| self.stored_raw(v, Span::call_site()));
        [operands.next(), operands.next()].map(|e| e.expect("two operands"))
    }

    /// An operand of an operator. What it is of a reference, its type decides: a number, as far as one is known, is
    /// read; anything else stays behind the reference, since that may be another operator of the user's.
    pub(super) fn arithmetic_operand(&mut self, e: &syn::Expr) -> Expr {
        let (value, span) = (self.value(e, Want::Value), span_of(e));
        match value {
            Value::Ref(view) if !self.types.is_plain(&view.ty) => {
                let read = self.read(view.place, view.ty.clone());
                let ty = Ty::Ref(false, Box::new(view.ty));
                Expr { ty, ..read }
            }
            other => self.operand(other, span),
        }
    }

    pub(super) fn arithmetic(&mut self, op: BinOp, a: Expr, b: Expr, span: Span) -> Expr {
        let ty = match op {
            BinOp::Shl | BinOp::Shr => self.types.bits(&a.ty, &a.ty),
            BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor => self.types.bits(&a.ty, &b.ty),
            _ => self.types.arithmetic(op, &a.ty, &b.ty),
        };
        Expr::new(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span)
    }

    /// Comparisons of scalars are trees; those of anything else are kept as written.
    fn comparison(&mut self, op: BinOp, binary: &syn::ExprBinary, span: Span) -> Value {
        self.passive += 1;
        let values = self.sequence([&*binary.left, &*binary.right], |l, e| {
            match l.value(e, Want::Value) {
                value @ (Value::Opaque(..) | Value::Tuple(..)) => {
                    Value::Expr(l.stored(value, span_of(e)))
                }
                value => value,
            }
        });
        self.passive -= 1;
        let scalars = self.compares_scalars(&values);
        if scalars {
            let mut operands = values
                .into_iter()
                .map(|v| self.operand_raw(v, span))
                .collect::<Vec<_>>();
            let b = operands.pop().expect("two operands");
            let a = operands.pop().expect("two operands");
            self.types.unify(&a.ty, &b.ty);
            return Value::Expr(Expr::new(
                ExprKind::Binary(op, Box::new(a), Box::new(b)),
                Ty::Bool,
                span,
            ));
        }
        let mut builder = Builder::default();
        let beside_reference = [&binary.left, &binary.right]
            .into_iter()
            .zip(values.iter().rev())
            .map(|(e, other)| refers(e) && self.is_left_to_std(other))
            .collect::<Vec<_>>();
        let mut parts = values
            .into_iter()
            .zip(beside_reference)
            .map(|(v, refers)| match v {
                Value::Expr(e) if refers => builder.some_of_reference(self, e),
                v => builder.borrowed(self, v, span),
            })
            .collect::<Vec<_>>();
        let right = parts.pop().expect("two operands");
        let left = parts.pop().expect("two operands");
        let op = &binary.op;
        let code = syn::parse_quote!(#left #op #right);
        Value::Expr(builder.finish(
            self,
            code,
            OpaqueKind::Other("a comparison"),
            Ty::Bool,
            span,
        ))
    }

    /// Whether a value is what std made of references, of which no copy stands for what they lead to: it is of a type,
    /// or an option of one, that nothing shows.
    fn is_left_to_std(&mut self, value: &Value) -> bool {
        let ty = self.type_of(value);
        let open = |ty: &Ty| matches!(ty, Ty::Infer(_)) && self.types.class(ty) == Class::Open;
        match self.types.shallow(&ty) {
            Ty::Option(payload) => open(&self.types.shallow(&payload)),
            ty => open(&ty),
        }
    }

    /// Whether both sides are scalars: neither is known to be anything else, and one is known to be one.
    fn compares_scalars(&mut self, values: &[Value]) -> bool {
        let mut known = false;
        values.iter().all(|value| {
            let ty = self.type_of(value);
            known |= self.types.is_plain(&ty);
            self.types.is_plain(&ty) || self.types.class(&ty) == Class::Open
        }) && known
    }

    /// `&&`/`||`: a tree where the right side needs no statements, else a branch.
    fn short_circuit(
        &mut self,
        op: BinOp,
        left: &syn::Expr,
        right: &syn::Expr,
        span: Span,
    ) -> Expr {
        let left = self.passive_expr(left);
        self.types.unify(&left.ty, &Ty::Bool);
        self.open();
        let right = self.passive_expr(right);
        self.types.unify(&right.ty, &Ty::Bool);
        let (mut block, diverged) = self.close();
        if block.stmts.is_empty() && !diverged {
            return Expr::new(
                ExprKind::Binary(op, Box::new(left), Box::new(right)),
                Ty::Bool,
                span,
            );
        }
        let result = self.temp("condition", Ty::Bool, span);
        let set = |value: Expr| {
            crate::ir::Stmt::new(
                StmtKind::Assign {
                    place: Place::var(result, span),
                    value,
                    init: true,
                },
                span,
            )
        };
        if !diverged {
            block.stmts.push(set(right));
        }
        let shortcut = crate::ir::Block {
            stmts: vec![set(self.bool_literal(op == BinOp::Or, span))],
        };
        let arms = if op == BinOp::And {
            vec![block, shortcut]
        } else {
            vec![shortcut, block]
        };
        self.emit_let(result, None, span);
        self.emit(
            StmtKind::Switch {
                selector: left,
                arms,
            },
            span,
        );
        Expr::read_var(result, Ty::Bool, span)
    }

    // Assignment.

    /// Evaluates for its effects, and for the panic that it may be.
    pub(super) fn discard(&mut self, value: Value, span: Span) {
        match value {
            Value::Expr(e) if super::effects::may_panic(&e) => {
                self.in_temp("unused", e);
            }
            Value::Place(place, _) => self.check_bounds(&place),
            Value::Ref(view) => self.check_bounds(&view.place),
            Value::Opaque(opaque, _, _) => self.emit(StmtKind::Opaque(opaque), span),
            Value::Tuple(values, _) => values.into_iter().for_each(|v| self.discard(v, span)),
            Value::Expr(_) | Value::Unit | Value::Never | Value::Error => {}
        }
    }

    // Casts.

    pub(super) fn cast(&mut self, cast: &syn::ExprCast) -> Value {
        let span = span_of(cast);
        let target = cast_type(&cast.ty);
        let to_float = target.as_ref().is_none_or(Ty::is_float);
        let operand = if to_float {
            self.expr(&cast.expr)
        } else {
            self.passive_expr(&cast.expr)
        };
        let passive = self.types.is_passive(&operand.ty)
            || matches!(operand.kind, ExprKind::Opaque(_) | ExprKind::NoGradient(_))
            || self.lenient > 0;
        let to = self.func.written.target(&cast.ty, target.as_ref());
        let ty = match target {
            Some(ty) => ty,
            None if passive => self.types.fresh(Kind::General),
            None => return self.refuse(&cast.ty, catalog::cast_target()),
        };
        Value::Expr(Expr::new(ExprKind::Cast(Box::new(operand), to), ty, span))
    }
}

/// `Some(&e)`
fn refers(e: &syn::Expr) -> bool {
    let syn::Expr::Call(call) = strip(e) else {
        return false;
    };
    let some = matches!(&*call.func, syn::Expr::Path(path) if path.path.is_ident("Some"));
    let reference =
        |arg: &syn::Expr| matches!(strip(arg), syn::Expr::Reference(r) if r.mutability.is_none());
    some && call.args.first().is_some_and(reference)
}

pub(super) fn strip(e: &syn::Expr) -> &syn::Expr {
    match e {
        syn::Expr::Paren(p) => strip(&p.expr),
        syn::Expr::Group(g) => strip(&g.expr),
        other => other,
    }
}

fn operator(op: &syn::BinOp) -> Option<BinOp> {
    Some(match op {
        syn::BinOp::Add(_) => BinOp::Add,
        syn::BinOp::Sub(_) => BinOp::Sub,
        syn::BinOp::Mul(_) => BinOp::Mul,
        syn::BinOp::Div(_) => BinOp::Div,
        syn::BinOp::Rem(_) => BinOp::Rem,
        syn::BinOp::And(_) => BinOp::And,
        syn::BinOp::Or(_) => BinOp::Or,
        syn::BinOp::BitXor(_) => BinOp::BitXor,
        syn::BinOp::BitAnd(_) => BinOp::BitAnd,
        syn::BinOp::BitOr(_) => BinOp::BitOr,
        syn::BinOp::Shl(_) => BinOp::Shl,
        syn::BinOp::Shr(_) => BinOp::Shr,
        syn::BinOp::Eq(_) => BinOp::Eq,
        syn::BinOp::Lt(_) => BinOp::Lt,
        syn::BinOp::Le(_) => BinOp::Le,
        syn::BinOp::Ne(_) => BinOp::Ne,
        syn::BinOp::Ge(_) => BinOp::Ge,
        syn::BinOp::Gt(_) => BinOp::Gt,
        _ => return None,
    })
}

pub(crate) fn compound_operator(op: &syn::BinOp) -> Option<BinOp> {
    Some(match op {
        syn::BinOp::AddAssign(_) => BinOp::Add,
        syn::BinOp::SubAssign(_) => BinOp::Sub,
        syn::BinOp::MulAssign(_) => BinOp::Mul,
        syn::BinOp::DivAssign(_) => BinOp::Div,
        syn::BinOp::RemAssign(_) => BinOp::Rem,
        syn::BinOp::BitXorAssign(_) => BinOp::BitXor,
        syn::BinOp::BitAndAssign(_) => BinOp::BitAnd,
        syn::BinOp::BitOrAssign(_) => BinOp::BitOr,
        syn::BinOp::ShlAssign(_) => BinOp::Shl,
        syn::BinOp::ShrAssign(_) => BinOp::Shr,
        _ => return None,
    })
}
